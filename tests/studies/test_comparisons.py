# SPDX-License-Identifier: MIT OR Apache-2.0
"""Comparisons: intervals, deciding numbers, replaced flows, stored runs, and first looks."""

from __future__ import annotations

import csv
import io
import itertools
import json
import math
import re
import statistics
from pathlib import Path

import pytest

import bentpipe as bp
from bentpipe import _core
from bentpipe.base.stats import Estimate, t_quantile
from bentpipe.base.stats import relative_change as bp_change
from bentpipe.results.metrics import Asked, completion_least, read
from bentpipe.results.transfers import Transfers, completion_lines
from bentpipe.scenario.bench import Bench
from bentpipe.scenario.choice import Choice, choices
from project import ROOT, SMALL, Command

#: One flow that finishes and one that does not, without chance.
QUIET = """
name = "pages beside a download"
duration = "20 s"
[network.dumbbell]
rate = "5 Mbit/s"
rtt = "40 ms"
[[flows]]
name = "page"
controller = "reno"
count = 4
size = "200 kB"
start = "1 s"
stagger = "3 s"
[[flows]]
name = "download"
controller = "cubic"
"""
NOISY = SMALL.replace('rtt = "40 ms"', 'rtt = "40 ms", loss = { per = 1e-2 }')


# ---- intervals ---------------------------------------------------------------------------------------------------


def test_what_has_no_chance_has_no_interval() -> None:
    result = bp.compare(SMALL, ["reno", "cubic"], seeds=5)
    assert result.without_chance == {"reno", "cubic"}
    assert {name: len(runs) for name, runs in result.runs.items()} == {"reno": 2, "cubic": 2}, "two runs prove it"
    for name in result.controllers:
        assert result.estimate(name, "goodput_mbit_s").half_width == 0.0
        assert "±" not in result.estimate(name, "goodput_mbit_s").text(3)
    assert "±" not in result.change("cubic").text(1, "%")
    assert any("this scenario draws nothing at random" in note for note in result.notes)


def test_a_controller_that_draws_has_an_interval_in_the_same_scenario() -> None:
    result = bp.compare(QUIET, ["reno", "vivace"], seeds=3)
    assert result.without_chance == {"reno"}
    assert [len(result.runs[name]) for name in result.controllers] == [2, 3]
    ours, theirs = result.values("vivace", "goodput_mbit_s"), result.values("reno", "goodput_mbit_s")
    assert theirs == theirs[:1] * 3, "the same for every seed, run or not"
    changes = [100.0 * (a / b - 1.0) for a, b in zip(ours, theirs, strict=True)]
    change = result.change("vivace")
    assert change.mean == pytest.approx(statistics.mean(changes))
    assert change.half_width == pytest.approx(t_quantile(2) * statistics.stdev(changes) / math.sqrt(3))


def test_loss_by_chance_is_run_over_all_seeds() -> None:
    result = bp.compare(NOISY, ["reno", "cubic"], seeds=3)
    assert not result.without_chance
    assert not result.notes[1:], "only the queue is told of"
    assert result.estimate("reno", "loss_percent").half_width > 0.0


def test_one_seed_has_no_interval_and_nothing_is_infinite(cli: Command, tmp_path: Path) -> None:
    (tmp_path / "noisy.toml").write_text(NOISY)
    done = cli("compare", "noisy.toml", "--controllers", "reno,cubic", "--seeds", 1, "--for", "goodput")
    assert done.returncode == 0, done.stderr
    assert "one seed, so there is no interval" in done.stdout
    for wrong in ("±", "inf", "nan", "?"):
        assert wrong not in done.stdout


def test_an_estimate_in_print() -> None:
    assert Estimate(6.611, 0.0, 1).text(3) == "6.611"
    assert Estimate(6.611, math.inf, 1).text(3, "Mbit/s") == "6.611 Mbit/s"
    assert Estimate(6.611, 0.0004, 5).text(3) == "6.611 ± <0.001"
    assert Estimate(1.5, 0.25, 5).text(2, "%", sign=True) == "+1.50 ± 0.25 %"
    assert Estimate(math.nan, math.inf, 0).text(3) == "–"
    with pytest.raises(ValueError, match="a base of zero"):
        bp.relative_change([1.0, 2.0], [0.0, 0.0])


