# SPDX-License-Identifier: MIT OR Apache-2.0
"""Evaluate a controller by the criteria of RFC 9743 and the metrics of RFC 5166, relative to Reno and CUBIC."""

from __future__ import annotations

import json
import math
import random
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Literal

from bentpipe._evaluate.experiments import marking
from bentpipe.base import arguments
from bentpipe.base import progress as _progress
from bentpipe.base.arguments import refuse
from bentpipe.base.errors import BentpipeError, ScenarioError
from bentpipe.base.files import refuse_foreign, write_text
from bentpipe.base.stats import TOO_FEW, Estimate, estimate, fixed
from bentpipe.results.notes import kind_lines, without_advice
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

#: Standard controllers for the comparison (RFC 9743, section 5.2.1).
STANDARD = ("reno", "cubic")
_SHOWN = ("Reno", "CUBIC")
#: Names of the files that an evaluation writes into its folder.
WRITTEN = ("evaluation.html", "evaluation.json")
#: Tolerance relative to the worse of the standard controllers.
_MARGIN = 0.1

#: The part of the error about a missing signal that does not depend on the scenario.
_LACKS = re.compile(r'controller "[^"]*" needs [^(]*[^( ]')

RULE = (
    "RFC 9743 asks whether a controller does more harm than the standard controllers, and gives few bounds. The rule "
    "here is our own. The reference is the worse of Reno and CUBIC in the same scenario. The slack is a tenth of the "
    "reference, or the smallest slack of the criterion if that is larger. The limit is the reference, made worse by "
    "the slack. Where the RFC has a bound, the limit is that bound, without slack. The difference from the limit is "
    "paired by seed. A criterion is “met” if the 95 % interval of this difference lies completely within the limit. It "
    "is “not met” if the interval lies completely beyond the limit. It is “open” if the interval contains the limit; "
    "more seeds may then decide. Differences of percentages are in percentage points. A number without ± was the same "
    "with all seeds. The time of “convergence” is measured in steps of 0.5 s, so it can be equal although the seeds "
    "differ."
)
#: The simplest TCP, so that only the controller is evaluated.
TCP = Tcp(preset="bentpipe-0.1")
HEAD = ("criterion", "RFC", "what", "measured", *STANDARD, "limit", "slack", "judged", "why")


class Judgement(StrEnum):
    """The verdict on a criterion."""

    MET = "met"
    NOT_MET = "not met"
    OPEN = "open"


@dataclass(frozen=True)
class Verdict:
    """The verdict on a criterion, with its reason.

    Attributes:
        limit: Worst value that meets the criterion, in the unit of the criterion.
        slack: Distance of the limit from the worse of Reno and CUBIC; 0 if the limit is a bound of the RFC.
        beyond: How much worse the number is than the limit, paired by seed. A negative number is within the limit.
    """

    limit: float
    slack: float
    beyond: Estimate

    @property
    def judgement(self) -> Judgement:
        """The verdict by `RULE`."""
        if self.beyond.high <= 0.0:
            return Judgement.MET
        return Judgement.NOT_MET if self.beyond.low > 0.0 else Judgement.OPEN


@dataclass(frozen=True)
class Answer:
    """The answer to one criterion.

    Attributes:
        name: The criterion.
        section: Sections of RFC 9743 and RFC 5166.
        what: The measured quantity.
        unit: Unit of the numbers.
        better: +1 if more is better, -1 if less is better.
        measured: The controller's number with its 95 % interval over the seeds.
        standard: The numbers of Reno and CUBIC.
        verdict: The verdict with its limit.
        digits: Digits after the point in printed numbers.
    """

    name: str
    section: str
    what: str
    unit: str
    better: int
    measured: Estimate
    standard: dict[str, Estimate]
    verdict: Verdict
    digits: int = 1

    @property
    def judgement(self) -> Judgement:
        """The verdict by `RULE`."""
        return self.verdict.judgement

    @property
    def limit(self) -> str:
        """The limit with its direction and unit."""
        return f"{'≥' if self.better > 0 else '≤'} {self._text(self.verdict.limit)}"

    @property
    def why(self) -> str:
        """The difference from the limit, as the reason for "not met" or "open"; empty if the criterion is met."""
        if self.judgement == Judgement.MET:
            return ""
        beyond = self.verdict.beyond
        side = "above" if beyond.mean * self.better < 0.0 else "below"
        distance = replace(beyond, mean=abs(beyond.mean)).text(self.digits, self.unit)
        return f"{distance} {side} the limit"

    def cells(self) -> list[str]:
        """Return the printed cells, in the order of the headings."""
        numbers = [one.text(self.digits, self.unit) for one in (self.measured, *self.standard.values())]
        bounds = [self.limit, self._text(self.verdict.slack)]
        return [self.name, self.section, self.what, *numbers, *bounds, str(self.judgement), self.why]

    def _text(self, number: float) -> str:
        return fixed(number).text(self.digits, self.unit)


