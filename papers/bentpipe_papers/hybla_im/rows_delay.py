# SPDX-License-Identifier: MIT OR Apache-2.0
"""Sections 3.2.1 and 3.2.2: propagation delay from the orbits, and queueing delay as the rest (H-12 to H-14)."""

from __future__ import annotations

import math
from itertools import product
from typing import Any

import numpy as np

import bentpipe as bp
from bentpipe import plots
from bentpipe import study as st
from bentpipe_papers.hybla_im.bed import HYBLA_IM, PERS, REVOLUTION_S, T2, scenario, sky_offset_s
from bentpipe_papers.hybla_im.claims import doublings
from bentpipe_papers.transport import BARE


def central_angle(phi_1: float, lambda_1: float, phi_2: float, lambda_2: float) -> float:
    """Angle at the Earth's centre between two satellites in rad (section 3.2.1), from latitudes and longitudes."""
    # alpha = arccos(sin phi1 sin phi2 + cos phi1 cos phi2 cos(lambda1 - lambda2))
    cosine = math.sin(phi_1) * math.sin(phi_2) + math.cos(phi_1) * math.cos(phi_2) * math.cos(lambda_1 - lambda_2)
    return math.acos(max(-1.0, min(1.0, cosine)))


def link_km(radius_1_km: float, radius_2_km: float, angle: float) -> float:
    """Length in km of a link between satellites at these distances from the centre (section 3.2.1)."""
    # l = sqrt((R+H1)^2 + (R+H2)^2 - 2 (R+H1)(R+H2) cos alpha)
    return math.sqrt(radius_1_km**2 + radius_2_km**2 - 2.0 * radius_1_km * radius_2_km * math.cos(angle))


def link_lengths(moments: range) -> dict[str, list[float]]:
    """Lengths in km of links between satellites over a revolution: in the simulator, and by readings of the formula."""
    sky = bp.constellation("iridium")
    found: dict[str, list[float]] = {
        name: [] for name in ("latitude", "planes", "here", "right", "geodetic", "swapped")
    }
    for moment in moments:
        rows = sky.satellites(f"{moment} s").arrow.to_pylist()
        links = sky.links(f"{moment} s")
        for a, b, length in zip(links["a"], links["b"], links["length_km"], strict=True):
            one, other = rows[a], rows[b]
            spots = [spot(row) for row in (one, other)]
            (r1, geocentric_1, geodetic_1, lambda_1), (r2, geocentric_2, geodetic_2, lambda_2) = spots
            found["latitude"].append((one["latitude_deg"] + other["latitude_deg"]) / 2.0)
            found["planes"].append(float(one["name"].split("/")[0] != other["name"].split("/")[0]))
            found["here"].append(length)
            right = central_angle(geocentric_1, lambda_1, geocentric_2, lambda_2)
            found["right"].append(link_km(r1, r2, right))
            nominal = 6371.0 + 780.0
            found["geodetic"].append(
                link_km(nominal, nominal, central_angle(geodetic_1, lambda_1, geodetic_2, lambda_2))
            )
            swapped = central_angle(lambda_1, geocentric_1, lambda_2, geocentric_2)
            found["swapped"].append(link_km(r1, r2, swapped))
    return found


def spot(row: dict[str, Any]) -> tuple[float, float, float, float]:
    """Distance from the centre in km, and geocentric latitude, geodetic latitude and longitude in rad."""
    radius = math.hypot(row["x_km"], row["y_km"], row["z_km"])
    geocentric = math.asin(row["z_km"] / radius)
    return radius, geocentric, math.radians(row["latitude_deg"]), math.radians(row["longitude_deg"])


def draw_triangle() -> st.Figure:
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
    found = link_lengths(range(0, REVOLUTION_S, 150))
    latitude, here, planes = (np.asarray(found[name]) for name in ("latitude", "here", "planes"))
    for other, label, colour in ((0.0, "in a plane", plots.COLOURS[0]), (1.0, "between planes", plots.COLOURS[2])):
        mask = planes == other
        lengths.scatter(latitude[mask], here[mask], s=5, color=colour, label=label, rasterized=True, linewidths=0)
    lengths.plot(*neighbours(), color="#555555", linestyle="--", linewidth=1.0, label="paper's formula")
    lengths.set(title="Iridium over a revolution", xlabel="mean latitude (°)", ylabel="km", ylim=(0, 5000))
    lengths.legend(fontsize="small", loc="lower center")
    return figure


