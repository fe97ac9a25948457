# SPDX-License-Identifier: MIT OR Apache-2.0
"""Does A-LIAD start without overshoot, share fairly and survive losses over GEO?"""

from __future__ import annotations

from bentpipe.papers._paper import Paper

PAPER = Paper(name="a-liad", title="A-LIAD: TCP for satellite networks", about="", rows=())
