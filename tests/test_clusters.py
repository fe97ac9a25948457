# SPDX-License-Identifier: MIT OR Apache-2.0
"""Sweeps on a cluster: a real scheduler and real workers, processes of this machine, and kill -9 of each."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import distributed
import pytest

import bentpipe as bp
import needs
from bentpipe._cli import _plugins
from conftest import ROOT, Command
from small_sweeps import held, tables

# Functions of this file that schedulers and workers call: they have no such file.
distributed.protocol.pickle.cloudpickle.register_pickle_by_value(sys.modules[__name__])

#: A machine with other work takes longer to answer than an idle one.
PATIENCE_S = 60.0
#: What Dask measures of itself takes more CPU time than these runs, the longer the busier the machine is.
QUIET = {
    "DASK_DISTRIBUTED__ADMIN__LOG_FORMAT": "%(message)s",
    "DASK_DISTRIBUTED__ADMIN__SYSTEM_MONITOR__INTERVAL": "10s",
    "DASK_DISTRIBUTED__ADMIN__TICK__INTERVAL": "500ms",
    "DASK_DISTRIBUTED__WORKER__PROFILE__ENABLED": "False",
}
#: Runs of a millisecond, enough of them to be in their midst.
MANY = """
[axes]
"flows.controller" = ["reno", "cubic"]
"network.dumbbell.loss.per" = { from = 0.0001, to = 0.01, points = 4, scale = "log" }
[seeds]
at_least = 20
[base]
duration = "500 ms"
network.dumbbell = { rate = "2 Mbit/s", rtt = "40 ms" }
flows = [{ controller = "reno" }]
"""
#: A run that nobody waits for to the end.
ENDLESS = """
[axes]
"flows.rate" = ["1 Tbit/s", "2 Tbit/s"]
[seeds]
at_least = 2
[base]
duration = "1 h"
network.dumbbell = { rate = "1 Tbit/s", rtt = "20 ms", loss = { per = 0.1 } }
flows = [{ kind = "cbr", rate = "1 Tbit/s" }]
"""
#: A controller and a recorded link, which no worker has; one is torn.
OWN = """
[axes]
"flows.controller" = ["reno", "own"]
"network.dumbbell.trace" = ["slow.trace", "traces/fast.trace", "torn.trace"]
[seeds]
at_least = 2
[base]
duration = "1 s"
network.dumbbell = { rtt = "40 ms", queue = "20 packets" }
flows = [{ controller = "reno" }]
"""
PLUGIN = """
import bentpipe as bp

WINDOW = 7.0

@bp.register("own")
class Fixed(bp.Controller):
    def on_start(self, event, control):
        control.cwnd = WINDOW
"""
#: Ends the process of whoever runs it.
POISON = """
import os
import bentpipe as bp

@bp.register("poison")
class Poison(bp.Controller):
    def on_start(self, event, control):
        os._exit(1)
