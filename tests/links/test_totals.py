# SPDX-License-Identifier: MIT OR Apache-2.0
"""Two levels: beams share their satellite's total, and terminals share their beam. Shares are computed by hand.

The oracle is max-min fairness with weights (Bertsekas and Gallager, "Data Networks", section 6.5.2). It is applied
first to the beams, each of which is limited by its own rate, then within each beam.
"""

from __future__ import annotations

from typing import Any

import pytest

import bentpipe as bp
from shared_skies import STILL, cbr, fed_by_one_gateway, goodput

#: Two beams have two terminals each, and one terminal has its own beam.
SITES: dict[str, dict[str, Any]] = {
    "Oslo": {"latitude": "60 deg", "cell": "north"},
    "Turku": {"latitude": "60.5 deg", "cell": "north"},
    "Rome": {"latitude": "42 deg", "cell": "south"},
    "Bari": {"latitude": "41 deg", "cell": "south"},
    "Lagos": {"latitude": "6 deg"},
}


def sky(
    total: str | None, rights: dict[str, dict[str, Any]], beams: list[bp.Beam], up: bool, **changes: Any
) -> bp.Constellation:
    """Return a constellation with beams of 10 Mbit/s under a total."""
    wide, narrow = {"rate": "1 Gbit/s", "queue": "100 packets"}, {"rate": "10 Mbit/s", "queue": "20 packets"}
    way = "uplink" if up else "downlink"
    return bp.Constellation(
        walker=STILL,
        isl=False,
        min_elevation="10 deg",
        uplink=narrow if up else wide,
        downlink=wide if up else narrow,
        sites=[
            *(bp.Site(name=name, longitude="10 deg", **keys, **rights.get(name, {})) for name, keys in SITES.items()),
            bp.Site(name="hub", latitude="45 deg", longitude="5 deg"),
        ],
        shared=bp.SharedLinks(**({way: "beam"} | ({f"{way}_total": total} if total else {}))),
        beams=beams or None,
        **changes,
    )


def got(network: bp.Constellation, asked_mbit_s: tuple[float, ...], up: bool = False) -> list[float]:
    """Send datagrams from a hub to the terminals, or from the terminals to it. Return the goodputs."""
    ends = [
        ((name, "hub") if up else ("hub", name), rate) for name, rate in zip(SITES, asked_mbit_s, strict=True) if rate
    ]
    flows = cbr([way for way, _ in ends], tuple(rate for _, rate in ends))
    return goodput(bp.Scenario(name="tree", duration="6 s", warm_up="2 s", network=network, flows=flows))


#: Total, rights of sites, rights of beams, requested rates, expected rates.
Case = tuple[str | None, dict[str, dict[str, Any]], list[bp.Beam], tuple[float, ...], tuple[float, ...]]
HALVES = {"Oslo": {"weight": 2}}
CASES: dict[str, Case] = {
    # Nothing limits the satellite, so each beam has its 10 Mbit/s.
    "no total": (None, {}, [], (8, 8, 8, 8, 8), (5, 5, 5, 5, 8)),
    # A total that is larger than the sum of all beams has no effect.
    "wide": ("100 Mbit/s", {}, [], (8, 8, 8, 8, 8), (5, 5, 5, 5, 8)),
    # Each beam gets a third of 12, however many terminals it has.
    "equal beams": ("12 Mbit/s", {}, [], (8, 8, 8, 8, 8), (2, 2, 2, 2, 4)),
    # Lagos asks for 3 of 20, so the other beams get 8.5 each.
    "what one does not want": ("20 Mbit/s", {}, [], (8, 8, 8, 8, 3), (4.25, 4.25, 4.25, 4.25, 3)),
    # Beams share 10 as 3 : 1 : 1, and terminals in the north share as 2 : 1.
    "weights at both": ("10 Mbit/s", HALVES, [bp.Beam(cell="north", weight=3)], (8, 8, 8, 8, 8), (4, 2, 1, 1, 2)),
    # Of 20, 8 : 1 : 1 would give 16 to the north, but its beam carries 10. The other beams get 5 each.
    "weight and cap": (
        "20 Mbit/s",
        HALVES,
        [bp.Beam(cell="north", weight=8)],
        (8, 8, 8, 8, 8),
        (20 / 3, 10 / 3, 2.5, 2.5, 5),
    ),
    # The south has priority, up to its own rate.
    "priority of a beam": (
        "14 Mbit/s",
        {},
        [bp.Beam(cell="south", priority=1)],
        (8, 8, 8, 8, 8),
        (1, 1, 5, 5, 2),
    ),
    # Priority within a beam has no effect on other beams.
    "priority in a beam": ("6 Mbit/s", {"Rome": {"priority": 7}}, [], (8, 8, 8, 8, 8), (1, 1, 2, 0, 2)),
    # If a site has its own beam, the site's weight is the beam's weight.
    "right of an own beam": ("8 Mbit/s", {"Lagos": {"weight": 2}}, [], (8, 8, 8, 8, 8), (1, 1, 1, 1, 4)),
    # The total is less than the rate of one beam.
    "narrow": ("5 Mbit/s", {}, [], (8, 8, 0, 0, 0), (2.5, 2.5)),
}


