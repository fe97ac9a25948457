# SPDX-License-Identifier: MIT OR Apache-2.0
"""Abstract and section 5: “not the best in all aspects”, “a competitive performance in almost all aspects”."""

from __future__ import annotations

import statistics
from typing import TYPE_CHECKING, Any

import bentpipe as bp
from bentpipe.study import Claim, Effort, Finding, Row, Sheet, goodputs, jain, sampled
from bentpipe_papers.a_liad import bed
from bentpipe_papers.a_liad.bed import PAPERS, single
from bentpipe_papers.a_liad.rows_fairness import PERS, crowd_of, length
from bentpipe_papers.a_liad.rows_friendliness import beside
from bentpipe_papers.a_liad.rows_losses import lossy

if TYPE_CHECKING:
    from bentpipe.study import Key, Runs

SHORT_MS = 50.0
_START, _NO_SACK, _LOW, _HIGH = "start-up, 30 s", "start-up without SACK", "PER 0.1 %", "PER 1 %"
_FLAT, _FRIEND, _FRIEND_LONG = "50 against 600 ms, PER 0.1 %", "friendly at 25 ms", "friendly at 600 ms"
_WITHIN = "fair within, PER 0 to 1 %"
STRONG = (_START, _NO_SACK, _LOW, _HIGH)
ASPECTS = (_START, _NO_SACK, _LOW, _HIGH, _FLAT, _WITHIN, _FRIEND, _FRIEND_LONG)


def plan(effort: Effort) -> dict[Key, bp.Scenario]:
    runs: dict[Key, bp.Scenario] = {}
    for name, controller in PAPERS.items():
        for seed in effort.seeds:
            series: Any = {"interval": "100 ms", "events": True}
            runs[_START, name, seed] = single(name, seed, **series)
            runs[_NO_SACK, name, seed] = single(name, seed, tcp=bed.NO_SACK, **series)
            runs[_LOW, name, seed] = lossy(name, 1e-3, seed, effort)
            runs[_HIGH, name, seed] = lossy(name, 1e-2, seed, effort)
            runs[_FLAT, name, seed] = single(name, seed, rtt_ms=SHORT_MS, per=1e-3, **length(effort))
            runs[_FRIEND, name, seed] = beside(name, controller, 25.0, seed, effort)
            runs[_FRIEND_LONG, name, seed] = beside(name, controller, bed.GEO_MS, seed, effort)
            for per in PERS:
                runs[_WITHIN, per, name, seed] = crowd_of(name, controller, per, seed, effort)
    return runs


def score_of(runs: Runs, aspect: str, name: str, seed: int) -> float:
    """How well a variant does; more is better."""
    if aspect == _WITHIN:
        return statistics.fmean(jain(goodputs(runs[aspect, per, name, seed])) for per in PERS)
    run = runs[aspect, name, seed]
    if aspect == _FLAT:
        return goodputs(runs[_LOW, name, seed])[0] / goodputs(run)[0]
    if aspect in (_FRIEND, _FRIEND_LONG):
        return sum(goodputs(run, "B NewReno"))
    return goodputs(run)[0]


def ranks(scores: dict[str, float]) -> dict[str, float]:
    """Places from 1 (the largest); equal scores share the mean of their places."""
    return {
        name: 1.0
        + sum(other > score for other in scores.values())
        + (sum(other == score for other in scores.values()) - 1) / 2
        for name, score in scores.items()
    }


def read(runs: Runs) -> Finding:
    seeds = runs.effort.seeds
    places = {
        (aspect, seed): ranks({name: score_of(runs, aspect, name, seed) for name in PAPERS})
        for aspect in ASPECTS
        for seed in seeds
    }
    mean = {
        name: [statistics.fmean(places[aspect, seed][name] for aspect in ASPECTS) for seed in seeds] for name in PAPERS
    }
    first = [100.0 * sum(places[a, seed]["A-LIAD"] == 1.0 for a in ASPECTS) / len(ASPECTS) for seed in seeds]
    middle = (len(PAPERS) + 1) / 2
    better = [100.0 * sum(places[a, seed]["A-LIAD"] < middle for a in ASPECTS) / len(ASPECTS) for seed in seeds]
    rest = [aspect for aspect in ASPECTS if aspect not in STRONG]
    ahead = [
        statistics.fmean(places[a, seed]["A-LIAD"] for a in STRONG)
        - statistics.fmean(places[a, seed]["A-LIAD"] for a in rest)
        for seed in seeds
    ]
    order = sorted(PAPERS, key=lambda name: statistics.fmean(mean[name]))
    mine = {a: statistics.fmean(places[a, seed]["A-LIAD"] for seed in seeds) for a in ASPECTS}
    weak = [aspect for aspect in ASPECTS if mine[aspect] > middle]
    return Finding(
        why=f"mean place {statistics.fmean(mean['A-LIAD']):.1f} of {len(PAPERS)} over {len(ASPECTS)} aspects, place "
        f"{order.index('A-LIAD') + 1} of them ({', '.join(order[:3])} lead), in the better half of "
        f"{statistics.fmean(better):.0f} % of them; behind the middle in: "
        f"{', '.join(f'{a} ({mine[a]:.1f})' for a in weak) or 'none'}",
        claims=[
            Claim(
                what="A-LIAD's mean place over all aspects, against the middle",
                measured=bp.estimate(mean["A-LIAD"]),
                sign=-1,
                neutral=middle,
                unit="",
                digits=2,
                note="“a competitive performance in almost all aspects”",
            ),
            Claim(
                what="A-LIAD's mean place in start-up and packet loss against that in the other aspects",
                measured=bp.estimate(ahead),
                sign=-1,
                unit="places",
                digits=2,
                note="“especially during a start-up and for a packet loss impact”",
            ),
            Claim(
                what="aspects in which A-LIAD is the best",
                measured=sampled(first),
                sign=-1,
                neutral=100.0,
                note="“not the best in all aspects”",
            ),
        ],
        sheets=[
            Sheet(
                "Jain's index of six flows of one kind (50 Mbit/s, 100 ms)",
                ("variant", *(f"PER {100 * per:g} %" for per in PERS)),
                [
                    [
                        name,
                        *(
                            bp.estimate([jain(goodputs(run)) for run in runs.of(_WITHIN, per, name)]).text(4)
                            for per in PERS
                        ),
                    ]
                    for name in PAPERS
                ],
            ),
            Sheet(
                "places, mean over the seeds (1 is the best)",
                ("variant", *ASPECTS, "mean"),
                [
                    [
                        name,
                        *(f"{statistics.fmean(places[a, seed][name] for seed in seeds):.1f}" for a in ASPECTS),
                        bp.estimate(mean[name]).text(2),
                    ]
                    for name in order
                ],
            ),
        ],
        notes=[
            "Aspects: utilisation of A-13, A-17 and A-22; throughput at 600 ms over that at 50 ms (A-20); Jain's index "
            "of six flows of one kind, the mean over the error rates of A-19; what five NewReno flows keep (A-24, "
            "A-25; NewReno's own change is zero by definition).",
        ],
    )


ROWS = (
    Row(
        id="A-30",
        place="abstract and section 5",
        what="all aspects together",
        says="not the best in all aspects, competitive in almost all, especially start-up and packet loss",
        plan=plan,
        read=read,
    ),
)
