# SPDX-License-Identifier: MIT OR Apache-2.0
"""The paper's statements on other algorithms: Vegas against Reno, and Vegas's descendants (V-13, V-14)."""

from __future__ import annotations

import math
import random
import statistics
import textwrap
from collections.abc import Callable, Sequence
from functools import partial
from itertools import product
from typing import Any

import bentpipe as bp
from bentpipe import plots
from bentpipe import study as st
from bentpipe_papers.transport import BARE, on_bed
from bentpipe_papers.vegas_w import bed
from bentpipe_papers.vegas_w.readings import ALL_BEDS, CLEAR, LINUX, ROUTES, SEEN, SMALL, elsewhere
from bentpipe_papers.vegas_w.rows_route import base_ms, rerouted

WIRED_MBIT_S = 10.0
WIRED_RTT_MS = 40.0
WIRED_FLOWS = 5
#: Round trips in ms of two otherwise equal flows.
_NEAR_MS, _FAR_MS = 40.0, 160.0
WARM_UP_S = 20.0
#: Buffers in packets, and the TCP. Claims are measured with the first: five Vegas flows queue 5 to 15 packets.
WIRED: dict[str, tuple[int, bp.Tcp]] = {
    "20 packets": (20, bed.NS2),
    "10 packets": (10, bed.NS2),
    "50 packets": (50, bed.NS2),
    "20 packets, the minimal TCP": (20, BARE),
}
_WIRED_MAIN = next(iter(WIRED))
_WIRED_WHY = {
    "10 packets": "five Vegas flows may keep more packets in the queue",
    "50 packets": "a bandwidth-delay product",
    "20 packets, the minimal TCP": "its results depend only on the controller's rules; it has SACK",
}
PAIR = ("vegas", "reno")


def drawn(what: str, seed: int, flow: int) -> float:
    """An independent number from 0 to 1 for each seed and flow. One sequence for all would move all flows together."""
    return random.Random(f"{what} {seed} {flow}").random()  # noqa: S311


def wired(
    label: str, controller: str, seed: int, buffer: int, rtts_ms: Sequence[float], whose: bp.Tcp = bed.NS2
) -> bp.Scenario:
    starts = [drawn("start", seed, place) for place in range(len(rtts_ms))]
    flows = [
        # The bottleneck has 10 ms of the round trip; the hosts' two links have the rest.
        bp.Flow(
            controller=controller,
            access=bp.AccessLink(rate="100 Mbit/s", delay=f"{(rtt_ms - 10.0) / 4.0:.4f} ms"),
            start=f"{start:.4f} s",
        )
        for rtt_ms, start in zip(rtts_ms, starts, strict=True)
    ]
    # A twentieth of the rate has another packet size; otherwise equal packets would be synchronised with the full
    # queue.
    flows.append(bp.Flow(kind="cbr", rate="0.5 Mbit/s", packet="333 B", start=f"{starts[0]:.4f} s"))
    return bp.Scenario(
        name=f"wired: {label}, {controller}, buffer {buffer}",
        duration="120 s",
        warm_up=f"{WARM_UP_S:g} s",
        seed=seed,
        network=bp.Dumbbell(rate=f"{WIRED_MBIT_S:g} Mbit/s", delay="5 ms", queue=f"{buffer} packets"),
        tcp=on_bed(whose, bed.SIZES, bed.OURS),
        flows=flows,
        record=bp.Record(interval="1 s", events=False),
    )


def plan_wired(effort: st.Effort) -> st.Plan:
    plans: dict[st.Key, bp.Scenario] = {}
    for controller, (place, (buffer, whose)), seed in product(PAIR, WIRED.items(), effort.seeds):
        # The round trips differ slightly; synchronised flows would share every loss.
        alike = [WIRED_RTT_MS + 4.0 * drawn("round trip", seed, flow) for flow in range(WIRED_FLOWS)]
        plans["equal", place, controller, seed] = wired("five flows", controller, seed, buffer, alike, whose)
        uneven = (_NEAR_MS, _FAR_MS)
        plans["uneven", place, controller, seed] = wired("two flows", controller, seed, buffer, uneven, whose)
    return plans


def wired_tcp(run: bp.Run) -> list[bp.FlowSummary]:
    return [flow for flow in run.summary["flows"] if flow["kind"] == "tcp"]


