#!/usr/bin/env python3
# SPDX-License-Identifier: MIT OR Apache-2.0
"""Runs one flow over the same dumbbells in Bentpipe and in ns-3 and prints their goodputs side by side.

    benches/compare_ns3.py [--bentpipe target/release/scenario_bench] [--peer target/peers/ns3-peer]
                           [--controllers TcpCubic,TcpBic] [--rtts 25,600] [--pers 0,1e-3] [--save FILE.json]
                           [--reuse benches/peers/ns3/results/FILE.json]

What the two share is set in `scenario` and `peer_command`; which controllers answer each other is in `PAIRS`, with
Bentpipe's parameters where ns-3 fixes another value. A controller that Bentpipe's program does not know is left out
of its columns. ns-3 takes minutes: --reuse takes its runs from a file that --save has written before.
"""

import argparse
import datetime
import json
import math
import statistics
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from programs import BenchError, Result, ended, machine, run

MSS_BYTES = 1448
PACKET_BITS = 12_000  # 1500 bytes
ACCESS_MS = 1.0  # each of the two access links, one way
DEVIATION = 0.15  # from this on a row is flagged

# Simulated seconds by RTT in ms and packet error rate: long paths need long runs, full links cost ns-3 much.
DURATIONS_S = {
    25: {0.0: 30, 1e-4: 20, 1e-3: 40, 1e-2: 60},
    100: {0.0: 40, 1e-4: 60, 1e-3: 100, 1e-2: 150},
    300: {0.0: 100, 1e-4: 120, 1e-3: 150, 1e-2: 300},
    600: {0.0: 200, 1e-4: 150, 1e-3: 300, 1e-2: 300},
}


@dataclass(frozen=True)
class Pair:
    """A controller of ns-3, by its class, and the controller of Bentpipe that answers it (a TOML table)."""

    peer: str
    ours: str


def pair(peer: str, name: str, **parameters: str) -> Pair:
    """Parameters are written as in TOML."""
    keys = {"name": f'"{name}"', **parameters}
    return Pair(peer, "{ " + ", ".join(f"{key} = {value}" for key, value in keys.items()) + " }")


PAIRS = [
    # Counts ACKs, not bytes (RFC 5681, equation 3).
    pair("TcpNewReno", "reno", byte_counting="false"),
    # Linux counts every acknowledged segment in slow start.
    pair("TcpLinuxReno", "reno", growth_limit="1000000"),
    pair("TcpCubic", "cubic", slow_start='"classic"', growth_limit="1000000"),
    # ns-3 comes from W_max - 4 to W_max in 5 round trips, Linux in 20.
    pair("TcpBic", "bic-linux", smooth_part="5"),
    pair("TcpHighSpeed", "hstcp"),
    # ns-3 builds Linux's: one segment per 50, the small decrease at every window.
    pair("TcpScalable", "stcp", small_windows='"linux"', ai_cnt="50"),
    # ns-3 does not scale growth with the RTT.
    pair("TcpHtcp", "h-tcp", rtt_scaling="false"),
    # ns-3's reference path has 50 ms.
    pair("TcpHybla", "hybla-linux", rtt0='"50 ms"'),
    pair(
        "TcpHybla", "hybla", rtt0='"50 ms"', rho_rtt='"min"', initial_ssthresh='"unset"', pacing="false"
    ),  # the paper's equations with ns-3's choices
    # ns-3 builds Linux's: 2, 4 and 1 segments, doubling in every round.
    pair("TcpVegas", "vegas-linux"),
    pair("TcpVeno", "veno"),
    # ns-3's filter; its samples have no least length.
    pair(
        "TcpWestwoodPlus",
        "westwood-plus",
        reading='"paper"',
        bandwidth_filter='"tustin"',
        min_bandwidth_window='"0 ms"',
    ),
    pair("TcpIllinois", "illinois"),
    pair("TcpYeah", "yeah"),
    # ns-3 begins with slow start (SSParam).
    pair("TcpLedbat", "ledbat", initial_slow_start="true"),
    pair("TcpBbr", "bbr1"),
]


