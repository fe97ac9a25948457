# SPDX-License-Identifier: MIT OR Apache-2.0
"""Does Vegas-W leave slow start in time, and keep its throughput after a change of route?"""

from __future__ import annotations

from bentpipe.study import Change, Moved, Setting, Study
from bentpipe_papers.order import in_order
from bentpipe_papers.vegas_w import readings

GIVEN = (
    Setting("bottleneck G1-G2", "15 Mbit/s", "section V.A, Figure 1"),
    Setting("packet", "1000 bytes", "section V"),
    Setting("loss ratio", "1e-6", "section V"),
    Setting("buffer at each gateway", "200 packets", "section V"),
    Setting("CBR", "6 Mbit/s between 80 s and 150 s, from S2 to R2", "section V.A"),
    Setting("route change", "at 50 s to a route with longer delay and larger bandwidth; back at 100 s", "section V.B"),
    Setting("alpha, beta", "1 and 3 (printed as kb/s)", "section III.A"),
    Setting("jump rule", "n = 2, m = 20", "section IV.B"),
)
CHOSEN = (
    Setting(
        "TCP",
        "ns-2's Newreno agent for all controllers, no SACK",
        "section V names ns-2 and NewReno, and does not mention SACK",
    ),
    Setting("window_", "no limit", "ns-2's default of 20 packets carries only 0.3 of 15 Mbit/s at 540 ms"),
    Setting("handshake, initial window, timers", "as ns-2: a SYN, 2 packets, ticks of 10 ms", "ns-2's defaults"),
    Setting(
        "base RTT",
        "540 ms; 500 and 600 ms in tables",
        "two geostationary legs take 478 ms, and G1-G2 is added. Figure 1 has the delays, but we have only the text",
    ),
    Setting("delays", "S-G1 and G2-R 120 ms, G1-G2 the rest", "a leg takes 119.4 ms if the satellite is at the zenith"),
    Setting(
        "access",
        "100 Mbit/s, no drops at the hosts",
        "the rates are in Figure 1, which we do not have; a link of ns-2 has no default rate",
    ),
    Setting(
        "chance",
        "the seed decides the losses, adds up to 1 ms to G1-G2, and sets the access links to 95 to 105 Mbit/s. It "
        "also delays the CBR and the change of route by up to a round trip",
        "without this, a flow without losses would have no random part. The paper has none of these settings",
    ),
    Setting("thresholds", "alpha 1, beta 3, gamma 1 packets", "diff is “the amount of extra packets”; see row V-01"),
    Setting("tau", "50 ms", "tau must be far below the RTT; see row V-02"),
    Setting(
        "estimate that slow start uses",
        "the newest",
        "section IV.A. The pause before a round halves this estimate (V-02); a reading has our repair, which uses "
        "the largest estimate of two rounds",
    ),
    Setting(
        "estimate in avoidance",
        "stops",
        "section IV.B. By section IV.C, a loss sets the window by the estimate, but slow start's estimate is then "
        "old; a reading has our repair, which continues to estimate",
    ),
    Setting(
        "loss whose cause is judged",
        "the loss that TCP detects, at three duplicate ACKs",
        "section IV.C says “a duplicated ACK”. With one duplicate ACK, the verdict would be the same, because both "
        "gaps end before this ACK. The mean window from 20 to 80 s would be 442 packets instead of 460 (4 seeds)",
    ),
    Setting(
        "W = ssthresh at a loss",
        "also upwards",
        "section IV.C as written; tables also show a rule by which a loss only lowers W",
    ),
    Setting("slow start of Vegas", "doubles every other round, mean RTT, keeps 7/8", "Brakmo and Peterson; ns-2"),
    Setting(
        "slow start of Vegas-W",
        "doubles every other round",
        "ns-2's Vegas does so; rows also show doubling in every round",
    ),
    Setting("what replaces BaseRTT", "the sample that jumped", "the paper does not say"),
    Setting(
        "new route",
        "20 Mbit/s; forward path longer, RTT x 2.2",
        "n = 2 can detect this route; rows also show a route that is longer in both directions, and x 1.5",
    ),
    Setting("throughput", "new data that arrives, with headers", "a full bottleneck is 15 Mbit/s"),
)
PRECISION = (
    "The only number is 6.4 s. Its rounding is ± 0.05 s, but the paper found it “by observing” a curve over 200 s. In "
    "a column of 8.9 cm, a line of 1 pt covers 0.8 s of this curve. Our tolerance is ± 0.32 s (5 %), which is less "
    "than half of this line. In earlier runs, no reading reproduced the number with the rounding alone. With ± 0.32 "
    "s, the readings that did so gave 6.2 s at our base RTT of 540 ms. V-02 and V-12 are checks of ours, within 5 %. "
    "V-13's “not biased” has no number. Its 5 % are ours, and the row says up to which tolerance its verdict is the "
    "same. “Much better” and “highly improved” mean more than a tenth."
)
CHANGED = (
    Change(
        "V-03: All rows except this one excluded readings in which Vegas uses the smallest RTT of a round. The text "
        "says: “The burst during slow-start phase causes Vegas to change from slow-start phase to "
        "congestion-avoidance phase too early”, but the first packet of a burst meets no queue. Now this row also "
        "excludes this reading.",
        Moved.TOWARDS,
    ),
    Change(
        "V-09: “In this scenario, Vegas-W performs much better than Vegas” includes the return to the old route, so "
        "both parts are now headlines (main claims).",
        Moved.AWAY,
    ),
    Change(
        "V-06, V-07: A reading in which Vegas uses the smallest RTT of a round is now excluded. Section IV.A assumes "
        "that a round's own burst causes a queue, and this RTT does not include such a queue.",
        Moved.TOWARDS,
    ),
    Change(
        "V-11: The conclusion's “solve the problem of misjudgment” is now a headline (main claim). We require that "
        "nine tenths of the link errors are judged correctly.",
        Moved.AWAY,
    ),
    Change(
        "V-08: One claim said that Vegas-W's window grows on the new route (72 ± 340 segments). “The congestion "
        "window should increase” says what would be right, and not what Vegas-W's window does. That is in Figure 4, "
        "which we do not have, so the claim was removed.",
        Moved.TOWARDS,
    ),
    Change(
        "V-07: We measured “responds swiftly” as the share of the time within 10 % of the free rate (70 ± 51 "
        "percentage points more than Vegas; 7 of 9 readings were for the claim). Now we measure the time until "
        "Vegas-W responds to each of the two changes.",
        Moved.NEITHER,
    ),
    Change(
        "V-03, V-14: The claim on Vegas-W's larger window at the end of slow start had no readings. Now it has the "
        "same readings as the claim on Vegas's window (V-03.a). The claims on Vegas-A and Veno now have readings "
        "with other access links and another TCP.",
        Moved.AWAY,
    ),
    Change(
        "V-15: Vegas-W does all that Vegas does, so it must need more instructions per ACK: this is now a check.",
        Moved.AWAY,
    ),
    Change(
        "V-06: The claims on mean windows from 20 s to 80 s came from our interpretation of Figure 2. The text does "
        "not state them, so they were removed.",
        Moved.AWAY,
    ),
    Change(
        "V-07: If neither controller responds, the row showed a difference of 0.0 s. Now it shows “never”.",
        Moved.NEITHER,
    ),
    Change(
        "V-07, V-09: We had read “highly improved” and “much better” as any gain. Now we read them as "
        "more than a tenth.",
        Moved.AWAY,
    ),
    Change(
        "All rows: Vegas-W continued to estimate in avoidance, and used the largest estimate of two rounds. These "
        "two repairs of ours contradict section IV.B. The main reading is now the text, and our repair is a reading. "
        "Results in the main reading with 4 seeds: in V-06, Vegas-W's window is 55 % larger than NewReno's (with the "
        "repair: 87 % smaller). In V-08, Vegas-W's window on the new route changes by +170 ± 608 segments (with the "
        "repair: -128 ± 1).",
        Moved.TOWARDS,
    ),
    Change(
        "Estimate of slow start instead of our repair, V-07: Vegas-W's throughput in the first 20 s is 17 % lower "
        "than Vegas's (with the repair: 7 % higher). In a review, it was 19 % higher, because a link rounded times "
        "differently: without jitter, the result depends on packets that arrive at the same time. A new reading "
        "therefore has jitter. With the repair, the first full round trip was after 6.4 s in 4 of 23 readings; now "
        "it is so in none.",
        Moved.AWAY,
    ),
    Change(
        "V-07: New readings have averaging intervals of 0.1, 0.2, 0.5 and 1 s for the throughput of Figure 3.",
        Moved.TOWARDS,
    ),
    Change(
        "V-12: A reading without timeouts counted against the claim that slow start follows a timeout. Now it is "
        "left out.",
        Moved.TOWARDS,
    ),
    Change(
        "V-13: A new seed moved the start times and round trips of all flows together, by steps of one sequence. Now "
        "each is drawn independently.",
        Moved.TOWARDS,
    ),
    Change(
        "V-07: “Responds swiftly” is a claim again: beside the CBR, Vegas-W has the free rate during more of the "
        "time than Vegas. V-09 now also has a claim on the return to the original route.",
        Moved.NEITHER,
    ),
    Change(
        "All rows: We chose the main options (base RTT, doubling, jump, route, tau) after trial runs had shown the "
        "effect of each. The tables show the other options.",
        Moved.UNSAID,
    ),
    Change(
        "V-01: The claim on the equilibrium was 2 ± 1 packets, and then two bounds, alpha and beta (“reproduced”). "
        "The bounds are Vegas's own rule in our unit, so they are now checks.",
        Moved.NEITHER,
    ),
    Change("V-02, V-12: Some claims hold by construction (“reproduced”). They are now checks.", Moved.NEITHER),
    Change(
        "V-04: The claim was that diff is above gamma at the end of slow start (“direction only”). This is Vegas's "
        "rule, so it is a check now. Also, the queue of the burst was measured in the wrong round trip.",
        Moved.NEITHER,
    ),
    Change(
        "V-06: The claim on the longer slow start compared Vegas-W only with a Vegas that doubles in every round "
        "(“direction only”). It then used both readings of Vegas (“not reproduced”).",
        Moved.AWAY,
    ),
    Change(
        "V-06: A review found that we compared a Vegas-W that doubles in every round with a Vegas that doubles in "
        "every other round. Now both double equally often: in every round, and in another reading in every other "
        "round.",
        Moved.TOWARDS,
    ),
    Change(
        "V-06: With an earlier build, Vegas-W's window was higher than NewReno's. Now timeouts reduce Vegas-W's "
        "window if access links have 100 Mbit/s. The claim stays, with two more readings.",
        Moved.NEITHER,
    ),
    Change(
        "V-07: For “responds swiftly”, the claim compared the throughput beside and after the CBR with that of "
        "Vegas, which never fills the link (“direction only”). It is not a claim any more, because the paper gives "
        "no bound.",
        Moved.NEITHER,
    ),
    Change(
        "V-07: None of the 96 combinations had a handshake, or access links other than 100 Mbit/s. A review found "
        "that the result depends on both. They are now readings, declared with their known effect. A specification "
        "curve replaces the 96 combinations.",
        Moved.TOWARDS,
    ),
    Change(
        "V-07: Runs of every reading now take 30 s. A run that never fills the path for a round trip counts as 30 s.",
        Moved.NEITHER,
    ),
    Change(
        "V-08, V-09: At first, the claims had to hold in every reading of the new route, and V-08 was “not "
        "reproduced”. For a time, they had to hold only in the reading that n = 2 can detect, and then in all three "
        "again.",
        Moved.AWAY,
    ),
    Change(
        "V-08: The claim had to hold for all three routes, although the paper leaves the delay open. The main "
        "reading now has the route that n = 2 can detect. Two other readings have the other routes, with settings in "
        "which Vegas-W has no timeouts.",
        Moved.TOWARDS,
    ),
    Change("V-09: The three routes are now readings of one claim.", Moved.NEITHER),
    Change(
        "V-09: A claim was about the effect of the refresh of BaseRTT alone. It had to hold first for the reading "
        "that n = 2 can detect, and then for all three, so the row was “not reproduced”. This comparison is our "
        "ablation, and is now only in a table.",
        Moved.TOWARDS,
    ),
    Change(
        "V-06 to V-10: Three variants of Vegas-W were readings: an estimate that continues in avoidance, our repair "
        "of this estimate, and a loss that only lowers the window. By section IV.B, in avoidance “bandwidth size "
        "will not be estimated”, and by section IV.C, a loss sets the window to B RTTmin. The variants are not "
        "readings any more, but stay in the tables.",
        Moved.NEITHER,
    ),
    Change(
        "V-07, V-08, V-10: “Vegas-W responds swiftly” and the conclusion's “more accurate BaseRTT” are now headlines "
        "(main claims). The sentence of V-10 describes the design in section IV.B, and is not a headline any more.",
        Moved.AWAY,
    ),
    Change(
        "V-10: Each run has one jump of the RTT. If all seeds gave the same result, the number had no interval. Now "
        "it has one (0 of 10 detected: at most 31 %). A reading with a buffer of 1012 packets is excluded, because "
        "section V sets 200 packets.",
        Moved.NEITHER,
    ),
    Change(
        "V-10: The claim was at first about a jump by x 2.1, and then by x 2.5, for a flow alone whose forward path "
        "becomes longer. Then both jumps had to be detected in all four readings. The reading with a flow alone "
        "whose forward path becomes longer was a check.",
        Moved.AWAY,
    ),
    Change(
        "V-10: Section V.B has one flow, so the main reading has a flow alone whose forward path becomes longer (x "
        "2.1 and x 2.5). The other cases are other readings, each also with access links of 22 Mbit/s. NewReno "
        "beside the flow is our addition.",
        Moved.TOWARDS,
    ),
    Change(
        "V-11: The text and the table showed shares over the losses of all seeds together, but the claims used means "
        "over the seeds. Now all are means over the seeds. The claim on one flow alone has one more reading.",
        Moved.NEITHER,
    ),
    Change(
        "V-12: The reaction to a link error is now measured with access links of 22 Mbit/s. At 100 Mbit/s, the "
        "window grows between two samples, because slow start follows a timeout.",
        Moved.NEITHER,
    ),
    Change(
        "V-13: We had read “not biased” as less biased than Reno (“direction only”). Now the claim is a ratio of 1 ± "
        "0.05.",
        Moved.AWAY,
    ),
    Change(
        "V-13: The buffer (20 packets; the table also has 10 and 50) and a background of 0.5 Mbit/s against phase "
        "effects were chosen after we had seen results.",
        Moved.UNSAID,
    ),
    Change(
        "V-14: Claims about our substitutes (marked *) were removed when New Vegas* ended slow start at 101 % of the "
        "bandwidth-delay product. Now these claims are made again.",
        Moved.AWAY,
    ),
    Change(
        "V-15: The row had claims about bytes and ns per ACK, copied from a benchmark, and then no claims. Now a "
        "claim compares the instructions per ACK with those of Vegas; the numbers come from a file that describes "
        "the method. The bytes of state are a check.",
        Moved.TOWARDS,
    ),
    Change(
        "All rows: We had not followed our order of precedence. The main reading had the minimal TCP (SACK, no "
        "handshake), which is now another reading. The main reading now has the Newreno agent of ns-2, the tool that "
        "the text names. In trial runs, the throughput from 20 s to 80 s is now 0.6 Mbit/s for Vegas-W (4.3 before) "
        "and 4.4 Mbit/s for NewReno (7.9 before).",
        Moved.AWAY,
    ),
    Change(
        "All rows: Vegas-W doubled in every round, because only then are 6.4 s possible. This was an argument from "
        "the result. ns-2's Vegas doubles in every other round, so Vegas-W now does so too. In another reading, both "
        "compared controllers double in every round. Of the readings of V-07, only this one can give 6.4 s.",
        Moved.AWAY,
    ),
    Change(
        "V-07: We had selected eight readings. Now all 24 combinations of TCP, access links and slow start are "
        "readings. The handshake is a part of the TCP. The number in the claim is the same as before.",
        Moved.TOWARDS,
    ),
    Change(
        "V-06 to V-11: The readings with 22 Mbit/s and the minimal TCP stay. New readings are access links of 16 "
        "Mbit/s (where ns-2's Newreno loses nothing in slow start), doubling in every round, and Linux's TCP.",
        Moved.TOWARDS,
    ),
    Change(
        "V-03: The claim had no other readings. Now the three other forms of Vegas in the row's table are readings.",
        Moved.NEITHER,
    ),
    Change(
        "V-12: In the main reading, no timeout leads to slow start (3 seeds), because B RTTmin has fallen to 2 "
        "segments. In the previous main reading, every timeout did. The previous main reading is now another reading.",
        Moved.AWAY,
    ),
    Change(
        "V-13: New readings have the two other buffers of the row's table, or the minimal TCP. The tolerance of ± "
        "0.05 stays, because the paper gives no number for “not biased”.",
        Moved.NEITHER,
    ),
    Change(
        "V-14: New Vegas* (101 %, not below 100 %) and Vegas-AB* (13 %) are substitutes, because the paper defines "
        "neither controller. A substitute can neither refute nor confirm the paper, so neither has a claim. New "
        "Vegas* alone had made the row “not reproduced”.",
        Moved.TOWARDS,
    ),
    Change(
        "All rows: Our pages said that the paper gives no delays and no rates of the hosts' links. But the links of "
        "Figure 1 “are labeled with their bandwidth and propagation delay”. We have the text without the figures. We "
        "corrected our pages. The delays and rates are still our choice.",
        Moved.NEITHER,
    ),
    Change(
        "V-08: “The congestion window should increase” says what would be right on the new route, and not what "
        "Vegas-W's window does. That is in Figure 4, which we do not have. The claim stays, and its text says so.",
        Moved.NEITHER,
    ),
)

