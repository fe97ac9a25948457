# SPDX-License-Identifier: MIT OR Apache-2.0
"""One flow on a path that changes: loss or delay, Copa, BBR (G-03, G-16, G-18, G-19)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import product

import numpy as np

import bentpipe as bp
from bentpipe import plots
from bentpipe import study as st
from bentpipe_papers.leo_study import bed, curves
from bentpipe_papers.leo_study.bed import HYPATIA_TCP, MSS_BYTES, RATE_MBIT_S, Controller
from bentpipe_papers.leo_study.flights import SINGLE, at_shells_epoch, flight

NO_CLAIM = ("Copa, default mode", "BBR")
#: A path that becomes longer once: base RTT and increase in ms, time of the change and length of each measured span in
#: s.
_BASE_MS, _LONGER_MS, _AT_S, _LOOK_S = 100.0, 20.0, 60.0, 20.0


def over_starts(effort: st.Effort, *labels: str) -> dict[st.Key, bp.Scenario]:
    return {
        (label, seed): at_shells_epoch(SINGLE[label], seed, label, duration=effort.pick("100 s", "200 s"))
        for label in labels
        for seed in (bed.seeds(effort, 3) if label in NO_CLAIM else effort.seeds)
    }


def longer(controller: Controller, seed: int, label: str) -> bp.Scenario:
    steps = [("0 s", f"{_BASE_MS / 2:g} ms"), (f"{_AT_S:g} s", f"{(_BASE_MS + _LONGER_MS) / 2:g} ms")]
    back = bp.Link(rate="10 Mbit/s", delay_steps=steps, queue="100 packets")
    return bp.Scenario(
        name=f"A path that grows longer: {label}",
        duration=f"{_AT_S + _LOOK_S:g} s",
        seed=seed,
        network=bp.Dumbbell(rate="10 Mbit/s", delay_steps=steps, queue="100 packets", reverse=back),
        tcp=HYPATIA_TCP,
        flows=[bp.Flow(name=label, controller=controller, start=f"{bed.chance(seed):.3f} s")],
        record=bp.Record(interval="1 s", events=False),
    )


def first(runs: Sequence[bp.Run]) -> list[float]:
    return [st.goodputs(run)[0] for run in runs]


def lost_percent(run: bp.Run) -> float:
    flow = run.summary["flows"][0]
    return 100.0 * flow["losses_detected"] / flow["sent_packets"]


SUMMARY = (
    st.Column("goodput, Mbit/s", first),
    st.Column("queueing delay, ms", st.each(st.mean_queue_ms), 1),
    st.Column("95 % RTT, ms", st.each(lambda run: st.given(run.summary["flows"][0]["rtt_ms"])["p95"]), 0),
    st.Column("lost %", st.each(lost_percent)),
    st.Column("timeouts", st.each(lambda run: run.summary["flows"][0]["timeouts"]), 1),
)


def summary(runs: st.Runs, labels: Iterable[str]) -> st.Sheet:
    lines: dict[st.Key, list[bp.Run]] = {(label,): runs.of(label) for label in labels}
    for made in lines.values():
        st.own_limit(made)
    return st.table(
        "Rio de Janeiro to Saint Petersburg at the shell's epoch; each seed has its start time",
        "controller",
        lines,
        SUMMARY,
    )


@st.reads(
    id="G-03",
    place="Problem 1: Improving Loss-Based CCA",
    what="one flow with a loss-based or a delay-based controller",
    says="Earlier results show that loss-based CCA work better",
    plan=lambda effort: over_starts(effort, "Reno", "CUBIC", "Vegas"),
    curves={"a": curves.LOSS_BASED},
)
def read_loss(runs: st.Runs) -> st.Finding:
    labels = ("Reno", "CUBIC", "Vegas")
    reno, vegas = first(runs.of("Reno")), first(runs.of("Vegas"))
    worse = sum(v < r for r, v in zip(reno, vegas, strict=True))
    trips = [st.series(run, "propagation_rtt_ms")[1] for run in runs.of("Reno")]
    swing = max(float(np.nanmax(trip) - np.nanmin(trip)) for trip in trips)
    return st.found(
        "Vegas never increases its smallest RTT, so it mistakes every longer path for a queue. Over a path whose "
        f"round trip changes by up to {swing:.0f} ms in a run, the goodput of Vegas is {st.sampled(vegas).mean:.2f} "
        f"Mbit/s, and that of Reno {st.sampled(reno).mean:.2f}. Vegas is slower than Reno in {worse} of {len(reno)} "
        "seeds. A Vegas that forgets its smallest RTT would not be slower (G-22)",
        *[
            st.claim(
                f"goodput of {label} minus Vegas's",
                st.paired(first(runs.of(label)), vegas),
                st.above("Mbit/s", 2),
                note=(
                    "We read “better” as goodput. The earlier results are presumably Hypatia's (NewReno and Vegas at "
                    "the shell's epoch). As a change in percent, the result is "
                    f"{bp.relative_change(first(runs.of(label)), vegas).text(0, '%')}"
                ),
                headline="Earlier results show Loss-based CCA work better" if label == "Reno" else "",
                decides=(
                    "How slow Vegas is depends on how often the path becomes longer, and thus on the epoch and the path"
                )
                if label == "Reno"
                else "",
            )
            for label in ("Reno", "CUBIC")
        ],
        summary(runs, labels),
    )


def plan_delay(effort: st.Effort) -> st.Plan:
    steps: dict[st.Key, bp.Scenario] = {
        ("longer", label, seed): longer(controller, seed, label)
        for (label, controller), seed in product(SINGLE.items(), effort.seeds)
    }
    return {**over_starts(effort, *SINGLE), **steps}


def before_and_after(run: bp.Run) -> tuple[float, float]:
    """Goodput in Mbit/s of the spans before and after the path became longer."""
    times, values = st.series(run, "goodput_mbit_s")
    before = values[(times > _AT_S - _LOOK_S) & (times <= _AT_S)]
    return float(before.mean()), float(values[times > _AT_S].mean())


def delay_scatter(runs: st.Runs) -> st.Figure:
    figure, (axis,) = plots.new(1, 1, width=7.5, height=4.0)
    for number, label in enumerate(SINGLE):
        colour = plots.COLOURS[number]
        made = runs.of(label)
        x, y = [st.mean_queue_ms(run) for run in made], first(made)
        axis.scatter(x, y, s=14, alpha=0.4, color=colour, linewidths=0)
        mean_x, mean_y = st.sampled(x), st.sampled(y)
        axis.errorbar(
            mean_x.mean, mean_y.mean, xerr=mean_x.half_width, yerr=mean_y.half_width,
            fmt="s", color=colour, capsize=3, label=label,
        )  # fmt: skip
    # Intervals of few seeds extend below zero and above the links' rate. They are drawn completely.
    axis.axhline(10.0, color="#555555", linestyle="--", linewidth=0.9, label="rate of the links")
    axis.set(xlabel="mean queueing delay (ms)", ylabel="goodput (Mbit/s)")
    axis.legend(fontsize="small", loc="lower right")
    return figure


@st.reads(
    id="G-16",
    place="Problem 2: Best of loss and delay based CCA",
    what="throughput and delay of Reno, CUBIC, Vegas, Copa, BBR",
    says=(
        "Buffer-filling algorithms increase the latency. Delay-based algorithms misinterpret an increase of the "
        "latency. Copa has high utilization and low delay"
    ),
    plan=plan_delay,
    curves={"a": curves.LOW_DELAY, "c": curves.HIGH_USE},
)
def read_delay(runs: st.Runs) -> st.Finding:
    queue = {label: [st.mean_queue_ms(run) for run in runs.of(label)] for label in SINGLE}
    good = {label: first(runs.of(label)) for label in SINGLE}
    used = {label: [100.0 * rate / RATE_MBIT_S for rate in rates] for label, rates in good.items()}
    # In a first look some controllers have fewer seeds.
    common = min(len(values) for values in good.values())
    where = "" if common == len(good["Reno"]) else f" in the {common} seeds that all have"
    each = ", ".join(
        f"{label} {st.sampled(good[label][:common]).mean:.2f}" for label in ("Copa", "Vegas", "Reno", "BBR")
    )
    steps = {label: [before_and_after(run) for run in runs.of("longer", label)] for label in SINGLE}
    change = {
        label: bp.relative_change([after for _, after in both], [before for before, _ in both])
        for label, both in steps.items()
    }
    lines = [
        [
            label,
            st.sampled([before for before, _ in both]).text(2),
            st.sampled([after for _, after in both]).text(2),
            st.change_text(change[label]),
        ]
        for label, both in steps.items()
    ]
    return st.found(
        "A controller that compares each RTT with the smallest RTT mistakes a longer path for a queue. If the path "
        f"becomes 20 ms longer, the goodput of Vegas changes by {change['Vegas'].mean:+.0f} % and that of Copa's "
        f"default mode by {change['Copa, default mode'].mean:+.0f} %. With mode switching, Copa takes the longer "
        f"path for the queue of a competing flow, and its goodput changes by {change['Copa'].mean:+.0f} %. The mean "
        f"queueing delay is {st.sampled(queue['Copa']).mean:.0f} ms with Copa and "
        f"{st.sampled(queue['Reno']).mean:.0f} ms with Reno. The goodput in Mbit/s{where} is: {each}",
        st.claim(
            "mean queueing delay of Reno compared with Copa's (“Increase latency”, “Low delay”)",
            bp.relative_change(queue["Reno"], queue["Copa"]),
            st.above(),
            headline="“Buffer filling algorithms”: “Increase latency”; Copa: “Low delay”",
            decides="Reno fills the queue and Copa does not; Copa's modes, the epoch and the path decide the size of "
            "the difference",
        ),
        st.claim(
            f"goodput of Vegas in the {_LOOK_S:g} s after a path became {_LONGER_MS:g} ms longer, compared with the "
            f"{_LOOK_S:g} s before (“Misinterpret”)",
            change["Vegas"],
            st.below(),
            note="The round trip of the path is 100 ms, and no other flow uses the path",
        ),
        st.claim(
            "utilisation of the path (goodput divided by 10 Mbit/s), Copa minus Vegas (“High utilization”)",
            st.paired(used["Copa"], used["Vegas"]),
            st.above("points"),
            note=f"The utilisation is {st.sampled(used['Copa']).text(0, '%')} with Copa, "
            f"{st.sampled(used['Vegas']).text(0, '%')} with Vegas and {st.sampled(used['Reno']).text(0, '%')} with "
            "Reno. The slides compare Copa with “Delay based algorithms”",
            headline="Copa: “High utilization”",
            decides=(
                "The slides give no number, so we read “high” as higher than Vegas's. How much goodput Vegas loses on "
                "longer paths depends on the epoch and the path; Copa's mode switching also has an effect"
            ),
        ),
        summary(runs, SINGLE),
        st.Sheet(
            f"Goodput in the {_LOOK_S:g} s before and after the round trip of a path grows from {_BASE_MS:g} ms by "
            f"{_LONGER_MS:g} ms",
            ("controller", "before, Mbit/s", "after, Mbit/s", "change"),
            lines,
        ),
        st.Picture(
            "Throughput and queueing delay of each controller and seed; squares: means with 95 % intervals",
            delay_scatter(runs),
        ),
    )


def plan_flight(effort: st.Effort, *labels: str) -> st.Plan:
    """Plan G-18 and G-19: one run each at Hypatia's epoch. These runs use no random numbers."""
    duration = effort.pick("100 s", "200 s")
    return {
        (label,): flight(SINGLE[label], 1, label, epoch=0.0, interval="250 ms", duration=duration) for label in labels
    }