@dataclass(frozen=True)
class Point:
    """One dumbbell."""

    rtt_ms: int
    per: float

    @property
    def duration_s(self) -> int:
        """How long it is simulated."""
        return DURATIONS_S[self.rtt_ms][self.per]


def queue_packets(rtt_ms: int, rate_mbit_s: float) -> int:
    """One BDP of the whole path, as the peer computes it (to the nearest, halves away from zero)."""
    return math.floor(rate_mbit_s * 1e3 * rtt_ms / PACKET_BITS + 0.5)


def buffer_bytes(rtt_ms: int, rate_mbit_s: float) -> int:
    """The peer's socket buffers: 40 BDP, at least 4000 segments, far more than a window needs."""
    return max(40 * queue_packets(rtt_ms, rate_mbit_s), 4000) * MSS_BYTES


def scenario(controller: str, point: Point, seed: int, arguments: argparse.Namespace) -> str:
    """Bentpipe's dumbbell. The receiver's window is as in the peer: only Hybla's first burst ever reaches it."""
    loss = f"loss = {{ per = {point.per:g} }}\n" if point.per > 0 else ""
    return f"""name = "dumbbell"
duration = "{point.duration_s} s"
seed = {seed}

[network.dumbbell]
rate = "{arguments.rate:g} Mbit/s"
delay = "{point.rtt_ms / 2 - 2 * ACCESS_MS:g} ms"
queue = "{queue_packets(point.rtt_ms, arguments.rate)} packets"
{loss}
[tcp]
mss = "{MSS_BYTES} B"
header = "52 B"
initial_window = 10
recovery = "sack"
prr = true
min_rto = "200 ms"
delayed_ack = {{ every = 2, at_most = "200 ms" }}
receive_window = "{buffer_bytes(point.rtt_ms, arguments.rate)} B"

[record]
interval = "off"
events = false

[[flows]]
controller = {controller}
access = {{ rate = "1 Gbit/s", delay = "{ACCESS_MS:g} ms" }}
"""


def peer_command(peer: str, point: Point, seed: int, arguments: argparse.Namespace) -> list[str]:
    """The same in the peer. 200 ms is the margin of the timeout in Linux and in Bentpipe; ns-3's own is 1 ms."""
    return [
        arguments.peer,
        "--scenario=dumbbell",
        f"--tcp={peer}",
        f"--rtt-ms={point.rtt_ms}",
        f"--per={point.per:g}",
        f"--rate-mbit={arguments.rate:g}",
        f"--duration={point.duration_s}",
        f"--seed={seed}",
        f"--rto-margin-ms={arguments.rto_margin:g}",
    ]


# What is kept of a run; a controller of Bentpipe as it is written in the scenario.
COLUMNS = (
    "program",
    "controller",
    "rtt_ms",
    "per",
    "rate_mbit_s",
    "simulated_s",
    "rto_margin_ms",
    "seed",
    "goodput_mbit_s",
    "delivered_segments",
    "recoveries",
    "timeouts",
    "broken_packets",
    "window_limited",
    "cpu_s",
)
IDENTITY = ("rtt_ms", "per", "rate_mbit_s", "simulated_s", "rto_margin_ms", "seed")
Identity = tuple[str, *tuple[float, ...]]


def identity(result: Result) -> Identity:
    """What two runs of the peer must share to be the same run."""
    return (result["controller"], *(float(result[key]) for key in IDENTITY))


def reused(path: Path | None) -> tuple[dict[Identity, Result], str]:
    """The peer's runs in a file of results, and the peer's version."""
    if path is None:
        return {}, ""
    try:
        saved = json.loads(path.read_text(encoding="utf-8"))
        runs = [dict(zip(saved["columns"], run, strict=True)) for run in saved["runs"]]
        return {identity(result): result for result in runs if result["program"] == "peer"}, saved["peer"]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise BenchError(f"--reuse {path}: no file of results ({error})") from error


