# SPDX-License-Identifier: MIT OR Apache-2.0
"""Figures 2 and 3: start-up, and 6 Mbit/s of constant rate between 80 s and 150 s (section V.A; V-06, V-07)."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np

import bentpipe as bp
from bentpipe import plots
from bentpipe.study import (
    Claim,
    Effort,
    Finding,
    Picture,
    Row,
    Sheet,
    in_reading,
    mean_between,
    sampled,
    series,
    snapshot,
)
from bentpipe_papers.vegas_w import curves, readings
from bentpipe_papers.vegas_w.bed import (
    CBR_MBIT_S,
    CBR_S,
    END_S,
    LOWERS,
    NEWRENO,
    NEWRENO_SACK,
    RATE_MBIT_S,
    REPAIRED,
    RTT_MS,
    START_UP_S,
    VEGAS,
    VEGAS_W,
    VEGAS_W_SACK,
    bdp_packets,
    cross_traffic,
    draw,
    full_at,
    left_slow_start,
    often,
    on_the_wire,
    round_trip_mean,
    shift_s,
    shown,
)
from bentpipe_papers.vegas_w.curves import EARLY_S
from bentpipe_papers.vegas_w.readings import (
    BEDS,
    BINS_S,
    CLEAR,
    CLEAR_EVERY,
    EVERY,
    LINUX,
    MAIN,
    OUR_REPAIR,
    PAPER_FULL_S,
    START_BEDS,
    TOLERANCE_S,
    elsewhere,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from matplotlib.figure import Figure

    from bentpipe.study import Key, Runs

SHOWN = (VEGAS, VEGAS_W, NEWRENO, REPAIRED, LOWERS, VEGAS_W_SACK, NEWRENO_SACK)
FREE_MBIT_S = RATE_MBIT_S - CBR_MBIT_S
#: Around the CBR, where reactions can be read.
ZOOM_S = (78.0, 152.0)
#: The paper's three, as they are compared in other beds.
THREE = (VEGAS, VEGAS_W, NEWRENO)


def plan_figures(effort: Effort) -> Mapping[Key, bp.Scenario]:
    """The figures, and the paper's three in other beds."""
    plans: dict[Key, bp.Scenario] = {
        (label, seed): cross_traffic(label, seed) for label in SHOWN for seed in effort.seeds
    }
    for name, bed in BEDS.items():
        for label in THREE:
            for seed in effort.seeds:
                plans["in", name, label, seed] = cross_traffic(label, seed, **bed.settings)
    return plans


def plan_windows(effort: Effort) -> Mapping[Key, bp.Scenario]:
    return {**plan_figures(effort), **readings.start_ups(effort, (VEGAS, VEGAS_W))}


def longer(runs: Runs, name: str, seeds: tuple[int, ...]) -> bp.Estimate:
    """Time in slow start of Vegas-W against a Vegas that doubles as often, in percent."""
    ours, other = (
        [left_slow_start(run)[0] for run in runs.of("start", name, label, seeds=seeds)] for label in (VEGAS_W, VEGAS)
    )
    return sampled([100.0 * (a / b - 1.0) for a, b in zip(ours, other, strict=True)])


def in_bed(
    runs: Runs, column: str, against: str, span: tuple[float, float], name: str, seeds: tuple[int, ...]
) -> bp.Estimate:
    """A mean of Vegas-W against that of another, in another bed."""
    means = []
    for label in (VEGAS_W, against):
        here = runs.of("in", name, label, seeds=seeds)
        lines = [series(run, column) if column == "cwnd_segments" else on_the_wire(run) for run in here]
        means.append([mean_between(*line, *span) for line in lines])
    return bp.relative_change(*means)


