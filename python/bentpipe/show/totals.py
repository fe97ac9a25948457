# SPDX-License-Identifier: MIT OR Apache-2.0
"""The totals of a run in words, and its flows as a table, for console, page and notebooks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bentpipe.results import rain, split, transfers, visits
from bentpipe.results.calls import call_lines
from bentpipe.results.notes import tcp_lines
from bentpipe.results.summaries import given
from bentpipe.results.transfers import CONNECTIONS
from bentpipe.scenario import catalogue, presets

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bentpipe.results.summary_types import BreakSummary, FlowSummary
    from bentpipe.runs.run import Run

#: The column that the table has only if a flow has a size.
_DONE = "completion s"
#: The columns that only the parts of a split flow have.
_ROUND_TRIPS = ("RTT ms", "p95 RTT ms")
#: The column that the table has only for a constellation.
_HANDOVERS = "handovers"
#: Largest number of shared transmitters that are named.
_SHARED = 5
#: Largest number of links that are shown. Of more links, the busiest are shown.
MANY_LINKS = 4
#: Largest number of lines for transfers of different names and sizes.
_SIZES = 6
#: Largest number of listed links with a budget. Of more links, those with the lowest rates are listed.
_BUDGETS = 4


def flow_rows(run: Run, at_most: int | None) -> tuple[list[str], list[list[str]]]:
    """Return heading and rows with the numbers of the first `at_most` flows, or of all. Parts follow their flow."""
    flows = run.summary["flows"]
    of = split.parts(run.summary)
    sized = transfers.of_resolved(run.scenario)
    ends = frozenset[int]().union(*(group.flows for group in sized))
    end_s = run.summary["provenance"]["duration_s"]
    rows = []
    for whole in flows[:at_most]:
        end = end_s if whole["flow"] in ends else None
        parts = [_cells(part, end) for part in _named(of.get(whole["flow"], []))]
        # No packet travels the complete path of a split flow.
        rows += [_cells(whole, end) | (dict.fromkeys(_ROUND_TRIPS, "–") if parts else {}), *parts]
    if not ends and all(flow["completed_at_s"] is None for flow in flows):
        rows = [{key: text for key, text in row.items() if key != _DONE} for row in rows]
    if all(flow.get("handovers") is None for flow in flows):
        rows = [{key: text for key, text in row.items() if key != _HANDOVERS} for row in rows]
    return list(rows[0]) if rows else [], [list(row.values()) for row in rows]


def _cells(flow: FlowSummary, end_s: float | None) -> dict[str, str]:
    """Return the numbers of a flow or a part, by heading. `end_s` is the end of the run if the flow has a size."""
    sent, end, lost = flow["sent_packets"], flow["completed_at_s"], split.lost(flow)
    known = sent and lost <= sent and not split.is_all_under_way(flow)
    rtt, queueing = flow.get("rtt_ms"), flow.get("queueing_delay_ms")
    return {
        "flow": flow["name"],
        "controller": catalogue.label(str(flow.get("controller") or flow["kind"])),
        "goodput Mbit/s": _number(flow["goodput_mbit_s"], 3),
        "loss %": f"{100 * lost / sent:.2f}" if known else "–",
        "retransmitted": str(flow["retransmitted_packets"]),
        "cuts": str(flow["cuts"]),
        "RTOs": str(flow["timeouts"]),
        "RTT ms": _number(rtt and rtt["mean"]),
        "p95 RTT ms": _number(rtt and rtt["p95"]),
        "queue ms": _number(queueing and queueing["mean"]),
        _HANDOVERS: "–" if (handovers := flow.get("handovers")) is None else str(handovers),
        _DONE: _completion(flow, end_s) if end is None else f"{end - flow['start_s']:.2f}",
    }


def _completion(flow: FlowSummary, end_s: float | None) -> str:
    """Return the completion cell of an unfinished flow: its lower bound, or a dash if the flow has no size."""
    if end_s is None:
        return "–"
    least = transfers.least([flow], 0.5, end_s)
    return f"> {least:.2f}"


def _named(parts: Sequence[FlowSummary]) -> list[FlowSummary]:
    """Return the connections of a flow that proxies split, named by their ends."""
    return [{**part, "name": f"  part {at}: {part['from']} > {part['to']}"} for at, part in enumerate(parts, 1)]


def left_out_line(run: Run, at_most: int) -> list[str]:
    """Return the number of flows that the table omits, and the distribution over all flows."""
    flows = run.summary["flows"]
    if len(flows) <= at_most:
        return []
    line = f"{len(flows) - at_most} more flows (--csv, or summary.json in --out, lists all)"
    rates = sorted(rate for flow in flows if (rate := flow["goodput_mbit_s"]) is not None)
    if not rates:
        return [line]
    low, middle, high = (rates[round(share * (len(rates) - 1))] for share in (0.05, 0.5, 0.95))
    return [f"{line}; goodput of a flow: p5 {low:.3g}, median {middle:.3g}, p95 {high:.3g} Mbit/s"]


def _outages(run: Run) -> list[str]:
    """Return the causes of packets lost to outages, in words."""
    outages = [one for flow in run.summary["flows"] if (one := flow.get("outages"))]
    lost = {
        "while a link switched over": sum(one["switch"] for one in outages),
        "on links that ended": sum(one["link_gone"] for one in outages),
        "at a node without a path to the destination": sum(one["no_path"] for one in outages),
        "in outages that the scenario lists": sum(one["listed"] for one in outages),
    }
    said = [f"{count} {how}" for how, count in lost.items() if count]
    return [f"lost to outages: {', '.join(said)}"] if said else []


def _breaks(run: Run) -> list[str]:
    """Return lines on connections that proxies reset when the proxies lost their state."""
    by: dict[tuple[str, str, bool], list[BreakSummary]] = {}
    for broken in run.summary.get("breaks", []):
        by.setdefault((broken["at"], broken["cause"], "connections" in broken), []).append(broken)
    lines = []
    for (at, cause, of_applications), all_of in by.items():
        lost = sum(broken["lost_bytes"] for broken in all_of)
        if of_applications:
            count = sum(broken.get("connections") or 0 for broken in all_of)
            lines.append(
                f"proxy at {at}: {cause} reset {count} connection{'s' if count > 1 else ''} of applications, "
                f"{lost / 1e3:.0f} kB were acknowledged but not delivered"
            )
            continue
        silent = [broken["silent_s"] for broken in all_of if broken["silent_s"] is not None]
        line = (
            f"proxy at {at}: {cause} reset {len(all_of)} transfer{'s' if len(all_of) > 1 else ''}, "
            f"{lost / 1e3:.0f} kB were acknowledged but not delivered"
        )
        if silent:
            line += f", receivers got no data for {sum(silent):.2f} s in total"
        if len(silent) < len(all_of):
            line += f" ({len(all_of) - len(silent)} did not continue)"
        lines.append(line)
    return lines


def _rates(run: Run, *, ends: bool) -> str:
    """Return the rates of all flows together. If flows end, delivered data over the run are not called goodput."""
    totals, about = run.summary["totals"], run.summary["provenance"]
    delivered, sent = totals["delivered_mbit_s"], totals["sent_mbit_s"]
    if delivered is None or sent is None:
        return "goodput and throughput are not known: a flow was measured for too short a time (see the findings)"
    if not ends:
        return f"goodput {delivered:.3f} Mbit/s, throughput {sent:.3f} Mbit/s on the wire"
    measured_s = about["duration_s"] - about["warm_up_s"]
    over = f"the {measured_s:g} s after the warm-up" if about["warm_up_s"] else "the run"
    megabytes = delivered * measured_s / 8.0
    return f"delivered {megabytes:.3f} MB over {over}: {delivered:.3f} Mbit/s on average, {sent:.3f} on the wire"


def total_lines(run: Run) -> list[str]:
    """Return the totals in words."""
    totals = run.summary["totals"]
    sized = transfers.of_resolved(run.scenario)
    lines = [
        *tcp_lines([run]),
        *presets.lines([run.provenance.get("preset")]),
        _rates(run, ends=bool(sized)),
        *transfers.completion_lines(sized, run.summary, _SIZES),
    ]
    if totals["loss_ratio"] is not None:
        causes = {
            "queue": totals["loss_ratio_queue"],
            "error": totals["loss_ratio_error"],
            "outage": totals["loss_ratio_outage"],
        }
        if "loss_ratio_policer" in totals:
            causes["policer"] = totals["loss_ratio_policer"]
        if "loss_ratio_too_large" in totals:
            causes["too large"] = totals["loss_ratio_too_large"]
        shares = (f"{why} {100 * given(ratio):.2f} %" for why, ratio in causes.items())
        lines.append(f"packet loss {100 * totals['loss_ratio']:.2f} % ({', '.join(shares)})")
        lines.extend(_outages(run))
    cleared = [(link["name"], count) for link in run.summary["links"] if (count := link.get("bleached_packets"))]
    for name, count in sorted(cleared, key=lambda one: -one[1])[:_BUDGETS]:
        lines.append(f"{name} cleared the ECN field of {count} packets")
    lines.extend(visits.lines(run))
    lines.extend(call_lines(run))
    # With one flow, the index is always 1.
    if totals.get("jain_index") is not None and sum(flow["kind"] in CONNECTIONS for flow in run.summary["flows"]) > 1:
        lines.append(f"Jain's index {totals['jain_index']:.4f}")
    lines.extend(_proxies(run))
    lines.extend(_breaks(run))
    lines.extend(_bottleneck(run))
    lines.extend(_budget_lines(run))
    lines.extend(rain.lines(run))
    if len(run.summary["links"]) > MANY_LINKS:
        busiest = (f"{link['name']} {100 * link['utilisation']:.0f} %" for link in run.busiest_links(5))
        lines.append(f"busiest of {len(run.summary['links'])} links: {', '.join(busiest)}")
    return lines


def _proxies(run: Run) -> list[str]:
    """Return the most data that each proxy held: of one connection, and of several connections at one time."""
    lines = []
    for site, held in split.held(run.summary).items():
        several = (
            f"; all connections together at most {held.total_bytes / 1e3:.0f} kB at one time"
            if held.total_bytes > held.most_bytes
            else ""
        )
        lines.append(
            f"proxy at {site}: held at most {held.most_bytes / 1e3:.0f} kB of one connection, in a buffer of "
            f"{held.buffer_bytes / 1e3:.0f} kB{several}"
        )
    return lines


def _budget_lines(run: Run) -> list[str]:
    """Return the rates of links with a budget in the weather: all links, or the links with the lowest rates."""
    links = [(link["name"], budget) for link in run.summary["links"] if (budget := link.get("budget"))]
    worst = sorted(links, key=lambda link: -(link[1]["outage_s"] + link[1]["frames_lost_s"]))
    shown = links if len(links) <= _BUDGETS else worst[:_BUDGETS]
    lines = []
    for name, budget in shown:
        lines.append(
            f"budget of {name}: {budget['mean_mbit_s']:.3f} Mbit/s on average, in outage for "
            f"{budget['outage_s']:.1f} s, frames lost for {budget['frames_lost_s']:.1f} s"
        )
    if len(links) > len(shown):
        lines.append(
            f"{len(links) - len(shown)} more links have a link budget; the listed links lost the most time to outages"
        )
    return lines


def _bottleneck(run: Run) -> list[str]:
    """Return the bottleneck of the summary (a link or a shared transmitter), and the fullest shared transmitters."""
    most = run.summary["bottleneck"]
    if most is None:
        return []
    kind = most.get("kind", "link")
    name = most["name"] if kind == "link" else f"{most['name']} ({kind})"
    lines = [f"bottleneck {name}: utilisation {100 * most['utilisation']:.1f} %"]
    # If transmitters are equal, the one that served longest is first.
    shared = sorted(run.summary.get("transmitters", []), key=lambda one: (-one["utilisation"], -one["served_s"]))
    if len(shared) > 1 or (shared and kind == "link"):
        measured_s = run.provenance["duration_s"] - run.provenance["warm_up_s"]
        said = [
            f"{one['name']} {100 * one['utilisation']:.0f} %"
            + ("" if one["served_s"] > 0.999 * measured_s else f" of the {one['served_s']:.0f} s of its service")
            for one in shared[:_SHARED]
        ]
        number = "" if len(shared) <= _SHARED else f", the fullest of {len(shared)}"
        lines.append(f"shared transmitters{number}: {', '.join(said)}")
    return lines


def _number(value: float | None, digits: int = 1) -> str:
    return "–" if value is None else f"{value:.{digits}f}"
