# SPDX-License-Identifier: MIT OR Apache-2.0
"""The question of `which`: a scenario with uncertain numbers, an aim, and the flows whose controller is chosen."""

from __future__ import annotations

import math
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import tomli_w

from bentpipe import _core
from bentpipe._which._cases import Spread, read
from bentpipe._which._defaults import AIMS
from bentpipe.base.arguments import known, refuse
from bentpipe.base.json import tables
from bentpipe.base.tables import Table
from bentpipe.results import rank
from bentpipe.results.metrics import Asked
from bentpipe.scenario import keys
from bentpipe.scenario.bench import Bench
from bentpipe.scenario.choice import Choice

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bentpipe.base.json import Document, Json
    from bentpipe.results.metrics import There
    from bentpipe.results.rank import Aim
    from bentpipe.scenario.classes import Scenario
    from bentpipe.scenario.settings import Setting

#: Terms that can have weights, each with the numbers whose logarithms are summed.
WEIGHTED = {
    "goodput": (("goodput_mbit_s", 1.0),),
    "delay": (("rtt_p95_ms", -1.0),),
    "completion": (("completion_median_s", -0.5), ("completion_p95_s", -0.5)),
    "friendliness": (("others_goodput_mbit_s", 1.0),),
    "visits": (("visit_median_s", -0.5), ("visit_p95_s", -0.5)),
    "page-load": (("page_median_s", -0.5), ("page_p95_s", -0.5)),
    "quality": (("film_mbit_s", 1.0),),
    "stalls": (("stalled_percent", -1.0),),
    "calls": (("call_missed_percent", -1.0),),
}
_BESIDE = "CUBIC beside"
#: Keys that flows of every kind have.
_ANY_FLOW = ("from", "to", "start", "stop", "count", "stagger")


@dataclass(frozen=True)
class Question:
    """A checked question.

    Attributes:
        spread: The scenario and its cases.
        benches: The checked scenario of each case.
        aim: The aim.
        targets: Indices of the flow tables whose controller is chosen.
        asked: The chosen flows in a run. The numbers describe these flows.
        beside: Whether CUBIC flows were added, so that friendliness is meaningful.
        jitter: Largest delay of the start of each flow, drawn by seed.
    """

    spread: Spread
    benches: tuple[Bench, ...]
    aim: Aim
    targets: frozenset[int]
    asked: Asked
    beside: bool
    jitter: str | None
    _varied: dict[tuple[int, tuple[Setting, ...]], Bench] = field(default_factory=dict, compare=False, repr=False)

    def bench(self, case: int, over: tuple[Setting, ...]) -> Bench:
        """Return the scenario of a case with other values at some keys. Keys of flows change only in the chosen flows.

        Raises:
            ScenarioError: If a key does not exist in the scenario.
        """
        bench = self.benches[case]
        if not over:
            return bench
        if (case, over) not in self._varied:
            document = self.put(bench.written, over)
            self._varied[case, over] = _bench(document, bench.origin, bench.duration)
        return self._varied[case, over]

    def put(self, document: Document, over: Sequence[Setting]) -> Document:
        """Return the document with values at some keys. Keys of flows change only in the chosen flows."""
        for setting in over:
            for place in setting.places(document):
                if place[0] != "flows" or place[1] in self.targets:
                    document = keys.put(document, place, setting.value)
        return document

    @property
    def has_chance(self) -> bool:
        """Whether the scenario draws anything by seed, whatever the controllers of the chosen flows are."""
        return self.jitter is not None or any(bench.has_chance(self.targets) for bench in self.benches)

    @property
    def ends(self) -> bool:
        """Whether every chosen flow has a size. Then no chosen flow has a goodput over the run."""
        return self.benches[0].there(self.targets).ends

    @property
    def written(self) -> str:
        """The names of the controllers that the scenario gives to the chosen flows."""
        flows = self.benches[0].flows
        return ", ".join(dict.fromkeys(Choice.of(flows[index]["controller"]).key for index in sorted(self.targets)))


def ask(
    scenario: str | os.PathLike[str] | Scenario,
    aim: str | Mapping[str, float],
    *,
    flows: Sequence[str] | None,
    jitter: str | None,
    duration: str | None,
) -> Question:
    """Check a question.

    Raises:
        ScenarioError: If the scenario cannot be used, or the aim is not meaningful for it.
    """
    weights = _weights(aim)
    spread = read(scenario)
    first = _bench(spread.cases[0].document, spread.origin, duration)
    targets = first.targets(flows)
    friendly = "friendliness" in weights if isinstance(weights, Mapping) else weights == "friendliness"
    beside = friendly and len(targets) == len(first.flows)
    benches = tuple(
        _bench(_with_cubic(case.document, targets) if beside else case.document, spread.origin, duration)
        for case in spread.cases
    )
    transfers = first.transfers(targets)
    asked = Asked(first.numbers(targets) if beside or flows is not None or friendly else None, transfers)
    wanted = _aim(weights, first.there(targets))
    if jitter is None and beside:
        # If equal flows start in the same nanosecond, their order decides their shares of the rate, and the order is
        # the same with every seed.
        jitter = _round_trip(benches, targets)
    return Question(spread, benches, wanted, targets, asked, beside, None if jitter == "off" else jitter)


