# SPDX-License-Identifier: MIT OR Apache-2.0
"""Copa's own experiment that the slides replicate: ten flows that start and end one after another (G-17)."""

from __future__ import annotations

from itertools import product

import numpy as np

import bentpipe as bp
from bentpipe import plots
from bentpipe import study as st
from bentpipe_papers.leo_study.bed import HYPATIA_TCP, chance

#: Controllers by label. PCC is read as its successor Vivace.
COMPARED = {"Copa": "copa", "CUBIC": "cubic", "BBR": "bbr1", "PCC Vivace": "vivace"}
_FLOWS, _RATE_MBIT_S, _END_S = 10, 46.0, 21.0
#: Each flow starts and stops at its own second plus a drawn delay of up to this time in s.
SPREAD_S = 0.2


def coming_and_going(controller: str, seed: int, label: str) -> bp.Scenario:
    """Each second one more flow starts, then each second one flow stops, in the order of the starts."""
    return bp.Scenario(
        name=f"Ten flows that start and end one after another: {label}",
        duration=f"{_END_S:g} s",
        seed=seed,
        network=bp.Dumbbell(rate=f"{_RATE_MBIT_S:g} Mbit/s", rtt="20 ms", queue="1 BDP"),
        tcp=HYPATIA_TCP,
        flows=[
            bp.Flow(
                name=f"{number}",
                controller=controller,
                start=f"{number + SPREAD_S * chance(seed, number):.3f} s",
                stop=f"{_FLOWS + 1 + number} s",
            )
            for number in range(_FLOWS)
        ],
        record=bp.Record(interval="100 ms", events=False),
    )


def rates(run: bp.Run) -> plots.Floats:
    """Goodput in Mbit/s by flow and second; NaN if the flow was not active for the whole second."""
    seconds = int(_END_S)
    found = np.full((_FLOWS, seconds), np.nan)
    for flow in range(_FLOWS):
        times, values = st.series(run, "goodput_mbit_s", flow)
        for second in range(flow + 1, min(_FLOWS + 1 + flow, seconds)):
            found[flow, second] = np.nansum(values[(times > second + 1e-6) & (times <= second + 1 + 1e-6)]) / 10.0
    return found


def indices(run: bp.Run) -> list[float]:
    found = rates(run)
    present = [found[~np.isnan(found[:, second]), second].tolist() for second in range(found.shape[1])]
    return [st.jain(values) for values in present if len(values) > 1]


def mean_delay_ms(run: bp.Run) -> float:
    return float(np.nanmean(np.concatenate([st.series(run, "queueing_delay_ms", f)[1] for f in range(_FLOWS)])))


def used(run: bp.Run) -> float:
    return 100.0 * st.given(run.summary["bottleneck"])["utilisation"]


FAIR = st.each(lambda run: np.median(indices(run)))
QUEUE = st.each(mean_delay_ms)


