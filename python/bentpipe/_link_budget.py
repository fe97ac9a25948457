# SPDX-License-Identifier: MIT OR Apache-2.0
"""Link budgets: from transmitted power to a data rate, in clear sky and under rain."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

from bentpipe import _core
from bentpipe.base import arguments
from bentpipe.base.files import read_text
from bentpipe.runs import make

if TYPE_CHECKING:
    from bentpipe.scenario.answers import LinkBudget, StandingBudget
    from bentpipe.scenario.classes import Scenario


def link_budget(file: str | os.PathLike[str]) -> LinkBudget:
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
    path = arguments.path("file", file)
    answer: LinkBudget = json.loads(_core.link_budget(read_text(path, "link budget"), os.fspath(path)))
    return answer


def link_budgets(
    scenario: str | os.PathLike[str] | Scenario, *, at: str = "0 s", link: str | None = None, seed: int | None = None
) -> list[StandingBudget]:
    """The budgets of a scenario's links at a moment of its run, line by line: no packet is sent.

    Args:
        scenario: A file, TOML text or a `Scenario`.
        at: When, with its unit: before the end of the run.
        link: Name of the link, ``"left > right"``; all that have a budget and are there then if none is named.
        seed: Instead of the scenario's: another one is another rain.

    Returns:
        One for each link, as `link_budget` has it, with `link` and `at_s`. Its `states` are two: clear sky with the
        satellite where it is then, and the run's: its rain, and the modulation and code that the modem sends then. It
        follows the weather a while later; where what it sends does not hold, `frames_lost` is true.

    Raises:
        ScenarioError: If the scenario cannot be used, no link of it has a budget, or the moment or the link is not
            there.
        ArgumentError: If an argument is none of these.
    """
    moment = arguments.stated("at", at, "30 s")
    found: list[StandingBudget] = json.loads(_core.link_budgets(make.job(scenario, seed=seed), link, moment))
    return found
