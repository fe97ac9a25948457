# SPDX-License-Identifier: MIT OR Apache-2.0
"""Load the files of `--plugin FILE`, Python files that register the user's controllers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bentpipe.base.errors import ScenarioError
from bentpipe.scenario.controller import REGISTERED, names_taken_once
from bentpipe.scenario.own_code import execute

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path


def load(files: Iterable[Path]) -> None:
    """Execute plugin files.

    Raises:
        ScenarioError: If a file cannot be read, fails, registers no controller, or repeats a registered name.
    """
    with names_taken_once():
        for file in files:
            before = dict(REGISTERED)
            execute(file, "plugin")
            if before == REGISTERED:
                hint = 'put @bentpipe.register("name") above the class'
                raise ScenarioError("plugin-failed", f"the plugin {file} registers no controller ({hint})")
