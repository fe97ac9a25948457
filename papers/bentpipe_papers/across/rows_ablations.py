# SPDX-License-Identifier: MIT OR Apache-2.0
"""X-03: the effect of each ingredient of the papers' controllers: the same losses, with and without the ingredient."""

from __future__ import annotations

import dataclasses
import itertools
import random
from collections.abc import Callable, Mapping, Sequence
from itertools import product
from typing import NamedTuple

import bentpipe as bp
from bentpipe import plots
from bentpipe import study as st
from bentpipe_papers.across.bed import SETTINGS, SHARES, Setting, Who, as_played, geo, numbers


class Ablation(NamedTuple):
    """An ingredient of the controller of `paper`. `how` describes the controller `without` the ingredient."""

    paper: str
    ingredient: str
    whole: Who
    without: Who
    how: str


_IM, _VEGAS_W, _LIAD = "hybla-im", "vegas-w", "a-liad-paper"
ABLATIONS = (
    Ablation(
        "Hybla-IM",
        "bandwidth scaling",
        _IM,
        {"name": "hybla", "loss_verdict": "queueing-delay"},
        "Hybla with Hybla-IM's loss verdict",
    ),
    Ablation(
        "Hybla-IM",
        "loss differentiation",
        _IM,
        {"name": _IM, "loss_verdict": "congestion"},
        "every loss counts as congestion",
    ),
    Ablation(
        "Hybla-IM", "delay from the orbit", _IM, {"name": _IM, "oracle": False}, "queueing delay is RTT - min(RTT)"
    ),
    Ablation("Hybla-IM", "both", _IM, "hybla", "Hybla"),
    Ablation(
        "Geo-Reno",
        "gain over the nearest",
        as_played("geo-reno"),
        "reno",
        "without the gain, Geo-Reno is Reno; with it, the gain is the distance divided by 2500 km",
    ),
    Ablation(
        "Geo-Reno",
        "gain over 1000 km",
        {"name": "geo-reno", "alpha_mode": "reference-distance"},
        "reno",
        "without the gain, Geo-Reno is Reno; with it, the gain is the distance divided by 1000 km, also for "
        "terrestrial flows",
    ),
    Ablation("A-LIAD", "S-curve start", _LIAD, {"name": _LIAD, "slow_start": "classic"}, "RFC 5681's slow start"),
    Ablation("A-LIAD", "careful probing", _LIAD, {"name": _LIAD, "probe_inc": "exponential"}, "equation 3: 1 per ACK"),
    Ablation(
        "A-LIAD",
        "adaptive beta",
        _LIAD,
        {"name": _LIAD, "beta_max": 0.125},
        "the decrease is at most 1/8 (as in BIC); it has this value if the RTT has grown by a seventh",
    ),
    Ablation(
        "A-LIAD", "alpha(RTT)", _LIAD, {"name": _LIAD, "alpha_mode": "fixed", "alpha": 2.0}, "alpha = 2, as in LIAD"
    ),
    Ablation(
        "Vegas-W",
        "bandwidth estimate",
        _VEGAS_W,
        {"name": "vegas", "loss_verdict": "gap"},
        "Vegas with Vegas-W's loss verdict, but with its own slow start, reaction to losses and lasting BaseRTT",
    ),
    Ablation("Vegas-W", "RTT jump", _VEGAS_W, {"name": _VEGAS_W, "refresh": "off"}, "BaseRTT lasts"),
    Ablation(
        "Vegas-W",
        "loss differentiation",
        _VEGAS_W,
        {"name": _VEGAS_W, "loss_verdict": "congestion"},
        "every loss counts as congestion",
    ),
    Ablation("Vegas-W", "all three", _VEGAS_W, "vegas", "Vegas"),
    Ablation(
        "HYBIC",
        "rho",
        "hybic",
        {"name": "cubic", "slow_start": "classic", "pacing": True},
        "CUBIC paced, with RFC 5681's slow start",
    ),
    Ablation(
        "HYBIC",
        "cubic part",
        "hybic",
        {"name": "hybic", "a": 0.0001},
        "A = 0.0001, so that only the Reno region grows",
    ),
)


def start(who: Who, seed: int, quick: bool) -> bp.Scenario:
    del quick
    return dataclasses.replace(geo(1e-4)(who, seed, True), duration="20 s", warm_up="0 s")


