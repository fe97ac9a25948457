# SPDX-License-Identifier: MIT OR Apache-2.0
"""Runs: making them, reading them back, and what came out of them."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass, fields
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, overload

from bentpipe import _core
from bentpipe._errors import BatchError, BentpipeError, ScenarioError
from bentpipe._scenario import Scenario

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import pandas as pd
    import polars as pl
    import pyarrow as pa
    from matplotlib.figure import Figure


class Table:
    """A table in Arrow's memory with views for other libraries. DuckDB and polars read it as it is."""

    def __init__(self, source: Any) -> None:
        import pyarrow as pa

        self.arrow: pa.Table = source if isinstance(source, pa.Table) else pa.table(source)

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """The Arrow PyCapsule interface: any library that knows it reads the table without a copy."""
        return self.arrow.__arrow_c_stream__(requested_schema)

    def __len__(self) -> int:
        """Number of rows."""
        return int(self.arrow.num_rows)

    def __repr__(self) -> str:
        """Size and columns."""
        return f"<Table of {len(self)} rows: {', '.join(self.columns)}>"

    def __getitem__(self, column: str) -> list[Any]:
        """A column as a list; "not known" is None."""
        return list(self.arrow.column(column).to_pylist())

    @property
    def columns(self) -> list[str]:
        """Names of the columns, units in the names."""
        return list(self.arrow.column_names)

    def to_pandas(self) -> pd.DataFrame:
        """As a pandas data frame (needs the extra ``bentpipe[pandas]``)."""
        return self.arrow.to_pandas()

    def to_polars(self) -> pl.DataFrame:
        """As a polars data frame (needs the extra ``bentpipe[polars]``)."""
        import polars

        frame = polars.from_arrow(self.arrow)
        assert isinstance(frame, polars.DataFrame)  # noqa: S101 - a table never becomes a series
        return frame


#: The tables of a run.
_TABLES = ("flows", "links", "paths", "events", "snapshots", "packets")


@dataclass(frozen=True)
class Run:
    """What came out of a run.

    A run that was read back from its folder reads a table when it is first asked for. Runs can be pickled, so that
    other processes and machines can make them: with the place of the folder if there is one, otherwise with the tables.

    Attributes:
        scenario: The resolved scenario as TOML.
        summary: The numbers, as in ``summary.json`` (`bentpipe schema summary`).
        folder: Where the run was written, if it was.
    """

    scenario: str
    summary: dict[str, Any]
    _tables: Callable[[str], Table]
    folder: Path | None = None

    @cached_property
    def flows(self) -> Table:
        """Series per flow."""
        return self._tables("flows")

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

    def __getstate__(self) -> dict[str, Any]:
        """What is pickled: tables that were looked at can be had again."""
        return {field.name: getattr(self, field.name) for field in fields(self)}

    @property
    def provenance(self) -> dict[str, Any]:
        """Where the numbers come from: scenario, seed, build, ground, and what weakens them."""
        return dict(self.summary["provenance"])

    @property
    def name(self) -> str:
        """The scenario's name."""
        return str(self.provenance["scenario_name"])

    @property
    def warnings(self) -> list[str]:
        """Why the run is degraded, where it is; a reader of its numbers must know."""
        return [str(line) for line in self.provenance["degraded"]]

    @property
    def findings(self) -> list[dict[str, Any]]:
        """What no transport in use does for so long, as in the summary: runaway windows and rates, long recoveries."""
        return [dict(finding) for finding in self.summary.get("findings", ())]

    def plot(self) -> Figure:
        """Throughput, windows, round-trip times and losses over time."""
        from bentpipe import plots

        return plots.overview(self)

    def busiest_links(self, count: int = 10) -> list[dict[str, Any]]:
        """The links with the highest utilisation, as in the summary, the busiest first."""
        links: list[dict[str, Any]] = self.summary["links"]
        return sorted(links, key=lambda link: -float(link["utilisation"]))[:count]

    def plot_links(self, count: int = 30) -> Figure:
        """Utilisation of the busiest links over time."""
        from bentpipe import plots

        return plots.links(self, count)

    def report(self, file: str | os.PathLike[str]) -> Path:
        """Write a self-contained HTML page about the run, and return its path."""
        from bentpipe import _report

        return _report.write_run(self, Path(file))


def finding_lines(runs: Sequence[Run]) -> list[str]:
    """The findings of runs of one scenario and controller: the worst of each flow and kind, and in how many runs.

    A line holds its finding's kind, text and seed.
    """
    worst: dict[tuple[int, str], tuple[dict[str, Any], int]] = {}
    count: dict[tuple[int, str], int] = {}
    for run in runs:
        for finding in run.findings:
            key = int(finding["flow"]), str(finding["kind"])
            count[key] = count.get(key, 0) + 1
            if key not in worst or finding["magnitude"] > worst[key][0]["magnitude"]:
                worst[key] = finding, int(run.provenance["seed"])
    lines = []
    for key, (finding, seed) in sorted(worst.items()):
        line = f"{finding['kind']}: {finding['text']}"
        if len(runs) > 1:
            line += f" (seed {seed}; the worst of {count[key]} in {len(runs)} runs)"
        lines.append(line)
    return lines


def text_of(scenario: str | os.PathLike[str] | Scenario) -> tuple[str, str]:
    """A scenario's text and where it comes from: a `Scenario`, TOML text (it has a line break), or a file."""
    if isinstance(scenario, Scenario):
        return scenario.to_toml(), f"scenario {scenario.name!r}"
    if isinstance(scenario, str) and "\n" in scenario:
        return scenario, "<text>"
    path = Path(scenario)
    try:
        return path.read_text(encoding="utf-8"), str(path)
    except (OSError, UnicodeDecodeError) as problem:
        reason = getattr(problem, "strerror", None) or "it is not UTF-8 text"
        raise ScenarioError("scenario-unreadable", f"cannot read the scenario file {path}: {reason}") from None


