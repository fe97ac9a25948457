# SPDX-License-Identifier: MIT OR Apache-2.0
"""Find keys of a scenario in the schema, and make labels with units for readers."""

from __future__ import annotations

import json
import re
from functools import cache
from typing import TYPE_CHECKING, Any

from bentpipe import _core
from bentpipe.scenario.catalogue import controllers
from bentpipe.scenario.keys import parts

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

#: Names of tables that a label omits.
_PLAIN = frozenset(
    ("chain", "constellation", "controller", "dumbbell", "flows", "network", "star", "starlink", "tcp", "traffic")
)
#: Names that replace a key.
_NAMES = {
    "ber": "bit error probability",
    "c_over_i": "C/I",
    "dup_thresh": "duplicate-ACK threshold",
    "f_rto": "F-RTO",
    "g_over_t": "G/T",
    "peps": "proxy",
    "per": "packet loss probability",
    "zero_rtt": "0-RTT",
}
#: Abbreviations in keys.
_WORDS = {
    one.lower(): one
    for one in (
        *("ACK", "ACKs", "ARQ", "DAMA", "ECN", "EIRP", "IPv6", "ISL", "MSS"),
        *("QUIC", "RTO", "RTT", "SACK", "SYN", "TCP", "TLS", "TSO"),
    )
}
#: The unit of a bare number in the first sentence of its description: "Initial window in segments."
_IN_UNIT = re.compile(r"[^.]*\bin (segments|datagrams|packets|metres)\b")


@cache
def schema() -> dict[str, Any]:
    """Return the JSON Schema of scenarios."""
    found: dict[str, Any] = json.loads(_core.scenario_schema())
    return found


def forms(node: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield a part of the schema, and the parts that it refers to: its alternatives, and the items of a list."""
    if "$ref" in node:
        node = {**schema()["$defs"][node["$ref"].rpartition("/")[2]], **{k: node[k] for k in node if k != "$ref"}}
    yield node
    for kind in ("anyOf", "oneOf", "allOf"):
        for one in node.get(kind, ()):
            yield from forms(one)
    if isinstance(node.get("items"), dict):
        yield from forms(node["items"])


def keys_of(node: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """Return the keys of a part of the schema."""
    return {name: child for part in forms(node) for name, child in part.get("properties", {}).items()}


def part_at(path: str) -> dict[str, Any]:
    """Return the part of the schema at a key. An index in brackets and the name of a flow choose items of a list."""
    node = schema()
    for name in filter(None, re.sub(r"\[\d*\]", "", path).split(".")):
        is_list = any(part.get("type") == "array" or "array" in part.get("type", ()) for part in forms(node))
        node = keys_of(node).get(name) or (node if is_list else {})
    return node


def labels(keys: Sequence[str]) -> list[str]:
    """Return a label for each key, without units: ``flows.tcp.initial_window`` is "initial window".

    Keys whose labels would be equal are their own labels.
    """
    found = [_label(key) for key in keys]
    return [key if found.count(label) > 1 else label for key, label in zip(keys, found, strict=True)]


def _label(key: str) -> str:
    named: list[tuple[str, str]] = []
    for part in parts(key):
        if isinstance(part, int):
            named[-1] = named[-1][0], f"{named[-1][1]}[{part}]"
        else:
            named.append((part, ""))
    above = [_words(name) + index for name, index in named[:-1] if index or name not in _PLAIN]
    tail, index = named[-1]
    if tail in ("per", "ber") and above[-1:] == ["loss"]:
        above.pop()
    if tail == "preset":
        above = [_words(named[-2][0])] if len(named) > 1 else []
    return " ".join([*above, _words(tail) + index])


def _words(name: str) -> str:
    return _NAMES.get(name) or " ".join(_WORDS.get(word, word) for word in name.split("_"))


def unit(key: str) -> str:
    """Return the unit of a key whose values are bare numbers; empty if it has none."""
    above, _, tail = key.rpartition(".")
    if above.rpartition(".")[2] == "controller":
        units = {one["unit"] for entry in controllers() for one in entry["parameters"] if one["name"] == tail}
        return "".join(units - {"none"}) if len(units) == 1 else ""
    told = [match[1] for part in forms(part_at(key)) if (match := _IN_UNIT.match(part.get("description", "")))]
    return told[0] if told else ""
