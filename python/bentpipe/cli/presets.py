# SPDX-License-Identifier: MIT OR Apache-2.0
"""List the network presets, or describe one.

`network.preset = "NAME"` in a scenario uses a preset. The table shows how far each preset deviates from measurements of
the real network.
"""

from __future__ import annotations

from bentpipe.cli import options
from bentpipe.cli.console import say, say_file, say_json, table
from bentpipe.scenario import presets


def add(parser: options.Parser) -> None:
    """Add the options."""
    parser.add_argument("name", nargs="?", metavar="NAME", help="name of a preset")
    options.results(parser, "the presets with their sources and measurements")


def run(chosen: options.Chosen) -> int:
    """List the presets, or describe one preset."""
    if chosen.json:
        say_json(presets.entries() if chosen.name is None else presets.entry_of(chosen.name))
    if chosen.name is not None:
        return _one(chosen.name)
    table(
        ["preset", "description", "comparison"],
        [[entry["name"], entry["about"], presets.state(entry)] for entry in presets.entries()],
    )
    say('every preset has the sites "terminal" and "server"')
    return 0


def _one(name: str) -> int:
    entry = presets.entry_of(name)
    say(f"{entry['name']} ({presets.state(entry)}): {entry['about']}\n")
    rows = []
    for number in presets.kept(entry):
        spread = " – ".join(f"{one:.4g}" for one in (min(number.ours), number.mean, max(number.ours)))
        facts = number.facts
        verdict = f"{number.verdict} (a claim, not a measurement)" if facts["claim"] else number.verdict
        distance = presets.percent(number.distance())
        cells = [f"{facts['quantity']}, {facts['unit']}", number.published, spread, distance, verdict]
        rows.append([*cells, f"{facts['source']}, {facts['date']}"])
    table(["number", "published", "in Bentpipe: min – mean – max", "distance", "verdict", "source"], rows)
    for number in presets.kept(entry):
        if number.hangs_on:
            say(f"the verdict on “{number.facts['quantity']}” depends on: {', '.join(number.hangs_on)}")
    for one in entry["sources"]:
        say(f"keys from a source: {one['keys']}: {one['source']}")
    for assumed in entry["assumed"]:
        say(f"our assumption: {assumed['key'] or 'the measurement'}: {assumed['why']}")
    say("\nThe file:\n")
    say_file(entry["text"].strip())
    return 0
