# SPDX-License-Identifier: MIT OR Apache-2.0
"""Compare controllers in the same scenario, paired by seed."""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from bentpipe import _core
from bentpipe.base import arguments
from bentpipe.base import progress as _progress
from bentpipe.base.errors import BentpipeError
from bentpipe.base.files import refuse_foreign
from bentpipe.base.json import tables
from bentpipe.base.stats import CHANGE, Estimate, estimate, fixed, interval_columns, relative_change
from bentpipe.base.tables import Table
from bentpipe.results import felt, rank, split, transfers
from bentpipe.results.metrics import BY_KEY, COMPLETION, METRICS, Asked, Metric, There, completion_least, known, read
from bentpipe.results.summaries import number
from bentpipe.runs.folders import Folders
from bentpipe.runs.run import Run
from bentpipe.runs.seeds import is_one_run, without_chance
from bentpipe.scenario import presets
from bentpipe.scenario.bench import Bench
from bentpipe.scenario.choice import Choice, choices

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Iterable, Mapping, Sequence

    import pandas as pd
    from matplotlib.figure import Figure

    from bentpipe.results.summary_types import Summary
    from bentpipe.scenario.classes import Scenario

#: Kinds of flows whose starts the jitter delays.
NO_JITTER = "off"
#: The title of a scenario without a name.
UNTITLED = "untitled"
#: Largest number of flows that have a column each. With more flows, the table has only the sum.
_FLOWS_SHOWN = 4
#: Names of files that the command writes in addition to run folders.
_WRITTEN = [f"*-{picture}.{form}" for picture in ("compare", "windows") for form in ("png", "svg", "pdf")] + ["*.csv"]


