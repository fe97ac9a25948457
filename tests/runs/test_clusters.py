# SPDX-License-Identifier: MIT OR Apache-2.0
"""Sweeps on a cluster: a real scheduler and real workers, as processes of this machine, and kill -9 of each."""

from __future__ import annotations

import contextlib
import json
import os
import re
import shlex
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import distributed
import pytest

import bentpipe as bp
import needs
from bentpipe.cli import plugins
from bentpipe.runs import cluster as _cluster
from bentpipe.runs import worker
from project import ROOT, Command
from small_sweeps import held, tables
from sockets import family, is_open_to_others, listening
from waiting import HANG_S, heed_interrupts, interrupted, until

# Schedulers and workers do not have this file, so its functions are sent by value.
distributed.protocol.pickle.cloudpickle.register_pickle_by_value(sys.modules[__name__])

GUIDE = (ROOT / "docs" / "guide" / "clusters.md").read_text(encoding="utf-8")
#: A user who can reach a port of these processes can run code here, so they listen on this machine only.
ALONE = ("--host", "127.0.0.1", "--dashboard-address", "127.0.0.1:0")
#: Dask's own measurements take more CPU time than these runs, especially on a busy machine.
QUIET = {
    "DASK_DISTRIBUTED__ADMIN__LOG_FORMAT": "%(message)s",
    "DASK_DISTRIBUTED__COMM__TIMEOUTS__CONNECT": f"{HANG_S} s",
    "DASK_DISTRIBUTED__ADMIN__SYSTEM_MONITOR__INTERVAL": "10s",
    "DASK_DISTRIBUTED__ADMIN__TICK__INTERVAL": "500ms",
    "DASK_DISTRIBUTED__WORKER__PROFILE__ENABLED": "False",
}
#: Runs of about a millisecond each: their number lets a test interrupt a batch before its end.
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
#: The runs of `MANY`, and the same number of runs that take an hour each, so that the sweep does not finish.
MANY_AND_LONG = MANY.replace("[axes]", '[axes]\nduration = ["500 ms", "30 d"]')
#: A run that no test waits for.
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
#: A controller and a trace file that no worker has. One trace is damaged.
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
#: Ends the process that runs this controller.
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
        self.scheduler = self.start("scheduler", "--port", "0", "--no-show", "--no-dashboard")

    @property
    def address(self) -> str:
        """The address of the scheduler. Reading it waits until the scheduler listens."""
        # Dask first creates the file, and then writes it.
        until(lambda: self.file.exists() and self.file.read_text().endswith("}"), self.scheduler)
        return str(json.loads(self.file.read_text())["address"])

    def start(self, kind: str, *options: str) -> subprocess.Popen[bytes]:
        log = (self.place / f"{kind}-{len(self.processes)}.log").open("wb")
        dask: list[str | Path] = [
            Path(sys.executable).with_name("dask"),
            kind,
            "--scheduler-file",
            self.file,
            *ALONE,
            *self.options,
            *options,
        ]
        process = subprocess.Popen(dask, env=self.environment, stdout=log, stderr=log, cwd=self.place)
        log.close()
        self.processes.append(process)
        return process

    def worker(self, *options: str) -> subprocess.Popen[bytes]:
        nanny = () if "--nanny" in options else ("--no-nanny",)
        # A worker ends if the file has no address.
        assert self.address
        return self.start("worker", "--nthreads", "1", "--no-dashboard", *nanny, *options)

    def end(self) -> None:
        for process in self.processes:
            process.kill()
            process.wait()


