#!/usr/bin/env python3
# SPDX-License-Identifier: MIT OR Apache-2.0
"""Checks whether two builds write the same run folders, byte for byte, except for their provenance.

Use this for a change that must keep all results: run `write` with the build before and with the build after the change.

    .venv/bin/python tools/run_folders.py write out/before
    .venv/bin/python tools/run_folders.py write out/after --like out/before
    .venv/bin/python tools/run_folders.py compare out/before out/after

`write` runs every scenario of the repository, and scenarios that the fuzzer draws from the schema. `--like` takes the
drawn scenarios from a folder that another build wrote, because a changed schema draws other scenarios.
"""

from __future__ import annotations

import argparse
import json
import shutil
import sys
from pathlib import Path
from random import Random

import pyarrow as pa
import pyarrow.parquet as pq

import bentpipe as bp

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests" / "long"))

#: Virtual time of each run, in s. A scenario or warm-up that needs another duration keeps that duration.
DURATION_S = 12
#: Number of scenarios drawn from the schema.
DRAWN = 400
#: Key of the provenance in the metadata of a table.
PROVENANCE = b"bentpipe"


def draw(folder: Path) -> None:
    """Writes the texts of the drawn scenarios."""
    from fuzz.draw import Draw, accepted

    for number in range(DRAWN):
        document = Draw(Random(f"run folders {number}")).document()
        (folder / f"drawn-{number:03}.toml").write_text(accepted(document))


def write(out: Path, like: Path | None) -> None:
    """Runs all scenarios into folders below OUT/runs. If a scenario is refused, the reason is stored instead."""
    from fuzz.draw import TRACES

    texts, runs = out / "drawn", out / "runs"
    if out.exists():
        sys.exit(f"error: {out} is there already; remove it, or name another folder")
    runs.mkdir(parents=True)
    if like is None:
        texts.mkdir()
        draw(texts)
    else:
        shutil.copytree(like / "drawn", texts, symlinks=True)
    for trace in TRACES.values():
        if not (texts / trace).exists():
            (texts / trace).symlink_to(ROOT / "data" / trace)
    own = [*(ROOT / "scenarios").rglob("*.toml"), *(ROOT / "benches" / "scenarios").glob("*.toml")]
    for file in [*sorted(own), *sorted(texts.glob("*.toml"))]:
        is_own = file.is_relative_to(ROOT) and texts not in file.parents
        name = str(file.relative_to(ROOT if is_own else texts)).replace("/", "-").removesuffix(".toml")
        try:
            try:
                bp.run(file, out=runs / name, duration=f"{DURATION_S} s" if is_own else None)
            except bp.ScenarioError:
                # The scenario may contain a time after the shortened end.
                bp.run(file, out=runs / name)
        except bp.BentpipeError as error:
            (runs / f"{name}.txt").write_text(f"{error.code}\n{error}".replace(str(texts), "").replace(str(ROOT), ""))
        sys.stdout.write(".")
        sys.stdout.flush()
    sys.stdout.write("\n")


def meaning(file: Path) -> bytes:
    """Returns the content of a file of a run, without its provenance."""
    if file.name == "summary.json":
        summary = json.loads(file.read_bytes())
        del summary["provenance"]
        return json.dumps(summary).encode()
    if file.suffix == ".parquet":
        table = pq.read_table(file)
        metadata = {key: value for key, value in (table.schema.metadata or {}).items() if key != PROVENANCE}
        sink = pa.BufferOutputStream()
        with pa.ipc.new_stream(sink, table.schema.with_metadata(metadata)) as stream:
            stream.write_table(table.replace_schema_metadata(metadata).combine_chunks())
        return bytes(sink.getvalue())
    return file.read_bytes()


def compare(before: Path, after: Path) -> int:
    """Prints the differences. Returns the number of files that differ."""
    files = sorted(
        {str(file.relative_to(side / "runs")) for side in (before, after) for file in (side / "runs").rglob("*.*")}
    )
    differ = 0
    for name in files:
        one, other = (side / "runs" / name for side in (before, after))
        if one.is_dir() or other.is_dir():
            continue
        if not (one.exists() and other.exists()):
            differ += 1
            sys.stdout.write(f"{name}: only {'before' if one.exists() else 'after'}\n")
        elif meaning(one) != meaning(other):
            differ += 1
            sys.stdout.write(f"{name}: differs\n")
    refused = sum(name.endswith(".txt") and "/" not in name for name in files)
    sys.stdout.write(f"{len(files)} files compared ({refused} refusals), {differ} differ\n")
    return differ


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    writing = commands.add_parser("write", help="run all scenarios with the build that is installed")
    writing.add_argument("out", type=Path)
    writing.add_argument("--like", type=Path, help="take the drawn scenarios from this folder")
    comparing = commands.add_parser("compare", help="compare two such folders")
    comparing.add_argument("before", type=Path)
    comparing.add_argument("after", type=Path)
    arguments = parser.parse_args()
    if arguments.command == "write":
        write(arguments.out.absolute(), arguments.like)
        return 0
    return 1 if compare(arguments.before, arguments.after) else 0


if __name__ == "__main__":
    sys.exit(main())
