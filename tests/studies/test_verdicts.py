# SPDX-License-Identifier: MIT OR Apache-2.0
"""The rule of verdicts over several readings, and looks at growing numbers of seeds."""

from __future__ import annotations

import math
from statistics import NormalDist
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import bentpipe as bp
from bentpipe.base.stats import at_level, intervals_at, t_quantile
from bentpipe.runs import looks
from bentpipe.study import (
    LOOKS,
    Change,
    Choice,
    Claim,
    Effort,
    Finding,
    InReading,
    Moved,
    Option,
    Outcome,
    Row,
    Runs,
    Study,
    Verdict,
    in_reading,
    markdown,
    reproduce,
    rounding,
    write,
)
from bentpipe.study._claims import weakest

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from bentpipe.study import Key


def sure(mean: float) -> bp.Estimate:
    """An estimate with a narrow interval."""
    return bp.Estimate(mean, 0.1, 10)


def claim(main: float, *readings: tuple[float, float | None], paper: float | None = 10.0, sign: int = 1) -> Claim:
    """+10 % is claimed; the mean of the main reading, and those of others on the seeds looked at and fresh ones."""
    others = [
        InReading(
            name=f"reading {number}",
            why="it is the tool's default",
            measured=sure(measured),
            fresh=None if fresh is None else sure(fresh),
        )
        for number, (measured, fresh) in enumerate(readings, 1)
    ]
    return Claim(what="goodput", measured=sure(main), paper=paper, sign=sign, readings=tuple(others))


@pytest.mark.parametrize(
    ("one", "verdict", "unconfirmed"),
    [
        (claim(10.0, (-5.0, None)), Verdict.REPRODUCED, False),
        (claim(-5.0, (10.0, 10.0)), Verdict.IN_A_READING, False),
        (claim(-5.0, (10.0, None)), Verdict.UNDECIDED, True),  # it waits for fresh seeds
        (claim(-5.0, (10.0, -5.0)), Verdict.NOT_REPRODUCED, False),  # which do not confirm it
        (claim(-5.0, (10.0, 30.0)), Verdict.DIRECTION_ONLY, False),  # which confirm its side
        (claim(30.0, (-5.0, None)), Verdict.DIRECTION_ONLY, False),
        (claim(30.0, (10.0, None)), Verdict.DIRECTION_ONLY, True),
        (claim(30.0, (10.0, 10.0)), Verdict.IN_A_READING, False),
        (claim(-5.0, (-5.0, None), (-6.0, None)), Verdict.NOT_REPRODUCED, False),
        (claim(-5.0, (5.0, 5.0), paper=None), Verdict.DIRECTION_ONLY, False),
    ],
)
def test_one_plausible_reading_suffices_if_fresh_seeds_confirm_it(
    one: Claim, verdict: Verdict, *, unconfirmed: bool
) -> None:
    assert one.verdict is verdict
    assert one.unconfirmed is unconfirmed


def wide(mean: float) -> bp.Estimate:
    """An estimate with an interval of 8 to each side."""
    return bp.Estimate(mean, 8.0, 10)


def with_readings(main: bp.Estimate, *readings: bp.Estimate, paper: float | None = 10.0, headline: str = "") -> Claim:
    """+10 % is claimed (or more alone); other readings have not been confirmed."""
    others = tuple(InReading(name=str(k), why="why", measured=one) for k, one in enumerate(readings))
    return Claim(what="goodput", measured=main, paper=paper, sign=1, readings=others, headline=headline)


@pytest.mark.parametrize(
    ("one", "more"),
    [
        (with_readings(wide(5.0)), True),
        (with_readings(sure(10.0), wide(5.0)), False),  # reproduced
        (with_readings(sure(-5.0), wide(-20.0)), False),  # both on the other side
        (with_readings(sure(-5.0), wide(5.0)), True),
        (with_readings(sure(30.0), wide(5.0)), True),  # the number may still come in the reading
        (with_readings(sure(30.0), wide(-1.0)), False),  # it cannot (8 at most are 7), and the side is sure already
        (with_readings(sure(-5.0), wide(-1.0)), True),  # the side can
        (with_readings(sure(30.0), wide(5.0), paper=None), False),  # there is no number, and the side is sure
        (with_readings(sure(-5.0), wide(5.0), paper=None), True),
        (with_readings(wide(5.0), paper=None), True),
        (claim(-5.0, (10.0, 10.0)), False),  # reproduced in a reading
    ],
)
def test_more_seeds_are_asked_for_only_where_they_can_change_the_verdict(one: Claim, *, more: bool) -> None:
    assert one.open is more


