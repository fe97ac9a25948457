# SPDX-License-Identifier: MIT OR Apache-2.0
"""The picture of one run: goodput, windows, round-trip times and losses, with changes of the path."""

from __future__ import annotations

import itertools
import math
from typing import TYPE_CHECKING, Literal

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from bentpipe.base.names import plotted, titled
from bentpipe.base.tables import Table
from bentpipe.plots import COLOURS, column, gaps, new, over_time, styled, without_series
from bentpipe.results import split
from bentpipe.results.transfers import CONNECTIONS
from bentpipe.show.pictures.capacity import capacity
from bentpipe.show.pictures.weather import weather as draw_weather

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from bentpipe.plots import Floats
    from bentpipe.results.split import Connection
    from bentpipe.runs.run import Run

    #: For each pair of places, the paths over time: start of the path, and names of its nodes.
    Ways = dict[tuple[str, str], list[tuple[float, list[str]]]]

#: Largest number of flows with a colour and a name. More flows are thin lines, with their mean.
_NAMED_FLOWS = 6
#: If there are more flows than this, their 5th to 95th percentile and their mean are drawn.
_LINES = 200
#: Losses to outages within this interval, in seconds, belong to one outage.
_ONE_OUTAGE_S = 0.5
#: The sum of all flows is drawn if its height is at most this multiple of the height of single flows.
_TALLER = 4.0
#: Colour of single flows behind their mean, and of the capacity behind the flows.
_EVERY, _CAPACITY = COLOURS[4], "#e2e2e2"
#: The axis of goodput ends at this multiple of the largest goodput, even if the capacity is larger.
_ROOM = 2.5
#: Line styles of losses if flows are split: of unsplit flows, of first, second and third parts.
_PLACES = ("-.", "--", "-", ":")
#: With more marks than the first number, marks are short strokes at the top. With more than the second, none are drawn.
_FULL_MARKS, _MOST_MARKS = 20, 200


@styled
def overview(run: Run) -> Figure:
    """Draw goodput, windows and round-trip times of every flow, losses by cause, weather; mark changes of paths.

    Goodput is measured from host to host. If proxies split a flow, windows and round trips are those of its parts.
    """
    weathered = len(run.weather) > 0
    figure, (goodput, window, rtt, losses, *weather) = new(3 if weathered else 2, 2)
    figure.suptitle(f"{titled(run.name)} (seed {run.summary['provenance']['seed']})", fontsize="large")
    if len(run.flows) == 0:
        return without_series(figure, run)
    paths = ways(run)
    series, parts = Series(run.flows, split.flows(run.summary)), single(run)
    kinds = {flow["kind"] for flow in run.summary["flows"]}
    carrying = [flow for flow in series.flows if flow["kind"] != "ping"] or series.flows
    series.draw(goodput, "goodput_mbit_s", carrying, "steps-pre")
    whole = run.summary["totals"]["delivered_mbit_s"]
    together = "" if whole is None else f" of each flow; sum {whole:.3g} Mbit/s"
    if len(carrying) == 1 or _all(goodput, run):
        together = ""
    goodput.set(title=f"Goodput{together or ' from host to host' * parts.has_parts}", ylabel="Mbit/s", ylim=(0, None))
    _capacity(goodput, run, carrying, always=weathered)
    of_parts = ", each part of a split flow" * parts.has_parts
    windowed = [flow for flow in parts.flows if flow["kind"] in CONNECTIONS]
    if parts.draw(window, "cwnd_segments", windowed, "steps-post"):
        window.set(title=f"Congestion window{of_parts}", ylabel="segments", ylim=(0, None))
    else:
        # Applications have many connections, and datagrams no window: the goodput takes the place of the windows.
        window.remove()
        grid = goodput.get_gridspec()
        assert grid is not None  # noqa: S101 - the panels are subplots
        goodput.set_subplotspec(grid[0, :])
    measured = parts.draw(rtt, "rtt_ms", parts.flows, "steps-pre")
    if measured:
        _propagation(rtt, parts)
        of_what = of_parts or " of flows and pings" * ("ping" in kinds)
        rtt.set(title=f"Round-trip time{of_what}", ylabel="ms", ylim=(0, None))
    else:
        _instead(rtt, "Round-trip time", "no round trip was measured")
    _losses(losses, parts, sum(split.lost_on_links(part) for part in run.summary.get("parts", [])))
    if weathered:
        draw_weather(weather[0], weather[1], run)
    marks = _Marks(run, paths)
    for axis in figure.axes:
        if axis.axison:
            axis.set(xlabel="s", xlim=(0, float(series.times[-1])))
            marks.draw(axis)
            if axis.get_legend_handles_labels()[1]:
                axis.legend(fontsize="small", frameon=True, framealpha=0.7, edgecolor="none", loc="best")
    if marks.said:
        figure.supxlabel(marks.said, fontsize="small", color="#444444")
    return figure


