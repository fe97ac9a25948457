# SPDX-License-Identifier: MIT OR Apache-2.0
"""How does the Doppler effect affect congestion control? Moving paths and changing rates (G-21)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product

import numpy as np

import bentpipe as bp
from bentpipe import plots
from bentpipe import study as st
from bentpipe_papers.leo_study import capacity
from bentpipe_papers.leo_study.bed import HYPATIA_TCP, SHELL, VEGAS, Controller, chance, reno, seeds

CONTROLLERS: dict[str, Controller] = {
    "Reno": reno(),
    "CUBIC": "cubic",
    "Vegas": VEGAS,
    "Copa": "copa",
    "BBR": "bbr1",
    "PCC Vivace": "vivace",
}
#: Growth of the RTT in µs/s. The maximum for two ground links over this shell is 80.
DRIFTS = (0, 20, 40, 80)
RATES = ("10 Mbit/s", "100 Mbit/s")
#: Length of a run in s (about the time for which a satellite is in view), RTT at the start in ms, and step in s.
_SECONDS, _BASE_MS, _STEP_S = 100, 50.0, 0.1


#: A smaller change of goodput is only a few packets of a run.
NOTHING_PERCENT = 0.01


def moving(controller: Controller, drift_us_s: float, rate: str, seed: int, label: str) -> bp.Scenario:
    steps = [
        (f"{number * _STEP_S:.1f} s", f"{(_BASE_MS + drift_us_s * number * _STEP_S / 1e3) / 2:.6f} ms")
        for number in range(int(_SECONDS / _STEP_S) if drift_us_s else 1)
    ]
    link = bp.Link(rate=rate, delay_steps=steps, queue="1 BDP")
    return bp.Scenario(
        name=f"{label}, {rate}, RTT grows by {drift_us_s:g} µs/s",
        duration=f"{_SECONDS} s",
        warm_up="10 s",
        seed=seed,
        network=bp.Dumbbell(rate=rate, delay_steps=steps, queue="1 BDP", reverse=link),
        tcp=HYPATIA_TCP,
        flows=[bp.Flow(name=label, controller=controller, start=f"{chance(seed):.3f} s")],
        record=bp.Record(interval="off", events=False),
    )


def drifts(effort: st.Effort) -> Sequence[int]:
    """The drifts that are run, in µs/s."""
    return effort.pick((DRIFTS[0], DRIFTS[-1]), DRIFTS)


def compared(effort: st.Effort) -> dict[str, Controller]:
    """The controllers that are run. A first look leaves out two."""
    return {
        label: name for label, name in CONTROLLERS.items() if not effort.quick or label not in ("CUBIC", "PCC Vivace")
    }


def plan(effort: st.Effort) -> st.Plan:
    """Plan runs for every controller, drift and rate, and for the links with changing capacity."""
    drifting: dict[st.Key, bp.Scenario] = {
        (rate, label, drift, seed): moving(controller, drift, rate, seed, label)
        for rate, (label, controller), drift in product(RATES, compared(effort).items(), drifts(effort))
        for seed in (effort.seeds if rate == RATES[0] else seeds(effort, 2))
    }
    return {**drifting, **capacity.plan(compared(effort), effort.seeds)}


def drift_of_paths(hours: str) -> tuple[float, float, float]:
    """Median, 95th percentile and maximum of |dRTT/dt| in µs/s over five paths."""
    sky = bp.constellation(SHELL)
    pairs = [("Wuhan", "Washington"), ("Toronto", "Washington"), ("Wuhan", "Madrid"), ("Tehran", "Madrid"),
             ("Rio de Janeiro", "Saint Petersburg")]  # fmt: skip
    rates = np.abs(plots.column(sky.paths(pairs, duration=hours, step="5 s").arrow, "rtt_rate_us_s"))
    known = rates[~np.isnan(rates)]
    return float(np.median(known)), float(np.percentile(known, 95)), float(known.max())


def draw(change: Mapping[tuple[str, str], bp.Estimate]) -> st.Figure:
    figure, axes = plots.new(1, len(RATES), width=9.5, height=3.0)
    labels = list(dict.fromkeys(label for _, label in change))
    for axis, rate in zip(axes, RATES, strict=True):
        for row, label in enumerate(labels):
            here = change[rate, label]
            axis.errorbar(here.mean, row, xerr=here.half_width, fmt="o", color=plots.COLOURS[0], capsize=3)
        axis.axvline(0.0, color="#000000", linestyle="--", linewidth=0.9)
        axis.set_yticks(range(len(labels)), labels)
        axis.set(title=rate, xlabel=f"change of goodput at {DRIFTS[-1]} µs/s (%)", ylim=(len(labels) - 0.5, -0.5))
    return figure


@st.reads(
    id="G-21",
    place="Unanswered questions",
    what="a moving path beside a static path; capacity that follows the motion",
    says="“How does Doppler effect affect congestion control?”",
    plan=plan,
)
def read(runs: st.Runs) -> st.Finding:
    change, lines = {}, []
    # A first look has fewer seeds of the faster link.
    differ = len({len(runs.of(rate, label, 0)) for rate in RATES for label in compared(runs.effort)}) > 1
    for rate, label in product(RATES, compared(runs.effort)):
        still = [st.goodputs(run)[0] for run in runs.of(rate, label, 0)]
        cells = [rate, label, *[str(len(still))] * differ, st.sampled(still).text(2)]
        for drift in drifts(runs.effort)[1:]:
            made = runs.of(rate, label, drift)
            st.own_limit(made)
            here = bp.relative_change([st.goodputs(run)[0] for run in made], still)
            cells.append(here.text(1))
            change[rate, label] = here
        queue = [
            st.sampled([st.mean_queue_ms(run) for run in runs.of(rate, label, drift)]).text(1)
            for drift in (0, DRIFTS[-1])
        ]
        lines.append([*cells, *queue])
    shell = bp.constellation(SHELL).facts["shells"][0]
    bound = bp.model("doppler", altitude_km=shell["altitude_km"], inclination_deg=shell["inclination_deg"])
    horizon = bp.model("doppler", **{**bound.parameters, "elevation_deg": 0})
    median, high, most = drift_of_paths(runs.effort.pick("600 s", "3600 s"))
    worst = min(change, key=lambda key: change[key].mean)
    ages = ", because Vegas never increases its smallest RTT" if worst[1] == "Vegas" else ""
    labels = list(compared(runs.effort))
    stepped = capacity.changes(runs, labels)
    texts = []
    for kind in capacity.KINDS[1:]:
        effects = {label: stepped[kind, label] for label in labels}
        if max(max(-effect.low, effect.high) for effect in effects.values()) < NOTHING_PERCENT:
            texts.append(f"below {NOTHING_PERCENT:g} % with “{kind}”")
            continue
        ends = [pick(effects, key=lambda label: effects[label].mean) for pick in (min, max)]
        texts.append(f"{' to '.join(f'{fine(effects[label])} % ({label})' for label in ends)} with “{kind}”")
    head = ("rate", "controller", *["n"] * differ, "still, Mbit/s",
            *(f"{drift} µs/s, change %" for drift in drifts(runs.effort)[1:]),
            "queue, still, ms", f"queue, {DRIFTS[-1]} µs/s, ms")  # fmt: skip
    return st.found(
        f"This row has no claim. A Doppler shift of {horizon.table['doppler_per_hop_ppm'][0]:.0f} ppm changes a gap "
        f"of {bound.facts['ack_spacing_us']:.0f} µs between ACKs by only "
        f"{bound.facts['largest_change_of_ack_spacing_ns']:.0f} ns. The RTTs of the paths drift by {median:.0f} to "
        f"{most:.0f} µs/s. With a drift of {DRIFTS[-1]} µs/s, the largest change of goodput is "
        f"{change[worst].text(1, '%')} ({worst[1]} at {worst[0]}){ages}. Steps of the capacity change the goodput by "
        f"{texts[0]}, and by {texts[-1]}",
        st.Sheet("A path whose RTT grows steadily from 50 ms for 100 s, beside a static path", head, lines),
        st.Sheet(
            "Drift of the RTT between changes of the path, µs/s",
            ("paths", "median", "95 %", "largest"),
            [["five paths of this study", f"{median:.1f}", f"{high:.1f}", f"{most:.1f}"]],
        ),
        bounds(shell["inclination_deg"]),
        *capacity.sheets(runs, stepped, labels),
        st.Picture("Change of goodput by a drift of the RTT, 95 % intervals; dashed: a static path", draw(change)),
        st.Picture(
            "Rate of a link that follows the downlink to Washington, and the change of goodput (95 % intervals)",
            capacity.draw(runs, stepped, labels),
        ),
        "Radios correct the Doppler shift of the carrier. “Doppler” changes the bit rate as if radios did not "
        "correct the shift; “Doppler times 1000” shows the margin. “MODCOD” uses the range of the same motion: the "
        "rate is that of the fastest DVB-S2 mode that the free-space loss allows, and it jumps at every handover. "
        "“MODCOD at worst” goes from the longest range to the zenith and back every 5 s, which no orbit does. The "
        "delay is constant in all of these runs.",
        "Vegas never forgets its smallest RTT. After a path became longer by x, Vegas's rate is limited to 4/x "
        "segments per second. Copa forgets its smallest RTT after 10 s. Copa's limit is 2/x segments per second, and "
        "has an effect only if the link is faster.",
    )


def fine(change: bp.Estimate) -> str:
    """Return a change in percent with two digits; no change is 0.00, not -0.00."""
    return f"{round(change.mean, 2) + 0.0:.2f} ± {change.half_width:.2f}"


def bounds(inclination_deg: float) -> st.Sheet:
    table = bp.model("doppler", inclination_deg=inclination_deg).table
    columns = {
        "altitude, km": ("altitude_km", 0),
        "range rate, km/s": ("range_rate_km_s", 2),
        "shift of one link, ppm": ("doppler_per_hop_ppm", 1),
        "drift of the RTT, µs/s": ("rtt_drift_us_s", 1),
        "within 10 s, ms": ("window_drift_ms", 2),
    }
    cells = [[f"{value:.{digits}f}" for value in table[name]] for name, digits in columns.values()]
    return st.Sheet(
        "Bounds for a site that looks down to 25°, four links to the ground in a round trip (model “doppler”)",
        list(columns),
        [list(line) for line in zip(*cells, strict=True)],
    )
