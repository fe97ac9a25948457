# SPDX-License-Identifier: MIT OR Apache-2.0
"""Text for users and contributors contains no forbidden phrases (`tools/prose.py`)."""

from __future__ import annotations

import pytest

import prose


def test_no_forbidden_phrase_is_written() -> None:
    assert prose.forbidden() == []


@pytest.mark.parametrize(
    ("text", "phrases"),
    [
        ("It is no seed, but for one", ["is no seed", "but for"]),
        ("There is no path; the link is no longer there", []),
        ("After so many seconds whoever waits is told of it", ["so many", "whoever", "is told of"]),
    ],
)
def test_phrases_are_found(text: str, phrases: list[str]) -> None:
    assert sorted(prose.found_in(text)) == sorted(phrases)
