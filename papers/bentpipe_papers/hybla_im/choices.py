# SPDX-License-Identifier: MIT OR Apache-2.0
"""The paper's open choices, each with the main option first, and the changes after a first look."""

from __future__ import annotations

from bentpipe.study import Change, Choice, Moved, Option
from bentpipe_papers.hybla_im.readings import READINGS


def options_of(main: str, why: str, *words: str) -> tuple[Option, ...]:
    """Return the main option and the options of `READINGS` that have these words."""
    known = {reading.words: reading.why for reading in READINGS}
    return (Option(main, why), *(Option(one, known[one]) for one in words))


CHOICES = (
    Choice(
        name="length of a run",
        by="our choice: the paper gives none, ns-2 has no default",
        options=(
            Option("200 s", "long enough for a steady state"),
            Option("60 s", "our runs of ns-2 itself have this length"),
            Option(
                "70 s",
                "a review found this length when it searched for the paper's three gains with ns-2's Newreno",
                searched=True,
            ),
        ),
        known="Hybla-IM's gains with ns-2's Newreno at the three error rates. Runs of 60 s: 6, 8 and 12 % (3 seeds). "
        "Runs of 200 s: 58, 60 and 68 %. In a review with 8 seeds, runs of 60 s: 10, 11 and 13 %; runs of 70 s: "
        "14, 18 and 17 %",
    ),
    Choice(
        name="horizon of the first growth",
        by="our choice: the paper gives no duration for “rapid growth”",
        options=(
            Option("10 s", "18 round trips"),
            Option("5 s", "9 round trips: only slow start"),
            Option("15 s", "27 round trips"),
            Option("30 s", "55 round trips"),
            Option("60 s", "the whole run"),
        ),
        known="a review compared the goodput of the printed equation with Reno's. The difference was +310 % in 5 s, "
        "+13 % in 10 s, -7 % in 15 s, -19 % in 30 s and -20 % in 60 s. With packet spacing, it was +27 % in 10 s "
        "and -7.5 % in 60 s",
    ),
    Choice(
        name="where errors happen",
        by="the paper's text, which does not say on which links",
        options=options_of(
            "every link between satellites, both directions",
            "“high error rate of the satellite network links”; this could also include up- and downlinks",
            "errors on up- and downlinks too",
            "errors once, at the receiving ground station",
            "errors once, on the uplink",
        ),
        known="we knew that this has hardly any effect, because the uplink is full wherever the errors are",
    ),
    Choice(
        name="buffers",
        by="the default of ns-2",
        options=options_of("50 packets", "ns-2's default", "buffers of 100 packets"),
        known="we knew that this has hardly any effect on throughput",
    ),
    Choice(
        name="TCP",
        by="the default of ns-2: among its agents, only TCP-Linux has a Hybla",
        options=(
            *options_of(
                "TCP-Linux without the bound of window_, because Hybla's module removes it",
                "the TCP that ns-2.34 contains",
                "a window_ of 20 limits both controllers",
                "ns-2's Newreno below",
                "ns-2's Newreno below, window_ of 20",
            ),
            Option("the minimal TCP, SACK", "it has only the controller's rules; it is a part of Bentpipe's bed"),
        ),
        known="Hybla-IM's gain was 4.5 to 5.0 % with the minimal TCP and NewReno recovery, and at most 0.1 % with SACK "
        "or TCP-Linux. With ns-2's Newreno, first looks (3 seeds) at the three error rates gave 6, 8 and 12 % in "
        "60 s, and 58, 60 and 68 % in 200 s. We added the window_ of 20 after these looks, and before any run "
        "with it",
    ),
    Choice(
        name="first threshold",
        by="ργ is the paper's text (equation 4); γ is ns-2's default, because TCP-Linux uses window_ as γ",
        options=options_of("ρ · 20 packets", "window_ is 20", "no first threshold", "Hoe's first threshold"),
        known=(
            "we knew that the threshold has no effect over T1. In the real ns-2, a window_ of 10,000 with errors once "
            "per path makes the throughput collapse"
        ),
    ),
    Choice(
        name="packet spacing",
        by="the default of ns-2, which has no packet spacing; the paper does not mention it",
        options=options_of("none", "both send in bursts", "packet spacing"),
        known="over 550 ms, the printed equation's difference from Reno was -5.9 % without packet spacing, and +64 % "
        "with it (H-11). Over T2 at the three error rates, its difference from Hybla was +4.5, -14 and -39 % "
        "without packet spacing, and +4.1, +6.6 and +2.6 % with it. Over T1, packet spacing changes only the "
        "losses",
    ),
    Choice(
        name="weight a of the detector",
        by="the paper's text: T'_QD stands for the network “in a state of congestion and non-congestion”",
        options=(
            Option("1/128", "long enough for both states"),
            Option("1/32", "the paper gives no a"),
            Option("1/8", "the weight of TCP's smoothed RTT"),
        ),
    ),
)

