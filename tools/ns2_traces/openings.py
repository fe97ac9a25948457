# SPDX-License-Identifier: MIT OR Apache-2.0
"""Record how connections of ns-2 begin, packet by packet, and totals with ns-2's defaults on a lossless network."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from typing import Any

import dumbbells
import ns2
import pyarrow as pa

#: The network of both tables.
CASE = "20m-100ms"
#: ns-2's default `window_`, and no limit.
WINDOWS = (dumbbells.DEFAULTS.window, dumbbells.Settings().window)
AGENTS = ["sack1", "newreno", "linux-reno", "linux-naive_reno", "linux-cubic", "linux-hybla"]
#: Bytes of payload: the default of `packetSize_`.
PAYLOAD_BYTES = 1000
#: Start of the flow in ns-2's time.
ORIGIN_S = 1.0
#: Length of a log in packets.
PACKETS = 2000

TEXT = pa.dictionary(pa.int8(), pa.string())
PACKET_TABLE = pa.schema(
    [
        *(("case", TEXT), ("agent", TEXT), ("window", pa.int32()), ("sent_by", TEXT)),
        *(("sent_ns", pa.int64()), ("arrived_ns", pa.int64()), ("fate", TEXT)),
        *(("number", pa.int32()), ("ip_length", pa.int32()), ("sack_blocks", pa.int8())),
    ]
)
TOTAL_TABLE = pa.schema(
    [
        *(("case", pa.string()), ("agent", pa.string()), ("window", pa.int32()), ("seconds", pa.float64())),
        *(("acknowledged", pa.int64()), ("segments_sent", pa.int64()), ("retransmissions", pa.int64())),
        *(("timeouts", pa.int64()), ("drops_queue", pa.int64()), ("goodput_mbit_s", pa.float64())),
    ]
)


@dataclass(frozen=True)
class Opening:
    """One kind of run. `lost` and `lost_back` are indices of lost packets and ACKs from 0; `packets` 0 means no end."""

    name: str
    seconds: float
    packets: int = 0
    lost: tuple[int, ...] = ()
    lost_back: tuple[int, ...] = ()

    def run(self, agent: str, window: int, *, trace: bool, keep: bool) -> list[list[str]]:
        """Returns the lines that opening.tcl writes, split into words."""
        network = next(case for case in dumbbells.cases() if case.name == CASE)
        given: dict[str, object] = {
            "agent": agent,
            "rate_mbit_s": network.rate_mbit_s,
            "rtt_ms": network.rtt_steps[0][1],
            "queue_packets": network.queue_packets,
            "seconds": self.seconds,
            "window": window,
            "packets": self.packets,
            "lost": " ".join(map(str, self.lost)),
            "lost_back": " ".join(map(str, self.lost_back)),
            "trace": int(trace),
        }
        words = [str(word) for pair in given.items() for word in pair]
        return [line.split() for line in ns2.run("opening.tcl", words, keep=keep)]


#: Openings whose packets are stored. ns-2 repeats a SYN after 3, 9 and 21 seconds.
OPENINGS = (
    Opening("endless", 2),
    Opening("transfer-11", 5, packets=11),
    Opening("syn-lost", 10, packets=11, lost=(0,)),
    Opening("three-syns-lost", 30, packets=11, lost=(0, 1, 2)),
    Opening("syn-ack-lost", 10, packets=11, lost_back=(0,)),
)


def packets(opening: Opening, agent: str, window: int, *, keep: bool) -> list[dict[str, Any]]:
    """Returns the packets of a run in the order in which they left their hosts."""
    found: dict[str, dict[str, Any]] = {}
    for words in opening.run(agent, window, trace=True, keep=keep):
        if len(words) < 16 or words[0] not in "+rd":
            continue
        event, time, source, _, _, size, _, _, _, _, number, uid, *_, sack_bytes = words
        at = round((float(time) - ORIGIN_S) * 1e9)
        packet = found.setdefault(
            uid,
            {
                "case": opening.name,
                "agent": agent,
                "window": window,
                "sent_by": ("sender", "receiver")[int(source)],
                "sent_ns": at,
                "arrived_ns": None,
                "fate": "on the way",
                "number": int(number),
                "ip_length": int(size),
                "sack_blocks": int(sack_bytes),
            },
        )
        if event == "r":
            packet |= {"arrived_ns": at, "fate": "arrived"}
        elif event == "d":
            # Losses of the list occur before the queue, so these packets were never in the queue.
            packet["fate"] = "lost in queue" if packet.pop("queued", False) else "lost by list"
        else:
            packet["queued"] = True
    rows = list(found.values())[:PACKETS]
    return [{key: value for key, value in row.items() if key != "queued"} for row in rows]


def measure_packets(*, keep: bool = True) -> pa.Table:
    """Measures every opening, agent and window. A window of 20 does not limit transfers of 11 packets."""
    runs = [
        (opening, agent, window)
        for opening, agent, window in product(OPENINGS, AGENTS, WINDOWS)
        if not opening.packets or window == WINDOWS[0]
    ]
    rows = [row for opening, agent, window in runs for row in packets(opening, agent, window, keep=keep)]
    return pa.Table.from_pylist(rows, schema=PACKET_TABLE)


def measure_totals(*, keep: bool = True) -> pa.Table:
    """Measures the totals of complete runs."""
    network = next(case for case in dumbbells.cases() if case.name == CASE)
    rows = []
    for agent, window in product(AGENTS, WINDOWS):
        lines = Opening("whole", network.seconds).run(agent, window, trace=False, keep=keep)
        acknowledged, sent, again, timeouts, drops = (int(word) for word in lines[-1][1:6])
        # The first packet is the SYN.
        rows.append(
            {
                "case": CASE,
                "agent": agent,
                "window": window,
                "seconds": network.seconds,
                "acknowledged": acknowledged,
                "segments_sent": sent - 1,
                "retransmissions": again,
                "timeouts": timeouts,
                "drops_queue": drops,
                "goodput_mbit_s": acknowledged * PAYLOAD_BYTES * 8e-6 / network.seconds,
            }
        )
    return pa.Table.from_pylist(rows, schema=TOTAL_TABLE)
