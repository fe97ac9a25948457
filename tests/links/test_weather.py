# SPDX-License-Identifier: MIT OR Apache-2.0
"""How links with a budget stand in the weather: the table, what the summary says, the picture."""

from __future__ import annotations

import itertools
import math
import tomllib
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import tomli_w

import bentpipe as bp
from bentpipe.results.summaries import given
from bentpipe.results.summary_types import BudgetSummary
from bentpipe.show.totals import total_lines
from project import ROOT

SCENARIO = ROOT / "scenarios" / "geo-rain.toml"
RAIN = SCENARIO.read_text(encoding="utf-8")
FORWARD, RETURN = "left > right", "right > left"


@cache
def morning() -> bp.Run:
    return bp.run(RAIN)


def of(run: bp.Run, name: str) -> list[dict[str, Any]]:
    """The stretches of one link."""
    return [row for row in run.weather.arrow.to_pylist() if row["name"] == name]


def budget_of(run: bp.Run, name: str) -> BudgetSummary:
    """What the summary says of the budget of one link."""
    return given(next(link.get("budget") for link in run.summary["links"] if link["name"] == name))


def test_stretches_follow_each_other_over_the_run() -> None:
    for name in (FORWARD, RETURN):
        rows = of(morning(), name)
        assert rows[0]["time_s"] == 0.0
        assert rows[-1]["until_s"] == 900.0
        assert all(row["until_s"] == later["time_s"] for row, later in itertools.pairwise(rows))
        assert all(row["time_s"] < row["until_s"] for row in rows)


def test_es_n0_follows_from_the_rain_of_the_row(tmp_path: Path) -> None:
    """By hand from the clear-sky hops of `bentpipe link-budget`; the noise of the rain is P.618-14, section 3."""
    budget = tomllib.loads(RAIN)["network"]["dumbbell"]["budget"]
    (tmp_path / "b.toml").write_text(tomli_w.dumps({"budget": budget}))
    up, down = bp.link_budget(tmp_path / "b.toml")["states"][0]["hops"]

    def passes(db: float) -> float:
        return float(10 ** (-db / 10))

    for row in of(morning(), FORWARD)[::25]:
        gas = down["gas_db"]
        more_k = (275.0 - 2.7) * (passes(gas) - passes(gas + row["rain_down_db"]))
        noise_rise = 10 * math.log10(1 + more_k / 180.0)
        c_n_up = up["c_n_db"] - row["rain_up_db"]
        c_n_down = down["c_n_db"] - row["rain_down_db"] - noise_rise
        # Noise of the way up, of the way down, and 20 dB of C/I.
        es_n0 = -10 * math.log10(passes(c_n_up) + passes(c_n_down) + passes(20.0))
        assert row["es_n0_db"] == pytest.approx(es_n0, abs=1e-9)
        clear = -10 * math.log10(passes(up["c_n_db"]) + passes(down["c_n_db"]) + passes(20.0))
        assert row["fade_db"] == pytest.approx(clear - es_n0, abs=1e-9)


def test_modulation_and_code_are_the_tables() -> None:
    """QPSK 3/4 needs 4.03 dB, 8PSK 3/5 5.50 dB, QPSK 1/4 -2.35 dB (ETSI EN 302 307-1, table 13)."""
    thresholds = {"QPSK 3/4": 4.03, "8PSK 3/5": 5.50, "QPSK 1/4": -2.35}
    seen = set()
    for row in of(morning(), RETURN):
        if row["modcod"] in thresholds:
            seen.add(row["modcod"])
            assert row["es_n0_db"] - row["above_threshold_db"] == pytest.approx(thresholds[row["modcod"]], abs=1e-9)
        assert (row["modcod"] is None) == (row["rate_mbit_s"] == 0.0) == (row["above_threshold_db"] is None)
    assert len(seen) == 3


@pytest.mark.parametrize(("name", "direction"), [(FORWARD, "forward"), (RETURN, "return")])
def test_rates_and_outages_are_those_that_packets_meet(name: str, direction: str) -> None:
    """Against what the links' courses say, which the simulator sends by."""
    path = bp.path_trace(RAIN, direction=direction, step="100 ms")
    rows = iter(of(morning(), name))
    row = next(rows)
    for time, rate in zip(path["time_s"], path["rate_mbit_s"], strict=True):
        while row["until_s"] <= time + 1e-9:
            row = next(rows)
        # None: all that is sent in the step is lost. Steps in which the rate changes are means.
        if rate is not None and row["until_s"] > time + 0.1:
            assert rate == pytest.approx(row["rate_mbit_s"], abs=1e-5)
    budget = budget_of(morning(), name)
    fine = bp.path_trace(RAIN, direction=direction, step="10 ms")
    paused = sum(0.01 for rate in fine["rate_mbit_s"] if rate == 0)
    assert budget["outage_s"] == pytest.approx(paused, abs=0.5)
    assert budget["frames_lost_s"] == pytest.approx(0.01 * sum(fine["outage_ratio"]), abs=1e-6)
    assert budget["there_s"] == 900.0


