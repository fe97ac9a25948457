# SPDX-License-Identifier: MIT OR Apache-2.0
"""The network below the flows: constellations, changing paths, round trips and distance (G-01, G-02, G-04, G-09)."""

from __future__ import annotations

import numpy as np

import bentpipe as bp
from bentpipe import plots
from bentpipe import study as st
from bentpipe_papers.leo_study import bed
from bentpipe_papers.leo_study.bed import SHELL, WASHINGTON
from bentpipe_papers.leo_study.pairs import shade

#: Hypatia's three shells.
SHELLS = (SHELL, "hypatia-starlink-550", "hypatia-telesat-1015")
#: Round trips that the slides print, ms.
PAPER_MS = {origin: rtt_ms for origin, (_, rtt_ms) in bed.PATHS.items()}
#: Round trip of light in vacuum over a kilometre, in ms.
MS_PER_KM = 2.0 / 299.792458
ROUTES = (
    ("Wuhan", "Washington"),
    ("Toronto", "Washington"),
    ("Wuhan", "Madrid"),
    ("Tehran", "Madrid"),
    ("Rio de Janeiro", "Saint Petersburg"),
)
CITIES = 100
#: Paths shorter than the first distance are compared with paths longer than the second, in km.
_NEAR_KM, _FAR_KM = 1000.0, 5000.0


@st.reads(
    id="G-01",
    place="Hypatia; Overview",
    what="the simulator and its constellations",
    says="Hypatia simulates satellite networks packet by packet on ns-3, and does not analyse competing flows",
)
def read_constellations(_: st.Runs) -> st.Finding:
    lines = []
    for name in SHELLS:
        sky = bp.constellation(name)
        shell = sky.facts["shells"][0]
        met = bp.bottlenecks(bed.competing(WASHINGTON, "reno", 1, shell=name))
        trips = [f"{met[key][0]:.1f}" if len(met) else "–" for key in ("long_rtt_ms", "short_rtt_ms")]
        lines.append(
            [
                name,
                f"{sky.facts['satellites']}",
                f"{shell['planes']}",
                f"{shell['altitude_km']:.0f}",
                f"{shell['inclination_deg']:.1f}",
                f"{sky.facts['max_slant_range_km']:.0f}",
                f"{met['shared_s'][0]:.0f}" if len(met) else "0",
                *trips,
            ]
        )
    head = st.heads(
        "shell | satellites | planes | altitude, km | inclination, ° | reach of a site, km | time in 200 s in which "
        "both paths share a link | 2D/c from Wuhan in this time, ms | from Toronto, ms"
    )
    return st.found(
        "The slides describe Hypatia and do not name the shell. In the first 200 s, the slides' two paths share a "
        "link for "
        + ", ".join(f"{line[6]} s over {line[0]}" for line in lines)
        + f". All other runs here are therefore over {SHELL}. The slides say that Hypatia does not analyse competing "
        "flows, but one of its experiments does",
        st.claim(
            "number of experiments with competing flows in Hypatia's own files",
            bp.fixed(1.0),
            st.equals(0.0, "experiments", 0, within=0.5),
            note=(
                "The slides say “Hypatia does not analyse competing flows”. snkas/hypatia 0ac531c has one experiment "
                "with two flows, two_compete. We counted the experiments by hand"
            ),
        ),
        st.Sheet("Hypatia's shells in Bentpipe, at their epoch", head, lines),
        "We use Hypatia's defaults: every link has 10 Mbit/s and 100 packets, and routes change every 100 ms. Packets "
        "that wait for a link that disappears take the new route.",
        "In Bentpipe, competing flows are an ordinary scenario. Hypatia's files have one experiment with two flows "
        "(two_compete).",
    )