@dataclass(frozen=True, repr=False)
class Evaluation:
    """The evaluation of a controller.

    Attributes:
        controller: The controller's name in tables.
        seeds: Number of seeds.
        answers: The answer to each measured criterion.
        tcp: TCP preset of the controller (`bentpipe.tcp_presets`) with changed settings. If the TCP of Reno and CUBIC
            differs, it follows in brackets.
        facts: Facts on deployment from the catalogue: required and used signals, and limits.
        unmeasured: Criteria that were not measured, with section and reason.
        findings: Findings (`Run.findings`) of the controller's runs with their criteria, the worst of each kind. They
            contain no advice, because the criteria define the scenarios.
        page: Path of the HTML page, if a page was written.
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
        """Return the answers and a picture of them, for notebooks."""
        from bentpipe.show.pages.notebook import ROWS, snippet
        from bentpipe.show.pictures import evaluation

        # Criteria that are not met come first.
        order = [Judgement.NOT_MET, Judgement.OPEN, Judgement.MET]
        answers = sorted(self.answers, key=lambda answer: order.index(answer.judgement))
        left = len(answers) - ROWS
        lines = [self.summary(), self.tcp_line()]
        if left > 0:
            lines.append(f"the table omits {left} with the same or a better verdict")
        rows = [answer.cells() for answer in answers[:ROWS]]
        return snippet(self.controller, lines, HEAD, rows, evaluation.squares(self))

    def count(self, judgement: Judgement) -> int:
        """Return the number of criteria with this verdict."""
        return sum(answer.judgement == judgement for answer in self.answers)

    @property
    def seeds_said(self) -> str:
        """Return the number of seeds and the meaning of the intervals, in words."""
        return f"{self.seeds} seeds; {'means with 95 % intervals' if self.seeds > 2 else TOO_FEW}"

    def tcp_line(self) -> str:
        """Return the TCP preset and the marking of queues, in words."""
        marks = (
            "; for this controller, drop-tail queues mark packets that wait longer than 0.15 RTT"
            if "ecn = " in self.tcp
            else ""
        )
        return f"TCP: {self.tcp}{marks}"

    def summary(self) -> str:
        """Return the summary in one line."""
        return (
            f"{self.controller}: {self.count(Judgement.MET)} of {len(self.answers)} criteria met, "
            f"{self.count(Judgement.NOT_MET)} not met, {self.count(Judgement.OPEN)} open; "
            f"{len(self.unmeasured)} not measured"
        )

    def records(self) -> list[dict[str, object]]:
        """Return the answers as plain data."""

        def plain(number: Estimate) -> dict[str, float]:
            return {"mean": number.mean, "half_width": number.half_width}

        return [
            {
                "criterion": a.name,
                "section": a.section,
                "what": a.what,
                "unit": a.unit,
                "judgement": str(a.judgement),
                "better": "more" if a.better > 0 else "less",
                "limit": a.verdict.limit,
                "slack": a.verdict.slack,
                "beyond_limit": plain(a.verdict.beyond),
                "why": a.why,
                "tcp": self.tcp,
                "measured": plain(a.measured),
                "standard": {name: plain(one) for name, one in a.standard.items()},
            }
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
    """Evaluate a controller by the criteria of RFC 9743, with the metrics of RFC 5166, relative to Reno and CUBIC.

    Args:
        controller: A name (`bentpipe.controllers`, or one of your own), with parameters as ``cubic{beta=0.8}``,
            or a table of name and parameters.
        seeds: Number of seeds, at least 2. The seeds are 1 to this number, for all controllers.
        criteria: Names of criteria, by default all criteria.
        tcp: The TCP of all flows. The default is ``Tcp(preset="bentpipe-0.1")``, the simplest TCP. If `tcp` does not
            set `ecn`, a controller that requires ECN marks gets ``ecn="dctcp"`` (Prague: ``"accurate-l4s"``). With ECN,
            drop-tail queues mark ECN-capable packets that wait for more than 0.15 RTT (discipline ``"threshold"``).
        out: Folder for ``evaluation.html`` and ``evaluation.json``. Without a folder, nothing is written.
        threads: Number of runs at a time, by default one per processor. Results do not depend on it.
        progress: Function that is called with (done, all) when runs finish. True shows the progress on stderr.
        force: Write into `out` even if it has other files. Files of an evaluation are replaced; other files stay.
        costly: Make a run even if the estimate (`estimate_cost`) exceeds the free memory or disk.

    Raises:
        ScenarioError: If the controller is unknown or refuses its parameters, or settings of the TCP conflict. Also if
            no path has the signals that the controller requires, or `out` has other files.
        RunError: If a run cannot be made (for example, your own controller fails), or a file cannot be written.
        ArgumentError: If there are fewer than two seeds, or a criterion is not known.
    """
    from bentpipe._evaluate.criteria import CRITERIA, UNMEASURED

    place = arguments.place("out", out)
    refuse_foreign(place, WRITTEN, force=force)
    if seeds < 2:
        raise refuse(f"seeds = {seeds}: must be at least 2, because an interval needs two runs")
    chosen = [one for one in CRITERIA if not criteria or one.name in criteria]
    unknown = set(criteria) - {one.name for one in chosen}
    if unknown:
        names = ", ".join(f'"{one.name}"' for one in CRITERIA)
        raise refuse(f'unknown criterion "{min(unknown)}" (known criteria: {names})')
    asked = Choice.of(controller)
    # Check the controller once, so that an error is not reported for each flow of each scenario.
    asked.check()
    controller = asked.table()
    bed = _Bed.of(controller, TCP if tcp is None else tcp)
    cast: dict[str, Who] = {"": controller, **{name: name for name in STANDARD}}
    with _progress.shown(progress, "runs") as update:
        made: Folders[str] = Folders(threads=threads, progress=update)

        def make(texts: Iterable[str]) -> None:
            new = [text for text in dict.fromkeys(texts) if text not in made.results]
            made.make({text: (job(text, costly=costly), None) for text in new})

        # The first run of each scenario shows the signals that the path lacks.
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
        own = [runs[texts[one.name, "", seed]].findings for seed in range(1, seeds + 1)]
        findings += [(one.name, line) for line in kind_lines([list(map(without_advice, some)) for some in own])]
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
    """Builds the scenarios of one evaluation from common settings.

    Attributes:
        controller: The evaluated controller.
        tcp: The TCP of all flows.
        own_ecn: The `ecn` of the controller's flows, if the controller requires ECN marks.
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
        """Return the scenario of a seed. All controllers get the same draws, which depend on criterion and seed."""
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
    """Return the criteria whose paths have all signals that the controller requires, and reasons for the others.

    If all paths lack a signal, raise one error.
    """
    possible = [one for one, made in first.items() if isinstance(made, Run)]
    errors = {one: made for one, made in first.items() if isinstance(made, BentpipeError)}
    wrong = next((error for error in errors.values() if error.code != "signal-missing"), None)
    if wrong is not None:
        raise wrong
    if not possible:
        missing = _lacking(next(iter(errors.values())))
        raise ScenarioError("signal-missing", f"{missing}, in every scenario of the criteria (use another --tcp)")
    return possible, [(one.name, one.section, _lacking(error)) for one, error in errors.items()]


