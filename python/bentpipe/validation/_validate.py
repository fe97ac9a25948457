# SPDX-License-Identifier: MIT OR Apache-2.0
"""Make the runs of all facts, each run once, and compute the rows."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import bentpipe as bp
from bentpipe import Estimate, ScenarioError, _core
from bentpipe.base import arguments, markdown
from bentpipe.base.stats import estimate
from bentpipe.validation import _bbr3, _cuts, _links, _response, _steady, _traps
from bentpipe.validation._facts import HEAD, RULE, Agreement, Fact, Row, digits

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


#: Seeds of a row in the quick set.
_QUICK_SEEDS = 2
#: If more controllers than this have the same fact and agree, they are printed as one line.
_MANY = 5

FAMILIES = (
    ("Response functions", _response.facts),
    ("Cuts and growth", _cuts.facts),
    ("Steady state", _steady.facts),
    ("Traps", _traps.facts),
    ("Links, queues, proxies", _links.facts),
)


@dataclass(frozen=True)
class Suite:
    """Facts that are measured together. The first word of `bentpipe validate` selects the suite.

    Attributes:
        families: The families of facts in order, each with the function that makes its facts.
        rule: The printed rule of the verdicts.
        tests: Whether a subject is the name of a test, and not of a controller or a part of a link.
    """

    families: tuple[tuple[str, Callable[[], list[Fact]]], ...]
    rule: str
    tests: bool = False

    def facts(self) -> dict[str, list[Fact]]:
        """Return the facts by family. If the catalogue lacks a controller or its choice, its facts are left out."""
        made = {family: make() for family, make in self.families}
        if self.tests:
            return made
        bounds = {
            entry["name"]: {parameter["name"]: str(parameter["bounds"]) for parameter in entry["parameters"]}
            for entry in bp.controllers()
        }

        def known(fact: Fact) -> bool:
            if fact.subject in _links.PARTS:
                return True
            offered = bounds.get(fact.subject)
            if offered is None or fact.needs is None:
                return offered is not None
            parameter, choice = fact.needs
            return f'"{choice}"' in offered.get(parameter, "")

        return {family: [fact for fact in rows if known(fact)] for family, rows in made.items()}

    def refuse_strange(self, name: str) -> None:
        """Refuse a name that is not a subject of the suite."""
        if self.tests:
            subjects = list(dict.fromkeys(fact.subject for _, make in self.families for fact in make()))
            if name not in subjects:
                raise arguments.known("test", name, subjects)
        elif name not in _links.PARTS:
            _refuse_strange(name)  # before the facts are made


@dataclass(frozen=True)
class Validation:
    """The result of a validation.

    Attributes:
        rows: Rows by family, in order.
        rule: The rule of the verdicts.
    """

    rows: dict[str, list[Row]]
    rule: str = RULE

    @property
    def all(self) -> list[Row]:
        """The rows of all families."""
        return [row for rows in self.rows.values() for row in rows]

    @property
    def failures(self) -> list[Row]:
        """The exact rows outside their tolerance."""
        return [row for row in self.all if row.fails]

    def count(self, verdict: Agreement) -> int:
        """Return the number of rows with a verdict."""
        return sum(row.verdict is verdict for row in self.all)

    def summary(self) -> str:
        """Return the number of facts by verdict, and of failures, in a line."""
        verdicts = Agreement.WITHIN, Agreement.EXPLAINED, Agreement.OUTSIDE
        counts = ", ".join(f"{self.count(verdict)} {verdict}" for verdict in verdicts)
        return f"{len(self.all)} facts: {counts}; {len(self.failures)} exact rows are outside"

    def markdown(self, command: str) -> str:
        """Return the tables as Markdown, with each explanation once."""
        parts = [f"Written by `{command}`.", self.rule, f"**{self.summary()}.**"]
        for family, rows in self.rows.items():
            if not rows:
                continue
            parts += [f"### {family}", markdown.table(HEAD, printed(rows))]
            notes: dict[str, list[str]] = {}
            for row in rows:
                if row.fact.why and row.verdict is not Agreement.WITHIN:
                    names = notes.setdefault(row.fact.why, [])
                    if row.fact.subject not in names:
                        names.append(row.fact.subject)
            parts += [f"*{', '.join(names)}.* {why}" for why, names in notes.items()]
        return "\n\n".join(parts) + "\n"

    def records(self) -> dict[str, object]:
        """Return the content as JSON values."""
        rows = [{"family": family, **row.record()} for family, rows in self.rows.items() for row in rows]
        return {"rule": self.rule, "passed": not self.failures, "rows": rows}


def printed(rows: Sequence[Row]) -> list[list[str]]:
    """Return the cells of rows. Many controllers that agree with the same theory about the same fact have one line."""
    same: dict[tuple[str, str], list[Row]] = {}
    for row in rows:
        same.setdefault((row.fact.what, row.fact.source), []).append(row)
    lines = []
    for group in same.values():
        agreeing = [row for row in group if row.verdict is Agreement.WITHIN]
        if len(agreeing) > _MANY:
            means = [row.measured.mean for row in agreeing]
            cells = agreeing[0].cells()
            cells[0] = f"{len(agreeing)} controllers"
            cells[4] = f"{digits(min(means))} to {digits(max(means))}"
            lines.append(cells)
        else:
            lines += [row.cells() for row in agreeing]
        lines += [row.cells() for row in group if row.verdict is not Agreement.WITHIN]
    return lines


THEORY = Suite(FAMILIES, RULE)
BBR3 = Suite((("BBR draft, appendix A", _bbr3.facts),), _bbr3.RULE, tests=True)


def facts() -> dict[str, list[Fact]]:
    """Return the facts of theory by family. Facts of controllers that the catalogue lacks are left out."""
    return THEORY.facts()


def validate(
    names: Sequence[str] = (),
    *,
    quick: bool = False,
    threads: int | None = None,
    progress: Callable[[int, int], None] | bool | None = None,
    costly: bool = False,
    suite: Suite = THEORY,
) -> Validation:
    """Measure the facts.

    Args:
        names: Subjects: controllers, or parts of a link ("loss", "budget", "queue", "return-link", "proxy"); for
            `BBR3`, tests of the draft. The default is all subjects.
        quick: Whether only the quick set is measured, with fewer seeds.
        threads: Number of runs at a time, by default one per processor. Results do not depend on the number.
        progress: Function that is called with (done, all) when runs finish. True shows the progress on stderr.
        costly: Make a run even if it needs more memory or disk than is free, by the estimate (`estimate_cost`).
        suite: The facts: `THEORY`, or `BBR3` for the tests in the appendix of the BBR draft.

    Raises:
        ScenarioError: If a name is unknown or has no row.
    """
    for name in names:
        suite.refuse_strange(name)
    every = suite.facts()
    chosen = {
        family: [fact for fact in rows if (not names or fact.subject in names) and (fact.quick or not quick)]
        for family, rows in every.items()
    }
    _refuse_unknown(names, chosen, every, quick=quick)
    plan = {
        scenario.to_toml(): scenario
        for rows in chosen.values()
        for fact in rows
        for seed in _seeds(fact, quick=quick)
        for scenario in fact.scenes(seed)
    }
    made = bp.run_many(list(plan.values()), threads=threads, progress=progress, costly=costly)
    runs = dict(zip(plan, made, strict=True))
    rows = {family: [_row(fact, runs, quick=quick) for fact in of] for family, of in chosen.items()}
    return Validation(rows, suite.rule)


def _seeds(fact: Fact, *, quick: bool) -> range:
    return range(1, 1 + (min(fact.seeds, _QUICK_SEEDS) if quick else fact.seeds))


def _row(fact: Fact, runs: dict[str, bp.Run], *, quick: bool) -> Row:
    samples = [
        fact.measure([runs[scenario.to_toml()] for scenario in fact.scenes(seed)]) for seed in _seeds(fact, quick=quick)
    ]
    known = [sample for sample in samples if not math.isnan(sample)]
    # An infinite sample (an event that never occurred) has no interval.
    finite = all(map(math.isfinite, known))
    measured = estimate(known) if known and finite else Estimate(math.inf if known else math.nan, math.inf, len(known))
    if known and finite and not fact.scenes(1):
        measured = Estimate(known[0], 0.0, 1)  # numbers without a run are not random
    return Row(fact=fact, here=fact.here() if fact.here else None, measured=measured)


def _refuse_strange(name: str) -> None:
    """Refuse a name that is neither a controller nor a part of a link."""
    try:
        _core.controllers(name)
    except ScenarioError as error:
        parts = ", ".join(_links.PARTS)
        raise ScenarioError(error.code, f"{error.message}; parts of a link are: {parts}") from None


def _refuse_unknown(
    asked: Sequence[str], found: dict[str, list[Fact]], every: dict[str, list[Fact]], *, quick: bool
) -> None:
    have = {fact.subject for rows in found.values() for fact in rows}
    for name in asked:
        if name not in have:
            known = ", ".join(sorted({fact.subject for rows in every.values() for fact in rows}))
            which = "no row in the set of --quick" if quick else "no row"
            raise ScenarioError("controller-unknown", f'"{name}" has {which}; rows exist for: {known}')