@pytest.fixture(scope="module", autouse=True)
def bytecode() -> Iterator[None]:
    """If Python writes no bytecode beside its files, each of a dozen processes compiles Dask for seconds."""
    with pytest.MonkeyPatch.context() as patch:
        if sys.dont_write_bytecode:
            patch.setenv("PYTHONPYCACHEPREFIX", str(ROOT / "target" / "bytecode"))
            patch.delenv("PYTHONDONTWRITEBYTECODE")
        yield


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wait for a scheduler even on a busy machine."""
    monkeypatch.setattr(_cluster, "_ANSWER_S", HANG_S)


def client_of(address: str) -> Any:
    """Return a client that observes a cluster."""
    return distributed.Client(address, set_as_default=False, timeout=HANG_S)


@contextlib.contextmanager
def machines(place: Path, *options: str, **environment: str) -> Iterator[Machines]:
    found = Machines(place, *options, **environment)
    try:
        yield found
    finally:
        found.end()


@pytest.fixture(scope="module")
def cluster(bytecode: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Machines]:  # noqa: ARG001 - before it
    with machines(tmp_path_factory.mktemp("cluster")) as found:
        found.worker()
        found.worker()
        with client_of(found.address) as client:
            client.wait_for_workers(2, timeout=HANG_S)
        yield found


@pytest.fixture
def ask(cluster: Machines) -> Iterator[Any]:
    with client_of(cluster.address) as client:
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
    """Return the tables of `MANY`, made on this machine alone."""
    folder = tmp_path_factory.mktemp("whole")
    (folder / "many.toml").write_text(MANY)
    with contextlib.chdir(folder):
        bp.sweep("many.toml", out="out")
    return tables(folder / "out")


# --- sockets that other machines can reach ---


def reachable(process: subprocess.Popen[bytes]) -> set[tuple[str, int]]:
    """Return the sockets of a process and its descendants that other machines can reach."""
    found = {one for member in family(process.pid) for one in listening(member)}
    assert found, "a process of a cluster listens"
    return {one for one in found if is_open_to_others(one[0])}


@pytest.fixture
def of_the_guide(tmp_path: Path, bytecode: None) -> Iterator[list[subprocess.Popen[bytes]]]:  # noqa: ARG001 - before it
    """Start scheduler and workers with the commands of the guide, at a free port."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = str(free.getsockname()[1])
    lines = re.findall(r"^dask .*(?= 2> \S+ &$)", GUIDE.replace("\\\n", ""), re.MULTILINE)
    commands = [shlex.split(line.replace("28786", port)) for line in lines]
    assert [command[1] for command in commands] == ["scheduler", "worker"]
    processes = []
    try:
        for program, *words in commands:
            place = Path(sys.executable).with_name(program)
            processes.append(subprocess.Popen([place, *words], cwd=tmp_path, stderr=subprocess.DEVNULL))
        with client_of(f"tcp://127.0.0.1:{port}") as client:
            client.wait_for_workers(2, timeout=HANG_S)
        yield processes
    finally:
        # Workers end with their nanny. A killed nanny cannot end them, so workers are killed first.
        for process in reversed(processes):
            process.terminate()
            process.wait()


def test_the_guides_cluster_listens_on_this_machine_alone(of_the_guide: list[subprocess.Popen[bytes]]) -> None:
    assert [reachable(process) for process in of_the_guide] == [set(), set()]
    # The workers are separate processes, and each has a port.
    assert sum(bool(listening(process)) for process in family(of_the_guide[1].pid)) == 3


def test_the_guides_cluster_in_python_listens_on_this_machine_alone() -> None:
    (made,) = re.findall(r"^cluster = (LocalCluster\(.*?^\))$", GUIDE, re.MULTILINE | re.DOTALL)
    before = listening(os.getpid())
    with eval(made, {"LocalCluster": distributed.LocalCluster}):  # noqa: S307 - the guide's own code
        new = listening(os.getpid()) - before
    assert len(new) == 2, "the HTTP servers of scheduler and worker"
    assert not [one for one in new if is_open_to_others(one[0])]


def test_the_clusters_of_these_tests_listen_on_this_machine_alone(cluster: Machines) -> None:
    alive = [process for process in cluster.processes if process.poll() is None]
    assert len(alive) == 3
    assert [reachable(process) for process in alive] == [set()] * 3


