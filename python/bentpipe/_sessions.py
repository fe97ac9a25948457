# SPDX-License-Identifier: MIT OR Apache-2.0
"""What the users of applications felt, in a line each.

Comparisons use product-limit percentiles over every session that began (the key `all`), and a percentile that was
not reached is the whole measured time.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bentpipe._summaries import given

if TYPE_CHECKING:
    from bentpipe._run import Run
    from bentpipe._summary_types import FlowSummary, SessionsSummary

#: What a session of each kind is called, and the time that counts for its user.
WORDS = {
    "transfer": ("transfers", "completion"),
    "page": ("pages", "load time"),
    "film": ("films", "start-up"),
    "exchange": ("exchanges", "completion"),
}

#: What sessions asked for is told where it is further from the mean than this share.
_APART = 0.2


def flows_of(run: Run) -> list[tuple[FlowSummary, SessionsSummary]]:
    """The application flows of a run, as in its summary, each with its sessions."""
    return [(flow, sessions) for flow in run.summary["flows"] if (sessions := flow.get("sessions"))]


def lines(run: Run, at_most: int = 20) -> list[str]:
    """One line for each application flow."""
    flows = flows_of(run)
    said = [_line(flow["name"], sessions) for flow, sessions in flows[:at_most]]
    return [*said, *([f"{len(flows) - at_most} more application flows"] if len(flows) > at_most else [])]


def _line(name: str, sessions: SessionsSummary) -> str:
    what, counts = WORDS[sessions["of"]]
    said = [f"{name}: {sessions['finished']} of {sessions['begun']} {what} done"]
    if took := sessions["took_s"]:
        said.append(f"{counts} median {took['p50']:.3g} s, p95 {took['p95']:.3g} s, p99 {took['p99']:.3g} s")
    if slow := sessions["slow_down"]:
        said.append(f"{slow['p50']:.3g} times that of an empty path, p95 {slow['p95']:.3g}")
    if share := sessions.get("stalled_share"):
        stalls = given(sessions.get("stalls"))
        said.append(f"stood still {100 * share['mean']:.2g} % of the time, {stalls['mean']:.2g} stalls each")
    if quality := sessions.get("quality_mbit_s"):
        shown = f"{quality['mean']:.3g} Mbit/s, p5 {quality['p5']:.3g}"
        alone = sessions.get("sustainable_mbit_s")
        said.append(f"{shown}, where an empty path carries {alone['mean']:.3g}" if alone else shown)
    if sessions["load"] is not None:
        drawn = sessions["drawn_mbit_s"] / given(sessions["offered_mbit_s"])
        # Few sessions of a law with a heavy tail bring little of its mean.
        apart = f" ({drawn * sessions['load']:.2g} by the sessions that began)" if abs(drawn - 1) > _APART else ""
        said.append(f"load {sessions['load']:.3g}{apart}")
    return "; ".join(said)
