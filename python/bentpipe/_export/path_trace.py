# SPDX-License-Identifier: MIT OR Apache-2.0
"""Read the rate, delay and loss of a path over time in whole units, for the export formats."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from bentpipe.base.errors import ScenarioError
from bentpipe.base.names import printable
from bentpipe.base.tables import Table

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from bentpipe import _core
    from bentpipe.scenario.answers import PathFacts

WAYS = ("forward", "return")
#: Bits of a packet that fills an MTU.
MTU_BITS = 12_000
#: Digits of a loss after the point. Further digits are rounding errors.
_LOSS_DIGITS = 12


@dataclass(frozen=True)
class Step:
    """The path from one moment until the next.

    Attributes:
        at_ns: Start of the step.
        rate_bit_s: Rate; None if no link has a rate.
        delay_ns: Propagation delay one way.
        loss: Probability of loss while there is a path.
        outage: Fraction of the step without a path, or with a loss of all packets.
    """

    at_ns: int
    rate_bit_s: int | None
    delay_ns: int
    loss: float
    outage: float

    @property
    def lost(self) -> float:
        """The probability of loss, including outages."""
        return round(1 - (1 - self.loss) * (1 - self.outage), _LOSS_DIGITS)


@dataclass(frozen=True)
class Trace:
    """One direction of a flow's path.

    Attributes:
        way: ``"forward"`` or ``"return"``.
        steps: The steps in time; without a path, rate and delay keep their previous values.
        about: Facts of the whole path, from `_core.path_series`.
    """

    way: str
    steps: tuple[Step, ...]
    about: PathFacts

    @classmethod
    def of(cls, table: _core.Table, about: str, way: str) -> Trace:
        """Read the path from the simulator.

        Raises:
            ScenarioError: If there is never a path, or if the path has a rate only part of the time.
        """
        facts: PathFacts = json.loads(about)
        # Names are written into comments of scripts and tables, where a line break in a name would begin a new line.
        facts["flow"], facts["from"], facts["to"] = map(printable, (facts["flow"], facts["from"], facts["to"]))
        trace = cls(way, (), facts)
        ends = trace.ends
        if facts["never"]:
            raise ScenarioError(
                "no-path",
                f"cannot export the path {ends}: no path exists in the {facts['duration_s']:g} s of the run",
            )
        if facts["sometimes_unlimited"] and not facts["unlimited"]:
            message = (
                f"cannot export the path {ends}: the path has a rate only part of the time (set the rate of each link)"
            )
            raise ScenarioError("scenario-value", message)
        columns = Table(table)
        rows = zip(
            *(columns[name] for name in ("time_s", "rate_mbit_s", "delay_ms", "loss_ratio", "outage_ratio")),
            strict=True,
        )
        return replace(trace, steps=tuple(_filled(list(rows))))

    @property
    def ends(self) -> str:
        """The ends of the path as text."""
        ends = self.about["from"], self.about["to"]
        origin, destination = ends if self.way == "forward" else ends[::-1]
        return f"from {origin} to {destination}"

    @property
    def unlimited(self) -> bool:
        """Whether no link has a rate."""
        return self.about["unlimited"]

    @property
    def duration_ns(self) -> int:
        """The duration of the path in nanoseconds."""
        return round(self.about["duration_s"] * 1e9)

    @property
    def step_ns(self) -> int:
        """The length of a step in nanoseconds. The last step may be shorter."""
        return round(self.about["step_s"] * 1e9)

    def spans(self) -> Iterator[tuple[Step, int]]:
        """Return the steps with their lengths in nanoseconds."""
        ends = [step.at_ns for step in self.steps[1:]] + [self.duration_ns]
        for step, end in zip(self.steps, ends, strict=True):
            yield step, end - step.at_ns

    def outage_s(self) -> float:
        """Return the total time without a path, or with a loss of all packets."""
        return sum(span / 1e9 * step.outage for step, span in self.spans())

    def delays_ms(self) -> tuple[float, float, float]:
        """Return the least, mean and greatest delay in ms while there is a path."""
        return self._spread(lambda step: step.delay_ns / 1e6)

    def losses(self) -> tuple[float, float, float]:
        """Return the least, mean and greatest loss while there is a path."""
        return self._spread(lambda step: step.loss)

    def rates_mbit_s(self) -> tuple[float, float, float]:
        """Return the least, mean and greatest rate in Mbit/s while there is a path."""
        return self._spread(lambda step: (step.rate_bit_s or 0) / 1e6)

    def _spread(self, of: Callable[[Step], float]) -> tuple[float, float, float]:
        there = [(of(step), span / 1e9 * (1 - step.outage)) for step, span in self.spans() if step.outage < 1]
        mean = sum(value * seconds for value, seconds in there) / sum(seconds for _, seconds in there)
        return min(value for value, _ in there), mean, max(value for value, _ in there)

    @property
    def queue(self) -> int | None:
        """The limit of the queue before the slowest link, in packets; None without a limit."""
        return self.about["queue_packets"]


def _filled(rows: list[tuple[float, float | None, float | None, float | None, float]]) -> Iterator[Step]:
    """Fill gaps. Without a path, rate and delay keep their previous values; before the first path, its values count."""
    _, rate, delay, _, _ = next(row for row in rows if row[2] is not None)
    for time, rate_now, delay_now, loss, outage in rows:
        if delay_now is not None:
            rate, delay = rate_now, delay_now
        bits = None if rate is None else round(rate * 1e6)
        yield Step(round(time * 1e9), bits, round((delay or 0.0) * 1e6), loss or 0.0, outage)
