# SPDX-License-Identifier: MIT OR Apache-2.0
"""Section 3: how the window of a running A-LIAD moves, beside the equations (figures 2 and 3, equations 1 to 7)."""

from __future__ import annotations

import itertools
import math
import statistics
from typing import TYPE_CHECKING

import numpy as np

import bentpipe as bp
from bentpipe import plots
from bentpipe.papers import _measure
from bentpipe.papers._claims import Claim
from bentpipe.papers._paper import Effort, Finding, Picture, Row, Sheet
from bentpipe.papers.a_liad import _net
from bentpipe.papers.a_liad._net import single
from bentpipe.papers.a_liad._start_up import slow_start_end, until

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bentpipe.papers._paper import Key
    from bentpipe.papers._runs import Runs

_RULES: dict[str, _net.Controller] = {
    "literal (2), (6)": "a-liad-paper",
    "by rounds (5)": {"name": "a-liad-paper", "ack_rule": "round"},
    "exact (1), (4)": {"name": "a-liad-paper", "ack_rule": "exact"},
}
_LITERAL, _BY_ROUNDS, _EXACT = _RULES


def _plan_02(effort: Effort) -> dict[Key, bp.Scenario]:
    seed = effort.seeds[0]
    return {(seed,): single("A-LIAD", seed, interval="100 ms", events=True, duration_s=120.0, buffer="0.75 BDP")}


def _read_02(runs: Runs) -> Finding:
    run = runs[(runs.effort.seeds[0],)]
    times, windows = _measure.series(run, "cwnd_segments")
    end, entered = slow_start_end(run)
    cuts = _measure.cuts(run)
    ssthresh = entered / 2
    half = float(times[windows >= ssthresh][0])
    figure, (axis,) = plots.new(1, 1, height=3.2)
    axis.plot(times, windows, linewidth=1.2)
    axis.plot(*_measure.snapshot(run, "w_max_segments"), linestyle="--", linewidth=0.9, label="W_max")
    marks = (
        (0.0, half, "slow start,\nexponential"),
        (half, end, "slow start,\nlogarithmic"),
        (end, cuts[0][0], "probing"),
        (cuts[0][0], float(times[-1]), "epochs: decrease by beta, logarithmic increase"),
    )
    top = 1.25 * float(windows.max())
    for number, (start, stop, label) in enumerate(marks):
        axis.axvspan(start, stop, color=plots.COLOURS[number], alpha=0.10, linewidth=0)
        axis.text((start + stop) / 2, 0.98 * top, label, fontsize="x-small", ha="center", va="top")
    axis.set(xlabel="s", ylabel="window (segments)", ylim=(0, top), xlim=(0, float(times[-1])))
    axis.legend(fontsize="small", loc="lower right")
    return Finding(
        why=f"the paper shows a sketch without numbers; a run has its phases in that order: exponential to "
        f"{ssthresh:.0f} "
        f"segments ({half:.1f} s), logarithmic to {entered:.0f} ({end:.1f} s), probing to {cuts[0][1]:.0f} "
        f"({cuts[0][0]:.1f} s), then {len(cuts)} epochs",
        pictures=[Picture("Figure 2: the phases in a run (GEO, 10 Mbit/s, buffer 0.75 BDP, no packet errors)", figure)],
    )


def _plan_03(effort: Effort) -> dict[Key, bp.Scenario]:
    return {
        (rule, seed): single(rule, seed, controller, interval="20 ms", events=True, duration_s=16.0)
        for rule, controller in _RULES.items()
        for seed in effort.seeds
    }


def rounds(run: bp.Run) -> _measure.Floats:
    """Round trips that have passed at each time of the series, as long as they are: the integral of dt/RTT."""
    times, rtt_ms = _measure.series(run, "rtt_ms")
    known = ~np.isnan(rtt_ms)
    return np.cumsum(np.diff(times, prepend=0.0) / (1e-3 * np.interp(times, times[known], rtt_ms[known])))


def _second_half(run: bp.Run) -> tuple[float, float, float]:
    """Round trips from gamma to the threshold, the threshold, and the largest step of W within 20 ms there."""
    end, reached = slow_start_end(run)
    times, windows = _measure.series(run, "cwnd_segments")
    start = float(times[windows >= reached / 2][0])
    passed = float(np.interp(end, times, rounds(run)) - np.interp(start, times, rounds(run)))
    around = windows[(times >= start - 0.1) & (times <= start + 0.1)]
    return passed, reached, float(np.diff(around).max())


