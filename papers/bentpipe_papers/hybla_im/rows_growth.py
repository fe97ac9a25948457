# SPDX-License-Identifier: MIT OR Apache-2.0
"""Section 3.1: how Hybla fills buffers, and the growth factor that should prevent it (H-10, H-11)."""

from __future__ import annotations

import itertools
from functools import partial
from itertools import product
from typing import NamedTuple

import numpy as np
import pyarrow.compute as pc

import bentpipe as bp
from bentpipe import plots
from bentpipe import study as st
from bentpipe_papers.hybla_im import curves
from bentpipe_papers.hybla_im.bed import (
    HYBLA,
    HYBLA_IM,
    OVER_A_TRIP,
    PACKET_BITS,
    PERS,
    SPACED,
    T1,
    T2,
    TCP_LINUX,
    VARIANTS,
    dumbbell,
    for_tables,
    over_geo,
    pairs,
    scenario,
)
from bentpipe_papers.transport import BARE

MIN = "hybla, rho from min RTT"
#: Time of 50 packets at 25 Mbit/s, and round trip of the paper's LEO class (Table 1), in ms.
FULL_MS = 50 * PACKET_BITS / 25e6 * 1000.0
TRIP_MS = 50.0
RULES: dict[str, str | dict[str, object]] = {"hybla": HYBLA, MIN: VARIANTS[MIN], "reno": "reno"}
COLUMNS = (
    st.Column("goodput Mbit/s", st.goodput),
    st.Column("loss %", st.loss_percent),
    st.Column("of it in the queue", partial(st.loss_percent, cause="queue")),
    st.Column("queue ms", partial(st.means_of, name="queueing_delay_ms"), 1),
)
THRESHOLDS = ("hoe", "rho_gamma", "unset")
COLOURS = {"hybla": plots.COLOURS[1], MIN: plots.COLOURS[4], "reno": plots.COLOURS[2]}


def plan_overflow(effort: st.Effort) -> st.Plan:
    planned = {**pairs(T2, PERS[:1], effort, ("hybla", MIN)), **pairs(T1, PERS[:1], effort, ("hybla", MIN))}
    for seed, topology in product(effort.seeds, (T1, T2)):
        planned[topology.id, PERS[0], "reno", seed] = scenario(
            topology, PERS[0], "reno", seed, name="reno", duration=topology.duration(effort)
        )
    for seed in for_tables(effort).seeds:
        for flows, (name, controller) in product(effort.pick((20,), (1, 20)), RULES.items()):
            planned["load", flows, name, seed] = scenario(
                T2, PERS[0], controller, seed, name=f"{name}, {flows} flows", flows=flows, duration=T2.duration(effort)
            )
        for rho, threshold in product(("srtt", "min"), effort.pick(("rho_gamma", "unset"), THRESHOLDS)):
            hybla = {**HYBLA, "rho_rtt": rho, "initial_ssthresh": threshold, "pacing": True}
            planned["reading", rho, threshold, seed] = scenario(
                T2, PERS[0], hybla, seed, name="hybla", duration=T2.duration(effort)
            )
    record = bp.Record(interval="100 ms", events=False)
    for name in ("hybla", MIN):
        planned["trace", name] = scenario(
            T2, PERS[0], RULES[name], effort.seeds[0], name=f"{name}, trace", duration="40 s", record=record
        )
    return planned


def loads(runs: st.Runs) -> dict[int, dict[str, list[bp.Run]]]:
    numbers = sorted({int(str(key[1])) for key in runs if key[0] == "load"} | {T2.flows})
    return {
        flows: {
            name: runs.of(T2.id, PERS[0], name) if flows == T2.flows else runs.of("load", flows, name) for name in RULES
        }
        for flows in numbers
    }


