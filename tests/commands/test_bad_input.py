# SPDX-License-Identifier: MIT OR Apache-2.0
"""Bad input: the error code, the exit code, and the words of the message. There is never a traceback."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

import bentpipe as bp
import needs
from project import ROOT, SMALL, Command

ORBIT = """
name = "orbit"
duration = "2 s"
[network.constellation]
preset = "iridium"
[[flows]]
from = "Berkeley"
to = "Boston"
controller = "reno"
"""

# For each case: the text, the error code, and words of the message (what is wrong, and how to fix it).
CASES = {
    "not TOML": ("name = \n", "scenario-syntax", ["bad.toml:1:"]),
    "unknown key": (
        SMALL.replace("duration", "durration"),
        "scenario-unknown-key",
        ["durration", "did you mean", "bad.toml:3:"],
    ),
    "missing key": (SMALL.replace('rate = "5 Mbit/s", ', ""), "scenario-missing-key", ["rate"]),
    "no flows": (SMALL.replace("flows =", "flowz ="), "scenario-unknown-key", ["flowz", "flows"]),
    "bare number": (SMALL.replace('"5 Mbit/s"', "5"), "scenario-wrong-type", ["rate", '"5 Mbit/s"']),
    "no unit": (SMALL.replace("5 Mbit/s", "5"), "unit-syntax", ["rate", "5", "Mbit/s"]),
    "wrong unit": (SMALL.replace("5 Mbit/s", "5 ms"), "unit-unknown", ["rate", "ms", "bit/s"]),
    "negative": (SMALL.replace("5 Mbit/s", "-5 Mbit/s"), "unit-range", ["rate", "-5"]),
    "zero duration": (SMALL.replace('"2 s"', '"0 s"'), "scenario-value", ["duration"]),
    "absurd duration": (SMALL.replace('"2 s"', '"400 d"'), "scenario-value", ["duration", "30 d"]),
    "loss above one": (SMALL.replace("rtt", "loss = { per = 1.5 }, rtt"), "scenario-value", ["per", "1.5"]),
    "two networks": (SMALL + "\n[network.chain]\nlinks = 3\n", "scenario-", []),
    "a key of a table below": (
        SMALL.replace("rtt", "per = 0.1, rtt"),
        "scenario-unknown-key",
        ["unknown key `per`", "did you mean `loss.per`?"],
    ),
    "a key of the network's table": (
        f"network.loss.per = 0.1\n{SMALL}",
        "scenario-unknown-key",
        ["unknown key `loss`", "did you mean `dumbbell.loss`?"],
    ),
    "unknown controller": (SMALL.replace("reno", "hyblo"), "controller-unknown", ["hyblo", "hybla"]),
    "unknown parameter": (
        SMALL.replace('"reno"', '{ name = "cubic", betta = 0.7 }'),
        "parameter-unknown",
        ["betta", "beta"],
    ),
    "bad parameter": (SMALL.replace('"reno"', '{ name = "cubic", beta = 7.0 }'), "parameter-value", ["beta", "7"]),
    "probes without SACK": (
        SMALL.replace("reno", "peach") + '\n[tcp]\nrecovery = "newreno"\n',
        "signal-missing",
        ["peach", "low-priority probes"],
    ),
    "a proxy's controller without marks": (
        SMALL.replace("reno", "cubic").replace("flows = [{ ", 'flows = [{ access.delay = "1 ms", ')
        + '\n[[peps]]\nat = ["left"]\nbuffer = "1 MB"\ncontroller = "prague"\n',
        "signal-missing",
        ["peps[0].controller", 'ecn = "accurate-l4s"', 'discipline = "dualpi2"'],
    ),
    "unknown preset": (ORBIT.replace("iridium", "iridum"), "preset-unknown", ["iridum", "iridium"]),
    "unknown city": (ORBIT.replace("Berkeley", "Berkley"), "site-unknown", ["Berkley", "Berkeley"]),
    "unknown site of a plain shape": (
        SMALL.replace('controller = "reno"', 'controller = "reno", from = "lefft"'),
        "site-unknown",
        ["lefft", "left"],
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_scenario(cli: Command, tmp_path: Path, name: str) -> None:
    text, code, words = CASES[name]
    (tmp_path / "bad.toml").write_text(text)
    done = cli("run", "bad.toml")
    assert done.returncode == 2, done.stderr
    assert done.stdout == ""
    assert done.stderr.startswith(f"error[{code}")
    assert "Traceback" not in done.stderr
    for word in words:
        assert word in done.stderr


@pytest.mark.parametrize("command", ["run", "compare --controllers reno", "which", "export --format csv --out out"])
def test_a_capture_in_place_of_a_scenario(cli: Command, tmp_path: Path, command: str) -> None:
    for name, begin in (("small.pcap", "d4c3b2a1"), ("large.pcapng", "0a0d0d0a")):
        (tmp_path / name).write_bytes(bytes.fromhex(begin) + b"\xff" * (17_000_000 if name.startswith("large") else 9))
        done = cli(*command.split(), name)
        assert (done.returncode, done.stdout) == (2, "")
        assert f"{name} is a capture, not a scenario (convert it: bentpipe import {name} --out" in done.stderr


def test_a_measurement_in_place_of_a_path_trace(cli: Command, tmp_path: Path) -> None:
    (tmp_path / "log").write_text("64 bytes from 1.1.1.1: icmp_seq=1 ttl=63 time=40.0 ms\n")
    (tmp_path / "packets").write_bytes(bytes.fromhex("0a0d0d0affff"))
    for name in ("log", "packets"):
        (tmp_path / "bad.toml").write_text(SMALL.replace("rtt", f'path_trace = "{name}", rtt'))
        done = cli("run", "bad.toml")
        assert done.returncode == 2
        assert "`bentpipe import`" in done.stderr


def test_a_duration_without_unit(cli: Command, small: Path) -> None:
    done = cli("run", small, "--duration", "10")
    assert done.returncode == 2
    assert 'argument --duration: "10" has no unit (write "10 s")' in done.stderr
    with pytest.raises(bp.ArgumentError, match=re.escape('(write duration="10 s")')):
        bp.run(SMALL, duration="10")


def test_nothing_there(cli: Command) -> None:
    done = cli("run", "nowhere.toml")
    assert done.returncode == 2
    assert done.stderr.startswith("error[scenario-unreadable]: ")
    assert "nowhere.toml" in done.stderr


def test_not_text(cli: Command, tmp_path: Path) -> None:
    (tmp_path / "bad.toml").write_bytes(b"\xff\xfe\x00")
    assert cli("run", "bad.toml").stderr.startswith("error[scenario-unreadable]: ")


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (["Atlantis", "Boston", "--constellation", "iridium"], "site-unknown", ["Atlantis"]),
        (["Berkeley", "Boston", "--constellation", "irridium"], "preset-unknown", ["iridium"]),
        (["Berkeley", "Boston", "--constellation", "iridium", "--duration", "1 parsec"], "usage", ["parsec"]),
        (["95, 0", "Boston", "--constellation", "iridium"], "unit-range", ["95", "90"]),
        # A bent pipe does not cross an ocean.
        (["London", "Tokyo", "--constellation", "oneweb"], "no-path", ["London", "Tokyo", "`isl`"]),
        # With an inclination of 53 degrees and elevations above 25 degrees, no place beyond 62 degrees of latitude is
        # covered.
        (
            ["82.5, -62.3", "Boston", "--constellation", "starlink-550"],
            "no-satellite-in-view",
            ["82.5", "lower --min-elevation"],
        ),
        (["Berkeley", "Boston", "--constellation", "none.tle"], "scenario-unreadable", ["none.tle"]),
        (["Berkeley", "Boston", "--constellation", "none.toml"], "scenario-unreadable", ["none.toml"]),
        (["Berkeley", "Boston", "--constellation", "iridium", "--out", "x.txt"], "argument-value", [".png"]),
        (
            ["Berkeley", "Boston", "--constellation", "iridium", "--start", "2022-01-01T00:00:00Z"],
            "scenario-value",
            ["start"],
        ),
        (["--pairs", "none.txt", "--constellation", "iridium"], "scenario-unreadable", ["none.txt"]),
    ],
)
def test_path(cli: Command, arguments: list[str], code: str, words: list[str]) -> None:
    done = cli("path", *arguments)
    assert done.returncode == 2, done.stderr
    assert done.stderr.startswith(f"error[{code}]: ")
    for word in words:
        assert word in done.stderr


LONE = """
[network.constellation]
walker = { planes = 1, per_plane = 1, altitude = "780 km", inclination = "90 deg" }
min_elevation = "10 deg"
isl = false
user_link = { rate = "1 Mbit/s" }
"""


def test_a_place_without_coverage_is_told_of_the_next(cli: Command, tmp_path: Path) -> None:
    (tmp_path / "lone.toml").write_text(LONE)
    rise = bp.constellation(tmp_path / "lone.toml").passes("Boston", duration="1 d")["rise_s"][0]
    done = cli("path", "Boston", "New York", "--constellation", "lone.toml", "--duration", "1 min")
    assert done.returncode == 2
    assert done.stderr.startswith("error[no-satellite-in-view]: Boston sees no satellite")
    # The search for the next satellite has steps of 30 s.
    number, unit = done.stderr.split("comes into view ")[1].split()[:2]
    assert rise <= float(number) * {"s": 1, "min": 60, "h": 3600}[unit] <= rise + 30
    passes = cli("passes", "Boston", "--constellation", "lone.toml", "--duration", "1 min")
    assert (passes.returncode, passes.stderr) == (2, done.stderr)


def test_of_many_pairs_the_unreachable_are_named_and_the_others_shown(cli: Command) -> None:
    done = cli("path", "--pair", "London:Tokyo", "--pair", "London:Paris", "--pair", "Paris:Tokyo",
               "--constellation", "oneweb", "--duration", "1 min")  # fmt: skip
    assert done.returncode == 2
    assert "London to Paris" in done.stdout
    for origin in ("London", "Paris"):
        assert f"error[no-path]: {origin} and Tokyo are not connected" in done.stderr


def test_links_to_satellites_that_are_not_there(cli: Command, tmp_path: Path) -> None:
    links = 'isl = { rate = "1 Mbit/s", pairs = [[0, 7]] }'
    (tmp_path / "links.toml").write_text(LONE.replace("isl = false", links))
    done = cli("path", "Boston", "New York", "--constellation", "links.toml")
    assert done.returncode == 2
    assert "0 and 7" in done.stderr
    assert "have the numbers 0 to 0" in done.stderr


def test_catalogues_with_faults(cli: Command, tmp_path: Path) -> None:
    look = ("--duration", "1 min", "--constellation")
    pair = ("London", "Paris")
    lines = (ROOT / "data" / "starlink_2022-09-14.tle").read_text().splitlines()
    # Duplicates are dropped, with a note.
    (tmp_path / "twice.tle").write_text("\n".join([*lines[:3000], *lines[:3]]) + "\n")
    done = cli("constellations", "twice.tle")
    assert done.returncode == 0, done.stderr
    assert "note: " in done.stderr
    assert "1 set was dropped" in done.stderr
    # Far from the epochs, a warning states the expected error.
    done = cli("constellations", ROOT / "data" / "oneweb_2022-09-14.tle", "--start", "2022-10-14T00:00:00Z")
    assert "whose epoch is far from" in done.stderr
    assert "others are unknown" in done.stderr
    # Satellites that cannot be propagated are left out, or refused if this is requested.
    everything = ROOT / "data" / "starlink_2022-09-14.tle"
    done = cli("path", *pair, *look, everything, "--unusable", "refuse")
    assert done.returncode == 2, done.stderr
    assert done.stderr.startswith("error[orbit-propagation]: ")
    # The files contain no elements.
    for name, text in (("noise.txt", "to be or not to be\n"), ("noise.json", "[1, 2"), ("noise.csv", "a,b\n1,2\n")):
        (tmp_path / name).write_text(text)
        done = cli("path", *pair, *look, name)
        assert done.returncode == 2, done.stderr
        assert name in done.stderr
        assert "Traceback" not in done.stderr


def test_unknown_controller_by_name(cli: Command) -> None:
    done = cli("controllers", "hyblo")
    assert done.returncode == 2
    assert done.stderr.startswith("error[controller-unknown]: ")
    assert "hybla" in done.stderr


def test_no_satellite_in_view() -> None:
    # An equatorial shell never rises over Reykjavik: its satellites stay at latitude 0.
    shell = 'walker = { planes = 1, per_plane = 20, altitude = "780 km", inclination = "0 deg" }'
    links = 'min_elevation = "10 deg"\nuser_link = { rate = "1 Mbit/s" }'
    text = ORBIT.replace('preset = "iridium"', f"{shell}\n{links}\nisl = false").replace("Berkeley", "64.1, -21.9")
    with pytest.raises(bp.ScenarioError) as caught:
        bp.run(text)
    assert caught.value.code == "no-satellite-in-view"
    assert "10" in caught.value.message


def test_no_path() -> None:
    # Without inter-satellite links, a low satellite cannot connect Berkeley and Singapore.
    text = ORBIT.replace('preset = "iridium"', 'preset = "iridium"\nisl = false').replace('"Boston"', '"Singapore"')
    with pytest.raises(bp.ScenarioError) as caught:
        bp.run(text)
    assert caught.value.code == "no-path"
    assert "Singapore" in caught.value.message


def _with_elements(tmp_path: Path, lines: list[str]) -> str:
    (tmp_path / "set.tle").write_text("\n".join(lines) + "\n")
    file = tmp_path / "tle.toml"
    file.write_text(
        ORBIT.replace('preset = "iridium"', 'catalogue = "set.tle"\nuser_link = { rate = "1 Mbit/s" }\nisl = false')
    )
    return str(file)


def _elements() -> list[str]:
    return (ROOT / "data" / "oneweb_2022-09-14.tle").read_text().splitlines()[:30]


def test_tle_checksum(cli: Command, tmp_path: Path) -> None:
    lines = _elements()
    at = next(i for i, line in enumerate(lines) if line.startswith("1 "))
    lines[at] = lines[at][:-1] + str((int(lines[at][-1]) + 1) % 10)
    done = cli("run", _with_elements(tmp_path, lines))
    assert done.returncode == 2, done.stderr
    assert done.stderr.startswith("error[tle-checksum]: ")
    assert f"line {at + 1}" in done.stderr


def test_tle_syntax(cli: Command, tmp_path: Path) -> None:
    lines = _elements()
    at = next(i for i, line in enumerate(lines) if line.startswith("2 "))
    lines[at] = lines[at][:40]
    done = cli("run", _with_elements(tmp_path, lines))
    assert done.returncode == 2, done.stderr
    assert done.stderr.startswith("error[tle-syntax]: ")


@pytest.mark.parametrize(
    "words",
    [
        ["run", "x\udce9.toml"],
        ["compare", "x\udce9.toml", "--controllers", "reno"],
        ["constellations", "x\udce9.tle"],
        *([command, "x\udce9"] for command in ("plot", "report", "view", "export")),
        ["run", "small.toml", "--out", "x\udce9"],
        ["run", "small.toml", "--csv=x\udce9"],
    ],
    ids=" ".join,
)
@pytest.mark.usefixtures("small")
def test_a_name_that_is_not_utf_8(cli: Command, tmp_path: Path, words: list[str]) -> None:
    """Python represents a byte that is not UTF-8 as a lone surrogate."""
    (tmp_path / "x\udce9.toml").write_text(SMALL)
    bp.run(SMALL, out=tmp_path / "run")
    (tmp_path / "run").rename(tmp_path / "x\udce9")
    before = sorted(tmp_path.iterdir())
    done = cli(*words)
    assert done.returncode == 2
    assert re.fullmatch(
        r"error\[argument-value\]: \S*x\\xe9\S*: the name of the file is not UTF-8 \(rename the file\)\n", done.stderr
    )
    assert sorted(tmp_path.iterdir()) == before


def test_a_current_folder_that_is_not_utf_8(cli: Command, tmp_path: Path) -> None:
    (place := tmp_path / "x\udce9").mkdir()
    (place / "small.toml").write_text(SMALL)
    assert cli("run", "small.toml", "--out", "run", cwd=place).returncode == 0
    done = cli("report", "run", cwd=place)
    assert (done.returncode, "x\\xe9/run: the name of the file is not UTF-8 (rename the file)" in done.stderr) == (
        2,
        True,
    )


def test_the_name_of_a_file_does_not_end_in_a_slash(cli: Command, small: Path, tmp_path: Path) -> None:
    (tmp_path / "a.tle").write_text("\n".join(_elements()))
    for words in (["constellations", "a.tle/"], ["run", f"{small}/"], ["run", "small.toml", "--tables", "a.tle/"]):
        done = cli(*words)
        said = f"error[argument-value]: {words[-1]}: it is a file, not a folder (write {words[-1][:-1]})\n"
        assert (done.returncode, done.stderr) == (2, said)
    with pytest.raises(bp.ArgumentError, match="not a folder"):
        bp.constellation(f"{tmp_path}/a.tle/")
    assert cli("constellations", "a.tle").returncode == 0


def test_a_name_that_is_too_long(cli: Command, small: Path, tmp_path: Path) -> None:
    """NAME_MAX is 255 bytes. `.NAME.partial` is 9 bytes longer than NAME, and `.NAME.4194304.partial` 17 bytes."""
    for name, option, most in (
        ("é" * 125, "--out", 246),
        ("t" * 250, "--out", 246),
        ("t" * 235 + ".png", "--plot", 238),
    ):
        done = (
            cli("constellations", "iridium", "--plot", name) if option == "--plot" else cli("run", small, "--out", name)
        )
        assert done.returncode == 2
        said = f"the name has {len(name.encode())} bytes, the limit is {most} (choose a shorter one)\n"
        assert done.stderr == f"error[folder-unwritable]: cannot write {name}: {said}"
    with pytest.raises(bp.ScenarioError, match="247 bytes, the limit is 246"):
        bp.run(SMALL, out=tmp_path / ("t" * 247))
    assert bp.run(SMALL, out=tmp_path / ("t" * 246)).folder is not None
    missing = cli("run", "t" * 300)
    assert (missing.returncode, "its name is too long (choose a shorter one)" in missing.stderr) == (2, True)


def test_unwritable_folder(cli: Command, small: Path) -> None:
    done = cli("run", small, "--out", "/proc/nowhere/folder")
    assert done.returncode == 1, done.stderr
    assert done.stderr.splitlines()[-1].startswith("error[folder-unwritable]: ")
    assert "/proc/nowhere" in done.stderr


def test_folder_of_something_else_is_left_alone(cli: Command, small: Path, tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "thesis.txt").write_text("years of work")
    done = cli("run", small, "--out", "mine")
    assert done.returncode == 2
    assert "error[folder-occupied]" in done.stderr
    assert (tmp_path / "mine" / "thesis.txt").read_text() == "years of work"


def test_full_disk_for_a_picture(cli: Command, small: Path, tmp_path: Path) -> None:
    assert cli("run", small, "--out", "folder").returncode == 0
    (tmp_path / "full.png").symlink_to("/dev/full")
    done = cli("plot", "folder", "--out", "full.png")
    assert done.returncode == 1
    assert done.stderr.startswith("error[disk-full]: ")


def test_full_disk_for_a_report(cli: Command, small: Path, tmp_path: Path) -> None:
    assert cli("run", small, "--out", "folder").returncode == 0
    (tmp_path / "folder" / "report.html").symlink_to("/dev/full")
    done = cli("report", "folder")
    assert done.returncode == 1
    assert done.stderr.startswith("error[disk-full]: ")


def test_full_disk_for_a_run(cli: Command, small: Path, tmp_path: Path) -> None:
    disk = tmp_path / "disk"
    disk.mkdir()
    needs.require("namespaces")
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=16k", "tmpfs", str(disk)], check=True)
    try:
        done = cli("run", small, "--out", disk / "folder", "--duration", "60 s")
        left = list(disk.iterdir())
    finally:
        subprocess.run(["umount", str(disk)], check=True)
    assert done.returncode == 1, done.stderr
    assert done.stderr.splitlines()[-1].startswith("error[disk-full]: ")
    assert left == []


@pytest.mark.parametrize("command", ["plot", "report"])
def test_folder_that_was_cut_off(cli: Command, small: Path, tmp_path: Path, command: str) -> None:
    assert cli("run", small, "--out", "folder").returncode == 0
    flows = tmp_path / "folder" / "flows.parquet"
    flows.write_bytes(flows.read_bytes()[:-100])
    done = cli(command, "folder")
    assert done.returncode == 1
    assert done.stderr.startswith("error[folder-cut-off]: ")
    assert "flows.parquet" in done.stderr


@pytest.mark.parametrize("command", ["plot", "report"])
def test_folder_that_is_no_run(cli: Command, tmp_path: Path, command: str) -> None:
    done = cli(command, tmp_path)
    assert done.returncode == 2
    assert done.stderr.startswith("error[folder-not-a-run]: ")
