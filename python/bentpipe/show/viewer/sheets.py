# SPDX-License-Identifier: MIT OR Apache-2.0
"""The tables of results of many runs: of each row its run folder where it was kept, and otherwise what makes it."""

from __future__ import annotations

import csv
import json
import shlex
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from bentpipe.base.damage import damaged
from bentpipe.base.errors import RunError
from bentpipe.results.metrics import BY_KEY, METRICS, Asked
from bentpipe.runs import run as _run

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from bentpipe.base.json import Json

    #: A row of a CSV that we wrote.
    Row = dict[str, str | float | None]

#: Rows that a table of a page has at most.
MOST_ROWS = 20_000
#: Of a league: which aim is shown first.
_FIRST_AIM = "balanced"


@dataclass
class Sheet:
    """A table of a result.

    Attributes:
        title: What it is.
        columns: Names, units, alignment, as a scene has them.
        rows: Cells.
        folders: Of each row the folder of its run, where it was kept.
        make: Of each row the commands that make its run and show it.
    """

    title: str
    columns: list[dict[str, str]]
    rows: Sequence[Sequence[object]]
    folders: Sequence[Path | None] = field(default_factory=list)
    make: Sequence[str | None] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Give each row its place in the lists that were left out."""
        self.folders = self.folders or [None] * len(self.rows)
        self.make = self.make or [None] * len(self.rows)


@dataclass
class Drawing:
    """A picture of a result that does not stand in a file of its own."""

    name: str
    svg: str


@dataclass
class Result:
    """What a folder of many runs holds.

    Attributes:
        title: What it is called.
        sheets: Its tables, the one that says most first.
        notes: What a reader has to know.
        drawings: Pictures besides those that stand in the folder.
    """

    title: str
    sheets: list[Sheet]
    notes: list[str] = field(default_factory=list)
    drawings: list[Drawing] = field(default_factory=list)


def run_folders(folder: Path) -> list[Path]:
    """The run folders in a folder."""
    if not folder.is_dir():
        return []
    return sorted(one for one in folder.iterdir() if (one / "scenario.toml").is_file() and inside(one, folder))


def inside(place: Path, folder: Path) -> bool:
    """Whether a place is in a folder, links followed."""
    return place.resolve().is_relative_to(folder.resolve())


def comparison(folder: Path) -> Result:
    """Run folders beside each other, as `compare --out` and `run FILE FILE --out` write them: a row each."""
    runs, notes = [], []
    for place in run_folders(folder)[:MOST_ROWS]:
        try:
            runs.append((place, _run.load(place)))
        except RunError as error:
            notes.append(f"left out: {error.message}")
    values = [[metric.read(run.summary, Asked()) for metric in METRICS] for _, run in runs]
    used = [number for number in range(len(METRICS)) if any(row[number] is not None for row in values)]
    rows = []
    for (place, run), row in zip(runs, values, strict=True):
        who = dict.fromkeys(str(flow["controller"] or flow["kind"]) for flow in run.summary["flows"])
        numbers = [None if row[one] is None else round(float(row[one] or 0.0), METRICS[one].digits) for one in used]
        rows.append([place.name, ", ".join(who), run.provenance["seed"], *numbers])
    columns = [_column("run"), _column("controllers"), _column("seed")]
    columns += [_column(METRICS[one].label, METRICS[one].unit, "right") for one in used]
    places = [place for place, _ in runs]
    names = list(dict.fromkeys(run.name for _, run in runs))
    title = names[0] if len(names) == 1 else folder.resolve().name
    return Result(title, [Sheet("Runs", columns, rows, [*places], [*map(_view, places)])], notes)


def sweep(folder: Path) -> Result:
    """Every run of a sweep."""
    from bentpipe._sweep._result import load_sweep

    result = load_sweep(folder)
    table = result.runs.arrow.slice(0, MOST_ROWS)
    notes = [*result.notes, *_cut("runs", len(result.runs))]
    numbers = [name for name in result.shown if name in table.column_names]
    names = [*result.axes, "seed", *numbers, "error"]
    rows = [[row[name] for name in names] for row in table.select(names).to_pylist()]
    columns = [_column(name) for name in [*result.axes, "seed"]]
    columns += [_column(*_metric(name), "right") for name in numbers]
    columns.append(_column("error"))
    # The table names folders as the sweep saw them: it may have been moved since.
    named = [Path(*Path(place).parts[-2:]) if place else None for place in table.column("folder").to_pylist()]
    places = [None if one is None else folder / "runs" / one for one in named]
    there = [one if one and one.is_dir() and inside(one, folder) else None for one in places]
    again = f"bentpipe sweep SWEEP.toml --out {_quoted(folder)} --keep runs\nbentpipe view {_quoted(folder)}"
    make = [again if place is None else _view(place) for place in there]
    return Result(folder.resolve().name, [Sheet("Runs", columns, rows, there, make)], notes)


def league(folder: Path) -> Result:
    """Ranks, every run of the suite, and who met whom."""
    ranks = _read(folder / "ranks.csv", "aim")
    ranks = [_with_ranges(row) for row in sorted(ranks, key=lambda row: row["aim"] != _FIRST_AIM)]
    runs = _read(folder / "runs.csv", "scenario", "controller")
    pairs = _read(folder / "competition.csv", "bed", "controller", "against")
    copied = "bentpipe league --copy-suite suite  # or the folder of your own"

    def run(row: Row) -> str:
        file, out = f"suite/{row['scenario']}.toml", Path("runs", str(row["scenario"]))
        return f"{copied}\n{_compare(file, row['controller'], out)}\n{_view(out)}"

    def pair(row: Row) -> str:
        file, out = f"suite/competition/{row['bed']}.toml", Path("runs", str(row["bed"]))
        edit = f"# in {file}: controller = {row['controller']!r} for one flow, {row['against']!r} for the other"
        return f"{copied}\n{edit}\nbentpipe run {_quoted(file)} --out {_quoted(out)}\n{_view(out)}"

    sheets = [_sheet("Ranks", ranks, None), _sheet("Competition", pairs, pair), _sheet("Runs", runs, run)]
    notes = [
        "a league keeps numbers, not runs: a row says which commands make its run, with seed 1 (the league's seeds are "
        "others in each scenario)",
        *_cut("runs", len(runs)),
    ]
    return Result("League of controllers", [one for one in sheets if one.rows], notes)


def _with_ranges(row: Row) -> Row:
    """A row of ranks, each with its range as "1 to 3" in place of two numbers."""
    found: Row = {}
    for name, value in row.items():
        if name.endswith("_high"):
            continue
        if name.endswith("_low"):
            high = row.get(f"{name.removesuffix('_low')}_high")
            found[name.replace("_low", "_range")] = None if value is None else f"{value} to {high}"
        else:
            found[name] = value
    return found


def which(folder: Path) -> Result:
    """Candidates of a recommendation, and where it has ranges its cases."""
    rows, file = _read(folder / "ranking.csv", "candidate"), folder / "which.toml"
    taken = _first_line(file).rpartition("; ")[2]

    def run(row: Row) -> str:
        key, out = str(row["candidate"]), folder / "runs"
        if key == taken:
            return f"bentpipe run {_quoted(file)} --out {_quoted(out / 'taken')}\n{_view(out / 'taken')}"
        if key.startswith("as written"):
            place = out / "written"
            return f"bentpipe run SCENARIO.toml --out {_quoted(place)}  # the scenario as you wrote it\n{_view(place)}"
        return f"{_compare(file, key, out)}\n{_view(out)}"

    # Who it is leads to its run, and so comes first.
    sheets = [_sheet("Candidates", [{"candidate": row["candidate"], **row} for row in rows], run)]
    if (folder / "cases.csv").is_file():
        sheets.append(_sheet("Cases", _read(folder / "cases.csv"), None))
    notes = [
        f"taken: {taken}",
        "a question keeps numbers, not runs: a row says which commands make one, with seed 1, for all flows, and of a "
        "range its middle",
    ]
    return Result(folder.resolve().name, sheets, notes)


def _first_line(file: Path) -> str:
    try:
        with file.open(encoding="utf-8") as opened:
            return opened.readline(10_000).strip()
    except (OSError, ValueError) as problem:
        raise damaged(file, problem) from None


def study(folder: Path) -> Result:
    """Rows of a reproduction, as they were last read; each opens the first of its runs."""
    from bentpipe.study import claim_lines
    from bentpipe.study._reproduce import Outcome
    from bentpipe.study._runs import Store

    last: dict[str, Outcome] = {}
    for file in sorted((folder / "findings").glob("*.json"), key=lambda one: (one.stat().st_mtime_ns, one.name)):
        try:
            outcome = Outcome.from_json(file.read_text(encoding="utf-8"))
        except (OSError, ValueError, TypeError, KeyError) as problem:
            raise damaged(file, problem) from None
        last[outcome.row] = outcome
    store = Store(folder / "runs")
    rows, folders, make, drawings = [], [], [], []
    for row, outcome in sorted(last.items()):
        lines = claim_lines({row: outcome})
        place = store.folder(outcome.scenario) if outcome.scenario else None
        kept = place if place is not None and (place / "scenario.toml").is_file() and inside(place, folder) else None
        again = f"bentpipe reproduce STUDY {_quoted(row)} --out {_quoted(folder)}\nbentpipe view {_quoted(folder)}"
        rows += lines
        folders += [kept] * len(lines)
        make += [None if place is None else again if kept is None else _view(kept)] * len(lines)
        drawings += [Drawing(f"{row}: {drawing.caption}", drawing.svg) for drawing in outcome.drawings]
    columns = [_column(name) for name in ("row", "what", "paper", "measured", "verdict", "why")]
    notes = [f"a row has many runs ({sum(one.runs for one in last.values())} in all); it opens the first of them"]
    sheet = Sheet("Claims", columns, rows[:MOST_ROWS], folders[:MOST_ROWS], make[:MOST_ROWS])
    return Result(folder.resolve().name, [sheet], notes + _cut("claims", len(rows)), drawings)


def _sheet(title: str, rows: list[Row], make: Callable[[Row], str] | None) -> Sheet:
    """A table of a CSV: without columns in which nothing stands; half widths of intervals stay in the file."""
    shown = rows[:MOST_ROWS]
    names = [
        name
        for name in (shown[0] if shown else {})
        if "half_width" not in name and any(row[name] not in (None, "") for row in shown)
    ]
    columns = []
    for name in names:
        numeric = all(isinstance(row[name], (int, float)) or row[name] is None for row in shown)
        columns.append(_column(*_metric(name), "right" if numeric else "left"))
    cells = [[row[name] for name in names] for row in shown]
    return Sheet(title, columns, cells, make=[None if make is None else make(row) for row in shown])


def _read(file: Path, *needed: str) -> list[Row]:
    """The rows of a CSV that we wrote: numbers as such, nothing as None."""
    try:
        with file.open(encoding="utf-8", newline="") as opened:
            reader = csv.DictReader(opened, strict=True)
            missing = [name for name in needed if name not in (reader.fieldnames or ())]
            if missing:
                raise ValueError(f"it has no column {missing[0]}")
            return [{name: _cell(text) for name, text in row.items()} for row in reader]
    except (OSError, ValueError, csv.Error) as problem:
        raise damaged(file, problem) from None


def _cell(text: str | list[str] | None) -> str | float | None:
    if not isinstance(text, str):
        raise ValueError("a row has another number of cells than the head")
    if text == "":
        return None
    try:
        found: Json = json.loads(text)
    except ValueError:
        return text
    if isinstance(found, (int, float)) and not isinstance(found, bool) and abs(found) < float("inf"):
        return found
    return text


def _cut(what: str, count: int) -> list[str]:
    return [f"the first {MOST_ROWS} of {count} {what} are shown; the tables have all"] if count > MOST_ROWS else []


def _metric(name: str) -> tuple[str, str]:
    """What a column of a CSV is called, and its unit."""
    if name in BY_KEY:
        return BY_KEY[name].label, BY_KEY[name].unit
    bare = name.removesuffix("_percent")
    return bare.replace("_", " "), "%" if bare != name else ""


def _column(name: str, unit: str = "", align: str = "left") -> dict[str, str]:
    return {"name": name, "unit": unit, "align": align}


def _view(place: Path) -> str:
    return f"bentpipe view {_quoted(place)}"


def _compare(file: object, controller: object, out: Path) -> str:
    return f"bentpipe compare {_quoted(file)} --controllers {_quoted(controller)} --seeds 1 --out {_quoted(out)}"


def _quoted(what: object) -> str:
    return shlex.quote(str(what))
