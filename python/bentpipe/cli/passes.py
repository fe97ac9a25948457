# SPDX-License-Identifier: MIT OR Apache-2.0
"""Print when satellites rise and set over a place."""

from __future__ import annotations

from bentpipe.cli import options
from bentpipe.cli.console import note, say, say_json, table
from bentpipe.cli.constellation import PLACE, constellation, looked_at, sky_of


def add(parser: options.Parser) -> None:
    """Add the options."""
    parser.add_argument("site", metavar="SITE", help=PLACE)
    constellation(parser)
    options.duration(parser, "1 h")
    options.json(parser, "the passes")
    options.csv(parser, "the passes")


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
    said = f"; {len(lasting)} complete passes of {min(lasting):.1f} to {max(lasting):.1f} s" if lasting else ""
    say(f"{chosen.site} under {sky.name}, {looked_at(sky, chosen.duration)}: {len(cells)} passes{said}")
    return 0
