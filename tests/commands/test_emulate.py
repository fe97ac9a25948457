# SPDX-License-Identifier: MIT OR Apache-2.0
"""`bentpipe emulate`: real programs in network namespaces, over a scenario in real time.

No test depends on the speed of the machine. A packet may be late but never early, and the times and counts of the
session are exact.
"""

from __future__ import annotations

import hashlib
import json
import os
import pwd
import random
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import bentpipe as bp
from bentpipe import _core
from bentpipe.runs.emulate import Emulation
from bentpipe.runs.make import job
from needs import mark
from project import ROOT
from waiting import HANG_S, heed_interrupts, until

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = [mark("emulator"), mark("measuring")]

#: The round trip of the path, in ms.
RTT_MS = 60.0
SCENARIO = f"""\
name = "geo in small"
duration = "600 s"

[network.dumbbell]
rate = "20 Mbit/s"
rtt = "{RTT_MS:g} ms"
queue = "1 BDP"

[[flows]]
controller = "cubic"
from = "left"
to = "right"
"""
SIZE = 3_000_000


@pytest.fixture
def file(tmp_path: Path) -> Path:
    (tmp_path / "path.toml").write_text(SCENARIO)
    return tmp_path / "path.toml"


@pytest.fixture
def open_folder(file: Path) -> Iterator[Path]:
    """Make a folder that every user can enter, with the scenario. Other users cannot enter pytest's own folders."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        shutil.copy(file, folder)
        yield folder


@pytest.fixture
def served(tmp_path: Path) -> Path:
    folder = tmp_path / "served"
    folder.mkdir()
    (folder / "file").write_bytes(random.Random(3).randbytes(SIZE))  # noqa: S311 - content, not secrets
    return folder


def emulate(*words: str | Path) -> subprocess.CompletedProcess[str]:
    """Run the command in its own process. The programs of the emulation share its output."""
    command = [sys.executable, "-m", "bentpipe", "emulate", *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, timeout=HANG_S, check=False)


def helper(served: Path) -> str:
    return f"left={sys.executable} -m http.server 8000 --bind 0.0.0.0 --directory {served}"


def fetch(out: Path) -> list[str]:
    """Return a program that fetches the file from the site "left" by its name."""
    code = f"import urllib.request; urllib.request.urlretrieve('http://left:8000/file', '{out}')"
    return [sys.executable, "-c", code]


def children(pid: int) -> set[int]:
    """Return all descendants of a process."""
    parents = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                stat = (entry / "stat").read_text()
            except OSError:
                continue
            parents[int(entry.name)] = int(stat.rpartition(")")[2].split()[1])
    found, todo = set(), [pid]
    while todo:
        below = [child for child, parent in parents.items() if parent == todo[-1]]
        todo.pop()
        found.update(below)
        todo.extend(below)
    return found


def test_a_program_fetches_a_file_over_the_path(file: Path, served: Path, tmp_path: Path) -> None:
    got, out = tmp_path / "got", tmp_path / "run"
    answer = emulate(file, "--with", helper(served), "--out", out, "--pcap", "--", *fetch(got))
    assert answer.returncode == 0, answer.stderr
    assert hashlib.sha256(got.read_bytes()).digest() == hashlib.sha256((served / "file").read_bytes()).digest()
    assert "geo in small (emulated)" in answer.stdout
    assert re.search(r"^lateness of \d+ packets: median [\d.]+ us", answer.stdout, re.MULTILINE)
    run = bp.load(out)
    about = run.provenance
    assert about["platform"] == "emulator"
    assert about["emulator"]["packets"] > SIZE / 1500
    # The folder contains the scenario of the file, which the simulator can run without changes.
    assert '"cubic"' in run.scenario
    data = max(run.summary["flows"], key=lambda flow: flow["goodput_mbit_s"] or 0.0)
    assert data["from"], data["to"] == ("left", "right")
    connection = next(flow for flow in run.summary["flows"] if flow["kind"] == "tcp" and flow["from"] == "left")
    # One direction of the path takes half of the round trip plus the transmission of a packet. The queue holds one BDP.
    assert connection["one_way_delay_ms"]["min"] >= RTT_MS / 2
    assert connection["one_way_delay_ms"]["max"] <= 1.5 * RTT_MS + 2.0
    assert connection["rtt_ms"]["min"] >= RTT_MS
    assert connection["goodput_mbit_s"] <= 20.0
    # The program may end before the last packets arrive. At most the packets of the path and of its queue are missing.
    under_way = connection["sent_packets"] - connection["delivered_packets"] - connection["losses"]["queue"]
    assert 0 <= under_way <= 300
    rows = run.flows.to_pandas()
    rows = rows[rows["name"] == connection["name"]]
    # The kernel reports the window of the server's socket.
    assert (rows["cwnd_segments"] > 0).any()
    assert connection["controller"] in Path("/proc/sys/net/ipv4/tcp_available_congestion_control").read_text().split()
    captures = sorted(path.name for path in (out / "captures").iterdir())
    assert captures == ["right---left.receiver.pcapng", "right---left.sender.pcapng"]


def test_the_example_of_the_guide(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    typed = "bentpipe emulate scenarios/starlink-good.toml --with 'server=python3 -m http.server 8000' -- curl -O http://server:8000/file"
    for folder in ("scenarios", "data"):
        (tmp_path / folder).symlink_to(ROOT / folder)
    (tmp_path / "file").write_text("content")
    monkeypatch.chdir(tmp_path)
    answer = emulate(*shlex.split(typed)[2:])
    assert answer.returncode == 0, answer.stderr
    assert "Upload over Starlink, good path (emulated)" in answer.stdout
    assert (tmp_path / "file").read_text() == "content"


def test_a_ping_takes_the_round_trip(file: Path) -> None:
    answer = emulate(file, "--json", "--", "ping", "-4", "-c", "3", "-i", "0.2", "server")
    assert answer.returncode == 0, answer.stderr
    measured = [float(text) for text in re.findall(r"time=([\d.]+) ms", answer.stdout)]
    assert len(measured) == 3
    assert min(measured) >= RTT_MS
    summary = json.loads(answer.stdout[answer.stdout.index("\n{") :])
    echo = next(flow for flow in summary["flows"] if flow["kind"] == "icmp" and "10.77" in flow["name"])
    assert echo["rtt_ms"]["samples"] == 3
    # The times of the session do not include the time that packets spend in the kernel.
    assert RTT_MS <= echo["rtt_ms"]["min"] <= min(measured)


@pytest.mark.parametrize(("program", "status"), [("exit 7", 7), ("kill -TERM $$", 128 + signal.SIGTERM)])
def test_the_status_is_that_of_the_program(file: Path, program: str, status: int) -> None:
    assert emulate(file, "--", "sh", "-c", program).returncode == status


@pytest.mark.parametrize(
    ("words", "code", "says"),
    [
        (["--at", "nowhere", "--", "true"], 2, 'no site is called "nowhere" (the sites are right, left)'),
        (["--with", "left", "--", "true"], 2, "write SITE=COMMAND"),
        (["--with", "left=false", "--", "true"], 1, '"false" ended with status 1 before it opened a port'),
        (["--", "/no/such/program"], 2, 'starting "/no/such/program" failed'),
        (["--set", "network.dumbbell.rate=0 bit/s", "--", "true"], 2, "rate"),
        (["--stop", "1"], 2, "no emulation has this process ID"),
    ],
)
def test_what_is_wrong_is_said(file: Path, words: list[str], code: int, says: str) -> None:
    answer = emulate(file, *words)
    assert says in answer.stderr
    assert answer.returncode == code


def test_names_are_known_at_every_site(file: Path) -> None:
    answer = emulate(file, "--at", "left", "--", "cat", "/etc/hosts")
    assert "10.77.0.1 right terminal\n" in answer.stdout
    assert "fd77::2 left server\n" in answer.stdout
    assert "terminal" not in Path("/etc/hosts").read_text()


def test_files_that_a_killed_process_left_are_not_used(file: Path, tmp_path: Path) -> None:
    # `exec` keeps the number of the process, which the names of these files contain.
    command = [sys.executable, "-m", "bentpipe", "emulate", str(file), "--", "cat", "/etc/hosts"]
    left = 'for n in 0 1; do echo "10.77.0.1 left-behind" > "$TMPDIR/bentpipe-hosts-$$-$n"; done; exec "$@"'
    answer = subprocess.run(
        ["sh", "-c", left, "sh", *command],
        env={**os.environ, "TMPDIR": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=HANG_S,
        check=False,
    )
    assert answer.returncode == 0, answer.stderr
    assert "10.77.0.1 right terminal\n" in answer.stdout
    assert "left-behind" not in answer.stdout
    assert len(list(tmp_path.glob("bentpipe-hosts-*"))) == 2


def begun(file: Path, *words: str) -> subprocess.Popen[str]:
    """Start an emulation, and return when its program has started."""
    process = subprocess.Popen(
        [
            sys.executable,
            "-m",
            "bentpipe",
            "emulate",
            str(file),
            *words,
            "--",
            "sh",
            "-c",
            "echo begun; exec sleep 1000",
        ],
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
        preexec_fn=heed_interrupts,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "begun\n"
    return process


def end(process: subprocess.Popen[str]) -> int:
    """End an emulation, and return its exit code."""
    process.communicate(timeout=HANG_S)
    return process.returncode


def test_kill_9_leaves_nothing(file: Path, served: Path) -> None:
    process = begun(file, "--with", helper(served))
    below = children(process.pid)
    assert len(below) >= 4  # the first process of each site, the helper, and the program
    process.kill()
    end(process)
    until(lambda: not any(Path(f"/proc/{pid}").exists() for pid in below))


def test_ctrl_c_ends_the_program_and_keeps_the_run(file: Path, tmp_path: Path) -> None:
    process = begun(file, "--out", str(tmp_path / "run"))
    os.killpg(process.pid, signal.SIGINT)
    assert end(process) == 128 + signal.SIGINT
    assert bp.load(tmp_path / "run").provenance["platform"] == "emulator"


def test_two_run_at_once_and_can_be_stopped(file: Path) -> None:
    both = [begun(file), begun(file)]
    listed = emulate("--list").stdout
    for process in both:
        assert re.search(rf"^ *{process.pid} .*emulate", listed, re.MULTILINE), listed
        assert emulate("--stop", str(process.pid)).returncode == 0
        assert end(process) == 130


def test_a_program_that_nobody_waits_for_ends(file: Path) -> None:
    native = _core.Emulation(job(file), keep=False, capture=False, user=None)
    pid = native.start(0, ["sleep", "1000"], environment={}, is_helper=False)
    del native
    assert not Path(f"/proc/{pid}").exists()


def test_the_user_of_the_programs_owns_the_run(file: Path, open_folder: Path) -> None:
    """The process is root only during the set-up."""
    out = open_folder / "theirs"
    out.mkdir()
    nobody = pwd.getpwnam("nobody")
    os.chown(out, nobody.pw_uid, nobody.pw_gid)
    show = "id -u; echo $HOME; awk '/^Uid/ { print $2, $3, $4 }' /proc/1/status"
    answer = emulate(file, "--user", "nobody", "--out", out / "run", "--", "sh", "-c", show)
    assert answer.returncode == 0, answer.stderr
    user = nobody.pw_uid
    assert answer.stdout.startswith(f"{user}\n{nobody.pw_dir}\n{user} {user} {user}\n")
    assert "lateness of" in answer.stdout
    assert {entry.stat().st_uid for entry in (out / "run").iterdir()} == {user}
    refused = emulate(file, "--user", "nobody", "--out", open_folder / "ours", "--", "true")
    assert refused.returncode == 1
    assert "Permission denied" in refused.stderr


#: Runs a command as nobody, in a mount namespace where every user can open /dev/net/tun, as on usual systems. If the
#: interpreter is in a folder that only root can enter, the namespace has another folder with only the interpreter.
AS_NOBODY = """
set -e
interpreter=$1; closed=$2; shift 2
if [ -n "$closed" ]; then
    kept=$HOME/kept; mkdir -p "$kept"; mount --bind "$interpreter" "$kept"
    mount -t tmpfs -o mode=755 tmpfs "$closed"; mkdir -p "$interpreter"; mount --bind "$kept" "$interpreter"
