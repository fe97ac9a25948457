# SPDX-License-Identifier: MIT OR Apache-2.0
"""A slice of `make nightly`: no recovery over RACK goes on and on."""

from __future__ import annotations

import recoveries
from recoveries import Cell


def test_every_controller_leaves_its_recoveries() -> None:
    """As systems repair: RACK, PRR, every second ACK, a queue of 1 BDP."""
    sweep = [Cell(name, "20m-100ms", "rack", prr=True, delayed_ack=True) for name in recoveries.controllers()]
    unlisted = [f for f in recoveries.measure(sweep) if f.beyond and recoveries.cause(f) is None]
    assert not unlisted


def test_what_once_did_not_end() -> None:
    """These stayed in one recovery until the end of the run: a delayed ACK looked like reordering, a lost repair cut
    nothing, and PRR went on adding a segment for each ACK. Linux leaves such recoveries in 1 to 2.5 s."""
    once = [
        *(Cell(name, "10m-600ms", "rack", False, True) for name in ("cubic", "stcp", "hstcp", "bic", "bic-linux")),
        *(Cell(name, "20m-100ms", "rack", prr, False, pacing=True) for name in PACED for prr in (False, True)),
        Cell("hybla-linux", "random loss", "rack", False, True),
    ]
    for finding in recoveries.measure(once):
        # A recovery over SACK takes one round trip, and one for each generation of repairs that is lost.
        assert finding.longest_rtt < 10.0, finding
        assert finding.timeouts == 0 or finding.cell.bed == "random loss", finding


PACED = ("stcp", "bic", "yeah")
