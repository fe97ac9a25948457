# SPDX-License-Identifier: MIT OR Apache-2.0
"""What Linux's cake does with waiting acknowledgements, header by header, as in its source.

This is an oracle for `crates/link`. It follows `cake_ack_filter()`, `cake_tcph_may_drop()` and
`cake_tcph_sack_compare()` of `net/sched/sch_cake.c` (Linux, commit 0280f429dc21) with their order and names, and not
the Rust code. Headers are bytes here, in which options are searched. The calls and their answers are in
`vectors/acks/NAME.csv`, which the tests of the link replay. `python acks_by_the_book.py` writes these files.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass, field
from pathlib import Path

from queues_by_the_book import Xoshiro

ROOT = Path(__file__).resolve().parents[2]

VECTORS = ROOT / "vectors" / "acks"
BOOKS = ("ack-filter", "ack-filter-aggressive")

ACK, PSH, SYN, ECE, CWR, AE = 0x10, 0x08, 0x02, 0x40, 0x80, 0x100
NOP, SACK, TIMESTAMP, ACCECN0 = 1, 5, 8, 172


@dataclass
class Skb:
    """A packet: its TCP header from byte 0 on, and the length of its payload."""

    number: int
    header: bytes
    payload: int = 0
    fields: dict[str, object] = field(default_factory=dict)

    @property
    def flags(self) -> int:
        return int.from_bytes(self.header[12:14]) & 0x1FF

    @property
    def ack_seq(self) -> int:
        return int.from_bytes(self.header[8:12])

    def options(self) -> list[tuple[int, bytes]]:
        found, ptr, end = [], 20, (self.header[12] >> 4) * 4
        while ptr < end:
            opcode = self.header[ptr]
            if opcode == 0:
                break
            if opcode == NOP:
                ptr += 1
                continue
            size = self.header[ptr + 1]
            found.append((opcode, self.header[ptr + 2 : ptr + size]))
            ptr += size
        return found

    def option(self, code: int) -> bytes | None:
        return next((content for opcode, content in self.options() if opcode == code), None)


def skb(
    number: int, *, ack_seq: int, tsecr: int, ecn: int, blocks: list[tuple[int, int]], kind: str, payload: int = 0
) -> Skb:
    """Return a packet as a host writes it: timestamps, SACK blocks, then other options. Not TCP: without a header."""
    shown = {"kind": kind, "number": ack_seq, "echo": tsecr, "ecn": ecn, "blocks": blocks}
    if kind == "other":
        return Skb(number, b"", payload, shown)
    options = bytes([NOP, NOP, TIMESTAMP, 10]) + struct.pack(">II", 1000 + number, tsecr)
    if blocks:
        options += bytes([NOP, NOP, SACK, 2 + 8 * len(blocks)])
        options += b"".join(struct.pack(">II", *block) for block in blocks)
    if kind == "option":
        options += bytes([ACCECN0, 8, 0, 0, 1, 0, 0, 0])
    flags = ACK | (ECE if ecn & 1 else 0) | (CWR if ecn & 2 else 0)
    words = (20 + len(options)) // 4
    header = struct.pack(">HHIIHHHH", 443, 50_000, 1, ack_seq, words << 12 | flags, 8192, 0, 0) + options
    return Skb(number, header, payload, shown)


def before(one: int, other: int) -> bool:
    return (one - other) & 0xFFFFFFFF >= 1 << 31


def after(one: int, other: int) -> bool:
    return before(other, one)


def sack_blocks(packet: Skb) -> list[tuple[int, int]]:
    content = packet.option(SACK) or b""
    return [struct.unpack_from(">II", content, at) for at in range(0, len(content) - 7, 8)]


def tcph_sack_compare(a: Skb, b: Skb) -> int:
    sack_a, sack_b = sack_blocks(a), sack_blocks(b)
    if sack_a and not sack_b:
        return -1
    if sack_b and not sack_a:
        return 1
    if not sack_a and not sack_b:
        return 0
    bytes_a = bytes_b = 0
    first = True
    for start_a, end_a in sack_a:
        found = False
        if before(start_a, a.ack_seq):  # DSACK; always considered greater
            return -1
        bytes_a += (end_a - start_a) & 0xFFFFFFFF
        for start_b, end_b in sack_b:
            if first:
                bytes_b += (end_b - start_b) & 0xFFFFFFFF
            if not after(start_b, start_a) and not before(end_b, end_a):
                found = True
                if not first:
                    break
        if not found:
            return -1
        first = False
    return 1 if bytes_b > bytes_a else 0


def tcph_may_drop(tcph: Skb, tstamp_new: int, tsecr_new: int) -> bool:
    if tcph.flags & ~(ECE | CWR) != ACK:
        return False
    for opcode, content in tcph.options():
        if opcode == SACK:
            if (len(content) + 2) % 8 != 2:
                return False
        elif opcode == TIMESTAMP:
            tstamp, tsecr = struct.unpack(">II", content)
            if after(tstamp, tstamp_new) or after(tsecr, tsecr_new):
                return False
        else:
            return False
    return True


def ack_filter(flow: list[Skb], *, aggressive: bool) -> Skb | None:
    """Return the packet to drop. The newest packet is the last of the flow."""
    if len(flow) == 1:
        return None
    tail = flow[-1]
    if not tail.header:
        return None
    stamps = tail.option(TIMESTAMP)
    tstamp, tsecr = struct.unpack(">II", stamps) if stamps else (0, 0)
    if tail.flags & (ACK | SYN) != ACK:
        return None
    elig_ack, elig_flags, num_found = None, 0, 0
    for check in flow[:-1]:
        if not check.header:
            continue
        if elig_ack and check.flags & (ECE | CWR) != elig_flags:
            elig_ack = None
            num_found -= 1
        if not tcph_may_drop(check, tstamp, tsecr) or check.payload or after(check.ack_seq, tail.ack_seq):
            continue
        sack_comp = tcph_sack_compare(check, tail)
        if sack_comp < 0 or (check.ack_seq == tail.ack_seq and sack_comp == 0):
            continue
        if not elig_ack:
            elig_ack, elig_flags = check, check.flags & (ECE | CWR)
        num_found += 1
        if num_found > 1:
            flow.remove(elig_ack)
            return elig_ack
    if elig_ack and aggressive and flow[-2] is elig_ack and elig_flags == tail.flags & (ECE | CWR):
        flow.remove(elig_ack)
        return elig_ack
    return None


def traffic() -> list[Skb | None]:
    """Return packets of one connection, and `None` where a packet leaves: rising numbers, duplicates, holes that SACK
    reports and that close again, DSACKs, changing ECE and CWR, AccECN's option, late packets, and numbers across
    2^32."""
    chance = Xoshiro(11)
    calls: list[Skb | None] = []
    ack_seq, tsecr, ecn = (1 << 32) - 300, 5, 0
    hole: list[tuple[int, int]] = []
    for number in range(2500):
        draw = chance.random()
        if draw < 0.12 and not hole:
            hole = [((ack_seq + 3) % (1 << 32), (ack_seq + 4) % (1 << 32))]
        elif hole and draw < 0.6:
            low, high = hole[0]
            hole[0] = (low, (high + 1) % (1 << 32))
            if draw < 0.03 and len(hole) < 3:
                hole.insert(0, ((high + 3) % (1 << 32), (high + 5) % (1 << 32)))
        elif hole and draw < 0.75:
            ack_seq, hole = hole[0][1] if len(hole) == 1 else hole[-1][1], hole[:-1]
        elif not hole:
            ack_seq = (ack_seq + int(chance.random() * 3)) % (1 << 32)
        tsecr += int(chance.random() * 2)
        if chance.random() < 0.08:
            ecn = int(chance.random() * 4)
        blocks = list(hole)
        if chance.random() < 0.06:
            blocks = [((ack_seq - 2) % (1 << 32), (ack_seq - 1) % (1 << 32)), *blocks][:3]
        chosen = chance.random()
        blocks = blocks[:2] if chosen < 0.03 else blocks  # there is room for no more beside AccECN's
        kind = "option" if chosen < 0.03 else "other" if chosen < 0.04 else "ack"
        late = chance.random() < 0.03
        calls.append(
            skb(
                number,
                ack_seq=(ack_seq - 4 * late) % (1 << 32),
                tsecr=tsecr - 2 * late,
                ecn=ecn,
                blocks=blocks,
                kind=kind,
            )
        )
        calls.extend([None] * int((0.6, 1.0, 1.4)[number // 100 % 3] + chance.random()))
    return calls


def text(name: str) -> str:
    out, flow = ["call,packet,kind,number,echo,ecn,sack,answer"], list[Skb]()
    for packet in traffic():
        if packet is None:
            if flow:
                out.append(f"deque,,,,,,,{flow.pop(0).number}")
            continue
        flow.append(packet)
        gone = ack_filter(flow, aggressive=name == "ack-filter-aggressive")
        shown = packet.fields
        sack = " ".join(f"{low}-{high}" for low, high in shown["blocks"])  # type: ignore[attr-defined]
        asked = f"enque,{packet.number},{shown['kind']},{shown['number']},{shown['echo']},{shown['ecn']},{sack}"
        out.append(f"{asked},{gone.number if gone else 'nothing'}")
    return "\n".join(out) + "\n"


if __name__ == "__main__":
    VECTORS.mkdir(exist_ok=True)
    for name in BOOKS:
        (VECTORS / f"{name}.csv").write_text(text(name))
