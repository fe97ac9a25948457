# SPDX-License-Identifier: MIT OR Apache-2.0
"""The scoreboard of a reproduction: its claims as text and as JSON."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import asdict
from typing import TYPE_CHECKING

from bentpipe import _core
from bentpipe.study._claims import OWN_WORDS, RULE, SEARCHED, Verdict, sentences
from bentpipe.study._runs import build
from bentpipe.study._study import Moved

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from bentpipe.study._claims import Claim
    from bentpipe.study._reproduce import Outcome, Reproduction
    from bentpipe.study._study import Effort, Study

#: The column of the first table that exists only if the paper's own tool was run.
TOOL = "the paper's own tool"
#: The column that exists only if a claim has the paper's words.
WORDS = "in the paper's words"
#: The caption of the picture of a study's claims.
STRIPS = "The measured number of each claim, on a scale from no effect (0) to the claimed number (1)"
#: The columns of the first table of a paper.
HEAD_FIRST = (
    "claim",
    WORDS,
    "what we measured",
    "paper",
    "ours",
    TOOL,
    "verdict",
    "what decides",
)
HEAD_CHANGES = ("paper", "changes", *(str(moved) for moved in Moved))
HEAD = ("claim", "what we measured", "paper", "ours", "verdict", "what decides")
#: The rule for studies without a paper whose claims have one reading: the part of `RULE` that applies.
_OWN_RULE = (
    "A claim is supported if the whole 95 % interval is on the expected side, and contradicted if the whole interval "
    "is on the other side. All other claims are undecided. A number is met if it is in the interval or within the "
    "tolerance of the mean. In addition, the half-width of the interval must be at most the tolerance or, for a "
    "claim with a side, a quarter of the effect. A claim without a side is supported if its number is met, and "
    "contradicted if the whole interval misses its number."
)
#: A placeholder for a number of a claim in the summary of a study.
_NAMED = re.compile(r"\{(\S+) (ours|paper|verdict)\}")


def heads(head: Sequence[str], *, own: bool) -> tuple[str, ...]:
    """Return the headings for claims. A study without a paper has expected numbers instead of the paper's numbers."""
    return tuple("expected" if own and name == "paper" else name for name in head)


def rule(studies: Sequence[Study], found: Mapping[str, Mapping[str, Outcome]]) -> str:
    """Return the rule of the verdicts. Studies without a paper and without other readings have a shorter rule."""
    others = (claim.others for outcomes in found.values() for claim in all_claims(outcomes).values())
    return _OWN_RULE if all(study.own for study in studies) and not any(others) else RULE


def all_claims(found: Mapping[str, Outcome]) -> dict[str, Claim]:
    """Return the claims of some rows by id."""
    return {name: claim for outcome in found.values() for name, claim in outcome.by_id.items()}


def headlines(found: Mapping[str, Outcome]) -> dict[str, Claim]:
    """Return the claims that a page shows first: the claims with a `headline`, or all claims if no claim has one."""
    every = all_claims(found)
    return {name: claim for name, claim in every.items() if claim.headline} or every


def summary(study: Study, found: Mapping[str, Outcome]) -> list[str]:
    """Return the summary sentences of a study with numbers, without sentences about missing claims."""
    claims = all_claims(found)

    def number(match: re.Match[str]) -> str:
        claim = claims[match[1]]
        if match[2] == "paper":
            return claim.claimed().replace(f" (± {float(f'{claim.allowed:.3g}'):g})", "")
        return claim.ours() if match[2] == "ours" else claim.verdict_words(own=study.own)

    return [
        _NAMED.sub(number, sentence)
        for sentence in study.summary
        if all(match[1] in claims for match in _NAMED.finditer(sentence))
    ]


def first_table(study: Study, found: Mapping[str, Outcome]) -> tuple[list[str], list[list[str]]]:
    """Return heading and lines of the first table.

    The table has the headline claims. Without headline claims, it has all claims. Without claims, it has the rows.

    An empty column is left out.
    """
    printed = [
        [
            *(name, _quoted(claim.headline), claim.what, claim.claimed(), claim.ours(), claim.in_tool()),
            *(claim.verdict_words(own=study.own), claim.what_decides()),
        ]
        for name, claim in headlines(found).items()
    ] or [[cells[0], "", *cells[1:4], "", *cells[4:]] for cells in claim_lines(found, own=study.own)]
    return shown(heads(HEAD_FIRST, own=study.own), printed)


