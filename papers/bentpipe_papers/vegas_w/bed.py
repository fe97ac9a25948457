# SPDX-License-Identifier: MIT OR Apache-2.0
"""The paper's path, its traffic, and the readings of its algorithm."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

import bentpipe as bp
from bentpipe import plots
from bentpipe.study import Verdict, events, running_mean, sampled, series
from bentpipe.study import shown as mean_shown
from bentpipe_papers.transport import BARE, on_bed

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from matplotlib.axes import Axes

    from bentpipe.plots import Floats
    from bentpipe.study import Claim

RATE_MBIT_S = 15.0
CBR_MBIT_S = 6.0
PACKET_BYTES = 1000
PAYLOAD_BYTES = 960
SIZES = (PAYLOAD_BYTES, PACKET_BYTES - PAYLOAD_BYTES)
#: The main reading: the text names ns-2 and NewReno, and does not mention SACK. `window_` is raised, because its
#: default of 20 packets carries only 0.3 of the 15 Mbit/s at 540 ms. Packets have the text's 1000 bytes including
#: headers, like the packets of ns-2's Vegas.
NS2 = bp.Tcp(preset="ns2-newreno", receive_window="unlimited")
#: ns-2 with SACK.
SACK1 = bp.Tcp(preset="ns2-sack1", receive_window="unlimited")
#: Our TCP settings in readings with the minimal TCP.
OURS = bp.Tcp(initial_window=2, recovery="sack")
#: One-way delay in ms from the ground to a geostationary satellite at the zenith: 35,786 km over the speed of light,
#: rounded up.
LEG_MS = 120.0
#: Rate of the links between hosts and gateways. The paper states it in Figure 1, which was not available.
ACCESS_MBIT_S = 100.0
#: The main reading of the base round trip in ms, and the two other readings.
RTT_MS = 540.0
RTTS_MS = (500.0, 540.0, 600.0)
CBR_S = (80.0, 150.0)
END_S = 200.0
ROUTE_S = (50.0, 100.0)
START_UP_S = 30.0
#: Number of samples of a series per round trip.
PER_RTT = 5
#: A round trip counts as full if its rate is at least this share of the bottleneck's rate.
FULL = 0.97

#: The paper's three controllers.
VEGAS, VEGAS_W, NEWRENO = "Vegas", "Vegas-W", "NewReno"
#: Vegas-W with our repair, which also estimates in avoidance and uses the largest estimate of two rounds; and the same
#: controller, which in addition never raises its window at a loss.
REPAIRED, LOWERS = "Vegas-W, repaired", "Vegas-W, repaired, only lowers"
#: Vegas-W without the detection of route changes.
BLIND = "Vegas-W, no refresh"
#: Controllers with SACK instead of a recovery that repairs one loss per round trip.
NEWRENO_SACK, VEGAS_W_SACK = "NewReno, SACK", "Vegas-W, SACK"
CONTROLLERS: dict[str, str | dict[str, Any]] = {
    VEGAS: "vegas",
    VEGAS_W: "vegas-w-paper",
    NEWRENO: "newreno",
    REPAIRED: {"name": "vegas-w", "jump": True},
    LOWERS: "vegas-w",
    BLIND: {"name": "vegas-w-paper", "refresh": "off"},
    NEWRENO_SACK: "newreno",
    VEGAS_W_SACK: "vegas-w-paper",
}
#: The TCP of controllers that do not use the main reading's TCP.
TCPS = {NEWRENO_SACK: SACK1, VEGAS_W_SACK: SACK1}
#: The controllers that estimate the bandwidth.
ESTIMATORS = ("vegas-w", "vegas-w-paper")
#: The controllers whose slow start can double in every round or in every other round (ns-2's Vegas; the default).
DOUBLERS = ("vegas", *ESTIMATORS)
COLOURS = dict(zip((VEGAS, VEGAS_W, NEWRENO, LOWERS, REPAIRED, BLIND, NEWRENO_SACK), plots.COLOURS, strict=True))


def bdp_packets(rtt_ms: float = RTT_MS, rate_mbit_s: float = RATE_MBIT_S) -> float:
    return rate_mbit_s * 1e3 * rtt_ms / (8.0 * PACKET_BYTES)


def seed_of(run: bp.Run) -> int:
    return int(run.summary["provenance"]["seed"])


def shift_s(seed: int, rtt_ms: float = RTT_MS) -> float:
    """Delay in s that a seed adds to events on the path: within one round trip, by the golden section."""
    return round(seed * 0.6180339887 % 1 * rtt_ms / 1e3, 4)


def isl_delay_ms(rtt_ms: float, seed: int) -> float:
    """One-way delay in ms between the gateways, from the round trip of the path plus up to 1 ms by the seed."""
    return round(rtt_ms / 2.0 - 2.0 * LEG_MS + seed * 0.7548776662 % 1, 4)


def access(seed: int, rate_mbit_s: float = ACCESS_MBIT_S, jitter: str = "") -> bp.AccessLink:
    """The link between a host and its gateway, with 95 to 105 % of a rate by the seed. The host's queue drops nothing.

    The link delays each packet by up to `jitter` (no jitter if empty).
    """
    share = 0.95 + seed * 0.5698402910 % 1 * 0.1
    return bp.AccessLink(
        rate=f"{rate_mbit_s * share:.4f} Mbit/s",
        delay=f"{LEG_MS:g} ms",
        jitter=bp.Jitter(uniform=jitter) if jitter else None,
    )


def as_read(
    controller: str | Mapping[str, Any], doubling: str | None, estimate: Mapping[str, Any] | None = None
) -> str | Mapping[str, Any]:
    """Vegas or Vegas-W with this doubling, and Vegas-W with this estimate. Other controllers are unchanged."""
    table = {"name": controller} if isinstance(controller, str) else dict(controller)
    asked = {"doubling": doubling} if doubling and table["name"] in DOUBLERS else {}
    asked |= estimate if estimate and table["name"] in ESTIMATORS else {}
    return {**table, **asked} if asked else controller


def tcp(controller: str | Mapping[str, Any], seed: int, **settings: Any) -> bp.Flow:
    """A flow with the paper's packets between its own two hosts.

    `settings`: `tcp` is the TCP of the reading (`bentpipe_papers.transport`), by default ns-2's Newreno; `setup` and
    `initial_window` are keys of the TCP. `doubling` is how often Vegas and Vegas-W double in slow start. `estimate` has
    the keys of Vegas-W's estimate. `access_mbit_s` and `jitter` are settings of the hosts' links. Other settings are
    keys of the flow. With `BARE` there is no handshake, the initial window is 2, and the recovery uses SACK.
    """
    keys = {key: settings.pop(key, None) for key in ("setup", "initial_window")}
    transport = on_bed(settings.pop("tcp", NS2), SIZES, OURS, **keys)
    link = access(seed, settings.pop("access_mbit_s", ACCESS_MBIT_S), settings.pop("jitter", ""))
    told = as_read(controller, settings.pop("doubling", None), settings.pop("estimate", None))
    return bp.Flow(controller=told, access=link, tcp=transport, **settings)


def bottleneck(rtt_ms: float, seed: int, *, queue: str = "200 packets", per: float = 1e-6) -> bp.Link:
    """The link G1-G2 without changes."""
    return bp.Link(
        rate=f"{RATE_MBIT_S:g} Mbit/s", delay=f"{isl_delay_ms(rtt_ms, seed)} ms", queue=queue, loss=bp.Loss(per=per)
    )


def scenario(
    name: str,
    flows: Sequence[bp.Flow],
    network: bp.Dumbbell | bp.Link,
    *,
    seed: int,
    duration_s: float,
    interval_ms: float = RTT_MS / PER_RTT,
    events: bool = False,
) -> bp.Scenario:
    """The scenario: hosts, gateways G1 and G2 with the bottleneck between them (equal in both directions), hosts."""
    return bp.Scenario(
        name=name,
        duration=f"{duration_s:g} s",
        seed=seed,
        network=network if isinstance(network, bp.Dumbbell) else bp.Chain(links=[network]),
        tcp=BARE,
        flows=flows,
        record=bp.Record(interval=f"{interval_ms:g} ms", events=events),
    )


def start_up(label: str, controller: str | Mapping[str, Any], seed: int, **changed: Any) -> bp.Scenario:
    """One flow alone, for a time in which it can fill the path. `changed` has the differences from the paper."""
    rtt_ms = float(changed.pop("rtt_ms", RTT_MS))
    link = bottleneck(rtt_ms, seed, queue=str(changed.pop("queue", "200 packets")))
    flow = tcp(controller, seed, **changed)
    # The interval is short enough to show a window that doubles.
    fine_ms = rtt_ms / 20.0
    name = f"start-up: {label}"
    return scenario(name, [flow], link, seed=seed, duration_s=START_UP_S, interval_ms=fine_ms, events=True)


def named(label: str, seed: int, **settings: Any) -> bp.Flow:
    return tcp(CONTROLLERS[label], seed, **{"tcp": TCPS.get(label, NS2), **settings})


def cross_traffic(label: str, seed: int, flow: bp.Flow | None = None, **settings: Any) -> bp.Scenario:
    """Figures 2 and 3: one flow (`flow`, or by its label), and 6 Mbit/s of constant rate between 80 s and 150 s.

    `settings` are those of `tcp`.
    """
    start, stop = (moment + shift_s(seed) for moment in CBR_S)
    cbr = bp.Flow(
        kind="cbr",
        rate=f"{CBR_MBIT_S:g} Mbit/s",
        packet=f"{PACKET_BYTES} B",
        start=f"{start:g} s",
        stop=f"{stop:g} s",
        access=access(seed, settings.get("access_mbit_s", ACCESS_MBIT_S)),
    )
    flows = [flow or named(label, seed, **settings), cbr]
    return scenario(f"CBR: {label}", flows, bottleneck(RTT_MS, seed), seed=seed, duration_s=END_S, events=True)


def on_the_wire(run: bp.Run, flow: int = 0) -> tuple[Floats, Floats]:
    """Return times in s, and the rate in Mbit/s of arriving new data with headers. A full bottleneck has 15 Mbit/s."""
    times, goodput = series(run, "goodput_mbit_s", flow)
    return times, goodput * PACKET_BYTES / PAYLOAD_BYTES


def round_trip_mean(run: bp.Run, rtt_ms: float = RTT_MS) -> tuple[Floats, Floats]:
    """Return times in s, and the mean rate in Mbit/s over the round trip before each time."""
    times, rate = on_the_wire(run)
    return times, running_mean(rate, round(rtt_ms / 1e3 / (times[1] - times[0])))


def full_at(run: bp.Run, *, after_s: float = 0.0, rate_mbit_s: float = RATE_MBIT_S, rtt_ms: float = RTT_MS) -> float:
    """Time in s at which a round trip first had 97 % of the rate; NaN if none had."""
    times, mean = round_trip_mean(run, rtt_ms)
    found = times[(mean >= FULL * rate_mbit_s) & (times > after_s + rtt_ms / 1e3)]
    return float(found[0]) if found.size else float("nan")


def full_for_good(run: bp.Run, rtt_ms: float = RTT_MS) -> float:
    """Time in s from which every round trip has 95 % of the rate; NaN if the last round trip has less."""
    times, mean = round_trip_mean(run, rtt_ms)
    # The last interval ends with the run, possibly within a sample.
    low = np.flatnonzero(~(mean[:-1] >= 0.95 * RATE_MBIT_S))
    return float("nan") if low[-1] == mean.size - 2 else float(times[low[-1] + 1])


def left_slow_start(run: bp.Run) -> tuple[float, float]:
    """Time in s at which slow start first ended, and the largest window until then in segments; NaN if it never ended.

    Slow start ends by the controller's decision, or by a loss that the controller judges as congestion, even if the
    window does not change.
    """
    for row in events(run, "loss", "phase"):
        judged = row["event"] == "loss" and row["verdict"] == "congestion"
        if row["flow"] == 0 and (judged or (row["event"] == "phase" and row["detail"] == "avoidance")):
            times, window = series(run, "cwnd_segments")
            return float(row["time_s"]), float(window[times < row["time_s"]].max())
    return float("nan"), float("nan")


def shown(estimate: bp.Estimate, digits: int = 2) -> str:
    if np.isnan(estimate.mean):
        return "never"
    return mean_shown(estimate, digits)


def undecided(claims: Sequence[Claim]) -> str:
    wide = [claim.what for claim in claims if claim.verdict is Verdict.UNDECIDED]
    return ". Undecided: " + ", ".join(f"“{what}”" for what in wide) if wide else ""


def often(values: list[float]) -> str:
    """Return a text: the mean over the seeds with a value, and the number of these seeds."""
    there = [value for value in values if not np.isnan(value)]
    if not there:
        return "never"
    return shown(sampled(there), 1) + ("" if len(there) == len(values) else f" ({len(there)} of {len(values)} seeds)")


def draw(axis: Axes, run: bp.Run, label: str, what: str, rtt_ms: float = RTT_MS) -> None:
    """Draw a line of a figure, thinned out: the window, or the throughput as the mean over a round trip.

    Vegas-W without its refresh is dashed, because it mostly covers Vegas-W.
    """
    times, values = series(run, "cwnd_segments") if what == "cwnd" else round_trip_mean(run, rtt_ms)
    style: Any = (0, (4, 4)) if label == BLIND else "-"
    axis.plot(times[:-1:3], values[:-1:3], label=label, color=COLOURS.get(label), linewidth=1.1, linestyle=style)
