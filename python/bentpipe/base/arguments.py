# SPDX-License-Identifier: MIT OR Apache-2.0
"""Check the arguments of public functions before anything runs. Each error states what is allowed."""

from __future__ import annotations

import operator
import os
import re
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import SupportsIndex, TypeVar

from bentpipe import _core
from bentpipe.base.errors import ArgumentError
from bentpipe.base.names import is_text, printable

T = TypeVar("T")

#: A seed is a whole number below this number (the range of TOML's integers).
SEEDS = 2**63
_NUMBER = re.compile(r"\s*[\d.]+\s*")
#: Largest number of runs at a time, and largest number of seeds. A larger number is probably a mistake.
_THREADS = 10_000


def refuse(message: str) -> ArgumentError:
    """Return the error for an argument."""
    return ArgumentError("argument-value", message)


def whole(name: str, value: object, least: int, most: int) -> int:
    """Check that a value is a whole number within bounds. True and False are refused."""
    try:
        number = operator.index(value) if isinstance(value, SupportsIndex) else None
    except TypeError:
        number = None
    if number is None or isinstance(value, bool) or not least <= number <= most:
        raise refuse(f"{name} must be a whole number from {least} to {most}, not {value!r}")
    return number


def seed(value: object) -> int | None:
    """Check one seed. None means the scenario's seed."""
    return None if value is None else whole("seed", value, 0, SEEDS - 1)


def seeds(value: object) -> tuple[int, ...]:
    """Check a list of seeds, or the number of seeds: 5 means the seeds 1 to 5."""
    if isinstance(value, Iterable) and not isinstance(value, (str, bytes)):
        numbers = tuple(whole("each of seeds", one, 0, SEEDS - 1) for one in value)
    else:
        numbers = tuple(range(1, whole("seeds (a list, or the number of seeds)", value, 1, _THREADS) + 1))
    if not numbers:
        raise refuse("seeds is empty: give at least one seed")
    return numbers


def threads(value: object) -> int:
    """Check the number of runs at a time. None means one per processor."""
    return os.cpu_count() or 1 if value is None else whole("threads", value, 1, _THREADS)


def quantity(name: str, value: object, example: str) -> str | None:
    """Check a number with a unit as text. None is allowed."""
    return None if value is None else stated(name, value, example)


def stated(name: str, value: object, example: str) -> str:
    """Check a number with a unit; the unit of the example is proposed for a number without a unit."""
    is_number = isinstance(value, (int, float)) or (isinstance(value, str) and _NUMBER.fullmatch(value) is not None)
    if isinstance(value, str) and not is_number:
        return value
    number = value if isinstance(value, str) else f"{value:g}" if is_number else ""
    hint = f' (write {name}="{number} {example.split()[1]}")' if is_number else ""
    raise refuse(f'{name} must be text with its unit, for example "{example}", not {value!r}{hint}')


def names(name: str, value: Iterable[T]) -> list[T]:
    """Check a list of names. A single string is refused."""
    if isinstance(value, str):
        raise refuse(f'{name} must be a list of names, not one name: write ["{value}"]')
    if not isinstance(value, Iterable):
        raise refuse(f"{name} must be a list of names, not {value!r}")
    return list(value)


def place(name: str, value: object) -> Path | None:
    """Check a path in the file system. None is allowed."""
    return None if value is None else path(name, value)


def path(name: str, value: object) -> Path:
    """Check a path in the file system."""
    if isinstance(value, (str, os.PathLike)) and isinstance(found := os.fspath(value), str):
        check_file_name(found)
        return Path(found)
    raise refuse(f"{name} must be a path, not {value!r}")


def check_file_name(text: str) -> None:
    """Refuse text that cannot be the name of a file. A name must be UTF-8; only a folder's name may end in a slash."""
    if not is_text(text):
        raise refuse(f"{printable(text)}: the name of the file is not UTF-8 (rename the file)")
    bare = text.rstrip("/")
    if bare != text and os.path.isfile(bare):  # noqa: PTH113 - unlike pathlib it takes any text
        raise refuse(f"{text}: it is a file, not a folder (write {bare})")


def report(value: Callable[[int, int], None] | None) -> Callable[[int, int], None] | None:
    """Check the function that is called when runs finish."""
    if value is None or callable(value):
        return value
    raise refuse(f"progress must be a function of (done, all) or True, not {value!r}")


def known(kind: str, name: object, there: Iterable[str]) -> ArgumentError:
    """Return the error for an unknown name. The message has the known names."""
    listed = list(there)
    near = _core.nearest(str(name), listed)
    hint = f"did you mean {near!r}? " if near else ""
    return refuse(f"there is no {kind} {name!r} ({hint}there are {', '.join(listed) or 'none'})")
