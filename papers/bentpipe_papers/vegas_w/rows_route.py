# SPDX-License-Identifier: MIT OR Apache-2.0
"""A route that changes at 50 s and back at 100 s (section V.B; V-08, V-09)."""

from __future__ import annotations

import statistics
from collections.abc import Mapping, Sequence
from functools import partial
from itertools import product
from typing import Any

import numpy as np

import bentpipe as bp
from bentpipe import plots
from bentpipe import study as st
from bentpipe_papers import ns2
from bentpipe_papers.vegas_w import bed
from bentpipe_papers.vegas_w.curves import settings as asked
from bentpipe_papers.vegas_w.readings import (
    ACCESS,
    ACTING,
    ALL_BEDS,
    BOTH,
    CLEAR_EVERY,
    DOUBLING,
    ESTIMATE,
    LINUX,
    MAIN,
    MUCH,
    OUR_REPAIR,
    ROUTE,
    ROUTED_IN,
    ROUTES,
    SEEN,
    SMALL,
    TCP,
    elsewhere,
)

NEW_RATE_MBIT_S = 20.0
#: Times in ms that are whole numbers of round trips of both routes, by factor: 11 of 540 ms are 5 of 1188 ms, and 3 of
#: 540 ms are 2 of 810 ms.
WHOLE_MS = {2.2: 11 * bed.RTT_MS, 1.5: 3 * bed.RTT_MS}
END_S = 150.0
#: The span in s after the return to the original route.
BACK_S = (bed.ROUTE_S[1] + 1.0, END_S)
SHOWN = (bed.VEGAS, bed.VEGAS_W, bed.BLIND, bed.REPAIRED, bed.LOWERS, bed.NEWRENO)


def longer(rtt_ms: float, factor: float, seed: int, *, both: bool, at: Sequence[float]) -> bp.Dumbbell:
    """The path; its base round trip is `factor` times as long between the two moments of `at`."""
    short_ms = bed.isl_delay_ms(rtt_ms, seed)
    more_ms = rtt_ms * (factor - 1.0) / (2.0 if both else 1.0)
    delays = [("0 s", f"{short_ms} ms"), (f"{at[0]:g} s", f"{round(short_ms + more_ms, 4)} ms")]
    delays += [(f"{moment:g} s", f"{short_ms} ms") for moment in at[1:]]
    back = bp.Link(delay_steps=delays) if both else bp.Link(delay=f"{short_ms} ms")
    return bp.Dumbbell(
        rate=f"{bed.RATE_MBIT_S:g} Mbit/s",
        delay_steps=delays,
        queue="200 packets",
        loss=bp.Loss(per=1e-6),
        reverse=back,
    )


def rerouted(
    label: str, route: str, seed: int, *, flow: bp.Flow | None = None, reorder: bool = True, **settings: Any
) -> bp.Scenario:
    factor, both = ROUTES[route]
    at = [moment + bed.shift_s(seed) for moment in bed.ROUTE_S]
    path = longer(bed.RTT_MS, factor, seed, both=both, at=at)
    rates = zip((0.0, *at), (bed.RATE_MBIT_S, NEW_RATE_MBIT_S, bed.RATE_MBIT_S), strict=True)
    path.rate, path.rate_steps = None, [{"at": f"{when:g} s", "rate": f"{rate:g} Mbit/s"} for when, rate in rates]
    # Packets of the short route may overtake packets of the long route, because there are two routes.
    path.reorder = reorder or None
    name = f"route {route}{'' if reorder else ', in order'}: {label}"
    return bed.scenario(name, [flow or bed.named(label, seed, **settings)], path, seed=seed, duration_s=END_S)


def plan_routes(effort: st.Effort) -> st.Plan:
    plans: dict[st.Key, bp.Scenario] = {one: rerouted(*one) for one in product(SHOWN, ROUTES, effort.seeds)}
    for route, seed, label, name in product(
        ROUTES, effort.seeds, (bed.VEGAS, bed.VEGAS_W, bed.BLIND), (MAIN, *ROUTED_IN)
    ):
        plans[name, label, route, seed] = rerouted(label, route, seed, **ALL_BEDS[name].settings)
    return plans


