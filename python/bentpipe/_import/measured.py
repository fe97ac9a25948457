# SPDX-License-Identifier: MIT OR Apache-2.0
"""The result type of the readers of measurements, and functions that the readers share."""

from __future__ import annotations

import csv
import statistics
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from bentpipe.base.files import Unfit

if TYPE_CHECKING:
    from collections.abc import Iterator

#: Smallest number of round trips from which percentiles are computed.
_FEW = 20
#: Largest size of a measurement in bytes.
MOST = 2_000_000_000


class Sample(NamedTuple):
    """The values of a probe, an interval or a row of a source.

    Attributes:
        at_s: Time in seconds at which the probe was sent, or the interval began. The origin of the time is arbitrary.
        rtt_ms: Round trip; None if the sample has no round trip.
        rate_mbit_s: Rate; None if the sample has no rate. 0 means that nothing arrived.
        loss: Fraction of the packets that are lost on the round trip. 1 is a lost probe.
    """

    at_s: float
    rtt_ms: float | None = None
    rate_mbit_s: float | None = None
    loss: float = 0.0


@dataclass
class Measured:
    """A measurement.

    Attributes:
        source: The kind of the source for readers: ``ping (Linux)``.
        samples: The samples, in any order.
        notes: Notes on assumptions, and on values that the source does not measure.
        omits_lost: Whether lost probes have no row, so that only silence shows an outage.
    """

    source: str
    samples: list[Sample] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    omits_lost: bool = False


@dataclass(frozen=True)
class Asked:
    """The user's statements about a measurement.

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


#: The assumption for every source that measures round trips.
HALVED = "assumed: the delay of each direction is half of the round trip"
QUEUED = (
    "assumed: the delay includes the queueing delay that the source measured (--floor TIME keeps the smallest round "
    "trip of each window)"
)
NO_RATE = "not measured: the capacity (give the link a rate, or import with --rate)"


#: A capture of a busy path has a standing queue: the median round trip exceeds the 5th percentile by this factor, and
#: by this many ms. Below these values, the difference may be jitter.
_STANDING, _STANDING_MS = 1.25, 5.0


def standing_queue(rtts_ms: list[float]) -> list[str]:
    """Return a warning if the round trips of the packets of a connection contain a standing queue; otherwise nothing.

    A replay would add its own queue to this queue, so the queueing delay would count twice.
    """
    if len(rtts_ms) < _FEW:
        return []
    twentieths = statistics.quantiles(rtts_ms, n=20, method="inclusive")
    low, middle = twentieths[0], twentieths[9]
    if middle < _STANDING * low or middle - low < _STANDING_MS:
        return []
    return [
        f"warning: the round trips contain a standing queue: the median is {middle:.3g} ms, the 5th percentile "
        f"{low:.3g} ms. A replay counts this queueing delay twice (import with --floor '10 s', which keeps the "
        "smallest round trip of each window, or measure the delay while the path is idle)"
    ]


def probe(at_s: float, rtt_ms: float | None) -> Sample:
    """Return the sample of a probe: the time of sending in seconds, and its round trip in ms (None: lost)."""
    return Sample(at_s, rtt_ms, None, 1.0 if rtt_ms is None else 0.0)


def answered(samples: list[Sample], known: str = "") -> list[str]:
    """Return the notes on the number of answered probes. `known` is a further text on the lost probes."""
    lost = sum(sample.rtt_ms is None for sample in samples)
    notes = [f"measured: {len(samples) - lost} probes answered, {lost} lost{known}"]
    return notes + ["assumed: a lost probe is an outage of both directions until the next probe"] * (lost > 0)


def both_ways(loss: float) -> float:
    """Return the loss on a round trip if each direction loses the fraction p: 1 - (1 - p)^2."""
    return 1.0 - (1.0 - loss) ** 2


def text_of(data: bytes) -> str:
    """Decode the text of a log. Windows writes UTF-16 or a code page, other systems write UTF-8."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return data.decode("utf-16", errors="replace")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("cp1252", errors="replace")


def rows(text: str, separator: str = ",") -> Iterator[tuple[int, list[str]]]:
    """Yield line numbers (from 1) and rows of a CSV file. Empty lines and lines that begin with # are left out.

    Args:
        text: The content of the file.
        separator: One character. A space means any white space.
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
    """Parse a finite number; None for an empty cell and for "nan".

    Raises:
        Unfit: If the cell is not a finite number. The message has line, column and value.
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
    """Return the median time in seconds between sorted samples; 1 s for a single sample."""
    gaps = [later.at_s - sample.at_s for sample, later in pairwise(samples) if later.at_s > sample.at_s]
    return statistics.median(gaps) if gaps else 1.0
