# SPDX-License-Identifier: MIT OR Apache-2.0
"""Sections 3.2.1 and 3.2.2: propagation delay from the orbits, queueing delay from what is left (H-12 to H-14)."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow.compute as pc

import bentpipe as bp
from bentpipe import plots
from bentpipe.papers import Claim, Finding, Picture, Row, Sheet
from bentpipe.papers._measure import percent
from bentpipe.papers.hybla_im._network import PERS, REVOLUTION_S, T2, scenario, sky_offset_s

if TYPE_CHECKING:
    from collections.abc import Mapping

    from matplotlib.figure import Figure

    from bentpipe.papers import Effort, Runs
    from bentpipe.papers._paper import Key


def central_angle(phi_1: float, lambda_1: float, phi_2: float, lambda_2: float) -> float:
    """Angle at the Earth's centre between two satellites (section 3.2.1), rad; latitudes phi, longitudes lambda."""
    # alpha = arccos(sin phi1 sin phi2 + cos phi1 cos phi2 cos(lambda1 - lambda2))
    cosine = math.sin(phi_1) * math.sin(phi_2) + math.cos(phi_1) * math.cos(phi_2) * math.cos(lambda_1 - lambda_2)
    return math.acos(max(-1.0, min(1.0, cosine)))


def link_km(radius_1_km: float, radius_2_km: float, angle: float) -> float:
    """Length of a link between satellites at these distances from the centre (section 3.2.1)."""
    # l = sqrt((R+H1)^2 + (R+H2)^2 - 2 (R+H1)(R+H2) cos alpha)
    return math.sqrt(radius_1_km**2 + radius_2_km**2 - 2.0 * radius_1_km * radius_2_km * math.cos(angle))


def _lengths(moments: range) -> dict[str, list[float]]:
    """Lengths in km of links between satellites over a revolution: the simulator's, and the formula's readings."""
    sky = bp.constellation("iridium")
    found: dict[str, list[float]] = {name: [] for name in ("latitude", "planes", "here", "right", "geodetic", "swapped")}
    for moment in moments:
        rows = sky.satellites(f"{moment} s").arrow.to_pylist()
        links = sky.links(f"{moment} s")
        for a, b, length in zip(links["a"], links["b"], links["length_km"], strict=True):
            one, other = rows[a], rows[b]
            spots = [_spot(row) for row in (one, other)]
            (r1, geocentric_1, geodetic_1, lambda_1), (r2, geocentric_2, geodetic_2, lambda_2) = spots
            found["latitude"].append((one["latitude_deg"] + other["latitude_deg"]) / 2.0)
            found["planes"].append(float(one["name"].split("/")[0] != other["name"].split("/")[0]))
            found["here"].append(length)
            right = central_angle(geocentric_1, lambda_1, geocentric_2, lambda_2)
            found["right"].append(link_km(r1, r2, right))
            nominal = 6371.0 + 780.0
            found["geodetic"].append(link_km(nominal, nominal, central_angle(geodetic_1, lambda_1, geodetic_2, lambda_2)))
            swapped = central_angle(lambda_1, geocentric_1, lambda_2, geocentric_2)
            found["swapped"].append(link_km(r1, r2, swapped))
    return found


def _spot(row: dict[str, Any]) -> tuple[float, float, float, float]:
    """Distance from the centre in km, geocentric and geodetic latitude and longitude in rad."""
    radius = math.hypot(row["x_km"], row["y_km"], row["z_km"])
    geocentric = math.asin(row["z_km"] / radius)
    return radius, geocentric, math.radians(row["latitude_deg"]), math.radians(row["longitude_deg"])


