# SPDX-License-Identifier: MIT OR Apache-2.0
"""The league: its suite, its runs, its ranks computed by hand, and its site in a browser."""

from __future__ import annotations

import csv
import html.parser
import json
import math
import shutil
import subprocess
import tomllib
from pathlib import Path

import jsonschema
import pytest
from test_which import RAINY

import bentpipe as bp
import needs
from balances import holds_what_the_links_can
from bentpipe import _core
from bentpipe._league import _ranks, _suite
from bentpipe._league._markdown import rows_of, sentences
from bentpipe._league._matches import Line
from bentpipe._league._standings import Score, standings
from bentpipe.scenario.choice import Choice
from bentpipe.show.viewer.picture import BROWSERS
from project import Command
from waiting import HANG_S

SUITE = _suite.read(quick=True)
EVERY = [*SUITE.arenas, *SUITE.beds]
NAMES = [arena.name for arena in SUITE.arenas]

LOSSY = """# SPDX-License-Identifier: MIT OR Apache-2.0
# Asks: Does it stand <b>losses</b>?
#   On a short path.
# From: nowhere.
name = "Lossy & short"
duration = "2 s"
network.dumbbell = { rate = "5 Mbit/s", rtt = "40 ms", loss = { per = 1e-2 } }
flows = [{ controller = "reno" }]
"""
QUIET = """
name = "Quiet"
duration = "2 s"
network.dumbbell = { rate = "5 Mbit/s", rtt = "40 ms" }
flows = [{ name = "file", controller = "reno", size = "200 kB" }, { name = "cross", controller = "reno" }]
"""
BED = """
name = "Two"
duration = "3 s"
network.dumbbell = { rate = "5 Mbit/s", rtt = "40 ms", loss = { per = 1e-3 } }
flows = [{ name = "first", controller = "reno" }, { name = "second", controller = "reno" }]
"""
TABLES = ("runs.csv", "ranks.csv", "competition.csv")


@pytest.fixture
def tiny(tmp_path: Path) -> Path:
    """A suite that runs in no time, with other files next to its scenarios."""
    folder = tmp_path / "tiny"
    (folder / "competition").mkdir(parents=True)
    (folder / "lossy.toml").write_text(LOSSY)
    (folder / "quiet.toml").write_text(QUIET)
    (folder / "README.md").write_text("What this suite is for.")
    (folder / "competition" / "two.toml").write_text(BED)
    return folder


# ---- the shipped suite ---------------------------------------------------------------------------------------------


def test_the_suite_asks_what_a_league_has_to_ask() -> None:
    assert len(SUITE.arenas) >= 24
    assert [bed.name for bed in SUITE.beds] == ["geo", "leo"]
    for kind in ("geo-", "meo-", "leo-", "terrestrial"):
        assert any(name.startswith(kind) for name in NAMES)
    shapes = {tuple(arena.bench.written["network"].get("constellation", {}).items())[:1] for arena in SUITE.arenas}
    presets = {value for shape in shapes for _, value in shape}
    assert {"iridium", "telesat", "oneweb", "starlink", "o3b", "hypatia-kuiper-630"} <= presets


@pytest.mark.parametrize("arena", EVERY, ids=lambda arena: arena.name)
def test_a_scenario_says_what_it_asks_and_runs_in_a_first_look(arena: _suite.Arena) -> None:
    assert arena.about["Asks"].endswith("?")
    assert len(arena.about["From"]) > 60
    assert arena.bench.text.startswith("# SPDX-License-Identifier: ")
    jsonschema.validate(tomllib.loads(arena.bench.text), json.loads(_core.scenario_schema()))
    point = arena.point([Choice("hybla")])
    run = bp.run(point.text, seed=arena.seed(1), duration=arena.duration)
    holds_what_the_links_can(run)
    ours = [flow for flow in run.summary["flows"] if flow["controller"] == "hybla"]
    assert len(ours) == arena.there.tcp
    assert all(flow["delivered_packets"] for flow in ours)


def test_a_copy_of_the_suite_can_be_changed(cli: Command, tmp_path: Path) -> None:
    assert cli("league", "--copy-suite", "mine").returncode == 0
    copied = _suite.read([tmp_path / "mine"])
    assert [arena.name for arena in copied.arenas] == NAMES
    again = cli("league", "--copy-suite", "mine")
    assert again.returncode == 2
    assert "it exists" in again.stderr


# ---- ranks, by hand ------------------------------------------------------------------------------------------------


