# SPDX-License-Identifier: MIT OR Apache-2.0
"""Do flows of different round-trip time share a LEO constellation fairly?

Reproduces the slides "Congestion Control on LEO Satellite Networks using Hypatia" (Muppalaneni, Gupta and Vaddiraju,
CS538): a file for each subject, a row for each claim, figure and question.
"""

from __future__ import annotations

from bentpipe.papers._paper import Paper, Setting
from bentpipe.papers.leo_study import (
    copa,
    matrix,
    metric,
    motion,
    network,
    rates,
    response,
    single,
    told,
    words,
    worst,
)

PAPER = Paper(
    name="leo-study",
    title="Congestion Control on LEO Satellite Networks using Hypatia",
    about="Slides of a course project. Flows that share a link of a constellation and differ in round-trip time "
    "divide it unequally under Reno; Geo-Reno lets the window grow by the distance between the ends and is said to "
    "mend it. Hybla, Copa and BBR are run on the same simulator, Hypatia. Most results are pictures without axes in "
    "the text; printed are two round trips and two fairness ratios.",
    given=(
        Setting("simulator", "Hypatia, packets by ns-3", "Hypatia"),
        Setting("competing flows", "Wuhan and Toronto to Washington; Wuhan and Tehran to "
        "Madrid", "Experimental Results"),
        Setting("single flow", "Rio de Janeiro to St. Petersburg", "Copa for LEO satellite networks"),
        Setting("round trips", "105 ms (Wuhan-Washington), 11 ms (Toronto-Washington)", "Metrics"),
        Setting("Geo-Reno", "CWND += α d(src, dst)/CWND per ACK in congestion avoidance", "Solution"),
        Setting("fairness", "ratio of bandwidth utilized by both flows", "Metrics"),
    ),
    chosen=(
        Setting("constellation", "Hypatia's Kuiper shell, 34x34 at 630 km", "the slides name none; G-01 compares "
        "its three"),
        Setting("links", "10 Mbit/s, 100 packets, routes every 100 ms", "Hypatia's defaults"),
        Setting("duration", "200 s from the shell's epoch", "the length of Hypatia's own experiments"),
        Setting("pings", "84 B every 10 ms beside each of the competing "
        "flows", "Hypatia's; the slides' second figure shows them"),
        Setting(
            "chance in G-05 to G-14",
            "each flow starts within the first second: frac(0.618 seed + 0.755 flow) s",
            "everything else there is determined by the orbits",
        ),
        Setting(
            "chance in G-03, G-16, G-22",
            "a run begins frac(0.618 seed) of a revolution (5839 s) after the epoch",
            "one sky would be one sample",
        ),
        Setting("fairness", "smaller over larger goodput, over the whole run and while the paths share a link",
                "the literal reading; Jain's index stands beside it, G-15 asks which was meant"),
        Setting("α", "1/567 km (the shorter path is Reno); two more readings in "
        "G-11", "«normalizing constant (based on minimum RTT)»"),
        Setting("TCP", "SACK recovery, an ACK for every segment, 1448 B of payload", "the house's defaults"),
        Setting("paths of a list", "the 100 largest cities of Hypatia's list", "Hypatia's own choice"),
    ),
    rows=(
        network.CONSTELLATIONS,
        network.FEATURES,
        single.LOSS_OR_DELAY,
        network.PATHS,
        rates.RENO,
        rates.ROUND_TRIPS,
        worst.WORST_CASE,
        rates.HYBLA,
        network.PROPORTION,
        response.GAIN,
        rates.GEO,
        response.CUTS,
        rates.MADRID_ROW,
        rates.METRICS,
        metric.METRIC,
        single.BEST_OF_BOTH,
        copa.DYNAMIC,
        single.COPA,
        single.BBR,
        matrix.COMPETE,
        motion.DOPPLER,
        told.FORETOLD,
        words.CONCLUSION,
    ),
)  # fmt: skip
