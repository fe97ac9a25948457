# SPDX-License-Identifier: MIT OR Apache-2.0
"""The conclusion (G-23)."""

from __future__ import annotations

from bentpipe.study import Finding, Row, Runs, Sheet


def read(_: Runs) -> Finding:
    """G-23."""
    lines = [
        ["loss-based variant by geodesic distance", "G-09 to G-14"],
        ["Hybla on Hypatia", "G-08"],
        ["Copa on Hypatia", "G-16 to G-18"],
        ["BBR on Hypatia", "G-19"],
    ]
    return Finding(
        why="a summary of the slides' work, no claim of its own; its parts are measured in the rows named here",
        sheets=[Sheet("What the conclusion names, and where it is measured", ("part", "rows"), lines)],
    )


ROWS = (
    Row(
        id="G-23",
        place="Conclusion",
        what="what was done",
        says="a loss-based variant by a simple geodesic modification on Hypatia; Copa and other CCAs on Hypatia",
        read=read,
    ),
)
