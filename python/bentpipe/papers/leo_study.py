# SPDX-License-Identifier: MIT OR Apache-2.0
"""Do flows of different round-trip time share a LEO constellation fairly?"""

from __future__ import annotations

from bentpipe.papers._paper import Paper

PAPER = Paper(name="leo-study", title="Competing flows on LEO constellations", about="", rows=())
