# SPDX-License-Identifier: MIT OR Apache-2.0
"""The paper's own calculation: equations 1 to 9 and Figure 3 (Y-01 to Y-10)."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Unpack

import numpy as np

import bentpipe as bp
from bentpipe import plots
from bentpipe import study as st
from bentpipe_papers.hybic import combinations
from bentpipe_papers.hybic.readings import (
    CAPACITY_MBIT_S,
    GAMMA,
    MAIN,
    MB,
    MBIT,
    NAMES,
    NEAREST,
    OTHERS,
    RHO,
    RTT_REF_S,
    RTT_SAT_S,
    Reading,
    in_others,
    overtakes_s,
    slow_starts_s,
    switch_s,
    windows,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

RTT_REF_MS = 1e3 * RTT_REF_S
NO_CHANCE = "This number is computed without random numbers, so it has no interval"
#: The bounds in the text on Figure 3: Hybla's largest window, HYBIC's window, and the time until HYBIC is better.
_HYBLA_BELOW_MB, _HYBIC_ABOVE_MB, _BETTER_WITHIN_S = 25.0, 120.0, 25.0

#: At this time in s, all three algorithms have left slow start.
_AFTER_S = 1.6
#: Reading accuracy of Figure 3: a hundredth of its scale of 120 MB.
_READ_MB = 1.2


def rate_mbit_s(segments: float, rtt_s: float) -> float:
    return segments * MBIT / rtt_s


def rates_by_six(reading: Reading) -> NDArray[np.float64]:
    """HYBIC's rate in Mbit/s by equation 6.

    In avoidance, the window is divided by RTTref. In slow start, rho cancels, so the rate equals that of equation
    5.
    """
    found = windows(reading)
    divisor = np.where(found.time_s < switch_s(reading), RTT_SAT_S, RTT_REF_S)
    return np.asarray(found.hybic * MBIT / divisor)


def largest_rate(reading: Reading) -> float:
    """HYBIC's largest rate in Mbit/s by equation 6."""
    return float(rates_by_six(reading).max())


@st.reads(
    id="Y-01",
    place="Equations 1-3, section II.A",
    what="the quantity that the paper maximises, and its bounds",
    says="The aggregate of W_i(R_i) is maximised subject to W <= cwnd and R <= C.",
)
def read_problem(_: st.Runs) -> st.Finding:
    found, by_six = windows(MAIN), rates_by_six(MAIN)
    figure, (axis,) = plots.new(1, 1)
    axis.plot(found.time_s, by_six / 1e3, label="HYBIC, equation 6")
    axis.plot(found.time_s, found.hybic * MBIT / RTT_SAT_S / 1e3, label="HYBIC, W/RTTsat (equation 5)")
    axis.axhline(CAPACITY_MBIT_S / 1e3, color="#000000", linestyle="--", linewidth=0.8, label="paper: C = 5 Gbit/s")
    axis.set(xlabel="s", ylabel="rate (Gbit/s)", ylim=(0, None), xlim=(0, 60))
    axis.legend(loc="best")
    peak, over_path = float(by_six.max()), rate_mbit_s(float(found.hybic.max()), RTT_SAT_S)
    late = (found.time_s > 2.0) & (by_six > CAPACITY_MBIT_S)
    drawn = rate_mbit_s(_HYBIC_ABOVE_MB / MB, RTT_REF_S)
    return st.found(
        "The path carries one window per RTTsat (2287 ms), but equation 6 divides it by RTTref (100 ms). The rate is "
        f"22.87 times too large: it exceeds the capacity C from {found.time_s[late.argmax()]:.1f} s on and ends at "
        f"{peak / CAPACITY_MBIT_S:.2f} C. Divided by RTTsat (equation 5), the rate is at most "
        f"{100.0 * over_path / CAPACITY_MBIT_S:.0f} % of C, and constraint 3 holds",
        st.claim(
            "largest rate of HYBIC by equation 6 (constraint 3: R <= C)",
            bp.fixed(peak),
            st.at_most(CAPACITY_MBIT_S, "Mbit/s", 0),
            implied=drawn,
            contradiction=(
                f"By equation 6, the window of {_HYBIC_ABOVE_MB:g} MB in Figure 3 gives a rate of {drawn:.0f} Mbit/s, "
                "which is more than constraint 3 allows"
            ),
            note=NO_CHANCE,
            readings=in_others(largest_rate),
            combinations=combinations.of_claim(largest_rate, "Mbit/s"),
        ),
        st.Picture("The rate of HYBIC by the paper's equation 6 and over the path's own round trip.", figure),
        "Constraint 2 (W <= cwnd) is the definition of cwnd. Equation 1 is a sum over flows; the evaluation has one "
        "flow.",
    )