CHANGES = (
    Change(
        "H-11, H-15, H-18 to H-21, H-24: A reading computed equation 10 over a round trip, alone and in Bentpipe's "
        "bed. In equation 8, “t_{k-1} is the arrival time of the previous ACK”, so the paper computes the share of "
        "the bandwidth for each ACK. The reading was removed; its results stay in the tables.",
        Moved.NEITHER,
    ),
    Change(
        "H-15, H-18 to H-21, H-24: A reading computed ρ from the smallest RTT. Section 3.1 says: “the more "
        "congestion the network has, the larger the RTT is, and the larger the growth of the Hybla congestion "
        "window”. With the smallest RTT, a queue would not raise ρ. The reading was removed; its results stay in the "
        "tables.",
        Moved.AWAY,
    ),
    Change(
        "H-18 to H-21, H-24: One reading compared ns-2's own Hybla module with a Hybla-IM that has another ρ and "
        "another threshold. Equation 10 makes Hybla-IM from the same Hybla, so the reading was removed. 26 of the 29 "
        "combinations against H-19.a came from this pair.",
        Moved.TOWARDS,
    ),
    Change(
        "H-15: The reading with ns-2's own Hybla module changed only Hybla. This claim does not run Hybla, so its "
        "combinations had counted twice.",
        Moved.TOWARDS,
    ),
    Change(
        "H-11: Half of the combinations had a lower bound of 1 for ρ_new (“never slower than Reno”). Equation 10 has "
        "no such bound.",
        Moved.AWAY,
    ),
    Change(
        "H-21: The falls by 32 and 24 % were compared only with our numbers. They also contradict the printed gains "
        "of 13 and 17 %. This is one contradiction, and it concerns four claims (H-21.a to H-21.c, H-22.b). The row "
        "now says that we read each gain as a gain over Hybla at the same error rate. If the gains were shares of "
        "Hybla's throughput at 1e-4, the numbers would agree within 2 points.",
        Moved.AWAY,
    ),
    Change(
        "H-24: The claim was about the share of judged link errors after which Hybla-IM reduced its window (11.8 ± "
        "17.2 and 30.8 ± 22.4 %, lower than 100). The paper's sentence counts calls of congestion control. The claim "
        "now compares the number of calls caused by link errors with Hybla's number, in all readings of H-18 to H-21.",
        Moved.AWAY,
    ),
    Change(
        "H-07: The smallest round trip over one satellite follows from the height of the orbit alone. Three claims "
        "could therefore not fail, and are now checks.",
        Moved.AWAY,
    ),
    Change(
        "H-19: We had read “significantly” at 1e-3 and 1e-2 as any difference. Now we read it as more than a tenth.",
        Moved.AWAY,
    ),
    Change(
        "H-18 to H-21: With 10 seeds, most claims were undecided in the main reading. It now has 20 seeds; the other "
        "readings have 10, as before.",
        Moved.NEITHER,
    ),
    Change(
        "H-24: The row was a check, because “any detector passes that is not constant”. Some combinations are "
        "against the statement, so it can fail. It is now a claim.",
        Moved.TOWARDS,
    ),
    Change(
        "H-18 to H-21: With ns-2's Newreno, the gains depend on the length of a run. The lengths of 60 s and 70 s "
        "were not readings, because a search had found them. In other studies, a number found by a search is a "
        "reading. Now 60 s and 70 s are readings, and are marked as found by a search.",
        Moved.TOWARDS,
    ),
    Change(
        "H-11: The 10 s of “rapid growth” are our choice. Now 5, 15, 30 and 60 s are readings, and the specification "
        "curve contains them.",
        Moved.AWAY,
    ),
    Change(
        "All rows: The main reading did not follow our order of precedence. It used Bentpipe's bed, which is now "
        "another reading. The main reading now has equation 10 as printed, ργ with ns-2's γ of 20, no packet "
        "spacing, and TCP-Linux with packets of 1050 B. Hybla-IM's gain over T2 and its goodput at the start over "
        "GEO are lower, and the number of H-19 falls from +13 to about +4 %.",
        Moved.AWAY,
    ),
    Change(
        "H-18 to H-21: New readings have ns-2's Newreno (with and without a window_ of 20), a window bound of 20, no "
        "first threshold, or Hoe's. Two readings with Linux's modules and pacing are now one. In a first look, "
        "Hybla-IM's gain with Newreno was 6 to 12 %.",
        Moved.TOWARDS,
    ),
    Change(
        "H-14, and the fluctuation of H-18: The largest ratio dominated the mean of the changes in percent (+623 ± "
        "761 and +62.7 ± 66.5 %). Now the mean is taken over the logarithms of the ratios.",
        Moved.TOWARDS,
    ),
    Change(
        "H-15, H-24: Readings with ns-2's Newreno, and readings in Bentpipe's bed, were added when the main reading "
        "changed.",
        Moved.UNSAID,
    ),
    Change(
        "All rows: A row now runs only its own error rates, and a table without a claim has at most 10 seeds.",
        Moved.NEITHER,
    ),
    Change(
        "H-01: The growth in avoidance is now measured over the longest interval without losses. Before, samples "
        "every 1 s gave a growth of 1.09 at 550 ms.",
        Moved.TOWARDS,
    ),
    Change(
        "H-05: The claim at 20 s was added when the claim at 5 s gave a difference of 32 %. Neither claim holds.",
        Moved.NEITHER,
    ),
    Change(
        "H-07: The lowest elevation was 10° for LEO and MEO, but 0° for GEO. With 0°, the round trip over GEO is at "
        "most 556 ms, and the claim held. Now the lowest elevation is 10° for all.",
        Moved.AWAY,
    ),
    Change(
        "H-07: The bounds had no tolerance, so GEO's 541 ms violated the “typical” 550 ms. Now the tolerance is 25 "
        "ms, half of the step between the values of Table 1.",
        Moved.TOWARDS,
    ),
    Change(
        "H-10: One claim said that Hybla's queueing delay is longer than Reno's. We removed it when a first look "
        "gave +33 ± 43 %, and then added it again. With 10 seeds, the result was +30.8 ± 23.4 %. The claim is now "
        "removed, because the paper does not make it. The table shows the delays.",
        Moved.NEITHER,
    ),
    Change(
        "H-11: The claim had to hold for equation 10 as printed and also for our reading of it. Equation 10 ran "
        "without packet spacing, but the compared Hybla with it (the result was -5.9 % against Reno). The forms with "
        "and without packet spacing then became readings of one claim. The main reading has no packet spacing, "
        "neither for Hybla-IM nor for Hybla.",
        Moved.TOWARDS,
    ),
    "H-14: The true queueing delay is now aligned in time with the estimate. The compared minima have the same "
    "memory (the minimum of T_NPD starts again at each step of T_PD). Runs now take 300 s instead of 60 and 120 s.",
    Change(
        "H-15: T2 is not the paper's network, so three results over T2 are not claims any more; the row only shows "
        "them. All three had held (largest value 0.62 ± 0.03). The weight a, the form of equation 10 and packet "
        "spacing became choices of the other claims.",
        Moved.AWAY,
    ),
    Change(
        "H-18 to H-21: Other readings now count in the verdicts of the claims. Before, only a table showed them. We "
        "knew then that NewReno gives a gain of 4.9 % at 1e-4.",
        Moved.TOWARDS,
    ),
    Change(
        "H-23: The claim also stated a direction, and was “direction only” with -91.7 ± 18.7 %. After this change, "
        "only the number counts.",
        Moved.AWAY,
    ),
    Change(
        "H-23: The row has no claim any more. It was our question whether the rates are bit error rates; the paper's "
        "own figures show that they are not.",
        Moved.TOWARDS,
    ),
    "H-24, H-25: The claim was about all reductions of the window per 1000 link errors. Over T1, nearly all of these "
    "reductions respond to drops in the queue. Results with 10 seeds over T1: -4.6 ± 4.2 % (PER 1e-3) and +3.6 ± 5.5 "
    "% (PER 1e-2). Over T2: -55.7 ± 3.5 % and -49.6 ± 5.5 %. The claim is now about the share of judged link errors "
    "that led to a reduction.",
    Change(
        "H-25: The row applied twelve claims of the paper to T2, a network that the paper does not have. Four of "
        "them did not hold. They are not claims any more.",
        Moved.TOWARDS,
    ),
)
