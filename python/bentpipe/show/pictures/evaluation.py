# SPDX-License-Identifier: MIT OR Apache-2.0
"""The picture of an evaluation: the verdict on each criterion."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bentpipe.plots import COLOURS, new, styled

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from bentpipe._evaluate.evaluate import Evaluation

#: The colour of each judgement.
_COLOURS = {"met": COLOURS[2], "open": COLOURS[4], "not met": COLOURS[1]}


@styled
def squares(result: Evaluation) -> Figure:
    """Draw a square for each criterion, in the order of the evaluation."""
    count = len(result.answers)
    figure, (axis,) = new(1, 1, height=2.2)
    for judgement, colour in _COLOURS.items():
        places = [place for place, answer in enumerate(result.answers) if answer.judgement == judgement]
        if places:
            axis.bar(places, [1.0] * len(places), width=0.9, color=colour, label=f"{judgement} ({len(places)})")
    axis.set_xticks(range(count), [answer.name for answer in result.answers], rotation=90, fontsize="x-small")
    axis.set(xlim=(-0.6, count - 0.4), ylim=(0, 1))
    axis.set_yticks([])
    axis.grid(visible=False)
    axis.legend(loc="lower left", bbox_to_anchor=(0.0, 1.0), ncols=3, fontsize="small")
    return figure
