# SPDX-License-Identifier: MIT OR Apache-2.0
"""Numbers of applications' users in comparisons: which flows are replaced, what counts, and which aims there are."""

from __future__ import annotations

from pathlib import Path

import pytest

import bentpipe as bp
from bentpipe.results.metrics import Asked, There, read
from bentpipe.results.rank import Aim, aim, ranking
from bentpipe.show.pictures.which import axes
from project import Command
from silent_controller import FALLS_SILENT

#: Web pages and a voice call, with a download at the same time.
PAGES = """
name = "pages beside a download"
duration = "10 s"
network.dumbbell = { rate = "5 Mbit/s", rtt = "60 ms", queue = "2 BDP" }

[[flows]]
name = "web"
kind = "web"
controller = "reno"
users = 3
think = { law = "exponential", mean = "1 s" }
page = { objects = 4, size = "20 kB", stages = 2 }

[[flows]]
name = "download"
controller = "cubic"

[[flows]]
name = "call"
kind = "call"
"""
#: Only transfers, at regular times.
CLOCK = """
name = "clock"
duration = "6 s"
network.dumbbell = { rate = "5 Mbit/s", rtt = "60 ms", queue = "2 BDP" }
flows = [{ kind = "transfers", controller = "reno", size = "20 kB", arrivals = { law = "regular", rate = 4 } }]
"""


def _flow(index: int, kind: str, begun: int, p95: float, done: float) -> dict[str, object]:
    every = {"done_ratio": done, "took_s": {"p50": 1.0, "p95": p95}}
    return {"flow": index, "kind": kind, "visits": {"begun": begun, "all": every}}


def test_several_flows_count_by_their_visits() -> None:
    summary = {"flows": [_flow(0, "web", 30, 2.0, 1.0), _flow(1, "transfers", 10, 6.0, 0.5)]}
    # (30 x 2 + 10 x 6) / 40 and (30 x 100 % + 10 x 50 %) / 40.
    assert read("visit_p95_s", summary, Asked()) == 3.0
    assert read("visits_done_percent", summary, Asked()) == 87.5
    assert read("page_p95_s", summary, Asked()) == 2.0
    assert read("visit_p95_s", summary, Asked(frozenset({1}))) == 6.0
    assert read("stalled_percent", summary, Asked()) is None


def test_without_a_visit_that_was_done_there_is_no_time_and_no_score() -> None:
    # A round trip is 600 ms and a transfer takes two, so transfers that begin in the last 300 ms do not finish.
    short = """
duration = "10 s"
warm_up = "9.7 s"
network.dumbbell = { rate = "10 Mbit/s", rtt = "600 ms" }
flows = [{ kind = "transfers", controller = "cubic", size = "20 kB", arrivals = { law = "regular", rate = 10 } }]
"""
    result = bp.compare(short, "cubic,reno", seeds=2)
    assert result.values("cubic", "visits_done_percent") == [0.0, 0.0]
    for key in ("visit_median_s", "visit_p95_s", "first_byte_p95_s"):
        assert result.values("cubic", key) == [], key
    places = result.ranking("visits")
    assert [(place.rank, place.score.text(3)) for place in places] == [(0, "–"), (0, "–")]
    assert places[0].verdict == "no score: no visit that began after the warm-up finished"
    # If one of two flows finished visits, both count: (30 x 2 s + 10 x 10 s) / 40. The second one counts the whole run.
    flows = [_flow(0, "web", 30, 2.0, 1.0), _flow(1, "transfers", 10, 10.0, 0.0)]
    assert read("visit_p95_s", {"flows": flows}, Asked()) == 4.0
    assert read("visit_p95_s", {"flows": flows[1:]}, Asked()) is None


def test_percentiles_of_several_applications_are_said_to_be_a_mean() -> None:
    two = PAGES.replace('kind = "web"', 'kind = "web"\ncount = 2')
    said = "each percentile of visits is a mean over these flows"
    assert any(said in note for note in bp.compare(two, "reno", seeds=1, duration="2 s").notes)
    assert not any(said in note for note in bp.compare(PAGES, "reno", seeds=1, duration="2 s").notes)


