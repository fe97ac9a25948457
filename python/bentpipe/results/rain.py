# SPDX-License-Identifier: MIT OR Apache-2.0
"""Report rain that exceeds the range of ITU-R P.618. The rarest fade of P.618 is that of 0.001 % of a year."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import tomli_w

from bentpipe import _core
from bentpipe.base.errors import BentpipeError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bentpipe.base.json import Document
    from bentpipe.runs.run import Run
    from bentpipe.scenario.answers import LinkBudget

#: Availability of the rarest fade of P.618-14 (section 2.2.1.1, step 10: 0.001 to 5 % of a year), in percent.
_RAREST_PERCENT = 99.999


def lines(run: Run) -> list[str]:
    """Return a note for each hop (up, down) whose rain exceeds the rarest fade in every budget with this hop."""
    if not any(link.get("budget") for link in run.summary["links"]):
        return []
    table = run.weather
    most = {hop: max((one for one in table[f"rain_{hop}_db"] if one), default=0.0) for hop in ("up", "down")}
    if not any(most.values()):
        return []
    rarest = dict.fromkeys(most, 0.0)
    for budget in _budgets(_core.read_toml(run.scenario, "the scenario")):
        for hop, rain_db in _rarest(budget).items():
            rarest[hop] = max(rarest.get(hop, 0.0), rain_db)
    return [
        f"rain attenuates the hop {hop} by up to {most[hop]:.1f} dB, but ITU-R P.618 is valid only up to "
        f"{rarest[hop]:.1f} dB, which is exceeded for 0.001 % of a year (lower `start` of the rain, or take another "
        "seed)"
        for hop in most
        if 0.0 < rarest[hop] < most[hop]
    ]


def _budgets(table: Document) -> Iterator[Document]:
    """Yield the link budgets with rain in a scenario."""
    for key, value in table.items():
        for one in value if isinstance(value, list) else [value]:
            if not isinstance(one, dict):
                continue
            hops = [hop for hop in (one.get("up"), one.get("down")) if isinstance(hop, dict)]
            if key == "budget" and any("rain" in hop for hop in hops):
                yield one
            else:
                yield from _budgets(one)


def _rarest(budget: Document) -> dict[str, float]:
    """Return the rain of each hop at the rarest share of a year, in dB; nothing for a budget with moving satellites."""
    text = tomli_w.dumps({"availability": [_RAREST_PERCENT], "budget": budget})
    try:
        answer: LinkBudget = json.loads(_core.link_budget(text, "the budget"))
    except BentpipeError:
        return {}  # the elevation of a moving satellite is not a key of the budget
    return {hop["name"]: hop["rain_db"] for hop in answer["states"][-1]["hops"]}