def test_a_main_reading_goes_on_only_where_another_does_not_give_as_much() -> None:
    confirmed = InReading(name="1", why="why", measured=sure(30.0), fresh=sure(30.0))
    assert Claim(what="x", measured=wide(5.0), paper=10.0, sign=1, readings=(confirmed,)).open  # its number may come
    assert not Claim(what="x", measured=wide(-1.0), paper=10.0, sign=1, readings=(confirmed,)).open
    assert not Claim(what="x", measured=wide(5.0), sign=1, readings=(confirmed,)).open


def test_a_row_that_is_not_reproduced_goes_on_for_headlines_alone() -> None:
    refuted = with_readings(sure(-5.0))
    assert not Outcome("x", (refuted, with_readings(wide(5.0))), "why").open
    assert Outcome("x", (refuted, with_readings(wide(5.0), headline="higher")), "why").open
    assert Outcome("x", (with_readings(sure(10.0)), with_readings(wide(5.0))), "why").open


def test_a_row_does_not_hang_on_a_claim_that_can_only_rise_above_its_weakest() -> None:
    sided = with_readings(bp.Estimate(20.0, 12.0, 10))  # the number may come, the side is sure
    assert sided.open
    assert sided.verdict is Verdict.DIRECTION_ONLY
    only_a_side = with_readings(sure(30.0))
    assert only_a_side.verdict is Verdict.DIRECTION_ONLY
    assert not Outcome("x", (only_a_side, sided), "why").open
    assert Outcome("x", (with_readings(sure(10.0)), sided), "why").open  # it may rise to be reproduced, and the row
    assert Outcome("x", (only_a_side, with_readings(wide(5.0))), "why").open  # it may fall


def test_a_claim_says_which_readings_hold_or_were_tried() -> None:
    assert claim(-5.0, (10.0, 10.0), (-5.0, None)).of_readings == (
        "holds in 1 of 3 readings, beside the main one in: reading 1 (it is the tool's default)"
    )
    assert claim(-5.0, (-5.0, None)).of_readings == "in none of 2 readings: the main one; reading 1"
    assert claim(-5.0, (10.0, 10.0), (-7.0, None)).range == (-7.0, 10.0)
    assert claim(-5.0).of_readings == ""


def with_p(p: float) -> bp.Estimate:
    """Ten samples of mean 1 whose two-sided t-test against zero gives p."""
    return bp.Estimate(1.0, t_quantile(9, 0.95) / t_quantile(9, 1.0 - p), 10)


@pytest.mark.parametrize(
    ("values", "held"),
    [
        # Holm 1979 at 5 %, by hand: the k-th smallest p of n must be at most 0.05 / (n - k + 1).
        ((0.01, 0.04, 0.03, 0.005), (0, 3)),  # 0.005 <= 0.0125, 0.01 <= 0.0167, 0.03 > 0.025
        ((0.02, 0.02, 0.02), ()),  # 0.02 > 0.0167
        ((0.016, 0.024, 0.049), (0, 1, 2)),
        ((0.049,), (0,)),
    ],
)
def test_readings_are_confirmed_by_holms_rule(values: tuple[float, ...], held: tuple[int, ...]) -> None:
    readings = [InReading(name=f"{n}", why="", measured=sure(1.0), fresh=with_p(p)) for n, p in enumerate(values)]
    one = Claim(what="a side", measured=sure(-1.0), sign=1, readings=tuple(readings))
    assert tuple(int(reading.name) for reading in one.confirmed(Verdict.DIRECTION_ONLY)) == held
    assert one.verdict is (Verdict.DIRECTION_ONLY if held else Verdict.UNDECIDED)


