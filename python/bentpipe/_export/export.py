# SPDX-License-Identifier: MIT OR Apache-2.0
"""Export the rate, delay and loss of a flow's path over time, for replay in other tools."""

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
#: The first bytes of exported files. Files with other first bytes are not replaced.
_OURS = (b"# bentpipe", b"#!/bin/sh\n# bentpipe")


@dataclass(frozen=True)
class Export:
    """The written files.

    Attributes:
        files: The files, in the order in which they were written.
        notes: Notes on the content and use of the files, and on limits of the format with the resulting errors.
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
    """Compute rate, delay and loss of a flow's path over time, from the network alone. No packet is sent.

    The rate is that of the slowest link, without the load of other flows. The delay is propagation delay, without
    queues. The loss is random loss on the path. The flow's access links are part of the path.

    Args:
        scenario: A file, a run folder, TOML text, a `Scenario` or a `Run`.
        flow: Name of the flow, by default the first flow.
        direction: ``"forward"``, the direction of data, or ``"return"``.
        duration: Replaces the scenario's duration.
        step: Interval of rows. Rate and loss are means over a step, the delay is at the start of the step.

    Returns:
        One row for each step. Columns: ``time_s``; ``rate_mbit_s`` (None: no link has a rate); ``delay_ms``;
        ``loss_ratio``, the loss while there is a path (with bit errors: of packets of 1500 bytes); ``outage_ratio``,
        the fraction of the step without a path or with a loss of all packets. In a complete outage, only time and
        outage have values.

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
        out: Folder to write. For a single direction in the format ``csv`` or ``netem``, also a file (``.csv``,
            ``.sh``).
        format: ``"csv"``, which scenarios read as `path_trace`; ``"netem"``, a shell script for tc-netem(8);
            ``"mahimahi"``, traces for mm-link(1) and the command that uses them; ``"leoreplayer"``, the same traces and
            delays over time, for LeoCC's fork of mahimahi (SpaceNetLab/LeoCC, ``leoreplayer/replayer``).
        flow: Name of the flow, by default the first flow.
        direction: ``"forward"`` or ``"return"`` exports only this direction (csv and netem).
        duration: Replaces the scenario's duration.
        step: Interval of samples. The default is ``"100 ms"`` for netem and ``"10 ms"`` for other formats.
        force: Write into a folder with other files, or replace a file.

    Raises:
        ScenarioError: If the scenario cannot be used, the format cannot represent the path, or `out` has other files.
        ArgumentError: If the format or the direction is unknown, or the format does not allow a single direction.
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
    """Return the job of a scenario or of a run."""
    if isinstance(scenario, run.Run):
        return make.again(scenario, duration)
    is_path = isinstance(scenario, os.PathLike) or (isinstance(scenario, str) and "\n" not in scenario)
    if is_path and arguments.path("a scenario", scenario).is_dir():
        return make.again(run.load(scenario), duration)  # type: ignore[arg-type]
    return make.job(scenario, duration=duration)
