# SPDX-License-Identifier: MIT OR Apache-2.0
"""The capacity of the links of a scenario, and a check that the flows of a run carry no more."""

from __future__ import annotations

import math
import tomllib
from collections import defaultdict
from typing import Any

import bentpipe as bp

UNITS = {"bit/s": 1e-6, "kbit/s": 1e-3, "Mbit/s": 1.0, "Gbit/s": 1e3, "B": 1.0, "kB": 1e3}


def number(quantity: str) -> float:
    """Mbit/s, or bytes."""
    value, unit = quantity.split()
    return float(value) * UNITS[unit]


def rates_at(network: dict[str, Any], site: str) -> tuple[float, float]:
    """Return the rates of a site's links away from the site and towards it, in Mbit/s, as written in the scenario."""
    unknown = math.inf, math.inf
    ((shape, table),) = ((name, table) for name, table in network.items() if isinstance(table, dict))
    if shape == "dumbbell" and "rate" in table:
        there, back = number(table["rate"]), number(table["reverse"]["rate"])
        return (there, back) if site == "left" else (back, there)
    if shape == "star":
        branch = next((branch for branch in table["branches"] if branch["site"] == site), {})
        return (number(branch["rate"]), number(branch["rate"])) if "rate" in branch else unknown
    if shape == "constellation":
        (place,) = (place for place in table["sites"] if place["name"] == site)
        return unknown if place["fibre"] else (number(table["uplink"]["rate"]), number(table["downlink"]["rate"]))
    return unknown


def holds_what_the_links_can(run: bp.Run) -> None:
    """Check each site's links: all flows together fit, but in a constellation each flow is checked alone."""
    network = tomllib.loads(run.scenario)["network"]
    about = run.summary["provenance"]
    measured = about["duration_s"] - about["warm_up_s"]
    away: dict[tuple[str, str], float] = defaultdict(float)
    towards: dict[tuple[str, str], float] = defaultdict(float)
    for flow in run.summary["flows"]:
        begin = max(flow["start_s"], about["warm_up_s"])
        active = min(flow["completed_at_s"] or flow["stop_s"] or math.inf, about["duration_s"]) - begin
        share = flow["goodput_mbit_s"] * active / measured
        # Two flows of a dish may use two different satellites.
        which = flow["name"] if "constellation" in network else ""
        away[flow["from"], which] += share
        towards[flow["to"], which] += share
    assert all(share <= rates_at(network, site)[0] for (site, _), share in away.items())
    assert all(share <= rates_at(network, site)[1] for (site, _), share in towards.items())
