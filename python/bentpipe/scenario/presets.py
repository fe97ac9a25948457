# SPDX-License-Identifier: MIT OR Apache-2.0
"""Networks by name, and how far they are from what was measured over the real ones.

The numbers are measured by `measure` and kept in ``presets.json``; `make presets` writes both.

``make presets`` measures; the tests measure the first seed of each number again. Verdicts have no tolerance of
ours: a published number is a range, or a value and the accuracy with which a picture can be read. A preset's file
(``data/presets``) holds a fragment of a scenario, the sources of its numbers, which of them are ours, and what was
measured over the real network with the flows that measure it here.
"""

from __future__ import annotations

import contextlib
import json
import math
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, TypedDict

import tomli_w

from bentpipe import _core
from bentpipe.base.arguments import refuse
from bentpipe.base.errors import BentpipeError
from bentpipe.runs.run import Run, run_many
from bentpipe.scenario.answers import Alternative

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from bentpipe.base.json import Document, Json
    from bentpipe.scenario.answers import Assumed, Measured, NetworkPreset, PresetSource

SEEDS = (1, 2, 3, 4, 5, 6, 7, 8)
#: With another assumption fewer runs are made.
FEWER = SEEDS[:4]
#: Over satellites each seed begins so much later: another sky.
LATER_S = 600
#: Left out at the start where a silence is looked for.
_START_S = 5.0
#: So much of an offered rate counts as reached.
_REACHED = 0.95


def mean(values: Sequence[float]) -> float:
    """Their arithmetic mean."""
    return math.fsum(values) / len(values)


def short(value: float) -> str:
    """With four digits."""
    return f"{value:.4g}"


def percent(share: float) -> str:
    """A distance in percent."""
    return "0" if share == 0.0 else f"{100.0 * share:+.{0 if abs(share) >= 0.01 else 1}f} %"


@dataclass(frozen=True)
class Number:
    """One published number, and ours.

    Attributes:
        preset: The preset's name.
        quantity: What was measured.
        unit: Its unit.
        least: The lowest value that agrees; None if there is none.
        most: The highest; None if there is none.
        says: What the source says.
        source: Where it is published.
        date: When it was measured.
        is_claim: An operator says so: no measurement.
        ours: A value for each seed.
        varied: The same with another assumption, by its name.
    """

    preset: str
    quantity: str
    unit: str
    least: float | None
    most: float | None
    says: str
    source: str
    date: str
    is_claim: bool
    ours: tuple[float, ...]
    varied: Mapping[str, tuple[float, ...]]

    @property
    def mean(self) -> float:
        """Mean over the seeds."""
        return mean(self.ours)

    def distance(self, value: float | None = None) -> float:
        """How far a value (by default the mean) is beyond the nearest published one, as a share of that; 0 inside."""
        value = self.mean if value is None else value
        if self.least is not None and value < self.least:
            return value / self.least - 1.0
        if self.most is not None and value > self.most:
            return value / self.most - 1.0
        return 0.0

    @property
    def verdict(self) -> str:
        """Inside or outside of what was published."""
        return "inside" if self.distance() == 0.0 else "outside"

    @property
    def hangs_on(self) -> tuple[str, ...]:
        """The assumptions with which the verdict would be the other."""
        inside = self.distance() == 0.0
        measured = ((name, mean(values)) for name, values in self.varied.items() if values)
        return tuple(name for name, value in measured if (self.distance(value) == 0.0) != inside)

    @property
    def published(self) -> str:
        """What was published, as a range."""
        ends = [short(end) for end in (self.least, self.most) if end is not None]
        if len(ends) == 1:
            return f"at {'most' if self.least is None else 'least'} {ends[0]}"
        return " to ".join(dict.fromkeys(ends))


class _Kept(TypedDict):
    """What ``presets.json`` has of a number: a value for each seed, and the same with other assumptions."""

    ours: list[float]
    varied: dict[str, list[float]]


class PublishedNumber(TypedDict):
    """A published number beside ours, as `presets` tells it."""

    quantity: str
    unit: str
    published: str
    source: str
    date: str
    claim: bool
    ours_least: float
    ours_mean: float
    ours_most: float
    distance: float
    verdict: str
    hangs_on: list[str]


class PresetEntry(TypedDict):
    """A network by name, as `presets` tells it."""

    name: str
    about: str
    network: Document
    sources: list[PresetSource]
    assumed: list[Assumed]
    validated: bool
    numbers: list[PublishedNumber]


