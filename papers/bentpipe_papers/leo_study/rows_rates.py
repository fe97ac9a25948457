# SPDX-License-Identifier: MIT OR Apache-2.0
"""Two flows that share a downlink: Reno, Hybla and Geo-Reno (G-05, G-06, G-08, G-11, G-13, G-14)."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import bentpipe as bp
from bentpipe.study import Claim, Effort, Finding, Picture, Row, Runs, Sheet, sampled
from bentpipe_papers.leo_study import bed
from bentpipe_papers.leo_study.bed import BY_BOTH, BY_DISTANCE, BY_RTT, MADRID, WASHINGTON
from bentpipe_papers.leo_study.pairs import (
    GEO_PERCENT,
    READINGS,
    RENO_PERCENT,
    TEHRAN_KM,
    TORONTO_KM,
    fared,
    number,
    over_time,
    plan,
    points,
    ratios,
    round_trips,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bentpipe.study import Key


def read_reno(runs: Runs) -> Finding:
    """G-05."""
    found = bed.of_seeds({"Reno": runs.of("Reno"), "Reno, no pings": runs.of("Reno, no pings")})
    reno, bare = found["Reno"], found["Reno, no pings"]
    whole, shared = number(reno, "ratio"), number(reno, "ratio_sharing")
    short = [100.0 * f.short_sharing / (f.short_sharing + f.long_sharing) for f in reno]
    claims = [
        Claim(
            what="share of the flow of lower latency while the two share a link",
            measured=sampled(short),
            sign=1,
            neutral=50.0,
        ),
        Claim(
            what="smaller over larger goodput, whole run",
            measured=sampled(whole),
            paper=RENO_PERCENT,
            neutral=100.0,
            note="printed as 71.8 % and as 71.9 %",
        ),
    ]
    seconds = sampled(number(reno, "shared_s"))
    ahead = sum(f.long > f.short for f in bare)
    without = points(bare, reno[: len(bare)])
    led, leads = (sum(f.long / f.short for f in fair) / len(fair) for fair in (reno, bare))
    return Finding(
        claims=claims,
        why=f"{sampled(whole).text(1, '%')} is the ratio over the whole run, of which the two share a link for "
        f"{seconds.mean:.0f} of 200 s; in that time it is {sampled(shared).text(1, '%')}. Without the two pings "
        f"beside them it is {sampled(number(bare, 'ratio')).text(1, '%')}, a difference of "
        f"{without.text(1, 'points')} by seed, and the longer path leads in {ahead} of {len(bare)} seeds "
        f"(its rate over the other's {leads:.2f} in the mean, with pings {led:.2f})"
        + (f": {RENO_PERCENT:g} % depends on what else runs" if without.excludes(0.0) else ""),
        sheets=[fared("Rates and fairness (means over the seeds with 95 % intervals)", found)],
        pictures=[
            Picture(
                "TCP rate over time (Reno), first seed, running mean of 3 s; grey: the paths share a link",
                over_time([(name, runs[name, runs.effort.seeds[0]]) for name in ("Reno", "Reno, no pings")]),
            ),
            Picture(
                "Fairness of Reno over all seeds; dashed: the paper",
                ratios(found, {"Reno": RENO_PERCENT, "Reno, no pings": RENO_PERCENT}),
            ),
        ],
        notes=[
            "Jain's index is a second reading of «71.8 % fairness»: while sharing it is "
            f"{sampled(number(reno, 'jain_sharing')).text(0, '%')} (G-15 asks which was meant).",
            "Without the echoes all packets have one size and meet one rate on every link: who is dropped then depends "
            "on phases (Floyd and Jacobson 1992), which the pings and the ACKs of other flows blur.",
        ],
    )


def plan_reno(effort: Effort) -> Mapping[Key, bp.Scenario]:
    """G-05: with the echoes of the slides' second figure, and without."""
    bare: dict[Key, bp.Scenario] = {
        ("Reno, no pings", seed): bed.competing(WASHINGTON, "reno", seed, pings=False, label="Reno, no pings")
        for seed in bed.seeds(effort, 3)
    }
    return {**plan(WASHINGTON, TORONTO_KM, "Reno")(effort), **bare}