def neighbours() -> tuple[list[float], list[float]]:
    """Mean latitude in degrees and link length by the paper's formula: planes 31.6° apart, offset by half a slot."""
    tilt, radius = math.radians(86.4), 6378.137 + 780.0
    latitudes, lengths = [], []
    for step in range(-100, 101):
        spots = []
        for node, ahead in ((0.0, 0.0), (31.6, -180.0 / 11.0)):
            u = math.radians(step * 0.6 + ahead)
            phi = math.asin(math.sin(tilt) * math.sin(u))
            spots.append((phi, math.radians(node) + math.atan2(math.cos(tilt) * math.sin(u), math.cos(u))))
        latitudes.append(math.degrees(spots[0][0] + spots[1][0]) / 2.0)
        lengths.append(link_km(radius, radius, central_angle(*spots[0], *spots[1])))
    return latitudes, lengths


@st.reads(
    id="H-12",
    place="Figure 1 and the formulas of α, l and D, section 3.2.1",
    what="distance between two satellites, computed from latitude, longitude and altitude",
    says="α follows from the spherical law of cosines, and l from the plane law of cosines",
)
def read_distance(_: st.Runs) -> st.Finding:
    found = {name: np.asarray(values) for name, values in link_lengths(range(0, REVOLUTION_S, 150)).items()}
    off = {name: np.abs(found[name] - found["here"]) for name in ("right", "geodetic", "swapped")}
    within, between = found["here"][found["planes"] == 0.0], found["here"][found["planes"] == 1.0]
    words = {
        "right": "φ geocentric latitude, λ longitude, true distances from the centre",
        "geodetic": "φ geodetic latitude (as STK prints), R = 6371 km, H = 780 km",
        "swapped": "symbols in the order of the text: λ latitude, φ longitude",
    }
    rows = [[words[name], f"{values.max():.3f}", f"{values.mean():.3f}"] for name, values in off.items()]
    return st.found(
        f"If φ is the latitude, the error of the formula is at most {off['right'].max():.0e} km. We use this "
        "reading. With the symbols in the order of the text (λ latitude, φ longitude), the error is up to "
        f"{off['swapped'].max():,.0f} km. Links in a plane are {within.mean():.0f} km long, and links between planes "
        f"{between.min():.0f} to {between.max():.0f} km",
        st.claim(
            "largest difference between the formula and the simulator's link lengths over a revolution",
            bp.fixed(float(off["right"].max())),
            st.equals(0.0, "km", 6, within=0.5, check=True),
        ),
        st.Sheet(
            f"Error of the paper's formula for the length of {len(within) + len(between)} links",
            ("reading", "largest km", "mean km"),
            rows,
        ),
        st.Picture("Figure 1, and the lengths of Iridium's links by its formula", draw_triangle()),
    )


def draw_propagation(sky: tuple[plots.Floats, ...], pings: tuple[plots.Floats, ...]) -> st.Figure:
    figure, (above, below) = plots.new(2, 1, height=2.2)
    times, whole, between = sky
    above.plot(times / 60.0, whole, color=plots.COLOURS[0], linewidth=1.1, label="T_PD with up- and downlink")
    above.plot(times / 60.0, between, color=plots.COLOURS[1], linewidth=1.1, label="links between satellites alone")
    above.set(title="Berkeley to Boston, one revolution", ylabel="2D/c (ms)", xlabel="minutes", ylim=(0, 130))
    above.legend(fontsize="small", ncols=2, loc="upper right")
    at, measured, there = pings
    below.plot(at, measured, color=plots.COLOURS[2], linewidth=1.4, label="pings")
    below.plot(at, there, color="#555555", linewidth=1.0, linestyle="--", label="paper: 2D/c")
    below.set(title="Pings without other traffic", xlabel="s", ylabel="ms", ylim=(0, 130))
    below.legend(fontsize="small", ncols=2, loc="upper right")
    return figure


def plan_ping(_: st.Effort) -> st.Plan:
    return {
        ("ping",): bp.Scenario(
            name="pings from Berkeley to Boston",
            duration="600 s",
            seed=1,
            network=bp.Constellation(
                preset="iridium",
                offset=f"{sky_offset_s(1)} s",
                isl=bp.Isl(rate="25 Mbit/s"),
                user_link=bp.UserLink(rate="100 Mbit/s"),
            ),
            tcp=BARE,
            flows=[bp.Flow(kind="ping", from_="Berkeley", to="Boston", interval="100 ms")],
            record=bp.Record(interval="2 s", events=False),
        )
    }