# ---- jitter of starts --------------------------------------------------------------------------------------------


def test_a_jitter_draws_starts_by_seed_and_alike_for_all_controllers() -> None:
    result = bp.compare(QUIET, ["reno", "bbr3"], seeds=2, jitter="40 ms")
    assert not result.without_chance
    assert any("jitter of starts: each flow starts up to 40 ms later" in note for note in result.notes)
    starts = {
        (name, run.provenance["seed"]): [flow["start_s"] for flow in run.summary["flows"]]
        for name, runs in result.runs.items()
        for run in runs
    }
    assert starts["reno", 1] == starts["bbr3", 1] != starts["reno", 2] == starts["bbr3", 2]
    for drawn in starts.values():
        late = [start - meant for start, meant in zip(drawn, [1, 4, 7, 10, 0], strict=True)]
        assert all(0.0 <= one <= 0.040 for one in late)
        assert len(set(late)) == 5, "every flow by itself"
    assert [flow["name"] for flow in result.runs["reno"][0].summary["flows"]][:2] == ["page 1", "page 2"]


def test_a_jitter_of_nothing_changes_nothing() -> None:
    plain = bp.compare(QUIET, ["reno"], seeds=1).runs["reno"][0]
    still = bp.compare(QUIET, ["reno"], seeds=1, jitter="0 s").runs["reno"][0]
    # The scenario is written differently (flow by flow), but the result is the same.
    without = {"identity": None}
    assert {**still.summary, "provenance": still.provenance | without} == {
        **plain.summary,
        "provenance": plain.provenance | without,
    }
    with pytest.raises(bp.ScenarioError, match="600 ms"):
        bp.compare(QUIET, ["reno"], seeds=1, jitter="soon")


def test_a_jitter_takes_what_a_run_takes() -> None:
    # Of four flows that are two seconds apart, the last would start at 6 s of 5 s. A stop at 3 s leaves out the third
    # of other flows. A download that starts 1 ms before the end is delayed beyond the end by up to 100 ms, depending on
    # the seed.
    text = """
duration = "5 s"
network.dumbbell = { rate = "10 Mbit/s", rtt = "60 ms" }
flows = [
    { controller = "cubic", count = 4, stagger = "2 s" },
    { name = "stops", controller = "cubic", count = 3, stagger = "2 s", stop = "3 s" },
    { name = "late", controller = "cubic", start = "4.999 s" },
]
"""
    never = [finding["flow"] for finding in bp.run(text).findings if finding["kind"] == "never-started"]
    assert never == [3]
    found = bp.compare(text, "reno,cubic", seeds=2, jitter="100 ms")
    for run in itertools.chain(*found.runs.values()):
        starts = [flow["start_s"] for flow in run.summary["flows"]]
        assert all(0.0 <= s - meant <= 0.1 for s, meant in zip(starts, [0, 2, 4, 6, 0, 2, 4, 4.999], strict=True))
        assert [flow["sent_packets"] > 0 for flow in run.summary["flows"]] == [
            *[True] * 3,
            False,
            *[True] * 2,
            *[False] * 2,
        ]
        told = {finding["flow"] for finding in run.findings if finding["kind"] == "never-started"}
        assert told == {3, 7}
    # A start that the user writes after the end is still refused.
    with pytest.raises(bp.ScenarioError, match="the flow starts at 6 s, but the run already ends after 5 s"):
        bp.run(text.replace('"4.999 s"', '"6 s"'))


# ---- replaced flows ----------------------------------------------------------------------------------------------