@plots.styled
def _draw_triangle() -> Figure:
    figure, (sketch, lengths) = plots.new(1, 2, height=3.4)
    turn = np.linspace(0.0, 2.0 * np.pi, 200)
    sketch.fill(np.cos(turn), np.sin(turn), color="#dfe7f1")
    sketch.plot(1.35 * np.cos(turn), 1.35 * np.sin(turn), color="#9ecae1", linewidth=0.8)
    ends = [(1.35 * math.cos(at), 1.35 * math.sin(at)) for at in (math.radians(115), math.radians(50))]
    for (x, y), name, words in zip(ends, ("A", "B"), ("R + H₁", "R + H₂"), strict=True):
        sketch.plot([0, x], [0, y], color="#000000", linewidth=1.0)
        sketch.plot([x], [y], "o", color=plots.COLOURS[0])
        sketch.annotate(name, (x, y), xytext=(5, 4), textcoords="offset points")
        sketch.annotate(words, (0.62 * x, 0.62 * y), xytext=(6, -3), textcoords="offset points", fontsize="small")
    sketch.plot([x for x, _ in ends], [y for _, y in ends], color=plots.COLOURS[1], linewidth=1.6)
    sketch.annotate("l", (0.18, 1.22), color=plots.COLOURS[1])
    sketch.annotate("α", (0.03, 0.2))
    sketch.set(aspect="equal", xlim=(-1.5, 1.6), ylim=(-0.4, 1.6), title="Figure 1: inter-satellite distance")
    sketch.axis("off")
    found = _lengths(range(0, REVOLUTION_S, 150))
    latitude, here, planes = (np.asarray(found[name]) for name in ("latitude", "here", "planes"))
    for other, label, colour in ((0.0, "in a plane", plots.COLOURS[0]), (1.0, "between planes", plots.COLOURS[2])):
        mask = planes == other
        lengths.scatter(latitude[mask], here[mask], s=5, color=colour, label=label, rasterized=True, linewidths=0)
    lengths.plot(*_neighbours(), color="#555555", linestyle="--", linewidth=1.0, label="paper's formula")
    lengths.set(title="Iridium over a revolution", xlabel="mean latitude (°)", ylabel="km", ylim=(0, 5000))
    lengths.legend(fontsize="small", loc="lower center")
    return figure


def _neighbours() -> tuple[list[float], list[float]]:
    """Mean latitude in degrees and length by the paper's formula, of satellites in planes 31.6° apart, half a slot on."""
    tilt, radius = math.radians(86.4), 6378.137 + 780.0
    latitudes, lengths = [], []
    for step in range(-100, 101):
        spots = []
        for node, ahead in ((0.0, 0.0), (31.6, 180.0 / 11.0)):
            u = math.radians(step * 0.6 + ahead)
            phi = math.asin(math.sin(tilt) * math.sin(u))
            spots.append((phi, math.radians(node) + math.atan2(math.cos(tilt) * math.sin(u), math.cos(u))))
        latitudes.append(math.degrees(spots[0][0] + spots[1][0]) / 2.0)
        lengths.append(link_km(radius, radius, central_angle(*spots[0], *spots[1])))
    return latitudes, lengths


def _read_distance(_: Runs) -> Finding:
    found = {name: np.asarray(values) for name, values in _lengths(range(0, REVOLUTION_S, 150)).items()}
    off = {name: np.abs(found[name] - found["here"]) for name in ("right", "geodetic", "swapped")}
    within, between = found["here"][found["planes"] == 0.0], found["here"][found["planes"] == 1.0]
    words = {
        "right": "φ geocentric latitude, λ longitude, true distances from the centre",
        "geodetic": "φ geodetic latitude (as STK prints), R = 6371 km, H = 780 km",
        "swapped": "as the text names the symbols: λ latitude, φ longitude",
    }
    rows = [[words[name], f"{values.max():.3f}", f"{values.mean():.3f}"] for name, values in off.items()]
    return Finding(
        why=f"with φ as latitude the formula is the distance to {off['right'].max():.0e} km; with the symbols as the "
        f"text names them ((λ, φ) = latitude, longitude) it is wrong by up to {off['swapped'].max():,.0f} km. In a "
        f"plane {within.mean():.0f} km, between planes {between.min():.0f} to {between.max():.0f} km",
        claims=[
            Claim(
                what="largest difference of the formula from the simulator's links over a revolution",
                paper=0.0,
                measured=bp.fixed(float(off["right"].max())),
                unit="km",
                tolerance=0.5,
                digits=6,
            )
        ],
        sheets=[
            Sheet(f"Formula against {len(within) + len(between)} links", ("reading", "largest km", "mean km"), rows)
        ],
        pictures=[Picture("Figure 1, and what it gives for Iridium", _draw_triangle())],
    )


