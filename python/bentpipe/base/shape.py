# SPDX-License-Identifier: MIT OR Apache-2.0
"""The shape of JSON: whether a value is what a schema says, told once for each schema and then asked many times."""

from __future__ import annotations

import json
import math
import reprlib
from typing import TYPE_CHECKING

from bentpipe.base.files import Unfit

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from bentpipe.base.json import Schema

    #: Says where a value is not what it should be, from there on (".flows[0].cuts is missing"); empty if it is.
    Check = Callable[[object], str]

#: Types of JSON as Python reads them. A whole number stands for any number.
_TYPES: dict[str, tuple[type, ...]] = {
    "object": (dict,),
    "array": (list,),
    "string": (str,),
    "boolean": (bool,),
    "integer": (int,),
    "number": (int, float),
    "null": (type(None),),
}

#: No count or seed is larger.
_COUNTS = 2**63 - 1
#: Nor is a number that is written without its point: all of these are numbers of 64 bits with one, too.
_EXACT = 2**53


def parsed(text: bytes | str) -> object:
    """A document of JSON.

    Raises:
        Unfit: If it is not one, not UTF-8, or nested too deeply.
    """
    try:
        return json.loads(text if isinstance(text, str) else text.decode("utf-8"))
    except RecursionError:
        raise Unfit("it nests too deeply") from None
    except ValueError as problem:
        raise Unfit(str(problem)) from None


class _Property:
    """A key of a table: its check, and which types pass it whatever the value, if numbers are finite and small."""

    __slots__ = ("check", "scalars")

    def __init__(self, check: Check, scalars: frozenset[type]) -> None:
        self.check, self.scalars = check, scalars


def _scalars(schema: Schema) -> frozenset[type]:
    if any(key in schema for key in ("$ref", "anyOf", "oneOf", "const")):
        return frozenset()
    wanted = schema.get("type", [])
    names = [wanted] if isinstance(wanted, str) else wanted
    return frozenset(kind for name in names if name not in ("object", "array") for kind in _TYPES[name])


class Shapes:
    """Checks by the schemas of one document; each of its definitions is laid out once.

    Args:
        definitions: What ``$ref`` stands for, by name. No definition holds itself.
        finite: Whether numbers must be finite: what Python writes may hold NaN and infinity, JSON does not.
    """

    def __init__(self, definitions: Mapping[str, Schema], *, finite: bool = True) -> None:
        self._definitions, self._finite = definitions, finite
        self._known: dict[str, Check] = {}

    def check(self, schema: Schema) -> Check:
        """A check by a schema: types, required keys, constants. What a later version may add is let pass."""
        if "$ref" in schema:
            name = schema["$ref"].rsplit("/", 1)[1]
            if name not in self._known:
                self._known[name] = self.check(self._definitions[name])
            return self._known[name]
        for key in ("anyOf", "oneOf"):
            if key in schema:
                return _any([self.check(one) for one in schema[key]])
        if "const" in schema:
            return _constant(schema["const"])
        wanted = schema.get("type", [])
        names = [wanted] if isinstance(wanted, str) else wanted
        properties = schema.get("properties", {})
        inner = {key: _Property(self.check(one), _scalars(one)) for key, one in properties.items()}
        items = self.check(schema["items"]) if "items" in schema else None
        return self._typed(names, frozenset(schema.get("required", ())), inner, items)

    def _typed(
        self, names: list[str], required: frozenset[str], inner: dict[str, _Property], items: Check | None
    ) -> Check:
        kinds = frozenset(kind for name in names for kind in _TYPES[name])
        of_any_type, finite = not names, self._finite
        largest = _COUNTS if "integer" in names else _EXACT

        def check(value: object) -> str:
            kind = type(value)
            if kind not in kinds and not of_any_type:
                return f" is {reprlib.repr(value)}, not {' or '.join(names)}"
            if isinstance(value, float):
                if finite and not math.isfinite(value):
                    return f" is {value}, which no JSON has"
            elif isinstance(value, dict):
                if not required <= value.keys():
                    return f".{min(required - value.keys())} is missing"
                for key, one in value.items():
                    known = inner.get(key)
                    # Nearly all values are small scalars: they need no call, which makes it three times as fast.
                    if known is None or (
                        (kind := type(one)) in known.scalars
                        and (
                            (kind is not float and kind is not int)
                            or (kind is float and one - one == 0.0)
                            or (kind is int and -_EXACT <= one <= _EXACT)
                        )
                    ):
                        continue
                    if wrong := known.check(one):
                        return f".{key}{wrong}"
            elif isinstance(value, list):
                for number, one in enumerate(value):
                    if items is not None and (wrong := items(one)):
                        return f"[{number}]{wrong}"
            elif kind is int and abs(value) > largest:  # type: ignore[arg-type]
                return f" is {reprlib.repr(value)}, beyond any number of a run"
            return ""

        return check


def _any(checks: list[Check]) -> Check:
    def check(value: object) -> str:
        said = ""
        for one in checks:
            wrong = one(value)
            if not wrong:
                return ""
            said = said or wrong
        return said

    return check


def _constant(constant: object) -> Check:
    def check(value: object) -> str:
        same = value == constant and type(value) is type(constant)
        return "" if same else f" is {reprlib.repr(value)}, not {constant!r}"

    return check


def misfit(check: Check, value: object) -> str:
    """Where a value is not what a check says, as a sentence; empty if it is."""
    wrong = check(value)
    return f"it{wrong}" if wrong.startswith(" ") else wrong.removeprefix(".")
