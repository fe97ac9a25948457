# SPDX-License-Identifier: MIT OR Apache-2.0
"""Facts on steady states: the queues of delay-based controllers, the bounds of BBR, Peach's probes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import bentpipe as bp
from bentpipe.validation._facts import Expect, Fact
from bentpipe.validation._readings import (
    gaps,
    goodput,
    mean,
    phases,
    series,
    utilisation,
    values,
    wait_ms,
    waiting_packets,
)
from bentpipe.validation._scenes import PACKET_B, PAYLOAD_B, bdp_packets, narrow, together

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bentpipe import Run
    from bentpipe.validation._readings import Reading
    from bentpipe.validation._scenes import Controller, Scenes

#: BBRv3's rounds between two probes. By the draft's arithmetic (section 5.3.3, on the choice of constants), a round
#: that loses a share X lowers the rate by X, so (1 - X)^n of the rate is left after n rounds. Probes have the full
#: rate.
_ROUNDS = 62
#: A flow's first packet must meet an empty queue; otherwise its BaseRTT includes packets of the other flows.
_ONE_FIRST = bp.Tcp(preset="bentpipe-0.1", initial_window=1)
_RATE, _RTT = 10.0, 50.0


def facts() -> list[Fact]:
    """Return the facts of this family."""
    return [*_queues(), *_copa(), *_background(), *_bbr(), *_probes()]


# ---- queues ------------------------------------------------------------------------------------------------------


def _waiting(controller: Controller, flows: int) -> Scenes:
    return narrow(
        controller,
        rate_mbit=_RATE,
        rtt_ms=_RTT,
        queue="200 packets",
        seconds=60,
        warm_up=30,
        flows=flows,
        stagger_ms=5,
        tcp=_ONE_FIRST,
    )


def _queues() -> list[Fact]:
    def row(name: str, flows: int, alpha: int, beta: int, source: str) -> Fact:
        whole = name == "vegas-linux"
        return Fact(
            subject=name,
            what=f"packets waiting, {flows} flow{'s' if flows > 1 else ''}, 10 Mbit/s, 50 ms",
            source=f"Brakmo and Peterson 1995: alpha to beta per flow ({source})",
            theory=Expect(alpha * flows, beta * flows),
            here=(lambda: Expect(alpha * flows, (beta + 1) * flows)) if whole else None,
            scenes=_waiting(name, flows),
            measure=lambda runs: waiting_packets(runs[0], _RATE),
            unit="packets",
            why=("Linux's Vegas counts whole segments, so it reduces the window only if beta + 1 or more packets wait.")
            if whole
            else "",
            quick=True,
        )

    return [
        *(row("vegas", flows, 1, 3, "1 and 3, as in ns-2") for flows in (1, 3)),
        *(row("vegas-linux", flows, 2, 4, "2 and 4, as in Linux") for flows in (1, 3)),
    ]


def _copa() -> list[Fact]:
    return [
        Fact(
            subject="copa",
            what=f"mean number of waiting packets, {count} flow{'s' if count > 1 else ''}, 10 Mbit/s, 50 ms",
            source=(
                "Arun and Balakrishnan 2018: target of 1/delta = 2 packets per flow; the mean over a swing of the "
                "window is 1.25/delta = 2.5"
            ),
            theory=Expect(2.0 * count, 2.5 * count),
            scenes=_waiting({"name": "copa", "mode_switching": False}, count),
            measure=lambda runs: waiting_packets(runs[0], _RATE),
            unit="packets",
        )
        for count in (1, 3)
    ]


def _background() -> list[Fact]:
    rows = [
        Fact(
            subject=name,
            what=f"queueing delay of a single flow, deep queue, 10 Mbit/s, 50 ms{what}",
            source=source,
            theory=Expect.number(target),
            scenes=narrow(controller, rate_mbit=_RATE, rtt_ms=_RTT, queue="400 packets", seconds=120, warm_up=60),
            measure=lambda runs: wait_ms(runs[0].summary["flows"][0]),
            unit="ms",
        )
        for name, controller, target, source, what in (
            ("ledbat", "ledbat", 100.0, "RFC 6817, section 2.5: TARGET 100 ms", ""),
            (
                "ledbat-plus-plus",
                {"name": "ledbat-plus-plus", "periodic_slowdown": False},
                60.0,
                "draft-irtf-iccrg-ledbat-plus-plus: 60 ms",
                ", slowdowns off",
            ),
        )
    ]
    rows.append(
        Fact(
            subject="vivace",
            what="utilisation by a single flow, 50 Mbit/s, 40 ms, queue 1 BDP",
            source="Dong et al. 2018 (90 % is our bound)",
            theory=Expect.at_least(0.9),
            scenes=narrow("vivace", rate_mbit=50, rtt_ms=40, queue="1 BDP", seconds=60, warm_up=20),
            measure=lambda runs: utilisation(runs[0]),
        )
    )
    return rows


# ---- BBR ---------------------------------------------------------------------------------------------------------


def _bbr() -> list[Fact]:
    rate, rtt = 50.0, 40.0
    bdp = bdp_packets(rate, rtt)
    rows = []
    for name, source, interval in (
        ("bbr1", "draft-cardwell-iccrg-bbr-congestion-control-00", 10.0),
        ("bbr3", "draft-ietf-ccwg-bbr", 5.0),
    ):
        clean = narrow(name, rate_mbit=rate, rtt_ms=rtt, queue="4 BDP", seconds=60, warm_up=10)
        rack = bp.Tcp(preset="bentpipe-0.1", recovery="rack")
        noisy, quiet = (
            narrow(name, rate_mbit=rate, rtt_ms=rtt, queue="4 BDP", seconds=60, warm_up=10, per=per, tcp=rack)
            for per in (0.01, 0.0)
        )
        rows += [
            Fact(
                subject=name,
                what="utilisation by a single flow, 50 Mbit/s, 40 ms, queue 4 BDP",
                source=f"{source}: the flow fills the pipe (95 % is our bound)",
                theory=Expect.at_least(0.95),
                scenes=clean,
                measure=lambda runs: utilisation(runs[0]),
                quick=True,
            ),
            Fact(
                subject=name,
                what="mean queue divided by BDP, same network as above",
                source=f"{source}: window at most 2 BDP",
                theory=Expect.at_most(1.0),
                scenes=clean,
                measure=lambda runs: waiting_packets(runs[0], rate) / bdp,
                quick=True,
            ),
            Fact(
                subject=name,
                what="seconds from one PROBE_RTT phase to the next, same network as above",
                source=f"{source}: {interval:g} s plus the length of the probe",
                theory=Expect.number(interval),
                scenes=clean,
                measure=lambda runs: mean(gaps(phases(runs[0], "probe RTT"))),
                unit="s",
            ),
            Fact(
                subject=name,
                what="goodput at p = 0.01 divided by goodput without loss, same network as above, RACK",
                source=f"{source}: "
                + (
                    "not sensitive to random loss of 1 %; a hundredth of the packets is lost"
                    if name == "bbr1"
                    else f"mean of (1 - p)^n for n up to {_ROUNDS}, or more; a hundredth of the packets is lost"
                ),
                theory=Expect.number(0.99) if name == "bbr1" else Expect((1 - 0.99**_ROUNDS) / (0.01 * _ROUNDS), 0.99),
                scenes=together(noisy, quiet),
                measure=lambda runs: goodput(runs[0]) / goodput(runs[1]),
                exact=name == "bbr1",
            ),
        ]
    return rows


# ---- probes ------------------------------------------------------------------------------------------------------


def _probes() -> list[Fact]:
    """Return the facts of TCP-Peach over GEO, with a receiver's window of one BDP."""
    rate, rtt = 10.0, 600.0
    rwnd = round(bdp_packets(rate, rtt))

    def window_after(rounds: float) -> Reading:
        def read(runs: Sequence[Run]) -> float:
            return mean(values(runs[0].flows, "cwnd_segments", rounds * rtt / 1e3)[:1]) / rwnd

        return read

    scenes = narrow(
        {"name": "peach", "rwnd": rwnd}, rate_mbit=rate, rtt_ms=rtt, queue="1 BDP", seconds=6, interval="20 ms"
    )
    return [
        Fact(
            subject="peach",
            what="window divided by rwnd after 2 RTT, rwnd = BDP, 10 Mbit/s, 600 ms",
            source="Akyildiz, Morabito and Palazzo 2001: Sudden Start takes two round trips",
            theory=Expect.number(1.0),
            scenes=scenes,
            measure=window_after(2.1),
            quick=True,
        ),
        Fact(
            subject="peach",
            what="rate divided by capacity in the fourth round trip, same network as above",
            source="Akyildiz, Morabito and Palazzo 2001",
            theory=Expect.number(1.0),
            scenes=scenes,
            measure=lambda runs: (
                mean([x for t, x in series(runs[0].flows, "goodput_mbit_s") if 3 * 0.6 < t <= 4 * 0.6])
                / (rate * PAYLOAD_B / PACKET_B)
            ),
        ),
    ]
