# SPDX-License-Identifier: MIT OR Apache-2.0
"""A scene: what the viewer's page shows of results, as one document and buffers (DESIGN.md, "The viewer")."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from bentpipe import _split
from bentpipe._errors import BentpipeError
from bentpipe._variants import network_of
from bentpipe._view import _curves, _events
from bentpipe._view._buffers import Buffer
from bentpipe._view._places import Places
from bentpipe._view._ways import Ways, ways

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bentpipe._run import Run

#: Version of the format.
FORMAT = 2
#: Numbers of a flow beside its curves: key of the summary, what it is called, unit.
_FACTS = (
    ("goodput_mbit_s", "goodput", "Mbit/s"),
    ("throughput_mbit_s", "throughput", "Mbit/s"),
    ("sent_packets", "data packets sent", ""),
    ("retransmitted_packets", "retransmissions", ""),
    ("cuts", "cuts", ""),
    ("timeouts", "timeouts", ""),
    ("spurious_undone", "reductions undone", ""),
    ("app_limited_share", "share without data to send", ""),
)


@dataclass(frozen=True)
class Trim:
    """What a smaller scene does without.

    Attributes:
        levels: So many of the finest levels of every curve.
        links: The curves of links.
        losses: The moments of single losses.
        positions: Where satellites are.
    """

    levels: int = 0
    links: bool = False
    losses: bool = False
    positions: bool = False

    @property
    def said(self) -> list[str]:
        """It in words."""
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

    document: dict[str, Any]
    buffers: dict[str, Buffer] = field(default_factory=dict)

    @property
    def size(self) -> int:
        """Bytes of all buffers."""
        return sum(buffer.size for buffer in self.buffers.values())


def of_runs(runs: Sequence[Run], trim: Trim | None = None) -> Scene:
    """The scene of one run, or of several over each other.

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
    return Scene(_whole("run", title, str(runs[0].provenance["build"]), notes) | {"runs": parts}, buffers)


def of_tables(kind: str, title: str, build: str, notes: list[str], tables: list[Any], pictures: list[Any]) -> Scene:
    """The scene of a result that is tables, whose rows may lead to runs."""
    return Scene(_whole(kind, title, build, notes) | {"tables": tables, "pictures": pictures})


def _whole(kind: str, title: str, build: str, notes: list[str]) -> dict[str, Any]:
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
    """One run of a scene in the making."""

    def __init__(self, run: Run, prefix: str, trim: Trim) -> None:
        self.run, self.prefix, self.trim = run, prefix, trim
        self.duration_s = float(run.provenance["duration_s"])
        self.places = Places(run)
        #: Of a flow that proxies split its parts, together; of a folder that is older than their series the flow.
        self.flows = run.summary["flows"]
        if run._rows("parts"):
            single = _split.connections(run.summary)
            self.flows = sorted(single, key=lambda one: (one.get("of", one["flow"]), one.get("place", 0)))
        self.notes: list[str] = []
        self.buffers: list[Buffer] = []

    def document(self) -> dict[str, Any]:
        run, places = self.run, self.places
        curves, series = _curves.of_flows(run, self.flows, self.prefix, self.trim.levels)
        of_flow = {int(flow["flow"]): Buffer(f"{self.prefix}flow-{flow['flow']}") for flow in self.flows}
        sparse = places.in_space
        links, more = (
            ([], []) if self.trim.links else _curves.of_links(run, self.prefix, self.trim.levels, sparse=sparse)
        )
        network = Buffer(f"{self.prefix}network")
        positions = places.positions(network, kept=not self.trim.positions)
        paths = Buffer(f"{self.prefix}paths")
        log = _events.Log(run, len(self.flows))
        losses = [] if self.trim.losses else log.losses(of_flow)
        document = {
            "name": run.name if run.folder is None else run.folder.name or run.name,
            "folder": None if run.folder is None else str(run.folder),
            "scenario": run.scenario,
            "seed": run.provenance["seed"],
            "duration_s": self.duration_s,
            "warmup_s": run.provenance["warm_up_s"],
            "epoch_utc": _start(run),
            "findings": [
                {key: finding[key] for key in ("kind", "text", "since_s", "flow")} for finding in run.findings
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
            self.notes.append("no series were recorded (record.interval is off): there are no curves")
        if not log.is_there:
            self.notes.append("no losses, cuts and phases are there: record.events is off, or there was none")
        from bentpipe._report import preset_lines

        self.notes += [*places.notes, *run.warnings, *preset_lines([run])]
        return document

    def _ends(self, flow: dict[str, Any]) -> float:
        ends = [flow["completed_at_s"], flow["stop_s"], self.duration_s]
        return min(float(end) for end in ends if end is not None)

    def _flow(self, flow: dict[str, Any]) -> dict[str, Any]:
        facts = [
            {"name": name, "value": flow[key], "unit": unit} for key, name, unit in _FACTS if flow.get(key) is not None
        ]
        for key, name in (("rtt_ms", "RTT"), ("queueing_delay_ms", "queueing delay")):
            if flow.get(key):
                facts += [
                    {"name": f"{name}, {said}", "value": flow[key][one], "unit": "ms"}
                    for one, said in (("p50", "median"), ("p95", "95th percentile"))
                ]
        facts += [
            {"name": f"lost: {cause}", "value": count, "unit": "packets"} for cause, count in flow["losses"].items()
        ]
        if "of" in flow:
            whole = self.run.summary["flows"][flow["of"]]
            facts.append({"name": "goodput from host to host", "value": whole["goodput_mbit_s"], "unit": "Mbit/s"})
        return {
            "id": flow["flow"],
            "name": flow["name"],
            "controller": flow["controller"] or flow["kind"],
            "from": self.places.number(str(flow["from"])),
            "to": self.places.number(str(flow["to"])),
            "start_s": flow["start_s"],
            "end_s": self._ends(flow),
            "color_index": flow["flow"],
            "facts": facts,
        }

    def _paths(self, buffer: Buffer, found: dict[tuple[str, str], Ways]) -> list[dict[str, Any]]:
        """The ways of every flow; flows between the same sites share theirs."""
        laid: dict[tuple[str, str], dict[str, Any]] = {}
        paths = []
        for flow in self.flows:
            pair = str(flow["from"]), str(flow["to"])
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


def _start(run: Run) -> str | None:
    """The date at which a constellation starts: of a catalogue, as long as that is where it was."""
    constellation = network_of(run.scenario).get("constellation")
    if not isinstance(constellation, dict) or "catalogue" not in str(constellation.get("shells")):
        return None
    from bentpipe._scenario_classes import Constellation
    from bentpipe._sky import Sky

    try:
        start = Sky(Constellation(**constellation)).facts["start"]
    except (BentpipeError, TypeError):
        return None
    return None if start is None else str(start)
