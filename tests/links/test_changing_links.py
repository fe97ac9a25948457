# SPDX-License-Identifier: MIT OR Apache-2.0
"""Rate, loss and delay over time on links of every kind."""

from __future__ import annotations

import math
import statistics
from pathlib import Path
from typing import Any

import pytest

import bentpipe as bp

STEPS = '[{ at = "0 s", rate = "8 Mbit/s" }, { at = "4 s", rate = "2 Mbit/s" }]'
FLOOD = 'kind = "cbr"\nrate = "12 Mbit/s"\npacket = "1000 B"\n'
#: The path of the flow and the link that changes, for each kind of link.
KINDS = {
    "uplink": ('[network.constellation]\npreset = "iridium"\nuser_link = { rate = "50 Mbit/s" }\nuplink = ', ""),
    "downlink": ('[network.constellation]\npreset = "iridium"\nuser_link = { rate = "50 Mbit/s" }\ndownlink = ', ""),
    "isl": ('[network.constellation]\npreset = "iridium"\nuser_link = { rate = "50 Mbit/s" }\nisl = ', ""),
    "access": ('[network.constellation]\npreset = "iridium"\nuser_link = { rate = "50 Mbit/s" }\n', "access = "),
}
#: How often the flow passes a link of this kind. Both hosts have an access link.
PASSED = {"uplink": 1, "downlink": 1, "isl": 2, "access": 2}


def run(kind: str, link: str, **options: Any) -> bp.Run:
    """Send a constant stream over a constellation for 8 s. Links of one kind have these keys."""
    network, access = KINDS[kind]
    network += "" if access else link
    access += link if access else ""
    text = f'duration = "8 s"\n{network}\n[[flows]]\nfrom = "Berkeley"\nto = "Boston"\n{FLOOD}{access}\n'
    return bp.run(text, **options)


def goodput(run: bp.Run, begin: float, end: float) -> float:
    """Return the goodput between two times in Mbit/s, from the series."""
    rows = zip(run.flows["time_s"], run.flows["goodput_mbit_s"], strict=True)
    return statistics.fmean(value for time, value in rows if begin < time <= end + 1e-9)


@pytest.mark.parametrize("kind", KINDS)
def test_what_arrives_follows_the_rate(kind: str) -> None:
    done = run(kind, f'{{ rate_steps = {STEPS}, queue = "10 packets" }}')
    for begin, end, rate in [(1.0, 4.0, 8.0), (4.5, 8.0, 2.0)]:
        assert goodput(done, begin, end) == pytest.approx(rate, rel=0.01)


@pytest.mark.parametrize("kind", KINDS)
def test_a_ramp_carries_its_mean(kind: str) -> None:
    steps = '[{ at = "0 s", rate = "8 Mbit/s" }, { at = "2 s", rate = "8 Mbit/s", ramp_to = "2 Mbit/s" }, '
    done = run(kind, f'{{ rate_steps = {steps} {{ at = "6 s", rate = "2 Mbit/s" }}], queue = "10 packets" }}')
    # The rate falls from 8 to 2 Mbit/s in 4 s. At the receiver, up to 40 ms later, the mean is 5 to 5.06 Mbit/s.
    assert goodput(done, 2.5, 5.5) == pytest.approx(5.03, abs=0.05)


@pytest.mark.parametrize("kind", KINDS)
def test_losses_are_those_of_their_time(kind: str) -> None:
    losses = 'loss = { per = 0.1, steps = [{ at = "2 s", per = 0.5 }, { at = "6 s", per = 0.0 }] }'
    done = run(kind, f'{{ rate = "50 Mbit/s", {losses}, queue = "1000 packets" }}')
    sent = 1500  # packets of 1000 B in a second
    for begin, end, per in [(0.5, 2.0, 0.1), (2.5, 6.0, 1 - 0.9 * 0.5), (6.5, 8.0, 0.1)]:
        share = goodput(done, begin, end) / 12.0
        arrive = (1 - per) ** PASSED[kind]
        # The tolerance is five standard deviations of the draws.
        assert share == pytest.approx(arrive, abs=5 * math.sqrt(arrive * (1 - arrive) / (sent * (end - begin))))


@pytest.mark.parametrize("kind", KINDS)
def test_delay_on_top_is_felt_as_often_as_it_is_passed(kind: str) -> None:
    extra = '{ rate = "50 Mbit/s", extra_delay = [{ at = "2 s", delay = "7 ms" }, { at = "5 s", delay = "0 s" }] }'
    plain = run(kind, '{ rate = "50 Mbit/s" }', seed=1).summary["flows"][0]
    more = run(kind, extra, seed=1).summary["flows"][0]
    longer = more["one_way_delay_ms"]["max"] - plain["one_way_delay_ms"]["max"]
    assert longer == pytest.approx(7.0 * PASSED[kind], abs=0.01)


