# SPDX-License-Identifier: MIT OR Apache-2.0
"""Set other values at keys of a scenario, as ``--set KEY=VALUE`` does."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from bentpipe import _core
from bentpipe.base.errors import ScenarioError
from bentpipe.base.json import tables
from bentpipe.scenario import keys
from bentpipe.scenario.choice import TRANSPORTS, Choice
from bentpipe.scenario.document import Moved, ScenarioText, as_toml, text_of

if TYPE_CHECKING:
    import os
    from collections.abc import Collection, Iterator, Sequence

    from bentpipe.base.errors import Fault
    from bentpipe.base.json import Document, Json

#: The values of a list, separated by commas.
_SEPARATE = re.compile(r"""(?:[^,\[\{"']|\[[^\]]*\]|\{[^}]*\}|"[^"]*"|'[^']*')+""")

#: The name before a key: "initial window:flows.tcp.initial_window". Quotes in a key may contain a colon.
_NAMED = re.compile(r"([^:=.\[\"']+):\s*")


@dataclass(frozen=True, eq=False)
class Setting:
    """A key of a scenario and its value.

    Attributes:
        place: The parsed key.
        value: The value.
        said: The text of the command line, without the name.
        name: Name of the key for readers; by default its last part.
    """

    place: keys.Place
    value: Json
    said: str
    name: str = ""

    @classmethod
    def of(cls, text: str) -> Setting:
        """Read ``KEY=VALUE``. The value is TOML. Text needs no quotes. A controller may have parameters in braces.

        Raises:
            ScenarioError: If there is no key or no value.
        """
        key, equals, value = (part.strip() for part in text.partition("="))
        if not equals or not key or not value:
            raise ScenarioError(
                "argument-value",
                f'"{text}" is not KEY=VALUE (write for example network.dumbbell.rate="20 Mbit/s")',
            )
        place = keys.parts(key)
        return cls(place, _value(place, value), text)

    @classmethod
    def several(cls, text: str) -> Iterator[Setting]:
        """Read ``KEY=A,B,C`` or ``NAME:KEY=A,B,C``, a setting for each value.

        Commas in brackets, braces or quotes do not separate values.

        Raises:
            ScenarioError: As for `of`.
        """
        named = _NAMED.match(text)
        name, text = (named[1].strip(), text[named.end() :]) if named else ("", text)
        key, equals, values = text.partition("=")
        if not equals:
            yield cls.of(text)
        for value in _SEPARATE.findall(values) or [""]:
            yield replace(cls.of(f"{key}={value}"), name=name)

    @property
    def label(self) -> str:
        """The name of the key with its value: ``initial_window=30``."""
        return f"{self.name or self.place[-1]}={self.said.partition('=')[2].strip()}"

    @property
    def transport(self) -> str | None:
        """The transport whose settings of a flow the key sets: "quic" for ``flows.quic.pacing``; otherwise None."""
        if self.place[0] != "flows":
            return None
        return next((str(part) for part in self.place[1:-1] if part in TRANSPORTS), None)

    def places(self, document: Document) -> list[keys.Place]:
        """Return the places of the key in a document.

        Raises:
            ScenarioError: If the document has no such place.
        """
        try:
            return keys.found(document, self.place)
        except ScenarioError as problem:
            raise ScenarioError(problem.code, f"{self.said}: {problem.message}") from None

    def holds(self, key: str) -> bool:
        """Return whether the key of a fault is at or below the place of the setting, in any flow."""
        mine = [part for part in self.place if not isinstance(part, int)]
        its = [part for part in keys.parts(key) if not isinstance(part, int)] if key else []
        return its[: len(mine)] == mine or its[-len(mine) :] == mine or its[:-1] == mine


def _value(place: keys.Place, text: str) -> Json:
    if place[-1] == "controller" and "{" in text and not text.startswith("{"):
        return Choice.of(text).table()
    try:
        return _core.read_toml(f"value = {text}", "--set")["value"]
    except ScenarioError:
        return text


def put_settings(document: Document, settings: Sequence[Setting], over: Collection[str] = ()) -> Document:
    """Return the document with the values of the settings.

    A setting of a transport (``flows.quic.pacing``) applies to the flows over this transport.

    Args:
        document: The scenario.
        settings: The settings, applied in order.
        over: Transports that a comparison gives to flows later. A setting of such a transport may select no flow yet.

    Raises:
        ScenarioError: If the document has no place for a key.
    """
    for setting in settings:
        try:
            places = keys.found(document, setting.place)
            if setting.transport is not None:
                fits = [place for place in places if _transport_at(document, place) == setting.transport]
                if not fits and setting.transport not in over:
                    raise _no_flow_over(setting.transport)
                places = fits
            for place in places:
                document = keys.put(document, place, setting.value)
        except ScenarioError as problem:
            raise ScenarioError(problem.code, f"--set {setting.said}: {problem.message}") from None
    return document


def _transport_at(document: Document, place: keys.Place) -> object:
    """Return the transport of the flow of a place: ``("flows", 0, "quic", "pacing")``."""
    flows, at = tables(document, "flows"), place[1]
    if not isinstance(at, int) or at >= len(flows):
        return None  # `keys.put` reports the place
    return flows[at].get("transport", TRANSPORTS[0])


def _no_flow_over(transport: str) -> ScenarioError:
    return ScenarioError(
        "scenario-value",
        f"no flow with this key runs over {transport.upper()} (write transport = {transport!r} in the flow; with "
        f"bentpipe compare: --transport {transport})".replace("'", '"'),
    )


def with_settings(
    scenario: str | os.PathLike[str],
    settings: Sequence[Setting],
    *,
    is_checked: bool = True,
    over: Collection[str] = (),
) -> ScenarioText:
    """Return a scenario with the values of the settings.

    Args:
        scenario: A file or TOML text.
        settings: The settings, applied in order.
        is_checked: Whether a wrong value is reported here, with its setting. If the document is not a scenario (for
            example, if it has ranges), its reader checks it.
        over: Transports that a comparison gives to flows of the scenario. Flows that move to such a transport get the
            settings of this transport (`ScenarioText.moved`).

    Raises:
        ScenarioError: If the scenario or a setting cannot be used.
    """
    text, origin = text_of(scenario)
    document = _core.read_toml(text, origin)
    moved = tuple(
        Moved(f"flows[{place[1]}]", transport, place[2:], setting.value)
        for setting in settings
        if (transport := setting.transport) in over and transport is not None
        for place in keys.found(document, setting.place)
    )
    changed = ScenarioText(as_toml(put_settings(document, settings, over)), origin, moved)
    if not is_checked:
        return changed
    try:
        _core.facts(_core.Job(changed.text, origin))
    except ScenarioError as problem:
        raise _placed(problem, text, origin, settings) from None
    return changed


def _placed(problem: ScenarioError, text: str, origin: str, settings: Sequence[Setting]) -> ScenarioError:
    """Return the error with the setting of each fault. The lines of the changed text differ from those of the file."""
    if not problem.faults:
        return problem
    told = []
    for fault in problem.faults:
        setting = next((one for one in settings if one.holds(fault.key)), None)
        if setting is None:
            # If the fault is in the file itself, it has the file's line.
            _core.facts(_core.Job(text, origin))
        told.append(_line(fault, setting, origin))
    return ScenarioError(problem.code, "\n".join(told), problem.faults)


def _line(fault: Fault, setting: Setting | None, origin: str) -> str:
    place = f"{origin} with --set" if setting is None else f"--set {setting.said}"
    return f"{place}: {fault.key}: {fault.message}"
