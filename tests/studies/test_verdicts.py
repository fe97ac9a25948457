# SPDX-License-Identifier: MIT OR Apache-2.0
"""The rule of verdicts over several readings, and looks at increasing numbers of seeds."""

from __future__ import annotations

import math
from dataclasses import replace
from statistics import NormalDist
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import bentpipe as bp
from bentpipe.base.stats import at_level, intervals_at, t_quantile
from bentpipe.runs import looks
from bentpipe.show.pictures.strips import scaled
from bentpipe.study import (
    LOOKS,
    RULE,
    Change,
    Choice,
    Claim,
    Combinations,
    Effort,
    Finding,
    InReading,
    Moved,
    Option,
    Outcome,
    Reproduction,
    Row,
    Runs,
    Setting,
    Study,
    Verdict,
    chapter,
    in_reading,
    markdown,
    reproduce,
    rounding,
    write,
)
from bentpipe.study._claims import classified, letter
from bentpipe.study._report.scoreboard import best_together, contradictions, together
from bentpipe.study._report.scoreboard import effort as effort_words

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from bentpipe.study import Key


def sure(mean: float) -> bp.Estimate:
    """Return an estimate with a narrow interval."""
    return bp.Estimate(mean, 0.1, 10)


def claim(main: float, *readings: float, paper: float | None = 10.0, sign: int = 1) -> Claim:
    """Return a claim of +10 %, with the mean of the main reading and the means of other readings."""
    others = [
        InReading(name=f"reading {number}", why="it is the tool's default", measured=sure(measured))
        for number, measured in enumerate(readings, 1)
    ]
    return Claim(what="goodput", measured=sure(main), paper=paper, sign=sign, readings=tuple(others))


@pytest.mark.parametrize(
    ("main", "counts", "verdict"),
    [
        # Counts are: surely for, surely against, undecided. 20 % are 2 of 10, and 80 % are 8 of 10.
        (True, (8, 2, 0), Verdict.HOLDS),
        (True, (7, 3, 0), Verdict.DEPENDS),
        (True, (1, 0, 9), Verdict.HOLDS),  # the table bounds what is against it, not what is undecided
        (False, (2, 8, 0), Verdict.FAILS),
        (False, (3, 7, 0), Verdict.DEPENDS),
        (False, (0, 1, 9), Verdict.FAILS),
        (None, (1, 1, 8), Verdict.UNDECIDED),
        (None, (2, 0, 8), Verdict.UNDECIDED),
        (None, (2, 1, 7), Verdict.DEPENDS),
        # 20 % of 97 are 19.4.
        (True, (78, 19, 0), Verdict.HOLDS),
        (True, (77, 20, 0), Verdict.DEPENDS),
        # A single reading decides.
        (True, (1, 0, 0), Verdict.HOLDS),
        (False, (0, 1, 0), Verdict.FAILS),
        (None, (0, 0, 1), Verdict.UNDECIDED),
        # With two readings, one of them is half, which is more than a fifth.
        (True, (1, 1, 0), Verdict.DEPENDS),
        (None, (1, 1, 0), Verdict.DEPENDS),
        # Without a combination on one side, nothing turns the side.
        (None, (1, 0, 1), Verdict.UNDECIDED),
        (None, (0, 14, 22), Verdict.UNDECIDED),
        (None, (1, 13, 22), Verdict.DEPENDS),
    ],
)
def test_classes_follow_the_table(main: bool | None, counts: tuple[int, int, int], verdict: Verdict) -> None:
    told = [True] * counts[0] + [False] * counts[1] + [None] * counts[2]
    assert classified(main, told) is verdict


def test_a_claim_contradicts_itself_or_cannot_fail_whatever_is_measured() -> None:
    settings: dict[str, Any] = {"what": "x", "measured": sure(17.0), "paper": 17.0, "sign": 1}
    assert Claim(**settings, implied=26.2).verdict is Verdict.CONTRADICTS
    assert Claim(**settings, implied=16.0).verdict is Verdict.HOLDS
    assert Claim(**settings, check=True).verdict is Verdict.CANNOT_FAIL
    assert Claim(**(settings | {"measured": sure(-17.0)}), check=True).verdict is Verdict.FAILS  # a defect of ours


def grid(effects: dict[tuple[int, int], float], unit: str = "%") -> Combinations:
    """Return combinations of a buffer (2 options) and a TCP (3 options), each with its effect."""
    return Combinations(
        choices=("buffer", "TCP"),
        options=(("1 BDP", "50 packets"), ("Linux", "ns-2", "bare")),
        places=tuple(effects),
        estimates=tuple(map(sure, effects.values())),
        unit=unit,
        whole=6,
    )


