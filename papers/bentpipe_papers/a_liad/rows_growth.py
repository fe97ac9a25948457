# SPDX-License-Identifier: MIT OR Apache-2.0
"""Section 3: the window of a running A-LIAD beside the equations (figure 2, equations 1 to 3)."""

from __future__ import annotations

import math
import statistics
from itertools import product

import numpy as np

import bentpipe as bp
from bentpipe import plots
from bentpipe import study as st
from bentpipe_papers.a_liad import bed
from bentpipe_papers.a_liad.bed import single
from bentpipe_papers.a_liad.rows_start_up import slow_start_end, until

RULES: dict[str, bed.Controller] = {
    "literal (2), (6)": "a-liad-paper",
    "by rounds (5)": {"name": "a-liad-paper", "ack_rule": "round"},
    "exact (1), (4)": {"name": "a-liad-paper", "ack_rule": "exact"},
}
LITERAL, BY_ROUNDS, EXACT = RULES


def in_order(run: bp.Run) -> bool:
    times, windows = st.series(run, "cwnd_segments")
    end, entered = slow_start_end(run)
    losses = [time for time, _, _ in st.cuts(run)]
    if len(losses) < 2 or not end < losses[0]:
        return False
    half, first = float(times[windows >= entered / 2][0]), losses[0]
    # A round trip for the SYN, then doublings of 600 ms each from 2 segments to gamma. The second half takes longer for
    # a single factor of two.
    doubles = half <= 1.5e-3 * bed.GEO_MS * (math.log2(entered / 4.0) + 2.0)
    slows = end - half > 2e-3 * bed.GEO_MS
    probes = float(windows[times <= first].max()) > entered
    drops = float(windows[times > first].min()) < float(windows[times <= first].max())
    return 0.0 < half < end < first and doubles and slows and probes and drops


@st.reads(
    id="A-02",
    place="Figure 2, section 3",
    what="phases of the window",
    says="exponential, then logarithmic slow start; max-probing; epochs of decrease and logarithmic increase (a "
    "sketch)",
    plan=lambda effort: {
        (seed,): single("A-LIAD", seed, interval="100 ms", events=True, duration_s=60.0, buffer="0.75 BDP")
        for seed in effort.seeds
    },
)
def read_phases(runs: st.Runs) -> st.Finding:
    run = runs[(runs.effort.seeds[0],)]
    times, windows = st.series(run, "cwnd_segments")
    end, entered = slow_start_end(run)
    cuts = st.cuts(run)
    ssthresh = entered / 2
    half = float(times[windows >= ssthresh][0])
    figure, (axis,) = plots.new(1, 1, height=3.2)
    axis.plot(times, windows, linewidth=1.2)
    axis.plot(*st.snapshot(run, "w_max_segments"), linestyle="--", linewidth=0.9, label="W_max")
    marks = (
        (0.0, half, "slow start, exponential"),
        (half, end, "slow start, logarithmic"),
        (end, cuts[0][0], "probing"),
        (cuts[0][0], float(times[-1]), "epochs: decrease by beta, logarithmic increase"),
    )
    top = 1.25 * float(windows.max())
    for number, (start, stop, label) in enumerate(marks):
        axis.axvspan(start, stop, color=plots.COLOURS[number], alpha=0.10, linewidth=0)
        narrow = stop - start < 10.0
        axis.text(
            (start + stop) / 2,
            0.97 * top,
            label,
            fontsize="x-small",
            ha="center",
            va="top",
            rotation=90 if narrow else 0,
        )
    axis.set(xlabel="s", ylabel="window (segments)", ylim=(0, top), xlim=(0, float(times[-1])))
    axis.legend(fontsize="small", loc="lower right")
    return st.found(
        "The paper shows a sketch without numbers. Our run has the phases of the sketch in their order. The window "
        f"grows exponentially to {ssthresh:.0f} segments (at {half:.1f} s), and logarithmically to {entered:.0f} (at "
        f"{end:.1f} s). In max-probing, it grows to {cuts[0][1]:.0f} (at {cuts[0][0]:.1f} s). Then {len(cuts)} "
        "epochs follow",
        st.claim(
            "share of the runs that have the phases of figure 2 in their order",
            st.sampled([100.0 * in_order(runs[(seed,)]) for seed in runs.effort.seeds]),
            st.equals(100.0, check=True),
            note="The phases are: exponential growth, logarithmic growth, probing above the threshold, a loss, epochs",
        ),
        st.Picture("Figure 2: the phases in a run (GEO, 10 Mbit/s, buffer 0.75 BDP, no packet errors)", figure),
    )


