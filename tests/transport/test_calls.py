# SPDX-License-Identifier: MIT OR Apache-2.0
"""Calls: the numbers in the summary equal the numbers computed from the packets."""

from __future__ import annotations

from itertools import pairwise, starmap
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

import bentpipe as bp
from bentpipe.results.calls import call_lines
from bentpipe.results.summaries import given
from bentpipe.results.summary_types import CallWay
from sharks import shark, tshark

BESIDE = """
duration = "20 s"
seed = 3
network.dumbbell = { rate = "4 Mbit/s", rtt = "60 ms", queue = "60 packets", loss = { per = 0.01 } }
record.packets = true
[[flows]]
kind = "call"
profile = "PROFILE"
stop = "19 s"
[[flows]]
controller = "cubic"
start = "1 s"
"""


def transits(run: bp.Run, kind: str) -> tuple[list[float], int]:
    """Return the ms from the first link to each packet's arrival, in order of arrival, and the number of packets."""
    rows = run.packets.arrow.to_pandas().query(f"flow == 0 and kind == '{kind}'")
    sent = rows[rows["event"].isin(["enqueue", "drop: queue", "drop: error"])].groupby("sequence")["time_s"].min()
    came = rows[rows["event"] == "deliver"]
    return list(1e3 * (came["time_s"].to_numpy() - sent.loc[came["sequence"]].to_numpy())), len(sent)


def jitter(transit: list[float]) -> float:
    """RFC 3550, section 6.4.1: D(i-1,i) = (Ri - Si) - (Ri-1 - Si-1), J += (|D| - J)/16."""
    smoothed = 0.0
    for before, after in pairwise(transit):
        smoothed += (abs(after - before) - smoothed) / 16
    return smoothed


@pytest.mark.parametrize("profile", ["voice", "video-call", "game"])
def test_numbers_are_those_of_the_packets(profile: str) -> None:
    run = bp.run(BESIDE.replace("PROFILE", profile))
    call = run.summary["flows"][0]["call"]
    for kind, way in (("data", call["there"]), ("data back", call["back"])):
        transit, sent = transits(run, kind)
        assert way["sent_packets"] == sent
        assert way["lost_packets"] == sent - len(transit)
        assert way["jitter_ms"] == pytest.approx(jitter(transit), rel=1e-6)
        delay, variation = way["one_way_delay_ms"], way["delay_variation_ms"]
        assert delay["samples"] == len(transit)
        assert (delay["min"], delay["max"]) == pytest.approx((min(transit), max(transit)), abs=1e-6)
        # RFC 5481, section 4.2: each packet's delay above the smallest delay, to the microsecond.
        over = np.array(transit) - min(transit)
        for quantile, name in ((0.05, "p5"), (0.5, "p50"), (0.95, "p95"), (0.99, "p99")):
            exact = np.quantile(over, quantile, method="inverted_cdf")
            assert variation[name] == pytest.approx(exact, abs=2e-3)
    # Errors occur in both directions. The queue of the transfer is in one direction.
    assert call["there"]["lost_packets"] > 0
    assert call["worse"] == "there"


def frames(run: bp.Run, playout_ms: float) -> tuple[int, int, list[int]]:
    """Return the frames of a voice call that came late and that never came, and lengths of runs of missed frames."""
    rows = run.packets.arrow.to_pandas().query("flow == 0 and kind == 'data'")
    came = rows[rows["event"] == "deliver"].set_index("sequence")["time_s"]
    late, lost, stretches, before = 0, 0, [], True
    for number in range(int(rows["sequence"].max()) + 1):
        sent_ms = 20.0 * number
        # The fastest frame so far decides when a frame is played. All frames arrive in order here.
        known = [1e3 * at - 20.0 * other for other, at in came.items() if other <= number]
        least = min(known) if known else 0.0
        transit = 1e3 * came[number] - sent_ms if number in came.index else np.inf
        in_time = transit <= least + playout_ms
        late += bool(not in_time and np.isfinite(transit))
        lost += bool(np.isinf(transit))
        if not in_time:
            stretches = [*stretches, 1] if before else [*stretches[:-1], stretches[-1] + 1]
        before = in_time
    return late, lost, stretches


