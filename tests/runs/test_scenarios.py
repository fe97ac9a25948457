# SPDX-License-Identifier: MIT OR Apache-2.0
"""Every scenario worth keeping runs within what its links can carry, and repeats itself when resolved."""

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

# A run must last until its last flow starts, and longer than its warm-up.
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
