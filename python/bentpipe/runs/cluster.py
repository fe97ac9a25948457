# SPDX-License-Identifier: MIT OR Apache-2.0
"""Make runs on the workers of a Dask cluster. Workers need only Bentpipe, and only the client writes to the store.

A cluster has the same interface as the threads of this machine (`results`, `stop`). Workers make the runs; this process
does everything else. Workers write nothing to the store, so no store needs a lock across machines.

- A chunk takes about a second. After two seconds a worker returns the runs that it has finished. Three chunks for each
  thread wait at the scheduler, so the scheduler's memory does not grow.
- Each chunk returns its summaries as one Arrow table with 60 bytes per run. A summary that is compressed alone has 880
  bytes.
- If the workers of a chunk ended, the runs of the chunk are made one by one at the end, because a single run may be the
  cause.
- Workers write run folders. A worker first looks for a file that the client wrote beside the folders. A worker that
  does not find this file would write elsewhere. A scenario that names files gets no run folder, because the folder
  would name the worker's copies of the files.
- The client holds 0.4 kB for each run that is still to be made.
- If workers declare their memory (`dask worker --resources MEMORY=32e9`), each chunk requests the estimated memory of
  its largest run. The scheduler then starts a chunk only on a worker with enough memory left.
"""

from __future__ import annotations

import hashlib
import ipaddress
import json
import logging
import os
import socket
import sys
import threading
import time
import uuid
from collections import deque
from contextlib import contextmanager
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from bentpipe import _core
from bentpipe.base import arguments
from bentpipe.base.errors import BentpipeError, RunError, ScenarioError
from bentpipe.base.extras import needs
from bentpipe.runs import worker
from bentpipe.runs.store import COMMIT_S
from bentpipe.scenario.controller import REGISTERED
from bentpipe.scenario.document import as_toml

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from distributed import Client, Future, as_completed

    from bentpipe.runs.execute import Some
    from bentpipe.runs.point import Point, Wanted

#: Target duration of a chunk in seconds: long compared with the scheduler's millisecond, and a small loss if a worker
#: ends.
_CHUNK_S = 1.0
#: If a chunk takes longer than its target by this factor, it returns the runs that it has finished.
_PATIENCE = 2.0
#: Assumed duration of a run before the first result arrives.
_FIRST_S = 0.05
#: Largest number of runs in a chunk.
_MOST = 2_000
#: Number of chunks that wait at the scheduler for each thread of the cluster, and the smallest number of waiting
#: chunks. An adaptive cluster adds workers by the number of waiting chunks.
_WAITING, _WAITING_LEAST = 3, 16
#: Interval in seconds between two requests for the number of threads.
_ASK_S = 2.0
#: Interval in seconds between two checks for finished chunks. In the meantime, other chunks wait at the workers.
_LOOK_S = 0.02
#: Largest time in seconds until a scheduler answers.
_ANSWER_S = 5.0
#: If a scheduler does not answer for this time, in seconds, the connection is lost.
_SILENT_S = 60.0
#: The function is called by its name, because unpickling a function of a missing module would end the worker without an
#: error.
_CALL = "__import__('importlib').import_module('bentpipe.runs.worker').make(wanted, chunk, files)"
#: Name of Dask's resource with which a worker declares the memory of its runs, in bytes.
_MEMORY = "MEMORY"
#: Protocols with encryption.
_CLOSED = ("tls", "wss")
#: Protocols of Dask that this package allows. A further protocol of Dask works only within one process.
_WAYS = ("tcp", "tls", "ws", "wss")
_INSIDE = "inproc"


@contextmanager
def connected(scheduler: str | Client | None, *, insecure: bool = False) -> Iterator[Client | None]:
    """Yield a client of the scheduler at an address. If `scheduler` is a client, yield it.

    Raises:
        ScenarioError: If the address is not valid, the connection is not protected, or no scheduler answers.
    """
    if scheduler is None:
        yield None
        return
    needs("distributed", "cluster", "a cluster")
    from distributed import Client

    if isinstance(scheduler, Client):
        yield scheduler
        return
    if not isinstance(scheduler, str):
        raise arguments.refuse(f"scheduler must be an address or a distributed.Client, not {scheduler!r}")
    address = _checked(scheduler, insecure=insecure)
    _check_certificates(scheduler)
    # This code reports the error, so Dask must not report it too.
    logging.getLogger("distributed").setLevel(logging.CRITICAL)
    try:
        client = _client(address)
    except Exception as problem:  # another program may send any answer, so any exception is possible
        what = str(problem).split("\n")[0] or type(problem).__name__
        raise ScenarioError(
            "scheduler-unreachable",
            f"no scheduler answers at {scheduler}: {what} (check that `dask scheduler` runs, that it printed this "
            "address, that this machine can reach the port, and that with tls:// both sides have certificates of one "
            "authority)",
        ) from None
    try:
        yield client
    finally:
        client.close(timeout=1.0)


