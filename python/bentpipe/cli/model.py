# SPDX-License-Identifier: MIT OR Apache-2.0
"""List the models of the papers, or evaluate one: parameters, facts, table and notes."""

from __future__ import annotations

from bentpipe import _model
from bentpipe.base.errors import ScenarioError
from bentpipe.cli import options
from bentpipe.cli.console import note, said, say, say_json, table
from bentpipe.cli.pictures import save_picture

#: Rows of a table on the terminal.
_ROWS = 40


def add(parser: options.Parser) -> None:
    """Add the options."""
    parser.add_argument("name", nargs="?", metavar="NAME", help="name of a model (default: list all)")
    parser.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="KEY=VALUE",
        help="value of a parameter; a list has commas: rtt_ms=25,550",
    )
    options.picture(parser, "the curves", "--out")
    options.json(parser, "everything")
    options.csv(parser, "the table")


def run(chosen: options.Chosen) -> int:
    """List the models, or print and draw one model."""
    if chosen.name is None:
        if chosen.set or chosen.picture is not None:
            raise ScenarioError(
                "model-unknown",
                "--set and --picture need a model: write bentpipe model NAME (bentpipe model lists the names)",
            )
        entries = _model.models()
        if chosen.json:
            say_json(entries)
        table(["model", "result"], [[entry["name"], entry["about"]] for entry in entries])
        return 0
    answer = _model.model(chosen.name, **dict(_setting(text) for text in chosen.set))
    if chosen.json:
        say_json(_record(answer))
    _print(answer)
    if chosen.csv is not None:
        note(f"table: {answer.table.write(chosen.csv)}")
    if chosen.picture is not None:
        note(f"picture: {save_picture(answer.plot(), chosen.picture)}")
    return 0


def _setting(text: str) -> tuple[str, str]:
    key, equals, value = text.partition("=")
    if not equals or not key:
        raise ScenarioError(
            "parameter-value", f'--set "{text}" is not an assignment: write KEY=VALUE, as in --set rtt_ms=25,550'
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
    head = ["parameter", "value", "bounds", "meaning"]
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
        note(f"{len(shown)} of {len(answer.table)} rows are shown; --json and --csv contain all rows")
    for line in answer.notes:
        say(f"- {line}")


def _thinned(rows: int) -> list[int]:
    """Return the indices of the rows to show: all rows, or rows at equal distances with the first and the last."""
    if rows <= _ROWS:
        return list(range(rows))
    return [round(place * (rows - 1) / (_ROWS - 1)) for place in range(_ROWS)]


def _number(value: float) -> str:
    return said(value, ".6g")


def _cell(value: float | str | None) -> str:
    return value if isinstance(value, str) else said(value, ".6g")


def _value(value: float | list[float]) -> str:
    numbers = value if isinstance(value, list) else [value]
    if len(numbers) > 8:
        return f"{', '.join(map(_number, numbers[:3]))} .. {_number(numbers[-1])} ({len(numbers)} numbers)"
    return ", ".join(map(_number, numbers))
