# SPDX-License-Identifier: MIT OR Apache-2.0
"""Does Hybla-IM beat Hybla between Berkeley and Boston over Iridium?

Reproduces section 4 of "An Improved Hybla Algorithm in Satellite Networks": figures 4 to 7 (throughput and loss at
packet error rates 1e-4, 1e-3 and 1e-2) in the paper's topology, and in a second one where the error rate can matter.
"""

from __future__ import annotations

import statistics
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import bentpipe as bp
from bentpipe import Estimate
from bentpipe._stats import estimate, relative_change
from bentpipe.papers._claims import Claim
from bentpipe.papers._paper import Paper

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Sequence

TITLE = "An Improved Hybla Algorithm in Satellite Networks"
PAPER = Paper(name="hybla-im", title=TITLE, about="", rows=())
PERS = (1e-4, 1e-3, 1e-2)
#: Label of a variant: the controller and its parameters. The first two are the paper's pair.
VARIANTS: dict[str, str | dict[str, str]] = {
    "hybla": "hybla",
    "hybla-im": "hybla-im",
    "hybla-im-literal": "hybla-im-literal",
    "hybla, rho from min RTT": {"name": "hybla", "rho_rtt": "min"},
}
_START_S = 10.0
#: One revolution of an Iridium satellite.
_REVOLUTION_S = 6027


@dataclass(frozen=True, kw_only=True)
class Topology:
    """One of the two networks.

    Attributes:
        id: Short name.
        title: For tables.
        flows: How many flows, all from Berkeley to Boston.
        user_link: Rate of up- and downlink.
        duration: Of a run.
        why: Why this one.
    """

    id: str
    title: str
    flows: int
    user_link: str
    duration: str
    why: str


PAPERS_OWN = Topology(
    id="T1",
    title="the paper's: 30 flows, bottleneck is the 1.5 Mbit/s uplink",
    flows=30,
    user_link="1.5 Mbit/s",
    duration="200 s",
    why="Table 2 and figure 3 of the paper. 30 flows share 6 to 18 packets of bandwidth-delay product, less than one "
    "packet each: the uplink is full under every controller, whatever the packet error rate. It is full of a collapse "
    "with lock-out: three packets of four are lost to the queue and some flows deliver nothing for minutes (see Jain's "
    "index and the RTOs). Random losses hardly matter beside that.",
)
ISL_BOTTLENECK = Topology(
    id="T2",
    title="ours: 5 flows, bottleneck is the 25 Mbit/s inter-satellite link",
    flows=5,
    user_link="100 Mbit/s",
    duration="100 s",
    why="The paper's orbit, rates and error rates with a fast user link and 5 flows, so that a window can be large "
    "enough for random losses to cost something.",
)
TOPOLOGIES = (ISL_BOTTLENECK, PAPERS_OWN)

CHOICES = (
    "packet 1000 B on the wire (960 B payload + 40 B headers): ns-2's default; the paper does not say",
    "buffer 50 packets on every link: ns-2's default; the paper does not say",
    "duration 200 s (T1), 100 s (T2); all of it counts, the start too; the paper does not say",
    "initial window 2 segments (ns-2's time), an ACK for every segment, SACK recovery, minimum RTO 200 ms",
    "the paper's «BER» is a packet error rate (ns-2's error model by packet): as bit errors it would lose 55 % of the "
    "packets at 1e-4 and all of them at 1e-3",
    "errors on every inter-satellite link in both directions (ACKs too), none on up- and downlinks: a path over two "
    "inter-satellite links loses about twice that",
    "throughput of the paper = new payload that reaches the receivers per second, all flows together",
    "access links 10 Mbit/s, 1 ms; all flows start within the first second (one every 30 ms)",
    "every seed begins at another moment of the satellites' revolution (an Iridium orbit takes 6027 s), the same for "
    "all variants: the intervals cover the sky as well as the chance of losses",
    "routes are computed every 10 s; packets that wait for a link that goes away are forwarded by the new table",
    "hybla: rho from the smoothed RTT, as the paper's criticism of Hybla presumes; the variant with min RTT (as Linux) "
    "stands beside it",
    "hybla-im: our reading, with smoothed bandwidth, rho at least 1 and pacing; hybla-im-literal: the formulas as "
    "printed",
)


def sky_offset_s(seed: int) -> int:
    """Where in the revolution a seed's runs begin: steps of the golden section spread any number of seeds."""
    return round(seed * 0.6180339887 % 1 * _REVOLUTION_S)


