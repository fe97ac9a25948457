# SPDX-License-Identifier: MIT OR Apache-2.0
"""Beams, satellites and gateways that are shared: who gets how much, against max-min fairness worked by hand."""

from __future__ import annotations

from typing import Any

import pytest

import bentpipe as bp
from shared_skies import TERMINALS, below, fed_by_one_gateway, goodput

#: What is asked for, the rights of the terminals, what they share, and what they get.
Case = tuple[tuple[float, ...], tuple[dict[str, Any], ...], str | None, tuple[float, ...]]
CASES: dict[str, Case] = {
    # Nobody shares: 10 Mbit/s for each.
    "nobody": ((8, 8, 2), ({}, {}, {}), None, (8, 8, 2)),
    # Two ask for less than nothing can refuse, the others share what is left (Bertsekas and Gallager, section 6.5.2).
    "fair": ((8, 8, 2), ({}, {}, {}), "satellite", (4, 4, 2)),
    # 3 : 1 : 1 of ten.
    "weights": ((8, 8, 2), ({"weight": 3}, {}, {}), "satellite", (6, 2, 2)),
    # Strictly first; two equals share the rest.
    "priority": ((8, 8, 2), ({}, {"priority": 4}, {}), "satellite", (1, 8, 1)),
    # Two in one beam, the third has its own.
    "beams": ((8, 8, 9), ({"cell": "north"}, {"cell": "north"}, {"cell": "south"}), "beam", (5, 5, 9)),
    "own beam": ((8, 8, 9), ({"cell": "north"}, {"cell": "north"}, {}), "beam", (5, 5, 9)),
}


@pytest.mark.parametrize("up", [False, True], ids=["down", "up"])
@pytest.mark.parametrize("case", CASES)
def test_terminals_get_their_shares(case: str, up: bool) -> None:
    asked, keys, scope, expected = CASES[case]
    shared = {"shared": bp.SharedLinks(**{"uplink" if up else "downlink": scope})} if scope else {}
    got = goodput(below(asked, keys, up=up, **shared))
    assert got == pytest.approx(expected, rel=0.015)


def test_a_gateway_has_so_much_for_all_satellites() -> None:
    down = [("server", "north"), ("server", "south")]
    shared = bp.SharedLinks(feeder="gateway")
    # The two are served by two satellites, or they would share a link.
    assert fed_by_one_gateway(down, (8, 8)) == pytest.approx([8, 8], rel=0.015)
    assert fed_by_one_gateway(down, (8, 8), shared=shared) == pytest.approx([5, 5], rel=0.015)
    # What goes down to the ground is another dish's part: each direction has its own.
    both = [("server", "north"), ("south", "server")]
    assert fed_by_one_gateway(both, (8, 8), shared=shared) == pytest.approx([8, 8], rel=0.015)


def test_controllers_share_a_beam_by_turns_not_by_round_trips() -> None:
    """Over one queue CUBIC beside Reno, or a short path beside a long one, is not fair; turns are."""
    flows = [bp.Flow(from_="hub", to=name, controller="cubic", start=f"{at} s") for at, name in enumerate(TERMINALS)]
    scenario = below((1, 1, 1), shared=bp.SharedLinks(downlink="satellite"))
    scenario.flows, scenario.duration, scenario.warm_up = flows, "60 s", "30 s"
    got = goodput(scenario)
    assert sum(got) > 0.9 * 10 * 1448 / 1500
    assert max(got) / min(got) < 1.15, got
    assert goodput(scenario) == got


@pytest.mark.parametrize(
    ("changes", "keys", "where", "fix"),
    [
        ({"downlink": "gateway"}, {}, "shared.downlink", 'write "beam" or "satellite"'),
        ({"uplink": "beam"}, {}, "shared.uplink", 'write cell = "north"'),
        ({"feeder": "beam"}, {}, "shared.feeder", 'write "gateway" or "satellite"'),
        ({"feeder": "gateway"}, {}, "shared.feeder", "write `gateways`"),
        ({"downlink": "satellite"}, {"cell": "north"}, "sites[0].cell", "no beam is shared"),
        ({}, {"weight": 2}, "sites[0].weight", 'write shared = { downlink = "satellite" }'),
        ({}, {"priority": 2}, "sites[0].priority", 'write shared = { downlink = "satellite" }'),
    ],
)
def test_rights_to_nothing_are_refused(changes: dict[str, str], keys: dict[str, Any], where: str, fix: str) -> None:
    scenario = below((1, 1, 1), (keys, {}, {}), shared=bp.SharedLinks(**changes))
    with pytest.raises(bp.ScenarioError) as refused:
        bp.run(scenario)
    assert f"network.constellation.{where}" in str(refused.value)
    assert fix in str(refused.value)