@pytest.mark.parametrize("case", CASES)
def test_beams_and_terminals_get_their_shares(case: str) -> None:
    total, rights, beams, asked, expected = CASES[case]
    assert got(sky(total, rights, beams, up=False), asked) == pytest.approx(expected, rel=0.015, abs=0.03)


def test_the_way_up_is_the_same() -> None:
    total, rights, beams, asked, expected = CASES["weights at both"]
    assert got(sky(total, rights, beams, up=True), asked, up=True) == pytest.approx(expected, rel=0.015)


def test_beams_that_nobody_names_share_a_total_as_well() -> None:
    """Without `downlink = "beam"`, every site has its own beam. Five beams share 10 Mbit/s."""
    network = sky(None, {}, [], up=False)
    assert network.sites is not None
    for site in network.sites:
        if isinstance(site, bp.Site):
            site.cell = None
    network.shared = bp.SharedLinks(downlink_total="10 Mbit/s")
    assert got(network, (8, 8, 8, 8, 1)) == pytest.approx((2.25, 2.25, 2.25, 2.25, 1), rel=0.015)


@pytest.mark.parametrize(
    ("steps", "mean"),
    [
        # Data from 2 to 6 s were sent an eighth of a second earlier: 2.125 s at 12 Mbit/s, the rest at 6.
        ([{"at": "0 s", "rate": "12 Mbit/s"}, {"at": "4 s", "rate": "6 Mbit/s"}], (12 * 2.125 + 6 * 1.875) / 4),
        # From 2 s on, the rate falls by 2 Mbit/s each second; 3.875 s of this are seen.
        (
            [
                {"at": "0 s", "rate": "12 Mbit/s"},
                {"at": "2 s", "rate": "12 Mbit/s", "ramp_to": "4 Mbit/s"},
                {"at": "6 s", "rate": "4 Mbit/s"},
            ],
            (12 * 0.125 + 12 * 3.875 - 3.875**2) / 4,
        ),
        # In one of four seconds the rate is 0.
        (
            [
                {"at": "0 s", "rate": "12 Mbit/s"},
                {"at": "3 s", "rate": "0 bit/s"},
                {"at": "4 s", "rate": "12 Mbit/s"},
            ],
            9,
        ),
    ],
    ids=["steps", "ramp", "pause"],
)
def test_a_total_over_time(steps: list[dict[str, str]], mean: float) -> None:
    """Three beams always have data to send. Each beam gets a third, and two terminals in a beam get half of it."""
    network = sky(None, {}, [], up=False)
    network.shared = bp.SharedLinks(downlink="beam", downlink_total_steps=steps)
    beam = mean / 3
    expected = (beam / 2, beam / 2, beam / 2, beam / 2, beam)
    assert got(network, (8, 8, 8, 8, 8)) == pytest.approx(expected, rel=0.015)


