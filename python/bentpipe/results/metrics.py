# SPDX-License-Identifier: MIT OR Apache-2.0
"""Read the numbers of a comparison of controllers from a run's summary, for selected flows."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Literal

from bentpipe.base.stats import Bounds
from bentpipe.results import felt, split
from bentpipe.results.summaries import number, weighted_mean
from bentpipe.results.transfers import CONNECTIONS, done, least, percentile

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from bentpipe.base.stats import Estimate
    from bentpipe.results.summary_types import FlowSummary, Summary, Totals
    from bentpipe.results.transfers import Transfers


#: Kinds of flows that have a controller.
SENDERS = (*CONNECTIONS, *felt.APPLICATIONS)


_SENDERS = "flows with a controller"
_TRANSFERS, _VISITS, _PAGES, _FILMS, _CALLS = "TCP flows with a size", "applications", "web", "video", "calls"
_PROXIES = "proxies"


@dataclass(frozen=True)
class Asked:
    """The flows that a comparison covers.

    Attributes:
        flows: Indices of the flows; None for all TCP flows and applications.
        groups: TCP flows with a size, grouped by name and size. Only these flows can finish.
    """

    flows: frozenset[int] | None = None
    groups: tuple[Transfers, ...] = ()

    @cached_property
    def finite(self) -> frozenset[int]:
        """The indices of TCP flows with a size."""
        return frozenset[int]().union(*(group.flows for group in self.groups))

    def of(self, summary: Summary) -> list[FlowSummary]:
        """Return the selected flows in a summary."""
        wanted = self.flows
        return [f for f in summary["flows"] if f["kind"] in SENDERS and (wanted is None or f["flow"] in wanted)]

    def transfers(self, summary: Summary) -> list[FlowSummary]:
        """Return the selected flows that can finish, in a summary."""
        return [flow for flow in self.of(summary) if flow["flow"] in self.finite]

    def there(self, summary: Summary) -> There:
        """Return the kinds of the selected flows."""
        flows = self.of(summary)
        return There(
            tcp=sum(flow["kind"] in CONNECTIONS for flow in flows),
            transfers=len(self.transfers(summary)),
            applications=frozenset(flow["kind"] for flow in flows) - set(CONNECTIONS),
            calls=any(flow["kind"] == "call" for flow in summary["flows"]),
        )


@dataclass(frozen=True)
class There:
    """The kinds of the flows in a comparison. They decide which aims are meaningful.

    Attributes:
        tcp: Number of TCP flows that do not belong to an application.
        transfers: Number of TCP flows that have a size.
        applications: The kinds of applications among the flows.
        calls: Whether the scenario also has calls.
    """

    tcp: int = 0
    transfers: int = 0
    applications: frozenset[str] = frozenset()
    calls: bool = False

    @property
    def endless(self) -> bool:
        """Whether a TCP flow continues until the end, so that goodput is meaningful."""
        return self.transfers < self.tcp

    @property
    def ends(self) -> bool:
        """Whether every flow ends, so that completion times are meaningful."""
        return self.transfers > 0 and not self.endless and not self.applications

    @property
    def main(self) -> str:
        """The key of the main number, which is shown first."""
        if self.applications and not self.tcp:
            return "visit_median_s"
        return "completion_median_s" if self.ends else "goodput_mbit_s"

    def said(self) -> str:
        """Return the kinds of flows in words."""
        kinds = ["TCP flows without a size"] * self.endless + ["TCP flows with a size"] * (self.transfers > 0)
        kinds += [f"kind {kind}" for kind in sorted(self.applications)] + ["kind call"] * self.calls
        return ", ".join(kinds) or "nothing"


@dataclass(frozen=True)
class Metric:
    """A number of a run. For several runs, commands show the mean over the runs, also of medians and percentiles.

    Attributes:
        key: Name in Python and in CSV, with the unit.
        label: Heading in tables.
        unit: Unit, empty for a pure number.
        digits: Digits after the point.
        better: +1 if more is better, -1 if less is better.
        read: The function that returns the value; None if the run has no value.
        within: The key of a number of which this number is a part. If both are equal, this number is not shown.
        of: The flows that the number covers, in words.
        is_seldom: Whether printed tables and pictures show the number only on request. Files always have it.
    """

    key: str
    label: str
    unit: str
    digits: int
    better: int
    read: Callable[[Summary, Asked], float | None]
    within: str = ""
    of: str = _SENDERS
    is_seldom: bool = False

    @property
    def heading(self) -> str:
        """The label with the unit."""
        return f"{self.label} {self.unit}".strip()

    @property
    def bounds(self) -> Bounds:
        """The range of the number in a run."""
        most = 100.0 if self.unit == "%" else 1.0 if self.key == "jain_index" else math.inf
        return Bounds(0.0, most, is_of_samples=True)

    def text(self, value: Estimate, unit: str = "") -> str:
        """Return the printed text of a mean and its interval. The interval is within the bounds of the number."""
        return value.text(self.digits, unit, bounds=self.bounds)


def _goodput(summary: Summary, asked: Asked) -> float | None:
    """Return the goodput of the flows: new data, divided by the time in which at least one of the flows was active."""
    flows = asked.of(summary)
    if asked.flows is None and len(flows) in (0, len(summary["flows"])):
        whole = summary["totals"]["delivered_mbit_s"]
        return None if whole is None else _over(_active_s(summary["flows"], summary), whole, _measured_s(summary))
    known = [flow for flow in flows if flow["goodput_mbit_s"] is not None]
    return _megabits(known, summary) / active if (active := _active_s(known, summary)) else None


def _over(active_s: float, mbit_s: float, measured_s: float) -> float | None:
    """Convert a rate over the whole measured time to a rate over the active time."""
    if active_s == measured_s:
        return mbit_s
    return mbit_s * measured_s / active_s if active_s else None


def _megabits(flows: Iterable[FlowSummary], summary: Summary) -> float:
    """Return the new data of flows with a known goodput. A flow's goodput is over the time in which it was active."""
    return sum((flow["goodput_mbit_s"] or 0.0) * _active_s([flow], summary) for flow in flows)