def test_controllers_are_written_with_their_parameters() -> None:
    (one, two, three), _ = choices("cubic{beta=0.8}, bbr3 ,cubic{slow_start=classic,beta = 0.5}")
    assert (one.key, one.table()) == ("cubic{beta=0.8}", {"name": "cubic", "beta": 0.8})
    assert two.table() == "bbr3"
    assert three.table() == {"name": "cubic", "slow_start": "classic", "beta": 0.5}
    assert Choice.of({"name": "cubic", "beta": 0.8}) == one == Choice.of("cubic{beta=0.8}")
    result = bp.compare(SMALL, ["cubic", {"name": "cubic", "beta": 0.8}, "cubic"], seeds=1)
    assert result.controllers == ("cubic", "cubic{beta=0.8}")
    assert "beta = 0.8" in result.runs["cubic{beta=0.8}"][0].scenario
    assert bp.compare(SMALL, "reno,cubic", seeds=1).controllers == ("reno", "cubic")


@pytest.mark.parametrize(
    ("asked", "code", "says"),
    [
        ("reno,renno", "controller-unknown", "reno"),
        ("reno,cubic{bta=1}", "parameter-unknown", "beta"),
        ("reno,cubic{beta=2}", "parameter-value", "0.95"),
        ("reno,cubic{beta=0.8", "parameter-value", "brace"),
        ("reno,cubic{beta}", "parameter-value", "key=value"),
        (" , ", "controller-unknown", "cubic,bbr3"),
    ],
)
def test_what_cannot_be_compared_is_refused_before_any_run(
    cli: Command, small: Path, tmp_path: Path, asked: str, code: str, says: str
) -> None:
    done = cli("compare", small, "--controllers", asked, "--out", "out")
    assert (done.returncode, done.stdout) == (2, "")
    assert f"error[{code}]: " in done.stderr
    assert says in done.stderr
    assert not (tmp_path / "out").exists()


def test_only_chosen_flows_are_replaced() -> None:
    result = bp.compare(QUIET, ["bbr3", "vegas"], seeds=1, flows="page")
    for name in ("bbr3", "vegas"):
        flows = result.runs[name][0].summary["flows"]
        assert [flow["controller"] for flow in flows] == [name] * 4 + ["cubic"]
        # 4 transfers of 1.6 Mbit do not overlap. Their goodput is computed over their durations.
        took = sum(float(flow["completed_at_s"] or math.inf) - flow["start_s"] for flow in flows[:4])
        assert result.estimate(name, "goodput_mbit_s").mean == pytest.approx(6.4 / took, rel=0.01)
        # The download is active for 20 s.
        whole = result.estimate(name, "others_goodput_mbit_s").mean * 20.0
        whole += result.estimate(name, "goodput_mbit_s").mean * took
        assert whole == pytest.approx(20.0 * float(result.runs[name][0].summary["totals"]["delivered_mbit_s"] or 0.0))
    assert bp.compare(QUIET, ["reno"], seeds=1, flows=["p*"]).asked.flows == {0, 1, 2, 3}
    with pytest.raises(bp.ScenarioError, match="there are: page, download"):
        bp.compare(QUIET, ["reno"], seeds=1, flows=["pgae"])


def test_a_flow_without_a_name_is_not_called_like_a_controller_that_it_does_not_have() -> None:
    two = SMALL.replace('[{ controller = "reno" }]', '[{ controller = "reno" }, { controller = "cubic" }]')
    assert bp.compare(two, ["bbr3"], seeds=1).flows == ["flow 1", "flow 2"]


# ---- deciding numbers --------------------------------------------------------------------------------------------


def test_completion_times_by_hand() -> None:
    result = bp.compare(QUIET, ["reno"], seeds=1)
    flows = result.runs["reno"][0].summary["flows"]
    times = sorted(flow["completed_at_s"] - flow["start_s"] for flow in flows if flow["name"] != "download")
    assert result.values("reno", "completion_median_s") == [times[1]], "nearest rank: the second of four"
    assert result.values("reno", "completion_p95_s") == [times[3]]
    assert result.values("reno", "finished_percent") == [100.0]


