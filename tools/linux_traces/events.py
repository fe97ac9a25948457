# SPDX-License-Identifier: MIT OR Apache-2.0
"""Events of connections: the cases of data/oracles/events.toml on both kernels, as tables of data/linux."""

from __future__ import annotations

import tomllib
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import machine
import newer
import pyarrow as pa
import tables

if TYPE_CHECKING:
    from pathlib import Path

CASES = machine.ROOT / "data" / "oracles" / "events.toml"
#: The kernels, by their names in the tables.
KERNELS = "6.1", "7.2"
#: Part of a receiver's buffer that is window: half of it (tcp_adv_win_scale). Since Linux 6.6, it is the measured
#: payload part of a packet's memory (scaling_ratio, in 256ths).
SHARE = {"6.1": 0.5, "7.2": 157 / 256}
NAME = pa.dictionary(pa.int8(), pa.string())
KEYS = [("kernel", NAME), ("case", NAME), ("controller", NAME)]
#: Schema of the rows of a case. The timeout replaces the column of marks.
ROWS = pa.schema(
    [
        *KEYS,
        *(field for field in tables.ROWS if field.name not in {"controller", "delivered_ce"}),
        ("rto_us", pa.int32()),
        ("data_segments_sent", pa.int32()),
        ("dropped", pa.int32()),
    ]
)
EPISODES = pa.schema([("kernel", NAME), *tables.EPISODES])
AGAIN = pa.schema([*KEYS, ("flow", pa.int8()), ("time_us", pa.int64()), ("segment", pa.int32())])
TRANSFERS = pa.schema(
    [
        *KEYS,
        ("flow", pa.int8()),
        ("number", pa.int8()),
        ("begun_us", pa.int64()),
        ("arrived_us", pa.int64()),
        ("acked_us", pa.int64()),
        ("first_round", pa.int32()),
    ]
)
COUNTERS = pa.schema([*KEYS, ("counter", pa.string()), ("value", pa.int64())])
TOTALS = pa.schema([("kernel", NAME), *(field for field in tables.TOTALS if field.name != "marked")])
TOTALS_FILE = "events-totals.parquet"
#: The tables, by file.
FILES = {
    "events.parquet": ROWS,
    "events-episodes.parquet": EPISODES,
    "events-again.parquet": AGAIN,
    "events-transfers.parquet": TRANSFERS,
    "events-counters.parquet": COUNTERS,
    TOTALS_FILE: TOTALS,
}


def cases() -> list[dict[str, Any]]:
    """Return the cases, in the order of the file."""
    found: list[dict[str, Any]] = tomllib.loads(CASES.read_text())["case"]
    return found


def kernels(case: dict[str, Any]) -> tuple[str, ...]:
    """Return the kernels on which a case is measured."""
    return KERNELS if case.get("newer") else KERNELS[:1]


def words(kernel: str, case: dict[str, Any], controller: str) -> str:
    """Return the case in the form that the guest program reads."""

    def joined(rows: list[list[float]]) -> str:
        return ",".join(f"{first:.9g}:{second:.9g}" for first, second in rows)

    both = "beside" in case
    rtts = [case["rtt_ms"], case.get("beside_rtt_ms", case["rtt_ms"])][: 1 + both]
    said = {
        "controllers": ",".join([controller, case["beside"]] if both else [controller]),
        "starts": ",".join(f"{start:g}" for start in [0, case.get("beside_start_s", 0)][: 1 + both]),
        "rtts": ",".join(f"{rtt:g}" for rtt in rtts),
        "rate": f"{case['rate_mbit_s'] * 1_000_000:.0f}",
        "seconds": f"{case['seconds']:g}",
        "queue": case["queue_packets"],
        "buffer": round(window(case) / SHARE[kernel]),
    }
    lists = {"delays": "extra_delay", "silent": "silent_s", "holds": "holds_s", "send": "transfers"}
    said |= {name: joined(case[key]) for name, key in lists.items() if key in case}
    if "jitter_ms" in case:
        said |= {"jitter": f"{case['jitter_ms']:g}", "stream": case["jitter_stream"]}
    switches = {"overtake": "overtake", "both": "both_ways", "keep": "keep_window"}
    said |= {name: 1 for name, key in switches.items() if case.get(key)}
    if not case.get("timestamps", True):
        said["plain"] = 1
    return " ".join(f"{name}={value}" for name, value in said.items())


