# SPDX-License-Identifier: MIT OR Apache-2.0
"""Runs that are kept: a run is made once for each scenario and build, and found again by its content.

Runs are kept under their identity (``crates/scenario/src/identity.rs``): the resolved scenario, the content of
every file that it names, the fingerprint of the sources that make numbers (``crates/sim/build/sources.rs``), and
what controllers in Python will do (``scenario/own_source.py``). Comments, tests, messages and the recorder do not
count, so machines share runs. A finding is kept under the simulator, the code of studies and the modules beside its
row.
"""

from __future__ import annotations

import fcntl
import hashlib
import marshal
import re
import sys
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import bentpipe as bp
from bentpipe import _core
from bentpipe.base.files import write_error
from bentpipe.runs.folders import is_whole
from bentpipe.runs.make import job

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from bentpipe.study._reproduce import Outcome
    from bentpipe.study._study import Effort, Key, Study

#: What findings are made with beside this package: tables of runs, means, models, the sky, pictures.
_READERS = (
    "_bottlenecks.py",
    "_compare.py",
    "_model.py",
    "_sky.py",
    "base/stats.py",
    "plots.py",
    "results/summaries.py",
    "runs/looks.py",
    "runs/make.py",
    "runs/run.py",
    "scenario/catalogue.py",
    "show/pages/page.py",
    "show/pictures/curves.py",
)


@cache
def build() -> str:
    """Fingerprint of what makes numbers: another build may give others."""
    return _core.fingerprint()


@cache
def frame() -> str:
    """Fingerprint of what every finding is made with: the simulator, this package, and what reads runs for it.

    Commands, reports and messages of the library are not in it: a change of one makes no finding again.
    """
    package = Path(bp.__file__).parent
    files = [*(package / name for name in _READERS), *sorted(Path(__file__).parent.glob("*.py"))]
    return _digest(build(), files)


def source(function: Callable[..., object]) -> str:
    """Fingerprint of what a row's function is made of, and what a partial gives it.

    Of a file: all modules beside it, as they may help it, but not a package's ``__init__``, which only says which rows
    there are. Of a function without a file: its code. What is imported from elsewhere is not looked at.
    """
    inner = getattr(function, "func", function)  # of a partial
    given = repr((getattr(function, "args", ()), getattr(function, "keywords", {})))
    # Where an object lies says nothing of what it is.
    called = f"{getattr(inner, '__qualname__', '')}\0{re.sub(r' at 0x[0-9a-f]+', '', given)}"
    module = sys.modules.get(getattr(inner, "__module__", ""), None)
    file = getattr(module, "__file__", None)
    if file is None:
        made = getattr(inner, "__code__", None)
        return f"{called}\0{marshal.dumps(made).hex() if made is not None else ''}"
    return f"{called}\0{files(Path(file))}"


@cache
def files(file: Path) -> str:
    """Fingerprint of a file and the modules beside it."""
    beside = {one for one in file.parent.glob("*.py") if one.name != "__init__.py"}
    return _digest("", sorted(beside | {file}))


def _digest(start: str, files: Sequence[Path]) -> str:
    whole = hashlib.sha256(start.encode())
    for file in files:
        whole.update(b"\0" + file.name.encode() + b"\0" + file.read_bytes())
    return whole.hexdigest()


@dataclass(frozen=True)
class Kept:
    """A run that is wanted in its folder, by its scenario."""

    key: str
    folder: Path

    def job(self, *, costly: bool) -> _core.Job:
        """The run to make."""
        return job(self.key, out=self.folder, costly=costly)


class Store:
    """The run folders of a reproduction, by content."""

    def __init__(self, place: Path) -> None:
        self.place = place
        #: Identities by text: to compute one takes about as long as to read the scenario.
        self._constant: dict[str, str] = {}

    @property
    def findings(self) -> Path:
        """The folder of the findings, beside that of the runs."""
        return self.place.parent / "findings"

    def identity(self, text: str) -> str:
        """The digest of what decides the numbers of a scenario (its TOML text), except the seed."""
        if text not in self._constant:
            found = _core.identity(_core.Job(text, "<text>"))
            if not found.is_constant:
                return found.digest
            self._constant[text] = found.digest
        return self._constant[text]

    def folder(self, text: str) -> Path:
        """Where the run of a scenario (its TOML text) stands or will stand."""
        # The text as well: runs of one identity may record more or less.
        name = hashlib.sha256(f"{self.identity(text)}\0{text}".encode()).hexdigest()[:20]
        return self.place / name[:2] / name

    def has(self, text: str) -> bool:
        """Whether the run was made: its name says which it is."""
        return is_whole(self.folder(text))

    def wanted(self, text: str) -> Kept:
        """The run to make."""
        return Kept(text, self.folder(text))

    def load(self, text: str) -> bp.Run:
        """Read a run back."""
        return bp.load(self.folder(text))


class Runs:
    """The runs of one row, by key; read from disk when they are first asked for.

    Attributes:
        effort: Seeds, and whether a first look is wanted.
        outcomes: What other rows said, by id: of a row that comes last, empty otherwise.
        studies: The studies that those rows may be of: of a row that comes last, empty otherwise.
    """

    def __init__(
        self,
        effort: Effort,
        plan: Mapping[Key, str],
        store: Store,
        outcomes: Mapping[str, Outcome] | None = None,
        studies: Sequence[Study] = (),
    ) -> None:
        self.effort = effort
        self.outcomes: Mapping[str, Outcome] = outcomes or {}
        self.studies = tuple(studies)
        self._plan = plan
        self._store = store
        self._read: dict[str, bp.Run] = {}

    def __iter__(self) -> Iterator[Key]:
        """The keys in the order of the plan."""
        return iter(self._plan)

    def __getitem__(self, key: Key) -> bp.Run:
        """The run of a key."""
        text = self._plan[key]
        if text not in self._read:
            self._read[text] = self._store.load(text)
        return self._read[text]

    def of(self, *start: object, seeds: Sequence[int] | None = None) -> list[bp.Run]:
        """The runs whose keys begin so, in the order of the plan: mostly one for each seed.

        Args:
            start: With what the keys begin.
            seeds: Only those whose keys end with one of these: the effort's ``seeds`` or its ``fresh`` ones.

        Raises:
            KeyError: If there is none.
        """
        keys = [key for key in self._plan if key[: len(start)] == start and (seeds is None or key[-1] in seeds)]
        if not keys:
            raise KeyError(start)
        return [self[key] for key in keys]

    def scenario(self, key: Key) -> str:
        """The scenario of a run as TOML."""
        return self._plan[key]


@contextmanager
def alone(place: Path) -> Iterator[None]:
    """Two reproductions in one folder would take each other's half-written runs for their own."""
    file = place / ".lock"
    try:
        place.mkdir(parents=True, exist_ok=True)
        lock = file.open("w")
    except OSError as problem:
        raise write_error(file, problem) from None
    with lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            message = f"another reproduction is at work in {place}: wait for it, or choose another folder (--out)"
            raise bp.RunError("folder-unwritable", message) from None
        yield