def plan_slow_start(effort: st.Effort) -> dict[st.Key, bp.Scenario]:
    return {
        (rule, seed): single(rule, seed, controller, interval="20 ms", events=True, duration_s=16.0)
        for (rule, controller), seed in product(RULES.items(), effort.seeds)
    }


def rounds(run: bp.Run) -> plots.Floats:
    """Number of round trips until each time of the series: the integral of dt/RTT."""
    times, rtt_ms = st.series(run, "rtt_ms")
    known = ~np.isnan(rtt_ms)
    return np.cumsum(np.diff(times, prepend=0.0) / (1e-3 * np.interp(times, times[known], rtt_ms[known])))


def second_half(run: bp.Run) -> tuple[float, float, float]:
    """Round trips from gamma to the threshold, the threshold, and the largest step of W within 20 ms at gamma."""
    end, reached = slow_start_end(run)
    times, windows = st.series(run, "cwnd_segments")
    start = float(times[windows >= reached / 2][0])
    passed = float(np.interp(end, times, rounds(run)) - np.interp(start, times, rounds(run)))
    around = windows[(times >= start - 0.1) & (times <= start + 0.1)]
    return passed, reached, float(np.diff(around).max())


@st.reads(
    id="A-03",
    place="equation 1, section 3.1",
    what="the S-shaped function of slow start",
    says="2^(t/RTT) up to gamma, then gamma + gamma (1 - gamma (1/2)^(t/RTT))",
    plan=plan_slow_start,
)
def read_s_function(runs: st.Runs) -> st.Finding:
    found = {rule: [second_half(run) for run in runs.of(rule)] for rule in RULES}
    bdp = {seed: bed.bdp_packets(10.0, bed.drawn_rtt_ms(bed.GEO_MS, seed)) for seed in runs.effort.seeds}
    reached = [one[1] / bdp[seed] for one, seed in zip(found[EXACT], runs.effort.seeds, strict=True)]
    gamma = statistics.fmean(one[1] for one in found[EXACT]) / 2
    figure, (axis,) = plots.new(1, 1, height=3.0)
    seed = runs.effort.seeds[0]
    for rule in (EXACT, LITERAL):
        times, windows = st.series(runs[rule, seed], "cwnd_segments")
        axis.plot(times[::3], windows[::3], linewidth=1.1, label=f"run, rule {rule}")
    times, windows = st.series(runs[EXACT, seed], "cwnd_segments")
    at = float(times[windows >= gamma][0])
    base_s = 1e-3 * bed.drawn_rtt_ms(bed.GEO_MS, seed)
    # Equation 1, second branch, from t_gamma on.
    curve = gamma + gamma * (1.0 - 0.5 ** ((times[times >= at] - at) / base_s))
    axis.plot(times[times >= at][::3], curve[::3], "k--", linewidth=1.0, label="equation 1 (paper)")
    for level, label in ((gamma, "gamma"), (2 * gamma, "2 gamma = threshold")):
        axis.axhline(level, color="#000000", linestyle=":", linewidth=0.8, label=label)
    axis.set(xlabel="s", ylabel="window (segments)", xlim=(0, 16), ylim=(0, 2.2 * gamma))
    axis.legend(fontsize="small", loc="best")
    return st.found(
        "With the exact rule, the run follows equation 1: growth from gamma to one segment below the threshold takes "
        f"{statistics.fmean(x for x, _, _ in found[EXACT]):.2f} round trips, and log2(gamma) is "
        f"{math.log2(gamma):.2f}. The function never reaches the threshold, so the controller ends slow start one "
        "segment below it",
        st.claim(
            "round trips from gamma to one segment below the threshold (equation 1), exact rule",
            bp.estimate([one[0] for one in found[EXACT]]),
            st.equals(round(math.log2(gamma), 2), "RTT", 2, within=0.5, check=True),
            note=(
                "The expected value is log2(gamma). The tolerance is half a round trip, because the window grows in "
                "bursts"
            ),
        ),
        st.claim(
            "limit of the S-function divided by the path's BDP (2 gamma is the threshold)",
            bp.estimate(reached),
            st.equals(1.0, "BDP", 3, within=0.05, check=True),
        ),
        st.Picture("Equation 1 beside runs (GEO, 10 Mbit/s)", figure),
        "We read “Half of the ssthresh value gamma” as gamma = ssthresh/2. With gamma = ssthresh, the curve would "
        "end at twice the threshold.",
        f"The curve is continuous at gamma: the largest step within 20 ms is {max(one[2] for one in found[EXACT]):.0f} "
        "segments, which is a burst of ACKs at the link's rate.",
    )


