# SPDX-License-Identifier: MIT OR Apache-2.0
"""What the front page says of a paper: one claim, in a sentence whose numbers and verdict come from the outcomes."""

from __future__ import annotations

from typing import NamedTuple


class Sentence(NamedTuple):
    """A paper's sentence: which claim, and the words around its numbers.

    Attributes:
        row: The row of the claim: ``H-18``.
        claim: A part of the claim's headline, or of its own words, that no other claim of the row has.
        words: With ``{ours}`` and ``{paper}`` where the numbers go. They say what was measured, not how it fared: the
            verdict is computed, and put behind them.
    """

    row: str
    claim: str
    words: str
