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
#: Hybla aims at the same reference path as HYBIC, with its threshold; CUBIC starts as the RFC says.
CONTROLLERS: dict[str, str | dict[str, Any]] = {
    "HYBIC": "hybic",
    "CUBIC": "cubic",
    "Hybla": {"name": "hybla", "rtt0": "100 ms", "gamma": 128, "initial_ssthresh": "rho_gamma", "rho_rtt": "min"},
}
RTTS_MS = (600.0, 2287.0)


#: The long round trip whose Hybla is NewReno: rho is 1 on every path.
_LONG = "10 s"


def under_same_conditions(name: str, rtt_ms: float) -> str | dict[str, Any]:
    """A competitor that begins with the first threshold gamma, as HYBIC and Hybla do ("the same conditions").

    CUBIC and NewReno have no key for a first threshold. HYBIC whose reference is the path itself has rho = 1 and a Reno
    region by the path's round trip: it is CUBIC without HyStart++. Hybla over a path shorter than its reference is
    NewReno.
    """
    if name == "CUBIC":
        return {"name": "hybic", "rtt0": f"{rtt_ms:g} ms", "gamma": GAMMA, "pacing": False}
    if name == "NewReno":
        return {"name": "hybla", "rtt0": _LONG, "gamma": GAMMA, "initial_ssthresh": "rho_gamma", "rho_rtt": "min"}
    return CONTROLLERS[name]


def jitter_ms(seed: int) -> float:
    """By how much a seed lengthens a round trip and delays a start: up to 20 ms, by the golden section."""
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

    There is no handshake here. One over 2287 ms would outlast the first RTO of 1 s, after which RFC 6298 (5.7) has data
    begin with 3 s. `tcp` is whose TCP is read (`bentpipe_papers.transport`); another than `BARE` brings its own
    window and handshake.
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