def _measured_s(summary: Summary) -> float:
    return summary["provenance"]["duration_s"] - summary["provenance"]["warm_up_s"]


def _active_s(flows: Iterable[FlowSummary], summary: Summary) -> float:
    """Return the measured time in which at least one of the flows was active."""
    about = summary["provenance"]
    active, last = 0.0, about["warm_up_s"]
    for flow in sorted(flows, key=lambda flow: flow["start_s"]):
        ends = (flow.get("completed_at_s"), flow.get("stop_s"), about["duration_s"])
        end = min(one for one in ends if one is not None)
        active += max(0.0, end - max(flow["start_s"], last))
        last = max(last, end)
    return active


def _completion(share: float) -> Callable[[Summary, Asked], float | None]:
    def read(summary: Summary, asked: Asked) -> float | None:
        return percentile(asked.transfers(summary), share)

    return read


def _finished(summary: Summary, asked: Asked) -> float | None:
    flows = asked.transfers(summary)
    return 100.0 * done(flows) / len(flows) if flows else None


def _percentile_95(key: Literal["rtt_ms", "queueing_delay_ms"]) -> Callable[[Summary, Asked], float | None]:
    """Return a function that reads the mean of the flows' 95th percentiles, weighted by samples.

    The RTT of a flow that proxies split is the RTT of its slowest part.
    """

    def read(summary: Summary, asked: Asked) -> float | None:
        slowest = split.round_trips(summary)
        measured = [slowest[flow["flow"]] if key == "rtt_ms" else flow for flow in asked.of(summary)]
        known = [one for flow in measured if (one := flow.get(key))]
        return weighted_mean((one["p95"], one["samples"]) for one in known)

    return read


def _of_sent(count: Callable[[FlowSummary], float]) -> Callable[[Summary, Asked], float | None]:
    def read(summary: Summary, asked: Asked) -> float | None:
        flows = asked.of(summary)
        sent = sum(flow["sent_packets"] for flow in flows)
        return 100.0 * sum(map(count, flows)) / sent if sent else None

    return read


def _loss(summary: Summary, asked: Asked) -> float | None:
    if all(map(split.is_all_under_way, asked.of(summary))):
        return None
    percent = _of_sent(split.lost)(summary, asked)
    # The ratio may exceed 1, because lost packets may have been sent in the warm-up.
    return None if percent is None or percent > 100.0 else percent


def _jain(summary: Summary, asked: Asked) -> float | None:
    # Applications are left out, because their users determine their goodput.
    of_tcp = (flow["goodput_mbit_s"] for flow in asked.of(summary) if flow["kind"] in CONNECTIONS)
    shares = [share for share in of_tcp if share is not None]
    squares = sum(share * share for share in shares)
    return sum(shares) ** 2 / (len(shares) * squares) if len(shares) > 1 and squares else None


def _others(summary: Summary, asked: Asked) -> float | None:
    """Return the goodput of the flows that are not compared, computed as in `_goodput`."""
    ours, every = _goodput(summary, asked), summary["totals"]["delivered_mbit_s"]
    compared = {flow["flow"] for flow in asked.of(summary)}
    rest = [flow for flow in summary["flows"] if flow["flow"] not in compared]
    if asked.flows is None or ours is None or every is None or not rest:
        return None
    measured = _measured_s(summary)
    left = max(0.0, every - _megabits(asked.of(summary), summary) / measured)
    return _over(_active_s(rest, summary), left, measured)


def _held_kb(bytes_of: Callable[[split.Held], int]) -> Callable[[Summary, Asked], float | None]:
    """Return a function that reads the most data in the buffers of a proxy, of the proxy with the most."""

    def read(summary: Summary, _asked: Asked) -> float | None:
        held = split.held(summary).values()
        return max(map(bytes_of, held)) / 1e3 if held else None

    return read