@st.reads(
    id="A-04",
    place="equation 2, section 3.1",
    what="slow start per ACK",
    says="Each ACK sets W to W + 1, and later to W + gamma/W - 1/2",
    plan=plan_slow_start,
)
def read_slow_start_per_ack(runs: st.Runs) -> st.Finding:
    found = {rule: bp.estimate([second_half(run)[0] for run in runs.of(rule)]) for rule in RULES}
    gamma = statistics.fmean(second_half(run)[1] for run in runs.of(EXACT)) / 2
    # Equation 2 closes half of the gap in W steps of 1/W, so a gap of gamma segments is 1 after 2 ln(gamma) round
    # trips.
    by_two = 2.0 * math.log(gamma)
    # The exponential half before goes from 2 segments to gamma.
    doublings = math.log2(gamma / 2.0)
    return st.found(
        f"Equation 2, applied to each ACK, needs {found[LITERAL].mean:.1f} round trips from gamma to the threshold. "
        f"The curve of equation 1, from which equation 2 is derived, needs {math.log2(gamma):.1f}. Each ACK updates "
        "the W in the denominator, so a round trip divides the gap to the threshold by exp(1/2) = "
        f"{math.exp(0.5):.2f} and not by 2",
        st.claim(
            "round trips from gamma to the threshold by equation 2 as printed (the number follows from equation 1)",
            found[LITERAL],
            st.equals(round(math.log2(gamma), 2), "RTT", 2, within=0.5),
            implied=by_two,
            contradiction=(
                "Equation 1 halves the gap to the threshold in a round trip. Equation 2 divides it by exp(1/2), and "
                f"so needs {by_two:.2f} round trips"
            ),
        ),
        st.Sheet(
            "round trips of the logarithmic half of slow start",
            ("rule", "measured", "by hand"),
            [
                [LITERAL, found[LITERAL].text(2), f"2 ln(gamma) = {by_two:.2f}"],
                [BY_ROUNDS, found[BY_ROUNDS].text(2), f"log2(gamma) = {math.log2(gamma):.2f}"],
                [EXACT, found[EXACT].text(2), f"log2(gamma) = {math.log2(gamma):.2f}"],
            ],
        ),
        f"The whole slow start from a window of 2 segments takes {doublings + math.log2(gamma):.1f} round trips by "
        f"equation 1, and {doublings + by_two:.1f} by equation 2.",
    )


DELTAS = (1.2, 1.5, 1.8, 1.93, 2.1, 2.5, 3.0)
DELTAS_QUICK = (1.2, 1.5, 1.93, 2.5)
BUFFERS = ("0.5 BDP", "1 BDP", "2 BDP")
INCREASES = {"the text: 1/W": "linear", "equation 3: +1": "exponential"}


