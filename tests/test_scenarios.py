# SPDX-License-Identifier: MIT OR Apache-2.0
"""Every scenario worth keeping runs within what its links can carry, and repeats itself when resolved."""

from __future__ import annotations

import json
import math
import tomllib
from collections import defaultdict
from pathlib import Path
from typing import Any

import jsonschema
import pytest

import bentpipe as bp
from bentpipe import _core
from bentpipe._split import lost_on_links
from conftest import ROOT

# A run must last until its last flow starts, and longer than its warm-up.
LONG_ENOUGH = {
    "cbr-cross-traffic": "82 s",
    "finite-transfers": "30 s",
    "geo-codel": "65 s",
    "geo-fq-codel": "65 s",
    "geo-web": "15 s",
    "l4s-beside-cubic": "12 s",
    "leo-evening": "25 s",
}
FILES = sorted((ROOT / "scenarios").rglob("*.toml"))
UNITS = {"bit/s": 1e-6, "kbit/s": 1e-3, "Mbit/s": 1.0, "Gbit/s": 1e3, "B": 1.0, "kB": 1e3}


def number(quantity: str) -> float:
    """Mbit/s, or bytes."""
    value, unit = quantity.split()
    return float(value) * UNITS[unit]


def rates_at(network: dict[str, Any], site: str) -> tuple[float, float]:
    """What the links of a site carry away from it and towards it, Mbit/s, as the scenario's author wrote it."""
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
    """The wire limits what leaves and what arrives at a site: all flows together, but on a constellation each alone."""
    network = tomllib.loads(run.scenario)["network"]
    about = run.summary["provenance"]
    measured = about["duration_s"] - about["warm_up_s"]
    away: dict[tuple[str, str], float] = defaultdict(float)
    towards: dict[tuple[str, str], float] = defaultdict(float)
    for flow in run.summary["flows"]:
        begin = max(flow["start_s"], about["warm_up_s"])
        active = min(flow["completed_at_s"] or flow["stop_s"] or math.inf, about["duration_s"]) - begin
        share = flow["goodput_mbit_s"] * active / measured
        # Two flows of a dish may use two satellites.
        which = flow["name"] if "constellation" in network else ""
        away[flow["from"], which] += share
        towards[flow["to"], which] += share
    assert all(share <= rates_at(network, site)[0] for (site, _), share in away.items())
    assert all(share <= rates_at(network, site)[1] for (site, _), share in towards.items())


def nothing_appears_or_vanishes(run: bp.Run, flow: bp.FlowSummary, tcp: dict[str, Any]) -> None:
    """Packets that were sent arrived, were lost, or are on the way; what arrived for the first time is the goodput."""
    sent, delivered = flow["sent_packets"], flow["delivered_packets"]
    on_the_way = sent - delivered - lost_on_links(flow)
    table = run.parts if " part " in flow["name"] else run.flows
    rows = [row for row in table.arrow.to_pylist() if row["flow"] == flow["flow"]]
    # The sender does not know of an arrival before its ACK, nor of a loss before that of others; and what it holds for
    # lost may be on the way.
    in_flight = rows[-1]["in_flight_segments"]
    assert 0 <= on_the_way <= in_flight + flow["losses_detected"] + 1
    assert sent >= tcp["initial_window"]
    active = (flow["completed_at_s"] or run.summary["provenance"]["duration_s"]) - flow["start_s"]
    payload = flow["goodput_mbit_s"] * 1e6 / 8.0 * active / number(tcp["mss"])
    # Only what was sent again can arrive twice. The last segment of a transfer may be a short one.
    assert delivered - flow["retransmitted_packets"] - 1 <= payload <= delivered + 1e-6


def test_there_are_some() -> None:
    assert len(FILES) >= 6


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_scenario(file: Path) -> None:
    lines = file.read_text().splitlines()
    assert lines[0].startswith("# SPDX-License-Identifier: ")
    assert lines[1].startswith("# ")
    jsonschema.validate(tomllib.loads(file.read_text()), json.loads(_core.scenario_schema()))
    run = bp.run(file, duration=LONG_ENOUGH.get(file.stem, "5 s"))
    jsonschema.validate(run.summary, json.loads(_core.summary_schema()))
    again = bp.run(run.scenario)
    assert again.summary == run.summary
    assert again.scenario == run.scenario
    holds_what_the_links_can(run)
    tables = {flow["name"]: flow for flow in tomllib.loads(run.scenario)["flows"]}
    # A flow that proxies split is several connections, and each keeps its books.
    parts = run.summary.get("parts", [])
    split = {part["name"].partition(" part ")[0] for part in parts}
    for flow in [*(flow for flow in run.summary["flows"] if flow["name"] not in split), *parts]:
        if flow["kind"] == "tcp" and not run.summary["provenance"]["warm_up_s"]:
            name = flow["name"].partition(" part ")[0]
            table = tables.get(name) or tables[name.rpartition(" ")[0]]
            nothing_appears_or_vanishes(run, flow, table["tcp"])
    assert bool(parts) == ("peps" in tomllib.loads(run.scenario))
