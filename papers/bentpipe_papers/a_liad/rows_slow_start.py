# SPDX-License-Identifier: MIT OR Apache-2.0
"""Section 4.2: the overshoot of slow start, with SACK and without, and its effect on short flows (figure 7)."""

from __future__ import annotations

import math
import statistics
from collections.abc import Mapping, Sequence
from functools import partial
from itertools import product

import numpy as np

import bentpipe as bp
from bentpipe import plots
from bentpipe import study as st
from bentpipe_papers import ns2
from bentpipe_papers.a_liad import bed
from bentpipe_papers.a_liad.bed import GEO_MS, PAPERS, drawn_rtt_ms, single
from bentpipe_papers.a_liad.rows_start_up import (
    BESIDE_A_CURVE,
    BUFFERS,
    bdp_of,
    cuts_after,
    in_readings,
    lost_in_slow_start,
    runs_by_buffer,
    runs_of_readings,
    runs_of_start,
    slow_start_end,
    until,
)
from bentpipe_papers.transport import BARE

_ONCE = "Hoe's threshold without the logarithmic half"
PROBES: Mapping[str, tuple[bed.Controller, int]] = {
    "as a-liad-paper": ("a-liad-paper", 2),
    "initial window 4 (RFC 3390)": ("a-liad-paper", 4),
    "initial window 10 (RFC 6928)": ("a-liad-paper", 10),
    "ACK rule exact": ({"name": "a-liad-paper", "ack_rule": "exact"}, 2),
    "probing as equation 3 (+1 per ACK)": ({"name": "a-liad-paper", "probe_inc": "exponential"}, 2),
    _ONCE: ({"name": "a-liad-paper", "slow_start": "hoe"}, 2),
    "a-liad-safe": ("a-liad-safe", 2),
}


#: Measures of a run: the window at the end of slow start and the largest window in BDP, and all lost packets.
ENTERED = st.each(lambda run: slow_start_end(run)[1] / bdp_of(run))
LARGEST = st.each(lambda run: st.series(run, "cwnd_segments")[1].max() / bdp_of(run))
LOST = st.each(lambda run: st.series(run, "lost_queue")[1].sum())
#: Time in s at which a new flow takes 5 of the 10 Mbit/s, while the first flow is in slow start.
ENTERS_S = 3.0


def with_newcomer(name: str, seed: int) -> bp.Scenario:
    controller = "a-liad-paper" if name == "A-LIAD" else PROBES[_ONCE][0]
    newcomer = bp.Flow(
        kind="cbr", rate="5 Mbit/s", packet=f"{bed.PACKET_BYTES} B", start=f"{ENTERS_S:g} s", from_="0", to="3"
    )
    both = [bed.flow("A-LIAD", controller), newcomer]
    return bed.scenario(both, seed, rtt_ms=drawn_rtt_ms(GEO_MS, seed), interval="100 ms", events=True)