def scenario(topology: Topology, per: float, variant: str, seed: int, *, duration: str | None = None) -> bp.Scenario:
    """The document of one run."""
    return bp.Scenario(
        name=f"{topology.id}, PER {per:g}, {variant}",
        duration=duration or topology.duration,
        seed=seed,
        network=bp.Constellation(
            preset="iridium",
            offset=f"{sky_offset_s(seed)} s",
            isl=bp.Link(rate="25 Mbit/s", queue="50 packets", per=per),
            user_link=bp.Link(rate=topology.user_link, queue="50 packets"),
        ),
        tcp=bp.Tcp(mss="960 B", header="40 B", initial_window=2),
        flows=[
            bp.Flow(
                count=topology.flows,
                from_="Berkeley",
                to="Boston",
                controller=VARIANTS[variant],
                access=bp.Link(rate="10 Mbit/s", delay="1 ms", queue="50 packets"),
                stagger="30 ms",
            )
        ],
        record=bp.Record(interval="1 s", events=False),
    )


@dataclass(frozen=True)
class Reproduction:
    """All runs, and what they say about the paper's claims.

    Attributes:
        seeds: The seeds, the same for every variant.
        runs: Runs by topology, packet error rate and variant, in the order of the seeds.
    """

    seeds: tuple[int, ...]
    runs: dict[tuple[str, float, str], list[bp.Run]]

    def totals(self, topology: Topology, per: float, variant: str, metric: str) -> list[float]:
        """A number of the summaries' totals, one per seed."""
        return [float(run.summary["totals"][metric]) for run in self.runs[topology.id, per, variant]]

    def goodput(self, topology: Topology, per: float, variant: str) -> list[float]:
        """Goodput in Mbit/s, one per seed."""
        return self.totals(topology, per, variant, "goodput_mbit_s")

    def loss_percent(self, topology: Topology, per: float, variant: str) -> list[float]:
        """Packets lost, of those sent, in percent, one per seed."""
        return [100.0 * ratio for ratio in self.totals(topology, per, variant, "loss_ratio")]

    def claims(self, topology: Topology) -> list[Claim]:
        """H-18 to H-21, H-24 and H-15 in one topology (for the second one this is H-25)."""
        return [*self._at_low_error(topology), *self._over_error_rates(topology), *self._about_causes(topology)]

    def _pair(self, topology: Topology, per: float) -> tuple[list[bp.Run], list[bp.Run]]:
        return self.runs[topology.id, per, "hybla-im"], self.runs[topology.id, per, "hybla"]

    def _at_low_error(self, topology: Topology) -> list[Claim]:
        improved, hybla = self._pair(topology, PERS[0])
        good = {name: self.goodput(topology, PERS[0], name) for name in ("hybla-im", "hybla")}
        loss = {name: self.loss_percent(topology, PERS[0], name) for name in ("hybla-im", "hybla")}
        return [
            Claim(
                id="H-18",
                what="PER 1e-4: throughput, Hybla-IM against Hybla",
                paper=6.0,
                sign=1,
                measured=relative_change(good["hybla-im"], good["hybla"]),
            ),
            Claim(
                id="H-18",
                what="PER 1e-4: fluctuation (std/mean of 1 s throughput after 10 s), Hybla-IM against Hybla",
                sign=-1,
                measured=relative_change([fluctuation(run) for run in improved], [fluctuation(run) for run in hybla]),
            ),
            Claim(
                id="H-18",
                what="PER 1e-4: throughput of the first 10 s, Hybla against Hybla-IM",
                sign=1,
                measured=relative_change([at_start(run) for run in hybla], [at_start(run) for run in improved]),
            ),
            Claim(
                id="H-19",
                what="PER 1e-4: packet loss rate, Hybla against Hybla-IM",
                sign=1,
                measured=relative_change(loss["hybla"], loss["hybla-im"]),
            ),
        ]

    def _over_error_rates(self, topology: Topology) -> list[Claim]:
        rows = []
        for number, (low, high), hybla, improved, ratio in (
            ("H-20", PERS[0:2], -13.0, -7.3, 13.0),
            ("H-21", PERS[1:3], -32.0, -24.0, 17.0),
        ):
            steps = f"{high:.0e} against {low:.0e}".replace("e-0", "e-")
            rows += [
                Claim(
                    id=number,
                    what=f"{name}: throughput at PER {steps}",
                    paper=paper,
                    sign=-1,
                    measured=relative_change(self.goodput(topology, high, name), self.goodput(topology, low, name)),
                )
                for name, paper in (("hybla", hybla), ("hybla-im", improved))
            ]
            rows.append(
                Claim(
                    id=number,
                    what=f"PER {high:.0e}: throughput, Hybla-IM against Hybla".replace("e-0", "e-"),
                    paper=ratio,
                    sign=1,
                    measured=relative_change(
                        self.goodput(topology, high, "hybla-im"), self.goodput(topology, high, "hybla")
                    ),
                    contradiction=contradiction(high),
                )
            )
        return rows

    def _about_causes(self, topology: Topology) -> list[Claim]:
        rows = []
        for per in PERS[1:]:
            improved, hybla = self._pair(topology, per)
            rows.append(
                Claim(
                    id="H-24",
                    what=f"PER {per:g}: window reductions per 1000 random losses, Hybla-IM against Hybla",
                    sign=-1,
                    measured=relative_change(
                        [cuts_per_1000(run) for run in improved], [cuts_per_1000(run) for run in hybla]
                    ),
                )
            )
        for per in PERS:
            matrices = [confusion(run) for run in self.runs[topology.id, per, "hybla-im"]]
            judged = [(m["P(C|C)"], m["P(E|R)"]) for m in matrices if None not in m.values()]
            if len(judged) > 1:  # one seed has no interval; the counts stand in the table of verdicts all the same
                rows.append(
                    Claim(
                        id="H-15",
                        what=f"PER {per:g}: causes told apart, P(C|C) + P(E|R) - 1",
                        sign=1,
                        unit="",
                        measured=estimate([float(c or 0) + float(e or 0) - 1.0 for c, e in judged]),
                        note="0 is a coin, 1 is perfect: "
                        f"P(C|C) {statistics.fmean(c or 0 for c, _ in judged):.2f}, "
                        f"P(E|R) {statistics.fmean(e or 0 for _, e in judged):.2f}",
                    )
                )
        return rows


