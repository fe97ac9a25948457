# SPDX-License-Identifier: MIT OR Apache-2.0
"""A scene: the data of the viewer's page, as one document and buffers (docs/scene.md).

The page reads only the scene, and neither side depends on the other's code. The position of a value in a buffer follows
from the number of samples, which is at the end of a Parquet file. So the document is complete before any column is
read. For a run of an hour with 100 flows (3.6 million rows, 2 million events), the address is printed after 1.0 s of
CPU time, including all imports.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import PurePath
from typing import TYPE_CHECKING

from bentpipe.base.errors import BentpipeError
from bentpipe.results import split
from bentpipe.scenario import presets
from bentpipe.scenario.bench import UNNAMED, network_of, sky_of
from bentpipe.show.viewer import curves as _curves
from bentpipe.show.viewer import events
from bentpipe.show.viewer.buffers import Buffer
from bentpipe.show.viewer.places import Places
from bentpipe.show.viewer.ways import Ways, ways

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bentpipe.results.summary_types import FlowSummary
    from bentpipe.runs.run import Run
    from bentpipe.show.viewer import format as _format
    from bentpipe.show.viewer.format import Document, Fact, Flow, Path, RunPart

#: Version of the format.
FORMAT = 2


@dataclass(frozen=True)
class Trim:
    """The parts that a reduced scene omits.

    Attributes:
        levels: Number of the finest levels of every curve.
        links: Whether the curves of links are omitted.
        losses: Whether the times of single losses are omitted.
        positions: Whether the positions of satellites are omitted.
    """

    levels: int = 0
    links: bool = False
    losses: bool = False
    positions: bool = False

    @property
    def said(self) -> list[str]:
        """Return the omitted parts in words."""
        parts = {
            f"the {self.levels} finest levels of every curve (curves are ranges of many samples)": self.levels,
            "the curves of links": self.links,
            "the moments of single losses": self.losses,
            "the positions of satellites": self.positions,
        }
        return [f"left out to keep the page small: {what}" for what, left_out in parts.items() if left_out]


@dataclass
class Scene:
    """A document, and the buffers that it refers to."""

    document: Document
    buffers: dict[str, Buffer] = field(default_factory=dict)

    @property
    def size(self) -> int:
        """The number of bytes of all buffers."""
        return sum(buffer.size for buffer in self.buffers.values())


def of_runs(runs: Sequence[Run], trim: Trim | None = None) -> Scene:
    """Return the scene of one run, or of several runs in one view.

    Raises:
        RunError: If a table is damaged.
    """
    cut = trim or Trim()
    notes, buffers, parts = list(cut.said), dict[str, Buffer](), []
    for number, run in enumerate(runs):
        made = _Maker(run, f"r{number}-", cut)
        parts.append(made.document())
        buffers |= {buffer.name: buffer for buffer in made.buffers}
        who = f"{run.name}: " if len(runs) > 1 else ""
        notes += [f"{who}{note}" for note in made.notes]
    title = " and ".join(dict.fromkeys(run.name for run in runs))
    document = empty("run", title, runs[0].provenance["build"], notes)
    document["runs"] = parts
    return Scene(document, buffers)


def empty(kind: str, title: str, build: str, notes: list[str]) -> Document:
    """Return the document of an empty scene."""
    return {
        "format": FORMAT,
        "title": title,
        "kind": kind,
        "build": build,
        "notes": notes,
        "runs": [],
        "tables": [],
        "pictures": [],
    }


class _Maker:
    """Makes the part of a scene for one run."""

    def __init__(self, run: Run, prefix: str, trim: Trim) -> None:
        self.run, self.prefix, self.trim = run, prefix, trim
        self.duration_s = run.provenance["duration_s"]
        self.places = Places(run)
        #: The flows. A split flow has its parts, except in a folder without series of parts.
        self.flows = split.flows(run.summary)
        if run._rows("parts"):
            self.flows = sorted(split.connections(run.summary), key=lambda one: (one["of"], one["place"]))
        self.notes: list[str] = []
        self.buffers: list[Buffer] = []

    def document(self) -> RunPart:
        run, places = self.run, self.places
        curves, series = _curves.of_flows(run, self.flows, self.prefix, self.trim.levels)
        of_flow = {flow["flow"]: Buffer(f"{self.prefix}flow-{flow['flow']}") for flow in self.flows}
        sparse = places.in_space
        links, more = (
            ([], []) if self.trim.links else _curves.of_links(run, self.prefix, self.trim.levels, sparse=sparse)
        )
        network = Buffer(f"{self.prefix}network")
        positions = places.positions(network, kept=not self.trim.positions)
        paths = Buffer(f"{self.prefix}paths")
        log = events.Log(run, len(self.flows))
        losses = [] if self.trim.losses else log.losses(of_flow)
        document: RunPart = {
            "name": run.name if run.folder is None else run.folder.name or run.name,
            "folder": None if run.folder is None else str(run.folder),
            "scenario": run.scenario,
            "seed": run.provenance["seed"],
            "duration_s": self.duration_s,
            "warmup_s": run.provenance["warm_up_s"],
            "epoch_utc": _start(run),
            "constellation": _constellation(run),
            "findings": [
                {"kind": one["kind"], "text": one["text"], "since_s": one["since_s"], "flow": one["flow"]}
                for one in run.findings
            ],
            "nodes": places.scene_nodes(),
            "shells": places.scene_shells(),
            "links": places.scene_links(),
            "positions": positions,
            "flows": [self._flow(flow) for flow in self.flows],
            "paths": self._paths(paths, ways(run, places)),
            "curves": curves + links,
            "losses": losses,
            "phases": log.phases(of_flow),
            "events": log.events(of_flow),
        }
        self.buffers = [*series, *of_flow.values(), *more, network, paths]
        if not curves:
            self.notes.append("no series were recorded (record.interval is off), so curves are missing")
        if not log.is_there:
            self.notes.append("no losses, cuts and phases: record.events is off, or none occurred")
        self.notes += [*places.notes, *run.warnings, *presets.lines([run.provenance.get("preset")])]
        return document

    def _ends(self, flow: FlowSummary) -> float:
        ends = [flow["completed_at_s"], flow["stop_s"], self.duration_s]
        return min(end for end in ends if end is not None)

    def _flow(self, flow: split.Connection) -> Flow:
        facts = _facts(flow)
        if flow["place"]:
            whole = self.run.summary["flows"][flow["of"]]
            if (goodput := whole["goodput_mbit_s"]) is not None:
                facts.append({"name": "goodput from host to host", "value": goodput, "unit": "Mbit/s"})
        return {
            "id": flow["flow"],
            "name": flow["name"],
            "controller": flow["controller"] or flow["kind"],
            "from": self.places.number(flow["from"]),
            "to": self.places.number(flow["to"]),
            "start_s": flow["start_s"],
            "end_s": self._ends(flow),
            "completed": flow["completed_at_s"] is not None,
            "color_index": flow["flow"],
            "facts": facts,
        }

    def _paths(self, buffer: Buffer, found: dict[tuple[str, str], Ways]) -> list[Path]:
        """Return the paths of every flow. Flows between the same sites share their paths."""
        laid: dict[tuple[str, str], _format.Ways] = {}
        paths: list[Path] = []
        for flow in self.flows:
            pair = flow["from"], flow["to"]
            if pair not in found:
                continue
            if pair not in laid:
                one, starts = found[pair], [0]
                for way in one.nodes:
                    starts.append(starts[-1] + len(way))
                laid[pair] = {
                    "time": buffer.array("f64", one.times),
                    "count": len(one.nodes),
                    "node_start": buffer.array("u32", starts),
                    "nodes": buffer.array("u32", [node for way in one.nodes for node in way]),
                    "rtt_ms": buffer.array("f32", one.rtt_ms),
                }
            paths.append({"flow": flow["flow"], **laid[pair]})
        return paths


def _facts(flow: FlowSummary) -> list[Fact]:
    """Return numbers of a flow that are shown beside its curves."""
    losses, share = flow["losses"], flow.get("app_limited_share")
    rates = ("goodput", flow["goodput_mbit_s"]), ("throughput", flow["throughput_mbit_s"])
    done = flow["completed_at_s"]
    facts: list[tuple[str, float, str]] = [
        *([("completion", done - flow["start_s"], "s")] if done is not None else []),
        *((name, rate, "Mbit/s") for name, rate in rates if rate is not None),
        ("data packets sent", flow["sent_packets"], "packets"),
        ("retransmitted", flow["retransmitted_packets"], "packets"),
        ("cuts", flow["cuts"], ""),
        ("timeouts", flow["timeouts"], ""),
        ("reductions undone", flow["spurious_undone"], ""),
    ]
    if share is not None:
        facts.append(("time without data to send", 100.0 * share, "%"))
    for name, delay in (("RTT", flow.get("rtt_ms")), ("queueing delay", flow.get("queueing_delay_ms"))):
        if delay:
            facts += [(f"{name}, median", delay["p50"], "ms"), (f"{name}, 95th percentile", delay["p95"], "ms")]
    causes = [("full queue", losses["queue"]), ("link error", losses["error"]), ("outage", losses["outage"])]
    causes += [("policer", losses["policer"])] if "policer" in losses else []
    causes += [("larger than the MTU", losses["too_large"])] if "too_large" in losses else []
    facts += [(f"lost: {cause}", count, "packets") for cause, count in causes]
    return [{"name": name, "value": value, "unit": unit} for name, value, unit in facts]


def _constellation(run: Run) -> str | None:
    """Return the name of the constellation. A catalogue without a name gets the name of its file."""
    network = network_of(run.scenario).get("constellation")
    if network is None:
        return None
    files = [shell["catalogue"] for shell in network.get("shells", []) if "catalogue" in shell]
    name = str(network.get("name", UNNAMED))
    if name != UNNAMED:
        return name
    return PurePath(str(files[0])).stem if files else None


def _start(run: Run) -> str | None:
    """Return the date at which a constellation starts; for a catalogue, only if its file still exists."""
    if "catalogue" not in str(network_of(run.scenario).get("constellation", {}).get("shells")):
        return None
    try:
        sky = sky_of(run.scenario)
    except BentpipeError:
        return None
    start: str | None = None if sky is None else json.loads(sky.describe())["start"]
    return start
