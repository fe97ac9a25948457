# SPDX-License-Identifier: MIT OR Apache-2.0
"""What tests need beyond `make setup` (needs.toml), and skips of tests whose needs are missing."""

from __future__ import annotations

import subprocess
import tomllib
from dataclasses import dataclass
from functools import cache

import pytest

from project import ROOT


@dataclass(frozen=True)
class Need:
    """An entry of needs.toml, which describes the fields."""

    tests: str
    proof: str = "false"
    packages: tuple[str, ...] = ()
    fetch: str = ""
    may_be_absent: str = ""


NEEDS = {name: Need(**entry) for name, entry in tomllib.loads((ROOT / "tests/support/needs.toml").read_text()).items()}


@cache
def there(name: str) -> bool:
    """Whether this machine has what an entry needs."""
    done = subprocess.run(["sh", "-c", NEEDS[name].proof], cwd=ROOT, capture_output=True, check=False)
    return done.returncode == 0


def reason(name: str, detail: str = "") -> str:
    """Return the reason for a skip, which starts with the entry's name."""
    assert name in NEEDS
    return f"needs {name}: {detail or NEEDS[name].tests}"


def absent(reason: str) -> str:
    """Return the entry that the reason for a skip names; empty if it names none."""
    name, colon, _ = reason.removeprefix("Skipped: ").removeprefix("needs ").partition(":")
    return name if colon and name in NEEDS else ""


def mark(name: str) -> pytest.MarkDecorator:
    """Skip a test if an entry is missing."""
    return pytest.mark.skipif(not there(name), reason=reason(name))


def require(*names: str) -> None:
    """Skip the running test if one of these entries is missing."""
    for name in names:
        if not there(name):
            pytest.skip(reason(name))
