# SPDX-License-Identifier: MIT OR Apache-2.0
"""Sections 1, 3.2 and 3.3: flows of different round trips on one link, with the adapted alpha and with alpha = 2."""

from __future__ import annotations

from functools import partial
from itertools import product
from typing import NamedTuple

import bentpipe as bp
from bentpipe import plots
from bentpipe import study as st
from bentpipe_papers.a_liad import bed
from bentpipe_papers.a_liad.bed import READINGS
from bentpipe_papers.a_liad.rows_fairness import CUBIC, WARM_UP_S, length
from bentpipe_papers.transport import on_bed

MIXED_RTTS_MS = (75.0, 150.0, 300.0, 600.0)
MIXED_TRIED: dict[str, bed.Controller] = {
    "A-LIAD": "a-liad-paper",
    "A-LIAD safe": "a-liad-safe",
    "LIAD*": "liad",
    "online alpha, exact rule": {"name": "a-liad-paper", "alpha_mode": "online", "ack_rule": "exact"},
    "CUBIC": CUBIC,
    "Hybla": "hybla",
    "NewReno": "newreno",
}
COMMON_MS = 10.0


def mixed(
    controller: bed.Controller,
    seed: int,
    effort: st.Effort,
    *,
    tcp: bp.Tcp = bed.WHOLE,
    within_s: float = bed.START_WITHIN_S,
    per: float = 0.0,
) -> bp.Scenario:
    flows = []
    for index, rtt_ms in enumerate(MIXED_RTTS_MS):
        start_s = within_s * bed.spread(seed, index)
        # A round trip passes the access links of both ends in both directions: four times the delay.
        access = bp.AccessLink(rate="100 Mbit/s", delay=f"{(rtt_ms - COMMON_MS) / 4:g} ms")
        flows.append(bp.Flow(name=f"{rtt_ms:g} ms", controller=controller, access=access, start=f"{start_s:.4f} s"))
    return bp.Scenario(
        name="four round trips",
        duration=f"{length(effort)['duration_s']:g} s",
        warm_up=f"{WARM_UP_S:g} s",
        seed=seed,
        network=bp.Dumbbell(rate="10 Mbit/s", rtt=f"{COMMON_MS:g} ms", queue="375 kB", loss=bp.Loss(per=per or None)),
        tcp=on_bed(tcp, bed.SIZES, bed.OURS),
        flows=flows,
        record=bp.Record(interval="off", events=False),
    )


#: Section 4.3's packet error rates.
PERS = (1e-3, 1e-2)


class Pair(NamedTuple):
    """Two controllers that differ only in alpha: one adapts alpha to the round trip, the other has alpha = 2."""

    adapted: bed.Controller
    two: bed.Controller
    why: str
    tcp: bp.Tcp = bed.WHOLE
    per: float = 0.0


EXACT = Pair(
    READINGS["ACK rule exact (4)"],
    {"name": "liad", "ack_rule": "exact"},
    "Equation 6 does not follow from equation 4: after a round trip, it leaves at least 1/e of the gap to W_max for "
    "every alpha (A-06).",
)
_ERRORS = "Section 4.3 uses this packet error rate. If errors end the epochs, alpha has an effect on their length."
ALPHAS: dict[str, Pair] = {
    "W_max = W at every loss": Pair(
        READINGS["W_max = W at every loss"],
        {"name": "liad", "w_max_rule": "always"},
        "By the paper's text, each epoch ends at W_max.",
    ),
    "ACK rule exact (4)": EXACT,
    **{f"PER {100 * per:g} %": Pair("a-liad-paper", "liad", _ERRORS, per=per) for per in PERS},
    **{
        f"PER {100 * per:g} %, ACK rule exact (4)": EXACT._replace(why=f"{_ERRORS} {EXACT.why}", per=per)
        for per in PERS
    },
}


def plan_mixed_rtts(effort: st.Effort) -> dict[st.Key, bp.Scenario]:
    own: dict[st.Key, bp.Scenario] = {
        (label, seed): mixed(controller, seed, effort)
        for (label, controller), seed in product(MIXED_TRIED.items(), effort.seeds)
    }
    pairs: dict[st.Key, bp.Scenario] = {
        ("reading", label, which, seed): mixed(controller, seed, effort, tcp=pair.tcp, per=pair.per)
        for label, pair in ALPHAS.items()
        for (which, controller), seed in product((("adapted", pair.adapted), ("2", pair.two)), effort.seeds)
    }
    return own | pairs


