# SPDX-License-Identifier: MIT OR Apache-2.0
"""The verifier of the running kernel accepts each controller of bpf/, with the parameters that its file declares."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

import pytest

import kernel_vectors
from bentpipe.runs import kernel
from loading import BUILT, loads

if TYPE_CHECKING:
    from pathlib import Path

NAMES = kernel_vectors.controllers()


@pytest.mark.parametrize("name", NAMES)
def test_the_kernel_knows_the_name(name: str) -> None:
    text = (kernel_vectors.BPF / f"{name}.bpf.c").read_text()
    assert len(name) <= 15, "the kernel's name has at most 15 characters"
    assert re.search(rf"_OPS\({name}\);|\.name = \"{name}\",", text)


@cache
def built_in() -> dict[str, list[dict[str, str]]]:
    return dict(kernel.built_in())


@BUILT
def test_the_loader_has_every_controller() -> None:
    assert sorted(built_in()) == NAMES


@BUILT
@pytest.mark.parametrize("name", NAMES)
def test_the_loader_knows_the_parameters(name: str, tmp_path: Path) -> None:
    """The loader reads the parameters from type information, the runner of vectors from a section of its own."""
    runner = kernel_vectors.build(name, tmp_path)
    assert sorted(one["name"] for one in built_in()[name]) == sorted(kernel_vectors.parameters(runner))


@pytest.mark.parametrize("name", NAMES)
@loads
def test_the_verifier_accepts_it(name: str) -> None:
    assert name not in kernel.available()
    helper, loaded = kernel.load(name)
    with helper:
        assert loaded == name
        assert name in kernel.available()
    assert name not in kernel.available()