def test_a_transfer_that_is_not_done_takes_longer_than_all_that_are() -> None:
    def flow(index: int, done: float | None) -> dict[str, object]:
        return {"flow": index, "kind": "tcp", "start_s": 1.0, "completed_at_s": done}

    summary = {"flows": [flow(0, 3.0), flow(1, 2.0), flow(2, None)], "provenance": {"duration_s": 9.0}}
    asked = Asked(groups=(Transfers("page", "1 MB", frozenset({0, 1, 2})),))
    assert read("completion_median_s", summary, asked) == 2.0
    assert read("completion_p95_s", summary, asked) is None
    assert read("finished_percent", summary, asked) == pytest.approx(200 / 3)
    # The third transfer began at 1 s and lasted until 9 s. The second of three by rank took 2 s.
    assert completion_least("completion_p95_s", summary, asked) == 8.0
    assert completion_least("completion_median_s", summary, asked) == 2.0
    assert completion_lines(asked.groups, summary, 3) == [
        "completion of 3 × page (1 MB): 2 of 3 done, median 2.00 s, p95 > 8 s"
    ]


def test_goodput_is_while_active() -> None:
    """4 transfers of 200 kB have pauses. A longer run has no effect, and pauses do not count."""
    alone = QUIET[: QUIET.rindex("[[flows]]")]
    short, long = (bp.compare(alone, "reno", seeds=1, duration=duration) for duration in ("20 s", "60 s"))
    flows = short.runs["reno"][0].summary["flows"]
    active_s = sum(float(flow["completed_at_s"] or 0.0) - flow["start_s"] for flow in flows)
    assert active_s < 3.0
    # 4 transfers of 200 kB are 6.4 Mbit. At each end, a segment may be outside of the active time.
    assert short.values("reno", "goodput_mbit_s")[0] == pytest.approx(6.4 / active_s, rel=0.01)
    assert long.values("reno", "goodput_mbit_s") == pytest.approx(short.values("reno", "goodput_mbit_s"))
    # The download continues to the end.
    both = bp.compare(QUIET, "reno", seeds=1, flows=["download"])
    assert both.values("reno", "others_goodput_mbit_s")[0] > 1.0


def test_scenarios_have_a_table_each(cli: Command, tmp_path: Path) -> None:
    """A table has the title of its scenario, or the name of its file. No table compares scenarios."""
    untitled = re.sub(r"name = .*\n", "", NOISY, count=1)
    (tmp_path / "near.toml").write_text('name = "A near server"\n' + untitled)
    (tmp_path / "far.toml").write_text(untitled.replace('"40 ms"', '"120 ms"'))
    command = ("compare", "near.toml", "far.toml", "--controllers", "reno,cubic", "--seeds", 3)
    done = cli(*command, "--picture", "both.svg")
    assert done.returncode == 0, done.stderr
    titles = [line for line in done.stdout.splitlines() if "mean over 3 seeds" in line and ": mean" in line]
    assert [title.partition(": ")[0] for title in titles if "against" not in title] == ["A near server", "far"]
    assert "minus" not in done.stdout
    assert done.stdout.count("goodput against reno: the change is computed for each seed") == 2
    assert "A near server" in (tmp_path / "both.svg").read_text()
    near, far = json.loads(cli(*command, "--json").stdout)
    assert (near["scenario"], far["scenario"], near.keys()) == ("near", "far", far.keys())
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "far.toml").write_text(NOISY)
    twice = json.loads(cli("compare", "far.toml", "other/far.toml", *command[3:], "--json").stdout)
    assert [one["scenario"] for one in twice] == ["far.toml", "other/far.toml"]


def test_scenarios_differ_by_seed() -> None:
    """The difference of each seed is computed by hand. 4.303 is Student's t for two degrees of freedom (NIST)."""
    near, far = (bp.compare(NOISY.replace('"40 ms"', f'"{rtt} ms"'), "reno,cubic", seeds=3) for rtt in (40, 120))
    for name in ("reno", "cubic"):
        pairs = zip(far.values(name, "goodput_mbit_s"), near.values(name, "goodput_mbit_s"), strict=True)
        apart = [ours - theirs for ours, theirs in pairs]
        found = far.difference(near, name, "goodput_mbit_s")
        assert found.mean == pytest.approx(statistics.fmean(apart))
        assert found.half_width == pytest.approx(4.303 * statistics.stdev(apart) / math.sqrt(3.0))
    assert near.difference(near, "reno").text(3) == "0.000"
    with pytest.raises(bp.ArgumentError, match="bbr3"):
        near.difference(near, "bbr3")


