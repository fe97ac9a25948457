# SPDX-License-Identifier: MIT OR Apache-2.0
"""Read split flows from a summary: the parts of flows that proxies split, and the loss from host to host."""

from __future__ import annotations

import fnmatch
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bentpipe.base.json import words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bentpipe.base.json import Document
    from bentpipe.results.summary_types import FlowSummary, Summary

    class Connection(FlowSummary):
        """A flow that is not split, or a part of a split flow."""

        place: int
        """The position of a part in its flow, from 1; 0 for a flow that is not split."""

        of: int
        """The number of the flow."""


def parts(summary: Summary) -> dict[int, list[FlowSummary]]:
    """Return the connections of each split flow, in order, by the number of the flow."""
    found: dict[int, list[FlowSummary]] = {}
    whole = -1
    for part in summary.get("parts", []):
        # The first part has the number of the flow. The numbers of the other parts follow after the numbers of all
        # flows.
        whole = part["flow"] if part["flow"] < len(summary["flows"]) else whole
        found.setdefault(whole, []).append(part)
    return found


def round_trips(summary: Summary) -> dict[int, FlowSummary]:
    """Return the flows by number, with the part that has the longest p95 RTT in place of each split flow.

    The line of a split flow itself has the RTT of its first part, which ends at the first proxy.
    """
    of = parts(summary)
    return {flow["flow"]: max(of.get(flow["flow"], [flow]), key=_p95_rtt_ms) for flow in summary["flows"]}


def _p95_rtt_ms(flow: FlowSummary) -> float:
    rtt = flow.get("rtt_ms")
    return rtt["p95"] if rtt else 0.0


def flows(summary: Summary) -> list[Connection]:
    """Return the complete flows, in which a split flow is one flow."""
    return [{**flow, "place": 0, "of": flow["flow"]} for flow in summary["flows"]]


def connections(summary: Summary) -> list[Connection]:
    """Return every connection once, by number: unsplit flows, and the parts of split flows."""
    of: dict[int, list[Connection]] = {
        number: [{**part, "place": place, "of": number} for place, part in enumerate(some, 1)]
        for number, some in parts(summary).items()
    }
    whole = [of[flow["flow"]][0] if flow["flow"] in of else flow for flow in flows(summary)]
    return whole + [part for some in of.values() for part in some[1:]]


def lost(flow: FlowSummary) -> float:
    """Return the number of lost packets of the sending host. In a split flow, a packet must pass all parts."""
    ratio = flow.get("loss_ratio")
    return float(lost_on_links(flow)) if ratio is None else ratio * flow["sent_packets"]


def is_all_under_way(flow: FlowSummary) -> bool:
    """Return whether no packet arrived and no packet was lost, so that the loss is not known."""
    return flow["delivered_packets"] == 0 and lost(flow) == 0


def lost_on_links(flow: FlowSummary) -> int:
    """Return the number of packets that a flow, or all parts of a split flow, lost by any cause."""
    losses = flow["losses"]
    return losses["queue"] + losses["error"] + losses["outage"] + losses.get("policer", 0) + losses.get("too_large", 0)


@dataclass(frozen=True, slots=True)
class Held:
    """The most data that a proxy held, in bytes.

    Attributes:
        most_bytes: Largest number of bytes of one connection.
        total_bytes: Largest number of bytes of all connections at one time.
        buffer_bytes: Size of the buffer of the connection with the most data.
    """

    most_bytes: int
    total_bytes: int
    buffer_bytes: int


def held(summary: Summary) -> dict[str, Held]:
    """Return the most data that each proxy held, by site."""
    found: dict[str, Held] = {}
    for proxy in summary.get("proxies", []):
        most = proxy["most_held_bytes"]
        # Folders of earlier versions contain only some of the numbers.
        total = max(proxy.get("most_held_total_bytes", most), proxy.get("most_held_by_all_flows_bytes") or 0)
        old = found.get(proxy["at"], Held(0, 0, 0))
        _, buffer = max((most, proxy["buffer_bytes"]), (old.most_bytes, old.buffer_bytes))
        found[proxy["at"]] = Held(max(most, old.most_bytes), max(total, old.total_bytes), buffer)
    return found


def kept_controllers(summary: Summary, peps: Sequence[Document], compared: frozenset[int]) -> str:
    """Return a note on parts of split flows that keep the controller of their proxies; empty if there are none.

    The note has the axis of a sweep that varies this controller.

    Args:
        summary: The summary of any of the runs.
        peps: The resolved scenario's tables of proxies.
        compared: Numbers of the flows whose controller is replaced.
    """
    kept: dict[int, tuple[str, str, list[str]]] = {}
    for number, some in parts(summary).items():
        name = summary["flows"][number]["name"]
        # The table of the first proxy sets the controller of the connection that begins there.
        table = next((at for at, pep in enumerate(peps) if _meets(pep, some[0]["to"], name)), None)
        if number not in compared or table is None or "controller" not in peps[table]:
            continue
        hop = f"part 2, {some[1]['from']} > {some[1]['to']}"
        kept.setdefault(table, (str(some[1]["controller"]), hop, []))[2].append(name)
    said = [
        f"{_few(names)} ({hop}) keeps {controller} (vary it as the axis peps[{at}].controller of a sweep)"
        for at, (controller, hop, names) in kept.items()
    ]
    return f"proxies split the compared flows and keep their own controllers: {'; '.join(said)}" if said else ""


def _meets(pep: Document, site: str, name: str) -> bool:
    patterns = words(pep, "flows") or ["*"]
    return site in words(pep, "at") and any(fnmatch.fnmatchcase(name, pattern) for pattern in patterns)


def _few(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{names[0]} and {len(names) - 1} more"
