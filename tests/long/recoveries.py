# SPDX-License-Identifier: MIT OR Apache-2.0
"""Measure how long recoveries last and how much is lost: every controller, every kind of recovery, five dumbbells.

`make nightly` runs all combinations, and prints those beyond a bound. `tests/transport/test_recoveries.py` runs a part
of them in every test run.
"""

from __future__ import annotations

import argparse
import dataclasses
import itertools
import sys
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import pyarrow.parquet as pq

import bentpipe as bp
from project import ROOT

#: Largest number of round trips of a recovery with selective ACKs, if no kernel trace exists.
LONGEST_RTT = 25.0
#: Largest ratio to a kernel's longest recovery in the same case.
OVER_LINUX = 2.0
#: Largest share of sent data packets that a queue may drop, without random loss.
LOST_SHARE = 0.1
#: Recoveries of a Linux kernel, if the file exists: `case`, `controller`, `kind`, `begin_us`, `end_us`, `srtt_us`.
KERNEL = ROOT / "data/linux/episodes.parquet"


@dataclasses.dataclass(frozen=True)
class Bed:
    """A dumbbell, and the duration of a flow over it."""

    rate: str
    rtt: str
    queue: str
    duration: str
    per: float | None = None


#: The first three are networks on which Linux kernels are traced.
BEDS = {
    "10m-600ms": Bed("10 Mbit/s", "600 ms", "500 packets", "60 s"),
    "20m-100ms": Bed("20 Mbit/s", "100 ms", "167 packets", "30 s"),
    "100m-30ms": Bed("100 Mbit/s", "30 ms", "125 packets", "15 s"),
    "deep queue": Bed("20 Mbit/s", "100 ms", "2814 packets", "40 s"),
    "random loss": Bed("20 Mbit/s", "50 ms", "83 packets", "30 s", per=0.01),
}
#: Other names of Reno's rule.
TWINS = {"newreno", "sack"}
#: Controllers with probes, which need selective ACKs.
PROBES = {"peach", "peach-plus", "cherry"}
#: Controllers that need warnings of routers, with the mean queue from which routers warn.
WARNED = {"jersey": 20.0, "nj": 20.0}
#: Controllers that run a second time with pacing.
PACED = ("reno", "cubic", "stcp", "yeah", "bic")
#: Kinds of recovery: the algorithm, and whether PRR is used.
WAYS = (("sack", False), ("sack", True), ("rack", False), ("rack", True), ("newreno", False))
#: Names of the same rule in the kernel.
IN_LINUX = {
    "reno": "reno",
    "cubic": "cubic",
    "stcp": "scalable",
    "hstcp": "highspeed",
    "h-tcp": "htcp",
    "bic-linux": "bic",
    "illinois": "illinois",
    "yeah": "yeah",
    "hybla-linux": "hybla",
    "vegas-linux": "vegas",
    "veno": "veno",
    "westwood-plus": "westwood",
    "bbr1": "bbr",
}


@dataclasses.dataclass(frozen=True)
class Cell:
    """One run of the measurement."""

    controller: str
    bed: str
    recovery: str
    prr: bool
    delayed_ack: bool
    pacing: bool = False

    def __str__(self) -> str:
        words = [self.recovery, "PRR" * self.prr, "delayed ACKs" * self.delayed_ack, "paced" * self.pacing]
        return f"{self.controller}, {self.bed}, {', '.join(filter(None, words))}"

    def scenario(self) -> bp.Scenario:
        bed = BEDS[self.bed]
        controller: Any = {"name": self.controller, "pacing": True} if self.pacing else self.controller
        network = bp.Dumbbell(
            rate=bed.rate,
            rtt=bed.rtt,
            queue=bed.queue,
            loss=bp.Loss(per=bed.per),
            warn_above=WARNED.get(self.controller),
        )
        return bp.Scenario(
            name=str(self),
            duration=bed.duration,
            network=network,
            tcp=bp.Tcp(recovery=self.recovery, prr=self.prr, delayed_ack=self.delayed_ack),
            flows=[bp.Flow(controller=controller, distance="5000 km")],
            record=bp.Record(events=False),
        )


