# SPDX-License-Identifier: MIT OR Apache-2.0
"""How connections begin, compared with a real kernel's packets (data/linux/openings.parquet).

Each case is run with Linux's rules. The packets of both ends until a round trip after the establishment are compared:
kind, length and order; their delay, to the microsecond; the number of segments in the first window; the SYN of the
first RTT sample; the packet with the FIN; and the cost of a lost last segment. Two differences of the kernel are
allowed: its processing time (0.02 to 0.6 ms), and its timers, which are late by up to an eighth.
"""

from __future__ import annotations

import itertools
import math
import tomllib
from typing import Any, NamedTuple

import pyarrow.parquet as pq
import pytest

import bentpipe as bp
from project import ROOT

DATA = ROOT / "data"
ALL = tomllib.loads((DATA / "oracles" / "cases.toml").read_text())["opening"]
#: Cases with another purpose: ECN bits, the receiver's buffer, segments in bursts or paced, delayed ACKs and pauses.
OTHERS = ("ecn-", "default-window", "paced", "super-packets", "pause", "delayed-acks", "transfer-100-default-buffers")
CASES = {case["name"]: case for case in ALL if not case["name"].startswith(OTHERS)}
#: Start of the flow. Before it, queues are filled if a SYN must be lost.
START_S = 1.0
#: RFC 6298: the timer of a SYN, doubled each time.
SYNS_S = (0.0, 1.0, 3.0, 7.0, 15.0)
#: Linux's timer wheel rounds up, by at most an eighth (kernel/time/timer.c), to ticks of 4 ms.
LATE, TICK_S = 1.125, 0.004
MICROSECOND = 1e-6


class Packet(NamedTuple):
    """A packet of either end. Times count from the first SYN. `arrived_s` is None if the packet was lost."""

    kind: str
    bytes: int
    sent_s: float
    arrived_s: float | None

    @property
    def took_s(self) -> float:
        assert self.arrived_s is not None
        return self.arrived_s - self.sent_s


class Opening(NamedTuple):
    packets: list[Packet]
    srtt_s: float

    @property
    def established_s(self) -> float:
        return self.of("handshake ack")[0].sent_s

    def until(self, rtt_s: float) -> Opening:
        """Return the packets until a round trip after the establishment, without ACKs of data."""
        end_s = self.established_s + rtt_s * 0.999
        return self._replace(packets=[one for one in self.packets if one.sent_s < end_s and one.kind != "ack"])

    def of(self, *kinds: str) -> list[Packet]:
        return [packet for packet in self.packets if packet.kind in kinds]

    @property
    def syns_s(self) -> list[float]:
        return [packet.sent_s for packet in self.of("syn")]

    @property
    def echoed(self) -> int:
        """Number of the SYN from which the first RTT sample counts."""
        arrived = next(packet.arrived_s for packet in self.of("syn ack") if packet.arrived_s is not None)
        return min(range(len(self.syns_s)), key=lambda syn: abs(arrived - self.syns_s[syn] - self.srtt_s))


def linux(case: dict[str, Any]) -> Opening:
    rows = pq.read_table(DATA / "linux" / "openings.parquet", filters=[("case", "==", case["name"])]).to_pylist()
    # With Fast Open, the first connection only gets the cookie.
    rows = [row for row in rows if row["connection"] == (1 if case.get("fast_open") else 0)]
    start = rows[0]["sent_ns"]
    packets = []
    for row in rows:
        flags = row["flags"].split()
        if "SYN" in flags:
            kind = "syn ack" if "ACK" in flags else "syn"
        elif row["sent_by"] == "receiver":
            kind = "ack"
        else:
            # A separate FIN is a segment without data.
            kind = "data" if row["payload"] or "FIN" in flags else "handshake ack"
        arrived = None if row["arrived_ns"] is None else (row["arrived_ns"] - start) * 1e-9
        packets.append(Packet(kind, row["ip_length"], (row["sent_ns"] - start) * 1e-9, arrived))
    established = next(row for row in rows if row["sent_by"] == "sender" and row["flags"] == "ACK")
    return Opening(packets, established["srtt_us"] * 1e-6)


def burst(at_s: float, rate: str, *, back: bool = False) -> bp.Flow:
    """Return a flow that fills a queue from a few milliseconds before a time until a few milliseconds after it."""
    ends = ("right", "left") if back else ("left", "right")
    start, stop = f"{START_S + at_s - 0.02:.4f} s", f"{START_S + at_s + 0.005:.4f} s"
    return bp.Flow(kind="cbr", rate=rate, packet="1500 B", start=start, stop=stop, from_=ends[0], to=ends[1])


def bare(case: dict[str, Any]) -> bp.Tcp:
    """The minimal TCP with Linux's set-up."""
    setup = "fast-open" if case.get("fast_open") else "handshake"
    return bp.Tcp(setup=setup, after_lost_syn="linux", fin_beyond_window=True)


