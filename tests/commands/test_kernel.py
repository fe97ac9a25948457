# SPDX-License-Identifier: MIT OR Apache-2.0
"""`bentpipe kernel`: controllers in the running kernel, traces and hints.

The kernel itself is the oracle: its list of controllers, its TCP_INFO, and the content of its maps.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import signal
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import bentpipe as bp
from bentpipe.cli import entry
from bentpipe.runs import kernel
from bentpipe.runs.hints import changes_of
from loading import loads
from needs import mark
from project import ROOT
from waiting import HANG_S, ended, until

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

DEFAULT = Path("/proc/sys/net/ipv4/tcp_congestion_control")
#: A window that never changes, for these tests only.
TINY = r"""
#include "include/hints.h"
#include "include/parameters.h"

PARAMETER(window, "window", 20, 1, 2, 1000, "segments");

SEC("struct_ops")
void BPF_PROG(tiny_cong_avoid, struct sock *sk, u32 ack, u32 acked)
{
	const struct hint *hint = hint_of_path();

	tcp_sk(sk)->snd_cwnd = hint && hint->base_rtt_ns == 1 ? 1 : window;
}

SEC("struct_ops")
u32 BPF_PROG(tiny_ssthresh, struct sock *sk)
{
	return @THRESHOLD@;
}

SEC("struct_ops")
u32 BPF_PROG(tiny_undo_cwnd, struct sock *sk)
{
	return tcp_sk(sk)->snd_cwnd;
}

SEC(".struct_ops.link")
struct tcp_congestion_ops tiny = {
	.cong_avoid = (void *)tiny_cong_avoid,
	.ssthresh = (void *)tiny_ssthresh,
	.undo_cwnd = (void *)tiny_undo_cwnd,
	.flags = TCP_CONG_NON_RESTRICTED,
	.name = "tiny",
};
"""
#: Sends 2 MB over the loopback interface with the controller of its argument; prints its port and what the kernel says
#: about the connection: tcpi_bytes_acked at byte 120, tcpi_data_segs_out at byte 156 of struct tcp_info.
TRANSFER = """
import socket, struct, sys, threading
server = socket.create_server(("127.0.0.1", 0))
def sink():
    taken, _ = server.accept()
    while taken.recv(1 << 16):
        pass
    taken.close()
