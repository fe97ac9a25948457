# SPDX-License-Identifier: MIT OR Apache-2.0
"""Run the measured programs, and read the figures from their lines of JSON."""

import datetime
import json
import os
import platform
import resource
import signal
import statistics
import subprocess
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

Result = dict[str, Any]
Figure = Callable[[Result], float]

KEYS = {"scenario", "delivered_segments", "packet_hops", "cpu_s", "peak_rss_bytes", "simulated_s", "version"}


class BenchError(Exception):
    """A program cannot be run, or its output is not as expected."""


class UnfinishedError(BenchError):
    """A program has used up its CPU time."""


def run(command: list[str], limit_cpu_s: int | None = None) -> Result:
    """Runs a scenario on one program and reads its line of JSON.

    limit_cpu_s: CPU time after which the program is ended, in s.
    Raises `UnfinishedError` if the program reaches the limit, `BenchError` if it fails or delivers nothing.
    """
    result = answer(command, KEYS, limit_cpu_s)
    if result["delivered_segments"] <= 0 or result["cpu_s"] <= 0:
        raise BenchError(f"{' '.join(command)} delivered nothing or its CPU time is not known: {result}")
    return result


def answer(command: list[str], keys: set[str], limit_cpu_s: int | None = None) -> Result:
    """Runs one program and reads its line of JSON, which must have these keys.

    limit_cpu_s: CPU time after which the program is ended, in s.
    Raises `UnfinishedError` if the program reaches the limit, `BenchError` for all other failures.
    """
    shown = " ".join(command)

    def bounded() -> None:
        if limit_cpu_s is not None:
            resource.setrlimit(resource.RLIMIT_CPU, (limit_cpu_s, limit_cpu_s + 1))

    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False, preexec_fn=bounded)
    except OSError as error:
        raise BenchError(f"cannot run {shown}: {error.strerror}") from error
    if limit_cpu_s is not None and done.returncode in (-signal.SIGXCPU, -signal.SIGKILL):
        raise UnfinishedError(f"{shown} did not finish within {limit_cpu_s} s of CPU time")
    if done.returncode != 0:
        raise BenchError(f"{shown} ended with {done.returncode}: {done.stderr.strip()[-500:]}")
    lines = done.stdout.strip().splitlines()
    try:
        result: Result = json.loads(lines[-1])
    except (IndexError, ValueError) as error:
        raise BenchError(f"{shown} printed no line of JSON") from error
    if missing := keys - result.keys():
        raise BenchError(f"{shown} does not say {', '.join(sorted(missing))}")
    return result


def ended(main: Callable[[], int]) -> int:
    """Runs a program's `main` and returns its exit code: 1 with the reason on stderr, 130 on Ctrl-C."""
    try:
        return main()
    except BenchError as error:
        print(error, file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130


def cpu_s(result: Result) -> float:
    """Return the CPU time of the run itself, in s."""
    return result["cpu_s"]


def us_per_segment(result: Result) -> float:
    """Return the CPU time per delivered segment, in us."""
    return 1e6 * result["cpu_s"] / result["delivered_segments"]


def ns_per_hop(result: Result) -> float:
    """Return the CPU time per packet-hop, in ns."""
    return 1e9 * result["cpu_s"] / result["packet_hops"]


def million_hops_per_s(result: Result) -> float:
    """Return packet-hops per CPU second, in millions."""
    return 1e-6 * result["packet_hops"] / result["cpu_s"]


def rss_mb(result: Result) -> float:
    """Return the largest resident set in MB."""
    return 1e-6 * result["peak_rss_bytes"]


def median(results: Iterable[Result], figure: Figure) -> float:
    """Return the median of a figure over runs."""
    return statistics.median(figure(result) for result in results)


def spread(results: Iterable[Result], figure: Figure) -> str:
    """Return the smallest value, the median and the largest value of a figure over runs."""
    values = [figure(result) for result in results]
    return f"{min(values):.3g} / {statistics.median(values):.3g} / {max(values):.3g}"


def save(path: Path, runs: list[Result]) -> None:
    """Writes every run's figures with date and machine."""
    date = datetime.datetime.now(datetime.UTC).date().isoformat()
    saved = {"date": date, "machine": machine(), "runs": runs}
    path.write_text(json.dumps(saved, indent=1) + "\n", encoding="utf-8")


def machine() -> str:
    """Return the processor, the number of cores and the load, if the system reports them."""
    model = platform.processor() or platform.machine()
    try:
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                model = line.split(":", 1)[1].strip()
                break
    except OSError:
        pass
    return f"{model}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f} at the end"
