# SPDX-License-Identifier: MIT OR Apache-2.0
"""Fuzz runs: each random scenario runs twice. The bytes must be equal, counts must add up, and no flow may stall.

The counts are computed again from the tables and the summary of a run folder.
"""

from __future__ import annotations

import shutil
import tomllib
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import bentpipe as bp
from bentpipe.base.errors import BentpipeError
from fuzz.draw import TRACES, Draw, accepted
from fuzz.readings import BrokenPromiseError, Target, refused
from project import ROOT

#: Units of the resolved scenario's time spans.
SECONDS = {"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1.0, "min": 60.0, "h": 3600.0, "d": 86400.0}


def seconds(text: str) -> float:
    """Convert a time span of a resolved scenario to seconds."""
    number, unit = text.split()
    return float(number) * SECONDS[unit]


def written(case: bytes, place: Path) -> Path:
    """Write the scenario of a case into a folder with the trace files that scenarios name."""
    for trace in TRACES.values():
        if not (place / trace).exists():
            (place / trace).symlink_to(ROOT / "data" / trace)
    file = place / "case.toml"
    file.write_bytes(case)
    return file


class Runs(Target):
    """Random valid scenarios."""

    name, weight = "run", 1

    def make(self, chance: Random) -> bytes:
        return accepted(Draw(chance).document()).encode()

    def judge(self, case: bytes, place: Path) -> str:
        file = written(case, place)
        folders = [place / "one", place / "other"]
        try:
            for folder in folders:
                bp.run(file, out=folder)
            one, other = ({each.name: each.read_bytes() for each in folder.iterdir()} for folder in folders)
            differs = [name for name in one | other if one.get(name) != other.get(name)]
            if differs:
                raise BrokenPromiseError(f"two runs differ in {differs}")
            run = bp.load(folders[0])
            check(run)
        except BentpipeError as error:
            if error.code == "conservation":
                raise
            return refused(error, file)
        finally:
            for folder in folders:
                shutil.rmtree(folder, ignore_errors=True)
        kinds = sorted({str(finding["kind"]) for finding in run.findings})
        return ", ".join(["run", *kinds])


def check(run: bp.Run) -> None:
    """Check the counts of a run.

    Raises:
        BrokenPromiseError: If a count is wrong.
    """
    scenario = tomllib.loads(run.scenario)
    packets = run.packets.arrow.select(["flow", "link", "kind", "event"]).to_pylist() if len(run.packets) else []
    series = run.flows.arrow.to_pylist()
    fates = Counter((row["flow"], row["kind"], row["event"], row["link"] is None) for row in packets)
    # If proxies split a flow, its connections are checked.
    parts = run.summary.get("parts", [])
    split = {part["flow"] for part in parts}
    connections = [*(flow for flow in run.summary["flows"] if flow["flow"] not in split), *parts]
    for connection in connections if run.provenance["warm_up_s"] == 0 else ():
        counts(connection)
        if packets:
            balance_of_packets(connection, fates, broken=bool(run.summary.get("breaks")))
    for part in parts if run.provenance["warm_up_s"] == 0 else ():
        rows = [row for row in run.parts.arrow.to_pylist() if row["flow"] == part["flow"]]
        balance_of_series(part, rows, run.provenance["duration_s"])
    for proxy in run.summary.get("proxies", []):
        held, buffer = proxy["most_held_bytes"], proxy["buffer_bytes"]
        demand(held <= buffer, f"proxy at {proxy['at']}: it held {held} B of {buffer} of a connection")
        total = proxy["most_held_total_bytes"]
        one = run.summary["flows"][proxy["flow"]]["kind"] == "tcp"
        demand(held == total if one else held <= total, f"proxy at {proxy['at']}: {held} B of one, {total} B of all")
    for flow, asked in zip(run.summary["flows"], plans(scenario), strict=True):
        number = flow["flow"]
        if run.provenance["warm_up_s"] == 0:
            balance_of_series(flow, [row for row in series if row["flow"] == number], run.provenance["duration_s"])
            if asked.get("kind", "tcp") == "tcp":
                amounts(flow, asked, run)
        # A host may finish, or wait for a proxy's buffer, long before its receiver has all data.
        if number not in split:
            stands_still(flow, asked, [row for row in series if row["flow"] == number], run)
    for link in run.summary["links"]:
        demand(
            0 <= link["utilisation"] <= 1 + 1e-9, f"utilisation beyond 1: link {link['name']}:  {link['utilisation']}"
        )
    propagation(run, scenario)
    totals = run.summary["totals"]
    flows = run.summary["flows"]
    demand(totals["sent_packets"] == sum(flow["sent_packets"] for flow in flows), "total of sent_packets")
    delivered = sum(flow["delivered_packets"] for flow in flows)
    demand(totals["delivered_packets"] == delivered, "total of delivered_packets")


def demand(holds: bool, what: str) -> None:
    """Raise an error if a condition does not hold."""
    if not holds:
        raise BrokenPromiseError(what)


def plans(scenario: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the requested keys of each single flow."""
    return [flow for flow in scenario["flows"] for _ in range(flow.get("count", 1))]


def lost_of(flow: bp.FlowSummary) -> dict[str, int]:
    """Return the lost packets, by true cause."""
    losses = flow["losses"]
    return {"queue": losses["queue"], "error": losses["error"], "outage": losses["outage"]}


def counts(flow: bp.FlowSummary) -> None:
    """Check that only sent packets are delivered or lost."""
    lost = sum(lost_of(flow).values())
    on_the_way = flow["sent_packets"] - flow["delivered_packets"] - lost
    demand(on_the_way >= 0, f"delivered and lost: flow {flow['name']}: {on_the_way} packets on the way at the end")
    demand(flow["retransmitted_packets"] <= flow["sent_packets"], f"sent again: flow {flow['name']}: more than sent")


def balance_of_series(flow: bp.FlowSummary, rows: list[dict[str, Any]], duration_s: float) -> None:
    """Check that the samples add up to the summary."""
    if not rows:
        return
    whole = abs(rows[-1]["time_s"] - duration_s) < 1e-12
    sums = {"sent_packets": flow["sent_packets"], "retransmitted_packets": flow["retransmitted_packets"]}
    sums |= {f"lost_{cause}": count for cause, count in lost_of(flow).items()}
    for column, total in sums.items():
        sampled = sum(row[column] for row in rows)
        fits = sampled == total if whole else sampled <= total
        demand(fits, f"samples: flow {flow['name']}: {column} of the samples is {sampled}, of the summary {total}")


def balance_of_packets(flow: bp.FlowSummary, fates: Counter[tuple[int, str, str, bool]], *, broken: bool) -> None:
    """Check that single packets add up to the summary. `broken`: proxies lost their state."""
    number = flow["flow"]
    if flow["kind"] == "ping":
        return

    def seen(event: str) -> tuple[int, int]:
        """Return the number of events, without and with SYNs. A SYN of TCP Fast Open carries data."""
        data, back, syn = (
            sum(fates[number, kind, event, end] for end in (False, True)) for kind in ("data", "data back", "syn")
        )
        return data + back, data + back + syn

    arrived = fates[number, "data", "deliver", True] + fates[number, "data back", "deliver", True]
    with_syn = fates[number, "syn", "deliver", True]
    said = flow["delivered_packets"]
    # Requests are also data, but no flow counts them: neither an application's flow nor a part of it.
    asks = flow["kind"] in {"transfers", "web", "video", "requests"}
    # If a proxy reset a connection, later packets of the connection belong to no flow.
    fits = (asks or broken or arrived <= said) and said <= arrived + with_syn
    demand(fits, f"arrivals: flow {flow['name']}: {arrived} packets arrived, the summary says {said}")
    for cause, count in lost_of(flow).items():
        least, most = seen(f"drop: {cause}")
        fits = (asks or least <= count) and count <= most
        demand(fits, f"drops: flow {flow['name']}: {least} packets dropped by {cause}, the summary says {count}")


def amounts(flow: bp.FlowSummary, asked: dict[str, Any], run: bp.Run) -> None:
    """Check that a complete transfer has delivered its bytes once, and that an incomplete one has delivered fewer."""
    # If a transfer was stopped, its active time is not known.
    if "size" not in asked or flow["stop_s"] is not None:
        return
    end = flow["completed_at_s"] if flow["completed_at_s"] is not None else run.provenance["duration_s"]
    delivered = flow["goodput_mbit_s"] * 1e6 / 8 * (end - flow["start_s"])
    size = amount(asked["size"])
    demand(
        delivered <= size * (1 + 1e-6) + 1,
        f"too much delivered: flow {flow['name']}: {delivered} B delivered of {size}",
    )
    if flow["completed_at_s"] is not None:
        demand(
            delivered >= size * (1 - 1e-6) - 1,
            f"too little delivered: flow {flow['name']} is complete with {delivered} B of {size}",
        )


def amount(text: str) -> float:
    """Convert a size in a resolved scenario to bytes."""
    number, unit = text.split()
    return float(number) * {"B": 1, "kB": 1e3, "MB": 1e6, "GB": 1e9, "TB": 1e12}[unit]


def propagation(run: bp.Run, scenario: dict[str, Any]) -> None:
    """Check that no packet is faster than its path's propagation delay."""
    if "constellation" in scenario["network"] or "starlink" in scenario["network"] or "delay_" in run.scenario:
        return
    least: dict[tuple[str, str], float] = {}
    for row in run.paths.arrow.to_pylist():
        if row["one_way_delay_ms"] is not None:
            key = row["from"], row["to"]
            least[key] = min(least.get(key, float("inf")), row["one_way_delay_ms"])
    for flow in run.summary["flows"]:
        way = flow["one_way_delay_ms"]
        bound = least.get((flow["from"], flow["to"]))
        if way is not None and bound is not None:
            demand(
                way["min"] >= bound - 1e-6,
                f"faster than its path: flow {flow['name']}: {way['min']} ms on a way of {bound} ms",
            )


def stands_still(flow: bp.FlowSummary, asked: dict[str, Any], rows: list[dict[str, Any]], run: bp.Run) -> None:
    """Check that a sender with data sends within two of its longest timeouts."""
    if "tcp" not in asked or flow["completed_at_s"] is not None or "trickle" in asked or len(rows) < 3:
        return
    if rows[-1]["srtt_ms"] is None:
        return  # the flow is not connected, which has a finding
    tcp = asked["tcp"]
    longest = max(seconds(tcp[key]) for key in ("max_rto", "min_rto", "initial_rto") if key in tcp)
    end = run.provenance["duration_s"] if flow["stop_s"] is None else min(flow["stop_s"], run.provenance["duration_s"])
    sent = [row["time_s"] for row in rows if row["sent_packets"] > 0]
    last = max([flow["start_s"], *sent])
    silence = end - last
    interval = rows[1]["time_s"] - rows[0]["time_s"]
    pace = rows[-1]["pacing_mbit_s"]
    gap = 0.0 if not pace else 65_000 * 8 / (pace * 1e6)
    rtt = max(rows[-1]["srtt_ms"], rows[-1]["propagation_rtt_ms"] or 0) / 1e3
    patience = 2 * longest + 4 * rtt + 3 * interval + gap + 1
    demand(
        silence <= patience,
        f"stands still: flow {flow['name']} has sent nothing for {silence:.1f} s (waited {patience:.1f} s)",
    )
