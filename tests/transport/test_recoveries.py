# SPDX-License-Identifier: MIT OR Apache-2.0
"""A slice of `make nightly`: no recovery over RACK goes on and on."""

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
    """As systems repair: RACK, PRR, every second ACK, a queue of 1 BDP."""
    sweep = [Cell(name, "20m-100ms", "rack", prr=True, delayed_ack=True) for name in recoveries.controllers()]
    unlisted = [f for f in recoveries.measure(sweep) if f.beyond and recoveries.cause(f) is None]
    assert not unlisted


def test_what_once_did_not_end() -> None:
    """These stayed in one recovery until the end of the run: a delayed ACK looked like reordering, a lost repair cut
    nothing, and PRR went on adding a segment for each ACK. Linux leaves such recoveries in 1 to 2.5 s."""
    once = [
        *(Cell(name, "10m-600ms", "rack", False, True) for name in ("cubic", "stcp", "hstcp", "bic", "bic-linux")),
        *(Cell(name, "20m-100ms", "rack", prr, False, pacing=True) for name in PACED for prr in (False, True)),
        Cell("hybla-linux", "random loss", "rack", False, True),
    ]
    for finding in recoveries.measure(once):
        # A recovery over SACK takes one round trip, and one for each generation of repairs that is lost.
        assert finding.longest_rtt < 10.0, finding
        assert finding.timeouts == 0 or finding.cell.bed == "random loss", finding


PACED = ("stcp", "bic", "yeah")


#: Seconds within which the kernel's highspeed has repaired the overshoot and what followed, and nobody has grown again.
FIRST_S = {"20m-100ms": 1.45, "20m-delay-steps": 1.05, "10m-600ms": 9.46}


@pytest.mark.parametrize("controller", ["reno", "htcp", "highspeed"])
@pytest.mark.parametrize("case", FIRST_S)
def test_slow_start_s_overshoot_is_repaired_as_in_linux(case: str, controller: str) -> None:
    """The kernel's traces (data/linux) are the oracle: the same window, the same moments, whether a repair is lost.

    The receiver of the preset acknowledges each segment while its window grows, as the kernel's, so all through slow
    start (`tcp_grow_window` asks for a quick ACK each time). With every second segment slow start ends a segment later:
    half of it is one more than the path holds, a repair is lost, and that takes a round trip more. Linux does the same
    where it keeps a segment more (highspeed).
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
    # A packet's transmission, and what the kernel's deliveries are late (data/linux).
    near_s = 1500 * 8e-6 / network.rate_mbit_s + 5e-4
    for mine, linux in zip(ours, kernel, strict=True):
        assert mine.begin_s == pytest.approx(linux.begin_s, abs=near_s)
        assert mine.end_s == pytest.approx(linux.end_s, abs=near_s)
        assert mine.before == linux.before
    # A second one follows exactly where more is left than what propagates, waits and is in transmission.
    rtt_ms = network.rtt_ms or network.rtt_steps[0][1]
    holds = network.rate_mbit_s * 1e3 * rtt_ms / 8 / 1500 + network.queue_packets + 1
    left = kernel[0].after
    assert (len(kernel) > 1) == (left > holds)
    assert int(ours[0].after) == left


#: The kernel's hybla asks for 65,535 segments at its first ACK and cuts its way down, recovery after recovery; and how
#: long none of them ends in a timeout, and single packets do not yet matter.
OVERSHOOTS = {"10m-600ms": 19.6, "10m-600ms-losses": 8.2}


@pytest.mark.parametrize("case", OVERSHOOTS)
def test_each_recovery_cuts_once_and_the_next_follows_at_once_as_in_linux(case: str) -> None:
    """The kernel's traces are the oracle: as many recoveries, each where the one before ends (`one_cut_per_recovery`),
    and no timeout, though the oldest hole waits longer than one (`sack_restarts_timer`).
    """
    ours, kernel, near_s = _both(case, "hybla", OVERSHOOTS[case])
    assert [one.kind for one in ours] == [one.kind for one in kernel] == ["recovery"] * len(kernel)
    for mine, linux in zip(ours, kernel, strict=True):
        assert mine.begin_s == pytest.approx(linux.begin_s, abs=near_s)
        if not math.isnan(linux.end_s):
            assert mine.end_s == pytest.approx(linux.end_s, abs=near_s)


def test_paced_vegas_leaves_slow_start_where_linux_does() -> None:
    """Who is late waits half as long for its next packet (`pacing_credit`), and so two packets that one ACK lets out
    leave close together: the second sees the queue of one packet by which the kernel's Vegas ends slow start at 638."""
    ours, kernel, near_s = _both("20m-100ms-paced", "vegas", 1.3)
    (mine,), (linux,) = ours, kernel
    assert (mine.before, mine.after, mine.retransmissions) == (linux.before, linux.after, linux.retransmissions)
    assert (mine.begin_s, mine.end_s) == pytest.approx((linux.begin_s, linux.end_s), abs=near_s)


def _both(case: str, controller: str, seconds: float) -> tuple[tuple[Episode, ...], tuple[Episode, ...], float]:
    """Episodes here and in the kernel, and how far their moments may be apart: a packet's transmission, and what the
    kernel's deliveries are late (data/linux)."""
    network = next(one for one in _oracle.cases(ROOT / "data") if one.name == case)
    tcp = _linux.tcp(network)
    twin = _linux.TWINS[controller].controller(paced=network.paced)
    assert twin is not None
    run = bp.run(_ours.scenario(network, twin, tcp, seconds))
    ours = _ours.trace(run, network, tcp).until(seconds).episodes
    kernel = _linux.Traces(ROOT / "data").trace(network, controller).until(seconds).episodes
    return ours, kernel, 1500 * 8e-6 / network.rate_mbit_s + 5e-4
