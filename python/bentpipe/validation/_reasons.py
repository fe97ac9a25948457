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
        text="The second recovery follows 4 ms after the first, and no ACK between them advances. In Linux the ACK "
        "that ends the first recovery counts as an ACK of avoidance (tcp_input.c: tcp_ack, tcp_fastretrans_alert "
        "before tcp_cong_control). It selects the row of the table for a window of 1002, and 678 are left "
        "(tcp_highspeed.c: hstcp_cong_avoid, hstcp_ssthresh). In Bentpipe the controller receives this ACK before the "
        "recovery ends (crates/tcp/src/sender/ack.rs: handle). The row is still the first row, and half is left, 501 "
        "(crates/control/src/hstcp_linux.rs).",
    ),
    Reason(
        controllers=("yeah",),
        measures=("growth",),
        cases=("10m-600ms",),
        text="The window has no cut after 20 s; it swings between 503 and 584 by itself. Growth is measured to the end "
        "of the trace, so it depends on the phase of the swing at the end. For ends from 136 to 150 s it is -1.62 "
        "to -2.14 in Bentpipe and -1.65 to -2.13 in Linux. A swing lasts 13.2 s in Bentpipe and 12.5 s in Linux, "
        "which is one round trip shorter. A fraction of a segment decides this: Linux counts whole segments, "
        "Bentpipe real numbers. With a base RTT 1.2 ms shorter, Bentpipe has 12.5 s and -1.89 (tcp_yeah.c: "
        "tcp_yeah_cong_avoid; crates/control/src/yeah.rs: update).",
    ),
    Reason(
        controllers=("veno",),
        measures=("goodput",),
        cases=("10m-600ms-losses",),
        text="An ACK that the receiver held for 40 ms looks like a queue of 3 segments. If a lost packet follows such "
        "an ACK, half of the window is left instead of 4/5. In Linux this happened at two cuts (56.6 and 69.3 s). "
        "Bentpipe ran 366 variants: the lost packets moved by up to 30, the base RTT by up to 1.5 ms. 278 of them "
        "have no such cut (1.42 to 1.45 Mbit/s), 74 have one (1.30 to 1.44) and 14 have two (1.23 to 1.35) "
        "(tcp_veno.c: tcp_veno_cong_avoid, tcp_veno_ssthresh; crates/control/src/veno.rs: observe, reduce).",
    ),
    Reason(
        controllers=("htcp",),
        measures=("shorter: sent again", "window 0.5 s after"),
        cases=("reroute, *",),
        text="In Bentpipe the path becomes shorter 0.2 s after a cut, while 16 losses of the queue are repaired; in "
        "Linux 0.8 s after a cut. The period is 2.93 s in Linux and 3.02 s in Bentpipe, and the difference adds up "
        "over nine cuts. A recovery with a real loss is not undone. With the change 0.8 s later, Bentpipe retransmits "
        "11 segments (Linux 12), undoes the recovery and has a window of 113 (Linux 113) (tcp_htcp.c: "
        "htcp_alpha_update; crates/control/src/h_tcp.rs).",
    ),
    Reason(
        controllers=("reno",),
        measures=("shorter: sent again",),
        cases=("reroute, *",),
        text="While the window is halved, every second ACK releases a segment. ACKs that report a hole and ACKs that "
        "fill a hole alternate, and only ACKs that report a hole release retransmissions. In Linux the share is 88 of "
        "176, the window before the cut (tcp_input.c: tcp_cwnd_reduction), so the releasing ACK always fills a hole. "
        "In Bentpipe the share is 88 of 175, the data in flight (RFC 9937; crates/tcp/src/recovery/prr.rs), so the "
        "kind of the releasing ACK changes.",
    ),
    Reason(
        controllers=("vegas",),
        measures=("full rate after", "goodput of 7 s after"),
        cases=("silence-*",),
        text="The fourth timeout, which ends the silence, expires later in Linux: its timer wheel rounds 2.5 s up by "
        "as much as 256 ms (kernel/time/timer.c: calc_wheel_index). With silence in one direction, the timeout "
        "expires at 5.22 s in Linux and at 5.00 s in Bentpipe (crates/tcp/src/timer.rs: restart).",
    ),
    Reason(
        controllers=("reno",),
        measures=("second transfer",),
        cases=("idle-600ms-keep-window, *",),
        text="1,382 segments leave at once. A Linux host needs some milliseconds for this. Meanwhile the queue "
        "accepts seven of the last segments, and their SACKs start a recovery after 1.2 s. Bentpipe needs no time: "
        "all 882 segments behind the full queue are lost, and no SACK reports a hole. A tail loss probe starts the "
        "recovery after 2.6 s (tcp_output.c: tcp_write_xmit; crates/tcp/src/sender/tail.rs: probe_tail).",
    ),
    Reason(
        controllers=("bbr",),
        measures=("first recovery",),
        cases=("20m-100ms-two-flows",),
        known=False,
        text="A second BBR flow joins at 10 s. Its recoveries follow each other within a round trip for 2.7 s in "
        "Linux, and for 6.5 to 10.2 s in Bentpipe. The PROBE_RTT of the first flow comes 0.3 s earlier in Bentpipe: "
        "the kernel's first SYN takes 0.6 ms too long, so a later sample is its smallest RTT. With a start 0.25 s "
        "earlier, slow start ends at 458 segments (450 in Linux) instead of 184. The recoveries still last for 5.8 to "
        "10.1 s (starts 0.2 to 0.4 s earlier).",
    ),
    Reason(
        controllers=("bbr",),
        measures=("sent again",),
        cases=("jitter, *",),
        known=False,
        text="On a path with jitter and overtaking, BBR retransmits 41 to 52 segments in 40 s in Bentpipe and 29 to "
        "32 in Linux. The queue drops 27 to 33 of them in Bentpipe and 14 to 23 in Linux; the other segments were "
        "late. Other base RTTs (up to 2 ms longer: 43 to 57) and other delays of the packets (five more sets: 37 to "
        "56) do not explain the difference.",
    ),
)
