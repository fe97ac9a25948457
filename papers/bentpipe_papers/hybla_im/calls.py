# SPDX-License-Identifier: MIT OR Apache-2.0
"""How often congestion control is called, and how often for a link error (H-24; over T2 in H-25)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

import bentpipe as bp
from bentpipe.study import Finding, Sheet, counts, cuts_per_1000, loss_percent, lost_packets, verdicts
from bentpipe_papers.hybla_im import claims
from bentpipe_papers.hybla_im.bed import PAIR, PERS, T1

if TYPE_CHECKING:
    from bentpipe.study import Runs
    from bentpipe_papers.hybla_im.bed import Topology


def table(runs: Runs, topology: Topology) -> Sheet:
    """Reductions of the window, and what became of the link errors."""
    rows = []
    for per in PERS:
        for name in PAIR:
            chosen = runs.of(topology.id, per, name)
            judged = verdicts(chosen)
            called, spared = judged.get("error_as_congestion", 0), judged.get("error_as_error", 0)
            rows.append(
                [
                    *(f"{per:g}", name),
                    *(bp.estimate(counts(chosen, what)).text(0) for what in ("cuts", "timeouts")),
                    bp.estimate(lost_packets(chosen, "error")).text(0),
                    f"{called} of {called + spared}",
                    bp.estimate([cuts_per_1000(run) for run in chosen]).text(0),
                ]
            )
    head = ("PER", "variant", "cuts", "RTOs", "link errors", "judged link errors that led to a reduction, all seeds")
    last = "all reductions per 1000 link errors"
    return Sheet(f"{topology.id}: calls of congestion control", (*head, last), rows)


def read(runs: Runs) -> Finding:
    """H-24."""
    ratios: dict[float, list[str]] = {}
    for per in PERS:
        for name in PAIR:
            chosen = runs.of(T1.id, per, name)
            queue, error = (float(np.mean(loss_percent(chosen, cause))) for cause in ("queue", "error"))
            ratios.setdefault(per, []).append(f"{queue / error:,.0f}" if error else "–")
    found = claims.fewer_calls(runs)
    drops = ", ".join(f"{' and '.join(pair)} at {per:g}" for per, pair in ratios.items())
    judged = verdicts([run for per in PERS for run in runs.of(T1.id, per, "hybla-im")])
    called = judged.get("error_as_congestion", 0)
    unsure = [claim.what.split(":")[0] for claim in found if claim.measured.high >= 100.0]
    few = f" (too few to tell at {' and '.join(unsure)})" if unsure else ""
    return Finding(
        why=f"the full uplink drops so much that link errors are hardly ever judged alone: of "
        f"{called + judged.get('error_as_error', 0)} that were, {called} led to a reduction{few}; under Hybla all "
        "would. With a faster user link, errors matter: row H-25",
        claims=found,
        sheets=[table(runs, T1)],
        notes=[
            "Judged is the first loss of each episode: an error in the midst of others calls nothing.",
            f"For each packet that a link error takes, the queues drop (Hybla and Hybla-IM) {drops}.",
        ],
    )
