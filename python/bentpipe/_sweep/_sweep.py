# SPDX-License-Identifier: MIT OR Apache-2.0
"""A sweep is run: look by look, until every point has the seeds that it needs."""

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
#: What a sweep writes into its folder.
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
    """Run a scenario at many values of its keys, the same seeds everywhere.

    A run that fails costs only itself: it is a row with its error. What is finished stays in the store, also on Ctrl-C
    and when the process is killed: the same call goes on.

    Args:
        document: The sweep: a file, TOML text, or a table as in a file (`bentpipe schema sweep`); ``base`` may be a
            `Scenario`.
        out: Folder for ``runs.parquet``, ``flows.parquet`` and the store; nothing is written without it.
        store: File with the summaries of runs; the one in `out` without it. Several sweeps may share one, several
            machines a folder (``"folder/"``, or an address of fsspec such as ``"s3://bucket/folder"``).
        keep_runs: Write a run folder for each run, too, with its series: ``out/runs``. On a cluster the workers do:
            they must have `out` at the same place.
        threads: Runs at a time; as many as there are processors without it. What comes out does not depend on it.
        scheduler: Address of a Dask scheduler whose workers make the runs, or a client of it (``bentpipe[cluster]``).
            Who can reach one runs code on all its machines.
        insecure_scheduler: Talk to an address on another machine although the connection is not encrypted.
        progress: Called with (done, all) as runs finish; True shows it on stderr.
        force: Write into `out` whatever is there: our own files are replaced, all others left.
        costly: Run even if memory or disk will not do by the estimate (`estimate_cost`).

    Raises:
        ScenarioError: With everything that is wrong with the document, and where; if something else stands in `out`; if
            the cluster cannot be used.
        RunError: If a file cannot be written, or the cluster is lost.
        KeyboardInterrupt: On Ctrl-C.
    """
    place = arguments.place("out", out)
    if keep_runs and place is None:
        raise arguments.refuse("keep_runs needs a folder: say out, too")
    refuse_foreign(place, WRITTEN, force=force)
    if scheduler is not None and threads is not None:
        raise arguments.refuse("threads are those of this machine, and a cluster makes the runs: leave out one")
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
    """Make the runs of a plan that are not in the store, and the tables."""
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
    """The runs of a plan, look by look."""

    def __init__(self, plan: Plan, batch: Batch) -> None:
        self.plan, self.batch = plan, batch
        self.reader = _tables.Reader(plan.document.axes, batch)
        #: Of each point how many seeds it has.
        self.seeds = [0] * len(plan.values)

    def rows(self) -> Iterator[_tables.Row]:
        """Every run there is, point by point."""
        for number, count in enumerate(self.seeds):
            for seed in range(1, count + 1):
                yield self.plan.row(number, seed)

    def all_looks(self) -> None:
        """Two seeds of points that draw nothing; then all of the first look; then those who need more."""
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
        """Seeds from 1 on for some points, without those that they have."""
        self.batch.make(self.plan.row(number, seed).wanted for number in some for seed in seeds[self.seeds[number] :])
        for number in some:
            self.seeds[number] = max(self.seeds[number], len(seeds))

    def _result(self, number: int, seed: int) -> Summary | BentpipeError:
        return self.batch.result(self.plan.row(number, seed).wanted)

    def _draws(self, number: int) -> bool:
        """Whether the network or the traffic of a point draws something."""
        return any(one.kind != "controller" for one in _core.facts(self.plan.point(number).job()).chance)

    def _narrow(self, number: int, level: float) -> bool:
        """Whether the interval of a point is narrow enough."""
        until = self.plan.document.seeds.until
        assert until is not None  # noqa: S101 - it is asked only then
        values = [
            self.reader.number(self.plan.row(number, seed), until.of) for seed in range(1, self.seeds[number] + 1)
        ]
        known = [value for value in values if value is not None]
        if len(known) < len(values):
            return False
        with intervals_at(level):
            one = estimate(known)
        return one.half_width <= until.half_width * (abs(one.mean) if until.relative else 1.0)
