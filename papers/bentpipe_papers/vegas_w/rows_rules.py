# SPDX-License-Identifier: MIT OR Apache-2.0
"""The parts of Vegas-W: Vegas's thresholds and Westwood's filter (section III; V-01, V-02)."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

import bentpipe as bp
from bentpipe import plots
from bentpipe import study as st
from bentpipe_papers.vegas_w import bed


def thresholds() -> dict[str, tuple[float, float]]:
    """Readings of “1 kb/s and 3 kb/s”: alpha and beta in the paper's packets on our path."""
    model = bp.model("vegas-queue", rtt_ms=bed.RTT_MS, packet_bytes=bed.PACKET_BYTES, capacity_mbit_s=bed.RATE_MBIT_S)
    rows = model.table.arrow.to_pylist()
    return {str(row["reading"]): (row["least_queue_packets"], row["largest_queue_packets"]) for row in rows}


#: The measured span in s. After an early exit from slow start, a window that grows by one per round fills the path
#: after 480 s.
REST_S = (600.0, 700.0)


def plan_thresholds(effort: st.Effort) -> st.Plan:
    plans: dict[st.Key, bp.Scenario] = {}
    for unit, (alpha, beta) in thresholds().items():
        controller = {"name": "vegas", "alpha": alpha, "beta": beta}
        plans[unit, effort.seeds[0]] = bed.scenario(
            f"thresholds in {unit}",
            [bed.tcp(controller, effort.seeds[0])],
            bed.bottleneck(bed.RTT_MS, effort.seeds[0], per=0.0),
            seed=effort.seeds[0],
            duration_s=REST_S[1],
            interval_ms=bed.RTT_MS,
        )
    return plans


@st.reads(
    id="V-01",
    place="Equation 1, section III.A",
    what="Vegas's rule and the units of its thresholds",
    says="cwnd grows below alpha, shrinks above beta, “usually set as 1kb/s and 3kb/s”; diff is “the amount of "
    "extra packets”.",
    plan=plan_thresholds,
)
def read_thresholds(runs: st.Runs) -> st.Finding:
    figure, (axis,) = plots.new(1, 1, height=3.2)
    rows, units = [], thresholds()
    rest: dict[str, float] = {}
    delivered: dict[str, float] = {}
    for colour, (unit, (alpha, beta)) in zip(plots.COLOURS, units.items(), strict=False):
        (run,) = runs.of(unit)
        times, diff = st.snapshot(run, "diff_segments")
        rest[unit] = st.mean_between(times, diff, *REST_S)
        queue = st.mean_between(*plots.over_time(run.links, "queue_packets", "max"), *REST_S)
        delivered[unit] = st.mean_between(*bed.on_the_wire(run), *REST_S)
        late = diff[(times > REST_S[0]) & (times <= REST_S[1])]
        cells = [f"{rest[unit]:.2f}", f"{late.min():.2f} to {late.max():.2f}", f"{queue:.2f}"]
        rows.append([unit, f"{alpha:.3g}", f"{beta:.3g}", *cells, f"{delivered[unit]:.2f}"])
        axis.plot(times[::2], diff[::2], label=unit, color=colour, linewidth=1.0)
        for value in (alpha, beta):
            axis.axhline(value, color=colour, linestyle="--", linewidth=0.8)
    axis.set(
        xlabel="s",
        ylabel="diff (packets)",
        xlim=(450, REST_S[1]),
        title=("Packets that wait on the path, as Vegas computes them"),
    )
    # Thresholds are between less than a tenth of a packet and three packets.
    axis.set_yscale("symlog", linthresh=0.1, linscale=0.6)
    ticks = (0.0, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0)
    axis.set_yticks(ticks, [f"{tick:g}" for tick in ticks])
    axis.minorticks_off()
    axis.set_ylim(0.0, 10.0)
    axis.legend(
        title="alpha and beta (dashed) in", loc="lower right", bbox_to_anchor=(1.0, 1.0), ncols=3, fontsize="small"
    )
    low, high = units["kbit/s"]
    return st.found(
        "The value diff is a rate in equation 1 and a number of packets in the text. With thresholds in packets, "
        f"Vegas reaches an equilibrium of {rest['packets']:.2f} queued packets, which is between alpha and beta. The "
        f"printed 1 kb/s and 3 kb/s, read as kbit/s, are {low:.2g} and {high:.2g} packets at {bed.RTT_MS:g} ms. With "
        f"these thresholds, Vegas delivers {delivered['kbit/s']:.2f} of {bed.RATE_MBIT_S:g} Mbit/s from "
        f"{REST_S[0]:g} s to {REST_S[1]:g} s",
        *[
            st.claim(
                f"packets of Vegas in the queue in equilibrium, {name} = {value:g} packets",
                bp.fixed(rest["packets"]),
                st.Statement(unit="packets", digits=2, paper=value, sign=sign, tolerance=0.0, bound=True, check=True),
                note="Every number between alpha and beta is an equilibrium. One flow without losses has no random "
                "part",
            )
            for name, value, sign in zip(("alpha", "beta"), units["packets"], (1, -1), strict=True)
        ],
        st.Sheet(
            f"Means from {REST_S[0]:g} s to {REST_S[1]:g} s, in equilibrium or not; one flow alone, base RTT "
            f"{bed.RTT_MS:g} ms",
            st.heads(
                "unit of the thresholds | alpha (packets) | beta (packets) | diff | diff, smallest to largest | queue "
                "(packets) | Mbit/s"
            ),
            rows,
        ),
        st.Picture("diff over time for three readings of “1 kb/s and 3 kb/s”.", figure),
        "Equation (1) compares diff, a difference of two rates, with alpha and beta in kb/s. The text calls diff "
        "“the amount of extra packets”. The equation and the text agree only if diff is multiplied by BaseRTT, which "
        "gives packets, as in ns-2.",
        "All other rows use packets: alpha 1, beta 3, gamma 1.",
    )


