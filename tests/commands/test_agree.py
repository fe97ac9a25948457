# SPDX-License-Identifier: MIT OR Apache-2.0
"""`bentpipe agree`: a scenario on the simulator, and on the emulator with the kernel's TCP.

The behaviour of the kernel's TCP depends on the machine. So the tests check bounds of the path, and counts of bytes.
"""

from __future__ import annotations

import json
import os
import shlex
import shutil
import signal
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

import bentpipe as bp
from bentpipe.results.split import lost_on_links
from bentpipe.runs import bulk, kernel
from bentpipe.runs.emulate import Emulation, Program
from bentpipe.runs.hints import Change
from bentpipe.validation._agreement import Agreement, Result, Row
from doc_pages import agreement
from loading import loads
from needs import mark
from project import ROOT, SMALL, Command
from waiting import until

on_the_emulator = mark("emulator")
#: The state of a connected TCP socket in /proc/net/tcp (proc(5)).
ESTABLISHED = "01"

#: The path has 10 Mbit/s and 40 ms. 400 kB take at least 0.32 s, and the run ends when all bytes have arrived.
RATE_MBIT_S, RTT_MS, SIZE = 10.0, 40.0, 400_000
PATH = f"""\
name = "a transfer"
duration = "600 s"
tcp.preset = "rfc"

[network.dumbbell]
rate = "{RATE_MBIT_S:g} Mbit/s"
rtt = "{RTT_MS:g} ms"
queue = "1 BDP"

[[flows]]
controller = "cubic"
size = "{SIZE} B"
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    (tmp_path / "path.toml").write_text(PATH)
    return tmp_path / "path.toml"


# ---- the simulator, and refused arguments -------------------------------------------------------------------------


def test_the_simulator_runs_with_the_settings_of_linux(cli: Command, file: Path, tmp_path: Path) -> None:
    done = cli("agree", file, "--platforms", "sim", "--runs", 1, "--out", tmp_path / "out", "--set", "warm_up=1 s")
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "out" / "path-agree.png").read_bytes().startswith(b"\x89PNG")
    for controller, twin in {"cubic": "cubic-linux", "bbr": "bbr1", "reno": "reno"}.items():
        run = bp.load(tmp_path / "out" / f"{controller}-sim-s1")
        flow = run.summary["flows"][0]
        assert flow["controller"] == twin
        assert str(flow["tcp"]).startswith("linux")
        assert "tso = true" in run.scenario
        assert run.provenance["warm_up_s"] == 0.0
    assert "the scenario's own TCP settings (preset rfc) are not used, except tcp.ecn" in done.stdout
    assert "the scenario's warm_up is not used" in done.stdout


def test_an_mtu_bounds_the_segments(cli: Command, file: Path, tmp_path: Path) -> None:
    keys = ("--set", "network.dumbbell.mtu=1400 B", "--set", "flows.tcp={mss = '1000 B'}")
    one = ("--controllers", "reno", "--runs", 1, "--platforms", "sim", "--out", tmp_path / "out")
    done = cli("agree", file, *keys, *one)
    assert done.returncode == 0, done.stderr
    assert "MSS 1348 B" in done.stdout
    assert 'mss = "1.348 kB"' in bp.load(tmp_path / "out" / "reno-sim-s1").scenario


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--platforms", "sim,emulater"], "there is no platform 'emulater' (did you mean 'emulator'? "),
        (["--controllers", "cubik"], "there is no controller of Linux 'cubik' (did you mean 'cubic'? "),
        (["--controllers", "cubic,"], '"cubic,": the name of a controller is empty'),
        (["--within", "0%"], '"0%" is not a number of percent above 0'),
        (["--runs", "0"], '"0" is not a whole number from 1'),
        (["--set", "flows=[{kind = 'cbr', rate = '1 Mbit/s'}]"], 'is of kind "cbr": only bulk transfers over TCP'),
        (["--set", "flows.transport=quic"], 'is of kind "quic": only bulk transfers over TCP'),
        (["--set", 'flows.access={rate = "1 Mbit/s", delay = "1 ms"}'], "has its own access link"),
        (["--set", 'flows.tcp={recovery = "rack", ecn = "accurate"}'], "tcp.ecn is accurate: the kernel has one"),
    ],
)
def test_what_is_wrong_is_said(cli: Command, small: Path, words: list[str], says: str) -> None:
    done = cli("agree", small, "--platforms", "sim", *words)
    assert done.returncode == 2
    assert says in done.stderr


def test_a_controller_that_the_kernel_lacks_is_named_with_its_module() -> None:
    with pytest.raises(bp.ArgumentError) as refused:
        bulk.require_controllers(["reno", "nonesuch"])
    assert "has no congestion control nonesuch: it has " in refused.value.message
    assert "sudo modprobe -a tcp_nonesuch" in refused.value.message


def test_root_is_needed(cli: Command, small: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    monkeypatch.setattr(shutil, "which", lambda _: None)
    done = cli("agree", small)
    assert done.returncode == 2
    assert "an emulation needs root" in done.stderr


def test_deviations_are_those_of_the_medians() -> None:
    """By hand: the medians are 10 and 9.6 Mbit/s, 100 and 104 ms. Goodput differs by -4 %, the round trip by 4 %."""
    run = bp.run(SMALL, duration="1 s")

    def results(platform: str, goodputs: list[float], trips: list[float]) -> tuple[Result, ...]:
        pairs = enumerate(zip(goodputs, trips, strict=True), 1)
        return tuple(Result("reno", platform, seed, run, (0,), goodput, trip) for seed, (goodput, trip) in pairs)

    simulated = results("sim", [10.0, 10.0, 30.0], [100.0, 90.0, 101.0])
    row = Row("reno", "emulator", results("emulator", [9.6, 9.0, 9.7], [104.0, 300.0, 1.0]), simulated)
    assert row.goodput_deviation_percent == pytest.approx(-4.0)
    assert row.rtt_deviation_percent == pytest.approx(4.0)
    assert row.is_within(5.0)
    assert row.is_within(3.9) is False
    assert Agreement("path", 3.9, (row,), {}, ()).outside == [row]
    assert Row("reno", "sim", simulated).is_within(5.0) is None


def test_the_page_lists_what_is_outside(monkeypatch: pytest.MonkeyPatch) -> None:
    """By hand: of three rows, one is within the bound, one has a reason, and one is open."""
    monkeypatch.setattr(agreement, "EXPLAINED", {("geo", "bbr"): "because of the kernel"})
    rows = [
        row
        for controller, is_within in (("cubic", True), ("bbr", False), ("reno", False))
        for row in (_row(controller, "sim", None), _row(controller, "emulator", is_within))
    ]
    answer = {"scenario": "GEO", "within_percent": 5.0, "rows": rows, "assumptions": ["one line"], "failed": []}
    answers: dict[str, agreement.Answer] = {"geo": answer}  # type: ignore[dict-item] # as JSON has it
    assert agreement.unexplained(answers) == ["geo, reno"]
    page = agreement.block(agreement.PAGES["emulator-agreement"], {"": answers}, ["![Deviations](picture.png)"])
    assert "1 of 3 rows are within 5 %, 1 are explained, 1 are open." in page
    assert "medians of 2 runs. During each run, the processors were idle for at most 75 % of the time." in page
    assert "[1] because of the kernel" in page
    assert "| bbr | 10.000 | 9.000 | -10.0 | 100.0 | 100.0 | +0.0 | 90 | explained [1] |" in page
    assert "| reno | 10.000 | 9.000 | -10.0 | 100.0 | 100.0 | +0.0 | 90 | **above** |" in page


def _row(controller: str, platform: str, is_within: bool | None) -> dict[str, object]:
    is_emulated = platform == "emulator"
    return {
        "controller": controller,
        "platform": platform,
        "goodput_mbit_s": 9.0 if is_emulated else 10.0,
        "rtt_p50_ms": 100.0,
        "goodput_deviation_percent": -10.0 if is_emulated else None,
        "rtt_deviation_percent": 0.0 if is_emulated else None,
        "is_within": is_within,
        "lateness_p99_us": 90.0 if is_emulated else None,
        "degraded_runs": 0,
        "runs": [{"idle_processors": idle if is_emulated else None} for idle in (0.25, 0.75)],
    }


def test_flows_are_judged_together(cli: Command, file: Path) -> None:
    """A link of 10 Mbit/s carries at most 9.65 Mbit/s of payload, whenever the flows are active."""
    late = "{ controller = 'reno' }, { controller = 'reno', start = '8 s' }"
    words = ("--set", f"flows=[{late}]", "--duration", "10 s", "--platforms", "sim", "--controllers", "reno")
    done = cli("agree", file, *words, "--runs", 1, "--json")
    assert done.returncode == 0, done.stderr
    assert 7.0 < json.loads(done.stdout)["rows"][0]["goodput_mbit_s"] <= RATE_MBIT_S * 1448 / 1500


# ---- the emulator ---------------------------------------------------------------------------------------------------


@on_the_emulator
def test_a_transfer_runs_on_both_platforms(cli: Command, file: Path, tmp_path: Path) -> None:
    words = ("--controllers", "cubic,reno", "--runs", 1, "--json", "--out", tmp_path / "out")
    done = cli("agree", file, *words)
    assert done.returncode in (0, 1), done.stderr
    answer = json.loads(done.stdout)
    assert [(row["controller"], row["platform"]) for row in answer["rows"]] == [
        (controller, platform) for controller in ("cubic", "reno") for platform in ("sim", "emulator")
    ]
    assert answer["failed"] == []
    assert (done.returncode == 1) == any(row["is_within"] is False for row in answer["rows"])
    for row in answer["rows"]:
        # Before the last byte arrives, a handshake and one direction of the path must pass.
        assert 0 < row["goodput_mbit_s"] <= SIZE * 8e-6 / (1.5 * RTT_MS / 1e3 + SIZE * 8e-6 / RATE_MBIT_S)
        assert row["rtt_p50_ms"] >= RTT_MS
        assert (row["lateness_p99_us"] is None) == (row["platform"] == "sim")
    run = bp.load(tmp_path / "out" / "reno-emulator-s1")
    assert run.provenance["platform"] == "emulator"
    flow = next(flow for flow in run.summary["flows"] if flow["kind"] == "tcp")
    assert (flow["controller"], flow["from"], flow["to"]) == ("reno", "left", "right")
    assert "tcp_rmem = 4096 131072 67108864" in answer["assumptions"][1]
    assert (tmp_path / "out" / "path-agree.png").exists()


@on_the_emulator
def test_sizes_and_stops_are_those_of_the_flows() -> None:
    """The first flow sends its bytes, the second stops 0.5 s after its start. Then the run ends, long before 600 s."""
    flows = [bulk.Flow("left", "right", 0.0, None, 123_457), bulk.Flow("right", "left", 0.25, 0.75, None)]
    with Emulation(PATH) as emulation:
        outcome = bulk.run(emulation, flows, "reno", {"net/ipv4/tcp_ecn": "1"})
    whole, stopped = outcome.transfers
    assert whole.received["received"] == 123_457
    assert whole.received["completed_s"] == whole.received["last_s"]
    assert whole.sent["controller"] == stopped.sent["controller"] == "reno"
    assert whole.sent["mss"] == 1448
    # Both ends request ECN.
    assert whole.sent["has_ecn"]
    assert stopped.received["completed_s"] is None


class HaltedSender(Emulation):
    """An emulation that stops the program at the site "left" as soon as it has a connection."""

    def start(
        self,
        site: str,
        arguments: Sequence[str],
        *,
        environment: Mapping[str, str] | None = None,
        is_helper: bool = False,
    ) -> Program:
        program = super().start(site, arguments, environment=environment, is_helper=is_helper)
        if site == "left":
            threading.Thread(target=self._halt, args=(program,)).start()
        return program

    def _halt(self, sender: Program) -> None:
        sockets = Path(f"/proc/{sender.pid}/net/tcp")
        until(lambda: any(row.split()[3] == ESTABLISHED for row in sockets.read_text().splitlines()[1:]))
        sender.send_signal(signal.SIGSTOP)
        until(lambda: self.has_ended)
        sender.send_signal(signal.SIGCONT)


@on_the_emulator
def test_a_program_without_a_processor_is_noticed() -> None:
    """The socket of a stopped sender holds at most some megabytes, which take some seconds of 20."""
    flows = [bulk.Flow("left", "right", 0.0, None, None)]
    with HaltedSender(PATH, duration="20 s") as halted:
        assert bulk.run(halted, flows, "reno", {}).transfers[0].sent["idle"] > 0.1
    with Emulation(PATH, duration="1 s") as free:
        assert bulk.run(free, flows, "reno", {}).transfers[0].sent["idle"] < 0.1


@on_the_emulator
def test_a_parameter_that_the_kernel_lacks_fails() -> None:
    with Emulation(PATH) as emulation, pytest.raises(bp.RunError, match="tcp_nonesuch"):
        bulk.run(emulation, [bulk.Flow("left", "right", 0.0, None, 1)], "reno", {"net/ipv4/tcp_nonesuch": "1"})


# ---- controllers of Bentpipe in the kernel --------------------------------------------------------------------------


@loads
@on_the_emulator
@pytest.mark.parametrize(
    ("scenario", "name"), [("geo", "hybic"), ("leo-lose", "geo-reno"), ("codel-ecn", "vegas-w")], ids=lambda word: word
)
def test_a_controller_is_loaded_for_its_runs(cli: Command, tmp_path: Path, scenario: str, name: str) -> None:
    """Bytes flow, the kernel names the controller, and a packet is delivered, lost or still on the path."""
    file = ROOT / "scenarios" / "agreement" / f"{scenario}.toml"
    loaded = kernel.kernel_name(name)
    assert loaded not in kernel.available()
    done = cli("agree", file, "--load", name, "--runs", 1, "--duration", "3 s", "--json", "--out", tmp_path / "out")
    assert done.returncode in (0, 1), done.stderr
    assert loaded not in kernel.available()
    answer = json.loads(done.stdout)
    assert [(row["controller"], row["platform"]) for row in answer["rows"]] == [(loaded, "sim"), (loaded, "emulator")]
    assert answer["failed"] == []
    simulated, emulated = (bp.load(tmp_path / "out" / f"{loaded}-{platform}-s1") for platform in ("sim", "emulator"))
    assert simulated.summary["flows"][0]["controller"] == name
    flow = next(flow for flow in emulated.summary["flows"] if flow["kind"] == "tcp")
    assert flow["controller"] == loaded
    assert flow["delivered_packets"] > 0
    assert flow["sent_packets"] >= flow["delivered_packets"] + lost_on_links(flow)


@loads
def test_hints_reach_only_the_controller_that_was_loaded() -> None:
    """geo_reno has a map of hints; reno's rules need none, as those of hybic."""
    for name, maps in (("geo_reno", 1), ("hybic", 0)):
        helper, _ = kernel.load(name)
        with helper:
            helper.tell(Change(0, 600_000_000).on_clock(0))
            assert helper.answer() == {"maps": maps}


def test_a_controller_to_load_is_checked(cli: Command, small: Path) -> None:
    done = cli("agree", small, "--platforms", "sim", "--load", "hybik")
    assert done.returncode == 2
    assert "there is no controller for the kernel 'hybik' (did you mean 'hybic'? " in done.stderr


@on_the_emulator
def test_the_example_of_the_guide(cli: Command, tmp_path: Path) -> None:
    typed = "bentpipe agree scenarios/agreement/geo.toml --runs 1 --picture geo.png"
    for folder in ("scenarios", "data"):
        (tmp_path / folder).symlink_to(ROOT / folder)
    done = cli(*shlex.split(typed)[1:], "--duration", "3 s", "--controllers", "bbr")
    assert done.returncode in (0, 1), done.stderr
    assert "GEO, drop-tail: one run each" in done.stdout
    assert (tmp_path / "geo.png").read_bytes().startswith(b"\x89PNG")
