# SPDX-License-Identifier: MIT OR Apache-2.0
"""Write and read the tables of a sweep, with their provenance: one row per run, and one row per flow."""

from __future__ import annotations

import itertools
import json
from contextlib import ExitStack
from dataclasses import dataclass
from typing import TYPE_CHECKING, NotRequired, TypedDict

from bentpipe import _core
from bentpipe._sweep._base import flow_columns, flow_places, numbers
from bentpipe.base.errors import BentpipeError
from bentpipe.base.files import whole
from bentpipe.base.json import tables
from bentpipe.base.tables import arrow_column
from bentpipe.results.metrics import BY_KEY, COMPLETION, Asked, completion_least, read
from bentpipe.results.notes import by_advice
from bentpipe.results.transfers import done, groups, of_resolved

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from pathlib import Path

    import pyarrow as pa

    from bentpipe._sweep._axes import Axis
    from bentpipe._sweep._document import Document
    from bentpipe.base.json import Json
    from bentpipe.results.summary_types import FlowSummary, Summary
    from bentpipe.results.transfers import Transfers
    from bentpipe.runs.execute import Batch
    from bentpipe.runs.point import Wanted

    #: Columns by name.
    _Columns = dict[str, list[object]]
    #: Tables in a flow's summary, each with its keys and their columns.
    _Places = list[tuple[tuple[str, ...], list[tuple[str, Callable[[object], None]]]]]

#: Version of the format of the tables.
FORM = 3
#: The key under which the metadata of a table's schema contain the provenance.
ABOUT = b"bentpipe"
RUNS, FLOWS = "runs.parquet", "flows.parquet"
#: Columns that tables of an earlier build do not have: the worst finding of a run for each kind and fix, and the
#: severity of this finding. Each finding is a line of the text.
FINDINGS, BADNESS = "findings", "findings_badness"
#: Columns that were added later: the numbers of flows with a controller, of transfers and of finished transfers, and
#: lower bounds for percentiles of completion times of unfinished transfers.
SENDERS, TRANSFERS, DONE = "senders", "transfers", "transfers_done"
LEAST = {key: f"{key}_least" for key in COMPLETION}
#: Columns that are missing in tables of some earlier builds.
LATER = (FINDINGS, BADNESS, SENDERS, TRANSFERS, DONE, *LEAST.values())
#: Numbers that are missing in tables of some earlier builds.
ADDED = ("proxy_held_kb", "proxy_held_total_kb")
#: Number of runs that are written at a time.
_BATCH = 2_000
#: Number of summaries that are in memory at a time. A summary may have a thousand flows.
_READ = 100
_UNITS = ("mbit_s", "ms", "s", "percent", "bytes", "rtts")


@dataclass(frozen=True)
class Row:
    """A run of the sweep: its point and its seed."""

    point: int
    values: tuple[object, ...]
    wanted: Wanted


class SampleAbout(TypedDict):
    """A sample in the provenance: number of points, and seed."""

    points: int
    seed: int


class AxisAbout(TypedDict):
    """An axis in the provenance: its key, its column, and the cells of its levels (None for a sample)."""

    key: str
    column: str
    unit: str
    kind: str
    log: bool
    levels: list[object] | None
    name: NotRequired[str]


class UntilAbout(TypedDict):
    """The rule for enough seeds in the provenance, as the document contains it."""

    of: str
    half_width: str | float
    at_most: int


class SeedsAbout(TypedDict, total=False):
    """The seeds of each point in the provenance, as the document contains them."""

    at_least: int
    until: UntilAbout


class DocumentAbout(TypedDict, total=False):
    """The parts of the sweep's document that are read from the provenance."""

    seeds: SeedsAbout


class About(TypedDict):
    """The provenance in the tables. A look is a pair: number of seeds, and confidence level of the interval."""

    form: int
    version: str
    build: str
    origin: str
    points: int
    design: str
    sample: SampleAbout
    looks: list[list[float]]
    axes: list[AxisAbout]
    document: DocumentAbout
    presets: NotRequired[list[str]]


def _axis(axis: Axis) -> AxisAbout:
    found: AxisAbout = {
        "key": axis.key,
        "column": axis.column,
        "unit": axis.unit if axis.kind == "quantity" else "",
        "kind": axis.kind,
        "log": axis.is_log,
        "levels": None if axis.levels is None else [axis.cell(one) for one in axis.levels],
    }
    if axis.name:
        found["name"] = axis.name
    return found


