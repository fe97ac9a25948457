# SPDX-License-Identifier: MIT OR Apache-2.0
"""Run ns-2's own Iridium with the flows, rates and errors of the Hybla-IM paper, and make a table."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING

import ns2
import pyarrow as pa

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

#: Start of the first flow. Other flows start 30 ms after each other. Goodput is counted from here.
START_S = 1.0
PAYLOAD_BYTES = 1000
REVOLUTION_S = 6027
PERS = (0.0, 1e-4, 1e-3, 1e-2)

TABLE = pa.schema(
    [
        ("agent", pa.string()),
        ("window", pa.int32()),
        ("per", pa.float64()),
        ("where", pa.string()),
        ("seed", pa.int32()),
        ("offset_s", pa.int32()),
        ("flows", pa.int32()),
        ("user_mbit_s", pa.float64()),
        ("isl_mbit_s", pa.float64()),
        ("seconds", pa.int32()),
        ("goodput_mbit_s", pa.float64()),
        ("jain", pa.float64()),
        ("segments_sent", pa.int64()),
        ("retransmissions", pa.int64()),
        ("timeouts", pa.int64()),
        ("broken_packets", pa.int64()),
        ("isl_hops", pa.float64()),
    ]
)


@dataclass(frozen=True)
class Bed:
    """One of the two networks that are run."""

    flows: int
    user_mbit_s: float
    seconds: int


#: The network of table 2 and figure 3 of the paper. The uplink is always full.
PAPER = Bed(flows=30, user_mbit_s=1.5, seconds=60)
#: The same constellation with fast uplinks, so that the inter-satellite links are the bottleneck.
WIDE = Bed(flows=5, user_mbit_s=100, seconds=100)


@dataclass(frozen=True)
class Run:
    """One run."""

    bed: Bed
    agent: str
    window: int
    per: float
    where: str
    seed: int

    @property
    def offset_s(self) -> int:
        """Start of the orbits: for seed 0 as in ns-2's example, otherwise spread over a revolution (golden section)."""
        return round(self.seed * 0.6180339887 % 1 * REVOLUTION_S)

    def known(self) -> dict[str, object]:
        """Returns the properties of the run, as in the table."""
        own = {key: value for key, value in vars(self).items() if key != "bed"}
        return {**own, **vars(self.bed), "isl_mbit_s": 25, "offset_s": self.offset_s}

    def arguments(self) -> list[str]:
        """Return the arguments for iridium.tcl. ns-2's seed is higher by one, because its seed 0 uses the clock."""
        given = {**self.known(), "seed": self.seed + 1, "queue_packets": 50}
        return [str(word) for pair in sorted(given.items()) for word in pair]


def runs() -> list[Run]:
    """Return all runs. There are fewer seeds and places where first runs showed no effect; a run takes 4 to 10 s.

    The paper's network has more start times with the settings of the paper's study: ns-2's defaults, errors between
    satellites.
    """
    hybla = "linux-hybla"
    return [
        *grid(WIDE, hybla, (100, 10_000), ("uplink", "isl"), 3),
        *grid(WIDE, "sack1", (10_000,), ("uplink", "isl"), 3),
        *grid(PAPER, hybla, (20, 10_000), ("uplink", "isl", "terminal"), 1),
        *(run for run in grid(PAPER, hybla, (20,), ("isl",), 5) if run.per and run.seed),
        *grid(PAPER, hybla, (100, 1000), ("uplink",), 1),
        *grid(PAPER, "sack1", (20,), ("uplink",), 1),
        *grid(PAPER, "newreno", (20,), ("uplink",), 1),
    ]


def grid(bed: Bed, agent: str, windows: tuple[int, ...], places: tuple[str, ...], seeds: int) -> list[Run]:
    """Return runs for every window, error rate, place of errors and seed. Without errors, the place has no effect."""
    errors = [(PERS[0], places[0]), *product(PERS[1:], places)]
    return [
        Run(bed, agent, window, per, where, seed)
        for window, (per, where), seed in product(windows, errors, range(seeds))
    ]


def row(run: Run, *, keep: bool = True) -> dict[str, object]:
    """Return what ns-2 measures in a run."""
    words = ns2.run("iridium.tcl", run.arguments(), keep=keep)[0].split()
    acknowledged, sent, again, timeouts, broken = (int(word) for word in words[:5])
    hops = [int(word) for word in words[5].split(",")]
    each = [int(word) for word in words[6].split(",")]
    known = [number for number in hops if number >= 0]
    return {
        **run.known(),
        "goodput_mbit_s": acknowledged * PAYLOAD_BYTES * 8e-6 / (run.bed.seconds - START_S),
        "jain": sum(each) ** 2 / (len(each) * sum(value**2 for value in each)),
        "segments_sent": sent,
        "retransmissions": again,
        "timeouts": timeouts,
        "broken_packets": broken,
        "isl_hops": sum(known) / len(known) if known else None,
    }


def measure(*, keep: bool = True, stored: Sequence[Mapping[str, object]] = ()) -> pa.Table:
    """Make every run. Runs in a stored table of the same script are read from the table."""

    def known(run: Run) -> dict[str, object] | None:
        asked = run.known()
        return next((dict(line) for line in stored if all(line[key] == value for key, value in asked.items())), None)

    return pa.Table.from_pylist([known(run) or row(run, keep=keep) for run in runs()], schema=TABLE)
