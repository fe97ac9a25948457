# SPDX-License-Identifier: MIT OR Apache-2.0
"""Constellations whose links are shared, for tests of the shares that flows get."""

from __future__ import annotations

from typing import Any

import bentpipe as bp

#: One geostationary satellite at 5 degrees east.
STILL = bp.Walker(planes=1, per_plane=1, altitude="35786 km", inclination="0 deg", first_node="5 deg")
TERMINALS = {"Oslo": 60.0, "Rome": 42.0, "Lagos": 6.0}


def cbr(ends: list[tuple[str, str]], rates_mbit_s: tuple[float, ...]) -> list[bp.Flow]:
    """Return flows of full-size datagrams from one end to the other."""
    return [
        bp.Flow(from_=a, to=b, kind="cbr", rate=f"{rate} Mbit/s", packet="1500 B")
        for (a, b), rate in zip(ends, rates_mbit_s, strict=True)
    ]


def fed_by_one_gateway(ends: list[tuple[str, str]], rates_mbit_s: tuple[float, ...], **changes: Any) -> list[float]:
    """Return the rate in Mbit/s that each flow gets in the scenario of `fed`."""
    return goodput(fed(ends, rates_mbit_s, **changes))


def fed(ends: list[tuple[str, str]], rates_mbit_s: tuple[float, ...], **changes: Any) -> bp.Scenario:
    """A server behind a gateway sends to two sites under two satellites. A feeder link carries 10 Mbit/s."""
    network = bp.Constellation(
        preset="starlink-550",
        isl=False,
        access=bp.Access(policy="highest-elevation"),
        user_link=bp.UserLink(rate="1 Gbit/s", queue="100 packets"),
        feeder=bp.MovingLink(rate="10 Mbit/s", queue="20 packets"),
        pops=[bp.Place(name="Toulouse")],
        gateways=[bp.Gateway(name="gateway", latitude="43.6 deg", longitude="1.4 deg", pop="Toulouse")],
        sites=[
            bp.Site(name="north", latitude="48 deg", longitude="2 deg"),
            bp.Site(name="south", latitude="39.5 deg", longitude="-1 deg"),
            bp.Site(name="server", latitude="43.6 deg", longitude="1.4 deg", fibre=True),
        ],
        **changes,
    )
    flows = cbr(ends, rates_mbit_s)
    return bp.Scenario(name="fed", duration="3 s", warm_up="1 s", network=network, flows=flows)


def goodput(scenario: bp.Scenario) -> list[float]:
    """Return the goodput of each flow in Mbit/s."""
    return [flow["goodput_mbit_s"] for flow in bp.run(scenario).summary["flows"]]


def below(
    asked_mbit_s: tuple[float, ...], keys: tuple[dict[str, Any], ...] = ({}, {}, {}), up: bool = False, **changes: Any
) -> bp.Scenario:
    """A hub sends datagrams to the terminals, or they to it. The terminals' links carry 10 Mbit/s."""
    wide, narrow = bp.Link(rate="1 Gbit/s", queue="100 packets"), bp.Link(rate="10 Mbit/s", queue="20 packets")
    places = zip(TERMINALS.items(), keys, strict=True)
    sites = [bp.Site(name=name, latitude=f"{lat} deg", longitude="10 deg", **key) for (name, lat), key in places]
    ends = [(name, "hub") if up else ("hub", name) for name in TERMINALS]
    network = bp.Constellation(
        walker=STILL,
        isl=False,
        min_elevation="10 deg",
        uplink=narrow if up else wide,
        downlink=wide if up else narrow,
        sites=[*sites, bp.Site(name="hub", latitude="45 deg", longitude="5 deg")],
        **changes,
    )
    return bp.Scenario(name="below", duration="10 s", warm_up="2 s", network=network, flows=cbr(ends, asked_mbit_s))