def draw_overflow(runs: st.Runs) -> st.Figure:
    figure, (left, middle, right) = plots.new(1, 3, height=3.0)
    for name in ("hybla", MIN):
        left.plot(*st.snapshot(runs["trace", name], "rho"), color=COLOURS[name], linewidth=1.0, label=name)
        times, queue = plots.over_time(runs["trace", name].flows, "queueing_delay_ms", "mean")
        middle.plot(times, plots.smooth(queue, 5), color=COLOURS[name], linewidth=0.8)
    left.set(title="ρ of a flow, T2, first seed", xlabel="s", ylabel="ρ", ylim=(0, None))
    middle.set(title="queueing delay", xlabel="s", ylabel="ms", ylim=(0, None))
    for name in RULES:
        lost = {flows: bp.estimate(st.loss_percent(these[name])) for flows, these in loads(runs).items()}
        right.errorbar(
            list(lost),
            [value.mean for value in lost.values()],
            yerr=[value.half_width for value in lost.values()],
            color=COLOURS[name],
            label=name,
            capsize=3,
            linewidth=1.2,
        )
    right.set(title="packets lost, T2, PER 1e-4", xlabel="flows", ylabel="%", ylim=(0, None))
    right.legend(fontsize="small", loc="best")
    return figure


@st.reads(
    id="H-10",
    place="sections 1 and 3.1, references [6] and [7]",
    what="whether Hybla's ρ grows with the queue, so that buffers overflow",
    says="A larger load means a longer delay and a larger window, and thus serious buffer overflow",
    plan=plan_overflow,
)
def read_overflow(runs: st.Runs) -> st.Finding:
    found = []
    for topology in (T2, T1):
        lost = {name: st.loss_percent(runs.of(topology.id, PERS[0], name)) for name in RULES}
        found += [
            st.claim(
                f"packet loss rate of Hybla (ρ from the smoothed RTT) compared with {other}, {topology.id}, PER 1e-4",
                bp.relative_change(lost["hybla"], lost[other]),
                st.above(),
            )
            for other in (MIN, "reno")
        ]
    tried = dict.fromkeys(key[1:3] for key in runs if key[0] == "reading")
    at = {name: bp.estimate(st.loss_percent(runs.of(T2.id, PERS[0], name))).text(2) for name in RULES}
    return st.found(
        f"A full queue lengthens a round trip of {TRIP_MS:g} ms by {FULL_MS:.1f} ms. Hybla's growth ρ²/W is then "
        f"multiplied by {(1.0 + FULL_MS / TRIP_MS) ** 2:.1f}. Five flows on 25 Mbit/s lose {at['hybla']} % of their "
        f"packets if ρ comes from the smoothed RTT, and {at[MIN]} % if ρ comes from the smallest RTT, as in Linux's "
        f"Hybla. Reno loses {at['reno']} %",
        *found,
        st.table(
            "T2, PER 1e-4: packet loss by the number of flows",
            "flows | rule",
            {(flows, name): made for flows, these in loads(runs).items() for name, made in these.items()},
            COLUMNS,
        ),
        st.table(
            "T2, PER 1e-4: other readings of Hybla (5 flows, packet spacing)",
            "ρ from | initial threshold",
            {one: runs.of("reading", *one) for one in tried},
            COLUMNS,
        ),
        st.Picture("Left: Hybla's ρ over time, which rises with the queue. Right: packets lost", draw_overflow(runs)),
        f"A full buffer of 50 packets delays by only {FULL_MS:.1f} ms. Larger growth therefore changes the losses "
        "more than the mean queueing delay.",
    )


class Factor(NamedTuple):
    """A reading of equation 10: the reason, Hybla-IM, the Hybla with the same settings, and the TCP."""

    why: str
    ours: dict[str, object]
    base: dict[str, object] = HYBLA
    tcp: bp.Tcp = TCP_LINUX


