# SPDX-License-Identifier: MIT OR Apache-2.0
"""`bentpipe sensitivity`: what decides the result of a sweep."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

from bentpipe.cli.console import note, say, table
from bentpipe.cli.runs import check_picture, save_figure

if TYPE_CHECKING:
    import argparse

    from bentpipe.cli.console import Commands

#: Pairs with less of the variance have no row.
_LITTLE = 0.001


def register(commands: Commands) -> None:
    """Add the command of this module."""
    command = commands.add_parser(
        "sensitivity",
        help="what decides the result of a sweep",
        description="Which share of a number's variance each axis of a sweep explains, alone and with others.",
    )
    command.add_argument("folder", type=Path, metavar="DIR", help="folder of a sweep")
    command.add_argument(
        "--of", default="goodput_mbit_s", metavar="NUMBER", help="which number (default goodput_mbit_s)"
    )
    command.add_argument("--json", action="store_true", help="print the shares as JSON instead of a table")
    command.add_argument("--picture", type=Path, metavar="FILE", help="bars (default DIR/sensitivity.png)")
    command.set_defaults(run=_run_it)


def _run_it(chosen: argparse.Namespace) -> int:
    from bentpipe._sensitivity import sensitivity
    from bentpipe._sweep._result import load_sweep

    target = chosen.picture or chosen.folder / "sensitivity.png"
    check_picture(target)
    found = sensitivity(chosen.folder, chosen.of)
    if chosen.json:
        say(json.dumps(found.table.arrow.to_pylist(), indent=2))
    else:
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
            ["", "alone", "95 % interval", "with others", "of single runs"],
            rows,
            f"shares of the variance of {found.number}",
        )
        if small:
            say(f"left out: {len(small)} pair{'s' if len(small) > 1 else ''} of axes with less than 0.1 %")
        if found.method:
            say(found.method)
        say(found.words)
        for line in load_sweep(chosen.folder).about.get("presets", ()):
            say(line)
    if found.shares:
        note(f"picture: {save_figure(found.plot(), target)}")
    return 0


def _percent(share: float | None) -> str:
    return "–" if share is None else f"{100.0 * share:.1f} %"


def _between(low: float | None, high: float | None) -> str:
    return "–" if low is None or high is None else f"{100.0 * low:.1f} to {100.0 * high:.1f} %"
