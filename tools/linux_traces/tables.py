# SPDX-License-Identifier: MIT OR Apache-2.0
"""Convert logs of a guest to the tables of data/linux."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

#: The kernel's value for "no ssthresh yet" (0x7fffffff) is kept. Its value for "no pacing rate" (all ones) becomes -1.
ROWS = pa.schema(
    [
        ("controller", pa.dictionary(pa.int8(), pa.string())),
        ("flow", pa.int8()),
        ("time_ms", pa.int32()),
        ("cwnd", pa.int32()),
        ("ssthresh", pa.int32()),
        ("srtt_us", pa.int32()),
        ("min_rtt_us", pa.int32()),
        ("bytes_acked", pa.int64()),
        ("retransmissions", pa.int32()),
        ("in_flight", pa.int32()),
        ("lost", pa.int32()),
        ("pacing_rate_bytes_s", pa.int64()),
        ("ca_state", pa.int8()),
        ("app_limited", pa.bool_()),
        ("rwnd_limited_ms", pa.int32()),
        ("sndbuf_limited_ms", pa.int32()),
        ("delivered_ce", pa.int32()),
        ("queue_packets", pa.int32()),
    ]
)
EPISODES = pa.schema(
    [
        ("case", pa.dictionary(pa.int8(), pa.string())),
        ("controller", pa.dictionary(pa.int8(), pa.string())),
        ("flow", pa.int8()),
        ("kind", pa.dictionary(pa.int8(), pa.string())),
        ("begin_us", pa.int64()),
        ("end_us", pa.int64()),
        ("cwnd_before", pa.int32()),
        ("ssthresh_before", pa.int32()),
        ("ssthresh_after", pa.int32()),
        ("cwnd_after", pa.int32()),
        ("retransmissions", pa.int32()),
        ("srtt_us", pa.int32()),
        ("in_flight_before", pa.int32()),
    ]
)
TOTALS = pa.schema(
    [
        ("case", pa.dictionary(pa.int8(), pa.string())),
        ("controller", pa.dictionary(pa.int8(), pa.string())),
        ("flow", pa.int8()),
        ("established_us", pa.int64()),
        ("bytes_acked", pa.int64()),
        ("data_segments_sent", pa.int32()),
        ("data_packets", pa.int32()),
        ("dropped_queue", pa.int32()),
        ("dropped_listed", pa.int32()),
        ("marked", pa.int32()),
        ("max_queue_packets", pa.int32()),
        ("mean_lateness_ns", pa.int32()),
        ("max_lateness_ns", pa.int32()),
    ]
)
#: The congestion states (enum tcp_ca_state) that count as episodes, by the kernel's number.
KINDS = {2: "cwr", 3: "recovery", 4: "loss"}


@dataclass
class Trace:
    """One run: the rows of the three tables, as tuples in the order of the schemas."""

    rows: list[tuple[Any, ...]] = field(default_factory=list)
    episodes: list[tuple[Any, ...]] = field(default_factory=list)
    totals: list[tuple[Any, ...]] = field(default_factory=list)


def read(log: Path, case: str, controller: str) -> Trace:
    """Reads a complete log."""
    trace, flows, common, late = Trace(), [], [0] * 5, [0, 0]
    for line in log.read_text().splitlines():
        kind, *text = line.split(",")
        values = [int(value) for value in text]
        if kind == "row":
            flow, *rest = values
            rest[11] = bool(rest[11])
            trace.rows.append((controller, flow, *rest))
        elif kind == "episode":
            flow, state, *rest = values
            trace.episodes.append((case, controller, flow, KINDS[state], *rest))
        elif kind == "flow":
            flows.append(values)
        elif kind == "totals":
            common = values
        elif kind == "guest":
            late = values[2:4]
    for flow, acked, sent, established in flows:
        trace.totals.append((case, controller, flow, established, acked, sent, *common, *late))
    return trace


def table(rows: Iterable[tuple[Any, ...]], schema: pa.Schema) -> pa.Table:
    columns = list(zip(*rows, strict=True)) or [()] * len(schema)
    arrays = []
    for column, entry in zip(columns, schema, strict=True):
        if pa.types.is_dictionary(entry.type):
            arrays.append(pa.array(column, entry.type.value_type).dictionary_encode().cast(entry.type))
        else:
            arrays.append(pa.array(column, entry.type))
    return pa.table(arrays, schema=schema)


def merge(
    path: Path,
    rows: list[tuple[Any, ...]],
    schema: pa.Schema,
    keys: list[str],
    order: list[str],
    fresh: set[tuple[str, ...]] | None = None,
) -> None:
    """Write `rows` into a file. Existing rows stay, unless `fresh` (the keys of `rows`) contains their keys."""
    fresh = fresh or {row[: len(keys)] for row in rows}
    if path.is_file():
        old = pq.read_table(path)
        if old.schema.names == schema.names:
            kept = (tuple(row[name] for name in schema.names) for row in old.to_pylist())
            rows = [row for row in kept if row[: len(keys)] not in fresh] + rows
    # The sort is stable, so that rows within a run keep the order of the log.
    place = {name: number for number, name in enumerate(order)}
    rows.sort(key=lambda row: tuple(place.get(key, len(place)) for key in row[: len(keys)]))
    path.parent.mkdir(parents=True, exist_ok=True)
    pq.write_table(table(rows, schema), path, compression="zstd", compression_level=19, write_statistics=False)


def present(path: Path, keys: list[str]) -> set[tuple[str, ...]]:
    """Returns the keys in a file."""
    if not path.is_file():
        return set()
    columns = [pc.cast(pq.read_table(path).column(key), pa.string()).to_pylist() for key in keys]
    return set(zip(*columns, strict=True))