def test_chance_of_a_mean_over_scenarios() -> None:
    # Scenario 1 has seeds with 1 and 3: mean 2, variance 2, variance of the mean 1. Scenario 2 has no chance: 4. The
    # mean of both is 3 with variance (1 + 0) / 2² = 1/4, and the one degree of freedom of scenario 1. t(1) = tan(0.95
    # π/2) = 12.706.
    found = _ranks.by_chance([[1.0, 3.0], [4.0]])
    assert found.mean == 3.0
    assert found.half_width == pytest.approx(12.706 / 2, rel=1e-4)
    # With two equal scenarios, the variances of the means are 1 and 1, so 2 / 2² = 1/2, and 2 degrees: t(2) = 4.303.
    found = _ranks.by_chance([[1.0, 3.0], [5.0, 7.0]])
    assert found.half_width == pytest.approx(4.303 * math.sqrt(0.5), rel=1e-3)
    assert _ranks.by_chance([[1.0], [2.0]]).half_width == 0.0


def test_scenarios_as_a_sample() -> None:
    # The means are 1, 2 and 3: mean 2, standard deviation 1, 1/√3 for the mean; t(2) = 4.303.
    found = _ranks.over_scenarios([[0.0, 2.0], [2.0], [3.0]])
    assert (found.mean, found.samples) == (2.0, 3)
    assert found.half_width == pytest.approx(4.303 / math.sqrt(3), rel=1e-3)


def test_ranges_of_ranks() -> None:
    # a - b is 2 and 4 in scenario 1, and 3 in scenario 2: mean 3, standard error 1/2, one degree. With three
    # controllers, each interval has the level 1 - 0.05/2: t(1) = tan(0.975 π/2) = 25.45, so 3 ± 12.7 contains 0. a - c
    # and b - c have no chance.
    scores = {"c": [[0.0, 0.0], [0.0]], "b": [[20.0, 20.0], [20.0]], "a": [[22.0, 24.0], [23.0]]}
    found = _ranks.ranks(scores)
    assert list(found) == ["a", "b", "c"]
    assert str(found["a"]) == "1 (1 to 2)"
    assert str(found["b"]) == "2 (1 to 2)"
    assert found["b"].tied == ("a",)
    # a - c is 22 and 24, then 23: 23 ± 12.7 does not contain 0.
    assert str(found["c"]) == "3"
    assert found["c"].tied == ()


def test_without_chance_every_difference_separates_and_equals_share_a_rank() -> None:
    found = _ranks.ranks({"a": [[2.0], [2.0]], "b": [[1.0], [3.0]], "c": [[1.0], [1.0]]})
    assert [(name, rank.place, rank.low, rank.high) for name, rank in found.items()] == [
        ("a", 1, 1, 2),
        ("b", 1, 1, 2),
        ("c", 3, 3, 3),
    ]


def line(arena: str, controller: str, number: int, **numbers: float | None) -> Line:
    error = "run-failed: it broke" if not numbers else None
    return Line(arena, (controller,), number, number, dict(numbers), error=error)


def test_a_score_is_the_mean_share_of_the_best_and_a_failed_run_counts_nothing() -> None:
    arenas = {arena.name: arena for arena in SUITE.arenas}
    # geo-bulk: a is the best with (10 + 8) / 2 = 9, so a has 10/9 and 8/9, and b has 4.5/9 twice. geo-lossy: b is the
    # best with 4. a has 1 with one seed and fails with the other: 1/4 and 0.
    one = Score(
        arenas["geo-bulk"],
        [
            line("geo-bulk", "a", 1, goodput_mbit_s=10.0),
            line("geo-bulk", "a", 2, goodput_mbit_s=8.0),
            line("geo-bulk", "b", 1, goodput_mbit_s=4.5),
            line("geo-bulk", "b", 2, goodput_mbit_s=4.5),
        ],
    )
    two = Score(
        arenas["geo-lossy"],
        [
            line("geo-lossy", "a", 1, goodput_mbit_s=1.0),
            line("geo-lossy", "a", 2),
            line("geo-lossy", "b", 1, goodput_mbit_s=4.0),
            line("geo-lossy", "b", 2, goodput_mbit_s=4.0),
            Line("geo-lossy", ("c",), 1, 1, error="signal-missing: c needs a bell"),
        ],
    )
    assert one.shares("goodput")["a"] == pytest.approx([10 / 9, 8 / 9])
    assert two.shares("goodput") == {"a": [0.25, 0.0], "b": [1.0, 1.0]}
    assert two.lacking == {"c": "c needs a bell"}
    assert two.troubles("a") == ["1 of 2 runs failed"]
    assert one.shares("completion") == {}
    found = {row.controller: row for row in standings([one, two], ["a", "b", "c"], "goodput")}
    assert found["a"].score.mean == pytest.approx(100 * (1 + 0.125) / 2)
    assert found["b"].score.mean == pytest.approx(100 * (0.5 + 1) / 2)
    assert found["b"].rank is not None
    assert found["b"].rank.place == 1
    assert found["a"].worst == ("geo-lossy", 12.5)
    assert found["a"].troubles == {"failed": 1}
    assert "c" not in found  # it stood nowhere