def fluctuation(run: bp.Run) -> float:
    """Standard deviation of a flow's goodput per second divided by its mean, averaged over the flows."""
    found = []
    for flow in wired_tcp(run):
        times, rate = st.series(run, "goodput_mbit_s", flow["flow"])
        rate = rate[times > WARM_UP_S]
        found.append(float(rate.std() / rate.mean()))
    return statistics.fmean(found)


def goodput(run: bp.Run) -> float:
    return sum(st.given(flow["goodput_mbit_s"]) for flow in wired_tcp(run))


def jain_of(run: bp.Run) -> float:
    return st.given(run.summary["totals"]["jain_index"])


def retransmitted(run: bp.Run) -> float:
    sent = sum(int(flow["sent_packets"]) for flow in wired_tcp(run))
    return 1000.0 * sum(int(flow["retransmitted_packets"]) for flow in wired_tcp(run)) / sent


def near_over_far(run: bp.Run) -> float:
    near, far = (st.given(flow["goodput_mbit_s"]) for flow in wired_tcp(run))
    return near / far


RATIO = "goodput at 40 ms divided by that at 160 ms"
#: Tolerance of a ratio, 5 %.
RATIO_TOLERANCE = 0.05
#: The measures of Vegas and Reno: the function, the round trips, and the statement on Vegas's number less Reno's.
MEASURES: dict[str, tuple[Callable[[bp.Run], float], str, st.Statement]] = {
    "goodput of all flows": (goodput, "equal", st.above("Mbit/s", 2)),
    "fluctuation of a flow's goodput from second to second": (fluctuation, "equal", st.below("std/mean", 3)),
    "Jain's index": (jain_of, "equal", st.above("", 3)),
    "retransmissions per 1000 packets": (retransmitted, "equal", st.below("", 2)),
    RATIO: (near_over_far, "uneven", st.below("", 2)),
}


def tolerated(ratios: Sequence[bp.Estimate]) -> str:
    """Return a sentence: up to which tolerance of “not biased” the verdict is the same.

    The ratio nearest to 1 determines it.
    """
    least = min(abs(one.mean - 1.0) - one.half_width for one in ratios)
    if least > RATIO_TOLERANCE:
        return f"Every tolerance below {least:.2f} gives the same verdict"
    return "In one reading, the verdict depends on the tolerance"


