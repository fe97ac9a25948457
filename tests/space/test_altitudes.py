# SPDX-License-Identifier: MIT OR Apache-2.0
"""Places above or below the ellipsoid: positions, delays, satellites in view, and rain."""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING, Any

import pytest

import bentpipe as bp
from bentpipe import _core
from shared_skies import STILL

if TYPE_CHECKING:
    from pathlib import Path

LA_PAZ: dict[str, Any] = {"latitude": "-16.5 deg", "longitude": "-68.15 deg"}
#: Skyfield 1.55: wgs84.latlon(-16.5, -68.15, elevation_m=h).itrs_xyz.m
SKYFIELD_M = {
    0: (2276662.946720984, -5677688.9910916295, -1799848.0092113628),
    3640: (2277961.8864142667, -5680928.370731581, -1800881.825066085),
    -430: (2276509.500548426, -5677306.317123173, -1799725.88261314),
}
LIGHT_KM_S = 299_792.458


def site(altitude: str | None) -> bp.Site:
    return bp.Site(name="La Paz", altitude=altitude, **LA_PAZ)


@pytest.mark.parametrize("height_m", SKYFIELD_M)
def test_a_site_stands_where_skyfield_has_it(height_m: int, tmp_path: Path) -> None:
    """The position is tested in the constellation, in the resolved scenario, and in CZML."""
    altitude = f"{height_m / 1000} km"
    sky = bp.constellation("starlink-550", sites=[site(altitude)])
    for name in ("La Paz", f"-16.5, -68.15, {height_m} m"):
        (row,) = [row for row in sky._look("0 s", [name])[0].arrow.to_pylist() if row["kind"] == "site"]
        assert [1000 * row[key] for key in ("x_km", "y_km", "z_km")] == pytest.approx(SKYFIELD_M[height_m], abs=1e-3)
        assert row["altitude_km"] == pytest.approx(height_m / 1000)
    file = sky.czml(tmp_path / "sky.czml", duration="2 s", step="1 s", sites=["La Paz"])
    (place,) = [packet for packet in json.loads(file.read_text()) if packet.get("name") == "La Paz"]
    assert place["position"]["cartesian"] == pytest.approx(SKYFIELD_M[height_m], abs=0.06)


def look(from_m: tuple[float, ...], to_m: tuple[float, ...]) -> tuple[float, float]:
    """Return the elevation in degrees above the horizontal plane at La Paz, and the distance in km."""
    latitude, longitude = math.radians(-16.5), math.radians(-68.15)
    up = (
        math.cos(latitude) * math.cos(longitude),
        math.cos(latitude) * math.sin(longitude),
        math.sin(latitude),
    )
    way = [there - here for there, here in zip(to_m, from_m, strict=True)]
    distance = math.hypot(*way)
    return math.degrees(math.asin(sum(a * b for a, b in zip(way, up, strict=True)) / distance)), distance / 1000


def test_from_la_paz_satellites_stand_lower_and_nearer() -> None:
    """Links are as long as the distance of the positions. Links below the minimum elevation do not exist."""
    names = {}
    for height_m, position in SKYFIELD_M.items():
        sky = bp.constellation("starlink-550", sites=[site(f"{height_m} m")], min_elevation="25 deg")
        nodes, links = (table.arrow.to_pylist() for table in sky._look("0 s", ["La Paz"]))
        here = len(nodes) - 1
        lengths = {link["a"]: link["length_km"] for link in links if link["b"] == here}
        inside = {}
        for node in nodes:
            if node["kind"] == "satellite":
                elevation, distance = look(position, tuple(1000 * node[key] for key in ("x_km", "y_km", "z_km")))
                if elevation >= 25:
                    inside[node["node"]] = (elevation, distance)
        assert lengths == pytest.approx({node: distance for node, (_, distance) in inside.items()}, abs=1e-3)
        names[height_m] = inside
    common = set(names[0]) & set(names[3640])
    assert len(common) >= 4
    for node in common:
        (sea_deg, sea_km), (high_deg, high_km) = names[0][node], names[3640][node]
        # h cos(e) / d and h sin(e): at 25 degrees, 0.17 degrees and 1.5 km.
        lower = math.degrees(3.64 * math.cos(math.radians(sea_deg)) / sea_km)
        assert sea_deg - high_deg == pytest.approx(lower, rel=0.02)
        assert sea_km - high_km == pytest.approx(3.64 * math.sin(math.radians(sea_deg)), rel=0.02)


def pings(altitude: str | None, **keys: Any) -> bp.Scenario:
    """Pings between La Paz and a place at sea level, over one geostationary satellite 5 degrees east of it."""
    walker = bp.Walker(planes=1, per_plane=1, altitude="35786 km", inclination="0 deg", first_node="-63 deg")
    network = bp.Constellation(
        walker=walker,
        isl=False,
        min_elevation="10 deg",
        user_link=bp.UserLink(rate="10 Mbit/s", queue="50 packets", **keys),
        sites=[site(altitude), bp.Site(name="sea", latitude="0 deg", longitude="-63 deg")],
    )
    flow = bp.Flow(from_="La Paz", to="sea", kind="ping", interval="100 ms")
    return bp.Scenario(name="high", duration="2 s", network=network, flows=[flow])


