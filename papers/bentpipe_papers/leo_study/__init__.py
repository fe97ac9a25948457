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
        "print {G-11.a paper}. The two flows compete only during 97 of the 200 s; outside this time, their paths have "
        "no common link.",
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
        Setting("links", "10 Mbit/s, 100 packets, routes every 100 ms", "as in Hypatia's experiments of one flow; its "
                                                                        "experiment of two competing flows has 200 "
                                                                        "packets, which is a reading"),
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
            "another epoch (frac(0.618 seed) of a revolution of 5839 s after the shell's) is a reading, and is used "
            "in G-22",
        ),
        Setting("fairness", "smaller goodput divided by the larger, over the whole run",
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
        Setting(
            "Vegas",
            "2 to 4 segments wait, by the smallest RTT of a round",
            "ns-3.31's TcpVegas (not in G-20, G-22)",
        ),
        Setting("a first look (--quick)", "rows without a claim have 2 seeds and shorter runs; every claim has all "
                                          "seeds", "G-07, G-16, G-20 to G-22"),
        Setting("paths of a list", "the 100 largest cities of Hypatia's list", "Hypatia's own choice"),
    ),
    readings=readings.CHOICES,
    precision="The tolerance is half a unit of the last printed digit: 0.5 ms for round trips, 0.05 points for "
              "percentages, and 0.5/11 for a ratio of round trips of 11 ms (G-09). It is 0.1 points for the number "
              "that is printed as 71.8 and as 71.9 %. “Throughput is unaffected” has no number; our tolerance is 2 %.",
    changed=(
        Change(
            "G-05, G-11, G-12, G-14: Runs without pings are a reading again. They had been excluded, because the "
            "slides show the “RTT of TCP flows and pings”. But this title does not say that both ran together, and "
            "in Hypatia they do not. The interval of the pings is open, so the curves also have 1 ms.",
            Moved.AWAY,
        ),
        Change(
            "G-12: “Similar frequency” as a ratio of 1 was judged only by the main reading. Its curve has the other "
            "values of α and the settings of the bed now.",
            Moved.AWAY,
        ),
        Change(
            "G-05 to G-14: The start times of the two flows were steps of one sequence, so their difference had only "
            "two values. Now each start time is drawn independently. With 10 seeds, Reno had 72.0 ± 3.1 %, and "
            "Geo-Reno 81.8 ± 3.8 (99.2 %).",
            Moved.TOWARDS,
        ),
        Change(
            "G-03, G-16: The main reading drew the epoch by seed. By our order of precedence, the tool's default "
            "comes first, which is the shell's epoch. The main reading is now this epoch with a random start time, "
            "and a random epoch is a reading. With random epochs, Reno had 2.22 ± 1.99 Mbit/s more than Vegas, and "
            "Copa used 20.2 ± 19.7 points more.",
            Moved.NEITHER,
        ),
        Change(
            "G-12: “Similar frequency” is now also a headline as a ratio of 1 within a tenth. Before, it was only "
            "“nearer to 1 than under Reno”.",
            Moved.AWAY,
        ),
        Change(
            "G-05, G-14: A number that no combination meets, and that the main reading leaves undecided, depended on "
            "settings. Now its verdict is “undecided”.",
            Moved.NEITHER,
        ),
        Change(
            "G-05, G-14: The value without an effect was 100 % for the 71.8 and 71.9 %. The smaller goodput divided "
            "by the larger is never above 100 %, so the side could not fail. Now the number has no side, because the "
            "slides print a number without a side.",
            Moved.AWAY,
        ),
        Change(
            "G-11, G-14: The value without an effect was Reno's printed 71.8 % for the 85.8 %, also while the flows "
            "share a link, where Reno has 32 %. Now the number has no side. The side is G-11.b, which compares with "
            "Reno in the same combination.",
            Moved.AWAY,
        ),
        Change(
            "G-04: The two round trips had the side of the “≫” between them, so 10.4 ms held for a printed 11 ms. "
            "Now they are numbers without a side, and headlines.",
            Moved.AWAY,
        ),
        Change("G-13: The row has no claim any more, because the slides show pictures without words.", Moved.AWAY),
        Change(
            "G-03, G-16: In the share of the variance that the epoch explains, single runs counted as undecided. Now "
            "they are left out.",
            Moved.NEITHER,
        ),
        Change(
            "G-05, G-14: Reno's 71.8 and 71.9 % had no value without an effect. Now this value is 100 %, equal "
            "shares.", Moved.TOWARDS
        ),
        Change(
            "G-03, G-16: At the shell's epoch, all three seeds of a combination give the same run. Its interval had "
            "no width and counted as certain, so the epoch decided everything (100 %). Now a single run decides "
            "nothing.",
            Moved.NEITHER,
        ),
        Change(
            "G-04: Wuhan's round trip is longer than Toronto's over any constellation, so this is a check now. G-06 "
            "claimed the same of pings beside the flows. The slides do not say this, so G-06 has no claim any more.",
            Moved.AWAY,
        ),
        Change("G-07: The row called its pair the first of the search, but the pair is at place 2.", Moved.NEITHER),
        Change(
            "G-04: The “≫” had a number, 9.55, which is the quotient of the two round trips. The slides do not print "
            "it, and the round trips have their own claims. Now the “≫” is a side.",
            Moved.TOWARDS,
        ),
        Change(
            "G-09: “Contradicts itself” was based on distances that the slides do not print. Now the claim fails by "
            "our measurement.",
            Moved.NEITHER,
        ),
        Change(
            "G-14: The fairness of Reno and of Geo-Reno had no curve, although G-05 and G-11 have curves of the same "
            "runs. Now it has one.",
            Moved.AWAY,
        ),
        Change(
            "G-05, G-11, G-12, G-14: New readings, which are also in the curves, are jitter of a packet time, no "
            "pings with Geo-Reno, and ns-3's default receive buffer. Each curve has all combinations of the deciding "
            "choices, and each other option alone. With 3 seeds, Geo-Reno's gain is 8.9 ± 14.0 points, -10.0 ± 4.7 "
            "without pings, -13.6 ± 20.1 with jitter, and 26.1 ± 2.5 with ns-3's buffer (86.9 ± 6.4 %).",
            Moved.AWAY,
        ),
        Change("G-01: “Hypatia does not analyse competing flows” has a claim now. Hypatia's files contain one "
               "experiment with competing flows.", Moved.AWAY),
        Change(
            "All rows with packets: They ran on Bentpipe's minimal TCP, although by our order of precedence the TCP "
            "of the slides' tool comes first. Now they run with Hypatia's TCP. With 3 seeds, Reno had 74.2 ± 7.9 % "
            "(minimal TCP: 71.3 ± 4.2), Geo-Reno had 83.1 ± 11.0 (82.8 ± 4.5), and the gain was 8.9 ± 14.0 points "
            "(11.5 ± 8.6).",
            Moved.AWAY,
        ),
        Change(
            "G-03, G-16, G-18, G-21: Vegas was Bentpipe's (1 to 3 segments, mean RTT). By the same order, it is "
            "ns-3's now (2 to 4 segments, smallest RTT). Reno had 2.69 ± 1.93 Mbit/s more before (10 epochs), and "
            "has 3.64 ± 5.42 more now (3 epochs). Over all combinations, this choice explains 2 % of the variance, "
            "and the epoch 89 %.",
            Moved.NEITHER,
        ),
        Change(
            "G-17: The three claims came from the abstract of Copa's paper (“direction only”). The slides show only "
            "the figure, so the row has no claim any more.",
            Moved.AWAY,
        ),
        Change(
            "G-05, G-11, G-14: Queues of 200 packets are a reading, because Hypatia's experiment of two competing "
            "flows has them. When we declared this reading, one seed of Reno was known: 70.8 % with 100 packets, and "
            "77.1 % with 200.",
            Moved.NEITHER,
        ),
        Change(
            "All headlines with packets have curves over all combinations of their readings. Before, there were none.",
            Moved.NEITHER,
        ),
        Change(
            "G-03, G-16: The goodputs of delay-based and loss-based controllers were first compared as a relative "
            "change. Copa against Vegas gave +76 ± 128 %, which would not have been reproduced. Now the paired "
            "difference is compared, for all of these claims. Our own claim that Copa has the goodput of Reno was "
            "dropped at -7.3 ± 5.5 %, because the slides do not make it.",
            Moved.TOWARDS,
        ),
        Change(
            "G-20: Without echoes beside the flows, the long path's Reno flow got 39 ± 18 % against the short "
            "path's. With echoes, which were added then, it gets 8 ± 6 %. We suspect phase effects at the drop-tail "
            "queue, but have not proven them.",
            Moved.NEITHER,
        ),
        Change(
            "G-22: Two forms of announcement were tried and dropped. In the first, the queueing delay is the RTT "
            "minus the true propagation delay (Vegas gained -0.08 ± 4.26 Mbit/s). In the second, the smallest RTT is "
            "reset, with the velocity of Copa's paper (Copa gained -0.61 ± 3.24 Mbit/s). The present form resets "
            "Copa's velocity whenever its direction changes, with and without announcements.",
            Moved.NEITHER,
        ),
        Change(
            "G-05 to G-14: The settings (10 Mbit/s, 100 packets, 200 s, Hypatia's Kuiper shell at its epoch, pings) "
            "were fixed when one seed was known: Reno had 71.6 % over the whole run, and the slides print 71.8 %. "
            "The agreement of Reno is therefore not independent evidence.",
            Moved.TOWARDS,
        ),
        Change(
            "G-05, G-11: The ratio while the flows share a link was claimed in addition to that of the whole run, "
            "although one printed number cannot be both. With 10 seeds, it was 32.2 ± 2.4 % (slides: 71.8) and 48.7 "
            "± 3.9 % (slides: 85.8). Now the whole run is claimed, and in G-11 also “fairer than Reno” (16.5 ± 4.6 "
            "points while the flows share a link).",
            Moved.TOWARDS,
        ),
        Change(
            "G-13: The same change. While the flows share a link, the result was +7.3 ± 10.5 points with 5 seeds, "
            "and was not reproduced.",
            Moved.TOWARDS,
        ),
        Change(
            "G-08: Our own claim that Hybla is less fair than Geo-Reno was dropped, because the slides do not say "
            "so. We had concluded it from the order of the slides. It was not reproduced (15.0 ± 3.0 points to the "
            "other side with 10 seeds).",
            Moved.TOWARDS,
        ),
        Change(
            "G-12: “Similar frequency” was also claimed as a ratio of 1 within a twentieth, a tolerance of ours that "
            "decided the row (1.09 ± 0.05 with 10 seeds). This claim was dropped. The claim that compares with Reno "
            "is kept.",
            Moved.TOWARDS,
        ),
        Change(
            "G-10: The model's α d was added beside the controller's gain. The claim is unchanged. G-21: Steps of "
            "capacity were added to the moving path. The real steps changed nothing, so a swing that no orbit makes "
            "was added too.",
            Moved.NEITHER,
        ),
        Change(
            "G-11, G-14: 85.8 % was a number without a side, and was not reproduced. After a review, any ratio below "
            "100 % was on its side. Now its side is a gain of Geo-Reno over the printed 71.8 %.",
            Moved.TOWARDS,
        ),
        Change(
            "G-11, G-14: A review had searched for the printed number among values of α. After it, seven readings "
            "are measured beside the main reading: six of α, and one of whose TCP it is. None was declared before "
            "the first runs.",
            Moved.TOWARDS,
        ),
        Change(
            "G-05, G-11, G-14: The tolerance of percentages was 2 points, our choice. Now it is the slides' own "
            "rounding.",
            Moved.NEITHER,
        ),
        Change(
            "G-04: The tolerance of the round trips was 5 %, our choice, and 10.4 for 11 ms failed by it. By "
            "rounding, it fails too. “Not reproduced” became “direction only”, because the two numbers got the side "
            "of the “≫” between them.",
            Moved.TOWARDS,
        ),
        Change("G-10: The formula is a definition and not a claim. It had been reproduced by a check on our own "
               "controller.", Moved.AWAY),
        Change(
            "G-16: Copa's “high utilization” is printed as points of utilisation. The result in Mbit/s was the same. "
            "G-22: LeoCC with and without announcements was added.",
            Moved.NEITHER,
        ),
    ),
    rows=in_order(__name__),
)  # fmt: skip