@st.reads(
    id="V-13",
    place="Sections I and III.A",
    what="Vegas compared with Reno on a wired path",
    says="Vegas outperforms Reno in utilisation, stability, fairness and retransmissions, and is not biased against "
    "long round-trip times. (The paper cites this.)",
    plan=plan_wired,
)
def read_wired(runs: st.Runs) -> st.Finding:
    values = {
        (what, place, name): [measure(run) for run in runs.of(kind, place, name)]
        for place, (what, (measure, kind, _)), name in product(WIRED, MEASURES.items(), PAIR)
    }

    def difference(what: str, place: str) -> bp.Estimate:
        return st.paired(values[what, place, "vegas"], values[what, place, "reno"])

    def ratio(place: str) -> bp.Estimate:
        return st.sampled(values[RATIO, place, "vegas"])

    claims = [
        st.claim(
            f"{what}, Vegas minus Reno",
            difference(what, _WIRED_MAIN),
            said,
            readings=st.otherwise(_WIRED_WHY, partial(difference, what)),
        )
        for what, (_, _, said) in MEASURES.items()
        if what != RATIO
    ]
    claims.append(
        st.claim(
            f"{RATIO}, two Vegas flows",
            ratio(_WIRED_MAIN),
            st.equals(1.0, "", 2, within=RATIO_TOLERANCE),
            note="The words “is not biased against the connections with longer round trip times” have no number, and "
            "the "
            "tolerance is ours. " + tolerated([ratio(place) for place in WIRED]),
            readings=st.otherwise(_WIRED_WHY, ratio),
        )
    )
    means = {what: [st.sampled(values[what, _WIRED_MAIN, name]) for name in PAIR] for what in MEASURES}
    figure, axes = plots.new(1, len(MEASURES), width=11.0, height=2.6)
    for axis, (what, (_, _, said)) in zip(axes, MEASURES.items(), strict=True):
        errors = [one.half_width for one in means[what]]
        axis.bar(("Vegas", "Reno"), [one.mean for one in means[what]], yerr=errors, color=plots.COLOURS[:2], capsize=3)
        axis.set_title(textwrap.fill(what, 24), fontsize="small")
        axis.set(ylabel=said.unit or "no unit", ylim=(0, None))
        axis.grid(visible=False, axis="x")
    _, _, jain, again, ratios = means.values()
    return st.found(
        "A Vegas flow is in equilibrium with any number of queued packets from alpha to beta (1 to 3), so the shares "
        "of two flows may differ by a factor of three. A round trip that is four times as long reduces the goodput "
        f"of a Vegas flow by a factor of {ratios[0].mean:.1f} and that of a Reno flow by {ratios[1].mean:.1f}. With "
        f"five flows, Vegas retransmits {again[0].mean:.1f} of 1000 packets and Reno {again[1].mean:.1f}. Jain's "
        f"index is {jain[0].mean:.2f} with Vegas and {jain[1].mean:.2f} with Reno",
        *claims,
        st.Sheet(
            f"{WIRED_MBIT_S:g} Mbit/s, 20 s to 120 s (mean ± 95 %)",
            ("buffer", "", "Vegas", "Reno", "difference"),
            [
                [
                    place,
                    what,
                    *(bed.shown(st.sampled(values[what, place, name]), said.digits) for name in PAIR),
                    bed.shown(difference(what, place), said.digits),
                ]
                for place, (what, (_, _, said)) in product(WIRED, MEASURES.items())
            ],
        ),
        st.Picture(f"Vegas and Reno on a wired path, buffer {_WIRED_MAIN} (mean and 95 %).", figure),
        f"The first four measures have five flows of {WIRED_RTT_MS:g} to {WIRED_RTT_MS + 4:g} ms. The last measure has "
        f"two flows of {_NEAR_MS:g} and {_FAR_MS:g} ms. Round trips and start times vary with the seed. The paper "
        "cites these claims from other papers and gives no numbers.",
        "A CBR flow of 0.5 Mbit/s in packets of 333 bytes runs beside the flows. Without the CBR flow, packets of "
        "equal size synchronise with a full drop-tail queue (Floyd and Jacobson's phase effects), and the same flow "
        "always has the losses.",
    )


#: Descendants that section II names. An asterisk marks a substitute, for which there is no verdict: the paper does not
#: define the two algorithms, and its reference for New Vegas is on task assignment.
KIN = {"New Vegas*": "new-vegas", "Vegas-A": "vegas-a", "Veno": "veno", "Vegas-AB*": "vegas-ab"}
ALL: dict[str, str | dict[str, Any]] = {
    bed.VEGAS: bed.CONTROLLERS[bed.VEGAS],
    **KIN,
    bed.VEGAS_W: bed.CONTROLLERS[bed.VEGAS_W],
}


#: The paper's own claim on its relatives, in other readings of the path.
KIN_IN = ("access links of 22 Mbit/s", CLEAR, "ns-2's Sack1", LINUX, "the minimal TCP")


def left_at(runs: Sequence[bp.Run]) -> bp.Estimate:
    """Window at the end of slow start, in percent of the bandwidth-delay product."""
    return st.sampled([100.0 * bed.left_slow_start(run)[1] / bed.bdp_packets() for run in runs])


def plan_kin(effort: st.Effort) -> st.Plan:
    plans: dict[st.Key, bp.Scenario] = {
        ("start", name, label, seed): bed.start_up(label, controller, seed, **ALL_BEDS[name].settings)
        for name, (label, controller), seed in product(KIN_IN, KIN.items(), effort.seeds)
        if "*" not in label
    }
    for (label, controller), seed in product(ALL.items(), effort.seeds):
        flow = bed.tcp(controller, seed)
        plans["cbr", label, seed] = bed.cross_traffic(label, seed, flow)
        for route in (SEEN, SMALL):
            plans[route, label, seed] = rerouted(label, route, seed, flow=flow)
    return plans