reader = threading.Thread(target=sink)
reader.start()
client = socket.socket()
client.setsockopt(socket.IPPROTO_TCP, socket.TCP_CONGESTION, sys.argv[1].encode())
client.connect(server.getsockname())
client.sendall(bytes(2_000_000))
client.shutdown(socket.SHUT_WR)
client.recv(1)
info = client.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 256)
print(client.getsockname()[1], struct.unpack_from("Q", info, 120)[0], struct.unpack_from("I", info, 156)[0])
client.close()
reader.join()
"""


def command(*words: str | Path) -> list[str]:
    return [sys.executable, "-m", "bentpipe", "kernel", *map(str, words)]


def run(*words: str | Path, environment: dict[str, str] | None = None) -> subprocess.CompletedProcess[str]:
    """Run the command in its own process."""
    return ended(command(*words), env={**os.environ, **(environment or {})})


def compiled(folder: Path, threshold: str = "2") -> Path:
    source = folder / "tiny.bpf.c"
    source.write_text(TINY.replace("@THRESHOLD@", threshold))
    options = ["-target", "bpf", "-mcpu=v3", "-g", "-O2", f"-I{ROOT / 'bpf'}", f"-I{ROOT / 'bpf/include'}"]
    subprocess.run(["clang", *options, "-c", source, "-o", folder / "tiny.bpf.o"], check=True)
    return folder / "tiny.bpf.o"


@pytest.fixture
def tiny(tmp_path: Path) -> Path:
    return compiled(tmp_path)


@contextmanager
def holding(*words: str | Path) -> Iterator[subprocess.Popen[str]]:
    """Run `bentpipe kernel load` without a program: the controller is there until the process ends."""
    with subprocess.Popen(command("load", *words), stderr=subprocess.PIPE, text=True) as process:
        try:
            assert process.stderr is not None
            line = process.stderr.readline()
            assert "is loaded" in line, line
            yield process
        finally:
            # It would not end by itself, and a test that failed would wait for it.
            process.kill()


def is_loaded() -> bool:
    return "tiny" in kernel.available()


@loads
def test_a_controller_is_there_while_the_program_runs(tiny: Path) -> None:
    before = DEFAULT.read_text()
    show = "cat /proc/sys/net/ipv4/tcp_available_congestion_control /proc/sys/net/ipv4/tcp_congestion_control; exit 7"
    answer = run("load", tiny, "--", "sh", "-c", show)
    assert answer.returncode == 7, answer.stderr
    available, default = answer.stdout.splitlines()
    assert "tiny" in available.split()
    assert (default, DEFAULT.read_text()) == (before.strip(), before)
    assert not is_loaded()


@loads
@pytest.mark.parametrize("victim", ["command", "helper"])
def test_a_killed_command_leaves_nothing(tiny: Path, victim: str) -> None:
    with holding(tiny) as process:
        assert is_loaded()
        pid = process.pid
        if victim == "helper":
            pid = int(Path(f"/proc/{pid}/task/{pid}/children").read_text().split()[0])
        os.kill(pid, signal.SIGKILL)
        until(lambda: not is_loaded())
        process.wait(HANG_S)


@loads
def test_a_loaded_controller_is_refused_and_unloaded(tiny: Path) -> None:
    with holding(tiny) as process:
        again = run("load", "tiny", "--", "true")
        assert again.returncode == 2
        assert f"process {process.pid} " in again.stderr
        listed = json.loads(run("list", "--json").stdout)
        assert [one["holder"] for one in listed["controllers"] if one["kernel_name"] == "tiny"] == [process.pid]
        answer = run("unload", "tiny")
        assert answer.returncode == 0, answer.stderr
        assert f"process {process.pid} " in answer.stdout
        assert not is_loaded()
        process.wait(HANG_S)
    gone = run("unload", "tiny")
    assert gone.returncode == 2
    assert "tiny is not loaded" in gone.stderr


@loads
@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--set", "window=1001"], "`window = 1001`: must be 2 to 1000 segments"),
        (["--set", "windows=10"], 'has no parameter "windows" in the kernel (parameters: window)'),
        (["--set", "window"], '--set "window": write key=value'),
    ],
)
def test_a_wrong_parameter_is_refused(tiny: Path, words: Sequence[str], message: str) -> None:
    answer = run("load", tiny, *words, "--", "true")
    assert answer.returncode == 2
    assert message in answer.stderr


@loads
def test_other_refusals_name_the_fix() -> None:
    for words, message in (
        (["load", "cubic"], "the kernel has a controller cubic of its own"),
        (["load", "no-such"], "no-such: no such controller is built in"),
        (["unload", "cubic"], "cubic is part of the kernel"),
        (["trace", "cubic"], "no program is given"),
        (["load", "missing.o"], "missing.o: cannot be read"),
    ):
        answer = run(*words)
        assert answer.returncode == 2, words
        assert message in answer.stderr


@loads
def test_the_log_of_the_verifier_is_kept(tmp_path: Path) -> None:
    # A read through a number that is not a pointer.
    bad = compiled(tmp_path, threshold="*(const volatile u32 *)8")
    answer = run("load", bad, "--", "true")
    assert answer.returncode == 2
    assert answer.stderr.startswith("error[kernel-refused]: loading ")
    found = re.search(r"the log of the verifier is in (\S+)", answer.stderr)
    assert found is not None, answer.stderr
    log = Path(found[1])
    assert "invalid mem access 'scalar'" in log.read_text()
    log.unlink()
    assert not is_loaded()


@loads
def test_the_program_belongs_to_the_user(tiny: Path) -> None:
    answer = run("load", tiny, "--", "id", "-u", environment={"SUDO_UID": "65534", "SUDO_GID": "65534"})
    assert (answer.returncode, answer.stdout) == (0, "65534\n"), answer.stderr


@loads
def test_a_trace_counts_as_the_kernel_does(tiny: Path, tmp_path: Path) -> None:
    out = tmp_path / "run"
    program = [sys.executable, "-c", TRANSFER, "tiny"]
    traced = command("trace", "tiny", "--out", out, "--interval", "10 ms", "--json", "--", *program)
    answer = run("load", tiny, "--set", "window=30", "--", *traced)
    assert answer.returncode == 0, answer.stderr
    port, bytes_acked, segments = map(int, answer.stdout.splitlines()[0].split())
    made = bp.load(out)
    [flow] = made.summary["flows"]
    assert flow["name"].startswith(f"tcp 127.0.0.1:{port} > 127.0.0.1:")
    assert (flow["controller"], made.provenance["platform"]) == ("tiny", "kernel")
    facts = made.provenance["kernel"]
    assert facts is not None
    assert (facts["kernel"], facts["missed_reports"]) == (os.uname().release, 0)
    assert flow["sent_packets"] == segments
    active_s = flow["stop_s"] - flow["start_s"]
    # The SYN and the FIN count in bytes_acked.
    assert flow["goodput_mbit_s"] * active_s * 125_000 == pytest.approx(bytes_acked, abs=3)
    windows = {row["cwnd_segments"] for row in made.flows.arrow.to_pylist()}
    assert 30.0 in windows
    assert sum(row["sent_packets"] for row in made.flows.arrow.to_pylist()) == segments
    for words in (["plot", out], ["report", out]):
        assert entry([str(word) for word in words]) == 0


@loads
def test_a_trace_works_for_controllers_of_the_kernel(tmp_path: Path) -> None:
    answer = run("trace", "reno", "--out", tmp_path / "run", "--", sys.executable, "-c", TRANSFER, "reno")
    assert answer.returncode == 0, answer.stderr
    assert "reno in the kernel" in answer.stdout
    none = run("trace", "reno", "--", "true")
    assert none.returncode == 0
    assert "no connection used reno" in none.stderr


HINTS = """
name = "hints"
duration = "3 s"
[network]
announce = "500 ms"
[network.dumbbell]
rate = "10 Mbit/s"
delay_steps = [["0 s", "20 ms"], ["1 s", "30 ms"], ["2 s", "25 ms"]]
[[flows]]
name = "one"
controller = "reno"
"""


def test_hints_are_what_a_simulated_flow_learns() -> None:
    # At the start, when a change is announced, and when it happens: round trip, and the change.
    known = [(one.time_ns / 1e6, one.base_rtt_ns / 1e6, one.at_ns / 1e6) for one in changes_of(HINTS)]
    assert known == [(0, 40, 0), (500, 40, 1000), (1000, 60, 1000), (1500, 60, 2000), (2000, 50, 2000)]


def maps_of_hints() -> list[str]:
    """Return the maps of hints in the kernel: those of loaded controllers, and of connections that still hold one."""
    listed = subprocess.run(["bpftool", "map", "list", "--json"], capture_output=True, text=True, check=True)
    return [str(one["name"]) for one in json.loads(listed.stdout or "[]") if one.get("name") == "hints"]


@loads
def test_hints_reach_the_map_of_the_controller(tiny: Path, tmp_path: Path) -> None:
    # The connection of another program may end after the program, and holds its controller until then.
    until(lambda: not maps_of_hints())
    (tmp_path / "hints.toml").write_text(HINTS)
    script = f"{shlex.join(command('hints', tmp_path / 'hints.toml', '--json'))} && bpftool map dump name hints --json"
    answer = run("load", tiny, "--", "sh", "-c", script)
    assert answer.returncode == 0, answer.stderr
    *told, dump = answer.stdout.splitlines()
    last = json.loads(told[-1])
    assert (last["controllers"], last["base_rtt_ns"]) == (1, 50_000_000)
    [written] = json.loads(dump)
    value = written["formatted"]["value"]
    assert value == {key: last[key] for key in value}
    # The change is half a second after the announcement.
    assert value["boundary_ns"] - value["announced_ns"] == 500_000_000


@pytest.mark.parametrize(
    ("release", "btf", "user", "message"),
    [
        ("6.1.0-18-amd64", "/proc/self/stat", 0, "the kernel is 6.1.0-18-amd64, and the controllers need 6.9 or newer"),
        ("6.12.3", "/no/such/file", 0, "the kernel has no type information"),
        ("6.12.3", "/proc/self/stat", 1000, "only for root (use sudo)"),
        ("6.12.3", "/proc/self/stat", 0, "bentpipe-kernel is not built (run make kernel"),
    ],
)
def test_what_a_machine_lacks(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    release: str,
    btf: str,
    user: int,
    message: str,
) -> None:
    monkeypatch.setattr(os, "uname", lambda: os.uname_result(("Linux", "here", release, "", "x86_64")))
    monkeypatch.setattr(kernel, "_BTF", Path(btf))
    monkeypatch.setattr(os, "geteuid", lambda: user)
    monkeypatch.setattr(kernel, "program", lambda: None if "not built" in message else Path("/bin/true"))
    assert entry(["kernel", "load", "hybic", "--", "true"]) == 2
    assert message in capsys.readouterr().err


PAGE = (ROOT / "docs" / "guide" / "kernel.md").read_text(encoding="utf-8")
EXAMPLES = [
    line for block in re.findall(r"^```sh\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL) for line in block.splitlines()
]


@loads
@mark("emulator")
def test_the_examples_of_the_guide(tmp_path: Path) -> None:
    (tmp_path / "scenarios").symlink_to(ROOT / "scenarios")
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    for line in EXAMPLES:
        if line.startswith("make "):
            continue
        answer = ended(["bash", "-c", line], cwd=tmp_path, env={**os.environ, "PATH": path})
        # A busy machine may deviate from the simulator, which `bentpipe agree` tells with 1.
        codes = (0, 1) if line.startswith("bentpipe agree") else (0,)
        assert answer.returncode in codes, (line, answer.stdout, answer.stderr)
    assert bp.load(tmp_path / "runs" / "hybic").summary["flows"]