def test_balanced_is_the_power_of_kleinrock() -> None:
    # Goodput over p95 RTT is 10/100 and 4/20. The second is the best, and the first has half of it.
    arena = next(arena for arena in SUITE.arenas if arena.name == "geo-bulk")
    score = Score(
        arena,
        [
            line("geo-bulk", "a", 1, goodput_mbit_s=10.0, rtt_p95_ms=100.0),
            line("geo-bulk", "b", 1, goodput_mbit_s=4.0, rtt_p95_ms=20.0),
        ],
    )
    assert score.shares("balanced")["a"] == pytest.approx([0.5])
    assert score.shares("delay")["a"] == pytest.approx([0.2])
    assert [place.controller for place in score.ranking("balanced")] == ["b", "a"]


def test_two_scenarios_have_seeds_of_their_own() -> None:
    seeds = [arena.seed(number) for arena in EVERY for number in range(1, 6)]
    assert len(set(seeds)) == len(seeds)


# ---- runs ----------------------------------------------------------------------------------------------------------


def test_pairs_are_the_runs_of_their_scenario_and_shares_sum_to_one(tiny: Path) -> None:
    found = bp.league(tiny, "reno,bbr3", seeds=2)
    (bed,) = found.beds
    assert bed.share("reno", "bbr3").mean + bed.share("bbr3", "reno").mean == 1.0
    assert bed.share("reno", "reno").mean == 0.5
    # By hand: reno has the first flow with the first seed, and bbr3 with the second seed.
    shares = []
    for number, order in ((1, ("reno", "bbr3")), (2, ("bbr3", "reno"))):
        document = tomllib.loads(BED)
        for flow, controller in zip(document["flows"], order, strict=True):
            flow["controller"] = controller
        text = bp.Scenario(
            name="two",
            duration="3 s",
            network=bp.Dumbbell(rate="5 Mbit/s", rtt="40 ms", loss=bp.Loss(per=1e-3)),
            flows=[bp.Flow(name=flow["name"], controller=flow["controller"]) for flow in document["flows"]],
        )
        flows = bp.run(text, seed=bed.arena.seed(number)).summary["flows"]
        goodput = {flow["controller"]: flow["goodput_mbit_s"] for flow in flows}
        shares.append(goodput["reno"] / sum(goodput.values()))
    assert bed.share("reno", "bbr3").mean == pytest.approx(sum(shares) / 2)
    rows = found.pairs.arrow.to_pylist()
    both = {(row["controller"], row["against"]): row["share_percent"] for row in rows}
    assert all(both[one, other] + both[other, one] == pytest.approx(100.0) for one, other in both)


def test_a_scenario_without_chance_counts_one_run(tiny: Path) -> None:
    found = bp.league(tiny, "reno,cubic", seeds=3)
    lossy, quiet = found.scores
    assert [len(some) for some in lossy.lines.values()] == [3, 3]
    assert [len(some) for some in quiet.lines.values()] == [1, 1]
    assert quiet.estimate("reno", "completion_median_s").half_width == 0.0
    # Cross-traffic keeps its controller, and the numbers describe the other flows.
    goodput = quiet.lines["cubic"][0].numbers
    assert goodput["others_goodput_mbit_s"]
    assert found.aims == ["balanced", "goodput", "delay", "completion"]


