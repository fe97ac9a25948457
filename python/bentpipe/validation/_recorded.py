# SPDX-License-Identifier: MIT OR Apache-2.0
"""Run the simulator on the networks on which another implementation was recorded, and measure both."""

from __future__ import annotations

import functools
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Literal

import bentpipe as bp
from bentpipe import ScenarioError
from bentpipe.base import progress as _progress
from bentpipe.validation import _ours
from bentpipe.validation._beside import GOODPUT, LATER_S, Beside, Measure, Reason, Row, row, total
from bentpipe.validation._oracle import Case, cases, data_folder, missing

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from bentpipe.validation._oracle import Traces
    from bentpipe.validation._windows import Trace

#: Duration of runs in the quick set in seconds.
_QUICK_S = 30.0
#: The longest round trip for which this duration is enough.
_QUICK_RTT_MS = 300


@dataclass(frozen=True)
class Twin:
    """The controller of the catalogue that corresponds to a controller of the other implementation.

    Attributes:
        name: Name of the controller.
        settings: Parameters that make the controller equivalent to the other.
        window_rule: Whether the controller grows in avoidance and cuts at losses. A model of the path (BBR) does not.
        tcp: Transport settings that replace the common settings. None means the common settings.
        ecn: Kind of ECN feedback that replaces the common kind, also on networks that do not mark. None means the
            common kind.
    """

    name: str
    settings: Mapping[str, object] = field(default_factory=dict)
    window_rule: bool = True
    tcp: bp.Tcp | None = None
    ecn: Literal["dctcp"] | None = None

    def controller(self, *, paced: bool) -> dict[str, object] | None:
        """Return the controller for a scenario; None if the case requires pacing and the controller cannot pace."""
        if paced and self.window_rule:
            known = {p["name"] for entry in bp.controllers() if entry["name"] == self.name for p in entry["parameters"]}
            if "pacing" not in known:
                return None
            return {"name": self.name, **self.settings, "pacing": True}
        return {"name": self.name, **self.settings}


