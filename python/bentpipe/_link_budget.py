# SPDX-License-Identifier: MIT OR Apache-2.0
"""Compute link budgets, from the transmitted power to the data rate, in clear sky and under rain."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

from bentpipe import _core
from bentpipe.base import arguments
from bentpipe.base.files import read_text
from bentpipe.runs import make
from bentpipe.scenario.document import ScenarioText

if TYPE_CHECKING:
    from bentpipe.scenario.answers import LinkBudget, StandingBudget
    from bentpipe.scenario.classes import Scenario


def link_budget(file: str | os.PathLike[str]) -> LinkBudget:
    """Compute the link budget in a file, line by line.

    Args:
        file: A TOML file with a table `budget`, as in a link of a scenario, and the list `availability` in percent.

    Returns:
        The values that all hops share (`ladder`, `source`, `bandwidth_mhz`, `symbols_mbaud`, `margin_db`), the `hops`,
        and the `states`: clear sky (`availability_percent` is None), then one state for each availability. A state has
        the losses of each hop, Es/N0, the modulation and code, and the rate. In an outage the modulation and code are
        None, and `missing_db` is the missing Es/N0.

    Raises:
        ScenarioError: If the file cannot be used. The message has the key, line, bound and fix.
    """
    path = arguments.path("file", file)
    text = file.text if isinstance(file, ScenarioText) else read_text(path, "link budget")
    answer: LinkBudget = json.loads(_core.link_budget(text, os.fspath(path)))
    return answer


def link_budgets(
    scenario: str | os.PathLike[str] | Scenario, *, at: str = "0 s", link: str | None = None, seed: int | None = None
) -> list[StandingBudget]:
    """Compute the budgets of a scenario's links at a moment of its run, line by line. No packet is sent.

    Args:
        scenario: A file, TOML text or a `Scenario`.
        at: The moment, with its unit. It must be before the end of the run.
        link: Name of the link, ``"left > right"``. The default is every link with a budget that exists at that moment.
        seed: Replaces the scenario's seed. Another seed gives other rain.

    Returns:
        One budget for each link, in the form of `link_budget`, with `link` and `at_s`. The budget has two `states`,
        both with the satellite at its position at that moment: clear sky, and the state of the run with its rain and
        the modulation and code that the modem uses. The modem follows the weather with a delay. `frames_lost` is true
        while the modulation and code are too high for the weather.

    Raises:
        ScenarioError: If the scenario cannot be used, no link has a budget, or the moment or the link does not exist.
        ArgumentError: If an argument has another type.
    """
    moment = arguments.stated("at", at, "30 s")
    found: list[StandingBudget] = json.loads(_core.link_budgets(make.job(scenario, seed=seed), link, moment))
    return found
