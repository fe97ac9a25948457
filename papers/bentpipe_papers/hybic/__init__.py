# SPDX-License-Identifier: MIT OR Apache-2.0
"""Does HYBIC join the start of Hybla to the growth of CUBIC?"""

from __future__ import annotations

from bentpipe.study import Change, Moved, Setting, Study
from bentpipe_papers.hybic.readings import CHOICES
from bentpipe_papers.order import in_order

STUDY = Study(
    name="hybic",
    title="HYBIC: An Improved Congestion Control Algorithm for Integrated Satellite-Terrestrial Networks in 5G and "
    "Beyond Communications",
    short="HYBIC for satellite-terrestrial networks",
    about="HYBIC has Hybla's slow start and CUBIC's avoidance. Its growth uses the round trip of a reference path "
    "(RTTref, 100 ms) instead of the path's own round trip (RTTsat). The paper evaluates equations with MATLAB, "
    "without packets or losses: one flow runs for 60 s over 2287 ms and 5 Gbit/s. This study computes the numbers "
    "again, first as the text says, then in other readings, and then with one common round trip. It also simulates "
    "with packets what the paper leaves to future work.",
    summary=(
        "HYBIC starts like Hybla and grows like CUBIC. If both windows are divided by the same round trip, HYBIC's "
        "mean rate is {Y-11.j ours} times CUBIC's. The paper's Table I gives a factor of {Y-11.j paper}, because it "
        "divides the windows of HYBIC and CUBIC by different round trips.",
        "With K = 0, HYBIC's window at 60 s is {Y-10.b ours}; the paper says {Y-10.b paper}.",
    ),
    given=(
        Setting("RTTsat, RTTref", "2287 ms, 100 ms", "section III"),
        Setting("MSS, IW, gamma", "1448 bytes, 10 segments, 128 segments", "section III"),
        Setting("time", "0 to 60 s in steps of 200 ms", "section III"),
        Setting("C", "5 Gbit/s, one flow", "section III"),
        Setting("A", "0.4", "section II.A (“usually”)"),
    ),
    chosen=(
        Setting(
            "IW in equations 4 and 8",
            "slow start begins with rho 10 segments, and equation 8's time is RTTref log2 10 earlier",
            "equation 4 prints rho 2^(t/RTTref), which begins with rho; section III states “IW=10 seg”",
        ),
        Setting("packets: beta", "kept 0.7", "RFC 8312, which it cites; in Table I nothing is lost, and beta is idle"),
        Setting("packets: rate and buffer", "100 Mbit/s, 1 BDP", "5 Gbit/s over 2287 ms is a window of 1.4 GB"),
        Setting("packets: RTT", "600 and 2287 ms, and up to 20 ms by the seed", "so that seeds differ without losses"),
        Setting("packets: errors", "none in Y-15", "section III: “ideal conditions (error-free channel)”"),
        Setting("packets: Hybla", "RTT0 100 ms, gamma 128", "HYBIC's reference path"),
        Setting(
            "packets: TCP",
            "1448 B + 52 B, IW 10, SACK, initial RTO 3 s",
            "section III; RFC 6675; RFC 6298 (5.7): a handshake over 2287 ms outlasts the first 1 s",
        ),
    ),
    readings=CHOICES,
    precision="numbers of Table I: half of the last printed digit, of rates also what the rounding of the window "
    "behind them can hide, of utilisations that of the rate; bounds (“over 120 MB”, “within 25 s”): none; what is read "
    "off Figure 3: a hundredth of its 120 MB. One margin is ours, as the paper has no number: what is inherited is "
    "within 5 %.",
    changed=(
        Change(
            "Y-10, Y-11: slow start from one segment, as equation 4 prints it, was a reading. Section III states "
            "“IW=10 seg”, so it is not open. It gives Table I's window (23031 segments) with t from the switch.",
            Moved.AWAY,
        ),
        Change(
            "Y-15: NewReno without a first threshold was a reading of “scalability” alone. The paper states γ = 128 "
            "and “the same conditions”, by which NewReno has the threshold in the claims on friendliness, too. Without "
            "it, HYBIC used 29.9 points less than NewReno.",
            Moved.TOWARDS,
        ),
        Change("Y-15: the bound of “RTT fairness” against Hybla is printed as it is judged, -5 %.", Moved.NEITHER),
        Change(
            "Y-11: the quotient of two rates of Table I is not a headline any more: the paper states no such number.",
            Moved.TOWARDS,
        ),
        Change(
            "Y-10: steadiness was over the whole run, which mixes slow start and avoidance; the sentence says “in both "
            "SS and CA phases”. Over the whole run it was +1465 % against CUBIC and +537 % against Hybla.",
            Moved.AWAY,
        ),
        Change(
            "Y-10, Y-11: t from the start with a slow start that ends at rho gamma was not a reading. Combinations in "
            "which t of HYBIC and of CUBIC begin differently were; the paper has one t, after equation 4.",
            Moved.TOWARDS,
        ),
        Change(
            "Y-15: NewReno without a first threshold is a reading of “scalability” again, because the paper's “same "
            "conditions” do not name NewReno.",
            Moved.AWAY,
        ),
        Change(
            "Y-11: “better … compared with both CUBIC and HYBLA” was cut from the quote; the side has a claim, with "
            "CUBIC's start among the choices.",
            Moved.NEITHER,
        ),
        Change(
            "Y-11, Y-13: rates and utilisations were divided by RTTref, as the paper divides them, so their numbers "
            "were met though the row calls the division wrong. They are over the path's round trip, and the paper's "
            "computation is beside them.",
            Moved.AWAY,
        ),
        Change(
            "Y-15: CUBIC and NewReno without a first threshold were a reading; the text states gamma and “the same "
            "conditions” for all, so that it is not open. In it HYBIC used 29.9 points less than NewReno.",
            Moved.TOWARDS,
        ),
        Change("Y-15: RTT fairness was compared with CUBIC's alone; the sentence names Hybla, too.", Moved.AWAY),
        Change(
            "Y-01, Y-10, Y-11: only two computed claims were judged by all combinations; all are. The steadiness "
            "against Hybla depends on the origin of t (16 : 32); by each reading alone it failed (2 : 8).",
            Moved.TOWARDS,
        ),
        Change(
            "Y-11: utilisations had half of their last digit; the rate that they are computed from is rounded, too "
            "(60 ± 11.7 %).",
            Moved.TOWARDS,
        ),
        Change(
            "Y-13: the text's rate of Hybla held, though it is Y-11.h's number, which contradicts itself.", Moved.AWAY
        ),
        Change(
            "Y-15: HYBIC and Hybla began with the threshold gamma, CUBIC and NewReno without one, though the paper "
            "subjects all “to the same conditions” and CUBIC of Y-10 and Y-11 has it. All have it now; unset is a "
            "reading. Friendliness, scalability and Y-10's steadiness are headlines, as abstract and conclusion have "
            "them.",
            Moved.NEITHER,
        ),
        Change(
            "Y-10, Y-11: K with beta 0.7, RFC 8312's number as it writes it, is a reading: 49.5 MB, 47 s.", Moved.AWAY
        ),
        Change(
            "Y-15: “scalability” was quoted away with dots, Y-10's “more consistent and stable growth” had no claim; "
            "both are measured: -30 points against NewReno alone on 300 Mbit/s (3 seeds), 5 to 16 times the variation.",
            Moved.AWAY,
        ),
        Change(
            "The calculation used the reading nearest to Table I (t from the switch, one segment; Y-10's crossing from "
            "10): chosen by its result. The main reading is now what the text says: t from the start of the "
            "transmission, the 10 segments of section III. HYBIC's window is 24810 in it, no longer 23031 (Y-11), and "
            "it passes Hybla at 23.73 s, no longer 24.95 (Y-10). The other readings stand beside it.",
            Moved.AWAY,
        ),
        Change(
            "Y-11: windows had tolerances of 5 % (1150, 1100 and 500 segments), CUBIC's rate 5.5 Mbit/s; all have what "
            "rounding can hide (500 segments; 3.0 Mbit/s).",
            Moved.AWAY,
        ),
        Change(
            "Y-10: “about the same” as Hybla was a ratio within a tenth, a bound of ours set knowing the model's "
            "numbers; it is a difference that Figure 3 could not show (1.2 MB).",
            Moved.NEITHER,
        ),
        Change(
            "Y-10: less than 25 MB, over 120 MB and within 25 s were sides and a number within 5 % at first, all kept; "
            "they are bounds since. 25.29 s, in the reading nearest to Table I, does not keep its own.",
            Moved.AWAY,
        ),
        Change(
            "Y-10: the time at which HYBIC passes Hybla was then taken from the initial window of 10 that section III "
            "prints (24.95 s).",
            Moved.TOWARDS,
        ),
        Change(
            "Y-11: CUBIC's 2.2 % had a tolerance of two percentage points; all utilisations have half of their last "
            "printed digit.",
            Moved.NEITHER,
        ),
        Change(
            "Y-13 had no claim: the text's rate of Hybla became one, beside Table I. Its tolerance was half of the "
            "table's last digit, which made the two prints contradict each other; it is half of the text's own.",
            Moved.TOWARDS,
        ),
        Change(
            "Y-15: fairness between round trips was the near flow's rate over the far one's, so that starving the near "
            "one would have counted as fair; it is the smaller over the larger.",
            Moved.AWAY,
        ),
        Change(
            "Y-15: -5 ± 13 % with an allowed 5 % was “not reproduced”. The interval was too wide to decide, and such "
            "a claim is “undecided” now. The row continues to up to 100 seeds.",
            Moved.TOWARDS,
        ),
        Change(
            "Y-15: a packet error rate of 1e-6 was a reading. The paper says “error-free channel”, and no packet was "
            "lost to such errors in any run. Y-05: the definition of section II.A is not a headline, as it is in no "
            "abstract, conclusion or caption.",
            Moved.NEITHER,
        ),
        Change(
            "Y-15: a packet error rate of 1e-6 was ours, though the paper says “error-free channel”; now there are "
            "none, and 1e-6 is a reading. With 10 seeds RTT fairness has +74 ± 50 % on CUBIC, with it +70 ± 55; "
            "NewReno's goodput -5 ± 10 %, with it -4 ± 14.",
            Moved.NEITHER,
        ),
        Change(
            "Y-10, Y-11: each headline is shown in all 36 to 216 combinations of its readings, Y-15 in 48. Only one at "
            "a time was there before; the claims were not touched.",
            Moved.NEITHER,
        ),
        Change("Y-04: the share kept was a mean over all losses; it is one over the seeds.", Moved.NEITHER),
        Change(
            "Y-14: the delay variation was RFC 5481's (delay above the least) until RFC 3393's could be measured.",
            Moved.NEITHER,
        ),
        Change(
            "Initial RTO: with 1 s a timeout before the first ACK, undone, left no threshold, and windows grew "
            "without bound: a defect of the simulator, and the reason for 3 s. The defect is corrected; 1 s now costs "
            "one timeout that is undone and leads to the same threshold. 3 s stays: RFC 6298 has it after a handshake "
            "longer than 1 s.",
            Moved.NEITHER,
        ),
    ),
    rows=in_order(__name__),
)
