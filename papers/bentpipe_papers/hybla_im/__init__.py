# SPDX-License-Identifier: MIT OR Apache-2.0
"""Does Hybla-IM carry more data than Hybla over satellites? Formulas, tables, figures and claims, measured again."""

from __future__ import annotations

from bentpipe.study import Change, Moved, Setting, Study
from bentpipe_papers.hybla_im.choices import CHANGES, CHOICES
from bentpipe_papers.hybla_im.limits import without_receiver_limits
from bentpipe_papers.order import in_order

GIVEN = (
    Setting("reference round trip RTT0", "25 ms", "section 2, after equation 4, and section 3.1"),
    Setting("round trips", "LEO 50 ms, MEO 250 ms, GEO 550 ms", "Table 1"),
    Setting("constellation", "Iridium: 780 km, 6 planes of 11, 86.4°, 31.6° apart, slit 22°", "Table 2"),
    Setting("minimum elevation; latitude threshold of links between planes", "8.2°; 60°", "Table 2"),
    Setting("inter-satellite links", "4 of each satellite, 25 Mbit/s", "Table 2"),
    Setting("up- and downlink", "1.5 Mbit/s", "Table 2"),
    Setting("ground stations", "Berkeley (37.9, -122.3), Boston (42.3, -71.1)", "section 4"),
    Setting("traffic", "30 flows from Berkeley to Boston, access links of 10 Mbit/s", "section 4"),
    Setting("“BER”", "1e-4, 1e-3, 1e-2", "section 4, figures 4 to 7"),
    Setting("simulator", "ns-2.34, topology from STK 8.1.1", "section 4"),
)
CHOSEN = (
    Setting(
        "packet",
        "1000 B payload, 50 B headers",
        "the payload is ns-2's default packetSize_; the headers are those of ns-2's TCP-Linux",
    ),
    Setting("buffers", "50 packets on every link", "ns-2's default; a reading has 100 packets"),
    Setting(
        "duration",
        "200 s (T1) or 100 s (T2), and a third of it in a first look; measurements start without a warm-up",
        "the paper also discusses the start of the flows",
    ),
    Setting(
        "TCP",
        "ns-2's TCP-Linux (preset `ns2-linux`): initial window 2, an ACK per segment, SACK, minimum RTO 200 ms",
        "among ns-2's agents, only TCP-Linux has a Hybla. Its module removes the bound that ns-2's `window_` sets on "
        "the window; a reading keeps this bound (20 packets)",
    ),
    Setting(
        "rows on formulas (H-01, H-03, H-04, H-06, H-08, and the runs of H-05 without losses)",
        "the minimal TCP, γ = 32",
        "it has no other rules that could hide the equation; the paper gives no γ",
    ),
    Setting(
        "meaning of “BER”",
        "packet error rate",
        "the text also says “link error rate”, and ns-2's error model counts packets; with bit error rates, more than "
        "half of the packets would be lost at 1e-4, and all at 1e-3 (H-23)",
    ),
    Setting(
        "where errors happen",
        "every inter-satellite link, in both directions (also for ACKs); up- and downlinks have no errors",
        "“high error rate of the satellite network links” does not say which links. A path over two inter-satellite "
        "links has about twice the loss rate. Other readings have errors also on up- and downlinks, or once per path",
    ),
    Setting("throughput", "new payload that reaches the receivers per second, for all flows together", "not defined"),
    Setting("starts", "one flow starts every 30 ms; the delay of access links is 1 ms", "not given"),
    Setting(
        "seeds",
        "each seed begins at another moment of the satellites' revolution (6027 s); all compared controllers begin "
        "at the same moment",
        "the confidence intervals then include the effect of the satellites' positions and of the random losses",
    ),
    Setting(
        "seeds of rows on a dumbbell",
        "in H-09 and H-11, the round trip varies by up to 5 % (golden section); in H-02 and H-05, only losses vary",
        "a dumbbell has no satellites, so something else must differ between seeds; H-02 and H-05 compare the "
        "printed round trips",
    ),
    Setting(
        "routes", "computed every 10 s; packets that wait for a link that disappears are forwarded", "ns-2's default"
    ),
    Setting(
        "hybla",
        "equation 6, ρ from the smoothed RTT, no packet spacing",
        "by section 3.1, congestion raises the RTT and therefore the growth. ns-2's module computes ρ from the "
        "smallest RTT; tables also show this variant",
    ),
    Setting(
        "hybla-im",
        "equation 10 as printed (`hybla-im-literal`), no packet spacing, a = 1/128",
        "this is the paper's text, and ns-2 has no pacing. Other readings have packet spacing, or another a (H-15). "
        "Tables also show the share over a round trip and Bentpipe's `hybla-im`. Both compared controllers always "
        "have the same packet spacing",
    ),
    Setting(
        "hybla-im, ours",
        "min(D) is the minimum over the whole run",
        "the paper says the smallest value that is “currently measured”. Before, a minimum was valid for 10 s, and "
        "2^ρ_new was limited to 2^16, but Hybla's 2^ρ was not. Over GEO, neither rule changed a number",
    ),
    Setting(
        "first threshold",
        "ρ · 20 packets for both",
        "ργ is in the text (equation 4), and ns-2's first threshold is window_ = 20. Other readings have no first "
        "threshold, or Hoe's",
    ),
    Setting(
        "seeds",
        "20 in the main reading of H-18 to H-21",
        "with 10 seeds, most claims were undecided in the main reading; other readings have 10",
    ),
)

STUDY = Study(
    name="hybla-im",
    title="An Improved Hybla Algorithm in Satellite Networks",
    short="Hybla-IM over Iridium",
    about="Yang, Li and Wei reduce Hybla's growth as the bandwidth fills (equation 10), and distinguish congestion "
    "from link errors by the queueing delay (section 3.2). Section 4 compares Hybla-IM with Hybla in ns-2, with "
    "30 flows over Iridium and three packet error rates (PER). We call this network T1. In T1, the 1.5 Mbit/s "
    "uplink is always full. We added a second network, T2, with 5 flows over 25 Mbit/s, where link errors can "
    "reduce the throughput. The results in T2 give no verdict on section 4. The tables also show results of "
    "ns-2.35 with its own Hybla.",
    summary=(
        "Hybla-IM is a variant of Hybla. Its window grows more slowly as the link fills, and Hybla-IM distinguishes "
        "link errors from congestion. In the paper's own network at a packet error rate of 1e-4, Hybla-IM's "
        "throughput differs from Hybla's by {H-18.a ours}; the paper prints {H-18.a paper}.",
        "From an error rate of 1e-3 to 1e-2, Hybla's own throughput changes by {H-21.a ours}; the paper prints -32 %.",
    ),
    given=GIVEN,
    chosen=CHOSEN,
    readings=CHOICES,
    precision="The tolerances are: for throughputs, 2 percentage points, because the paper prints whole percents (one "
    "number has tenths) and does not give the length of the runs; for the “typical” round trips of Table 1, half "
    "of their step of 50 ms; for equalities (H-04, H-05), 5 %, which a reader can just see in a plot; for "
    "formulas, a thousandth.",
    changed=(
        Change(
            "H-19: The conclusion's “significantly reduces the packet loss rate” is now a headline (main claim), for "
            "the error rate of Figure 5. We read “significantly” as more than a tenth, as at the other error rates.",
            Moved.AWAY,
        ),
        *CHANGES,
    ),
    rows=tuple(without_receiver_limits(row) for row in in_order(__name__)),
)
