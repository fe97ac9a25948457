# SPDX-License-Identifier: MIT OR Apache-2.0
"""The traces of Linux: the files are those of the index, and a real kernel still does what they say."""

from __future__ import annotations

import hashlib
import importlib
import itertools
import sys
import tomllib
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

import needs
from kernels import again
from project import ROOT

DATA = ROOT / "data" / "linux"
INDEX: dict[str, Any] = tomllib.loads((DATA / "index.toml").read_text())
CASES: dict[str, Any] = {
    case["name"]: case for case in tomllib.loads((ROOT / "data" / "oracles" / "cases.toml").read_text())["case"]
}
MEASURED = [name for name in CASES if (DATA / f"{name}.parquet").is_file()]
#: Of a full data packet, in bytes: on the wire and of payload.
PACKET, PAYLOAD = 1500, 1448


ORACLES: dict[str, Any] = tomllib.loads((ROOT / "data" / "oracles" / "cases.toml").read_text())
OPENINGS: dict[str, Any] = {opening["name"]: opening for opening in ORACLES["opening"]}
PACKETS: list[dict[str, Any]] = pq.read_table(DATA / "openings.parquet").to_pylist()
#: Of logs in which every packet is.
WHOLE = [name for name, opening in OPENINGS.items() if "every_ms" not in opening]
#: A delivery is late by what the guest does just then: a few of a thousand by up to that much, all of them
#: by less than that mean. The first SYN-ACK leaves late by code that runs for the first time.
LATE_NS, MEAN_LATE_NS, FIRST_LATE_NS = 500_000, 2_000, 1_000_000


def of(name: str, **wanted: object) -> list[dict[str, Any]]:
    """The packets of an opening that have these values."""
    rows = [row for row in PACKETS if row["case"] == name]
    return [row for row in rows if all(row[key] == value for key, value in wanted.items())]


def flags(row: dict[str, Any]) -> set[str]:
    return set(row["flags"].split())


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(str(ROOT / "tools" / "linux_traces"))
    yield importlib.import_module("machine")
    sys.modules.pop("machine", None)
    sys.modules.pop("tables", None)
    sys.modules.pop("openings", None)


def test_the_files_are_those_of_the_index() -> None:
    found = {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in DATA.glob("*.parquet")}
    assert found == INDEX["files"]


def test_every_run_is_there_or_said_to_be_absent() -> None:
    totals = pq.read_table(DATA / "totals.parquet").to_pylist()
    there = {(row["case"], row["controller"]) for row in totals}
    absent = {(row["case"], row["controller"]) for row in INDEX["absent"]}
    everything = {
        (name, controller)
        for name, case in CASES.items()
        for controller in case.get("controllers", INDEX["controllers"])
    }
    assert not there & absent
    assert there | absent == everything


@pytest.mark.parametrize("name", MEASURED)
def test_a_trace_keeps_to_what_the_path_allows(name: str) -> None:
    """Bounds that hold for every controller: of headers, of the line, of the queue and of the round trip."""
    case = CASES[name]
    trips_ms = [rtt for _, rtt in case.get("rtt_steps", [])] or [case["rtt_ms"]]
    line = case["rate_mbit_s"] * 1e6 / 8 * PAYLOAD / PACKET * case["seconds"]
    for row in pq.read_table(DATA / "totals.parquet", filters=[("case", "==", name)]).to_pylist():
        assert 0 < row["bytes_acked"] <= line, row
        assert row["max_queue_packets"] <= case["queue_packets"], row
    rows = pq.read_table(DATA / f"{name}.parquet").to_pylist()
    assert {row["time_ms"] for row in rows} == set(range(0, case["seconds"] * 1000 + 1, 100))
    for row in rows:
        # RTTs by TCP's timestamps have whole milliseconds
        assert row["min_rtt_us"] > min(trips_ms) * 1000 - 1000, row
        assert row["in_flight"] >= 0, row


