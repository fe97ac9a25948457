# SPDX-License-Identifier: MIT OR Apache-2.0
"""Make variants of a scenario: other controllers on chosen flows, starts drawn by seed, a shorter run."""

from __future__ import annotations

import copy
import fnmatch
import random
from decimal import Decimal
from functools import cached_property
from typing import TYPE_CHECKING, Any

import tomli_w

from bentpipe import _core
from bentpipe.base.errors import BentpipeError, ScenarioError
from bentpipe.results.metrics import SENDERS, There
from bentpipe.results.transfers import groups
from bentpipe.scenario import keys
from bentpipe.scenario.document import ScenarioText, text_of

if TYPE_CHECKING:
    import os
    from collections.abc import Iterable, Iterator, Sequence

    from bentpipe.results.transfers import Transfers
    from bentpipe.scenario.choice import Choice
    from bentpipe.scenario.classes import Scenario

#: Simulated time in s of a first look (`--quick`), after the last flow has started and the warm-up is over.
QUICK_S = 10
#: A first look with fewer base round trips has a finding. Slow start from 10 to 10,000 packets takes 10 round trips, so
#: with 50 round trips, four fifths of the time lie after slow start.
QUICK_ROUND_TRIPS = 50
#: The name of a constellation that has no name.
UNNAMED = "custom"


