# SPDX-License-Identifier: MIT OR Apache-2.0
"""Make one run, or several in parallel, or estimate the cost of a run."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Literal, TypedDict, Unpack, overload

from bentpipe import _core
from bentpipe.base import arguments
from bentpipe.base import progress as _progress
from bentpipe.base.errors import BatchError, BentpipeError
from bentpipe.base.files import current_folder_kept, refuse_long_name
from bentpipe.runs.point import written_to
from bentpipe.runs.run import Run, wrap
from bentpipe.scenario.document import TomlDocument, text_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from bentpipe.scenario.classes import Scenario


#: Shortest interval between two states of a checkpoint, in s. A state of a large run takes seconds to write.
SHORTEST_CHECKPOINT_S = 1.0


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
    checkpoint: str | None = None,
) -> _core.Job:
    """Return the job of one run, which makes the run or estimates its cost."""
    text, origin = text_of(scenario)
    folder = arguments.place("out", out)
    if folder is not None:
        refuse_long_name(folder, is_folder=True)
    return _core.Job(
        text,
        origin,
        seed=arguments.seed(seed),
        duration=arguments.quantity("duration", duration, "10 s"),
        out=written_to(folder),
        pcap=_names("pcap", pcap),
        pcap_links=_names("pcap_links", pcap_links),
        qlog=_names("qlog", qlog),
        force=bool(force),
        costly=bool(costly),
        checkpoint=_checkpoint_s(checkpoint, folder),
    )


def _checkpoint_s(interval: str | None, folder: Path | None) -> float | None:
    """Return the interval between two states of a checkpoint in seconds; None without a checkpoint."""
    text = arguments.quantity("checkpoint", interval, "10 min")
    if text is None:
        return None
    if folder is None:
        raise arguments.refuse("checkpoint writes beside the run folder, but no folder is given (add out=…)")
    every_s = _core.nanos(text) / 1e9
    if every_s < SHORTEST_CHECKPOINT_S:
        raise arguments.refuse(
            f'checkpoint must be at least {SHORTEST_CHECKPOINT_S:g} s, not "{text}" (write for example "10 min")'
        )
    return every_s


def again(run: Run, duration: str | None) -> _core.Job:
    """Return the job with the inputs of a run, for another run or an analysis."""
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
    """Make runs in parallel. Results are in the order of the jobs, and do not depend on the number of threads.

    The error of a failed run replaces the run. A refused job raises its error before any run begins, unless
    `keep_refused` is set.
    """
    at_once, report = arguments.threads(threads), arguments.report(progress)
    with current_folder_kept():
        results = _core.run_many(jobs, at_once, report, keep_refused=keep_refused)
    return [
        result if isinstance(result, BentpipeError) else wrap(result, folder)
        for result, folder in zip(results, folders, strict=True)
    ]


def whole(results: Sequence[Run | BentpipeError]) -> list[Run]:
    """Return the runs if none failed.

    Raises:
        BatchError: If some runs failed. A single run raises its own error.
    """
    runs = [result for result in results if isinstance(result, Run)]
    errors = [result for result in results if isinstance(result, BentpipeError)]
    if not errors:
        return runs
    first = errors[0]
    if len(results) == 1:
        raise first
    raise BatchError(
        first.code, f"{len(errors)} of {len(results)} runs failed, the first with: {first.message}", results
    )


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
    checkpoint: str | None = None,
) -> Run:
    """Run a scenario.

    Args:
        scenario: A file, TOML text, or a `Scenario`.
        seed: Replaces the scenario's seed.
        duration: Replaces the scenario's duration, for example ``"10 s"``.
        out: Run folder to write. Without a folder, nothing is written. The same run in the folder is replaced. A folder
            with any other content is refused.
        pcap: Names of flows. The packets of these flows are captured at both hosts and at both sides of proxies, into
            ``captures`` of the run folder. The names replace the flows under ``record`` of the scenario. A name that
            several flows share selects all these flows.
        pcap_links: Names of links. Packets are captured at both ends of these links, into the same folder. ``*``
            matches any text. If `pcap` names flows, only the packets of these flows are captured.
        qlog: Names of TCP flows. Each flow writes a qlog into the same folder; a split flow writes one for each part.
        progress: Show a line on stderr with the elapsed time.
        force: Replace the run in `out` even if it is a different run. Files that no run wrote are kept.
        costly: Make the run even if it needs more memory or disk than is free, by the estimate (`estimate_cost`).
        checkpoint: Interval of wall-clock time, for example ``"10 min"``, at which the state of the run is written
            beside `out`. If the run is interrupted or killed, the same call continues from the last state. The finished
            folder has the same bytes as without an interruption. Needs `out`; refused for captures, rows of packets,
            QUIC flows and controllers in Python.

    Returns:
        The run.

    Raises:
        ScenarioError: If the scenario cannot be used (the message has the place and the fix), `out` has other content,
            or the run would need more memory or disk than is free.
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
        checkpoint=checkpoint,
    )
    captured = {"pcap": pcap, "pcap_links": pcap_links, "qlog": qlog}
    if out is None and (first := next((key for key, names in captured.items() if names), None)):
        raise arguments.refuse(f"{first} writes into the run folder, but no folder is given (add out=…)")
    folder = arguments.place("out", out)
    with _progress.shown(progress, "runs") as update:
        if update is None:
            with current_folder_kept():
                found = _core.run(asked)
            return wrap(found, folder)
        return whole(run_jobs([asked], [folder], threads=1, progress=update))[0]


