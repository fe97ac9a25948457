# SPDX-License-Identifier: MIT OR Apache-2.0
"""Runs: making them, reading them back, and what came out of them."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass, fields
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Literal, overload

from bentpipe import _core
from bentpipe.base import arguments, reading
from bentpipe.base import progress as _progress
from bentpipe.base.damage import damaged
from bentpipe.base.errors import BatchError, BentpipeError, ScenarioError
from bentpipe.base.files import content
from bentpipe.base.reading import Origin
from bentpipe.base.tables import TABLES, Made, Stored, Table
from bentpipe.results import summaries
from bentpipe.scenario.document import TomlDocument, text_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    import pyarrow as pa
    from matplotlib.figure import Figure

    from bentpipe.results.summary_types import Finding, LinkSummary, Provenance, Summary
    from bentpipe.scenario.classes import Scenario
    from bentpipe.show.viewer.show import Frame


@dataclass(frozen=True, repr=False)
class Run:
    """What came out of a run.

    A run that was read back from its folder reads a table when it is first asked for. Runs can be pickled, so that
    other processes and machines can make them: with the place of the folder if there is one, otherwise with the tables.

    Attributes:
        scenario: The resolved scenario as TOML. Files that it names are named from `folder`, or from here without one.
        summary: The numbers, as in ``summary.json`` (`bentpipe schema summary`).
        folder: Where the run was written, if it was.
    """

    scenario: str
    summary: Summary
    _tables: Callable[[str], Table]
    folder: Path | None = None

    def __repr__(self) -> str:
        """Name, seed and how many flows."""
        flows = len(self.summary["flows"])
        return f"<Run of {self.name!r}, seed {self.provenance['seed']}: {flows} flow{'s' if flows != 1 else ''}>"

    def _repr_html_(self) -> str:
        """Its numbers and a picture, for notebooks."""
        from bentpipe.show.pages import notebook

        return notebook.run(self)

    @cached_property
    def flows(self) -> Table:
        """Series per flow."""
        return self._tables("flows")

    @cached_property
    def parts(self) -> Table:
        """Series per part of the flows that proxies split, as in `flows`; without such flows no rows."""
        return self._tables("parts")

    @cached_property
    def links(self) -> Table:
        """Series per link."""
        return self._tables("links")

    @cached_property
    def paths(self) -> Table:
        """Paths between the flows' sites over time."""
        return self._tables("paths")

    @cached_property
    def events(self) -> Table:
        """Losses, cuts, phase and path changes."""
        return self._tables("events")

    @cached_property
    def snapshots(self) -> Table:
        """The controllers' own numbers over time."""
        return self._tables("snapshots")

    @cached_property
    def packets(self) -> Table:
        """Single packets, if they were asked for."""
        return self._tables("packets")

    @cached_property
    def visits(self) -> Table:
        """Visits of application flows: transfers, pages, films, requests; a row each."""
        return self._tables("visits")

    @cached_property
    def weather(self) -> Table:
        """How links with a budget stood in the weather: rain, Es/N0, modulation and code, rate; stretch by stretch."""
        return self._tables("weather")

    @cached_property
    def nodes(self) -> Table:
        """The network's nodes, and where they stand on the ground."""
        return self._tables("nodes")

    @cached_property
    def link_ends(self) -> Table:
        """Between which nodes links lead."""
        return self._tables("link_ends")

    @cached_property
    def positions(self) -> Table:
        """Where satellites are, every five minutes or more often, for cubic Hermite interpolation (within 1 km)."""
        return self._tables("positions")

    def _some(self, name: str, columns: Sequence[str]) -> pa.Table:
        """Some columns of a table: of one in a folder the others are not read."""
        if isinstance(self._tables, Stored):
            return self._tables(name, columns).arrow
        whole = self._tables(name).arrow
        return whole.select(columns) if whole.num_columns else whole

    def _rows(self, name: str) -> int:
        """How many rows a table has: of one in a folder none is read."""
        return self._tables.rows(name) if isinstance(self._tables, Stored) else len(self._tables(name))

    @property
    def captures(self) -> list[Path]:
        """The packet captures and logs in the run folder, by name; none without a folder."""
        return [] if self.folder is None else sorted((self.folder / "captures").glob("*"))

    def __getstate__(self) -> dict[str, object]:
        """What is pickled: tables that were looked at can be had again."""
        return {field.name: getattr(self, field.name) for field in fields(self)}

    @property
    def provenance(self) -> Provenance:
        """Where the numbers come from: scenario, seed, build, ground, and what weakens them."""
        return self.summary["provenance"].copy()

    @property
    def name(self) -> str:
        """The scenario's name."""
        return self.provenance["scenario_name"]

    @property
    def warnings(self) -> list[str]:
        """What a reader of its numbers must know: why the run is degraded, where it is, and what the path was like."""
        return [*self.provenance.get("degraded", ()), *self.provenance.get("path_notes", ())]

    @property
    def findings(self) -> list[Finding]:
        """What no transport in use does for so long, as in the summary: runaway windows and rates, long recoveries."""
        return [finding.copy() for finding in self.summary.get("findings", ())]

    def plot(self) -> Figure:
        """Throughput, windows, round-trip times and losses over time."""
        from bentpipe.show.pictures import overview

        return overview.overview(self)

    def numbers(self) -> Table:
        """The summary's numbers flow by flow, a row each; those in a table of their own as `rtt_ms_p95`."""
        import pyarrow as pa

        return Table(pa.Table.from_pylist([flat(flow) for flow in self.summary["flows"]]))

    def to_csv(self, folder: str | os.PathLike[str]) -> Path:
        """Write `numbers` and every table that has rows into a folder, as CSV; returns the folder.

        Raises:
            RunError: If a file cannot be written.
        """
        place = Path(folder)
        self.numbers().to_csv(place / "numbers.csv")
        for name in TABLES:
            if len(table := self._tables(name)):
                table.to_csv(place / f"{name}.csv")
        return place

    def busiest_links(self, count: int = 10) -> list[LinkSummary]:
        """The links with the highest utilisation, as in the summary, the busiest first."""
        return sorted(self.summary["links"], key=lambda link: -link["utilisation"])[:count]

    def plot_links(self, count: int = 30) -> Figure:
        """Utilisation of the busiest links over time."""
        from bentpipe import plots

        return plots.links(self, count)

    def plot_visits(self, *other: Run) -> Figure:
        """What the users of applications felt: how long visits took, and their slow-down by size.

        Args:
            other: More runs, beside this one; named after their controllers where these differ, otherwise numbered.

        Raises:
            ArgumentError: If no flow is an application.
        """
        from bentpipe.results import visits as _visits
        from bentpipe.show.pictures import visits as _visits_picture

        runs = [self, *other]
        names = [", ".join(dict.fromkeys(str(flow["controller"]) for flow, _ in _visits.flows_of(run))) for run in runs]
        if len(runs) == 1:
            names = [""]
        elif len(set(names)) < len(runs):
            names = [f"run {number + 1}" for number in range(len(runs))]
        return _visits_picture.figure(list(zip(names, runs, strict=True)))

    def view(self, *other: Run, height: int = 800) -> Frame:
        """The viewer for a notebook: what the function returns shows itself there, in a frame, without a server.

        The page is in the notebook, so that it can be sent and opened anywhere: of a long run the finest detail is left
        out (at most 4 MB). All of it shows ``bentpipe view`` with the run folder.

        Args:
            other: More runs, laid over this one.
            height: Of the frame, in pixels.

        Raises:
            RunError: If a table is damaged, or the run too large for a notebook.
        """
        from bentpipe.show.viewer import show

        return show.frame([self, *other], arguments.whole("height", height, 100, 10_000))

    def report(self, file: str | os.PathLike[str]) -> Path:
        """Write a self-contained HTML page about the run, and return its path."""
        from bentpipe.show.pages import run as _report

        return _report.write_run(self, Path(file))


