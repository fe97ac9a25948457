# SPDX-License-Identifier: MIT OR Apache-2.0
"""HYBIC beside flows with another round trip, and beside NewReno flows (Y-15)."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product
from typing import Any

import bentpipe as bp
from bentpipe import plots
from bentpipe import study as st
from bentpipe_papers.hybic.bed import CONTROLLERS, jitter_ms, scenario, under_same_conditions
from bentpipe_papers.hybic.readings import (
    BUFFER,
    BUFFER_PACKETS,
    NEAR_FAR_MS,
    ROUND_TRIPS,
    STARTS,
    TCP,
)
from bentpipe_papers.transport import BARE

RENOS = 5
#: The paper's sentence for three claims.
INHERITS = "inherits the features of Round-Trip Time fairness, scalability, and friendliness of HYBLA and CUBIC"
#: “Scalability”: a path of 600 ms with fifteen times the bandwidth-delay product of Y-15's far flow.
SCALE_MBIT_S = 300.0
#: Length of a run in s, in a first look and in full.
SECONDS = (60.0, 300.0)
ALONE = (*CONTROLLERS, "NewReno")
#: NewReno as its RFC says. The text excludes it, because it states γ = 128 segments.
NO_THRESHOLD = "NewReno without a first threshold"
#: Tolerance in percent of quantities for which the paper has no number.
_MARGIN = 5.0


def two(
    name: str,
    seed: int,
    seconds: float,
    *,
    rtts_ms: tuple[float, float] = NEAR_FAR_MS,
    packets: int = BUFFER_PACKETS,
    per: float = 0.0,
    near_after_s: float = 0.0,
    tcp: bp.Tcp = BARE,
) -> bp.Scenario:
    """A near and a far flow share 20 Mbit/s. The far flow starts within 1 s, the near flow after `near_after_s`."""
    flows = [
        bp.Flow(
            controller=under_same_conditions(name, rtt_ms + jitter_ms(seed)),
            name=label,
            access=bp.AccessLink(rate="1 Gbit/s", delay=f"{(rtt_ms + jitter_ms(seed) - 20.0) / 4:g} ms"),
            start=f"{near_after_s if label == 'near' else jitter_ms(seed) / 20:g} s",
        )
        for label, rtt_ms in zip(("near", "far"), rtts_ms, strict=True)
    ]
    path = bp.Dumbbell(rate="20 Mbit/s", rtt="20 ms", queue=f"{packets} packets", loss=bp.Loss(per=per or None))
    title = f"{rtts_ms[0]:g} and {rtts_ms[1]:g} ms, {name}"
    return scenario(title, path, flows, seed, seconds, tcp=tcp)


def evenness(run: bp.Run) -> float:
    near, far = st.goodputs(run)
    return min(near / far, far / near)


def plan_curve(values: Mapping[str, Any], seed: int) -> dict[str, bp.Scenario]:
    return {
        name: two(
            name,
            seed,
            SECONDS[1],
            rtts_ms=values[ROUND_TRIPS.name],
            packets=values[BUFFER.name],
            near_after_s=values[STARTS.name],
            tcp=values[TCP.name],
        )
        for name in ("HYBIC", "CUBIC")
    }


def fairer(runs: Mapping[str, bp.Run]) -> float:
    return 100.0 * (evenness(runs["HYBIC"]) / evenness(runs["CUBIC"]) - 1.0)


FAIRNESS = st.Curve(
    title=(
        "smaller goodput divided by the larger, for two flows with different round trips; HYBIC compared with CUBIC "
        "(“RTT fairness”)"
    ),
    choices=(ROUND_TRIPS, BUFFER, TCP, STARTS),
    plan=plan_curve,
    effect=fairer,
    sign=1,
    digits=0,
)


def plan_shares(effort: st.Effort) -> st.Plan:
    plans: dict[st.Key, bp.Scenario] = {}
    for name, seed in product((*ALONE, NO_THRESHOLD), effort.seeds):
        rtt_ms = NEAR_FAR_MS[1] + jitter_ms(seed)
        line = bp.Dumbbell(rate=f"{SCALE_MBIT_S:g} Mbit/s", rtt=f"{rtt_ms:g} ms", queue="1 BDP")
        controller = "newreno" if name == NO_THRESHOLD else under_same_conditions(name, rtt_ms)
        alone = [bp.Flow(controller=controller, name=name)]
        plans["scale", name, seed] = scenario(f"{name} alone, {SCALE_MBIT_S:g} Mbit/s", line, alone, seed, SECONDS[0])
    for name, seed in product(CONTROLLERS, effort.seeds):
        plans["two", name, seed] = two(name, seed, effort.pick(*SECONDS))
        for nominal_ms in NEAR_FAR_MS:
            rtt_ms = nominal_ms + jitter_ms(seed)
            many = [
                bp.Flow(
                    controller=under_same_conditions("NewReno", rtt_ms),
                    name="newreno",
                    count=RENOS,
                    stagger=f"{0.1 + jitter_ms(seed) / 40:g} s",
                ),
                bp.Flow(
                    controller=under_same_conditions(name, rtt_ms), name="guest", start=f"{jitter_ms(seed) / 20:g} s"
                ),
            ]
            line = bp.Dumbbell(rate="60 Mbit/s", rtt=f"{rtt_ms:g} ms", queue="1 BDP")
            plans["many", name, nominal_ms, seed] = scenario(
                f"five NewReno, {name}, {nominal_ms:g} ms", line, many, seed, effort.pick(*SECONDS)
            )
    return plans


@st.reads(
    id="Y-15",
    place="Abstract, section I",
    what="fairness between round trips and friendliness",
    says="HYBIC inherits the RTT fairness, scalability and friendliness of Hybla and CUBIC.",
    plan=plan_shares,
    curves={"a": FAIRNESS},
)
def read_shares(runs: st.Runs) -> st.Finding:
    st.own_limit(runs[key] for key in runs)
    near = {
        name: [st.goodputs(run, "near")[0] / st.goodputs(run, "far")[0] for run in runs.of("two", name)]
        for name in CONTROLLERS
    }

    def newreno(name: str, rtt_ms: float) -> list[float]:
        many = runs.of("many", name, rtt_ms)
        return [(sum(st.goodputs(run)) - st.goodputs(run, "guest")[0]) / RENOS for run in many]

    renos = {one: newreno(*one) for one in product(CONTROLLERS, NEAR_FAR_MS)}
    guests = {
        one: [st.goodputs(run, "guest")[0] for run in runs.of("many", *one)]
        for one in product(CONTROLLERS, NEAR_FAR_MS)
    }
    rows = [
        [
            name,
            st.shown(st.sampled(near[name]), 2),
            *(st.shown(st.sampled(values[name, rtt_ms]), 2) for rtt_ms in NEAR_FAR_MS for values in (guests, renos)),
        ]
        for name in CONTROLLERS
    ]
    figure, (near_far, right) = plots.new(1, 2, height=2.8)
    st.bars(
        near_far,
        list(CONTROLLERS),
        [("goodput at 100 ms divided by that at 600 ms", [st.sampled(near[name]) for name in CONTROLLERS])],
    )
    near_far.axvline(1.0, color="#000000", linestyle="--", linewidth=0.8, label="fair")
    near_far.set(xlabel="goodput at 100 ms divided by that at 600 ms")
    near_far.legend(fontsize="small", loc="best")
    far = NEAR_FAR_MS[1]
    st.bars(
        right,
        list(CONTROLLERS),
        [
            ("guest", [st.sampled(guests[name, far]) for name in CONTROLLERS]),
            ("a NewReno flow", [st.sampled(renos[name, far]) for name in CONTROLLERS]),
        ],
    )
    right.axvline(10.0 * 1448 / 1500, color="#000000", linestyle="--", linewidth=0.8, label="equal share")
    right.set(xlabel="Mbit/s beside five NewReno flows, 600 ms")
    right.legend(fontsize="small", ncols=3, loc="lower left", bbox_to_anchor=(0.0, 1.0))

    def use(name: str) -> list[float]:
        return [100.0 * st.goodputs(run)[0] / SCALE_MBIT_S for run in runs.of("scale", name)]

    left_over = {
        rtt_ms: bp.relative_change(*(renos[name, rtt_ms] for name in ("HYBIC", "CUBIC"))) for rtt_ms in NEAR_FAR_MS
    }
    free = st.paired(use("HYBIC"), use(NO_THRESHOLD))
    used = {name: st.sampled(use(name)).mean for name in ALONE}
    even = {name: [evenness(run) for run in runs.of("two", name)] for name in CONTROLLERS}
    left = {rtt_ms: st.change_text(change) for rtt_ms, change in left_over.items()}
    means = {name: st.sampled(values).mean for name, values in near.items()}
    return st.found(
        "In slow start and in the Reno-friendly region, HYBIC's window grows by one step per RTTref, and CUBIC's by "
        f"one step per round trip. A flow with a round trip of 100 ms has {means['HYBIC']:.1f} times the goodput of "
        f"a flow with 600 ms if both use HYBIC, {means['CUBIC']:.1f} times with CUBIC, and {means['Hybla']:.1f} "
        "times with Hybla. The goodput of NewReno flows beside HYBIC, compared with that beside CUBIC, differs by "
        f"{left[100.0]} at 100 ms and by {left[600.0]} at 600 ms; the tolerance of 5 % is ours. One flow alone uses "
        f"{used['HYBIC']:.0f} % of a path of {SCALE_MBIT_S:g} Mbit/s with HYBIC, {used['NewReno']:.0f} % with "
        f"NewReno, and {used['CUBIC']:.0f} % with CUBIC",
        st.claim(
            "smaller goodput divided by the larger, for two flows with round trips of 100 and 600 ms; HYBIC compared "
            "with CUBIC (“RTT fairness”)",
            bp.relative_change(even["HYBIC"], even["CUBIC"]),
            st.above(digits=0),
            headline=INHERITS,
            note="The paper does not run two flows. Our measure is whether HYBIC's shares are more equal than CUBIC's",
            decides="The test bed is ours, because the paper never runs two flows together",
        ),
        *(
            st.claim(
                f"goodput of NewReno flows beside HYBIC, compared with beside CUBIC, {rtt_ms:g} ms (“friendliness”)",
                left_over[rtt_ms],
                st.equals(0.0, digits=0, within=_MARGIN),
                headline=INHERITS,
                note=(
                    "We read inherited friendliness as follows: the other flows get the same share beside HYBIC as "
                    "beside CUBIC"
                ),
                decides="The tolerance of 5 % and the test bed are ours, because the paper never runs two flows "
                "together. We measured this claim only in the main reading",
            )
            for rtt_ms in NEAR_FAR_MS
        ),
        st.claim(
            f"utilisation of a path of {SCALE_MBIT_S:g} Mbit/s and 600 ms by one flow in {SECONDS[0]:g} s, HYBIC minus "
            "NewReno (“scalability”)",
            st.paired(use("HYBIC"), use("NewReno")),
            st.above("points"),
            headline=INHERITS,
            note=(
                "Hybla and CUBIC scale better than standard TCP because they fill a large path; our measure of "
                "scalability is this advantage"
            ),
            decides=(
                "The paper states γ = 128 segments and “the same conditions”, as in Y-15.b and Y-15.c. NewReno then "
                "leaves slow start at 128 segments and grows by one segment in each round trip. If NewReno starts "
                "without a threshold, its slow start fills the path, and the difference (HYBIC minus NewReno) is "
                f"{free.text(1, 'points')}. The test bed is ours, because the paper simulates no packets"
            ),
        ),
        st.claim(
            "smaller goodput divided by the larger, for two flows with round trips of 100 and 600 ms; HYBIC compared "
            "with Hybla (“RTT fairness”)",
            bp.relative_change(even["HYBIC"], even["Hybla"]),
            st.at_least(-_MARGIN, digits=0),
            headline=INHERITS,
            note="The paper's sentence names Hybla as well as CUBIC, so HYBIC is also compared with Hybla",
            decides=(
                "We read “inherits” as shares that are at most 5 % less equal than Hybla's. The 5 % and the test bed "
                "are ours, because the paper never runs two flows together. We measured this claim only in the main "
                "reading"
            ),
        ),
        st.Sheet(
            "Goodput of the 100 ms flow divided by that of the 600 ms flow; and goodput in Mbit/s of one flow "
            "(guest) and of each of the five NewReno flows beside it (60 Mbit/s, 1 BDP)",
            ("", "100 ms / 600 ms", "guest, 100 ms", "NewReno, 100 ms", "guest, 600 ms", "NewReno, 600 ms"),
            rows,
        ),
        st.Picture(
            "Left: fairness between round trips. Right: goodput beside five NewReno flows. Both: mean and 95 % "
            "interval.",
            figure,
        ),
        "For the fairness between round trips, the two flows share 20 Mbit/s with a buffer of 500 packets for "
        f"{runs.effort.pick(*SECONDS):g} s, without errors.",
    )
