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
    Setting("CBR", "6 Mbit/s between 80 s and 150 s, S2 to R2", "section V.A"),
    Setting("route change", "at 50 s, back at 100 s; longer delay, larger bandwidth", "section V.B"),
    Setting("alpha, beta", "1 and 3 (printed as kb/s)", "section III.A"),
    Setting("jump rule", "n = 2, m = 20", "section IV.B"),
)
CHOSEN = (
    Setting("TCP", "ns-2's Newreno agent for all, no SACK", "section V names ns-2 and NewReno, and no SACK"),
    Setting("window_", "no limit", "its default of 20 packets carries only 0.3 of 15 Mbit/s at 540 ms"),
    Setting("handshake, initial window, timers", "as ns-2: a SYN, 2 packets, ticks of 10 ms", "ns-2's defaults"),
    Setting(
        "base RTT",
        "540 ms; 500 and 600 ms in tables",
        "two geostationary legs are 478 ms, plus G1-G2; Figure 1 has the delays, but we have the text only",
    ),
    Setting("delays", "S-G1 and G2-R 120 ms, G1-G2 the rest", "a leg at the zenith is 119.4 ms"),
    Setting(
        "access",
        "100 Mbit/s, no drops at the hosts",
        "in Figure 1, which we do not have; a link of ns-2 has no default",
    ),
    Setting(
        "chance",
        "the seed decides the losses, adds up to 1 ms to G1-G2, and sets the access links to 95 to 105 Mbit/s. It "
        "delays the CBR and the change of route by up to a round trip",
        "otherwise, one flow without losses would have nothing random; none of this is the paper's",
    ),
    Setting("thresholds", "alpha 1, beta 3, gamma 1 packets", "diff is “the amount of extra packets”; V-01"),
    Setting("tau", "50 ms", "must be far below the RTT; V-02"),
    Setting(
        "estimate that slow start uses",
        "the newest",
        "section IV.A; the pause before a round halves the estimate (V-02); our repair, the largest of two rounds, is "
        "a reading",
    ),
    Setting(
        "estimate in avoidance",
        "stops",
        "section IV.B; by section IV.C, a loss sets the window by the estimate, and slow start's estimate is old by "
        "then; our repair, which continues to estimate, is a reading",
    ),
    Setting(
        "loss whose cause is judged",
        "where TCP detects it: at three duplicate ACKs",
        "section IV.C says “a duplicated ACK”; the verdict would be the same then, because both gaps end before this "
        "ACK. If one duplicate ACK declares a loss, the mean window from 20 to 80 s is 442 packets instead of 460 (4 "
        "seeds)",
    ),
    Setting("W = ssthresh at a loss", "also upwards", "section IV.C as written; “only lowers” is also shown"),
    Setting("slow start of Vegas", "doubles every other round, mean RTT, keeps 7/8", "Brakmo and Peterson; ns-2"),
    Setting("slow start of Vegas-W", "doubles every other round", "ns-2's Vegas does so; every round is also shown"),
    Setting("what replaces BaseRTT", "the sample that jumped", "the paper does not say"),
    Setting(
        "new route",
        "20 Mbit/s; forward path longer, RTT x 2.2",
        "n = 2 can detect this route; both directions and x 1.5 are also shown",
    ),
    Setting("throughput", "new data that arrives, with headers", "a full bottleneck is 15 Mbit/s"),
)
PRECISION = (
    "The only number is 6.4 s. Its rounding is ± 0.05 s, but the paper found it “by observing” a curve over 200 s. In "
    "a column of 8.9 cm, a line of 1 pt covers 0.8 s of this curve. Our tolerance is ± 0.32 s (5 %), which is less "
    "than half of this line. In earlier runs, no reading held with the rounding alone. The readings that held had 6.2 "
    "s at a base RTT of 540 ms, which is our value. V-02 and V-12 are checks of ours, within 5 %. V-13's “not biased” "
    "has no number. Its 5 % are ours, and the row says up to which tolerance its verdict is the same. “Much better” "
    "and “highly improved” mean more than a tenth."
)
CHANGED = (
    Change(
        "V-03: The smallest RTT of a round was excluded in every row but this one. The text says: “The burst during "
        "slow-start phase causes Vegas to change from slow-start phase to congestion-avoidance phase too early”, but "
        "the first packet of a burst meets no queue. Now it is excluded here too.",
        Moved.TOWARDS,
    ),
    Change(
        "V-09: “In this scenario, Vegas-W performs much better than Vegas” includes the return to the old route, so "
        "both parts are headlines now.",
        Moved.AWAY,
    ),
    Change(
        "V-06, V-07: The smallest RTT of a round was a reading. It is excluded now, because the premise of section "
        "IV.A, a queue of the round's own burst, is not true in it.",
        Moved.TOWARDS,
    ),
    Change(
        "V-11: The conclusion's “solve the problem of misjudgment” is a headline now. Our bound is nine tenths of "
        "the link errors judged correctly.",
        Moved.AWAY,
    ),
    Change(
        "V-08: Vegas-W's window on the new route was claimed to grow (72 ± 340 segments). “The congestion window "
        "should increase” says what is right. What Vegas-W's window did is in Figure 4, so there is no claim any "
        "more.",
        Moved.TOWARDS,
    ),
    Change(
        "V-07: “Responds swiftly” was the time within 10 % of the free rate (70 ± 51 points more than Vegas; 7 of 9 "
        "readings were for the claim). Now it is the time until the response to each of the two changes.",
        Moved.NEITHER,
    ),
    Change(
        "V-03, V-14: Vegas-W's larger window at the end of slow start had no readings. Now it has those of Vegas's "
        "own window (V-03.a). The claims on Vegas-A and Veno have the rates of the access links and the TCP as "
        "readings.",
        Moved.AWAY,
    ),
    Change("V-15: Vegas-W does all that Vegas does, so more instructions per ACK are a check now.", Moved.AWAY),
    Change(
        "V-06: Mean windows from 20 s to 80 s were claimed by our reading of Figure 2. The text does not state them, "
        "so they are not a claim any more.",
        Moved.AWAY,
    ),
    Change("V-07: If neither controller responds, the difference was 0.0 s. Now it is “never”.", Moved.NEITHER),
    Change(
        "V-07, V-09: “Highly improved” and “much better” meant any gain. Now they mean more than a tenth.", Moved.AWAY
    ),
    Change(
        "All rows: Vegas-W continued to estimate in avoidance, and used the largest estimate of two rounds. These "
        "two repairs of ours contradict section IV.B. The main reading is now the text, and our repair is a reading. "
        "In the main bed (4 seeds), V-06: the window compared with NewReno's is +55 % (-87 with the repair); V-08: "
        "Vegas-W's window on the new route changes by +170 ± 608 segments (-128 ± 1).",
        Moved.TOWARDS,
    ),
    Change(
        "The same change, V-07: The throughput of the first 20 s is -17 % compared with Vegas (+7 with the repair). "
        "A review had +19 %, from a link that rounds differently: without jitter, a tie decides. Jitter is therefore "
        "a reading now. In no bed is the first full round trip after 6.4 s any more; with the repair, this was so in "
        "4 of 23 beds.",
        Moved.AWAY,
    ),
    Change(
        "V-07: The bin over which Figure 3 averages was not a reading. Now 0.1, 0.2, 0.5 and 1 s are readings.",
        Moved.TOWARDS,
    ),
    Change(
        "V-12: A reading without timeouts counted against slow start after timeouts. Now it is left out.",
        Moved.TOWARDS,
    ),
    Change(
        "V-13: Start times and round trips of all flows moved together from seed to seed, by steps of one sequence. "
        "Now each is drawn independently.",
        Moved.TOWARDS,
    ),
    Change(
        "V-07: “Responds swiftly” has a claim again: beside the CBR, Vegas-W has the free rate for more of the time "
        "than Vegas. V-09 also claims the return to the original route.",
        Moved.NEITHER,
    ),
    Change(
        "All rows: Readings (base RTT, doubling, jump, route, tau) were fixed after trial runs had shown the effect "
        "of each. The tables have the other readings.",
        Moved.UNSAID,
    ),
    Change(
        "V-01: The equilibrium was one claim, 2 ± 1 packets, and then two bounds, alpha and beta (“reproduced”). Now "
        "the bounds are checks, because they are Vegas's own rule in our unit.",
        Moved.NEITHER,
    ),
    Change("V-02, V-12: What holds by construction was claimed (“reproduced”). It is a check now.", Moved.NEITHER),
    Change(
        "V-04: The claim was that diff is above gamma at the end of slow start (“direction only”). This is Vegas's "
        "rule, so it is a check now. The queue of the burst was measured in the wrong round trip.",
        Moved.NEITHER,
    ),
    Change(
        "V-06: The longer slow start was claimed only against a Vegas that doubles in every round (“direction "
        "only”), and then for both readings of Vegas (“not reproduced”).",
        Moved.AWAY,
    ),
    Change(
        "V-06: A review found that a Vegas-W that doubles in every round was compared with a Vegas that doubles in "
        "every other round. Now both double equally often: in every round, and in every other round as a reading.",
        Moved.TOWARDS,
    ),
    Change(
        "V-06: With an earlier build, Vegas-W's window was higher than NewReno's. Now timeouts reduce it at 100 "
        "Mbit/s. The claim stays, with two other beds as readings.",
        Moved.NEITHER,
    ),
    Change(
        "V-07: “Responds swiftly” was claimed as throughput beside and after the CBR, compared with Vegas, which "
        "never fills the link (“direction only”). It is not a claim any more, because the paper gives no bound.",
        Moved.NEITHER,
    ),
    Change(
        "V-07: None of the 96 combinations had access links other than 100 Mbit/s, or a handshake. A review found "
        "that these decide the result. They are readings now, declared with their known effect, and a specification "
        "curve replaces the 96 combinations.",
        Moved.TOWARDS,
    ),
    Change(
        "V-07: Every bed has runs of 30 s now. A run that never fills a round trip counts as 30 s.",
        Moved.NEITHER,
    ),
    Change(
        "V-08, V-09: At first, every reading of the new route was claimed, and V-08 was “not reproduced”. For a "
        "time, only the reading that n = 2 can detect was claimed, and then all three again.",
        Moved.AWAY,
    ),
    Change(
        "V-08: All three routes had to hold, although the paper leaves the delay open. Now the route that n = 2 can "
        "detect is the main reading. The other two are readings, in the bed in which Vegas-W has no timeouts.",
        Moved.TOWARDS,
    ),
    Change("V-09: The three routes are readings of one claim now.", Moved.NEITHER),
    Change(
        "V-09: The effect of the refresh alone was claimed, first for the reading that n = 2 can detect, and then "
        "for all three, which made the row “not reproduced”. It is our ablation, and is in a table now.",
        Moved.TOWARDS,
    ),
    Change(
        "V-06 to V-10: Three variants were readings: an estimate that continues in avoidance, our repair of it, and "
        "a loss that only lowers the window. By section IV.B, in avoidance “bandwidth size will not be estimated”, "
        "and by section IV.C, a loss sets the window to B RTTmin. The variants stay in the tables.",
        Moved.NEITHER,
    ),
    Change(
        "V-07, V-08, V-10: “Vegas-W responds swiftly” and the conclusion's “more accurate BaseRTT” are headlines "
        "now. The sentence of V-10 describes the design in section IV.B, and is not a headline any more.",
        Moved.AWAY,
    ),
    Change(
        "V-10: A run has one jump, and equal results of all seeds counted as a number without chance. Now they have "
        "an interval (0 of 10: at most 31 %). A buffer of 1012 packets was a reading. It is excluded, because "
        "section V sets 200 packets.",
        Moved.NEITHER,
    ),
    Change(
        "V-10: The claimed jump was x 2.1 at first, and then x 2.5, for a flow alone whose forward path becomes "
        "longer. Then both jumps had to be detected in all four readings. Of these, a flow alone whose forward path "
        "becomes longer was a check.",
        Moved.AWAY,
    ),
    Change(
        "V-10: Section V.B has one flow, so a flow alone whose forward path becomes longer is the main reading (both "
        "x 2.1 and x 2.5). The others are readings, each also with access links of 22 Mbit/s. NewReno beside the "
        "flow is our addition.",
        Moved.TOWARDS,
    ),
    Change(
        "V-11: Shares were pooled in the text and the table, but were means of the seeds in the claims. Now all are "
        "means. The claim on one flow alone has another bed as a reading.",
        Moved.NEITHER,
    ),
    Change(
        "V-12: What follows a link error is measured with access links of 22 Mbit/s now. At 100 Mbit/s, the window "
        "grows between two samples, in the slow start after a timeout.",
        Moved.NEITHER,
    ),
    Change(
        "V-13: “Not biased” was claimed as less biased than Reno (“direction only”). Now the claim is the ratio 1 ± "
        "0.05.",
        Moved.AWAY,
    ),
    Change(
        "V-13: The buffer (20 packets; the table also has 10 and 50) and a background of 0.5 Mbit/s against phase "
        "effects were chosen after looks at results.",
        Moved.UNSAID,
    ),
    Change(
        "V-14: Claims about the substitutes (*) were dropped when New Vegas* ended slow start at 101 % of the "
        "bandwidth-delay product. Now they are made again.",
        Moved.AWAY,
    ),
    Change(
        "V-15: The row had claims about bytes and ns per ACK, copied from a benchmark, and then no claims. Now the "
        "instructions per ACK compared with Vegas are claimed again, from a file that describes the method. Bytes of "
        "state are a check.",
        Moved.TOWARDS,
    ),
    Change(
        "All rows: The order of precedence was not followed. The main reading was the minimal TCP (SACK, no "
        "handshake), which is a reading now. ns-2, which the text names, comes first, with its Newreno agent. In "
        "trial runs, from 20 s to 80 s, Vegas-W has 0.6 Mbit/s (4.3 before), and NewReno 4.4 (7.9 before).",
        Moved.AWAY,
    ),
    Change(
        "All rows: Vegas-W doubled in every round, because 6.4 s are possible only then. This was an argument from "
        "the result. ns-2's Vegas doubles in every other round, so Vegas-W does too now. Doubling in every round is "
        "a reading, for both controllers that are compared. Of the readings of V-07, only this one can give 6.4 s.",
        Moved.AWAY,
    ),
    Change(
        "V-07: We had picked eight readings. Now there are all 24 combinations of TCP, access links and slow start. "
        "The handshake is a part of the TCP. The claimed number is the same as before.",
        Moved.TOWARDS,
    ),
    Change(
        "V-06 to V-11: The readings with 22 Mbit/s and the minimal TCP stay. New readings are access links of 16 "
        "Mbit/s (where ns-2's Newreno loses nothing in slow start), doubling in every round, and Linux's TCP.",
        Moved.TOWARDS,
    ),
    Change("V-03: The claim had no reading. Now it has the three other forms of Vegas in its table.", Moved.NEITHER),
    Change(
        "V-12: In the main bed, no timeout leads to slow start (3 seeds), because B RTTmin has fallen to 2 segments. "
        "In the previous bed, every timeout did. The previous bed is a reading.",
        Moved.AWAY,
    ),
    Change(
        "V-13: The two other buffers of its table and the minimal TCP are readings. ± 0.05 stays, because the words "
        "have no number.",
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
        "Figure 1 “are labeled with their bandwidth and propagation delay”. We have the text without the figures. "
        "The words are corrected. The delays and rates stay ours.",
        Moved.NEITHER,
    ),
    Change(
        "V-08: “The congestion window should increase” says what is right on the new route, and not what Vegas-W's "
        "window does. That is in Figure 4, which we do not have. The claim stays and says so.",
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
        "{V-07.a paper}. In our runs of 30 s, this time is “{V-07.a ours}”.",
        "Compared with Vegas, the duration of its slow start differs by {V-06.a ours}, and its throughput of the first "
        "20 s by {V-07.b ours}. The sign of the second number depends on which of two packets a full queue drops.",
    ),
    given=GIVEN,
    chosen=CHOSEN,
    readings=readings.CHOICES,
    precision=PRECISION,
    changed=CHANGED,
    rows=in_order(__name__),
)
