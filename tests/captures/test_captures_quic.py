# SPDX-License-Identifier: MIT OR Apache-2.0
"""Captures of QUIC flows: Wireshark decrypts them with the secrets in the file, and its numbers equal the run's."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING

import pytest

import bentpipe as bp
from sharks import shark, tshark

if TYPE_CHECKING:
    from pathlib import Path

QUIC = """
name = "quic"
duration = "5 s"
network.dumbbell = { rate = "20 Mbit/s", rtt = "100 ms", loss = { per = 0.01 } }

[[flows]]
name = "bulk"
transport = "quic"
controller = "cubic"
size = "1 MB"
"""


#: Packets with a STREAM frame (RFC 9000, section 19.8).
STREAMS = "quic.stream.stream_id"


WEB = """
name = "web"
duration = "8 s"
network.dumbbell = { rate = "20 Mbit/s", rtt = "100 ms", queue = "2 BDP", loss = { per = 0.01 } }

[[flows]]
name = "web"
kind = "web"
transport = "quic"
controller = "cubic"
access = { rate = "1 Gbit/s", delay = "5 ms" }
page = { objects = 4, size = "30 kB" }
arrivals = { law = "regular", rate = 1 }
stop = "4 s"

# A proxy in a scenario needs a TCP flow that it can split.
[[flows]]
name = "tcp"
controller = "reno"
access = { rate = "1 Gbit/s", delay = "5 ms" }
size = "10 kB"
start = "7 s"
"""


def run(folder: Path, more: str = "", **options: str) -> bp.Run:
    """Make the run with captures at both ends."""
    return bp.run(QUIC + more, out=folder, pcap=["bulk"], **options)


@tshark
def test_wireshark_decrypts_every_packet(tmp_path: Path) -> None:
    made = run(tmp_path / "r")
    flow = made.summary["flows"][0]
    sender = next(file for file in made.captures if "sender" in file.name)
    assert shark(sender, "quic.decryption_failed") == []
    streams = shark(sender, STREAMS, "ip.src")
    assert {row[0] for row in streams} == {"10.0.0.1"}
    # All packets with data request an acknowledgement. Other packets that request one probe the MTU, or contain frames
    # of the connection.
    assert 0.97 * flow["sent_packets"] < len(streams) <= flow["sent_packets"]
    # Each lost packet is missing at the receiver.
    receiver = next(file for file in made.captures if "receiver" in file.name)
    arrived = shark(receiver, STREAMS, "ip.src")
    lost = flow["losses"]["queue"] + flow["losses"]["error"]
    assert 0 <= len(streams) - len(arrived) <= lost
    assert lost > 0


@tshark
def test_null_keys_leave_the_handshake_readable(tmp_path: Path) -> None:
    made = run(tmp_path / "r", 'quic = { keys = "null" }\n')
    sender = next(file for file in made.captures if "sender" in file.name)
    # ClientHello (RFC 8446, section 4).
    assert shark(sender, "tls.handshake.type", "tls.handshake.type")[0] == ["1"]


@tshark
def test_an_application_has_a_port_for_each_connection_and_whole_datagrams(tmp_path: Path) -> None:
    made = bp.run(WEB, out=tmp_path / "r", pcap=["web"])
    flow = made.summary["flows"][0]
    visits, quic, losses = flow["visits"], flow["quic"], flow["losses"]
    assert visits
    assert quic
    counts = {}
    for file in made.captures:
        fields = ("ip.src", "udp.srcport", "udp.dstport", "udp.length", "frame.len", "frame.cap_len")
        rows = shark(file, "frame", *fields)
        server = {row[0] for row in rows if row[1] == "443"}
        assert server == {"10.0.0.1"}
        # The servers have the port of HTTPS (RFC 9114, section 3.1). Each page has a dynamic port (RFC 6335, section
        # 6).
        users = {(source, port) for source, port, to, *_ in rows if to == "443"}
        assert {source for source, _ in users} == {"10.128.0.1"}
        assert all(49152 <= int(port) <= 65535 for _, port in users)
        assert len(users) == visits["begun"] == 4
        # The IPv4 header has 20 bytes. The UDP length includes its header of 8 bytes. No packet is cut.
        assert all(int(size) + 20 == int(frame) == int(kept) for *_, size, frame, kept in rows)
        # The longest datagram belongs to a full packet.
        assert max(int(row[3]) for row in rows) == quic["datagram_bytes"] + 8
        # Each page has one TLS connection, and the file contains the secrets of all connections.
        assert len(shark(file, "tls.handshake.type == 1")) == 4
        assert shark(file, "quic.decryption_failed") == []
        counts["sender" in file.name] = sum(row[0] == "10.0.0.1" for row in rows)
    assert counts[True] - counts[False] == losses["queue"] + losses["error"] > 0


def test_an_application_over_quic_passes_proxies_unsplit() -> None:
    split = bp.run(
        WEB.replace("[[flows]]", '[[peps]]\nat = ["left", "right"]\nbuffer = "1 MB"\n\n[[flows]]', 1)
    ).summary
    whole = bp.run(WEB).summary
    assert {part["name"].split(" ")[0] for part in split["parts"]} == {"tcp"}
    note = 'flow "web" uses QUIC, so the proxy at "left" and "right" does not split it'
    assert split["provenance"]["path_notes"] == [note]
    assert split["flows"][0] == whole["flows"][0]
    assert split["flows"][1] != whole["flows"][1]


def test_captures_repeat_byte_for_byte(tmp_path: Path) -> None:
    digests = [
        [hashlib.sha256(file.read_bytes()).hexdigest() for file in run(tmp_path / name).captures] for name in ("a", "b")
    ]
    assert digests[0] == digests[1]


def test_a_snap_shortens_quic_packets(tmp_path: Path) -> None:
    made = bp.run(QUIC + '[record]\nsnap = "80 B"\n', out=tmp_path / "r", pcap=["bulk"])
    whole = run(tmp_path / "s")
    assert sum(file.stat().st_size for file in made.captures) < sum(file.stat().st_size for file in whole.captures) / 4


def test_a_session_with_quic_says_that_it_cannot_fork() -> None:
    session = bp.Session(QUIC)
    session.step("1 s")
    with pytest.raises(bp.BentpipeError, match="a QUIC connection cannot be copied"):
        session.fork()


def test_the_library_logs_its_connection(tmp_path: Path) -> None:
    made = bp.run(QUIC, out=tmp_path / "r", qlog=["bulk"])
    flow = made.summary["flows"][0]
    (file,) = (tmp_path / "r" / "captures").glob("*.sqlog")
    # A sequence of JSON texts (RFC 7464).
    events = [json.loads(text) for text in file.read_text().split("\x1e") if text.strip()][1:]
    lost = [event for event in events if event["name"] == "quic:packet_lost"]
    assert len(lost) == flow["losses_detected"] > 0
    sent = [event["time"] for event in events if event["name"] == "quic:packet_sent"]
    # Times are in milliseconds from the start of the run.
    assert sent[0] == 0.0
    assert sent[-1] / 1e3 <= flow["completed_at_s"]