def _read_03(runs: Runs) -> Finding:
    found = {rule: [_second_half(run) for run in runs.of(rule)] for rule in _RULES}
    bdp = {seed: _net.bdp_packets(10.0, _net.drawn_rtt_ms(_net.GEO_MS, seed)) for seed in runs.effort.seeds}
    reached = [one[1] / bdp[seed] for one, seed in zip(found[_EXACT], runs.effort.seeds, strict=True)]
    gamma = statistics.fmean(one[1] for one in found[_EXACT]) / 2
    figure, (axis,) = plots.new(1, 1, height=3.0)
    seed = runs.effort.seeds[0]
    for rule in (_EXACT, _LITERAL):
        times, windows = _measure.series(runs[rule, seed], "cwnd_segments")
        axis.plot(times[::3], windows[::3], linewidth=1.1, label=f"run, rule {rule}")
    times, windows = _measure.series(runs[_EXACT, seed], "cwnd_segments")
    at = float(times[windows >= gamma][0])
    base_s = 1e-3 * _net.drawn_rtt_ms(_net.GEO_MS, seed)
    # Equation 1, second branch, from t_gamma on.
    curve = gamma + gamma * (1.0 - 0.5 ** ((times[times >= at] - at) / base_s))
    axis.plot(times[times >= at][::3], curve[::3], "k--", linewidth=1.0, label="equation 1 (paper)")
    for level, label in ((gamma, "gamma"), (2 * gamma, "2 gamma = threshold")):
        axis.axhline(level, color="#000000", linestyle=":", linewidth=0.8, label=label)
    axis.set(xlabel="s", ylabel="window (segments)", xlim=(0, 16), ylim=(0, 2.2 * gamma))
    axis.legend(fontsize="small")
    return Finding(
        why=f"by the exact rule the run follows equation 1: {statistics.fmean(x for x, _, _ in found[_EXACT]):.2f} "
        "round "
        f"trips from gamma to one segment below the threshold, log2(gamma) = {math.log2(gamma):.2f}; the approach "
        "has no "
        "end of its own, the controller leaves it there",
        claims=[
            Claim(
                what="round trips from gamma to the threshold less one segment (equation 1), exact rule",
                measured=bp.estimate([one[0] for one in found[_EXACT]]),
                paper=round(math.log2(gamma), 2),
                unit="RTT",
                tolerance=0.5,
                digits=2,
                note="log2(gamma); the window moves in bursts: half a round trip",
            ),
            Claim(
                what="limit of the S-function, of the path (2 gamma = threshold)",
                measured=bp.estimate(reached),
                paper=1.0,
                unit="BDP",
                tolerance=0.05,
                digits=3,
            ),
        ],
        pictures=[Picture("Equation 1 beside runs (GEO, 10 Mbit/s)", figure)],
        notes=[
            "«Half of the ssthresh value gamma» is read as gamma = ssthresh/2: with gamma = ssthresh the curve would "
            "go "
            "to twice the threshold.",
            "Continuity at gamma: the largest step within 20 ms there is "
            f"{max(one[2] for one in found[_EXACT]):.0f} segments, a burst of ACKs at the link's rate.",
        ],
    )


def _read_04(runs: Runs) -> Finding:
    found = {rule: bp.estimate([_second_half(run)[0] for run in runs.of(rule)]) for rule in _RULES}
    gamma = statistics.fmean(_second_half(run)[1] for run in runs.of(_EXACT)) / 2
    return Finding(
        why=f"equation 2 for each ACK takes {found[_LITERAL].mean:.1f} round trips where the curve it is derived "
        "from takes "
        f"{math.log2(gamma):.1f}: with W in the denominator renewed at every ACK the gap shrinks by exp(1/2) = 1.65 "
        "per "
        "round trip, not by 2",
        claims=[
            Claim(
                what="round trips from gamma to the threshold by equation 2 (literal), against equation 1",
                measured=found[_LITERAL],
                paper=round(math.log2(gamma), 2),
                unit="RTT",
                tolerance=0.5,
                digits=2,
                contradiction="equation 1 halves the gap in a round trip, equation 2 divides it by exp(1/2)",
            )
        ],
        sheets=[
            Sheet(
                "round trips of slow start's logarithmic half",
                ("rule", "measured", "by hand"),
                [
                    [_LITERAL, found[_LITERAL].text(2), f"2 ln(gamma) = {2 * math.log(gamma):.2f}"],
                    [_BY_ROUNDS, found[_BY_ROUNDS].text(2), f"log2(gamma) = {math.log2(gamma):.2f}"],
                    [_EXACT, found[_EXACT].text(2), f"log2(gamma) = {math.log2(gamma):.2f}"],
                ],
            )
        ],
        notes=["The whole slow start from a window of 2 is 16 round trips by equation 1 and 20 by equation 2."],
    )


