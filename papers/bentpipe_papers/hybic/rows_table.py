# SPDX-License-Identifier: MIT OR Apache-2.0
"""Table I, the readings it may come from, and numbers printed twice (Y-11 to Y-13)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import bentpipe as bp
from bentpipe import plots
from bentpipe.study import Claim, Finding, Picture, Row, Sheet
from bentpipe_papers.hybic.rows_model import CAPACITY_MBIT_S, NAMES, NO_CHANCE, RTT_SAT_MS, chosen, rate_mbit_s

if TYPE_CHECKING:
    from bentpipe.study import Runs

PRINTED = {"HYBIC": (23e3, 3000.0, 60.0), "CUBIC": (22e3, 110.0, 2.2), "Hybla": (10e3, 1100.0, 22.0)}
#: Half of the last printed digit of each number, or 5 %, whichever is more; of percentages half of the last digit.
TOLERANCE = {"HYBIC": (1150.0, 500.0, 0.5), "CUBIC": (1100.0, 5.5, 0.05), "Hybla": (500.0, 55.0, 0.5)}
#: Hybla's rate in the text of section III and in Table I, Gbit/s.
_HYBLA_TEXT_GBIT_S, _HYBLA_TABLE_GBIT_S = 1.0, 1.1


@plots.styled
def read_table(_: Runs) -> Finding:
    model = bp.model("hybic-table")
    facts, rows = model.facts, {row["algorithm"]: row for row in model.table.arrow.to_pylist()}
    claims = []
    for name, label in NAMES.items():
        windows, rate, share = PRINTED[label]
        # Equation 5 with the window that Table I prints, over the path's round trip.
        implied = rate_mbit_s(windows, RTT_SAT_MS)
        divided = ""
        if abs(implied - rate) > TOLERANCE[label][1]:
            divided = f"its window is {implied:.1f} Mbit/s over {RTT_SAT_MS:g} ms; it was divided by RTTref"
        like = f"over the path's round trip {facts[f'{name}_like_for_like_mbit_s']:.1f} Mbit/s, "
        like += f"{facts[f'{name}_like_for_like_utilisation_percent']:.1f} %"
        claims += [
            Claim(
                what=f"{label}: mean window",
                measured=bp.fixed(facts[f"{name}_mean_window_segments"]),
                paper=windows,
                tolerance=TOLERANCE[label][0],
                unit="segments",
                digits=0,
                note=NO_CHANCE,
            ),
            Claim(
                what=f"{label}: mean rate",
                measured=bp.fixed(facts[f"{name}_as_computed_mbit_s"]),
                paper=rate,
                tolerance=TOLERANCE[label][1],
                unit="Mbit/s",
                implied=implied,
                contradiction=divided,
                note=like,
            ),
            Claim(
                what=f"{label}: utilisation",
                measured=bp.fixed(facts[f"{name}_as_computed_utilisation_percent"]),
                paper=share,
                tolerance=TOLERANCE[label][2],
                digits=2,
                implied=100.0 * implied / CAPACITY_MBIT_S,
                contradiction=divided,
            ),
        ]
    printed_ratio = round(PRINTED["HYBIC"][1] / PRINTED["CUBIC"][1], 1)
    windows_ratio = PRINTED["HYBIC"][0] / PRINTED["CUBIC"][0]
    claims.append(
        Claim(
            what="rate of HYBIC over CUBIC's, both over the path's round trip (derived: 3 Gbit/s over 110 Mbit/s)",
            measured=bp.fixed(facts["hybic_over_cubic_like_for_like"]),
            paper=printed_ratio,
            tolerance=0.05 * printed_ratio,
            unit="",
            digits=2,
            implied=windows_ratio,
            contradiction=f"the windows of the table are {windows_ratio:.2f} to 1: HYBIC's is divided by 100 ms, "
            "CUBIC's by 2287 ms",
        )
    )
    figure, axes = plots.new(1, 2, height=2.8)
    for axis, what, title in (
        (axes[0], "as_computed_mbit_s", "as the paper divides"),
        (axes[1], "like_for_like_mbit_s", "all over the path's round trip"),
    ):
        values = [facts[f"{name}_{what}"] for name in NAMES]
        axis.bar(list(NAMES.values()), values, color=plots.COLOURS[0], width=0.6)
        if axis is axes[0]:
            printed = [PRINTED[label][1] for label in NAMES.values()]
            axis.plot(range(3), printed, "_", color="#000000", markersize=24, label="paper")
            axis.legend()
        axis.set(title=title, ylabel="mean rate (Mbit/s)", ylim=(0, None))
    names = {label: name for name, label in NAMES.items()}
    table = [
        [
            label,
            f"{row['mean_window_segments']:.0f}",
            *(f"{row[name]:.1f}" for name in ("over_rtt_ref_mbit_s", "over_rtt_sat_mbit_s")),
            row["divisor_of_the_paper"],
            f"{row['printed_mbit_s']:g}",
            f"{facts[f'{names[label]}_as_computed_utilisation_percent']:.1f} %",
            f"{row['like_for_like_utilisation_percent']:.2f} %",
        ]
        for label, row in rows.items()
    ]
    ratio = facts["hybic_over_cubic_like_for_like"]
    return Finding(
        why="the windows are the paper's in a reading that was chosen for it, the rates are not comparable: HYBIC's "
        "and Hybla's windows are divided by 100 ms, "
        f"CUBIC's by 2287 ms; like for like HYBIC has {facts['hybic_like_for_like_mbit_s']:.1f} Mbit/s, CUBIC "
        f"{facts['cubic_like_for_like_mbit_s']:.1f}, Hybla {facts['hybla_like_for_like_mbit_s']:.1f}: "
        f"{ratio:.2f} times CUBIC (printed: {printed_ratio:.1f})",
        claims=claims,
        sheets=[
            Sheet(
                "Table I, both ways (windows in segments, rates in Mbit/s)",
                (
                    "",
                    "mean window",
                    "over RTTref",
                    "over RTTsat",
                    "the paper takes",
                    "printed",
                    "of 5 Gbit/s, as computed",
                    "of 5 Gbit/s, over RTTsat",
                ),
                table,
            )
        ],
        pictures=[Picture("Table I as it was computed, and like for like.", figure)],
        notes=[chosen(), *model.notes],
    )


def read_readings(_: Runs) -> Finding:
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
    return Finding(
        why=f"the paper does not say how its numbers were computed; of {len(rows)} readings the nearest is K = "
        f"{first[1]}, "
        f"Wmax = {first[2]}, t from {first[3]}: {first[6]}, {first[7]} and {first[8]} segments; "
        f"{model.facts['readings_that_round_to_the_table']:.0f} round to the printed thousands; the nearest (its "
        f"initial window is {first[5]}, section III prints 10) is "
        "used in Y-10 and Y-11, whose agreement with the paper is chosen to that extent",
        sheets=[
            Sheet(
                "The 12 nearest readings and every 30th after them",
                ("rank", "K", "Wmax", "t from", "CUBIC", "IW", "HYBIC", "CUBIC", "Hybla", "distance (%)"),
                [*rows[:12], *rows[29::30]],
            )
        ],
        notes=list(model.notes),
    )


def read_prints(_: Runs) -> Finding:
    rate = bp.model("hybic-table").facts["hybla_as_computed_mbit_s"] / 1e3
    return Finding(
        why=f"the text says {_HYBLA_TEXT_GBIT_S:g} Gbit/s of Hybla where Table I says {_HYBLA_TABLE_GBIT_S:g}; "
        f"computed as the paper does it is {rate:.3f}, which rounds to both; the abstract's «3Ghns» is the table's "
        "3 Gbit/s, misprinted",
        claims=[
            Claim(
                what="Hybla's rate as the text prints it, computed as the paper does (window over RTTref)",
                measured=bp.fixed(rate),
                paper=_HYBLA_TEXT_GBIT_S,
                tolerance=0.5,
                unit="Gbit/s",
                digits=3,
                implied=_HYBLA_TABLE_GBIT_S,
                contradiction=f"Table I prints {_HYBLA_TABLE_GBIT_S:g}",
                note=f"{NO_CHANCE}; the tolerance is half of the text's last digit",
            )
        ],
    )


ROWS = (
    Row(
        id="Y-11",
        place="Table I",
        what="mean window, rate and utilisation",
        says="HYBIC 23e3 segments, 3 Gbit/s, 60 %; CUBIC 22e3, 110 Mbit/s, 2.2 %; Hybla 10e3, 1.1 Gbit/s, 22 %.",
        read=read_table,
    ),
    Row(
        id="Y-12",
        place="Equation 4, section III",
        what="which reading the numbers come from",
        says="beta, K, Wmax and the origin of t are not given.",
        read=read_readings,
    ),
    Row(
        id="Y-13",
        place="Abstract, section III, Table I",
        what="numbers printed twice",
        says="Hybla 1 Gbit/s in the text, 1.1 in the table; «3Ghns» in the abstract.",
        read=read_prints,
    ),
)
