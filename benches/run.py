#!/usr/bin/env python3
# SPDX-License-Identifier: MIT OR Apache-2.0
"""Runs the scenarios of benches/scenarios on Bentpipe and on a peer alternately, and prints their costs.

    benches/run.py --bentpipe target/release/scenario_bench [--peer target/peers/ns3-peer]
                   [--scenarios S1-loss,S2] [--runs 5] [--peer-runs 1] [--save FILE.json]

The first table has Bentpipe alone, with each scenario at its full length, and its targets. The second table compares
CPU time per delivered segment with the peer over the same simulated time, because the peer's cost per segment can grow
with the window. Runs are made in rounds, with one run of each kind per round, so that a change of the machine's speed
affects all kinds.
"""

import argparse
import sys
from dataclasses import dataclass
from pathlib import Path

from programs import (
    Figure,
    Result,
    cpu_s,
    ended,
    median,
    million_hops_per_s,
    rss_mb,
    run,
    save,
    spread,
    us_per_segment,
)

HERE = Path(__file__).resolve().parent


@dataclass(frozen=True)
class Target:
    """The smallest or largest allowed value of a figure."""

    at_least: float | None = None
    at_most: float | None = None

    def verdict(self, value: float) -> str:
        """Return the target, and whether `value` meets it."""
        if self.at_least is not None:
            return f"{'met' if value >= self.at_least else 'MISSED'}: at least {self.at_least:g}"
        if self.at_most is not None:
            return f"{'met' if value < self.at_most else 'MISSED'}: below {self.at_most:g}"
        return "-"


@dataclass(frozen=True)
class Bench:
    """One scenario: its simulated seconds in comparisons with the peer (None: no comparison), and its targets."""

    beside_s: float | None
    hops: Target = Target()  # million per CPU second
    cpu: Target = Target()  # seconds
    rss: Target = Target()  # MB
    ratio: Target = Target()  # times the speed of Debian's ns-3, per delivered segment


BENCHES = {
    "S1": Bench(beside_s=100, rss=Target(at_most=30)),
    "S1-loss": Bench(beside_s=300),
    "S2": Bench(beside_s=100, hops=Target(at_least=8), rss=Target(at_most=30), ratio=Target(at_least=60)),
    "S3": Bench(beside_s=None, cpu=Target(at_most=10)),  # ns-3 does not finish it
    "S3b": Bench(beside_s=20, ratio=Target(at_least=300)),
    "S4": Bench(beside_s=5, rss=Target(at_most=100)),
    "S5": Bench(beside_s=100, hops=Target(at_least=10), rss=Target(at_most=30), ratio=Target(at_least=60)),
}


def bentpipe_command(binary: str, scenario: str, duration_s: float | None) -> list[str]:
    """Returns the command of Bentpipe's program, with the scenario's file and a duration with its unit."""
    command = [binary, str(HERE / "scenarios" / f"{scenario.lower()}.toml")]
    return command + ([] if duration_s is None else ["--duration", f"{duration_s:g} s"])


def peer_command(binary: str, scenario: str, duration_s: float) -> list[str]:
    """Returns the command of the peer, which knows the scenarios by name."""
    return [binary, f"--scenario={scenario}", f"--duration={duration_s:g}"]


@dataclass
class Runs:
    """All runs of one scenario, on both programs."""

    full: list[Result]
    beside: list[Result]
    peer: list[Result]


def measure(scenario: str, arguments: argparse.Namespace) -> Runs:
    """Runs one scenario in rounds."""
    runs = Runs([], [], [])
    beside_s = BENCHES[scenario].beside_s if arguments.peer else None
    for number in range(max(arguments.runs, arguments.peer_runs)):
        if number < arguments.runs:
            print(f"{scenario}: Bentpipe, run {number + 1} of {arguments.runs}", file=sys.stderr)
            runs.full.append(run(bentpipe_command(arguments.bentpipe, scenario, None)))
            if beside_s is not None:
                runs.beside.append(run(bentpipe_command(arguments.bentpipe, scenario, beside_s)))
        if beside_s is not None and number < arguments.peer_runs:
            print(f"{scenario}: peer, run {number + 1} of {arguments.peer_runs}", file=sys.stderr)
            runs.peer.append(run(peer_command(arguments.peer, scenario, beside_s)))
    return runs


