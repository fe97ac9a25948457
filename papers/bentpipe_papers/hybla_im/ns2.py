# SPDX-License-Identifier: MIT OR Apache-2.0
"""The paper's own tool: Hybla of a real ns-2.35 over ns-2's Iridium (`data/ns2/iridium.parquet`, README there)."""

from __future__ import annotations

import statistics
from functools import cache
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq

import bentpipe as bp
from bentpipe_papers.hybla_im.bed import PERS, T1, T2, Topology

#: The places of the packet errors in words.
PLACES = {"isl": "between satellites", "uplink": "on the uplink", "terminal": "at the ground stations"}
#: The `window_` of the runs that count as ns-2's default.
WINDOW = {T1.id: 20, T2.id: 100}


@cache
def runs() -> list[dict[str, Any]]:
    """Return all runs of the file. The list is empty outside a checkout, because a wheel does not contain the file."""
    file = Path(__file__).resolve().parents[3] / "data" / "ns2" / "iridium.parquet"
    return list(pq.read_table(file).to_pylist()) if file.exists() else []


def by_sky(topology: Topology, per: float, where: str, window: int, agent: str = "linux-hybla") -> dict[int, float]:
    wanted = {"agent": agent, "flows": topology.flows, "per": per, "where": where, "window": window}
    return {
        run["seed"]: run["goodput_mbit_s"] for run in runs() if all(run[key] == value for key, value in wanted.items())
    }


def falls(topology: Topology, per: float, where: str, window: int) -> list[float]:
    low, high = (by_sky(topology, one, where, window) for one in (PERS[PERS.index(per) - 1], per))
    return [100.0 * (high[seed] / low[seed] - 1.0) for seed in sorted(low) if seed in high]


def fall(per: float) -> tuple[bp.Estimate | None, str]:
    """Return Hybla's change in the main reading, and the settings of ns-2. Errors happen between satellites."""
    changes = falls(T1, per, "isl", WINDOW[T1.id])
    if not changes:
        return None, ""
    epochs = f"{len(changes)} epochs" if len(changes) > 1 else "one epoch"
    found = bp.estimate(changes) if len(changes) > 1 else bp.fixed(changes[0])
    return found, f"ns-2.35, its own Hybla, {epochs}, 60 s"


def cell(changes: list[float]) -> str:
    """The mean of the changes with their range; a dash if ns-2 was not run."""
    if not changes:
        return "–"
    span = f" ({min(changes):+.1f} to {max(changes):+.1f})" if len(changes) > 1 else ""
    return f"{statistics.fmean(changes):+.1f} %{span}"


def told(per: float) -> str:
    """Return a sentence on the change of ns-2's own Hybla in the paper's network; empty without the file."""
    parts = [f"{cell(falls(T1, per, where, WINDOW[T1.id]))} {words}" for where, words in PLACES.items()]
    return (
        "For each place of the errors, the throughput of ns-2.35's own Hybla changes by (mean and range of epochs) "
        f"{', '.join(parts)}"
        if runs()
        else ""
    )
