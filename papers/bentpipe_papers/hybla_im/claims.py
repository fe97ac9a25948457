# SPDX-License-Identifier: MIT OR Apache-2.0
"""The claims of section 4 in the paper's network, row by row, and the paper's own arithmetic."""

from __future__ import annotations

import math
import statistics
from collections.abc import Callable, Sequence
from functools import cache, partial
from itertools import product
from typing import Unpack

import bentpipe as bp
from bentpipe import study as st
from bentpipe_papers.hybla_im import ns2
from bentpipe_papers.hybla_im.bed import HYBLA_IM, PERS, SPACED, T1, TCP_LINUX, scenario
from bentpipe_papers.hybla_im.readings import NEWRENO, Made, Measure, fall, gain, main, others

START_S = 10.0
#: Section 4, last paragraph: Hybla-IM over Hybla at each packet error rate, in percent.
PRINTED_RATIO = {PERS[0]: 6.0, PERS[1]: 13.0, PERS[2]: 17.0}
#: Section 4, last paragraph: the change of each controller from the previous error rate, in percent.
PRINTED_STEP = {PERS[1]: {"hybla": -13.0, "hybla-im": -7.3}, PERS[2]: {"hybla": -32.0, "hybla-im": -24.0}}

#: “Significantly” has no number. We read it as more than a tenth.
SIGNIFICANT_PERCENT = 10.0
#: The paper's sentence on all three ratios.
HIGHER = "“Hybla IM throughput is 6% higher than Hybla, 13%, and 17%, respectively”"


@cache
def implied_ratios() -> dict[float, float]:
    table = bp.model("hybla-im-consistency").table
    return dict(zip(table["packet_error_rate"], table["implied_gain_percent"], strict=True))


def implied_ratio(per: float) -> float:
    """The ratio of Hybla-IM to Hybla at `per` that the paper's other percentages imply, in percent (H-22)."""
    return implied_ratios()[per]


def contradiction(per: float, *, tolerance: float = 2.0) -> str:
    """The contradiction in words, if the printed ratio at `per` is not the implied ratio; otherwise empty.

    A step between two error rates has four percentages: two falls, and the gains before and after it. They make one
    contradiction.
    """
    printed, implied = PRINTED_RATIO[per], implied_ratio(per)
    if abs(implied - printed) <= tolerance:
        return ""
    hybla, improved = (-PRINTED_STEP[per][name] for name in ("hybla", "hybla-im"))
    return (
        f"At {per:g}, a gain of {printed:g} % contradicts the falls by {hybla:g} % (Hybla) and {improved:g} % "
        "(Hybla-IM), if each gain is over Hybla at the same error rate. The other percentages imply a gain of "
        f"{implied:.1f} %, or falls by {-implied_fall('hybla', per):.1f} and {-implied_fall('hybla-im', per):.1f} %"
    )


def implied_fall(name: str, per: float) -> float:
    """Fall of one controller at `per` compared with the next lower error rate, in percent.

    It follows from the gains at both error rates and from the fall of the other controller.
    """
    step = (100.0 + PRINTED_RATIO[per]) / (100.0 + PRINTED_RATIO[PERS[PERS.index(per) - 1]])
    [other] = [other for other in PRINTED_STEP[per] if other != name]
    kept = 100.0 + PRINTED_STEP[per][other]
    return (kept / step if name == "hybla" else kept * step) - 100.0


def gains_over_the_first() -> dict[float, float]:
    """Gains in percent that follow from the falls.

    Each gain is then a share of Hybla's throughput at the lowest error rate.
    """
    level = {"hybla": 1.0, "hybla-im": 1.0 + PRINTED_RATIO[PERS[0]] / 100.0}
    found = {}
    for per, falls in PRINTED_STEP.items():
        level = {name: level[name] * (1.0 + falls[name] / 100.0) for name in level}
        found[per] = 100.0 * (level["hybla-im"] - level["hybla"])
    return found


def fluctuation(run: bp.Run) -> float:
    """Standard deviation of the goodput per second divided by its mean, without the start-up."""
    values = [value for time, value in st.total_goodput(run) if time > START_S]
    return float(statistics.stdev(values) / statistics.fmean(values))


def at_start(run: bp.Run) -> float:
    return statistics.fmean(value for time, value in st.total_goodput(run) if time <= START_S)


def doublings(ours: Sequence[float], base: Sequence[float]) -> bp.Estimate:
    """Mean of log2(ours / base) over the seeds, for ratios that differ so much that the largest dominates the mean."""
    return bp.estimate([math.log2(a / b) for a, b in zip(ours, base, strict=True)])


def in_all_readings(
    runs: st.Runs, what: str, measure: Measure, said: st.Statement, **words: Unpack[st.Words]
) -> st.Claim:
    words["readings"] = others(runs, measure)
    return st.claim(what, measure(main(runs)), said, **words)


