# SPDX-License-Identifier: MIT OR Apache-2.0
"""Run every agent on the cases of data/oracles/cases.toml that ns-2 can express, and make tables."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, field, replace
from typing import Any

import ns2
import pyarrow as pa

CASES = ns2.ROOT / "data" / "oracles" / "cases.toml"
#: TCP-Linux's modules (Linux 2.6.22) in Debian's ns-2, then ns-2's own agents.
LINUX = (
    *("reno", "naive_reno", "cubic", "bic", "hybla", "westwood", "vegas", "veno"),
    *("htcp", "highspeed", "scalable", "lp", "illinois", "compound", "yeah"),
)
AGENTS = [*(f"linux-{name}" for name in LINUX), "sack1", "newreno", "vegas"]
#: Keys of cases that ns-2 cannot express: marking and negotiation for DCTCP, pacing, bursts of 64 kB.
BEYOND_NS2 = ("mark_above_packets", "paced", "super_packets")
PAYLOAD_BYTES = 1448
PACKET_BITS = 12_000
EVERY_S = 0.1

TRACE = pa.schema(
    [
        ("agent", pa.dictionary(pa.int8(), pa.string())),
        ("flow", pa.int8()),
        ("time_ms", pa.int32()),
        ("cwnd", pa.float32()),
        ("ssthresh", pa.float32()),
        ("srtt_us", pa.int32()),
        ("bytes_acked", pa.int64()),
        ("retransmissions", pa.int32()),
        ("timeouts", pa.int32()),
        ("queue_packets", pa.int32()),
        ("drops", pa.int32()),
        ("losses", pa.int32()),
    ]
)
TOTALS = pa.schema(
    [
        ("case", pa.string()),
        ("agent", pa.string()),
        ("segments_sent", pa.int64()),
        ("drops_queue", pa.int64()),
        ("drops_listed", pa.int64()),
        ("retransmissions", pa.int64()),
        ("timeouts", pa.int64()),
        ("goodput_mbit_s", pa.float64()),
    ]
)


@dataclass(frozen=True)
class Settings:
    """Settings of an agent in addition to its network. The defaults are the first reading."""

    #: Window in packets; there is no limit. For ns-2's own agents this is the receiver's window and the initial
    #: ssthresh. For TCP-Linux it is only the initial ssthresh (Hybla has 65535, snd_cwnd_clamp, in any case).
    window: int = 100_000
    #: As in Linux since 2.6.39, and in the simulator.
    initial: int = 10
    #: All agents have the tick of TCP-Linux, 1 ms.
    tick_s: float = 0.001
    #: One ACK for every second packet, but at once for a packet out of order (RFC 5681 section 4.2, and Linux).
    delack_s: float = 0.04
    #: As in Linux. This is also ns-2's default.
    min_rto_s: float = 0.2


#: The default settings of ns-2.
DEFAULTS = Settings(window=20, initial=2, tick_s=0.01, delack_s=0.0)
EVERY_ACK = Settings(delack_s=0.0)


@dataclass(frozen=True)
class Case:
    """A network and its flows."""

    name: str
    rate_mbit_s: float
    rtt_steps: list[list[float]]
    queue_packets: int
    seconds: float
    starts_s: list[float] = field(default_factory=lambda: [0.0])
    lost_packets: list[int] = field(default_factory=list)
    lost_period: int = 0
    lost_spans: list[list[float]] = field(default_factory=list)
    settings: Settings = Settings()

    def lost(self) -> list[int]:
        """Indices of lost packets from 0, as in ns-2's list, for more packets than a run can send."""
        if not self.lost_packets:
            return []
        capacity = self.rate_mbit_s * 1e6 * self.seconds / PACKET_BITS
        periods = int((4 * capacity + 2 * self.settings.window) // self.lost_period) + 1
        return [period * self.lost_period + number - 1 for period in range(periods) for number in self.lost_packets]

    def arguments(self, agent: str) -> list[str]:
        """Returns the arguments for dumbbell.tcl."""
        given: dict[str, object] = {
            "agent": agent,
            "rate_mbit_s": self.rate_mbit_s,
            "rtt_steps": flat(self.rtt_steps),
            "queue_packets": self.queue_packets,
            "seconds": self.seconds,
            "starts_s": " ".join(map(str, self.starts_s)),
            "lost": " ".join(map(str, self.lost())),
            "lost_spans": flat(self.lost_spans),
            "every_s": EVERY_S,
            **vars(self.settings),
        }
        return [str(word) for pair in given.items() for word in pair]


def flat(pairs: list[list[float]]) -> str:
    """Returns pairs as a list for Tcl."""
    return " ".join(str(value) for pair in pairs for value in pair)


def from_table(table: dict[str, Any]) -> Case:
    """Converts a case of the file."""
    steps = table.get("rtt_steps", [[0, table.get("rtt_ms")]])
    return Case(
        name=table["name"],
        rate_mbit_s=table["rate_mbit_s"],
        rtt_steps=steps,
        queue_packets=table["queue_packets"],
        seconds=table["seconds"],
        starts_s=table.get("flows_start_s", [0.0]),
        lost_packets=table.get("lost_packets", []),
        lost_period=table.get("lost_period", 0),
        lost_spans=table.get("lost_spans", []),
    )


def cases() -> list[Case]:
    """Returns the cases of the file in order, then other readings of some cases."""
    tables = tomllib.loads(CASES.read_text(encoding="utf-8"))["case"]
    found = [from_table(table) for table in tables if not any(key in table for key in BEYOND_NS2)]
    by_name = {case.name: case for case in found}
    readings = [
        replace(by_name["20m-100ms"], name="20m-100ms-ns2-defaults", settings=DEFAULTS),
        replace(by_name["20m-100ms-losses"], name="20m-100ms-losses-every-ack", settings=EVERY_ACK),
        replace(by_name["10m-600ms-losses"], name="10m-600ms-losses-every-ack", settings=EVERY_ACK),
    ]
    return found + readings


def measure(case: Case, agent: str, *, keep: bool = True) -> tuple[pa.Table, dict[str, object]]:
    """Returns the trace of one agent, and its line of totals."""
    rows = [line.split() for line in ns2.run("dumbbell.tcl", case.arguments(agent), keep=keep)]
    number = [[float(word) for word in row] for row in rows]
    tick_us = 1e6 * (0.001 if agent.startswith("linux-") else case.settings.tick_s)
    columns = {
        "agent": [agent] * len(rows),
        "flow": [int(row[0]) for row in number],
        "time_ms": [int(row[1]) for row in number],
        "cwnd": [row[2] for row in number],
        "ssthresh": [row[3] for row in number],
        # ns-2 keeps eight times the smoothed RTT, in ticks; 0 before the first sample.
        "srtt_us": [round(row[4] / 8 * tick_us) if row[4] > 0 else None for row in number],
        "bytes_acked": [int(row[5]) * PAYLOAD_BYTES for row in number],
        "retransmissions": [int(row[6]) for row in number],
        "timeouts": [int(row[7]) for row in number],
        "queue_packets": [int(row[9]) for row in number],
        "drops": [int(row[10]) for row in number],
        "losses": [int(row[11]) for row in number],
    }
    last = {row[0]: row for row in number}.values()
    totals: dict[str, object] = {
        "case": case.name,
        "agent": agent,
        "segments_sent": int(sum(row[8] for row in last)),
        "drops_queue": int(number[-1][10]),
        "drops_listed": int(number[-1][11]),
        "retransmissions": int(sum(row[6] for row in last)),
        "timeouts": int(sum(row[7] for row in last)),
        "goodput_mbit_s": sum(row[5] for row in last) * PAYLOAD_BYTES * 8e-6 / case.seconds,
    }
    return pa.table(columns, schema=TRACE), totals
