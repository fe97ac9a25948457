# SPDX-License-Identifier: MIT OR Apache-2.0
"""Do flows of different round-trip time share a LEO constellation fairly?

Reproduces the slides "Congestion Control on LEO Satellite Networks using Hypatia" (Muppalaneni, Gupta and Vaddiraju,
CS538): a module for each subject, and a row for each claim, figure and question.
"""

from __future__ import annotations

from bentpipe.study import Change, Moved, Setting, Study
from bentpipe_papers.leo_study import readings
from bentpipe_papers.order import in_order

STUDY = Study(
    name="leo-study",
    title="Congestion Control on LEO Satellite Networks using Hypatia",
    short="Competing flows on LEO constellations",
    about="The document is the slides of a course project. Under Reno, flows with different round-trip times divide a "
    "shared link of a constellation unequally. According to the slides, Geo-Reno corrects this, because its window "
    "grows faster if the distance between the ends is larger. The slides also run Hybla, Copa and BBR on the same "
    "simulator, Hypatia. Most results are pictures, and we have only their titles. The text has two round trips and "
    "two fairness ratios. We read a fairness ratio as the smaller goodput divided by the larger.",
    summary=(
        "Geo-Reno is a variant of Reno whose window grows faster over longer distances. With Geo-Reno, the slower of "
        "two competing flows has {G-11.a ours} of the goodput of the faster flow over 200 s; the authors' slides "
        "print {G-11.a paper}. The two flows share a link for half of this time.",
        "With plain Reno, the slower flow has {G-05.b ours} (the slides: {G-05.b paper}). Geo-Reno changes the "
        "throughput of both flows together by {G-14.d ours}.",
    ),
    given=(
        Setting("simulator", "Hypatia, packets by ns-3", "Hypatia"),
        Setting("competing flows", "Wuhan and Toronto to Washington; Wuhan and Tehran to "
        "Madrid", "Problem 1; Another result"),
        Setting("single flow", "Rio de Janeiro to St. Petersburg", "Copa for LEO satellite networks"),
        Setting("round trips", "105 ms (Wuhan-Washington), 11 ms (Toronto-Washington)", "Metrics"),
        Setting("Geo-Reno", "CWND += α d(src, dst)/CWND per ACK in congestion avoidance", "Solution"),
        Setting("fairness", "ratio of bandwidth utilized by both flows", "Metrics"),
    ),
    chosen=(
        Setting("constellation", "Hypatia's Kuiper shell, 34x34 at 630 km", "the slides name none; G-01 compares "
        "its three"),
        Setting("links", "10 Mbit/s, 100 packets, routes every 100 ms", "as Hypatia's experiments of one "
        "flow; its experiment of two competing flows has 200 packets, a reading"),
        Setting("duration", "200 s from the shell's epoch", "the length of Hypatia's own experiments"),
        Setting("pings", "84 B every 10 ms beside each of the competing flows", "the slides' second figure shows them; "
        "the tutorial of basic-sim, on which Hypatia rests, has 10 ms"),
        Setting(
            "chance in G-05 to G-14",
            "each flow starts within the first second, at a time drawn for each flow and seed",
            "everything else there is determined by the orbits",
        ),
        Setting(
            "chance in G-03, G-16",
            "the flow starts within the first second, at a time drawn for each seed",
            "another epoch, frac(0.618 seed) of a revolution (5839 s) after the shell's, is a reading, and G-22's",
        ),
        Setting("fairness", "smaller over larger goodput over the whole run",
                "the literal reading; the ratio while the paths share a link and Jain's index are shown as well, and "
                "G-15 asks which was meant"),
        Setting("α", "1/567 km (the shorter path is Reno); six more readings in "
        "G-11", "“Normalizing Constant (based on minimum RTT)”"),
        Setting(
            "TCP",
            "1380 B of payload, initial window 10, SACK, no pacing; an ACK for every second segment or after 200 ms, "
            "least timeout 1 s, no PRR, no undo; handshake",
            "Hypatia's tcp-optimizer.cc (basic-sim 3b32597), then ns-3.31's defaults",
        ),
        Setting("Reno, Geo-Reno", "an ACK counts once", "ns-3.31's TcpNewReno; “For every Ack”"),
        Setting(
            "Geo-Reno, ours",
            "a gain of 0.1 to 25, and growth of at most one segment for each that is acknowledged",
            "the formula has no bound",
        ),
        Setting("Vegas", "2 to 4 segments wait, by the least RTT of a round", "ns-3.31's TcpVegas (not in G-20, G-22)"),
        Setting("a first look (--quick)", "2 seeds and shorter runs where no claim is at stake; every claim has "
        "all seeds", "G-07, G-16, G-20 to G-22"),
        Setting("paths of a list", "the 100 largest cities of Hypatia's list", "Hypatia's own choice"),
    ),
    readings=readings.CHOICES,
    precision="Half a unit of the last printed digit: 0.5 ms of a round trip, 0.05 of a percentage, and 0.1 where one "
    "number is printed as 71.8 and as 71.9 %; 0.5/11 of a ratio of round trips of 11 ms (G-09). “Throughput is "
    "unaffected” has no number: 2 %, a choice of ours.",
    changed=(
        Change(
            "G-05, G-11, G-12, G-14: runs without pings are a reading again. They were excluded for a while, because "
            "the slides show the “RTT of TCP flows and pings”. But the title does not say that both ran together, and "
            "in Hypatia they do not. Of pings beside the flows, the interval is open: 1 ms is in the curves.",
            Moved.AWAY,
        ),
        Change(
            "G-12: “similar frequency” as a ratio of 1 was judged by the main reading alone. Its curve has the other "
            "values of α and the settings of the bed.",
            Moved.AWAY,
        ),
        Change(
            "G-05 to G-14: starts of the two flows were steps of one sequence, so that their difference had two values "
            "only. Each is drawn alone. With 10 seeds Reno had 72.0 ± 3.1 %, Geo-Reno 81.8 ± 3.8 (99.2 %).",
            Moved.TOWARDS,
        ),
        Change(
            "G-03, G-16: the main reading drew the epoch by seed, though by our order the tool's default, the shell's "
            "epoch, comes first. It is the main reading with a drawn start, and a drawn epoch is a reading. With drawn "
            "epochs Reno led Vegas by 2.22 ± 1.99 Mbit/s, and Copa used 20.2 ± 19.7 points more.",
            Moved.NEITHER,
        ),
        Change(
            "G-12: “similar frequency” is a headline as a ratio of 1 within a tenth, too, not as “nearer than under "
            "Reno” alone.",
            Moved.AWAY,
        ),
        Change(
            "G-05, G-14: a number that no combination is for, and that the main reading leaves open, depended on "
            "settings; it is undecided.",
            Moved.NEITHER,
        ),
        Change(
            "G-05, G-14: 100 % was the value of no effect of 71.8 and 71.9 %, but no ratio of the smaller to the "
            "larger is above it, so the side could not fail. The slides print a number without a side.",
            Moved.AWAY,
        ),
        Change(
            "G-11, G-14: 85.8 % had Reno's printed 71.8 % as the value of no effect, also while the flows share a "
            "link, where Reno has 32 %. The number is without a side now, and the side is G-11.b, which compares with "
            "Reno in the same combination.",
            Moved.AWAY,
        ),
        Change(
            "G-04: the two round trips had the side of the “≫” between them, so 10.4 ms held for a printed 11 ms. They "
            "are numbers without a side, and headlines.",
            Moved.AWAY,
        ),
        Change("G-13: the slides show pictures without words: no claim.", Moved.AWAY),
        Change(
            "G-03, G-16: single runs counted as undecided in the share of the variance that the epoch explains; they "
            "are left out of it.",
            Moved.NEITHER,
        ),
        Change(
            "G-05, G-14: Reno's 71.8 and 71.9 % had no value of no effect; equal shares, 100 %, are it.", Moved.TOWARDS
        ),
        Change(
            "G-03, G-16: at the shell's epoch all three seeds of a combination have one run, whose interval of no "
            "width counted as certain, and the epoch as what decides (100 %). A single run decides nothing now.",
            Moved.NEITHER,
        ),
        Change(
            "G-04: that Wuhan's round trip is longer than Toronto's holds over any constellation: a check. G-06 "
            "claimed the same of pings beside the flows, which the slides do not say: no claim.",
            Moved.AWAY,
        ),
        Change("G-07: the search has its pair at place 2; it was called the first.", Moved.NEITHER),
        Change(
            "G-04: “≫” had a number, 9.55, the quotient of the two round trips, which the slides do not print; these "
            "have claims of their own. It is a side.",
            Moved.TOWARDS,
        ),
        Change(
            "G-09: “contradicts itself” rested on distances that the slides do not print. The claim fails by our "
            "measurement.",
            Moved.NEITHER,
        ),
        Change(
            "G-14: the fairness of Reno and of Geo-Reno had no curve, though G-05 and G-11 have one of the same runs.",
            Moved.AWAY,
        ),
        Change(
            "G-05, G-11, G-12, G-14: jitter of a packet time, no pings with Geo-Reno, and ns-3's default receive "
            "buffer are readings and in the curves, which are stars now. With 3 seeds Geo-Reno's gain is 8.9 ± 14.0 "
            "points, -10.0 ± 4.7 without pings, -13.6 ± 20.1 with jitter, 26.1 ± 2.5 with that buffer (86.9 ± 6.4 %).",
            Moved.AWAY,
        ),
        Change("G-01: “Hypatia does not analyse competing flows” has a claim; its files have one.", Moved.AWAY),
        Change(
            "All rows with packets ran on Bentpipe's minimal TCP, though by our order the TCP of the slides' tool "
            "comes first, as the page itself said. Now they run with Hypatia's. With 3 seeds Reno had 74.2 ± 7.9 % "
            "(bare 71.3 ± 4.2), Geo-Reno 83.1 ± 11.0 (82.8 ± 4.5), its gain 8.9 ± 14.0 points (11.5 ± 8.6).",
            Moved.AWAY,
        ),
        Change(
            "G-03, G-16, G-18, G-21: Vegas was Bentpipe's (1 to 3 segments, mean RTT); by the same order it is ns-3's "
            "now (2 to 4, least RTT). Reno led by 2.69 ± 1.93 Mbit/s (10 epochs), now by 3.64 ± 5.42 (3 epochs); over "
            "all combinations this choice explains 2 % of the variance, the epoch 89 %.",
            Moved.NEITHER,
        ),
        Change(
            "G-17: its three claims came from the abstract of Copa's paper (“direction only”). The slides show the "
            "figure alone: no claim.",
            Moved.AWAY,
        ),
        Change(
            "G-05, G-11, G-14: queues of 200 packets are a reading, since Hypatia's experiment of two competing flows "
            "has them. When it was declared one seed of Reno was known: 70.8 % with 100, 77.1 with 200.",
            Moved.NEITHER,
        ),
        Change(
            "Headlines with packets have curves over all combinations of their readings; there were none.",
            Moved.NEITHER,
        ),
        Change(
            "G-03, G-16: delay-based against loss-based goodput was first compared as a relative change. Copa against "
            "Vegas gave +76 ± 128 % and would not have been reproduced; now the paired difference is compared, for all "
            "of these claims. A claim of our own, that Copa has the goodput of Reno, was dropped at -7.3 ± 5.5 %: the "
            "slides do not make it.",
            Moved.TOWARDS,
        ),
        Change(
            "G-20: echoes were put beside the flows once the long path's Reno flow got 39 ± 18 % against the short one "
            "without them; with them it gets 8 ± 6 %. Phase effects at the drop-tail queue are suspected, not proven.",
            Moved.NEITHER,
        ),
        Change(
            "G-22: two forms of announcement were tried and dropped: RTT less the true propagation delay (Vegas "
            "gained -0.08 ± 4.26 Mbit/s), and the least RTT set back with the velocity of Copa's paper (Copa gained "
            "-0.61 ± 3.24 Mbit/s). The present form resets Copa's velocity at every turn, with and without "
            "announcements.",
            Moved.NEITHER,
        ),
        Change(
            "G-05 to G-14: the settings (10 Mbit/s, 100 packets, 200 s, Hypatia's Kuiper shell at its epoch, pings) "
            "were settled knowing the numbers of one seed: Reno 71.6 % over the whole run beside the slides' 71.8 %. "
            "That Reno agrees is not independent evidence.",
            Moved.TOWARDS,
        ),
        Change(
            "G-05, G-11: the ratio while the two share a link was claimed beside that of the whole run, though one "
            "printed number cannot be both: with 10 seeds 32.2 ± 2.4 (the slides 71.8 %) and 48.7 ± 3.9 % (85.8 %). "
            "Claimed is the whole run, and in G-11 “fairer than Reno” too (while sharing it was 16.5 ± 4.6 points).",
            Moved.TOWARDS,
        ),
        Change(
            "G-13: the same; while sharing the change was +7.3 ± 10.5 points with 5 seeds, and not reproduced.",
            Moved.TOWARDS,
        ),
        Change(
            "G-08: a claim of ours was dropped, that Hybla is less fair than Geo-Reno, since the slides moved on from "
            "it: they do not say so. It was not reproduced (15.0 ± 3.0 points to the other side with 10 seeds).",
            Moved.TOWARDS,
        ),
        Change(
            "G-12: “similar frequency” was also claimed as a ratio of 1 within a twentieth, a tolerance of ours, and "
            "decided the row (1.09 ± 0.05 with 10 seeds); the claim paired with Reno is kept.",
            Moved.TOWARDS,
        ),
        Change(
            "G-10: the model's α d was put beside the controller's gain later; the claim was not touched. G-21: steps "
            "of capacity were added to the moving path; as the real steps changed nothing, so was a swing no orbit "
            "makes.",
            Moved.NEITHER,
        ),
        Change(
            "G-11, G-14, after a review: 85.8 % was a number without a side, and not reproduced; then any ratio below "
            "100 % was on its side. Now its side is that of Geo-Reno's gain on the printed 71.8 %.",
            Moved.TOWARDS,
        ),
        Change(
            "G-11, G-14, after a review that looked for the printed number among values of α: seven readings are "
            "measured beside the main one, six of α and one of whose TCP it is. None was declared before the first "
            "runs.",
            Moved.TOWARDS,
        ),
        Change(
            "G-05, G-11, G-14: the tolerance of percentages was 2 points, ours; now the slides' own rounding.",
            Moved.NEITHER,
        ),
        Change(
            "G-04: the tolerance of the round trips was 5 %, ours, and 10.4 for 11 ms failed by it; by rounding it "
            "fails too. Not reproduced became direction only, as the two numbers got the side of the “≫” between them.",
            Moved.TOWARDS,
        ),
        Change("G-10: a definition and no claim; it was reproduced by a check on our own controller.", Moved.AWAY),
        Change(
            "G-16: Copa's “high utilization” is printed as points of utilisation; it was the same in Mbit/s. G-22: "
            "LeoCC with announcements and without was added.",
            Moved.NEITHER,
        ),
    ),
    rows=in_order(__name__),
)  # fmt: skip
