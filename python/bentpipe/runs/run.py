# SPDX-License-Identifier: MIT OR Apache-2.0
"""The results of runs, and the reader of run folders."""

from __future__ import annotations

import json
from dataclasses import dataclass, fields
from functools import cached_property
from typing import TYPE_CHECKING

from bentpipe import _core
from bentpipe.base import arguments, reading
from bentpipe.base.damage import damaged
from bentpipe.base.errors import RunError, ScenarioError
from bentpipe.base.files import content
from bentpipe.base.reading import Origin
from bentpipe.base.tables import TABLES, Made, Stored, Table, write_workbook
from bentpipe.results import summaries
from bentpipe.results.visits import flows_of

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from pathlib import Path

    import pyarrow as pa
    from matplotlib.figure import Figure

    from bentpipe.results.summary_types import Finding, LinkSummary, Provenance, Summary
    from bentpipe.show.viewer.show import Frame

#: Names that only a folder with the results of many runs contains, each with the command that writes the folder.
OF_MANY = {"runs.parquet": "sweep", "league.json": "league", "which.toml": "which", "findings": "reproduce"}


@dataclass(frozen=True, repr=False)
class Run:
    """The results of a run.

    A run that was loaded from its folder reads each table when the table is first used. Runs can be pickled, so that
    other processes and machines can make them. The pickle contains the path of the folder if there is one, otherwise
    the tables.

    Attributes:
        scenario: The resolved scenario as TOML. Paths of files are relative to `folder`. Without a folder, they are
            relative to the current folder.
        summary: The numbers, as in ``summary.json`` (`bentpipe schema summary`).
        folder: The run folder; None if the run was not written.
    """

    scenario: str
    summary: Summary
    _tables: Callable[[str], Table]
    folder: Path | None = None

    def __repr__(self) -> str:
        """Return name, seed and number of flows."""
        flows = len(self.summary["flows"])
        return f"<Run of {self.name!r}, seed {self.provenance['seed']}: {flows} flow{'s' if flows != 1 else ''}>"

    def _repr_html_(self) -> str:
        """Return the numbers and a picture of the run as HTML, for notebooks."""
        from bentpipe.show.pages import notebook

        return notebook.run(self)

    @cached_property
    def flows(self) -> Table:
        """The time series of each flow."""
        return self._tables("flows")

    @cached_property
    def parts(self) -> Table:
        """The time series of each part of the flows that proxies split, as in `flows`. Empty without such flows."""
        return self._tables("parts")

    @cached_property
    def links(self) -> Table:
        """The time series of each link."""
        return self._tables("links")

    @cached_property
    def paths(self) -> Table:
        """The paths between the flows' sites over time."""
        return self._tables("paths")

    @cached_property
    def events(self) -> Table:
        """The events of flows: losses, window reductions, changes of phase and path."""
        return self._tables("events")

    @cached_property
    def snapshots(self) -> Table:
        """The internal numbers of the controllers over time."""
        return self._tables("snapshots")

    @cached_property
    def packets(self) -> Table:
        """The single packets, if the scenario records packets."""
        return self._tables("packets")

    @cached_property
    def visits(self) -> Table:
        """The visits of application flows (transfers, pages, films, requests), a row for each visit."""
        return self._tables("visits")

    @cached_property
    def weather(self) -> Table:
        """The rain, Es/N0, modulation and code, and rate of each link with a budget, a row for each interval."""
        return self._tables("weather")

    @cached_property
    def nodes(self) -> Table:
        """The nodes of the network. Nodes on the ground have coordinates."""
        return self._tables("nodes")

    @cached_property
    def link_ends(self) -> Table:
        """The nodes at the ends of each link."""
        return self._tables("link_ends")

    @cached_property
    def positions(self) -> Table:
        """The positions of satellites, at least every five minutes, for cubic Hermite interpolation (within 1 km)."""
        return self._tables("positions")

    def _some(self, name: str, columns: Sequence[str]) -> pa.Table:
        """Return some columns of a table. The other columns of a run folder are not read."""
        if isinstance(self._tables, Stored):
            return self._tables(name, columns).arrow
        whole = self._tables(name).arrow
        return whole.select(columns) if whole.num_columns else whole

    def _rows(self, name: str) -> int:
        """Return the number of rows of a table. No row of a run folder is read."""
        return self._tables.rows(name) if isinstance(self._tables, Stored) else len(self._tables(name))

    @property
    def captures(self) -> list[Path]:
        """The packet captures and logs in the run folder, sorted by name; an empty list without a folder."""
        return [] if self.folder is None else sorted((self.folder / "captures").glob("*"))

    def __getstate__(self) -> dict[str, object]:
        """Return the state to pickle, without tables that can be read again."""
        return {field.name: getattr(self, field.name) for field in fields(self)}

    @property
    def provenance(self) -> Provenance:
        """The origin of the numbers: scenario, seed, build, platform, and limitations."""
        return self.summary["provenance"].copy()

    @property
    def name(self) -> str:
        """The scenario's name."""
        return self.provenance["scenario_name"]

    @property
    def warnings(self) -> list[str]:
        """The notes for readers of the numbers: the reasons why a run is degraded, and properties of the path."""
        return [*self.provenance.get("degraded", ()), *self.provenance.get("path_notes", ())]

    @property
    def findings(self) -> list[Finding]:
        """The findings of the summary: behaviour that real transports do not show (for example runaway windows)."""
        return [finding.copy() for finding in self.summary.get("findings", ())]

    def plot(self) -> Figure:
        """Draw throughput, windows, round-trip times and losses over time."""
        from bentpipe.show.pictures import overview

        return overview.overview(self)

    def numbers(self) -> Table:
        """Return the numbers of the summary, a row per flow. The key of an inner table is a prefix: `rtt_ms_p95`."""
        import pyarrow as pa

        return Table(pa.Table.from_pylist([flat(flow) for flow in self.summary["flows"]]))

    def to_csv(self, folder: str | os.PathLike[str]) -> Path:
        """Write `numbers` and every table with rows into a folder as CSV, and return the folder.

        Raises:
            RunError: If a file cannot be written.
        """
        place = arguments.path("folder", folder)
        for name, table in self._filled():
            table.to_csv(place / f"{name}.csv")
        return place

    def to_xlsx(self, file: str | os.PathLike[str]) -> Path:
        """Write `numbers` and every table with rows as the sheets of an Excel workbook, and return the file.

        Raises:
            ArgumentError: If a table has more rows than a sheet can have.
            RunError: If the file cannot be written.
        """
        return write_workbook(arguments.path("file", file), dict(self._filled()))

    def _filled(self) -> Iterator[tuple[str, Table]]:
        """Yield `numbers`, and every table with rows, by name."""
        yield "numbers", self.numbers()
        for name in TABLES:
            if len(table := self._tables(name)):
                yield name, table

    def busiest_links(self, count: int = 10) -> list[LinkSummary]:
        """Return the links with the highest utilisation, as in the summary, the busiest first."""
        return sorted(self.summary["links"], key=lambda link: -link["utilisation"])[:count]

    def plot_links(self, count: int = 12) -> Figure:
        """Draw the utilisation of shared transmitters, and of at most `count` of the busiest links over time.

        Links with a utilisation below 1 % have no row.
        """
        from bentpipe import plots

        return plots.links(self, count)

    def plot_visits(self, *other: Run) -> Figure:
        """Draw the times of visits of applications, and their slow-down by size.

        Args:
            other: Further runs, which are drawn next to this run. The runs are named after their controllers if the
                controllers differ; otherwise they are numbered.

        Raises:
            ArgumentError: If no flow is an application.
        """
        from bentpipe.show.pictures import visits as _visits_picture

        runs = [self, *other]
        names = [", ".join(dict.fromkeys(str(flow["controller"]) for flow, _ in flows_of(run))) for run in runs]
        if len(runs) == 1:
            names = [""]
        elif len(set(names)) < len(runs):
            names = [f"run {number + 1}" for number in range(len(runs))]
        return _visits_picture.figure(list(zip(names, runs, strict=True)))

    def view(self, *other: Run, height: int = 800) -> Frame:
        """Return the viewer for a notebook. A notebook shows the returned object in a frame, without a server.

        The notebook contains the complete page, so the notebook can be sent and opened anywhere. The data of the page
        has at most 4 MB, so a long run loses its finest detail; ``bentpipe view`` with the run folder shows every
        detail.

        Args:
            other: Further runs for the same view.
            height: Height of the frame in pixels.

        Raises:
            RunError: If a table is damaged, or the run is too large for a notebook.
        """
        from bentpipe.show.viewer import show

        return show.frame([self, *other], arguments.whole("height", height, 100, 10_000))

    def report(self, file: str | os.PathLike[str]) -> Path:
        """Write a self-contained HTML page about the run, and return its path."""
        from bentpipe.show.pages import run as _report

        return _report.write_run(self, arguments.path("file", file))


