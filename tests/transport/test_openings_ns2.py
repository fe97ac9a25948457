# SPDX-License-Identifier: MIT OR Apache-2.0
"""How connections begin, compared with ns-2's packets (data/ns2/openings.parquet), for Sack1 and Newreno.

Every data packet of the log is compared: sequence number, length, time after the first data packet, and arrival. SYNs
are compared by their times. ns-2 omits the third packet of the handshake. If it is sent here, it is before the first
data on the link, so times may differ by its 40 bytes at 20 Mbit/s, 16 microseconds.
"""

from __future__ import annotations

import tomllib
from typing import Any, NamedTuple

import pyarrow.parquet as pq
import pytest
from test_openings import START_S, burst

import bentpipe as bp
from project import ROOT

DATA = ROOT / "data"
LOG = DATA / "ns2" / "openings.parquet"
PATH = next(
    case
    for case in tomllib.loads((DATA / "oracles" / "cases.toml").read_text(encoding="utf-8"))["case"]
    if case["name"] == "20m-100ms"
)
#: The 3 s of RFC 1122, doubled.
SYNS_S = (0.0, 3.0, 9.0, 21.0)
HANDSHAKE_ACK_S = 40 * 8 / 20e6
CASES = [
    ("endless", 20),
    ("endless", 100_000),
    ("transfer-11", 20),
    ("syn-lost", 20),
    ("three-syns-lost", 20),
]
LOST_SYNS = {"syn-lost": 1, "three-syns-lost": 3}
#: The windows are one, then two. In ns-2 the window then grows by one per round trip, because the timeout of the SYN
#: sets the threshold to 2 (tcp.cc: timeout, slowdown). Here the window doubles.
ALIKE_AFTER_LOST_SYN = 3


class Packet(NamedTuple):
    number: int
    bytes: int
    sent_s: float
    arrives: bool


class Opening(NamedTuple):
    syns_s: list[float]
    data: list[Packet]

    @property
    def gaps_s(self) -> list[float]:
        return [packet.sent_s - self.data[0].sent_s for packet in self.data]


def ns2(case: str, agent: str, window: int) -> Opening:
    wanted = [("case", "==", case), ("agent", "==", agent), ("window", "==", window), ("sent_by", "==", "sender")]
    rows = pq.read_table(LOG, filters=wanted).to_pylist()
    packets = [
        Packet(row["number"], row["ip_length"], row["sent_ns"] * 1e-9, not row["fate"].startswith("lost"))
        for row in rows
    ]
    return Opening([p.sent_s for p in packets if p.number == 0], [p for p in packets if p.number > 0])


def ours(case: str, agent: str, window: int) -> Opening:
    lost = LOST_SYNS.get(case, 0)
    beside: dict[str, Any] = {} if window == 20 else {"receive_window": "unlimited"}
    # Each burst fills the queue when a SYN arrives.
    bursts = [burst(at, f"{10 * PATH['rate_mbit_s']} Mbit/s") for at in SYNS_S[:lost]]
    run = bp.run(
        bp.Scenario(
            name=case,
            duration=f"{START_S + 2 + SYNS_S[lost]} s",
            network=bp.Dumbbell(
                rate=f"{PATH['rate_mbit_s']} Mbit/s",
                rtt=f"{PATH['rtt_ms']} ms",
                queue=f"{PATH['queue_packets']} packets",
                reverse=bp.Link(rate="10 Gbit/s"),
            ),
            tcp=bp.Tcp(preset=f"ns2-{agent}", **beside),
            flows=[
                bp.Flow(controller="reno", start=f"{START_S} s", size=None if case == "endless" else "11000 B"),
                *bursts,
            ],
            record=bp.Record(packets=True),
        )
    )
    rows = [row for row in run.packets.arrow.to_pylist() if row["flow"] == 0 and row["event"] != "deliver"]
    # Segments count from 0. In ns-2, the SYN has number 0.
    data = [
        Packet(row["sequence"] + 1, row["bytes"], row["time_s"] - START_S, row["event"] == "enqueue")
        for row in rows
        if row["kind"] == "data"
    ]
    return Opening([row["time_s"] - START_S for row in rows if row["kind"] == "syn"], data)


@pytest.mark.parametrize("agent", ["sack1", "newreno"])
@pytest.mark.parametrize(("case", "window"), CASES)
def test_every_data_packet_leaves_as_in_ns2(case: str, window: int, agent: str) -> None:
    theirs, mine = ns2(case, agent, window), ours(case, agent, window)
    assert mine.syns_s == pytest.approx(theirs.syns_s, abs=1e-9)
    compared = ALIKE_AFTER_LOST_SYN if case in LOST_SYNS else len(theirs.data)
    assert len(theirs.data) > 10
    for place, (there, here) in enumerate(zip(theirs.data[:compared], mine.data[:compared], strict=True)):
        assert (here.number, here.bytes, here.arrives) == (there.number, there.bytes, there.arrives), place
    assert mine.gaps_s[:compared] == pytest.approx(theirs.gaps_s[:compared], abs=HANDSHAKE_ACK_S + 2e-6)
