# SPDX-License-Identifier: MIT OR Apache-2.0
"""Queue disciplines of the kernel: instructions for the guest (netlink messages), and tables from the guest's log."""

from __future__ import annotations

import struct
import sys
import tomllib
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import machine
import newer
import pyarrow as pa
import tables
from machine import CACHE, ROOT, TraceError

if TYPE_CHECKING:
    from pathlib import Path

sys.path.insert(0, str(ROOT / "tests"))
from queues_by_the_book import ECN_NAMES, RATE, traffic

TABLE, NEWER_TABLE = "disciplines.parquet", "dualpi2.parquet"
CASES = ROOT / "data" / "oracles" / "disciplines.toml"
#: The guest's TUN device, the token bucket with its only class, and the discipline.
DEVICE, ROOT_HANDLE, ROOT_CLASS, HANDLE = 2, 0x10000, 0x10001, 0x20000
#: The bucket holds one packet of the largest size that the device accepts (queues.c).
BURST = 1514
NEW_QDISC, NEW_CLASS = 36, 40
GNET_STATS_QUEUE, GNET_STATS_APP = 3, 4
OPTIONS, NESTED = 2, 0x8000
#: Flags of a request that creates an object and expects an answer.
FLAGS = 0x1 | 0x4 | 0x400
AT_ROOT = 0xFFFFFFFF
#: The kernel's numbers of attributes (linux/pkt_sched.h).
ATTRIBUTES = {
    "codel": {"target": 1, "limit": 2, "interval": 3, "ecn": 4},
    "fq_codel": {"target": 1, "limit": 2, "interval": 3, "ecn": 4, "flows": 5, "quantum": 6},
    "pie": {"target": 1, "limit": 2, "tupdate": 3, "alpha": 4, "beta": 5, "ecn": 6, "dq_rate_estimator": 8},
    "fq": {"quantum": 3, "initial_quantum": 4},
    "dualpi2": {
        "limit": 1,
        "target": 3,
        "tupdate": 4,
        "alpha": 5,
        "beta": 6,
        "step_packets": 7,
        "step_us": 8,
        "min_qlen_step": 9,
        "c_protection": 13,
    },
}
#: Attributes of one byte. All other attributes have four bytes.
BYTES = {"c_protection"}
#: RED's flags, by our names for them.
RED_FLAGS = {"ecn": 1, "harddrop": 2}
#: The part of struct tc_pie_xstats that is read, and the value that means a probability of one.
PIE_STATS, ONE = "=QII", 1 << 64
#: The part of struct tc_dualpi2_xstats that is read, and the value that means a probability of one.
DUALPI2_STATS, DUALPI2_ONE = "=8Ii", (1 << 32) - 1
#: Disciplines that only the newer kernel has.
NEWER = {"dualpi2"}
#: Modules outside of the archive of all cases, because stored traces of other cases depend on the bytes of that
#: archive.
OWN_MODULES = "red", "pie", "fq", "sfq"
FIFOS = "pfifo", "bfifo", "pfifo_head_drop"
BUILT_IN = (*FIFOS, "fq_codel")
#: tc's default: interactive traffic (priority 6) is served first, best effort (priority 0) second.
PRIOMAP = bytes([1, 2, 2, 2, 1, 2, 0, 0, *[1] * 8])
INTERACTIVE = 6
#: Time after the last packet, in ms, in which waiting packets can leave.
END_MS = 300

PACKETS = pa.schema(
    [
        ("case", pa.dictionary(pa.int8(), pa.string())),
        ("packet", pa.int32()),
        ("sender", pa.int8()),
        ("size", pa.int16()),
        ("ecn_sent", pa.dictionary(pa.int8(), pa.string())),
        ("due_ns", pa.int64()),
        ("offered_ns", pa.int64()),
        ("left_ns", pa.int64()),
        ("ecn_left", pa.dictionary(pa.int8(), pa.string())),
        ("refused", pa.bool_()),
    ]
)
PROBABILITIES = pa.schema(
    [
        ("case", pa.dictionary(pa.int8(), pa.string())),
        ("at_ns", pa.int64()),
        ("probability", pa.float64()),
        ("delay_us", pa.int32()),
        ("rate", pa.int32()),
    ]
)
DUALPI2_STATES = pa.schema(
    [
        ("case", pa.dictionary(pa.int8(), pa.string())),
        ("at_ns", pa.int64()),
        ("probability", pa.float64()),
        *((name, pa.int32()) for name in ("delay_c_us", "delay_l_us", "packets_c", "packets_l")),
        *((name, pa.int32()) for name in ("most_packets", "marks", "step_marks", "credit")),
    ]
)