def refreshes(run: bp.Run) -> float:
    """Number of refreshes of BaseRTT; 0 for a controller without the refresh."""
    _, counts = st.snapshot(run, "base_rtt_refreshes")
    return float(counts[-1]) if counts.size else 0.0


def window_at(run: bp.Run, at_s: float) -> float:
    times, window = st.series(run, "cwnd_segments")
    return float(window[np.searchsorted(times, at_s) - 1])


def base_ms(run: bp.Run, at_s: float) -> float:
    """The controller's smallest RTT at a time, in ms; NaN if the controller has none."""
    times, base = st.snapshot(run, "base_rtt_ms")
    return float(base[np.searchsorted(times, at_s) - 1]) if times.size else float("nan")


def window_change(run: bp.Run) -> float:
    """Window at the end of the new route less the window at its start, in segments."""
    leave, back = (moment + bed.shift_s(bed.seed_of(run)) for moment in bed.ROUTE_S)
    return window_at(run, back) - window_at(run, leave)


#: The reasons for the other routes.
_WHY = {option.name: option.why for option in ROUTE.options[1:]}


def changes_of(runs: st.Runs, reading: str, label: str, route: str) -> bp.Estimate:
    return st.sampled([window_change(run) for run in runs.of(reading, label, route)])


def gain_of(
    runs: st.Runs, reading: str, route: str, other: str, span: tuple[float, float] = bed.ROUTE_S
) -> bp.Estimate:
    ours, base = (
        [st.mean_between(*bed.on_the_wire(run), *span) for run in runs.of(reading, label, route)]
        for label in (bed.VEGAS_W, other)
    )
    return bp.relative_change(ours, base)


def in_combination(values: Mapping[str, Any], seed: int) -> dict[str, bp.Scenario]:
    return {label: rerouted(label, values[ROUTE.name], seed, **asked(values)) for label in (bed.VEGAS, bed.VEGAS_W)}


def change_in(runs: Mapping[str, bp.Run]) -> float:
    """The change of Vegas's window on the new route, in segments, from the runs of a combination."""
    return window_change(runs[bed.VEGAS])


def gain_in(runs: Mapping[str, bp.Run]) -> float:
    rates = {name: st.mean_between(*bed.on_the_wire(run), *bed.ROUTE_S) for name, run in runs.items()}
    return 100.0 * (rates[bed.VEGAS_W] / rates[bed.VEGAS] - 1.0)


_OPEN = (ROUTE, TCP, ACCESS, DOUBLING, ESTIMATE)
FALLS = st.Curve(
    title="Vegas: change of cwnd on the new route (V-08)",
    choices=_OPEN,
    plan=in_combination,
    effect=change_in,
    sign=-1,
    unit="segments",
)
GAIN = st.Curve(
    title="throughput from 50 s to 100 s, Vegas-W against Vegas (V-09)",
    choices=_OPEN,
    plan=in_combination,
    effect=gain_in,
    sign=1,
    neutral=MUCH,
    digits=0,
)


