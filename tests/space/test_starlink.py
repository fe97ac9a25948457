# SPDX-License-Identifier: MIT OR Apache-2.0
"""The tables of docs/starlink.md have the code's assumptions, and the code varies the named assumptions."""

from __future__ import annotations

import tomllib

import pytest

from bentpipe import _core
from doc_pages import starlink
from project import ROOT


def test_the_page_has_every_assumption_of_every_path() -> None:
    page = starlink.between((ROOT / "docs" / "starlink.md").read_text(encoding="utf-8"))
    tables = page.split("| CUBIC over the preset's |")
    assert len(tables) == 1 + len(starlink.PRESETS) * len(starlink.DIRECTIONS)
    for preset in starlink.PRESETS:
        for direction in starlink.DIRECTIONS:
            table = page.split(f"| {preset}, {direction} |")[1].split("\n\n")[0]
            names = [line.split("|")[1].strip() for line in table.splitlines()[2:]]
            assert names == [what.name for what in starlink.assumptions(preset, direction)]


@pytest.mark.parametrize("preset", starlink.PRESETS)
@pytest.mark.parametrize("direction", starlink.DIRECTIONS)
def test_bursts_of_another_shape_have_the_mean_they_say(preset: str, direction: starlink.Direction) -> None:
    first, *others = starlink.assumptions(preset, direction)
    path = tomllib.loads(_core.facts(_core.Job(starlink._scenario(preset, direction, first), "x")).resolved)["network"][
        "starlink"
    ]
    mean = starlink.mean_loss(path["loss"][direction])
    means = {what.name: starlink.mean_loss(what.loss) / mean for what in others if what.loss is not None}
    factors = {"loss: none": 0.0, "loss: half as much": 0.5, "loss: twice as much": 2.0}
    assert means == {name: pytest.approx(factors.get(name, 1.0)) for name in means}


# B has 0.5 % in both directions: bad for 0.033/(0.033 + 0.84) of the time with 14 % loss; 0.0087/(0.0087 + 0.42), 25 %.
def test_the_means_are_the_sources() -> None:
    up = {"bursts": {"to_bad": 0.033, "to_good": 0.84, "loss": 0.14}}
    down = {"bursts": {"to_bad": 0.0087, "to_good": 0.42, "loss": 0.25}}
    assert [round(100 * starlink.mean_loss(loss), 2) for loss in (up, down)] == [0.53, 0.51]


def test_a_changed_assumption_reaches_the_link() -> None:
    for what in starlink.assumptions("starlink-isl", "down")[1:]:
        text = starlink._scenario("starlink-isl", "down", what)
        network = tomllib.loads(_core.facts(_core.Job(text, "x")).resolved)["network"]["starlink"]
        if what.loss is not None:
            assert starlink.mean_loss(network["loss"]["down"]) == pytest.approx(starlink.mean_loss(what.loss))
        else:
            assert network["queue"]["down"] == f"{what.packets} packets"
        # The other direction does not change.
        assert network["queue"]["up"] == "503 packets"


def test_the_answer_says_what_moves_cubic() -> None:
    def line(name: str, cubic: float, bbr: float) -> starlink.Line:
        return starlink.Line(starlink.Assumption(name), cubic, bbr, 0.0)

    first = line("as it is", 10, 20)
    assert "depends on none" in starlink.answer([first, line("a", 14, 20), line("b", 7, 20)])
    told = starlink.answer([first, line("a", 16, 20), line("b", 6, 20), line("c", 14, 13)])
    assert told == "CUBIC's result depends on “a”, “b”; the faster controller changes with “c”."
