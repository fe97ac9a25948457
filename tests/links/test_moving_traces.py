# SPDX-License-Identifier: MIT OR Apache-2.0
"""Traces on links of satellites and hosts, and what happens when a trace ends."""

from __future__ import annotations

import statistics
from pathlib import Path
from typing import Any

import pytest

import bentpipe as bp
from project import ROOT

#: Packets have the size of mahimahi's packets, so one packet leaves at each moment of a trace.
FLOOD = 'kind = "cbr"\nrate = "12 Mbit/s"\npacket = "1500 B"\n'
IRIDIUM = '[network.constellation]\npreset = "iridium"\nuser_link = { rate = "50 Mbit/s" }\n'
#: The kinds of links, and how often the flow passes a link of each kind.
KINDS = {"uplink": 1, "downlink": 1, "isl": 2, "access": 2}


def scenario(kind: str, link: str, duration: str = "8 s", flow: str = FLOOD) -> str:
    """Return a scenario of a flow over a constellation, in which links of one kind have these keys."""
    network, access = IRIDIUM, ""
    if kind == "access":
        access = f"access = {link}\n"
    else:
        network += f"{kind} = {link}\n"
    return f'duration = "{duration}"\n{network}[[flows]]\nfrom = "Berkeley"\nto = "Boston"\n{flow}{access}'


def goodput(run: bp.Run, begin: float, end: float) -> float:
    """Return the goodput between two times in Mbit/s, from the series."""
    rows = zip(run.flows["time_s"], run.flows["goodput_mbit_s"], strict=True)
    return statistics.fmean(value for time, value in rows if begin < time <= end + 1e-9)


def outcome(text: str) -> tuple[Any, bp.Run]:
    """Return the goodput over time, and the run."""
    run = bp.run(text, seed=3)
    return list(run.flows["goodput_mbit_s"]), run


@pytest.mark.parametrize("kind", KINDS)
def test_a_path_trace_is_the_steps_that_it_says(kind: str, tmp_path: Path) -> None:
    """A path trace gives the same rates, losses and delays as keys, which other tests compare with closed forms."""
    rows = "time_s,rate_mbit_s,delay_ms,loss_ratio\n0,8,0,0\n2,4,7,0.2\n5,6,0,0\n"
    (tmp_path / "p.csv").write_text(rows)
    steps = ", ".join(f'{{ at = "{at} s", rate = "{rate} Mbit/s" }}' for at, rate in [(0, 8), (2, 4), (5, 6)])
    keys = f"rate_steps = [{steps}]"
    loss = 'loss = { steps = [{ at = "0 s", per = 0.0 }, { at = "2 s", per = 0.2 }, { at = "5 s", per = 0.0 }] }'
    zero, seven = '{ at = "0 s", delay = "0 s" }', '{ at = "2 s", delay = "7 ms" }'
    delay = f'extra_delay = [{zero}, {seven}, {{ at = "5 s", delay = "0 s" }}]'
    queue = 'queue = "20 packets"'
    said, _ = outcome(scenario(kind, f"{{ {keys}, {loss}, {delay}, {queue} }}"))
    traced, _ = outcome(scenario(kind, f'{{ path_trace = "{tmp_path}/p.csv", {queue} }}'))
    assert traced == said


@pytest.mark.parametrize("kind", KINDS)
def test_deliveries_leave_at_their_moments(kind: str, tmp_path: Path) -> None:
    """Three moments in 4 ms give 750 packets of 1500 bytes in a second, so 9 Mbit/s. The trace repeats."""
    (tmp_path / "t").write_text("1\n2\n4\n")
    _, run = outcome(scenario(kind, f'{{ trace = "{tmp_path}/t", queue = "20 packets" }}', "4 s"))
    assert goodput(run, 0.5, 4.0) == pytest.approx(750 * 1500 * 8 / 1e6, rel=0.002)
    assert run.summary["provenance"]["path_notes"] == [
        'the trace t lasts 4 ms, but the run lasts 4 s. At its end, the trace begins again (trace_end = "wrap")'
    ]