def ours(case: dict[str, Any], tcp: bp.Tcp) -> Opening:
    half_s = case["rtt_ms"] / 2e3
    syns = case.get("lost_syns", 0)
    # Each burst hits the answer to a SYN or to no SYN. The SYN-ACK's own timer expires a second later.
    syn_acks = [half_s + second for second in range(case.get("lost_syn_acks", 0))]
    bursts = [burst(at, f"{10 * case['rate_mbit_s']} Mbit/s") for at in SYNS_S[:syns]]
    bursts += [burst(at, "5 Gbit/s", back=True) for at in syn_acks]
    reverse = (
        bp.Link(rate="1 Gbit/s", queue="100 packets") if syn_acks else bp.Link(rate="unlimited", queue="unlimited")
    )
    run = bp.run(
        bp.Scenario(
            name=case["name"],
            duration=f"{START_S + SYNS_S[syns] + len(syn_acks) + 4 * half_s + 0.5:g} s",
            network=bp.Dumbbell(
                rate=f"{case['rate_mbit_s']} Mbit/s",
                rtt=f"{case['rtt_ms']} ms",
                queue=f"{case['queue_packets']} packets",
                reverse=reverse,
                loss=bp.Loss(packets=case.get("lost_packets")),
            ),
            flows=[
                bp.Flow(
                    controller="cubic-linux",
                    start=f"{START_S} s",
                    tcp=tcp,
                    size=f"{case['transfers'][0][1]} B" if "transfers" in case else None,
                ),
                *bursts,
            ],
            record=bp.Record(interval="10 ms", packets=True),
        )
    )
    rows = [row for row in run.packets.arrow.to_pylist() if row["flow"] == 0]
    arrivals: dict[tuple[str, int], list[float]] = {}
    for row in rows:
        if row["event"] == "deliver":
            arrivals.setdefault((row["kind"], row["sequence"]), []).append(row["time_s"])
    packets = []
    for row in rows:
        if row["event"] == "deliver":
            continue
        # The path does not reorder, so the n-th packet that was not dropped is the n-th packet that arrived.
        there = arrivals.get((row["kind"], row["sequence"])) if row["event"] == "enqueue" else None
        arrived = there.pop(0) - START_S if there else None
        packets.append(Packet(row["kind"], row["bytes"], row["time_s"] - START_S, arrived))
    established = next(packet.sent_s for packet in packets if packet.kind == "handshake ack")
    series = run.flows.arrow.to_pylist()
    after = (row for row in series if row["flow"] == 0 and row["time_s"] > START_S + established + 1e-9)
    return Opening(packets, next(after)["srtt_ms"] / 1e3)


@pytest.fixture(scope="module", params=CASES)
def pair(request: pytest.FixtureRequest) -> tuple[dict[str, Any], Opening, Opening]:
    case = CASES[request.param]
    rtt_s = case["rtt_ms"] / 1e3
    return case, linux(case).until(rtt_s), ours(case, bare(case)).until(rtt_s)


def test_the_cases_are_there() -> None:
    assert {"endless", "syn-lost", "two-syns-lost", "syn-ack-lost", "transfer-11", "fast-open"} <= CASES.keys()


def test_the_same_packets_in_the_same_order(pair: tuple[dict[str, Any], Opening, Opening]) -> None:
    _, theirs, mine = pair
    assert [packet[:2] for packet in mine.packets] == [packet[:2] for packet in theirs.packets]
    lost = [packet.arrived_s is None for packet in theirs.packets]
    assert [packet.arrived_s is None for packet in mine.packets] == lost


def test_the_path_takes_the_same_time(pair: tuple[dict[str, Any], Opening, Opening]) -> None:
    """SYN, SYN-ACK and ACK are alone on the path. Data packets queue behind each other, so their distances count."""
    _, theirs, mine = pair
    setup = "syn", "syn ack", "handshake ack"
    for a, b in zip(theirs.of(*setup), mine.of(*setup), strict=True):
        if a.arrived_s is not None:
            assert b.took_s == pytest.approx(a.took_s, abs=MICROSECOND), a
    data = [[p.arrived_s for p in opening.of("data") if p.arrived_s is not None] for opening in (theirs, mine)]
    gaps = [[b - a for a, b in itertools.pairwise(times)] for times in data]
    # The emulated kernel is sometimes busy when a packet is due. The largest lateness is 2.1 us.
    assert gaps[1] == pytest.approx(gaps[0], abs=3 * MICROSECOND)


