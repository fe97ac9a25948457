# SPDX-License-Identifier: MIT OR Apache-2.0
"""The declarative form of rows: statements on numbers, the parts of a finding, and tables."""

from __future__ import annotations

from collections.abc import Sequence
from types import SimpleNamespace
from typing import cast

from matplotlib.figure import Figure

import bentpipe as bp
from bentpipe.study import (
    Claim,
    Column,
    Effort,
    Picture,
    Row,
    Runs,
    Sheet,
    above,
    at_least,
    at_most,
    below,
    claim,
    each,
    equals,
    found,
    grid,
    heads,
    otherwise,
    paired,
    reads,
    table,
)


def runs_of(*numbers: float) -> list[bp.Run]:
    return [cast("bp.Run", SimpleNamespace(number=number)) for number in numbers]


def number(runs: Sequence[bp.Run]) -> list[float]:
    return [float(getattr(run, "number")) for run in runs]  # noqa: B009 - a run has none


ONE = bp.fixed(1.0)


def test_what_is_said_of_a_number_is_a_claim_in_full() -> None:
    assert claim("x", ONE, above("Mbit/s", 2)) == Claim(what="x", measured=ONE, sign=1, unit="Mbit/s", digits=2)
    assert claim("x", ONE, below(than=50.0), note="n") == Claim(what="x", measured=ONE, sign=-1, neutral=50.0, note="n")
    assert claim("x", ONE, equals(3.0, within=0.5, sign=1, check=True)) == Claim(
        what="x", measured=ONE, paper=3.0, tolerance=0.5, sign=1, check=True
    )
    assert claim("x", ONE, at_most(25.0, "MB")) == Claim(
        what="x", measured=ONE, paper=25.0, sign=-1, bound=True, tolerance=0.0, unit="MB"
    )
    assert claim("x", ONE, at_least(2.0, within=0.1)) == Claim(
        what="x", measured=ONE, paper=2.0, sign=1, bound=True, tolerance=0.1
    )


def test_a_finding_takes_its_parts_by_kind_in_their_order() -> None:
    one, other = claim("a", ONE, above()), claim("b", ONE, below())
    sheet, picture = Sheet("t", ("h",), [["1"]]), Picture("p", Figure())
    told = found("because", one, "first", sheet, other, picture, "second")
    assert (told.why, list(told.claims), list(told.sheets)) == ("because", [one, other], [sheet])
    assert (list(told.pictures), list(told.notes)) == ([picture], ["first", "second"])


def test_a_row_stands_in_front_of_what_reads_it() -> None:
    @reads(id="T-01", place="p", what="w", says="s", plan=lambda _: {})
    def read(_: Runs) -> object:
        return found("why")

    assert isinstance(read, Row)
    assert (read.id, read.plan(Effort((1,)))) == ("T-01", {})
    assert read.read(cast("Runs", None)).why == "why"


def test_differences_are_paired_and_readings_named() -> None:
    assert paired([3.0, 5.0], [1.0, 3.0]) == bp.fixed(2.0)  # the same of every seed: there is no chance
    first, second = otherwise({"a": "because", "b": "why not"}, lambda name: bp.fixed(float(ord(name))))
    assert (first.name, first.why, first.measured.mean, second.measured.mean) == ("a", "because", 97.0, 98.0)


def test_a_table_has_a_line_for_each_group_of_runs() -> None:
    columns = (
        Column("rate", number, 1),
        Column("against a", number, against=lambda _: ("a", 1)),
        Column("known", lambda runs: [value for value in number(runs) if value > 3.0]),
    )
    lines = {("a", 1): runs_of(2.0, 2.0), ("b", 2): runs_of(3.0, 3.0)}
    sheet = table("t", "name | flows", lines, columns)
    assert sheet.head == ("name", "flows", "rate", "against a", "known")
    assert sheet.rows == [["a", "1", "2.0", "–", "–"], ["b", "2", "3.0", "+50.0 %", "–"]]


def test_a_table_says_how_many_runs_its_lines_have_where_they_differ() -> None:
    sheet = table("t", "name", {("a",): runs_of(1.0, 1.0), ("b",): runs_of(1.0, 1.0, 1.0)}, (Column("x", number, 0),))
    assert (sheet.head, [line[:2] for line in sheet.rows]) == (("name", "n", "x"), [["a", "2"], ["b", "3"]])


def test_a_grid_has_one_number_over_two_things() -> None:
    sheet = grid("t", "n", (1, 2), {"plus": 1, "none": 0}, lambda a, b: bp.fixed(a + b) if b else "–", digits=0)
    assert sheet == Sheet("t", ("n", "plus", "none"), [["1", "2", "–"], ["2", "3", "–"]])


def test_heads_are_written_in_one_text() -> None:
    assert heads(" | a, ms | b") == ("", "a, ms", "b")
    assert each(lambda run: getattr(run, "number"))(runs_of(1.0, 2.0)) == [1.0, 2.0]  # noqa: B009
