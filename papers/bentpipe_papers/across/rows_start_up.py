# SPDX-License-Identifier: MIT OR Apache-2.0
"""X-02: the time until a new flow has nine tenths of a free path."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

import bentpipe as bp
from bentpipe import plots
from bentpipe import study as st
from bentpipe_papers.across.bed import PAYLOAD, Who, catalogue, label
from bentpipe_papers.transport import BARE

INTERVAL_S = 0.05


class Path(NamedTuple):
    """A free path: rate, averaging time of the goodput, length of the run, and time that is drawn."""

    rate_mbit_s: float
    over_s: float
    seconds: float
    drawn_s: float
    network: bp.Dumbbell


PATHS = {
    "GEO": Path(10.0, 0.6, 60.0, 15.0, bp.Dumbbell(rate="10 Mbit/s", rtt="600 ms", queue="1 BDP", warn_above=250.0)),
    "GEO, 4 BDP": Path(
        10.0, 0.6, 60.0, 15.0, bp.Dumbbell(rate="10 Mbit/s", rtt="600 ms", queue="4 BDP", warn_above=250.0)
    ),
    "LEO": Path(100.0, 0.1, 20.0, 3.0, bp.Dumbbell(rate="100 Mbit/s", rtt="40 ms", queue="1 BDP", warn_above=160.0)),
}
#: Reno with each of the slow starts, and with the settings that belong to some of them.
PARTS: dict[str, Who] = {
    "classic": {"name": "reno", "slow_start": "classic"},
    "classic, paced": {"name": "reno", "slow_start": "classic", "pacing": True},
    "limited": {"name": "reno", "slow_start": "limited"},
    "hystart": {"name": "reno", "slow_start": "hystart"},
    "hystart++": {"name": "reno", "slow_start": "hystart++"},
    "search": {"name": "reno", "slow_start": "search"},
    "hoe": {"name": "reno", "slow_start": "hoe"},
    "s-curve, literal": {"name": "reno", "slow_start": "s-curve", "ack_rule": "literal"},
    "s-curve, exact": {"name": "reno", "slow_start": "s-curve", "ack_rule": "exact"},
}


class Start(NamedTuple):
    """The start-up of a flow.

    Attributes:
        reached_s: Time at which the goodput over a round trip (LEO: 100 ms) first was 90 % of the path's payload; None
            if it never was.
        dropped: Packets that the queue dropped within the run.
        share_percent: Goodput of the first 20 s in percent of the path's payload.
    """

    reached_s: float | None
    dropped: int
    share_percent: float


def reached(
    times_s: Sequence[float], goodput_mbit_s: Sequence[float], target_mbit_s: float, points: int
) -> float | None:
    """Return the first time at which the mean of the last `points` samples reaches the target, or None."""
    rates = np.nan_to_num(np.asarray(goodput_mbit_s, dtype=np.float64))
    means = np.convolve(rates, np.ones(points) / points)[: rates.size]
    there = np.flatnonzero(means >= target_mbit_s)
    return float(times_s[there[0]]) if there.size else None


def scenario(path: str, who: Who) -> bp.Scenario:
    return bp.Scenario(
        name=f"{path} from the start: {label(who)}",
        network=bp.Network(dumbbell=PATHS[path].network, announce="1 s"),
        tcp=BARE,
        flows=[bp.Flow(controller=who, distance="6100 km")],
        duration=f"{PATHS[path].seconds:g} s",
        record=bp.Record(interval="50 ms", events=False),
    )


def all_starts() -> dict[str, Who]:
    return {f"reno, {name}": who for name, who in PARTS.items()} | {name: name for name in catalogue()}


def start_of(path: str, run: bp.Run) -> Start:
    st.own_limit([run])
    way = PATHS[path]
    full = way.rate_mbit_s * PAYLOAD
    times, goodput = st.series(run, "goodput_mbit_s")
    early = np.nan_to_num(goodput[times <= 20.0])
    return Start(
        reached(list(times), list(goodput), 0.9 * full, round(way.over_s / INTERVAL_S)),
        int(run.summary["flows"][0]["losses"]["queue"]),
        100.0 * float(early.mean()) / full,
    )


@st.reads(
    id="X-02",
    place="across the papers",
    what="time until a flow fills 90 % of a free path",
    says=(
        "A-LIAD and Vegas-W propose slow starts for long paths, and HYBIC uses Hybla's. No paper compares its slow "
        "start with that of another paper"
    ),
    plan=lambda _: {(path, name): scenario(path, who) for path in PATHS for name, who in all_starts().items()},
)
def read(runs: st.Runs) -> st.Finding:
    found = {name: {path: start_of(path, runs[path, name]) for path in PATHS} for name in all_starts()}
    parts = {name: found[f"reno, {name}"] for name in PARTS}
    head = ["controller"]
    for path in PATHS:
        head += [f"{path}: 90 % after", f"dropped in {PATHS[path].seconds:g} s", "goodput of 20 s"]
    late = [f"{name} ({path})" for path in PATHS for name in PARTS if timeouts(runs[path, f"reno, {name}"])]
    return st.found(
        why(parts),
        st.Sheet("Reno with each slow start", head, [[name, *cells_of(one)] for name, one in parts.items()]),
        st.Sheet(
            "every controller with its own slow start, the fastest over GEO first",
            head,
            [
                [label(name), *cells_of(found[name])]
                for name in sorted(catalogue(), key=lambda name: found[name]["GEO"].reached_s or np.inf)
            ],
        ),
        st.Picture(
            "Goodput of Reno with each slow start, mean over a round trip (LEO: 100 ms); dotted: 90 % of the path",
            curves(runs),
        ),
        st.Picture(
            "Seconds until a flow fills 90 % of the path; a bar that ends at the edge (GEO 60 s, LEO 20 s) means never",
            bars(found),
        ),
        "GEO has 10 Mbit/s, 600 ms, and a buffer of one or four BDP. LEO has 100 Mbit/s, 40 ms, no motion, and a "
        "buffer of one BDP. The initial window is 10 segments, and each segment gets an ACK. The runs have no random "
        "part, so each number comes from one run and has no interval.",
        "“Dropped” counts all packets that the queue dropped, also in avoidance. The goodput of the first 20 s is in "
        "percent of the payload that the path carries.",
        f"If a curve falls to zero, the flow waits for a timeout ({', '.join(late) or 'no curve does'}). Of equal "
        "curves, only one is visible.",
        "SEARCH compares the data that arrives with the data sent a round trip before. With a buffer of one BDP, the "
        "queue overflows before this difference appears. With four BDP, SEARCH drops "
        f"{parts['search']['GEO, 4 BDP'].dropped} packets, and the classic slow start "
        f"{parts['classic']['GEO, 4 BDP'].dropped}.",
    )


def timeouts(run: bp.Run) -> int:
    return int(run.summary["flows"][0]["timeouts"])


def cells_of(one: Mapping[str, Start]) -> list[str]:
    cells = []
    for start in one.values():
        cells += ["never" if start.reached_s is None else f"{start.reached_s:.1f} s"]
        cells += [f"{start.dropped}", f"{start.share_percent:.0f} %"]
    return cells


def why(parts: Mapping[str, Mapping[str, Start]]) -> str:
    def text(name: str, path: str) -> str:
        start = parts[name][path]
        when = f"not within {PATHS[path].seconds:g} s" if start.reached_s is None else f"{start.reached_s:.1f} s"
        return f"{name} {when}, {start.dropped} dropped"

    chosen = ("classic", "limited", "hystart", "hystart++", "search", "s-curve, exact")
    leo = max(one["LEO"].reached_s or PATHS["LEO"].seconds for one in parts.values())
    return (
        "This row has no claim. For each slow start, the time until Reno fills 90 % of a free GEO path, and the "
        f"dropped packets, are: {'; '.join(text(name, 'GEO') for name in chosen)}. Over LEO, all {len(parts)} fill 90 "
        f"% within {leo:.1f} s"
    )


def curves(runs: st.Runs) -> st.Figure:
    figure, axes = plots.new(1, len(PATHS), width=12.0, height=3.4)
    for axis, path in zip(axes, PATHS, strict=True):
        for number, name in enumerate(PARTS):
            times, goodput = st.series(runs[path, f"reno, {name}"], "goodput_mbit_s")
            shown = times <= PATHS[path].drawn_s
            style = "-" if number < len(plots.COLOURS) else "--"
            colour = plots.COLOURS[number % len(plots.COLOURS)]
            smoothed = plots.smooth(np.nan_to_num(goodput), round(PATHS[path].over_s / INTERVAL_S))
            axis.plot(times[shown], smoothed[shown], style, color=colour, linewidth=1.1, label=name)
        axis.axhline(0.9 * PATHS[path].rate_mbit_s * PAYLOAD, color="#888888", linewidth=0.8, linestyle=":")
        axis.set(title=path, xlabel="s", ylabel="goodput (Mbit/s)", ylim=(0, None), xlim=(0, None))
    handles = axes[0].get_legend_handles_labels()
    figure.legend(*handles, loc="outside lower center", ncols=5, fontsize="small")
    return figure


def bars(found: Mapping[str, Mapping[str, Start]]) -> st.Figure:
    names = list(found)
    figure, axes = plots.new(1, len(PATHS), width=10.5, height=0.19 * len(names) + 0.8)
    for axis, path in zip(axes, PATHS, strict=True):
        end = PATHS[path].seconds
        values = [end if found[name][path].reached_s is None else found[name][path].reached_s for name in names]
        colours = [plots.COLOURS[1] if name.startswith("reno, ") else plots.COLOURS[0] for name in names]
        axis.barh(range(len(names)), np.asarray(values, dtype=np.float64), color=colours, height=0.75)
        axis.set(title=path, xlabel="s", xscale="log", xlim=(0.1, end), ylim=(len(names) - 0.4, -0.6))
        axis.grid(visible=False, axis="y")
    axes[0].set_yticks(
        range(len(names)), [label(name) if "," not in name else name for name in names], fontsize="small"
    )
    for axis in axes[1:]:
        axis.set_yticks([])
    return figure
