# SPDX-License-Identifier: MIT OR Apache-2.0
"""Read folders for `bentpipe view`: runs, and tables of results of many runs with the commands for each row."""

from __future__ import annotations

import csv
import io
import json
import shlex
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from bentpipe._sweep._result import load_sweep
from bentpipe._sweep._sweep import PAGE as _PAGE
from bentpipe._sweep._tables import DONE, LEAST, TRANSFERS
from bentpipe.base import arguments, reading
from bentpipe.base.damage import damaged
from bentpipe.base.errors import RunError
from bentpipe.base.files import Unfit
from bentpipe.results.metrics import BY_KEY, COMPLETION, METRICS, Asked, completion_least
from bentpipe.results.transfers import done, of_resolved, unfinished
from bentpipe.runs.run import OF_MANY, load
from bentpipe.show.viewer import scene as _scene
from bentpipe.show.viewer.results import Line, Result, Sheet, shown
from bentpipe.show.viewer.server import PICTURES, Picture, Shown

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from bentpipe.base.json import Json
    from bentpipe.results.metrics import Metric
    from bentpipe.results.summary_types import Summary
    from bentpipe.show.viewer.format import ColumnPart

    #: A row of a CSV that Bentpipe wrote.
    Row = dict[str, str | float | None]

#: Largest number of rows of a table on a page.
MOST_ROWS = 20_000
#: Largest size of a shown picture, in bytes.
_MOST_BYTES = 4_000_000
#: The aim that the page of a league shows first.
_FIRST_AIM = "balanced"


def view(folders: Sequence[Path]) -> Shown:
    """Read folders for the server: one result, or several runs in one view.

    Raises:
        RunError: If a folder is not a run folder, or is damaged. Data that the page shows at once are read here.
        ScenarioError: If a result is of another version.
        ArgumentError: If one of several folders holds a table of many runs.
    """
    readers = [_reader(folder) for folder in folders]
    if len(folders) > 1 and any(readers):
        other = next(folder for folder, read in zip(folders, readers, strict=True) if read)
        raise arguments.refuse(
            f"several folders can be viewed together only if all of them are run folders, but {other} holds many runs "
            f"(view this folder alone)"
        )
    if readers[0] is not None:
        result = readers[0](folders[0])
        result.pictures = [*_pictures(folders[0]), *result.pictures]
        return shown(result)
    runs = [load(folder) for folder in folders]
    found = Shown(partial(_scene.of_runs, runs))
    _ = found.scene  # reports damage now
    return found


def _reader(folder: Path) -> Callable[[Path], Result] | None:
    """Return the reader of the result in a folder; None if the reader of runs reads or refuses the folder."""
    if (folder / "scenario.toml").exists():
        return None
    readers = {"sweep": _sweep, "league": _league, "which": _which, "reproduce": _study}
    command = next((command for name, command in OF_MANY.items() if (folder / name).exists()), None)
    if command is not None:
        return readers[command]
    if _run_folders(folder):
        return _comparison
    return _comparisons if _of_scenarios(folder) else None


def _of_scenarios(folder: Path) -> list[Path]:
    """Return the folders in a folder that contain run folders."""
    if not folder.is_dir():
        return []
    return sorted(one for one in folder.iterdir() if one.is_dir() and _inside(one, folder) and _run_folders(one))


def _pictures(folder: Path) -> list[Picture]:
    """Return the pictures in a folder. Links that lead out of the folder are ignored."""
    found = (one for one in sorted(folder.iterdir()) if one.suffix in PICTURES and one.is_file())
    small = (one for one in found if _inside(one, folder) and one.stat().st_size <= _MOST_BYTES)
    return [Picture(one.stem, one.suffix, one.read_bytes) for one in small]


def _run_folders(folder: Path) -> list[Path]:
    """Return the run folders in a folder."""
    if not folder.is_dir():
        return []
    return sorted(one for one in folder.iterdir() if (one / "scenario.toml").exists() and _inside(one, folder))


def _inside(place: Path, folder: Path) -> bool:
    """Return whether a path is in a folder after links are resolved."""
    return place.resolve().is_relative_to(folder.resolve())


def _comparison(folder: Path) -> Result:
    """Read run folders in a folder, as `compare --out` and `run FILE FILE --out` write them. Each run has a row."""
    sheet, names, notes = _runs(folder, "Runs")
    return Result("comparison", names[0] if len(names) == 1 else folder.resolve().name, [sheet], notes)


