# SPDX-License-Identifier: MIT OR Apache-2.0
"""Draw the claims of a paper in one picture: a line for each claim, from "no effect" to the claimed number."""

from __future__ import annotations

import math
import textwrap
from typing import TYPE_CHECKING

from bentpipe import plots

if TYPE_CHECKING:
    from collections.abc import Mapping

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from bentpipe.study._claims import Claim

#: Colours of verdicts, in tones that colour-blind readers tell apart.
VERDICT_COLOURS = {
    "holds": "#0072b2",
    "fails": "#d55e00",
    "undecided": "#8f959e",
    "depends": "#e69f00",
    "contradicts itself": "#cc79a7",
    "cannot fail": "#56b4e9",
}
#: The verdict that one combination alone would give.
_ALONE = {True: "holds", False: "fails", None: "undecided"}
#: The ends of the axis. For a value beyond an end, an arrow is drawn at the end.
_LEAST, _MOST = -1.5, 2.5
_INCHES = 0.42


@plots.styled
def strips(claims: Mapping[str, Claim], *, own: bool = False) -> Figure:
    """Draw a strip for each claim (by id): the main reading with its interval, and all combinations behind it.

    0 means that there is no effect, and 1 is the paper's number. A claim without a number has its main reading at 1, or
    at -1 if the main reading is on the other side. `own`: for a study without a paper.
    """
    figure, (axis,) = plots.new(1, 1, width=9.5, height=0.9 + _INCHES * max(1, len(claims)))
    axis.axvline(0.0, color="#000000", linewidth=0.8)
    axis.axvline(1.0, color="#009e73", linewidth=1.0, linestyle="--")
    names = []
    for line, (name, claim) in enumerate(claims.items()):
        _strip(axis, line, claim)
        names.append("\n".join(textwrap.wrap(f"{name} {claim.what}", 56, max_lines=2, placeholder=" …")))
        colour = VERDICT_COLOURS[str(claim.verdict)]
        words = textwrap.wrap(claim.verdict_words(own=own), 44, max_lines=2, placeholder=" …")
        axis.text(_MOST + 0.08, line, "\n".join(words), color=colour, va="center", fontsize="x-small")
    axis.set_yticks(range(len(names)), names, fontsize="x-small")
    axis.set(xlim=(_LEAST, _MOST), ylim=(len(names) - 0.4, -0.6))
    axis.grid(visible=False, axis="y")
    whose = "the expected" if own else "the paper's"
    axis.set_xlabel(
        f"0: no effect; 1: {whose} number (if the claim is only a direction: our main reading)\n"
        "diamond and bar: main reading with its 95 % interval, in the colour of the verdict\n"
        "dots: combinations of readings that support (blue), contradict (orange) or do not decide (grey) the claim",
        fontsize="small",
    )
    return figure


def scaled(claim: Claim, value: float) -> float:
    """Return a value on the axis of `strips`.

    In general, the neutral value is at 0 and the paper's number is at 1. There are three exceptions. If the number is a
    lower bound below the neutral value, the bound is at 0 and the main reading is at 1. If the number equals the
    neutral value, it is at 1, and a difference of ten tolerances is 1 on the axis. If the claim has a side but no
    number, "no effect" is at 0, and the main reading (or, without an effect, the farthest combination) is at 1 or -1.
    """
    if claim.paper is not None and claim.bound and claim.sign > 0 and claim.paper < claim.middle:
        return (value - claim.paper) / (abs(claim.measured.mean - claim.paper) or 1.0)
    if claim.paper is not None and (claim.paper != claim.middle):
        return (value - claim.middle) / (claim.paper - claim.middle)
    if claim.paper is not None and not claim.sign:
        return 1.0 + (value - claim.paper) / (10.0 * (claim.allowed or 1.0))
    ours = abs(claim.measured.mean - claim.middle)
    far = [abs(one.mean - claim.middle) for _, one in claim.others if not math.isnan(one.mean)]
    unit = ours if ours > 1e-9 and not math.isnan(ours) else max(far, default=0.0) or 1.0
    return (claim.side or claim.sign) * (value - claim.middle) / unit


def _strip(axis: Axes, line: int, claim: Claim) -> None:
    for number, (_, one) in enumerate(claim.others):
        if not math.isnan(one.mean):
            height = line + 0.5 * ((number * 0.618034) % 1.0 - 0.5)  # spread evenly and deterministically
            colour = VERDICT_COLOURS[_ALONE[claim.told(one)]]
            x = min(max(scaled(claim, one.mean), _LEAST), _MOST)
            axis.plot([x], [height], ".", color=colour, alpha=0.45, markersize=5, markeredgewidth=0, clip_on=False)
    here, colour = claim.measured, VERDICT_COLOURS[str(claim.verdict)]
    if math.isnan(here.mean) or (claim.never is not None and here.mean >= claim.never):
        axis.text(_MOST - 0.05, line, "never", color=colour, ha="right", va="center", fontsize="small", weight="bold")
        return
    ends = sorted(min(max(scaled(claim, one), _LEAST), _MOST) for one in (here.low, here.high))
    axis.plot(ends, [line, line], color=colour, linewidth=4.0, solid_capstyle="butt", alpha=0.8)
    x = scaled(claim, here.mean)
    mark = "<" if x < _LEAST else ">" if x > _MOST else "D"
    axis.plot([min(max(x, _LEAST), _MOST)], [line], mark, color=colour, markersize=6, markeredgecolor="white",
              clip_on=False)  # fmt: skip
