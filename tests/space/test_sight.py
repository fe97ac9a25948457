# SPDX-License-Identifier: MIT OR Apache-2.0
"""Rate, loss and delay that depend on the satellite's position or the time of day, compared with geometry by hand.

An equatorial orbit over sites on the equator is plane geometry. The Earth's radius is the ellipsoid's semi-major axis,
the vertical goes through the Earth's centre, and the angle between site and satellite grows at a constant rate.
"""

from __future__ import annotations

import math
import statistics
from itertools import pairwise

import pytest

import bentpipe as bp
from bentpipe import _core
from project import ROOT

EARTH_KM, MU_KM3_S2, TURN_RAD_S = 6378.137, 398600.4418, 7.292115e-5
ORBIT_KM = EARTH_KM + 550.0
#: Angular speed of the satellite relative to the ground.
MOVES_RAD_S = math.sqrt(MU_KM3_S2 / ORBIT_KM**3) - TURN_RAD_S
FLOOD = 'kind = "cbr"\nrate = "20 Mbit/s"\npacket = "1000 B"\n'
RATES = [(25.0, 2e6), (60.0, 9e6), (80.0, 12e6)]
TABLE = 'rate_by_elevation = [["25 deg", "2 Mbit/s"], ["60 deg", "9 Mbit/s"], ["80 deg", "12 Mbit/s"]]'


def stands(apart_rad: float) -> tuple[float, float]:
    """Return elevation in degrees and distance in km of a satellite at this central angle from a site."""
    range_km = math.sqrt(EARTH_KM**2 + ORBIT_KM**2 - 2 * EARTH_KM * ORBIT_KM * math.cos(apart_rad))
    sine = (ORBIT_KM * math.cos(apart_rad) - EARTH_KM) / range_km
    return math.degrees(math.asin(sine)), range_km


def on(table: list[tuple[float, float]], x: float) -> float:
    """Interpolate linearly in a table. Beyond its ends, return the value at the end."""
    if x <= table[0][0]:
        return table[0][1]
    for (x0, y0), (x1, y1) in pairwise(table):
        if x <= x1:
            return y0 + (y1 - y0) * (x - x0) / (x1 - x0)
    return table[-1][1]


def equator(links: str, *, satellites: int = 1, duration: str = "200 s", more: str = "") -> str:
    """Satellites pass over two sites on the equator, eastwards. The first one is over the first site at the start."""
    return f"""
duration = "{duration}"
[network.constellation]
walker = {{ planes = 1, per_plane = {satellites}, altitude = "550 km", inclination = "0 deg" }}
isl = false
min_elevation = "25 deg"
route_step = "5 s"
access = {{ policy = "highest-elevation" }}
sites = [
  {{ name = "Here", latitude = "0 deg", longitude = "0 deg" }},
  {{ name = "There", latitude = "0 deg", longitude = "0.5 deg" }},
]
user_link = {{ rate = "100 Mbit/s" }}
{links}
[[flows]]
from = "Here"
to = "There"
{FLOOD}{more}"""