def test_a_gateway_has_a_limit_over_time() -> None:
    """Both links have 12 Mbit/s together, and 6 from 2 s on. Data from 1 to 3 s were sent about 5 ms earlier."""
    steps = [{"at": "0 s", "rate": "12 Mbit/s"}, {"at": "2 s", "rate": "6 Mbit/s"}]
    shared = bp.SharedLinks(feeder_total_steps=steps)
    got = fed_by_one_gateway([("server", "north"), ("server", "south")], (15, 15), shared=shared)
    assert got == pytest.approx((4.5, 4.5), rel=0.02)


@pytest.mark.parametrize(
    ("asked", "shared", "expected"),
    [
        ((15, 15), {}, (10, 10)),
        ((15, 15), {"feeder_total": "12 Mbit/s"}, (6, 6)),
        # One flow asks for less than half. The other flow is limited by its own link.
        ((15, 3), {"feeder_total": "12 Mbit/s"}, (9, 3)),
        ((15, 3), {"feeder_total": "16 Mbit/s"}, (10, 3)),
    ],
)
def test_a_gateway_has_a_limit_for_all_its_links(
    asked: tuple[float, float], shared: dict[str, str], expected: tuple[float, float]
) -> None:
    changes = {"shared": bp.SharedLinks(**shared)} if shared else {}
    got = fed_by_one_gateway([("server", "north"), ("server", "south")], asked, **changes)
    assert got == pytest.approx(expected, rel=0.015)


@pytest.mark.parametrize(
    ("shared", "beams", "where", "fix"),
    [
        ({"downlink": "beam"}, [bp.Beam(cell="north")], "beams[0].cell", 'downlink_total = "500 Mbit/s"'),
        (
            {"downlink": "beam", "downlink_total": "9 Mbit/s"},
            [bp.Beam(cell="west")],
            "beams[0].cell",
            'write cell = "west" for one of `sites`',
        ),
        (
            {"downlink": "beam", "downlink_total": "9 Mbit/s"},
            [bp.Beam(cell="north"), bp.Beam(cell="north", weight=2)],
            "beams[1].cell",
            '`beams` lists the cell "north" twice',
        ),
        (
            {"uplink": "beam", "downlink": "satellite", "downlink_total": "9 Mbit/s"},
            [],
            "shared.downlink_total",
            'write "beam" instead of "satellite"',
        ),
        ({"downlink": "beam", "feeder_total": "9 Mbit/s"}, [], "shared.feeder_total", "write `gateways`"),
        (
            {
                "downlink": "beam",
                "downlink_total": "9 Mbit/s",
                "downlink_total_steps": [{"at": "0 s", "rate": "1 Mbit/s"}],
            },
            [],
            "shared.downlink_total_steps",
            "keep one of them",
        ),
        (
            {"downlink": "beam", "downlink_total_steps": [{"at": "1 s", "rate": "1 Mbit/s"}]},
            [],
            "shared.downlink_total_steps",
            'begin at "0 s"',
        ),
        ({"downlink": "beam", "downlink_total": "0 bit/s"}, [], "shared.downlink_total", "1 bit/s"),
    ],
)
def test_totals_of_nothing_are_refused(shared: dict[str, Any], beams: list[bp.Beam], where: str, fix: str) -> None:
    network = sky(None, {}, beams, up=False)
    network.shared = bp.SharedLinks(**shared)
    with pytest.raises(bp.ScenarioError) as refused:
        got(network, (1, 1, 1, 1, 1))
    assert f"network.constellation.{where}" in str(refused.value)
    assert fix in str(refused.value)


@pytest.mark.parametrize(
    ("feeder", "why"), [("gateway", "this total has no effect"), ("satellite", "can have only one total")]
)
def test_a_feeder_link_has_one_above_it(feeder: str, why: str) -> None:
    shared = bp.SharedLinks(feeder=feeder, feeder_total="12 Mbit/s")
    with pytest.raises(bp.ScenarioError, match=why):
        fed_by_one_gateway([("server", "north"), ("server", "south")], (1, 1), shared=shared)
