# SPDX-License-Identifier: MIT OR Apache-2.0
"""Section 4: the simulation over Iridium (H-17 to H-25)."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

import bentpipe as bp
from bentpipe.study import (
    Claim,
    Finding,
    Picture,
    Row,
    Sheet,
    change_text,
    counts,
    goodput,
    loss_percent,
    lost_packets,
    means_of,
    totals,
)
from bentpipe_papers.hybla_im import calls, claims, pictures
from bentpipe_papers.hybla_im.bed import PAIR, PERS, T1, T2, VARIANTS, pairs, scenario, ways
from bentpipe_papers.hybla_im.readings import largest_falls
from bentpipe_papers.hybla_im.readings import plan as plan_readings
from bentpipe_papers.hybla_im.readings import sheet as readings

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from bentpipe.study import Effort, Key, Runs
    from bentpipe_papers.hybla_im.bed import Topology


def variants_table(runs: Runs, topology: Topology) -> Sheet:
    """Every variant at every packet error rate: goodput, loss by cause, queueing delay, Jain's index, cuts."""
    head = ("PER", "variant", "goodput Mbit/s", "against hybla", "loss %", "of it queue", "queue ms", "Jain")
    rows = []
    for per in PERS:
        base = goodput(runs.of(topology.id, per, "hybla"))
        for variant in VARIANTS:
            chosen = runs.of(topology.id, per, variant)
            good = goodput(chosen)
            rows.append(
                [
                    f"{per:g}",
                    variant,
                    bp.estimate(good).text(3),
                    "–" if variant == "hybla" else change_text(bp.relative_change(good, base)),
                    bp.estimate(loss_percent(chosen)).text(2),
                    bp.estimate(loss_percent(chosen, "queue")).text(2),
                    bp.estimate(means_of(chosen, "queueing_delay_ms")).text(1),
                    bp.estimate(totals(chosen, "jain_index")).text(3),
                    bp.estimate(counts(chosen, "cuts")).text(0),
                    bp.estimate(counts(chosen, "timeouts")).text(0),
                ]
            )
    return Sheet(f"{topology.id}: all variants", (*head, "cuts", "RTOs"), rows)


def means(runs: Runs, topology: Topology, per: float) -> str:
    """Goodput of the pair in words."""
    parts = [
        f"{name} {bp.estimate(goodput(runs.of(topology.id, per, name))).text(3)}" for name in ("hybla-im", "hybla")
    ]
    return f"{' and '.join(parts)} Mbit/s"


def read_low_error(runs: Runs) -> Finding:
    low = claims.ratio_claim(runs, T1, PERS[0]).measured
    hybla = runs.of(T1.id, PERS[0], "hybla")
    queue, error = (np.mean(loss_percent(hybla, cause)) for cause in ("queue", "error"))
    return Finding(
        why=f"{means(runs, T1, PERS[0])}: both fill the 1.5 Mbit/s uplink (1.44 Mbit/s are payload) and differ by "
        f"{change_text(low)}; {queue:.0f} % of Hybla's packets die in the uplink's queue, {error:.3f} % of a link "
        "error. H-21 has other readings",
        claims=claims.at_low_error(runs, T1),
        pictures=[
            Picture(
                "Figure 4: throughput at PER 1e-4, running mean over 5 s. Dashed: 6 % above our Hybla, as printed.",
                pictures.over_time(runs, T1, PERS[0], [(6.0, "hybla", PERS[0])]),
            )
        ],
        notes=[T1.why],
    )


def read_losses(runs: Runs) -> Finding:
    made = {name: runs.of(T1.id, PERS[0], name) for name in PAIR}
    lost = {name: bp.estimate(loss_percent(these)).text(1) for name, these in made.items()}
    queue = {name: 100.0 * np.mean(loss_percent(r, "queue")) / np.mean(loss_percent(r)) for name, r in made.items()}
    return Finding(
        why=f"Hybla loses {lost['hybla']} % of what it sends, Hybla-IM {lost['hybla-im']} %; {queue['hybla']:.2f} and "
        f"{queue['hybla-im']:.2f} % of that in the uplink's queue. With 30 flows the smoothed share in use of each "
        "would be 1/30 and rho_new near rho (equation 10)",
        claims=claims.losses(runs, T1),
        pictures=[
            Picture(
                "Figure 5: packet loss rate at PER 1e-4, running mean over 5 s. The paper prints no number.",
                pictures.loss(runs, T1, PERS[0]),
            )
        ],
    )