def flat(table: Mapping[str, object], before: str = "") -> dict[str, object]:
    """A nested table as one level; the keys of an inner table follow its own: `rtt_ms_p95`."""
    rows: dict[str, object] = {}
    for key, value in table.items():
        rows |= flat(value, f"{before}{key}_") if isinstance(value, dict) else {f"{before}{key}": value}
    return rows


def path_lines(notes: Mapping[str, Sequence[str]]) -> list[str]:
    """What runs of one scenario say of their path, whoever sent there: `path_notes` of summaries, by seed ("seed 5").

    What all of them say is told once. Where seeds differ (it rains otherwise) the first with something else to tell is.
    """
    alike = [line for line in next(iter(notes.values()), ()) if all(line in some for some in notes.values())]
    others = {seed: [line for line in some if line not in alike] for seed, some in notes.items()}
    others = {seed: some for seed, some in others.items() if some}
    if not others:
        return alike
    seed, told = next(iter(others.items()))
    return [*alike, *(f"{line} ({seed}; such notes in {len(others)} of {len(notes)})" for line in told)]


def finding_lines(runs: Sequence[Run]) -> list[str]:
    """The findings of runs of one scenario and controller: the worst of each flow and kind, and in how many runs.

    A line holds its finding's kind, text and seed.
    """
    worst: dict[tuple[int, str], tuple[Finding, int]] = {}
    count: dict[tuple[int, str], int] = {}
    for run in runs:
        for finding in run.findings:
            key: tuple[int, str] = finding["flow"], finding["kind"]
            count[key] = count.get(key, 0) + 1
            if key not in worst or finding["magnitude"] > worst[key][0]["magnitude"]:
                worst[key] = finding, run.provenance["seed"]
    lines = []
    for key, (finding, seed) in sorted(worst.items()):
        line = f"{finding['kind']}: {finding['text']}"
        if len(runs) > 1:
            line += f" (seed {seed}; the worst of {count[key]} in {len(runs)} runs)"
        lines.append(line)
    return lines


