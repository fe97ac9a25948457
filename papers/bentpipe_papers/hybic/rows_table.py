# SPDX-License-Identifier: MIT OR Apache-2.0
"""Table I, the readings that may lead to it, and numbers that are printed twice (Y-11 to Y-13)."""

from __future__ import annotations

from collections.abc import Callable

import bentpipe as bp
from bentpipe import plots
from bentpipe import study as st
from bentpipe_papers.hybic import combinations
from bentpipe_papers.hybic.readings import CAPACITY_MBIT_S, MAIN, NAMES, RTT_REF_S, RTT_SAT_S, Reading, windows
from bentpipe_papers.hybic.rows_model import NO_CHANCE, computed, rate_mbit_s

PRINTED = {"HYBIC": (23e3, 3000.0, 60.0), "CUBIC": (22e3, 110.0, 2.2), "Hybla": (10e3, 1100.0, 22.0)}
#: Half of the last printed digit of windows (23x10^3), rates (3x10^9, 110x10^6, 1.1x10^9) and percentages.
ROUNDED = {"HYBIC": (500.0, 500.0, 0.5), "CUBIC": (500.0, 0.5, 0.05), "Hybla": (500.0, 50.0, 0.5)}
#: The round trip by which the paper divides each window for Table I, inferred from the paper's own windows.
DIVISOR_S = {"HYBIC": RTT_REF_S, "CUBIC": RTT_SAT_S, "Hybla": RTT_REF_S}
#: Hybla's rate in the text of section III, Gbit/s.
_HYBLA_TEXT_GBIT_S = 1.0
#: The headline sentences of each algorithm: window, rate and utilisation.
HEADLINES = {
    "HYBIC": (
        "better performance in terms of window growth of 23x10^3 segments",
        "average throughput of R_avg 3Gbp compare with 1Gbps achieved by HYBLA",
        "average utilisation of eta_avg 60% compared with 22% using HYBLA",
    )
}


def mean_window(name: str) -> Callable[[Reading], float]:
    return lambda reading: windows(reading).mean(name)


def mean_rate(name: str) -> Callable[[Reading], float]:
    return lambda reading: rate_mbit_s(windows(reading).mean(name), DIVISOR_S[NAMES[name]])


def utilisation(name: str) -> Callable[[Reading], float]:
    return lambda reading: 100.0 * mean_rate(name)(reading) / CAPACITY_MBIT_S


def like_for_like(reading: Reading) -> float:
    return mean_window("hybic")(reading) / mean_window("cubic")(reading)


def claims_of(name: str) -> list[st.Claim]:
    label = NAMES[name]
    segments, rate, share = PRINTED[label]
    rounded_segments, rounded_rate, rounded_share = ROUNDED[label]
    # Equation 5 with the window of Table I and the path's round trip.
    implied = rate_mbit_s(segments, RTT_SAT_S)
    # The tolerance of a rate consists of its own rounding and the rounding of its window.
    tolerance = rounded_rate + rate_mbit_s(rounded_segments, DIVISOR_S[label])
    divided = ""
    if abs(implied - rate) > tolerance:
        divided = f"its window is {implied:.1f} Mbit/s over {1e3 * RTT_SAT_S:g} ms; it was divided by RTTref"
    over_path = rate_mbit_s(mean_window(name)(MAIN), RTT_SAT_S)
    like = f"over the path's round trip {over_path:.1f} Mbit/s, {100.0 * over_path / CAPACITY_MBIT_S:.1f} %"
    words = HEADLINES.get(label, ("", "", ""))
    return [
        computed(
            f"{label}: mean window",
            mean_window(name),
            st.equals(segments, "segments", 0, within=rounded_segments),
            note=NO_CHANCE,
            headline=words[0],
            decides="the origin of t, the initial window, Wmax, K" if words[0] else "",
        ),
        computed(
            f"{label}: mean rate",
            mean_rate(name),
            st.equals(rate, "Mbit/s", within=tolerance),
            implied=implied,
            contradiction=divided,
            note=like,
            headline=words[1],
            decides="the round trip by which a window is divided" if words[1] else "",
        ),
        computed(
            f"{label}: utilisation",
            utilisation(name),
            # Computed from that rate: as sure as it.
            st.equals(share, digits=2, within=rounded_share + 100.0 * tolerance / CAPACITY_MBIT_S),
            implied=100.0 * implied / CAPACITY_MBIT_S,
            contradiction=divided,
            headline=words[2],
            decides="the round trip by which a window is divided" if words[2] else "",
        ),
    ]


