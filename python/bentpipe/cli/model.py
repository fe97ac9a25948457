# SPDX-License-Identifier: MIT OR Apache-2.0
"""The command `model`: what the papers' formulas say."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

from bentpipe import _model
from bentpipe.base.errors import ScenarioError
from bentpipe.cli.console import note, say, table

if TYPE_CHECKING:
    import argparse

    from bentpipe.cli.console import Commands

#: Rows of a table on the terminal.
_ROWS = 40


def register(commands: Commands) -> None:
    """Add the command of this module."""
    command = commands.add_parser(
        "model",
        help="what the papers' formulas say, without a run",
        description="The models of the papers, or what one of them says: parameters, facts, table and notes.",
    )
    command.add_argument("name", nargs="?", metavar="NAME")
    command.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="KEY=VALUE",
        help="instead of a parameter's default; a list has commas: rtt_ms=25,550",
    )
    command.add_argument("--out", type=Path, metavar="FILE", help="picture to write: .png, .svg or .pdf")
    command.add_argument("--json", action="store_true", help="print everything as JSON instead of tables")
    command.set_defaults(run=_run)


def _run(chosen: argparse.Namespace) -> int:
    if chosen.name is None:
        if chosen.set or chosen.out is not None:
            raise ScenarioError(
                "model-unknown", "--set and --out need a model: write bentpipe model NAME, and see the list"
            )
        _list(as_json=chosen.json)
        return 0
    answer = _model.model(chosen.name, **dict(_setting(text) for text in chosen.set))
    if chosen.json:
        say(json.dumps(_record(answer), indent=2, ensure_ascii=False))
    else:
        _print(answer)
    if chosen.out is not None:
        from bentpipe.cli.runs import save_figure

        note(f"picture: {save_figure(answer.plot(), chosen.out)}")
    return 0


def _list(*, as_json: bool) -> None:
    entries = _model.models()
    if as_json:
        say(json.dumps(entries, indent=2, ensure_ascii=False))
    else:
        table(["model", "what it says"], [[entry["name"], entry["about"]] for entry in entries])


def _setting(text: str) -> tuple[str, str]:
    key, equals, value = text.partition("=")
    if not equals or not key:
        raise ScenarioError(
            "parameter-value", f'--set "{text}" sets nothing: write KEY=VALUE, as in --set rtt_ms=25,550'
        )
    return key.strip(), value.strip()


def _record(answer: _model.Model) -> dict[str, object]:
    return {
        "name": answer.name,
        "source": answer.source,
        "parameters": answer.parameters,
        "facts": answer.facts,
        "notes": answer.notes,
        "table": {name: answer.table[name] for name in answer.table.columns},
    }


def _print(answer: _model.Model) -> None:
    entry = next(entry for entry in _model.models() if entry["name"] == answer.name)
    say(f"{answer.name}: {entry['about']}")
    say(f"Source: {answer.source}")
    head = ["parameter", "value", "bounds", "what it is"]
    table(
        head,
        [
            [wish["name"], _value(answer.parameters[wish["name"]]), wish["bounds"], wish["about"]]
            for wish in entry["parameters"]
        ],
    )
    table(["fact", "value"], [[name, _number(value)] for name, value in answer.facts.items()])
    shown = _thinned(len(answer.table))
    columns = [answer.table[name] for name in answer.table.columns]
    table(answer.table.columns, [[_cell(column[row]) for column in columns] for row in shown])
    if len(shown) < len(answer.table):
        note(f"{len(shown)} of {len(answer.table)} rows; --json prints all")
    for line in answer.notes:
        say(f"- {line}")


def _thinned(rows: int) -> list[int]:
    """Rows to show: all, or some at equal distances, the first and the last among them."""
    if rows <= _ROWS:
        return list(range(rows))
    return [round(place * (rows - 1) / (_ROWS - 1)) for place in range(_ROWS)]


def _number(value: float) -> str:
    return f"{value:.6g}"


def _cell(value: float | str | None) -> str:
    if value is None:
        return "–"
    return value if isinstance(value, str) else _number(value)


def _value(value: float | list[float]) -> str:
    numbers = value if isinstance(value, list) else [value]
    if len(numbers) > 8:
        return f"{', '.join(map(_number, numbers[:3]))} .. {_number(numbers[-1])} ({len(numbers)} numbers)"
    return ", ".join(map(_number, numbers))
