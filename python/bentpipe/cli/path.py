# SPDX-License-Identifier: MIT OR Apache-2.0
"""Print hops, propagation delay and Doppler between places over time, without queues."""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import TYPE_CHECKING

from bentpipe import _core
from bentpipe.base.errors import BentpipeError, ScenarioError
from bentpipe.base.files import read_text
from bentpipe.base.tables import Table
from bentpipe.cli import options
from bentpipe.cli.console import note, say, say_json, table
from bentpipe.cli.constellation import PLACE, constellation, keys_as_options, looked_at, pair_of, sky_of
from bentpipe.cli.pictures import save_picture

if TYPE_CHECKING:
    from bentpipe._sky import Sky

#: Default interval of the rows over time.
_STEP = "10 s"
#: Shortest time before a change over which the mean rate of change is computed, in s. Times are rounded to 1 ms.
_SHORT_S = 0.5
#: Heading of the round trip at the speed of light.
_ROUND_TRIP = "propagation RTT ms"


def add(parser: options.Parser) -> None:
    """Add the options."""
    parser.add_argument("origin", nargs="?", metavar="FROM", help=PLACE)
    parser.add_argument("destination", nargs="?", metavar="TO", help="the second place, in the same form")
    parser.add_argument(
        "--pair", action="append", default=[], metavar="A:B", help="another pair of places (repeatable)"
    )
    parser.add_argument("--pairs", type=Path, metavar="FILE", help="file of pairs, one A:B per line")
    constellation(parser)
    options.duration(parser, "1 h")
    parser.add_argument(
        "--step",
        metavar="TIME",
        help=f'interval of the rows of --json and --csv (default "{_STEP}"); if --step is given, the printed table '
        "shows only the path changes that are visible at this interval",
    )
    parser.add_argument(
        "--exact",
        action="store_true",
        help="compute every change of the path to a millisecond, which is the default for the printed table; with "
        "--json, write one row for each change instead of one row for each step",
    )
    parser.add_argument(
        "--k",
        type=options.whole(),
        metavar="N",
        help="print the N shortest paths at the start instead of the path over time",
    )
    options.json(parser, "the path at every step")
    options.csv(parser, "the path at every step")
    parser.add_argument(
        "--czml",
        type=options.file,
        metavar="FILE",
        help="write satellites, links and the path of the first pair for Cesium",
    )
    options.picture(parser, "delay, drift and links over time", "--out", "--plot")


def _pairs(chosen: options.Chosen, sky: Sky) -> list[tuple[str, str]]:
    pairs = []
    if chosen.origin is not None:
        if chosen.destination is None:
            raise ScenarioError("usage", f"the path from {chosen.origin} has no second place (write FROM TO)")
        pairs.append((chosen.origin, chosen.destination))
    lines = [(text, "--pair") for text in chosen.pair]
    if chosen.pairs is not None:
        text = read_text(chosen.pairs, "list of pairs")
        lines += [
            (line, f"{chosen.pairs}:{number}")
            for number, line in enumerate(text.splitlines(), 1)
            if line.strip() and not line.startswith("#")
        ]
    for line, place in lines:
        pair = pair_of(line, place)
        for end in pair:
            try:
                sky._core.require_place(end)
            except ScenarioError as unknown:
                raise ScenarioError(unknown.code, f"{place}: {unknown.message}") from None
        pairs.append(pair)
    if not pairs:
        raise ScenarioError("usage", "no pair of places is given (write FROM TO, --pair A:B or --pairs FILE)")
    return pairs


