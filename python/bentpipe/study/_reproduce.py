# SPDX-License-Identifier: MIT OR Apache-2.0
"""Make a reproduction: make runs in parallel, and read each row when its runs are complete.

Rows that plan the same scenario share one run. Runs are made in parallel; runs of rows with few runs are made first.
One thread reads the rows whose runs are complete. An interrupted reproduction can be continued. A repeated reproduction
only reads files. A row that fails is reported as a defect with exit code 1, and other rows are unaffected.
"""

from __future__ import annotations

import hashlib
import json
import math
import re
import traceback
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import asdict, dataclass, field, replace
from typing import TYPE_CHECKING

from bentpipe.base import arguments, shape
from bentpipe.base import progress as _progress
from bentpipe.base.files import Unfit, content, write_text
from bentpipe.base.progress import Tally
from bentpipe.base.reading import MOST
from bentpipe.base.stats import intervals_at
from bentpipe.runs.threads import Crew
from bentpipe.show.pages.page import Drawing, drawn
from bentpipe.study._claims import Claim, Combinations, letter
from bentpipe.study._curves import curve_rows
from bentpipe.study._runs import Runs, Store, alone, frame, line_of, source
from bentpipe.study._study import Effort, Finding, Row, Sheet, Study

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from bentpipe.base.errors import BentpipeError
    from bentpipe.study._study import Key


@dataclass(frozen=True)
class Outcome:
    """A finding in the form that is stored and printed, with its pictures drawn.

    Attributes:
        row: Id of the row.
        claims: The claims with our numbers.
        why: The reason for the verdict in one line.
        sheets: Tables.
        drawings: Pictures.
        notes: Notes: tried readings and limits.
        scenario: The first scenario of the row's plan as TOML; empty if the row needs no run.
        runs: Number of runs that the row needs.
        seeds: Number of seeds at which the row stopped: all seeds, or the seeds of the look that decided the row.
        combinations: The combinations, if the finding is a specification curve.
        failed: The error, if the row could not be read. Such an error is a defect of the study.
    """

    row: str
    claims: tuple[Claim, ...]
    why: str
    sheets: tuple[Sheet, ...] = ()
    drawings: tuple[Drawing, ...] = ()
    notes: tuple[str, ...] = ()
    scenario: str = ""
    runs: int = 0
    seeds: int = 0
    combinations: Combinations | None = None
    failed: str = ""

    @property
    def by_id(self) -> dict[str, Claim]:
        """The claims by id: ``H-18.a``."""
        return {f"{self.row}.{one.letter or letter(place)}": one for place, one in enumerate(self.claims)}

    def lines(self, *, own: bool = False) -> list[list[str]]:
        """Return the printed cells of the claims; the id is the first cell."""
        return [[name, *claim.cells(own=own)] for name, claim in self.by_id.items()]

    @property
    def open(self) -> bool:
        """Whether more seeds may change the verdict of a claim."""
        return any(claim.open for claim in self.claims)

    def to_json(self) -> str:
        """Convert to text, which `from_json` reads."""
        return json.dumps(asdict(self), ensure_ascii=False, indent=1)

    @staticmethod
    def from_json(text: bytes | str) -> Outcome:
        """Read the text that `to_json` wrote.

        Raises:
            Unfit: If `to_json` did not write the text.
        """
        return shape.parsed(text, Outcome, finite=False)


#: If a row has fewer runs than this, reading it (1 s, for its pictures) takes longer than making its runs (70 ms each).
_FEW = 20
#: Errors of a run after which no other run can be written.
_UNWRITABLE = ("folder-unwritable", "disk-full")
#: The place of an error in the text of a scenario that a study made.
_IN_TEXT = re.compile(r"<text>:\d+: ")


@dataclass(frozen=True)
class Reproduction:
    """All findings of a reproduction.

    Attributes:
        effort: Seeds, looks, and whether the reproduction is quick.
        found: The outcome of each row by id, in the order of the studies and their rows. A claim has the combinations
            of its curve.
        curves: The outcome of each specification curve, in the same order.
    """

    effort: Effort
    found: dict[str, dict[str, Outcome]]
    curves: dict[str, dict[str, Outcome]] = field(default_factory=dict)

    @property
    def failures(self) -> list[Outcome]:
        """The rows that could not be read."""
        every = [*self.found.values(), *self.curves.values()]
        return [outcome for rows in every for outcome in rows.values() if outcome.failed]


