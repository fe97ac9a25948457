# SPDX-License-Identifier: MIT OR Apache-2.0
"""The effect of Geo-Reno's formula on a window: gains, growth and number of cuts (G-10, G-12)."""

from __future__ import annotations

import math
from itertools import product

import numpy as np

import bentpipe as bp
from bentpipe import study as st
from bentpipe_papers.leo_study import bed, curves
from bentpipe_papers.leo_study.bed import BY_BOTH, BY_DISTANCE, BY_RTT, PATHS, WASHINGTON
from bentpipe_papers.leo_study.pairs import READINGS, TORONTO_KM, mean, plan, round_trips, with_n

#: Rate of the path on which growth is measured. It is high, so that avoidance lasts for many round trips.
RATE = "100 Mbit/s"
#: The slides' sentence on the window reductions under Geo-Reno.
SIMILAR = "With Geolocation-based Reno, both react at a similar frequency"
#: The column of the model for each reading.
COLUMNS = {BY_DISTANCE: "gain_by_distance", BY_BOTH: "gain_by_rtt", BY_RTT: "gain_measured"}


def plan_gain(_: st.Effort) -> st.Plan:
    variants = bed.variants(TORONTO_KM)
    controllers = {label: variants[label] for label in ("Reno", *READINGS)}
    return {
        (label, origin): bp.Scenario(
            name=f"{origin}: {label}",
            duration="60 s",
            network=bp.Dumbbell(rate=RATE, rtt=f"{rtt_ms:g} ms", queue="1 BDP"),
            tcp=bed.HYPATIA_TCP,
            flows=[bp.Flow(name=origin, controller=controller, distance=f"{km:g} km")],
            record=bp.Record(interval="100 ms"),
        )
        for (label, controller), (origin, (km, rtt_ms)) in product(controllers.items(), PATHS.items())
    }


def growth_per_round_trip(run: bp.Run) -> float:
    """Median growth in avoidance in segments per round trip, from samples 100 ms apart; NaN without samples."""
    times, window = st.series(run, "cwnd_segments")
    threshold, rtt_s = st.series(run, "ssthresh_segments")[1], st.series(run, "srtt_ms")[1] / 1e3
    losses = np.array([row["time_s"] for row in st.events(run, "cut", "timeout", "loss", columns=("time_s",))])
    # The window is constant for some round trips while a loss is repaired. These samples are left out.
    clear = np.array([not np.any((losses > time - 1.0) & (losses <= time)) for time in times])
    chosen = (clear & (window >= threshold))[1:]
    grown = np.diff(window) / np.diff(times) * 0.5 * (rtt_s[1:] + rtt_s[:-1])
    return float(np.median(grown[chosen])) if chosen.any() else math.nan


@st.reads(
    id="G-10",
    place="Solution: Geolocation-based Reno, formula",
    what="CWND += α d(src, dst)/CWND for every ACK",
    says="α is a “Normalizing Constant (based on minimum RTT)”",
    plan=plan_gain,
)
def read_gain(runs: st.Runs) -> st.Finding:
    lines = []
    model = bed.of_the_slides()
    formula = {label: model.table[column] for label, column in COLUMNS.items()}
    for label in ("Reno", *READINGS):
        grown = {origin: growth_per_round_trip(runs[label, origin]) for origin in PATHS}
        numbers = [*formula.get(label, (1.0, 1.0)), *grown.values()]
        lines.append([label, *(f"{value:.2f}" for value in numbers)])
    texts = {label: " and ".join(f"{gain:.3g}" for gain in gains) for label, gains in formula.items()}
    equal = model.table["gain_for_equal_shares"][0]
    return st.found(
        "This row examines a definition and has no claim. An increase of α d/W per ACK adds α d segments per round "
        "trip. With Hypatia's TCP, which sends an ACK for every second segment, it adds half of this. The slides do "
        f"not print α. For Wuhan and Toronto, α d is {texts[BY_DISTANCE]} with α = 1/567 km, {texts[BY_BOTH]} with "
        f"1/1278 km by smallest RTT, and {texts[BY_RTT]} with the smallest RTT divided by 11 ms. For equal shares, "
        f"the growth must be proportional to the square of the RTT; Wuhan then needs {equal:.0f}",
        st.Sheet(
            "α d (model “geo-reno-gains”), growth (segments per round trip, an ACK for every second segment), "
            f"alone at {RATE}",
            ("controller", *(f"{what}, {origin}" for what in ("α d", "growth") for origin in PATHS)),
            lines,
        ),
    )


