# SPDX-License-Identifier: MIT OR Apache-2.0
"""TCP flows with a size: completion times by name and size, and lower bounds for unfinished transfers."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bentpipe import _core
from bentpipe.base.json import integer, tables

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from bentpipe.base.json import Json
    from bentpipe.results.summary_types import FlowSummary, Summary


@dataclass(frozen=True)
class Transfers:
    """The transfers with the same name and size.

    Attributes:
        name: Name of the table of the transfers. The name of a transfer also has a number.
        size: Size with its unit, as in the resolved scenario.
        flows: Indices of the transfers in a run.
    """

    name: str
    size: str
    flows: frozenset[int]

    @property
    def label(self) -> str:
        """The number of transfers, their name and their size, for example "10 × small (1 MB)"."""
        many = f"{len(self.flows)} × " if len(self.flows) > 1 else ""
        return f"{many}{self.name} ({self.size})"

    def of(self, summary: Summary) -> list[FlowSummary]:
        """Return the transfers in a summary."""
        return [flow for flow in summary["flows"] if flow["flow"] in self.flows]


#: Kinds of flows that are one connection.
CONNECTIONS = ("tcp", "quic")


def groups(flows: Iterable[Mapping[str, Json]], wanted: frozenset[int] | None = None) -> tuple[Transfers, ...]:
    """Return the transfers of a resolved scenario, in the scenario's order.

    Args:
        flows: The tables ``flows`` of the resolved scenario.
        wanted: Indices of the tables; None for all.
    """
    found: dict[tuple[str, str], set[int]] = {}
    first = 0
    for at, table in enumerate(flows):
        count = integer(table, "count", 1)
        if table.get("kind", "tcp") == "tcp" and "size" in table and (wanted is None or at in wanted):
            found.setdefault((str(table.get("name", "")), str(table["size"])), set()).update(
                range(first, first + count)
            )
        first += count
    return tuple(Transfers(name, size, frozenset(flows)) for (name, size), flows in found.items())


def of_resolved(text: str, origin: str = "scenario.toml") -> tuple[Transfers, ...]:
    """Return the transfers of a resolved scenario that is given as TOML."""
    # Cached, because reading a thousand flows takes longer than the rest of most answers.
    return groups(tables(_core.read_toml(text, origin), "flows")) if "\nsize = " in text else ()


def done(flows: Sequence[FlowSummary]) -> int:
    """Return the number of finished transfers."""
    return sum(flow["completed_at_s"] is not None for flow in flows)


def percentile(flows: Sequence[FlowSummary], share: float) -> float | None:
    """Return a percentile of completion times in seconds, by the nearest rank.

    A transfer that is unfinished at the end of the run counts as longer than all finished transfers. The result is None
    if the percentile is the time of an unfinished transfer, or if there are no transfers.
    """
    times = sorted(math.inf if (time := _took_s(flow)) is None else time for flow in flows)
    time = _ranked(times, share) if times else math.inf
    return None if math.isinf(time) else time


def least(flows: Sequence[FlowSummary], share: float, duration_s: float) -> float | None:
    """Return a lower bound of the percentile in seconds. An unfinished transfer counts with its time so far.

    Args:
        flows: The transfers.
        share: 0.5 for the median.
        duration_s: Duration of the run in seconds.
    """
    times = sorted(_had_s(flow, duration_s) if (time := _took_s(flow)) is None else time for flow in flows)
    return _ranked(times, share) if times else None


def unfinished(least_s: float, done: int, count: int) -> str:
    """Return the text that replaces an unknown completion time: "> 120 s, 0 of 5 done"."""
    return f"> {_short(least_s)} s, {done} of {count} done"


def completion_lines(groups: Sequence[Transfers], summary: Summary, most: int) -> list[str]:
    """Return the completion times of the first `most` groups in words, each with its name and size."""
    duration_s = summary["provenance"]["duration_s"]
    lines = [_line(group, group.of(summary), duration_s) for group in groups[:most]]
    if len(groups) > most:
        every = [flow for group in groups for flow in group.of(summary)]
        times = ", ".join(
            f"{name} {_told(every, share, duration_s)}" for name, share in (("median", 0.5), ("p95", 0.95))
        )
        lines.append(
            f"{len(groups) - most} more names and sizes; completion of all {len(every)} transfers: "
            f"{done(every)} done, {times}"
        )
    return lines


def _line(group: Transfers, flows: Sequence[FlowSummary], duration_s: float) -> str:
    if len(flows) == 1:
        return f"completion of {group.label}: {_told(flows, 0.5, duration_s)}{'' if done(flows) else ', not finished'}"
    finished = done(flows)
    not_all = f"{finished} of {len(flows)} done, " if finished < len(flows) else ""
    return (
        f"completion of {group.label}: {not_all}median {_told(flows, 0.5, duration_s)}, "
        f"p95 {_told(flows, 0.95, duration_s)}"
    )


def _told(flows: Sequence[FlowSummary], share: float, duration_s: float) -> str:
    time = percentile(flows, share)
    bound = least(flows, share, duration_s)
    return f"> {_short(bound or 0.0)} s" if time is None else f"{time:.2f} s"


def _short(seconds: float) -> str:
    """Return the text of a bound in seconds, for example "120" or "4.73"."""
    return f"{seconds:.0f}" if seconds >= 100.0 or seconds == round(seconds) else f"{seconds:.3g}"


def _took_s(flow: FlowSummary) -> float | None:
    end = flow["completed_at_s"]
    return None if end is None else end - flow["start_s"]


def _had_s(flow: FlowSummary, duration_s: float) -> float:
    stop = flow.get("stop_s")
    return max(0.0, (duration_s if stop is None else min(stop, duration_s)) - flow["start_s"])


def _ranked(times: Sequence[float], share: float) -> float:
    return times[max(0, math.ceil(share * len(times)) - 1)]