def shown(head: Sequence[str], rows: Sequence[Sequence[str]]) -> tuple[list[str], list[list[str]]]:
    """Return a table without its column of words or of the tool, if the column is empty."""
    kept = [place for place, name in enumerate(head) if name not in (TOOL, WORDS) or any(row[place] for row in rows)]
    return [head[place] for place in kept], [[row[place] for place in kept] for row in rows]


def _quoted(words: str) -> str:
    """Put the paper's words in quotation marks. A part of them may have quotation marks already."""
    return words if "“" in words or not words else f"“{words}”"


def claim_lines(found: Mapping[str, Outcome], *, own: bool = False) -> list[list[str]]:
    """Return a line for each claim, and a line for each row without a claim. `own`: for a study without a paper."""
    printed = []
    for outcome in found.values():
        if not outcome.claims:
            printed.append([outcome.row, "", "", "", "failed" if outcome.failed else "", outcome.why])
        for number, (name, claim) in enumerate(outcome.by_id.items()):
            what, claimed, measured, verdict, note = claim.cells(own=own)
            why = sentences(outcome.why if number == 0 else "", note)
            printed.append([name, what, claimed, measured, verdict, why])
    return printed


def together(found: Mapping[str, Outcome]) -> tuple[list[str], list[list[str]]]:
    """Return a table of the headline claims that hold together in one reading, which may be the main reading.

    A reading is left out if fewer than two of the claims have it.
    """
    claims = headlines(found)
    beds: dict[str, dict[str, bool | None]] = {"main reading": {}}
    for name, claim in claims.items():
        beds["main reading"][name] = claim.told(claim.measured)
        for bed, told in _alone(claim).items():
            beds.setdefault(bed, {})[name] = told
    words = {True: "for", False: "against", None: "undecided"}
    lines = [
        [bed, *(words[told[name]] if name in told else "" for name in claims), _of(told.values())]
        for bed, told in beds.items()
        if len(told) > 1 or bed == "main reading"
    ]
    return ["reading", *claims, "for"], lines


def _alone(claim: Claim) -> dict[str, bool | None]:
    """Return a claim's result for each single changed setting: from declared readings, otherwise from combinations."""
    found = {f"{one.name}{SEARCHED if one.searched else ''}": claim.told(one.measured) for one in claim.readings}
    if not found and (made := claim.combinations) is not None:
        for place, one in zip(made.places, made.estimates, strict=True):
            otherwise = [(choice, option) for choice, option in enumerate(place) if option]
            if len(otherwise) == 1:
                choice, option = otherwise[0]
                name = made.options[choice][option]
                mark = SEARCHED if name in made.searched else ""
                found[f"{made.choices[choice]}: {name}{mark}"] = claim.told(one)
    return found


def best_together(found: Mapping[str, Outcome]) -> list[str]:
    """Return, in words, the combination in which most claims hold, for claims with the same combinations."""
    groups: dict[object, dict[str, Claim]] = {}
    for name, claim in headlines(found).items():
        if (made := claim.combinations) is not None:
            groups.setdefault((made.choices, made.options, made.places), {})[name] = claim
    words = []
    for claims in groups.values():
        made = next(iter(claims.values())).combinations
        if made is None or len(claims) < 2:
            continue
        told = [
            [claim.told(claim.combinations.estimates[place]) for claim in claims.values() if claim.combinations]
            for place in range(len(made.places))
        ]
        main = [claim.told(claim.measured) for claim in claims.values()]
        best = max(range(len(told)), key=lambda place: told[place].count(True))
        options = [
            f"{made.choices[choice]}: {made.options[choice][option]}"
            for choice, option in enumerate(made.places[best])
            if option
        ]
        words.append(
            f"{', '.join(claims)} have the same {len(told)} combinations. The best combination "
            f"({', '.join(options) or 'the main reading'}) supports {_of(told[best])} claims. The main reading "
            f"supports {_of(main)}"
        )
    return words


def _of(told: Iterable[bool | None]) -> str:
    answers = list(told)
    return f"{answers.count(True)} of {len(answers)}"


def head_counts(studies: Sequence[Study]) -> tuple[str, ...]:
    """Return the heading of `counts`. If no study has a paper, the words are those of studies without a paper."""
    words = OWN_WORDS if all(study.own for study in studies) else {}
    return ("", "claims", *(words.get(verdict, str(verdict)) for verdict in Verdict), "number met", "number missed")