fi
mount -t tmpfs -o mode=755 tmpfs /dev/net; mknod -m 666 /dev/net/tun c 10 200
exec setpriv --reuid nobody --regid nogroup --clear-groups "$@"
"""


def test_without_root_it_uses_a_user_namespace(open_folder: Path) -> None:
    interpreter = Path(sys.base_prefix)
    closed = [str(folder) for folder in reversed(interpreter.parents) if not folder.stat().st_mode & 0o001]
    as_nobody = ["unshare", "--mount", "sh", "-c", AS_NOBODY, "sh", str(interpreter), *(closed[:1] or [""])]
    environment = {**os.environ, "HOME": str(open_folder), "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}

    def run(*command: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [*as_nobody, *command], env=environment, capture_output=True, text=True, timeout=HANG_S, check=False
        )

    allowed = run("unshare", "--user", "--map-root-user", "true").returncode == 0
    show = "awk '/^Uid/ { print $2 }' /proc/self/status; ping -c 2 -i 0.2 -q left"
    answer = run(sys.executable, "-m", "bentpipe", "emulate", str(open_folder / "path.toml"), "--", "sh", "-c", show)
    if allowed:
        assert answer.returncode == 0, answer.stderr
        assert answer.stdout.startswith("0\n")  # root of the namespace only
        assert " 2 received" in answer.stdout
        assert "(normal scheduling)" in answer.stdout
    else:
        assert answer.returncode == 2
        assert "the kernel refuses a user namespace" in answer.stderr


def test_packets_pass_after_the_end_of_the_scenario_if_told_so(tmp_path: Path) -> None:
    short = tmp_path / "short.toml"
    short.write_text(SCENARIO.replace("600 s", "1 s"))
    ping = ["ping", "-c", "8", "-i", "0.25", "-q", "left"]
    ended, went_on = (emulate(short, *more, "--", *ping, "-W", "1") for more in ([], ["--continue"]))
    assert "the scenario is over" in ended.stderr
    assert " 8 received" not in ended.stdout
    assert " 8 received" in went_on.stdout, went_on.stdout
    both = emulate(short, "--continue", "--duration", "5 s", "--", "true")
    assert (both.returncode, "exclude each other" in both.stderr) == (2, True)
    longer = emulate(short, "--duration", "30 s", "--", *ping)
    assert " 8 received" in longer.stdout, longer.stderr


#: From docs/guide/emulator.md.
EXAMPLES = """bentpipe emulate scenarios/starlink-good.toml --with 'server=iperf3 -s' -- iperf3 -c server -R -t 5 -C bbr
bentpipe emulate scenarios/starlink-good.toml --continue --with 'server=python3 -m http.server 8000' -- chromium --headless --no-sandbox --dump-dom http://server:8000/
bentpipe emulate scenarios/starlink-good.toml --with 'server=bentpipe quic serve --listen 0.0.0.0:4433' -- bentpipe quic get --insecure --controller bbr3 https://server:4433/file"""  # noqa: E501 - as they are typed


