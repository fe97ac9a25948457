# SPDX-License-Identifier: MIT OR Apache-2.0
"""Rain, power and G/T of single sites and gateways, which replace values in the budgets of their links."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from test_feeder_budgets import DOWN, MODEM, UP, rate_of

import bentpipe as bp
from bentpipe import _core
from shared_skies import STILL

if TYPE_CHECKING:
    from pathlib import Path

#: All sites are at one place, so that only their keys differ. The satellite is at 5 degrees east.
PLACE = {"latitude": "46 deg", "longitude": "20 deg"}
RAIN = {"rate_001": "30 mm/h", "height": "3 km", "probability": 0.5}


def pair(
    budget: dict[str, Any],
    one: dict[str, Any],
    other: dict[str, Any],
    gateway: dict[str, Any] | None = None,
    feeder: dict[str, Any] | None = None,
) -> bp.Scenario:
    """Two dishes are under one satellite, and one sends to the other. A gateway is at the same place."""
    network = bp.Constellation(
        walker=STILL,
        isl=False,
        min_elevation="10 deg",
        user_link=bp.UserLink(budget=budget, queue="50 packets"),
        feeder=bp.MovingLink(budget=feeder, queue="50 packets") if feeder else None,
        pops=[bp.Place(name="Zagreb")],
        gateways=[bp.Gateway(name="teleport", pop="Zagreb", **PLACE, **(gateway or {}))],
        sites=[bp.Site(name="one", **PLACE, **one), bp.Site(name="other", **PLACE, **other)],
    )
    flows = [
        bp.Flow(from_=from_, to=to, kind="cbr", rate="100 kbit/s", packet="1500 B")
        for from_, to in (("one", "other"), ("other", "one"))
    ]
    return bp.Scenario(name="pair", duration="2 min", seed=6, network=network, flows=flows)


def rates(run: bp.Run, ends: str) -> set[float]:
    """Return the rates of a link. Ends are written as in "one >" (uplink) and "> one" (downlink)."""
    rows = run.weather.arrow.to_pylist()
    found = {row["rate_mbit_s"] for row in rows if row["name"].startswith(ends) or row["name"].endswith(ends)}
    assert found
    return found


def test_a_site_has_power_and_g_over_t_of_its_own(tmp_path: Path) -> None:
    """Each link has the rate that `bentpipe link-budget` computes for its hop. The other site keeps the budget's."""
    scenario = pair(MODEM | {"up": UP, "down": DOWN}, {"eirp": "54 dBW", "g_over_t": "23 dB/K"}, {})
    scenario.duration = "2 s"
    run = bp.run(scenario)
    assert rates(run, "one > ") == {rate_of(UP | {"eirp": "54 dBW"}, tmp_path)}
    assert rates(run, " > one") == {rate_of(DOWN | {"g_over_t": "23 dB/K"}, tmp_path)}
    assert rates(run, "other > ") == {rate_of(UP, tmp_path)}
    assert rates(run, " > other") == {rate_of(DOWN, tmp_path)}
    assert len({*rates(run, "one > "), *rates(run, "other > ")}) == 2
    assert len({*rates(run, " > one"), *rates(run, " > other")}) == 2


def rain_of(scenario: bp.Scenario, site: str) -> list[tuple[float, float]]:
    rows = bp.run(scenario).weather.arrow.to_pylist()
    return [(row["time_s"], row["rain_up_db"]) for row in rows if row["name"].startswith(f"{site} > ")]


def test_a_site_has_rain_of_its_own() -> None:
    """The site's rain equals the rain of a budget with these numbers. The rain of the other site is unchanged."""
    heavy = {"rate_001": "100 mm/h", "height": "5 km"}
    strong = {"eirp": "70 dBW"}
    plain = MODEM | {"up": UP | strong | {"rain": RAIN}, "down": DOWN | strong}
    all_heavy = MODEM | {"up": UP | strong | {"rain": RAIN | heavy}, "down": DOWN | strong}
    own = pair(plain, {"rain": heavy}, {})
    assert rain_of(own, "one") == rain_of(pair(all_heavy, {}, {}), "one")
    assert rain_of(own, "other") == rain_of(pair(plain, {}, {}), "other")
    assert rain_of(own, "one") != rain_of(pair(plain, {}, {}), "one")
    # If the budget has no rain, the site gives all values.
    dry = MODEM | {"up": UP | strong, "down": DOWN | strong}
    alone = pair(dry, {"rain": RAIN}, {})
    assert rain_of(alone, "one") == rain_of(pair(plain, {}, {}), "one")
    assert {rain for _, rain in rain_of(alone, "other")} == {0.0}


