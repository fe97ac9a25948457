# SPDX-License-Identifier: MIT OR Apache-2.0
"""Make a path trace, which scenarios replay (path_trace), from measurements of other tools.

The formats are logs of ping, JSON of irtt and iperf3, captures (pcap, pcapng), and the CSV files of LENS and WetLinks.
--columns reads any other CSV file. Round trips are halved, and lost probes become outages. The first lines of the
written file say what was assumed, and what the source does not say.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from bentpipe import _core
from bentpipe._import.measured import MOST, Asked
from bentpipe._import.path_trace import figures, text
from bentpipe._import.reading import FORMATS, read
from bentpipe._import.steps import Cut, laid
from bentpipe.base.errors import ScenarioError
from bentpipe.base.files import Unfit, content, refuse_other_file, write_text
from bentpipe.cli import options
from bentpipe.cli.console import note, said, say, say_json, table

if TYPE_CHECKING:
    from bentpipe._import.path_trace import Figures

#: The name that stands for standard input.
_STDIN = "-"
#: The first bytes of files that Bentpipe writes; others are not replaced.
_OURS = (b"# bentpipe",)


def _span(text: str) -> int:
    """The reader of a time span above 0, in nanoseconds."""
    try:
        found = _core.nanos(text)
    except ScenarioError as problem:
        raise argparse.ArgumentTypeError(problem.message) from None
    if found == 0:
        raise argparse.ArgumentTypeError(f'"{text}" is not a time span above 0')
    return found


def _rate(text: str) -> float:
    """The reader of a rate above 0, in Mbit/s."""
    found = _core.quantity(text)
    if found is None or "Mbit/s" not in found.units or not 1e-6 <= (rate := _in_mbit_s(found)) <= 1e6:
        raise argparse.ArgumentTypeError(f'"{text}" is not a rate such as "100 Mbit/s"')
    return rate


def _in_mbit_s(quantity: _core.Quantity) -> float:
    return float(quantity.number) * quantity.units[quantity.unit] / quantity.units["Mbit/s"]


def add(parser: options.Parser) -> None:
    """Add the options."""
    parser.add_argument("source", metavar="FILE", help="the measurement; - reads standard input")
    parser.add_argument("--out", type=options.file, required=True, metavar="FILE", help="path trace to write (CSV)")
    parser.add_argument("--format", choices=tuple(FORMATS), help="format of FILE (default: by its content)")
    parser.add_argument(
        "--columns",
        default="",
        metavar="LIST",
        help="columns of a CSV file in their order: time, rtt, delay (one way), rate, loss, and - to skip one, each "
        "with its unit: time=us,-,rtt=ms,rate=bit/s (default units: s, ms, Mbit/s; time=date is ISO 8601; loss=%%)",
    )
    parser.add_argument(
        "--interval", type=_span, metavar="TIME", help="time between probes or rows of a source without times"
    )
    parser.add_argument(
        "--direction", choices=("up", "down"), help="the rate of which direction, if FILE has both (iperf3, wetlinks)"
    )
    parser.add_argument(
        "--step", type=_span, default="100 ms", metavar="TIME", help='resolution of the path trace (default "100 ms")'
    )
    parser.add_argument("--offset", type=_span, metavar="TIME", help="begin this long after the first sample")
    parser.add_argument("--duration", type=_span, metavar="TIME", help="length of the path trace (default: to the end)")
    parser.add_argument(
        "--floor", type=_span, metavar="TIME", help="keep the smallest round trip of this window, without queues"
    )
    parser.add_argument(
        "--gap",
        type=_span,
        metavar="TIME",
        help="longer silence is an outage (default: three intervals if lost probes leave no row, else never)",
    )
    parser.add_argument("--rate", type=_rate, metavar="RATE", help='constant rate, for example "100 Mbit/s"')
    options.json(parser, "key figures and notes")
    options.force(parser)


def run(chosen: options.Chosen) -> int:
    """Write the path trace, and print its key figures and a scenario that replays it."""
    name = "standard input" if chosen.source == _STDIN else chosen.source
    asked = Asked(
        tuple(one.strip() for one in chosen.columns.split(",")) if chosen.columns else (),
        _seconds(chosen.interval),
        chosen.direction,
        chosen.step / 1e9,
    )
    cut = Cut(
        chosen.step,
        _seconds(chosen.offset) or 0.0,
        _seconds(chosen.duration),
        _seconds(chosen.floor),
        _seconds(chosen.gap),
        chosen.rate,
    )
    refuse_other_file(chosen.out, _OURS, force=chosen.force)
    try:
        measured = read(_data(chosen.source), asked, chosen.format)
        made = laid(measured, cut)
    except Unfit as problem:
        raise ScenarioError("scenario-unreadable", f"cannot import {name}: {problem}") from None
    key = figures(made, chosen.step)
    about = f"{key['duration_s']:g} s in steps of {chosen.step / 1e9:g} s"
    origin = f"bentpipe {_core.version()}: path imported from {name} ({measured.source}), {about}"
    write_text(chosen.out, text(made, chosen.step, origin))
    scenario = _scenario(chosen.out, key)
    if chosen.json:
        document = {"file": str(chosen.out), "source": measured.source, **key}
        say_json({**document, "notes": made.notes, "scenario": scenario})
        return 0
    for line in made.notes:
        note(line)
    _print(chosen.out, measured.source, key)
    say(scenario)
    return 0


def _seconds(ns: int | None) -> float | None:
    return None if ns is None else ns / 1e9


def _data(source: str) -> bytes:
    """The content of the file, or of standard input."""
    if source == _STDIN:
        data = sys.stdin.buffer.read(MOST + 1)
        if len(data) > MOST:
            raise Unfit(f"it is larger than {MOST / 1e6:g} MB, the limit for a measurement")
        return data
    return content(Path(source), MOST)


def _scenario(file: Path, key: Figures) -> str:
    """Three lines that replay a path trace; a value that the file does not say has a comment."""
    keys, missing = [f"path_trace = {json.dumps(str(file))}"], []
    if key["rate_mbit_s"] is None:
        keys.append('rate = "100 Mbit/s"')
        missing.append("rate")
    if key["rtt_ms"] is None:
        keys.append('rtt = "50 ms"')
        missing.append("rtt")
    told = f"  # {' and '.join(missing)}: not measured, set your own" if missing else ""
    return (
        f'duration = "{key["duration_s"]:.9g} s"\n'
        f"network.dumbbell = {{ {', '.join(keys)} }}{told}\n"
        'flows = [{ controller = "cubic" }]'
    )


def _print(file: Path, source: str, key: Figures) -> None:
    """The key figures as a table."""
    rtt, rate = key["rtt_ms"], key["rate_mbit_s"]
    outages = f"{key['outages']}"
    if key["outages"]:
        outages += f" ({key['outage_s']:.3g} s, longest {key['longest_outage_s']:.3g} s)"
    rows = [
        ["duration s", f"{key['duration_s']:g}"],
        ["samples", f"{key['samples']}"],
        ["round trip ms, p5 / p50 / p95", " / ".join(said(rtt and rtt[one], ".4g") for one in ("p5", "p50", "p95"))],
        ["outages", outages],
        [
            "rate Mbit/s, least / mean / most",
            " / ".join(said(rate and rate[one], ".4g") for one in ("least", "mean", "most")),
        ],
    ]
    table(["", "value"], rows, f"{file}, from {source}")
