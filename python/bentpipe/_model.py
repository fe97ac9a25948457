# SPDX-License-Identifier: MIT OR Apache-2.0
"""Evaluate the formulas of papers, without simulation."""

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
    """Return the catalogue of models: name, subject, source, and parameters with unit, default and bounds."""
    found: list[ModelEntry] = json.loads(_core.models())
    return found


@dataclass(frozen=True)
class Model:
    """The result of a model.

    Attributes:
        name: The model's name.
        source: Paper and equations.
        parameters: The values of the parameters.
        table: The curves.
        facts: Single numbers. Each name ends in the unit.
        notes: Notes for readers of the numbers: contradictions in the paper, our interpretations of the paper, limits.
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
        """Draw the curves, panel by panel."""
        from bentpipe.show.pictures import model as _model_picture

        return _model_picture.picture(self)


def model(name: str, /, **parameters: float | Sequence[float] | str) -> Model:
    """Evaluate a model of a paper.

    Args:
        name: Name of a model (`models`).
        **parameters: Values that replace defaults: a number, a list of numbers, or numbers as text separated by commas.

    Raises:
        ScenarioError: If the model or a parameter is unknown (the message has the nearest name), or a value is out of
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
    """Convert a value for the check by the catalogue. A value of another type is passed as text, which is refused."""
    if isinstance(value, (str, bool)):
        return str(value)
    try:
        return [float(number) for number in (value if isinstance(value, Iterable) else [value])]
    except (TypeError, ValueError):
        return str(value)
