# SPDX-License-Identifier: MIT OR Apache-2.0
"""A pytest plugin for skips: a summary at the end and, with BENTPIPE_NO_SKIP=1, failures.

With BENTPIPE_NO_SKIP=1, which CI sets, a skip is a failure unless needs.toml says why CI may skip it.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Generator
from typing import TypeVar

import pytest

from needs import NEEDS, absent

Report = TypeVar("Report", pytest.TestReport, pytest.CollectReport)


def reason_of(report: pytest.TestReport | pytest.CollectReport) -> str:
    """Return the reason why a test or a file was skipped."""
    return str(report.longrepr[2] if isinstance(report.longrepr, tuple) else report.longrepr).removeprefix("Skipped: ")


def judged(report: Report) -> Report:
    """Return the report. A skip that is not allowed becomes a failure."""
    if os.environ.get("BENTPIPE_NO_SKIP") != "1" or not report.skipped or hasattr(report, "wasxfail"):
        return report
    why = reason_of(report)
    name = absent(why)
    if not name or not NEEDS[name].may_be_absent:
        report.outcome = "failed"
        report.longrepr = (
            f"skipped, and BENTPIPE_NO_SKIP=1 forbids it: {why}\n"
            "fix: `make test-tools`, or an entry of tests/support/needs.toml that says why it may be absent"
        )
    return report


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    return judged((yield))


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_make_collect_report() -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    return judged((yield))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print the skips by cause, and the command that installs what is missing."""
    reasons = [reason_of(report) for report in terminalreporter.stats.get("skipped", [])]
    if not reasons:
        return
    terminalreporter.section("skipped")
    causes = Counter(absent(why) or why for why in reasons)
    for cause, count in causes.most_common():
        need = NEEDS.get(cause)
        said = f"{cause}: {need.tests}" if need else cause
        because = f"; {need.may_be_absent}" if need and need.may_be_absent else ""
        terminalreporter.line(f"{count:4} {said}{because}")
    if installed := [cause for cause in causes if cause in NEEDS and (NEEDS[cause].packages or NEEDS[cause].fetch)]:
        terminalreporter.line(f"`make test-tools` (as root, on Debian) installs: {', '.join(installed)}")
