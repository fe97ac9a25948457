# SPDX-License-Identifier: MIT OR Apache-2.0
"""Compare the simulator with another implementation: measures of both, verdicts by one rule, tables."""

from __future__ import annotations

import fnmatch
import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from bentpipe.base import markdown
from bentpipe.validation import _windows
from bentpipe.validation._facts import TOLERANCE, Agreement, digits, finite

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from bentpipe.validation._windows import Trace

    Pair = tuple[float, float]

#: Largest ratio of two durations of a recovery that agree.
FACTOR = 2.0
#: A window is constant if its growth is below this number of segments per round trip on both sides.
_STILL = 0.05
#: In our other runs, further flows start later by these times in seconds. Each time is less than a round trip and not a
#: multiple of another time.
LATER_S = (0.007, 0.019, 0.031, 0.043)
#: Largest number of deviations with an unknown cause (open).
MOST_OPEN = 2
#: The name of the measure that is judged for all flows together.
GOODPUT = "goodput"


@dataclass(frozen=True, kw_only=True)
class Quantity:
    """A number that is measured on both sides.

    Attributes:
        name: Short name.
        unit: Unit of the number.
        judged: Whether a difference is a failure.
        factor: Whether the numbers must agree within a factor of `FACTOR` instead of `within`.
        within: Largest relative difference from the other side's number.
        grain: A difference that is always allowed, because one of the numbers is rounded to this unit.
    """

    name: str
    unit: str
    judged: bool = False
    factor: bool = False
    within: float = TOLERANCE
    grain: float = 0.0

    @property
    def head(self) -> str:
        """The name with the unit."""
        return f"{self.name}, {self.unit}" if self.unit else self.name

    def agrees(self, ours: float, theirs: float) -> bool:
        """Return whether the two numbers agree by the rule."""
        if abs(ours - theirs) <= self.grain * (1 + 1e-9):
            return True
        if self.factor:
            return ours <= FACTOR * theirs and theirs <= FACTOR * ours
        return abs(ours - theirs) <= self.within * abs(theirs)


@dataclass(frozen=True, kw_only=True)
class Measure(Quantity):
    """A number that is read from two traces.

    Attributes:
        read: Function that returns the two numbers (ours, theirs); NaN for a missing number.
        window_rule: Whether the measure applies only to controllers that grow in avoidance and reduce at losses.
    """

    read: Callable[[Trace, Trace], Pair]
    window_rule: bool = False


def each(read: Callable[[Trace], float]) -> Callable[[Trace, Trace], Pair]:
    """Read the same number from both traces."""
    return lambda ours, theirs: (read(ours), read(theirs))


def _growth(ours: Trace, theirs: Trace) -> Pair:
    """Return the growth between cuts if both sides have cuts; otherwise the growth until the end of the trace."""
    for to_the_end in (False, True):
        one, other = (_windows.growth(trace, to_the_end=to_the_end) for trace in (ours, theirs))
        if one.measured and other.measured:
            still = max(abs(one.per_round), abs(other.per_round)) < _STILL
            return (math.nan, math.nan) if still else (one.per_round, other.per_round)
    # If only one side has a number, the other number is NaN, and the two do not agree.
    return (one.per_round if one.measured else math.nan, other.per_round if other.measured else math.nan)


#: The measures of windows.
WINDOWS = (
    Measure(name="growth", unit="segments/RTT", read=_growth, judged=True, window_rule=True),
    Measure(name="cut", unit="", read=each(_windows.cut), judged=True, window_rule=True),
    Measure(
        name="first recovery",
        unit="ms",
        read=each(lambda trace: _windows.first_recovery(trace).length_ms),
        judged=True,
        factor=True,
    ),
    Measure(name="sent again in it", unit="", read=each(lambda trace: _windows.first_recovery(trace).retransmissions)),
    Measure(name="slow start's exit", unit="segments", read=each(_windows.exit_window)),
    Measure(name="peak", unit="segments", read=each(_windows.peak), window_rule=True),
    Measure(name="period", unit="s", read=each(_windows.period), window_rule=True),
    Measure(name="srtt", unit="ms", read=each(_windows.mean_srtt)),
    Measure(name=GOODPUT, unit="Mbit/s", read=each(_windows.goodput), judged=True),
)