# --- results ---


def traces(place: Path) -> None:
    """Write the traces of `OWN`."""
    (place / "traces").mkdir()
    for name, each in (("slow.trace", 1), ("traces/fast.trace", 3)):
        (place / name).write_text("".join(f"{at}\n" * each for at in range(1, 101)))
    (place / "torn.trace").write_text("1\n2\n??\n")


def test_the_same_bytes_with_files_controllers_and_errors(cluster: Machines, cli: Command, tmp_path: Path) -> None:
    traces(tmp_path)
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
    # This path is a different folder for each process.
    with pytest.raises(bp.RunError, match=r"does not share /proc/self/cwd/out/runs.* a shared folder"):
        bp.sweep("many.toml", out="/proc/self/cwd/out", keep_runs=True, scheduler=ask)
    assert files(place / "out" / "runs") == {}
    (place / "link.trace").write_text("1\n2\n")
    (place / "many.toml").write_text(MANY.replace('rate = "2 Mbit/s"', 'trace = "link.trace", queue = "9 packets"'))
    with pytest.raises(bp.ScenarioError, match=r"a scenario that names a file \(link.trace\) on a cluster"):
        bp.sweep("many.toml", out="out", keep_runs=True, scheduler=ask)


# --- kill -9 ---

#: The command line, with the same long time limit for a busy scheduler.
PATIENT = f"""
import sys
from bentpipe.cli import entry
from bentpipe.runs import cluster
cluster._ANSWER_S = {HANG_S}
sys.exit(entry())
"""


def started(*words: str) -> subprocess.Popen[str]:
    """Start a sweep, and return its process."""
    return subprocess.Popen(
        [sys.executable, "-c", PATIENT, "sweep", *words, "--costly"],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=heed_interrupts,
    )


def test_a_killed_worker_costs_nothing(cluster: Machines, place: Path, whole: list[bytes]) -> None:
    third = cluster.worker()
    with client_of(cluster.address) as client:
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

            (place / "many.toml").write_text(MANY_AND_LONG)
            with pytest.raises(bp.RunError, match=r"scheduler-unreachable.*repeat the command to continue"):
                bp.sweep("many.toml", out="out", scheduler=first.address, progress=kill, costly=True)
        kept = held(place / "out" / "runs.store")
        assert 0 < counted[-1] <= kept
        (place / "many.toml").write_text(MANY)
        again = bp.sweep("many.toml", out="out")
    assert again.made == 160 - kept
    assert tables(place / "out") == whole


def test_a_killed_client_loses_nothing_and_leaves_nothing(
    cluster: Machines, place: Path, ask: Any, whole: list[bytes]
) -> None:
    (place / "many.toml").write_text(MANY_AND_LONG)
    process = started("many.toml", "--out", "out", "--scheduler", cluster.address)
    store = place / "out" / "runs.store"
    until(lambda: held(store), process)
    process.kill()
    assert process.wait() == -signal.SIGKILL
    assert process.stderr is not None
    process.stderr.close()
    kept = held(store)
    until(lambda: ask.run_on_scheduler(tasks) == 0)
    (place / "many.toml").write_text(MANY)
    assert bp.sweep("many.toml", out="out", scheduler=ask).made == 160 - kept
    assert tables(place / "out") == whole


def test_ctrl_c_cancels_what_is_under_way(cluster: Machines, place: Path, ask: Any) -> None:
    (place / "endless.toml").write_text(ENDLESS)
    process = started("endless.toml", "--scheduler", cluster.address)

    def busy(dask_scheduler: Any) -> int:
        return sum(len(worker.processing) for worker in dask_scheduler.workers.values())

    def executing(dask_worker: Any) -> int:
        return len(dask_worker.state.executing)

    until(lambda: ask.run_on_scheduler(busy) > 0 and sum(ask.run(executing).values()) > 0, process)
    assert "stopped by the user" in interrupted(process)
    until(lambda: ask.run_on_scheduler(tasks) == 0)
    # The workers have cancelled a run that would have taken days.
    until(lambda: sum(ask.run(executing).values()) == 0)


