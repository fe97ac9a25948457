# SPDX-License-Identifier: MIT OR Apache-2.0
"""The answer: who is taken, what it gains on fresh seeds, who else there is, and where it would change."""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import tomli_w

from bentpipe import _core
from bentpipe._sweep._keys import put
from bentpipe._which._candidates import changed
from bentpipe._which._defaults import SHOWN
from bentpipe._which._question import files_from
from bentpipe.base.tables import Table
from bentpipe.scenario.presets import said_of

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from bentpipe._which._candidates import Candidate
    from bentpipe._which._changes import CaseAnswer, Change
    from bentpipe._which._question import Question
    from bentpipe._which._race import Left
    from bentpipe.base.errors import BentpipeError
    from bentpipe.base.json import Document
    from bentpipe.base.stats import Estimate


@dataclass(frozen=True)
class Standing:
    """A candidate on the fresh seeds.

    Attributes:
        rank: From 1; those that are not separated from the first of their rank share it. 0 without a score.
        key: What it is called; the scenario as it is written has its controllers in brackets.
        candidate: It.
        regret: How far it is, in its worst case, behind the best of that case.
        behind: Paired difference of that to the recommended one; below 0 it is worse.
        numbers: Means over seeds (and cases) by metric.
        by_seed: The same for each fresh seed.
        before: The same for each seed of the choice: how far runs spread.
        lacking: Why its runs are degraded, if they are.
    """

    rank: int
    key: str
    candidate: Candidate
    regret: Estimate
    behind: Estimate
    numbers: dict[str, Estimate]
    by_seed: dict[str, tuple[float, ...]]
    before: dict[str, tuple[float, ...]]
    lacking: str = ""


@dataclass(frozen=True)
class Beaten:
    """A candidate that was not taken as far as the report.

    Attributes:
        candidate: It.
        left: How it left the race; None if it did not.
        error: Why its runs failed, if they did.
        numbers: Means of its runs in the race.
        like: Who had its scores in every run of the race, or of the choice; empty if nobody.
    """

    candidate: Candidate
    left: Left | None
    error: BentpipeError | None
    numbers: dict[str, float]
    like: str = ""


