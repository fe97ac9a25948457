# SPDX-License-Identifier: MIT OR Apache-2.0
"""Results of a real ns-2.35, the papers' own tool, on the papers' networks, read from `data/ns2` (README there).

A-LIAD and Vegas-W do not exist in ns-2. The results are those of the variants that they are compared with, on the
networks of `a_liad/bed.py` and `vegas_w/bed.py`, by seed. Each function has the measure of the row's claim. A function
returns None if the file is missing (a wheel has no data) or ns-2 did not run the case.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq

import bentpipe as bp
from bentpipe.study import Sheet, jain, sampled, shown

#: The variants beside A-LIAD in TCP-Linux. With an ACK for every packet, `reno` and `naive_reno` are equal.
MODULES = {
    "CUBIC": "linux-cubic",
    "BIC": "linux-bic",
    "STCP": "linux-scalable",
    "HSTCP": "linux-highspeed",
    "Westwood": "linux-westwood",
    "NewReno": "linux-reno",
}
#: Further variants for comparison: ns-2's own agents, with SACK and without.
BESIDE = {"Hybla": "linux-hybla", "Sack1": "sack1", "Newreno": "newreno"}
#: The variants beside Vegas-W, by their names in its bed.
AGENTS = {"Vegas": "vegas", "NewReno": "sack1", "NewReno, RFC 6582": "newreno"}
#: A line of the file. Columns of other cases are None.
Line = dict[str, Any]


@cache
def lines(file: str = "papers.parquet") -> tuple[Line, ...]:
    """Return all lines of a file of `data/ns2`; none without a checkout, because a wheel has no data."""
    path = Path(__file__).resolve().parents[2] / "data" / "ns2" / file
    return tuple(pq.read_table(path).to_pylist()) if path.exists() else ()


def runs(paper: str, case: str, agent: str, **where: Any) -> dict[int, list[Line]]:
    """Return the lines of runs by seed, a line for each flow.

    Args:
        paper: “A-LIAD” or “Vegas-W”.
        case: The name of a network with its traffic in the README.
        agent: The name of the agent in ns-2.
        where: Further columns and their values.
    """
    wanted = {"paper": paper, "case": case, "agent": agent, **where}
    found: dict[int, list[Line]] = {}
    for line in lines():
        if all(line[key] == value for key, value in wanted.items()):
            found.setdefault(line["seed"], []).append(line)
    return found


def note(paper: str, case: str, agent: str, **where: Any) -> str:
    """Return the text for `Claim.tool_note`: the version of ns-2 and the number of seeds."""
    return f"ns-2.35, {len(runs(paper, case, agent, **where))} seeds"


def estimated(values: Sequence[float]) -> bp.Estimate | None:
    """Return the estimate over the seeds; a fixed number if all values are equal; None without values."""
    return sampled(values) if values else None


def less(one: bp.Estimate | None, other: bp.Estimate | None) -> bp.Estimate | None:
    """Return the difference of two estimates from different runs; None if one of them is missing."""
    if one is None or other is None:
        return None
    width = math.hypot(one.half_width, other.half_width)
    return bp.Estimate(one.mean - other.mean, width, min(one.samples, other.samples))


def firsts(paper: str, case: str, agent: str, **where: Any) -> list[Line]:
    """Return the lines of the first flow of each run, in the order of the seeds."""
    return [flows[0] for _, flows in sorted(runs(paper, case, agent, **where).items())]


def agent_of(name: str) -> str:
    """Return ns-2's name of a variant."""
    return (MODULES | BESIDE)[name]


def path_packets(line: Line) -> float:
    """Return the number of packets that fill the path, of 1050 bytes for TCP-Linux and 1040 for ns-2's other agents."""
    return float(line["rate_mbit_s"] * 1e3 * line["rtt_ms"] / (8 * line["packet_bytes"]))


def starts(name: str, buffer: str) -> list[Line]:
    """Return the start-ups of a variant, by seed."""
    case = "start-up" if buffer == "1 BDP" else f"start-up, {buffer}"
    return firsts("A-LIAD", case, agent_of(name))


def used(name: str, until_s: int = 30, buffer: str = "1 BDP") -> bp.Estimate | None:
    """A-13: utilisation of R1-R2 from the start to 5, 10, 15, 20 or 30 s in percent; `buffer` 1 BDP or 50 packets.

    Every new packet that arrived counts once, in order or not. The recovery of ns-2's Hybla never ends: its
    utilisation is 97 %, but it delivers only 2 % in order.
    """
    return estimated([line[f"used_{until_s}_s"] for line in starts(name, buffer)])


def overflow(name: str) -> bp.Estimate | None:
    """A-16: window in BDP at which slow start overflows the buffer."""
    return estimated([line["first_drop_window"] / path_packets(line) for line in starts(name, "1 BDP")])


def cuts_after(name: str, buffer: str = "1 BDP") -> bp.Estimate | None:
    """A-16: changes of the threshold from the end of slow start on, within 5 of the longest round trips."""
    return estimated([line["cuts_within_5_rtt"] for line in starts(name, buffer)])


