# SPDX-License-Identifier: MIT OR Apache-2.0
"""The answer of `which`: the recommended candidate, its gain, other candidates, and values where the answer changes."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import tomli_w

from bentpipe import _core
from bentpipe._which._candidates import changed
from bentpipe._which._defaults import SHOWN
from bentpipe._which._question import files_from
from bentpipe.base.stats import Bounds, interval_columns
from bentpipe.base.tables import Table
from bentpipe.results.metrics import BY_KEY
from bentpipe.scenario.keys import put
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
    """The results of a candidate on the fresh seeds, which no choice has used.

    Attributes:
        rank: Rank, from 1. Candidates that are not separated from the first candidate of a rank share this rank. 0 if
            the candidate has no score.
        key: Name of the candidate. The name of the unchanged scenario contains its controllers in brackets.
        candidate: The candidate.
        regret: Distance from the best candidate of a case, in the case where this distance is largest.
        behind: Difference between the regrets of this and the recommended candidate, paired by seed. A negative
            difference is worse.
        numbers: Means over seeds (and cases), by metric.
        by_seed: The numbers for each fresh seed, by metric.
        before: The numbers for each seed of the choice round, by metric; they are used for the spread of runs.
        lacking: Reasons why the candidate's runs are degraded.
        unfinished: By metric, the text that replaces a missing completion time, such as ``> 120 s, 0 of 20 done``.
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
    unfinished: dict[str, str] = field(default_factory=dict)

    def text(self, metric: str) -> str:
        """Return the printed number with its interval; a dash if the candidate does not have the number."""
        if metric in self.numbers:
            return BY_KEY[metric].text(self.numbers[metric])
        return self.unfinished.get(metric, "–")


@dataclass(frozen=True)
class Beaten:
    """A candidate that is not among the reported candidates.

    Attributes:
        candidate: The candidate.
        left: How the race dropped the candidate; None if the race did not drop it.
        error: The error of the candidate's runs, if they failed.
        numbers: Means of the candidate's runs in the race.
        like: Another candidate that had the same scores in every run of the race or of the choice; empty if there is
            none.
    """

    candidate: Candidate
    left: Left | None
    error: BentpipeError | None
    numbers: dict[str, float]
    like: str = ""


