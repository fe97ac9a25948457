# SPDX-License-Identifier: MIT OR Apache-2.0
"""Import optional libraries at their first use. If a library is missing, the error names the library."""

from __future__ import annotations

import importlib.util

from bentpipe.base.errors import ScenarioError


def needs(module: str, extra: str, what: str) -> None:
    """Import a library, or refuse the feature that needs it.

    Raises:
        ScenarioError: If the library is not installed. The message says how to install it.
    """
    if importlib.util.find_spec(module) is None:
        raise ScenarioError(
            "plugin-failed",
            f'{what} needs the library {module}, which is not installed (pip install "bentpipe[{extra}]")',
        )
