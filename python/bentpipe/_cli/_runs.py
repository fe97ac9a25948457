# SPDX-License-Identifier: MIT OR Apache-2.0
"""Commands that make runs, and those that show them: run, compare, plot, report."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bentpipe import _compare, _run, _space
from bentpipe._cli import _plugins
from bentpipe._cli._console import note, progress, say, table
from bentpipe._errors import BentpipeError, ScenarioError
from bentpipe._files import refuse_foreign, whole, write_error

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from bentpipe._compare import Comparison

#: Virtual time of `run --quick`.
_QUICK = "10 s"
#: So many flows are printed of one run.
_ROWS_SHOWN = 100
#: So many flows get a column each in a comparison; of more only the totals are shown.
_FLOWS_SHOWN = 4


def register(commands: Any) -> None:
    """Add the commands of this module."""
    run = commands.add_parser("run", help="run scenarios", description="Run scenarios and print their numbers.")
    run.add_argument("files", nargs="+", metavar="FILE", help="scenario (TOML)")
    run.add_argument(
        "--out", type=Path, metavar="DIR", help="run folder to write; with several files a folder in DIR for each"
    )
    run.add_argument(
        "--json", action="store_true", help="print summary.json instead of tables (an array for several files)"
    )
    _common(run)
    run.add_argument("--seed", type=_seed, metavar="N", help="instead of the scenario's seed")
    run.add_argument("--estimate", action="store_true", help="print what the runs will cost, and make none")
    run.set_defaults(run=_run_files)

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
        help="names, the first is the baseline; or: all",
    )
    compare.add_argument("--seeds", type=_count, default=5, metavar="N", help="seeds 1 to N (default 5)")
    compare.add_argument("--out", type=Path, metavar="DIR", help="write a run folder for each run into DIR")
    compare.add_argument(
        "--picture",
        type=Path,
        metavar="FILE",
        help="windows over time, a panel per controller: .png, .svg or .pdf (default out/NAME-windows.png)",
    )
    _common(compare)
    compare.set_defaults(run=_compare_file)

    plot = commands.add_parser("plot", help="pictures of a run folder", description="Draw a run folder.")
    plot.add_argument("folder", type=Path, metavar="DIR")
    plot.add_argument(
        "--links",
        action="store_true",
        help="utilisation of the busiest links over time instead of the flows (default DIR/links.png)",
    )
    plot.add_argument(
        "--out", type=Path, metavar="FILE", help="picture to write: .png, .svg or .pdf (default DIR/plot.png)"
    )
    plot.set_defaults(run=_plot)

    report = commands.add_parser(
        "report", help="HTML page about a run folder", description="Write DIR/report.html; it opens without a network."
    )
    report.add_argument("folder", type=Path, metavar="DIR")
    report.set_defaults(run=_report)


def _common(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--duration", metavar="TIME", help='instead of the scenario\'s duration, for example "10 s"')
    parser.add_argument("--quick", action="store_true", help=f'short for --duration "{_QUICK}": a first look')
    parser.add_argument("--threads", type=_count, metavar="N", help="runs at a time (default: all processors)")
    add_force(parser)
    parser.add_argument("--costly", action="store_true", help="run even if memory or disk will not do by the estimate")
    _plugins.add_option(parser)


def add_force(parser: argparse.ArgumentParser) -> None:
    """Add ``--force`` to a command that writes into a folder."""
    parser.add_argument(
        "--force",
        action="store_true",
        help="write into --out whatever is there: our own files are replaced, all others left",
    )


def _seed(text: str) -> int:
    if not text.isdigit() or int(text) >= 2**63:
        raise argparse.ArgumentTypeError(f'"{text}" is no seed: write a whole number from 0 to 2^63 - 1')
    return int(text)


def _count(text: str) -> int:
    if not text.isdigit() or not 1 <= int(text) <= 10_000:
        raise argparse.ArgumentTypeError(f'"{text}" is no count: write a whole number from 1 to 10000')
    return int(text)


def _duration(chosen: argparse.Namespace) -> str | None:
    return _QUICK if chosen.quick and chosen.duration is None else chosen.duration


def _folders(chosen: argparse.Namespace) -> list[Path | None]:
    if chosen.out is None:
        return [None] * len(chosen.files)
    if len(chosen.files) == 1:
        return [chosen.out]
    stems = [Path(file).stem for file in chosen.files]
    twice = next((stem for stem in stems if stems.count(stem) > 1), None)
    if twice is not None:
        raise ScenarioError(
            "folder-unwritable", f'two scenario files are called "{twice}": run them with an --out of their own'
        )
    return [chosen.out / stem for stem in stems]


def _run_files(chosen: argparse.Namespace) -> int:
    _plugins.load(chosen.plugin)
    if chosen.estimate:
        return _estimate(chosen)
    folders = _folders(chosen)
    if len(chosen.files) > 1:
        refuse_foreign(chosen.out, (), force=chosen.force)
    different = {"seed": chosen.seed, "duration": _duration(chosen), "force": chosen.force, "costly": chosen.costly}
    jobs = [_run.job(file, out=folder, **different) for file, folder in zip(chosen.files, folders, strict=True)]
    with progress("running") as update:
        results = _run.run_jobs(jobs, folders, threads=chosen.threads, progress=update)
    if len(results) == 1:
        _run.whole(results)
    runs = [result for result in results if isinstance(result, _run.Run)]
    if chosen.json:
        # What failed is null, so that places tell which file is which.
        summaries = [result.summary if isinstance(result, _run.Run) else None for result in results]
        say(json.dumps(summaries[0] if len(summaries) == 1 else summaries, indent=2))
    for run in runs:
        for warning in run.warnings:
            note(f"warning: {warning}")
        for line in _run.finding_lines([run]):
            note(f"finding: {line}")
        if not chosen.json:
            _print_run(run)
        if run.folder is not None:
            note(f"run folder: {run.folder}")
    for file, result in zip(chosen.files, results, strict=True):
        if isinstance(result, BentpipeError):
            # Of a fault in the text the message begins with the file's name and line.
            where = "" if result.message.startswith(f"{file}:") else f"{file}: "
            note(f"error[{result.code}]: {where}{result.message}")
    return _tell_how_many(len(results) - len(runs), len(runs))


def _estimate(chosen: argparse.Namespace) -> int:
    """What the runs will cost, and by which model."""
    costs = [_run.estimate_cost(file, seed=chosen.seed, duration=_duration(chosen)) for file in chosen.files]
    if chosen.json:
        say(json.dumps(costs[0] if len(costs) == 1 else costs, indent=2))
        return 0
    head = ["scenario", "packets", "packet-hops", "rows", "CPU s", "memory", "disk"]
    rows = [
        [
            file,
            *(f"{cost[key]:.3g}" for key in ("packets", "packet_hops", "rows", "cpu_s")),
            *(_amount(cost[key]) for key in ("memory_bytes", "disk_bytes")),
        ]
        for file, cost in zip(chosen.files, costs, strict=True)
    ]
    table(head, rows, "estimate, good to a factor of three")
    say(
        "packets = rate of the narrowest link, shared, times how long a flow lasts (losses by chance: at most twice "
        "what Reno gets);\nCPU = 40 ns per packet + 40 ns per packet and link + 200 ns per row + 1.2 us per satellite "
        f"and route step, times {costs[0]['slowness']:.2g}: what short runs take here and now;\n"
        "memory = 150 bytes per row of a flow, 80 per other row, 264 per packet under way; disk = 25 bytes per row."
    )
    return 0


def _amount(count: float) -> str:
    unit, size = next(((unit, size) for unit, size in (("GB", 1e9), ("MB", 1e6)) if count >= size), ("kB", 1e3))
    return f"{count / size:.3g} {unit}"


def _tell_how_many(failed: int, made: int) -> int:
    """The last line of a batch in which runs failed; the exit code."""
    if failed:
        note(f"{failed} of {failed + made} runs failed; the others are as good as without them")
    return 1 if failed else 0


def _print_run(run: _run.Run) -> None:
    from bentpipe._report import flow_rows, total_lines

    head, rows = flow_rows(run)
    table(head, rows[:_ROWS_SHOWN], title=f"{run.name} (seed {run.summary['provenance']['seed']})")
    if len(rows) > _ROWS_SHOWN:
        say(f"and {len(rows) - _ROWS_SHOWN} more flows (--json prints them all)")
    for line in total_lines(run):
        say(line)
    say()


def _compare_file(chosen: argparse.Namespace) -> int:
    _plugins.load(chosen.plugin)
    names = [name.strip() for name in chosen.controllers.split(",") if name.strip()]
    if not names:
        raise ScenarioError(
            "controller-unknown", "--controllers names none; write for example --controllers hybla,hybla-im"
        )
    with progress("running") as update:
        result = _compare.compare(
            chosen.file,
            names,
            seeds=range(1, chosen.seeds + 1),
            duration=_duration(chosen),
            out=chosen.out,
            threads=chosen.threads,
            progress=update,
            force=chosen.force,
            costly=chosen.costly,
        )
    for warning in dict.fromkeys(w for runs in result.runs.values() for run in runs for w in run.warnings):
        note(f"warning: {warning}")
    _print_comparison(result)
    from bentpipe._report import tcp_lines

    for line in tcp_lines(run for runs in result.runs.values() for run in runs):
        say(line)
    for runs in result.runs.values():
        for line in _run.finding_lines(runs):
            note(f"finding: {line}")
    place = Path("out") if chosen.out is None else chosen.out
    picture = chosen.picture or place / f"{Path(chosen.file).stem}-windows.png"
    note(f"picture: {save_figure(result.plot(), picture)}")
    if chosen.out is not None:
        note(f"run folders: {chosen.out}")
    for name, why in result.left_out.items():
        note(f"left out: {name}: {why}")
    # Of seeds that fail alike the first is told.
    told = set()
    for (name, seed), error in result.failed.items():
        if (name, error.code) not in told:
            note(f"error[{error.code}]: {name}, seed {seed}: {error.message}")
        told.add((name, error.code))
    return _tell_how_many(len(result.failed), sum(map(len, result.runs.values())))


def _print_comparison(result: Comparison) -> None:
    base = result.controllers[0]
    flows = result.flows if 1 < len(result.flows) <= _FLOWS_SHOWN else []
    head = [
        "controller",
        *(f"{label} {unit}".strip() for _, label, unit in _compare.METRICS),
        *(f"{flow} Mbit/s" for flow in flows),
        f"goodput against {base}",
    ]
    rows = []
    for name in result.controllers:
        cells = [result.estimate(name, metric).text(4 if not unit else 3) for metric, _, unit in _compare.METRICS]
        cells += [result.flow_estimate(name, flow).text(3) for flow in flows]
        change = result.change(name)
        rows.append(
            [_space.label(name), *cells, "–" if name == base else f"{change.mean:+.1f} ± {change.half_width:.1f} %"]
        )
    seeds = len(result.seeds)
    table(head, rows, title=f"mean over {seeds} seed{'s' if seeds > 1 else ''} with 95 % interval, paired by seed")


def _plot(chosen: argparse.Namespace) -> int:
    run = _run.load(chosen.folder)
    name = "links.png" if chosen.links else "plot.png"
    target = chosen.out or chosen.folder / name
    check_picture(target)
    say(str(save_figure(run.plot_links() if chosen.links else run.plot(), target)))
    return 0


def save_figure(figure: Figure, target: Path) -> Path:
    """Write a picture in the form that its name asks for."""
    from bentpipe import plots

    check_picture(target)
    with whole(target) as place:
        plots.save(figure, place, target.suffix[1:].lower())
    return target


#: How pictures begin.
_PICTURES = {".png": b"\x89PNG", ".svg": b"<?xml", ".pdf": b"%PDF"}


def check_picture(target: Path) -> None:
    """Refuses a picture whose name asks for no form that there is, or that would replace something else."""
    start = _PICTURES.get(target.suffix.lower())
    if start is None:
        raise ScenarioError("folder-unwritable", f"cannot write {target}: a picture ends in .png, .svg or .pdf")
    if not target.is_file():
        return
    try:
        with target.open("rb") as there:
            if there.read(len(start)) not in (start, b""):
                raise ScenarioError(
                    "folder-occupied", f"cannot write {target}: what is there is no such picture (choose another name)"
                )
    except OSError as problem:
        raise write_error(target, problem) from None


def _report(chosen: argparse.Namespace) -> int:
    say(str(_run.load(chosen.folder).report(chosen.folder / "report.html")))
    return 0
