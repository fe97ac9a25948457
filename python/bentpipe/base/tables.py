# SPDX-License-Identifier: MIT OR Apache-2.0
"""The tables of a run, their conversions, and their sources (memory, a run folder, a pickle)."""

from __future__ import annotations

import itertools
import operator
from array import array
from collections import Counter
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, cast, overload

from bentpipe import _core
from bentpipe.base import arguments, reading
from bentpipe.base.damage import damaged
from bentpipe.base.errors import RunError
from bentpipe.base.extras import needs
from bentpipe.base.files import Unfit, whole, write_text

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from pathlib import Path

    import numpy as np
    import pandas as pd
    import polars as pl
    import pyarrow as pa
    from numpy.typing import NDArray

    from bentpipe.base.reading import Origin

#: Number of rows that a notebook shows, and number of rows that are converted at a time.
_ROWS_SHOWN, _BATCH = 20, 10_000
#: Largest number of rows and columns of a sheet of an Excel workbook.
_SHEET_ROWS, _SHEET_COLUMNS = 1_048_576, 16_384


def _shown(value: object) -> str:
    """Return the text of a value in an HTML cell."""
    from html import escape

    if value is None:
        return ""
    return escape(f"{value:.6g}" if isinstance(value, float) else str(value))


def _is_number(kind: pa.DataType) -> bool:
    import pyarrow as pa

    return bool(pa.types.is_integer(kind) or pa.types.is_floating(kind))


def arrow_column(values: Sequence[object], kind: pa.DataType) -> pa.Array:
    """Return an Arrow array of numbers, Booleans or text; None is a missing value.

    `pyarrow.array` imports pandas where pandas is installed, which takes a second of CPU time.
    """
    import pyarrow as pa

    known = ["0" if value is None else "1" for value in values]
    missing = known.count("0")
    valid = _bits(known) if missing else None
    if kind == pa.string():
        texts = [b"" if value is None else str(value).encode() for value in values]
        ends = array("i", itertools.accumulate(map(len, texts), initial=0))
        buffers = (pa.py_buffer(ends), pa.py_buffer(b"".join(texts)), valid, missing)
        return pa.StringArray.from_buffers(len(texts), *buffers)
    if kind == pa.bool_():
        data = _bits(["1" if value else "0" for value in values])
    else:
        numbers = cast("list[float]", [value or 0 for value in values])
        data = pa.py_buffer(array("q", map(int, numbers)) if kind == pa.int64() else array("d", numbers))
    return pa.Array.from_buffers(kind, len(values), [valid, data], missing)