@dataclass
class _Work:
    """The work on one row at one look."""

    row: Row
    effort: Effort
    plan: dict[Key, str]
    missing: set[str] = field(default_factory=set)


def reproduce(
    chosen: Sequence[tuple[Study, Sequence[Row]]],
    effort: Effort,
    *,
    out: str | os.PathLike[str],
    curves: bool = False,
    shelf: Sequence[Study] = (),
    threads: int | None = None,
    progress: Callable[[int, int], None] | bool | None = None,
    costly: bool = False,
) -> Reproduction:
    """Make the missing runs of the chosen rows, and read the rows.

    Args:
        chosen: Studies, each with the chosen rows (`choose` returns them).
        effort: Seeds, looks, and whether the reproduction is quick. A row continues with the next look only while one
            of its claims is undecided.
        out: Folder with the subfolders ``runs`` (run folders) and ``findings``. Existing runs and findings are not made
            again unless the scenario or the build has changed.
        curves: Whether the specification curves of the rows are made too. The combinations of a curve have an effect on
            the verdict of its claim.
        shelf: The studies whose outcomes a row with `last` reads. The default is the studies of `chosen`.
        threads: Number of runs at a time. The default is the number of processors plus one, because a finished run
            waits for Python while a row is read.
        progress: Function that is called with (done, all), in runs and rows. True shows the progress on stderr.
        costly: Make a run even if the estimate (`estimate_cost`) exceeds the free memory or disk.

    Raises:
        RunError: If a folder cannot be written.
        ValueError: If rows of two studies have the same id.
        KeyboardInterrupt: On Ctrl-C, after the current row is read. Finished runs and findings stay on disk.
    """
    place = arguments.path("out", out)
    at_once = 1 + arguments.threads(None) if threads is None else arguments.threads(threads)
    studies = shelf or [study for study, _ in chosen]
    with alone(place), _progress.shown(progress, "runs and rows") as update:
        tally = Tally(update)
        return _reproduce(chosen, effort, place, studies, tally, curves=curves, threads=at_once, costly=costly)


def _reproduce(
    chosen: Sequence[tuple[Study, Sequence[Row]]],
    effort: Effort,
    place: Path,
    shelf: Sequence[Study],
    tally: Tally,
    *,
    curves: bool,
    threads: int,
    costly: bool,
) -> Reproduction:
    ids = [row.id for _, rows in chosen for row in rows]
    if len(set(ids)) < len(ids):
        raise ValueError(f"each row needs its own id: {', '.join(sorted({one for one in ids if ids.count(one) > 1}))}")
    store = Store(place / "runs")
    found: dict[str, Outcome] = {}
    rows = [row for _, all_rows in chosen for row in all_rows if not row.last]
    begun = [_at(row, effort.steps()[0], found) for row in rows]
    of_rows = {row.id: curve_rows(row) if curves else [] for row in rows}
    begun += [_at(curve, own, found) for row in rows if curves for curve, own in curve_efforts(row)]
    work = _left(begun, effort, store, found)
    while work:
        for one in work:
            one.missing = {text for text in one.plan.values() if not store.has(text)}
        _work_off(work, found, store, tally, threads=threads, costly=costly)
        work = _left([_after(one, effort, found) for one in work], effort, store, found)
    found |= {row.id: _joined(found[row.id], found) for row in rows}
    for row in (row for _, rows in chosen for row in rows if row.last):
        said = _said(store, effort, shelf, found, curves=curves)
        found[row.id] = _read(row, Runs(effort, {}, store, said, shelf), {})
    studies = {study.name: {row.id: found[row.id] for row in rows} for study, rows in chosen}
    drawn = {
        study.name: {one.id: found[one.id] for row in rows for one in of_rows.get(row.id, [])} for study, rows in chosen
    }
    return Reproduction(effort, studies, drawn)


def curve_efforts(row: Row) -> list[tuple[Row, Effort]]:
    """Return the curves of a row as rows, each with the effort of its seeds."""
    return [(one, Effort(curve.seeds)) for one, curve in zip(curve_rows(row), row.curves.values(), strict=True)]


