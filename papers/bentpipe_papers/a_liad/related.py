# SPDX-License-Identifier: MIT OR Apache-2.0
"""One property of each related algorithm that section 2 describes, as claims from the runs of A-27."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

import bentpipe as bp
from bentpipe.study import Claim, goodputs, sampled, series, snapshot
from bentpipe.study import cuts as cuts_of
from bentpipe_papers.a_liad import bed

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bentpipe.study import Runs

#: The receiver's window of the probing variants: what the path holds.
RECEIVER_PACKETS = 714
#: Variants that probe with packets of low priority.
PROBING: Mapping[str, bed.Controller] = {
    name: {"name": controller, "rwnd": RECEIVER_PACKETS}
    for name, controller in (("Peach", "peach"), ("Peach+", "peach-plus"), ("Cherry", "cherry"))
}


def claims_of_all(runs: Runs) -> list[Claim]:
    """What section 2 says of its algorithms, in its order."""
    return [
        westwood(runs),
        *veno(runs),
        *jersey_and_nj(runs),
        peach(runs),
        peach_plus(runs),
        cherry(runs),
        hybla(runs),
        *bic_and_cubic(runs),
        cubic(runs),
    ]


def westwood(runs: Runs) -> Claim:
    """The window after a loss is what the estimated bandwidth fills."""
    bdp = {seed: bed.bdp_packets(10.0, bed.drawn_rtt_ms(bed.GEO_MS, seed)) for seed in runs.effort.seeds}
    cut = [cuts_of(runs["start", "Westwood", seed])[0][2] / path for seed, path in bdp.items()]
    return Claim(
        what="Westwood: window after the loss of slow start, of the path (B RTTmin)",
        measured=bp.estimate(cut),
        paper=1.0,
        unit="BDP",
        tolerance=0.05,
        digits=3,
        note="section 2 has “an effective end-to-end bandwidth estimation”, Westwood's own paper B RTTmin",
    )


def veno(runs: Runs) -> list[Claim]:
    """It keeps four fifths at a loss on an empty queue, and grows more slowly on a full one."""
    seeds = runs.effort.seeds
    slower = [
        between_cuts(runs["steady", "Veno", seed]) / between_cuts(runs["steady", "NewReno", seed]) for seed in seeds
    ]
    return [
        Claim(
            what="Veno: share of the window kept at a loss on an empty queue",
            measured=sampled([100 * kept(runs["loss", "Veno", seed]) for seed in seeds]),
            paper=80.0,
            check=True,
        ),
        Claim(
            what="Veno grows more conservatively in congestion: time between losses over NewReno's",
            measured=sampled(slower),
            sign=1,
            neutral=1.0,
            unit="",
            digits=2,
        ),
    ]


def jersey_and_nj(runs: Runs) -> list[Claim]:
    """Jersey answers warnings alone, and NJ's estimate is not deceived by traffic on the way back."""
    seeds = runs.effort.seeds
    over = {name: [overestimate(run) for run in runs.of("reverse", name)] for name in ("jersey", "nj")}
    in_all = [float(len(cuts_of(runs["loss", "jersey", seed]))) for seed in seeds]
    return [
        Claim(
            what="Jersey: reductions in 120 s of link errors without a router's warning, timeouts aside",
            measured=sampled([float(len(cuts_of(runs["loss", "jersey", seed], timeouts=False))) for seed in seeds]),
            paper=0.0,
            unit="",
            tolerance=0.5,
            check=True,
            note=f"with timeouts {sampled(in_all).text(1)}",
        ),
        Claim(
            what="NJ's estimate above its throughput, with traffic on the way back (“immune” to it)",
            measured=bp.estimate(over["nj"]),
            paper=0.0,
        ),
        Claim(
            what="NJ's estimate stands less above the throughput than Jersey's, with traffic on the way back, by "
            "points",
            measured=bp.estimate([a - b for a, b in zip(over["nj"], over["jersey"], strict=True)]),
            sign=-1,
            unit="points",
            note=f"Jersey's estimate is {bp.estimate(over['jersey']).text(1)} % above it, NJ's "
            f"{bp.estimate(over['nj']).text(1)} %",
        ),
    ]


def peach(runs: Runs) -> Claim:
    """Sudden Start opens the receiver's window within two round trips."""
    return Claim(
        what="Peach: window after 2 round trips, of the receiver's (Sudden Start)",
        measured=bp.estimate(opened(runs, "Peach")),
        paper=1.0,
        unit="",
        tolerance=0.05,
        digits=3,
        check=True,
        note="the receiver's window is set to the path's 714 packets",
    )


def peach_plus(runs: Runs) -> Claim:
    """NIL segments carry what was lost."""
    return Claim(
        what="Peach+: retransmissions per packet lost against Peach (NIL segments repair losses)",
        measured=bp.relative_change(sent_again(runs, "Peach+"), sent_again(runs, "Peach")),
        sign=-1,
        check=True,
        note="our Peach+ is our Peach, whose dummy segments repeat unacknowledged data already",
    )