@st.reads(
    id="A-15",
    place="Figure 7(a), section 4.2",
    what="A-LIAD's slow start",
    says="A-LIAD does not overshoot, and enters congestion avoidance at the proper level",
    plan=lambda effort: {
        **runs_of_start(effort),
        **runs_of_readings(effort),
        **{
            ("tried", label, buffer, seed): single(
                label, seed, controller, initial_window=window, buffer=buffer, interval="100 ms", events=True
            )
            for (label, (controller, window)), buffer, seed in product(PROBES.items(), BUFFERS[1:], effort.seeds)
        },
        **{
            ("entered", name, seed): with_newcomer(name, seed)
            for name, seed in product(("A-LIAD", "once"), effort.seeds)
        },
    },
)
def read_own_start(runs: st.Runs) -> st.Finding:
    mine = runs.of("A-LIAD")
    entered, lost = ENTERED(mine), [lost_in_slow_start(run) for run in mine]
    four = runs.of("tried", "initial window 4 (RFC 3390)", "1 BDP")
    left, once = (bp.estimate(ENTERED(runs.of("entered", name))).text(2) for name in ("A-LIAD", "once"))
    figure, (axis,) = plots.new(1, 1, height=3.0)
    for name in ("A-LIAD", "A-LIAD safe"):
        axis.plot(*st.series(runs[name, runs.effort.seeds[0]], "cwnd_segments"), label=f"{name}, window")
    bdp = bdp_of(mine[0])
    for level, label, style in (
        (bdp, "path", "--"),
        (bdp / 2, "half of it (gamma)", "-."),
        (2 * bdp, "path and buffer", ":"),
    ):
        axis.axhline(level, color="#000000", linestyle=style, linewidth=0.9, label=label)
    axis.set(xlabel="s", ylabel="segments", ylim=(0, 2.3 * bdp), xlim=(0, 30))
    axis.legend(fontsize="small", ncols=2, loc="best")
    return st.found(
        "Hoe's estimate measures the path's bandwidth from trains of ACKs. From half of the estimated BDP on, "
        f"A-LIAD's window grows more slowly. Slow start ends at a window of {statistics.fmean(entered):.3f} BDP with "
        f"{statistics.fmean(lost):.0f} packets lost; with an initial window of 4, at "
        f"{statistics.fmean(ENTERED(four)):.3f} BDP with "
        f"{statistics.fmean(lost_in_slow_start(run) for run in four):.0f} packets lost. The table has the numbers "
        "for smaller buffers and for equation 3's +1",
        st.claim(
            "packets that A-LIAD loses in slow start",
            bp.estimate(lost),
            st.equals(0.0, "packets", within=0.5),
            readings=in_readings(runs, lambda of: [lost_in_slow_start(run) for run in of["A-LIAD"]], BESIDE_A_CURVE),
            headline="A-LIAD “does not experience an overshooting during the SS phase”",
            decides="Hoe's estimate measures the bandwidth before the queue fills, but it needs a train of ACKs",
            note=(
                "With a buffer of 50 packets (0.07 BDP), which the text of section 3.2 excludes, the queue drops 65 "
                "packets"
            ),
        ),
        st.claim(
            "window at the end of slow start divided by the path's BDP (“the proper level”)",
            bp.estimate(entered),
            st.equals(1.0, "BDP", 3, within=0.05),
            note=(
                "The paper gives no number for “the proper level”. Its threshold estimates the bandwidth-delay "
                "product, so we expect a ratio of 1"
            ),
        ),
        st.claim(
            "window at the end of slow start if a new flow takes half of the rate, compared with a single flow",
            bp.relative_change(
                [slow_start_end(run)[1] for run in runs.of("entered", "A-LIAD")],
                [slow_start_end(run)[1] for run in mine],
            ),
            st.below(),
            note=(
                "The paper says “By repeating this estimation every RTT during a slow start, A-LIAD can update its "
                "adequate level of ssthresh such that it can adapt to the network variation even if a new flow "
                f"sharing the same bottleneck link enters”. The window at the end of slow start is {left} BDP of the "
                f"whole path, of which half is free; if A-LIAD estimates only once, it is {once} BDP"
            ),
            decides="The result depends on the time at which the new flow enters, and on the rate that it takes",
        ),
        st.table(
            "slow start of A-LIAD by reading and buffer",
            "reading | buffer",
            {one: runs.of("tried", *one) for one in product(PROBES, BUFFERS[1:])},
            (
                st.Column("slow start until, s", st.each(lambda run: slow_start_end(run)[0]), 1),
                st.Column("window then, BDP", ENTERED),
                st.Column("lost in slow start, packets", st.each(lost_in_slow_start), 0),
                st.Column("largest window in 30 s, BDP", LARGEST),
                st.Column("lost in 30 s, packets", LOST, 0),
            ),
        ),
        st.Picture("Figure 7(a): A-LIAD's window at start-up (first seed)", figure),
        "After slow start, the window grows until path and buffer are full, because equation 3 aims at twice the "
        "threshold. If RTT/RTTmin is above delta, equation 3 adds 1 per ACK, which doubles the window in a round "
        "trip. We use the text's “linear increase” instead. A-LIAD's largest window in 30 s is "
        f"{statistics.fmean(LARGEST(mine)):.2f} BDP (path and buffer hold 2 BDP), with "
        f"{statistics.fmean(LOST(mine)):.0f} packets lost.",
    )


STANDARD = "NewReno"


def cuts_within(name: str, of: Mapping[str, Sequence[bp.Run]]) -> list[float]:
    return [float(cuts_after(run)) for run in of[name]]