@pytest.mark.parametrize(
    ("settings", "measured", "verdict"),
    [
        # 85.8 % utilisation where Reno has 71.8: a gain is sure at 80.5, and none at 60.
        ({"paper": 85.8, "neutral": 71.8}, (80.5, 1.0), Verdict.DIRECTION_ONLY),
        ({"paper": 85.8, "neutral": 71.8}, (60.0, 1.0), Verdict.NOT_REPRODUCED),
        ({"paper": 85.8}, (80.5, 1.0), Verdict.NOT_REPRODUCED),  # without a neutral value there is no side
        ({"paper": 85.8, "neutral": 71.8}, (84.9, 1.0), Verdict.REPRODUCED),
        ({"paper": 85.8, "neutral": 71.8}, (80.0, 20.0), Verdict.UNDECIDED),
        # -0.58 ± 0.70 and 0.006 ± 0.014: both answers are in the interval.
        ({"sign": -1}, (-0.58, 0.70), Verdict.UNDECIDED),
        ({"sign": 1, "unit": ""}, (0.006, 0.014), Verdict.UNDECIDED),
        ({"sign": 1}, (0.0, 0.0), Verdict.NOT_REPRODUCED),  # no chance in it, no effect
        # [-1, 1] where 500 are claimed: less than a tenth, whatever its side.
        ({"paper": 500.0, "sign": 1}, (0.0, 1.0), Verdict.NOT_REPRODUCED),
        # A printed "11 ms" may be anything from 10.5: 10.6 keeps the bound, and so does 10.4 ± 0.3 perhaps.
        ({"paper": 11.0, "sign": 1, "bound": True, "tolerance": 0.5, "unit": "ms"}, (10.6, 0.0), Verdict.REPRODUCED),
        ({"paper": 11.0, "sign": 1, "bound": True, "tolerance": 0.5, "unit": "ms"}, (10.4, 0.3), Verdict.UNDECIDED),
        ({"paper": 11.0, "sign": 1, "bound": True, "unit": "ms"}, (10.6, 0.0), Verdict.NOT_REPRODUCED),
        ({"paper": 6.4, "unit": "s", "tolerance": 0.05}, (math.nan, 0.0), Verdict.NOT_REPRODUCED),  # never comes about
    ],
)
def test_the_rule_for_one_estimate(settings: dict[str, Any], measured: tuple[float, float], verdict: Verdict) -> None:
    mean, half_width = measured
    assert Claim(what="a claim", measured=bp.Estimate(mean, half_width, 10), **settings).verdict is verdict


def test_a_row_is_its_weakest_claim_and_checks_stand_aside() -> None:
    held, side, wide = claim(10.0), claim(30.0), Claim(what="w", measured=bp.Estimate(1.0, 5.0, 10), sign=1)
    wrong, check = claim(-5.0), Claim(what="c", measured=bp.fixed(-5.0), sign=1, check=True)
    in_one = claim(-5.0, (10.0, 10.0))
    order = [wrong, wide, side, in_one, held]
    for place, one in enumerate(order):
        assert weakest([*reversed(order[place:]), check]) is one.verdict
    assert weakest([check]) is Verdict.NOT_REPRODUCED
    assert weakest([]) is Verdict.NO_CLAIM


@pytest.mark.parametrize(
    ("printed", "half"), [("6.4", 0.05), ("6.40", 0.005), ("150", 0.5), ("1.5e3", 50.0), ("-3", 0.5)]
)
def test_rounding_hides_half_of_the_last_digit(printed: str, half: float) -> None:
    assert rounding(printed) == half


def test_what_is_left_open_names_its_readings() -> None:
    one = Choice(name="access links", options=(Option("100", "house", 100), Option("20", "a modem", 20)), by="house")
    assert one.main.value == 100
    with pytest.raises(ValueError, match="needs two options or more"):
        Choice(name="access links", options=(Option("100", "house"),), by="house")
    with pytest.raises(ValueError, match="two readings of the same name"):
        Claim(what="x", measured=sure(1.0), sign=1, readings=(InReading(name="a", why="", measured=sure(1.0)),) * 2)


# -- looks ------------------------------------------------------------------------------------------------------------

FIFTHS = (0.2, 0.4, 0.6, 0.8, 1.0)


