# SPDX-License-Identifier: MIT OR Apache-2.0
"""What queue disciplines are held to is what the pseudo-code of their sources says."""

from __future__ import annotations

import pytest

import acks_by_the_book
from queues_by_the_book import BOOKS, VECTORS, text


@pytest.mark.parametrize("name", BOOKS)
def test_vectors_are_those_of_the_books(name: str) -> None:
    assert (VECTORS / f"{name}.csv").read_text() == text(name)


def test_every_file_has_its_book() -> None:
    assert {file.stem for file in VECTORS.glob("*.csv")} == set(BOOKS)


@pytest.mark.parametrize("name", acks_by_the_book.BOOKS)
def test_acknowledgements_go_by_the_book(name: str) -> None:
    assert (acks_by_the_book.VECTORS / f"{name}.csv").read_text() == acks_by_the_book.text(name)
