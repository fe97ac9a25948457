# SPDX-License-Identifier: MIT OR Apache-2.0
"""The paper's sentence on the front page."""

from __future__ import annotations

from bentpipe_papers.sentences import Sentence

SENTENCE = Sentence(
    row="Y-11",
    claim="rate of HYBIC over CUBIC",
    words="over the same round trip HYBIC's mean rate is {ours} times CUBIC's, by the rates of Table I {paper} times",
)