@st.reads(
    id="H-13",
    place="T_PD = 2D/c, sections 3.2.1 and 3.2.2",
    what="propagation delay of the path over time",
    says="Round trips change constantly because satellites move",
    plan=plan_ping,
)
def read_propagation(runs: st.Runs) -> st.Finding:
    sky = bp.constellation("iridium")
    step = 20
    table = sky.path("Berkeley", "Boston", duration=f"{REVOLUTION_S} s", step=f"{step} s").arrow
    times = plots.column(table, "time_s")
    whole, between = plots.column(table, "propagation_rtt_ms"), 2.0 * plots.column(table, "isl_ms")
    switches = len(sky.switches("Berkeley", "Boston", duration=f"{REVOLUTION_S} s")) - 1
    drift = np.abs(plots.column(table, "rtt_rate_us_s"))
    ping = runs["ping",]
    seen, there = (st.series(ping, name) for name in ("rtt_ms", "propagation_rtt_ms"))
    rest = seen[1] - there[1]
    calm = np.abs(np.diff(there[1], prepend=np.nan)) < 1.0  # leave out the interval in which the path changes
    ranges = {"with up- and downlink": whole, "links between satellites alone, as printed": between}
    ranges["pings minus T_PD (transmission)"] = rest[calm & ~np.isnan(rest)]
    rows = [[name, *(f"{v:.2f}" for v in (at.min(), at.mean(), at.max()))] for name, at in ranges.items()]
    return st.found(
        f"In a revolution, the propagation delay 2D/c is {whole.min():.0f} to {whole.max():.0f} ms, with a mean of "
        f"{whole.mean():.0f} ms. The path changes {switches} times ({switches * 3600 / REVOLUTION_S:.0f} per hour), "
        f"and 2D/c drifts by up to {drift.max():.0f} µs/s. The paper's sum D contains only inter-satellite links. "
        f"The omitted up- and downlinks take {(whole - between).min():.0f} to {(whole - between).max():.0f} ms, and "
        "changes of this delay would count as queueing delay",
        st.claim(
            "largest minus smallest propagation delay 2D/c in a revolution (“constant change” of round trips)",
            bp.fixed(float(whole.max() - whole.min())),
            st.above("ms", check=True),
        ),
        st.Sheet("Delays over a revolution, ms", ("delay", "least", "mean", "largest"), rows),
        st.Picture(
            ("Propagation delay T_PD = 2D/c over time"), draw_propagation((times, whole, between), (*seen, there[1]))
        ),
    )


#: The ways in which a controller computes the queueing delay.
WAYS: dict[str, dict[str, bool | str]] = {
    "T_QD, min(T_NPD) since the start": {"oracle": True, "min_npd_window": "24 h"},
    "T_QD, min(T_NPD) of 30 s": {"oracle": True},
    "RTT minus its minimum since the start": {"oracle": False, "min_npd_window": "24 h"},
    "RTT minus its minimum of 30 s": {"oracle": False},
}


def printed(way: str) -> str:
    """Return the printed name of a way. With T_PD, the minimum begins again at each step of T_PD."""
    return way.replace("min(T_NPD) since the start", "min(T_NPD) since the last step of T_PD")


def sky_ways(effort: st.Effort) -> dict[str, dict[str, bool | str]]:
    """Return all ways; in a first look, only the ways with a minimum since the start."""
    return {way: parameters for way, parameters in WAYS.items() if not effort.quick or way.endswith("start")}


def estimates(run: bp.Run, flow: int) -> tuple[plots.Floats, plots.Floats, plots.Floats]:
    """Times in s, the true queueing delay of a flow's data, and the controller's estimate of it, in ms.

    The estimate at a time belongs to the packet with the newest ACK, which arrived half a propagation round trip
    before.
    """
    (times, waited), (_, there) = st.series(run, "queueing_delay_ms", flow), st.series(run, "propagation_rtt_ms", flow)
    at, estimate = st.snapshot(run, "queueing_delay_ms", flow)
    arrived = np.searchsorted(times, times - there / 2000.0)
    newest = np.searchsorted(at, times + 1e-9) - 1
    known = (newest >= 0) & ~np.isnan(there)
    known[known] &= ~np.isnan(waited[arrived[known]])
    return times[known], waited[arrived[known]], estimate[newest[known]]


