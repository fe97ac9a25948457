# SPDX-License-Identifier: MIT OR Apache-2.0
"""Convert the samples of a measurement to steps: cut, find silences, take windowed minima, average over steps."""

from __future__ import annotations

import math
import statistics
from collections import deque
from dataclasses import dataclass, replace
from itertools import groupby, pairwise

from bentpipe._import.measured import Measured, Sample, interval_of
from bentpipe.base.files import Unfit

#: Longest path trace: 30 days, in seconds (`crates/link/src/path_trace.rs`).
_LONGEST_S = 2_592_000
#: Bounds of a path trace (in the same file): a delay of 1 h in each direction, and a rate of 1 Tbit/s.
_SLOWEST_MS, _FASTEST_MBIT_S = 7_200_000, 1e6
#: Smallest rate of a path trace, 1 bit/s. A smaller rate becomes an outage, because a link at rate 0 keeps its packets.
_SLOWEST_MBIT_S = 1e-6
#: A last step that is shorter than this fraction of a step is left out, because clocks of tools are not exact.
_ROUNDED = 0.05
#: In sources whose lost probes have no row, a silence of this number of intervals is an outage.
_SILENT = 3


@dataclass(frozen=True)
class Cut:
    """The conversion of a measurement to steps.

    Attributes:
        step_ns: Length of a step in nanoseconds.
        offset_s: Time of the measurement at which the file begins, in seconds.
        duration_s: Length of the file in seconds; None: until the end of the measurement.
        floor_s: Window in seconds of which the smallest round trip is kept; None for no window.
        gap_s: Silence in seconds that is an outage; None: depends on the source.
        rate_mbit_s: A constant rate instead of the measured one.
    """

    step_ns: int
    offset_s: float = 0.0
    duration_s: float | None = None
    floor_s: float | None = None
    gap_s: float | None = None
    rate_mbit_s: float | None = None


@dataclass
class Row:
    """The values from a step on."""

    step: int
    rate_mbit_s: float | None = None
    rtt_ms: float | None = None
    loss: float = 0.0


@dataclass(frozen=True)
class Steps:
    """A measurement in steps.

    Attributes:
        rows: The rows. The last row repeats the values at the end.
        samples: The samples of these rows.
        notes: Notes on the measurement and on its conversion.
    """

    rows: list[Row]
    samples: list[Sample]
    notes: list[str]


def laid(measured: Measured, cut: Cut) -> Steps:
    """Convert a measurement to steps. Each step has the mean of its samples.

    A step without a sample keeps the previous rate and round trip, and has the loss of the last sample before it. If a
    probe's round trip is lost with probability P, each direction loses 1 - sqrt(1 - P).

    Raises:
        Unfit: If no sample is left, or the file would be too long.
    """
    samples = sorted(measured.samples, key=lambda sample: sample.at_s)
    interval_s = interval_of(samples)
    notes = list(measured.notes)
    gap_s = cut.gap_s if cut.gap_s is not None or not measured.omits_lost else _SILENT * interval_s
    samples = _cut(samples, interval_s, cut)
    for sample in samples:
        _within(sample.at_s, sample.rtt_ms, _SLOWEST_MS, "a round trip of {:g} ms (the limit is 2 h)")
        _within(sample.at_s, sample.rate_mbit_s, _FASTEST_MBIT_S, "a rate of {:g} Mbit/s (the limit is 1 Tbit/s)")
    if cut.floor_s is not None:
        samples = _lowest(samples, cut.floor_s)
        notes = [note for note in notes if not note.startswith("warning: the round trips contain")]
        notes.append(f"changed: a round trip is the smallest within {cut.floor_s:g} s (--floor)")
    if cut.rate_mbit_s is not None:
        samples = [one if one.rate_mbit_s == 0 else one._replace(rate_mbit_s=cut.rate_mbit_s) for one in samples]
        notes = [note for note in notes if not note.startswith(("not measured: the capacity", "assumed: the capacity"))]
        notes.append(f"assumed: the rate is {cut.rate_mbit_s:g} Mbit/s (--rate)")
    whole = samples
    if gap_s is not None:
        whole = _silences(samples, gap_s, interval_s)
        if silences := len(whole) - len(samples):
            notes.append(
                f"assumed: a silence of more than {gap_s:.3g} s is an outage ({silences} here; --gap TIME changes this)"
            )
    lasts_s = min(samples[-1].at_s + interval_s, math.inf if cut.duration_s is None else cut.duration_s)
    end = max(1, math.ceil(lasts_s * 1e9 / cut.step_ns - _ROUNDED))
    if end * cut.step_ns / 1e9 > _LONGEST_S:
        raise Unfit(
            f"it lasts {end * cut.step_ns / 86400e9:.1f} days, and the limit of a path trace is 30 days (choose a part "
            "with --offset and --duration)"
        )
    rows = _filled(_steps(whole, cut.step_ns))
    rows = [row for row in rows if row.step < end]
    rows.append(replace(rows[-1], step=end))
    return Steps(rows, samples, notes)