ENOUGH = (
    "Even one Hybla flow would fill the uplink: two links at 1e-2 lose p = 0.02, and √(1.5/p)/RTT0 = 346 segments/s "
    "are 2.8 Mbit/s, nearly twice the uplink's rate."
)


def lost_behind_percent(runs: Runs, per: float) -> float:
    """Of the packets of both that pass the uplink, what link errors behind it take."""
    chosen = [run for name in PAIR for run in runs.of(T1.id, per, name)]
    lost = sum(lost_packets(chosen, "error"))
    return 100.0 * lost / (lost + sum(totals(chosen, "delivered_packets")))


def read_step(per: float) -> Callable[[Runs], Finding]:
    before, figure = PERS[PERS.index(per) - 1], {PERS[1]: 6, PERS[2]: 7}[per]

    def read(runs: Runs) -> Finding:
        change = claims.PRINTED_STEP[per]
        marks = [(change[name], name, before) for name in PAIR]
        now, then = (lost_behind_percent(runs, one) for one in (per, before))
        alone = 100.0 * ((100.0 - now) / (100.0 - then) - 1.0)
        return Finding(
            why=f"{means(runs, T1, per)}, at PER {before:g} {means(runs, T1, before)}: the 30 flows keep the uplink "
            f"full, and of what passes it the links behind it lose {now:.2f} % ({then:.2f} % at {before:g}), a change "
            f"by {alone:.2f} % under either controller" + (f". {largest_falls(runs)}" if per == PERS[2] else ""),
            claims=claims.over_a_step(runs, T1, per),
            sheets=[readings(runs)] if per == PERS[2] else [],
            notes=[ENOUGH] if per == PERS[2] else [],
            pictures=[
                Picture(
                    f"Figure {figure}: throughput at PER {per:g}, running mean over 5 s. Dashed: our mean at "
                    f"{before:g} less what the paper says is lost (thick: Hybla, thin: Hybla-IM).",
                    pictures.over_time(runs, T1, per, marks),
                )
            ],
        )

    return read


def factor(percent: float) -> str:
    return f"{1.0 + percent / 100.0:.4g}"


def read_consistency(_: Runs) -> Finding:
    rows = [
        [f"{per:g}", f"{printed:+g} %", f"{claims.implied_ratio(per):+.1f} %"]
        for per, printed in claims.PRINTED_RATIO.items()
    ]
    checked = [
        Claim(
            what=f"implied by the paper's other percentages: Hybla-IM against Hybla at PER {per:g}",
            paper=printed,
            sign=1,
            measured=bp.fixed(claims.implied_ratio(per)),
            contradiction=claims.contradiction(per),
            implied=claims.implied_ratio(per),
            digits=1,
            check=True,  # nothing in it is measured
        )
        for per, printed in claims.PRINTED_RATIO.items()
        if per != PERS[0]
    ]
    printed, implied = claims.PRINTED_RATIO, claims.implied_ratio
    words = [
        f"times {factor(falls['hybla-im'])} / {factor(falls['hybla'])} it is {factor(implied(per))} at {per:g}, "
        + (f"not the printed {printed[per]:g} %" if claims.contradiction(per) else f"the printed {printed[per]:g} %")
        for per, falls in claims.PRINTED_STEP.items()
    ]
    wrong = [f"{per:g}" for per in printed if claims.contradiction(per)]
    return Finding(
        why=f"Hybla-IM over Hybla is {factor(printed[PERS[0]])} at {PERS[0]:g}; {'; '.join(words)}"
        + (f": the percentages contradict each other at {', '.join(wrong)}" if wrong else ""),
        claims=checked,
        sheets=[Sheet("Hybla-IM against Hybla", ("PER", "printed", "implied by 6 % and the falls"), rows)],
    )


BIT_ERRORS = (1e-4, 1e-3)


def plan_bit_errors(effort: Effort) -> Mapping[Key, bp.Scenario]:
    return {
        (ber, seed): scenario(T1, 0.0, "hybla", seed, name=f"bit error rate {ber:g}", ber=ber, duration="100 s")
        for ber in BIT_ERRORS
        for seed in effort.seeds
    }


