# SPDX-License-Identifier: MIT OR Apache-2.0
"""Run a scenario with each of several controllers, over the same seeds."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from bentpipe import _compare
from bentpipe.base import arguments
from bentpipe.base.errors import ArgumentError
from bentpipe.base.files import refuse_foreign
from bentpipe.base.stats import TOO_FEW
from bentpipe.cli import options
from bentpipe.cli.console import note, progress, say, say_json, table, tell_failures, there_already
from bentpipe.cli.pictures import check_picture, save_picture
from bentpipe.results import rank
from bentpipe.results.notes import finding_lines, handover_line, path_lines, tcp_lines
from bentpipe.scenario.bench import Bench
from bentpipe.scenario.choice import Choice, choices

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from matplotlib.figure import Figure

    from bentpipe._compare import Comparison
    from bentpipe.scenario.document import ScenarioText


def add(parser: options.Parser) -> None:
    """Add the options."""
    options.scenario(parser, "files", nargs="+")
    parser.add_argument(
        "--controllers",
        required=True,
        metavar="A,B,C",
        help="controllers, the baseline first; parameters are in braces: 'cubic{beta=0.8},bbr3'; 'all' means every "
        "controller",
    )
    parser.add_argument(
        "--transport",
        default="",
        metavar="A,B",
        help="run each controller over each of these transports: tcp,quic (default: the transports of the scenario)",
    )
    parser.add_argument(
        "--flows", metavar="NAMES", help="replace only the controller of these flows, for example page,web*"
    )
    options.seeds(parser, 5)
    parser.add_argument(
        "--for",
        dest="aim",
        choices=rank.NAMES,
        metavar="AIM",
        help=f"rank the controllers by this aim, and print its weights: {', '.join(rank.NAMES)}",
    )
    parser.add_argument(
        "--jitter",
        default=_compare.NO_JITTER,
        metavar="TIME",
        help="delay the start of each flow by a random time of at most TIME, which depends on the seed (default: off)",
    )
    options.out(
        parser,
        "write a run folder for each run into DIR (for several scenarios, into one folder per scenario); existing runs "
        "are kept",
    )
    options.json(parser, "every number of every run, and the ranking,")
    options.csv(parser, "every number of every run")
    parser.add_argument(
        "--of",
        type=_numbers,
        default=(),
        metavar="NUMBERS",
        help="numbers of the table and of the picture, for example completion_median_s,loss_percent (default: the "
        "table has all numbers, and the picture has the numbers of the aim or the numbers that separate controllers)",
    )
    options.picture(parser, "dots with intervals (default: DIR/NAME-compare.png with --out, otherwise no picture)")
    options.size(parser)
    parser.add_argument(
        "--windows",
        type=options.picture_file,
        metavar="FILE",
        help="draw windows over time, one panel per controller (default: no picture)",
    )
    options.one_scenario(parser)


def _numbers(text: str) -> tuple[str, ...]:
    """Read keys of numbers that are separated by commas."""
    try:
        return _compare.keys(text)
    except ArgumentError as problem:
        raise argparse.ArgumentTypeError(problem.message) from None


def run(chosen: options.Chosen) -> int:
    """Make the runs; print the comparisons, write pictures and tables."""
    target = _picture(chosen)
    if target is not None:
        check_picture(target)
    folders = options.folders(chosen.files, chosen.out)
    if len(chosen.files) > 1:
        if chosen.windows is not None:
            raise arguments.refuse(
                f"--windows draws only one scenario, but {len(chosen.files)} files are given (name one file)"
            )
        refuse_foreign(chosen.out, (), force=chosen.force)
    wanted, _ = choices(chosen.controllers, _compare.transports(chosen.transport))
    over = {choice.transport for choice in wanted if choice.transport is not None}
    results = {}
    for file, folder, name in zip(chosen.files, folders, _names(chosen.files), strict=True):
        results[name] = _made(options.scenario_of(file, chosen, over=over), folder, chosen)
    titled = _compare.by_title(results)
    numbers = chosen.of or (_compare.aim_keys(results.values(), chosen.aim) if chosen.aim else ())
    if chosen.json:
        records = [{"scenario": name, **_record(result, chosen.aim)} for name, result in results.items()]
        say_json(records[0] if len(records) == 1 else records)
    code = 0
    for number, (title, result) in enumerate(titled.items()):
        if number:
            say("")
        code = max(code, _show(title, result, chosen))
    for line in _compare.direction_notes(titled):
        note(f"warning: {line}")
    _write(results, chosen, target, numbers)
    return code


def _names(files: Sequence[str]) -> list[str]:
    """Return the name of each scenario in data: the name of its file, or the path if two files have the same name."""
    stems = [Path(file).stem for file in files]
    return [str(file) if stems.count(stem) > 1 else stem for file, stem in zip(files, stems, strict=True)]


def _made(scenario: str | ScenarioText, folder: Path | None, chosen: options.Chosen) -> Comparison:
    with progress() as update:
        return _compare.compare(
            scenario,
            chosen.controllers,
            seeds=chosen.seeds,
            transport=chosen.transport,
            flows=chosen.flows,
            jitter=chosen.jitter,
            duration=options.duration_of(chosen, Bench(scenario)) if chosen.quick else chosen.duration,
            out=folder,
            threads=chosen.threads,
            progress=update,
            force=chosen.force,
            costly=chosen.costly,
        )


def _show(name: str, result: Comparison, chosen: options.Chosen) -> int:
    """Print a comparison with its warnings, and return the exit code."""
    every = [run for runs in result.runs.values() for run in runs]
    for warning in dict.fromkeys(said for run in every for said in run.provenance["degraded"]):
        note(f"warning: {warning}")
    # Notes on the path do not depend on the controller, but some depend on the transport. A seed has the notes
    # of all its runs.
    path: dict[str, dict[str, None]] = {}
    for run in every:
        notes = dict.fromkeys(run.provenance.get("path_notes", ()))
        path.setdefault(f"seed {run.provenance['seed']}", {}).update(notes)
    for line in path_lines({seed: list(notes) for seed, notes in path.items()}):
        note(f"warning: {line}")
    _print(result, chosen.aim, chosen.of, name=f"{name}: " if len(chosen.files) > 1 else "")
    for runs in result.runs.values():
        for line in finding_lines(runs):
            note(f"finding: {line}")
    for name, why in result.left_out.items():
        note(f"left out: {name}: {why}")
    # If several seeds fail in the same way, the first is reported.
    told: dict[tuple[str, str], str] = {}
    for (name, seed), error in result.failed.items():
        told.setdefault((name, error.code), f"error[{error.code}]: {name}, seed {seed}: {error.message}")
    return tell_failures(told.values(), failed=len(result.failed), made=len(every))


def _record(result: Comparison, aim: str | None) -> dict[str, object]:
    """Return the document that ``--json`` prints: the numbers of every run, means with intervals, and the ranking."""
    return {
        "runs": list(result.table()),
        "means": list(result.means()),
        "ranking": None if aim is None else list(result.ranks(aim)),
        "notes": list(result.notes),
        "left_out": result.left_out,
        "failed": [
            {"controller": name, "seed": seed, "code": error.code, "message": error.message}
            for (name, seed), error in result.failed.items()
        ],
    }


def _write(
    results: Mapping[str, Comparison], chosen: options.Chosen, target: Path | None, numbers: Sequence[str]
) -> None:
    first = next(iter(results.values()))
    if target is not None:
        alone = len(results) == 1
        drawn = first.plot(numbers or None, size=chosen.size) if alone else _side_by_side(results, chosen, numbers)
        note(f"picture: {save_picture(drawn, target, chosen.dpi, chosen.title)}")
    if chosen.windows is not None:
        note(f"windows: {save_picture(first.plot_windows(), chosen.windows)}")
    if chosen.csv is not None:
        table_ = first.table() if len(results) == 1 else _compare.table_of(results)
        note(f"numbers: {table_.write(chosen.csv)}")
    if chosen.out is not None:
        note(f"run folders: {chosen.out}{there_already(sum(result.resumed for result in results.values()))}")


def _side_by_side(results: Mapping[str, Comparison], chosen: options.Chosen, numbers: Sequence[str]) -> Figure:
    from bentpipe.show.pictures import dots  # imported here, because numpy is needed only for pictures

    return dots.side_by_side(_compare.by_title(results), numbers, chosen.size)


def _picture(chosen: options.Chosen) -> Path | None:
    if chosen.picture is None and chosen.out is not None:
        return Path(chosen.out) / f"{'-'.join(Path(file).stem for file in chosen.files)}-compare.png"
    return None if chosen.picture is None else Path(chosen.picture)


def _print(result: Comparison, aim: str | None, of: Sequence[str], name: str) -> None:
    places = result.ranking(aim) if aim else []
    seeds = len(result.seeds)
    head, rows = _compare.cells(result, [place.controller for place in places] or result.controllers, of)
    over = "one seed" if seeds == 1 else f"mean over {seeds} seeds with 95 % interval, paired by seed"
    if seeds == 2:
        over = f"mean over 2 seeds, paired by seed; {TOO_FEW}"
    if seeds > 1 and result.without_chance.issuperset(result.controllers):
        over = f"one run for each controller, because all {seeds} seeds give the same run"
    table(head, rows, f"{name}{over}")
    if places:
        ranks = [
            [
                str(place.rank or "–"),
                Choice.of(place.controller).label,
                place.score.text(3),
                "" if place.behind.half_width == place.behind.mean == 0.0 else place.behind.text(3, sign=True),
                place.verdict,
            ]
            for place in places
        ]
        table(["rank", "controller", f"score for {aim}", "paired difference", ""], ranks)
        say(result.aim(str(aim)).said())
    of_change = _compare.change_note(result, of[0] if of else result.main)
    said = [of_change] if of_change else []
    every = [run for runs in result.runs.values() for run in runs]
    handovers = [line] if (line := handover_line(every)) else []
    for line in (*said, *tcp_lines(every), *handovers, *result.notes):
        say(line)
