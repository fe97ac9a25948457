# SPDX-License-Identifier: MIT OR Apache-2.0
"""Scenarios of the facts: dumbbells with or without a queue."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

import bentpipe as bp

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    Controller = str | Mapping[str, object]
    #: Function from a seed to the scenarios of its runs.
    Scenes = Callable[[int], list[bp.Scenario]]

#: The minimal TCP, so that only the controller is compared with its theory.
BARE = bp.Tcp(preset="bentpipe-0.1")

#: Bytes of a full packet on the wire, and of its payload.
PACKET_B = 1500
PAYLOAD_B = 1448


def scene(
    name: str,
    network: bp.Dumbbell,
    flows: Sequence[bp.Flow],
    seconds: float,
    *,
    warm_up: float = 0.0,
    shift_ms: float = 0.0,
    peps: Sequence[bp.Pep] | None = None,
    record: bp.Record,
) -> Scenes:
    """Return a function from a seed to its scenario.

    Each further seed starts the flows `shift_ms` later. This also shifts phases that a scenario does not draw by seed,
    for example those of periodic delays.
    """

    def scenes(seed: int) -> list[bp.Scenario]:
        start = f"{shift_ms * (seed - 1):g} ms"
        return [
            bp.Scenario(
                name=name,
                duration=f"{seconds:g} s",
                warm_up=f"{warm_up:g} s",
                seed=seed,
                network=network,
                flows=[dataclasses.replace(flow, start=start) for flow in flows] if shift_ms else flows,
                peps=peps,
                tcp=BARE,
                record=record,
            )
        ]

    return scenes


def together(*parts: Scenes) -> Scenes:
    """Return a function from a seed to the scenarios of all `parts`, in this order."""
    return lambda seed: [scenario for part in parts for scenario in part(seed)]


def lossy(
    controller: Controller, p: float, rtt_ms: float, law: float, packets: float, *, record: bool = False
) -> Scenes:
    """Return scenarios with one flow over a link that never queues and loses each packet with probability p.

    Args:
        controller: The controller of the flow.
        p: Packet error rate in the direction of data.
        rtt_ms: Round trip.
        law: Expected mean window in segments, from which the duration for about `packets` packets is computed.
        packets: Approximate number of packets.
        record: Whether series and events are recorded.
    """
    seconds = max(10, round(packets / law * rtt_ms / 1e3))
    network = bp.Dumbbell(
        rate="100 Gbit/s",
        rtt=f"{rtt_ms:g} ms",
        queue="unlimited",
        loss=bp.Loss(per=p),
        reverse=bp.Link(rate="100 Gbit/s", queue="unlimited", loss=bp.Loss(per=0.0)),
    )
    return scene(
        "response function",
        network,
        [bp.Flow(controller=controller)],
        seconds,
        warm_up=seconds // 5,
        record=bp.Record(interval="100 ms" if record else "off", events=record),
    )


def narrow(
    controller: Controller,
    *,
    rate_mbit: float,
    rtt_ms: float,
    queue: str,
    seconds: float,
    warm_up: float = 0.0,
    flows: int = 1,
    stagger_ms: float = 0.0,
    per: float | None = None,
    delay_steps: Sequence[tuple[str, str]] | None = None,
    tcp: bp.Tcp | None = None,
    interval: str = "100 ms",
    events: bool = True,
) -> Scenes:
    """Return scenarios with flows over a bottleneck.

    The flows start `stagger_ms` apart. The seed shifts the start of the first flow by some milliseconds.
    """
    network = bp.Dumbbell(
        rate=f"{rate_mbit:g} Mbit/s",
        rtt=None if delay_steps else f"{rtt_ms:g} ms",
        delay_steps=delay_steps,
        queue=queue,
        loss=bp.Loss(per=per),
        reverse=None if per is None else bp.Link(loss=bp.Loss(per=0.0)),
    )
    flow = bp.Flow(controller=controller, count=flows, stagger=f"{stagger_ms:g} ms", tcp=tcp)
    record = bp.Record(interval=interval, events=events)
    return scene("bottleneck", network, [flow], seconds, warm_up=warm_up, shift_ms=7, record=record)


def bdp_packets(rate_mbit: float, rtt_ms: float) -> float:
    """Return the bandwidth-delay product in packets."""
    return rate_mbit * 1e6 * rtt_ms / 1e3 / 8 / PACKET_B