@dataclass(frozen=True, repr=False)
class Comparison:
    """Runs of one scenario with several controllers. All controllers have the same seeds.

    Attributes:
        controllers: Names (with parameters as ``cubic{beta=0.8}``) in the requested order. The first is the baseline. A
            controller whose runs all failed is left out.
        seeds: The requested seeds.
        runs: Runs by controller, in the order of the seeds, without failed runs. A controller without random numbers
            has runs
            of only the first seeds.
        failed: The errors of runs that failed, by controller and seed.
        left_out: Controllers that "all" leaves out, because the scenario lacks signals that they need, each with these
            signals.
        asked: The flows whose controller was replaced. All numbers except the totals are of these flows.
        without_chance: Controllers whose runs are equal for all seeds, so their numbers have no interval.
        jitter: Largest delay of the starts of flows, drawn by seed; None if flows start as in the scenario.
        notes: Notes for readers of the numbers: default queues, the jitter, controllers without random numbers.
        resumed: Number of runs that were found in the folder.
    """

    controllers: tuple[str, ...]
    seeds: tuple[int, ...]
    runs: dict[str, list[Run]]
    failed: dict[tuple[str, int], BentpipeError] = field(default_factory=dict)
    left_out: dict[str, str] = field(default_factory=dict)
    asked: Asked = field(default_factory=Asked)
    without_chance: frozenset[str] = frozenset()
    jitter: str | None = None
    notes: tuple[str, ...] = ()
    resumed: int = 0

    def __repr__(self) -> str:
        """Return the controllers and the number of seeds."""
        return f"<Comparison of {', '.join(self.controllers)} over {len(self.seeds)} seeds>"

    def _repr_html_(self) -> str:
        """Return the table and the picture as HTML, for notebooks."""
        from bentpipe.show.pages.notebook import snippet

        seeds = len(self.seeds)
        title = f"{self.runs[self.controllers[0]][0].name}: mean over {seeds} seed{'s' if seeds > 1 else ''}"
        return snippet(title, self.notes, *cells(self, self.controllers), self.plot())

    def values(self, controller: str, metric: str) -> list[float]:
        """Return the known values of a number (of `metrics`, or of the summary's totals), by seed."""
        return [value for value in self.by_seed(controller, metric).values() if value is not None]

    def by_seed(self, controller: str, metric: str) -> dict[int, float | None]:
        """Return a number by seed. Without random numbers, every requested seed has the same number.

        Raises:
            ArgumentError: If the controller or the number is unknown.
        """
        if controller not in self.runs:
            raise arguments.known("controller", controller, self.runs)
        runs = self.runs[controller]
        there = known(runs[0].summary["totals"])
        if metric not in there:
            raise arguments.known("number", metric, there)
        found = {run.summary["provenance"]["seed"]: read(metric, run.summary, self.asked) for run in runs}
        if controller in self.without_chance:
            return dict.fromkeys(self.seeds, next(iter(found.values())))
        return found

    def estimate(self, controller: str, metric: str) -> Estimate:
        """Return the mean over the seeds, with its 95 % confidence interval; NaN if a seed lacks the number."""
        return self._mean(controller, list(self.by_seed(controller, metric).values()))

    def _mean(self, controller: str, values: list[float | None]) -> Estimate:
        known = [value for value in values if value is not None]
        if not known or len(known) < len(values):
            return Estimate(math.nan, math.inf, 0)
        return fixed(known[0]) if controller in self.without_chance else estimate(known)

    @property
    def metrics(self) -> list[Metric]:
        """The numbers that at least one controller has. A part that equals its whole is left out."""
        values = {one.key: [self.by_seed(name, one.key) for name in self.controllers] for one in METRICS}
        return [
            one
            for one in METRICS
            if any(value is not None for by_seed in values[one.key] for value in by_seed.values())
            and values[one.key] != values.get(one.within)
        ]

    @property
    def flows(self) -> list[str]:
        """The names of the flows. All runs have the same flows."""
        return [flow["name"] for flow in self.runs[self.controllers[0]][0].summary["flows"]]

    def flow_estimate(self, controller: str, flow: str, metric: str = "goodput_mbit_s") -> Estimate:
        """Return the mean of a number of one flow over the seeds, with its 95 % confidence interval."""
        flows = [{f["name"]: f for f in run.summary["flows"]}[flow] for run in self.runs[controller]]
        return self._mean(controller, [number(f, metric) for f in flows])

    @property
    def there(self) -> There:
        """The kinds of the compared flows."""
        return self.asked.there(self.runs[self.controllers[0]][0].summary)

    @property
    def main(self) -> str:
        """The key of the main number.

        The main number is the median completion time if every compared flow ends. It is the median time of a visit if
        all compared flows are applications. Otherwise, it is goodput.
        """
        return self.there.main

    def text(self, controller: str, metric: str) -> str:
        """Return the printed text of a number: mean ± interval, or ``> 120 s, 0 of 5 done`` (not finished)."""
        one = self.estimate(controller, metric)
        if not math.isnan(one.mean) or metric not in COMPLETION:
            return BY_KEY[metric].text(one)
        found = self.unfinished(controller, metric)
        return "–" if found is None else transfers.unfinished(*found)

    def unfinished(self, controller: str, metric: str = "completion_median_s") -> tuple[float, int, int] | None:
        """Return a lower bound of a completion time in seconds, and the numbers of finished and of all transfers.

        The bound is the mean over the seeds. A transfer that is not finished took at least the time from its start to
        the end of the run. None if the compared flows have no size.
        """
        runs = [run.summary for run in self.runs[controller][: 1 if controller in self.without_chance else None]]
        bounds = [bound for run in runs if (bound := completion_least(metric, run, self.asked)) is not None]
        if not bounds:
            return None
        every = [flow for run in runs for flow in self.asked.transfers(run)]
        return math.fsum(bounds) / len(bounds), transfers.done(every), len(every)

    def size_text(self, controller: str, group: transfers.Transfers) -> str:
        """Return the median completion time of the transfers of one name and size as printed, without its unit."""
        return replace(self, asked=Asked(group.flows, (group,))).text(controller, "completion_median_s")

    def change(self, controller: str, metric: str | None = None, *, base: str | None = None) -> Estimate:
        """Return the paired change of a number in percent against `base`. Defaults: `main`, and the first controller.

        The change is computed for each seed and then averaged; it is not the change of the means. A seed counts only if
        both of its runs finished. The result is NaN if there is no such seed, or if the base is 0.
        """
        other, metric = base or self.controllers[0], metric or self.main
        ours, theirs = self.by_seed(controller, metric), self.by_seed(other, metric)
        pairs = [(ours[seed], theirs[seed]) for seed in ours if seed in theirs]
        known = [(a, b) for a, b in pairs if a is not None and b]
        if not known or len(known) < len(pairs):
            return Estimate(math.nan, math.inf, 0)
        change = relative_change([a for a, _ in known], [b for _, b in known])
        return fixed(change.mean) if self.without_chance.issuperset((controller, other)) else change

    def difference(self, other: Comparison, controller: str, metric: str | None = None) -> Estimate:
        """Return the paired difference of a number from the same number in a comparison of another scenario.

        The default number is `main`. For each seed, the number of `other` is subtracted from the number of this
        comparison. The result is NaN if a common seed lacks the number, or if there is no common seed.

        Raises:
            ArgumentError: If the controller or the number is unknown in one of the two comparisons.
        """
        metric = metric or self.main
        ours, theirs = self.by_seed(controller, metric), other.by_seed(controller, metric)
        pairs = [(ours[seed], theirs[seed]) for seed in ours if seed in theirs]
        known = [a - b for a, b in pairs if a is not None and b is not None]
        if not known or len(known) < len(pairs):
            return Estimate(math.nan, math.inf, 0)
        is_fixed = controller in self.without_chance and controller in other.without_chance
        return fixed(known[0]) if is_fixed else estimate(known)

    def aim(self, name: str) -> rank.Aim:
        """Return the terms of an aim (of `bentpipe compare --for`) for these flows.

        Raises:
            ScenarioError: If the aim is unknown, or not meaningful for these flows.
        """
        there = self.there
        rank.check([name], there)
        return rank.aim(name, there)

    def ranking(self, aim: str = "balanced") -> list[rank.Place]:
        """Return the controllers in order for an aim; controllers that are not separated share a rank."""
        return rank.ranking(self, self.aim(aim))

    def table(self) -> Table:
        """Return every number of every run. Columns: `controller`, `seed`, and the metrics, each with its unit."""
        import pyarrow as pa

        rows = [
            {"controller": name, "seed": run.summary["provenance"]["seed"]}
            | {key: read(key, run.summary, self.asked) for key in BY_KEY}
            for name in self.controllers
            for run in self.runs[name]
        ]
        kinds = {"controller": pa.string(), "seed": pa.int64()} | dict.fromkeys(BY_KEY, pa.float64())
        return Table(pa.Table.from_pylist(rows, schema=pa.schema(list(kinds.items()))))

    def means(self) -> Table:
        """Return a row for each controller: the mean of every number over the seeds, and the ends of its 95 % interval.

        A number has three columns: its name, and the name with ``_low`` and ``_high``. The three columns are empty if a
        seed lacks the number. No interval goes beyond the possible values of its number (for a share, 0 to 1). Two
        seeds are too few for an interval. The last number is the paired change of the main number (`main`), in percent
        of the main number of the first controller. Its name is ``completion_change_percent`` if every flow ends,
        ``visit_change_percent`` if all flows are applications, and otherwise ``goodput_change_percent``.
        """
        import pyarrow as pa

        rows = []
        for name in self.controllers:
            row: dict[str, object] = {"controller": name, "seeds": len(self.runs[name])}
            for metric in self.metrics:
                row |= interval_columns(metric.key, self.estimate(name, metric.key), metric.bounds)
            if name != self.controllers[0]:
                row |= interval_columns(f"{self.main.partition('_')[0]}_change_percent", self.change(name), CHANGE)
            rows.append(row)
        names = dict.fromkeys(key for row in reversed(rows) for key in row)
        return Table(pa.Table.from_pylist([{key: row.get(key) for key in names} for row in rows]))

    def ranks(self, aim: str = "balanced") -> Table:
        """Return `ranking` as a table: rank, controller, score and paired difference, with intervals."""
        import pyarrow as pa

        rows = [
            {"rank": place.rank, "controller": place.controller}
            | interval_columns("score", place.score)
            | interval_columns("behind", place.behind)
            | {"verdict": place.verdict}
            for place in self.ranking(aim)
        ]
        return Table(pa.Table.from_pylist(rows))

    def to_pandas(self, aim: str | None = None) -> pd.DataFrame:
        """Return `means` as a pandas data frame. With an aim, it has the columns and the order of `ranks`."""
        means = self.means().to_pandas()
        return means if aim is None else self.ranks(aim).to_pandas().merge(means, on="controller", how="left")

    def to_csv(self, file: str | os.PathLike[str] | None = None) -> str | Path:
        """Write `table` as CSV and return the file; without `file`, return the text."""
        return self.table().to_csv(file)

    def plot(self, of: str | Sequence[str] | None = None, *, size: tuple[float, float] | None = None) -> Figure:
        """Draw dots with 95 % intervals, a panel per number. Controllers are sorted by the number.

        The baseline and controllers that are not in the catalogue are marked. An axis is logarithmic if the means span
        more than a factor of ten.

        Args:
            of: Keys of numbers (`metrics`), also as text with commas. The default is the numbers that separate
                controllers.
            size: Width and height in inches. The default is 9 inches wide and as high as needed.

        Raises:
            ArgumentError: If a number is unknown.
        """
        from bentpipe.show.pictures import dots

        return dots.compared(self, keys(of), size)

    def plot_windows(self) -> Figure:
        """Draw the windows of the compared flows over time, a panel per controller, from the runs of the first seed."""
        from bentpipe.show.pictures import windows

        runs = [(Choice.of(name).label, self.runs[name][0]) for name in self.controllers]
        return windows.windows(runs, self.asked.flows)


