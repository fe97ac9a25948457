# SPDX-License-Identifier: MIT OR Apache-2.0
"""What the paper says about others: Vegas against Reno, and Vegas's descendants (V-13, V-14)."""

from __future__ import annotations

import math
import statistics
import textwrap
from functools import partial
from typing import TYPE_CHECKING, Any

import bentpipe as bp
from bentpipe import plots
from bentpipe.study import (
    Claim,
    Effort,
    Finding,
    Picture,
    Row,
    Sheet,
    bars,
    given,
    in_reading,
    mean_between,
    sampled,
    series,
)
from bentpipe_papers.transport import BARE, on_bed
from bentpipe_papers.vegas_w.bed import (
    CBR_S,
    CONTROLLERS,
    END_S,
    NS2,
    OURS,
    RATE_MBIT_S,
    ROUTE_S,
    RTT_MS,
    SIZES,
    VEGAS,
    VEGAS_W,
    bdp_packets,
    cross_traffic,
    full_at,
    left_slow_start,
    often,
    on_the_wire,
    shown,
    tcp,
)
from bentpipe_papers.vegas_w.readings import ROUTES, SEEN, SMALL
from bentpipe_papers.vegas_w.rows_route import base_ms, rerouted

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from bentpipe.study import Key, Runs

WIRED_MBIT_S = 10.0
WIRED_RTT_MS = 40.0
WIRED_FLOWS = 5
#: Round trips of the two flows that differ in nothing else.
_NEAR_MS, _FAR_MS = 40.0, 160.0
WARM_UP_S = 20.0
#: Buffers in packets, and whose TCP. Claims are measured with the first: five Vegas flows want 5 to 15 packets.
WIRED: dict[str, tuple[int, bp.Tcp]] = {
    "20 packets": (20, NS2),
    "10 packets": (10, NS2),
    "50 packets": (50, NS2),
    "20 packets, the bare machine": (20, BARE),
}
_WIRED_MAIN, *_WIRED_OTHERS = WIRED
_WIRED_WHY = {
    "10 packets": "five Vegas flows may want more",
    "50 packets": "a bandwidth-delay product",
    "20 packets, the bare machine": "what is seen is the controller's; SACK",
}
PAIR = ("vegas", "reno")
RATIO = "goodput at 40 ms over that at 160 ms"
#: Of a ratio: 5 %.
RATIO_TOLERANCE = 0.05


def wired(
    label: str, controller: str, seed: int, buffer: int, rtts_ms: Sequence[float], whose: bp.Tcp = NS2
) -> bp.Scenario:
    """Flows that differ in their round trip; their starts are up to a second apart, by the seed."""
    starts = [(seed + place) * 0.6180339887 % 1 for place in range(len(rtts_ms))]
    flows = [
        # 10 ms of the round trip are in the bottleneck, the rest is in the two links of the hosts.
        bp.Flow(
            controller=controller,
            access=bp.AccessLink(rate="100 Mbit/s", delay=f"{(rtt_ms - 10.0) / 4.0:.4f} ms"),
            start=f"{start:.4f} s",
        )
        for rtt_ms, start in zip(rtts_ms, starts, strict=True)
    ]
    # A twentieth of the rate in packets of another size: without it equal packets keep step with the full queue.
    flows.append(bp.Flow(kind="cbr", rate="0.5 Mbit/s", packet="333 B", start=f"{starts[0]:.4f} s"))
    return bp.Scenario(
        name=f"wired: {label}, {controller}, buffer {buffer}",
        duration="120 s",
        warm_up=f"{WARM_UP_S:g} s",
        seed=seed,
        network=bp.Dumbbell(rate=f"{WIRED_MBIT_S:g} Mbit/s", delay="5 ms", queue=f"{buffer} packets"),
        tcp=on_bed(whose, SIZES, OURS),
        flows=flows,
        record=bp.Record(interval="1 s", events=False),
    )


