# SPDX-License-Identifier: MIT OR Apache-2.0
"""Link budgets of user links: at each time, the rate equals `bentpipe link-budget` for a satellite at this position."""

from __future__ import annotations

import json
import math
from typing import Any

import pytest
from test_sight import MOVES_RAD_S, equator, stands

import bentpipe as bp
from bentpipe import _core

HOP = '{ frequency = "11.7 GHz", eirp = "22 dBW", g_over_t = "9 dB/K", losses = "0.5 dB"'
MODEM = 'bandwidth = "24 MHz", hysteresis = "0 dB", reaction = "0 s"'


@pytest.mark.parametrize(("way", "hop"), [("uplink", "up"), ("downlink", "down")])
def test_a_budget_has_the_rate_of_the_same_elevation(way: str, hop: str, cli: Any, tmp_path: Any) -> None:
    """At each time, the rate equals the one that `bentpipe link-budget` prints for a satellite at this position."""
    links = f"{way} = {{ budget = {{ {MODEM}, {hop} = {HOP} }} }} }}"
    table = bp.path_trace(equator(links, duration="100 s").replace("100 Mbit/s", "1 Gbit/s"), step="5 s")
    found = dict(zip(table["time_s"], table["rate_mbit_s"], strict=True))
    rates = []
    for time in (0.0, 30.0, 60.0, 95.0):
        apart = MOVES_RAD_S * time - (math.radians(0.5) if way == "downlink" else 0.0)
        elevation_deg, range_km = stands(apart)
        there = f'elevation = "{elevation_deg:.6f} deg", range = "{range_km:.6f} km"'
        (tmp_path / "b.toml").write_text(f"[budget]\n{MODEM.replace(', ', chr(10))}\ndown = {HOP}, {there} }}\n")
        answer = json.loads(cli("link-budget", tmp_path / "b.toml", "--json").stdout)
        rates.append(answer["states"][0]["rate_mbit_s"])
        assert found[time] == pytest.approx(rates[-1], abs=1e-5)
    assert rates[0] > rates[2] > rates[3] > 0


@pytest.mark.parametrize(("way", "hop"), [("uplink", "up"), ("downlink", "down")])
def test_a_moment_has_the_sight_and_the_rate_of_the_pass(way: str, hop: str) -> None:
    """Elevation and distance follow from the geometry, by hand. The rate is the rate that packets have at this time."""
    text = equator(f"{way} = {{ budget = {{ {MODEM}, {hop} = {HOP} }} }} }}", duration="100 s")
    text = text.replace("100 Mbit/s", "1 Gbit/s")
    table = bp.path_trace(text, step="5 s")
    found = dict(zip(table["time_s"], table["rate_mbit_s"], strict=True))
    for time in (0.0, 30.0, 95.0):
        apart = MOVES_RAD_S * time - (math.radians(0.5) if way == "downlink" else 0.0)
        elevation_deg, range_km = stands(apart)
        name = "Here > custom 1/1" if way == "uplink" else "custom 1/1 > There"
        (told,) = bp.link_budgets(text, at=f"{time:g} s", link=name)
        (place,) = told["hops"]
        assert place["name"] == told["states"][1]["hops"][0]["name"] == hop
        assert place["elevation_deg"] == pytest.approx(elevation_deg, abs=1e-4)
        assert place["range_km"] == pytest.approx(range_km, abs=1e-3)
        assert told["states"][1]["rate_mbit_s"] == pytest.approx(found[time], abs=1e-5)
        assert told["states"][0] == told["states"][1], "the sky is clear"


def test_rain_is_one_of_a_site_and_takes_of_the_rate() -> None:
    """Uplink and downlink of a site have the same rain, which the seed draws. Rain never makes a link faster."""
    rain = ', rain = { rate_001 = "100 mm/h", height = "5 km", probability = 0.5 }'
    both = f"user_link = {{ budget = {{ {MODEM}, up = {HOP}{{rain}} }}, down = {HOP}{{rain}} }} }} }}"
    text = equator("", duration="100 s").replace('user_link = { rate = "100 Mbit/s" }', both.replace("{rain}", "RAIN"))
    text = text.replace("11.7 GHz", "29 GHz").replace("22 dBW", "30 dBW")
    clear = bp.path_trace(text.replace("RAIN", ""), step="5 s")["rate_mbit_s"]
    drawn = [bp.path_trace(f"seed = {seed}\n" + text.replace("RAIN", rain), step="5 s") for seed in (1, *range(1, 9))]
    assert list(drawn[0]["rate_mbit_s"]) == list(drawn[1]["rate_mbit_s"])
    wet = [table["rate_mbit_s"] for table in drawn[1:]]
    assert all((rainy or 0.0) <= dry + 1e-9 for rates in wet for rainy, dry in zip(rates, clear, strict=True))
    assert any(list(rates) != list(clear) for rates in wet)


