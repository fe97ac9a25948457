# SPDX-License-Identifier: MIT OR Apache-2.0
"""Commands that look at a constellation: constellations, path, passes."""

from __future__ import annotations

import argparse
import itertools
from pathlib import Path
from typing import TYPE_CHECKING

import bentpipe.scenario.catalogue as space
from bentpipe._sky import Sky
from bentpipe.base.errors import BentpipeError, ScenarioError
from bentpipe.base.files import read_text
from bentpipe.cli.console import note, say, table
from bentpipe.cli.runs import check_picture, save_figure

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from bentpipe.base.tables import Table
    from bentpipe.cli.console import Commands
    from bentpipe.scenario.answers import ConstellationEntry, SkyFacts

_NAMED = "a preset (bentpipe constellations), a file of element sets (.tle, .txt, .json, .csv) or a scenario (.toml)"


def register(commands: Commands) -> None:
    """Add the commands of this module."""
    path = commands.add_parser(
        "path",
        help="the paths between places over time",
        description="Hops, propagation delay and Doppler between places over time, without queues.",
    )
    path.add_argument("origin", nargs="?", metavar="FROM", help='a city, or latitude and longitude: "37.9, -122.3"')
    path.add_argument("destination", nargs="?", metavar="TO")
    path.add_argument("--pair", action="append", default=[], metavar="A:B", help="another pair of places (repeatable)")
    path.add_argument("--pairs", type=Path, metavar="FILE", help="file of pairs, one A:B a line")
    _constellation(path)
    path.add_argument("--duration", default="1 h", metavar="TIME", help='how long to look (default "1 h")')
    path.add_argument("--step", default="10 s", metavar="TIME", help='how often (default "10 s")')
    path.add_argument("--exact", action="store_true", help="switches to a millisecond instead of the step before them")
    path.add_argument("--k", type=_positive, metavar="N", help="the N shortest paths at the start instead")
    path.add_argument("--csv", type=Path, metavar="FILE", help="write the path at every step as CSV")
    path.add_argument("--czml", type=Path, metavar="FILE", help="write satellites, links and the first pair for Cesium")
    _picture(path, "delay, drift and links over time")
    path.set_defaults(run=_path)

    passes = commands.add_parser("passes", help="when satellites rise and set over a place")
    passes.add_argument("site", metavar="SITE")
    _constellation(passes)
    passes.add_argument("--duration", default="1 h", metavar="TIME", help='how long to look (default "1 h")')
    passes.add_argument("--csv", type=Path, metavar="FILE", help="write the passes as CSV")
    passes.set_defaults(run=_passes)

    listed = commands.add_parser("constellations", help="the constellation presets, or all about one constellation")
    listed.add_argument("name", nargs="?", metavar="NAME|FILE", help=_NAMED)
    listed.add_argument("--start", metavar="TIME", help="start of the run for a file of element sets, UTC")
    listed.add_argument("--at", default="0 s", metavar="TIME", help="moment of the map, after the start")
    listed.add_argument("--pair", metavar="A:B", help="two places whose path to draw on the map")
    _picture(listed, "map of the satellites and their links")
    listed.set_defaults(run=_constellations)


def _constellation(command: argparse.ArgumentParser) -> None:
    command.add_argument("--constellation", required=True, metavar="NAME|FILE", help=_NAMED)
    command.add_argument("--start", metavar="TIME", help="start of the run for a file of element sets, UTC")
    command.add_argument(
        "--unusable", choices=("skip", "refuse"), help="satellites of a file that cannot be followed (default skip)"
    )


def _picture(command: argparse.ArgumentParser, what: str) -> None:
    # `--plot` was its name; scripts may still say so.
    command.add_argument("--out", "--plot", type=Path, metavar="FILE", help=f"{what}: .png, .svg or .pdf")


