#!/usr/bin/env python3
# SPDX-License-Identifier: MIT OR Apache-2.0
"""What a cluster costs beside the runs, and what its scheduler and its client hold in memory as runs go by.

    benches/clusters.py [--runs 20000] [--rate "1 Mbit/s"] [--workers 2] [--no-local]

One sweep of short runs is made on threads of this machine, then by a scheduler with workers, processes of this machine.
CPU time (user and system) is what counts: on a machine with other work, time on the wall says nothing.
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


def document(runs: int, rate: str) -> dict[str, object]:
    """A sweep of about so many runs."""
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
    """CPU time of a process so far."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def memory_mb(process: int) -> float:
    """What it holds now."""
    lines = Path(f"/proc/{process}/status").read_text().splitlines()
    return next(int(line.split()[1]) / 1e3 for line in lines if line.startswith("VmRSS"))


def told(what: str, swept: bp.Sweep, begin: float, cpu: float, place: Path) -> None:
    """A line."""
    store = (place / "runs.store").stat().st_size
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3
    print(
        f"{what}: {swept.made} runs in {time.monotonic() - begin:.0f} s, {cpu:.1f} s of CPU time, "
        f"{cpu / swept.made * 1e3:.3f} ms a run; store {store / 1e6:.1f} MB; peak of this process {most:.0f} MB",
        flush=True,
    )


def clustered(asked: dict[str, object], workers: int, place: Path) -> None:
    """The same on a cluster."""
    dask, file = Path(sys.executable).with_name("dask"), place / "scheduler.json"
    common = ["--scheduler-file", file, "--no-dashboard"]
    kinds = [["scheduler", "--host", "127.0.0.1", "--port", "0", "--no-show"]]
    kinds += [["worker", "--nthreads", "1", "--no-nanny"]] * workers
    with (place / "log").open("w") as log:
        processes = [subprocess.Popen([dask, *kind, *common], stdout=log, stderr=log, cwd=place) for kind in kinds]
    try:
        import distributed

        while not file.exists():
            time.sleep(0.1)
        with distributed.Client(json.loads(file.read_text())["address"], set_as_default=False) as client:
            client.wait_for_workers(workers)
            before = [cpu_s(one) for one in (os.getpid(), *(process.pid for process in processes))]
            begin, seen = time.monotonic(), 0

            def look(done: int, total: int) -> None:
                nonlocal seen
                if done * 8 // total > seen:
                    seen = done * 8 // total
                    holds = memory_mb(processes[0].pid), memory_mb(os.getpid())
                    print(f"  after {done} runs: scheduler {holds[0]:.0f} MB, client {holds[1]:.0f} MB", flush=True)

            swept = bp.sweep(asked, out=place / "there", scheduler=client, progress=look)
            after = [cpu_s(one) for one in (os.getpid(), *(process.pid for process in processes))]
        each = [now - then for now, then in zip(after, before, strict=True)]
        told(f"cluster of {workers}", swept, begin, sum(each), place / "there")
        print(f"  client {each[0]:.1f} s, scheduler {each[1]:.1f} s, workers {sum(each[2:]):.1f} s")
    finally:
        for process in processes:
            process.kill()
            process.wait()


def main() -> None:
    """Both, one after the other."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=20_000)
    parser.add_argument("--rate", default="1 Mbit/s")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--no-local", action="store_true")
    chosen = parser.parse_args()
    asked = document(chosen.runs, chosen.rate)
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        if not chosen.no_local:
            for threads in (1, 2):
                begin, before = time.monotonic(), cpu_s(os.getpid())
                swept = bp.sweep(asked, out=place / f"{threads}", threads=threads)
                cpu = cpu_s(os.getpid()) - before
                told(f"{threads} threads", swept, begin, cpu, place / f"{threads}")
        clustered(asked, chosen.workers, place)


if __name__ == "__main__":
    main()
