# SPDX-License-Identifier: MIT OR Apache-2.0
"""Print the link budget of a file, line by line, in clear sky and for shares of a year.

The lines are free space, the atmosphere (ITU-R), carrier to noise, the modulation and code in use, and the rate. For a
scenario, the command prints the budget of each link at one moment of the run, with the rain of this moment.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from bentpipe import _core
from bentpipe._link_budget import link_budget, link_budgets
from bentpipe.base.errors import ScenarioError
from bentpipe.base.files import read_text
from bentpipe.cli import options
from bentpipe.cli.console import note, said, say, say_json, table
from bentpipe.cli.pictures import save_picture
from bentpipe.cli.tables import numbers
from bentpipe.scenario.document import ScenarioText

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bentpipe.scenario.answers import BudgetState, HopState, LinkBudget


def add(parser: options.Parser) -> None:
    """Add the options."""
    options.scenario(parser, help="TOML with a table [budget], or a scenario (TOML); - reads stdin")
    parser.add_argument("--link", metavar="NAME", help='for a scenario: only this link, "left > right"')
    parser.add_argument("--at", metavar="TIME", help='for a scenario: the moment of the budget (default "0 s")')
    options.seed(parser, "for a scenario: seed that replaces the seed of the file")
    options.json(parser, "everything")
    options.csv(parser, "a row for each link and weather")
    options.picture(parser, "each hop as a waterfall, clear sky beside rain")


def run(chosen: options.Chosen) -> int:
    """Print the budget of a file, or the budgets of a scenario's links."""
    if _is_scenario(chosen.file):
        links = link_budgets(
            options.scenario_of(chosen.file, chosen), at=chosen.at or "0 s", link=chosen.link, seed=chosen.seed
        )
        if chosen.json:
            say_json(links)
        heads_of = {one["link"]: ["clear sky", f"at {one['at_s']:g} s"] for one in links}
        _draw([(one["link"], one, heads_of[one["link"]]) for one in links], chosen)
        _write([(one["link"], one, heads_of[one["link"]]) for one in links], chosen)
        for one in links:
            heads = heads_of[one["link"]]
            say(one["link"])
            table(["", *heads], _rows(one, one["states"]))
            _outages(one, heads)
            if one["frames_lost"]:
                say(
                    "- Frames are lost: the modem has not yet adapted to the weather, so its modulation and code need "
                    "a better signal."
                )
        for source in dict.fromkeys(one["source"] for one in links):
            _sources(source)
        return 0
    for option, value in (
        *(("--link", chosen.link), ("--at", chosen.at), ("--seed", chosen.seed)),
        ("--set", chosen.set or None),
    ):
        if value is not None:
            raise ScenarioError(
                "usage",
                f"{option} applies only to scenarios, but {chosen.file} has a table [budget] (omit {option})",
            )
    budget = link_budget(chosen.file)
    if chosen.json:
        say_json(budget)
    heads = [_state(state) for state in budget["states"]]
    _write([("", budget, heads)], chosen)
    table(["", *heads], _rows(budget, budget["states"]))
    _sources(budget["source"])
    _outages(budget, heads)
    _draw([("", budget, heads)], chosen)
    return 0


def _draw(budgets: Sequence[tuple[str, LinkBudget, Sequence[str]]], chosen: options.Chosen) -> None:
    if chosen.picture is not None:
        from bentpipe.show.pictures.link_budget import waterfall  # imported here, because it imports Matplotlib

        note(f"picture: {save_picture(waterfall(budgets), chosen.picture)}")