_WITHIN = f"ours is within {TOLERANCE:.0%} of theirs"
RULE = "\n\n".join(
    (
        "“Ours” is Bentpipe's number, and “theirs” is the number of the other implementation.",
        markdown.table(
            ("number", "meaning", "the two numbers agree if"),
            (
                (
                    "growth, judged",
                    "segments gained per round trip in avoidance, from the end of each episode to the next episode",
                    _WITHIN,
                ),
                ("cut, judged", "median share of the window that is left when a recovery ends", _WITHIN),
                (
                    "first recovery, judged",
                    "length of the first recovery; recoveries that begin within a round trip after the end of the "
                    "previous one are added",
                    f"neither length is more than {FACTOR:g} times the other",
                ),
                ("goodput, judged", "mean without the first tenth of the run", _WITHIN),
                ("peak", "median window before a cut, without the first cut", _WITHIN),
                ("period", "median time from one cut to the next cut, if the run has three or more periods", _WITHIN),
                ("srtt", "mean without the first tenth of the run", _WITHIN),
                ("other numbers", "the column's heading says what is measured", _WITHIN),
            ),
        ),
        markdown.table(
            ("verdict of a judged number", "meaning"),
            (
                ("within", "the two numbers agree"),
                (
                    "explained; the number in brackets names the reason",
                    "they differ, and the listed reason names the code on both sides that causes the difference",
                ),
                ("open, ?", f"they differ, and the list says that the cause is unknown (at most {MOST_OPEN} entries)"),
                ("outside, ✗", "they differ, and the list does not contain this difference"),
            ),
        ),
        "If only one side has a judged number, the two sides do not agree. ~ marks a number that differs but is not "
        f"judged. If the window changes by less than {_STILL:g} segments per round trip on both sides, the window "
        "counts as constant, and has no growth.",
        "If a second flow joins, single packets decide which flow gets more. Therefore, only the goodput of both "
        f"flows together is judged. Bentpipe also runs the case with {len(LATER_S)} later starts of the second flow "
        f"(up to {max(LATER_S) * 1e3:.0f} ms later). The number of the other implementation agrees if it lies in the "
        "range of all our runs, or if it agrees with the nearer end of this range. If our run without a later start "
        "does not agree, the table shows the range in brackets.",
    )
)


@dataclass(frozen=True)
class Reason:
    """The reason why a number differs, in one line: the responsible code on both sides, or "unknown cause".

    Attributes:
        controllers: The other side's names of the controllers.
        measures: Names of measures.
        cases: Patterns of cases' names.
        text: The line.
        known: Whether the cause is known. If not, the number is open, and the line lists the causes that were excluded.
    """

    controllers: tuple[str, ...]
    measures: tuple[str, ...]
    cases: tuple[str, ...]
    text: str
    known: bool = True

    def covers(self, case: str, controller: str, measure: str) -> bool:
        """Return whether the reason applies to the number of a case, controller and measure."""
        return (
            controller in self.controllers
            and measure in self.measures
            and any(fnmatch.fnmatchcase(case, pattern) for pattern in self.cases)
        )