def test_single_runs_do_not_make_the_setting_that_has_them_decide() -> None:
    made = grid({(a, b): 5.0 for a in (0, 1) for b in (0, 1, 2)})
    alone = bp.estimate([5.0])  # one run: its interval is infinite, so it is undecided
    with_single_runs = tuple(alone if place[0] else one for place, one in zip(made.places, made.estimates, strict=True))
    one = replace(claim(5.0, paper=None), combinations=replace(made, estimates=with_single_runs))
    assert one.counts() == "3 : 0 : 3"
    assert one.setting_shares == {}


def test_a_verdict_stands_on_all_combinations_and_names_the_setting_that_decides() -> None:
    by_buffer = {(a, b): (-5.0 if a else 5.0) for a in (0, 1) for b in (0, 1, 2)}
    one = replace(claim(5.0, paper=None), combinations=grid(by_buffer))
    assert one.counts() == "3 : 3 : 0"
    assert one.verdict_words() == "depends on buffer"
    assert one.what_decides() == (
        "The setting “buffer” explains 100 % of the variance. Counts: 3 for, 3 against, 0 undecided (6 combinations)."
    )
    sampled = replace(one, combinations=replace(grid(by_buffer), whole=8640))
    assert sampled.what_decides().endswith("3 for, 3 against, 0 undecided (6 of 8640 combinations).")
    # One of 6 is less than a fifth. The main one is the claim's own estimate, not that of the curve.
    nearly = replace(claim(5.0, paper=None), combinations=grid({**dict.fromkeys(by_buffer, 5.0), (1, 2): -5.0}))
    assert nearly.verdict_words() == "holds"
    assert replace(nearly, measured=sure(-5.0)).counts() == "4 : 2 : 0"
    assert replace(nearly, measured=sure(-5.0)).verdict is Verdict.DEPENDS
    # Combinations with nothing to measure do not count: one of 3 against is more than a fifth, and one of 6 was less.
    here = {**dict.fromkeys(by_buffer, math.nan), (0, 1): 5.0, (1, 2): -5.0}
    partly = replace(claim(5.0, paper=None), combinations=grid(here))
    assert partly.counts() == "2 : 1 : 0"
    assert partly.verdict is Verdict.DEPENDS
    assert "1 against, 0 undecided (6 combinations, 3 of them with nothing to measure)." in partly.what_decides()
    assert replace(partly, never=30.0).counts() == "2 : 4 : 0"  # it is known that it never comes about


def test_without_a_curve_the_declared_readings_are_the_combinations() -> None:
    assert claim(10.0, 10.0, 9.0, 11.0, 8.0, -5.0).verdict_words() == "holds; number met (5 of 6)"
    assert claim(10.0, 10.0, -5.0).verdict_words() == "depends on reading 2; number met (2 of 3)"
    assert claim(10.0, -1.0, -2.0, -5.0).verdict_words() == "depends on 3 of 3 readings; number met (1 of 4)"
    assert claim(-5.0, -5.0).verdict_words() == "fails; number missed by 15.0 % (met in 0 of 2)"
    assert claim(30.0).verdict_words() == "holds; number missed by 20.0 %"
    assert claim(30.0, paper=None).verdict_words() == "holds"
    assert claim(-5.0, 10.0, -7.0).range == (-7.0, 10.0)


def test_a_reading_is_one_whatever_its_name_holds() -> None:
    """A semicolon in a name must not split the reading in two."""
    named = [InReading(name=f"Linux; hop {n}", why="", measured=sure(-5.0)) for n in (1, 2)]
    assert replace(claim(5.0, paper=None), readings=tuple(named)).verdict_words() == (
        "depends on Linux; hop 1; Linux; hop 2"
    )
    three = (*named, InReading(name="c; d", why="", measured=sure(-5.0)))
    assert replace(claim(5.0, paper=None), readings=three).verdict_words() == "depends on 3 of 3 readings"


def test_where_no_setting_decides_alone_the_verdict_and_what_decides_agree() -> None:
    # Only both choices together change the side (an exclusive or), so each choice alone explains nothing.
    effects = {(a, b): (5.0 if (a + b) % 2 == 0 else -5.0) for a in (0, 1) for b in (0, 1)}
    one = replace(claim(5.0, paper=None), combinations=grid(effects), decides="both together")
    assert one.verdict_words() == "depends on buffer together with TCP"
    assert one.what_decides().startswith(
        "No setting decides alone: “buffer” and “TCP” together explain 100 %. Counts: 2 for, 2 against"
    )


def test_settings_that_explain_the_same_are_named_together() -> None:
    # Against only where both differ: each explains a third, and neither turns the main reading alone.
    effects = {(a, b): (-5.0 if a and b else 5.0) for a in (0, 1) for b in (0, 1)}
    one = replace(claim(5.0, paper=None), combinations=grid(effects))
    assert one.turning == ()
    assert one.verdict_words() == "depends on buffer; TCP"
    assert one.what_decides().startswith(
        "The settings “buffer” and “TCP” each explain 33 % of the variance. Counts: 3 for, 1 against"
    )


