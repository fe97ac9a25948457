# SPDX-License-Identifier: MIT OR Apache-2.0
"""Figures 2 and 3: start-up, and 6 Mbit/s of constant rate between 80 s and 150 s (section V.A; V-06, V-07)."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from itertools import product

import numpy as np

import bentpipe as bp
from bentpipe import plots
from bentpipe import study as st
from bentpipe_papers.vegas_w import bed, curves, readings
from bentpipe_papers.vegas_w.curves import EARLY_S
from bentpipe_papers.vegas_w.readings import (
    BEDS,
    BINS_S,
    CLEAR,
    CLEAR_EVERY,
    EVERY,
    LINUX,
    MAIN,
    MUCH,
    OUR_REPAIR,
    PAPER_FULL_S,
    START_BEDS,
    TOLERANCE_S,
    elsewhere,
)

SHOWN = (bed.VEGAS, bed.VEGAS_W, bed.NEWRENO, bed.REPAIRED, bed.LOWERS, bed.VEGAS_W_SACK, bed.NEWRENO_SACK)
FREE_MBIT_S = bed.RATE_MBIT_S - bed.CBR_MBIT_S
#: The time in s around the CBR, in which reactions are visible.
ZOOM_S = (78.0, 152.0)
#: The paper's three controllers, for comparisons in other beds.
THREE = (bed.VEGAS, bed.VEGAS_W, bed.NEWRENO)


def plan_figures(effort: st.Effort) -> st.Plan:
    plans: dict[st.Key, bp.Scenario] = {one: bed.cross_traffic(*one) for one in product(SHOWN, effort.seeds)}
    for name, label, seed in product((*BEDS, OUR_REPAIR), THREE, effort.seeds):
        plans["in", name, label, seed] = bed.cross_traffic(label, seed, **readings.ALL_BEDS[name].settings)
    return plans


def longer(runs: st.Runs, name: str) -> bp.Estimate:
    ours, other = (
        [bed.left_slow_start(run)[0] for run in runs.of("start", name, label)] for label in (bed.VEGAS_W, bed.VEGAS)
    )
    return st.sampled([100.0 * (a / b - 1.0) for a, b in zip(ours, other, strict=True)])


def in_bed(runs: st.Runs, column: str, against: str, span: tuple[float, float], name: str) -> bp.Estimate:
    means = []
    for label in (bed.VEGAS_W, against):
        here = runs.of("in", name, label)
        lines = [st.series(run, column) if column == "cwnd_segments" else bed.on_the_wire(run) for run in here]
        means.append([st.mean_between(*line, *span) for line in lines])
    return bp.relative_change(*means)


def two_panels(runs: st.Runs, what: str, label: str) -> st.Figure:
    figure, axes = plots.new(2, 2, width=11.0, height=2.9)
    for row, labels in enumerate(((bed.VEGAS, bed.VEGAS_W, bed.NEWRENO), (bed.VEGAS_W, bed.REPAIRED, bed.LOWERS))):
        for axis, span in zip(axes[2 * row : 2 * row + 2], ((0.0, bed.END_S), ZOOM_S), strict=True):
            for one in labels:
                bed.draw(axis, runs.of(one)[0], one, what)
            axis.axvspan(*bed.CBR_S, color="#000000", alpha=0.06, linewidth=0, label="CBR 6 Mbit/s")
            axis.set(xlim=span, ylim=(0, None))
        axes[2 * row].set(ylabel=label)
    for axis in axes[2:]:
        axis.set(xlabel="s")
    return figure


def key(figure: st.Figure) -> None:
    for axis in figure.axes[::2]:
        axis.legend(fontsize="small", ncols=3, loc="lower left", bbox_to_anchor=(0.0, 1.0), borderaxespad=0.2)


@st.reads(
    id="V-06",
    place="Figure 2, section V.A",
    what="congestion windows of Vegas, Vegas-W and NewReno; CBR 6 Mbit/s between 80 s and 150 s",
    says="“mechanism of Vegas-W extend the time of the slow-start phase and raise the rate of getting to the "
    "available bandwidth”.",
    plan=lambda effort: {**plan_figures(effort), **readings.start_ups(effort, (bed.VEGAS, bed.VEGAS_W))},
    curves={"a": curves.LONGER},
)
def read_windows(runs: st.Runs) -> st.Finding:
    figure = two_panels(runs, "cwnd", "cwnd (segments)")
    key(figure)
    rows = []
    spans = ((20.0, bed.CBR_S[0]), (90.0, bed.CBR_S[1]), (160.0, bed.END_S))
    means: dict[str, list[list[float]]] = {}
    for label in SHOWN:
        here = runs.of(label)
        means[label] = [[st.mean_between(*st.series(run, "cwnd_segments"), *span) for run in here] for span in spans]
        ends = [st.sampled([bed.left_slow_start(run)[k] for run in here]) for k in (0, 1)]
        cells = [bed.shown(ends[0], 1), bed.shown(ends[1], 0), *(bed.shown(st.sampled(one), 0) for one in means[label])]
        rows.append([label, *cells])
    ends_at = {
        one: st.sampled([bed.left_slow_start(run)[0] for run in runs.of("start", *one)]).mean
        for one in product((MAIN, EVERY), (bed.VEGAS_W, bed.VEGAS))
    }
    rivals = (bed.VEGAS, bed.NEWRENO)
    against = {label: bp.relative_change(means[bed.VEGAS_W][0], means[label][0]) for label in rivals}
    clear = {label: in_bed(runs, "cwnd_segments", label, spans[0], CLEAR) for label in rivals}
    repaired = in_bed(runs, "cwnd_segments", bed.NEWRENO, spans[0], OUR_REPAIR)
    return st.found(
        f"The estimate keeps Vegas-W in slow start until {ends_at[MAIN, bed.VEGAS_W]:.1f} s, and Vegas leaves slow "
        f"start at {ends_at[MAIN, bed.VEGAS]:.1f} s ({ends_at[EVERY, bed.VEGAS_W]:.1f} and "
        f"{ends_at[EVERY, bed.VEGAS]:.1f} s if both double in every round). Vegas-W's bursts at 100 Mbit/s overflow "
        "the buffer of 200 packets, and the loss sets the window to slow start's estimate. From 20 s to 80 s, "
        f"Vegas-W's mean window differs from Vegas's by {against[bed.VEGAS].mean:+.0f} %, and from NewReno's by "
        f"{against[bed.NEWRENO].mean:+.0f} %. With our repair, the estimate follows the rate of the retransmissions, "
        f"and the difference from NewReno's is {repaired.mean:+.0f} %. With access links of 16 Mbit/s, it is "
        f"{clear[bed.NEWRENO].mean:+.0f} %",
        st.claim(
            "time in slow start of Vegas-W compared with Vegas; both double equally often",
            longer(runs, MAIN),
            st.above(digits=0),
            headline="mechanism of Vegas-W extend the time of the slow-start phase",
            decides="In most runs, the first loss ends Vegas-W's slow start, and not the test of section IV.A",
            readings=elsewhere(partial(longer, runs)),
        ),
        st.Sheet(
            "End of slow start, and mean windows (mean ± 95 %; without ±, all seeds are equal)",
            ("", "slow start ends (s)", "cwnd then", "mean 20-80 s", "mean 90-150 s", "mean 160-200 s"),
            rows,
        ),
        st.Picture(
            "Figure 2 drawn again: congestion windows with the first seed. Below: readings of Vegas-W. Right: the "
            "time of the CBR.",
            figure,
        ),
        f"The bandwidth-delay product is {bed.bdp_packets():.0f} packets; beside the CBR flow, "
        f"{bed.bdp_packets(bed.RTT_MS, FREE_MBIT_S):.0f} packets are free. We have the paper's text without its "
        "curves, so we can compare only the statements about them. The text states no order of the windows after "
        "slow start, so these mean windows are not a claim.",
        "In every comparison, Vegas and Vegas-W double equally often: in every other round as ns-2's Vegas, or both in "
        "every round.",
    )


def settled_at(run: bp.Run) -> float:
    """Time in s from the start of the CBR to the first round trip within 10 % of 9 Mbit/s; NaN if never."""
    begin = bed.CBR_S[0] + bed.shift_s(bed.seed_of(run))
    times, mean = bed.round_trip_mean(run)
    near = np.abs(mean - FREE_MBIT_S) <= 0.1 * FREE_MBIT_S
    found = times[near & (times > begin + bed.RTT_MS / 1e3) & (times <= bed.CBR_S[1])]
    return float(found[0]) - begin if found.size else float("nan")


def until_full(times: Iterable[float]) -> bp.Estimate:
    """Mean time in s until the path is full. A run in which the path is never full (NaN) counts with its length."""
    return st.sampled([bed.START_UP_S if np.isnan(time) else time for time in times])


def until(full: bp.Estimate) -> str:
    return f"never within {bed.START_UP_S:g} s" if full.mean >= bed.START_UP_S else f"{full.mean:.1f} s"


def at_free_rate(run: bp.Run) -> float:
    """Percent of the round trips between 90 s and 150 s whose rate is within 10 % of the free 9 Mbit/s."""
    times, mean = bed.round_trip_mean(run)
    there = np.abs(mean[(times > bed.CBR_S[0] + 10.0) & (times <= bed.CBR_S[1])] - FREE_MBIT_S) <= 0.1 * FREE_MBIT_S
    return 100.0 * float(there.mean())


def capacity(run: bp.Run) -> float:
    """Mean of B RTTmin beside the CBR, in segments: the path's capacity as the controller estimates it."""
    times, rate = st.snapshot(run, "bandwidth_segments_per_s")
    base_at, base_ms = st.snapshot(run, "base_rtt_ms")
    product = rate * base_ms[np.searchsorted(base_at, times)] / 1e3
    return st.mean_between(times, product, bed.CBR_S[0] + 10.0, bed.CBR_S[1])


