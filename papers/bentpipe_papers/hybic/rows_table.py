# SPDX-License-Identifier: MIT OR Apache-2.0
"""Table I, the readings that could give its numbers, and numbers that the paper prints twice (Y-11 to Y-13)."""

from __future__ import annotations

from collections.abc import Callable

import bentpipe as bp
from bentpipe import plots
from bentpipe import study as st
from bentpipe_papers.hybic import combinations
from bentpipe_papers.hybic.readings import CAPACITY_MBIT_S, MAIN, NAMES, NEAREST, RTT_REF_S, RTT_SAT_S, Reading, windows
from bentpipe_papers.hybic.rows_model import NO_CHANCE, computed, rate_mbit_s

PRINTED = {"HYBIC": (23e3, 3000.0, 60.0), "CUBIC": (22e3, 110.0, 2.2), "Hybla": (10e3, 1100.0, 22.0)}
#: Half of the last printed digit of windows (23x10^3), rates (3x10^9, 110x10^6, 1.1x10^9) and percentages.
ROUNDED = {"HYBIC": (500.0, 500.0, 0.5), "CUBIC": (500.0, 0.5, 0.05), "Hybla": (500.0, 50.0, 0.5)}
#: The round trip by which the paper divides each window for Table I, inferred from the paper's own windows.
DIVISOR_S = {"HYBIC": RTT_REF_S, "CUBIC": RTT_SAT_S, "Hybla": RTT_REF_S}
#: Hybla's rate in the text of section III, Gbit/s.
_HYBLA_TEXT_GBIT_S = 1.0
#: The abstract's sentence: a side against both others, and three numbers.
BETTER = (
    "HYBIC achieved better performance in terms of window growth of 23x10^3 segments, transmission rate of 3Ghns and "
    "capacity utilisation of 60 % compared with both CUBIC and HYBLA"
)
#: The headline sentences of each algorithm: window, rate and utilisation.
HEADLINES = {
    "HYBIC": (
        BETTER,
        "Our proposal, HYBIC was able to achieved average throughput of R_avg 3Gbp compare with 1Gbps achieved by "
        "HYBLA as shown in Table I",
        "HYBIC achieved an average utilisation of eta_avg 60% compared with 22% using HYBLA",
    )
}


def mean_window(name: str) -> Callable[[Reading], float]:
    return lambda reading: windows(reading).mean(name)


def mean_rate(name: str) -> Callable[[Reading], float]:
    """Mean rate in Mbit/s over the path's round trip."""
    return lambda reading: rate_mbit_s(windows(reading).mean(name), RTT_SAT_S)


def utilisation(name: str) -> Callable[[Reading], float]:
    return lambda reading: 100.0 * mean_rate(name)(reading) / CAPACITY_MBIT_S


def rate_of_the_paper(name: str) -> float:
    """Mean rate in Mbit/s in the main reading, as the paper computes it: windows over RTTref, CUBIC's over RTTsat."""
    return rate_mbit_s(windows(MAIN).mean(name), DIVISOR_S[NAMES[name]])


def over_the_larger(reading: Reading) -> float:
    """HYBIC's mean window divided by the larger of CUBIC's and Hybla's."""
    found = windows(reading)
    return found.mean("hybic") / max(found.mean("cubic"), found.mean("hybla"))


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
    divided = as_computed = share_as_computed = ""
    if abs(implied - rate) > tolerance:
        divided = (
            f"The printed window of {label} over {1e3 * RTT_SAT_S:g} ms is {implied:.1f} Mbit/s. The paper divided the "
            "window by RTTref, which is not the path's round trip"
        )
        theirs = rate_of_the_paper(name)
        as_computed = f"As the paper computes it (our window divided by RTTref), the rate is {theirs:.0f} Mbit/s"
        share_as_computed = (
            f"As the paper computes it (our window divided by RTTref), the utilisation is "
            f"{100.0 * theirs / CAPACITY_MBIT_S:.1f} %"
        )
    words = HEADLINES.get(label, ("", "", ""))
    return [
        computed(
            f"mean window of {label}",
            mean_window(name),
            st.equals(segments, "segments", 0, within=rounded_segments),
            note=NO_CHANCE,
            headline=words[0],
            decides=(
                "The window depends on the origin of t, on Wmax and on K, which the paper leaves open. If slow start "
                "begins with one segment (which “IW=10 seg” excludes) and t starts at the switch, the window is "
                f"{mean_window(name)(NEAREST):.0f} segments"
            )
            if words[0]
            else "",
        ),
        computed(
            f"mean rate of {label} over the path's round trip",
            mean_rate(name),
            st.equals(rate, "Mbit/s", within=tolerance),
            implied=implied,
            contradiction=divided,
            note="" if words[1] else as_computed,
            headline=words[1],
            decides=as_computed if words[1] else "",
        ),
        computed(
            f"utilisation by {label} over the path's round trip",
            utilisation(name),
            # Computed from that rate: as sure as it.
            st.equals(share, digits=2, within=rounded_share + 100.0 * tolerance / CAPACITY_MBIT_S),
            implied=100.0 * implied / CAPACITY_MBIT_S,
            contradiction=divided,
            note="" if words[2] else share_as_computed,
            headline=words[2],
            decides=share_as_computed if words[2] else "",
        ),
    ]