@dataclass(frozen=True)
class Cell:
    """The numbers of both sides for one measure.

    Attributes:
        measure: The measure.
        ours: Bentpipe's number; NaN if there is none.
        theirs: The number of the other implementation.
        judged: Whether a difference is a failure.
        reason: The reason for a difference, if it is known.
        spread: Smallest and largest of our numbers over runs that differ by chance, for example in the start of a
            further flow. None with a single run.
        nearest: The number of the run that is nearest to the other side. If it is set, this number must agree. None if
            it is enough that the other side's number agrees with the range of our runs.
    """

    measure: Quantity
    ours: float
    theirs: float
    judged: bool
    reason: Reason | None = None
    spread: Pair | None = None
    nearest: float | None = None

    @property
    def empty(self) -> bool:
        """Whether neither side has a number."""
        return math.isnan(self.ours) and math.isnan(self.theirs)

    @property
    def deviation(self) -> float:
        """Our number divided by the other side's number, minus one; NaN if a number is missing."""
        return self.ours / self.theirs - 1 if self.theirs else math.nan

    @property
    def verdict(self) -> Agreement | None:
        """The verdict by `RULE`; None if there is nothing to compare."""
        alone = math.isnan(self.ours) != math.isnan(self.theirs)
        if self.empty or (alone and not self.measure.judged):
            return None
        least, most = self.spread or (self.ours, self.ours)
        nearest = min(max(self.theirs, least), most) if self.nearest is None else self.nearest
        if not alone and self.measure.agrees(nearest, self.theirs):
            return Agreement.WITHIN
        if self.reason is None:
            return Agreement.OUTSIDE
        return Agreement.EXPLAINED if self.reason.known else Agreement.OPEN

    @property
    def fails(self) -> bool:
        """Whether the command fails because of this number."""
        return self.judged and self.verdict is Agreement.OUTSIDE

    def text(self, marks: Mapping[str, int]) -> str:
        """Return both numbers as text, with a mark for differences: [N] reason, ? open, ✗ judged, ~ any other."""
        if self.empty:
            return ""
        verdict = self.verdict
        mark = ""
        if verdict is Agreement.EXPLAINED and self.reason is not None:
            mark = f" [{marks[self.reason.text]}]"
        elif verdict is Agreement.OPEN:
            mark = " ?"
        elif verdict is Agreement.OUTSIDE:
            mark = " ✗" if self.judged else " ~"
        spread = ""
        if self.spread is not None and not self.measure.agrees(self.ours, self.theirs):
            spread = f" ({_shown(self.spread[0])} to {_shown(self.spread[1])})"
        return f"{_shown(self.ours)}{spread} / {_shown(self.theirs)}{mark}"

    def record(self) -> dict[str, object]:
        """Return the content as JSON values."""
        verdict = self.verdict
        return {
            "measure": self.measure.name,
            "unit": self.measure.unit,
            "ours": finite(self.ours),
            "theirs": finite(self.theirs),
            "spread": None if self.spread is None else [finite(end) for end in self.spread],
            "deviation": finite(self.deviation),
            "judged": self.judged,
            "verdict": None if verdict is None else str(verdict),
            "reason": self.reason.text if self.reason else None,
        }


def _shown(value: float) -> str:
    return "–" if math.isnan(value) else digits(value, 3)


@dataclass(frozen=True)
class Row:
    """A controller on a network, with the numbers of both sides.

    Attributes:
        case: Name of the network.
        controller: The other side's name of the controller.
        ours: The controller of the catalogue.
        flow: Number of the flow, from 1, if there are several; "all" for the sum of all flows.
        cells: The measured numbers.
    """

    case: str
    controller: str
    ours: str
    flow: str
    cells: tuple[Cell, ...]

    @property
    def label(self) -> str:
        """The name of the controller, with the name of the flow if there are several."""
        return f"{self.controller}, {self.flow}" if self.flow else self.controller

    def record(self) -> dict[str, object]:
        """Return the content as JSON values."""
        return {
            "case": self.case,
            "controller": self.controller,
            "bentpipe": self.ours,
            "flow": self.flow or None,
            "measures": [cell.record() for cell in self.cells if not cell.empty],
        }


