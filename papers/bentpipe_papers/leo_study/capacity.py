# SPDX-License-Identifier: MIT OR Apache-2.0
"""A link whose rate depends on a moving satellite: on its Doppler shift, or on its range (G-21)."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import cache
from itertools import product
from typing import TYPE_CHECKING

import numpy as np

import bentpipe as bp
from bentpipe import plots
from bentpipe import study as st
from bentpipe_papers.leo_study.bed import HYPATIA_TCP, SHELL, WASHINGTON, Controller, chance, epoch_s

if TYPE_CHECKING:
    from matplotlib.figure import Figure

#: Spectral efficiency in bit per symbol, and required Es/N0 in dB: ETSI EN 302 307-1 V1.4.1, table 13. A MODCOD is left
#: out if a faster one needs less.
MODCODS = (
    (1.487473, 4.03),  # QPSK 3/4
    (1.587196, 4.68),  # QPSK 4/5
    (1.654663, 5.18),  # QPSK 5/6
    (1.779991, 5.50),  # 8PSK 3/5
    (1.980636, 6.62),  # 8PSK 2/3
    (2.228124, 7.91),  # 8PSK 3/4
    (2.637201, 8.97),  # 16APSK 2/3
    (2.966728, 10.21),  # 16APSK 3/4
)
CONSTANT, DOPPLER, THOUSANDFOLD, MODCOD = "constant", "Doppler", "Doppler times 1000", "MODCOD"
#: The worst case: the rate swings over the range of MODCODs from the longest range to the zenith and back every 5 s. No
#: orbit changes the rate so fast.
SWING = "MODCOD at worst"
KINDS = (CONSTANT, DOPPLER, THOUSANDFOLD, MODCOD, SWING)
#: Mean rate in bit/s, round trip, and queue of one BDP in packets of 1432 bytes.
_MEAN_BIT_S, _RTT, _QUEUE = 10e6, "50 ms", "44 packets"
#: Length of a run in s (the rate is set once a second), warm-up, and period of the swing. Means are over the measured
#: time.
_SECONDS, _WARM_UP_S, _SWING_S = 100, 10, 5


@cache
def downlink(seed: int) -> tuple[plots.Floats, plots.Floats]:
    """Range in km and Doppler shift in ppm of the downlink to Washington, for each second from a seed's epoch."""
    sky = bp.constellation(SHELL, offset=f"{epoch_s(seed):g} s")
    table = sky.path(WASHINGTON.short, WASHINGTON.to, duration=f"{_SECONDS - 1} s", step="1 s")
    range_km, shift_ppm = (np.array([hops[-1] for hops in table[f"hop_{name}"]]) for name in ("km", "doppler_ppm"))
    return range_km, shift_ppm


def efficiency(range_km: float, reach_km: float) -> float:
    """Spectral efficiency of the fastest MODCOD for a range, in bit per symbol.

    At the longest range the slowest MODCOD is just possible. Es/N0 grows only by the free-space loss, 20
    lg(reach/range).
    """
    have_db = MODCODS[0][1] + 20.0 * math.log10(reach_km / range_km)
    return max(bits for bits, needs_db in MODCODS if needs_db <= have_db + 1e-9)


def rates(kind: str, seed: int) -> plots.Floats:
    """Rate of the link in bit/s for each second. All kinds have the same mean over the measured time."""
    range_km, shift_ppm = downlink(seed)
    if kind == CONSTANT:
        shape = np.ones_like(range_km)
    elif kind in (MODCOD, SWING):
        facts = bp.constellation(SHELL).facts
        reach_km, zenith_km = float(facts["max_slant_range_km"]), float(facts["shells"][0]["altitude_km"])
        if kind == SWING:
            range_km = np.where(np.arange(_SECONDS) % (2 * _SWING_S) < _SWING_S, reach_km, zenith_km)
        shape = np.array([efficiency(float(here), reach_km) for here in range_km])
    else:
        shape = 1.0 + shift_ppm * (1e-6 if kind == DOPPLER else 1e-3)
    return np.asarray(_MEAN_BIT_S * shape / shape[_WARM_UP_S:].mean(), dtype=np.float64)


def steps(kind: str, seed: int) -> list[dict[str, str]]:
    """Return `rates` in the form of a scenario: a step for each change."""
    texts = [f"{rate / 1e6:.6f} Mbit/s" for rate in rates(kind, seed)]
    return [
        {"at": f"{second} s", "rate": text}
        for second, text in enumerate(texts)
        if second == 0 or text != texts[second - 1]
    ]