def _round_trip(benches: Sequence[Bench], targets: frozenset[int]) -> str | None:
    """Return the smallest round trip of the chosen flows, without queues; None if no path has a delay."""
    smallest = math.inf
    for bench in benches:
        job = _core.Job(bench.text, bench.origin, duration=bench.duration)
        for name in dict.fromkeys(str(bench.flows[index]["name"]) for index in sorted(targets)):
            there, back = (Table(_core.path_series(job, name, way, "1 s")[0])["delay_ms"] for way in (True, False))
            both = [
                one + other for one, other in zip(there, back, strict=True) if one is not None and other is not None
            ]
            smallest = min([smallest, *(one for one in both if 0.0 < one < math.inf)])
    return f"{smallest:.6g} ms" if math.isfinite(smallest) else None


def _bench(document: Document, origin: str, duration: str | None) -> Bench:
    return Bench.beside(tomli_w.dumps(document), origin, duration=duration)


def _with_cubic(document: Document, targets: frozenset[int]) -> Document:
    """Return the scenario with one added CUBIC flow per chosen flow. The added flow sends until the end."""
    flows = tables(document, "flows")
    for index in sorted(targets):
        # Keys that only applications have do not apply to the CUBIC flow.
        whole = flows[index].get("kind", "tcp") == "tcp"
        kept = [key for key in flows[index] if (whole and key not in ("size", "name", "tcp")) or key in _ANY_FLOW]
        beside = {key: flows[index][key] for key in kept}
        name = f"{_BESIDE} {flows[index].get('name', index + 1)}"
        flows.append({**beside, "controller": "cubic", "name": name})
    return {**document, "flows": [*flows]}


def _weights(aim: str | Mapping[str, float]) -> str | dict[str, float]:
    """Parse an aim: a name, or weights by term."""
    if isinstance(aim, str):
        if "=" not in aim:
            if aim not in AIMS:
                raise known("aim", aim, AIMS)
            return aim
        found: dict[str, str] = {}
        for part in aim.split(","):
            read_ = re.fullmatch(r"\s*([a-z-]+)\s*=\s*(\S+)\s*", part)
            if read_ is None:
                raise refuse(f'cannot read "{part.strip()}" of the aim "{aim}" (write goodput=2,delay=1)')
            found[read_[1]] = read_[2]
        given: Mapping[str, str | float] = found
    else:
        given = aim
    if not isinstance(given, Mapping) or not given:
        raise refuse(f"an aim must be one of {', '.join(AIMS)}, or weights such as goodput=2,delay=1, not {aim!r}")
    weights = {}
    for name, value in given.items():
        if name not in WEIGHTED:
            raise known("part of an aim", name, WEIGHTED)
        try:
            weight = float(value)
        except (TypeError, ValueError):
            weight = math.nan
        if not 0.0 < weight < math.inf:
            raise refuse(f"the weight of {name} must be a number above 0, not {value!r} (omit terms that do not count)")
        weights[str(name)] = weight
    return weights


def _aim(weights: str | Mapping[str, float], there: There) -> Aim:
    rank.check([weights] if isinstance(weights, str) else weights, there)
    if weights == "friendliness":
        weights = {"goodput": 1.0, "friendliness": 1.0}
        return _sum("friendliness", weights)
    if isinstance(weights, str):
        return rank.aim(weights, there)
    return _sum(",".join(f"{name}={weight:g}" for name, weight in weights.items()), weights)


def _sum(name: str, weights: Mapping[str, float]) -> Aim:
    terms = tuple((key, sign * weight) for part, weight in weights.items() for key, sign in WEIGHTED[part])
    return rank.Aim(name, terms, logarithmic=True)


def files_from(document: Document, origin: str, after: Path) -> Document:
    """Return a scenario whose paths are relative to `after` instead of the folder of `origin`."""
    before = Path(origin).parent
    named = set(_core.named_files(_core.Job(tomli_w.dumps(document), origin)))

    def renamed(value: Json) -> Json:
        if isinstance(value, dict):
            return {key: renamed(one) for key, one in value.items()}
        if isinstance(value, list):
            return [renamed(one) for one in value]
        if isinstance(value, str) and before / value in named and (before / value).is_file():
            return os.path.relpath(before / value, after)
        return value

    return {key: renamed(one) for key, one in document.items()}
