# SPDX-License-Identifier: MIT OR Apache-2.0
"""Do flows of different round-trip time share a LEO constellation fairly?"""

from __future__ import annotations

from bentpipe.papers._paper import Paper
from bentpipe.papers.leo_study import copa, matrix, motion, network, rates, response, single, told, worst

PAPER = Paper(
    name="leo-study",
    title="Congestion Control on LEO Satellite Networks using Hypatia",
    about="",
    rows=(
        network.CONSTELLATIONS,
        network.FEATURES,
        single.LOSS_OR_DELAY,
        network.PATHS,
        rates.RENO,
        rates.ROUND_TRIPS,
        worst.WORST_CASE,
        rates.HYBLA,
        network.PROPORTION,
        response.GAIN,
        rates.GEO,
        response.CUTS,
        rates.MADRID_ROW,
        rates.METRICS,
        single.BEST_OF_BOTH,
        copa.DYNAMIC,
        single.COPA,
        single.BBR,
        matrix.COMPETE,
        motion.DOPPLER,
        told.FORETOLD,
    ),
)
