# SPDX-License-Identifier: MIT OR Apache-2.0
"""X-01: every controller in every setting."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from itertools import product

import numpy as np

from bentpipe import plots
from bentpipe import study as st
from bentpipe_papers.across.bed import SETTINGS, SHARES, Numbers, as_played, catalogue, label, numbers

All = dict[str, dict[str, Numbers]]


@st.reads(
    id="X-01",
    place="across the papers",
    what="every controller over GEO, LEO and terrestrial paths",
    says="Each paper compares its controller with one to seven others, over a path of its own",
    plan=lambda effort: {
        (setting.name, who, seed): setting.scenario(as_played(who), seed, effort.quick)
        for setting, who in product(SETTINGS, catalogue())
        for seed in setting.seeds(effort)
    },
)
def read(runs: st.Runs) -> st.Finding:
    found: All = {}
    for setting in SETTINGS:
        found[setting.name] = {}
        for who in catalogue():
            made = runs.of(setting.name, who)
            st.own_limit(made)
            found[setting.name][who] = numbers(setting, made)
    return st.found(
        why(found),
        *[sheet(setting.name, setting.about, found[setting.name]) for setting in SETTINGS],
        st.Picture(
            "Goodput of each controller in percent of the payload that the bottleneck carries (“beside Reno”: of its "
            "two flows; 50 % is an equal share)",
            heat(found, lambda one: one.goodput_percent.mean, "goodput (%)", "cividis", (0.0, 100.0), "{:.0f}"),
        ),
        st.Picture(
            "Mean queueing delay in ms; colours by the logarithm",
            heat(found, lambda one: one.queue_ms.mean, "queueing delay (ms)", "cividis_r", (0.1, 600.0), "{:.0f}"),
        ),
        st.Picture(
            "Packets lost for any cause, in percent of the packets sent; colours by the logarithm",
            heat(found, lambda one: one.loss_percent.mean, "loss (%)", "cividis_r", (0.01, 20.0), "{:.2g}"),
        ),
        st.Picture(
            "Goodput of Reno's two flows beside two flows of the controller, and of a flow of 600 ms beside a flow "
            "of 25 ms, in percent of an equal share: 100 is fair, orange is too little",
            heat(found, shared, "share (%)", "PuOr", (0.0, 200.0), "{:.0f}"),
        ),
        st.Picture(
            "Jain's index of all flows; settings with one flow have no index",
            heat(found, jain, "Jain's index", "cividis", (0.5, 1.0), "{:.2f}"),
        ),
        "A star marks a substitute for a controller whose paper was not available.",
        "Each path gives the signals that the controllers need: distance, announcements one second before a "
        "handover, and congestion warnings at half of the buffer. All controllers have SACK (RFC 6675), which "
        "detects a lost retransmission only by a timeout. This makes rate-based controllers slower that keep a full "
        "window when losses occur.",
        "Geo-Reno's gain is the distance divided by 2500 km, the distance of the terrestrial flows. The gain is 2.4 "
        "over GEO and LEO. In the setting “beside Reno” it is 1, so Geo-Reno is Reno there. The slides print no α, "
        "so this value is ours.",
        "The first sixth of each run is not measured. Row X-02 measures the start-up.",
        *equal(found),
    )


def equal(found: All) -> list[str]:
    groups: dict[tuple[float, ...], list[str]] = {}
    for who in catalogue():
        told = tuple(value.mean for one in found.values() for value in one[who][:3])
        groups.setdefault(told, []).append(label(who))
    same = [" = ".join(names) for names in groups.values() if len(names) > 1]
    return [f"These controllers have the same numbers in every setting: {'; '.join(same)}."] if same else []


def jain(one: Numbers) -> float:
    return math.nan if one.share_percent is None else one.jain.mean


def shared(one: Numbers) -> float:
    return math.nan if one.share_percent is None else one.share_percent.mean


def sheet(name: str, about: str, found: Mapping[str, Numbers]) -> st.Sheet:
    share = SHARES.get(name)
    head = ["controller", "goodput", "queueing delay", "loss", "Jain", *([share] if share else [])]
    rows = []
    for who, one in sorted(found.items(), key=lambda pair: -pair[1].goodput_percent.mean):
        cells = [
            label(who),
            st.shown(one.goodput_percent, 1, "%"),
            st.shown(one.queue_ms, 1, "ms"),
            st.shown(one.loss_percent, 3, "%"),
        ]
        cells.append("–" if one.share_percent is None else st.shown(one.jain, 3))
        rows.append([*cells, *([st.shown(one.share_percent, 0, "%")] if one.share_percent else [])])
    return st.Sheet(f"{name}: {about}; the highest goodput first", head, rows)


def why(found: All) -> str:
    def best(setting: str) -> str:
        first, *rest = sorted(found[setting].items(), key=lambda pair: -pair[1].goodput_percent.mean)
        low = first[1].goodput_percent.low
        near = sum(one.goodput_percent.high >= low for _, one in rest)
        beside = f", and the intervals of {near} others overlap with it" if near else ""
        return f"{label(first[0])} has the most, {first[1].goodput_percent.mean:.0f} %{beside}"

    def count(setting: str, low: float, high: float = math.inf) -> str:
        """Return a text: the number of controllers whose whole interval is between two numbers."""
        shares = setting in SHARES
        all_of = [one.share_percent if shares else one.goodput_percent for one in found[setting].values()]
        return str(sum(one is not None and one.low >= low and one.high <= high for one in all_of))

    starved = [
        label(who)
        for who, one in found["beside Reno"].items()
        if one.share_percent is not None and one.share_percent.high < 20.0
    ]
    by = f" ({', '.join(starved)})" if starved else ""
    return (
        "This row has no claim. A controller counts if its whole interval is in the given range. Of "
        f"{len(catalogue())} controllers, {count('GEO clean', 90.0)} fill 90 % of a GEO path without errors. With one "
        f"packet in 1000 lost, {count('GEO 1e-3', 50.0)} fill half of this path ({best('GEO 1e-3')}). Over LEO, "
        f"{count('LEO', 90.0)} fill 90 % of the path. Beside {len(starved)} controllers{by}, Reno has less than a "
        "fifth of its equal share. If two flows of the same controller have round trips of 25 and 600 ms, the shares "
        f"of {count('two RTTs', 200.0 / 3.0, 400.0 / 3.0)} differ by less than a factor of two"
    )


def heat(
    found: All, value: Callable[[Numbers], float], what: str, colours: str, span: tuple[float, float], form: str
) -> st.Figure:
    from matplotlib.colors import LogNorm, Normalize

    settings = [name for name in found if any(not math.isnan(value(one)) for one in found[name].values())]
    names = catalogue()
    field = np.array([[value(found[setting][who]) for setting in settings] for who in names], dtype=np.float64)
    scale = LogNorm(*span, clip=True) if span[0] and span[1] / span[0] > 10.0 else Normalize(*span, clip=True)
    figure, (axis,) = plots.new(1, 1, width=max(5.0, 2.6 + 0.8 * len(settings)), height=0.2 * len(names) + 1.0)
    image = axis.imshow(np.clip(field, *span), norm=scale, cmap=colours, aspect="auto")
    axis.set_xticks(range(len(settings)), settings, fontsize="small")
    axis.set_yticks(range(len(names)), [label(who) for who in names], fontsize="small")
    axis.tick_params(top=True, labeltop=True, bottom=False, labelbottom=False, length=0)
    axis.grid(visible=False)
    axis.spines[:].set_visible(False)
    for (y, x), number in np.ndenumerate(field):
        if not math.isnan(number):
            dark = sum(image.cmap(scale(np.clip(number, *span)))[:3]) < 1.6
            ink = "white" if dark else "black"
            axis.text(x, y, form.format(number), ha="center", va="center", color=ink, fontsize="x-small")
    figure.colorbar(image, ax=axis, label=what, shrink=0.4, aspect=30)
    return figure
