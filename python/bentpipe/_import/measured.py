# SPDX-License-Identifier: MIT OR Apache-2.0
"""What the readers of measurements return, and what they share."""

from __future__ import annotations

import csv
import statistics
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from bentpipe.base.files import Unfit

if TYPE_CHECKING:
    from collections.abc import Iterator

#: Most bytes of a measurement.
MOST = 2_000_000_000


class Sample(NamedTuple):
    """What one probe, one interval or one row of a source says.

    Attributes:
        at_s: When the probe was sent, or the interval began, in seconds since any moment.
        rtt_ms: Round trip; None if the sample has none.
        rate_mbit_s: Rate; None if the sample has none. 0 means that nothing arrived.
        loss: Fraction of the packets that are lost on the round trip; 1 is a lost probe.
    """

    at_s: float
    rtt_ms: float | None = None
    rate_mbit_s: float | None = None
    loss: float = 0.0


@dataclass
class Measured:
    """A measurement.

    Attributes:
        source: What was read, for people: ``ping (Linux)``.
        samples: The samples, in any order.
        notes: What was assumed, and what the source cannot say.
        omits_lost: Whether lost probes leave no row, so that only silence shows an outage.
    """

    source: str
    samples: list[Sample] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    omits_lost: bool = False


@dataclass(frozen=True)
class Asked:
    """What the user says about a measurement.

    Attributes:
        columns: Meaning of the columns of a CSV file, ``("time", "rtt=us")``; empty if not given.
        interval_s: Seconds between probes or rows, for a source without times; None if not given.
        direction: ``"up"`` or ``"down"`` in sources with both; None if not given.
        step_s: Length of a step of the path trace.
    """

    columns: tuple[str, ...] = ()
    interval_s: float | None = None
    direction: str | None = None
    step_s: float = 0.1


#: The first assumption about every source that measures round trips.
HALVED = "assumed: the delay of each direction is half of the round trip"
QUEUED = (
    "assumed: waiting in queues is part of the delay, as the source measured it (--floor TIME keeps the smallest of "
    "each window)"
)
NO_RATE = "not measured: the capacity (give the link a rate, or import with --rate)"


def probe(at_s: float, rtt_ms: float | None) -> Sample:
    """A probe that was sent at a time in seconds, with its round trip in ms; None if it was lost."""
    return Sample(at_s, rtt_ms, None, 1.0 if rtt_ms is None else 0.0)


def answered(samples: list[Sample], known: str = "") -> list[str]:
    """The notes that say how many probes were answered; `known` is more about the lost ones."""
    lost = sum(sample.rtt_ms is None for sample in samples)
    notes = [f"measured: {len(samples) - lost} probes answered, {lost} lost{known}"]
    return notes + ["assumed: a lost probe is an outage of both directions until the next probe"] * (lost > 0)


def both_ways(loss: float) -> float:
    """The loss on a round trip whose two directions each lose the fraction `loss`: 1 - (1 - p)^2."""
    return 1.0 - (1.0 - loss) ** 2


def text_of(data: bytes) -> str:
    """The text of a log. Windows writes UTF-16 or a code page, other systems UTF-8."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return data.decode("utf-16", errors="replace")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("cp1252", errors="replace")


def rows(text: str, separator: str = ",") -> Iterator[tuple[int, list[str]]]:
    """The rows of a CSV file with their lines, counted from 1. Empty lines and lines that begin with # are left out.

    Args:
        text: The file.
        separator: One character; a space stands for any white space.
    """
    lines = text.splitlines()
    if separator == " ":
        found: Iterator[tuple[int, list[str]]] = ((number, line.split()) for number, line in enumerate(lines, 1))
    else:
        reader = csv.reader(lines, delimiter=separator)
        found = ((reader.line_num, cells) for cells in reader)
    try:
        for number, cells in found:
            if any(cells) and not cells[0].startswith("#"):
                yield number, [cell.strip() for cell in cells]
    except csv.Error as problem:
        raise Unfit(f"line {len(lines)}: {problem}") from None


def number(cell: str, line: int, column: str) -> float | None:
    """A finite number; None for an empty cell and for "nan".

    Raises:
        Unfit: With line, column and value.
    """
    if cell == "" or cell.lower() in ("nan", "none", "null", "-", "*"):
        return None
    try:
        value = float(cell)
    except ValueError:
        raise Unfit(f'line {line}: {column} "{cell[:40]}" is not a number') from None
    if value in (float("inf"), float("-inf")):
        raise Unfit(f'line {line}: {column} "{cell[:40]}" is not finite')
    return value


def interval_of(samples: list[Sample]) -> float:
    """The median time between samples, which are sorted, in seconds; 1 s for a single sample."""
    gaps = [later.at_s - sample.at_s for sample, later in pairwise(samples) if later.at_s > sample.at_s]
    return statistics.median(gaps) if gaps else 1.0
