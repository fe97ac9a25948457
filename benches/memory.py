#!/usr/bin/env python3
# SPDX-License-Identifier: MIT OR Apache-2.0
"""Measures the memory of many flows, and the cost of a packet-hop between them.

    benches/memory.py [--bentpipe target/optimised/scenario_bench] [--runs 3]

Each run is a process of its own. Memory per flow is the largest resident set divided by the number of flows; the
resident set of the program itself (about 10 MB) is included.
"""

import argparse
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from programs import ended, median, ns_per_hop, rss_mb, run, spread
from sweeps import by_flows

STARLINK = """
duration = "10 s"
network.constellation = {{ preset = "starlink-550", isl.rate = "10 Mbit/s", user_link.rate = "10 Mbit/s" }}
record = {{ interval = "off", events = false }}

[[traffic]]
matrix = "gravity"
top = 100
flows = {flows}
controller = "newreno"
"""


@dataclass(frozen=True)
class Network:
    """A network with many flows, and its targets: kB per flow and MB in all, at most."""

    name: str
    text: str
    flows: int
    kb_per_flow: float | None = None
    mb: float | None = None

    def target(self, mb: float) -> str:
        """Return whether `mb`, the largest resident set in MB, meets the targets."""
        verdicts = []
        if self.kb_per_flow is not None:
            met = 1e3 * mb / self.flows <= self.kb_per_flow
            verdicts.append(f"{'met' if met else 'MISSED'}: {self.kb_per_flow:g} kB per flow")
        if self.mb is not None:
            verdicts.append(f"{'met' if mb <= self.mb else 'MISSED'}: {self.mb:g} MB")
        return "; ".join(verdicts) or "-"


def dumbbell(flows: int, kb_per_flow: float | None = None) -> Network:
    """Return the dumbbell of `sweeps.py`, with 10 Mbit/s for each flow and a round trip of 50 ms."""
    return Network("dumbbell of the part `flows`", by_flows(flows).text, flows, kb_per_flow=kb_per_flow)


def starlink(flows: int, mb: float | None = None) -> Network:
    """Return flows between 100 sites over the first shell of Starlink, with 10 Mbit/s on each link."""
    return Network("starlink-550, 100 sites, 10 s", STARLINK.format(flows=flows), flows, mb=mb)


NETWORKS = [dumbbell(100), dumbbell(1_000), dumbbell(2_000, 60), starlink(100), starlink(1_000), starlink(10_000, 700)]


def main() -> int:
    """Prints a line for each network."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bentpipe", default="target/optimised/scenario_bench", help="Bentpipe's program")
    parser.add_argument("--runs", type=int, default=3, help="runs of each network (default: %(default)s)")
    chosen = parser.parse_args()
    print(
        "| network | flows | million packet-hops | ns per packet-hop (smallest / median / largest) | peak RSS, MB "
        "| kB per flow | targets |\n|---|---:|---:|---:|---:|---:|---|"
    )
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "many-flows.toml"
        for network in NETWORKS:
            file.write_text(network.text, encoding="utf-8")
            results = [run([chosen.bentpipe, str(file)]) for _ in range(chosen.runs)]
            mb = median(results, rss_mb)
            print(
                f"| {network.name} | {network.flows} | {results[0]['packet_hops'] / 1e6:.3g} "
                f"| {spread(results, ns_per_hop)} | {mb:.3g} | {1e3 * mb / network.flows:.3g} | {network.target(mb)} |",
                flush=True,
            )
    return 0


if __name__ == "__main__":
    sys.exit(ended(main))