def _joined(outcome: Outcome, found: Mapping[str, Outcome]) -> Outcome:
    """Add to each claim of a row the combinations of its curve, if the curve was made."""
    claims = []
    for name, claim in outcome.by_id.items():
        curve = found.get(f"{name}-curve")
        combinations = curve.combinations if curve is not None else None
        if combinations is not None and combinations.unit != claim.unit:
            problem = f"claim {name} is in {claim.unit or 'no unit'}, its curve in {combinations.unit or 'no unit'}"
            return replace(outcome, claims=(), failed=problem)
        claims.append(claim if combinations is None else replace(claim, combinations=combinations))
    return replace(outcome, claims=tuple(claims))


def _left(work: Sequence[_Work | None], effort: Effort, store: Store, found: dict[str, Outcome]) -> list[_Work]:
    """Return the first look of each row that is not read yet. Put the stored outcomes of earlier looks into `found`."""
    left = []
    for begun in work:
        one = begun
        while one is not None and (kept := _stored(store, one)) is not None:
            found[one.row.id] = kept
            one = _after(one, effort, found)
        if one is not None:
            left.append(one)
    return left


def _at(row: Row, effort: Effort, found: dict[str, Outcome]) -> _Work | None:
    """Return the work on a row at a look; None if the row cannot be planned (`found` then has the failure)."""
    try:
        return _Work(row, effort, {key: scenario.to_toml() for key, scenario in row.plan(effort).items()})
    except Exception as problem:
        found[row.id] = _failed(row, row.plan, problem)
        return None


def _after(one: _Work, effort: Effort, found: dict[str, Outcome]) -> _Work | None:
    """Return the work on a row at its next look, with more seeds; None if the row is decided or has no more looks."""
    outcome = found[one.row.id]
    if outcome.failed:
        return None
    more = next((step for step in effort.steps() if len(step.seeds) > len(one.effort.seeds)), None)
    if more is None or not outcome.open:
        return None
    then = _at(one.row, more, found)
    without_chance = then is not None and one.plan and set(then.plan.values()) == set(one.plan.values())
    return None if without_chance else then


def _work_off(
    work: Sequence[_Work], found: dict[str, Outcome], store: Store, tally: Tally, *, threads: int, costly: bool
) -> None:
    """Make the missing runs, and read each row when its runs are complete. Put the outcomes into `found`.

    Rows with few missing runs take longer to read than to make. They are made first, in ascending order of their number
    of missing runs. The other rows follow in descending order. Then neither making nor reading waits for long
    (Johnson's rule for two machines in a row, 1954).
    """
    by_runs = sorted(work, key=lambda one: len(one.missing))
    begun = [one for one in by_runs if len(one.missing) < _FEW] + [
        one for one in reversed(by_runs) if len(one.missing) >= _FEW
    ]
    waiting = dict.fromkeys(text for one in begun for text in one.plan.values() if text in one.missing)
    update = tally.batch(len(waiting) + len(work))
    wanted: dict[str, list[_Work]] = {text: [] for text in waiting}
    for one in begun:
        for text in one.missing:
            wanted[text].append(one)
    failed: dict[str, dict[str, BentpipeError]] = {}
    runs = 0

    def tell() -> None:
        # If a finding could not be written, `result()` raises its error at once.
        rows = len(failed) + len([read.result() for read in reading if read.done()])
        update(runs + rows, len(waiting) + len(work))

    crew = Crew([store.wanted(text) for text in waiting], threads, costly=costly)
    with ThreadPoolExecutor(1) as reader:
        reading = {reader.submit(_read_and_store, one, store): one for one in begun if not one.missing}
        try:
            for some in crew.results():
                for text, result in some:
                    runs += 1
                    refused = None if isinstance(result, bytes) else result
                    if refused is not None and refused.code in _UNWRITABLE:
                        raise refused
                    for one in wanted[text]:
                        one.missing.discard(text)
                        if refused is not None:
                            failed.setdefault(one.row.id, {})[text] = refused
                        elif not one.missing and one.row.id not in failed:
                            reading[reader.submit(_read_and_store, one, store)] = one
                    tell()
            for _ in as_completed(reading):
                tell()
        except BaseException:
            reader.shutdown(wait=False, cancel_futures=True)
            raise
        finally:
            crew.stop()
    found |= {one.row.id: _refused(one, failed[one.row.id]) for one in begun if one.row.id in failed}
    found |= {one.row.id: read.result() for read, one in reading.items()}