def test_more_than_two_settings_that_explain_the_same_are_counted() -> None:
    # Each of three settings turns the main reading alone, and no combination has two of them: a symmetry.
    places = ((0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1))
    three = replace(
        grid({}),
        choices=("buffer", "TCP", "start"),
        options=(("main", "other"),) * 3,
        places=places,
        estimates=tuple(sure(-5.0 if any(place) else 5.0) for place in places),
        whole=8,
    )
    one = replace(claim(5.0, paper=None), combinations=three)
    assert one.verdict_words() == "depends on 3 settings"
    assert all(f"“{name}”" in one.what_decides() for name in three.choices)


def test_the_setting_that_decides_turns_the_main_reading_if_one_does() -> None:
    # With ns-2 everything is for the claim, so the TCP turns the main reading, which is against. With 50 packets and
    # the bare TCP the claim is against again, so that the buffer explains something as well.
    effects = {(a, b): (5.0 if b == 1 else -5.0) for a in (0, 1) for b in (0, 1, 2)} | {(1, 1): -5.0}
    one = replace(claim(-5.0, paper=None), combinations=grid(effects))
    assert one.turning == ("TCP",)
    # For: (0, 1) alone. The variance is 1/6 - 1/36 = 5/36 (in halves of the effect), the TCP's 1/18, the buffer's 1/36.
    assert one.setting_shares["TCP"] == pytest.approx(2 / 5)
    assert one.setting_shares["buffer"] == pytest.approx(1 / 5)
    # A sample does not have all single changes, so shares alone decide.
    sampled = {place: value for place, value in effects.items() if place != (1, 0)}
    assert replace(one, combinations=grid(sampled)).turning == ()


def fifths(against: int, of: int = 40) -> Claim:
    """Return a claim whose main reading is surely for it, and with this number of combinations against it."""
    places = {(0, n): (-5.0 if n > of - 1 - against else 5.0) for n in range(of)}
    many = replace(grid(places), options=(("1 BDP",), tuple(map(str, range(of)))), whole=of)
    return replace(claim(5.0, paper=None), combinations=many)


def test_a_verdict_at_the_edge_of_a_fifth_says_so() -> None:
    # 20 % of 40 combinations are 8.
    assert fifths(8).verdict is Verdict.HOLDS
    assert "One combination more or fewer would change the verdict to “depends”." in fifths(8).what_decides()
    assert "the verdict to “holds”" in fifths(9).edge
    assert fifths(7).edge == fifths(10).edge == ""
    assert "the verdict to “depends”" in fifths(2, of=10).edge
    assert fifths(1, of=10).edge == ""


def test_a_study_without_a_paper_supports_or_contradicts() -> None:
    assert claim(30.0, paper=None).verdict_words(own=True) == "supported"
    assert claim(-5.0, paper=None).verdict_words(own=True) == "contradicted"
    assert claim(10.0, -5.0, paper=None).verdict_words(own=True) == "undecided, depends on reading 1"


def test_what_would_decide_is_said() -> None:
    # ± 8 with 10 seeds is a deviation of 8 sqrt(10) / 2.262 = 11.18. 2.042 * 11.18 / sqrt(n) is below 2 from n = 131
    # on.
    assert claim_of(2.0, 8.0).what_decides() == "About 131 seeds would decide if the mean stays the same."
    assert claim_of(0.0, 8.0).what_decides() == "No number of seeds would decide."
    assert claim_of(9.0, 1.0).what_decides() == ""


def test_the_look_that_would_decide_is_said() -> None:
    # The looks at 10, 20, 40 and 100 seeds have 99.21, 99.13, 98.55 and 97.11 %. Student's quantiles there are 3.40 (9
    # degrees of freedom), 2.92 (19), 2.56 (39) and 2.22 (99). ± 8 is a deviation of 7.45, so the half widths at the
    # later looks are 4.9, 3.0 and 1.7.
    def at_first_look(mean: float) -> str:
        return Claim(what="x", measured=bp.Estimate(mean, 8.0, 10, looks.levels(LOOKS)[0]), sign=1).what_decides()

    assert at_first_look(7.0) == "20 seeds would decide if the mean stays the same."
    assert at_first_look(4.0) == "40 seeds would decide if the mean stays the same."
    assert at_first_look(1.0) == "100 seeds would not decide if the mean stays the same."


