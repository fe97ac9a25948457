# SPDX-License-Identifier: MIT OR Apache-2.0
"""AccECN (RFC 9768) in a receiver's capture, as Wireshark's dissector reads it."""

from __future__ import annotations

from pathlib import Path

import pytest

import bentpipe as bp
from sharks import LOSSY, shark, tshark


@tshark
@pytest.mark.parametrize(("ecn", "codepoint", "counter"), [("accurate", 2, "ee0b"), ("accurate-l4s", 1, "ee1b")])
def test_field_and_option_count_what_came(ecn: str, codepoint: int, counter: str, tmp_path: Path) -> None:
    text = LOSSY.replace('preset = "linux"', f'preset = "linux", ecn = "{ecn}"').replace(
        'queue = "40 packets"', 'queue = { limit = "80 packets", discipline = "codel" }'
    )
    run = bp.run(text, out=tmp_path / "r", pcap=["bulk"])
    (flow,) = run.summary["flows"]
    file = tmp_path / "r" / "captures" / "bulk.receiver.pcapng"
    assert shark(file, "_ws.malformed || _ws.expert.severity == error") == []
    # Table 2: the SYN asks with three bits, and the answer reports that the SYN came without ECT. Table 3: so does the
    # third packet.
    flags = [row[0].split(",") for row in shark(file, "frame.number <= 3", "tcp.flags")]
    assert [int(one, 16) & 0x1C0 for (one,) in flags] == [0x1C0, 0x080, 0x080]
    fields = ("tcp.srcport", "ip.dsfield.ecn", "tcp.len", "tcp.flags", "tcp.options.acc_ecn.eceb")
    # Section 3.2.1: the initial values are 5 packets, no marked bytes, and one byte of the other counter.
    marks, marked, others, acks = 5, 0, 1, 0
    for port, ecn_bits, length, bits, ce_bytes, capable in shark(
        file, "frame.number > 3", *fields, f"tcp.options.acc_ecn.{counter}"
    ):
        field = (int(bits, 16) >> 6) & 7
        if port == "9":
            assert (field, int(ce_bytes), int(capable)) == (marks % 8, marked, others)
            acks += 1
            continue
        assert field == 5
        marks += ecn_bits == "3"
        marked += int(length) * (ecn_bits == "3")
        others += int(length) * (ecn_bits == str(codepoint))
    assert marks - 5 == flow["marked_packets"] > 0
    assert acks > 1000
    assert flow["reported_marks"] <= flow["marked_packets"]
