# SPDX-License-Identifier: MIT OR Apache-2.0
"""A wrapper that makes a row fail if a receive window limited a flow: such a run does not measure the controller."""

from __future__ import annotations

from dataclasses import replace

from bentpipe.study import Finding, Row, Runs, own_limit
from bentpipe_papers.hybla_im.readings import bounded


def without_receiver_limits(row: Row) -> Row:
    """Return a row that fails if a receive window limited a flow, except in runs that should have such a limit."""

    def read(runs: Runs) -> Finding:
        own_limit(runs[key] for key in runs if not bounded(key))
        return row.read(runs)

    return replace(row, read=read)
