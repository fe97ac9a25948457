#!/usr/bin/env python3
# SPDX-License-Identifier: MIT OR Apache-2.0
"""Measures CPU time and memory of 100,000 short flows over a shared beam, and whether memory grows with their number.

    benches/short_flows.py

Each length runs in a separate process with its own peak of memory. The build should be that of the wheel
(`tools/build_extension.py .venv --release`).
"""

import json
import subprocess
import sys
from pathlib import Path

SCENARIO = Path(__file__).resolve().parent / "scenarios" / "short-flows.toml"
#: Simulated seconds; the last value is the complete scenario.
LENGTHS_S = (25, 125, 250)
ONE = """
import json, resource, sys
import bentpipe as bp
run = bp.run_many([sys.argv[1]])[0]
used = resource.getrusage(resource.RUSAGE_SELF)
begun = sum(flow["visits"]["begun"] for flow in run.summary["flows"])
print(json.dumps([begun, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024]))
"""


def main() -> None:
    """Prints a line for each length."""
    print("| transfers | CPU s | peak RSS, MB |\n|---:|---:|---:|")
    for length_s in LENGTHS_S:
        text = SCENARIO.read_text().replace('duration = "250 s"', f'duration = "{length_s} s"')
        command = [sys.executable, "-c", ONE, text]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        begun, cpu_s, peak_mb = json.loads(done.stdout)
        print(f"| {begun:,} | {cpu_s:.1f} | {peak_mb:.0f} |", flush=True)


if __name__ == "__main__":
    main()