def refilled_at(run: bp.Run) -> float:
    """Time in s from the end of the CBR to the first full round trip; NaN if never."""
    end = bed.CBR_S[1] + bed.shift_s(bed.seed_of(run))
    return bed.full_at(run, after_s=end) - end


#: The responses to the two changes of the free rate, each with its measure and the time after which it counts as
#: missing.
RESPONSES: dict[str, tuple[Callable[[bp.Run], float], float]] = {
    "from the start of the CBR to the first round trip within 10 % of the free 9 Mbit/s": (
        settled_at,
        bed.CBR_S[1] - bed.CBR_S[0],
    ),
    "from the end of the CBR to the first full round trip": (refilled_at, bed.END_S - bed.CBR_S[1]),
}


def sooner(runs: st.Runs, response: str, name: str) -> bp.Estimate:
    """Return Vegas-W's response time minus Vegas's in s; NaN if neither ever responds.

    A run without a response counts with the whole time.
    """
    when, whole_s = RESPONSES[response]
    place = () if name == MAIN else ("in", name)
    ours, other = (
        [whole_s if np.isnan(at := when(run)) else at for run in runs.of(*place, label)]
        for label in (bed.VEGAS_W, bed.VEGAS)
    )
    return bp.fixed(float("nan")) if {*ours, *other} == {whole_s} else st.paired(ours, other)


