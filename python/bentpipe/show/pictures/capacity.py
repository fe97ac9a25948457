# SPDX-License-Identifier: MIT OR Apache-2.0
"""Compute the capacity of the path behind the goodput of its flows."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from bentpipe import _core
from bentpipe.base.errors import BentpipeError
from bentpipe.base.tables import Table
from bentpipe.plots import column

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bentpipe.plots import Floats
    from bentpipe.results.summary_types import FlowSummary
    from bentpipe.runs.run import Run

#: Largest number of steps over a run, and the shortest step in seconds.
_STEPS, _LEAST_S = 1500, 0.1


def capacity(run: Run, flows: Sequence[FlowSummary]) -> tuple[Floats, Floats] | None:
    """Return the rate of the narrowest link on the path over time. No packets are simulated.

    Args:
        run: The run.
        flows: The flows of the run. They must have the same ends, because paths between other ends have other
            capacities.

    Returns:
        Times in seconds and rates in Mbit/s. A rate is constant until the next time; NaN if there is no path. None if
        the flows have different ends, no link has a rate, or the path cannot be computed again (a file of the scenario
        is missing).
    """
    if len({(flow["from"], flow["to"]) for flow in flows}) != 1:
        return None
    about = run.provenance
    step_s = max(_LEAST_S, about["duration_s"] / _STEPS)
    origin = "scenario.toml" if run.folder is None else str(run.folder / "scenario.toml")
    try:
        job = _core.Job(run.scenario, origin, seed=about["seed"])
        table = Table(_core.path_series(job, flows[0]["name"], True, f"{step_s * 1e3:.0f} ms")[0])
    except BentpipeError:
        return None
    rates = column(table.arrow, "rate_mbit_s")
    # The last step lasts until the end.
    times = np.append(column(table.arrow, "time_s"), about["duration_s"])
    return (times, np.append(rates, rates[-1])) if np.isfinite(rates).any() else None
