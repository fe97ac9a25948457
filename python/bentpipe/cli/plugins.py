# SPDX-License-Identifier: MIT OR Apache-2.0
"""`--plugin FILE`: Python files that register controllers of the user's own."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from bentpipe.base.errors import ScenarioError
from bentpipe.scenario.controller import REGISTERED
from bentpipe.scenario.own_code import execute

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable


def add_option(parser: argparse.ArgumentParser) -> None:
    """Add ``--plugin`` to a command."""
    parser.add_argument(
        "--plugin",
        type=Path,
        action="append",
        default=[],
        metavar="FILE",
        help="Python file that registers controllers of your own (may be given several times)",
    )


def load(files: Iterable[Path]) -> None:
    """Execute plugin files.

    Raises:
        ScenarioError: If a file cannot be read, fails, or registers nothing.
    """
    for file in files:
        before = dict(REGISTERED)
        execute(file, "plugin")
        if before == REGISTERED:
            hint = 'put @bentpipe.register("name") above the class'
            raise ScenarioError("plugin-failed", f"the plugin {file} registers no controller ({hint})")