@mark("chromium")
def test_the_examples_of_the_guide(served: Path) -> None:
    (served / "scenarios").symlink_to(ROOT / "scenarios")
    here = {**os.environ, "PATH": os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])}
    said = []
    for line in EXAMPLES.splitlines():
        ran = subprocess.run(
            ["sh", "-c", line], cwd=served, env=here, capture_output=True, text=True, timeout=HANG_S, check=False
        )
        assert ran.returncode == 0, ran.stderr
        said.append(ran.stdout)
    iperf3, browser, quic = said
    assert "receiver" in iperf3
    assert re.search(r"^ tcp .* bbr ", iperf3, re.MULTILINE)
    assert '<a href="file">' in browser
    assert f"1 file, {SIZE / 1e6:g} MB" in quic


def test_a_file_over_quic(file: Path, served: Path, tmp_path: Path) -> None:
    command = f"{sys.executable} -m bentpipe quic"
    helper = f"left={command} serve --listen 0.0.0.0:4433 {served}"
    got = tmp_path / "got"
    fetch = shlex.split(f"{command} get --insecure --controller bbr3 --out {got} https://left:4433/file")
    answer = emulate(file, "--with", helper, "--", *fetch)
    assert answer.returncode == 0, answer.stderr
    assert got.read_bytes() == (served / "file").read_bytes()
    assert re.search(r"^ udp \S+ > \S+:4433|^ udp \S+:4433 > ", answer.stdout, re.MULTILINE)