def job(
    scenario: str | os.PathLike[str] | Scenario,
    *,
    seed: int | None = None,
    duration: str | None = None,
    out: str | os.PathLike[str] | None = None,
    pcap: Sequence[str] | None = None,
    pcap_links: Sequence[str] | None = None,
    qlog: Sequence[str] | None = None,
    force: bool = False,
    costly: bool = False,
    estimate: bool = False,
) -> _core.Job:
    """One run to make, or only to reckon the cost of."""
    text, origin = text_of(scenario)
    folder = arguments.place("out", out)
    captured = {"pcap": _names("pcap", pcap), "pcap_links": _names("pcap_links", pcap_links)}
    captured["qlog"] = _names("qlog", qlog)
    first = next((key for key, names in captured.items() if names), None)
    if folder is None and first is not None and not estimate:
        raise arguments.refuse(f"{first} writes into the run folder, and no folder is named (give out)")
    return _core.Job(
        text,
        origin,
        seed=arguments.seed(seed),
        duration=arguments.quantity("duration", duration, "10 s"),
        out=None if folder is None else str(folder),
        pcap=captured["pcap"],
        pcap_links=captured["pcap_links"],
        qlog=captured["qlog"],
        force=bool(force),
        costly=bool(costly),
    )


def again(run: Run, duration: str | None) -> _core.Job:
    """What a run was made of, to be looked at anew."""
    origin = "<text>" if run.folder is None else str(run.folder / "scenario.toml")
    return _core.Job(run.scenario, origin, duration=arguments.quantity("duration", duration, "10 s"))


def _names(key: str, names: Sequence[str] | None) -> list[str] | None:
    return None if names is None else [str(name) for name in arguments.names(key, names)]


def run_jobs(
    jobs: Sequence[_core.Job],
    folders: Sequence[Path | None],
    *,
    threads: int | None = None,
    progress: Callable[[int, int], None] | None = None,
    keep_refused: bool = False,
) -> list[Run | BentpipeError]:
    """Make runs in parallel; results come in the order of the jobs, the same for any number of threads.

    The error of a run that failed stands in its place. A job that is refused raises before any is run, if it shall not
    be kept as others are.
    """
    at_once, report = arguments.threads(threads), arguments.report(progress)
    results = _core.run_many(jobs, at_once, report, keep_refused=keep_refused)
    return [
        result if isinstance(result, BentpipeError) else wrap(result, folder)
        for result, folder in zip(results, folders, strict=True)
    ]


