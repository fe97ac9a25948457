# SPDX-License-Identifier: MIT OR Apache-2.0
"""HYBIC with packets: its rules (Y-04), the paper's future work (Y-14), fairness and friendliness (Y-15)."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

import bentpipe as bp
from bentpipe import plots
from bentpipe.papers._claims import Claim
from bentpipe.papers._measure import bars, change_text, cuts, goodputs, sampled, series, with_errors
from bentpipe.papers._paper import Effort, Finding, Picture, Row, Sheet

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from bentpipe.papers._paper import Key
    from bentpipe.papers._runs import Runs

REFERENCE_MS = 100.0
GAMMA = 128.0
#: Hybla aims at the same reference path as HYBIC, with its threshold; CUBIC starts as the RFC says.
CONTROLLERS: dict[str, str | dict[str, Any]] = {
    "HYBIC": "hybic",
    "CUBIC": "cubic",
    "Hybla": {"name": "hybla", "rtt0": "100 ms", "gamma": 128, "initial_ssthresh": "rho_gamma", "rho_rtt": "min"},
}
_RTTS_MS = (600.0, 2287.0)


def jitter_ms(seed: int) -> float:
    """By how much a seed lengthens a round trip and delays a start: up to 20 ms, by the golden section."""
    return round(seed * 0.6180339887 % 1 * 20.0, 4)


def scenario(
    name: str, network: bp.Dumbbell, flows: Sequence[bp.Flow], seed: int, duration_s: float, **record: Any
) -> bp.Scenario:
    """A dumbbell with HYBIC's segments of 1448 bytes and initial window of 10.

    There is no handshake to measure 2287 ms: with an initial RTO of 1 s the first window would time out. 3 s is RFC
    6298's value after a lost SYN (section 5.7).
    """
    return bp.Scenario(
        name=name,
        duration=f"{duration_s:g} s",
        seed=seed,
        network=network,
        tcp=bp.Tcp(mss="1448 B", header="52 B", initial_window=10, initial_rto="3 s"),
        flows=flows,
        record=bp.Record(**{"interval": "off", "events": False, **record}),
    )


def shown(one: bp.Estimate, digits: int) -> str:
    """A mean with its interval, or a number without chance."""
    return one.text(digits) if one.half_width else f"{one.mean:.{digits}f}"


_BETA_KEPT = 0.7


def _plan_rules(effort: Effort) -> Mapping[Key, bp.Scenario]:
    plans: dict[Key, bp.Scenario] = {}
    for seed in effort.seeds:
        for rtt_ms in _RTTS_MS:
            path = bp.Dumbbell(rate="100 Mbit/s", rtt=f"{rtt_ms + jitter_ms(seed):g} ms", queue="1 BDP", per=1e-5)
            plans[rtt_ms, seed] = scenario(
                f"rules, {rtt_ms:g} ms",
                path,
                [bp.Flow(controller="hybic")],
                seed,
                60.0,
                interval=f"{rtt_ms / 20:g} ms",
                events=True,
            )
    return plans


def _threshold_at(run: bp.Run, rtt_ms: float) -> tuple[float, float]:
    """When the window first reached rho gamma in s (NaN if never), and the largest window in slow start."""
    times, window = series(run, "cwnd_segments")
    aimed = GAMMA * rtt_ms / REFERENCE_MS
    there = times[window >= 0.995 * aimed]
    phases = [phase for phase, flow in zip(run.flows["phase"], run.flows["flow"], strict=True) if flow == 0]
    left = next((place for place, phase in enumerate(phases) if phase == "avoidance"), len(phases) - 1)
    return (float(there[0]) if there.size else math.nan), float(window[: left + 1].max())


@plots.styled
def _read_rules(runs: Runs) -> Finding:
    rows = []
    kept, reached, ends = {}, {}, {}
    for rtt_ms in _RTTS_MS:
        here = runs.of(rtt_ms)
        true = [rtt_ms + jitter_ms(seed) for seed in runs.effort.seeds]
        times = [_threshold_at(run, rtt) for run, rtt in zip(here, true, strict=True)]
        reached[rtt_ms] = sampled([at for at, _ in times])
        ends[rtt_ms] = sampled([w / (GAMMA * rtt / REFERENCE_MS) for (_, w), rtt in zip(times, true, strict=True)])
        each = [after / before for run in here for _, before, after in cuts(run, timeouts=False)]
        kept[rtt_ms] = bp.estimate(each) if len(each) > 1 else bp.fixed(math.nan)
        by_eight = REFERENCE_MS / 1e3 * (math.log2(rtt_ms / REFERENCE_MS) + math.log2(GAMMA))
        cells = [shown(reached[rtt_ms], 2), f"{by_eight:.2f}", shown(ends[rtt_ms], 3), shown(kept[rtt_ms], 3)]
        rows.append([f"{rtt_ms:g}", *cells, str(len(each))])
    figure, axes = plots.new(1, 2, height=2.8)
    for axis, rtt_ms in zip(axes, _RTTS_MS, strict=True):
        run = runs.of(rtt_ms)[0]
        times_s, window = series(run, "cwnd_segments")
        axis.plot(times_s[::4], window[::4], label="cwnd")
        axis.axhline(GAMMA * rtt_ms / REFERENCE_MS, color="#000000", linestyle="--", linewidth=0.8, label="rho gamma")
        axis.set(xlabel="s", title=f"{rtt_ms:g} ms", ylim=(0, None), xlim=(0, 60))
    axes[0].set_ylabel("cwnd (segments)")
    axes[0].legend()
    far = _RTTS_MS[1]
    return Finding(
        why=f"slow start ends at {ends[far].mean:.2f} rho gamma and a loss keeps {kept[_RTTS_MS[0]].mean:.2f}; "
        "with packets "
        f"rho gamma is reached after {reached[far].mean:.1f} s at 2287 ms, not after the {rows[1][2]} s of equation 8, "
        "which come before the first ACK",
        claims=[
            Claim(
                what="slow start: window at its end over rho gamma, 2287 ms",
                measured=ends[far],
                paper=1.0,
                tolerance=0.05,
                unit="",
                digits=3,
            ),
            Claim(
                what="loss: share of the window kept (beta of equation 7 as in RFC 8312), 600 ms",
                measured=kept[_RTTS_MS[0]],
                paper=_BETA_KEPT,
                tolerance=0.035,
                unit="",
                digits=3,
                note="the paper prints no beta; 0.7 is that of the RFC it cites",
            ),
            Claim(
                what="time until the window is rho gamma, 2287 ms (equation 8: 1.15 s)",
                measured=reached[far],
                paper=1.15,
                tolerance=0.06,
                unit="s",
                digits=2,
                contradiction="1.15 s are half a round trip: no rule per ACK can act by then",
            ),
        ],
        sheets=[
            Sheet(
                "The rules at work (100 Mbit/s, buffer 1 BDP, PER 1e-5, one flow)",
                (
                    "RTT (ms)",
                    "rho gamma after (s)",
                    "by equation 8 (s)",
                    "slow start ends (rho gamma)",
                    "kept",
                    "losses",
                ),
                rows,
            )
        ],
        pictures=[Picture("HYBIC's window with packets, first seed; dashed: rho gamma.", figure)],
        notes=[
            "Corrected rules: equation 7's avoidance lacks «W +» in its concave region, its friendly region is "
            "a window "
            "and not an increment, and beta is the share kept there while equation 4 takes it for the share given up. "
            "Built is RFC 9438's CUBIC with A for C, whose friendly region grows by the clock of RTTref.",
        ],
    )


#: Packet error rates, flows, and disciplines of the bottleneck's queue.
_PERS = (1e-6, 1e-5, 1e-4, 1e-3)
_PERS_QUICK = (1e-6, 1e-3)
_COUNTS = (1, 5)
#: As long as the paper looks.
_SECONDS = 60.0
DISCIPLINES: dict[str, str] = {"drop-tail, 1 BDP": "1 BDP", "drop-tail, 1/10 BDP": "0.1 BDP"}
_DEEP, _SHALLOW = DISCIPLINES


def _plan_future(effort: Effort) -> Mapping[Key, bp.Scenario]:
    plans: dict[Key, bp.Scenario] = {}
    duration_s = _SECONDS
    for name, controller in CONTROLLERS.items():
        for rtt_ms in _RTTS_MS:
            for per in effort.pick(_PERS_QUICK, _PERS):
                for count in _COUNTS:
                    for label, queue in DISCIPLINES.items():
                        # The shallow buffer is one column of the table: it is looked at where losses are rare.
                        if label != _DEEP and per != _PERS[0]:
                            continue
                        for seed in effort.seeds:
                            rtt = f"{rtt_ms + jitter_ms(seed):g} ms"
                            path = bp.Dumbbell(rate="100 Mbit/s", rtt=rtt, queue=queue, per=per)
                            flow = bp.Flow(
                                controller=controller, count=count, stagger=f"{0.1 + jitter_ms(seed) / 50:g} s"
                            )
                            title = f"{name}, {rtt_ms:g} ms, PER {per:g}, {count} flows, {label}"
                            plans[name, rtt_ms, per, count, label, seed] = scenario(
                                title, path, [flow], seed, duration_s
                            )
    return plans


def total(run: bp.Run) -> float:
    """Goodput of all flows in Mbit/s."""
    return math.fsum(goodputs(run))


def delivery_percent(run: bp.Run) -> float:
    """Packets that were not lost, of those sent, in percent: what is on the way at the end is not lost."""
    flows = run.summary["flows"]
    lost = sum(int(count) for flow in flows for count in flow["losses"].values())
    return 100.0 * (1.0 - lost / sum(int(flow["sent_packets"]) for flow in flows))


def variation_ms(run: bp.Run) -> float:
    """95th percentile of the delay above its minimum, mean of the flows: RFC 5481's packet delay variation."""
    return float(np.mean([float(flow["queueing_delay_ms"]["p95"]) for flow in run.summary["flows"]]))