def test_what_is_finished_stays_and_threads_change_no_byte(tiny: Path, tmp_path: Path) -> None:
    whole = bp.league(tiny, "reno,cubic", seeds=2, threads=2)

    def stop(done: int, _all: int) -> None:
        if done >= 5:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        bp.league(tiny, "reno,cubic", seeds=2, out=tmp_path / "parts", threads=1, progress=stop)
    rest = bp.league(tiny, "reno,cubic", seeds=2, out=tmp_path / "parts", threads=1)
    assert 0 < rest.made <= whole.made - 5
    tables = (whole.runs, whole.ranks, whole.pairs)
    for name, table in zip(TABLES, tables, strict=True):
        assert (tmp_path / "parts" / name).read_text() == table.to_csv()


PLUGIN = """
import bentpipe as bp

@bp.register("steady")
class Steady(bp.Controller):
    def on_start(self, event, control):
        control.cwnd = 20.0

@bp.register("breaks")
class Breaks(bp.Controller):
    def on_ack(self, event, control):
        raise ZeroDivisionError("on purpose")
"""


def test_ones_own_controllers_stand_beside_the_others_and_a_failed_run_is_a_row(
    process: Command, tiny: Path, tmp_path: Path
) -> None:
    (tmp_path / "mine.py").write_text(PLUGIN)
    names = "reno,'cubic{beta=0.8}',steady,breaks".replace("'", "")
    ran = process(
        "league", "--suite", tiny, "--plugin", "mine.py", "--controllers", names, "--seeds", 2, "--out", "out"
    )
    assert ran.returncode == 1, ran.stderr
    assert "on purpose" in ran.stderr
    rows = (tmp_path / "out" / "runs.csv").read_text().splitlines()
    assert sum("breaks" in row and "on purpose" in row for row in rows) >= 3
    index = (tmp_path / "out" / "index.html").read_text()
    assert "cubic{beta=0.8}" in index
    assert "failed 2" in index
    assert (tmp_path / "out" / "controllers" / "steady.html").is_file()
    plan = process("league", "--suite", tiny, "--plugin", "mine.py", "--dry-run")
    everybody = len(bp.controllers()) + 2
    assert f"{everybody} controllers, 2 scenarios, 1 beds" in plan.stdout


def test_nobody_is_first_with_nothing_and_one_alone_is_not_ahead(tiny: Path) -> None:
    (tiny / "lossy.toml").unlink()
    (tiny / "quiet.toml").write_text(QUIET.replace("200 kB", "1 GB"))
    found = bp.league(tiny, "reno,cubic", seeds=2, aim="completion")
    (said,) = sentences(found)
    assert said.startswith("For the aim completion, no controller has a number")
    assert "completion applies to 1 of 1" not in " ".join(found.notes), "the suite has no more"
    # A controller without a number has neither score nor rank, and its cells in CSV are empty.
    rows = [row for row in found.ranks.arrow.to_pylist() if row["aim"] == "completion"]
    assert [row["controller"] for row in rows] == ["reno", "cubic"]
    for key in ("rank", "score_percent", "score_half_width", "worst_scenario", "worst_percent"):
        assert [row[key] for row in rows] == [None, None], key
    assert "the aim completion leaves out scenarios in which no controller has a number: quiet" in found.notes
    head, cells = rows_of(found)
    assert [row[head.index("completion %")] for row in cells] == ["–", "–"]
    (said,) = sentences(bp.league(tiny, "reno", seeds=2, aim="delay"))
    assert said.startswith("reno is the only controller")


def test_a_scenario_in_which_nobody_has_a_number_counts_for_nobody(tiny: Path, cli: Command) -> None:
    arenas = {arena.name: arena for arena in SUITE.arenas}
    # In the first scenario a has half of the best, 5 of 10. In the second, no controller has a goodput.
    one = Score(
        arenas["geo-bulk"],
        [line("geo-bulk", "a", 1, goodput_mbit_s=5.0), line("geo-bulk", "b", 1, goodput_mbit_s=10.0)],
    )
    two = Score(
        arenas["geo-lossy"],
        [line("geo-lossy", "a", 1, goodput_mbit_s=None), line("geo-lossy", "b", 1, goodput_mbit_s=None)],
    )
    assert two.shares("goodput") == {}
    assert (one.has_nobody("goodput"), two.has_nobody("goodput"), two.has_nobody("completion")) == (False, True, False)
    found = {row.controller: row for row in standings([one, two], ["a", "b"], "goodput")}
    assert {name: (row.score.mean, row.scenarios) for name, row in found.items()} == {"a": (50.0, 1), "b": (100.0, 1)}
    assert found["a"].worst == ("geo-bulk", 50.0)
    nobody = standings([two], ["a", "b"], "goodput")
    assert [(row.score.text(1), row.rank, row.worst) for row in nobody] == [("–", None, None)] * 2
    # The same holds in words, tables and pages.
    (tiny / "lossy.toml").write_text(LOSSY.replace('"2 s"', '"30 ms"').replace('"40 ms"', '"600 ms"'))
    (tiny / "quiet.toml").write_text(QUIET.replace("200 kB", "1 GB"))
    shutil.rmtree(tiny / "competition")
    done = cli("league", "--suite", tiny, "--controllers", "reno,cubic", "--seeds", "2", "--for", "delay", "--out", "o")
    assert done.returncode == 0, done.stderr
    assert "the aim delay leaves out scenarios in which no controller has a number: lossy" in done.stdout
    assert "50.0 %" not in done.stdout
    rows = list(csv.DictReader((tiny.parent / "o" / "ranks.csv").read_text().splitlines()))
    assert {row["score_percent"] for row in rows if row["aim"] == "completion"} == {""}
    assert "NaN" not in (tiny.parent / "o" / "league.json").read_text()


