# SPDX-License-Identifier: MIT OR Apache-2.0
"""Shared parts of the tests of the BBR draft: paths, times of events, and the controller's variables."""

from __future__ import annotations

import functools
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

import bentpipe as bp
from bentpipe.plots import column
from bentpipe.validation._facts import Expect, Fact
from bentpipe.validation._oracle import where
from bentpipe.validation._scenes import PACKET_B, PAYLOAD_B

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    import numpy.typing as npt

    from bentpipe import Run, Scenario

    Floats = npt.NDArray[np.float64]
    #: Function from a seed to the scenario of its run.
    Scene = Callable[[int], Scenario]
    Measure = Callable[["Seen"], float]

STARTUP, DRAIN, PROBE_RTT = "startup", "drain", "probe RTT"
DOWN, CRUISE, REFILL, UP = (f"probe bandwidth: {word}" for word in ("down", "cruise", "refill", "up"))

#: RACK detects a lost retransmission. RFC 6675 would wait for a timeout, but no test of the draft is about timeouts.
_TCP = bp.Tcp(preset="bentpipe-0.1", recovery="rack")
#: Parameters without a PROBE_RTT within the first minute, for tests of other states.
NO_PROBE_RTT: Mapping[str, object] = {"probe_rtt_interval": "60 s", "min_rtt_window": "120 s"}


@dataclass(frozen=True)
class Path:
    """A bottleneck with a round trip, and a queue in bandwidth-delay products."""

    rate_mbit: float
    rtt_ms: float
    queue_bdp: float = 4.0

    @property
    def payload_mbit(self) -> float:
        """The bandwidth in Mbit/s that a sender can measure, which excludes headers."""
        return self.rate_mbit * PAYLOAD_B / PACKET_B

    @property
    def rtt_s(self) -> float:
        """The round trip in seconds, with the time of one packet on the link."""
        return self.rtt_ms / 1e3 + PACKET_B * 8e-6 / self.rate_mbit

    def __str__(self) -> str:
        """Return the name of the path in facts."""
        rate = f"{self.rate_mbit:g} Mbit/s" if self.rate_mbit >= 1 else f"{self.rate_mbit * 1e3:g} kbit/s"
        return f"{rate}, {self.rtt_ms:g} ms"


def scenario(
    path: Path,
    seconds: float,
    seed: int,
    *,
    controller: Mapping[str, object] | None = None,
    trickle: bp.Trickle | None = None,
    rates: Sequence[tuple[float, float]] = (),
    **bottleneck: object,
) -> bp.Scenario:
    """Return a scenario with one BBR flow over a path.

    Args:
        path: The path.
        seconds: Duration of the run.
        seed: Seed, from which BBR draws the time between probes.
        controller: Parameters of the controller.
        trickle: The rate limit of the application.
        rates: Changes of the bottleneck: times in seconds and rates in Mbit/s.
        bottleneck: Further keys of the dumbbell.
    """
    steps = [bp.RateStep(at="0 s", rate=f"{path.rate_mbit:.9g} Mbit/s")]
    steps += [bp.RateStep(at=moment(at), rate=f"{rate:.9g} Mbit/s") for at, rate in rates]
    packets = max(path.queue_bdp * path.rate_mbit * 1e3 * path.rtt_ms / 8 / PACKET_B, 10)
    network = bp.Dumbbell(
        rate_steps=steps,
        rtt=f"{path.rtt_ms:g} ms",
        queue=f"{packets:.0f} packets",
        **bottleneck,  # type: ignore[arg-type]  # keys of a dumbbell, checked when it is read
    )
    flow = bp.Flow(controller={"name": "bbr3", **(controller or {})}, trickle=trickle)
    record = bp.Record(interval=f"{path.rtt_ms / 40:g} ms" if path.rtt_ms >= 1 else "100 us", events=True)
    return bp.Scenario(
        name="BBR draft, appendix A",
        duration=moment(seconds),
        seed=seed,
        network=network,
        flows=[flow],
        tcp=_TCP,
        record=record,
    )


def moment(seconds: float) -> str:
    """Return the text of a time in a scenario, to the nanosecond."""
    return f"{seconds:.9f} s"


def when(of: bp.Scenario, phase: str, nth: int = 0) -> float:
    """Return the time at which a state begins for the nth time in a run, or the end of the run.

    A second run with a change at this time is equal to the first run until the change. In the second run, the state
    therefore begins exactly at the time of the change.
    """
    phases, end_s = _phases(of.to_toml())
    found = [at for at, name in phases if name == phase]
    return found[nth] if nth < len(found) else end_s


@functools.lru_cache(maxsize=256)
def _phases(toml: str) -> tuple[tuple[tuple[float, str], ...], float]:
    run = bp.run(toml)
    return tuple(Seen(run).phases), run.summary["provenance"]["duration_s"]


class NeverError(Exception):
    """A run did not reach the event that a test measures."""


