# SPDX-License-Identifier: MIT OR Apache-2.0
"""Runs made in parallel into an archive: those that are there are not made again, one that fails costs only itself."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from bentpipe import _core
from bentpipe.runs.cluster import Cluster
from bentpipe.runs.threads import Crew
from bentpipe.scenario.document import as_toml

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

    from distributed import Client

    from bentpipe.base.errors import BentpipeError
    from bentpipe.runs.store import Archive, Point

    #: Names of runs, each with its packed summary or its error.
    Some = list[tuple[str, bytes | BentpipeError]]


@dataclass(frozen=True, slots=True)
class Wanted:
    """A run that is wanted: a point and a seed.

    Attributes:
        point: The scenario.
        seed: The seed.
        folder: Where its run folder shall be; None for none.
    """

    point: Point
    seed: int
    folder: Path | None = None

    @property
    def key(self) -> str:
        """Its name in the archive."""
        return self.point.key(self.seed)

    def job(self, *, costly: bool) -> _core.Job:
        """The run to make; in a folder it records what the scenario says. A folder that was cut off is made anew."""
        return _core.Job(
            self.point.text if self.folder is None else as_toml(self.point.document),
            self.point.origin,
            seed=self.seed,
            out=None if self.folder is None else str(self.folder),
            force=True,
            costly=costly,
        )


def missing(wanted: Iterable[Wanted], archive: Archive) -> list[Wanted]:
    """Those that have to be made, each once."""
    unique = {(one.key, one.folder): one for one in wanted}
    there = archive.those({key: one.seed for (key, _), one in unique.items()})
    return [
        one
        for (key, folder), one in unique.items()
        if key not in there or (folder is not None and not (folder / "summary.json").exists())
    ]


def execute(
    wanted: Iterable[Wanted],
    archive: Archive,
    *,
    threads: int = 1,
    client: Client | None = None,
    progress: Callable[[int, int], None] | None = None,
    costly: bool = False,
) -> dict[str, BentpipeError]:
    """Make the runs that are not in the archive yet.

    Args:
        wanted: The runs.
        archive: Where summaries go. On Ctrl-C, and on any error, what is finished is in it.
        threads: Runs at a time on this machine. What comes out does not depend on it.
        client: A Dask cluster that makes the runs instead.
        progress: Called with (done, all) of those that are to be made.
        costly: Run even if memory or disk will not do by the estimate.

    Returns:
        The errors of runs that failed or were refused, by their name in the archive.

    Raises:
        KeyboardInterrupt: On Ctrl-C.
        RunError: If the archive cannot be written, the cluster is lost, or a file of the scenario was changed.
        ScenarioError: If a worker has another version of Bentpipe.
    """
    todo = missing(wanted, archive)
    crew: Crew | Cluster
    if client is None:
        crew = Crew(todo, min(threads, len(todo)), costly=costly)
    else:
        crew = Cluster(todo, client, costly=costly)
    errors: dict[str, BentpipeError] = {}
    points = {one.key: one.point for one in todo}
    done = 0
    try:
        for some in crew.results():
            for point in {id(point): point for point in (points[key] for key, _ in some)}.values():
                point.check()
            for key, result in some:
                if isinstance(result, bytes):
                    archive.add(key, result)
                else:
                    errors[key] = result
                done += 1
                if progress is not None:
                    progress(done, len(todo))
            archive.keep()
    finally:
        crew.stop()
        archive.commit()
    return errors
