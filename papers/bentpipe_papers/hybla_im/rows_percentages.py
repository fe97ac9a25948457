# SPDX-License-Identifier: MIT OR Apache-2.0
"""Section 4: whether the percentages agree, and the meaning of “BER” as bit errors (H-22, H-23)."""

from __future__ import annotations

from itertools import product

import bentpipe as bp
from bentpipe import study as st
from bentpipe_papers.hybla_im import claims
from bentpipe_papers.hybla_im.bed import HYBLA, PERS, T1, scenario, ways


def factor(percent: float) -> str:
    return f"{1.0 + percent / 100.0:.4g}"


def one_misprint(per: float) -> str:
    """Return a sentence: which single changed number would make the paper's percentages at an error rate agree."""
    falls = claims.PRINTED_STEP[per]
    hybla, improved = (claims.implied_fall(name, per) for name in ("hybla", "hybla-im"))
    return (
        f"One misprint would explain the contradiction. At {per:g} the numbers agree if Hybla falls by {-hybla:.0f} % "
        f"(printed: {-falls['hybla']:g}), or Hybla-IM by {-improved:.0f} % (printed: {-falls['hybla-im']:g}), or if "
        f"the gain is {claims.implied_ratio(per):.0f} % (printed: {claims.PRINTED_RATIO[per]:g})."
    )


@st.reads(
    id="H-22",
    place="section 4 (2), last paragraph",
    what="whether the printed percentages agree with each other",
    says="The gains are 6, 13 and 17 % at PER 1e-4, 1e-3 and 1e-2",
)
def read_consistency(_: st.Runs) -> st.Finding:
    rows = [
        [f"{per:g}", f"{printed:+g} %", f"{claims.implied_ratio(per):+.1f} %"]
        for per, printed in claims.PRINTED_RATIO.items()
    ]
    checked = [
        st.claim(
            f"throughput of Hybla-IM compared with Hybla's at PER {per:g}, computed from the paper's other percentages",
            bp.fixed(claims.implied_ratio(per)),
            st.equals(printed, sign=1, check=True),  # this claim has no measurement
            contradiction=claims.contradiction(per),
            implied=claims.implied_ratio(per),
        )
        for per, printed in claims.PRINTED_RATIO.items()
        if per != PERS[0]
    ]
    printed, implied = claims.PRINTED_RATIO, claims.implied_ratio
    words = [
        f"At {per:g}, the printed falls of both controllers multiply this ratio by {factor(falls['hybla-im'])} / "
        f"{factor(falls['hybla'])}. The result is {factor(implied(per))}, "
        + (f"not the printed {printed[per]:g} %" if claims.contradiction(per) else f"the printed {printed[per]:g} %")
        for per, falls in claims.PRINTED_STEP.items()
    ]
    wrong = [f"{per:g}" for per in printed if claims.contradiction(per)]
    first = claims.gains_over_the_first()
    return st.found(
        f"The throughput of Hybla-IM divided by Hybla's is {factor(printed[PERS[0]])} at {PERS[0]:g}. "
        f"{'. '.join(words)}" + (f". The percentages contradict each other at {', '.join(wrong)}" if wrong else ""),
        *checked,
        st.Sheet("Hybla-IM against Hybla", ("PER", "printed", "computed from 6 % and the falls"), rows),
        one_misprint(PERS[2]),
        "We read “Hybla IM throughput is 6% higher than Hybla, 13%, and 17%, respectively” as gains over Hybla at the "
        f"same error rate. If the gains are shares of Hybla's throughput at {PERS[0]:g}, the falls imply gains of "
        + " and ".join(f"{gain:.1f} % at {per:g} (printed: {printed[per]:g})" for per, gain in first.items())
        + ", within 2 points of the printed gains.",
    )


BIT_ERRORS = (1e-4, 1e-3)


@st.reads(
    id="H-23",
    place="section 4: “BER of 0.0001”",
    what="the meaning of the error rates as bit error rates",
    says="The text calls the rates bit error rates",
    plan=lambda effort: {
        (ber, seed): scenario(T1, 0.0, HYBLA, seed, name=f"bit error rate {ber:g}", ber=ber, duration="100 s")
        for ber, seed in product(BIT_ERRORS, effort.seeds)
    },
)
def read_bit_errors(runs: st.Runs) -> st.Finding:
    low, high = (st.goodput(runs.of(ber)) for ber in BIT_ERRORS)
    model = bp.model("bit-errors").table
    lost = dict(zip(model["bit_error_rate"], model["packet_error_rate"], strict=True))
    rows = []
    for ber in PERS:
        computed = 100.0 * lost[ber]
        measured = bp.estimate(st.goodput(runs.of(ber))).text(3) if ber in BIT_ERRORS else "–"
        rows.append([f"{ber:g}", f"{computed:.2f}", measured])
    head = ("bit error rate", "packets of 1000 B lost on a link, %", "Hybla's goodput on T1, Mbit/s")
    fallen = bp.relative_change(high, low)
    printed = claims.PRINTED_STEP[PERS[1]]["hybla"]
    shares = " and ".join(f"{100.0 * lost[ber]:.4g} % ({ber:g})" for ber in BIT_ERRORS)
    bypassed = [seed for seed in runs.effort.seeds if any(via.count(" > ") == 2 for via in ways(seed, 100.0))]
    by_seed = dict(zip(runs.effort.seeds, zip(low, high, strict=True), strict=True))
    elsewhere = [high for seed, (_, high) in by_seed.items() if seed not in bypassed]
    return st.found(
        f"This row has no claim. If the rates were bit error rates, each inter-satellite link would lose {shares} of "
        f"the packets. The throughput would be {bp.estimate(low).text(2)} and {bp.estimate(high).text(2)} Mbit/s, a "
        f"change of {st.change_text(fallen)}; the paper prints {printed:+g} %. We therefore read “BER”, which the text "
        "also calls “link error rate”, as ns-2's packet error rate",
        st.Sheet("Loss of packets of 1000 B with independent bit errors: 1 - (1 - BER)^8000", head, rows),
        *[
            f"In {len(bypassed)} of {len(by_seed)} runs, the path had only one satellite during a part of the time, "
            f"and then no inter-satellite link. In the other runs, the throughput at {BIT_ERRORS[1]:g} is at most "
            f"{max(elsewhere):.3f} Mbit/s."
            for _ in bypassed[:1]
            if elsewhere
        ],
    )
