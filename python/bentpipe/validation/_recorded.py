# SPDX-License-Identifier: MIT OR Apache-2.0
"""The simulator on the networks on which another implementation was recorded, and both measured."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

import bentpipe as bp
from bentpipe import ScenarioError
from bentpipe.validation import _ours
from bentpipe.validation._beside import Beside, Measure, Reason, Row, row, total
from bentpipe.validation._oracle import Case, cases, data_folder, missing

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from bentpipe.validation._windows import Trace

#: Seconds of the quick set, which is the cases measured first.
_QUICK_S = 30.0


class Traces(Protocol):
    """The recorded traces of another implementation."""

    def has(self, case: Case) -> bool:
        """Whether the case was recorded."""

    def controllers(self, case: Case) -> list[str]:
        """The other's names of those that ran, sorted."""

    def trace(self, case: Case, controller: str, flow: int = 0) -> Trace:
        """One flow of one run; its times count from its own start."""


@dataclass(frozen=True)
class Twin:
    """The controller of the catalogue that answers to one of the other side.

    Attributes:
        name: Its name.
        settings: Parameters with which it is the other's.
        window_rule: Whether it grows in avoidance and cuts at losses; a model of the path (BBR) does neither.
        tcp: Transport, if it is not that of all.
    """

    name: str
    settings: dict[str, Any] = field(default_factory=dict)
    window_rule: bool = True
    tcp: bp.Tcp | None = None

    def controller(self, *, paced: bool) -> dict[str, Any] | None:
        """As a scenario has it; none if it cannot be paced and shall be."""
        if paced and self.window_rule:
            known = {p["name"] for entry in bp.controllers() if entry["name"] == self.name for p in entry["parameters"]}
            if "pacing" not in known:
                return None
            return {"name": self.name, **self.settings, "pacing": True}
        return {"name": self.name, **self.settings}


@dataclass(frozen=True, kw_only=True)
class Other:
    """What the simulator is compared with.

    Attributes:
        name: Its name.
        read: Its traces in a data folder.
        twins: The catalogue's controllers by its names.
        tcp: Its transport settings on a network.
        measures: What is measured.
        rule: How verdicts are made, in words.
        reasons: Why numbers differ.
    """

    name: str
    read: Callable[[Path], Traces]
    twins: Mapping[str, Twin]
    tcp: Callable[[Case], bp.Tcp]
    measures: Sequence[Measure]
    rule: str
    reasons: Sequence[Reason] = ()


@dataclass(frozen=True)
class Pair:
    """Both traces of a flow.

    Attributes:
        case: The network.
        controller: The other's name.
        ours: Name in the catalogue.
        flow: Index of the flow.
        traces: Ours and the other's.
    """

    case: Case
    controller: str
    ours: str
    flow: int
    traces: tuple[Trace, Trace]


@dataclass(frozen=True)
class Compared(Beside):
    """The simulator beside another implementation, and the traces behind the rows.

    Attributes:
        pairs: The traces, for pictures.
    """

    pairs: list[Pair] = field(default_factory=list)


@dataclass(frozen=True)
class _Planned:
    """A run to make."""

    case: Case
    controller: str
    twin: Twin
    seconds: float
    scenario: bp.Scenario


