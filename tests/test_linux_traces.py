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

ROOT = Path(__file__).resolve().parent.parent
DATA = ROOT / "data" / "linux"
INDEX: dict[str, Any] = tomllib.loads((DATA / "index.toml").read_text())
CASES: dict[str, Any] = {
    case["name"]: case for case in tomllib.loads((ROOT / "data" / "oracles" / "cases.toml").read_text())["case"]
}
MEASURED = [name for name in CASES if (DATA / f"{name}.parquet").is_file()]
#: Of a full data packet, in bytes: on the wire and of payload.
PACKET, PAYLOAD = 1500, 1448
SHORT = {"name": "short", "rate_mbit_s": 10, "rtt_ms": 40, "queue_packets": 33, "seconds": 2, "lost_packets": [300]}


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(str(ROOT / "tools" / "linux_traces"))
    yield importlib.import_module("machine")
    sys.modules.pop("machine", None)
    sys.modules.pop("tables", None)


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


@pytest.mark.skipif("20m-100ms" not in MEASURED, reason="data/linux has no 20m-100ms yet")
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


def test_a_kernel_repeats_itself_to_the_byte_and_keeps_the_case(machine: Any, tmp_path: Path) -> None:
    if packages := machine.missing():
        pytest.skip(f"no real kernel is run: not installed: {' '.join(packages)}")
    if not list(machine.CACHE.glob(f"{machine.PACKAGE}_*.deb")):
        pytest.skip("no real kernel is run: its package was not fetched yet (`python tools/linux_traces --list` does)")
    made = machine.build()
    logs = [tmp_path / "first.log", tmp_path / "second.log"]
    for log in logs:
        made.run(SHORT, "reno", log)
    assert logs[0].read_bytes() == logs[1].read_bytes()

    tables = importlib.import_module("tables")
    trace = tables.read(logs[0], "short", "reno")
    (total,) = (dict(zip(tables.TOTALS.names, row, strict=True)) for row in trace.totals)
    assert total["dropped_listed"] == 1
    assert total["max_queue_packets"] <= SHORT["queue_packets"]
    assert total["data_segments_sent"] == total["data_packets"], "the sending host lost packets itself"
    first = dict(zip(tables.ROWS.names, trace.rows[0], strict=True))
    # of the SYN, 60 bytes long
    assert first["srtt_us"] == pytest.approx(SHORT["rtt_ms"] * 1000, rel=0.02)
    assert 0 <= total["mean_lateness_ns"] < 20_000


def test_the_driver_names_what_is_not_known(monkeypatch: pytest.MonkeyPatch, machine: Any) -> None:
    monkeypatch.setattr(machine.shutil, "which", lambda _: None)
    assert "qemu-system-x86" in machine.missing()
    with pytest.raises(machine.TraceError, match=r"apt-get install .*qemu-system-x86"):
        machine.build()
