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
        "HYBIC combines Hybla's slow start with CUBIC's growth. Over the same path, its mean rate is {Y-11.j ours} "
        "times CUBIC's. The paper's Table I implies {Y-11.j paper} times, because it computes the two rates with "
        "different round trips.",
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
        Setting(
            "packets: beta",
            "kept 0.7",
            "RFC 8312, which the paper cites; in Table I nothing is lost, so beta has no effect",
        ),
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
    precision="The tolerances are: for numbers of Table I, half of the last printed digit (for rates, also what the "
    "rounding of their window can hide; for utilisations, the tolerance of the rate); for bounds (“over 120 "
    "MB”, “within 25 s”), none; for values read from Figure 3, a hundredth of its 120 MB. One tolerance is "
    "ours, because the paper has no number: inherited properties are within 5 %.",
    changed=(
        Change(
            "Y-10, Y-11: Slow start from one segment, as equation 4 prints it, was a reading. Section III states "
            "“IW=10 seg”, so this is not open. From one segment, and with t from the switch, the window is Table I's "
            "(23031 segments).",
            Moved.AWAY,
        ),
        Change(
            "Y-15: NewReno without a first threshold was a reading of “scalability” alone. The paper states γ = 128 "
            "and “the same conditions”, so NewReno has the threshold, also in the claims on friendliness. Without "
            "it, HYBIC used 29.9 points less than NewReno.",
            Moved.TOWARDS,
        ),
        Change("Y-15: The bound of “RTT fairness” against Hybla is now printed as it is judged: -5 %.", Moved.NEITHER),
        Change(
            "Y-11: The quotient of two rates of Table I is not a headline any more, because the paper states no such "
            "number.",
            Moved.TOWARDS,
        ),
        Change(
            "Y-10: Steadiness was measured over the whole run, which mixes slow start and avoidance (+1465 % against "
            "CUBIC, +537 % against Hybla). The sentence says “in both SS and CA phases”, so each phase is measured "
            "now.",
            Moved.AWAY,
        ),
        Change(
            "Y-10, Y-11: A new reading is t from the start, with a slow start that ends at rho gamma. Combinations "
            "in which t begins differently for HYBIC and for CUBIC are not readings any more, because the paper has "
            "one t (after equation 4).",
            Moved.TOWARDS,
        ),
        Change(
            "Y-15: NewReno without a first threshold is a reading of “scalability” again, because the paper's “same "
            "conditions” do not name NewReno.",
            Moved.AWAY,
        ),
        Change(
            "Y-11: “better … compared with both CUBIC and HYBLA” had been cut from the quote. This side has a claim "
            "now, and CUBIC's start is one of its choices.",
            Moved.NEITHER,
        ),
        Change(
            "Y-11, Y-13: Rates and utilisations were divided by RTTref, as in the paper. Their numbers were met, "
            "although the row calls this division wrong. Now they are divided by the path's round trip, and the "
            "paper's computation is beside them.",
            Moved.AWAY,
        ),
        Change(
            "Y-15: CUBIC and NewReno without a first threshold were a reading. The text states gamma and “the same "
            "conditions” for all, so this is not open. In this reading, HYBIC used 29.9 points less than NewReno.",
            Moved.TOWARDS,
        ),
        Change(
            "Y-15: RTT fairness was compared only with CUBIC's. Now it is also compared with Hybla's, because the "
            "sentence names Hybla.",
            Moved.AWAY,
        ),
        Change(
            "Y-01, Y-10, Y-11: Only two computed claims were judged by all combinations. Now all are. The steadiness "
            "against Hybla depends on the origin of t (16 : 32). By single readings, it failed (2 : 8).",
            Moved.TOWARDS,
        ),
        Change(
            "Y-11: The tolerance of the utilisations was half of their last digit. Now it includes the rounding of "
            "the rate from which they are computed (60 ± 11.7 %).",
            Moved.TOWARDS,
        ),
        Change(
            "Y-13: The text's rate of Hybla held, although it is the number of Y-11.h, which contradicts itself.",
            Moved.AWAY,
        ),
        Change(
            "Y-15: HYBIC and Hybla began with the threshold gamma, but CUBIC and NewReno began without a threshold. "
            "The paper subjects all “to the same conditions”, and CUBIC has gamma in Y-10 and Y-11. Now all begin "
            "with gamma, and no threshold is a reading. Friendliness, scalability and the steadiness of Y-10 are "
            "headlines, because abstract and conclusion contain them.",
            Moved.NEITHER,
        ),
        Change("Y-10, Y-11: K with beta = 0.7, as RFC 8312 writes it, is a reading now (49.5 MB, 47 s).", Moved.AWAY),
        Change(
            "Y-15: “Scalability” had been cut from the quote. Y-10: “More consistent and stable growth” had no "
            "claim. Both are measured now: -30 points against NewReno alone on 300 Mbit/s (3 seeds), and 5 to 16 "
            "times the variation.",
            Moved.AWAY,
        ),
        Change(
            "Y-10, Y-11: The calculation used the reading nearest to Table I (t from the switch, one segment; for "
            "the crossing of Y-10, 10 segments). This reading was chosen by its result. The main reading is now what "
            "the text says: t from the start of the transmission, and the 10 segments of section III. HYBIC's window "
            "is 24810 instead of 23031 segments (Y-11). It exceeds Hybla's at 23.73 instead of 24.95 s (Y-10). The "
            "other readings are beside it.",
            Moved.AWAY,
        ),
        Change(
            "Y-11: The tolerances of the windows were 5 % (1150, 1100 and 500 segments), and that of CUBIC's rate "
            "was 5.5 Mbit/s. Now each tolerance is what rounding can hide (500 segments; 3.0 Mbit/s).",
            Moved.AWAY,
        ),
        Change(
            "Y-10: “About the same” as Hybla was a ratio within a tenth, a bound that we had set when we knew the "
            "model's numbers. Now it is a difference that Figure 3 could not show (1.2 MB).",
            Moved.NEITHER,
        ),
        Change(
            "Y-10: “Less than 25 MB”, “over 120 MB” and “within 25 s” were sides and a number within 5 % (all kept). "
            "They are bounds now. In the reading nearest to Table I, 25.29 s is outside its bound.",
            Moved.AWAY,
        ),
        Change(
            "Y-10: The time at which HYBIC exceeds Hybla was then computed with the initial window of 10 that "
            "section III prints (24.95 s).",
            Moved.TOWARDS,
        ),
        Change(
            "Y-11: The tolerance of CUBIC's 2.2 % was two percentage points. Now all utilisations have half of their "
            "last printed digit.",
            Moved.NEITHER,
        ),
        Change(
            "Y-13: The row had no claim. Now the text's rate of Hybla is a claim, in addition to Table I. Its "
            "tolerance was half of the table's last digit, which made the two printed numbers contradict each other. "
            "Now it is half of the text's last digit.",
            Moved.TOWARDS,
        ),
        Change(
            "Y-15: Fairness between round trips was the near flow's rate divided by the far flow's. If the near flow "
            "had starved, this would have counted as fair. Now it is the smaller rate divided by the larger.",
            Moved.AWAY,
        ),
        Change(
            "Y-15: -5 ± 13 % with an allowed 5 % was “not reproduced”. The interval is too wide to decide, so such a "
            "claim is “undecided” now. The row continues to up to 100 seeds.",
            Moved.TOWARDS,
        ),
        Change(
            "Y-15: A packet error rate of 1e-6 was a reading. The paper says “error-free channel”, and no packet was "
            "lost to such errors in any run, so it is not a reading any more. Y-05: The definition of section II.A "
            "is not a headline any more, because no abstract, conclusion or caption contains it.",
            Moved.NEITHER,
        ),
        Change(
            "Y-15: We had set a packet error rate of 1e-6, although the paper says “error-free channel”. Now there "
            "are no errors, and 1e-6 is a reading. With 10 seeds and no errors, RTT fairness is +74 ± 50 % compared "
            "with CUBIC (with errors: +70 ± 55), and NewReno's goodput is -5 ± 10 % (with errors: -4 ± 14).",
            Moved.NEITHER,
        ),
        Change(
            "Y-10, Y-11: Each headline is shown in all 36 to 216 combinations of its readings, and Y-15 in 48. "
            "Before, only one reading at a time was shown. The claims are unchanged.",
            Moved.NEITHER,
        ),
        Change(
            "Y-04: The share of the window that is kept was a mean over all losses. Now it is a mean over the seeds.",
            Moved.NEITHER,
        ),
        Change(
            "Y-14: The delay variation was that of RFC 5481 (delay above the smallest delay), until that of RFC 3393 "
            "could be measured.",
            Moved.NEITHER,
        ),
        Change(
            "Initial RTO: With 1 s, a timeout before the first ACK that was undone left no threshold, and windows "
            "grew without bound. This was a defect of the simulator, and the reason for 3 s. The defect is "
            "corrected: 1 s now costs one timeout, which is undone and leads to the same threshold. 3 s stays, "
            "because RFC 6298 has it after a handshake longer than 1 s.",
            Moved.NEITHER,
        ),
    ),
    rows=in_order(__name__),
)
