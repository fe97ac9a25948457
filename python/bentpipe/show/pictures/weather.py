# SPDX-License-Identifier: MIT OR Apache-2.0
"""The weather in the picture of a run: what rain takes of links with a budget, and what their modems send."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

import numpy as np

from bentpipe.base.names import plotted
from bentpipe.plots import COLOURS, column

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pyarrow as pa
    from matplotlib.axes import Axes

    from bentpipe.plots import Floats
    from bentpipe.results.summary_types import FlowSummary
    from bentpipe.runs.run import Run
    from bentpipe.show.pictures.overview import Ways

#: So many links have a line: of more those that had least to send with.
_LINKS = 4
#: Names of modulations and codes stand so far apart at least, as a share of the axis.
_APART = 0.055


class _Link:
    """The stretches of one link."""

    def __init__(self, name: str, table: pa.Table) -> None:
        self.name = name
        self.begins, self.ends = column(table, "time_s"), column(table, "until_s")
        self._table = table

    def of(self, key: str) -> Floats:
        """A column, a number for each stretch; NaN where there is none."""
        return column(self._table, key)

    def steps(self, values: Floats) -> tuple[Floats, Floats]:
        """Times and values of a line in steps, with a hole where no stretch follows."""
        times, heights = [], []
        for begin, end, value, following in zip(
            self.begins, self.ends, values, [*self.begins[1:], np.inf], strict=True
        ):
            times += [begin, end]
            heights += [value, value]
            if following > end:
                times.append(end)
                heights.append(np.nan)
        return np.array(times), np.array(heights)

    @property
    def modcods(self) -> list[str | None]:
        """What is sent in each stretch; None: nothing."""
        return list(self._table.column("modcod").to_pylist())


def _links(run: Run) -> tuple[list[_Link], int]:
    """The links to draw, and how many there are."""
    import pyarrow.compute as pc

    table = run.weather.arrow
    numbers = table.column("link").to_numpy()
    names = dict(zip(numbers, table.column("name").to_pylist(), strict=True))

    def sent_nothing(number: int) -> float:
        link = table.filter(pc.equal(table.column("link"), int(number)))
        spans = column(link, "until_s") - column(link, "time_s")
        return float(spans[column(link, "rate_mbit_s") == 0].sum())

    chosen = (
        sorted(names) if len(names) <= _LINKS else sorted(names, key=lambda one: (-sent_nothing(one), one))[:_LINKS]
    )
    return [_Link(str(names[one]), table.filter(pc.equal(table.column("link"), int(one)))) for one in chosen], len(
        names
    )


def fades(axis: Axes, run: Run) -> None:
    """What the rain takes of each link's Es/N0."""
    links, count = _links(run)
    for link, colour in zip(links, COLOURS, strict=False):
        axis.plot(*link.steps(link.of("fade_db")), color=colour, linewidth=1.0, label=plotted(link.name))
    of = f", {len(links)} of {count} links" if count > len(links) else ""
    axis.set(title=f"Fade: what rain takes of Es/N0{of}", ylabel="dB", ylim=(0, None))


def modems(axis: Axes, run: Run) -> None:
    """Es/N0, and below it the threshold of the modulation and code that each link sends."""
    links, _ = _links(run)
    thresholds: dict[float, str] = {}
    silent = False
    for link, colour in zip(links, COLOURS, strict=False):
        es_n0 = link.of("es_n0_db")
        sent = es_n0 - link.of("above_threshold_db")
        axis.plot(*link.steps(es_n0), color=colour, linewidth=0.8, alpha=0.4)
        rates = link.of("rate_mbit_s")
        label = f"{plotted(link.name)}: {rates.min():.3g} to {rates.max():.3g} Mbit/s"
        axis.plot(*link.steps(sent), color=colour, linewidth=1.2, label=label)
        thresholds |= {
            round(float(at), 2): name for at, name in zip(sent, link.modcods, strict=True) if name is not None
        }
        none = np.isnan(sent)
        silent |= bool(none.any())
        # Blended: seconds across, the height of the axis upwards.
        axis.hlines(
            np.full(none.sum(), 0.025), link.begins[none], link.ends[none],
            transform=axis.get_xaxis_transform(), colors=colour, linewidth=8.0, zorder=3,
        )  # fmt: skip
    outage = "; blocks: outage" if silent else ""
    axis.set(title=f"Es/N0 (light), modulation and code{outage}", ylabel="dB")
    low, high = axis.get_ylim()
    # Room for the blocks and for the names of the links.
    low, high = low - 0.08 * (high - low), high + 0.3 * (high - low)
    axis.set_ylim(low, high)
    named: list[float] = []
    for at in sorted(thresholds):
        if not named or at - named[-1] >= _APART * (high - low):
            named.append(at)
    right = axis.secondary_yaxis("right")
    right.set_yticks(named, [thresholds[at] for at in named], fontsize="x-small")


def left_by_weather(axis: Axes, run: Run, flows: Sequence[FlowSummary], paths: Ways) -> None:
    """The least rate of the links with a budget on the way of the data, where all flows go between the same places."""
    ends = {(flow["from"], flow["to"]) for flow in flows}
    if len(ends) != 1:
        return
    table = run.weather.arrow
    names = np.array(table.column("name").to_pylist())
    begins, until, rates = (column(table, key) for key in ("time_s", "until_s", "rate_mbit_s"))
    rows = {name: np.flatnonzero(names == name) for name in set(names)}
    times, least = [], []
    for time, way in paths.get(ends.pop(), []):
        found = []
        for name in (f"{one} > {other}" for one, other in itertools.pairwise(way)):
            own = rows.get(name, np.empty(0, int))
            own = own[(begins[own] <= time) & (time < until[own])]
            found += list(rates[own])
        times.append(time)
        least.append(min(found, default=np.nan))
    if np.isfinite(least).any():
        axis.plot(
            times, least, color="#000000", linewidth=0.8, linestyle="--", drawstyle="steps-post", zorder=1.4,
            label="rate that the weather leaves",
        )  # fmt: skip
