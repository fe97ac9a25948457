# SPDX-License-Identifier: MIT OR Apache-2.0
"""Convert a measurement of another tool to a path trace, and to a scenario that replays the trace."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from bentpipe import _core
from bentpipe._import.measured import MOST, Asked
from bentpipe._import.path_trace import figures, text
from bentpipe._import.reading import FORMATS, read
from bentpipe._import.steps import Cut, joined, laid
from bentpipe.base import arguments
from bentpipe.base.errors import ScenarioError
from bentpipe.base.files import Unfit, content, refuse_other_file, write_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bentpipe._import.path_trace import Figures

#: Values of the scenario for numbers that the measurement lacks.
_USUAL = {"rate": "100 Mbit/s", "rtt": "50 ms"}
#: The first bytes of files that Bentpipe writes. Files with other first bytes are not replaced.
_OURS = (b"# bentpipe",)
_DIRECTIONS = ("up", "down", "both")
#: The end of the name of the path trace of the return direction.
_RETURN = "-return"
#: The name of a source without a file.
_UNNAMED = "data without a name"


@dataclass(frozen=True)
class Way:
    """The path trace of the return direction.

    Attributes:
        file: The path trace.
        source: The kind of the source, for readers: ``ping (Linux)``.
        figures: Key figures, as those of `Import`.
        notes: Notes, as those of `Import`.
    """

    file: Path
    source: str
    figures: Figures
    notes: tuple[str, ...]


@dataclass(frozen=True)
class Import:
    """An imported path, as `import_path` returns it.

    Attributes:
        file: The path trace.
        source: The kind of the source, for readers: ``ping (Linux)``.
        figures: Key figures: ``duration_s``, ``samples``, ``rtt_ms``, ``outages``, ``outage_s``, ``longest_outage_s``,
            ``rate_mbit_s``.
        notes: Notes on measured values, on assumptions, and on values that the source does not measure.
        scenario: A scenario (TOML) that replays the path. File names in the scenario are relative to the folder of
            `scenario_file`; if no scenario was written, to the current folder.
        scenario_file: The file with this scenario; None if no scenario was written.
        reverse: The path trace of the return direction; None if one direction was imported.
    """

    file: Path
    source: str
    figures: Figures
    notes: tuple[str, ...]
    scenario: str
    scenario_file: Path | None = None
    reverse: Way | None = None


def import_path(
    source: str | os.PathLike[str] | bytes,
    out: str | os.PathLike[str],
    *,
    scenario: str | os.PathLike[str] | None = None,
    format: str | None = None,  # noqa: A002 - the word of the command line
    columns: str | Sequence[str] = (),
    interval: str | None = None,
    direction: str | None = None,
    reverse: str | os.PathLike[str] | None = None,
    step: str = "100 ms",
    offset: str | None = None,
    duration: str | None = None,
    floor: str | None = None,
    gap: str | None = None,
    rate: str | None = None,
    rate_from: str | os.PathLike[str] | None = None,
    force: bool = False,
) -> Import:
    """Write the path trace of a measurement of another tool, for `path_trace` of a link.

    Round trips are halved, and lost probes become outages. The first lines of the file list the assumptions.

    Args:
        source: A file, or its content.
        out: Path trace to write (CSV).
        scenario: Scenario to write, which replays the path trace (TOML).
        format: ``"ping"``, ``"irtt"``, ``"iperf3"``, ``"pcap"``, ``"lens"``, ``"wetlinks"`` or ``"csv"``. By default,
            the content decides.
        columns: Columns of a CSV file in their order, with their units: ``["time=us", "-", "rtt=ms"]`` or
            ``"time=us,-,rtt=ms"``.
        interval: Time between probes or rows of a source without times.
        direction: ``"up"`` or ``"down"``: the direction of the rate, if the source measures both directions.
            ``"both"`` writes the download to `out`, and the upload beside it, for the return direction: ``path.csv``
            and ``path-return.csv``.
        reverse: A measurement of the return direction (the upload), read in the same way as `source`. Its path trace is
            written beside `out`, as with ``direction="both"``.
        step: Resolution of the path trace.
        offset: Time from the first sample to the start of the path trace.
        duration: Length of the path trace. By default, it ends with the measurement.
        floor: Length of a window. Each round trip is replaced by the smallest round trip in the window around it, which
            removes queueing delay.
        gap: A silence that is longer than this time is an outage. The default is three intervals if lost probes leave
            no row. Otherwise, silence is never an outage.
        rate: Constant rate: ``"100 Mbit/s"``.
        rate_from: Another measurement of the same path, whose rates are used with the round trips and losses of
            `source` (a ping log and an iperf3 log). Bentpipe assumes that both measurements begin at the same moment.
            The shorter one ends the trace.
        force: Replace files that this function did not write.

    Raises:
        ScenarioError: If the source cannot be read, or contains nothing about a path. The message has the line, the
            value and the fix.
        ArgumentError: If another argument is invalid.
        RunError: If a file cannot be written.
    """
    file, place = arguments.path("out", out), arguments.place("scenario", scenario)
    if format is not None and format not in FORMATS:
        raise arguments.known("format", format, FORMATS)
    if direction is not None and direction not in _DIRECTIONS:
        raise arguments.known("direction", direction, _DIRECTIONS)
    if place is not None and os.path.realpath(place) == os.path.realpath(file):
        raise arguments.refuse(f"{file} cannot be both the path trace and the scenario (give them different names)")
    if direction == "both" and reverse is not None:
        raise arguments.refuse(
            'reverse names a measurement of the return direction, but direction="both" already reads this direction'
        )
    if rate_from is not None and (rate is not None or reverse is not None):
        raise arguments.refuse(
            f"rate_from gives the rate of one measurement (omit {'rate' if rate is not None else 'reverse'})"
        )
    named = columns.split(",") if isinstance(columns, str) else columns
    step_ns = time_span("step", arguments.stated("step", step, "100 ms"))
    asked = Asked(
        tuple(one.strip() for one in named if one),
        _seconds("interval", interval),
        "down" if direction == "both" else direction,
        step_ns / 1e9,
    )
    cut = Cut(
        step_ns,
        _seconds("offset", offset) or 0.0,
        _seconds("duration", duration),
        _seconds("floor", floor),
        _seconds("gap", gap),
        None if rate is None else mbit_s("rate", rate),
    )
    is_both = direction == "both" or reverse is not None
    back = file.with_name(f"{file.stem}{_RETURN}{file.suffix}") if is_both else None
    for written in (file, back, place):
        if written is not None:
            refuse_other_file(written, _OURS, force=force)
    ways = [_made(source, asked, format, cut, file, rate_from)]
    if back is not None and reverse is None:
        ways.append(_made(source, replace(asked, direction="up"), format, cut, back, rate_from))
    elif back is not None and reverse is not None:
        ways.append(_made(reverse, asked, format, cut, back))
    for way, content_ in ways:
        write_text(way.file, content_)
    first, *others = [way for way, _ in ways]
    where = [way.file if place is None else _relative(way.file, place) for way, _ in ways]
    replays = _scenario(where, [way.figures for way, _ in ways])
    if place is not None:
        title = json.dumps(f"Path of {Path(_name(source)).name}", ensure_ascii=False)
        origin = ways[0][1].partition("\n")[0].removeprefix("# ")
        replays = f"# {origin}\nname = {title}\n{replays}"
        write_text(place, f"{replays}\n")
    back_way = others[0] if others else None
    return Import(first.file, first.source, first.figures, first.notes, replays, place, back_way)


def _name(source: str | os.PathLike[str] | bytes) -> str:
    return _UNNAMED if isinstance(source, bytes) else str(arguments.path("source", source))


def _made(
    source: str | os.PathLike[str] | bytes,
    asked: Asked,
    form: str | None,
    cut: Cut,
    file: Path,
    rate_from: str | os.PathLike[str] | None = None,
) -> tuple[Way, str]:
    """Return the path trace of a direction, and the text of its file.

    Raises:
        ScenarioError: If a source cannot be read.
    """
    name = _name(source)
    reading = name
    try:
        measured = read(_data(source), asked, form)
        made = laid(measured, cut)
        if rate_from is not None:
            reading = _name(rate_from)
            # A format and columns describe the source alone. The content of the other file decides.
            rates = laid(read(_data(rate_from), replace(asked, columns=()), None), replace(cut, floor_s=None))
            made = joined(made, rates, Path(reading).name)
    except Unfit as problem:
        raise ScenarioError("scenario-unreadable", f"cannot import {reading}: {problem}") from None
    key = figures(made, cut.step_ns)
    about = f"{key['duration_s']:g} s in steps of {cut.step_ns / 1e9:g} s"
    origin = f"bentpipe {_core.version()}: path imported from {name} ({measured.source}), {about}"
    return Way(file, measured.source, key, tuple(made.notes)), text(made, cut.step_ns, origin)


def time_span(name: str, text: str) -> int:
    """Convert a time span above 0 to nanoseconds. `name` is the name of the argument, for the message.

    Raises:
        ArgumentError: If the text is not a time span, or is 0.
    """
    try:
        found = _core.nanos(text)
    except ScenarioError as problem:
        raise arguments.refuse(f"{name}: {problem.message}") from None
    if found == 0:
        raise arguments.refuse(f'{name}: "{text}" is not a time span above 0')
    return found


def mbit_s(name: str, text: str) -> float:
    """Convert a rate from 1 bit/s to 1 Tbit/s to Mbit/s. `name` is the name of the argument, for the message.

    Raises:
        ArgumentError: If the text is not such a rate.
    """
    found = _core.quantity(arguments.stated(name, text, "100 Mbit/s"))
    rate = 0.0
    if found is not None and "Mbit/s" in found.units:
        rate = float(found.number) * found.units[found.unit] / found.units["Mbit/s"]
    if not 1e-6 <= rate <= 1e6:
        raise arguments.refuse(f'{name}: "{text}" is not a rate such as "100 Mbit/s"')
    return rate


def _seconds(name: str, value: str | None) -> float | None:
    text = arguments.quantity(name, value, "100 ms")
    return None if text is None else time_span(name, text) / 1e9


def _data(source: str | os.PathLike[str] | bytes) -> bytes:
    if not isinstance(source, bytes):
        return content(Path(source), MOST)
    if len(source) > MOST:
        raise Unfit(f"it is larger than {MOST / 1e6:g} MB, the limit for a measurement")
    return source


def _relative(file: Path, scenario: Path) -> Path:
    """Return the path from the scenario to the path trace; links are resolved, because ``..`` is wrong after a link."""
    return Path(os.path.relpath(os.path.realpath(file), os.path.realpath(scenario.parent)))


def _scenario(files: Sequence[Path], keys: Sequence[Figures]) -> str:
    """Return three lines that replay path traces, with a comment on values that the first trace lacks."""
    key = keys[0]
    missing = [name for name, there in (("rate", key["rate_mbit_s"]), ("rtt", key["rtt_ms"])) if there is None]
    first, *others = (f"path_trace = {json.dumps(str(file))}" for file in files)
    lines = [first, *(f'{name} = "{_USUAL[name]}"' for name in missing)]
    lines += [f"reverse = {{ {other} }}" for other in others]
    told = f"  # {' and '.join(missing)}: not measured, set your own" if missing else ""
    return (
        f'duration = "{min(one["duration_s"] for one in keys):.9g} s"\n'
        f"network.dumbbell = {{ {', '.join(lines)} }}{told}\n"
        'flows = [{ controller = "cubic" }]'
    )