def test_renos_sawtooth_has_the_period_of_its_arithmetic() -> None:
    """W grows by one packet in each round trip from half of B + Q to B + Q, and halves (RFC 5681)."""
    case = CASES["20m-100ms"]
    chosen = [("case", "==", "20m-100ms"), ("controller", "==", "reno")]
    begins = [row["begin_us"] for row in pq.read_table(DATA / "episodes.parquet", filters=chosen).to_pylist()][2:]
    serialisation_s = PACKET * 8 / (case["rate_mbit_s"] * 1e6)
    rtt_s = case["rtt_ms"] / 1000 + serialisation_s
    largest = round(rtt_s / serialisation_s) + case["queue_packets"]
    rounds = [max(rtt_s, window * serialisation_s) for window in range(largest // 2, largest + 1)]
    # and one round more, in which the loss is repaired
    period_s = sum(rounds) + largest * serialisation_s
    assert len(begins) >= 3
    for first, second in itertools.pairwise(begins):
        assert (second - first) / 1e6 == pytest.approx(period_s, rel=0.01)


def test_every_opening_is_there() -> None:
    assert {row["case"] for row in PACKETS} == OPENINGS.keys()
    assert INDEX["openings"]["absent"] == []


@pytest.mark.parametrize("name", WHOLE)
def test_packets_arrive_when_a_fifo_queue_lets_them(name: str) -> None:
    """A queue computed anew from lengths and departures: max(arrival, last end) + length / rate, then half an RTT."""
    opening = OPENINGS[name]
    half, free, starts, late = opening["rtt_ms"] * 500_000, 0, [], []
    for row in of(name):
        if row["sent_by"] == "receiver":
            if row["fate"] == "arrived":
                late.append(row["arrived_ns"] - row["sent_ns"] - half)
            continue
        now = row["sent_ns"]
        waiting = sum(start > now for start in starts)
        if row["fate"] == "lost by list":
            continue
        assert waiting == row["queue_packets"], row
        assert (row["fate"] == "lost in queue") == (free > now and waiting >= opening["queue_packets"]), row
        if row["fate"] == "lost in queue":
            continue
        starts = [*(start for start in starts if start > now), max(now, free)]
        free = max(now, free) + row["ip_length"] * 8_000 // opening["rate_mbit_s"]
        if row["ecn_sent"] != "not-ect" and waiting >= opening.get("mark_above_packets", 10**9):
            assert row["ecn_arrived"] == "ce", row
        else:
            assert row["ecn_arrived"] == row["ecn_sent"], row
        if row["fate"] == "arrived":
            late.append(row["arrived_ns"] - free - half)
    assert min(late) >= 0
    assert max(late) < LATE_NS
    assert sum(late) / len(late) < MEAN_LATE_NS


@pytest.mark.parametrize("name", OPENINGS)
def test_headers_are_those_of_their_options(name: str) -> None:
    """IP 20 and TCP 20 (RFC 9293); timestamps take 12 (RFC 7323), SACK 4 + 8 for each block (RFC 2018)."""
    for row in of(name):
        header = row["ip_length"] - row["payload"]
        if "SYN" in flags(row):
            words = row["options"].split()
            assert words[:4] == ["mss=1460", "sackok", "ts", words[3]]
            # RFC 7413: a cookie of 8 bytes, or the wish for one, with padding
            assert header == 60 + {"tfo=8": 12, "tfo=0": 4}.get(words[-1], 0), row
        else:
            blocks = row["sacks"].split() if row["sacks"] else []
            assert header == 52 + (4 + 8 * len(blocks) if blocks else 0), row


@pytest.mark.parametrize("name", OPENINGS)
def test_a_syn_ack_comes_one_round_trip_after_the_syn(name: str) -> None:
    opening = OPENINGS[name]
    arrived = [row for row in of(name, sent_by="sender", flags="SYN") if row["fate"] == "arrived"]
    answers = [row for row in of(name, sent_by="receiver") if flags(row) >= {"SYN", "ACK"} and row["fate"] == "arrived"]
    if opening.get("lost_syn_acks"):
        return  # its own timer repeats the SYN-ACK: below
    first_ns = opening["rtt_ms"] * 1_000_000 + 60 * 8_000 // opening["rate_mbit_s"]
    begun = arrived or [row for row in of(name, sent_by="sender") if "SYN" in flags(row)]
    assert 0 <= answers[0]["arrived_ns"] - begun[0]["sent_ns"] - first_ns < FIRST_LATE_NS


@pytest.mark.parametrize(("name", "losses"), [("syn-lost", 1), ("two-syns-lost", 2), ("four-syns-lost", 4)])
def test_a_lost_syn_is_repeated_after_a_second_and_then_twice_as_long(name: str, losses: int) -> None:
    """RFC 6298: RTO 1 s before the first sample, doubled. The kernel's timer wheel adds an eighth at most."""
    sent_s = [row["sent_ns"] / 1e9 for row in of(name, sent_by="sender", flags="SYN")]
    assert len(sent_s) == losses + 1
    for number, (first, second) in enumerate(itertools.pairwise(sent_s)):
        assert 2**number <= second - first < 2**number * 1.125


@pytest.mark.parametrize(
    ("name", "segments"),
    [
        *(("endless", 10), ("transfer-100", 10), ("syn-lost", 10), ("syn-ack-lost", 10), ("two-syn-acks-lost", 10)),
        *(("two-syns-lost", 1), ("four-syns-lost", 1)),
    ],
)
def test_the_first_window_has_ten_segments_unless_two_syns_were_lost(name: str, segments: int) -> None:
    """RFC 6928; section 2 of it, and RFC 6298 (5.7): less after a SYN was lost. Linux minds the second one."""
    rows = of(name)
    first_ack = min(
        row["arrived_ns"] for row in rows if row["sent_by"] == "receiver" and (row["acknowledged"] or 0) > 1
    )
    assert sum(row["payload"] > 0 and row["sent_ns"] < first_ack for row in rows) == segments


@pytest.mark.parametrize("name", WHOLE)
def test_a_sender_keeps_to_the_windows(name: str) -> None:
    """Nothing beyond acknowledgement + window (RFC 9293), nor more than cwnd in flight while nothing is lost."""
    rows = of(name)
    acks = sorted(of(name, sent_by="receiver", fate="arrived"), key=lambda row: row["arrived_ns"])
    lossless = all(row["fate"] in {"arrived", "on the way"} for row in rows)
    reached, edge, number, connection = 1, 0, 0, 0
    for row in (row for row in rows if row["sent_by"] == "sender" and row["payload"] and "SYN" not in flags(row)):
        if row["connection"] != connection:
            reached, edge, connection = 1, 0, row["connection"]
        while number < len(acks) and acks[number]["arrived_ns"] <= row["sent_ns"]:
            if acks[number]["connection"] == connection:
                reached = max(reached, acks[number]["acknowledged"])
                edge = max(edge, acks[number]["acknowledged"] + acks[number]["window"])
            number += 1
        end = row["sequence"] + row["payload"]
        assert end <= edge, row
        if lossless:
            # a last segment with FIN may go beyond cwnd
            assert end - reached <= (row["cwnd"] + ("FIN" in flags(row))) * PAYLOAD, row


@pytest.mark.parametrize("name", [name for name in WHOLE if "lost" not in name])
def test_a_receiver_acknowledges_every_second_segment_and_waits_40_ms_at_most(name: str) -> None:
    """RFC 1122 section 4.2.3.2; 40 ms is the kernel's least delay (a tick of 4 ms more, since it counts ticks)."""
    rows = of(name)
    horizon = rows[-1]["sent_ns"] - 50_000_000
    newest = rows[-1]["connection"]
    arrivals = sorted(
        (row for row in of(name, sent_by="sender", connection=newest, fate="arrived") if row["payload"]),
        key=lambda row: row["arrived_ns"],
    )
    acks = of(name, sent_by="receiver", connection=newest)
    for first, third in zip(arrivals, [*arrivals[2:], None, None], strict=False):
        if first["arrived_ns"] > horizon:
            break
        end = first["sequence"] + first["payload"]
        answer = next((row for row in acks if row["sent_ns"] >= first["arrived_ns"]), None)
        assert answer is not None
        assert answer["sent_ns"] - first["arrived_ns"] < 44_000_000, first
        if third is not None:
            assert answer["sent_ns"] < third["arrived_ns"], first
        assert answer["acknowledged"] >= end or any(row["fate"] == "lost in queue" for row in rows), first


@pytest.mark.parametrize("name", ["ecn-cubic", "ecn-dctcp"])
def test_ecn_is_negotiated_and_echoed(name: str) -> None:
    """RFC 3168 section 6.1: SYN with ECE and CWR, SYN-ACK with ECE; ECE after CE, CWR once the sender has seen ECE."""
    syn, answer, *rest = of(name)
    assert flags(syn) == {"SYN", "ECE", "CWR"}
    assert flags(answer) == {"SYN", "ACK", "ECE"}
    marked = min(row["arrived_ns"] for row in rest if row["ecn_arrived"] == "ce" and row["arrived_ns"])
    echoes = [row for row in rest if row["sent_by"] == "receiver" and "ECE" in flags(row)]
    reduced = [row for row in rest if row["sent_by"] == "sender" and "CWR" in flags(row)]
    assert 0 <= echoes[0]["sent_ns"] - marked < LATE_NS
    assert 0 <= reduced[0]["sent_ns"] - echoes[0]["arrived_ns"] < LATE_NS
    assert {row["ecn_sent"] for row in rest if row["payload"]} == {"ect0"}


def test_a_pause_takes_the_window_back_to_ten_segments() -> None:
    """RFC 5681 section 4.1; `keep` is tcp_slow_start_after_idle = 0."""
    for name, segments in (("pause", 10), ("pause-keep-window", 20)):
        later = [row for row in of(name, sent_by="sender") if row["sent_ns"] > 4e9 and row["payload"]]
        in_one = [row for row in later if row["sent_ns"] - later[0]["sent_ns"] < 50_000_000]
        assert len(in_one) == segments


@pytest.mark.parametrize("name", ["default-window", "default-window-100m-100ms", "default-window-10m-600ms"])
def test_a_default_window_grows_from_64_kb_to_half_of_the_buffer(name: str) -> None:
    """Half of tcp_rmem's third number, 6 MiB, is window (tcp_adv_win_scale 1)."""
    windows = [row["window"] for row in of(name, sent_by="receiver")]
    assert windows[0] == 65_160
    assert max(windows) <= 6 * 2**20 // 2
    if name != "default-window":
        assert max(windows) > 0.99 * 6 * 2**20 // 2


def test_the_kernel_gives_an_opening_again(machine: Any, tmp_path: Path) -> None:
    needs.require("gcc", "qemu", "kernel")
    made = machine.build(machine.OPENINGS)
    openings = importlib.import_module("openings")
    log = tmp_path / "log"
    made.run(OPENINGS["transfer-3"], "cubic", log)
    rows = [dict(zip(openings.TABLE.names, row, strict=True)) for row in openings.read(log, OPENINGS["transfer-3"])]
    is_now = machine.digest(made.initrd.read_bytes())
    again(rows, of("transfer-3"), same_guest=is_now == INDEX["openings"]["initrd_sha256"])


def test_the_driver_names_what_is_not_known(monkeypatch: pytest.MonkeyPatch, machine: Any) -> None:
    monkeypatch.setattr(machine.shutil, "which", lambda _: None)
    assert "qemu-system-x86" in machine.missing()
    with pytest.raises(machine.TraceError, match=r"apt-get install .*qemu-system-x86"):
        machine.build()