def test_a_bound_is_printed_as_it_is_judged() -> None:
    # A number on the bound keeps it.
    fields: dict[str, Any] = {"what": "x", "paper": 87.5, "bound": True, "digits": 1}
    least, most = (Claim(measured=bp.fixed(87.5), sign=sign, **fields) for sign in (1, -1))
    assert (least.claimed(), least.verdict_words()) == ("at least 87.5 %", "holds")
    assert (most.claimed(), most.verdict_words()) == ("at most 87.5 %", "holds")
    assert replace(least, tolerance=5.0).claimed() == "at least 87.5 (± 5) %"


def claim_of(mean: float, half_width: float) -> Claim:
    """Return a claim of a side, from 10 seeds."""
    return Claim(what="x", measured=bp.Estimate(mean, half_width, 10), sign=1)


def test_a_reading_that_was_searched_is_marked_and_counts() -> None:
    found = InReading(name="1/900 km", why="it fits", measured=sure(-1.0), searched=True)
    one = replace(claim(10.0), readings=(found,))
    assert one.reading_cells()[1][0] == "1/900 km †"
    assert one.counts() == "1 : 1 : 0"


def test_never_is_a_word() -> None:
    fields: dict[str, Any] = {"what": "time", "paper": 6.4, "tolerance": 0.3, "unit": "s", "never": 30.0}
    never = Claim(measured=bp.fixed(30.0), readings=(InReading(name="a", why="", measured=bp.fixed(6.5)),), **fields)
    assert never.ours() == "never"
    assert never.ranged() == "6.5 s to never (2 readings)"
    assert never.verdict_words() == "depends on a; number missed (met in 1 of 2)"
    assert Claim(measured=bp.fixed(math.nan), **fields).ours() == "never"


def test_a_statement_that_contradicts_itself_in_two_claims_is_counted_once() -> None:
    twice = [replace(claim(10.0), implied=30.0, contradiction=words) for words in ("10 is 30", "10 is 30", "K is 0")]
    assert contradictions({"A paper": {str(place): one for place, one in enumerate(twice)}}) == (
        "The 3 claims that contradict themselves come from 2 statements of the papers"
    )
    assert contradictions({"A paper": {"a": twice[0]}, "Another": {"b": twice[1]}, "None": {"c": claim(10.0)}}) == ""


def test_rows_with_more_seeds_are_named() -> None:
    more = replace(claim(1.0), measured=bp.Estimate(1.0, 0.1, 20))
    found = {one: Outcome(one, (of,), "why") for one, of in (("P-1", more), ("P-2", claim(1.0)), ("P-3", more))}
    made = Reproduction(Effort(tuple(range(1, 11))), {"a-paper": found})
    assert effort_words(made) == "10 seeds, and 20 seeds in the main reading of P-1 and P-3"


def test_a_headline_is_quoted_whole() -> None:
    for cut in ("inherits [...] of Hybla", "by … 38%"):
        with pytest.raises(ValueError, match="is cut; quote the whole sentence"):
            Claim(what="x", measured=sure(1.0), sign=1, headline=cut)


def test_claims_have_letters_by_place_or_their_own() -> None:
    assert [letter(place) for place in (0, 25, 26, 52)] == ["a", "z", "aa", "ba"]
    outcome = Outcome("H-20", (claim(1.0), replace(claim(2.0), letter="d")), "why")
    assert list(outcome.by_id) == ["H-20.a", "H-20.d"]


def wide(mean: float) -> bp.Estimate:
    """Return an estimate with an interval of 8 to each side."""
    return bp.Estimate(mean, 8.0, 10)


@pytest.mark.parametrize(
    ("main", "paper", "more"),
    [
        (wide(5.0), 10.0, True),
        (sure(10.0), 10.0, False),  # met
        (sure(-5.0), 10.0, False),  # surely on the other side
        (wide(9.0), 10.0, True),  # the side is sure, the number may come
        (wide(30.0), 10.0, False),  # it cannot
        (wide(30.0), None, False),
        (wide(5.0), None, True),
    ],
)
def test_more_seeds_are_asked_for_where_they_decide_the_main_reading(
    main: bp.Estimate, paper: float | None, *, more: bool
) -> None:
    assert Claim(what="goodput", measured=main, paper=paper, sign=1).open is more


