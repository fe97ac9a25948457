# SPDX-License-Identifier: MIT OR Apache-2.0
"""A suite: a folder of scenarios, and in `competition` the beds on which two flows meet.

A suite of the user's is a folder like ours, which is in the package. Each scenario has seeds of its own, made from
its name: with one seed two dumbbells would lose the same packets, and means over scenarios would count one draw
twice. Within a scenario all controllers have the same seeds, so differences are paired.
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

#: The shipped suite, and what stands for it where folders are named.
SHIPPED, SHIPPED_NAME = Path(__file__).parent / "suite", "league"
#: The folder of a suite with the beds of competition.
BEDS = "competition"
#: A TCP flow or an application whose name begins so keeps its controller: it is cross-traffic.
CROSS = "cross"


@dataclass(frozen=True)
class Arena:
    """A scenario of a suite.

    Attributes:
        name: The name of its file.
        file: Its file.
        bench: The scenario, checked.
        targets: The flows whose controller is replaced.
        quick: Whether it is run for a first look only.
    """

    name: str
    file: Path
    bench: Bench
    targets: frozenset[int]
    quick: bool = False

    @property
    def title(self) -> str:
        """What it is called."""
        return str(self.bench.written.get("name", self.name))

    @cached_property
    def about(self) -> dict[str, str]:
        """What its first comment says: paragraphs that begin with `Asks:` and `From:`."""
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
        """The flows that the numbers are of."""
        bench = self.bench
        everyone = self.targets == bench.targets(None) and len(self.targets) == len(bench.flows)
        return Asked(None if everyone else bench.numbers(self.targets), bench.finite(self.targets))

    @cached_property
    def there(self) -> There:
        """What the flows are that have the controller that is looked at."""
        return self.bench.there(self.targets)

    @property
    def has_chance(self) -> bool:
        """Whether anything is drawn by seed, whatever controllers its flows have."""
        return self.bench.has_chance(self.targets)

    @cached_property
    def duration(self) -> str | None:
        """Of a first look how long; None for as long as the scenario says: transfers and visits get their time."""
        timed = self.there.transfers or self.there.applications
        short = self.bench.quick() if self.quick and not timed else None
        return None if short is None else short[0]

    @cached_property
    def digest(self) -> str:
        """What it is: a change of the scenario, or of a file that it names, is another."""
        # Not the identity of its runs: leagues of two builds are compared.
        decides = {**self.bench.written, "duration": self.duration or self.bench.document["duration"]}
        parts = [json.dumps(decides, sort_keys=True, default=str), *map(str, _core.identity(self.bench.job()).inputs)]
        return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:16]

    def seed(self, number: int) -> int:
        """A seed of its own: two scenarios with one seed would draw the same losses, and count for one sample."""
        return zlib.crc32(f"{self.name}/{number}".encode())

    def point(self, controllers: Sequence[Choice]) -> Point:
        """The scenario with a controller for all its flows, or with one for each."""
        flows = [dict(flow) for flow in self.bench.written["flows"]]
        for place, at in enumerate(sorted(self.targets)):
            flow = flows[at]
            flow["controller"] = controllers[place % len(controllers)].table()
            flow.setdefault("name", f"flow {at + 1}")
        document = {**self.bench.written, "flows": flows}
        if self.duration is not None:
            document["duration"] = self.duration
        return Point(document, str(self.file))


@dataclass(frozen=True)
class Suite:
    """The scenarios of one folder or several.

    Attributes:
        arenas: Scenarios, each controller alone.
        beds: Scenarios with two flows, for two controllers.
    """

    arenas: tuple[Arena, ...]
    beds: tuple[Arena, ...]


def read(folders: Sequence[str | os.PathLike[str]] = (SHIPPED_NAME,), *, quick: bool = False) -> Suite:
    """Read suites and check every scenario in them.

    Args:
        folders: Folders; ``"league"`` is the shipped suite.
        quick: For a first look: 10 s after the last start and the warm-up; scenarios with transfers keep their length.

    Raises:
        ScenarioError: If there is no scenario, one cannot be used, or two have one name.
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
                "scenario-value", f"two scenarios of the suite are called {double}: {files} (rename one)"
            )
    if not arenas:
        said = ", ".join(map(str, places))
        raise ScenarioError("scenario-unreadable", f"there is no scenario (*.toml) in the suite {said}")
    return Suite(tuple(arenas), tuple(_fit_for_two(bed) for bed in beds))


def _arenas(place: Path, folder: Path, *, quick: bool) -> list[Arena]:
    try:
        files = sorted(file for file in folder.iterdir() if file.suffix == ".toml")
    except OSError as problem:
        if folder != place and isinstance(problem, FileNotFoundError):
            return []
        missing = isinstance(problem, FileNotFoundError)
        why = "there is no such folder" if missing else "it is no folder" if folder.is_file() else plain(problem)
        raise ScenarioError("scenario-unreadable", f"cannot read the suite {folder}: {why}") from None
    return [_arena(file, quick=quick) for file in files]


def _arena(file: Path, *, quick: bool) -> Arena:
    read_text(file, "scenario")
    bench = Bench(file)
    senders = bench.targets(None)
    if "traffic" in bench.written:
        raise ScenarioError(
            "scenario-value", f"{file}: a scenario of a suite names its flows one by one (write `flows`, not `traffic`)"
        )
    targets = frozenset(at for at in senders if not str(bench.flows[at]["name"]).startswith(CROSS))
    if not targets:
        raise ScenarioError(
            "scenario-value",
            f'{file}: the name of every TCP flow and application begins with "{CROSS}", so no controller is looked at '
            "(rename one)",
        )
    return Arena(file.stem, file, bench, targets, quick)


def _fit_for_two(bed: Arena) -> Arena:
    counts = [bed.bench.flows[at]["count"] for at in sorted(bed.targets)]
    if counts != [1, 1] or bed.there.applications:
        kinds = f" and applications ({', '.join(sorted(bed.there.applications))})" * bool(bed.there.applications)
        raise ScenarioError(
            "scenario-value",
            f"{bed.file}: a bed of competition has two TCP flows, one for each controller, and this has "
            f"{bed.there.tcp}{kinds} "
            f'(those whose name begins with "{CROSS}" do not count)',
        )
    return bed


def copy(target: str | os.PathLike[str]) -> Path:
    """Copy the shipped suite to a folder that does not exist yet, to be changed there.

    Raises:
        ScenarioError: If something stands there.
        RunError: If it cannot be written.
    """
    place = arguments.place("the copy of the suite", target)
    if place is None or place.exists():
        raise ScenarioError("folder-occupied", f"cannot copy the suite to {place}: it exists (name a new folder)")
    try:
        shutil.copytree(SHIPPED, place)
    except OSError as problem:
        raise write_error(place, problem) from None
    return place
