# SPDX-License-Identifier: MIT OR Apache-2.0
"""HYBIC's rules per ACK and per loss, with packets (equation 7; Y-04)."""

from __future__ import annotations

import math
import statistics
from itertools import product

import bentpipe as bp
from bentpipe import plots
from bentpipe import study as st
from bentpipe_papers.hybic.bed import GAMMA, REFERENCE_MS, RTTS_MS, jitter_ms, scenario

BETA_KEPT = 0.7


def plan_rules(effort: st.Effort) -> st.Plan:
    plans: dict[st.Key, bp.Scenario] = {}
    for seed, rtt_ms in product(effort.seeds, RTTS_MS):
        path = bp.Dumbbell(
            rate="100 Mbit/s", rtt=f"{rtt_ms + jitter_ms(seed):g} ms", queue="1 BDP", loss=bp.Loss(per=1e-5)
        )
        plans[rtt_ms, seed] = scenario(
            f"rules, {rtt_ms:g} ms", path, [bp.Flow(controller="hybic")], seed, 60.0, interval="10 ms", events=True
        )
    return plans


def threshold_at(run: bp.Run, rtt_ms: float) -> tuple[float, float]:
    """Time in s at which the window first reached rho gamma (NaN if never), and the largest window in slow start."""
    times, window = st.series(run, "cwnd_segments")
    aimed = GAMMA * rtt_ms / REFERENCE_MS
    there = times[window >= 0.995 * aimed]
    phases = [phase for phase, flow in zip(run.flows["phase"], run.flows["flow"], strict=True) if flow == 0]
    left = next((place for place, phase in enumerate(phases) if phase == "avoidance"), len(phases) - 1)
    return (float(there[0]) if there.size else math.nan), float(window[: left + 1].max())


@st.reads(
    id="Y-04",
    place="Equation 7",
    what="the rules per ACK and per loss",
    says=(
        "Slow start adds 2^rho - 1 per ACK. Avoidance has CUBIC's friendly and concave regions, but the RTT does not "
        "appear in them."
    ),
    plan=plan_rules,
)
def read_rules(runs: st.Runs) -> st.Finding:
    st.own_limit(runs[key] for key in runs)
    rows = []
    kept, reached, ends, by_eight = {}, {}, {}, {}
    for rtt_ms in RTTS_MS:
        here = runs.of(rtt_ms)
        true = [rtt_ms + jitter_ms(seed) for seed in runs.effort.seeds]
        times = [threshold_at(run, rtt) for run, rtt in zip(here, true, strict=True)]
        reached[rtt_ms] = st.sampled([at for at, _ in times])
        ends[rtt_ms] = st.sampled([w / (GAMMA * rtt / REFERENCE_MS) for (_, w), rtt in zip(times, true, strict=True)])
        each = [[after / before for _, before, after in st.cuts(run, timeouts=False)] for run in here]
        means = [statistics.fmean(shares) for shares in each if shares]
        kept[rtt_ms] = bp.estimate(means) if len(means) > 1 else bp.fixed(math.nan)
        by_eight[rtt_ms] = REFERENCE_MS / 1e3 * (math.log2(rtt_ms / REFERENCE_MS) + math.log2(GAMMA))
        cells = [
            st.shown(reached[rtt_ms], 2),
            f"{by_eight[rtt_ms]:.2f}",
            st.shown(ends[rtt_ms], 3),
            st.shown(kept[rtt_ms], 3),
        ]
        rows.append([f"{rtt_ms:g}", *cells, str(sum(map(len, each)))])
    figure, axes = plots.new(1, 2, height=2.8)
    for axis, rtt_ms in zip(axes, RTTS_MS, strict=True):
        run = runs.of(rtt_ms)[0]
        times_s, window = st.series(run, "cwnd_segments")
        axis.plot(times_s[::4], window[::4], label="cwnd")
        axis.axhline(GAMMA * rtt_ms / REFERENCE_MS, color="#000000", linestyle="--", linewidth=0.8, label="rho gamma")
        axis.set(xlabel="s", title=f"{rtt_ms:g} ms", ylim=(0, None), xlim=(0, 60))
    axes[0].set_ylabel("cwnd (segments)")
    axes[0].legend(loc="best")
    far = RTTS_MS[1]
    # Equation 7 acts when an ACK arrives, and the first ACK arrives after a round trip.
    first_ack_s = far / 1e3
    early = ", before the first ACK" if by_eight[far] < first_ack_s else ""
    return st.found(
        "Equation 7 acts when an ACK arrives, and the first ACK arrives after a round trip. With a round trip of "
        f"{far:g} ms, the window reaches rho gamma after {reached[far].mean:.2f} s; equation 8 gives "
        f"{by_eight[far]:.2f} s{early}. With 600 ms, the times are {reached[RTTS_MS[0]].mean:.2f} s (packets) and "
        f"{by_eight[RTTS_MS[0]]:.2f} s (equation 8). Slow start ends at a window of {ends[far].mean:.2f} rho gamma. "
        f"At a loss, HYBIC keeps {kept[RTTS_MS[0]].mean:.2f} of the window, which is our beta",
        st.claim(
            f"window at the end of slow start divided by rho gamma, {far:g} ms",
            ends[far],
            st.equals(1.0, "", 3, within=st.rounding("1.0"), check=True),
        ),
        st.claim(
            "share of the window kept at a loss (beta of equation 7 as in RFC 8312), 600 ms",
            kept[RTTS_MS[0]],
            st.equals(BETA_KEPT, "", 3, within=st.rounding("0.7"), check=True),
            note="The paper prints no beta. We use 0.7, as in the RFC that the paper cites. The number is a mean over "
            "the seeds",
        ),
        st.claim(
            f"time until the window is rho gamma, {far:g} ms; equation 8 gives the paper's number",
            reached[far],
            st.equals(round(by_eight[far], 2), "s", 2, within=st.rounding("1.15")),
            implied=first_ack_s,
            contradiction=(
                f"The time of equation 8 is {by_eight[far] / first_ack_s:.2f} round trips. Equation 7 changes the "
                f"window only when an ACK arrives, and the first ACK arrives after {first_ack_s:.3f} s"
            ),
        ),
        st.Sheet(
            "When HYBIC's window reaches rho gamma, and what it keeps at a loss (one flow, 100 Mbit/s, buffer 1 BDP, "
            "PER 1e-5)",
            st.heads(
                "RTT (ms) | rho gamma after (s) | by equation 8 (s) | slow start ends (rho gamma) | kept | "
                "cuts, all seeds"
            ),
            rows,
        ),
        st.Picture("HYBIC's window in the packet simulation with the first seed; dashed: rho gamma.", figure),
        "The step 2^rho is limited to 2^16, and a step of slow start ends at rho gamma. Without these limits, the "
        "first ACK would add more segments than any path holds.",
        "We corrected three faults of equation 7. Its concave region lacks “W +”. In its friendly region, the paper "
        "prints a window where the equation needs an increment. Its beta is the share of the window that is kept at "
        "a loss, but the beta of equation 4 is the share that is removed. Our controller is the CUBIC of RFC 9438, "
        "with the paper's constant A in place of C. In the friendly region, the window grows by one step in each "
        "RTTref instead of each round trip.",
    )