@keys_as_options()
def run(chosen: options.Chosen) -> int:
    """Print, draw and write the paths."""
    sky = sky_of(chosen.constellation, chosen)
    pairs = _pairs(chosen, sky)
    if chosen.k is not None:
        if chosen.json:
            best = {pair: sky.shortest(*pair, k=chosen.k) for pair in pairs}
            say_json([{"from": a, "to": b, **row} for (a, b), rows in best.items() for row in rows])
        for pair in pairs:
            _shortest(sky, pair, chosen.k)
        return 0
    if chosen.json and chosen.exact:
        say_json([row for pair in pairs for row in sky.switches(*pair, duration=chosen.duration)])
    step = chosen.step or _STEP
    every = sky.paths(pairs, duration=chosen.duration, step=step)
    if chosen.json and not chosen.exact:
        say_json(list(every))
    size = len(every) // len(pairs)
    tracks = [(pair, Table(every.arrow.slice(number * size, size))) for number, pair in enumerate(pairs)]
    refused: list[BentpipeError] = []
    drawn: list[tuple[str, Table]] = []
    for pair, track in tracks:
        if not any(track["links"]):
            try:
                sky._core.require_path(*pair, chosen.duration, step)
            except BentpipeError as why:
                refused.append(why)
            continue
        # A table of steps misses changes between two steps, so it is printed only if a step is requested.
        switches = None if chosen.step and not chosen.exact else sky.switches(*pair, duration=chosen.duration)
        _stretches(track if switches is None else switches, is_exact=switches is not None)
        say(_summary(sky, pair, track, switches, chosen))
        drawn.append((" to ".join(pair), track if switches is None else _with_changes(track, switches)))
    if drawn and chosen.picture is not None:
        from bentpipe import plots  # imported here, because numpy is needed only for pictures

        title = f"{drawn[0][0] if len(drawn) == 1 else f'{len(drawn)} pairs'} over {sky.name}"
        note(f"picture: {save_picture(plots.paths_over_time(drawn, title), chosen.picture)}")
    if chosen.csv is not None:
        note(f"path: {every.write(chosen.csv)}")
    if chosen.czml is not None:
        # The file shows the first pair only, so missing paths of other pairs do not matter.
        if any(tracks[0][1]["links"]):
            sky.czml(chosen.czml, duration=chosen.duration, step=step, path=pairs[0])
            note(f"globe: {chosen.czml}")
        else:
            note(
                f"note: {chosen.czml} is not written, because no path exists from {' to '.join(pairs[0])}, the first "
                f"pair"
            )
    for refusal in refused[:-1]:
        note(str(refusal))
    if refused:
        raise refused[-1]
    return 0


def _with_changes(track: Table, switches: Table) -> Table:
    """Return the rows at every step, and two rows for each change of the path: the old and the new path at its moment.

    The columns are those that the picture needs.
    """
    import pyarrow as pa

    keys = ("time_s", "propagation_rtt_ms", "rtt_rate_us_s", "links", "via")
    steps, changes = track.arrow.to_pylist(), switches.arrow.to_pylist()
    rows = [{key: row[key] for key in keys} for row in steps]
    for last, row in itertools.pairwise(changes):
        time, rtt = row["time_s"], row["rtt_before_ms"]
        near = next((one for one in reversed(steps) if last["time_s"] <= one["time_s"] < time), last)
        rate, past_s = near["rtt_rate_us_s"], time - near["time_s"]
        if rate is not None and past_s > _SHORT_S:
            # The round trip is nearly a parabola over a step, so its mean rate is the mean of the rates at both ends.
            rate = 2e3 * (rtt - near["propagation_rtt_ms"]) / past_s - rate
        old = {"time_s": time, "propagation_rtt_ms": rtt, "rtt_rate_us_s": rate}
        rows += [{key: last[key] for key in keys} | old, {key: row[key] for key in keys}]
    # Rows at the same time stay in the order old path, new path, step.
    rows.sort(key=lambda row: row["time_s"])
    return Table(pa.Table.from_pylist(rows))


