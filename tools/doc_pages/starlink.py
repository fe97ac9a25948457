# SPDX-License-Identifier: MIT OR Apache-2.0
"""Measure how the paths over Starlink depend on assumptions: change one assumption at a time, and run CUBIC again.

``python -m doc_pages.starlink docs/starlink.md`` writes the tables between the two marks of that file
(`make starlink`).
"""

from __future__ import annotations

import math
import sys
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypedDict

from bentpipe import _core
from bentpipe.results.summaries import given
from bentpipe.runs.make import run_many
from bentpipe.scenario.classes import Flow, Record, Scenario, Starlink, Tcp

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from bentpipe.runs.run import Run

Direction = Literal["up", "down"]

PRESETS = ("starlink-good", "starlink-far", "starlink-isl")
DIRECTIONS: tuple[Direction, ...] = ("down", "up")
CONTROLLERS = ("cubic", "bbr1")
SEEDS = (1, 2, 3, 4, 5, 6, 7, 8)
#: If an assumption changes CUBIC's result by more than this factor, up or down, the result depends on it.
HANGS = 1.5
#: Shape of the far user's bursts (source B): probability of a change from bad to good in each 100 ms, and loss in the
#: bad state.
_BURSTS: Mapping[Direction, tuple[float, float]] = {"up": (0.84, 0.14), "down": (0.42, 0.25)}
#: The queues with which LeoCC replays its recordings (source R).
_REPLAYED: Mapping[Direction, int] = {"up": 500, "down": 50_000}
#: The uplink queue of R lasts 123 ms. On the good downlink, this queue lasts as long.
_SHORT = 2012
#: If a queue differs by less than this fraction, it counts as the same.
_ALIKE = 0.05
_BEGIN, _END = "<!-- python -m doc_pages.starlink -->", "<!-- end -->"


@dataclass(frozen=True)
class Assumption:
    """An assumption that no measurement supports, and its replacement.

    Attributes:
        name: The assumption in words.
        loss: Table of the loss between the boundaries, in place of the preset's loss.
        packets: Limit of the queue, in place of the preset's limit.
    """

    name: str
    loss: Loss | None = None
    packets: int | None = None


class Bursts(TypedDict):
    """Loss in bursts, in the form of a scenario."""

    to_bad: float
    to_good: float
    loss: float


class Loss(TypedDict, total=False):
    """Loss between the boundaries, in the form of a scenario: none, of single packets, or in bursts."""

    per: float
    bursts: Bursts


class _Path(TypedDict):
    """A preset, written out in full."""

    loss: dict[Direction, Loss]
    queue: dict[Direction, str]


def _resolved(preset: str) -> _Path:
    """Return the preset in the form in which a scenario writes it in full."""
    job = _core.Job(_scenario(preset, "down", Assumption("")), preset)
    path: _Path = tomllib.loads(_core.facts(job).resolved)["network"]["starlink"]
    return path


def mean_loss(loss: Loss) -> float:
    """Return the share of packets lost between the boundaries; for bursts, the stationary share (Gilbert 1960)."""
    if "bursts" in loss:
        bursts = loss["bursts"]
        return bursts["loss"] * bursts["to_bad"] / (bursts["to_bad"] + bursts["to_good"])
    return loss.get("per", 0.0)


def bursts(mean: float, direction: Direction, longer: float = 1.0) -> Loss:
    """Returns bursts with this mean loss and the shape of the far user's bursts, or longer by a factor."""
    to_good, lost = _BURSTS[direction]
    bad = mean / lost
    return {"bursts": {"to_bad": to_good / longer * bad / (1 - bad), "to_good": to_good / longer, "loss": lost}}