def test_the_boundaries_are_those_of_the_published_tables() -> None:
    """Five equal looks, two-sided 5 %: tables of the Wisconsin programs.

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
    """20,000 made-up rows without an effect: the share whose interval excludes zero at any look (Student's t)."""
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
    assert Effort((1, 2)).fresh == ()
    assert not set(Effort((1, 2), confirm=True).fresh) & set(range(101))
    with pytest.raises(ValueError, match="looks ascend"):
        Effort((1, 2, 3), looks=LOOKS)


def scenario(seed: int) -> bp.Scenario:
    """A run that is soon made."""
    network = bp.Dumbbell(rate="1 Mbit/s", rtt="10 ms", queue="1 BDP")
    return bp.Scenario(name="short", duration="0.1 s", seed=seed, network=network, flows=[bp.Flow(controller="reno")])


def plan(effort: Effort) -> Mapping[Key, bp.Scenario]:
    return {(seed,): scenario(seed) for seed in (*effort.seeds, *effort.fresh)}


def noise(seeds: tuple[int, ...], shift: float) -> bp.Estimate:
    """Made-up values, one a seed: `shift` and an even spread of 2 around it."""
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
        return Finding(why=f"{len(effort.seeds)} seeds, {len(effort.fresh)} fresh", claims=claims)

    row = Row(id="L-1", place="p", what="w", says="more", plan=plan, read=read)
    return Study(name="looks", title="Looks", about="", rows=(row,))


@pytest.mark.parametrize(
    ("shift", "others", "seeds", "why", "verdict"),
    [
        (2.0, (), 10, "10 seeds, 0 fresh", Verdict.DIRECTION_ONLY),
        (-2.0, (), 10, "10 seeds, 0 fresh", Verdict.NOT_REPRODUCED),
        (0.55, (), 40, "40 seeds, 0 fresh", Verdict.DIRECTION_ONLY),  # 1.03 t / sqrt(n): 1.13, 0.67, 0.41, 0.22
        (0.1, (), 100, "100 seeds, 0 fresh", Verdict.UNDECIDED),
        (-2.0, (2.0,), 10, "10 seeds, 10 fresh", Verdict.DIRECTION_ONLY),
        (-2.0, (0.55, -3.0), 40, "40 seeds, 40 fresh", Verdict.DIRECTION_ONLY),
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
    assert (outcome.seeds, outcome.why, outcome.verdict) == (seeds, why, verdict)
    assert told[-1][0] == told[-1][1]
    assert [done for done, _ in told] == sorted(done for done, _ in told)
    made_runs = len(list(tmp_path.glob("runs/*/*/summary.json")))
    assert made_runs == seeds * (2 if outcome.confirmed else 1)
    again = reproduce([(study, study.rows)], effort, out=tmp_path)
    assert again.found["looks"]["L-1"] == outcome


# -- the page ---------------------------------------------------------------------------------------------------------


def test_the_first_screen_has_the_headline_claims_and_the_rest_stands_behind(tmp_path: Path) -> None:
    reading = InReading(name="access links of 20 Mbit/s", why="a modem's", measured=sure(10.0), fresh=sure(10.1))
    head = Claim(
        what="goodput",
        measured=sure(-5.0),
        paper=10.0,
        sign=1,
        headline="it is a tenth faster",
        readings=(reading,),
        decides="the access links",
        tool=bp.fixed(9.0),
        tool_note="ns-2.35, one run",
    )
    finding = Finding(why="so", claims=[head, claim(30.0)])
    row = Row(id="P-1", place="Figure 1", what="goodput", says="a tenth", read=lambda _: finding)
    study = Study(
        name="page",
        title="A paper",
        about="For tests.",
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
        "| P-1 | “it is a tenth faster” | +10 (± 2) % | -5.0 ± 0.1 % | -5.0 to +10.0 % (2 readings) | "
        "+9.0 % (ns-2.35, one run) | the access links | reproduced in a reading |"
    )
    assert "| A paper | 1 | 0 | 0 | 1 | 0 | 0 | 0 | 0 |" in lines
    assert "| A paper | 3 | 1 | 1 | 0 | 1 |" in lines
    assert lines.index("## Every row") > lines.index("## Rows by verdict") > lines.index(first)
    page = write(result, tmp_path, (study,)).read_text()
    for words in (
        "it is a tenth faster",
        "100 Mbit/s (never the bottleneck)",
        "20 Mbit/s (a modem&#39;s)",
        "5.7 s at 20 Mbit/s",
        "Tolerances: half of the last digit",
        "A claim was dropped. Moved the verdict: towards the paper.",
        "+10.1 ± 0.1 %",
        "Every row",
    ):
        assert words in page, words
    assert page.index("it is a tenth faster") < page.index("Every row")
