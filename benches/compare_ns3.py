#!/usr/bin/env python3
# SPDX-License-Identifier: MIT OR Apache-2.0
"""Runs one flow over the same dumbbells in Bentpipe and in ns-3, and prints the goodputs side by side.

    benches/compare_ns3.py                                      a cell per path and controller: the document's table
    benches/compare_ns3.py --write docs/ns3-comparison.md       the same into the document
    benches/compare_ns3.py --long [--controllers TcpBbr]        a line per path, with means, spreads and errors
    benches/compare_ns3.py --measure                            first run ns-3 where its file has no run yet (minutes)

ns-3's runs are in benches/peers/ns3/results-<version>.csv. Bentpipe's runs are made by the package of this Python in
about a minute. --measure adds runs to the file one by one, and can be stopped and called again; it needs the peer
(benches/peers/ns3/build.sh). `scenario` and `peer_command` contain the common settings. `PAIRS` contains the
corresponding controllers. If ns-3 fixes a value, Bentpipe's controller gets the same value.
"""

import argparse
import csv
import math
import re
import statistics
import sys
from dataclasses import dataclass
from pathlib import Path

from programs import BenchError, Result, ended, run

import bentpipe as bp

ROOT = Path(__file__).resolve().parent.parent
PEER_RESULTS = ROOT / "benches" / "peers" / "ns3" / "results-3.44.csv"
MSS_BYTES = 1448
PACKET_BITS = 12_000  # 1500 bytes
RATE_MBIT_S = 10  # of the bottleneck
ACCESS_MS = 1.0  # each of the two access links, one way
RTO_MARGIN_MS = 200  # least of ns-3's timeout less the smoothed RTT, as in Linux and in Bentpipe; its own default is 1
DEVIATION = 0.15  # cells with a larger deviation are flagged
BEGIN, END = "<!-- begin: benches/compare_ns3.py --write -->", "<!-- end -->"

# Simulated seconds by RTT in ms and packet error rate. Long paths need long runs, but ns-3 is slow with full links.
DURATIONS_S = {
    25: {0.0: 30, 1e-4: 20, 1e-3: 40, 1e-2: 60},
    100: {0.0: 40, 1e-4: 60, 1e-3: 100, 1e-2: 150},
    300: {0.0: 100, 1e-4: 120, 1e-3: 150, 1e-2: 300},
    600: {0.0: 200, 1e-4: 150, 1e-3: 300, 1e-2: 300},
}


@dataclass(frozen=True)
class Pair:
    """A controller of ns-3, by its class, and the corresponding controller of Bentpipe (a TOML table)."""

    peer: str
    ours: str

    @property
    def name(self) -> str:
        """Name of Bentpipe's controller."""
        return self.ours.split('"')[1]


def pair(peer: str, name: str, **parameters: str) -> Pair:
    """Returns a pair; parameters are written as in TOML."""
    keys = {"name": f'"{name}"', **parameters}
    return Pair(peer, "{ " + ", ".join(f"{key} = {value}" for key, value in keys.items()) + " }")


