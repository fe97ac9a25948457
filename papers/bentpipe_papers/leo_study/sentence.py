# SPDX-License-Identifier: MIT OR Apache-2.0
"""The paper's sentence on the front page."""

from __future__ import annotations

from bentpipe_papers.sentences import Sentence

SENTENCE = Sentence(
    row="G-11",
    claim="Geo-Reno by distance",
    words="Geo-Reno brings the slower of two competing flows to {ours} of the faster, in the slides to {paper}",
)
