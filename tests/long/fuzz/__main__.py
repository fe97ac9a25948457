# SPDX-License-Identifier: MIT OR Apache-2.0
"""Judges cases for a given time, prints the results, and stores cases that broke a promise."""

from __future__ import annotations

import argparse
import hashlib
import sys
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from fuzz.numbers import Numbers
from fuzz.readings import READINGS, Target
from fuzz.runs import Runs
from fuzz.swarm import Failure, Limits, Result, apart, campaign, smaller

#: Cases that broke a promise once, by target.
SEEDS = Path(__file__).resolve().parent / "seeds"
TARGETS: list[Target] = [*READINGS, Runs(), Numbers()]
#: Limits of a case.
LIMITS = Limits(case_cpu_s=20.0, case_wall_s=150.0)


def target_of(name: str) -> Target:
    """By its name."""
    return next(target for target in TARGETS if target.name == name)


def say(*lines: str) -> None:
    """To stdout, at once."""
    sys.stdout.write("\n".join(lines) + "\n")
    sys.stdout.flush()


def table(result: Result) -> list[str]:
    """Return the number of cases by target and class."""
    lines = []
    for target, counter in sorted(result.outcomes.items()):
        cases, (longest, number) = counter.total(), result.slowest[target]
        each = result.cpu_s[target] / cases * 1e3
        lines.append(f"{target}: {cases} cases, {each:.2f} ms each, the longest {longest:.2f} s (case {number})")
        lines += [f"  {count:>9} {outcome}" for outcome, count in counter.most_common()]
    return lines


def keep(failures: Sequence[Failure]) -> None:
    """Shrink and store one case for each cause."""
    causes: dict[tuple[str, str], list[Failure]] = {}
    for failure in failures:
        causes.setdefault((failure.target, failure.kind), []).append(failure)
    for (name, kind), alike in causes.items():
        least = min(alike, key=lambda failure: len(failure.case))
        case = smaller(target_of(name), least, LIMITS)
        file = SEEDS / name / hashlib.sha256(case).hexdigest()[:12]
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(case)
        shown = file.relative_to(Path.cwd()) if file.is_relative_to(Path.cwd()) else file
        say(
            "",
            f"{name}: {kind} ({len(alike)} cases, one of them number {least.number})",
            *(f"  {line}" for line in least.text.splitlines()[-12:]),
            f"  shrunk from {len(least.case)} to {len(case)} bytes: {case[:400]!r}",
            f"  again: make fuzz ARGUMENTS='--replay {shown}'",
        )


def replay(file: Path) -> int:
    """Judge a stored case."""
    found = apart(target_of(file.resolve().parent.name), file.read_bytes(), LIMITS)
    say(found.text if isinstance(found, Failure) else found)
    return int(isinstance(found, Failure))


def main() -> int:
    parser = argparse.ArgumentParser(prog="fuzz", description=__doc__)
    parser.add_argument("--minutes", type=float, default=60.0, help="how long (default 60)")
    parser.add_argument("--cases", type=int, default=10**12, help="how many cases at most (default: as time allows)")
    parser.add_argument("--seed", type=int, default=time.time_ns() % 10**9, help="what the cases follow from")
    parser.add_argument("--cores", type=int, default=1, help="processes at a time (default 1)")
    parser.add_argument("--targets", default="all", help="their names, with commas; or readings, or all")
    parser.add_argument("--replay", type=Path, metavar="FILE", help="judge one kept case and no more")
    chosen = parser.parse_args()
    if chosen.replay is not None:
        return replay(chosen.replay)
    groups = {"all": TARGETS, "readings": READINGS}
    targets = groups.get(chosen.targets) or [target_of(name) for name in chosen.targets.split(",")]
    say(f"fuzz: seed {chosen.seed}, {', '.join(target.name for target in targets)}")
    begin = time.monotonic()
    limits = replace(LIMITS, campaign_s=chosen.minutes * 60)
    result = campaign(targets, chosen.seed, chosen.cases, chosen.cores, limits)
    took = time.monotonic() - begin
    say(*table(result), f"{result.cases()} cases in {took:.0f} s, {len(result.failures)} broke a promise")
    keep(result.failures)
    return int(bool(result.failures))


if __name__ == "__main__":
    sys.exit(main())