def test_a_pass_of_one_satellite() -> None:
    """Every five seconds the rate is the one for the elevation at this time, until the satellite sets."""
    table = bp.path_trace(equator(f"uplink = {{ {TABLE} }}", duration="120 s"), step="1 s")
    seen = 0
    for time, rate in zip(table["time_s"], table["rate_mbit_s"], strict=True):
        elevation_deg, _ = stands(MOVES_RAD_S * (time // 5 * 5))
        if elevation_deg >= 25.0:
            assert rate == pytest.approx(on(RATES, elevation_deg) / 1e6, abs=1e-5)
            seen += 1
        else:
            assert rate is None
    assert seen >= 100


def test_packets_have_the_rate_of_their_time() -> None:
    run = bp.run(equator(f'uplink = {{ {TABLE}, queue = "5 packets" }}', duration="100 s"))
    rows = list(zip(run.flows["time_s"], run.flows["goodput_mbit_s"], strict=True))
    for begin in range(5, 95, 10):
        wanted = on(RATES, stands(MOVES_RAD_S * begin)[0]) / 1e6
        # The first half second after a change is ignored, so that the queue is emptied at the new rate.
        found = statistics.fmean(rate for time, rate in rows if begin + 0.5 < time <= begin + 5 + 1e-9)
        assert found == pytest.approx(wanted, rel=0.01)


def test_it_is_that_of_the_satellite_in_use() -> None:
    """Forty satellites are nine degrees apart, and each site uses the highest one."""
    links = f"uplink = {{ {TABLE} }}"
    table = bp.path_trace(equator(links, satellites=40, duration="300 s"), step="5 s")
    slot = 2 * math.pi / 40
    changes = 0
    for time, rate in zip(table["time_s"], table["rate_mbit_s"], strict=True):
        apart = (MOVES_RAD_S * time + slot / 2) % slot - slot / 2
        if rate is None:
            # Each site chooses for itself. The sites are half a degree apart, so for a while they use two satellites.
            assert slot / 2 + apart < math.radians(0.5)
            continue
        changes += apart < -slot / 2 + math.radians(0.5) + MOVES_RAD_S * 5
        assert rate == pytest.approx(on(RATES, stands(apart)[0]) / 1e6, abs=1e-5)
    assert changes >= 1


def test_distance_says_rate_and_loss() -> None:
    links = 'downlink = { rate_by_range = [["550 km", "9 Mbit/s"], ["1200 km", "1 Mbit/s"]], '
    links += 'loss_by_range = [["600 km", 0.0], ["1000 km", 0.2]] }'
    table = bp.path_trace(equator(links, duration="100 s"), step="5 s")
    for time, rate, loss in zip(table["time_s"], table["rate_mbit_s"], table["loss_ratio"], strict=True):
        # The second site is half a degree east.
        _, range_km = stands(MOVES_RAD_S * time - math.radians(0.5))
        assert rate == pytest.approx(on([(550.0, 9.0), (1200.0, 1.0)], range_km), abs=1e-5)
        assert loss == pytest.approx(on([(600.0, 0.0), (1000.0, 0.2)], range_km), abs=1e-9)


def test_losses_by_elevation_are_felt() -> None:
    links = 'uplink = { rate = "50 Mbit/s", loss_by_elevation = [["25 deg", 0.3], ["90 deg", 0.3]] }'
    flow = bp.run(equator(links, duration="20 s"), seed=2).summary["flows"][0]
    # 2,500 packets a second: the tolerance is five standard deviations.
    lost = flow["losses"]["error"] / 50_000
    assert lost == pytest.approx(0.3, abs=5 * math.sqrt(0.3 * 0.7 / 50_000))


def test_delay_goes_by_elevation_and_by_distance() -> None:
    """The delay of the table is added to the propagation delay, which exists without the table, too."""
    up = 'uplink = { rate = "9 Mbit/s", delay_by_elevation = [["25 deg", "8 ms"], ["60 deg", "2 ms"]] }\n'
    down = 'downlink = { rate = "9 Mbit/s", delay_by_range = [["600 km", "0 ms"], ["1000 km", "4 ms"]] }'
    plain, later = (
        bp.path_trace(equator(links, duration="100 s"), step="5 s")
        for links in ('uplink = { rate = "9 Mbit/s" }\ndownlink = { rate = "9 Mbit/s" }', up + down)
    )
    for time, without, delay in zip(plain["time_s"], plain["delay_ms"], later["delay_ms"], strict=True):
        elevation_deg, _ = stands(MOVES_RAD_S * time)
        # The second site is half a degree east.
        _, range_km = stands(MOVES_RAD_S * time - math.radians(0.5))
        more = on([(25.0, 8.0), (60.0, 2.0)], elevation_deg) + on([(600.0, 0.0), (1000.0, 4.0)], range_km)
        assert delay - without == pytest.approx(more, abs=2e-6)


DAY = '[["6 h", "10 Mbit/s"], ["20 h", "3 Mbit/s"]]'


def of_day(hour: float) -> float:
    """Return the rate in Mbit/s at an hour. From 20 h to 6 h it rises again, over midnight."""
    hour %= 24.0
    return 10 - 7 * (hour - 6) / 14 if 6 <= hour <= 20 else 3 + 7 * ((hour - 20) % 24) / 10


def a_day(links: str) -> str:
    """A day of a geostationary satellite from Berkeley, 122.27 degrees west, whose links have these keys."""
    return f"""
duration = "1 d"
[network.constellation]
preset = "geo"
route_step = "10 min"
offset = "0 s"
user_link = {{ rate = "100 Mbit/s" }}
{links}
[[flows]]
from = "Berkeley"
to = "Boston"
controller = "cubic"
"""


@pytest.mark.parametrize(("clock", "ahead_h"), [("UTC", 0.0), ("local", -122.2727 / 15)])
def test_the_hour_of_the_place(clock: str, ahead_h: float) -> None:
    text = a_day(f'uplink = {{ rate_by_hour = {{ clock = "{clock}", start = "18 h", rates = {DAY} }} }}')
    table = bp.path_trace(text, step="30 min")
    for time, rate in list(zip(table["time_s"], table["rate_mbit_s"], strict=True))[::7]:
        # The mean of three samples that are ten minutes apart.
        hours = [18 + ahead_h + (time + ten * 600) / 3600 for ten in range(3)]
        assert rate == pytest.approx(statistics.fmean(map(of_day, hours)), abs=2e-3)


@pytest.mark.parametrize(("clock", "ahead_h"), [("UTC", 0.0), ("local", -122.2727 / 15)])
def test_loss_and_delay_at_the_hour_of_the_place(clock: str, ahead_h: float) -> None:
    """As for the rate: the loss has 0.01, and the delay 1 ms, for each Mbit/s of the table."""
    said = f'clock = "{clock}", start = "18 h"'
    plain, more = (
        bp.path_trace(a_day(links), step="10 min")
        for links in (
            "",
            f'uplink = {{ loss_by_hour = {{ {said}, losses = [["6 h", 0.10], ["20 h", 0.03]] }}, '
            f'delay_by_hour = {{ {said}, delays = [["6 h", "10 ms"], ["20 h", "3 ms"]] }} }}',
        )
    )
    rows = list(zip(more["time_s"], more["loss_ratio"], plain["delay_ms"], more["delay_ms"], strict=True))
    assert len(rows) == 144
    for time, loss, without, delay in rows[::7]:
        wanted = of_day(18 + ahead_h + time / 3600)
        assert loss == pytest.approx(wanted / 100, abs=2e-5)
        assert delay - without == pytest.approx(wanted, abs=2e-3)


def test_a_catalogue_has_a_date() -> None:
    text = f"""
duration = "20 s"
[network.constellation]
catalogue = "{ROOT}/data/oneweb_2022-09-14.tle"
start = "2022-09-14T13:00:00Z"
isl = {{ rate = "1 Gbit/s", pattern = "nearest" }}
user_link = {{ rate = "100 Mbit/s" }}
uplink = {{ rate_by_hour = {{ clock = "UTC", rates = {DAY} }} }}
[[flows]]
from = "London"
to = "Madrid"
controller = "cubic"
"""
    assert bp.path_trace(text, step="10 s")["rate_mbit_s"][0] == pytest.approx(of_day(13.0), abs=1e-5)
    with pytest.raises(bp.ScenarioError, match="the date of the satellites already determines the start of the run"):
        bp.run(text.replace('clock = "UTC"', 'clock = "UTC", start = "1 h"'))


def test_the_lower_of_hour_and_elevation_holds() -> None:
    hour = 'rate_by_hour = { clock = "UTC", start = "12 h", rates = [["0 h", "4 Mbit/s"]] }'
    table = bp.path_trace(equator(f"uplink = {{ {TABLE}, {hour} }}", duration="100 s"), step="5 s")
    for time, rate in zip(table["time_s"], table["rate_mbit_s"], strict=True):
        by_sight = on(RATES, stands(MOVES_RAD_S * time)[0]) / 1e6
        assert rate == pytest.approx(min(by_sight, 4.0), abs=1e-5)


@pytest.mark.parametrize(
    ("links", "said"),
    [
        (f'uplink = {{ rate = "1 Mbit/s", {TABLE} }}', "`rate` and `rate_by_elevation` contradict each other"),
        ('uplink = { rate_by_elevation = [["25 deg"]] }', r"rate_by_elevation: entry 0 is not a pair"),
        ('uplink = { rate_by_elevation = [["99 deg", "1 Mbit/s"]] }', "entry 0: 99 deg must be from 0 to 90 deg"),
        ('uplink = { rate_by_elevation = [[25, "1 Mbit/s"]] }', r'entry 0: 25 has no unit \(write "25 deg"\)'),
        ('uplink = { rate_by_range = [["9 km", "1 Mbit/s"], ["9 km", "2 Mbit/s"]] }', "entry 1: 9000 m is not above"),
        ('uplink = { rate_by_range = [["9 km", "0 bit/s"]] }', "all rates are zero"),
        ('uplink = { loss_by_range = [["9 km", 1.5]] }', r"entry 0: 1.5 is not a probability"),
        ('uplink = { rate = "1 Mbit/s", delay_by_range = [["9 km", 5]] }', r'5 has no unit \(write "5 ms"\)'),
        ('uplink = { delay_by_elevation = [["25 deg", "2 h"]] }', r"a delay of 2 h is too long \(write at most 1 h\)"),
        (
            'uplink = { delay_by_elevation = [["25 deg", "1 ms"]], delay_by_range = [["9 km", "1 ms"]] }',
            "`delay_by_elevation` and `delay_by_range` contradict each other",
        ),
        ('uplink = { loss_by_hour = { clock = "UTC", losses = [["6 h", 0.1]] } }', "these satellites have no date"),
        (f'uplink = {{ rate_by_hour = {{ clock = "UTC", rates = {DAY} }} }}', "these satellites have no date"),
    ],
)
def test_what_is_refused(links: str, said: str) -> None:
    with pytest.raises(bp.ScenarioError, match=said):
        bp.run(equator(links))


def test_what_is_refused_between_satellites() -> None:
    text = equator("").replace("isl = false", f"isl = {{ {TABLE} }}")
    with pytest.raises(bp.ScenarioError, match=r"isl\.rate_by_elevation: elevation is not defined between satellites"):
        bp.run(text)


@pytest.mark.parametrize(
    ("isl", "said"),
    [
        (
            'delay_by_elevation = [["25 deg", "1 ms"]]',
            r"isl\.delay_by_elevation: elevation is not defined between satellites",
        ),
        (
            'loss_by_hour = { clock = "local", start = "1 h", losses = [["6 h", 0.1]] }',
            r"isl\.loss_by_hour\.clock: local time is not defined between satellites",
        ),
    ],
)
def test_no_horizon_and_no_clock_between_satellites(isl: str, said: str) -> None:
    with pytest.raises(bp.ScenarioError, match=said):
        bp.run(equator("").replace("isl = false", f'isl = {{ rate = "1 Gbit/s", {isl} }}'))


def test_links_between_satellites_go_by_their_length() -> None:
    """Neighbours in a plane of 40 are always the chord of nine degrees apart."""
    isl = 'isl = { rate_by_range = [["1000 km", "9 Mbit/s"], ["1200 km", "1 Mbit/s"]] }'
    text = equator("", satellites=40, duration="20 s").replace("isl = false", isl)
    text = text.replace('longitude = "0.5 deg"', 'longitude = "20 deg"')
    chord_km = 2 * ORBIT_KM * math.sin(math.radians(4.5))
    wanted = on([(1000.0, 9.0), (1200.0, 1.0)], chord_km)
    assert list(bp.path_trace(text, step="5 s")["rate_mbit_s"]) == pytest.approx([wanted] * 4, abs=1e-4)


def _core_resolved(text: str) -> str:
    return str(_core.facts(_core.Job(text, "case.toml")).resolved)


def test_what_is_written_out_is_read_as_the_same() -> None:
    day = 'clock = "UTC", start = "1 h"'
    links = f'uplink = {{ {TABLE}, loss_by_elevation = [["25 deg", 0.02], ["40 deg", 0.0]], '
    links += f'loss_by_hour = {{ {day}, losses = [["6 h", 0.25]] }}, delay_by_range = [["9 km", "1500 us"]], '
    links += f'delay_by_hour = {{ {day}, delays = [["6 h", "1 ms"], ["7 h", "2 ms"]] }} }}\n'
    once = _core_resolved(equator(links, duration="5 s"))
    assert _core_resolved(once) == once
