# SPDX-License-Identifier: MIT OR Apache-2.0
"""The command `link-budget`: from power to rate, line by line."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from bentpipe._cli._console import say, table
from bentpipe._link_budget import link_budget

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable

#: Lines of a hop that change with the weather: label, sign and key.
_LOSSES = (
    ("- oxygen and vapour dB", "gas_db"),
    ("- clouds dB", "cloud_db"),
    ("- rain dB", "rain_db"),
    ("- scintillation dB", "scintillation_db"),
    ("= atmosphere dB", "atmosphere_db"),
    ("- noise of the rain dB", "noise_rise_db"),
)


def register(commands: Any) -> None:
    """Add the command of this module."""
    command = commands.add_parser(
        "link-budget",
        help="from power to rate: losses, noise, modulation and code, in clear sky and under rain",
        description="The link budget of a file, line by line: free space, the atmosphere (ITU-R), carrier to noise, the "
        "modulation and code that hold, and the rate; in clear sky and for shares of a year.",
    )
    command.add_argument("file", metavar="FILE", help="TOML with a table [budget]")
    command.add_argument("--json", action="store_true", help="print everything as JSON instead of a table")
    command.set_defaults(run=_run)


def _run(chosen: argparse.Namespace) -> int:
    budget = link_budget(chosen.file)
    if chosen.json:
        say(json.dumps(budget, indent=2, ensure_ascii=False))
        return 0
    states = budget["states"]
    table(["", *(_state(state) for state in states)], _rows(budget, states))
    say(f"Thresholds: {budget['source']}. Atmosphere: ITU-R P.618-14, P.676-13, P.838-3, P.840-8.")
    for state in states:
        if state["modcod"] is None:
            say(
                f"- {_state(state)}: outage. Es/N0 is {state['missing_db']:.1f} dB below the lowest rung of "
                f"{budget['ladder']} with its margin of {budget['margin_db']:g} dB."
            )
    return 0


def _state(state: dict[str, Any]) -> str:
    percent = state["availability_percent"]
    return "clear sky" if percent is None else f"{percent:g} %"


def _rows(budget: dict[str, Any], states: list[dict[str, Any]]) -> list[list[str]]:
    rows: list[list[str]] = []

    def row(label: str, value: Callable[[dict[str, Any]], str]) -> None:
        rows.append([label, *map(value, states)])

    for at, hop in enumerate(budget["hops"]):
        row(f"{hop['name']}: {hop['frequency_ghz']:g} GHz", lambda _: "")
        row(f"  at {hop['elevation_deg']:.1f} deg, {hop['range_km']:.0f} km", lambda _: "")
        row("  EIRP dBW", lambda _, hop=hop: _db(hop["eirp_dbw"]))
        row("  - free space dB", lambda state, at=at: _db(state["hops"][at]["free_space_db"]))
        for label, key in _LOSSES:
            row(f"  {label}", lambda state, at=at, key=key: _db(state["hops"][at][key]))
        row("  - other losses dB", lambda _, hop=hop: _db(hop["losses_db"]))
        row("  + G/T dB/K", lambda _, hop=hop: _db(hop["g_over_t_db_k"]))
        row("  - Boltzmann dBW/K/Hz", lambda _: _db(budget["boltzmann_dbw_k_hz"]))
        row("  = C/N0 dBHz", lambda state, at=at: _db(state["hops"][at]["c_n0_db_hz"]))
        row(f"  C/N in {budget['symbols_mbaud']:g} MHz dB", lambda state, at=at: _db(state["hops"][at]["c_n_db"]))
        if hop["c_over_i_db"] is not None:
            row("  with interference dB", lambda state, at=at: _db(state["hops"][at]["c_ni_db"]))
    row("Es/N0 dB", lambda state: _db(state["es_n0_db"]))
    row("modulation and code", lambda state: state["modcod"] or "outage")
    row("above its threshold dB", lambda state: _db(state["above_threshold_db"]))
    row("rate Mbit/s", lambda state: _db(state["rate_mbit_s"]))
    return rows


def _db(value: float | None) -> str:
    return "–" if value is None else f"{value:.2f}"