@st.reads(
    id="V-14",
    place="Section II",
    what="New Vegas, Vegas-A, Veno and Vegas-AB in the paper's scenarios",
    says="“mechanisms all above have not solved the problem that slow-start phase ends too early”, nor that of "
    "BaseRTT.",
    plan=plan_kin,
)
def read_kin(runs: st.Runs) -> st.Finding:
    spans = {
        "start 0-20 s": ("cbr", (0.0, 20.0)),
        "alone 20-80 s": ("cbr", (20.0, bed.CBR_S[0])),
        "beside CBR 80-150 s": ("cbr", bed.CBR_S),
        "after CBR 150-200 s": ("cbr", (bed.CBR_S[1], bed.END_S)),
        f"route {SEEN}, 50-100 s": (SEEN, bed.ROUTE_S),
        f"route {SMALL}, 50-100 s": (SMALL, bed.ROUTE_S),
    }
    rows, groups, exits = [], [], {}
    fills: dict[str, bool] = {}
    for label in ALL:
        exits[label] = left_at(runs.of("cbr", label))
        reached = [bed.full_at(run) for run in runs.of("cbr", label)]
        full, fills[label] = bed.often(reached), not all(math.isnan(at) for at in reached)
        believed = st.sampled([base_ms(run, bed.ROUTE_S[1]) for run in runs.of(SEEN, label)])
        means = [
            st.sampled([st.mean_between(*bed.on_the_wire(run), *span) for run in runs.of(kind, label)])
            for kind, span in spans.values()
        ]
        groups.append((label, means))
        rows.append(
            [label, bed.shown(exits[label], 0) + " %", full, *(bed.shown(one) for one in means), bed.shown(believed, 0)]
        )
    figure, (axis,) = plots.new(1, 1, height=4.6)
    st.bars(axis, list(spans), groups)
    axis.axvline(bed.RATE_MBIT_S, color="#000000", linestyle="--", linewidth=0.8, label="bottleneck")
    axis.set(xlabel="throughput (Mbit/s)", xlim=(0, 20))
    axis.legend(fontsize="small", loc="lower right")
    beds = {name: ALL_BEDS[name] for name in KIN_IN}
    full_ones = [label for label in ALL if fills[label]]
    return st.found(
        "Vegas-A leaves slow start by Vegas's test. Veno leaves it at the first overflow, as Reno does. Slow start "
        "ends at this share of the bandwidth-delay product: "
        + ", ".join(f"{exits[label].mean:.0f} % ({label})" for label in KIN)
        + ". The paper does not define New Vegas and Vegas-AB, so our substitutes (*) get no verdict. "
        + (
            f"These variants fill the 15 Mbit/s link for at least one whole round trip: {', '.join(full_ones)}"
            if full_ones
            else "No variant fills the 15 Mbit/s link for a whole round trip"
        ),
        *(
            st.claim(
                f"window of {label} at the end of slow start, in % of the bandwidth-delay product",
                exits[label],
                st.below(digits=0, than=100.0),
                note="The paper says “have not solved the problem that slow-start phase ends too early”",
                decides="Whether bursts of slow start overflow the buffer depends on the access links and the TCP",
                readings=elsewhere(partial(lambda label, name: left_at(runs.of("start", name, label)), label), beds),
            )
            for label in KIN
            if "*" not in label
        ),
        st.Sheet(
            "Throughput in the scenarios of Figures 3 and 5 (Mbit/s, mean ± 95 %)",
            (
                *("", "window at the end of slow start (of the BDP)", "link full from (s)", *spans),
                f"BaseRTT at 100 s, route {SEEN} (ms; the path has {bed.RTT_MS * ROUTES[SEEN][0]:.0f})",
            ),
            rows,
        ),
        st.Picture("Vegas, its descendants and Vegas-W in the paper's two scenarios (mean and 95 %).", figure),
        "The equations of New Vegas were not available. Our New Vegas* has pacing and a damped growth after the "
        "first exit from slow start, as its abstract says. Only two sentences of this paper describe Vegas-AB. Our "
        "Vegas-AB* is Vegas-A with Vegas-W's refresh of BaseRTT. The results show only our substitutes, so neither "
        "variant has a claim.",
        "The paper's “BaseRTT can not be valued correctly” is not a claim here. By construction, the smallest RTT so "
        "far cannot rise, and the refresh of Vegas-AB* is ours. The last column of the table shows the values of "
        "BaseRTT.",
    )