def test_a_change_is_of_each_seed(cli: Command, tmp_path: Path) -> None:
    """10 against 5 and 5 against 10 are +100 % and -50 %. Their mean is +25 %, although the means are equal."""
    assert bp_change([10.0, 5.0], [5.0, 10.0]).mean == 25.0
    (tmp_path / "x.toml").write_text(NOISY)
    said = cli("compare", "x.toml", "--controllers", "reno,cubic", "--seeds", 3).stdout
    assert (
        "goodput against reno: the change is computed for each seed and then averaged; it is not the change of the "
        "means"
    ) in said
    assert "change of each seed" not in cli("compare", "x.toml", "--controllers", "reno,cubic", "--seeds", 1).stdout


def test_intervals_in_data_are_within_bounds(cli: Command, tmp_path: Path) -> None:
    """A run has about one loss, and some seeds have none, so the mean minus half the width is below 0.

    The mean of samples is not 0 if one sample is above 0, so no interval of such a mean reaches 0.
    """
    (tmp_path / "x.toml").write_text(NOISY.replace("1e-2", "1e-3"))
    command = ("compare", "x.toml", "--controllers", "vegas,westwood", "--json", "--seeds")
    means = json.loads(cli(*command, 4).stdout)["means"]
    wide = [row for row in means if row["loss_percent"] and row["loss_percent_high"] > 2.0 * row["loss_percent"]]
    assert wide, means
    assert all(0.0 < row["loss_percent_low"] < row["loss_percent"] for row in wide)
    two = json.loads(cli(*command, 2).stdout)["means"]
    drawn = [row for row in two if row["loss_percent"]]
    assert drawn, two
    assert all(row["loss_percent_low"] is None for row in drawn)


#: The download finishes in the warm-up. The other flow has no controller.
DONE_EARLY = """
duration = "10 s"
warm_up = "3 s"
network.dumbbell = { rate = "10 Mbit/s", rtt = "50 ms", loss = { per = 1e-3 } }
flows = [{ controller = "cubic", size = "1 MB" }, { kind = "cbr", rate = "2 Mbit/s", packet = "1000 B" }]
"""


def test_goodput_is_of_the_flows_that_are_compared(cli: Command, tmp_path: Path) -> None:
    def summary(*known: float | None) -> dict[str, object]:
        kinds = ("tcp", "tcp", "cbr")
        flows = [
            {"flow": at, "kind": kind, "start_s": start, "completed_at_s": None, "goodput_mbit_s": rate}
            for at, (kind, start, rate) in enumerate(zip(kinds, (0.0, 6.0, 0.0), known, strict=True))
        ]
        about = {"duration_s": 10.0, "warm_up_s": 2.0}
        return {"flows": flows, "totals": {"delivered_mbit_s": 9.0}, "provenance": about}

    # 8 s have 3 Mbit/s and the last 4 s have 4 Mbit/s. Over the 8 s after the warm-up, the goodput is 3 + 2.
    assert read("goodput_mbit_s", summary(3.0, 4.0, 2.0), Asked()) == 5.0
    assert read("goodput_mbit_s", summary(3.0, None, 2.0), Asked()) == 3.0
    assert read("goodput_mbit_s", summary(None, None, 2.0), Asked()) is None
    found = bp.compare(DONE_EARLY, "cubic,reno", seeds=2)
    assert found.values("cubic", "goodput_mbit_s") == []
    assert [place.rank for place in found.ranking("goodput")] == [0, 0]
    assert math.isnan(found.change("reno", "goodput_mbit_s").mean)
    (tmp_path / "early.toml").write_text(DONE_EARLY)
    asked = cli("which", "early.toml", "--controllers", "reno", "--for", "goodput", "--slow-starts", "own")
    assert asked.returncode == 2
    assert "no candidate has a score for goodput in early.toml: nothing-measured: flow" in asked.stderr
    # For another aim there is a score, and the finding is printed with the numbers.
    asked = cli(
        *("which", "early.toml", "--controllers", "reno", "--for", "completion", "--slow-starts", "own"),
        *("--trials", "0", "--seeds", "2"),
    )
    assert asked.returncode == 0, asked.stderr
    assert "finding: nothing-measured: flow" in asked.stderr
    (tmp_path / "early-sweep.toml").write_text(
        'base = "early.toml"\naxes = { "flows[0].controller" = ["cubic", "reno"] }\nseeds = { at_least = 2 }\n'
    )
    swept = cli("sweep", "early-sweep.toml", "--out", "swept", "--page")
    assert swept.returncode == 0, swept.stderr
    assert "goodput" not in swept.stdout
    assert "finding: nothing-measured: flow" in swept.stderr
    assert swept.stderr.count("finding: ") == 1
    assert "(the worst of 4 in 4 runs)" in swept.stderr
    page = (tmp_path / "swept" / "sweep.html").read_text()
    assert "finding: nothing-measured: flow" in page
    # The folder contains the findings, too.
    assert "(the worst of 4 in 4 runs)" in cli("sweep", "swept").stderr
    with pytest.raises(bp.ScenarioError, match="no point of this sweep has the number goodput_mbit_s"):
        bp.sensitivity(tmp_path / "swept")


