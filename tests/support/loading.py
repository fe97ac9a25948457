# SPDX-License-Identifier: MIT OR Apache-2.0
"""Tests that load controllers into the kernel of this machine."""

from __future__ import annotations

from typing import TYPE_CHECKING, ParamSpec

import pytest

from needs import mark

if TYPE_CHECKING:
    from collections.abc import Callable

Arguments = ParamSpec("Arguments")
BUILT = mark("kernel-program")


def loads(test: Callable[Arguments, None]) -> Callable[Arguments, None]:
    """Mark a test that loads a controller. The kernel has one list of names, so these tests run one after another."""
    for one in (BUILT, mark("kernel-loading"), pytest.mark.usefixtures("kernel_turn")):
        test = one(test)
    return test
