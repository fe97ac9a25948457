# SPDX-License-Identifier: MIT OR Apache-2.0
"""A controller beside the criteria of RFC 9743 and the metrics of RFC 5166, Reno and CUBIC as the measure."""

from __future__ import annotations

import json
import math
import random
from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Literal

from bentpipe._evaluate.experiments import marking
from bentpipe.base import arguments
from bentpipe.base import progress as _progress
from bentpipe.base.arguments import refuse
from bentpipe.base.errors import BentpipeError
from bentpipe.base.files import refuse_foreign, write_text
from bentpipe.base.stats import Estimate, estimate, fixed
from bentpipe.results.notes import finding_lines
from bentpipe.runs.folders import Folders
from bentpipe.runs.make import job, whole
from bentpipe.runs.run import Run
from bentpipe.scenario import catalogue
from bentpipe.scenario.choice import Choice
from bentpipe.scenario.classes import Flow, Tcp
from bentpipe.show.pages.page import Table, write

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Iterable, Sequence
    from pathlib import Path

    from bentpipe._evaluate.criteria import Criterion
    from bentpipe._evaluate.experiments import Who
    from bentpipe.scenario.classes import Scenario

#: Standard controllers that a new one is measured by (RFC 9743, section 5.2.1).
STANDARD = ("reno", "cubic")
_SHOWN = ("Reno", "CUBIC")
#: What an evaluation writes into its folder.
WRITTEN = ("evaluation.html", "evaluation.json")
#: What is no worse than the standard's worse by this much is not worse.
_MARGIN = 0.1

RULE = (
    "RFC 9743 asks whether a controller does more harm than the standard ones, and names few numbers; the rule is "
    "ours. A criterion is “met” if the number, paired by seed, is no worse than the worse of Reno and CUBIC in the "
    "same scenario, or worse by no more than a tenth of the standard's mean (or the criterion's slack, if that is "
    "more): the whole 95 % interval of the difference has to lie on that side. It is “not met” if the whole interval "
    "lies beyond, “open” if it lies on both sides and more seeds are needed. Where the RFC has a bound, that is the "
    "measure. A number without ± is the same for all seeds: nothing there is left to chance."
)
#: The bare machine: what is judged is the controller.
TCP = Tcp(preset="bentpipe-0.1")
HEAD = ("criterion", "RFC", "what", "measured", *STANDARD, "judged")


class Judgement(StrEnum):
    """How a criterion fared."""

    MET = "met"
    NOT_MET = "not met"
    OPEN = "open"


@dataclass(frozen=True)
class Answer:
    """What one criterion says.

    Attributes:
        name: The criterion.
        section: Its sections of RFC 9743 and RFC 5166.
        what: What was measured.
        unit: Unit of the numbers.
        measured: The controller's number with its 95 % interval over the seeds.
        standard: The same of Reno and CUBIC.
        judgement: By `RULE`.
        digits: Digits after the point, for print.
    """

    name: str
    section: str
    what: str
    unit: str
    measured: Estimate
    standard: dict[str, Estimate]
    judgement: Judgement
    digits: int = 1

    def cells(self) -> list[str]:
        """As it is printed, in the order of the table's head."""
        numbers = [self._text(one) for one in (self.measured, *self.standard.values())]
        return [self.name, self.section, self.what, *numbers, str(self.judgement)]

    def _text(self, number: Estimate) -> str:
        tail = f" {self.unit}" if self.unit else ""
        width = f" ± {number.half_width:.{self.digits}f}" if number.half_width else ""
        return f"{number.mean:.{self.digits}f}{width}{tail}"