def test_syns_are_repeated_when_linux_repeats_them(pair: tuple[dict[str, Any], Opening, Opening]) -> None:
    _, theirs, mine = pair
    assert mine.syns_s == pytest.approx(SYNS_S[: len(mine.syns_s)], abs=MICROSECOND)
    for before, after, linux_before, linux_after in zip(
        mine.syns_s, mine.syns_s[1:], theirs.syns_s, theirs.syns_s[1:], strict=False
    ):
        assert after - before <= linux_after - linux_before <= LATE * (after - before)


def test_the_first_sample_counts_from_the_same_syn(pair: tuple[dict[str, Any], Opening, Opening]) -> None:
    case, theirs, mine = pair
    assert mine.echoed == theirs.echoed
    arrived = next(packet.arrived_s for packet in theirs.of("syn ack") if packet.arrived_s is not None)
    # The kernel's clock for timestamps ticks every 4 ms, and its first answer takes 0.6 ms.
    assert theirs.srtt_s == pytest.approx(arrived - theirs.syns_s[theirs.echoed], abs=TICK_S)
    if not case.get("lost_syn_acks"):
        assert mine.srtt_s == pytest.approx(case["rtt_ms"] / 1e3, abs=0.001)


@pytest.mark.parametrize(
    ("name", "why"),
    [("transfer-1-lost", "RACK"), ("transfer-10-last-lost", "RACK"), ("transfer-11-last-lost", "RTO")],
)
def test_a_lost_last_segment_is_repeated_as_there(name: str, why: str) -> None:
    """A separate FIN shows the gap: the segment is sent again a quarter of a round trip after the FIN's SACK.

    If the FIN is lost with the segment, it shows nothing: the segment is sent again by the tail probe, at the RTO of
    300 ms.
    """
    case = CASES[name]
    theirs, mine = linux(case), ours(case, bp.Tcp(preset="linux"))
    waits = []
    for opening in (theirs, mine):
        *_, before, again = opening.of("data")
        told = max(one.arrived_s for one in opening.of("ack") if one.arrived_s and one.arrived_s < again.sent_s)
        waits.append(again.sent_s - told)
        assert (before.bytes, again.bytes) == ((52, 1500) if why == "RACK" else (1500, 1500))
    least = {"RACK": case["rtt_ms"] / 4e3, "RTO": 0.3}[why]
    # Tolerances of the kernel's timers: up to two ticks, and an eighth of the RTO.
    late_s = {"RACK": 2 * TICK_S, "RTO": (LATE - 1) * least}[why]
    assert waits[1] == pytest.approx(least, abs=0.003)
    assert 0 <= waits[0] - waits[1] <= late_s


def finite(value: object) -> bool:
    """Whether no number in the value is infinite or NaN."""
    if isinstance(value, dict):
        return all(finite(item) for item in value.values())
    if isinstance(value, list):
        return all(finite(item) for item in value)
    return not isinstance(value, float) or math.isfinite(value)


@pytest.mark.parametrize("stop", [None, "2 s"])
def test_a_flow_that_nobody_answers_sends_nothing(stop: str | None) -> None:
    """RFC 6298: SYNs leave at 0, 1, 3, 7 and 15 s. A flow that stops sends no more SYNs."""
    run = bp.run(
        bp.Scenario(
            name="nobody",
            duration="20 s",
            network=bp.Dumbbell(rate="20 Mbit/s", rtt="100 ms", loss=bp.Loss(per=1.0)),
            flows=[bp.Flow(controller="bbr1", stop=stop, tcp=bp.Tcp(setup="handshake"))],
            record=bp.Record(packets=True),
        )
    )
    rows = [row for row in run.packets.arrow.to_pylist() if row["event"] == "enqueue"]
    assert {row["kind"] for row in rows} == {"syn"}
    assert [row["time_s"] for row in rows] == [at for at in SYNS_S if stop is None or at < 2.0]
    flow, totals = run.summary["flows"][0], run.summary["totals"]
    assert finite(run.summary)
    assert flow["goodput_mbit_s"] == flow["sent_packets"] == flow["timeouts"] == totals["sent_packets"] == 0
    assert flow.get("completed_at_s") is flow.get("delivery_ratio") is totals.get("loss_ratio") is None


def test_a_completion_counts_the_set_up() -> None:
    """SYN 24 us and 50 ms, SYN-ACK 50 ms, ACK 20.8 us, a segment 600 us and 50 ms, and its ACK 50 ms."""
    run = bp.run(
        bp.Scenario(
            name="one segment",
            duration="2 s",
            network=bp.Dumbbell(rate="20 Mbit/s", rtt="100 ms", reverse=bp.Link(rate="unlimited", queue="unlimited")),
            flows=[bp.Flow(controller="reno", start="1 s", size="1448 B", tcp=bp.Tcp(setup="handshake"))],
        )
    )
    assert run.summary["flows"][0]["completed_at_s"] == pytest.approx(1.2 + 24e-6 + 20.8e-6 + 600e-6, abs=1e-9)