def test_delays_are_shorter_by_the_height(tmp_path: Path) -> None:
    runs = {altitude: bp.run(pings(altitude)) for altitude in ("0 m", "3640 m")}
    delays = [run.paths["one_way_delay_ms"][0] for run in runs.values()]
    # By hand: 16.5 degrees south and 5.15 degrees west of the sub-satellite point, with the elevation on a sphere.
    centre = math.acos(math.cos(math.radians(16.5)) * math.cos(math.radians(5.15)))
    elevation = math.atan2(math.cos(centre) - 6378 / 42164, math.sin(centre))
    assert delays[0] - delays[1] == pytest.approx(1000 * 3.64 * math.sin(elevation) / LIGHT_KM_S, rel=0.01)
    high = runs["3640 m"]
    rows = {row["name"]: row for row in high.nodes.arrow.to_pylist()} if hasattr(high, "nodes") else {}
    assert not rows or rows["La Paz"]["altitude_km"] == pytest.approx(3.64)
    bp.run(pings("3640 m"), out=tmp_path / "r")
    again = bp.run(tmp_path / "r" / "scenario.toml")
    assert again.summary == high.summary
    assert 'altitude = "3640 m"' in again.scenario.replace("3.64 km", "3640 m")


def test_height_zero_is_no_height() -> None:
    none, zero = bp.run(pings(None)), bp.run(pings("0 m"))
    assert none.scenario == zero.scenario
    assert "altitude" not in none.scenario.split("sites")[1]
    assert none.summary == zero.summary
    assert none.provenance["identity"] == zero.provenance["identity"]


def test_rain_is_above_who_stands_high() -> None:
    """P.618: the path through rain goes from the station up to the rain height. At 3640 m it is 0.36 of 4 km long, and
    there is no rain above it. The site's height replaces the height in the budget."""
    rain = {"rate_001": "80 mm/h", "height": "4 km", "probability": 0.5}
    hop = {"frequency": "29 GHz", "eirp": "60 dBW", "g_over_t": "9 dB/K", "rain": rain}

    def most(height: str | None, **own: str) -> float:
        budget = {"bandwidth": "2 MHz", "up": hop | own}
        scenario = pings(height)
        assert isinstance(scenario.network, bp.Constellation)
        scenario.duration = "20 s"
        scenario.network.user_link = None
        scenario.network.uplink = bp.UserLink(budget=budget, queue="50 packets")
        scenario.network.downlink = bp.MovingLink(rate="10 Mbit/s", queue="50 packets")
        rows = bp.run(scenario).weather.arrow.to_pylist()
        return max(row["rain_up_db"] or 0.0 for row in rows if row["name"].startswith("La Paz"))

    sea = most(None)
    assert sea > most("3640 m") > 0
    assert most("4.2 km") == 0
    # With a high site the satellite's elevation is slightly lower. With a height only in the budget it is not.
    assert most("3640 m") == pytest.approx(most(None, altitude="3640 m"), rel=1e-3)
    assert most("3640 m") == most("3640 m", altitude="0 m")


def test_gateways_and_points_of_presence_have_heights() -> None:
    """The feeder link of a gateway at 3 km is shorter. Fibre follows the great circle, whatever the heights are."""
    delays = []
    for altitude in ("0 m", "3 km"):
        network = bp.Constellation(
            walker=STILL,
            isl=False,
            min_elevation="10 deg",
            user_link=bp.UserLink(rate="10 Mbit/s"),
            pops=[bp.Place(name="Zagreb", altitude=altitude)],
            gateways=[
                bp.Gateway(name="teleport", latitude="0 deg", longitude="5 deg", altitude=altitude, pop="Zagreb")
            ],
            sites=[
                bp.Site(name="farm", latitude="52 deg", longitude="5 deg"),
                bp.Site(name="server", latitude="45.8 deg", longitude="16 deg", fibre=True, altitude=altitude),
            ],
        )
        flow = bp.Flow(from_="farm", to="server", kind="ping", interval="500 ms")
        delays.append(bp.run(bp.Scenario(duration="1 s", network=network, flows=[flow])).paths["one_way_delay_ms"][0])
    # The satellite is at the zenith.
    assert delays[0] - delays[1] == pytest.approx(1000 * 3 / LIGHT_KM_S, abs=1e-6)


def test_an_altitude_is_refused_beyond_the_ground() -> None:
    for altitude, said in (("-0.6 km", "too small"), ("9.5 km", "too large"), ("high", "does not start with a number")):
        with pytest.raises(bp.ScenarioError, match=said):
            _core.facts(_core.Job(pings(altitude).to_toml(), "high.toml"))
