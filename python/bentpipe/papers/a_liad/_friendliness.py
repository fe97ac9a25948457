# SPDX-License-Identifier: MIT OR Apache-2.0
"""Section 4.5: five NewReno flows beside one of another variant (figures 12 and 13)."""

from __future__ import annotations

import statistics
from typing import TYPE_CHECKING

import bentpipe as bp
from bentpipe import plots
from bentpipe.papers import _measure
from bentpipe.papers._claims import Claim
from bentpipe.papers._paper import Effort, Finding, Picture, Row, Sheet
from bentpipe.papers.a_liad import _net
from bentpipe.papers.a_liad._net import ALL, READINGS, bdp_packets, crowd

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bentpipe.papers._paper import Key
    from bentpipe.papers._runs import Runs

_GROUP_B = 5
_BUFFERS = ("1 BDP", "50 packets")
_BUFFERS_LONG = ("1 BDP", "0.5 BDP")
_SHORT_MS, _LONG_MS = 25.0, _net.GEO_MS
#: Readings of A-LIAD that change how it meets others.
_TRIED = {label: READINGS[label] for label in READINGS if label not in ("as a-liad-paper", "a-liad-safe")}
_PAPER_CHANGE = {"STCP": -45.0, "A-LIAD": -38.0, "CUBIC": -11.0}


def beside(
    name: str, controller: _net.Controller, rtt_ms: float, buffer: str, seed: int, effort: Effort
) -> bp.Scenario:
    """Five NewReno flows (group B) and one of another variant (group A)."""
    members = [("B NewReno", _net.PAPERS["NewReno"])] * _GROUP_B + [(f"A {name}", controller)]
    duration = effort.pick(60.0 if rtt_ms < 100.0 else 100.0, 300.0)
    return crowd(members, seed, rtt_ms=rtt_ms, buffer=buffer, duration_s=duration)


def plan(effort: Effort, rtt_ms: float, buffers: tuple[str, ...]) -> dict[Key, bp.Scenario]:
    """Every variant beside five NewReno flows."""
    return {
        (buffer, name, seed): beside(name, controller, rtt_ms, buffer, seed, effort)
        for buffer in buffers
        for name, controller in (ALL if effort.quick and buffer != buffers[0] else ALL | _TRIED).items()
        for seed in effort.seeds
    }


def group_b(runs: Runs, buffer: str, name: str) -> list[float]:
    """Goodput of the NewReno flows together in Mbit/s, one per seed."""
    return [sum(_measure.goodputs(run, "B NewReno")) for run in runs.of(buffer, name)]


def harm(runs: Runs, buffer: str, name: str) -> bp.Estimate:
    """Change of the NewReno flows' goodput by a flow of `name` in place of a sixth NewReno flow."""
    return bp.relative_change(group_b(runs, buffer, name), group_b(runs, buffer, "NewReno"))


def _harms(runs: Runs, buffer: str, name: str) -> list[float]:
    pairs = zip(group_b(runs, buffer, name), group_b(runs, buffer, "NewReno"), strict=True)
    return [100.0 * (with_it / without - 1.0) for with_it, without in pairs]


def _sheet(runs: Runs, buffer: str, rtt_ms: float) -> Sheet:
    return Sheet(
        f"{rtt_ms:g} ms, buffer {buffer} ({bdp_packets(10.0, rtt_ms):.0f} packets in the path)",
        (
            "the sixth flow",
            "change of the NewReno flows",
            "its share, %",
            "its goodput over a NewReno flow's",
            "all, Mbit/s",
        ),
        [
            [
                name,
                "–" if name == "NewReno" else _measure.change_text(harm(runs, buffer, name)),
                bp.estimate([100 * _share(run) for run in runs.of(buffer, name)]).text(1),
                bp.estimate([_GROUP_B * _share(run) / (1 - _share(run)) for run in runs.of(buffer, name)]).text(2),
                bp.estimate([sum(_measure.goodputs(run)) for run in runs.of(buffer, name)]).text(2),
            ]
            for name in dict.fromkeys(str(key[1]) for key in runs if key[0] == buffer)
        ],
    )


def _share(run: bp.Run) -> float:
    rates = _measure.goodputs(run)
    return rates[-1] / sum(rates)


def _picture(runs: Runs, buffers: tuple[str, ...], caption: str, marks: Mapping[str, float]) -> Picture:
    figure, (axis,) = plots.new(1, 1, height=4.4)
    names = [name for name in ALL if name != "NewReno"]
    _measure.bars(axis, names, [(f"buffer {b}", [harm(runs, b, name) for name in names]) for b in buffers])
    if marks:
        places = [names.index(name) for name in marks]
        axis.plot(list(marks.values()), places, "k|", markersize=16, markeredgewidth=2, label="paper")
    axis.axvline(0.0, color="#000000", linewidth=0.8)
    axis.set(xlabel="change of the five NewReno flows' goodput (%)")
    axis.legend(fontsize="small", ncols=3, loc="lower center", bbox_to_anchor=(0.5, 1.0))
    return Picture(caption, figure)


def _plan_24(effort: Effort) -> dict[Key, bp.Scenario]:
    return plan(effort, _SHORT_MS, _BUFFERS)