def utilisations(name: str, per: float) -> dict[int, float]:
    """Utilisation in percent by seed, as A-22 measures it."""
    found = runs("A-LIAD", "errors", agent_of(name), per=per)
    return {
        seed: 100.0 * flows[0]["goodput_mbit_s"] * flows[0]["packet_bytes"] / 1000 / flows[0]["rate_mbit_s"]
        for seed, flows in sorted(found.items())
    }


def under_errors(name: str, per: float) -> bp.Estimate | None:
    """A-22: utilisation of R1-R2 from 20 s to 320 s in percent, headers included; `per` 0, 0.001 or 0.01."""
    return estimated(list(utilisations(name, per).values()))


def best_other(per: float) -> str:
    """A-22: the variant except A-LIAD with the highest utilisation at an error rate; empty without the file."""
    means = {name: statistics.fmean(utilisations(name, per).values()) for name in MODULES if utilisations(name, per)}
    return max(means, key=lambda name: means[name]) if means else ""


def below(ours: bp.Estimate, per: float) -> bp.Estimate | None:
    """A-22: our utilisation minus that of ns-2's best variant at an error rate, in percentage points."""
    best = best_other(per)
    return less(ours, under_errors(best, per)) if best else None


def kept_by(name: str) -> list[float]:
    """Sum of the goodputs in Mbit/s of the five NewReno flows beside a variant, one per seed."""
    found = runs("A-LIAD", "friendliness", agent_of(name))
    return [sum(line["goodput_mbit_s"] for line in flows[:5]) for _, flows in sorted(found.items())]


def harm(name: str) -> bp.Estimate | None:
    """A-24: change in percent of five NewReno flows' goodput if a flow of `name` replaces a sixth NewReno flow."""
    kept, without = kept_by(name), kept_by("NewReno")
    return bp.relative_change(kept, without) if kept and without else None


def fairness(name: str, per: float) -> bp.Estimate | None:
    """A-19's network: Jain's index of six flows of one variant, from 20 s to 120 s; `per` 0, 0.001 or 0.01."""
    found = runs("A-LIAD", "six flows", agent_of(name), per=per)
    return estimated([jain([line["goodput_mbit_s"] for line in flows]) for _, flows in sorted(found.items())])


def of_vegas_w(case: str, name: str, access_mbit_s: float) -> list[Line]:
    """The runs of an agent on Vegas-W's network, by seed."""
    return firsts("Vegas-W", case, AGENTS[name], access_mbit_s=access_mbit_s)


def slow_start_share(name: str, access_mbit_s: float = 100.0) -> bp.Estimate | None:
    """V-03: largest window until slow start ends, in percent of the 1012.5 packets of the path."""
    product = 15e3 * 540.0 / 8000.0
    return estimated(
        [100.0 * line["left_slow_start_window"] / product for line in of_vegas_w("cross traffic", name, access_mbit_s)]
    )


def window_change(name: str, access_mbit_s: float = 100.0) -> bp.Estimate | None:
    """V-08: window at the end of the new route minus the window at its start, in segments; RTT x 2.2, forward path."""
    found = of_vegas_w("new route", name, access_mbit_s)
    return estimated([line["window_returning"] - line["window_leaving"] for line in found])


def of_route_and_traffic(name: str) -> str:
    """Return the text for `Claim.tool_note` of Vegas-W's claims: ns-2's own agent and the number of seeds."""
    return note("Vegas-W", "new route", AGENTS[name], access_mbit_s=100.0)


def told(name: str, number: bp.Estimate | None) -> str:
    """Return the text for a claim's note with ns-2's number.

    ns-2 has no A-LIAD, so only the other controller has a number.
    """
    return "" if number is None else f"of the two controllers, a real ns-2.35 has only {name}: {shown(number, 1)} %"


def told_cuts(name: str) -> str:
    """Return the text for A-16's notes: the number of threshold changes in ns-2 (Westwood: two per recovery)."""
    number = cuts_after(name)
    twice = ", twice in one recovery: at its start and at its end" if name == "Westwood" else ""
    return "" if number is None else f"in a real ns-2.35, the threshold changes {shown(number, 1)} times{twice}"


def sheets(
    title: str,
    ours: Mapping[str, bp.Estimate],
    columns: Mapping[str, Callable[[str], bp.Estimate | None]],
    digits: int = 1,
) -> list[Sheet]:
    """Return `sheet` in a list; an empty list without the file."""
    made = sheet(f"beside the agents of a real ns-2.35, same network: {title}", ours, columns, digits)
    return [] if made is None else [made]


def sheet(
    title: str,
    ours: Mapping[str, bp.Estimate],
    columns: Mapping[str, Callable[[str], bp.Estimate | None]],
    digits: int = 1,
) -> Sheet | None:
    """Return a table with our number beside ns-2's, a line for each variant in ns-2; None without the file.

    Args:
        title: The measure with its unit.
        ours: Our number of each variant, in the order of the table.
        columns: Functions of this module by the heading of their column.
        digits: Digits after the point.
    """
    table = []
    for name, number in ours.items():
        if name in MODULES | BESIDE | AGENTS:
            theirs = [function(name) for function in columns.values()]
            table.append([name, shown(number, digits), *("–" if one is None else shown(one, digits) for one in theirs)])
    return Sheet(title, ("variant", "here", *columns), table) if lines() else None