def windows_and_trips(runs: st.Runs, labels: Sequence[str]) -> st.Figure:
    figure, (window, trips, rate) = plots.new(3, 1, height=2.3)
    for label in labels:
        colour = plots.COLOURS[list(SINGLE).index(label)]
        run = runs[(label,)]
        times, values = st.series(run, "cwnd_segments")
        window.plot(times, values, color=colour, linewidth=1.0, label=label)
        times, values = st.series(run, "rtt_ms")
        trips.plot(times, values, color=colour, linewidth=0.8, label=label)
        times, values = st.series(run, "goodput_mbit_s")
        rate.plot(times, plots.smooth(values, 4), color=colour, linewidth=0.9, label=label)
    times, values = st.series(runs[(labels[0],)], "propagation_rtt_ms")
    trips.plot(times, values, "--", color="#000000", linewidth=1.0, label="propagation")
    window.set(ylabel="cwnd (segments)", ylim=(0, 400))
    trips.set(ylabel="RTT (ms)", ylim=(80, 360))
    rate.set(xlabel="s", ylabel="goodput (Mbit/s)", ylim=(0, 12))
    for axis in (window, trips, rate):
        axis.set(xlim=(0, float(times[-1])))
    trips.legend(fontsize="small", ncols=3, loc="upper left")
    return figure


