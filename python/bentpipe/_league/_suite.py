# SPDX-License-Identifier: MIT OR Apache-2.0
"""A suite: a folder of scenarios, with beds for two competing flows in the folder `competition`.

A user's suite is a folder of the same form as the suite in the package. The seeds of a scenario are computed from the
scenario's name, so different scenarios have different seeds. With equal seeds, two dumbbells would lose the same
packets, and means over scenarios would count one draw twice. Within a scenario all controllers have the same seeds, so
differences between controllers are paired.
"""

from __future__ import annotations

import hashlib
import json
import shutil
import zlib
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from bentpipe import _core
from bentpipe.base import arguments
from bentpipe.base.errors import ScenarioError
from bentpipe.base.files import plain, read_text, write_error
from bentpipe.results.metrics import Asked, There
from bentpipe.runs.point import Point
from bentpipe.scenario.bench import Bench

if TYPE_CHECKING:
    import os
    from collections.abc import Sequence

    from bentpipe.scenario.choice import Choice

#: The folder of the included suite, and the name of this suite in lists of folders.
SHIPPED, SHIPPED_NAME = Path(__file__).parent / "suite", "league"
#: Name of the folder with the beds, inside the folder of a suite.
BEDS = "competition"
#: If the name of a TCP flow or an application has this prefix, the flow is cross-traffic and keeps its controller.
CROSS = "cross"


@dataclass(frozen=True)
class Arena:
    """A scenario of a suite.

    Attributes:
        name: The name of the scenario's file.
        file: The scenario's file.
        bench: The checked scenario.
        targets: The flows whose controller is replaced.
        quick: Whether the run is a first look (a shortened run).
    """

    name: str
    file: Path
    bench: Bench
    targets: frozenset[int]
    quick: bool = False

    @property
    def title(self) -> str:
        """The title of the scenario."""
        return str(self.bench.written.get("name", self.name))

    @cached_property
    def about(self) -> dict[str, str]:
        """Return the paragraphs of the file's first comment that begin with `Asks:` and `From:`."""
        found: dict[str, str] = {}
        key = "Asks"
        for line in self.bench.text.splitlines():
            if not line.startswith("#"):
                break
            text = line.removeprefix("#").strip()
            if text.startswith("SPDX"):
                continue
            head, colon, rest = text.partition(":")
            if colon and head in ("Asks", "From"):
                key, text = head, rest.strip()
            found[key] = f"{found.get(key, '')} {text}".strip()
        return found

    @cached_property
    def asked(self) -> Asked:
        """Return the flows whose numbers are computed."""
        bench = self.bench
        everyone = self.targets == bench.targets(None) and len(self.targets) == len(bench.flows)
        return Asked(None if everyone else bench.numbers(self.targets), bench.transfers(self.targets))

    @cached_property
    def there(self) -> There:
        """Return the kinds of the flows with the evaluated controller."""
        return self.bench.there(self.targets)

    @property
    def has_chance(self) -> bool:
        """Whether the scenario draws anything by seed, whatever the controllers of its flows are."""
        return self.bench.has_chance(self.targets)

    @cached_property
    def duration(self) -> str | None:
        """The duration of a first look; None with transfers or applications, which need the complete scenario."""
        timed = self.there.transfers or self.there.applications
        short = self.bench.quick() if self.quick and not timed else None
        return None if short is None else short[0]

    @cached_property
    def digest(self) -> str:
        """Return the digest of the scenario and of the files that the scenario names."""
        # The identity of a run cannot be used: it depends on the build, and the builds of two leagues may differ.
        decides = {**self.bench.written, "duration": self.duration or self.bench.document["duration"]}
        parts = [json.dumps(decides, sort_keys=True, default=str), *map(str, _core.identity(self.bench.job()).inputs)]
        return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:16]

    def seed(self, number: int) -> int:
        """Return the seed of a run. Scenarios have different seeds, because equal seeds would draw the same losses."""
        return zlib.crc32(f"{self.name}/{number}".encode())

    def point(self, controllers: Sequence[Choice]) -> Point:
        """Return the scenario with one controller for all flows, or with one controller for each flow."""
        flows = [dict(flow) for flow in self.bench.written["flows"]]
        for place, at in enumerate(sorted(self.targets)):
            flow = flows[at]
            controllers[place % len(controllers)].apply(flow)
            flow.setdefault("name", f"flow {at + 1}")
        document = {**self.bench.written, "flows": flows}
        if self.duration is not None:
            document["duration"] = self.duration
        return Point(document, str(self.file))


