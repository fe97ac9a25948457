# SPDX-License-Identifier: MIT OR Apache-2.0
"""HYBIC with packets: the compared controllers, and the dumbbell."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import bentpipe as bp
from bentpipe_papers.transport import BARE, on_bed

if TYPE_CHECKING:
    from collections.abc import Sequence

REFERENCE_MS = 100.0
GAMMA = 128.0
#: Hybla has the reference path and the threshold of HYBIC. CUBIC starts as its RFC says.
CONTROLLERS: dict[str, str | dict[str, Any]] = {
    "HYBIC": "hybic",
    "CUBIC": "cubic",
    "Hybla": {"name": "hybla", "rtt0": "100 ms", "gamma": 128, "initial_ssthresh": "rho_gamma", "rho_rtt": "min"},
}
RTTS_MS = (600.0, 2287.0)


#: With this reference round trip, Hybla is NewReno, because rho is 1 on every path.
_LONG = "10 s"


def under_same_conditions(name: str, rtt_ms: float) -> str | dict[str, Any]:
    """A competitor that begins with the threshold gamma, like HYBIC and Hybla (“the same conditions”).

    CUBIC and NewReno have no key for an initial threshold. HYBIC with the path's round trip as reference has rho = 1
    and a Reno region by the path's round trip, so it is CUBIC without HyStart++. Hybla with a reference longer than the
    path is NewReno.
    """
    if name == "CUBIC":
        return {"name": "hybic", "rtt0": f"{rtt_ms:g} ms", "gamma": GAMMA, "pacing": False}
    if name == "NewReno":
        return {"name": "hybla", "rtt0": _LONG, "gamma": GAMMA, "initial_ssthresh": "rho_gamma", "rho_rtt": "min"}
    return CONTROLLERS[name]


def jitter_ms(seed: int) -> float:
    """Delay in ms that a seed adds to a round trip and to a start: up to 20 ms, by the golden section."""
    return round(seed * 0.6180339887 % 1 * 20.0, 4)


def scenario(
    name: str,
    network: bp.Dumbbell,
    flows: Sequence[bp.Flow],
    seed: int,
    duration_s: float,
    *,
    tcp: bp.Tcp = BARE,
    **record: Any,
) -> bp.Scenario:
    """A dumbbell with HYBIC's segments of 1448 bytes and initial window of 10.

    There is no handshake. A handshake over 2287 ms would exceed the first RTO of 1 s, and then RFC 6298 (5.7) sets the
    RTO of data to 3 s. `tcp` is the TCP of the reading (`bentpipe_papers.transport`). A TCP other than `BARE` has its
    own window and handshake.
    """
    return bp.Scenario(
        name=name,
        duration=f"{duration_s:g} s",
        seed=seed,
        network=network,
        tcp=on_bed(tcp, (1448, 52), bp.Tcp(initial_window=10, initial_rto="3 s")),
        flows=flows,
        record=bp.Record(**{"interval": "off", "events": False, **record}),
    )
