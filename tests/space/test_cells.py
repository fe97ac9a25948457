# SPDX-License-Identifier: MIT OR Apache-2.0
"""Cells whose sites share a beam: its capacity and utilisation, and other shared transmitters, computed by hand."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import bentpipe as bp
from project import Command
from shared_skies import TERMINALS, below, cbr, fed, goodput

#: Homes within 14 km. Two of Starlink's shells have nearly the same elevation over each home.
HOMES = {"a": (42.0, -2.0), "b": (42.1, -2.1), "c": (42.1, -2.0), "d": (42.0, -2.1)}


def homes(asked_mbit_s: dict[str, float], cell: bool = True, **changes: Any) -> bp.Scenario:
    """A server behind a gateway sends datagrams to homes under Starlink, whose downlink carries 24 Mbit/s."""
    places = {name: {"latitude": f"{lat} deg", "longitude": f"{lon} deg"} for name, (lat, lon) in HOMES.items()}
    network = bp.Constellation(
        preset="starlink",
        isl=False,
        access=bp.Access(policy="highest-elevation", slot="15 s", phase="12 s", hysteresis="5 deg"),
        route_step="1 s",
        downlink=bp.MovingLink(rate="24 Mbit/s", queue="200 packets"),
        pops=[bp.Place(name="Madrid")],
        gateways=[bp.Gateway(name="Villenave", latitude="44.8 deg", longitude="-0.6 deg", pop="Madrid")],
        sites=[
            *(bp.Site(name=name, cell="rioja" if cell else None, **place) for name, place in places.items()),
            bp.Site(name="server", latitude="40.4 deg", longitude="-3.7 deg", fibre=True),
        ],
        **({"shared": bp.SharedLinks(downlink="beam")} if cell else {}),
        **changes,
    )
    flows = cbr([("server", name) for name in asked_mbit_s], tuple(asked_mbit_s.values()))
    return bp.Scenario(name="homes", duration="20 s", warm_up="2 s", network=network, flows=flows)


def transmitters(scenario: bp.Scenario) -> dict[str, dict[str, Any]]:
    """Return the transmitters of a run by their names."""
    return {row["name"]: row for row in bp.run(scenario).summary.get("transmitters", [])}


def test_a_cell_carries_what_a_beam_does_whoever_asks() -> None:
    # Without a cell, a and d use different satellites, and 40 Mbit/s arrive. In a cell they halve 24 Mbit/s.
    assert goodput(homes({"a": 20, "d": 20}, cell=False)) == pytest.approx([20, 20], rel=0.03)
    assert goodput(homes({"a": 20, "d": 20})) == pytest.approx([12, 12], rel=0.03)
    # All four homes ask for 8 Mbit/s, and each gets 6.
    assert goodput(homes(dict.fromkeys(HOMES, 8))) == pytest.approx([6] * 4, rel=0.03)


def test_a_beam_over_all_its_satellites_is_as_full_as_what_is_asked_of_it() -> None:
    run = bp.run(homes({"a": 4, "d": 8}))
    (beam,) = run.summary["transmitters"]
    assert (beam["name"], beam["kind"]) == ("satellite > the cell rioja", "beam")
    # The beam carries 12 of 24 Mbit/s over all 18 s, although each link of a satellite carries only a part.
    assert beam["utilisation"] == pytest.approx(0.5, rel=0.01)
    assert beam["served_s"] == pytest.approx(18)
    links = [link for link in run.summary["links"] if link["name"].endswith((" > a", " > d"))]
    assert sum(link["utilisation"] for link in links) == pytest.approx(beam["utilisation"])
    assert max(link["utilisation"] for link in links) < 0.35


#: Requested rates, rights of the terminals, what they share, and its utilisation. The narrow side sends 10 Mbit/s.
FULL: dict[str, tuple[tuple[float, ...], tuple[dict[str, Any], ...], str | None, dict[str, float]]] = {
    "nobody": ((8, 8, 2), ({}, {}, {}), None, {}),
    "half": ((2, 2, 1), ({}, {}, {}), "satellite", {"sites": 0.5}),
    "full": ((8, 8, 2), ({}, {}, {}), "satellite", {"sites": 1.0}),
    # A site without a cell has its own beam.
    "beams": ((3, 2, 4), ({"cell": "north"}, {"cell": "north"}, {}), "beam", {"the cell north": 0.5}),
    "two beams": (
        (3, 2, 4),
        ({"cell": "north"}, {"cell": "north"}, {"cell": "south"}),
        "beam",
        {"the cell north": 0.5, "the cell south": 0.4},
    ),
}


@pytest.mark.parametrize("up", [False, True], ids=["down", "up"])
@pytest.mark.parametrize("case", FULL)
def test_how_full_each_shared_transmitter_was(case: str, up: bool) -> None:
    asked, keys, scope, expected = FULL[case]
    shared = {"shared": bp.SharedLinks(**{"uplink" if up else "downlink": scope})} if scope else {}
    rows = transmitters(below(asked, keys, up=up, **shared))
    ends = [name.split(" > ")[0 if up else 1].removeprefix("its ") for name in rows]
    got = dict(zip(ends, (row["utilisation"] for row in rows.values()), strict=True))
    assert got == pytest.approx(expected, rel=0.01)
    assert [row["served_s"] for row in rows.values()] == pytest.approx([8] * len(rows))


def test_a_satellite_is_as_full_as_it_was_while_it_served() -> None:
    """One home gets 12 of 24 Mbit/s from one satellite after another. Each satellite is half full while it serves."""
    scenario = homes({"a": 12}, cell=False, shared=bp.SharedLinks(downlink="satellite"))
    scenario.duration = "60 s"
    rows = transmitters(scenario)
    assert len(rows) > 1
    assert {row["kind"] for row in rows.values()} == {"satellite"}
    assert sum(row["served_s"] for row in rows.values()) == pytest.approx(58)
    assert [row["utilisation"] for row in rows.values()] == pytest.approx([0.5] * len(rows), rel=0.02)


def test_a_gateway_is_one_transmitter_for_all_its_satellites() -> None:
    # Two streams of 2 and 3 Mbit/s use a feeder link of 10.
    down = [("server", "north"), ("server", "south")]
    (row,) = transmitters(fed(down, (2, 3), shared=bp.SharedLinks(feeder="gateway"))).values()
    assert (row["name"], row["kind"]) == ("gateway > its satellites", "gateway")
    assert row["links"] >= 2
    assert row["utilisation"] == pytest.approx(0.5, rel=0.01)


@pytest.mark.parametrize("up", [False, True], ids=["down", "up"])
def test_a_total_is_fuller_than_any_of_its_beams(up: bool) -> None:
    """8, 6 and 4 Mbit/s in beams of 10 use three quarters of a total of 24. A total of 12 is full: each beam gets 4."""
    keys = tuple({"cell": cell} for cell in ("north", "south", "west"))
    for total, full, beams in ((24, 0.75, [0.8, 0.6, 0.4]), (12, 1.0, [0.4, 0.4, 0.4])):
        way = {"uplink": "beam", "uplink_total": f"{total} Mbit/s"} if up else {}
        way = way or {"downlink": "beam", "downlink_total": f"{total} Mbit/s"}
        rows = list(transmitters(below((8, 6, 4), keys, up=up, shared=bp.SharedLinks(**way))).values())
        assert [row["kind"] for row in rows] == ["beam", "beam", "beam", "total"]
        assert [row["utilisation"] for row in rows] == pytest.approx([*beams, full], rel=0.01)
        assert rows[-1]["name"].startswith("beams > ") if up else rows[-1]["name"].endswith(" > its beams")


def test_a_run_names_the_beam_where_it_is_the_bottleneck(cli: Command, tmp_path: Path) -> None:
    (tmp_path / "full.toml").write_text(homes({"a": 20, "d": 20}).to_toml())
    printed = cli("run", "full.toml").stdout
    assert "bottleneck satellite > the cell rioja (beam): utilisation 100.0 %" in printed
    assert "shared transmitters" not in printed  # it is the only one
    # An unshared link can be fuller than a beam of which half is used. The server's own link is not counted.
    keys: tuple[dict[str, Any], ...] = ({"cell": "north"}, {"cell": "north"}, {})
    (tmp_path / "own.toml").write_text(below((2, 2, 9), keys, shared=bp.SharedLinks(downlink="beam")).to_toml())
    printed = cli("run", "own.toml").stdout
    assert f"> {list(TERMINALS)[2]}: utilisation 90" in printed
    assert "shared transmitters: satellite > the cell north 40 %" in printed


def test_a_load_on_a_cell_is_too_much_where_the_warning_says_so() -> None:
    """Four sites at 0.4 each offer 1.6 times the beam's rate. The backlog grows by 0.6 of 24 Mbit/s, 1.8 MB/s."""
    scenario = homes({})
    scenario.traffic = [
        bp.Traffic(
            matrix="pairs",
            pairs=[("server", name) for name in HOMES],
            kind="transfers",
            controller="cubic",
            size="30 kB",
            load=0.4,
        )
    ]
    run = bp.run(scenario)
    (said,) = (line for line in run.warnings if "whether or not earlier visits are over" in line)
    assert 'offer 38.4 Mbit/s to "satellite > the cell rioja", which carries 24 Mbit/s (load 1.6)' in said
    assert "grows by 1.800 MB/s" in said
    (beam,) = run.summary["transmitters"]
    assert beam["utilisation"] > 0.97
