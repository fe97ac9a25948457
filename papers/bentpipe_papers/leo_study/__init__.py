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
    about=(
        "The document contains the slides of a course project. Under Reno, flows with different round-trip times "
        "divide a shared link of a constellation unequally. According to the slides, Geo-Reno corrects this, because "
        "its window grows faster if the distance between the ends is larger. The slides also run Hybla, Copa and BBR "
        "on the same simulator, Hypatia. Most results are pictures, of which we have only the titles. The numbers in "
        "the text are two round trips and two fairness ratios. We read a fairness ratio as the smaller goodput "
        "divided by the larger."
    ),
    summary=(
        "Geo-Reno is a variant of Reno whose window grows faster over longer distances. With Geo-Reno, the slower of "
        "two competing flows has {G-11.a ours} of the goodput of the faster flow over 200 s; the authors' slides "
        "print {G-11.a paper}. The two flows share a link only during half of the 200 s, so they compete only then.",
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
        Setting("constellation", "Hypatia's Kuiper shell, 34x34 at 630 km", "the slides name no shell; G-01 compares "
                                                                            "Hypatia's three shells"),
        Setting("links", "10 Mbit/s, 100 packets, routes every 100 ms", (
            "as in Hypatia's experiments with one flow; its experiment with two competing flows has 200 packets, "
            "which a reading uses"
        )),
        Setting("duration", "200 s from the shell's epoch", "the length of Hypatia's own experiments"),
        Setting("pings", (
            "a ping of 84 B every 10 ms beside each of the competing flows"
        ), (
            "the slides' second figure shows pings; the tutorial of basic-sim, on which Hypatia is built, sends one "
            "every 10 ms"
        )),
        Setting(
            "random part of the runs in G-05 to G-14",
            "each flow starts within the first second, at a time drawn for each flow and seed",
            "the orbits determine everything else in these runs",
        ),
        Setting(
            "random part of the runs in G-03, G-16",
            "the flow starts within the first second, at a time drawn for each seed",
            "a reading, and row G-22, use another epoch: later than the shell's by frac(0.618 seed) of a revolution "
            "of 5839 s",
        ),
        Setting("fairness", "smaller goodput divided by the larger, over the whole run",
                "this is the literal reading. We also show the ratio while the paths share a link, and Jain's "
                "index; row G-15 asks which one the slides mean"),
        Setting("α", (
            "1/567 km, so that Geo-Reno is Reno on the shorter path; G-11 has six more readings"
        ), "“Normalizing Constant (based on minimum RTT)”"),
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
            "the slides' formula has no bounds",
        ),
        Setting(
            "Vegas",
            "2 to 4 segments wait in the queue, computed from the smallest RTT of a round",
            "ns-3.31's TcpVegas (not in G-20, G-22)",
        ),
        Setting("a first look (--quick)", (
            "in a first look, rows without a claim have 2 seeds and shorter runs; every claim has all seeds"
        ), "G-07, G-16, G-20 to G-22"),
        Setting("paths of a list", "the 100 largest cities of Hypatia's list", "Hypatia's own choice"),
    ),
    readings=readings.CHOICES,
    precision=(
        "The tolerance is half a unit of the last printed digit: 0.5 ms for round trips, 0.05 percentage points for "
        "percentages, and 0.5/11 for a ratio of round trips that contains 11 ms (G-09). It is 0.1 percentage points "
        "for the fairness that the slides print both as 71.8 and as 71.9 %. For “Throughput is unaffected”, the "
        "slides give no number; our tolerance is 2 %."
    ),
    changed=(
        Change(
            "G-05, G-11, G-12, G-14: Runs without pings are a reading again. We had excluded them, because the "
            "slides show the “RTT of TCP flows and pings”. This title does not say that flows and pings ran "
            "together, and in Hypatia they do not. The slides do not give the interval of the pings, so the curves "
            "also have 1 ms.",
            Moved.AWAY,
        ),
        Change(
            "G-12: Only the main reading decided whether “similar frequency” means a ratio of 1. The claim's curve "
            "now includes the other values of α and the settings of the bed.",
            Moved.AWAY,
        ),
        Change(
            "G-05 to G-14: The start times of the two flows were steps of one sequence, so their difference had only "
            "two values. Now each start time is drawn independently. Before this change, with 10 seeds, the fairness "
            "was 72.0 ± 3.1 % with Reno, and 81.8 ± 3.8 % with Geo-Reno (intervals of 99.2 %).",
            Moved.TOWARDS,
        ),
        Change(
            "G-03, G-16: The main reading drew the epoch by seed. By our order of precedence, the tool's default "
            "comes first, which is the shell's epoch. The main reading now uses this epoch with a random start time; "
            "another reading uses a random epoch. With random epochs, Reno's goodput was 2.22 ± 1.99 Mbit/s higher "
            "than Vegas's, and Copa's utilisation was 20.2 ± 19.7 percentage points higher.",
            Moved.NEITHER,
        ),
        Change(
            "G-12: “Similar frequency” is now also a headline (main claim) that the ratio is 1 within a tenth. "
            "Before, the claim was only that the ratio is nearer to 1 than under Reno.",
            Moved.AWAY,
        ),
        Change(
            "G-05, G-14: If no combination meets a number, and the main reading leaves it undecided, the verdict was "
            "“depends on settings”. Now it is “undecided”.",
            Moved.NEITHER,
        ),
        Change(
            "G-05, G-14: The claims on 71.8 and 71.9 % also stated a direction: below 100 %, the value for equal "
            "shares. The smaller goodput divided by the larger is never above 100 %, so this direction could not "
            "fail. Now the claims state only the number, as the slides do.",
            Moved.AWAY,
        ),
        Change(
            "G-11, G-14: The claim on 85.8 % also stated a direction: above Reno's printed 71.8 %. It used this "
            "value also while the flows share a link, where Reno has only 32 %. Now the claim states only the "
            "number. G-11.b has the direction, and compares with Reno in the same combination.",
            Moved.AWAY,
        ),
        Change(
            "G-04: The claims on the two round trips also used the direction of the “≫” between them, so our 10.4 ms "
            "supported the printed 11 ms. Now these claims state only the numbers, and they are headlines (main "
            "claims).",
            Moved.AWAY,
        ),
        Change("G-13: The row has no claim any more, because the slides show pictures without words.", Moved.AWAY),
        Change(
            "G-03, G-16: The share of the variance that the epoch explains counted single runs as undecided. Now it "
            "leaves single runs out.",
            Moved.NEITHER,
        ),
        Change(
            "G-05, G-14: The claims on Reno's 71.8 and 71.9 % had no value for comparison. Now they "
            "have one: 100 %, which means equal shares.", Moved.TOWARDS
        ),
        Change(
            "G-03, G-16: At the shell's epoch, all three seeds of a combination give the same run. The interval of "
            "these equal runs had no width and counted as certain, so the epoch explained all of the variance (100 "
            "%). Now a single run decides nothing.",
            Moved.NEITHER,
        ),
        Change(
            "G-04: Wuhan's round trip is longer than Toronto's over every constellation. The claim could therefore "
            "not fail, and is now a check. G-06 made the same claim about pings beside the flows. The slides do not "
            "say this, so G-06 has no claim any more.",
            Moved.AWAY,
        ),
        Change((
            "G-07: The row said that its pair of paths ranks first in the search, but it ranks second."
        ), Moved.NEITHER),
        Change(
            "G-04: The claim on “≫” had a number, 9.55, which is the quotient of the two round trips. The slides do "
            "not print this number, and the round trips have their own claims. Now the claim on “≫” states only a "
            "direction.",
            Moved.TOWARDS,
        ),
        Change(
            "G-09: The verdict “contradicts itself” was based on distances that the slides do not print. Now the "
            "verdict is “fails”, because our measurement disagrees with the claim.",
            Moved.NEITHER,
        ),
        Change(
            "G-14: The claims on the fairness of Reno and of Geo-Reno had no curve, although G-05 and G-11 have "
            "curves of the same runs. Now they have curves.",
            Moved.AWAY,
        ),
        Change(
            "G-05, G-11, G-12, G-14: Three new readings are also in the curves: jitter of a packet time, no pings "
            "with Geo-Reno, and ns-3's default receive buffer. Each curve has all combinations of the deciding "
            "choices, and each other option alone. Geo-Reno's gain in fairness (3 seeds, percentage points): 8.9 ± "
            "14.0 in the main reading; -10.0 ± 4.7 without pings; -13.6 ± 20.1 with jitter; 26.1 ± 2.5 with ns-3's "
            "buffer, where its fairness is 86.9 ± 6.4 %.",
            Moved.AWAY,
        ),
        Change((
            "G-01: The slides' statement “Hypatia does not analyse competing flows” is now a claim. Hypatia's files "
            "contain one experiment with competing flows."
        ), Moved.AWAY),
        Change(
            "All rows with packets: They ran on Bentpipe's minimal TCP, although by our order of precedence the TCP "
            "of the slides' tool comes first. Now they run with Hypatia's TCP. With 3 seeds, Reno's fairness was "
            "74.2 ± 7.9 % (minimal TCP: 71.3 ± 4.2 %). Geo-Reno's was 83.1 ± 11.0 % (minimal TCP: 82.8 ± 4.5 %). The "
            "gain was 8.9 ± 14.0 percentage points (minimal TCP: 11.5 ± 8.6).",
            Moved.AWAY,
        ),
        Change(
            "G-03, G-16, G-18, G-21: Vegas had Bentpipe's settings (1 to 3 segments, mean RTT). By our order of "
            "precedence, it now has those of ns-3 (2 to 4 segments, smallest RTT). Reno's goodput was 2.69 ± 1.93 "
            "Mbit/s higher than Vegas's before (10 epochs), and is 3.64 ± 5.42 Mbit/s higher now (3 epochs). Over "
            "all combinations, this choice explains 2 % of the variance, and the epoch 89 %.",
            Moved.NEITHER,
        ),
        Change(
            "G-17: The three claims came from the abstract of Copa's paper (“direction only”). The slides show only "
            "the figure, so the row has no claim any more.",
            Moved.AWAY,
        ),
        Change(
            "G-05, G-11, G-14: Queues of 200 packets are now a reading, because Hypatia's experiment of two "
            "competing flows has them. When we declared this reading, we knew Reno's fairness for one seed: 70.8 % "
            "with 100 packets, and 77.1 % with 200.",
            Moved.NEITHER,
        ),
        Change(
            "All headlines (main claims) with packets now have curves over all combinations of their readings. "
            "Before, they had no curves.",
            Moved.NEITHER,
        ),
        Change(
            "G-03, G-16: The goodputs of delay-based and loss-based controllers were first compared as a relative "
            "change. Copa compared with Vegas gave +76 ± 128 %, which would have been “not reproduced”. Now all of "
            "these claims compare the paired difference. We also removed our own claim that Copa has the goodput of "
            "Reno (-7.3 ± 5.5 %), because the slides do not make it.",
            Moved.TOWARDS,
        ),
        Change(
            "G-20: Without echoes beside the flows, the Reno flow on the long path got 39 ± 18 % beside the Reno "
            "flow on the short path. We then added echoes, and the flow now gets 8 ± 6 %. We suspect phase effects "
            "at the drop-tail queue, but have not proven them.",
            Moved.NEITHER,
        ),
        Change(
            "G-22: We tried two other forms of announcement and dropped them. In the first form, the queueing delay "
            "is the RTT minus the true propagation delay; it changed Vegas's goodput by -0.08 ± 4.26 Mbit/s. In the "
            "second form, the smallest RTT is reset, and Copa has the velocity rule of its paper; it changed Copa's "
            "goodput by -0.61 ± 3.24 Mbit/s. The present form resets Copa's velocity whenever its direction changes, "
            "with and without announcements.",
            Moved.NEITHER,
        ),
        Change(
            "G-05 to G-14: The settings (10 Mbit/s, 100 packets, 200 s, Hypatia's Kuiper shell at its epoch, pings) "
            "were fixed when we knew the result of one seed: Reno's fairness was 71.6 % over the whole run, and the "
            "slides print 71.8 %. The agreement of Reno's number is therefore not independent evidence.",
            Moved.TOWARDS,
        ),
        Change(
            "G-05, G-11: Two claims used the same printed number: one for the whole run, one for the time in which "
            "the flows share a link. One number cannot be both. While the flows share a link, the ratio with 10 "
            "seeds was 32.2 ± 2.4 % for Reno (slides: 71.8 %) and 48.7 ± 3.9 % for Geo-Reno (slides: 85.8 %). Now "
            "the claims are about the whole run. G-11 also claims “fairer than Reno” (16.5 ± 4.6 percentage points "
            "while the flows share a link).",
            Moved.TOWARDS,
        ),
        Change(
            "G-13: As in G-05 and G-11, the claim is now about the whole run. While the flows share a link, the "
            "result was +7.3 ± 10.5 percentage points with 5 seeds, and was not reproduced.",
            Moved.TOWARDS,
        ),
        Change(
            "G-08: Our own claim that Hybla is less fair than Geo-Reno was removed, because the slides do not say "
            "so. We had concluded it from the order of the slides. It was not reproduced: with 10 seeds, Hybla was "
            "fairer by 15.0 ± 3.0 percentage points.",
            Moved.TOWARDS,
        ),
        Change(
            "G-12: “Similar frequency” was also a claim that the ratio is 1 within a twentieth. This tolerance was "
            "ours, and it decided the verdict (1.09 ± 0.05 with 10 seeds), so we removed this claim. The claim that "
            "compares with Reno is kept.",
            Moved.TOWARDS,
        ),
        Change(
            "G-10: The table now shows the model's α d beside the controller's gain. The claim is unchanged. G-21: "
            "We added steps of capacity to the moving path. The steps of a real orbit changed nothing, so we also "
            "added larger steps than any orbit has.",
            Moved.NEITHER,
        ),
        Change(
            "G-11, G-14: The claim on 85.8 % stated only this number, and was not reproduced. After a review, it "
            "also stated a direction, and any ratio below 100 % supported it. Now only a ratio above Reno's printed "
            "71.8 % supports the direction.",
            Moved.TOWARDS,
        ),
        Change(
            "G-11, G-14: A review searched for a value of α that gives the printed number. Since then, seven more "
            "readings are measured: six have another α, and one has another TCP. We declared none of them before the "
            "first runs.",
            Moved.TOWARDS,
        ),
        Change(
            "G-05, G-11, G-14: The tolerance of percentages was 2 percentage points, which was our choice. Now it is "
            "the rounding of the slides' numbers.",
            Moved.NEITHER,
        ),
        Change(
            "G-04: The tolerance of the round trips was 5 %, which was our choice. Our 10.4 ms failed with this "
            "tolerance (slides: 11 ms), and it also fails with the tolerance from rounding. The verdict “not "
            "reproduced” became “direction only”, because the two numbers got the direction of the “≫” between them.",
            Moved.TOWARDS,
        ),
        Change((
            "G-10: The formula is a definition and not a claim. Its “reproduced” came from a check on our own "
            "controller."
        ), Moved.AWAY),
        Change(
            "G-16: Copa's “high utilization” is now printed in percentage points of utilisation. The result in "
            "Mbit/s was the same. G-22: We added LeoCC with and without announcements.",
            Moved.NEITHER,
        ),
    ),
    rows=in_order(__name__),
)  # fmt: skip
