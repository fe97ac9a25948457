#!/usr/bin/env python3
# SPDX-License-Identifier: MIT OR Apache-2.0
"""Measures how long Ctrl-C takes: seconds from the signal to the end of the process, for each case of
`tests/commands/test_stop.py`.

    benches/stop.py [--repeat 5]

On an idle machine, each case should take less than one second.
"""

import argparse
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from subprocess import Popen

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "tests" / "support"), str(ROOT / "tests" / "commands")]

import test_stop as stop  # noqa: E402

from waiting import interrupted, until  # noqa: E402


def begun(folder: Path) -> bool:
    """Returns whether the controller was called."""
    return (folder / "begun").exists()


def partial(folder: Path) -> bool:
    """Returns whether the run has created its folder."""
    return (folder / ".r.partial").exists()


def rows(folder: Path) -> bool:
    """Returns whether a table has rows."""
    return stop.is_written(folder / ".r.partial" / "flows.parquet")


CASES: dict[str, tuple[Callable[[Path], Popen[str]], Callable[[Path], bool]]] = {
    "routes before the first packet": (lambda folder: stop.a_run(folder, stop.ROUTES), partial),
    "set-up of 65,535 flows": (lambda folder: stop.a_run(folder, stop.FLOWS), partial),
    "a month of sky": (lambda folder: stop.a_run(folder, stop.MONTH), begun),
    "packets at 1 Tbit/s": (lambda folder: stop.a_run(folder, stop.TERABIT), rows),
    "own code that sleeps": (lambda folder: stop.a_run(folder, stop.OWN, "time.sleep(1e6)"), begun),
    "own code with a large window": (lambda folder: stop.a_run(folder, stop.OWN, "control.cwnd = 1e7"), begun),
}


def took_s(start: Callable[[Path], Popen[str]], is_under_way: Callable[[Path], bool]) -> float:
    """Returns the seconds from the signal to the end of the process."""
    with tempfile.TemporaryDirectory() as place:
        process = start(Path(place))
        until(lambda: is_under_way(Path(place)), process)
        begin = time.monotonic()
        interrupted(process)
        return time.monotonic() - begin


def main() -> None:
    """Prints a line for each case."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeat", type=int, default=5)
    repeat = parser.parse_args().repeat
    print(f"| what Ctrl-C interrupts ({repeat} times) | median s | largest s |\n|---|---:|---:|")
    for name, case in CASES.items():
        found = [took_s(*case) for _ in range(repeat)]
        print(f"| {name} | {statistics.median(found):.2f} | {max(found):.2f} |", flush=True)


if __name__ == "__main__":
    main()
