# SPDX-License-Identifier: MIT OR Apache-2.0
"""A run writes what it records to its folder while it runs: with the same rows, and in bounded memory."""

from __future__ import annotations

import shutil
import signal
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

import bentpipe as bp
from waiting import HANG_S, heed_interrupts, until

if TYPE_CHECKING:
    from pathlib import Path

#: 200,000 samples of a flow and 400,000 samples of links. They are written in several parts.
FINE = """
duration = "200 ms"
record = { interval = "1 us" }
network.dumbbell = { rate = "10 Mbit/s", rtt = "20 ms" }
flows = [{ controller = "cubic" }]
"""
#: Prints the increase of a process's peak memory by a run, in kB.
PEAK = """
import re, sys
from bentpipe import _core
# Not `ru_maxrss`: that begins with the parent's.
peak = lambda: int(re.search(r"VmHWM:\\s+(\\d+) kB", open("/proc/self/status").read())[1])
before = peak()
_core.run(_core.Job(open("fine.toml").read(), "fine.toml", out=sys.argv[1] or None, duration="400 ms"))
print(peak() - before)
"""


def test_a_long_table_is_the_same_in_its_folder(tmp_path: Path) -> None:
    kept = bp.run(FINE)
    written = bp.run(FINE, out=tmp_path / "run")
    again = bp.load(tmp_path / "run")
    assert len(kept.flows) == 200_000
    assert len(kept.links) == 400_000
    for name in ("flows", "links", "paths"):
        table = getattr(kept, name).arrow.combine_chunks()
        for run in (written, again):
            other = getattr(run, name).arrow
            assert other.schema.equals(table.schema, check_metadata=True), name
            for column in table.column_names:
                assert other[column].to_pylist() == table[column].to_pylist(), (name, column)


def test_a_long_table_is_never_that_of_another_run(tmp_path: Path) -> None:
    """A long table exists only in the folder. If the folder now contains another run, its table is refused."""
    run = bp.run(FINE, out=tmp_path / "run")
    bp.run(FINE, out=tmp_path / "run", seed=2, force=True)
    with pytest.raises(
        bp.RunError, match=r"`links` of this run .* which now holds something else \(make the run again\)"
    ):
        _ = run.links
    shutil.rmtree(tmp_path / "run")
    with pytest.raises(bp.RunError, match="no longer exists"):
        _ = run.links
    assert len(run.paths) == 2, "what is short is kept"


@pytest.mark.parametrize("end", [signal.SIGINT, signal.SIGKILL], ids=lambda end: end.name)
def test_a_run_that_ends_while_its_tables_grow(tmp_path: Path, end: signal.Signals) -> None:
    (tmp_path / "fine.toml").write_text(FINE)
    before = bp.run(FINE, out=tmp_path / "r", duration="1 ms")
    words = ["run", "fine.toml", "--out", "r", "--force", "--duration", "1 h", "--costly"]
    command = [sys.executable, "-m", "bentpipe", *words]
    process = subprocess.Popen(command, cwd=tmp_path, stderr=subprocess.DEVNULL, preexec_fn=heed_interrupts)
    grown = tmp_path / ".r.partial" / "links.parquet"
    until(lambda: grown.exists() and grown.stat().st_size > 1_000_000, process)
    process.send_signal(end)
    process.wait(HANG_S)
    assert bp.load(tmp_path / "r").scenario == before.scenario
    if end is signal.SIGINT:
        assert process.returncode == 130
        assert not grown.parent.exists()
    else:
        with pytest.raises(bp.RunError, match="folder"):
            bp.load(grown.parent)
    again = bp.run(FINE, out=tmp_path / "r", duration="1 ms")
    assert again.flows["time_s"] == before.flows["time_s"]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["fine.toml", "r"]


def test_memory_does_not_grow_with_what_is_written(tmp_path: Path) -> None:
    (tmp_path / "fine.toml").write_text(FINE)

    def peak_kb(out: str) -> int:
        command = [sys.executable, "-c", PEAK, out]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=HANG_S, check=True)
        return int(done.stdout)

    # 400,000 rows have 18 columns, and 800,000 rows have 10 columns.
    assert peak_kb("") > 140_000
    assert peak_kb("run") < 90_000