@st.reads(
    id="Y-11",
    place="Abstract, section III, Table I",
    what="mean window, rate and utilisation",
    says="HYBIC 23e3 segments, 3 Gbit/s, 60 %; CUBIC 22e3, 110 Mbit/s, 2.2 %; Hybla 10e3, 1.1 Gbit/s, 22 %.",
)
def read_table(_: st.Runs) -> st.Finding:
    printed_ratio = round(PRINTED["HYBIC"][1] / PRINTED["CUBIC"][1], 1)
    windows_ratio = PRINTED["HYBIC"][0] / PRINTED["CUBIC"][0]
    # The tolerance from the rounding of 3x10^9 and 110x10^6.
    most = (PRINTED["HYBIC"][1] + ROUNDED["HYBIC"][1]) / (PRINTED["CUBIC"][1] - ROUNDED["CUBIC"][1])
    claims = [claim for name in NAMES for claim in claims_of(name)]
    claims.append(
        computed(
            "rate of HYBIC over CUBIC's, both over the path's round trip (derived: 3 Gbit/s over 110 Mbit/s)",
            like_for_like,
            st.equals(printed_ratio, "", 2, within=most - printed_ratio),
            implied=windows_ratio,
            contradiction=f"the windows of the table are {windows_ratio:.2f} to 1: HYBIC's is divided by 100 ms, "
            "CUBIC's by 2287 ms",
            note="the paper prints the two rates, not their ratio",
            headline="Table I, R_avg(bps): HYBIC “3x10^9”, CUBIC “110x10^6”",
            decides="the round trip by which a window is divided",
        )
    )
    figure, axes = plots.new(1, 2, height=2.8)
    over_path = {name: rate_mbit_s(mean_window(name)(MAIN), RTT_SAT_S) for name in NAMES}
    for axis, rates, title in (
        (axes[0], {name: mean_rate(name)(MAIN) for name in NAMES}, "as the paper divides"),
        (axes[1], over_path, "all over the path's round trip"),
    ):
        axis.bar(list(NAMES.values()), list(rates.values()), color=plots.COLOURS[0], width=0.6)
        if axis is axes[0]:
            printed = [PRINTED[label][1] for label in NAMES.values()]
            axis.plot(range(3), printed, "_", color="#000000", markersize=24, label="paper")
            axis.legend()
        axis.set(title=title, ylabel="mean rate (Mbit/s)", ylim=(0, None))
    tables, all_of_them, words = combinations.pages(combinations.of_table_1())
    table = [
        [
            label,
            f"{mean_window(name)(MAIN):.0f}",
            *(f"{rate_mbit_s(mean_window(name)(MAIN), rtt_s):.1f}" for rtt_s in (RTT_REF_S, RTT_SAT_S)),
            "RTTref" if DIVISOR_S[label] == RTT_REF_S else "RTTsat",
            f"{PRINTED[label][1]:g}",
            f"{utilisation(name)(MAIN):.1f} %",
            f"{100.0 * over_path[name] / CAPACITY_MBIT_S:.2f} %",
        ]
        for name, label in NAMES.items()
    ]
    return st.found(
        "HYBIC's and Hybla's windows are divided by 100 ms, CUBIC's by 2287 ms. All over 2287 ms HYBIC has "
        f"{over_path['hybic']:.0f} Mbit/s, CUBIC {over_path['cubic']:.0f}, Hybla {over_path['hybla']:.0f}: "
        f"{like_for_like(MAIN):.2f} times CUBIC, printed {printed_ratio:.1f}; any common divisor gives that ratio. The "
        "printed window of HYBIC comes with t from the switch and one segment",
        *claims,
        st.Sheet(
            "Table I, both ways (windows in segments, rates in Mbit/s), main reading",
            st.heads(
                " | mean window | over RTTref | over RTTsat | the paper takes | printed | of 5 Gbit/s, as "
                "computed | of 5 Gbit/s, over RTTsat"
            ),
            table,
        ),
        *tables,
        st.Picture("Table I as it was computed, and like for like.", figure),
        *all_of_them,
        *words,
        "A window W on a path of RTTsat carries W/RTTsat, whatever reference the algorithm aims at.",
        "60 % is the rate rounded to 3 Gbit/s, over 5 Gbit/s; from the table's own mean window it is 53 %. So its "
        "tolerance is that of the rate, and 57 % are the same 3 Gbit/s.",
    )


