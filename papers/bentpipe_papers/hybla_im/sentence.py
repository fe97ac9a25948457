# SPDX-License-Identifier: MIT OR Apache-2.0
"""The paper's sentence on the front page."""

from __future__ import annotations

from bentpipe_papers.sentences import Sentence

SENTENCE = Sentence(
    row="H-18",
    claim="throughput, Hybla-IM against Hybla",
    words="at a packet error rate of 1e-4 Hybla-IM's throughput differs from Hybla's by {ours}, in the paper by "
    "{paper}",
)
