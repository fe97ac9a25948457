# SPDX-License-Identifier: MIT OR Apache-2.0
"""Does HYBIC join the start of Hybla to the growth of CUBIC?"""

from __future__ import annotations

from bentpipe.study import Setting, Study
from bentpipe_papers.hybic import rows_drawings, rows_future, rows_model, rows_rules, rows_shares, rows_table
from bentpipe_papers.rooms import in_order

STUDY = Study(
    name="hybic",
    title="HYBIC: An Improved Congestion Control Algorithm for Integrated Satellite-Terrestrial Networks in 5G and "
    "Beyond Communications",
    short="HYBIC for satellite-terrestrial networks",
    about="HYBIC takes Hybla's slow start and CUBIC's avoidance, with the clock of a reference path in place of the "
    "round trip. The paper evaluates equations with MATLAB, without packets or losses: one flow over 2287 ms and "
    "5 Gbit/s for 60 s. Its numbers are computed again here, with the reading of the equations that meets them, and "
    "beside them like for like; what the paper leaves to future work is done with packets.",
    given=(
        Setting("RTTsat, RTTref", "2287 ms, 100 ms", "section III"),
        Setting("MSS, IW, gamma", "1448 bytes, 10 segments, 128 segments", "section III"),
        Setting("time", "0 to 60 s in steps of 200 ms", "section III"),
        Setting("C", "5 Gbit/s, one flow", "section III"),
        Setting("A", "0.4", "section II.A («usually»)"),
    ),
    chosen=(
        Setting("beta", "kept 0.7", "RFC 8312, which it cites; in Table I nothing is lost and beta does not matter"),
        Setting("Wmax, K, origin of t", "rho gamma, 0, t_gamma", "nearest to Table I of all readings; Y-12"),
        Setting(
            "initial window of the model",
            "1 segment; Y-10 has 10, too",
            "1 is nearest to Table I (2.4 %; 10: 2.5 %), section III prints 10",
        ),
        Setting("packets: rate and buffer", "100 Mbit/s, 1 BDP", "5 Gbit/s over 2287 ms is a window of 1.4 GB"),
        Setting("packets: RTT", "600 and 2287 ms, and up to 20 ms by the seed", "so that seeds differ without losses"),
        Setting("packets: Hybla", "RTT0 100 ms, gamma 128", "HYBIC's reference path"),
        Setting(
            "packets: TCP",
            "1448 B + 52 B, IW 10, SACK, initial RTO 3 s",
            "section III; RFC 6675; RFC 6298 (5.7): a handshake over 2287 ms outlasts the first 1 s",
        ),
    ),
    changed=(
        "Y-10: the tolerance of «about the same» (a tenth) was set knowing the model's numbers. Less than 25 MB, over "
        "120 MB and within 25 s were sides and a number within 5 % at first, all kept; they are bounds now, and "
        "25.29 s does not keep its own.",
        "Y-11: CUBIC's 2.2 % had a tolerance of two percentage points; all three utilisations have half of their last "
        "printed digit.",
        "Y-10: the time at which HYBIC passes Hybla is taken from the initial window of 10 that section III prints. "
        "From 1, which is nearest to Table I, it is 25.29 s, and the claim was not reproduced.",
        "Y-13 had no claim: the text's rate of Hybla is now one, beside Table I. Its tolerance was half of the table's "
        "last digit, which made the two prints contradict each other; it is half of the text's own.",
        "Y-15: fairness between round trips was the near flow's rate over the far one's, so that starving the near one "
        "would have counted as fair; it is the smaller over the larger.",
        "Y-04: the share kept was a mean over all losses; it is one over the seeds.",
        "Y-14: the delay variation was RFC 5481's (delay above the least) until RFC 3393's could be measured.",
        "Initial RTO: with 1 s a timeout before the first ACK, undone, left no threshold, and windows grew without "
        "bound: a defect of the simulator, for which 3 s came in. It is mended; 1 s now costs one timeout that is "
        "undone and leads to the same threshold. 3 s stays: RFC 6298 has it after a handshake longer than 1 s.",
    ),
    rows=in_order(rows_drawings, rows_future, rows_model, rows_rules, rows_shares, rows_table),
)
