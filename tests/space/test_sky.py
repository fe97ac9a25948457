# SPDX-License-Identifier: MIT OR Apache-2.0
"""Constellations from Python. Each view is compared with a second way to compute the same result."""

from __future__ import annotations

import itertools
import json
import re
import sys
from datetime import datetime
from pathlib import Path

import networkx as nx
import pyarrow.parquet as pq
import pytest

import bentpipe as bp
from project import ROOT, Command

STARLINK = ROOT / "data" / "starlink_2022-09-14.tle"
C_KM_S = 299_792.458


@pytest.fixture(scope="module")
def starlink() -> bp.Sky:
    return bp.constellation("starlink-flown")


def test_satellites_and_links_are_tables(starlink: bp.Sky) -> None:
    satellites, links = starlink.satellites("60 s"), starlink.links("60 s")
    assert len(satellites) == 1296
    # In a grid every satellite has four links, and each link has two ends: 1296 x 4 / 2.
    assert len(links) == 2592
    for x, y, z, height in zip(*(satellites[c] for c in ("x_km", "y_km", "z_km", "altitude_km")), strict=True):
        assert abs((x * x + y * y + z * z) ** 0.5 - 6378.137 - 547.0) < 1e-6
        # The ellipsoid is up to 21.4 km x sin^2(53 deg) below the equator's radius.
        assert 547.0 - 1e-6 <= height <= 547.0 + 13.7
    for length, delay in zip(links["length_km"], links["delay_ms"], strict=True):
        assert delay == pytest.approx(length / C_KM_S * 1e3, rel=1e-12)


def test_k_shortest_are_those_of_networkx(starlink: bp.Sky) -> None:
    pair = ("London", "Johannesburg")
    graph = starlink.graph(at="100 s", sites=pair)
    assert graph.nodes["London"]["kind"] == "site"
    ours = starlink.shortest(*pair, at="100 s", k=12)
    theirs = itertools.islice(nx.shortest_simple_paths(graph, *pair, weight="delay_ms"), 12)
    for nodes, one_way, way in zip(ours["nodes"], ours["one_way_delay_ms"], theirs, strict=True):
        assert [pair[0], *nodes[1:-1], pair[1]] == way
        assert one_way == pytest.approx(nx.path_weight(graph, way, "delay_ms"), abs=2e-6)


def test_a_graph_without_networkx_says_what_to_install(starlink: bp.Sky, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "networkx", None)
    with pytest.raises(ImportError, match=r"bentpipe\[networkx\]"):
        starlink.graph()


def test_same_names_on_the_ground_stay_apart(tmp_path: Path) -> None:
    (tmp_path / "lab.toml").write_text(
        '[network.constellation]\npreset = "oneweb"\npops = [{ name = "Paris" }]\n'
        'gateways = [{ name = "Paris", pop = "Paris" }]\n'
    )
    graph = bp.constellation(tmp_path / "lab.toml").graph(sites=["Paris"])
    kinds = {key: row["kind"] for key, row in graph.nodes.items() if isinstance(key, str)}
    assert kinds == {"Paris (gateway)": "gateway", "Paris (pop)": "pop", "Paris": "site"}
    # The gateway's fibre has length 0 and leads to its point of presence.
    assert graph.edges["Paris (gateway)", "Paris (pop)"]["delay_ms"] == 0


@pytest.mark.parametrize("threads", [0, -1])
def test_a_survey_needs_a_thread(starlink: bp.Sky, tmp_path: Path, threads: int) -> None:
    with pytest.raises(ValueError, match="at least 1"):
        starlink.routes(["London"], threads=threads)
    with pytest.raises(ValueError, match="at least 1"):
        starlink.write_routes(tmp_path / "routes.parquet", ["London"], threads=threads)
    assert not any(tmp_path.iterdir())


def test_a_place_has_no_path_to_itself(starlink: bp.Sky) -> None:
    for look in (
        lambda: starlink.paths([("New York", "London"), ("Paris", "Paris")]),
        lambda: starlink.switches("Paris", "Paris"),
        lambda: starlink.shortest("Paris", "Paris"),
    ):
        with pytest.raises(bp.ScenarioError, match="from Paris to itself"):
            look()


