# SPDX-License-Identifier: MIT OR Apache-2.0
"""Draw the weather in the picture of a run: rain fade of links with a budget, and the modulation of their modems."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pyarrow.compute as pc

from bentpipe.base.names import plotted
from bentpipe.plots import COLOURS, column

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pyarrow as pa
    from matplotlib.axes import Axes

    from bentpipe.plots import Floats
    from bentpipe.runs.run import Run

#: Largest number of links that are drawn. Of more links, those with the lowest rates are drawn.
_LINKS = 4
#: Smallest distance between names of modulations and codes, as a fraction of the axis.
_APART = 0.055


class _Link:
    """The intervals of one link. Each column has a number for each interval; NaN if there is none."""

    def __init__(self, table: pa.Table) -> None:
        self.name = plotted(table.column("name")[0].as_py())
        self.begins, self.ends, self.rates = (column(table, key) for key in ("time_s", "until_s", "rate_mbit_s"))
        self.fade_db, self.es_n0_db = column(table, "fade_db"), column(table, "es_n0_db")
        #: The threshold of the modulation and code in use, in dB; NaN in an outage.
        self.sent_db = self.es_n0_db - column(table, "above_threshold_db")
        self.modcods: list[str | None] = table.column("modcod").to_pylist()

    @property
    def silent_s(self) -> float:
        """The total duration of outages in s."""
        return float((self.ends - self.begins)[self.rates == 0].sum())

    def steps(self, values: Floats) -> tuple[Floats, Floats]:
        """Return times and values of a stepped line, with a gap where no interval follows."""
        holes = np.flatnonzero(np.append(self.begins[1:], np.inf) > self.ends)
        times = np.column_stack([self.begins, self.ends]).ravel()
        at = 2 * holes + 2
        return np.insert(times, at, self.ends[holes]), np.insert(np.repeat(values, 2), at, np.nan)


def _links(run: Run) -> tuple[list[_Link], int]:
    """Return the links to draw, and the number of all links."""
    table = run.weather.arrow
    numbers = sorted(table.column("link").unique().to_pylist())
    links = [_Link(table.filter(pc.equal(table.column("link"), number))) for number in numbers]
    if len(links) <= _LINKS:
        return links, len(links)
    return sorted(links, key=lambda link: -link.silent_s)[:_LINKS], len(links)


def weather(fades: Axes, modems: Axes, run: Run) -> None:
    """Draw the reduction of each link's Es/N0 by rain, and the modulation and code of its modem."""
    links, count = _links(run)
    for link, colour in zip(links, COLOURS, strict=False):
        fades.plot(*link.steps(link.fade_db), color=colour, linewidth=1.0, label=link.name)
    of = f", {len(links)} of {count} links" if count > len(links) else ""
    fades.set(title=f"Fade: reduction of Es/N0 by rain{of}", ylabel="dB", ylim=(0, None))
    _modems(modems, links)


def _modems(axis: Axes, links: Sequence[_Link]) -> None:
    """Draw Es/N0, and below it the threshold of the modulation and code that each link sends."""
    thresholds: dict[float, str] = {}
    for link, colour in zip(links, COLOURS, strict=False):
        axis.plot(*link.steps(link.es_n0_db), color=colour, linewidth=0.8, alpha=0.4)
        label = f"{link.name}: {link.rates.min():.3g} to {link.rates.max():.3g} Mbit/s"
        axis.plot(*link.steps(link.sent_db), color=colour, linewidth=1.2, label=label)
        sent = zip(link.sent_db, link.modcods, strict=True)
        thresholds |= {round(float(at), 2): name for at, name in sent if name is not None}
        none = np.isnan(link.sent_db)
        # The transform is blended: x in seconds, y as a fraction of the axis.
        axis.hlines(
            np.full(none.sum(), 0.025), link.begins[none], link.ends[none],
            transform=axis.get_xaxis_transform(), colors=colour, linewidth=8.0, zorder=3,
        )  # fmt: skip
    outage = "; blocks: outage" if any(np.isnan(link.sent_db).any() for link in links) else ""
    axis.set(title=f"Es/N0 (light), modulation and code{outage}", ylabel="dB")
    low, high = axis.get_ylim()
    # Leave space for the blocks and for the names of the links.
    low, high = low - 0.08 * (high - low), high + 0.3 * (high - low)
    axis.set_ylim(low, high)
    named: list[float] = []
    for at in sorted(thresholds):
        if not named or at - named[-1] >= _APART * (high - low):
            named.append(at)
    right = axis.secondary_yaxis("right")
    right.set_yticks(named, [thresholds[at] for at in named], fontsize="x-small")
