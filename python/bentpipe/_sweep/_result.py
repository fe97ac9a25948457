# SPDX-License-Identifier: MIT OR Apache-2.0
"""The result of a sweep: tables, means of points, pictures, and a page."""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, cast

from bentpipe._sweep import _page, _tables
from bentpipe._sweep._base import numbers
from bentpipe._sweep._labels import short_labels
from bentpipe._sweep._sql import ask
from bentpipe._sweep._tables import About
from bentpipe.base import arguments, reading, shape
from bentpipe.base.damage import damaged
from bentpipe.base.errors import RunError, ScenarioError
from bentpipe.base.files import Unfit
from bentpipe.base.stats import Bounds, Estimate, at_level, estimate, interval_columns, intervals_at
from bentpipe.base.tables import Table, arrow_column, floats
from bentpipe.results import felt, transfers
from bentpipe.results.metrics import BY_KEY, COMPLETION
from bentpipe.results.notes import worst_lines
from bentpipe.results.rank import lack

if TYPE_CHECKING:
    import os
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    import pyarrow as pa
    from matplotlib.figure import Figure

    from bentpipe._sweep._tables import UntilAbout
    from bentpipe.plots import Floats

#: The numbers that tables and pictures show first.
SHOWN = (
    *("goodput_mbit_s", "completion_median_s", "completion_p95_s", "finished_percent"),
    *("visit_p95_s", "visits_done_percent", "stalled_percent", "film_mbit_s"),
    *("call_missed_percent", "queueing_p95_ms", "loss_percent", "jain_index"),
)


#: Number of digits of a total by default, and the range of a total.
_DIGITS, _TOTAL = 3, Bounds(0.0, is_of_samples=True)


def short(value: object) -> str:
    """Return a value of a table as text. A number has six digits."""
    return f"{value:.6g}" if isinstance(value, float) else str(value)


