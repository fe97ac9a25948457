# SPDX-License-Identifier: MIT OR Apache-2.0
"""Handovers of the paths of flows: how many a run has, and first looks without any."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

import bentpipe as bp
from bentpipe.results.notes import handover_line
from bentpipe.scenario.bench import Bench
from bentpipe.show.totals import flow_rows

if TYPE_CHECKING:
    from pathlib import Path

    from project import Command

#: Pings over Iridium, which have few packets, so that the run is short.
IRIDIUM = """\
duration = "DURATION"
network.constellation = { preset = "iridium", route_step = "1 s" }
flows = [{ kind = "ping", from = "Berkeley", to = "Boston", interval = "1 s" }]
"""


def text(duration: str, preset: str = "iridium") -> str:
    return IRIDIUM.replace("DURATION", duration).replace("iridium", preset)


def serving(nodes: str) -> tuple[str, str] | None:
    """Return the satellites next to both ends of a path."""
    path = nodes.split(" ")
    return (path[1], path[-2]) if len(path) > 2 else None


def test_a_run_counts_the_handovers_of_its_paths() -> None:
    run = bp.run(text("20 min"))
    track = bp.constellation("iridium").path("Berkeley", "Boston", duration="20 min", step="1 s")
    ways = [serving(str(nodes)) for nodes in track["nodes"]]
    changes = sum(a is not None and b is not None and a != b for a, b in itertools.pairwise(ways))
    (flow,) = run.summary["flows"]
    assert flow.get("handovers") == changes > 1
    head, rows = flow_rows(run, None)
    assert dict(zip(head, rows[0], strict=True))["handovers"] == str(changes)
    assert handover_line([run]) == f"handovers of the path of a flow in a run: {changes}"


def test_handovers_count_after_the_warm_up() -> None:
    whole, late = (bp.run(f'warm_up = "{warm_up}"\n{text("20 min")}') for warm_up in ("0 s", "15 min"))
    counts = [run.summary["flows"][0].get("handovers") for run in (whole, late)]
    assert counts[0] is not None
    assert counts[1] is not None
    assert counts[1] < counts[0]


def test_a_geostationary_satellite_and_a_plain_network_have_none() -> None:
    run = bp.run(text("2 min", "geo").replace("Berkeley", "New York"))
    assert run.summary["flows"][0].get("handovers") == 0
    plain = bp.run(
        bp.Scenario(duration="1 s", network=bp.Dumbbell(rate="1 Mbit/s", rtt="9 ms"), flows=[bp.Flow(kind="ping")])
    )
    assert "handovers" not in plain.summary["flows"][0]
    assert "handovers" not in flow_rows(plain, None)[0]
    assert handover_line([plain]) == ""


def test_a_first_look_without_the_handovers_of_the_run_says_so(cli: Command, tmp_path: Path) -> None:
    (tmp_path / "leo.toml").write_text(text("20 min"))
    done = cli("run", "leo.toml", "--quick")
    assert done.returncode == 0, done.stderr
    assert (
        "finding: quick: the first 10 s contain no handover of a path; the full duration is 1200 s, and has handovers "
        "(omit --quick)"
    ) in done.stderr
    assert not Bench(text("2 min", "geo").replace("Berkeley", "New York")).quick_findings()[1:]