def cherry(runs: Runs) -> Claim:
    """Its probes carry data."""
    return Claim(
        what="Cherry: data of the first 2 round trips against Peach (its probes carry data not yet sent)",
        measured=bp.relative_change(early_packets(runs, "Cherry"), early_packets(runs, "Peach")),
        sign=1,
    )


def hybla(runs: Runs) -> Claim:
    """Its rate over a long path is that of a short one."""
    alike = [
        goodputs(runs["rate", "Hybla", seed])[0] / goodputs(runs["rate", "NewReno", seed])[0]
        for seed in runs.effort.seeds
    ]
    return Claim(
        what="Hybla over 300 ms against NewReno over 25 ms, PER 0.1 %: throughput",
        measured=bp.estimate(alike),
        paper=1.0,
        unit="",
        tolerance=0.05,
        digits=3,
        note="“the same instantaneous transmission rate with a comparatively fast reference connection”; a window "
        f"that grows once per round trip would have {25.0 / 300.0:.3f}",
    )


def bic_and_cubic(runs: Runs) -> list[Claim]:
    """They grow fast while the window is small, and gently near that of the last loss."""
    return [
        Claim(
            what=f"{name}: growth of the epoch's first half over its second (fast when small, gentle near W_max)",
            measured=bp.estimate([early_growth(runs["growth", name, seed]) for seed in runs.effort.seeds]),
            sign=1,
            neutral=1.0,
            unit="",
            digits=2,
        )
        for name in ("BIC", "CUBIC")
    ]


def cubic(runs: Runs) -> Claim:
    """Its growth is one of elapsed time, not of round trips."""
    epoch = [
        between_cuts(runs["epoch", "CUBIC", 300.0, seed]) / between_cuts(runs["epoch", "CUBIC", 75.0, seed])
        for seed in runs.effort.seeds
    ]
    return Claim(
        what="CUBIC grows with elapsed time: epoch at 300 ms over epoch at 75 ms, same path capacity",
        measured=sampled(epoch),
        paper=1.0,
        unit="",
        tolerance=0.05,
        digits=3,
        note="NewReno's would be four times as long: one segment per round trip",
    )


def opened(runs: Runs, name: str) -> list[float]:
    """Window of a probing variant after two round trips, of the receiver's, one per seed."""
    return [
        at(runs["probe", name, seed], "cwnd_segments", 2 * rtt_s(seed) + 0.1) / RECEIVER_PACKETS
        for seed in runs.effort.seeds
    ]


def early_packets(runs: Runs, name: str) -> list[float]:
    """What a probing variant has delivered after two round trips, one per seed."""
    return [delivered_packets(runs["probe", name, seed], 2 * rtt_s(seed) + 0.1) for seed in runs.effort.seeds]


def sent_again(runs: Runs, name: str) -> list[float]:
    """Retransmissions of a probing variant per packet lost, one per seed."""
    return [resent(runs["loss", name, seed]) for seed in runs.effort.seeds]


def rtt_s(seed: int) -> float:
    """Round trip of the path that a seed draws."""
    return 1e-3 * bed.drawn_rtt_ms(bed.GEO_MS, seed)


def overestimate(run: bp.Run) -> float:
    """Mean bandwidth that the controller estimates over what it delivers, less one, in percent."""
    times, estimates = snapshot(run, "bandwidth_segments_per_s")
    delivered = goodputs(run)[0] * 1e6 / 8 / bed.MSS_BYTES
    return 100.0 * (float(estimates[times > 10.0].mean()) / delivered - 1.0)


def kept(run: bp.Run) -> float:
    return float(np.median([after / before for _, before, after in cuts_of(run, timeouts=False)]))


def between_cuts(run: bp.Run) -> float:
    times = [time for time, _, _ in cuts_of(run, timeouts=False) if time > 20.0]
    return float(np.diff(times).mean()) if len(times) > 1 else math.nan


def at(run: bp.Run, column: str, time_s: float) -> float:
    times, values = series(run, column)
    return float(values[np.searchsorted(times, time_s)])


def delivered_packets(run: bp.Run, until_s: float) -> float:
    times, rates = series(run, "goodput_mbit_s")
    return float(rates[times <= until_s].sum()) * 0.1e6 / 8 / bed.MSS_BYTES


def resent(run: bp.Run) -> float:
    flow = run.summary["flows"][0]
    losses = flow["losses"]
    return flow["retransmitted_packets"] / max(losses["queue"] + losses["error"] + losses["outage"], 1)


def early_growth(run: bp.Run) -> float:
    """Growth in the first half of the last stretch between cuts of over 5 s over that in its second half."""
    times, windows = series(run, "cwnd_segments")
    edges = [*(time for time, _, _ in cuts_of(run)), float(times[-1])]
    begin, end = next(pair for pair in reversed(list(pairwise(edges))) if pair[1] - pair[0] > 5.0)
    start = float(times[times > begin + 2.5][0])  # two round trips and more: the recovery is over
    end = float(times[times < end][-1]) if end < times[-1] else end
    low, middle, high = (float(np.interp(t, times, windows)) for t in (start, (start + end) / 2, end))
    return (middle - low) / max(high - middle, 1e-9)
