# SPDX-License-Identifier: MIT OR Apache-2.0
"""Rows that fail where a receive window held a flow back: they would measure no controller."""

from __future__ import annotations

from dataclasses import replace

from bentpipe.study import Finding, Row, Runs, own_limit
from bentpipe_papers.hybla_im.readings import bounded


def without_receiver_limits(row: Row) -> Row:
    """The row, which fails if a receive window held back a flow of any of its runs except those in which it should."""

    def read(runs: Runs) -> Finding:
        own_limit(runs[key] for key in runs if not bounded(key))
        return row.read(runs)

    return replace(row, read=read)