def read_bit_errors(runs: Runs) -> Finding:
    low, high = (goodput(runs.of(ber)) for ber in BIT_ERRORS)
    model = bp.model("bit-errors").table
    lost = dict(zip(model["bit_error_rate"], model["packet_error_rate"], strict=True))
    rows = []
    for ber in PERS:
        computed = 100.0 * lost[ber]
        measured = bp.estimate(goodput(runs.of(ber))).text(3) if ber in BIT_ERRORS else "–"
        rows.append([f"{ber:g}", f"{computed:.2f}", measured])
    head = ("bit error rate", "packets of 1000 B lost on a link, %", "Hybla's goodput on T1, Mbit/s")
    fall = bp.relative_change(high, low)
    printed = claims.PRINTED_STEP[PERS[1]]["hybla"]
    shares = " and ".join(f"{100.0 * lost[ber]:.4g} % ({ber:g})" for ber in BIT_ERRORS)
    bypassed = [seed for seed in runs.effort.seeds if any(via.count(" > ") == 2 for via in ways(seed, 100.0))]
    by_seed = dict(zip(runs.effort.seeds, zip(low, high, strict=True), strict=True))
    elsewhere = [high for seed, (_, high) in by_seed.items() if seed not in bypassed]
    return Finding(
        why=f"as bit errors the printed rates lose {shares} of the packets of 1000 B on each inter-satellite link: "
        f"{bp.estimate(low).text(2)} and {bp.estimate(high).text(2)} Mbit/s are left, a change by {change_text(fall)} "
        f"where the paper has {printed:+g} %"
        + ("" if fall.excludes(printed) else " (the interval is too wide to tell the two apart)")
        + (
            f". {len(bypassed)} of {len(by_seed)} runs had time over one satellite, without such links; in the others "
            f"at most {max(elsewhere):.3f} Mbit/s are left at {BIT_ERRORS[1]:g}"
            if bypassed and elsewhere
            else ""
        )
        + ". Everywhere else in these rows «BER» is read as the packet error rate of ns-2's error model",
        claims=[
            Claim(
                what="T1, Hybla: throughput at «BER» 1e-3 against 1e-4, read as bit errors",
                paper=printed,
                measured=fall,
                note="the number alone: a fall far beyond the paper's is another",
            )
        ],
        sheets=[Sheet("Independent bit errors: 1 - (1 - BER)^8000", head, rows)],
    )


def one_satellite_s(run: bp.Run) -> float:
    """How long the path of the first flow goes over a single satellite, s."""
    flow, table = run.summary["flows"][0], run.paths
    way = [
        (float(time), via)
        for time, origin, to, via in zip(table["time_s"], table["from"], table["to"], table["via"], strict=True)
        if (origin, to) == (flow["from"], flow["to"])
    ]
    ends = [*(time for time, _ in way[1:]), float(run.summary["provenance"]["duration_s"])]
    return sum(end - start for (start, via), end in zip(way, ends, strict=True) if via and via.count(" > ") == 2)