@st.reads(
    id="Y-11",
    place="Abstract, section III, Table I",
    what="mean window, rate and utilisation",
    says="HYBIC has 23e3 segments, 3 Gbit/s and 60 %; CUBIC has 22e3, 110 Mbit/s and 2.2 %; Hybla has 10e3, 1.1 Gbit/s "
    "and 22 %.",
)
def read_table(_: st.Runs) -> st.Finding:
    printed_ratio = round(PRINTED["HYBIC"][1] / PRINTED["CUBIC"][1], 1)
    windows_ratio = PRINTED["HYBIC"][0] / PRINTED["CUBIC"][0]
    # The tolerance from the rounding of 3x10^9 and 110x10^6.
    most = (PRINTED["HYBIC"][1] + ROUNDED["HYBIC"][1]) / (PRINTED["CUBIC"][1] - ROUNDED["CUBIC"][1])
    claims = [claim for name in NAMES for claim in claims_of(name)]
    claims.append(
        computed(
            "rate of HYBIC divided by CUBIC's, if both windows are divided by the path's round trip (the paper's "
            "number: 3 Gbit/s divided by 110 Mbit/s)",
            like_for_like,
            st.equals(printed_ratio, "", 2, within=most - printed_ratio),
            implied=windows_ratio,
            contradiction=f"The ratio of the table's windows is {windows_ratio:.2f}. The paper divided HYBIC's window "
            "by 100 ms and CUBIC's by 2287 ms",
            note="The paper prints the two rates, and not their ratio, so this is not a headline",
            decides="If both windows are divided by the same round trip, the ratio of the rates is that of the windows",
        )
    )
    claims.append(
        computed(
            "mean window of HYBIC divided by the larger of CUBIC's and Hybla's (“better”, “compared with both”)",
            over_the_larger,
            st.above("", 2, than=1.0),
            note=(
                "If all windows are divided by the same round trip, the rates and the utilisations have the same ratio"
            ),
            headline=BETTER,
            decides="K as printed delays HYBIC more than CUBIC if HYBIC's Wmax is rho gamma, because CUBIC's Wmax is "
            "smaller. Combinations in which t starts differently for HYBIC and for CUBIC are left out: the paper "
            "has one t",
        )
    )
    figure, axes = plots.new(1, 2, height=2.8)
    over_path = {name: mean_rate(name)(MAIN) for name in NAMES}
    for axis, rates, title in (
        (axes[0], {name: rate_of_the_paper(name) for name in NAMES}, "divided as in the paper"),
        (axes[1], over_path, "all divided by the path's round trip"),
    ):
        axis.bar(list(NAMES.values()), list(rates.values()), color=plots.COLOURS[0], width=0.6)
        if axis is axes[0]:
            printed = [PRINTED[label][1] for label in NAMES.values()]
            axis.plot(range(3), printed, "_", color="#000000", markersize=24, label="paper")
            axis.legend(loc="best")
        axis.set(title=title, ylabel="mean rate (Mbit/s)", ylim=(0, None))
    tables, all_of_them, words = combinations.pages(combinations.of_table_1())
    table = [
        [
            label,
            f"{mean_window(name)(MAIN):.0f}",
            *(f"{rate_mbit_s(mean_window(name)(MAIN), rtt_s):.1f}" for rtt_s in (RTT_REF_S, RTT_SAT_S)),
            "RTTref" if DIVISOR_S[label] == RTT_REF_S else "RTTsat",
            f"{PRINTED[label][1]:g}",
            f"{100.0 * rate_of_the_paper(name) / CAPACITY_MBIT_S:.1f} %",
            f"{utilisation(name)(MAIN):.2f} %",
        ]
        for name, label in NAMES.items()
    ]
    return st.found(
        "The paper divides the windows of HYBIC and Hybla by 100 ms, and CUBIC's by 2287 ms. Divided by 2287 ms, "
        f"HYBIC has {over_path['hybic']:.0f} Mbit/s, CUBIC {over_path['cubic']:.0f} and Hybla "
        f"{over_path['hybla']:.0f}. If both windows are divided by the same round trip, HYBIC's rate is "
        f"{like_for_like(MAIN):.2f} times CUBIC's; by the printed rates, it is {printed_ratio:.1f} times",
        *claims,
        st.Sheet(
            "Table I, both ways (windows in segments, rates in Mbit/s), main reading",
            st.heads(
                " | mean window | window / RTTref | window / RTTsat | the paper uses | printed rate | utilisation, as "
                "the paper computes | utilisation, by RTTsat"
            ),
            table,
        ),
        *tables,
        st.Picture(
            "Mean rates of Table I: divided as in the paper (RTTref or RTTsat), and all divided by the path's round "
            "trip (RTTsat).",
            figure,
        ),
        *all_of_them,
        *words,
        "On a path with round trip RTTsat, a window W gives the rate W/RTTsat. The reference path does not change "
        "this rate.",
        "60 % is the rounded rate of 3 Gbit/s divided by 5 Gbit/s. The table's own mean window gives 53 %. The "
        "tolerance of the utilisation is therefore that of the rate. If we compute as the paper does, our "
        "utilisation is 57 %, and the rate also rounds to 3 Gbit/s.",
    )