def compare(
    other: Other,
    controllers: Sequence[str] = (),
    *,
    only: Sequence[str] = (),
    data: Path | None = None,
    quick: bool = False,
    threads: int | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Compared:
    """Run the cases that the other ran, and measure both.

    Args:
        other: What to compare with.
        controllers: Only these, by the other's name or the catalogue's.
        only: Only these cases.
        data: Folder with `oracles/cases.toml` and the traces; that of the checkout if not said otherwise.
        quick: The first 30 seconds of the cases that are measured first.
        threads: Runs at a time; as many as there are processors if not said otherwise.
        progress: Called with (done, all) as runs finish.

    Raises:
        ScenarioError: If there are no traces, or none of the cases and controllers asked for.
    """
    folder = data or data_folder()
    chosen = [case for case in _chosen(cases(folder), only) if not quick or case.order == 1]
    traces = other.read(folder)
    plan: list[_Planned] = []
    left_out: dict[str, list[str]] = {}
    for case in chosen:
        if why := _beyond(case) if traces.has(case) else f"no trace of {other.name}":
            left_out.setdefault(why, []).append(case.name)
            continue
        alone = []
        for name in traces.controllers(case):
            twin = other.twins.get(name)
            if controllers and not {name, twin.name if twin else name} & set(controllers):
                continue
            controller = twin.controller(paced=case.paced) if twin else None
            if twin is None or controller is None:
                alone.append(name)
                continue
            seconds = min(case.seconds, _QUICK_S) if quick else case.seconds
            scenario = _ours.scenario(case, controller, twin.tcp or other.tcp(case), seconds)
            plan.append(_Planned(case, name, twin, seconds, scenario))
        if alone:
            how = "paced " if case.paced else ""
            left_out.setdefault(f"the catalogue has no {how}{', '.join(alone)}", []).append(case.name)
    if not plan:
        raise missing(f"no trace of {other.name} in {folder} is of the cases and controllers asked for")
    rows: dict[str, list[Row]] = {}
    pairs: list[Pair] = []
    for case in dict.fromkeys(one.case for one in plan):
        # Runs keep every packet: those of one case at a time.
        mine = [one for one in plan if one.case is case]
        before = sum(len(found) for found in rows.values())

        def report(done: int, _all: int, before: int = before) -> None:
            if progress is not None:
                progress(before + done, len(plan))

        runs = bp.run_many([one.scenario for one in mine], threads=threads, progress=report)
        for one, run in zip(mine, runs, strict=True):
            flows = _pairs(one, run, traces)
            rows.setdefault(case.name, []).extend(_rows(flows, one.twin, other))
            pairs += flows
    notes = [f"{', '.join(names)}: {why}." for why, names in left_out.items()]
    return Compared(other.name, rows, other.measures, other.rule, notes, pairs=pairs)


def _pairs(one: _Planned, run: bp.Run, traces: Traces) -> list[Pair]:
    """Both traces of each flow of a run."""
    pairs = []
    for flow, start_s in enumerate(one.case.flows_start_s):
        both = (_ours.trace(run, one.case, flow), traces.trace(one.case, one.controller, flow))
        ours, theirs = (trace.until(one.seconds - start_s) for trace in both)
        pairs.append(Pair(one.case, one.controller, one.twin.name, flow, (ours, theirs)))
    return pairs


def _rows(pairs: Sequence[Pair], twin: Twin, other: Other) -> list[Row]:
    several = len(pairs) > 1
    measures = [measure for measure in other.measures if twin.window_rule or not measure.window_rule]
    rows = [
        row(
            (pair.case.name, pair.controller, pair.ours),
            pair.traces,
            measures,
            other.reasons,
            flow=str(pair.flow + 1) if several else "",
        )
        for pair in pairs
    ]
    if several:
        first = pairs[0]
        seconds = float(first.traces[0].time_s[-1])
        ours, theirs = (sum(float(pair.traces[side].acked_bytes[-1]) for pair in pairs) for side in (0, 1))
        goodputs = (ours * 8e-6 / seconds, theirs * 8e-6 / seconds)
        rows.append(total((first.case.name, first.controller, first.ours), goodputs, measures, other.reasons))
    return rows


def _beyond(case: Case) -> str:
    """What of a case the simulator does not have."""
    if case.mark_above_packets is not None:
        return "Bentpipe's TCP does not negotiate ECN"
    if case.super_packets:
        return "segmentation offload is not simulated: every packet leaves the host by itself"
    return ""


def _chosen(known: Sequence[Case], only: Sequence[str]) -> list[Case]:
    names = {case.name for case in known}
    for name in only:
        if name not in names:
            raise ScenarioError("scenario-value", f'no case is called "{name}"; there are: {", ".join(sorted(names))}')
    return [case for case in known if not only or case.name in only]
