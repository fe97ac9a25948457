# SPDX-License-Identifier: MIT OR Apache-2.0
"""The stored traces of ns-2 match their index. If ns-2 is installed, it gives the same traces again."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest

import needs
from project import ROOT

STORED = ROOT / "data" / "ns2"
TOOL = ROOT / "tools" / "ns2_traces"
INDEX = tomllib.loads((STORED / "index.toml").read_text(encoding="utf-8"))
#: The shortest case, and an agent of each kind.
CASE, AGENTS = "100m-30ms-losses", ["linux-cubic", "sack1"]


def sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def test_every_file_has_its_digest() -> None:
    assert {path.name: sha256(path) for path in STORED.glob("*.parquet")} == INDEX["files"]


def test_the_scripts_are_those_that_ran() -> None:
    found = {path.name: sha256(path) for path in TOOL.glob("*.tcl")}
    assert found == INDEX["scripts"], "a script has changed since the traces were made: make ns2-traces"


def test_every_case_that_ns2_can_express_is_there() -> None:
    beyond = {"mark_above_packets", "paced", "super_packets"}
    cases = tomllib.loads((ROOT / "data" / "oracles" / "cases.toml").read_text(encoding="utf-8"))["case"]
    for case in cases:
        if beyond & case.keys():
            continue
        trace = pq.read_table(STORED / f"{case['name']}.parquet")
        flows = case.get("flows_start_s", [0])
        samples = sum(round(10 * (case["seconds"] - start)) + 1 for start in flows)
        counts = pc.value_counts(trace["agent"].combine_chunks().dictionary_decode())
        assert {row["counts"] for row in counts.to_pylist()} == {samples}, case["name"]
        assert pc.max(trace["queue_packets"]).as_py() <= case["queue_packets"]
        assert pc.max(trace["time_ms"]).as_py() == 1000 * case["seconds"]


def test_the_list_loses_the_packets_it_names() -> None:
    """cases.toml counts from 1 over all data packets, including retransmissions: seven of every 5000 are lost."""
    totals = pq.read_table(STORED / "totals.parquet").to_pylist()
    lost = [400, 1400, 2400, 3400, 4400, 4402, 4405]
    for line in totals:
        if line["case"] == "20m-100ms-losses" and line["drops_queue"] == 0:
            whole, rest = divmod(line["segments_sent"], 5000)
            named = len(lost) * whole + sum(number <= rest for number in lost)
            assert line["drops_listed"] == named, line["agent"]


def test_syns_of_ns2_are_repeated_after_three_seconds_and_then_twice_as_long() -> None:
    """The 3 s of RFC 1122, doubled (RFC 6298): 3, 9 and 21 s, for agents with a handshake."""
    rows = pq.read_table(STORED / "openings.parquet", filters=[("case", "==", "three-syns-lost")]).to_pylist()
    for agent in ("sack1", "newreno"):
        syns = [row for row in rows if row["agent"] == agent and row["sent_by"] == "sender" and row["number"] == 0]
        assert [row["sent_ns"] for row in syns] == [0, 3 * 10**9, 9 * 10**9, 21 * 10**9]
        assert [row["ip_length"] for row in syns] == [40] * 4
        assert [row["fate"] for row in syns] == ["lost by list"] * 3 + ["arrived"]


def test_packets_of_ns2_arrive_when_the_line_lets_them() -> None:
    """The queue is computed again: each packet leaves after the one before it, plus 50 ms. Every ACK takes 50 ms."""
    rows = pq.read_table(STORED / "openings.parquet").to_pylist()
    free, run = 0.0, None
    for row in rows:
        if run != (row["case"], row["agent"], row["window"]):
            run, free = (row["case"], row["agent"], row["window"]), 0.0
        if row["sent_by"] == "receiver":
            begin, rate = row["sent_ns"], 10_000
        elif row["fate"].startswith("lost"):
            continue
        else:
            begin, rate = max(row["sent_ns"], free), 20
            free = begin + row["ip_length"] * 8_000 / rate
        if row["fate"] == "arrived":
            # ns-2 prints times with at least a microsecond of precision.
            assert abs(row["arrived_ns"] - begin - row["ip_length"] * 8_000 / rate - 50_000_000) < 2_000, row


def test_a_window_of_twenty_gives_twenty_packets_in_each_round_trip() -> None:
    """20 packets per 100.4 ms, without the SYN's round trip, packets in flight at the end, and first 2, 4, 8, 16."""
    for row in pq.read_table(STORED / "as-it-comes.parquet").to_pylist():
        if row["window"] == 20 and row["agent"] in {"sack1", "newreno", "linux-reno", "linux-cubic"}:
            length = 1050 if row["agent"].startswith("linux") else 1040
            trips = row["seconds"] / (0.1 + length * 8 / 20e6)
            assert 20 * (trips - 2) - (18 + 16 + 12 + 4) <= row["acknowledged"] < 20 * trips
            assert row["drops_queue"] == row["timeouts"] == row["retransmissions"] == 0
        assert row["goodput_mbit_s"] == pytest.approx(row["acknowledged"] * 8e-3 / row["seconds"])


def test_ns2_gives_a_stored_trace_again(tmp_path: Path) -> None:
    needs.require("ns2")
    command = [sys.executable, TOOL, "--cases", CASE, "--agents", ",".join(AGENTS), "--out", tmp_path, "--fresh"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    made_with = tomllib.loads((tmp_path / "index.toml").read_text(encoding="utf-8"))["package"]
    for name in (CASE, "totals"):
        stored = pq.read_table(STORED / f"{name}.parquet").to_pylist()
        wanted = [row for row in stored if row["agent"] in AGENTS and row.get("case", CASE) == CASE]
        made = pq.read_table(tmp_path / f"{name}.parquet").to_pylist()
        assert made == wanted, f"stored: of {INDEX['package']}; here: {made_with}"


def test_without_ns2_the_error_says_what_to_install(tmp_path: Path) -> None:
    environment = {**os.environ, "PATH": str(tmp_path)}
    command = [sys.executable, TOOL, "--out", tmp_path / "out"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    assert done.returncode == 2
    assert "apt-get install ns2" in done.stderr
    assert not (tmp_path / "out").exists()
