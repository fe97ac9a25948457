# SPDX-License-Identifier: MIT OR Apache-2.0
"""Network presets: the page has the numbers of the code, and unvalidated presets are called unvalidated everywhere."""

from __future__ import annotations

import json
import sys
import tomllib
from pathlib import Path

import pytest

import bentpipe as bp
from bentpipe import _core
from bentpipe.scenario import presets
from doc_pages import measured_presets
from doc_pages import presets as presets_page
from project import ROOT, Command

NAMES = [entry["name"] for entry in bp.presets()]
UNVALIDATED = "o3b-mpower"
PAGE = ROOT / "docs" / "presets.md"


def resolved(text: str) -> dict[str, object]:
    return tomllib.loads(_core.facts(_core.Job(text, "x.toml")).resolved)


@pytest.mark.parametrize("name", NAMES)
def test_the_first_seed_is_where_the_page_has_it(name: str) -> None:
    """Print the measured numbers next to the published numbers (`pytest -s`)."""
    entry = presets.entry_of(name)
    now = measured_presets.measure([name], seeds=(1,), fewer=())[name]
    for number in presets.kept(entry):
        (ours,) = now[number.facts["quantity"]]["ours"]
        sys.stdout.write(
            f"{name}: {number.facts['quantity']}: published {number.published} {number.facts['unit']}, "
            f"ours {ours:.4g}, distance {100 * number.distance(ours):+.0f} %\n"
        )
        assert ours == pytest.approx(number.ours[0], rel=0.02), (
            f"{number.facts['quantity']}: make presets measures it again"
        )
        assert len(number.ours) == len(measured_presets.SEEDS)
        assert set(number.varied) == set(measured_presets.assumptions(entry))


def test_the_page_has_the_numbers_that_are_kept() -> None:
    text = PAGE.read_text(encoding="utf-8")
    assert presets_page.between(text) == presets_page.section()
    # The text above the tables states the verdicts.
    verdicts = {
        (e["name"], n.facts["quantity"]): n.verdict for e in map(presets.entry_of, NAMES) for n in presets.kept(e)
    }
    assert verdicts["starlink-2024-eu", "download, one BBR connection"] == "inside"
    assert verdicts["starlink-2024-eu", "upload, one BBR connection"] == "inside"
    assert verdicts["starlink-2024-eu", "download, one CUBIC connection"] == "outside"
    assert verdicts["starlink-2024-eu", "upload, one CUBIC connection"] == "outside"
    assert verdicts["geo-ka-residential", "round trip without load, median"] == "outside"
    assert verdicts["oneweb", "round trip, median"] == "outside"
    assert verdicts["iridium-certus", "longest time without a packet"] == "outside"


@pytest.mark.parametrize("name", NAMES)
def test_another_assumption_reaches_the_network(name: str) -> None:
    entry = presets.entry_of(name)
    one = entry["measured"][0]
    as_it_is = resolved(measured_presets.probe(entry, one, 1))
    for what, other in measured_presets.assumptions(entry).items():
        changed = resolved(measured_presets.probe(entry, one, 1, other))
        if other["key"]:
            assert changed["network"] != as_it_is["network"], what
        else:
            assert changed["network"] == as_it_is["network"], what


def test_each_number_has_a_source_and_a_range() -> None:
    for entry in map(presets.entry_of, NAMES):
        assert len({one["quantity"] for one in entry["measured"]}) == len(entry["measured"])
        for number in presets.kept(entry):
            facts = number.facts
            assert all((facts["source"], facts["date"], facts["says"]))
            assert facts["least"] is not None or facts["most"] is not None
            assert facts["least"] is None or facts["most"] is None or facts["least"] <= facts["most"]
        for assumed in entry["assumed"]:
            assert all((assumed["why"], assumed["other"]))


def number(least: float | None, most: float | None, ours: float, **varied: float) -> presets.Number:
    others = {name: (value,) for name, value in varied.items()}
    some = next(one for entry in presets.entries() for one in entry["measured"])
    return presets.Number({**some, "least": least, "most": most}, (ours,), others)