#: The columns of a comparison, in this order; an empty column is left out.
METRICS = (
    Metric("goodput_mbit_s", "goodput", "Mbit/s", 3, +1, _goodput, of=f"{_SENDERS}; if there are none, all flows"),
    Metric("others_goodput_mbit_s", "others' goodput", "Mbit/s", 3, +1, _others, of="the other flows"),
    Metric("completion_median_s", "median completion", "s", 2, -1, _completion(0.5), of=_TRANSFERS),
    Metric(
        "completion_p95_s",
        "p95 completion",
        "s",
        2,
        -1,
        _completion(0.95),
        within="completion_median_s",
        of=_TRANSFERS,
    ),
    Metric("finished_percent", "finished", "%", 0, +1, _finished, of=_TRANSFERS),
    Metric("visit_median_s", "median visit", "s", 2, -1, felt.percentile("took_s", "p50"), of=_VISITS),
    Metric("visit_p95_s", "p95 visit", "s", 2, -1, felt.percentile("took_s", "p95"), of=_VISITS),
    Metric("visits_done_percent", "visits done", "%", 0, +1, felt.done, of=_VISITS),
    Metric(
        "page_median_s",
        "median page",
        "s",
        2,
        -1,
        felt.percentile("took_s", "p50", "web"),
        within="visit_median_s",
        of=_PAGES,
    ),
    Metric(
        "page_p95_s", "p95 page", "s", 2, -1, felt.percentile("took_s", "p95", "web"), within="visit_p95_s", of=_PAGES
    ),
    Metric("first_byte_p95_s", "p95 first byte", "s", 2, -1, felt.percentile("first_byte_s", "p95"), of=_VISITS),
    Metric("slow_down_p95", "p95 slow-down", "", 1, -1, felt.percentile("slow_down", "p95"), of=_VISITS),
    Metric("stalled_percent", "films stalled", "%", 2, -1, felt.films("stalled_ratio", 100.0), of=_FILMS),
    Metric("stalls_per_min", "stalls", "1/min", 2, -1, felt.films("stalls_per_min"), of=_FILMS),
    Metric("film_mbit_s", "film rate", "Mbit/s", 2, +1, felt.films("quality_mbit_s"), of=_FILMS),
    Metric("switches_per_min", "switches", "1/min", 2, -1, felt.films("switches_per_min"), of=_FILMS),
    Metric("call_missed_percent", "frames missed", "%", 2, -1, felt.call_missed, of=_CALLS),
    Metric("call_p95_ms", "p95 call delay", "ms", 1, -1, felt.call_p95, of=_CALLS),
    Metric("call_r", "call R", "", 1, +1, felt.call_r, of=_CALLS),
    Metric("queueing_p95_ms", "p95 queueing delay", "ms", 1, -1, _percentile_95("queueing_delay_ms")),
    Metric("rtt_p95_ms", "p95 RTT", "ms", 1, -1, _percentile_95("rtt_ms"), is_seldom=True),
    Metric("loss_percent", "loss", "%", 2, -1, _loss),
    Metric("retransmitted_percent", "retransmitted", "%", 2, -1, _of_sent(lambda flow: flow["retransmitted_packets"])),
    Metric("jain_index", "Jain's index", "", 3, +1, _jain, of="TCP flows"),
    Metric(
        "proxy_held_kb",
        "proxy memory of a connection",
        "kB",
        0,
        -1,
        _held_kb(lambda held: held.most_bytes),
        of=_PROXIES,
        is_seldom=True,
    ),
    Metric(
        "proxy_held_total_kb",
        "proxy memory",
        "kB",
        0,
        -1,
        _held_kb(lambda held: held.total_bytes),
        of=_PROXIES,
        is_seldom=True,
    ),
)
BY_KEY = {metric.key: metric for metric in METRICS}
#: The percentiles of completion times.
COMPLETION = {"completion_median_s": 0.5, "completion_p95_s": 0.95}


def completion_least(key: str, summary: Summary, asked: Asked) -> float | None:
    """Return a lower bound in seconds of a percentile of completion times, if transfers are not finished.

    Args:
        key: One of `COMPLETION`.
        summary: The summary of the run.
        asked: The flows.
    """
    return least(asked.transfers(summary), COMPLETION[key], summary["provenance"]["duration_s"])


def read(key: str, summary: Summary, asked: Asked) -> float | None:
    """Read a metric by its key, or a number of the summary's totals.

    Raises:
        KeyError: If no number has this name. The message lists the known numbers.
    """
    if key in BY_KEY:
        return BY_KEY[key].read(summary, asked)
    totals = summary["totals"]
    if key == "loss_ratio_policer":
        return totals.get("loss_ratio_policer")  # absent without a policer
    if key == "loss_ratio_too_large":
        return totals.get("loss_ratio_too_large")  # absent without an MTU
    if key not in totals:
        raise KeyError(f"unknown number {key!r}; known numbers: {', '.join(known(totals))}")
    return number(totals, key)


def known(totals: Totals) -> Sequence[str]:
    """Return the names that `read` knows."""
    return list(dict.fromkeys([*BY_KEY, *totals]))
