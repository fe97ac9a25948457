# SPDX-License-Identifier: MIT OR Apache-2.0
"""The runs of a comparison, made or found in its folder."""

from __future__ import annotations

import itertools
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from bentpipe import _core
from bentpipe.base.errors import BentpipeError
from bentpipe.runs.run import Run, load, run_jobs

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from bentpipe.scenario.bench import Bench
    from bentpipe.scenario.choice import Choice


@dataclass
class Batch:
    """Makes the runs of a comparison, or finds them."""

    bench: Bench
    targets: frozenset[int]
    jitter: str | None
    out: Path | None
    threads: int | None
    progress: Callable[[int, int], None] | None
    force: bool = False
    costly: bool = False
    resumed: int = 0
    _texts: dict[tuple[str, int], str] = field(default_factory=dict)
    _done: int = 0

    def make(self, chosen: Sequence[Choice], seeds: Sequence[int]) -> dict[tuple[str, int], Run | BentpipeError]:
        """Of a scenario without chance two seeds first: a controller may draw something all the same."""
        quiet = self.jitter is None and not self.bench.has_chance(self.targets)
        first = seeds[:2] if quiet else seeds
        names = _folder_names(chosen)
        total = len(chosen) * len(seeds)
        made = self._some(chosen, first, names, total)
        rest = [one for one in chosen if not is_same([made[one.key, seed] for seed in first])]
        if len(first) < len(seeds):
            total -= (len(chosen) - len(rest)) * (len(seeds) - len(first))
            made |= self._some(rest, seeds[2:], names, total)
            if self.progress is not None:
                self.progress(total, total)
        return made

    def _some(
        self, chosen: Sequence[Choice], seeds: Sequence[int], names: Mapping[str, str], total: int
    ) -> dict[tuple[str, int], Run | BentpipeError]:
        pairs = list(itertools.product(chosen, seeds))
        folders = [None if self.out is None else self.out / f"{names[one.key]}-s{seed}" for one, seed in pairs]
        # The resolved text names files from here, not from the scenario's folder.
        origin = Path(self.bench.origin).name
        jobs = [
            _core.Job(
                self._text(one, seed),
                f"{origin} with {one.key.replace('/', '-')}",
                seed=seed,
                out=None if folder is None else str(folder),
                force=self.force,
                costly=self.costly,
            )
            for (one, seed), folder in zip(pairs, folders, strict=True)
        ]
        found = [self._kept(job, folder) for job, folder in zip(jobs, folders, strict=True)]
        self.resumed += sum(run is not None for run in found)
        missing = [index for index, run in enumerate(found) if run is None]
        before = self._done + len(found) - len(missing)
        tell = self.progress
        made = run_jobs(
            [jobs[index] for index in missing],
            [folders[index] for index in missing],
            threads=self.threads,
            progress=None if tell is None else lambda done, _: tell(before + done, total),
        )
        self._done += len(found)
        new = dict(zip(missing, made, strict=True))
        return {
            (one.key, seed): new[index] if run is None else run
            for index, ((one, seed), run) in enumerate(zip(pairs, found, strict=True))
        }

    def _text(self, choice: Choice, seed: int) -> str:
        key = choice.key, seed if self.jitter is not None else 0
        if key not in self._texts:
            self._texts[key] = self.bench.variant(choice, self.targets, jitter=self.jitter, seed=seed)
        return self._texts[key]

    def _kept(self, job: _core.Job, folder: Path | None) -> Run | None:
        """The run of a job, if it is in its folder and would come out the same."""
        if folder is None or not (folder / "summary.json").exists():
            return None
        if folder.with_name(f".{folder.name}.partial").exists():
            return None  # a killed process left it: making the run again clears it away
        try:
            run = load(folder)
            facts = _core.facts(job)
            same = run.scenario == facts.resolved and run.provenance["identity"] == facts.identity.digest
        except (BentpipeError, OSError, ValueError, KeyError):
            return None
        return run if same else None


def _folder_names(chosen: Sequence[Choice]) -> dict[str, str]:
    """Beginnings of folders' names, each once."""
    names: dict[str, str] = {}
    for choice in chosen:
        taken = sum(name == choice.folder for name in names.values())
        names[choice.key] = f"{choice.folder}-{taken + 1}" if taken else choice.folder
    return names


def is_same(results: Sequence[Run | BentpipeError]) -> bool:
    """Whether two or more runs are one and the same but for their seed."""
    first = results[0]
    return (
        len(results) > 1
        and isinstance(first, Run)
        and all(isinstance(one, Run) and _without_seed(one) == _without_seed(first) for one in results[1:])
    )


def _without_seed(run: Run) -> dict[str, object]:
    return {**run.summary, "provenance": {**run.summary["provenance"], "seed": 0}}