def plan_wired(effort: Effort) -> Mapping[Key, bp.Scenario]:
    plans: dict[Key, bp.Scenario] = {}
    for controller in PAIR:
        for place, (buffer, whose) in WIRED.items():
            for seed in effort.seeds:
                # Round trips that are not quite equal: flows in step would share every loss.
                alike = [WIRED_RTT_MS + 4.0 * ((seed + flow) * 0.7548776662 % 1) for flow in range(WIRED_FLOWS)]
                plans["equal", place, controller, seed] = wired("five flows", controller, seed, buffer, alike, whose)
                uneven = (_NEAR_MS, _FAR_MS)
                plans["uneven", place, controller, seed] = wired("two flows", controller, seed, buffer, uneven, whose)
    return plans


def less_reno(
    runs: Runs, measure: Callable[[bp.Run], float], kind: str, place: str, seeds: tuple[int, ...]
) -> bp.Estimate:
    """A measure of Vegas's runs less that of Reno's, in a place of `WIRED`."""
    vegas, reno = ([measure(run) for run in runs.of(kind, place, name, seeds=seeds)] for name in PAIR)
    return sampled([a - b for a, b in zip(vegas, reno, strict=True)])


def ratio_in(runs: Runs, place: str, seeds: tuple[int, ...]) -> bp.Estimate:
    """Vegas's goodput at the short round trip over that at the long one, in a place of `WIRED`."""
    return sampled([near_over_far(run) for run in runs.of("uneven", place, PAIR[0], seeds=seeds)])


def wired_tcp(run: bp.Run) -> list[bp.FlowSummary]:
    return [flow for flow in run.summary["flows"] if flow["kind"] == "tcp"]


def fluctuation(run: bp.Run) -> float:
    """Standard deviation over mean of each flow's goodput by seconds after the warm-up, mean of the flows."""
    found = []
    for flow in wired_tcp(run):
        times, rate = series(run, "goodput_mbit_s", flow["flow"])
        rate = rate[times > WARM_UP_S]
        found.append(float(rate.std() / rate.mean()))
    return statistics.fmean(found)


def goodput(run: bp.Run) -> float:
    return sum(given(flow["goodput_mbit_s"]) for flow in wired_tcp(run))


def jain_of(run: bp.Run) -> float:
    return given(run.summary["totals"]["jain_index"])


def retransmitted(run: bp.Run) -> float:
    sent = sum(int(flow["sent_packets"]) for flow in wired_tcp(run))
    return 1000.0 * sum(int(flow["retransmitted_packets"]) for flow in wired_tcp(run)) / sent


def near_over_far(run: bp.Run) -> float:
    near, far = (given(flow["goodput_mbit_s"]) for flow in wired_tcp(run))
    return near / far


def tolerated(ratios: Sequence[bp.Estimate]) -> str:
    """Up to which tolerance of “not biased” the verdict is the same, in words; the ratio nearest to 1 decides."""
    least = min(abs(one.mean - 1.0) - one.half_width for one in ratios)
    return f"any below {least:.2f} gives the same verdict" if least > RATIO_TOLERANCE else "it decides in one reading"


