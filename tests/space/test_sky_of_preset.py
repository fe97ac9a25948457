# SPDX-License-Identifier: MIT OR Apache-2.0
"""Constellations of network presets, with the differences that a preset has from the constellation."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest

import bentpipe as bp


def test_the_sky_of_a_network_is_that_of_its_scenario(tmp_path: Path) -> None:
    scenario = bp.Scenario(
        duration="5 s",
        network=bp.Network(preset="iridium-certus"),
        flows=[bp.Flow(controller="cubic", from_="terminal", to="server")],
    )
    (tmp_path / "resolved.toml").write_text(scenario.resolved())
    wanted = bp.Sky(tmp_path / "resolved.toml")
    for what in (bp.Network(preset="iridium-certus"), scenario):
        sky = bp.Sky(what)
        assert sky.facts == wanted.facts
        # The preset's sites are known.
        ways = [one.paths([("terminal", "server")], duration="1 s") for one in (sky, wanted)]
        assert list(ways[0]["propagation_rtt_ms"]) == list(ways[1]["propagation_rtt_ms"])
        assert pickle.loads(pickle.dumps(sky)).facts == sky.facts  # noqa: S301 - our own


def test_what_differs_takes_the_place_of_the_presets(tmp_path: Path) -> None:
    own = bp.Constellation(min_elevation="40 deg", route_step="2 s")
    assert bp.Sky(bp.Network(preset="oneweb")).facts["min_elevation_deg"] != 40
    sky = bp.constellation(bp.Network(preset="oneweb", constellation=own), route_step="5 s")
    assert (sky.facts["min_elevation_deg"], sky.facts["route_step_s"]) == (40, 5)
    # A scenario in a file that contains only the preset's name.
    (tmp_path / "named.toml").write_text('network.preset = "oneweb"\n')
    assert bp.Sky(tmp_path / "named.toml", min_elevation="40 deg").facts["min_elevation_deg"] == 40
    assert bp.Sky(tmp_path / "named.toml").facts == bp.Sky(bp.Network(preset="oneweb")).facts


@pytest.mark.parametrize(
    ("network", "said"),
    [
        (bp.Network(preset="onewebb"), 'did you mean "oneweb"'),
        (bp.Network(preset="geo-ka-residential"), "has no constellation"),
        (bp.Network(preset="oneweb", constellation={"min_elevatio": "4 deg"}), "did you mean `min_elevation`"),
    ],
)
def test_a_network_without_a_sky(network: bp.Network, said: str) -> None:
    with pytest.raises(bp.ScenarioError, match=said):
        bp.Sky(network)
