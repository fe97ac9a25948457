# SPDX-License-Identifier: MIT OR Apache-2.0
"""`bentpipe validate linux` after events: the list of open deviations, the kernels' traces, and our runs."""

from __future__ import annotations

import math
from dataclasses import replace
from fnmatch import fnmatchcase

import numpy as np
import pyarrow.parquet as pq
import pytest

import bentpipe as bp
from bentpipe.validation import Agreement, _beside, _events, _linux, _oracle, _reasons
from bentpipe.validation._beside import MOST_OPEN, Beside, Cell, Quantity, Reason, Row
from bentpipe.validation._events import EventCase, Happened, Transfer
from bentpipe.validation._recorded import Asked
from bentpipe.validation._windows import Trace
from project import ROOT, Command

DATA = ROOT / "data"
CASES = {case.name: case for case in _oracle.listed(DATA / "oracles" / "events.toml", EventCase)}
RECORDED = _events.Recorded(DATA)

# ---- the list of open deviations ---------------------------------------------------------------------------------

GOODPUT = Quantity(name="goodput", unit="Mbit/s", judged=True)


def beside(*reasons: Reason | None) -> Beside:
    """Return numbers of which ours is twice the other one, each with its reason."""
    cells = tuple(Cell(GOODPUT, 2.0, 1.0, judged=True, reason=reason) for reason in reasons)
    return Beside("Linux", {"a": [Row("a", "reno", "reno", "", cells)]}, (GOODPUT,), "")


def unknown(text: str) -> Reason:
    return Reason(("reno",), ("goodput",), ("*",), text, known=False)


def test_a_deviation_that_is_not_listed_fails() -> None:
    result = beside(None)
    assert [cell.verdict for _, cell in result.cells] == [Agreement.OUTSIDE]
    assert result.broken == ["outside: a | reno | goodput, Mbit/s | 2 / 1 ✗"]


def test_an_open_deviation_is_told_with_both_numbers_and_does_not_fail() -> None:
    result = beside(unknown("nobody knows"))
    assert [cell.verdict for _, cell in result.cells] == [Agreement.OPEN]
    assert not result.broken
    assert not result.idle
    assert "1 open" in result.summary()
    page = result.markdown("a command", {})
    assert "### Open\n\nnobody knows\n\n- a | reno | goodput, Mbit/s | 2 / 1 ?" in page
    assert result.records()["open"] == ["nobody knows"]


def test_no_more_than_two_may_be_open() -> None:
    assert MOST_OPEN == 2
    assert not beside(unknown("one"), unknown("two"), unknown("two")).broken
    result = beside(unknown("one"), unknown("two"), unknown("three"))
    assert result.broken == ["3 deviations are open, but at most 2 may be open"]
    assert result.records()["passed"] is False


def test_the_list_names_numbers_that_exist_and_is_short() -> None:
    named = {case.together or case.name for case in CASES.values()}
    there = [f"{name}, Linux {kernel}" for name in named for kernel in ("6.1", "7.2")]
    there += [case.name for case in _oracle.cases(DATA)]
    measures = {one.name for several in _events.READINGS.values() for one in several}
    measures |= {measure.name for measure in _beside.WINDOWS}
    for reason in _reasons.LINUX:
        assert set(reason.controllers) <= set(_linux.TWINS)
        assert set(reason.measures) <= measures
        assert all(any(fnmatchcase(name, pattern) for name in there) for pattern in reason.cases)
    assert sum(not reason.known for reason in _reasons.LINUX) <= MOST_OPEN


def test_counts_of_a_tick_and_times_between_samples_do_not_matter() -> None:
    # 10 Mbit/s carry 3.3 packets of 1500 bytes in 4 ms, which is a tick of 250 Hz.
    assert _events.TICK_SEGMENTS == 4
    (again,) = (one for one in _events.READINGS["hold"] if one.name == "sent again")
    assert again.agrees(6, 2)
    assert not again.agrees(7, 2)
    assert again.agrees(109, 100)
    (full,) = (one for one in _events.READINGS["silence"] if one.name == "full rate after")
    assert full.agrees(0.7, 0.8)
    assert not full.agrees(0.6, 0.8)


# ---- measures on a synthetic run ---------------------------------------------------------------------------------


