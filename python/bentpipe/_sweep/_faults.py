# SPDX-License-Identifier: MIT OR Apache-2.0
"""What is wrong with a document, all of it at once, each with its place: file, line and key."""

from __future__ import annotations

import difflib
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from bentpipe import _core
from bentpipe._errors import ScenarioError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

#: Of more faults the rest is counted.
_SHOWN = 20
#: A fault as the scenario's reader tells it: code, line, key, what is wrong. The first line has no code.
_TOLD = re.compile(r"(?:\[(?P<code>[a-z-]+)\] )?(?P<file>.*?):(?P<line>\d+): (?P<key>[^ ]+): (?P<text>.*)", re.DOTALL)

Path = tuple[str, ...]


def shown(path: Iterable[str]) -> str:
    """A path of keys as it is written in TOML."""
    return ".".join(one if re.fullmatch(r"[A-Za-z0-9_-]+", one) else f'"{one}"' for one in path)


@dataclass
class Faults:
    """The faults of one document, in the order of its lines.

    Attributes:
        origin: The file, or what stands for it.
        lines: Of each path of keys its line; empty for a document that is no text.
    """

    origin: str
    lines: Mapping[Path, int]
    found: list[tuple[int, str, str]] = field(default_factory=list)

    def add(self, path: Path, code: str, text: str) -> None:
        """A fault at a path of keys; the line is that of the nearest key above it that has one."""
        line = next((self.lines[path[:end]] for end in range(len(path), 0, -1) if path[:end] in self.lines), 0)
        place = f"{self.origin}:{line}" if line else self.origin
        said = f"{place}: {shown(path)}: {text}" if path else f"{place}: {text}"
        if (line, code, said) not in self.found:
            self.found.append((line, code, said))

    def unknown(self, path: Path, known: Iterable[str]) -> None:
        """A key that is not known here."""
        *above, key = path
        where = f"in `{shown(above)}`" if above else "at the top of the file"
        listed = list(known)
        near = difflib.get_close_matches(key.lower(), listed, 1)
        hint = f"did you mean `{near[0]}`? " if near else ""
        text = f"there is no key `{key}` {where} ({hint}keys there are {', '.join(listed)})"
        self.add(path, "scenario-unknown-key", text)

    def finish(self) -> None:
        """Tells what was found.

        Raises:
            ScenarioError: If there is anything; it has the code of the first.
        """
        if not self.found:
            return
        (_, code, first), *others = sorted(self.found, key=lambda fault: fault[0])
        told = [first, *(f"[{its}] {said}" for _, its, said in others[: _SHOWN - 1])]
        if len(self.found) > _SHOWN:
            told.append(f"and {len(self.found) - _SHOWN} more")
        raise ScenarioError(code, "\n".join(told))


@dataclass(frozen=True)
class Told:
    """A fault of a scenario, taken apart. Without a place the key is empty."""

    code: str
    key: str
    text: str


def taken_apart(error: ScenarioError) -> list[Told]:
    """The faults that the scenario's reader tells of."""
    faults: list[Told] = []
    for line in error.message.split("\n"):
        found = _TOLD.fullmatch(line)
        if found is not None and (found["code"] or not faults):
            faults.append(Told(found["code"] or error.code, found["key"], found["text"]))
        elif not faults:
            faults.append(Told(error.code, "", line))
        elif not re.fullmatch(r"and \d+ more", line):
            last = faults.pop()
            faults.append(Told(last.code, last.key, f"{last.text}\n{line}"))
    return faults


def parsed(text: str, origin: str) -> dict[str, Any]:
    """A document as TOML.

    Raises:
        ScenarioError: If it is none.
    """
    return _core.read_toml(text, origin)


def places(text: str) -> dict[Path, int]:
    """The line of each key of a TOML document, inline tables included. A statement of many lines has that of its first.

    TOML's own readers in Python tell no lines: each statement is found by reading it by itself.
    """
    lines = text.splitlines()
    found: dict[Path, int] = {}
    header: Path = ()
    at = 0
    while at < len(lines):
        stripped = lines[at].strip()
        end = at + 1
        if stripped.startswith("["):
            header = _header(stripped)
            found.setdefault(header, end)
        elif stripped and not stripped.startswith("#"):
            while (said := _statement("\n".join(lines[at:end]))) is None and end < len(lines):
                end += 1
            for path in _paths(said or {}):
                found.setdefault((*header, *path), at + 1)
        at = end
    return found


def _statement(text: str) -> dict[str, Any] | None:
    try:
        return _core.read_toml(text, "")
    except ScenarioError:
        return None


def _header(line: str) -> Path:
    said: Any = _statement(line) or {}
    path: list[str] = []
    while said:
        if isinstance(said, list):
            said = said[0]
            continue
        ((key, said),) = said.items()
        path.append(key)
    return tuple(path)


def _paths(value: Any, above: Path = ()) -> Iterable[Path]:
    if above:
        yield above
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from _paths(inner, (*above, key))