def test_the_table_has_what_decides(cli: Command, tmp_path: Path) -> None:
    (tmp_path / "quiet.toml").write_text(QUIET)
    done = cli("compare", "quiet.toml", "--controllers", "reno,cubic{beta=0.8}", "--csv", "n.csv", "--windows", "w.svg")
    assert done.returncode == 0, done.stderr
    words = " ".join(done.stdout.split())
    for heading in ("median completion s", "p95 completion s", "p95 queueing delay ms", "loss %", "retransmitted %"):
        assert heading in words
    assert " cubic{beta=0.8} " in words
    assert "no queue is set, so the default is used: network.dumbbell.queue = 1 BDP (" in words
    assert '(a jitter of "' in words
    rows = list(csv.DictReader(io.StringIO((tmp_path / "n.csv").read_text())))
    assert [(row["controller"], row["seed"]) for row in rows] == [
        (name, seed) for name in ("reno", "cubic{beta=0.8}") for seed in ("1", "2")
    ]
    assert 0 < float(rows[0]["loss_percent"]) < 100
    assert ">cubic{beta=0.8}<" in (tmp_path / "w.svg").read_text()


@pytest.mark.parametrize("flows", ['[{ kind = "ping" }]', '[{ kind = "cbr", rate = "1 Mbit/s" }]'])
def test_without_a_tcp_flow_there_is_nothing_to_compare(cli: Command, small: Path, flows: str) -> None:
    small.write_text(small.read_text().replace('[{ controller = "reno" }]', flows))
    done = cli("compare", small, "--controllers", "reno,cubic")
    assert done.returncode == 2
    assert "neither a TCP flow nor an application" in done.stderr


def test_a_run_that_ends_before_anything_arrives_has_no_numbers(cli: Command, small: Path) -> None:
    small.write_text(small.read_text().replace("40 ms", "600 ms"))
    done = cli("compare", small, "--controllers", "reno,cubic", "--duration", "10 ms", "--for", "balanced")
    assert done.returncode == 0, done.stderr
    assert "0.000" not in done.stdout
    assert "finding: too-short" in done.stderr
    assert "no score: goodput is not known; p95 RTT is not known" in done.stdout


def test_the_order_for_an_aim() -> None:
    result = bp.compare(NOISY, ["reno", "bbr3", "cubic"], seeds=4)
    assert result.ranking("goodput")[0].controller == "bbr3"
    goodput = {name: result.values(name, "goodput_mbit_s") for name in result.controllers}
    for place in result.ranking("goodput"):
        assert place.score.mean == pytest.approx(statistics.mean(goodput[place.controller]))
        separated = place.behind.excludes(0.0)
        assert place.verdict == "the best" or separated == place.verdict.startswith("behind")
    assert "+1 × ln goodput in Mbit/s, -1 × ln p95 RTT in ms" in result.aim("balanced").said()
    with pytest.raises(bp.ScenarioError, match="completion"):
        result.ranking("completion")
    with pytest.raises(bp.ScenarioError, match="balanced"):
        result.ranking("speed")