# By hand: 90 is 10 % below 100, and 125 is a quarter above 100.
def test_the_distance_is_to_the_nearest_published_value() -> None:
    assert number(100.0, 110.0, 90.0).distance() == pytest.approx(-0.1)
    assert number(80.0, 100.0, 125.0).distance() == pytest.approx(0.25)
    assert number(80.0, 100.0, 100.0).distance() == 0.0
    assert number(80.0, None, 1e6).verdict == "inside"
    assert number(None, 80.0, 81.0).verdict == "outside"
    assert number(80.0, 100.0, 90.0, a=70.0, b=95.0, c=101.0).hangs_on == ("a", "c")
    assert number(80.0, 100.0, 70.0, a=70.0, b=95.0).hangs_on == ("b",)
    assert number(5.0, 5.0, 1.0).published == "5"


# By hand: half of the values 1 to 10 do not exceed 5, and the 5 % quantile of ten values is the first value.
def test_what_is_read_off_a_run() -> None:
    values = [float(one) for one in (10, 1, 9, 2, 8, 3, 7, 4, 6, 5)]
    assert (measured_presets._quantile(values, 0.5), measured_presets._quantile(values, 0.05)) == (5.0, 1.0)
    times = [float(one) for one in range(1, 13)]
    # The first 5 s are ignored. After them, nothing arrives in (6, 8] and (9, 12].
    rates = [0, 0, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0]
    assert measured_presets._silence(times, rates) == 3.0
    assert measured_presets._silence(times, [1] * 12) == 0.0


def test_what_was_held_against_nothing_is_called_unvalidated_wherever_it_is_named(cli: Command, tmp_path: Path) -> None:
    assert [entry["name"] for entry in bp.presets() if not entry["validated"]] == [UNVALIDATED]
    listed = cli("presets").stdout
    for line in listed.splitlines():
        if any(name in line for name in NAMES):
            assert ("unvalidated" in line) == (UNVALIDATED in line), line
    assert f"{UNVALIDATED} (unvalidated)" in cli("presets", UNVALIDATED).stdout
    assert f"## {UNVALIDATED}: unvalidated" in PAGE.read_text(encoding="utf-8")
    scenario = tmp_path / "s.toml"
    flow = 'flows = [{ kind = "ping", interval = "100 ms", from = "terminal", to = "server" }]\n'
    scenario.write_text(f'duration = "1 s"\n{flow}[network]\npreset = "{UNVALIDATED}"\n')
    done = cli("run", "s.toml", "--out", "r")
    assert done.returncode == 0, done.stderr
    words = f"{UNVALIDATED}: unvalidated"
    assert words in done.stdout
    assert cli("report", "r").returncode == 0
    assert words in (tmp_path / "r" / "report.html").read_text(encoding="utf-8")
    summary = json.loads((tmp_path / "r" / "summary.json").read_text(encoding="utf-8"))
    assert summary["provenance"]["preset"].startswith(words)
    # A resolved scenario contains the complete network, and still names the preset.
    again = bp.run(tmp_path / "r" / "scenario.toml")
    assert again.provenance["preset"] == summary["provenance"]["preset"]
    assert again.summary["flows"] == summary["flows"]


