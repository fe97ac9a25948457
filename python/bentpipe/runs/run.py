# SPDX-License-Identifier: MIT OR Apache-2.0
"""Runs: what came out of them, and reading them back."""

from __future__ import annotations

import json
from dataclasses import dataclass, fields
from functools import cached_property
from typing import TYPE_CHECKING

from bentpipe import _core
from bentpipe.base import arguments, reading
from bentpipe.base.damage import damaged
from bentpipe.base.errors import ScenarioError
from bentpipe.base.files import content
from bentpipe.base.reading import Origin
from bentpipe.base.tables import TABLES, Made, Stored, Table
from bentpipe.results import summaries
from bentpipe.results.visits import flows_of

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    import pyarrow as pa
    from matplotlib.figure import Figure

    from bentpipe.results.summary_types import Finding, LinkSummary, Provenance, Summary
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
        place = arguments.path("folder", folder)
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
        from bentpipe.show.pictures import visits as _visits_picture

        runs = [self, *other]
        names = [", ".join(dict.fromkeys(str(flow["controller"]) for flow, _ in flows_of(run))) for run in runs]
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

        return _report.write_run(self, arguments.path("file", file))


def flat(table: Mapping[str, object], before: str = "") -> dict[str, object]:
    """A nested table as one level; the keys of an inner table follow its own: `rtt_ms_p95`."""
    rows: dict[str, object] = {}
    for key, value in table.items():
        rows |= flat(value, f"{before}{key}_") if isinstance(value, dict) else {f"{before}{key}": value}
    return rows


def load(folder: str | os.PathLike[str]) -> Run:
    """Read a run folder.

    Raises:
        RunError: If the folder is not a run folder, was cut off before it was whole, or holds what no run writes. A
            table is read, and refused, when it is first asked for.
    """
    place = arguments.path("a run folder", folder)
    arguments.check_file_name(str(place.absolute()))  # the current folder's name may be wrong, too
    reading.refuse_other_kinds(place)
    _core.check_folder(str(place))
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
    """A result of the extension module as a `Run`."""
    summary: Summary = json.loads(result.summary)
    stored = None if folder is None else Stored(folder.absolute(), Origin.of(summary["provenance"]))
    return Run(scenario=result.scenario, summary=summary, _tables=Made(result, stored), folder=folder)
