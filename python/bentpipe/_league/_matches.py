# SPDX-License-Identifier: MIT OR Apache-2.0
"""The runs of a league: plan the runs, make the missing ones, and read all of them from the store."""

from __future__ import annotations

import itertools
import json
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from bentpipe import _core
from bentpipe.base.errors import BentpipeError
from bentpipe.results.metrics import BY_KEY, read
from bentpipe.runs.execute import missing
from bentpipe.runs.point import Wanted
from bentpipe.runs.seeds import without_chance

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from bentpipe._league._suite import Arena, Suite
    from bentpipe.results.summary_types import Summary
    from bentpipe.runs.execute import Batch
    from bentpipe.runs.point import Point
    from bentpipe.runs.store import Archive
    from bentpipe.scenario.choice import Choice

#: Error code of a run that lacks a signal: the controller does not apply to the scenario.
LACKS = "signal-missing"


@dataclass(frozen=True)
class Line:
    """One run: one controller in a scenario, or two controllers on a bed.

    Attributes:
        arena: Name of the scenario.
        controllers: Key of the controller, or keys of both in the order of their flows.
        number: Number of the seed, from 1.
        seed: The seed of the run.
        numbers: Numbers of comparisons (`bentpipe.results.metrics`), by key; empty if the run failed.
        goodputs: The goodputs of the two flows on a bed, in Mbit/s; empty if a goodput is unknown.
        timeouts: Retransmission timeouts of the evaluated flows.
        findings: Kinds of findings of the evaluated flows.
        degraded: Signals that the path does not give the controller.
        path: Notes on the path.
        error: Code and message of a failed run.
    """

    arena: str
    controllers: tuple[str, ...]
    number: int
    seed: int
    numbers: dict[str, float | None] = field(default_factory=dict)
    goodputs: tuple[float, ...] = ()
    timeouts: int = 0
    findings: tuple[str, ...] = ()
    degraded: tuple[str, ...] = ()
    path: tuple[str, ...] = ()
    error: str | None = None

    @property
    def lacks_signal(self) -> bool:
        """Whether the run failed because the path lacks a signal that a controller needs."""
        return self.error is not None and self.error.startswith(LACKS)


@dataclass(frozen=True)
class Match:
    """The controllers of a run: one in a scenario, or two on a bed."""

    arena: Arena
    choices: tuple[Choice, ...]

    @property
    def keys(self) -> tuple[str, ...]:
        """Keys of the controllers."""
        return tuple(choice.key for choice in self.choices)

    @cached_property
    def _points(self) -> tuple[Point, ...]:
        """Return the match with the flows in this order and, for two different controllers, also in the other order."""
        orders = [self.choices] if len(set(self.keys)) == 1 else [self.choices, self.choices[::-1]]
        return tuple(self.arena.point(order) for order in orders)

    def wanted(self, number: int) -> Wanted:
        """Return the run with this number. Of two controllers, the first one has the first flow in odd runs only."""
        return Wanted(self._points[(number - 1) % len(self._points)], self.arena.seed(number))

    def line(self, number: int, found: Summary | BentpipeError) -> Line:
        """Return the run as a row."""
        seed = self.arena.seed(number)
        turned = len(self._points) > 1 and number % 2 == 0
        if isinstance(found, BentpipeError):
            text = f"{found.code}: {found.message}".replace(str(self.arena.file), self.arena.file.name)
            return Line(self.arena.name, self.keys, number, seed, error=text)
        asked = self.arena.asked
        ours = asked.of(found)
        indices = {flow["flow"] for flow in ours}
        known = [rate for flow in ours if (rate := flow["goodput_mbit_s"]) is not None]
        goodputs = known if len(self.choices) > 1 and len(known) == len(ours) else []
        return Line(
            self.arena.name,
            self.keys,
            number,
            seed,
            {key: read(key, found, asked) for key in BY_KEY},
            tuple(reversed(goodputs) if turned else goodputs),
            sum(flow["timeouts"] for flow in ours),
            tuple(sorted({one["kind"] for one in found.get("findings", ()) if one["flow"] in indices})),
            tuple(found["provenance"].get("degraded", ())),
            tuple(found["provenance"].get("path_notes", ())),
        )