def test_neighbours_whose_difference_may_be_zero_share_a_rank() -> None:
    # Both controllers repair the same two losses, so their difference is less than chance.
    result = bp.compare(NOISY, ["reno", {"name": "cubic", "beta": 0.7}, "cubic"], seeds=4)
    places = result.ranking("goodput")
    same = [place for place in places if place.controller.startswith("cubic")]
    assert same[0].rank == same[1].rank
    said = "the same number as cubic" if same[1].behind.half_width == 0.0 else "not separated from cubic by 4 seeds"
    assert same[1].verdict.startswith(said)


def test_wrong_names_in_python_name_the_right_ones() -> None:
    result = bp.compare(SMALL, ["reno"], seeds=1)
    with pytest.raises(bp.ScenarioError, match="goodput_mbit_s"):
        result.estimate("reno", "goodputt")
    with pytest.raises(bp.ScenarioError, match="there are reno"):
        result.estimate("cubic", "goodput_mbit_s")
    assert result.values("reno", "sent_mbit_s") == [result.runs["reno"][0].summary["totals"]["sent_mbit_s"]]


# ---- stored runs -------------------------------------------------------------------------------------------------


def test_a_comparison_goes_on_where_it_stopped(tmp_path: Path) -> None:
    out = tmp_path / "runs"
    first = bp.compare(NOISY, ["reno"], seeds=2, out=out)
    written = {file: file.stat().st_mtime_ns for file in out.rglob("summary.json")}
    again = bp.compare(NOISY, ["reno", "cubic{beta=0.8}"], seeds=3, out=out)
    assert (first.resumed, again.resumed) == (0, 2)
    assert {file: file.stat().st_mtime_ns for file in written} == written
    assert [run.summary for run in again.runs["reno"][:2]] == [run.summary for run in first.runs["reno"]]
    assert {folder.name for folder in out.iterdir()} == {
        f"{name}-s{seed}" for name in ("reno", "cubic-beta=0.8") for seed in (1, 2, 3)
    }
    # A run of another scenario or of another build is not used.
    assert bp.compare(NOISY, ["reno"], seeds=2, duration="1 s", out=tmp_path / "other").resumed == 0
    summary = out / "reno-s1" / "summary.json"
    told = json.loads(summary.read_text())
    told["provenance"]["identity"] = "that of another build"
    summary.write_text(json.dumps(told))
    assert bp.compare(NOISY, ["reno"], seeds=2, out=out).resumed == 1
    # A changed run is not overwritten without --force.
    with pytest.raises(bp.ScenarioError, match="folder-occupied"):
        bp.compare(NOISY, ["reno"], seeds=2, duration="1 s", out=out)
    assert bp.load(out / "reno-s1").provenance["duration_s"] != 1.0
    changed = bp.compare(NOISY, ["reno"], seeds=2, duration="1 s", out=out, force=True)
    assert changed.resumed == 0
    assert bp.load(out / "reno-s1").provenance["duration_s"] == 1.0


def test_files_are_found_from_the_folder_of_the_scenario(cli: Command, tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "trace").write_text("".join(f"{time}\n" for time in range(1, 2000, 2)))
    traced = SMALL.replace('rate = "5 Mbit/s"', 'trace = "trace"')
    (tmp_path / "sub" / "x.toml").write_text(traced)
    for file, out in (("sub/x.toml", "a"), (tmp_path / "sub" / "x.toml", "b")):
        command = ("compare", file, "--controllers", "reno,cubic", "--seeds", 2, "--out", out)
        done = cli(*command)
        assert done.returncode == 0, done.stderr
        assert "4 runs existed already" in cli(*command).stderr


# ---- a first look, and default values ----------------------------------------------------------------------------


