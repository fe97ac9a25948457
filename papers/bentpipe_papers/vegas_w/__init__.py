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
    Setting("window_", "no limit", "its default, 20 packets, carries 0.3 Mbit/s at 540 ms, of 15"),
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
        "the seed draws losses, G1-G2 + 0 to 1 ms, access 95 to 105 Mbit/s, and delays the CBR and the change of route "
        "by up to a round trip",
        "one flow without losses has no chance in it; none of this is the paper's",
    ),
    Setting("thresholds", "alpha 1, beta 3, gamma 1 packets", "diff is “the amount of extra packets”; V-01"),
    Setting("tau", "50 ms", "must be far below the RTT; V-02"),
    Setting(
        "estimate asked in slow start",
        "the newest",
        "section IV.A; the pause before a round halves it (V-02); our repair, the largest of two rounds, is a reading",
    ),
    Setting(
        "estimate in avoidance",
        "stops",
        "section IV.B; IV.C sets the window by it at a loss, where that of slow start is old: our repair, which goes "
        "on, is a reading",
    ),
    Setting(
        "loss asked for its cause",
        "where TCP detects it: at three duplicate ACKs",
        "section IV.C asks at “a duplicated ACK”: the verdict is the same there, as both gaps end before it. With a "
        "loss declared at one, the mean window of 20 to 80 s is 442 packets in place of 460 (4 seeds)",
    ),
    Setting("W = ssthresh at a loss", "also upwards", "section IV.C as it is written; “only lowers” beside it"),
    Setting("slow start of Vegas", "doubles every other round, mean RTT, keeps 7/8", "Brakmo and Peterson; ns-2"),
    Setting("slow start of Vegas-W", "doubles every other round", "it is ns-2's Vegas; every round beside it"),
    Setting("what replaces BaseRTT", "the sample that jumped", "the paper does not say"),
    Setting(
        "new route", "20 Mbit/s; forward path longer, RTT x 2.2", "n = 2 can see it; both ways and x 1.5 beside it"
    ),
    Setting("throughput", "new data that arrives, headers too", "a full bottleneck is 15 Mbit/s"),
)
PRECISION = (
    "the only number is 6.4 s. Its rounding is ± 0.05 s, but the paper found it “by observing” a curve over 200 s: a "
    "line of 1 pt in a column of 8.9 cm covers 0.8 s of it. The ± 0.32 s that stood before (5 %) are less than half of "
    "that line, and stay. In earlier runs no reading held with the rounding alone: those that hold came to 6.2 s at a "
    "base RTT of 540 ms, which is ours. V-02 and V-12 are checks of ours, within 5 %. V-13's “not biased” has no "
    "number either: its 5 % are ours, and the row says up to which tolerance its verdict is the same. “Much better” "
    "and “highly improved” are more than a tenth."
)
CHANGED = (
    Change(
        "V-03: the smallest RTT of a round counted here only, though “The burst during slow-start phase causes Vegas "
        "to change from slow-start phase to congestion-avoidance phase too early” excludes it in every row: the first "
        "packet of a burst meets no queue.",
        Moved.TOWARDS,
    ),
    Change(
        "V-09: “In this scenario, Vegas-W performs much better than Vegas” includes the return to the old route, so "
        "both parts are headlines.",
        Moved.AWAY,
    ),
    Change(
        "V-06, V-07: the smallest RTT of a round was a reading, in which the premise of section IV.A, a queue of the "
        "round's own burst, is not true.",
        Moved.TOWARDS,
    ),
    Change(
        "V-11: the conclusion's “solve the problem of misjudgment” is a headline: nine tenths of the link errors "
        "judged correctly, a bound of ours.",
        Moved.AWAY,
    ),
    Change(
        "V-08: Vegas-W's window on the new route was claimed to grow (72 ± 340 segments). “The congestion window "
        "should increase” says what is right; what Vegas-W's window did is in Figure 4: no claim.",
        Moved.TOWARDS,
    ),
    Change(
        "V-07: “responds swiftly” was the time within 10 % of the free rate (70 ± 51 points more than Vegas, for in 7 "
        "of 9 readings); it is how soon after each of the two changes.",
        Moved.NEITHER,
    ),
    Change(
        "V-03, V-14: Vegas-W's larger window at the end of slow start had no reading; it has those of Vegas's own "
        "(V-03.a). Vegas-A's and Veno's have the rates of access links and the TCP.",
        Moved.AWAY,
    ),
    Change("V-15: Vegas-W does all that Vegas does, so that more instructions per ACK are a check.", Moved.AWAY),
    Change(
        "V-06: mean windows from 20 s to 80 s were claimed by our reading of Figure 2; the text does not state them: "
        "no claim.",
        Moved.AWAY,
    ),
    Change("V-07: if neither responds, the difference was 0.0 s; it is “never”.", Moved.NEITHER),
    Change("V-07, V-09: “highly improved” and “much better” were any gain; they are more than a tenth.", Moved.AWAY),
    Change(
        "All rows: Vegas-W went on estimating in avoidance and asked the largest estimate of two rounds, two repairs "
        "of ours, against section IV.B. The main reading is the text's; our repair is a reading. In the main bed "
        "(4 seeds): V-06, window against NewReno's +55 % (-87 with the repair); V-08, Vegas-W's window on the new "
        "route +170 ± 608 segments (-128 ± 1).",
        Moved.TOWARDS,
    ),
    Change(
        "The same: V-07, throughput of the first 20 s against Vegas -17 % (+7 with the repair; a review's +19 came "
        "from a link that rounds otherwise: without jitter a tie decides, and jitter is a reading); no bed has a full "
        "round trip after 6.4 s any more, of the repaired ones 4 of 23 had.",
        Moved.AWAY,
    ),
    Change(
        "V-07: the bin that Figure 3 averages over was not a reading; 0.1, 0.2, 0.5 and 1 s are readings now.",
        Moved.TOWARDS,
    ),
    Change(
        "V-12: a reading in which there is no timeout was counted against slow start after timeouts; it is left out.",
        Moved.TOWARDS,
    ),
    Change(
        "V-13: starts and round trips of all flows moved together from seed to seed, by steps of one sequence; each is "
        "drawn by itself.",
        Moved.TOWARDS,
    ),
    Change(
        "V-07: “responds swiftly” has a claim again: more of the time beside the CBR at the free rate than Vegas. "
        "V-09 also claims the return to the original route.",
        Moved.NEITHER,
    ),
    Change(
        "Readings (base RTT, doubling, jump, route, tau) were fixed after trial runs had shown the effect of each; "
        "the tables have the other readings.",
        Moved.UNSAID,
    ),
    Change(
        "V-01: rest was one claim, 2 ± 1 packets; it is two bounds, alpha and beta. They were claims (“reproduced”), "
        "and are checks: they are Vegas's own rule in our unit.",
        Moved.NEITHER,
    ),
    Change("V-02, V-12: what holds by construction was claimed (“reproduced”); it is checked.", Moved.NEITHER),
    Change(
        "V-04: that diff is above gamma as slow start ends was claimed (“direction only”); it is Vegas's rule, a "
        "check. The queue of the burst was read in the wrong round trip.",
        Moved.NEITHER,
    ),
    Change(
        "V-06: the longer slow start was claimed only against a Vegas that doubles in every round (“direction only”), "
        "then for both readings of Vegas (“not reproduced”).",
        Moved.AWAY,
    ),
    Change(
        "V-06: a review found that a Vegas-W which doubles in every round was compared with a Vegas which doubles in "
        "every other. Now both double alike: every round, and every other round as a reading.",
        Moved.TOWARDS,
    ),
    Change(
        "V-06: that Vegas-W's window is higher than NewReno's held with an earlier build. Now timeouts undo it at 100 "
        "Mbit/s; the claim stays, with two other beds as readings.",
        Moved.NEITHER,
    ),
    Change(
        "V-07: “responds swiftly” was claimed as throughput beside the CBR and after it against Vegas, which never "
        "fills the link (“direction only”); it is not a claim: the paper gives no bound.",
        Moved.NEITHER,
    ),
    Change(
        "V-07: of 96 combinations of what the paper leaves open none had other access links than 100 Mbit/s or a "
        "handshake, which decide it. A review named them. They are readings, declared with their known effect, and a "
        "specification curve takes the place of the 96.",
        Moved.TOWARDS,
    ),
    Change(
        "V-07 is measured in runs of 30 s in every bed; a run that never fills a round trip counts as 30 s.",
        Moved.NEITHER,
    ),
    Change(
        "V-08 and V-09 first claimed every reading of the new route. V-08 then was “not reproduced”, and for a time "
        "only the reading that n = 2 can see was claimed; then all three again.",
        Moved.AWAY,
    ),
    Change(
        "V-08: all three routes had to hold though the paper leaves the delay open. The one that n = 2 can see is the "
        "main reading, the others are readings, in the bed in which Vegas-W is not in timeouts.",
        Moved.TOWARDS,
    ),
    Change("V-09: the three routes are readings of one claim.", Moved.NEITHER),
    Change(
        "V-09: what the refresh itself gives was claimed, first for the reading that n = 2 can see, then for all "
        "three, which made the row “not reproduced”; it is our ablation and is in a table.",
        Moved.TOWARDS,
    ),
    Change(
        "V-06 to V-10: an estimate that goes on in avoidance, our repair of it, and a loss that only lowers the window "
        "were readings. By section IV.B, in avoidance “bandwidth size will not be estimated”, and by section IV.C, a "
        "loss sets the window to B RTTmin. They stay in the tables, as our variants.",
        Moved.NEITHER,
    ),
    Change(
        "V-07, V-08, V-10: “Vegas-W responds swiftly” and the conclusion's “more accurate BaseRTT” are headlines; the "
        "sentence of V-10 is of the design, in section IV.B, and is not.",
        Moved.AWAY,
    ),
    Change(
        "V-10: a run has one jump, and equal results of all seeds counted as a number without chance. They have an "
        "interval now (0 of 10: at most 31 %). A buffer of 1012 packets was a reading; section V sets 200 packets.",
        Moved.NEITHER,
    ),
    Change(
        "V-10: the jump of the claim was x 2.1 at first, then x 2.5, alone on the path, forward path longer; then "
        "both jumps had to be seen in all four readings, of which alone with forward path longer was a check.",
        Moved.AWAY,
    ),
    Change(
        "V-10: section V.B has one flow, so alone with forward path longer is the main reading (x 2.1 and x 2.5 "
        "both), the others are readings, each also with access links of 22 Mbit/s. What NewReno beside it hides is "
        "ours.",
        Moved.TOWARDS,
    ),
    Change(
        "V-11: shares were pooled in the reason and the table, and means of the seeds in the claims; all are means. "
        "One flow alone has another bed as a reading.",
        Moved.NEITHER,
    ),
    Change(
        "V-12: what follows a link error is checked with access links of 22 Mbit/s: at 100 the window of a slow start "
        "after a timeout grows between two samples.",
        Moved.NEITHER,
    ),
    Change(
        "V-13: “not biased” was claimed as less biased than Reno (“direction only”); the ratio 1 ± 0.05 is.", Moved.AWAY
    ),
    Change(
        "V-13: the buffer (20 packets, with 10 and 50 beside it) and a background of 0.5 Mbit/s against phase effects "
        "were chosen after looks at results.",
        Moved.UNSAID,
    ),
    Change(
        "V-14: claims about the stand-ins (*) were dropped when New Vegas* ended slow start at 101 % of the "
        "bandwidth-delay product; they are made again.",
        Moved.AWAY,
    ),
    Change(
        "V-15 had claims about bytes and ns per ACK, typed in from a bench, then none. The ratio to Vegas is claimed "
        "again, from a file that says how it was made: instructions per ACK; bytes of state are a check.",
        Moved.TOWARDS,
    ),
    Change(
        "All rows: the order of precedence was not followed. TCP was the minimal TCP (SACK, no handshake), which is a "
        "reading now; ns-2, which the text names, comes first: its Newreno agent. Trial runs: from 20 s to 80 s "
        "Vegas-W has 0.6 Mbit/s (4.3 before), NewReno 4.4 (7.9).",
        Moved.AWAY,
    ),
    Change(
        "All rows: Vegas-W doubled in every round, since only so 6.4 s can be: an argument from the result. ns-2's "
        "Vegas doubles in every other, so does Vegas-W now; every round is a reading, for both that are compared. Of "
        "readings of V-07 only that can come to 6.4 s.",
        Moved.AWAY,
    ),
    Change(
        "V-07: its readings were eight that were picked; they are all 24 combinations of whose TCP, access links and "
        "slow start. The handshake is a part of whose TCP. The number is claimed as before.",
        Moved.TOWARDS,
    ),
    Change(
        "V-06 to V-11: readings with 22 Mbit/s and the minimal TCP stay. New readings are 16 Mbit/s, where ns-2's "
        "Newreno loses nothing in slow start, doubling in every round, and Linux's TCP.",
        Moved.TOWARDS,
    ),
    Change("V-03: the claim had no reading; it has the three other Vegas of its table.", Moved.NEITHER),
    Change(
        "V-12: in the main bed no timeout is followed by slow start (3 seeds), as B RTTmin has fallen to 2 segments; "
        "before it was all. The bed before is a reading.",
        Moved.AWAY,
    ),
    Change(
        "V-13: the two other buffers of its table and the minimal TCP are readings. ± 0.05 stays: the words have no "
        "number.",
        Moved.NEITHER,
    ),
    Change(
        "V-14: New Vegas* (101 %, not below 100 %) and Vegas-AB* (13 %) are stand-ins; the paper defines neither. A "
        "stand-in can neither refute nor confirm the paper, so neither has a claim. The row was “not reproduced” by "
        "the former alone.",
        Moved.TOWARDS,
    ),
    Change(
        "All rows: our pages said that the paper gives no delays and no rates of the hosts' links. It does: Figure "
        "1's links “are labeled with their bandwidth and propagation delay”. We have the text without the figures. "
        "The words are corrected; delays and rates stay ours.",
        Moved.NEITHER,
    ),
    Change(
        "V-08: “The congestion window should increase” says what is right on the new route, not what Vegas-W's window "
        "does; that is in Figure 4, which we do not have. The claim stays and says so.",
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
        "Vegas-W is a variant of Vegas for geostationary paths. The time until it fills a link of 15 Mbit/s is "
        "{V-07.a paper} in the paper, and “{V-07.a ours}” in our runs of 30 s.",
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
