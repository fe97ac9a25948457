# SPDX-License-Identifier: MIT OR Apache-2.0
"""Section 2: windows and rates of standard TCP and of Hybla (H-01 to H-04)."""

from __future__ import annotations

import math
from functools import cache
from itertools import product
from typing import Any

import numpy as np

import bentpipe as bp
from bentpipe import plots
from bentpipe import study as st
from bentpipe_papers.hybla_im.bed import HYBLA, dumbbell
from bentpipe_papers.transport import BARE

#: Section 3.1: round trip of the reference path.
RTT0_MS = 25.0
#: The reference path and Table 1.
TYPICAL_MS = (RTT0_MS, 50.0, 250.0, 550.0)
#: Threshold of the reference path in segments for showing formulas. The paper does not state one.
GAMMA = 32.0
#: Hybla with this threshold.
THRESHOLD: dict[str, object] = {"name": "hybla", "initial_ssthresh": "rho_gamma", "gamma": GAMMA}
#: Moments of the table of equation 1, s.
WINDOW_AT_S = (0.1, 0.5, 1.0, 5.0, 10.0)


@cache
def curve(rtt_ms: float, duration_s: float, step_ms: float) -> dict[str, plots.Floats]:
    """Equations 1 to 5 for one round trip and γ = 32: the columns of the model "hybla-window"."""
    table = bp.model("hybla-window", rtt_ms=rtt_ms, gamma=GAMMA, duration_s=duration_s, step_ms=step_ms).table
    return {name: plots.column(table.arrow, name) for name in table.columns}


def at_time(rtt_ms: float, name: str, times_s: tuple[float, ...]) -> plots.Floats:
    whole = curve(rtt_ms, max(times_s), 100.0)[name]
    return whole[[round(10.0 * time) for time in times_s]]


def alone(controller: str | dict[str, object], rtt: float, name: str, duration: str, record: bp.Record) -> bp.Scenario:
    more: dict[str, Any] = {"rate": "1 Gbit/s", "initial_window": 1, "record": record, "tcp": BARE}
    return dumbbell(controller, rtt, 1, name=name, duration=duration, **more)


def first_ack(rtt: float) -> bp.Scenario:
    """Hybla from one segment, without a threshold in reach, until just after the first ACK."""
    hybla: dict[str, object] = {"name": "hybla", "initial_ssthresh": "rho_gamma", "gamma": 1e6}
    return alone(hybla, rtt, "first ACK", f"{rtt + 2:g} ms", bp.Record(interval="1 ms", events=False))


def avoidance(rtt: float) -> bp.Scenario:
    record = bp.Record(interval="1 ms", events=False, packets={"from": "1 s", "to": "2 s"})
    return alone(THRESHOLD, rtt, "no losses, gamma 32", "2 s", record)


def with_losses(effort: st.Effort, name: str = "reno") -> dict[st.Key, bp.Scenario]:
    """Flows at PER 1e-4 on a link that they never fill, by ("losses", name, round trip, seed)."""
    return {
        ("losses", name, rtt, seed): dumbbell(
            HYBLA if name == "hybla" else name,
            rtt,
            seed,
            name=f"{name}, PER 1e-4",
            duration=effort.pick("80 s", "140 s"),
            rate="200 Mbit/s",
            per=1e-4,
            warm_up="20 s",
            record=bp.Record(interval="1 s", events=False) if seed == effort.seeds[0] else None,
        )
        for rtt, seed in product(TYPICAL_MS, effort.seeds)
    }


def per_round_in_avoidance(run: bp.Run, rtt: float) -> float:
    """Growth of the window per round trip in segments, over the longest span in avoidance."""
    times, window = plots.over_time(run.flows, "cwnd_segments")
    stretches: list[tuple[int, int]] = []
    begun = 0
    for i, phase in enumerate(run.flows["phase"]):
        if phase != "avoidance" or window[i] < window[max(i - 1, 0)]:
            begun = i + 1
        elif i > begun:
            stretches.append((i - begun, begun))
    length, first = max(stretches)
    last = first + length
    return float((window[last] - window[first]) / (times[last] - times[first])) * rtt / 1000.0


def per_round_at_start(run: bp.Run, rtt: float) -> float:
    """Growth factor per round trip over the first five, of the window half a round after each round's first ACK."""
    times, window = plots.over_time(run.flows, "cwnd_segments")
    one, six = (float(window[np.searchsorted(times, rounds * rtt / 1000.0)]) for rounds in (1.5, 6.4))
    return float((six / one) ** 0.2)