@st.reads(
    id="A-05",
    place="equation 3, section 3.2",
    what="max-probing and delta",
    says="Each ACK sets W to W + ssthresh/W - 1/2 if RTT/RTTmin is below delta, and to W + 1 otherwise; delta = 1.93 "
    "gives the best results",
    plan=lambda effort: {
        (label, buffer, delta, seed): single(
            "A-LIAD",
            seed,
            {"name": "a-liad-paper", "delta": delta, "probe_inc": how},
            buffer=buffer,
            duration_s=60.0,
            interval="1 s",
        )
        for label, how in INCREASES.items()
        for buffer, delta, seed in product(BUFFERS, effort.pick(DELTAS_QUICK, DELTAS), effort.seeds)
    },
)
def read_max_probing(runs: st.Runs) -> st.Finding:
    deltas = runs.effort.pick(DELTAS_QUICK, DELTAS)
    used = {one: [until(run, 60.0) for run in runs.of(*one)] for one in product(INCREASES, BUFFERS, deltas)}
    lost = {
        key: bp.estimate([float(run.summary["flows"][0]["losses"]["queue"]) for run in runs.of(*key)]) for key in used
    }
    others = [delta for delta in deltas if delta != 1.93]
    claims = []
    for label in INCREASES:
        best_other = [max(column) for column in zip(*(used[label, "1 BDP", d] for d in others), strict=True)]
        claims.append(
            st.claim(
                f"utilisation of 60 s with delta = 1.93 minus that with the best other delta, buffer 1 BDP ({label})",
                st.paired(used[label, "1 BDP", 1.93], best_other),
                st.above("points", 3),
                note=(
                    "For “the best results”, the text names no measure and no buffer. We use the utilisation and a "
                    "buffer of 1 BDP"
                ),
            )
        )
    figure, axes = plots.new(1, 2, height=2.8)
    for axis, label in zip(axes, INCREASES, strict=True):
        for buffer, marker in zip(BUFFERS, "os^", strict=True):
            st.with_errors(
                axis, deltas, [lost[label, buffer, d] for d in deltas], f"buffer {buffer}", marker=marker, markersize=4
            )
        axis.axvline(1.93, color="#000000", linestyle="--", linewidth=0.9, label="paper: 1.93")
        axis.set(title=label, xlabel="delta", yscale="symlog", ylim=(-0.3, 3e4))
    axes[0].set_ylabel("packets lost in 60 s")
    axes[1].legend(fontsize="small", loc="lower left")
    one = "equation 3: +1", "1 BDP"
    return st.found(
        "With the linear increase of the text, delta has hardly any effect on the throughput, because the growth "
        "towards twice the threshold stops when path and buffer are full. With equation 3's +1 per ACK and a buffer "
        f"of 1 BDP, a flow loses {lost[(*one, 1.93)].mean:.0f} packets if delta is 1.93, and "
        f"{lost[(*one, 2.5)].mean:.0f} packets if delta is 2.5, which RTT/RTTmin never reaches. 1.93 is just below 1 "
        "+ buffer/BDP, so the best delta depends on the buffer",
        *claims,
        *[
            st.grid(
                f"{label}: utilisation of 60 s, % (packets lost)",
                "delta",
                deltas,
                {f"buffer {buffer}": (label, buffer) for buffer in BUFFERS},
                lambda delta, key: f"{bp.estimate(used[*key, delta]).text(2)} ({lost[*key, delta].mean:.0f})",
            )
            for label in INCREASES
        ],
        st.Picture(
            "Lost packets as a function of delta, for the two readings of probing (GEO, 10 Mbit/s, 95 % intervals)",
            figure,
        ),
        "The text says “slowly with a linear increase”. Equation 3 prints W + 1 for each ACK, which doubles W in each "
        "round trip.",
    )