def read_round_trips(runs: Runs) -> Finding:
    """G-06."""
    made = runs.of("Reno")
    rtt = {flow: [float(run.summary["flows"][flow]["rtt_ms"]["mean"]) for run in made] for flow in range(4)}
    ratio = sampled([a / b for a, b in zip(rtt[2], rtt[3], strict=True)])
    idle = [min(float(run.summary["flows"][flow]["rtt_ms"]["min"]) for run in made) for flow in (2, 3)]
    names = [f"{flow['kind']} from {flow['from']}" for flow in made[0].summary["flows"]]
    lines = []
    for flow, name in enumerate(names):
        each = [run.summary["flows"][flow]["rtt_ms"] for run in made]
        lines.append(
            [name, *(sampled([float(one[key]) for one in each]).text(1) for key in ("min", "mean", "p95", "max"))]
        )
    return Finding(
        claims=[
            Claim(
                what="mean ping RTT beside the flows, Wuhan over Toronto",
                measured=ratio,
                sign=1,
                neutral=1.0,
                unit="",
                digits=2,
                note="«≫», no number for the loaded path",
            )
        ],
        why=f"with the queue of the full downlink round trips are {sampled(rtt[2]).mean:.0f} and "
        f"{sampled(rtt[3]).mean:.0f} "
        f"ms, {ratio.mean:.1f} : 1; the least each ping saw were {idle[0]:.0f} and {idle[1]:.0f} ms, "
        f"{idle[0] / idle[1]:.1f} : 1. The ping sees what the flow beside it sees",
        sheets=[Sheet("Round-trip times in ms", ("flow", "min", "mean", "95 %", "max"), lines)],
        pictures=[
            Picture(
                "RTT of TCP flows and pings (Reno), first seed",
                round_trips([("Reno", runs["Reno", runs.effort.seeds[0]])]),
            )
        ],
    )


def read_hybla(runs: Runs) -> Finding:
    """G-08."""
    labels = ("Reno", "Hybla", BY_DISTANCE)
    found = bed.of_seeds({label: runs.of(label) for label in labels})
    change, sharing = (
        points(found["Hybla"], found[BY_DISTANCE]),
        points(found["Hybla"], found[BY_DISTANCE], "ratio_sharing"),
    )
    return Finding(
        claims=[
            Claim(
                what="Hybla fairer than Reno on the pair (it «tries to balance»), points of smaller/larger",
                measured=points(found["Hybla"], found["Reno"]),
                sign=1,
                unit="points",
            ),
        ],
        why=f"Hybla reaches {sampled(number(found['Hybla'], 'ratio')).text(1, '%')} over the whole run and "
        f"{sampled(number(found['Hybla'], 'ratio_sharing')).text(1, '%')} while sharing; Geo-Reno by distance "
        f"{sampled(number(found[BY_DISTANCE], 'ratio')).text(1, '%')} and "
        f"{sampled(number(found[BY_DISTANCE], 'ratio_sharing')).text(1, '%')}: Hybla less Geo-Reno is "
        f"{change.text(1, 'points')} and {sharing.text(1, 'points')}. The slides give no number for Hybla, and went on "
        "to Geo-Reno",
        sheets=[fared("Rates and fairness", found)],
        pictures=[
            Picture(
                "Attempt 1: rates under Hybla beside Reno, first seed",
                over_time([(name, runs[name, runs.effort.seeds[0]]) for name in ("Reno", "Hybla")]),
            )
        ],
    )