def plan(controllers: Mapping[str, Controller], chosen: Sequence[int]) -> dict[st.Key, bp.Scenario]:
    wanted = {(kind, seed): steps(kind, seed) for kind in KINDS for seed in chosen}
    return {
        ("capacity", kind, label, seed): bp.Scenario(
            name=f"{label}, capacity: {kind}",
            duration=f"{_SECONDS} s",
            warm_up=f"{_WARM_UP_S} s",
            seed=seed,
            network=bp.Dumbbell(
                rate_steps=wanted[kind, seed], rtt=_RTT, queue=_QUEUE, reverse=bp.Link(rate="10 Mbit/s")
            ),
            tcp=HYPATIA_TCP,
            flows=[bp.Flow(name=label, controller=controller, start=f"{chance(seed):.3f} s")],
            record=bp.Record(interval="off", events=False),
        )
        for kind, (label, controller), seed in product(KINDS, controllers.items(), chosen)
    }


def change(runs: st.Runs, kind: str, label: str) -> bp.Estimate:
    made, still = runs.of("capacity", kind, label), runs.of("capacity", CONSTANT, label)
    st.own_limit([*made, *still])
    return bp.relative_change([st.goodputs(run)[0] for run in made], [st.goodputs(run)[0] for run in still])


def changes(runs: st.Runs, labels: Sequence[str]) -> dict[tuple[str, str], bp.Estimate]:
    return {(kind, label): change(runs, kind, label) for kind in KINDS[1:] for label in labels}


def sheets(runs: st.Runs, found: Mapping[tuple[str, str], bp.Estimate], labels: Sequence[str]) -> list[st.Sheet]:
    did = []
    for kind in KINDS[1:]:
        every = [rates(kind, seed) for seed in runs.effort.seeds]
        span = 100.0 * (max(float(one.max()) for one in every) / _MEAN_BIT_S - 1.0)
        low = 100.0 * (min(float(one.min()) for one in every) / _MEAN_BIT_S - 1.0)
        moves = sum(int(np.count_nonzero(np.diff(one))) for one in every) / len(every)
        digits = 4 if kind == DOPPLER else 2
        did.append([kind, f"{low:+.{digits}f}", f"{span:+.{digits}f}", f"{moves:.0f}"])
    lines = [
        [
            label,
            st.sampled([st.goodputs(run)[0] for run in runs.of("capacity", CONSTANT, label)]).text(2),
            *(found[kind, label].text(4 if kind in (DOPPLER, THOUSANDFOLD) else 2) for kind in KINDS[1:]),
            *(
                st.sampled([st.mean_queue_ms(run) for run in runs.of("capacity", kind, label)]).text(1)
                for kind in (CONSTANT, SWING)
            ),
        ]
        for label in labels
    ]
    return [
        st.Sheet(
            "Rate of a link that follows the downlink to Washington (each seed has its epoch), relative to its mean "
            "of 10 Mbit/s",
            ("rate by", "least, %", "most, %", "steps in 100 s"),
            did,
        ),
        st.Sheet(
            f"Goodput over a link whose rate follows the downlink ({_RTT}, {_QUEUE}), compared with a constant rate "
            "of the same mean",
            (
                *("controller", "constant, Mbit/s", *(f"{kind}, change %" for kind in KINDS[1:])),
                *(f"queue, {kind}, ms" for kind in (CONSTANT, SWING)),
            ),
            lines,
        ),
    ]


def draw(runs: st.Runs, found: Mapping[tuple[str, str], bp.Estimate], labels: Sequence[str]) -> Figure:
    figure, (rate, effect) = plots.new(1, 2, width=9.5, height=3.2)
    seed = runs.effort.seeds[0]
    for number, kind in enumerate(KINDS[1:]):
        values = rates(kind, seed) / 1e6
        rate.step(np.arange(_SECONDS), values, where="post", color=plots.COLOURS[number], linewidth=1.2, label=kind)
        for row, label in enumerate(labels):
            here = found[kind, label]
            place = row + 0.18 * (number - 1.5)
            effect.errorbar(
                here.mean, place, xerr=here.half_width, fmt="o", color=plots.COLOURS[number], capsize=3, markersize=4
            )
    rate.set(xlabel="s", ylabel="rate of the link (Mbit/s)", xlim=(0, _SECONDS), ylim=(0, None), title="first seed")
    rate.legend(fontsize="small", loc="lower left")
    effect.axvline(0.0, color="#000000", linestyle="--", linewidth=0.9)
    effect.set_yticks(range(len(labels)), list(labels))
    effect.set(xlabel="change of goodput compared with a constant rate (%)", ylim=(len(labels) - 0.5, -0.5))
    return figure
