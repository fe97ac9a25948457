# SPDX-License-Identifier: MIT OR Apache-2.0
"""Convert a measurement of another tool to a path trace, and to a scenario that replays the trace."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from bentpipe import _core
from bentpipe._import.measured import MOST, Asked
from bentpipe._import.path_trace import figures, text
from bentpipe._import.reading import FORMATS, read
from bentpipe._import.steps import Cut, laid
from bentpipe.base import arguments
from bentpipe.base.errors import ScenarioError
from bentpipe.base.files import Unfit, content, refuse_other_file, write_text
from bentpipe.base.names import printable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bentpipe._import.path_trace import Figures

#: Values of the scenario for numbers that the measurement lacks.
_USUAL = {"rate": "100 Mbit/s", "rtt": "50 ms"}
#: The first bytes of files that Bentpipe writes. Files with other first bytes are not replaced.
_OURS = (b"# bentpipe",)
_DIRECTIONS = ("up", "down")
#: The name of a source without a file.
_UNNAMED = "data without a name"


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
    """

    file: Path
    source: str
    figures: Figures
    notes: tuple[str, ...]
    scenario: str
    scenario_file: Path | None = None


def import_path(
    source: str | os.PathLike[str] | bytes,
    out: str | os.PathLike[str],
    *,
    scenario: str | os.PathLike[str] | None = None,
    format: str | None = None,  # noqa: A002 - the word of the command line
    columns: str | Sequence[str] = (),
    interval: str | None = None,
    direction: str | None = None,
    step: str = "100 ms",
    offset: str | None = None,
    duration: str | None = None,
    floor: str | None = None,
    gap: str | None = None,
    rate: str | None = None,
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
        step: Resolution of the path trace.
        offset: Time from the first sample to the start of the path trace.
        duration: Length of the path trace. By default, it ends with the measurement.
        floor: Length of a window. Each round trip is replaced by the smallest round trip in the window around it, which
            removes queueing delay.
        gap: A longer silence is an outage. The default is three intervals if lost probes leave no row; otherwise,
            silence is never an outage.
        rate: Constant rate: ``"100 Mbit/s"``.
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
    named = columns.split(",") if isinstance(columns, str) else columns
    step_ns = time_span("step", arguments.stated("step", step, "100 ms"))
    asked = Asked(tuple(one.strip() for one in named if one), _seconds("interval", interval), direction, step_ns / 1e9)
    cut = Cut(
        step_ns,
        _seconds("offset", offset) or 0.0,
        _seconds("duration", duration),
        _seconds("floor", floor),
        _seconds("gap", gap),
        None if rate is None else mbit_s("rate", rate),
    )
    for written in (file, place):
        if written is not None:
            refuse_other_file(written, _OURS, force=force)
    name = _UNNAMED if isinstance(source, bytes) else str(arguments.path("source", source))
    try:
        measured = read(_data(source), asked, format)
        made = laid(measured, cut)
    except Unfit as problem:
        raise ScenarioError("scenario-unreadable", f"cannot import {name}: {problem}") from None
    key = figures(made, step_ns)
    about = f"{key['duration_s']:g} s in steps of {step_ns / 1e9:g} s"
    origin = f"bentpipe {_core.version()}: path imported from {name} ({measured.source}), {about}"
    write_text(file, text(made, step_ns, origin))
    replays = _scenario(file if place is None else _relative(file, place), key)
    if place is not None:
        title = json.dumps(f"Path of {Path(name).name}", ensure_ascii=False)
        replays = f"# {printable(origin)}\nname = {title}\n{replays}"
        write_text(place, f"{replays}\n")
    return Import(file, measured.source, key, tuple(made.notes), replays, place)


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


def _scenario(file: Path, key: Figures) -> str:
    """Return three lines that replay a path trace, with a comment on values that the trace lacks."""
    missing = [name for name, there in (("rate", key["rate_mbit_s"]), ("rtt", key["rtt_ms"])) if there is None]
    keys = [f"path_trace = {json.dumps(str(file))}", *(f'{name} = "{_USUAL[name]}"' for name in missing)]
    told = f"  # {' and '.join(missing)}: not measured, set your own" if missing else ""
    return (
        f'duration = "{key["duration_s"]:.9g} s"\n'
        f"network.dumbbell = {{ {', '.join(keys)} }}{told}\n"
        'flows = [{ controller = "cubic" }]'
    )
