# SPDX-License-Identifier: MIT OR Apache-2.0
"""Figures 2 and 3: start-up, and 6 Mbit/s of constant rate between 80 s and 150 s (section V.A; V-06, V-07)."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any

import numpy as np

import bentpipe as bp
from bentpipe import plots
from bentpipe.papers._claims import Claim
from bentpipe.papers._measure import change_text, mean_between, sampled, series
from bentpipe.papers._paper import Effort, Finding, Picture, Row, Sheet
from bentpipe.papers.vegas_w._setup import (
    CBR_MBIT_S,
    CBR_S,
    CONTROLLERS,
    LETTER,
    LOWERS,
    NEWRENO,
    RATE_MBIT_S,
    RTT_MS,
    RTTS_MS,
    VEGAS,
    VEGAS_W,
    cross_traffic,
    draw,
    full_at,
    full_for_good,
    left_slow_start,
    on_the_wire,
    round_trip_mean,
    seconds,
    shift_s,
    start_up,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from bentpipe.papers._paper import Key
    from bentpipe.papers._runs import Runs

#: Time to the full 15 Mbit/s as the paper prints it.
PAPER_FULL_S = 6.4
#: 5 % of it.
_TOLERANCE_S = 0.32
_SHOWN = (VEGAS, VEGAS_W, NEWRENO, LOWERS, LETTER)
_FREE_MBIT_S = RATE_MBIT_S - CBR_MBIT_S
_END_S = 200.0


def plan_cross_traffic(effort: Effort) -> Mapping[Key, bp.Scenario]:
    """The runs of Figures 2 and 3."""
    return {
        (label, seed): cross_traffic(label, CONTROLLERS[label], seed) for label in _SHOWN for seed in effort.seeds
    }


def mean_window(run: bp.Run, start_s: float, stop_s: float) -> float:
    """Mean congestion window in segments."""
    return mean_between(*series(run, "cwnd_segments"), start_s, stop_s)


def _panels(runs: Runs, what: str) -> bp.plots.Figure:  # type: ignore[name-defined]
    raise NotImplementedError


def _read_windows(runs: Runs) -> Finding:
    figure, axes = plots.new(2, 1, height=2.6)
    for axis, labels in zip(axes, ((VEGAS, VEGAS_W, NEWRENO), (VEGAS_W, LOWERS, LETTER)), strict=True):
        for label in labels:
            draw(axis, runs.of(label)[0], label, "cwnd")
        axis.axvspan(*CBR_S, color="#000000", alpha=0.06, linewidth=0)
        axis.set(ylabel="cwnd (segments)", xlim=(0, _END_S), ylim=(0, None))
        axis.legend(fontsize="small", ncols=3, loc="upper center", bbox_to_anchor=(0.5, 1.16))
    axes[1].set(xlabel="s")
    rows = []
    for label in _SHOWN:
        here = runs.of(label)
        cells = [sampled([left_slow_start(run)[k] for run in here]).text(1) for k in (0, 1)]
        spans = ((20.0, CBR_S[0]), (90.0, CBR_S[1]), (160.0, _END_S))
        cells += [sampled([mean_window(run, *span) for run in here]).text(0) for span in spans]
        rows.append([label, *cells])
    ours, vegas, reno = (runs.of(label) for label in (VEGAS_W, VEGAS, NEWRENO))
    left = {label: left_slow_start(runs.of(label)[0]) for label in (VEGAS_W, VEGAS)}
    windows = {label: [mean_window(run, 20.0, CBR_S[0]) for run in runs.of(label)] for label in (VEGAS_W, VEGAS, NEWRENO)}
    del ours, vegas, reno
    return Finding(
        why=f"Vegas-W ends slow start at {left[VEGAS_W][1]:.0f} segments, Vegas at {left[VEGAS][1]:.0f}; not later "
        f"({left[VEGAS_W][0]:.1f} s against {left[VEGAS][0]:.1f} s) where it doubles in every round and Vegas in every "
        "other one: it is longer in doublings, not in seconds",
        claims=[
            Claim(
                what="cwnd as slow start ends, Vegas-W against Vegas",
                measured=sampled(
                    [
                        100.0 * (left_slow_start(a)[1] / left_slow_start(b)[1] - 1.0)
                        for a, b in zip(runs.of(VEGAS_W), runs.of(VEGAS), strict=True)
                    ]
                ),
                sign=1,
                digits=0,
                note="«extend the time of the slow-start phase»",
            ),
            Claim(
                what="mean cwnd from 20 s to 80 s, Vegas-W against Vegas",
                measured=bp.relative_change(windows[VEGAS_W], windows[VEGAS]),
                sign=1,
                digits=0,
            ),
            Claim(
                what="mean cwnd from 20 s to 80 s, Vegas-W against NewReno",
                measured=bp.relative_change(windows[VEGAS_W], windows[NEWRENO]),
                sign=1,
                digits=0,
            ),
        ],
        sheets=[
            Sheet(
                "Congestion windows (mean ± 95 %; without ± no seed made a difference)",
                ("", "slow start ends (s)", "cwnd then", "mean 20-80 s", "mean 90-150 s", "mean 160-200 s"),
                rows,
            )
        ],
        pictures=[
            Picture("Figure 2 drawn again: congestion windows, first seed; below, readings. Grey: CBR.", figure),
        ],
    )
