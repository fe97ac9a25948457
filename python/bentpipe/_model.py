# SPDX-License-Identifier: MIT OR Apache-2.0
"""The models of the papers: what their formulas say, without a packet."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from bentpipe import _core
from bentpipe.base.tables import Table

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from bentpipe.scenario.answers import ModelAnswer, ModelEntry, Panel


def models() -> list[ModelEntry]:
    """The catalogue of models: name, what about, source, parameters with unit, default and bounds."""
    found: list[ModelEntry] = json.loads(_core.models())
    return found


@dataclass(frozen=True)
class Model:
    """What a model answers.

    Attributes:
        name: The model's name.
        source: Paper and equations.
        parameters: The values that were computed with.
        table: The curves.
        facts: Single numbers, the unit at the end of each name.
        notes: What a reader of the numbers must know: contradictions, readings, limits.
    """

    name: str
    source: str
    parameters: dict[str, float | list[float]]
    table: Table
    facts: dict[str, float]
    notes: list[str]
    _labels: dict[str, str] = field(repr=False)
    _panels: list[Panel] = field(repr=False)

    def plot(self) -> Figure:
        """The curves, panel by panel."""
        from bentpipe.show.pictures import model as _model_picture

        return _model_picture.picture(self)


def model(name: str, /, **parameters: float | Sequence[float] | str) -> Model:
    """What a model of a paper says.

    Args:
        name: A model (`models`).
        **parameters: Instead of its defaults: a number, a list of numbers, or numbers as text with commas between them.

    Raises:
        ScenarioError: If there is no such model or parameter (the message names the nearest), or a value is out of
            bounds.
    """
    text, table = _core.model(name, [(key, _wish(value)) for key, value in parameters.items()])
    answer: ModelAnswer = json.loads(text)
    return Model(
        name=name,
        source=next(entry["source"] for entry in models() if entry["name"] == name),
        parameters=answer["parameters"],
        table=Table(table),
        facts=answer["facts"],
        notes=answer["notes"],
        _labels=answer["labels"],
        _panels=answer["panels"],
    )


def _wish(value: float | Sequence[float] | str) -> list[float] | str:
    """A value as the catalogue checks it; what is no number goes there as text, and is refused with its place."""
    if isinstance(value, (str, bool)):
        return str(value)
    try:
        return [float(number) for number in (value if isinstance(value, Iterable) else [value])]
    except (TypeError, ValueError):
        return str(value)
