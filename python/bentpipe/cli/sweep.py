# SPDX-License-Identifier: MIT OR Apache-2.0
"""`bentpipe sweep`: hundreds of runs from one document, and questions to what came out."""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import TYPE_CHECKING

from bentpipe.base.files import refuse_foreign
from bentpipe.cli import plugins
from bentpipe.cli.console import fitting, note, progress, rough_time, say, table
from bentpipe.cli.runs import _amount, _count, add_force, check_picture, save_figure, tell_how_many
from bentpipe.results.metrics import BY_KEY

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable

    from distributed import Client

    from bentpipe._sweep._plan import Cost
    from bentpipe._sweep._result import Sweep
    from bentpipe.base.tables import Table
    from bentpipe.cli.console import Commands

#: So many points get a row; of more the first.
_ROWS_SHOWN = 40
#: Digits of a number that is no comparison's.
_DIGITS = 3


def register(commands: Commands) -> None:
    """Add the command of this module."""
    sweep = commands.add_parser(
        "sweep",
        help="one scenario at many values of its keys",
        description="Run a scenario at many values of its keys (bentpipe schema sweep), the same seeds everywhere. "
        "What is finished stays; the same command goes on.",
    )
    sweep.add_argument("file", metavar="FILE", help="sweep (TOML), or the folder of one that is finished")
    sweep.add_argument("--out", type=Path, metavar="DIR", help="folder for the tables (default out/NAME)")
    sweep.add_argument(
        "--store",
        metavar="FILE",
        help="file that keeps what runs gave; sweeps may share one, machines a folder: DIR/, s3://… (default: in DIR)",
    )
    sweep.add_argument(
        "--dry-run", action="store_true", help="print how many runs there are and what they cost; no more"
    )
    sweep.add_argument(
        "--keep",
        choices=("runs",),
        help="write a run folder with its series for each run into DIR/runs (a cluster's workers must share DIR)",
    )
    sweep.add_argument("--sql", metavar="QUERY", help="ask the tables runs, flows and points (needs bentpipe[sql])")
    sweep.add_argument(
        "--of", metavar="NUMBER", help="what pictures over two axes and more show (default goodput_mbit_s)"
    )
    sweep.add_argument("--csv", type=Path, metavar="FILE", help="write the points as CSV")
    where = sweep.add_mutually_exclusive_group()
    where.add_argument("--threads", type=_count, metavar="N", help="runs at a time (default: all processors)")
    where.add_argument(
        "--scheduler", metavar="ADDRESS", help="let a Dask cluster make the runs (tls://host:8786; bentpipe[cluster])"
    )
    sweep.add_argument(
        "--insecure-scheduler", action="store_true", help="talk to another machine without encryption (tcp://host:8786)"
    )
    add_force(sweep)
    sweep.add_argument("--costly", action="store_true", help="run even if memory or disk will not do by the estimate")
    plugins.add_option(sweep)
    sweep.set_defaults(run=_run_it)


def _run_it(chosen: argparse.Namespace) -> int:
    from bentpipe._sweep import _sweep
    from bentpipe._sweep._base import numbers
    from bentpipe._sweep._document import read
    from bentpipe._sweep._plan import Plan
    from bentpipe._sweep._result import load_sweep
    from bentpipe._sweep._sql import check
    from bentpipe.base.arguments import known
    from bentpipe.runs.cluster import connected
    from bentpipe.runs.shared import is_shared

    plugins.load(chosen.plugin)
    if chosen.of is not None and chosen.of not in numbers():
        raise known("number", chosen.of, numbers())
    if chosen.sql is not None:
        check(chosen.sql)
    if Path(chosen.file).is_dir():
        return _show(load_sweep(chosen.file), chosen, Path(chosen.file))
    place = chosen.out or Path("out") / Path(chosen.file).stem
    refuse_foreign(place, _sweep.WRITTEN, force=chosen.force)
    plan = Plan(read(chosen.file), place / "runs" if chosen.keep else None)
    # A dry run writes nothing: a store that is not there yet stays so.
    is_there = is_shared(chosen.store) if chosen.store else (place / _sweep.STORE).is_file()
    is_there = is_there or (chosen.store is not None and Path(chosen.store).is_file())
    store = None if chosen.dry_run and not is_there else place
    with (
        connected(None if chosen.dry_run else chosen.scheduler, insecure=chosen.insecure_scheduler) as client,
        contextlib.closing(_sweep.open_store(store, chosen.store if store else None)) as archive,
    ):
        for said in archive.notes:
            note(said)
        _tell(plan.cost(archive), say if chosen.dry_run else note)
        if chosen.dry_run:
            return 0
        if client is not None:
            _tell_cluster(chosen.scheduler, client)
        with progress("running") as update:
            threads = chosen.threads or _sweep.all_processors()
            result = _sweep.make(
                plan, archive, place, threads=threads, client=client, progress=update, costly=chosen.costly
            )
    return _show(result, chosen, place)


