# SPDX-License-Identifier: MIT OR Apache-2.0
"""Runs that are kept: a run is made once for each scenario and build, and found again by its content."""

from __future__ import annotations

import hashlib
import inspect
import re
import sys
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import bentpipe as bp
from bentpipe import _core
from bentpipe._controller import REGISTERED

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from bentpipe.papers._paper import Effort, Key
    from bentpipe.papers._reproduce import Kept


@cache
def build() -> str:
    """Fingerprint of what makes numbers: another build may give others."""
    return _core.fingerprint()


@cache
def code() -> str:
    """Fingerprint of everything that turns runs into findings."""
    whole = hashlib.sha256(build().encode())
    package = Path(bp.__file__).parent
    for file in sorted(package.rglob("*.py")):
        whole.update(str(file.relative_to(package)).encode() + b"\0" + file.read_bytes())
    return whole.hexdigest()


def source(function: Callable[..., object]) -> str:
    """What a function is made of: the text of its module, or its own code where there is none."""
    inner = getattr(function, "func", function)  # of a partial
    module = sys.modules.get(getattr(inner, "__module__", ""), None)
    try:
        text = inspect.getsource(module) if module is not None else ""
    except (OSError, TypeError):
        made = getattr(inner, "__code__", None)
        text = repr((made.co_code, made.co_consts)) if made is not None else ""
    given = repr((getattr(function, "args", ()), getattr(function, "keywords", {})))
    # Where an object lies says nothing of what it is.
    return f"{getattr(inner, '__qualname__', '')}\0{re.sub(r' at 0x[0-9a-f]+', '', given)}\0{text}"


def _own(text: str) -> str:
    """The source of the controllers in Python that a scenario names: they are not part of the build."""
    sources = []
    for name, cls in sorted(REGISTERED.items()):
        if f'"{name}"' in text:
            module = sys.modules[cls.__module__]
            sources.append(inspect.getsource(module if hasattr(module, "__file__") else cls))
    return "\0".join(sources)


class Store:
    """The run folders of a reproduction, by content."""

    def __init__(self, place: Path) -> None:
        self.place = place

    def folder(self, text: str) -> Path:
        """Where the run of a scenario (its TOML text) stands or will stand."""
        name = hashlib.sha256(f"{build()}\0{_own(text)}\0{text}".encode()).hexdigest()[:20]
        return self.place / name[:2] / name

    def has(self, text: str) -> bool:
        """Whether the run was made: a folder appears only when it is whole."""
        return (self.folder(text) / "summary.json").exists()

    def load(self, text: str) -> bp.Run:
        """Read a run back."""
        return bp.load(self.folder(text))


class Runs:
    """The runs of one row, by key; read from disk when they are first asked for.

    Attributes:
        effort: Seeds, and whether a first look is wanted.
        kept: What other rows said, by id: of a row that comes last, empty otherwise.
    """

    def __init__(
        self, effort: Effort, plan: Mapping[Key, str], store: Store, kept: Mapping[str, Kept] | None = None
    ) -> None:
        self.effort = effort
        self.kept: Mapping[str, Kept] = kept or {}
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

    def of(self, *start: object) -> list[bp.Run]:
        """The runs whose keys begin so, in the order of the plan: mostly one for each seed.

        Raises:
            KeyError: If there is none.
        """
        found = [self[key] for key in self._plan if key[: len(start)] == start]
        if not found:
            raise KeyError(start)
        return found

    def scenario(self, key: Key) -> str:
        """The scenario of a run as TOML."""
        return self._plan[key]
