# SPDX-License-Identifier: MIT OR Apache-2.0
"""Links that share a transmitter and have rates by the hour or link budgets. Shares are computed by hand."""

from __future__ import annotations

from pathlib import Path

import pytest
import tomli_w

import bentpipe as bp
from shared_skies import STILL, TERMINALS, below, goodput

#: Humid air at a line of water vapour: at a low elevation the signal is a few decibels weaker.
HOP = {"frequency": "22.2 GHz", "eirp": "48 dBW", "g_over_t": "12 dB/K", "sky": {"vapour": "20 g/m3"}}
MODEM = {"bandwidth": "3 MHz", "hysteresis": "0 dB", "reaction": "0 s"}


def varied(link: bp.MovingLink, up: bool = False, asked: tuple[float, ...] = (8, 8, 2), **shared: str) -> list[float]:
    """Return the goodputs of the terminals of a satellite with one transmitter for all of them."""
    shared = shared or {"uplink" if up else "downlink": "satellite"}
    scenario = below(asked, up=up, shared=bp.SharedLinks(**shared), route_step="500 ms")
    assert isinstance(scenario.network, bp.Constellation)
    if up:
        scenario.network.uplink = link.to_document()
    else:
        scenario.network.downlink = link
    return goodput(scenario)


@pytest.mark.parametrize("up", [False, True], ids=["down", "up"])
@pytest.mark.parametrize("clock", ["UTC", "local"])
def test_a_rate_by_the_hour_is_shared(clock: str, up: bool) -> None:
    """The rate is 10 Mbit/s for 6 s, then 5. Lagos asks for 2: it gets them from the 10, and a third of the 5."""
    # At 10 degrees east, solar time is 40 minutes ahead.
    start = {"UTC": "6 h", "local": "19200 s"}[clock]
    rates = [("6 h", "10 Mbit/s"), ("21605.9 s", "10 Mbit/s"), ("21605.95 s", "5 Mbit/s"), ("7 h", "5 Mbit/s")]
    link = bp.MovingLink(rate_by_hour={"clock": clock, "start": start, "rates": rates}, queue="20 packets")
    # Data that arrive from 2 to 10 s were sent one or two hops earlier. A hop is 37,000 to 39,000 km long.
    fast = 4 + (0.25 if up else 0.125)
    expected = [(fast * wide + (8 - fast) * 5 / 3) / 8 for wide in (4, 4, 2)]
    assert varied(link, up) == pytest.approx(expected, rel=0.01)


def east(
    lon_deg: tuple[float, float],
    link: bp.MovingLink,
    scope: str | None,
    rights: tuple[dict[str, int], dict[str, int]] = ({}, {}),
    asked: tuple[float, float] = (12, 12),
    turns: str | None = None,
) -> list[float]:
    """Return the goodputs of two sites at these longitudes. By default they ask for more than the link carries."""
    network = bp.Constellation(
        walker=STILL,
        isl=False,
        min_elevation="10 deg",
        uplink=bp.UserLink(rate="1 Gbit/s", queue="100 packets"),
        downlink=link,
        sites=[
            *(
                bp.Site(name=f"at {lon}", latitude="40 deg", longitude=f"{lon} deg", **right)
                for lon, right in zip(lon_deg, rights, strict=True)
            ),
            bp.Site(name="hub", latitude="45 deg", longitude="5 deg"),
        ],
        shared=bp.SharedLinks(downlink=scope, turns=turns) if scope else None,
    )
    flows = [
        bp.Flow(from_="hub", to=f"at {lon}", kind="cbr", rate=f"{wants} Mbit/s", packet="1500 B", start=f"{at} ms")
        for at, (lon, wants) in enumerate(zip(lon_deg, asked, strict=True))
    ]
    run = bp.run(bp.Scenario(name="east", duration="6 s", warm_up="2 s", network=network, flows=flows))
    return [flow["goodput_mbit_s"] for flow in run.summary["flows"]]


def test_two_hours_of_the_day_share_a_transmitter() -> None:
    """15 degrees are one hour. Turns are fair in bytes: with 10 and 5 Mbit/s each site gets 1 / (1/10 + 1/5)."""
    rates = [("6 h", "10 Mbit/s"), ("6.5 h", "10 Mbit/s"), ("6.6 h", "5 Mbit/s"), ("8 h", "5 Mbit/s")]
    by_hour = {"clock": "local", "start": "6 h", "rates": rates}
    link = bp.MovingLink(rate_by_hour=by_hour, queue="20 packets")
    assert east((0, 15), link, None) == pytest.approx((10, 5), rel=0.01)
    assert east((0, 15), link, "satellite") == pytest.approx((10 / 3, 10 / 3), rel=0.01)


