# SPDX-License-Identifier: MIT OR Apache-2.0
"""`--transport` and choices such as "cubic over quic": the same controllers over TCP and over QUIC."""

from __future__ import annotations

import tomllib
from typing import TYPE_CHECKING

import pytest

import bentpipe as bp
from bentpipe.scenario.bench import Bench
from bentpipe.scenario.choice import Choice, choices

if TYPE_CHECKING:
    from pathlib import Path

    from project import Command

FILE = """
duration = "3 s"
tcp = { preset = "linux" }
network.dumbbell = { rate = "10 Mbit/s", rtt = "40 ms" }
flows = [{ controller = "cubic", size = "200 kB" }]
"""


def test_each_controller_is_compared_over_each_transport() -> None:
    result = bp.compare(FILE, "reno,cubic over quic", seeds=1, transport="tcp,quic")
    assert result.controllers == ("reno over tcp", "reno over quic", "cubic over quic")
    kinds = {name: runs[0].summary["flows"][0]["kind"] for name, runs in result.runs.items()}
    assert kinds == {"reno over tcp": "tcp", "reno over quic": "quic", "cubic over quic": "quic"}
    # The scenario's settings of TCP belong to TCP.
    assert [runs[0].summary["flows"][0].get("tcp") for runs in result.runs.values()] == ["linux", None, None]


@pytest.mark.parametrize(
    ("tcp", "transport", "noted"),
    [
        ("", "tcp,quic", True),
        ('tcp = { preset = "linux", setup = "none" }', "tcp,quic", True),
        ('tcp = { setup = "handshake" }', "tcp,quic", False),
        ('tcp = { preset = "linux" }', "tcp,quic", False),
        ("", "tcp", False),
        ("", "quic", False),
    ],
)
def test_a_note_says_that_tcp_has_no_handshake(tcp: str, transport: str, *, noted: bool) -> None:
    result = bp.compare(FILE.replace('tcp = { preset = "linux" }', tcp), "reno", seeds=1, transport=transport)
    assert any("QUIC connections begin with a handshake" in note for note in result.notes) is noted


def test_a_note_says_that_quic_always_paces() -> None:
    over_quic = FILE.replace('"cubic"', '{ name = "cubic", pacing = true }, transport = "quic"')
    (note,) = bp.run(over_quic).summary["provenance"]["path_notes"]
    assert "`pacing = true` of cubic has no effect over QUIC" in note
    with pytest.raises(
        bp.BentpipeError, match=r"bbr3` has no parameter `pacing`.*always paces.*quic = { pacing = false }"
    ):
        bp.run(over_quic.replace('"cubic", pacing = true', '"bbr3", pacing = false'))


def test_a_quic_flow_can_become_tcp() -> None:
    over_quic = FILE.replace('controller = "cubic"', 'controller = "cubic", transport = "quic"')
    text = Bench(over_quic).variant(Choice.of("reno over tcp"), frozenset({0}), jitter=None, seed=1)
    flow = tomllib.loads(text)["flows"][0]
    assert (flow["transport"], flow["tcp"]) == ("tcp", {"preset": "linux"})
    assert "quic" not in flow
    assert bp.run(text, duration="1 s").summary["flows"][0]["tcp"] == "linux"


def test_a_flow_that_becomes_quic_keeps_its_initial_window() -> None:
    linux = 'preset = "linux"'
    of_all = FILE.replace(linux, f"{linux}, initial_window = 30")
    of_one = FILE.replace('"cubic"', '"cubic", tcp.initial_window = 30')
    for written in (of_all, of_one):
        text = Bench(written).variant(Choice.of("cubic over quic"), frozenset({0}), jitter=None, seed=1)
        flow = tomllib.loads(text)["flows"][0]
        assert (flow["quic"], "tcp" in flow) == ({"initial_window": 30}, False)
    text = Bench(FILE).variant(Choice.of("cubic over quic"), frozenset({0}), jitter=None, seed=1)
    assert tomllib.loads(text)["flows"][0]["quic"] == {"initial_window": 10}  # that of the preset


def test_a_name_with_its_transport_is_read_back() -> None:
    for text in ("cubic over quic", "cubic{beta=0.8} over tcp", "cubic"):
        assert Choice.of(text).key == text
    with pytest.raises(bp.ScenarioError, match='"sctp" is not a transport'):
        Choice.of("cubic over sctp")
    assert len(choices("all", ["quic"])[0]) == len(choices("all")[0])


def test_where_the_transport_is_another_key_a_message_says_so() -> None:
    with pytest.raises(bp.ScenarioError, match=r"--set flows\.transport=quic"):
        Choice.of("cubic over quic").table()


def test_a_setting_of_quic_is_of_the_flows_over_quic(cli: Command, tmp_path: Path) -> None:
    """The largest datagram of each flow is read from the resolved scenario of each run folder."""
    file = tmp_path / "short.toml"
    file.write_text(FILE)
    asked = ("compare", file, "--controllers", "cubic", "--seeds", 1, "--set", "flows.quic.largest_datagram=1300 B")
    done = cli(*asked, "--transport", "tcp,quic", "--out", tmp_path / "out")
    assert done.returncode == 0, done.stderr
    flows = {
        place.name: tomllib.loads((place / "scenario.toml").read_text())["flows"][0]
        for place in (tmp_path / "out").iterdir()
        if place.is_dir()
    }
    assert flows["cubic-over-quic-s1"]["quic"]["largest_datagram"] == "1.3 kB"
    assert "quic" not in flows["cubic-over-tcp-s1"]
    without = cli(*asked, "--transport", "tcp")
    assert without.returncode == 2
    assert "--set flows.quic.largest_datagram=1300 B: no flow with this key runs over QUIC" in without.stderr
    # Of two flows, only the flow over QUIC has the key.
    file.write_text(FILE.replace("}]", '}, { controller = "cubic", transport = "quic", name = "q" }]'))
    mixed = cli("run", file, "--set", "flows.quic.largest_datagram=1300 B", "--out", tmp_path / "mixed")
    assert mixed.returncode == 0, mixed.stderr
    plain, over = tomllib.loads((tmp_path / "mixed" / "scenario.toml").read_text())["flows"]
    assert ("quic" in plain, over["quic"]["largest_datagram"]) == (False, "1.3 kB")


def test_a_setting_of_tcp_is_of_the_flows_over_tcp(cli: Command, tmp_path: Path) -> None:
    file = tmp_path / "quic.toml"
    file.write_text(FILE.replace('"cubic"', '"cubic", transport = "quic"'))
    done = cli(
        *("compare", file, "--controllers", "cubic over tcp,cubic over quic", "--seeds", 1),
        *("--set", "flows.tcp.initial_window=4", "--out", tmp_path / "out"),
    )
    assert done.returncode == 0, done.stderr
    over_tcp = tomllib.loads((tmp_path / "out" / "cubic-over-tcp-s1" / "scenario.toml").read_text())["flows"][0]
    assert over_tcp["tcp"]["initial_window"] == 4
