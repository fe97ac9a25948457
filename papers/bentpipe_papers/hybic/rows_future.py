# SPDX-License-Identifier: MIT OR Apache-2.0
"""The paper's future work: several flows, lossy channels, queue disciplines (section IV; Y-14)."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Sequence
from itertools import product
from typing import Literal, NamedTuple

import bentpipe as bp
from bentpipe import plots
from bentpipe import study as st
from bentpipe_papers.hybic.bed import CONTROLLERS, RTTS_MS, jitter_ms, scenario

#: Length of a run in s, in a first look and in full (as in the paper).
SECONDS = (15.0, 60.0)
PERS = (1e-6, 1e-5, 1e-4, 1e-3)
PERS_QUICK = (1e-6, 1e-3)
RARE = PERS[0]
_FEW, _MANY = 1, 5
_DEEP, _CODEL, _FQ = "drop-tail, 1 BDP", "CoDel", "FQ-CoDel"
_SHALLOW, _HASTY = "drop-tail, 1/10 BDP", "CoDel, interval 100 ms"
_FAST, _SLOW = "1 Gbit/s", "100 Mbit/s"


class Case(NamedTuple):
    """One experiment, which runs for each controller and seed."""

    rate: str
    rtt_ms: float
    flows: int
    queue: str
    per: float


def discipline(case: Case) -> str | dict[str, str]:
    """The bottleneck's queue. Every queue except the shallow one can hold one bandwidth-delay product."""
    # RFC 8289, section 4.3: the interval is about the longest round trip of the flows. The default is 100 ms.
    interval = "100 ms" if case.queue == _HASTY else f"{case.rtt_ms:g} ms"
    if case.queue in (_CODEL, _HASTY, _FQ):
        return {"discipline": "fq-codel" if case.queue == _FQ else "codel", "interval": interval, "limit": "1 BDP"}
    return "0.1 BDP" if case.queue == _SHALLOW else "1 BDP"


def cases(effort: st.Effort) -> list[Case]:
    found = [
        Case(_SLOW, rtt_ms, flows, queue, per)
        for queue in (_DEEP, _CODEL, _FQ)
        for rtt_ms, flows, per in product(RTTS_MS, (_FEW, _MANY), effort.pick(PERS_QUICK, PERS))
        # With one flow, FQ-CoDel has one queue and is CoDel.
        if (queue, flows) != (_FQ, _FEW)
    ]
    if not effort.quick:
        found += [
            Case(_SLOW, rtt_ms, flows, queue, RARE)
            for queue, rtt_ms, flows in product((_SHALLOW, _HASTY), RTTS_MS, (_FEW, _MANY))
        ]
        found += [Case(_FAST, RTTS_MS[0], _FEW, queue, RARE) for queue in (_DEEP, _CODEL)]
    return found


def plan(effort: st.Effort) -> st.Plan:
    plans: dict[st.Key, bp.Scenario] = {}
    for case, (name, controller), seed in product(cases(effort), CONTROLLERS.items(), effort.seeds):
        path = bp.Dumbbell(
            rate=case.rate,
            rtt=f"{case.rtt_ms + jitter_ms(seed):g} ms",
            queue=discipline(case),
            loss=bp.Loss(per=case.per),
        )
        flow = bp.Flow(controller=controller, count=case.flows, stagger=f"{0.1 + jitter_ms(seed) / 50:g} s")
        title = f"{name}, {case.rate}, {case.rtt_ms:g} ms, PER {case.per:g}, {case.flows} flows, {case.queue}"
        plans[(*case, name, seed)] = scenario(title, path, [flow], seed, effort.pick(*SECONDS))
    return plans


def megabytes(run: bp.Run, rate: Literal["throughput_mbit_s", "goodput_mbit_s"]) -> float:
    """Data of all flows in MB, computed from a rate of the summary.

    This rate is a mean over the active time of each flow.
    """
    flows = run.summary["flows"]
    length = run.summary["provenance"]["duration_s"]
    return sum(st.given(flow[rate]) * (length - flow["start_s"]) for flow in flows) / 8.0