def test_an_outage_and_a_rate_over_time_hold_together() -> None:
    """At 530 s another satellite takes over the uplink, which pauses for 0.5 s. The schedule continues."""
    done = bp.run("""
duration = "535 s"
[network.constellation]
preset = "iridium"
handover = { outage = "500 ms", during = "hold" }
user_link = { rate = "1 Mbit/s" }
uplink = { rate_steps = [{ at = "0 s", rate = "400 kbit/s" }, { at = "5 min", rate = "200 kbit/s" }] }
[[flows]]
from = "Berkeley"
to = "Boston"
kind = "cbr"
rate = "500 kbit/s"
packet = "1000 B"
""")
    for begin, end, mbit in [(200, 299, 0.4), (400, 530, 0.2), (530.1, 530.5, 0.0), (530.7, 535, 0.2)]:
        assert goodput(done, begin, end) == pytest.approx(mbit, rel=0.05)


def test_plain_links_and_starlink_have_them_too() -> None:
    steps = '{ steps = [{ at = "1 s", per = 1.0 }, { at = "2 s", per = 0.0 }] }'
    flow = '[[flows]]\nkind = "cbr"\nrate = "4 Mbit/s"\npacket = "1000 B"\n'
    for network in (
        f'dumbbell = {{ rate = "10 Mbit/s", rtt = "20 ms", loss = {steps} }}',
        f'chain = {{ links = [{{ rate = "10 Mbit/s", delay = "10 ms", loss = {steps} }}] }}',
    ):
        done = bp.run(f'duration = "3 s"\nnetwork.{network}\n{flow}')
        assert goodput(done, 1.1, 2.0) == 0.0
        assert goodput(done, 2.1, 3.0) == pytest.approx(4.0, rel=0.02)
        assert done.summary["flows"][0]["losses"] == {"queue": 0, "error": 500, "outage": 0}
    starlink = f'duration = "3 s"\nnetwork.starlink = {{ preset = "starlink-good", loss = {{ down = {steps} }} }}\n'
    starlink += flow + 'from = "server"\nto = "dish"\n'
    assert bp.run(starlink).summary["flows"][0]["losses"]["error"] == pytest.approx(500, abs=10)


def test_both_ways_of_saying_a_rate_contradict_each_other() -> None:
    with pytest.raises(
        bp.ScenarioError,
        match=r"uplink\.rate_steps: `rate` and `rate_steps` contradict each other \(keep one of them\)",
    ):
        run("uplink", f'{{ rate = "1 Mbit/s", rate_steps = {STEPS} }}')
    with pytest.raises(bp.ScenarioError, match="not later than the entry before it"):
        run("isl", '{ loss = { steps = [{ at = "2 s", per = 0.1 }, { at = "2 s", per = 0.2 }] } }')


PAUSE = '[{ at = "0 s", rate = "10 Mbit/s" }, { at = "5 s", rate = "0 bit/s" }, { at = "10 s", rate = "10 Mbit/s" }]'


@pytest.mark.parametrize("how", ["rate_steps", "path_trace"])
def test_a_link_at_rate_zero_is_not_busy(tmp_path: Path, how: str) -> None:
    """3 Mbit/s for 20 s need 6 s at 10 Mbit/s (30 %). After the pause the link is busy until it has sent 15 Mbit."""
    (tmp_path / "trace.csv").write_text("time_s,rate_mbit_s\n0,10\n5,0\n10,10\n")
    link = {"rate_steps": f"rate_steps = {PAUSE}", "path_trace": 'path_trace = "trace.csv"'}[how]
    text = f'duration = "20 s"\n[network.dumbbell]\n{link}\nrtt = "60 ms"\nqueue = "unlimited"\n'
    (tmp_path / "pause.toml").write_text(text + '[[flows]]\nkind = "cbr"\nrate = "3 Mbit/s"\n')
    done = bp.run(tmp_path / "pause.toml")
    forward, back = done.summary["links"]
    assert forward["utilisation"] == pytest.approx(6 / 20, abs=1e-4)
    assert back["utilisation"] == 0.0
    rows = [row for row in done.links.arrow.to_pylist() if row["name"] == forward["name"]]
    for begin, end, share in [(0.1, 5.0, 0.3), (5.0, 10.0, 0.0), (10.0, 12.1, 1.0), (12.2, 20.0, 0.3)]:
        mean = statistics.fmean(row["utilisation"] for row in rows if begin < row["time_s"] <= end + 1e-9)
        assert mean == pytest.approx(share, abs=0.01)


def test_a_paused_way_back_is_not_the_bottleneck() -> None:
    """The return link carries ACKs of 52 bytes (41.6 us each at 10 Mbit/s), and has rate 0 for 18 s of 20 s."""
    back = PAUSE.replace("5 s", "1 s").replace("10 s", "19 s")
    text = 'duration = "20 s"\n[network.dumbbell]\nrate = "10 Mbit/s"\nrtt = "60 ms"\nqueue = "50 packets"\n'
    text += f'reverse = {{ rate_steps = {back}, queue = "50 packets" }}\n[[flows]]\ncontroller = "cubic"\n'
    summary = bp.run(text).summary
    assert summary["bottleneck"] is not None
    assert summary["bottleneck"]["name"] == "left > right"
    acks = summary["links"][1]
    assert acks["utilisation"] == pytest.approx(acks["delivered_packets"] * 41.6e-6 / 20, rel=0.02)