TAUS_S = (0.02, 0.05, 0.1, 0.2, 0.5, 1.0)
#: Time constant in s, which all other rows use.
TAU_S = 0.05


def plan_filter(effort: st.Effort) -> st.Plan:
    plans: dict[st.Key, bp.Scenario] = {}
    for label in (bed.VEGAS_W, bed.REPAIRED):
        base: Any = bed.CONTROLLERS[label]
        for tau_s in TAUS_S:
            table = base if isinstance(base, dict) else {"name": base}
            controller = {**table, "tau": f"{tau_s * 1e3:g} ms"}
            # With a buffer of a bandwidth-delay product, the rule ends slow start, and not an overflow.
            plans[label, tau_s, effort.seeds[0]] = bed.start_up(
                f"{label}, tau {tau_s:g} s", controller, effort.seeds[0], queue=f"{bed.bdp_packets():.0f} packets"
            )
            if label == bed.VEGAS_W:
                plans["loss", tau_s, effort.seeds[0]] = bed.start_up(
                    f"{label}, tau {tau_s:g} s, 200 packets", controller, effort.seeds[0]
                )
    return plans


@st.reads(
    id="V-02",
    place="Equations 2-5, section III.B",
    what="Westwood's bandwidth filter",
    says="The filter is a low-pass filter by Tustin's approximation, and 1/tau is its cut-off frequency. No tau is "
    "given.",
    plan=plan_filter,
)
def read_filter(runs: st.Runs) -> st.Finding:
    figure, (step, use) = plots.new(1, 2, height=3.0)
    rows, rise = [], {}
    model = bp.model(
        "vegas-w-filter",
        tau_s=TAUS_S,
        rtt_ms=bed.RTT_MS,
        packet_bytes=bed.PACKET_BYTES,
        capacity_mbit_s=bed.RATE_MBIT_S,
    )
    facts = model.facts
    of, times, estimates = (np.array(model.table[name]) for name in ("tau_s", "time_s", "estimate_segments_s"))
    exits: dict[str, list[float]] = {bed.VEGAS_W: [], bed.REPAIRED: []}
    after_loss, lost_at = [], []
    for tau_s in TAUS_S:
        rise[tau_s] = facts[f"reaches_63_percent_at_tau_{tau_s:g}_s"]
        poles = (facts[f"coefficient_at_tau_{tau_s:g}"], facts[f"coefficient_after_idle_round_trip_at_tau_{tau_s:g}"])
        cells = [f"{tau_s:g}", f"{poles[0]:.5f}", f"{poles[1]:.2f}", f"{rise[tau_s] / tau_s:.3f}"]
        for label in exits:
            (run,) = runs.of(label, tau_s)
            seen_at, seen = st.snapshot(run, "bandwidth_segments_per_s")
            at, window = bed.left_slow_start(run)
            asked = float(seen[np.searchsorted(seen_at, at) - 1])
            exits[label].append(window)
            cells += [f"{asked * 8e-6 * bed.PACKET_BYTES:.2f}", f"{window:.0f}"]
        (run,) = runs.of("loss", tau_s)
        _, threshold = st.series(run, "ssthresh_segments")
        after_loss.append(float(threshold[np.isfinite(threshold)][0]))
        lost_at.append(bed.left_slow_start(run)[1])
        rows.append([*cells, f"{after_loss[-1]:.0f}"])
        share = estimates[of == tau_s] / facts["step_segments_s"]
        step.plot(times[of == tau_s][::20], share[::20], label=f"{tau_s:g} s", linewidth=1.1)
    step.axhline(1.0 - math.exp(-1.0), color="#000000", linestyle="--", linewidth=0.8, label="1 - 1/e")
    step.set(
        xlabel="s", ylabel="estimate over rate", title=f"Step of the rate, ACKs every {facts['ack_spacing_ms']:.2f} ms"
    )
    step.legend(title="tau", fontsize="small", loc="best")
    for label, windows in exits.items():
        use.plot(TAUS_S, windows, marker="o", label=label)
    use.plot(TAUS_S, after_loss, marker="s", linestyle="--", label=f"{bed.VEGAS_W}: ssthresh at its first loss")
    use.axhline(bed.bdp_packets(), color="#000000", linestyle="--", linewidth=0.8, label="bandwidth-delay product")
    use.axvline(bed.RTT_MS / 1e3, color="#000000", linestyle=":", linewidth=0.8, label="round trip")
    use.set(xscale="log", xlabel="tau (s)", ylabel="cwnd as slow start ends (segments)", ylim=(0, None))
    use.legend(fontsize="small", loc="best")
    spread = facts["two_forms_of_coefficient_largest_difference"]
    worst = max((rise[tau] / tau for tau in TAUS_S), key=lambda ratio: abs(ratio - 1.0))
    decides = "tau decides" if max(after_loss) > 1.1 * min(after_loss) else "tau hardly changes"
    head = ["tau (s)", "pole (4)", "after an idle round trip", "time to 63 % (tau)"]
    head += [
        f"{label}: {what}"
        for label in exits
        for what in (("estimate at the end of slow start (Mbit/s)"), "cwnd at exit")
    ]
    head.append(f"{bed.VEGAS_W}, buffer 200: ssthresh at the first loss")
    return st.found(
        f"The filter reaches 63 % of a step after at most {worst:.3f} tau. In Vegas-W, {decides} the window after a "
        f"loss. The sender detects the first overflow at a window of {max(lost_at):.0f} segments or less, and sets "
        f"ssthresh to {after_loss[TAUS_S.index(TAU_S)]:.0f} segments with tau = {TAU_S:g} s and to "
        f"{after_loss[-1]:.0f} with tau = {TAUS_S[-1]:g} s. The path holds {bed.bdp_packets():.0f} segments",
        st.claim(
            "time until the filter reaches 63 % of a step, the largest of six tau (1/tau is the cut-off frequency)",
            bp.fixed(worst),
            st.equals(1.0, "tau", 3, within=0.05, check=True),
            note="This number is computed from equations (3) and (4), without random numbers",
        ),
        st.Sheet(
            "Response of the filter, and window and estimate at the end of slow start (540 ms, buffer of "
            "one bandwidth-delay product)",
            head,
            rows,
        ),
        st.Picture(
            "Left: response of the filter by equations (3) and (4). Right: window at which slow start ends.",
            figure,
        ),
        f"Equation (4) and (2 tau - D)/(2 tau + D) differ by at most {spread:.1g} over all tau.",
        "Above D = 2 tau, the factor of equation (4) is negative, and the filter would oscillate. In this case, the "
        "controller uses a factor of zero. An interval D of this length is the pause between two bursts of slow "
        "start.",
        "The paper gives no tau; we use 50 ms. The estimate must follow the spacing inside a burst. An average over "
        "round trips would be cwnd/RTT, so the estimated window would never exceed the present window.",
        f"{bed.VEGAS_W} reads the newest estimate at the first ACK of a round, just after a pause. With a short tau, "
        f"the pause has halved the estimate. With a long tau, the pause has not. “{bed.REPAIRED}” reads the largest "
        "estimate of two rounds.",
    )