@st.reads(
    id="Y-02",
    place="Equation 4",
    what="HYBIC's window over time",
    says="The window is rho 2^(t/RTTref) in slow start and A (t - K)^3 + Wmax in avoidance.",
)
def read_curves(_: st.Runs) -> st.Finding:
    readings = bp.model("hybic-readings").table.arrow.to_pylist()
    seen: dict[tuple[str, str, str], dict[str, object]] = {}
    for row in readings:
        seen.setdefault((row["k"], row["w_max"], row["time_from"]), row)
    rows = [
        [key[0], key[1], key[2], f"{float(str(row['hybic_mean_window_segments'])):.0f}"] for key, row in seen.items()
    ]
    figure, (early, whole) = plots.new(1, 2, height=3.0)
    found, fine = windows(MAIN), windows(MAIN, 0.01)
    first = fine.time_s < 3.0
    early.plot(fine.time_s[first], fine.hybic[first])
    early.axvline(switch_s(MAIN), color="#000000", linestyle="--", linewidth=0.8, label="switch (8)")
    early.axvline(RTT_SAT_S, color="#000000", linestyle=":", linewidth=0.8, label="first ACK")
    early.set(xlabel="s", ylabel="window (segments)", yscale="log", title="Slow start")
    early.legend(fontsize="small", loc="best")
    whole.plot(found.time_s, found.hybic)
    whole.set(xlabel="s", title="Avoidance", xlim=(1.2, 60), ylim=(0, None))
    start = bp.model("hybic-slow-start").facts
    fall = start["window_at_switch_segments"] / start["window_aimed_at_segments"]
    return st.found(
        "The paper claims no number. At the time of equation 8, the branches of equation 4 give different windows, "
        f"because rho is used twice. Slow start ends at {start['window_at_switch_segments']:.0f} segments; avoidance "
        f"starts at {start['window_aimed_at_segments']:.0f}, smaller by a factor of {fall:.1f}. The rates of "
        "equation 6 are equal (Y-03)",
        st.Sheet(
            f"Readings of equation 4, with their initial window: the 16 of {len(rows)} readings that are nearest to "
            "Table I",
            ("K", "Wmax", "t from", "mean window (segments)"),
            rows[:16],
        ),
        st.Picture("HYBIC's window by equation 4 in the main reading.", figure),
    )


@st.reads(
    id="Y-03",
    place="Equations 5 and 6",
    what="the rate that belongs to a window",
    says="R is W/RTT (equation 5), and R^m is the same with RTTref (equation 6).",
)
def read_rate(_: st.Runs) -> st.Finding:
    table = bp.model("hybic-table").table.arrow.to_pylist()
    rows = [
        [row["algorithm"], f"{row['over_rtt_ref_mbit_s']:.1f}", f"{row['over_rtt_sat_mbit_s']:.1f}"] for row in table
    ]
    return st.found(
        "A definition has no number to compare. In slow start, equation 6 equals equation 5, because rho cancels. In "
        "avoidance, equation 6 divides the window by RTTref (100 ms), although the path carries one window per "
        f"RTTsat (2287 ms). The rate is then too large by a factor of {RHO:.2f}",
        st.Sheet("The mean windows as rates (Mbit/s)", ("", "over RTTref (6)", "over RTTsat (5)"), rows),
        "At the switching time of equation 8, both branches of equation 6 give the rate rho gamma/RTTref. They are "
        "equal only because their divisors differ. The two windows of equation 4 differ at this time (Y-05).",
    )


