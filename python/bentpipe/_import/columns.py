# SPDX-License-Identifier: MIT OR Apache-2.0
"""Read CSV files of any other source, with or without a header.

The user or the header of the file names the columns and their units: ``rtt_ms``, ``loss (%)``.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime

from bentpipe._import.measured import HALVED, NO_RATE, Asked, Measured, Sample, both_ways, number, rows, text_of
from bentpipe.base.files import Unfit

#: Units of rates, each with its factor to Mbit/s.
_RATES = {"Mbit/s": 1.0, "bit/s": 1e-6, "kbit/s": 1e-3, "Gbit/s": 1e3, "B/s": 8e-6, "kB/s": 8e-3, "MB/s": 8.0}
#: Units of each column, each with its factor to s, ms, Mbit/s or a fraction. The first unit is the default.
UNITS = {
    "time": {"s": 1.0, "ms": 1e-3, "us": 1e-6, "ns": 1e-9, "min": 60.0, "h": 3600.0, "date": 1.0},
    "rtt": {"ms": 1.0, "s": 1e3, "us": 1e-3, "ns": 1e-6},
    "delay": {"ms": 1.0, "s": 1e3, "us": 1e-3, "ns": 1e-6},
    "rate": _RATES,
    "up": _RATES,
    "down": _RATES,
    "loss": {"%": 0.01, "ratio": 1.0},
}
#: Columns with the rate of one direction.
_WAYS = ("up", "down")
#: The name for a column that is not read.
SKIPPED = "-"
#: Names of columns in headers of other tools, in lower case.
_NAMES = {
    **{name: name for name in UNITS},
    "timestamp": "time",
    "ping": "rtt",
    "round_trip": "rtt",
    "owd": "delay",
    "one_way_delay": "delay",
    "throughput": "rate",
    "bandwidth": "rate",
    "packet_loss": "loss",
    "upload": "up",
    "uplink": "up",
    "download": "down",
    "downlink": "down",
}
#: Units in names of headers, in lower case, where characters such as ``/`` are not possible.
_SPELLED = {
    **{unit.lower(): unit for units in UNITS.values() for unit in units if unit[-2:] != "/s"},
    **{f"{one.lower()}{bits}": f"{one}bit/s" for one in ("", "k", "M", "G") for bits in ("bit/s", "bit_s", "bps")},
    "percent": "%",
    "pct": "%",
    "sec": "s",
    "seconds": "s",
}
#: Name and unit of a header: "rtt", "rtt_ms", "rtt (ms)", "loss [%]", "rate_mbit_s".
_HEADED = re.compile(r"(?P<name>[a-z_ ]+?)(?:[_ ]?[(\[](?P<unit>[^)\]]+)[)\]]|_(?P<suffix>[a-z/%_]+))?")


def moment(cell: str, line: int, column: str) -> float:
    """Parse a time in ISO 8601, in seconds since 1970. A time without a zone is UTC."""
    try:
        found = datetime.fromisoformat(cell)
    except ValueError:
        raise Unfit(f'line {line}: {column} "{cell[:40]}" is not a time such as 2026-11-27 22:24:00') from None
    return (found if found.tzinfo else found.replace(tzinfo=UTC)).timestamp()


def meaning(columns: tuple[str, ...]) -> list[tuple[str, str]]:
    """Return the name and unit of each column.

    Raises:
        Unfit: If a name or a unit is unknown, or no column is about a path.
    """
    found: list[tuple[str, str]] = []
    for column in columns:
        name, _, unit = column.strip().partition("=")
        if name != SKIPPED and name not in UNITS:
            raise Unfit(f'--columns: "{name}" is not a column (columns are {", ".join(UNITS)}, and - to skip one)')
        units = UNITS.get(name, {"": 1.0})
        unit = unit or next(iter(units))
        if unit not in units:
            raise Unfit(f'--columns: "{unit}" is not a unit of {name} (units are {", ".join(units)})')
        if name != SKIPPED and name in (one for one, _ in found):
            raise Unfit(f"--columns: {name} is listed twice")
        found.append((name, unit))
    names = {name for name, _ in found}
    if not names - {"time", SKIPPED} or {"rtt", "delay"} <= names:
        raise Unfit("--columns: name rtt or delay, rate, or loss (for example: --columns time,rtt=ms,rate=Mbit/s)")
    if "rate" in names and names & set(_WAYS):
        raise Unfit("--columns: name rate, or up and down (up is the upload, down the download)")
    return found


def has_round_trips(header: str) -> bool:
    """Return whether a line of column names has a round trip. A path trace has none."""
    return any(_headed(cell)[:1] == ("rtt",) for cell in header.split(","))


def _headed(cell: str) -> tuple[str, str] | tuple[()]:
    """Return the name and unit of a column from its cell in the header. A unit that is not stated is empty.

    The result is empty if the name is unknown.
    """
    text = cell.strip().strip('"').lower()
    known = _NAMES.get(text.replace(" ", "_"))
    if known is not None:
        return known, ""
    found = _HEADED.fullmatch(text)
    # The longest known name is used: "packet_loss_percent" is "packet_loss" in "percent".
    ends = [at for at, letter in enumerate(text) if letter == "_"]
    parts = [(text[:at], text[at + 1 :]) for at in reversed(ends)]
    if found is not None and found["unit"] is not None:
        parts = [(found["name"].strip(" _"), found["unit"].strip())]
    for name, unit in parts:
        known, spelled = _NAMES.get(name.replace(" ", "_")), _SPELLED.get(unit)
        if known is not None and spelled in UNITS[known]:
            return known, str(spelled)
    return ()


def _by_header(header: list[str], line: int, first: list[str]) -> tuple[tuple[str, ...], list[str]]:
    """Return the columns that a header names, in the form of `Asked.columns`, and notes.

    `first` is the row after the header. If the header has no known name, the columns are empty.
    """
    columns, read, assumed = list[str](), list[str](), list[str]()
    for at, cell in enumerate(header):
        name, unit = _headed(cell) or (SKIPPED, "")
        names = {column.partition("=")[0] for column in columns}
        if name == SKIPPED or name in names or (name in ("rtt", "delay") and names & {"rtt", "delay"}):
            columns.append(SKIPPED)
            continue
        if not unit:
            unit = next(iter(UNITS[name]))
            if name == "time" and at < len(first) and not re.fullmatch(r"[-+\d.eE]*", first[at]):
                unit = "date"
            assumed.append(f"assumed: {cell} is in {unit}, because the header states no unit")
        columns.append(f"{name}={unit}")
        read.append(cell)
    if not read:
        return (), []
    return tuple(columns), [f"read: line {line} names the columns {', '.join(read)}", *assumed]


def _ignored(header: list[str], columns: tuple[str, ...]) -> list[str]:
    """Return the note on named columns of the file that are not read."""
    names = [cell for at, cell in enumerate(header) if at >= len(columns) or columns[at].strip() == SKIPPED]
    return [f"ignored: the columns {', '.join(names)}"[:300]] if any(names) else []


def separator(text: str) -> str:
    """Return the separator of the first row: a comma, semicolon, tab or white space."""
    first = next((line for line in text.splitlines() if line.strip() and not line.startswith("#")), "")
    return next((one for one in (";", "\t", ",") if one in first), " ")


def read(data: bytes, asked: Asked) -> Measured:
    """Read the columns that the user or the header names. A row without a round trip is a lost probe."""
    text = text_of(data)
    between = separator(text)
    lines = list(rows(text, between))
    if not lines:
        raise Unfit("it is empty")
    number_of_first, first = lines[0]
    chosen, notes = asked.columns, list[str]()
    has_header = not any(re.match(r"[-+]?\.?\d", cell) for cell in first)
    if not chosen and has_header:
        chosen, notes = _by_header(first, number_of_first, lines[1][1] if len(lines) > 1 else [])
    if not chosen:
        raise Unfit(
            f'line {number_of_first}: "{",".join(first)[:80]}": the format is not known; if these are columns of '
            "values, name them in their order (for example: --columns time,rtt=ms,rate=Mbit/s; - skips a column)"
        )
    columns = meaning(chosen)
    if has_header:
        notes = notes or [f'read: line {number_of_first} is a header ("{",".join(first)[:80]}")']
        notes += _ignored(first, chosen)
        lines = lines[1:]
    names = [name for name, _ in columns]
    rate = _rate_column(names, asked.direction)
    if "time" not in names and asked.interval_s is None:
        raise Unfit("no column is the time: add --interval TIME, the time between rows")
    samples = [_sample(cells, line, columns, between == ";", at, asked, rate) for at, (line, cells) in enumerate(lines)]
    if all(sample.rtt_ms is None and sample.rate_mbit_s is None and not sample.loss for sample in samples):
        raise Unfit("it has no row with a value")
    notes.insert(0, f"measured: {len(samples)} rows, columns {', '.join(chosen)}")
    if "rtt" in names:
        notes += [HALVED, "assumed: a row without a positive round trip is a lost probe"]
    elif "delay" not in names:
        notes.append("not measured: the delay (give the link a delay or an rtt)")
    notes += [] if rate in names else [NO_RATE]
    if set(_WAYS) <= set(names) and asked.direction is None:
        notes.append(
            "read: the download rate of the file, not the upload rate (--direction both writes both directions)"
        )
    most = max((sample.loss for sample in samples), default=0.0)
    if any(column.strip() == "loss" for column in asked.columns) and 0.0 < most <= both_ways(0.01):
        notes.append(
            "assumed: the losses are percentages, although none is above 1 % (if they are fractions, write loss=ratio)"
        )
    return Measured("CSV", samples, notes, omits_lost=bool({"rtt", "delay"} & set(names)))


def _rate_column(names: list[str], direction: str | None) -> str:
    """Return the name of the column with the rate of a direction.

    Raises:
        Unfit: If the direction is named, and no column has its rate.
    """
    ways = [name for name in _WAYS if name in names]
    if direction is not None and direction not in ways:
        raise Unfit(f"--direction {direction}: no column is {direction} (name it: --columns time,{direction}=Mbit/s)")
    return direction or (ways[-1] if ways else "rate")


def _sample(
    cells: list[str], line: int, columns: list[tuple[str, str]], comma: bool, at: int, asked: Asked, rate_column: str
) -> Sample:
    if len(cells) < len(columns):
        raise Unfit(f"line {line}: {len(cells)} values, and --columns names {len(columns)}")
    values: dict[str, float | None] = {}
    for (name, unit), cell in zip(columns, cells, strict=False):
        if unit == "date":
            values[name] = moment(cell, line, name)
        elif name != SKIPPED:
            value = number(cell.replace(",", ".") if comma else cell, line, name)
            values[name] = None if value is None else value * UNITS[name][unit]
    at_s = values.get("time", at * (asked.interval_s or 0.0))
    if at_s is None:
        raise Unfit(f"line {line}: the time is missing")
    rate, loss = values.get(rate_column), values.get("loss") or 0.0
    if rate is not None and rate < 0:
        raise Unfit(f"line {line}: the rate {rate:g} Mbit/s is negative")
    if not 0 <= loss <= 1:
        unit = dict(columns)["loss"]
        most = "100 %" if unit == "%" else "1 (for percent, write loss=%)"
        said = f"{100 * loss:g} %" if unit == "%" else f"{loss:g}"
        raise Unfit(f"line {line}: the loss {said} must be between 0 and {most}")
    delayed = next((name for name in ("rtt", "delay") if name in values), None)
    if delayed is None:
        return Sample(at_s, None, rate, both_ways(loss))
    delay = values[delayed]
    if delay is None or delay < 0:
        return Sample(at_s, None, rate, 1.0)
    return Sample(at_s, delay if delayed == "rtt" else 2 * delay, rate, both_ways(loss))
