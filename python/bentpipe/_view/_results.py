# SPDX-License-Identifier: MIT OR Apache-2.0
"""Results of many runs in the viewer: a table whose rows open their runs where these were kept, and the pictures."""

from __future__ import annotations

import base64
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bentpipe import _run
from bentpipe._errors import RunError
from bentpipe._metrics import METRICS, Asked
from bentpipe._view import _scene
from bentpipe._view._server import PICTURES, Shown

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bentpipe._view._scene import Scene

#: Rows that a page shows; and pictures, each no larger than so many bytes.
MOST_ROWS, _MOST_PICTURES, _MOST_BYTES = 20_000, 24, 4_000_000


def kind(folder: Path) -> str:
    """What a folder holds: "sweep", "comparison" (folders of runs), or "run"; its reader says why it is none."""
    if (folder / "scenario.toml").exists():
        return "run"
    if (folder / "runs.parquet").is_file():
        return "sweep"
    return "comparison" if _run_folders(folder) else "run"


def _run_folders(folder: Path) -> list[Path]:
    if not folder.is_dir():
        return []
    return sorted(one for one in folder.iterdir() if (one / "scenario.toml").is_file() and _inside(one, folder))


def _inside(place: Path, folder: Path) -> bool:
    """Whether a place is in a folder, links followed."""
    return place.resolve().is_relative_to(folder.resolve())


def shown(folder: Path) -> Shown:
    """The result in a folder, ready to be served.

    Raises:
        RunError: If it is damaged.
        ScenarioError: If it is of another version.
    """
    title, table, notes, folders = _sweep(folder) if kind(folder) == "sweep" else _comparison(folder)
    below = {number: Shown(lambda place=place: _scene.of_runs([_run.load(place)])) for number, place in folders.items()}  # type: ignore[misc]
    pictures = _pictures(folder)
    table["run_of_row"] = [None] * len(table["rows"])
    table["open"] = [f"run/{number}/" if number in below else None for number in range(len(table["rows"]))]
    if not below:
        notes = [*notes, "no run folder was kept (compare --out, sweep --keep runs): rows cannot be opened"]
    links = [_picture(one, f"pictures/{number}{one.suffix}") for number, one in enumerate(pictures)]
    scene = _scene.of_table(kind(folder), title, _build(folders), notes, table, links)
    return Shown(lambda: scene, pictures, below)


def exported(folder: Path) -> Scene:
    """The same for a file: pictures stand in it, and rows open nothing."""
    scene = shown(folder).scene
    for one, file in zip(scene.document["pictures"], _pictures(folder), strict=True):
        one["src"] = f"data:{PICTURES[file.suffix]};base64,{base64.b64encode(file.read_bytes()).decode()}"
    table = scene.document["table"]
    if any(table["open"]):
        table["open"] = [None] * len(table["open"])
        scene.document["notes"].append("in an exported page rows open no runs: export a run's own folder for that")
    return scene


def _build(folders: dict[int, Path]) -> str:
    for place in folders.values():
        return str(_run.load(place).provenance["build"])
    return ""


def _pictures(folder: Path) -> list[Path]:
    found = (
        one for one in sorted(folder.iterdir()) if one.suffix in PICTURES and one.is_file() and _inside(one, folder)
    )
    return [one for one in found if one.stat().st_size <= _MOST_BYTES][:_MOST_PICTURES]


def _picture(file: Path, src: str) -> dict[str, Any]:
    return {"name": file.stem, "src": src, "alt": f"The picture {file.name} of this result"}


def _comparison(folder: Path) -> tuple[str, dict[str, Any], list[str], dict[int, Path]]:
    """Run folders beside each other, as `compare --out` and `run FILE FILE --out` write them: a row each."""
    runs, notes, folders = [], [], {}
    for place in _run_folders(folder)[:MOST_ROWS]:
        try:
            runs.append((place, _run.load(place)))
        except RunError as error:
            notes.append(f"left out: {error.message}")
    values = [[metric.read(run.summary, Asked()) for metric in METRICS] for _, run in runs]
    used = [number for number in range(len(METRICS)) if any(row[number] is not None for row in values)]
    rows = []
    for number, ((place, run), row) in enumerate(zip(runs, values, strict=True)):
        who = dict.fromkeys(str(flow["controller"] or flow["kind"]) for flow in run.summary["flows"])
        numbers = [None if row[one] is None else round(float(row[one] or 0.0), METRICS[one].digits) for one in used]
        rows.append([place.name, ", ".join(who), run.provenance["seed"], *numbers])
        folders[number] = place
    columns = _columns([("run", ""), ("controllers", ""), ("seed", "")])
    columns += _columns([(METRICS[one].label, METRICS[one].unit) for one in used], align="right")
    names = list(dict.fromkeys(run.name for _, run in runs))
    title = names[0] if len(names) == 1 else folder.name
    return title, {"columns": columns, "rows": rows}, notes, folders


def _sweep(folder: Path) -> tuple[str, dict[str, Any], list[str], dict[int, Path]]:
    """Every run of a sweep."""
    from bentpipe._sweep._result import load_sweep

    result = load_sweep(folder)
    table = result.runs.arrow.slice(0, MOST_ROWS)
    notes = list(result.notes)
    if len(result.runs) > table.num_rows:
        notes.append(f"the first {MOST_ROWS} of {len(result.runs)} runs are shown; the tables have all")
    shown_numbers = [name for name in result.shown if name in table.column_names]
    names = [*result.axes, "seed", *shown_numbers, "error"]
    rows = [[row[name] for name in names] for row in table.select(names).to_pylist()]
    columns = _columns([(name, "") for name in names])
    for column in columns[len(result.axes) + 1 : -1]:
        column["align"] = "right"
    # The table names folders as the sweep saw them: it may have been moved since.
    kept = {number: Path(place).parts[-2:] for number, place in enumerate(table.column("folder").to_pylist()) if place}
    places = {number: folder / "runs" / Path(*parts) for number, parts in kept.items()}
    there = {number: place for number, place in places.items() if place.is_dir() and _inside(place, folder)}
    return folder.resolve().name, {"columns": columns, "rows": rows}, notes, there


def _columns(names: Sequence[tuple[str, str]], align: str = "left") -> list[dict[str, str]]:
    return [{"name": name, "unit": unit, "align": align} for name, unit in names]
