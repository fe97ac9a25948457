# SPDX-License-Identifier: MIT OR Apache-2.0
"""Processes that judge cases, and one that watches them: a case that hangs, dies or eats memory is a failure, too."""

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

#: Most growth of memory of one case.
MEMORY_BYTES = 1_000_000_000
#: No process may map more.
ADDRESS_SPACE = 8_000_000_000

#: More than wait in a pipe at a time.
MOST_REPORTS = 10_000

FORK = multiprocessing.get_context("fork")
#: The clock by which a case hangs.
now = time.monotonic


@dataclass(frozen=True)
class Limits:
    """What a case and a campaign may take, in seconds. Without limits of its own, a test depends on no machine's speed.

    Attributes:
        case_cpu_s: CPU time of a case; one that takes longer is slow.
        case_wall_s: Time of a case; one that takes longer hangs.
        campaign_s: Time of a campaign.
    """

    case_cpu_s: float = math.inf
    case_wall_s: float = HANG_S
    campaign_s: float = math.inf


#: Of a case, where nobody says.
PATIENT = Limits()


@dataclass
class Failure:
    """A broken promise."""

    target: str
    case: bytes
    #: What is the same of all cases with one cause.
    kind: str
    #: What was seen.
    text: str
    number: int = -1


@dataclass
class Result:
    """What came of some cases."""

    outcomes: dict[str, Counter[str]] = field(default_factory=dict)
    cpu_s: Counter[str] = field(default_factory=Counter)
    #: The longest case of each target, and its number.
    slowest: dict[str, tuple[float, int]] = field(default_factory=dict)
    failures: list[Failure] = field(default_factory=list)

    def cases(self, target: str | None = None) -> int:
        """How many were judged."""
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
    """A case: it follows from the seed, its number and the targets that are chosen from."""
    chance = Random(f"{seed}/{number}")  # noqa: S311 - cases, not secrets
    target = chance.choices(targets, [target.weight for target in targets])[0]
    return target, target.make(chance)


def judge(target: Target, case: bytes, place: Path, limits: Limits = PATIENT) -> str | Failure:
    """The class of the outcome, or the promise that is broken."""
    begin, before = time.process_time(), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    try:
        outcome = target.judge(case, place)
    except KeyboardInterrupt:
        raise
    except BaseException as problem:
        # A panic is no Exception.
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
        #: The case under way, and since when.
        self.number = FORK.Value("q", numbers.start, lock=False)
        self.since = FORK.Value("d", now(), lock=False)
        self.reports = FORK.SimpleQueue()
        # In memory, if the system has such a place.
        self.place = tempfile.mkdtemp(prefix="fuzz", dir="/dev/shm" if Path("/dev/shm").is_dir() else None)  # noqa: S108
        self.process = FORK.Process(target=self._work, daemon=True)
        self.process.start()

    def _work(self) -> None:
        resource.setrlimit(resource.RLIMIT_AS, (ADDRESS_SPACE, ADDRESS_SPACE))
        # Who watches is asked to stop, and says what was judged.
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        for number in self.numbers:
            self.number.value, self.since.value = number, now()
            target, case = case_of(self.targets, self.seed, number)
            begin = time.process_time()
            found = judge(target, case, Path(self.place), self.limits)
            # At once, so that nothing is lost when the next one kills it.
            self.reports.put((target.name, number, found, time.process_time() - begin))
            if now() > self.until:
                break

    def tell(self, result: Result) -> None:
        """What it has done since it was asked last. It goes on meanwhile, perhaps as fast as this reads."""
        for _ in range(MOST_REPORTS):
            if self.reports.empty():
                return
            result.note(*self.reports.get())

    def ended(self) -> str | None:
        """How it came to its end: "" rightly, else how not; None while it works."""
        if self.process.is_alive():
            return "hangs" if now() - self.since.value > self.limits.case_wall_s else None
        return "" if self.process.exitcode == 0 else f"dies with {self.process.exitcode}"

    def stop(self) -> None:
        """It, and what it wrote."""
        self.process.kill()
        self.process.join()
        shutil.rmtree(self.place, ignore_errors=True)


def campaign(targets: Sequence[Target], seed: int, cases: int, cores: int = 1, limits: Limits = PATIENT) -> Result:
    """Judges cases until so many are judged, so much time has passed, or on Ctrl-C, whichever is first."""
    result, until = Result(), now() + limits.campaign_s
    workers = [Worker(targets, seed, range(first, cases, cores), until, limits) for first in range(min(cores, cases))]
    try:
        while workers:
            time.sleep(0.02)
            for worker in list(workers):
                # Asked in this order: what was told before the end is there.
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
    """A target with one case."""

    def __init__(self, target: Target, case: bytes) -> None:
        self.name, self.target, self.case = target.name, target, case

    def make(self, chance: Random) -> bytes:
        return self.case

    def judge(self, case: bytes, place: Path) -> str:
        return self.target.judge(case, place)


def apart(target: Target, case: bytes, limits: Limits = PATIENT) -> str | Failure:
    """One case in a process of its own, which may die of it."""
    result = campaign([Given(target, case)], seed=0, cases=1, limits=limits)
    return result.failures[0] if result.failures else next(iter(result.outcomes[target.name]))


def smaller(target: Target, failure: Failure, limits: Limits) -> bytes:
    """The smallest case found that breaks the same promise. What hangs or is slow is left as it is."""
    if failure.kind in ("hangs", "slow", "memory"):
        return failure.case

    def fails(case: bytes) -> bool:
        found = apart(target, case, limits)
        return isinstance(found, Failure) and found.kind == failure.kind

    return shrunk(failure.case, fails)
