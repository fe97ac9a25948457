# SPDX-License-Identifier: MIT OR Apache-2.0
"""Does Vegas-W leave slow start in time and survive a change of route?"""

from __future__ import annotations

from bentpipe.papers._paper import Paper
from bentpipe.papers.vegas_w import figures, losses, others, route, rules, start_up

PAPER = Paper(
    name="vegas-w",
    title="An Enhanced TCP Vegas Algorithm Based on Route Surveillance and Bandwidth Estimation over GEO Satellite "
    "Networks",
    about="",
    rows=(*rules.ROWS, *start_up.ROWS, *figures.ROWS, *route.ROWS, *losses.ROWS, *others.ROWS),
)