def about(document: Document, levels: Sequence[float], points: int) -> About:
    """Return the provenance of the tables."""
    return {
        "form": FORM,
        "version": _core.version(),
        "build": _core.build(),
        "origin": document.origin,
        "points": points,
        "design": document.sample.design,
        "sample": {"points": document.sample.points, "seed": document.sample.seed},
        "looks": [[seeds, level] for seeds, level in zip(document.seeds.looks, levels, strict=True)],
        "axes": [_axis(axis) for axis in document.axes],
        "document": json.loads(document.text),
    }


def _field(name: str, kind: pa.DataType, **said: str) -> pa.Field:
    import pyarrow as pa

    return pa.field(name, kind, metadata={key: value for key, value in said.items() if value} or None)


def _axis_fields(axes: Sequence[AxisAbout]) -> list[pa.Field]:
    import pyarrow as pa

    kinds = {"whole": pa.int64(), "number": pa.float64(), "quantity": pa.float64(), "truth": pa.bool_()}
    return [
        _field(axis["column"], kinds.get(axis["kind"], pa.string()), key=axis["key"], unit=axis["unit"])
        for axis in axes
    ]


def _unit(name: str) -> str:
    tail = next((unit for unit in _UNITS if name.endswith(f"_{unit}") or f"_{unit}_" in name), "")
    return {"mbit_s": "Mbit/s", "percent": "%", "bytes": "B", "rtts": "RTT"}.get(tail, tail)


def runs_schema(said: About) -> pa.Schema:
    """Return the columns of ``runs.parquet``."""
    import pyarrow as pa

    totals = json.loads(_core.summary_schema())["$defs"]["Totals"]["properties"]
    counts = {key for key, described in totals.items() if described.get("type") == "integer"}
    fields = [
        _field("point", pa.int64()),
        *_axis_fields(said["axes"]),
        _field("seed", pa.int64()),
        *(
            _field(
                name,
                pa.int64() if name in counts else pa.float64(),
                unit=BY_KEY[name].unit if name in BY_KEY else _unit(name),
                of=BY_KEY[name].of if name in BY_KEY else "all flows",
            )
            for name in numbers()
        ),
        _field("error", pa.string()),
        _field("folder", pa.string()),
        _field(FINDINGS, pa.string()),
        _field(BADNESS, pa.string()),
        *(_field(name, pa.int64()) for name in (SENDERS, TRANSFERS, DONE)),
        *(_field(name, pa.float64(), unit="s", of=BY_KEY[key].of) for key, name in LEAST.items()),
    ]
    return pa.schema(fields, metadata={ABOUT: json.dumps(said).encode()})


def flows_schema(said: About) -> pa.Schema:
    """Return the columns of ``flows.parquet``."""
    import pyarrow as pa

    kinds = {"integer": pa.int64(), "number": pa.float64(), "string": pa.string(), "boolean": pa.bool_()}
    fields = [_field("point", pa.int64()), *_axis_fields(said["axes"]), _field("seed", pa.int64())]
    names = _flow_names([axis["column"] for axis in said["axes"]])
    for key, described in flow_columns().items():
        kind = described.get("type", "string")
        (plain,) = [kind] if isinstance(kind, str) else [one for one in kind if one != "null"]
        fields.append(_field(names[key], kinds[plain], unit=_unit(key)))
    return pa.schema(fields, metadata={ABOUT: json.dumps(said).encode()})


def _flow_names(axes: Sequence[str]) -> dict[str, str]:
    """Return the names of a flow's columns. If an axis has the same name, the name is changed."""
    taken = {*axes, "point", "seed"}
    return {key: f"flow_{key}" if key in taken else key for key in flow_columns()}


def transfers(document: dict[str, Json], resolved: str = "") -> tuple[Transfers, ...]:
    """Return the TCP flows that have a size, by name and size."""
    return of_resolved(resolved) if resolved else groups(tables(document, "flows"))


