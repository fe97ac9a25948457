# SPDX-License-Identifier: MIT OR Apache-2.0
"""The reasons why judged numbers differ from Linux: one line each, which names the code on both sides.

A reason applies only to the numbers that it names. A reason without a known cause is open; at most `MOST_OPEN` may be.
"""

from bentpipe.validation._beside import Reason

LINUX: tuple[Reason, ...] = (
    Reason(
        controllers=("highspeed",),
        measures=("cut",),
        cases=("10m-600ms",),
        text="The second recovery follows 4 ms after the first, and no ACK between them advances. There the ACK "
        "that ends the first is one of avoidance (tcp_input.c: tcp_ack, tcp_fastretrans_alert before "
        "tcp_cong_control) and finds the row of the table for 1002, 678 are left (tcp_highspeed.c: "
        "hstcp_cong_avoid, hstcp_ssthresh); here it is reported before the recovery ends "
        "(crates/tcp/src/sender/ack.rs: handle), the row is still the first, and half is left, 501 "
        "(crates/control/src/hstcp_linux.rs).",
    ),
    Reason(
        controllers=("yeah",),
        measures=("growth",),
        cases=("10m-600ms",),
        text="No cut after 20 s: the window swings between 503 and 584 by itself, and growth is read to the "
        "trace's end, wherever in the swing that is. For an end from 136 to 150 s it is -1.62 to -2.14 here, "
        "-1.65 to -2.13 there. A swing lasts 13.2 s here and 12.5 there, a round more, as a fraction of a "
        "segment decides (whole segments there, real ones here): with a base RTT 1.2 ms shorter 12.5 and "
        "-1.89 (tcp_yeah.c: tcp_yeah_cong_avoid; crates/control/src/yeah.rs: update).",
    ),
    Reason(
        controllers=("veno",),
        measures=("goodput",),
        cases=("10m-600ms-losses",),
        text="An ACK that the receiver held for 40 ms looks like a queue of 3 segments. Where a lost packet "
        "follows such a one half is left instead of 4/5; there two cuts (56.6 and 69.3 s) met it. With the "
        "lost packets moved by up to 30 and the base RTT by up to 1.5 ms, of 366 runs here 278 have no such "
        "cut (1.42 to 1.45 Mbit/s), 74 one (1.30 to 1.44), 14 two (1.23 to 1.35) (tcp_veno.c: "
        "tcp_veno_cong_avoid, tcp_veno_ssthresh; crates/control/src/veno.rs: observe, reduce).",
    ),
    Reason(
        controllers=("htcp",),
        measures=("shorter: sent again", "window 0.5 s after"),
        cases=("reroute, *",),
        text="The path becomes shorter 0.2 s after a cut here, while 16 losses of the queue are repaired, and 0.8 s "
        "after one there: a period of 2.93 s there and 3.02 here adds up over nine cuts. A recovery in "
        "which something was lost is not undone. With the change 0.8 s later ours sends 11 segments again (12"
        " there), undoes the recovery and has a window of 113 (113) (tcp_htcp.c: htcp_alpha_update; "
        "crates/control/src/h_tcp.rs).",
    ),
    Reason(
        controllers=("reno",),
        measures=("shorter: sent again",),
        cases=("reroute, *",),
        text="While the window is halved every second ACK lets a segment out, and ACKs that report a hole and ACKs "
        "that fill one come by turns: only the former let repairs out. There the share is 88 of 176, the window before "
        "(tcp_input.c: tcp_cwnd_reduction), and it is always the latter; here 88 of 175, what was in flight "
        "(RFC 9937; crates/tcp/src/recovery/prr.rs), which moves the turn.",
    ),
    Reason(
        controllers=("vegas",),
        measures=("full rate after", "goodput of 7 s after"),
        cases=("silence-*",),
        text="The fourth timeout, which ends the silence, expires later there: the timer wheel rounds 2.5 s up by "
        "as much as 256 ms (kernel/time/timer.c: calc_wheel_index). One way it comes at 5.22 s there and at 5.00 here "
        "(crates/tcp/src/timer.rs: restart).",
    ),
    Reason(
        controllers=("reno",),
        measures=("second transfer",),
        cases=("idle-600ms-keep-window, *",),
        text="1,382 segments leave at once. There that takes the host some milliseconds, in which the queue makes "
        "room for seven of the last ones, and their SACKs start a recovery after 1.2 s. Here it takes no "
        "time: all 882 behind the full queue are lost, no SACK reports a hole, and a tail loss probe starts "
        "the recovery after 2.6 s (tcp_output.c: tcp_write_xmit; crates/tcp/src/sender/tail.rs: probe_tail).",
    ),
    Reason(
        controllers=("bbr",),
        measures=("first recovery",),
        cases=("20m-100ms-two-flows",),
        known=False,
        text="A second BBR flow joins at 10 s: its recoveries follow each other within a round trip for 2.7 s there, "
        "and for 6.5 to 10.2 s here. The first flow's PROBE_RTT comes 0.3 s earlier here, as the kernel's first SYN "
        "takes 0.6 ms too long and a later sample is its smallest RTT. With a start 0.25 s earlier slow start ends at "
        "458 segments (450 there) instead of 184; the recoveries still last for 5.8 to 10.1 s (starts 0.2 to 0.4 s "
        "earlier).",
    ),
    Reason(
        controllers=("bbr",),
        measures=("sent again",),
        cases=("jitter, *",),
        known=False,
        text="BBR on a path with jitter and overtaking sends 41 to 52 segments again in 40 s here and 29 to 32 there. "
        "The queue drops 27 to 33 of them here and 14 to 23 there; the others were late. Other base RTTs (up to 2 ms "
        "longer: 43 to 57) and other delays of the packets (five more sets: 37 to 56) do not explain it.",
    ),
)
