#!/usr/bin/env python3
# SPDX-License-Identifier: MIT OR Apache-2.0
"""Makes the workload of profile-guided optimisation.

    tools/train.py             # with the installed package: scenarios, controllers, models, routes and run folders
    tools/train.py PROGRAM     # the scenarios only, with a program that runs the scenario file in its argument

An instrumented build counts how often each part of the code runs. The compiler then optimises the frequent parts for
speed and the other parts for size. Therefore the workload contains everything that takes time for users. The scenarios
of `benches/` are not part of it, so a benchmark measures other scenarios than those of the workload.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
#: Virtual time of each run. A scenario that contains a later time, for example a start of a flow, is run to its end.
DURATION = "10 s"
#: Each controller in TCP and in QUIC, over a path with losses.
CONTROLLER = """
duration = "20 s"
network.dumbbell = {{ rate = "10 Mbit/s", rtt = "100 ms", queue = "1 BDP", loss.per = 0.001 }}
flows = [{{ controller = "{name}" }}, {{ controller = "{name}", transport = "quic" }}]
"""


def scenarios() -> list[Path]:
    """Returns the scenario files of the repository."""
    return sorted((ROOT / "scenarios").rglob("*.toml"))


def train_program(program: str) -> None:
    """Runs the scenarios with a program, which refuses a duration that is too short for the scenario."""
    for file in scenarios():
        short = subprocess.run([program, file, "--duration", DURATION], check=False, stdout=subprocess.DEVNULL)
        if short.returncode:
            subprocess.run([program, file], check=True, stdout=subprocess.DEVNULL)


def train_package() -> None:
    """Uses the installed package as its users do."""
    import bentpipe as bp

    with tempfile.TemporaryDirectory() as folder:
        for number, file in enumerate(scenarios()):
            try:
                bp.run(file, duration=DURATION, out=Path(folder) / f"{number}")
            except bp.ScenarioError:
                bp.run(file, out=Path(folder) / f"{number}")
        routes = Path(folder) / "routes.parquet"
        bp.constellation("starlink-550").write_routes(
            routes, bp.sites().arrow["name"].to_pylist()[:50], duration="5 min"
        )
    for controller in bp.controllers():
        try:
            bp.run(CONTROLLER.format(name=controller["name"]))
        except bp.ScenarioError as error:
            # Dumbbells and QUIC do not provide all signals.
            if error.code != "signal-missing":
                raise
    for model in bp.models():
        bp.model(model["name"])


if __name__ == "__main__":
    if len(sys.argv) > 1:
        train_program(sys.argv[1])
    else:
        train_package()
