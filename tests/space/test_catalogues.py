# SPDX-License-Identifier: MIT OR Apache-2.0
"""Real catalogues: debris, histories, decayed satellites, names that are not unique, and several formats."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pytest

import bentpipe as bp

ROOT = Path(__file__).resolve().parents[2]
STARLINK = ROOT / "data" / "starlink_2022-09-14.tle"

# Two sets of one object are ten days apart. At noon of the older set's day, `sgp4` 2.27 and skyfield 1.55 have the
# older set at latitude 80.252, and the newer set, propagated backwards, at -20.245.
TWICE = """\
BIRD
1 43076U 17083G   25340.48082306  .00000103  00000-0  29798-4 0  9997
2 43076  86.3940  63.0000 0002505  86.4765 273.6717 14.34216701164147
BIRD
1 43076U 17083G   25350.48082306  .00000103  00000-0  29798-4 0  9998
2 43076  86.3940  58.5385 0002505  86.4765 273.6717 14.34216701164142
"""

# With much drag, `sgp4` 2.27 returns error 6 from day 215 to 740, and 28,485 km without an error on day 849.
DRAG = """\
1 45110U 20007A   23232.80903846 0.00110000  00000-0  32750-2 0    04
2 45110  69.9913 111.5649 0009740 159.9373 200.0626 15.34502222    06
"""

WALKER = """\
duration = "5 s"
[network.constellation]
walker = {{ planes = 72, per_plane = 22, inclination = "53 deg", {height} }}
isl = {{ rate = "10 Gbit/s", shift = 0 }}
user_link = {{ rate = "100 Mbit/s" }}
[[flows]]
kind = "ping"
from = "Manila"
to = "Dalian"
"""


def sky(catalogue: Path | str, **keys: Any) -> bp.Sky:
    """Return a bent-pipe constellation from a file."""
    link = bp.Link(rate="10 Mbit/s")
    return bp.constellation(bp.Constellation(catalogue=str(catalogue), isl=False, user_link=link, **keys))


def test_a_run_in_the_past_of_a_history_uses_the_sets_of_its_time(tmp_path: Path) -> None:
    (tmp_path / "twice.tle").write_text(TWICE, encoding="utf-8")
    old = sky(tmp_path / "twice.tle", start="2025-12-06T12:00:00Z")
    assert old.satellites()["latitude_deg"][0] == pytest.approx(80.252, abs=0.2)
    assert "1 set was dropped" in old.notes[0]
    new = sky(tmp_path / "twice.tle", start="2025-12-16T12:00:00Z")
    assert not any("whose epoch is far from" in note for note in new.notes)


def test_debris_carries_no_traffic() -> None:
    found = sky(STARLINK, unusable="skip")
    names = list(found.satellites()["name"])
    assert all(name.startswith("STARLINK-") for name in names)
    # `grep -c` finds 32 names of debris in the file, and there is one other satellite.
    assert "33 objects were left out" in found.notes[0]
    assert "32 debris (FALCON 9 DEB)" in found.notes[0]
    assert "SHERPA-LTC2" in found.notes[0]
    kept = list(sky(STARLINK, unusable="skip", objects="all").satellites()["name"])
    assert len(kept) > len(names)


def test_satellites_with_one_name_are_told_apart(tmp_path: Path) -> None:
    kept = list(sky(STARLINK, unusable="skip", objects="all").satellites()["name"])
    assert len(set(kept)) == len(kept)
    assert any(name.startswith("FALCON 9 DEB (") for name in kept)
    assert "SHERPA-LTC2" in kept
    # All satellites of a catalogue get the same name. The numbers must be the same as with their own names.
    lines = STARLINK.read_text("utf-8").splitlines()
    same = ["STARLINK" if line.startswith("STARLINK") else line for line in lines]
    (tmp_path / "same.tle").write_text("\n".join(same), encoding="utf-8")
    own, one = sky(STARLINK, unusable="skip"), sky(tmp_path / "same.tle", unusable="skip")
    assert list(own.satellites()["x_km"]) == list(one.satellites()["x_km"])
    names = list(one.satellites()["name"])
    assert len(set(names)) == len(names) == len(list(own.satellites()["name"]))
    via = one.path("London", "Paris", duration="10 s")["via"][0]
    assert "STARLINK (" in via


def test_a_decayed_satellite_does_not_come_back(tmp_path: Path) -> None:
    (tmp_path / "drag.tle").write_text(DRAG, encoding="utf-8")
    for start in ("2024-06-20T00:00:00Z", "2025-09-05T00:00:00Z", "2025-12-17T00:00:00Z"):
        with pytest.raises(bp.BentpipeError) as refused:
            sky(tmp_path / "drag.tle", start=start, unusable="skip").satellites()
        assert refused.value.code == "fleet-empty"
        assert "decayed" in str(refused.value)


def test_of_a_height_said_twice_the_contradiction_is_refused(tmp_path: Path) -> None:
    def read(height: str) -> bp.Sky:
        file = tmp_path / "shell.toml"
        file.write_text(WALKER.format(height=height), encoding="utf-8")
        return bp.constellation(str(file))

    # a^3 = mu / n^2: 13.66 revolutions per day are 1,014 km above the equator, 105.4 minutes.
    with pytest.raises(
        bp.ScenarioError, match=r"at 13\.66 revolutions per day the altitude is 1014\.0 km, and `altitude` is 550\.0 km"
    ):
        read('altitude = "550 km", mean_motion = 13.66')
    radius_km = (398_600.4418 / (13.66 * 2 * math.pi / 86_400) ** 2) ** (1 / 3)
    for height in ("mean_motion = 13.66", 'altitude = "1014 km", mean_motion = 13.66'):
        found = read(height)
        assert found.facts["shells"][0]["altitude_km"] == pytest.approx(radius_km - 6378.137, abs=0.1)
        assert found.facts["shells"][0]["period_s"] == pytest.approx(86_400 / 13.66, abs=0.5)
    for height, words in (
        ('altitude = "150 km"', "within 160 km"),
        ("mean_motion = 16.9", "inside the atmosphere"),
        ("mean_motion = 15.0, eccentricity = 0.1", "inside the atmosphere"),
        ('first_node = "0 deg"', "needs the altitude"),
    ):
        with pytest.raises(bp.ScenarioError, match=words):
            read(height)


def test_two_shells_do_not_share_a_name(tmp_path: Path) -> None:
    shell = 'name = "one", walker = { planes = 2, per_plane = 3, altitude = "550 km", inclination = "53 deg" }'
    file = tmp_path / "two.toml"
    text = f"[network.constellation]\nshells = [{{ {shell} }}, {{ {shell} }}]\nuser_link = {{ rate = '1 Mbit/s' }}\n"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(bp.ScenarioError, match='two shells are named "one"'):
        bp.constellation(str(file))


def test_an_object_of_two_files_flies_once(tmp_path: Path) -> None:
    for name in ("a.tle", "b.tle"):
        (tmp_path / name).write_text("\n".join(TWICE.splitlines()[:3]), encoding="utf-8")
    shells = [bp.Shell(catalogue=str(tmp_path / name)) for name in ("a.tle", "b.tle")]
    link = bp.Link(rate="10 Mbit/s")
    with pytest.raises(
        bp.BentpipeError, match="element sets of these satellites that are nearer to the start of the run: BIRD"
    ):
        bp.constellation(bp.Constellation(shells=shells, isl=False, user_link=link)).satellites()


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("a.csv", "", "the table is empty"),
        ("a.csv", "OBJECT_NAME;NORAD_CAT_ID\nA;1\n", "separated by semicolons"),
        ("a.csv", "object_name,norad_cat_id\nA,1\n", "in lower case"),
        ("a.json", "ISS\n", "not JSON"),
        ("a.xml", "<ndm>", "not XML"),
        ("a.kvn", "ISS\n", "KEYWORD = value"),
        ("a.tle", TWICE.replace("25340.48082306", "25000.00000000").replace("9997\n", "9999\n"), "epoch day is 000"),
    ],
)
def test_messages_name_the_format_of_the_file(tmp_path: Path, name: str, text: str, words: str) -> None:
    (tmp_path / name).write_text(text, encoding="utf-8")
    with pytest.raises(bp.BentpipeError, match=words):
        bp.constellation(str(tmp_path / name)).satellites()