_DELTAS = (1.2, 1.5, 1.8, 1.93, 2.1, 2.5, 3.0)
_DELTAS_QUICK = (1.2, 1.5, 1.93, 2.5)
_BUFFERS = ("0.5 BDP", "1 BDP", "2 BDP")
_INCREASES = {"the text: 1/W": "linear", "equation 3: +1": "exponential"}


def _plan_05(effort: Effort) -> dict[Key, bp.Scenario]:
    return {
        (label, buffer, delta, seed): single(
            "A-LIAD",
            seed,
            {"name": "a-liad-paper", "delta": delta, "probe_inc": how},
            buffer=buffer,
            duration_s=60.0,
            interval="1 s",
        )
        for label, how in _INCREASES.items()
        for buffer in _BUFFERS
        for delta in effort.pick(_DELTAS_QUICK, _DELTAS)
        for seed in effort.seeds
    }


def _read_05(runs: Runs) -> Finding:
    deltas = runs.effort.pick(_DELTAS_QUICK, _DELTAS)
    used = {
        (label, buffer, delta): [until(run, 60.0) for run in runs.of(label, buffer, delta)]
        for label in _INCREASES
        for buffer in _BUFFERS
        for delta in deltas
    }
    lost = {
        key: bp.estimate([float(run.summary["flows"][0]["losses"]["queue"]) for run in runs.of(*key)]) for key in used
    }
    others = [delta for delta in deltas if delta != 1.93]
    claims = []
    for label in _INCREASES:
        best_other = [max(column) for column in zip(*(used[label, "1 BDP", d] for d in others), strict=True)]
        claims.append(
            Claim(
                what=f"delta 1.93 above the best other delta, utilisation of 60 s, buffer 1 BDP ({label})",
                measured=_measure.sampled([a - b for a, b in zip(used[label, "1 BDP", 1.93], best_other, strict=True)]),
                sign=1,
                unit="points",
                digits=3,
            )
        )
    figure, axes = plots.new(1, 2, height=2.8)
    for axis, label in zip(axes, _INCREASES, strict=True):
        for buffer, marker in zip(_BUFFERS, "os^", strict=True):
            _measure.with_errors(
                axis, deltas, [lost[label, buffer, d] for d in deltas], f"buffer {buffer}", marker=marker, markersize=4
            )
        axis.axvline(1.93, color="#000000", linestyle="--", linewidth=0.9, label="paper: 1.93")
        axis.set(title=label, xlabel="delta", yscale="symlog", ylim=(-0.3, None))
    axes[0].set_ylabel("packets lost in 60 s")
    axes[0].legend(fontsize="small")
    one = "equation 3: +1", "1 BDP"
    return Finding(
        why="with the text's linear increase delta hardly matters: the approach to twice the threshold stops at path "
        "and "
        f"buffer by itself; with equation 3's +1 per ACK and a buffer of 1 BDP 1.93 loses "
        f"{lost[(*one, 1.93)].mean:.0f} "
        f"packets, 2.5 (never reached) {lost[(*one, 2.5)].mean:.0f}: 1.93 is just below 1 + buffer/BDP, no optimum",
        claims=claims,
        sheets=[
            Sheet(
                f"{label}: utilisation of 60 s, % (packets lost)",
                ("delta", *(f"buffer {buffer}" for buffer in _BUFFERS)),
                [
                    [
                        f"{delta:g}",
                        *(
                            f"{bp.estimate(used[label, buffer, delta]).text(2)} ({lost[label, buffer, delta].mean:.0f})"
                            for buffer in _BUFFERS
                        ),
                    ]
                    for delta in deltas
                ],
            )
            for label in _INCREASES
        ],
        pictures=[Picture("Equation 3: losses over delta (GEO, 10 Mbit/s, 95 % intervals)", figure)],
        notes=["The text says «slowly with a linear increase», equation 3 prints W + 1 for each ACK, which doubles W."],
    )


