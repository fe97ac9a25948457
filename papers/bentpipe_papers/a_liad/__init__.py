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
            "All rows of section 4: the minimal TCP was a reading, on which a lost retransmission waits for a timeout. "
            "“The SACK option is enabled for all variants such that multiple losses during a slow-start phase can be "
            "nearly recovered within a few rounds” excludes it. On it, CUBIC, BIC and STCP were behind A-LIAD (A-13).",
            Moved.TOWARDS,
        ),
        Change(
            "A-22, A-30: Westwood of 2001 counts on TCP-Linux, where 0.1 % costs it half of its throughput, as “A PER "
            "value of 0.1% significantly affects all variants” says. Only with the detection of lost retransmissions, "
            "where it is not affected, Westwood+ is used, also in A-13, A-14 and A-16.",
            Moved.AWAY,
        ),
        Change(
            "A-13: “about 3 %” had a tolerance of 0.15, 5 % of it; the rounding of 3 is 0.5.",
            Moved.NEITHER,
        ),
        Change(
            "A-30: “almost all” was more than half of the aspects, which are “most”; it is all but one of 8. What "
            "“competitive” means has two other readings.",
            Moved.AWAY,
        ),
        Change(
            "A-13, A-15: the other variants were a setting of curves that run A-LIAD alone, so each run counted twice.",
            Moved.NEITHER,
        ),
        Change(
            "A-22, A-30: Westwood of 2001 was a reading, which “A PER value of 0.1% significantly affects all "
            "variants, including those designed to be error resilient, such as Westwood” excludes; it used 99 % on two "
            "of the TCPs.",
            Moved.TOWARDS,
        ),
        Change("A-26: growth per round trip is a reading; “per second” is not in the text.", Moved.TOWARDS),
        Change(
            "A-16: “almost twice the BDP” selects our buffer of 1 BDP, so 2 BDP at the overflow are a check.",
            Moved.AWAY,
        ),
        Change(
            "A-17, A-19, A-24: the conclusion's sentence on SACK, all error rates of “each case”, and “the worst” of "
            "the sentence that has the 38 % are headlines.",
            Moved.AWAY,
        ),
        Change(
            "A-13, A-15: curves of the start-up had 3 seeds, so CUBIC on the minimal TCP was undecided (-21.3 ± 24.9 "
            "points). They have 10 seeds (A-15 keeps 3, because nothing is lost), and CUBIC is behind there.",
            Moved.AWAY,
        ),
        Change(
            "A-13: “the second highest” had no claim. It has one again, with and without NewReno among the ranked.",
            Moved.AWAY,
        ),
        Change(
            "A-30: the abstract's sentence is a headline. “Almost all” was a mean place; it is a share of more than "
            "half of the aspects. Start-up and packet loss have claims of their own.",
            Moved.TOWARDS,
        ),
        Change(
            "A-13 to A-15: 2 BDP were a reading, though the window would overflow at three times the BDP, where the "
            "text says “almost twice”: the sentence that excludes 50 packets excludes them. A-19, A-20, A-22: 50 "
            "packets, 0.07 to 0.8 BDP there, are excluded as in A-13. Only A-24, 1.7 BDP at 25 ms, has them.",
            Moved.AWAY,
        ),
        Change(
            "A-13: BIC, STCP and HSTCP above A-LIAD were judged by each reading alone, CUBIC by all combinations; all "
            "four have curves. Westwood, which section 2 has among the protocols for wireless links, is not ranked by "
            "“the second highest”: no claim.",
            Moved.AWAY,
        ),
        Change(
            "A-14: “at the network capacity level, including the link capacity and network buffer” was a window above "
            "the path alone; it is all of path and buffer within 5 %, beside that side.",
            Moved.AWAY,
        ),
        Change(
            "A-22: “significantly” was any decrease (-1.1 % of Westwood of 2001 counted); it is more than a tenth, as "
            "“almost unaffected” is within a tenth.",
            Moved.AWAY,
        ),
        Change(
            "A-10: the constant was said to contradict equation 9, with beta = 1/2 and a loss in 1e8, which the paper "
            "does not print for equation 11. Both are readings; none gives 1.5787 with the printed sign.",
            Moved.NEITHER,
        ),
        Change(
            "A-01: that LIAD's rate falls with the round trip follows from equation 9: a check. The range of Figure 1, "
            "which the text does not have, is a reading of “almost linearly”.",
            Moved.NEITHER,
        ),
        "A-03, A-04: rounds are counted as the integral of dt/RTT, no longer in base RTTs: 9.23 became 8.85, and the "
        "verdict changed.",
        "A-03, A-07, A-09: their claims, all reproduced, hold by construction and are marked as checks.",
        "A-13: “the second highest” was not claimed against NewReno, Westwood and Hybla; now it is.",
        "A-16: “cwnd becomes almost twice the BDP” was the window at the first overflow, which our buffer sets (2.01 "
        "BDP, reproduced); that is a check, and the largest window is claimed.",
        "A-16: the 5 round trips after slow start are the longest RTT, no longer the base RTT: CUBIC's cuts went from "
        "1 to 3.",
        "A-18: 1000 segments without SACK were claimed alone (+4.8 %, not reproduced); so are 3000.",
        "A-19: the neutral value of Jain's index was set to 1, which is stricter.",
        "A-20: the comparison with CUBIC failed at PER 1e-4 and held at 1e-3; it was moved from the claims to the "
        "tables, as the text names no PER, which turned the verdict. It is claimed again, in all three readings.",
        "A-20: “almost unaffected” was claimed without errors alone (1.001, reproduced); so it is at both error rates.",
        "A-22: that 0.1 % “significantly” affects all variants was claimed as any decrease (-1.1 %, direction only); "
        "now as a tenth. “Around 60 %” was claimed at 0.1 % alone (60.5 %, reproduced); now at both error rates.",
        "A-24: “the best” and “the worst” were one claim, HSTCP and CUBIC against STCP, BIC and A-LIAD (6.3 points, "
        "not reproduced); now each pair is claimed against the nearest of all others.",
        "A-26: the text exactly as printed, the growth of the sending rate, was in the table alone; it is a claim.",
        "A-27: four claims failed as first written. Peach+'s was dropped; one claim is made again. NJ's was "
        "redefined, as a comparison with Jersey; “immune” as a number is claimed beside it. Hybla was given a side, "
        "which made “direction only” possible; the number alone counts again. Jersey's reductions are counted without "
        "timeouts; those with them are in the note. Peach+'s failing claim, Veno's share, Jersey's reductions and "
        "Peach's window counted; they hold by construction and are checks.",
        "A-29: the measure of the delay before a loss was redefined; it failed both ways.",
        "A-30: “competitive performance in almost all aspects” was claimed as a mean place alone; the share of aspects "
        "in the better half is claimed beside it. “Especially” start-up and packet loss was not claimed; now it is.",
        Change(
            "A-13 to A-16: ns-2's 50 packets, 0.07 BDP, were a reading of the start over GEO and a half of the curves. "
            "The text excludes them: delta of 1.93 asks for 0.93 BDP, and a window overflows at “almost twice the "
            "BDP”. 2 BDP are the other option; 50 packets stand beside the claims and count in none.",
            Moved.TOWARDS,
        ),
        Change(
            "A-13: “about 3 %” had a tolerance of 2 points; 5 % of it, as every “about”, are 0.15. That A-LIAD is "
            "above NewReno was claimed; the text ranks protocols for high-speed and long-distance networks.",
            Moved.AWAY,
        ),
        Change(
            "A-24, A-25: CUBIC's friendliness is “the lowest” of all at 600 ms; it was claimed at 25 ms, where the "
            "text says the contrary, and called a contradiction.",
            Moved.TOWARDS,
        ),
        Change(
            "A-26: the exponent of the growth of the sending rate was given a side, which -2 has, too; -1 alone is "
            "what “proportionally to 1/RTT” says.",
            Moved.AWAY,
        ),
        Change(
            "A-27: our Peach+ is our Peach, so that it has no claim; that CUBIC's epoch does not hang on the round "
            "trip was a ratio of 1, which the text does not print: it is one below NewReno's 4.",
            Moved.TOWARDS,
        ),
        Change(
            "A-19, A-21, A-24, A-25, A-29, A-30: starts of competing flows were drawn from 5 s, which the paper does "
            "not have; now from 0.1 s, and 5 s is a reading. A-19 without errors: from 0.53 to 0.96, and 0.995 where "
            "W_max becomes W at a loss, another reading.",
            Moved.TOWARDS,
        ),
        Change(
            "A-13, A-14, A-16, A-17, A-22 to A-25, A-30: Hybla, which section 4 does not name, is not compared any "
            "more.",
            Moved.TOWARDS,
        ),
        Change(
            "A-13, A-14, A-16, A-22 to A-25: ns-2's TCP-Linux, its modules alone, and a recovery that sees lost "
            "repairs are readings.",
            Moved.TOWARDS,
        ),
        Change("A-15: Hoe's estimate accepts trains of ACKs; ns-2's window of 2 works.", Moved.NEITHER),
        Change(
            "A-16: “almost twice the BDP” is the window at the overflow again (2.0 BDP); the largest window (4.0) had "
            "been put in its place after that had passed, and is in the note.",
            Moved.TOWARDS,
        ),
        Change(
            "A-18: 1000 and 3000 segments, both demanded though no size is given, are one claim and a reading of it.",
            Moved.TOWARDS,
        ),
        Change(
            "A-20: no PER is given: errors are readings, no longer demanded together (six claims became two).",
            Moved.TOWARDS,
        ),
        Change("A-21: made no claim; the paper's thesis, adapted alpha against alpha = 2, is claimed.", Moved.AWAY),
        Change(
            "A-22: “significantly” is any decrease again, as first written; the tenth was ours, set after a pass. "
            "“Around 60 %” is one claim at PER 0.1 %, no longer demanded at 1 % (21 %), too.",
            Moved.TOWARDS,
        ),
        Change("A-02: the order of the phases is a check.", Moved.NEITHER),
        Change(
            "A-30: the share of aspects in the better half, a bound of ours added after a pass, is shown and no "
            "longer claimed.",
            Moved.TOWARDS,
        ),
        Change(
            "All simulated rows: by our order the cited tool's default comes before Bentpipe's. The main reading is "
            "ns-2's TCP-Linux with its modules, a window of 2 and packets of 1050 B (1040); the minimal TCP with the "
            "variants as published and a window of 4 is a reading. A-13: CUBIC above A-LIAD from -15.6 to +1.5 points.",
            Moved.TOWARDS,
        ),
        Change(
            "The same, A-22 and A-23: A-LIAD above the best other at PER 0.1 % from -38 to +54 points, as Westwood is "
            "Westwood+.",
            Moved.TOWARDS,
        ),
        Change(
            "The same, A-24: NewReno beside STCP from -22 to -45 % (paper -45), beside CUBIC from -20 to -10 (-11).",
            Moved.TOWARDS,
        ),
        Change("The same, A-22: “around a 60%” from 59.9 to 76 (3 seeds).", Moved.AWAY),
        Change(
            "All rows with TCP-Linux: its recovery is a real ns-2's. Every ACK restarts the timer, a module's least "
            "window stays in flight, lost repairs are found, the scoreboard ends with the recovery. A-22, PER 0.1 %: "
            "no cut of A-LIAD is a timeout (41 of 119); its 60 % were 35 in that reading.",
            Moved.UNSAID,
        ),
        Change(
            "The same: STCP's module adds a fiftieth of a segment per ACK, as in Linux 2.6.22 (a hundredth).",
            Moved.UNSAID,
        ),
        Change("A-19 to A-21: the minimal TCP and “starts within 5 s” are readings.", Moved.UNSAID),
        Change(
            "A-17, A-18, A-30: “without SACK” is ns-2's NewReno agent, opened as TCP-Linux. With its own handshake "
            "A-LIAD's 0 % would be -2.4; the minimal TCP's recovery, the one before, is a reading of A-17.",
            Moved.NEITHER,
        ),
        Change(
            "A-27: section 2's relatives stay as published, on TCP-Linux. BIC has no stretch of 5 s between losses in "
            "30 s there: BIC and CUBIC run 120 s (in 60 s CUBIC would fail: 0.8).",
            Moved.UNSAID,
        ),
        Change(
            "A-30: fairness between flows of one kind is an aspect, measured for every variant. A-LIAD is the fifth of "
            "7 in it (one seed): behind CUBIC, HSTCP, NewReno and Westwood, before STCP and BIC.",
            Moved.AWAY,
        ),
        Change(
            "A-13 to A-15: ns-2's default buffer of 50 packets was in the curve only; it is a reading. A-21: packet "
            "errors of section 4.3 are readings, by equation 6 and by 4; with 1 % by 4 a review had +0.070 ± 0.027.",
            Moved.TOWARDS,
        ),
        Change("A-15, A-17, A-24, A-31, A-32: claims of the text that had no measure were added.", Moved.NEITHER),
        Change(
            "A-19, A-21, A-24, A-25, A-29, A-30: starts of competing flows moved together from seed to seed, so that "
            "without errors ten seeds were four or five different runs, and intervals were too narrow. Now each flow's "
            "start is drawn by itself.",
            Moved.NEITHER,
        ),
        Change("Every headline claim of simulations has a specification curve.", Moved.NEITHER),
    ),
    rows=tuple(replace(row, curves=curves.CURVES.get(row.id, {})) for row in in_order(__name__)),
)
