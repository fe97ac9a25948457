# SPDX-License-Identifier: MIT OR Apache-2.0
"""Figures 2 and 3: start-up, and 6 Mbit/s of constant rate between 80 s and 150 s (section V.A; V-06, V-07)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

import bentpipe as bp
from bentpipe import plots
from bentpipe.study import Claim, Effort, Finding, Picture, Row, Sheet, mean_between, sampled, series, snapshot
from bentpipe_papers.vegas_w import readings
from bentpipe_papers.vegas_w.bed import (
    CBR_MBIT_S,
    CBR_S,
    END_S,
    LETTER,
    LOWERS,
    NEWRENO,
    NEWRENO_RFC,
    RATE_MBIT_S,
    RTT_MS,
    VEGAS,
    VEGAS_W,
    VEGAS_W_RFC,
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
    start_up,
)
from bentpipe_papers.vegas_w.readings import PAPER_FULL_S, TOLERANCE_S

if TYPE_CHECKING:
    from collections.abc import Mapping

    from matplotlib.figure import Figure

    from bentpipe.study import Key, Runs

SHOWN = (VEGAS, VEGAS_W, NEWRENO, LOWERS, LETTER, VEGAS_W_RFC, NEWRENO_RFC)
FREE_MBIT_S = RATE_MBIT_S - CBR_MBIT_S
#: Around the CBR, where reactions can be read.
ZOOM_S = (78.0, 152.0)
#: The comparison like for like: both double in every round.
EVERY_ROUND = "Vegas, doubling every round"


def plan_figures(effort: Effort) -> Mapping[Key, bp.Scenario]:
    return {(label, seed): cross_traffic(label, seed) for label in SHOWN for seed in effort.seeds}


def plan_windows(effort: Effort) -> Mapping[Key, bp.Scenario]:
    plans: dict[Key, bp.Scenario] = dict(plan_figures(effort))
    for seed in effort.seeds:
        plans[EVERY_ROUND, seed] = start_up(EVERY_ROUND, {"name": "vegas", "doubling": "every-round"}, seed)
    return plans


def two_panels(runs: Runs, what: str, label: str) -> Figure:
    """The paper's three above, readings of Vegas-W below, the time of the CBR again at the right; the first seed."""
    figure, axes = plots.new(2, 2, width=11.0, height=2.9)
    for row, labels in enumerate(((VEGAS, VEGAS_W, NEWRENO), (VEGAS_W, LOWERS, LETTER))):
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
    ours, even = ([left_slow_start(run) for run in runs.of(label)] for label in (VEGAS_W, EVERY_ROUND))
    usual = [left_slow_start(run) for run in runs.of(VEGAS)]
    longer = {
        text: sampled([100.0 * (a[0] / b[0] - 1.0) for a, b in zip(ours, other, strict=True)])
        for text, other in (
            ("both double in every round", even),
            ("Vegas doubles every other round, as the other claims have it", usual),
        )
    }
    signs = {change.mean > 0.0 for change in longer.values()}
    hangs = ": which of the two is longer hangs on the reading of Vegas" if len(signs) > 1 else ""
    against = {label: bp.relative_change(means[VEGAS_W][0], means[label][0]) for label in (VEGAS, NEWRENO)}
    return Finding(
        why=f"Vegas-W stays in slow start to {ours[0][1]:.0f} segments and {ours[0][0]:.1f} s; Vegas to "
        f"{even[0][1]:.0f} segments and {even[0][0]:.1f} s if it doubles as often, {usual[0][0]:.1f} s if it doubles "
        f"every other round{hangs}",
        claims=[
            *(
                Claim(
                    what=f"time in slow start, Vegas-W against Vegas ({text})",
                    measured=change,
                    sign=1,
                    digits=0,
                    note="«extend the time of the slow-start phase»",
                )
                for text, change in longer.items()
            ),
            *(
                Claim(
                    what=f"mean cwnd from 20 s to 80 s, Vegas-W against {label}",
                    measured=against[label],
                    sign=1,
                    digits=0,
                )
                for label in (VEGAS, NEWRENO)
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
            "what the CBR leaves. The paper's curves are not in its text, so only their order can be compared.",
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
    spans = ((0.0, 20.0), (20.0, CBR_S[0]), (CBR_S[0], CBR_S[1]), (CBR_S[1], CBR_S[1] + 10.0), (160.0, END_S))
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
    best, hits = readings.search(runs)
    total = len(readings.combinations())
    alike, free = readings.described(hits)
    one = f", one setting ({alike}) times options that do not change it" if readings.without_effect(hits) else ""
    fine = sampled([readings.three_times(run)[0] for run in runs.of("reading", readings.CLAIMED)])
    full = sampled([full_at(run) for run in runs.of(VEGAS_W)])
    held = {label: sampled([at_free_rate(run) for run in runs.of(label)]) for label in (VEGAS_W, NEWRENO)}
    first = sampled([left_slow_start(run)[1] for run in runs.of(VEGAS_W)])
    left = f"at {first.mean:.0f} segments, {'less' if first.high < bdp_packets() else 'not less'} than the "
    left += f"{bdp_packets():.0f} that the path holds"
    believed = sampled([capacity(run) for run in runs.of(VEGAS_W)])
    settled = {
        label: seconds([settled_at(run, seed) for run, seed in zip(runs.of(label), seeds, strict=True)])
        for label in (VEGAS_W, NEWRENO)
    }
    refilled = seconds([refilled_at(run, seed) for run, seed in zip(runs.of(VEGAS_W), seeds, strict=True)])
    between = ", with the paper's 6.4 s between" if fine.high < PAPER_FULL_S < full.low else ""
    return Finding(
        why=f"a fifth of a round trip is at 15 Mbit/s after {shown(fine, 1)} s, a whole one after {shown(full, 1)} s"
        f"{between}: slow start ends {left}; {len(hits)} of {total} combinations of what the paper leaves open come to "
        f"6.4 s ± 5 %{one}. «Responds swiftly» has no bound: Vegas-W first has 9 Mbit/s ± 10 % {settled[VEGAS_W]} "
        f"after the CBR begins, NewReno {settled[NEWRENO]}; it has it {held[VEGAS_W].mean:.0f} % of the time (NewReno "
        f"{held[NEWRENO].mean:.0f} %), and it fills the path {refilled} after the CBR ends",
        claims=[
            Claim(
                what="Vegas-W: time until a whole round trip has 97 % of 15 Mbit/s",
                measured=full,
                paper=PAPER_FULL_S,
                tolerance=TOLERANCE_S,
                unit="s",
            ),
            Claim(
                what="throughput of the first 20 s, Vegas-W against Vegas",
                measured=bp.relative_change(means[VEGAS_W][0], means[VEGAS][0]),
                sign=1,
                digits=0,
                note="«start-up performance is highly improved»",
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
                "Readings of Vegas-W, one changed at a time: time to 15 Mbit/s (s; runs of 30 s)",
                ("", "first fifth of a round trip (97 %)", "first whole round trip (97 %)", "for good (95 %)"),
                readings.one_at_a_time(runs),
            ),
            Sheet(
                f"All {total} combinations of base RTT, doubling, initial window, jump, recovery and loss verdict "
                f"({runs.effort.pick('one seed', 'mean of 3 seeds')}; never: not with every seed)",
                ("measure", "least (s)", "nearest to 6.4 (s)", "greatest (s)", "never", "within 6.4 s ± 5 %"),
                best,
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
            "That slow start doubles in every round is read off the number itself: from 2 segments to a thousand take "
            "nine doublings, in every other round 18 round trips; in 6.4 s that is 0.36 s a round trip, and two "
            "geostationary legs alone take 0.48 s.",
            "In slow start packets come in bursts shorter than a round trip: a fine bin is full while the path is "
            "half empty. So the claim is measured over whole round trips; the first full fifth of one stands beside.",
            f"Combinations whose first whole round trip comes within 6.4 s ± 5 %: {alike or 'nothing in common'}"
            + (f"; {free} differ, and that {'does not change it' if one else 'changes it'}." if free else ".")
            if hits
            else "No combination comes within 6.4 s ± 5 %.",
            "Vegas-W overshoots beside the CBR because its estimate does: ACKs of a burst come at the spacing of the "
            f"bottleneck even where part of it belongs to others, so that B RTTmin is {believed.mean:.0f} segments in "
            f"the mean between 90 s and 150 s where {bdp_packets(RTT_MS, FREE_MBIT_S):.0f} are free. Each loss sets "
            "the window there again, and retransmissions that are lost too wait for timeouts.",
            "All flows repair losses with SACK, so that only the controllers differ. With RFC 6582, one hole per round "
            "trip, NewReno and Vegas-W both spend minutes on the losses of the first overflow.",
        ],
    )


ROWS = (
    Row(
        id="V-06",
        place="Figure 2, section V.A",
        what="congestion windows of Vegas, Vegas-W and NewReno; CBR 6 Mbit/s between 80 s and 150 s",
        says="Vegas-W extends the time of the slow-start phase; its window is higher.",
        plan=plan_windows,
        read=read_windows,
    ),
    Row(
        id="V-07",
        place="Figure 3, section V.A",
        what="throughput of the three",
        says="Vegas-W needs only 6.4 s to get the full network utilization (15 Mb/s), and responds swiftly when the "
        "bandwidth changes at 80 s and 150 s.",
        plan=plan_throughput,
        read=read_throughput,
    ),
)