@pytest.mark.parametrize(
    ("settings", "measured", "verdict"),
    [
        # The utilisation is 85.8 % where Reno has 71.8 %. With 80.5 % a gain is certain, and with 60 % there is none.
        ({"paper": 85.8, "neutral": 71.8}, (80.5, 1.0), "holds; number missed by 5.3 %"),
        ({"paper": 85.8, "neutral": 71.8}, (60.0, 1.0), "fails; number missed by 25.8 %"),
        ({"paper": 85.8}, (80.5, 1.0), "fails; number missed by 5.3 %"),  # without a neutral value there is no side
        ({"paper": 85.8, "neutral": 71.8}, (84.9, 1.0), "holds; number met"),
        ({"paper": 85.8, "neutral": 71.8}, (80.0, 20.0), "undecided; number open"),
        # -0.58 ± 0.70 and 0.006 ± 0.014: the interval contains both signs.
        ({"sign": -1}, (-0.58, 0.70), "undecided"),
        ({"sign": 1, "unit": ""}, (0.006, 0.014), "undecided"),
        ({"sign": 1}, (0.0, 0.0), "fails"),  # no chance in it, no effect
        ({"paper": 500.0, "sign": 1}, (0.5, 0.1), "holds; number missed by 499.5 %"),  # its side is all that holds
        # A printed "11 ms" means 10.5 ms or more. So 10.6 keeps the bound, and 10.4 ± 0.3 may keep it.
        ({"paper": 11.0, "sign": 1, "bound": True, "tolerance": 0.5, "unit": "ms"}, (10.6, 0.0), "holds"),
        ({"paper": 11.0, "sign": 1, "bound": True, "tolerance": 0.5, "unit": "ms"}, (10.4, 0.3), "undecided"),
        ({"paper": 11.0, "sign": 1, "bound": True, "unit": "ms"}, (10.6, 0.0), "fails"),
        # If `never` is 30 s, NaN is against the claim. Without `never`, there is nothing to measure.
        ({"paper": 11.0, "sign": -1, "bound": True, "unit": "s", "never": 30.0}, (math.nan, 0.0), "fails"),
        ({"paper": 6.4, "unit": "s", "tolerance": 0.05, "never": 30.0}, (math.nan, 0.0), "fails; number missed"),
        ({"paper": 100.0}, (math.nan, 0.0), "undecided; number open"),
        # In floats, 71.9 - 71.8 is a little above 0.1.
        ({"paper": 71.8, "tolerance": 0.1}, (71.9, 0.0), "holds; number met"),
        # Jain's index is 0.99 ± 0.02. Without a neutral value, the size of the effect is not known.
        ({"paper": 0.995, "unit": "", "tolerance": 0.005}, (0.99, 0.02), "undecided; number open"),
        ({"paper": 0.995, "unit": "", "tolerance": 0.005, "neutral": 0.5}, (0.99, 0.02), "holds; number met"),
        # A number is met if it is near and precise: within the tolerance of 2, or with an interval of at most a quarter
        # of the effect.
        ({"paper": 10.0, "sign": 1}, (9.0, 1.0), "holds; number met"),
        ({"paper": 10.0, "sign": 1}, (9.0, 4.0), "holds; number open"),
        ({"paper": 0.0}, (1.0, 9.0), "undecided; number open"),
        ({"paper": 0.0}, (1.0, 1.5), "holds; number met"),
    ],
)
def test_the_rule_for_one_estimate(settings: dict[str, Any], measured: tuple[float, float], verdict: str) -> None:
    mean, half_width = measured
    assert Claim(what="a claim", measured=bp.Estimate(mean, half_width, 10), **settings).verdict_words() == verdict


def test_the_rule_is_short() -> None:
    assert len(RULE.split()) <= 200


def test_claims_hold_together_in_a_bed() -> None:
    found = {"P-1": Outcome("P-1", (claim(5.0, 5.0, -5.0, paper=None), claim(-5.0, 5.0, paper=None)), "why")}
    assert together(found) == (
        ["reading", "P-1.a", "P-1.b", "for"],
        [["main reading", "for", "against", "1 of 2"], ["reading 1", "for", "for", "2 of 2"]],
    )
    effects = {(a, b): (5.0 if a else -5.0) for a in (0, 1) for b in (0, 1, 2)}
    pair = [replace(claim(one, paper=None), combinations=grid(some)) for one, some in (
        (-5.0, effects), (5.0, {place: -value for place, value in effects.items()}))]  # fmt: skip
    shared = {"P-1": Outcome("P-1", (pair[0], pair[0], pair[1]), "why")}
    assert best_together(shared) == [
        "P-1.a, P-1.b, P-1.c have the same 6 combinations. The best combination (buffer: 50 packets) "
        "supports 2 of 3 claims. The main reading supports 1 of 3"
    ]


def test_a_bed_that_was_searched_is_marked() -> None:
    found = InReading(name="1/900 km", why="it fits", measured=sure(-1.0), searched=True)
    pair = tuple(replace(claim(10.0), readings=(found,)) for _ in range(2))
    assert together({"P-1": Outcome("P-1", pair, "why")})[1][1] == ["1/900 km †", "against", "against", "0 of 2"]


