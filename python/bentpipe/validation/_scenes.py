# SPDX-License-Identifier: MIT OR Apache-2.0
"""Scenarios of the facts: dumbbells, without a queue or with one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import bentpipe as bp

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    Controller = str | Mapping[str, object]

#: Whose TCP: the bare machine, so that nothing but the controller is held against its theory.
BARE = bp.Tcp(preset="bentpipe-0.1")

#: Bytes of a full packet on the wire, and of its payload.
PACKET_B = 1500
PAYLOAD_B = 1448


def lossy(
    controller: Controller, p: float, rtt_ms: float, law: float, packets: float, *, record: bool = False
) -> Callable[[int], list[bp.Scenario]]:
    """One flow over a link that never queues and loses each packet with probability p.

    Args:
        controller: The flow's.
        p: Packet error rate on the data's way.
        rtt_ms: Round trip.
        law: Mean window that theory expects, segments: decides how long about `packets` packets take.
        packets: How many.
        record: Whether series and events are wanted.
    """
    seconds = max(10, round(packets / law * rtt_ms / 1e3))

    def scenes(seed: int) -> list[bp.Scenario]:
        return [
            bp.Scenario(
                name="response function",
                duration=f"{seconds} s",
                warm_up=f"{seconds // 5} s",
                seed=seed,
                network=bp.Dumbbell(
                    rate="100 Gbit/s",
                    rtt=f"{rtt_ms:g} ms",
                    queue="unlimited",
                    loss=bp.Loss(per=p),
                    reverse=bp.Link(rate="100 Gbit/s", queue="unlimited", loss=bp.Loss(per=0.0)),
                ),
                tcp=BARE,
                flows=[bp.Flow(controller=controller)],
                record=bp.Record(interval="100 ms" if record else "off", events=record),
            )
        ]

    return scenes


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
) -> Callable[[int], list[bp.Scenario]]:
    """Flows over a bottleneck. They start `stagger_ms` apart; the seed shifts the first by some milliseconds."""

    def scenes(seed: int) -> list[bp.Scenario]:
        return [
            bp.Scenario(
                name="bottleneck",
                duration=f"{seconds:g} s",
                warm_up=f"{warm_up:g} s",
                seed=seed,
                network=bp.Dumbbell(
                    rate=f"{rate_mbit:g} Mbit/s",
                    rtt=None if delay_steps else f"{rtt_ms:g} ms",
                    delay_steps=delay_steps,
                    queue=queue,
                    loss=bp.Loss(per=per),
                    reverse=None if per is None else bp.Link(loss=bp.Loss(per=0.0)),
                ),
                tcp=BARE,
                flows=[
                    bp.Flow(
                        controller=controller,
                        count=flows,
                        start=f"{7 * (seed - 1)} ms",
                        stagger=f"{stagger_ms:g} ms",
                        tcp=tcp,
                    )
                ],
                record=bp.Record(interval=interval, events=events),
            )
        ]

    return scenes


def bdp_packets(rate_mbit: float, rtt_ms: float) -> float:
    """Packets that the path holds without a queue."""
    return rate_mbit * 1e6 * rtt_ms / 1e3 / 8 / PACKET_B
