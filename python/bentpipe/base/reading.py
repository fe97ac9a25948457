# SPDX-License-Identifier: MIT OR Apache-2.0
"""Read files of stores and folders, and check the kind of file, the size, the format, and the run of each file.

Commands read their own files through this module, `files.content` and `shape.parsed`. A refusal raises `Unfit` with the
reason; the caller adds the place and the fix.
"""

from __future__ import annotations

import hashlib
import re
import zlib
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import TYPE_CHECKING

from bentpipe import _core
from bentpipe.base import shape
from bentpipe.base.damage import damaged
from bentpipe.base.files import Unfit, content, plain, regular

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    import pyarrow as pa

    from bentpipe.results.summary_types import Provenance

#: Largest size in bytes of a document that a command wrote. The summary of a run of 100,000 flows has 150 MB.
MOST = 256_000_000
#: Largest size in bytes of a Parquet file in memory after decompression.
_UNPACKED = 16_000_000_000
#: The files of a run folder that are not tables.
DOCUMENTS = ("scenario.toml", "summary.json")
#: The file with the digests of documents and tables, in the format of `sha256sum -c`.
DIGESTS = "SHA256SUMS"
#: Version of the schemas from which on run folders have digests.
_DIGESTS_SINCE = 12
#: Columns that were added in versions 5 (`name`), 12 and 13 (`*_too_large`) of the schemas. Run folders of earlier
#: versions lack these columns.
_LATER = {
    "flows": ("name", "lost_policer", "lost_too_large"),
    "parts": ("lost_policer", "lost_too_large"),
    "links": ("dropped_policer", "dropped_too_large", "bleached_packets"),
    "nodes": ("altitude_km",),
}
#: Columns with few distinct texts in a long run.
_REPEATED = ("via", "detail")
#: The key of a table's provenance, in the metadata of its schema.
ABOUT = b"bentpipe"
#: The scenario of the shortest run. Its tables have the same columns as the tables of every other run.
_SHORTEST = """
duration = "1 ms"
network.dumbbell = { rate = "1 Mbit/s", rtt = "1 ms" }
flows = [{ controller = "reno" }]
"""


@dataclass(frozen=True)
class Origin:
    """The run that a table belongs to.

    Attributes:
        seed: The seed.
        identity: Digest of the inputs of the run; None if the run has no digest (old folders, some user controllers).
    """

    seed: int
    identity: str | None = None

    @staticmethod
    def of(provenance: Provenance) -> Origin:
        """Return the origin of the run with this provenance."""
        return Origin(provenance["seed"], provenance.get("identity"))


def text(file: Path) -> str:
    """Return the text of a file that a command wrote.

    Raises:
        Unfit: If the file is not a regular file of at most `MOST` bytes, cannot be read, or is not UTF-8.
    """
    try:
        return content(file, MOST).decode("utf-8")
    except UnicodeDecodeError as problem:
        raise Unfit(str(problem)) from None


def unpacked(kept: object, most: int = MOST) -> bytes:
    """Decompress data that zlib compressed.

    Raises:
        Unfit: If zlib did not write the data, or the data are cut off or decompress to more than `most` bytes.
    """
    if not isinstance(kept, bytes):
        raise Unfit(f"it is {type(kept).__name__}, not compressed bytes")
    unpacker = zlib.decompressobj()
    try:
        found = unpacker.decompress(kept, most)
    except zlib.error as problem:
        raise Unfit(str(problem)) from None
    if not unpacker.eof:
        raise Unfit(f"it unpacks to more than {most / 1e6:g} MB, or is cut off")
    if unpacker.unused_data:
        raise Unfit("further bytes follow the compressed data")
    return found


@cache
def schemas() -> dict[str, pa.Schema]:
    """Return names and types of the columns of each table of a run, from tables of the extension module.

    `_core.table_columns` has only the names.
    """
    import pyarrow as pa

    tables = _core.Session(_core.Job(_SHORTEST, "<text>")).tables()
    return {name: pa.table(getattr(tables, name)).schema for name, _ in _core.table_columns()}


@contextmanager
def _by_pyarrow() -> Iterator[None]:
    import pyarrow as pa

    try:
        yield
    except Unfit:
        raise
    except (OSError, ValueError, KeyError, TypeError, MemoryError, pa.ArrowException) as problem:
        raise Unfit(str(problem) or type(problem).__name__) from None


def table(file: Path, columns: Sequence[str] | None = None) -> pa.Table:
    """Read a Parquet file, or some of its columns. Check that texts are UTF-8 and lists are within their bounds.

    Raises:
        Unfit: If the file is not a valid Parquet file.
    """
    import pyarrow.parquet as pq

    regular(file)
    with _by_pyarrow():
        repeated = [] if columns is None else [one for one in columns if one in _REPEATED]
        # `pq.read_table` imports pandas where pandas is installed.
        with pq.ParquetFile(file, read_dictionary=repeated) as opened:
            # pyarrow omits the table's metadata when it reads only some columns.
            found = opened.read(columns and list(columns)).replace_schema_metadata(opened.schema_arrow.metadata)
        found.validate(full=True)
        return found


