# SPDX-License-Identifier: MIT OR Apache-2.0
"""Link budgets of feeder links, against what `bentpipe link-budget` says of a station where the gateway stands."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
import tomli_w

import bentpipe as bp
from bentpipe import _core
from shared_skies import STILL

if TYPE_CHECKING:
    from pathlib import Path

MODEM = {"bandwidth": "2 MHz", "hysteresis": "0 dB", "reaction": "0 s"}
#: Weaker on the way down, so that the two ways differ.
UP = {"frequency": "29 GHz", "eirp": "51 dBW", "g_over_t": "9 dB/K"}
DOWN = {"frequency": "19 GHz", "eirp": "31 dBW", "g_over_t": "20 dB/K"}
#: Where the gateway is; the satellite stands over 5 degrees east.
PLACE: dict[str, Any] = {"latitude": "46 deg", "longitude": "20 deg"}


def fed(budget: dict[str, Any], flows: list[bp.Flow], **changes: Any) -> bp.Scenario:
    """A site under a satellite that hears one gateway; the user's links are wide."""
    network = bp.Constellation(
        walker=STILL,
        isl=False,
        min_elevation=changes.pop("min_elevation", "10 deg"),
        user_link=bp.UserLink(rate="1 Gbit/s", queue="100 packets"),
        feeder=bp.MovingLink(budget=budget, queue="50 packets"),
        pops=[bp.Place(name="Zagreb")],
        gateways=[bp.Gateway(name="teleport", pop="Zagreb", **PLACE, **changes)],
        sites=[
            bp.Site(name="farm", latitude="52 deg", longitude="5 deg"),
            bp.Site(name="server", latitude="45.8 deg", longitude="16 deg", fibre=True),
        ],
    )
    return bp.Scenario(name="fed", duration="4 s", warm_up="2 s", network=network, flows=flows)


def stream(from_: str, to: str) -> bp.Flow:
    return bp.Flow(from_=from_, to=to, kind="cbr", rate="20 Mbit/s", packet="1500 B")


def rate_of(hop: dict[str, str], tmp_path: Path) -> float:
    """What `bentpipe link-budget` says of a station there."""
    file = tmp_path / "hop.toml"
    file.write_text(tomli_w.dumps({"budget": MODEM | {"down": hop | PLACE | {"satellite": "5 deg"}}}))
    rate = bp.link_budget(file)["states"][0]["rate_mbit_s"]
    assert isinstance(rate, float)
    return rate


def test_each_way_has_the_rate_of_its_hop(tmp_path: Path) -> None:
    budget = MODEM | {"up": UP, "down": DOWN}
    ways = [("server", "farm", UP), ("farm", "server", DOWN)]
    rates = [rate_of(hop, tmp_path) for *_, hop in ways]
    assert rates[0] > 1.5 * rates[1]
    for (from_, to, _), rate in zip(ways, rates, strict=True):
        scenario = fed(budget, [stream(from_, to)])
        assert set(bp.path_trace(scenario, step="1 s")["rate_mbit_s"]) == {rate}
        assert bp.run(scenario).summary["flows"][0]["goodput_mbit_s"] == pytest.approx(rate, rel=0.01)


def test_rain_over_the_gateway_is_that_of_its_cell() -> None:
    """It takes of the feeder's rate, on both ways; a site in the same cell is in the same rain."""
    rain = {"rate_001": "100 mm/h", "height": "5 km", "probability": 0.5}

    def rates(cell: dict[str, str], seed: int) -> list[float | None]:
        budget = MODEM | {"up": UP | {"rain": rain | cell}, "down": DOWN}
        scenario = fed(budget, [stream("server", "farm")])
        scenario.duration, scenario.seed = "20 min", seed
        return list(bp.path_trace(scenario, step="5 s")["rate_mbit_s"])

    clear = bp.path_trace(fed(MODEM | {"up": UP, "down": DOWN}, [stream("server", "farm")]))["rate_mbit_s"][0]
    drawn = [rates({}, seed) for seed in range(1, 7)]
    assert all((rate or 0.0) <= clear + 1e-9 for one in drawn for rate in one)
    assert sum(min(rate or 0.0 for rate in one) < clear for one in drawn) >= 2
    # The gateway's name is that of its cell.
    assert drawn[0] == rates({"cell": "teleport"}, 1)
    assert drawn != [rates({"cell": "elsewhere"}, seed) for seed in range(1, 7)]


@pytest.mark.parametrize(
    ("budget", "changes", "said"),
    [
        (MODEM | {"up": UP}, {}, "needs the hop `down`"),
        (MODEM | {"down": DOWN}, {}, "needs the hop `up`"),
        (MODEM | {"up": UP | {"elevation": "40 deg"}, "down": DOWN}, {}, "the positions of the satellite"),
        (
            MODEM | {"up": UP, "down": DOWN},
            {"min_elevation": "4 deg"},
            "budget of feeder apply only to elevations of 5 deg or more",
        ),
    ],
)
def test_what_is_refused(budget: dict[str, Any], changes: dict[str, Any], said: str) -> None:
    with pytest.raises(bp.ScenarioError, match=said):
        bp.run(fed(budget, [stream("server", "farm")], **changes))


def test_between_satellites_there_is_no_weather() -> None:
    network = bp.Constellation(preset="iridium", isl=bp.Isl(budget=MODEM | {"down": DOWN}))
    scenario = bp.Scenario(network=network, flows=[bp.Flow(from_="Paris", to="Madrid", controller="reno")])
    with pytest.raises(bp.ScenarioError, match="inter-satellite links take no link budget"):
        bp.run(scenario)


def test_what_is_written_out_is_read_as_the_same() -> None:
    rain = {"rate_001": "30 mm/h", "height": "4 km"}
    scenario = fed(MODEM | {"up": UP | {"rain": rain}, "down": DOWN}, [stream("server", "farm")])
    once = scenario.resolved()
    assert str(_core.facts(_core.Job(once, "case.toml")).resolved) == once