def first_drop(run: bp.Run) -> float:
    """Window at the first overflow of the buffer, divided by the bandwidth-delay product."""
    lost = st.series(run, "lost_queue")[1]
    windows = st.series(run, "cwnd_segments")[1]
    where = np.nonzero(lost > 0)[0]
    return float(windows[where[0]]) / bdp_of(run) if where.size else math.nan


@st.reads(
    id="A-16",
    place="Figure 7(b), section 4.2",
    what="slow start of the other variants",
    says="Standard TCP reaches almost twice the BDP. Westwood and CUBIC reduce several times after slow start",
    plan=lambda effort: {
        **runs_by_buffer(effort),
        **runs_of_readings(effort),
        **{("fine", seed): single(STANDARD, seed, duration_s=10.0, interval="10 ms") for seed in effort.seeds},
    },
)
def read_other_starts(runs: st.Runs) -> st.Finding:
    seeds = runs.effort.seeds
    at_drop = [first_drop(run) for run in runs.of("fine")]
    at_end = ENTERED(runs.of(STANDARD))
    figure, (axis,) = plots.new(1, 1, height=3.0)
    for name in ("Westwood", "CUBIC", "NewReno", "A-LIAD"):
        axis.plot(*st.series(runs[name, seeds[0]], "cwnd_segments"), label=name, linewidth=1.1)
    bdp = bdp_of(runs[STANDARD, seeds[0]])
    axis.axhline(2 * bdp, color="#000000", linestyle=":", linewidth=0.9, label="paper: twice the BDP")
    axis.axhline(bdp, color="#000000", linestyle="--", linewidth=0.9, label="path")
    axis.set(xlabel="s", ylabel="window (segments)", ylim=(0, None), xlim=(0, 30))
    axis.legend(fontsize="small", ncols=2, loc="best")
    cuts = {name: statistics.fmean(cuts_after(run) for run in runs.of(name)) for name in ("CUBIC", "Westwood")}
    no_timeout = statistics.fmean(cuts_after(run, timeouts=False) for run in runs.of("CUBIC"))
    left = {name: statistics.fmean(st.cuts(run)[0][2] / bdp_of(run) for run in runs.of(name)) for name in cuts}
    return st.found(
        f"Slow start overflows path and buffer at a window of {statistics.fmean(at_drop):.2f} BDP. Path and buffer "
        "hold 2 BDP, so a second window reduction follows only if the first one leaves more than 2 BDP. CUBIC's "
        f"first reduction leaves {left['CUBIC']:.2f} BDP, and CUBIC reduces {cuts['CUBIC']:.1f} times within 5 round "
        f"trips ({cuts['CUBIC'] - no_timeout:.1f} of these at timeouts). Westwood's first reduction leaves "
        f"{left['Westwood']:.2f} BDP, and Westwood reduces {cuts['Westwood']:.1f} times",
        st.claim(
            "window of standard TCP when slow start overflows the buffer, divided by the path's BDP",
            bp.estimate(at_drop),
            st.equals(2.0, "BDP", 2, within=0.1, neutral=1.0, check=True),
            note="The paper says “cwnd becomes almost twice the BDP, causing multiple losses”. We use the window at "
            "the loss. A round trip later, when the sender detects the loss, the window is "
            f"{bp.estimate(at_end).text(2)} BDP",
            decides=(
                "The window at the overflow is the path's BDP plus our buffer of 1 BDP, which we chose by this "
                "sentence of the paper"
            ),
        ),
        *(
            st.claim(
                f"window reductions of {name} within 5 round trips after slow start",
                bp.estimate([float(cuts_after(run)) for run in runs.of(name)]),
                st.above("", than=1.0),
                readings=in_readings(runs, partial(cuts_within, name)),
                note=ns2.told_cuts(name),
            )
            for name in ("Westwood", "CUBIC")
        ),
        st.table(
            "the end of slow start",
            "variant | buffer",
            {(name, buffer): runs.of("buffer", buffer, name) for name, buffer in product(PAPERS, BUFFERS)},
            (
                st.Column("window then, BDP", ENTERED),
                st.Column("lost by slow start", st.each(lost_in_slow_start), 0),
                st.Column("reductions within 5 round trips", st.each(cuts_after), 1),
                st.Column("timeouts in 30 s", partial(st.counts, metric="timeouts"), 1),
            ),
        ),
        st.Picture("Figure 7(b): windows at start-up beside A-LIAD's (first seed)", figure),
    )