def test_a_run_that_ends_its_worker_costs_only_itself(place: Path) -> None:
    (place / "poison.py").write_text(POISON)
    plugins.load([place / "poison.py"])
    (place / "sweep.toml").write_text(
        MANY.replace('["reno", "cubic"]', '["reno", "poison"]')
        .replace("points = 4", "points = 2")
        .replace("= 20", "= 1")
    )
    with machines(place, DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES="0") as found:
        found.worker("--nanny")

        def status(dask_worker: Any) -> str:
            return str(dask_worker.status.name)

        # A nanny that is still starting gives up if its worker ends.
        with client_of(found.address) as client:
            until(lambda: [*client.run(status, nanny=True).values()] == ["running"])
        swept = bp.sweep("sweep.toml", scheduler=found.address)
    errors = swept.runs["error"]
    assert [error is None for error in errors] == [True] * 2 + [False] * 2
    assert all(error is None or error.startswith("worker-lost: 1 workers ended") for error in errors)


# --- memory ---


@contextlib.contextmanager
def declaring(memory_bytes: float) -> Iterator[distributed.Client]:
    """Yield the client of a cluster in this process, with four threads and a declared memory."""
    closed = {"dashboard_address": "127.0.0.1:0", "worker_dashboard_address": "127.0.0.1:0"}
    has = {"MEMORY": memory_bytes}
    with (
        distributed.LocalCluster(n_workers=1, threads_per_worker=4, processes=False, resources=has, **closed) as one,
        distributed.Client(one, set_as_default=False) as client,
    ):
        yield client


def test_a_damaged_trace_fails_alone_where_memory_is_declared(place: Path) -> None:
    traces(place)
    (place / "own.toml").write_text(OWN.replace(', "own"', ""))
    with declaring(1e9) as client:
        there = bp.sweep("own.toml", out="there", scheduler=client)
    assert (there.failed, len(there.runs)) == (2, 6)
    assert bp.sweep("own.toml", out="here").failed == 2
    assert tables(place / "here") == tables(place / "there")