def test_an_axis_of_strips_goes_from_no_effect_to_the_claim() -> None:
    assert scaled(claim(5.0), 5.0) == 0.5
    assert scaled(Claim(what="x", measured=sure(80.0), paper=85.8, neutral=71.8), 78.8) == pytest.approx(0.5)
    # “At least -3”: 0 is the bound, and 1 the main reading, which is 1.5 above the bound.
    assert scaled(Claim(what="x", measured=sure(-1.5), paper=-3.0, sign=1, bound=True), -3.0) == 0.0
    assert scaled(Claim(what="x", measured=sure(-1.5), paper=-3.0, sign=1, bound=True), 0.0) == 2.0
    within = Claim(what="x", measured=sure(23.0), paper=25.0, sign=-1, bound=True, unit="s")
    assert scaled(within, 50.0) == 2.0  # an upper bound is the paper's number
    assert scaled(claim(5.0, paper=None), 2.5) == 0.5  # in the main reading's distance
    assert scaled(claim(5.0, paper=None, sign=-1), 5.0) == -1.0
    assert scaled(claim(0.0, 4.0, paper=None), 4.0) == 1.0  # of the farthest reading, where the main one has none
    assert scaled(Claim(what="x", measured=sure(1.0), paper=0.0, tolerance=0.5), 5.0) == 2.0  # in ten tolerances


@pytest.mark.parametrize(
    ("printed", "half"), [("6.4", 0.05), ("6.40", 0.005), ("150", 0.5), ("1.5e3", 50.0), ("-3", 0.5)]
)
def test_rounding_hides_half_of_the_last_digit(printed: str, half: float) -> None:
    assert rounding(printed) == half


def test_what_is_left_open_names_its_readings() -> None:
    one = Choice(name="access links", options=(Option("100", "house", 100), Option("20", "a modem", 20)), by="house")
    assert one.main.value == 100
    with pytest.raises(ValueError, match="needs two or more options"):
        Choice(name="access links", options=(Option("100", "house"),), by="house")
    with pytest.raises(ValueError, match="two readings of the same name"):
        Claim(what="x", measured=sure(1.0), sign=1, readings=(InReading(name="a", why="", measured=sure(1.0)),) * 2)


# -- looks ------------------------------------------------------------------------------------------------------------

FIFTHS = (0.2, 0.4, 0.6, 0.8, 1.0)


def test_the_boundaries_are_those_of_the_published_tables() -> None:
    """Five equal looks, two-sided 5 %, compared with tables of the Wisconsin programs.

    Reboussin, DeMets, Kim and Lan, Computations for group sequential boundaries using the Lan-DeMets spending function
    method, Controlled Clinical Trials 21, 2000. Pocock's type, and O'Brien-Fleming's with half of the error a side.
    """
    pocock = looks.boundaries(FIFTHS, [looks.spent(fraction) for fraction in FIFTHS])
    assert pocock == pytest.approx([2.4380, 2.4268, 2.4101, 2.3966, 2.3859], abs=2e-4)
    normal = NormalDist()
    both = [4.0 * normal.cdf(normal.inv_cdf(0.0125) / math.sqrt(fraction)) for fraction in FIFTHS]
    assert looks.boundaries(FIFTHS, both) == pytest.approx([4.8769, 3.3569, 2.6803, 2.2898, 2.0310], abs=2e-4)


def test_one_look_is_an_interval_of_95_percent() -> None:
    assert looks.levels((10,)) == pytest.approx([0.95], abs=1e-9)


def test_who_looks_four_times_errs_in_5_percent() -> None:
    """20,000 rows without an effect: the share of rows whose interval excludes zero at any look (Student's t)."""
    values = np.random.default_rng(1).standard_normal((20_000, LOOKS[-1]))
    found = np.zeros(len(values), dtype=bool)
    for count, level in zip(LOOKS, looks.levels(LOOKS), strict=True):
        seen = values[:, :count]
        error = seen.std(axis=1, ddof=1) / math.sqrt(count)
        found |= np.abs(seen.mean(axis=1)) > t_quantile(count - 1, level) * error
    assert found.mean() == pytest.approx(0.05, abs=0.005)


def test_students_t_at_other_levels() -> None:
    # NIST/SEMATECH e-Handbook, 1.3.6.7.2: upper tails 0.005 and 0.001; 0.025 at 100 degrees: 1.984.
    table = {(1, 0.99): 63.657, (9, 0.99): 3.250, (10, 0.99): 3.169, (10, 0.998): 4.144, (99, 0.99): 2.626}
    for (degrees, level), quantile in table.items():
        assert t_quantile(degrees, level) == pytest.approx(quantile, abs=1e-3)
    assert t_quantile(100, 0.95 + 1e-12) == pytest.approx(1.984, abs=1e-3)