def _comparisons(folder: Path) -> Result:
    """Read a comparison of several scenarios, which has a folder with run folders for each scenario."""
    found = [_runs(place, place.name) for place in _of_scenarios(folder)]
    notes = [note for _, _, some in found for note in some]
    pictures = [picture for place in _of_scenarios(folder) for picture in _pictures(place)]
    return Result("comparison", folder.resolve().name, [sheet for sheet, _, _ in found], notes, pictures)


def _runs(folder: Path, title: str) -> tuple[Sheet, list[str], list[str]]:
    """Return the table of the run folders in a folder, the names of their scenarios, and notes."""
    runs, refused = [], list[tuple[Path, str]]()
    for place in _run_folders(folder)[:MOST_ROWS]:
        try:
            runs.append((place, load(place)))
        except RunError as error:
            refused.append((place, error.message))
    asked = [Asked(None, of_resolved(run.scenario)) for _, run in runs]
    used = _compared([(run.summary, one) for (_, run), one in zip(runs, asked, strict=True)])
    lines = []
    for (place, run), one in zip(runs, asked, strict=True):
        who = dict.fromkeys(str(flow["controller"] or flow["kind"]) for flow in run.summary["flows"])
        numbers = [_known(metric.key, run.summary, one) for metric in used]
        cells = [place.name, ", ".join(who), run.provenance["seed"], *numbers]
        lines.append(Line(cells, _shows(place), partial(load, place)))
    columns = [_column("run"), _column("controllers"), _column("seed"), *(_column_of(metric.key) for metric in used)]
    return Sheet(title, columns, lines), list(dict.fromkeys(run.name for _, run in runs)), _left_out(folder, refused)


def _left_out(folder: Path, refused: Sequence[tuple[Path, str]]) -> list[str]:
    """Return one note on the run folders that cannot be read, with the command that removes them."""
    if not refused:
        return []
    what = "1 run folder" if len(refused) == 1 else f"{len(refused)} run folders, the first with"
    # The folders of a controller are called `cubic-s1`, `cubic-s2`, …
    gone = {place.name for place, _ in refused}
    kept = {one.name.rpartition("-s")[0] for one in _run_folders(folder) if one.name not in gone}
    names = {
        shlex.quote(name) if not before or before in kept else f"{shlex.quote(before)}-s*"
        for name in gone
        for before in [name.rpartition("-s")[0]]
    }
    remove = " ".join(f"{_quoted(folder)}/{name}" for name in sorted(names))
    return [f"left out: {what}: {refused[0][1]} (remove with: rm -r {remove})"]


def _compared(runs: Sequence[tuple[Summary, Asked]]) -> list[Metric]:
    """Return the numbers that `bentpipe compare` prints of these runs."""
    values = {metric.key: [metric.read(summary, asked) for summary, asked in runs] for metric in METRICS}
    left_out = {metric.key for metric in METRICS if metric.is_seldom}
    if all(value == 100.0 for value in values["finished_percent"]):
        left_out.add("finished_percent")
    if all(asked.there(summary).ends for summary, asked in runs):
        # If all flows end, completion times and goodput contain the same information.
        left_out |= {"goodput_mbit_s", "others_goodput_mbit_s"}
    return [
        metric
        for metric in METRICS
        if metric.key not in left_out
        and any(_known(metric.key, summary, asked) is not None for summary, asked in runs)
        and values[metric.key] != values.get(metric.within)
    ]


def _known(key: str, summary: Summary, asked: Asked) -> float | str | None:
    """Return a number of a run. For unfinished transfers, return a bound and a count: ``> 120 s, 0 of 5 done``."""
    value, sized = BY_KEY[key].read(summary, asked), asked.transfers(summary)
    if value is not None or key not in COMPLETION or not sized:
        return value
    return unfinished(completion_least(key, summary, asked) or 0.0, done(sized), len(sized))


def _sweep(folder: Path) -> Result:
    """Read the runs of a sweep."""
    result = load_sweep(folder)
    table = result.runs.arrow.slice(0, MOST_ROWS)
    notes = [*result.notes, *_cut("runs", len(result.runs))]
    if not (folder / _PAGE).exists():
        notes.append(f"to draw the pictures: bentpipe sweep {_quoted(folder)} --page")
    numbers = [name for name in result.shown if name in table.column_names]
    names = [*result.axes, "seed", *numbers, "error"]
    columns = [_column(name) for name in [*result.axes, "seed"]]
    columns += [_column_of(name) for name in numbers]
    columns.append(_column("error"))
    again = f"bentpipe sweep SWEEP.toml --out {_quoted(folder)} --keep runs\nbentpipe view {_quoted(folder)}"
    lines = []
    counts = [name for name in (TRANSFERS, DONE, *LEAST.values()) if name in table.column_names]
    for row in table.select([*names, *counts, "folder"]).to_pylist():
        for key in COMPLETION:
            if key in names and row[key] is None and row.get(LEAST[key]) is not None:
                row[key] = unfinished(row[LEAST[key]], row[DONE], row[TRANSFERS])
        # The table has the paths at the time of the sweep, but the folder may have been moved since.
        place = Path(folder, "runs", *Path(row["folder"]).parts[-2:]) if row["folder"] else None
        lines.append(_line([row[name] for name in names], place, folder, again))
    return Result("sweep", folder.resolve().name, [Sheet("Runs", columns, lines)], notes)


