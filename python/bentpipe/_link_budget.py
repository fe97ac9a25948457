# SPDX-License-Identifier: MIT OR Apache-2.0
"""Link budgets: from transmitted power to a data rate, in clear sky and under rain."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from bentpipe import _core
from bentpipe._files import read_text


def link_budget(file: str | os.PathLike[str]) -> dict[str, Any]:
    """A file's link budget, line by line.

    Args:
        file: A TOML file with a table `budget`, as a link of a scenario has it, and `availability` in percent.

    Returns:
        What the hops have in common (`ladder`, `source`, `bandwidth_mhz`, `symbols_mbaud`, `margin_db`), what they are
        (`hops`), and the `states`: clear sky (`availability_percent` None), then each availability. A state has the
        losses of each hop, Es/N0, modulation and code (None in an outage, and then `missing_db`) and the rate.

    Raises:
        ScenarioError: If the file cannot be used; with key, line, bound and fix.
    """
    path = Path(file)
    answer: dict[str, Any] = json.loads(_core.link_budget(read_text(path, "link budget"), os.fspath(path)))
    return answer