def _all(axis: Axes, run: Run) -> bool:
    """Draw the sum of the flows. Return False, and draw nothing, if single flows would be too small to see."""
    times, total = over_time(run.flows, "goodput_mbit_s")
    if np.nanmax(total) > _TALLER * axis.get_ylim()[1]:
        return False
    # The sum is below the flows, so that the last remaining flow stays visible.
    axis.plot(times, total, color="#8a8a8a", linewidth=2.2, alpha=0.6, zorder=1.5, drawstyle="steps-pre", label="all")
    return True


def _capacity(axis: Axes, run: Run, flows: Sequence[Connection], *, always: bool) -> None:
    """Draw the capacity of the path as a grey area: if it varies, or if `always` is set."""
    found = capacity(run, flows)
    if found is None:
        return
    times, rates = found
    low, high = float(np.nanmin(rates)), float(np.nanmax(rates))
    if not always and high <= 1.01 * low:
        return
    top = axis.get_ylim()[1]
    spread = f"{low:.3g} to {high:.3g}" if high > low else f"{high:.3g}"
    axis.fill_between(
        times, np.nan_to_num(rates), step="post", color=_CAPACITY, linewidth=0, zorder=0.3,
        label=f"capacity of the path: {spread} Mbit/s",
    )  # fmt: skip
    axis.set_ylim(0, min(1.05 * high, _ROOM * top) if high > top else top)


def _instead(axis: Axes, title: str, words: str) -> None:
    """Write text in place of a panel without data."""
    axis.set_title(title)
    axis.axis("off")
    axis.text(0.5, 0.5, words, ha="center", va="center", transform=axis.transAxes, color="#444444")


def single(run: Run) -> Series:
    """Return the series of every connection. A split flow has the series of its parts."""
    flows, parts = run.flows.arrow, run.parts.arrow
    if not parts.num_rows:
        # No flow is split, or the folder has no series of parts (earlier version).
        return Series(run.flows, split.flows(run.summary))
    whole = flows.filter(pc.invert(pc.is_in(flows["flow"], parts["flow"].unique())))
    return Series(Table(pa.concat_tables([whole, parts])), split.connections(run.summary))


