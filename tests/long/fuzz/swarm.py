# SPDX-License-Identifier: MIT OR Apache-2.0
"""Processes that judge cases, and a process that watches them. A case that hangs, dies or uses much memory fails."""

from __future__ import annotations

import math
import multiprocessing
import resource
import shutil
import signal
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from fuzz.change import shrunk
from fuzz.readings import Target
from waiting import HANG_S

#: Largest growth of memory in one case.
MEMORY_BYTES = 1_000_000_000
#: Largest address space of a process.
ADDRESS_SPACE = 8_000_000_000

#: This is more than the number of reports that wait in a pipe.
MOST_REPORTS = 10_000

FORK = multiprocessing.get_context("fork")
#: The clock that decides whether a case hangs.
now = time.monotonic


@dataclass(frozen=True)
class Limits:
    """Limits of a case and a campaign in s. The default has no limits, so tests do not depend on the machine's speed.

    Attributes:
        case_cpu_s: CPU time of a case. A case that takes longer is slow.
        case_wall_s: Wall-clock time of a case. A case that takes longer hangs.
        campaign_s: Wall-clock time of a campaign.
    """

    case_cpu_s: float = math.inf
    case_wall_s: float = HANG_S
    campaign_s: float = math.inf


#: The default limits of a case.
PATIENT = Limits()


@dataclass
class Failure:
    """A broken promise."""

    target: str
    case: bytes
    #: The part that all cases with one cause have in common.
    kind: str
    #: The complete description.
    text: str
    number: int = -1


@dataclass
class Result:
    """The results of some cases."""

    outcomes: dict[str, Counter[str]] = field(default_factory=dict)
    cpu_s: Counter[str] = field(default_factory=Counter)
    #: The longest time of a case of each target, and the number of the case.
    slowest: dict[str, tuple[float, int]] = field(default_factory=dict)
    failures: list[Failure] = field(default_factory=list)

    def cases(self, target: str | None = None) -> int:
        """Return the number of judged cases."""
        return sum(counter.total() for name, counter in self.outcomes.items() if target in (None, name))

    def note(self, target: str, number: int, found: str | Failure, cpu_s: float) -> None:
        """One more."""
        if isinstance(found, Failure):
            found.number = number
            self.failures.append(found)
            found = f"BROKEN: {found.kind}"
        self.outcomes.setdefault(target, Counter())[found] += 1
        self.cpu_s[target] += cpu_s
        self.slowest[target] = max(self.slowest.get(target, (0.0, 0)), (cpu_s, number))


def case_of(targets: Sequence[Target], seed: int, number: int) -> tuple[Target, bytes]:
    """Return a case. It depends only on the seed, its number and the chosen targets."""
    chance = Random(f"{seed}/{number}")  # noqa: S311 - cases, not secrets
    target = chance.choices(targets, [target.weight for target in targets])[0]
    return target, target.make(chance)


def judge(target: Target, case: bytes, place: Path, limits: Limits = PATIENT) -> str | Failure:
    """Return the class of the outcome, or the broken promise."""
    begin, before = time.process_time(), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    try:
        outcome = target.judge(case, place)
    except KeyboardInterrupt:
        raise
    except BaseException as problem:
        # A panic of Rust is not an `Exception`.
        frames = traceback.extract_tb(problem.__traceback__)
        first = (str(problem).splitlines() or [""])[0].split(":")[0]
        bare = "".join("#" if letter.isdigit() else letter for letter in first)[:80]
        kind = f"{type(problem).__name__} in {Path(frames[-1].filename).name}, {frames[-1].name}: {bare}"
        return Failure(target.name, case, kind, "".join(traceback.format_exception(problem))[-3000:])
    cpu_s = time.process_time() - begin
    grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) * 1024
    if cpu_s > limits.case_cpu_s:
        return Failure(target.name, case, "slow", f"it took {cpu_s:.1f} s of CPU time ({outcome})")
    if grown > MEMORY_BYTES:
        return Failure(target.name, case, "memory", f"it took {grown / 1e6:.0f} MB more than any before ({outcome})")
    return outcome