PAIRS = [
    # Counts ACKs, not bytes (RFC 5681, equation 3).
    pair("TcpNewReno", "reno", byte_counting="false"),
    # Linux counts every acknowledged segment in slow start.
    pair("TcpLinuxReno", "reno", growth_limit="1000000"),
    pair("TcpCubic", "cubic", slow_start='"classic"', growth_limit="1000000"),
    # ns-3 needs 5 round trips from W_max - 4 to W_max, and Linux needs 20.
    pair("TcpBic", "bic-linux", smooth_part="5"),
    pair("TcpHighSpeed", "hstcp"),
    # ns-3 follows Linux: it adds one segment per 50, and uses the small decrease at every window.
    pair("TcpScalable", "stcp", small_windows='"linux"', ai_cnt="50"),
    # ns-3 does not scale growth with the RTT.
    pair("TcpHtcp", "h-tcp", rtt_scaling="false"),
    # ns-3's reference path has 50 ms.
    pair("TcpHybla", "hybla-linux", rtt0='"50 ms"'),
    pair(
        "TcpHybla", "hybla", rtt0='"50 ms"', rho_rtt='"min"', initial_ssthresh='"unset"', pacing="false"
    ),  # the paper's equations with ns-3's choices
    # ns-3 implements Linux's Vegas: 2, 4 and 1 segments, and doubling in every round.
    pair("TcpVegas", "vegas-linux"),
    pair("TcpVeno", "veno"),
    # The filter of ns-3, whose samples have no minimum length.
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
        """Returns the simulated time, in seconds."""
        return DURATIONS_S[self.rtt_ms][self.per]


def queue_packets(rtt_ms: int) -> int:
    """Returns one BDP of the complete path, rounded as in the peer (to the nearest, halves away from zero)."""
    return math.floor(RATE_MBIT_S * 1e3 * rtt_ms / PACKET_BITS + 0.5)


def buffer_bytes(rtt_ms: int) -> int:
    """Returns the size of the peer's socket buffers: 40 BDP, at least 4000 segments, far more than a window needs."""
    return max(40 * queue_packets(rtt_ms), 4000) * MSS_BYTES


def scenario(controller: str, point: Point, seed: int) -> str:
    """Returns Bentpipe's dumbbell. The receiver's window is that of the peer, reached only by Hybla's first burst."""
    loss = f"loss = {{ per = {point.per:g} }}\n" if point.per > 0 else ""
    return f"""name = "dumbbell"
duration = "{point.duration_s} s"
seed = {seed}

[network.dumbbell]
rate = "{RATE_MBIT_S} Mbit/s"
delay = "{point.rtt_ms / 2 - 2 * ACCESS_MS:g} ms"
queue = "{queue_packets(point.rtt_ms)} packets"
{loss}
[tcp]
mss = "{MSS_BYTES} B"
header = "52 B"
initial_window = 10
recovery = "sack"
prr = true
min_rto = "200 ms"
delayed_ack = {{ every = 2, at_most = "200 ms" }}
receive_window = "{buffer_bytes(point.rtt_ms)} B"

[record]
interval = "off"
events = false

[[flows]]
controller = {controller}
access = {{ rate = "1 Gbit/s", delay = "{ACCESS_MS:g} ms" }}
"""


def peer_command(program: str, peer: str, point: Point, seed: int) -> list[str]:
    """Returns the command for the same dumbbell in the peer."""
    return [
        program,
        "--scenario=dumbbell",
        f"--tcp={peer}",
        f"--rtt-ms={point.rtt_ms}",
        f"--per={point.per:g}",
        f"--rate-mbit={RATE_MBIT_S}",
        f"--duration={point.duration_s}",
        f"--seed={seed}",
        f"--rto-margin-ms={RTO_MARGIN_MS}",
    ]


# Columns of the file of ns-3's runs. The constants above define rate and timeout.
COLUMNS = (
    *("controller", "rtt_ms", "per", "simulated_s", "seed", "goodput_mbit_s", "delivered_segments"),
    *("recoveries", "timeouts", "broken_packets", "window_limited", "cpu_s"),
)
Key = tuple[str, int, float, int]


class PeerRuns:
    """Runs of ns-3: the runs in the file, and the runs that are added to it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.version = path.stem.rpartition("-")[2]
        self.runs: dict[Key, Result] = {}
        if not path.exists():
            return
        try:
            with path.open(encoding="utf-8", newline="") as file:
                for row in csv.DictReader(file):
                    self.keep(row)
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise BenchError(f"--peer-results {path}: no file of ns-3's runs ({error})") from error

    def keep(self, row: dict[str, str]) -> None:
        """Reads a line of the file. A run whose length differs from DURATIONS_S does not count."""
        point = Point(int(row["rtt_ms"]), float(row["per"]))
        if int(row["simulated_s"]) == point.duration_s:
            limited = row["window_limited"] == "true"
            self.runs[row["controller"], point.rtt_ms, point.per, int(row["seed"])] = {
                "goodput_mbit_s": float(row["goodput_mbit_s"]),
                "window_limited": limited,
            }

    def of(self, peer: str, point: Point) -> list[Result]:
        """Returns the runs of all seeds in the file."""
        return [run for key, run in self.runs.items() if key[:3] == (peer, point.rtt_ms, point.per)]

    def measure(self, program: str, peers: list[str], points: list[Point], seeds: int) -> None:
        """Makes the missing runs, the first seed of every point first."""
        missing = [
            (peer, point, seed)
            for seed in range(1, seeds + 1)
            for peer in peers
            for point in points
            if (point.per > 0 or seed == 1) and (peer, point.rtt_ms, point.per, seed) not in self.runs
        ]
        for number, (peer, point, seed) in enumerate(missing, 1):
            result = run(peer_command(program, peer, point, seed))
            if result["version"] != f"ns-3 {self.version}":
                raise BenchError(f"{program} is of {result['version']}, {self.path} of {self.version}")
            values = {**result, "controller": peer, "rtt_ms": point.rtt_ms, "per": f"{point.per:g}", "seed": seed}
            values |= {"simulated_s": point.duration_s, "window_limited": str(result["window_limited"]).lower()}
            row = {column: str(values[column]) for column in COLUMNS}
            fresh = not self.path.exists()
            with self.path.open("a", encoding="utf-8", newline="") as file:
                writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
                if fresh:
                    writer.writeheader()
                writer.writerow(row)
            self.keep(row)
            progress("ns-3", number, len(missing))


def progress(program: str, done: int, total: int) -> None:
    """Writes a line of progress over the last one, on a terminal."""
    if sys.stderr.isatty():
        print(f"\r{program}: {done} of {total} runs", end="\n" if done == total else "", file=sys.stderr, flush=True)


def our_goodputs(pairs: list[Pair], points: list[Point], seeds: int, jobs: int) -> dict[tuple[str, Point], list[float]]:
    """Returns the goodputs of Bentpipe's runs, in Mbit/s. Without random losses, one run is enough."""
    wanted = [
        (pair.ours, point, seed)
        for pair in pairs
        for point in points
        for seed in range(1, (seeds if point.per > 0 else 1) + 1)
    ]

    scenarios = [scenario(*one) for one in wanted]
    runs = bp.run_many(scenarios, threads=jobs, progress=lambda done, total: progress("Bentpipe", done, total))
    found: dict[tuple[str, Point], list[float]] = {}
    for (ours, point, _), one in zip(wanted, runs, strict=True):
        found.setdefault((ours, point), []).append(one.summary["totals"]["delivered_mbit_s"])
    return found


@dataclass(frozen=True)
class Comparison:
    """The results of both programs on one dumbbell."""

    pair: Pair
    point: Point
    theirs: list[float]
    ours: list[float]
    limited: int

    @property
    def single(self) -> bool:
        """Whether the path has losses and ns-3 has only one run, so that its noise is unknown."""
        return self.point.per > 0 and len(self.theirs) < 2

    @property
    def ratio(self) -> float:
        """Bentpipe's mean goodput divided by ns-3's mean goodput."""
        return statistics.fmean(self.ours) / statistics.fmean(self.theirs)

    @property
    def error(self) -> float:
        """Standard error of the ratio."""
        return self.ratio * math.hypot(error_of_mean(self.theirs), error_of_mean(self.ours))

    @property
    def beyond(self) -> bool:
        """Whether the two programs differ by more than 15 %."""
        return abs(self.ratio - 1) > DEVIATION

    @property
    def clear(self) -> bool:
        """Whether the two programs differ by more than 15 % and by more than two standard errors."""
        return self.beyond and not self.single and abs(self.ratio - 1) > 2 * self.error

    def cell(self) -> str:
        """Return a cell of the short table."""
        mark = "**" if self.clear else "*" if self.beyond else ""
        return f"{mark}{self.ratio:.2f}{mark}"

    def line(self) -> str:
        """Return a line of the long table."""
        flags = ["over 15 %" if self.clear else "over 15 %, within the noise or not known"] if self.beyond else []
        if self.limited:
            flags.append(f"a buffer limited {self.limited} of ns-3's {len(self.theirs)} windows")
        ratio = f"{self.ratio:.2f}" + (f" ± {self.error:.2f}" if self.error > 0 else "")
        return (
            f"| {self.pair.peer} | {self.pair.name} | {self.point.rtt_ms} | {self.point.per:g} "
            f"| {self.point.duration_s} | {spread(self.theirs)} | {spread(self.ours)} | {ratio} | {'; '.join(flags)} |"
        )


def spread(values: list[float]) -> str:
    """Return mean and standard deviation of the runs."""
    mean = f"{statistics.fmean(values):.3g}"
    return mean if len(values) == 1 else f"{mean} ± {statistics.stdev(values):.2g}"


def error_of_mean(values: list[float]) -> float:
    """Returns the relative standard error of the mean; one run does not determine it."""
    if len(values) < 2:
        return 0.0
    return statistics.stdev(values) / math.sqrt(len(values)) / statistics.fmean(values)


def short_table(found: list[Comparison], points: list[Point], seeds: int) -> str:
    """Return a table with a line per pair and a cell per round trip, followed by the number of cells that agree."""
    rtts = sorted({point.rtt_ms for point in points})
    cells = {(one.pair, one.point): one.cell() for one in found}
    lines = ["| ns-3, Bentpipe | " + " | ".join(f"{rtt} ms" for rtt in rtts) + " |", "|---" * (len(rtts) + 1) + "|"]
    for pair in dict.fromkeys(one.pair for one in found):
        row = [", ".join(cells.get((pair, point), "-") for point in points if point.rtt_ms == rtt) for rtt in rtts]
        lines.append(f"| {pair.peer}, {pair.name} | " + " | ".join(row) + " |")
    beyond, clear = sum(one.beyond for one in found), sum(one.clear for one in found)
    runs = sorted({len(one.theirs) for one in found if one.point.per > 0})
    with_losses = f"{runs[0]}" if len(runs) == 1 else f"{runs[0]} to {runs[-1]}" if runs else "no"
    told = [f"{len(found) - beyond} of {len(found)} cells lie within 15 %, {clear} are clearly beyond."]
    told += [f"Runs with losses: {with_losses} of ns-3 in a cell, {seeds} of Bentpipe; without, one of each."]
    if len(cells) < len({one.pair for one in found}) * len(points):
        told.append("A dash: ns-3 was not run there.")
    return "\n".join([*lines, "", " ".join(told)])


def long_table(found: list[Comparison]) -> str:
    """Returns a table with a line per path."""
    head = "| ns-3 | Bentpipe | RTT, ms | PER | simulated s | ns-3, Mbit/s | Bentpipe, Mbit/s | Bentpipe / ns-3 | |"
    return "\n".join([head, "|---|---|---:|---:|---:|---:|---:|---:|---|", *(one.line() for one in found)])


def write(path: Path, table: str) -> None:
    """Put the table between the two marks in the file."""
    text = path.read_text(encoding="utf-8")
    pattern = re.compile(re.escape(BEGIN) + ".*?" + re.escape(END), re.DOTALL)
    if not pattern.search(text):
        raise BenchError(f"{path} has no place for the table: needs a line {BEGIN} and a line {END}")
    path.write_text(pattern.sub(lambda _: f"{BEGIN}\n{table}\n{END}", text), encoding="utf-8")


def parse_arguments() -> argparse.Namespace:
    """Parse and check the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--controllers", help="ns-3's classes, with commas (default: all)")
    parser.add_argument("--rtts", default="25,100,300,600", help="ms, with commas (default: %(default)s)")
    parser.add_argument("--pers", default="0,1e-4,1e-3,1e-2", help="with commas (default: %(default)s)")
    parser.add_argument("--seeds", type=int, default=10, help="runs of Bentpipe (default: %(default)s)")
    parser.add_argument("--jobs", type=int, default=2, help="runs of Bentpipe at a time (default: %(default)s)")
    parser.add_argument("--peer-results", type=Path, default=PEER_RESULTS, help="ns-3's runs (default: %(default)s)")
    parser.add_argument("--measure", action="store_true", help="run ns-3 where the file has no run")
    parser.add_argument("--peer", default="target/peers/ns3-peer", help="its program (default: %(default)s)")
    parser.add_argument("--peer-seeds", type=int, default=3, help="its runs with losses (default: %(default)s)")
    parser.add_argument("--long", action="store_true", help="a line per path instead of a cell")
    parser.add_argument("--write", type=Path, help="file to put the short table into, between its marks")
    arguments = parser.parse_args()
    names = [pair.peer for pair in PAIRS]
    arguments.controllers = arguments.controllers.split(",") if arguments.controllers else list(dict.fromkeys(names))
    if unknown := [name for name in arguments.controllers if name not in names]:
        parser.error(f"--controllers: no {', '.join(unknown)}; known are {', '.join(sorted(set(names)))}")
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
    """Measures, then prints or writes the table."""
    arguments = parse_arguments()
    peer_runs = PeerRuns(arguments.peer_results)
    if arguments.measure:
        peer_runs.measure(arguments.peer, arguments.controllers, arguments.points, arguments.peer_seeds)
    pairs = [pair for pair in PAIRS if pair.peer in arguments.controllers]
    theirs = {(pair, point): peer_runs.of(pair.peer, point) for pair in pairs for point in arguments.points}
    if not any(theirs.values()):
        raise BenchError(
            f"{peer_runs.path} has no such run; build the peer (benches/peers/ns3/build.sh), add --measure"
        )
    ours = our_goodputs(pairs, arguments.points, arguments.seeds, arguments.jobs)
    found = [
        Comparison(
            pair,
            point,
            [run["goodput_mbit_s"] for run in runs],
            ours[pair.ours, point],
            sum(run["window_limited"] for run in runs),
        )
        for (pair, point), runs in theirs.items()
        if runs
    ]
    short = short_table(found, arguments.points, arguments.seeds)
    if arguments.write:
        write(arguments.write, short)
    else:
        print(long_table(found) if arguments.long else short)
    return 0


if __name__ == "__main__":
    sys.exit(ended(main))
