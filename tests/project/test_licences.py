# SPDX-License-Identifier: MIT OR Apache-2.0
"""Licences of third-party packages: locked packages have allowed licences, and the wheel contains their notices.

`make lint` also compares the record with the metadata of installed packages, and writes the notices again.
"""

from __future__ import annotations

import sys

import pytest

from project import ROOT

sys.path.insert(0, str(ROOT / "tools"))
import licences
from licences import Package


def test_every_locked_package_has_an_allowed_licence() -> None:
    faults = licences.audit(licences.locked(), licences.recorded(licences.RECORD.read_text()), {})
    assert [str(fault) for fault in faults] == []


def test_the_lock_files_of_all_three_are_read() -> None:
    kinds = [package.kind for package in licences.locked()]
    assert {kind: kinds.count(kind) > 50 for kind in ("crate", "python", "npm")} == {
        "crate": True,
        "python": True,
        "npm": True,
    }
    assert "bentpipe-sim" not in [package.name for package in licences.locked()]


@pytest.mark.parametrize(
    ("expression", "is_allowed"),
    [
        ("MIT", True),
        ("GPL-3.0-only", False),
        ("MIT OR GPL-3.0-only", True),
        ("MIT/Apache-2.0", True),
        ("MIT AND GPL-3.0-only", False),
        # SPDX 2.3, annex D.4.5: WITH binds closest, then AND, then OR.
        ("GPL-3.0-only AND MIT OR Zlib", True),
        ("GPL-3.0-only AND (MIT OR Zlib)", False),
        ("(MIT OR Apache-2.0) AND Unicode-3.0", True),
        ("Apache-2.0 WITH LLVM-exception", True),
        ("MIT WITH LLVM-exception", False),
    ],
)
def test_an_expression_is_read_as_spdx_says(expression: str, is_allowed: bool) -> None:
    assert licences.allowed(expression, set(licences.rules()["allowed"])) is is_allowed


@pytest.mark.parametrize(
    "expression",
    [
        *("", "MIT OR", "(MIT", "MIT Zlib", "AND MIT", "OR", "()"),
        *("MIT WITH", "WITH", "MIT WITH WITH", "MIT WITH OR Zlib", "MIT WITH (Zlib)", "(MIT) WITH LLVM-exception"),
        *("MIT,", "MIT & Zlib", "+"),
    ],
)
def test_what_is_no_expression_is_not_allowed(expression: str) -> None:
    with pytest.raises(ValueError, match="SPDX"):
        licences.allowed(expression, {"MIT"})


def test_the_audit_finds_what_changed() -> None:
    kept, copyleft, added = Package("crate", "a", "1"), Package("python", "b", "1"), Package("npm", "c", "1")
    gone = Package("crate", "d", "1")
    record = {kept: "MIT", copyleft: "GPL-3.0-only", gone: "MIT"}
    faults = licences.audit([kept, copyleft, added], record, {kept: "Zlib"})
    assert [(fault.package, fault.why.split(" (")[0]) for fault in faults] == [
        (kept, "its metadata say Zlib, the record says MIT"),
        (copyleft, "GPL-3.0-only is not allowed"),
        (added, "no licence is recorded"),
        (gone, "is recorded and no longer locked"),
    ]


def test_the_notices_name_what_the_wheel_contains() -> None:
    notices = licences.NOTICES.read_text()
    record = licences.recorded(licences.RECORD.read_text())
    for name in ("parquet", "pyo3", "sgp4", "zstd-sys", "csv"):
        (package,) = [one for one in record if one[:2] == ("crate", name)]
        assert f"\n{name} {package.version} (" in notices
    for text in ("GeoNames", "Meta Platforms, Inc", "list of sites (snkas/hypatia"):
        assert text in notices
