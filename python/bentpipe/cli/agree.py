# SPDX-License-Identifier: MIT OR Apache-2.0
"""Run a scenario on the simulator and on the emulator, with the TCP of this machine, and compare.

The flows of the scenario are bulk transfers over TCP. On the emulator, programs transfer the data over the TCP of this
machine's kernel, in real time; this needs Linux and root. The simulator runs with the settings of Linux. The exit code
is 1 if the median goodput or the median round trip of a controller deviates by more than --within.

  bentpipe agree scenarios/geo-cubic.toml --controllers cubic,bbr --runs 1
  bentpipe agree scenarios/agreement/geo.toml --load hybic,hybla --runs 1
"""

from __future__ import annotations

import argparse
import re
from pathlib import Path
from typing import TYPE_CHECKING

from bentpipe.cli import options
from bentpipe.cli.console import (
    note,
    plural,
    progress,
    rough_time,
    said,
    say,
    say_json,
    table,
    tell_failures,
    there_already,
)
from bentpipe.cli.emulate import become_root
from bentpipe.cli.pictures import check_picture, save_picture
from bentpipe.scenario.bench import QUICK_S, Bench
from bentpipe.validation import _agreement_runs
from bentpipe.validation._agreement import EMULATOR, PLATFORMS, WITHIN, Agreement, Row

if TYPE_CHECKING:
    from collections.abc import Callable

_HEAD = [
    "scenario",
    "controller",
    "platform",
    "goodput Mbit/s",
    "RTT p50 ms",
    "goodput deviation %",
    "RTT deviation %",
    "lateness p99 us",
    "verdict",
]


def add(parser: options.Parser) -> None:
    """Add the options."""
    options.scenario(parser)
    parser.add_argument(
        "--controllers",
        type=_names("controller"),
        metavar="A,B,C",
        help="controllers, by their names in the kernel (default cubic,bbr,reno; none with --load)",
    )
    parser.add_argument(
        "--load",
        type=_names("controller"),
        default=(),
        metavar="A,B,C",
        help="controllers of Bentpipe that are loaded into the kernel during their runs (names: bentpipe kernel list)",
    )
    parser.add_argument(
        "--platforms",
        type=_names("platform"),
        default=PLATFORMS,
        metavar="A,B",
        help="platforms: sim, emulator (default both)",
    )
    parser.add_argument(
        "--runs",
        type=options.whole(),
        default=5,
        metavar="N",
        help="runs with each controller on each platform, with the seeds 1 to N (default 5)",
    )
    parser.add_argument(
        "--within",
        type=_percent,
        default=WITHIN,
        metavar="PERCENT",
        help=f"largest deviation from the simulator that still counts as agreement (default {WITHIN:g}%%)",
    )
    options.out(parser, "write a run folder for each run into DIR; existing simulated runs are kept")
    options.results(parser, "every number of every run")
    options.picture(
        parser,
        "windows and goodput of both platforms over time (default: DIR/NAME-agree.png with --out, otherwise no "
        "picture)",
    )
    options.duration(parser)
    options.quick(parser, f"the runs end {QUICK_S} s after the last flow has started")
    options.threads(parser, "number of processors; the emulator makes one run at a time")
    options.force(parser)
    options.costly(parser)


def _names(what: str) -> Callable[[str], tuple[str, ...]]:
    """Return a reader of names that are separated by commas. A repeated name counts once."""

    def read(text: str) -> tuple[str, ...]:
        names = tuple(dict.fromkeys(one.strip() for one in text.split(",")))
        if not all(names):
            raise argparse.ArgumentTypeError(f'"{text}": the name of a {what} is empty')
        return names

    return read


def _percent(text: str) -> float:
    """Read a number of percent: 5% or 5."""
    found = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*%?\s*", text)
    if found is None or float(found[1]) <= 0.0:
        raise argparse.ArgumentTypeError(f'"{text}" is not a number of percent above 0 (write for example 5%)')
    return float(found[1])


def run(chosen: options.Chosen) -> int:
    """Make the runs; print the table and draw the picture."""
    controllers = chosen.controllers or (() if chosen.load else ("cubic", "bbr", "reno"))
    target = _picture(chosen)
    if target is not None:
        check_picture(target)
    if EMULATOR in chosen.platforms:
        become_root()
    _agreement_runs.check(controllers, chosen.platforms, chosen.load)
    scenario = options.scenario_of(chosen.file, chosen)
    duration = options.duration_of(chosen, Bench(scenario)) if chosen.quick else chosen.duration
    if EMULATOR in chosen.platforms:
        count = chosen.runs * (len(controllers) + len(chosen.load))
        seconds = Bench(scenario, duration=duration).facts.duration_ns / 1e9
        note(f"emulator: {plural(count, 'run')} of {seconds:g} s in real time, {rough_time(count * seconds)}")
    with progress() as update:
        result = _agreement_runs.agree(
            scenario,
            controllers,
            loaded=chosen.load,
            platforms=chosen.platforms,
            runs=chosen.runs,
            within=chosen.within,
            duration=duration,
            out=chosen.out,
            threads=chosen.threads,
            progress=update,
            force=chosen.force,
            costly=chosen.costly,
        )
    if chosen.json:
        say_json(result.record())
    _print(result)
    if target is not None:
        from bentpipe.validation import _agreement_picture  # numpy: only for pictures

        note(f"picture: {save_picture(_agreement_picture.figure(result), target)}")
    if chosen.out is not None:
        note(f"run folders: {chosen.out}{there_already(result.resumed)}")
    failures = [
        f"error[{error.code}]: {name}, {where}, seed {seed}: {error.message}"
        for (name, where, seed), error in result.failed.items()
    ]
    made = sum(len(row.results) for row in result.rows)
    code = tell_failures(failures, failed=len(result.failed), made=made)
    return 1 if result.outside else code


def _picture(chosen: options.Chosen) -> Path | None:
    if chosen.picture is None and chosen.out is not None:
        return Path(chosen.out) / f"{Path(chosen.file).stem}-agree.png"
    return None if chosen.picture is None else Path(chosen.picture)


def _print(result: Agreement) -> None:
    """Print the table, the notes, and the assumptions."""
    runs = max(len(row.results) for row in result.rows)
    over = "one run each" if runs == 1 else f"median of {runs} runs"
    table(_HEAD, [_cells(result, row) for row in result.rows], f"{result.name}: {over}", keys=3)
    for line in result.assumptions:
        say(line)
    for line in result.notes:
        note(f"warning: {line}")


def _cells(result: Agreement, row: Row) -> list[str]:
    return [
        result.name,
        row.controller,
        row.platform,
        said(row.goodput_mbit_s, ".3f"),
        said(row.rtt_p50_ms, ".1f"),
        said(row.goodput_deviation_percent, "+z.1f"),
        said(row.rtt_deviation_percent, "+z.1f"),
        said(row.lateness_p99_us, ".1f"),
        _verdict(result, row),
    ]


def _verdict(result: Agreement, row: Row) -> str:
    verdict = {True: f"within {result.within:g} %", False: f"above {result.within:g} %", None: ""}
    marks = f"{row.degraded} of {plural(len(row.results), 'run')} degraded" if row.degraded else ""
    return ", ".join(part for part in (verdict[row.is_within(result.within)], marks) if part)