def two_panels(runs: Runs, what: str, label: str) -> Figure:
    """The paper's three above, readings of Vegas-W below, the time of the CBR again at the right; the first seed."""
    figure, axes = plots.new(2, 2, width=11.0, height=2.9)
    for row, labels in enumerate(((VEGAS, VEGAS_W, NEWRENO), (VEGAS_W, REPAIRED, LOWERS))):
        for axis, span in zip(axes[2 * row : 2 * row + 2], ((0.0, END_S), ZOOM_S), strict=True):
            for one in labels:
                draw(axis, runs.of(one)[0], one, what)
            axis.axvspan(*CBR_S, color="#000000", alpha=0.06, linewidth=0, label="CBR 6 Mbit/s")
            axis.set(xlim=span, ylim=(0, None))
        axes[2 * row].set(ylabel=label)
    for axis in axes[2:]:
        axis.set(xlabel="s")
    return figure


def key(figure: Figure) -> None:
    for axis in figure.axes[::2]:
        axis.legend(fontsize="small", ncols=3, loc="lower left", bbox_to_anchor=(0.0, 1.0), borderaxespad=0.2)


@plots.styled
def read_windows(runs: Runs) -> Finding:
    figure = two_panels(runs, "cwnd", "cwnd (segments)")
    key(figure)
    rows = []
    spans = ((20.0, CBR_S[0]), (90.0, CBR_S[1]), (160.0, END_S))
    means: dict[str, list[list[float]]] = {}
    for label in SHOWN:
        here = runs.of(label)
        means[label] = [[mean_between(*series(run, "cwnd_segments"), *span) for run in here] for span in spans]
        ends = [sampled([left_slow_start(run)[k] for run in here]) for k in (0, 1)]
        cells = [shown(ends[0], 1), shown(ends[1], 0), *(shown(sampled(one), 0) for one in means[label])]
        rows.append([label, *cells])
    seeds = runs.effort.seeds
    ends_at = {
        (name, label): sampled([left_slow_start(run)[0] for run in runs.of("start", name, label, seeds=seeds)]).mean
        for name in (MAIN, EVERY)
        for label in (VEGAS_W, VEGAS)
    }
    rivals = (VEGAS, NEWRENO)
    against = {label: bp.relative_change(means[VEGAS_W][0], means[label][0]) for label in rivals}
    clear = {label: in_bed(runs, "cwnd_segments", label, spans[0], CLEAR, seeds) for label in rivals}
    repaired = in_bed(runs, "cwnd_segments", NEWRENO, spans[0], OUR_REPAIR, seeds)
    return Finding(
        why=f"The estimate keeps Vegas-W in slow start until {ends_at[MAIN, VEGAS_W]:.1f} s, Vegas leaves it at "
        f"{ends_at[MAIN, VEGAS]:.1f} s (every round: {ends_at[EVERY, VEGAS_W]:.1f} and {ends_at[EVERY, VEGAS]:.1f} s). "
        "Its bursts of 100 Mbit/s overflow 200 packets; the loss sets the window to slow start's estimate: "
        f"{against[NEWRENO].mean:+.0f} % against NewReno's. Our repair takes the estimate of the repairs, and has "
        f"{repaired.mean:+.0f} %; links of 16 Mbit/s {clear[NEWRENO].mean:+.0f} %",
        claims=[
            Claim(
                what="time in slow start, Vegas-W against Vegas, both double equally often",
                measured=longer(runs, MAIN, seeds),
                sign=1,
                digits=0,
                headline="mechanism of Vegas-W extend the time of the slow-start phase",
                decides="by how much: which RTT stands for a round",
                readings=elsewhere(partial(longer, runs), runs.effort),
            ),
            *(
                Claim(
                    what=f"mean cwnd from 20 s to 80 s, Vegas-W against {label}",
                    measured=against[label],
                    sign=1,
                    digits=0,
                    note="our reading of what Figure 2 may show: we do not have it, and the text does not say so",
                    decides="whether the estimate goes on in avoidance; the hosts' links, whose TCP",
                    readings=elsewhere(partial(in_bed, runs, "cwnd_segments", label, spans[0]), runs.effort),
                )
                for label in rivals
            ),
        ],
        sheets=[
            Sheet(
                "Slow start's end and mean windows (mean ± 95 %; without ± no seed made a difference)",
                ("", "slow start ends (s)", "cwnd then", "mean 20-80 s", "mean 90-150 s", "mean 160-200 s"),
                rows,
            )
        ],
        pictures=[
            Picture(
                "Figure 2 drawn again: congestion windows, first seed; below, readings of Vegas-W; "
                "right, the time of the CBR.",
                figure,
            )
        ],
        notes=[
            f"The bandwidth-delay product is {bdp_packets():.0f} packets, {bdp_packets(RTT_MS, FREE_MBIT_S):.0f} of "
            "what the CBR leaves. We have the paper's text without its curves, so only what it says of them can be "
            "compared.",
            "Vegas and Vegas-W double equally often wherever they are compared: in every other round as ns-2's Vegas, "
            "or both in every round.",
        ],
    )


