# SPDX-License-Identifier: MIT OR Apache-2.0
"""The conclusion (G-23)."""

from __future__ import annotations

from bentpipe.papers import Finding, Row, Runs, Sheet


def read(_: Runs) -> Finding:
    """G-23."""
    lines = [
        ["loss-based variant by geodesic distance", "G-09 to G-14", "runs as written; RTT is not proportional to "
        "distance, so its gain is"
         " twice the RTT ratio, and it turns the unfairness round"],
        ["Hybla on Hypatia", "G-08", "fairer than the variant on the slides' own pair"],
        ["Copa on Hypatia", "G-16 to G-18", "low delay; a longer path costs its default mode up to ten seconds"],
        ["BBR on Hypatia", "G-19", "as much throughput as Reno with a fraction of the queue"],
    ]  # fmt: skip
    return Finding(
        why="a summary of the slides' work; its parts are measured in the rows named here: 23 rows, 46 controllers "
        "where the slides have five",
        sheets=[Sheet("What the conclusion names, and where it is measured", ("part", "rows", "found"), lines)],
    )


CONCLUSION = Row(
    id="G-23",
    place="Conclusion",
    what="what was done",
    says="a loss-based variant by a simple geodesic modification on Hypatia; Copa and other CCAs on Hypatia",
    read=read,
)