def test_as_many_runs_stand_there_as_were_made(tiny: Path, cli: Command) -> None:
    shutil.rmtree(tiny / "competition")
    (tiny / "lossy.toml").unlink()
    asked = ("league", "--suite", tiny, "--controllers", "reno,cubic", "--seeds", "2", "--out", "o")
    # Two runs of each controller show that nothing is drawn, and one run of each counts.
    first = cli(*asked)
    assert first.returncode == 0, first.stderr
    assert "existed already" not in first.stderr
    assert "(4 runs existed already)" in cli(*asked).stderr
    assert "4 runs, of which 4 are in the store" in cli(*asked, "--dry-run").stdout


def test_an_aim_that_stands_on_few_scenarios_names_them(tiny: Path) -> None:
    assert "the aim completion applies to 1 of 2 scenarios (quiet)" in bp.league(tiny, "reno", seeds=2).notes


def test_what_changed_since_the_last(tiny: Path, tmp_path: Path) -> None:
    shutil.rmtree(tiny / "competition")

    def changes() -> str:
        return (tmp_path / "out" / "changes.html").read_text()

    def play(controllers: str) -> None:
        bp.league(tiny, controllers, seeds=2, out=tmp_path / "out")

    play("reno,cubic")
    assert "no earlier league" in changes()
    (tiny / "quiet.toml").write_text(QUIET.replace("5 Mbit/s", "4 Mbit/s"))
    play("cubic,vegas")
    told = changes()
    for said in ("vegas is new", "reno was removed", "quiet has changed", "cubic in quiet: "):
        assert said in told
    assert not (tmp_path / "out" / "controllers" / "reno.html").exists()
    # If the same league is made again, it is compared with the league before it.
    play("cubic,vegas")
    assert changes() == told


# ---- bad input -----------------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("tiny")
@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--suite", "empty"], "the suite empty has no scenario (*.toml)"),
        (["--suite", "nowhere"], "cannot read the suite nowhere: there is no such folder"),
        (["--suite", "tiny", "--suite", "tiny"], "two scenarios of the suite are called lossy"),
        (["--suite", "tiny", "--controllers", "cubick"], "did you mean `cubic`?"),
        (["--suite", "tiny", "--seeds", "1"], "from 2 to 10000"),
        (["--suite", "tiny", "--controllers", "reno", "--since", "empty"], "it has no league.json"),
        (["--suite", "tiny", "--out", "strange"], "it holds letter.txt"),
        (["--suite", "wrong"], "wrong.toml"),
        (["--suite", "alone"], "needs two TCP flows, one for each controller; this bed has 1"),
        (["--suite", "crossed"], 'the name of every TCP flow and application begins with "cross"'),
    ],
)
def test_bad_input_is_refused_before_anything_runs(cli: Command, tmp_path: Path, options: list[str], said: str) -> None:
    for name in ("empty", "strange", "wrong", "alone/competition", "crossed"):
        (tmp_path / name).mkdir(parents=True)
    (tmp_path / "strange" / "letter.txt").write_text("dear")
    (tmp_path / "wrong" / "wrong.toml").write_text('nmae = "x"')
    (tmp_path / "alone" / "a.toml").write_text(LOSSY)
    (tmp_path / "alone" / "competition" / "a.toml").write_text(LOSSY)
    (tmp_path / "crossed" / "a.toml").write_text(LOSSY.replace("{ controller", '{ name = "cross", controller'))
    ran = cli("league", *options)
    assert ran.returncode == 2
    assert said in ran.stderr
    assert not (tmp_path / "out").exists()


