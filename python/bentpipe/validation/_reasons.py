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
        text="The second recovery begins 4 ms after the first recovery, and no ACK between the two recoveries "
        "acknowledges new data. In Linux, the ACK that ends the first recovery counts as an ACK of congestion "
        "avoidance (tcp_input.c: tcp_ack, tcp_fastretrans_alert before tcp_cong_control). This ACK selects the row of "
        "the table for a window of 1002 segments, and 678 segments are left (tcp_highspeed.c: hstcp_cong_avoid, "
        "hstcp_ssthresh). In Bentpipe, the controller receives this ACK before the recovery ends "
        "(crates/tcp/src/sender/ack.rs: handle). Therefore, the first row of the table still applies, and half of the "
        "window is left, 501 segments (crates/control/src/hstcp_linux.rs).",
    ),
    Reason(
        controllers=("yeah",),
        measures=("growth",),
        cases=("10m-600ms",),
        text="After 20 s, the window has no cuts, but it swings between 503 and 584 segments. The growth is measured "
        "until the end of the trace, so the growth depends on the phase of the swing at the end. If the trace ends "
        "between 136 and 150 s, the growth is -1.62 to -2.14 in Bentpipe and -1.65 to -2.13 in Linux. A swing lasts "
        "13.2 s in Bentpipe and 12.5 s in Linux, which is one round trip less. The cause is a fraction of a segment: "
        "Linux counts whole segments, and Bentpipe also counts fractions. If the base RTT is 1.2 ms shorter, a swing "
        "lasts 12.5 s in Bentpipe, and the growth is -1.89 (tcp_yeah.c: tcp_yeah_cong_avoid; "
        "crates/control/src/yeah.rs: update).",
    ),
    Reason(
        controllers=("veno",),
        measures=("goodput",),
        cases=("10m-600ms-losses",),
        text="An ACK that the receiver delayed by 40 ms looks like a queue of 3 segments. If a loss follows such an "
        "ACK, half of the window is left instead of 4/5. In Linux, this happened at two cuts (56.6 and 69.3 s). "
        "Bentpipe ran 366 variants: the lost packets were moved by up to 30 packets, and the base RTT by up to 1.5 "
        "ms. 278 variants have no such cut (1.42 to 1.45 Mbit/s), 74 variants have one such cut (1.30 to 1.44 "
        "Mbit/s), and 14 variants have two such cuts (1.23 to 1.35 Mbit/s) (tcp_veno.c: tcp_veno_cong_avoid, "
        "tcp_veno_ssthresh; crates/control/src/veno.rs: observe, reduce).",
    ),
    Reason(
        controllers=("htcp",),
        measures=("shorter: sent again", "window 0.5 s after"),
        cases=("reroute, *",),
        text="In Bentpipe, the path becomes shorter 0.2 s after a cut, while 16 losses of the queue are repaired. In "
        "Linux, the path becomes shorter 0.8 s after a cut, because the period is 2.93 s in Linux and 3.02 s in "
        "Bentpipe, and nine periods precede the change. A recovery with a real loss is not undone. If the change "
        "comes 0.8 s after a cut, Bentpipe retransmits 11 segments (Linux: 12), undoes the recovery and has a window "
        "of 113 segments (Linux: 113) (tcp_htcp.c: htcp_alpha_update; crates/control/src/h_tcp.rs).",
    ),
    Reason(
        controllers=("reno",),
        measures=("shorter: sent again",),
        cases=("reroute, *",),
        text="While the window is halved, every second ACK lets the sender send a segment. ACKs that report a hole "
        "and ACKs that fill a hole alternate, and only ACKs that report a hole lead to retransmissions. In Linux, the "
        "sender may send 88 segments for 176 delivered segments; 176 is the window before the cut "
        "(tcp_input.c: tcp_cwnd_reduction). "
        "Therefore, the ACK that allows a segment always fills a hole. In Bentpipe, the sender may send 88 segments "
        "for 175 delivered segments; 175 is the amount of data in flight (RFC "
        "9937; crates/tcp/src/recovery/prr.rs). Therefore, the kind of the "
        "ACK that allows a segment changes.",
    ),
    Reason(
        controllers=("vegas",),
        measures=("full rate after", "goodput of 7 s after"),
        cases=("silence-*",),
        text="The fourth timeout ends the silence. In Linux, this timeout expires later, because the timer wheel of "
        "the kernel rounds 2.5 s up by as much as 256 ms (kernel/time/timer.c: calc_wheel_index). If only one "
        "direction is silent, the timeout expires at 5.22 s in Linux and at 5.00 s in Bentpipe "
        "(crates/tcp/src/timer.rs: restart).",
    ),
    Reason(
        controllers=("reno",),
        measures=("second transfer",),
        cases=("idle-600ms-keep-window, *",),
        text="The sender sends 1,382 segments at once. A Linux host needs some milliseconds for this. During this "
        "time, the queue accepts seven of the last segments, and their SACKs start a recovery after 1.2 s. Bentpipe "
        "needs no time: all 882 segments behind the full queue are lost, so no SACK reports a hole. A tail loss probe "
        "starts the recovery after 2.6 s (tcp_output.c: tcp_write_xmit; crates/tcp/src/sender/tail.rs: probe_tail).",
    ),
    Reason(
        controllers=("bbr",),
        measures=("first recovery",),
        cases=("20m-100ms-two-flows",),
        known=False,
        text="A second BBR flow joins at 10 s. For 2.7 s in Linux, and for 6.5 to 10.2 s in Bentpipe, each recovery "
        "of this flow begins within a round trip after the previous recovery. In Bentpipe, the PROBE_RTT of the "
        "first flow comes 0.3 s earlier. The kernel's first SYN takes 0.6 ms too long, so its smallest RTT is a "
        "later sample. If the second flow starts 0.25 s earlier, slow start ends at 458 segments (450 in Linux) "
        "instead of 184. If it starts 0.2 to 0.4 s earlier, the recoveries still last for 5.8 to 10.1 s.",
    ),
    Reason(
        controllers=("bbr",),
        measures=("sent again",),
        cases=("jitter, *",),
        known=False,
        text="On a path with jitter and reordering, BBR retransmits 41 to 52 segments in 40 s in Bentpipe, and 29 to "
        "32 segments in Linux. The queue drops 27 to 33 of these segments in Bentpipe, and 14 to 23 in Linux; the "
        "other segments were late. Two changes of the path do not explain the difference: a base RTT that is up to 2 "
        "ms longer (43 to 57 retransmissions), and five other sets of packet delays (37 to 56 retransmissions).",
    ),
)
