# SPDX-License-Identifier: MIT OR Apache-2.0
"""Stored runs. A run is made once for each scenario and build, and is found by its content.

The name of a stored run is its identity (``crates/scenario/src/identity.rs``). The identity covers the resolved
scenario, the files that it names, and the code of controllers in Python (``scenario/own_source.py``). It also covers
the sources that affect numbers (``crates/sim/build/sources.rs``). Comments, tests, messages and the recorder do not
count, so machines can share runs. The name of a stored finding depends on the simulator, the code of this package, and
the modules beside its row.
"""

from __future__ import annotations

import fcntl
import hashlib
import inspect
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
from bentpipe.scenario.own_code import place_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from bentpipe.study._reproduce import Outcome
    from bentpipe.study._study import Effort, Key, Study

#: The modules outside this package that affect findings: tables, means, models, constellations, pictures.
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
    """Return the fingerprint of the sources that affect numbers. Another build may give other numbers."""
    return _core.fingerprint()


@cache
def frame() -> str:
    """Return the fingerprint of the code that affects every finding: simulator, this package, modules that read runs.

    Commands, reports and messages of the library are excluded. A change of these parts therefore makes no finding
    again.
    """
    package = Path(bp.__file__).parent
    files = [*(package / name for name in _READERS), *sorted(Path(__file__).parent.glob("*.py"))]
    return _digest(build(), files)


def source(function: Callable[..., object]) -> str:
    """Return the fingerprint of the code of a row's function, including the arguments of a partial function.

    For a function in a file, the fingerprint covers all modules in the folder of the file, because the function may use
    them. The ``__init__`` of a package is excluded, because it only lists the rows. For a function without a file, the
    fingerprint covers its code. Modules in other places are not covered.
    """
    inner = getattr(function, "func", function)  # the function of a partial
    given = repr((getattr(function, "args", ()), getattr(function, "keywords", {})))
    # The address of an object in memory has no meaning.
    called = f"{getattr(inner, '__qualname__', '')}\0{re.sub(r' at 0x[0-9a-f]+', '', given)}"
    module = sys.modules.get(getattr(inner, "__module__", ""), None)
    file = getattr(module, "__file__", None)
    if file is None:
        made = getattr(inner, "__code__", None)
        return f"{called}\0{marshal.dumps(made).hex() if made is not None else ''}"
    return f"{called}\0{files(Path(file))}"


def line_of(function: Callable[..., object], problem: BaseException | None = None) -> str:
    """Return the place where a row's function failed, to begin a message: ``file:line: ``; empty without a file.

    The place is the last line in the folder of the function's file that the exception passed. Without such a line, the
    place is the beginning of the function.
    """
    code = getattr(inspect.unwrap(getattr(function, "func", function)), "__code__", None)
    if code is None:
        return ""
    passed = "" if problem is None else place_of(problem, code.co_filename)
    return f"{passed or f'{code.co_filename}:{code.co_firstlineno}'}: "


@cache
def files(file: Path) -> str:
    """Return the fingerprint of a file and of the modules in its folder."""
    beside = {one for one in file.parent.glob("*.py") if one.name != "__init__.py"}
    return _digest("", sorted(beside | {file}))


def _digest(start: str, files: Sequence[Path]) -> str:
    whole = hashlib.sha256(start.encode())
    for file in files:
        whole.update(b"\0" + file.name.encode() + b"\0" + file.read_bytes())
    return whole.hexdigest()


@dataclass(frozen=True)
class Kept:
    """A requested run and its folder."""

    key: str
    folder: Path

    def job(self, *, costly: bool) -> _core.Job:
        """Return the run to make."""
        return job(self.key, out=self.folder, costly=costly)


class Store:
    """The run folders of a reproduction, named after their content."""

    def __init__(self, place: Path) -> None:
        self.place = place
        #: Identities by text. Computing an identity takes about as long as reading the scenario.
        self._constant: dict[str, str] = {}

    @property
    def findings(self) -> Path:
        """The folder of the findings, which is next to the folder of the runs."""
        return self.place.parent / "findings"

    def identity(self, text: str) -> str:
        """Return the digest of everything that affects the numbers of a scenario (given as TOML), except the seed."""
        if text not in self._constant:
            found = _core.identity(_core.Job(text, "<text>"))
            if not found.is_constant:
                return found.digest
            self._constant[text] = found.digest
        return self._constant[text]

    def folder(self, text: str) -> Path:
        """Return the folder of the run of a scenario (given as TOML). The folder may not exist yet."""
        # The name depends on the text, because runs of the same identity may record different series.
        name = hashlib.sha256(f"{self.identity(text)}\0{text}".encode()).hexdigest()[:20]
        return self.place / name[:2] / name

    def has(self, text: str) -> bool:
        """Whether the run was made. The name of the folder identifies the run."""
        return is_whole(self.folder(text))

    def wanted(self, text: str) -> Kept:
        """Return the run to make."""
        return Kept(text, self.folder(text))

    def load(self, text: str) -> bp.Run:
        """Read a stored run."""
        return bp.load(self.folder(text))


class Runs:
    """The runs of one row, by key. A run is read from disk when it is first used.

    Attributes:
        effort: Seeds, looks, and whether the reproduction is quick.
        outcomes: The outcomes of other rows by id, for a row with `last`; otherwise empty.
        studies: The studies of these other rows, for a row with `last`; otherwise empty.
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
        """Iterate over the keys, in the order of the plan."""
        return iter(self._plan)

    def __getitem__(self, key: Key) -> bp.Run:
        """Return the run of a key."""
        text = self._plan[key]
        if text not in self._read:
            self._read[text] = self._store.load(text)
        return self._read[text]

    def of(self, *start: object, seeds: Sequence[int] | None = None) -> list[bp.Run]:
        """Return the runs whose keys begin with `start`, in the order of the plan. Usually there is one run per seed.

        Args:
            start: The first parts of the keys.
            seeds: Seeds. Only runs whose keys end with one of these seeds are returned.

        Raises:
            KeyError: If there is no such run.
        """
        keys = [key for key in self._plan if key[: len(start)] == start and (seeds is None or key[-1] in seeds)]
        if not keys:
            raise KeyError(start)
        return [self[key] for key in keys]

    def scenario(self, key: Key) -> str:
        """Return the scenario of a run as TOML."""
        return self._plan[key]


@contextmanager
def alone(place: Path) -> Iterator[None]:
    """Lock a folder, because two reproductions in one folder would use each other's incomplete runs."""
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