def route(who: Who, seed: int, quick: bool) -> bp.Scenario:
    """A flow whose route changes from MEO to GEO at a drawn time.

    Only the forward delay changes. If both delays changed, the RTT would grow in two steps, which are too small for
    Vegas-W's rule of twice the mean.
    """
    at_s = 30.0 + random.Random(f"route/{seed}").uniform(0.0, 1.0)  # noqa: S311 - not for secrets
    steps = [("0 s", "75 ms"), (f"{at_s:.3f} s", "525 ms")]
    network = bp.Dumbbell(
        rate="10 Mbit/s", delay_steps=steps, queue="500 packets", warn_above=250.0, reverse=bp.Link(delay="75 ms")
    )
    whole = geo(0.0)(who, seed, quick)
    return dataclasses.replace(whole, network=network, duration="90 s" if quick else "120 s", warm_up="30 s")


BY_NAME = {setting.name: setting for setting in SETTINGS}
WHERE = (
    Setting("GEO start", "the first 20 s over GEO, one packet in 10,000 lost", 10.0, True, start),
    *(BY_NAME[name] for name in ("GEO 1e-4", "GEO 1e-3", "LEO")),
    Setting(
        "longer route",
        "route from MEO to GEO: the RTT changes from 150 ms to 600 ms at 30 s; 10 Mbit/s; measured from 30 s on",
        10.0,
        True,
        route,
    ),
    BY_NAME["beside Reno"],
    BY_NAME["two RTTs"],
)


def plan(effort: st.Effort) -> st.Plan:
    players = dict.fromkeys(key_of(who) for one in ABLATIONS for who in (one.whole, one.without))
    specs = {key_of(who): who for one in ABLATIONS for who in (one.whole, one.without)}
    return {
        (where.name, who, seed): where.scenario(specs[who], seed, effort.quick)
        for where, who, seed in product(WHERE, players, effort.seeds)
    }


def key_of(who: Who) -> str:
    return who if isinstance(who, str) else " ".join(f"{key}={value}" for key, value in who.items())


def goodput(runs: Sequence[bp.Run]) -> list[float]:
    return [sum(st.given(f["goodput_mbit_s"]) for f in run.summary["flows"] if f["name"] != "reno") for run in runs]


@st.reads(
    id="X-03",
    place="across the papers",
    what="effect of each paper's ingredients, one at a time",
    says="The papers measure their ingredients only together",
    plan=plan,
)
def read(runs: st.Runs) -> st.Finding:
    changes: dict[tuple[str, str], dict[str, bp.Estimate]] = {}
    queue: dict[tuple[str, str], dict[str, bp.Estimate]] = {}
    shares: dict[tuple[str, str], dict[str, bp.Estimate]] = {}
    for one in ABLATIONS:
        name = (one.paper, one.ingredient)
        changes[name], queue[name], shares[name] = {}, {}, {}
        for where in WHERE:
            with_it, without = runs.of(where.name, key_of(one.whole)), runs.of(where.name, key_of(one.without))
            st.own_limit([*with_it, *without])
            pairs = zip(goodput(with_it), goodput(without), strict=True)
            changes[name][where.name] = st.sampled([100.0 * (a / b - 1.0) for a, b in pairs])
            queue[name][where.name] = difference(where, with_it, without, lambda found: found.queue_ms.mean)
            if where.name in SHARES:
                shares[name][where.name] = difference(where, with_it, without, share_of)
    head = ["controller", "ingredient", *(where.name for where in WHERE)]
    every = [one for table in (changes, queue, shares) for each in table.values() for one in each.values()]
    intervals = sum(one.half_width > 0.0 for one in every)
    return st.found(
        why(changes, shares),
        st.Sheet(
            "goodput of the controller's flows together, with the ingredient compared with without it",
            head,
            [[*name, *(st.change_text(one[where.name]) for where in WHERE)] for name, one in changes.items()],
        ),
        st.Sheet(
            "shares in percent, with the ingredient minus without it",
            ["controller", "ingredient", *SHARES.values()],
            [[*name, *(st.shown(one[where], 1, "points") for where in SHARES)] for name, one in shares.items()],
        ),
        st.Sheet(
            "mean queueing delay in ms, with the ingredient minus without it",
            head,
            [[*name, *(st.shown(one[where.name], 1) for where in WHERE)] for name, one in queue.items()],
        ),
        st.Sheet(
            "meaning of “without”",
            ("controller", "ingredient", "without it"),
            [[one.paper, one.ingredient, one.how] for one in ABLATIONS],
        ),
        st.Sheet("where", ("setting", "path"), [[where.name, where.about] for where in WHERE]),
        st.Picture(
            "Change of goodput by an ingredient, in percent, paired by seed (“two RTTs” is left out: two flows "
            "always fill the path)",
            draw(changes),
        ),
        st.Picture("Shares with an ingredient minus without it, in percentage points, paired by seed", fair(shares)),
        "Two ingredients need special paths. The delay from the orbit differs from the smallest RTT only if a path "
        "moves, and changes the reaction to losses only if links have errors. No setting of this row has both, but "
        "row H-26 has. A detector of the causes of losses has an effect only if errors occur.",
        f"The table has {intervals} intervals of 95 %. Even without an effect, one interval in twenty excludes zero "
        "by chance. “No change” means that every run is the same with and without the ingredient.",
        "The catalogue has no A-LIAD with a constant decrease, so a bound on the decrease replaces the constant.",
        "This row uses Bentpipe's Hybla-IM: it computes the share of the bandwidth over a round trip, and has a "
        "lower bound of rho and packet spacing. The page of Hybla-IM measures equation 10 as printed. Geo-Reno's "
        "gains are ours, because the slides print no α.",
        "Vegas-W's slow start needs the estimate that also sets the window after losses, so both are removed together.",
    )


