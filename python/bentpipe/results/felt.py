# SPDX-License-Identifier: MIT OR Apache-2.0
"""Read the quality that users notice from a run's summary: visits of applications, films, calls.

These numbers include visits that were not finished at the end of the run (`all` in the summary), so that unfinished
visits are not an advantage. If no visit finished, the time is missing. Over several flows, a number is the mean of the
flows' numbers, weighted by visits. Numbers of films are weighted by the watched time, and calls have equal weights. The
mean of percentiles is not the percentile of all visits together (the note `MIXED` states this). A common distribution
of pages, films and transfers would not describe any of the three kinds.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from bentpipe.results.summaries import weighted_mean

if TYPE_CHECKING:
    from collections.abc import Callable

    from bentpipe.results.metrics import Asked
    from bentpipe.results.summary_types import AllVisits, CallSummary, CallWay, Summary

    Reader = Callable[[Summary, Asked], float | None]

#: The note for several flows that are applications.
MIXED = (
    "several flows are applications: each percentile of visits is a mean over these flows, weighted by their numbers "
    "of visits"
)
#: The note for percentiles of visits over several runs.
PER_RUN = "median and p95 of visits and pages are computed for each run, and the table shows their means over the seeds"
#: Kinds of flows that are applications: users with visits.
APPLICATIONS = ("transfers", "web", "video", "requests")


def _applications(summary: Summary, asked: Asked, kind: str | None) -> list[tuple[AllVisits, int]]:
    """Return all visits of each selected flow (of one kind, if given), and the number of visits that began."""
    visits = [flow.get("visits") for flow in asked.of(summary) if kind in (None, flow["kind"])]
    return [(every, one["begun"]) for one in visits if one and (every := one.get("all"))]


def count(summary: Summary, asked: Asked) -> int:
    """Return the number of selected application flows with visits."""
    return len(_applications(summary, asked, None))


def is_mixed(summary: Summary, asked: Asked) -> bool:
    """Return whether several application flows are selected."""
    return count(summary, asked) > 1


def percentile(
    key: Literal["took_s", "slow_down", "first_byte_s"], which: Literal["p50", "p95"], kind: str | None = None
) -> Reader:
    """Return a function that reads a percentile over the visits that began.

    Over several flows, the function reads the mean of the flows' percentiles. If no visit finished, the percentile is
    missing.
    """

    def read(summary: Summary, asked: Asked) -> float | None:
        visits = _applications(summary, asked, kind)
        if not any(_came(every, key, summary) for every, _ in visits):
            return None
        numbers = [(every.get(key), begun) for every, begun in visits]
        return weighted_mean((known[which], begun) for known, begun in numbers if known)

    return read


def _came(every: AllVisits, key: str, summary: Summary) -> bool:
    """Return whether a time was measured. Otherwise the percentile is the whole measured duration of the run."""
    if every["done_ratio"] > 0.0 or key != "first_byte_s":
        return every["done_ratio"] > 0.0
    first, about = every.get("first_byte_s"), summary["provenance"]
    # Half of a nanosecond is below the resolution of times.
    return first is not None and first["p50"] < about["duration_s"] - about["warm_up_s"] - 0.5e-9


def done(summary: Summary, asked: Asked) -> float | None:
    """Return the percentage of the visits that finished or whose film played."""
    share = weighted_mean((every["done_ratio"], begun) for every, begun in _applications(summary, asked, None))
    return None if share is None else 100.0 * share


def films(
    key: Literal["stalled_ratio", "stalls_per_min", "switches_per_min", "quality_mbit_s"], factor: float = 1.0
) -> Reader:
    """Return a function that reads a number of the films."""

    def read(summary: Summary, asked: Asked) -> float | None:
        some = [every.get("films") for every, _ in _applications(summary, asked, "video")]
        found = weighted_mean((one[key], one["watched_s"]) for one in some if one)
        return None if found is None else factor * found

    return read


def worse_way(call: CallSummary) -> CallWay:
    """Return the direction of a call with the worse quality."""
    return call["there"] if call["worse"] == "there" else call["back"]


def _worse_ways(summary: Summary) -> list[tuple[str, CallWay]]:
    """Return the profile and the worse direction of every call. Calls have no controller, so all calls count."""
    return [(call["profile"], worse_way(call)) for flow in summary["flows"] if (call := flow.get("call"))]


def call_missed(summary: Summary, _asked: Asked) -> float | None:
    """Return the percentage of frames that were late or lost."""
    ratios = [way["missed_ratio"] for _, way in _worse_ways(summary) if way["missed_ratio"] is not None]
    return 100.0 * sum(ratios) / len(ratios) if ratios else None


def call_p95(summary: Summary, _asked: Asked) -> float | None:
    """Return the 95th percentile of the one-way delay; None if no packet of a call arrived."""
    delays = [way["one_way_delay_ms"] for _, way in _worse_ways(summary) if way["sent_packets"]]
    known = [one["p95"] for one in delays if one]
    return sum(known) / len(known) if known and len(known) == len(delays) else None


def call_r(summary: Summary, _asked: Asked) -> float | None:
    """Return the E-model's rating of voice. A call without a played frame has the lowest rating, 0."""
    ways = [way for profile, way in _worse_ways(summary) if profile == "voice" and way["frames"]]
    return sum(way["voice"]["r"] if way["voice"] else 0.0 for way in ways) / len(ways) if ways else None
