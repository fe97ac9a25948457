# SPDX-License-Identifier: MIT OR Apache-2.0
"""What a new congestion controller is asked: one scenario for each criterion of RFC 9743, with a metric of RFC 5166."""

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


@dataclass(frozen=True, kw_only=True)
class Criterion:
    """One line of an evaluation.

    Attributes:
        name: Short name.
        section: Section of RFC 9743, and of RFC 5166 the metric.
        what: What is measured, over which path.
        unit: Unit of the number.
        better: +1 if more is better, -1 if less is.
        scenario: The experiment of a controller; chance comes from the generator alone.
        read: The number of a run.
        bound: The RFC's own bound, where it has one; otherwise Reno and CUBIC are the measure.
        slack: Differences up to this (same unit) are none.
        digits: Digits after the point, for print.
    """

    name: str
    section: str
    what: str
    unit: str
    better: int
    scenario: Callable[[Who, random.Random], Scenario]
    read: Callable[[Run], float]
    bound: float | None = None
    slack: float = 0.0
    digits: int = 1


#: Criteria of RFC 9743 that this laboratory does not measure, and why.
UNMEASURED = (
    ("differences with principles", "9743 5.3.1", "an argument, not a measurement: RFC 2914 and RFC 7141"),
    ("tunnels", "9743 6.2", "packets have no tunnels; matters to controllers that use signals of routers"),
    ("circuit breakers", "9743 7.2", "no breaker is built; what would trip one is the loss under many flows"),
    ("misbehaving receivers", "9743 7.6", "receivers are honest; a sender that does not answer is measured"),
    ("multipath", "9743 7.10", "connections have one path"),
    ("data centres", "9743 7.11", "no path here is one: try your own (round trips of microseconds, `ecn`, `min_rto`)"),
)

