# SPDX-License-Identifier: MIT OR Apache-2.0
"""Link budgets on the command line and in runs: what is printed adds up, and a run has the budget's rate."""

from __future__ import annotations

import csv
import json
import math
from functools import cache
from typing import TYPE_CHECKING, Any

import pytest

import bentpipe as bp
from project import ROOT

if TYPE_CHECKING:
    from pathlib import Path

SHEET = """availability = [99.0, 99.9, 99.99]
[budget]
bandwidth = "36 MHz"
[budget.down]
frequency = "19.7 GHz"
eirp = "60 dBW"
g_over_t = "17 dB/K"
c_over_i = "20 dB"
losses = "0.5 dB"
antenna = "0.75 m"
noise_temperature = "150 K"
elevation = "35 deg"
latitude = "50.1 deg"
rain = { rate_001 = "28 mm/h", height = "3 km" }
"""

#: A hop that changes nothing: so strong that the ladder's highest rung holds at any time.
STRONG: dict[str, Any] = {
    "frequency": "12 GHz",
    "eirp": "70 dBW",
    "g_over_t": "20 dB/K",
    "elevation": "40 deg",
    "latitude": "45 deg",
}


def sheet(cli: Any, folder: Path, text: str = SHEET) -> dict[str, Any]:
    file = folder / "sheet.toml"
    file.write_text(text)
    answer = cli("link-budget", file, "--json")
    assert answer.returncode == 0
    found: dict[str, Any] = json.loads(answer.stdout)
    return found


def test_the_lines_add_up(cli: Any, tmp_path: Path) -> None:
    budget = sheet(cli, tmp_path)
    clear, *rainy = budget["states"]
    (common,) = budget["hops"]
    for state in budget["states"]:
        (hop,) = state["hops"]
        # Boltzmann's constant is 1.380649e-23 J/K: -228.599 dBW/K/Hz.
        c_n0 = 60 - hop["free_space_db"] - hop["atmosphere_db"] - 0.5 + 17 - hop["noise_rise_db"] + 228.5992
        assert hop["c_n0_db_hz"] == pytest.approx(c_n0, abs=1e-4)
        # 36 MHz with a roll-off of 0.2 are 30 Msymbol/s: 74.7712 dBHz.
        assert hop["c_n_db"] == pytest.approx(c_n0 - 74.7712, abs=1e-3)
        assert 10 ** (-state["es_n0_db"] / 10) == pytest.approx(10 ** (-hop["c_n_db"] / 10) + 0.01)
    assert [state["rate_mbit_s"] for state in rainy] == sorted((s["rate_mbit_s"] for s in rainy), reverse=True)
    assert clear["hops"][0]["rain_db"] == 0 < rainy[0]["hops"][0]["rain_db"]
    assert common["range_km"] == pytest.approx(38173, rel=1e-3)


#: The Python package itur 0.4.0 (Inigo del Portillo, MIT; another code of P.618-13) with its own rain rates (P.837) and
#: heights (P.839): `rain_attenuation(lat, lon, f, el, hs=0, p, R001, tau=45)` for 1, 0.1 and 0.01 %, in dB.
#: Place, latitude in degrees, GHz, elevation in degrees, mm/h, km.
ITUR = [
    ("London", 51.5, 18.7, 30.4422, 26.4750, 2.4543, (0.892, 3.742, 11.065)),
    ("London", 51.5, 29.5, 30.4422, 26.4750, 2.4543, (2.212, 8.586, 23.484)),
    ("Singapore", 1.35, 19.7, 82.9884, 100.1469, 4.9721, (4.496, 23.447, 42.255)),
    ("Miami", 25.8, 28.5, 54.4944, 78.1495, 4.5686, (6.262, 24.224, 55.600)),
    ("Madrid", 40.4, 12.5, 36.0362, 25.1081, 3.0048, (0.350, 1.593, 5.103)),
]