def test_many_pairs_are_each_pair(starlink: bp.Sky) -> None:
    pairs = [("New York", "London"), ("London", "New York"), ("Sydney", "Tokyo")]
    every = starlink.paths(pairs, duration="1 min", step="20 s")
    assert every["from"] == [origin for origin, _ in pairs for _ in range(4)]
    assert every["time_s"] == [0.0, 20.0, 40.0, 60.0] * 3
    for number, pair in enumerate(pairs):
        alone = starlink.path(*pair, duration="1 min", step="20 s")
        for column in ("via", "propagation_rtt_ms", "hop_km", "hop_doppler_ppm"):
            assert every[column][4 * number : 4 * number + 4] == alone[column]
    for row in every.arrow.to_pylist():
        assert len(row["hop_km"]) == len(row["hop_doppler_ppm"]) == row["links"] == len(row["nodes"]) - 1
        assert row["one_way_delay_ms"] == pytest.approx(sum(row["hop_km"]) / C_KM_S * 1e3, abs=1e-5)
        assert row["rtt_rate_us_s"] == pytest.approx(-2 * sum(row["hop_doppler_ppm"]), abs=1e-9)


@pytest.mark.parametrize(
    ("name", "site", "ppm"),
    # Largest range rates of circular orbits at the lowest elevation, computed independently.
    [
        ("starlink-550", "London", 20.3),
        ("kuiper", "Manila", 18.0),
        ("oneweb", "London", 19.6),
        ("iridium", "Boston", 21.9),
    ],
)
def test_doppler_comes_up_to_its_bound(name: str, site: str, ppm: float) -> None:
    # A bent pipe between neighbours: at times both hops have the lowest possible elevation.
    sky = bp.constellation(name, isl=False)
    near = {"London": "51.5, 0.2", "Manila": "14.7, 121.0", "Boston": "42.4, -71.0"}[site]
    track = sky.path(site, near, duration="3 h", step="5 s")
    most = max(abs(shift) for hops in track["hop_doppler_ppm"] for shift in hops)
    assert most <= ppm + 0.1
    # If there are many satellites, the shortest path avoids low ones. With few satellites it cannot.
    assert most > (0.9 if name == "iridium" else 0.3) * ppm


def test_geostationary_satellites_stand_still() -> None:
    track = bp.constellation("geo").path("New York", "Boston", duration="1 h", step="10 min")
    # A single bent pipe has a round trip of 477.7 to 556 ms.
    assert all(477.7 < rtt < 556 for rtt in track["propagation_rtt_ms"])
    assert all(abs(ppm) < 1e-5 for hops in track["hop_doppler_ppm"] for ppm in hops)
    passes = bp.constellation("geo").passes("New York", duration="10 min")
    assert set(passes["rise_s"]) == set(passes["set_s"]) == {None}


def test_starlinks_passes_last_minutes(starlink: bp.Sky) -> None:
    passes = starlink.passes("Madrid", duration="1 h").arrow.to_pylist()
    lasting = [row["set_s"] - row["rise_s"] for row in passes if None not in (row["rise_s"], row["set_s"])]
    # A pass through the zenith takes 4.7 min at 550 km at the equator. The ellipsoid adds up to 2 %.
    assert 4.6 * 60 < max(lasting) < 4.8 * 60
    assert all(row["rise_s"] is None or row["rise_s"] <= row["culmination_s"] for row in passes)
    assert all(row["max_elevation_deg"] >= 25 - 1e-6 for row in passes)


@pytest.mark.parametrize(
    ("pair", "low", "high", "every"),
    # "Orbits, links and measured behaviour": Hypatia's layout; RTT in ms, seconds between changes.
    [
        (("New York", "London"), 42.6, 46.4, 38),
        (("London", "Singapore"), 80.0, 87.6, 43),
        (("London", "Johannesburg"), 112, 143, 53),
        (("Paris", "Moscow"), 20.7, 22.4, 51),
    ],
)
def test_long_paths_are_as_others_found_them(pair: tuple[str, str], low: float, high: float, every: float) -> None:
    track = bp.constellation("hypatia-starlink-550").path(*pair, duration="1 h", step="1 s")
    # Sites and start time differ from the paper's, so the tolerances are 2 % for the RTT and 15 % for the interval.
    assert min(track["propagation_rtt_ms"]) == pytest.approx(low, rel=0.02)
    assert max(track["propagation_rtt_ms"]) == pytest.approx(high, rel=0.02)
    changes = sum(a != b for a, b in itertools.pairwise(track["via"]))
    assert 3600 / changes == pytest.approx(every, rel=0.15)


def test_routes_lead_where_paths_go(starlink: bp.Sky, tmp_path: Path) -> None:
    sites = ["New York", "London"]
    table = starlink.routes(sites, duration="31 s", step="10 s", threads=2)
    times = sorted(set(table["time_s"]))
    assert times == [0.0, 10.0, 20.0, 30.0]
    forward: dict[tuple[int, int], int | None] = {}
    rows = table.arrow.to_pylist()
    paths = starlink.path(*sites, duration="30 s", step="10 s")["nodes"]
    for time, nodes in zip(times, paths, strict=True):
        changed = {(row["node"], row["site"]): row["next"] for row in rows if row["time_s"] == time}
        assert all(forward.get(key, "new") != value for key, value in changed.items()), "an entry that did not change"
        forward |= changed
        assert len(forward) == 2 * 1297
        way = [1296]
        while way[-1] != 1297:
            step = forward[way[-1], 1]
            assert step is not None
            way.append(step)
        assert way == nodes
    file = starlink.write_routes(tmp_path / "routes.parquet", sites, duration="31 s", step="10 s", threads=1)
    stored = pq.read_table(file)
    assert stored.equals(table.arrow.cast(stored.schema))
    assert json.loads(stored.schema.metadata[b"sites"]) == sites
    with pytest.raises(bp.RunError, match="folder-unwritable"):
        starlink.write_routes(tmp_path / "none" / "routes.parquet", sites, duration="1 s")


