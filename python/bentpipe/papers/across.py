# SPDX-License-Identifier: MIT OR Apache-2.0
"""Every controller in every setting, start-up times, ablations, and the scoreboard."""

from __future__ import annotations

from bentpipe.papers._paper import Paper

PAPER = Paper(name="across", title="What crosses the papers", about="", rows=())
