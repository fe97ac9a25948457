# SPDX-License-Identifier: MIT OR Apache-2.0
"""Run a scenario at many values of its keys, with the same seeds at all values.

`bentpipe schema sweep` describes the file. Finished runs are kept, and after an interruption the same command
continues.
"""

from __future__ import annotations

import argparse
import contextlib
import shlex
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bentpipe._sweep import _page, _sql, _sweep
from bentpipe._sweep._base import put_all
from bentpipe._sweep._document import Document, Seeds, read
from bentpipe._sweep._plan import Plan
from bentpipe._sweep._result import keys, load_sweep, short
from bentpipe.base import arguments
from bentpipe.base.errors import ArgumentError, ScenarioError
from bentpipe.base.files import refuse_foreign
from bentpipe.base.stats import TOO_FEW
from bentpipe.cli import options
from bentpipe.cli.console import (
    note,
    output,
    plural,
    progress,
    rough_size,
    rough_time,
    say,
    say_json,
    table,
    tell_failures,
    there_already,
)
from bentpipe.cli.pictures import save_picture
from bentpipe.runs.cluster import connected
from bentpipe.runs.execute import Batch
from bentpipe.runs.shared import is_shared, open_store
from bentpipe.runs.store import STORE
from bentpipe.scenario.bench import QUICK_S, Bench
from bentpipe.scenario.document import as_toml
from bentpipe.scenario.settings import Setting

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from distributed import Client

    from bentpipe._sweep._plan import Cost
    from bentpipe._sweep._result import Sweep
    from bentpipe.base.tables import Table

#: Options that decide how runs are made.
_OF_MAKING = (
    *("out", "store", "dry_run", "keep", "threads", "scheduler", "insecure_scheduler"),
    *("force", "costly", "plugin", "set", "seeds", "duration", "quick"),
)
#: Seeds of a first look.
_SEEDS_QUICK = 2
#: Largest number of points with a row. With more points, the first are shown.
_ROWS_SHOWN = 40


def add(parser: options.Parser) -> None:
    """Add the options."""
    parser.add_argument("file", metavar="FILE", help="sweep (TOML), or the folder of a finished sweep")
    options.settings(parser)
    options.seeds(parser, "the seeds of the file", least=2)
    options.duration(parser)
    options.quick(
        parser, f"2 seeds, and the runs end {QUICK_S} s after the last flow has started and the warm-up is over"
    )
    options.out(parser, "folder for the tables (default out/NAME)")
    options.store(parser)
    options.dry_run(parser)
    parser.add_argument(
        "--keep",
        choices=("runs",),
        help="write a run folder with time series for each run into DIR/runs (workers of a cluster must share DIR)",
    )
    parser.add_argument("--sql", metavar="QUERY", help="query the tables runs, flows and points (needs bentpipe[sql])")
    parser.add_argument(
        "--of",
        type=_numbers,
        default=(),
        metavar="NUMBERS",
        help="numbers in the first columns, in the pictures and on the page, for example loss_percent,jain_index "
        "(default: completion_median_s if every flow has a size, otherwise goodput_mbit_s)",
    )
    parser.add_argument(
        "--page",
        action="store_true",
        help=f"draw the pictures and write the page {_sweep.PAGE} into the folder of the tables; FILE may be the "
        f"folder of a finished sweep",
    )
    options.size(parser)
    options.json(parser, "the points")
    options.csv(parser, "the points")
    where = parser.add_mutually_exclusive_group()
    options.threads(where)
    where.add_argument(
        "--scheduler",
        metavar="ADDRESS",
        help="make the runs on a Dask cluster (tls://host:8786; needs bentpipe[cluster])",
    )
    parser.add_argument(
        "--insecure-scheduler",
        action="store_true",
        help="connect to another machine without encryption (tcp://host:8786)",
    )
    options.writing(parser)


def _numbers(text: str) -> tuple[str, ...]:
    """Read keys of numbers that are separated by commas."""
    try:
        return keys(text)
    except ArgumentError as problem:
        raise argparse.ArgumentTypeError(problem.message) from None


def run(chosen: options.Chosen) -> int:
    """Make the runs, or read the runs of a folder. Then print and write the points."""
    if chosen.sql is not None:
        _sql.check(chosen.sql)
    if not chosen.page and any(one is not None for one in (chosen.size, chosen.dpi, chosen.title)):
        raise arguments.refuse(
            "--size, --dpi and --title have no effect without --page, because only --page draws pictures"
        )
    if Path(chosen.file).is_dir():
        _refuse_to_make(chosen)
        return _show(load_sweep(chosen.file), chosen, Path(chosen.file))
    place = chosen.out or Path("out") / Path(chosen.file).stem
    refuse_foreign(place, _sweep.WRITTEN, force=chosen.force)
    document = _document(chosen)
    plan = Plan(document, place / "runs" if chosen.keep else None)
    # A dry run writes nothing, and creates no store.
    is_there = is_shared(chosen.store) if chosen.store else (place / STORE).is_file()
    is_there = is_there or (chosen.store is not None and Path(chosen.store).is_file())
    store = None if chosen.dry_run and not is_there else place
    with (
        connected(None if chosen.dry_run else chosen.scheduler, insecure=chosen.insecure_scheduler) as client,
        contextlib.closing(open_store(store, chosen.store if store else None)) as archive,
    ):
        while archive.notes:
            note(archive.notes.pop(0))
        _tell(plan.cost(archive), say if chosen.dry_run else note)
        refused = plan.refused()
        for line in refused:
            note(f"not a scenario: {line}")
        if chosen.dry_run:
            return 1 if refused else 0
        if client is not None:
            _tell_cluster(chosen.scheduler, client)
        with progress() as update:
            threads = arguments.threads(chosen.threads)
            batch = Batch(archive, threads=threads, client=client, progress=update, costly=chosen.costly)
            result = _sweep.make(plan, batch, place)
        for line in archive.notes:
            note(line)
    return _show(result, chosen, place, kept=len(result.runs) - result.made)


