# SPDX-License-Identifier: MIT OR Apache-2.0
"""Draw pictures. Every axis has a unit. Colour-blind readers can distinguish the colours (Okabe and Ito).

Matplotlib is imported for the first picture, because most programs draw none.
"""

from __future__ import annotations

import functools
import itertools
import math
import re
import warnings
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any, Literal, ParamSpec, TypeVar

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from bentpipe import _core
from bentpipe.base.names import plotted, titled
from bentpipe.base.tables import Table, floats
from bentpipe.results import summaries

if TYPE_CHECKING:
    import io
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.ticker import Locator
    from matplotlib.transforms import Transform
    from numpy.typing import NDArray

    from bentpipe._sky import Sky
    from bentpipe.results.summary_types import LinkSummary, TransmitterSummary
    from bentpipe.runs.run import Run

    Floats = NDArray[np.float64]
    #: Position of a legend outside all panels.
    Where = Literal["outside upper center", "outside upper right", "outside lower center"]

_SUPERSCRIPTS = str.maketrans("−0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
#: Matplotlib's warning for a character that the font lacks. It has the number of the character.
_NO_GLYPH = re.compile(r"Glyph (\d+) .*missing from")
_missing: set[str] = set()
#: Size in inches and font size in points of the picture that `resized` draws.
_asked: ContextVar[tuple[float, float, float] | None] = ContextVar("asked", default=None)
_Args = ParamSpec("_Args")
_Drawn = TypeVar("_Drawn")

COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000")
#: The hatching of transfers that did not finish.
UNFINISHED = "#8f959e"
_STYLE: Any = {
    "axes.axisbelow": True,
    "axes.grid": True,
    "axes.spines.right": False,
    "axes.spines.top": False,
    "axes.titlelocation": "left",
    "axes.titlesize": "medium",
    "grid.alpha": 0.25,
    "legend.frameon": False,
    "savefig.dpi": 130,
    "svg.fonttype": "none",
    "svg.hashsalt": "bentpipe",
    # A dollar sign in a name must not begin mathematics.
    "text.parse_math": False,
}
#: Smallest number of labels of a logarithmic axis, and largest number if they are whole powers of ten.
_LEAST_TICKS, _MOST_TICKS = 3, 7
#: Number of links with a row in the picture of links.
BUSIEST = 12
#: An axis is logarithmic if the range of its values exceeds this factor.
WIDE = 10.0
#: Largest number of pairs of paths that a picture names.
_NAMED = 12
#: Smallest utilisation of a link with a row, and largest number of shared transmitters with a bar.
_LEAST_BUSY, _SHARED = 0.01, 5
#: Largest number of marked changes of a path.
_MOST_MARKS = 200
#: Font sizes in points: the usual one, the smallest and the largest.
_FONT, _SMALLEST, _LARGEST = 9.0, 6.0, 18.0
#: Letters of the usual font per inch of a legend, and the width of the line before a name in letters.
_LETTERS, _HANDLE = 15.0, 6
#: Half the width of a dot in points, for the space that names leave free.
_DOT_PT = 3.5
#: Width of a digit as a part of the font size.
_LETTER = 0.64


def styled(draw: Callable[_Args, _Drawn]) -> Callable[_Args, _Drawn]:
    """Decorate a function that draws: apply Bentpipe's style without changing the user's style.

    The function may return a figure, an object whose `pictures` have figures, or any other value.
    """

    @functools.wraps(draw)
    def in_style(*arguments: _Args.args, **options: _Args.kwargs) -> _Drawn:
        import matplotlib as mpl
        from matplotlib.figure import Figure
        from matplotlib.rcsetup import cycler

        asked = _asked.get()
        style: Any = {**_STYLE, "font.size": asked[2] if asked else _FONT}
        with mpl.rc_context({**style, "axes.prop_cycle": cycler(color=COLOURS)}):
            with _glyphs_noted():
                drawn = draw(*arguments, **options)
            pictures = getattr(drawn, "pictures", ())
            for figure in [drawn] if isinstance(drawn, Figure) else [picture.figure for picture in pictures]:
                _write_out_powers(figure)
            return drawn

    return in_style


@contextmanager
def _glyphs_noted() -> Iterator[None]:
    """Collect the characters that the font lacks within the context, instead of a warning for each character."""
    with warnings.catch_warnings():
        usual = warnings.showwarning

        def show(message: Warning | str, *about: Any, **more: Any) -> None:
            if found := _NO_GLYPH.match(str(message)):
                _missing.add(chr(int(found[1])))
            else:
                usual(message, *about, **more)

        # `catch_warnings` restores the usual function at its end.
        warnings.showwarning = show
        warnings.filterwarnings("always", message=_NO_GLYPH.pattern, category=UserWarning)
        yield


def missing_glyphs() -> str:
    """Return a note on the characters that fonts of pictures lacked since the last call; empty without any."""
    found = "".join(sorted(_missing))
    _missing.clear()
    if not found:
        return ""
    more = f" and {len(found) - _NAMED} more" if len(found) > _NAMED else ""
    return f"note: the font of pictures lacks {found[:_NAMED]}{more}, which are drawn as boxes"


@styled
def new(rows: int, columns: int, *, width: float = 9.0, height: float = 2.6, **grid: Any) -> tuple[Figure, list[Axes]]:
    """Return a figure in our style without a window. Each row is `height` inches high."""
    from matplotlib.figure import Figure

    asked = _asked.get()
    figure = Figure(figsize=asked[:2] if asked else (width, height * rows), layout="constrained")
    axes = figure.subplots(rows, columns, squeeze=False, **grid)
    return figure, [axis for row in axes for axis in row]


def resized(
    size: tuple[float, float] | None, draw: Callable[_Args, Figure], *arguments: _Args.args, **options: _Args.kwargs
) -> Figure:
    """Draw a picture in a size in inches, and scale its fonts in proportion. Without a size, use the usual size."""
    figure = draw(*arguments, **options)
    if size is None:
        return figure
    ratio = min(asked / usual for asked, usual in zip(size, figure.get_size_inches(), strict=True))
    before = _asked.set((*size, min(_LARGEST, max(_SMALLEST, _FONT * ratio))))
    try:
        return draw(*arguments, **options)
    finally:
        _asked.reset(before)


def panels(count: int, columns: int, *, width: float, height: float) -> tuple[Figure, list[Axes]]:
    """Return a figure of `count` panels in `columns` columns. It is `width` inches wide; each row is `height` high."""
    figure, axes = new(max(1, -(-count // columns)), columns, width=width, height=height)
    for axis in axes[count:]:
        axis.set_visible(False)
    return figure, axes[:count]


def outer_labels(axes: Sequence[Axes], columns: int, x: str, y: str) -> None:
    """Label the axes of panels with a common scale, only below the lowest and beside the leftmost panels."""
    for number, axis in enumerate(axes):
        if number + columns >= len(axes):
            axis.set_xlabel(x, fontsize="small")
        if number % columns == 0:
            axis.set_ylabel(y, fontsize="small")


def legend_of(figure: Figure, axis: Axes, where: Where, most: int = 4, **more: Any) -> None:
    """Draw the legend of one panel outside all panels, in as many columns as fit.

    Args:
        figure: The picture.
        axis: The panel with the lines.
        where: The side of the figure.
        most: Largest number of columns.
        more: Options of `Figure.legend`.
    """
    handles, labels = axis.get_legend_handles_labels()
    letters = np.array([len(label) + _HANDLE for label in labels])
    asked = _asked.get()
    room = figure.get_figwidth() * _LETTERS * _FONT / (asked[2] if asked else _FONT)
    wide = {n: sum(part.max(initial=0) for part in np.array_split(letters, n)) for n in range(most, 1, -1)}
    columns = next((n for n, width in wide.items() if width <= room), 1)
    figure.legend(handles, labels, loc=where, ncols=columns, **more)


def name_rows(axis: Axes, names: Sequence[str], fontsize: str | None = None) -> None:
    """Write names of rows at y = 0, 1, ..., the first at the top."""
    axis.set_yticks(range(len(names)), names, fontsize=fontsize)
    axis.set_ylim(len(names) - 0.5, -0.5)


def is_wide(values: Sequence[float] | Floats) -> bool:
    """Return whether the known values are all above 0 and span more than a factor of ten, for a logarithmic axis."""
    known = np.asarray(values, dtype=np.float64)
    known = known[np.isfinite(known)]
    return known.size > 1 and bool(known.min() > 0.0) and bool(known.max() > WIDE * known.min())


def hatch(axis: Axes, x: float, y: float, width: float, height: float, transform: Transform | None = None) -> None:
    """Hatch a rectangle, given by its lower left corner and its size. Hatching marks unfinished transfers.

    The units are those of the axes, or of `transform`.
    """
    from matplotlib.patches import Rectangle

    area = Rectangle((x, y), width, height, fill=False, hatch="////", edgecolor=UNFINISHED, linewidth=0.0)
    if transform is not None:
        area.set_transform(transform)
    axis.add_patch(area)


def name_dots(figure: Figure, axis: Axes, dots: Sequence[tuple[float, float, str, str]]) -> None:
    """Write names beside their dots, without overlap of names and dots. A name without space is left out.

    A line leads from a name to its dot if the name is not next to the dot.

    Args:
        figure: The picture, otherwise finished.
        axis: The panel.
        dots: Position, name and colour of each dot, the most important dot first.
    """
    from matplotlib.collections import PathCollection
    from matplotlib.patches import ConnectionPatch
    from matplotlib.patheffects import withStroke
    from matplotlib.transforms import Bbox, offset_copy

    if not dots:
        return
    figure.draw_without_rendering()
    # The names are not part of the layout, so that the panel keeps its size.
    room = axis.get_window_extent()
    marks = [np.asarray(one.get_offsets()) for one in axis.collections if isinstance(one, PathCollection)]
    half = _DOT_PT * figure.dpi / 72.0
    places = axis.transData.transform(np.concatenate([np.empty((0, 2)), *marks]))
    taken = [Bbox.from_bounds(x - half, y - half, 2.0 * half, 2.0 * half) for x, y in places]
    for x, y, name, colour in dots:
        for up, right in itertools.product((5, -5, 17, -17, 29, -29, 41, -41, 53, -53), (True, False)):
            at = (7 if right else -7, up)
            text = axis.annotate(
                name, (x, y), xytext=at, textcoords="offset points", fontsize="small",
                ha="left" if right else "right", va="bottom" if up > 0 else "top", color=colour, zorder=5,
                path_effects=[withStroke(linewidth=2.0, foreground="white")],
            )  # fmt: skip
            text.set_in_layout(False)
            box = text.get_window_extent()
            inside = room.x0 <= box.x0 and box.x1 <= room.x1 and room.y0 <= box.y0 and box.y1 <= room.y1
            if inside and not any(box.overlaps(other) for other in taken):
                taken.append(box)
                if abs(up) > 5:
                    end = offset_copy(axis.transData, figure, *at, units="points")
                    lead = ConnectionPatch((x, y), (x, y), axis.transData, end, color=colour, linewidth=0.6)
                    lead.set_in_layout(False)
                    axis.add_artist(lead)
                break
            text.remove()


def write_cells(axis: Axes, cells: Floats, is_dark: Callable[[float], bool], ends: Floats | None = None) -> None:
    """Write the numbers into the cells of a heat map, in a colour that can be read on the cell.

    Args:
        axis: The map.
        cells: The numbers; NaN for an empty cell.
        is_dark: Whether the colour of a number is dark.
        ends: The lower and the upper end of the interval of each number, which are written below the number.
    """
    for (row, column), value in np.ndenumerate(cells):
        if not np.isnan(value):
            colour = "#ffffff" if is_dark(value) else "#000000"
            low, high = (math.nan, math.nan) if ends is None else ends[:, row, column]
            said = f"{value:.3g}" + (f"\n{low:.3g} to {high:.3g}" if high > low else "")
            axis.text(column, row, said, ha="center", va="center", fontsize="x-small", color=colour)


def entitle(figure: Figure, title: str) -> None:
    """Write a title above a picture, and above its own title."""
    own = figure.get_suptitle()
    font = 1.2 * float(figure.axes[0].xaxis.label.get_fontsize())
    figure.suptitle("\n".join([titled(title), *([own] if own else [])]), fontsize=font)


@styled
def save(figure: Figure, target: Path | io.StringIO, form: str | None = None, dpi: int | None = None) -> None:
    """Write a figure. The same figure gives the same bytes.

    Args:
        figure: The figure.
        target: A file, or a text buffer in memory.
        form: The format: png, svg or pdf. The default is the format of the suffix.
        dpi: Dots per inch of a PNG. The default is 130.
    """
    kind = form or str(target).rsplit(".", 1)[-1]
    _write_out_powers(figure)
    more: dict[str, Any] = {"dpi": dpi or _STYLE["savefig.dpi"], "metadata": {"Date": None} if kind == "svg" else None}
    with _glyphs_noted():
        figure.savefig(target, format=kind, **more)


def _write_out_powers(figure: Figure) -> None:
    """Label logarithmic axes without TeX, at three or more of the visible values."""
    from matplotlib.ticker import FuncFormatter, LogFormatterMathtext, NullFormatter

    for axes in figure.axes:
        for axis in (axes.xaxis, axes.yaxis):
            if not isinstance(axis.get_major_formatter(), LogFormatterMathtext):
                continue
            axis.set_major_formatter(FuncFormatter(lambda value, _place: tick_text(value)))
            axis.set_minor_formatter(NullFormatter())
            if axis.get_scale() == "log":
                axis.set_major_locator(_decades())


def tick_text(value: float) -> str:
    """Return the label of a value on a logarithmic axis: plain from 0.001 to 50000, otherwise as 3×10⁻⁶."""
    if value == 0.0 or 1e-3 <= abs(value) < 1e5:
        return f"{value:g}".replace("-", "−")
    digits, _, power = f"{value:.0e}".partition("e")
    shown = str(int(power)).replace("-", "−").translate(_SUPERSCRIPTS)
    return f"10{shown}" if digits == "1" else f"{digits}×10{shown}".replace("-", "−")


def log_ticks(low: float, high: float) -> list[float]:
    """Return mostly three to eight round values for a logarithmic axis from `low` to `high`, both above 0."""
    first, last = math.floor(math.log10(low)), math.ceil(math.log10(high))
    found: list[float] = []
    for steps in ((1,), (1, 3), (1, 2, 5), (1, 1.5, 2, 3, 5, 7)):
        every = max(1, -(-(last - first) // _MOST_TICKS)) if steps == (1,) else 1
        ticks = [step * 10.0**power for power in range(first, last + 1, every) for step in steps]
        found = [tick for tick in ticks if low * (1 - 1e-9) <= tick <= high * (1 + 1e-9)]
        if len(found) >= _LEAST_TICKS:
            return found
    from matplotlib.ticker import MaxNLocator

    # Below a third of a decade, the steps are equal.
    return [float(tick) for tick in MaxNLocator(4).tick_values(low, high) if low <= tick <= high and tick > 0] or found


def _decades() -> Locator:
    """Return the locator of `log_ticks`."""
    from matplotlib.axis import XAxis
    from matplotlib.ticker import Locator

    class Decades(Locator):
        def __call__(self) -> Sequence[float]:
            assert self.axis is not None  # noqa: S101 - matplotlib sets it
            return self.tick_values(*self.axis.get_view_interval())

        def tick_values(self, vmin: float, vmax: float) -> Sequence[float]:
            low, high = sorted((float(vmin), float(vmax)))
            return self._apart(log_ticks(low, high), low, high) if low > 0.0 else []

        def _apart(self, ticks: list[float], low: float, high: float) -> list[float]:
            """Leave out every second tick until the labels of a horizontal axis do not touch."""
            axis = self.axis
            if not isinstance(axis, XAxis) or len(ticks) <= 2:
                return ticks
            # `get_ticklabels` would ask this locator again.
            font = float(axis.majorTicks[0].label1.get_fontsize()) * axis.axes.figure.dpi / 72.0
            decade = axis.axes.bbox.width / max(math.log10(high / low), 1e-9)
            for one, other in itertools.pairwise(ticks):
                letters = (len(tick_text(one)) + len(tick_text(other))) / 2.0 + 1.0
                if decade * math.log10(other / one) < _LETTER * font * letters:
                    whole = [tick for tick in ticks if math.log10(tick).is_integer()]
                    return self._apart(whole if 2 <= len(whole) < len(ticks) else ticks[::2], low, high)
            return ticks

    return Decades()


def without_series(figure: Figure, run: Run) -> Figure:
    """Write in the title of a picture that the run recorded no series."""
    figure.suptitle(f"{titled(run.name)}: no series were recorded (record.interval is off)", fontsize="large")
    return figure


def column(table: pa.Table, name: str) -> Floats:
    """Return a column as floats. An unknown value is NaN."""
    return floats(table.column(name))


def over_time(table: Table, name: str, how: str = "sum") -> tuple[Floats, Floats]:
    """Return the times, and a column's sum, mean, min or max (`how`) over all flows or links at each time.

    Only flows with a row at a time count. While no flow is active, the sum is 0, and mean, min and max are NaN.
    """
    grouped = table.arrow.group_by("time_s").aggregate([(name, how)]).sort_by("time_s")
    times, values = column(grouped, "time_s"), column(grouped, f"{name}_{how}")
    missing = gaps(times)
    if not missing.size:
        return times, values
    where = np.searchsorted(times, missing)
    return np.insert(times, where, missing), np.insert(values, where, 0.0 if how == "sum" else np.nan)


def gaps(times: Floats) -> Floats:
    """Return the times of missing samples between other samples, at which no flow was active."""
    steps = np.diff(times)
    if not steps.size:
        return times[:0]
    step = float(np.median(steps))
    wide = np.flatnonzero(steps > 1.5 * step)
    return np.concatenate([np.arange(times[at] + step, times[at + 1] - step / 2, step) for at in wide] or [times[:0]])


def loss_rate_percent(table: Table) -> tuple[Floats, Floats]:
    """Return lost packets in percent of sent packets over time, for all flows together."""
    times, sent = over_time(table, "sent_packets")
    causes = [name for cause in summaries.CAUSES if (name := f"lost_{cause}") in table.columns]
    lost = sum((over_time(table, name)[1] for name in causes), np.zeros_like(sent))
    return times, 100.0 * np.divide(lost, sent, out=np.zeros_like(lost), where=sent > 0)


def smooth(values: Floats, points: int) -> Floats:
    """Return the running mean over `points` samples; at the ends, over the available samples."""
    if points <= 1 or values.size == 0:
        return values
    kernel = np.ones(min(points, values.size))
    weight = np.convolve(np.ones_like(values), kernel, mode="same")
    return np.asarray(np.convolve(values, kernel, mode="same") / weight, dtype=np.float64)


def band(axis: Axes, times: Floats, series: Sequence[Floats], label: str, colour: str) -> None:
    """Draw the mean over several runs, and their range."""
    stack = np.vstack(series)
    axis.plot(times, stack.mean(axis=0), color=colour, label=label, linewidth=1.4)
    if len(series) > 1:
        axis.fill_between(times, stack.min(axis=0), stack.max(axis=0), color=colour, alpha=0.18, linewidth=0)


def rtt_against_propagation(axis: Axes, run: Run) -> None:
    """Draw the measured round-trip time, and its part that is propagation delay."""
    for name, label, colour in (
        ("rtt_ms", "round-trip time", COLOURS[0]),
        ("propagation_rtt_ms", "propagation alone", COLOURS[1]),
    ):
        axis.plot(*over_time(run.flows, name, "mean"), label=label, color=colour, linewidth=1.2)
    axis.set(title="Round-trip time (mean of the flows)", ylabel="ms", ylim=(0, None))


@styled
def links(run: Run, count: int) -> Figure:
    """Draw the mean utilisation of shared transmitters, and below it the busiest links over time, one in each row.

    Links with a utilisation below 1 % are only counted. A shared transmitter has no series, so its bar is the mean of
    the run.

    Args:
        run: The run.
        count: Largest number of links with a row.
    """
    every = run.busiest_links(len(run.summary["links"]))
    busy = [link for link in every if link["utilisation"] >= _LEAST_BUSY]
    busiest = (busy or every)[:count]
    if len(run.links) == 0 or not busiest:
        figure, _ = new(1, 1, width=10.0, height=2.4)
        return without_series(figure, run)
    shared = sorted(run.summary.get("transmitters", []), key=lambda one: -one["utilisation"])[:_SHARED]
    ratios = [*([0.28 * len(shared) + 0.5] if shared else []), max(2.0, 0.28 * len(busiest) + 1.0)]
    figure, panels_ = new(len(ratios), 1, width=10.0, height=sum(ratios) / len(ratios), height_ratios=ratios)
    heat = panels_[-1]
    if shared:
        _transmitters(panels_[0], shared, len(run.summary["transmitters"]))
    # After the last flow has ended, samples still have rows of links.
    times = np.unique(np.concatenate([column(table.arrow, "time_s") for table in (run.flows, run.links)]))
    shares = np.zeros((len(busiest), times.size))
    row_of = {int(link["link"]): row for row, link in enumerate(busiest)}
    rows = run.links.arrow.filter(pc.is_in(run.links.arrow.column("link"), pa.array(list(row_of), pa.uint32())))
    at = np.searchsorted(times, column(rows, "time_s"))
    # A link without a row carried nothing in that interval.
    shares[[row_of[int(link)] for link in column(rows, "link")], at] = column(rows, "utilisation")
    start = times[0] - (times[1] - times[0] if times.size > 1 else times[0])
    extent = (float(start), float(times[-1]), len(busiest) - 0.5, -0.5)
    image = heat.imshow(
        100.0 * shares, aspect="auto", interpolation="nearest", cmap="cividis", vmin=0, vmax=100, extent=extent
    )
    names = [f"{plotted(link['name'])}  {100 * link['utilisation']:.0f} %" for link in busiest]
    name_rows(heat, names, fontsize="small")
    heat.grid(visible=False)
    heat.set(
        title=f"{titled(run.name)}: the {len(busiest)} busiest of {len(every)} links", xlabel=_rest(every, busiest)
    )
    figure.colorbar(image, ax=heat, label="utilisation (%)")
    return figure


def _rest(every: Sequence[LinkSummary], shown: Sequence[LinkSummary]) -> str:
    """Return the label of the time axis, with a line on the links that have no row."""
    rest = [link["utilisation"] for link in every[len(shown) :]]
    if not rest:
        return "s"
    links = f"{len(rest)} more link{'s' if len(rest) > 1 else ''}"
    most = "under 1 %" if rest[0] < _LEAST_BUSY else f"at most {100 * rest[0]:.0f} %"
    return f"s\n{links}: {most} each"


def _transmitters(axis: Axes, shared: Sequence[TransmitterSummary], count: int) -> None:
    """Draw a bar for each of the fullest shared transmitters."""
    rows = range(len(shared))
    axis.barh(rows, [100.0 * one["utilisation"] for one in shared], height=0.6, color=COLOURS[1])
    name_rows(axis, [f"{plotted(one['name'])}  {100 * one['utilisation']:.0f} %" for one in shared], fontsize="small")
    fullest = f", the {len(shared)} fullest of {count}" if count > len(shared) else ""
    axis.set(xlim=(0, 100), title=f"Shared transmitters{fullest}: mean utilisation (%)")
    axis.grid(visible=False, axis="y")


def stepped(times: Floats, values: Floats, jumps: NDArray[np.bool_]) -> tuple[Floats, Floats]:
    """Return the points of a line that shows a jump as a step at the next sample, and not as a slope."""
    at = np.flatnonzero(jumps)
    return np.insert(times, at, times[at]), np.insert(values, at, values[at - 1])


@styled
def paths_over_time(tables: Sequence[tuple[str, Table]], title: str) -> Figure:
    """Draw round-trip time, its rate of change and the number of links of paths, with gaps while there is no path.

    The axis of the round-trip time fits the data, so that the drift is visible. Handovers of a single pair (another
    satellite serves an end) are solid lines. Other changes of the pair's path are dotted lines.
    """
    figure, (delay, rate, links) = new(3, 1, height=2.0)
    for label, table in tables:
        times = column(table.arrow, "time_s") / 60.0
        ways = table["via"]
        # At an end of the path its last value is not continued: the line stops at the last row with a path.
        jumps = np.array([0, *(one != other and other for one, other in itertools.pairwise(ways))], dtype=bool)
        shown = plotted(label)
        (line,) = delay.plot(
            *stepped(times, column(table.arrow, "propagation_rtt_ms"), jumps), linewidth=1.2, label=shown
        )
        rate.plot(*stepped(times, column(table.arrow, "rtt_rate_us_s"), jumps), linewidth=0.8, color=line.get_color())
        links.step(times, column(table.arrow, "links"), where="post", linewidth=1.2, color=line.get_color())
        if len(tables) == 1:
            _handovers((delay, rate, links), times, ways)
    delay.set(title=titled(title), ylabel="propagation\nround trip (ms)")
    delay.margins(y=0.08)
    rate.set(ylabel="drift (µs/s)")
    links.set(ylabel="links on the path", ylim=(0, None))
    links.set_xlabel(links.get_xlabel() or "minutes")
    ends = [float(np.max(column(table.arrow, "time_s"))) / 60.0 for _, table in tables]
    for axis in (delay, rate, links):
        axis.set_xlim(0.0, max(ends) or None)
    if len(tables) > 1:
        delay.legend(fontsize="small", loc="best")
    return figure


def _handovers(axes: Sequence[Axes], times: Floats, ways: Sequence[str | None]) -> None:
    """Mark the changes of a path, and count them below the last axis."""
    kinds: dict[str, list[float]] = {"-": [], ":": []}
    for time, (one, other) in zip(times[1:], itertools.pairwise(ways), strict=True):
        if one and other and one != other:
            old, new_ = one.split(" > "), other.split(" > ")
            kinds["-" if (old[1], old[-2]) != (new_[1], new_[-2]) else ":"].append(float(time))
    said = []
    for style, name in (("-", "another satellite at an end"), (":", "the path changed between its ends")):
        if kinds[style]:
            drawn = len(kinds[style]) <= _MOST_MARKS
            line = f"{'solid' if style == '-' else 'dotted'} lines" if drawn else "too many to mark"
            said.append(f"{name}: {len(kinds[style]):,} ({line})")
            for axis in axes if drawn else ():
                # Blended transform: x is in minutes, y is a fraction of the height of the panel.
                axis.vlines(
                    kinds[style], 0.0, 1.0, transform=axis.get_xaxis_transform(), colors="#666666", linewidth=0.6,
                    linestyles="solid" if style == "-" else "dotted", zorder=1.2,
                )  # fmt: skip
    axes[-1].set_xlabel("\n".join(["minutes", *said]))


@styled
def bottlenecks(table: Table, names: Sequence[tuple[str, str]], title: str) -> Figure:
    """Draw pairs of paths (`bentpipe.bottlenecks`) with names: both round trips, and the common time."""
    shown = min(len(table), _NAMED)
    figure, (trips, time) = new(1, 2, width=11.0, height=max(2.2, 0.42 * shown + 1.2))
    rows = np.arange(shown)
    long, short = (column(table.arrow, f"{which}_rtt_ms")[:shown] for which in ("long", "short"))
    trips.hlines(rows, short, long, color="#b8b8b8", linewidth=1.4, zorder=1)
    trips.scatter(long, rows, color=COLOURS[0], label="longer", zorder=2)
    trips.scatter(short, rows, color=COLOURS[1], label="shorter", zorder=2)
    name_rows(trips, [f"{plotted(a)}\n{plotted(b)}" for a, b in names[:shown]], fontsize="x-small")
    trips.set(title=f"{titled(title)}: propagation round trips", xlabel="ms", xlim=(0, None))
    trips.legend(fontsize="small", loc="lower center", ncols=2)
    time.barh(rows, column(table.arrow, "shared_s")[:shown], color=COLOURS[2], height=0.6)
    for row, (kind, links) in enumerate(zip(table["kind"][:shown], table["links"][:shown], strict=True)):
        time.annotate(f" {kind}, {links} link{'s' if links != 1 else ''}", (0, row), va="center", fontsize="x-small")
    name_rows(time, [""] * shown)
    time.set(title="Time with a link in common", xlabel="s", xlim=(0, None))
    return figure


@styled
def world(axis: Axes, coast: Table, nodes: Table, links: Table, hops: Sequence[tuple[float, float, str]]) -> None:
    """Draw coastlines, satellites, links between satellites and one path, over longitude and latitude.

    Args:
        axis: The panel.
        coast: Points of the coastlines: `line`, `longitude_deg`, `latitude_deg`.
        nodes: `Sky.satellites`.
        links: `Sky.links`. Links that end on the ground are left out.
        hops: Longitude, latitude and name of the nodes of the path, including its ends.
    """
    from matplotlib.collections import LineCollection
    from matplotlib.patches import PathPatch
    from matplotlib.path import Path

    number, at = column(coast.arrow, "line"), ("longitude_deg", "latitude_deg")
    points = np.column_stack([column(coast.arrow, name) for name in at])
    shores = np.split(points, np.flatnonzero(np.diff(number)) + 1)
    rings = [Path(_ring(shore), closed=True) for shore in shores]
    # Inland seas are rings in the opposite direction.
    land = PathPatch(Path.make_compound_path(*rings), facecolor="#e9ecf0", edgecolor="none", zorder=0.5)
    axis.add_patch(land)
    axis.add_collection(LineCollection(shores, colors="#8a8a8a", linewidths=0.5))
    # If there are many satellites, dots are smaller and paler, so that single satellites of a dense shell are visible.
    crowd = min(1.0, 150.0 / max(1, len(nodes)))
    lon, lat = column(nodes.arrow, "longitude_deg"), column(nodes.arrow, "latitude_deg")
    segments = [
        segment
        for a, b in zip(links["a"], links["b"], strict=True)
        if b < len(nodes)
        for segment in _arc((lon[a], lat[a]), (lon[b], lat[b]))
    ]
    axis.add_collection(LineCollection(segments, colors="#9ecae1", linewidths=0.25 + 0.4 * crowd))
    axis.scatter(lon, lat, s=1.0 + 8.0 * crowd, color=COLOURS[0], linewidths=0, label="satellites", zorder=3)
    way = [segment for one, other in itertools.pairwise(hops) for segment in _arc(one[:2], other[:2])]
    axis.add_collection(LineCollection(way, colors=COLOURS[1], linewidths=2.0, zorder=4))
    for place in (hops[0], hops[-1]) if hops else ():
        axis.plot(*place[:2], marker="^", color="#000000", markersize=5, zorder=5)
        axis.annotate(
            plotted(place[2]), place[:2], xytext=(4, -10), textcoords="offset points", fontsize="small", zorder=6
        )
    axis.set(xlim=(-180, 180), ylim=(-90, 90), xlabel="longitude (°)", ylabel="latitude (°)")
    axis.set_xticks(range(-180, 181, 60))
    axis.set_yticks(range(-90, 91, 30))


@styled
def constellation(sky: Sky, at: str, pair: tuple[str, str] | None = None) -> Figure:
    """Draw a map of a constellation at a moment, with the path of a pair of places if the path exists."""
    figure, (axis,) = new(1, 1, width=11.0, height=5.6)
    hops: list[tuple[float, float, str]] = []
    if pair is not None:
        nodes, _ = sky._look(at, pair)
        lon, lat, names = nodes["longitude_deg"], nodes["latitude_deg"], nodes["name"]
        best = sky.shortest(*pair, at=at)["nodes"]
        hops = [(lon[node], lat[node], names[node]) for way in best for node in way]
    world(axis, coastline(), sky.satellites(at), sky.links(at), hops)
    count = sky.facts["satellites"]
    title = f"{sky.name}: {count} satellite{'s' if count != 1 else ''}, {at} after the start"
    axis.set_title(title if pair is None else f"{title}, {' to '.join(pair)}")
    return figure


def coastline() -> Table:
    """Return the coastlines for `world`."""
    return Table(_core.coastline())


def _ring(shore: Floats) -> Floats:
    """Return a coast as a closed ring. The ring of Antarctica continues along the lower edge of the map."""
    (first, latitude), (last, end) = shore[0], shore[-1]
    corners = np.array([(180.0, end), (180.0, -90.0), (-180.0, -90.0), (-180.0, latitude)])
    over_edge = corners * (np.sign(last), 1.0) if abs(last - first) > 180.0 else corners[:0]
    return np.vstack([shore, over_edge, shore[:1]])


def _arc(one: Sequence[float], other: Sequence[float]) -> list[list[tuple[float, float]]]:
    """Return a straight line on the map, in two parts if the way across the edge of the map is shorter."""
    (lon_a, lat_a), (lon_b, lat_b) = one, other
    if abs(lon_b - lon_a) <= 180.0:
        return [[(lon_a, lat_a), (lon_b, lat_b)]]
    shift = 360.0 if lon_a > lon_b else -360.0
    return [[(lon_a, lat_a), (lon_b + shift, lat_b)], [(lon_a - shift, lat_a), (lon_b, lat_b)]]