@st.reads(
    id="G-02",
    place="Features of LEO Satellite Network",
    what="mobility, predictability, size",
    says="The network has a mobile core, is predictable, and has thousands of switches and a capacity of Tbps",
)
def read_features(runs: st.Runs) -> st.Finding:
    hours = runs.effort.pick("600 s", "3600 s")
    seconds = float(hours.split()[0])
    sky = bp.constellation(SHELL)
    lines, changes = [], []
    for origin, to in ROUTES:
        table = sky.switches(origin, to, duration=hours)
        after, before = plots.column(table.arrow, "propagation_rtt_ms"), plots.column(table.arrow, "rtt_before_ms")
        jumps = np.abs(after - before)[1:]
        changes.append((len(table) - 1) * 3600.0 / seconds)
        rtt = plots.column(sky.path(origin, to, duration=hours, step="5 s").arrow, "propagation_rtt_ms")
        lines.append(
            [
                f"{origin} to {to}",
                f"{changes[-1]:.0f}",
                f"{np.nanmedian(jumps):.1f}",
                f"{np.nanmax(jumps):.1f}",
                f"{np.nanmin(rtt):.1f} to {np.nanmax(rtt):.1f}",
                f"{100.0 * np.isnan(rtt).mean():.1f}",
            ]
        )
    shell = sky.facts["shells"][0]
    links = sum(b < sky.facts["satellites"] for b in sky.links()["b"])
    return st.found(
        f"Satellites move, so a path changes {min(changes):.0f} to {max(changes):.0f} times per hour, always because "
        f"of the orbits (the range rate is up to {shell['range_rate_km_s']:.1f} km/s, and a pass takes at most "
        f"{shell['pass_s']:.0f} s). The shell has {links} inter-satellite links. A capacity of “Tbps” needs more "
        f"than {1e6 / links:.0f} Mbit/s on each of them; the simulated 10 Mbit/s give {links / 100:.0f} Gbit/s in "
        "total",
        st.claim(
            "satellites in Hypatia's largest shell (“thousands of network switches”)",
            bp.fixed(float(bp.constellation("hypatia-starlink-550").facts["satellites"])),
            st.above("satellites", 0, than=1000.0, check=True),
        ),
        st.Sheet(
            f"Paths over {SHELL} in {hours}",
            st.heads(
                "path | changes per hour | median jump of 2D/c, ms | largest, ms | 2D/c, ms | without a path, % "
                "of the time"
            ),
            lines,
        ),
    )


def plan_paths(_: st.Effort) -> st.Plan:
    """Plan runs with echoes only. These runs use no random numbers."""
    flows = [bp.Flow(from_=origin, to=WASHINGTON.to, kind="ping") for origin in (WASHINGTON.long, WASHINGTON.short)]
    return {
        ("pings",): bp.Scenario(
            name="Pings from Wuhan and Toronto to Washington, nothing else",
            duration="200 s",
            network=bp.Constellation(preset=SHELL),
            flows=flows,
            record=bp.Record(interval="1 s", events=False),
        )
    }


def map_and_trips(run: bp.Run) -> st.Figure:
    figure, (chart, trips) = plots.new(1, 2, width=11.0, height=3.6)
    at = bed.sharing(run)[0][0]
    sky = bp.constellation(SHELL)
    satellites, places = sky.satellites(f"{at + 1:g} s").arrow, bed.places()
    coast = plots.coastline()
    number = plots.column(coast.arrow, "line")
    for line in np.unique(number):
        here = number == line
        chart.plot(
            *(plots.column(coast.arrow, f"{axis}_deg")[here] for axis in ("longitude", "latitude")),
            color="#b0b0b0",
            linewidth=0.5,
            rasterized=True,
        )
    for origin, colour in (("Wuhan", plots.COLOURS[0]), ("Toronto", plots.COLOURS[1])):
        # The shell has no gateways, so all nodes between the two cities are satellites, which have the lowest indices.
        way = sky.shortest(origin, WASHINGTON.to, at=f"{at + 1:g} s")["nodes"][0][1:-1]
        lat, lon = (
            np.array([places[origin][axis], *plots.column(satellites, f"{name}_deg")[way], places[WASHINGTON.to][axis]])
            for axis, name in enumerate(("latitude", "longitude"))
        )
        x = np.unwrap(lon, period=360.0)
        for shift in (-360.0, 0.0, 360.0):
            chart.plot(
                x + shift,
                lat,
                "o-",
                color=colour,
                markersize=2.5,
                linewidth=1.4,
                label=f"from {origin}" if shift == 0.0 else None,
            )
    chart.set(
        xlim=(-180, 180),
        ylim=(-60, 85),
        xlabel="longitude (°)",
        ylabel="latitude (°)",
        title=f"the paths at {at:.0f} s",
    )
    chart.legend(fontsize="small", loc="lower left")
    shade(trips, run)
    for flow, (origin, colour) in enumerate((("Wuhan", plots.COLOURS[0]), ("Toronto", plots.COLOURS[1]))):
        times, values = st.series(run, "rtt_ms", flow)
        trips.plot(times, values, color=colour, label=f"ping from {origin}")
        trips.axhline(
            PAPER_MS[origin], linestyle="--", color=colour, linewidth=1.0, label=f"paper, {PAPER_MS[origin]:g} ms"
        )
    trips.set(
        xlabel="s", ylabel="round-trip time (ms)", ylim=(0, 145), xlim=(0, 200), title=("grey: the paths share a link")
    )
    trips.legend(fontsize="small", ncols=2, loc="best")
    return figure