_HOE: dict[str, object] = {"initial_ssthresh": "hoe"}
MAIN, PACED = "for every ACK, as printed", "packet spacing"
PACED_TRIP = "over a round trip, packet spacing"
#: The readings in the picture.
DRAWN = (MAIN, PACED, PACED_TRIP, "Bentpipe's bed")
#: The readings of equation 10, the main reading first.
FLOORED = "ρ_new ≥ 1"
READ: dict[str, Factor] = {
    MAIN: Factor("This is the paper's text; ns-2 has no packet spacing, and uses its window_ of 20 as γ.", HYBLA_IM),
    PACED: Factor(
        "Hybla's authors describe packet spacing. Only with packet spacing does equation 10 give the share of the "
        "bandwidth in use.",
        HYBLA_IM | SPACED,
        HYBLA | SPACED,
    ),
    "over a round trip": Factor("The text says both “rapid growth” and “match network congestion”.", OVER_A_TRIP),
    PACED_TRIP: Factor(
        "Hybla's authors describe packet spacing, and the text says both “rapid growth” and “match network "
        "congestion”.",
        OVER_A_TRIP | SPACED,
        HYBLA | SPACED,
    ),
    FLOORED: Factor(
        ("With this bound, Hybla-IM's growth is never slower than Reno's, like Hybla's."), {**HYBLA_IM, "rho_floor": 1}
    ),
    "smoothed": Factor("Such a filter is common for estimates of bandwidth.", {**OVER_A_TRIP, "ratio_mode": "ewma"}),
    "Hoe's first threshold": Factor("Hybla's authors describe this threshold.", HYBLA_IM | _HOE, HYBLA | _HOE),
    "Bentpipe's bed": Factor(
        "This was the main reading before we followed the order of precedence.",
        {"name": "hybla-im"},
        {"name": "hybla"},
        BARE,
    ),
}
FROZEN = 0.9
#: Other possible horizons of “rapid growth” in s, beside the 10 s of the main reading.
HORIZONS_S = (5, 15, 30, 60)


def plan_factor(effort: st.Effort) -> st.Plan:
    """Hybla-IM, Hybla and Reno over GEO by (controller, reading, PER, seed); ("acks",) for equations 8 and 9."""
    planned: dict[st.Key, bp.Scenario] = {}
    for name, (_, ours, base, tcp) in READ.items():
        controllers: dict[str, str | dict[str, object]] = {"im": ours, "hybla": base, "reno": "reno"}
        for (who, controller), per in itertools.product(controllers.items(), (0.0, PERS[1])):
            for seed in effort.seeds:
                planned[who, name, per, seed] = over_geo(controller, seed, tcp, per=per)
    planned["acks",] = dumbbell(
        {"name": "hybla-im-literal", "loss_verdict": "congestion"},
        50.0,
        1,
        name="spacing of ACKs",
        duration="8 s",
        rate="5 Mbit/s",
        record=bp.Record(interval="20 ms", events=False, packets=True),
        tcp=BARE,
    )
    return planned


def spacing_ratios(arrivals: plots.Floats) -> plots.Floats:
    """Equations 8 and 9 for ACKs of one segment each: min(D)/D_k at every ACK, except the first."""
    gaps = np.diff(arrivals)
    return np.asarray(np.minimum.accumulate(gaps) / gaps, dtype=np.float64)


def identity(run: bp.Run) -> tuple[float, int]:
    """Largest difference between the controller's ratio and min(D)/D_k from the packets; number of samples."""
    packets = run.packets.arrow
    back = pc.and_(pc.equal(packets["kind"], "ack"), pc.equal(packets["event"], "deliver"))
    arrivals = plots.column(packets.filter(pc.and_(back, pc.is_null(packets["link"]))), "time_s")
    ratios = spacing_ratios(arrivals)
    times, kept = st.snapshot(run, "bandwidth_ratio")
    at = np.searchsorted(arrivals, times, side="right") - 2
    known = at >= 0
    return float(np.max(np.abs(kept[known] - ratios[at[known]]))), int(known.sum())


def shares_of(run: bp.Run) -> plots.Floats:
    (_, rho), (_, new) = st.snapshot(run, "rho"), st.snapshot(run, "rho_new")
    return np.asarray(new / rho, dtype=np.float64)