class _Many(TypedDict, total=False):
    """The options of `run_many` that do not depend on `errors`."""

    out: Sequence[str | os.PathLike[str]] | None
    threads: int | None
    progress: Callable[[int, int], None] | bool | None
    force: bool
    costly: bool


@overload
def run_many(
    scenarios: Sequence[str | os.PathLike[str] | Scenario], *, errors: Literal["raise"] = ..., **more: Unpack[_Many]
) -> list[Run]: ...


@overload
def run_many(
    scenarios: Sequence[str | os.PathLike[str] | Scenario], *, errors: Literal["keep"], **more: Unpack[_Many]
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
    """Run several scenarios in parallel. A failed run does not affect other runs.

    Args:
        scenarios: As for `run`.
        out: Run folders to write, one per scenario. Without folders, nothing is written.
        threads: Number of runs at a time, by default one per processor. Results do not depend on this number.
        progress: Function that is called with (done, all) when runs finish. True shows the progress on stderr.
        force: Replace other runs in `out`, as for `run`.
        costly: Make a run even if it needs more memory or disk than is free, by the estimate (`estimate_cost`).
        errors: With "keep", the error of a failed run, or of a scenario that cannot be used, is returned in place of
            the run. Nothing is raised.

    Returns:
        The runs in the order of the scenarios.

    Raises:
        ScenarioError: If a scenario or an argument cannot be used. Then no run begins.
        BatchError: If some runs could not be made or written. The error is raised after all runs, and its attribute
            `results` has the other runs. A single scenario raises its own error.
        KeyboardInterrupt: On Ctrl-C. Finished runs stay on disk.
    """
    if errors not in ("raise", "keep"):
        raise arguments.refuse(f'errors must be "raise" or "keep", not {errors!r}')
    if isinstance(scenarios, (str, os.PathLike, TomlDocument)):
        raise arguments.refuse("scenarios must be a list: write [scenario]")
    folders = (
        [None] * len(scenarios) if out is None else [arguments.path("out", one) for one in arguments.names("out", out)]
    )
    if len(folders) != len(scenarios):
        raise arguments.refuse(
            f"out must have one folder per entry of scenarios ({len(scenarios)}), not {len(folders)}"
        )
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
    """Estimate the cost of a run before it is made. No packet is sent.

    The model assumes that flows send at the rate of their slowest link. A packet costs work at its ends and on every
    link, and every sample is a row. Short runs measure the speed of this machine. The estimate should be within a
    factor of three of the real cost.

    Args:
        scenario: As for `run`.
        seed: Replaces the scenario's seed.
        duration: Replaces the scenario's duration, for example ``"10 s"``.
        out: As for `run`, but nothing is written. Rows that a run writes to a folder need no memory.
        pcap: As for `run`. Captures and qlogs count as disk space.
        pcap_links: As for `run`.
        qlog: As for `run`.

    Returns:
        ``packets`` with data, ``answers`` (acknowledgements and echoes), ``packet_hops``, ``rows`` of all tables,
        ``satellite_looks`` (satellites times steps of routes), ``cpu_s``, the factor of this machine that ``cpu_s``
        contains (``slowness``), the time to write a row on this machine if `out` is given (``written_row_us``),
        ``memory_bytes``, ``disk_bytes``.

    Raises:
        ScenarioError: If the scenario cannot be used.
    """
    asked = job(scenario, seed=seed, duration=duration, out=out, pcap=pcap, pcap_links=pcap_links, qlog=qlog)
    found: dict[str, float] = json.loads(_core.cost(asked))
    return found