class Seen:
    """The events and variables of a run's BBR flow."""

    def __init__(self, run: Run) -> None:
        self.run = run
        self._events = run.events.arrow.to_pylist()
        self._state: dict[str, tuple[Floats, Floats]] = {}
        #: Start times and names of states, in order.
        self.phases: list[tuple[float, str]] = self._times("phase")
        #: Times at which losses were detected.
        self.losses = [at for at, _ in self._times("loss")]
        #: Times of timeouts.
        self.timeouts = [at for at, _ in self._times("timeout")]
        #: Times at which a recovery was found to be spurious.
        self.undone = [at for at, _ in self._times("spurious")]

    def _times(self, event: str) -> list[tuple[float, str]]:
        return [(row["time_s"], row["detail"]) for row in self._events if row["event"] == event]

    def first(self, phase: str, after_s: float = 0.0) -> float:
        """Return the time at which a state begins at or after `after_s`; infinite if it does not begin."""
        return next((at for at, name in self.phases if name == phase and at >= after_s), math.inf)

    def follows(self, at_s: float) -> tuple[float, str]:
        """Return the start and name of the state after the state that begins at `at_s`."""
        return next(((at, name) for at, name in self.phases if at > at_s), (math.inf, ""))

    def spans(self, phase: str, after_s: float = 0.0) -> list[tuple[float, float]]:
        """Return the start and the end of each finished state with this name."""
        ends = [at for at, _ in self.phases[1:]]
        pairs = zip(self.phases, ends, strict=False)
        return [(at, end) for (at, name), end in pairs if name == phase and at >= after_s]

    def span(self, phase: str, nth: int = 0, *, after_s: float = 0.0, then: str | None = None) -> tuple[float, float]:
        """Return the start and the end of a state with this name.

        Of the states `phase` that begin at or after `after_s` and are followed by `then`, number `nth` (from 0) is
        returned.

        Raises:
            NeverError: If there is no such state.
        """
        found = self.spans(phase, after_s)
        if then is not None:
            found = [span for span in found if self.follows(span[0])[1] == then]
        if nth >= len(found):
            raise NeverError
        return found[nth]

    def state(self, name: str) -> tuple[Floats, Floats]:
        """Return the times and values of one of the controller's variables."""
        if name not in self._state:
            rows = where(self.run.snapshots.arrow, flow=0, name=name)
            self._state[name] = (column(rows, "time_s"), column(rows, "value"))
        return self._state[name]

    def flow(self, name: str) -> tuple[Floats, Floats]:
        """Return the times and values of a column of the flow."""
        rows = self.run.flows.arrow
        return column(rows, "time_s"), column(rows, name)

    def at(self, name: str, at_s: float) -> float:
        """Return a variable at the first sample after a moment; NaN if there is none."""
        return _first_after(*self.state(name), at_s)

    def flow_at(self, name: str, at_s: float) -> float:
        """Return a column of the flow at the first sample after a moment; NaN if there is none."""
        return _first_after(*self.flow(name), at_s)

    def before(self, name: str, at_s: float) -> float:
        """Return a variable at the last sample before a moment; NaN if there is none."""
        times, values = self.state(name)
        index = int(np.searchsorted(times, at_s, side="left")) - 1
        return float(values[index]) if math.isfinite(at_s) and index >= 0 else math.nan

    def reaches(self, name: str, holds: Callable[[Floats], npt.NDArray[np.bool_]], after_s: float = 0.0) -> float:
        """Return the time after `after_s` at which `holds` is first true for a variable; infinite if never."""
        times, values = self.state(name)
        found = np.flatnonzero(holds(values) & (times > after_s))
        return float(times[found[0]]) if found.size else math.inf

    def mean(self, name: str, from_s: float, to_s: float) -> float:
        """Return the mean of a column of the flow over a span of time; NaN without samples."""
        times, values = self.flow(name)
        inside = values[(times > from_s) & (times <= to_s)]
        return float(np.nanmean(inside)) if inside.size else math.nan

    def rounds(self, from_s: float, to_s: float) -> float:
        """Return the number of round trips between two times, as BBR counts them."""
        return self.at("round_count", to_s) - self.before("round_count", from_s)


def _first_after(times: Floats, values: Floats, at_s: float) -> float:
    index = int(np.searchsorted(times, at_s, side="right"))
    return float(values[index]) if math.isfinite(at_s) and index < values.size else math.nan


LEO = Path(50, 40)
GEO = Path(20, 600)
SHALLOW = Path(50, 40, 0.5)
#: The application writes at half of the bandwidth.
HALF = f"{LEO.rate_mbit / 2:g} Mbit/s"
#: Loss in tests that require a loss above 2 %.
LOSS = 0.1


def fact(
    test: int,
    subject: str,
    what: str,
    source: str,
    theory: Expect,
    scene: Scene,
    measure: Measure,
    *,
    unit: str = "",
    here: Expect | None = None,
    why: str = "",
    quick: bool = False,
) -> Fact:
    """Make a fact from a number of a test. `source` is the statement of the draft."""

    def read(runs: Sequence[Run]) -> float:
        try:
            return measure(Seen(runs[0]))
        except (NeverError, ValueError):  # ValueError: min() or max() of no sample
            return math.nan

    return Fact(
        subject=subject,
        what=what,
        source=f"A.{test}: {source}",
        theory=theory,
        scenes=lambda seed: [scene(seed)],
        measure=read,
        unit=unit,
        here=None if here is None else lambda: here,
        why=why,
        seeds=2,
        tolerance=0.0,
        quick=quick,
    )


def yes(holds: bool) -> float:
    """Return 1 if the condition holds, otherwise 0."""
    return float(holds)


def flight_at_the_end(phase: str) -> Measure:
    """Return a measure of the data in flight at the end of the first span of a state, divided by the BDP."""

    def measure(seen: Seen) -> float:
        begin, end = seen.span(phase)
        times, flight = seen.flow("in_flight_segments")
        inside = flight[(times >= begin) & (times <= end)]
        return float(inside[-3:].min()) / seen.before("bdp_segments", end) if inside.size else math.nan

    return measure
