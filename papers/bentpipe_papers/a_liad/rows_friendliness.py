# SPDX-License-Identifier: MIT OR Apache-2.0
"""Section 4.5: five NewReno flows beside one of another variant (figures 12 and 13)."""

from __future__ import annotations

import statistics
from typing import TYPE_CHECKING

import bentpipe as bp
from bentpipe import plots
from bentpipe.study import Claim, Effort, Finding, Picture, Row, Sheet, bars, change_text, goodputs
from bentpipe_papers.a_liad import bed
from bentpipe_papers.a_liad.bed import ALL, PAPERS, READINGS, bdp_packets, crowd

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bentpipe.study import Key, Runs

GROUP_B = 5
BUFFERS = ("1 BDP", "50 packets")
BUFFERS_LONG = ("1 BDP", "0.5 BDP")
_SHORT_MS, _LONG_MS = 25.0, bed.GEO_MS
#: Readings of A-LIAD that change how it meets others.
TRIED = {label: READINGS[label] for label in READINGS if label not in ("as a-liad-paper", "a-liad-safe")}
_BEST, _WORST = ("HSTCP", "CUBIC"), ("STCP", "A-LIAD")
PAPER_CHANGE = {"STCP": -45.0, "A-LIAD": -38.0, "CUBIC": -11.0}


def duration_s(rtt_ms: float, effort: Effort) -> float:
    return effort.pick(60.0 if rtt_ms < 100.0 else 100.0, 300.0)


def beside(name: str, controller: bed.Controller, rtt_ms: float, buffer: str, seed: int, effort: Effort) -> bp.Scenario:
    """Five NewReno flows (group B) and one of another variant (group A)."""
    members = [("B NewReno", bed.PAPERS["NewReno"])] * GROUP_B + [(f"A {name}", controller)]
    return crowd(members, seed, rtt_ms=rtt_ms, buffer=buffer, duration_s=duration_s(rtt_ms, effort))


def plan(effort: Effort, rtt_ms: float, buffers: tuple[str, ...]) -> dict[Key, bp.Scenario]:
    """Every variant beside five NewReno flows."""
    return {
        (buffer, name, seed): beside(name, controller, rtt_ms, buffer, seed, effort)
        for buffer in buffers
        for name, controller in (ALL if effort.quick and buffer != buffers[0] else ALL | TRIED).items()
        for seed in effort.seeds
    }


def group_b(runs: Runs, buffer: str, name: str) -> list[float]:
    """Goodput of the NewReno flows together in Mbit/s, one per seed."""
    return [sum(goodputs(run, "B NewReno")) for run in runs.of(buffer, name)]


def harm(runs: Runs, buffer: str, name: str) -> bp.Estimate:
    """Change of the NewReno flows' goodput by a flow of `name` in place of a sixth NewReno flow."""
    return bp.relative_change(group_b(runs, buffer, name), group_b(runs, buffer, "NewReno"))


def harms(runs: Runs, buffer: str, name: str) -> list[float]:
    pairs = zip(group_b(runs, buffer, name), group_b(runs, buffer, "NewReno"), strict=True)
    return [100.0 * (with_it / without - 1.0) for with_it, without in pairs]


def between(runs: Runs, buffer: str, one: str, other: str) -> bp.Estimate:
    """Points between what the NewReno flows keep beside one variant and beside another."""
    pairs = zip(harms(runs, buffer, one), harms(runs, buffer, other), strict=True)
    return bp.estimate([a - b for a, b in pairs])


def sheet(runs: Runs, buffer: str, rtt_ms: float) -> Sheet:
    return Sheet(
        f"{rtt_ms:g} ms, buffer {buffer} ({bdp_packets(10.0, rtt_ms):.0f} packets in the path)",
        (
            "the sixth flow",
            "change of the NewReno flows",
            "its share of the goodput, %",
            "all, Mbit/s",
        ),
        [
            [
                name,
                "–" if name == "NewReno" else change_text(harm(runs, buffer, name)),
                bp.estimate([100 * share(run) for run in runs.of(buffer, name)]).text(1),
                bp.estimate([sum(goodputs(run)) for run in runs.of(buffer, name)]).text(2),
            ]
            for name in dict.fromkeys(str(key[1]) for key in runs if key[0] == buffer)
        ],
    )