_RATE_06 = 50.0
_RTTS_06_MS = (75.0, 600.0)


def _plan_06(effort: Effort) -> dict[Key, bp.Scenario]:
    return {
        (rtt_ms, rule, seed): single(
            rule,
            seed,
            controller,
            rate_mbit_s=_RATE_06,
            rtt_ms=rtt_ms,
            buffer="0.75 BDP",
            interval="10 ms",
            events=True,
            duration_s=length_s,
        )
        for rtt_ms, length_s in zip(_RTTS_06_MS, (25.0, 60.0), strict=True)
        for rule, controller in (_RULES | {"alpha = 2, literal": "liad"}).items()
        for seed in effort.seeds[:5]
    }


def epochs(run: bp.Run) -> Iterator[tuple[float, float]]:
    """(start, end) of the congestion epochs: from the end of a recovery to the next cut, in s."""
    events = run.events
    back = [
        float(time)
        for time, event, detail in zip(events["time_s"], events["event"], events["detail"], strict=True)
        if event == "phase" and detail == "avoidance"
    ]
    cuts = [time for time, _, _ in _measure.cuts(run)]
    for cut, following in itertools.pairwise([*cuts, math.inf]):
        start = min((time for time in back if time >= cut), default=math.inf)
        if start < following < math.inf:
            yield start, following


def gap_factor(run: bp.Run) -> float:
    """By what the gap to W_max is multiplied in a round trip, between nine tenths and a tenth of it; NaN if unseen.

    Round trips are counted as they are: the integral of dt/RTT.
    """
    times, windows = _measure.series(run, "cwnd_segments")
    passed = rounds(run)
    at, w_max = _measure.snapshot(run, "w_max_segments")
    factors = []
    for start, stop in epochs(run):
        inside = (times > start) & (times < stop)
        if inside.sum() < 3:
            continue
        gap = w_max[np.searchsorted(at, start)] - windows[inside]
        fit = (gap < 0.9 * gap[0]) & (gap > 0.1 * gap[0])
        if gap[0] > 20 and fit.sum() >= 3:
            factors.append(math.exp(float(np.polyfit(passed[inside][fit], np.log(gap[fit]), 1)[0])))
    return statistics.fmean(factors) if factors else math.nan


def _read_06(runs: Runs) -> Finding:
    labels = (*_RULES, "alpha = 2, literal")
    factor = {(rtt, rule): [gap_factor(run) for run in runs.of(rtt, rule)] for rtt in _RTTS_06_MS for rule in labels}
    alpha = {
        rtt: statistics.fmean(float(_measure.snapshot(run, "alpha")[1][-1]) for run in runs.of(rtt, _LITERAL))
        for rtt in _RTTS_06_MS
    }
    claims = [
        Claim(
            what=f"{rtt:g} ms, rule (6) to the letter: what a round trip leaves of the gap, against 1/alpha of (4)",
            measured=bp.estimate(factor[rtt, _LITERAL]),
            paper=round(1 / alpha[rtt], 4),
            unit="",
            tolerance=0.05,
            digits=3,
            contradiction="(4) divides the gap by alpha, (6) for each ACK by exp(1 - 1/alpha), which is less than e",
        )
        for rtt in _RTTS_06_MS
    ]
    rows = []
    for rtt in _RTTS_06_MS:
        for rule in labels:
            a = 2.0 if rule == labels[-1] else alpha[rtt]
            hand = math.exp(-(1 - 1 / a)) if "literal" in rule else 1 / a
            known = [x for x in factor[rtt, rule] if not math.isnan(x)]
            seen = bp.estimate(known).text(3) if known else "faster than a round trip"
            rows.append([f"{rtt:g} ms", rule, f"{a:.4g}", seen, f"{hand:.4f}"])
    return Finding(
        why=f"at 75 ms the run's gap shrinks to {claims[0].measured.mean:.3f} per round trip (by hand exp(-1/2) = "
        "0.607), not "
        f"to 0.5; at 600 ms to {claims[1].measured.mean:.3f} (exp(-1) = 0.368), not to 1/{alpha[600.0]:.0f}: with "
        "(6) to the "
        "letter no alpha is faster than e, and paths beyond 150 ms behave almost alike",
        claims=claims,
        sheets=[
            Sheet(
                f"what a round trip leaves of the gap to W_max ({_RATE_06:g} Mbit/s, buffer 0.75 BDP)",
                ("path", "rule", "alpha", "measured", "by hand"),
                rows,
            )
        ],
        notes=["At 600 ms the growth of one segment per ACK at most holds the other rules back: W can only double."],
    )