@pytest.mark.parametrize(("place", "latitude", "ghz", "elevation", "rate", "height", "wanted_db"), ITUR)
def test_rain_is_that_of_another_code(
    cli: Any,
    tmp_path: Path,
    place: str,
    latitude: float,
    ghz: float,
    elevation: float,
    rate: float,
    height: float,
    wanted_db: tuple[float, ...],
) -> None:
    text = SHEET.replace("19.7 GHz", f"{ghz} GHz").replace("35 deg", f"{elevation} deg")
    text = text.replace("50.1 deg", f"{latitude} deg").replace("28 mm/h", f"{rate} mm/h")
    _, *rainy = sheet(cli, tmp_path, text.replace("3 km", f"{height} km"))["states"]
    found_db = [state["hops"][0]["rain_db"] for state in rainy]
    assert found_db == pytest.approx(list(wanted_db), abs=0.01), place


def test_beyond_the_ladder_is_said_to_be_an_outage(cli: Any, tmp_path: Path) -> None:
    file = tmp_path / "weak.toml"
    file.write_text(SHEET.replace("60 dBW", "48 dBW"))
    answer = cli("link-budget", file)
    assert answer.returncode == 0
    assert "outage" in answer.stdout
    assert "below the lowest rung of dvb-s2x with its margin of 1 dB" in answer.stdout
    assert sheet(cli, tmp_path, file.read_text())["states"][-1]["rate_mbit_s"] == 0


def test_a_wrong_file_ends_with_key_line_bound_and_fix(cli: Any, tmp_path: Path) -> None:
    file = tmp_path / "bad.toml"
    file.write_text(SHEET.replace('"35 deg"', '"3 deg"'))
    answer = cli("link-budget", file)
    assert answer.returncode == 2
    message = 'budget.down.elevation: "3 deg" is too small: it must be within 5 deg and 90 deg'
    assert f"{file}:12: {message}" in answer.stderr
    gone = cli("link-budget", tmp_path / "none.toml")
    assert gone.returncode == 2
    assert "there is no such file" in gone.stderr


def greedy(budget: dict[str, Any], duration: str = "20 s", seed: int = 1) -> bp.Run:
    """Datagrams faster than the link through one with this budget."""
    network = bp.Dumbbell(budget=budget, delay="250 ms", queue="50 packets", reverse=bp.Link(rate="10 Mbit/s"))
    flow = bp.Flow(kind="cbr", rate="20 Mbit/s", packet="1500 B")
    return bp.run(bp.Scenario(name="greedy", duration=duration, seed=seed, network=network, flows=[flow]))


def test_a_run_has_the_rate_of_the_modulation_and_code() -> None:
    # The highest rung of DVB-S2, 32APSK 9/10: 4.453027 bit for each of 2 million symbols (EN 302 307-1, table 13).
    run = greedy({"bandwidth": "2.4 MHz", "modcods": "dvb-s2", "down": STRONG})
    (flow,) = run.summary["flows"]
    carried = flow["delivered_packets"] * 1500 * 8 / (20 - 0.25) / 1e6
    assert carried == pytest.approx(4.453027 * 2, rel=2e-3)
    assert run.summary["totals"]["loss_ratio_error"] == 0


def test_an_outage_carries_nothing() -> None:
    rain = {"rate_001": "28 mm/h", "height": "3 km", "start": "60 dB"}
    budget = {"bandwidth": "2.4 MHz", "down": STRONG | {"eirp": "45 dBW", "rain": rain}}
    (flow,) = greedy(budget, "10 s").summary["flows"]
    assert flow["delivered_packets"] == 0


def test_the_rate_follows_the_seed_alone(tmp_path: Path) -> None:
    one, same, other = (series(tmp_path / name, seed) for name, seed in (("a", 1), ("b", 1), ("c", 2)))
    assert one == same != other
    # It moves on the ladder: more than one rung in two minutes of rain.
    rates = {line.split(",")[1] for line in one.decode().splitlines()[1:]}
    assert len(rates) > 1


def test_a_modem_that_is_late_loses_whole_frames() -> None:
    def lost(margin: str) -> int:
        budget = rainy() | {"margin": margin, "reaction": "2 s"}
        totals = greedy(budget, "120 s").summary["totals"]
        return round(totals["sent_packets"] * totals["loss_ratio_error"])

    # Without a margin every step down the ladder is late by 2 s, in which hundreds of packets are lost; 6 dB spare all.
    assert lost("0 dB") > 500
    assert lost("6 dB") == 0


