# SPDX-License-Identifier: MIT OR Apache-2.0
"""Make a path trace, which scenarios replay (path_trace), from measurements of other tools.

The formats are logs of ping, JSON of irtt and iperf3, captures (pcap, pcapng), and the CSV files of LENS and WetLinks.
Any other CSV file is read by its header, or by --columns. Round trips are halved, and lost probes become outages. The
first lines of the written file list what was assumed, and what the source does not measure.
"""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from bentpipe._import.import_path import import_path, mbit_s, time_span
from bentpipe._import.measured import MOST
from bentpipe._import.reading import FORMATS
from bentpipe.base.errors import ArgumentError
from bentpipe.cli import options
from bentpipe.cli.console import note, said, say_file, say_json, table

if TYPE_CHECKING:
    from collections.abc import Callable

    from bentpipe._import.import_path import Import, Way

#: The name of stdin on the command line.
_STDIN = "-"


def _checked(check: Callable[[str, str], float]) -> Callable[[str], str]:
    """Return a reader of text that `check` accepts."""

    def read(text: str) -> str:
        try:
            check("", text)
        except ArgumentError as problem:
            raise argparse.ArgumentTypeError(problem.message.removeprefix(": ")) from None
        return text

    return read


_span, _rate = _checked(time_span), _checked(mbit_s)


def add(parser: options.Parser) -> None:
    """Add the options."""
    parser.add_argument("source", metavar="FILE", help="the measurement; - reads stdin")
    parser.add_argument("--out", type=options.file, required=True, metavar="FILE", help="path trace to write (CSV)")
    parser.add_argument(
        "--scenario", type=options.file, metavar="FILE", help="also write a scenario that replays the path trace (TOML)"
    )
    parser.add_argument("--format", choices=tuple(FORMATS), help="format of FILE (default: by its content)")
    parser.add_argument(
        "--columns",
        default="",
        metavar="LIST",
        help="columns of a CSV file in their order (default: by the names in the header of the file). The names are "
        "time, rtt, delay (one way), rate (or up and down) and loss; - skips a column. A unit may follow the name: "
        "time=us,-,rtt=ms,rate=bit/s (default units: s, ms, Mbit/s, %%); time=date is a date of ISO 8601, and "
        "loss=ratio is a fraction",
    )
    parser.add_argument(
        "--interval", type=_span, metavar="TIME", help="time between two probes or rows, if FILE has no times"
    )
    parser.add_argument(
        "--direction",
        choices=("up", "down", "both"),
        help="direction of the rate, if FILE has both directions (iperf3, wetlinks, columns up and down); 'both' also "
        "writes the return direction, the upload, to OUT-return.csv",
    )
    parser.add_argument(
        "--reverse", metavar="FILE", help="measurement of the return direction, written to OUT-return.csv"
    )
    parser.add_argument(
        "--step", type=_span, default="100 ms", metavar="TIME", help='resolution of the path trace (default "100 ms")'
    )
    parser.add_argument("--offset", type=_span, metavar="TIME", help="begin the path trace TIME after the first sample")
    parser.add_argument("--duration", type=_span, metavar="TIME", help="length of the path trace (default: to the end)")
    parser.add_argument(
        "--floor",
        type=_span,
        metavar="TIME",
        help="keep only the smallest round trip in each window of this length, to remove queueing delay",
    )
    parser.add_argument(
        "--gap",
        type=_span,
        metavar="TIME",
        help="a silence that is longer than TIME counts as an outage (default: three intervals if lost probes leave "
        "no row, otherwise no silence counts)",
    )
    rate = parser.add_mutually_exclusive_group()
    rate.add_argument("--rate", type=_rate, metavar="RATE", help='constant rate, for example "100 Mbit/s"')
    rate.add_argument(
        "--rate-from",
        metavar="FILE",
        help="another measurement that began at the same moment, for example of iperf3: its rates are used with the "
        "round trips and losses of the first FILE",
    )
    options.json(parser, "key figures and notes")
    options.force(parser, "replace files that this command did not write")


def run(chosen: options.Chosen) -> int:
    """Write the path trace, and print its key figures and a scenario that replays it."""
    made = import_path(
        # One byte more than the limit shows that the input is too long.
        sys.stdin.buffer.read(MOST + 1) if chosen.source == _STDIN else chosen.source,
        chosen.out,
        scenario=chosen.scenario,
        format=chosen.format,
        columns=chosen.columns,
        interval=chosen.interval,
        direction=chosen.direction,
        reverse=chosen.reverse,
        step=chosen.step,
        offset=chosen.offset,
        duration=chosen.duration,
        floor=chosen.floor,
        gap=chosen.gap,
        rate=chosen.rate,
        rate_from=chosen.rate_from,
        force=chosen.force,
    )
    if chosen.json:
        document: dict[str, object] = {"file": str(made.file), "source": made.source, **made.figures}
        if made.reverse is not None:
            back = made.reverse
            document["reverse"] = {"file": str(back.file), "source": back.source, **back.figures, "notes": back.notes}
        say_json({**document, "notes": made.notes, "scenario": made.scenario})
    else:
        for line in made.notes:
            note(line)
        _print(made)
        if made.reverse is not None:
            for line in made.reverse.notes:
                if line not in made.notes:
                    note(f"return direction: {line}")
            _print(made.reverse)
        if made.scenario_file is None:
            say_file(made.scenario)
    if made.scenario_file is not None:
        note(f"scenario: {made.scenario_file}")
    return 0


def _print(made: Import | Way) -> None:
    """Print the key figures as a table."""
    key = made.figures
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
    table(["", "value"], rows, f"{made.file}, from {made.source}")
