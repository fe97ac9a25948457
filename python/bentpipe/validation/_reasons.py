# SPDX-License-Identifier: MIT OR Apache-2.0
"""Why a judged number differs from Linux's: one line each, which names the code on both sides.

A reason excuses only what it names.
"""

from bentpipe.validation._beside import Reason

LINUX: tuple[Reason, ...] = (
    Reason(
        controllers=("illinois",),
        measures=("growth",),
        cases=("20m-100ms-two-flows",),
        text="Who loses in a cut that both could take hangs on single packets. With the second start moved by up "
        "to 20 ms growth here is 0.53 to 0.67 and 0.60 to 0.82; Linux's 0.54 and 0.68 lie within "
        "(tcp_illinois.c: update_params; crates/control/src/illinois_linux.rs).",
    ),
    Reason(
        controllers=("yeah",),
        measures=("growth", "cut", "first recovery"),
        cases=("20m-100ms-two-flows",),
        text="Equal until 10.3 s (236 segments); then a round of the first flow ends with Q > 80 in time to make "
        "room for the second's slow start there (355 segments), one round too late here (196). With the "
        "second start moved by up to 140 ms, a round, growth here is 0.41 to 0.56, its cut 0.50 to 0.88, the "
        "second's recovery 292 to 719 ms; at 80 ms 0.557, 0.501 and 576 (tcp_yeah.c: tcp_yeah_cong_avoid; "
        "crates/control/src/yeah.rs: update).",
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
        measures=("cut",),
        cases=("10m-600ms", "20m-100ms-outage", "20m-100ms-paced"),
        text="One recovery follows slow start there, two here, and the median is of one to three cuts: 669 to 26 "
        "and 24 there, 670 to 335 to 34 (outage) and 672 to 33, 38 to 40 (paced) here, since a packet sent in "
        "the first recovery is repaired in one of its own; at 600 ms 2003 to 75, here 2004 to 1002 to 101 "
        "(tcp_westwood.c: tcp_westwood_event; crates/control/src/westwood.rs, crates/tcp/src/sender/loss.rs).",
    ),
)