def _read_24(runs: Runs) -> Finding:
    main, other = _BUFFERS
    measured = {name: harm(runs, main, name) for name in (*ALL, *_TRIED)}
    friends = [max(pair) for pair in zip(*(_harms(runs, main, name) for name in ("HSTCP", "CUBIC")), strict=True)]
    friends_worse = [min(pair) for pair in zip(*(_harms(runs, main, name) for name in ("HSTCP", "CUBIC")), strict=True)]
    rivals = [max(each) for each in zip(*(_harms(runs, main, name) for name in ("STCP", "BIC", "A-LIAD")), strict=True)]
    nearest = min(_TRIED, key=lambda label: abs(measured[label].mean - _PAPER_CHANGE["A-LIAD"]))
    return Finding(
        why=f"the NewReno flows lose {-measured['STCP'].mean:.0f} % to STCP, {-measured['A-LIAD'].mean:.0f} % to "
        f"A-LIAD, {-measured['CUBIC'].mean:.0f} % to CUBIC with a buffer of 1 BDP, "
        f"{-harm(runs, other, 'STCP').mean:.0f}, {-harm(runs, other, 'A-LIAD').mean:.0f} and "
        f"{-harm(runs, other, 'CUBIC').mean:.0f} % with 50 packets; of A-LIAD's readings «{nearest}» comes nearest "
        f"to the paper's 38 % ({-measured[nearest].mean:.0f} %)",
        claims=[
            *(
                Claim(
                    what=f"NewReno flows beside {name}",
                    measured=measured[name],
                    paper=paper,
                    sign=-1,
                    note=f"buffer {other}: {_measure.change_text(harm(runs, other, name))}"
                    + (f"; RFC 9438's: {_measure.change_text(measured['CUBIC RFC 9438'])}" if name == "CUBIC" else ""),
                    tolerance=max(2.0, 0.05 * abs(paper)),
                )
                for name, paper in _PAPER_CHANGE.items()
            ),
            Claim(
                what="the worse of HSTCP and CUBIC harms less than the best of STCP, BIC and A-LIAD, by points",
                measured=bp.estimate([a - b for a, b in zip(friends_worse, rivals, strict=True)]),
                sign=1,
                unit="points",
                note=f"the better of the two: {bp.estimate(friends).text(1)} %",
            ),
        ],
        sheets=[_sheet(runs, buffer, _SHORT_MS) for buffer in _BUFFERS],
        pictures=[_picture(runs, _BUFFERS, "Figure 12: NewReno beside each variant, 25 ms", _PAPER_CHANGE)],
        notes=[
            "All 300 s count, the start too, as the paper says; starts are drawn within 5 s, the same for all variants."
        ],
    )


def _plan_25(effort: Effort) -> dict[Key, bp.Scenario]:
    short = {
        ("short", *key): one
        for key, one in plan(effort, _SHORT_MS, _BUFFERS[:1]).items()
        if key[1] in (*_PAPER_CHANGE, "NewReno")
    }
    return plan(effort, _LONG_MS, _BUFFERS_LONG) | short


def _read_25(runs: Runs) -> Finding:
    main = _BUFFERS_LONG[0]
    measured = {name: harm(runs, main, name) for name in ALL}
    rest = ("BIC", "HSTCP", "Hybla", "Westwood")
    middle = [statistics.median(each) for each in zip(*(_harms(runs, main, name) for name in rest), strict=True)]
    short_base = [sum(_measure.goodputs(run, "B NewReno")) for run in runs.of("short", main, "NewReno")]
    short = [sum(_measure.goodputs(run, "B NewReno")) for run in runs.of("short", main, "CUBIC")]
    short_harm = [100.0 * (a / b - 1.0) for a, b in zip(short, short_base, strict=True)]
    claims = [
        Claim(
            what=f"{name} takes more from NewReno than the median of {', '.join(rest)}, by points",
            measured=bp.estimate([a - b for a, b in zip(_harms(runs, main, name), middle, strict=True)]),
            sign=-1,
            unit="points",
            note="«one of the highest values»: our reading is above the median of the rest",
        )
        for name in ("CUBIC", "STCP", "A-LIAD")
    ]
    claims.append(
        Claim(
            what="CUBIC takes more at 600 ms than at 25 ms, by points",
            measured=bp.estimate([a - b for a, b in zip(_harms(runs, main, "CUBIC"), short_harm, strict=True)]),
            sign=-1,
            unit="points",
        )
    )
    ranked = sorted((name for name in ALL if name != "NewReno"), key=lambda name: measured[name].mean)
    return Finding(
        why="at 600 ms the NewReno flows lose most to "
        + ", ".join(f"{name} ({-measured[name].mean:.0f} %)" for name in ranked[:4])
        + f"; A-LIAD takes {-measured['A-LIAD'].mean:.0f} %, CUBIC {-measured['CUBIC'].mean:.0f} %, STCP "
        f"{-measured['STCP'].mean:.0f} %",
        claims=claims,
        sheets=[_sheet(runs, buffer, _LONG_MS) for buffer in _BUFFERS_LONG],
        pictures=[_picture(runs, _BUFFERS_LONG, "Figure 13: NewReno beside each variant, 600 ms", {})],
    )


ROWS = (
    Row(
        id="A-24",
        place="Figure 12, section 4.5",
        what="friendliness to 5 NewReno flows, 25 ms",
        says="NewReno loses 45 % to STCP, 38 % to A-LIAD, 11 % to CUBIC; HSTCP and CUBIC are the friendliest",
        plan=_plan_24,
        read=_read_24,
    ),
    Row(
        id="A-25",
        place="Figure 13, section 4.5",
        what="aggressiveness at 600 ms",
        says="CUBIC's aggressiveness has one of the highest values, along with STCP and A-LIAD",
        plan=_plan_25,
        read=_read_25,
    ),
)