"""


class Machines:
    """Processes of a cluster."""

    def __init__(self, place: Path, *options: str, **environment: str) -> None:
        self.place, self.options = place, options
        self.environment = {**os.environ, **QUIET, **environment}
        self.processes: list[subprocess.Popen[bytes]] = []
        self.file = place / "scheduler.json"
        self.scheduler = self.start("scheduler", "--host", "127.0.0.1", "--port", "0", "--no-show", "--no-dashboard")
        until(self.file.exists)
        self.address = str(json.loads(self.file.read_text())["address"])

    def start(self, kind: str, *options: str) -> subprocess.Popen[bytes]:
        log = (self.place / f"{kind}-{len(self.processes)}.log").open("wb")
        dask: list[str | Path] = [
            Path(sys.executable).with_name("dask"),
            kind,
            "--scheduler-file",
            self.file,
            *self.options,
            *options,
        ]
        process = subprocess.Popen(dask, env=self.environment, stdout=log, stderr=log, cwd=self.place)
        log.close()
        self.processes.append(process)
        return process

    def worker(self, *options: str) -> subprocess.Popen[bytes]:
        nanny = () if "--nanny" in options else ("--no-nanny",)
        return self.start("worker", "--nthreads", "1", "--no-dashboard", *nanny, *options)

    def end(self) -> None:
        for process in self.processes:
            process.kill()
            process.wait()


@pytest.fixture(scope="module", autouse=True)
def bytecode() -> Iterator[None]:
    """Where Python must leave no bytecode beside its files, a dozen processes would compile Dask for seconds each."""
    with pytest.MonkeyPatch.context() as patch:
        if sys.dont_write_bytecode:
            patch.setenv("PYTHONPYCACHEPREFIX", str(ROOT / "target" / "bytecode"))
            patch.delenv("PYTHONDONTWRITEBYTECODE")
        yield


@contextlib.contextmanager
def machines(place: Path, *options: str, **environment: str) -> Iterator[Machines]:
    found = Machines(place, *options, **environment)
    try:
        yield found
    finally:
        found.end()


def until(is_so: Callable[[], Any]) -> None:
    end = time.monotonic() + PATIENCE_S
    while not is_so():
        assert time.monotonic() < end
        time.sleep(0.02)


@pytest.fixture(scope="module")
def cluster(bytecode: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Machines]:  # noqa: ARG001 - before it
    with machines(tmp_path_factory.mktemp("cluster")) as found:
        found.worker()
        found.worker()
        with distributed.Client(found.address, set_as_default=False) as client:
            client.wait_for_workers(2, timeout=PATIENCE_S)
        yield found


@pytest.fixture
def ask(cluster: Machines) -> Iterator[Any]:
    """A client that looks at the cluster."""
    with distributed.Client(cluster.address, set_as_default=False) as client:
        yield client


def tasks(dask_scheduler: Any) -> int:
    return len([key for key in dask_scheduler.tasks if str(key).startswith("bentpipe-")])


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "many.toml").write_text(MANY)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> list[bytes]:
    """What `MANY` gives on this machine alone."""
    folder = tmp_path_factory.mktemp("whole")
    (folder / "many.toml").write_text(MANY)
    with contextlib.chdir(folder):
        bp.sweep("many.toml", out="out")
    return tables(folder / "out")


# --- what comes out ---


def test_the_same_bytes_with_files_controllers_and_errors(cluster: Machines, cli: Command, tmp_path: Path) -> None:
    (tmp_path / "traces").mkdir()
    for name, each in (("slow.trace", 1), ("traces/fast.trace", 3)):
        (tmp_path / name).write_text("".join(f"{at}\n" * each for at in range(1, 101)))
    (tmp_path / "torn.trace").write_text("1\n2\n??\n")
    (tmp_path / "own.toml").write_text(OWN)
    (tmp_path / "own.py").write_text(PLUGIN)
    there = cli("sweep", "own.toml", "--plugin", "own.py", "--out", "there", "--scheduler", cluster.address)
    assert f"{cluster.address}: 2 workers with 2 threads" in there.stderr
    assert there.returncode == 1
    assert "4 of 12 runs failed" in there.stderr
    assert bp.sweep("own.toml", out="here").failed == 4
    assert tables(tmp_path / "here") == tables(tmp_path / "there")


def test_a_client_can_be_handed_over(place: Path, ask: Any, whole: list[bytes]) -> None:
    swept = bp.sweep("many.toml", out="out", scheduler=ask)
    assert swept.made == 160
    assert ask.status == "running"
    assert tables(place / "out") == whole
    assert bp.sweep("many.toml", out="out", scheduler=ask).made == 0
    until(lambda: ask.run_on_scheduler(tasks) == 0)


# --- run folders ---


def files(folder: Path) -> dict[str, bytes]:
    return {str(file.relative_to(folder)): file.read_bytes() for file in folder.rglob("*") if file.is_file()}


def test_workers_write_run_folders_where_all_share_one(place: Path, ask: Any) -> None:
    (place / "many.toml").write_text(MANY.replace("= 20", "= 1"))
    bp.sweep("many.toml", out="here", keep_runs=True)
    there = bp.sweep("many.toml", out="there", keep_runs=True, scheduler=ask)
    assert there.made == 8
    kept = files(place / "there" / "runs")
    assert sum(name.endswith("summary.json") for name in kept) == 8
    assert kept == files(place / "here" / "runs")
    assert Path(there.runs["folder"][0]).is_dir()


def test_run_folders_that_a_worker_would_write_elsewhere_are_refused(place: Path, ask: Any) -> None:
    # Every process has another folder there.
    with pytest.raises(bp.RunError, match=r"does not see /proc/self/cwd/out/runs.* a folder that all have"):
        bp.sweep("many.toml", out="/proc/self/cwd/out", keep_runs=True, scheduler=ask)
    assert files(place / "out" / "runs") == {}
    (place / "link.trace").write_text("1\n2\n")
    (place / "many.toml").write_text(MANY.replace('rate = "2 Mbit/s"', 'trace = "link.trace", queue = "9 packets"'))
    with pytest.raises(bp.ScenarioError, match=r"a scenario that names a file \(link.trace\) on a cluster"):
        bp.sweep("many.toml", out="out", keep_runs=True, scheduler=ask)


# --- kill -9 ---


def test_a_killed_worker_costs_nothing(cluster: Machines, place: Path, whole: list[bytes]) -> None:
    third = cluster.worker()
    with distributed.Client(cluster.address, set_as_default=False) as client:
        until(lambda: len(client.nthreads()) == 3)

        def kill(_done: int, _all: int) -> None:
            third.kill()

        bp.sweep("many.toml", out="out", scheduler=client, progress=kill)
    assert third.wait() == -signal.SIGKILL
    assert tables(place / "out") == whole


def test_a_killed_scheduler_loses_nothing_and_tls_is_spoken(place: Path, whole: list[bytes]) -> None:
    import dask

    key = "-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -keyout key.pem"
    needs.require("openssl")
    subprocess.run(
        f"openssl req -x509 {key} -out cert.pem -days 2 -subj /CN=bentpipe".split(), check=True, capture_output=True
    )
    mine = {"cert": str(place / "cert.pem"), "key": str(place / "key.pem")}
    options = ["--protocol", "tls", "--tls-ca-file", "cert.pem", "--tls-cert", "cert.pem", "--tls-key", "key.pem"]
    with dask.config.set({"distributed.comm.tls.ca-file": mine["cert"], "distributed.comm.tls.client": mine}):
        counted = []
        with machines(place, *options) as first:
            assert first.address.startswith("tls://")
            first.worker()

            def kill(done: int, _all: int) -> None:
                counted.append(done)
                first.scheduler.kill()

            with pytest.raises(bp.RunError, match=r"scheduler-unreachable.*the same command goes on"):
                bp.sweep("many.toml", out="out", scheduler=first.address, progress=kill)
        kept = held(place / "out" / "runs.store")
        assert 0 < counted[-1] <= kept < 160
        again = bp.sweep("many.toml", out="out")
    assert again.made == 160 - kept
    assert tables(place / "out") == whole


def test_a_killed_client_loses_nothing_and_leaves_nothing(
    cluster: Machines, place: Path, ask: Any, whole: list[bytes]
) -> None:
    # A second of work: it is killed in the midst.
    (place / "many.toml").write_text(MANY.replace("= 20", "= 100"))
    command = [sys.executable, "-m", "bentpipe", "sweep", "many.toml", "--out", "out", "--scheduler", cluster.address]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    store = place / "out" / "runs.store"
    until(lambda: held(store) or process.poll() is not None)
    process.kill()
    process.wait()
    kept = held(store)
    assert 0 < kept < 800
    until(lambda: ask.run_on_scheduler(tasks) == 0)
    assert bp.sweep("many.toml", out="out", scheduler=ask).made == 800 - kept
    (place / "many.toml").write_text(MANY)
    assert bp.sweep("many.toml", out="out", scheduler=ask).made == 0
    assert tables(place / "out") == whole


def test_ctrl_c_cancels_what_is_under_way(cluster: Machines, place: Path, ask: Any) -> None:
    (place / "endless.toml").write_text(ENDLESS)
    command = [sys.executable, "-m", "bentpipe", "sweep", "endless.toml", "--scheduler", cluster.address]
    process = subprocess.Popen([*command, "--costly"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def busy(dask_scheduler: Any) -> int:
        return sum(len(worker.processing) for worker in dask_scheduler.workers.values())

    def executing(dask_worker: Any) -> int:
        return len(dask_worker.state.executing)

    until(lambda: ask.run_on_scheduler(busy) > 0 and sum(ask.run(executing).values()) > 0)
    begin = time.monotonic()
    process.send_signal(signal.SIGINT)
    _, told = process.communicate(timeout=PATIENCE_S)
    assert process.returncode == 130, told
    assert time.monotonic() - begin < 4.0  # on an idle machine 0.04 s
    assert "stopped by the user" in told
    until(lambda: ask.run_on_scheduler(tasks) == 0)
    # The workers have given up a run that would have gone on for days.
    until(lambda: sum(ask.run(executing).values()) == 0)


def test_a_run_that_ends_its_worker_costs_only_itself(place: Path) -> None:
    (place / "poison.py").write_text(POISON)
    _plugins.load([place / "poison.py"])
    (place / "sweep.toml").write_text(
        MANY.replace('["reno", "cubic"]', '["reno", "poison"]')
        .replace("points = 4", "points = 2")
        .replace("= 20", "= 1")
    )
    with machines(place, DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES="0") as found:
        found.worker("--nanny")
        swept = bp.sweep("sweep.toml", scheduler=found.address)
    errors = swept.runs["error"]
    assert [error is None for error in errors] == [True] * 2 + [False] * 2
    assert all(error is None or error.startswith("worker-lost: 1 workers ended") for error in errors)


# --- what is refused ---


@pytest.mark.parametrize(
    ("preload", "says"),
    [
        ("from bentpipe._sweep import _worker\n_worker.identity = lambda: 'of old'", "of old"),
        ("import sys\nsys.modules['bentpipe'] = None", "has no Bentpipe"),
    ],
    ids=["version", "none"],
)
def test_a_worker_with_another_version_is_refused(
    cluster: Machines, place: Path, ask: Any, preload: str, says: str
) -> None:
    (place / "older.py").write_text(preload)
    other = cluster.worker("--preload", str(place / "older.py"))
    try:
        until(lambda: len(ask.nthreads()) == 3)
        with pytest.raises(bp.ScenarioError, match="worker-differs") as caught:
            bp.sweep("many.toml", out="out", scheduler=cluster.address)
        assert says in str(caught.value)
        assert "install the same one everywhere" in str(caught.value)
    finally:
        other.kill()
        other.wait()
    until(lambda: len(ask.nthreads()) == 2)
    until(lambda: ask.run_on_scheduler(tasks) == 0)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--scheduler", "tcp://127.0.0.1:9"], ["scheduler-unreachable", "tcp://127.0.0.1:9", "dask scheduler"]),
        # An address for documentation (RFC 5737): it is refused before anyone is asked.
        (["--scheduler", "tcp://192.0.2.1:8786"], ["scheduler-insecure", "tls://", "--insecure-scheduler"]),
        (["--scheduler", "ws://192.0.2.1:8786"], ["scheduler-insecure"]),
        (["--scheduler", "tls://127.0.0.1:9"], ["scheduler-unreachable", "no certificates are set", "ca-file"]),
        (["--scheduler", "127.0.0.1"], ["scheduler-unreachable", '"127.0.0.1" is no address', "tls://host:8786"]),
        (["--scheduler", "tcp://127.0.0.1:port"], ["no address of a scheduler"]),
        (["--scheduler", "tcp://127.0.0.1:9", "--threads", "2"], ["usage", "not allowed with"]),
    ],
)
@pytest.mark.usefixtures("place")
def test_addresses_that_cannot_be_used(cli: Command, arguments: list[str], says: list[str]) -> None:
    done = cli("sweep", "many.toml", *arguments)
    assert done.returncode == 2
    for word in says:
        assert word in done.stderr


@pytest.mark.usefixtures("place")
def test_a_missing_library_is_named(cli: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda _: None)
    done = cli("sweep", "many.toml", "--scheduler", "tcp://127.0.0.1:9")
    assert (done.returncode, 'pip install "bentpipe[cluster]"' in done.stderr) == (2, True)
