# SPDX-License-Identifier: MIT OR Apache-2.0
"""Every example in the documentation runs, and the generated reference is the code's."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import bentpipe as bp
from bentpipe import _reference
from conftest import ROOT

PAGES = [ROOT / "README.md", *sorted((ROOT / "docs" / "guide").glob("*.md"))]
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
# A block that begins so is a file beside the other examples of its page.
FILE = re.compile(r"# ([\w-]+\.(?:py|toml))\n")
EXAMPLES = [
    pytest.param(page, language, text, id=f"{page.name}-{number}-{language}")
    for page in PAGES
    for number, (language, text) in enumerate(BLOCK.findall(page.read_text()))
    # Rust is compiled and run by the documentation tests of the crate.
    if "make " not in text and language != "rust"
]


@pytest.fixture
def workplace(tmp_path: Path) -> Path:
    """A folder that looks like the repository to an example."""
    for folder in ("scenarios", "data"):
        (tmp_path / folder).symlink_to(ROOT / folder)
    return tmp_path


@pytest.mark.parametrize(("page", "language", "text"), EXAMPLES)
def test_example(page: Path, language: str, text: str, workplace: Path) -> None:
    for _, other in BLOCK.findall(page.read_text()):
        if name := FILE.match(other):
            (workplace / name[1]).write_text(other)
    if language == "toml":
        file = workplace / "example.toml"
        file.write_text(text)
        bp.run(file, duration="1 s")
        return
    assert language in ("python", "sh"), f"an example in {language} has no way to run"
    # The environment's own commands come first, as after `. .venv/bin/activate`.
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    script = "\n".join(line for line in text.splitlines() if line != ". .venv/bin/activate")
    command = [sys.executable, "-c", text] if language == "python" else ["bash", "-euo", "pipefail", "-c", script]
    environment = {**os.environ, "PATH": path, "MPLBACKEND": "Agg"}
    done = subprocess.run(command, cwd=workplace, env=environment, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("name", sorted(_reference.PAGES))
def test_reference_is_the_codes(name: str) -> None:
    committed = (ROOT / "docs" / "reference" / name).read_text()
    assert committed == _reference.PAGES[name](), "run `make docs` and commit docs/reference"


def test_rust_in_the_guide_is_tested_by_its_crate() -> None:
    included = (ROOT / "crates" / "control" / "src" / "lib.rs").read_text()
    for page in PAGES:
        if any(language == "rust" for language, _ in BLOCK.findall(page.read_text())):
            assert f'include_str!("../../../{page.relative_to(ROOT)}")' in included


@pytest.mark.parametrize("page", [*PAGES, ROOT / "CONTRIBUTING.md"], ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", page.read_text()):
        if not target.startswith("http"):
            assert (page.parent / target).exists(), target