@st.reads(
    id="Y-05",
    place="Equation 8",
    what="the switch from slow start to avoidance",
    says="t_gamma is RTTref log2 rho + RTTref log2 gamma, and grows additively with RTTsat.",
)
def read_switch(_: st.Runs) -> st.Finding:
    model = bp.model("hybic-slow-start")
    rows = model.table.arrow.to_pylist()
    figure, (axis,) = plots.new(1, 1)
    rtts = [row["rtt_sat_ms"] for row in rows]
    axis.plot(rtts, [row["switch_s"] for row in rows], marker="o", label="HYBIC, equation 8")
    axis.plot(rtts, [row["hybla_switch_s"] for row in rows], marker="o", label="Hybla")
    axis.plot(rtts, [row["round_trip_s"] for row in rows], color="#000000", linestyle="--", label="first ACK")
    axis.set(xlabel="RTTsat (ms)", ylabel="switch from slow start (s)", ylim=(0, None))
    axis.legend(loc="best")
    switch = model.facts["switch_s"]
    least = next(row["switch_s"] for row in rows if row["rtt_sat_ms"] == RTT_REF_MS)
    early = [row["rtt_sat_ms"] for row in rows if row["switch_s"] < row["round_trip_s"]]
    aimed, there = model.facts["window_aimed_at_segments"], model.facts["window_at_switch_segments"]
    # The window of equation 4 (slow start) at the time of equation 8, both computed by hand.
    by_four = RHO * 2.0 ** (math.log2(RHO) + math.log2(GAMMA))
    return st.found(
        "Equation 4 already contains the factor rho, and equation 8 adds the logarithm of rho again. At the time of "
        f"equation 8, {switch:.3f} s, the window is therefore {there:.0f} segments and not rho gamma ({aimed:.0f}). "
        f"At Hybla's switching time, RTTref log2 gamma, the window is rho gamma. From {min(early):g} ms on, the "
        "switch precedes the first ACK",
        st.claim(
            "switching time by equation 8 at a round trip of 2287 ms, minus that at 100 ms (“increases additively”)",
            bp.fixed(switch - least),
            st.above("s", 3, check=True),
            note=NO_CHANCE,
        ),
        st.claim(
            "window of equation 4 at the time of equation 8 (“W reaches the value rho gamma”)",
            bp.fixed(there),
            st.equals(aimed, "segments", 0, within=0.5),
            implied=by_four,
            contradiction="Equation 8 contains the factor rho of equation 4 a second time, so the window of equation "
            f"4 is {by_four:.0f} segments at this time",
            note=f"{NO_CHANCE}. At the time RTTref log2 gamma, the window of equation 4 is rho gamma. The paper adds "
            "RTTref log2 rho to compensate “for the effect of division by RTT”. The slow start of equation 6 has "
            "no rho, so it does reach rho gamma at the time of equation 8 (Y-03)",
            decides="Both equations are used as printed",
        ),
        st.Sheet(
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
        ),
        st.Picture("Time of the switch to avoidance by equation 8, and time of the first ACK.", figure),
        *list(model.notes),
    )


@st.reads(id="Y-06", place="Equation 9", what="utilisation", says="eta = 100 % R_i/C_i.")
def read_efficiency(_: st.Runs) -> st.Finding:
    return st.found(
        "The definition eta = R/C has no number. Y-11 applies it, but the paper's rate R of two of the three "
        "algorithms is not their rate over the path"
    )