@st.reads(
    id="G-04",
    place="Problem 1: Identify paths; Metrics",
    what="two paths with a common bottleneck and very different round trips",
    says="Wuhan-Washington has 105 ms, ≫ Toronto-Washington with 11 ms",
    plan=plan_paths,
)
def read_paths(runs: st.Runs) -> st.Finding:
    run = runs[("pings",)]
    trips = [st.given(run.summary["flows"][flow]["rtt_ms"]) for flow in (0, 1)]
    means = [trip["mean"] for trip in trips]
    shared = sum(until - start for start, until in bed.sharing(run))
    propagation = [st.mean_known(st.series(run, "propagation_rtt_ms", flow)[1]) for flow in (0, 1)]
    lines = [
        [
            f"{origin} to Washington",
            f"{trip['min']:.1f}",
            f"{trip['mean']:.1f}",
            f"{trip['max']:.1f}",
            f"{PAPER_MS[origin]:g}",
        ]
        for origin, trip in zip(PAPER_MS, trips, strict=True)
    ]
    epochs = []
    for seed in runs.effort.seeds:
        sky = bp.constellation(SHELL, offset=f"{bed.epoch_s(seed):g} s")
        rtt = [
            plots.column(sky.path(o, "Washington", duration="200 s", step="5 s").arrow, "propagation_rtt_ms")
            for o in PAPER_MS
        ]
        epochs.append([f"{bed.epoch_s(seed):.0f}", *(f"{st.mean_known(values):.1f}" for values in rtt)])
    claims = [
        st.claim(
            f"mean RTT of a ping from {origin} to Washington on the idle path",
            bp.fixed(mean),
            st.equals(PAPER_MS[origin], "ms", within=st.rounding(f"{PAPER_MS[origin]:g}")),
            note="At Hypatia's epoch, this number is computed without random numbers, so it has no interval",
            readings=statistics(runs, origin, trip),
            headline=f"{origin} to Washington: {PAPER_MS[origin]:g}ms",
            decides=(
                "The number comes from one run without random numbers. It depends on the statistic of the pings "
                "(mean, median, smallest or largest)"
            ),
        )
        for origin, mean, trip in zip(PAPER_MS, means, trips, strict=True)
    ]
    claims.append(
        st.claim(
            "RTT from Wuhan divided by the RTT from Toronto (“≫”)",
            bp.fixed(means[0] / means[1]),
            # Ends that are 12,201 and 567 km apart: longer over any constellation.
            st.above("", 2, than=1.0, check=True),
            note="The slides print both round trips, which have their own claims, but no ratio for “≫”",
            headline="RTT(Wuhan-Washington) ≫ RTT(Toronto-Washington)",
            decides="Over every constellation, the distances between the cities determine this ratio",
        )
    )
    return st.found(
        f"The two round trips differ because of the geometry: they are {means[0]:.1f} ms from Wuhan and "
        f"{means[1]:.1f} ms from Toronto (propagation {propagation[0]:.1f} and {propagation[1]:.1f} ms). Both paths "
        f"use the same downlink to Washington for {shared:.0f} of 200 s. Toronto's ping takes {trips[1]['min']:.1f} "
        f"to {trips[1]['max']:.1f} ms. The printed 11 ms is in this range, but it is not the mean, the median, the "
        "minimum or the maximum, nor the mean at other epochs",
        *claims,
        st.Sheet("Round trips of pings on the idle paths, ms", ("path", "min", "mean", "max", "paper"), lines),
        st.Sheet("2D/c at other epochs, mean over 200 s, ms", ("epoch, s", "from Wuhan", "from Toronto"), epochs),
        st.Picture("The slides' two paths while they share the downlink, and their round trips", map_and_trips(run)),
        f"A full segment takes {bed.BUFFER_MS / bed.QUEUE_PACKETS:.1f} ms on each link, and a ping 0.07 ms, so the "
        "flows' round trips are longer (G-06). No reading gives both 11 and 105 ms. The middle between the smallest "
        "and the largest ping rounds to 11 ms for Toronto, but to 108 ms for Wuhan.",
    )