def test_where_it_rains_on_one_way_alone_the_other_stays_dry() -> None:
    budget = MODEM | {"up": UP | {"rain": RAIN}, "down": DOWN}
    rows = bp.run(pair(budget, {"rain": RAIN | {"rate_001": "200 mm/h"}}, {})).weather.arrow.to_pylist()
    down = {row["rain_down_db"] for row in rows if row["name"].endswith(" > one")}
    up = {row["rain_up_db"] for row in rows if row["name"].startswith("one > ")}
    assert down == {0.0}
    assert max(up) > 0.0


def test_sites_of_one_cell_are_in_one_rain() -> None:
    budget = MODEM | {"up": UP | {"rain": RAIN}, "down": DOWN}
    apart = pair(budget, {}, {})
    assert rain_of(apart, "one") != rain_of(apart, "other")
    together = pair(budget, {"rain": {"cell": "here"}}, {"rain": {"cell": "here"}})
    assert rain_of(together, "one") == rain_of(together, "other")


def test_a_gateway_has_its_own(tmp_path: Path) -> None:
    from test_feeder_budgets import fed, stream

    budget = MODEM | {"up": UP, "down": DOWN}
    scenario = fed(budget, [stream("server", "farm"), stream("farm", "server")], eirp="54 dBW", g_over_t="23 dB/K")
    run = bp.run(scenario)
    assert rates(run, "teleport > ") == {rate_of(UP | {"eirp": "54 dBW"}, tmp_path)}
    assert rates(run, " > teleport") == {rate_of(DOWN | {"g_over_t": "23 dB/K"}, tmp_path)}


@pytest.mark.parametrize(
    ("budget", "own", "said"),
    [
        (
            MODEM | {"up": UP, "down": DOWN},
            {"rain": {"height": "3 km"}},
            r"sites\[0\].rain.rate_001: the link budget has no rain",
        ),
        (
            MODEM | {"up": UP, "down": DOWN},
            {"rain": {"rate_001": "3 mm/h"}},
            r"sites\[0\].rain.height: the link budget has no rain",
        ),
        (MODEM | {"up": UP, "down": DOWN}, {"eirp": "500 dBW"}, "must be within -100 dBW and 200 dBW"),
    ],
)
def test_what_is_refused(budget: dict[str, Any], own: dict[str, Any], said: str) -> None:
    with pytest.raises(bp.ScenarioError, match=said):
        bp.run(pair(budget, own, {}))


@pytest.mark.parametrize("key", ["eirp", "g_over_t", "rain"])
def test_where_no_budget_is_nothing_is_changed(key: str) -> None:
    own: dict[str, Any] = {"eirp": "50 dBW", "g_over_t": "10 dB/K", "rain": RAIN}
    network = bp.Constellation(preset="iridium", sites=[bp.Site(name="Paris", **{key: own[key]})])
    scenario = bp.Scenario(network=network, flows=[bp.Flow(from_="Paris", to="Madrid", controller="reno")])
    with pytest.raises(bp.ScenarioError, match=rf"sites\[0\].{key}: this key changes the link budget"):
        bp.run(scenario)
    # The keys are also refused for a place with fibre and without a dish.
    wired = bp.Site(name="x", fibre=True, **PLACE, **{key: own[key]})
    network = bp.Constellation(preset="starlink-550", pops=[bp.Place(name="Zagreb")], sites=[wired])
    scenario = bp.Scenario(network=network, flows=[bp.Flow(from_="x", to="Madrid", controller="reno")])
    with pytest.raises(bp.ScenarioError, match="`fibre` means that this place has no dish"):
        bp.run(scenario)


def test_what_is_written_out_is_read_as_the_same() -> None:
    budget = MODEM | {"up": UP | {"rain": RAIN}, "down": DOWN}
    own = {"eirp": "54 dBW", "g_over_t": "23 dB/K", "rain": {"height": "4 km", "cell": "here"}}
    once = pair(budget, own, {}, {"eirp": "52 dBW"}, budget).resolved()
    for written in ('eirp = "54 dBW"', 'g_over_t = "23 dB/K"', 'height = "4000 m"', 'eirp = "52 dBW"'):
        assert written in once
    assert str(_core.facts(_core.Job(once, "case.toml")).resolved) == once