@dataclass(frozen=True, repr=False)
class Evaluation:
    """A controller's answers.

    Attributes:
        controller: The name as tables show it.
        seeds: How many seeds were run.
        answers: One for each criterion that was measured.
        tcp: Whose TCP the controller ran on (`bentpipe.tcp_presets`), and what was changed; of Reno and CUBIC in
            brackets if theirs is another.
        facts: What the catalogue says about deploying it: what it requires and uses, and its limits.
        unmeasured: Criteria that were not measured, their sections and why.
        findings: Criterion and finding (`Run.findings`) of the controller's own runs, the worst over the seeds.
        page: The HTML page, if one was written.
    """

    controller: str
    seeds: int
    answers: tuple[Answer, ...]
    tcp: str
    facts: tuple[tuple[str, str], ...]
    unmeasured: tuple[tuple[str, str, str], ...]
    findings: tuple[tuple[str, str], ...] = ()
    page: Path | None = None

    def __repr__(self) -> str:
        """The summary."""
        return f"<Evaluation of {self.summary()}>"

    def _repr_html_(self) -> str:
        """The answers and a picture of them, for notebooks."""
        from bentpipe.show.pages.notebook import ROWS, snippet
        from bentpipe.show.pictures import evaluation

        # What was not met first: it is what a reader looks for.
        order = [Judgement.NOT_MET, Judgement.OPEN, Judgement.MET]
        answers = sorted(self.answers, key=lambda answer: order.index(answer.judgement))
        left = len(answers) - ROWS
        lines = [self.summary(), self.tcp_line()]
        if left > 0:
            lines.append(f"the table leaves out {left} that fared no worse")
        rows = [answer.cells() for answer in answers[:ROWS]]
        return snippet(self.controller, lines, HEAD, rows, evaluation.squares(self))

    def count(self, judgement: Judgement) -> int:
        """How many criteria fared so."""
        return sum(answer.judgement == judgement for answer in self.answers)

    def tcp_line(self) -> str:
        """Whose TCP ran, and what its queues did."""
        marks = "; drop-tail queues mark what waits for over 0.15 RTT" if "ecn = " in self.tcp else ""
        return f"TCP: {self.tcp}{marks}"

    def summary(self) -> str:
        """A line."""
        return (
            f"{self.controller}: {self.count(Judgement.MET)} of {len(self.answers)} criteria met, "
            f"{self.count(Judgement.NOT_MET)} not met, {self.count(Judgement.OPEN)} open; "
            f"{len(self.unmeasured)} not measured"
        )

    def records(self) -> list[dict[str, object]]:
        """The answers as plain data."""

        def plain(number: Estimate) -> dict[str, float]:
            return {"mean": number.mean, "half_width": number.half_width}

        return [
            {"criterion": a.name, "section": a.section, "what": a.what, "unit": a.unit, "judgement": str(a.judgement)}
            | {"tcp": self.tcp}
            | {"measured": plain(a.measured), "standard": {name: plain(one) for name, one in a.standard.items()}}
            for a in self.answers
        ]


