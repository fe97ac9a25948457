# SPDX-License-Identifier: MIT OR Apache-2.0
"""The format of sweep documents: one table of what keys there are, for the reader, the schema and the reference."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bentpipe.base.json import Schema

DESIGNS = ("grid", "random", "latin-hypercube", "sobol", "saltelli")
SCALES = ("linear", "log")
#: More runs than this are a slip.
MOST_RUNS = 1_000_000
#: More seeds than this are, too.
MOST_SEEDS = 10_000


def _count(text: str, most: int, least: int = 1) -> Schema:
    return {"type": "integer", "minimum": least, "maximum": most, "description": text}


_END: Schema = {"type": ["number", "string"]}

SCHEMA: Schema = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "title": "Bentpipe sweep",
    "description": "One scenario, run at many values of some of its keys.",
    "type": "object",
    "additionalProperties": False,
    "required": ["base", "axes"],
    "properties": {
        "base": {
            "type": ["string", "object"],
            "description": "The scenario: a file, relative to that of the sweep, or the scenario's own keys in a table "
            "[base]. An axis may give what it lacks.",
        },
        "axes": {
            "type": "object",
            "minProperties": 1,
            "additionalProperties": {"$ref": "#/$defs/Axis"},
            "description": 'What is varied. A key of the scenario in quotes: "network.dumbbell.rate". "flows.x" is x '
            'of every flow that can have it, "flows[0].x" of the first, "flows.page.x" of those with that name. A '
            'controller\'s parameter is "flows.controller.beta".',
        },
        "sample": {
            "$ref": "#/$defs/Sample",
            "description": "Which combinations are run. Default: all, the whole grid.",
        },
        "seeds": {"$ref": "#/$defs/Seeds", "description": "Seeds of each point. Default: 1 to 5."},
    },
    "$defs": {
        "Axis": {
            "description": "The values of a key: a list of them, or a range.",
            "anyOf": [{"type": "array", "minItems": 1}, {"$ref": "#/$defs/Range"}],
        },
        "Range": {
            "type": "object",
            "description": "Numbers, or quantities with their unit, from one to another. Whole numbers without a unit "
            "at both ends mean whole numbers.",
            "additionalProperties": False,
            "required": ["from", "to"],
            "properties": {
                "from": {**_END, "description": "The first value."},
                "to": {**_END, "description": "The last value."},
                "points": _count(
                    "How many values, both ends among them. A grid needs it; a sample draws from the whole range "
                    "without it.",
                    100_000,
                    2,
                ),
                "scale": {
                    "enum": list(SCALES),
                    "description": 'Whether steps are differences or factors. Default "linear".',
                },
            },
        },
        "Sample": {
            "type": "object",
            "description": "Which combinations of values are run.",
            "additionalProperties": False,
            "properties": {
                "design": {
                    "enum": list(DESIGNS),
                    "description": 'All combinations ("grid"), drawn one by one ("random"), one in each of as many '
                    'layers of every axis ("latin-hypercube"), evenly spread over all axes together ("sobol"), or what '
                    'the estimators of Sobol\'s indices need ("saltelli": points x (axes + 2) combinations).',
                },
                "points": _count("How many; not of a grid. A power of two for sobol and saltelli.", MOST_RUNS),
                "seed": _count("Draws the sample. Default 1.", 2**31 - 1, 0),
            },
        },
        "Seeds": {
            "type": "object",
            "description": "Seeds 1 to a number, the same for all points: comparisons are paired. A point without "
            "chance (no key of it draws, and its first two seeds give the same run) has two.",
            "additionalProperties": False,
            "properties": {
                "at_least": _count("So many for each point. Default 5.", MOST_SEEDS),
                "until": {
                    "$ref": "#/$defs/Until",
                    "description": "When a point has enough. Without it every point has at_least.",
                },
            },
        },
        "Until": {
            "type": "object",
            "description": "A point gets more seeds (at_least, then twice as many, and so on) until an interval is "
            "narrow. All the intervals that are looked at hold together with 95 % (alpha spending, Lan and DeMets "
            "1983): stopping early makes no error likelier.",
            "additionalProperties": False,
            "required": ["of", "half_width", "at_most"],
            "properties": {
                "of": {"type": "string", "description": 'Which number: a column of runs.parquet ("goodput_mbit_s").'},
                "half_width": {
                    "type": ["string", "number"],
                    "description": 'Half of the interval\'s width, in percent of the mean ("2 %") or in the unit of '
                    "the number (0.5).",
                },
                "at_most": _count("Seeds that no point exceeds.", MOST_SEEDS, 2),
            },
        },
    },
}


def text() -> str:
    """The JSON Schema, as `bentpipe schema sweep` prints it."""
    return json.dumps(SCHEMA, indent=2)


def known(name: str = "") -> list[str]:
    """The keys of a table of the format; of the whole document without a name."""
    return list((SCHEMA["$defs"][name] if name else SCHEMA)["properties"])
