# SPDX-License-Identifier: MIT OR Apache-2.0
"""Every controller in every setting, start-up times, ablations, and the scoreboard."""

from __future__ import annotations

from bentpipe.study import Setting, Study
from bentpipe_papers.order import in_order

CHOSEN = (
    Setting(
        "GEO",
        "10 Mbit/s, 600 ms, buffer of 500 packets",
        "similar to A-LIAD's (10 or 50 Mbit/s) and Vegas-W's (15 Mbit/s); HYBIC's path has 5 Gbit/s and 2287 ms",
    ),
    Setting(
        "LEO",
        "72 x 22 satellites at 550 km, 53 deg; satellites are chosen every 15 s, and each change loses packets for "
        "100 ms",
        "Starlink's first shell and schedule; the seed draws the time of day",
    ),
    Setting(
        "terrestrial",
        "20 Mbit/s, 25 ms, buffer of one BDP, two flows of the controller and two of Reno",
        "A-LIAD and Hybla also have a round trip of 25 ms",
    ),
    Setting(
        "two round trips",
        "25 ms and 600 ms share 10 Mbit/s",
        "a terrestrial user shares a link with a satellite user",
    ),
    Setting(
        "chance",
        "losses, the positions of satellites, and the start times of flows (within a second) come from the seed",
        "a run with one flow and without errors has no random part, so there is only one run, without an interval",
    ),
    Setting("controllers", "with the parameters of the catalogue", "parameters are changed only where a table says so"),
    Setting(
        "length",
        "60 to 180 s; 30 to 45 s in a first look; the first sixth is left out",
        "row X-02 measures the start-up",
    ),
)

STUDY = Study(
    name="across",
    title="Comparisons across the papers",
    short="Comparisons across the papers (no claims)",
    about=(
        "Each paper measures its controller and a few others over a path of its own. This study runs all controllers "
        "in the same settings. It also measures slow starts and the ingredients of each controller separately, and "
        "counts the verdicts on all papers. These comparisons are not claims of a paper, so no row has a claim."
    ),
    chosen=CHOSEN,
    rows=in_order(__name__),
)