@st.reads(
    id="Y-09",
    place="Section III",
    what="the parameters of the evaluation",
    says="One flow runs for 60 s over 2287 ms and 5 Gbit/s.",
)
def read_parameters(_: st.Runs) -> st.Finding:
    found = windows(MAIN)
    bdp = CAPACITY_MBIT_S * RTT_SAT_S / MBIT
    largest = max(float(getattr(found, name).max()) for name in NAMES)
    given = (
        ("RTTsat", "2287 ms (measured; reference 23 of the paper)"),
        ("RTTref", "100 ms"),
        ("rho", f"{RHO:.2f}"),
        ("MSS", "1448 bytes"),
        ("IW", "10 segments"),
        ("gamma", "128 segments"),
        ("A", "“usually 0.4”"),
        ("beta", "not given"),
        ("time", "0 to 60 s in steps of 200 ms"),
        ("C", "5 Gbit/s, one flow"),
        ("bandwidth-delay product", f"{bdp:.0f} segments"),
    )
    return st.found(
        f"This row lists parameters and has no claim. A path of 5 Gbit/s and 2287 ms holds {bdp:.0f} segments. The "
        f"largest window of the three algorithms is {100.0 * largest / bdp:.1f} % of this number, so no algorithm "
        "fills the path",
        st.Sheet("Section III", ("parameter", "value"), given),
    )


def computed(what: str, measure: Callable[[Reading], float], said: st.Statement, **words: Unpack[st.Words]) -> st.Claim:
    """A claim about a computed number. All combinations of its readings judge it."""
    words["readings"] = in_others(measure)
    words["combinations"] = combinations.of_claim(measure, said.unit)
    return st.claim(what, bp.fixed(measure(MAIN)), said, **words)


def megabytes(name: str, time_s: float) -> Callable[[Reading], float]:
    return lambda reading: windows(reading).at(name, time_s) * MB


def half_time(reading: Reading) -> float:
    return 100.0 * megabytes("cubic", 30.0)(reading) / megabytes("cubic", 60.0)(reading)


def over_cubic(reading: Reading) -> float:
    return megabytes("hybic", _AFTER_S)(reading) / megabytes("cubic", _AFTER_S)(reading)


def over_hybla_mb(reading: Reading) -> float:
    return megabytes("hybic", _AFTER_S)(reading) - megabytes("hybla", _AFTER_S)(reading)


def unsteadiness(name: str, reading: Reading, from_s: float, to_s: float) -> float:
    """Standard deviation of the growth in steps of 10 ms divided by its mean; NaN without growth in the span."""
    found = windows(reading, 0.01)
    within = (found.time_s >= from_s) & (found.time_s < to_s)
    growth = np.diff(getattr(found, name)[within])
    return float(np.std(growth) / np.mean(growth)) if growth.size else math.nan


def unsteady_in_avoidance(name: str, reading: Reading) -> float:
    """Variation of the window's growth after the time at which all algorithms are in avoidance."""
    return unsteadiness(name, reading, max(slow_starts_s(reading).values()), math.inf)


def less_steady(other: str) -> Callable[[Reading], float]:
    """Variation of HYBIC's growth minus that of another algorithm, in the phase with the larger difference."""

    def measure(reading: Reading) -> float:
        ends = slow_starts_s(reading)
        ours, theirs = (unsteadiness(name, reading, 0.0, ends[name]) for name in ("hybic", other))
        later = unsteady_in_avoidance("hybic", reading) - unsteady_in_avoidance(other, reading)
        # Without a slow start, only avoidance can be compared.
        return later if math.isnan(theirs) else max(ours - theirs, later)

    return measure