@dataclass(frozen=True)
class Suite:
    """The scenarios of one or several folders.

    Attributes:
        arenas: Scenarios in which each controller runs alone.
        beds: Scenarios with two flows, for two controllers.
    """

    arenas: tuple[Arena, ...]
    beds: tuple[Arena, ...]


def read(folders: Sequence[str | os.PathLike[str]] = (SHIPPED_NAME,), *, quick: bool = False) -> Suite:
    """Read suites and check every scenario in them.

    Args:
        folders: Folders. ``"league"`` is the included suite.
        quick: A first look: runs end 10 s after the last start and the warm-up. Scenarios with transfers keep their
            length.

    Raises:
        ScenarioError: If the suite is empty, a scenario cannot be used, or two scenarios have the same name.
    """
    places = [SHIPPED if str(one) == SHIPPED_NAME else arguments.path("a suite", one) for one in folders]
    arenas = [arena for place in places for arena in _arenas(place, place, quick=quick)]
    beds = [arena for place in places for arena in _arenas(place, place / BEDS, quick=quick)]
    for some in (arenas, beds):
        names = [one.name for one in some]
        double = next((name for name in names if names.count(name) > 1), None)
        if double is not None:
            files = " and ".join(str(one.file) for one in some if one.name == double)
            raise ScenarioError(
                "scenario-value", f"two scenarios of the suite are called {double}: {files} (rename a file)"
            )
    if not arenas:
        said = ", ".join(map(str, places))
        raise ScenarioError("scenario-unreadable", f"the suite {said} has no scenario (*.toml)")
    return Suite(tuple(arenas), tuple(_fit_for_two(bed) for bed in beds))


def _arenas(place: Path, folder: Path, *, quick: bool) -> list[Arena]:
    try:
        files = sorted(file for file in folder.iterdir() if file.suffix == ".toml")
    except OSError as problem:
        if folder != place and isinstance(problem, FileNotFoundError):
            return []
        missing = isinstance(problem, FileNotFoundError)
        why = "there is no such folder" if missing else "it is not a folder" if folder.is_file() else plain(problem)
        raise ScenarioError("scenario-unreadable", f"cannot read the suite {folder}: {why}") from None
    return [_arena(file, quick=quick) for file in files]


def _arena(file: Path, *, quick: bool) -> Arena:
    read_text(file, "scenario")
    bench = Bench(file)
    senders = bench.targets(None)
    if "traffic" in bench.written:
        raise ScenarioError(
            "scenario-value", f"{file}: a scenario of a suite must list its flows (write `flows`, not `traffic`)"
        )
    targets = frozenset(at for at in senders if not str(bench.flows[at]["name"]).startswith(CROSS))
    if not targets:
        raise ScenarioError(
            "scenario-value",
            f'{file}: the name of every TCP flow and application begins with "{CROSS}", so no flow can get the '
            "evaluated controller (rename a flow)",
        )
    return Arena(file.stem, file, bench, targets, quick)


def _fit_for_two(bed: Arena) -> Arena:
    counts = [bed.bench.flows[at]["count"] for at in sorted(bed.targets)]
    if counts != [1, 1] or bed.there.applications:
        kinds = f" and applications ({', '.join(sorted(bed.there.applications))})" * bool(bed.there.applications)
        raise ScenarioError(
            "scenario-value",
            f"{bed.file}: a bed of competition needs two TCP flows, one for each controller; this bed has "
            f"{bed.there.tcp}{kinds} "
            f'(flows whose name begins with "{CROSS}" do not count)',
        )
    return bed


def copy(target: str | os.PathLike[str]) -> Path:
    """Copy the included suite to a new folder, so that a user can change it.

    Raises:
        ScenarioError: If the folder exists.
        RunError: If the copy cannot be written.
    """
    place = arguments.place("the copy of the suite", target)
    if place is None or place.exists():
        raise ScenarioError("folder-occupied", f"cannot copy the suite to {place}: it exists (name a new folder)")
    try:
        shutil.copytree(SHIPPED, place)
    except OSError as problem:
        raise write_error(place, problem) from None
    return place
