# SPDX-License-Identifier: MIT OR Apache-2.0
"""Print pairs of paths that share a link in the same direction.

The pairs are sorted by common time multiplied by the ratio of the round trips. The command computes only routes and
sends no packets.
"""

from __future__ import annotations

from pathlib import Path

from bentpipe import _bottlenecks
from bentpipe.base.errors import ScenarioError
from bentpipe.cli import options
from bentpipe.cli.console import note, say, say_json, table
from bentpipe.cli.pictures import save_picture


def add(parser: options.Parser) -> None:
    """Add the options."""
    options.scenario(parser)
    parser.add_argument(
        "--sites",
        nargs="+",
        metavar="SITE",
        help='search between these cities instead of the flows of the scenario; "top 100" takes the 100 largest cities',
    )
    options.duration(parser)
    parser.add_argument(
        "--limit", type=options.whole(), default=20, metavar="N", help="largest number of pairs (default 20)"
    )
    options.picture(parser, "how the pairs share links", "--out")
    options.results(parser, "the pairs")


def run(chosen: options.Chosen) -> int:
    """Print and draw the pairs."""
    sites, top = _sites(chosen.sites)
    scenario = options.scenario_of(chosen.file, chosen)
    found = _bottlenecks.bottlenecks(scenario, sites=sites, top=top, duration=chosen.duration, limit=chosen.limit)
    head = [
        "longer path",
        "shorter path",
        "s in common",
        "RTT ms",
        "RTT ms",
        "ratio",
        "link",
        "Mbit/s",
        "links",
    ]
    numbers = ("shared_s", "long_rtt_ms", "short_rtt_ms", "rtt_ratio", "kind", "link", "rate_mbit_s", "links")
    names = _bottlenecks.names(found)
    rows = [
        [long, short, f"{time:.1f}", f"{a:.1f}", f"{b:.1f}", f"{ratio:.2f}", f"{kind} {link}", _rate(rate), str(links)]
        for (long, short), time, a, b, ratio, kind, link, rate, links in zip(
            names, *(found[name] for name in numbers), strict=True
        )
    ]
    if chosen.json:
        paths = ("longer_path", "shorter_path")
        say_json([dict(zip(paths, pair, strict=True)) | row for pair, row in zip(names, found, strict=True)])
    table(head, rows)
    if not rows:
        say("no two paths share a link in the same direction")
    if chosen.picture is not None:
        from bentpipe import plots  # imported here, because numpy is needed only for pictures

        note(f"picture: {save_picture(plots.bottlenecks(found, names, Path(chosen.file).stem), chosen.picture)}")
    return 0


def _sites(words: list[str] | None) -> tuple[list[str] | None, int | None]:
    """Return the names of cities, or the number of the largest cities."""
    if words is None:
        return None, None
    if words[0] != "top":
        if len(words) == 1:
            raise ScenarioError("scenario-value", f'"{words[0]}" alone has no path: name at least two sites')
        return words, None
    if len(words) != 2 or not words[1].isdigit() or not 2 <= int(words[1]) <= 1000:
        raise ScenarioError(
            "scenario-value", f'"{" ".join(words)}": write top and a number from 2 to 1000, as in --sites top 100'
        )
    return None, int(words[1])


def _rate(value: float | None) -> str:
    return "unlimited" if value is None else f"{value:g}"
