# SPDX-License-Identifier: MIT OR Apache-2.0
"""The paper's computed headlines in every combination of the calculation's open choices (Y-10, Y-11).

The calculation has no packets and no chance, so there are no runs: a point is a number.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from bentpipe import study as st
from bentpipe_papers.hybic.readings import (
    CALCULATION,
    CAPACITY_MBIT_S,
    CUBIC_START,
    MB,
    MBIT,
    RTT_REF_S,
    RTT_SAT_S,
    TIME,
    W_MAX,
    K,
    Reading,
    overtakes_s,
    same_origin,
    windows,
)

#: The choices that affect HYBIC's windows.
HYBIC = (TIME, K, W_MAX)
DIVISOR = st.Choice(
    name="divisor of HYBIC's window",
    by="the paper's text: equation 5 divides the window by the path's round trip",
    known="the other divisor makes the rate 22.87 times larger",
    options=(
        st.Option("RTTsat", "equation 5: the path's round trip", RTT_SAT_S),
        st.Option("RTTref", "equation 6; Table I was computed in this way", RTT_REF_S),
    ),
)
#: The main option divides both windows by the same round trip. The claim is measured with the main option.
DIVISORS = st.Choice(
    name="divisors",
    by="the paper's text: equation 5 divides every window on a path by the same round trip",
    known="with the second option, the ratio is 22.87 times larger",
    options=(
        st.Option("both RTTsat", "like for like", RTT_SAT_S),
        st.Option("HYBIC's RTTref, CUBIC's RTTsat", "as Table I was computed", RTT_REF_S),
    ),
)


def reading(values: Mapping[str, Any]) -> Reading:
    """A combination as a reading; a choice that is not in it has its main option."""
    time, beta, w_max, cubic = (values.get(choice.name, choice.main.value) for choice in CALCULATION)
    return Reading(time_from=time, beta=beta, w_max=w_max, cubic=cubic)


def computed(
    title: str, choices: tuple[st.Choice, ...], measure: Callable[[Mapping[str, Any]], float], **asked: Any
) -> st.SpecificationCurve:
    """A curve of a number in every combination. `asked` is passed to `Curve`."""
    curve = st.Curve(title=title, choices=choices, plan=lambda *_: {}, effect=lambda _: 0.0, most=512, **asked)
    # A choice that is left out has no effect on the number, and so no origin to compare.
    both = TIME in choices and CUBIC_START in choices
    kept = [one for one in curve.combinations if not both or same_origin(reading(curve.values(one)))]
    return st.SpecificationCurve(curve, tuple(st.Point(one, (measure(curve.values(one)),)) for one in kept))


def mean_thousands(values: Mapping[str, Any]) -> float:
    return float(round(windows(reading(values)).mean("hybic") / 1e3))


def rate_gbit_s(values: Mapping[str, Any]) -> float:
    rate = windows(reading(values)).mean("hybic") * MBIT / values[DIVISOR.name] / 1e3
    return float(f"{rate:.1g}")


def used_percent(values: Mapping[str, Any]) -> float:
    rate = windows(reading(values)).mean("hybic") * MBIT / values[DIVISOR.name]
    return float(round(100.0 * rate / CAPACITY_MBIT_S))


def over_cubic(values: Mapping[str, Any]) -> float:
    found = windows(reading(values))
    return float(found.mean("hybic") / found.mean("cubic") * RTT_SAT_S / values[DIVISORS.name])


def of_claim(measure: Callable[[Reading], float], unit: str) -> st.Combinations | None:
    """A claim's number in every combination of the choices that can change it; None if no choice changes it."""
    every = st.Curve(title="", choices=CALCULATION, plan=lambda *_: {}, effect=lambda _: 0.0, most=512)
    # As words: no number (NaN) equals no number then.
    numbers = {one: repr(measure(reading(every.values(one)))) for one in every.combinations}

    def matters(place: int) -> bool:
        """Whether another option of a choice gives another number, all else equal."""
        return any(number != numbers[(*one[:place], 0, *one[place + 1 :])] for one, number in numbers.items())

    kept = tuple(choice for place, choice in enumerate(CALCULATION) if matters(place))
    return computed("", kept, lambda values: measure(reading(values)), unit=unit).combinations if kept else None


def of_figure_3() -> list[st.SpecificationCurve]:
    return [
        computed(
            "window of HYBIC at 60 s (“over 120 MB”)",
            HYBIC,
            lambda values: windows(reading(values)).at("hybic", 60.0) * MB,
            unit="MB",
            sign=1,
            neutral=120.0,
        ),
        computed(
            "time at which HYBIC's window exceeds Hybla's (“within 25 s”)",
            HYBIC,
            lambda values: overtakes_s(reading(values)),
            unit="s",
            sign=-1,
            neutral=25.0,
            digits=2,
        ),
    ]


def of_table_1() -> list[st.SpecificationCurve]:
    rate = (*HYBIC, DIVISOR)
    return [
        computed("mean window of HYBIC, rounded as in Table I", HYBIC, mean_thousands, unit="thousand segments",
                 paper=23.0, digits=0),
        computed("mean rate of HYBIC, rounded as in Table I", rate, rate_gbit_s, unit="Gbit/s", paper=3.0, digits=2),
        computed("utilisation by HYBIC, rounded as in Table I", rate, used_percent, paper=60.0, digits=0),
        computed("mean rate of HYBIC divided by CUBIC's (Table I: 27.3)", (*HYBIC, CUBIC_START, DIVISORS), over_cubic,
                 unit="times", sign=1, neutral=1.0, digits=2),
    ]  # fmt: skip


def pages(curves: list[st.SpecificationCurve]) -> tuple[list[st.Sheet], list[st.Picture], list[str]]:
    sheets: list[st.Sheet] = []
    for one in curves:
        shares, _, lines = one.sheets()
        sheets += [
            shares._replace(title=f"{one.curve.title}: share of the variance that each choice explains by itself"),
            lines._replace(title=f"{one.curve.title}: the combinations, sorted"),
        ]
    pictures = [st.Picture(f"All combinations: {one.curve.title}", one.figure()) for one in curves]
    return sheets, pictures, [f"{one.curve.title}: {one.words}." for one in curves]
