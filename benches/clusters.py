#!/usr/bin/env python3
# SPDX-License-Identifier: MIT OR Apache-2.0
"""Measures the cost of a cluster in addition to the runs, and the memory of its scheduler and its client over time.

    benches/clusters.py [--runs 20000] [--rate "1 Mbit/s"] [--workers 2] [--repeat 3] [--no-local] [--no-cluster]

One sweep of short runs is made on threads of this machine, and then by a scheduler with workers, all on this machine.
Only CPU time (user and system) is compared, because wall-clock time has no meaning on a machine with other work. The
build should be that of the wheel (`tools/build_extension.py .venv --release`).
"""

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import bentpipe as bp

SCENARIO = {
    "duration": "1 s",
    "flows": [{"controller": "reno"}],
}
SEEDS = 5
QUEUES = 20
CONTROLLERS = ("reno", "cubic")
#: Dask measures itself. This is the largest part of a worker's cost in addition to its runs (see the guide).
QUIET = {
    "DASK_DISTRIBUTED__ADMIN__SYSTEM_MONITOR__INTERVAL": "10s",
    "DASK_DISTRIBUTED__ADMIN__TICK__INTERVAL": "500ms",
    "DASK_DISTRIBUTED__WORKER__PROFILE__ENABLED": "False",
}


def document(runs: int, rate: str) -> dict[str, object]:
    """Returns a sweep of about `runs` runs."""
    losses = max(2, runs // (SEEDS * QUEUES * len(CONTROLLERS)))
    return {
        "base": {**SCENARIO, "network": {"dumbbell": {"rate": rate, "rtt": "40 ms"}}},
        "axes": {
            "flows.controller": list(CONTROLLERS),
            "network.dumbbell.queue": [f"{5 + number} packets" for number in range(QUEUES)],
            "network.dumbbell.loss.per": {"from": 1e-4, "to": 1e-2, "points": losses, "scale": "log"},
        },
        "seeds": {"at_least": SEEDS},
    }


def cpu_s(process: int) -> float:
    """Returns the CPU time of a process so far, in seconds."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def memory_mb(process: int) -> float:
    """Returns the current memory of a process, in MB."""
    lines = Path(f"/proc/{process}/status").read_text().splitlines()
    return next(int(line.split()[1]) / 1e3 for line in lines if line.startswith("VmRSS"))


def told(what: str, cpu_of: list[dict[str, float]], walls: list[float], runs: int) -> float:
    """Prints a line for the sweep with the median CPU time. Returns this CPU time."""
    at = sorted(range(len(walls)), key=lambda one: sum(cpu_of[one].values()))[len(walls) // 2]
    cpu = sum(cpu_of[at].values())
    parts = ", ".join(f"{name} {each:.1f} s" for name, each in cpu_of[at].items())
    spread = "/".join(f"{sum(one.values()):.1f}" for one in cpu_of)
    print(
        f"{what}: {runs} runs in {walls[at]:.0f} s, {cpu:.1f} s of CPU time ({spread}), "
        f"{cpu / runs * 1e3:.3f} ms a run: {parts}",
        flush=True,
    )
    return cpu


def local(asked: dict[str, object], threads: int, repeat: int, place: Path) -> float:
    """Makes the sweep on threads of this machine."""
    bp.sweep(document(200, "1 Mbit/s"), out=place / f"{threads}-first", threads=threads)
    cpu_of, walls = [], []
    for number in range(repeat):
        begin, before, mine = time.monotonic(), cpu_s(os.getpid()), time.thread_time()
        swept = bp.sweep(asked, out=place / f"{threads}-{number}", threads=threads)
        cpu, mine = cpu_s(os.getpid()) - before, time.thread_time() - mine
        cpu_of.append({"runs": cpu - mine, "store and tables": mine})
        walls.append(time.monotonic() - begin)
    return told(f"{threads} threads", cpu_of, walls, swept.made)


def clustered(asked: dict[str, object], workers: int, repeat: int, place: Path) -> float:
    """Makes the same sweep on a cluster."""
    dask, file = Path(sys.executable).with_name("dask"), place / "scheduler.json"
    common: list[str | Path] = ["--scheduler-file", file, "--no-dashboard"]
    # Anyone who can connect to a port of these processes can run code here, so they listen on this machine only.
    common += ["--host", "127.0.0.1", "--dashboard-address", "127.0.0.1:0"]
    kinds = [["scheduler", "--port", "0", "--no-show"]]
    kinds += [["worker", "--nthreads", "1", "--no-nanny"]] * workers
    how = {**os.environ, **QUIET}
    with (place / "log").open("w") as log:
        processes = [
            subprocess.Popen([dask, *kind, *common], stdout=log, stderr=log, cwd=place, env=how) for kind in kinds
        ]

    def now() -> list[float]:
        return [cpu_s(one) for one in (os.getpid(), *(process.pid for process in processes))]

    try:
        import distributed

        while not (file.exists() and file.read_text().endswith("}")):
            time.sleep(0.1)
        with distributed.Client(json.loads(file.read_text())["address"], set_as_default=False) as client:
            client.wait_for_workers(workers)
            # A process takes a second or two to start, whatever the number of runs. This time is printed separately.
            bp.sweep(document(200, "1 Mbit/s"), out=place / "there-first", scheduler=client)
            print(f"  to start: {', '.join(f'{one:.1f} s' for one in now()[1:])} (scheduler, workers)", flush=True)
            cpu_of, walls, seen = [], [], 0

            def look(done: int, total: int) -> None:
                nonlocal seen
                if done * 8 // total != seen:
                    seen = done * 8 // total
                    holds = memory_mb(processes[0].pid), memory_mb(os.getpid())
                    print(f"  after {done} runs: scheduler {holds[0]:.0f} MB, client {holds[1]:.0f} MB", flush=True)

            for number in range(repeat):
                begin, before = time.monotonic(), now()
                tell = look if number == 0 else None
                swept = bp.sweep(asked, out=place / f"there-{number}", scheduler=client, progress=tell)
                each = [after - then for after, then in zip(now(), before, strict=True)]
                cpu_of.append({"client": each[0], "scheduler": each[1], "workers": sum(each[2:])})
                walls.append(time.monotonic() - begin)
    finally:
        for process in processes:
            process.kill()
            process.wait()
    return told(f"cluster of {workers}", cpu_of, walls, swept.made)


def main() -> None:
    """Measures threads and cluster, one after the other."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=20_000)
    parser.add_argument("--rate", default="1 Mbit/s")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--repeat", type=int, default=3, help="number of measurements; their median counts")
    parser.add_argument("--no-local", action="store_true")
    parser.add_argument("--no-cluster", action="store_true")
    chosen = parser.parse_args()
    asked = document(chosen.runs, chosen.rate)
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        cpu = 0.0
        if not chosen.no_local:
            for threads in (1, 2):
                cpu = local(asked, threads, chosen.repeat, place)
            store = place / "1-0" / "runs.store"
            most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3
            print(f"  store {store.stat().st_size / 1e6:.1f} MB, peak of this process {most:.0f} MB")
        if not chosen.no_cluster:
            there = clustered(asked, chosen.workers, chosen.repeat, place)
            if cpu:
                print(f"the cluster costs {100 * (there / cpu - 1):.1f} % more CPU time than two threads")


if __name__ == "__main__":
    main()