def test_an_interval_goes_from_one_level_to_another() -> None:
    samples = [1.0, 2.0, 4.0, 3.5, 2.2]
    with intervals_at(0.99):
        wide = bp.estimate(samples)
    assert wide.level == 0.99
    assert wide.half_width == pytest.approx(bp.estimate(samples).half_width * 4.604 / 2.776, rel=1e-3)  # NIST
    assert at_level(bp.estimate(samples), 0.99).half_width == pytest.approx(wide.half_width, rel=1e-9)
    assert at_level(bp.fixed(3.0), 0.99).half_width == 0.0
    assert bp.estimate(samples).level == 0.95


def test_an_effort_walks_through_its_looks() -> None:
    effort = Effort(tuple(range(1, 101)), looks=LOOKS)
    assert [len(step.seeds) for step in effort.steps()] == [10, 20, 40, 100]
    assert [len(step.seeds) for step in Effort(tuple(range(1, 21)), looks=LOOKS).steps()] == [10, 20]
    assert Effort((1, 2)).steps() == (Effort((1, 2)),)
    assert Effort((1, 2)).level == 0.95
    assert effort.steps()[0].level == pytest.approx(0.9921, abs=1e-4)
    with pytest.raises(ValueError, match="looks must ascend"):
        Effort((1, 2, 3), looks=LOOKS)


def scenario(seed: int) -> bp.Scenario:
    """Return a scenario with a short run."""
    network = bp.Dumbbell(rate="1 Mbit/s", rtt="10 ms", queue="1 BDP")
    return bp.Scenario(name="short", duration="0.1 s", seed=seed, network=network, flows=[bp.Flow(controller="reno")])


def plan(effort: Effort) -> Mapping[Key, bp.Scenario]:
    return {(seed,): scenario(seed) for seed in effort.seeds}


def noise(seeds: tuple[int, ...], shift: float) -> bp.Estimate:
    """Return the estimate of synthetic values, one per seed: `shift`, plus an even spread of 2 around it."""
    assert seeds
    return bp.estimate([shift + (1.0 if seed % 2 else -1.0) for seed in seeds])


def made(shift: float, *others: float) -> Study:
    def read(runs: Runs) -> Finding:
        effort = runs.effort
        assert len(runs.of(seeds=effort.seeds)) == len(effort.seeds)
        readings = [
            in_reading(f"shift {other}", "why not", lambda seeds, other=other: noise(seeds, other), effort)
            for other in others
        ]
        claims = [Claim(what="x", measured=noise(effort.seeds, shift), sign=1, unit="", readings=tuple(readings))]
        return Finding(why=f"{len(effort.seeds)} seeds", claims=claims)

    row = Row(id="L-1", place="p", what="w", says="more", plan=plan, read=read)
    return Study(name="looks", title="Looks", about="", rows=(row,))


@pytest.mark.parametrize(
    ("shift", "others", "seeds", "why", "verdict"),
    [
        (2.0, (), 10, "10 seeds", Verdict.HOLDS),
        (-2.0, (), 10, "10 seeds", Verdict.FAILS),
        (0.55, (), 40, "40 seeds", Verdict.HOLDS),  # 1.03 t / sqrt(n): 1.13, 0.67, 0.41, 0.22
        (0.1, (), 100, "100 seeds", Verdict.UNDECIDED),
        (-2.0, (2.0,), 10, "10 seeds", Verdict.DEPENDS),
        (0.55, (-3.0,), 40, "40 seeds", Verdict.DEPENDS),
    ],
)
def test_a_row_goes_on_until_it_is_decided(
    shift: float, others: tuple[float, ...], seeds: int, why: str, verdict: Verdict, tmp_path: Path
) -> None:
    study = made(shift, *others)
    effort = Effort(tuple(range(1, 101)), looks=LOOKS)
    told: list[tuple[int, int]] = []
    result = reproduce([(study, study.rows)], effort, out=tmp_path, progress=lambda *now: told.append(now))
    outcome = result.found["looks"]["L-1"]
    assert not outcome.failed
    assert (outcome.seeds, outcome.why, outcome.claims[0].verdict) == (seeds, why, verdict)
    assert told[-1][0] == told[-1][1]
    assert [done for done, _ in told] == sorted(done for done, _ in told)
    made_runs = len(list(tmp_path.glob("runs/*/*/summary.json")))
    assert made_runs == seeds
    again = reproduce([(study, study.rows)], effort, out=tmp_path)
    assert again.found["looks"]["L-1"] == outcome


# -- the page ---------------------------------------------------------------------------------------------------------