class Worker:
    """A process that judges every `step`-th case."""

    def __init__(self, targets: Sequence[Target], seed: int, numbers: range, until: float, limits: Limits) -> None:
        self.targets, self.seed, self.numbers, self.until, self.limits = targets, seed, numbers, until, limits
        #: The current case, and its start.
        self.number = FORK.Value("q", numbers.start, lock=False)
        self.since = FORK.Value("d", now(), lock=False)
        self.reports = FORK.SimpleQueue()
        # The folder is in memory if the system has such a folder.
        self.place = tempfile.mkdtemp(prefix="fuzz", dir="/dev/shm" if Path("/dev/shm").is_dir() else None)  # noqa: S108
        self.process = FORK.Process(target=self._work, daemon=True)
        self.process.start()

    def _work(self) -> None:
        resource.setrlimit(resource.RLIMIT_AS, (ADDRESS_SPACE, ADDRESS_SPACE))
        # Ctrl-C stops the watching process, which then reports the judged cases.
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        for number in self.numbers:
            self.number.value, self.since.value = number, now()
            target, case = case_of(self.targets, self.seed, number)
            begin = time.process_time()
            found = judge(target, case, Path(self.place), self.limits)
            # The report is sent at once, so that it is not lost if the next case kills the process.
            self.reports.put((target.name, number, found, time.process_time() - begin))
            if now() > self.until:
                break

    def tell(self, result: Result) -> None:
        """Read the reports since the last call. The process continues, perhaps as fast as this method reads."""
        for _ in range(MOST_REPORTS):
            if self.reports.empty():
                return
            result.note(*self.reports.get())

    def ended(self) -> str | None:
        """Return how the process ended: "" if correctly, otherwise the problem; None while it works."""
        if self.process.is_alive():
            return "hangs" if now() - self.since.value > self.limits.case_wall_s else None
        return "" if self.process.exitcode == 0 else f"dies with {self.process.exitcode}"

    def stop(self) -> None:
        """Stop the process, and remove its files."""
        self.process.kill()
        self.process.join()
        shutil.rmtree(self.place, ignore_errors=True)


def campaign(targets: Sequence[Target], seed: int, cases: int, cores: int = 1, limits: Limits = PATIENT) -> Result:
    """Judge cases until this many are judged, the time is over, or Ctrl-C, whichever is first."""
    result, until = Result(), now() + limits.campaign_s
    workers = [Worker(targets, seed, range(first, cases, cores), until, limits) for first in range(min(cores, cases))]
    try:
        while workers:
            time.sleep(0.02)
            for worker in list(workers):
                # The order matters: all reports before the end have been sent.
                how = worker.ended()
                worker.tell(result)
                if how is None:
                    continue
                worker.stop()
                workers.remove(worker)
                if how:
                    number = worker.number.value
                    target, case = case_of(targets, seed, number)
                    result.note(target.name, number, Failure(target.name, case, how, how), 0.0)
                    left = worker.numbers[worker.numbers.index(number) + 1 :]
                    workers.append(Worker(targets, seed, left, until, limits))
    except KeyboardInterrupt:
        for worker in workers:
            worker.tell(result)
    finally:
        for worker in workers:
            worker.stop()
    return result


class Given(Target):
    """A target with a single case."""

    def __init__(self, target: Target, case: bytes) -> None:
        self.name, self.target, self.case = target.name, target, case

    def make(self, chance: Random) -> bytes:
        return self.case

    def judge(self, case: bytes, place: Path) -> str:
        return self.target.judge(case, place)


def apart(target: Target, case: bytes, limits: Limits = PATIENT) -> str | Failure:
    """Judge one case in a separate process, which the case may kill."""
    result = campaign([Given(target, case)], seed=0, cases=1, limits=limits)
    return result.failures[0] if result.failures else next(iter(result.outcomes[target.name]))


def smaller(target: Target, failure: Failure, limits: Limits) -> bytes:
    """Return the smallest case found that breaks the same promise. A case that hangs or is slow is not shrunk."""
    if failure.kind in ("hangs", "slow", "memory"):
        return failure.case

    def fails(case: bytes) -> bool:
        found = apart(target, case, limits)
        return isinstance(found, Failure) and found.kind == failure.kind

    return shrunk(failure.case, fails)