def cases() -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = tomllib.loads(CASES.read_text())["discipline"]
    return found


def attribute(kind: int, data: bytes) -> bytes:
    return struct.pack("=HH", 4 + len(data), kind) + data + b"\0" * (-len(data) % 4)


def message(kind: int, handle: int, parent: int, name: str, options: bytes) -> str:
    """Return a netlink message (struct nlmsghdr, struct tcmsg, TCA_KIND, TCA_OPTIONS) as hexadecimal."""
    body = struct.pack("=BxxxiIII", 0, DEVICE, handle, parent, 0)
    body += attribute(1, name.encode() + b"\0") + attribute(OPTIONS | (NESTED if name in NEWER else 0), options)
    return (struct.pack("=IHHII", 16 + len(body), kind, FLAGS, 1, 0) + body).hex()


def bucket() -> str:
    """Return the message for tbf: struct tc_tbf_qopt, and the size of its bucket in bytes."""
    bytes_s = RATE // 8
    rate = struct.pack("=BBHhHI", 0, 1, 0, 0, 0, bytes_s)
    parameters = rate + bytes(12) + struct.pack("=III", 0, 0, 0)
    options = attribute(1, parameters) + attribute(6, struct.pack("=I", BURST))
    return message(NEW_QDISC, ROOT_HANDLE, AT_ROOT, "tbf", options)


def configuration(case: dict[str, Any]) -> list[str]:
    """Returns the messages that create the discipline."""
    kind, settings = case["kind"], case["set"]
    if kind in FIFOS:
        options = struct.pack("=I", settings["limit"])
    elif kind == "prio":
        options = struct.pack("=i", 3) + PRIOMAP
    elif kind == "red":
        options = red(settings)
    elif kind == "sfq":
        options = struct.pack("=IiIII", settings["quantum"], 0, settings["limit"], 0, 0)
    else:
        numbers = ATTRIBUTES.get(kind, {})
        options = b"".join(
            attribute(numbers[key], struct.pack("=B" if key in BYTES else "=I", settings[key]))
            for key in numbers
            if key in settings
        )
    made = [bucket(), message(NEW_QDISC, HANDLE, ROOT_CLASS, kind, options)]
    if kind == "drr":
        quantum = attribute(1, struct.pack("=I", settings["quantum"]))
        made += [message(NEW_CLASS, HANDLE + 1 + sender, HANDLE, kind, quantum) for sender in range(4)]
    return made


def red(settings: dict[str, Any]) -> bytes:
    """Return struct tc_red_qopt, idle times (zeros: below a token bucket, RED sees no idle time), and max_p."""
    flags = sum(bit for name, bit in RED_FLAGS.items() if settings.get(name))
    sizes = settings["limit"], settings["min"], settings["max"], settings["w_log"]
    parameters = struct.pack("=IIIBBBB", *sizes, 0, 0, flags)
    max_p = struct.pack("=I", round(settings["probability"] * (1 << 32)))
    return attribute(1, parameters) + attribute(2, bytes(256)) + attribute(3, max_p)


def priority(kind: str, sender: int) -> int:
    """Returns the kernel's priority of a packet, which selects the band or the class."""
    return {"prio": 0 if sender else INTERACTIVE, "drr": HANDLE + 1 + sender}.get(kind, 0)


def instructions(case: dict[str, Any]) -> str:
    """Return the content of the file /case of a guest."""
    lines = ["module sch_tbf"] + ([] if case["kind"] in BUILT_IN else [f"module sch_{case['kind']}"])
    lines += [f"netlink {one}" for one in configuration(case)]
    asked = traffic(case["stretch"], case.get("ecn"))
    end = asked[-1][0] + END_MS * 1_000_000
    events = [
        (
            at,
            f"send {at} {packet.number} {packet.size} {packet.sender} {packet.ecn} "
            f"{priority(case['kind'], packet.sender)}",
        )
        for at, packet in asked
    ]
    if "probe_us" in case:
        events += [(at, f"probe {at}") for at in range(0, end, case["probe_us"] * 1000)]
    lines += [line for _, line in sorted(events, key=lambda event: event[0])]
    return "\n".join([*lines, f"end {end}", ""])