@st.reads(
    id="V-08",
    place="Sections IV.B and V.B, Figure 4",
    what="windows while the route changes at 50 s and back at 100 s",
    says="the new route has larger bandwidth and longer delay; the window of Vegas “decreases ridiculously” where "
    "it should increase. The text gives neither delay nor bandwidth.",
    plan=plan_routes,
    curves={"a": FALLS},
)
def read_windows(runs: st.Runs) -> st.Finding:
    figure, axes = plots.new(2, 3, height=2.5, width=11.0)
    seed = runs.effort.seeds[0]
    leave, back = (moment + bed.shift_s(seed) for moment in bed.ROUTE_S)
    for column, (route, (factor, _)) in enumerate(ROUTES.items()):
        top, bottom = axes[column], axes[3 + column]
        for label in (bed.VEGAS, bed.VEGAS_W, bed.BLIND):
            run = runs[label, route, seed]
            bed.draw(top, run, label, "cwnd")
            times, base = st.snapshot(run, "base_rtt_ms")
            style: Any = (0, (4, 4)) if label == bed.BLIND else "-"
            bottom.plot(times[::3], base[::3], label=label, color=bed.COLOURS[label], linestyle=style, linewidth=1.2)
        true = [bed.RTT_MS, bed.RTT_MS * factor, bed.RTT_MS, bed.RTT_MS]
        bottom.step([0, leave, back, END_S], true, where="post", color="#000000", linestyle=":", label="true")
        top.set(title=f"round trip {route}", ylim=(0, None))
        bottom.set(xlabel="s", ylim=(0, 1300))
        for axis in (top, bottom):
            axis.axvspan(leave, back, color="#000000", alpha=0.06, linewidth=0)
            axis.set_xlim(0, END_S)
    axes[0].set_ylabel("cwnd (segments)")
    axes[3].set_ylabel("BaseRTT (ms)")
    axes[1].legend(fontsize="small")
    axes[4].legend(fontsize="small")
    changes, rows = {}, []
    for route, label in product(ROUTES, SHOWN):
        here = runs.of(label, route)
        changes[label, route] = st.sampled([window_change(run) for run in here])
        leaving = bed.shown(st.sampled([window_at(run, bed.ROUTE_S[0]) for run in here]), 0)
        believed = st.sampled([base_ms(run, bed.ROUTE_S[1]) for run in here])
        kept = bed.shown(believed, 0) if believed.mean > 0 else "-"
        fired = bed.shown(st.sampled([refreshes(run) for run in here]), 1)
        rows.append([route, label, leaving, bed.shown(changes[label, route], 1), kept, fired])
    acting = {
        (reading, route): changes_of(runs, reading, bed.VEGAS_W, route) for reading, route in product(ROUTED_IN, ROUTES)
    }
    vegas = changes_of(runs, LINUX, bed.VEGAS, SEEN)
    middle = statistics.median(window_change(run) for run in runs.of(bed.VEGAS, SEEN))
    holds = {route: bed.bdp_packets(bed.RTT_MS * factor, NEW_RATE_MBIT_S) for route, (factor, _) in ROUTES.items()}
    return st.found(
        "ns-2's timer expires as the path grows, and with an old BaseRTT the longer path looks like a queue: Vegas "
        f"{changes[bed.VEGAS, SEEN].mean:+.0f} segments in 50 s (Linux's TCP: {vegas.mean:+.0f}). In the main bed "
        f"Vegas-W's depends on where in a repair the route changes ({changes[bed.VEGAS_W, SEEN].mean:+.0f}; our "
        f"repair of the estimate: {acting[OUR_REPAIR, SEEN].mean:+.0f}). Where it can refresh, its window grows "
        f"({acting[CLEAR_EVERY, SEEN].mean:+.0f}; Linux: {acting[LINUX, SEEN].mean:+.0f}); both directions longer, or "
        f"x 1.5, are below n = 2 ({acting[LINUX, BOTH].mean:+.0f}, {acting[LINUX, SMALL].mean:+.0f})",
        st.claim(
            f"Vegas: change of cwnd on the new route, RTT {SEEN}",
            changes[bed.VEGAS, SEEN],
            st.below("segments"),
            headline="the congestion window of Vegas decreases ridiculously",
            tool=ns2.window_change("Vegas"),
            tool_note=ns2.of_route_and_traffic("Vegas"),
            decides=f"the size: the TCP, because its timer may expire; median of the seeds {middle:+.0f}",
            readings=(
                *st.otherwise(_WHY, partial(changes_of, runs, MAIN, bed.VEGAS)),
                *elsewhere(lambda reading: changes_of(runs, reading, bed.VEGAS, SEEN), ACTING),
            ),
        ),
        st.Sheet(
            "The new route, 50 s to 100 s (mean ± 95 %)",
            ("RTT", "", "cwnd at 50 s", "change until 100 s", "BaseRTT at 100 s (ms)", "refreshes in the run"),
            rows,
        ),
        st.Picture(
            "Figure 4 drawn again: windows, and the BaseRTT each believes in; first seed, scales differ.", figure
        ),
        f"The new route holds {holds[SEEN]:.0f} packets at x 2.2 and {holds[SMALL]:.0f} at x 1.5; avoidance adds one "
        f"per round trip, {50e3 / (bed.RTT_MS * 2.2):.0f} and {50e3 / (bed.RTT_MS * 1.5):.0f} in 50 s: it cannot be "
        "filled.",
        "Where both ways become longer at once, what was sent before the change is acknowledged over the new way "
        "back: for a round trip the RTT is x 1.6, then x 2.2. The mean of 20 packets has caught up in between, so "
        "that such a change is seen from x 3 on only.",
        "The sample that jumped becomes BaseRTT (the paper does not say what does). If the way grows in two "
        "steps and the rule sees the first only, BaseRTT stays short of the truth and the window still falls.",
        "“In fact, the bandwidth of the new path is larger than the old one. The congestion window should increase” "
        "says what is right, not what Vegas-W's window does: no claim.",
        "The paper's objective here is “performance of congestion avoidance mechanism of Vegas-W”. In our main bed "
        "timeouts interrupt it, so that seeds differ by hundreds of segments.",
        "ns-2's timer may expire as the way grows by more than it allows for; slow start then begins again, and the "
        "rule watches in avoidance only.",
    )


