# SPDX-License-Identifier: MIT OR Apache-2.0
"""Making runs: one, several at a time, or only what one will cost."""

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
) -> _core.Job:
    """One run to make, or only to reckon the cost of."""
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
    )


def again(run: Run, duration: str | None) -> _core.Job:
    """The inputs of a run, to be run or analysed again."""
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

    The error of a run that failed stands in its place. A job that is refused raises before any is run, unless refusals
    are kept as other errors are.
    """
    at_once, report = arguments.threads(threads), arguments.report(progress)
    with current_folder_kept():
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
    captured = {"pcap": pcap, "pcap_links": pcap_links, "qlog": qlog}
    if out is None and (first := next((key for key, names in captured.items() if names), None)):
        raise arguments.refuse(f"{first} writes into the run folder, and no folder is named (give out)")
    folder = arguments.place("out", out)
    with _progress.shown(progress, "runs") as update:
        if update is None:
            with current_folder_kept():
                found = _core.run(asked)
            return wrap(found, folder)
        return whole(run_jobs([asked], [folder], threads=1, progress=update))[0]


class _Many(TypedDict, total=False):
    """What `run_many` has whatever it does with errors."""

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
    """Run several scenarios in parallel. A run that fails costs only itself: the others are made.

    Args:
        scenarios: As for `run`.
        out: Run folders to write, one per scenario; nothing is written without it.
        threads: Runs at a time; as many as there are processors without it. What comes out does not depend on it.
        progress: Called with (done, all) as runs finish; True shows it on stderr.
        force: Replace other runs in `out`, as for `run`.
        costly: Run even if memory or disk will not do by the estimate (`estimate_cost`).
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
    folders = (
        [None] * len(scenarios) if out is None else [arguments.path("out", one) for one in arguments.names("out", out)]
    )
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
        duration: Instead of the scenario's duration, for example ``"10 s"``.
        out: As for `run`; nothing is written. Rows that go to a folder are not kept in memory.
        pcap: As for `run`; so are `pcap_links` and `qlog`. What they take is a part of the disk.
        pcap_links: As for `run`.
        qlog: As for `run`.

    Returns:
        ``packets`` with data, ``answers`` (acknowledgements and echoes), ``packet_hops``, ``rows`` of all tables,
        ``satellite_looks`` (satellites times steps of routes), ``cpu_s`` and by how much it was stretched for this
        machine (``slowness``), with ``out`` what a written row takes here (``written_row_us``), ``memory_bytes``,
        ``disk_bytes``.

    Raises:
        ScenarioError: If the scenario cannot be used.
    """
    asked = job(scenario, seed=seed, duration=duration, out=out, pcap=pcap, pcap_links=pcap_links, qlog=qlog)
    found: dict[str, float] = json.loads(_core.cost(asked))
    return found