def drawn() -> Happened:
    """Return a run in which nothing arrives from 1 to 2 s. The rate is 8 Mbit/s before 1 s and after 2.5 s."""
    time_s = np.arange(0, 6.05, 0.1)
    acked_bytes = np.where(time_s < 1, time_s, np.where(time_s < 2.5, 1.0, time_s - 1.5)) * 1e6
    trace = Trace(
        time_s=time_s,
        cwnd=np.where(time_s < 2, 80.0, 20.0),
        ssthresh=np.full(time_s.size, np.nan),
        srtt_ms=np.full(time_s.size, 100.0),
        acked_bytes=acked_bytes,
        retransmissions=np.zeros(time_s.size),
        episodes=(),
    )
    return Happened((trace,), np.array([1.3, 1.7, 2.0, 2.1]), (Transfer(1.5, 10),))


def test_what_is_measured_is_what_was_drawn() -> None:
    it = drawn()
    assert it.again(1, 2) == 2
    assert it.again(2, 6) == 2
    assert it.window(1.5) == 80
    assert it.rate(0, 0.9) == pytest.approx(8)
    assert it.rate(2, 3) == pytest.approx(4)
    # From 2.4 s on, a second has nine tenths of the rate.
    assert it.full_after(2, 8) == pytest.approx(0.4)
    assert math.isnan(it.full_after(2, 9))
    assert math.isnan(it.dropped(0, 1))


# ---- the kernels -------------------------------------------------------------------------------------------------


def theirs(kernel: str, name: str, controller: str) -> Happened:
    found = RECORDED.happened(kernel, CASES[name], controller)
    assert found is not None
    return found


@pytest.mark.parametrize("kernel", ["6.1", "7.2"])
@pytest.mark.parametrize("controller", ["reno", "cubic", "bbr"])
def test_a_hold_costs_a_probe_and_its_timeouts_and_no_window(kernel: str, controller: str) -> None:
    """RFC 3522: the first ACK after the hold is for an original packet, and all reductions are undone."""
    for name, timeouts in (("hold-100kb-600ms", 1), ("hold-100kb-1200ms", 2), ("hold-100kb-3000ms", 3)):
        it = theirs(kernel, name, controller)
        assert it.again_s.size == 1 + timeouts
        (episode,) = (one for one in it.first.episodes if one.begin_s > 3)
        assert episode.kind == "loss"
        assert episode.after == pytest.approx(episode.before, abs=1)


def test_the_kernel_counts_what_it_undid() -> None:
    counters = pq.read_table(DATA / "linux" / "events-counters.parquet").to_pylist()
    found = {
        (row["kernel"], row["case"], row["controller"]): row["value"]
        for row in counters
        if row["counter"] == "TCPLossUndo"
    }
    for kernel in ("6.1", "7.2"):
        assert found[kernel, "hold-300kb-1200ms", "cubic"] == 1
        assert found[kernel, "silence-both-ways", "cubic"] == 1
        assert (kernel, "silence-one-way", "cubic") not in found


@pytest.mark.parametrize("kernel", ["6.1", "7.2"])
def test_a_shorter_path_costs_few_segments_only_with_timestamps(kernel: str) -> None:
    """About 66 packets are overtaken."""
    moment_s = CASES["reroute"].extra_delay[1][0]
    for controller in ("reno", "cubic", "bbr", "htcp", "hybla"):
        assert theirs(kernel, "reroute", controller).again(moment_s, moment_s + 0.2) <= 13
    assert theirs(kernel, "reroute-without-timestamps", "cubic").again(moment_s, moment_s + 0.2) > 60


@pytest.mark.parametrize("kernel", ["6.1", "7.2"])
def test_a_pause_takes_the_window_of_those_without_a_model_back(kernel: str) -> None:
    """RFC 5681, section 4.1; BBR is exempt."""
    for rtt in ("100ms", "600ms"):
        for controller in ("cubic", "reno"):
            first = [one.first_round for one in theirs(kernel, f"idle-{rtt}", controller).transfers]
            assert first == [10, 10, 10]
            kept = [one.first_round for one in theirs(kernel, f"idle-{rtt}-keep-window", controller).transfers]
            assert min(kept[1:]) > 50
        assert theirs(kernel, f"idle-{rtt}", "bbr").transfers[1].first_round > 50


