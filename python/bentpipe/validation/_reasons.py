# SPDX-License-Identifier: MIT OR Apache-2.0
"""Why a judged number differs from Linux's: one line each, which names the code on both sides.

A reason excuses only what it names.
"""

from bentpipe.validation._beside import Reason

LINUX: tuple[Reason, ...] = (
    Reason(
        controllers=("illinois",),
        measures=("growth", "goodput"),
        cases=("*-losses",),
        text="When a recovery ends Linux counts all that its last ACK covers, SACKed before or not, and gains a whole "
        "round at once: 190 becomes 169 where 7/8 are 166 (tcp_illinois.c: tcp_illinois_acked, "
        "tcp_illinois_cong_avoid). Here what was SACKed has been counted already (crates/control/src/illinois.rs: "
        "avoidance).",
    ),
    Reason(
        controllers=("highspeed",),
        measures=("growth",),
        cases=("10m-600ms-losses",),
        text="It grows per ACK, and Linux's receiver acknowledges each of the first 3 (B + Q) segments, here half a "
        "minute (tcp_input.c: __tcp_ack_snd_check): 127 to 144 in 3.5 s, here 125 to 134; later stretches agree. "
        "Here every second one is acknowledged from the start (crates/tcp/src/receiver.rs).",
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
    Reason(
        controllers=("hybla",),
        measures=("first recovery",),
        cases=("10m-600ms*",),
        text="The first ACK asks for 65,535 segments. Linux's receiver opens its window from 64 kB as data arrive "
        "(tcp_input.c: tcp_grow_window), so less is sent at first and the overshoot is lost in five instalments; "
        "here the whole window is open at once (crates/tcp/src/receiver.rs), and a timeout ends it.",
    ),
)