def plan_throughput(effort: Effort) -> Mapping[Key, bp.Scenario]:
    return {**plan_figures(effort), **readings.plan(effort)}


def settled_at(run: bp.Run, seed: int) -> float:
    """How long after the CBR began a round trip was first within 10 % of the free 9 Mbit/s, in s; NaN if never."""
    begin = CBR_S[0] + shift_s(seed)
    times, mean = round_trip_mean(run)
    near = np.abs(mean - FREE_MBIT_S) <= 0.1 * FREE_MBIT_S
    found = times[near & (times > begin + RTT_MS / 1e3) & (times <= CBR_S[1])]
    return float(found[0]) - begin if found.size else float("nan")


def until_full(runs: Sequence[bp.Run]) -> bp.Estimate:
    """Time until a whole round trip was full, in s; the run's length where none was."""
    times = [full_at(run) for run in runs]
    return sampled([START_UP_S if np.isnan(time) else time for time in times])


def binned_in(runs: Runs, name: str, bin_s: float, seeds: tuple[int, ...]) -> bp.Estimate:
    """Time until a bin was first full, in s, in a bed; the run's length where none was."""
    times = [readings.first_full_bin(run, bin_s) for run in runs.of("start", name, VEGAS_W, seeds=seeds)]
    return sampled([START_UP_S if np.isnan(time) else time for time in times])


def until(full: bp.Estimate) -> str:
    """A time to a full path, in words."""
    return f"never within {START_UP_S:g} s" if full.mean >= START_UP_S else f"{full.mean:.1f} s"


def swifter(runs: Runs, name: str, seeds: tuple[int, ...]) -> bp.Estimate:
    """Time beside the CBR at the free rate, Vegas-W less Vegas, in points."""
    place = () if name == MAIN else ("in", name)
    ours, other = ([at_free_rate(run) for run in runs.of(*place, label, seeds=seeds)] for label in (VEGAS_W, VEGAS))
    return sampled([a - b for a, b in zip(ours, other, strict=True)])


def at_free_rate(run: bp.Run) -> float:
    """Share of the round trips between 90 s and 150 s within 10 % of the free 9 Mbit/s, in percent."""
    times, mean = round_trip_mean(run)
    there = np.abs(mean[(times > CBR_S[0] + 10.0) & (times <= CBR_S[1])] - FREE_MBIT_S) <= 0.1 * FREE_MBIT_S
    return 100.0 * float(there.mean())


def capacity(run: bp.Run) -> float:
    """Mean of B RTTmin beside the CBR, in segments: what the controller takes for the path's capacity."""
    times, rate = snapshot(run, "bandwidth_segments_per_s")
    base_at, base_ms = snapshot(run, "base_rtt_ms")
    product = rate * base_ms[np.searchsorted(base_at, times)] / 1e3
    return mean_between(times, product, CBR_S[0] + 10.0, CBR_S[1])


def refilled_at(run: bp.Run, seed: int) -> float:
    """How long after the CBR ended a round trip was first full, in s; NaN if never."""
    end = CBR_S[1] + shift_s(seed)
    return full_at(run, after_s=end) - end


def seconds(values: list[float]) -> str:
    """`often` with its unit."""
    value, *seeds = often(values).split(" (", 1)
    return " (".join([value if value == "never" else f"{value} s", *seeds])