def test_whoever_answers_over_an_unvalidated_network_says_so(cli: Command, tmp_path: Path) -> None:
    flow = 'flows = [{ controller = "cubic", from = "terminal", to = "server" }]'
    (tmp_path / "s.toml").write_text(f'duration = "1 s"\n{flow}\n[network]\npreset = "{UNVALIDATED}"\n')
    (tmp_path / "sweep.toml").write_text('base = "s.toml"\nseeds.at_least = 2\naxes."tcp.initial_window" = [4, 10]\n')
    words = f"network preset {UNVALIDATED}: unvalidated"
    swept = cli("sweep", "sweep.toml", "--out", "w", "--page")
    assert words in swept.stdout, swept.stderr
    assert words in (tmp_path / "w" / "sweep.html").read_text(encoding="utf-8")
    assert words in cli("sensitivity", "w").stdout
    asked = ("--controllers", "reno", "--slow-starts", "own", "--trials", "0", "--seeds", "2", "--for", "goodput")
    answered = cli("which", "s.toml", *asked, "--out", "a")
    assert words in answered.stdout + answered.stderr
    assert words in (tmp_path / "a" / "which.toml").read_text(encoding="utf-8")
    both = tmp_path / "both.toml"
    both.write_text(f'base = "s.toml"\nseeds.at_least = 1\naxes."network.preset" = ["{UNVALIDATED}", "oneweb"]\n')
    notes = bp.sweep(both).notes
    assert (notes[0].startswith(words), notes[1].startswith("network preset oneweb: agrees with 0 of 4 published")) == (
        True,
        True,
    )


def test_an_unknown_preset_is_refused(cli: Command, tmp_path: Path) -> None:
    done = cli("presets", "onewep")
    assert done.returncode == 2
    assert "'onewep' (known presets: starlink-2024-eu, oneweb," in done.stderr
    assert f"{UNVALIDATED} (unvalidated)" in done.stderr
    (tmp_path / "s.toml").write_text('duration = "1 s"\nflows = []\n[network]\npreset = "onewep"\n')
    assert f"{UNVALIDATED} (unvalidated)" in cli("run", "s.toml").stderr


def test_the_engine_says_what_the_kept_numbers_say() -> None:
    for entry in presets.entries():
        assert entry["state"] == presets.state(entry), entry["name"]


GEO = 'duration = "3 s"\nflows = [{{ controller = "cubic" }}]\n[network]\npreset = "geo-ka-residential"\n{}'
#: A rate above the rate of any link.
FULL = GEO.replace('{{ controller = "cubic" }}', '{{ kind = "cbr", rate = "40 Mbit/s" }}')


def test_keys_of_ones_own_are_no_longer_what_was_measured() -> None:
    as_it_is = bp.run_many([FULL.format("")])[0]
    changed = bp.run_many([FULL.format('dumbbell.rate = "5 Mbit/s"\n')])[0]
    assert as_it_is.provenance["preset"].startswith("geo-ka-residential: agrees with 2 of 3 published numbers")
    assert changed.provenance["preset"].startswith("geo-ka-residential with the scenario's own dumbbell.rate: unvalid")
    assert changed.summary["totals"]["delivered_mbit_s"] < 5.0 < as_it_is.summary["totals"]["delivered_mbit_s"]


def test_the_builder_says_the_same() -> None:
    built = bp.Scenario(
        name="untitled",
        duration="3 s",
        network=bp.Network(preset="geo-ka-residential", dumbbell=bp.Dumbbell(rate="5 Mbit/s")),
        flows=[bp.Flow(controller="cubic")],
    )
    assert resolved(built.to_toml()) == resolved(GEO.format('dumbbell.rate = "5 Mbit/s"\n'))


def test_a_comparison_over_a_preset_says_whose_network_it_is(tmp_path: Path) -> None:
    file = tmp_path / "s.toml"
    file.write_text(GEO.format(""))
    found = bp.compare(file, controllers=["reno", "cubic"], seeds=1)
    assert any("geo-ka-residential: agrees with 2 of 3 published" in note for note in found.notes)
    assert not any("no queue is set" in note for note in found.notes)


def test_an_axis_of_a_sweep_takes_the_place_of_the_presets_key(tmp_path: Path) -> None:
    (tmp_path / "s.toml").write_text(FULL.format(""))
    sweep = tmp_path / "sweep.toml"
    axis = '"network.dumbbell.rate" = ["2 Mbit/s", "8 Mbit/s"]'
    sweep.write_text(f'base = "s.toml"\nseeds.at_least = 1\n[axes]\n{axis}\n')
    found = bp.sweep(sweep)
    slow, fast = sorted(float(one) for one in found.runs.arrow["goodput_mbit_s"].to_pylist())
    assert slow < 2.0 < fast < 8.0
