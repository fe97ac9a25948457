# SPDX-License-Identifier: MIT OR Apache-2.0
"""The benefit of normalising: rates independent of the round trip, and a fast start (H-05 to H-09)."""

from __future__ import annotations

import math
from itertools import product

import numpy as np
import pyarrow.compute as pc

import bentpipe as bp
from bentpipe import plots
from bentpipe import study as st
from bentpipe_papers.hybla_im.bed import HYBLA, PACKET_BITS, REVOLUTION_S, SIZES, dumbbell, rtt_ms
from bentpipe_papers.hybla_im.rows_equations import (
    RTT0_MS,
    THRESHOLD,
    TYPICAL_MS,
    alone,
    avoidance,
    curve,
    first_ack,
    with_losses,
)

SEGMENT_BITS = 8 * SIZES[0]
LOSSES = 1e-4
#: Times in s at which lossless rates are compared. Claims use two of them.
MOMENTS_S = (1.0, 2.0, 5.0, 10.0, 20.0)
CLAIMED_S = (5.0, 20.0)


def lossless(runs: st.Runs) -> dict[float, tuple[plots.Floats, plots.Floats]]:
    """Times in s, and the window divided by the propagation round trip in segments/s, by round trip in ms."""
    rates = {}
    for rtt in TYPICAL_MS:
        times, window = plots.over_time(runs["lossless", rtt].flows, "cwnd_segments")
        rates[rtt] = (times, window / (rtt / 1000.0))
    return rates


def draw_rates(runs: st.Runs) -> st.Figure:
    figure, (left, right) = plots.new(1, 2, height=3.2)
    for colour, (rtt, (times, rate)) in zip(plots.COLOURS, lossless(runs).items(), strict=False):
        left.plot(times, rate / 1000.0, color=colour, label=f"RTT {rtt:g} ms", linewidth=1.3)
    model = curve(RTT0_MS, MOMENTS_S[-1], 100.0)
    left.plot(
        model["time_s"],
        model["hybla_rate_segments_s"] / 1000.0,
        color="#555555",
        linestyle="--",
        linewidth=1.0,
        label="paper, equation 5",
    )
    left.set(title="Without losses", xlabel="s", ylabel="W / RTT (1000 segments/s)", ylim=(0, None))
    left.legend(fontsize="small", loc="best")
    where = np.arange(len(TYPICAL_MS), dtype=np.float64)
    for shift, name, colour in ((-0.2, "hybla", plots.COLOURS[1]), (0.2, "reno", plots.COLOURS[2])):
        means = [bp.estimate(st.goodput(runs.of("losses", name, rtt))) for rtt in TYPICAL_MS]
        heights = [mean.mean for mean in means]
        right.bar(where + shift, heights, 0.38, yerr=[m.half_width for m in means], label=name, color=colour, capsize=3)
    law = math.sqrt(1.5 / LOSSES) / (RTT0_MS / 1000.0) * SEGMENT_BITS / 1e6
    right.axhline(law, color="#555555", linestyle="--", linewidth=1.0, label="√(1.5/p) / RTT0")
    right.set_xticks(where, [f"{rtt:g} ms" for rtt in TYPICAL_MS])
    right.set(title="PER 1e-4, 95 % intervals", ylabel="goodput (Mbit/s)")
    right.set_ylim(0, 1.25 * right.get_ylim()[1])
    right.legend(fontsize="small", ncols=3, loc="upper right")
    return figure


