# SPDX-License-Identifier: MIT OR Apache-2.0
"""A route that changes at 50 s and back at 100 s (sections IV.B and V.B; V-08 to V-10)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

import bentpipe as bp
from bentpipe import plots
from bentpipe.papers._claims import Claim
from bentpipe.papers._measure import mean_between, sampled, series, snapshot, with_errors
from bentpipe.papers._paper import Effort, Finding, Picture, Row, Sheet
from bentpipe.papers.vegas_w._setup import (
    BLIND,
    LETTER,
    LOWERS,
    NEWRENO,
    RATE_MBIT_S,
    ROUTE_S,
    RTT_MS,
    VEGAS,
    VEGAS_W,
    bdp_packets,
    draw,
    isl_delay_ms,
    named,
    on_the_wire,
    scenario,
    shift_s,
    shown,
    tcp,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bentpipe.papers._paper import Key
    from bentpipe.papers._runs import Runs

#: How much longer the new route's round trip is: one that the rule can see (n = 2) and one that it cannot.
FACTORS = (2.2, 1.5)
NEW_RATE_MBIT_S = 20.0
_END_S = 150.0
_SHOWN = (VEGAS, VEGAS_W, BLIND, LOWERS, LETTER, NEWRENO)
_LIKE_FOR_LIKE = {"same start, refresh": "newest", "same start, no refresh": "off"}


def rerouted(
    label: str, flow: bp.Flow, seed: int, factor: float, *, reorder: bool | None = None, mended: bool = False
) -> bp.Scenario:
    """The new route from 50 s to 100 s: round trip times `factor`, 20 Mbit/s."""
    leave, back = (moment + shift_s(seed) for moment in ROUTE_S)
    short, long = f"{isl_delay_ms(RTT_MS):g} ms", f"{isl_delay_ms(RTT_MS * factor):g} ms"
    rates = [(0.0, RATE_MBIT_S), (leave, NEW_RATE_MBIT_S), (back, RATE_MBIT_S)]
    link = bp.Link(
        rate_steps=[{"at": f"{at:g} s", "rate": f"{rate:g} Mbit/s"} for at, rate in rates],
        delay_steps=[("0 s", short), (f"{leave:g} s", long), (f"{back:g} s", short)],
        queue="200 packets",
        per=1e-6,
        reorder=reorder,
    )
    name = f"route x{factor:g}{', overtaking' if reorder else ''}: {label}"
    return scenario(name, [flow], seed=seed, duration_s=_END_S, link=link, events=mended)


def _plan_routes(effort: Effort) -> Mapping[Key, bp.Scenario]:
    plans: dict[Key, bp.Scenario] = {
        (label, factor, seed): rerouted(label, named(label), seed, factor)
        for label in _SHOWN
        for factor in FACTORS
        for seed in effort.seeds
    }
    return plans


def _refreshes(run: bp.Run) -> float:
    """How often BaseRTT was refreshed; 0 for a controller that cannot."""
    _, counts = snapshot(run, "base_rtt_refreshes")
    return float(counts[-1]) if counts.size else 0.0


def _base_ms(run: bp.Run, at_s: float) -> float:
    times, base = snapshot(run, "base_rtt_ms")
    return float(base[np.searchsorted(times, at_s) - 1]) if times.size else float("nan")


def _window_change(run: bp.Run, seed: int) -> float:
    """Change of the window on the new route in segments: at its end, less at its beginning."""
    times, window = series(run, "cwnd_segments")
    leave, back = (moment + shift_s(seed) for moment in ROUTE_S)
    return float(window[np.searchsorted(times, back) - 1] - window[np.searchsorted(times, leave) - 1])


def _marks(figure: object, axes: list[object]) -> None:
    del figure, axes


@plots.styled
def _read_windows(runs: Runs) -> Finding:
    figure, axes = plots.new(2, 2, height=2.6)
    seed = runs.effort.seeds[0]
    leave, back = (moment + shift_s(seed) for moment in ROUTE_S)
    for column, factor in enumerate(FACTORS):
        top, bottom = axes[column], axes[2 + column]
        for label in (VEGAS, VEGAS_W, BLIND):
            run = runs[label, factor, seed]
            draw(top, run, label, "cwnd")
            times, base = snapshot(run, "base_rtt_ms")
            style = "--" if label == BLIND else "-"
            bottom.plot(times[::3], base[::3], label=label, linestyle=style, linewidth=1.2)
        true = [RTT_MS, RTT_MS * factor, RTT_MS]
        bottom.step([0, leave, back, _END_S], [*true, RTT_MS], where="post", color="#000000", linestyle=":", label="true")
        top.set(title=f"round trip x {factor:g} ({RTT_MS * factor:.0f} ms)", ylim=(0, None))
        bottom.set(xlabel="s", ylim=(0, None))
        for axis in (top, bottom):
            axis.axvspan(leave, back, color="#000000", alpha=0.06, linewidth=0)
            axis.set_xlim(0, _END_S)
    axes[0].set_ylabel("cwnd (segments)")
    axes[2].set_ylabel("BaseRTT (ms)")
    axes[0].legend(fontsize="small")
    axes[2].legend(fontsize="small")
    changes, rows = {}, []
    for factor in FACTORS:
        for label in _SHOWN:
            here = runs.of(label, factor)
            pairs = list(zip(here, runs.effort.seeds, strict=True))
            changes[label, factor] = sampled([_window_change(run, one) for run, one in pairs])
            at_leaving = sampled([float(series(run, "cwnd_segments")[1][round(50.0 / 0.108) - 2]) for run in here])
            base = sampled([_base_ms(run, ROUTE_S[1]) for run in here])
            fired = sampled([_refreshes(run) for run in here])
            cells = [shown(at_leaving, 0), shown(changes[label, factor], 1), shown(base, 0), shown(fired, 1)]
            rows.append([f"x {factor:g}", label, *cells])
    seen, unseen = FACTORS
    return Finding(
        why=f"x {seen:g}: Vegas changes its window by {changes[VEGAS, seen].mean:+.0f} segments in 50 s, Vegas-W by "
        f"{changes[VEGAS_W, seen].mean:+.0f} and without its refresh by {changes[BLIND, seen].mean:+.0f}; x {unseen:g} "
        f"is below n = 2, nothing is refreshed, and Vegas-W falls like Vegas ({changes[VEGAS_W, unseen].mean:+.0f})",
        claims=[
            Claim(
                what=f"Vegas: change of cwnd on the new route, RTT x {seen:g}",
                measured=changes[VEGAS, seen],
                sign=-1,
                unit="segments",
                note="«decreases ridiculously»",
            ),
            Claim(
                what=f"Vegas-W: change of cwnd on the new route, RTT x {seen:g}",
                measured=changes[VEGAS_W, seen],
                sign=1,
                unit="segments",
            ),
            Claim(
                what=f"Vegas-W: change of cwnd on the new route, RTT x {unseen:g}",
                measured=changes[VEGAS_W, unseen],
                sign=1,
                unit="segments",
                note="the paper does not say by how much the delay grows",
            ),
        ],
        sheets=[
            Sheet(
                "The new route, 50 s to 100 s (mean ± 95 %; without ± no seed made a difference)",
                ("RTT", "", "cwnd at 50 s", "change until 100 s", "BaseRTT at 100 s (ms)", "refreshes in the run"),
                rows,
            )
        ],
        pictures=[Picture("Figure 4 drawn again: windows, and the BaseRTT each believes in; first seed.", figure)],
        notes=[
            f"The new route holds {bdp_packets(RTT_MS * seen, NEW_RATE_MBIT_S):.0f} packets at x {seen:g}, "
            f"{bdp_packets(RTT_MS * unseen, NEW_RATE_MBIT_S):.0f} at x {unseen:g}; avoidance adds one per round trip, "
            f"{50e3 / (RTT_MS * seen):.0f} and {50e3 / (RTT_MS * unseen):.0f} in 50 s: no Vegas can use it.",
            "The sample that jumped becomes BaseRTT (the paper does not say what does).",
        ],
    )


def _plan_throughput(effort: Effort) -> Mapping[Key, bp.Scenario]:
    plans: dict[Key, bp.Scenario] = dict(_plan_routes(effort))
    for seed in effort.seeds:
        for label in (VEGAS, VEGAS_W):
            plans["overtaking", label, seed] = rerouted(label, named(label), seed, FACTORS[0], reorder=True)
    return plans


@plots.styled
def _read_throughput(runs: Runs) -> Finding:
    figure, axes = plots.new(1, 2, height=3.0)
    seed = runs.effort.seeds[0]
    spans = {"20-50 s": (20.0, ROUTE_S[0]), "50-100 s": ROUTE_S, "100-150 s": (ROUTE_S[1] + 1.0, _END_S)}
    means: dict[tuple[str, float], list[list[float]]] = {}
    rows = []
    for axis, factor in zip(axes, FACTORS, strict=True):
        for label in (VEGAS, VEGAS_W, BLIND, NEWRENO):
            draw(axis, runs[label, factor, seed], label, "throughput")
        leave, back = (moment + shift_s(seed) for moment in ROUTE_S)
        axis.axvspan(leave, back, color="#000000", alpha=0.06, linewidth=0, label="new route, 20 Mbit/s")
        axis.set(xlabel="s", xlim=(0, _END_S), ylim=(0, 21), title=f"round trip x {factor:g}")
        for label in _SHOWN:
            here = runs.of(label, factor)
            means[label, factor] = [
                [mean_between(*on_the_wire(run), *span) for run in here] for span in spans.values()
            ]
            rows.append([f"x {factor:g}", label, *(shown(sampled(one)) for one in means[label, factor])])
    for label in (VEGAS, VEGAS_W):
        here = runs.of("overtaking", label)
        cells = [shown(sampled([mean_between(*on_the_wire(run), *span) for run in here])) for span in spans.values()]
        rows.append([f"x {FACTORS[0]:g}", f"{label}, packets overtake at 100 s", *cells])
    axes[0].set_ylabel("throughput (Mbit/s)")
    axes[0].legend(fontsize="small")
    gains = {factor: bp.relative_change(means[VEGAS_W, factor][1], means[VEGAS, factor][1]) for factor in FACTORS}
    alone = {factor: bp.relative_change(means[VEGAS_W, factor][1], means[BLIND, factor][1]) for factor in FACTORS}
    seen, unseen = FACTORS
    before = bp.relative_change(means[VEGAS_W, seen][0], means[VEGAS, seen][0])
    return Finding(
        why=f"on the new route Vegas-W delivers {gains[seen].mean:+.0f} % against Vegas at x {seen:g}, but it brought "
        f"{before.mean:+.0f} % from its slow start; the refresh of BaseRTT itself gives {alone[seen].mean:+.1f} % at "
        f"x {seen:g} and {alone[unseen].mean:+.1f} % at x {unseen:g}",
        claims=[
            *(
                Claim(
                    what=f"throughput from 50 s to 100 s, Vegas-W against Vegas, RTT x {factor:g}",
                    measured=gains[factor],
                    sign=1,
                    digits=0,
                    note="«much better»",
                )
                for factor in FACTORS
            ),
            Claim(
                what=f"the same, Vegas-W against Vegas-W without its refresh, RTT x {seen:g}",
                measured=alone[seen],
                sign=1,
                note="what the surveillance of the route itself gives",
            ),
        ],
        sheets=[Sheet("Mean throughput (Mbit/s)", ("RTT", "", *spans), rows)],
        pictures=[Picture("Figure 5 drawn again: throughput as the mean over a round trip, first seed.", figure)],
        notes=[
            "Packets stay in order when the route becomes short again (one link whose delay changes); over two links "
            "those of the new route would be overtaken: the last two lines.",
        ],
    )


_JUMPS = (1.1, 1.3, 1.5, 1.7, 1.9, 2.0, 2.1, 2.2, 2.5, 3.0)
_JUMPS_QUICK = (1.1, 1.5, 1.9, 2.0, 2.1, 2.5)
#: Buffer, and whether a NewReno flow keeps it filled.
_LOADS = {
    "alone": ("200 packets", False),
    "beside NewReno, buffer 200": ("200 packets", True),
    "beside NewReno, buffer 1012": ("1012 packets", True),
}
_JUMP_S = (60.0, 75.0)
#: Round trips of paths on which nothing changes but the queue.
_QUIET_RTTS_MS = (20.0, 50.0, 100.0, 540.0)


def _watched() -> bp.Flow:
    return named(VEGAS_W, name="watched")


def _jump_scenario(load: str, factor: float, seed: int) -> bp.Scenario:
    queue, beside = _LOADS[load]
    at = _JUMP_S[0] + shift_s(seed)
    delays = [("0 s", f"{isl_delay_ms(RTT_MS):g} ms"), (f"{at:g} s", f"{isl_delay_ms(RTT_MS * factor):g} ms")]
    link = bp.Link(rate=f"{RATE_MBIT_S:g} Mbit/s", delay_steps=delays, queue=queue, per=1e-6)
    flows = [_watched(), named(NEWRENO)] if beside else [_watched()]
    return scenario(f"jump x{factor:g}, {load}", flows, seed=seed, duration_s=_JUMP_S[1], link=link)


def _quiet_scenario(rtt_ms: float, seed: int) -> bp.Scenario:
    """Vegas-W beside two NewReno flows on a path that stays as it is, with 200 packets of buffer (107 ms)."""
    delay = bp.Link(rate="100 Mbit/s", delay=f"{rtt_ms / 8:g} ms")
    flows = [_watched(), named(NEWRENO, count=2, start=f"{1 + shift_s(seed):g} s", stagger="3 s")]
    for flow in flows:
        flow.access = delay
    link = bp.Link(rate=f"{RATE_MBIT_S:g} Mbit/s", delay=f"{rtt_ms / 4:g} ms", queue="200 packets", per=1e-6)
    return scenario(f"no change, {rtt_ms:g} ms", flows, seed=seed, duration_s=60.0, link=link, rtt_ms=max(rtt_ms, 100.0))


def _plan_jumps(effort: Effort) -> Mapping[Key, bp.Scenario]:
    plans: dict[Key, bp.Scenario] = {
        ("jump", load, factor, seed): _jump_scenario(load, factor, seed)
        for load in _LOADS
        for factor in effort.pick(_JUMPS_QUICK, _JUMPS)
        for seed in effort.seeds
    }
    plans |= {
        ("quiet", rtt_ms, seed): _quiet_scenario(rtt_ms, seed) for rtt_ms in _QUIET_RTTS_MS for seed in effort.seeds
    }
    return plans


def _noticed(run: bp.Run, seed: int) -> tuple[float, float]:
    """Refreshes before the jump, and within 5 s after it."""
    times, counts = snapshot(run, "base_rtt_refreshes")
    at = _JUMP_S[0] + shift_s(seed)
    before = float(counts[np.searchsorted(times, at) - 1])
    return before, float(counts[np.searchsorted(times, at + 5.0) - 1]) - before


@plots.styled
def _read_jumps(runs: Runs) -> Finding:
    factors = runs.effort.pick(_JUMPS_QUICK, _JUMPS)
    figure, (found, false) = plots.new(1, 2, height=3.0)
    table, share, early = [], {}, {}
    for load in _LOADS:
        line = []
        for factor in factors:
            pairs = zip(runs.of("jump", load, factor), runs.effort.seeds, strict=True)
            noticed = [_noticed(run, seed) for run, seed in pairs]
            share[load, factor] = sampled([100.0 * (after > 0) for _, after in noticed])
            early[load, factor] = [before for before, _ in noticed]
            line.append(share[load, factor])
        with_errors(found, factors, line, load, marker="o")
        table.append([load, *(f"{one.mean:.0f}" for one in line)])
    found.axvline(2.0, color="#000000", linestyle="--", linewidth=0.8, label="n = 2 (paper)")
    found.set(xlabel="new RTT over old RTT", ylabel="jumps that refresh BaseRTT (%)", ylim=(-5, 105))
    found.legend(fontsize="small")
    alarms = {
        rtt_ms: sampled([_refreshes(run) for run in runs.of("quiet", rtt_ms)]) for rtt_ms in _QUIET_RTTS_MS
    }
    with_errors(false, _QUIET_RTTS_MS, list(alarms.values()), "Vegas-W beside two NewReno flows", marker="o")
    false.set(xscale="log", xlabel="base RTT (ms)", ylabel="false alarms in a minute", ylim=(0, None))
    false.axvline(200 * 8.0 / RATE_MBIT_S, color="#000000", linestyle=":", linewidth=0.8, label="full buffer: 107 ms")
    false.legend(fontsize="small")
    least = min((factor for factor in factors if share["alone", factor].mean >= 99.0), default=float("nan"))
    most = max(factor for factor in factors if share["alone", factor].mean == 0.0)
    sharp = max(factors)
    detected = [100.0 * (_noticed(run, seed)[1] > 0) for run, seed in zip(
        runs.of("jump", "alone", 2.1), runs.effort.seeds, strict=True)]
    by_chance = [100.0 * (_refreshes(run) > 0) for run in runs.of("quiet", 540.0)]
    return Finding(
        why=f"alone on the path a jump is seen from x {least:g} on and never up to x {most:g}: a route of 540 ms has to "
        f"become longer than 1.08 s; where the buffer is a longer delay than the path, congestion looks the same "
        f"({alarms[20.0].mean:.0f} false alarms in a minute at 20 ms, {alarms[540.0].mean:.0f} at 540 ms)",
        claims=[
            Claim(
                what="RTT x 2.1 seen, less congestion taken for a jump, at 540 ms",
                measured=sampled([a - b for a, b in zip(detected, by_chance, strict=True)]),
                sign=1,
                digits=0,
                note=f"«can be used to distinguish the two»; with n = 2, m = 20; x {sharp:g} is the largest tried",
            )
        ],
        sheets=[
            Sheet("Jumps that refresh BaseRTT within 5 s (%)", ("", *(f"x {factor:g}" for factor in factors)), table),
            Sheet(
                "Refreshes in a minute without any change of route (buffer 200 packets, two NewReno flows beside)",
                ("base RTT (ms)", "false alarms"),
                [[f"{rtt_ms:g}", shown(alarms[rtt_ms], 1)] for rtt_ms in _QUIET_RTTS_MS],
            ),
        ],
        pictures=[Picture("The jump rule: what it sees, and what it takes for a change of route.", figure)],
        notes=[
            "A queue in front of the jump hides it: the mean of the last 20 RTTs contains it, so the route has to grow "
            "by more than the factor n of path and queue together.",
            "After 20 samples of the new route their mean has caught up: what the first packets do not show is never "
            "seen.",
        ],
    )


ROWS = (
    Row(
        id="V-08",
        place="Sections IV.B and V.B, Figure 4",
        what="windows while the route changes at 50 s and back at 100 s",
        says="the new route has larger bandwidth and longer delay; the window of Vegas «decreases ridiculously» where "
        "it should increase. Neither delay nor bandwidth is given.",
        plan=_plan_routes,
        read=_read_windows,
    ),
    Row(
        id="V-09",
        place="Section V.B, Figure 5",
        what="throughput while the route changes",
        says="«Vegas-W performs much better than Vegas».",
        plan=_plan_throughput,
        read=_read_throughput,
    ),
    Row(
        id="V-10",
        place="Section IV.B",
        what="the rule RTT_now > n RTT_ave, n = 2, m = 20",
        says="congestion changes the RTT gradually, a change of route sharply; the rule tells the two apart.",
        plan=_plan_jumps,
        read=_read_jumps,
    ),
)