def save_table(path: Path, runs: "Runs") -> None:
    """Writes what is kept of every run, a line for each, with date, machine and versions."""
    head = {
        "date": datetime.datetime.now(datetime.UTC).date().isoformat(),
        "machine": machine(),
        "peer": runs.peer_version,
        "bentpipe": runs.our_version,
        "columns": COLUMNS,
    }
    lines = ",\n".join(json.dumps([result.get(column) for column in COLUMNS]) for result in runs.all)
    path.write_text(json.dumps(head, indent=1)[:-2] + f',\n "runs": [\n{lines}\n]}}\n', encoding="utf-8")


class Runs:
    """All runs of both programs, at most `jobs` at a time."""

    def __init__(self, arguments: argparse.Namespace, folder: Path) -> None:
        self.arguments = arguments
        self.folder = folder
        self.known, self.peer_version = reused(arguments.reuse)
        self.our_version = ""
        self.missing: dict[str, str] = {}  # Bentpipe's controllers that its program does not know: what it said
        self.all: list[Result] = []

    def seeds(self, point: Point, number: int) -> range:
        """Without random losses one run says it all."""
        return range(1, (number if point.per > 0 else 1) + 1)

    def one_of_peer(self, peer: str, point: Point, seed: int) -> Result:
        """One run of the peer, or the same run of before."""
        command = peer_command(peer, point, seed, self.arguments)
        rate, margin = self.arguments.rate, self.arguments.rto_margin
        known = self.known.get((peer, point.rtt_ms, point.per, rate, point.duration_s, margin, seed))
        if known is not None:
            return known
        result = {"program": "peer", **run(command)}
        self.peer_version = f"{result['version']} ({result['build']})"
        self.known[identity(result)] = result
        return result

    def one_of_ours(self, controller: str, point: Point, seed: int) -> Result | None:
        """One run of Bentpipe; nothing if it does not know the controller."""
        if controller in self.missing:
            return None
        file = self.folder / f"{abs(hash((controller, point, seed)))}.toml"
        file.write_text(scenario(controller, point, seed, self.arguments), encoding="utf-8")
        try:
            result = run([self.arguments.bentpipe, str(file)])
        except BenchError as error:
            if "no controller is called" not in str(error):
                raise
            self.missing[controller] = str(error).partition(".toml ended with ")[2]
            return None
        finally:
            file.unlink()
        self.our_version = result["version"]
        mine = {"controller": controller, "rtt_ms": point.rtt_ms, "per": point.per, "seed": seed}
        return {"program": "Bentpipe", **result, **mine}

    def measure(self, which: Pair, point: Point) -> tuple[list[Result], list[Result]]:
        """Both programs on one dumbbell, every seed."""
        arguments = self.arguments
        with ThreadPoolExecutor(arguments.jobs) as pool:
            peers = [
                pool.submit(self.one_of_peer, which.peer, point, seed)
                for seed in self.seeds(point, arguments.peer_seeds)
            ]
            ours = [
                pool.submit(self.one_of_ours, which.ours, point, seed) for seed in self.seeds(point, arguments.seeds)
            ]
        both = [one.result() for one in peers], [result for one in ours if (result := one.result())]
        for result in both[0] + both[1]:
            if result not in self.all:
                self.all.append(result)
        return both


def goodputs(results: list[Result]) -> list[float]:
    """Mbit/s of every run."""
    return [result["goodput_mbit_s"] for result in results]


def spread(values: list[float]) -> str:
    """Mean and standard deviation of the runs."""
    if not values:
        return "-"
    mean = f"{statistics.fmean(values):.3g}"
    return mean if len(values) == 1 else f"{mean} ± {statistics.stdev(values):.2g}"


def error_of_mean(values: list[float]) -> float:
    """Relative standard error of the mean; nothing is known of it from one run."""
    if len(values) < 2:
        return 0.0
    return statistics.stdev(values) / math.sqrt(len(values)) / statistics.fmean(values)