def delivery_percent(run: bp.Run) -> float:
    totals = run.summary["totals"]
    return 100.0 * totals["delivered_packets"] / totals["sent_packets"]


def variation_us(run: bp.Run) -> float:
    """99th percentile of the delay variation between consecutive packets (RFC 3393) in µs, mean of the flows."""
    return 1e3 * statistics.fmean(st.given(flow["delay_variation_ms"])["p99"] for flow in run.summary["flows"])


MEASURES: dict[str, tuple[Callable[[bp.Run], float], int]] = {
    "goodput (Mbit/s)": (lambda run: st.goodput([run])[0], 1),
    "PDR (%)": (delivery_percent, 2),
    "lost (%)": (lambda run: 100.0 * st.given(run.summary["totals"]["loss_ratio"]), 3),
    "queueing delay (ms)": (lambda run: st.mean_of(run, "queueing_delay_ms"), 0),
    "IPDV, mean (µs)": (lambda run: 1e3 * st.mean_of(run, "delay_variation_ms"), 1),
    "IPDV, 99 % (µs)": (variation_us, 0),
    "sent, with headers (MB)": (lambda run: megabytes(run, "throughput_mbit_s"), 0),
    "received, payload (MB)": (lambda run: megabytes(run, "goodput_mbit_s"), 0),
}
_GOODPUT, _DELAY, _VARIATION = "goodput (Mbit/s)", "queueing delay (ms)", "IPDV, 99 % (µs)"


def values(runs: st.Runs, case: Case, name: str, measure: str) -> list[float]:
    how, _ = MEASURES[measure]
    return [how(run) for run in runs.of(*case, name)]


def sheet(runs: st.Runs, title: str, chosen: Sequence[Case]) -> st.Sheet:
    rows = []
    for case, name in product(chosen, CONTROLLERS):
        cells = [st.shown(st.sampled(values(runs, case, name, what)), digits) for what, (_, digits) in MEASURES.items()]
        rows.append([f"{case.rtt_ms:g}", str(case.flows), f"{case.per:g}", name, *cells])
    return st.Sheet(
        f"{title}, {runs.effort.pick(*SECONDS):g} s (mean ± 95 %)", ("RTT (ms)", "flows", "PER", "", *MEASURES), rows
    )