def seconds(values: list[float]) -> str:
    """`often` with its unit."""
    value, *seeds = bed.often(values).split(" (", 1)
    return " (".join([value if value == "never" else f"{value} s", *seeds])


@st.reads(
    id="V-07",
    place="Figure 3, section V.A",
    what="throughput of Vegas, Vegas-W and NewReno",
    says="Vegas-W needs only 6.4 s to get the full network utilization (15 Mb/s), and responds swiftly when the "
    "bandwidth changes at 80 s and 150 s.",
    plan=lambda effort: {**plan_figures(effort), **readings.plan(effort)},
    curves={"a": curves.FULL, "b": curves.EARLY},
)
def read_throughput(runs: st.Runs) -> st.Finding:
    figure = two_panels(runs, "throughput", "throughput (Mbit/s)")
    figure.axes[0].plot([PAPER_FULL_S], [bed.RATE_MBIT_S], "v", color="#000000", label="paper: 15 Mbit/s after 6.4 s")
    for axis in figure.axes:
        axis.plot(
            [*bed.CBR_S], [FREE_MBIT_S] * 2, color="#000000", linestyle="--", linewidth=0.8, label="free: 9 Mbit/s"
        )
    key(figure)
    spans = (
        (0.0, EARLY_S),
        (EARLY_S, bed.CBR_S[0]),
        (bed.CBR_S[0], bed.CBR_S[1]),
        (bed.CBR_S[1], bed.CBR_S[1] + 10.0),
        (160.0, bed.END_S),
    )
    means = {
        label: [[st.mean_between(*bed.on_the_wire(run), *span) for run in runs.of(label)] for span in spans]
        for label in SHOWN
    }
    rows = []
    for label in SHOWN:
        here = runs.of(label)
        cells = [bed.often([bed.full_at(run) for run in here])]
        cells.append(bed.often([settled_at(run) for run in here]))
        cells.append(bed.shown(st.sampled([at_free_rate(run) for run in here]), 0) + " %")
        cells.append(bed.often([refilled_at(run) for run in here]))
        cells += [bed.shown(st.sampled(one)) for one in means[label]]
        timeouts = st.sampled([float(run.summary["flows"][0]["timeouts"]) for run in here])
        rows.append([label, *cells, bed.shown(timeouts, 1)])
    started = {name: runs.of("start", name, bed.VEGAS_W) for name in readings.ALL_BEDS}
    fine = bed.often([readings.three_times(run)[0] for run in started[MAIN]])
    beds = {name: until_full(bed.full_at(run) for run in here) for name, here in started.items()}
    full = beds[MAIN]
    near = [name for name in START_BEDS if abs(beds[name].mean - PAPER_FULL_S) <= TOLERANCE_S]
    held = {label: st.sampled([at_free_rate(run) for run in runs.of(label)]) for label in (bed.VEGAS_W, bed.NEWRENO)}
    believed = st.sampled([capacity(run) for run in runs.of(bed.VEGAS_W)])
    settled = {label: seconds([settled_at(run) for run in runs.of(label)]) for label in (bed.VEGAS_W, bed.NEWRENO)}
    refilled = seconds([refilled_at(run) for run in runs.of(bed.VEGAS_W)])
    early = spans[0]
    return st.found(
        "Vegas-W's slow start reads the newest estimate after a pause, which has halved the estimate (V-02). Slow "
        "start therefore ends early, or its bursts overflow the buffer of 200 packets. The time of the first full "
        f"round trip is “{until(full)}” in the main reading, “{until(beds[CLEAR])}” with access links of 16 Mbit/s, "
        f"“{until(beds[CLEAR_EVERY])}” if slow start also doubles in every round, and “{until(beds[LINUX])}” with "
        f"Linux's TCP, which spreads its retransmissions. {len(near)} of {len(START_BEDS)} other readings give the "
        f"paper's {PAPER_FULL_S:g} s",
        st.claim(
            f"time until Vegas-W has 97 % of 15 Mbit/s in a whole round trip, in runs of {bed.START_UP_S:g} s",
            full,
            st.equals(PAPER_FULL_S, "s", within=TOLERANCE_S),
            never=bed.START_UP_S,
            headline="Vegas-W needs only 6.4s to get the full network utilization (15Mb/s)",
            decides="A pause halves the estimate that slow start reads, so slow start ends early, or its bursts "
            "overflow the buffer. The time depends on the estimate (newest, or our repair), the averaging interval, "
            "the access links, how often slow start doubles, and the TCP",
            readings=(
                *elsewhere(beds.__getitem__, START_BEDS),
                *(
                    st.InReading(
                        name=f"bins of {bin_s:g} s" if name == MAIN else f"{name}, bins of {bin_s:g} s",
                        why="The paper does not give the averaging interval of its figure.",
                        measured=until_full(readings.first_full_bin(run, bin_s) for run in started[name]),
                    )
                    for name, bin_s in product((MAIN, CLEAR_EVERY, LINUX), BINS_S)
                ),
            ),
        ),
        st.claim(
            "throughput of Vegas-W in the first 20 s compared with Vegas",
            bp.relative_change(means[bed.VEGAS_W][0], means[bed.VEGAS][0]),
            st.at_least(MUCH, digits=0),
            note="The paper gives no number for “highly”; we read it as more than a tenth",
            headline="The start-up performance is highly improved",
            decides=(
                "How long the repair takes after a slow start that overflows depends on the TCP. Without jitter, "
                "phase effects decide which of two packets the full queue drops, and thus the sign in the main "
                "reading. The bound of 10 % is ours"
            ),
            readings=elsewhere(partial(in_bed, runs, "goodput_mbit_s", bed.VEGAS, early)),
        ),
        *(
            st.claim(
                f"time {response}, Vegas-W minus Vegas",
                sooner(runs, response, MAIN),
                st.below("s", 1),
                never=RESPONSES[response][1],
                note=(
                    "The paper says “And when the bandwidth changes sharply (80-150s), Vegas-W responds swiftly.” The "
                    "paper gives no bound. We compare with Vegas, because Vegas-W is an improvement of Vegas. If "
                    "neither responds in any seed, the result is “never”"
                ),
                headline="when the bandwidth changes sharply (80-150s), Vegas-W responds swiftly",
                decides="The result depends on the TCP and on the access links",
                readings=elsewhere(partial(sooner, runs, response)),
            )
            for response in RESPONSES
        ),
        st.Sheet(
            "Times to react (s) and mean throughput (Mbit/s)",
            st.heads(
                " | link full from (97 %) | after 80 s: first at 9 Mbit/s ± 10 % | 90-150 s: time at 9 Mbit/s ± 10 % "
                "| after 150 s: link full (97 %) | 0-20 s | 20-80 s | 80-150 s | 150-160 s | 160-200 s | timeouts"
            ),
            rows,
        ),
        st.Sheet(
            "Time to 15 Mbit/s in other readings (s; runs of 30 s)",
            ("", "first fifth of a round trip (97 %)", "first whole round trip (97 %)", "permanently (95 %)"),
            readings.one_at_a_time(runs),
        ),
        st.Picture(
            "Figure 3 drawn again: throughput with headers as the mean over a round trip, first seed. Right: the "
            "time of the CBR.",
            figure,
        ),
        "Vegas-W can fill the link after 6.4 s only if slow start doubles in every round. From 2 segments to a "
        "thousand, slow start needs nine doublings, which take 18 round trips if it doubles in every other round. "
        "Each of them would have to take 0.36 s, but two geostationary hops alone take 0.48 s. This argument uses "
        "the result, so the main reading still doubles as ns-2's Vegas does.",
        "In slow start, packets arrive in bursts that are shorter than a round trip. A short interval can therefore be "
        "full while the path is half empty, so the claim is measured over whole round trips. The table also has the "
        f"first full fifth of a round trip (main reading: {fine}).",
        "The paper gives no bound for “responds swiftly”. Beside the CBR, Vegas-W is within 10 % of the free rate "
        f"for {held[bed.VEGAS_W].mean:.0f} % of the time (NewReno: {held[bed.NEWRENO].mean:.0f} %). The first round "
        f"trip at this rate is after {settled[bed.VEGAS_W]} (NewReno: {settled[bed.NEWRENO]}). The time from the end "
        f"of the CBR to the first full round trip is: {refilled}.",
        f"Vegas-W's estimate B comes from slow start: between 90 s and 150 s, B RTTmin is {believed.mean:.0f} "
        f"segments on average, but only {bed.bdp_packets(bed.RTT_MS, FREE_MBIT_S):.0f} segments are free beside the "
        "CBR. Each loss sets the window to B RTTmin again, and lost retransmissions wait for timeouts.",
        "All flows have the same TCP, so only the controllers differ. ns-2's Vegas agent also retransmits a segment at "
        "its first duplicate ACK if the segment is late; our implementation does not.",
    )
