# SPDX-License-Identifier: MIT OR Apache-2.0
"""Does A-LIAD start without overshoot, share fairly and sustain losses over GEO?

Reproduces "Adaptive Logarithmic Increase Congestion Control Algorithm for Satellite Networks" (M. Shin, M. Park, D. Oh,
B. Kim, J. Lee; KSII Transactions on Internet and Information Systems 8(8), 2014): the analysis, every figure of the
evaluation, and the statements about related algorithms.
"""

from __future__ import annotations

from dataclasses import replace

from bentpipe.study import Change, Moved, Study
from bentpipe_papers.a_liad import bed, curves
from bentpipe_papers.order import in_order

STUDY = Study(
    name="a-liad",
    title="Adaptive Logarithmic Increase Congestion Control Algorithm for Satellite Networks",
    short="A-LIAD for GEO",
    about=(
        "A-LIAD increases the window logarithmically towards W_max, the largest window that it expects to fit. Its "
        "factor alpha grows with the round trip, so that a congestion epoch has the same length on every path. At a "
        "loss, A-LIAD reduces the window by the fraction 1 - RTTmin/RTTmax. Its slow start becomes logarithmic at "
        "half of an estimated threshold. The paper runs A-LIAD in ns-2 over a shared link of 10 or 50 Mbit/s, "
        "followed by a satellite link. It measures start-up, fairness between A-LIAD's own flows and over round-trip "
        "times, packet errors, and friendliness to NewReno."
    ),
    summary=(
        "A-LIAD increases its window logarithmically. In its first 30 s, an A-LIAD flow uses {A-13.a ours} of a "
        "geostationary link (the paper: {A-13.a paper}). Jain's fairness index of six A-LIAD flows is {A-19.a ours} "
        "(the paper: {A-19.a paper}).",
        "Compared with a fixed α, the adapted α changes Jain's index of flows with different round trips by "
        "{A-21.a ours}. Beside A-LIAD, the goodput of NewReno flows changes by {A-24.b ours} (the paper: "
        "{A-24.b paper}).",
    ),
    given=bed.GIVEN,
    chosen=bed.CHOSEN,
    readings=bed.CHOICES,
    precision=bed.PRECISION,
    changed=(
        Change(
            "Section 4 (all rows): The minimal TCP was a reading. It is now excluded, because with it a lost "
            "retransmission waits for a timeout. The text says: “The SACK option is enabled for all variants such "
            "that multiple losses during a slow-start phase can be nearly recovered within a few rounds”. With the "
            "minimal TCP, the utilisation by CUBIC, BIC and STCP was lower than A-LIAD's (A-13).",
            Moved.TOWARDS,
        ),
        Change(
            "A-22, A-30: Runs of Westwood of 2001 on TCP-Linux now count. On TCP-Linux, 0.1 % of errors halves its "
            "throughput, as “A PER value of 0.1% significantly affects all variants” says. On hosts that detect lost "
            "retransmissions, errors do not affect it, so readings with such hosts use Westwood+ (also in A-13, A-14 "
            "and A-16).",
            Moved.AWAY,
        ),
        Change(
            "A-13: The tolerance of “about 3 %” was 0.15 (5 % of 3). Now it is 0.5, the rounding of 3.",
            Moved.NEITHER,
        ),
        Change(
            "A-30: We had read “almost all” as more than half of the aspects. Now we read it as all but one of the 8 "
            "aspects. “Competitive” has two more readings.",
            Moved.AWAY,
        ),
        Change(
            "A-13, A-15: The choice of the other variants was a setting even of curves that run only A-LIAD, so each "
            "of their runs counted twice. Now it is not a setting of these curves.",
            Moved.NEITHER,
        ),
        Change(
            "A-22, A-30: A reading with Westwood of 2001 was removed. The text excludes it: “A PER value of 0.1% "
            "significantly affects all variants, including those designed to be error resilient, such as Westwood”. "
            "In our runs, Westwood of 2001 used 99 % of the link with two of the TCPs.",
            Moved.TOWARDS,
        ),
        Change(
            "A-26: A new reading measures the growth per round trip, because the text does not say “per second”.",
            Moved.TOWARDS,
        ),
        Change(
            "A-16: We chose our buffer of 1 BDP by the text's “almost twice the BDP”. The window of 2 BDP at the "
            "overflow follows from this buffer, so it is now a check.",
            Moved.AWAY,
        ),
        Change(
            "A-17, A-19, A-24: Three more statements are now headlines (main claims): the conclusion's sentence on "
            "SACK, all error rates of “each case”, and “the worst” in the sentence with the 38 %.",
            Moved.AWAY,
        ),
        Change(
            "A-13, A-15: The curves of the start-up had 3 seeds, and the result for CUBIC with the minimal TCP was "
            "undecided (-21.3 ± 24.9 percentage points). Now the curves have 10 seeds, and CUBIC's utilisation with "
            "the minimal TCP is lower than A-LIAD's. A-15 keeps 3 seeds, because nothing is lost.",
            Moved.AWAY,
        ),
        Change(
            "A-13: “The second highest” had no claim. Now it is a claim. One reading ranks NewReno, and the other "
            "does not.",
            Moved.AWAY,
        ),
        Change(
            "A-30: The abstract's sentence is now a headline (main claim). We measured “almost all” by A-LIAD's mean "
            "place. Now we measure it by the share of aspects with a good place, which must be more than half. "
            "Start-up and packet loss have their own claims.",
            Moved.TOWARDS,
        ),
        Change(
            "A-13 to A-15: A buffer of 2 BDP was a reading. It is now excluded, because the window would overflow at "
            "three times the BDP, and the text says “almost twice”. A-19, A-20, A-22: A buffer of 50 packets (0.07 "
            "to 0.8 BDP) is excluded, as in A-13. Only A-24 keeps 50 packets, which are 1.7 BDP of its path.",
            Moved.AWAY,
        ),
        Change(
            "A-13: Only the comparison of CUBIC with A-LIAD used all combinations of the readings; those of BIC, "
            "STCP and HSTCP used single readings. Now all four have curves. The ranking for “the second highest” "
            "leaves out Westwood, because section 2 lists it with the protocols for wireless links.",
            Moved.AWAY,
        ),
        Change(
            "A-14: The claim on “at the network capacity level, including the link capacity and network buffer” "
            "required only a window above the capacity of the path. Now it also has a number: the capacity of path "
            "and buffer together, within 5 %.",
            Moved.AWAY,
        ),
        Change(
            "A-22: We had read “significantly” as any decrease, so the -1.1 % of Westwood of 2001 supported the "
            "claim. Now we read it as more than a tenth, because we read “almost unaffected” as within a tenth.",
            Moved.AWAY,
        ),
        Change(
            "A-10: The row said that the constant contradicts equation 9 with beta = 1/2 and one loss in 1e8 "
            "segments. The paper does not print these two values for equation 11, so other values are now readings. "
            "No reading gives 1.5787 with the printed sign.",
            Moved.NEITHER,
        ),
        Change(
            "A-01: By equation 9, LIAD's rate must fall with the round trip, so this claim is now a check. The text "
            "does not give the range of round trips in Figure 1, so “almost linearly” has readings with different "
            "ranges.",
            Moved.NEITHER,
        ),
        "A-03, A-04: The time was counted in round trips of the empty path. Now the number of round trips is the "
        "integral of dt/RTT. The measured number changed from 9.23 to 8.85, and so did the verdict.",
        "A-03, A-07, A-09: The claims were all reproduced, but they hold by construction. They are now checks.",
        "A-13: The claim on “the second highest” did not compare A-LIAD with NewReno, Westwood and Hybla. Now it does.",
        "A-16: For “cwnd becomes almost twice the BDP”, we measured the window at the first overflow (2.01 BDP, "
        "reproduced). Our buffer determines this number, so it is now a check. The claim is now about the largest "
        "window.",
        "A-16: The 5 round trips after slow start are now counted with the longest RTT instead of the RTT of the "
        "empty path. The number of CUBIC's window reductions in this time changed from 1 to 3.",
        "A-18: The row had a claim only for transfers of 1000 segments without SACK (+4.8 %, not reproduced). Now it "
        "also has a claim for 3000 segments.",
        "A-19: The direction of the claim on Jain's index is now relative to the value 1, which is stricter.",
        "A-20: The comparison with CUBIC failed at PER 1e-4 and held at 1e-3. We had moved it from the claims to the "
        "tables, because the text names no PER. This changed the verdict. Now it is a claim again, in all three "
        "readings of the PER.",
        "A-20: “Almost unaffected” was a claim only for runs without errors (1.001, reproduced). Now it is also a "
        "claim at both error rates.",
        "A-22: We had read “0.1 % significantly affects all variants” as any decrease (-1.1 %, direction only). Now "
        "the decrease must be at least a tenth. “Around 60 %” was a claim only at PER 0.1 % (60.5 %, reproduced). "
        "Now it is a claim at both error rates.",
        "A-24: “The best” and “the worst” were one claim, which compared HSTCP and CUBIC with STCP, BIC and A-LIAD "
        "(6.3 percentage points, not reproduced). Now there are two claims, and each compares its pair of variants "
        "with the nearest other variant.",
        "A-26: The text's statement on the growth of the sending rate was only in the table. Now it is a claim.",
        "A-27: Four claims failed in their first form and were then changed; this is now partly undone. Peach+ had "
        "lost its claim and has one again. NJ was only compared with Jersey; now “immune” is also a claim with a "
        "number. Hybla's claim had a direction, which allowed “direction only”; now only its number counts. Jersey's "
        "reductions are counted without timeouts; the note shows the number with timeouts. Peach+'s failing claim, "
        "Veno's share, Jersey's reductions and Peach's window hold by construction, so they are now checks.",
        "A-29: We defined the delay before a loss in another way. The claim fails with both definitions.",
        "A-30: “Competitive performance in almost all aspects” was a claim only about A-LIAD's mean place. Now there "
        "is also a claim on the share of aspects in which A-LIAD is in the better half. “Especially” start-up and "
        "packet loss is now a claim.",
        Change(
            "A-13 to A-16: For the start over GEO, a reading had ns-2's buffer of 50 packets (0.07 BDP), and half of "
            "the combinations used it. The text excludes this buffer: delta = 1.93 requires 0.93 BDP, and a window "
            "overflows at “almost twice the BDP”. Now the other reading has 2 BDP. Results with 50 packets are "
            "shown, but do not count.",
            Moved.TOWARDS,
        ),
        Change(
            "A-13: The tolerance of “about 3 %” was 2 percentage points. Now it is 0.15, which is 5 % of 3, as for "
            "every “about”. The claim that A-LIAD's utilisation exceeds NewReno's is removed, because the text ranks "
            "protocols for high-speed and long-distance networks.",
            Moved.AWAY,
        ),
        Change(
            "A-24, A-25: The claim that CUBIC's friendliness is “the lowest” was made for 25 ms, and its verdict was "
            "a contradiction, because the text says the contrary for 25 ms. Now it is made for 600 ms, as in the "
            "text.",
            Moved.TOWARDS,
        ),
        Change(
            "A-26: The claim on the exponent of the sending rate's growth had a direction, which -2 also satisfies. "
            "Now only the number counts: “proportionally to 1/RTT” means -1.",
            Moved.AWAY,
        ),
        Change(
            "A-27: Peach+ has no claim any more, because our Peach+ is the same code as our Peach. CUBIC's epoch "
            "does not depend on the round trip; for this, the claim required a ratio of 1, which the text does not "
            "print. Now the ratio must be below NewReno's 4.",
            Moved.TOWARDS,
        ),
        Change(
            "A-19, A-21, A-24, A-25, A-29, A-30: Competing flows started at random times within 5 s, which the paper "
            "does not say. Now they start within 0.1 s, and a reading has 5 s. Without errors, Jain's index of A-19 "
            "changed from 0.53 to 0.96. In another reading, W_max becomes W at a loss; the index is then 0.995.",
            Moved.TOWARDS,
        ),
        Change(
            "A-13, A-14, A-16, A-17, A-22 to A-25, A-30: These rows do not compare Hybla any more, because section 4 "
            "does not name it.",
            Moved.TOWARDS,
        ),
        Change(
            "A-13, A-14, A-16, A-22 to A-25: Three readings are new: ns-2's TCP-Linux, its modules on another TCP, "
            "and a recovery that detects lost retransmissions.",
            Moved.TOWARDS,
        ),
        Change(
            "A-15: Hoe's estimate now accepts trains of ACKs, so it works with ns-2's initial window of 2.",
            Moved.NEITHER,
        ),
        Change(
            "A-16: “Almost twice the BDP” is again a claim on the window at the overflow (2.0 BDP). This claim had "
            "been reproduced, but we had then replaced it by a claim on the largest window (4.0 BDP), which is now "
            "in a note.",
            Moved.TOWARDS,
        ),
        Change(
            "A-18: The paper gives no size of transfers, but the claim had to hold for both 1000 and 3000 segments. "
            "Now the claim uses one size, and a reading uses the other.",
            Moved.TOWARDS,
        ),
        Change(
            "A-20: The paper gives no PER, but the claims had to hold at all error rates. Now the error rates are "
            "readings, and two claims replace six.",
            Moved.TOWARDS,
        ),
        Change(
            "A-21: The row had no claim. Now it has a claim on the paper's thesis: it compares the adapted alpha "
            "with alpha = 2.",
            Moved.AWAY,
        ),
        Change(
            "A-22: We again read “significantly” as any decrease. We had set the tenth after the claim was "
            "reproduced. “Around 60 %” is now one claim, at PER 0.1 %. The claim does not require it at PER 1 % (21 "
            "%) any more.",
            Moved.TOWARDS,
        ),
        Change("A-02: The claim on the order of the phases is now a check.", Moved.NEITHER),
        Change(
            "A-30: The share of aspects in which A-LIAD is in the better half was our own bound, which we added "
            "after the claim was reproduced. The row still shows it, but it is not a claim any more.",
            Moved.TOWARDS,
        ),
        Change(
            "All simulated rows: By our order of precedence, the default of the cited tool comes before Bentpipe's "
            "default. The main reading now has ns-2's TCP-Linux with its modules, an initial window of 2, and "
            "packets of 1050 B (before: 1040 B). A reading has the minimal TCP with the published variants and an "
            "initial window of 4. A-13: CUBIC's utilisation minus A-LIAD's changed from -15.6 to +1.5 percentage "
            "points.",
            Moved.TOWARDS,
        ),
        Change(
            "ns-2's TCP-Linux as main reading, A-22 and A-23: A-LIAD's utilisation minus that of the best other "
            "variant at PER 0.1 % changed from -38 to +54 percentage points, because Westwood became Westwood+.",
            Moved.TOWARDS,
        ),
        Change(
            "ns-2's TCP-Linux as main reading, A-24: NewReno's loss of goodput beside STCP changed from 22 to 45 % "
            "(paper: 45 %), and its loss beside CUBIC from 20 to 10 % (paper: 11 %).",
            Moved.TOWARDS,
        ),
        Change(
            "ns-2's TCP-Linux as main reading, A-22: the utilisation for which the paper prints “around a 60%” "
            "changed from 59.9 to 76 % (3 seeds).",
            Moved.AWAY,
        ),
        Change(
            "All rows with TCP-Linux: The recovery now equals that of a real ns-2. Every ACK restarts the timer, a "
            "module's smallest window stays in flight, lost retransmissions are detected, and the scoreboard ends "
            "with the recovery. A-22, PER 0.1 %: none of A-LIAD's window reductions is a timeout any more (before: "
            "41 of 119). Before, the utilisation in this reading was 35 % (paper: 60 %).",
            Moved.UNSAID,
        ),
        Change(
            "All rows with TCP-Linux: The module of STCP now adds a fiftieth of a segment per ACK, as in Linux "
            "2.6.22. Before, it added a hundredth.",
            Moved.UNSAID,
        ),
        Change("A-19 to A-21: Two new readings have the minimal TCP, or flows that start within 5 s.", Moved.UNSAID),
        Change(
            "A-17, A-18, A-30: “Without SACK” now means ns-2's NewReno agent, whose connections start as those of "
            "TCP-Linux. With the agent's own handshake, A-LIAD's change would be -2.4 % instead of 0 %. A reading of "
            "A-17 has the recovery of the minimal TCP, which was used before.",
            Moved.NEITHER,
        ),
        Change(
            "A-27: The algorithms of section 2 stay as published, but now run on TCP-Linux. With this TCP, BIC has "
            "no interval of 5 s between losses in a run of 30 s, so BIC and CUBIC run for 120 s. With 60 s, CUBIC's "
            "claim would fail (0.8).",
            Moved.UNSAID,
        ),
        Change(
            "A-30: Fairness between flows of one variant is now an aspect, measured for every variant. In this "
            "aspect, A-LIAD is fifth of 7 (one seed): less fair than CUBIC, HSTCP, NewReno and Westwood, and fairer "
            "than STCP and BIC.",
            Moved.AWAY,
        ),
        Change(
            "A-13 to A-15: ns-2's default buffer of 50 packets was only in the curve. Now a reading also has it. "
            "A-21: New readings have the packet errors of section 4.3, with equation 6 and with equation 4. In a "
            "review, errors of 1 % and equation 4 changed Jain's index by +0.070 ± 0.027.",
            Moved.TOWARDS,
        ),
        Change(
            "A-15, A-17, A-24, A-31, A-32: We added claims of the text that these rows did not measure before.",
            Moved.NEITHER,
        ),
        Change(
            "A-19, A-21, A-24, A-25, A-29, A-30: A new seed moved the start times of all competing flows together. "
            "Without errors, ten seeds gave only four or five different runs, so the intervals were too narrow. Now "
            "each start time is drawn independently.",
            Moved.NEITHER,
        ),
        Change("Every headline (main claim) of a simulation now has a specification curve.", Moved.NEITHER),
    ),
    rows=tuple(replace(row, curves=curves.CURVES.get(row.id, {})) for row in in_order(__name__)),
)
