# SPDX-License-Identifier: MIT OR Apache-2.0
"""Section 4: the simulation over Iridium (H-18 to H-21, H-24, H-25)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from itertools import product

import numpy as np

import bentpipe as bp
from bentpipe import study as st
from bentpipe_papers.hybla_im import claims, curves, ns2, pictures
from bentpipe_papers.hybla_im.bed import (
    BASES,
    PAIR,
    PERS,
    T1,
    T2,
    VARIANTS,
    Topology,
    for_tables,
    of_percentages,
    pairs,
    scenario,
)
from bentpipe_papers.hybla_im.readings import MODULE, NEWRENO, READINGS, fall, gain, made_in, main
from bentpipe_papers.hybla_im.readings import plan as plan_readings
from bentpipe_papers.hybla_im.readings import sheet as readings

VARIANT_COLUMNS = (
    st.Column("goodput Mbit/s", st.goodput, 3),
    st.Column(
        "against hybla with this pacing", st.goodput, against=lambda line: (line[0], BASES.get(str(line[1]), "hybla"))
    ),
    st.Column("loss %", st.loss_percent),
    st.Column("of it queue", partial(st.loss_percent, cause="queue")),
    st.Column("queue ms", partial(st.means_of, name="queueing_delay_ms"), 1),
    st.Column("Jain", partial(st.totals, metric="jain_index"), 3),
    st.Column("cuts", partial(st.counts, metric="cuts"), 0),
    st.Column("RTOs", partial(st.counts, metric="timeouts"), 0),
)


def variants_table(runs: st.Runs, topology: Topology, pers: Sequence[float] = PERS) -> st.Sheet:
    lines: dict[st.Key, list[bp.Run]] = {
        (f"{per:g}", variant): runs.of(topology.id, per, variant, seeds=runs.effort.seeds)
        for per, variant in product(pers, VARIANTS)
    }
    return st.table(f"{topology.id}: all variants", "PER | variant", lines, VARIANT_COLUMNS)


def newreno(runs: st.Runs, per: float) -> bp.Estimate:
    [number] = [number for number, reading in enumerate(READINGS) if reading.setting == {"tcp": NEWRENO}]
    return gain(per)(made_in(runs, number, runs.effort.seeds))


def against_module(runs: st.Runs) -> bp.Estimate:
    [number] = [number for number, reading in enumerate(READINGS) if reading.pair.get("hybla") is MODULE]
    return claims.lost(made_in(runs, number, for_tables(runs.effort).seeds))


def plan_pair(*pers: float) -> Callable[[st.Effort], st.Plan]:
    """Return a function that plans all seeds at the error rates of a claim, and few seeds at the other rates."""

    def plan(effort: st.Effort) -> st.Plan:
        others = tuple(per for per in PERS if per not in pers and pers[-1] == PERS[2])
        few = for_tables(effort)
        shown = {**pairs(T1, others, few), **plan_readings(few, others)}
        return {**pairs(T1, pers, of_percentages(effort)), **plan_readings(effort, pers), **shown}

    return plan


@st.reads(
    id="H-18",
    place="Figure 4, section 4 (1)",
    what="throughput over time at PER 1e-4",
    says="Hybla-IM's throughput is 6 % higher. Hybla is fast at the start and fluctuates; Hybla-IM is steady",
    plan=lambda effort: {
        **pairs(T1, PERS[:1], of_percentages(effort)),
        **pairs(T1, PERS[:1], effort, tuple(VARIANTS)),
        **plan_readings(effort, PERS[:1]),
    },
    curves={"a": curves.gain(PERS[0])},
)
def read_low_error(runs: st.Runs) -> st.Finding:
    low = gain(PERS[0])(main(runs))
    hybla = runs.of(T1.id, PERS[0], "hybla")
    queue, error = (np.mean(st.loss_percent(hybla, cause)) for cause in ("queue", "error"))
    return st.found(
        "The bandwidth-delay product of 1.5 Mbit/s is less than one packet for each of the 30 flows, so the uplink "
        f"is full with both controllers. The uplink's queue drops {queue:.0f} % of Hybla's packets, and link errors "
        f"destroy {error:.3f} %. Hybla-IM's throughput differs from Hybla's by {st.change_text(low)}. In the reading "
        f"with ns-2's Newreno, the difference is {st.change_text(newreno(runs, PERS[0]))}",
        *claims.at_low_error(runs),
        variants_table(runs, T1, PERS[:1]),
        st.Picture(
            "Figure 4: throughput at PER 1e-4, running mean over 5 s. Dashed: our Hybla's mean plus 6 %, the gain "
            "that the paper prints.",
            pictures.over_time(runs, T1, PERS[0], [(6.0, "hybla", PERS[0])]),
        ),
        T1.why,
    )


@st.reads(
    id="H-19",
    place="Figure 5, section 4 (1)",
    what="packet loss rate over time at PER 1e-4",
    says="Hybla's packet loss rate is higher",
    plan=plan_pair(*PERS),
    curves={"a": curves.LOSSES, "d": curves.MUCH_LESS},
)
def read_losses(runs: st.Runs) -> st.Finding:
    made = {name: runs.of(T1.id, PERS[0], name) for name in PAIR}
    lost = {name: bp.estimate(st.loss_percent(these)).text(1) for name, these in made.items()}
    queue = {
        name: 100.0 * np.mean(st.loss_percent(r, "queue")) / np.mean(st.loss_percent(r)) for name, r in made.items()
    }
    return st.found(
        "A full queue lengthens the RTT, which increases Hybla's ρ; equation 10 of Hybla-IM reduces this increase. "
        f"Hybla loses {lost['hybla']} % of its packets, and Hybla-IM {lost['hybla-im']} %. The uplink's queue causes "
        f"{queue['hybla']:.2f} % of Hybla's losses and {queue['hybla-im']:.2f} % of Hybla-IM's. If Hybla is ns-2's "
        f"module, the queue does not increase ρ, and the difference is {st.change_text(against_module(runs))}",
        *claims.losses(runs),
        st.Picture(
            "Figure 5: packet loss rate at PER 1e-4, running mean over 5 s. The paper prints no number.",
            pictures.loss(runs, T1, PERS[0]),
        ),
    )


ENOUGH = (
    "Even one Hybla flow would fill the 1.5 Mbit/s uplink. Two inter-satellite links at PER 1e-2 lose p = 0.02 of the "
    "packets. Hybla's rate √(1.5/p)/RTT0 is then 346 segments/s or 2.8 Mbit/s, nearly twice the uplink's rate."
)


def lost_behind_percent(runs: st.Runs, per: float) -> float:
    """Percent of the packets of both flows that pass the uplink and are lost to link errors behind it."""
    chosen = [run for name in PAIR for run in runs.of(T1.id, per, name)]
    lost = sum(st.lost_packets(chosen, "error"))
    return 100.0 * lost / (lost + sum(st.totals(chosen, "delivered_packets")))


def beside_ns2(runs: st.Runs, per: float) -> st.Sheet:
    before = PERS[PERS.index(per) - 1]
    claimed = next(claim for claim in claims.over_a_step(runs, per) if claim.what.startswith("hybla:"))
    windows = (20, 100, 1000, 10_000)
    rows = [
        [
            f"{window:,}" + (" (its default)" if window == ns2.WINDOW[T1.id] else ""),
            *(ns2.cell(ns2.falls(T1, per, where, window)) for where in ns2.PLACES),
            f"{claims.PRINTED_STEP[per]['hybla']:+g} %",
            st.change_text(claimed.measured),
            claimed.ranged(),
        ]
        for window in windows
    ]
    head = ("ns-2's `window_`", *(f"ns-2's own Hybla, errors {words}" for words in ns2.PLACES.values()))
    return st.Sheet(
        f"Hybla's throughput at PER {per:g} compared with PER {before:g}: in ns-2.35 (60 s; mean and range of "
        "epochs), in the paper, and here",
        (*head, "paper", "here, main reading", "here, all readings"),
        rows,
    )


def read_step(per: float) -> Callable[[st.Runs], st.Finding]:
    before, figure = PERS[PERS.index(per) - 1], {PERS[1]: 6, PERS[2]: 7}[per]

    def read(runs: st.Runs) -> st.Finding:
        change = claims.PRINTED_STEP[per]
        marks = [(change[name], name, before) for name in PAIR]
        now, then = (lost_behind_percent(runs, one) for one in (per, before))
        alone = 100.0 * ((100.0 - now) / (100.0 - then) - 1.0)
        return st.found(
            f"The 30 flows keep the uplink full at both error rates. The links behind the uplink lose {now:.2f} % of "
            f"the uplink's packets ({then:.2f} % at {before:g}), which changes the throughput of each controller by "
            f"{alone:.2f} %. While the uplink is full, neither a larger fall nor a gain is possible. ns-2's Newreno "
            f"leaves the uplink idle at times, and Hybla-IM's gain is then {st.change_text(newreno(runs, per))}",
            *claims.over_a_step(runs, per),
            beside_ns2(runs, per),
            *([readings(runs)] if per == PERS[2] else []),
            st.Picture(
                f"Figure {figure}: throughput at PER {per:g}, running mean over 5 s. Dashed: our mean at PER "
                f"{before:g}, reduced by the paper's percentage (thick: Hybla, thin: Hybla-IM).",
                pictures.over_time(runs, T1, per, marks),
            ),
            *([ENOUGH] if per == PERS[2] else []),
        )

    return read


def calls(runs: st.Runs, topology: Topology) -> st.Sheet:
    rows = []
    for per, name in product(PERS, PAIR):
        chosen = runs.of(topology.id, per, name)
        judged = st.verdicts(chosen)
        called, spared = judged.get("error_as_congestion", 0), judged.get("error_as_error", 0)
        rows.append(
            [
                *(f"{per:g}", name),
                *(bp.estimate(st.counts(chosen, what)).text(0) for what in ("cuts", "timeouts")),
                bp.estimate(st.lost_packets(chosen, "error")).text(0),
                f"{called} of {called + spared}",
                bp.estimate([st.cuts_per_1000(run) for run in chosen]).text(0),
            ]
        )
    head = ("PER", "variant", "cuts", "RTOs", "link errors", "judged link errors that led to a reduction, all seeds")
    last = "all reductions per 1000 link errors"
    return st.Sheet(f"{topology.id}: calls of congestion control", (*head, last), rows)


@st.reads(
    id="H-24",
    place="abstract, sections 1, 3 and 4 (2)",
    what="calls of congestion control because of error losses",
    says="Hybla-IM calls congestion control less often because of error losses",
    plan=lambda effort: {**pairs(T1, PERS, effort), **plan_readings(effort, PERS[1:])},
    curves={"b": curves.CALLS},
)
def read_calls(runs: st.Runs) -> st.Finding:
    ratios: dict[float, list[str]] = {}
    for per, name in product(PERS, PAIR):
        chosen = runs.of(T1.id, per, name)
        queue, error = (float(np.mean(st.loss_percent(chosen, cause))) for cause in ("queue", "error"))
        ratios.setdefault(per, []).append(f"{queue / error:,.0f}" if error else "–")
    found = claims.fewer_calls(runs)
    drops = ", ".join(f"{' and '.join(pair)} at {per:g}" for per, pair in ratios.items())
    judged = st.verdicts([run for per in PERS for run in runs.of(T1.id, per, "hybla-im")])
    called = judged.get("error_as_congestion", 0)
    spared = ", ".join(
        f"{share.text(0)} % at {per:g}"
        for per in PERS[1:]
        if (share := claims.spared(runs.of(T1.id, per, "hybla-im"))) is not None
    )
    calls_of = {
        name: sum(claims.called_by_errors(run) for per in PERS for run in runs.of(T1.id, per, name)) for name in PAIR
    }
    return st.found(
        "The queue of the full uplink drops most of the lost packets, so a link error is hardly ever the first loss "
        f"of an episode. Hybla-IM judged {called + judged.get('error_as_error', 0)} link errors and treated {called} "
        f"of them as congestion ({spared}); Hybla treated {calls_of['hybla']:.0f} link errors as congestion. On a "
        "faster user link, link errors do matter (row H-25)",
        *found,
        calls(runs, T1),
        "A controller judges only the first loss of each loss episode. A link error later in the episode changes "
        "nothing.",
        f"Packets that the queues drop for each packet lost to a link error (Hybla and Hybla-IM): {drops}.",
    )


def one_satellite_s(run: bp.Run) -> float:
    flow, table = run.summary["flows"][0], run.paths
    way = [
        (float(time), via)
        for time, origin, to, via in zip(table["time_s"], table["from"], table["to"], table["via"], strict=True)
        if (origin, to) == (flow["from"], flow["to"])
    ]
    ends = [*(time for time, _ in way[1:]), float(run.summary["provenance"]["duration_s"])]
    return sum(end - start for (start, via), end in zip(way, ends, strict=True) if via and via.count(" > ") == 2)


PER_WORDS = "at PER 1e-4, 1e-3, 1e-2"


def beside_the_paper(runs: st.Runs) -> st.Sheet:
    places = {"isl": main(runs, T2), "uplink": lambda per, name: runs.of("uplink", per, name)}
    head = ["", "paper", *(f"here, errors {ns2.PLACES[where]}" for where in places)]
    head += [f"ns-2's own Hybla, errors {ns2.PLACES[where]}" for where in places]
    rows = []
    for name, (per, before) in product(PAIR, zip(PERS[1:], PERS, strict=False)):
        own = [ns2.cell(ns2.falls(T2, per, where, ns2.WINDOW[T2.id])) if name == "hybla" else "–" for where in places]
        rows.append(
            [
                f"{name}: throughput at {per:g} against {before:g}",
                f"{claims.PRINTED_STEP[per][name]:+g} %",
                *(st.change_text(fall(name, per)(made)) for made in places.values()),
                *own,
            ]
        )
    for per in PERS:
        measured = [st.change_text(gain(per)(made)) for made in places.values()]
        rows.append([f"Hybla-IM against Hybla at {per:g}", f"{claims.PRINTED_RATIO[per]:+g} %", *measured, "–", "–"])
    return st.Sheet(
        "T2: the paper's percentages, here, and ns-2.35 itself (three epochs; it has no Hybla-IM)", head, rows
    )


@st.reads(
    id="H-25",
    place="not in the paper: a topology where the error rate can have an effect",
    what="the claims of H-18 to H-21 and H-24 with 5 flows over a 25 Mbit/s inter-satellite link",
    says="The paper makes these claims for its own topology",
    plan=lambda effort: {
        **pairs(T2, PERS, effort, tuple(VARIANTS)),
        **pairs(T1, PERS, effort),
        **{
            ("uplink", per, name, seed): scenario(
                T2,
                per,
                VARIANTS[name],
                seed,
                name=f"{name}, errors on the uplink",
                duration=T2.duration(effort),
                errors_on="uplink",
            )
            for per, name, seed in product(PERS, PAIR, effort.seeds)
        },
    },
)
def read_second(runs: st.Runs) -> st.Finding:
    made = main(runs, T2)
    alone = {
        seed: 100.0 * one_satellite_s(run) / float(run.summary["provenance"]["duration_s"])
        for seed, run in zip(runs.effort.seeds, runs.of(T2.id, PERS[0], "hybla"), strict=True)
    }
    mostly = ", ".join(f"{share:.0f} % of the run of seed {seed}" for seed, share in alone.items() if share > 0.0)
    ratios = ", ".join(st.change_text(gain(per)(made)) for per in PERS)
    spaced, trip = (
        ", ".join(
            st.change_text(
                bp.relative_change(st.goodput(made(per, name)), st.goodput(made(per, BASES.get(name, "hybla"))))
            )
            for per in PERS
        )
        for name in ("hybla-im, paced", "hybla-im over a round trip")
    )
    spared = ", ".join(
        f"{found.text(0)} % at {per:g}"
        for per in PERS[1:]
        for found in [claims.spared(made(per, "hybla-im"))]
        if found is not None
    )
    return st.found(
        "This row has no claim of the paper. In our network T2, windows can be large. Without packet spacing, the "
        "printed equation 10 lets a window grow only slowly after it was halved: compared with Hybla's, Hybla-IM's "
        f"throughput is {ratios} {PER_WORDS}. With packet spacing in both controllers, the differences are {spaced}",
        beside_the_paper(runs),
        variants_table(runs, T2),
        calls(runs, T2),
        st.Picture("T2: throughput and packet loss over time (figures 4 to 7)", pictures.all_rates(runs, T2)),
        st.Picture("Hybla-IM against Hybla, the paper's numbers in grey", pictures.gains(runs, (T1, T2))),
        st.Picture(
            "T2: congestion windows with the first seed (mean and range of the flows)",
            pictures.windows(runs, T2, runs.effort.seeds[0]),
        ),
        f"{T2.why} That is {mostly or 'no part of any run'}.",
        "At PER 1e-4, the fluctuation of Hybla-IM's throughput compared with Hybla's is "
        f"{claims.unsteady(made).text(1, 'doublings')}. Hybla's losses compared with Hybla-IM's are "
        f"{st.change_text(claims.lost(made))}, and Hybla's throughput in the first 10 s compared with Hybla-IM's is "
        f"{st.change_text(claims.early(made))}.",
        "If Hybla-IM computes the share of the bandwidth over a round trip, without packet spacing, its throughput "
        f"compared with Hybla's {PER_WORDS} is {trip}.",
        f"Share of the judged link errors after which Hybla-IM reduced its window: {spared or 'none was judged'}.",
    )


H_20 = st.reads(
    id="H-20",
    place="Figure 6, section 4 (2)",
    what="throughput over time at PER 1e-3",
    says="Compared with 1e-4, Hybla's throughput falls by 13 %, and Hybla-IM's by 7.3 %; Hybla-IM's is 13 % higher",
    plan=plan_pair(*PERS[:2]),
    curves={"c": curves.gain(PERS[1])},
)(read_step(PERS[1]))


H_21 = st.reads(
    id="H-21",
    place="Figure 7, section 4 (2)",
    what="throughput over time at PER 1e-2",
    says="Compared with 1e-3, Hybla's throughput falls by 32 %, and Hybla-IM's by 24 %; Hybla-IM's is 17 % higher",
    plan=plan_pair(*PERS[1:]),
    curves={"a": curves.FALL, "c": curves.gain(PERS[2])},
)(read_step(PERS[2]))