def _document(chosen: options.Chosen) -> Document:
    """Return the document of the sweep, with the settings, seeds and duration of the options."""
    settings = [Setting.of(text) for text in chosen.set]
    document = read(chosen.file, settings)
    base = Bench.beside(as_toml(put_all(document.base, document.axes, _first(document))), document.base_origin)
    duration = options.duration_of(chosen, base)
    if duration is not None:
        document = read(chosen.file, [*settings, Setting.of(f"duration={duration}")])
    seeds = chosen.seeds or (_SEEDS_QUICK if chosen.quick else None)
    return document if seeds is None else replace(document, seeds=Seeds(seeds))


def _first(document: Document) -> list[Any]:
    """Return the first value of each axis."""
    return [axis.ends[0] for axis in document.axes]


def _refuse_to_make(chosen: options.Chosen) -> None:
    """Refuse options that decide how runs are made: the runs of a folder are finished.

    Raises:
        ScenarioError: With the names of the options.
    """
    given = [f"--{name.replace('_', '-')}" for name in _OF_MAKING if getattr(chosen, name)]
    if given:
        message = f"{', '.join(given)} has no effect, because the sweep in {chosen.file} is finished"
        raise ScenarioError("usage", f"{message} (omit the option, or name the file of the sweep)")


def _tell_cluster(address: str, client: Client) -> None:
    """Print the number of workers and threads of the cluster."""
    threads = client.nthreads()
    none_yet = "" if threads else "; runs begin when a worker connects"
    workers, at_once = plural(len(threads), "worker"), plural(sum(threads.values()), "thread")
    note(f"{address}: {workers} with {at_once}{none_yet}")


def _tell(cost: Cost, tell: Callable[[str], None]) -> None:
    """Print the cost of the sweep."""
    most = f" (at most {cost.most_runs:,} if intervals stay wide)" if cost.most_runs > cost.runs else ""
    tell(f"{plural(cost.points, 'point')}, {plural(cost.runs, 'run')}{most}, of which {cost.there:,} are in the store")
    time, disk = rough_time(cost.cpu_s), rough_size(cost.disk_bytes)
    tell(f"about {time} of CPU time and {disk} of disk space, accurate to a factor of three")


def _show(result: Sweep, chosen: options.Chosen, place: Path, kept: int = 0) -> int:
    if chosen.csv is not None:
        note(f"points: {result.points.write(chosen.csv)}")
    failed = [error for error in result.runs["error"] if error]
    made = len(result.runs) - len(failed)
    if chosen.sql is not None:
        _answer(result.sql(chosen.sql))
        return tell_failures((), failed=len(failed), made=made)
    if chosen.json:
        say_json({"points": list(result.points), "notes": list(result.notes)})
    _print(result, chosen.of)
    if chosen.page:
        figures = result.plots(chosen.of, size=chosen.size)
        for name, figure in figures.items():
            note(f"picture: {save_picture(figure, place / f'{name}.png', chosen.dpi, chosen.title)}")
        note(f"page: {_page.write(result, place / _sweep.PAGE, chosen.of, figures)}")
    note(f"tables: {place / 'runs.parquet'}, {place / 'flows.parquet'}{there_already(kept)}")
    if not chosen.page:
        note(f"pictures and a page: bentpipe sweep {shlex.quote(str(place))} --page")
    told: dict[str, str] = {}
    for error in failed:
        code, _, message = error.partition(": ")
        told.setdefault(code, f"error[{code}]: {message}")
    return tell_failures(told.values(), failed=len(failed), made=made)


def _answer(answer: Table) -> None:
    """Print the complete result of an SQL query."""
    if output.is_json:
        say_json(list(answer))
    rows = [["–" if one is None else short(one) for one in row.values()] for row in answer.arrow.to_pylist()]
    table(answer.columns, rows)


def _print(result: Sweep, of: Sequence[str]) -> None:
    head, rows = result.cells(_ROWS_SHOWN, of)
    at = len(result.axes)  # the column of seeds is left out, because the title has their number
    shown = [[text for _, text in (*row[:at], *row[at + 1 :])] for row in rows]
    interval = TOO_FEW if result.seeds_said == "2" else "with its interval"
    title = f"mean over {result.seeds_said} seeds, paired by seed; {interval}"
    table([*head[:at], *head[at + 1 :]], shown, title, keys=max(at, 1))
    if len(result.points) > _ROWS_SHOWN:
        say(f"the first {_ROWS_SHOWN} of {len(result.points)} points are shown; the tables contain all points")
    for line in result.notes:
        say(line)
    for line in result.findings:
        note(f"finding: {line}")