#: The conclusion, and the abstract in nearly the same words.
WITHOUT_SACK = "we can avoid an overshooting problem during a slow-start phase even without a SACK option"
#: TCP with SACK and without: ns-2's agents, and the minimal TCP.
RECOVERIES = {
    "with SACK": bed.WHOLE,
    "without SACK": bed.NO_SACK,
    "bare, with SACK": BARE,
    "bare, without": bed.BARE_NO_SACK,
}


def repair_rounds(run: bp.Run) -> float:
    """Time from the end of slow start to the end of all repairs, in the longest round trips of the run.

    If a run ends during repairs, the time to the end of the run counts.
    """
    changes = st.events(run, "phase", columns=("time_s", "detail"))
    end, _ = slow_start_end(run)
    length = float(run.summary["provenance"]["duration_s"])
    after = [float(row["time_s"]) for row in changes if float(row["time_s"]) > end and row["detail"] == "avoidance"]
    longest_s = 1e-3 * st.given(run.summary["flows"][0]["rtt_ms"])["max"]
    return ((after[0] if after else length) - end) / longest_s


@st.reads(
    id="A-17",
    place="section 4.2",
    what="start-up without SACK",
    says=(
        "Without SACK, the losses at the end of slow start would harm Westwood and CUBIC more than with SACK; A-LIAD "
        "avoids these losses"
    ),
    plan=lambda effort: {
        (label, name, seed): single(name, seed, interval="100 ms", events=True, tcp=tcp)
        for (label, tcp), (name, seed) in product(RECOVERIES.items(), bed.each(PAPERS, effort.seeds))
    },
)
def read_without_sack(runs: st.Runs) -> st.Finding:
    labels = list(RECOVERIES)
    share = {one: [until(run, 30.0) for run in runs.of(*one)] for one in product(labels, PAPERS)}
    lost = {name: bp.relative_change(share[labels[1], name], share[labels[0], name]) for name in PAPERS}
    rounds = {one: [repair_rounds(run) for run in runs.of(*one)] for one in product(labels[:2], ("CUBIC", "NewReno"))}

    return st.found(
        f"Without SACK, TCP repairs one loss per round trip. In 30 s, CUBIC then delivers {-lost['CUBIC'].mean:.0f} "
        f"% less and Westwood {-lost['Westwood'].mean:.0f} % less. A-LIAD has no losses to repair, and its "
        f"throughput changes by {abs(lost['A-LIAD'].mean):.1f} %",
        *(
            st.claim(
                f"throughput of {name} in 30 s without SACK, compared with SACK",
                lost[name],
                said,
                headline=WITHOUT_SACK if name == "A-LIAD" else "",
                decides="A-LIAD loses nothing in slow start, so SACK has nothing to repair" if name == "A-LIAD" else "",
            )
            for name, said in (("Westwood", st.below()), ("CUBIC", st.below()), ("A-LIAD", st.equals(0.0)))
        ),
        *(
            st.claim(
                f"round trips that {name} needs for repairs after slow start, with SACK divided by without SACK",
                bp.estimate([a / b for a, b in zip(*(rounds[label, name] for label in labels[:2]), strict=True)]),
                st.below("", 2, than=1.0),
                note="The paper says that with SACK “multiple losses during a slow-start phase can be nearly recovered "
                f"within a few rounds”. In runs of 30 s we measured {statistics.fmean(rounds[labels[0], name]):.1f} "
                f"round trips with SACK and {statistics.fmean(rounds[labels[1], name]):.1f} without",
            )
            for name in ("CUBIC", "NewReno")
        ),
        st.grid(
            "utilisation in the first 30 s by the loss recovery, %",
            "variant",
            PAPERS,
            {label: label for label in labels} | {"change without SACK": ""},
            lambda name, label: bp.estimate(share[label, name]) if label else st.change_text(lost[name]),
        ),
    )


SIZES = (10, 30, 100, 300, 1000, 3000, 10000)
#: Sizes in segments: a short transfer, and a transfer that overflows path and buffer (1428) in slow start.
SMALLER, LARGER = 1000, 3000
SHORT = ("A-LIAD", "NewReno", "CUBIC", "Hybla", "CUBIC RFC 9438")


