# SPDX-License-Identifier: MIT OR Apache-2.0
"""Numbers that cannot be known yet are not printed as 0, and advice names what is in force."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import bentpipe as bp

if TYPE_CHECKING:
    from bentpipe.results.summary_types import Summary

FOUR = '[{ controller = "cubic" }, { kind = "ping" }, { kind = "cbr", rate = "1 Mbit/s" }, { kind = "call" }]'


def summary(duration: str, link: str, flows: str, more: str = "") -> Summary:
    return bp.run(f'duration = "{duration}"\n{more}\nnetwork.dumbbell = {{ {link} }}\nflows = {flows}\n').summary


def texts(summary: Summary, kind: str) -> list[str]:
    return [finding["text"] for finding in summary["findings"] if finding["kind"] == kind]


@pytest.mark.parametrize(("duration", "share"), [("450 ms", "0.4"), ("900 ms", "0.8")])
def test_extra_delay_belongs_to_the_round_trip(duration: str, share: str) -> None:
    """30 ms and 500 ms each way are 1060 ms: 450 ms are 0.42 of it, 900 ms 0.85."""
    link = 'rate = "10 Mbit/s", rtt = "60 ms", extra_delay = [{ at = "0 s", delay = "500 ms" }]'
    said = summary(duration, link, FOUR)
    assert [flow["goodput_mbit_s"] for flow in said["flows"]] == [None] * 4
    assert said["totals"]["goodput_mbit_s"] is None
    assert len(texts(said, "too-short")) == 4
    assert all(f"are {share} of its round trips of 1.06 s" in text for text in texts(said, "too-short"))


def test_a_delay_that_falls_at_the_end_brings_nothing_sooner() -> None:
    """What leaves in the first 440 ms needs 600 ms; the run ends at 450 ms."""
    link = 'rate = "10 Mbit/s", delay_steps = [["0 s", "600 ms"], ["440 ms", "1 ms"]]'
    said = summary("450 ms", link, '[{ controller = "cubic" }, { kind = "ping" }]')
    assert [flow["goodput_mbit_s"] for flow in said["flows"]] == [None, None]


def test_frames_that_cannot_have_come_are_not_missed() -> None:
    """Frame 0 needs 300 ms and its transmission, and waits 60 ms to be played: its turn comes after 360 ms."""
    for duration in ("280 ms", "299 ms", "340 ms", "360 ms"):
        call = summary(duration, 'rate = "10 Mbit/s", rtt = "600 ms"', '[{ kind = "call" }]')["flows"][0]["call"]
        assert call is not None
        for way in (call["there"], call["back"]):
            assert (way["frames"], way["missed_ratio"], way["voice"]) == (0, None, None)
