# SPDX-License-Identifier: MIT OR Apache-2.0
"""Commands that answer without a run: path, schema, controllers, constellations."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bentpipe import _core, _space
from bentpipe._cli._console import note, say, table
from bentpipe._errors import ScenarioError

if TYPE_CHECKING:
    import argparse

    from bentpipe._run import Table


def register(commands: Any) -> None:
    """Add the commands of this module."""
    path = commands.add_parser(
        "path",
        help="the path between two places over time",
        description="Hops and propagation delay between two places over time.",
    )
    path.add_argument("origin", metavar="FROM", help='a city, or latitude and longitude as "37.9, -122.3"')
    path.add_argument("destination", metavar="TO")
    path.add_argument("--constellation", required=True, metavar="NAME", help="a preset (bentpipe constellations)")
    path.add_argument("--duration", default="1 h", metavar="TIME", help='how long to look (default "1 h")')
    path.add_argument("--step", default="10 s", metavar="TIME", help='how often (default "10 s")')
    path.add_argument("--plot", type=Path, metavar="FILE", help="picture to write: .png, .svg or .pdf")
    path.set_defaults(run=_path)

    schema = commands.add_parser("schema", help="JSON Schema of scenario and summary, list of errors")
    schema.add_argument("which", nargs="?", choices=("scenario", "summary", "errors"), default="scenario")
    schema.set_defaults(run=_schema)

    controllers = commands.add_parser("controllers", help="the controllers, or all about one")
    controllers.add_argument("name", nargs="?", metavar="NAME")
    controllers.set_defaults(run=_controllers)

    constellations = commands.add_parser("constellations", help="the constellation presets")
    constellations.set_defaults(run=_constellations)


def _path(chosen: argparse.Namespace) -> int:
    track = _space.path(
        chosen.origin,
        chosen.destination,
        constellation=chosen.constellation,
        duration=chosen.duration,
        step=chosen.step,
    )
    rows = [
        [f"{time:g}", str(links), _ms(one_way), _ms(rtt), via]
        for time, links, one_way, rtt, via in zip(
            *(track[name] for name in ("time_s", "links", "one_way_delay_ms", "propagation_rtt_ms", "via")), strict=True
        )
    ]
    # Between two changes of the path only its length moves: one row for each stretch says it all.
    changes = [row for row, before in zip(rows, [None, *rows], strict=False) if before is None or row[4] != before[4]]
    table(["from s", "links", "one way ms", "2D/c ms", "via"], changes)
    known = [rtt for rtt in track["propagation_rtt_ms"] if rtt is not None]
    title = f"{chosen.origin} to {chosen.destination} over {chosen.constellation}"
    say(
        f"{title}, {chosen.duration}: propagation round trip {min(known):.1f} to {max(known):.1f} ms, "
        f"mean {sum(known) / len(known):.1f} ms; {len(changes) - 1} path changes; "
        f"a path {100 * len(known) / len(rows):.1f} % of the time"
    )
    if chosen.plot is not None:
        _draw(track, title, chosen.plot)
    return 0


def _draw(track: Table, title: str, target: Path) -> None:
    from bentpipe import _plots
    from bentpipe._report import write_error

    if target.suffix.lower() not in (".png", ".svg", ".pdf"):
        raise ScenarioError("folder-unwritable", f"cannot write {target}: a picture ends in .png, .svg or .pdf")
    try:
        _plots.save(_plots.path_over_time(track, title), target)
    except OSError as problem:
        raise write_error(target, problem) from None
    note(f"picture: {target}")


def _ms(value: float | None) -> str:
    return "no path" if value is None else f"{value:.2f}"


def _schema(chosen: argparse.Namespace) -> int:
    if chosen.which == "errors":
        table(["code", "meaning"], _core.codes())
    else:
        say((_core.scenario_schema if chosen.which == "scenario" else _core.summary_schema)())
    return 0


def _controllers(chosen: argparse.Namespace) -> int:
    if chosen.name is None:
        entries = _space.controllers()
        table(["controller", "what it is"], [[entry["name"], entry["summary"]] for entry in entries])
        return 0
    entry = json.loads(_core.controllers(chosen.name))[0]
    say(f"{entry['name']}: {entry['summary']}\n")
    for heading, key in (("Equations", "equations"), ("Sources", "sources"), ("Limits", "limits")):
        say(f"{heading}\n{_indented(entry[key])}\n")
    say(f"Signals\n  requires: {entry['requires']}\n  uses: {entry['uses']}\n")
    if entry["parameters"]:
        head = ["parameter", "unit", "default", "bounds", "source", "why"]
        table(head, [[str(parameter[key]) for key in ("name", *head[1:])] for parameter in entry["parameters"]])
    return 0


def _indented(text: str | list[str]) -> str:
    lines = text.splitlines() if isinstance(text, str) else text
    return "\n".join(f"  {line.strip()}" for line in lines if line.strip())


def _constellations(_: argparse.Namespace) -> int:
    entries = _space.constellations()
    head = [key for key in entries[0] if key not in ("description", "source")]
    table([key.replace("_", " ") for key in head], [[str(entry[key]) for key in head] for entry in entries])
    for entry in entries:
        say(f"{entry['name']}: {entry['description']}\n  source: {entry['source']}\n")
    return 0