def test_switches_are_changes_of_the_path(starlink: bp.Sky) -> None:
    switches = starlink.switches("New York", "London", duration="5 min").arrow.to_pylist()
    assert switches[0]["time_s"] == 0.0
    assert len(switches) > 2
    for switch in switches[1:]:
        assert (switch["time_s"] * 1e3) == pytest.approx(round(switch["time_s"] * 1e3), abs=1e-6)
        before, after = (
            starlink.shortest("New York", "London", at=f"{switch['time_s'] - late:.3f} s")["via"][0]
            for late in (0.001, 0)
        )
        assert before != after == switch["via"]


def test_czml_is_what_a_globe_reads(tmp_path: Path) -> None:
    sky = bp.constellation("iridium")
    file = sky.czml(tmp_path / "sky.czml", duration="10 min", sites=["Paris"], path=("Berkeley", "Boston"))
    document, *packets = json.loads(file.read_text())
    # The document packet is first and has a version: https://github.com/AnalyticalGraphicsInc/czml-writer/wiki.
    assert (document["id"], document["version"]) == ("document", "1.0")
    begin, end = (datetime.fromisoformat(text) for text in document["clock"]["interval"].split("/"))
    assert (end - begin).total_seconds() == 600
    names = [packet["id"] for packet in packets]
    assert len(set(names)) == len(names)
    moving = [packet for packet in packets if "epoch" in packet.get("position", {})]
    assert len(moving) == 66
    for number, packet in enumerate(moving):
        position = packet["position"]
        assert position["referenceFrame"] == "FIXED"
        times, samples = position["cartesian"][::4], position["cartesian"]
        assert times == [60.0 * step for step in range(11)]
        assert len(samples) == 44
        there = sky.satellites("120 s").arrow.slice(number, 1).to_pylist()[0]
        assert samples[9:12] == [pytest.approx(there[axis] * 1e3, abs=0.1) for axis in ("x_km", "y_km", "z_km")]
    assert {"Berkeley", "Boston", "Paris"} <= {packet["name"] for packet in packets}
    lines = [packet for packet in packets if "polyline" in packet]
    for packet in lines:
        for reference in packet["polyline"]["positions"]["references"]:
            node, what = reference.split("#")
            assert node in names
            assert what == "position"
        hidden, *shown = packet["polyline"]["show"]
        assert (hidden["boolean"], {span["boolean"] for span in shown}) == (False, {True})
    ways = [packet["name"] for packet in lines if packet["id"].startswith("path-")]
    assert ways == list(dict.fromkeys(sky.path("Berkeley", "Boston", duration="10 min", step="60 s")["via"]))


def test_what_can_be_named(tmp_path: Path) -> None:
    here = 'sites = [{ name = "Here", latitude = "1 deg", longitude = "2 deg" }]'
    file = tmp_path / "own.toml"
    file.write_text(f'[network.constellation]\npreset = "geo"\n{here}\n')
    assert bp.constellation(file).passes("Here", duration="1 s")["name"]
    built = bp.Constellation(preset="geo", sites=[bp.Site(name="Here", latitude="1 deg", longitude="2 deg")])
    scenario = bp.Scenario(name="s", network=built, flows=[bp.Flow(controller="reno", from_="Here", to="Paris")])
    for what in (built, scenario):
        assert bp.constellation(what).passes("Here", duration="1 s")["name"]
    assert bp.constellation("geo", min_elevation="40 deg").facts["min_elevation_deg"] == 40
    with pytest.raises(bp.ScenarioError, match="scenario-value"):
        bp.constellation(bp.Scenario(name="s", network=bp.Dumbbell(), flows=[]))
    with pytest.raises(TypeError, match="colour"):
        bp.constellation("geo", colour="red")