def difference(
    where: Setting, ones: Sequence[bp.Run], others: Sequence[bp.Run], value: Callable[..., float]
) -> bp.Estimate:
    pairs = zip(ones, others, strict=True)
    return st.sampled([value(numbers(where, [one])) - value(numbers(where, [other])) for one, other in pairs])


def share_of(found: object) -> float:
    share = getattr(found, "share_percent", None)
    return float("nan") if share is None else float(share.mean)


#: A smaller effect is not mentioned, even if it is sure.
LEAST_PERCENT = 0.5


def why(
    changes: Mapping[tuple[str, str], Mapping[str, bp.Estimate]],
    shares: Mapping[tuple[str, str], Mapping[str, bp.Estimate]],
) -> str:
    parts = []
    for paper, group in itertools.groupby(changes, key=lambda name: name[0]):
        # The largest effect of all ingredients and settings whose interval excludes zero.
        sure = {
            (ingredient, where): one
            for paper_of, ingredient in group
            for where, one in changes[paper_of, ingredient].items()
            if one.excludes(0.0) and abs(one.mean) >= LEAST_PERCENT
        }
        if not sure:
            parts.append(f"none for {paper}")
            continue
        most = max(sure, key=lambda key: abs(sure[key].mean))
        parts.append(f"{most[0]} for {paper} ({st.change_text(sure[most])}, {most[1]})")
    cost = min(shares, key=lambda name: shares[name]["beside Reno"].mean)
    return (
        "This row has no claim. The ingredient that changes the goodput most, among those whose interval excludes "
        f"zero, is {', '.join(parts)}. The ingredient “{cost[1]}” of {cost[0]} reduces the goodput of Reno flows "
        f"most: as a percentage of an equal share, it changes by {shares[cost]['beside Reno'].text(0, 'points')}"
    )


#: Settings in which two flows always fill the path, so that only their shares can change.
FLAT = ("two RTTs",)


def log_percent(axis: st.Axes) -> None:
    """Make the axis linear up to 10 and logarithmic beyond, on both sides."""
    axis.set_xscale("symlog", linthresh=10.0)
    ticks = [-100, -30, -10, 0, 10, 30, 100, 300, 1000, 3000]
    low, high = axis.get_xlim()
    axis.set_xticks([tick for tick in ticks if low <= tick <= high])
    axis.xaxis.set_major_formatter(lambda value, _: f"{value:+.0f}" if value else "0")
    axis.xaxis.set_minor_formatter(lambda *_: "")


def fair(shares: Mapping[tuple[str, str], Mapping[str, bp.Estimate]]) -> st.Figure:
    figure, (axis,) = plots.new(1, 1, width=9.0, height=0.32 * len(shares) + 0.8)
    names = [f"{paper}: {ingredient}" for paper, ingredient in shares]
    st.bars(axis, names, [(what, [one[where] for one in shares.values()]) for where, what in SHARES.items()])
    axis.axvline(0.0, color="#000000", linewidth=0.8)
    axis.set_ylim(len(names) - 0.4, -0.6)
    log_percent(axis)
    axis.set_xlabel("change of the share with the ingredient (percentage points, logarithmic beyond ±10)")
    axis.legend(fontsize="small", loc="best")
    return figure


def draw(changes: Mapping[tuple[str, str], Mapping[str, bp.Estimate]]) -> st.Figure:
    figure, (axis,) = plots.new(1, 1, width=9.5, height=0.55 * len(changes) + 1.2)
    names = [f"{paper}: {ingredient}" for paper, ingredient in changes]
    st.bars(
        axis,
        names,
        [(where.name, [one[where.name] for one in changes.values()]) for where in WHERE if where.name not in FLAT],
    )
    axis.axvline(0.0, color="#000000", linewidth=0.8)
    axis.set_ylim(len(names) - 0.4, -0.6)
    log_percent(axis)
    axis.set_xlabel("change of goodput with the ingredient (%, logarithmic beyond ±10)")
    handles = axis.get_legend_handles_labels()
    figure.legend(*handles, loc="outside upper center", ncols=6, fontsize="small")
    return figure
