# SPDX-License-Identifier: MIT OR Apache-2.0
"""The same scenario and seed give the same bytes, on any number of threads."""

from __future__ import annotations

from pathlib import Path

import bentpipe as bp
from project import ROOT

NAMES = ("iridium-isl-bottleneck.toml", "geo-cubic.toml", "dumbbell.toml")
FILES = [ROOT / "scenarios" / name for name in NAMES]


def _bytes(folder: Path) -> dict[str, bytes]:
    return {str(file.relative_to(folder)): file.read_bytes() for file in sorted(folder.rglob("*")) if file.is_file()}


def _runs(place: Path, threads: int) -> dict[str, bytes]:
    for file in FILES:
        bp.compare(file, ["hybla-im", "cubic"], seeds=(1, 2), duration="6 s", out=place / file.stem, threads=threads)
    return _bytes(place)


def test_folders_are_byte_identical(tmp_path: Path) -> None:
    first, again, parallel = (_runs(tmp_path / str(i), threads) for i, threads in enumerate((1, 1, 2)))
    assert len(first) >= len(FILES) * 4 * 5
    assert first == again
    assert first == parallel


def test_seeds_differ() -> None:
    one, other = (bp.run(FILES[0], seed=seed, duration="6 s").summary["totals"] for seed in (1, 2))
    assert one != other


def test_pictures_and_reports_are_byte_identical(tmp_path: Path) -> None:
    run = bp.run(FILES[2], duration="2 s")
    first, again = (run.report(tmp_path / f"{i}.html").read_bytes() for i in range(2))
    assert first == again
    assert b"http://" not in first.replace(b"http://www.w3.org/", b"").replace(b"http://purl.org/", b"").replace(
        b"http://creativecommons.org/", b""
    )
    # The only script enlarges pictures, and is part of the page.
    assert first.count(b"<script>") == first.count(b"<script") == 1
    assert b"src=" not in first
