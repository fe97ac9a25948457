# SPDX-License-Identifier: MIT OR Apache-2.0
"""Runs ns-2 over the cases and writes data/ns2: `python tools/ns2_traces [--cases A,B] [--agents A,B] [--out FOLDER]`.

This is for maintainers (`make ns2-traces`), and needs Debian's package ns2. Earlier runs are read from
target/ns2-traces. data/ns2/README.md describes the files.
"""

from __future__ import annotations

import argparse
import sys
import time
import tomllib
from pathlib import Path

import dumbbells
import ns2
import openings
import papers
import pyarrow as pa
import pyarrow.parquet as pq
import satellites


def write(table: pa.Table, path: Path) -> None:
    """Write a table to a small file. The columns compress well."""
    pq.write_table(table, path, compression="zstd", compression_level=12)
    print(f"{path.name}: {table.num_rows} rows, {path.stat().st_size // 1000} kB", flush=True)


def chosen(all_names: list[str], wanted: str | None, what: str) -> list[str]:
    """Returns the requested names.

    Raises:
        ns2.Ns2Error: If a name is not known.
    """
    names = wanted.split(",") if wanted else all_names
    if unknown := [name for name in names if name not in all_names]:
        raise ns2.Ns2Error(f"--{what}: no {', '.join(unknown)}; known are {', '.join(all_names)}")
    return names


def merged(path: Path, totals: list[dict[str, object]], order: list[str]) -> pa.Table:
    """Replaces the lines of measured cases by new lines, in the order of the cases."""
    measured = {total["case"] for total in totals}
    old = pq.read_table(path).to_pylist() if path.exists() else []
    lines = [line for line in old if line["case"] not in measured and line["case"] in order] + totals
    return pa.Table.from_pylist(sorted(lines, key=lambda line: order.index(line["case"])), schema=dumbbells.TOTALS)


def stored(file: Path, script: str) -> list[dict[str, object]]:
    """Returns the lines of a file if its index has this script and this package; otherwise none."""
    index_of = file.parent / "index.toml"
    if not (file.exists() and index_of.exists()):
        return []
    said = tomllib.loads(index_of.read_text(encoding="utf-8"))
    same = said["scripts"].get(script) == ns2.sha256(ns2.HERE / script) and said["package"] == ns2.installed()
    return pq.read_table(file).to_pylist() if same else []


def index(out: Path) -> None:
    """Writes the index: the package, and the scripts and files with their digests."""
    if ns2.installed() not in ("unknown", ns2.PACKAGE):
        print(f"note: made with {ns2.installed()}, the stored traces with {ns2.PACKAGE}", file=sys.stderr)
    lines = [
        "# SPDX-License-Identifier: MIT OR Apache-2.0",
        "# Written by tools/ns2_traces: digests of the scripts that ran and of the files that they gave.",
        f'package = "{ns2.installed()}"',
        'command = "make ns2-traces"',
        "",
        "[scripts]",
        *(f'"{path.name}" = "{ns2.sha256(path)}"' for path in sorted(ns2.HERE.glob("*.tcl"))),
        "",
        "[files]",
        *(f'"{path.name}" = "{ns2.sha256(path)}"' for path in sorted(out.glob("*.parquet"))),
    ]
    (out / "index.toml").write_text("\n".join(lines) + "\n", encoding="utf-8")


def main() -> int:
    """Makes the requested measurements and writes them."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--cases",
        help="with commas; 'iridium' is the satellites, 'openings' how connections begin, 'papers' the networks of "
        "A-LIAD and Vegas-W (default: all)",
    )
    parser.add_argument("--agents", help="with commas (default: all); files then hold only these")
    parser.add_argument("--out", type=Path, default=ns2.ROOT / "data" / "ns2", help="folder (default: %(default)s)")
    parser.add_argument("--fresh", action="store_true", help="run again what was run before")
    arguments = parser.parse_args()
    begun = time.monotonic()
    try:
        ns2.program()
        known = {case.name: case for case in dumbbells.cases()}
        names = chosen([*known, "iridium", "openings", "papers"], arguments.cases, "cases")
        agents = chosen(dumbbells.AGENTS, arguments.agents, "agents")
        arguments.out.mkdir(parents=True, exist_ok=True)
        totals: list[dict[str, object]] = []
        for name in names:
            if name == "iridium":
                file = arguments.out / "iridium.parquet"
                lines = [] if arguments.fresh else stored(file, "iridium.tcl")
                write(satellites.measure(keep=not arguments.fresh, stored=lines), file)
                continue
            if name == "openings":
                write(openings.measure_packets(keep=not arguments.fresh), arguments.out / "openings.parquet")
                write(openings.measure_totals(keep=not arguments.fresh), arguments.out / "as-it-comes.parquet")
                continue
            if name == "papers":
                write(papers.measure(keep=not arguments.fresh), arguments.out / "papers.parquet")
                continue
            pairs = [dumbbells.measure(known[name], agent, keep=not arguments.fresh) for agent in agents]
            write(
                pa.concat_tables([trace for trace, _ in pairs]).unify_dictionaries(), arguments.out / f"{name}.parquet"
            )
            totals += [total for _, total in pairs]
        if totals:
            write(merged(arguments.out / "totals.parquet", totals, [*known]), arguments.out / "totals.parquet")
        index(arguments.out)
    except ns2.Ns2Error as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    print(f"{time.monotonic() - begun:.0f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
