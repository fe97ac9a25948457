# SPDX-License-Identifier: MIT OR Apache-2.0
"""The viewer's page in the package is what `web/` builds, and asks nothing of anybody else."""

from __future__ import annotations

import base64
import hashlib
import re
import subprocess
from pathlib import Path

import pytest

import needs
from project import ROOT
from waiting import HANG_S

WEB = ROOT / "web"
PAGE = ROOT / "python/bentpipe/show/viewer/page"
FILES = ("index.html", "viewer.css", "viewer.js")


@pytest.fixture(scope="module")
def node() -> str:
    """Node with the page's packages, of the versions in the lock file."""
    needs.require("node", "npm", "node-packages")
    return "node"


def test_the_page_is_what_its_sources_build(node: str, tmp_path: Path) -> None:
    subprocess.run([node, "build.mjs", "--out", tmp_path], cwd=WEB, check=True, timeout=HANG_S)
    for name in FILES:
        assert (tmp_path / name).read_bytes() == (PAGE / name).read_bytes(), f"{name} is not up to date: make page"


@pytest.mark.usefixtures("node")
def test_sources_are_clean_and_their_tests_pass() -> None:
    for script in ("lint", "test"):
        done = subprocess.run(["npm", "run", script], cwd=WEB, capture_output=True, text=True, timeout=HANG_S)
        assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]


def test_the_page_is_small_and_complete() -> None:
    assert sorted(path.name for path in PAGE.iterdir()) == sorted(FILES)
    assert sum((PAGE / name).stat().st_size for name in FILES) < 1_500_000


def test_the_page_lets_nothing_in_from_elsewhere() -> None:
    index = (PAGE / "index.html").read_text(encoding="utf-8")
    found = re.search(r'http-equiv="Content-Security-Policy" content="([^"]+)"', index)
    assert found is not None
    rules = dict(rule.split(" ", 1) for rule in found[1].split("; "))
    assert rules["default-src"] == "'none'"
    assert rules["connect-src"] == "'self'"
    # Where style and script stand in the page itself, as in an exported one, their hashes let them in.
    for rule, name in (("script-src", "viewer.js"), ("style-src", "viewer.css")):
        content = (PAGE / name).read_bytes()
        digest = base64.b64encode(hashlib.sha256(content).digest()).decode()
        assert rules[rule] == f"'self' 'sha256-{digest}'"
        assert b"</script" not in content
        assert b"</style" not in content
    # What the browser would fetch by itself: addresses in markup and style.
    assert re.findall(r'(?:src|href)="([^"]+)"', index) == ["data:,", "viewer.css", "viewer.js"]
    assert "url(" not in (PAGE / "viewer.css").read_text(encoding="utf-8")
    assert "innerHTML" not in "".join(path.read_text(encoding="utf-8") for path in (WEB / "src").rglob("*.ts"))
