#!/usr/bin/env python3
# SPDX-License-Identifier: MIT OR Apache-2.0
"""Runs the scenarios of benches/scenarios on Bentpipe and on a peer, in turn, and prints what each cost.

    benches/run.py --bentpipe target/release/examples/scenario_bench [--peer target/peers/ns3-peer]
                   [--scenarios S1-loss,S2] [--duration 20] [--runs 3] [--save FILE.json]

Quoted are medians of `--runs` runs of CPU time, and the median of the ratios of the pairs: the two run one after
the other, so that a machine whose speed drifts slows both. Without a peer, Bentpipe's column stands alone.
"""

import argparse
import datetime
import json
import os
import platform
import statistics
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
# S3 is not in the list a plain call runs: ns-3 does not finish it.
DEFAULT = ["S1", "S1-loss", "S2", "S3b", "S4", "S5"]
KEYS = {"scenario", "delivered_segments", "packet_hops", "cpu_s", "peak_rss_bytes", "simulated_s", "version"}


class BenchError(Exception):
    """A program that cannot be run, or that did not answer as agreed."""


def run(command: list[str]) -> dict:
    """Runs one program to its end and reads its line of JSON."""
    shown = " ".join(command)
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    except OSError as error:
        raise BenchError(f"cannot run {shown}: {error.strerror}") from error
    if done.returncode != 0:
        raise BenchError(f"{shown} ended with {done.returncode}: {done.stderr.strip()[-500:]}")
    lines = done.stdout.strip().splitlines()
    try:
        result = json.loads(lines[-1])
    except (IndexError, ValueError) as error:
        raise BenchError(f"{shown} printed no line of JSON") from error
    if missing := KEYS - result.keys():
        raise BenchError(f"{shown} does not say {', '.join(sorted(missing))}")
    if result["delivered_segments"] <= 0 or result["cpu_s"] <= 0:
        raise BenchError(f"{shown} delivered nothing or took no time: {lines[-1][:300]}")
    return result


def bentpipe_command(binary: str, scenario: str, duration: float | None) -> list[str]:
    """Bentpipe's program takes the scenario's file and a span with its unit."""
    command = [binary, str(HERE / "scenarios" / f"{scenario.lower()}.toml")]
    return command + (["--duration", f"{duration:g} s"] if duration else [])


def peer_command(binary: str, scenario: str, duration: float | None) -> list[str]:
    """The peer knows the scenarios by name."""
    return [binary, f"--scenario={scenario}"] + ([f"--duration={duration:g}"] if duration else [])


def us_per_segment(result: dict) -> float:
    """CPU microseconds per delivered segment."""
    return 1e6 * result["cpu_s"] / result["delivered_segments"]


def hops_per_s(result: dict) -> float:
    """Packet-hops per CPU second."""
    return result["packet_hops"] / result["cpu_s"]


def median(results: list[dict], figure) -> float:
    """Median of a figure over runs."""
    return statistics.median(figure(result) for result in results)


def row(scenario: str, who: str, results: list[dict], ratio: str) -> str:
    """One line of the table."""
    first = results[0]
    spread = [result["cpu_s"] for result in results]
    return (
        f"| {scenario} | {who} {first['version']} | {first['simulated_s']:g} "
        f"| {statistics.median(spread):.3g} ({min(spread):.3g} to {max(spread):.3g}) "
        f"| {median(results, lambda r: r['delivered_segments']) / 1e3:.4g} k | {median(results, us_per_segment):.3g} "
        f"| {median(results, hops_per_s) / 1e3:.4g} k | {median(results, lambda r: r['peak_rss_bytes']) / 1e6:.3g} "
        f"| {ratio} |"
    )


def machine() -> str:
    """Processor and number of cores, as far as the system tells."""
    model = platform.processor() or platform.machine()
    try:
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                model = line.split(":", 1)[1].strip()
                break
    except OSError:
        pass
    return f"{model}, {os.cpu_count()} cores"


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bentpipe", help="Bentpipe's program (cargo build --release --example scenario_bench)")
    parser.add_argument("--peer", help="the peer's program (benches/peers/ns3/build.sh)")
    parser.add_argument("--scenarios", default=",".join(DEFAULT), help="names, with commas (default: %(default)s)")
    parser.add_argument("--duration", type=float, help="simulated seconds, if not the scenario's own")
    parser.add_argument("--runs", type=int, default=3, help="runs of each (default: %(default)s)")
    parser.add_argument("--save", type=Path, help="file for every run's figures, with date and machine")
    arguments = parser.parse_args()
    if not arguments.bentpipe and not arguments.peer:
        parser.error("nothing to run: name --bentpipe, --peer or both")
    if arguments.runs < 1:
        parser.error(f"--runs {arguments.runs}: at least 1")
    return arguments


def main() -> int:
    arguments = parse_arguments()
    programs = {}
    if arguments.bentpipe:
        programs["Bentpipe"] = (arguments.bentpipe, bentpipe_command)
    if arguments.peer and Path(arguments.peer).exists():
        programs["peer"] = (arguments.peer, peer_command)
    elif arguments.peer:
        print(f"skipped: the peer {arguments.peer} is not built", file=sys.stderr)
    if not programs:
        return 0
    print("| scenario | program | simulated s | CPU s (min to max) | delivered segments | CPU µs per delivered segment "
          "| packet-hops per CPU s | peak RSS, MB | times the peer's speed, per segment |")
    print("|---|---|---:|---:|---:|---:|---:|---:|---:|")
    saved = {"date": datetime.datetime.now(datetime.UTC).date().isoformat(), "machine": machine(), "runs": []}
    for scenario in arguments.scenarios.split(","):
        results: dict[str, list[dict]] = {who: [] for who in programs}
        for number in range(arguments.runs):
            for who, (binary, command) in programs.items():
                print(f"{scenario}: {who}, run {number + 1} of {arguments.runs}", file=sys.stderr)
                results[who].append(run(command(binary, scenario, arguments.duration)))
        ratio = "-"
        if len(results) == 2:
            pairs = zip(results["peer"], results["Bentpipe"], strict=True)
            ratio = f"{statistics.median(us_per_segment(p) / us_per_segment(b) for p, b in pairs):.3g}"
        for who, of_who in results.items():
            print(row(scenario, who, of_who, ratio if who == "Bentpipe" or len(results) == 1 else "1"), flush=True)
            saved["runs"] += [{"program": who, **result} for result in of_who]
    if arguments.save:
        arguments.save.write_text(json.dumps(saved, indent=1) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except BenchError as error:
        print(error, file=sys.stderr)
        sys.exit(1)
    except KeyboardInterrupt:
        sys.exit(130)
