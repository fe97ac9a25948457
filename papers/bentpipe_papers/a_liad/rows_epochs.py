# SPDX-License-Identifier: MIT OR Apache-2.0
"""Sections 3.2 and 3.3: the epochs of a running A-LIAD beside the equations (figure 3, equations 4 to 7)."""

from __future__ import annotations

import itertools
import math
import statistics
from collections.abc import Iterator
from itertools import product

import numpy as np

import bentpipe as bp
from bentpipe import plots
from bentpipe import study as st
from bentpipe_papers.a_liad import bed
from bentpipe_papers.a_liad.bed import single
from bentpipe_papers.a_liad.rows_growth import LITERAL, RULES, rounds

INCREASE_RATE_MBIT_S = 50.0
INCREASE_RTTS_MS = (75.0, 600.0)


def epochs(run: bp.Run) -> Iterator[tuple[float, float]]:
    """(start, end) in s of the congestion epochs, from the end of a recovery to the next window reduction."""
    changes = st.events(run, "phase", columns=("time_s", "detail"))
    back = [float(row["time_s"]) for row in changes if row["detail"] == "avoidance"]
    cuts = [time for time, _, _ in st.cuts(run)]
    for cut, following in itertools.pairwise([*cuts, math.inf]):
        start = min((time for time in back if time >= cut), default=math.inf)
        if start < following < math.inf:
            yield start, following


def gap_factor(run: bp.Run) -> float:
    """Factor of the gap to W_max per round trip, while it falls from nine tenths to a tenth; NaN if not observed.

    The number of round trips is the integral of dt/RTT.
    """
    times, windows = st.series(run, "cwnd_segments")
    passed = rounds(run)
    at, w_max = st.snapshot(run, "w_max_segments")
    factors = []
    for start, stop in epochs(run):
        inside = (times > start) & (times < stop)
        if inside.sum() < 3:
            continue
        gap = w_max[np.searchsorted(at, start)] - windows[inside]
        fit = (gap < 0.9 * gap[0]) & (gap > 0.1 * gap[0])
        if gap[0] > 20 and fit.sum() >= 3:
            factors.append(math.exp(float(np.polyfit(passed[inside][fit], np.log(gap[fit]), 1)[0])))
    return statistics.fmean(factors) if factors else math.nan


def by_six(alpha: float) -> float:
    """Fraction of the gap that rule (6) leaves after W ACKs. Each ACK removes (1 - 1/alpha)/W of the gap."""
    return math.exp(1.0 / alpha - 1.0)