@st.reads(
    id="H-05",
    place="equation 5, section 2",
    what="Hybla's rate over round trips of 25 to 550 ms",
    says="The rate does not depend on the round trip",
    plan=lambda effort: {
        **{
            ("lossless", rtt): alone(
                THRESHOLD, rtt, "lossless, gamma 32", "20.1 s", bp.Record(interval="100 ms", events=False)
            )
            for rtt in TYPICAL_MS
        },
        **with_losses(effort),
        **with_losses(effort, "hybla"),
    },
)
def read_rates(runs: st.Runs) -> st.Finding:
    rates = lossless(runs)
    at = {
        moment: {rtt: float(rate[np.searchsorted(times, moment - 1e-9)]) for rtt, (times, rate) in rates.items()}
        for moment in MOMENTS_S
    }
    spread = {moment: 100.0 * (max(these.values()) / min(these.values()) - 1.0) for moment, these in at.items()}
    good = {rtt: st.goodput(runs.of("losses", "hybla", rtt)) for rtt in TYPICAL_MS}
    reno = {rtt: st.goodput(runs.of("losses", "reno", rtt)) for rtt in TYPICAL_MS}
    changes = {rtt: bp.relative_change(good[rtt], good[RTT0_MS]) for rtt in TYPICAL_MS[1:]}
    rows = [
        [
            f"{rtt:g}",
            *(f"{at[moment][rtt]:.0f}" for moment in MOMENTS_S),
            bp.estimate(good[rtt]).text(1),
            "–" if rtt == RTT0_MS else st.change_text(changes[rtt]),
            bp.estimate(reno[rtt]).text(2),
            f"{np.mean(good[rtt]) / np.mean(reno[rtt]):.1f}",
        ]
        for rtt in TYPICAL_MS
    ]
    head = ["RTT ms", *(f"{moment:g} s" for moment in MOMENTS_S), "PER 1e-4: Hybla Mbit/s", "against 25 ms"]
    head += ["Reno Mbit/s", "Hybla / Reno"]
    longest = TYPICAL_MS[-1]
    flight = float(np.mean(good[longest])) * 1e6 / SEGMENT_BITS * longest / 1000.0
    lag = ", ".join(f"{spread[moment]:.0f} % at {moment:g} s" for moment in MOMENTS_S)
    return st.found(
        "On a long path, growth starts one or two of its round trips later. The relative difference between the "
        f"rates of the paths becomes smaller with time: it is {spread[CLAIMED_S[0]]:.0f} % at {CLAIMED_S[0]:g} s, "
        f"{spread[CLAIMED_S[1]]:.0f} % at {CLAIMED_S[1]:g} s, and small after a minute. With losses, each repair "
        "takes a round trip without growth, so the goodput at 550 ms and PER 1e-4 is "
        f"{st.change_text(changes[550.0])} compared with 25 ms. Equation 5 does not model losses",
        *(
            st.claim(
                f"largest divided by smallest W/RTT of paths from 25 to 550 ms, minus 1, at {moment:g} s without "
                "losses",
                bp.fixed(spread[moment]),
                st.equals(0.0, within=5.0),
            )
            for moment in CLAIMED_S
        ),
        *(
            st.claim(
                f"goodput of Hybla at {rtt:g} ms compared with 25 ms, PER 1e-4", change, st.equals(0.0, within=5.0)
            )
            for rtt, change in changes.items()
        ),
        st.Sheet("Hybla's rate without losses (segments/s after a time in s), and its goodput at PER 1e-4", head, rows),
        st.Picture(
            ("Hybla's rate over round trips of 25 to 550 ms, by equation 5 and in the simulator"), draw_rates(runs)
        ),
        f"Without losses, the rate of the fastest path exceeds that of the slowest path by {lag}. At PER 1e-4 and "
        f"550 ms, {flight:.0f} segments are in flight on average, and one segment is lost every "
        f"{1.0 / (LOSSES * flight):.1f} round trips.",
        f"In a steady state, Reno's rate is proportional to 1/RTT and falls by a factor of {longest / RTT0_MS:g} "
        "from 25 to 550 ms. Hybla (equation 5) should remove this effect. In our runs, Reno's goodput falls by a "
        f"factor of {np.mean(reno[RTT0_MS]) / np.mean(reno[longest]):.1f}: with only "
        f"{np.mean(st.lost_packets(runs.of('losses', 'reno', longest), 'error')):.1f} losses in a run at 550 ms, "
        "Reno does not reach a steady state.",
    )


def plan_increments(_: st.Effort) -> st.Plan:
    starts: dict[st.Key, bp.Scenario] = {("first", rtt): first_ack(rtt) for rtt in TYPICAL_MS}
    return {**starts, **{("avoidance", rtt): avoidance(rtt) for rtt in TYPICAL_MS}}


def slow_start_increment(run: bp.Run) -> float:
    return float(plots.over_time(run.flows, "cwnd_segments")[1][-1]) - 1.0