def lengthenings(run: bp.Run) -> list[tuple[float, float, float, float]]:
    """Each increase of the path's delay: time in s, increase in ms, Copa's target and the smallest goodput in Mbit/s.

    Copa's target is 1/(δ d_q) segments/s (Arun and Balakrishnan 2018, equation 1) with δ = 1/2. With an empty queue,
    d_q is the increase x, so the target is 2/x.
    """
    mss_bits = 8.0 * MSS_BYTES
    times, trip = st.series(run, "propagation_rtt_ms")
    changes = np.abs(np.diff(trip))
    rate = plots.smooth(st.series(run, "goodput_mbit_s")[1], 4)
    found: list[tuple[float, float, float, float]] = []
    for at in (int(found_at) + 1 for found_at in np.flatnonzero(np.diff(trip) > 3.0)):
        until = min(at + 40, times.size)
        until = next((later for later in range(at, until - 1) if not changes[later] < 1.0), until)
        if np.isnan(trip[max(0, at - 40) : until]).any():
            continue  # there was no path, so the loss of goodput is a timeout
        lengthening = float(trip[at] - np.nanmin(trip[max(0, at - 40) : at]))
        if until - at >= 8:
            target = 2.0 / (lengthening / 1e3) * mss_bits / 1e6
            found.append((float(times[at]), lengthening, target, float(rate[at + 4 : until].min())))
    return found