def build(case: dict[str, Any]) -> machine.Machine:
    """Returns the machine of a case: the archive of all cases, followed by an archive with the file /case."""
    base = newer.build(machine.QUEUES) if case["kind"] in NEWER else machine.build(machine.QUEUES)
    initrd = CACHE / "disciplines" / f"{case['name']}.initrd"
    initrd.parent.mkdir(exist_ok=True)
    files = {"case": (0o100644, instructions(case).encode())}
    if case["kind"] in OWN_MODULES:
        name = f"sch_{case['kind']}.ko"
        files[f"lib/{name}"] = 0o100644, next((CACHE / "tree").rglob(name)).read_bytes()
    initrd.write_bytes(base.initrd.read_bytes() + machine.archive(files))
    return replace(base, initrd=initrd)


def place(case: dict[str, Any]) -> Path:
    """Returns the path of the log of a run, from everything that the run depends on."""
    depends = build(case).initrd.read_bytes() + " ".join((*machine.QEMU, machine.KERNEL)).encode()
    return CACHE / "disciplines" / f"{case['name']}-{machine.digest(depends)[:12]}.log"


def run(case: dict[str, Any], log: Path) -> None:
    build(case).boot(case["name"], f"case={case['name']}", log, 600)


def said(stats: bytes, wanted: int) -> bytes:
    """Returns one attribute of TCA_STATS2."""
    at = 0
    while at + 4 <= len(stats):
        length, number = struct.unpack_from("=HH", stats, at)
        if number & 0x3FFF == wanted:
            return stats[at + 4 : at + length]
        at += length + -length % 4
    raise TraceError("the kernel says nothing of the queue")


def counted(stats: bytes) -> tuple[int, int]:
    """Returns the kernel's counts of waiting and dropped packets: struct gnet_stats_queue."""
    packets, _, drops = struct.unpack_from("=III", said(stats, GNET_STATS_QUEUE))
    return packets, drops


def stats(log: Path) -> list[tuple[int, bytes]]:
    """Returns the statistics of the discipline, each time they were read."""
    lines = (line.split(",") for line in log.read_text().splitlines())
    return [
        (int(values[0]), said(bytes.fromhex(values[2]), GNET_STATS_APP))
        for kind, *values in lines
        if kind == "stats" and int(values[1], 16) == HANDLE
    ]


def pie_states(log: Path, case: dict[str, Any]) -> list[tuple[Any, ...]]:
    """Returns PIE's probability, delay and departure rate (bytes x 256 in 64 ns)."""
    rows = []
    for at, told in stats(log):
        probability, delay_us, rate = struct.unpack_from(PIE_STATS, told)
        rows.append((case["name"], at, probability / ONE, delay_us, rate))
    return rows


def dualpi2_states(log: Path, case: dict[str, Any]) -> list[tuple[Any, ...]]:
    """Returns DualPI2's base probability and its other statistics."""
    rows = []
    for at, told in stats(log):
        probability, *others = struct.unpack_from(DUALPI2_STATS, told)
        rows.append((case["name"], at, probability / DUALPI2_ONE, *others))
    return rows


#: Tables of the disciplines' statistics, by kind.
STATES = {
    "pie": ("pie.parquet", PROBABILITIES, pie_states),
    "dualpi2": ("dualpi2-states.parquet", DUALPI2_STATES, dualpi2_states),
}


def read(log: Path, case: dict[str, Any]) -> list[tuple[Any, ...]]:
    """Returns a complete log as rows of the table."""
    offered: dict[int, tuple[int, bool]] = {}
    left: dict[int, tuple[int, str]] = {}
    packets, drops = 0, -1
    for line in log.read_text().splitlines():
        kind, *values = line.split(",")
        if kind == "offered":
            offered[int(values[1])] = int(values[0]), values[2] == "1"
        elif kind == "left":
            left[int(values[1])] = int(values[0]), ECN_NAMES[int(values[2])]
        elif kind == "stats" and int(values[1], 16) == ROOT_HANDLE:
            packets, drops = counted(bytes.fromhex(values[2]))
    if packets or drops != len(offered) - len(left):
        raise TraceError(f"{case['name']}: {len(offered) - len(left)} lost, the kernel counts {drops}, {packets} wait")
    return [
        (
            *(case["name"], packet.number, packet.sender, packet.size, ECN_NAMES[packet.ecn], due),
            *(offered[packet.number][0], *left.get(packet.number, (None, None)), offered[packet.number][1]),
        )
        for due, packet in traffic(case["stretch"], case.get("ecn"))
    ]


def write(folder: Path, log: Path, case: dict[str, Any]) -> None:
    order = [case["name"] for case in cases()]
    table = NEWER_TABLE if case["kind"] in NEWER else TABLE
    tables.merge(folder / table, read(log, case), PACKETS, ["case"], order)
    if "probe_us" in case:
        name, schema, states = STATES[case["kind"]]
        tables.merge(folder / name, states(log, case), schema, ["case"], order)
