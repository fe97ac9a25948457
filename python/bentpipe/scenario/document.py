# SPDX-License-Identifier: MIT OR Apache-2.0
"""Base classes of the generated scenario classes (`classes`), with conversion to TOML."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import tomli_w

from bentpipe import _core
from bentpipe.base.arguments import place, refuse
from bentpipe.base.errors import ScenarioError
from bentpipe.base.files import read_text

if TYPE_CHECKING:
    from bentpipe.base.json import Json


@dataclass(kw_only=True, slots=True, repr=False)
class TomlTable:
    """A table of a scenario. Each field is a key of the table. A key that is a Python keyword ends in ``_``."""

    def to_document(self) -> dict[str, Any]:
        """Return the table with plain values, without keys that are None."""
        pairs = ((field.name, getattr(self, field.name)) for field in dataclasses.fields(self))
        return {name.removesuffix("_"): _plain(value) for name, value in pairs if value is not None}

    def __repr__(self) -> str:
        """Return the constructor call, without keys that are None."""
        pairs = ((field.name, getattr(self, field.name)) for field in dataclasses.fields(self))
        keys = ", ".join(f"{name}={value!r}" for name, value in pairs if value is not None)
        return f"{type(self).__name__}({keys})"


def _plain(value: object) -> object:
    if isinstance(value, TomlTable):
        return value.to_document()
    if isinstance(value, Mapping):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    return value


@dataclass(kw_only=True, slots=True, repr=False)
class TomlDocument(TomlTable):
    """A complete scenario."""

    name: str | None = None
    network: TomlTable | Mapping[str, object]

    def to_document(self) -> dict[str, Any]:
        """Return the document with plain values. A network with one table can be given as this table.

        Raises:
            ArgumentError: If the network is not a table.
        """
        if not isinstance(self.network, (TomlTable, Mapping)):
            raise refuse(f"the network of a scenario must be a bentpipe.Network or Dumbbell, not {self.network!r}")
        document = TomlTable.to_document(self)
        if isinstance(self.network, TomlTable) and (kind := type(self.network).__name__) != "Network":
            document["network"] = {kind.lower(): document["network"]}
        return document

    def to_toml(self) -> str:
        """Return the document as TOML, without defaults.

        Raises:
            ArgumentError: If TOML cannot represent a value.
        """
        try:
            return tomli_w.dumps(self.to_document())
        except TypeError as problem:
            raise refuse(f"{self.title()} holds a value that TOML cannot represent: {problem}") from None

    def resolved(self) -> str:
        """Return the resolved document: checked, with every default filled in.

        Raises:
            ScenarioError: If the document is refused.
        """
        return _core.facts(_core.Job(self.to_toml(), self.title())).resolved

    def title(self) -> str:
        """Return the name of the document in messages."""
        return f"scenario {self.name or 'untitled'!r}"


@dataclass(frozen=True)
class Moved:
    """A setting of a transport, for a flow that a comparison moves to this transport.

    Attributes:
        table: The table of the flow in the scenario: ``flows[0]``.
        transport: The transport.
        place: The key in this table: ``("quic", "pacing")``.
        value: The value.
    """

    table: str
    transport: str
    place: tuple[str | int, ...]
    value: Json


@dataclass(frozen=True)
class ScenarioText(os.PathLike[str]):
    """The text of a scenario that is not the content of a file: it was read from stdin, or changed.

    Attributes:
        text: The text.
        origin: Name of the scenario in messages. Paths of the scenario's files are relative to it.
        moved: Settings of flows that a comparison moves to another transport.
    """

    text: str
    origin: str
    moved: tuple[Moved, ...] = ()

    def __fspath__(self) -> str:
        """Return the origin."""
        return self.origin

    def __str__(self) -> str:
        """Return the origin."""
        return self.origin


def text_of(scenario: str | os.PathLike[str] | TomlDocument) -> tuple[str, str]:
    """Return a scenario's text and origin.

    Args:
        scenario: A `Scenario`, TOML text (with a line break), a file, or a `ScenarioText`.
    """
    if isinstance(scenario, ScenarioText):
        return scenario.text, scenario.origin
    if isinstance(scenario, TomlDocument):
        return scenario.to_toml(), scenario.title()
    if isinstance(scenario, str) and "\n" in scenario:
        return scenario, "<text>"
    path = place("a scenario that is neither a bentpipe.Scenario nor text of several lines", scenario)
    if path is None:
        raise refuse("a scenario must be a file, TOML text or a bentpipe.Scenario, not None")
    return read_text(path, "scenario file"), str(path)


def as_toml(document: dict[str, Any]) -> str:
    """Return a document as TOML."""
    try:
        return tomli_w.dumps(document)
    except TypeError as problem:
        raise ScenarioError("scenario-wrong-type", f"TOML cannot represent a value: {problem}") from None
