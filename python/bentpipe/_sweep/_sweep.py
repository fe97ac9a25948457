# SPDX-License-Identifier: MIT OR Apache-2.0
"""Run a sweep until every point has enough seeds. Each look (a check of the intervals) can add seeds."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING

from bentpipe import _core
from bentpipe._sweep import _tables
from bentpipe._sweep._document import read as read_document
from bentpipe._sweep._plan import Plan
from bentpipe._sweep._result import Sweep
from bentpipe.base import arguments
from bentpipe.base.files import refuse_foreign
from bentpipe.base.stats import estimate, intervals_at
from bentpipe.base.tables import Table
from bentpipe.runs.cluster import connected
from bentpipe.runs.execute import opened
from bentpipe.runs.seeds import without_chance
from bentpipe.runs.store import KEPT

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
    from pathlib import Path

    from distributed import Client

    from bentpipe.base.errors import BentpipeError
    from bentpipe.results.summary_types import Summary
    from bentpipe.runs.execute import Batch

PAGE = "sweep.html"
#: Names of the files that a sweep writes into its folder.
WRITTEN = [*KEPT, _tables.RUNS, _tables.FLOWS, PAGE, "sensitivity.json", "runs", "*.png", "*.csv"]


def sweep(
    document: str | os.PathLike[str] | Mapping[str, object],
    *,
    out: str | os.PathLike[str] | None = None,
    store: str | os.PathLike[str] | None = None,
    keep_runs: bool = False,
    threads: int | None = None,
    scheduler: str | Client | None = None,
    insecure_scheduler: bool = False,
    progress: Callable[[int, int], None] | bool | None = None,
    force: bool = False,
    costly: bool = False,
) -> Sweep:
    """Run a scenario at many values of its keys, with the same seeds at every point.

    A failed run is a row with an error and does not affect other runs. Finished runs stay in the store, even after
    Ctrl-C or a kill. The same call then continues the sweep.

    Args:
        document: The sweep: a file, TOML text, or a table as in a file (`bentpipe schema sweep`); ``base`` may be a
            `Scenario`.
        out: Folder for ``runs.parquet``, ``flows.parquet`` and the store. Without a folder, nothing is written.
        store: File with the summaries of runs, by default in `out`. Several sweeps may share a file. Several machines
            may share a folder (``"folder/"``, or an address of fsspec such as ``"s3://bucket/folder"``).
        keep_runs: Also write a run folder with time series for each run, into ``out/runs``. On a cluster the workers
            write the folders, so they must have `out` at the same path.
        threads: Number of runs at a time, by default one per processor. Results do not depend on it.
        scheduler: Address of a Dask scheduler whose workers make the runs, or a client of the scheduler
            (``bentpipe[cluster]``). A user who can connect to a scheduler can run code on all machines of the cluster.
        insecure_scheduler: Connect to another machine even if the connection is not encrypted.
        progress: Function that is called with (done, all) when runs finish. True shows the progress on stderr.
        force: Write into `out` even if it has other files. Files of a sweep are replaced; other files stay.
        costly: Make a run even if the estimate (`estimate_cost`) exceeds the free memory or disk.

    Raises:
        ScenarioError: If the document has faults (the error has all of them with their places), `out` has other files,
            or the cluster cannot be used.
        RunError: If a file cannot be written, or the cluster is lost.
        KeyboardInterrupt: On Ctrl-C.
    """
    place = arguments.place("out", out)
    if keep_runs and place is None:
        raise arguments.refuse("keep_runs needs a folder (add out=…)")
    refuse_foreign(place, WRITTEN, force=force)
    if scheduler is not None and threads is not None:
        raise arguments.refuse(
            "threads has no effect with a scheduler, whose cluster makes the runs (omit one of the two)"
        )
    plan = Plan(read_document(document), place / "runs" if keep_runs and place is not None else None)
    with (
        connected(scheduler, insecure=insecure_scheduler) as client,
        opened(place, store, threads=threads, client=client, progress=progress, costly=costly) as batch,
    ):
        try:
            return make(plan, batch, place)
        finally:
            for said in batch.archive.notes:
                warnings.warn(said, stacklevel=2)


def make(plan: Plan, batch: Batch, out: Path | None) -> Sweep:
    """Make the runs of a plan that are not in the store, then make the tables."""
    work = _Work(plan, batch)
    work.all_looks()
    document = plan.document
    said = _tables.about(document, plan.levels, len(plan.values))
    said["presets"] = plan.presets
    schemas = _tables.runs_schema(said), _tables.flows_schema(said)
    parts = _tables.batches(work.rows(), work.reader, schemas)
    failed = len(batch.errors)
    if out is not None:
        _tables.write(out, parts, schemas)
        return Sweep(said, out, failed, batch.made)
    import pyarrow as pa

    tables = [Table(pa.concat_tables(some)) for some in zip(*parts, strict=True)]
    return Sweep(said, None, failed, batch.made, (tables[0], tables[1]))


class _Work:
    """Makes the runs of a plan, look by look."""

    def __init__(self, plan: Plan, batch: Batch) -> None:
        self.plan, self.batch = plan, batch
        self.reader = _tables.Reader(plan.document.axes, batch)
        #: The number of seeds of each point.
        self.seeds = [0] * len(plan.values)

    def rows(self) -> Iterator[_tables.Row]:
        """Yield every run, point by point."""
        for number, count in enumerate(self.seeds):
            for seed in range(1, count + 1):
                yield self.plan.row(number, seed)

    def all_looks(self) -> None:
        """Make two runs of points that draw nothing, then all runs of the first look, then the runs of later looks."""
        seeds = self.plan.document.seeds
        every = range(len(self.seeds))
        quiet = [number for number in every if not self._draws(number)] if seeds.at_least > 1 else []
        fixed = without_chance(quiet, range(1, seeds.looks[-1] + 1), self._to, self._result)
        going = [number for number in every if number not in fixed]
        for look, level in zip(seeds.looks, self.plan.levels, strict=True):
            self._to(going, range(1, look + 1))
            if seeds.until is not None:
                going = [number for number in going if not self._narrow(number, level)]

    def _to(self, some: Collection[int], seeds: Sequence[int]) -> None:
        """Make the missing runs of some points, for the seeds from 1 on."""
        self.batch.make(self.plan.row(number, seed).wanted for number in some for seed in seeds[self.seeds[number] :])
        for number in some:
            self.seeds[number] = max(self.seeds[number], len(seeds))

    def _result(self, number: int, seed: int) -> Summary | BentpipeError:
        return self.batch.result(self.plan.row(number, seed).wanted)

    def _draws(self, number: int) -> bool:
        """Whether the network or the traffic of a point draws anything."""
        return any(one.kind != "controller" for one in _core.facts(self.plan.point(number).job()).chance)

    def _narrow(self, number: int, level: float) -> bool:
        """Whether the interval of a point is narrow enough."""
        until = self.plan.document.seeds.until
        assert until is not None  # noqa: S101 - called only with `until`
        values = [
            self.reader.number(self.plan.row(number, seed), until.of) for seed in range(1, self.seeds[number] + 1)
        ]
        known = [value for value in values if value is not None]
        if len(known) < len(values):
            return False
        with intervals_at(level):
            one = estimate(known)
        return one.half_width <= until.half_width * (abs(one.mean) if until.relative else 1.0)
