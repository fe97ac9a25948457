# SPDX-License-Identifier: MIT OR Apache-2.0
"""The rule for skips (skips.py), in a separate pytest: BENTPIPE_NO_SKIP=1 forbids skips outside of needs.toml."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from project import ROOT

#: Skips in a test, by mark, of a file, and one that needs.toml allows; and an expected failure, which is not a skip.
TESTS = {
    "test_some.py": """
import needs, pytest
def test_that_runs(): pass
def test_without_a_cause(): pytest.skip("no luck")
@pytest.mark.skipif(True, reason=needs.reason("tshark"))
def test_by_mark(): pass
def test_allowed(): pytest.skip(needs.reason("mahimahi"))
@pytest.mark.xfail(reason="known")
def test_expected(): raise ValueError
""",
    "test_whole_file.py": """
import pytest
pytest.importorskip("no_such_module", reason="nothing is tested")
""",
}


@pytest.fixture
def place(tmp_path: Path) -> Path:
    for name, text in TESTS.items():
        (tmp_path / name).write_text(text)
    return tmp_path


def outcome(place: Path, *options: str, no_skip: str) -> tuple[int, str]:
    """Return exit code and output of a pytest with these tests."""
    environment = os.environ | {"BENTPIPE_NO_SKIP": no_skip, "PYTHONPATH": str(ROOT / "tests" / "support")}
    command = [sys.executable, "-m", "pytest", "-p", "skips", "-p", "no:cacheprovider", *options]
    done = subprocess.run(command, cwd=place, env=environment, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout


def test_skips_are_summed_up_by_cause(place: Path) -> None:
    code, said = outcome(place, no_skip="")
    assert code == 0, said
    listed = said.partition(" skipped ==")[2]
    for line in ("   1 tshark: captures as", "   1 no luck", "   1 mahimahi: exported", "   1 nothing is tested"):
        assert f"\n{line}" in listed, said
    assert re.search(r"`make test-tools` .* installs: tshark\n", listed)
    assert "1 passed, 4 skipped, 1 xfailed" in said


@pytest.mark.parametrize("workers", [(), ("-n", "2")])
def test_where_none_may_be_skipped_only_what_is_listed_is(place: Path, workers: tuple[str, ...]) -> None:
    code, said = outcome(place, *workers, "--continue-on-collection-errors", no_skip="1")
    assert code == 1, said
    for cause in ("no luck", "needs tshark: captures as Wireshark reads them", "nothing is tested"):
        assert f"BENTPIPE_NO_SKIP=1 forbids it: {cause}" in said
    assert re.search(r"1 failed, 1 passed, 1 skipped, 1 xfailed, 2 errors", said), said


def test_every_entry_has_what_its_kind_needs() -> None:
    """Each entry can be proven and installed, or explains why it cannot."""
    source = (ROOT / "tools" / "test_tools.py").read_text()
    for name, entry in tomllib.loads((ROOT / "tests" / "support" / "needs.toml").read_text()).items():
        assert ("proof" in entry) == ("packages" in entry or "fetch" in entry), name
        assert "fetch" not in entry or f"def {entry['fetch']}()" in source, name
        for file in re.findall(r"test_\w+\*?\w*\.py", entry["tests"]):
            assert list((ROOT / "tests").rglob(file)), (name, file)