def _read_propagation(runs: Runs) -> Finding:
    sky = bp.constellation("iridium")
    step = 20
    table = sky.path("Berkeley", "Boston", duration=f"{REVOLUTION_S} s", step=f"{step} s").arrow
    times = plots.column(table, "time_s")
    whole, between = plots.column(table, "propagation_rtt_ms"), 2.0 * plots.column(table, "isl_ms")
    switches = len(sky.switches("Berkeley", "Boston", duration=f"{REVOLUTION_S} s")) - 1
    drift = np.abs(plots.column(table, "rtt_rate_us_s"))
    ping = runs["ping",]
    at, measured = plots.over_time(ping.flows, "rtt_ms", "mean")
    there = plots.over_time(ping.flows, "propagation_rtt_ms", "mean")[1]
    rest = measured - there
    figure, (above, below) = plots.new(2, 1, height=2.2)
    above.plot(times / 60.0, whole, color=plots.COLOURS[0], linewidth=1.1, label="T_PD with the ground's links")
    above.plot(times / 60.0, between, color=plots.COLOURS[1], linewidth=1.1, label="links between satellites alone")
    above.set(title="Berkeley to Boston, one revolution", ylabel="2D/c (ms)", xlabel="minutes", ylim=(0, None))
    above.legend(fontsize="small", ncols=2)
    below.plot(at, measured, color=plots.COLOURS[2], linewidth=1.1, label="pings")
    below.plot(at, there, color="#555555", linewidth=1.0, linestyle="--", label="paper: 2D/c")
    below.set(title="Pings over T2 without other traffic", xlabel="s", ylabel="ms", ylim=(0, None))
    below.legend(fontsize="small", ncols=2)
    rows = [
        ["with up- and downlink", *(f"{value:.1f}" for value in (whole.min(), whole.mean(), whole.max()))],
        ["links between satellites alone, as printed", *(f"{v:.1f}" for v in (between.min(), between.mean(), between.max()))],
        ["pings less T_PD (transmission)", *(f"{v:.2f}" for v in (np.nanmin(rest), np.nanmean(rest), np.nanmax(rest)))],
    ]
    return Finding(
        why=f"2D/c runs from {whole.min():.0f} to {whole.max():.0f} ms in a revolution, mean {whole.mean():.0f}, with "
        f"{switches} changes of the path ({switches * 3600 / REVOLUTION_S:.0f} per hour) and a drift of up to "
        f"{drift.max():.0f} µs/s; without up- and downlink, as the sum over inter-satellite links is printed, "
        f"{(whole - between).min():.0f} to {(whole - between).max():.0f} ms are missing, and their change would be "
        "booked as queueing",
        claims=[
            Claim(
                what="round trips change: largest less smallest 2D/c of a revolution",
                sign=1,
                measured=bp.fixed(float(whole.max() - whole.min())),
                unit="ms",
            )
        ],
        sheets=[Sheet("Delays over a revolution, ms", ("delay", "least", "mean", "largest"), rows)],
        pictures=[Picture("T_PD = 2D/c over time", figure)],
    )


def _plan_ping(_: Effort) -> Mapping[Key, bp.Scenario]:
    return {
        ("ping",): bp.Scenario(
            name="pings from Berkeley to Boston",
            duration="600 s",
            seed=1,
            network=bp.Constellation(
                preset="iridium",
                offset=f"{sky_offset_s(1)} s",
                isl=bp.Link(rate="25 Mbit/s"),
                user_link=bp.Link(rate="100 Mbit/s"),
            ),
            flows=[bp.Flow(kind="ping", from_="Berkeley", to="Boston", interval="100 ms")],
            record=bp.Record(interval="2 s", events=False),
        )
    }


_ORACLES = {"with": True, "without": False}


def _plan_queueing(effort: Effort) -> Mapping[Key, bp.Scenario]:
    return {
        (words, seed): scenario(
            T2,
            PERS[0],
            {"name": "hybla-im", "oracle": oracle},
            seed,
            name=f"hybla-im {words} oracle",
            duration="120 s",
            record=bp.Record(interval="200 ms", events=False),
        )
        for words, oracle in _ORACLES.items()
        for seed in effort.seeds
    }


def _estimates(run: bp.Run) -> dict[str, plots.Floats]:
    """Per flow and interval: true queueing delay, the controller's T_QD, and RTT less the smallest so far, ms."""
    table, numbers = run.flows.arrow, run.snapshots.arrow
    found: dict[str, list[plots.Floats]] = {"time": [], "true": [], "T_QD": [], "RTT": []}
    for flow in range(T2.flows):
        rows = table.filter(pc.equal(table["flow"], flow))
        mine = pc.and_(pc.equal(numbers["flow"], flow), pc.equal(numbers["name"], "queueing_delay_ms"))
        kept = numbers.filter(mine)
        times, rtt = plots.column(rows, "time_s"), plots.column(rows, "rtt_ms")
        at = np.searchsorted(plots.column(kept, "time_s"), times)
        known = (at < len(kept)) & ~np.isnan(rtt)
        truth = plots.column(rows, "queueing_delay_ms")
        known &= ~np.isnan(truth)
        found["time"].append(times[known])
        found["true"].append(truth[known])
        found["T_QD"].append(plots.column(kept, "value")[at[known]])
        found["RTT"].append(rtt[known] - np.minimum.accumulate(rtt[known]))
    return {name: np.concatenate(parts) for name, parts in found.items()}


