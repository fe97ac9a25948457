# SPDX-License-Identifier: MIT OR Apache-2.0
"""There is one list of error codes, and every code is tested."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from bentpipe import _core
from project import ROOT

CODES = dict(_core.codes())


def _tests() -> str:
    """Return the text of all tests: in Python, beside the crates, and inside source files."""
    texts = [file.read_text() for file in (ROOT / "tests").rglob("test_*.py") if file.name != Path(__file__).name]
    for file in (ROOT / "crates").rglob("*.rs"):
        text = file.read_text()
        if file.name == "tests.rs" or "tests" in file.relative_to(ROOT).parts:
            texts.append(text)
        elif "#[cfg(test)]" in text:
            texts.append(text[text.index("#[cfg(test)]") :])
    return "\n".join(texts)


TESTS = _tests()


@pytest.mark.parametrize("code", CODES)
def test_code_is_tested(code: str) -> None:
    variant = "".join(word.capitalize() for word in code.split("-"))
    assert re.search(rf"\b{code}\b|\bCode::{variant}\b", TESTS), f"no test mentions {code}"


def test_meanings_are_sentences() -> None:
    for meaning in CODES.values():
        assert meaning.strip()[0].isupper()
        assert meaning.strip().endswith(".")