@st.reads(
    id="A-06",
    place="equations 4 to 6, section 3.2",
    what="the logarithmic increase",
    says="The window is W_max (1 - beta (1/alpha)^(t/RTT)); each ACK sets W to W + (1 - 1/alpha)(W_max - W)/W",
    plan=lambda effort: {
        (rtt_ms, rule, seed): single(
            rule,
            seed,
            controller,
            rate_mbit_s=INCREASE_RATE_MBIT_S,
            rtt_ms=rtt_ms,
            buffer="0.75 BDP",
            interval="10 ms",
            events=True,
            duration_s=length_s,
        )
        for rtt_ms, length_s in zip(INCREASE_RTTS_MS, (25.0, 60.0), strict=True)
        for (rule, controller), seed in product((RULES | {"alpha = 2, literal": "liad"}).items(), effort.seeds)
    },
)
def read_increase(runs: st.Runs) -> st.Finding:
    labels = (*RULES, "alpha = 2, literal")
    factor = {one: [gap_factor(run) for run in runs.of(*one)] for one in product(INCREASE_RTTS_MS, labels)}
    alpha = {
        rtt: statistics.fmean(float(st.snapshot(run, "alpha")[1][-1]) for run in runs.of(rtt, LITERAL))
        for rtt in INCREASE_RTTS_MS
    }
    claims = [
        st.claim(
            f"share of the gap to W_max that is left after one round trip of {rtt:g} ms, by equation 6; equation 4 "
            "gives 1/alpha",
            bp.estimate(factor[rtt, LITERAL]),
            st.equals(round(1 / alpha[rtt], 4), "", 3, within=0.05),
            implied=by_six(alpha[rtt]),
            contradiction="Equation 4 divides the gap by alpha in a round trip. Equation 6 divides it by exp(1 - "
            f"1/alpha), which leaves {by_six(alpha[rtt]):.3f}",
        )
        for rtt in INCREASE_RTTS_MS
    ]
    rows = []
    for rtt, rule in product(INCREASE_RTTS_MS, labels):
        a = 2.0 if rule == labels[-1] else alpha[rtt]
        hand = by_six(a) if "literal" in rule else 1 / a
        known = [x for x in factor[rtt, rule] if not math.isnan(x)]
        seen = bp.estimate(known).text(3) if known else "faster than a round trip"
        rows.append([f"{rtt:g} ms", rule, f"{a:.4g}", seen, f"{hand:.4f}"])
    said = "; ".join(
        f"{claim.measured.mean:.3f} at {rtt:g} ms (computed from equation 6: {by_six(alpha[rtt]):.3f}, from equation "
        f"4: {1 / alpha[rtt]:.3g})"
        for rtt, claim in zip(INCREASE_RTTS_MS, claims, strict=True)
    )
    return st.found(
        f"The share of the gap to W_max that is left after a round trip is {said}. With equation 6 as printed, at "
        "least 1/e of the gap is left for every alpha",
        *claims,
        st.Sheet(
            f"share of the gap to W_max that is left after a round trip ({INCREASE_RATE_MBIT_S:g} Mbit/s, buffer "
            "0.75 BDP)",
            ("path", "rule", "alpha", "measured", "by hand"),
            rows,
        ),
        "The number of ACKs in a round trip equals the window of the previous round trip, which is a little smaller. "
        "The measured shares are therefore larger than the computed ones.",
        "At 600 ms, the rules other than equation 6 are slowed by the limit of one segment per ACK: W can at most "
        "double in a round trip.",
    )


DECREASE_BUFFERS = {"0.25 BDP": 0.25, "0.5 BDP": 0.5, "1 BDP": 1.0, "2 BDP": 2.0}
UNBOUND = {"name": "a-liad-paper", "beta_max": 0.9}


def given_up(run: bp.Run) -> float:
    """Median share by which the window is reduced, over the reductions after the first 5 s."""
    shares = [1.0 - after / before for time, before, after in st.cuts(run, timeouts=False) if time > 5.0]
    return statistics.median(shares) if shares else math.nan


@st.reads(
    id="A-07",
    place="equation 7, section 3.2",
    what="the adaptive decrease",
    says="beta = 1 - RTTmin/RTTmax",
    plan=lambda effort: {
        (label, buffer, seed): single(
            label, seed, controller, rtt_ms=100.0, buffer=buffer, events=True, duration_s=60.0
        )
        for label, controller in (("equation 7", UNBOUND), ("at most 1/2", "a-liad-paper"))
        for buffer, seed in product(DECREASE_BUFFERS, effort.seeds)
    },
)
def read_decrease(runs: st.Runs) -> st.Finding:
    given = {
        one: bp.estimate([given_up(run) for run in runs.of(*one)])
        for one in product(("equation 7", "at most 1/2"), DECREASE_BUFFERS)
    }
    return st.found(
        "A full buffer of b BDP makes RTTmax = (1 + b) RTTmin, so beta is b/(1 + b). The measured beta is "
        + ", ".join(f"{given['equation 7', buffer].mean:.3f}" for buffer in DECREASE_BUFFERS)
        + (
            " for b = 0.25, 0.5, 1 and 2. With a buffer above 1 BDP, A-LIAD would reduce the window by more than "
            "half; our presets reduce it by at most half, as H-TCP does"
        ),
        *[
            st.claim(
                f"share of the window that a loss removes, buffer {buffer}",
                given["equation 7", buffer],
                st.equals(round(b / (1.0 + b), 3), "", 3, within=max(0.0005, 0.05 * b / (1.0 + b)), check=True),
                note="The expected number follows from equation 7 and our buffer",
            )
            for buffer, b in DECREASE_BUFFERS.items()
        ],
        st.Sheet(
            "share of the window that a loss removes",
            ("buffer", "computed: b/(1+b)", "equation 7", "preset (at most 1/2)"),
            [
                [
                    buffer,
                    f"{b / (1 + b):.3f}",
                    given["equation 7", buffer].text(3),
                    given["at most 1/2", buffer].text(3),
                ]
                for buffer, b in DECREASE_BUFFERS.items()
            ],
        ),
        "If the queue was never filled, RTTmax equals RTTmin, and beta is 0: a random loss then does not change the "
        "window.",
    )


