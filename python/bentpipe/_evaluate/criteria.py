# SPDX-License-Identifier: MIT OR Apache-2.0
"""Criteria for a new congestion controller: a scenario for each criterion of RFC 9743, with a metric of RFC 5166."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from bentpipe._evaluate import experiments as lab

if TYPE_CHECKING:
    import random
    from collections.abc import Callable

    from bentpipe._evaluate.experiments import Who
    from bentpipe.runs.run import Run
    from bentpipe.scenario.classes import Scenario


@dataclass(frozen=True)
class Measure:
    """The number that a criterion measures. Most numbers are percentages.

    Attributes:
        read: Function that returns the number of a run.
        unit: Unit of the number.
        better: +1 if more is better, -1 if less is better.
        least_slack: Smallest slack, in `unit`: a smaller difference from the reference counts as equal.
        digits: Digits after the point in printed numbers.
        bound: The bound in the RFC; None if the RFC has no bound. In this case, the limit depends on Reno and CUBIC
            (`bentpipe._evaluate.evaluate.RULE`).
    """

    read: Callable[[Run], float]
    unit: str = "%"
    better: int = +1
    least_slack: float = 2.0
    digits: int = 1
    bound: float | None = None


@dataclass(frozen=True)
class Criterion:
    """One line of an evaluation.

    Attributes:
        name: Short name.
        section: Section of RFC 9743, and section of RFC 5166 with the metric.
        what: The measured quantity and the path.
        scenario: Function that returns the scenario for a controller. All random values come from the given generator.
        measure: The number that is read from the runs.
    """

    name: str
    section: str
    what: str
    scenario: Callable[[Who, random.Random], Scenario]
    measure: Measure


#: Criteria of RFC 9743 that are not measured, each with the reason.
UNMEASURED = (
    (
        "differences with principles",
        "9743 5.3.1",
        "the RFC asks for an argument about the principles of RFC 2914 and RFC 7141, not for a measurement",
    ),
    (
        "tunnels",
        "9743 6.2",
        "Bentpipe has no model of tunnels; tunnels have an effect on controllers that use signals of routers",
    ),
    (
        "circuit breakers",
        "9743 7.2",
        "Bentpipe has no model of circuit breakers; the losses of many flows would trigger a circuit breaker",
    ),
    (
        "misbehaving receivers",
        "9743 7.6",
        "Bentpipe's receivers are honest; the criteria measure only a sender that does not respond",
    ),
    ("multipath", "9743 7.10", "in Bentpipe, each connection has a single path"),
    (
        "data centres",
        "9743 7.11",
        "no criterion has the path of a data centre; write your own scenario with round trips of microseconds, `ecn` "
        "and `min_rto`",
    ),
)

CRITERIA = (
    Criterion(
        "congestion collapse",
        "9743 5.1.1; 5166 2.1.1",
        "goodput of 50 flows in % of the rate; 2 Mbit/s, RTT 100 ms (half a segment in flight per flow)",
        lab.alike("50 flows over a thin link", lab.path(2.0, 100.0), 60.0, 100.0, count=50),
        Measure(lab.share(lab.OURS, 2.0)),
    ),
    Criterion(
        "loss of all feedback",
        "9743 5.1.1, 5.2; 5166 2.5",
        "packets sent per round trip of 100 ms, from 5 s to 30 s after the ACKs stop",
        lab.blackout,
        Measure(lab.sent_per_round_trip, unit="packets", better=-1, digits=3, bound=1.0),
    ),
    Criterion(
        "bufferbloat",
        "9743 5.1.2; 5166 2.1.2",
        "mean queueing delay of one flow; 10 Mbit/s, RTT 50 ms, queue of 1000 ms",
        lab.alike("a queue of a second", lab.path(10.0, 50.0, "1000 ms"), 60.0, 50.0),
        Measure(lab.delay(lab.OURS, "mean"), unit="ms", better=-1, least_slack=5.0),
    ),
    Criterion(
        "active queue management",
        "9743 7.1; 5166 2.1.1",
        "goodput of four flows under CoDel (target 5 ms, interval 100 ms) in % of the rate; 20 Mbit/s, RTT 50 ms",
        lab.alike("four under CoDel", lab.path(20.0, 50.0, {"discipline": "codel"}), 60.0, 50.0, count=4),
        Measure(lab.share(lab.OURS, 20.0)),
    ),
    Criterion(
        "delay under queue management",
        "9743 7.1; 5166 2.1.2",
        "mean queueing delay of four flows under CoDel (target 5 ms, interval 100 ms); 20 Mbit/s, RTT 50 ms",
        lab.alike("four under CoDel", lab.path(20.0, 50.0, {"discipline": "codel"}), 60.0, 50.0, count=4),
        Measure(lab.delay(lab.OURS, "mean"), unit="ms", better=-1),
    ),
    Criterion(
        "fair queueing",
        "9743 7.1; 5166 2.3",
        "goodput of a Reno flow beside one flow of the evaluated controller under FQ-CoDel, in % of half of the "
        "rate; 20 Mbit/s, RTT 50 ms",
        lab.fair_queue,
        Measure(lab.share("reno", 10.0)),
    ),
    Criterion(
        "high packet loss",
        "9743 5.1.3; 5166 2.1.3",
        "packets dropped by a queue of 0.25 BDP under 10 flows; 20 Mbit/s, RTT 50 ms",
        lab.shallow,
        Measure(lab.queue_loss, better=-1, least_slack=0.2, digits=2),
    ),
    Criterion(
        "fairness between its own flows",
        "9743 5.1.4; 5166 2.3",
        "Jain's index of four flows; 20 Mbit/s, RTT 50 ms",
        lab.alike("four of a kind", lab.path(20.0, 50.0), 60.0, 50.0, count=4),
        Measure(lab.jain, unit="", least_slack=0.02, digits=3),
    ),
    Criterion(
        "convergence",
        "9743 5.1.4; 5166 2.3",
        "a second flow joins on 20 Mbit/s: time until its goodput, averaged over 4 s, reaches 8 Mbit/s (60 s if never)",
        lab.joins,
        Measure(lab.time_to(8.0, 20.0, over=8), unit="s", better=-1),
    ),
    Criterion(
        "different round trips",
        "9743 5.1.4; 5166 2.3",
        "goodput of a flow with an RTT of 250 ms in % of the goodput of a competing flow with 50 ms; 20 Mbit/s",
        lab.round_trips,
        Measure(lambda run: 100.0 * lab.goodput(run, lab.OURS) / lab.goodput(run, "near")),
    ),
    Criterion(
        "short flows",
        "9743 5.1.5; 5166 2.1.2",
        "mean completion time of 20 transfers of 100 kB that share the link with one long flow, all of the evaluated "
        "controller; 10 Mbit/s, RTT 50 ms",
        lab.short,
        Measure(lab.mean_completion, unit="s", better=-1, least_slack=0.05, digits=2),
    ),
    Criterion(
        "beside Reno",
        "9743 5.2.1; 5166 2.3",
        "goodput of two Reno flows together, beside two flows of the evaluated controller, in % of half of the rate; "
        "20 Mbit/s, RTT 50 ms",
        lab.beside("reno", 50.0, 60.0),
        Measure(lab.share(lab.THEIRS, 10.0), least_slack=5.0),
    ),
    Criterion(
        "beside CUBIC",
        "9743 5.2.1; 5166 2.3",
        "goodput of two CUBIC flows together, beside two flows of the evaluated controller, in % of half of the "
        "rate; 20 Mbit/s, RTT 50 ms",
        lab.beside("cubic", 50.0, 60.0),
        Measure(lab.share(lab.THEIRS, 10.0), least_slack=5.0),
    ),
    Criterion(
        "beside Reno, far",
        "9743 5.2.1, 7.5; 5166 2.3",
        "goodput of two Reno flows together, beside two flows of the evaluated controller, in % of half of the rate; "
        "20 Mbit/s, RTT 600 ms",
        lab.beside("reno", 600.0, 180.0),
        Measure(lab.share(lab.THEIRS, 10.0), least_slack=5.0),
    ),
    Criterion(
        "starvation",
        "9743 5.2; 5166 2.3",
        "goodput of one Reno flow beside eight flows of the evaluated controller, in % of a ninth of the rate; 20 "
        "Mbit/s, RTT 50 ms",
        lab.crowd,
        Measure(lab.share(lab.THEIRS, 20.0 / 9.0), least_slack=5.0),
    ),
    Criterion(
        "real-time: delay",
        "9743 5.2.2; 5166 2.1.2",
        "95th percentile of the queueing delay of a UDP flow of 1 Mbit/s beside the evaluated controller; link of 10 "
        "Mbit/s, queue of 200 ms",
        lab.call,
        Measure(lab.delay(lab.UDP, "p95"), unit="ms", better=-1, least_slack=5.0),
    ),
    Criterion(
        "real-time: loss",
        "9743 5.2.2; 5166 2.1.3",
        "packets dropped of a UDP flow of 1 Mbit/s beside the evaluated controller; link of 10 Mbit/s, queue of 200 ms",
        lab.call,
        Measure(lab.call_loss, better=-1, least_slack=0.1, digits=2),
    ),
    Criterion(
        "short and long flows",
        "9743 5.2.3; 5166 2.1.2",
        "mean completion time of 20 CUBIC transfers of 100 kB that share the link with one long flow of the "
        "evaluated controller; 10 Mbit/s, RTT 50 ms",
        lab.others_short,
        Measure(lab.mean_completion, unit="s", better=-1, least_slack=0.05, digits=2),
    ),
    Criterion(
        "tail drop, shallow",
        "9743 6.1; 5166 2.1.1",
        "goodput in % of the rate; 20 Mbit/s, RTT 50 ms, queue of 0.1 BDP",
        lab.alike("a queue of BDP/10", lab.path(20.0, 50.0, "0.1 BDP"), 60.0, 50.0),
        Measure(lab.share(lab.OURS, 20.0)),
    ),
    Criterion(
        "wired",
        "9743 6.3; 5166 2.1.1",
        "goodput in % of the rate; 100 Mbit/s, RTT 20 ms",
        lab.alike("wired", lab.path(100.0, 20.0), 20.0, 20.0),
        Measure(lab.share(lab.OURS, 100.0)),
    ),
    Criterion(
        "radio errors",
        "9743 6.4; 5166 2.4",
        "goodput in % of the rate; 20 Mbit/s, RTT 50 ms, one packet in 200 lost",
        lab.alike("radio", lab.path(20.0, 50.0, per=5e-3), 60.0, 50.0),
        Measure(lab.share(lab.OURS, 20.0)),
    ),
    Criterion(
        "varying capacity",
        "9743 6.4; 5166 2.4",
        "goodput in % of a rate that changes every 5 s between 5 and 20 Mbit/s; RTT 50 ms, one packet in 1000 lost",
        lab.alike("fading", lab.fading(), 60.0, 50.0),
        Measure(lab.share(lab.OURS, lab.FADING_MBIT_S)),
    ),
    Criterion(
        "varying delay",
        "9743 7.3; 5166 2.4",
        "goodput in % of the rate; 20 Mbit/s, the RTT steps between 40 and 76 ms every 15 s",
        lab.alike("delay in steps", lab.steps(), 60.0, 50.0),
        Measure(lab.share(lab.OURS, 20.0)),
    ),
    Criterion(
        "low orbit",
        "9743 7.3, 7.9; 5166 2.4",
        "goodput of an upload from a Starlink dish, with jitter, bursts of loss, and a new path every 15 s",
        lab.starlink,
        Measure(lambda run: lab.goodput(run, lab.OURS), unit="Mbit/s", least_slack=0.2, digits=2),
    ),
    Criterion(
        "constrained link",
        "9743 7.4; 5166 2.4",
        "goodput in % of the rate; 64 kbit/s, RTT 300 ms, one packet in 100 lost",
        lab.alike("a thin link", lab.path(0.064, 300.0, "10 packets", per=1e-2), 300.0, 300.0),
        Measure(lab.share(lab.OURS, 0.064)),
    ),
    Criterion(
        "high delay",
        "9743 7.5; 5166 2.1.1",
        "goodput in % of the rate from 10 s to 60 s; 20 Mbit/s, RTT 600 ms",
        lab.alike("GEO", lab.path(20.0, 600.0), 60.0, 600.0),
        Measure(lab.share(lab.OURS, 20.0)),
    ),
    Criterion(
        "high delay, errors",
        "9743 7.5; 5166 2.4",
        "goodput in % of the rate; 20 Mbit/s, RTT 600 ms, one packet in 1000 lost",
        lab.alike("GEO with errors", lab.path(20.0, 600.0, per=1e-3), 120.0, 600.0),
        Measure(lab.share(lab.OURS, 20.0)),
    ),
    Criterion(
        "a sender that floods",
        "9743 7.6; 5166 2.5",
        "goodput in % of the 4 Mbit/s that a UDP flow of 6 Mbit/s leaves; 10 Mbit/s, RTT 50 ms",
        lab.unanswering,
        Measure(lab.share(lab.OURS, 4.0)),
    ),
    Criterion(
        "reordering",
        "9743 7.7; 5166 2.4",
        "goodput in % of the rate; 20 Mbit/s, the RTT changes between 40 and 100 ms every 250 ms, packets overtake",
        lab.alike("overtaking", lab.overtaking(), 60.0, 70.0),
        Measure(lab.share(lab.OURS, 20.0)),
    ),
    Criterion(
        "transient outage",
        "9743 7.8; 5166 2.2.1",
        "time from the end of an outage of 3 s until a flow has 80 % of 10 Mbit/s over 1 s; RTT 100 ms (37 s if never)",
        lab.outage,
        Measure(lab.time_to(8.0, 23.0), unit="s", better=-1, least_slack=0.5, digits=2),
    ),
    Criterion(
        "a better path",
        "9743 7.9; 5166 2.2.1",
        "a path of 5 Mbit/s and 50 ms changes to 20 Mbit/s and 100 ms: time until a flow has 80 % of the new rate "
        "over 1 s (40 s if never)",
        lab.moved(("5 Mbit/s", "20 Mbit/s")),
        Measure(lab.time_to(16.0, 20.0), unit="s", better=-1, least_slack=0.5, digits=2),
    ),
    Criterion(
        "a worse path",
        "9743 7.9; 5166 2.2.1",
        "a path of 20 Mbit/s and 50 ms changes to 5 Mbit/s and 100 ms: mean queueing delay from 5 to 20 s after the "
        "change; queue of 240 ms",
        lab.moved(("20 Mbit/s", "5 Mbit/s")),
        Measure(lab.queue_later, unit="ms", better=-1, least_slack=5.0),
    ),
    Criterion(
        "oscillation",
        "5166 2.2.2",
        "standard deviation of one flow's goodput over 200 ms in % of its mean; four equal flows, 20 Mbit/s, RTT 50 ms",
        lab.steady,
        Measure(lab.variation, better=-1),
    ),
    Criterion(
        "application-limited",
        "RFC 7661",
        "packets dropped in the 3 s after an application of 1 Mbit/s starts to send at the full rate; 20 Mbit/s, RTT "
        "100 ms, queue of 0.25 BDP",
        lab.bursts_later,
        Measure(lab.queue_loss, better=-1, least_slack=0.5, digits=2),
    ),
)
