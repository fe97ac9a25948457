# SPDX-License-Identifier: MIT OR Apache-2.0
"""Does A-LIAD start without overshoot, share fairly and survive losses over GEO?

Reproduces "Adaptive Logarithmic Increase Congestion Control Algorithm for Satellite Networks" (M. Shin, M. Park, D. Oh,
B. Kim, J. Lee; KSII Transactions on Internet and Information Systems 8(8), 2014): its analysis, every figure of its
evaluation, and what it says about its relatives.
"""

from __future__ import annotations

from bentpipe.papers._paper import Paper
from bentpipe.papers.a_liad import (
    _analysis,
    _epochs,
    _fairness,
    _friendliness,
    _ground,
    _growth,
    _losses,
    _net,
    _ranking,
    _related,
    _slow_start,
    _start_up,
)

PAPER = Paper(
    name="a-liad",
    title="Adaptive Logarithmic Increase Congestion Control Algorithm for Satellite Networks",
    about="A-LIAD raises the window along a logarithm towards the window of the last loss, with a factor alpha that "
    "grows with the round-trip time so that every congestion epoch lasts as long whatever the path; it gives up 1 - "
    "RTTmin/RTTmax at a loss, and its slow start turns logarithmic at half of an estimated threshold. The paper "
    "evaluates it in ns-2 over one shared link of 10 or 50 Mbit/s followed by a satellite's: start-up, fairness "
    "between its own flows and over round-trip times, packet errors, and friendliness to NewReno.",
    given=_net.GIVEN,
    chosen=_net.CHOSEN,
    rows=(
        _analysis.FIGURE_1,
        *_growth.ROWS,
        *_epochs.ROWS,
        *_analysis.ROWS,
        _ground.NETWORK,
        *_start_up.ROWS,
        *_slow_start.ROWS,
        *_fairness.ROWS,
        *_losses.ROWS,
        *_friendliness.ROWS,
        _ground.STANDARD_TCP,
        *_related.ROWS,
        _losses.BEFORE_A_LOSS,
        *_ranking.ROWS,
    ),
)
