# SPDX-License-Identifier: MIT OR Apache-2.0
"""Export of a flow's path: rate, delay and loss over time, for replay in other tools."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bentpipe import _core
from bentpipe._export import formats
from bentpipe._export.path_trace import WAYS, Trace
from bentpipe.base import arguments
from bentpipe.base.files import refuse_foreign, refuse_other_file, whole
from bentpipe.base.tables import Table
from bentpipe.runs import make, run

if TYPE_CHECKING:
    from pathlib import Path

    from bentpipe.scenario.classes import Scenario

#: The formats, and the default step of each.
FORMATS = {"csv": "10 ms", "netem": "100 ms", "mahimahi": "10 ms", "leoreplayer": "10 ms"}
#: The first bytes of our files; other files are not replaced.
_OURS = (b"# bentpipe", b"#!/bin/sh\n# bentpipe")


@dataclass(frozen=True)
class Export:
    """The written files.

    Attributes:
        files: The files, in the order in which they were written.
        notes: Content and use of the files, limits of the format, and the resulting errors.
    """

    files: tuple[Path, ...]
    notes: tuple[str, ...]


def path_trace(
    scenario: str | os.PathLike[str] | Scenario | run.Run,
    *,
    flow: str | None = None,
    direction: str = "forward",
    duration: str | None = None,
    step: str = "10 ms",
) -> Table:
    """Rate, delay and loss of a flow's path over time, from the network alone: no packet is sent.

    The rate is that of the narrowest link, without the load of other flows; delay is propagation, loss is random loss
    on the path. The access links of the flow count, queues do not.

    Args:
        scenario: A file, a run folder, TOML text, a `Scenario` or a `Run`.
        flow: Name of the flow; by default the first.
        direction: ``"forward"``, the direction of data, or ``"return"``.
        duration: Replaces the scenario's duration.
        step: Interval of rows. Rate and loss are means over a step, the delay is at the start of the step.

    Returns:
        One row for each step: ``time_s``; ``rate_mbit_s`` (None: no link has a rate); ``delay_ms``; ``loss_ratio``
        while there is a path (of packets of 1500 bytes, for bit errors); ``outage_ratio``, the fraction of the step
        without a path or with a loss of all packets. In a complete outage all values except time and outage are None.

    Raises:
        ScenarioError: If the scenario cannot be used, or has no flow of this name.
        ArgumentError: If the direction is unknown.
    """
    if direction not in WAYS:
        raise arguments.refuse(f'direction must be "forward" or "return", not {direction!r}')
    table, _ = _core.path_series(
        _job(scenario, duration), flow, direction == "forward", arguments.stated("step", step, "10 ms")
    )
    return Table(table)


def export(
    scenario: str | os.PathLike[str] | Scenario | run.Run,
    out: str | os.PathLike[str],
    *,
    format: str,  # noqa: A002 - the word of the command line
    flow: str | None = None,
    direction: str | None = None,
    duration: str | None = None,
    step: str | None = None,
    force: bool = False,
) -> Export:
    """Write a flow's path (`path_trace`) for replay in another tool.

    Args:
        scenario: A file, a run folder, TOML text, a `Scenario` or a `Run`.
        out: Folder to write; for one direction of ``csv`` and ``netem`` also a file (``.csv``, ``.sh``).
        format: ``"csv"``, which scenarios read as `path_trace`; ``"netem"``, a shell script of tc-netem(8);
            ``"mahimahi"``, traces of mm-link(1) and the command that uses them; ``"leoreplayer"``, these with delays
            over time, for the fork of mahimahi of LeoCC (SpaceNetLab/LeoCC, ``leoreplayer/replayer``).
        flow: Name of the flow; by default the first.
        direction: ``"forward"`` or ``"return"``: only this one (csv and netem).
        duration: Replaces the scenario's duration.
        step: Interval of samples; by default ``"100 ms"`` for netem, otherwise ``"10 ms"``.
        force: Write into a folder with other files, or replace them.

    Raises:
        ScenarioError: If the scenario cannot be used, the format cannot represent the path, or `out` holds other files.
        ArgumentError: If the format or the direction is unknown, or the two conflict.
        RunError: If a file cannot be written.
    """
    if format not in FORMATS:
        raise arguments.known("format", format, FORMATS)
    if direction is not None and direction not in WAYS:
        raise arguments.refuse(f'direction must be "forward" or "return", not {direction!r}')
    one_way = format in ("csv", "netem")
    if direction is not None and not one_way:
        raise arguments.refuse(f"{format} replays both directions at once (omit the direction)")
    place = arguments.path("out", out)
    suffix = {"csv": ".csv", "netem": ".sh"}.get(format)
    job, often = _job(scenario, duration), arguments.stated("step", step or FORMATS[format], "10 ms")
    ways = WAYS if direction is None else (direction,)
    traces = [Trace.of(*_core.path_series(job, flow, way == "forward", often), way) for way in ways]
    if one_way:
        write = formats.csv if format == "csv" else formats.netem
        texts = [(f"{trace.way}{suffix}", write(trace)) for trace in traces]
        notes = [note for _, (_, said) in texts for note in said]
        files = {name: text for name, (text, _) in texts}
    else:
        write_both = formats.mahimahi if format == "mahimahi" else formats.leoreplayer
        files, notes = write_both(*traces)
    if direction is not None and place.suffix == suffix:
        refuse_other_file(place, _OURS, force=force)
        written = {place: next(iter(files.values()))}
    else:
        refuse_foreign(place, list(files), force=force)
        written = {place / name: text for name, text in files.items()}
    for file, text in written.items():
        with whole(file) as target:
            target.write_text(text, encoding="utf-8")
            if text.startswith("#!"):
                target.chmod(0o755)
    return Export(tuple(written), tuple(dict.fromkeys(notes)))


def _job(scenario: str | os.PathLike[str] | Scenario | run.Run, duration: str | None) -> _core.Job:
    """The job of a scenario or of a run."""
    if isinstance(scenario, run.Run):
        return make.again(scenario, duration)
    is_path = isinstance(scenario, os.PathLike) or (isinstance(scenario, str) and "\n" not in scenario)
    if is_path and arguments.path("a scenario", scenario).is_dir():
        return make.again(run.load(scenario), duration)  # type: ignore[arg-type]
    return make.job(scenario, duration=duration)
