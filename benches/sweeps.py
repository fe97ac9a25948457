#!/usr/bin/env python3
# SPDX-License-Identifier: MIT OR Apache-2.0
"""Measures how the cost of a packet-hop, including TCP, changes with the number of flows and with the window.

    benches/sweeps.py [--bentpipe target/optimised/scenario_bench] [--runs 5] [--save FILE.json]

By flows: a dumbbell with a round trip of 50 ms and 10 Mbit/s per flow, for 10 to 1000 flows, so that the state of a
flow does not depend on the number of flows. By window: one flow with a bandwidth-delay product of 10 to 10^5 segments.
Queues hold 1 BDP. The controller is Reno with classic slow start, and the receiver sets no limit. The steps of a sweep
run in rounds, so that a change of the machine's speed affects all of them.
"""

import argparse
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from programs import Result, cpu_s, ended, median, ns_per_hop, rss_mb, run, save, spread

WIRE_BITS = 12_000  # a full segment: 1500 B
FLOWS = (10, 100, 1_000)
WINDOWS = (10, 100, 1_000, 10_000, 100_000)
# The growth of the resident set is measured between these two windows.
RSS_WINDOWS = (1_000, 100_000)

SCENARIO = """
name = "{name}"
duration = "{duration_s:g} s"

[network.dumbbell]
rate = "{rate_mbit_s:g} Mbit/s"
delay = "{delay_ms:g} ms"
queue = "1 BDP"

[tcp]
mss = "1448 B"
header = "52 B"
initial_window = {initial_window}
min_rto = "200 ms"
receive_window = "unlimited"
delayed_ack = {{ every = 2, at_most = "200 ms" }}

[record]
interval = "off"
events = false

[[flows]]
count = {flows}
controller = {{ name = "reno", slow_start = "classic" }}
stagger = "1 ms"
access = {{ rate = "100 Gbit/s", delay = "1 ms" }}
"""


@dataclass(frozen=True)
class Step:
    """One point of a sweep."""

    name: str
    at: int
    text: str


def by_flows(flows: int) -> Step:
    """Return a step with 10 Mbit/s per flow, over 2 (23 + 1 + 1) ms; 10^6 segments, but at least 4 s."""
    name = f"{flows} flows"
    rate_mbit_s = 10 * flows
    text = SCENARIO.format(
        name=name,
        duration_s=max(1e6 * WIRE_BITS / (rate_mbit_s * 1e6), 4),
        rate_mbit_s=rate_mbit_s,
        delay_ms=23,
        initial_window=10,
        flows=flows,
    )
    return Step(name, flows, text)


def by_window(segments: int) -> Step:
    """Return a step with a flow whose BDP is `segments`, over 2 (48 + 1 + 1) ms; 10^6 segments, at least 30 round
    trips.

    The flow starts at that window. Slow start from 10 segments would take most of the run at 10^5.
    """
    rtt_s = 0.1
    name = f"{segments} segments"
    text = SCENARIO.format(
        name=name,
        duration_s=max(1e6 / segments, 30) * rtt_s,
        rate_mbit_s=segments * WIRE_BITS / rtt_s / 1e6,
        delay_ms=48,
        initial_window=segments,
        flows=1,
    )
    return Step(name, segments, text)


def measure(binary: str, steps: list[Step], runs: int) -> dict[int, list[Result]]:
    """Runs every step `runs` times, in rounds."""
    results: dict[int, list[Result]] = {step.at: [] for step in steps}
    with tempfile.TemporaryDirectory() as folder:
        for step in steps:
            (Path(folder) / f"{step.at}.toml").write_text(step.text, encoding="utf-8")
        for number in range(runs):
            print(f"{steps[0].name} to {steps[-1].name}: round {number + 1} of {runs}", file=sys.stderr)
            for step in steps:
                results[step.at].append(run([binary, str(Path(folder) / f"{step.at}.toml")]))
    return results


def table(what: str, results: dict[int, list[Result]]) -> None:
    """Print a sweep. Ratios are relative to its first step."""
    first = median(next(iter(results.values())), ns_per_hop)
    print(
        f"\n| {what} | packet-hops | goodput, Mbit/s | CPU s (median) | ns per packet-hop (least / median / largest) "
        "| ratio of medians to the first | peak RSS, MB |\n|---:|---:|---:|---:|---:|---:|---:|"
    )
    for at, of_step in results.items():
        print(
            f"| {at} | {of_step[0]['packet_hops'] / 1e6:.3g} M | {of_step[0]['goodput_mbit_s']:.4g} "
            f"| {median(of_step, cpu_s):.3g} | {spread(of_step, ns_per_hop)} "
            f"| {median(of_step, ns_per_hop) / first:.2f} | {median(of_step, rss_mb):.3g} |"
        )


def bytes_per_packet(results: dict[int, list[Result]]) -> float:
    """Return the growth of the resident set per additional packet: a window in flight, and a window in the queue."""
    small, large = RSS_WINDOWS
    grown_mb = median(results[large], rss_mb) - median(results[small], rss_mb)
    return 1e6 * grown_mb / (2 * (large - small))


def parse_arguments() -> argparse.Namespace:
    """Parse and check the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bentpipe", default="target/optimised/scenario_bench", help="Bentpipe's program")
    parser.add_argument("--runs", type=int, default=5, help="runs of each step (default: %(default)s)")
    parser.add_argument("--save", type=Path, help="file for every run's figures, with date and machine")
    arguments = parser.parse_args()
    if arguments.runs < 1:
        parser.error(f"--runs {arguments.runs}: at least 1")
    return arguments


def main() -> int:
    """Measures and prints both sweeps."""
    arguments = parse_arguments()
    flows = measure(arguments.bentpipe, [by_flows(count) for count in FLOWS], arguments.runs)
    table("flows", flows)
    windows = measure(arguments.bentpipe, [by_window(segments) for segments in WINDOWS], arguments.runs)
    table("window, segments", windows)
    print(
        f"\nPeak RSS grows by {bytes_per_packet(windows):.0f} bytes per packet in flight or queued, from a window of "
        f"{RSS_WINDOWS[0]} to {RSS_WINDOWS[1]} segments (two windows of packets: one in flight, one in the queue)."
    )
    if arguments.save:
        every = [result for sweep in (flows, windows) for of_step in sweep.values() for result in of_step]
        save(arguments.save, every)
    return 0


if __name__ == "__main__":
    sys.exit(ended(main))
