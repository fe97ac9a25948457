# SPDX-License-Identifier: MIT OR Apache-2.0
"""Libraries that only some commands need: they are imported when they are needed, and missing ones are named."""

from __future__ import annotations

import importlib.util

from bentpipe.base.errors import ScenarioError


def needs(module: str, extra: str, what: str) -> None:
    """Refuses what a library is missing for.

    Raises:
        ScenarioError: If the library is not installed; it says how to get it.
    """
    if importlib.util.find_spec(module) is None:
        raise ScenarioError(
            "plugin-failed",
            f'{what} needs the library {module}, which is not installed (pip install "bentpipe[{extra}]")',
        )
