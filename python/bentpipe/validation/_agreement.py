# SPDX-License-Identifier: MIT OR Apache-2.0
"""The numbers of a scenario on the simulator and on the emulator, and their deviations."""

from __future__ import annotations

import statistics
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bentpipe.base.errors import BentpipeError
    from bentpipe.runs.run import Run

SIMULATOR, EMULATOR = "sim", "emulator"
PLATFORMS = (SIMULATOR, EMULATOR)
#: The largest deviation of goodput and round trip, in percent.
WITHIN = 5.0


@dataclass(frozen=True)
class Result:
    """The numbers of one run.

    Attributes:
        controller: Name of the controller in the kernel.
        platform: One of `PLATFORMS`.
        seed: The seed of the run.
        run: The run.
        flows: The indices of the flows in the run's tables.
        goodput_mbit_s: Received payload of all flows, divided by the time from the first start to the last end; None if
            a flow has no goodput.
        rtt_p50_ms: Median over time of the round trip; with several flows, the median of the flows' medians. None
            without a sample.
        degraded: Reasons why the run is degraded.
        limits: Limits other than the congestion window. Each limit is a sentence.
        mss: Bytes of a segment's payload, as the kernel reports them; None in the simulator.
    """

    controller: str
    platform: str
    seed: int
    run: Run
    flows: tuple[int, ...]
    goodput_mbit_s: float | None
    rtt_p50_ms: float | None
    degraded: tuple[str, ...] = ()
    limits: tuple[str, ...] = ()
    mss: int | None = None

    @property
    def lateness_p99_us(self) -> float | None:
        """The 99th percentile of the lateness in microseconds; None in the simulator."""
        facts = self.run.provenance.get("emulator")
        return None if facts is None else facts["lateness_p99_us"]

    @property
    def idle_processors(self) -> float | None:
        """The share of the processors' time in which they were idle; None in the simulator."""
        facts = self.run.provenance.get("emulator")
        return None if facts is None else facts["idle_processors"]


@dataclass(frozen=True)
class Row:
    """The results of one controller on one platform.

    Attributes:
        controller: Name of the controller in the kernel.
        platform: One of `PLATFORMS`.
        results: The runs of the controller on the platform.
        beside: The runs of the simulator from which deviations are computed; empty in the simulator's own row.
    """

    controller: str
    platform: str
    results: tuple[Result, ...]
    beside: tuple[Result, ...] = ()

    @property
    def goodput_mbit_s(self) -> float | None:
        """The median goodput over the runs."""
        return median([one.goodput_mbit_s for one in self.results])

    @property
    def rtt_p50_ms(self) -> float | None:
        """The median over the runs of the runs' median round trips."""
        return median([one.rtt_p50_ms for one in self.results])

    @property
    def goodput_deviation_percent(self) -> float | None:
        """The deviation of the median goodput from the median goodput in the simulator, in percent."""
        return _deviation(self.goodput_mbit_s, median([one.goodput_mbit_s for one in self.beside]))

    @property
    def rtt_deviation_percent(self) -> float | None:
        """The deviation of the median round trip from the median round trip in the simulator, in percent."""
        return _deviation(self.rtt_p50_ms, median([one.rtt_p50_ms for one in self.beside]))

    @property
    def lateness_p99_us(self) -> float | None:
        """The largest 99th percentile of the lateness over the runs, in microseconds."""
        return max((late for one in self.results if (late := one.lateness_p99_us) is not None), default=None)

    @property
    def degraded(self) -> int:
        """The number of degraded runs."""
        return sum(bool(one.degraded) for one in self.results)

    def is_within(self, bound_percent: float) -> bool | None:
        """Return whether both deviations are within a bound; None if there is nothing to compare with."""
        if not self.beside:
            return None
        both = (self.goodput_deviation_percent, self.rtt_deviation_percent)
        return all(one is not None and abs(one) <= bound_percent for one in both)


def median(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return statistics.median(known) if known and len(known) == len(values) else None


def _deviation(value: float | None, base: float | None) -> float | None:
    return None if value is None or not base else 100.0 * (value / base - 1.0)


@dataclass(frozen=True)
class Agreement:
    """The runs of one scenario on several platforms.

    Attributes:
        name: Name of the scenario.
        within: The largest deviation that agrees, in percent.
        rows: A row for each controller and platform.
        failed: Errors of runs, by controller, platform and seed.
        assumptions: Settings that were equal on both platforms, and settings that differed. Each is a sentence.
        resumed: Number of simulated runs that were found in the folder.
    """

    name: str
    within: float
    rows: tuple[Row, ...]
    failed: dict[tuple[str, str, int], BentpipeError]
    assumptions: tuple[str, ...]
    resumed: int = 0

    @property
    def outside(self) -> list[Row]:
        """The rows whose deviation is above the bound."""
        return [row for row in self.rows if row.is_within(self.within) is False]

    @property
    def notes(self) -> list[str]:
        """The reasons for degraded runs, and the limits other than the congestion window, each once."""
        results = [one for row in self.rows for one in row.results]
        said = [f"{one.controller}, {one.platform}: {line}" for one in results for line in (*one.degraded, *one.limits)]
        return list(dict.fromkeys(said))

    def record(self) -> dict[str, object]:
        """Return the numbers for JSON."""
        return {
            "scenario": self.name,
            "within_percent": self.within,
            "rows": [
                {
                    "controller": row.controller,
                    "platform": row.platform,
                    "goodput_mbit_s": row.goodput_mbit_s,
                    "rtt_p50_ms": row.rtt_p50_ms,
                    "goodput_deviation_percent": row.goodput_deviation_percent,
                    "rtt_deviation_percent": row.rtt_deviation_percent,
                    "is_within": row.is_within(self.within),
                    "lateness_p99_us": row.lateness_p99_us,
                    "degraded_runs": row.degraded,
                    "runs": [
                        {
                            "seed": one.seed,
                            "goodput_mbit_s": one.goodput_mbit_s,
                            "rtt_p50_ms": one.rtt_p50_ms,
                            "lateness_p99_us": one.lateness_p99_us,
                            "idle_processors": one.idle_processors,
                            "degraded": list(one.degraded),
                            "limits": list(one.limits),
                        }
                        for one in row.results
                    ],
                }
                for row in self.rows
            ],
            "assumptions": list(self.assumptions),
            "failed": [
                {"controller": name, "platform": where, "seed": seed, "code": error.code, "message": error.message}
                for (name, where, seed), error in self.failed.items()
            ],
        }