def whole(results: Sequence[Run | BentpipeError]) -> list[Run]:
    """The runs, if none failed.

    Raises:
        BatchError: If some failed; of a single one its own error.
    """
    runs = [result for result in results if isinstance(result, Run)]
    errors = [result for result in results if isinstance(result, BentpipeError)]
    if not errors:
        return runs
    first = errors[0]
    if len(results) == 1:
        raise first
    raise BatchError(first.code, f"{len(errors)} of {len(results)} runs failed, the first: {first.message}", results)


def run(
    scenario: str | os.PathLike[str] | Scenario,
    *,
    seed: int | None = None,
    duration: str | None = None,
    out: str | os.PathLike[str] | None = None,
    pcap: Sequence[str] | None = None,
    pcap_links: Sequence[str] | None = None,
    qlog: Sequence[str] | None = None,
    progress: bool = False,
    force: bool = False,
    costly: bool = False,
) -> Run:
    """Run a scenario.

    Args:
        scenario: A file, TOML text, or a `Scenario`.
        seed: Instead of the scenario's seed.
        duration: Instead of the scenario's duration, for example ``"10 s"``.
        out: Run folder to write; nothing is written without it. The same run again takes its place; anything else that
            stands there is refused.
        pcap: Names of flows whose packets are captured at both hosts, and at both sides of proxies that split them,
            into ``captures`` of the run folder, instead of those that the scenario names under ``record``. A name that
            several flows share means all of them.
        pcap_links: Names of links at whose ends packets are captured, in the same way; ``*`` stands for anything. The
            packets are those of the flows in `pcap`, or of all flows where it names none.
        qlog: Names of TCP flows that write a qlog there, in the same way; one for each part where proxies split them.
        progress: A line on stderr says that it runs, and for how long.
        force: Replace another run in `out`, too. Files that no run wrote stay where they are.
        costly: Run even if memory or disk will not do by the estimate (`estimate_cost`).

    Returns:
        The run.

    Raises:
        ScenarioError: If the scenario cannot be used (the message says where and how to mend it), something else stands
            in `out`, or the run would need more than is free.
        RunError: If the run cannot be made or written.
    """
    asked = job(
        scenario,
        seed=seed,
        duration=duration,
        out=out,
        pcap=pcap,
        pcap_links=pcap_links,
        qlog=qlog,
        force=force,
        costly=costly,
    )
    folder = None if out is None else Path(out)
    with _progress.shown(progress, "runs") as update:
        if update is None:
            return wrap(_core.run(asked), folder)
        return whole(run_jobs([asked], [folder], threads=1, progress=update))[0]


@overload
def run_many(
    scenarios: Sequence[str | os.PathLike[str] | Scenario],
    *,
    out: Sequence[str | os.PathLike[str]] | None = ...,
    threads: int | None = ...,
    progress: Callable[[int, int], None] | bool | None = ...,
    force: bool = ...,
    costly: bool = ...,
    errors: Literal["raise"] = ...,
) -> list[Run]: ...


@overload
def run_many(
    scenarios: Sequence[str | os.PathLike[str] | Scenario],
    *,
    out: Sequence[str | os.PathLike[str]] | None = ...,
    threads: int | None = ...,
    progress: Callable[[int, int], None] | bool | None = ...,
    force: bool = ...,
    costly: bool = ...,
    errors: Literal["keep"],
) -> list[Run | BentpipeError]: ...


