# SPDX-License-Identifier: MIT OR Apache-2.0
"""Commands that make runs, and those that show them: run, plot, report."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import TYPE_CHECKING

from bentpipe.base import arguments
from bentpipe.base.errors import BentpipeError, ScenarioError
from bentpipe.base.files import refuse_foreign, whole, write_error
from bentpipe.cli import plugins
from bentpipe.cli.console import note, progress, say, table
from bentpipe.results.notes import finding_lines
from bentpipe.runs import run as _run
from bentpipe.scenario import bench as _variants
from bentpipe.show.totals import flow_rows, left_out_line, total_lines

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from bentpipe.cli.console import Commands

#: So many flows get a row each; of more the first, and how they spread.
_ROWS_SHOWN = 40


def register(commands: Commands) -> None:
    """Add the commands of this module."""
    run = commands.add_parser("run", help="run scenarios", description="Run scenarios and print their numbers.")
    run.add_argument("files", nargs="+", metavar="FILE", help="scenario (TOML)")
    run.add_argument(
        "--out", type=Path, metavar="DIR", help="run folder to write; with several files a folder in DIR for each"
    )
    run.add_argument(
        "--json", action="store_true", help="print summary.json instead of tables (an array for several files)"
    )
    run.add_argument(
        "--csv",
        type=Path,
        metavar="DIR",
        help="also write every table as CSV into DIR; with several files into a folder in DIR for each",
    )
    for option, name, what in (
        ("--pcap", "FLOW", "the packets of this flow, at both hosts"),
        (
            "--pcap-link",
            "LINK",
            "the packets at both ends of this link (* stands for anything), of the flows of --pcap or of all",
        ),
        ("--qlog", "FLOW", "a qlog of this TCP flow"),
    ):
        run.add_argument(
            option,
            action="append",
            metavar=name,
            help=f"write {what}, into captures of --out (may be repeated; instead of the scenario's own choice)",
        )
    common(run)
    run.add_argument("--seed", type=_seed, metavar="N", help="instead of the scenario's seed")
    run.add_argument("--estimate", action="store_true", help="print what the runs will cost, and make none")
    run.set_defaults(run=_run_files)

    plot = commands.add_parser("plot", help="pictures of a run folder", description="Draw a run folder.")
    plot.add_argument("folder", type=Path, metavar="DIR")
    plot.add_argument(
        "--links",
        action="store_true",
        help="utilisation of the busiest links over time instead of the flows (default DIR/links.png)",
    )
    plot.add_argument(
        "--visits",
        action="store_true",
        help="what the users of applications felt instead of the flows (default DIR/visits.png)",
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


def common(parser: argparse.ArgumentParser) -> None:
    """Add the options of every command that makes one run."""
    parser.add_argument("--duration", metavar="TIME", help='instead of the scenario\'s duration, for example "10 s"')
    parser.add_argument(
        "--quick",
        action="store_true",
        help=f"a first look: {_variants.QUICK_S} s after the last flow has started and the warm-up is over",
    )
    parser.add_argument("--threads", type=_count, metavar="N", help="runs at a time (default: all processors)")
    add_force(parser)
    parser.add_argument("--costly", action="store_true", help="run even if memory or disk will not do by the estimate")
    plugins.add_option(parser)


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


def duration(chosen: argparse.Namespace, bench: _variants.Bench) -> str | None:
    """The duration asked for; of a first look it is said."""
    if not chosen.quick or chosen.duration is not None:
        return None if chosen.duration is None else str(chosen.duration)
    short = bench.quick()
    if short is None:
        return None
    note(f"quick: {short[1]} ({bench.origin})")
    return short[0]


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
    plugins.load(chosen.plugin)
    if chosen.estimate:
        return _estimate(chosen)
    folders = _folders(chosen)
    if len(chosen.files) > 1:
        refuse_foreign(chosen.out, (), force=chosen.force)
    benches = [_variants.Bench(file) for file in chosen.files]
    captures = {"pcap": chosen.pcap, "pcap_links": chosen.pcap_link, "qlog": chosen.qlog}
    if chosen.out is None and any(captures.values()):
        asked = "--pcap" if chosen.pcap else "--pcap-link" if chosen.pcap_link else "--qlog"
        raise arguments.refuse(f"{asked} writes into the run folder, and no folder is named (give --out)")
    different = {
        "seed": chosen.seed,
        **captures,
        "force": chosen.force,
        "costly": chosen.costly,
    }
    jobs = [
        _run.job(file, out=folder, duration=duration(chosen, bench), **different)
        for file, bench, folder in zip(chosen.files, benches, folders, strict=True)
    ]
    with progress("running") as update:
        results = _run.run_jobs(jobs, folders, threads=chosen.threads, progress=update)
    if len(results) == 1:
        _run.whole(results)
    runs = [result for result in results if isinstance(result, _run.Run)]
    if chosen.json:
        # What failed is null, so that places tell which file is which.
        summaries = [result.summary if isinstance(result, _run.Run) else None for result in results]
        say(json.dumps(summaries[0] if len(summaries) == 1 else summaries, indent=2))
    for file, bench, run in zip(chosen.files, benches, results, strict=True):
        if not isinstance(run, _run.Run):
            continue
        for warning in run.warnings:
            note(f"warning: {warning}")
        for line in finding_lines([run]):
            note(f"finding: {line}")
        if not chosen.json:
            _print_run(run, bench.queue_line())
        if chosen.csv is not None:
            place = chosen.csv if len(results) == 1 else chosen.csv / Path(file).stem
            run.to_csv(place)
            note(f"tables as CSV: {place}")
        if run.folder is not None:
            note(f"run folder: {run.folder}")
    for file, result in zip(chosen.files, results, strict=True):
        if isinstance(result, BentpipeError):
            # Of a fault in the text the message begins with the file's name and line.
            where = "" if result.message.startswith(f"{file}:") else f"{file}: "
            note(f"error[{result.code}]: {where}{result.message}")
    return tell_how_many(len(results) - len(runs), len(runs))


def _estimate(chosen: argparse.Namespace) -> int:
    """What the runs will cost, and by which model."""
    costs = [
        _run.estimate_cost(
            file,
            seed=chosen.seed,
            duration=duration(chosen, _variants.Bench(file)),
            out=chosen.out,
            pcap=chosen.pcap,
            pcap_links=chosen.pcap_link,
            qlog=chosen.qlog,
        )
        for file in chosen.files
    ]
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
        "what Reno gets);\n"
        "CPU = 40 ns per packet + 40 ns per packet and link + 200 ns per packet and proxy + 200 ns per row + "
        "1.2 us per satellite and route step + 1 us per captured packet and place,\n"
        f"times {costs[0]['slowness']:.2g}: what short runs take here and now;\n"
        "memory = 150 bytes per row of a flow, 80 per other row (with --out at most 50 MB for each), 264 per packet "
        "under way;\ndisk = 25 bytes per row, 44 and what is kept per captured packet and place, 400 per logged one."
    )
    return 0


def _amount(count: float) -> str:
    unit, size = next(((unit, size) for unit, size in (("GB", 1e9), ("MB", 1e6)) if count >= size), ("kB", 1e3))
    return f"{count / size:.3g} {unit}"


def tell_how_many(failed: int, made: int) -> int:
    """The last line of a batch in which runs failed; the exit code."""
    if failed:
        note(f"{failed} of {failed + made} runs failed; the others are as good as without them")
    return 1 if failed else 0


def _print_run(run: _run.Run, queue: str) -> None:
    head, rows = flow_rows(run, _ROWS_SHOWN)
    table(head, rows, title=f"{run.name} (seed {run.summary['provenance']['seed']})")
    for line in (*left_out_line(run, _ROWS_SHOWN), *total_lines(run), *([queue] if queue else [])):
        say(line)
    say()


def _plot(chosen: argparse.Namespace) -> int:
    run = _run.load(chosen.folder)
    if chosen.links and chosen.visits:
        raise arguments.refuse("--links and --visits are two pictures (ask for one)")
    name = "links.png" if chosen.links else "visits.png" if chosen.visits else "plot.png"
    target = chosen.out or chosen.folder / name
    check_picture(target)
    drawn = run.plot_links() if chosen.links else run.plot_visits() if chosen.visits else run.plot()
    say(str(save_figure(drawn, target)))
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
