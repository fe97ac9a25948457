# SPDX-License-Identifier: MIT OR Apache-2.0
"""What holds if nothing else is said: read by the command line, so nothing is loaded for it."""

from bentpipe.results import rank

#: Aims by name: those of comparisons, and friendliness: ours and theirs alike (proportional fairness, Kelly 1997).
AIMS = (*rank.NAMES, "friendliness")
#: Settings that are tried of each controller that is tuned.
TRIALS = 24
#: Seeds of the report.
FRESH = 20
#: What is read of a run besides its score.
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