def _client(address: str) -> Client:
    """Connect to the scheduler at an address.

    If another program accepts the connection and sends nothing, Dask waits forever. Therefore Dask connects in a
    separate thread.
    """
    from distributed import Client

    made: SimpleQueue[Client | Exception] = SimpleQueue()

    def make() -> None:
        try:
            made.put(Client(address, timeout=_ANSWER_S, set_as_default=False, name="bentpipe"))
        except Exception as problem:  # as below
            made.put(problem)

    threading.Thread(target=make, daemon=True).start()
    try:
        found = made.get(timeout=2 * _ANSWER_S)
    except Empty:
        raise TimeoutError("the program that listens there does not use Dask's protocol") from None
    if isinstance(found, Exception):
        raise found
    return found


def _checked(address: str, *, insecure: bool) -> str:
    """Return the address to connect to, with the IP address in place of a name of this machine.

    Dask transfers pickles. A user who can write to Dask's connections can run code on every machine of the cluster, and
    on this machine. Dask would resolve a name again, and might then connect to a machine that was not checked.
    """
    try:
        parts = urlsplit(address)
        host, port = parts.hostname, parts.port
    except ValueError:
        host, port, parts = None, None, urlsplit("")
    if parts.scheme == _INSIDE and f"/{os.getpid()}/" in parts.path:
        return address
    if parts.scheme not in _WAYS or not host or port is None:
        known = ", ".join(f"{way}://" for way in _WAYS)
        inside = " (it belongs to another process)" if parts.scheme == _INSIDE else ""
        raise ScenarioError(
            "scheduler-unreachable",
            f'"{address}" is not the address of a scheduler{inside}: an address begins with one of {known}, and has a '
            "host and a "
            "port (write for example tls://host:8786)",
        )
    if parts.scheme in _CLOSED or insecure:
        return address
    own = _own_address(host or "", port or 0)
    if own is not None:
        return f"{parts.scheme}://{own}"
    raise ScenarioError(
        "scheduler-insecure",
        f"refusing to connect to {address}: the connection leaves this machine without encryption, and anyone who can "
        f"change its data can run code on this machine (use tls:// with certificates, or a tunnel to tcp://127.0.0.1; "
        "--insecure-scheduler if you trust every machine on that network)",
    )


def _check_certificates(address: str) -> None:
    """Refuse an encrypted connection without certificates. Dask would report this only after ten seconds or more."""
    from distributed.security import Security

    if urlsplit(address).scheme not in ("tls", "wss"):
        return
    try:
        context = Security().get_connection_args("client").get("ssl_context")
        why = "no certificates are configured" if context is None else ""
    except (OSError, ValueError) as problem:
        why = f"the configured certificates cannot be used: {problem}"
    if why:
        raise ScenarioError(
            "scheduler-unreachable",
            f"cannot connect to {address}: {why} (set distributed.comm.tls.ca-file and "
            "distributed.comm.tls.client.cert "
            "and .key in a file of ~/.config/dask, or DASK_DISTRIBUTED__COMM__TLS__CA_FILE and so on; the guide's "
            "page on clusters says how to make certificates)",
        )


def _own_address(host: str, port: int) -> str | None:
    """Return the address and port of a host if all addresses of the host belong to this machine; otherwise None."""
    try:
        found = [str(one[4][0]).split("%")[0] for one in socket.getaddrinfo(host, port)]
    except OSError:
        return None
    addresses = [ipaddress.ip_address(one) for one in found]
    if not all(one.is_loopback for one in addresses):
        return None
    # Dask listens on IPv4 if a name has addresses of both versions.
    first = min(addresses, key=lambda one: one.version)
    return f"[{first}]:{port}" if first.version == 6 else f"{first}:{port}"


