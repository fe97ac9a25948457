# SPDX-License-Identifier: MIT OR Apache-2.0
"""Draw the windows of both sides in one picture: the complete run, and the first recovery."""

from __future__ import annotations

import io
import math
from typing import TYPE_CHECKING

import numpy as np

from bentpipe import plots
from bentpipe.validation._windows import first_repair, goodput

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from bentpipe.validation._recorded import Pair
    from bentpipe.validation._windows import Floats, Trace

_COLUMNS = 4
#: A picture of a recovery also shows the time before and after the recovery: this fraction of its length, and at least
#: this number of seconds.
_AROUND, _LEAST_S = 0.8, 0.4
_OTHER, _OURS = "#6e6e6e", plots.COLOURS[1]
#: Resolution. It is low, because a page has two pictures per case.
_DPI = 80
_COLOURS = 48


def write(folder: Path, pairs: Sequence[Pair], other: str) -> dict[str, list[Path]]:
    """Write `<other>-<case>.png` and `<other>-<case>-recovery.png` for each case, and return the files by case."""
    folder.mkdir(parents=True, exist_ok=True)
    made: dict[str, list[Path]] = {}
    for name in dict.fromkeys(pair.case.name for pair in pairs):
        runs: dict[str, list[Pair]] = {}
        for pair in pairs:
            if pair.case.name == name:
                runs.setdefault(pair.controller, []).append(pair)
        repaired = [flows for flows in runs.values() if all(map(first_repair, flows[0].traces))]
        for chosen, draw, suffix in ((list(runs.values()), _whole, ""), (repaired, _recovery, "-recovery")):
            if chosen:
                place = folder / f"{other.lower()}-{name}{suffix}.png"
                _save(_panels(chosen, other, draw), place)
                made.setdefault(name, []).append(place)
    return made


def _save(figure: Figure, place: Path) -> None:
    """Save a PNG with few colours, which has a third of the usual size."""
    from PIL import Image

    whole = io.BytesIO()
    figure.savefig(whole, format="png", dpi=_DPI)
    Image.open(whole).convert("RGB").quantize(_COLOURS).save(place, optimize=True)


@plots.styled
def _panels(runs: Sequence[Sequence[Pair]], other: str, draw: Callable[[Axes, Sequence[Pair], str], None]) -> Figure:
    """Draw a panel for each run, with all flows of the run."""
    columns = min(_COLUMNS, len(runs))
    figure, axes = plots.panels(len(runs), columns, width=max(2.9 * columns, 4.5), height=1.8)
    for axis, flows in zip(axes, runs, strict=True):
        axis.set_ylim(0, None)
        draw(axis, flows, other)
        axis.tick_params(labelsize="x-small")
    plots.outer_labels(axes, columns, "s", "cwnd (segments)")
    plots.legend_of(figure, axes[0], "outside upper right", fontsize="small")
    return figure


def _whole(axis: Axes, flows: Sequence[Pair], other: str) -> None:
    """Draw both windows over the complete run, a second flow dotted, with goodputs in the title."""
    top = 0.0
    for pair in flows:
        dots, which = (":", f", flow {pair.flow + 1}") if pair.flow else ("-", "")
        ours, theirs = pair.traces
        for trace, label, colour, width in ((theirs, other, _OTHER, 1.8), (ours, "Bentpipe", _OURS, 0.9)):
            times, cwnd = _line(trace)
            start_s = pair.case.flows_start_s[pair.flow]
            axis.plot(times + start_s, cwnd, color=colour, linewidth=width, linestyle=dots, label=label + which)
            top = max(top, _shown_top(cwnd))
    axis.set_ylim(0, 1.05 * top)
    axis.set_xlim(0, float(flows[0].traces[1].time_s[-1]))
    sums = [sum(goodput(pair.traces[side]) for pair in flows) for side in (0, 1)]
    axis.set_title(f"{flows[0].controller}: {sums[0]:.2f} / {sums[1]:.2f} Mbit/s", fontsize="x-small")


def _shown_top(cwnd: Floats) -> float:
    """Return the upper end of a panel. A short overshoot of slow start must not compress the rest of the curve."""
    late = cwnd[cwnd.size // 10 :]
    return float(min(cwnd.max(), 2 * late.max()))


def _recovery(axis: Axes, flows: Sequence[Pair], other: str) -> None:
    """Draw both windows around the first recovery. Times count from the start of each recovery; the end is marked."""
    pair = flows[0]
    firsts = [first for first in map(first_repair, pair.traces) if first is not None]
    lengths = [one.end_s - one.begin_s for one in firsts if not math.isnan(one.end_s)]
    longest = max(lengths, default=1.0)
    around = max(_AROUND * longest, _LEAST_S)
    shown = []
    drawn = zip(pair.traces[::-1], firsts[::-1], ((other, _OTHER, 1.8), ("Bentpipe", _OURS, 0.9)), strict=True)
    for trace, first, (label, colour, width) in drawn:
        times, cwnd = _line(trace)
        axis.plot(times - first.begin_s, cwnd, color=colour, linewidth=width, label=label)
        shown.append(cwnd[np.abs(times - first.begin_s) <= longest + around])
        if not math.isnan(first.end_s):
            axis.plot(first.end_s - first.begin_s, first.after, color=colour, marker="o", markersize=3)
    axis.set_xlim(-around, longest + around)
    axis.set_ylim(0, 1.05 * max(float(part.max()) for part in shown if part.size))
    lasted = " / ".join("–" if math.isnan(one.end_s) else f"{1e3 * (one.end_s - one.begin_s):.0f}" for one in firsts)
    again = " / ".join(str(one.retransmissions) for one in firsts)
    axis.set_title(f"{pair.controller}: {lasted} ms, {again} sent again", fontsize="x-small")


def _line(trace: Trace) -> tuple[Floats, Floats]:
    """Return times and windows: the samples, and the exact moments at which episodes began and ended."""
    points = [(one.begin_s, one.before) for one in trace.episodes]
    points += [(one.end_s, one.after) for one in trace.episodes if not math.isnan(one.end_s)]
    times = np.concatenate([trace.time_s, [time for time, _ in points]])
    cwnd = np.concatenate([trace.cwnd, [window for _, window in points]])
    order = np.argsort(times, kind="stable")
    return times[order], cwnd[order]