def draw_window(runs: st.Runs) -> st.Figure:
    figure, (left, right) = plots.new(1, 2, height=3.2)
    for colour, rtt in zip(plots.COLOURS, TYPICAL_MS, strict=False):
        model = curve(rtt, 10.0, 25.0)
        left.plot(
            model["time_s"],
            model["standard_window_segments"],
            color=colour,
            linestyle="--",
            linewidth=1.2,
            label=f"{rtt:g} ms",
        )
        times, window = plots.over_time(runs["start", rtt].flows, "cwnd_segments")
        step = slice(None, None, max(1, len(times) // 400))
        right.plot(times[step], window[step], color=colour, linewidth=1.2)
        right.plot(times[step], 2.0 ** (1000.0 * times[step] / rtt), color=colour, linestyle="--", linewidth=0.9)
    left.set(title="Paper, equation 1, γ = 32", xlabel="s", ylabel="W (segments)", yscale="log")
    left.legend(fontsize="small", loc="best")
    right.set(title="Reno without losses; dashed: 2^(t/RTT)", xlabel="s", yscale="log")
    return figure


@st.reads(
    id="H-01",
    place="equation 1, section 2",
    what="standard TCP's window over time",
    says="The window is 2^(t/RTT) in slow start, and grows by one segment per round trip in avoidance",
    plan=lambda effort: {
        **{
            ("start", rtt): alone(
                "reno", rtt, "reno, no losses", f"{6.5 * rtt:g} ms", bp.Record(interval="1 ms", events=False)
            )
            for rtt in TYPICAL_MS
        },
        **with_losses(effort),
    },
)
def read_window(runs: st.Runs) -> st.Finding:
    first = runs.effort.seeds[0]
    rows = []
    found = []
    for rtt in TYPICAL_MS:
        factor = per_round_at_start(runs["start", rtt], rtt)
        step = per_round_in_avoidance(runs["losses", "reno", rtt, first], rtt)
        model = [f"{value:.1f}" for value in at_time(rtt, "standard_window_segments", WINDOW_AT_S)]
        rows.append([f"{rtt:g}", *model, f"{factor:.3f}", f"{step:.3f}"])
        found.append(
            st.claim(
                f"growth factor of Reno's window per round trip in slow start, RTT {rtt:g} ms",
                bp.fixed(factor),
                st.equals(2.0, "", 3, within=0.1, check=True),
            )
        )
        found.append(
            st.claim(
                f"growth of Reno's window per round trip in avoidance, RTT {rtt:g} ms",
                bp.fixed(step),
                st.equals(1.0, "segments", 3, within=0.05, check=True),
            )
        )
    head = ["RTT ms", *(f"W({time:g} s)" for time in WINDOW_AT_S)]
    return st.found(
        "Reno doubles its window in each round trip of slow start, and adds one segment per round trip in avoidance, "
        "as equation 1 says. In the paper, the window starts with one segment",
        *found,
        st.Sheet(
            "Growth by equation 1 with γ = 32, and growth of Reno in the simulator",
            (*head, "slow start per RTT", "avoidance per RTT"),
            rows,
        ),
        st.Picture("Windows of equation 1, and of Reno in the simulator from one segment on", draw_window(runs)),
        "Growth in avoidance is measured over the longest interval without a loss in the run at PER 1e-4, first seed.",
    )


@st.reads(
    id="H-02",
    place="equation 2, section 2",
    what="standard TCP's rate as a function of the round trip",
    says="The rate is smaller if the RTT is larger",
    plan=with_losses,
)
def read_rate(runs: st.Runs) -> st.Finding:
    good = {rtt: st.goodput(runs.of("losses", "reno", rtt)) for rtt in TYPICAL_MS}
    changes = {rtt: bp.relative_change(good[rtt], good[RTT0_MS]) for rtt in TYPICAL_MS[1:]}
    rows = []
    for rtt in TYPICAL_MS:
        model = [f"{value:.0f}" for value in at_time(rtt, "standard_rate_segments_s", (1.0, 5.0, 10.0))]
        change = "–" if rtt == RTT0_MS else st.change_text(changes[rtt])
        rows.append([f"{rtt:g}", *model, bp.estimate(good[rtt]).text(2), change])
    return st.found(
        "At PER 1e-4, Reno's goodput at 50, 250 and 550 ms, compared with its goodput at 25 ms, is "
        f"{', '.join(st.change_text(change) for change in changes.values())}. At 550 ms, Reno has only "
        f"{np.mean(st.lost_packets(runs.of('losses', 'reno', TYPICAL_MS[-1]), 'error')):.1f} losses in a run, so it "
        "does not reach its steady state",
        *[
            st.claim(f"goodput of Reno with an RTT of {rtt:g} ms compared with 25 ms, PER 1e-4", change, st.below())
            for rtt, change in changes.items()
        ],
        st.Sheet(
            "Rate of equation 2 with γ = 32 in segments/s, and Reno's goodput",
            ("RTT ms", "B(1 s)", "B(5 s)", "B(10 s)", "Reno at PER 1e-4, Mbit/s", "against 25 ms"),
            rows,
        ),
    )


def plan_switch(_: st.Effort) -> st.Plan:
    return {("avoidance", rtt): avoidance(rtt) for rtt in TYPICAL_MS}


def rho_of(run: bp.Run) -> float:
    named = zip(run.snapshots["name"], run.snapshots["value"], strict=True)
    return [float(value) for name, value in named if name == "rho"][-1]


@st.reads(
    id="H-03",
    place="equation 3 and section 3.1",
    what="normalised round trip ρ",
    says="ρ is RTT/25 ms, which is 1 to 22 between 25 and 550 ms",
    plan=plan_switch,
)
def read_rho(runs: st.Runs) -> st.Finding:
    measured = {rtt: rho_of(runs["avoidance", rtt]) for rtt in TYPICAL_MS}
    return st.found(
        "On these paths, the ρ of Bentpipe's controller equals RTT/25 ms. The small difference is the transmission "
        "time of a packet, 8 µs",
        *[
            st.claim(
                f"ρ at {rtt:g} ms",
                bp.fixed(rho),
                st.equals(rtt / RTT0_MS, "", 3, within=0.05 * rtt / RTT0_MS, check=True),
            )
            for rtt, rho in measured.items()
        ],
    )


def draw_switch(runs: st.Runs) -> st.Figure:
    figure, (axis,) = plots.new(1, 1, height=3.2)
    for colour, rtt in zip(plots.COLOURS, TYPICAL_MS, strict=False):
        times, window = plots.over_time(runs["avoidance", rtt].flows, "cwnd_segments")
        steps = slice(None, None, 4)
        axis.plot(times[steps], window[steps], color=colour, linewidth=1.3, label=f"Hybla, RTT {rtt:g} ms")
        model = curve(rtt, 1.5, 4.0)
        axis.plot(model["time_s"], model["hybla_window_segments"], color=colour, linewidth=0.9, linestyle="--")
    axis.plot([], [], color="#555555", linestyle="--", linewidth=0.9, label="paper, equation 4")
    axis.axvline(RTT0_MS / 1000.0 * math.log2(GAMMA), linewidth=1.0, color="#555555", linestyle=":", label="t_γ,0")
    axis.set(title="γ = 32, no losses", xlabel="s", ylabel="W (segments)", yscale="log", xlim=(0, 1.5))
    axis.legend(fontsize="small", ncols=2, loc="best")
    return figure


@st.reads(
    id="H-04",
    place="equation 4, section 2",
    what="Hybla's window over time, and the end of slow start",
    says="t_γ,0 = RTT0 log2 γ is the same for every round trip",
    plan=plan_switch,
)
def read_switch(runs: st.Runs) -> st.Finding:
    switched: dict[float, float] = {}
    rows = []
    for rtt in TYPICAL_MS:
        times, window = plots.over_time(runs["avoidance", rtt].flows, "cwnd_segments")
        target = rtt / RTT0_MS * GAMMA
        switched[rtt] = float(times[np.flatnonzero(window >= target)[0]])
        rows.append([f"{rtt:g}", f"{target:g}", f"{RTT0_MS * math.log2(GAMMA):g}", f"{1000 * switched[rtt]:.0f}"])
    late = 100.0 * (switched[TYPICAL_MS[-1]] / switched[RTT0_MS] - 1.0)
    return st.found(
        "At 250 and 550 ms, t_γ,0 = 25 ms · log2 32 = 125 ms is shorter than a round trip, so the first ACK arrives "
        "later. The measured times at 25, 50, 250 and 550 ms are "
        f"{', '.join(f'{1000 * at:.0f}' for at in switched.values())} ms. After this time, the growth is the same on "
        "all paths. The late start of the long paths remains as a lag (row H-05). A larger γ makes this lag smaller "
        "only in relation to t_γ,0",
        st.claim(
            "time until the window reaches ρ·γ, 550 ms compared with 25 ms", bp.fixed(late), st.equals(0.0, within=5.0)
        ),
        st.Sheet("Time of the switch to avoidance, γ = 32", ("RTT ms", "ρ·γ", "equation 4, ms", "measured, ms"), rows),
        st.Picture(
            ("Windows of equation 4 (dashed), and of Hybla in the simulator from one segment on"), draw_switch(runs)
        ),
        "Equations 1 to 6 of section 2 are those of Hybla's authors (2004).",
        "The curves of equation 4 start with ρ segments at t = 0, but the controller starts with one segment.",
    )