class Cluster:
    """Workers that make the runs of a list, chunk by chunk."""

    def __init__(self, todo: Sequence[Wanted], client: Client, *, costly: bool) -> None:
        self._client, self._costly = client, costly
        self._left = deque(range(len(todo)))
        self._todo = todo
        self._under_way: dict[Future[object], list[int]] = {}
        #: Runs of chunks whose workers ended. At the end, each of these runs is made alone.
        self._alone: deque[int] = deque()
        self._files: dict[str, Future[bytes]] = {}
        self._each_s, self._threads, self._asked = _FIRST_S, 1, float("-inf")
        #: Largest memory that a worker declares, in bytes; None if no worker declares its memory.
        self._memory: float | None = None
        self._proof = _proof([one.folder.absolute() for one in todo if one.folder is not None])

    def results(self) -> Iterator[Some]:
        """Yield names of runs with their compressed summaries or errors as they arrive; an empty list after a while."""
        from distributed import as_completed

        done = as_completed([], loop=self._client.loop, with_results=True, raise_errors=False)
        while self._fill(done):
            end = time.monotonic() + COMMIT_S
            while not done.has_ready() and time.monotonic() < end:
                time.sleep(_LOOK_S)
            for future, result in done.next_batch(block=False):
                some = self._under_way.pop(future)
                if future.status == "error":
                    yield self._failed(some, result[1])
                elif future.status != "finished":
                    raise self._lost()
                else:
                    yield self._finished(some, result)
                future.release()
            yield []

    def stop(self) -> None:
        """Cancel the chunks under way. A worker abandons its current run."""
        if self._proof is not None:
            Path(self._proof[0]).unlink(missing_ok=True)
        if self._under_way and self._client.status == "running":
            self._client.cancel(list(self._under_way), force=True)
        self._under_way.clear()

    def _fill(self, done: as_completed) -> bool:
        """Submit chunks until enough of them wait at the scheduler; False if no result is outstanding."""
        if self._left and time.monotonic() - self._asked > _ASK_S:
            try:
                # Without a limit, a request to a scheduler that ended would wait forever.
                threads = self._client.nthreads(callback_timeout=_SILENT_S)
                self._threads = max(1, sum(threads.values()))
                self._memory = self._declared()
            except (OSError, RuntimeError, AttributeError):
                raise self._lost() from None
            self._asked = time.monotonic()
        most = max(_WAITING_LEAST, _WAITING * self._threads)
        while len(self._under_way) < most and self._left:
            fair = 1 + len(self._left) // (2 * self._threads)
            count = max(1, min(fair, _MOST, int(_CHUNK_S / self._each_s)))
            done.add(self._submit([self._left.popleft() for _ in range(min(count, len(self._left)))]))
        if self._alone and not self._under_way:
            done.add(self._submit([self._alone.popleft()]))
        return bool(self._under_way)

    def _declared(self) -> float | None:
        """Return the largest memory that a worker declares, in bytes; None if no worker declares its memory."""
        workers = self._client.scheduler_info()["workers"].values()
        return max((of[_MEMORY] for one in workers if _MEMORY in (of := one["resources"])), default=None)

    def _resources(self, some: list[int]) -> dict[str, float] | None:
        """Return the resources that a chunk requests: the memory of its largest run, in bytes.

        The request is at most the largest declared memory. A run that needs more is refused by its worker. Without
        declared memory, return None: otherwise no worker could start the chunk.
        """
        if self._memory is None:
            return None
        # The estimate is the same for every seed of a point.
        of_each_point = {id(wanted.point): wanted for wanted in (self._todo[number] for number in some)}
        return {_MEMORY: min(max(_memory_bytes(one) for one in of_each_point.values()), self._memory)}

    def _submit(self, some: list[int]) -> Future[object]:
        texts: dict[int, str] = {}
        files: dict[str, Future[bytes] | None] = {}
        runs = []
        for one in (self._todo[number] for number in some):
            if id(one.point) not in texts:
                if one.folder is None:
                    self._send_files(one.point, files)
                texts[id(one.point)] = one.point.text if one.folder is None else _whole(one.point)
            folder = None if one.folder is None else str(one.folder.absolute())
            runs.append((texts[id(one.point)], one.point.origin, one.seed, folder))
        chunk = worker.Chunk(runs, self._proof, _own(texts.values()), self._costly, _PATIENCE * _CHUNK_S)
        try:
            future = self._client.submit(
                eval,
                _CALL,
                {"wanted": worker.identity(), "chunk": worker.sealed(chunk), "files": files},
                key=f"bentpipe-{uuid.uuid4().hex}",
                pure=False,
                resources=self._resources(some),
            )
        except (OSError, RuntimeError):
            raise self._lost() from None
        self._under_way[future] = some
        return future

    def _send_files(self, point: Point, files: dict[str, Future[bytes] | None]) -> None:
        """Add the files that a point names to `files`, or None for a missing file."""
        for file in _core.named_files(point.job()):
            if str(file) in files:
                continue
            content = file.read_bytes() if file.is_file() else None
            key = f"bentpipe-file-{hashlib.sha256(content or b'').hexdigest()}"
            if content is not None and key not in self._files:
                self._files[key] = self._client.submit(bytes, content, key=key)
            files[str(file)] = None if content is None else self._files[key]

    def _finished(self, some: list[int], result: worker.Result) -> Some:
        if result[0] == "differs":
            raise ScenarioError(
                "worker-differs",
                f"the worker {result[1]} has another version of Bentpipe: {result[2]}; this machine has "
                f"{worker.identity()} (install the same version everywhere)",
            )
        if result[0] == "apart":
            raise RunError(
                "folder-unwritable",
                f"the worker {result[1]} does not share {Path(result[2]).parent} with this machine, and would write "
                "run folders elsewhere (on a cluster, `--keep runs` needs a shared folder with the same path on all "
                "machines; omit --keep, or choose another --out)",
            )
        rows, took_s = worker.rows(result[1]), result[2]
        self._each_s = 0.5 * self._each_s + 0.5 * max(1e-4, took_s / len(rows))
        # The worker did not start the other runs, because the time of the chunk was over.
        self._left.extendleft(reversed(some[len(rows) :]))
        return [(self._todo[number].key, _result(row)) for number, row in zip(some, rows, strict=False)]

    def _failed(self, some: list[int], problem: BaseException) -> Some:
        from distributed import KilledWorker

        if isinstance(problem, ImportError) and "bentpipe" in str(problem):
            raise ScenarioError(
                "worker-differs",
                f"a worker of {self._address} has no Bentpipe, or another version: {problem} (install the same "
                "version everywhere)",
            )
        if not isinstance(problem, KilledWorker):
            raise RunError("worker-lost", f"a worker of {self._address} failed: {type(problem).__name__}: {problem}")
        if len(some) > 1:
            self._alone.extend(some)
            return []
        lost = RunError(
            "worker-lost",
            f"{problem.allowed_failures + 1} workers ended during this run, the last was "
            f"{problem.last_worker.address} (the log of the worker may contain the cause; the system ends a worker "
            f"whose runs need more memory than the machine has; to limit them, start workers with --resources "
            f"{_MEMORY}=32e9, in bytes)",
        )
        return [(self._todo[some[0]].key, lost)]

    @property
    def _address(self) -> str:
        scheduler = self._client.scheduler
        return "the cluster" if scheduler is None else str(scheduler.address)

    def _lost(self) -> RunError:
        return RunError(
            "scheduler-unreachable",
            "the connection to the scheduler is lost; finished runs are kept (start the scheduler again, and repeat "
            "the command to continue)",
        )


