# SPDX-License-Identifier: MIT OR Apache-2.0
"""Write a reproduction as Markdown: an index, and a page for each study."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from bentpipe import _core
from bentpipe.base.markdown import table
from bentpipe.study._claims import SEARCHED, Verdict, sentences
from bentpipe.study._report import scoreboard

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from bentpipe.study._reproduce import Outcome, Reproduction
    from bentpipe.study._study import Study

#: Largest number of words on a study's page. The reasons of its rows are cut to fit.
MOST_WORDS = 2500
#: Largest number of characters of a claim's text, if the page is too long even without reasons.
_SHORT = 72
#: The count of combinations that meet a number. The page of a study shows the counts beside the verdict.
_MET = re.compile(r" \((met in )?\d+ of \d+\)")


def markdown(
    result: Reproduction,
    command: str,
    shelf: Sequence[Study],
    pictures: Mapping[str, str] | None = None,
    pages: Mapping[str, str] | None = None,
) -> str:
    """Return the index: for each study its summary, its strips, its headline claims, and the claims that hold together.

    Args:
        result: The reproduction.
        command: The command that writes the page.
        shelf: The known studies, including those of `result`.
        pictures: For each study (by name) the address of the picture of its strips.
        pages: For each study (by name) the address of its page.
    """
    found = {name: rows_of for name, rows_of in result.found.items() if rows_of}
    by_name = {study.name: study for study in shelf}
    studies = [by_name[name] for name in found]
    parts = [f"Written by `{command}`: {scoreboard.effort(result)}, Bentpipe {_core.version()}."]
    for study in studies:
        rows = found[study.name]
        parts += [f"## {study.title}", " ".join(scoreboard.summary(study, rows))]
        if study.name in (pictures or {}):
            parts.append(f"![{scoreboard.STRIPS}]({(pictures or {})[study.name]})")
        parts.append(table(*scoreboard.first_table(study, rows)))
        if study.name in (pages or {}):
            parts.append(f"[Every claim, and which claims hold together]({(pages or {})[study.name]})")
    heads = {study.short or study.title: scoreboard.headlines(found[study.name]) for study in studies}
    every = {study.short or study.title: scoreboard.all_claims(found[study.name]) for study in studies}
    parts += [
        "## Claims by verdict",
        "Of the tables above:",
        table(scoreboard.head_counts(studies), scoreboard.counts(heads)),
    ]
    parts += ["Of all claims:", table(scoreboard.head_counts(studies), scoreboard.counts(every))]
    parts += [sentences(scoreboard.unnamed(every), scoreboard.contradictions(every)), scoreboard.rule(studies, found)]
    if any(study.changed for study in studies):
        parts += ["## Changes after a first look, by the direction in which they moved a verdict"]
        parts += [table(scoreboard.HEAD_CHANGES, scoreboard.changes(studies), text_columns=1)]
    return "\n\n".join(filter(None, parts)) + "\n"


def chapter(study: Study, found: Mapping[str, Outcome], command: str, most_words: int = MOST_WORDS) -> str:
    """Return the page of a study: its claims row by row, and the claims that hold together in one reading.

    The reasons of rows are cut to fit the page. The reasons of rows whose claims all hold are left out first.
    """
    text = ""
    for of_all, longest in (
        (True, 400),
        (True, 200),
        (False, 400),
        (False, 200),
        (False, 120),
        (False, 80),
        (False, 0),
    ):
        text = _chapter(study, found, command, longest, of_all=of_all)
        if len(re.findall(r"\w+", text)) <= most_words:
            break
    return text


def _chapter(study: Study, found: Mapping[str, Outcome], command: str, longest: int, *, of_all: bool) -> str:
    parts = [f"# {study.title}", f"Written by `{command}`; do not edit.", study.about]
    head_together, beds = scoreboard.together(found)
    if len(beds) > 1:
        parts += ["## Which claims hold together in one reading", table(head_together, beds)]
    if any(SEARCHED in line[0] for line in beds):
        parts.append(f"{SEARCHED.strip()} Found by a search for the paper's number.")
    parts += [f"- {words}." for words in scoreboard.best_together(found)]
    rows = {row.id: row for row in study.rows}
    body, checks = [], []
    for outcome in found.values():
        why = outcome.failed.strip().splitlines()[-1] if outcome.failed else outcome.why
        told = _cut(sentences(why), longest) if of_all or not _settled(outcome) else ""
        if told or not outcome.claims:
            body.append([outcome.row, rows[outcome.row].what, "", "", told])
        for name, claim in outcome.by_id.items():
            if claim.verdict is Verdict.CANNOT_FAIL:
                checks.append([name, claim.what, claim.ours()])
                continue
            counts = f" ({claim.counts()})" if claim.others else ""
            verdict = _MET.sub("", claim.verdict_words(own=study.own))
            what = claim.what if longest else _cut(claim.what, _SHORT)
            body.append([name, what, claim.claimed(), claim.ours(), f"{verdict}{counts}"])
    parts += [
        "## Every claim",
        "The line of a row says what the row found. The three numbers behind a verdict, as in (19 : 10 : 66), count "
        "the combinations that are for the claim, against it, and undecided.",
    ]
    head = ("claim", "what we measured", "paper", "ours", "verdict, or result of the row")
    parts.append(table(scoreboard.heads(head, own=study.own), body))
    if checks:
        parts += ["## Checks", "A check cannot fail: it is true by construction, or in every setting."]
        parts.append(
            table(("check", "what we measured", "ours"), checks)
            if longest
            else f"The report has these {len(checks)} checks: {', '.join(name for name, *_ in checks)}."
        )
    return "\n\n".join(parts) + "\n"


def _settled(outcome: Outcome) -> bool:
    """Whether a row needs no reason, because each of its claims holds or cannot fail."""
    good = (Verdict.HOLDS, Verdict.CANNOT_FAIL)
    return bool(outcome.claims) and all(claim.verdict in good for claim in outcome.claims)


def _cut(words: str, longest: int) -> str:
    """Return the beginning of a text, cut after a complete sentence if one fits, otherwise after a complete word."""
    if len(words) <= longest:
        return words
    whole = words[: longest + 1].rpartition(". ")[0]
    return f"{whole}." if whole else f"{words[:longest].rpartition(' ')[0]} …" if longest else ""
