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
            "slow start begins with a window of 10 rho segments, and the switch of equation 8 is earlier by RTTref "
            "log2 10",
            "equation 4 prints rho 2^(t/RTTref), which begins with rho; section III states “IW=10 seg”",
        ),
        Setting(
            "packets: beta",
            "kept 0.7",
            "beta of RFC 8312, which the paper cites; in Table I nothing is lost, so beta has no effect",
        ),
        Setting("packets: rate and buffer", "100 Mbit/s, 1 BDP", "5 Gbit/s over 2287 ms is a window of 1.4 GB"),
        Setting(
            "packets: RTT",
            "600 and 2287 ms, and up to 20 ms by the seed",
            "the round trip depends on the seed: without losses, all seeds would otherwise give the same run",
        ),
        Setting("packets: errors", "none in Y-15", "section III: “ideal conditions (error-free channel)”"),
        Setting("packets: Hybla", "RTT0 100 ms, gamma 128", "HYBIC's reference path"),
        Setting(
            "packets: TCP",
            "1448 B + 52 B, IW 10, SACK, initial RTO 3 s",
            "section III; RFC 6675; RFC 6298 (5.7): RTO is 3 s if the handshake takes longer than 1 s, as over 2287 ms",
        ),
    ),
    readings=CHOICES,
    precision="The tolerances are: for numbers of Table I, half of the last printed digit (for rates, also what the "
    "rounding of their window can hide; for utilisations, the tolerance of the rate); for bounds (“over 120 "
    "MB”, “within 25 s”), none; for values read from Figure 3, a hundredth of its 120 MB. One tolerance is "
    "ours, because the paper has no number: inherited properties are within 5 %.",
    changed=(
        Change(
            "Y-10, Y-11: Slow start from one segment, as equation 4 prints it, was a reading (one interpretation of "
            "the paper). Section III states “IW=10 seg”, so the paper leaves no choice, and this is not a reading "
            "any more. If slow start begins with one segment and t starts at the switch, the window is Table I's "
            "(23031 segments).",
            Moved.AWAY,
        ),
        Change(
            "Y-15: The claim on scalability had a reading in which NewReno starts without a threshold. The paper "
            "states γ = 128 and “the same conditions”, so NewReno now starts with this threshold, also in the claims "
            "on friendliness. Without the threshold, HYBIC's utilisation was 29.9 percentage points lower than "
            "NewReno's.",
            Moved.TOWARDS,
        ),
        Change(
            "Y-15: The claim compares HYBIC's “RTT fairness” with Hybla's. Its bound is now printed as the verdict "
            "uses it: -5 %.",
            Moved.NEITHER,
        ),
        Change(
            "Y-11: HYBIC's rate divided by CUBIC's is not a headline (main claim) any more. The paper prints both "
            "rates in Table I, but not their quotient.",
            Moved.TOWARDS,
        ),
        Change(
            "Y-10: The steadiness of the window's growth was measured over the whole run, so slow start and "
            "avoidance were mixed. HYBIC's variation was then 1465 % larger than CUBIC's and 537 % larger than "
            "Hybla's. The paper says “in both SS and CA phases”, so each phase is now measured separately.",
            Moved.AWAY,
        ),
        Change(
            "Y-10, Y-11: A new reading takes t from the start of the transmission, and ends slow start at a window "
            "of rho gamma. Combinations in which t starts differently for HYBIC and for CUBIC are not readings any "
            "more: after equation 4, the paper defines one t for both.",
            Moved.TOWARDS,
        ),
        Change(
            "Y-15: The claim on scalability has a reading again in which NewReno starts without a threshold, because "
            "the paper's “same conditions” do not name NewReno.",
            Moved.AWAY,
        ),
        Change(
            "Y-11: The quote lacked the words “better … compared with both CUBIC and HYBLA”. This comparison is now "
            "a claim. CUBIC's start is one of the choices of its readings.",
            Moved.NEITHER,
        ),
        Change(
            "Y-11, Y-13: We had computed rates and utilisations with RTTref, as the paper does. Our numbers then "
            "agreed with the paper's, although the row calls this division wrong. Now the windows are divided by the "
            "path's round trip, and the paper's computation is shown beside the result.",
            Moved.AWAY,
        ),
        Change(
            "Y-15: A reading in which CUBIC and NewReno start without a threshold was removed. The paper states "
            "gamma and “the same conditions” for all controllers, so it leaves no choice here. In this reading, "
            "HYBIC's utilisation was 29.9 percentage points lower than NewReno's.",
            Moved.TOWARDS,
        ),
        Change(
            "Y-15: HYBIC's RTT fairness was compared only with that of CUBIC. Now it is also compared with that of "
            "Hybla, because the sentence in the paper names Hybla.",
            Moved.AWAY,
        ),
        Change(
            "Y-01, Y-10, Y-11: Only two computed claims were judged by all combinations of the readings. Now all "
            "computed claims are. For the steadiness against Hybla, 16 combinations are for the claim and 32 against "
            "it: the result depends on the origin of t. When only one choice was changed at a time, 2 readings were "
            "for the claim and 8 against it.",
            Moved.TOWARDS,
        ),
        Change(
            "Y-11: The tolerance of the utilisations was half of their last printed digit. The paper computes a "
            "utilisation from a rounded rate, so the tolerance now includes this rounding (60 ± 11.7 %).",
            Moved.TOWARDS,
        ),
        Change(
            "Y-13: Hybla's rate as printed in the text was “reproduced”, although it is the number of Y-11.h, which "
            "contradicts itself.",
            Moved.AWAY,
        ),
        Change(
            "Y-15: HYBIC and Hybla began with the slow-start threshold gamma, but CUBIC and NewReno began without a "
            "threshold. The paper subjects all “to the same conditions”, and CUBIC has gamma in Y-10 and Y-11. Now "
            "all begin with gamma, and a start without a threshold is a reading. Friendliness, scalability and the "
            "steadiness of Y-10 are headlines (main claims), because abstract and conclusion contain them.",
            Moved.NEITHER,
        ),
        Change(
            "Y-10, Y-11: A new reading computes K with beta = 0.7, as RFC 8312 writes it. HYBIC's window is then 49.5 "
            "MB at 60 s, and exceeds Hybla's at 47 s.",
            Moved.AWAY,
        ),
        Change(
            "Y-15: The quote lacked the word “scalability”. Y-10: The statement “more consistent and stable growth” "
            "had no claim. Both are measured now. On 300 Mbit/s with 3 seeds, HYBIC's utilisation is 30 percentage "
            "points lower than NewReno's. HYBIC's growth has 5 to 16 times the variation of the other controllers.",
            Moved.AWAY,
        ),
        Change(
            "Y-10, Y-11: The calculation used the reading whose numbers are nearest to Table I. In this reading, t "
            "starts at the switch, and the initial window is one segment (10 segments for the crossing of Y-10). "
            "This reading was chosen by its result. The main reading now follows the text: t starts with the "
            "transmission, and the initial window is the 10 segments of section III. HYBIC's window is now 24810 "
            "instead of 23031 segments (Y-11). It exceeds Hybla's at 23.73 instead of 24.95 s (Y-10). The results of "
            "the other readings are shown beside those of the main reading.",
            Moved.AWAY,
        ),
        Change(
            "Y-11: The tolerances of the windows were 5 % (1150, 1100 and 500 segments), and that of CUBIC's rate "
            "was 5.5 Mbit/s. Now each tolerance is what rounding can hide (500 segments; 3.0 Mbit/s).",
            Moved.AWAY,
        ),
        Change(
            "Y-10: For “about the same” as Hybla, the ratio had to be within a tenth. We had set this bound when we "
            "already knew the model's numbers. Now the difference must be too small to see in Figure 3 (1.2 MB).",
            Moved.NEITHER,
        ),
        Change(
            "Y-10: “Less than 25 MB”, “over 120 MB” and “within 25 s” were directions and a number with a tolerance "
            "of 5 %, and all were reproduced. They are now bounds. In the reading nearest to Table I, the time of "
            "25.29 s exceeds its bound.",
            Moved.AWAY,
        ),
        Change(
            "Y-10: The time at which HYBIC's window exceeds Hybla's was then computed with the initial window of 10 "
            "segments from section III (24.95 s).",
            Moved.TOWARDS,
        ),
        Change(
            "Y-11: The tolerance of CUBIC's utilisation (2.2 %) was two percentage points. Now the tolerance of "
            "every utilisation is half of its last printed digit.",
            Moved.NEITHER,
        ),
        Change(
            "Y-13: The row had no claim. Now Hybla's rate as printed in the text is a claim, in addition to the rate "
            "in Table I. The tolerance was half of the table's last digit. With this tolerance, the two printed "
            "numbers contradict each other. Now the tolerance is half of the text's last digit.",
            Moved.TOWARDS,
        ),
        Change(
            "Y-15: Fairness between round trips was the near flow's rate divided by the far flow's. A near flow that "
            "gets almost nothing would have counted as fair. Now fairness is the smaller rate divided by the larger.",
            Moved.AWAY,
        ),
        Change(
            "Y-15: A result of -5 ± 13 %, with an allowed difference of 5 %, was “not reproduced”. The interval is "
            "too wide to decide, so such a claim is now “undecided”. The row then continues with more seeds, up to "
            "100.",
            Moved.TOWARDS,
        ),
        Change(
            "Y-15: A packet error rate of 1e-6 was a reading, although the paper says “error-free channel”. No run "
            "lost a packet because of such errors, so the reading was removed. Y-05: The definition of section II.A "
            "is not a headline (main claim) any more, because no abstract, conclusion or caption contains it.",
            Moved.NEITHER,
        ),
        Change(
            "Y-15: We had set a packet error rate of 1e-6, although the paper says “error-free channel”. Now there "
            "are no errors, and 1e-6 is a reading. With 10 seeds and no errors, HYBIC's RTT fairness is 74 ± 50 % "
            "higher than CUBIC's (with errors: 70 ± 55 %). NewReno's goodput is 5 ± 10 % lower (with errors: 4 ± 14 "
            "%).",
            Moved.NEITHER,
        ),
        Change(
            "Y-10, Y-11: Each headline (main claim) is now shown in all combinations of its readings: 36 to 216 in "
            "Y-10 and Y-11, and 48 in Y-15. Before, only one choice at a time differed from the main reading. The "
            "claims are unchanged.",
            Moved.NEITHER,
        ),
        Change(
            "Y-04: The share of the window that HYBIC keeps at a loss was a mean over all losses. Now it is a mean "
            "over the seeds.",
            Moved.NEITHER,
        ),
        Change(
            "Y-14: The delay variation is now that of RFC 3393. It was that of RFC 5481 (delay minus smallest "
            "delay), because Bentpipe could not measure that of RFC 3393.",
            Moved.NEITHER,
        ),
        Change(
            "Initial RTO: The initial RTO was 3 s because of a defect of the simulator with 1 s. A timeout expired "
            "before the first ACK, and was undone. After that, no slow-start threshold was left, and windows grew "
            "without bound. The defect is corrected: 1 s now costs one timeout, which is undone and leads to the "
            "same threshold. 3 s stays, because RFC 6298 requires it after a handshake longer than 1 s.",
            Moved.NEITHER,
        ),
    ),
    rows=in_order(__name__),
)