class Bench:
    """A resolved scenario (checked, with every default filled in) and its variants."""

    def __init__(self, scenario: str | os.PathLike[str] | Scenario, *, duration: str | None = None) -> None:
        self.text, self.origin = text_of(scenario)
        #: Settings of flows that a variant moves to another transport.
        self.moved = scenario.moved if isinstance(scenario, ScenarioText) else ()
        self.duration = duration

    @classmethod
    def beside(cls, text: str, origin: str, *, duration: str | None = None) -> Bench:
        """Make a bench from the text of a scenario or a variant. Paths of files are relative to `origin`."""
        bench = cls(f"{text}\n", duration=duration)
        bench.origin = origin
        return bench

    def job(self) -> _core.Job:
        """Return the job of the unchanged scenario."""
        return _core.Job(self.text, self.origin, duration=self.duration)

    @cached_property
    def facts(self) -> _core.Facts:
        """The facts of the scenario that are known without a run."""
        return _core.facts(self.job())

    @cached_property
    def document(self) -> dict[str, Any]:
        """The resolved scenario."""
        return _core.read_toml(self.facts.resolved, "resolved")

    @cached_property
    def written(self) -> dict[str, Any]:
        """The scenario as written, without defaults."""
        return _core.read_toml(self.text, self.origin)

    @property
    def flows(self) -> list[dict[str, Any]]:
        """The tables of flows."""
        return list(self.document["flows"])

    def targets(self, names: Sequence[str] | None) -> frozenset[int]:
        """Return the indices of the TCP flows and applications with these names (or patterns, ``web*``); None: all.

        Raises:
            ScenarioError: If a name matches no TCP flow or application, or the scenario has none.
        """
        senders = [(index, str(flow["name"])) for index, flow in enumerate(self.flows) if flow["kind"] in SENDERS]
        if not senders:
            kinds = ", ".join(dict.fromkeys(str(flow["kind"]) for flow in self.flows)) or "none"
            raise ScenarioError(
                "scenario-value",
                f"{self.origin}: no flow has a controller to compare: the scenario has neither a TCP flow nor an "
                f"application (kinds: {kinds})",
            )
        if names is None:
            return frozenset(index for index, _ in senders)
        chosen = set()
        for name in names:
            fits = {index for index, its in senders if its == name or fnmatch.fnmatchcase(its, name)}
            if not fits:
                there = ", ".join(dict.fromkeys(its for _, its in senders))
                raise ScenarioError(
                    "scenario-value", f'no TCP flow or application is called "{name}" (there are: {there})'
                )
            chosen |= fits
        return frozenset(chosen)

    def transfers(self, tables: Iterable[int]) -> tuple[Transfers, ...]:
        """Return the TCP flows of these tables that have a size, by name and size."""
        return groups(self.flows, frozenset(tables))

    def there(self, tables: Iterable[int]) -> There:
        """Return the kinds of the flows of these tables."""
        some = list(tables)
        kinds = {at: str(self.flows[at]["kind"]) for at in some}
        return There(
            tcp=len(self.numbers(at for at in some if kinds[at] == "tcp")),
            transfers=sum(len(group.flows) for group in self.transfers(some)),
            applications=frozenset(kinds.values()) - {"tcp"},
            calls=any(flow["kind"] == "call" for flow in self.flows),
        )

    def numbers(self, tables: Iterable[int]) -> frozenset[int]:
        """Return the indices that the flows of these tables have in a run."""
        wanted, first, found = set(tables), 0, set()
        for index, flow in enumerate(self.flows):
            if index in wanted:
                found |= set(range(first, first + flow["count"]))
            first += flow["count"]
        return frozenset(found)

    @cached_property
    def _chance(self) -> list[_core.Chance]:
        return self.facts.chance

    def has_chance(self, targets: frozenset[int]) -> bool:
        """Return whether two seeds can give different runs, whatever the controllers of the flows of some tables are.

        If the result is false, a controller in Python or a replaced controller may still draw. Then two runs differ.

        Args:
            targets: Indices of these tables.
        """
        replaced = {f"flows[{index}].controller" for index in targets}
        return any(one.place not in replaced for one in self._chance)

    def variant(self, choice: Choice | None, targets: frozenset[int], *, jitter: str | None, seed: int) -> str:
        """Return the scenario as TOML, with another controller on the flows of some tables and with delayed starts."""
        document = copy.copy(self.document)
        document["flows"] = [dict(flow) for flow in self.flows]
        unnamed = self._unnamed()
        for index, flow in enumerate(document["flows"]):
            if choice is not None and index in targets:
                before = flow.get("transport")
                choice.apply(flow, self.written.get("tcp"))
                if flow.get("transport") != before:
                    flow = document["flows"][index] = self._with_moved(flow, index)
                if index in unnamed and len(document["flows"]) > 1:
                    # In the resolved scenario, an unnamed flow has the name of its controller, which is now replaced.
                    flow["name"] = f"flow {index + 1}"
        if jitter is not None:
            document["flows"] = list(_late(document["flows"], _core.nanos(jitter), seed, self.facts.duration_ns))
        return tomli_w.dumps(document)

    def _with_moved(self, flow: dict[str, Any], index: int) -> dict[str, Any]:
        """Return the table of a flow that was moved to another transport, with the settings of this transport."""
        for setting in self.moved:
            if (setting.table, setting.transport) == (self.facts.flow_tables[index], flow["transport"]):
                flow = keys.put(flow, setting.place, setting.value)
        return flow

    def _unnamed(self) -> set[int]:
        """Return the indices of tables of flows without a name."""
        written = self.written.get("flows") or []
        tables = {f"flows[{at}]" for at, flow in enumerate(written) if isinstance(flow, dict) and "name" not in flow}
        return {index for index, table in enumerate(self.facts.flow_tables) if table in tables}

    def queue_line(self) -> str:
        """Return a line with the queues that have a default limit, and the limits; empty if there are none."""
        queues: dict[str, list[str]] = {}
        for queue in self.facts.default_queues():
            queues.setdefault(_room(queue), []).append(queue.key)
        said = "; ".join(f"{_keys(keys)} = {room}" for room, keys in queues.items())
        return f"no queue is set, so the default is used: {said}" if said else ""

    def quick(self) -> tuple[str, str] | None:
        """Return the duration of a first look and its reason in words; None if the scenario is not longer."""
        short, after = self.facts.first_look(QUICK_S)
        whole = self.facts.duration_ns
        if short >= whole:
            return None
        what = "the start of the last flow" if after == "start" else "the warm-up"
        said = f"{short / 1e9:g} s instead of {whole / 1e9:g} s"
        return f"{Decimal(short) / 10**9} s", said if short == QUICK_S * 10**9 else f"{said}: {QUICK_S} s after {what}"

    def quick_findings(self) -> list[str]:
        """Return findings about a first look: few round trips, or no handover although the scenario has handovers.

        If the network of the scenario cannot be computed, there are no findings, and the run reports the error.
        """
        short, _ = self.facts.first_look(QUICK_S)
        whole_s = self.facts.duration_ns / 1e9
        try:
            rtt_ns, misses_handovers = self.facts.first_look_limits(short)
        except BentpipeError:
            return []
        found = []
        if rtt_ns and QUICK_ROUND_TRIPS * rtt_ns > QUICK_S * 1e9:
            found.append(
                f"{QUICK_S} s contain fewer than {QUICK_ROUND_TRIPS} round trips of {rtt_ns / 1e6:.4g} ms, and slow "
                f"start takes about 10 of them; the full duration is {whole_s:g} s (omit --quick)"
            )
        if misses_handovers:
            found.append(
                f"the first {short / 1e9:g} s contain no handover of a path; the full duration is {whole_s:g} s, and "
                "has handovers (omit --quick)"
            )
        return found


