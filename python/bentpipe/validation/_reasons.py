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
        text=(
            "HighSpeed TCP reads the decrease of the window from a table. The second recovery begins 4 ms after the "
            "first one, and no ACK between them acknowledges new data. In Linux, the ACK that ends the first recovery "
            "counts as an ACK of congestion avoidance (tcp_input.c: tcp_ack, tcp_fastretrans_alert before "
            "tcp_cong_control). Therefore, the second cut uses the table's row for a window of 1002 segments, and "
            "leaves 678 segments (tcp_highspeed.c: hstcp_cong_avoid, hstcp_ssthresh). In Bentpipe, the controller "
            "receives this ACK before the recovery ends (crates/tcp/src/sender/ack.rs: handle). Therefore, the cut "
            "uses the table's first row, and leaves half of the window, 501 segments "
            "(crates/control/src/hstcp_linux.rs)."
        ),
    ),
    Reason(
        controllers=("yeah",),
        measures=("growth",),
        cases=("10m-600ms",),
        text=(
            "After 20 s, YeAH's window has no cuts, but swings between 503 and 584 segments. The growth is measured "
            "until the end of the trace, so it depends on the phase of the swing at this time. For ends of the trace "
            "between 136 and 150 s, the growth is between -1.62 and -2.14 segments per round trip in Bentpipe, and "
            "between -1.65 and -2.13 in Linux. A swing lasts 13.2 s in Bentpipe, and 12.5 s (one round trip less) in "
            "Linux. The reason is that Linux counts whole segments, and Bentpipe also counts fractions of a segment. "
            "With a base RTT that is 1.2 ms shorter, a swing lasts 12.5 s in Bentpipe, and the growth is -1.89 "
            "(tcp_yeah.c: tcp_yeah_cong_avoid; crates/control/src/yeah.rs: update)."
        ),
    ),
    Reason(
        controllers=("veno",),
        measures=("goodput",),
        cases=("10m-600ms-losses",),
        text=(
            "To Veno, an ACK that the receiver delayed by 40 ms looks like a queue of 3 segments. If a loss follows "
            "such an ACK, Veno keeps half of its window instead of 4/5. In Linux, this happened at two cuts (56.6 and "
            "69.3 s). Bentpipe ran 366 variants of the case, with other lost packets (up to 30 packets earlier or "
            "later) or a base RTT changed by up to 1.5 ms. The number of such cuts determines the goodput: 1.42 to "
            "1.45 Mbit/s without such a cut (278 variants), 1.30 to 1.44 with one (74 variants), and 1.23 to 1.35 "
            "with two (14 variants) (tcp_veno.c: tcp_veno_cong_avoid, tcp_veno_ssthresh; crates/control/src/veno.rs: "
            "observe, reduce)."
        ),
    ),
    Reason(
        controllers=("htcp",),
        measures=("shorter: sent again", "window 0.5 s after"),
        cases=("reroute, *",),
        text=(
            "In Bentpipe, the path becomes shorter 0.2 s after a cut of H-TCP's window, while TCP repairs 16 losses "
            "of the queue. A recovery with a real loss is not undone. In Linux, the path becomes shorter 0.8 s after "
            "a cut: a period between cuts is 2.93 s in Linux and 3.02 s in Bentpipe, and there are nine periods "
            "before the change. If Bentpipe's path also becomes shorter 0.8 s after a cut, Bentpipe retransmits 11 "
            "segments (Linux: 12), undoes the recovery, and has a window of 113 segments (Linux: 113) (tcp_htcp.c: "
            "htcp_alpha_update; crates/control/src/h_tcp.rs)."
        ),
    ),
    Reason(
        controllers=("reno",),
        measures=("shorter: sent again",),
        cases=("reroute, *",),
        text=(
            "While the window is halved, every second ACK allows the sender to send a segment. ACKs that report a "
            "hole and ACKs that fill a hole alternate, and only those that report a hole lead to retransmissions. In "
            "Linux, the sender may send 88 segments for 176 delivered segments, the window before the cut "
            "(tcp_input.c: tcp_cwnd_reduction). Therefore, every ACK that allows a segment fills a hole. In Bentpipe, "
            "the sender may send 88 segments for 175 delivered segments, the amount of data in flight (RFC 9937; "
            "crates/tcp/src/recovery/prr.rs). Therefore, some ACKs that allow a segment report a hole."
        ),
    ),
    Reason(
        controllers=("vegas",),
        measures=("full rate after", "goodput of 7 s after"),
        cases=("silence-*",),
        text=(
            "The path is silent for some time, and the sender's fourth timeout is the first after the silence. In "
            "Linux, this timeout expires later, because the timer wheel of the kernel rounds 2.5 s up by as much as "
            "256 ms (kernel/time/timer.c: calc_wheel_index). If only one direction is silent, the timeout expires at "
            "5.22 s in Linux and at 5.00 s in Bentpipe (crates/tcp/src/timer.rs: restart)."
        ),
    ),
    Reason(
        controllers=("reno",),
        measures=("second transfer",),
        cases=("idle-600ms-keep-window, *",),
        text=(
            "The sender sends 1,382 segments at once. A Linux host needs some milliseconds for this. In this time, "
            "packets leave the queue, so the queue accepts seven of the last segments, and their SACKs start a "
            "recovery after 1.2 s. In Bentpipe, sending takes no time: all 882 segments that do not fit into the "
            "queue are lost, so no SACK reports a hole. Therefore, only a tail loss probe starts the recovery, after "
            "2.6 s (tcp_output.c: tcp_write_xmit; crates/tcp/src/sender/tail.rs: probe_tail)."
        ),
    ),
    Reason(
        controllers=("bbr",),
        measures=("first recovery",),
        cases=("20m-100ms-two-flows",),
        known=False,
        text=(
            "A second BBR flow joins at 10 s. Then one recovery of this flow follows another, with less than a round "
            "trip between them. This lasts 2.7 s in Linux, and between 6.5 s and 10.2 s in Bentpipe (depending on the "
            "run). One difference is known: the PROBE_RTT of the first flow comes 0.3 s later in Linux. There, the "
            "first SYN takes 0.6 ms too long, so the smallest RTT is a later sample. If Bentpipe's second flow starts "
            "0.25 s earlier, its slow start ends at 458 segments (450 in Linux) instead of 184. But if it starts 0.2 "
            "to 0.4 s earlier, the recoveries still last between 5.8 s and 10.1 s."
        ),
    ),
    Reason(
        controllers=("bbr",),
        measures=("sent again",),
        cases=("jitter, *",),
        known=False,
        text=(
            "On a path with jitter and reordering, BBR retransmits 41 to 52 segments in 40 s in Bentpipe, and 29 to "
            "32 segments in Linux. Of these segments, the queue had dropped 27 to 33 in Bentpipe, and 14 to 23 in "
            "Linux; the others were only late. Small changes of Bentpipe's path do not explain the difference. With a "
            "base RTT that is up to 2 ms longer, there are 43 to 57 retransmissions; with five other sets of packet "
            "delays, 37 to 56."
        ),
    ),
)
