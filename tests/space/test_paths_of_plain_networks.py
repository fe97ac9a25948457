# SPDX-License-Identifier: MIT OR Apache-2.0
"""The table of paths in networks without satellites: the paths of flows, and the times of changes."""

from __future__ import annotations

from typing import Any

import bentpipe as bp


def rows(network: Any, **keys: str) -> list[tuple[float, str, str, float, float, bool]]:
    """Return time, ends, one-way delay, round trip, and whether the route changed."""
    run = bp.run(bp.Scenario(duration="30 s", network=network, flows=[bp.Flow(kind="ping", **keys)]))
    names = ("time_s", "from", "to", "one_way_delay_ms", "propagation_rtt_ms", "changed")
    return [tuple(row[name] for name in names) for row in run.paths.arrow.to_pylist()]


def test_only_paths_that_flows_use_and_only_their_changes() -> None:
    """Five sites have twenty pairs, and the flow uses two of them. A jump is recorded at the next whole second."""
    steps = [("0 s", "20 ms"), ("10500 ms", "35 ms"), ("20 s", "20 ms")]
    still = [bp.Branch(site=name, rate="10 Mbit/s", delay="5 ms") for name in ("a", "b", "c")]
    moving = bp.Branch(site="d", rate="10 Mbit/s", delay_steps=steps)
    network = bp.Star(branches=[*still, moving])
    assert rows(network, from_="a", to="d") == [
        (0.0, "a", "d", 25.0, 50.0, True),
        (11.0, "a", "d", 40.0, 80.0, False),
        (20.0, "a", "d", 25.0, 50.0, False),
        (0.0, "d", "a", 25.0, 50.0, True),
        (11.0, "d", "a", 40.0, 80.0, False),
        (20.0, "d", "a", 25.0, 50.0, False),
    ]
    there, back = rows(network, from_="a", to="hub")
    assert (there, back) == ((0.0, "a", "hub", 5.0, 10.0, True), (0.0, "hub", "a", 5.0, 10.0, True))


def test_parts_of_a_flow_have_their_paths() -> None:
    """With a proxy in the middle, paths exist for the flow and for its two connections, in both directions."""
    link = bp.Link(rate="10 Mbit/s", delay="5 ms")
    network = bp.Chain(links=3, link=link)
    flow = bp.Flow(controller="reno", from_="0", to="3", access=bp.AccessLink(rate="1 Gbit/s", delay="1 ms"))
    scenario = bp.Scenario(duration="5 s", network=network, flows=[flow], peps=[bp.Pep(at=["1"], buffer="1 MB")])
    ways = {(row["from"], row["to"]) for row in bp.run(scenario).paths.arrow.to_pylist()}
    assert ways == {("0", "3"), ("3", "0"), ("0", "1"), ("1", "0"), ("1", "3"), ("3", "1")}