def presets() -> list[PresetEntry]:
    """The networks by name: keys, sources, assumptions, and how far each is from what was measured.

    Each has ``validated``: whether it was held against a measurement (not: whether it agrees). ``numbers`` says how far
    off it is, quantity by quantity.
    """
    return [
        {
            "name": entry["name"],
            "about": entry["about"],
            "network": entry["network"],
            "sources": entry["sources"],
            "assumed": entry["assumed"],
            "validated": is_validated(entry),
            "numbers": [_as_table(number) for number in kept(entry)],
        }
        for entry in entries()
    ]


def is_validated(entry: NetworkPreset) -> bool:
    """Whether a preset was held against a measurement; a claim is none."""
    return any(not one["claim"] for one in entry["measured"])


def said_of(jobs: Iterable[_core.Job]) -> list[str]:
    """The presets that scenarios stand on, and how far each is validated: a line each; of what cannot be read, none."""
    words: dict[str | None, None] = {}
    for job in jobs:
        with contextlib.suppress(BentpipeError):
            words[_core.facts(job).network_preset] = None
    return lines(words)


def lines(words: Iterable[str | None]) -> list[str]:
    """What is said of presets, each once; None is a network without one."""
    return [f"network preset {one}" for one in dict.fromkeys(words) if one]


def state(entry: NetworkPreset) -> str:
    """How far a preset is validated, in words, by the numbers that are kept; its file has the same."""
    if not is_validated(entry):
        return "unvalidated"
    numbers = [number for number in kept(entry) if not number.is_claim]
    inside = sum(number.verdict == "inside" for number in numbers)
    farthest = max((number.distance() for number in numbers), key=abs)
    beyond = f", the farthest {percent(farthest)}" if farthest else ""
    return f"{inside} of {len(numbers)} published numbers inside{beyond}"


@cache
def entries() -> list[NetworkPreset]:
    """The network presets of the catalogue."""
    found: list[NetworkPreset] = json.loads(_core.network_presets())
    return found


def entry_of(name: str) -> NetworkPreset:
    """A preset with all of its file.

    Raises:
        ArgumentError: If there is none of that name.
    """
    for entry in entries():
        if entry["name"] == name:
            return entry
    known = ", ".join(f"{entry['name']}{'' if is_validated(entry) else ' (unvalidated)'}" for entry in entries())
    raise refuse(f"there is no network preset {name!r} (there are {known})")


def kept(entry: NetworkPreset) -> list[Number]:
    """A preset's numbers as `make presets` measured them last."""
    values: dict[str, dict[str, _Kept]] = json.loads(
        resources.files(__package__).joinpath("presets.json").read_text(encoding="utf-8")
    )
    of_preset = values[entry["name"]]
    return [_number(entry, one, of_preset[one["quantity"]]) for one in entry["measured"]]


def _number(entry: NetworkPreset, one: Measured, values: _Kept) -> Number:
    return Number(
        preset=entry["name"],
        quantity=one["quantity"],
        unit=one["unit"],
        least=one["least"],
        most=one["most"],
        says=one["says"],
        source=one["source"],
        date=one["date"],
        is_claim=one["claim"],
        ours=tuple(values["ours"]),
        varied={name: tuple(some) for name, some in values["varied"].items()},
    )


def _as_table(number: Number) -> PublishedNumber:
    return {
        "quantity": number.quantity,
        "unit": number.unit,
        "published": number.published,
        "source": number.source,
        "date": number.date,
        "claim": number.is_claim,
        "ours_least": min(number.ours),
        "ours_mean": number.mean,
        "ours_most": max(number.ours),
        "distance": number.distance(),
        "verdict": number.verdict,
        "hangs_on": list(number.hangs_on),
    }


# ---- measuring --------------------------------------------------------------------------------------------------


class Other(Alternative):
    """Another assumption with its key, which is empty where it is one of the measurement."""

    key: str


def assumptions(entry: NetworkPreset) -> dict[str, Other]:
    """What is put in the place of each assumption, by its name: a key's value, or keys of the probe."""
    found: dict[str, Other] = {}
    for assumed in entry["assumed"]:
        for other in assumed["other"]:
            key = assumed["key"].rpartition(".")[2]
            name = f"{key}: {other['is']}" if key else other["is"]
            found[name] = {"key": assumed["key"], **other}
    return found


