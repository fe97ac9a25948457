# SPDX-License-Identifier: MIT OR Apache-2.0
"""Axes over presets, proxies and percentages."""

from __future__ import annotations

import tomllib
from typing import Any

import pytest

import bentpipe as bp
from bentpipe._sweep._document import read
from bentpipe._sweep._plan import Plan
from bentpipe.base.toml import inline

#: A base with a key that only Starlink has, and flows with site names that all presets have.
BASE: dict[str, Any] = {
    "duration": "2 s",
    "network": {"preset": "starlink-2024-eu", "starlink": {"loss": {"down": {"per": 0.005}}}},
    "flows": [{"controller": "cubic", "from": "server", "to": "terminal"}],
}


def test_presets_with_own_keys_of_the_base() -> None:
    plan = Plan(read({"base": BASE, "axes": {"network.preset": ["starlink-2024-eu", "geo-ka-residential"]}}))
    starlink, geo = (plan.point(number).document["network"] for number in range(2))
    assert starlink == BASE["network"]
    assert geo == {"preset": "geo-ka-residential"}
    swept = bp.sweep(
        {"base": BASE, "axes": {"network.preset": ["starlink-2024-eu", "geo-ka-residential"]}, "seeds": {"at_least": 2}}
    )
    assert [row["error"] for row in swept.runs.arrow.to_pylist()] == [None] * 4


def test_every_preset_of_an_axis_has_its_note() -> None:
    """An axis over whole networks also chooses presets."""
    networks: list[Any] = [
        {"preset": "starlink-2024-eu"},
        {"dumbbell": {"rate": "10 Mbit/s", "rtt": "50 ms"}},
        {"preset": "geo-ka-residential"},
    ]
    axes = {"flows.controller": ["cubic", "reno"], "network": networks}
    said = Plan(read({"base": {**BASE, "flows": [{"controller": "cubic"}]}, "axes": axes})).presets
    assert [line.partition(":")[0] for line in said] == [
        "network preset starlink-2024-eu",
        "network preset geo-ka-residential",
    ]


def test_buffers_of_all_proxies() -> None:
    base: dict[str, Any] = {
        "duration": "1 s",
        "network": {"dumbbell": {"rate": "10 Mbit/s", "rtt": "500 ms"}},
        "flows": [{"controller": "cubic", "access": {"delay": "5 ms"}}],
        "peps": [{"at": ["left"], "buffer": "1 MB"}, {"at": ["right"], "buffer": "2 MB"}],
    }
    axes = {"peps.buffer": ["100 kB", "1 MB"]}
    plan = Plan(read({"base": base, "axes": axes}))
    assert [[pep["buffer"] for pep in plan.point(number).document["peps"]] for number in range(2)] == [
        ["100 kB", "100 kB"],
        ["1 MB", "1 MB"],
    ]
    assert "buffer_kb" in bp.sweep({"base": base, "axes": axes, "seeds": {"at_least": 1}}).points.columns
    with pytest.raises(bp.ScenarioError, match=r"`peps\.buffer` has no effect: the base has no \[\[peps\]\]"):
        read({"base": {key: value for key, value in base.items() if key != "peps"}, "axes": axes})


def test_losses_in_percent() -> None:
    base = {**BASE, "network": {"dumbbell": {"rate": "10 Mbit/s", "rtt": "50 ms"}}, "flows": [{"controller": "cubic"}]}
    swept = bp.sweep({"base": base, "axes": {"network.dumbbell.loss.per": ["0.1 %", "1 %"]}, "seeds": {"at_least": 1}})
    assert swept.points["per_percent"] == [0.1, 1.0]


@pytest.mark.parametrize(
    ("value", "wanted"),
    [
        ({"preset": "geo", "link": {"loss": {"per": 0.005}}}, '{ preset = "geo", link.loss.per = 0.005 }'),
        ([{"at": ["left", "right"], "is_on": True}], '[{ at = ["left", "right"], is_on = true }]'),
        ({"a b": {"c.d": 'say "1"\n'}, "empty": {}}, '{ "a b"."c.d" = "say \\"1\\"\\n", empty = {} }'),
        ([], "[]"),
        (1e-7, "1e-07"),
    ],
)
def test_a_value_on_one_line_is_toml(value: object, wanted: str) -> None:
    assert inline(value) == wanted
    assert tomllib.loads(f"x = {wanted}")["x"] == value
