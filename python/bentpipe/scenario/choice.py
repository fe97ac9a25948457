# SPDX-License-Identifier: MIT OR Apache-2.0
"""A controller as it is asked for: its name and what differs from its defaults."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bentpipe import _core
from bentpipe.base.errors import BentpipeError, ScenarioError
from bentpipe.base.json import plain
from bentpipe.scenario import catalogue
from bentpipe.scenario.controller import REGISTERED

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bentpipe.base.json import Document, Json

#: A number, a word or a text in quotes, as in TOML.
_PARAMETER = re.compile(r"""\s*([A-Za-z0-9_-]+)\s*=\s*("[^"]*"|'[^']*'|[^,]+?)\s*(?:,|$)""")


@dataclass(frozen=True)
class Choice:
    """A controller as it was asked for.

    Attributes:
        name: Name in the catalogue, or of one of your own.
        parameters: What differs from its defaults, as (key, value) pairs.
    """

    name: str
    parameters: tuple[tuple[str, Json], ...] = ()

    @classmethod
    def of(cls, asked: str | Mapping[str, object] | Choice) -> Choice:
        """From a name, from text as the command line has it (``cubic{beta=0.8}``), or from a table as in a file.

        Raises:
            ScenarioError: If it is none of these.
        """
        if isinstance(asked, Choice):
            return asked
        if isinstance(asked, str):
            name, brace, rest = asked.strip().partition("{")
            if not brace:
                return cls(name)
            if not rest.endswith("}"):
                raise ScenarioError("parameter-value", f'"{asked}" has no closing brace (write cubic{{beta=0.8}})')
            return cls(name.strip(), tuple(_parameters(rest[:-1], asked)))
        named = asked.get("name") if isinstance(asked, Mapping) else None
        if not isinstance(named, str):
            raise ScenarioError(
                "controller-unknown",
                f'{asked!r} is no controller (give its name, or a table: {{"name": "cubic", "beta": 0.8}})',
            )
        try:
            return cls(named, tuple((str(key), plain(value)) for key, value in asked.items() if key != "name"))
        except TypeError as problem:
            raise ScenarioError("parameter-value", f"{named}: {problem}") from None

    @property
    def key(self) -> str:
        """What a comparison calls it: ``cubic``, ``cubic{beta=0.8}``."""
        if not self.parameters:
            return self.name
        return f"{self.name}{{{','.join(f'{key}={_plain(value)}' for key, value in self.parameters)}}}"

    @property
    def label(self) -> str:
        """As tables and pictures show it: a stand-in carries a star."""
        return self.key.replace(self.name, catalogue.label(self.name), 1)

    @property
    def folder(self) -> str:
        """The beginning of its folders' names."""
        return re.sub(r"[^A-Za-z0-9._=+-]+", "-", self.key).strip("-")

    @property
    def is_own(self) -> bool:
        """Whether it is one in Python."""
        return self.name in REGISTERED

    @property
    def may_draw(self) -> bool:
        """Whether it draws from its seed, as the catalogue says; of one in Python that is not known."""
        return self.is_own or catalogue.draws(self.name)

    def table(self) -> str | Document:
        """As a scenario has it."""
        return {"name": self.name, **dict(self.parameters)} if self.parameters else self.name

    def check(self) -> None:
        """Whether there is such a controller with such parameters.

        Raises:
            ScenarioError: If not.
        """
        from bentpipe.scenario.classes import Dumbbell, Flow, Scenario

        probe = Scenario(
            name="probe",
            duration="1 us",
            network=Dumbbell(rate="1 Mbit/s", rtt="10 ms"),
            flows=[Flow(controller=self.table())],
        )
        try:
            # What the network of the probe lacks, that of the comparison may have.
            _core.run(_core.Job(probe.to_toml(), f"controller {self.key}"))
        except BentpipeError as problem:
            if problem.code.startswith(("controller-", "parameter-", "scenario-")):
                raise


def _parameters(text: str, asked: str) -> Iterator[tuple[str, Json]]:
    at = 0
    while at < len(text) and text[at:].strip():
        found = _PARAMETER.match(text, at)
        if found is None:
            raise ScenarioError(
                "parameter-value",
                f'"{asked}": cannot read "{text[at:].strip()}" as key=value (write cubic{{beta=0.8}})',
            )
        at = found.end()
        try:
            value = _core.read_toml(f"value = {found[2]}", asked)["value"]
        except ScenarioError:
            value = found[2]  # a bare word
        yield found[1], value


def _plain(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else f"{value:g}" if isinstance(value, float) else str(value)


def choices(asked: str | Sequence[str | Mapping[str, object]]) -> tuple[list[Choice], set[str]]:
    """The controllers asked for, each once, and the keys of those that only "all" stands for.

    Text is read as on the command line: names with commas between, parameters in braces.

    Raises:
        ScenarioError: If nothing is asked for, or a part of it cannot be read.
    """
    several = _parts(asked) if isinstance(asked, str) else list(asked)
    named = [Choice.of(one) for one in several if one != "all"]
    made = [
        choice
        for one in several
        for choice in (
            [Choice(str(entry["name"])) for entry in catalogue.controllers()] if one == "all" else [Choice.of(one)]
        )
    ]
    unique = {choice.key: choice for choice in made}
    if not unique:
        raise ScenarioError("controller-unknown", "no controller is named; write for example cubic,bbr3")
    return list(unique.values()), set(unique) - {choice.key for choice in named}


def _parts(text: str) -> list[str]:
    """Split at commas that stand in no braces."""
    return [part.strip() for part in re.findall(r"(?:[^,{]|\{[^}]*\}?)+", text) if part.strip()]