def row(which: Pair, point: Point, peers: list[Result], ours: list[Result]) -> str:
    """One line of the table. A deviation counts as noise below two standard errors of the ratio."""
    theirs, mine = goodputs(peers), goodputs(ours)
    ratio, flags = "-", []
    if mine:
        quotient = statistics.fmean(mine) / statistics.fmean(theirs)
        error = quotient * math.hypot(error_of_mean(theirs), error_of_mean(mine))
        ratio = f"{quotient:.2f}"
        if error > 0:
            ratio += f" ± {error:.2f}"
        if abs(quotient - 1) > DEVIATION:
            flags.append("over 15 %" if abs(quotient - 1) > 2 * error else "over 15 %, within the noise")
    if limited := sum(result["window_limited"] for result in peers):
        flags.append(f"a buffer limited {limited} of ns-3's {len(peers)} windows")
    name = which.ours.split('"')[1]
    return (
        f"| {which.peer} | {name} | {point.rtt_ms} | {point.per:g} | {point.duration_s} "
        f"| {spread(theirs)} | {spread(mine)} | {ratio} | {'; '.join(flags)} |"
    )


def parse_arguments() -> argparse.Namespace:
    """The command line, checked."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bentpipe", default="target/release/scenario_bench", help="Bentpipe's program")
    parser.add_argument("--peer", default="target/peers/ns3-peer", help="the peer (benches/peers/ns3/build.sh)")
    parser.add_argument("--controllers", help="ns-3's classes, with commas (default: all)")
    parser.add_argument("--rtts", default="25,100,300,600", help="ms, with commas (default: %(default)s)")
    parser.add_argument("--pers", default="0,1e-4,1e-3,1e-2", help="with commas (default: %(default)s)")
    parser.add_argument("--rate", type=float, default=10, help="bottleneck in Mbit/s (default: %(default)s)")
    parser.add_argument("--seeds", type=int, default=10, help="runs of Bentpipe (default: %(default)s)")
    parser.add_argument("--peer-seeds", type=int, default=3, help="runs of ns-3 (default: %(default)s)")
    parser.add_argument(
        "--rto-margin",
        type=float,
        default=200,
        help="least that ns-3's timeout is beyond the smoothed RTT, ms; its own default is 1 (default: %(default)s)",
    )
    parser.add_argument("--jobs", type=int, default=2, help="programs at a time (default: %(default)s)")
    parser.add_argument("--reuse", type=Path, help="file of results to take ns-3's runs from, where it has them")
    parser.add_argument("--save", type=Path, help="file for every run's figures, with date and machine")
    arguments = parser.parse_args()
    names = {which.peer for which in PAIRS}
    arguments.controllers = arguments.controllers.split(",") if arguments.controllers else sorted(names)
    if unknown := [name for name in arguments.controllers if name not in names]:
        parser.error(f"--controllers: no {', '.join(unknown)}; known are {', '.join(sorted(names))}")
    try:
        arguments.points = [
            Point(int(rtt), float(per)) for rtt in arguments.rtts.split(",") for per in arguments.pers.split(",")
        ]
        for point in arguments.points:
            _ = point.duration_s
    except (ValueError, KeyError):
        parser.error("--rtts and --pers: only what DURATIONS_S has")
    if arguments.seeds < 3 or arguments.peer_seeds < 1:
        parser.error("--seeds: at least 3; --peer-seeds: at least 1")
    return arguments


def main() -> int:
    """Measures, then prints the table."""
    arguments = parse_arguments()
    print(
        "| ns-3 | Bentpipe | RTT, ms | PER | simulated s | ns-3, Mbit/s | Bentpipe, Mbit/s | Bentpipe / ns-3 | |"
        "\n|---|---|---:|---:|---:|---:|---:|---:|---|"
    )
    with tempfile.TemporaryDirectory() as folder:
        runs = Runs(arguments, Path(folder))
        try:
            for which in PAIRS:
                if which.peer not in arguments.controllers:
                    continue
                for point in arguments.points:
                    print(row(which, point, *runs.measure(which, point)), flush=True)
        finally:
            if arguments.save and runs.all:
                save_table(arguments.save, runs)
    for said in runs.missing.values():
        print(f"left out, Bentpipe ended with {said}", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(ended(main))
