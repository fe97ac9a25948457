# SPDX-License-Identifier: MIT OR Apache-2.0
"""Report all faults of a document at once, each with its place: file, line and key."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypedDict

from bentpipe import _core
from bentpipe.base.errors import Fault, ScenarioError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Unpack

#: Largest number of listed faults. Further faults are only counted.
_SHOWN = 20

Path = tuple[str, ...]


def shown(path: Iterable[str]) -> str:
    """Return a path of keys in the syntax of TOML."""
    return ".".join(one if re.fullmatch(r"[A-Za-z0-9_-]+", one) else f'"{one}"' for one in path)


class Context(TypedDict, total=False):
    """The fields of a fault that programs read; see `Fault`."""

    value: str
    alternatives: tuple[str, ...]


@dataclass
class Faults:
    """The faults of one document, in the order of its lines.

    Attributes:
        origin: The file, or its name in messages.
        lines: The line of each path of keys; empty if the document is not text.
    """

    origin: str
    lines: Mapping[Path, int]
    found: list[Fault] = field(default_factory=list)

    def add(self, path: Path, code: str, text: str, **context: Unpack[Context]) -> None:
        """Add a fault at a path of keys. Its line is that of the path, or of the nearest path above with a line."""
        line = next((self.lines[path[:end]] for end in range(len(path), 0, -1) if path[:end] in self.lines), None)
        fault = Fault(code=code, message=text, file=self.origin, line=line, key=shown(path), **context)
        if fault not in self.found:
            self.found.append(fault)

    def unknown(self, path: Path, known: Iterable[str]) -> None:
        """Add the fault of an unknown key."""
        *above, key = path
        where = f"in `{shown(above)}`" if above else "at the top of the file"
        listed = list(known)
        near = _core.nearest(key, listed)
        hint = f"did you mean `{near}`? " if near else ""
        text = f"unknown key `{key}` {where} ({hint}known keys: {', '.join(listed)})"
        others = [one for one in listed if one != near]
        self.add(path, "scenario-unknown-key", text, value=key, alternatives=(*([near] if near else []), *others))

    def finish(self) -> None:
        """Raise the faults.

        Raises:
            ScenarioError: If there are faults. The error has the code of the first fault.
        """
        if not self.found:
            return
        first, *others = sorted(self.found, key=lambda fault: fault.line or 0)
        told = [_placed(first), *(f"[{fault.code}] {_placed(fault)}" for fault in others[: _SHOWN - 1])]
        if len(self.found) > _SHOWN:
            told.append(f"and {len(self.found) - _SHOWN} more")
        raise ScenarioError(first.code, "\n".join(told), [first, *others])


def _placed(fault: Fault) -> str:
    """Return the text of a fault, with its place in front."""
    place = fault.file if fault.line is None else f"{fault.file}:{fault.line}"
    return f"{place}: {fault.key}: {fault.message}" if fault.key else f"{place}: {fault.message}"


def faults_of(error: ScenarioError) -> Sequence[Fault]:
    """Return the faults in the error of a refused scenario. A fault that is not about a key has no place."""
    return error.faults or (Fault(code=error.code, message=error.message),)


def places(text: str) -> dict[Path, int]:
    """Return the line of each key of a TOML document, including keys in inline tables."""
    return {tuple(path): line for path, line in _core.key_lines(text)}