@st.reads(
    id="Y-12",
    place="Equation 4, section III",
    what="which reading the numbers come from",
    says="beta has no value; K, Wmax and the origin of t are described in words that have several readings.",
)
def read_readings(_: st.Runs) -> st.Finding:
    model = bp.model("hybic-readings")
    rows = [
        [
            f"{row['rank']:.0f}",
            *(str(row[name]) for name in ("k", "w_max", "time_from", "cubic")),
            f"{row['initial_window_segments']:.0f}",
            *(f"{row[f'{name}_mean_window_segments']:.0f}" for name in NAMES),
            f"{row['distance_percent']:.1f}",
        ]
        for row in model.table.arrow.to_pylist()
    ]
    first = rows[0]
    return st.found(
        f"no claim. Of {len(rows)} readings the nearest to Table I is K = {first[1]}, Wmax = {first[2]}, t from "
        f"{first[3]}, initial window {first[5]}: {first[6]}, {first[7]} and {first[8]} segments; "
        f"{model.facts['readings_that_round_to_the_table']:.0f} round to the printed thousands. Our main reading was "
        "not chosen by that, but by what the text says",
        st.Sheet(
            "The 12 nearest readings and every 30th after them",
            ("rank", "K", "Wmax", "t from", "CUBIC", "IW", "HYBIC", "CUBIC", "Hybla", "distance (%)"),
            [*rows[:12], *rows[29::30]],
        ),
        *list(model.notes),
    )


@st.reads(
    id="Y-13",
    place="Abstract, section III, Table I",
    what="numbers printed twice",
    says="Hybla 1 Gbit/s in the text, 1.1 in the table; “3Ghns” in the abstract of our copy.",
)
def read_prints(_: st.Runs) -> st.Finding:
    rate = mean_rate("hybla")(MAIN) / 1e3
    # The number of Y-11.h in other digits, so that what contradicts that one contradicts it.
    [of_table] = [claim for claim in claims_of("hybla") if claim.what.endswith("mean rate")]
    return st.found(
        f"the same number, rounded twice: computed as the paper does it Hybla has {rate:.3f} Gbit/s, which is 1 to "
        "the text's digit and 1.1 to Table I's. The abstract's “3Ghns”, in our copy, is surely the table's 3 Gbit/s. "
        "Over the path's own round trip it is 0.05 (Y-11)",
        st.claim(
            "Hybla's rate as the text prints it, computed as the paper does (window over RTTref)",
            bp.fixed(rate),
            st.equals(_HYBLA_TEXT_GBIT_S, "Gbit/s", 3, within=0.5),
            implied=st.given(of_table.implied) / 1e3,
            contradiction=of_table.contradiction,
            note=NO_CHANCE,
        ),
    )