def series(folder: Path, seed: int) -> bytes:
    """The rate of the rainy link over two minutes."""
    flow = bp.Flow(controller="cubic")
    network = bp.Dumbbell(budget=rainy(), rtt="500 ms", reverse=bp.Link(rate="10 Mbit/s"))
    scenario = bp.Scenario(name="rain", duration="120 s", seed=seed, network=network, flows=[flow])
    made = bp.export(scenario, folder, format="csv", direction="forward", step="1 s")
    return made.files[0].read_bytes()


def rainy() -> dict[str, Any]:
    rain = {"rate_001": "60 mm/h", "height": "4 km", "start": "9 dB"}
    return {"bandwidth": "2.4 MHz", "down": STRONG | {"frequency": "20 GHz", "eirp": "50 dBW", "rain": rain}}


def test_the_scenario_in_rain_runs() -> None:
    run = bp.run(ROOT / "scenarios" / "geo-rain.toml", duration="60 s")
    (flow,) = run.summary["flows"]
    assert flow["goodput_mbit_s"] > 1


RAIN = ROOT / "scenarios" / "geo-rain.toml"


@cache
def morning() -> bp.Run:
    return bp.run(RAIN, duration="500 s")


@pytest.mark.parametrize("at", [0.0, 100.0, 395.0, 450.25])
def test_a_scenario_is_told_as_its_run_has_it(cli: Any, at: float) -> None:
    """Each link's rate is that which its packets meet then, and the lines add up to the Es/N0 of the run."""
    answer = cli("link-budget", RAIN, "--at", f"{at:g} s", "--json")
    assert answer.returncode == 0
    links = json.loads(answer.stdout)
    assert [one["link"] for one in links] == ["left > right", "right > left"]
    for one, direction in zip(links, ("forward", "return"), strict=True):
        (row,) = (
            row
            for row in morning().weather.arrow.to_pylist()
            if row["name"] == one["link"] and row["time_s"] <= at < row["until_s"]
        )
        clear, now = one["states"]
        assert now["modcod"] == row["modcod"]
        assert now["rate_mbit_s"] == row["rate_mbit_s"]
        assert now["es_n0_db"] == pytest.approx(row["es_n0_db"], abs=1e-9)
        assert clear["es_n0_db"] - now["es_n0_db"] == pytest.approx(row["fade_db"], abs=1e-9)
        assert [hop["rain_db"] for hop in now["hops"]] == pytest.approx([row["rain_up_db"], row["rain_down_db"]])
        path = bp.path_trace(RAIN, direction=direction, duration=f"{at + 0.02:g} s", step="10 ms")
        met = dict(zip((round(time, 3) for time in path["time_s"]), path["rate_mbit_s"], strict=True))[round(at, 3)]
        assert one["frames_lost"] == (met is None)
        assert met is None or now["rate_mbit_s"] == pytest.approx(met, abs=1e-5)
        symbols_db = 10 * math.log10(one["symbols_mbaud"] * 1e6)
        noise = 0.0
        for hop, line in zip(one["hops"], now["hops"], strict=True):
            lost_db = (
                line["free_space_db"] + line["gas_db"] + line["rain_db"] + line["noise_rise_db"] + hop["losses_db"]
            )
            c_n_db = hop["eirp_dbw"] - lost_db + hop["g_over_t_db_k"] + 228.599167 - symbols_db
            noise += sum(10 ** (-db / 10) for db in (c_n_db, hop["c_over_i_db"]) if db is not None)
        assert now["es_n0_db"] == pytest.approx(-10 * math.log10(noise), abs=1e-4)


