# SPDX-License-Identifier: MIT OR Apache-2.0
"""Print when satellites rise and set over a place."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bentpipe.cli import options
from bentpipe.cli.console import note, say, say_json, table
from bentpipe.cli.constellation import PLACE, constellation, keys_as_options, looked_at, sky_of

if TYPE_CHECKING:
    from collections.abc import Sequence


def add(parser: options.Parser) -> None:
    """Add the options."""
    parser.add_argument("site", metavar="SITE", help=PLACE)
    constellation(parser)
    options.duration(parser, "1 h")
    options.json(parser, "the passes")
    options.csv(parser, "the passes")


@keys_as_options()
def run(chosen: options.Chosen) -> int:
    """Print and write the passes."""
    sky = sky_of(chosen.constellation, chosen)
    passes = sky.passes(chosen.site, duration=chosen.duration)
    if not len(passes):
        # The error says why there is no pass, and when one begins.
        sky._core.require_path(chosen.site, chosen.site, chosen.duration, "10 s")
    if chosen.json:
        say_json(list(passes))
    if chosen.csv is not None:
        note(f"passes: {passes.write(chosen.csv)}")
    cells = []
    for row in passes.arrow.to_pylist():
        rise, end = row["rise_s"], row["set_s"]
        whole = rise is not None and end is not None
        cells.append(
            [
                row["name"],
                "before" if rise is None else f"{rise:.3f}",
                "after" if end is None else f"{end:.3f}",
                f"{end - rise:.1f}" if whole else "",
                f"{row['max_elevation_deg']:.1f}",
            ]
        )
    table(["satellite", "rise s", "set s", "lasts s", "highest deg"], cells)
    lasting = [float(row[3]) for row in cells if row[3]]
    said = f"; {_complete(lasting)}" if lasting else ""
    say(f"{chosen.site} under {sky.name}, {looked_at(sky, chosen.duration)}: {_counted(len(cells))}{said}")
    return 0


def _counted(count: int, kind: str = "") -> str:
    return f"{count} {kind}pass{'' if count == 1 else 'es'}"


def _complete(lasting: Sequence[float]) -> str:
    """Return the number of complete passes and their durations in s."""
    least, most = f"{min(lasting):.1f}", f"{max(lasting):.1f}"
    return f"{_counted(len(lasting), 'complete ')} of {least if least == most else f'{least} to {most}'} s"
