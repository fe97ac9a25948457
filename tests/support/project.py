# SPDX-License-Identifier: MIT OR Apache-2.0
"""Objects that most tests use: the project's folder, a small scenario, and the type of the command fixtures."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

Command = Callable[..., "subprocess.CompletedProcess[str]"]

SMALL = """
name = "small"
duration = "2 s"
network.dumbbell = { rate = "5 Mbit/s", rtt = "40 ms" }
flows = [{ controller = "reno" }]
"""
