# SPDX-License-Identifier: MIT OR Apache-2.0
"""Captures of applications: each connection, as tshark reads it, is compared with the visits of the run."""

from __future__ import annotations

from collections import Counter, defaultdict
from pathlib import Path

import pytest

import bentpipe as bp
from sharks import shark, sound, tshark

LOSSY = """
name = "lossy applications"
duration = "12 s"
network.dumbbell = { rate = "10 Mbit/s", rtt = "100 ms", queue = "40 packets", loss = { per = 5e-3 } }
record.snap = "65535 B"
"""
TRANSFERS = """
[[flows]]
kind = "transfers"
controller = "cubic"
size = { law = "exponential", mean = "30 kB" }
arrivals = { law = "poisson", rate = 8 }
stop = "6 s"
tcp = TCP
"""
#: Reports that tshark must not make for a host: an ACK for data that the file does not contain, or a full window.
NEVER = "tcp.analysis.ack_lost_segment || tcp.analysis.window_full || tcp.analysis.zero_window"


@tshark
@pytest.mark.parametrize("tcp", ['{ preset = "linux" }', '{ preset = "rfc", ecn = true, setup = "fast-open" }'])
def test_each_transfer_is_a_connection_with_its_bytes(tcp: str, tmp_path: Path) -> None:
    run = bp.run(LOSSY + TRANSFERS.replace("TCP", tcp), out=tmp_path / "r", pcap=["transfers"])
    (flow,) = run.summary["flows"]
    users = tmp_path / "r" / "captures" / "transfers.receiver.pcapng"
    servers = tmp_path / "r" / "captures" / "transfers.sender.pcapng"
    assert sound(users, "tcp", "ip")
    assert sound(servers, "tcp", "ip")
    # Each connection has its own port. The last ACK of its user covers the bytes that the user requested. (Raw numbers
    # are used, because tshark counts from the first number that it sees if the SYN is missing.)
    fields = ("tcp.stream", "tcp.srcport", "tcp.dstport", "tcp.ack_raw", "tcp.flags.syn")
    rows = shark(users, "ip.src == 10.128.0.1", *fields)
    ports = defaultdict(set)
    heard: dict[str, int] = defaultdict(int)
    for stream, source, destination, acknowledged, syn in rows:
        assert destination == "9"
        ports[stream].add(source)
        if syn in ("0", "False"):
            heard[stream] = max(heard[stream], int(acknowledged) - 1)
    visits = run.visits.arrow.to_pylist()
    assert len(ports) == len(visits) == flow["visits"]["begun"] > 30
    assert len(set.union(*ports.values())) == len(ports)
    assert flow["visits"]["unfinished"] == 0
    assert Counter(heard.values()) == Counter(row["bytes"] for row in visits)
    # Packets that the servers or the users sent again.
    again = "tcp.analysis.retransmission || tcp.analysis.out_of_order"
    served = shark(servers, f"({again}) && tcp.len > 0 && ip.src == 10.0.0.1")
    assert len(served) == flow["retransmitted_packets"] > 0
    asked = shark(users, f"({again}) && tcp.len > 0 && tcp.flags.syn == 0 && ip.src == 10.128.0.1")
    if "fast-open" not in tcp:
        assert len(asked) == flow["visits"]["requests"]["retransmitted_packets"]
    for file in (users, servers):
        assert shark(file, NEVER) == []


@tshark
def test_pages_have_six_connections_each(tmp_path: Path) -> None:
    text = (
        LOSSY.replace("5e-3", "0").replace('record.snap = "65535 B"\n', "")
        + '[[flows]]\nkind = "web"\ncontroller = "cubic"\nusers = 2\nthink = "1 s"\nstop = "6 s"\n'
        'page = { objects = 30, size = "20 kB", protocol = "http1" }\ntls = true\ntcp.preset = "linux"\n'
        '[record]\npcap_links = ["left > right"]\nsnap = "65535 B"\nipv6 = true\n'
    )
    run = bp.run(text, out=tmp_path / "r")
    (file,) = run.captures
    assert sound(file, "tcp")
    rows = shark(file, "tcp.flags.syn == 1 && frame.interface_id == 0", "tcp.stream", "tcp.seq_raw")
    pages = run.visits.arrow.to_pylist()
    # Each page has six connections. On this link they can be counted by the answers to their SYN.
    assert len({stream for stream, _ in rows}) == 6 * len(pages)
    assert len(pages) >= 4
    # The servers send all bytes of a page, and 4 kB of certificates on each connection.
    sent = sum(int(row[0]) for row in shark(file, "frame.interface_id == 0", "tcp.len"))
    assert sent == sum(row["received_bytes"] for row in pages)
    assert all(row["ended_s"] is not None for row in pages)
    assert shark(file, "tcp.analysis.zero_window || tcp.analysis.ack_lost_segment") == []


def test_a_qlog_is_of_one_sender(tmp_path: Path) -> None:
    with pytest.raises(bp.ScenarioError, match=r"many connections, but a qlog describes one sender"):
        bp.run(LOSSY + TRANSFERS.replace("TCP", '{ preset = "linux" }'), out=tmp_path / "r", qlog=["transfers"])