def share(run: bp.Run) -> float:
    rates = goodputs(run)
    return rates[-1] / sum(rates)


@plots.styled
def picture(runs: Runs, buffers: tuple[str, ...], caption: str, marks: Mapping[str, float]) -> Picture:
    figure, (axis,) = plots.new(1, 1, height=4.4)
    names = [name for name in ALL if name != "NewReno"]
    bars(axis, names, [(f"buffer {b}", [harm(runs, b, name) for name in names]) for b in buffers])
    if marks:
        places = [names.index(name) for name in marks]
        axis.plot(list(marks.values()), places, "k|", markersize=16, markeredgewidth=2, label="paper")
    axis.axvline(0.0, color="#000000", linewidth=0.8)
    axis.set(xlabel="change of the five NewReno flows' goodput (%)")
    axis.legend(fontsize="small", ncols=3, loc="lower center", bbox_to_anchor=(0.5, 1.0))
    return Picture(caption, figure)


def plan_friendliness(effort: Effort) -> dict[Key, bp.Scenario]:
    return plan(effort, _SHORT_MS, BUFFERS)


def read_friendliness(runs: Runs) -> Finding:
    main, other = BUFFERS
    measured = {name: harm(runs, main, name) for name in ALL}
    ranked = sorted((name for name in PAPERS if name != "NewReno"), key=lambda name: -measured[name].mean)
    # The less friendly of the two that shall be the best, the friendlier of the two that shall be the worst; against
    # each the nearest of the others.
    best, worst = max(_BEST, key=ranked.index), min(_WORST, key=ranked.index)
    next_best = next(name for name in ranked if name not in _BEST)
    next_worst = next(name for name in reversed(ranked) if name not in _WORST)
    claims = [
        *(
            Claim(
                what=f"NewReno flows beside {name}",
                measured=measured[name],
                paper=paper,
                sign=-1,
                note=f"buffer {other}: {change_text(harm(runs, other, name))}"
                + (f"; RFC 9438's: {change_text(measured['CUBIC RFC 9438'])}" if name == "CUBIC" else ""),
                tolerance=max(2.0, 0.05 * abs(paper)),
            )
            for name, paper in PAPER_CHANGE.items()
        ),
        Claim(
            what=f"{' and '.join(_BEST)} «the best»: NewReno flows beside the worse of them ({best}) against those "
            f"beside the friendliest other ({next_best}), by points",
            measured=between(runs, main, best, next_best),
            sign=1,
            unit="points",
        ),
        Claim(
            what=f"{' and '.join(_WORST)} «the worst»: NewReno flows beside the better of them ({worst}) against those "
            f"beside the least friendly other ({next_worst}), by points",
            measured=between(runs, main, worst, next_worst),
            sign=-1,
            unit="points",
        ),
    ]
    wide = [name for name, claim in zip(PAPER_CHANGE, claims, strict=False) if claim.open]
    length_s = duration_s(_SHORT_MS, runs.effort)
    return Finding(
        why=f"the NewReno flows lose {-measured['STCP'].mean:.0f} % to STCP, {-measured['A-LIAD'].mean:.0f} % to "
        f"A-LIAD, {-measured['CUBIC'].mean:.0f} % to CUBIC with a buffer of 1 BDP, "
        f"{-harm(runs, other, 'STCP').mean:.0f}, {-harm(runs, other, 'A-LIAD').mean:.0f} and "
        f"{-harm(runs, other, 'CUBIC').mean:.0f} % with 50 packets; in the mean the two friendliest are "
        f"{' and '.join(ranked[:2])}, the two least friendly {' and '.join(ranked[:-3:-1])}"
        + (f"; the interval beside {', '.join(wide)} holds the paper's number but is too wide" if wide else ""),
        claims=claims,
        sheets=[sheet(runs, buffer, _SHORT_MS) for buffer in BUFFERS],
        pictures=[picture(runs, BUFFERS, "Figure 12: NewReno beside each variant, 25 ms", PAPER_CHANGE)],
        notes=[
            f"All {length_s:g} s count, the start too"
            + (", as the paper says" if length_s == 300.0 else " (the paper: 300 s)")
            + "; starts are drawn within 5 s, the same for all variants.",
        ],
    )


