# SPDX-License-Identifier: MIT OR Apache-2.0
"""Studies: claims beside measurements, with a computed verdict on each claim.

A study is a list of rows. A row defines the runs that it needs, and a function that computes claims from the runs.
`reproduce` makes each run once, and `write` writes the report. A study can measure a paper again: the package
``bentpipe-papers`` contains five such studies. Your own study is a Python file with a module-level ``STUDY``.

>>> from bentpipe.study import Effort, choose, load, reproduce
>>> study = load("my_study.py")  # doctest: +SKIP
>>> found = reproduce(choose("all", shelf=[study]), Effort(seeds=(1, 2, 3)), out="report")  # doctest: +SKIP
"""

import typing

from bentpipe.base.markdown import table as markdown_table
from bentpipe.base.markdown import write as write_block
from bentpipe.base.stats import Bounds
from bentpipe.results.summaries import given
from bentpipe.runs.looks import LOOKS
from bentpipe.show.pages.page import Drawing
from bentpipe.show.pictures.strips import VERDICT_COLOURS, strips
from bentpipe.study._claims import RULE, Claim, Combinations, InReading, Verdict, in_reading, rounding
from bentpipe.study._curves import CURVE_SEEDS, Curve, Point, SpecificationCurve, curve_rows, specification_curve
from bentpipe.study._measures import (
    bars,
    change_text,
    confusion,
    counts,
    cuts,
    cuts_per_1000,
    events,
    goodput,
    goodputs,
    jain,
    loss_percent,
    lost_packets,
    mean_between,
    mean_known,
    mean_of,
    mean_queue_ms,
    means_of,
    own_limit,
    running_mean,
    sampled,
    series,
    shown,
    smaller_over_larger,
    snapshot,
    total_goodput,
    totals,
    verdicts,
    with_errors,
)
from bentpipe.study._report.markdown import chapter, markdown
from bentpipe.study._report.page import write
from bentpipe.study._report.scoreboard import claim_lines, headlines, summary
from bentpipe.study._reproduce import Outcome, Reproduction, reproduce
from bentpipe.study._runs import Runs
from bentpipe.study._shelf import choose, load, studies
from bentpipe.study._study import (
    Change,
    Choice,
    Effort,
    Finding,
    Key,
    Moved,
    Option,
    Picture,
    Plan,
    Row,
    Setting,
    Sheet,
    Study,
    found,
    reads,
)
from bentpipe.study._table import (
    Column,
    Measure,
    Statement,
    Words,
    above,
    at_least,
    at_most,
    below,
    claim,
    each,
    equals,
    grid,
    heads,
    otherwise,
    paired,
    table,
)

if typing.TYPE_CHECKING:
    # Only for annotations: matplotlib is loaded when something is drawn.
    from matplotlib.axes import Axes as Axes
    from matplotlib.figure import Figure as Figure

__all__ = [
    "CURVE_SEEDS",
    "LOOKS",
    "RULE",
    "VERDICT_COLOURS",
    "Bounds",
    "Change",
    "Choice",
    "Claim",
    "Column",
    "Combinations",
    "Curve",
    "Drawing",
    "Effort",
    "Finding",
    "InReading",
    "Key",
    "Measure",
    "Moved",
    "Option",
    "Outcome",
    "Picture",
    "Plan",
    "Point",
    "Reproduction",
    "Row",
    "Runs",
    "Setting",
    "Sheet",
    "SpecificationCurve",
    "Statement",
    "Study",
    "Verdict",
    "Words",
    "above",
    "at_least",
    "at_most",
    "bars",
    "below",
    "change_text",
    "chapter",
    "choose",
    "claim",
    "claim_lines",
    "confusion",
    "counts",
    "curve_rows",
    "cuts",
    "cuts_per_1000",
    "each",
    "equals",
    "events",
    "found",
    "given",
    "goodput",
    "goodputs",
    "grid",
    "headlines",
    "heads",
    "in_reading",
    "jain",
    "load",
    "loss_percent",
    "lost_packets",
    "markdown",
    "markdown_table",
    "mean_between",
    "mean_known",
    "mean_of",
    "mean_queue_ms",
    "means_of",
    "otherwise",
    "own_limit",
    "paired",
    "reads",
    "reproduce",
    "rounding",
    "running_mean",
    "sampled",
    "series",
    "shown",
    "smaller_over_larger",
    "snapshot",
    "specification_curve",
    "strips",
    "studies",
    "summary",
    "table",
    "total_goodput",
    "totals",
    "verdicts",
    "with_errors",
    "write",
    "write_block",
]