def compare(
    scenario: str | os.PathLike[str] | Scenario,
    controllers: str | Sequence[str | Mapping[str, object]],
    *,
    seeds: int | Iterable[int] = 5,
    transport: str | Sequence[str] = (),
    flows: str | Sequence[str] | None = None,
    jitter: str | None = None,
    duration: str | None = None,
    out: str | os.PathLike[str] | None = None,
    threads: int | None = None,
    progress: Callable[[int, int], None] | bool | None = None,
    force: bool = False,
    costly: bool = False,
) -> Comparison:
    """Run a scenario with each of several controllers over the same seeds.

    A failed run does not affect other runs; `Comparison.failed` has its error. If the scenario draws no random numbers,
    the first two seeds give equal runs, and the other seeds are not run.

    Args:
        scenario: A file, TOML text, or a `Scenario`.
        controllers: Names (`bentpipe.controllers`), tables of a name and parameters (``{"name": "cubic", "beta":
            0.8}``), or text as on the command line (``"cubic{beta=0.8},bbr3"``). The first is the baseline of
            `Comparison.change`. ``"all"`` selects every controller of the catalogue whose required signals exist.
            `Comparison.left_out` has the other controllers.
        seeds: A list of seeds, or the number of seeds (from seed 1). Runs with the same seed have the same losses on
            the same links.
        transport: ``"tcp"``, ``"quic"`` or ``"tcp,quic"``: each controller is run over each of these transports, and is
            called for example ``"cubic over quic"``. By default the flows keep their transport.
        flows: Names (or patterns, ``"web*"``) of the flows whose controller is replaced and whose numbers are shown.
            The default is all TCP flows and applications.
        jitter: Largest delay of the start of each flow, for example ``"600 ms"``. The delay is drawn by seed and equal
            for all controllers. It varies the arbitrary phases of flows. By default, or with ``"off"``, flows start as
            in the scenario.
        duration: Replaces the scenario's duration, for example ``"10 s"``.
        out: Folder for the run folders ``<controller>-s<seed>``. Without a folder, nothing is written. Existing runs of
            the same scenario and build in this folder are not repeated.
        threads: Number of runs at a time, by default one per processor. Results do not depend on this number.
        progress: Function that is called with (done, all) when runs finish. True shows the progress on stderr.
        force: Write into `out` even if it has other files. Files of a comparison are replaced; other files stay.
        costly: Make a run even if it needs more memory or disk than is free, by the estimate (`estimate_cost`).

    Raises:
        ScenarioError: If the scenario or an argument cannot be used, a controller, a parameter or a flow is unknown, or
            `out` has other files. Then no run begins.
        BentpipeError: If no run of the first controller could be made or written. The error is that of the first run.
    """
    numbers = tuple(dict.fromkeys(arguments.seeds(seeds)))
    place = arguments.place("out", out)
    refuse_foreign(place, _WRITTEN, force=force)
    chosen, unasked = choices(controllers, transports(transport))
    for choice in chosen:
        choice.check()
    bench = Bench(scenario, duration=arguments.quantity("duration", duration, "10 s"))
    wanted = None if flows is None else [one.strip() for one in flows.split(",")] if isinstance(flows, str) else flows
    late = None if jitter in (None, NO_JITTER) else jitter
    targets = bench.targets(wanted)
    with _progress.shown(progress, "runs") as update:
        kept: Folders[tuple[str, int]] = Folders(threads=threads, progress=update)
        by_key = {one.key: one for one in chosen}
        made = _Runs(by_key, bench, targets, late, place, kept, force, costly).all(numbers)
    asked = Asked(None if wanted is None else bench.numbers(targets), bench.transfers(targets))
    result = _sorted_out([one.key for one in chosen], numbers, made, unasked)
    result = replace(result, asked=asked, jitter=late, resumed=kept.resumed)
    return replace(result, notes=_notes(bench, result, wanted))


