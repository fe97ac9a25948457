# SPDX-License-Identifier: MIT OR Apache-2.0
"""Skylines and the geostationary arc from Python: hidden satellites, compared with angles computed here."""

from __future__ import annotations

import math
import tomllib
from pathlib import Path

import pytest

import bentpipe as bp
from project import Command

# WGS84 (NIMA TR8350.2) and the radius of the geostationary orbit (Rec. ITU-R S.1503-2).
A_KM, E2, GEO_KM = 6378.137, 6.69437999014e-3, 42_164.2
#: Places at the equator, a quarter of the way to each pole, near the poles, and with the arc below the horizon.
PLACES = {
    "equator": (0, -78.5),
    "tropics": (20, 5),
    "north": (47, 8),
    "south": (-33.9, 151),
    "far": (68, 20),
    "pole": (83, 0),
}


class Station:
    """A place with its axes: east, north and up."""

    def __init__(self, latitude: float, longitude: float) -> None:
        self.lat, self.lon = math.radians(latitude), math.radians(longitude)
        n = A_KM / math.sqrt(1 - E2 * math.sin(self.lat) ** 2)
        r = n * math.cos(self.lat)
        self.x = (r * math.cos(self.lon), r * math.sin(self.lon), n * (1 - E2) * math.sin(self.lat))

    def look(self, x: tuple[float, float, float]) -> tuple[float, float]:
        """Return azimuth and elevation in radians of an Earth-fixed position in km."""
        dx, dy, dz = (a - b for a, b in zip(x, self.x, strict=True))
        sin_lat, cos_lat, sin_lon, cos_lon = (f(a) for a in (self.lat, self.lon) for f in (math.sin, math.cos))
        east = -sin_lon * dx + cos_lon * dy
        north = -sin_lat * cos_lon * dx - sin_lat * sin_lon * dy + cos_lat * dz
        up = cos_lat * cos_lon * dx + cos_lat * sin_lon * dy + sin_lat * dz
        return math.atan2(east, north), math.atan2(up, math.hypot(east, north))

    def arc(self, step_deg: float = 0.25) -> list[tuple[float, float]]:
        """Return azimuth and elevation of the geostationary orbit above the horizon, longitude by longitude."""
        longitudes = (math.radians(number * step_deg) for number in range(round(360 / step_deg)))
        looks = (self.look((GEO_KM * math.cos(one), GEO_KM * math.sin(one), 0.0)) for one in longitudes)
        return [look for look in looks if look[1] >= 0]


def apart_deg(one: tuple[float, float], other: tuple[float, float]) -> float:
    """Return the angle between two directions, by the haversine formula."""
    half_el, half_az = (other[1] - one[1]) / 2, (other[0] - one[0]) / 2
    square = math.sin(half_el) ** 2 + math.cos(one[1]) * math.cos(other[1]) * math.sin(half_az) ** 2
    return math.degrees(2 * math.asin(min(1.0, math.sqrt(square))))


def positions(sky: bp.Sky) -> list[tuple[float, float, float]]:
    """Return the positions of all satellites, by number."""
    table = sky.satellites("0 s")
    return list(zip(*(table[key] for key in ("x_km", "y_km", "z_km")), strict=True))


def in_view(sky: bp.Sky, place: str) -> set[int]:
    return set(sky.graph(at="0 s", sites=[place])[place])


def test_nobody_uses_what_flies_near_the_geostationary_arc() -> None:
    """Every satellite is compared with every quarter of a degree of the orbit."""
    sites = [bp.Site(name=name, latitude=f"{lat} deg", longitude=f"{lon} deg") for name, (lat, lon) in PLACES.items()]
    open_sky = bp.constellation("starlink", sites=sites)
    kept_away = bp.constellation("starlink", sites=sites, gso_exclusion="18 deg")
    flown, hidden = positions(open_sky), {}
    for name, place in PLACES.items():
        station = Station(*place)
        arc = station.arc()
        looks = {one: station.look(flown[one]) for one in in_view(open_sky, name)}
        alpha = {one: min((apart_deg(look, point) for point in arc), default=180.0) for one, look in looks.items()}
        free = in_view(kept_away, name)
        # The nearest point of the orbit is at most an eighth of a degree from one of these points.
        doubtful = {one for one, angle in alpha.items() if abs(angle - 18) < 0.005}
        assert free - doubtful == {one for one, angle in alpha.items() if angle >= 18} - doubtful, name
        assert len(alpha) > 5
        hidden[name] = 1 - len(free) / len(alpha)
    # At the equator the arc goes through the zenith, and many satellites are near it. Far from the equator there are
    # few, and near the poles none.
    assert hidden["equator"] > 0.3 > hidden["far"] >= hidden["pole"] == 0.0, hidden