def flat(table: Mapping[str, object], before: str = "") -> dict[str, object]:
    """Flatten a nested table. The key of an inner table becomes a prefix: `rtt_ms_p95`."""
    rows: dict[str, object] = {}
    for key, value in table.items():
        rows |= flat(value, f"{before}{key}_") if isinstance(value, dict) else {f"{before}{key}": value}
    return rows


def load(folder: str | os.PathLike[str]) -> Run:
    """Read a run folder.

    Raises:
        RunError: If the folder is not a run folder, is incomplete, or is damaged. A damaged table is refused when it is
            first used.
    """
    place = arguments.path("a run folder", folder)
    arguments.check_file_name(str(place.absolute()))  # also checks the name of the current folder
    reading.refuse_other_kinds(place)
    try:
        _core.check_folder(str(place))
    except RunError as problem:
        is_of_many = any((place / name).exists() for name in OF_MANY) or any(place.glob("*/scenario.toml"))
        if problem.code == "folder-not-a-run" and is_of_many:
            message = f"{problem.message} (to see the results of many runs: bentpipe view {folder})"
            raise RunError(problem.code, message) from None
        raise
    from bentpipe.scenario.bench import network_of

    file = place / "scenario.toml"
    try:
        reading.refuse_changed(file)
        scenario = reading.text(file)
        network_of(scenario)
        file = place / "summary.json"
        reading.refuse_changed(file)
        summary = summaries.read(content(file, reading.MOST))
        reading.refuse_without_digests(place, summary["provenance"]["schema_version"])
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
    """Convert a result of the extension module to a `Run`."""
    summary: Summary = json.loads(result.summary)
    stored = None if folder is None else Stored(folder.absolute(), Origin.of(summary["provenance"]))
    return Run(scenario=result.scenario, summary=summary, _tables=Made(result, stored), folder=folder)