@st.reads(
    id="Y-10",
    place="Figure 3, section III",
    what="windows of HYBIC, CUBIC and Hybla",
    says="Hybla stays below 25 MB. HYBIC exceeds 120 MB and is better than Hybla within 25 s. HYBIC's slow start is "
    "better than CUBIC's and about the same as Hybla's. CUBIC is slow until half time.",
)
def read_windows(_: st.Runs) -> st.Finding:
    found = windows(MAIN)
    figure, (axis,) = plots.new(1, 1, height=3.4)
    for name, label in NAMES.items():
        axis.plot(found.time_s, getattr(found, name) * MB, label=label)
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
    axis.legend(fontsize="small", loc="best")
    ends = [found.at(name, 60.0) * MB for name in NAMES]
    sheet = st.Sheet(
        "Windows at 60 s in MB, and the time at which HYBIC's window exceeds Hybla's",
        ("reading", *NAMES.values(), "HYBIC exceeds Hybla after (s)"),
        [
            [name, *(f"{windows(reading).at(one, 60.0) * MB:.1f}" for one in NAMES), f"{overtakes_s(reading):.2f}"]
            for name, reading in {"main reading": MAIN, **{name: one for name, (one, _why) in OTHERS.items()}}.items()
        ],
    )
    later = {name: unsteady_in_avoidance(name, MAIN) for name in NAMES}
    early = {name: unsteadiness(name, MAIN, 0.0, slow_starts_s(MAIN)[name]) for name in NAMES}
    tables, all_of_them, words = combinations.pages(combinations.of_figure_3())
    return st.found(
        f"At 60 s, the windows are {ends[0]:.1f} MB (HYBIC), {ends[1]:.1f} MB (CUBIC) and {ends[2]:.1f} MB (Hybla). "
        f"HYBIC exceeds Hybla from {overtakes_s(MAIN):.2f} s on. If t starts at the switch, and the initial window "
        f"is one segment, the window is Table I's. HYBIC then exceeds Hybla from {overtakes_s(NEAREST):.2f} s on. "
        "With K as printed, neither bound on HYBIC holds",
        computed(
            "window of Hybla at 60 s", megabytes("hybla", 60.0), st.at_most(_HYBLA_BELOW_MB, "MB"), note=NO_CHANCE
        ),
        computed(
            "window of HYBIC at 60 s",
            megabytes("hybic", 60.0),
            st.at_least(_HYBIC_ABOVE_MB, "MB"),
            headline="HYBIC was able to achieve over 120 MB cwnd",
            decides="Nothing is lost, so we read K as 0. With K as printed and any beta, growth starts later, and the "
            "window ends below the bound",
        ),
        computed(
            "time at which HYBIC's window exceeds Hybla's (“within 25 s”)",
            overtakes_s,
            st.at_most(_BETTER_WITHIN_S, "s", 2),
            never=60.0,
            headline="better performance than HYBLA within 25 s of the data transmission time",
            decides="K delays the growth; the origin of t and Wmax also have an effect. With K as printed in the main "
            "reading, the claim would fail",
        ),
        computed(
            "window of CUBIC at half time, in % of its window at the end (“a very slow increase [...] until half”)",
            half_time,
            st.below(than=50.0),
        ),
        computed(
            f"window of HYBIC divided by CUBIC's, {_AFTER_S:g} s after the start (“better”)",
            over_cubic,
            st.above("", than=1.0),
        ),
        computed(
            f"window of HYBIC minus Hybla's, {_AFTER_S:g} s after the start (“about the same”)",
            over_hybla_mb,
            st.equals(0.0, "MB", 2, within=_READ_MB),
        ),
        *(
            computed(
                f"variation of the window's growth (standard deviation divided by mean), HYBIC minus {NAMES[other]}, "
                "in the phase with the larger difference, slow start or avoidance (“both”)",
                less_steady(other),
                st.below("", 3),
                headline="consistent and stable cwnd growth in both SS and CA phases compared with HYBLA and CUBIC "
                "that either increase aggressively in SS and decreases during CA as transmission time increase "
                "(HYBLA), or a very slow increase during the SS (CUBIC) until half of the transmission time",
                note="The measure is ours. We read less variation as more consistent and stable. The sentence names "
                "both phases, so HYBIC has to vary less in each phase",
                decides=f"The variation is {early['hybic']:.3f} in slow start and {later['hybic']:.3f} in avoidance "
                f"for HYBIC, and {early[other]:.3f} and {later[other]:.3f} for {NAMES[other]}. HYBIC's avoidance is a "
                "cubic function of time, and Hybla's is a line",
            )
            for other in ("cubic", "hybla")
        ),
        sheet,
        *tables,
        st.Picture(
            "Figure 3 drawn again, with samples every 200 ms as in the paper. Dashed and dotted lines: numbers in the "
            "paper's text.",
            figure,
        ),
        *all_of_them,
        *words,
    )