@plots.styled
def read_throughput(runs: Runs) -> Finding:
    figure = two_panels(runs, "throughput", "throughput (Mbit/s)")
    figure.axes[0].plot([PAPER_FULL_S], [RATE_MBIT_S], "v", color="#000000", label="paper: 15 Mbit/s after 6.4 s")
    for axis in figure.axes:
        axis.plot([*CBR_S], [FREE_MBIT_S] * 2, color="#000000", linestyle="--", linewidth=0.8, label="free: 9 Mbit/s")
    key(figure)
    spans = ((0.0, EARLY_S), (EARLY_S, CBR_S[0]), (CBR_S[0], CBR_S[1]), (CBR_S[1], CBR_S[1] + 10.0), (160.0, END_S))
    means = {
        label: [[mean_between(*on_the_wire(run), *span) for run in runs.of(label)] for span in spans] for label in SHOWN
    }
    seeds = runs.effort.seeds
    rows = []
    for label in SHOWN:
        here = runs.of(label)
        cells = [often([full_at(run) for run in here])]
        cells.append(often([settled_at(run, seed) for run, seed in zip(here, seeds, strict=True)]))
        cells.append(shown(sampled([at_free_rate(run) for run in here]), 0) + " %")
        cells.append(often([refilled_at(run, seed) for run, seed in zip(here, seeds, strict=True)]))
        cells += [shown(sampled(one)) for one in means[label]]
        timeouts = sampled([float(run.summary["flows"][0]["timeouts"]) for run in here])
        rows.append([label, *cells, shown(timeouts, 1)])
    started = {name: runs.of("start", name, VEGAS_W, seeds=seeds) for name in readings.ALL_BEDS}
    fine = often([readings.three_times(run)[0] for run in started[MAIN]])
    beds = {name: until_full(here) for name, here in started.items()}
    full = beds[MAIN]
    near = [name for name in START_BEDS if abs(beds[name].mean - PAPER_FULL_S) <= TOLERANCE_S]
    held = {label: sampled([at_free_rate(run) for run in runs.of(label)]) for label in (VEGAS_W, NEWRENO)}
    believed = sampled([capacity(run) for run in runs.of(VEGAS_W)])
    settled = {
        label: seconds([settled_at(run, seed) for run, seed in zip(runs.of(label), seeds, strict=True)])
        for label in (VEGAS_W, NEWRENO)
    }
    refilled = seconds([refilled_at(run, seed) for run, seed in zip(runs.of(VEGAS_W), seeds, strict=True)])
    early = spans[0]
    return Finding(
        why="The newest estimate is asked after a pause that has halved it (V-02), so that slow start ends early, or "
        f"its bursts overflow 200 packets. First full round trip: {until(full)}. With 16 Mbit/s: {until(beds[CLEAR])}; "
        f"doubling in every round {until(beds[CLEAR_EVERY])}; Linux's TCP, which spreads its repairs: "
        f"{until(beds[LINUX])}. {len(near)} of {len(START_BEDS)} other beds come to {PAPER_FULL_S:g} s",
        claims=[
            Claim(
                what=f"Vegas-W: time until a whole round trip has 97 % of 15 Mbit/s, in runs of {START_UP_S:g} s",
                never=START_UP_S,
                measured=full,
                paper=PAPER_FULL_S,
                tolerance=TOLERANCE_S,
                unit="s",
                headline="Vegas-W needs only 6.4s to get the full network utilization (15Mb/s)",
                decides="which estimate is asked, the newest or our repair; the bin; the hosts' links, how often "
                "slow start doubles, whose TCP repairs",
                readings=(
                    *elsewhere(
                        lambda name, among: until_full(runs.of("start", name, VEGAS_W, seeds=among)),
                        runs.effort,
                        START_BEDS,
                    ),
                    *(
                        in_reading(
                            f"bins of {bin_s:g} s" if name == MAIN else f"{name}, bins of {bin_s:g} s",
                            "the paper does not say over what its figure averages",
                            partial(binned_in, runs, name, bin_s),
                            runs.effort,
                        )
                        for name in (MAIN, CLEAR_EVERY, LINUX)
                        for bin_s in BINS_S
                    ),
                ),
            ),
            Claim(
                what="throughput of the first 20 s, Vegas-W against Vegas",
                measured=bp.relative_change(means[VEGAS_W][0], means[VEGAS][0]),
                sign=1,
                digits=0,
                headline="The start-up performance is highly improved",
                decides="phases: which packet of a pair the full queue drops",
                readings=elsewhere(partial(in_bed, runs, "goodput_mbit_s", VEGAS, early), runs.effort),
            ),
            Claim(
                what="time beside the CBR within 10 % of the free 9 Mbit/s, Vegas-W less Vegas",
                measured=swifter(runs, MAIN, seeds),
                sign=1,
                unit="points",
                digits=0,
                note="“And when the bandwidth changes sharply (80-150s), Vegas-W responds swiftly.” There is no bound; "
                "of the two that the paper compares it with, Vegas is the one that it improves",
                decides="whether the estimate goes on in avoidance; whose TCP, the hosts' links",
                readings=elsewhere(partial(swifter, runs), runs.effort),
            ),
        ],
        sheets=[
            Sheet(
                "Times to react (s) and mean throughput (Mbit/s)",
                (
                    "",
                    "full from (97 %)",
                    "after 80 s: first at 9 Mbit/s ± 10 %",
                    "90-150 s: time there",
                    "after 150 s: full (97 %)",
                    *("0-20 s", "20-80 s", "80-150 s", "150-160 s", "160-200 s", "timeouts"),
                ),
                rows,
            ),
            Sheet(
                "Beds, and readings of Vegas-W in two of them: time to 15 Mbit/s (s; runs of 30 s)",
                ("", "first fifth of a round trip (97 %)", "first whole round trip (97 %)", "for good (95 %)"),
                readings.one_at_a_time(runs),
            ),
        ],
        pictures=[
            Picture(
                "Figure 3 drawn again: throughput as the mean over a round trip, first seed; headers count; right, the "
                "time of the CBR.",
                figure,
            )
        ],
        notes=[
            "6.4 s can only be if slow start doubles in every round: from 2 segments to a thousand take nine "
            "doublings, in every other round 18 round trips; in 6.4 s that is 0.36 s a round trip, and two "
            "geostationary legs alone take 0.48 s. That is an argument from the result: the main reading doubles as "
            "ns-2's Vegas.",
            "In slow start packets come in bursts shorter than a round trip: a fine bin is full while the path is "
            "half empty. So the claim is measured over whole round trips; the first full fifth of one stands beside "
            f"(main bed: {fine}).",
            f"“Responds swiftly” has no bound: of the time beside the CBR Vegas-W has the free rate "
            f"± 10 % in {held[VEGAS_W].mean:.0f} % (NewReno {held[NEWRENO].mean:.0f} %), first after "
            f"{settled[VEGAS_W]} (NewReno {settled[NEWRENO]}); after the CBR Vegas-W fills the path {refilled}.",
            f"The estimate is that of slow start: B RTTmin is {believed.mean:.0f} segments in the mean between 90 s "
            f"and 150 s where {bdp_packets(RTT_MS, FREE_MBIT_S):.0f} are free beside the CBR. Each loss sets the "
            "window there again, and retransmissions that are lost too wait for timeouts.",
            "All flows have the same TCP, so that only the controllers differ. ns-2's Vegas agent also repeats a "
            "segment at its first duplicate ACK if it is late; that is not built.",
        ],
    )


ROWS = (
    Row(
        id="V-06",
        place="Figure 2, section V.A",
        what="congestion windows of Vegas, Vegas-W and NewReno; CBR 6 Mbit/s between 80 s and 150 s",
        says="“mechanism of Vegas-W extend the time of the slow-start phase and raise the rate of getting to the "
        "available bandwidth”.",
        plan=plan_windows,
        read=read_windows,
        curves={"a": curves.LONGER},
    ),
    Row(
        id="V-07",
        place="Figure 3, section V.A",
        what="throughput of the three",
        says="Vegas-W needs only 6.4 s to get the full network utilization (15 Mb/s), and responds swiftly when the "
        "bandwidth changes at 80 s and 150 s.",
        plan=plan_throughput,
        read=read_throughput,
        curves={"a": curves.FULL, "b": curves.EARLY},
    ),
)