@dataclass(frozen=True, repr=False)
class Sweep:
    """The result of a sweep.

    Attributes:
        about: The provenance in the tables: axes, design, seeds, build, and the document with its base.
        folder: Folder of the tables; None if nothing was written.
        failed: Number of failed runs. Their rows have an ``error`` and no numbers.
        made: Number of runs that this call made. The other runs were in the store.
    """

    about: About
    folder: Path | None = None
    failed: int = 0
    made: int = 0
    _held: tuple[Table, Table] | None = field(default=None)

    def __repr__(self) -> str:
        """Return the axes and the number of runs."""
        axes = ", ".join(axis["key"] for axis in self.about["axes"])
        return f"<Sweep over {axes}: {self.about['points']} points, {len(self.runs)} runs>"

    @property
    def axes(self) -> list[str]:
        """The names of the columns of the axes."""
        return [axis["column"] for axis in self.about["axes"]]

    @cached_property
    def labels(self) -> dict[str, dict[str, str]]:
        """The labels of the values of each axis over tables: the parts that differ. Tables have the complete values."""
        values = {axis["column"]: axis["levels"] for axis in self.about["axes"] if axis["kind"] == "text"}
        texts = {column: [str(one) for one in levels] for column, levels in values.items() if levels}
        return {column: short_labels(cells) for column, cells in texts.items()}

    def label(self, column: str, value: object) -> object:
        """Return the value of an axis as pictures and printed tables show it."""
        return self.labels.get(column, {}).get(str(value), value)

    @cached_property
    def runs(self) -> Table:
        """One row per run.

        Columns are ``point``, the axes (`axes`), ``seed``, the numbers of comparisons, other totals of the summary,
        ``error`` and ``folder``. ``findings`` has a line for each kind and fix, and ``findings_badness`` a number for
        each line. ``senders`` is the number of flows with a controller, ``transfers`` the number of flows with a size,
        and ``transfers_done`` the number of finished transfers. ``completion_median_s_least`` and
        ``completion_p95_s_least`` are lower bounds of completion times in seconds. Units are in the names and in the
        metadata of the fields. The metadata also contain the flows that a number describes (``of``).
        """
        if self._held is not None:
            return self._held[0]
        import pyarrow as pa

        schema = _tables.runs_schema(self.about)
        found = self._table(_tables.RUNS, schema, (*_tables.LATER, *_tables.ADDED)).arrow
        for name in _tables.ADDED:
            if name not in found.column_names:
                found = found.append_column(schema.field(name), pa.nulls(len(found), pa.float64()))
        return Table(found)

    @cached_property
    def flows(self) -> Table:
        """One row per flow of every run: ``point``, the axes, ``seed``, and the flow's numbers as in `Run.numbers`."""
        if self._held is not None:
            return self._held[1]
        schema = _tables.flows_schema(self.about)
        # Tables of an earlier build contain fewer numbers of flows.
        return self._table(_tables.FLOWS, schema, schema.names)

    def _table(self, name: str, schema: pa.Schema, later: Sequence[str] = ()) -> Table:
        assert self.folder is not None  # noqa: S101 - one of the two is there
        file = self.folder / name
        found = _read(file)
        try:
            if (found.schema.metadata or {}).get(_tables.ABOUT) != (schema.metadata or {}).get(_tables.ABOUT):
                raise Unfit(f"it belongs to another sweep than {_tables.RUNS}, or {_tables.RUNS} has changed")
            reading.refuse_other_columns(found, schema, later=later)
        except Unfit as problem:
            raise _damaged(file, problem) from None
        return Table(found)

    @cached_property
    def _rows(self) -> list[slice]:
        """The rows of each point in `runs`. They are consecutive, and in the order of the points."""
        import numpy as np

        points = floats(self.runs.arrow.column("point"))
        ends = np.searchsorted(points, np.arange(self.about["points"] + 1)).tolist()
        return [slice(*pair) for pair in itertools.pairwise(ends)]

    @cached_property
    def _finished(self) -> list[list[int]]:
        """The rows without an error, for each point."""
        is_whole = self.runs.arrow.column("error").is_null().to_pylist()
        return [[row for row in range(some.start, some.stop) if is_whole[row]] for some in self._rows]

    @cached_property
    def _columns(self) -> dict[str, Floats]:
        return {}

    def _numbers(self, number: str) -> Floats:
        """Return a column as floats. A missing value is NaN."""
        if number not in self._columns:
            self._columns[number] = floats(self.runs.arrow.column(number))
        return self._columns[number]

    def estimate(self, point: int, number: str) -> Estimate:
        """Return the mean of a number over the seeds of a point, with its interval; NaN if a seed has no number.

        The interval has a confidence of 95 %. If seeds were added until the interval was narrow, the interval is wider,
        so that all looks together have a confidence of 95 %.

        Raises:
            ArgumentError: If the number or the point does not exist.
        """
        if number not in numbers():
            raise arguments.known("number", number, numbers())
        if not 0 <= point < len(self._finished):
            raise arguments.refuse(f"unknown point {point}: points are 0 to {len(self._finished) - 1}")
        values = self._numbers(number)[self._finished[point]].tolist()
        if not values or any(map(math.isnan, values)):
            return Estimate(math.nan, math.inf, 0)
        level = next((level for seeds, level in self.about["looks"] if seeds >= len(values)), 0.95)
        if len(self.about["looks"]) > 1:
            with intervals_at(level):
                return at_level(estimate(values), level)
        return estimate(values)

    @cached_property
    def points(self) -> Table:
        """One row per point.

        Columns are the axes, ``seeds`` (the number of finished seeds), and for each number its mean and the ends of its
        interval (``goodput_mbit_s``, ``goodput_mbit_s_low``, ``goodput_mbit_s_high``). With two seeds there is no
        interval.
        """
        import pyarrow as pa

        runs = self.runs.arrow
        first = [some.start for some in self._rows]
        fields = [runs.schema.field(name) for name in ("point", *self.axes)]
        columns = [runs.column(name).take(arrow_column(first, pa.int64())) for name in ("point", *self.axes)]
        fields.append(pa.field("seeds", pa.int64()))
        columns.append(arrow_column(list(map(len, self._finished)), pa.int64()))
        for number in numbers():
            said = runs.schema.field(number).metadata
            bounds = BY_KEY[number].bounds if number in BY_KEY else _TOTAL
            found = [interval_columns(number, self.estimate(point, number), bounds) for point in range(len(first))]
            for name in (number, f"{number}_low", f"{number}_high"):
                fields.append(pa.field(name, pa.float64(), metadata=said))
                columns.append(arrow_column([one[name] for one in found], pa.float64()))
        return Table(pa.Table.from_arrays(columns, schema=pa.schema(fields)))

    @cached_property
    def ends(self) -> bool:
        """Whether every flow of every run has a size. Then the completion time is the main number."""
        if _tables.TRANSFERS not in self.runs.columns:
            return False
        counts = zip(self.runs[_tables.SENDERS], self.runs[_tables.TRANSFERS], strict=True)
        known = [(senders, sized) for senders, sized in counts if senders is not None]
        return bool(known) and all(0 < senders == sized for senders, sized in known)

    @property
    def main(self) -> str:
        """The main number: the median completion time if every flow ends, otherwise goodput."""
        return "completion_median_s" if self.ends else "goodput_mbit_s"

    @property
    def shown(self) -> list[str]:
        """The numbers that are shown first; see `shown_first`."""
        return self.shown_first()

    def shown_first(self, of: str | Sequence[str] | None = None) -> list[str]:
        """Return the numbers that are shown first.

        These are the numbers of `of`, the usual numbers that the points have, and the number that decided how many
        seeds were run. If less of a number is better, the number is shown only if it is above 0 at some point. If all
        flows end, completion times are shown instead of goodput.

        Raises:
            ArgumentError: If a number is unknown.
        """
        wanted = keys(of)
        found = list(wanted)
        until = self._until
        asked = [until["of"]] if until and until["of"] in BY_KEY else []
        for key in dict.fromkeys([*SHOWN, *asked]):
            values = [value for value in self.points[key] if value is not None]
            if key in asked or (key in COMPLETION and self.ends):
                found.append(key)
            elif key == "finished_percent":
                found += [key] * any(value < 100.0 for value in values)
            elif not (key == "goodput_mbit_s" and self.ends) and (any(values) or (values and BY_KEY[key].better > 0)):
                found.append(key)
        median, late = ([self.text(point, key) for point in self.points["point"]] for key in COMPLETION)
        if median == late and "completion_p95_s" not in (*asked, *wanted):
            # If a run has one transfer, all percentiles are equal.
            found = [key for key in found if key != "completion_p95_s"]
        return list(dict.fromkeys(found))

    def unfinished(self, point: int, number: str) -> tuple[float, int, int] | None:
        """Return a lower bound of a completion time in s, and the numbers of finished transfers and of all at a point.

        The bound is the mean over the seeds. An unfinished transfer took at least the time from its start to the end of
        the run. The result is None if no flow has a size, or every seed has the number.
        """
        if number not in COMPLETION or _tables.TRANSFERS not in self.runs.columns:
            return None
        rows = self._finished[point]
        if not any(math.isnan(self._numbers(number)[row]) for row in rows):
            return None
        least, sized, done = (
            [float(self._numbers(name)[row]) for row in rows]
            for name in (_tables.LEAST[number], _tables.TRANSFERS, _tables.DONE)
        )
        if not rows or any(map(math.isnan, least)):
            return None
        return math.fsum(least) / len(least), int(sum(done)), int(sum(sized))

    def text(self, point: int, number: str) -> str:
        """Return the printed number of a point, with its interval or with the number of finished transfers."""
        one = self.estimate(point, number)
        found = self.unfinished(point, number) if math.isnan(one.mean) else None
        if found is not None:
            return transfers.unfinished(*found)
        return BY_KEY[number].text(one) if number in BY_KEY else one.text(_DIGITS, bounds=_TOTAL)

    def cells(
        self, most: int, of: str | Sequence[str] | None = None
    ) -> tuple[list[str], list[list[tuple[object, str]]]]:
        """Return the heading of the table of points, and the cells of the first `most` points.

        Columns are the axes, ``seeds``, the numbers of `of` and the numbers that are shown first. A cell consists of a
        sort key and its text.
        """
        named = (*self.axes, "seeds")
        columns = [self.points[name] for name in named]
        shown = self.shown_first(of)
        rows = []
        for place, point in enumerate(self.points["point"][:most]):
            row: list[tuple[object, str]] = [
                (values[place], short(self.label(name, values[place])))
                for name, values in zip(named, columns, strict=True)
            ]
            for key in shown:
                mean, bound = self.estimate(point, key).mean, self.unfinished(point, key)
                by = bound[0] if bound else mean
                row.append((None if math.isnan(by) else by, self.text(point, key)))
            rows.append(row)
        return [*self.axes, "seeds", *(BY_KEY[key].heading if key in BY_KEY else key for key in shown)], rows

    @property
    def seeds_said(self) -> str:
        """The number of seeds in words, such as "5" or "5 to 40"."""
        counts = sorted(set(self.points["seeds"]))
        return str(counts[0]) if len(counts) == 1 else f"{counts[0]} to {counts[-1]}"

    @property
    def notes(self) -> list[str]:
        """Notes for readers: presets, added seeds, intervals that stayed wide, points without random numbers."""
        notes = list(self.about.get("presets", ()))
        until = self._until
        looks = self.about["looks"]
        same = sum(len(rows) < looks[0][0] for rows in self._finished)
        if until is not None and len(looks) > 1:
            last = [point for point, rows in enumerate(self._finished) if len(rows) >= looks[-1][0]]
            unknown = sum(math.isnan(self.estimate(point, until["of"]).mean) for point in last)
            wide = sum(not self._is_narrow(point, until) for point in last) - unknown
            notes.append(
                f"seeds were added until the half width of the interval of {until['of']} was below "
                f"{until['half_width']}; the intervals of all looks at a point together have an error probability of "
                "at most 5 % (alpha spending)"
                + (
                    f"; {wide} point{' is' if wide == 1 else 's are'} wider with all {looks[-1][0]} seeds"
                    if wide
                    else ""
                )
                + (f"; {self._unknown(until['of'], unknown, int(looks[-1][0]))}" if unknown else "")
            )
        if looks[0][0] > 1 and any(value is not None for value in self.points["visit_p95_s"]):
            notes.append(felt.PER_RUN)
        if same and not self.failed:
            notes.append(
                f"nothing is drawn at random at {same} of {len(self._finished)} points, so every seed gives the same "
                "run"
            )
        return notes

    @property
    def _until(self) -> UntilAbout | None:
        return self.about["document"].get("seeds", {}).get("until")

    @staticmethod
    def _unknown(number: str, points: int, seeds: int) -> str:
        """Return a note on points that lack a number, with the reason."""
        why = f": {lack(number, None)}" if number in BY_KEY else ""
        return (
            f"{points} point{' has' if points == 1 else 's have'} no {number} with all {seeds} seeds, because a seed "
            f"lacks it{why} (use another number in `until`, or change the scenario so that every seed has this number)"
        )

    @property
    def findings(self) -> list[str]:
        """The findings of all runs: for each kind and fix, the worst finding, and the number of runs with findings."""
        if _tables.FINDINGS not in self.runs.columns:
            return []
        texts = self.runs[_tables.FINDINGS]
        # Tables of an earlier build contain no severity.
        bad = self.runs[_tables.BADNESS] if _tables.BADNESS in self.runs.columns else [None] * len(texts)
        return worst_lines(_findings_of(*pair) for pair in zip(texts, bad, strict=True))

    def _is_narrow(self, point: int, until: UntilAbout) -> bool:
        one, said = self.estimate(point, until["of"]), until["half_width"]
        width = float(said.rstrip("% ")) / 100.0 * abs(one.mean) if isinstance(said, str) else said
        return one.half_width <= width

    def sql(self, query: str) -> Table:
        """Run an SQL query on the tables ``runs``, ``flows`` and ``points`` (needs the extra ``bentpipe[sql]``).

        Raises:
            ScenarioError: If DuckDB is not installed, or refuses the query.
        """
        return ask(self, query)

    def plot(self, of: str | None = None) -> Figure:
        """Draw the main picture of the sweep, which is the first of `plots`.

        Raises:
            ArgumentError: If the number is unknown.
        """
        return next(iter(self.plots(of).values()))

    def plots(
        self, of: str | Sequence[str] | None = None, *, size: tuple[float, float] | None = None
    ) -> dict[str, Figure]:
        """Draw the pictures, and return them by name.

        One axis gives lines, two axes lines and a heat map, three axes small multiples, and more axes dots. A further
        picture ("pareto") shows the Pareto front of the number and the delay, or of the number and the times of visits.
        Points with different traffic or networks are not compared. The names of pictures of a further number contain
        the number ("heat-loss_percent").

        Args:
            of: The numbers that are drawn, also as text with commas; by default `main`.
            size: Width and height in inches; fonts are scaled with the size. By default 6.5 to 10 inches wide, and as
                high as needed.

        Raises:
            ArgumentError: If a number is unknown.
        """
        from bentpipe.show.pictures import sweep

        return sweep.pictures(self, keys(of), size)

    def report(self, file: str | os.PathLike[str], of: str | Sequence[str] | None = None) -> Path:
        """Write a self-contained HTML page with the pictures and tables that can be sorted and filtered.

        Args:
            file: The page.
            of: The numbers of the pictures and of the first columns, also as text with commas; by default `main`.

        Raises:
            ArgumentError: If a number is unknown.
            RunError: If the page cannot be written.
        """
        return _page.write(self, arguments.path("file", file), keys(of))