def draw_factor(runs: st.Runs) -> st.Figure:
    first = runs.effort.seeds[0]
    figure, (left, right) = plots.new(1, 2, height=3.0)
    bins = np.linspace(0.0, 1.0, 41)
    for colour, name in zip(plots.COLOURS, DRAWN, strict=False):
        shares = np.concatenate([shares_of(run) for run in runs.of("im", name, 0.0)])
        height, _ = np.histogram(shares, bins=bins)
        left.stairs(100.0 * height / shares.size, bins, color=colour, label=name, linewidth=1.3)
        times, window = plots.over_time(runs["im", name, PERS[1], first].flows, "cwnd_segments")
        right.plot(times[::4], window[::4], color=colour, linewidth=1.1)
    times, window = plots.over_time(runs["hybla", MAIN, PERS[1], first].flows, "cwnd_segments")
    right.plot(times[::4], window[::4], color="#000000", linewidth=0.8, label="hybla")
    right.axhline(10e6 * 0.55 / PACKET_BITS, color="#555555", linestyle="--", linewidth=1.0, label="bandwidth · delay")
    left.set(title="ρ_new / ρ, no losses", xlabel="ρ_new / ρ", ylabel="of the time (%)", yscale="log")
    left.legend(fontsize="small", loc="best")
    right.set(title="PER 1e-3, first seed", xlabel="s", ylabel="cwnd (segments)")
    right.set_ylim(0, 1.2 * right.get_ylim()[1])
    right.legend(fontsize="small", ncols=2, loc="upper right")
    return figure


def early_goodput(chosen: list[bp.Run], seconds: int = 10) -> list[float]:
    return [float(np.mean(plots.over_time(run.flows, "goodput_mbit_s")[1][: 20 * seconds])) for run in chosen]


def early_gain(runs: st.Runs, name: str, seconds: int = 10) -> bp.Estimate:
    return bp.relative_change(*(early_goodput(runs.of(who, name, 0.0), seconds) for who in ("im", "reno")))


def fewer_drops(runs: st.Runs, name: str) -> bp.Estimate:
    ours, base = (st.lost_packets(runs.of(who, name, 0.0), "queue") for who in ("im", "hybla"))
    return st.paired(ours, base)


def factor_lines(runs: st.Runs) -> list[list[str]]:
    lines = [("im", name, name) for name in READ]
    lines += [
        (who, name, f"{who}, {words}")
        for who in ("hybla", "reno")
        for name, words in ((MAIN, "as main"), (PACED, "packet spacing"), ("Bentpipe's bed", "Bentpipe's bed"))
        if (who, name) != ("reno", PACED)
    ]
    rows = []
    for who, name, words in lines:
        clean, lossy = (runs.of(who, name, per) for per in (0.0, PERS[1]))
        cells = ["–", "–"]
        if who == "im":
            shares = [shares_of(run) for run in clean]
            cells = [
                bp.estimate([float(np.median(share)) for share in shares]).text(3),
                bp.estimate([100.0 * float(np.mean(share < 1.0 - FROZEN)) for share in shares]).text(0),
            ]
        rows.append(
            [
                words,
                *cells,
                bp.estimate(early_goodput(clean)).text(2),
                bp.estimate(st.lost_packets(clean, "queue")).text(0),
                bp.estimate(st.goodput(clean)).text(2),
                bp.estimate(st.goodput(lossy)).text(2),
            ]
        )
    return rows