@st.reads(
    id="Y-12",
    place="Equation 4, section III",
    what="the reading from which the numbers come",
    says="The paper gives no value of beta, and describes K, Wmax and the origin of t in words with several readings.",
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
        f"This row has no claim. Of {len(rows)} readings, the nearest to Table I has K = {first[1]}, Wmax = "
        f"{first[2]}, t from {first[3]}, and an initial window of {first[5]}. Its mean windows are {first[6]}, "
        f"{first[7]} and {first[8]} segments. In {model.facts['readings_that_round_to_the_table']:.0f} readings, the "
        "windows round to the printed thousands. Our main reading follows the text",
        st.Sheet(
            "The 12 readings nearest to Table I, and every 30th of the other readings",
            ("rank", "K", "Wmax", "t from", "CUBIC", "IW", "HYBIC", "CUBIC", "Hybla", "distance (%)"),
            [*rows[:12], *rows[29::30]],
        ),
        *list(model.notes),
    )


@st.reads(
    id="Y-13",
    place="Abstract, section III, Table I",
    what="numbers that the paper prints twice",
    says="Hybla has 1 Gbit/s in the text and 1.1 in the table. The abstract of our copy prints “3Ghns”.",
)
def read_prints(_: st.Runs) -> st.Finding:
    rate, theirs = mean_rate("hybla")(MAIN) / 1e3, rate_of_the_paper("hybla") / 1e3
    # The number of Y-11.h in other digits, so that what contradicts that one contradicts it.
    [of_table] = [claim for claim in claims_of("hybla") if claim.what.startswith("mean rate")]
    return st.found(
        f"The paper rounds one number twice. Computed as in the paper, Hybla's rate is {theirs:.3f} Gbit/s, which "
        "rounds to the text's 1 and to Table I's 1.1. The “3Ghns” in the abstract of our copy probably means the "
        f"table's 3 Gbit/s. Divided by the path's own round trip, Hybla's rate is {rate:.2f} Gbit/s (Y-11)",
        st.claim(
            "rate of Hybla in the text, over the path's round trip",
            bp.fixed(rate),
            st.equals(_HYBLA_TEXT_GBIT_S, "Gbit/s", 3, within=0.5),
            implied=st.given(of_table.implied) / 1e3,
            contradiction=of_table.contradiction,
            note=f"As the paper computes it (our window divided by RTTref), the rate is {theirs:.3f} Gbit/s",
        ),
    )
