# SPDX-License-Identifier: MIT OR Apache-2.0
"""The paper's own calculation: equations 1 to 9 and Figure 3 (Y-01 to Y-10)."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import bentpipe as bp
from bentpipe import plots
from bentpipe.study import Claim, Finding, Picture, Row, Sheet

if TYPE_CHECKING:
    from bentpipe.study import Runs

CAPACITY_MBIT_S = 5000.0
RTT_SAT_MS, RTT_REF_MS = 2287.0, 100.0
GAMMA, IW = 128.0, 10.0
MSS_BYTES = 1448.0
MEGABIT = 8e-6
NAMES = {"hybic": "HYBIC", "cubic": "CUBIC", "hybla": "Hybla"}
NO_CHANCE = "computed, no chance"
#: What the text says of Figure 3: Hybla's window stays below, HYBIC's passes, HYBIC is better within.
_HYBLA_BELOW_MB, _HYBIC_ABOVE_MB, _BETTER_WITHIN_S = 25.0, 120.0, 25.0


def chosen() -> str:
    """Where the reading of the equations comes from that all numbers here are computed with."""
    readings = bp.model("hybic-readings").facts["readings"]
    return (
        f"The reading of the equations is the nearest to Table I of {readings:.0f} (Y-12): that our windows come near "
        "to the paper's was partly chosen, and says only that there is such a reading."
    )


def rate_mbit_s(segments: float, rtt_ms: float) -> float:
    """Equation 5: a window over a round trip."""
    return segments * MSS_BYTES * MEGABIT / (rtt_ms / 1e3)


@plots.styled
def read_problem(_: Runs) -> Finding:
    window, table, start = bp.model("hybic-window"), bp.model("hybic-table"), bp.model("hybic-slow-start")
    times = window.table["time_s"]
    figure, (axis,) = plots.new(1, 1)
    segments, switch = window.table["hybic_segments"], window.facts["hybic_switch_s"]
    # Equation 6 divides by RTTref; in slow start it has no rho, so that it is equation 5 there.
    divided = [RTT_SAT_MS if time < switch else RTT_REF_MS for time in times]
    by_six = [rate_mbit_s(w, rtt) / 1e3 for w, rtt in zip(segments, divided, strict=True)]
    axis.plot(times, by_six, label="HYBIC, equation 6")
    axis.plot(times, [rate_mbit_s(w, RTT_SAT_MS) / 1e3 for w in segments], label="HYBIC, W/RTTsat (equation 5)")
    axis.axhline(CAPACITY_MBIT_S / 1e3, color="#000000", linestyle="--", linewidth=0.8, label="paper: C = 5 Gbit/s")
    axis.set(xlabel="s", ylabel="rate (Gbit/s)", ylim=(0, None), xlim=(0, 60))
    axis.legend()
    peak = table.facts["hybic_peak_over_rtt_ref_mbit_s"]
    since = start.facts["rate_over_rtt_ref_exceeds_capacity_from_s"]
    clipped = table.facts["hybic_over_rtt_ref_clipped_at_capacity_percent"]
    drawn = rate_mbit_s(_HYBIC_ABOVE_MB * 1e6 / MSS_BYTES, RTT_REF_MS)
    return Finding(
        why=f"in avoidance the rate of equation 6 passes C at {since:.1f} s and ends at {peak / 1e3:.1f} Gbit/s, "
        f"{peak / CAPACITY_MBIT_S:.2f} times the link; held to C its mean is {clipped:.0f} % of it (Table I: 60 %)",
        claims=[
            Claim(
                what="largest rate of HYBIC by equation 6 (constraint 3: R <= C)",
                measured=bp.fixed(peak),
                paper=CAPACITY_MBIT_S,
                sign=-1,
                bound=True,
                tolerance=0.0,
                unit="Mbit/s",
                digits=0,
                implied=drawn,
                contradiction=f"the {_HYBIC_ABOVE_MB:g} MB of Figure 3 are {drawn:.0f} Mbit/s by equation 6, more than "
                "constraint 3 allows",
                note=NO_CHANCE,
            )
        ],
        pictures=[Picture("The rate of HYBIC by the paper's equation 6 and over the path's own round trip.", figure)],
        notes=[
            "Constraint 2 (W <= cwnd) is the definition of cwnd. The sum of equation 1 has one flow in the evaluation.",
        ],
    )


@plots.styled
def read_curves(_: Runs) -> Finding:
    readings = bp.model("hybic-readings").table.arrow.to_pylist()
    seen: dict[tuple[str, str, str], dict[str, object]] = {}
    for row in readings:
        seen.setdefault((row["k"], row["w_max"], row["time_from"]), row)
    rows = [
        [key[0], key[1], key[2], f"{float(str(row['hybic_mean_window_segments'])):.0f}"] for key, row in seen.items()
    ]
    window = bp.model("hybic-window")
    figure, (early, whole) = plots.new(1, 2, height=3.0)
    times, segments = window.table["time_s"], window.table["hybic_segments"]
    fine = bp.model("hybic-window", step_ms=10, duration_s=3)
    early.plot(fine.table["time_s"], fine.table["hybic_segments"])
    early.axvline(window.facts["hybic_switch_s"], color="#000000", linestyle="--", linewidth=0.8, label="t_gamma (8)")
    early.axvline(RTT_SAT_MS / 1e3, color="#000000", linestyle=":", linewidth=0.8, label="first ACK")
    early.set(xlabel="s", ylabel="window (segments)", yscale="log", title="Slow start")
    early.legend(fontsize="small")
    whole.plot(times, segments)
    whole.set(xlabel="s", title="Avoidance", xlim=(1.2, 60), ylim=(0, None))
    start = bp.model("hybic-slow-start").facts
    fall = start["window_at_switch_segments"] / start["window_aimed_at_segments"]
    return Finding(
        why="the paper asks for no number: equation 4 leaves beta, Wmax and the origin of t open; its two branches do "
        f"not meet: at t_gamma slow start stands at {start['window_at_switch_segments']:.0f} segments, "
        "avoidance begins "
        f"at {start['window_aimed_at_segments']:.0f}, {fall:.1f} times less (as rates of equation 6 they meet: Y-03)",
        sheets=[
            Sheet(
                f"Readings of equation 4: the 16 nearest to Table I of {len(rows)}, the initial window with it",
                ("K", "Wmax", "t from", "mean window (segments)"),
                rows[:16],
            )
        ],
        pictures=[Picture("Equation 4 in the reading that meets Table I.", figure)],
    )


def read_rate(_: Runs) -> Finding:
    table = bp.model("hybic-table").table.arrow.to_pylist()
    rows = [
        [row["algorithm"], f"{row['over_rtt_ref_mbit_s']:.1f}", f"{row['over_rtt_sat_mbit_s']:.1f}"] for row in table
    ]
    rho = RTT_SAT_MS / RTT_REF_MS
    return Finding(
        why="the paper asks for no number: in slow start equation 6 is equation 5 exactly, as rho cancels; in "
        f"avoidance it divides by RTTref what travels in RTTsat, {rho:.2f} times too much: a path of 2287 ms carries a "
        "window once in 2287 ms, whatever the reference",
        sheets=[Sheet("The mean windows as rates (Mbit/s)", ("", "over RTTref (6)", "over RTTsat (5)"), rows)],
        notes=[
            "The two branches of equation 6 meet at equation 8's time, at rho gamma/RTTref each, but only because they "
            "have different divisors; as windows (equation 4) they do not (Y-05)."
        ],
    )


@plots.styled
def read_switch(_: Runs) -> Finding:
    model = bp.model("hybic-slow-start")
    rows = model.table.arrow.to_pylist()
    figure, (axis,) = plots.new(1, 1)
    rtts = [row["rtt_sat_ms"] for row in rows]
    axis.plot(rtts, [row["switch_s"] for row in rows], marker="o", label="HYBIC, equation 8")
    axis.plot(rtts, [row["hybla_switch_s"] for row in rows], marker="o", label="Hybla")
    axis.plot(rtts, [row["round_trip_s"] for row in rows], color="#000000", linestyle="--", label="first ACK")
    axis.set(xlabel="RTTsat (ms)", ylabel="switch from slow start (s)", ylim=(0, None))
    axis.legend()
    switch = model.facts["switch_s"]
    least = next(row["switch_s"] for row in rows if row["rtt_sat_ms"] == RTT_REF_MS)
    early = [row["rtt_sat_ms"] for row in rows if row["switch_s"] < row["round_trip_s"]]
    aimed, there = model.facts["window_aimed_at_segments"], model.facts["window_at_switch_segments"]
    # Equation 4 (slow start) at the moment that equation 8 gives; both by hand.
    rho = RTT_SAT_MS / RTT_REF_MS
    by_four = rho * 2.0 ** (math.log2(rho) + math.log2(GAMMA))
    return Finding(
        why=f"the switch comes at {least:.2f} s on the reference path and at {switch:.3f} s at 2287 ms, as (8) "
        "adds it; "
        f"of the round trips in the table those from {min(early):g} ms on have it before the first ACK, and the window "
        f"there, at 2287 ms, is {there:.0f} segments where "
        f"rho gamma is {aimed:.0f}",
        claims=[
            Claim(
                what="switch at 2287 ms over that at 100 ms («increases additively»)",
                measured=bp.fixed(switch - least),
                sign=1,
                unit="s",
                digits=3,
                check=True,
                note=NO_CHANCE,
            ),
            Claim(
                what="window at the switch («W reaches the value rho gamma»)",
                measured=bp.fixed(there),
                paper=aimed,
                tolerance=0.05 * aimed,
                unit="segments",
                digits=0,
                implied=by_four,
                contradiction="equation 8 counts the factor rho of equation 4 a second time: equation 4 is at "
                f"{by_four:.0f} then",
                note=NO_CHANCE,
            ),
        ],
        sheets=[
            Sheet(
                "Equation 8",
                ("RTTsat (ms)", "rho", "switch (s)", "in round trips", "window there", "rho gamma"),
                [
                    [
                        *(f"{row[name]:.4g}" for name in ("rtt_sat_ms", "rho", "switch_s", "switch_round_trips")),
                        f"{row['window_at_switch_segments']:.0f}",
                        f"{row['window_aimed_at_segments']:.0f}",
                    ]
                    for row in rows
                ],
            )
        ],
        pictures=[Picture("The switching time by equation 8, and when the first ACK arrives.", figure)],
        notes=list(model.notes),
    )


def read_efficiency(_: Runs) -> Finding:
    return Finding(
        why="a definition without a number: eta = R/C; it is applied in Y-11, where R of two of the three "
        "algorithms is "
        "not the rate of the path"
    )


def read_parameters(_: Runs) -> Finding:
    window = bp.model("hybic-window")
    share = window.facts["largest_window_over_bdp_percent"]
    given = (
        ("RTTsat", "2287 ms (measured, reference 23)"),
        ("RTTref", "100 ms"),
        ("rho", f"{window.facts['rho']:.2f}"),
        ("MSS", "1448 bytes"),
        ("IW", "10 segments"),
        ("gamma", "128 segments"),
        ("A", "«usually 0.4»"),
        ("beta", "not given"),
        ("time", "0 to 60 s in steps of 200 ms"),
        ("C", "5 Gbit/s, one flow"),
        ("bandwidth-delay product", f"{window.facts['bdp_segments']:.0f} segments"),
    )
    return Finding(
        why=f"parameters, no claim: the largest window of all three curves is {share:.1f} % of the bandwidth-delay "
        f"product of {window.facts['bdp_segments']:.0f} segments, so that no run fills the path",
        sheets=[Sheet("Section III", ("parameter", "value"), given)],
    )


@plots.styled
def read_windows(_: Runs) -> Finding:
    model = bp.model("hybic-window")
    facts = model.facts
    times = model.table["time_s"]
    figure, (axis,) = plots.new(1, 1, height=3.4)
    for name, label in NAMES.items():
        axis.plot(times, model.table[f"{name}_mb"], label=label)
    axis.axhline(
        _HYBLA_BELOW_MB, color=plots.COLOURS[2], linestyle="--", linewidth=0.8, label="paper: Hybla less than 25 MB"
    )
    axis.axhline(
        _HYBIC_ABOVE_MB, color=plots.COLOURS[0], linestyle="--", linewidth=0.8, label="paper: HYBIC over 120 MB"
    )
    axis.axvline(
        _BETTER_WITHIN_S, color="#000000", linestyle=":", linewidth=0.8, label="paper: HYBIC better within 25 s"
    )
    axis.set(xlabel="s", ylabel="window (MB)", xlim=(0, 60), ylim=(0, None))
    axis.legend(fontsize="small")
    rows = model.table.arrow.to_pylist()
    at = {time: min(rows, key=lambda row: abs(row["time_s"] - time)) for time in (1.6, 30.0, 60.0)}
    half = 100.0 * at[30.0]["cubic_mb"] / at[60.0]["cubic_mb"]
    nearest, ends = facts["hybic_overtakes_hybla_s"], [facts[f"{name}_at_end_mb"] for name in NAMES]
    # Slow start from IW instead of one segment: both curves come RTTref log2(IW) sooner.
    overtakes = nearest - RTT_REF_MS / 1e3 * math.log2(IW)
    above = "; CUBIC ends above HYBIC, where the text has HYBIC better than both" if ends[1] > ends[0] else ""
    late = "within" if overtakes <= _BETTER_WITHIN_S else "later than"
    return Finding(
        why=f"in the reading nearest to Table I HYBIC, CUBIC and Hybla have {ends[0]:.1f}, {ends[1]:.1f} and "
        f"{ends[2]:.1f} MB at 60 s; from the printed initial window of {IW:g} HYBIC passes Hybla at "
        f"{overtakes:.2f} s, {late} the {_BETTER_WITHIN_S:g} s of the text, from 1, which is nearest to Table I, at "
        f"{nearest:.2f} s{above}",
        claims=[
            Claim(
                what="Hybla's window at 60 s",
                measured=bp.fixed(facts["hybla_at_end_mb"]),
                paper=_HYBLA_BELOW_MB,
                sign=-1,
                bound=True,
                tolerance=0.0,
                unit="MB",
                note=NO_CHANCE,
            ),
            Claim(
                what="HYBIC's window at 60 s",
                measured=bp.fixed(facts["hybic_at_end_mb"]),
                paper=_HYBIC_ABOVE_MB,
                sign=1,
                bound=True,
                tolerance=0.0,
                unit="MB",
            ),
            Claim(
                what=f"HYBIC overtakes Hybla («within 25 s»), initial window {IW:g} (section III)",
                measured=bp.fixed(overtakes),
                paper=_BETTER_WITHIN_S,
                sign=-1,
                bound=True,
                tolerance=0.0,
                unit="s",
                digits=2,
                note=f"from an initial window of 1, which is nearest to Table I: {nearest:.2f} s",
            ),
            Claim(
                what="CUBIC's window at half time, of that at the end («very slow until half of the time»)",
                measured=bp.fixed(half),
                sign=-1,
                neutral=50.0,
            ),
            Claim(
                what="after slow start (1.6 s), HYBIC's window over CUBIC's («better»)",
                measured=bp.fixed(at[1.6]["hybic_mb"] / at[1.6]["cubic_mb"]),
                sign=1,
                neutral=1.0,
                unit="",
            ),
            Claim(
                what="after slow start (1.6 s), HYBIC's window over Hybla's («about the same»)",
                measured=bp.fixed(at[1.6]["hybic_mb"] / at[1.6]["hybla_mb"]),
                paper=1.0,
                tolerance=0.1,
                unit="",
                digits=2,
            ),
        ],
        pictures=[
            Picture("Figure 3 drawn again, samples of 200 ms as in the paper; dashed and dotted: its words.", figure)
        ],
        notes=[chosen(), *model.notes],
    )


ROWS = (
    Row(
        id="Y-01",
        place="Equations 1-3, section II.A",
        what="what is maximised, within which bounds",
        says="the aggregate of W_i(R_i) is maximised subject to W <= cwnd and R <= C.",
        read=read_problem,
    ),
    Row(
        id="Y-02",
        place="Equation 4",
        what="HYBIC's window over time",
        says="rho 2^(t/RTTref) in slow start, A (t - K)^3 + Wmax in avoidance.",
        read=read_curves,
    ),
    Row(
        id="Y-03",
        place="Equations 5 and 6",
        what="the rate that belongs to a window",
        says="R = W/RTT (5); R^m is the same with RTTref (6).",
        read=read_rate,
    ),
    Row(
        id="Y-05",
        place="Equation 8",
        what="the switch from slow start to avoidance",
        says="t_gamma = RTTref log2 rho + RTTref log2 gamma; it grows additively with RTTsat.",
        read=read_switch,
    ),
    Row(id="Y-06", place="Equation 9", what="utilisation", says="eta = 100 % R_i/C_i.", read=read_efficiency),
    Row(
        id="Y-09",
        place="Section III",
        what="the parameters of the evaluation",
        says="one flow over 2287 ms, 5 Gbit/s, 60 s.",
        read=read_parameters,
    ),
    Row(
        id="Y-10",
        place="Figure 3, section III",
        what="windows of HYBIC, CUBIC and Hybla",
        says="Hybla stays below 25 MB, HYBIC passes 120 MB and is better than Hybla within 25 s; its slow start is "
        "better than CUBIC's and about Hybla's; CUBIC is slow until half time.",
        read=read_windows,
    ),
)