def transports(asked: str | Sequence[str]) -> Sequence[str]:
    """Return the transports of a comparison, also from text with commas."""
    return [one.strip() for one in asked.split(",")] if isinstance(asked, str) and asked else asked


def table_of(results: Mapping[str, Comparison]) -> Table:
    """Return every number of every run of several comparisons, with the name of the scenario."""
    import pyarrow as pa

    parts = []
    for name, result in results.items():
        part = result.table().arrow
        parts.append(part.add_column(0, "scenario", pa.array([name] * len(part), pa.string())))
    return Table(pa.concat_tables(parts))


def by_title(results: Mapping[str, Comparison]) -> dict[str, Comparison]:
    """Return comparisons by the title of their scenario, or by their name if a title is missing or not unique."""
    titles = [next(iter(result.runs.values()))[0].name for result in results.values()]
    return {
        name if title == UNTITLED or titles.count(title) > 1 else title: result
        for title, (name, result) in zip(titles, results.items(), strict=True)
    }


def direction_notes(results: Mapping[str, Comparison]) -> list[str]:
    """Return a note if scenarios with network presets compare an upload with a download."""
    found: dict[str, list[str]] = {"download": [], "upload": []}
    for name, result in results.items():
        run = next(iter(result.runs.values()))[0]
        ends = presets.ends_of(run.provenance.get("preset"))
        if ends is None:
            continue
        for flow in result.asked.of(run.summary):
            way = "download" if flow["to"] == ends["terminal"] else "upload" if flow["from"] == ends["terminal"] else ""
            if way and name not in found[way]:
                found[way].append(name)
    if not found["download"] or not found["upload"]:
        return []
    return [
        f"an upload is compared with a download: the flows go to the terminal in {', '.join(found['download'])}, and "
        f'come from the terminal in {", ".join(found["upload"])} (set `from` and `to` to "server" and "terminal")'
    ]