SAME_ALPHA_RTTS_MS = (75.0, 300.0)
SAME_ALPHA_TRIED: dict[str, bed.Controller] = {
    "alpha = 2 (LIAD*)": "liad",
    "A-LIAD, literal": "a-liad-paper",
    "A-LIAD, exact": {"name": "a-liad-paper", "ack_rule": "exact"},
    "A-LIAD, online alpha, exact": {"name": "a-liad-paper", "ack_rule": "exact", "alpha_mode": "online"},
}


def epoch_s(run: bp.Run) -> float:
    """Mean time in s between two reductions after the first 20 s."""
    times = [time for time, _, _ in st.cuts(run, timeouts=False) if time > 20.0]
    return float(np.diff(times).mean()) if len(times) > 1 else math.nan


@st.reads(
    id="A-08",
    place="Figure 3, section 3.3",
    what="two flows with different round trips and the same alpha",
    says="The duration of the congestion epoch for a short RTT flow is shorter than for a long RTT flow",
    plan=lambda effort: {
        (label, rtt_ms, seed): single(
            label, seed, controller, rtt_ms=rtt_ms, duration_s=120.0, interval="100 ms", events=True
        )
        for (label, controller), rtt_ms, seed in product(SAME_ALPHA_TRIED.items(), SAME_ALPHA_RTTS_MS, effort.seeds)
    },
)
def read_same_alpha(runs: st.Runs) -> st.Finding:
    lasts = {one: [epoch_s(run) for run in runs.of(*one)] for one in product(SAME_ALPHA_TRIED, SAME_ALPHA_RTTS_MS)}
    short, long = SAME_ALPHA_RTTS_MS
    ratio = {
        label: bp.estimate([b / a for a, b in zip(lasts[label, short], lasts[label, long], strict=True)])
        for label in SAME_ALPHA_TRIED
    }
    figure, axes = plots.new(1, 3, height=2.6)
    for axis, label in zip(axes, ("alpha = 2 (LIAD*)", "A-LIAD, literal", "A-LIAD, exact"), strict=True):
        for rtt in SAME_ALPHA_RTTS_MS:
            times, windows = st.series(runs[label, rtt, runs.effort.seeds[0]], "cwnd_segments")
            shown = (times > 60) & (times < 90)
            axis.plot(times[shown], windows[shown] / windows[shown].max(), label=f"{rtt:g} ms", linewidth=1.0)
        axis.set(title=label, xlabel="s", ylim=(0, 1.1))
    axes[0].set_ylabel("window / largest window")
    axes[0].legend(fontsize="small", loc="best")
    return st.found(
        f"With alpha = 2, an epoch at 300 ms lasts {ratio['alpha = 2 (LIAD*)'].mean:.1f} times as long as an epoch at "
        f"75 ms. With A-LIAD as printed, the factor is {ratio['A-LIAD, literal'].mean:.1f}, and with the exact rule "
        f"{ratio['A-LIAD, exact'].mean:.1f}",
        st.claim(
            "duration of an epoch at 300 ms divided by that at 75 ms, alpha = 2",
            ratio["alpha = 2 (LIAD*)"],
            st.above("", 2, than=1.0),
        ),
        st.Sheet(
            "time between window reductions, s (10 Mbit/s, buffer 1 BDP)",
            ("rule", *(f"{rtt:g} ms" for rtt in SAME_ALPHA_RTTS_MS), "ratio"),
            [
                [label, *(bp.estimate(lasts[label, rtt]).text(2) for rtt in SAME_ALPHA_RTTS_MS), ratio[label].text(2)]
                for label in SAME_ALPHA_TRIED
            ],
        ),
        st.Picture(
            "Figure 3: windows of two flows with different round trips, with the same alpha and with A-LIAD's "
            "two rules (first seed)",
            figure,
        ),
        "With a buffer of 1 BDP, the measured round trip is between the path's round trip and twice this value.",
    )