def _league(folder: Path) -> Result:
    """Read a league: the ranks, every run of the suite, and every pair of controllers."""
    ranks = _read(folder / "ranks.csv", "aim")
    ranks = [_with_ranges(row) for row in sorted(ranks, key=lambda row: row["aim"] != _FIRST_AIM)]
    runs = _read(folder / "runs.csv", "scenario", "controller")
    pairs = _read(folder / "competition.csv", "bed", "controller", "against")
    copied = "bentpipe league --copy-suite suite  # or your own folder"

    def run(row: Row) -> str:
        file, out = f"suite/{row['scenario']}.toml", Path("runs", str(row["scenario"]))
        return f"{copied}\n{_compare(file, row['controller'], out)}\n{_shows(out)}"

    def pair(row: Row) -> str:
        file, out = f"suite/competition/{row['bed']}.toml", Path("runs", str(row["bed"]))
        edit = f"# in {file}: controller = {row['controller']!r} for one flow, {row['against']!r} for the other"
        return f"{copied}\n{edit}\nbentpipe run {_quoted(file)} --out {_quoted(out)}\n{_shows(out)}"

    sheets = [_sheet("Ranks", ranks, None), _sheet("Competition", pairs, pair), _sheet("Runs", runs, run)]
    notes = [
        "a league stores numbers, not runs: each row has the commands that make a run again, with seed 1 (the league "
        "itself uses different seeds in each scenario)",
        *_cut("runs", len(runs)),
    ]
    return Result("league", "League of controllers", [one for one in sheets if one.lines], notes)


def _with_ranges(row: Row) -> Row:
    """Return a row of ranks, in which a range is a text ("1 to 3") in place of two numbers."""
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


def _which(folder: Path) -> Result:
    """Read a recommendation: the candidates and, if the scenario has ranges, the cases."""
    rows, file = _read(folder / "ranking.csv", "candidate"), folder / "which.toml"
    try:
        taken = reading.text(file).partition("\n")[0].strip().rpartition("; ")[2]
    except Unfit as problem:
        raise _damaged(file, problem) from None

    def run(row: Row) -> str:
        key, out = str(row["candidate"]), folder / "runs"
        if key == taken:
            return f"bentpipe run {_quoted(file)} --out {_quoted(out / 'taken')}\n{_shows(out / 'taken')}"
        if key.startswith("as written"):
            place = out / "written"
            return f"bentpipe run SCENARIO.toml --out {_quoted(place)}  # the scenario as you wrote it\n{_shows(place)}"
        return f"{_compare(file, key, out)}\n{_shows(out)}"

    # The candidate links to its run, so it is the first column.
    # The name contains the changed settings, in the order of the printed table.
    candidates = [{"candidate": row["candidate"], **_without(row, "changed")} for row in rows]
    sheets = [_sheet("Candidates", candidates, run)]
    if (folder / "cases.csv").is_file():
        sheets.append(_sheet("Cases", _read(folder / "cases.csv"), None))
    notes = [
        f"taken: {taken}",
        "`which` stores numbers, not runs: each row has the commands that make a run with seed 1. The run replaces "
        "the controller of all flows and uses the middle of each range",
    ]
    return Result("which", folder.resolve().name, sheets, notes)


def _without(row: Row, name: str) -> Row:
    return {key: value for key, value in row.items() if key != name}