def evaluate(
    controller: str | Mapping[str, object],
    *,
    seeds: int = 10,
    criteria: Sequence[str] = (),
    tcp: Tcp | None = None,
    out: str | os.PathLike[str] | None = None,
    threads: int | None = None,
    progress: Callable[[int, int], None] | bool | None = None,
    force: bool = False,
    costly: bool = False,
) -> Evaluation:
    """Measure a controller against the criteria of RFC 9743, with the metrics of RFC 5166, beside Reno and CUBIC.

    Args:
        controller: A name (`bentpipe.controllers`, or one of your own), with parameters as ``cubic{beta=0.8}``,
            or a table of name and parameters.
        seeds: Seeds 1 to this, at least 2; the same for all that are compared.
        criteria: Only these, by name; all without it.
        tcp: Whose TCP all flows have; without it ``Tcp(preset="bentpipe-0.1")``, the bare machine. A controller that
            requires ECN marks has ``ecn="dctcp"`` (Prague ``"accurate-l4s"``) if this says nothing of `ecn`. With ECN
            drop-tail queues mark what is ECN-capable once it waits for more than 0.15 RTT (discipline ``"threshold"``).
        out: Folder for ``evaluation.html`` and ``evaluation.json``; nothing is written without it.
        threads: Runs at a time; as many as there are processors without it. What comes out does not depend on it.
        progress: Called with (done, all) as runs finish; True shows it on stderr.
        force: Write into `out` whatever is there: our own files are replaced, all others left.
        costly: Run even if memory or disk will not do by the estimate (`estimate_cost`).

    Raises:
        ScenarioError: If the controller is not known or refuses its parameters, if the TCP contradicts itself, if no
            criterion's path gives the controller what it needs, or if something else stands in `out`.
        RunError: If a run cannot be made, as when a controller of your own fails, or a file cannot be written.
        ArgumentError: If there are fewer than two seeds, or a criterion is not known.
    """
    from bentpipe._evaluate.criteria import CRITERIA, UNMEASURED

    place = arguments.place("out", out)
    refuse_foreign(place, WRITTEN, force=force)
    if seeds < 2:
        raise refuse(f"{seeds} seeds: an interval needs at least 2")
    chosen = [one for one in CRITERIA if not criteria or one.name in criteria]
    unknown = set(criteria) - {one.name for one in chosen}
    if unknown:
        names = ", ".join(f'"{one.name}"' for one in CRITERIA)
        raise refuse(f'there is no criterion "{min(unknown)}" (there are {names})')
    asked = Choice.of(controller)
    # What is wrong with it is said once, not for each flow of a scenario.
    asked.check()
    controller = asked.table()
    bed = _Bed.of(controller, TCP if tcp is None else tcp)
    cast: dict[str, Who] = {"": controller, **{name: name for name in STANDARD}}
    with _progress.shown(progress, "runs") as update:
        made: Folders[str] = Folders(threads=threads, progress=update)

        def make(texts: Iterable[str]) -> None:
            new = [text for text in dict.fromkeys(texts) if text not in made.results]
            made.make({text: (job(text, costly=costly), None) for text in new})

        # What a path lacks shows when it is run: the first seed of each.
        first = {one: bed.scenario(one, controller, 1).to_toml() for one in chosen}
        make(first.values())
        chosen, refused = _possible({one: made.results[text] for one, text in first.items()})
        texts = {
            (one.name, who, seed): bed.scenario(one, spec, seed).to_toml()
            for one in chosen
            for who, spec in cast.items()
            for seed in range(1, seeds + 1)
        }
        make(texts.values())
    needed = list(dict.fromkeys(texts.values()))
    runs = dict(zip(needed, whole([made.results[text] for text in needed]), strict=True))
    answers, findings = [], []
    for one in chosen:
        numbers = {
            who: [one.measure.read(runs[texts[one.name, who, seed]]) for seed in range(1, seeds + 1)] for who in cast
        }
        answers.append(_answer(one, numbers))
        own = [runs[texts[one.name, "", seed]] for seed in range(1, seeds + 1)]
        findings += [(one.name, line) for line in finding_lines(own)]
    name = _name(controller)
    unmeasured, whose = (*refused, *UNMEASURED), _whose(runs.values(), name)
    result = Evaluation(
        _label(controller),
        seeds,
        tuple(answers),
        whose,
        _facts(name),
        unmeasured,
        tuple(findings),
    )
    return result if place is None else replace(result, page=_write(result, place))


@dataclass(frozen=True)
class _Bed:
    """What the scenarios of one evaluation share.

    Attributes:
        controller: Who is asked.
        tcp: Of all flows.
        own_ecn: The `ecn` of the flows of the controller instead, if it needs it.
    """

    controller: Who
    tcp: Tcp
    own_ecn: Literal["accurate-l4s", "dctcp"] | None

    @classmethod
    def of(cls, controller: Who, tcp: Tcp) -> _Bed:
        facts = dict(_facts(_name(controller)))
        needs = "ECN marks" in facts.get("requires", "") and tcp.ecn is None
        own: Literal["accurate-l4s", "dctcp"] = "accurate-l4s" if _name(controller) == "prague" else "dctcp"
        return cls(controller, tcp, own if needs else None)

    def scenario(self, criterion: Criterion, who: Who, seed: int) -> Scenario:
        """The scenario of a seed. Its generator has the criterion's name: all that are compared see the same chance."""
        chance = random.Random(f"{criterion.name}/{seed}")  # noqa: S311 - not for secrets
        made = replace(criterion.scenario(who, chance), seed=seed, tcp=self.tcp)
        if self.own_ecn:
            own = Tcp(ecn=self.own_ecn)
            made.flows = [
                replace(flow, tcp=own) if isinstance(flow, Flow) and flow.controller == self.controller else flow
                for flow in made.flows or ()
            ]
        return marking(made) if self.own_ecn or self.tcp.ecn else made