def _said(
    store: Store, effort: Effort, shelf: Sequence[Study], found: dict[str, Outcome], *, curves: bool
) -> dict[str, Outcome]:
    """Return the outcomes of the rows of all studies: new ones, or stored ones of the same effort and build."""
    said = dict(found)
    for row in (row for study in shelf for row in study.rows if not row.last and row.id not in found):
        if (outcome := _earlier(store, row, effort)) is not None:
            of_row = curve_efforts(row) if curves else []
            kept = {one.id: kept for one, made in of_row if (kept := _earlier(store, one, made)) is not None}
            said[row.id] = _joined(outcome, kept)
    return {name: outcome for name, outcome in said.items() if not outcome.failed}


def _earlier(store: Store, row: Row, effort: Effort) -> Outcome | None:
    """Return the stored outcome of a row at its last look; None if the row has further looks, or cannot be planned."""
    kept: dict[str, Outcome] = {}
    left = _left([_at(row, effort.steps()[0], kept)], effort, store, kept)
    return None if left else kept.get(row.id)


def _read(row: Row, runs: Runs, plan: dict[Key, str]) -> Outcome:
    try:
        with intervals_at(runs.effort.level):
            return _draw(row, row.read(runs), runs.effort, plan)
    except Exception as problem:
        return _failed(row, row.read, problem)


def _read_and_store(one: _Work, store: Store) -> Outcome:
    outcome = _read(one.row, Runs(one.effort, one.plan, store), one.plan)
    if not outcome.failed:
        write_text(_file(store, one), outcome.to_json())
    return outcome


def _draw(row: Row, finding: Finding, effort: Effort, plan: dict[Key, str]) -> Outcome:
    drawings = [drawn(picture.figure, picture.caption) for picture in finding.pictures]
    if not finding.claims and not finding.why:
        raise ValueError(f"row {row.id} has neither a claim nor a reason (why)")
    for claim in finding.claims:
        if any(math.isinf(one.half_width) for one in (claim.measured, *(one for _, one in claim.others))):
            raise ValueError(f"row {row.id}: {claim.what!r} was measured once; an interval needs two seeds")
    sheets = tuple(Sheet(s.title, list(s.head), [list(cells) for cells in s.rows]) for s in finding.sheets)
    return Outcome(
        row=row.id,
        claims=tuple(finding.claims),
        why=finding.why,
        sheets=sheets,
        drawings=tuple(drawings),
        notes=tuple(finding.notes),
        scenario=next(iter(plan.values()), ""),
        runs=len(set(plan.values())),
        seeds=len(effort.seeds),
        combinations=finding.combinations,
    )


def _failed(row: Row, function: Callable[..., object], problem: Exception) -> Outcome:
    """Return the outcome of a row whose function raised an exception. The last line begins with the place."""
    what = "".join(traceback.format_exception_only(problem))
    steps = traceback.format_exc(limit=-4).removesuffix(what)
    return Outcome(row.id, (), "this row could not be read", failed=f"{steps}{line_of(function, problem)}{what}")


def _refused(one: _Work, problems: Mapping[str, BentpipeError]) -> Outcome:
    """Return the outcome of a row with runs that failed: the error of the first run of the plan.

    The scenario of a run has no file. Its place is the function that planned it, and the key of the run.
    """
    key, text = next((key, text) for key, text in one.plan.items() if text in problems)
    said = _IN_TEXT.sub(lambda _: f"{line_of(one.row.plan)}run {key!r}: ", str(problems[text]))
    return Outcome(one.row.id, (), "a run of this row failed", failed=said)


def _file(store: Store, one: _Work) -> Path:
    """Return the file of an outcome. Its name depends on everything that can change the outcome."""
    row = one.row
    parts = [frame(), row.id, row.says, repr(one.effort), source(row.plan), source(row.read)]
    parts += [f"{key!r}={store.identity(text)}\0{text}" for key, text in one.plan.items()]
    name = hashlib.sha256("\0".join(parts).encode()).hexdigest()[:16]
    return store.findings / f"{row.id}-{name}.json"


def _stored(store: Store, one: _Work) -> Outcome | None:
    try:
        outcome = Outcome.from_json(content(_file(store, one), MOST))
    except Unfit:
        return None  # the file is missing or damaged, so the outcome is made again
    return outcome if outcome.row == one.row.id else None