def keys(of: str | Sequence[str] | None) -> tuple[str, ...]:
    """Return the keys of numbers of a sweep, also from text with commas; empty for None.

    Raises:
        ArgumentError: If a number is unknown.
    """
    found = () if of is None else tuple(one.strip() for one in (of.split(",") if isinstance(of, str) else of))
    for one in found:
        if one not in numbers():
            raise arguments.known("number", one, numbers())
    return found


def _findings_of(texts: object, badness: object) -> Iterator[tuple[str, str, float]]:
    """Yield the findings in the row of a run: kind, text and severity."""
    lines = str(texts).splitlines() if texts else []
    bad = [float(one) for one in str(badness).splitlines()] if badness else [0.0] * len(lines)
    for line, one in zip(lines, bad, strict=True):
        kind, _, text = line.partition(": ")
        yield kind, text, one


def _read(file: Path) -> pa.Table:
    try:
        return reading.table(file)
    except Unfit as problem:
        raise _damaged(file, problem) from None


def _damaged(file: Path, why: object) -> RunError:
    return damaged(file, why, "sweep", "run the sweep again")


def is_sweep(folder: Path) -> bool:
    """Whether a folder has the tables of a finished sweep.

    Raises:
        RunError: If the folder cannot be read.
    """
    return _is_there(folder / _tables.RUNS)