def ratio_claim(runs: st.Runs, per: float) -> st.Claim:
    return in_all_readings(
        runs,
        f"throughput of Hybla-IM compared with Hybla's at PER {per:g}",
        gain(per),
        st.equals(PRINTED_RATIO[per], sign=1),
        contradiction=contradiction(per),
        implied=implied_ratio(per),
        headline=f"{HIGHER}: {PRINTED_RATIO[per]:g} % at {per:g}",
        decides="With SACK, the paper's 30 flows keep the 1.5 Mbit/s link full under both controllers. With NewReno, "
        "which repairs one loss per round trip, the link is idle at times",
    )


def unsteady(made: Made) -> bp.Estimate:
    improved, hybla = ([fluctuation(run) for run in made(PERS[0], name)] for name in ("hybla-im", "hybla"))
    return doublings(improved, hybla)


def early(made: Made) -> bp.Estimate:
    hybla, improved = ([at_start(run) for run in made(PERS[0], name)] for name in ("hybla", "hybla-im"))
    return bp.relative_change(hybla, improved)


def lost(made: Made, per: float = PERS[0]) -> bp.Estimate:
    return bp.relative_change(*(st.loss_percent(made(per, name)) for name in ("hybla", "hybla-im")))


def at_low_error(runs: st.Runs) -> list[st.Claim]:
    return [
        ratio_claim(runs, PERS[0]),
        in_all_readings(
            runs,
            "fluctuation of the 1 s throughput after 10 s (standard deviation divided by mean), Hybla-IM compared with "
            "Hybla, PER 1e-4",
            unsteady,
            st.below("doublings"),
        ),
        in_all_readings(
            runs,
            "throughput of the first 10 s, Hybla compared with Hybla-IM, PER 1e-4",
            early,
            st.above(),
            note="According to the text, Hybla “can quickly occupy network bandwidth and improve throughput at the "
            "beginning”. We read this as a lead over Hybla-IM in the first 10 s",
        ),
    ]


def losses(runs: st.Runs) -> list[st.Claim]:
    return [
        in_all_readings(
            runs,
            "packet loss rate of Hybla compared with Hybla-IM's at PER 1e-4",
            lost,
            st.above(),
            headline="“the packet loss rate of Hybla algorithm is higher than that of Hybla IM”",
            decides="If a `window_` of 20 limits both controllers, no combination is for the claim. With the minimal "
            "TCP, and with ns-2's Newreno and a large `window_`, no combination is against it. Hybla and "
            "Hybla-IM have the same ρ and the same first threshold",
        ),
        *(
            in_all_readings(
                runs,
                f"packet loss rate of Hybla compared with Hybla-IM's at PER {per:g}",
                partial(lost, per=per),
                st.at_least(SIGNIFICANT_PERCENT),
                note="The conclusion says “Hybla IM improves the throughput, significantly reduces the packet loss "
                "rate” and names no error rate. Figure 5 shows only 1e-4. We read “significantly” as "
                "more than a tenth",
            )
            for per in PERS[1:]
        ),
        in_all_readings(
            runs,
            "packet loss rate of Hybla compared with Hybla-IM's at PER 1e-4 (“significantly”)",
            lost,
            st.at_least(SIGNIFICANT_PERCENT),
            note="The conclusion names no error rate, and Figure 5 shows only 1e-4. We read “significantly” as more "
            "than a tenth",
            headline="“significantly reduces the packet loss rate”",
            decides="We set the bound of 10 % for “significantly”; the paper gives none",
        ),
    ]


def over_a_step(runs: st.Runs, per: float) -> list[st.Claim]:
    before = PERS[PERS.index(per) - 1]
    claims = []
    for name, paper in PRINTED_STEP[per].items():
        words: st.Words = {}
        if name == "hybla":
            words["note"] = ns2.told(per)
            words["tool"], words["tool_note"] = ns2.fall(per)
        words["decides"] = (
            "The paper's 30 flows keep the 1.5 Mbit/s link full, so link errors cannot reduce the throughput. In ns-2 "
            "with a large `window_`, the flows do not keep the link full"
        )
        quoted = f"lower at the link error rate of {per:g} than that at the link error rate of {before:g}"
        if per == PERS[1]:
            quoted = f"lower than that at the link error rate of {before:g}"
        whose = "Hybla" if name == "hybla" else "Hybla-IM"
        words["headline"] = f"{whose}'s throughput “is {-paper:g}% {quoted}”"
        if reason := contradiction(per):
            words["implied"], words["contradiction"] = implied_fall(name, per), reason
        what = f"{name}: throughput at PER {per:g} compared with PER {before:g}"
        claims.append(in_all_readings(runs, what, fall(name, per), st.equals(paper, sign=-1), **words))
    return [*claims, ratio_claim(runs, per)]


