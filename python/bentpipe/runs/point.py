# SPDX-License-Identifier: MIT OR Apache-2.0
"""The identity of a run: a scenario, its origin, and a seed."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from bentpipe import _core
from bentpipe.base.errors import RunError
from bentpipe.scenario.controller import REGISTERED
from bentpipe.scenario.document import as_toml

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from bentpipe.base.json import Document


def written_to(folder: Path | None) -> str | None:
    """Return the absolute path of a run folder, because a controller in Python may change the current folder."""
    if folder is None:
        return None
    return str(folder.absolute() if REGISTERED else folder)


class Point:
    """A scenario for runs with several seeds. A point is small, because there may be a million points.

    Attributes:
        origin: Name of the scenario in messages. Paths of the scenario's files are relative to it.
    """

    __slots__ = ("_document", "_identity", "origin")

    def __init__(self, document: Document | Callable[[], Document], origin: str) -> None:
        self._document, self.origin = document, origin
        self._identity = _core.identity(_core.Job(as_toml(self.document), origin))

    @property
    def document(self) -> Document:
        """Return the keys of the scenario. If the document is a function, it is called each time."""
        return self._document() if callable(self._document) else self._document

    @property
    def text(self) -> str:
        """Return the scenario as TOML. Recording is removed, because it does not change the summary."""
        return _text(self)

    def check(self) -> None:
        """Check that the files of the scenario did not change during the runs. Otherwise the identity would be wrong.

        Raises:
            RunError: If a file changed.
        """
        if (file := self._identity.changed_file()) is not None:
            raise RunError(
                "file-changed",
                f"{file} was changed during the sweep, so runs before and after the change have different inputs (the "
                f"finished runs are kept; repeat the command to make all runs with the new file)",
            )

    def job(self) -> _core.Job:
        """Return the job that reads the scenario."""
        return _core.Job(self.text, self.origin)

    def key(self, seed: int) -> str:
        """Return the name of the run with a seed, from the content of the scenario."""
        return self._identity.run(seed)


@functools.lru_cache(64)  # the runs of one point are consecutive
def _text(point: Point) -> str:
    return as_toml({**point.document, "record": {"interval": "off", "events": False, "packets": False}})


@dataclass(frozen=True, slots=True)
class Wanted:
    """A requested run: a point and a seed.

    Attributes:
        point: The scenario.
        seed: The seed.
        folder: The run folder to write, or None.
    """

    point: Point
    seed: int
    folder: Path | None = None

    @property
    def key(self) -> str:
        """Return the name of the run in the archive."""
        return self.point.key(self.seed)

    def job(self, *, costly: bool) -> _core.Job:
        """Return the run to make. In a folder it records the scenario's series and replaces an incomplete run."""
        return _core.Job(
            self.point.text if self.folder is None else as_toml(self.point.document),
            self.point.origin,
            seed=self.seed,
            out=written_to(self.folder),
            force=True,
            costly=costly,
        )


class Asked(Protocol):
    """Interface of a run that threads can make and that has a name."""

    @property
    def key(self) -> str:
        """Return the name of the run in its batch."""

    def job(self, *, costly: bool) -> _core.Job:
        """Return the run to make."""