def test_a_call_of_which_nothing_is_heard_is_no_good_one() -> None:
    heard = {"sent_packets": 9, "frames": 9, "missed_ratio": 0.1, "one_way_delay_ms": {"p95": 50.0}}
    deaf = {"sent_packets": 9, "frames": 9, "missed_ratio": 1.0, "one_way_delay_ms": None, "voice": None}
    calls = [
        {"kind": "call", "flow": at, "call": {"profile": "voice", "worse": "back", "back": way}}
        for at, way in enumerate([heard | {"voice": {"r": 80.0}}, deaf])
    ]
    assert read("call_missed_percent", {"flows": calls}, Asked()) == pytest.approx(55)
    assert read("call_r", {"flows": calls}, Asked()) == 40
    assert read("call_p95_ms", {"flows": calls}, Asked()) is None
    assert read("call_p95_ms", {"flows": calls[:1]}, Asked()) == 50


def test_controllers_of_applications_are_compared() -> None:
    result = bp.compare(PAGES, "reno,bbr3", seeds=2, duration="5 s")
    flows = [flow["controller"] for flow in result.runs["bbr3"][0].summary["flows"]]
    assert flows == ["bbr3", "bbr3", None]
    keys = [metric.key for metric in result.metrics]
    for key in ("goodput_mbit_s", "visit_p95_s", "visits_done_percent", "call_r", "loss_percent"):
        assert key in keys
    assert "page_p95_s" not in keys, "all visits are pages: it says the same"
    every = result.runs["reno"][0].summary["flows"][0]["visits"]["all"]
    assert result.values("reno", "page_p95_s")[0] == result.values("reno", "visit_p95_s")[0] == every["took_s"]["p95"]
    only = bp.compare(PAGES, "bbr3", seeds=1, flows="web", duration="2 s")
    assert [flow["controller"] for flow in only.runs["bbr3"][0].summary["flows"]] == ["bbr3", "cubic", None]
    assert result.plot().axes


def test_who_finishes_few_is_not_ahead() -> None:
    result = bp.compare(CLOCK, f"reno,{FALLS_SILENT}", seeds=1)
    # The few visits that finished were quick.
    own = result.runs[FALLS_SILENT][0].summary["flows"][0]["visits"]
    assert own["took_s"]["p50"] < 1.0
    assert result.values(FALLS_SILENT, "visit_p95_s") == [6.0], "as though they took all of the run"
    assert result.values(FALLS_SILENT, "visits_done_percent")[0] < 50
    places = result.ranking("visits")
    assert [place.controller for place in places] == ["reno", FALLS_SILENT]
    assert places[1].rank == 2


def test_what_balanced_is_of_the_flows_that_are_there() -> None:
    def terms(**there: object) -> list[str]:
        return [key for key, _ in aim("balanced", There(**there)).terms]  # type: ignore[arg-type]

    web = frozenset({"web"})
    assert terms(tcp=2) == ["goodput_mbit_s", "rtt_p95_ms", "jain_index"]
    assert terms(tcp=2, transfers=2) == ["rtt_p95_ms", "completion_median_s"]
    assert terms(applications=web) == ["rtt_p95_ms", "visit_median_s"]
    assert terms(tcp=1, applications=web) == ["goodput_mbit_s", "rtt_p95_ms", "visit_median_s"]


def test_shares_that_may_be_nothing_are_weighed_by_what_is_left() -> None:
    stalls = Aim("stalls=2", (("stalled_percent", -2.0),), logarithmic=True)
    # ln 0.75 is from a table of logarithms.
    assert stalls.score({"stalled_percent": 25.0}) == pytest.approx(2 * -0.28768, abs=1e-4)
    assert stalls.score({"stalled_percent": 0.0}) == 0
    assert stalls.score({"stalled_percent": 100.0}) is None
    assert "+2 × ln (100 % - films stalled)" in stalls.said()


