#!/usr/bin/env python3
# SPDX-License-Identifier: MIT OR Apache-2.0
"""Compares estimated and measured CPU time: prints the ratio for each scenario, in memory and into a folder.

    benches/cost.py [--repeat 3] [FILE …]

The estimate should be correct within a factor of three. Each estimate measures the machine first, so every run gets its
own estimate. If a ratio is below 1, the run took longer than estimated.
"""

import argparse
import statistics
import tempfile
import time
from pathlib import Path

import bentpipe as bp

ROOT = Path(__file__).resolve().parent.parent


def ratio(file: Path, out: Path | None) -> float:
    """Returns the estimated CPU time divided by the CPU time of the run over all threads."""
    said = bp.estimate_cost(file, out=out)["cpu_s"]
    begin = time.process_time()
    bp.run(file, out=out, force=True)
    return float(said / (time.process_time() - begin))


def main() -> None:
    """Prints a line for each scenario."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeat", type=int, default=3, help="number of ratios per median")
    parser.add_argument("files", nargs="*", type=Path, metavar="FILE")
    chosen = parser.parse_args()
    print(f"Estimated divided by measured CPU time, medians of {chosen.repeat}:\n")
    print("| scenario | in memory | in a folder | |\n|---|---:|---:|---|")
    beyond = 0
    with tempfile.TemporaryDirectory() as place:
        for file in chosen.files or sorted((ROOT / "scenarios").glob("*.toml")):
            kept, written = (
                statistics.median(ratio(file, out) for _ in range(chosen.repeat)) for out in (None, Path(place) / "run")
            )
            is_beyond = not all(1 / 3 < one < 3 for one in (kept, written))
            beyond += is_beyond
            note = "more than a factor of 3" if is_beyond else ""
            print(f"| {file.stem} | {kept:.2f} | {written:.2f} | {note} |", flush=True)
    print(f"\nEstimates that differ by more than a factor of 3: {beyond}.")


if __name__ == "__main__":
    main()