def statistics(runs: st.Runs, origin: str, trip: bp.Distribution) -> tuple[st.InReading, ...]:
    def at_epochs(seeds: tuple[int, ...]) -> bp.Estimate:
        means = []
        for seed in seeds:
            sky = bp.constellation(SHELL, offset=f"{bed.epoch_s(seed):g} s")
            path = sky.path(origin, WASHINGTON.to, duration="200 s", step="5 s")
            means.append(st.mean_known(plots.column(path.arrow, "propagation_rtt_ms")))
        return st.sampled(means)

    names = {"median": trip["p50"], "least": trip["min"], "largest": trip["max"]}
    return (
        *(
            st.InReading(name=f"{name} of the ping", why="The slides say only “RTT”.", measured=bp.fixed(value))
            for name, value in names.items()
        ),
        st.in_reading(
            "propagation delay 2D/c at drawn epochs",
            "The slides name no epoch, and Hypatia also prints 2D/c.",
            at_epochs,
            runs.effort,
        ),
    )


def distances_and_trips(epoch: float) -> tuple[plots.Floats, plots.Floats]:
    """Geodesic distance in km and 2D/c in ms for all pairs of the largest cities with a path at an epoch."""
    where = bed.places()
    cities = list(where)[:CITIES]
    pairs = [(a, b) for number, a in enumerate(cities) for b in cities[number + 1 :]]
    sky = bp.constellation(SHELL, offset=f"{epoch:g} s")
    rtt = plots.column(sky.paths(pairs, duration="0 s").arrow, "propagation_rtt_ms")
    km = np.array([bed.geodesic_km(where[a], where[b]) for a, b in pairs])
    there = ~np.isnan(rtt)
    return km[there], rtt[there]


def line_fit(x: plots.Floats, y: plots.Floats) -> tuple[float, float, float]:
    """Fit a line by least squares: intercept, slope and R²."""
    slope, intercept = np.polyfit(x, y, 1)
    rest = y - intercept - slope * x
    return float(intercept), float(slope), float(1.0 - rest.var() / y.var())


def stretch_ratio(km: plots.Floats, rtt_ms: plots.Floats) -> float:
    """Mean stretch of near pairs divided by that of far pairs.

    The stretch is the RTT divided by that of light along the geodesic.
    """
    stretch = rtt_ms / (MS_PER_KM * km)
    return float(stretch[km < _NEAR_KM].mean() / stretch[km > _FAR_KM].mean())