def read_geo(runs: Runs) -> Finding:
    """G-11."""
    found = bed.of_seeds({label: runs.of(label) for label in ("Reno", *READINGS)})
    geo, reno = found[BY_DISTANCE], found["Reno"]
    parts = "; ".join(
        f"{label.removeprefix('Geo-Reno ')} {sampled(number(found[label], 'ratio')).text(1)} % "
        f"({sampled(number(found[label], 'ratio_sharing')).text(1)} % while sharing)"
        for label in READINGS
    )
    facts = bed.of_the_slides().facts
    fairer = sum(points(found[label], reno[: len(found[label])]).low > 0.0 for label in READINGS)
    ahead = sum(fair.long_sharing > fair.short_sharing for fair in geo)
    return Finding(
        claims=[
            Claim(
                what="smaller over larger goodput, whole run, Geo-Reno by distance",
                measured=sampled(number(geo, "ratio")),
                paper=GEO_PERCENT,
                neutral=100.0,
                note="no side: 100 % is fair, and the slides call 85.8 % a fair share",
            ),
            Claim(
                what="fairer than Reno, whole run, points",
                measured=points(geo, reno),
                sign=1,
                unit="points",
                note=f"while sharing {points(geo, reno, 'ratio_sharing').text(1, 'points')}",
            ),
        ],
        why=f"{fairer} of {len(READINGS)} readings of the normalising constant are fairer than Reno over the whole run "
        f"(intervals of paired differences): {parts}. Distance is the main reading as its α leaves the shorter path "
        f"Reno's growth; the longer one's gain is {facts['ratio_of_distances']:.1f} for an RTT ratio of "
        f"{facts['ratio_of_round_trips']:.1f}, and while sharing it leads in {ahead} of {len(geo)} seeds",
        sheets=[fared("Every reading of the normalising constant", found)],
        pictures=[
            Picture(
                "TCP rate over time: Reno, Geo-Reno by distance and by RTT, first seed; grey: the paths share a link",
                over_time([(name, runs[name, runs.effort.seeds[0]]) for name in ("Reno", BY_DISTANCE, BY_RTT)]),
            ),
            Picture(
                "Fairness by reading; dashed: the paper's 71.8 and 85.8 %",
                ratios(found, {"Reno": RENO_PERCENT, **dict.fromkeys(READINGS, GEO_PERCENT)}),
            ),
        ],
    )


def read_madrid(runs: Runs) -> Finding:
    """G-13."""
    found = bed.of_seeds({label: runs.of(label) for label in ("Reno", BY_DISTANCE)})
    whole, sharing = (points(found[BY_DISTANCE], found["Reno"], name) for name in ("ratio", "ratio_sharing"))
    seconds = sampled(number(found["Reno"], "shared_s"))
    return Finding(
        claims=[
            Claim(
                what="fairer with Geo-Reno, whole run, points of smaller/larger", measured=whole, sign=1, unit="points"
            ),
        ],
        why=f"at Hypatia's epoch the pair shares a link for {seconds.mean:.0f} of 200 s: Geo-Reno changes the ratio by "
        f"{whole.text(1, 'points')} over the whole run and by {sharing.text(1, 'points')} while sharing",
        sheets=[fared("Wuhan and Tehran to Madrid", found)],
        pictures=[
            Picture(
                "Wuhan to Madrid and Tehran to Madrid, first seed; grey: the paths share a link",
                over_time([(name, runs[name, runs.effort.seeds[0]]) for name in ("Reno", BY_DISTANCE)]),
            )
        ],
    )


def plan_metrics(effort: Effort) -> Mapping[Key, bp.Scenario]:
    """G-14: at Hypatia's epoch, and at an epoch of each seed."""
    labels = () if effort.quick else ("Reno", BY_DISTANCE)
    drawn: dict[Key, bp.Scenario] = {
        ("epochs", label, seed): bed.competing(
            WASHINGTON,
            bed.variants(TORONTO_KM)[label],
            seed,
            epoch=bed.epoch_s(seed),
            label=f"{label}, another epoch",
        )
        for label in labels
        for seed in effort.seeds
    }
    return {**plan(WASHINGTON, TORONTO_KM, "Reno", *READINGS)(effort), **drawn}


