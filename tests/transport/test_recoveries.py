# SPDX-License-Identifier: MIT OR Apache-2.0
"""A part of `make nightly`: no recovery with RACK continues without end."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import pytest

import bentpipe as bp
import recoveries
from bentpipe.validation import _linux, _oracle, _ours
from project import ROOT
from recoveries import Cell

if TYPE_CHECKING:
    from bentpipe.validation._windows import Episode


def test_every_controller_leaves_its_recoveries() -> None:
    """Settings of usual systems: RACK, PRR, an ACK for every second packet, and a queue of 1 BDP."""
    sweep = [Cell(name, "20m-100ms", "rack", prr=True, delayed_ack=True) for name in recoveries.controllers()]
    unlisted = [f for f in recoveries.measure(sweep) if f.beyond and recoveries.cause(f) is None]
    assert not unlisted


def test_what_once_did_not_end() -> None:
    """These runs stayed in one recovery until their end: a delayed ACK looked like reordering, a lost retransmission
    caused no reduction, and PRR added a segment for each ACK. Linux leaves such recoveries after 1 to 2.5 s."""
    once = [
        *(Cell(name, "10m-600ms", "rack", False, True) for name in ("cubic", "stcp", "hstcp", "bic", "bic-linux")),
        *(Cell(name, "20m-100ms", "rack", prr, False, pacing=True) for name in PACED for prr in (False, True)),
        Cell("hybla-linux", "random loss", "rack", False, True),
    ]
    for finding in recoveries.measure(once):
        # A recovery with SACK takes one round trip, and one more for each generation of lost retransmissions.
        assert finding.longest_rtt < 10.0, finding
        assert finding.timeouts == 0 or finding.cell.bed == "random loss", finding


PACED = ("stcp", "bic", "yeah")


#: Times in s at which the kernel's highspeed has repaired the overshoot and its consequences, before new growth.
FIRST_S = {"20m-100ms": 1.45, "20m-delay-steps": 1.05, "10m-600ms": 9.46}


@pytest.mark.parametrize("controller", ["reno", "htcp", "highspeed"])
@pytest.mark.parametrize("case", FIRST_S)
def test_slow_start_s_overshoot_is_repaired_as_in_linux(case: str, controller: str) -> None:
    """The kernel's traces (data/linux) are the oracle: the same window and times, and whether a retransmission is lost.

    During slow start, the receiver acknowledges each segment, because its window grows (`tcp_grow_window` requests a
    quick ACK each time). With an ACK for every second segment, slow start would end a segment later. Then half of the
    window is one segment more than the path holds, a retransmission is lost, and this takes a round trip more. Linux
    does the same when it keeps a segment more (highspeed).
    """
    seconds = FIRST_S[case]
    network = next(one for one in _oracle.cases(ROOT / "data") if one.name == case)
    tcp = _linux.tcp(network)
    twin = _linux.TWINS[controller].controller(paced=False)
    assert twin is not None
    run = bp.run(_ours.scenario(network, twin, tcp, seconds))
    ours = _ours.trace(run, network, tcp).episodes
    kernel = _linux.Traces(ROOT / "data").trace(network, controller).until(seconds).episodes
    assert len(ours) == len(kernel)
    # The tolerance is the transmission of a packet plus the lateness of the kernel's deliveries (data/linux).
    near_s = 1500 * 8e-6 / network.rate_mbit_s + 5e-4
    for mine, linux in zip(ours, kernel, strict=True):
        assert mine.begin_s == pytest.approx(linux.begin_s, abs=near_s)
        assert mine.end_s == pytest.approx(linux.end_s, abs=near_s)
        assert mine.before == linux.before
    # A second recovery follows if more is left than the path, the queue and the transmitter hold.
    rtt_ms = network.rtt_ms or network.rtt_steps[0][1]
    holds = network.rate_mbit_s * 1e3 * rtt_ms / 8 / 1500 + network.queue_packets + 1
    left = kernel[0].after
    assert (len(kernel) > 1) == (left > holds)
    assert int(ours[0].after) == left


#: The kernel's hybla requests 65,535 segments at its first ACK, and reduces its window recovery after recovery. The
#: values are the times in s until which no recovery ends in a timeout and single packets do not matter.
OVERSHOOTS = {"10m-600ms": 19.6, "10m-600ms-losses": 8.2}


@pytest.mark.parametrize("case", OVERSHOOTS)
def test_each_recovery_cuts_once_and_the_next_follows_at_once_as_in_linux(case: str) -> None:
    """The kernel's traces are the oracle. The number of recoveries is equal, each begins where the one before it ends
    (`one_cut_per_recovery`), and there is no timeout although the oldest hole waits longer (`sack_restarts_timer`).
    """
    ours, kernel, near_s = _both(case, "hybla", OVERSHOOTS[case])
    assert [one.kind for one in ours] == [one.kind for one in kernel] == ["recovery"] * len(kernel)
    for mine, linux in zip(ours, kernel, strict=True):
        assert mine.begin_s == pytest.approx(linux.begin_s, abs=near_s)
        if not math.isnan(linux.end_s):
            assert mine.end_s == pytest.approx(linux.end_s, abs=near_s)


def test_paced_vegas_leaves_slow_start_where_linux_does() -> None:
    """A packet that leaves late shortens the wait for the next packet by half (`pacing_credit`). So two packets that
    one ACK releases leave close together, and the second one measures the queue with which the kernel's Vegas ends slow
    start at 638."""
    ours, kernel, near_s = _both("20m-100ms-paced", "vegas", 1.3)
    (mine,), (linux,) = ours, kernel
    assert (mine.before, mine.after, mine.retransmissions) == (linux.before, linux.after, linux.retransmissions)
    assert (mine.begin_s, mine.end_s) == pytest.approx((linux.begin_s, linux.end_s), abs=near_s)


def _both(case: str, controller: str, seconds: float) -> tuple[tuple[Episode, ...], tuple[Episode, ...], float]:
    """Return episodes here and in the kernel, and the tolerance of their times: the transmission of a packet, and the
    lateness of the kernel's deliveries (data/linux)."""
    network = next(one for one in _oracle.cases(ROOT / "data") if one.name == case)
    tcp = _linux.tcp(network)
    twin = _linux.TWINS[controller].controller(paced=network.paced)
    assert twin is not None
    run = bp.run(_ours.scenario(network, twin, tcp, seconds))
    ours = _ours.trace(run, network, tcp).until(seconds).episodes
    kernel = _linux.Traces(ROOT / "data").trace(network, controller).until(seconds).episodes
    return ours, kernel, 1500 * 8e-6 / network.rate_mbit_s + 5e-4
