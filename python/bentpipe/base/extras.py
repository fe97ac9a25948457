# SPDX-License-Identifier: MIT OR Apache-2.0
"""Optional libraries. A library is imported at its first use; if it is missing, the error names it."""

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
