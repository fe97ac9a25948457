# SPDX-License-Identifier: MIT OR Apache-2.0
"""One module per paper: its scenarios, its figures, its claims with the paper's number beside ours.

These modules use Bentpipe's public interface only; they are also examples of how to use it.

>>> from bentpipe.papers import Effort, choose, reproduce
>>> found = reproduce(choose("hybla-im", ["H-22"]), Effort(seeds=(1, 2), quick=True), out="report")  # doctest: +SKIP
"""

from bentpipe.papers._claims import RULE, Claim, Verdict
from bentpipe.papers._paper import Effort, Finding, Paper, Picture, Row, Setting, Sheet
from bentpipe.papers._reproduce import Drawing, Kept, Reproduction, reproduce
from bentpipe.papers._runs import Runs
from bentpipe.papers._shelf import choose, papers

__all__ = [
    "RULE",
    "Claim",
    "Drawing",
    "Effort",
    "Finding",
    "Kept",
    "Paper",
    "Picture",
    "Reproduction",
    "Row",
    "Runs",
    "Setting",
    "Sheet",
    "Verdict",
    "choose",
    "papers",
    "reproduce",
]
