#!/usr/bin/env python3
# SPDX-License-Identifier: MIT OR Apache-2.0
"""Runs a command and records its duration, or prints the table of recorded durations.

`tools/timed.py NAME COMMAND ...` appends a line to the file in the variable BENTPIPE_TIMES, and has the exit code of
the command. `tools/timed.py` alone prints the table. The script needs only Python's standard library.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import time
from pathlib import Path

TIMES = Path(os.environ["BENTPIPE_TIMES"])


def run(name: str, command: list[str]) -> int:
    """Runs the command, and records name, wall time, CPU time (both in seconds) and exit code."""
    begun = time.monotonic()
    code = subprocess.run(command, check=False).returncode
    spent = resource.getrusage(resource.RUSAGE_CHILDREN)
    with TIMES.open("a") as file:
        file.write(f"{name}\t{time.monotonic() - begun:.1f}\t{spent.ru_utime + spent.ru_stime:.1f}\t{code}\n")
    return code if code >= 0 else 128 - code


def minutes(seconds: str) -> str:
    whole = round(float(seconds))
    return f"{whole // 60}:{whole % 60:02}"


def table() -> None:
    """Prints a row for each finished command. Commands may have run in parallel."""
    print(f"\n{'step':<24}{'wall':>8}{'CPU':>8}  (minutes:seconds)")
    for line in TIMES.read_text().splitlines():
        name, wall, cpu, code = line.split("\t")
        print(f"{name:<24}{minutes(wall):>8}{minutes(cpu):>8}{'' if code == '0' else f'  FAILED ({code})'}")


if __name__ == "__main__":
    if sys.argv[1:]:
        sys.exit(run(sys.argv[1], sys.argv[2:]))
    table()