def implied_ratio(per: float) -> float:
    """What the paper's other percentages imply for Hybla-IM over Hybla at `per`, in percent (H-22)."""
    ratio = 1.06
    if per >= PERS[1]:
        ratio *= (1 - 0.073) / (1 - 0.13)
    if per >= PERS[2]:
        ratio *= (1 - 0.24) / (1 - 0.32)
    return 100.0 * (ratio - 1.0)


def contradiction(per: float, *, tolerance: float = 2.0) -> str:
    """In words, if the paper's printed ratio at `per` is not what its other numbers imply; else empty."""
    printed = {PERS[0]: 6.0, PERS[1]: 13.0, PERS[2]: 17.0}[per]
    implied = implied_ratio(per)
    if abs(implied - printed) <= tolerance:
        return ""
    return f"the paper prints {printed:+g} %, its other percentages imply {implied:+.1f} %"


def packet_error_rate(bit_error_rate: float, packet_bytes: int = 1000) -> float:
    """Packet error rate of independent bit errors (H-23)."""
    return 1.0 - (1.0 - bit_error_rate) ** (8 * packet_bytes)


def total_goodput(run: bp.Run) -> list[tuple[float, float]]:
    """Time in s and goodput of all flows together in Mbit/s, in order of time."""
    sums: dict[float, float] = {}
    for time, value in zip(run.flows["time_s"], run.flows["goodput_mbit_s"], strict=True):
        sums[time] = sums.get(time, 0.0) + value
    return sorted(sums.items())


def fluctuation(run: bp.Run) -> float:
    """Standard deviation over mean of the goodput per second, after the start."""
    values = [value for time, value in total_goodput(run) if time > _START_S]
    return float(statistics.stdev(values) / statistics.fmean(values))


def at_start(run: bp.Run) -> float:
    """Mean goodput of the first 10 s in Mbit/s."""
    return statistics.fmean(value for time, value in total_goodput(run) if time <= _START_S)


def cuts_per_1000(run: bp.Run) -> float:
    """Window reductions (a timeout that reduces the window is one too) per 1000 packets lost to link errors."""
    flows = run.summary["flows"]
    errors = sum(int(flow["losses"]["error"]) for flow in flows)
    return 1000.0 * sum(int(flow["cuts"]) for flow in flows) / max(errors, 1)


def verdicts(runs: Sequence[bp.Run]) -> dict[str, int]:
    """The confusion matrix of all flows of all runs, a count per judgement: ``truth_as_verdict``."""
    total: dict[str, int] = {}
    for run in runs:
        for flow in run.summary["flows"]:
            for key, count in flow["verdicts"].items():
                total[key] = total.get(key, 0) + count
    return total