@pytest.mark.parametrize("file", sorted((ROOT / "scenarios").rglob("*.toml")), ids=lambda file: file.stem)
def test_a_first_look_at_every_scenario(file: Path, cli: Command) -> None:
    done = cli("run", file, "--quick", "--json", cwd=ROOT)
    assert done.returncode == 0, done.stderr
    summary = json.loads(done.stdout)
    about = summary["provenance"]
    begun = max(about["warm_up_s"], *(flow["start_s"] for flow in summary["flows"]))
    assert about["duration_s"] == pytest.approx(begun + 10.0)
    assert re.search(rf"quick: {about['duration_s']:g} s instead of \d+ s", done.stderr)


@pytest.mark.parametrize(
    ("network", "says"),
    [
        # 1 Mbit/s for 120 ms are 15,000 bytes, or ten packets of 1,500 bytes.
        (
            'dumbbell = { rate = "1 Mbit/s", rtt = "120 ms" }',
            "network.dumbbell.queue = 1 BDP (10.0 packets, 15 kB, 120 ms)",
        ),
        ('dumbbell = { rate = "1 Mbit/s", rtt = "10 ms", queue = "9 packets" }', ""),
        # 1,000 packets of 1,500 bytes are 12 Mbit.
        (
            'dumbbell = { rate = "1 Mbit/s", rtt = "10 ms", queue = { discipline = "codel" } }',
            "network.dumbbell.queue = 1000 packets (1,500 kB, 12,000 ms)",
        ),
        ('chain = { links = 3, link = { rate = "1 Mbit/s", delay = "1 ms" } }', "network.chain.link.queue = unlimited"),
        (
            'starlink = { preset = "starlink-good", queue = { up = "9 packets" } }',
            "network.starlink.queue.down = 50000 packets (75,000 kB)",
        ),
    ],
)
def test_a_queue_that_nobody_chose_is_told(cli: Command, tmp_path: Path, network: str, says: str) -> None:
    (tmp_path / "x.toml").write_text(f'duration = "1 s"\nflows = [{{ controller = "reno" }}]\nnetwork.{network}\n')
    line = f"no queue is set, so the default is used: {says}\n"
    assert (line in cli("run", "x.toml").stdout) == bool(says)
    assert Bench(tmp_path / "x.toml").queue_line() == (line.strip() if says else "")


@pytest.mark.parametrize(
    ("network", "packet"),
    [
        ('dumbbell = { rate = "6 Mbit/s", rtt = "0 s" }', None),
        ('dumbbell = { rate = "10 Mbit/s", rtt = "1 ms" }', None),
        ('dumbbell = { rate = "100 kbit/s", rtt = "20 ms" }', None),
        ('dumbbell = { rate = "10 Mbit/s", rtt = "40 ms", queue = "10 kB" }', 65_000),
    ],
)
def test_a_queue_without_room_for_two_packets_is_warned_of(tmp_path: Path, network: str, packet: int | None) -> None:
    cbr = f'{{ kind = "cbr", rate = "1 Mbit/s", packet = "{packet} B" }}'
    flow = '{ controller = "reno" }' if packet is None else cbr
    file = tmp_path / "x.toml"
    file.write_text(f'duration = "5 s"\nflows = [{flow}]\nnetwork.{network}\n')
    warnings = [one for one in bp.run(file).warnings if "less than one packet" in one]
    assert len(warnings) == 1
    # The fix in the message works.
    file.write_text(file.read_text().replace(', queue = "10 kB"', "").replace('" }\n', '", queue = "20 packets" }\n'))
    assert not any("packet of" in one or "packets of" in one for one in bp.run(file).warnings)


def test_times_are_read_to_a_nanosecond() -> None:
    assert [_core.nanos(text) for text in ("1.5 s", "2 min", "600ms", "7 ns")] == [
        1_500_000_000,
        120 * 10**9,
        600 * 10**6,
        7,
    ]


def test_thousands_of_flows_are_printed_fast(cli: Command, small: Path) -> None:
    small.write_text(small.read_text().replace('controller = "reno"', 'controller = "reno", count = 3000'))
    done = cli("run", small, "--duration", "50 ms")
    assert done.returncode == 0, done.stderr
    assert len(done.stdout.splitlines()) < 60
    assert "2960 more flows (--csv, or summary.json in --out, lists all)" in done.stdout