def spared(runs: list[bp.Run]) -> bp.Estimate | None:
    """Percent of Hybla-IM's judged link errors that led to a reduction of the window; None with fewer than two runs."""
    shares = [share for share in (st.confusion(run)["P(E|R)"] for run in runs) if share is not None]
    return bp.estimate([100.0 * (1.0 - share) for share in shares]) if len(shares) > 1 else None


def better(runs: list[bp.Run]) -> bp.Estimate | None:
    """Sum of both shares of correct judgements minus 1.

    Uses the runs with losses of both causes; None with fewer than two.
    """
    judged = [(m["P(C|C)"], m["P(E|R)"]) for m in map(st.confusion, runs)]
    sums = [of_c + of_e - 1.0 for of_c, of_e in judged if of_c is not None and of_e is not None]
    return bp.estimate(sums) if len(sums) > 1 else None


#: The other readings of the detector: name, reason, controller and TCP.
DETECTORS: dict[str, tuple[str, str | dict[str, object], bp.Tcp]] = {
    "a = 1/32": ("The paper gives no weight a.", {**HYBLA_IM, "qd_gain": 1 / 32}, TCP_LINUX),
    "a = 1/8": ("The paper gives no weight a; TCP's smoothed RTT uses 1/8.", {**HYBLA_IM, "qd_gain": 1 / 8}, TCP_LINUX),
    "packet spacing": ("Hybla's authors describe packet spacing.", HYBLA_IM | SPACED, TCP_LINUX),
    "ns-2's Newreno below": ("ns-2's own agents have no SACK by default.", HYBLA_IM, NEWRENO),
}


def plan_detectors(effort: st.Effort) -> dict[st.Key, bp.Scenario]:
    return {
        ("detector", words, per, seed): scenario(
            T1, per, controller, seed, name=f"hybla-im, {words}", duration=T1.duration(effort), tcp=tcp
        )
        for (words, (_, controller, tcp)), per, seed in product(DETECTORS.items(), PERS, effort.seeds)
    }


def of_detector(
    runs: st.Runs,
    per: float,
    measure: Callable[[list[bp.Run]], bp.Estimate | None],
    what: str,
    said: st.Statement,
    **words: Unpack[st.Words],
) -> list[st.Claim]:
    """A claim on the detector over T1, in all readings; None if fewer than two runs had losses to judge."""
    here = measure(runs.of(T1.id, per, "hybla-im"))
    if here is None:
        return []
    words["readings"] = tuple(
        st.InReading(name=name, why=why, measured=seen)
        for name, (why, _, _) in DETECTORS.items()
        if (seen := measure(runs.of("detector", name, per))) is not None
    )
    planned = len(runs.of(T1.id, per, "hybla-im"))
    if here.samples < planned:
        few = f"Only {here.samples} of {planned} runs had losses of both causes"
        words["note"] = f"{words['note']}. {few}" if words.get("note") else few
    return [st.claim(what, here, said, **words)]


def called_by_errors(run: bp.Run) -> float:
    """The number of link errors in a run that the controller treated as congestion."""
    return float(st.verdicts([run])["error_as_congestion"])


def fewer(made: Made, per: float) -> bp.Estimate:
    """Number of link errors in a run that the controller treated as congestion: Hybla-IM minus Hybla."""
    return st.paired(*([called_by_errors(run) for run in made(per, name)] for name in ("hybla-im", "hybla")))


def fewer_calls(runs: st.Runs) -> list[st.Claim]:
    return [
        in_all_readings(
            runs,
            f"link errors in a run that the controller treats as congestion at PER {per:g}, Hybla-IM minus Hybla",
            partial(fewer, per=per),
            st.below("calls"),
            note=(
                "A link error counts only if it is the first loss of a loss episode. Hybla treats every such loss as "
                "congestion"
            ),
            headline="“reduce the call of congestion control mechanism caused by error packet loss”"
            if per == PERS[2]
            else "",
            decides="The paper's 30 flows overload the 1.5 Mbit/s link, so the first loss of an episode is hardly ever "
            "a link error",
        )
        for per in PERS[1:]
    ]


def told_apart(runs: st.Runs) -> list[st.Claim]:
    return [
        claim
        for per in PERS
        for claim in of_detector(
            runs,
            per,
            better,
            f"PER {per:g}: share of congestion losses judged correctly, plus share of link errors judged correctly, "
            "minus 1 (0 = guessing, 1 = all correct)",
            st.above("", 2),
            letter="abc"[PERS.index(per)],
            headline="“effectively distinguishes the causes of packet loss”" if per == PERS[2] else "",
            decides="The paper's 30 flows keep the queue of the 1.5 Mbit/s link full, so the queueing delay hardly "
            "depends on the cause of a loss. All combinations that support the claim use ns-2's Newreno, which "
            "leaves the link idle at times. The paper gives no weight a for the detector",
        )
    ]
