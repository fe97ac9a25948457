# SPDX-License-Identifier: MIT OR Apache-2.0
"""Describe the quality of calls in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bentpipe.results.felt import worse_way

if TYPE_CHECKING:
    from bentpipe.results.summary_types import CallSummary, CallWay, FlowSummary
    from bentpipe.runs.run import Run

#: Number of calls that have a line: the worst calls.
_SHOWN = 5


def call_lines(run: Run) -> list[str]:
    """Return a line for each call about the call's worse direction, the worst calls first."""
    calls = [(flow, call) for flow in run.summary["flows"] if (call := flow.get("call"))]
    worst = sorted(calls, key=lambda one: _felt(worse_way(one[1])), reverse=True)[:_SHOWN]
    more = len(calls) - len(worst)
    return [*(_line(flow, call) for flow, call in worst), *([f"{more} more calls; none is worse"] if more else [])]


def _felt(way: CallWay) -> tuple[float, float]:
    """Return the sort key of a call's direction: missed frames, then delay."""
    delay = way["one_way_delay_ms"]
    return way["missed_ratio"] or 0.0, delay["p95"] if delay else 0.0


def _line(flow: FlowSummary, call: CallSummary) -> str:
    if not any(_is_measured(call[way]) for way in ("there", "back")):
        return f"{flow['name']}: not measured, because no packet arrived and no frame was due after the warm-up"
    way = worse_way(call)
    ends = (flow["from"], flow["to"]) if call["worse"] == "there" else (flow["to"], flow["from"])
    delay = way["one_way_delay_ms"]
    said = [
        f"delay {delay['p50']:.1f} ms (p95 {delay['p95']:.1f})" if delay else _without_delay(way),
        *([f"jitter {way['jitter_ms']:.1f} ms"] if way["jitter_ms"] is not None else []),
        *([f"{100 * way['missed_ratio']:.2f} % of frames late or lost"] if way["missed_ratio"] is not None else []),
        *([f"R {way['voice']['r']:.1f}, MOS {way['voice']['mos']:.2f}"] if way["voice"] else []),
    ]
    return f"{flow['name']}, worse direction {ends[0]} > {ends[1]}: {', '.join(said)}"


def _is_measured(way: CallWay) -> bool:
    """Return whether a packet arrived or was lost, or a frame was due, after the warm-up."""
    return bool(way["frames"] or way["lost_packets"] or way["one_way_delay_ms"])


def _without_delay(way: CallWay) -> str:
    """Return the reason for a missing delay: all packets were lost, or none was sent and arrived after the warm-up."""
    missed = way["late_frames"] + way["lost_frames"]
    # All played frames came in packets of the warm-up.
    if missed < way["frames"]:
        return "delay not measured"
    return "nothing arrived" if _is_measured(way) else "not measured"
