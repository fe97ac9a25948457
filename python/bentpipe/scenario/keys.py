# SPDX-License-Identifier: MIT OR Apache-2.0
"""Parse keys of a scenario in the notation of axes, and set values at keys."""

from __future__ import annotations

import functools
import itertools
import json
import re
from typing import TYPE_CHECKING, TypedDict

from bentpipe import _core
from bentpipe.base.errors import ScenarioError
from bentpipe.base.json import tables

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bentpipe.base.json import Document, Json

#: A name, bare or in quotes, and the index in a list.
_PART = re.compile(r"""(?:"([^"]*)"|'([^']*)'|([A-Za-z0-9_ *+-]+))((?:\[\d+\])*)""")
#: For keys whose value may be a table or a text, the key of the table that has the text.
_SHORT = {"controller": "name", "queue": "limit"}

#: A place in a document: names of keys, and indices in lists.
Place = tuple[str | int, ...]


def shown(place: Place) -> str:
    """Return a place in the notation of messages: ``flows[0].controller``."""
    return "".join(f"[{one}]" if isinstance(one, int) else f".{one}" for one in place).lstrip(".")


def parts(key: str) -> Place:
    """Parse a key such as ``flows[0].controller.beta``.

    Raises:
        ScenarioError: If the syntax is wrong.
    """
    place: list[str | int] = []
    at = 0
    while at < len(key):
        found = _PART.match(key, at)
        if found is None or (found.end() < len(key) and key[found.end()] != "."):
            break
        at = found.end() + 1
        place.append(next(one for one in found.groups()[:3] if one is not None))
        place += map(int, re.findall(r"\d+", found[4]))
    if not place or at != len(key) + 1:
        raise ScenarioError(
            "scenario-unknown-key",
            f'cannot read "{key}" as a key (write for example "network.dumbbell.rate", "flows.controller.beta", '
            '"flows[0].start" or "flows.page.size")',
        )
    return tuple(place)


def found(document: Document, place: Place) -> list[Place]:
    """Return the places that a key selects in a document.

    ``flows.x`` selects x of every flow that can have x. ``peps.x`` selects x of every table of proxies.

    Raises:
        ScenarioError: If the key names an unknown flow, or the base has no proxies.
    """
    if place[0] == "peps" and len(place) > 1 and not isinstance(place[1], int):
        count = len(tables(document, "peps"))
        if not count:
            raise ScenarioError("scenario-unknown-key", f"`{shown(place)}` has no effect: the base has no [[peps]]")
        return [("peps", at, *place[1:]) for at in range(count)]
    if place[0] != "flows" or len(place) < 2 or isinstance(place[1], int):
        return [place]
    flows = tables(document, "flows")
    first = place[1]
    kinds = _flow_keys().get(str(first))
    numbers = [
        at for at, flow in enumerate(flows) if kinds is not None and (not kinds or flow.get("kind", "tcp") in kinds)
    ]
    named = [at for at, flow in enumerate(flows) if flow.get("name") == first]
    # The name of a flow may be equal to a key that no flow here can have.
    if kinds is None or (not numbers and named and len(place) > 2):
        numbers, place = named, place[1:]
        if not numbers or len(place) < 2:
            raise ScenarioError(
                "scenario-unknown-key",
                _no_such_flow(str(first), [str(flow["name"]) for flow in flows if "name" in flow]),
            )
    if not numbers:
        raise ScenarioError("scenario-unknown-key", f"no flow of the scenario can have `{first}`")
    return [("flows", at, *place[1:]) for at in numbers]


def _no_such_flow(name: str, names: Sequence[str]) -> str:
    near = _core.nearest(name, [*_flow_keys(), *names])
    hint = f"did you mean `{near}`? " if near else ""
    there = ", ".join(f"`{one}`" for one in names) or "none"
    return f"`{name}` is neither a key of a flow nor the name of a flow ({hint}flows by name: {there})"


class _Only(TypedDict, total=False):
    """The part of the schema that lists the kinds of flows that have a key."""

    kind: list[str]


_Key = TypedDict("_Key", {"x-only": _Only}, total=False)


@functools.cache
def _flow_keys() -> dict[str, tuple[str, ...]]:
    """Return the keys of a flow, each with the kinds of flows that have the key; empty if all kinds have it."""
    keys: dict[str, _Key] = json.loads(_core.scenario_schema())["$defs"]["Flow"]["properties"]
    return {key: tuple(about.get("x-only", _Only()).get("kind", ())) for key, about in keys.items()}


def put(document: Document, place: Place, value: Json) -> Document:
    """Return the document with another value at a place. Other parts are shared, not copied.

    Raises:
        ScenarioError: If the place cannot exist, because it is beyond the end of a list or below a plain value.
    """
    made = _put(document, place, value)
    assert isinstance(made, dict), place  # noqa: S101 - a place in a document begins with a key
    return made


def _put(document: Json, place: Place, value: Json) -> Json:
    if not place:
        return value
    first, *rest = place
    if isinstance(first, int):
        if not isinstance(document, list) or first >= len(document):
            count = len(document) if isinstance(document, list) else 0
            raise ScenarioError(
                "scenario-unknown-key",
                f"index {first} is beyond the end of the list in the scenario: the list has {count} entries",
            )
        return [_put(one, tuple(rest), value) if at == first else one for at, one in enumerate(document)]
    if document is None:
        document = {}
    if not isinstance(document, dict):
        raise ScenarioError(
            "scenario-unknown-key",
            f"the key `{first}` cannot be here: the scenario has {document!r}, not a table",
        )
    inner = document.get(first)
    if rest and isinstance(inner, str) and first in _SHORT:
        inner = {_SHORT[first]: inner}
    return {**document, first: _put(inner, tuple(rest), value)}


def overlapping(places: Sequence[Sequence[Place]]) -> Iterator[tuple[int, int, Place]]:
    """Yield pairs of axes that set the same place, with the place."""
    seen: dict[Place, int] = {}
    for number, some in enumerate(places):
        for place in some:
            if place in seen and seen[place] != number:
                yield seen[place], number, place
                break
            seen.setdefault(place, number)


def nested(places: Sequence[Sequence[Place]]) -> Iterator[tuple[int, int, Place]]:
    """Yield pairs of axes where the first sets a table with the key of the second, and the path in this table."""
    for outer, inner in itertools.permutations(range(len(places)), 2):
        ways = (
            its[len(mine) :]
            for mine in places[outer]
            for its in places[inner]
            if len(mine) < len(its) and its[: len(mine)] == mine
        )
        way = next(ways, None)
        if way is not None:
            yield outer, inner, way


def holds(value: object, way: Place, name: str) -> bool:
    """Return whether a value of the key `name` sets a key below `name`. A text may represent a table."""
    for one in way:
        if isinstance(value, str) and name in _SHORT:
            value = {_SHORT[name]: value}
        if isinstance(one, int):
            if not isinstance(value, (list, tuple)) or one >= len(value):
                return False
            value = value[one]
        else:
            if not isinstance(value, dict) or one not in value:
                return False
            value = value[one]
        name = str(one)
    return True
