# SPDX-License-Identifier: MIT OR Apache-2.0
"""Every scenario of the repository runs within the capacity of its links, and gives the same run when resolved."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any

import jsonschema
import pytest

import bentpipe as bp
from balances import holds_what_the_links_can, number
from bentpipe import _core
from bentpipe.results.split import lost_on_links
from project import ROOT

# A run must last longer than its warm-up, and until its last flow starts.
LONG_ENOUGH = {
    "cbr-cross-traffic": "82 s",
    "finite-transfers": "30 s",
    "fq-codel-ecn": "12 s",
    "geo-codel": "65 s",
    "geo-fq-codel": "65 s",
    "geo-web": "15 s",
    "l4s-beside-cubic": "12 s",
    "leo-evening": "25 s",
}
FILES = sorted((ROOT / "scenarios").rglob("*.toml"))


def nothing_appears_or_vanishes(run: bp.Run, flow: bp.FlowSummary, tcp: dict[str, Any]) -> None:
    """Sent packets arrived, were lost, or are in flight. Data that arrived for the first time are the goodput."""
    sent, delivered = flow["sent_packets"], flow["delivered_packets"]
    on_the_way = sent - delivered - lost_on_links(flow)
    table = run.parts if " part " in flow["name"] else run.flows
    rows = [row for row in table.arrow.to_pylist() if row["flow"] == flow["flow"]]
    # The sender learns of an arrival from the ACK, and of a loss from later ACKs. A packet that the sender considers
    # lost may still be in flight.
    in_flight = rows[-1]["in_flight_segments"]
    assert 0 <= on_the_way <= in_flight + flow["losses_detected"] + 1
    assert sent >= tcp["initial_window"]
    active = (flow["completed_at_s"] or run.summary["provenance"]["duration_s"]) - flow["start_s"]
    payload = flow["goodput_mbit_s"] * 1e6 / 8.0 * active / number(tcp["mss"])
    # Only retransmitted data can arrive twice. The last segment of a transfer may be short.
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
    # If proxies split a flow, each of its connections is checked.
    parts = run.summary.get("parts", [])
    split = {part["name"].partition(" part ")[0] for part in parts}
    for flow in [*(flow for flow in run.summary["flows"] if flow["name"] not in split), *parts]:
        if flow["kind"] == "tcp" and not run.summary["provenance"]["warm_up_s"]:
            name = flow["name"].partition(" part ")[0]
            table = tables.get(name) or tables[name.rpartition(" ")[0]]
            nothing_appears_or_vanishes(run, flow, table["tcp"])
    assert bool(parts) == ("peps" in tomllib.loads(run.scenario))