def errors_of(run: bp.Run) -> tuple[float, float, float]:
    """Bias and root mean square of the estimate's error in ms, and its correlation with the true delay."""
    parts = [estimates(run, flow) for flow in range(T2.flows)]
    truth, estimate = (np.concatenate([part[at] for part in parts]) for at in (1, 2))
    error = estimate - truth
    return float(error.mean()), float(np.sqrt(np.mean(error**2))), float(np.corrcoef(estimate, truth)[0, 1])


def switches_of(run: bp.Run) -> int:
    """The number of jumps of the propagation delay by more than 1 ms."""
    _, there = st.series(run, "propagation_rtt_ms")
    return int(np.sum(np.abs(np.diff(there[~np.isnan(there)])) > 1.0))


def draw_queueing(runs: st.Runs) -> st.Figure:
    ways = [way for way in WAYS if way.endswith("start")]
    figure, (above, below) = plots.new(2, 1, height=2.4)
    busiest = int(np.argmax([switches_of(run) for run in runs.of(ways[0])]))
    for way, colour in zip(reversed(ways), (plots.COLOURS[1], plots.COLOURS[0]), strict=True):
        times, truth, estimate = estimates(runs.of(way)[busiest], 0)
        step = slice(None, None, max(1, len(times) // 1500))
        above.plot(times[step], (estimate - truth)[step], color=colour, label=printed(way), linewidth=0.8)
    times, there = st.series(runs.of(ways[0])[busiest], "propagation_rtt_ms")
    below.plot(times[::25], there[::25], color="#555555", linewidth=1.2)
    above.set(
        title=("Estimated minus true queueing delay of one flow, in the run with the most path changes"), ylabel="ms"
    )
    above.legend(fontsize="small", ncols=2, loc="lower right")
    below.set(title="propagation delay alone, 2D/c", xlabel="s", ylabel="ms", ylim=(0, None))
    return figure


@st.reads(
    id="H-14",
    place="RTT = T_PD + T_NPD, T_QD = T_NPD - min(T_NPD), section 3.2.2",
    what="queueing delay, computed as the rest of the RTT",
    says="RTT cannot reflect congestion accurately; T_QD can",
    plan=lambda effort: {
        (way, seed): scenario(
            T2,
            PERS[0],
            {**HYBLA_IM, **parameters},
            seed,
            name=f"hybla-im, {way}",
            duration=effort.pick("150 s", "300 s"),
            record=bp.Record(interval="40 ms", events=False),
        )
        for (way, parameters), seed in product(sky_ways(effort).items(), effort.seeds)
    },
)
def read_queueing(runs: st.Runs) -> st.Finding:
    errors = {way: [errors_of(run) for run in runs.of(way)] for way in sky_ways(runs.effort)}
    rms = {way: [values[1] for values in found] for way, found in errors.items()}
    rows = [
        [printed(way), *(bp.estimate([values[place] for values in found]).text(2) for place in range(3))]
        for way, found in errors.items()
    ]
    switches = [switches_of(run) for run in runs.of(next(iter(rms)))]
    pairs = [(way, f"RTT minus its minimum {way.split(') ')[1]}") for way in rms if way.startswith("T_QD")]
    ends = " and ".join(
        f"{bp.estimate(rms[way]).text(2)} ms {how}"
        for way, how in zip([way for way in rms if way.endswith("start")], ("with", "without"), strict=True)
    )
    return st.found(
        "A controller that does not know the orbits mistakes each change to a longer path for a queue, until it "
        f"forgets the smallest RTT. The path changes {min(switches)} to {max(switches)} times in a run. The RMS "
        f"error of the estimated queueing delay is {ends} the propagation delay from the orbits. On a fixed path, "
        "both errors would be equal",
        *(
            st.claim(
                f"RMS error of {without}, compared with the RMS error of {printed(way)}, T2",
                doublings(rms[without], rms[way]),
                st.above("doublings"),
            )
            for way, without in pairs
        ),
        st.Sheet(
            "T2, PER 1e-4: estimates of the queueing delay, compared with the true queueing delay",
            ("estimate", "bias ms", "RMS ms", "correlation"),
            rows,
        ),
        st.Picture(
            "Errors of the estimated queueing delay, with and without the propagation delay from the orbits",
            draw_queueing(runs),
        ),
        "The true queueing delay is the mean over those packets of a flow that arrived in an interval of 40 ms. This "
        "interval is half a propagation round trip before the ACK that gave the estimate. The queueing delay of the "
        "ACKs is part of the error.",
        "If the controller knows T_PD, min(T_NPD) starts again when T_PD changes by more than 1 ms, because the "
        "transmission times depend on the number of links.",
    )
