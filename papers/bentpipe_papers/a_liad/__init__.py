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
    about="A-LIAD increases the window logarithmically towards W_max, the largest window that it expects to fit. Its "
    "factor alpha grows with the round trip, so that a congestion epoch has the same length on every path. At a loss, "
    "A-LIAD gives up 1 - RTTmin/RTTmax of the window. Its slow start becomes logarithmic at half of an estimated "
    "threshold. The paper runs A-LIAD in ns-2 over a shared link of 10 or 50 Mbit/s, followed by a satellite link. It "
    "measures start-up, fairness between A-LIAD's own flows and over round-trip times, packet errors, and friendliness "
    "to NewReno.",
    summary=(
        "A-LIAD increases its window logarithmically. It uses {A-13.a ours} of a geostationary link in its first 30 s "
        "(the paper: {A-13.a paper}). Jain's fairness index of six A-LIAD flows is {A-19.a ours} (the paper: "
        "{A-19.a paper}).",
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
            "Section 4 (all rows): Before, the minimal TCP was a reading. It is excluded now, because a lost "
            "retransmission waits for a timeout there. The text says: “The SACK option is enabled for all variants "
            "such that multiple losses during a slow-start phase can be nearly recovered within a few rounds”. On "
            "the minimal TCP, CUBIC, BIC and STCP were behind A-LIAD (A-13).",
            Moved.TOWARDS,
        ),
        Change(
            "A-22, A-30: Westwood of 2001 counts on TCP-Linux now. There, 0.1 % of errors costs it half of its "
            "throughput, as “A PER value of 0.1% significantly affects all variants” says. With the detection of "
            "lost retransmissions, errors do not affect it, so Westwood+ is used there (also in A-13, A-14 and A-16).",
            Moved.AWAY,
        ),
        Change(
            "A-13: The tolerance of “about 3 %” was 0.15 (5 % of 3). Now it is 0.5, the rounding of 3.",
            Moved.NEITHER,
        ),
        Change(
            "A-30: “Almost all” meant more than half of the aspects. Now it means all but one of the 8 aspects. "
            "“Competitive” has two more readings.",
            Moved.AWAY,
        ),
        Change(
            "A-13, A-15: The choice of the other variants was also a setting of curves that run A-LIAD alone, so "
            "each run counted twice. Now it is not a setting of these curves.",
            Moved.NEITHER,
        ),
        Change(
            "A-22, A-30: Westwood of 2001 was a reading. The text excludes it: “A PER value of 0.1% significantly "
            "affects all variants, including those designed to be error resilient, such as Westwood”. In our runs, "
            "it used 99 % of the link on two of the TCPs.",
            Moved.TOWARDS,
        ),
        Change(
            "A-26: Growth per round trip is a reading now, because the text does not say “per second”.", Moved.TOWARDS
        ),
        Change(
            "A-16: The text's “almost twice the BDP” selects our buffer of 1 BDP. The 2 BDP at the overflow follow "
            "from this buffer, so they are a check now.",
            Moved.AWAY,
        ),
        Change(
            "A-17, A-19, A-24: Three more statements are headlines now: the conclusion's sentence on SACK, all error "
            "rates of “each case”, and “the worst” in the sentence with the 38 %.",
            Moved.AWAY,
        ),
        Change(
            "A-13, A-15: The curves of the start-up had 3 seeds, and CUBIC on the minimal TCP was undecided (-21.3 ± "
            "24.9 points). Now the curves have 10 seeds, and CUBIC is behind A-LIAD there. A-15 keeps 3 seeds, "
            "because nothing is lost.",
            Moved.AWAY,
        ),
        Change(
            "A-13: “The second highest” had no claim. Now it has a claim, once with NewReno in the ranking and once "
            "without.",
            Moved.AWAY,
        ),
        Change(
            "A-30: The abstract's sentence is a headline now. “Almost all” was measured by the mean place. Now it is "
            "measured by the share of aspects, which must be more than half. Start-up and packet loss have their own "
            "claims.",
            Moved.TOWARDS,
        ),
        Change(
            "A-13 to A-15: A buffer of 2 BDP was a reading. It is excluded now, because the window would overflow at "
            "three times the BDP, and the text says “almost twice”. A-19, A-20, A-22: A buffer of 50 packets (0.07 "
            "to 0.8 BDP) is excluded, as in A-13. Only A-24 keeps 50 packets, which are 1.7 BDP there.",
            Moved.AWAY,
        ),
        Change(
            "A-13: BIC, STCP and HSTCP compared with A-LIAD were judged by single readings, and only CUBIC by all "
            "combinations. Now all four have curves. Westwood is not ranked in “the second highest” any more, "
            "because section 2 lists it with the protocols for wireless links.",
            Moved.AWAY,
        ),
        Change(
            "A-14: “At the network capacity level, including the link capacity and network buffer” was a window "
            "above the capacity of the path alone. Now it also has a number: path and buffer together, within 5 %.",
            Moved.AWAY,
        ),
        Change(
            "A-22: “Significantly” meant any decrease, so -1.1 % of Westwood of 2001 counted. Now it means more than "
            "a tenth, because “almost unaffected” means within a tenth.",
            Moved.AWAY,
        ),
        Change(
            "A-10: The row said that the constant contradicts equation 9 with beta = 1/2 and one loss in 1e8 "
            "segments. The paper does not print these two values for equation 11, so they are readings now. No "
            "reading gives 1.5787 with the printed sign.",
            Moved.NEITHER,
        ),
        Change(
            "A-01: That LIAD's rate falls with the round trip follows from equation 9, so it is a check now. The "
            "text does not give the range of Figure 1, so the range is a reading of “almost linearly”.",
            Moved.NEITHER,
        ),
        "A-03, A-04: Rounds were counted in base RTTs. Now they are the integral of dt/RTT. 9.23 became 8.85, and "
        "the verdict changed.",
        "A-03, A-07, A-09: The claims, all reproduced, hold by construction. They are checks now.",
        "A-13: “The second highest” was not claimed against NewReno, Westwood and Hybla. Now it is.",
        "A-16: “cwnd becomes almost twice the BDP” was measured at the first overflow (2.01 BDP, reproduced), which "
        "our buffer determines. This number is a check now, and the claim is about the largest window.",
        "A-16: The 5 round trips after slow start are counted with the longest RTT now, and not with the base RTT. "
        "CUBIC's cuts went from 1 to 3.",
        "A-18: Only 1000 segments without SACK were claimed (+4.8 %, not reproduced). Now 3000 segments are claimed "
        "too.",
        "A-19: The neutral value of Jain's index is 1 now, which is stricter.",
        "A-20: The comparison with CUBIC failed at PER 1e-4 and held at 1e-3. It was moved from the claims to the "
        "tables, because the text names no PER. This changed the verdict. Now it is a claim again, in all three "
        "readings.",
        "A-20: “Almost unaffected” was claimed only without errors (1.001, reproduced). Now it is claimed at both "
        "error rates too.",
        "A-22: “0.1 % significantly affects all variants” meant any decrease (-1.1 %, direction only). Now it means "
        "a tenth. “Around 60 %” was claimed only at 0.1 % (60.5 %, reproduced). Now it is claimed at both error "
        "rates.",
        "A-24: “The best” and “the worst” were one claim: HSTCP and CUBIC against STCP, BIC and A-LIAD (6.3 points, "
        "not reproduced). Now each pair is compared with the nearest other variant.",
        "A-26: The growth of the sending rate, as the text prints it, was only in the table. Now it is a claim.",
        "A-27: Four claims failed in their first form. Peach+ then had no claim; one claim is made again. NJ was "
        "then compared with Jersey; now “immune” is also claimed as a number. Hybla then had a side, which made "
        "“direction only” possible; now only its number counts again. Jersey's reductions are counted without "
        "timeouts; the note has those with timeouts. Peach+'s failing claim, Veno's share, Jersey's reductions and "
        "Peach's window hold by construction, so they are checks now.",
        "A-29: The measure of the delay before a loss was redefined. The claim failed by both measures.",
        "A-30: “Competitive performance in almost all aspects” was claimed only as a mean place. Now the share of "
        "aspects in the better half is claimed too. “Especially” start-up and packet loss have a claim now.",
        Change(
            "A-13 to A-16: ns-2's buffer of 50 packets (0.07 BDP) was a reading of the start over GEO, and half of "
            "the combinations had it. The text excludes it: delta = 1.93 requires 0.93 BDP, and a window overflows "
            "at “almost twice the BDP”. Now 2 BDP is the other reading. Results with 50 packets are shown and do not "
            "count.",
            Moved.TOWARDS,
        ),
        Change(
            "A-13: The tolerance of “about 3 %” was 2 points. Now it is 0.15, which is 5 %, as for every “about”. "
            "The claim that A-LIAD is above NewReno is dropped, because the text ranks protocols for high-speed and "
            "long-distance networks.",
            Moved.AWAY,
        ),
        Change(
            "A-24, A-25: That CUBIC's friendliness is “the lowest” was claimed at 25 ms, where the text says the "
            "contrary, and was called a contradiction. Now it is claimed at 600 ms, as the text says.",
            Moved.TOWARDS,
        ),
        Change(
            "A-26: The exponent of the growth of the sending rate had a side, which -2 has too. Now only the number "
            "counts: “proportionally to 1/RTT” means -1.",
            Moved.AWAY,
        ),
        Change(
            "A-27: Our Peach+ is our Peach, so it has no claim any more. That CUBIC's epoch does not depend on the "
            "round trip was claimed as a ratio of 1, which the text does not print. Now the ratio must be below "
            "NewReno's 4.",
            Moved.TOWARDS,
        ),
        Change(
            "A-19, A-21, A-24, A-25, A-29, A-30: Competing flows started at random times within 5 s, which the paper "
            "does not say. Now they start within 0.1 s, and 5 s is a reading. Jain's index of A-19 without errors "
            "went from 0.53 to 0.96. It is 0.995 if W_max becomes W at a loss, which is another reading.",
            Moved.TOWARDS,
        ),
        Change(
            "A-13, A-14, A-16, A-17, A-22 to A-25, A-30: Hybla is not compared any more, because section 4 does not "
            "name it.",
            Moved.TOWARDS,
        ),
        Change(
            "A-13, A-14, A-16, A-22 to A-25: New readings are ns-2's TCP-Linux, its modules alone, and a recovery "
            "that detects lost retransmissions.",
            Moved.TOWARDS,
        ),
        Change("A-15: Hoe's estimate accepts trains of ACKs now, so ns-2's initial window of 2 works.", Moved.NEITHER),
        Change(
            "A-16: “Almost twice the BDP” is the window at the overflow again (2.0 BDP). After this claim had "
            "passed, it had been replaced by the largest window (4.0 BDP), which is in a note now.",
            Moved.TOWARDS,
        ),
        Change(
            "A-18: The paper gives no size, but both 1000 and 3000 segments had to hold. Now one size is the claim, "
            "and the other is a reading.",
            Moved.TOWARDS,
        ),
        Change(
            "A-20: The paper gives no PER, but all error rates had to hold. Now they are readings, and six claims "
            "became two.",
            Moved.TOWARDS,
        ),
        Change(
            "A-21: The row had no claim. Now it claims the paper's thesis: the adapted alpha compared with alpha = 2.",
            Moved.AWAY,
        ),
        Change(
            "A-22: “Significantly” means any decrease again, as at first. We had set the tenth after the claim had "
            "passed. “Around 60 %” is one claim at PER 0.1 %. It is not required at 1 % (21 %) any more.",
            Moved.TOWARDS,
        ),
        Change("A-02: The order of the phases is a check now.", Moved.NEITHER),
        Change(
            "A-30: The share of aspects in the better half is a bound of ours, which we added after the claim had "
            "passed. It is shown now, and is not a claim.",
            Moved.TOWARDS,
        ),
        Change(
            "All simulated rows: By our order of precedence, the default of the cited tool comes before Bentpipe's "
            "default. The main reading is now ns-2's TCP-Linux with its modules, a window of 2 and packets of 1050 B "
            "(1040). The minimal TCP with the published variants and a window of 4 is a reading. A-13: CUBIC minus "
            "A-LIAD went from -15.6 to +1.5 points.",
            Moved.TOWARDS,
        ),
        Change(
            "The same change, A-22 and A-23: A-LIAD minus the best other variant at PER 0.1 % went from -38 to +54 "
            "points, because Westwood became Westwood+.",
            Moved.TOWARDS,
        ),
        Change(
            "The same change, A-24: NewReno's change beside STCP went from -22 to -45 % (paper: -45), and beside "
            "CUBIC from -20 to -10 % (paper: -11).",
            Moved.TOWARDS,
        ),
        Change("The same change, A-22: “Around a 60%” went from 59.9 to 76 % (3 seeds).", Moved.AWAY),
        Change(
            "All rows with TCP-Linux: The recovery now equals that of a real ns-2. Every ACK restarts the timer, a "
            "module's smallest window stays in flight, lost retransmissions are detected, and the scoreboard ends "
            "with the recovery. A-22, PER 0.1 %: No cut of A-LIAD is a timeout any more (before: 41 of 119). Before, "
            "the 60 % were 35 % in this reading.",
            Moved.UNSAID,
        ),
        Change(
            "The same rows: The module of STCP adds a fiftieth of a segment per ACK now, as in Linux 2.6.22. Before, "
            "it added a hundredth.",
            Moved.UNSAID,
        ),
        Change("A-19 to A-21: The minimal TCP and “starts within 5 s” are readings now.", Moved.UNSAID),
        Change(
            "A-17, A-18, A-30: “Without SACK” is now ns-2's NewReno agent, with the opening of TCP-Linux. With the "
            "agent's own handshake, A-LIAD's 0 % would be -2.4 %. The recovery of the minimal TCP, which was used "
            "before, is a reading of A-17.",
            Moved.NEITHER,
        ),
        Change(
            "A-27: The algorithms of section 2 stay as published, on TCP-Linux. In 30 s, BIC has no interval of 5 s "
            "between losses there, so BIC and CUBIC run for 120 s. (With 60 s, CUBIC would fail: 0.8.)",
            Moved.UNSAID,
        ),
        Change(
            "A-30: Fairness between flows of one kind is an aspect now, measured for every variant. In this aspect, "
            "A-LIAD is the fifth of 7 (one seed): behind CUBIC, HSTCP, NewReno and Westwood, before STCP and BIC.",
            Moved.AWAY,
        ),
        Change(
            "A-13 to A-15: ns-2's default buffer of 50 packets was only in the curve. It is a reading now. A-21: The "
            "packet errors of section 4.3 are readings, with equation 6 and with equation 4. With 1 % and equation "
            "4, a review had +0.070 ± 0.027.",
            Moved.TOWARDS,
        ),
        Change("A-15, A-17, A-24, A-31, A-32: Claims of the text that had no measure were added.", Moved.NEITHER),
        Change(
            "A-19, A-21, A-24, A-25, A-29, A-30: The start times of competing flows moved together from seed to "
            "seed. Without errors, ten seeds were only four or five different runs, and intervals were too narrow. "
            "Now each start time is drawn independently.",
            Moved.NEITHER,
        ),
        Change("Every headline claim of simulations has a specification curve now.", Moved.NEITHER),
    ),
    rows=tuple(replace(row, curves=curves.CURVES.get(row.id, {})) for row in in_order(__name__)),
)