def test_the_picture_has_what_the_aim_is_about() -> None:
    def drawn(*terms: str, ends: bool = False) -> tuple[str, ...]:
        return tuple(one.key for one in axes(terms, ends=ends))

    assert drawn("goodput_mbit_s", "rtt_p95_ms") == ("goodput_mbit_s", "rtt_p95_ms")
    assert drawn("goodput_mbit_s", "rtt_p95_ms", "jain_index") == ("goodput_mbit_s", "rtt_p95_ms")
    assert drawn("goodput_mbit_s") == ("goodput_mbit_s", "queueing_p95_ms")
    assert drawn("queueing_p95_ms") == ("goodput_mbit_s", "queueing_p95_ms")
    assert drawn("queueing_p95_ms", ends=True) == ("completion_median_s", "queueing_p95_ms")
    assert drawn("rtt_p95_ms", "completion_median_s", ends=True) == ("completion_median_s", "rtt_p95_ms")
    assert drawn("completion_median_s", "completion_p95_s", ends=True) == ("completion_median_s", "completion_p95_s")
    assert drawn("completion_median_s", ends=True) == ("completion_median_s", "queueing_p95_ms")
    assert drawn("goodput_mbit_s", "others_goodput_mbit_s") == ("goodput_mbit_s", "others_goodput_mbit_s")
    assert drawn("page_median_s", "page_p95_s") == ("page_median_s", "page_p95_s")
    assert drawn("goodput_mbit_s", "visit_median_s", "visit_p95_s") == ("goodput_mbit_s", "visit_p95_s")
    assert drawn("stalled_percent") == ("film_mbit_s", "stalled_percent")
    assert drawn("call_missed_percent") == ("goodput_mbit_s", "call_missed_percent")


def test_which_for_visits_over_a_range() -> None:
    text = CLOCK.replace('queue = "2 BDP"', 'queue = ["0.5 BDP", "4 BDP"]')
    answer = bp.which(text, FALLS_SILENT, aim="visits", slow_starts="own", trials=0, seeds=2)
    assert answer.taken is answer.default, "the one that stops is no better"
    assert len(answer.cases) == 5
    reported = [one.numbers["visit_p95_s"].mean for one in answer.standings if one.candidate.key == FALLS_SILENT]
    raced = [one.numbers["visit_p95_s"] for one in answer.beaten if one.candidate.key == FALLS_SILENT]
    assert reported + raced == [6.0]
    weighed = bp.which(CLOCK, "reno", aim={"visits": 1, "delay": 0.5}, slow_starts="own", trials=0, seeds=2)
    assert "visit" in weighed.question.aim.said()
    assert any("visits done" in line for line in bp.which(
        CLOCK, "reno", aim="visits", slow_starts="own", trials=0, seeds=2
    ).lines())  # fmt: skip


def test_friendliness_of_an_application_is_towards_a_flow_beside_it() -> None:
    answer = bp.which(CLOCK, "reno", aim="friendliness", slow_starts="own", trials=0, seeds=2)
    # 20 kB four times a second are 0.64 Mbit/s. CUBIC gets the rest of 5 Mbit/s.
    assert answer.default.numbers["goodput_mbit_s"].mean == pytest.approx(0.64, rel=0.1)
    assert answer.default.numbers["others_goodput_mbit_s"].mean > 3


def test_sweeps_know_them_and_sensitivity_takes_them_apart(tmp_path: Path) -> None:
    (tmp_path / "clock.toml").write_text(CLOCK)
    swept = bp.sweep(
        {
            "base": str(tmp_path / "clock.toml"),
            "axes": {"network.dumbbell.rtt": ["60 ms", "600 ms"], "flows[0].size": ["5 kB", "20 kB"]},
            "seeds": {"at_least": 2, "until": {"of": "visit_p95_s", "half_width": "5 %", "at_most": 4}},
        }
    )
    assert "visit_p95_s" in swept.shown
    assert "visits_done_percent" in swept.shown
    # A visit takes at least two round trips.
    assert all(took >= (1.2 if rtt == 600 else 0.12) for rtt, took in
               zip(swept.runs["rtt_ms"], swept.runs["visit_median_s"], strict=True))  # fmt: skip
    found = bp.sensitivity(swept, "visit_p95_s")
    assert next(iter(found.shares)) == "rtt_ms"
    assert found.words.startswith("rtt_ms explains most of visit_p95_s")
    assert swept.plots()["pareto"].axes[0].get_xlabel() == "p95 visit (s), less is better"


