# SPDX-License-Identifier: MIT OR Apache-2.0
"""A bent-pipe scenario whose dish changes its gateway."""

from __future__ import annotations

import bentpipe as bp


def bent_pipe(peps: list[bp.Pep] | None, access: bp.AccessLink | None = None, **flow: object) -> bp.Scenario:
    """A server in London sends to a dish in Madrid for 150 s, through the gateway in Villenave or in Lepe."""
    return bp.Scenario(
        duration="150 s",
        network=bp.Constellation(
            preset="starlink",
            isl=False,
            access=bp.Access(policy="highest-elevation", slot="15 s", phase="12 s", hysteresis="5 deg"),
            downlink=bp.MovingLink(rate="20 Mbit/s", queue="1 BDP"),
            pops=[bp.Place(name="Madrid PoP", latitude="40.4 deg", longitude="-3.7 deg")],
            gateways=[
                bp.Gateway(name="Villenave", latitude="44.8 deg", longitude="-0.6 deg", pop="Madrid PoP"),
                bp.Gateway(name="Lepe", latitude="37.3 deg", longitude="-7.2 deg", pop="Madrid PoP"),
            ],
            sites=[
                bp.Site(name="Madrid", home="Madrid PoP"),
                bp.Site(name="server", latitude="51.5 deg", longitude="-0.1 deg", fibre=True),
            ],
        ),
        flows=[bp.Flow(**{"from_": "server", "to": "Madrid", "controller": "cubic", "access": access, **flow})],
        peps=peps,
    )
