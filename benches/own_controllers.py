#!/usr/bin/env python3
# SPDX-License-Identifier: MIT OR Apache-2.0
"""Measures the cost of a controller written in Python: Reno in Python and the native Reno, in the same runs.

    benches/own_controllers.py [--runs 5] [FILE …]

Both do the same arithmetic (`tests/transport/test_own_controllers.py` compares their tables byte by byte). So the cost
of a call into Python is the difference in CPU time divided by the number of events. The runs alternate.
"""

import argparse
import statistics
import sys
import time
from pathlib import Path

import bentpipe as bp

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests" / "support"))

from reno_in_python import Reno  # noqa: E402

FILES = [ROOT / "scenarios" / "dumbbell.toml", ROOT / "benches" / "scenarios" / "s1.toml"]
calls = 0


@bp.register("reno-counted")
class Counted(Reno):
    """Reno in Python that counts its ACKs."""

    def on_ack(self, event: bp.AckEvent, control: bp.Control) -> None:
        global calls
        calls += 1
        super().on_ack(event, control)


def cpu_s(file: Path, controller: str) -> float:
    """Returns the CPU time of a run over all threads, in seconds."""
    before = time.process_time()
    bp.compare(file, [controller], seeds=[1], threads=1)
    return time.process_time() - before


def main() -> int:
    """Measures and prints."""
    global calls
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", type=Path, default=FILES, metavar="FILE")
    parser.add_argument("--runs", type=int, default=5)
    chosen = parser.parse_args()
    print(
        "| scenario | ACKs | native reno, CPU s | Reno in Python, CPU s | ratio | Python per ACK, µs |\n"
        "|---|---:|---:|---:|---:|---:|"
    )
    for file in chosen.files:
        calls = 0
        cpu_s(file, "reno-counted")
        pairs = [(cpu_s(file, "reno"), cpu_s(file, "reno-in-python")) for _ in range(chosen.runs)]
        native, python = (statistics.median(pair[i] for pair in pairs) for i in (0, 1))
        per_ack = statistics.median((b - a) / calls * 1e6 for a, b in pairs)
        print(f"| {file.stem} | {calls} | {native:.3f} | {python:.3f} | {python / native:.1f} | {per_ack:.2f} |")
    return 0


if __name__ == "__main__":
    sys.exit(main())
