# SPDX-License-Identifier: MIT OR Apache-2.0
"""Readings of the bed. Claims of several rows are measured in these readings and in the main reading."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import bentpipe as bp
from bentpipe import study
from bentpipe_papers.a_liad import bed
from bentpipe_papers.transport import BARE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from bentpipe.study import InReading


class Reading(NamedTuple):
    """A reading of the bed: TCP, variants, buffer, and starts of competing flows."""

    name: str
    why: str
    variants: dict[str, bed.Controller] = bed.PAPERS
    tcp: bp.Tcp = bed.WHOLE
    buffer: str = "1 BDP"
    within_s: float = bed.START_WITHIN_S
    initial_window: int | None = None


MAIN = Reading("main", "We declared this reading before its runs.")
CITED = Reading("as published", "The paper cites the publications.", variants=bed.PUBLISHED)
#: The end of the names of readings that are shown and do not count.
_NOT_COUNTED = "which the text excludes"
_TIMEOUTS = (
    "This reading does not count: with the minimal TCP, a lost retransmission waits for a timeout. With the paper's "
    "SACK, “multiple losses during a slow-start phase can be nearly recovered within a few rounds”."
)
BARE_MACHINE = Reading(f"the minimal TCP, as published, {_NOT_COUNTED}", _TIMEOUTS, variants=bed.PUBLISHED, tcp=BARE)
BARE_MODULES = Reading(f"the minimal TCP, modules, {_NOT_COUNTED}", _TIMEOUTS, tcp=BARE)
SEEN = Reading(
    "detection of lost retransmissions, SYN",
    "This reading has the published variants, with Westwood+, on hosts that detect lost retransmissions.",
    variants=bed.AFFECTED,
    tcp=bed.REPAIRED,
)
LATE = Reading("starts within 5 s", "Long transfers seldom start at the same time.", within_s=bed.LATE_WITHIN_S)
SMALL = Reading(
    "50 packets, starts within 5 s",
    "This reading has ns-2's default buffer.",
    buffer="50 packets",
    within_s=bed.LATE_WITHIN_S,
)
BARE_SMALL = Reading(
    f"the minimal TCP, as published, 50 packets, starts within 5 s, {_NOT_COUNTED}",
    _TIMEOUTS,
    variants=bed.PUBLISHED,
    tcp=BARE,
    buffer="50 packets",
    within_s=bed.LATE_WITHIN_S,
)
#: A reading for start-up over GEO that is shown beside claims and does not count.
EXCLUDED = Reading(
    f"50 packets, {_NOT_COUNTED}",
    "ns-2's default buffer is 0.07 BDP here. This reading does not count, because in the paper the window overflows "
    "at “almost twice the BDP”.",
    buffer="50 packets",
)
LARGE_BUFFER = Reading(
    f"2 BDP, {_NOT_COUNTED}",
    "Section 3.2 finds a buffer of one BDP “difficult to assume”. This reading does not count, because the window "
    "would overflow at three times the BDP.",
    buffer="2 BDP",
)
WINDOW_4 = Reading("initial window of 4", "RFC 3390 was the standard when the paper was written.", initial_window=4)


def otherwise(readings: Iterable[Reading], measure: Callable[[str], bp.Estimate]) -> tuple[InReading, ...]:
    """Measure a claim in several readings. `measure` takes the name of the reading."""
    return study.otherwise({one.name: one.why for one in readings}, measure)