def test_delays_come_on_top(tmp_path: Path) -> None:
    """The trace adds 5 ms for a second, then 12 ms for a second, and repeats after two seconds."""
    (tmp_path / "d").write_text("5\n" * 100 + "12\n" * 100)
    plain = scenario("uplink", '{ rate = "50 Mbit/s" }', "4 s")
    longer = scenario("uplink", f'{{ rate = "50 Mbit/s", delay_trace = "{tmp_path}/d" }}', "4 s")
    without, with_ = (bp.path_trace(text, step="1 s")["delay_ms"] for text in (plain, longer))
    more = [one - other for one, other in zip(with_, without, strict=True)]
    assert more == pytest.approx([5.0, 12.0, 5.0, 12.0], abs=1e-6)
    felt = [bp.run(text).summary["flows"][0]["one_way_delay_ms"]["min"] for text in (plain, longer)]
    assert felt[1] - felt[0] == pytest.approx(5.0, abs=0.05)


#: Rate in the five seconds after a trace of two seconds, in Mbit/s. The trace has one second of 8 and one of 4.
ENDS = {"wrap": 6.0, "hold": 4.0, "stop": 0.0}


@pytest.mark.parametrize("end", ENDS)
def test_a_path_trace_ends_as_it_is_told(end: str, tmp_path: Path) -> None:
    (tmp_path / "p.csv").write_text("time_s,rate_mbit_s\n0,8\n1,4\n2,4\n")
    link = f'{{ path_trace = "{tmp_path}/p.csv", trace_end = "{end}", queue = "5 packets" }}'
    for text in (
        scenario("downlink", link),
        f'duration = "8 s"\nnetwork.dumbbell = {{ rtt = "20 ms", {link[1:-1]} }}\n[[flows]]\n{FLOOD}',
    ):
        _, run = outcome(text)
        assert goodput(run, 2.2, 6.2) == pytest.approx(ENDS[end], rel=0.01)
        assert (
            sum(note.startswith("the trace p.csv lasts 2 s") for note in run.summary["provenance"]["path_notes"]) == 1
        )
        losses = run.summary["flows"][0]["losses"]
        assert (losses["outage"] > 1000) == (end == "stop")


def test_a_loss_of_one_is_an_outage(tmp_path: Path) -> None:
    """1 Mbit/s in packets of 1000 B are 125 packets in a second."""
    (tmp_path / "p.csv").write_text("time_s,loss_ratio\n0,0\n1,1\n2,0\n9,0\n")
    link = f'rate = "8 Mbit/s", rtt = "20 ms", path_trace = "{tmp_path}/p.csv"'
    flow = '{ kind = "cbr", rate = "1 Mbit/s", packet = "1000 B" }'
    run = bp.run(f'duration = "4 s"\nflows = [{flow}]\nnetwork.dumbbell = {{ {link} }}\n')
    assert run.summary["flows"][0]["losses"]["outage"] == pytest.approx(125, abs=2)
    assert run.summary["flows"][0]["losses"]["error"] == 0


def test_deliveries_stop_after_the_last_of_them(tmp_path: Path) -> None:
    (tmp_path / "t").write_text("".join(f"{ms}\n" for ms in range(2, 1001, 2)))
    _, run = outcome(
        scenario("uplink", f'{{ trace = "{tmp_path}/t", trace_end = "stop", queue = "9 packets" }}', "3 s")
    )
    # The first packet may leave at 2 ms, and the last at 1 s. So exactly 500 packets arrive.
    assert run.summary["flows"][0]["delivered_packets"] == 500
    assert run.summary["flows"][0]["losses"]["outage"] > 500


def test_a_handover_interrupts_a_trace() -> None:
    """At 530 s another satellite takes over. The trace of 30 s continues meanwhile; unused moments are lost."""
    link = f'{{ trace = "{ROOT}/data/leocc-30s.deliveries", queue = "10 packets" }}'
    text = scenario("uplink", link, "532 s", 'kind = "cbr"\nrate = "2 Mbit/s"\npacket = "1000 B"\nstart = "529 s"\n')
    text = text.replace("user_link", 'handover = { outage = "500 ms", during = "hold" }\nuser_link')
    run = bp.run(text)
    assert goodput(run, 529.2, 530.0) == pytest.approx(2.0, rel=0.05)
    assert goodput(run, 530.1, 530.5) == 0.0
    assert goodput(run, 530.7, 532.0) == pytest.approx(2.0, rel=0.05)


