# SPDX-License-Identifier: MIT OR Apache-2.0
"""Send TCP traffic through the emulator for a long time, and read the memory of its process.

    python tests/long/emulator_soak.py path.toml 3600

The run is recorded into a folder. Memory must not grow: the largest resident size in the last quarter of the time is
compared with the one in the second quarter. The script needs root and iperf3, and exits with 1 if the memory grew by
more than 10 %.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from pathlib import Path

from bentpipe.runs.emulate import Emulation

#: Interval between two readings of the memory, in s.
INTERVAL_S = 1.0
#: Largest ratio of the memory in the last quarter to the memory in the second quarter.
GROWTH = 1.10


def resident_mb() -> float:
    """Return the memory of this process in MB (proc(5), VmRSS)."""
    rows = Path("/proc/self/status").read_text().splitlines()
    return next(int(row.split()[1]) for row in rows if row.startswith("VmRSS")) / 1e3


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("scenario", type=Path)
    parser.add_argument("seconds", type=int)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, Emulation(arguments.scenario, out=Path(folder) / "run") as emulation:
        emulation.await_port(emulation.start("left", ["iperf3", "-s"], is_helper=True))
        emulation.begin()
        client = emulation.start("right", ["iperf3", "-c", "left", "-R", "-t", str(arguments.seconds)], is_helper=True)
        sizes = []
        while (status := client.poll()) is None:
            sizes.append(resident_mb())
            time.sleep(INTERVAL_S)
        facts = emulation.finish().provenance["emulator"]
    quarter = len(sizes) // 4
    early, late = max(sizes[quarter : 2 * quarter]), max(sizes[3 * quarter :])
    sys.stdout.write(
        f"{facts['packets']} packets in {arguments.seconds} s, iperf3 ended with {status}; resident memory "
        f"{early:.1f} MB in the second quarter, {late:.1f} MB in the last\n"
    )
    return 0 if status == 0 and late <= GROWTH * early else 1


if __name__ == "__main__":
    sys.exit(main())