@st.reads(
    id="G-12",
    place="Experimental Results, figure “RTT measured over Time”",
    what="how often each flow reduces its window",
    says=(
        "Under Reno, the flow with the lower latency is more reactive. With Geo-Reno, both flows react at a similar "
        "frequency"
    ),
    plan=plan(WASHINGTON, TORONTO_KM, "Reno", *READINGS),
    curves={"b": curves.CUTS, "c": curves.SIMILAR_CUTS},
)
def read_cuts(runs: st.Runs) -> st.Finding:
    found = bed.of_seeds({label: runs.of(label) for label in ("Reno", *READINGS)})
    ratio = {label: [f.cut_ratio for f in fair if f.cuts_long > 0] for label, fair in found.items()}
    # How much nearer to 1 than under Reno, paired by seed.
    nearer = st.sampled(
        [
            abs(ours.cut_ratio - 1.0) - abs(base.cut_ratio - 1.0)
            for ours, base in zip(found[BY_DISTANCE], found["Reno"], strict=True)
            if ours.cuts_long > 0 and base.cuts_long > 0
        ]
    )
    lines = [
        [label, mean(fair, "cuts_long").text(1), mean(fair, "cuts_short").text(1), st.sampled(ratio[label]).text(2)]
        for label, fair in found.items()
    ]
    reno, geo = st.sampled(ratio["Reno"]), st.sampled(ratio[BY_DISTANCE])
    return st.found(
        "A window that grows faster is reduced more often. While the flows share a link, Toronto's flow reduces its "
        f"window {reno.text(2)} times as often as Wuhan's under Reno. Geo-Reno by distance makes Wuhan's window grow "
        f"faster, and the ratio is {geo.text(2)}. The difference of this ratio from 1 changes by {nearer.text(2)}. "
        f"With α by smallest RTT, the ratio is {st.sampled(ratio[BY_BOTH]).mean:.2f}, and with α by RTT "
        f"{st.sampled(ratio[BY_RTT]).mean:.2f}",
        st.claim(
            "window reductions of Toronto's flow divided by those of Wuhan's while they share a link, Reno",
            reno,
            st.above("", 2, than=1.0),
            note="The slides say “lower latency flow is more reactive”",
        ),
        st.claim(
            "how far the ratio of window reductions is from 1, Geo-Reno by distance minus Reno",
            nearer,
            st.below("", 2),
            note="Reno and Geo-Reno run with the same seeds",
            headline=SIMILAR,
            decides=(
                "A long queue makes the round trips more equal, and thus also the numbers of window reductions under "
                "Reno; the TCP and α also have an effect"
            ),
        ),
        st.claim(
            "window reductions of Toronto's flow divided by those of Wuhan's while they share a link, Geo-Reno by "
            "distance (“similar frequency”)",
            geo,
            st.equals(1.0, "", 2, within=curves.SIMILAR_WITHIN),
            note="We read “similar” as within a tenth",
            headline=SIMILAR,
            decides=(
                "The slides do not print α. If only α, the TCP, the queue, the receive buffer or the interval of the "
                "pings is changed, the ratio is outside the tolerance or undecided. Jitter mostly moves the ratio "
                "back towards 1. The tolerance of a tenth is ours"
            ),
        ),
        with_n(
            "Window reductions per minute while the two flows share a link",
            ("controller", "Wuhan", "Toronto", "Toronto over Wuhan"),
            lines,
            found,
        ),
        st.Picture("RTT over time, with Geo-Reno and with Reno, first seed", round_trips(runs, "Reno", BY_DISTANCE)),
    )