@dataclass(frozen=True, repr=False)
class Recommendation:
    """What to take for a path.

    Attributes:
        question: What was asked.
        taken: The recommended one.
        default: The scenario as it is written.
        best: The one that was chosen before the fresh seeds; it is taken if it is surely better than the default there.
        standings: All that were reported on, the best first.
        gain: What `best` gains over the default, in the unit of the score, paired on the fresh seeds.
        tied: What was not told apart from `best` when it was chosen.
        beaten: The others.
        cases: Of a scenario with ranges: what is best in each case, and the regret of the taken one.
        changes: Where along a range another one would be better.
        seeds: Fresh seeds.
        raced: Candidates in the race, its seeds, and how many it did not tell apart.
        tuned: How many controllers had better settings than their own.
        runs: How many runs were asked for.
        has_chance: Whether seeds differ.
        path_notes: What the path was like in the reported runs, whoever sent there.
        findings: Findings of the reported runs, a line for each kind.
        store_notes: What must be known of the store of runs: what in it was damaged, and left.
    """

    question: Question
    taken: Standing
    default: Standing
    best: Standing
    standings: tuple[Standing, ...]
    gain: Estimate
    tied: tuple[str, ...]
    beaten: tuple[Beaten, ...]
    cases: tuple[CaseAnswer, ...]
    changes: tuple[Change, ...]
    seeds: int
    raced: tuple[int, int, int]
    tuned: int
    runs: int
    has_chance: bool
    path_notes: tuple[str, ...] = ()
    findings: tuple[str, ...] = ()
    store_notes: tuple[str, ...] = ()

    def __repr__(self) -> str:
        """Who, and what it gains."""
        return f"<Recommendation of {self.taken.key}: {self.gain.text(3, sign=True)} for {self.question.aim.name}>"

    @property
    def controller(self) -> str | Document | None:
        """The controller as a scenario has it; None if the scenario is to stay as it is."""
        choice = self.taken.candidate.choice
        return None if choice is None else choice.table()

    def lines(self) -> list[str]:
        """The answer in sentences, what speaks against it first."""
        from bentpipe._which import _words

        return [*_words.above(self), *_words.below(self)]

    @property
    def notes(self) -> list[str]:
        """What a reader of the numbers must know: presets, store, path, candidates (stand-ins, signals missing)."""
        lacking = dict.fromkeys(one.lacking for one in self.standings if one.lacking)
        return [*self.presets, *self.store_notes, *self.path_notes, *lacking]

    @property
    def presets(self) -> list[str]:
        """The network presets that the scenario stands on, and how far each is validated."""
        return said_of(bench.job() for bench in self.question.benches)

    def scenario(self, folder: Path | None = None) -> str:
        """The scenario of the answer as TOML, ranges at their middle.

        Args:
            folder: Where it will stand: files that it names are named from there.
        """
        spread, taken = self.question.spread, self.taken
        document = spread.middle
        if self.controller is not None:
            for index in sorted(self.question.targets):
                document = put(document, ("flows", index, "controller"), self.controller)
        if self.question.benches[0].duration is not None:
            document = {**document, "duration": self.question.benches[0].duration}
        if folder is not None:
            document = files_from(document, spread.origin, folder.absolute())
        name = f"{document.get('name', Path(spread.origin).stem)}: {taken.key}"
        said = [f"bentpipe {_core.version()}: which, for {self.question.aim.name}; {taken.key}"]
        said += self.presets
        said += [
            f"{axis.key} is anything from {axis.label(axis.ends[0])} to {axis.label(axis.ends[-1])}; here the middle"
            for axis in spread.ranges
        ]
        return "".join(f"# {line}\n" for line in said) + tomli_w.dumps({**document, "name": name})

    def table(self) -> Table:
        """A row per candidate: rank, settings, regret, difference to the taken one, numbers, how it left."""
        import pyarrow as pa

        rows = [self._row(one) for one in self.standings] + [self._beaten_row(one) for one in self.beaten]
        kinds: dict[str, pa.DataType] = {"rank": pa.int64(), "candidate": pa.string(), "changed": pa.string()}
        kinds |= {"round": pa.string(), "seeds": pa.int64()}
        kinds |= dict.fromkeys(["regret", "regret_half_width", "difference", "difference_half_width"], pa.float64())
        for key in SHOWN:
            kinds |= {key: pa.float64(), f"{key}_half_width": pa.float64()}
        kinds["left_because"] = pa.string()
        return Table(pa.Table.from_pylist(rows, schema=pa.schema(list(kinds.items()))))

    def _row(self, one: Standing) -> dict[str, object]:
        row: dict[str, object] = {"rank": one.rank, "candidate": one.key, "changed": _said(one.candidate)}
        row |= {"round": "fresh seeds", "seeds": self.seeds}
        row |= _columns("regret", one.regret) | _columns("difference", one.behind)
        for key, value in one.numbers.items():
            row |= _columns(key, value)
        return row

    def _beaten_row(self, one: Beaten) -> dict[str, object]:
        from bentpipe._which._words import why

        row: dict[str, object] = {"rank": None, "candidate": one.candidate.key, "changed": _said(one.candidate)}
        row |= {"round": "race", "seeds": self.raced[1] if one.left is None else one.left.seeds}
        return row | {key: one.numbers.get(key) for key in SHOWN} | {"left_because": why(one)}

    def cases_table(self) -> Table:
        """A row per case: its values, who is best there, and the regret of the taken one."""
        import pyarrow as pa

        rows = []
        for one in self.cases:
            axes = zip(self.question.spread.ranges, one.values, strict=True)
            rows.append({axis.column: axis.cell(value) for axis, value in axes} | one.row())
        return Table(pa.Table.from_pylist(rows))

    def to_csv(self, file: str | Path | None = None) -> str | Path:
        """`table` as CSV: the text, or the file that it was written to."""
        return self.table().to_csv(file)

    def plot(self) -> Figure:
        """Two numbers that the aim is about, goodput and p95 queueing delay for most: who was taken, and the others."""
        from bentpipe.show.pictures import which

        return which.pareto(self)


def _columns(key: str, one: Estimate) -> dict[str, float | None]:
    known = not math.isnan(one.mean)
    width = one.half_width if known and math.isfinite(one.half_width) else None
    return {key: one.mean if known else None, f"{key}_half_width": width}


def _said(one: Candidate) -> str:
    return ", ".join(f"{key} = {value}" for key, value in changed(one))