_MEASURES: tuple[tuple[str, Callable[[bp.Run], float], int], ...] = (
    ("goodput (Mbit/s)", total, 1),
    ("packets delivered (%)", delivery_percent, 3),
    ("delay variation, 95 % (ms)", variation_ms, 1),
)


@plots.styled
def _read_future(runs: Runs) -> Finding:
    pers = runs.effort.pick(_PERS_QUICK, _PERS)
    figure, axes = plots.new(1, 2, height=3.0)
    for axis, rtt_ms in zip(axes, _RTTS_MS, strict=True):
        for name in CONTROLLERS:
            line = [sampled([total(run) for run in runs.of(name, rtt_ms, per, 1, _DEEP)]) for per in pers]
            with_errors(axis, pers, line, name, marker="o")
        axis.set(xscale="log", xlabel="packet error rate", title=f"one flow, {rtt_ms:g} ms", ylim=(0, 100))
    axes[0].set_ylabel("goodput (Mbit/s)")
    axes[0].legend()
    rows = []
    seconds = _SECONDS
    for rtt_ms in _RTTS_MS:
        for count in _COUNTS:
            for label in DISCIPLINES:
                for per in pers if label == _DEEP else pers[:1]:
                    for name in CONTROLLERS:
                        here = runs.of(name, rtt_ms, per, count, label)
                        cells = [shown(sampled([how(run) for run in here]), digits) for _, how, digits in _MEASURES]
                        megabytes = sampled([total(run) * seconds / 8.0 for run in here])
                        rows.append(
                            [f"{rtt_ms:g}", str(count), label, f"{per:g}", name, *cells, f"{megabytes.mean:.0f}"]
                        )

    def against(name: str, rtt_ms: float, per: float) -> bp.Estimate:
        ours, base = (runs.of(one, rtt_ms, per, 1, _DEEP) for one in ("HYBIC", name))
        return bp.relative_change([total(run) for run in ours], [total(run) for run in base])

    changes = {
        (name, rtt_ms, per): against(name, rtt_ms, per)
        for name in ("CUBIC", "Hybla")
        for rtt_ms in _RTTS_MS
        for per in (pers[0], pers[-1])
    }
    said = "; ".join(
        f"{rtt_ms:g} ms, PER {per:g}: "
        + " and ".join(f"{changes[name, rtt_ms, per].mean:+.0f} % against {name}" for name in ("CUBIC", "Hybla"))
        for rtt_ms in _RTTS_MS
        for per in (pers[0], pers[-1])
    )
    return Finding(
        why=f"the paper leaves this to future work without a number; one HYBIC flow on 100 Mbit/s: {said}",
        sheets=[
            Sheet(
                f"100 Mbit/s, {seconds:g} s (mean ± 95 %)",
                ("RTT (ms)", "flows", "queue", "PER", "", *(name for name, _, _ in _MEASURES), "data (MB)"),
                rows,
            )
        ],
        pictures=[Picture("Goodput of one flow over lossy channels (mean and 95 %).", figure)],
        notes=[
            "The delay variation is RFC 5481's: delay above the least, which on these paths is the queue.",
            "Hybla's reference path is HYBIC's (100 ms, gamma 128): with its own 25 ms it would be four times "
            "as eager.",
        ],
    )