def load_sweep(folder: str | os.PathLike[str]) -> Sweep:
    """Read the folder of a sweep.

    Raises:
        ScenarioError: If the folder has no sweep, or a sweep of another version.
        RunError: If the tables are damaged.
    """
    place = arguments.place("the folder of a sweep", folder)
    if place is None or not is_sweep(place):
        raise ScenarioError(
            "folder-not-a-run", f"{place} is not the folder of a finished sweep: it has no {_tables.RUNS}"
        )
    file = place / _tables.RUNS
    runs = _read(file)
    try:
        text = (runs.schema.metadata or {}).get(_tables.ABOUT, b"{}")
        about = shape.parsed(text, dict[str, object])
        form = about.get("form")
        if form != _tables.FORM:
            raise ScenarioError(
                "folder-not-a-run",
                f"{file} has format {form or 'unknown'}, and this version reads format {_tables.FORM} (run the sweep "
                "again)",
            )
        shape.parsed(text, About)
        said = cast("About", about)  # cast keeps integers and all keys of the document
        reading.refuse_other_columns(runs, _tables.runs_schema(said), later=(*_tables.LATER, *_tables.ADDED))
        _refuse_other_points(runs, said)
    except Unfit as problem:
        raise _damaged(file, problem) from None
    return Sweep(said, place, failed=len(runs) - runs.column("error").null_count)


def _is_there(file: Path) -> bool:
    """Whether a file exists.

    Raises:
        RunError: If the folder of the file cannot be read.
    """
    try:
        return file.exists()
    except PermissionError as problem:
        raise _damaged(file, problem) from None


def _refuse_other_points(runs: pa.Table, about: About) -> None:
    """Check that the rows are in the order of their points, and that every point has a row."""
    import pyarrow.compute as pc

    points = runs.column("point").combine_chunks()
    wrong = points.null_count or not about["looks"] or any(len(look) != 2 for look in about["looks"])
    if not wrong:
        found = pc.unique(points).to_pylist()
        wrong = found != list(range(about["points"])) or pc.any(pc.less(points[1:], points[:-1])).as_py()
    if wrong:
        raise Unfit("points are missing or out of order")