def _write(budgets: Sequence[tuple[str, LinkBudget, Sequence[str]]], chosen: options.Chosen) -> None:
    """Write the table of `--csv`: a row for each link and weather, and a column for each line of the budgets."""
    if chosen.csv is None:
        return
    found: list[dict[str, str]] = []
    for link, budget, heads in budgets:
        places = [{"link": link, "weather": head} for head in heads]
        hop = ""
        for label, *cells in _rows(budget, budget["states"]):
            if not any(cells):
                hop = f"{label.split(':')[0]}: " if not label.startswith(" ") else hop
                continue
            # The bandwidth differs between links, but C/N of all links is one column.
            line = re.sub(r" in \S+ MHz", "", label.strip().lstrip("-+= "))
            name = f"{hop if label.startswith(' ') else ''}{line}"
            for place, cell in zip(places, cells, strict=True):
                place[name] = cell
        found.extend(places)
    head = list(dict.fromkeys(name for place in found for name in place))
    rows = [[place.get(name, "") for name in head] for place in found]
    note(f"budgets: {numbers(head, rows).write(chosen.csv)}")


def _is_scenario(file: str | ScenarioText) -> bool:
    """Return whether a file is a scenario. Only a scenario has a network."""
    if isinstance(file, ScenarioText):
        return "network" in _core.read_toml(file.text, file.origin)
    return "network" in _core.read_toml(read_text(Path(file), "link budget"), file)


def _outages(budget: LinkBudget, heads: list[str]) -> None:
    for head, state in zip(heads, budget["states"], strict=True):
        if state["modcod"] is None:
            say(
                f"- {head}: outage. Es/N0 is {state['missing_db']:.1f} dB below the lowest rung of "
                f"{budget['ladder']} with its margin of {budget['margin_db']:g} dB."
            )


def _sources(thresholds: str) -> None:
    say(f"Thresholds: {thresholds}. Atmosphere: ITU-R P.618-14, P.676-13, P.838-3, P.840-8.")


def _state(state: BudgetState) -> str:
    percent = state.get("availability_percent")
    return "clear sky" if percent is None else f"{percent:g} %"


def _losses(hop: HopState) -> dict[str, float]:
    """Return the lines of a hop in some weather, each with its sign."""
    return {
        "- free space dB": hop["free_space_db"],
        "- oxygen and vapour dB": hop["gas_db"],
        "- clouds dB": hop["cloud_db"],
        "- rain dB": hop["rain_db"],
        "- scintillation dB": hop["scintillation_db"],
        "= atmosphere dB": hop["atmosphere_db"],
        "- noise of the rain dB": hop["noise_rise_db"],
    }


def _rows(budget: LinkBudget, states: list[BudgetState]) -> list[list[str]]:
    rows: list[list[str]] = []

    def same(label: str, value: str) -> None:
        """Add a line with the same value for every weather."""
        rows.append([label, *[value] * len(states)])

    for at, hop in enumerate(budget["hops"]):
        chains = [state["hops"][at] for state in states]
        same(f"{hop['name']}: {hop['frequency_ghz']:g} GHz", "")
        same(f"  at {hop['elevation_deg']:.1f} deg, {hop['range_km']:.0f} km", "")
        same("  EIRP dBW", _db(hop["eirp_dbw"]))
        losses = [_losses(chain) for chain in chains]
        rows.extend([f"  {label}", *(_db(one[label]) for one in losses)] for label in losses[0])
        same("  - other losses dB", _db(hop["losses_db"]))
        same("  + G/T dB/K", _db(hop["g_over_t_db_k"]))
        same("  - Boltzmann dBW/K/Hz", _db(budget["boltzmann_dbw_k_hz"]))
        rows.append(["  = C/N0 dBHz", *(_db(chain["c_n0_db_hz"]) for chain in chains)])
        rows.append([f"  C/N in {budget['symbols_mbaud']:g} MHz dB", *(_db(chain["c_n_db"]) for chain in chains)])
        if hop["c_over_i_db"] is not None:
            rows.append(["  with interference dB", *(_db(chain["c_ni_db"]) for chain in chains)])
    rows.append(["Es/N0 dB", *(_db(state["es_n0_db"]) for state in states)])
    rows.append(["modulation and code", *(state["modcod"] or "outage" for state in states)])
    rows.append(["above its threshold dB", *(_db(state["above_threshold_db"]) for state in states)])
    rows.append(["rate Mbit/s", *(_db(state["rate_mbit_s"]) for state in states)])
    return rows


def _db(value: float | None) -> str:
    return said(value, ".2f")
