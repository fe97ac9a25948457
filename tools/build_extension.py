#!/usr/bin/env python3
# SPDX-License-Identifier: MIT OR Apache-2.0
"""Builds the extension module into a virtual environment, and shows the progress.

`make setup` calls `tools/build_extension.py .venv`. With `--release`, for long measurements, it builds the library with
the profile of the wheel, but without optimisation by a workload. The output of the compiler goes to target/setup.log,
and is shown only if the build fails. The script needs only Python's standard library.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TARGET = ROOT / "target"
LOG = TARGET / "setup.log"
#: Durations of builds on this machine, in seconds: "whole" for a complete build, "part" after a change.
TIMES = TARGET / "setup-seconds.json"
#: Duration of a complete build on two idle cores. It is printed if there was no complete build yet.
TYPICAL_S = {"debug": 90, "release": 200}
#: Interval between lines of progress without a terminal.
QUIET_S = 15.0
#: Number of lines of the log that are shown when the build fails.
TAIL = 40


def words(seconds: float) -> str:
    """Returns a duration in words."""
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes} min {rest} s" if minutes else f"{rest} s"


def crates() -> int:
    """Returns the number of crates of a complete build."""
    command = ["cargo", "tree", "--locked", "-p", "bentpipe-python", "-e", "normal,build", "--prefix", "none"]
    tree = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    return len({" ".join(line.split()[:2]) for line in tree.stdout.splitlines() if line.strip()})


def past() -> dict[str, float]:
    """Returns the durations of earlier builds; empty if there are none, or if the file is not readable."""
    try:
        return {key: float(value) for key, value in json.loads(TIMES.read_text()).items()}
    except (OSError, ValueError, AttributeError, TypeError):
        return {}


class Progress:
    """Progress: one line that is overwritten on a terminal, otherwise a line at intervals."""

    def __init__(self, total: int) -> None:
        self.total, self.done, self.begun, self.said = total, 0, time.monotonic(), time.monotonic()
        self.live = sys.stderr.isatty()

    def seconds(self) -> float:
        return time.monotonic() - self.begun

    def step(self) -> None:
        self.done += 1
        if not self.live and time.monotonic() - self.said < QUIET_S:
            return
        self.said = time.monotonic()
        so_far = f"{self.done} of {self.total} crates" if self.total else f"{self.done} crates"
        print(
            f"\rsetup: {so_far}, {words(self.seconds())} ", end="" if self.live else "\n", file=sys.stderr, flush=True
        )

    def end(self, message: str) -> None:
        print(f"{chr(13) if self.live else ''}setup: {message:<60}", file=sys.stderr)


def main() -> int:
    venv = Path(sys.argv[1]).resolve()
    release = "--release" in sys.argv[2:]
    profile = "release" if release else "debug"
    TARGET.mkdir(exist_ok=True)
    before, whole = past(), not (TARGET / profile / "deps").is_dir()
    kind = ("whole" if whole else "part") + (" release" if release else "")
    total = crates() if whole else 0
    what = f"building the simulator from source, {total} crates" if whole else "building what is missing or has changed"
    guess = f" (about {words(TYPICAL_S[profile])} on two idle cores)" if whole else ""
    took = f" ({words(before[kind])} last time)" if kind in before else guess
    print(f"setup: {what}{took}", file=sys.stderr)
    progress = Progress(total)
    command = [str(venv / "bin" / "maturin"), "develop", "--locked", *(["--release"] if release else [])]
    environment = {**os.environ, "VIRTUAL_ENV": str(venv), "CARGO_TERM_COLOR": "never"}
    with (
        LOG.open("w") as log,
        subprocess.Popen(
            command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        ) as build,
    ):
        for line in build.stdout or ():
            log.write(line)
            if line.lstrip().startswith("Compiling "):
                progress.step()
    if build.returncode:
        progress.end(f"the build failed after {words(progress.seconds())}; the end of {LOG.relative_to(ROOT)}:")
        sys.stderr.write("\n".join(LOG.read_text().splitlines()[-TAIL:]) + "\n")
        return 2
    progress.end(f"built in {words(progress.seconds())}")
    TIMES.write_text(json.dumps(before | {kind: round(progress.seconds(), 1)}) + "\n")
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
