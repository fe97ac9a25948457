#!/usr/bin/env python3
# SPDX-License-Identifier: MIT OR Apache-2.0
"""Runs every benchmark, prints its tables as soon as they are measured, and writes them into the pages.

    benches/measure.py [PART …] [--list]

A part is one program of this folder. Its tables replace the block of the same name in benches/README.md; the table of
DESIGN.md is written from the saved figures of the parts `scenarios` and `constellations`, with their dates. A part that
fails is reported, its block stays as it was, and the other parts are still measured; the exit code is then 1. Parts
that are not named are not measured again. `make bench` builds the programs first.
"""

import argparse
import datetime
import json
import re
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from programs import BenchError, Result, ended, machine, median, million_hops_per_s, rss_mb, us_per_segment

ROOT = Path(__file__).resolve().parent.parent
BENCHES = ROOT / "benches"
README = BENCHES / "README.md"
DESIGN = ROOT / "DESIGN.md"
#: Figures of the last measurement of each part that can save them.
SAVED = ROOT / "target" / "benches"


def unchanged(text: str) -> str:
    """Return the output of a program that prints Markdown."""
    return text


def fenced(text: str) -> str:
    """Return the output of a program that prints plain lines as a block of code."""
    return f"```\n{text.strip()}\n```"


def divan_table(text: str) -> str:
    """Return the benchmarks in the output of divan as one Markdown table.

    A benchmark with arguments has a line for each argument. A line of throughput follows its line of times.
    """
    rows: list[list[str]] = []
    group = ""
    for line in text.splitlines():
        cells = [cell.strip() for cell in line.split("│")]
        # Branches of the tree use the same character as the columns.
        while len(cells) > 6 and not cells[0]:
            del cells[0]
        name_and_first = re.fullmatch(r"[├╰─ ]*(.*?)(?:\s{2,}(\S+ \S+))?", cells[0])
        if len(cells) < 4 or name_and_first is None:
            continue
        name, fastest = name_and_first.groups()
        if not cells[1]:
            group = name
        elif re.search(r"item", line) and rows:
            rows[-1][-1] = cells[2]
        elif fastest is not None and cells[1] != "slowest":
            full = f"{group}, {name}" if group and re.fullmatch(r"[\d_]+", name) else name
            rows.append([full, fastest, cells[2], cells[1], ""])
    if not rows:
        raise BenchError("the output of divan has no benchmark")
    head = "| benchmark | fastest | median | slowest | median throughput |\n|---|---:|---:|---:|---:|"
    return "\n".join([head, *(f"| {' | '.join(row)} |" for row in rows)])


def controllers_table(text: str) -> str:
    """Return the time per ACK and the size of the state of each controller, without the time of the stub."""
    states = dict(re.findall(r"^  (\S+) +(\d+) B ", text, re.MULTILINE))
    times = {
        name: float(value) * {"ns": 1, "µs": 1e3}[unit]
        for name, value, unit in re.findall(r"[├╰]─ (\S+) +[\d.]+ \S+ +│ [\d.]+ \S+ +│ ([\d.]+) (ns|µs)", text)
    }
    if missing := states.keys() ^ times.keys():
        raise BenchError(f"the bench of controllers does not print a time and a state for {', '.join(sorted(missing))}")
    floor = times.pop("floor")
    rows = [f"| {name} | {time:.1f} | {time - floor:.1f} | {states[name]} |" for name, time in times.items()]
    head = f"| controller | ns per ACK | without the stub ({floor:.1f} ns) | state, B |\n|---|---:|---:|---:|"
    return "\n".join([head, *rows])


@dataclass(frozen=True)
class Part:
    """One program of this folder.

    name: of the part, and of its block in benches/README.md.
    command: the program and its arguments.
    table: makes Markdown from what the program prints on stdout.
    saves: whether the program takes `--save FILE`.
    """

    name: str
    command: tuple[str, ...]
    table: Callable[[str], str] = unchanged
    saves: bool = False


def native(name: str, table: Callable[[str], str] = unchanged) -> Part:
    """Return the part of a benchmark in benches/native."""
    return Part(name.replace("_", "-"), ("cargo", "bench", "-q", "-p", "bentpipe-benches", "--bench", name), table)


def script(
    name: str,
    *arguments: str,
    part: str | None = None,
    table: Callable[[str], str] = unchanged,
    saves: bool = False,
) -> Part:
    """Return the part of a script of this folder."""
    command = (sys.executable, str(BENCHES / f"{name}.py"), *arguments)
    return Part(part or name.replace("_", "-"), command, table, saves)


PARTS = [
    script("run", "--peer", "target/peers/ns3-peer", part="scenarios", saves=True),
    script("sweeps", part="flows", saves=True),
    script("memory"),
    script("constellations", saves=True),
    native("controllers", controllers_table),
    native("disciplines"),
    native("engine", divan_table),
    native("positions", divan_table),
    native("set_up", divan_table),
    native("event_queue"),
    native("quic"),
    script("own_controllers"),
    script("short_flows"),
    script("cost"),
    script("stop"),
    script("clusters", table=fenced),
]


