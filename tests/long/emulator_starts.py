# SPDX-License-Identifier: MIT OR Apache-2.0
"""Start and end an emulation many times, and compare the resources of the process before and after.

    python tests/long/emulator_starts.py path.toml 100

An emulation must leave no descriptor, thread, process, or network device. The check runs in its own process, because a
test runner also opens and closes descriptors. It needs root, and exits with 1 if something is left.
"""

from __future__ import annotations

import argparse
import contextlib
import sys
from collections import Counter
from pathlib import Path

from bentpipe.runs.emulate import Emulation
from waiting import until


def held() -> Counter[str]:
    """Return the resources of this process: descriptors, threads, child processes, and network devices."""
    found: Counter[str] = Counter()
    for entry in Path("/proc/self/fd").iterdir():
        with contextlib.suppress(FileNotFoundError):  # the descriptor that lists this folder
            # The number of a socket or pipe differs each time: "socket:[1234]".
            found["descriptor " + str(entry.readlink()).partition(":[")[0]] += 1
    for task in Path("/proc/self/task").iterdir():
        with contextlib.suppress(FileNotFoundError, ProcessLookupError):  # the thread has ended meanwhile
            found["thread " + (task / "comm").read_text().strip()] += 1
            found["child"] += len((task / "children").read_text().split())
    found.update(f"device {entry.name}" for entry in Path("/sys/class/net").iterdir())
    return found


def start_and_end(scenario: Path) -> None:
    """Run one emulation with one program."""
    with Emulation(scenario) as emulation:
        emulation.begin()
        program = emulation.start("right", ["true"])
        until(lambda: program.poll() is not None)
        assert emulation.finish().provenance["platform"] == "emulator"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("scenario", type=Path)
    parser.add_argument("starts", type=int)
    arguments = parser.parse_args()
    start_and_end(arguments.scenario)  # the first start loads modules and opens files that stay open
    before = held()
    for _ in range(arguments.starts):
        start_and_end(arguments.scenario)
    try:
        until(lambda: not held() - before)  # the kernel removes a thread a short time after its end
    except AssertionError:
        sys.stderr.write(f"left after {arguments.starts} starts: {held() - before}\n")
        return 1
    sys.stdout.write(f"nothing is left after {arguments.starts} starts\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
