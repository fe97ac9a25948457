# SPDX-License-Identifier: MIT OR Apache-2.0
"""Controllers side by side in the same scenario, paired by seed."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from bentpipe import _arguments, _core, _space
from bentpipe._controller import REGISTERED
from bentpipe._errors import BentpipeError
from bentpipe._files import refuse_foreign
from bentpipe._run import Run, job, run_jobs
from bentpipe._stats import Estimate, estimate, relative_change

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Iterable, Sequence

    from matplotlib.figure import Figure

    from bentpipe._scenario import Scenario

#: What a comparison prints: key in the summary's totals, heading, unit.
METRICS = (
    ("goodput_mbit_s", "goodput", "Mbit/s"),
    ("throughput_mbit_s", "throughput", "Mbit/s"),
    ("loss_ratio", "packet loss", ""),
    ("jain_index", "Jain's index", ""),
)


@dataclass(frozen=True)
class Comparison:
    """Runs of one scenario with several controllers, the same seeds for each.

    Attributes:
        controllers: Names, in the order asked for; the first is the baseline. One whose runs all failed is left out.
        seeds: The seeds.
        runs: Runs by controller, in the order of the seeds, without those that failed.
        failed: The errors of runs that failed, by controller and seed.
        left_out: Controllers that "all" stood for and that lack a signal here, each with what it lacks.
    """

    controllers: tuple[str, ...]
    seeds: tuple[int, ...]
    runs: dict[str, list[Run]]
    failed: dict[tuple[str, int], BentpipeError] = field(default_factory=dict)
    left_out: dict[str, str] = field(default_factory=dict)

    def values(self, controller: str, metric: str) -> list[float]:
        """A number of the summary's totals, one per seed."""
        return list(self._by_seed(controller, metric).values())

    def _by_seed(self, controller: str, metric: str) -> dict[int, float]:
        if controller not in self.runs:
            raise _arguments.known("controller", controller, self.runs)
        runs = self.runs[controller]
        if runs and metric not in runs[0].summary["totals"]:
            raise _arguments.known("metric", metric, runs[0].summary["totals"])
        return {int(run.summary["provenance"]["seed"]): float(run.summary["totals"][metric]) for run in runs}

    def estimate(self, controller: str, metric: str) -> Estimate:
        """Mean over the seeds with its 95 % confidence interval."""
        return estimate(self.values(controller, metric))

    @property
    def flows(self) -> list[str]:
        """Names of the flows, the same in every run."""
        return [str(flow["name"]) for flow in self.runs[self.controllers[0]][0].summary["flows"]]

    def flow_estimate(self, controller: str, flow: str, metric: str = "goodput_mbit_s") -> Estimate:
        """Mean of a number of one flow over the seeds, with its 95 % confidence interval."""
        flows = [{str(f["name"]): f for f in run.summary["flows"]}[flow] for run in self.runs[controller]]
        return estimate([float(f[metric]) for f in flows])

    def plot(self) -> Figure:
        """The windows of every controller over time, one panel each, from the runs of the first seed."""
        from bentpipe import plots

        return plots.windows([(_space.label(name), self.runs[name][0]) for name in self.controllers])

    def change(self, controller: str, metric: str = "goodput_mbit_s", *, base: str | None = None) -> Estimate:
        """Paired change in percent against `base` (the first controller if not said otherwise).

        Seeds count whose runs both finished; without such a seed it is not a number.
        """
        ours, theirs = self._by_seed(controller, metric), self._by_seed(base or self.controllers[0], metric)
        both = [seed for seed in ours if seed in theirs]
        if not both:
            return Estimate(math.nan, math.inf, 0)
        return relative_change([ours[seed] for seed in both], [theirs[seed] for seed in both])


def compare(
    scenario: str | os.PathLike[str] | Scenario,
    controllers: Sequence[str],
    *,
    seeds: Iterable[int] | int = range(5),
    duration: str | None = None,
    out: str | os.PathLike[str] | None = None,
    threads: int | None = None,
    progress: Callable[[int, int], None] | None = None,
    force: bool = False,
    costly: bool = False,
) -> Comparison:
    """Run a scenario with each of several controllers on every TCP flow, over the same seeds.

    A run that fails costs only itself: `Comparison.failed` has its error, and the others are compared.

    Args:
        scenario: A file, TOML text, or a `Scenario`.
        controllers: Names (`bentpipe.controllers`); the first is the baseline of `Comparison.change`. ``"all"``
            stands for every one of the catalogue that gets the signals it needs (`Comparison.left_out` has the others).
        seeds: Seeds, or how many: 5 stands for 1 to 5. Runs with the same seed see the same losses on the same links.
        duration: Instead of the scenario's duration.
        out: Folder for the run folders, ``<controller>-s<seed>`` each; nothing is written without it.
        threads: Runs at a time; as many as there are processors if not said otherwise.
        progress: Called with (done, all) as runs finish.
        force: Write into `out` whatever is there: our own files are replaced, all others left.
        costly: Run even if memory or disk will not do by the estimate (`estimate_cost`).

    Raises:
        ScenarioError: If the scenario or an argument cannot be used, a controller is not known, or something else
            stands in `out`; none is run then.
        BentpipeError: If no run of the first controller could be made or written: the error of its first.
    """
    controllers, numbers = _arguments.names("controllers", controllers), _arguments.seeds(seeds)
    names = _named(controllers)
    refuse_foreign(_arguments.place("out", out), ("*-windows.png", "*-windows.svg", "*-windows.pdf"), force=force)
    for name in names:
        if name not in REGISTERED:
            _core.controllers(name)  # refuses a name that it does not know
    pairs = [(name, seed) for name in names for seed in numbers]
    folders = [None if out is None else Path(out) / f"{name}-s{seed}" for name, seed in pairs]
    jobs = [
        job(scenario, seed=seed, controller=name, duration=duration, out=folder, force=force, costly=costly)
        for (name, seed), folder in zip(pairs, folders, strict=True)
    ]
    made = dict(zip(pairs, run_jobs(jobs, folders, threads=threads, progress=progress), strict=True))
    failed = {pair: result for pair, result in made.items() if isinstance(result, BentpipeError)}
    # Nobody asked for these by name.
    unasked = set(names) - set(controllers)
    left_out = {
        name: error.message for (name, _), error in failed.items() if name in unasked and error.code == "signal-missing"
    }
    names = tuple(name for name in names if name not in left_out)
    made = {pair: result for pair, result in made.items() if pair[0] not in left_out}
    failed = {pair: error for pair, error in failed.items() if pair[0] not in left_out}
    runs: dict[str, list[Run]] = {name: [] for name in names}
    for (name, _), result in made.items():
        if isinstance(result, Run):
            runs[name].append(result)
    if names and numbers and not runs[names[0]]:
        raise failed[names[0], numbers[0]]
    finished = {name: some for name, some in runs.items() if some or not numbers}
    return Comparison(tuple(finished), numbers, finished, failed, left_out)


def _named(controllers: Sequence[str]) -> tuple[str, ...]:
    """The names asked for, each once; "all" is the catalogue in its order."""
    catalogue = [str(entry["name"]) for entry in _space.controllers()]
    return tuple(dict.fromkeys(name for one in controllers for name in (catalogue if one == "all" else [one])))
