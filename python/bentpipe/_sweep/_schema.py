# SPDX-License-Identifier: MIT OR Apache-2.0
"""The format of sweep documents: one table of keys for the reader, the schema and the reference."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bentpipe.base.json import Schema

DESIGNS = ("grid", "random", "latin-hypercube", "sobol", "saltelli")
SCALES = ("linear", "log")
#: Largest number of runs. A larger number is probably a mistake.
MOST_RUNS = 1_000_000
#: Largest number of seeds. A larger number is probably a mistake.
MOST_SEEDS = 10_000


def _count(text: str, most: int, least: int = 1) -> Schema:
    return {"type": "integer", "minimum": least, "maximum": most, "description": text}


_END: Schema = {"type": ["number", "string"]}
_NAME: Schema = {"type": "string", "description": "Name of the axis in pictures. Default: a label of the key."}

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
            "description": "The scenario: a file, relative to the file of the sweep, or the keys of the scenario in a "
            "table [base]. Axes may set keys that the base lacks.",
        },
        "axes": {
            "type": "object",
            "minProperties": 1,
            "additionalProperties": {"$ref": "#/$defs/Axis"},
            "description": (
                'The varied keys of the scenario, in quotes: "network.dumbbell.rate". "flows.x" sets the key x of '
                'every flow that can have it, "flows[0].x" of the first flow, "flows.page.x" of flows named page, and '
                '"peps.x" of every table of proxies. A parameter of the controller is "flows.controller.beta". On an '
                'axis "network.preset", keys of the base are ignored if they belong to another kind of network than '
                "the preset."
            ),
        },
        "sample": {
            "$ref": "#/$defs/Sample",
            "description": "The combinations to run. The default is the whole grid.",
        },
        "seeds": {"$ref": "#/$defs/Seeds", "description": "Seeds of each point. The default is seeds 1 to 5."},
    },
    "$defs": {
        "Axis": {
            "description": "The values of a key: a list of values, a table with such a list and a name, or a range.",
            "anyOf": [{"type": "array", "minItems": 1}, {"$ref": "#/$defs/Values"}, {"$ref": "#/$defs/Range"}],
        },
        "Values": {
            "type": "object",
            "description": "A list of values with a name.",
            "additionalProperties": False,
            "required": ["values"],
            "properties": {
                "values": {"type": "array", "minItems": 1, "description": "The values."},
                "name": _NAME,
            },
        },
        "Range": {
            "type": "object",
            "description": "Numbers, or quantities with units, between two ends. If both ends are whole numbers "
            "without a unit, all values are whole.",
            "additionalProperties": False,
            "required": ["from", "to"],
            "properties": {
                "from": {**_END, "description": "The first value."},
                "to": {**_END, "description": "The last value."},
                "points": _count(
                    "Number of values, including both ends. A grid requires this key. Without this key, a sample "
                    "draws from the whole range.",
                    100_000,
                    2,
                ),
                "scale": {
                    "enum": list(SCALES),
                    "description": '"linear": equal differences. "log": equal factors. The default is "linear".',
                },
                "name": _NAME,
            },
        },
        "Sample": {
            "type": "object",
            "description": "The combinations of values to run.",
            "additionalProperties": False,
            "properties": {
                "design": {
                    "enum": list(DESIGNS),
                    "description": '"grid": all combinations. "random": independent draws. "latin-hypercube": every '
                    'axis has as many layers as there are points, with one point in each. "sobol": evenly spread over '
                    'all axes together. "saltelli": points x (axes + 2) combinations for the estimators of Sobol\'s '
                    "indices.",
                },
                "points": _count(
                    "Number of points of the sample. A grid does not have this key. The designs sobol and saltelli "
                    "need a power of two.",
                    MOST_RUNS,
                ),
                "seed": _count("Seed of the sample. The default is 1.", 2**31 - 1, 0),
            },
        },
        "Seeds": {
            "type": "object",
            "description": "All points have the same seeds 1 to N, so that comparisons are paired. If no key of a "
            "point draws at random and its first two seeds give the same run, the point has only two "
            "seeds.",
            "additionalProperties": False,
            "properties": {
                "at_least": _count("Smallest number of seeds of each point. The default is 5.", MOST_SEEDS),
                "until": {
                    "$ref": "#/$defs/Until",
                    "description": "The condition under which a point has enough seeds. Without this table, every "
                    "point has at_least seeds.",
                },
            },
        },
        "Until": {
            "type": "object",
            "description": (
                "A point gets more seeds (at_least, then twice as many, and so on) until its interval is narrow "
                "enough. All intervals computed for a point together have a confidence of 95 % (alpha spending, Lan "
                "and DeMets 1983), so stopping early does not increase the error."
            ),
            "additionalProperties": False,
            "required": ["of", "half_width", "at_most"],
            "properties": {
                "of": {
                    "type": "string",
                    "description": (
                        'Number with the interval: a column of runs.parquet, for example "goodput_mbit_s".'
                    ),
                },
                "half_width": {
                    "type": ["string", "number"],
                    "description": 'Largest half width of the interval, in percent of the mean ("2 %") or in the unit '
                    "of "
                    "the number (0.5).",
                },
                "at_most": _count("Largest number of seeds of a point.", MOST_SEEDS, 2),
            },
        },
    },
}


def text() -> str:
    """The JSON Schema, as `bentpipe schema sweep` prints it."""
    return json.dumps(SCHEMA, indent=2)


def known(name: str = "") -> list[str]:
    """Return the keys of a table of the format; without a name, the keys of the document."""
    return list((SCHEMA["$defs"][name] if name else SCHEMA)["properties"])