def test_an_aim_that_no_scenario_has_is_refused(tiny: Path) -> None:
    (tiny / "quiet.toml").unlink()
    with pytest.raises(bp.ArgumentError, match="completion"):
        bp.league(tiny, "reno", seeds=2, aim="completion")


# ---- the site ------------------------------------------------------------------------------------------------------


class Links(html.parser.HTMLParser):
    """Collects the links of a page."""

    def __init__(self, file: Path) -> None:
        super().__init__()
        self.found: list[tuple[str, str]] = []
        self.feed(file.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found += [(tag, value or "") for key, value in attrs if key in ("href", "src", "xlink:href")]


def test_links_of_the_site_resolve_and_none_leaves_it(tiny: Path, tmp_path: Path) -> None:
    bp.league(tiny, "reno,cubic{beta=0.8}", seeds=2, out=tmp_path / "out")
    pages = sorted((tmp_path / "out").rglob("*.html"))
    assert len(pages) == 4 + 3 + 2 + 2
    for page in pages:
        for tag, target in Links(page).found:
            if target.startswith(("#", "data:image/png;base64,")):
                continue
            assert tag == "a", (page, tag, target)
            assert (page.parent / target).resolve() in pages, (page, target)
    text = (tmp_path / "out" / "scenarios" / "lossy.html").read_text()
    assert "&lt;b&gt;losses&lt;/b&gt;? On a short path." in text
    assert "Lossy &amp; short" in text


PROBE = """<script>
const head = [...document.querySelectorAll("table.sorts th")].find(one => one.textContent === "controller");
const names = () => [...document.querySelectorAll("table.sorts")][0].tBodies[0].rows.length &&
  [...head.closest("table").tBodies[0].rows].map(row => row.cells[head.cellIndex].textContent).join(" ");
const told = [names()];
head.click(); told.push(names());
head.click(); told.push(names());
const score = head.parentNode.cells[head.cellIndex + 1];
score.click();
const by = [...head.closest("table").tBodies[0].rows].map(row => Number(row.cells[score.cellIndex].dataset.by));
told.push(String(by.every((one, at) => !at || by[at - 1] <= one)));
told.push(performance.getEntriesByType("resource").map(one => one.name).join(" "));
told.push(String(document.documentElement.scrollWidth <= window.innerWidth));
document.documentElement.innerHTML = "<body><pre>" + told.join("\\n") + "</pre></body>";
</script>"""


def test_the_site_in_a_browser(tiny: Path, tmp_path: Path) -> None:
    needs.require("chromium")
    browser = next(filter(None, map(shutil.which, BROWSERS)))
    bp.league(tiny, "vegas,cubic,reno", seeds=2, out=tmp_path / "out")
    page = tmp_path / "out" / "probe.html"
    page.write_text((tmp_path / "out" / "index.html").read_text().replace("</body>", f"{PROBE}</body>"))
    command = [browser, "--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={tmp_path / 'profile'}"]
    command += ["--window-size=900,900", "--enable-logging=stderr", "--dump-dom", page.as_uri()]
    shown = subprocess.run(command, capture_output=True, text=True, timeout=HANG_S)
    assert shown.returncode == 0, shown.stderr
    assert "CONSOLE" not in shown.stderr, shown.stderr
    text = shown.stdout.partition("<pre>")[2].partition("</pre>")[0]
    ranked, up, down, by_number, loaded, fits = text.split("\n")
    assert sorted(ranked.split()) == ["cubic", "reno", "vegas"]
    assert (up, down) == ("cubic reno vegas", "vegas reno cubic")
    assert by_number == "true"
    assert loaded == ""  # nothing is fetched
    assert fits == "true"  # wide tables scroll by themselves


def test_what_the_path_was_like_is_told_once_and_of_no_controller(tiny: Path) -> None:
    (tiny / "rainy.toml").write_text(RAINY)
    found = bp.league(tiny, "reno,cubic", seeds=2)
    said = [note for note in found.notes if "too low for the lowest MODCOD" in note]
    assert len(said) == 1
    assert said[0].startswith("rainy: b > hub: for all of 2.0 s, its Es/N0 is up to ")
    (score,) = (score for score in found.scores if score.arena.name == "rainy")
    assert [score.troubles(name) for name in ("reno", "cubic")] == [[], []]