_SHARE_RTTS_MS = (100.0, 600.0)
_RENOS = 5


def _plan_shares(effort: Effort) -> Mapping[Key, bp.Scenario]:
    plans: dict[Key, bp.Scenario] = {}
    for name, controller in CONTROLLERS.items():
        for seed in effort.seeds:
            two = [
                bp.Flow(
                    controller=controller,
                    name=label,
                    access=bp.Link(rate="1 Gbit/s", delay=f"{(rtt_ms + jitter_ms(seed) - 20.0) / 4:g} ms"),
                    start=f"{jitter_ms(seed) * (1 if label == 'far' else 0) / 20:g} s",
                )
                for label, rtt_ms in zip(("near", "far"), _SHARE_RTTS_MS, strict=True)
            ]
            # 7500 B/ms: half of the far path's bandwidth-delay product.
            path = bp.Dumbbell(rate="20 Mbit/s", rtt="20 ms", queue="500 packets", per=1e-6)
            plans["two", name, seed] = scenario(f"100 and 600 ms, {name}", path, two, seed, 300.0)
            for rtt_ms in _SHARE_RTTS_MS:
                many = [
                    bp.Flow(
                        controller="newreno", name="newreno", count=_RENOS, stagger=f"{0.1 + jitter_ms(seed) / 40:g} s"
                    ),
                    bp.Flow(controller=controller, name="guest", start=f"{jitter_ms(seed) / 20:g} s"),
                ]
                rtt = f"{rtt_ms + jitter_ms(seed):g} ms"
                line = bp.Dumbbell(rate="60 Mbit/s", rtt=rtt, queue="1 BDP", per=1e-6)
                plans["many", name, rtt_ms, seed] = scenario(
                    f"five NewReno, {name}, {rtt_ms:g} ms", line, many, seed, 300.0
                )
    return plans