_BUFFERS_07 = {"0.25 BDP": 0.25, "0.5 BDP": 0.5, "1 BDP": 1.0, "2 BDP": 2.0}
_UNBOUND = {"name": "a-liad-paper", "beta_max": 0.9}


def _plan_07(effort: Effort) -> dict[Key, bp.Scenario]:
    return {
        (label, buffer, seed): single(
            label, seed, controller, rtt_ms=100.0, buffer=buffer, events=True, duration_s=60.0
        )
        for label, controller in (("equation 7", _UNBOUND), ("at most 1/2", "a-liad-paper"))
        for buffer in _BUFFERS_07
        for seed in effort.seeds[:5]
    }


def _given_up(run: bp.Run) -> float:
    """Median share of the window given up at losses after the first ones (5 s)."""
    shares = [1.0 - after / before for time, before, after in _measure.cuts(run, timeouts=False) if time > 5.0]
    return statistics.median(shares) if shares else math.nan


def _read_07(runs: Runs) -> Finding:
    given = {
        (label, buffer): bp.estimate([_given_up(run) for run in runs.of(label, buffer)])
        for label in ("equation 7", "at most 1/2")
        for buffer in _BUFFERS_07
    }
    return Finding(
        why="a full buffer of b BDP makes RTTmax = (1 + b) RTTmin and beta = b/(1 + b): measured "
        + ", ".join(f"{given['equation 7', buffer].mean:.3f}" for buffer in _BUFFERS_07)
        + " for b = 0.25, 0.5, 1, 2; beyond 1 BDP half of the window would go, our presets stop there as H-TCP does",
        claims=[
            Claim(
                what=f"share given up at a loss, buffer {buffer}",
                measured=given["equation 7", buffer],
                paper=round(b / (1.0 + b), 3),
                unit="",
                tolerance=max(0.0005, 0.05 * b / (1.0 + b)),
                digits=3,
            )
            for buffer, b in _BUFFERS_07.items()
        ],
        sheets=[
            Sheet(
                "share of the window given up at a loss",
                ("buffer", "by hand b/(1+b)", "equation 7", "preset (at most 1/2)"),
                [
                    [
                        buffer,
                        f"{b / (1 + b):.3f}",
                        given["equation 7", buffer].text(3),
                        given["at most 1/2", buffer].text(3),
                    ]
                    for buffer, b in _BUFFERS_07.items()
                ],
            )
        ],
        notes=[
            "RTTmax = RTTmin gives beta = 0: a random loss on a queue that was never filled leaves the window as it is."
        ],
    )


_RTTS_08_MS = (75.0, 300.0)
_TRIED_08: dict[str, _net.Controller] = {
    "alpha = 2 (LIAD*)": "liad",
    "A-LIAD, literal": "a-liad-paper",
    "A-LIAD, exact": {"name": "a-liad-paper", "ack_rule": "exact"},
    "A-LIAD, online alpha, exact": {"name": "a-liad-paper", "ack_rule": "exact", "alpha_mode": "online"},
}


def _plan_08(effort: Effort) -> dict[Key, bp.Scenario]:
    return {
        (label, rtt_ms, seed): single(
            label, seed, controller, rtt_ms=rtt_ms, duration_s=120.0, interval="100 ms", events=True
        )
        for label, controller in _TRIED_08.items()
        for rtt_ms in _RTTS_08_MS
        for seed in effort.seeds
    }


def _epoch_s(run: bp.Run) -> float:
    """Mean time between two reductions after 20 s."""
    times = [time for time, _, _ in _measure.cuts(run, timeouts=False) if time > 20.0]
    return float(np.diff(times).mean()) if len(times) > 1 else math.nan