def _room(queue: _core.DefaultQueue) -> str:
    """Return the limit of a queue, with its size in packets, kB and ms as far as these are known."""
    counted = queue.packets is not None and not queue.limit.endswith(" packets")
    amounts = [f"{queue.packets:.1f} packets"] if counted else []
    amounts += [] if queue.bytes is None else [f"{queue.bytes / 1e3:,.10g} kB"]
    amounts += [] if queue.seconds is None else [f"{queue.seconds * 1e3:,.6g} ms"]
    return f"{queue.limit} ({', '.join(amounts)})" if amounts else queue.limit


def _keys(keys: list[str]) -> str:
    return f"{keys[0]} and {len(keys) - 1} more" if len(keys) > 2 else " and ".join(keys)


def network_of(resolved: str) -> dict[str, Any]:
    """Return the network of a resolved scenario. The text is cut before the flows, because there may be many.

    Raises:
        ScenarioError: If the text is not TOML.
        ValueError: If the text has no network. Every resolved scenario has one.
    """
    network = _core.read_toml(resolved.partition("\n[[flows]]")[0], "scenario.toml").get("network")
    if not isinstance(network, dict) or not any(isinstance(shape, dict) for shape in network.values()):
        raise ValueError("it has no network")
    return network


def sky_of(resolved: str) -> _core.Sky | None:
    """Return the constellation of a resolved scenario; None for a network without satellites.

    Raises:
        ScenarioError: If this version cannot read the constellation, or a file of element sets is missing.
    """
    table = network_of(resolved).get("constellation")
    if table is None:
        return None
    changes = dict(table)
    return _core.Sky(changes.pop("preset", ""), tomli_w.dumps(changes), False)


def _late(flows: Iterable[dict[str, Any]], width: int, seed: int, end: int) -> Iterator[dict[str, Any]]:
    """Delay the start of every flow by a time that is drawn from the seed, equally for all compared controllers.

    A flow that would then start after its stop, or after the end of the run (`end`, in ns), gets a `stagger` and may
    never start.
    """
    number = 0
    for flow in flows:
        start, stagger, count = _core.nanos(flow["start"]), _core.nanos(flow["stagger"]), flow["count"]
        for place in range(count):
            chance = random.Random(f"jitter of starts/{seed}/{number}")  # noqa: S311 - not for secrets
            name = flow["name"] if count == 1 else f"{flow['name']} {place + 1}"
            late = start + place * stagger + round(chance.uniform(0.0, width))
            never = late >= min(end, _core.nanos(flow["stop"])) if "stop" in flow else late >= end
            apart = f"{max(stagger, 1)} ns" if never else "0 s"
            yield {**flow, "name": name, "count": 1, "start": f"{late} ns", "stagger": apart}
            number += 1