def verdicts_table(result: Reproduction, topology: Topology) -> tuple[list[str], list[list[str]]]:
    """H-15: what Hybla-IM took losses for, against the truth, in judgements of all seeds."""
    head = ["PER", "variant", "queue, judged congestion", "queue, judged error"]
    head += ["error, judged error", "error, judged congestion", "not lost at all"]
    keys = ("congestion_as_congestion", "congestion_as_error", "error_as_error", "error_as_congestion", "spurious")
    rows = []
    for per in PERS:
        for variant in ("hybla-im", "hybla-im-literal"):
            counts = verdicts(result.runs[topology.id, per, variant])
            rows.append([f"{per:g}", variant, *(str(counts[key]) for key in keys)])
    return head, rows


def confusion(run: bp.Run) -> dict[str, float | None]:
    """How the controller judged losses: P(C|C) of true congestion, P(E|R) of random errors; None without any."""
    total = verdicts([run])
    of_congestion = total.get("congestion_as_congestion", 0) + total.get("congestion_as_error", 0)
    of_error = total.get("error_as_error", 0) + total.get("error_as_congestion", 0)
    return {
        "P(C|C)": total.get("congestion_as_congestion", 0) / of_congestion if of_congestion else None,
        "P(E|R)": total.get("error_as_error", 0) / of_error if of_error else None,
    }


def reproduce(
    *,
    seeds: Sequence[int] = range(1, 6),
    duration: str | None = None,
    out: str | os.PathLike[str] | None = None,
    threads: int | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Reproduction:
    """Make all runs.

    Args:
        seeds: At least two, or there is no confidence interval.
        duration: Instead of the topologies' own durations.
        out: Folder for the run folders; nothing is written without it.
        threads: Runs at a time.
        progress: Called with (done, all) as runs finish.

    Raises:
        RunError: If a run cannot be made or written.
    """
    keys = [
        (topology, per, variant, seed)
        for topology in TOPOLOGIES
        for per in PERS
        for variant in VARIANTS
        for seed in seeds
    ]
    scenarios = [scenario(topology, per, name, seed, duration=duration) for topology, per, name, seed in keys]
    folders = None
    if out is not None:
        slugs = {name: name.replace(", ", "-").replace(" ", "-") for name in VARIANTS}
        folders = [Path(out) / f"{t.id}-per{per:g}-{slugs[name]}-s{seed}" for t, per, name, seed in keys]
    made = bp.run_many(scenarios, out=folders, threads=threads, progress=progress)
    runs: dict[tuple[str, float, str], list[bp.Run]] = {}
    for (topology, per, name, _), run in zip(keys, made, strict=True):
        runs.setdefault((topology.id, per, name), []).append(run)
    return Reproduction(tuple(seeds), runs)


def variants_table(result: Reproduction, topology: Topology) -> tuple[list[str], list[list[str]]]:
    """Every variant at every packet error rate: goodput, loss by cause, queueing delay, Jain's index, cuts."""
    head = [
        "PER",
        "variant",
        "goodput Mbit/s",
        "against hybla",
        "loss %",
        "of it queue",
        "queue ms",
        "Jain",
        "cuts",
        "RTOs",
    ]
    rows = []
    for per in PERS:
        base = result.goodput(topology, per, "hybla")
        for variant in VARIANTS:
            runs = result.runs[topology.id, per, variant]
            good = result.goodput(topology, per, variant)
            change = "–" if variant == "hybla" else _percent(relative_change(good, base))
            rows.append(
                [
                    f"{per:g}",
                    variant,
                    estimate(good).text(3),
                    change,
                    estimate(result.loss_percent(topology, per, variant)).text(2),
                    estimate([100 * x for x in result.totals(topology, per, variant, "loss_ratio_queue")]).text(2),
                    estimate([mean_of(run, "queueing_delay_ms") for run in runs]).text(1),
                    estimate(result.totals(topology, per, variant, "jain_index")).text(3),
                    estimate([sum(float(f["cuts"]) for f in run.summary["flows"]) for run in runs]).text(0),
                    estimate([sum(float(f["timeouts"]) for f in run.summary["flows"]) for run in runs]).text(0),
                ]
            )
    return head, rows


def mean_of(run: bp.Run, name: str) -> float:
    """Mean over all samples of all flows of a distribution in the summary; zero without samples."""
    parts: list[Any] = [flow[name] for flow in run.summary["flows"] if flow.get(name)]
    samples = sum(int(part["samples"]) for part in parts)
    return sum(float(part["mean"]) * int(part["samples"]) for part in parts) / samples if samples else 0.0


def _percent(change: Estimate) -> str:
    return f"{change.mean:+.1f} ± {change.half_width:.1f} %"