class Series:
    """Series of each flow, or of each connection, until the end of the flow."""

    def __init__(self, rows: Table, flows: list[Connection]) -> None:
        self.rows, self.flows = rows, flows
        self.has_parts = any(flow["place"] for flow in flows)
        self._table = rows.arrow
        self._flow = column(self._table, "flow").astype(int)
        self._at = column(self._table, "time_s")
        there = np.unique(self._at)
        self.times = np.sort(np.concatenate([there, gaps(there)]))

    def by_place(self) -> list[tuple[int, Table]]:
        """The rows of unsplit flows (place 0), of first parts (place 1), of second parts, and so on."""
        if not self.has_parts:
            return [(0, self.rows)]
        place_of = np.array([flow["place"] for flow in self.flows])
        places = place_of[self._flow]
        return [(int(place), Table(self._table.filter(places == place))) for place in np.unique(places)]

    def of(self, flow: Connection, values: Floats) -> tuple[Floats, Floats]:
        """Return times and values of one flow, from its start until its end."""
        ends = [one for one in (flow.get("completed_at_s"), flow.get("stop_s")) if one is not None]
        own = self._flow == flow["flow"]
        # One more sample belongs to the flow: the last interval ends after the flow.
        step = float(self.times[1] - self.times[0]) if self.times.size > 1 else 0.0
        own &= (self._at > flow["start_s"]) & (self._at < min(ends, default=math.inf) + step)
        return self._at[own], values[own]

    def draw(self, axis: Axes, name: str, flows: Sequence[Connection], steps: str) -> bool:
        """Draw a column flow by flow. Return False if no flow has a number in this column."""
        values = column(self._table, name)
        lines = [(flow, *self.of(flow, values)) for flow in flows]
        lines = [(flow, times, own) for flow, times, own in lines if np.isfinite(own).any()]
        if not lines:
            return False
        if len(lines) > _NAMED_FLOWS:
            places = sorted({flow["place"] for flow, *_ in lines})
            for number, place in enumerate(places):
                alike = [(times, own) for flow, times, own in lines if flow["place"] == place]
                self._many(axis, alike, COLOURS[number % len(COLOURS)], f", part {place}" if place else "")
            return True
        for flow, times, own in lines:
            (line,) = axis.plot(times, own, drawstyle=steps, label=plotted(flow["name"]), linewidth=1.0)
            if flow["kind"] == "ping":
                # Echoes are drawn below other flows, because they usually measure the same.
                line.set(linewidth=3.0, alpha=0.4, zorder=1.6)
        return True

    def _many(self, axis: Axes, lines: Sequence[tuple[Floats, Floats]], colour: str, which: str) -> None:
        """Draw many lines in one colour, with their mean: of all flows, or of the parts at one position."""
        thin, most = (colour, 0.3) if self.has_parts else (_EVERY, 0.7)
        grid = np.full((len(lines), self.times.size), np.nan)
        for place, (times, own) in enumerate(lines):
            grid[place, np.searchsorted(self.times, times)] = own
        alive = np.isfinite(grid)
        there = alive.any(axis=0)
        if len(lines) > _LINES:
            low, high = np.full((2, self.times.size), np.nan)
            low[there], high[there] = np.nanpercentile(grid[:, there], [5, 95], axis=0)
            label = "" if self.has_parts else "5th to 95th percentile"
            axis.fill_between(self.times, low, high, alpha=0.18, linewidth=0, label=label, color=colour)
        else:
            for times, own in lines:
                axis.plot(times, own, linewidth=0.6, alpha=max(0.2, most - len(lines) / 100), color=thin)
            if not self.has_parts:
                axis.plot([], [], color=thin, linewidth=0.6, label="every flow")
        # Where no flow is alive, the line has a gap.
        total = np.where(alive, grid, 0.0).sum(axis=0)
        mean = np.divide(total, alive.sum(axis=0), out=np.full(total.size, np.nan), where=there)
        label = f"mean of {len(lines)} flows{which}"
        axis.plot(self.times, mean, linewidth=1.6, color=colour, label=label)


def _propagation(axis: Axes, series: Series) -> None:
    """Draw the propagation delay: once if equal for all flows, else in each flow's colour, or a mean of many flows."""
    low, high = (over_time(series.rows, "propagation_rtt_ms", how)[1] for how in ("min", "max"))
    if not np.isfinite(low).any():
        return
    apart = np.nanmax(high - low) > 1e-6
    drawn = axis.get_lines()
    if apart and len(series.flows) == len(drawn):
        values = column(series.rows.arrow, "propagation_rtt_ms")
        for flow, line in zip(series.flows, drawn, strict=True):
            axis.plot(*series.of(flow, values), color=line.get_color(), linewidth=0.8, linestyle="--")
        axis.plot([], [], color="#000000", linewidth=0.8, linestyle="--", label="propagation alone")
        return
    label = "propagation alone, mean" if apart else "propagation alone"
    # A mean over first and second parts would describe neither kind of part.
    for _, rows in series.by_place():
        own = over_time(rows, "propagation_rtt_ms", "mean")
        axis.plot(*own, color="#000000", linewidth=0.8, linestyle="--", drawstyle="steps-post", label=label)
        label = ""


def _losses(axis: Axes, series: Series, parts_lost: int) -> None:
    """Draw losses by true cause, and also by position if flows have parts."""
    title = "Packets lost since the start, by true cause"
    colours = {"queue": COLOURS[1], "error": COLOURS[0], "outage": COLOURS[6], "policer": COLOURS[4]}
    for place, rows in series.by_place():
        for cause, colour in colours.items():
            if f"lost_{cause}" not in rows.columns:
                continue
            times, number = over_time(rows, f"lost_{cause}")
            if number.any():
                style = _PLACES[place % len(_PLACES)] if series.has_parts else "-"
                label = f"{cause}, part {place}" if place else cause
                axis.plot(times, np.cumsum(number), style, label=label, color=colour, drawstyle="steps-post")
    if not axis.lines:
        words = (
            f"{parts_lost} packets were lost on parts without a recorded series" if parts_lost else "no packet was lost"
        )
        _instead(axis, title, words)
        return
    axis.set(title=title, ylabel="packets", ylim=(0, None))