def avoidance_increment(run: bp.Run) -> float:
    """Increment per ACK in avoidance, times the window: half of the growth of the window's square per ACK."""
    times, window = plots.over_time(run.flows, "cwnd_segments")
    packets = run.packets.arrow
    arrived = pc.and_(pc.equal(packets["kind"], "ack"), pc.equal(packets["event"], "deliver"))
    at = plots.column(packets.filter(pc.and_(arrived, pc.is_null(packets["link"]))), "time_s")
    first, last = np.searchsorted(times, 1.1 - 1e-9), len(times) - 1
    acks = int(np.sum((at > times[first]) & (at <= times[last])))
    return float(window[last] ** 2 - window[first] ** 2) / (2.0 * acks)


def formula(what: str, paper: float, measured: float, unit: str) -> st.Claim:
    # A formula must hold within a thousandth: RTT samples are 8 µs longer, by the transmission of the packet and the
    # ACK.
    return st.claim(what, bp.fixed(measured), st.equals(paper, unit, 3, within=abs(paper) / 1000.0, check=True))


def by_the_model() -> dict[float, tuple[float, float]]:
    table = bp.model("hybla-increments", rho=[rtt / RTT0_MS for rtt in TYPICAL_MS]).table
    columns = (table["slow_start_segments"], table["avoidance_times_window_segments2"])
    return dict(zip(TYPICAL_MS, zip(*columns, strict=True), strict=True))


def measure_increments(runs: st.Runs) -> dict[float, tuple[float, float]]:
    return {
        rtt: (slow_start_increment(runs["first", rtt]), avoidance_increment(runs["avoidance", rtt]))
        for rtt in TYPICAL_MS
    }


@st.reads(
    id="H-06",
    place="equation 6, section 2",
    what="what an ACK adds to the window",
    says="An ACK adds 2^ρ - 1 in slow start and ρ²/W in avoidance",
    plan=plan_increments,
)
def read_increments(runs: st.Runs) -> st.Finding:
    measured, model = measure_increments(runs), by_the_model()
    rows, found = [], []
    for rtt, (start, times_w) in measured.items():
        rho, (start_by_6, times_w_by_6) = rtt / RTT0_MS, model[rtt]
        increments = [f"{start_by_6:,.0f}", f"{start:,.3f}", f"{times_w_by_6:g}", f"{times_w:.3f}"]
        rows.append([f"{rtt:g}", f"{rho:g}", *increments])
        if rtt in TYPICAL_MS[1:3]:  # the ends of the range belong to equation 7, row H-08
            found += [
                formula(f"slow start at ρ = {rho:g}: 2^ρ - 1", start_by_6, start, "segments"),
                formula(f"avoidance at ρ = {rho:g}: W · increment = ρ²", times_w_by_6, times_w, "segments"),
            ]
    head = ("RTT ms", "ρ", "2^ρ - 1", "measured, segments per ACK", "ρ²", "measured, segments per ACK times W")
    return st.found(
        "In the simulator, the first ACK adds to a window of one segment what equation 6 says, and so do the ACKs in "
        "one second of avoidance. We read the printed 2^p as 2^ρ",
        *found,
        st.Sheet("Increments by equation 6 and in the simulator, at the round trips of Table 1", head, rows),
    )


@st.reads(
    id="H-08",
    place="equation 7, section 3.1",
    what="range of the increments between 25 and 550 ms",
    says="The increments are 1 to 2^22 - 1 in slow start, and 1/W to 484/W in avoidance",
    plan=plan_increments,
)
def read_range(runs: st.Runs) -> st.Finding:
    measured = measure_increments(runs)
    (least, least_times_w), (most, most_times_w) = measured[RTT0_MS], measured[TYPICAL_MS[-1]]
    return st.found(
        f"At 550 ms, one ACK in slow start adds {most:,.0f} segments ({most / 1e6:.1f} GB); a path of 10 Mbit/s "
        f"holds {BDP_SEGMENTS:.0f} segments. At ρ = 22 the first ACK therefore overflows any buffer, as the paper "
        "warns, unless a threshold stops the growth. The threshold ργ stops it, but the paper gives no γ (rows H-10 "
        "and H-21 are about ρ near 2)",
        formula("slow start at 25 ms (ρ = 1): smallest increment", 1.0, least, "segments"),
        formula("slow start at 550 ms (ρ = 22): largest increment, 2^22 - 1", 4194303.0, most, "segments"),
        formula("avoidance at 25 ms: W · increment", 1.0, least_times_w, "segments"),
        formula("avoidance at 550 ms: W · increment", 484.0, most_times_w, "segments"),
    )


