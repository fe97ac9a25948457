# SPDX-License-Identifier: MIT OR Apache-2.0
"""What tests need beyond `make setup` (needs.toml), and the skips of tests that lack it."""

from __future__ import annotations

import subprocess
import tomllib
from dataclasses import dataclass
from functools import cache

import pytest

from project import ROOT


@dataclass(frozen=True)
class Need:
    """An entry of needs.toml, which says what the fields mean."""

    tests: str
    proof: str = "false"
    packages: tuple[str, ...] = ()
    fetch: str = ""
    may_be_absent: str = ""


NEEDS = {name: Need(**entry) for name, entry in tomllib.loads((ROOT / "tests/support/needs.toml").read_text()).items()}


@cache
def there(name: str) -> bool:
    """Whether this machine has an entry."""
    done = subprocess.run(["sh", "-c", NEEDS[name].proof], cwd=ROOT, capture_output=True, check=False)
    return done.returncode == 0


def reason(name: str, detail: str = "") -> str:
    """The reason of a skip, which starts with the entry's name."""
    assert name in NEEDS
    return f"needs {name}: {detail or NEEDS[name].tests}"


def absent(reason: str) -> str:
    """The entry that a skip's reason names; empty if it names none."""
    name, colon, _ = reason.removeprefix("Skipped: ").removeprefix("needs ").partition(":")
    return name if colon and name in NEEDS else ""


def mark(name: str) -> pytest.MarkDecorator:
    """Skips a test where an entry is absent."""
    return pytest.mark.skipif(not there(name), reason=reason(name))


def require(*names: str) -> None:
    """Skips the running test where one of these entries is absent."""
    for name in names:
        if not there(name):
            pytest.skip(reason(name))
