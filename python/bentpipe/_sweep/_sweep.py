# SPDX-License-Identifier: MIT OR Apache-2.0
"""A sweep: planned, run, and what came out of it."""

from __future__ import annotations

import json
import math
import time
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bentpipe import _arguments, _core, _progress
from bentpipe._errors import BentpipeError, ScenarioError
from bentpipe._files import refuse_foreign
from bentpipe._stats import at_level, estimate, intervals_at
from bentpipe._sweep import _design, _tables
from bentpipe._sweep._archive import Archive, Point
from bentpipe._sweep._base import numbers, put_all
from bentpipe._sweep._document import Document
from bentpipe._sweep._document import read as read_document
from bentpipe._sweep._execute import Wanted, execute
from bentpipe._tables import Table
from bentpipe._variants import Bench, draws

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from matplotlib.figure import Figure

    from bentpipe._stats import Estimate

#: Summaries of runs, beside the tables.
STORE = "runs.store"
PAGE = "sweep.html"
#: What a sweep writes into its folder.
WRITTEN = [STORE, f"{STORE}-journal", _tables.RUNS, _tables.FLOWS, PAGE, "sensitivity.json", "runs", "*.png", "*.csv"]
#: So many points are reckoned for the cost of all.
_RECKONED = 8
#: Bytes of a run in the archive and the tables, and of each of its flows, as measured.
_BYTES_RUN, _BYTES_FLOW = 700.0, 700.0
#: The numbers that are shown first.
SHOWN = ("goodput_mbit_s", "completion_p95_s", "queueing_p95_ms", "loss_percent", "jain_index")


@dataclass(frozen=True)
class Cost:
    """What a sweep will take, by the estimates of some of its points.

    Attributes:
        points: How many points.
        runs: Runs that there will be at least, and at most if intervals stay wide.
        most_runs: See there.
        there: Of the least, those that are in the store already.
        cpu_s: CPU time of those that are not, in s.
        disk_bytes: Room on the disk.
    """

    points: int
    runs: int
    most_runs: int
    there: int
    cpu_s: float
    disk_bytes: float