def _possible(
    first: Mapping[Criterion, Run | BentpipeError],
) -> tuple[list[Criterion], list[tuple[str, str, str]]]:
    """The criteria whose path gives the controller what it needs, and the others with the reason.

    If all lack something it is said once.
    """
    possible = [one for one, made in first.items() if isinstance(made, Run)]
    errors = {one: made for one, made in first.items() if isinstance(made, BentpipeError)}
    wrong = next((error for error in errors.values() if error.code != "signal-missing"), None)
    if wrong is not None or not possible:
        raise wrong or next(iter(errors.values()))
    return possible, [(one.name, one.section, error.message) for one, error in errors.items()]


def _whose(runs: Iterable[Run], name: str) -> str:
    """Whose TCP ran: that of the controller, and that of others if it is another."""
    flows = [(flow["controller"], tcp) for one in runs for flow in one.summary["flows"] if (tcp := flow.get("tcp"))]
    ours = dict.fromkeys(tcp for controller, tcp in flows if controller == name)
    others = dict.fromkeys(tcp for _, tcp in flows if tcp not in ours)
    return ", ".join(ours) + "".join(f" ({', '.join(_SHOWN)}: {whose})" for whose in others)


def _name(controller: Who) -> str:
    return str(controller["name"]) if isinstance(controller, Mapping) else controller


def _sampled(values: Sequence[float]) -> Estimate:
    return fixed(values[0]) if len(set(values)) == 1 else estimate(values)


def _answer(criterion: Criterion, numbers: Mapping[str, Sequence[float]]) -> Answer:
    return Answer(
        name=criterion.name,
        section=criterion.section,
        what=criterion.what,
        unit=criterion.measure.unit,
        measured=_sampled(numbers[""]),
        standard={name: _sampled(numbers[name]) for name in STANDARD},
        judgement=judge(criterion, numbers[""], [numbers[name] for name in STANDARD]),
        digits=criterion.measure.digits,
    )


def judge(criterion: Criterion, ours: Sequence[float], standard: Sequence[Sequence[float]]) -> Judgement:
    """The judgement by `RULE`: numbers by seed of the controller, and of each standard one."""
    # Worse is positive from here on, whatever the criterion's sense.
    measure = criterion.measure
    if measure.bound is not None:
        excess, margin = [measure.better * (measure.bound - one) for one in ours], 0.0
    else:
        worse = min(standard, key=lambda values: measure.better * math.fsum(values))
        excess = [measure.better * (b - a) for a, b in zip(ours, worse, strict=True)]
        margin = max(_MARGIN * abs(math.fsum(worse) / len(worse)), measure.slack)
    found = _sampled(excess)
    if found.high <= margin:
        return Judgement.MET
    return Judgement.NOT_MET if found.low > margin else Judgement.OPEN


def _label(controller: Who) -> str:
    label = catalogue.label(_name(controller))
    if isinstance(controller, str):
        return label
    rest = ", ".join(f"{key} = {value}" for key, value in controller.items() if key != "name")
    return f"{label} ({rest})" if rest else label


def _facts(name: str) -> tuple[tuple[str, str], ...]:
    """Deployability (RFC 9743, section 5.3.2; RFC 5166, section 2.6): what a path must give, and what is known."""
    entry = catalogue.entry_of(name)
    if entry is None:
        return (("the catalogue", "it is not in it: a controller of your own"),)
    return (
        ("requires", str(entry["requires"])),
        ("uses", str(entry["uses"])),
        ("known limits", str(entry["limits"])),
    )


def _write(result: Evaluation, out: Path) -> Path:
    write_text(out / "evaluation.json", json.dumps(result.records(), ensure_ascii=False, indent=1) + "\n")
    answers = Table(HEAD, [answer.cells() for answer in result.answers])
    return write(out / "evaluation.html", "evaluation.html", result=result, rule=RULE, answers=answers)