@st.reads(
    id="H-11",
    place="equations 8 to 10, section 3.1; abstract and section 3",
    what="the growth factor from the spacing of ACKs",
    says="The growth is rapid and matches the state of the network; it is no longer aggressive",
    plan=plan_factor,
    curves={"b": curves.GROWTH},
)
def read_factor(runs: st.Runs) -> st.Finding:
    difference, samples = identity(runs["acks",])
    rows = factor_lines(runs)
    start, drops = partial(early_gain, runs), partial(fewer_drops, runs)
    # Equation 10 has no floor, and equation 8 the time since the previous ACK. Other readings are only in the table.
    whys = {name: READ[name].why for name in (PACED, "Hoe's first threshold")}
    later = tuple(
        st.InReading(
            name=f"{seconds} s" if name == MAIN else f"{name}, {seconds} s",
            why="The paper gives no duration for “rapid growth”."
            if name == MAIN
            else f"{READ[name].why} The paper gives no duration for “rapid growth”.",
            measured=start(name, seconds=seconds),
        )
        for name, seconds in product((MAIN, PACED), HORIZONS_S)
    )
    by_time = ", ".join(f"{st.change_text(start(MAIN, seconds=seconds))} in {seconds} s" for seconds in HORIZONS_S)
    hit = {n: bp.estimate(st.goodput(runs.of("im", n, PERS[1]))).text(2) for n in (MAIN, PACED)}
    return st.found(
        "Without packet spacing, nearly all ACKs arrive with the bottleneck's spacing, even if most of the bandwidth "
        "is free. b_k then equals bw_expect, ρ_new is near 0, and Hybla-IM's window grows slowly: compared with "
        f"Reno, its goodput is {st.change_text(start(MAIN))} in 10 s, {by_time}. With packet spacing, min(D)/D_k is "
        f"the share of the bandwidth in use, and the goodput of the first 10 s is {st.change_text(start(PACED))}. If "
        f"the share is also computed over a round trip, the goodput is {st.change_text(start(PACED_TRIP))}",
        st.claim(
            "equations 8 to 10: largest difference between b_k/bw_expect and min(D)/D_k, computed again from packets",
            bp.fixed(difference),
            st.equals(0.0, "", 6, within=1e-3, check=True),
            note=f"This is the largest difference in {samples} samples",
        ),
        st.claim(
            "goodput of Hybla-IM in the first 10 s compared with Reno's, GEO without link errors",
            start(MAIN),
            st.above(),
            readings=(*st.otherwise(whys, start), *later),
            headline="“rapid growth of the congestion window in long-delay satellite networks”",
            decides="The duration of 10 s is our choice. If only this choice is changed to 15, 30 or 60 s, Hybla-IM's "
            "goodput is lower than Reno's. All combinations against the claim have one of these durations, the "
            "equation for every ACK, and the threshold ρ · 20 packets. The paper does not mention packet "
            "spacing, and gives no value for γ. Equation 10 has no floor, so ρ_new may be below 1",
        ),
        st.claim(
            "packets that the queue drops in 60 s, Hybla-IM minus Hybla, GEO without link errors",
            drops(MAIN),
            st.below("packets", 0),
            readings=st.otherwise(whys, drops),
            headline="effectively mitigating the problem of Hybla's aggressive growth in long-delay networks",
            note="We read aggressive growth as growth that overflows the queue",
        ),
        st.Sheet(
            "Readings of equation 10 over 10 Mbit/s and 550 ms, buffer 1 BDP",
            st.heads(
                "reading | median ρ_new / ρ | below 0.1, % of the time | first 10 s, Mbit/s | queue drops in 60 "
                "s | goodput, PER 0 | goodput, PER 1e-3"
            ),
            rows,
        ),
        st.Picture(
            ("Effect of equation 10: on ρ (left), and on the window after random losses (right)"), draw_factor(runs)
        ),
        f"At PER 1e-3, Hybla-IM with the printed equation has a goodput of {hit[MAIN]} Mbit/s without packet "
        f"spacing, and of {hit[PACED]} Mbit/s with it.",
        "With N flows, each flow uses a share near 1/N of the bandwidth, so ρ_new is near ρ (1 - 1/N). With the "
        "paper's 30 flows, ρ_new is therefore only 3 % smaller than ρ.",
        "One pair of compressed ACKs is enough to make min(D) too small: it then is the spacing of the access link.",
    )
