# SPDX-License-Identifier: MIT OR Apache-2.0
"""Numbers that are not known yet are not printed as 0, and advice names the settings in force."""

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
    """With 30 ms and 500 ms in each direction, the round trip is 1060 ms. 450 ms are 0.42 of it, and 900 ms 0.85."""
    link = 'rate = "10 Mbit/s", rtt = "60 ms", extra_delay = [{ at = "0 s", delay = "500 ms" }]'
    said = summary(duration, link, FOUR)
    assert [flow["goodput_mbit_s"] for flow in said["flows"]] == [None] * 4
    assert said["totals"]["delivered_mbit_s"] is None
    assert len(texts(said, "too-short")) == 4
    assert all(f"which is {share} round trips of 1.06 s" in text for text in texts(said, "too-short"))


def test_a_delay_that_falls_at_the_end_brings_nothing_sooner() -> None:
    """A packet that leaves in the first 440 ms needs 600 ms, but the run ends at 450 ms."""
    link = 'rate = "10 Mbit/s", delay_steps = [["0 s", "600 ms"], ["440 ms", "1 ms"]]'
    said = summary("450 ms", link, '[{ controller = "cubic" }, { kind = "ping" }]')
    assert [flow["goodput_mbit_s"] for flow in said["flows"]] == [None, None]


def test_frames_that_cannot_have_come_are_not_missed() -> None:
    """Frame 0 needs 300 ms plus its transmission, and is buffered for 60 ms: it is due after 360 ms."""
    for duration in ("280 ms", "299 ms", "340 ms", "360 ms"):
        call = summary(duration, 'rate = "10 Mbit/s", rtt = "600 ms"', '[{ kind = "call" }]')["flows"][0]["call"]
        assert call is not None
        for way in (call["there"], call["back"]):
            assert (way["frames"], way["missed_ratio"], way["voice"]) == (0, None, None)


PAUSED = 'rtt = "60 ms", queue = "50 packets", rate_steps = '
LATE_PAUSE = PAUSED + (
    '[{ at = "0 s", rate = "10 Mbit/s" }, { at = "4 s", rate = "0 bit/s" }, { at = "9.99 s", rate = "10 Mbit/s" }]'
)
ALWAYS = PAUSED + '[{ at = "0 s", rate = "0 bit/s" }, { at = "20 s", rate = "10 Mbit/s" }]'
VISITS = '{ kind = "transfers", controller = "cubic", size = "10 kB", arrivals = { law = "regular", rate = 2 } }'


def test_advice_names_the_pause_that_took_all() -> None:
    [text] = texts(summary("10 s", LATE_PAUSE, '[{ kind = "ping" }]', 'warm_up = "5 s"'), "nothing-delivered")
    assert '"left > right" carried nothing from 4.000 s to 9.990 s: its rate was 0 (check its `rate_steps`' in text
    assert "higher rate" not in text


@pytest.mark.parametrize(
    ("link", "named"),
    [
        (ALWAYS, "carried nothing from 0.000 s to the end: its rate was 0"),
        ('rate = "10 Mbit/s", rtt = "60 ms", loss = { spans = [["0 s", "10 s"]] }', "change its `loss.spans`"),
    ],
)
def test_visits_and_syns_name_the_pause(link: str, named: str) -> None:
    said = summary("10 s", link, f'[{{ controller = "cubic", tcp.setup = "handshake" }}, {VISITS}]')
    for kind in ("no-visit-done", "not-connected"):
        assert texts(said, kind)
        assert all(named in text for text in texts(said, kind))
    assert all("inf" not in note.split() for note in said["provenance"].get("path_notes", []))


def test_a_lost_syn_says_what_to_change() -> None:
    link = 'rate = "10 Mbit/s", rtt = "60 ms", loss = { per = 1.0 }'
    [text] = texts(summary("10 s", link, '[{ controller = "cubic", tcp.setup = "handshake" }]'), "not-connected")
    assert '"left > right" has loss = { per = 1 }: write a lower value' in text


def test_an_overload_names_all_who_ask() -> None:
    link = 'rate = "100 kbit/s", rtt = "60 ms", queue = "50 packets"'
    run = bp.run(
        f'duration = "2 s"\nnetwork.dumbbell = {{ {link} }}\n'
        f'flows = [{{ kind = "cbr", rate = "1 Mbit/s" }}, {{ kind = "call" }}, {VISITS}]\n'
    )
    assert any("visits and 2 other flows offer" in warning for warning in run.warnings)


def test_the_loss_of_what_is_under_way_is_not_known() -> None:
    said = summary("100 ms", 'rate = "10 Mbit/s", rtt = "600 ms"', '[{ controller = "cubic" }, { kind = "call" }]')
    assert said["totals"]["sent_packets"] > 0
    assert said["totals"]["loss_ratio"] is None
    call = said["flows"][1]["call"]
    assert call is not None
    assert call["there"]["sent_packets"] > 0
    assert call["there"]["loss_ratio"] is None


def test_one_packet_of_the_warm_up_decides_no_rate() -> None:
    """At 64 kbit/s 65,000 B take 8.1 s. 1 s of 1 Mbit/s are 125 packets of 1000 B, 0.3 s are 37."""
    link = 'rate = "64 kbit/s", rtt = "60 ms", queue = "20 packets"'
    more = 'warm_up = "8.15 s"\ntcp.mss = "65000 B"'
    said = summary("16.34 s", link, '[{ controller = "cubic" }]', more)
    assert said["flows"][0]["goodput_mbit_s"] is None
    assert said["totals"]["delivered_mbit_s"] is None
    assert "8.12 s for one packet at 64 kbit/s" in texts(said, "too-short")[0]
    for duration, known in [("6 s", True), ("5.3 s", False)]:
        flood = '[{ kind = "cbr", rate = "8 Mbit/s", packet = "1000 B" }]'
        said = summary(duration, 'rate = "1 Mbit/s", rtt = "20 ms", queue = "20 packets"', flood, 'warm_up = "5 s"')
        goodput = said["flows"][0]["goodput_mbit_s"]
        assert (goodput is not None) == known
        assert goodput is None or goodput <= 1.0 * (1 + 1 / 125)
        # 0.3 s are 15 round trips of 20 ms. 50 packets of 8 ms take 0.4 s.
        assert known or "400.0 ms or more" in texts(said, "too-short")[0]


def test_a_total_is_known_if_all_of_it_is() -> None:
    """A CUBIC packet takes 1.2 s at 10 kbit/s, so over the measured 1 s neither goodput nor the total is known."""
    steps = 'rate_steps = [{ at = "0 s", rate = "10 Mbit/s" }, { at = "1 s", rate = "10 kbit/s" }]'
    flows = '[{ controller = "cubic" }, { kind = "ping" }, { controller = "cubic", start = "9.2 s" }]'
    said = summary("10 s", f'{steps}, rtt = "60 ms", queue = "20 packets"', flows, 'warm_up = "9 s"')
    assert said["flows"][0]["goodput_mbit_s"] is None
    assert said["totals"]["delivered_mbit_s"] is None