def _stretches(track: Table, *, is_exact: bool) -> None:
    """Print a row for each interval with the same path. Only the length of the path changes within an interval."""
    rows = track.arrow.to_pylist()
    begins = [row for row, last in zip(rows, [None, *rows], strict=False) if last is None or row["via"] != last["via"]]
    head = ["from s", "links", "one way ms", _ROUND_TRIP, "drift us/s", "via"]
    table(
        head,
        [
            [
                f"{row['time_s']:.3f}" if is_exact else f"{row['time_s']:g}",
                str(row["links"]),
                _number(row["one_way_delay_ms"], 2),
                _number(row["propagation_rtt_ms"], 2),
                _number(row["rtt_rate_us_s"], 1),
                row["via"] or "no path",
            ]
            for row in begins
        ],
    )


def _summary(sky: Sky, pair: tuple[str, str], track: Table, switches: Table | None, chosen: options.Chosen) -> str:
    rows = [row for row in track.arrow.to_pylist() if row["links"]]
    rtts = [row["propagation_rtt_ms"] for row in rows]
    mean = sum(rtts) / len(rtts)
    rates = [row["rtt_rate_us_s"] for row in rows]
    share = len(rows) / len(track)
    if switches is not None:
        exact = switches.arrow.to_pylist()
        rtts += [rtt for row in exact for rtt in (row["propagation_rtt_ms"], row["rtt_before_ms"]) if rtt is not None]
        rates += [row["rtt_rate_us_s"] for row in exact if row["links"]]
        end_s = _seconds(chosen.duration)
        ends = [*(row["time_s"] for row in exact[1:]), end_s]
        there = sum(end - row["time_s"] for row, end in zip(exact, ends, strict=True) if row["links"])
        share = there / end_s if end_s else 1.0
    ways = (track if switches is None else switches)["via"]
    changes = sum(one != other for one, other in itertools.pairwise(ways))
    drift = max(map(abs, rates))
    ground = max(max(abs(row["hop_doppler_ppm"][0]), abs(row["hop_doppler_ppm"][-1])) for row in rows)
    between = [abs(ppm) for row in rows for ppm in row["hop_doppler_ppm"][1:-1]]
    doppler = f"Doppler of the links to the ground up to {ground:.1f} ppm"
    if between:
        doppler += f", of inter-satellite links up to {max(between):.1f} ppm"
    seen = "" if switches is not None else f" seen every {chosen.step}"
    counted = f"{changes} path change{'' if changes == 1 else 's'}{seen}"
    least = sky.facts.get("min_elevation_deg")
    above = f" with satellites above {least:g} deg" if share < 1.0 and least is not None else ""
    return (
        f"{pair[0]} to {pair[1]} over {sky.name}, {looked_at(sky, chosen.duration)}: propagation round trip "
        f"{min(rtts):.1f} to {max(rtts):.1f} ms, mean {mean:.1f} ms, drifting up to {drift:.1f} us/s; "
        f"{counted}; a path exists {100 * share:.1f} % of the time{above}; {doppler}\n"
    )


def _seconds(span: str) -> float:
    """Return a time span that the constellation has accepted, in s."""
    found = _core.quantity(span)
    assert found is not None  # noqa: S101 - the paths were computed for this time span
    return float(found.number) * found.units[found.unit] / found.units["s"]


def _shortest(sky: Sky, pair: tuple[str, str], k: int) -> None:
    best = sky.shortest(*pair, k=k)
    if not len(best):
        sky._core.require_path(*pair, "0 s", "1 s")
    rows = zip(*(best[name] for name in ("links", "propagation_rtt_ms", "via")), strict=True)
    title = f"{pair[0]} to {pair[1]} over {sky.name}, at {sky.facts['start'] or 'the start'}"
    cells = [[str(number), str(links), _number(rtt, 3), via] for number, (links, rtt, via) in enumerate(rows, 1)]
    table(["", "links", _ROUND_TRIP, "via"], cells, title)


def _number(value: float | None, decimals: int) -> str:
    return "" if value is None else f"{value:.{decimals}f}"
