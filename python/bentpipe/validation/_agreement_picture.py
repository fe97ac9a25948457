# SPDX-License-Identifier: MIT OR Apache-2.0
"""Draw the windows and the goodput of the simulator and of the emulator in the same axes."""

from __future__ import annotations

import textwrap
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from bentpipe import plots
from bentpipe.base.names import titled
from bentpipe.plots import column
from bentpipe.validation._agreement import EMULATOR, SIMULATOR

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from bentpipe.plots import Floats
    from bentpipe.validation._agreement import Agreement, Result, Row

#: Label, colour and width of the lines of each platform, in the order of drawing.
_LINES = {
    EMULATOR: ("emulator, with the host's TCP", "#8a8a8a", 2.2),
    SIMULATOR: ("simulator", plots.COLOURS[1], 1.0),
}
#: Letters of the footnote per inch.
_LETTERS = 20.0
_IN_ORDER = (
    "The emulator counts only data that arrives in order. After a loss, its goodput therefore pauses until the "
    "segment is retransmitted, and then jumps. The simulator counts all data on arrival."
)
#: Goodput is averaged over this many samples of 100 ms.
_SMOOTHED = 10
#: The largest number of flows that have a line each. With more flows, a line is the mean of the flows.
_FLOWS = 4


@plots.styled
def figure(result: Agreement) -> Figure:
    """Draw windows above and goodput below, in a column for each controller, from the runs with the first seed."""
    controllers = list(dict.fromkeys(row.controller for row in result.rows))
    columns = len(controllers)
    drawn, axes = plots.new(2, columns, width=max(5.0, 3.4 * columns), height=2.2, sharex="col")
    for place, controller in enumerate(controllers):
        window, goodput = axes[place], axes[columns + place]
        rows = {row.platform: row for row in result.rows if row.controller == controller}
        for platform, (label, colour, width) in _LINES.items():
            if platform in rows:
                one = min(rows[platform].results, key=lambda one: one.seed)
                line = _Line(label, colour, width)
                line.draw(window, _series(one, "cwnd_segments"))
                line.draw(goodput, [(times, _smooth(values)) for times, values in _series(one, "goodput_mbit_s")])
        window.set(title=_title(controller, rows.get(EMULATOR)), ylim=(0, None))
        goodput.set(xlabel="s", ylim=(0, None), xlim=(0, None))
    axes[0].set_ylabel("cwnd (segments)")
    axes[columns].set_ylabel("goodput (Mbit/s)")
    wrapped = textwrap.fill(_IN_ORDER, int(_LETTERS * drawn.get_figwidth()))
    drawn.supxlabel(wrapped, fontsize="x-small", color="#444444")
    drawn.suptitle(titled(result.name), fontsize="large")
    # Below the curves of the goodput, whose axis begins at 0, there is space.
    axes[columns].legend(*axes[0].get_legend_handles_labels(), loc="lower right", fontsize="small", frameon=True)
    return drawn


def _title(controller: str, row: Row | None) -> str:
    """Return the name of the controller, with the deviations of the emulator if they are known."""
    if row is None or row.goodput_deviation_percent is None or row.rtt_deviation_percent is None:
        return controller
    return f"{controller}: goodput {row.goodput_deviation_percent:+z.1f} %, RTT {row.rtt_deviation_percent:+z.1f} %"


@dataclass(frozen=True)
class _Line:
    """The label, colour and width of a platform's lines."""

    label: str
    colour: str
    width: float

    def draw(self, axis: Axes, lines: list[tuple[Floats, Floats]]) -> None:
        for number, (times, values) in enumerate(lines):
            label = None if number else self.label
            axis.plot(times, values, label=label, color=self.colour, linewidth=self.width)


def _series(result: Result, name: str) -> list[tuple[Floats, Floats]]:
    """Return the times and values of a column for each flow, or their mean if there are many flows."""
    table = result.run.flows.arrow
    flow, times, values = column(table, "flow"), column(table, "time_s"), column(table, name)
    lines = []
    for number in result.flows:
        own = flow == number
        if name == "cwnd_segments":
            # Until the socket is first read, the window is not known.
            own &= values > 0
        lines.append((times[own], values[own]))
    if len(lines) <= _FLOWS:
        return lines
    every = np.unique(np.concatenate([own for own, _ in lines]))
    sums, counts = np.zeros(every.size), np.zeros(every.size)
    for own, some in lines:
        at = np.searchsorted(every, own)
        sums[at] += some
        counts[at] += 1
    return [(every, sums / counts)]


def _smooth(values: Floats) -> Floats:
    """Return the running mean over the last `_SMOOTHED` values; at the beginning, over the available values."""
    total = np.cumsum(np.concatenate([[0.0], values]))
    last = np.arange(1, values.size + 1)
    first = np.maximum(last - _SMOOTHED, 0)
    means: Floats = (total[last] - total[first]) / (last - first)
    return means
