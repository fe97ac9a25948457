# SPDX-License-Identifier: MIT OR Apache-2.0
"""Readings of the bed: claims of several rows are measured in them beside the main one."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, NamedTuple

import bentpipe as bp
from bentpipe.study import in_reading
from bentpipe_papers.a_liad import bed
from bentpipe_papers.transport import BARE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from bentpipe.study import Effort, InReading


class Reading(NamedTuple):
    """The bed as it can also be read: whose TCP, whose variants, which buffer, when competing flows start."""

    name: str
    why: str
    variants: dict[str, bed.Controller] = bed.PAPERS
    tcp: bp.Tcp = BARE
    buffer: str = "1 BDP"
    within_s: float = bed.START_WITHIN_S
    initial_window: int | None = None


SEEN = Reading("lost repairs are seen, a SYN", bed.OF_REPAIR, tcp=bed.REPAIRED)
MODULES = Reading("TCP-Linux's modules", bed.OF_MODULES, variants=bed.MODULES)
WHOLE = Reading("TCP-Linux", "the agent of ns-2 that has these variants", variants=bed.MODULES, tcp=bed.WHOLE)
LATE = Reading("starts within 5 s", "long transfers seldom start together", within_s=bed.LATE_WITHIN_S)
SMALL = Reading(
    "50 packets, starts within 5 s", "ns-2's default buffer", buffer="50 packets", within_s=bed.LATE_WITHIN_S
)
WINDOW_2 = Reading("initial window of 2", "ns-2's default", initial_window=2)


def seeds(effort: Effort) -> tuple[int, ...]:
    """Those that are looked at and the fresh ones that confirm a reading."""
    return (*effort.seeds, *effort.fresh)


def measured(
    readings: Iterable[Reading], values: Callable[[str, tuple[int, ...]], list[float]], effort: Effort
) -> tuple[InReading, ...]:
    """A claim in several readings; `values` has the name of the reading and the seeds."""

    def one(name: str, chosen: tuple[int, ...]) -> bp.Estimate:
        return bp.estimate(values(name, chosen))

    return tuple(in_reading(reading.name, reading.why, partial(one, reading.name), effort) for reading in readings)
