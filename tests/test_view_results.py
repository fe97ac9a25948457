# SPDX-License-Identifier: MIT OR Apache-2.0
"""Results of many runs in the viewer."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import bentpipe as bp
from bentpipe._view import _page, _scene, _show
from viewed import CHAIN, held


def test_runs_are_laid_over_each_other(orbit: Path, tmp_path: Path) -> None:
    bp.run(CHAIN, out=tmp_path / "chain")
    scene = _scene.of_runs([bp.load(orbit), bp.load(tmp_path / "chain")])
    assert [run["name"] for run in scene.document["runs"]] == ["orbit", "chain"]
    assert {name.split("-")[0] for name in scene.buffers} == {"r0", "r1"}
    with pytest.raises(bp.ArgumentError, match="view it alone"):
        _show.source([orbit, tmp_path])


@pytest.mark.usefixtures("page")
def test_a_comparison_is_a_table_whose_rows_open(tmp_path: Path) -> None:
    out = tmp_path / "compared"
    bp.compare(CHAIN, ["reno", "cubic"], seeds=2, out=out)
    (out / "chain-compare.png").write_bytes(b"\x89PNG\r\n\x1a\n")
    outside = tmp_path / "secret.png"
    outside.write_bytes(b"\x89PNG secret")
    (out / "link.png").symlink_to(outside)
    shown = _show.source([out]).shown
    document = shown.scene.document
    assert document["kind"] == "comparison"
    names = [column["name"] for column in document["tables"][0]["columns"]]
    assert names[:4] == ["run", "controllers", "seed", "goodput"]
    rows = {row[0]: row for row in document["tables"][0]["rows"]}
    for name, row in rows.items():
        there = bp.load(out / name)
        assert row[2] == there.provenance["seed"]
        assert row[3] == pytest.approx(there.summary["totals"]["goodput_mbit_s"], abs=1e-3)
    assert document["tables"][0]["open"] == [f"run/{number}/" for number in range(len(rows))]
    found = shown.answer("run/1/scene.json")
    assert found is not None
    assert json.loads(found[1])["runs"][0]["name"] == list(rows)[1]
    assert [picture["src"] for picture in document["pictures"]] == ["pictures/0.png"], "no link out of the folder"
    assert shown.answer("pictures/0.png") == ("image/png", b"\x89PNG\r\n\x1a\n")
    text, _ = _page.fitting(_show.source([out]).smaller)
    exported, _ = held(text)
    assert exported["tables"][0]["open"] == [None] * len(rows)
    assert exported["pictures"][0]["src"].startswith("data:image/png;base64,")


@pytest.mark.parametrize("keep", [True, False])
def test_a_sweep_is_a_table_whose_rows_open_what_was_kept(tmp_path: Path, keep: bool) -> None:
    document = {
        "base": bp.Scenario(
            name="swept", duration="2 s", network=bp.Dumbbell(rate="5 Mbit/s", rtt="40 ms"),
            flows=[bp.Flow(controller="reno")],
        ),
        "axes": {"network.dumbbell.rtt": ["20 ms", "40 ms"]},
    }  # fmt: skip
    out = tmp_path / "sweep"
    count = len(bp.sweep(document, out=out, keep_runs=keep).runs)
    moved = out.rename(tmp_path / "moved")
    made = _show.source([moved]).shown
    table = made.scene.document["tables"][0]
    assert made.scene.document["kind"] == "sweep"
    assert len(table["rows"]) == count
    assert table["open"] == ([f"run/{row}/" for row in range(count)] if keep else [None] * count)
    if keep:
        found = made.answer("run/1/scene.json")
        assert found is not None
        assert json.loads(found[1])["runs"][0]["duration_s"] == 2.0
    else:
        assert all("--keep runs" in said for said in table["make"])
