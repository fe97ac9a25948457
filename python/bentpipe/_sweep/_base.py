# SPDX-License-Identifier: MIT OR Apache-2.0
"""Check the base of a sweep with every value of every axis, before any run is made.

The reader of scenarios checks every value of every axis, together with the first value of every other axis. Therefore
keys, units and parameters are checked in one place.
"""

from __future__ import annotations

import functools
import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from bentpipe import _core
from bentpipe._sweep._axes import columns
from bentpipe._sweep._faults import faults_of
from bentpipe.base.errors import Fault, ScenarioError
from bentpipe.results.metrics import METRICS
from bentpipe.scenario import keys as _keys
from bentpipe.scenario.document import as_toml
from bentpipe.scenario.presets import entries

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bentpipe._sweep._axes import Axis
    from bentpipe._sweep._faults import Faults

#: Error codes for a value that is wrong by itself, whatever the other values are.
_BY_ITSELF = ("unit-", "controller-", "parameter-", "preset-", "scenario-unknown-key", "scenario-wrong-type")
#: Columns of a run in addition to axes and numbers.
FRAME = ("point", "seed", "error", "folder", "findings", "findings_badness")


@functools.cache
def numbers() -> tuple[str, ...]:
    """Return the names of the numbers of a run: the numbers of comparisons, and the other totals."""
    totals = json.loads(_core.summary_schema())["$defs"]["Totals"]["properties"]
    # This number describes flows that were not selected, and a sweep selects all flows.
    shown = [metric.key for metric in METRICS if metric.key != "others_goodput_mbit_s"]
    return tuple(dict.fromkeys([*shown, *totals]))


@functools.cache
def flow_columns() -> dict[str, dict[str, Any]]:
    """Return the columns of a flow (nested numbers as `rtt_ms_p95`), each with its part of the summary's schema."""
    return {"_".join(place): about for place, about in _of_flow().items()}


@functools.cache
def flow_places() -> dict[tuple[str, ...], list[tuple[str, str]]]:
    """Return the sources of a flow's columns in a summary: for each table its keys, each with its column."""
    found: dict[tuple[str, ...], list[tuple[str, str]]] = {}
    for place in _of_flow():
        found.setdefault(place[:-1], []).append((place[-1], "_".join(place)))
    return found


def _of_flow() -> dict[tuple[str, ...], dict[str, Any]]:
    schema = json.loads(_core.summary_schema())
    return _leaves(schema["$defs"]["FlowSummary"]["properties"], schema["$defs"])


def _leaves(
    properties: dict[str, Any], others: dict[str, Any], before: tuple[str, ...] = ()
) -> dict[tuple[str, ...], dict[str, Any]]:
    found: dict[tuple[str, ...], dict[str, Any]] = {}
    for key, about in properties.items():
        references = [one["$ref"] for one in [about, *about.get("anyOf", ())] if "$ref" in one]
        inner = others[references[0].rsplit("/", 1)[-1]] if references else {}
        if "properties" in inner:
            found |= _leaves(inner["properties"], others, (*before, key))
        else:
            found[*before, key] = about
    return found


def put_all(base: dict[str, Any], axes: Sequence[Axis], values: Sequence[Any]) -> dict[str, Any]:
    """Return the base with a value for each axis. An axis with a longer key is applied after axes with shorter keys."""
    document = base
    for axis, value in sorted(zip(axes, values, strict=True), key=lambda pair: len(pair[0].place)):
        for place in _keys.found(document, axis.place):
            if place == ("network", "preset"):
                document = _without_foreign(document, value)
            document = _keys.put(document, place, value)
            if place[:1] == ("flows",) and place[-1] == "controller":
                document = _named(document, base, int(place[1]))
    return document


def _without_foreign(document: dict[str, Any], preset: object) -> dict[str, Any]:
    """Return the base for another network preset, without keys that this preset's kind of network does not have."""
    network = document.get("network")
    kinds = _kinds()
    if not isinstance(network, dict) or not isinstance(preset, str) or preset not in kinds:
        return document
    foreign = kinds.get(str(network.get("preset")), frozenset()) - kinds[preset]
    return {**document, "network": {key: value for key, value in network.items() if key not in foreign}}


@functools.cache
def _kinds() -> dict[str, frozenset[str]]:
    """Return, for each preset, the tables of its network. These tables show the kind of the network."""
    return {preset["name"]: frozenset(preset["network"]) for preset in entries()}


def _named(document: dict[str, Any], base: dict[str, Any], number: int) -> dict[str, Any]:
    """Name flows without a name by a number, because the default name would be the name of the controller."""
    flows = base["flows"]
    if len(flows) < 2 or "name" in flows[number]:
        return document
    named: dict[str, Any] = _keys.put(document, ("flows", number, "name"), f"flow {number + 1}")
    return named


def check(faults: Faults, base: dict[str, Any], origin: str, axes: Sequence[Axis], *, inline: bool) -> list[Axis]:
    """Check every value of every axis with the first values of the other axes. Return the axes with columns."""
    places = []
    for axis in axes:
        try:
            places.append(_keys.found(base, axis.place))
        except ScenarioError as problem:
            faults.add(_path(axis), problem.code, problem.message)
            places.append([])
    for one, other, place in _keys.overlapping(places):
        text = f'this axis and "{axes[one].key}" both set {_keys.shown(place)}'
        faults.add(_path(axes[other]), "scenario-value", text)
    for outer, inner, rest in _keys.nested(places):
        value = next((one for one in axes[outer].ends if _keys.holds(one, rest, axes[outer].tail)), None)
        if value is not None:
            text = (
                f'this axis and "{axes[outer].key}" both set {_keys.shown(places[inner][0])}: '
                f"the value {axes[outer].label(value)} sets it (remove {_keys.shown(rest)} from that axis, or remove "
                "this axis)"
            )
            faults.add(_path(axes[inner]), "scenario-value", text)
    if not faults.found:
        looked = _Looked(faults, base, origin, axes, places, inline)
        looked.at_all()
        if not faults.found:
            looked.at_files()
    names = columns(axes, (*FRAME, *numbers()))
    return [replace(axis, column=name) for axis, name in zip(axes, names, strict=True)]


