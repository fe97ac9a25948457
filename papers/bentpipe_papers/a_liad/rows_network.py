# SPDX-License-Identifier: MIT OR Apache-2.0
"""Sections 1 and 4.1: the network of figure 4, and the effect of the round trip on standard TCP."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from itertools import product

import numpy as np

import bentpipe as bp
from bentpipe import plots
from bentpipe import study as st
from bentpipe_papers.a_liad.bed import scenario, single
from bentpipe_papers.a_liad.rows_fairness import length


def plan_network(effort: st.Effort) -> dict[st.Key, bp.Scenario]:
    def ping(to: str) -> bp.Flow:
        return bp.Flow(kind="ping", from_="0", to=to, name=f"to {to}", interval="100 ms")

    seed = effort.seeds[0]
    return {(rtt,): scenario([ping("2"), ping("3")], seed, rtt_ms=rtt, duration_s=10.0) for rtt in (25.0, 600.0)}


@st.reads(
    id="A-12",
    place="Figure 4, section 4.1",
    what="the network",
    says="Wired links are followed by a satellite link. All connections share the link R1-R2 of 10 or 50 Mbit/s",
    plan=plan_network,
)
def read_network(runs: st.Runs) -> st.Finding:
    seen = {rtt: [st.given(flow["rtt_ms"])["min"] for flow in runs[(rtt,)].summary["flows"]] for rtt in (25.0, 600.0)}
    figure, (axis,) = plots.new(1, 1, height=1.3)
    for place, name in enumerate(("sources", "R1", "R2", "satellite's\nreceivers")):
        axis.text(place, 0, name, ha="center", va="center", bbox={"boxstyle": "round", "fc": "white", "ec": "black"})
    for place, (name, colour) in enumerate(
        (
            ("100 Mbit/s, 1 ms", "#0072b2"),
            ("10 or 50 Mbit/s, 5 ms\nqueue 1 BDP", "#d55e00"),
            ("100 Mbit/s, rest\nPER", "#009e73"),
        )
    ):
        axis.plot((place + 0.16, place + 0.84), (0, 0), color=colour, linewidth=2)
        axis.text(place + 0.5, 0.12, name, ha="center", va="bottom", fontsize="small")
    axis.set(xlim=(-0.4, 3.4), ylim=(-0.2, 0.45))
    axis.set_axis_off()
    return st.found(
        f"Figure 4 shows no numbers. In our GEO network, pings take {seen[600.0][1]:.1f} ms over the whole path with "
        f"the satellite, and {seen[600.0][0]:.1f} ms over the wired part. In our network for section 4.5, pings take "
        f"{seen[25.0][1]:.1f} ms over the whole path",
        st.Picture("Figure 4: the network of this study", figure),
    )


STANDARD_RTTS_MS = (50.0, 100.0, 200.0, 400.0)


def growth_of(run: bp.Run, rtt_ms: float) -> float:
    """Median growth of the window in segments per second, over spans of 5 round trips without a reduction."""
    _, windows = st.series(run, "cwnd_segments")
    step = max(round(5 * rtt_ms / 200.0), 1)
    gained = windows[step:] - windows[:-step]
    return float(np.median(gained[gained > 0])) / (0.2 * step)


def exponent(x: Sequence[float], y: Sequence[float]) -> float:
    """Slope of log y against log x."""
    return float(np.polyfit(np.log(x), np.log(y), 1)[0])


@st.reads(
    id="A-26",
    place="section 1",
    what="standard TCP as a function of the round trip",
    says="TCP increases its sending rate proportionally to 1/RTT",
    plan=lambda effort: {
        (rtt, seed): single(
            "NewReno", seed, rate_mbit_s=50.0, rtt_ms=rtt, per=1e-3, interval="200 ms", **length(effort)
        )
        for rtt, seed in product(STANDARD_RTTS_MS, effort.seeds)
    },
)
def read_standard_tcp(runs: st.Runs) -> st.Finding:
    rates, windows, rises = [], [], []
    for seed in runs.effort.seeds:
        rate = [st.goodputs(runs[rtt, seed])[0] for rtt in STANDARD_RTTS_MS]
        growth = [growth_of(runs[rtt, seed], rtt) for rtt in STANDARD_RTTS_MS]
        rates.append(exponent(STANDARD_RTTS_MS, rate))
        windows.append(exponent(STANDARD_RTTS_MS, growth))
        rises.append(exponent(STANDARD_RTTS_MS, [g / rtt for g, rtt in zip(growth, STANDARD_RTTS_MS, strict=True)]))
    return st.found(
        f"The throughput under random loss is proportional to RTT^{statistics.fmean(rates):.2f}. The growth of the "
        f"window per second is proportional to RTT^{statistics.fmean(windows):.2f}. The text is about the sending "
        f"rate: its growth per second is therefore proportional to RTT^{statistics.fmean(rises):.2f}, and its growth "
        f"per round trip to RTT^{statistics.fmean(windows):.2f}. “Proportionally to 1/RTT” means RTT^-1",
        st.claim(
            "exponent of the RTT in the throughput of standard TCP, PER 0.1 %",
            bp.estimate(rates),
            st.equals(-1.0, "", 3, within=0.05),
        ),
        st.claim(
            "exponent of the RTT in the growth of standard TCP's sending rate per second (“increases its sending "
            "rate”)",
            bp.estimate(rises),
            st.equals(-1.0, "", 3, within=0.05),
            readings=(
                st.InReading(
                    name="growth per round trip",
                    why="The previous sentence of the paper says “linearly by one for every RTT”.",
                    measured=bp.estimate(windows),
                ),
            ),
            note="The text does not say whether the growth is per second or per round trip",
        ),
        st.Sheet(
            "exponents of the RTT, from runs with 50, 100, 200 and 400 ms",
            ("quantity", "measured", "by hand"),
            [
                ["throughput", bp.estimate(rates).text(3), "-1"],
                ["growth of the window per second", bp.estimate(windows).text(3), "-1"],
                ["growth of the sending rate per second", bp.estimate(rises).text(3), "-2"],
            ],
        ),
    )
