# SPDX-License-Identifier: MIT OR Apache-2.0
"""Make runs in parallel and store them in an archive.

Stored runs are not repeated. A failed run does not affect other runs.
"""

from __future__ import annotations

from contextlib import closing, contextmanager
from typing import TYPE_CHECKING

from bentpipe.base import arguments
from bentpipe.base.files import current_folder_kept
from bentpipe.base.progress import Tally, shown
from bentpipe.runs.cluster import Cluster
from bentpipe.runs.folders import is_whole
from bentpipe.runs.shared import open_store
from bentpipe.runs.threads import Crew

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from pathlib import Path

    from distributed import Client

    from bentpipe.base.errors import BentpipeError
    from bentpipe.results.summary_types import Summary
    from bentpipe.runs.point import Wanted
    from bentpipe.runs.store import Archive

    #: Names of runs, each with its compressed summary or its error.
    Some = list[tuple[str, bytes | BentpipeError]]


def missing(wanted: Iterable[Wanted], archive: Archive) -> list[Wanted]:
    """Return the requested runs that are not in the archive, each once."""
    unique = {(one.key, one.folder): one for one in wanted}
    there = archive.those({key: one.seed for (key, _), one in unique.items()})
    return [
        one
        for (key, folder), one in unique.items()
        if key not in there or (folder is not None and not is_whole(folder))
    ]


class Batch:
    """Runs that are requested in several steps, and stored in an archive.

    Args:
        archive: The store of summaries. After Ctrl-C or an error it has all finished runs.
        threads: Number of runs at a time on this machine. Results do not depend on this number.
        client: A Dask cluster that makes the runs instead of this machine.
        progress: Called with (done, all) of the runs requested so far, including those in the archive.
        costly: Make a run even if it needs more memory or disk than is free, by the estimate.

    Attributes:
        archive: The store of summaries.
        errors: The errors of runs that failed or were refused, by the name of the run. These runs are not repeated.
        made: Number of runs that were made now, including failed ones.
    """

    def __init__(
        self,
        archive: Archive,
        *,
        threads: int = 1,
        client: Client | None = None,
        progress: Callable[[int, int], None] | None = None,
        costly: bool = False,
    ) -> None:
        self.archive = archive
        self.errors: dict[str, BentpipeError] = {}
        self.made = 0
        self._threads, self._client, self._costly = threads, client, costly
        self._tally = Tally(progress)

    def make(self, wanted: Iterable[Wanted]) -> None:
        """Make the runs that are not in the archive.

        Raises:
            KeyboardInterrupt: On Ctrl-C.
            RunError: If the archive cannot be written, the cluster is lost, or a file of the scenario was changed.
            ScenarioError: If a worker has another version of Bentpipe.
        """
        with current_folder_kept():
            self._make(list(wanted))

    def _make(self, every: list[Wanted]) -> None:
        todo = [one for one in missing(every, self.archive) if one.key not in self.errors]
        update = self._tally.batch(len(every), len(every) - len(todo))
        crew: Crew | Cluster
        if self._client is None:
            crew = Crew(todo, min(self._threads, len(todo)), costly=self._costly)
        else:
            crew = Cluster(todo, self._client, costly=self._costly)
        points = {one.key: one.point for one in todo}
        done = 0
        try:
            for some in crew.results():
                for point in {id(point): point for point in (points[key] for key, _ in some)}.values():
                    point.check()
                for key, result in some:
                    if isinstance(result, bytes):
                        self.archive.add(key, result)
                    else:
                        self.errors[key] = result
                    done += 1
                    update(done, len(todo))
                self.archive.keep()
        finally:
            crew.stop()
            self.archive.commit()
        self.made += len(todo)

    def result(self, one: Wanted) -> Summary | BentpipeError:
        """Return the summary of a run that was made or found, or the error of the run."""
        return self.results([one])[0]

    def results(self, some: Sequence[Wanted]) -> list[Summary | BentpipeError]:
        """Return the summaries of several runs, or their errors."""
        keys = [one.key for one in some]
        there = self.archive.summaries(key for key in keys if key not in self.errors)
        return [self.errors[key] if key in self.errors else there[key] for key in keys]


@contextmanager
def opened(
    out: Path | None,
    store: str | os.PathLike[str] | None = None,
    *,
    threads: int | None = None,
    client: Client | None = None,
    progress: Callable[[int, int], None] | bool | None = None,
    costly: bool = False,
) -> Iterator[Batch]:
    """Open a batch over the chosen store (`open_store`) that shows its progress.

    Raises:
        ArgumentError: If an argument cannot be used.
        ScenarioError: If the store belongs to another program.
        RunError: If the store cannot be opened or written.
    """
    at_once = arguments.threads(threads)
    with closing(open_store(out, store)) as archive, shown(progress, "runs") as update:
        yield Batch(archive, threads=at_once, client=client, progress=update, costly=costly)
