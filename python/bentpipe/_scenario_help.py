# SPDX-License-Identifier: MIT OR Apache-2.0
"""What `help` says of the scenario classes: every key, in the words of the format's schema.

A class says in its own docstring what Python says otherwise than a file; the rest is put below it when it is asked for.
"""

from __future__ import annotations

import dataclasses
import functools
import json
import re
import textwrap
from typing import Any

from bentpipe import _core, _scenario
from bentpipe._scenario import LOSS_KEYS

#: The classes, each with the name of its table in the schema.
_TABLES: dict[type, str] = {
    getattr(_scenario, name): name
    for name in (
        *("Walker", "Shell", "Place", "Site", "Gateway", "Access", "Handover", "SharedLinks", "Beam", "Constellation"),
        *("Dumbbell", "Chain", "Branch", "Carrier", "ForwardCarrier", "Star", "Starlink", "Tcp", "Flow", "Traffic"),
        *("Pep", "Record"),
    )
} | {_scenario.Link: "Wire", _scenario.Isl: "IslTable", _scenario.Scenario: "Bentpipe scenario"}


@functools.cache
def _schema() -> dict[str, Any]:
    return dict(json.loads(_core.scenario_schema()))


class Doc:
    """A docstring that reads the schema when it is looked at, not when the package is imported."""

    def __init__(self, cls: type, definition: str) -> None:
        self._own = (cls.__doc__ or "").rstrip()
        self._bases = [base.__dict__.get("__doc__") or "" for base in cls.__mro__[1:]]
        self._fields = [field.name for field in dataclasses.fields(cls)]
        self._definition = definition

    def __get__(self, instance: object, owner: type | None = None) -> str:
        """The text."""
        missing = [name for name in self._fields if not _said(self._own, name)]
        if not missing:
            return self._own
        head = "" if "\n    Attributes:\n" in self._own else "\n\n    Attributes:"
        return self._own + head + "".join(f"\n{self._entry(name)}" for name in missing)

    def _entry(self, name: str) -> str:
        for base in self._bases:
            text = base._own if isinstance(base, Doc) else base
            if found := _said(text, name):
                return found
        text = f"{name}: {self._meaning(name)}"
        return textwrap.fill(text, 120, initial_indent=" " * 8, subsequent_indent=" " * 12)

    def _meaning(self, name: str) -> str:
        from bentpipe._reference import bounds

        schema = _schema()
        table = schema if self._definition == schema["title"] else schema["$defs"][self._definition]
        key = table["properties"].get(name.rstrip("_")) or schema["$defs"]["Loss"]["properties"][LOSS_KEYS[name]]
        return str(key.get("description", table.get("description", ""))) + bounds(key)


def _said(text: str, name: str) -> str:
    """What a docstring says of a key; empty if nothing."""
    found = re.search(rf"^ {{8}}{name}: .*(?:\n {{9,}}.*)*", text, re.MULTILINE)
    return found[0] if found else ""


def document() -> None:
    """Give the classes their docstrings."""
    for cls, definition in _TABLES.items():
        cls.__doc__ = Doc(cls, definition)  # type: ignore[assignment]