@st.reads(
    id="V-09",
    place="Section V.B, Figure 5",
    what="throughput while the route changes",
    says="“Vegas-W performs much better than Vegas”.",
    plan=lambda effort: {
        **plan_routes(effort),
        **{
            ("in order", label, seed): rerouted(label, SEEN, seed, reorder=False)
            for seed, label in product(effort.seeds, (bed.VEGAS, bed.VEGAS_W))
        },
    },
    curves={"a": GAIN},
)
def read_throughput(runs: st.Runs) -> st.Finding:
    figure, axes = plots.new(1, 3, height=2.8, width=11.0)
    seed = runs.effort.seeds[0]
    spans = {"20-50 s": (20.0, bed.ROUTE_S[0]), "50-100 s": bed.ROUTE_S, "101-150 s": BACK_S}
    means: dict[tuple[str, str], list[list[float]]] = {}
    rows = []
    leave, back = (moment + bed.shift_s(seed) for moment in bed.ROUTE_S)
    for axis, route in zip(axes, ROUTES, strict=True):
        for label in (bed.VEGAS, bed.VEGAS_W, bed.BLIND, bed.NEWRENO):
            bed.draw(axis, runs[label, route, seed], label, "throughput", WHOLE_MS[ROUTES[route][0]])
        axis.axvspan(leave, back, color="#000000", alpha=0.06, linewidth=0, label="new route, 20 Mbit/s")
        axis.set(xlabel="s", xlim=(0, END_S), ylim=(0, 21), title=f"round trip {route}")
        for label in SHOWN:
            here = runs.of(label, route)
            means[label, route] = [
                [st.mean_between(*bed.on_the_wire(run), *span) for run in here] for span in spans.values()
            ]
            rows.append([route, label, *(bed.shown(st.sampled(one)) for one in means[label, route])])
    for label in (bed.VEGAS, bed.VEGAS_W):
        here = runs.of("in order", label)
        cells = [
            bed.shown(st.sampled([st.mean_between(*bed.on_the_wire(run), *span) for run in here]))
            for span in spans.values()
        ]
        rows.append([SEEN, f"{label}, packets in order at 100 s", *cells])
    axes[0].set_ylabel("throughput (Mbit/s)")
    axes[2].legend(fontsize="small", ncols=2, loc="upper center")
    gain = bp.relative_change(means[bed.VEGAS_W, SEEN][1], means[bed.VEGAS, SEEN][1])
    alone = {
        (reading, route): gain_of(runs, reading, route, bed.BLIND) for reading in (MAIN, *ROUTED_IN) for route in ROUTES
    }
    linux = gain_of(runs, LINUX, SEEN, bed.VEGAS)
    bunch = max(float(st.series(run, "cwnd_segments")[1].max()) for run in runs.of("in order", bed.VEGAS_W))
    before = bp.relative_change(means[bed.VEGAS_W, SEEN][0], means[bed.VEGAS, SEEN][0])
    middle = statistics.median(
        100.0 * (ours / base - 1.0)
        for ours, base in zip(means[bed.VEGAS_W, SEEN][1], means[bed.VEGAS, SEEN][1], strict=True)
    )

    def gains(span: tuple[float, float]) -> tuple[st.InReading, ...]:
        places = {route: (MAIN, route, why) for route, why in _WHY.items()}
        places |= {name: (name, SEEN, reading.why) for name, reading in ROUTED_IN.items()}
        return tuple(
            st.InReading(name=words, why=why, measured=gain_of(runs, reading, route, bed.VEGAS, span))
            for words, (reading, route, why) in places.items()
        )

    ablation = [[reading, route, st.change_text(alone[reading, route])] for reading, route in alone]
    return st.found(
        f"As the path grows ns-2's timer expires, and Vegas starts over: Vegas-W carries {gain.mean:+.0f} % against "
        f"Vegas on the new route, {before.mean:+.0f} % before it. Where slow start lost little, Vegas-W carries more "
        f"(Linux's TCP: {linux.mean:+.0f} %). The refresh itself gives {alone[MAIN, SEEN].mean:+.1f} %, "
        f"{alone[CLEAR_EVERY, SEEN].mean:+.1f} % with 16 Mbit/s and doubling in every round, "
        f"{alone[LINUX, SEEN].mean:+.1f} % with Linux's TCP",
        st.claim(
            f"throughput from 50 s to 100 s, Vegas-W against Vegas, RTT {SEEN}",
            gain,
            st.at_least(MUCH, digits=0),
            note="“much” has no number: more than a tenth",
            headline="Vegas-W performs much better than Vegas",
            decides="the size: the losses of slow start; the refresh contributes little; median of the seeds "
            f"{middle:+.0f} %",
            readings=gains(bed.ROUTE_S),
        ),
        st.claim(
            f"throughput from {BACK_S[0]:g} s to {BACK_S[1]:g} s, back on the original route, Vegas-W against Vegas",
            gain_of(runs, MAIN, SEEN, bed.VEGAS, BACK_S),
            st.at_least(MUCH, digits=0),
            note="“and changes to the original route at 100 second”; “In this scenario, Vegas-W performs much "
            "better than Vegas”: a part of the scenario that had no claim",
            decides="as from 50 s to 100 s",
            readings=gains(BACK_S),
        ),
        st.Sheet("Mean throughput (Mbit/s)", ("RTT", "", *spans), rows),
        st.Sheet(
            "What the surveillance of the route gives, our ablation: Vegas-W against Vegas-W without its refresh",
            ("bed", "RTT", "throughput from 50 s to 100 s"),
            ablation,
        ),
        st.Picture(
            "Figure 5 drawn again: throughput as the mean over whole round trips (5.9 s, 1.6 s), first seed.", figure
        ),
        "At 100 s packets of the short route overtake those of the long one. If they are kept in order instead "
        "(the last two lines), they come in one bunch: the estimate of Vegas-W takes their spacing for bandwidth, "
        f"and the next loss sets its window to B RTTmin, {bunch:.0f} segments at most of all seeds.",
        "The ablation is no claim of the paper. Where nothing is refreshed both runs are the same by construction.",
    )
