# SPDX-License-Identifier: MIT OR Apache-2.0
"""Options and output that several commands share: the constellation, pairs of places, descriptions."""

from __future__ import annotations

import re
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from bentpipe._sky import Sky
from bentpipe.base.errors import ScenarioError
from bentpipe.cli.console import note

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")
#: The forms of a place, for help texts.
PLACE = 'a city, or latitude and longitude: "37.9, -122.3"'
#: The forms of a constellation, for help texts.
NAMED = (
    "a preset (bentpipe constellations), a file of element sets (.tle, .txt, .json, .csv, .xml, .kvn) "
    "or a scenario (.toml)"
)


#: Keys of a constellation that are options, each with the name of its value and its help text.
_KEYS = {
    "min_elevation": ("ANGLE", 'smallest elevation at which a place uses a satellite, for example "8.2 deg"'),
    "offset": ("TIME", 'time from the epoch of the orbits to the start, for example "90 min"'),
}


def _option(key: str) -> str:
    return f"--{key.replace('_', '-')}"


@contextmanager
def keys_as_options() -> Iterator[None]:
    """Name the options of these commands in errors that name keys of a scenario.

    Raises:
        ScenarioError: The error of the context, with options in its message.
    """
    try:
        yield
    except ScenarioError as problem:
        text = problem.message
        for key in _KEYS:
            text = text.replace(f"`{key}`", _option(key))
        raise ScenarioError(problem.code, text) from None


def _moment(text: str) -> str:
    """Convert `now` or a date to a full time. The reader of scenarios checks other forms."""
    if text == "now":
        return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    return f"{text}T00:00:00Z" if _DATE.fullmatch(text) else text


def start(parser: argparse.ArgumentParser) -> None:
    """Add ``--start``."""
    parser.add_argument(
        "--start",
        type=_moment,
        metavar="TIME",
        help='start of the run in UTC, if the constellation is a file of element sets: "2026-11-27T12:00:00Z", a '
        'date, or "now" (default: the newest epoch of the satellites used)',
    )


def constellation(parser: argparse.ArgumentParser) -> None:
    """Add the options that choose the constellation."""
    parser.add_argument("--constellation", required=True, metavar="NAME|FILE", help=NAMED)
    start(parser)
    parser.add_argument(
        "--unusable",
        choices=("skip", "refuse"),
        help="what to do with satellites in the file whose orbit cannot be computed (default: skip)",
    )
    for key, (name, text) in _KEYS.items():
        parser.add_argument(_option(key), metavar=name, help=text)


def sky_of(what: str, chosen: argparse.Namespace) -> Sky:
    """Return the chosen constellation, and print its notes."""
    changes = {key: getattr(chosen, key, None) for key in ("start", "unusable", *_KEYS)}
    sky = Sky(what, **{key: value for key, value in changes.items() if value is not None})
    length = getattr(chosen, "duration", None)
    for text in (*sky.notes, *(sky._core.notes_at_end(length) if length else ())):
        note(f"note: {text}")
    return sky


def looked_at(sky: Sky, length: str) -> str:
    """Return the time span in words, with its start if the element sets have a date."""
    return f"{length} from {sky.facts['start']}" if sky.facts["start"] else length


def pair_of(text: str, place: str) -> tuple[str, str]:
    """Return the two places of A:B.

    Raises:
        ScenarioError: If the text does not name two places. The message calls the text `place`.
    """
    origin, _, destination = (part.strip() for part in text.partition(":"))
    if not origin or not destination or ":" in destination:
        raise ScenarioError("usage", f"{place}: {text!r} is not a pair of places (write A:B)")
    return origin, destination