def joined(path: Steps, rates: Steps, name: str) -> Steps:
    """Return a measurement with the rates of another measurement, from their common start to the end of the shorter.

    Args:
        path: The measurement, of which round trips and losses are kept.
        rates: The measurement of the rates. While nothing arrived there, all packets are lost.
        name: The name of the measurement of the rates, for the notes.

    Raises:
        Unfit: If `rates` has no rate.
    """
    if all(row.rate_mbit_s is None for row in rates.rows):
        raise Unfit("it contains no rate")
    end = min(path.rows[-1].step, rates.rows[-1].step)
    own, others = iter(path.rows), iter(rates.rows)
    row, other = next(own), next(others)
    later, further = next(own, None), next(others, None)
    rows = []
    for step in sorted({row.step for row in (*path.rows, *rates.rows) if row.step < end}):
        while later is not None and later.step <= step:
            row, later = later, next(own, None)
        while further is not None and further.step <= step:
            other, further = further, next(others, None)
        loss = 1.0 if other.loss >= 1.0 else row.loss
        rows.append(Row(step, other.rate_mbit_s, row.rtt_ms, loss))
    rows.append(replace(rows[-1], step=end))
    dropped = ("not measured: the capacity", "assumed: the capacity")
    notes = [note for note in path.notes if not note.startswith(dropped)]
    notes += [f"rate of {name}: {note}" for note in rates.notes if "round trip" not in note and "the delay" not in note]
    notes.append(f"assumed: both measurements begin at the same moment; the rate is that of {name} (--rate-from)")
    return Steps(rows, path.samples, notes)


def _within(at_s: float, value: float | None, most: float, words: str) -> None:
    """Refuse a value that is negative or larger than `most`."""
    if value is not None and not 0 <= value <= most:
        raise Unfit(f"{at_s:.6g} s after its start, the measurement has {words.format(value)} (check clocks and units)")


def _cut(samples: list[Sample], interval_s: float, cut: Cut) -> list[Sample]:
    """Return the samples from the offset on, with times from the offset. The first has the values at the offset."""
    begin_s = samples[0].at_s + cut.offset_s
    end_s = math.inf if cut.duration_s is None else begin_s + cut.duration_s
    kept = [sample._replace(at_s=sample.at_s - begin_s) for sample in samples if begin_s <= sample.at_s < end_s]
    before = [sample for sample in samples if sample.at_s < begin_s]
    if before and (not kept or kept[0].at_s > 0) and begin_s < samples[-1].at_s + interval_s:
        kept.insert(0, before[-1]._replace(at_s=0.0))
    if not kept:
        lasts_s = samples[-1].at_s + interval_s - samples[0].at_s
        raise Unfit(
            f"it lasts {lasts_s:.6g} s, and nothing is left from {cut.offset_s:g} s on (use a smaller --offset)"
        )
    return kept


def _silences(samples: list[Sample], gap_s: float, interval_s: float) -> list[Sample]:
    """Add a lost probe in each silence that is longer than `gap_s`, and return the samples."""
    filled = samples[:1]
    for sample, later in pairwise(samples):
        if later.at_s - sample.at_s > gap_s:
            filled.append(Sample(sample.at_s + min(interval_s, gap_s), loss=1.0))
        filled.append(later)
    return filled


def _lowest(samples: list[Sample], window_s: float) -> list[Sample]:
    """Replace each round trip by the smallest round trip within half a window before and after it."""
    there = [(sample.at_s, sample.rtt_ms) for sample in samples if sample.rtt_ms is not None]
    smallest: deque[tuple[float, float]] = deque()
    ahead, found = iter([*there, (math.inf, math.inf)]), []
    coming = next(ahead)
    for at_s, _ in there:
        while coming[0] <= at_s + window_s / 2:
            while smallest and smallest[-1][1] >= coming[1]:
                smallest.pop()
            smallest.append(coming)
            coming = next(ahead)
        while smallest[0][0] < at_s - window_s / 2:
            smallest.popleft()
        found.append(smallest[0][1])
    values = iter(found)
    return [sample if sample.rtt_ms is None else sample._replace(rtt_ms=next(values)) for sample in samples]


def _steps(samples: list[Sample], step_ns: int) -> list[Row]:
    """Return a row for each step with samples, and a further row if the last probe has another loss than the step."""
    rows: list[Row] = []
    last_loss = 0.0
    for step, group in groupby(samples, key=lambda sample: int(sample.at_s * 1e9 / step_ns + 1e-6)):
        if rows and rows[-1].loss != last_loss and rows[-1].step + 1 < step:
            rows.append(replace(rows[-1], step=rows[-1].step + 1, loss=last_loss))
        some = list(group)
        rates = [sample.rate_mbit_s for sample in some if sample.rate_mbit_s is not None]
        rtts = [sample.rtt_ms for sample in some if sample.rtt_ms is not None]
        arrived = not rates or statistics.fmean(rates) >= _SLOWEST_MBIT_S
        losses = [sample.loss if arrived else 1.0 for sample in some]
        rate_mbit_s = statistics.fmean(rates) if rates and arrived else None
        loss, last_loss = _of_one_way(statistics.fmean(losses)), _of_one_way(losses[-1])
        rows.append(Row(step, rate_mbit_s, statistics.fmean(rtts) if rtts else None, loss))
    if rows[-1].loss != last_loss:
        rows.append(replace(rows[-1], step=rows[-1].step + 1, loss=last_loss))
    return rows


def _of_one_way(loss: float) -> float:
    """Return the loss p of each direction for the loss P of the round trip: 1 - P = (1 - p)^2."""
    return 1.0 - math.sqrt(max(0.0, 1.0 - loss))


def _filled(rows: list[Row]) -> list[Row]:
    """Fill gaps in rows. A value holds until the next value, and the first value also holds before its row."""
    rate = next((row.rate_mbit_s for row in rows if row.rate_mbit_s is not None), None)
    rtt = next((row.rtt_ms for row in rows if row.rtt_ms is not None), None)
    for row in rows:
        rate = row.rate_mbit_s = rate if row.rate_mbit_s is None else row.rate_mbit_s
        rtt = row.rtt_ms = rtt if row.rtt_ms is None else row.rtt_ms
    return rows