def test_the_trace_of_a_preset_and_of_user_link(tmp_path: Path) -> None:
    """A column of rates replaces the rate. Without this column, the preset's rate stays. A rate removes the trace."""
    (tmp_path / "rate.csv").write_text("time_s,rate_mbit_s\n0,3\n")
    (tmp_path / "loss.csv").write_text("time_s,loss_ratio\n0,0.5\n")
    preset = IRIDIUM.replace("50 Mbit/s", "6 Mbit/s")
    flow = f'[[flows]]\nfrom = "Berkeley"\nto = "Boston"\n{FLOOD}'
    for links, wanted in [
        (f'uplink = {{ path_trace = "{tmp_path}/rate.csv" }}\n', 3.0),
        (f'uplink = {{ path_trace = "{tmp_path}/loss.csv" }}\n', 3.0),
        ('uplink = { rate = "5 Mbit/s" }\n', 5.0),
    ]:
        # The trace loses half of 6 Mbit/s, or lets 3 Mbit/s pass.
        run = bp.run(f'duration = "6 s"\n{preset}{links}{flow}', seed=1)
        assert goodput(run, 1.0, 6.0) == pytest.approx(wanted, rel=0.03)
    both = f'duration = "6 s"\n{preset}uplink = {{ rate = "5 Mbit/s" }}\n{flow}'
    both = both.replace('user_link = { rate = "6 Mbit/s" }', f'user_link = {{ path_trace = "{tmp_path}/rate.csv" }}')
    assert goodput(bp.run(both), 1.0, 6.0) == pytest.approx(3.0, rel=0.03)  # the downlink has the trace
    assert goodput(bp.run(both + 'name = "up"\n'), 1.0, 6.0) == pytest.approx(3.0, rel=0.03)


def test_what_is_refused(tmp_path: Path) -> None:
    (tmp_path / "loss.csv").write_text("time_s,loss_ratio\n0,0.5\n")
    (tmp_path / "t").write_text("1\n")
    for link, said in [
        ('{ rate = "1 Mbit/s", trace = "t" }', r"uplink\.trace: `rate` and `trace` contradict each other"),
        ('{ trace = "t", trace_end = "hold" }', r'uplink\.trace_end: "hold" keeps the last rate of a trace'),
        ('{ rate = "1 Mbit/s", trace_end = "wrap" }', r"uplink\.trace_end: `trace_end` has no effect without a trace"),
        ('{ trace = "not-there" }', r"cannot read .*not-there"),
        ('{ delay_steps = [["0 s", "3 ms"]] }', r"write extra_delay here; to use this key, describe the path"),
    ]:
        with pytest.raises(bp.BentpipeError, match=said):
            bp.run(scenario("uplink", link))
    bare = scenario("uplink", "{}").replace('preset = "iridium"', "").replace("user_link", "downlink")
    bare = bare.replace("uplink = {}", f'uplink = {{ path_trace = "{tmp_path}/loss.csv" }}')
    walker = 'walker = { planes = 6, per_plane = 11, altitude = "780 km", inclination = "86.4 deg" }'
    walker += '\nisl = { rate = "9 Mbit/s" }'
    bare = bare.replace("[network.constellation]\n", f'[network.constellation]\nmin_elevation = "5 deg"\n{walker}\n')
    with pytest.raises(bp.ScenarioError, match="the column rate_mbit_s is missing, and the link has no `rate`"):
        bp.run(bare)


def test_one_line_of_mahimahi_is_a_packet_of_1500_bytes(tmp_path: Path) -> None:
    """mahimahi's README: the trace "1" delivers one 1500-byte packet per millisecond, 12 Mbit/s.

    Datagrams of 52 bytes get 4 more bytes in mahimahi's tunnel, so 1504 / 56 fit into one line: 11.171 Mbit/s.
    """
    (tmp_path / "t").write_text("1\n")
    network = f'duration = "4 s"\nnetwork.dumbbell = {{ trace = "{tmp_path}/t", rtt = "0 s", queue = "50 packets" }}\n'
    for size, mbit in ((1500, 12.0), (52, 1504 / 56 * 52 * 8 / 1e3)):
        run = bp.run(f'{network}flows = [{{ kind = "cbr", rate = "40 Mbit/s", packet = "{size} B" }}]\n')
        assert goodput(run, 0.5, 4.0) == pytest.approx(mbit, rel=0.0005)
        assert run.summary["bottleneck"]["utilisation"] == pytest.approx(1.0, rel=0.001)
