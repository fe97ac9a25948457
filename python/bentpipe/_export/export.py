# SPDX-License-Identifier: MIT OR Apache-2.0
"""A flow's path carried out of Bentpipe: rate, delay and loss over time as others replay them."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bentpipe import _core
from bentpipe._export import formats
from bentpipe._export.path_trace import WAYS, Trace
from bentpipe.base import arguments
from bentpipe.base.errors import ScenarioError
from bentpipe.base.files import refuse_foreign, whole, write_error
from bentpipe.base.tables import Table
from bentpipe.runs import make, run

if TYPE_CHECKING:
    from pathlib import Path

    from bentpipe.scenario.classes import Scenario

#: The formats, and how often the path is looked at where nobody says.
FORMATS = {"csv": "10 ms", "netem": "100 ms", "mahimahi": "10 ms", "leoreplayer": "10 ms"}
#: How our files begin: what does not is not replaced.
_OURS = (b"# bentpipe", b"#!/bin/sh\n# bentpipe")


@dataclass(frozen=True)
class Export:
    """What was written.

    Attributes:
        files: The files, in the order in which they were written.
        notes: What the files say, what the format cannot say and how far that is off, and how to use them.
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

    The rate is that of the narrowest link, whoever else sends there; delay is propagation, loss is chance on the way.
    The links of the flow's hosts count, queues do not.

    Args:
        scenario: A file, a run folder, TOML text, a `Scenario` or a `Run`.
        flow: Name of the flow; the first if none is named.
        direction: ``"forward"``, as data goes, or ``"return"``.
        duration: Instead of the scenario's duration.
        step: How often. Rate and loss are means over a step, the delay is that at its beginning.

    Returns:
        One row for each step: ``time_s``; ``rate_mbit_s`` (None: no link has one); ``delay_ms``; ``loss_ratio`` of
        packets that meet a path (those of 1500 bytes, where bits are wrong); ``outage_ratio``, the share of the step in
        which there is no path or all that is sent is lost. Then all but time and outage are None.

    Raises:
        ScenarioError: If the scenario cannot be used, or has no flow of this name.
        ArgumentError: If the direction is no such word.
    """
    if direction not in WAYS:
        raise arguments.refuse(f'direction is "forward" or "return", not {direction!r}')
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
    """Write a flow's path (`path_trace`) for another tool to replay.

    Args:
        scenario: A file, a run folder, TOML text, a `Scenario` or a `Run`.
        out: Folder to write; of one direction of ``csv`` and ``netem`` also a file (``.csv``, ``.sh``).
        format: ``"csv"``, which scenarios read as `path_trace`; ``"netem"``, a shell script of tc-netem(8);
            ``"mahimahi"``, traces of mm-link(1) and the command that uses them; ``"leoreplayer"``, the same with delays
            over time, for the fork of mahimahi that comes with LeoCC (SpaceNetLab/LeoCC, ``leoreplayer/replayer``).
        flow: Name of the flow; the first if none is named.
        direction: ``"forward"`` or ``"return"``: only this one (csv and netem).
        duration: Instead of the scenario's duration.
        step: How often the path is looked at; ``"100 ms"`` for netem, otherwise ``"10 ms"``.
        force: Write beside or over what others wrote.

    Raises:
        ScenarioError: If the scenario cannot be used, the format cannot say the path, or something else stands in
            `out`.
        ArgumentError: If the format or the direction is no such word, or they do not fit.
        RunError: If a file cannot be written.
    """
    if format not in FORMATS:
        raise arguments.known("format", format, FORMATS)
    if direction is not None and direction not in WAYS:
        raise arguments.refuse(f'direction is "forward" or "return", not {direction!r}')
    one_way = format in ("csv", "netem")
    if direction is not None and not one_way:
        raise arguments.refuse(f"{format} replays both directions at once: leave out the direction")
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
        _refuse_other_file(place, force=force)
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
    """What a scenario or a run was made of."""
    if isinstance(scenario, run.Run):
        return make.again(scenario, duration)
    is_path = isinstance(scenario, os.PathLike) or (isinstance(scenario, str) and "\n" not in scenario)
    if is_path and arguments.path("a scenario", scenario).is_dir():
        return make.again(run.load(scenario), duration)  # type: ignore[arg-type]
    return make.job(scenario, duration=duration)


def _refuse_other_file(file: Path, *, force: bool) -> None:
    if force or not file.exists():
        return
    try:
        with file.open("rb") as there:
            begins = there.read(max(map(len, _OURS)))
    except OSError as problem:
        raise write_error(file, problem) from None
    if begins and not begins.startswith(_OURS):
        raise ScenarioError(
            "folder-occupied",
            f"cannot write {file}: this command did not write what is there (choose another name; --force replaces it)",
        )