@dataclass(frozen=True, repr=False)
class Recommendation:
    """The recommended controller and settings for a path.

    Attributes:
        question: The question.
        taken: The recommended candidate.
        default: The unchanged scenario.
        written: The default in words: its controllers, and its values of the keys that are also chosen.
        best: The candidate that was chosen before the fresh seeds were run. It is recommended if, on the fresh seeds,
            its regret is significantly better than the regret of the default. It is also recommended if its mean over
            the cases is significantly better, and it is significantly worse in no case.
        standings: All reported candidates, the best first.
        gain: Gain of `best` over the default, in the unit of the score, paired on the fresh seeds. With ranges, it
            is the difference between the regrets of both in their worst cases.
        mean_gain: Gain of `best` over the default in the mean over the cases.
        tied: Candidates that the choice could not separate from `best`.
        beaten: The candidates that are not reported.
        cases: For a scenario with ranges: the best candidate of each case, and the regret of the recommended candidate.
        changes: Values along a range beyond which another candidate is better.
        seeds: Number of fresh seeds.
        raced: Numbers of candidates in the race, of its seeds, and of candidates that the race did not separate.
        tuned: Number of controllers for which better settings than the defaults were found.
        runs: Number of requested runs.
        has_chance: Whether runs with different seeds differ.
        path_notes: Notes on the path in the reported runs, for all candidates.
        findings: Findings of the reported runs, a line for each kind.
        store_notes: Notes on the store of runs, such as damaged entries.
    """

    question: Question
    taken: Standing
    default: Standing
    written: str
    best: Standing
    standings: tuple[Standing, ...]
    gain: Estimate
    mean_gain: Estimate
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
        """Return the recommended candidate and its gain."""
        return f"<Recommendation of {self.taken.key}: {self.gain.text(3, sign=True)} for {self.question.aim.name}>"

    @property
    def controller(self) -> str | Document | None:
        """The controller for a scenario; None if the scenario should stay unchanged."""
        choice = self.taken.candidate.choice
        return None if choice is None else choice.table()

    def lines(self) -> list[str]:
        """Return the answer in sentences; caveats are first."""
        from bentpipe._which import _words

        return [*_words.above(self), *_words.below(self)]

    @property
    def notes(self) -> list[str]:
        """Notes for readers of the numbers: presets, store, path, candidates (substitutes, missing signals)."""
        lacking = dict.fromkeys(one.lacking for one in self.standings if one.lacking)
        return [*self.presets, *self.store_notes, *self.path_notes, *lacking]

    @property
    def presets(self) -> list[str]:
        """One line for each network preset of the scenario: its name, and how it was validated."""
        return said_of(bench.job() for bench in self.question.benches)

    def scenario(self, folder: Path | None = None) -> str:
        """Return the scenario of the answer as TOML. Each range is replaced by its middle.

        Args:
            folder: The folder of the file to write. Paths in the scenario become relative to it.
        """
        spread, taken = self.question.spread, self.taken
        document = spread.middle
        if self.controller is not None:
            for index in sorted(self.question.targets):
                document = put(document, ("flows", index, "controller"), self.controller)
        document = self.question.put(document, taken.candidate.over)
        if self.question.benches[0].duration is not None:
            document = {**document, "duration": self.question.benches[0].duration}
        if folder is not None:
            document = files_from(document, spread.origin, folder.absolute())
        name = f"{document.get('name', Path(spread.origin).stem)}: {taken.key}"
        said = [f"bentpipe {_core.version()}: which, for {self.question.aim.name}; {taken.key}"]
        said += self.presets
        said += [
            f"{axis.key} has the range {axis.label(axis.ends[0])} to {axis.label(axis.ends[-1])}; here its middle"
            for axis in spread.ranges
        ]
        return "".join(f"# {line}\n" for line in said) + tomli_w.dumps({**document, "name": name})

    def table(self) -> Table:
        """Return a row per candidate: rank, settings, regret, distance from the recommended candidate, numbers, reason.

        Numbers on the fresh seeds have columns for the ends of their intervals: ``loss_percent_low``,
        ``loss_percent_high``.
        """
        import pyarrow as pa

        rows = [self._row(one) for one in self.standings] + [self._beaten_row(one) for one in self.beaten]
        kinds: dict[str, pa.DataType] = {"rank": pa.int64(), "candidate": pa.string(), "changed": pa.string()}
        kinds |= {"round": pa.string(), "seeds": pa.int64()}
        for key in ("regret", "difference", *SHOWN):
            kinds |= dict.fromkeys((key, f"{key}_low", f"{key}_high"), pa.float64())
        kinds["left_because"] = pa.string()
        return Table(pa.Table.from_pylist(rows, schema=pa.schema(list(kinds.items()))))

    def _row(self, one: Standing) -> dict[str, object]:
        row: dict[str, object] = {"rank": one.rank, "candidate": one.key, "changed": _said(one.candidate)}
        row |= {"round": "fresh seeds", "seeds": self.seeds}
        row |= interval_columns("regret", one.regret, Bounds(0.0)) | interval_columns("difference", one.behind)
        for key, value in one.numbers.items():
            row |= interval_columns(key, value, BY_KEY[key].bounds)
        return row

    def _beaten_row(self, one: Beaten) -> dict[str, object]:
        from bentpipe._which._words import why

        row: dict[str, object] = {"rank": None, "candidate": one.candidate.key, "changed": _said(one.candidate)}
        row |= {"round": "race", "seeds": self.raced[1] if one.left is None else one.left.seeds}
        return row | {key: one.numbers.get(key) for key in SHOWN} | {"left_because": why(one)}

    def cases_table(self) -> Table:
        """Return a row per case: its values, the best candidate, and the regret of the recommended candidate."""
        import pyarrow as pa

        rows = []
        for one in self.cases:
            axes = zip(self.question.spread.ranges, one.values, strict=True)
            rows.append({axis.column: axis.cell(value) for axis, value in axes} | one.row())
        return Table(pa.Table.from_pylist(rows))

    def to_csv(self, file: str | Path | None = None) -> str | Path:
        """Write `table` as CSV and return the file; without `file`, return the text."""
        return self.table().to_csv(file)

    def plot(self) -> Figure:
        """Draw all candidates by two numbers of the aim, usually goodput and p95 queueing delay."""
        from bentpipe.show.pictures import which

        return which.pareto(self)


def _said(one: Candidate) -> str:
    return ", ".join(f"{key} = {value}" for key, value in changed(one))
