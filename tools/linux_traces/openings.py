# SPDX-License-Identifier: MIT OR Apache-2.0
"""Record how connections begin and end, packet by packet: the `[[opening]]` of data/oracles/cases.toml, in a table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pyarrow as pa
import tables

if TYPE_CHECKING:
    from pathlib import Path

NAME = pa.dictionary(pa.int8(), pa.string())
TABLE = pa.schema(
    [
        ("case", NAME),
        ("controller", NAME),
        ("connection", pa.int8()),
        ("sent_by", NAME),
        ("sent_ns", pa.int64()),
        ("arrived_ns", pa.int64()),
        ("fate", NAME),
        ("flags", NAME),
        ("ecn_sent", NAME),
        ("ecn_arrived", NAME),
        ("sequence", pa.int64()),
        ("acknowledged", pa.int64()),
        ("payload", pa.int32()),
        ("ip_length", pa.int32()),
        ("window", pa.int32()),
        ("queue_packets", pa.int32()),
        ("cwnd", pa.int32()),
        ("ssthresh", pa.int32()),
        ("srtt_us", pa.int32()),
        ("rto_us", pa.int32()),
        ("rcv_ssthresh", pa.int32()),
        ("rcv_space", pa.int32()),
        ("rcv_rtt_us", pa.int32()),
        ("options", NAME),
        ("sacks", pa.string()),
    ]
)
#: Schema of openings with AccECN. It also contains the TCP header as it was sent, with options.
ACCURATE = pa.schema([*TABLE, ("tcp", pa.binary())])
#: RFC 9293 section 3.1 and RFC 3168, from the lowest bit up.
FLAGS = "FIN", "SYN", "RST", "PSH", "ACK", "URG", "ECE", "CWR"
#: RFC 3168 section 5.
ECN = "not-ect", "ect1", "ect0", "ce"
HOSTS = "sender", "receiver"
#: The order is that of packets.h.
FATES = "arrived", "on the way", "lost in queue", "lost by list"


def row(case: str, controller: str, text: list[str]) -> tuple[Any, ...]:
    """Convert a packet of the log to a row."""
    *numbers, options, sacks = text[:23]
    values = [int(number) for number in numbers]
    connection, way, sent, arrived, fate, flags, ecn, ecn_arrived, sequence, acknowledged = values[:10]
    payload, length, window, queue, *states = values[10:]
    there = fate == FATES.index("arrived")
    # The sender's state is known from the time when it sends or receives the packet, and unknown before.
    sender = [value if not way or there else None for value in states[:4]]
    receiver = [value if way and any(states[4:]) else None for value in states[4:]]
    return (
        *(case, controller, connection, HOSTS[way], sent, arrived if there else None, FATES[fate]),
        " ".join(name for bit, name in enumerate(FLAGS) if flags >> bit & 1),
        *(ECN[ecn], ECN[ecn_arrived], sequence, acknowledged if flags & 16 else None),
        *(payload, length, window, None if way else queue),
        *sender,
        *receiver,
        *(options, sacks or None),
        *map(bytes.fromhex, text[23:]),
    )


def read(log: Path, case: dict[str, Any]) -> list[tuple[Any, ...]]:
    """Reads a complete log, in the order in which packets left their hosts."""
    lines = (line.split(",") for line in log.read_text().splitlines())
    return [row(case["name"], case["controller"], text[1:]) for text in lines if text[0] == "packet"]


def write(path: Path, rows: list[tuple[Any, ...]], order: list[str], schema: pa.Schema = TABLE) -> None:
    """Writes openings into the file, in the order of the cases."""
    tables.merge(path, rows, schema, ["case"], order)