@mark("chromium")
def test_a_page_in_a_browser(file: Path, served: Path) -> None:
    (served / "index.html").write_text('<script src="page.js"></script>')
    (served / "page.js").write_text('document.title = "fetched over the path"')
    browser = next(name for name in ("chromium", "chromium-browser", "google-chrome") if shutil.which(name))
    options = ["--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={served / 'profile'}", "--dump-dom"]
    answer = emulate(file, "--with", helper(served), "--", browser, *options, "http://left:8000/")
    assert "<title>fetched over the path</title>" in answer.stdout, answer.stderr


def test_starts_and_ends_leave_nothing(file: Path) -> None:
    script = ROOT / "tests" / "long" / "emulator_starts.py"
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    ran = subprocess.run(
        [sys.executable, script, file, "100"],
        env=environment,
        capture_output=True,
        text=True,
        timeout=HANG_S,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout == "nothing is left after 100 starts\n"


def test_the_run_so_far_grows_and_the_finished_run_begins_with_it(file: Path, tmp_path: Path) -> None:
    with Emulation(file, out=tmp_path / "run", live=True) as emulation:
        emulation.begin()
        pings = emulation.start("right", ["ping", "-i", "0.1", "-q", "left"])
        seen = [emulation.so_far()]

        def grows() -> bool:
            seen.append(emulation.so_far())
            return len(seen[-1].summary["flows"]) == 2 and len(seen[-1].links) > len(seen[0].links)

        until(grows)
        assert pings.poll() is None
        run = emulation.finish()
        assert emulation.so_far() is seen[-1]
    stored = bp.load(tmp_path / "run")
    assert stored.summary == run.summary
    counts = [len(one.links) for one in seen]
    assert counts == sorted(counts)
    times = [one.provenance["duration_s"] for one in seen] + [stored.provenance["duration_s"]]
    assert times == sorted(times)
    assert times[-1] < 600.0  # the scenario lasts 600 s
    for one in seen:
        for name in ("flows", "links", "paths"):
            rows = getattr(one, name).arrow.to_pylist()
            assert rows == getattr(stored, name).arrow.to_pylist()[: len(rows)]
    assert seen[-1].nodes.arrow.to_pylist() == stored.nodes.arrow.to_pylist()
    assert seen[-1].link_ends.arrow.to_pylist() == stored.link_ends.arrow.to_pylist()


def test_the_network_of_a_constellation_is_known_during_the_run(tmp_path: Path) -> None:
    with Emulation(ROOT / "scenarios" / "iridium-berkeley-boston.toml", out=tmp_path / "run", live=True) as emulation:
        emulation.begin()
        sites = [site.name for site in emulation.sites]
        emulation.start(sites[0], ["ping", "-i", "0.1", "-q", sites[1]])
        until(lambda: len(emulation.so_far().links) > 0)
        present = emulation.so_far()
        emulation.finish()
    stored = bp.load(tmp_path / "run")
    for name in ("nodes", "positions"):
        assert getattr(present, name).arrow.to_pylist() == getattr(stored, name).arrow.to_pylist()
    grid, carried = ([row for row in present.link_ends if (row["link"] is None) == there] for there in (True, False))
    assert grid
    assert grid == [row for row in stored.link_ends if row["link"] is None]
    assert carried
    assert {row["link"] for row in carried} >= set(present.links["link"])
    assert all(row in stored.link_ends.arrow.to_pylist() for row in carried)