@plots.styled
def _read_shares(runs: Runs) -> Finding:
    near = {
        name: [goodputs(run, "near")[0] / goodputs(run, "far")[0] for run in runs.of("two", name)]
        for name in CONTROLLERS
    }
    renos = {
        (name, rtt_ms): [(total(run) - goodputs(run, "guest")[0]) / _RENOS for run in runs.of("many", name, rtt_ms)]
        for name in CONTROLLERS
        for rtt_ms in _SHARE_RTTS_MS
    }
    guests = {
        (name, rtt_ms): [goodputs(run, "guest")[0] for run in runs.of("many", name, rtt_ms)]
        for name in CONTROLLERS
        for rtt_ms in _SHARE_RTTS_MS
    }
    rows = [
        [
            name,
            shown(sampled(near[name]), 2),
            *(shown(sampled(values[name, rtt_ms]), 2) for rtt_ms in _SHARE_RTTS_MS for values in (guests, renos)),
        ]
        for name in CONTROLLERS
    ]
    figure, (left, right) = plots.new(1, 2, height=2.8)
    bars(left, list(CONTROLLERS), [("goodput at 100 ms over 600 ms", [sampled(near[name]) for name in CONTROLLERS])])
    left.axvline(1.0, color="#000000", linestyle="--", linewidth=0.8, label="fair")
    left.set(xlabel="goodput at 100 ms over that at 600 ms")
    left.legend(fontsize="small")
    far = _SHARE_RTTS_MS[1]
    bars(
        right,
        list(CONTROLLERS),
        [
            ("guest", [sampled(guests[name, far]) for name in CONTROLLERS]),
            ("a NewReno flow", [sampled(renos[name, far]) for name in CONTROLLERS]),
        ],
    )
    right.axvline(10.0 * 1448 / 1500, color="#000000", linestyle="--", linewidth=0.8, label="equal share")
    right.set(xlabel="Mbit/s beside five NewReno flows, 600 ms")
    right.legend(fontsize="small", ncols=3, loc="lower left", bbox_to_anchor=(0.0, 1.0))
    fairer = bp.relative_change(near["HYBIC"], near["CUBIC"])
    left_over = {
        rtt_ms: bp.relative_change(renos["HYBIC", rtt_ms], renos["CUBIC", rtt_ms]) for rtt_ms in _SHARE_RTTS_MS
    }
    means = {name: sampled(values).mean for name, values in near.items()}
    return Finding(
        why=f"a flow of 100 ms gets {means['HYBIC']:.1f} times the rate of one of 600 ms with HYBIC, "
        f"{means['CUBIC']:.1f} times with CUBIC, {means['Hybla']:.1f} times with Hybla; five NewReno flows keep "
        f"{change_text(left_over[100.0])} (100 ms) and {change_text(left_over[600.0])} (600 ms) beside HYBIC against "
        "beside CUBIC: an interval that holds zero shows no difference, and only one narrower than 5 % would show that "
        "there is none",
        claims=[
            Claim(
                what="goodput at 100 ms over that at 600 ms, HYBIC against CUBIC («RTT fairness of Hybla»)",
                measured=fairer,
                sign=-1,
                digits=0,
            ),
            *(
                Claim(
                    what=f"goodput of NewReno flows beside HYBIC against beside CUBIC, {rtt_ms:g} ms («friendliness»)",
                    measured=left_over[rtt_ms],
                    paper=0.0,
                    tolerance=5.0,
                    digits=0,
                    note="inherited friendliness means the same share for the others",
                )
                for rtt_ms in _SHARE_RTTS_MS
            ),
        ],
        sheets=[
            Sheet(
                "Ratio of goodput, and Mbit/s of the guest and of each of five NewReno flows (60 Mbit/s, 1 BDP, 300 s)",
                ("", "100 over 600 ms", "guest, 100 ms", "NewReno, 100 ms", "guest, 600 ms", "NewReno, 600 ms"),
                rows,
            )
        ],
        pictures=[Picture("Fairness between round trips, and beside five NewReno flows (mean and 95 %).", figure)],
        notes=["Two flows: 20 Mbit/s, buffer 500 packets, 300 s. PER 1e-6 everywhere."],
    )


ROWS = {
    "Y-04": Row(
        id="Y-04",
        place="Equation 7",
        what="the rules per ACK and per loss",
        says="W + 2^rho - 1 in slow start; CUBIC's friendly and concave regions in avoidance, without the RTT.",
        plan=_plan_rules,
        read=_read_rules,
    ),
    "Y-14": Row(
        id="Y-14",
        place="Section IV",
        what="future work: HYBIC in TCP, several flows, lossy channels, delivery, delay variation, data",
        says="to be studied.",
        plan=_plan_future,
        read=_read_future,
    ),
    "Y-15": Row(
        id="Y-15",
        place="Abstract, section I",
        what="fairness between round trips and friendliness",
        says="HYBIC inherits RTT fairness, scalability and friendliness of Hybla and CUBIC.",
        plan=_plan_shares,
        read=_read_shares,
    ),
}