def transfer(name: str, segments: int, seed: int, tcp: bp.Tcp) -> bp.Scenario:
    flow = bed.flow(name, size=f"{segments * bed.MSS_BYTES} B")
    return bed.scenario([flow], seed, rtt_ms=drawn_rtt_ms(GEO_MS, seed), duration_s=400.0, tcp=tcp)


def completion(runs: st.Runs, label: str, size: int, name: str) -> list[float]:
    done = [run.summary["flows"][0]["completed_at_s"] for run in runs.of(label, size, name)]
    return [math.nan if time is None else float(time) for time in done]


@st.reads(
    id="A-18",
    place="section 4.2",
    what="short flows",
    says="Slow start becomes important for short transfers, which are more than 70 % of Internet traffic",
    plan=lambda effort: {
        **{
            (label, size, name, seed): transfer(name, size, seed, tcp)
            for label, tcp in list(RECOVERIES.items())[:2]
            for size, (name, seed) in product(SIZES, bed.each(SHORT, effort.seeds))
        },
        **{
            ("reading", LARGER, name, seed): transfer(name, LARGER, seed, bed.NO_SACK)
            for name, seed in bed.each(("A-LIAD", "NewReno"), effort.seeds)
        },
    },
)
def read_short_flows(runs: st.Runs) -> st.Finding:
    labels = list(RECOVERIES)[:2]
    times = {one: completion(runs, *one) for one in product(labels, SIZES, SHORT)}
    against = {
        (label, size): bp.relative_change(times[label, size, "A-LIAD"], times[label, size, "NewReno"])
        for label, size in product(labels, SIZES)
    }
    figure, axes = plots.new(1, 2, height=3.0)
    for axis, label in zip(axes, labels, strict=True):
        for number, name in enumerate(SHORT):
            means = [bp.estimate(times[label, size, name]) for size in SIZES]
            st.with_errors(axis, SIZES, means, name, marker="os^Dv"[number], markersize=4)
        axis.set(xscale="log", yscale="log", title=label, xlabel="size (segments of 1000 B)", ylabel="completion (s)")
        axis.set_yticks([1, 2, 5, 10, 20], ["1", "2", "5", "10", "20"])
        axis.minorticks_off()
    axes[0].legend(fontsize="small", loc="best")
    last = SIZES[-1]

    def completed(label: str, name: str, size: int) -> bp.Estimate | str:
        return bp.estimate(times[label, size, name]) if name else st.change_text(against[label, size])

    larger = bp.relative_change(*(completion(runs, "reading", LARGER, name) for name in ("A-LIAD", "NewReno")))
    return st.found(
        "Up to 300 segments, a transfer takes the same time with all variants except Hybla, because it ends before "
        "any window fills the path. Compared with NewReno, A-LIAD's logarithmic half of slow start changes the time "
        f"for 1000 segments by {against[labels[0], 1000].mean:+.0f} %. At 3000 segments, NewReno overflows the path, "
        f"and A-LIAD's time differs by {against[labels[0], 3000].mean:+.0f} % with SACK and "
        f"{against[labels[1], 3000].mean:+.0f} % without. At {last} segments, it differs by "
        f"{against[labels[0], last].mean:+.0f} % with SACK and {against[labels[1], last].mean:+.0f} % without",
        st.claim(
            f"completion time of {SMALLER} segments with A-LIAD compared with NewReno, without SACK",
            against[labels[1], SMALLER],
            st.below(),
            note="The paper says “important for short transfer flows”, without a number or a size",
            readings=(
                st.InReading(
                    name=f"{LARGER} segments",
                    why="The paper gives no size. The sentence is about losses, and fewer than 1428 segments overflow "
                    "no queue.",
                    measured=larger,
                ),
            ),
            decides="It depends on the size whether slow start overflows path and buffer before the transfer ends",
        ),
        *[
            st.grid(
                f"completion times {label}, s",
                "segments",
                SIZES,
                {name: (label, name) for name in SHORT} | {"A-LIAD compared with NewReno": (label, "")},
                lambda size, key: completed(*key, size),
                digits=2,
            )
            for label in labels
        ],
        st.Picture("Completion time of short flows over GEO (95 % intervals)", figure),
        "The paper gives no source for “more than 70 % of Internet traffic”, and we do not measure it.",
    )
