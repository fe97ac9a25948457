# SPDX-License-Identifier: MIT OR Apache-2.0
"""Do flows of different round-trip time share a LEO constellation fairly?"""

from __future__ import annotations

from bentpipe.papers._paper import Paper
from bentpipe.papers.leo_study import rates, response

PAPER = Paper(
    name="leo-study",
    title="Congestion Control on LEO Satellite Networks using Hypatia",
    about="",
    rows=(
        rates.RENO,
        rates.ROUND_TRIPS,
        rates.HYBLA,
        response.GAIN,
        rates.GEO,
        response.CUTS,
        rates.MADRID_ROW,
        rates.METRICS,
    ),
)