def test_a_fault_in_a_file_that_a_constellation_names_has_its_line(tmp_path: Path) -> None:
    mask = tmp_path / "mask.csv"
    mask.write_text("azimuth_deg,elevation_deg\n0,10\n400,5\n")
    with pytest.raises(bp.ScenarioError, match=r"mask\.csv:3: 400 is not an azimuth") as refused:
        bp.constellation("starlink", gateways=[bp.Gateway(name="Paris", mask_file=str(mask))])
    assert [(fault.file, fault.line) for fault in refused.value.faults] == [(str(mask), 3)]
    # A constellation that is made in Python has no line numbers that a user knows.
    with pytest.raises(bp.ScenarioError) as refused:
        bp.constellation("geo", min_elevation="400 deg")
    assert [(fault.key, fault.line) for fault in refused.value.faults] == [
        ("network.constellation.min_elevation", None)
    ]


def test_a_pair_of_a_file_that_is_not_known_has_its_line(tmp_path: Path, cli: Command) -> None:
    pairs = tmp_path / "pairs.txt"
    pairs.write_text("# to the west\nLondon:New York\nLondon:Atlantis\n")
    done = cli("path", "--constellation", "starlink", "--pairs", str(pairs))
    assert done.returncode == 2
    assert f'{pairs}:3: cannot find the site "Atlantis"' in done.stderr


def test_a_catalogue_tells_what_it_left_out() -> None:
    sky = bp.constellation(STARLINK)
    # 3,023 sets minus 32 pieces of debris, a satellite of another owner, and one that SGP4 refuses.
    assert sky.facts["satellites"] == 2989
    assert any("STARLINK-4653" in note and "SGP4" in note for note in sky.notes)
    # These elements give 72 planes at 547 km and 53.05 deg.
    largest = sky.facts["shells"][0]
    assert (largest["planes"], round(largest["altitude_km"]), round(largest["inclination_deg"], 2)) == (72, 547, 53.06)
    assert 42 < sky.shortest("New York", "London")["propagation_rtt_ms"][0] < 60
    far = bp.constellation(STARLINK, start="2022-10-14T00:00:00Z", unusable="skip")
    assert any("days" in note and "km" in note for note in far.notes)
    with pytest.raises(bp.ScenarioError, match="orbit-propagation"):
        bp.constellation(STARLINK, unusable="refuse")


def test_a_count_of_paths_is_a_count(starlink: bp.Sky) -> None:
    with pytest.raises(ValueError, match="at least 1"):
        starlink.shortest("New York", "London", k=0)


def test_a_catalogue_is_called_like_its_file(tmp_path: Path, cli: Command) -> None:
    # The file is used even if a preset has the same name.
    lines = (ROOT / "data" / "starlink_2022-09-14.tle").read_text().splitlines()[:3]
    (tmp_path / "iridium.tle").write_text("\n".join(lines) + "\n")
    (tmp_path / "mine.toml").write_text(
        'network.constellation = { catalogue = "iridium.tle", user_link = { rate = "1 Mbit/s" }, isl = false }\n'
    )
    assert bp.constellation(tmp_path / "mine.toml").name == "iridium"
    done = cli("constellations", "iridium.tle", "--out", "map.svg")
    assert done.returncode == 0, done.stderr
    assert "source:" not in done.stdout
    assert "inclination deg" not in done.stdout, "one satellite makes no shell: no empty table"
    assert "iridium: 1 satellite, 0 s after the start" in (tmp_path / "map.svg").read_text()


def test_the_share_of_time_with_a_path_is_exact(cli: Command) -> None:
    # The minimum elevation of 20 deg leaves gaps. Samples every second count them in another way.
    options = ("--constellation", "iridium", "--min-elevation", "20 deg", "--duration", "20 min")
    done = cli("path", "Berkeley", "Boston", *options)
    assert done.returncode == 0, done.stderr
    sky = bp.constellation("iridium", min_elevation="20 deg")
    links = sky.path("Berkeley", "Boston", duration="20 min", step="1 s")["links"][:-1]
    (share,) = re.findall(r"a path exists ([\d.]+) % of the time with satellites above 20 deg", done.stdout)
    assert 0.0 < float(share) < 100.0
    assert float(share) == pytest.approx(100.0 * sum(map(bool, links)) / len(links), abs=0.2)


def test_hints_name_the_options_of_the_command(cli: Command, tmp_path: Path) -> None:
    lines = STARLINK.read_text().splitlines()
    (tmp_path / "one.tle").write_text("\n".join(lines[:3]) + "\n")
    alone = ("passes", "Berkeley", "--constellation", "one.tle", "--duration", "1 min")
    refused = cli(*alone)
    assert refused.returncode == 2
    assert "start there with --offset" in refused.stderr
    assert "lower --min-elevation" in refused.stderr
    (when,) = re.findall(r"comes into view ([\d.]+ min) after the start", refused.stderr)
    later = cli(*alone[:-1], "3 min", "--offset", when)
    assert later.returncode == 0, later.stderr
    assert ": 1 pass\n" in later.stdout
