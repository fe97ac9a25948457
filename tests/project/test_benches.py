# SPDX-License-Identifier: MIT OR Apache-2.0
"""`make bench`: its blocks exist, its tables are read from what the programs print, and a peer cannot hang it."""

from __future__ import annotations

import importlib
import json
import re
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from types import ModuleType

ROOT = Path(__file__).parent.parent.parent
BENCHES = ROOT / "benches"

#: Output of divan 0.1.21: a group with arguments and throughput, and a benchmark without arguments.
DIVAN = """\
Timer precision: 20 ns
engine                  fastest       │ slowest       │ median        │ mean          │ samples │ iters
├─ dumbbell_by_flows                  │               │               │               │         │
│  ├─ 1                 1.351 ms      │ 2.038 ms      │ 1.402 ms      │ 1.421 ms      │ 100     │ 100
│  │                    36.99 Mitem/s │ 24.52 Mitem/s │ 35.65 Mitem/s │ 35.17 Mitem/s │         │
│  ╰─ 100               2.351 ms      │ 3.038 ms      │ 2.402 ms      │ 2.421 ms      │ 100     │ 100
│                       26.99 Mitem/s │ 14.52 Mitem/s │ 25.65 Mitem/s │ 25.17 Mitem/s │         │
╰─ walker               6.599 µs      │ 12.21 µs      │ 6.899 µs      │ 7.021 µs      │ 100     │ 400
"""

CONTROLLERS = """\
state in bytes, and where 100 000 ACKs leave the window:
  floor                  0 B      400.0 segments, none
  reno                 224 B      512.3 segments, congestion avoidance

time per ACK:
controllers  fastest       │ slowest       │ median        │ mean          │ samples │ iters
╰─ ack                     │               │               │               │         │
   ├─ floor  9.9 ns        │ 12.1 ns       │ 10.25 ns      │ 10.3 ns       │ 100     │ 102400
   ╰─ reno   29.9 ns       │ 1.1 µs        │ 0.03025 µs    │ 31 ns         │ 100     │ 102400
"""

#: A program of the benchmarks that finishes: one line of JSON.
FINISHES = """\
#!{python}
print('{{"scenario": "S1", "delivered_segments": 1000, "packet_hops": 3000, "cpu_s": 0.5, "peak_rss_bytes": 5000000,'
      ' "simulated_s": 300, "version": "1"}}')
"""
HANGS = "#!{python}\nwhile True:\n    pass\n"