def test_a_band_overhead_at_the_equator_and_in_the_south_of_europe() -> None:
    """At the equator, satellites in the north and south remain. In Europe, no satellite low in the south remains."""
    sites = [bp.Site(name="Quito", latitude="0 deg", longitude="-78.5 deg"), bp.Site(name="Rome")]
    sky = bp.constellation("starlink", sites=sites, gso_exclusion="22 deg")
    flown = positions(sky)
    quito, rome = Station(0, -78.5), Station(41.894, 12.483)
    for one in in_view(sky, "Quito"):
        azimuth, elevation = quito.look(flown[one])
        # 22 degrees from the great circle through east, zenith and west.
        assert abs(math.asin(math.cos(elevation) * math.cos(azimuth))) >= math.radians(22) - 1e-6
    south = [rome.look(flown[one]) for one in in_view(sky, "Rome")]
    near = [math.degrees(elevation) for azimuth, elevation in south if abs(math.pi - abs(azimuth)) < math.radians(15)]
    # In Rome the arc is 41.5 degrees high in the south: tan e = (cos 41.9 - 0.1513) / sin 41.9.
    assert all(abs(elevation - 41.5) > 21 for elevation in near), near


def test_a_mask_hides_what_stands_below_it() -> None:
    mask = [[0, 30], [60, 70], [120, 70], [120, 0], [240, 0], [300, 45]]
    sites = [bp.Site(name="yard", latitude="48 deg", longitude="11 deg", mask=mask)]
    open_sky = bp.constellation("starlink", sites=[bp.Site(name="yard", latitude="48 deg", longitude="11 deg")])
    walled, station = bp.constellation("starlink", sites=sites), Station(48, 11)

    def skyline(azimuth: float) -> float:
        """By hand: a slope up to a wall in the east, nothing in the south, and a slope from the west to the north."""
        for low, from_, high, to in ((0, 30, 60, 70), (60, 70, 120, 70), (120, 0, 240, 0), (240, 0, 300, 45)):
            if low <= azimuth < high:
                return from_ + (azimuth - low) / (high - low) * (to - from_)
        return 45 + (azimuth - 300) / 60 * (30 - 45)

    flown = positions(open_sky)
    looks = {one: station.look(flown[one]) for one in in_view(open_sky, "yard")}
    above = {
        one
        for one, (azimuth, elevation) in looks.items()
        if math.degrees(elevation) >= skyline(math.degrees(azimuth) % 360)
    }
    assert in_view(walled, "yard") == above
    assert 0 < len(above) < len(looks)


WALLED = """\
duration = "10 s"
[network.constellation]
preset = "oneweb"
sites = [{ name = "London", mask_file = "skyline.csv" }]
[[flows]]
controller = "cubic"
from = "London"
to = "Madrid"
"""


def test_a_scenario_finds_its_skyline_and_says_what_it_hides(cli: Command, tmp_path: Path) -> None:
    (tmp_path / "walled.toml").write_text(WALLED)
    skyline = tmp_path / "skyline.csv"
    skyline.write_text("azimuth_deg,elevation_deg\n0,90\n")
    answer = cli("run", str(tmp_path / "walled.toml"))
    assert answer.returncode == 2
    assert "London can use no satellite of oneweb during a day because of `mask` or `mask_file`" in answer.stderr
    skyline.write_text("azimuth_deg,elevation_deg\n0,30\n180,10\n")
    scenario = tomllib.loads(bp.run(tmp_path / "walled.toml").scenario)
    (london,) = (one for one in scenario["network"]["constellation"]["sites"] if one["name"] == "London")
    assert london["mask"] == [[0, 30], [180, 10]]


def test_a_skyline_that_is_none_leaves_nothing_behind(cli: Command, tmp_path: Path) -> None:
    (tmp_path / "walled.toml").write_text(WALLED)
    (tmp_path / "skyline.csv").write_text("azimuth_deg,elevation_deg\n0,30\n400,10\n")
    answer = cli("run", str(tmp_path / "walled.toml"), "--out", str(tmp_path / "out"))
    assert answer.returncode == 2
    assert "skyline.csv:3: 400 is not an azimuth: it must be within 0 and 360 degrees" in answer.stderr
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(("key", "named"), [("mask", "`mask` or `mask_file`"), ("gso_exclusion", "`gso_exclusion`")])
def test_a_key_that_hides_the_whole_sky_is_named(key: str, named: str) -> None:
    mask = [[0, 90]] if key == "mask" else None
    exclusion = {"gso_exclusion": "90 deg"} if key == "gso_exclusion" else {}
    site = bp.Site(name="Quito", latitude="0 deg", longitude="-78.5 deg", mask=mask)
    sky = bp.constellation("iridium", sites=[site], **exclusion)
    with pytest.raises(bp.BentpipeError, match=f"Quito can use no satellite .* because of {named}"):
        sky.path("Quito", "Bogotá", duration="10 s", step="10 s")