def scatter(km: plots.Floats, rtt_ms: plots.Floats) -> st.Figure:
    figure, (axis,) = plots.new(1, 1, width=7.5, height=4.0)
    axis.scatter(
        km, rtt_ms, s=4, alpha=0.3, color=plots.COLOURS[0], linewidths=0, rasterized=True, label="pairs of cities"
    )
    x = np.array([0.0, 20000.0])
    intercept, slope, _ = line_fit(km, rtt_ms)
    axis.plot(
        x, intercept + slope * x, color=plots.COLOURS[0], label=f"fit: {intercept:.1f} ms + {1e3 * slope:.2f} µs/km"
    )
    axis.plot(x, MS_PER_KM * x, ":", color="#000000", label="light along the geodesic")
    facts = bed.of_the_slides().facts
    paper = facts["affine_law_offset_ms"] + facts["affine_law_slope_us_per_km"] / 1e3 * x
    axis.plot(x, paper, "--", color=plots.COLOURS[1], linewidth=1.0, label="paper: line through its two pairs")
    axis.plot(
        *zip(*bed.PATHS.values(), strict=True), "s", color=plots.COLOURS[1], label="paper's pairs (105 and 11 ms)"
    )
    axis.set(xlabel="geodesic distance (km)", ylabel="2D/c (ms)", xlim=(0, 20000), ylim=(0, None))
    axis.legend(fontsize="small", loc="best")
    return figure


@st.reads(
    id="G-09",
    place="Solution: Geolocation-based Reno",
    what="round trip as a function of the geodesic distance",
    says="RTT(source-destination) ∝ geodesic distance(source, destination)",
)
def read_proportion(runs: st.Runs) -> st.Finding:
    samples = [distances_and_trips(bed.epoch_s(seed)) for seed in runs.effort.seeds]
    fits = [line_fit(km, rtt) for km, rtt in samples]
    intercept, slope, r2 = (st.sampled([fit[part] for fit in fits]) for part in range(3))
    short = st.sampled([stretch_ratio(km, rtt) for km, rtt in samples])
    facts = bed.of_the_slides().facts
    lines = []
    for low, high in ((0, 1000), (1000, 2000), (2000, 5000), (5000, 10000), (10000, 20020)):
        inside = [(km >= low) & (km < high) for km, _ in samples]
        counted = sum(int(here.sum()) for here in inside) / len(samples)
        stretches = [
            float((rtt / (MS_PER_KM * km))[here].mean()) for (km, rtt), here in zip(samples, inside, strict=True)
        ]
        lines.append([f"{low} to {high}", f"{counted:.0f}", st.sampled(stretches).text(2)])
    return st.found(
        "Every path goes up to a satellite and down again, even if its ends are near. The RTT is therefore an affine "
        f"function of the distance and not proportional to it: {intercept.mean:.1f} ms + {1e3 * slope.mean:.2f} "
        f"µs/km, with R² = {r2.mean:.3f}. The slides' own two pairs give {facts['affine_law_offset_ms']:.1f} ms + "
        f"{facts['affine_law_slope_us_per_km']:.2f} µs/km. The RTT divided by the distance is {short.mean:.1f} times "
        f"as large below {_NEAR_KM:g} km as above {_FAR_KM:g} km. If “∝” means “grows with”, the claim holds",
        st.claim(
            "slope of a line fitted to the RTT over the distance, all pairs", scaled(slope, 1e3), st.above("µs/km", 2)
        ),
        st.claim(
            f"RTT divided by distance: mean below {_NEAR_KM:g} km divided by the mean above {_FAR_KM:g} km",
            short,
            st.equals(1.0, "", 2, within=st.rounding("11") / 11.0),
            headline="RTT(source-destination) ∝ Geodesic distance(source, destination)",
            decides="No setting changes this result, because every path has to go up to a satellite and down",
            note="The tolerance comes from the rounding of 11 ms. The distances are great circles, because the slides "
            f"print none. The distances of the slides' two paths have a ratio of {facts['ratio_of_distances']:.1f}, "
            f"and their RTTs a ratio of {facts['ratio_of_round_trips']:.2f}",
        ),
        st.Sheet(
            ("Stretch: RTT divided by the RTT of light along the geodesic"), ("distance, km", "pairs", "stretch"), lines
        ),
        st.Picture(
            "RTT against distance, all pairs of the 100 largest cities, first seed's epoch", scatter(*samples[0])
        ),
    )


def scaled(what: bp.Estimate, factor: float) -> bp.Estimate:
    return bp.Estimate(what.mean * factor, what.half_width * factor, what.samples)