def test_turns_by_time_leave_each_what_it_would_have_of_its_part() -> None:
    """With the same two sites, each one sends half of the time: 5 Mbit/s of the 10, and 2.5 of the 5."""
    rates = [("6 h", "10 Mbit/s"), ("6.5 h", "10 Mbit/s"), ("6.6 h", "5 Mbit/s"), ("8 h", "5 Mbit/s")]
    link = bp.MovingLink(rate_by_hour={"clock": "local", "start": "6 h", "rates": rates}, queue="20 packets")
    assert east((0, 15), link, "satellite", turns="time") == pytest.approx((5, 2.5), rel=0.01)
    # Weights divide the time: 3 of 4 quarters.
    got = east((0, 15), link, "satellite", ({}, {"weight": 3}), turns="time")
    assert got == pytest.approx((2.5, 3.75), rel=0.01)
    # The site with priority gets all that it asks for, and the other site gets the rest of the time.
    got = east((0, 15), link, "satellite", ({}, {"priority": 1}), asked=(12, 2), turns="time")
    assert got == pytest.approx((6, 2), rel=0.01)


def test_who_wants_less_than_its_time_leaves_the_rest() -> None:
    """The slow site asks for 1 of its 5 Mbit/s, a fifth of the time. The fast site gets the other four fifths."""
    rates = [("6 h", "10 Mbit/s"), ("6.5 h", "10 Mbit/s"), ("6.6 h", "5 Mbit/s"), ("8 h", "5 Mbit/s")]
    link = bp.MovingLink(rate_by_hour={"clock": "local", "start": "6 h", "rates": rates}, queue="20 packets")
    assert east((0, 15), link, "satellite", asked=(12, 1), turns="time") == pytest.approx((8, 1), rel=0.01)


def test_of_one_rate_turns_by_time_are_turns_by_bytes() -> None:
    for case in ((8, 8, 2), (8, 1, 8)):
        by = [goodput(below(case, shared=bp.SharedLinks(downlink="satellite", turns=by))) for by in ("bytes", "time")]
        assert by[0] == pytest.approx(by[1], rel=0.001)


def test_turns_that_nobody_waits_for_are_refused() -> None:
    with pytest.raises(bp.ScenarioError) as refused:
        bp.run(below((1, 1, 1), shared=bp.SharedLinks(turns="time")))
    assert "network.constellation.shared.turns: `turns` has no effect: no links share a transmitter" in str(
        refused.value
    )
    assert 'add downlink = "beam" or "satellite"' in str(refused.value)


def rate_of(latitude_deg: float, tmp_path: Path) -> float:
    """Return the rate that `bentpipe link-budget` computes for a station at 10 degrees east, satellite at 5 degrees."""
    place = {"satellite": "5 deg", "latitude": f"{latitude_deg} deg", "longitude": "10 deg"}
    file = tmp_path / f"{latitude_deg}.toml"
    file.write_text(tomli_w.dumps({"budget": MODEM | {"down": HOP | place}}))
    rate = bp.link_budget(file)["states"][0]["rate_mbit_s"]
    assert isinstance(rate, float)
    return rate


@pytest.mark.parametrize("up", [False, True], ids=["down", "up"])
def test_budgets_of_several_places_share_a_transmitter(up: bool, tmp_path: Path) -> None:
    """Each terminal's turn uses the rate of the terminal's own budget, and turns are fair in bytes."""
    rates = [rate_of(latitude, tmp_path) for latitude in TERMINALS.values()]
    assert max(rates) > 1.1 * min(rates)
    link = bp.MovingLink(budget=MODEM | {"up" if up else "down": HOP}, queue="20 packets")
    each = 1 / sum(1 / rate for rate in rates)
    assert varied(link, up, (12, 12, 12)) == pytest.approx([each] * 3, rel=0.01)


def test_budgets_under_a_total(tmp_path: Path) -> None:
    """With separate beams, the total gives each a third, or the rate of its own budget and the others the rest."""
    rates = [rate_of(latitude, tmp_path) for latitude in TERMINALS.values()]
    link = bp.MovingLink(budget=MODEM | {"down": HOP}, queue="20 packets")
    narrow = min(rates)
    assert varied(link, False, (20, 20, 20), downlink_total=f"{2.4 * narrow} Mbit/s") == pytest.approx(
        [0.8 * narrow] * 3, rel=0.01
    )
    total = narrow * 3.15
    least = rates.index(narrow)
    others = [(total - narrow) / 2 if place != least else narrow for place in range(3)]
    assert all(other <= rate for other, rate in zip(others, rates, strict=True))
    assert varied(link, False, (20, 20, 20), downlink_total=f"{total} Mbit/s") == pytest.approx(others, rel=0.01)