def test_the_table_of_a_scenario_has_all_links_as_numbers(cli: Any, tmp_path: Path) -> None:
    answer = cli("link-budget", RAIN, "--at", "450 s", "--csv", tmp_path / "budgets.csv")
    assert answer.returncode == 0
    with (tmp_path / "budgets.csv").open() as file:
        rows = list(csv.DictReader(file))
    links = ["left > right", "right > left"]
    assert [(row["link"], row["weather"]) for row in rows] == [
        (link, weather) for link in links for weather in ("clear sky", "at 450 s")
    ]
    known = {one["link"]: one for one in bp.link_budgets(RAIN, at="450 s")}
    for row in rows:
        state = known[row["link"]]["states"][row["weather"] != "clear sky"]
        assert float(row["rate Mbit/s"]) == pytest.approx(state["rate_mbit_s"], abs=0.006)
        assert float(row["down: rain dB"]) == pytest.approx(state["hops"][1]["rain_db"], abs=0.006)


def test_a_scenario_is_printed_link_by_link(cli: Any) -> None:
    answer = cli("link-budget", RAIN, "--at", "450 s", "--link", "right > left")
    assert answer.returncode == 0
    lines = answer.stdout.splitlines()
    assert lines[0] == "right > left"
    (head,) = (line for line in lines if "clear sky" in line)
    assert "at 450 s" in head
    assert "- at 450 s: outage. Es/N0 is" in answer.stdout
    assert answer.stdout.count("EIRP dBW") == 2


def test_another_seed_is_another_rain() -> None:
    one, same, other = (
        bp.link_budgets(RAIN, at="300 s", link="left > right", seed=seed)[0]["states"] for seed in (1, 1, 2)
    )
    assert one == same
    assert one[0] == other[0]
    assert one[1] != other[1]


@pytest.mark.parametrize(
    ("file", "options", "message"),
    [
        ("geo-dama.toml", (), "no link has a budget (for a link, write budget = { bandwidth = "),
        (
            "geo-rain.toml",
            ("--at", "900 s"),
            "15 min is not before the end of the run, which lasts 15 min (write an earlier moment",
        ),
        (
            "geo-rain.toml",
            ("--link", "left"),
            'no link "left" has a budget at 0 s (links with a budget are left > right, right > left)',
        ),
        ("geo-rain.toml", ("--at", "soon"), "soon"),
    ],
)
def test_what_a_scenario_cannot_tell(cli: Any, file: str, options: tuple[str, ...], message: str) -> None:
    answer = cli("link-budget", ROOT / "scenarios" / file, *options)
    assert answer.returncode == 2
    assert message in answer.stderr


def test_a_file_of_a_budget_has_no_moment(cli: Any, tmp_path: Path) -> None:
    (tmp_path / "sheet.toml").write_text(SHEET)
    for option in (("--at", "30 s"), ("--link", "left > right"), ("--seed", "2")):
        answer = cli("link-budget", tmp_path / "sheet.toml", *option)
        assert answer.returncode == 2
        assert f"{option[0]} applies only to scenarios" in answer.stderr


#: Two equal branches in rain. CELL is a key of the rain.
EQUAL = """\
duration = "120 s"
network.star.branches = [
  { site = "user", count = 2, delay = "125 ms", budget = { bandwidth = "10 MHz", down = { frequency = "19.7 GHz", \
eirp = "50 dBW", g_over_t = "17 dB/K", elevation = "35 deg", latitude = "50 deg", rain = { rate_001 = "60 mm/h", \
height = "3 km", start = "6 dB"CELL } } } },
  { site = "server", rate = "100 Mbit/s", delay = "1 ms" },
]
flows = [{ kind = "ping", from = "server", to = "user *", interval = "1 s" }]
"""


def test_equal_branches_have_independent_rain() -> None:
    def means(cell: str) -> tuple[list[float], bool]:
        run = bp.run(EQUAL.replace("CELL", cell))
        budgets = [link["budget"]["mean_mbit_s"] for link in run.summary["links"] if "hub > user" in link["name"]]
        noted = 'assumed: each of the 2 sites "user 1" to "user 2" has its own independent rain'
        return budgets, any(note.startswith(noted) for note in run.provenance.get("path_notes", []))

    (one, other), is_noted = means("")
    assert one != other
    assert is_noted
    (one, other), is_noted = means(', cell = "valley"')
    assert one == other
    assert not is_noted