def run_many(
    scenarios: Sequence[str | os.PathLike[str] | Scenario],
    *,
    out: Sequence[str | os.PathLike[str]] | None = None,
    threads: int | None = None,
    progress: Callable[[int, int], None] | bool | None = None,
    force: bool = False,
    costly: bool = False,
    errors: Literal["raise", "keep"] = "raise",
) -> list[Run] | list[Run | BentpipeError]:
    """Run several scenarios in parallel. A run that fails costs only itself: the others are made.

    Args:
        scenarios: As for `run`.
        out: Run folders to write, one per scenario; nothing is written without it.
        threads: Runs at a time; as many as there are processors if not said otherwise.
        progress: Called with (done, all) as runs finish; True shows it on stderr.
        force: Replace other runs in `out`, as for `run`.
        costly: Run even if memory or disk will not do by the estimate.
        errors: "keep" puts the error of a run that failed, and of a scenario that cannot be used, in its place, and
            raises nothing.

    Returns:
        The runs in the order of the scenarios, the same for any number of threads.

    Raises:
        ScenarioError: If a scenario or an argument cannot be used; none is run then.
        BatchError: If runs could not be made or written, when all are through; its `results` has the others. Of a
            single scenario its own error is raised.
        KeyboardInterrupt: On Ctrl-C; what is finished stays on disk.
    """
    if errors not in ("raise", "keep"):
        raise arguments.refuse(f'errors is "raise" or "keep", not {errors!r}')
    if isinstance(scenarios, (str, os.PathLike, TomlDocument)):
        raise arguments.refuse("scenarios is a list of them: write [scenario]")
    folders = [None] * len(scenarios) if out is None else [Path(one) for one in arguments.names("out", out)]
    if len(folders) != len(scenarios):
        raise arguments.refuse(f"out names {len(folders)} folders for {len(scenarios)} scenarios")
    jobs = [job(one, out=folder, force=force, costly=costly) for one, folder in zip(scenarios, folders, strict=True)]
    with _progress.shown(progress, "runs") as update:
        results = run_jobs(jobs, folders, threads=threads, progress=update, keep_refused=errors == "keep")
    return results if errors == "keep" else whole(results)


def estimate_cost(
    scenario: str | os.PathLike[str] | Scenario,
    *,
    seed: int | None = None,
    duration: str | None = None,
    out: str | os.PathLike[str] | None = None,
    pcap: Sequence[str] | None = None,
    pcap_links: Sequence[str] | None = None,
    qlog: Sequence[str] | None = None,
) -> dict[str, float]:
    """What a run will cost, reckoned before it is made: no packet is sent.

    Flows send as fast as their narrowest link lets them, a packet costs work at its ends and on every link, samples
    make rows; how fast this machine is, short runs say. It tells seconds from hours and megabytes from gigabytes: it is
    meant to be within a factor of three.

    Args:
        scenario: As for `run`.
        seed: Instead of the scenario's seed.
        duration: Instead of the scenario's duration.
        out: As for `run`; nothing is written. Rows that go to a folder are not kept in memory.
        pcap: As for `run`; so are `pcap_links` and `qlog`. What they take is a part of the disk.
        pcap_links: As for `run`.
        qlog: As for `run`.

    Returns:
        ``packets`` with data, ``answers`` (acknowledgements and echoes), ``packet_hops``, ``rows`` of all tables,
        ``satellite_looks`` (satellites times steps of routes), ``cpu_s`` and by how much it was stretched for this
        machine (``slowness``), ``memory_bytes``, ``disk_bytes``.

    Raises:
        ScenarioError: If the scenario cannot be used.
    """
    asked = job(
        scenario, seed=seed, duration=duration, out=out, pcap=pcap, pcap_links=pcap_links, qlog=qlog, estimate=True
    )
    found: dict[str, float] = json.loads(_core.cost(asked))
    return found


def load(folder: str | os.PathLike[str]) -> Run:
    """Read a run folder.

    Raises:
        RunError: If the folder is not a run folder, was cut off before it was whole, or holds what no run writes. A
            table is read, and refused, when it is first asked for.
    """
    place = arguments.place("a run folder", folder)
    if place is None:
        raise arguments.refuse("a run folder is a path, not None")
    reading.refuse_other_kinds(place)
    _core.check_folder(str(place))
    from bentpipe.scenario.bench import network_of

    file = place / "scenario.toml"
    try:
        scenario = reading.text(file)
        network_of(scenario)
        file = place / "summary.json"
        summary = summaries.read(content(file, reading.MOST))
    except ScenarioError as problem:
        raise damaged(file, problem.message) from None
    except ValueError as problem:
        raise damaged(file, problem) from None
    return Run(
        scenario=scenario,
        summary=summary,
        _tables=Stored(place.absolute(), Origin.of(summary["provenance"])),
        folder=place,
    )


def wrap(result: _core.Result, folder: Path | None) -> Run:
    """A result of the extension module as a `Run`."""
    summary: Summary = json.loads(result.summary)
    stored = None if folder is None else Stored(folder.absolute(), Origin.of(summary["provenance"]))
    return Run(scenario=result.scenario, summary=summary, _tables=Made(result, stored), folder=folder)
