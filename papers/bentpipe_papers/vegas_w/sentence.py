# SPDX-License-Identifier: MIT OR Apache-2.0
"""The paper's sentence on the front page."""

from __future__ import annotations

from bentpipe_papers.sentences import Sentence

SENTENCE = Sentence(
    row="V-07",
    claim="6.4s",
    words="in runs of 30 s Vegas-W first fills the 15 Mbit/s path after {ours} (30 s: never), in the paper after "
    "{paper}",
)