def _bits(digits: list[str]) -> pa.Buffer:
    """Return a bitmap of binary digits, with the first digit in the lowest bit."""
    import pyarrow as pa

    number = int("".join(reversed(digits)) or "0", 2)
    return pa.py_buffer(number.to_bytes(-(-len(digits) // 8), "little"))


def floats(column: pa.ChunkedArray) -> NDArray[np.float64]:
    """Return a column as floats; a missing value is NaN. Like `arrow_column`, this function does not import pandas."""
    import numpy as np
    import pyarrow as pa

    parts = [np.zeros(0)]
    for chunk in column.cast(pa.float64()).chunks:
        valid, data = chunk.buffers()
        mine = slice(chunk.offset, chunk.offset + len(chunk))
        part = np.frombuffer(data, np.float64)[mine].copy() if len(chunk) else np.zeros(0)
        if valid is not None and len(chunk):
            part[np.unpackbits(np.frombuffer(valid, np.uint8), bitorder="little")[mine] == 0] = np.nan
        parts.append(part)
    return np.concatenate(parts)


class Table:
    """A table in Arrow's memory, with conversions for other libraries. DuckDB and polars read it directly.

    ``table['name']`` is a column, ``table[0]`` a row, ``table[10:20]`` a table of some rows.

    Raises:
        ArgumentError: If two columns have the same name.
    """

    def __init__(self, source: object) -> None:
        import pyarrow as pa

        # `pa.table` would import pandas if pandas is installed.
        is_ours = isinstance(source, _core.Table)
        read = pa.RecordBatchReader.from_stream(source).read_all() if is_ours else source
        self.arrow: pa.Table = read if isinstance(read, pa.Table) else pa.table(read)
        if double := next((name for name, count in Counter(self.columns).items() if count > 1), None):
            raise arguments.refuse(f"two columns are called {double}: name them with `as`")

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """Return a stream of the Arrow PyCapsule interface, by which other libraries read the table without a copy."""
        return self.arrow.__arrow_c_stream__(requested_schema)

    def __len__(self) -> int:
        """Return the number of rows."""
        return int(self.arrow.num_rows)

    def __repr__(self) -> str:
        """Return the number of rows, and the names of the columns."""
        return f"<Table of {len(self)} rows: {', '.join(self.columns)}>"

    def _repr_html_(self) -> str:
        """Return the first rows as an HTML table, for notebooks."""
        from html import escape

        # The style of notebooks aligns every cell right.
        styles = {
            field.name: f' style="text-align:{"right" if _is_number(field.type) else "left"}"'
            for field in self.arrow.schema
        }
        head = "".join(f"<th{styles[name]}>{escape(name)}</th>" for name in self.columns)
        rows = "".join(
            f"<tr>{''.join(f'<td{styles[name]}>{_shown(row[name])}</td>' for name in self.columns)}</tr>"
            for row in self.head(_ROWS_SHOWN)
        )
        more = f"<p>the first {_ROWS_SHOWN} of {len(self):,} rows</p>" if len(self) > _ROWS_SHOWN else ""
        return f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>{more}"

    def _ipython_key_completions_(self) -> list[str]:
        """Return the names that IPython offers after ``table["``."""
        return self.columns

    def __iter__(self) -> Iterator[dict[str, Any]]:
        """Iterate over the rows, each a dict by column. ``pandas.DataFrame(table)`` uses this iterator."""
        for batch in self.arrow.to_batches(max_chunksize=_BATCH):
            yield from batch.to_pylist()

    @overload
    def __getitem__(self, wanted: str) -> list[Any]: ...
    @overload
    def __getitem__(self, wanted: int) -> dict[str, Any]: ...
    @overload
    def __getitem__(self, wanted: slice) -> Table: ...
    def __getitem__(self, wanted: str | int | slice) -> list[Any] | dict[str, Any] | Table:
        """Return a column by name as a list, a row by number as a dict, or a slice of rows as a table.

        An unknown value is None.

        Raises:
            ArgumentError: If there is no such column or row.
        """
        if isinstance(wanted, slice):
            return Table(self.arrow.take([*range(*wanted.indices(len(self)))]))
        if isinstance(wanted, int):
            if not -len(self) <= wanted < len(self):
                raise arguments.refuse(f"there is no row {wanted}: the table has {len(self)} rows")
            row: dict[str, Any] = self.arrow.slice(wanted % len(self), 1).to_pylist()[0]
            return row
        if wanted not in self.columns:
            raise arguments.known("column", wanted, self.columns)
        return list(self.arrow.column(wanted).to_pylist())

    def head(self, rows: int = 5) -> Table:
        """Return the first `rows` rows as a table."""
        return self[: max(rows, 0)]

    @property
    def num_rows(self) -> int:
        """The number of rows. An Arrow table uses the same name."""
        return len(self)

    @property
    def num_columns(self) -> int:
        """The number of columns. An Arrow table uses the same name."""
        return len(self.columns)

    @property
    def column_names(self) -> list[str]:
        """The names of the columns. An Arrow table uses the same name for this list."""
        return self.columns

    @property
    def columns(self) -> list[str]:
        """The names of the columns. The unit of a column is a part of its name."""
        return list(self.arrow.column_names)

    def to_csv(self, file: str | os.PathLike[str] | None = None) -> str | Path:
        """Write the table as CSV and return the file; without `file`, return the text.

        Raises:
            RunError: If the file cannot be written.
        """
        import io

        from pyarrow import csv

        text = io.BytesIO()
        if self.columns:
            csv.write_csv(self._flat(), text, csv.WriteOptions(quoting_style="needed"))
        said = text.getvalue().decode()
        if file is None:
            return said
        place = arguments.path("file", file)
        write_text(place, said)
        return place

    def to_xlsx(self, file: str | os.PathLike[str]) -> Path:
        """Write the table as an Excel workbook (needs the extra ``bentpipe[xlsx]``). An unknown value is empty.

        Raises:
            ArgumentError: If the table has more rows or columns than a sheet can have.
            RunError: If the file cannot be written.
        """
        return write_workbook(arguments.path("file", file), {"Sheet1": self})

    def write(self, file: str | os.PathLike[str]) -> Path:
        """Write the table as an Excel workbook (`to_xlsx`) if the name ends in .xlsx, otherwise as CSV (`to_csv`)."""
        place = arguments.path("file", file)
        if place.suffix.lower() == ".xlsx":
            return self.to_xlsx(place)
        self.to_csv(place)
        return place

    def _flat(self) -> pa.Table:
        """Return the table with lists as text. `;` separates the items."""
        import pyarrow as pa

        columns = [
            pa.array([None if row is None else ";".join(map(str, row)) for row in column.to_pylist()], pa.string())
            if pa.types.is_nested(column.type)
            else column
            for column in self.arrow.columns
        ]
        return pa.table(columns, names=self.columns)

    def to_pandas(self) -> pd.DataFrame:
        """Convert to a pandas data frame (needs the extra ``bentpipe[pandas]``)."""
        return self.arrow.to_pandas()

    def to_polars(self) -> pl.DataFrame:
        """Convert to a polars data frame (needs the extra ``bentpipe[polars]``)."""
        import polars

        frame = polars.from_arrow(self.arrow)
        assert isinstance(frame, polars.DataFrame)  # noqa: S101 - a table never becomes a series
        return frame


def write_workbook(place: Path, sheets: Mapping[str, Table]) -> Path:
    """Write tables as the sheets of an Excel workbook (needs the extra ``bentpipe[xlsx]``). Errors: `Table.to_xlsx`."""
    needs("xlsxwriter", "xlsx", "writing Excel workbooks")
    import xlsxwriter

    for name, table in sheets.items():
        if len(table) >= _SHEET_ROWS or len(table.columns) > _SHEET_COLUMNS:
            which = f"the table {name}" if len(sheets) > 1 else "the table"
            raise arguments.refuse(
                f"cannot write {place}: a sheet has at most {_SHEET_ROWS - 1:,} rows below its head and "
                f"{_SHEET_COLUMNS:,} columns, and {which} has {len(table):,} and {len(table.columns):,} (write .csv)"
            )
    with whole(place) as partial_file:
        options = {"strings_to_formulas": False, "strings_to_urls": False, "nan_inf_to_errors": True}
        with xlsxwriter.Workbook(str(partial_file), options) as book:
            for name, table in sheets.items():
                sheet = book.add_worksheet(name)
                sheet.freeze_panes(1, 0)
                sheet.write_row(0, 0, table.columns, book.add_format({"bold": True}))
                for number, row in enumerate(Table(table._flat()), 1):
                    sheet.write_row(number, 0, list(row.values()))
                sheet.autofit()
    return place


#: The tables of a run.
TABLES = tuple(name for name, _ in _core.table_columns())


@dataclass(frozen=True)
class Stored:
    """The tables of a run folder.

    Attributes:
        folder: The folder.
        origin: The run of the folder's summary. A table of another run is refused.
    """

    folder: Path
    origin: Origin

    def __call__(self, name: str, columns: Sequence[str] | None = None) -> Table:
        """Read a table, or some of its columns.

        Raises:
            RunError: If the table is damaged, or belongs to another run.
        """
        import pyarrow as pa

        file = self.folder / f"{name}.parquet"
        if not file.exists():
            return Table(pa.table({}))
        try:
            return Table(reading.run_table(file, name, self.origin, columns))
        except Unfit as problem:
            raise damaged(file, problem) from None

    def rows(self, name: str) -> int:
        """Return the number of rows of a table. Only the end of its file is read.

        Raises:
            RunError: If the table is damaged.
        """
        file = self.folder / f"{name}.parquet"
        try:
            return reading.rows(file) if file.exists() else 0
        except Unfit as problem:
            raise damaged(file, problem) from None

    def of(self, scenario: str, name: str) -> Table:
        """Return a table that the run of a scenario wrote into this folder.

        Raises:
            RunError: If the folder no longer exists, or contains another run.
        """
        file = self.folder / "scenario.toml"
        try:
            there: str | None = reading.text(file)
        except Unfit:
            there = None
        if there != scenario or not (self.folder / f"{name}.parquet").exists():
            now = "no longer exists" if there is None else "now holds something else"
            raise RunError(
                "folder-damaged",
                f"the table `{name}` of this run was too long for memory: it was written to {self.folder}, which {now} "
                "(make the run again)",
            )
        return self(name)


@dataclass(frozen=True)
class Made:
    """The tables of a run that this process made. Another process reads the run folder, or receives copies."""

    result: _core.Result
    stored: Stored | None

    def __call__(self, name: str) -> Table:
        """Return a table by its name."""
        made = getattr(self.result, name)
        if made is not None:
            return Table(made)
        # The table was too long for memory, so it was written to the folder during the run.
        assert self.stored is not None  # noqa: S101 - only a table with a folder is written during the run
        return self.stored.of(self.result.scenario, name)

    def __reduce__(self) -> tuple[Callable[..., object], tuple[object, ...]]:
        """Pickle the folder if there is one, otherwise the tables."""
        if self.stored is not None:
            return Stored, (self.stored.folder, self.stored.origin)
        return partial, (operator.getitem, {name: self(name) for name in TABLES})