def job(
    scenario: str | os.PathLike[str] | Scenario,
    *,
    seed: int | None = None,
    duration: str | None = None,
    controller: str | None = None,
    out: str | os.PathLike[str] | None = None,
) -> _core.Job:
    """One run to make."""
    text, origin = text_of(scenario)
    folder = None if out is None else os.fspath(out)
    return _core.Job(text, origin, seed=seed, duration=duration, controller=controller, out=folder)


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
    results = _core.run_many(jobs, threads or os.cpu_count() or 1, progress, keep_refused=keep_refused)
    return [
        result if isinstance(result, BentpipeError) else _wrap(result, folder)
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
) -> Run:
    """Run a scenario.

    Args:
        scenario: A file, TOML text, or a `Scenario`.
        seed: Instead of the scenario's seed.
        duration: Instead of the scenario's duration, for example ``"10 s"``.
        out: Run folder to write; nothing is written without it.

    Returns:
        The run.

    Raises:
        ScenarioError: If the scenario cannot be used; the message says where and how to mend it.
        RunError: If the run cannot be made or written.
    """
    asked = job(scenario, seed=seed, duration=duration, out=out)
    return _wrap(_core.run(asked), None if out is None else Path(out))


@overload
def run_many(
    scenarios: Sequence[str | os.PathLike[str] | Scenario],
    *,
    out: Sequence[str | os.PathLike[str]] | None = ...,
    threads: int | None = ...,
    progress: Callable[[int, int], None] | None = ...,
    errors: Literal["raise"] = ...,
) -> list[Run]: ...


@overload
def run_many(
    scenarios: Sequence[str | os.PathLike[str] | Scenario],
    *,
    out: Sequence[str | os.PathLike[str]] | None = ...,
    threads: int | None = ...,
    progress: Callable[[int, int], None] | None = ...,
    errors: Literal["keep"],
) -> list[Run | BentpipeError]: ...


def run_many(
    scenarios: Sequence[str | os.PathLike[str] | Scenario],
    *,
    out: Sequence[str | os.PathLike[str]] | None = None,
    threads: int | None = None,
    progress: Callable[[int, int], None] | None = None,
    errors: Literal["raise", "keep"] = "raise",
) -> list[Run] | list[Run | BentpipeError]:
    """Run several scenarios in parallel. A run that fails costs only itself: the others are made.

    Args:
        scenarios: As for `run`.
        out: Run folders to write, one per scenario; nothing is written without it.
        threads: Runs at a time; as many as there are processors if not said otherwise.
        progress: Called with (done, all) as runs finish.
        errors: "keep" puts the error of a run that failed, and of a scenario that cannot be used, in its place, and
            raises nothing.

    Returns:
        The runs in the order of the scenarios, the same for any number of threads.

    Raises:
        ScenarioError: If a scenario cannot be used; none is run then.
        BatchError: If runs could not be made or written, when all are through; its `results` has the others. Of a
            single scenario its own error is raised.
        KeyboardInterrupt: On Ctrl-C; what is finished stays on disk.
        ValueError: If `out` is not as long as `scenarios`.
    """
    if errors not in ("raise", "keep"):
        raise ValueError(f'errors is "raise" or "keep", not {errors!r}')
    folders = [None] * len(scenarios) if out is None else [Path(folder) for folder in out]
    jobs = [job(one, out=folder) for one, folder in zip(scenarios, folders, strict=True)]
    results = run_jobs(jobs, folders, threads=threads, progress=progress, keep_refused=errors == "keep")
    return results if errors == "keep" else whole(results)


def load(folder: str | os.PathLike[str]) -> Run:
    """Read a run folder.

    Raises:
        RunError: If the folder is not a run folder, or was cut off before it was whole.
    """
    place = Path(folder)
    _core.check_folder(str(place))
    return Run(
        scenario=(place / "scenario.toml").read_text(encoding="utf-8"),
        summary=json.loads((place / "summary.json").read_text(encoding="utf-8")),
        _tables=_Stored(place.absolute()),
        folder=place,
    )


def _wrap(result: _core.Result, folder: Path | None) -> Run:
    return Run(
        scenario=result.scenario,
        summary=json.loads(result.summary),
        _tables=_Made(result, None if folder is None else _Stored(folder.absolute())),
        folder=folder,
    )


@dataclass(frozen=True)
class _Stored:
    """The tables of a run folder."""

    folder: Path

    def __call__(self, name: str) -> Table:
        import pyarrow as pa
        import pyarrow.parquet as pq

        file = self.folder / f"{name}.parquet"
        return Table(pq.read_table(file) if file.exists() else pa.table({}))


@dataclass(frozen=True)
class _Kept:
    """Tables as they are."""

    tables: dict[str, Table]

    def __call__(self, name: str) -> Table:
        return self.tables[name]


@dataclass(frozen=True)
class _Made:
    """The tables of a run of this process. Elsewhere they are those of its folder, or copies."""

    result: _core.Result
    stored: _Stored | None

    def __call__(self, name: str) -> Table:
        made = getattr(self.result, name)
        if made is not None:
            return Table(made)
        # It was too long to be kept while it was written.
        assert self.stored is not None  # noqa: S101 - only what has a folder is written
        return self.stored(name)

    def __reduce__(self) -> tuple[Callable[..., object], tuple[object, ...]]:
        if self.stored is not None:
            return _Stored, (self.stored.folder,)
        return _Kept, ({name: self(name) for name in _TABLES},)