def test_rain_is_that_of_a_plain_link_that_stands_so() -> None:
    """The satellite stays 40 degrees east. A plain budget of this hop in this rain has the same rates."""
    hop = 'frequency = "29 GHz", eirp = "62 dBW", g_over_t = "9 dB/K"'
    rain = 'rain = { rate_001 = "120 mm/h", height = "5 km", probability = 0.5'
    modem = 'bandwidth = "24 MHz", reaction = "0 s"'
    # The equator's radius, and the radius of the geostationary orbit.
    near, far = 6378.137, 6378.137 + 35_786.0
    range_km = math.sqrt(near**2 + far**2 - 2 * near * far * math.cos(math.radians(40)))
    elevation_deg = math.degrees(math.asin((far * math.cos(math.radians(40)) - near) / range_km))
    there = f'elevation = "{elevation_deg:.6f} deg", range = "{range_km:.6f} km", latitude = "0 deg"'
    moving = equator(f"uplink = {{ budget = {{ {modem}, up = {{ {hop}, {rain} }} }} }} }}", duration="1800 s").replace(
        "100 Mbit/s", "1 Gbit/s"
    )
    moving = moving.replace("550 km", "35786 km").replace(
        'inclination = "0 deg"', 'inclination = "0 deg", first_node = "40 deg"'
    )
    plain = f"""
duration = "1800 s"
network.dumbbell = {{ rtt = "9 ms", budget = {{ {modem}, down = {{ {hop}, {there}, {rain}, cell = "Here" }} }} }} }}
flows = [{{ controller = "reno" }}]
"""
    moved = 0
    for seed in range(1, 9):
        one, other = (bp.path_trace(f"seed = {seed}\n{text}", step="1 s")["rate_mbit_s"] for text in (moving, plain))
        assert list(one) == pytest.approx(list(other), abs=1e-5)
        moved += len(set(one)) > 1
    assert moved >= 2


@pytest.mark.parametrize(
    ("links", "said"),
    [
        (f"feeder = {{ budget = {{ {MODEM}, down = {HOP} }} }} }}", "needs the hop `up`"),
        (f"uplink = {{ budget = {{ {MODEM}, down = {HOP} }} }} }}", "needs the hop `up`"),
        (
            f'downlink = {{ budget = {{ {MODEM}, down = {HOP}, range = "900 km" }} }} }}',
            "the positions of the satellite",
        ),
        (
            f'downlink = {{ rate = "1 Mbit/s", budget = {{ {MODEM}, down = {HOP} }} }} }}',
            "`rate` and `budget` contradict",
        ),
        (
            f'uplink = {{ budget = {{ {MODEM}, up = {HOP}, noise_temperature = "99 K" }} }} }}',
            "receives the noise of the warm Earth",
        ),
    ],
)
def test_what_is_refused(links: str, said: str) -> None:
    with pytest.raises(bp.ScenarioError, match=said):
        bp.run(equator(links))


def test_the_recommendations_begin_at_five_degrees() -> None:
    low = equator(f"downlink = {{ budget = {{ {MODEM}, down = {HOP} }} }} }}").replace('"25 deg"', '"4 deg"', 1)
    with pytest.raises(bp.ScenarioError, match="apply only to elevations of 5 deg or more"):
        bp.run(low)


def test_what_is_written_out_is_read_as_the_same() -> None:
    rain = ', rain = { rate_001 = "30 mm/h", height = "4 km" }'
    links = f"user_link = {{ budget = {{ {MODEM}, up = {HOP}{rain} }}, down = {HOP} }} }} }}"
    text = equator("", duration="5 s").replace('user_link = { rate = "100 Mbit/s" }', links)
    once = str(_core.facts(_core.Job(text, "case.toml")).resolved)
    assert str(_core.facts(_core.Job(once, "case.toml")).resolved) == once
