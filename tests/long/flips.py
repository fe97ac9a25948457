# SPDX-License-Identifier: MIT OR Apache-2.0
"""Flip bytes in stored files, and count how reading them ends: `make flips` makes a thousand flips.

A store, a shared store, a run folder and the tables of a sweep are damaged with one flip at a time. All their readers
read them, and the flip is undone. The result may be unchanged, or an error with one of our codes. A number may change
without an error only in Parquet files, because their pages have no checksums here.
"""

from __future__ import annotations

import contextlib
import hashlib
import io
import json
import random
import shutil
import sys
import tempfile
import warnings
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import matplotlib.pyplot as plt

import bentpipe as bp
from bentpipe.base.tables import TABLES
from bentpipe.show.viewer import page, scene
from small_sweeps import table

RUN = """
name = "kept"
duration = "1 s"
network.dumbbell = { rate = "2 Mbit/s", rtt = "40 ms", queue = "10 packets" }
flows = [{ controller = "reno" }, { controller = "cubic", start = "200 ms" }]
record.packets = true
"""
#: Errors that are allowed for a damaged file.
CODES = {"folder-damaged", "folder-cut-off", "folder-not-a-run", "folder-occupied", "folder-unwritable"}
DOCUMENT = table(**{"flows.controller": ["reno", "cubic"], "network.dumbbell.rate": ["5 Mbit/s", "6 Mbit/s"]})


@dataclass
class Kept:
    """A stored result, and functions that read it.

    Attributes:
        name: Name of the result.
        files: The files whose bytes are flipped.
        read: Function that reads the whole result and returns it as text.
        reset: Function that removes what a read leaves, so that the next read reads again.
    """

    name: str
    files: list[Path]
    read: Callable[[], str]
    reset: Callable[[], object] = lambda: None


def digest(result: bp.Sweep) -> str:
    """Return the tables of a sweep as text."""
    return hashlib.sha256("".join(str(one.to_csv()) for one in (result.runs, result.flows)).encode()).hexdigest()


def lay(place: Path) -> list[Kept]:
    """Make all stored results, undamaged, in an empty folder."""
    bp.sweep(DOCUMENT, out=place / "sweep")
    bp.sweep(DOCUMENT, store=f"{place / 'shared'}/")
    bp.run(RUN, out=place / "run")
    (place / "copy").mkdir()
    store, copy = place / "sweep" / "runs.store", place / "copy" / "runs.store"

    def local() -> str:
        shutil.copy(store, copy)
        return digest(bp.sweep(DOCUMENT, store=copy, threads=1))

    def shared() -> str:
        return digest(bp.sweep(DOCUMENT, store=f"{place / 'shared'}/", threads=1))

    def run() -> str:
        found = bp.load(place / "run")
        said = [json.dumps(found.summary), found.scenario, *(str(found._tables(name).to_csv()) for name in TABLES)]
        plt.close(found.plot())
        found.report(place / "page.html")
        made = scene.of_runs([found])
        page.document(made)
        for buffer in made.buffers.values():
            buffer.made()
        return hashlib.sha256("".join(said).encode()).hexdigest()

    def tables() -> str:
        found = bp.load_sweep(place / "sweep")
        for figure in found.plots().values():
            plt.close(figure)
        found.report(place / "page.html")
        return digest(found)

    shared_files = {file: file.read_bytes() for file in (place / "shared").iterdir()}

    def reset() -> None:
        for file in (place / "shared").iterdir():
            if file not in shared_files:
                file.unlink()

    return [
        Kept("store", [store], local),
        Kept("shared store", sorted(shared_files), shared, reset),
        Kept("run folder", sorted(one for one in (place / "run").iterdir() if one.is_file()), run),
        Kept("sweep", [place / "sweep" / "runs.parquet", place / "sweep" / "flows.parquet"], tables),
    ]


def faults(found: dict[str, Counter[str]]) -> str:
    """Return what a flip must not do: cause an error of another kind, or change a number despite a checksum."""
    codes = {code for counted in found.values() for code in counted} - CODES - {"same", "differs"}
    silent = [kind for kind, counted in found.items() if "store" in kind and counted["differs"]]
    return "; ".join(
        [*(f"error {code}" for code in sorted(codes)), *(f"other numbers from: {kind}" for kind in silent)]
    )


def flip(count: int, seed: int, place: Path) -> dict[str, Counter[str]]:
    """Flip bytes, equally often in each file of each stored result.

    Returns:
        For each kind of file, how often reading ended in which way: ``same``, ``differs``, or the code of an error.
        Another exception is raised unchanged, with the flip in a note.
    """
    chance = random.Random(seed)  # noqa: S311 - damage, not secrets
    kept = lay(place)
    stray: list[object] = []
    sys.unraisablehook, before = stray.append, sys.unraisablehook
    try:
        return _flipped(count, chance, kept, stray)
    finally:
        sys.unraisablehook = before


def _flipped(count: int, chance: random.Random, kept: list[Kept], stray: list[object]) -> dict[str, Counter[str]]:
    found: dict[str, Counter[str]] = {}
    with warnings.catch_warnings(action="ignore"), contextlib.redirect_stderr(io.StringIO()):
        right = [one.read() for one in kept]
        for number in range(count):
            one, expected = kept[number % len(kept)], right[number % len(kept)]
            file = chance.choice(one.files)
            held = file.read_bytes()
            bad = bytearray(held)
            at, change = chance.randrange(len(held)), 1 << chance.randrange(8)
            bad[at] ^= change
            file.write_bytes(bad)
            try:
                outcome = "same" if one.read() == expected else "differs"
            except bp.BentpipeError as error:
                outcome = error.code
            except Exception as error:
                error.add_note(f"flip {number}: {one.name}, {file.name}, byte {at} ^ {change}")
                raise
            finally:
                file.write_bytes(held)
                one.reset()
            assert not stray, f"a traceback after flip {number}: {one.name}, {file.name}, byte {at} ^ {change}: {stray}"
            kind = f"{one.name}, {file.suffix or file.name}"
            found.setdefault(kind, Counter())[outcome] += 1
    return found


def main() -> int:
    """Make flips and print the counts and the seed."""
    count, seed = int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 1
    with tempfile.TemporaryDirectory() as place:
        found = flip(count, seed, Path(place))
    outcomes = ["same", "differs", *sorted({code for one in found.values() for code in one} - {"same", "differs"})]
    width = max(map(len, found))
    sys.stdout.write(f"{'':{width}}  {'  '.join(outcomes)}\n")
    for kind, counted in sorted(found.items()):
        sys.stdout.write(f"{kind:{width}}  {'  '.join(f'{counted[one]:>{len(one)}}' for one in outcomes)}\n")
    wrong = faults(found)
    sys.stdout.write(f"{wrong or 'no flip in a store changed a number, and every error has a code of damage'}\n")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