CRITERIA = (
    Criterion(
        name="congestion collapse",
        section="9743 5.1.1; 5166 2.1.1",
        unit="%",
        better=+1,
        slack=2.0,
        what="goodput of 50 flows in % of 2 Mbit/s, 100 ms: half a segment for each on the way",
        scenario=lab.collapse,
        read=lab.share(lab.OURS, 2.0),
    ),
    Criterion(
        name="loss of all feedback",
        section="9743 5.1.1, 5.2; 5166 2.5",
        unit="packets/RTT",
        better=-1,
        bound=1.0,
        what="packets sent for each round trip of 100 ms during seconds 5 to 30 of a silence",
        scenario=lab.blackout,
        read=lab.sent_per_round_trip,
        digits=3,
    ),
    Criterion(
        name="bufferbloat",
        section="9743 5.1.2; 5166 2.1.2",
        unit="ms",
        better=-1,
        slack=5.0,
        what="mean queueing delay of one flow, 10 Mbit/s, 50 ms, queue of 1000 ms",
        scenario=lab.bloat,
        read=lab.delay(lab.OURS, "mean"),
    ),
    Criterion(
        name="active queue management",
        section="9743 7.1; 5166 2.1.1",
        unit="%",
        better=+1,
        slack=2.0,
        what="goodput of four flows under CoDel (5 ms, 100 ms) in % of 20 Mbit/s, 50 ms",
        scenario=lab.managed,
        read=lab.share(lab.OURS, 20.0),
    ),
    Criterion(
        name="delay under queue management",
        section="9743 7.1; 5166 2.1.2",
        unit="ms",
        better=-1,
        slack=2.0,
        what="mean queueing delay of four flows under CoDel (5 ms, 100 ms), 20 Mbit/s, 50 ms",
        scenario=lab.managed,
        read=lab.delay(lab.OURS, "mean"),
    ),
    Criterion(
        name="fair queueing",
        section="9743 7.1; 5166 2.3",
        unit="%",
        better=+1,
        slack=2.0,
        what="goodput of a Reno flow beside it under FQ-CoDel in % of its half of 20 Mbit/s, 50 ms",
        scenario=lab.fair_queue,
        read=lab.share("reno", 10.0),
    ),
    Criterion(
        name="high packet loss",
        section="9743 5.1.3; 5166 2.1.3",
        unit="%",
        better=-1,
        slack=0.2,
        what="packets dropped by a queue of 0.25 BDP under 10 flows, 20 Mbit/s, 50 ms",
        scenario=lab.shallow,
        read=lab.queue_loss,
        digits=2,
    ),
    Criterion(
        name="fairness among its own",
        section="9743 5.1.4; 5166 2.3",
        unit="",
        better=+1,
        slack=0.02,
        what="Jain's index of four flows, 20 Mbit/s, 50 ms",
        scenario=lab.alike,
        read=lab.jain,
        digits=3,
    ),
    Criterion(
        name="convergence",
        section="9743 5.1.4; 5166 2.3",
        unit="s",
        better=-1,
        slack=2.0,
        what="until a second flow has 80 % of its half of 20 Mbit/s, mean over 4 s (60 s if never)",
        scenario=lab.joins,
        read=lab.time_to(8.0, 20.0, over=8),
    ),
    Criterion(
        name="different round trips",
        section="9743 5.1.4; 5166 2.3",
        unit="%",
        better=+1,
        slack=2.0,
        what="goodput over 250 ms in % of that over 50 ms, one flow each, 20 Mbit/s",
        scenario=lab.round_trips,
        read=lambda run: 100.0 * lab.goodput(run, lab.OURS) / lab.goodput(run, "near"),
    ),
    Criterion(
        name="short flows",
        section="9743 5.1.5; 5166 2.1.2",
        unit="s",
        better=-1,
        slack=0.05,
        what="mean time of 20 transfers of 100 kB beside a long flow of the same kind, 10 Mbit/s, 50 ms",
        scenario=lab.short,
        read=lab.mean_completion,
        digits=2,
    ),
    Criterion(
        name="beside Reno",
        section="9743 5.2.1; 5166 2.3",
        unit="%",
        better=+1,
        slack=5.0,
        what="goodput of two Reno flows beside two of ours in % of their half of 20 Mbit/s, 50 ms",
        scenario=lab.beside("reno", 50.0, 60.0),
        read=lab.share(lab.THEIRS, 10.0),
    ),
    Criterion(
        name="beside CUBIC",
        section="9743 5.2.1; 5166 2.3",
        unit="%",
        better=+1,
        slack=5.0,
        what="goodput of two CUBIC flows beside two of ours in % of their half of 20 Mbit/s, 50 ms",
        scenario=lab.beside("cubic", 50.0, 60.0),
        read=lab.share(lab.THEIRS, 10.0),
    ),
    Criterion(
        name="beside Reno, far",
        section="9743 5.2.1, 7.5; 5166 2.3",
        unit="%",
        better=+1,
        slack=5.0,
        what="the same over 600 ms",
        scenario=lab.beside("reno", 600.0, 180.0),
        read=lab.share(lab.THEIRS, 10.0),
    ),
    Criterion(
        name="starvation",
        section="9743 5.2; 5166 2.3",
        unit="%",
        better=+1,
        slack=5.0,
        what="goodput of one Reno flow beside eight of ours in % of its ninth of 20 Mbit/s, 50 ms",
        scenario=lab.crowd,
        read=lab.share(lab.THEIRS, 20.0 / 9.0),
    ),
    Criterion(
        name="real-time: delay",
        section="9743 5.2.2; 5166 2.1.2",
        unit="ms",
        better=-1,
        slack=5.0,
        what="95th percentile of the queueing delay of 1 Mbit/s of UDP, 10 Mbit/s, queue of 200 ms",
        scenario=lab.call,
        read=lab.delay(lab.UDP, "p95"),
    ),
    Criterion(
        name="real-time: loss",
        section="9743 5.2.2; 5166 2.1.3",
        unit="%",
        better=-1,
        slack=0.1,
        what="UDP packets dropped there",
        scenario=lab.call,
        read=lab.call_loss,
        digits=2,
    ),
    Criterion(
        name="short and long flows",
        section="9743 5.2.3; 5166 2.1.2",
        unit="s",
        better=-1,
        slack=0.05,
        what="mean time of 20 CUBIC transfers of 100 kB beside a long flow of ours, 10 Mbit/s, 50 ms",
        scenario=lab.others_short,
        read=lab.mean_completion,
        digits=2,
    ),
    Criterion(
        name="tail drop, shallow",
        section="9743 6.1; 5166 2.1.1",
        unit="%",
        better=+1,
        slack=2.0,
        what="goodput in % of 20 Mbit/s, 50 ms, queue of 0.1 BDP",
        scenario=lab.alone("a queue of BDP/10", lambda: lab.path(20.0, 50.0, "0.1 BDP"), 60.0, 50.0),
        read=lab.share(lab.OURS, 20.0),
    ),
    Criterion(
        name="wired",
        section="9743 6.3; 5166 2.1.1",
        unit="%",
        better=+1,
        slack=2.0,
        what="goodput in % of 100 Mbit/s, 20 ms",
        scenario=lab.alone("wired", lambda: lab.path(100.0, 20.0), 20.0, 20.0),
        read=lab.share(lab.OURS, 100.0),
    ),
    Criterion(
        name="radio errors",
        section="9743 6.4; 5166 2.4",
        unit="%",
        better=+1,
        slack=2.0,
        what="goodput in % of 20 Mbit/s, 50 ms, one packet in 200 lost",
        scenario=lab.alone("radio", lambda: lab.path(20.0, 50.0, per=5e-3), 60.0, 50.0),
        read=lab.share(lab.OURS, 20.0),
    ),
    Criterion(
        name="varying capacity",
        section="9743 6.4; 5166 2.4",
        unit="%",
        better=+1,
        slack=2.0,
        what="goodput in % of a rate that changes every 5 s between 5 and 20 Mbit/s, 50 ms, one in 1000 lost",
        scenario=lab.alone("fading", lab.fading, 60.0, 50.0),
        read=lab.share(lab.OURS, lab.FADING_MBIT_S),
    ),
    Criterion(
        name="varying delay",
        section="9743 7.3; 5166 2.4",
        unit="%",
        better=+1,
        slack=2.0,
        what="goodput in % of 20 Mbit/s, round trip stepping between 40 and 76 ms every 15 s",
        scenario=lab.alone("delay in steps", lab.steps, 60.0, 50.0),
        read=lab.share(lab.OURS, 20.0),
    ),
    Criterion(
        name="low orbit",
        section="9743 7.3, 7.9; 5166 2.4",
        unit="Mbit/s",
        better=+1,
        slack=0.2,
        what="goodput up from a Starlink dish: jitter, bursts of loss, a new path every 15 s",
        scenario=lab.starlink,
        read=lambda run: lab.goodput(run, lab.OURS),
        digits=2,
    ),
    Criterion(
        name="constrained link",
        section="9743 7.4; 5166 2.4",
        unit="%",
        better=+1,
        slack=2.0,
        what="goodput in % of 64 kbit/s, 300 ms, one packet in 100 lost",
        scenario=lab.alone("a thin link", lambda: lab.path(0.064, 300.0, "10 packets", per=1e-2), 300.0, 300.0),
        read=lab.share(lab.OURS, 0.064),
    ),
    Criterion(
        name="high delay",
        section="9743 7.5; 5166 2.1.1",
        unit="%",
        better=+1,
        slack=2.0,
        what="goodput in % of 20 Mbit/s, 600 ms, seconds 10 to 60",
        scenario=lab.alone("GEO", lambda: lab.path(20.0, 600.0), 60.0, 600.0),
        read=lab.share(lab.OURS, 20.0),
    ),
    Criterion(
        name="high delay, errors",
        section="9743 7.5; 5166 2.4",
        unit="%",
        better=+1,
        slack=2.0,
        what="goodput in % of 20 Mbit/s, 600 ms, one packet in 1000 lost",
        scenario=lab.alone("GEO with errors", lambda: lab.path(20.0, 600.0, per=1e-3), 120.0, 600.0),
        read=lab.share(lab.OURS, 20.0),
    ),
    Criterion(
        name="a sender that floods",
        section="9743 7.6; 5166 2.5",
        unit="%",
        better=+1,
        slack=2.0,
        what="goodput in % of the 4 Mbit/s that 6 Mbit/s of UDP leave of 10, 50 ms",
        scenario=lab.unanswering,
        read=lab.share(lab.OURS, 4.0),
    ),
    Criterion(
        name="reordering",
        section="9743 7.7; 5166 2.4",
        unit="%",
        better=+1,
        slack=2.0,
        what="goodput in % of 20 Mbit/s; round trip 40 or 100 ms, changing every 250 ms, packets overtake",
        scenario=lab.alone("overtaking", lab.overtaking, 60.0, 70.0),
        read=lab.share(lab.OURS, 20.0),
    ),
    Criterion(
        name="transient outage",
        section="9743 7.8; 5166 2.2.1",
        unit="s",
        better=-1,
        slack=0.5,
        what="after 3 s of silence until 80 % of 10 Mbit/s over 1 s, 100 ms (37 s if never)",
        scenario=lab.outage,
        read=lab.time_to(8.0, 23.0),
        digits=2,
    ),
    Criterion(
        name="a better path",
        section="9743 7.9; 5166 2.2.1",
        unit="s",
        better=-1,
        slack=0.5,
        what="5 Mbit/s, 50 ms become 20 Mbit/s, 100 ms: until 80 % of that over 1 s (40 s if never)",
        scenario=lab.moved(("5 Mbit/s", "20 Mbit/s")),
        read=lab.time_to(16.0, 20.0),
        digits=2,
    ),
    Criterion(
        name="a worse path",
        section="9743 7.9; 5166 2.2.1",
        unit="ms",
        better=-1,
        slack=5.0,
        what="20 Mbit/s, 50 ms become 5 Mbit/s, 100 ms: mean queueing delay 5 to 20 s later, queue of 240 ms",
        scenario=lab.moved(("20 Mbit/s", "5 Mbit/s")),
        read=lab.queue_later,
    ),
    Criterion(
        name="oscillation",
        section="5166 2.2.2",
        unit="%",
        better=-1,
        slack=2.0,
        what="standard deviation of one flow's goodput over 200 ms in % of its mean, four of a kind, 20 Mbit/s, 50 ms",
        scenario=lab.steady,
        read=lab.variation,
    ),
    Criterion(
        name="application-limited",
        section="RFC 7661",
        unit="%",
        better=-1,
        slack=0.5,
        what="packets dropped in the 3 s after an application of 1 Mbit/s wants all of 20, 100 ms, 0.25 BDP",
        scenario=lab.bursts_later,
        read=lab.queue_loss,
        digits=2,
    ),
)
