# SPDX-License-Identifier: MIT OR Apache-2.0
"""`bentpipe validate linux` and `ns2`: measures on synthetic windows, the rule, the traces, and the command."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import bentpipe as bp
from bentpipe.validation import Agreement, _beside, _linux, _ns2, _oracle, _ours, _recorded, _windows
from bentpipe.validation._beside import Cell, Measure, Reason
from bentpipe.validation._windows import Episode, Trace
from project import ROOT, Command

DATA = ROOT / "data"

# ---- measures: a perfect sawtooth --------------------------------------------------------------------------------

#: The round trip is 100 ms. The window grows by a segment per round trip from 50 to 100. Then a recovery of 200 ms
#: retransmits 3 segments: the period is 5.2 s. Before this, slow start doubles the window from 10 and ends at 160.
RTT_S, RECOVERY_S = 0.1, 0.2
FIRST_S = 0.4


def sawtooth(cycles: int) -> Trace:
    begins = [FIRST_S + n * (50 * RTT_S + RECOVERY_S) for n in range(cycles)]
    episodes = tuple(
        Episode("recovery", at, at + RECOVERY_S, 160.0 if n == 0 else 100.0, 50.0, 3) for n, at in enumerate(begins)
    )
    time_s = np.arange(0, begins[-1] + 50 * RTT_S + RECOVERY_S - 0.05, 0.1)

    def window(at: float) -> float:
        if at < FIRST_S - 1e-9:
            return float(10 * 2 ** (at / RTT_S))
        since = (at - FIRST_S + 1e-9) % (50 * RTT_S + RECOVERY_S)
        return 50.0 + max(0.0, since - RECOVERY_S) / RTT_S

    return Trace(
        time_s=time_s,
        cwnd=np.array([window(at) for at in time_s]),
        ssthresh=np.where(time_s < FIRST_S - 1e-9, np.nan, 50.0),
        srtt_ms=np.full(time_s.size, 1e3 * RTT_S),
        acked_bytes=time_s * 1e6 / 8,
        retransmissions=np.zeros(time_s.size),
        episodes=episodes,
    )


def test_a_sawtooth_has_the_numbers_it_was_drawn_with() -> None:
    trace = sawtooth(5)
    grown = _windows.growth(trace)
    assert (grown.gained, grown.rounds) == (pytest.approx(200), pytest.approx(200))
    assert _windows.growth(trace, to_the_end=True).per_round == pytest.approx(1)
    # Four cuts from 100 to 50, and the cut of slow start from 160.
    assert _windows.cut(trace) == 0.5
    assert _windows.peak(trace) == 100
    assert _windows.period(trace) == pytest.approx(5.2)
    assert _windows.exit_window(trace) == 160
    assert _windows.first_recovery(trace) == _windows.Recovery(pytest.approx(200), 3)
    assert _windows.mean_srtt(trace) == pytest.approx(100)
    assert _windows.goodput(trace) == pytest.approx(1)


def test_a_period_needs_three() -> None:
    assert math.isnan(_windows.period(sawtooth(3)))
    assert _windows.period(sawtooth(4)) == pytest.approx(5.2)


def test_rounds_count_the_round_trip_of_their_time() -> None:
    # 2 s at 100 ms and 2 s at 200 ms are 20 and 10 round trips.
    trace = sawtooth(2)
    slower = np.where(trace.time_s < 2, 100.0, 200.0)
    stepped = Trace(**{**vars(trace), "srtt_ms": slower})
    # The step is between two samples, so half of a sample may count on either side.
    assert stepped.rounds(0, 4) == pytest.approx(30, abs=0.3)


def test_a_trace_that_is_cut_off_has_an_open_episode() -> None:
    trace = sawtooth(2).until(0.5)
    assert len(trace.episodes) == 1
    assert math.isnan(_windows.first_recovery(trace).length_ms)
    assert math.isnan(_windows.cut(trace))
    assert _windows.exit_window(trace) == 160
    assert trace.time_s[-1] == pytest.approx(0.5)


def test_a_recovery_that_times_out_is_one_repair_and_no_cut() -> None:
    recovery = Episode("recovery", 1.0, 1.5, 100.0, 50.0, 4)
    timeout = Episode("loss", 1.5, 3.0, 50.0, 20.0, 7)
    trace = Trace(**{**vars(sawtooth(1)), "episodes": (recovery, timeout)})
    assert _windows.first_repair(trace) == Episode("loss", 1.0, 3.0, 100.0, 20.0, 11)
    assert math.isnan(_windows.cut(trace))
    assert _windows.growth(trace).rounds == 0


def test_recoveries_within_a_round_trip_are_one_repair_and_two_cuts() -> None:
    # Recoveries are 80 ms apart with a round trip of 100 ms. The next one is 120 ms later.
    ends = [(1.0, 1.4), (1.48, 1.8), (1.92, 2.0)]
    episodes = tuple(Episode("recovery", start, end, 100.0, 50.0, 1) for start, end in ends)
    trace = Trace(**{**vars(sawtooth(1)), "episodes": episodes})
    assert _windows.first_recovery(trace) == _windows.Recovery(pytest.approx(800), 2)
    assert _windows.cut(trace) == 0.5


def test_a_slow_start_that_ends_without_a_loss() -> None:
    trace = Trace(**{**vars(sawtooth(1)), "episodes": ()})
    assert _windows.exit_window(trace) == 50
    assert math.isnan(_windows.first_recovery(trace).length_ms)
    assert _windows.growth(trace).rounds == 0
    assert _windows.growth(trace, to_the_end=True).rounds > 0


# ---- the rule ----------------------------------------------------------------------------------------------------

TENTH = Measure(name="growth", unit="segments/RTT", read=lambda *_: (0, 0), judged=True)
TWICE = Measure(name="first recovery", unit="ms", read=lambda *_: (0, 0), judged=True, factor=True)
WHY = Reason(("reno",), ("growth",), ("20m-*",), "because of line 1 here and line 2 there")


@pytest.mark.parametrize(
    ("measure", "ours", "theirs", "verdict"),
    [
        (TENTH, 1.09, 1, Agreement.WITHIN),
        (TENTH, 0.89, 1, Agreement.OUTSIDE),
        (TWICE, 199, 100, Agreement.WITHIN),
        (TWICE, 51, 100, Agreement.WITHIN),
        (TWICE, 201, 100, Agreement.OUTSIDE),
        (TENTH, math.nan, 1, Agreement.OUTSIDE),
        (TENTH, 1, math.nan, Agreement.OUTSIDE),
        (TENTH, math.nan, math.nan, None),
    ],
)
def test_verdicts(measure: Measure, ours: float, theirs: float, verdict: Agreement | None) -> None:
    cell = Cell(measure, ours, theirs, judged=True)
    assert cell.verdict is verdict
    assert cell.fails is (verdict is Agreement.OUTSIDE)
    assert not Cell(measure, ours, theirs, judged=False).fails
    json.dumps(cell.record(), allow_nan=False)
    if verdict is Agreement.OUTSIDE:
        explained = Cell(measure, ours, theirs, judged=True, reason=WHY)
        assert explained.verdict is Agreement.EXPLAINED
        assert not explained.fails


def test_a_reason_that_nothing_needs_is_told() -> None:
    needed = Cell(TENTH, 2, 1, judged=True, reason=WHY)
    idle = Cell(TENTH, 1, 1, judged=True, reason=Reason(("reno",), ("cut",), ("*",), "an old story"))
    both = _beside.Beside("Linux", {"a": [_beside.Row("a", "reno", "reno", "", (needed, idle))]}, (TENTH,), "")
    assert [reason.text for reason in both.idle] == ["an old story"]
    assert "no number needs the reason “an old story…”" in both.summary()
    # Another case or controller may need the reason.
    part = replace(both, partial=True)
    assert not part.idle
    assert "no number needs" not in part.summary()
    assert not _recorded.Asked().partial
    for asked in (_recorded.Asked(quick=True), _recorded.Asked(only=["a"]), _recorded.Asked(controllers=["reno"])):
        assert asked.partial


@pytest.mark.parametrize(
    ("ours", "spread", "theirs", "verdict"),
    [
        (1.5, (0.9, 1.5), 1.0, Agreement.WITHIN),  # inside the range
        (1.5, (1.09, 1.5), 1.0, Agreement.WITHIN),  # its nearer end agrees
        (1.5, (1.12, 1.5), 1.0, Agreement.OUTSIDE),
        (0.5, (0.5, 0.88), 1.0, Agreement.OUTSIDE),
        (math.nan, None, 1.0, Agreement.OUTSIDE),
    ],
)
def test_a_number_that_hangs_on_packets_is_judged_by_its_range(
    ours: float, spread: tuple[float, float] | None, theirs: float, verdict: Agreement
) -> None:
    cell = Cell(TENTH, ours, theirs, judged=True, spread=spread)
    assert cell.verdict is verdict
    if spread is not None:
        assert f"({_beside.digits(spread[0], 3)} to " in cell.text({})
    assert " (" not in Cell(TENTH, 1.0, 1.0, judged=True, spread=(1.0, 9.0)).text({})


def test_the_second_flow_starts_later_in_our_other_runs() -> None:
    (case,) = (one for one in _oracle.cases(DATA) if one.name == "20m-100ms-two-flows")
    starts = [one.flows_start_s for one in _recorded._later(case)]
    assert starts[0] == (0, 10)
    assert starts[1:] == [(0, 10 + later_s) for later_s in _beside.LATER_S]
    assert len(set(starts)) == 1 + len(_beside.LATER_S)


def test_a_reason_excuses_only_what_it_names() -> None:
    assert WHY.covers("20m-100ms", "reno", "growth")
    assert not WHY.covers("100m-30ms", "reno", "growth")
    assert not WHY.covers("20m-100ms", "cubic", "growth")
    assert not WHY.covers("20m-100ms", "reno", "cut")


def test_growth_that_only_one_side_has_is_outside() -> None:
    trace = sawtooth(5)
    (growth,) = (one for one in _beside.WINDOWS if one.name == "growth")
    # A trace of three round trips has no growth, with or without the end.
    short = sawtooth(1).until(FIRST_S + RECOVERY_S + 3 * RTT_S)
    for pair in (growth.read(trace, short), growth.read(short, trace)):
        assert [math.isnan(one) for one in pair].count(True) == 1
        assert Cell(growth, *pair, judged=True).verdict is Agreement.OUTSIDE


def test_a_window_that_stands_still_has_no_growth() -> None:
    trace = sawtooth(5)
    (growth,) = (one for one in _beside.WINDOWS if one.name == "growth")
    assert growth.read(trace, trace) == (pytest.approx(1), pytest.approx(1))
    still = Trace(**{**vars(trace), "episodes": (), "cwnd": np.full(trace.time_s.size, 60.0)})
    assert all(map(math.isnan, growth.read(still, still)))


# ---- cases -------------------------------------------------------------------------------------------------------


def test_a_case_is_the_same_network_for_the_simulator() -> None:
    (case,) = (one for one in _oracle.cases(DATA) if one.name == "20m-delay-steps")
    text = _ours.scenario(case, {"name": "reno"}, _linux.tcp(case), 5).resolved()
    # The values are for one direction. The handshake before it takes 60 ms, and 60 bytes at 20 Mbit/s.
    assert '["15060.024 ms", "60 ms"]' in text
    for case in _oracle.cases(DATA):
        _ours.scenario(case, {"name": "reno"}, _linux.tcp(case), case.seconds).resolved()


def test_every_twin_is_in_the_catalogue_with_its_settings() -> None:
    (case, *_) = _oracle.cases(DATA)
    for other in (_linux.LINUX, _ns2.NS2):
        for twin in other.twins.values():
            _ours.scenario(case, twin.controller(paced=False) or {}, twin.tcp or other.tcp(case), 1).resolved()


def test_an_episode_of_the_simulator_lasts_until_all_before_it_is_acknowledged() -> None:
    # One packet is lost. It is retransmitted when three later packets are known to have arrived. A round trip later its
    # ACK arrives and covers all packets that were sent before: 100 ms.
    case = _oracle.Case(
        name="one", rate_mbit_s=100, rtt_ms=100, queue_packets=1000, seconds=3, order=1, lost_packets=(60,)
    )
    run = bp.run(_ours.scenario(case, {"name": "reno"}, _linux.tcp(case), 3))
    trace = _ours.trace(run, case, _linux.tcp(case))
    (episode,) = trace.episodes
    assert episode.kind == "recovery"
    assert episode.retransmissions == 1
    assert episode.end_s - episode.begin_s == pytest.approx(0.1, abs=0.02)
    # RFC 5681: the window becomes half of the data in flight.
    assert episode.after == pytest.approx(episode.before / 2, rel=0.1)
    assert trace.time_s[:3] == pytest.approx([0.1, 0.2, 0.3], abs=1e-4)


# ---- the kernel's traces -----------------------------------------------------------------------------------------

CHEAP = ("reno", "cubic", "htcp")


def test_avoidance_cut_and_goodput_under_listed_losses_are_the_kernels() -> None:
    asked = _recorded.Asked(controllers=CHEAP, only=["20m-100ms-losses"], quick=True)
    result = _recorded.compare(_linux.LINUX, asked)
    assert {row.controller for row in result.rows["20m-100ms-losses"]} == set(CHEAP)
    judged = [cell for _, cell in result.cells if cell.judged and not cell.empty]
    assert len(judged) == 4 * len(CHEAP)
    assert all(cell.verdict is Agreement.WITHIN for cell in judged), result.failures


# ---- the command -------------------------------------------------------------------------------------------------


def test_without_traces_it_says_where_they_are(cli: Command, tmp_path: Path) -> None:
    for other in ("linux", "ns2"):
        answer = cli("validate", other, "--data", tmp_path)
        assert answer.returncode == 2
        assert "error[traces-missing]" in answer.stderr
        assert str(tmp_path) in answer.stderr
        assert "--data DIR" in answer.stderr


def test_wrong_words_are_refused(cli: Command) -> None:
    answer = cli("validate", "linux", "--case", "nowhere")
    assert answer.returncode == 2
    assert '"nowhere"' in answer.stderr
    assert "20m-100ms" in answer.stderr
    answer = cli("validate", "linux", "no-such-controller")
    assert answer.returncode == 2
    answer = cli("validate", "reno", "--case", "20m-100ms")
    assert answer.returncode == 2
    assert "--case" in answer.stderr


def test_linux_prints_a_table_and_draws(cli: Command, tmp_path: Path) -> None:
    words = ("validate", "linux", "reno", "--quick", "--case", "20m-100ms-losses", "--pictures", "pictures")
    answer = cli(*words, "--markdown", "page.md")
    assert answer.returncode == 0, answer.stderr
    assert "ours / Linux" in answer.stdout
    page = (tmp_path / "page.md").read_text()
    assert "### 20m-100ms-losses" in page
    assert "(pictures/linux-20m-100ms-losses.png)" in page
    assert sorted(place.name for place in (tmp_path / "pictures").iterdir()) == [
        "linux-20m-100ms-losses-recovery.png",
        "linux-20m-100ms-losses.png",
    ]
    rows = json.loads(cli(*words[:-2], "--json").stdout)["rows"]
    assert rows[0]["controller"] == "reno"
    assert rows[0]["measures"][0]["measure"] == "growth"


def test_ns2s_agents_are_judged_and_its_modules_under_losses_shown(cli: Command) -> None:
    answer = cli("validate", "ns2", "linux-reno", "sack1", "--quick", "--case", "20m-100ms-losses")
    assert answer.returncode == 0
    assert "ours / ns-2" in answer.stdout
    # The judged numbers of sack1 are retransmissions, drops, timeouts and goodput.
    assert "4 numbers judged: 4 within" in answer.stderr


def test_what_of_ns2_is_judged() -> None:
    by_name = {case.name: case for case in _oracle.cases(DATA)}
    lossless, lossy = by_name["20m-100ms"], by_name["20m-100ms-losses"]
    assert _ns2.judges(lossy, "sack1", "drops")
    assert _ns2.judges(lossless, "linux-cubic", "goodput")
    assert not _ns2.judges(lossless, "linux-cubic", "drops")
    assert not _ns2.judges(lossy, "linux-cubic", "goodput")
    assert not _ns2.judges(lossless, "vegas", "goodput")
    # The split between two flows depends on single packets. Their sum does not.
    assert not _ns2.judges(by_name["20m-100ms-two-flows"], "sack1", "timeouts")
    assert _ns2.judges(by_name["20m-100ms-two-flows"], "sack1", "goodput")
