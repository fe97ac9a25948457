# SPDX-License-Identifier: MIT OR Apache-2.0
"""Defaults of `which`, in a separate module so that the command line loads nothing else."""

from bentpipe.results import rank

#: Aims by name: the aims of comparisons, and friendliness. Friendliness gives our flows and other flows equal weights
#: (proportional fairness, Kelly 1997).
AIMS = (*rank.NAMES, "friendliness")
#: Number of settings that are tried for each tuned controller.
TRIALS = 24
#: Number of seeds of the report.
FRESH = 20
#: Numbers that are read from a run, in addition to its score.
SHOWN = (
    "goodput_mbit_s",
    "others_goodput_mbit_s",
    "completion_median_s",
    "completion_p95_s",
    "visit_median_s",
    "visit_p95_s",
    "visits_done_percent",
    "page_median_s",
    "page_p95_s",
    "stalled_percent",
    "film_mbit_s",
    "call_missed_percent",
    "call_p95_ms",
    "queueing_p95_ms",
    "rtt_p95_ms",
    "loss_percent",
    "jain_index",
)