@dataclasses.dataclass(frozen=True)
class Finding:
    """The numbers of a run, and the bounds that they exceed."""

    cell: Cell
    longest_rtt: float
    lost_share: float
    timeouts: int
    beyond: tuple[str, ...]


@dataclasses.dataclass(frozen=True)
class Cause:
    """A reason why some runs lose more than a tenth. `None` matches any value."""

    why: str
    controllers: frozenset[str]
    beds: frozenset[str] | None = None
    recovery: str | None = None

    def covers(self, cell: Cell) -> bool:
        return (
            cell.controller in self.controllers
            and (self.beds is None or cell.bed in self.beds)
            and self.recovery in (None, cell.recovery)
        )


#: Known causes. Any other run beyond a bound fails.
CAUSES = (
    Cause(
        "Hybla's slow start multiplies the window by 2^rho in a round trip (rho = 24 at 600 ms), and no receive window "
        "stops it here: tens of thousands of packets overflow the queue at once",
        frozenset({"hybla", "hybla-linux"}),
        frozenset({"10m-600ms", "deep queue"}),
    ),
    Cause(
        "a classic slow start overflows a queue of 2,814 packets by as many, and the 0.8 to 0.875 of that window that "
        "are kept still exceed path and queue: three more cuts in 40 s",
        frozenset({"stcp", "bic", "bic-linux"}),
        frozenset({"deep queue"}),
    ),
    Cause(
        "the cut to B RTTmin in the first slow start leaves 41 segments (documented limit): few packets are sent "
        "beside those that slow start lost",
        frozenset({"westwood-plus"}),
        frozenset({"10m-600ms"}),
    ),
    Cause(
        "NewReno repairs one hole per round trip, so that each overflow of the queue ends in a timeout (RFC 6582, "
        "section 4), and the window is back above path and queue within seconds: exponential growth beyond W_max, or a "
        "model that takes no notice of losses",
        frozenset(
            {"log-westwood-plus", "hybla-im-literal", "vegas-w-paper", "copa", "bbr3", "leocc", "h-tcp", "bic-linux"}
        ),
        recovery="newreno",
    ),
)


def controllers() -> list[str]:
    """Return the catalogue without twins, and without controllers that need marks, which the dumbbells do not give."""
    entries = [entry for entry in bp.controllers() if "ECN marks" not in entry["requires"]]
    return [name for entry in entries if (name := str(entry["name"])) not in TWINS]


def cells(names: Sequence[str], beds: Sequence[str]) -> Iterator[Cell]:
    """Yield every possible combination."""
    for name, bed, (recovery, prr), delayed in itertools.product(names, beds, WAYS, (False, True)):
        if recovery != "newreno" or name not in PROBES:
            yield Cell(name, bed, recovery, prr, delayed)
            if name in PACED:
                yield Cell(name, bed, recovery, prr, delayed, pacing=True)


def kernel_recoveries() -> dict[tuple[str, str], float]:
    """Return a Linux kernel's longest recovery in round trips, by bed and controller; empty without traces."""
    longest: dict[tuple[str, str], float] = {}
    if KERNEL.is_file():
        for row in pq.read_table(KERNEL).to_pylist():
            if row["kind"] == "recovery" and row["srtt_us"]:
                key = (row["case"], row["controller"])
                lasted = (row["end_us"] - row["begin_us"]) / row["srtt_us"]
                longest[key] = max(longest.get(key, 0.0), lasted)
    return longest