def _memory_bytes(one: Wanted) -> float:
    """Return the estimated memory of a run. A run that cannot be planned needs none: its worker reports the error."""
    try:
        return float(json.loads(_core.cost(one.job(costly=True), measured=False))["memory_bytes"])
    except BentpipeError:
        return 0.0


def _result(row: worker.Row) -> bytes | BentpipeError:
    if row.kept is not None:
        return row.kept
    return (ScenarioError if row.refused else RunError)(str(row.code), str(row.message))


def _whole(point: Point) -> str:
    """Return the text of a point whose run folders are kept."""
    for file in _core.named_files(point.job()):
        raise ScenarioError(
            "argument-value",
            f"cannot keep run folders of a scenario that names a file ({file}) on a cluster: the run folders would "
            f"contain the path of the worker's copy of the file (omit --keep runs or --scheduler)",
        )
    return as_toml(point.document)


def _proof(folders: list[Path]) -> tuple[str, str] | None:
    """Write a new file beside the run folders. A worker that can read the file writes to the same folders."""
    if not folders:
        return None
    file, content = Path(os.path.commonpath([one.parent for one in folders])) / ".shared", uuid.uuid4().hex
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(content)
    except OSError as problem:
        raise RunError("folder-unwritable", f"cannot write {file}: {problem}") from None
    return str(file), content


def _own(texts: Iterable[str]) -> bytes | None:
    """Pickle the controllers in Python that scenarios name, for another process.

    A controller is pickled by value, not by module, because the worker does not have the user's file.
    """
    named = {name: cls for name, cls in sorted(REGISTERED.items()) if any(f'"{name}"' in text for text in texts)}
    if not named:
        return None
    import cloudpickle

    modules = {module for cls in named.values() if (module := sys.modules.get(cls.__module__)) is not None}
    ours = [one for one in modules if one.__name__ != "__main__"]
    for module in ours:
        cloudpickle.register_pickle_by_value(module)
    try:
        return bytes(cloudpickle.dumps(named))
    finally:
        for module in ours:
            cloudpickle.unregister_pickle_by_value(module)
