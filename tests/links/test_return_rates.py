# SPDX-License-Identifier: MIT OR Apache-2.0
"""Demand assignment on a carrier whose rate changes, with short queues. Expected values are computed by hand."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import tomli_w

import bentpipe as bp

TIMES = {"superframe": "40 ms", "latency": "560 ms"}


def sent(back: bp.Link, asked: str, duration: str = "10 s", seed: int = 1) -> bp.FlowSummary:
    """Send a stream of datagrams over the return link."""
    network = bp.Dumbbell(rate="20 Mbit/s", rtt="550 ms", queue="1 BDP", reverse=back)
    flow = bp.Flow(kind="cbr", rate=asked, packet="1500 B", from_="right", to="left")
    scenario = bp.Scenario(duration=duration, warm_up="2 s", network=network, flows=[flow], seed=seed)
    return bp.run(scenario).summary["flows"][0]


@pytest.mark.parametrize("category", [{"fca": 1.0}, {"vbdc": "unlimited"}, {"cra": "2 Mbit/s"}])
def test_a_carrier_that_falls_grants_less(category: dict[str, Any]) -> None:
    """The carrier has 2 Mbit/s until 6 s, then 1. Data that arrive from 2 to 10 s were sent 275 ms earlier."""
    steps = [{"at": "0 s", "rate": "2 Mbit/s"}, {"at": "6 s", "rate": "1 Mbit/s"}]
    flow = sent(bp.Link(rate_steps=steps, queue="200 kB", dama=TIMES | category), "3 Mbit/s")
    fast = 4.275
    assert flow["goodput_mbit_s"] == pytest.approx((fast * 2 + (8 - fast) * 1) / 8, rel=0.01)


def test_a_budget_says_what_is_granted(tmp_path: Path) -> None:
    hop = {"frequency": "29.5 GHz", "eirp": "50 dBW", "g_over_t": "18 dB/K", "elevation": "30 deg"}
    budget = {"bandwidth": "1 MHz", "modcods": "dvb-s2", "down": hop}
    (tmp_path / "budget.toml").write_text(tomli_w.dumps({"budget": budget}))
    rate = bp.link_budget(tmp_path / "budget.toml")["states"][0]["rate_mbit_s"]
    # The queue always contains data for 600 ms at that rate.
    for category in ({"fca": 1.0}, {"vbdc": "unlimited"}):
        flow = sent(bp.Link(budget=budget, queue="400 kB", dama=TIMES | category), "8 Mbit/s")
        assert flow["goodput_mbit_s"] == pytest.approx(rate, rel=0.01)


def test_rain_over_a_terminal_takes_of_its_grants() -> None:
    """With only free capacity, the grants are the complete carrier. Rain reduces it as it would without grants."""
    hop = {
        "frequency": "29.5 GHz",
        "eirp": "50 dBW",
        "g_over_t": "18 dB/K",
        "elevation": "30 deg",
        "latitude": "50 deg",
    }
    rain = {"rate_001": "60 mm/h", "height": "4 km", "start": "12 dB"}
    budget = {"bandwidth": "1 MHz", "modcods": "dvb-s2", "down": hop | {"rain": rain}}
    wet, plain = (
        sent(bp.Link(budget=budget, queue="200 kB", dama=dama), "4 Mbit/s", "100 s")
        for dama in (TIMES | {"fca": 1.0}, None)
    )
    assert 0.1 < plain["goodput_mbit_s"] < 2.5
    assert wet["goodput_mbit_s"] == pytest.approx(plain["goodput_mbit_s"], rel=0.02)


@pytest.mark.parametrize(("queue_kb", "full"), [(15, False), (30, False), (45, False), (90, True)])
def test_a_short_queue_does_not_fill_a_carrier(queue_kb: int, full: bool) -> None:
    """Little's law: the queued data that wait for 560 ms plus up to a superframe are all that leave in that time."""
    back = bp.Link(rate="900 kbit/s", queue=f"{queue_kb} kB", dama=TIMES | {"rbdc": "unlimited"})
    got = sent(back, "1.2 Mbit/s", "22 s")["goodput_mbit_s"]
    bounds = [8e-3 * queue_kb / (0.560 + superframes * 0.040) for superframes in (2, 0)]
    if full:
        assert bounds[0] > 0.9
        assert got == pytest.approx(0.9, rel=0.01)
    else:
        assert bounds[0] < got < bounds[1] < 0.9


def test_what_is_assigned_does_not_hang_on_the_weather_to_come() -> None:
    """Two terminals share a carrier. Rain over one ends within 300 s but not within 20 s. The first 18 s are equal."""
    hop = {
        "frequency": "29.5 GHz",
        "eirp": "53.28 dBW",
        "g_over_t": "10 dB/K",
        "elevation": "35 deg",
        "latitude": "51.5 deg",
        "rain": {"rate_001": "26.5 mm/h", "height": "2.45 km", "start": "14 dB"},
    }
    budget = {"bandwidth": "0.2694 MHz", "modcods": "dvb-s2", "down": hop}
    terminals = [{"cra": "600 kbit/s"}, {"cra": "350 kbit/s", "budget": budget}]
    branches = [
        bp.Branch(site=str(at), rate="20 Mbit/s", delay="275 ms", queue="unlimited", dama={"carrier": "up"} | terminal)
        for at, terminal in enumerate(terminals)
    ]
    network = bp.Star(branches=branches, carriers=[bp.Carrier(name="up", rate="1 Mbit/s", **TIMES)])
    flows = [bp.Flow(kind="cbr", rate="0.7 Mbit/s", packet="1500 B", from_=str(at), to="hub") for at in range(2)]
    arrived, rates = [], []
    for duration in ("20 s", "300 s"):
        record = bp.Record(interval="1 s", packets=True)
        run = bp.run(bp.Scenario(duration=duration, network=network, flows=flows, record=record))
        rows = zip(run.packets["time_s"], run.packets["flow"], run.packets["event"], strict=True)
        arrived.append([row for row in rows if row[0] < 18.0])
        rates.append(max(row["rate_mbit_s"] for row in run.weather.arrow.to_pylist()))
    assert rates[0] < rates[1]
    assert arrived[0] == arrived[1]