def measured(part: Part) -> str:
    """Runs a part and returns its tables. What the program reports on stderr is shown at once."""
    SAVED.mkdir(parents=True, exist_ok=True)
    save = ("--save", str(SAVED / f"{part.name}.json")) if part.saves else ()
    command = [*part.command, *save]
    try:
        process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, encoding="utf-8")
    except OSError as error:
        raise BenchError(f"cannot run {command[0]}: {error.strerror}") from error
    lines = []
    with process:
        assert process.stdout is not None
        for line in process.stdout:
            print(line, end="", flush=True)
            lines.append(line)
    if process.returncode != 0:
        raise BenchError(f"{' '.join(command)} ended with {process.returncode}")
    return part.table("".join(lines)).strip()


def when() -> str:
    """Return a sentence with today's date and this machine."""
    return f"*Measured on {datetime.datetime.now(datetime.UTC).date().isoformat()}: {machine()}.*"


def with_block(page: str, name: str, content: str) -> str:
    """Return a page with new content between the two marks of a block.

    Raises `BenchError` if the page does not have the block exactly once.
    """
    begin, end = f"<!-- begin: {name} -->", "<!-- end -->"
    head, mark, rest = page.partition(begin)
    _, closed, tail = rest.partition(end)
    if not mark or not closed or begin in tail:
        raise BenchError(f"a page must have one block `{begin} … {end}`")
    return f"{head}{begin}\n\n{content}\n\n{end}{tail}"


def write_block(file: Path, name: str, content: str) -> None:
    """Replaces the content of a block in a file."""
    file.write_text(with_block(file.read_text(encoding="utf-8"), name, content), encoding="utf-8")


def design_block(saved: Path) -> str:
    """Return the block of DESIGN.md from the saved figures of the parts `scenarios` and `constellations`.

    saved: the folder of the figures, which contain their date and machine. CPU times, resident sets and ratios are
    medians.
    Raises `BenchError` if a file is missing.
    """
    names = ("scenarios", "constellations")
    if missing := [name for name in names if not (saved / f"{name}.json").exists()]:
        raise BenchError(f"the table also needs the part {' and '.join(missing)}")
    files = {name: json.loads((saved / f"{name}.json").read_text(encoding="utf-8")) for name in names}
    said = ";\n".join(f"{name} on {file['date']}: {file['machine']}" for name, file in files.items())
    scenarios, constellations = (file["runs"] for file in files.values())
    lines = [
        f"*Measured: {said}.*",
        "",
        "| scenario | CPU s per simulated s | peak RSS, MB | million packet-hops per CPU s | other simulator, CPU time "
        "relative to Bentpipe |",
        "|---|---:|---:|---:|---|",
    ]

    def line(what: str, runs: list[Result], other: str) -> str:
        per_second = median(runs, lambda r: r["cpu_s"] / r["simulated_s"])
        return (
            f"| {what} | {per_second:.2g} | {median(runs, rss_mb):.3g} | {median(runs, million_hops_per_s):.3g} "
            f"| {other} |"
        )

    for name in dict.fromkeys(run["scenario"] for run in scenarios):
        full, compared, peer = (
            [run for run in scenarios if run["scenario"] == name and run["kind"] == kind]
            for kind in ("full", "compared", "peer")
        )
        ratio = median(peer, us_per_segment) / median(compared, us_per_segment) if peer else None
        lines.append(line(name, full, "-" if ratio is None else f"{peer[0]['version']}: {ratio:.3g} per segment"))
    packets = [run for run in constellations if "rate" in run]
    for rate in dict.fromkeys(run["rate"] for run in packets):
        runs = [run for run in packets if run["rate"] == rate]
        hypatia = runs[0]["hypatia_cpu_s"]
        ratio = None if hypatia is None else hypatia / median(runs, lambda r: r["cpu_s"] / r["simulated_s"])
        other = "-" if ratio is None else f"Hypatia: {ratio:.3g} per simulated second"
        lines.append(line(f"Kuiper-630, 100 flows, {rate}", runs, other))
    return "\n".join(lines)


def main() -> int:
    """Measures the named parts, or all."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("parts", nargs="*", metavar="PART", help="parts to measure (default: all)")
    parser.add_argument("--list", action="store_true", help="print the names of the parts and end")
    chosen = parser.parse_args()
    known = {part.name: part for part in PARTS}
    if chosen.list:
        print("\n".join(known))
        return 0
    if unknown := [name for name in chosen.parts if name not in known]:
        parser.error(f"unknown parts: {', '.join(unknown)}; known are {', '.join(known)}")
    parts = [known[name] for name in chosen.parts] or PARTS
    failed = []
    for part in parts:
        print(f"\n## {part.name}\n", flush=True)
        try:
            tables = measured(part)
            write_block(README, part.name, f"{when()}\n\n{tables}")
        except BenchError as error:
            failed.append(f"{part.name}: {error}")
            print(f"error: {failed[-1]}", file=sys.stderr)
    if {"scenarios", "constellations"} & {part.name for part in parts}:
        try:
            write_block(DESIGN, "speed", design_block(SAVED))
        except BenchError as error:
            failed.append(f"{DESIGN.name}: {error}")
    if failed:
        print("\n".join(["", "not measured:", *failed]), file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(ended(main))
