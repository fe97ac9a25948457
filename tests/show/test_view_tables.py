# SPDX-License-Identifier: MIT OR Apache-2.0
"""The viewer's tables: columns as in Arrow, tables that no run writes, and their sizes."""

from __future__ import annotations

import random
import shutil
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

import bentpipe as bp
from bentpipe.show.viewer import columns, page
from bentpipe.show.viewer import scene as _scene
from viewed import CHAIN, ORBIT, values


def test_columns_are_read_as_arrow_holds_them() -> None:
    table = pa.table(
        {
            "float": pa.chunked_array([pa.array([1.0, None, 3.0])[1:], pa.array([4.0])]),
            "short": pa.array([None, 2.5, None, 1.5][1:], pa.float32()),
            "count": pa.array([7, None, 9], pa.uint32()),
            "nothing": pa.array([None, None, None], pa.float64()),
            "word": pa.chunked_array([pa.array(["b", None]).dictionary_encode(), pa.array(["a"]).dictionary_encode()]),
            "text": ["x", "y", "x"],
        }
    )
    for name in ("float", "short", "nothing"):
        expected = np.array([np.nan if one is None else one for one in table[name].to_pylist()])
        assert np.array_equal(columns.numbers(table, name), expected, equal_nan=True)
    assert columns.numbers(table, "count").tolist() == [7, -1, 9]
    for name in ("word", "text"):
        known, codes = columns.words(table, name)
        assert [None if code < 0 else known[code] for code in codes] == table[name].to_pylist()


#: Satellite 28872 of SGP4's test set (AIAA 2006-6753) enters the atmosphere within an hour. The other one stays in
#: orbit.
FALLING = """FALLS
1 28872U 05037B   05333.02012661  .25992681  00000-0  24476-3 0  1534
2 28872  96.4736 157.9986 0303955 244.0492 110.6523 16.46015938 10708
STAYS
1 44238U 19029D   05333.02012661  .00217935  00000+0  35067-2 0  9993
2 44238  53.0028  47.8601 0007663 290.4472  69.5712 15.51686006181960
"""


def test_a_satellite_that_falls_is_nowhere_then_and_the_page_says_who(tmp_path: Path) -> None:
    (tmp_path / "two.tle").write_text(FALLING)
    text = f"""
name = "one falls"
duration = "2 h"
record = {{ interval = "10 min" }}
[network.constellation]
catalogue = "{tmp_path}/two.tle"
unusable = "skip"
route_step = "1 min"
user_link = {{ rate = "1 Mbit/s" }}
[[flows]]
kind = "ping"
interval = "1 min"
from = "London"
to = "Paris"
"""
    run = bp.run(text, out=tmp_path / "run")
    scene = _scene.of_runs([run])
    made = scene.document["runs"][0]
    names = {node["id"]: node["name"] for node in made["nodes"]}
    positions = made["positions"]
    assert [names[node] for node in positions["satellites"]] == ["FALLS", "STAYS"]
    states = values(scene, positions["data"]).reshape(positions["knots"], 2, 6)
    times = positions["start_s"] + positions["step_s"] * np.arange(positions["knots"])
    # In the reference output the satellite is 133.5 km high after 40 min and 68.8 km after 45. Below 122 km it is gone.
    assert times.tolist() == [300.0 * knot for knot in range(25)]
    hour = times <= 3600.0
    assert np.array_equal(np.isnan(states[hour, 0, 0]), times[hour] > 40 * 60.0)
    assert np.isfinite(states[:, 1]).all()
    assert any("FALLS (gone at" in note for note in scene.document["notes"])


def test_the_tables_of_a_week_are_bounded() -> None:
    """A position needs 28 bytes, and there are at most a million. A week of 66 satellites has 2,017 moments."""
    text = """
name = "week"
duration = "7 d"
record = { interval = "1 h", events = false }
[network.constellation]
preset = "iridium"
route_step = "1 h"
isl = { rate = "1 Mbit/s" }
user_link = { rate = "1 Mbit/s" }
[[flows]]
kind = "ping"
interval = "1 h"
from = "Berkeley"
to = "Boston"
"""
    cost = bp.estimate_cost(text)
    assert cost["rows"] < 1_500_000


def _spoilt(table: pa.Table, chance: random.Random) -> pa.Table:
    """Return a table that no run writes."""
    name = chance.choice(table.column_names)
    how = chance.choice(["fewer", "more", "none", "no column", "shuffled", "gaps", "values"])
    if how == "fewer":
        return table.slice(0, max(0, table.num_rows - chance.randint(1, 5)))
    if how == "more":
        return pa.concat_tables([table, table.slice(0, 3)])
    if how == "none":
        return table.slice(0, 0)
    if how == "no column":
        return table.drop_columns([name])
    if how == "shuffled":
        return table.take(chance.sample(range(table.num_rows), table.num_rows))
    place = table.column_names.index(name)
    kind = table.schema.field(place).type
    kind = kind.value_type if pa.types.is_dictionary(kind) else kind
    values = table.column(place).to_pylist()
    other = {"d": [np.nan, np.inf, -1.0], "f": [np.nan, 1e30], "u": [0, 5, 2**32 - 1], "b": [True], "s": ["", "x > y"]}
    for _ in range(min(5, len(values))):
        at = chance.randrange(len(values))
        values[at] = None if how == "gaps" else chance.choice(other[str(kind)[0]])
    return table.set_column(place, name, pa.array(values, kind))


def test_tables_that_no_run_writes_are_shown_or_refused(orbit: Path, tmp_path: Path) -> None:
    chance = random.Random(11)  # noqa: S311 - the same in every run
    bad = shutil.copytree(orbit, tmp_path / "bad")
    for case in range(60):
        name = chance.choice(["nodes", "link_ends", "positions", "flows", "links", "paths", "events"])
        pq.write_table(_spoilt(pq.read_table(orbit / f"{name}.parquet"), chance), bad / f"{name}.parquet")
        try:
            scene = _scene.of_runs([bp.load(bad)])
            page.document(scene)
            for buffer in scene.buffers.values():
                buffer.made()
        except bp.RunError as error:
            assert error.code == "folder-damaged", case  # noqa: PT017 - or it is shown
        shutil.copy(orbit / f"{name}.parquet", bad)


def test_a_run_without_events_has_a_scene_too() -> None:
    made = _scene.of_runs([bp.run(CHAIN + "record = { events = false }\n")])
    assert made.document["runs"][0]["events"] == []
    assert any("record.events is off" in note for note in made.document["notes"])


def test_the_same_run_gives_the_same_tables(orbit: Path, tmp_path: Path) -> None:
    bp.run(ORBIT, out=tmp_path / "again")
    for name in ("nodes", "link_ends", "positions"):
        assert (tmp_path / "again" / f"{name}.parquet").read_bytes() == (orbit / f"{name}.parquet").read_bytes()
    assert (orbit / "positions.parquet").stat().st_size < 80_000