#: "One of the highest values" at 600 ms.
HARSH_LONG = ("CUBIC", "STCP", "A-LIAD")


def plan_aggressiveness(effort: Effort) -> dict[Key, bp.Scenario]:
    short = {
        ("short", *key): one
        for key, one in plan(effort, _SHORT_MS, BUFFERS[:1]).items()
        if key[1] in (*PAPER_CHANGE, "NewReno")
    }
    return plan(effort, _LONG_MS, BUFFERS_LONG) | short


def read_aggressiveness(runs: Runs) -> Finding:
    main = BUFFERS_LONG[0]
    measured = {name: harm(runs, main, name) for name in ALL}
    rest = ("BIC", "HSTCP", "Hybla", "Westwood")
    middle = [statistics.median(each) for each in zip(*(harms(runs, main, name) for name in rest), strict=True)]
    short_base = [sum(goodputs(run, "B NewReno")) for run in runs.of("short", main, "NewReno")]
    short = [sum(goodputs(run, "B NewReno")) for run in runs.of("short", main, "CUBIC")]
    short_harm = [100.0 * (a / b - 1.0) for a, b in zip(short, short_base, strict=True)]
    claims = [
        Claim(
            what=f"{name} takes more from NewReno than the median of {', '.join(rest)}, by points",
            measured=bp.estimate([a - b for a, b in zip(harms(runs, main, name), middle, strict=True)]),
            sign=-1,
            unit="points",
            note="«one of the highest values»: our reading is above the median of the rest",
        )
        for name in HARSH_LONG
    ]
    wide = [name for name, claim in zip(HARSH_LONG, claims, strict=True) if claim.open]
    claims.append(
        Claim(
            what="CUBIC takes more at 600 ms than at 25 ms, by points",
            measured=bp.estimate([a - b for a, b in zip(harms(runs, main, "CUBIC"), short_harm, strict=True)]),
            sign=-1,
            unit="points",
        )
    )
    equal = bp.estimate([100.0 * share(run) for run in runs.of(main, "NewReno")])
    even = 100.0 / (GROUP_B + 1)
    ranked = sorted((name for name in ALL if name != "NewReno"), key=lambda name: measured[name].mean)
    return Finding(
        why="at 600 ms the NewReno flows lose most to "
        + ", ".join(f"{name} ({-measured[name].mean:.0f} %)" for name in ranked[:4])
        + "".join(f"; {-measured[name].mean:.0f} % to {name}" for name in HARSH_LONG if name not in ranked[:4])
        + (f"; for {', '.join(wide)} the interval is too wide to tell" if wide else ""),
        claims=claims,
        sheets=[sheet(runs, buffer, _LONG_MS) for buffer in BUFFERS_LONG],
        pictures=[picture(runs, BUFFERS_LONG, "Figure 13: NewReno beside each variant, 600 ms", {})],
        notes=[
            f"All {duration_s(_LONG_MS, runs.effort):g} s count. Of six NewReno flows, the baseline, the sixth has "
            f"{equal.text(1)} % of the goodput; equal shares are {even:.1f} %"
            + (": the baseline is not settled." if equal.half_width > even / 4.0 else ".")
        ],
    )


ROWS = (
    Row(
        id="A-24",
        place="Figure 12, section 4.5",
        what="friendliness to 5 NewReno flows, 25 ms",
        says="NewReno loses 45 % to STCP, 38 % to A-LIAD, 11 % to CUBIC; HSTCP and CUBIC are the friendliest, STCP "
        "and A-LIAD the least friendly",
        plan=plan_friendliness,
        read=read_friendliness,
    ),
    Row(
        id="A-25",
        place="Figure 13, section 4.5",
        what="aggressiveness at 600 ms",
        says="CUBIC's aggressiveness has one of the highest values, along with STCP and A-LIAD",
        plan=plan_aggressiveness,
        read=read_aggressiveness,
    ),
)