def assumptions(preset: str, direction: Direction) -> list[Assumption]:
    """Returns the changed assumptions; the first is the unchanged preset."""
    path = _resolved(preset)
    loss, packets = path["loss"][direction], int(path["queue"][direction].split()[0])
    mean = mean_loss(loss)
    percent = f"{100 * mean:.2g} %"

    def scaled(factor: float) -> Loss:
        return bursts(mean * factor, direction) if "bursts" in loss else {"per": mean * factor}

    if "bursts" in loss:
        kind = "in bursts"
        other = [
            Assumption(f"loss: {percent} independent", loss={"per": mean}),
            Assumption("loss: bursts four times as long", loss=bursts(mean, direction, 4.0)),
        ]
    else:
        kind = "independent"
        other = [Assumption(f"loss: {percent} in the far user's bursts", loss=bursts(mean, direction))]
    queues = [packets // 4, packets * 4, _REPLAYED[direction]]
    if preset == "starlink-good" and direction == "down":
        queues.append(_SHORT)
    others = [one for one in dict.fromkeys(queues) if abs(one / packets - 1) > _ALIKE]
    return [
        Assumption(f"as it is: {percent} {kind}, {packets} packets"),
        *other,
        Assumption("loss: none", loss={}),
        Assumption("loss: half as much", loss=scaled(0.5)),
        Assumption("loss: twice as much", loss=scaled(2.0)),
        *(Assumption(f"queue: {one} packets", packets=one) for one in others),
    ]


def _scenario(preset: str, direction: Direction, what: Assumption, controller: str = "cubic", seed: int = 1) -> str:
    ends = ("dish", "server") if direction == "up" else ("server", "dish")
    network = Starlink(
        preset=preset,
        rtt="20 ms",
        loss=None if what.loss is None else {direction: what.loss},
        queue=None if what.packets is None else {direction: f"{what.packets} packets"},
    )
    return Scenario(
        name=f"{preset} {direction}",
        seed=seed,
        duration="30 s",
        network=network,
        tcp=Tcp(preset="bentpipe-0.1"),
        flows=[Flow(controller=controller, from_=ends[0], to=ends[1])],
        record=Record(interval="off", events=False),
    ).to_toml()


@dataclass(frozen=True)
class Line:
    """An assumption and its results: mean goodput over the seeds in Mbit/s."""

    what: Assumption
    cubic: float
    bbr: float
    queue_ms: float


def measure(presets: Sequence[str] = PRESETS, seeds: Sequence[int] = SEEDS) -> dict[tuple[str, Direction], list[Line]]:
    """Measures every assumption of every preset in both directions, in runs of 30 s with a terrestrial RTT of 20 ms."""
    plan = {
        (preset, direction, what.name, controller, seed): _scenario(preset, direction, what, controller, seed)
        for preset in presets
        for direction in DIRECTIONS
        for what in assumptions(preset, direction)
        for controller in CONTROLLERS
        for seed in seeds
    }
    made: dict[tuple[str, Direction, str, str, int], Run] = dict(zip(plan, run_many(list(plan.values())), strict=True))

    def mean(preset: str, direction: Direction, what: Assumption, controller: str, of: str) -> float:
        runs = [made[preset, direction, what.name, controller, seed] for seed in seeds]
        if of == "queue":
            return math.fsum(given(run.summary["flows"][0]["queueing_delay_ms"])["p95"] for run in runs) / len(runs)
        return math.fsum(given(run.summary["totals"]["delivered_mbit_s"]) for run in runs) / len(runs)

    return {
        (preset, direction): [
            Line(
                what,
                mean(preset, direction, what, "cubic", "goodput"),
                mean(preset, direction, what, "bbr1", "goodput"),
                mean(preset, direction, what, "cubic", "queue"),
            )
            for what in assumptions(preset, direction)
        ]
        for preset in presets
        for direction in DIRECTIONS
    }


def answer(lines: Sequence[Line]) -> str:
    """Return the assumptions on which CUBIC's result depends, by `HANGS`."""
    first, *rest = lines
    moved = [line for line in rest if not 1 / HANGS <= line.cubic / first.cubic <= HANGS]
    turned = [line for line in rest if (line.bbr > line.cubic) != (first.bbr > first.cubic)]
    if not moved and not turned:
        return f"CUBIC's result depends on none of these: each changes it by at most a factor of {HANGS}."
    parts = []
    if moved:
        parts.append("CUBIC's result depends on " + _listed(f"“{line.what.name}”" for line in moved))
    if turned:
        parts.append("the faster controller changes with " + _listed(f"“{line.what.name}”" for line in turned))
    return "; ".join(parts) + "."


def _listed(words: Iterable[str]) -> str:
    return ", ".join(words)


def section(measured: Mapping[tuple[str, Direction], Sequence[Line]]) -> str:
    """Return the tables in Markdown."""
    parts = []
    for (preset, direction), lines in measured.items():
        rows = [
            f"| {line.what.name} | {line.cubic:.3g} | {line.bbr:.3g} | {line.cubic / lines[0].cubic:.2f} "
            f"| {line.queue_ms:.0f} |"
            for line in lines
        ]
        head = f"| {preset}, {direction} | CUBIC | BBR | CUBIC over the preset's | CUBIC's p95 queue, ms |"
        parts.append("\n".join([head, "|---|---:|---:|---:|---:|", *rows]) + f"\n\n{answer(lines)}")
    return "\n\n".join(parts)


def between(text: str) -> str:
    """Return the text between the marks of the page."""
    return text.split(_BEGIN, 1)[1].split(_END, 1)[0].strip()


def write(file: Path) -> None:
    """Measure, and put the tables between the marks of a page."""
    text = file.read_text(encoding="utf-8")
    before, rest = text.split(_BEGIN, 1)
    after = rest.split(_END, 1)[1]
    file.write_text(f"{before}{_BEGIN}\n{section(measure())}\n{_END}{after}", encoding="utf-8")


if __name__ == "__main__":
    write(Path(sys.argv[1]))