@dataclass
class _Runs:
    """The runs of a comparison, by controller and seed."""

    chosen: dict[str, Choice]
    bench: Bench
    targets: frozenset[int]
    jitter: str | None
    out: Path | None
    kept: Folders[tuple[str, int]]
    force: bool
    costly: bool
    _texts: dict[tuple[str, int], str] = field(default_factory=dict)

    def all(self, seeds: Sequence[int]) -> dict[tuple[str, int], Run | BentpipeError]:
        """Make all required runs. If the first two runs are equal, make no run of the other seeds."""
        has_chance = self.jitter is not None or self.bench.has_chance(self.targets)
        fixed = without_chance([] if has_chance else list(self.chosen), seeds, self._make, self._result)
        self._make([key for key in self.chosen if key not in fixed], seeds)
        return self.kept.results

    def _make(self, some: Iterable[str], seeds: Sequence[int]) -> None:
        names = _folder_names(self.chosen.values())
        wanted = {}
        for key, seed in itertools.product(some, seeds):
            if (key, seed) not in self.kept.results:
                folder = None if self.out is None else self.out / f"{names[key]}-s{seed}"
                wanted[key, seed] = self._job(key, seed, folder), folder
        self.kept.make(wanted)

    def _job(self, key: str, seed: int, folder: Path | None) -> _core.Job:
        place = key, seed if self.jitter is not None else 0
        if place not in self._texts:
            self._texts[place] = self.bench.variant(self.chosen[key], self.targets, jitter=self.jitter, seed=seed)
        return _core.Job(
            self._texts[place],
            # Paths in the resolved text are relative to the current folder, not to the scenario's.
            f"{Path(self.bench.origin).name} with {key.replace('/', '-')}",
            seed=seed,
            out=None if folder is None else str(folder),
            force=self.force,
            costly=self.costly,
        )

    def _result(self, key: str, seed: int) -> Summary | BentpipeError:
        run = self.kept.results[key, seed]
        return run.summary if isinstance(run, Run) else run


