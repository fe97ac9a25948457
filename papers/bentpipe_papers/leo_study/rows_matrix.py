# SPDX-License-Identifier: MIT OR Apache-2.0
"""How do different algorithms compete? Every controller of the catalogue against every other controller (G-20)."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from itertools import product
from typing import NamedTuple

import numpy as np

import bentpipe as bp
from bentpipe import plots
from bentpipe import study as st
from bentpipe_papers.leo_study.bed import HYPATIA_TCP, PATHS, chance, seeds
from bentpipe_papers.transport import runnable

#: The controllers of a first look: one of each kind.
SOME = (
    *("reno", "cubic", "stcp", "hybla", "hybla-im", "geo-reno", "a-liad-safe", "vegas", "vegas-w"),
    *("westwood-plus", "copa", "bbr1", "vivace", "ledbat"),
)
#: Controllers whose paper was not available.
STAND_INS = ("liad", "new-vegas", "vegas-ab", "peach-plus", "cherry")
#: The slides' two round trips in ms and distances in km.
(_LONG_KM, _LONG_MS), (_SHORT_KM, _SHORT_MS) = PATHS["Wuhan"], PATHS["Toronto"]


def names(effort: st.Effort) -> list[str]:
    """The compared controllers, in the order of the catalogue."""
    return [name for name in runnable() if not effort.quick or name in SOME]


def controller(name: str) -> str | dict[str, str | float | bool]:
    """The controller for a scenario. Geo-Reno gets the distance of the shorter path; without it, it would be Reno."""
    return {"name": name, "d_min_km": _SHORT_KM} if name == "geo-reno" else name


def duel(one: str, other: str, seed: int, *, unequal: bool = False, duration: str = "60 s") -> bp.Scenario:
    """Two flows on one link.

    With `unequal`, the second flow has the shorter of the slides' round trips.

    An echo runs beside each flow, as in the slides. Without echoes all packets have the same size, and phase effects
    decide which flow loses. The link marks packets when its queue is more than half full, and would announce path
    changes. Every controller of the catalogue thus has its required signals. A controller that does not require a
    signal does not get it.
    """
    trips = (_LONG_MS, _SHORT_MS if unequal else _LONG_MS)
    distances = (_LONG_KM, _SHORT_KM if unequal else _LONG_KM)
    return bp.Scenario(
        name=f"{one} and {other}",
        duration=duration,
        warm_up="10 s",
        seed=seed,
        network=bp.Network(
            dumbbell=bp.Dumbbell(rate="10 Mbit/s", rtt="1 ms", queue="100 packets", warn_above=50.0), announce="1 s"
        ),
        tcp=HYPATIA_TCP,
        flows=[
            bp.Flow(
                name=f"{place}",
                controller=controller(name),
                distance=f"{km:g} km",
                start=f"{2 * chance(seed, place):.3f} s",
                access=bp.AccessLink(delay=f"{(trip - 1) / 2:g} ms"),
            )
            for place, (name, trip, km) in enumerate(zip((one, other), trips, distances, strict=True))
        ]
        + [bp.Flow(kind="ping", access=bp.AccessLink(delay=f"{(trip - 1) / 2:g} ms")) for trip in trips],
        record=bp.Record(interval="off", events=False),
    )


def plan(effort: st.Effort) -> st.Plan:
    """Plan every pair once, and every controller against itself over the two round trips."""
    chosen, duration = names(effort), effort.pick("30 s", "60 s")
    runs: dict[st.Key, bp.Scenario] = {
        (one, other, seed): duel(one, other, seed, duration=duration)
        for (one, other), seed in product(itertools.combinations_with_replacement(chosen, 2), seeds(effort, 2))
    }
    for name, seed in product(chosen, seeds(effort, 2)):
        runs["unequal", name, seed] = duel(name, name, seed, unequal=True, duration=duration)
    return runs


class Grid(NamedTuple):
    """Means over the seeds. The row is the controller, the column its competitor."""

    share: plots.Floats
    half_width: plots.Floats
    delay_ms: plots.Floats
    loss_percent: plots.Floats
    goodput: plots.Floats


def lost_percent(run: bp.Run) -> float:
    flows = run.summary["flows"][:2]
    lost = sum(int(flow["losses"]["queue"]) for flow in flows)
    return 100.0 * lost / sum(int(flow["sent_packets"]) for flow in flows)


def grid(runs: st.Runs, chosen: Sequence[str]) -> Grid:
    """The means of all pairs.

    On the diagonal, two flows have the same controller, and the value is the larger share.
    """
    size = len(chosen)
    found = Grid(*(np.full((size, size), np.nan) for _ in range(5)))
    for (a, one), (b, other) in itertools.combinations_with_replacement(enumerate(chosen), 2):
        made = [runs[one, other, seed] for seed in seeds(runs.effort, 2)]
        st.own_limit(made)
        rates = np.array([st.goodputs(run)[:2] for run in made])
        shares = 100.0 * rates[:, 0] / rates.sum(axis=1)
        if a == b:
            shares = np.maximum(shares, 100.0 - shares)
        here = bp.estimate(shares.tolist())
        found.share[a, b], found.share[b, a] = here.mean, here.mean if a == b else 100.0 - here.mean
        found.half_width[a, b] = found.half_width[b, a] = here.half_width
        queue = [[st.mean_queue_ms(run, flow) for flow in (0, 1)] for run in made]
        loss = [lost_percent(run) for run in made]
        found.delay_ms[a, b], found.delay_ms[b, a] = np.nanmean(queue, axis=0)
        if a == b:
            found.delay_ms[a, b] = np.nanmean(queue)
        found.loss_percent[a, b] = found.loss_percent[b, a] = float(np.mean(loss))
        found.goodput[a, b] = found.goodput[b, a] = float(rates.sum(axis=1).mean())
    return found


def heat(
    values: plots.Floats, chosen: Sequence[str], title: str, unit: str, colours: str, top: float | None
) -> st.Figure:
    from matplotlib.colors import PowerNorm  # imported late, so that a list of studies is fast

    size = 2.4 + 0.165 * len(chosen)
    figure, (axis,) = plots.new(1, 1, width=size + 0.6, height=size)
    # Low loss rates differ most; a root scale spreads them.
    scale = PowerNorm(0.5 if unit == "% lost" else 1.0, vmin=0.0, vmax=top or float(np.nanmax(values)))
    image = axis.imshow(values, cmap=colours, norm=scale, interpolation="nearest")
    places = range(len(chosen))
    axis.set_xticks(places, list(chosen), rotation=90, fontsize="x-small")
    axis.set_yticks(places, list(chosen), fontsize="x-small")
    axis.grid(visible=False)
    axis.set(title=title, xlabel="rival", ylabel="controller")
    figure.colorbar(image, ax=axis, label=unit, shrink=0.7, pad=0.02)
    return figure


def unequal(runs: st.Runs, name: str) -> tuple[bp.Estimate, bp.Estimate]:
    """A controller against itself over 105 and 11 ms: share of the longer path in percent, goodput of both."""
    made = [runs["unequal", name, seed] for seed in seeds(runs.effort, 2)]
    st.own_limit(made)
    rates = [st.goodputs(run)[:2] for run in made]
    shares = bp.estimate([100.0 * long / (long + short) for long, short in rates])
    return shares, bp.estimate([long + short for long, short in rates])


def shares_of_the_long(found: Mapping[str, bp.Estimate]) -> st.Figure:
    figure, (axis,) = plots.new(1, 1, width=7.5, height=1.2 + 0.165 * len(found))
    order = sorted(found, key=lambda name: found[name].mean)
    for row, name in enumerate(order):
        axis.errorbar(
            found[name].mean, row, xerr=found[name].half_width, fmt="o", color=plots.COLOURS[0], capsize=2, markersize=3
        )
    axis.axvline(50.0, linestyle="--", color="#000000", linewidth=0.9, label="equal shares")
    axis.set_yticks(range(len(order)), order, fontsize="x-small")
    axis.set(xlabel="share of the flow over 105 ms beside a flow of the same controller over 11 ms (%)", xlim=(0, 100))
    axis.legend(fontsize="small", loc="best")
    return figure


@st.reads(
    id="G-20",
    place="Unanswered questions",
    what="every controller against every other",
    says="“How do different algorithms compete?”",
    plan=plan,
)
def read(runs: st.Runs) -> st.Finding:
    chosen = names(runs.effort)
    found = grid(runs, chosen)
    off = ~np.eye(len(chosen), dtype=bool)
    strength = {name: float(found.share[row][off[row]].mean()) for row, name in enumerate(chosen)}
    order = sorted(chosen, key=lambda name: -strength[name])
    reno = chosen.index("reno")
    kind = {name: unequal(runs, name) for name in chosen}
    lines = []
    for name in order:
        row = chosen.index(name)
        others = [n for n in chosen if n != name]
        rivals = sorted(others, key=lambda other: found.share[row, chosen.index(other)])
        lines.append(
            [
                name,
                f"{strength[name]:.0f}",
                with_width(found, row, reno) if row != reno else "–",
                f"{found.share[row, row]:.0f}",
                f"{found.delay_ms[row][off[row]].mean():.0f}",
                f"{found.delay_ms[row, row]:.0f}",
                f"{found.loss_percent[row, row]:.2f}",
                f"{found.goodput[row, row]:.2f}",
                f"{rivals[0]} ({found.share[row, chosen.index(rivals[0])]:.0f})",
                kind[name][0].text(0),
                kind[name][1].text(2),
            ]
        )
    head = st.heads(
        "controller | mean share against all % | share against reno % | two of the same: larger share % | queueing "
        "delay against all, ms | two of the same: delay, ms | two of the same: lost % | two of the same: both, Mbit/s "
        "| weakest against (share %) | share over 105 beside 11 ms % | both over 105 and 11 ms, Mbit/s"
    )
    alike = pairs_alike(runs, chosen)
    even = sum(abs(found.share[a, b] - 50.0) <= 5.0 for a, b in itertools.combinations(range(len(chosen)), 2))
    pairs = math.comb(len(chosen), 2)
    fairest = sorted(chosen, key=lambda name: abs(kind[name][0].mean - 50.0) + kind[name][0].half_width)
    sheets = [st.Sheet("Shares of each controller, the strongest first (means over the seeds)", head, lines)]
    if len(chosen) <= len(SOME):
        cells = [
            [name, *(f"{found.share[row, column]:.0f}" for column in range(len(chosen)))]
            for row, name in enumerate(chosen)
        ]
        sheets.append(st.Sheet("Share of the row's controller beside the column's, %", ("", *chosen), cells))
    return st.found(
        "This row answers a question of the slides. It has no claim, so it has no verdict. Over a round trip of 105 "
        f"ms, {even} of {pairs} pairs of {len(chosen)} controllers have shares between 45 and 55 %. The largest mean "
        f"shares are those of {listed(order[:2], strength)}, and the smallest those of "
        f"{listed(order[-2:], strength)}. If two flows of one controller have round trips of 105 and 11 ms, the flow "
        f"with the longer path gets {kind['reno'][0].mean:.0f} % with reno, {kind['hybla'][0].mean:.0f} % with "
        f"hybla, and {kind['geo-reno'][0].mean:.0f} % with geo-reno. The shares are most equal with "
        f"{' and '.join(fairest[:2])}",
        *sheets,
        st.Picture(
            "Share of the row's controller beside the column's (%); on the diagonal, the larger share of two flows of "
            "the same controller",
            heat(found.share, chosen, "share of the bottleneck", "%", "RdBu", 100.0),
        ),
        st.Picture(
            "Mean queueing delay of the row's flow beside the column's (ms)",
            heat(found.delay_ms, chosen, "queueing delay", "ms", "cividis", None),
        ),
        st.Picture(
            "Packets lost of both flows (%); colours by the square root",
            heat(found.loss_percent, chosen, "losses", "% lost", "cividis", None),
        ),
        st.Picture(
            "Two flows of the same controller over 105 and 11 ms: share of the flow over 105 ms, 95 % intervals",
            shares_of_the_long({name: kind[name][0] for name in chosen}),
        ),
        f"Each run takes {runs.effort.pick('30 s', '60 s')}; the first 10 s are not measured. The flows start at "
        "random times within 2 s.",
        *[
            "These controllers have equal goodput in every run over the two round trips: "
            f"{'; '.join(', '.join(group) for group in alike)}. The path never changes, and the transport does the "
            "recovery, so these controllers have the same rule in this row."
            for _ in alike[:1]
        ],
        *[
            f"The papers of {', '.join(stand_ins)} were not available, so these are our substitutes."
            for stand_ins in [[name for name in STAND_INS if name in chosen]]
            if stand_ins
        ],
    )


def pairs_alike(runs: st.Runs, chosen: Sequence[str]) -> list[list[str]]:
    """Groups of controllers with exactly equal goodput in every run of two equal flows over the two round trips."""
    groups: dict[tuple[float, ...], list[str]] = {}
    for name in chosen:
        made = [runs["unequal", name, seed] for seed in seeds(runs.effort, 2)]
        groups.setdefault(tuple(rate for run in made for rate in st.goodputs(run)[:2]), []).append(name)
    return [names for names in groups.values() if len(names) > 1]


def with_width(found: Grid, row: int, column: int) -> str:
    return f"{found.share[row, column]:.0f} ± {found.half_width[row, column]:.0f}"


def listed(chosen: Sequence[str], strength: Mapping[str, float]) -> str:
    return ", ".join(f"{name} ({strength[name]:.0f} %)" for name in chosen)