class _Marks:
    """Changes of the paths, from the run's events: handovers, other reroutes, outages."""

    def __init__(self, run: Run, paths: Ways) -> None:
        ends = {flow["flow"]: (flow["from"], flow["to"]) for flow in split.connections(run.summary)}
        kinds: dict[float, bool] = {}
        for time, flow in _events(run, "event", "path"):
            kinds[time] = kinds.get(time, False) or _is_handover(paths.get(ends.get(flow, ("", "")), []), time)
        self.handovers = sorted(time for time, handover in kinds.items() if handover)
        self.others = sorted(time for time, handover in kinds.items() if not handover)
        self.outages = _spans(sorted(time for time, _ in _events(run, "cause", "outage")))

    @property
    def said(self) -> str:
        """Return the meaning of the marks, and the number of each kind, in words."""
        few = self.count <= _MOST_MARKS
        parts = []
        if self.handovers:
            marks = " (solid lines)" if few else ""
            parts.append(f"another satellite at an end {_times(len(self.handovers))}{marks}")
        if self.others:
            kind = "the path changed between its ends" if self.handovers else "the path changed"
            parts.append(f"{kind} {_times(len(self.others))}{' (dotted lines)' if few else ''}")
        if parts and not few:
            parts.append("too many changes to mark")
        if self.outages:
            parts.append(f"grey: packets were lost to an outage ({_times(len(self.outages))})")
        return "; ".join(parts)

    @property
    def count(self) -> int:
        """The number of changes."""
        return len(self.handovers) + len(self.others)

    def draw(self, axis: Axes) -> None:
        """Draw the marks on an axis."""
        for begin, end in self.outages:
            axis.axvspan(begin, end, color="#777777", alpha=0.3, linewidth=0, zorder=0.5)
        if self.count > _MOST_MARKS:
            return
        top = self.count > _FULL_MARKS
        styles: tuple[tuple[list[float], Literal["-", ":"]], ...] = ((self.handovers, "-"), (self.others, ":"))
        for times, style in styles:
            # The transform is blended: x in seconds, y as a fraction of the panel.
            axis.vlines(
                times, 0.95 if top else 0.0, 1.0, transform=axis.get_xaxis_transform(),
                colors="#666666", linewidth=0.6, linestyles=style, zorder=1.2,
            )  # fmt: skip


def _times(count: int) -> str:
    return "once" if count == 1 else f"{count:,} times"


def _events(run: Run, name: str, value: str) -> Iterator[tuple[float, int]]:
    """Yield time and flow of the events that have this value in a column."""
    events = run.events.arrow
    if not events.num_rows:
        return iter(())
    found = events.filter(pc.equal(events.column(name), value))
    return zip(found.column("time_s").to_pylist(), found.column("flow").to_pylist(), strict=True)


def ways(run: Run) -> Ways:
    """Return the paths over time, as names, for each pair of places."""
    table = run.paths.arrow
    found: Ways = {}
    if table.num_rows:
        for row in table.select(["time_s", "from", "to", "via"]).to_pylist():
            way = (row["via"] or "").split(" > ")
            found.setdefault((row["from"], row["to"]), []).append((row["time_s"], way))
    return found


def _is_handover(ways: Sequence[tuple[float, list[str]]], time: float) -> bool:
    """Whether the change of the path at this time replaced the node next to one of its ends."""
    for (before, old), (after, way) in itertools.pairwise(ways):
        if before < time <= after:
            return len(old) > 2 and len(way) > 2 and (old[1], old[-2]) != (way[1], way[-2])
    return False


def _spans(times: Sequence[float]) -> list[tuple[float, float]]:
    """Return the first and the last moment of each outage."""
    apart = np.flatnonzero(np.diff(times) > _ONE_OUTAGE_S) + 1
    return [(float(part[0]), float(part[-1])) for part in np.split(np.array(times), apart) if part.size]
