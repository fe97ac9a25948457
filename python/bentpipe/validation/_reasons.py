# SPDX-License-Identifier: MIT OR Apache-2.0
"""Why a judged number differs from Linux's: one line each, which names the code on both sides.

A reason excuses only what it names.
"""

from bentpipe.validation._beside import Reason

LINUX: tuple[Reason, ...] = (
    Reason(
        controllers=("illinois",),
        measures=("growth", "goodput"),
        cases=("20m-100ms-losses", "10m-600ms-losses"),
        text="When a recovery ends Linux counts all that its last ACK covers, SACKed before or not, and gains a whole "
        "round at once: 190 becomes 169 where 7/8 are 166 (tcp_illinois.c: tcp_illinois_acked, "
        "tcp_illinois_cong_avoid). Here nothing that arrives during a repair grows the window "
        "(crates/control/src/loss_based.rs: on_ack).",
    ),
    Reason(
        controllers=("highspeed",),
        measures=("cut",),
        cases=("10m-600ms",),
        text="Three cuts, of which the second comes inside the first recovery here and 4 ms after it there; only an "
        "ACK in avoidance finds the row of the table for the larger window (tcp_highspeed.c: hstcp_cong_avoid, "
        "hstcp_ssthresh; crates/control/src/hstcp_linux.rs).",
    ),
    Reason(
        controllers=("westwood",),
        measures=("cut", "goodput"),
        cases=("10m-600ms",),
        text="One retransmission is lost here and none there: a second cut, and a round trip more of samples before "
        "the window is B RTTmin, 107 instead of 75 segments, from which the whole run grows (tcp_westwood.c: "
        "westwood_filter, tcp_westwood_event; crates/control/src/westwood.rs).",
    ),
)