@dataclass(frozen=True)
class Plan:
    """The plan of a league.

    Attributes:
        suite: Scenarios and beds.
        choices: Controllers.
        seeds: Number of seeds of a scenario with chance. For pairs, an odd number is rounded down to an even number, so
            that each controller has each flow equally often.
    """

    suite: Suite
    choices: tuple[Choice, ...]
    seeds: int

    @property
    def rounds(self) -> int:
        """Return the number of runs of a pair."""
        return self.seeds - self.seeds % 2

    @cached_property
    def matches(self) -> list[tuple[Match, int]]:
        """Return all matches, each with the number of runs to make first.

        This number is two if the scenario and the controllers draw no random numbers: two equal runs prove that nothing
        is drawn.

        The first two runs of a pair differ in the order of the flows, so they cannot show whether a controller draws.
        """
        alone = [
            (Match(arena, (choice,)), self.seeds if arena.has_chance else 2)
            for arena in self.suite.arenas
            for choice in self.choices
        ]
        pairs = [
            (Match(bed, pair), self.rounds if bed.has_chance or any(choice.may_draw for choice in pair) else 2)
            for bed in self.suite.beds
            for pair in itertools.combinations_with_replacement(self.choices, 2)
        ]
        return alone + pairs

    def cost(self, archive: Archive) -> tuple[int, int, float]:
        """Return the number of runs, the number of them in the store, and the CPU time of the missing runs in s."""
        each: dict[str, float] = {}
        for match, _ in self.matches:
            if match.arena.file.as_posix() not in each:
                try:
                    each[match.arena.file.as_posix()] = json.loads(_core.cost(match.wanted(1).point.job()))["cpu_s"]
                except BentpipeError:
                    continue  # the path lacks a signal for this controller; try the next controller
        todo = [(match, match.wanted(number)) for match, runs in self.matches for number in range(1, runs + 1)]
        left = missing([wanted for _, wanted in todo], archive)
        names = {wanted.key: match.arena.file.as_posix() for match, wanted in todo}
        return len(todo), len(todo) - len(left), sum(each.get(names[one.key], 0.0) for one in left)


def play(plan: Plan, batch: Batch) -> tuple[list[Line], int]:
    """Make the missing runs and read all runs. Return the rows, match by match, and the number of runs.

    A scenario without random numbers needs two runs, of which one is read.
    """
    matches = [match for match, _ in plan.matches]
    needed: set[str] = set()

    def make(some: Iterable[int], numbers: Sequence[int]) -> None:
        make_all([matches[at].wanted(number) for at in some for number in numbers])

    def make_all(wanted: Sequence[Wanted]) -> None:
        needed.update(one.key for one in wanted)
        batch.make(wanted)

    def result(at: int, number: int) -> Summary | BentpipeError:
        return batch.result(matches[at].wanted(number))

    quiet = [at for at, match in enumerate(matches) if len(match.choices) == 1 and not match.arena.has_chance]
    fixed = without_chance(quiet, range(1, plan.seeds + 1), make, result)
    # A controller that fails with two seeds also fails with all other seeds.
    fixed |= {at for at in quiet if all(isinstance(result(at, number), BentpipeError) for number in (1, 2))}
    first = [range(1, 2 if at in fixed else runs + 1) for at, (_, runs) in enumerate(plan.matches)]
    more = {at: range(3, plan.seeds + 1) for at in quiet if at not in fixed}
    left = {at: numbers for at, numbers in enumerate(first) if at not in quiet} | more
    make_all([matches[at].wanted(number) for at, numbers in left.items() for number in numbers])
    lines = [
        matches[at].line(number, result(at, number))
        for at, numbers in (*enumerate(first), *more.items())
        for number in numbers
    ]
    return lines, len(needed)
