# SPDX-License-Identifier: MIT OR Apache-2.0
"""The paper's sentence on the front page."""

from __future__ import annotations

from bentpipe_papers.sentences import Sentence

SENTENCE = Sentence(
    row="A-19",
    claim="without errors",
    words="Jain's index of A-LIAD flows that share a link is {ours}, in the paper {paper}",
)