def test_every_run_of_the_list_is_there() -> None:
    for case in CASES.values():
        assert case.rate_mbit_s == 10  # what a tick carries is reckoned with it
        assert RECORDED.kernels(case) == (["6.1", "7.2"] if case.newer else ["6.1"])
        for kernel in RECORDED.kernels(case):
            for controller in case.controllers:
                it = theirs(kernel, case.name, controller)
                assert it.first.time_s[-1] == pytest.approx(case.seconds)


# ---- our runs ----------------------------------------------------------------------------------------------------


def test_our_bottleneck_delays_each_packet_as_the_guests_does() -> None:
    """The generator is xoshiro256++ (Blackman and Vigna 2019), seeded by SplitMix64 (Steele, Lea and Flood 2014)."""
    mask = (1 << 64) - 1

    def fraction(state: int) -> float:
        words = []
        for _ in range(4):
            state = (state + 0x9E3779B97F4A7C15) & mask
            mixed = ((state ^ state >> 30) * 0xBF58476D1CE4E5B9) & mask
            mixed = ((mixed ^ mixed >> 27) * 0x94D049BB133111EB) & mask
            words.append(mixed ^ mixed >> 31)
        total = (words[0] + words[3]) & mask
        rotated = (total << 23 | total >> 41) & mask
        return ((rotated + words[0] & mask) >> 11) / 2**53

    for name in ("jitter-1", "jitter-2", "jitter-3"):
        case = CASES[name]
        assert case.jitter_ms is not None
        assert case.jitter_stream is not None
        stream = bp.Flow(kind="cbr", rate="100 kbit/s")
        network = _events.network(case, 0.0)
        run = bp.run(
            bp.Scenario(duration="1 s", seed=case.seed, network=network, flows=[stream], record=bp.Record(packets=True))
        )
        rows = run.packets.arrow.to_pylist()
        sent = {row["sequence"]: row["time_s"] for row in rows if row["event"] == "enqueue"}
        arrived = {row["sequence"]: row["time_s"] for row in rows if row["event"] == "deliver"}
        # The transmission of 1000 bytes at 10 Mbit/s, and half of a round trip.
        fixed_ms = 0.8 + case.rtt_ms / 2
        own_ms = [1e3 * (arrived[number] - sent[number]) - fixed_ms for number in range(5)]
        expected = [case.jitter_ms * fraction(case.jitter_stream + number) for number in range(5)]
        assert own_ms == pytest.approx(expected, abs=1e-5)


def test_a_hold_without_a_timeout_is_the_kernels() -> None:
    (planned,) = (
        one
        for one in _events.plan(Asked(data=DATA, controllers=["reno"], only=["hold-300kb-600ms"]))[0]
        if one.kernel == "6.1" and one.controller == "reno"
    )
    row = _events.row(planned, list(bp.run_many(planned.scenarios)), ())
    assert [cell.verdict for cell in row.cells if not cell.empty] == [Agreement.WITHIN] * 3


def test_transfers_of_one_connection_are_those_of_the_kernel_for_a_model_of_the_path() -> None:
    planned, _ = _events.plan(Asked(data=DATA, controllers=["bbr"], only=["idle-100ms"]))
    (one,) = (entry for entry in planned if entry.kernel == "6.1")
    row = _events.row(one, list(bp.run_many(one.scenarios)), ())
    judged = [cell for cell in row.cells if not cell.empty]
    assert len(judged) == 5
    assert {cell.verdict for cell in judged} == {Agreement.WITHIN}


def test_what_our_tcp_has_not_is_not_compared() -> None:
    case = replace(CASES["reroute"], keep_window=True, timestamps=False)
    assert _events.not_ours(CASES["reroute"]) is None
    assert _events.not_ours(case) in {None, *(key for _, _, key, _ in _events.SWITCHES)}
    assert set(_events.tcp(case)) == {"preset", "receive_window", *(key for _, _, key, _ in _events.SWITCHES)}


def test_the_command_compares_events(cli: Command) -> None:
    answer = cli("validate", "linux", "cubic", "--case", "transfer-100ms-100kb")
    assert answer.returncode == 0, answer.stderr
    assert "transfer-100ms-100kb, Linux 6.1" in answer.stdout
    answer = cli("validate", "linux", "--case", "nowhere")
    assert answer.returncode == 2
    assert "transfer-100ms-100kb" in answer.stderr
