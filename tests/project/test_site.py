# SPDX-License-Identifier: MIT OR Apache-2.0
"""The website is built without warnings, so each link has its target. Each public name has its docstring."""

from __future__ import annotations

import re
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

import bentpipe as bp
from bentpipe.scenario.class_names import NAMES
from project import ROOT

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the website, as `make site` does."""
    place = tmp_path_factory.mktemp("site")
    arguments = [
        "-W",
        "-q",
        "-c",
        str(ROOT / "tools" / "site"),
        "-d",
        str(place / "cache"),
        str(ROOT),
        str(place / "html"),
    ]
    done = subprocess.run(
        [sys.executable, "-m", "sphinx", *arguments], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return place / "html"


def test_the_first_page_carries_the_version(site: Path) -> None:
    text = (site / "index.html").read_text("utf-8")
    assert f"Bentpipe {bp.__version__}" in text
    assert (site / "searchindex.js").stat().st_size > 100_000


def test_every_public_name_is_described(site: Path) -> None:
    functions = (site / "docs/reference/python.html").read_text("utf-8")
    classes = (site / "docs/reference/python-scenario.html").read_text("utf-8")
    described = set(re.findall(r'id="bentpipe\.(\w+)"', functions))
    described |= set(re.findall(r'id="bentpipe\.scenario\.classes\.(\w+)"', classes))
    assert set(bp.__all__) - described - {"__version__"} == set()
    assert set(NAMES) <= described


def test_every_page_is_in_the_contents(site: Path) -> None:
    contents = (site / "index.html").read_text("utf-8")
    pages = [page.relative_to(ROOT).with_suffix(".html").as_posix() for page in ROOT.glob("docs/**/*.md")]
    assert pages
    assert [page for page in pages if f'href="{page}"' not in contents] == []


def test_nothing_is_fetched_from_elsewhere(site: Path) -> None:
    for page in site.rglob("*.html"):
        assert re.findall(r'<(?:script|link|img)[^>]*(?:src|href)="(https?:[^"]*)"', page.read_text("utf-8")) == []
