# SPDX-License-Identifier: MIT OR Apache-2.0
"""The runs that a reproduction would make, and their cost."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bentpipe import _core
from bentpipe.base import arguments
from bentpipe.base.errors import BentpipeError
from bentpipe.study._reproduce import curve_efforts
from bentpipe.study._runs import Store

if TYPE_CHECKING:
    import os
    from collections.abc import Sequence

    from bentpipe.study._study import Effort, Row, Study

#: Number of runs of a row whose cost is estimated. The cost of the row is extrapolated from these runs.
_RECKONED = 4


@dataclass(frozen=True)
class Planned:
    """The runs of a row. Runs that an earlier row of the list also has do not count again.

    Attributes:
        row: Id of the row, or of a specification curve.
        what: The measured quantity or the claim.
        runs: Number of runs at the first look.
        most_runs: Number of runs if no claim is decided before the last look.
        there: Number of runs, of `runs`, that exist.
        cpu_s: Estimated CPU time of the missing runs of the first look, in s.
        most_cpu_s: Estimated CPU time of all missing runs up to the last look, in s.
    """

    row: str
    what: str
    runs: int
    most_runs: int
    there: int
    cpu_s: float
    most_cpu_s: float


def planned(
    chosen: Sequence[tuple[Study, Sequence[Row]]],
    effort: Effort,
    *,
    out: str | os.PathLike[str],
    curves: bool = False,
) -> list[Planned]:
    """Return the runs that `reproduce` would make for each row, and their cost. Nothing is made or written.

    Args:
        chosen: Studies, each with the chosen rows.
        effort: Seeds and looks.
        out: Folder of the reproduction, whose runs are not made again.
        curves: Whether the specification curves of the rows are made too.
    """
    store = Store(arguments.path("out", out) / "runs")
    seen: set[str] = set()
    found = []
    rows = [row for _, some in chosen for row in some]
    work = [(row, effort.steps()) for row in rows if not row.last]
    work += [(row, own.steps()) for one in rows if curves for row, own in curve_efforts(one)]
    for row, steps in work:
        looks = [dict.fromkeys(scenario.to_toml() for scenario in row.plan(step).values()) for step in steps]
        first, every = ([text for text in some if text not in seen] for some in (looks[0], looks[-1]))
        seen.update(every)
        # Looking for a run takes about a millisecond, because its identity is computed from its scenario.
        kept = set(filter(store.has, every)) if store.place.is_dir() else set[str]()
        there = sum(text in kept for text in first)
        each_s = _each_s(every, store)
        cpu_s, most_cpu_s = each_s * (len(first) - there), each_s * (len(every) - len(kept))
        found.append(Planned(row.id, row.what, len(first), len(every), there, cpu_s, most_cpu_s))
    return found


def _each_s(texts: Sequence[str], store: Store) -> float:
    """Return the mean CPU time of a run and of its run folder in s, from some of the runs."""
    known = []
    for text in texts[:: max(1, len(texts) // _RECKONED)]:
        try:
            known.append(float(json.loads(_core.cost(store.wanted(text).job(costly=True), measured=False))["cpu_s"]))
        except BentpipeError:
            continue  # the run itself reports the error
    return sum(known) / len(known) if known else 0.0