def test_a_run_below_the_ladder_says_so(cli: Any, tmp_path: Path) -> None:
    """The terminal sends 30 dB less: no modulation and code ever holds on its way back."""
    file = tmp_path / "weak.toml"
    file.write_text(RAIN.replace('eirp = "50 dBW"', 'eirp = "20 dBW"').replace('"15 min"', '"60 s"'))
    run = bp.run(file)
    weak = next(link for link in run.summary["links"] if link["name"] == RETURN)
    assert weak["utilisation"] == 0.0
    assert weak["budget"]["outage_s"] == weak["budget"]["there_s"] == 60.0
    assert weak["budget"]["mean_mbit_s"] == weak["budget"]["frames_lost_s"] == 0.0
    assert all(row["utilisation"] == 0.0 for row in run.links.arrow.to_pylist() if row["name"] == RETURN)
    assert run.summary["bottleneck"]["name"] == FORWARD
    # QPSK 1/4 holds from -2.35 dB on (ETSI EN 302 307-1, table 13), and 1 dB is the margin.
    missing = max(-2.35 + 1.0 - row["es_n0_db"] for row in of(run, RETURN))
    assert weak["budget"]["missing_db"] == pytest.approx(missing, abs=1e-9)
    assert run.warnings == [
        f"right > left: for all of 60.0 s, its Es/N0 is up to {missing:.1f} dB too low for the lowest MODCOD of "
        "dvb-s2. During this time, the link sends nothing, and packets wait"
    ]
    said = cli("run", file)
    assert run.warnings[0] in said.stderr
    assert "budget of right > left: 0.000 Mbit/s on average, in outage for 60.0 s" in said.stdout


def test_what_waits_for_a_rung_is_not_sent() -> None:
    """More than the return link ever carries is offered to it: it sends all the time but in its outages."""
    text = RAIN.split("[[flows]]")[0]
    text += '[[flows]]\nkind = "cbr"\nfrom = "right"\nto = "left"\nrate = "10 Mbit/s"\n'
    run = bp.run(text)
    link = next(link for link in run.summary["links"] if link["name"] == RETURN)
    outage_s = link["budget"]["outage_s"]
    assert outage_s > 30.0
    assert link["utilisation"] == pytest.approx(1 - outage_s / 900, abs=1e-3)


def test_what_was_before_the_warm_up_does_not_count() -> None:
    whole, late = budget_of(morning(), RETURN), budget_of(bp.run('warm_up = "430 s"\n' + RAIN), RETURN)
    assert late["there_s"] == pytest.approx(470.0)
    rows = [row for row in of(morning(), RETURN) if row["modcod"] is None]
    expected = sum(max(0.0, row["until_s"] - max(430.0, row["time_s"])) for row in rows)
    assert 0 < expected < whole["outage_s"]
    assert late["outage_s"] == pytest.approx(expected, abs=1e-6)


def test_runs_without_a_budget_have_none_of_it(tmp_path: Path) -> None:
    text = (
        'duration = "2 s"\nnetwork.dumbbell = { rate = "5 Mbit/s", rtt = "20 ms" }\nflows = [{ controller = "reno" }]\n'
    )
    run = bp.run(text, out=tmp_path / "run")
    assert len(run.weather) == 0
    assert not (tmp_path / "run" / "weather.parquet").exists()
    assert "budget" not in (tmp_path / "run" / "summary.json").read_text()


def test_the_table_stands_in_the_folder(tmp_path: Path) -> None:
    run = bp.run(RAIN, duration="20 s", out=tmp_path / "run")
    assert bp.load(tmp_path / "run").weather.arrow.equals(run.weather.arrow)
    run.plot().savefig(tmp_path / "plot.png")


@pytest.mark.parametrize(("start", "is_rarer"), [("20 dB", False), ("45 dB", True)])
def test_rain_beyond_the_range_of_the_recommendation_is_said(start: str, is_rarer: bool) -> None:
    # The hop down in London: 29.6 dB of rain at 0.001 % of a year, at 18.7 GHz.
    run = bp.run(RAIN.replace('start = "6 dB"', f'start = "{start}"'), duration="2 s")
    said = [line for line in total_lines(run) if line.startswith("rain attenuates the hop down ")]
    assert bool(said) == is_rarer
    if said:
        assert said[0].startswith(
            "rain attenuates the hop down by up to 45.0 dB, but ITU-R P.618 is valid only up to 29.6 dB"
        )