def draw(runs: st.Runs) -> st.Figure:
    figure, axes = plots.new(2, 3, width=10.5, height=2.6)
    seconds = np.arange(int(_END_S))
    present = np.array([sum(n <= s < _FLOWS + 1 + n for n in range(_FLOWS)) for s in seconds])
    for number, (label, axis) in enumerate(zip(COMPARED, (axes[0], axes[1], axes[3], axes[4]), strict=True)):
        found = rates(runs[label, runs.effort.seeds[0]])
        known = ~np.all(np.isnan(found), axis=0)
        mean, spread = np.nanmean(found[:, known], axis=0), np.nanstd(found[:, known], axis=0)
        x = seconds[known] + 0.5
        axis.plot(x, mean, color=plots.COLOURS[number], label="mean of the flows")
        axis.fill_between(x, mean - spread, mean + spread, color=plots.COLOURS[number], alpha=0.25, linewidth=0)
        axis.step(
            seconds,
            _RATE_MBIT_S / np.maximum(present, 1),
            where="post",
            color="#000000",
            linewidth=0.9,
            label="fair share",
        )
        axis.set(title=f"{label} (band: standard deviation)", yscale="log", ylim=(0.5, 60), xlim=(0, _END_S))
    for number, label in enumerate(COMPARED):
        values = np.sort([index for run in runs.of(label) for index in indices(run)])
        axes[2].step(values, np.linspace(0, 1, values.size), color=plots.COLOURS[number], label=label)
        queues = [st.series(run, "queueing_delay_ms", flow)[1] for run in runs.of(label) for flow in range(_FLOWS)]
        delays = np.concatenate(queues)
        points = np.sort(delays[~np.isnan(delays)])
        thin = points[:: max(1, points.size // 200)]
        axes[5].plot(thin, np.linspace(0, 1, thin.size), color=plots.COLOURS[number], label=label)
    axes[2].set(title="Jain's index of each second", xlabel="index", ylabel="share of seconds", xlim=(0.2, 1))
    axes[5].set(title="Queueing delay", xlabel="ms", ylabel="share of samples", xlim=(0, 25))
    for axis in (axes[0], axes[3]):
        axis.set(ylabel="Mbit/s")
    for axis in (axes[3], axes[4]):
        axis.set(xlabel="s")
    axes[0].legend(fontsize="x-small", loc="best")
    axes[2].legend(fontsize="small", loc="best")
    return figure


@st.reads(
    id="G-17",
    place="Copa: replicating results",
    what="Copa's figure of ten flows that start and end one after another: 46 Mbit/s, 20 ms",
    says="The slides show a figure of Arun and Balakrishnan (NSDI 2018) beside their own, without a number",
    # Every controller with every seed.
    plan=lambda effort: {
        (label, seed): coming_and_going(controller, seed, label)
        for (label, controller), seed in product(COMPARED.items(), effort.seeds)
    },
)
def read(runs: st.Runs) -> st.Finding:
    for label in COMPARED:
        st.own_limit(runs.of(label))
    fair, queue = ({label: measure(runs.of(label)) for label in COMPARED} for measure in (FAIR, QUEUE))
    said = [
        (f"median Jain index, compared with {other} (“fairer”)", bp.relative_change(fair["Copa"], fair[other]))
        for other in ("BBR", "PCC Vivace")
    ]
    said.append(
        ("queueing delay, compared with CUBIC (“less delay”)", bp.relative_change(queue["Copa"], queue["CUBIC"]))
    )
    return st.found(
        "The slides show the figure without a number, so this row has no claim. A table tests the statements of "
        "Copa's abstract. All flows of Copa have the same small target for the queue. The median Jain indices are: "
        + ", ".join(f"{label} {st.sampled(fair[label]).mean:.2f}" for label in COMPARED)
        + ". The mean queueing delays in ms are: "
        + ", ".join(f"{label} {st.sampled(queue[label]).mean:.0f}" for label in COMPARED)
        + ". CUBIC's index compared with Copa's is "
        + st.change_text(bp.relative_change(fair["CUBIC"], fair["Copa"])),
        st.table(
            "Ten flows that start and end one after another",
            "controller",
            {(label,): runs.of(label) for label in COMPARED},
            (
                st.Column("median Jain index", FAIR, 3),
                st.Column("queueing delay, ms", QUEUE),
                st.Column("utilisation %", st.each(used), 1),
                st.Column("lost %", st.loss_percent),
            ),
        ),
        st.Sheet(
            "Statements of Arun and Balakrishnan's abstract on Copa, measured here",
            ("measure", "Copa, here"),
            [[words, st.change_text(change)] for words, change in said],
        ),
        st.Picture(
            "Rates of ten flows that start and end one after another (first seed); Jain's index and queueing "
            "delay of all seeds",
            draw(runs),
        ),
        "The buffer of one BDP, and Vivace in place of PCC, are our choice, because the slides show only the figure.",
    )