def read_metrics(runs: Runs) -> Finding:
    """G-14."""
    found = bed.of_seeds({label: runs.of(label) for label in ("Reno", *READINGS)})
    reno, geo = found["Reno"], found[BY_DISTANCE]
    total = bp.relative_change(number(geo, "total"), number(reno, "total"))
    labels = () if runs.effort.quick else ("Reno", BY_DISTANCE)
    epochs = {label: [bed.fairness(run) for run in runs.of("epochs", label)] for label in labels}
    lines = [
        [
            label,
            f"{bed.epoch_s(seed):.0f}",
            f"{f.shared_s:.0f}",
            f"{f.long:.2f}",
            f"{f.short:.2f}",
            f"{f.ratio:.1f}",
            percent(f.ratio_sharing),
        ]
        for label, fair in epochs.items()
        for seed, f in zip(runs.effort.seeds, fair, strict=True)
    ]
    elsewhere = ""
    if epochs:
        never = sum(f.shared_s == 0.0 for f in epochs["Reno"])
        elsewhere = (
            f". At epochs drawn from a revolution, one a seed, Reno has "
            f"{sampled(number(epochs['Reno'], 'ratio')).text(1, '%')}, "
            f"and in {never} of {len(epochs['Reno'])} the two never meet (table; the slides do not name the epoch)"
        )
    return Finding(
        claims=[
            Claim(what="Reno: fairness", measured=sampled(number(reno, "ratio")), paper=71.9, neutral=100.0),
            Claim(
                what="Geo-Reno by distance: fairness",
                measured=sampled(number(geo, "ratio")),
                paper=GEO_PERCENT,
                neutral=100.0,
            ),
            Claim(
                what="Geo-Reno by distance against Reno, points of fairness",
                measured=points(geo, reno),
                paper=13.9,
                sign=1,
                unit="points",
                tolerance=2.0,
            ),
            Claim(
                what="throughput of both flows together, Geo-Reno against Reno («unaffected»)",
                measured=total,
                paper=0.0,
                note="goodput; same seeds",
            ),
        ],
        why=f"at Hypatia's epoch Reno has {sampled(number(reno, 'ratio')).text(1, '%')} and Geo-Reno by distance, our "
        f"main reading (G-11), {sampled(number(geo, 'ratio')).text(1, '%')} (by distance and least RTT "
        f"{sampled(number(found[BY_BOTH], 'ratio')).text(1, '%')}, by RTT "
        f"{sampled(number(found[BY_RTT], 'ratio')).text(1, '%')}); the total changes by {total.text(1, '%')}"
        f"{elsewhere}",
        sheets=[
            fared("At Hypatia's epoch", found),
            *[
                Sheet(
                    "At other epochs (s after the shell's)",
                    ("controller", "epoch, s", "shared, s", "Wuhan", "Toronto", "smaller/larger %", "while sharing %"),
                    lines,
                )
                for _ in lines[:1]
            ],
        ],
        pictures=[
            Picture(
                "Fairness ratio by controller; dashed: the paper",
                ratios(found, {"Reno": 71.9, **dict.fromkeys(READINGS, GEO_PERCENT)}),
            )
        ],
        notes=[
            f"As Jain's index while sharing: Reno {sampled(number(reno, 'jain_sharing')).text(1, '%')}, Geo-Reno by "
            f"distance {sampled(number(geo, 'jain_sharing')).text(1, '%')}, by distance and least RTT "
            f"{sampled(number(found[READINGS[1]], 'jain_sharing')).text(1, '%')}.",
        ],
    )


def percent(value: float) -> str:
    return "–" if math.isnan(value) else f"{value:.1f}"


ROWS = (
    Row(
        id="G-05",
        place="Problem 1, figure «TCP Rate over Time (Reno)»",
        what="two Reno flows to Washington, from Wuhan and from Toronto",
        says="the flow of lower latency dominates: 71.8 % fairness",
        plan=plan_reno,
        read=read_reno,
    ),
    Row(
        id="G-06",
        place="Problem 1, figure «RTT of TCP flows and pings»",
        what="round trips of the flows and of pings beside them",
        says="RTT(Wuhan-Washington) ≫ RTT(Toronto-Washington); a picture",
        plan=plan(WASHINGTON, TORONTO_KM, "Reno"),
        read=read_round_trips,
    ),
    Row(
        id="G-08",
        place="Attempt 1: Hybla",
        what="Hybla on the same pair",
        says="«tries to balance for RTT difference»; two pictures, and the slides move on to a solution of their own",
        plan=plan(WASHINGTON, TORONTO_KM, "Reno", "Hybla", BY_DISTANCE),
        read=read_hybla,
    ),
    Row(
        id="G-11",
        place="Experimental Results, figure «TCP Rate over Time (GeoLocation based Reno)»",
        what="Geo-Reno on the same pair, every reading of its normalising constant",
        says="ensures fair share: 85.8 % fairness",
        plan=plan(WASHINGTON, TORONTO_KM, "Reno", *READINGS),
        read=read_geo,
    ),
    Row(
        id="G-13",
        place="Another result",
        what="Wuhan and Tehran to Madrid, Reno against Geo-Reno",
        says="two pictures, shown as a second success",
        plan=plan(MADRID, TEHRAN_KM, "Reno", BY_DISTANCE),
        read=read_madrid,
    ),
    Row(
        id="G-14",
        place="Metrics used to evaluate",
        what="fairness ratio and overall throughput",
        says="Reno 71.9 %, Geo-Reno 85.8 %; throughput is unaffected",
        plan=plan_metrics,
        read=read_metrics,
    ),
)
