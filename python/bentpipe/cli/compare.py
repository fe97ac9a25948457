# SPDX-License-Identifier: MIT OR Apache-2.0
"""`bentpipe compare`: controllers side by side, what decides between them, and their order for an aim."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from bentpipe import _compare
from bentpipe.cli import plugins
from bentpipe.cli.console import fitting, note, progress, say, table
from bentpipe.cli.runs import _count, check_picture, common, duration, save_figure, tell_how_many
from bentpipe.results import rank
from bentpipe.results.notes import finding_lines, path_lines, tcp_lines
from bentpipe.scenario.bench import Bench
from bentpipe.scenario.choice import Choice

if TYPE_CHECKING:
    import argparse

    from bentpipe._compare import Comparison
    from bentpipe.cli.console import Commands


def register(commands: Commands) -> None:
    """Add the command of this module."""
    compare = commands.add_parser(
        "compare",
        help="controllers side by side",
        description="Run a scenario with each of several controllers, over the same seeds.",
    )
    compare.add_argument("file", metavar="FILE", help="scenario (TOML)")
    compare.add_argument(
        "--controllers",
        required=True,
        metavar="A,B,C",
        help="names, the first is the baseline, parameters in braces: 'cubic{beta=0.8},bbr3'; or: all",
    )
    compare.add_argument("--flows", metavar="NAMES", help="replace only the controller of these flows: page,web*")
    compare.add_argument("--seeds", type=_count, default=5, metavar="N", help="seeds 1 to N (default 5)")
    compare.add_argument(
        "--for", dest="aim", choices=rank.NAMES, help="rank them for an aim; what it weighs is printed"
    )
    compare.add_argument(
        "--jitter",
        default=_compare.NO_JITTER,
        metavar="TIME",
        help="every flow starts later by up to this, drawn by seed (default: off, flows start as the scenario says)",
    )
    compare.add_argument(
        "--out",
        type=Path,
        metavar="DIR",
        help="write a run folder for each run into DIR; runs that stand there are kept",
    )
    compare.add_argument("--csv", type=Path, metavar="FILE", help="write every number of every run as CSV")
    compare.add_argument(
        "--picture",
        type=Path,
        metavar="FILE",
        help="bars with intervals: .png, .svg or .pdf (default out/NAME-compare.png)",
    )
    compare.add_argument(
        "--windows", type=Path, metavar="FILE", help="windows over time, a panel per controller (default: not drawn)"
    )
    common(compare)
    compare.set_defaults(run=_run_it)


def _run_it(chosen: argparse.Namespace) -> int:
    plugins.load(chosen.plugin)
    for picture in (_picture(chosen), chosen.windows):
        if picture is not None:
            check_picture(picture)
    with progress("running") as update:
        result = _compare.compare(
            chosen.file,
            chosen.controllers,
            seeds=chosen.seeds,
            flows=chosen.flows,
            jitter=chosen.jitter,
            duration=duration(chosen, Bench(chosen.file)) if chosen.quick else chosen.duration,
            out=chosen.out,
            threads=chosen.threads,
            progress=update,
            force=chosen.force,
            costly=chosen.costly,
        )
    every = [run for runs in result.runs.values() for run in runs]
    for warning in dict.fromkeys(said for run in every for said in run.provenance["degraded"]):
        note(f"warning: {warning}")
    # What the path was like does not depend on who sends there.
    path: dict[str, list[str]] = {}
    for run in every:
        path.setdefault(f"seed {run.provenance['seed']}", run.provenance.get("path_notes", []))
    for line in path_lines(path):
        note(f"warning: {line}")
    _print(result, chosen.aim)
    for runs in result.runs.values():
        for line in finding_lines(runs):
            note(f"finding: {line}")
    _write(result, chosen)
    for name, why in result.left_out.items():
        note(f"left out: {name}: {why}")
    # Of seeds that fail alike the first is told.
    told = set()
    for (name, seed), error in result.failed.items():
        if (name, error.code) not in told:
            note(f"error[{error.code}]: {name}, seed {seed}: {error.message}")
        told.add((name, error.code))
    return tell_how_many(len(result.failed), sum(map(len, result.runs.values())))


def _write(result: Comparison, chosen: argparse.Namespace) -> None:
    note(f"picture: {save_figure(result.plot(), _picture(chosen))}")
    if chosen.windows is not None:
        note(f"windows: {save_figure(result.plot_windows(), chosen.windows)}")
    if chosen.csv is not None:
        note(f"numbers: {result.to_csv(chosen.csv)}")
    if chosen.out is not None:
        kept = f" ({result.resumed} runs stood there already)" if result.resumed else ""
        note(f"run folders: {chosen.out}{kept}")


def _picture(chosen: argparse.Namespace) -> Path:
    place = Path("out") if chosen.out is None else chosen.out
    return Path(chosen.picture or place / f"{Path(chosen.file).stem}-compare.png")


def _print(result: Comparison, aim: str | None) -> None:
    places = result.ranking(aim) if aim else []
    seeds = len(result.seeds)
    head, rows = _compare.cells(result, [place.controller for place in places] or result.controllers)
    over = "one seed" if seeds == 1 else f"mean over {seeds} seeds with 95 % interval, paired by seed"
    if seeds > 1 and result.without_chance.issuperset(result.controllers):
        over = f"one run each, the same for all {seeds} seeds"
    for part, cells_of in fitting(head, rows):
        table(part, cells_of, title=over)
        over = ""
    if places:
        ranks = [
            [
                str(place.rank or "–"),
                Choice.of(place.controller).label,
                place.score.text(3),
                "" if place.verdict == "the best" else place.behind.text(3, sign=True),
                place.verdict,
            ]
            for place in places
        ]
        table(["rank", "controller", f"score for {aim}", "paired difference", ""], ranks)
        say(result.aim(str(aim)).said())
    for line in (*tcp_lines(run for runs in result.runs.values() for run in runs), *result.notes):
        say(line)