def test_a_league_of_applications(tmp_path: Path) -> None:
    suite = tmp_path / "suite"
    suite.mkdir()
    (suite / "clock.toml").write_text(CLOCK)
    result = bp.league(suite, controllers=f"reno,{FALLS_SILENT}", seeds=2, aim="visits", out=tmp_path / "out")
    assert result.aims == ["visits", "balanced", "delay"]
    assert result.order == ["reno", FALLS_SILENT]
    page = (tmp_path / "out" / "index.html").read_text()
    assert "1 divided by the mean of median and p95 time of a visit" in page
    assert "p95 visit" in (tmp_path / "out" / "scenarios" / "clock.html").read_text()
    (suite / "competition").mkdir()
    (suite / "competition" / "bed.toml").write_text(CLOCK)
    with pytest.raises(bp.ScenarioError, match=r"two TCP flows.*applications \(transfers\)"):
        bp.league(suite, controllers="reno", seeds=2)


@pytest.mark.parametrize(
    ("text", "words", "said"),
    [
        (
            CLOCK,
            ["--for", "page-load"],
            "no flow loads pages: pages need a flow of kind web; the selected flows are kind transfers",
        ),
        (CLOCK, ["--for", "stalls"], "aims that fit them: goodput, delay, visits, balanced"),
        (CLOCK, ["--for", "completion"], "completion times need a TCP flow with a `size`"),
        (CLOCK, ["--for", "calls"], "no flow is a call"),
        (
            PAGES,
            ["--for", "page-load", "--flows", "download"],
            "the selected flows are TCP flows without a size, kind call",
        ),
        (PAGES, ["--flows", "call"], 'no TCP flow or application is called "call" (there are: web, download)'),
    ],
)
def test_what_an_aim_needs_is_said(text: str, words: list[str], said: str, cli: Command, tmp_path: Path) -> None:
    (tmp_path / "a.toml").write_text(text.replace('"10 s"', '"1 s"'))
    for command in ("which", "compare"):
        done = cli(command, "a.toml", "--controllers", "reno", *words)
        assert done.returncode == 2, done.stdout + done.stderr
        assert said in done.stderr
    weights = cli("which", "a.toml", "--controllers", "reno", "--for", "goodput=1,quality=1")
    assert weights.returncode == 2
    assert "no flow plays films" in weights.stderr


@pytest.mark.parametrize(
    ("size", "warm_up", "why"),
    [
        # 50 kB finish in 0.19 s, so the completion time is known. After 6 s there is no segment to measure an RTT.
        ("50 kB", "6 s", "no score: p95 RTT is not known"),
        # 10 MB take at least 8 s at 10 Mbit/s, and the run has 7 s. So only the RTT is known.
        ("10 MB", "1 s", "no score: transfers were not finished in time"),
    ],
)
def test_what_a_score_lacks_is_told_as_it_is(size: str, warm_up: str, why: str) -> None:
    scenario = f"""
duration = "7 s"
warm_up = "{warm_up}"
network.dumbbell = {{ rate = "10 Mbit/s", rtt = "60 ms" }}
flows = [{{ controller = "cubic", size = "{size}" }}]
"""
    result = bp.compare(scenario, "reno,cubic", seeds=2)
    assert [place.verdict for place in result.ranking("balanced")] == [why, why]


def test_a_number_without_a_logarithm_and_single_seeds_are_told() -> None:
    class Found:
        controllers = ("reno",)
        without_chance: frozenset[str] = frozenset()

        def by_seed(self, _: str, metric: str) -> dict[int, float | None]:
            return {"goodput_mbit_s": {1: 0.0, 2: 4.0}, "rtt_p95_ms": {1: None, 2: None}}[metric]

    wanted = aim("balanced", There(tcp=1))
    (place,) = ranking(Found(), wanted)
    assert place.verdict == "no score: goodput is 0 Mbit/s in 1 of 2 seeds; p95 RTT is not known"