@plots.styled
def read_wired(runs: Runs) -> Finding:
    measures: tuple[tuple[str, str, Callable[[bp.Run], float], str, int, int], ...] = (
        ("goodput of all flows", "Mbit/s", goodput, "equal", 1, 2),
        ("fluctuation of a flow's goodput by seconds", "std/mean", fluctuation, "equal", -1, 3),
        ("Jain's index", "", jain_of, "equal", 1, 3),
        ("retransmissions per 1000 packets", "", retransmitted, "equal", -1, 2),
        (RATIO, "", near_over_far, "uneven", -1, 2),
    )
    claims, rows = [], []
    values: dict[tuple[str, str], list[float]] = {}
    seeds = runs.effort.seeds
    for place in WIRED:
        for what, unit, measure, kind, sign, digits in measures:
            vegas, reno = ([measure(run) for run in runs.of(kind, place, name, seeds=seeds)] for name in PAIR)
            difference = less_reno(runs, measure, kind, place, seeds)
            means = (sampled(vegas), sampled(reno), difference)
            rows.append([place, what, *(shown(one, digits) for one in means)])
            if place == _WIRED_MAIN:
                values |= {(what, "vegas"): vegas, (what, "reno"): reno}
                if what != RATIO:
                    claims.append(
                        Claim(
                            what=f"{what}, Vegas less Reno",
                            measured=difference,
                            sign=sign,
                            unit=unit,
                            digits=digits,
                            readings=tuple(
                                in_reading(
                                    other,
                                    _WIRED_WHY[other],
                                    partial(less_reno, runs, measure, kind, other),
                                    runs.effort,
                                )
                                for other in _WIRED_OTHERS
                            ),
                        )
                    )
    claims.append(
        Claim(
            what=f"Vegas: {RATIO}",
            measured=sampled(values[RATIO, "vegas"]),
            paper=1.0,
            tolerance=RATIO_TOLERANCE,
            unit="",
            digits=2,
            note="“is not biased against the connections with longer round trip times”: the words have no number, the "
            "tolerance is ours; " + tolerated([ratio_in(runs, place, seeds) for place in WIRED]),
            readings=tuple(
                in_reading(other, _WIRED_WHY[other], partial(ratio_in, runs, other), runs.effort)
                for other in _WIRED_OTHERS
            ),
        )
    )
    figure, axes = plots.new(1, len(measures), width=11.0, height=2.6)
    for axis, (what, unit, *_) in zip(axes, measures, strict=True):
        two = [sampled(values[what, name]) for name in PAIR]
        errors = [one.half_width for one in two]
        axis.bar(("Vegas", "Reno"), [one.mean for one in two], yerr=errors, color=plots.COLOURS[:2], capsize=3)
        axis.set_title(textwrap.fill(what, 24), fontsize="small")
        axis.set(ylabel=unit or "no unit", ylim=(0, None))
        axis.grid(visible=False, axis="x")
    again, ratio, jain = ({name: sampled(values[measures[place][0], name]) for name in PAIR} for place in (3, 4, 2))
    return Finding(
        why="A Vegas flow rests wherever it queues from alpha to beta packets, 1 to 3: shares may differ threefold; "
        "a round trip four times as long costs a Vegas flow a factor of "
        f"{ratio['vegas'].mean:.1f}, a Reno flow {ratio['reno'].mean:.1f}. Five flows: Vegas retransmits "
        f"{again['vegas'].mean:.1f} of 1000 packets, Reno "
        f"{again['reno'].mean:.1f}; Jain's index of "
        f"Vegas is {jain['vegas'].mean:.2f} (Reno {jain['reno'].mean:.2f})",
        claims=claims,
        sheets=[
            Sheet(
                f"{WIRED_MBIT_S:g} Mbit/s, 20 s to 120 s (mean ± 95 %)",
                ("buffer", "", "Vegas", "Reno", "difference"),
                rows,
            )
        ],
        pictures=[Picture(f"Vegas and Reno on a wired path, buffer {_WIRED_MAIN} (mean and 95 %).", figure)],
        notes=[
            f"Five flows of {WIRED_RTT_MS:g} to {WIRED_RTT_MS + 4:g} ms for the first four measures, two of "
            f"{_NEAR_MS:g} and {_FAR_MS:g} ms for the last; round trips and starts vary with the seed. The paper cites "
            "these claims from others and gives no numbers.",
            "A CBR flow of 0.5 Mbit/s in packets of 333 bytes runs beside. Without it packets of equal size keep step "
            "with a full drop-tail queue (Floyd and Jacobson's phase effects), and who loses is always the same.",
        ],
    )


#: Descendants that section II names; an asterisk marks a stand-in, which bears no verdict: the paper does not define
#: the two, and its reference for New Vegas is a work on task assignment.
KIN = {
    "New Vegas*": "new-vegas",
    "Vegas-A": "vegas-a",
    "Veno": "veno",
    "Vegas-AB*": "vegas-ab",
}
ALL: dict[str, str | dict[str, Any]] = {VEGAS: CONTROLLERS[VEGAS], **KIN, VEGAS_W: CONTROLLERS[VEGAS_W]}


def plan_kin(effort: Effort) -> Mapping[Key, bp.Scenario]:
    plans: dict[Key, bp.Scenario] = {}
    for label, controller in ALL.items():
        for seed in effort.seeds:
            flow = tcp(controller, seed)
            plans["cbr", label, seed] = cross_traffic(label, seed, flow)
            for route in (SEEN, SMALL):
                plans[route, label, seed] = rerouted(label, route, seed, flow=flow)
    return plans


