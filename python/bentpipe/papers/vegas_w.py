# SPDX-License-Identifier: MIT OR Apache-2.0
"""Does Vegas-W leave slow start in time and survive a change of route?"""

from __future__ import annotations

from bentpipe.papers._paper import Paper

PAPER = Paper(name="vegas-w", title="Vegas-W: an enhanced TCP Vegas for satellite networks", about="", rows=())