def counts(parts: Mapping[str, Mapping[str, Claim]]) -> list[list[str]]:
    """Return the number of claims with each verdict, for each part, and for all parts if there are several."""
    body = []
    for name, claims in parts.items():
        told = Counter(claim.verdict for claim in claims.values())
        numbers = [one.number_met for one in claims.values() if one.number_words()]
        row = [len(claims), *(told[verdict] for verdict in Verdict), numbers.count(True), numbers.count(False)]
        body.append([name, *map(str, row)])
    return [*body, *_sums(body)]


def unnamed(parts: Mapping[str, Mapping[str, Claim]]) -> str:
    """Return, in words, how many claims depend or are undecided, and how many of them have no deciding setting."""
    every = [claim for claims in parts.values() for claim in claims.values()]
    left = [claim for claim in every if claim.verdict in (Verdict.DEPENDS, Verdict.UNDECIDED)]
    without = [claim for claim in left if not claim.setting]
    share = f" ({100.0 * len(without) / len(every):.0f} % of all)" if every else ""
    return (
        f"Of all claims, {len(left)} depend on a setting or are undecided. For {len(without)} of these{share}, no "
        "setting is known that decides"
    )


def contradictions(parts: Mapping[str, Mapping[str, Claim]]) -> str:
    """Return, in words, the number of contradictory statements of the papers; empty if there are none."""
    reasons = [
        (name, claim.contradiction) for name, claims in parts.items() for claim in claims.values() if claim.contradicted
    ]
    if len(set(reasons)) == len(reasons):
        return ""
    statements = len(set(reasons))
    return f"The {len(reasons)} claims that contradict themselves come from {statements} statements of the papers"


def changes(studies: Sequence[Study]) -> list[list[str]]:
    """Return the number of changes by direction, for each study, and for all studies if there are several."""
    body = []
    for study in studies:
        moved = [change.moved for change in study.changes]
        body.append([study.short or study.title, str(len(moved)), *(str(moved.count(one)) for one in Moved)])
    return [*body, *_sums(body)]


def _sums(body: Sequence[Sequence[str]]) -> list[list[str]]:
    if len(body) < 2:
        return []
    return [["all", *(str(sum(int(cells[column]) for cells in body)) for column in range(1, len(body[0])))]]


def seeds(effort: Effort) -> str:
    """Return the number of seeds in words."""
    steps = [str(len(step.seeds)) for step in effort.steps()]
    if len(steps) == 1:
        level = f" (intervals of {100.0 * effort.level:.1f} %, because more seeds may follow)" if effort.looks else ""
        return f"{steps[0]} seeds{level}"
    return f"{', '.join(steps[:-1])} or {steps[-1]} seeds, as many as a row needs"


def _listed(names: Sequence[str]) -> str:
    return " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))


def effort(result: Reproduction) -> str:
    """Return the number of seeds in words, and the rows that have more seeds in their main reading."""
    most = len(result.effort.seeds)
    more: dict[int, list[str]] = {}
    for outcome in (one for found in result.found.values() for one in found.values()):
        samples = max((claim.measured.samples for claim in outcome.claims), default=0)
        if samples > most:
            more.setdefault(samples, []).append(outcome.row)
    beside = [f"and {samples} seeds in the main reading of {_listed(rows)}" for samples, rows in sorted(more.items())]
    return ", ".join([seeds(result.effort), *beside])


def record(result: Reproduction) -> dict[str, object]:
    """Return the scoreboard for programs."""
    rows = [
        {
            "study": name,
            "row": outcome.row,
            "why": outcome.why,
            "runs": outcome.runs,
            "seeds": outcome.seeds,
            "failed": outcome.failed,
            "claims": [
                {
                    **asdict(claim),
                    "id": of_row,
                    "verdict": str(claim.verdict),
                    "setting": claim.setting,
                    "counts": claim.counts(),
                    "number": claim.number_words(),
                }
                for of_row, claim in outcome.by_id.items()
            ],
        }
        for name, found in result.found.items()
        for outcome in found.values()
    ]
    return {
        "bentpipe_version": _core.version(),
        "build": build(),
        "seeds": list(result.effort.seeds),
        "effort": effort(result),
        "quick": result.effort.quick,
        "rule": RULE,
        "rows": rows,
    }