def lossy(runs: st.Runs) -> st.Figure:
    figure, axes = plots.new(2, 2, height=2.6)
    pers = PERS_QUICK if runs.effort.quick else PERS
    for place, axis in enumerate(axes):
        queue, rtt_ms = (_DEEP, _CODEL)[place // 2], RTTS_MS[place % 2]
        for name in CONTROLLERS:
            line = [st.sampled(values(runs, Case(_SLOW, rtt_ms, _FEW, queue, per), name, _GOODPUT)) for per in pers]
            st.with_errors(axis, pers, line, name, marker="o")
        axis.set(xscale="log", title=f"{queue}, {rtt_ms:g} ms", ylim=(0, 100))
        if place % 2 == 0:
            axis.set_ylabel("goodput (Mbit/s)")
        if place >= len(axes) // 2:
            axis.set_xlabel("packet error rate")
    axes[0].legend(fontsize="small", loc="best")
    return figure


def crowded(runs: st.Runs) -> st.Figure:
    figure, axes = plots.new(2, 3, height=2.4, width=11.0)
    for place, axis in enumerate(axes):
        rtt_ms, what = RTTS_MS[place // 3], (_GOODPUT, _DELAY, _VARIATION)[place % 3]
        under = {queue: Case(_SLOW, rtt_ms, _MANY, queue, RARE) for queue in (_DEEP, _CODEL, _FQ)}
        groups = [
            (queue, [st.sampled(values(runs, case, name, what)) for name in CONTROLLERS])
            for queue, case in under.items()
        ]
        st.bars(axis, list(CONTROLLERS), groups)
        axis.set(title=f"{rtt_ms:g} ms", xlabel=what)
    axes[2].legend(fontsize="small", loc="upper right")
    return figure


def against(runs: st.Runs, ours: tuple[Case, str], theirs: tuple[Case, str], what: str = _GOODPUT) -> bp.Estimate:
    return bp.relative_change(values(runs, *ours, what), values(runs, *theirs, what))


def more(runs: st.Runs, case: Case, name: str) -> bp.Estimate:
    pairs = zip(values(runs, case, "HYBIC", _GOODPUT), values(runs, case, name, _GOODPUT), strict=True)
    return bp.estimate([ours - theirs for ours, theirs in pairs])


@st.reads(
    id="Y-14",
    place="Section IV",
    what="future work: HYBIC in TCP, several flows, lossy channels, queue disciplines, delivery, delay variation, data",
    says="These are to be studied.",
    plan=plan,
)
def read(runs: st.Runs) -> st.Finding:
    st.own_limit(runs[key] for key in runs)
    planned = cases(runs.effort)
    others = [name for name in CONTROLLERS if name != "HYBIC"]
    alone = [Case(_SLOW, RTTS_MS[0], _FEW, _DEEP, per) for per in (PERS[0], PERS[-1])]
    said = ", and ".join(
        f"{' and '.join(f'{more(runs, case, name).text(1)} ({name})' for name in others)} at PER {case.per:g}"
        for case in alone
    )
    deep, codel = (Case(_SLOW, RTTS_MS[0], _MANY, queue, RARE) for queue in (_DEEP, _CODEL))
    waits = [statistics.fmean(values(runs, case, "HYBIC", _DELAY)) for case in (deep, codel)]
    managed = (
        f"CoDel reduces the queueing delay of five HYBIC flows from {waits[0]:.0f} ms to {waits[1]:.0f} ms, and "
        f"changes their goodput by {st.change_text(against(runs, (codel, 'HYBIC'), (deep, 'HYBIC')))}"
    )
    main = [case for case in planned if case.rate == _SLOW]
    sheets = [
        sheet(runs, f"{_SLOW}, {queue}", [case for case in main if case.queue == queue])
        for queue in dict.fromkeys(case.queue for case in main)
    ]
    sheets += [sheet(runs, f"{case.rate}, {case.queue}", [case]) for case in planned if case.rate == _FAST]
    return st.found(
        "This is future work of the paper, without a claim. The following differences are the goodput of one HYBIC "
        f"flow minus that of one flow of another controller (in Mbit/s; RTT {RTTS_MS[0]:g} ms, drop-tail queue): "
        f"{said}. {managed}",
        *sheets,
        st.Picture("Goodput of one flow over lossy channels, drop-tail above, CoDel below.", lossy(runs)),
        st.Picture(
            f"Five flows under three queue disciplines, packet error rate {RARE:g}: goodput, queueing delay, delay "
            "variation (mean and 95 %).",
            crowded(runs),
        ),
        "PDR is the number of packets that arrived divided by the number of packets sent. Packets in flight at the "
        f"end of {runs.effort.pick(*SECONDS):g} s count as sent and not as arrived. The column “lost” does not "
        "include these packets.",
        "IPDV (RFC 3393) is the difference between the one-way delays of consecutive packets of a flow. A packet "
        "takes 120 µs at 100 Mbit/s. A queue that grows over seconds hardly changes the IPDV.",
        "CoDel and FQ-CoDel have a target of 5 ms, and the round trip as interval, as RFC 8289 (4.3) advises"
        + ("" if runs.effort.quick else "; the default interval of 100 ms is also run at the lowest error rate")
        + ". They hold at most one bandwidth-delay product, as drop-tail does. With one flow, FQ-CoDel is CoDel, so "
        + "these "
        "lines are left out.",
        "Hybla is run with HYBIC's reference path (100 ms, gamma 128). With Hybla's own 25 ms, rho would be four "
        "times as large, and the growth in avoidance sixteen times as large.",
    )


#: Errors with the same share of lost packets, independent and in bursts. A burst lasts 200 ms on average (two bins) and
#: loses half of its packets, like a passing obstruction.
ERRORS = (1e-4, 1e-3)
_BIN, _LOSS, _TO_GOOD = "100 ms", 0.5, 0.5
_PIE = "PIE"
MANAGED = (_DEEP, _CODEL, _FQ, _PIE)


def lossy_link(per: float, *, bursts: bool) -> bp.Loss:
    """Packet errors with a mean share, independent or from a Gilbert-Elliott chain.

    The chain changes to the bad state with probability p per step and to the good state with r, so it is bad for p/(p +
    r) of the time. In the bad state it loses `_LOSS` of the packets.
    """
    if not bursts:
        return bp.Loss(per=per)
    bad = per / _LOSS
    return bp.Loss(bursts=bp.Bursts(to_bad=_TO_GOOD * bad / (1.0 - bad), to_good=_TO_GOOD, loss=_LOSS, bin=_BIN))


def plan_bursts(effort: st.Effort) -> st.Plan:
    rtt_ms = RTTS_MS[0]
    plans: dict[st.Key, bp.Scenario] = {}
    for per, bursts, queue in product(effort.pick(ERRORS[1:], ERRORS), (False, True), MANAGED):
        case = Case(_SLOW, rtt_ms, _MANY, queue, per)
        held = {"discipline": "pie", "limit": "1 BDP"} if queue == _PIE else discipline(case)
        for (name, controller), seed in product(CONTROLLERS.items(), effort.seeds[:10]):
            path = bp.Dumbbell(
                rate=case.rate, rtt=f"{rtt_ms + jitter_ms(seed):g} ms", queue=held, loss=lossy_link(per, bursts=bursts)
            )
            flow = bp.Flow(controller=controller, count=_MANY, stagger=f"{0.1 + jitter_ms(seed) / 50:g} s")
            title = f"{name}, {'bursts' if bursts else 'single errors'} of {per:g}, {queue}"
            plans[per, bursts, queue, name, seed] = scenario(title, path, [flow], seed, effort.pick(*SECONDS))
    return plans


@st.reads(
    id="Y-17",
    place="Section IV",
    what="errors in bursts under four queue disciplines",
    says="“This will enable simulations with multiple flow scenarios under the non-ideal channel of various error "
    "models and queue management disciplines”.",
    plan=plan_bursts,
)
def read_bursts(runs: st.Runs) -> st.Finding:
    st.own_limit(runs[key] for key in runs)
    rows, told = [], []
    for per, queue, bursts in product(dict.fromkeys(key[0] for key in runs), MANAGED, (False, True)):
        made = {name: runs.of(per, bursts, queue, name) for name in CONTROLLERS}
        rates = {name: st.goodput(several) for name, several in made.items()}
        over = bp.relative_change(rates["HYBIC"], rates["CUBIC"])
        waits = st.sampled([st.mean_of(run, "queueing_delay_ms") for run in made["HYBIC"]])
        cells = [st.shown(st.sampled(rates[name]), 1) for name in CONTROLLERS]
        errors = "bursts" if bursts else "single errors"
        rows.append([f"{per:g}", queue, errors, *cells, st.change_text(over), st.shown(waits, 0)])
        if per == ERRORS[1]:
            told.append(f"{st.change_text(over)} ({queue}, {errors})")
    return st.found(
        "This is future work of the paper, without a claim. The following changes compare the "
        "goodput of five HYBIC flows with that of five CUBIC flows; the share of lost packets is "
        f"{ERRORS[1]:g}, is: " + "; ".join(told),
        st.Sheet(
            f"{_SLOW}, {RTTS_MS[0]:g} ms, five flows: goodput in Mbit/s (mean ± 95 %)",
            ("errors", "queue", "", *CONTROLLERS, "HYBIC against CUBIC", "queueing delay of HYBIC (ms)"),
            rows,
        ),
        f"The errors in bursts come from a Gilbert-Elliott chain with steps of {_BIN}. In its bad state, "
        f"{100 * _LOSS:.0f} % of the packets are lost; the bad state lasts two steps on average. The share of lost "
        "packets is the same as with independent errors.",
    )
