# SPDX-License-Identifier: MIT OR Apache-2.0
"""Writes docs/presets.md: `python -m doc_pages.presets docs/presets.md [NAME ...]` (`make presets`).

It runs every measurement again, keeps the numbers in ``presets.json`` and writes the tables between the two marks of
the page.
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from bentpipe.scenario import presets
from bentpipe.scenario.presets import Number, entries, kept, mean, percent, short, state
from doc_pages.measured_presets import FEWER, assumptions, measure

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bentpipe.scenario.answers import NetworkPreset

_BEGIN, _END = "<!-- python -m doc_pages.presets -->", "<!-- end -->"


def section() -> str:
    """Returns the tables in Markdown, from the stored numbers."""
    parts = []
    for entry in entries():
        numbers = kept(entry)
        lines = [
            f"## {entry['name']}: {state(entry)}",
            "",
            f"{entry['about']}.",
            "",
            "| number | published | ours: least – mean – most | distance | |",
            "|---|---:|---:|---:|---|",
        ]
        for number in numbers:
            spread = " – ".join(map(short, (min(number.ours), number.mean, max(number.ours))))
            facts = number.facts
            verdict = f"{number.verdict}; a claim, not a measurement" if facts["claim"] else number.verdict
            lines.append(
                f"| {facts['quantity']}, {facts['unit']} | {number.published} | {spread} "
                f"| {percent(number.distance())} | {verdict} |"
            )
        lines += ["", *_sources(entry, numbers), "", *_varied(entry, numbers)]
        parts.append("\n".join(lines))
    return "\n\n".join(parts)


def _sources(entry: NetworkPreset, numbers: Sequence[Number]) -> list[str]:
    every = [number.facts for number in numbers]
    said = [f"- {facts['quantity']}: {facts['says']}. {facts['source']}; {facts['date']}." for facts in every]
    taken = [f"- `{one['keys']}`: {one['source']}." for one in entry["sources"]]
    ours = [f"- `{one['key']}`: {one['why']}." for one in entry["assumed"] if one["key"]]
    beside = [f"- About the measurement: {one['why']}." for one in entry["assumed"] if not one["key"]]
    return ["Published:", "", *said, "", "Taken from:", "", *taken, "", "Assumed by us:", "", *ours, *beside]


def _varied(entry: NetworkPreset, numbers: Sequence[Number]) -> list[str]:
    head = " | ".join(f"{number.facts['quantity']}, {number.facts['unit']}" for number in numbers)
    lines = [f"| with another assumption | {head} |", "|---|" + "---:|" * len(numbers)]
    lines.append("| as it is | " + " | ".join(_cell(number, number.ours[: len(FEWER)]) for number in numbers) + " |")
    lines += [
        f"| {name} | " + " | ".join(_cell(number, number.varied[name]) for number in numbers) + " |"
        for name in assumptions(entry)
    ]
    hanging = [
        f"{number.facts['quantity']} ({', '.join(f'“{name}”' for name in number.hangs_on)})"
        for number in numbers
        if number.hangs_on
    ]
    verdict = "Assumptions change the verdict for: " + "; ".join(hanging) + "." if hanging else ""
    return [*lines, "", verdict or "No assumption changes a verdict."]


def _cell(number: Number, values: Sequence[float]) -> str:
    if not values:
        return "–"
    value = mean(values)
    return short(value) + (f" ({percent(number.distance(value))})" if number.distance(value) else "")


def between(text: str) -> str:
    """Return the text between the marks of the page."""
    return text.split(_BEGIN, 1)[1].split(_END, 1)[0].strip()


def write(file: Path, names: Sequence[str]) -> None:
    """Measure the presets (all, if none is named), keep the numbers, and write the tables into the page."""
    values_file = Path(presets.__file__).with_name("presets.json")
    values = json.loads(values_file.read_text(encoding="utf-8")) if values_file.exists() else {}
    values |= measure(names or [str(entry["name"]) for entry in entries()])
    values_file.write_text(json.dumps(values, indent=1) + "\n", encoding="utf-8")
    # The messages of every run over a preset contain these numbers.
    for entry in entries():
        preset = file.parent.parent / "data" / "presets" / f"{entry['name']}.toml"
        said = re.sub(r'(?m)^state = ".*"$', f'state = "{state(entry)}"', preset.read_text(encoding="utf-8"))
        preset.write_text(said, encoding="utf-8")
    render(file)


def render(file: Path) -> None:
    """Write the tables of the stored numbers into the page."""
    text = file.read_text(encoding="utf-8")
    before, rest = text.split(_BEGIN, 1)
    after = rest.split(_END, 1)[1]
    file.write_text(f"{before}{_BEGIN}\n{section()}\n{_END}{after}", encoding="utf-8")


if __name__ == "__main__":
    write(Path(sys.argv[1]), sys.argv[2:])