def row(
    names: tuple[str, str, str],
    traces: tuple[Trace, Trace],
    measures: Sequence[Measure],
    reasons: Sequence[Reason],
    *,
    flow: str = "",
    also: Sequence[Trace] = (),
    judges: Callable[[str], bool] = lambda _: True,
) -> Row:
    """Measure a flow on both sides.

    Args:
        names: Names of the case, of the other side's controller, and of our controller.
        traces: Our trace and the other side's.
        measures: The measures.
        reasons: Reasons for differences.
        flow: Number of the flow, if there are several.
        also: Our traces of the other runs, if there are several.
        judges: Function that returns whether a measure is judged on this case.
    """
    # Single packets decide which of two flows gets more bandwidth, but they do not affect the sum of the flows.
    cells = (
        _cell(
            measure,
            [measure.read(ours, traces[1]) for ours in (traces[0], *also)],
            names,
            reasons,
            judged=judges(measure.name) and not (flow and measure.name == GOODPUT),
        )
        for measure in measures
    )
    return Row(*names, flow, tuple(cells))


def total(
    names: tuple[str, str, str],
    goodputs: Sequence[Pair],
    measures: Sequence[Measure],
    reasons: Sequence[Reason],
    *,
    judged: bool = True,
) -> Row:
    """Compare the total goodput of all flows: in each of our runs, and on the other side."""
    cells = (_cell(one, goodputs, names, reasons, judged=judged) for one in measures if one.name == GOODPUT)
    return Row(*names, "all", tuple(cells))


def _cell(
    measure: Measure,
    pairs: Sequence[Pair],
    names: tuple[str, str, str],
    reasons: Sequence[Reason],
    *,
    judged: bool = True,
) -> Cell:
    """Return the cell with the number of our first run, and the range of the numbers of all our runs."""
    case, controller, _ = names
    reason = next((one for one in reasons if one.covers(case, controller, measure.name)), None)
    ours = [one for one, _ in pairs if not math.isnan(one)]
    spread = (min(ours), max(ours)) if len(pairs) > 1 and ours else None
    return Cell(measure, *pairs[0], judged=measure.judged and judged, reason=reason, spread=spread)


