# SPDX-License-Identifier: MIT OR Apache-2.0
"""The command `bottlenecks`: where the flows of a scenario will compete."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from bentpipe import _bottlenecks
from bentpipe.base.errors import ScenarioError
from bentpipe.cli.console import note, say, table
from bentpipe.cli.runs import save_figure

if TYPE_CHECKING:
    import argparse

    from bentpipe.cli.console import Commands


def register(commands: Commands) -> None:
    """Add the commands of this module."""
    bottlenecks = commands.add_parser(
        "bottlenecks",
        help="flows that will share a link, without a run",
        description="Pairs of paths that share a link in the same direction, by time in common times ratio of their "
        "round trips; from the routes alone, no packet is sent.",
    )
    bottlenecks.add_argument("file", metavar="FILE", help="scenario (TOML)")
    bottlenecks.add_argument(
        "--sites",
        nargs="+",
        metavar="SITE",
        help='search among these cities instead of the scenario\'s flows; or: "top 100", the largest ones',
    )
    bottlenecks.add_argument("--duration", metavar="TIME", help="instead of the scenario's duration")
    bottlenecks.add_argument("--limit", type=int, default=20, metavar="N", help="most pairs (default 20)")
    bottlenecks.add_argument("--out", type=Path, metavar="FILE", help="picture to write: .png, .svg or .pdf")
    bottlenecks.set_defaults(run=_run)


def _run(chosen: argparse.Namespace) -> int:
    sites, top = _sites(chosen.sites)
    if chosen.limit < 1:
        raise ScenarioError("scenario-value", f"--limit {chosen.limit} shows nothing: write a number from 1 on")
    found = _bottlenecks.bottlenecks(chosen.file, sites=sites, top=top, duration=chosen.duration, limit=chosen.limit)
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
    table(head, rows)
    if not rows:
        say("no two paths share a link in the same direction")
    if chosen.out is not None:
        from bentpipe import plots

        note(f"picture: {save_figure(plots.bottlenecks(found, names, Path(chosen.file).stem), chosen.out)}")
    return 0


def _sites(words: list[str] | None) -> tuple[list[str] | None, int | None]:
    """Names of cities, or how many of the largest."""
    if words is None:
        return None, None
    if words[0] != "top":
        if len(words) == 1:
            raise ScenarioError("scenario-value", f'"{words[0]}" alone has no path: name two sites at least')
        return words, None
    if len(words) != 2 or not words[1].isdigit() or not 2 <= int(words[1]) <= 1000:
        raise ScenarioError(
            "scenario-value", f'"{" ".join(words)}": write top and a number from 2 to 1000, as in --sites top 100'
        )
    return None, int(words[1])


def _rate(value: float | None) -> str:
    return "unlimited" if value is None else f"{value:g}"
