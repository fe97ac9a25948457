# SPDX-License-Identifier: MIT OR Apache-2.0
"""Does HYBIC join the start of Hybla to the growth of CUBIC?"""

from __future__ import annotations

from bentpipe.papers._paper import Paper

PAPER = Paper(
    name="hybic", title="HYBIC: congestion control for integrated satellite-terrestrial networks", about="", rows=()
)
