# SPDX-License-Identifier: MIT OR Apache-2.0
"""One flow and its echo over the constellation: the runs of G-03, G-16, G-18, G-19, G-22 and of their curves."""

from __future__ import annotations

from typing import Any

import bentpipe as bp
from bentpipe_papers.leo_study import bed
from bentpipe_papers.leo_study.bed import HYPATIA_TCP, Controller

#: The slides' path of one flow.
RIO = ("Rio de Janeiro", "Saint Petersburg")
#: Controllers by label. Those that fill the queue come first.
SINGLE: dict[str, Controller] = {
    "Reno": bed.reno(),
    "CUBIC": "cubic",
    "Vegas": bed.VEGAS,
    "Copa": "copa",
    "Copa, default mode": {"name": "copa", "mode_switching": False},
    "BBR": "bbr1",
}


def flight(
    controller: Controller,
    seed: int,
    label: str,
    *,
    epoch: float,
    interval: str = "1 s",
    duration: str = "200 s",
    ends: tuple[str, str] = RIO,
    tcp: bp.Tcp = HYPATIA_TCP,
    start: str = "0 s",
) -> bp.Scenario:
    """One flow and its echo between two places. Path changes are announced to controllers that use announcements."""
    origin, to = ends
    return bp.Scenario(
        name=f"{origin} to {to}: {label}",
        duration=duration,
        seed=seed,
        network=bp.Network(constellation=bed.sky(epoch=epoch), announce="1 s"),
        tcp=tcp,
        flows=[
            bp.Flow(name=label, from_=origin, to=to, controller=controller, start=start),
            bp.Flow(from_=origin, to=to, kind="ping", interval="100 ms"),
        ],
        record=bp.Record(interval=interval, events=False),
    )


def at_shells_epoch(controller: Controller, seed: int, label: str, **settings: Any) -> bp.Scenario:
    """One flow at the epoch of Hypatia's shell. Its start is drawn within the first second."""
    return flight(controller, seed, label, epoch=0.0, start=f"{bed.drawn(seed, 0):.3f} s", **settings)