def plural(count: int, what: str) -> str:
    """A number of things."""
    return f"{count:,} {what}{'' if count == 1 else 's'}"


def _tell_cluster(address: str, client: Client) -> None:
    """Who will do it."""
    threads = client.nthreads()
    none_yet = "" if threads else ": runs begin when there is one"
    workers, at_once = plural(len(threads), "worker"), plural(sum(threads.values()), "thread")
    note(f"{address}: {workers} with {at_once}{none_yet}")


def _tell(cost: Cost, tell: Callable[[str], None]) -> None:
    """What it will take."""
    most = f" (up to {cost.most_runs:,} until intervals are narrow)" if cost.most_runs > cost.runs else ""
    tell(f"{plural(cost.points, 'point')}, {plural(cost.runs, 'run')}{most}, of which {cost.there:,} are in the store")
    time, disk = rough_time(cost.cpu_s), _amount(cost.disk_bytes)
    tell(f"about {time} of CPU time and {disk} on the disk, good to a factor of three")


def _show(result: Sweep, chosen: argparse.Namespace, place: Path) -> int:
    from bentpipe._sweep._sweep import PAGE

    if chosen.csv is not None:
        note(f"points: {result.points.to_csv(chosen.csv)}")
    if chosen.sql is not None:
        _answer(result.sql(chosen.sql))
        return tell_how_many(result.failed, len(result.runs) - result.failed)
    _print(result)
    for name, figure in result.plots(chosen.of).items():
        target = place / f"{name}.png"
        check_picture(target)
        note(f"picture: {save_figure(figure, target)}")
    note(f"page: {result.report(place / PAGE)}")
    note(f"tables: {place / 'runs.parquet'}, {place / 'flows.parquet'}")
    told: set[str] = set()
    for error in result.runs["error"]:
        code = (error or "").partition(": ")[0]
        if error and code not in told:
            note(f"error[{code}]: {error.partition(': ')[2]}")
            told.add(code)
    return tell_how_many(result.failed, len(result.runs) - result.failed)


def _answer(answer: Table) -> None:
    """Whatever SQL gave, all of it."""
    rows = [[_plain(one) for one in row.values()] for row in answer.arrow.to_pylist()]
    table(answer.columns, rows)


def _plain(value: object) -> str:
    return "–" if value is None else f"{value:.6g}" if isinstance(value, float) else str(value)


def _print(result: Sweep) -> None:
    head, rows = cells(result)
    over = f"mean over {result.seeds_said} seeds with its interval, paired by seed"
    for part, some in fitting(head, rows[:_ROWS_SHOWN]):
        table(part, some, title=over)
        over = ""
    if len(rows) > _ROWS_SHOWN:
        say(f"the first {_ROWS_SHOWN} of {len(rows)} points; all are in the page and the tables")
    for line in result.notes:
        say(line)


def cells(result: Sweep) -> tuple[list[str], list[list[str]]]:
    """Heading and rows of the table of points."""
    shown = result.shown
    head = [*result.axes, *(BY_KEY[one].heading if one in BY_KEY else one for one in shown)]
    points = result.points
    rows = []
    for number, point in enumerate(points["point"]):
        values = [result.estimate(point, one).text(BY_KEY[one].digits if one in BY_KEY else _DIGITS) for one in shown]
        rows.append([*(_plain(points[axis][number]) for axis in result.axes), *values])
    return head, rows
