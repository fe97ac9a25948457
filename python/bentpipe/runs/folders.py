# SPDX-License-Identifier: MIT OR Apache-2.0
"""Make runs into run folders, or read finished runs from them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic, TypeVar

from bentpipe import _core
from bentpipe.base.errors import BentpipeError
from bentpipe.base.progress import Tally
from bentpipe.runs.make import run_jobs
from bentpipe.runs.run import Run, load

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

K = TypeVar("K")


def is_whole(folder: Path) -> bool:
    """Return whether a folder has a finished run. The summary is the last file that a run writes."""
    return (folder / "summary.json").exists()


def kept(job: _core.Job, folder: Path | None) -> Run | None:
    """Return the run in the folder if it is the run of the job; otherwise None."""
    if folder is None or not is_whole(folder):
        return None
    if folder.with_name(f".{folder.name}.partial").exists():
        return None  # a killed process left this folder; the next run replaces it
    try:
        run = load(folder)
        facts = _core.facts(job)
        same = run.scenario == facts.resolved and run.provenance["identity"] == facts.identity.digest
    except (BentpipeError, OSError, ValueError, KeyError):
        return None
    return run if same else None


class Folders(Generic[K]):
    """Complete runs that are requested in several steps, by any key. A run is made, or found in its folder.

    Args:
        threads: Number of runs at a time; None means one per processor.
        progress: Called with (done, all) of the runs requested so far, including those that were found.

    Attributes:
        results: The runs; for a failed run, its error.
        resumed: Number of runs that were found.
    """

    def __init__(self, *, threads: int | None, progress: Callable[[int, int], None] | None) -> None:
        self.results: dict[K, Run | BentpipeError] = {}
        self.resumed = 0
        self._threads, self._tally = threads, Tally(progress)

    def make(self, wanted: Mapping[K, tuple[_core.Job, Path | None]]) -> None:
        """Make the runs that are not in their folders.

        Raises:
            KeyboardInterrupt: On Ctrl-C; finished runs stay in the folders.
        """
        found = {key: run for key, one in wanted.items() if (run := kept(*one)) is not None}
        left = {key: one for key, one in wanted.items() if key not in found}
        self.resumed += len(found)
        made = run_jobs(
            [job for job, _ in left.values()],
            [folder for _, folder in left.values()],
            threads=self._threads,
            progress=self._tally.batch(len(wanted), len(found)),
        )
        new = found | dict(zip(left, made, strict=True))
        self.results |= {key: new[key] for key in wanted}