def row_alone(scenario: str, results: list[Result]) -> str:
    """Return a line of the first table."""
    bench = BENCHES[scenario]
    targets: list[tuple[str, Target, Figure]] = [
        ("hops", bench.hops, million_hops_per_s),
        ("CPU s", bench.cpu, cpu_s),
        ("MB", bench.rss, rss_mb),
    ]
    verdicts = [
        f"{name} {target.verdict(median(results, figure))}" for name, target, figure in targets if target != Target()
    ]
    return (
        f"| {scenario} | {results[0]['simulated_s']:g} | {spread(results, cpu_s)} "
        f"| {median(results, us_per_segment):.3g} | {spread(results, million_hops_per_s)} "
        f"| {median(results, rss_mb):.3g} | {'; '.join(verdicts) or '-'} |"
    )


def row_beside(scenario: str, runs: Runs) -> str:
    """Return a line of the second table."""
    peer = median(runs.peer, us_per_segment)
    ratio = peer / median(runs.beside, us_per_segment)
    best = min(map(us_per_segment, runs.peer)) / min(map(us_per_segment, runs.beside))
    return (
        f"| {scenario} | {runs.peer[0]['simulated_s']:g} "
        f"| {median(runs.beside, lambda r: r['delivered_segments']) / 1e3:.4g} k "
        f"| {median(runs.peer, lambda r: r['delivered_segments']) / 1e3:.4g} k "
        f"| {spread(runs.beside, cpu_s)} | {spread(runs.peer, cpu_s)} | {ratio:.3g} | {best:.3g} "
        f"| {median(runs.peer, rss_mb) / median(runs.beside, rss_mb):.3g} "
        f"| {BENCHES[scenario].ratio.verdict(ratio)} |"
    )


def parse_arguments() -> argparse.Namespace:
    """Parses and checks the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--bentpipe",
        default="target/release/scenario_bench",
        help="Bentpipe's program (cargo build --release -p bentpipe-benches)",
    )
    parser.add_argument("--peer", help="the peer's program (benches/peers/ns3/build.sh)")
    parser.add_argument("--scenarios", default=",".join(BENCHES), help="names, with commas (default: %(default)s)")
    parser.add_argument("--runs", type=int, default=5, help="runs of Bentpipe, at least 5 (default: %(default)s)")
    parser.add_argument("--peer-runs", type=int, default=1, help="runs of the peer (default: %(default)s)")
    parser.add_argument("--save", type=Path, help="file for every run's figures, with date and machine")
    arguments = parser.parse_args()
    arguments.scenarios = arguments.scenarios.split(",")
    if unknown := [name for name in arguments.scenarios if name not in BENCHES]:
        parser.error(f"--scenarios: no {', '.join(unknown)}; known are {', '.join(BENCHES)}")
    if arguments.runs < 5:
        parser.error(f"--runs {arguments.runs}: at least 5, fewer say little on a busy machine")
    if arguments.peer_runs < 1:
        parser.error(f"--peer-runs {arguments.peer_runs}: at least 1")
    if arguments.peer and not Path(arguments.peer).exists():
        print(f"skipped: the peer {arguments.peer} is not built", file=sys.stderr)
        arguments.peer = None
    return arguments


def main() -> int:
    """Measures, then prints both tables."""
    arguments = parse_arguments()
    measured = {scenario: measure(scenario, arguments) for scenario in arguments.scenarios}
    print("Bentpipe (least / median / largest; targets are held against medians)\n")
    print(
        "| scenario | simulated s | CPU s | CPU µs per delivered segment | million packet-hops per CPU s "
        "| peak RSS, MB | targets |\n|---|---:|---:|---:|---:|---:|---|"
    )
    for scenario, runs in measured.items():
        print(row_alone(scenario, runs.full))
    peers = {scenario: runs for scenario, runs in measured.items() if runs.peer}
    if peers:
        first = next(iter(peers.values())).peer[0]
        print(f"\nBeside {first['version']} ({first.get('build', 'build not named')})\n")
        print(
            "| scenario | simulated s | delivered | delivered, peer | CPU s | CPU s, peer "
            "| times its speed per segment: of medians | of least | its RSS over ours | target |"
            "\n|---|---:|---:|---:|---:|---:|---:|---:|---:|---|"
        )
        for scenario, runs in peers.items():
            print(row_beside(scenario, runs))
    if arguments.save:
        every = [
            {"program": program, **result, "scenario": scenario}
            for scenario, runs in measured.items()
            for program, results in [("Bentpipe", runs.full + runs.beside), ("peer", runs.peer)]
            for result in results
        ]
        save(arguments.save, every)
    return 0


if __name__ == "__main__":
    sys.exit(ended(main))