@pytest.fixture
def measure(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(BENCHES)
    return importlib.import_module("measure")


def program(file: Path, text: str) -> str:
    file.write_text(text.format(python=sys.executable))
    file.chmod(0o755)
    return str(file)


def test_every_part_has_a_block_and_a_line_in_the_list(measure: ModuleType) -> None:
    page = measure.README.read_text()
    names = {part.name for part in measure.PARTS}
    assert set(re.findall(r"<!-- begin: ([\w-]+) -->", page)) == names
    head, _, _ = page.partition("\n## ")
    assert set(re.findall(r"`([\w-]+)`", " ".join(re.findall(r"^\| (`.*?) \|", head, re.MULTILINE)))) == names
    assert "<!-- begin: speed -->" in measure.DESIGN.read_text()


def test_the_program_of_every_part_exists(measure: ModuleType) -> None:
    targets = re.findall(r'\[\[bench\]\]\nname = "(\w+)"', (BENCHES / "native" / "Cargo.toml").read_text())
    native = {part.command[-1] for part in measure.PARTS if part.command[0] == "cargo"}
    assert native == set(targets)
    scripts = [Path(part.command[1]) for part in measure.PARTS if part.command[0] != "cargo"]
    assert [file for file in scripts if not file.exists()] == []


def test_a_table_is_read_from_divan(measure: ModuleType) -> None:
    assert measure.divan_table(DIVAN).splitlines()[2:] == [
        "| dumbbell_by_flows, 1 | 1.351 ms | 1.402 ms | 2.038 ms | 35.65 Mitem/s |",
        "| dumbbell_by_flows, 100 | 2.351 ms | 2.402 ms | 3.038 ms | 25.65 Mitem/s |",
        "| walker | 6.599 µs | 6.899 µs | 12.21 µs |  |",
    ]
    assert measure.controllers_table(CONTROLLERS).splitlines()[2:] == ["| reno | 30.2 | 20.0 | 224 |"]


@pytest.mark.parametrize(
    "page", ["", "<!-- begin: a -->", "<!-- begin: a --><!-- end --><!-- begin: a --><!-- end -->"]
)
def test_a_page_without_one_block_is_refused(measure: ModuleType, page: str) -> None:
    with pytest.raises(importlib.import_module("programs").BenchError, match="one block `<!-- begin: a -->"):
        measure.with_block(page, "a", "new")


def test_a_failed_part_keeps_its_block_and_the_others_are_measured(
    measure: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    page = tmp_path / "page.md"
    page.write_text("<!-- begin: bad -->old<!-- end -->\n<!-- begin: good -->old<!-- end -->\n")
    parts = [measure.Part("bad", ("false",)), measure.Part("good", ("echo", "| a table |"))]
    monkeypatch.setattr(measure, "README", page)
    monkeypatch.setattr(measure, "PARTS", parts)
    monkeypatch.setattr(sys, "argv", ["measure.py"])
    assert measure.main() == 1
    assert "<!-- begin: bad -->old<!-- end -->" in page.read_text()
    assert "| a table |" in page.read_text()
    assert "not measured:\nbad: false ended with 1" in capfd.readouterr().err


def saved(folder: Path, name: str, date: str, **run: object) -> None:
    figures = {"cpu_s": 0.5, "simulated_s": 10.0, "peak_rss_bytes": 5e6, "packet_hops": 1e6, **run}
    folder.mkdir(exist_ok=True)
    (folder / f"{name}.json").write_text(json.dumps({"date": date, "machine": f"machine of {name}", "runs": [figures]}))


def test_the_table_of_the_design_has_the_dates_of_its_figures(measure: ModuleType, tmp_path: Path) -> None:
    saved(tmp_path, "scenarios", "2026-01-02", scenario="S1", kind="full")
    saved(tmp_path, "constellations", "2026-03-04", rate="1 Mbit/s", hypatia_cpu_s=None)
    *said, _, _, _, scenario, constellation = measure.design_block(tmp_path).splitlines()
    assert said == [
        "*Measured: scenarios on 2026-01-02: machine of scenarios;",
        "constellations on 2026-03-04: machine of constellations.*",
    ]
    assert scenario == "| S1 | 0.05 | 5 | 2 | - |"
    assert constellation == "| Kuiper-630, 100 flows, 1 Mbit/s | 0.05 | 5 | 2 | - |"


def test_a_table_without_all_figures_keeps_the_list_of_failures(
    measure: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """In a fresh clone, the part `scenarios` alone saves no figures of constellations."""
    page, design = tmp_path / "page.md", tmp_path / "DESIGN.md"
    page.write_text("<!-- begin: bad -->old<!-- end -->\n<!-- begin: scenarios -->old<!-- end -->\n")
    design.write_text("<!-- begin: speed -->old<!-- end -->\n")
    monkeypatch.setattr(measure, "README", page)
    monkeypatch.setattr(measure, "DESIGN", design)
    monkeypatch.setattr(measure, "SAVED", tmp_path / "benches")
    saved(tmp_path / "benches", "scenarios", "2026-01-02", scenario="S1", kind="full")
    parts = [measure.Part("bad", ("false",)), measure.Part("scenarios", ("echo", "| a table |"))]
    monkeypatch.setattr(measure, "PARTS", parts)
    monkeypatch.setattr(sys, "argv", ["measure.py"])
    assert measure.main() == 1
    said = capfd.readouterr().err
    assert "not measured:\nbad: false ended with 1\nDESIGN.md: the table also needs the part constellations" in said
    assert design.read_text() == "<!-- begin: speed -->old<!-- end -->\n"
    assert "| a table |" in page.read_text()


def test_a_peer_that_does_not_finish_is_ended_and_reported(tmp_path: Path) -> None:
    ours, peer = program(tmp_path / "ours", FINISHES), program(tmp_path / "peer", HANGS)
    command = [sys.executable, str(BENCHES / "run.py"), "--bentpipe", ours, "--peer", peer, "--peer-limit", "1"]
    done = subprocess.run([*command, "--scenarios", "S1,S2"], capture_output=True, text=True, check=True)
    rows = [line for line in done.stdout.splitlines() if line.startswith("| S")]
    assert [row.split(" | ")[0] for row in rows] == ["| S1", "| S2", "| S1", "| S2"]
    assert all("not finished after 1 s | more than 2 |" in row for row in rows[2:])
    assert done.stderr.count("did not finish within 1 s of CPU time") == 2