class Reader:
    """Reads rows of the tables from the archive."""

    def __init__(self, axes: Sequence[Axis], batch: Batch) -> None:
        self._axes, self._batch = axes, batch
        self._names = _flow_names([axis.column for axis in axes])
        self._asked: tuple[int, Asked] = (-1, Asked())
        #: The cells of the current point. They are kept because runs of a point are consecutive.
        self._point: tuple[int, tuple[object, ...]] = (-1, ())

    def asked(self, row: Row) -> Asked:
        """Return the flows of a run that can finish."""
        if self._asked[0] != row.point:
            document, resolved = row.wanted.point.document, ""
            if document.get("traffic"):
                # The scenario must be read, because only this resolves its flows.
                resolved = _core.facts(row.wanted.point.job()).resolved
            self._asked = row.point, Asked(None, transfers(document, resolved))
        return self._asked[1]

    def number(self, row: Row, name: str) -> float | None:
        """Return one number of a run; None if the number is missing or the run failed."""
        summary = self._batch.result(row.wanted)
        return None if isinstance(summary, BentpipeError) else read(name, summary, self.asked(row))

    def cells(self, row: Row) -> tuple[object, ...]:
        """Return point, axes and seed: the first columns of all tables."""
        if self._point[0] != row.point:
            cells = (axis.cell(value) for axis, value in zip(self._axes, row.values, strict=True))
            self._point = row.point, (row.point, *cells)
        return (*self._point[1], row.wanted.seed)

    def columns(self, rows: Sequence[Row]) -> tuple[_Columns, _Columns]:
        """Return the columns of some runs, and the columns of their flows."""
        frame = ["point", *(axis.column for axis in self._axes), "seed"]
        runs: _Columns = {name: [] for name in (*frame, *numbers(), "error", "folder", *LATER)}
        flows: _Columns = {name: [] for name in (*frame, *self._names.values())}
        places = [
            (table, [(key, flows[self._names[column]].append) for key, column in columns])
            for table, columns in flow_places().items()
        ]
        for row, summary in self._read(rows):
            error = summary if isinstance(summary, BentpipeError) else None
            cells = self.cells(row)
            for name, cell in zip(frame, cells, strict=True):
                runs[name].append(cell)
            folder = row.wanted.folder
            runs["error"].append(None if error is None else f"{error.code}: {error.message}")
            runs["folder"].append(None if folder is None or error is not None else folder.as_posix())
            if isinstance(summary, BentpipeError):
                for name in (*numbers(), *LATER):
                    runs[name].append(None)
                continue
            findings = by_advice(summary.get("findings", []))
            lines = [f"{kind}: {text}" for (kind, _), (_, text) in findings.items()]
            runs[FINDINGS].append("\n".join(lines) or None)
            runs[BADNESS].append("\n".join(repr(bad) for bad, _ in findings.values()) or None)
            asked = self.asked(row)
            for name in numbers():
                runs[name].append(read(name, summary, asked))
            sized = asked.transfers(summary)
            for name, count in ((SENDERS, len(asked.of(summary))), (TRANSFERS, len(sized)), (DONE, done(sized))):
                runs[name].append(count)
            for key, name in LEAST.items():
                runs[name].append(completion_least(key, summary, asked))
            for flow in summary["flows"]:
                for name, cell in zip(frame, cells, strict=True):
                    flows[name].append(cell)
                _take(flow, places)
        return runs, flows

    def _read(self, rows: Sequence[Row]) -> Iterator[tuple[Row, Summary | BentpipeError]]:
        left = iter(rows)
        while some := list(itertools.islice(left, _READ)):
            yield from zip(some, self._batch.results([row.wanted for row in some]), strict=True)


def _take(flow: FlowSummary, places: _Places) -> None:
    """Add a flow's numbers to their columns. A missing distribution gives None."""
    for table, columns in places:
        inner: object = flow
        for key in table:
            inner = inner.get(key) if isinstance(inner, dict) else None
        for key, append in columns:
            append(inner.get(key) if isinstance(inner, dict) else None)


def batches(
    rows: Iterable[Row], reader: Reader, schemas: tuple[pa.Schema, pa.Schema]
) -> Iterator[tuple[pa.Table, pa.Table]]:
    """Yield the two tables in parts."""
    left = iter(rows)
    while True:
        some = list(itertools.islice(left, _BATCH))
        runs, flows = reader.columns(some)
        yield _table(runs, schemas[0]), _table(flows, schemas[1])
        if len(some) < _BATCH:
            return


def _table(columns: _Columns, schema: pa.Schema) -> pa.Table:
    import pyarrow as pa

    return pa.Table.from_arrays([arrow_column(columns[field.name], field.type) for field in schema], schema=schema)


def write(folder: Path, parts: Iterable[tuple[pa.Table, pa.Table]], schemas: tuple[pa.Schema, pa.Schema]) -> None:
    """Write both tables. Each file is written completely or not at all.

    Raises:
        RunError: If a file cannot be written.
    """
    import pyarrow.parquet as pq

    with ExitStack() as files:
        places = [files.enter_context(whole(folder / name)) for name in (RUNS, FLOWS)]
        writers = [
            files.enter_context(pq.ParquetWriter(place, schema, compression="zstd"))
            for place, schema in zip(places, schemas, strict=True)
        ]
        for part in parts:
            for writer, table in zip(writers, part, strict=True):
                writer.write_table(table)