def window(case: dict[str, Any]) -> int:
    """Return the receiver's largest window in bytes. The default is six times the capacity of path and queue."""
    if "window_bytes" in case:
        return int(case["window_bytes"])
    rtt_ms: float = max(case["rtt_ms"], case.get("beside_rtt_ms", 0))
    rtt_ms += max((delay for _, delay in case.get("extra_delay", [])), default=0)
    return round(6 * (float(case["rate_mbit_s"]) * 1000 * rtt_ms / 8 + int(case["queue_packets"]) * machine.PACKET))


def runs(kernel: str, kind: str) -> list[tuple[dict[str, Any], str]]:
    """Return the runs of one boot: the cases of a kind, each with its controllers."""
    return [
        (case, controller)
        for case in cases()
        if case["kind"] == kind and kernel in kernels(case)
        for controller in case["controllers"]
    ]


def boots() -> list[tuple[str, str]]:
    """Returns kernel and kind of each boot."""
    kinds = dict.fromkeys(case["kind"] for case in cases())
    return [(kernel, kind) for kind in kinds for kernel in KERNELS if runs(kernel, kind)]


def instructions(kernel: str, kind: str) -> str:
    """Returns the instructions of the guest, a line for each run."""
    return "".join(f"{words(kernel, case, controller)}\n" for case, controller in runs(kernel, kind))


def build(kernel: str, kind: str) -> machine.Machine:
    """Returns a kernel with the guest for events and its list of runs."""
    base = machine.build(machine.EVENTS) if kernel == KERNELS[0] else newer.build(machine.EVENTS)
    listed = machine.archive({"runs": (0o100644, instructions(kernel, kind).encode())})
    initrd = base.initrd.with_name(f"{base.initrd.name}-{kind}")
    initrd.write_bytes(base.initrd.read_bytes() + listed)
    return replace(base, initrd=initrd)


def place(kernel: str, kind: str) -> Path:
    """Returns the path of the log of a boot, from everything that the boot depends on."""
    return build(kernel, kind).place_of(f"events/{kernel}-{kind}", "")


def run(kernel: str, kind: str, log: Path) -> None:
    """Makes one boot. `log` appears when it is complete."""
    seconds = sum(float(case["seconds"]) for case, _ in runs(kernel, kind))
    build(kernel, kind).boot(f"{kind}, {kernel}", "", log, 600 + 20 * seconds)


def read(log: Path, kernel: str, kind: str) -> dict[str, list[tuple[Any, ...]]]:
    """Read a complete log, and return the rows of each file."""
    found: dict[str, list[tuple[Any, ...]]] = {name: [] for name in FILES}
    named = iter(runs(kernel, kind))
    keys, common = ("", "", ""), [0] * 4
    flows: list[list[int]] = []
    for line in log.read_text().splitlines():
        what, *text = line.split(",")
        if what == "run":
            case, controller = next(named)
            keys, flows = (kernel, case["name"], controller), []
            continue
        if what == "counter":
            found["events-counters.parquet"].append((*keys, text[0], int(text[1])))
            continue
        if what in {"error", "end"}:
            continue
        values = [int(value) for value in text]
        if what == "row":
            flow, *rest = values
            rest[11] = bool(rest[11])
            rto = rest.pop(14)
            found["events.parquet"].append((*keys, flow, *rest[:15], rto, *rest[15:]))
        elif what == "episode":
            flow, state, *rest = values
            found["events-episodes.parquet"].append((*keys, flow, tables.KINDS[state], *rest))
        elif what == "again":
            found["events-again.parquet"].append((*keys, *values))
        elif what == "transfer":
            found["events-transfers.parquet"].append((*keys, *values))
        elif what == "flow":
            flows.append(values)
        elif what == "totals":
            common = values
        elif what == "guest":
            for flow, acked, sent, established in flows:
                found[TOTALS_FILE].append((*keys, flow, established, acked, sent, *common, *values[2:4]))
    return found


def write(folder: Path, found: dict[str, list[tuple[Any, ...]]]) -> None:
    """Writes runs into the files, in the order of the cases."""
    order = [*KERNELS, *(case["name"] for case in cases())]
    fresh = {row[:3] for row in found[TOTALS_FILE]}
    for name, schema in FILES.items():
        tables.merge(folder / name, found[name], schema, ["kernel", "case", "controller"], order, fresh)
