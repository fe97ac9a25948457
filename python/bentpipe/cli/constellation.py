# SPDX-License-Identifier: MIT OR Apache-2.0
"""What commands that look at a constellation share: which one it is, pairs of places, how it is described."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bentpipe._sky import Sky
from bentpipe.base.errors import ScenarioError
from bentpipe.cli.console import note

if TYPE_CHECKING:
    import argparse

NAMED = (
    "a preset (bentpipe constellations), a file of element sets (.tle, .txt, .json, .csv, .xml, .kvn) "
    "or a scenario (.toml)"
)


def start(parser: argparse.ArgumentParser) -> None:
    """Add ``--start``."""
    parser.add_argument("--start", metavar="TIME", help="start of the run for a file of element sets, UTC")


def constellation(parser: argparse.ArgumentParser) -> None:
    """Add the options that say which constellation it is."""
    parser.add_argument("--constellation", required=True, metavar="NAME|FILE", help=NAMED)
    start(parser)
    parser.add_argument(
        "--unusable", choices=("skip", "refuse"), help="satellites of a file that cannot be followed (default skip)"
    )


def sky_of(what: str, chosen: argparse.Namespace) -> Sky:
    """The constellation asked for; its notes are told."""
    changes = {key: getattr(chosen, key, None) for key in ("start", "unusable")}
    sky = Sky(what, **{key: value for key, value in changes.items() if value is not None})
    length = getattr(chosen, "duration", None)
    for text in (*sky.notes, *(sky._core.notes_at_end(length) if length else ())):
        note(f"note: {text}")
    return sky


def pair_of(text: str, place: str) -> tuple[str, str]:
    """The two places of A:B.

    Raises:
        ScenarioError: If there are not two; `place` is where the text stands.
    """
    origin, _, destination = (part.strip() for part in text.partition(":"))
    if not origin or not destination or ":" in destination:
        raise ScenarioError("usage", f"{place}: {text!r} is no pair of places (write A:B)")
    return origin, destination
