# SPDX-License-Identifier: MIT OR Apache-2.0
"""An application sends slowly, then bursts. A controller must not grow its window for data that it never sent."""

from __future__ import annotations

import pyarrow as pa
import pytest

import bentpipe as bp

#: Largest allowed window, relative to the largest amount in flight. Linux (tcp_is_cwnd_limited) and RFC 7661 let slow
#: start grow to twice the used window. Samples are 5 ms apart, which adds a few percent.
TWICE = 2.2
#: Controllers that allow more by their own rules.
MORE = {
    "bbr1": 3.0,  # cwnd_gain 2/ln 2 = 2.885 of the estimated BDP in STARTUP
    "leocc": 3.0,  # as BBR
    "vivace": 4.2,  # the starting rate doubles, and the window is twice what the rate needs
    "hybla-linux": 17.0,  # one round of slow start multiplies by 2^rho = 16 before the window stops being the limit
}
NAMES = [str(entry["name"]) for entry in bp.controllers()]


@pytest.mark.parametrize("name", NAMES)
def test_trickle_then_burst(name: str) -> None:
    scenario = bp.Scenario(
        name="trickle",
        duration="30 s",
        # Jersey and NJ need a router that sends congestion warnings.
        network=bp.Dumbbell(rate="50 Mbit/s", rtt="100 ms", warn_above=200.0 if name in {"jersey", "nj"} else None),
        tcp=bp.Tcp(recovery="rack", ecn={"dctcp": "dctcp", "prague": "accurate-l4s"}.get(name)),
        flows=[
            bp.Flow(controller=name, distance="5000 km", trickle={"rate": "6 Mbit/s", "lasts": "20 s"}, size="1 GB")
        ],
        record=bp.Record(interval="5 ms"),
    )
    run = bp.run(scenario)
    table = pa.table(run.flows)
    time, cwnd, in_flight = (table[key].to_numpy() for key in ("time_s", "cwnd_segments", "in_flight_segments"))
    trickling = time < 19.9
    # At 6 Mbit/s and 100 ms, 52 segments are in flight when the application limits the flow. Three controllers begin so
    # slowly that they still send the backlog.
    if name not in {"peach", "peach-plus", "ledbat"}:
        assert in_flight[(time > 15) & trickling].max() <= 53
    assert cwnd[trickling].max() <= MORE.get(name, TWICE) * in_flight[trickling].max()
    # The slow data were delivered, and the burst used the link better than the slow data did.
    goodput = run.summary["flows"][0]["goodput_mbit_s"] * 30
    assert goodput > 6 * 20 + 6 * 9
    assert in_flight[~trickling].max() > 53