def slant_range_km(altitude_km: float, elevation_deg: float, earth_km: float = 6371.0) -> float:
    up = math.radians(elevation_deg)
    return math.sqrt((earth_km + altitude_km) ** 2 - (earth_km * math.cos(up)) ** 2) - earth_km * math.sin(up)


def bent_pipe_ms(slant_km: float) -> float:
    return 4.0 * slant_km / 299_792.458 * 1000.0


#: Lowest elevation considered, degrees.
LOWEST_DEG = 10.0
#: Table 1 prints “typical” round trips in multiples of 50 ms, so the tolerance is half of this step.
TYPICAL_STEP_MS = 50.0
#: Classes of orbits: lowest and highest altitude in km, and the paper's round trip in ms.
CLASSES = (("LEO", (300.0, 2000.0), 50.0), ("MEO", (8062.0, 20200.0), 250.0), ("GEO", (35786.0, 35786.0), 550.0))


@st.reads(
    id="H-07", place="Table 1, section 3.1", what="typical round trips of LEO, MEO and GEO", says="50, 250 and 550 ms"
)
def read_table_1(_: st.Runs) -> st.Finding:
    found, rows, ranges = [], [], []
    for name, (low, high), paper in CLASSES:
        least = bent_pipe_ms(low)
        most = bent_pipe_ms(slant_range_km(high, LOWEST_DEG))
        altitudes = f"{low:,.0f} km" if low == high else f"{low:,.0f} to {high:,.0f} km"
        rows.append([name, altitudes, f"{least:.0f} to {most:.0f}", f"{paper:g}"])
        ranges.append((rows[-1], (least, most), paper))
        found += [
            st.claim(
                f"{end} round trip over one {name} satellite, which must not be {more} than the typical round trip",
                bp.fixed(trip),
                # The least is the orbit's height alone, whatever is chosen.
                st.Statement(
                    unit="ms", paper=paper, sign=sign, tolerance=TYPICAL_STEP_MS / 2.0, bound=True, check=sign < 0
                ),
                note=f"From geometry, the round trip is {least:.0f} to {most:.0f} ms",
            )
            for end, more, trip, sign in (("least", "longer", least, -1), ("longest", "shorter", most, 1))
        ]
    path = bp.path("Berkeley", "Boston", constellation="iridium", duration=f"{REVOLUTION_S} s", step="20 s")
    over = [float(rtt) for rtt in path["propagation_rtt_ms"] if rtt is not None]
    rows.append(["Berkeley to Boston", "Iridium, 780 km", f"{min(over):.0f} to {max(over):.0f}", "–"])
    outside = [
        f"{row[0]}'s {paper:g} ms ({'longest' if paper > high else 'least'} here {high if paper > high else low:.0f})"
        for row, (low, high), paper in ranges
        if not low - TYPICAL_STEP_MS / 2.0 <= paper <= high + TYPICAL_STEP_MS / 2.0
    ]
    return st.found(
        (
            f"Propagation delays with satellites at least {LOWEST_DEG:g}° above the horizon do not explain "
            f"{', '.join(outside)}"
            if outside
            else (
                "Each value of Table 1 equals a propagation delay over one satellite, within half of the table's step "
                "of 50 ms"
            )
        )
        + f" ({'; '.join(f'{row[0]} {row[2]} ms' for row, _, _ in ranges)}). The paper's own path over Iridium takes "
        f"{min(over):.0f} to {max(over):.0f} ms, with a mean of {np.mean(over):.0f} ms",
        *found,
        st.Sheet(
            "Round trips over one satellite, computed from geometry, ms",
            ("orbit", "altitude", "from geometry", "Table 1"),
            rows,
        ),
        "A round trip over one satellite at altitude h takes 4 h/c if the satellite is in the zenith, and longer at "
        f"lower elevations. The paper gives no lowest elevation for Table 1; we use {LOWEST_DEG:g}°. With a "
        f"satellite at the horizon, a GEO round trip takes {bent_pipe_ms(slant_range_km(35786.0, 0.0)):.0f} ms. MEO "
        "ranges from O3b to the navigation satellites.",
    )