def read_second(runs: Runs) -> Finding:
    low, losses, fewer = claims.at_low_error(runs, T2), claims.losses(runs, T2), claims.fewer_calls(runs, T2)
    steps = [claim for per in PERS[1:] for claim in claims.over_a_step(runs, T2, per)]
    unsteady, early = (change_text(claim.measured) for claim in low[1:])
    [lost] = [change_text(claim.measured) for claim in losses]
    called = [claim.measured.text(0, "%") for claim in fewer]
    printed = ", ".join(f"{percent:g}" for percent in claims.PRINTED_RATIO.values())
    alone = {
        seed: 100.0 * one_satellite_s(run) / float(run.summary["provenance"]["duration_s"])
        for seed, run in zip(runs.effort.seeds, runs.of(T2.id, PERS[0], "hybla"), strict=True)
    }
    mostly = ", ".join(f"{share:.0f} % of the run of seed {seed}" for seed, share in alone.items() if share > 0.0)
    ratios = ", ".join(change_text(claims.ratio_claim(runs, T2, per).measured) for per in PERS)
    literal = ", ".join(
        change_text(
            bp.relative_change(goodput(runs.of(T2.id, per, "hybla-im-literal")), goodput(runs.of(T2.id, per, "hybla")))
        )
        for per in PERS
    )
    return Finding(
        why=f"with five flows on 25 Mbit/s Hybla-IM has, against Hybla, {ratios} at PER 1e-4, 1e-3 "
        f"and 1e-2 (the paper: {printed} %), with our reading of equation 10; with the equation as printed it is "
        f"{literal}. Against Hybla-IM, Hybla's packet loss rate at 1e-4 is {lost} and its goodput in the first 10 s "
        f"{early}; against Hybla, Hybla-IM's fluctuation is {unsteady}. {' and '.join(called)} of the link errors that "
        "it judges lead to a reduction at 1e-3 and 1e-2, under Hybla all",
        claims=[*low, *losses, *steps, *fewer],
        sheets=[variants_table(runs, T2), calls.table(runs, T2)],
        pictures=[
            Picture("T2: throughput and packet loss over time (figures 4 to 7)", pictures.all_rates(runs, T2)),
            Picture("Hybla-IM against Hybla, the paper's numbers in grey", pictures.gains(runs, (T1, T2))),
            Picture(
                "T2: congestion windows, first seed: mean and range of the flows",
                pictures.windows(runs, T2, runs.effort.seeds[0]),
            ),
        ],
        notes=[f"{T2.why} That is {mostly or 'no part of any run'}."],
    )


def plan_both(effort: Effort) -> Mapping[Key, bp.Scenario]:
    return {**pairs(T2, PERS, effort, tuple(VARIANTS)), **pairs(T1, PERS, effort)}


def read_all_variants(runs: Runs) -> Finding:
    """H-18, with the table of all variants."""
    found = read_low_error(runs)
    return replace(found, sheets=[variants_table(runs, T1)])


def plan_last_step(effort: Effort) -> Mapping[Key, bp.Scenario]:
    return {**pairs(T1, PERS[1:], effort), **plan_readings(effort)}


ROWS = (
    Row(
        id="H-18",
        place="Figure 4, section 4 (1)",
        what="throughput over time at PER 1e-4",
        says="Hybla-IM 6 % higher; Hybla is fast at the start and fluctuates, Hybla-IM is steady",
        plan=lambda effort: pairs(T1, PERS, effort, tuple(VARIANTS)),
        read=read_all_variants,
    ),
    Row(
        id="H-19",
        place="Figure 5, section 4 (1)",
        what="packet loss rate over time at PER 1e-4",
        says="that of Hybla is higher",
        plan=lambda effort: pairs(T1, PERS[:1], effort),
        read=read_losses,
    ),
    Row(
        id="H-20",
        place="Figure 6, section 4 (2)",
        what="throughput over time at PER 1e-3",
        says="against 1e-4 Hybla loses 13 %, Hybla-IM 7.3 %; Hybla-IM is 13 % higher",
        plan=lambda effort: pairs(T1, PERS[:2], effort),
        read=read_step(PERS[1]),
    ),
    Row(
        id="H-21",
        place="Figure 7, section 4 (2)",
        what="throughput over time at PER 1e-2",
        says="against 1e-3 Hybla loses 32 %, Hybla-IM 24 %; Hybla-IM is 17 % higher",
        plan=plan_last_step,
        read=read_step(PERS[2]),
    ),
    Row(
        id="H-22",
        place="section 4 (2), last paragraph",
        what="whether the printed percentages agree with each other",
        says="6, 13 and 17 % at PER 1e-4, 1e-3 and 1e-2",
        read=read_consistency,
    ),
    Row(
        id="H-23",
        place="section 4: «BER of 0.0001»",
        what="what the error rates would mean as bit errors",
        says="a bit error rate, in words",
        plan=plan_bit_errors,
        read=read_bit_errors,
    ),
    Row(
        id="H-24",
        place="abstract, sections 3.2 and 5",
        what="calls of congestion control because of error losses",
        says="Hybla-IM reduces their number",
        plan=lambda effort: pairs(T1, PERS, effort),
        read=calls.read,
    ),
    Row(
        id="H-25",
        place="not in the paper: a topology where the error rate can matter",
        what="the same claims with 5 flows over a 25 Mbit/s inter-satellite link",
        says="what it says of its own topology (H-18 to H-21, H-24)",
        plan=plan_both,
        read=read_second,
    ),
)
