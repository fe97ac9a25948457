# SPDX-License-Identifier: MIT OR Apache-2.0
"""Sweeps that run in no time, and functions that read their results."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any

BASE = """
duration = "1 s"
network.dumbbell = { rate = "5 Mbit/s", rtt = "40 ms" }
flows = [{ controller = "reno" }]
"""
DOCUMENT = """
base = "base.toml"
[axes]
"flows.controller" = ["reno", { name = "cubic", beta = 0.8 }]
"network.dumbbell.queue" = ["10 packets", "40 packets"]
"network.dumbbell.loss.per" = { from = 0.0001, to = 0.01, points = 3, scale = "log" }
[seeds]
at_least = 3
"""


def lay(folder: Path) -> Path:
    """Write `DOCUMENT` and its base into a folder."""
    (folder / "base.toml").write_text(BASE)
    (folder / "sweep.toml").write_text(DOCUMENT)
    return folder


def table(**axes: Any) -> dict[str, Any]:
    """Return a sweep of a small scenario without chance."""
    base = {
        "duration": "200 ms",
        "network": {"dumbbell": {"rate": "5 Mbit/s", "rtt": "40 ms"}},
        "flows": [{"controller": "reno"}],
    }
    return {"base": base, "axes": axes}


def tables(folder: Path) -> list[bytes]:
    """Return the files that a sweep wrote."""
    return [(folder / name).read_bytes() for name in ("runs.parquet", "flows.parquet")]


def held(store: Path) -> int:
    """Return the number of runs in a store on the disk, as another process sees it."""
    try:
        with sqlite3.connect(f"file:{store}?mode=ro", uri=True) as base:
            ((count,),) = base.execute("select count(*) from runs").fetchall()
            return int(count)
    except sqlite3.OperationalError:
        return 0  # not there yet, or being written