GEO_MS = 550.0
GEO_MBIT_S = 10.0
#: Bandwidth-delay product in packets.
BDP_SEGMENTS = GEO_MBIT_S * 1e6 * GEO_MS / 1000.0 / PACKET_BITS
FILLED = 0.9


def filled_s(run: bp.Run, capacity_mbit_s: float) -> float:
    """Time in s at which the goodput first reaches nine tenths of the capacity."""
    times, rate = plots.over_time(run.flows, "goodput_mbit_s")
    reached = np.flatnonzero(rate >= FILLED * capacity_mbit_s)
    return float(times[reached[0]]) if reached.size else math.nan


def draw_start(runs: st.Runs) -> st.Figure:
    figure, (left, right) = plots.new(1, 2, height=3.0)
    for axis, per, title in ((left, 0.0, "without losses"), (right, LOSSES, "PER 1e-4")):
        for name, colour in (("reno", plots.COLOURS[2]), ("hybla", plots.COLOURS[1])):
            times, window = plots.over_time(runs.of(name, per)[0].flows, "cwnd_segments")
            axis.plot(times, window, color=colour, label=name, linewidth=1.2)
        axis.axhline(BDP_SEGMENTS, color="#555555", linestyle="--", linewidth=1.0, label="bandwidth · delay")
        axis.set(title=f"GEO, {title}, first seed", xlabel="s", ylim=(0, None))
    left.set(ylabel="cwnd (segments)")
    left.legend(fontsize="small", loc="best")
    return figure


@st.reads(
    id="H-09",
    place="section 3",
    what="Reno over a geostationary path",
    says="On a geostationary path, Reno's window grows slowly, and Hybla's grows rapidly",
    plan=lambda effort: {
        (name, per, seed): dumbbell(
            HYBLA if name == "hybla" else name,
            rtt_ms(GEO_MS, seed),
            seed,
            rate=f"{GEO_MBIT_S:g} Mbit/s",
            name=f"GEO, {name}, PER {per:g}",
            duration="120 s" if per else "30 s",
            per=per or None,
            record=None if per and seed != effort.seeds[0] else bp.Record(interval="500 ms", events=False),
        )
        for name, per, seed in product(("reno", "hybla"), (0.0, LOSSES), effort.seeds)
    },
)
def read_start(runs: st.Runs) -> st.Finding:
    payload = GEO_MBIT_S * SIZES[0] / sum(SIZES)
    until = {name: [filled_s(run, payload) for run in runs.of(name, 0.0)] for name in ("reno", "hybla")}
    good = {name: st.goodput(runs.of(name, LOSSES)) for name in ("reno", "hybla")}
    slower = bp.relative_change(until["reno"], until["hybla"])
    less = bp.relative_change(good["hybla"], good["reno"])
    return st.found(
        f"Reno needs {bp.estimate(until['reno']).text(1)} s to fill 10 Mbit/s, and Hybla "
        f"{bp.estimate(until['hybla']).text(1)} s (samples every 0.5 s). After a loss, Reno's window grows by one "
        f"segment per round trip. It needs {BDP_SEGMENTS / 2:.0f} round trips of {GEO_MS / 1000:g} s until it has "
        f"{BDP_SEGMENTS:.0f} segments again. Hybla's goodput at PER 1e-4 compared with Reno's is therefore "
        f"{st.change_text(less)}",
        st.claim("time until a flow uses 90 % of the link, Reno compared with Hybla", slower, st.above()),
        st.claim("goodput in 120 s at PER 1e-4, Hybla compared with Reno", less, st.above()),
        st.Picture("Windows over a geostationary path of 10 Mbit/s", draw_start(runs)),
    )
