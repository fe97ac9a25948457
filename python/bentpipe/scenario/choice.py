# SPDX-License-Identifier: MIT OR Apache-2.0
"""A chosen controller: its name, and the parameters that differ from the defaults."""

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
    """A chosen controller.

    Attributes:
        name: Name in the catalogue, or name of a user's controller.
        parameters: Parameters that differ from the defaults, as (key, value) pairs.
    """

    name: str
    parameters: tuple[tuple[str, Json], ...] = ()

    @classmethod
    def of(cls, asked: str | Mapping[str, object] | Choice) -> Choice:
        """Read a choice: a name, text of the command line (``cubic{beta=0.8}``), or a table of a file.

        Raises:
            ScenarioError: If the value has none of these forms.
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
                f'{asked!r} is not a controller (give a name, or a table: {{"name": "cubic", "beta": 0.8}})',
            )
        try:
            return cls(named, tuple((str(key), plain(value)) for key, value in asked.items() if key != "name"))
        except TypeError as problem:
            raise ScenarioError("parameter-value", f"{named}: {problem}") from None

    @property
    def key(self) -> str:
        """The name in a comparison: ``cubic``, ``cubic{beta=0.8}``."""
        if not self.parameters:
            return self.name
        return f"{self.name}{{{','.join(f'{key}={_plain(value)}' for key, value in self.parameters)}}}"

    @property
    def label(self) -> str:
        """The name in tables and pictures. A star marks a substitute."""
        return self.key.replace(self.name, catalogue.label(self.name), 1)

    @property
    def folder(self) -> str:
        """The prefix of the names of run folders."""
        return re.sub(r"[^A-Za-z0-9._=+-]+", "-", self.key).strip("-")

    @property
    def is_own(self) -> bool:
        """Whether the controller is written in Python."""
        return self.name in REGISTERED

    @property
    def may_draw(self) -> bool:
        """Whether the controller draws from its seed, by the catalogue; unknown for controllers in Python."""
        return self.is_own or catalogue.draws(self.name)

    def table(self) -> str | Document:
        """The value for a scenario."""
        return {"name": self.name, **dict(self.parameters)} if self.parameters else self.name

    def check(self) -> None:
        """Check that the controller and its parameters exist.

        Raises:
            ScenarioError: If the controller or a parameter does not exist.
        """
        from bentpipe.scenario.classes import Dumbbell, Flow, Scenario

        probe = Scenario(
            name="probe",
            duration="1 us",
            network=Dumbbell(rate="1 Mbit/s", rtt="10 ms"),
            flows=[Flow(controller=self.table())],
        )
        try:
            # The comparison's network may have a signal that the probe's network lacks.
            _core.run(_core.Job(probe.to_toml(), f"controller {self.key}"))
        except BentpipeError as problem:
            if problem.code.startswith(("controller-", "parameter-", "scenario-")):
                # The user does not know the probe's scenario, so its lines and keys are left out.
                said = "; ".join(fault.message for fault in problem.faults) or problem.message
                raise ScenarioError(problem.code, said if self.name in said else f"{self.key}: {said}") from None


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
    """Return the chosen controllers, each once, and the keys of the controllers that only "all" selects.

    A text has the syntax of the command line: names separated by commas, parameters in braces.

    Raises:
        ScenarioError: If the text is empty, or a part of it cannot be read.
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
        raise ScenarioError("controller-unknown", "no controller is given; write for example cubic,bbr3")
    return list(unique.values()), set(unique) - {choice.key for choice in named}


def _parts(text: str) -> list[str]:
    """Split a text at commas outside braces."""
    return [part.strip() for part in re.findall(r"(?:[^,{]|\{[^}]*\}?)+", text) if part.strip()]