class Plan:
    """A sweep before it runs: its points, and the runs that they want.

    Attributes:
        document: The sweep.
        values: Of each point the value of each axis.
        folder: Where run folders go; None if none are kept.
    """

    def __init__(self, document: Document, folder: Path | None = None) -> None:
        self.document, self.folder = document, folder
        self.values = _design.points(document)
        self._points: dict[int, Point] = {}

    def point(self, number: int) -> Point:
        """The scenario of a point."""
        if number not in self._points:
            document = put_all(self.document.base, self.document.axes, self.values[number])
            self._points[number] = Point(document, self.document.base_origin)
        return self._points[number]

    def row(self, number: int, seed: int) -> _tables.Row:
        """A run that is wanted."""
        point = self.point(number)
        folder = None
        if self.folder is not None:
            name = point.key(seed)[:20]
            folder = self.folder / name[:2] / name
        return _tables.Row(number, self.values[number], Wanted(point, seed, folder))

    @cached_property
    def levels(self) -> tuple[float, ...]:
        """Confidence of the interval at each look, together 95 %."""
        from bentpipe.study._looks import levels

        looks = self.document.seeds.looks
        return levels(looks) if len(looks) > 1 else (0.95,)

    def cost(self, archive: Archive) -> Cost:
        """What it will take."""
        seeds, count = self.document.seeds, len(self.values)
        rows = [self.row(number, seed) for number in range(count) for seed in range(1, seeds.at_least + 1)]
        there = sum(row.wanted.key in archive for row in rows)
        step = max(1, count // _RECKONED)
        some = [self.point(number) for number in range(0, count, step)]
        costs = [cost for point in some if (cost := _reckoned(point)) is not None]
        costs = costs or [{"cpu_s": 0.0, "disk_bytes": 0.0}]
        flows = max(1, sum(int(flow.get("count", 1)) for flow in self.document.base.get("flows", ())))
        each_s = math.fsum(cost["cpu_s"] for cost in costs) / len(costs)
        disk = math.fsum(cost["disk_bytes"] for cost in costs) / len(costs) if self.folder is not None else 0.0
        return Cost(
            count,
            len(rows),
            count * seeds.looks[-1],
            there,
            each_s * (len(rows) - there),
            len(rows) * (_BYTES_RUN + flows * _BYTES_FLOW + disk),
        )


def _reckoned(point: Point) -> dict[str, float] | None:
    """What a run of a point costs: reading it, which of short runs is much, and running it. None if it is refused."""
    start = time.thread_time()
    try:
        _core.resolve(point.job())
        read_s = time.thread_time() - start
        cost = json.loads(_core.cost(point.job()))
    except BentpipeError:
        return None  # its rows will say so
    return {"cpu_s": cost["cpu_s"] + read_s, "disk_bytes": cost["disk_bytes"]}


@dataclass(frozen=True, repr=False)
class Sweep:
    """What came out of a sweep.

    Attributes:
        about: What the tables say about themselves: axes, design, seeds, build, the document with its base.
        folder: Where they stand; None if nothing was written.
        failed: How many runs failed: their rows have an ``error`` and no numbers.
        made: How many runs were made now; the others were in the store.
    """

    about: dict[str, Any]
    folder: Path | None = None
    failed: int = 0
    made: int = 0
    _held: tuple[Table, Table] | None = field(default=None)

    def __repr__(self) -> str:
        """Its axes and how many runs."""
        axes = ", ".join(axis["key"] for axis in self.about["axes"])
        return f"<Sweep over {axes}: {self.about['points']} points, {len(self.runs)} runs>"

    @property
    def axes(self) -> list[str]:
        """The columns of the axes."""
        return [str(axis["column"]) for axis in self.about["axes"]]

    @cached_property
    def runs(self) -> Table:
        """A row per run.

        Columns are ``point``, the axes (`axes`), ``seed``, the numbers of comparisons, the other totals of the summary,
        ``error`` and ``folder``. Units stand in the names and in the fields' metadata.
        """
        return self._held[0] if self._held is not None else self._table(_tables.RUNS)

    @cached_property
    def flows(self) -> Table:
        """A row per flow of every run: ``point``, the axes, ``seed``, and the flow's numbers as in `Run.numbers`."""
        return self._held[1] if self._held is not None else self._table(_tables.FLOWS)

    def _table(self, name: str) -> Table:
        assert self.folder is not None  # noqa: S101 - one of the two is there
        return _read(self.folder / name)

    @cached_property
    def _by_point(self) -> dict[int, dict[str, list[Any]]]:
        found: dict[int, dict[str, list[Any]]] = {}
        for row in self.runs.arrow.to_pylist():
            here = found.setdefault(row["point"], {name: [] for name in row})
            if row["error"] is None:
                for name, value in row.items():
                    here[name].append(value)
            else:
                for name in ("point", *self.axes):
                    here[name].append(row[name])
        return found

    def estimate(self, point: int, number: str) -> Estimate:
        """Mean of a number over the seeds of a point with its interval; not a number where a seed has none.

        The interval holds with 95 %. Where seeds went on until it was narrow it is wider: all looks hold together.

        Raises:
            ArgumentError: If there is no such number or point.
        """
        from bentpipe._stats import Estimate

        if number not in numbers():
            raise _arguments.known("number", number, numbers())
        if point not in self._by_point:
            raise _arguments.refuse(f"there is no point {point}: points are 0 to {len(self._by_point) - 1}")
        values = self._by_point[point][number]
        if not values or any(value is None for value in values):
            return Estimate(math.nan, math.inf, 0)
        level = next((level for seeds, level in self.about["looks"] if seeds >= len(values)), 0.95)
        if len(self.about["looks"]) > 1:
            with intervals_at(level):
                return at_level(estimate(values), level)
        return estimate(values)

    @cached_property
    def points(self) -> Table:
        """A row per point.

        Columns are the axes, ``seeds`` that finished, and of each number the mean and half of its interval's width
        (``goodput_mbit_s``, ``goodput_mbit_s_half_width``).
        """
        import pyarrow as pa

        schema = self.runs.arrow.schema
        rows = []
        for point, held in self._by_point.items():
            row = {"point": point, **{name: held[name][0] for name in self.axes}, "seeds": len(held["seed"])}
            for number in numbers():
                one = self.estimate(point, number)
                known = not math.isnan(one.mean)
                row[number] = one.mean if known else None
                row[f"{number}_half_width"] = one.half_width if known and math.isfinite(one.half_width) else None
            rows.append(row)
        fields = [schema.field(name) for name in ("point", *self.axes)]
        fields.append(pa.field("seeds", pa.int64()))
        for number in numbers():
            said = schema.field(number).metadata
            fields += [pa.field(name, pa.float64(), metadata=said) for name in (number, f"{number}_half_width")]
        return Table(pa.Table.from_pylist(rows, schema=pa.schema(fields)))

    @property
    def shown(self) -> list[str]:
        """The numbers that are shown first: those that the points have and that are not the same everywhere."""
        found = []
        for number in SHOWN:
            values = [value for value in self.points[number] if value is not None]
            if values and (number == SHOWN[0] or any(values)):
                found.append(number)
        return found

    @property
    def seeds_said(self) -> str:
        """Over how many seeds, in words: "5", "5 to 40"."""
        counts = sorted(set(self.points["seeds"]))
        return str(counts[0]) if len(counts) == 1 else f"{counts[0]} to {counts[-1]}"

    @property
    def notes(self) -> list[str]:
        """What a reader must know: seeds that went on, intervals that stayed wide, points without chance."""
        notes = []
        until = self.about["document"].get("seeds", {}).get("until")
        looks = self.about["looks"]
        same = [point for point, held in self._by_point.items() if len(held["seed"]) < looks[0][0]]
        if len(looks) > 1:
            wide = sum(
                1
                for point, held in self._by_point.items()
                if len(held["seed"]) >= looks[-1][0] and not self._is_narrow(point, until)
            )
            notes.append(
                f"seeds went on until half the interval of {until['of']} was below {until['half_width']}; all looks "
                f"together are wrong at most 5 % of the time at each point (alpha spending)"
                + (f"; {wide} points are wider with all {looks[-1][0]}" if wide else "")
            )
        if same and not self.failed:
            notes.append(f"no chance at {len(same)} of {len(self._by_point)} points: every seed gives the same run")
        return notes

    def _is_narrow(self, point: int, until: Mapping[str, Any]) -> bool:
        one, said = self.estimate(point, until["of"]), until["half_width"]
        share = isinstance(said, str) and said.rstrip().endswith("%")
        width = float(said.rstrip("% ")) / 100.0 * abs(one.mean) if share else float(said)
        return one.half_width <= width

    def sql(self, query: str) -> Table:
        """An answer by DuckDB (the extra ``bentpipe[sql]``) from the tables ``runs``, ``flows`` and ``points``.

        Raises:
            ScenarioError: If DuckDB is not installed, or refuses the query.
        """
        from bentpipe._sweep._sql import ask

        return ask(self, query)

    def plot(self, number: str | None = None) -> Figure:
        """The picture that suits the shape of the sweep; see `plots`.

        Raises:
            ArgumentError: If there is no such number.
        """
        return next(iter(self.plots(number).values()))

    def plots(self, number: str | None = None) -> dict[str, Figure]:
        """The pictures by name.

        Lines over one axis, a heat map over two, small multiples over three, dots over more; and which points nothing
        beats in goodput and delay ("pareto").

        Args:
            number: Which number is drawn over two axes and more; goodput if not said otherwise.

        Raises:
            ArgumentError: If there is no such number.
        """
        from bentpipe._sweep import _pictures

        return _pictures.pictures(self, number)

    def report(self, file: str | os.PathLike[str]) -> Path:
        """Write a self-contained HTML page with the pictures and tables that can be sorted and filtered.

        Raises:
            RunError: If it cannot be written.
        """
        from bentpipe._sweep import _page

        return _page.write(self, Path(file))


def _read(file: Path) -> Table:
    import pyarrow as pa
    import pyarrow.parquet as pq

    from bentpipe._damage import damaged

    try:
        return Table(pq.read_table(file))
    except (OSError, ValueError, pa.ArrowException) as problem:
        raise damaged(file, problem) from None


def load_sweep(folder: str | os.PathLike[str]) -> Sweep:
    """Read the folder of a sweep.

    Raises:
        ScenarioError: If there is no sweep in it, or one of another version.
        RunError: If its tables are damaged.
    """
    place = _arguments.place("the folder of a sweep", folder)
    if place is None or not (place / _tables.RUNS).is_file():
        raise ScenarioError(
            "folder-not-a-run", f"{place} is no folder of a finished sweep: there is no {_tables.RUNS} in it"
        )
    runs = _read(place / _tables.RUNS)
    said = (runs.arrow.schema.metadata or {}).get(_tables.ABOUT)
    about = json.loads(said) if said else {}
    if about.get("form") != _tables.FORM:
        raise ScenarioError(
            "folder-not-a-run",
            f"{place / _tables.RUNS} has the form {about.get('form', 'of no sweep')}, and this version reads form "
            f"{_tables.FORM} (run the sweep again)",
        )
    return Sweep(about, place, failed=len(runs) - runs["error"].count(None))


def sweep(
    document: str | os.PathLike[str] | Mapping[str, Any],
    *,
    out: str | os.PathLike[str] | None = None,
    store: str | os.PathLike[str] | None = None,
    keep_runs: bool = False,
    threads: int | None = None,
    progress: Callable[[int, int], None] | bool | None = None,
    force: bool = False,
    costly: bool = False,
) -> Sweep:
    """Run a scenario at many values of its keys, the same seeds everywhere.

    A run that fails costs only itself: it is a row with its error. What is finished stays in the store, also on Ctrl-C
    and when the process is killed: the same call goes on.

    Args:
        document: The sweep: a file, TOML text, or a table as in a file (`bentpipe schema sweep`); ``base`` may be a
            `Scenario`.
        out: Folder for ``runs.parquet``, ``flows.parquet`` and the store; nothing is written without it.
        store: File with the summaries of runs; that in `out` if not said otherwise. Several sweeps may share one.
        keep_runs: Write a run folder for each run, too, with its series: ``out/runs``.
        threads: Runs at a time; as many as there are processors if not said otherwise. The bytes that come out do not
            depend on it.
        progress: Called with (done, all) as runs finish; True shows it on stderr.
        force: Write into `out` whatever is there.
        costly: Run even if memory or disk will not do by the estimate (`estimate_cost`).

    Raises:
        ScenarioError: With everything that is wrong with the document, and where; or if something else stands in `out`.
        RunError: If a file cannot be written.
        KeyboardInterrupt: On Ctrl-C.
    """
    place = _arguments.place("out", out)
    if keep_runs and place is None:
        raise _arguments.refuse("keep_runs needs a folder: say out, too")
    refuse_foreign(place, WRITTEN, force=force)
    at_once = _arguments.threads(threads)
    plan = Plan(read_document(document), place / "runs" if keep_runs and place is not None else None)
    archive = open_store(place, store)
    try:
        with _progress.shown(progress, "runs") as update:
            return make(plan, archive, place, threads=at_once, progress=update, costly=costly)
    finally:
        archive.close()


def all_processors() -> int:
    """Runs at a time, if nothing else is said."""
    return _arguments.threads(None)


def open_store(out: Path | None, store: str | os.PathLike[str] | None = None) -> Archive:
    """The archive of a sweep."""
    named = _arguments.place("store", store)
    return Archive(named if named is not None else None if out is None else out / STORE)


def make(
    plan: Plan,
    archive: Archive,
    out: Path | None,
    *,
    threads: int,
    progress: Callable[[int, int], None] | None = None,
    costly: bool = False,
) -> Sweep:
    """Make the runs of a plan that are not in the archive, and the tables."""
    work = _Work(plan, archive, threads, progress, costly)
    work.all_looks()
    document = plan.document
    said = _tables.about(document, plan.levels, len(plan.values))
    schemas = _tables.runs_schema(document.axes, said), _tables.flows_schema(document.axes, said)
    parts = _tables.batches(work.rows(), work.reader, schemas)
    failed = len(work.errors)
    if out is not None:
        _tables.write(out, parts, schemas)
        return Sweep(said, out, failed, work.made)
    import pyarrow as pa

    tables = [Table(pa.concat_tables(some)) for some in zip(*parts, strict=True)]
    return Sweep(said, None, failed, work.made, (tables[0], tables[1]))


class _Work:
    """The runs of a plan, look by look."""

    def __init__(
        self,
        plan: Plan,
        archive: Archive,
        threads: int,
        progress: Callable[[int, int], None] | None,
        costly: bool,
    ) -> None:
        self.plan, self.archive, self.threads, self.costly = plan, archive, threads, costly
        self.progress = progress
        self.errors: dict[str, BentpipeError] = {}
        self.reader = _tables.Reader(plan.document.axes, archive, self.errors)
        #: Of each point how many seeds it has.
        self.seeds = [0] * len(plan.values)
        self.made = 0
        self._done = 0

    def rows(self) -> Iterator[_tables.Row]:
        """Every run there is, point by point."""
        for number, count in enumerate(self.seeds):
            for seed in range(1, count + 1):
                yield self.plan.row(number, seed)

    def all_looks(self) -> None:
        """Two seeds of points that may have no chance in them; then all of the first look; then those who need more."""
        seeds = self.plan.document.seeds
        every = range(len(self.seeds))
        quiet = [number for number in every if not self._has_chance(number)] if seeds.at_least > 1 else []
        self._to(quiet, min(2, seeds.looks[-1]))
        still = {number for number in quiet if self._same(number)}
        going = [number for number in every if number not in still]
        for look, level in zip(seeds.looks, self.plan.levels, strict=True):
            self._to(going, look)
            if seeds.until is not None:
                going = [number for number in going if not self._narrow(number, level)]

    def _to(self, some: Sequence[int], seeds: int) -> None:
        """So many seeds for some points."""
        rows = [self.plan.row(number, seed) for number in some for seed in range(self.seeds[number] + 1, seeds + 1)]
        before, tell = self._done, self.progress
        made = 0

        def update(done: int, todo: int) -> None:
            nonlocal made
            made, there = todo, len(rows) - todo
            if tell is not None:
                tell(before + there + done, before + len(rows))

        errors = execute(
            [row.wanted for row in rows], self.archive, threads=self.threads, progress=update, costly=self.costly
        )
        self.errors.update(errors)
        self.made += made
        self._done += len(rows)
        for number in some:
            self.seeds[number] = max(self.seeds[number], seeds)

    @cached_property
    def _base_has_chance(self) -> bool:
        point = self.plan.point(0)
        text = point.text
        return _Beside(text, point.origin).has_chance

    def _has_chance(self, number: int) -> bool:
        return self._base_has_chance or draws(self.plan.point(number).document)

    def _same(self, number: int) -> bool:
        """Whether the first two seeds of a point are one and the same run."""
        keys = [self.plan.row(number, seed).wanted.key for seed in (1, 2)]
        if any(key in self.errors for key in keys):
            return False
        one, other = (self.archive[key] for key in keys)
        return {**one, "provenance": {**one["provenance"], "seed": 0}} == {
            **other,
            "provenance": {**other["provenance"], "seed": 0},
        }

    def _narrow(self, number: int, level: float) -> bool:
        """Whether the interval of a point is narrow enough."""
        until = self.plan.document.seeds.until
        assert until is not None  # noqa: S101 - it is asked only then
        values = [
            self.reader.number(self.plan.row(number, seed), until.of) for seed in range(1, self.seeds[number] + 1)
        ]
        known = [value for value in values if value is not None]
        if len(known) < len(values):
            return False
        with intervals_at(level):
            one = estimate(known)
        return one.half_width <= until.half_width * (abs(one.mean) if until.relative else 1.0)


class _Beside(Bench):
    """A scenario's text that is read where its files stand."""

    def __init__(self, text: str, origin: str) -> None:
        self.text, self.origin, self.duration = text, origin, None