def batches(content: bytes, schema: pa.Schema) -> Iterator[pa.Table]:
    """Yield the rows of a Parquet file in memory, a thousand at a time.

    Args:
        content: The content of the file.
        schema: The columns to read.

    Raises:
        Unfit: If the content is not a valid Parquet file with these columns.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    with _by_pyarrow(), pq.ParquetFile(pa.BufferReader(content)) as opened:
        stated = sum(opened.metadata.row_group(number).total_byte_size for number in range(opened.num_row_groups))
        if stated > _UNPACKED:
            raise Unfit(f"it unpacks to {stated / 1e9:.1f} GB")
        for some in opened.iter_batches(1_000, columns=schema.names):
            found = pa.Table.from_batches([some])
            found.validate(full=True)
            refuse_other_columns(found, schema)
            yield found


def refuse_without_digests(folder: Path, version: int) -> None:
    """Refuse a run folder that should have digests and has none.

    Raises:
        Unfit: If the version of the schemas writes digests, and the folder has none.
    """
    if version >= _DIGESTS_SINCE and not (folder / DIGESTS).exists():
        raise Unfit(
            f"{DIGESTS} is missing in the same folder, so changes cannot be detected (copy the complete folder)"
        )


def refuse_changed(file: Path) -> None:
    """Refuse a file of a run folder that was changed after the run. A folder of an earlier build has no digests.

    Raises:
        Unfit: If the digest of the file is not the digest in `DIGESTS`, or `DIGESTS` cannot be read.
    """
    sums = file.with_name(DIGESTS)
    if not sums.exists():
        return
    try:
        listed = re.search(rf"^([0-9a-f]{{64}}) [ *]{re.escape(file.name)}$", text(sums), re.MULTILINE)
    except Unfit as problem:
        raise Unfit(f"{DIGESTS} in the same folder cannot be used: {problem}") from None
    if listed is None:
        raise Unfit(f"{DIGESTS} in the same folder has no digest of the file")
    try:
        about = file.stat()
        digest = _digest(file, about.st_ino, about.st_size, about.st_mtime_ns)
    except OSError as problem:
        raise Unfit(plain(problem)) from None
    if digest != listed[1]:
        raise Unfit(f"it was changed after the run: its digest is not the one in {DIGESTS}")


@lru_cache(256)
def _digest(file: Path, _number: int, _size: int, _time_ns: int) -> str:
    """Return the SHA-256 of a file. The other arguments change with the file, so the cache is never outdated."""
    with file.open("rb") as opened:
        return hashlib.file_digest(opened, "sha256").hexdigest()


def run_table(file: Path, name: str, origin: Origin, columns: Sequence[str] | None = None) -> pa.Table:
    """Read a table of a run folder, or some of its columns.

    Raises:
        Unfit: If the file is not such a table, a column is missing or has another type, or the table is of another run.
    """
    regular(file)
    refuse_changed(file)
    found = table(file, columns)
    refuse_other_columns(found, schemas()[name], columns, _LATER.get(name, ()))
    if shape.parsed((found.schema.metadata or {}).get(ABOUT, b"null"), Origin) != origin:
        raise Unfit("it belongs to another run than summary.json: identity or seed differ")
    return found


def refuse_other_columns(
    found: pa.Table, schema: pa.Schema, wanted: Sequence[str] | None = None, later: Sequence[str] = ()
) -> None:
    """Refuse a table that lacks columns of a schema. Further columns (of a later version) are allowed.

    Args:
        found: The table.
        schema: Names and types of the columns, and whether values may be missing.
        wanted: The columns to check; by default all columns of the schema.
        later: Columns that an earlier version did not write.

    Raises:
        Unfit: If a column is missing, has another type, or has missing values that the schema does not allow. The
            message has the first such column.
    """
    for name in wanted or schema.names:
        count, field = found.column_names.count(name), schema.field(name)
        if count == 0 and name in later:
            continue
        if count != 1:
            raise Unfit(f"it has {'no' if count == 0 else count} column{'s' if count else ''} {name}")
        column = found.column(name)
        if _plain(column.type) != _plain(field.type):
            raise Unfit(f"its column {name} holds {column.type}, not {_plain(field.type)}")
        if column.null_count and not field.nullable:
            raise Unfit(f"its column {name} has missing values")


def _plain(kind: pa.DataType) -> pa.DataType:
    """Return the type of the values, also if they are stored as a dictionary."""
    import pyarrow as pa

    return kind.value_type if pa.types.is_dictionary(kind) else kind


def rows(file: Path) -> int:
    """Return the number of rows of a Parquet file, from its footer.

    Raises:
        Unfit: If the file is not a valid Parquet file.
    """
    import pyarrow.parquet as pq

    regular(file)
    with _by_pyarrow():
        return int(pq.read_metadata(file).num_rows)


def refuse_other_kinds(folder: Path) -> None:
    """Refuse a run folder that contains a pipe, a device or an unreadable file. No file is opened.

    Raises:
        RunError: If there is such a file, or the folder cannot be read. The message has the file or the folder.
    """
    try:
        names = sorted(one.name for one in folder.iterdir() if one.name in DOCUMENTS or one.suffix == ".parquet")
    except PermissionError as problem:
        raise damaged(folder, problem) from None
    except (OSError, ValueError):
        return  # the reader reports a path that is not a folder
    for name in names:
        try:
            regular(folder / name, MOST if name in DOCUMENTS else None)
        except Unfit as problem:
            raise damaged(folder / name, problem) from None