@dataclass(frozen=True)
class Beside:
    """The comparison of the simulator with another implementation.

    Attributes:
        other: Name of the other implementation.
        rows: Rows by case, in order.
        measures: The measures.
        rule: The rule of the verdicts.
        notes: Cases that were not compared, with the reason.
        partial: Whether the user selected only some cases or controllers.
    """

    other: str
    rows: dict[str, list[Row]]
    measures: Sequence[Quantity]
    rule: str
    notes: list[str] = field(default_factory=list)
    partial: bool = False

    @property
    def cells(self) -> list[tuple[Row, Cell]]:
        """The cells of all rows, each with its row."""
        return [(row, cell) for rows in self.rows.values() for row in rows for cell in row.cells]

    @property
    def failures(self) -> list[tuple[Row, Cell]]:
        """The judged numbers that are outside without a reason."""
        return [(row, cell) for row, cell in self.cells if cell.fails]

    def summary(self) -> str:
        """Return the numbers of judged and of other numbers by verdict, in a line."""
        verdicts = [cell.verdict for _, cell in self.cells if cell.judged and not cell.empty]
        told = [verdict for verdict in Agreement if verdict is not Agreement.OPEN or verdict in verdicts]
        counts = ", ".join(f"{sum(one is verdict for one in verdicts)} {verdict}" for verdict in told)
        shown = [cell.verdict for _, cell in self.cells if not cell.judged and not cell.empty]
        near = sum(one is Agreement.WITHIN for one in shown)
        idle = "".join(f"; no number needs the reason “{reason.text[:40]}…”" for reason in self.idle)
        return f"{len(verdicts)} numbers judged: {counts}; {near} of {len(shown)} other numbers agree{idle}"

    @property
    def idle(self) -> list[Reason]:
        """The reasons that no judged number needs. Such a reason would hide a later error.

        Empty if only some cases are compared, because another case may need the reason.
        """
        if self.partial:
            return []
        judged = [cell for _, cell in self.cells if cell.judged and not cell.empty]
        needed = {cell.reason for cell in judged if cell.verdict in {Agreement.EXPLAINED, Agreement.OPEN}}
        met = dict.fromkeys(cell.reason for cell in judged)
        return [reason for reason in met if reason is not None and reason not in needed]

    def reasons(self, rows: Sequence[Row]) -> dict[str, int]:
        """Return the reasons that rows need, numbered from 1 in order of their first use."""
        used: dict[str, int] = {}
        for one in rows:
            for cell in one.cells:
                if cell.verdict is Agreement.EXPLAINED and cell.reason is not None:
                    used.setdefault(cell.reason.text, len(used) + 1)
        return used

    @property
    def open(self) -> dict[str, list[tuple[Row, Cell]]]:
        """The judged numbers that differ for an unknown cause, by the text of the reason."""
        found: dict[str, list[tuple[Row, Cell]]] = {}
        for row, cell in self.cells:
            if cell.judged and cell.verdict is Agreement.OPEN and cell.reason is not None:
                found.setdefault(cell.reason.text, []).append((row, cell))
        return found

    @property
    def broken(self) -> list[str]:
        """The causes of failure: judged differences without a reason, and too many open differences."""
        lines = [f"outside: {named(row, cell)}" for row, cell in self.failures]
        if len(self.open) > MOST_OPEN:
            lines.append(f"{len(self.open)} deviations are open, but at most {MOST_OPEN} may be open")
        return lines

    def printed(self, rows: Sequence[Row], marks: Mapping[str, int]) -> tuple[list[str], list[list[str]]]:
        """Return the heading and lines of a table. Measures that no row has are left out."""
        used = [measure for measure in self.measures if any(_of(one, measure) for one in rows)]
        head = [f"ours / {self.other}", *(measure.head for measure in used)]
        lines = []
        for one in rows:
            cells = (_of(one, measure) for measure in used)
            lines.append([one.label, *(cell.text(marks) if cell else "" for cell in cells)])
        return head, lines

    def markdown(self, command: str, pictures: Mapping[str, Sequence[str]]) -> str:
        """Return the tables as Markdown, with the pictures of each case."""
        everything = [one for rows in self.rows.values() for one in rows]
        marks = self.reasons(everything)
        parts = [f"Written by `{command}`.", self.rule, f"**{self.summary()}.**"]
        for case, rows in self.rows.items():
            head, lines = self.printed(rows, marks)
            parts += [f"### {case}", markdown.table(head, lines)]
            parts += [f"![Windows on {case}]({place})" for place in pictures.get(case, ())]
        for text, cells in self.open.items():
            numbers = "\n".join(f"- {named(row, cell)}" for row, cell in cells)
            parts += ["### Open", text, numbers]
        if marks:
            parts += ["### Reasons", "\n".join(f"{number}. {text}" for text, number in marks.items())]
        if self.notes:
            parts += ["### Not compared", "\n".join(f"- {note}" for note in self.notes)]
        return "\n\n".join(parts) + "\n"

    def records(self) -> dict[str, object]:
        """Return the content as JSON values."""
        return {
            "other": self.other,
            "rule": self.rule,
            "passed": not self.broken,
            "open": list(self.open),
            "rows": [one.record() for rows in self.rows.values() for one in rows],
            "not_compared": self.notes,
        }


def named(row: Row, cell: Cell) -> str:
    """Return a line with the numbers of both sides and the names of their row and measure."""
    return f"{row.case} | {row.label} | {cell.measure.head} | {cell.text({})}"


def _of(row: Row, measure: Quantity) -> Cell | None:
    return next((cell for cell in row.cells if cell.measure is measure and not cell.empty), None)
