# SPDX-License-Identifier: MIT OR Apache-2.0
"""The 22 example tests of the BBR draft, appendix A (draft-ietf-ccwg-bbr-06): `bentpipe validate bbr3`.

Every test is a run of the packet simulator with the controller `bbr3`. If a test makes a change when BBR enters a
state, a run without the change gives the time. Both runs are equal until this time.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bentpipe.validation import _bbr3_changes, _bbr3_probe_bw, _bbr3_startup

if TYPE_CHECKING:
    from bentpipe.validation._facts import Fact

RULE = (
    "Each row is one number of a test of appendix A, measured in the packet simulator. A mean agrees with a number if "
    "it equals the number, and with a range if it lies in the range. For some bounds, the draft has only words. For "
    "these, we chose ranges; the source column says “our bound”. If the appendix and the pseudo-code of the draft "
    "differ, the row has two numbers: “theory” is the number of the appendix, and “here” is the number of the "
    "pseudo-code, with its section. The verdict is “within” if the mean agrees with the appendix; “explained” if it "
    "agrees with the pseudo-code alone; “outside” otherwise. * marks an exact row; if an exact row is outside, the "
    "comparison fails. All rows of this table are exact. Bandwidths are without headers."
)

#: The tests in the order of the appendix. A.18 and A.19 are one test.
_TESTS = (
    _bbr3_startup.startup_plateau,
    _bbr3_startup.startup_loss,
    _bbr3_startup.drain_inflight,
    _bbr3_startup.drain_time,
    _bbr3_probe_bw.up_plateau,
    _bbr3_probe_bw.up_loss,
    _bbr3_startup.application_limited,
    _bbr3_probe_bw.down_inflight,
    _bbr3_probe_bw.down_time,
    _bbr3_probe_bw.probe_rtt,
    _bbr3_probe_bw.probe_rtt_idle,
    _bbr3_changes.startup_aggregation,
    _bbr3_changes.cruise_aggregation,
    _bbr3_changes.sub_packet,
    _bbr3_changes.bandwidth_up,
    _bbr3_changes.bandwidth_down,
    _bbr3_changes.policer,
    _bbr3_changes.spurious,
    _bbr3_startup.probe_rtt_startup,
    _bbr3_probe_bw.up_loss_longterm,
    _bbr3_probe_bw.refill_application_limited,
)


def facts() -> list[Fact]:
    """Return the numbers of all tests."""
    return [fact for test in _TESTS for fact in test()]