def _lacking(error: BentpipeError) -> str:
    """Return the missing signal from an error, without the place and the advice, which suit scenarios of a user."""
    found = _LACKS.search(error.message)
    return error.message if found is None else found[0]


def _whose(runs: Iterable[Run], name: str) -> str:
    """Return the TCP of the controller, and the TCP of the standard controllers if it differs."""
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
        better=criterion.measure.better,
        measured=_sampled(numbers[""]),
        standard={name: _sampled(numbers[name]) for name in STANDARD},
        verdict=judge(criterion, numbers[""], [numbers[name] for name in STANDARD]),
        digits=criterion.measure.digits,
    )


def judge(criterion: Criterion, ours: Sequence[float], standard: Sequence[Sequence[float]]) -> Verdict:
    """Return the verdict by `RULE` from the numbers of the controller and of each standard controller, by seed."""
    measure = criterion.measure
    if measure.bound is not None:
        reference, slack, limit = [measure.bound] * len(ours), 0.0, measure.bound
    else:
        reference = list(min(standard, key=lambda values: measure.better * math.fsum(values)))
        mean = math.fsum(reference) / len(reference)
        slack = max(_MARGIN * abs(mean), measure.least_slack)
        limit = mean - measure.better * slack
    # A positive difference is worse for every criterion.
    worse = _sampled([measure.better * (theirs - own) for own, theirs in zip(ours, reference, strict=True)])
    return Verdict(limit, slack, replace(worse, mean=worse.mean - slack))


def _label(controller: Who) -> str:
    label = catalogue.label(_name(controller))
    if isinstance(controller, str):
        return label
    rest = ", ".join(f"{key} = {value}" for key, value in controller.items() if key != "name")
    return f"{label} ({rest})" if rest else label


def _facts(name: str) -> tuple[tuple[str, str], ...]:
    """Return facts on deployment (RFC 9743, section 5.3.2; RFC 5166, section 2.6): required signals, known limits."""
    entry = catalogue.entry_of(name)
    if entry is None:
        return (("the catalogue", "not listed, because it is a user's controller"),)
    return (
        ("requires", str(entry["requires"])),
        ("uses", str(entry["uses"])),
        ("known limits", str(entry["limits"])),
    )


def _write(result: Evaluation, out: Path) -> Path:
    write_text(out / "evaluation.json", json.dumps(result.records(), ensure_ascii=False, indent=1) + "\n")
    answers = Table(HEAD, [answer.cells() for answer in result.answers])
    return write(out / "evaluation.html", "evaluation.html", result=result, rule=RULE, answers=answers)
