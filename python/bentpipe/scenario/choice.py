# SPDX-License-Identifier: MIT OR Apache-2.0
"""A chosen controller: its name, and the parameters that differ from the defaults."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, get_args

from bentpipe import _core
from bentpipe.base.errors import BentpipeError, ScenarioError
from bentpipe.base.json import plain
from bentpipe.scenario import catalogue
from bentpipe.scenario.classes import TransportProtocol
from bentpipe.scenario.controller import REGISTERED

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bentpipe.base.json import Document, Json

#: The words between a controller and its transport: "cubic over quic".
_OVER = " over "
#: Protocols of a flow's connections, in the words of a scenario.
TRANSPORTS: tuple[TransportProtocol, ...] = get_args(TransportProtocol)

#: A number, a word or a text in quotes, as in TOML.
_PARAMETER = re.compile(r"""\s*([A-Za-z0-9_-]+)\s*=\s*("[^"]*"|'[^']*'|[^,]+?)\s*(?:,|$)""")


@dataclass(frozen=True)
class Choice:
    """A chosen controller.

    Attributes:
        name: Name in the catalogue, or name of a user's controller.
        parameters: Parameters that differ from the defaults, as (key, value) pairs.
        transport: Protocol that replaces the protocol of the flow; None to keep the protocol of the flow.
    """

    name: str
    parameters: tuple[tuple[str, Json], ...] = ()
    transport: TransportProtocol | None = None

    @classmethod
    def of(cls, asked: str | Mapping[str, object] | Choice) -> Choice:
        """Read a choice: a name, text of the command line (``cubic{beta=0.8} over quic``), or a table.

        Raises:
            ScenarioError: If the value has none of these forms.
        """
        if isinstance(asked, Choice):
            return asked
        if isinstance(asked, str):
            controller, over, transport = asked.strip().rpartition(_OVER)
            if over:
                return cls.of(controller).over(transport.strip())
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

    def over(self, transport: str) -> Choice:
        """Return the same controller over another transport: "tcp" or "quic".

        Raises:
            ScenarioError: If the transport is neither of the two.
        """
        known = [one for one in TRANSPORTS if one == transport]
        if not known:
            there = " or ".join(TRANSPORTS)
            raise ScenarioError("scenario-value", f'"{transport}" is not a transport (write {there})')
        return replace(self, transport=known[0])

    @property
    def key(self) -> str:
        """The name in a comparison: ``cubic``, ``cubic{beta=0.8}``, ``cubic over quic``."""
        values = ",".join(f"{key}={_plain(value)}" for key, value in self.parameters)
        controller = f"{self.name}{{{values}}}" if values else self.name
        return controller if self.transport is None else f"{controller}{_OVER}{self.transport}"

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
        """Whether the controller draws from its seed, by the catalogue. True for a controller in Python (not known)."""
        return self.is_own or catalogue.draws(self.name)

    def apply(self, flow: dict[str, Any], tcp: object = None) -> None:
        """Give a flow's table this controller and transport.

        Settings of the replaced transport are removed. A TCP flow that becomes QUIC keeps its `initial_window`, because
        both transports count it in packets. A flow that becomes TCP gets the settings `tcp`.
        """
        flow["controller"] = self._table()
        if self.transport is None or self.transport == flow.get("transport", TRANSPORTS[0]):
            return
        flow["transport"] = self.transport
        before = {settings: flow.pop(settings, None) or {} for settings in TRANSPORTS}
        if self.transport == TRANSPORTS[0]:
            if tcp is not None:
                flow["tcp"] = tcp
        elif "initial_window" in before[TRANSPORTS[0]]:
            flow[self.transport] = {"initial_window": before[TRANSPORTS[0]]["initial_window"]}

    def table(self) -> str | Document:
        """Return the value of the key `controller` in a scenario.

        Raises:
            ScenarioError: If the choice has a transport, because a flow has a separate key for the transport.
        """
        if self.transport is not None:
            raise ScenarioError(
                "scenario-value",
                f'"{self.key}": here the transport is a key of the flow (write --set flows.transport={self.transport})',
            )
        return self._table()

    def _table(self) -> str | Document:
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
            flows=[Flow(controller=self._table(), transport=self.transport)],
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


def choices(
    asked: str | Sequence[str | Mapping[str, object]], transports: Sequence[str] = ()
) -> tuple[list[Choice], set[str]]:
    """Return the chosen controllers, each once, and the keys of the controllers that only "all" selects.

    A text has the syntax of the command line: names separated by commas, parameters in braces. With `transports`, each
    controller without a transport is chosen once over each of them.

    Raises:
        ScenarioError: If the text is empty, or a part of it cannot be read.
    """
    several = _parts(asked) if isinstance(asked, str) else list(asked)

    def spread(choice: Choice) -> list[Choice]:
        return [choice.over(one) for one in transports] if transports and choice.transport is None else [choice]

    named = [choice for one in several if one != "all" for choice in spread(Choice.of(one))]
    made = [
        choice
        for one in several
        for whole in (
            [Choice(str(entry["name"])) for entry in catalogue.controllers()] if one == "all" else [Choice.of(one)]
        )
        for choice in spread(whole)
    ]
    unique = {choice.key: choice for choice in made}
    if not unique:
        raise ScenarioError("controller-unknown", "no controller is given; write for example cubic,bbr3")
    return list(unique.values()), set(unique) - {choice.key for choice in named}


def _parts(text: str) -> list[str]:
    """Split a text at commas outside braces."""
    return [part.strip() for part in re.findall(r"(?:[^,{]|\{[^}]*\}?)+", text) if part.strip()]