def test_the_first_screen_has_the_headline_claims_and_the_rest_stands_behind(tmp_path: Path) -> None:
    reading = InReading(name="access links of 20 Mbit/s", why="a modem's", measured=sure(10.0), searched=True)
    head = Claim(
        what="goodput",
        measured=sure(-5.0),
        paper=10.0,
        sign=1,
        headline="it is a tenth faster",
        readings=(reading,),
        decides="The access links decide",
        tool=bp.fixed(9.0),
        tool_note="ns-2.35, one run",
    )
    finding = Finding(why="so", claims=[head, claim(30.0)])
    row = Row(id="P-1", place="Figure 1", what="goodput", says="a tenth", read=lambda _: finding)
    study = Study(
        name="page",
        title="A paper",
        about="For tests.",
        given=(Setting("rate", "10 Mbit/s", "Figure 1"),),
        summary=("Ours is {P-1.a ours}, the paper's {P-1.a paper}.", "Of {P-9.a ours} nothing is known."),
        rows=(row,),
        precision="half of the last digit",
        readings=(
            Choice(
                name="access links",
                options=(Option("100 Mbit/s", "never the bottleneck"), Option("20 Mbit/s", "a modem's")),
                by="the house's default",
                known="5.7 s at 20 Mbit/s",
            ),
        ),
        changed=(Change("A claim was dropped.", Moved.TOWARDS), Change("One was split.", Moved.AWAY), "An old one."),
    )
    result = reproduce([(study, study.rows)], Effort((1, 2)), out=tmp_path)
    assert Outcome.from_json(result.found["page"]["P-1"].to_json()) == result.found["page"]["P-1"]
    lines = markdown(result, "bentpipe reproduce page", [study]).splitlines()
    first = next(line for line in lines if line.startswith("| P-1"))
    assert first == (
        "| P-1.a | “it is a tenth faster” | goodput | +10 (± 2) % | -5.0 ± 0.1 % | +9.0 % (ns-2.35, one run) | "
        "depends on access links of 20 Mbit/s; number missed by 15.0 % (met in 1 of 2) | "
        "The result differs in the reading “access links of 20 Mbit/s”. Counts: 1 for, 1 against, 0 undecided "
        "(2 readings). One combination more or fewer would change the verdict to “fails”. The access links decide. |"
    )
    assert "Ours is -5.0 ± 0.1 %, the paper's +10 %." in lines
    assert "| A paper | 1 | 0 | 0 | 0 | 1 | 0 | 0 | 0 | 1 |" in lines  # the headlines
    assert "| A paper | 2 | 1 | 0 | 0 | 1 | 0 | 0 | 0 | 2 |" in lines  # all claims
    assert "| A paper | 3 | 1 | 1 | 0 | 1 |" in lines
    assert (
        "Of all claims, 1 depend on a setting or are undecided. For 0 of these (0 % of all), no setting is known that "
        "decides."
    ) in lines
    told = chapter(study, result.found["page"], "bentpipe reproduce page")
    assert "| P-1.b | goodput | +10 (± 2) % | +30.0 ± 0.1 % | holds; number missed by 20.0 % |" in told
    assert len(chapter(study, result.found["page"], "x" * 9000, most_words=2).split()) > 2  # as short as it gets
    page = write(result, tmp_path, (study,)).read_text()
    for words in (
        "it is a tenth faster",
        "100 Mbit/s (never the bottleneck)",
        "20 Mbit/s (a modem&#39;s)",
        "5.7 s at 20 Mbit/s",
        "Tolerances: half of the last digit",
        "A claim was dropped. Moved the verdict: towards the paper.",
        "access links of 20 Mbit/s †",
        "found by a search for the paper&#39;s number",
    ):
        assert words in page, words


def test_the_page_of_a_study_gives_up_the_reasons_of_rows_that_hold_first(tmp_path: Path) -> None:
    def row(name: str, words: str, *claims: Claim) -> Row:
        return Row(id=name, place="", what="goodput", says="", read=lambda _: Finding(claims=claims, why=words))

    held = Claim(what="goodput", measured=bp.fixed(2.0), sign=1)
    failed = Claim(what="loss", measured=bp.fixed(-2.0), sign=1)
    check = Claim(what="sum", measured=bp.fixed(1.0), paper=1.0, tolerance=0.1, check=True)
    rows = (row("Q-1", "well " * 30, held, check), row("Q-2", "badly " * 30, failed), row("Q-3", "a definition"))
    study = Study(name="short", title="Short", about="Nothing.", rows=rows)
    found = reproduce([(study, rows)], Effort((1, 2)), out=tmp_path).found["short"]
    whole = chapter(study, found, "x")
    assert "| Q-1 | goodput |  |  | well" in whole
    # A check is in a separate section, without a verdict.
    assert "| Q-1.b | sum | 1.0 % |" in whole.partition("## Checks")[2]
    less = chapter(study, found, "x", most_words=len(whole.split()) - 60)
    assert "well" not in less
    assert "badly" in less
    assert "| Q-3 | goodput" in less