def _folder_names(chosen: Iterable[Choice]) -> dict[str, str]:
    """Return unique prefixes of the names of folders."""
    names: dict[str, str] = {}
    for choice in chosen:
        taken = sum(name == choice.folder for name in names.values())
        names[choice.key] = f"{choice.folder}-{taken + 1}" if taken else choice.folder
    return names


def _sorted_out(
    names: Sequence[str], seeds: tuple[int, ...], made: dict[tuple[str, int], Run | BentpipeError], unasked: set[str]
) -> Comparison:
    """Sort the results into runs, errors, and controllers of "all" that cannot run here."""
    failed = {pair: result for pair, result in made.items() if isinstance(result, BentpipeError)}
    left_out = {
        name: error.message for (name, _), error in failed.items() if name in unasked and error.code == "signal-missing"
    }
    failed = {pair: error for pair, error in failed.items() if pair[0] not in left_out}
    runs: dict[str, list[Run]] = {name: [] for name in names if name not in left_out}
    for name, seed in itertools.product(runs, seeds):
        if isinstance(result := made.get((name, seed)), Run):
            runs[name].append(result)
    if runs and not next(iter(runs.values())):
        raise next(iter(failed.values()))
    runs = {name: some for name, some in runs.items() if some}
    return Comparison(
        controllers=tuple(runs),
        seeds=seeds,
        runs=runs,
        failed=failed,
        left_out=left_out,
        without_chance=frozenset(name for name, some in runs.items() if is_one_run([run.summary for run in some])),
    )


def _notes(bench: Bench, found: Comparison, flows: Sequence[str] | None) -> tuple[str, ...]:
    """Return the notes on the numbers."""
    first: list[Run] = next(iter(found.runs.values()), [])
    notes = [*presets.lines(run.provenance.get("preset") for run in first[:1]), bench.queue_line()]
    if flows is not None:
        notes.append(f"only the controller of {', '.join(flows)} is replaced; all numbers describe only these flows")
    for run in first[:1]:
        compared = frozenset(flow["flow"] for flow in found.asked.of(run.summary))
        notes.append(split.kept_controllers(run.summary, tables(bench.document, "peps"), compared))
    if any(felt.is_mixed(run.summary, found.asked) for run in first[:1]):
        notes.append(felt.MIXED)
    if len(found.seeds) > 1 and any(felt.count(run.summary, found.asked) for run in first[:1]):
        notes.append(felt.PER_RUN)
    if _opens_by_quic_alone(found):
        notes.append(
            "QUIC connections begin with a handshake, but TCP connections are already established when their flow "
            'starts, so TCP is one round trip ahead (write tcp = { setup = "handshake" })'
        )
    if found.jitter is not None:
        notes.append(
            f"jitter of starts: each flow starts up to {found.jitter} later; the random delay depends on the seed and "
            "is equal for all controllers"
        )
    same = [name for name in found.controllers if name in found.without_chance]
    if same:
        alone = len(same) == len(found.controllers)
        who = "" if alone else f" with {', '.join(same)}"
        notes.append(
            f"this scenario draws nothing at random{who}: every seed gives the same run, so intervals have no "
            f"meaning, and a small lead may be an accident of timing{_way_out(found)}"
        )
    if len(found.seeds) == 1:
        notes.append("one seed, so there is no interval")
    return tuple(note for note in notes if note)


def _opens_by_quic_alone(found: Comparison) -> bool:
    """Return whether the compared flows run over QUIC in some runs, and over TCP without a handshake in others."""
    compared = [flow for runs in found.runs.values() for run in runs[:1] for flow in found.asked.of(run.summary)]
    # Of the presets, the default alone has no handshake.
    without = [
        tcp
        for flow in compared
        if (tcp := flow["tcp"])
        and ('setup = "none"' in tcp or (tcp.startswith("bentpipe-0.1") and "setup = " not in tcp))
    ]
    return bool(without) and any(flow.get("quic") for flow in compared)


