# SPDX-License-Identifier: MIT OR Apache-2.0
"""List the constellation presets, or describe and draw one constellation."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bentpipe.cli import options
from bentpipe.cli.console import note, say, say_json, table
from bentpipe.cli.constellation import NAMED, pair_of, sky_of, start
from bentpipe.cli.pictures import save_picture
from bentpipe.scenario.catalogue import constellations

if TYPE_CHECKING:
    from bentpipe._sky import Sky
    from bentpipe.scenario.answers import ConstellationEntry, SkyFacts


def add(parser: options.Parser) -> None:
    """Add the options."""
    parser.add_argument("name", nargs="?", metavar="NAME|FILE", help=NAMED)
    start(parser)
    parser.add_argument("--at", default="0 s", metavar="TIME", help="moment of the map, after the start")
    parser.add_argument("--pair", metavar="A:B", help="two places; the map shows the path between them")
    options.picture(parser, "a map of the satellites and their links", "--out", "--plot")
    options.results(parser, "the constellations, or the facts of one")


def run(chosen: options.Chosen) -> int:
    """List the constellations, or describe and draw one constellation."""
    if chosen.name is None:
        if chosen.json:
            say_json(constellations())
        _list()
        return 0
    sky = sky_of(chosen.name, chosen)
    if chosen.json:
        say_json(sky.facts)
    _describe(sky, str(chosen.name))
    if chosen.picture is not None:
        from bentpipe import plots  # imported here, because numpy is needed only for pictures

        pair = None if chosen.pair is None else pair_of(chosen.pair, "--pair")
        note(f"picture: {save_picture(plots.constellation(sky, chosen.at, pair), chosen.picture)}")
    return 0


def _list() -> None:
    entries = constellations()
    rows = []
    for entry in entries:
        heights = [shell["altitude_km"] for shell in entry["shells"]]
        low, high = f"{min(heights):g}", f"{max(heights):g}"
        rows.append(
            [
                entry["name"],
                str(entry["satellites"]),
                str(len(heights)),
                low if low == high else f"{low} to {high}",
                _visibility(entry),
                "yes" if entry["isl"] else "no",
            ]
        )
    table(["constellation", "satellites", "shells", "km high", "in view", "links between satellites"], rows)
    for entry in entries:
        say(f"{entry['name']}: {entry['description']}\n  source: {entry['source']}\n")


def _visibility(facts: ConstellationEntry | SkyFacts) -> str:
    if "min_elevation_deg" in facts:
        return f"above {facts['min_elevation_deg']:g} deg"
    return f"within {facts['max_slant_range_km']:.0f} km"


def _describe(sky: Sky, asked: str) -> None:
    facts = sky.facts
    known = {entry["name"]: entry for entry in constellations()}.get(asked)
    say(f"{sky.name}: {known['description']}\n  source: {known['source']}" if known else sky.name)
    say(f"Satellites: {facts['satellites']}, in view {_visibility(facts)}")
    loose = facts["satellites"] - sum(shell["satellites"] for shell in facts["shells"])
    if loose:
        say(f"  {loose} satellites are outside all planes: rising, descending, spare, or alone")
    if facts["start"]:
        say(f"Start: {facts['start']}")
    say(f"Links between satellites: {facts['links']}")
    if facts["gateways"] or facts["pops"]:
        say(f"Ground: {facts['gateways']} gateways, {facts['pops']} points of presence")
    rows = [
        [
            shell["name"],
            str(shell["satellites"]),
            str(shell["planes"]),
            f"{shell['altitude_km']:.0f}",
            f"{shell['inclination_deg']:.2f}",
            f"{shell['period_s'] / 60:.1f}",
            f"{shell['slant_range_km']:.0f}",
            f"{shell['range_rate_km_s']:.2f}",
            f"{shell['doppler_ppm']:.1f}",
            "always" if shell["pass_s"] is None else f"{shell['pass_s'] / 60:.1f}",
        ]
        for shell in facts["shells"]
    ]
    if not rows:
        return
    head = ["shell", "satellites", "planes", "km high", "inclination deg", "period min"]
    table([*head, "slant range km", "range rate km/s", "Doppler ppm", "pass min"], rows)
    say("Slant range and range rate are the largest values in view. The pass is the longest pass, through the zenith.")