def test_frames_that_miss_their_turn_are_those_of_the_packets() -> None:
    run = bp.run(BESIDE.replace("PROFILE", "voice").replace('stop = "19 s"', 'stop = "19 s"\nplayout = "40 ms"'))
    way = run.summary["flows"][0]["call"]["there"]
    late, lost, stretches = frames(run, 40.0)
    assert late > 20
    assert lost > 3
    assert (way["frames"], way["late_frames"], way["lost_frames"]) == (950, late, lost)
    assert (way["bursts"], way["longest_burst_frames"]) == (len(stretches), max(stretches))
    assert way["mean_burst_frames"] == pytest.approx(np.mean(stretches))


def test_a_run_says_what_was_felt() -> None:
    run = bp.run(BESIDE.replace("PROFILE", "voice"))
    (line,) = call_lines(run)
    way = given(run.summary["flows"][0].get("call"))["there"]
    assert line.startswith("voice, worse direction left > right: delay ")
    assert f"R {way['voice']['r']:.1f}, MOS {way['voice']['mos']:.2f}" in line
    many = bp.run(
        bp.Scenario(
            duration="2 s",
            network=bp.Dumbbell(rate="10 Mbit/s", rtt="20 ms"),
            flows=[bp.Flow(kind="call", profile="game", count=7), bp.Flow(kind="call", start="1999 ms")],
        )
    )
    lines = call_lines(many)
    assert (len(lines), lines[-1]) == (6, "3 more calls; none is worse")


def test_nothing_arrived_is_said_only_if_something_was_lost_or_due() -> None:
    nothing = {"sent_packets": 0, "lost_packets": 0, "frames": 0, "late_frames": 0, "lost_frames": 0}
    nothing |= dict.fromkeys(("one_way_delay_ms", "jitter_ms", "missed_ratio", "voice"))
    rated = {"voice": {"r": 90.6, "mos": 4.35}}
    lost = {"sent_packets": 5, "lost_packets": 5, "frames": 5, "lost_frames": 5, "missed_ratio": 1.0}
    ways = {
        "in flight at the end": nothing | {"sent_packets": 1},
        "all lost": nothing | lost,
        "frames of packets of the warm-up": nothing | {"frames": 2, "missed_ratio": 0.0} | rated,
    }
    said = []
    for way in ways.values():
        call = {"worse": "there", "there": way, "back": nothing}
        flow = {"name": "voice", "from": "left", "to": "right", "call": call}
        said += call_lines(SimpleNamespace(summary={"flows": [flow]}))  # type: ignore[arg-type]
    assert said == [
        "voice: not measured, because no packet arrived and no frame was due after the warm-up",
        "voice, worse direction left > right: nothing arrived, 100.00 % of frames late or lost",
        "voice, worse direction left > right: delay not measured, 0.00 % of frames late or lost, R 90.6, MOS 4.35",
    ]
    # One call ends in the warm-up. Another begins 10 ms before the end, on a path of 25 ms one way.
    run = bp.run("""
duration = "10 s"
warm_up = "5 s"
network.dumbbell = { rate = "10 Mbit/s", rtt = "50 ms" }
flows = [{ kind = "call", stop = "4 s" }, { kind = "call", start = "9.99 s" }]
""")
    assert not any("nothing arrived" in line for line in call_lines(run))
    assert any("not measured" in line for line in call_lines(run))