def _errors(run: bp.Run, name: str) -> tuple[float, float, float]:
    """Bias and root mean square of an estimate's error in ms, and its correlation with the truth."""
    found = _estimates(run)
    error = found[name] - found["true"]
    correlation = float(np.corrcoef(found[name], found["true"])[0, 1])
    return float(error.mean()), float(np.sqrt(np.mean(error**2))), correlation


@plots.styled
def _draw_queueing(run: bp.Run) -> Figure:
    found = _estimates(run)
    length = len(found["time"]) // T2.flows
    figure, (axis,) = plots.new(1, 1, height=3.2)
    for name, label, colour in (
        ("RTT", "RTT less its minimum", plots.COLOURS[1]),
        ("T_QD", "T_QD of the controller", plots.COLOURS[0]),
        ("true", "true queueing delay", "#000000"),
    ):
        axis.plot(found["time"][:length], found[name][:length], color=colour, label=label, linewidth=0.9)
    axis.set(title="T2, one flow", xlabel="s", ylabel="ms", yscale="symlog", ylim=(0, None))
    axis.legend(fontsize="small", ncols=3, loc="upper left")
    return figure


def _reach(run: bp.Run) -> float:
    _, there = plots.over_time(run.flows, "propagation_rtt_ms", "mean")
    return float(np.nanmax(there) - np.nanmin(there))


def _read_queueing(runs: Runs) -> Finding:
    withs, withouts = runs.of("with"), runs.of("without")
    cases = {
        "T_QD with the oracle (min of 30 s)": [_errors(run, "T_QD") for run in withs],
        "without: RTT less its minimum of 30 s": [_errors(run, "T_QD") for run in withouts],
        "without: RTT less its minimum since the start": [_errors(run, "RTT") for run in withs],
    }
    rows = [
        [name, *(bp.estimate([values[place] for values in errors]).text(2) for place in range(3))]
        for name, errors in cases.items()
    ]
    rms = {name: [values[1] for values in errors] for name, errors in cases.items()}
    oracle, window, ever = rms.values()
    moved = max(withs, key=_reach)
    claims = [
        Claim(
            what=f"error (RMS) of RTT less its minimum {words}, against T_QD's",
            sign=1,
            measured=bp.relative_change(values, oracle),
        )
        for words, values in (("since the start", ever), ("of 30 s", window))
    ]
    return Finding(
        why=f"T_QD is off by {bp.estimate(oracle).text(2)} ms (RMS), RTT less its minimum by "
        f"{bp.estimate(ever).text(1)} (since the start) and {bp.estimate(window).text(1)} ms (of 30 s): every change "
        f"of the path to a longer one reads as a queue. {percent(claims[0].measured)} and "
        f"{percent(claims[1].measured)}",
        claims=claims,
        sheets=[Sheet("T2, PER 1e-4: estimates against the true queueing delay", ("estimate", "bias ms", "RMS ms", "correlation"), rows)],
        pictures=[Picture("The seed whose path changes most", _draw_queueing(moved))],
        notes=[
            "The truth is the mean of what data waited that arrived in 200 ms, one flow at a time; T_QD is that of the "
            "newest ACK at the end of the interval, half a round trip later and with the ACK's own waiting. A part of "
            "both errors is that difference in time.",
        ],
    )


ROWS = (
    Row(
        id="H-12",
        place="Figure 1 and the formulas of α, l and D, section 3.2.1",
        what="distance of two satellites from latitude, longitude and altitude",
        says="α from the spherical law of cosines, l from the plane one",
        read=_read_distance,
    ),
    Row(
        id="H-13",
        place="T_PD = 2D/c, sections 3.2.1 and 3.2.2",
        what="propagation delay of the path over time",
        says="round trips are in constant change as satellites move",
        plan=_plan_ping,
        read=_read_propagation,
    ),
    Row(
        id="H-14",
        place="RTT = T_PD + T_NPD, T_QD = T_NPD - min(T_NPD), section 3.2.2",
        what="the queueing delay that is left",
        says="RTT cannot reflect congestion accurately, T_QD can",
        plan=_plan_queueing,
        read=_read_queueing,
    ),
)
