# SPDX-License-Identifier: MIT OR Apache-2.0
"""Print the share of a number's variance that each axis of a sweep explains, alone and with others."""

from __future__ import annotations

from pathlib import Path

from bentpipe._sensitivity import sensitivity
from bentpipe._sweep._result import load_sweep
from bentpipe.cli import options
from bentpipe.cli.console import note, plural, say, say_json, table
from bentpipe.cli.pictures import check_picture, save_picture

#: Least share of the variance for which a pair has a row.
_LITTLE = 0.001


def add(parser: options.Parser) -> None:
    """Add the options."""
    parser.add_argument("folder", type=Path, metavar="DIR", help="folder of a sweep")
    parser.add_argument(
        "--of", default="goodput_mbit_s", metavar="NUMBER", help="number to explain (default goodput_mbit_s)"
    )
    options.json(parser, "the shares")
    options.csv(parser, "the shares")
    options.picture(parser, "bars (default DIR/sensitivity.png)")


def run(chosen: options.Chosen) -> int:
    """Print the shares, and draw them."""
    target = chosen.picture or chosen.folder / "sensitivity.png"
    check_picture(target)
    found = sensitivity(chosen.folder, chosen.of)
    if chosen.json:
        say_json(list(found.table))
        for line in found.left_out:
            note(f"left out: {line}")
    if chosen.csv is not None:
        note(f"shares: {found.table.write(chosen.csv)}")
    if not chosen.json:
        small = {" x ".join(pair) for pair, share in found.pairs.items() if share < _LITTLE}
        rows = [
            [
                one["what"],
                _percent(one["share"]),
                _between(one["low"], one["high"]),
                _percent(one["total"]),
                _percent(one["of_runs"]),
            ]
            for one in found.table.arrow.to_pylist()
            if one["what"] not in small
        ]
        table(
            ["axis", "alone", "95 % interval", "with others", "of single runs"],
            rows,
            f"shares of the variance of {found.number}",
        )
        if small:
            say(f"not shown: {plural(len(small), 'pair')} of axes with less than 0.1 %")
        if found.method:
            say(found.method)
        say(found.words)
        for line in load_sweep(chosen.folder).about.get("presets", ()):
            say(line)
    if found.shares:
        note(f"picture: {save_picture(found.plot(), target)}")
    return 0


def _percent(share: float | None) -> str:
    return "–" if share is None else f"{100.0 * share:.1f} %"


def _between(low: float | None, high: float | None) -> str:
    return "–" if low is None or high is None else f"{100.0 * low:.1f} to {100.0 * high:.1f} %"