def test_what_it_costs_follows_from_its_packets() -> None:
    network = 'duration = "10 s"\nnetwork.dumbbell = { rate = "8 Mbit/s", rtt = "10 ms" }\n'
    # 50 packets a second are sent in each direction.
    cost = bp.estimate_cost(network + 'flows = [{ kind = "call" }]')
    assert (round(cost["packets"]), round(cost["answers"])) == (500, 500)
    # Each of 20 periods has ten packets, 10 ms apart.
    periods = 'flows = [{ kind = "cbr", rate = "800 kbit/s", packet = "1000 B", on = "95 ms", off = "405 ms" }]'
    assert round(bp.estimate_cost(network + periods)["packets"]) == 200
    # 1 Mbit/s of data for 10 s are 863 segments of 1448 B.
    writer = 'flows = [{ controller = "cubic", trickle = { rate = "1 Mbit/s" } }]'
    assert bp.estimate_cost(network + writer)["packets"] == pytest.approx(863, rel=0.01)


@tshark
def test_a_capture_has_both_ways(tmp_path: Path) -> None:
    text = """
duration = "2 s"
network.dumbbell = { rate = "10 Mbit/s", rtt = "80 ms" }
flows = [{ name = "game", kind = "call", profile = "game", stop = "1.5 s" }]
record.pcap = ["game"]
"""
    run = bp.run(text, out=tmp_path / "r")
    call = run.summary["flows"][0]["call"]
    folder = tmp_path / "r" / "captures"
    for file in ("sender", "receiver"):
        there = shark(folder / f"game.{file}.pcapng", "udp.dstport == 9 && udp.length == 48", "ip.len")
        back = shark(folder / f"game.{file}.pcapng", "udp.srcport == 9 && udp.length == 138", "ip.len")
        assert {*starmap(str, there)} == {"68"}
        assert {*starmap(str, back)} == {"158"}
        assert (len(there), len(back)) == (call["there"]["sent_packets"], call["back"]["sent_packets"]) == (37, 30)


def _voice(flow: str, loss: str = "", *, warm_up: str, rtt: str = "50 ms", more: str = "") -> CallWay:
    """Return the forward direction of a voice call of 10 s."""
    lost = f", loss = {{ spans = [{loss}] }}" if loss else ""
    run = bp.run(
        f'duration = "10 s"\nwarm_up = "{warm_up}"\nflows = [{{ kind = "call"{flow} }}{more}]\n'
        f'network.dumbbell = {{ rate = "10 Mbit/s", rtt = "{rtt}"{lost} }}\n'
    )
    return given(run.summary["flows"][0].get("call"))["there"]


def test_frames_of_the_warm_up_do_not_count() -> None:
    # A frame leaves every 20 ms, and is due 60 ms after its earliest arrival, at k * 20 ms + 85.16 ms. From 5 s on
    # these are frames 246 to 495. The last lost frame was sent at 4.98 s, so 246, 247, 248 and 249 are missed.
    way = _voice("", '["1 s", "4.99 s"]', warm_up="5 s")
    assert (way["sent_packets"], way["lost_packets"]) == (250, 0)
    assert (way["frames"], way["lost_frames"], way["late_frames"], way["longest_burst_frames"]) == (250, 4, 0, 4)
    # After the end of a call no frame is due, whether or not the call's last frames arrived.
    for stop, loss, warm_up in (("1 s", "", "9 s"), ("4 s", '["3.5 s", "4.5 s"]', "5 s")):
        way = _voice(f', stop = "{stop}"', loss, warm_up=warm_up)
        assert (way["sent_packets"], way["frames"], way["lost_frames"]) == (0, 0, 0)
        assert way["missed_ratio"] is None
        assert way["voice"] is None


def test_delay_variation_of_a_long_path_is_not_the_error_of_its_delay() -> None:
    # On an empty path, every packet has the same delay, however long the path is.
    variation = given(_voice("", warm_up="0 s", rtt="600 ms")["delay_variation_ms"])
    assert [variation[of] for of in ("mean", "p5", "p50", "p99", "max")] == pytest.approx([0] * 5, abs=1e-3)
