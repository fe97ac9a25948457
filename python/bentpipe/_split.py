# SPDX-License-Identifier: MIT OR Apache-2.0
"""Flows that proxies split, as a summary has them: their parts, and what is lost from host to host."""

from __future__ import annotations

import fnmatch
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

    Summary = dict[str, Any]


def parts(summary: Summary) -> dict[int, list[dict[str, Any]]]:
    """The connections of the flows that are split, in order, by the number of the flow."""
    found: dict[int, list[dict[str, Any]]] = {}
    whole = -1
    for part in summary.get("parts", []):
        # The first part has the flow's number, the others follow on all flows.
        whole = int(part["flow"]) if part["flow"] < len(summary["flows"]) else whole
        found.setdefault(whole, []).append(part)
    return found


def connections(summary: Summary) -> list[dict[str, Any]]:
    """Every connection once, by number: flows that are not split, and the parts of those that are.

    A part has its place among the others, from 1, as `place`, and the number of its flow as `of`.
    """
    of = {
        number: [{**part, "place": place, "of": number} for place, part in enumerate(some, 1)]
        for number, some in parts(summary).items()
    }
    whole = [of[int(flow["flow"])][0] if int(flow["flow"]) in of else flow for flow in summary["flows"]]
    return whole + [part for some in of.values() for part in some[1:]]


def lost(flow: dict[str, Any]) -> float:
    """Packets lost of those that its host sent; of a flow that is split those that do not get through all its parts."""
    if flow.get("loss_ratio") is not None:
        return float(flow["loss_ratio"] * flow["sent_packets"])
    return float(sum(flow["losses"].values()))


def kept_controllers(summary: Summary, peps: Sequence[dict[str, Any]], compared: frozenset[int]) -> str:
    """Which parts of these flows keep the controller of their proxies, and how to vary it; empty if none do.

    Args:
        summary: Of any of the runs.
        peps: The resolved scenario's tables of proxies.
        compared: Numbers of the flows whose controller is replaced.
    """
    kept: dict[int, tuple[str, str, list[str]]] = {}
    for number, some in parts(summary).items():
        name = str(summary["flows"][number]["name"])
        # The connection that begins at the first proxy has the controller of its table.
        table = next((at for at, pep in enumerate(peps) if _meets(pep, str(some[0]["to"]), name)), None)
        if number not in compared or table is None or "controller" not in peps[table]:
            continue
        hop = f"part 2, {some[1]['from']} > {some[1]['to']}"
        kept.setdefault(table, (str(some[1]["controller"]), hop, []))[2].append(name)
    said = [
        f"{_few(names)} ({hop}) keeps {controller} (vary it as the axis peps[{at}].controller of a sweep)"
        for at, (controller, hop, names) in kept.items()
    ]
    return f"proxies split what is compared, and have a controller of their own: {'; '.join(said)}" if said else ""


def _meets(pep: dict[str, Any], site: str, name: str) -> bool:
    patterns = pep.get("flows") or ["*"]
    return site in pep["at"] and any(fnmatch.fnmatchcase(name, pattern) for pattern in patterns)


def _few(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{names[0]} and {len(names) - 1} more"
