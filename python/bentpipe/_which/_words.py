# SPDX-License-Identifier: MIT OR Apache-2.0
"""Write the answer in plain sentences."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

from bentpipe._which._candidates import changed
from bentpipe._which._race import ALPHA
from bentpipe._which._widths import measured
from bentpipe.base.stats import fixed
from bentpipe.results import felt
from bentpipe.results.metrics import BY_KEY

if TYPE_CHECKING:
    from bentpipe._which._answer import Beaten, Recommendation, Standing
    from bentpipe.base.stats import Estimate

#: Digits of a score that is a sum of logarithms.
_DIGITS = 3
#: Numbers by which the first three candidates are compared.
_APART = (
    *("goodput_mbit_s", "others_goodput_mbit_s", "completion_median_s", "visit_median_s", "visit_p95_s"),
    *(
        "visits_done_percent",
        "stalled_percent",
        "film_mbit_s",
        "call_missed_percent",
        "queueing_p95_ms",
        "loss_percent",
    ),
)
#: Largest number of names in a list.
_LISTED = 4


def unit(answer: Recommendation) -> tuple[str, int]:
    """Return the unit and the digits of the score."""
    aim = answer.question.aim
    if aim.logarithmic:
        return "", _DIGITS
    metric = BY_KEY[aim.terms[0][0]]
    return metric.unit, metric.digits


def above(answer: Recommendation) -> list[str]:
    """Return the answer in a sentence, and caveats."""
    return [headline(answer), *_ahead(answer), *_taken_because(answer), *_unjudged(answer), *_unseen(answer)]


def below(answer: Recommendation) -> list[str]:
    """Return the settings, what separates the first candidates, where the answer changes, and how it was found."""
    found = [*_settings(answer), *_first_three(answer), *_changes(answer)]
    percentiles = [felt.PER_RUN] if any("visit_p95_s" in one.numbers for one in answer.standings) else []
    return [*found, answer.question.aim.said(), *percentiles, *_how(answer)]


def headline(answer: Recommendation) -> str:
    """Return the answer in one sentence."""
    taken, default, written = answer.taken, answer.default, answer.written
    if taken is default:
        said = f"On this path keep your default, {written}: {_numbers(answer, default)}."
        if answer.best is default:
            return said
        gain = _score(answer, answer.gain, sign=True)
        return f"{said} No candidate is significantly better on fresh seeds: {answer.best.key} gains {gain}."
    if math.isnan(default.regret.mean):
        why = "transfers or visits do not finish in time, or no data is delivered or measured"
        why = "see the findings" if answer.findings else why
        return f"On this path use {taken.key}: {_numbers(answer, taken)}. Your default, {written}, has no score: {why}."
    theirs = _numbers(answer, default, bare=True)
    return f"On this path use {taken.key}: {_numbers(answer, taken)}, against {theirs} of your default, {written}."


def _numbers(answer: Recommendation, one: Standing, *, bare: bool = False) -> str:
    """Return the deciding numbers of a candidate: those of the aim, or with ranges the regret. `bare` omits a label."""
    if answer.cases:
        said = _score(answer, one.regret)
        return said if bare else f"its worst regret over {len(answer.cases)} cases is {said}"
    keys = [key for key, _ in answer.question.aim.terms]
    if any(key.startswith(("visit", "page")) for key in keys):
        # Times of few visits are not informative.
        keys.append("visits_done_percent")
    terms = [BY_KEY[key] for key in keys if key in one.numbers]
    told = [metric.text(one.numbers[metric.key], metric.unit) for metric in terms]
    if bare and len(told) == 1:
        return told[0]
    return ", ".join(f"{metric.label} {said}" for metric, said in zip(terms, told, strict=True)) or "no number"


def _score(answer: Recommendation, one: Estimate, *, sign: bool = False) -> str:
    its, digits = unit(answer)
    return one.text(digits, its, sign=sign)


def _settings(answer: Recommendation) -> list[str]:
    """Return sentences on the settings and their gain."""
    taken, default = answer.taken, answer.default
    settings = ", ".join(f"{key} = {_plain(value)}" for key, value in changed(taken.candidate))
    choice = taken.candidate.choice
    is_own = choice is None or (choice.key == answer.question.written and not choice.parameters)
    whose = "the scenario" if is_own else f"the defaults of {taken.candidate.name}"
    told = [f"Settings that differ from {whose}: {settings}."] if settings else []
    bare = next((one for one in answer.standings if one.key == taken.candidate.name), None)
    if settings and bare is not None and bare.rank:
        told.append(f"With its defaults {taken.candidate.name} is behind by {_score(answer, _turned(bare.behind))}.")
    if taken is not default and not math.isnan(default.regret.mean):
        what = f"paired over {answer.seeds} fresh seeds" if answer.has_chance else "the same for every seed"
        of_score = "" if unit(answer)[0] else " in score"
        told.append(f"{taken.key} gains {_score(answer, answer.gain, sign=True)}{of_score} over your default, {what}.")
        if answer.gain.low <= 0.0:
            told.append(
                f"In the worst case this gain is not significant. {taken.key} is recommended because it gains "
                f"{_score(answer, answer.mean_gain, sign=True)} in the mean over {len(answer.cases)} cases, and is "
                "significantly worse in no case."
            )
    return told


def _turned(one: Estimate) -> Estimate:
    return replace(one, mean=-one.mean)


def _plain(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _taken_because(answer: Recommendation) -> list[str]:
    """If candidates were not separated from the best, return a sentence with the reason for the choice."""
    if not answer.tied:
        return []
    more = f" and {len(answer.tied) - _LISTED} more" if len(answer.tied) > _LISTED else ""
    who = f"{', '.join(answer.tied[:_LISTED])}{more}"
    reason = (
        "it is your default" if answer.best is answer.default else "it differs from the defaults in the fewest settings"
    )
    return [
        f"The choice could not separate {answer.best.key} from {who}. {answer.best.key} was chosen because {reason}."
    ]


def _ahead(answer: Recommendation) -> list[str]:
    """If the fresh seeds contradict the choice, return a sentence that says so."""
    ahead = [one for one in answer.standings if one.rank and one.behind.low > 0.0]
    if not ahead:
        return []
    best = max(ahead, key=lambda one: one.behind.mean)
    return [
        f"On the fresh seeds {best.key} was ahead of {answer.taken.key} by {_score(answer, best.behind)}. To choose "
        "between the two, repeat the command with both as --controllers and another --seed, because a report needs "
        "seeds that no choice has used."
    ]


def _unjudged(answer: Recommendation) -> list[str]:
    """If requested candidates have no score, return a sentence: they could not be judged."""
    names = [one.candidate.key for one in answer.beaten if _has_no_score(one) and not is_left_out(one)]
    if not names:
        return []
    more = f" and {len(names) - _LISTED} more" if len(names) > _LISTED else ""
    return [
        f"{len(names)} of {answer.raced[0]} candidates could not be judged, because their runs failed or have no "
        "score: "
        f"{', '.join(names[:_LISTED])}{more}."
    ]


def _has_no_score(one: Beaten) -> bool:
    return one.error is not None or (one.left is not None and math.isinf(one.left.behind))


def is_left_out(one: Beaten) -> bool:
    """Whether only "all" selected the candidate, and the path lacks a signal that it needs."""
    return one.error is not None and one.error.code == "signal-missing" and not one.candidate.named


def _unseen(answer: Recommendation) -> list[str]:
    """If all fresh seeds gave equal numbers although runs draw, return a warning: the intervals ignore rare events."""
    numbers = [values for one in answer.standings for values in one.by_seed.values()]
    if not answer.question.has_chance or any(len(set(values)) > 1 for values in numbers):
        return []
    share = _hidden(answer)
    return [
        f"All {answer.seeds} fresh seeds gave the same numbers: the random events of this scenario had no effect, and "
        f"the intervals do not include them. An event in less than {share:.0f} % of the runs may change the answer "
        "(use more --seeds or a longer --duration)."
    ]


def _hidden(answer: Recommendation) -> float:
    """Return the largest share of runs, in percent, that a failure can have if no fresh seed showed it."""
    # The probability that n runs show no such failure is (1 - p)^n = 5 % (Clopper and Pearson, 1934).
    return 100.0 * (1.0 - math.pow(ALPHA, 1.0 / answer.seeds))


def _first_three(answer: Recommendation) -> list[str]:
    """Return what separates the first three candidates, by differences paired by seed."""
    first, *others = [one for one in answer.standings if one.rank][:3]
    # Flows that end have no goodput over the run.
    apart = [key for key in _APART if not (key == "goodput_mbit_s" and answer.question.ends)]
    found = []
    for one in others:
        parts = []
        for key in apart:
            metric = BY_KEY[key]
            if key in first.by_seed and key in one.by_seed:
                pairs = zip(first.by_seed[key], one.by_seed[key], strict=True)
                differences = [mine - its for mine, its in pairs]
                pairs = zip(first.before.get(key, ()), one.before.get(key, ()), strict=False)
                earlier = [mine - its for mine, its in pairs]
                by_chance = answer.has_chance and len({*differences, *earlier}) > 1
                difference = measured(differences, earlier) if by_chance else fixed(differences[0])
                if difference.excludes(0.0) and float(f"{difference.mean:.{metric.digits}f}"):
                    parts.append(f"{metric.label} {difference.text(metric.digits, metric.unit, sign=True)}")
        nothing = f"not separated by {answer.seeds} seeds" if answer.has_chance else "the same numbers"
        found.append(f"{first.key} against {one.key}: {'; '.join(parts) or nothing}.")
    return found


def _changes(answer: Recommendation) -> list[str]:
    """Return sentences on ranges in which another candidate is better."""
    if not answer.cases:
        return []
    found = [
        f"{change.side.capitalize()} {change.key} of about {change.value} (between {change.between[0]} and "
        f"{change.between[1]}) use {change.take}: {_score(answer, change.gain, sign=True)} at the end of the range."
        for change in answer.changes
    ]
    others = [case for case in answer.cases if case.is_other]
    if not others:
        return ["No candidate is significantly better anywhere in the range: the answer does not change."]
    worst = max(others, key=lambda case: case.regret.mean)
    found.append(
        f"In {len(others)} of {len(answer.cases)} cases another candidate is significantly better; the largest loss "
        f"is at {worst.label}: {_score(answer, worst.regret)} behind {worst.best}."
    )
    return found


def _how(answer: Recommendation) -> list[str]:
    """Return sentences on the method and its error probabilities."""
    count, seeds, alive = answer.raced
    quiet = []
    if not answer.question.has_chance:
        drawing = [one.key for one in answer.standings if len(set(one.by_seed.get("goodput_mbit_s", ()))) > 1]
        but = f", except draws of {', '.join(drawing)}" if drawing else ""
        quiet = [
            f"This scenario draws nothing at random{but}: one seed is enough (two equal runs prove this), intervals "
            "have no meaning, and a small lead may be an accident of timing (--jitter draws the starts)."
        ]
    if answer.question.beside and answer.question.jitter is not None:
        quiet.append(
            f"Every flow, including the added CUBIC, starts up to {answer.question.jitter} later, drawn by seed, so "
            "that no flow is first with every seed (--jitter)."
        )
    if not answer.has_chance:
        return [f"{_raced(count)} raced.", *quiet]
    tuned = f", {answer.tuned} tuned" if answer.tuned else ""
    return [
        *quiet,
        f"{_raced(count)} raced over up to {seeds} seeds, and {alive} stayed until the end of the race{tuned}; "
        f"{answer.runs} runs.",
        f"Errors: the race drops the best candidate with a probability of at most about {100 * ALPHA:g} %, over all "
        f"looks. Race, tuning, choice and report use different seeds: the numbers come from {answer.seeds} seeds that "
        "no choice has used, with 95 % intervals.",
        f"A failure that none of these {answer.seeds} seeds showed could still occur in up to {_hidden(answer):.0f} % "
        "of runs: with rare failures the interval of few seeds is too narrow (use more --seeds).",
    ]


def _raced(count: int) -> str:
    return f"{count} candidate{'s' if count > 1 else ''} and your default"


def why(one: Beaten) -> str:
    """Return the reason for which a candidate was dropped."""
    if one.error is not None:
        return f"{one.error.code}: {one.error.message}"
    if one.like:
        return f"same result as {one.like} in every run"
    if one.left is None:
        return "not separated from the leaders, but the race did not continue with this candidate"
    if math.isinf(one.left.behind):
        return "no score: transfers or visits not finished in time, or nothing measured"
    return f"significantly worse after {one.left.seeds} seeds"