@plots.styled
def read_kin(runs: Runs) -> Finding:
    spans = {
        "start 0-20 s": ("cbr", (0.0, 20.0)),
        "alone 20-80 s": ("cbr", (20.0, CBR_S[0])),
        "beside CBR 80-150 s": ("cbr", CBR_S),
        "after CBR 150-200 s": ("cbr", (CBR_S[1], END_S)),
        f"route {SEEN}, 50-100 s": (SEEN, ROUTE_S),
        f"route {SMALL}, 50-100 s": (SMALL, ROUTE_S),
    }
    rows, groups, exits = [], [], {}
    fills: dict[str, bool] = {}
    for label in ALL:
        left = [left_slow_start(run) for run in runs.of("cbr", label)]
        exits[label] = sampled([100.0 * window / bdp_packets() for _, window in left])
        reached = [full_at(run) for run in runs.of("cbr", label)]
        full, fills[label] = often(reached), not all(math.isnan(at) for at in reached)
        believed = sampled([base_ms(run, ROUTE_S[1]) for run in runs.of(SEEN, label)])
        means = [
            sampled([mean_between(*on_the_wire(run), *span) for run in runs.of(kind, label)])
            for kind, span in spans.values()
        ]
        groups.append((label, means))
        rows.append([label, shown(exits[label], 0) + " %", full, *(shown(one) for one in means), shown(believed, 0)])
    figure, (axis,) = plots.new(1, 1, height=4.6)
    bars(axis, list(spans), groups)
    axis.axvline(RATE_MBIT_S, color="#000000", linestyle="--", linewidth=0.8, label="bottleneck")
    axis.set(xlabel="throughput (Mbit/s)", xlim=(0, 20))
    axis.legend(fontsize="small", loc="lower right")
    claims = [
        Claim(
            what=f"{label}: cwnd as slow start ends, of the bandwidth-delay product",
            measured=exits[label],
            sign=-1,
            neutral=100.0,
            digits=0,
            note="“have not solved the problem that slow-start phase ends too early”",
        )
        for label in KIN
        if "*" not in label
    ]
    full_ones = [label for label in ALL if fills[label]]
    return Finding(
        why="Vegas-A leaves slow start by Vegas's test, Veno, as Reno, at the first overflow. It ends at "
        + ", ".join(f"{exits[label].mean:.0f} % ({label})" for label in KIN)
        + " of the bandwidth-delay product. The paper does not define New Vegas and Vegas-AB: stand-ins (*) bear no "
        f"verdict. Those with a whole round trip at 15 Mbit/s: {', '.join(full_ones) if full_ones else 'none'}",
        claims=claims,
        sheets=[
            Sheet(
                "Throughput in the scenarios of Figures 3 and 5 (Mbit/s, mean ± 95 %)",
                (
                    *("", "slow start ends at (of the BDP)", "full from (s)", *spans),
                    f"BaseRTT at 100 s, route {SEEN} (ms; the path has {RTT_MS * ROUTES[SEEN][0]:.0f})",
                ),
                rows,
            )
        ],
        pictures=[Picture("Vegas, its descendants and Vegas-W in the paper's two scenarios (mean and 95 %).", figure)],
        notes=[
            "New Vegas*: its equations were not at hand; pacing and a damped growth after slow start's first exit, by "
            "its abstract. Vegas-AB*: no description was found but two sentences of this paper; Vegas-A with Vegas-W's "
            "refresh of BaseRTT. Results speak of these stand-ins, so neither has a claim, whatever it shows.",
            "“BaseRTT can not be valued correctly” is not claimed: a smallest RTT so far cannot rise, by construction, "
            "and the refresh of Vegas-AB* is ours. The last column shows it.",
        ],
    )


ROWS = (
    Row(
        id="V-13",
        place="Sections I and III.A",
        what="Vegas against Reno on a wired path",
        says="Vegas outperforms Reno in utilisation, stability, fairness, retransmissions, and is not biased against "
        "long round-trip times (cited from others).",
        plan=plan_wired,
        read=read_wired,
    ),
    Row(
        id="V-14",
        place="Section II",
        what="New Vegas, Vegas-A, Veno and Vegas-AB in the paper's scenarios",
        says="“mechanisms all above have not solved the problem that slow-start phase ends too early”, nor that of "
        "BaseRTT.",
        plan=plan_kin,
        read=read_kin,
    ),
)