def _study(folder: Path) -> Result:
    """Read the newest rows of a reproduction. Each row opens the first of its runs."""
    # The import takes 0.13 s of CPU time, which the page of a run does not need.
    from bentpipe.study import Outcome, claim_lines
    from bentpipe.study._runs import Store

    last: dict[str, Outcome] = {}
    for file in sorted((folder / "findings").glob("*.json"), key=lambda one: (one.stat().st_mtime_ns, one.name)):
        try:
            outcome = Outcome.from_json(reading.text(file))
        except Unfit as problem:
            raise _damaged(file, problem) from None
        last[outcome.row] = outcome
    store = Store(folder / "runs")
    lines, pictures = [], []
    for row, outcome in sorted(last.items()):
        place = store.folder(outcome.scenario) if outcome.scenario else None
        again = f"bentpipe reproduce STUDY {_quoted(row)} --out {_quoted(folder)}\nbentpipe view {_quoted(folder)}"
        make = None if place is None else again
        lines += [_line(cells, place, folder, make) for cells in claim_lines({row: outcome})]
        pictures += [_drawn(f"{row}: {drawing.caption}", drawing.svg) for drawing in outcome.drawings]
    columns = [_column(name) for name in ("claim", "what", "paper", "measured", "verdict", "why")]
    notes = [
        f"each row comes from many runs ({sum(one.runs for one in last.values())} in total); a click on a row "
        f"opens its first run"
    ]
    sheet = Sheet("Claims", columns, lines[:MOST_ROWS])
    return Result("study", folder.resolve().name, [sheet], notes + _cut("claims", len(lines)), pictures)


def _line(cells: Sequence[object], place: Path | None, folder: Path, again: str | None) -> Line:
    """Return a row that opens its run. If the folder lacks the run, the row has the commands that make it again."""
    if place is None or not (place / "scenario.toml").is_file() or not _inside(place, folder):
        return Line(cells, again)
    return Line(cells, _shows(place), partial(load, place))


def _drawn(name: str, svg: str) -> Picture:
    """Return a picture that was drawn for a page, with the namespace that a separate SVG file needs."""
    said = svg if "xmlns=" in svg[:500] else svg.replace("<svg", '<svg xmlns="http://www.w3.org/2000/svg"', 1)
    return Picture(name, ".svg", partial(said.encode, "utf-8"))


def _sheet(title: str, rows: list[Row], make: Callable[[Row], str] | None) -> Sheet:
    """Return a table from a CSV, without empty columns and without the widths or ends of intervals."""
    shown = rows[:MOST_ROWS]
    names = [
        name
        for name in (shown[0] if shown else {})
        if not name.endswith(("_half_width", "_low", "_high")) and any(row[name] not in (None, "") for row in shown)
    ]
    columns = []
    for name in names:
        numeric = all(isinstance(row[name], (int, float)) or row[name] is None for row in shown)
        columns.append(_column_of(name) if numeric else _column(*_metric(name)))
    lines = [Line([row[name] for name in names], None if make is None else make(row)) for row in shown]
    return Sheet(title, columns, lines)


def _read(file: Path, *needed: str) -> list[Row]:
    """Return the rows of a CSV that Bentpipe wrote. Numbers are float, and empty cells are None."""
    try:
        reader = csv.DictReader(io.StringIO(reading.text(file), newline=""), strict=True)
        missing = [name for name in needed if name not in (reader.fieldnames or ())]
        if missing:
            raise Unfit(f"it has no column {missing[0]}")
        return [{name: _cell(text) for name, text in row.items()} for row in reader]
    except (ValueError, csv.Error) as problem:
        raise _damaged(file, problem) from None


def _damaged(file: Path, why: object) -> RunError:
    return damaged(file, why, "folder", "repeat the command that wrote the file")


def _cell(text: str | list[str] | None) -> str | float | None:
    if not isinstance(text, str):
        raise ValueError("a row and the header have different numbers of cells")
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
    return (
        [f"the first {MOST_ROWS} of {count} {what} are shown; the tables contain all {what}"]
        if count > MOST_ROWS
        else []
    )


def _metric(name: str) -> tuple[str, str]:
    """Return the heading and the unit of a column of a CSV."""
    if name in BY_KEY:
        return BY_KEY[name].label, BY_KEY[name].unit
    bare = name.removesuffix("_percent")
    return bare.replace("_", " "), "%" if bare != name else ""


def _column(name: str, unit: str = "", align: str = "left") -> ColumnPart:
    return {"name": name, "unit": unit, "align": align}


def _column_of(name: str) -> ColumnPart:
    """Return a column of numbers. If the printed tables have the same column, the numbers have the same digits."""
    column = _column(*_metric(name), "right")
    if name in BY_KEY:
        column["digits"] = BY_KEY[name].digits
    return column


def _shows(place: Path) -> str:
    return f"bentpipe view {_quoted(place)}"


def _compare(file: object, controller: object, out: Path) -> str:
    return f"bentpipe compare {_quoted(file)} --controllers {_quoted(controller)} --seeds 1 --out {_quoted(out)}"


def _quoted(what: object) -> str:
    return shlex.quote(str(what))
