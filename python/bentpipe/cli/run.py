# SPDX-License-Identifier: MIT OR Apache-2.0
"""Run scenarios and print their numbers."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

from bentpipe import _core
from bentpipe.base import arguments
from bentpipe.base.errors import BentpipeError
from bentpipe.base.files import refuse_foreign
from bentpipe.base.tables import Table, write_workbook
from bentpipe.cli import options
from bentpipe.cli.console import note, progress, rough_size, rough_time, say, say_json, table, tell_failures
from bentpipe.cli.tables import numbers
from bentpipe.results import visits
from bentpipe.results.notes import finding_lines
from bentpipe.runs import make
from bentpipe.runs import run as _run
from bentpipe.scenario.bench import Bench
from bentpipe.show.totals import flow_rows, left_out_line, total_lines

if TYPE_CHECKING:
    from collections.abc import Sequence

#: Largest number of flows with a row. With more flows, only the first have a row, and a line has the distribution.
_ROWS_SHOWN = 40
#: The cost of a run is printed in advance above these limits: seconds of CPU time, and bytes on the disk.
_MUCH_CPU_S, _MUCH_BYTES = 60.0, 1e9
#: A smaller size on the disk is not printed.
_SHOWN_BYTES = 1e6


def add(parser: options.Parser) -> None:
    """Add the options."""
    options.scenario(parser, "files", nargs="+")
    options.out(parser, "run folder to write; with several files, DIR gets one folder for each file")
    options.json(parser, "the summary (an array for several files)")
    options.csv(parser, "the numbers of every flow")
    parser.add_argument(
        "--tables",
        type=options.tables,
        metavar="DIR",
        help="also write every table as CSV into DIR; with several files, DIR gets one folder for each file; if the "
        "name ends in .xlsx, write one Excel workbook with a sheet for each table",
    )
    for option, name, what in (
        ("--pcap", "FLOW", "the packets of this flow at both hosts"),
        (
            "--pcap-link",
            "LINK",
            "the packets at both ends of this link (* matches any text), of the flows of --pcap (default: of all "
            "flows)",
        ),
        ("--qlog", "FLOW", "a qlog of this TCP flow"),
    ):
        parser.add_argument(
            option,
            action="append",
            metavar=name,
            help=f"write {what}, into the folder captures of --out (repeatable; replaces the choice of the scenario)",
        )
    options.one_scenario(parser)
    options.seed(parser)
    parser.add_argument(
        "--checkpoint",
        type=options.time_span,
        metavar="TIME",
        help="write the state of the run beside --out at this interval of wall-clock time, at least 1 s (for example "
        '"10 min"); if the run is interrupted or killed, the same command continues from the last state',
    )
    parser.add_argument("--estimate", action="store_true", help="only print the cost of the runs")


def run(chosen: options.Chosen) -> int:
    """Make the runs; print and write the results."""
    chosen.files = [options.scenario_of(file, chosen) for file in chosen.files]
    if chosen.estimate:
        return _estimate(chosen)
    if chosen.checkpoint is not None and (chosen.out is None or len(chosen.files) > 1):
        raise arguments.refuse(
            "--checkpoint writes beside the folder of one run (give one scenario, and add --out DIR)"
        )
    folders = options.folders(chosen.files, chosen.out)
    if len(chosen.files) > 1:
        refuse_foreign(chosen.out, (), force=chosen.force)
        if chosen.tables is not None and options.is_workbook(chosen.tables):
            raise arguments.refuse(
                f"--tables {chosen.tables} is a workbook of one run, and {len(chosen.files)} scenarios are given (name "
                "a folder)"
            )
    benches = [Bench(file) for file in chosen.files]
    captures = {"pcap": chosen.pcap, "pcap_links": chosen.pcap_link, "qlog": chosen.qlog}
    if chosen.out is None and any(captures.values()):
        asked = "--pcap" if chosen.pcap else "--pcap-link" if chosen.pcap_link else "--qlog"
        raise arguments.refuse(f"{asked} writes into the run folder, but no folder is given (add --out DIR)")
    jobs = [
        make.job(
            file,
            seed=chosen.seed,
            out=folder,
            duration=options.duration_of(chosen, bench),
            **captures,
            force=chosen.force,
            costly=chosen.costly,
            checkpoint=chosen.checkpoint,
        )
        for file, bench, folder in zip(chosen.files, benches, folders, strict=True)
    ]
    _tell_of_much(jobs, is_written=chosen.out is not None)
    if chosen.checkpoint is not None and (position := _core.checkpoint_position(jobs[0])) is not None:
        note(f"continues at {_of(position)}")
    try:
        with progress() as update:
            results = make.run_jobs(jobs, folders, threads=chosen.threads, progress=update)
    except KeyboardInterrupt:
        if chosen.checkpoint is None or (position := _core.checkpoint_position(jobs[0])) is None:
            raise
        raise KeyboardInterrupt(f"the same command continues at {_of(position)}") from None
    if len(results) == 1:
        make.whole(results)
    if chosen.json:
        # A failed run is null, so that positions correspond to files.
        summaries = [result.summary if isinstance(result, _run.Run) else None for result in results]
        say_json(summaries[0] if len(summaries) == 1 else summaries)
    failures = []
    for file, bench, result in zip(chosen.files, benches, results, strict=True):
        if isinstance(result, BentpipeError):
            # The message about a fault in the text already begins with the file's name and line.
            where = "" if result.message.startswith(f"{file}:") else f"{file}: "
            failures.append(f"error[{result.code}]: {where}{result.message}")
            continue
        for warning in result.warnings:
            note(f"warning: {warning}")
        for line in finding_lines([result]):
            note(f"finding: {line}")
        _print_run(result, bench.queue_line())
        if chosen.tables is not None and options.is_workbook(chosen.tables):
            note(f"tables: {result.to_xlsx(chosen.tables)}")
        elif chosen.tables is not None:
            place = chosen.tables if len(results) == 1 else chosen.tables / Path(file).stem
            result.to_csv(place)
            note(f"tables as CSV: {place}")
        if result.folder is not None:
            note(f"run folder: {result.folder}")
    if chosen.csv is not None:
        note(f"table: {_write(results, chosen.csv)}")
    return tell_failures(failures, failed=len(failures), made=len(results) - len(failures))


def _of(position: tuple[float, float]) -> str:
    """Return the time of the last state and the duration of the run in words."""
    return " of ".join(f"{time_s:,.0f} s" if time_s >= 1000 else f"{time_s:.4g} s" for time_s in position)


def _write(results: Sequence[_run.Run | BentpipeError], file: Path) -> Path:
    """Write the rows of all flows. A workbook also has a sheet with a row for each visit."""
    runs = [result for result in results if isinstance(result, _run.Run)]
    flows = _flows(runs)
    if not options.is_workbook(file):
        return flows.write(file)
    import pyarrow as pa

    each = [
        table.arrow.add_column(0, "scenario", pa.array([run.name] * len(table), pa.string()))
        for run in runs
        if len(table := run.visits)
    ]
    sheets = {"flows": flows}
    if each:
        sheets["visits"] = Table(pa.concat_tables(each, promote_options="default"))
    return write_workbook(file, sheets)


def _flows(runs: Sequence[_run.Run]) -> Table:
    """Return the printed rows of all flows of all runs, each with its scenario, and the numbers of their visits."""
    parts = [_rows(run) for run in runs]
    # A column that a run does not have is empty there.
    head = list(dict.fromkeys(name for lines in parts for line in lines for name in line))
    rows = [
        [run.name, *(line.get(name, "") for name in head)]
        for run, lines in zip(runs, parts, strict=True)
        for line in lines
    ]
    return numbers(["scenario", *head], rows)


def _rows(run: _run.Run) -> list[dict[str, str]]:
    """Return the printed cells of each flow by heading, and the cells of its visits. Parts follow their flow."""
    head, lines = flow_rows(run, None)
    felt = {flow["name"]: visits.cells(flow) for flow in run.summary["flows"]}
    rows = [dict(zip(head, line, strict=True)) for line in lines]
    return [cells | felt.get(cells["flow"], {}) for cells in rows]


def _tell_of_much(jobs: Sequence[_core.Job], *, is_written: bool) -> None:
    """Print in advance the cost of runs that take a minute of CPU time, or a gigabyte on the disk."""

    def total(jobs: Sequence[_core.Job], *, measured: bool) -> tuple[float, float]:
        costs = [json.loads(_core.cost(job, measured=measured)) for job in jobs]
        return sum(one["cpu_s"] for one in costs), sum(one["disk_bytes"] for one in costs) * is_written

    try:
        cpu_s, disk = total(jobs, measured=False)
        if cpu_s < _MUCH_CPU_S / 10 and disk < _MUCH_BYTES:
            return
        # For such a long run, measuring the speed of this machine for 0.2 s is justified.
        cpu_s, disk = total(jobs, measured=True)
    except BentpipeError:
        return  # the run itself reports the error with its place
    if cpu_s >= _MUCH_CPU_S or disk >= _MUCH_BYTES:
        on_disk = f" and {rough_size(disk)} of disk space" if disk >= _SHOWN_BYTES else ""
        note(f"about {rough_time(cpu_s)} of CPU time{on_disk}, accurate to a factor of three (Ctrl-C stops the runs)")


def _written(row_us: float) -> str:
    """Return the part of the note on the cost of rows in a run folder; empty if no folder is written."""
    return (
        (
            f";\nplus {row_us:.2g} us per row that is written with --out, also measured now (1.9 times this value for "
            f"a row of a flow)"
        )
        if row_us
        else ""
    )


def _estimate(chosen: options.Chosen) -> int:
    """Print the cost of the runs, and its model."""
    costs = [
        make.estimate_cost(
            file,
            seed=chosen.seed,
            duration=options.duration_of(chosen, Bench(file)),
            out=chosen.out,
            pcap=chosen.pcap,
            pcap_links=chosen.pcap_link,
            qlog=chosen.qlog,
        )
        for file in chosen.files
    ]
    if chosen.json:
        say_json(costs[0] if len(costs) == 1 else costs)
        return 0
    head = ["scenario", "packets", "packet-hops", "rows", "CPU s", "memory", "disk"]
    rows = [
        [
            file,
            *(f"{cost[key]:.3g}" for key in ("packets", "packet_hops", "rows", "cpu_s")),
            *(rough_size(cost[key]) for key in ("memory_bytes", "disk_bytes")),
        ]
        for file, cost in zip(chosen.files, costs, strict=True)
    ]
    table(head, rows, "estimate, accurate to a factor of three")
    terms, first = _core.cost_terms(), costs[0]
    machine = (
        f"{first['slowness']:.2g}: measured now with short runs on this machine{_written(first['written_row_us'])}"
    )
    say(
        "packets = the flow's share of its narrowest link x the flow's duration (with random losses, at most twice "
        "the packets of Reno);\n"
        f"a visit adds {terms['visit']};\n"
        f"CPU = {terms['cpu']},\n"
        f"times {machine};\n"
        f"memory = {terms['memory']};\n"
        f"disk = {terms['disk']}."
    )
    return 0


def _print_run(run: _run.Run, queue: str) -> None:
    head, rows = flow_rows(run, _ROWS_SHOWN)
    table(head, rows, title=f"{run.name} (seed {run.summary['provenance']['seed']})")
    for line in (*left_out_line(run, _ROWS_SHOWN), *total_lines(run), *([queue] if queue else [])):
        say(line)
    say()
