# SPDX-License-Identifier: MIT OR Apache-2.0
"""Measures the numbers of network presets in runs: unchanged, and with each alternative assumption."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import tomli_w

from bentpipe.results.summaries import given
from bentpipe.runs.make import run_many
from bentpipe.runs.run import Run
from bentpipe.scenario.answers import Alternative
from bentpipe.scenario.presets import Kept, entry_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from bentpipe.base.json import Document, Json
    from bentpipe.scenario.answers import Measured, NetworkPreset

SEEDS = (1, 2, 3, 4, 5, 6, 7, 8)
#: Seeds of runs with an alternative assumption.
FEWER = SEEDS[:4]
#: Over satellites, each further seed starts later by this time in s, with other positions of the satellites.
LATER_S = 600
#: Time at the start, in s, that is ignored in the search for a silence.
_START_S = 5.0
#: Fraction of an offered rate that counts as reached.
_REACHED = 0.95


class Other(Alternative):
    """An alternative assumption with its key, which is empty for assumptions on the measurement."""

    key: str


def assumptions(entry: NetworkPreset) -> dict[str, Other]:
    """Returns the alternatives to each assumption, by name: the value of a key, or keys of the probe."""
    found: dict[str, Other] = {}
    for assumed in entry["assumed"]:
        for other in assumed["other"]:
            key = assumed["key"].rpartition(".")[2]
            name = f"{key}: {other['is']}" if key else other["is"]
            found[name] = {"key": assumed["key"], **other}
    return found


def probe(entry: NetworkPreset, one: Measured, seed: int, other: Other | None = None) -> str:
    """Returns the scenario that measures one number, with one changed assumption if it is given."""
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
        assert isinstance(inner, dict), path
        table = inner
    table[last] = value


def read(what: str, run: Run) -> float:
    """Returns the number that a run measures."""
    kind, _, rest = what.partition(" ")
    if kind == "goodput":
        return given(run.summary["totals"]["delivered_mbit_s"])
    if kind == "reached":
        return 100.0 * (given(run.summary["totals"]["delivered_mbit_s"]) >= _REACHED * float(rest))
    if kind == "rtt":
        return _quantile([one for one in run.flows["rtt_ms"] if one is not None], float(rest.lstrip("p")) / 100.0)
    if what == "longest silence":
        return _silence(run.flows["time_s"], run.flows["goodput_mbit_s"])
    if what == "satellite changes":
        return _between_changes(run)
    raise AssertionError(what)


def _quantile(values: Sequence[float], share: float) -> float:
    """Returns the smallest value that this share of the values does not exceed."""
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
    """Returns the mean time between two changes of the first satellite on the path."""
    table = run.paths.arrow
    ends = run.summary["flows"][0]["from"], run.summary["flows"][0]["to"]
    columns = [table[name].to_pylist() for name in ("time_s", "from", "to", "via")]
    changes, last = [], None
    for time, origin, destination, via in zip(*columns, strict=True):
        if (origin, destination) != ends or " > " not in via:
            continue
        # The second node on the path is the satellite; its name may contain additions for a beam or a gateway.
        satellite = via.split(" > ")[1]
        if last is not None and satellite != last:
            changes.append(time)
        last = satellite
    if len(changes) < 2:
        return math.inf
    return float((changes[-1] - changes[0]) / (len(changes) - 1))


def measure(
    names: Iterable[str], seeds: Sequence[int] = SEEDS, fewer: Sequence[int] = FEWER
) -> dict[str, dict[str, Kept]]:
    """Return every number of these presets, unchanged and with each other assumption, as in ``presets.json``."""
    return {entry["name"]: _measure(entry, seeds, fewer) for entry in map(entry_of, names)}


def _measure(entry: NetworkPreset, seeds: Sequence[int], fewer: Sequence[int]) -> dict[str, Kept]:
    others: dict[str | None, Other | None] = {None: None}
    if fewer:
        others.update(assumptions(entry))
    plan = [
        (one, name, probe(entry, one, seed, other))
        for one in entry["measured"]
        for name, other in others.items()
        for seed in (seeds if name is None else fewer)
    ]
    # One run may measure several numbers.
    texts = list(dict.fromkeys(text for _, _, text in plan))
    runs = dict(zip(texts, run_many(texts, errors="keep"), strict=True))
    found: dict[str, Kept] = {}
    for one, name, text in plan:
        of_number = found.setdefault(one["quantity"], {"ours": [], "varied": {}})
        values = of_number["ours"] if name is None else of_number["varied"].setdefault(name, [])
        run = runs[text]
        if isinstance(run, Run):
            value = read(one["read"], run)
            values += [_rounded(value)] if math.isfinite(value) else []
        elif name is None or run.code != "no-path":
            # With other gateways, there may be no path at times. The presets themselves always have a path.
            raise run
    return found


def _rounded(value: float) -> float:
    """Rounds to six digits, which is enough for a page, and on which two builds agree."""
    return float(f"{value:.6g}")