def look(cell: Cell, flow: Mapping[str, Any], kernel: Mapping[tuple[str, str], float]) -> Finding:
    """Compare the numbers of a flow's summary with the bounds of its run."""
    longest = float(flow["longest_recovery_rtts"] or 0.0)
    lost = sum(flow["losses"].values())
    share = lost / flow["sent_packets"]
    bound = LONGEST_RTT
    if cell.recovery == "newreno":
        # RFC 6582: one hole per round trip, until a timeout ends the recovery. The queue may lengthen the last round
        # trip.
        bound = lost + 1
    elif cell.recovery == "rack" and cell.prr and cell.delayed_ack and not cell.pacing:
        # Linux with its default settings.
        linux = kernel.get((cell.bed, IN_LINUX.get(cell.controller, "")))
        bound = LONGEST_RTT if linux is None else OVER_LINUX * linux
    beyond = []
    if longest > bound:
        beyond.append(f"a recovery of {longest:.1f} round trips; bound: {bound:.1f}")
    if BEDS[cell.bed].per is None and share > LOST_SHARE:
        beyond.append(f"{100 * share:.1f} % lost; bound: {100 * LOST_SHARE:g} %")
    return Finding(cell, longest, share, int(flow["timeouts"]), tuple(beyond))


def measure(sweep: Sequence[Cell], threads: int | None = None) -> Iterator[Finding]:
    """Make the runs, some at a time."""
    kernel = kernel_recoveries()
    for at in range(0, len(sweep), 100):
        portion = sweep[at : at + 100]
        runs = bp.run_many([cell.scenario() for cell in portion], threads=threads)
        for cell, run in zip(portion, runs, strict=True):
            yield look(cell, run.summary["flows"][0], kernel)


def cause(finding: Finding) -> Cause | None:
    """Return the known cause of a loss above a tenth. No cause excuses a recovery that is too long."""
    if any("recovery" in words for words in finding.beyond):
        return None
    return next((cause for cause in CAUSES if cause.covers(finding.cell)), None)


def table(found: Sequence[Finding]) -> str:
    """Return the longest recovery for each kind of recovery and each bed, with its controller."""
    lines = [f"{'longest recovery, round trips':30}" + "".join(f"{bed:>28}" for bed in BEDS)]
    for (recovery, prr), delayed in itertools.product(WAYS, (False, True)):
        words = ", ".join(filter(None, [recovery, "PRR" * prr, "delayed ACKs" * delayed]))
        line = f"{words:30}"
        for bed in BEDS:
            way = (bed, recovery, prr, delayed)
            there = [f for f in found if (f.cell.bed, f.cell.recovery, f.cell.prr, f.cell.delayed_ack) == way]
            worst = max(there, key=lambda finding: finding.longest_rtt, default=None)
            line += f"{f'{worst.longest_rtt:.1f} {worst.cell.controller}' if worst else '-':>28}"
        lines.append(line)
    return "\n".join(lines)


def main() -> int:
    """Print the table and the runs beyond a bound. Return 1 if any of these has no known cause."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--threads", type=int, help="runs at a time; as many as there are processors if not given")
    parser.add_argument("--controller", action="append", help="only this one (repeatable)")
    parser.add_argument("--bed", action="append", choices=list(BEDS), help="only this one (repeatable)")
    arguments = parser.parse_args()
    sweep = list(cells(arguments.controller or controllers(), arguments.bed or list(BEDS)))
    found = []
    for finding in measure(sweep, arguments.threads):
        found.append(finding)
        if len(found) % 100 == 0:
            print(f"\r{len(found)} of {len(sweep)} runs", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    print(table(found))
    beyond = [finding for finding in found if finding.beyond]
    unlisted = [finding for finding in beyond if cause(finding) is None]
    for listed in CAUSES:
        those = [finding for finding in beyond if cause(finding) is listed]
        print(f"\nlisted, {len(those)} runs: {listed.why}")
        for finding in those:
            print(f"  {finding.cell}: {'; '.join(finding.beyond)}; timeouts: {finding.timeouts}")
    for finding in unlisted:
        print(f"\nNOT LISTED: {finding.cell}: {'; '.join(finding.beyond)}; timeouts: {finding.timeouts}")
    print(f"\n{len(found)} runs, {len(beyond)} beyond a bound, {len(unlisted)} of them without a listed cause")
    return 1 if unlisted else 0


if __name__ == "__main__":
    sys.exit(main())