def probe(entry: NetworkPreset, one: Measured, seed: int, other: Other | None = None) -> str:
    """The scenario that measures one number, with one assumption changed if it is given."""
    network: Document = {"preset": entry["name"]}
    if other is not None and other["key"]:
        _put(network, other["key"], other["value"])
    if "constellation" in entry["network"]:
        _put(network, "constellation.offset", f"{(seed - 1) * LATER_S} s")
    interval = "1 s" if one["read"] == "longest silence" else "100 ms"
    measured: Document = {"duration": one["duration"], "flows": [*one["flows"]], "peps": [*one["peps"]]}
    document: Document = {
        "name": entry["name"],
        "seed": seed,
        "network": network,
        "tcp": {"preset": "linux"},
        "record": {"interval": interval, "events": False},
        **measured,
        **({} if other is None else other.get("probe", {})),
    }
    if not document["peps"]:
        del document["peps"]
    return tomli_w.dumps(document)


def _put(table: Document, path: str, value: Json) -> None:
    *outer, last = path.split(".")
    for step in outer:
        inner = table.setdefault(step, {})
        assert isinstance(inner, dict), path  # noqa: S101 - the files of presets name keys of tables
        table = inner
    table[last] = value


def read(what: str, run: Run) -> float:
    """The number that a run comes to."""
    kind, _, rest = what.partition(" ")
    if kind == "goodput":
        return run.summary["totals"]["goodput_mbit_s"]
    if kind == "reached":
        return 100.0 * (run.summary["totals"]["goodput_mbit_s"] >= _REACHED * float(rest))
    if kind == "rtt":
        return _quantile([one for one in run.flows["rtt_ms"] if one is not None], float(rest.lstrip("p")) / 100.0)
    if what == "longest silence":
        return _silence(run.flows["time_s"], run.flows["goodput_mbit_s"])
    if what == "satellite changes":
        return _between_changes(run)
    raise AssertionError(what)


def _quantile(values: Sequence[float], share: float) -> float:
    """The smallest value that so many of them do not exceed."""
    return sorted(values)[max(0, math.ceil(share * len(values)) - 1)]


def _silence(times: Sequence[float], rates: Sequence[float]) -> float:
    longest = since = 0.0
    last = _START_S
    for time, rate in zip(times, rates, strict=True):
        if time > _START_S:
            since = 0.0 if rate else since + time - last
            longest, last = max(longest, since), time
    return longest


def _between_changes(run: Run) -> float:
    """Mean time between two changes of the first satellite on the way."""
    table = run.paths.arrow
    ends = run.summary["flows"][0]["from"], run.summary["flows"][0]["to"]
    columns = [table[name].to_pylist() for name in ("time_s", "from", "to", "via")]
    changes, last = [], None
    for time, origin, destination, via in zip(*columns, strict=True):
        if (origin, destination) != ends or " > " not in via:
            continue
        # The name of a node may hold what a beam or a gateway adds: the satellite is the second on the way.
        satellite = via.split(" > ")[1]
        if last is not None and satellite != last:
            changes.append(time)
        last = satellite
    if len(changes) < 2:
        return math.inf
    return float((changes[-1] - changes[0]) / (len(changes) - 1))


def measure(
    names: Iterable[str], seeds: Sequence[int] = SEEDS, fewer: Sequence[int] = FEWER
) -> dict[str, dict[str, _Kept]]:
    """Every number of these presets, as it is and with every other assumption: what ``presets.json`` holds."""
    return {entry["name"]: _measure(entry, seeds, fewer) for entry in map(entry_of, names)}


def _measure(entry: NetworkPreset, seeds: Sequence[int], fewer: Sequence[int]) -> dict[str, _Kept]:
    others: dict[str | None, Other | None] = {None: None}
    if fewer:
        others.update(assumptions(entry))
    plan = [
        (one, name, probe(entry, one, seed, other))
        for one in entry["measured"]
        for name, other in others.items()
        for seed in (seeds if name is None else fewer)
    ]
    # Several numbers may be read off one run.
    texts = list(dict.fromkeys(text for _, _, text in plan))
    runs = dict(zip(texts, run_many(texts, errors="keep"), strict=True))
    found: dict[str, _Kept] = {}
    for one, name, text in plan:
        of_number = found.setdefault(one["quantity"], {"ours": [], "varied": {}})
        values = of_number["ours"] if name is None else of_number["varied"].setdefault(name, [])
        run = runs[text]
        if isinstance(run, Run):
            value = read(one["read"], run)
            values += [_rounded(value)] if math.isfinite(value) else []
        elif name is None or run.code != "no-path":
            # With other gateways there may be no way at some moment; the presets themselves have one.
            raise run
    return found


def _rounded(value: float) -> float:
    """Six digits: what a page needs, and no more than two builds agree on."""
    return float(f"{value:.6g}")