def _read_08(runs: Runs) -> Finding:
    lasts = {(label, rtt): [_epoch_s(run) for run in runs.of(label, rtt)] for label in _TRIED_08 for rtt in _RTTS_08_MS}
    short, long = _RTTS_08_MS
    ratio = {
        label: bp.estimate([b / a for a, b in zip(lasts[label, short], lasts[label, long], strict=True)])
        for label in _TRIED_08
    }
    figure, axes = plots.new(1, 2, height=2.6)
    for axis, label in zip(axes, ("alpha = 2 (LIAD*)", "A-LIAD, exact"), strict=True):
        for rtt in _RTTS_08_MS:
            times, windows = _measure.series(runs[label, rtt, runs.effort.seeds[0]], "cwnd_segments")
            shown = (times > 60) & (times < 90)
            axis.plot(times[shown], windows[shown] / windows[shown].max(), label=f"{rtt:g} ms", linewidth=1.0)
        axis.set(title=label, xlabel="s", ylim=(0, 1.1))
    axes[0].set_ylabel("window over its largest")
    axes[0].legend(fontsize="small")
    return Finding(
        why=f"with alpha = 2 an epoch at 300 ms lasts {ratio['alpha = 2 (LIAD*)'].mean:.1f} times one at 75 ms; "
        "A-LIAD to the "
        f"letter still {ratio['A-LIAD, literal'].mean:.1f} times, by the exact rule {ratio['A-LIAD, exact'].mean:.1f}",
        claims=[
            Claim(
                what="alpha = 2: epoch at 300 ms over epoch at 75 ms",
                measured=ratio["alpha = 2 (LIAD*)"],
                sign=1,
                neutral=1.0,
                unit="",
                digits=2,
            )
        ],
        sheets=[
            Sheet(
                "time between reductions, s (10 Mbit/s, buffer 1 BDP)",
                ("rule", *(f"{rtt:g} ms" for rtt in _RTTS_08_MS), "ratio"),
                [
                    [label, *(bp.estimate(lasts[label, rtt]).text(2) for rtt in _RTTS_08_MS), ratio[label].text(2)]
                    for label in _TRIED_08
                ],
            )
        ],
        pictures=[
            Picture("Figure 3: windows of two round trips with the same alpha, and A-LIAD's (first seed)", figure)
        ],
        notes=["A full buffer of 1 BDP: the path's round trip is between its length and twice that."],
    )


ROWS = (
    Row(
        id="A-02",
        place="Figure 2, section 3",
        what="phases of the window",
        says="exponential, then logarithmic slow start; max-probing; epochs of decrease and logarithmic increase (a "
        "sketch)",
        plan=_plan_02,
        read=_read_02,
    ),
    Row(
        id="A-03",
        place="equation 1, section 3.1",
        what="the S-function of slow start",
        says="2^(t/RTT) up to gamma, then gamma + gamma (1 - gamma (1/2)^(t/RTT))",
        plan=_plan_03,
        read=_read_03,
    ),
    Row(
        id="A-04",
        place="equation 2, section 3.1",
        what="slow start per ACK",
        says="W + 1, then W + gamma/W - 1/2 for each ACK",
        plan=_plan_03,
        read=_read_04,
    ),
    Row(
        id="A-05",
        place="equation 3, section 3.2",
        what="max-probing and delta",
        says="below RTT/RTTmin = delta W + ssthresh/W - 1/2, else W + 1; delta = 1.93 gives the best results",
        plan=_plan_05,
        read=_read_05,
    ),
    Row(
        id="A-06",
        place="equations 4 to 6, section 3.2",
        what="the logarithmic increase",
        says="W_max (1 - beta (1/alpha)^(t/RTT)); for each ACK W + (1 - 1/alpha)(W_max - W)/W",
        plan=_plan_06,
        read=_read_06,
    ),
    Row(
        id="A-07",
        place="equation 7, section 3.2",
        what="the adaptive decrease",
        says="beta = 1 - RTTmin/RTTmax",
        plan=_plan_07,
        read=_read_07,
    ),
    Row(
        id="A-08",
        place="Figure 3, section 3.3",
        what="two flows of different round trips, same alpha",
        says="the duration of the congestion epoch for a short RTT flow is shorter than for a long RTT flow",
        plan=_plan_08,
        read=_read_08,
    ),
)