def test_runs_together_need_at_most_the_memory_that_a_worker_declares(
    place: Path, whole: list[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    made, lock, running, most = worker.make, threading.Lock(), 0, 0

    def counted(*arguments: Any) -> worker.Result:
        nonlocal running, most
        with lock:
            running += 1
            most = max(most, running)
        try:
            return made(*arguments)
        finally:
            with lock:
                running -= 1

    monkeypatch.setattr(worker, "make", counted)
    _, _, base = MANY.partition("[base]")
    # Two runs at a time, on four threads, would already need more than this.
    with declaring(1.5 * bp.estimate_cost(base)["memory_bytes"]) as client:
        bp.sweep("many.toml", out="out", scheduler=client)
    assert tables(place / "out") == whole
    assert most == 1


# --- what is refused ---


@pytest.mark.parametrize(
    ("preload", "says"),
    [
        ("from bentpipe.runs import worker\nworker.identity = lambda: 'of old'", "of old"),
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
        assert "install the same version everywhere" in str(caught.value)
    finally:
        other.kill()
        other.wait()
    until(lambda: len(ask.nthreads()) == 2)
    until(lambda: ask.run_on_scheduler(tasks) == 0)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--scheduler", "tcp://127.0.0.1:9"], ["scheduler-unreachable", "tcp://127.0.0.1:9", "dask scheduler"]),
        # The address is reserved for documentation (RFC 5737). It is refused before any connection.
        (["--scheduler", "tcp://192.0.2.1:8786"], ["scheduler-insecure", "tls://", "--insecure-scheduler"]),
        (["--scheduler", "ws://192.0.2.1:8786"], ["scheduler-insecure"]),
        (["--scheduler", "tls://127.0.0.1:9"], ["scheduler-unreachable", "no certificates are configured", "ca-file"]),
        (["--scheduler", "127.0.0.1"], ["scheduler-unreachable", '"127.0.0.1" is not the address', "tls://host:8786"]),
        (["--scheduler", "tcp://127.0.0.1:port"], ["not the address of a scheduler"]),
        # These are refused at once. Dask itself would try for seconds, and would print a traceback.
        (["--scheduler", "http://127.0.0.1:9"], ["not the address of a scheduler", "tcp://, tls://"]),
        (["--scheduler", "ucx://127.0.0.1:9"], ["not the address of a scheduler"]),
        (["--scheduler", "inproc://127.0.0.1/1/1"], ["not the address of a scheduler", "another process"]),
        (["--scheduler", "tcp://127.0.0.1:9", "--threads", "2"], ["usage", "not allowed with"]),
    ],
)
@pytest.mark.usefixtures("place")
def test_addresses_that_cannot_be_used(
    cli: Command, arguments: list[str], says: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_cluster, "_ANSWER_S", 1.0)  # no scheduler answers
    done = cli("sweep", "many.toml", *arguments)
    assert done.returncode == 2
    for word in says:
        assert word in done.stderr


@pytest.mark.parametrize(
    ("answer", "asked"),
    [
        (["127.0.0.1"], "tcp://127.0.0.1:8786"),
        (["::1", "127.0.0.1"], "tcp://127.0.0.1:8786"),
        (["::1"], "tcp://[::1]:8786"),
        (["127.0.0.1", "192.0.2.1"], None),
        (["192.0.2.1"], None),
    ],
)
@pytest.mark.usefixtures("place")
def test_a_name_is_looked_up_once(monkeypatch: pytest.MonkeyPatch, answer: list[str], asked: str | None) -> None:
    """Dask gets the checked address, because a second look-up of the name might return another machine."""

    reached: list[str] = []

    def connect(_client: Any, address: str, **_options: Any) -> None:
        reached.append(address)
        raise OSError(address)

    found = [(socket.AF_INET6 if ":" in one else socket.AF_INET, 1, 6, "", (one, 8786)) for one in answer]
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_: found)
    monkeypatch.setattr(distributed.Client, "__init__", connect)
    code = "scheduler-insecure" if asked is None else "scheduler-unreachable"
    with pytest.raises(bp.ScenarioError, match=code):
        bp.sweep("many.toml", scheduler="tcp://scheduler.example:8786")
    assert reached == ([] if asked is None else [asked])


@pytest.mark.usefixtures("place")
def test_a_missing_library_is_named(cli: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda _: None)
    done = cli("sweep", "many.toml", "--scheduler", "tcp://127.0.0.1:9")
    assert (done.returncode, 'pip install "bentpipe[cluster]"' in done.stderr) == (2, True)


@pytest.mark.parametrize("answer", [b"", b"HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n" + b"x" * 100])
@pytest.mark.usefixtures("place")
def test_another_program_at_the_address_is_told(cli: Command, answer: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    """One program sends nothing, and one answers in another protocol. Bentpipe waits for neither without a limit."""
    monkeypatch.setattr(_cluster, "_ANSWER_S", 1.0)
    with socket.create_server(("127.0.0.1", 0)) as server:
        taken: list[socket.socket] = []

        def serve() -> None:
            while True:
                try:
                    connection, _ = server.accept()
                except OSError:
                    return
                taken.append(connection)
                if answer:
                    connection.sendall(answer)
                    connection.close()

        threading.Thread(target=serve, daemon=True).start()
        done = cli("sweep", "many.toml", "--scheduler", f"tcp://127.0.0.1:{server.getsockname()[1]}")
        server.shutdown(socket.SHUT_RDWR)
    for connection in taken:
        connection.close()
    assert (done.returncode, "error[scheduler-unreachable]" in done.stderr) == (2, True), done.stderr
    assert "Traceback" not in done.stderr