def _positive(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is no number of paths (write 1 or more)")
    return int(text)


def _sky(what: str, chosen: argparse.Namespace) -> Sky:
    changes = {key: getattr(chosen, key, None) for key in ("start", "unusable")}
    sky = Sky(what, **{key: value for key, value in changes.items() if value is not None})
    for text in sky.notes:
        note(f"note: {text}")
    return sky


def _pairs(chosen: argparse.Namespace) -> list[tuple[str, str]]:
    pairs = []
    if chosen.origin is not None:
        if chosen.destination is None:
            raise ScenarioError("usage", f"there is no place to go from {chosen.origin} (write FROM TO)")
        pairs.append((chosen.origin, chosen.destination))
    lines = [(text, "--pair") for text in chosen.pair]
    if chosen.pairs is not None:
        text = read_text(chosen.pairs, "list of pairs")
        lines += [
            (line, f"{chosen.pairs}:{number}")
            for number, line in enumerate(text.splitlines(), 1)
            if line.strip() and not line.startswith("#")
        ]
    pairs += [_pair(line, place) for line, place in lines]
    if not pairs:
        raise ScenarioError("usage", "there is no pair of places (write FROM TO, --pair A:B or --pairs FILE)")
    return pairs


def _pair(text: str, place: str) -> tuple[str, str]:
    origin, _, destination = (part.strip() for part in text.partition(":"))
    if not origin or not destination or ":" in destination:
        raise ScenarioError("usage", f"{place}: {text!r} is no pair of places (write A:B)")
    return origin, destination


def _path(chosen: argparse.Namespace) -> int:
    pairs = _pairs(chosen)
    if chosen.out is not None:
        check_picture(chosen.out)
    sky = _sky(chosen.constellation, chosen)
    if chosen.k is not None:
        for pair in pairs:
            _shortest(sky, pair, chosen.k)
        return 0
    every = sky.paths(pairs, duration=chosen.duration, step=chosen.step)
    size = len(every) // len(pairs)
    tracks = [(pair, _slice(every, number * size, size)) for number, pair in enumerate(pairs)]
    refused: list[BentpipeError] = []
    for pair, track in tracks:
        if not any(track["links"]):
            try:
                sky._core.require_path(*pair, chosen.duration, chosen.step)
            except BentpipeError as why:
                refused.append(why)
            continue
        _stretches(sky, pair, track, chosen)
        say(_summary(sky, pair, track, chosen))
    found = [(" to ".join(pair), track) for pair, track in tracks if any(track["links"])]
    if found and chosen.out is not None:
        from bentpipe import plots

        title = f"{found[0][0] if len(found) == 1 else f'{len(found)} pairs'} over {sky.name}"
        _save(plots.paths_over_time(found, title), chosen.out)
    if chosen.csv is not None:
        note(f"path: {every.to_csv(chosen.csv)}")
    if chosen.czml is not None:
        # It shows the first pair only: what became of the others is no reason not to.
        if any(tracks[0][1]["links"]):
            sky.czml(chosen.czml, duration=chosen.duration, step=chosen.step, path=pairs[0])
            note(f"globe: {chosen.czml}")
        else:
            note(f"note: {chosen.czml} is not written: there is no path from {' to '.join(pairs[0])}, which it shows")
    for refusal in refused[:-1]:
        note(str(refusal))
    if refused:
        raise refused[-1]
    return 0


def _slice(every: Table, first: int, size: int) -> Table:
    from bentpipe.base.tables import Table

    return Table(every.arrow.slice(first, size))


def _stretches(sky: Sky, pair: tuple[str, str], track: Table, chosen: argparse.Namespace) -> None:
    """One row for each stretch of one path: in between only its length moves."""
    rows = sky.switches(*pair, duration=chosen.duration).arrow.to_pylist() if chosen.exact else track.arrow.to_pylist()
    begins = [row for row, last in zip(rows, [None, *rows], strict=False) if last is None or row["via"] != last["via"]]
    head = ["from s", "links", "one way ms", "2D/c ms", "drift us/s", "via"]
    table(
        head,
        [
            [
                f"{row['time_s']:.3f}" if chosen.exact else f"{row['time_s']:g}",
                str(row["links"]),
                _number(row["one_way_delay_ms"], 2),
                _number(row["propagation_rtt_ms"], 2),
                _number(row["rtt_rate_us_s"], 1),
                row["via"] or "no path",
            ]
            for row in begins
        ],
    )


def _summary(sky: Sky, pair: tuple[str, str], track: Table, chosen: argparse.Namespace) -> str:
    rows = [row for row in track.arrow.to_pylist() if row["links"]]
    rtts = [row["propagation_rtt_ms"] for row in rows]
    ways = track["via"]
    changes = sum(one != other for one, other in itertools.pairwise(ways))
    drift = max(abs(row["rtt_rate_us_s"]) for row in rows)
    ground = max(max(abs(row["hop_doppler_ppm"][0]), abs(row["hop_doppler_ppm"][-1])) for row in rows)
    between = [abs(ppm) for row in rows for ppm in row["hop_doppler_ppm"][1:-1]]
    doppler = f"Doppler of the links to the ground up to {ground:.1f} ppm"
    if between:
        doppler += f", of those in between up to {max(between):.1f} ppm"
    return (
        f"{pair[0]} to {pair[1]} over {sky.name}, {chosen.duration}: propagation round trip {min(rtts):.1f} to "
        f"{max(rtts):.1f} ms, mean {sum(rtts) / len(rtts):.1f} ms, drifting up to {drift:.1f} us/s; {changes} path "
        f"changes; a path {100 * len(rows) / len(track):.1f} % of the time; {doppler}\n"
    )


def _shortest(sky: Sky, pair: tuple[str, str], k: int) -> None:
    best = sky.shortest(*pair, k=k)
    if not len(best):
        sky._core.require_path(*pair, "0 s", "1 s")
    rows = zip(*(best[name] for name in ("links", "propagation_rtt_ms", "via")), strict=True)
    title = f"{pair[0]} to {pair[1]} over {sky.name}, at the start"
    cells = [[str(number), str(links), _number(rtt, 3), via] for number, (links, rtt, via) in enumerate(rows, 1)]
    table(["", "links", "2D/c ms", "via"], cells, title)


def _passes(chosen: argparse.Namespace) -> int:
    sky = _sky(chosen.constellation, chosen)
    passes = sky.passes(chosen.site, duration=chosen.duration)
    if not len(passes):
        # Says why, and when there is one.
        sky._core.require_path(chosen.site, chosen.site, chosen.duration, "10 s")
    if chosen.csv is not None:
        note(f"passes: {passes.to_csv(chosen.csv)}")
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
    said = f"; {len(lasting)} whole ones of {min(lasting):.1f} to {max(lasting):.1f} s" if lasting else ""
    say(f"{chosen.site} under {sky.name}, {chosen.duration}: {len(cells)} passes{said}")
    return 0


def _constellations(chosen: argparse.Namespace) -> int:
    if chosen.name is None:
        _list()
        return 0
    if chosen.out is not None:
        check_picture(chosen.out)
    sky = _sky(chosen.name, chosen)
    _describe(sky, str(chosen.name))
    if chosen.out is not None:
        from bentpipe import plots

        pair = None if chosen.pair is None else _pair(chosen.pair, "--pair")
        _save(plots.constellation(sky, chosen.at, pair), chosen.out)
    return 0


def _list() -> None:
    entries = space.constellations()
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
    known = {entry["name"]: entry for entry in space.constellations()}.get(asked)
    say(f"{sky.name}: {known['description']}\n  source: {known['source']}" if known else sky.name)
    say(f"Satellites: {facts['satellites']}, in view {_visibility(facts)}")
    loose = facts["satellites"] - sum(shell["satellites"] for shell in facts["shells"])
    if loose:
        say(f"  {loose} of them in no plane: on their way up or down, spare, or alone")
    if facts["start"]:
        say(f"Start: {facts['start']}")
    say(f"Links between satellites: {facts['links']}")
    if facts["gateways"] or facts["pops"]:
        say(f"On the ground: {facts['gateways']} gateways, {facts['pops']} points of presence")
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
    say("Slant range, range rate and pass are the greatest: at the bound of view, and through the zenith.")


def _save(figure: Figure, target: Path) -> None:
    note(f"picture: {save_figure(figure, target)}")


def _number(value: float | None, decimals: int) -> str:
    return "" if value is None else f"{value:.{decimals}f}"