def _way_out(found: Comparison) -> str:
    """Return a hint to vary the starts within one round trip; empty with a single flow."""
    flows = next(iter(found.runs.values()))[0].summary["flows"]
    trips = [rtt["min"] for flow in flows if (rtt := flow.get("rtt_ms"))]
    if found.jitter is not None or len(flows) < 2 or not trips:
        return ""
    return f' (a jitter of "{min(trips):.0f} ms" draws random starts within a round trip)'


def keys(of: str | Sequence[str] | None) -> tuple[str, ...]:
    """Return the keys of numbers, also from text with commas; empty for None.

    Raises:
        ArgumentError: If a number is unknown.
    """
    if of is None:
        return ()
    found = tuple(one.strip() for one in (of.split(",") if isinstance(of, str) else of))
    for one in found:
        if one not in BY_KEY:
            raise arguments.known("number", one, BY_KEY)
    return found


def aim_keys(results: Iterable[Comparison], aim: str) -> list[str]:
    """Return the numbers of an aim in some comparisons, the heaviest first as in its formula."""
    return list(dict.fromkeys(key for result in results for key, _ in result.aim(aim).terms))


def change_note(result: Comparison, key: str) -> str:
    """Return a note on the computation of the changes in percent; empty without random numbers or this column."""
    if len(result.controllers) < 2 or len(result.seeds) < 2 or result.without_chance.issuperset(result.controllers):
        return ""
    return (
        f"{BY_KEY[key].label} against {result.controllers[0]}: the change is computed for each seed and then averaged; "
        "it is not the change of the means"
    )


def cells(result: Comparison, order: Sequence[str], of: Sequence[str] = ()) -> tuple[list[str], list[list[str]]]:
    """Return heading and rows of the table of a comparison. `of` restricts the table to some numbers."""
    if of:
        return _asked_cells(result, order, of)
    base, ends = result.controllers[0], result.there.ends
    seldom = {one.key for one in METRICS if one.is_seldom} | ({"finished_percent"} if _all_done(result) else set())
    if ends:
        # If all flows end, completion times and goodput contain the same information.
        seldom |= {"goodput_mbit_s", "others_goodput_mbit_s"}
    metrics = [one for one in result.metrics if one.key not in seldom]
    flows = result.flows if 1 < len(result.flows) <= _FLOWS_SHOWN and not ends else []
    sizes = result.asked.groups if 1 < len(result.asked.groups) <= _FLOWS_SHOWN else ()
    what = BY_KEY[result.main].label
    against = [f"{what} against {base}"] if len(result.controllers) > 1 else []
    head = ["controller", *(one.heading for one in metrics), *(f"{group.label} s" for group in sizes)]
    head += [*(f"{flow} Mbit/s" for flow in flows), *against]
    rows = []
    for name in order:
        row = [result.text(name, one.key) for one in metrics]
        row += [result.size_text(name, group) for group in sizes]
        row += [result.flow_estimate(name, flow).text(3, bounds=BY_KEY["goodput_mbit_s"].bounds) for flow in flows]
        row += ["–" if name == base else result.change(name).text(1, "%", sign=True, bounds=CHANGE)] * len(against)
        rows.append([Choice.of(name).label, *row])
    return head, rows


def _asked_cells(result: Comparison, order: Sequence[str], of: Sequence[str]) -> tuple[list[str], list[list[str]]]:
    """Return the table of some numbers, and the change of the first number."""
    base, first = result.controllers[0], BY_KEY[of[0]]
    against = [f"{first.label} against {base}"] if len(result.controllers) > 1 else []
    rows = []
    for name in order:
        change = "–" if name == base else result.change(name, first.key).text(1, "%", sign=True, bounds=CHANGE)
        rows.append([Choice.of(name).label, *(result.text(name, key) for key in of), *[change] * len(against)])
    return ["controller", *(BY_KEY[key].heading for key in of), *against], rows


def _all_done(result: Comparison) -> bool:
    return all(value == 100.0 for name in result.controllers for value in result.values(name, "finished_percent"))
