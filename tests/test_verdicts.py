# SPDX-License-Identifier: MIT OR Apache-2.0
"""The reproduction's own arithmetic, on summaries made by hand."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

import bentpipe as bp
from bentpipe.papers import hybla_im


def made(*flows: dict[str, Any]) -> bp.Run:
    return cast("bp.Run", SimpleNamespace(summary={"flows": list(flows)}))


def matrix(cc: int, ce: int, ee: int, ec: int) -> dict[str, int]:
    return {
        "congestion_as_congestion": cc,
        "congestion_as_error": ce,
        "error_as_error": ee,
        "error_as_congestion": ec,
        "spurious": 0,
    }


def test_confusion_adds_up_flows() -> None:
    run = made({"verdicts": matrix(3, 1, 0, 2)}, {"verdicts": matrix(3, 1, 1, 1)})
    # Of 8 queue losses 6 were called congestion; of 4 errors 1 was called an error.
    assert hybla_im.confusion(run) == {"P(C|C)": 0.75, "P(E|R)": 0.25}


def test_confusion_without_losses_of_a_kind_is_unknown() -> None:
    assert hybla_im.confusion(made({"verdicts": matrix(0, 0, 1, 1)})) == {"P(C|C)": None, "P(E|R)": 0.5}


def test_cuts_are_counted_per_thousand_link_errors() -> None:
    run = made({"losses": {"error": 150}, "cuts": 30}, {"losses": {"error": 50}, "cuts": 10})
    assert hybla_im.cuts_per_1000(run) == 200.0


def test_every_seed_has_its_sky() -> None:
    offsets = [hybla_im.sky_offset_s(seed) for seed in range(1, 11)]
    assert len(set(offsets)) == 10
    assert all(0 <= offset < 6027 for offset in offsets)