STUDY = Study(
    name="vegas-w",
    title="An Enhanced TCP Vegas Algorithm Based on Route Surveillance and Bandwidth Estimation over GEO Satellite "
    "Networks",
    short="Vegas-W for GEO",
    about="Vegas-W is Vegas with three additions for geostationary paths. Slow start continues while the window is "
    "below Westwood's bandwidth estimate. A jump of the RTT replaces BaseRTT. The spacing of the packets before a loss "
    "distinguishes congestion from link errors. The paper evaluates Vegas-W with ns-2 in two scenarios with one flow "
    "each: constant traffic (CBR) of 6 Mbit/s that starts and ends, and a route that becomes longer and then short "
    "again. The text has only one number (6.4 s). The paper has five figures, and Figure 1 gives the rates and delays "
    "of the links. We have only the text, so these settings are ours. The main reading is the same in all rows: it "
    "uses ns-2's defaults where the text gives no value, which means no SACK, and access links of 100 Mbit/s. These "
    "settings have more effect than the rules of Vegas-W: bursts of slow start overflow the buffer, and TCP repairs "
    "one packet per round trip, which takes minutes. Other readings have access links of 16 Mbit/s, Linux's TCP, or "
    "the minimal TCP. In these readings the rules of Vegas-W have an effect.",
    summary=(
        "Vegas-W is a variant of Vegas for geostationary paths. In the paper, it fills a link of 15 Mbit/s after "
        "{V-07.a paper}. In our runs of 30 s, the result is “{V-07.a ours}”.",
        "Compared with Vegas, the duration of its slow start differs by {V-06.a ours}, and its throughput of the "
        "first 20 s by {V-07.b ours}. The sign of the second number depends on which of two simultaneous packets a "
        "full queue drops.",
    ),
    given=GIVEN,
    chosen=CHOSEN,
    readings=readings.CHOICES,
    precision=PRECISION,
    changed=CHANGED,
    rows=in_order(__name__),
)