@st.reads(
    id="G-18",
    place="Copa for LEO satellite networks, figures “TCP CWND over time”, “TCP RTT measured over time”",
    what="Copa from Rio de Janeiro to Saint Petersburg",
    says="The slides show two pictures",
    plan=lambda effort: plan_flight(effort, "Reno", "Vegas", "Copa", "Copa, default mode"),
)
def read_copa(runs: st.Runs) -> st.Finding:
    labels = ("Reno", "Vegas", "Copa")
    longer_paths = {label: lengthenings(runs[(label,)]) for label in ("Copa", "Copa, default mode")}
    lines = [
        [label, f"{at:.1f}", f"{grown:.1f}", f"{target:.2f}", f"{least:.2f}"]
        for label, found in longer_paths.items()
        for at, grown, target, least in found
    ]
    short = [100.0 * (1.0 - least / target) for _, _, target, least in longer_paths["Copa, default mode"]]
    below = " to ".join(dict.fromkeys(f"{part:.0f}" for part in (min(short), max(short)))) if short else "some"
    times, trip = st.series(runs[("Copa",)], "propagation_rtt_ms")
    jumps = int(np.count_nonzero(np.abs(np.diff(trip)) > 1.0))
    away = times[np.isnan(trip)]
    gone = f", and there is no path from {away[0]:.0f} to {away[-1]:.0f} s" if away.size else ""
    good = {label: st.goodputs(runs[(label,)])[0] for label in (*labels, "Copa, default mode")}
    queue = {label: st.mean_queue_ms(runs[(label,)]) for label in good}
    return st.found(
        "The slides show only pictures, so this row has no claim. After the path becomes longer by x, Copa's default "
        f"mode aims at 2/x segments per second until it forgets its smallest RTT. Its rate is {below} % below 2/x, "
        f"because Copa's own queue adds to x. The RTT jumps {jumps} times{gone}. The goodput in Mbit/s (and the "
        "queueing delay in ms) is: " + ", ".join(f"{label} {good[label]:.1f} ({queue[label]:.0f})" for label in good),
        st.Sheet(
            "After each change to a longer path: Copa's target 2/x, and the smallest goodput of one second within 10 s",
            ("controller", "at, s", "longer by x, ms", "2/x, Mbit/s", "least, Mbit/s"),
            lines,
        ),
        st.Picture(
            "TCP CWND, RTT and rate over time, Rio de Janeiro to Saint Petersburg, Hypatia's epoch",
            windows_and_trips(runs, labels),
        ),
        "The table leaves out changes to a longer path less than 10 s before or after a time without a path.",
        "With mode switching, Copa may mistake the longer path for competing traffic and increase its target above "
        "2/x.",
    )


@st.reads(
    id="G-19",
    place="Overview: Integrating BBR",
    what="BBR from Rio de Janeiro to Saint Petersburg",
    says="The slides name BBR and show no result",
    plan=lambda effort: plan_flight(effort, "BBR", "Copa", "Reno"),
)
def read_bbr(runs: st.Runs) -> st.Finding:
    good = {label: st.goodputs(runs[(label,)])[0] for label in ("BBR", "Copa", "Reno")}
    queue = {label: st.mean_queue_ms(runs[(label,)]) for label in good}
    return st.found(
        "The slides only name BBR, "
        "without a claim. BBR keeps "
        "its rate when the path "
        "becomes longer, because "
        "its window is two BDP and "
        "the path's round trip "
        "never doubles. The goodput "
        "in Mbit/s (and the "
        "queueing delay in ms) at "
        "Hypatia's epoch is: " + ", ".join(f"{label} {good[label]:.2f} ({queue[label]:.0f})" for label in good),
        st.Picture("BBR beside Copa and Reno on the same path, Hypatia's epoch", windows_and_trips(runs, list(good))),
    )