@dataclass(frozen=True, kw_only=True)
class Other:
    """The implementation with which Bentpipe is compared.

    Attributes:
        name: Name of the other implementation.
        read: Function that reads the traces of a data folder.
        twins: For the name of a controller in the other implementation, the controller of the catalogue.
        tcp: Function that returns the transport settings on a network.
        measures: The measures.
        rule: The rule of the verdicts in words.
        reasons: Reasons for differences.
        judges: Whether a judged measure applies to a controller on a network.
        unjudged: Reasons why controllers are not judged, by the names of the other implementation.
    """

    name: str
    read: Callable[[Path], Traces]
    twins: Mapping[str, Twin]
    tcp: Callable[[Case], bp.Tcp]
    measures: Sequence[Measure]
    rule: str
    reasons: Sequence[Reason] = ()
    judges: Callable[[Case, str, str], bool] = lambda _case, _controller, _measure: True
    unjudged: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Pair:
    """Both traces of a flow.

    Attributes:
        case: The network.
        controller: The name in the other implementation.
        ours: Name in the catalogue.
        flow: Index of the flow.
        traces: Our trace, and the trace of the other implementation.
        also: Our traces of the runs whose further flows start later.
    """

    case: Case
    controller: str
    ours: str
    flow: int
    traces: tuple[Trace, Trace]
    also: tuple[Trace, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Asked:
    """The compared cases, and how they are run.

    Attributes:
        controllers: Only these controllers, by the name in the other implementation or in the catalogue; all if empty.
        only: Only these cases; all if empty.
        data: Folder with `oracles/cases.toml` and the traces, by default the folder of the checkout.
        quick: Whether only the first 30 s of the cases of order 1 are compared, and of events only the quick set and
            the oldest kernel.
        threads: Number of runs at a time, by default one per processor. Results do not depend on the number.
        progress: Function that is called with (done, all) when runs finish. True shows the progress on stderr.
        costly: Make a run even if it needs more memory or disk than is free, by the estimate (`estimate_cost`).
    """

    controllers: Sequence[str] = ()
    only: Sequence[str] = ()
    data: Path | None = None
    quick: bool = False
    threads: int | None = None
    progress: Callable[[int, int], None] | bool | None = None
    costly: bool = False

    @property
    def folder(self) -> Path:
        """The data folder."""
        return self.data or data_folder()

    @property
    def partial(self) -> bool:
        """Whether cases are left out. Then an unused reason may apply to a case that is left out."""
        return bool(self.quick or self.only or self.controllers)


@dataclass(frozen=True)
class Compared(Beside):
    """The comparison with another implementation, and the traces of its rows.

    Attributes:
        pairs: The traces, for pictures.
    """

    pairs: list[Pair] = field(default_factory=list)


@dataclass(frozen=True)
class _Planned:
    """A case to run with a controller. There is one run for each start time of the further flows."""

    case: Case
    controller: str
    twin: Twin
    seconds: float
    starts: tuple[Case, ...]
    tcp: bp.Tcp
    scenarios: tuple[bp.Scenario, ...]


def compare(other: Other, asked: Asked) -> Compared:
    """Run the cases of the other implementation, and measure both.

    Raises:
        ScenarioError: If there are no traces, or none of the chosen cases and controllers.
    """
    folder = asked.folder
    chosen = [case for case in _chosen(cases(folder), asked.only) if not asked.quick or _is_quick(case)]
    traces = other.read(folder)
    plan: list[_Planned] = []
    left_out: dict[str, list[str]] = {}
    for case in chosen:
        if not traces.has(case):
            left_out.setdefault(f"no trace of {other.name}", []).append(case.name)
            continue
        alone = []
        for name in traces.controllers(case):
            twin = other.twins.get(name)
            if asked.controllers and not {name, twin.name if twin else name} & set(asked.controllers):
                continue
            controller = twin.controller(paced=case.paced) if twin else None
            if twin is None or controller is None:
                alone.append(name)
                continue
            seconds = min(case.seconds, _QUICK_S) if asked.quick else case.seconds
            tcp = twin.tcp or other.tcp(case)
            if twin.ecn:
                tcp = replace(tcp, ecn=twin.ecn)
            starts = tuple(_later(case))
            scenarios = tuple(_ours.scenario(start, controller, tcp, seconds) for start in starts)
            plan.append(_Planned(case, name, twin, seconds, starts, tcp, scenarios))
        if alone:
            how = "paced " if case.paced else ""
            left_out.setdefault(f"the catalogue has no {how}{', '.join(alone)}", []).append(case.name)
    if not plan:
        raise missing(f"{folder} has no trace of {other.name} for the chosen cases and controllers")
    rows: dict[str, list[Row]] = {}
    pairs: list[Pair] = []
    with _progress.shown(asked.progress, "runs") as update:
        tally = _progress.Tally(update, sum(len(one.scenarios) for one in plan))
        for case in dict.fromkeys(one.case for one in plan):
            # Runs keep every packet, so only the runs of one case are in memory.
            mine = [one for one in plan if one.case is case]
            batch = [scenario for one in mine for scenario in one.scenarios]
            tell = tally.batch(len(batch))
            runs = iter(bp.run_many(batch, threads=asked.threads, progress=tell, costly=asked.costly))
            for one in mine:
                flows = _pairs(one, [next(runs) for _ in one.scenarios], traces)
                rows.setdefault(case.name, []).extend(_rows(flows, one.twin, other))
                pairs += flows
    notes = [f"{', '.join(names)}: {why}." for why, names in left_out.items()]
    ran = {one.controller for one in plan}
    notes += [f"{name} is not judged: {why}." for name, why in other.unjudged.items() if name in ran]
    return Compared(other.name, rows, other.measures, other.rule, notes, partial=asked.partial, pairs=pairs)


def _is_quick(case: Case) -> bool:
    """Return whether the first seconds of a case are representative, because they have enough round trips."""
    return case.order == 1 and (case.rtt_ms or 0) <= _QUICK_RTT_MS


def _later(case: Case) -> Iterator[Case]:
    """Yield the case, and variants with later starts of further flows."""
    yield case
    first, *further = case.flows_start_s
    if further:
        for later_s in LATER_S:
            yield replace(case, flows_start_s=(first, *(start_s + later_s for start_s in further)))


def _pairs(one: _Planned, runs: Sequence[bp.Run], traces: Traces) -> list[Pair]:
    """Return both traces of each flow of the first run, and our traces of the other runs."""
    pairs = []
    for flow, start_s in enumerate(one.case.flows_start_s):
        until_s = one.seconds - start_s
        ours, *also = (
            _ours.trace(run, start, one.tcp, flow).until(until_s) for run, start in zip(runs, one.starts, strict=True)
        )
        theirs = traces.trace(one.case, one.controller, flow).until(until_s)
        pairs.append(Pair(one.case, one.controller, one.twin.name, flow, (ours, theirs), tuple(also)))
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
            also=pair.also,
            judges=functools.partial(other.judges, pair.case, pair.controller),
        )
        for pair in pairs
    ]
    if several:
        first = pairs[0]
        seconds = float(first.traces[0].time_s[-1])
        ours = zip(*((pair.traces[0], *pair.also) for pair in pairs), strict=True)
        theirs = _acked_b(pair.traces[1] for pair in pairs)
        goodputs = [(_acked_b(flows) * 8e-6 / seconds, theirs * 8e-6 / seconds) for flows in ours]
        names = first.case.name, first.controller, first.ours
        judged = other.judges(first.case, first.controller, GOODPUT)
        rows.append(total(names, goodputs, measures, other.reasons, judged=judged))
    return rows


def _acked_b(traces: Iterable[Trace]) -> float:
    return sum(float(trace.acked_bytes[-1]) for trace in traces)


def refuse_strange(only: Sequence[str], names: Sequence[str]) -> None:
    """Refuse an unknown name of a case."""
    for name in only:
        if name not in names:
            there = ", ".join(sorted(set(names)))
            raise ScenarioError("scenario-value", f'unknown case "{name}"; known cases: {there}')


def _chosen(known: Sequence[Case], only: Sequence[str]) -> list[Case]:
    refuse_strange(only, [case.name for case in known])
    return [case for case in known if not only or case.name in only]