def gain_in(runs: st.Runs, label: str) -> bp.Estimate:
    pairs = zip(*(runs.of("reading", label, which) for which in ("adapted", "2")), strict=True)
    return bp.estimate([st.jain(st.goodputs(ours)) - st.jain(st.goodputs(base)) for ours, base in pairs])


@st.reads(
    id="A-21",
    place="sections 1, 3.2 and 3.3",
    what="competing flows of different round trips",
    says="RTT fairness is good when flows with different RTTs compete in the same bottleneck. A fixed alpha = 2 cannot "
    "provide it. (The paper does not measure this.)",
    plan=plan_mixed_rtts,
)
def read_mixed_rtts(runs: st.Runs) -> st.Finding:
    shares: dict[str, list[bp.Estimate]] = {}
    jains: dict[str, bp.Estimate] = {}
    for label in MIXED_TRIED:
        rates = [st.goodputs(run) for run in runs.of(label)]
        shares[label] = [bp.estimate([100 * one[i] / sum(one) for one in rates]) for i in range(len(MIXED_RTTS_MS))]
        jains[label] = bp.estimate([st.jain(one) for one in rates])
    figure, (axis,) = plots.new(1, 1, height=3.4)
    groups = [(f"{rtt:g} ms", [shares[label][i] for label in MIXED_TRIED]) for i, rtt in enumerate(MIXED_RTTS_MS)]
    st.bars(axis, list(MIXED_TRIED), groups)
    axis.axvline(25.0, color="#000000", linestyle="--", linewidth=0.9, label="equal shares")
    axis.set(xlabel="share of the four flows' goodput (%)")
    axis.legend(fontsize="small", loc="best")
    best = max(jains, key=lambda label: jains[label].mean)
    gain = [
        st.jain(st.goodputs(ours)) - st.jain(st.goodputs(base))
        for ours, base in zip(runs.of("A-LIAD"), runs.of("LIAD*"), strict=True)
    ]
    becomes = gain_in(runs, next(iter(ALPHAS)))
    errors, exact = (gain_in(runs, f"PER 1 %{rule}") for rule in ("", ", ACK rule exact (4)"))
    return st.found(
        "By equation 6, a round trip closes at most 1 - 1/e of the gap to W_max for every alpha (A-06). Jain's index "
        f"is {jains['A-LIAD'].text(3)} for A-LIAD, {jains['LIAD*'].text(3)} with alpha = 2, "
        f"{jains['CUBIC'].mean:.3f} for CUBIC, and {jains[best].mean:.3f} for the best variant, {best}. In other "
        f"readings, the adapted alpha changes the index by {becomes.text(3)} (W_max becomes W at a loss), by "
        f"{errors.text(3)} (packet errors of 1 %), and by {exact.text(3)} (packet errors of 1 % and equation 4)",
        st.claim(
            "Jain's index of four competing flows with round trips of 75 to 600 ms, adapted alpha minus alpha = 2",
            bp.estimate(gain),
            st.above("", 3),
            note=(
                "Sections 3.2 and 3.3 promise fairness between flows of different round trips. The paper measures "
                "only single flows"
            ),
            readings=st.otherwise({label: pair.why for label, pair in ALPHAS.items()}, partial(gain_in, runs)),
            headline="“good RTT fairness when flows with different RTTs are competing”, unlike alpha = 2",
            decides=(
                "Packet errors end the epochs early, and with equation 4 the growth in an epoch depends on alpha; the "
                "rule for W_max at a loss and the TCP also have an effect"
            ),
        ),
        st.Sheet(
            "shares of the four competing flows, %, and Jain's index",
            ("variant", *(f"{rtt:g} ms" for rtt in MIXED_RTTS_MS), "Jain"),
            [[label, *(one.text(1) for one in shares[label]), jains[label].text(3)] for label in MIXED_TRIED],
        ),
        st.Picture("Four flows of different round trips on one link of 10 Mbit/s (95 % intervals)", figure),
        "The buffer of 375 kB is half of the bandwidth-delay product of the longest path, and 4 times that of the "
        "shortest.",
    )