def _path(axis: Axis) -> tuple[str, ...]:
    return ("axes", axis.key)


class _Looked:
    """Finds the faults of a base, or of values in the base."""

    def __init__(
        self,
        faults: Faults,
        base: dict[str, Any],
        origin: str,
        axes: Sequence[Axis],
        places: Sequence[Sequence[_keys.Place]],
        inline: bool,
    ) -> None:
        self.faults, self.base, self.origin, self.axes, self.places = faults, base, origin, axes, places
        self.inline = inline

    def at_all(self) -> None:
        first = [axis.ends[0] for axis in self.axes]
        last = [axis.ends[-1] for axis in self.axes]
        self._at(first, None)
        is_wrong = bool(self.faults.found)
        for number, axis in enumerate(self.axes):
            for value in axis.ends[0 if is_wrong else 1 :]:
                if is_wrong:
                    # One fault may hide other faults, so each value is also checked alone in the base.
                    self._add(self._found([axis], [value]), number, value, mine=True)
                else:
                    self._at([*first[:number], value, *first[number + 1 :]], number, last)

    def at_files(self) -> None:
        """Compute the networks of two points, because faults in the files of a scenario appear only there.

        If both points have the same fault, the sweep is refused. The fault belongs to the first axis without whose
        value it disappears, and otherwise to the base. (A fault of one point is in the rows of its runs.)
        """
        first = [axis.ends[0] for axis in self.axes]
        found = self._laid_out(self.axes, first)
        last = self._laid_out(self.axes, [axis.ends[-1] for axis in self.axes]) if found else []
        if [(one.code, one.key) for one in found] != [(one.code, one.key) for one in last]:
            return
        for one in found:
            said = f"{one.key}: {one.message}" if one.key else one.message
            for number, axis in enumerate(self.axes):
                rest = [at for at in range(len(self.axes)) if at != number]
                if one not in self._laid_out([self.axes[at] for at in rest], [first[at] for at in rest]):
                    self.faults.add(_path(axis), one.code, f"{axis.label(first[number])}: {said}")
                    break
            else:
                self.faults.add(("base",), one.code, f"{self.origin} does not run: {said}")

    def _laid_out(self, axes: Sequence[Axis], values: Sequence[Any]) -> list[Fault]:
        """Return the faults of computing the network of the base with values for some axes, without lines."""
        try:
            _core.cost(_core.Job(as_toml(put_all(self.base, axes, values)), self.origin), measured=False)
        except ScenarioError as problem:
            return [replace(one, line=None) for one in faults_of(problem)]
        return []

    def _at(self, values: Sequence[Any], varied: int | None, last: Sequence[Any] = ()) -> None:
        found = self._found(self.axes, values)
        if varied is not None:
            found = [one for one in found if self._whose(one.key) in (varied, None)]
            if found and not any(one.code.startswith(_BY_ITSELF) for one in found):
                # The value may conflict only with the other values of this combination.
                others = [*last[:varied], values[varied], *last[varied + 1 :]]
                if not self._found(self.axes, others):
                    return
            self._add(found, varied, values[varied])
            return
        for one in found:
            whose = self._whose(one.key)
            self._add([one], whose, None if whose is None else values[whose])

    def _add(self, found: Sequence[Fault], whose: int | None, value: Any, *, mine: bool = False) -> None:
        """Add faults of an axis with a value, or of the base. With `mine`, add only faults at the key of the axis."""
        for one in found:
            if mine and self._whose(one.key) != whose:
                continue
            if whose is not None:
                label = self.axes[whose].label(value)
                known = label in one.message or one.code == "scenario-unknown-key"
                said = one.message if known else f"{label}: {one.message}"
                self.faults.add(_path(self.axes[whose]), one.code, said)
            elif self.inline:
                self.faults.add(("base", *one.key.split(".")), one.code, one.message)
            else:
                key = f"{one.key}: " if one.key else ""
                self.faults.add(("base",), one.code, f"{self.origin} does not run: {key}{one.message}")

    def _found(self, axes: Sequence[Axis], values: Sequence[Any]) -> Sequence[Fault]:
        """Return the errors of the base with values for some axes."""
        try:
            document = put_all(self.base, axes, values)
        except ScenarioError as problem:
            # An axis is inside a missing table: use the first axis with this place.
            for axis, value in zip(axes, values, strict=True):
                try:
                    put_all(self.base, [axis], [value])
                except ScenarioError as its:
                    return [Fault(code=its.code, message=its.message, key=_keys.shown(axis.place))]
            return faults_of(problem)
        try:
            _core.facts(_core.Job(as_toml(document), self.origin))
        except ScenarioError as problem:
            return faults_of(problem)
        return []

    def _whose(self, key: str) -> int | None:
        """Return the axis that sets a scenario's key. If several axes contain the key, this is the longest axis."""
        best: tuple[int, int] | None = None
        for number, places in enumerate(self.places):
            for place in (*places, self.axes[number].place):
                mine = _keys.shown(place)
                if _within(key, mine) or (_within(mine, key) and key != "flows" and "." in key):
                    best = max(best or (0, 0), (len(mine), number))
        return None if best is None else best[1]


def _within(key: str, above: str) -> bool:
    return key == above or key.startswith((f"{above}.", f"{above}["))
