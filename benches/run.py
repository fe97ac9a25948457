#!/usr/bin/env python3
# SPDX-License-Identifier: MIT OR Apache-2.0
"""Runs the scenarios of benches/scenarios on Bentpipe and on a peer alternately, and prints their costs.

    benches/run.py --bentpipe target/optimised/scenario_bench [--peer target/peers/ns3-peer] [--peer-limit 120]
                   [--scenarios S1-loss,S2] [--runs 5] [--peer-runs 1] [--save FILE.json]

The first table has Bentpipe alone, with each scenario at its full length, and its targets. The second table compares
CPU time per delivered segment with the peer over the same simulated time, because the peer's cost per segment can grow
with the window. Runs are made in rounds, with one run of each kind per round, so that a change of the machine's speed
affects all kinds. The rows of a scenario are printed when it is measured. A peer that reaches its limit of CPU time is
ended, and its row states the limit.
"""

import argparse
import sys
from dataclasses import dataclass, field
from pathlib import Path

from programs import (
    Figure,
    Result,
    UnfinishedError,
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
    "S3b": Bench(beside_s=10, ratio=Target(at_least=300)),
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

    full: list[Result] = field(default_factory=list)
    compared: list[Result] = field(default_factory=list)
    peer: list[Result] = field(default_factory=list)
    unfinished: str | None = None  # how a run of the peer was ended

    def saved(self, scenario: str) -> list[Result]:
        """Return every run with its scenario and its kind: `full`, `compared` or `peer`."""
        kinds = {"full": self.full, "compared": self.compared, "peer": self.peer}
        return [{**result, "scenario": scenario, "kind": kind} for kind, runs in kinds.items() for result in runs]


def measure(scenario: str, arguments: argparse.Namespace) -> Runs:
    """Runs one scenario in rounds."""
    runs = Runs()
    compared_s = BENCHES[scenario].beside_s if arguments.peer else None
    for number in range(max(arguments.runs, arguments.peer_runs)):
        if number < arguments.runs:
            print(f"{scenario}: Bentpipe, run {number + 1} of {arguments.runs}", file=sys.stderr)
            runs.full.append(run(bentpipe_command(arguments.bentpipe, scenario, None)))
            if compared_s is not None:
                runs.compared.append(run(bentpipe_command(arguments.bentpipe, scenario, compared_s)))
        if compared_s is not None and number < arguments.peer_runs and runs.unfinished is None:
            print(f"{scenario}: peer, run {number + 1} of {arguments.peer_runs}", file=sys.stderr)
            try:
                runs.peer.append(run(peer_command(arguments.peer, scenario, compared_s), arguments.peer_limit))
            except UnfinishedError as error:
                runs.unfinished = str(error)
                print(error, file=sys.stderr)
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


def row_compared(scenario: str, runs: Runs, limit_s: int) -> str:
    """Return a line of the second table: `runs` beside the peer, which had `limit_s` of CPU time."""
    simulated_s = BENCHES[scenario].beside_s
    if not runs.peer:
        # All segments that Bentpipe delivers would be delivered by the peer in more than the limit.
        ratio = limit_s / median(runs.compared, cpu_s)
        delivered = median(runs.compared, lambda r: r["delivered_segments"])
        return (
            f"| {scenario} | {simulated_s:g} | {delivered / 1e3:.4g} k | - "
            f"| {spread(runs.compared, cpu_s)} | not finished after {limit_s} s | more than {ratio:.3g} | - | - "
            f"| {BENCHES[scenario].ratio.verdict(ratio)} |"
        )
    peer = median(runs.peer, us_per_segment)
    ratio = peer / median(runs.compared, us_per_segment)
    best = min(map(us_per_segment, runs.peer)) / min(map(us_per_segment, runs.compared))
    return (
        f"| {scenario} | {simulated_s:g} "
        f"| {median(runs.compared, lambda r: r['delivered_segments']) / 1e3:.4g} k "
        f"| {median(runs.peer, lambda r: r['delivered_segments']) / 1e3:.4g} k "
        f"| {spread(runs.compared, cpu_s)} | {spread(runs.peer, cpu_s)} | {ratio:.3g} | {best:.3g} "
        f"| {median(runs.peer, rss_mb) / median(runs.compared, rss_mb):.3g} "
        f"| {BENCHES[scenario].ratio.verdict(ratio)} |"
    )


def parse_arguments() -> argparse.Namespace:
    """Parses and checks the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--bentpipe",
        default="target/optimised/scenario_bench",
        help="Bentpipe's program (benches/native/build.sh)",
    )
    parser.add_argument("--peer", help="the peer's program (benches/peers/ns3/build.sh)")
    parser.add_argument("--scenarios", default=",".join(BENCHES), help="names, with commas (default: %(default)s)")
    parser.add_argument("--runs", type=int, default=5, help="runs of Bentpipe, at least 5 (default: %(default)s)")
    parser.add_argument("--peer-runs", type=int, default=1, help="runs of the peer (default: %(default)s)")
    parser.add_argument(
        "--peer-limit", type=int, default=120, help="CPU time of a run of the peer at most, in s (default: %(default)s)"
    )
    parser.add_argument("--save", type=Path, help="file for every run's figures, with date and machine")
    arguments = parser.parse_args()
    arguments.scenarios = arguments.scenarios.split(",")
    if unknown := [name for name in arguments.scenarios if name not in BENCHES]:
        parser.error(f"--scenarios: no {', '.join(unknown)}; known are {', '.join(BENCHES)}")
    if arguments.runs < 5:
        parser.error(f"--runs {arguments.runs}: at least 5, fewer say little on a busy machine")
    if arguments.peer_runs < 1:
        parser.error(f"--peer-runs {arguments.peer_runs}: at least 1")
    if arguments.peer_limit < 1:
        parser.error(f"--peer-limit {arguments.peer_limit}: at least 1")
    if arguments.peer and not Path(arguments.peer).exists():
        print(f"skipped: the peer {arguments.peer} is not built", file=sys.stderr)
        arguments.peer = None
    return arguments


def main() -> int:
    """Measures all scenarios: prints the first table row by row, then the second table."""
    arguments = parse_arguments()
    print("Bentpipe (smallest / median / largest; targets apply to medians)\n")
    print(
        "| scenario | simulated s | CPU s | CPU µs per delivered segment | million packet-hops per CPU s "
        "| peak RSS, MB | targets |\n|---|---:|---:|---:|---:|---:|---|"
    )
    measured: dict[str, Runs] = {}
    for scenario in arguments.scenarios:
        measured[scenario] = measure(scenario, arguments)
        print(row_alone(scenario, measured[scenario].full), flush=True)
        if arguments.save:
            save(arguments.save, [result for name, runs in measured.items() for result in runs.saved(name)])
    compared = {scenario: runs for scenario, runs in measured.items() if runs.compared}
    if peers := [result for runs in compared.values() for result in runs.peer]:
        print(f"\nCompared with {peers[0]['version']} ({peers[0].get('build', 'build not named')})\n")
    elif compared:
        print("\nCompared with the peer, which finished no scenario\n")
    if compared:
        print(
            "| scenario | simulated s | delivered | delivered, peer | CPU s | CPU s, peer "
            "| CPU time per segment, peer / Bentpipe: medians | smallest | RSS, peer / Bentpipe | target |\n"
            "|---|---:|---:|---:|---:|---:|---:|---:|---:|---|"
        )
    for scenario, runs in compared.items():
        print(row_compared(scenario, runs, arguments.peer_limit))
    return 0


if __name__ == "__main__":
    sys.exit(ended(main))
