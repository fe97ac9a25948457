# SPDX-License-Identifier: MIT OR Apache-2.0
"""Arguments of public functions: what is wrong with one is said before anything runs, with what would be right."""

from __future__ import annotations

import operator
import os
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import SupportsIndex, TypeVar

from bentpipe import _core
from bentpipe.base.errors import ArgumentError
from bentpipe.base.names import is_text, printable

T = TypeVar("T")

#: Seeds are the whole numbers below this (TOML's integers).
SEEDS = 2**63
#: More runs at a time than this are a slip.
_THREADS = 10_000


def refuse(message: str) -> ArgumentError:
    """The error for an argument."""
    return ArgumentError("argument-value", message)


def whole(name: str, value: object, least: int, most: int) -> int:
    """A whole number within bounds; true and false are none."""
    try:
        number = operator.index(value) if isinstance(value, SupportsIndex) else None
    except TypeError:
        number = None
    if number is None or isinstance(value, bool) or not least <= number <= most:
        raise refuse(f"{name} is a whole number from {least} to {most}, not {value!r}")
    return number


def seed(value: object) -> int | None:
    """One seed; None is the scenario's."""
    return None if value is None else whole("seed", value, 0, SEEDS - 1)


def seeds(value: object) -> tuple[int, ...]:
    """Seeds, or how many of them: 5 stands for 1 to 5."""
    if isinstance(value, Iterable) and not isinstance(value, (str, bytes)):
        numbers = tuple(whole("each of seeds", one, 0, SEEDS - 1) for one in value)
    else:
        numbers = tuple(range(1, whole("seeds (a list of them, or how many)", value, 1, _THREADS) + 1))
    if not numbers:
        raise refuse("seeds is empty: name at least one")
    return numbers


def threads(value: object) -> int:
    """Runs at a time; None is one for each processor."""
    return os.cpu_count() or 1 if value is None else whole("threads", value, 1, _THREADS)


def quantity(name: str, value: object, example: str) -> str | None:
    """Text with a unit; None where nothing is said."""
    return None if value is None else stated(name, value, example)


def stated(name: str, value: object, example: str) -> str:
    """Text with a unit."""
    if isinstance(value, str):
        return value
    hint = f' (write {name}="{value:g} {example.split()[1]}")' if isinstance(value, (int, float)) else ""
    raise refuse(f'{name} is text with its unit, for example "{example}", not {value!r}{hint}')


def names(name: str, value: Iterable[T]) -> list[T]:
    """A list of names, not a bare one."""
    if isinstance(value, str):
        raise refuse(f'{name} is a list of names, not one: write ["{value}"]')
    if not isinstance(value, Iterable):
        raise refuse(f"{name} is a list of names, not {value!r}")
    return list(value)


def place(name: str, value: object) -> Path | None:
    """A path in the file system; None where nothing is said."""
    return None if value is None else path(name, value)


def path(name: str, value: object) -> Path:
    """A path in the file system."""
    if isinstance(value, (str, os.PathLike)) and isinstance(found := os.fspath(value), str):
        check_file_name(found)
        return Path(found)
    raise refuse(f"{name} is a path, not {value!r}")


def check_file_name(text: str) -> None:
    """Refuse what cannot be the name of a file: results tell names in UTF-8, and only a folder's may end in a slash."""
    if not is_text(text):
        raise refuse(f"{printable(text)}: the name of the file is not UTF-8 (rename it)")
    bare = text.rstrip("/")
    if bare != text and os.path.isfile(bare):  # noqa: PTH113 - unlike pathlib it takes any text
        raise refuse(f"{text}: it is a file, not a folder (write {bare})")


def report(value: Callable[[int, int], None] | None) -> Callable[[int, int], None] | None:
    """What is called as runs finish."""
    if value is None or callable(value):
        return value
    raise refuse(f"progress is a function of (done, all) or True, not {value!r}")


def known(kind: str, name: object, there: Iterable[str]) -> ArgumentError:
    """The error for a name that is not there, with those that are."""
    listed = list(there)
    near = _core.nearest(str(name), listed)
    hint = f"did you mean {near!r}? " if near else ""
    return refuse(f"there is no {kind} {name!r} ({hint}there are {', '.join(listed) or 'none'})")
