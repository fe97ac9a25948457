# SPDX-License-Identifier: MIT OR Apache-2.0
"""Section 2: one property of each related algorithm, and the paper's judgements of these algorithms."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise, product
from typing import Any

import numpy as np

import bentpipe as bp
from bentpipe import study as st
from bentpipe_papers.a_liad import bed
from bentpipe_papers.a_liad.bed import scenario, single
from bentpipe_papers.a_liad.rows_fairness import length
from bentpipe_papers.a_liad.rows_losses import lossy

NEVER = 1e9
#: The receiver's window of the probing variants: the packets that fill the path.
RECEIVER_PACKETS = 714
#: Variants that probe with low-priority packets.
PROBING: Mapping[str, bed.Controller] = {
    name: {"name": controller, "rwnd": RECEIVER_PACKETS}
    for name, controller in (("Peach", "peach"), ("Peach+", "peach-plus"), ("Cherry", "cherry"))
}


def plan_related(effort: st.Effort) -> dict[st.Key, bp.Scenario]:
    runs: dict[st.Key, bp.Scenario] = {}
    for seed in effort.seeds:
        runs["start", "Westwood", seed] = single(
            "Westwood", seed, bed.PUBLISHED["Westwood"], interval="100 ms", events=True
        )
        for name in ("BIC", "CUBIC"):
            runs["growth", name, seed] = single(
                name, seed, bed.PUBLISHED[name], interval="100 ms", events=True, duration_s=effort.pick(60.0, 120.0)
            )
        fine: Any = {"per": 1e-3, "interval": "100 ms", "events": True, "duration_s": effort.pick(60.0, 120.0)}
        runs["loss", "Veno", seed] = single("Veno", seed, **fine)
        for name in ("jersey", "nj"):
            runs["loss", name, seed] = single(name, seed, name, warn_above=NEVER, **fine)
            runs["reverse", name, seed] = with_reverse(name, seed)
        for name, controller in PROBING.items():
            runs["probe", name, seed] = single(name, seed, controller, interval="100 ms", duration_s=10.0)
            runs["loss", name, seed] = single(name, seed, controller, **fine)
        for name in ("Veno", "NewReno"):
            runs["steady", name, seed] = single(name, seed, rtt_ms=100.0, events=True, duration_s=120.0)
        for name, rtt in (("Hybla", 300.0), ("NewReno", 25.0)):
            runs["rate", name, seed] = single(name, seed, rate_mbit_s=50.0, rtt_ms=rtt, per=1e-3, **length(effort))
        for rtt, rate in ((75.0, 40.0), (300.0, 10.0)):
            runs["epoch", "CUBIC", rtt, seed] = single(
                "CUBIC", seed, bed.PUBLISHED["CUBIC"], rtt_ms=rtt, rate_mbit_s=rate, duration_s=320.0, events=True
            )
    return runs


def with_reverse(name: str, seed: int) -> bp.Scenario:
    back = bp.Flow(name="reverse", controller="newreno", from_="3", to="0", start=f"{bed.spread(seed):.3f} s")
    return scenario(
        [bed.flow(name, name), back],
        seed,
        rtt_ms=100.0,
        per=1e-4,
        duration_s=60.0,
        warm_up_s=10.0,
        warn_above=20.0,
        interval="1 s",
    )


def two_trips_s(run: bp.Run) -> float:
    """Return the time of two round trips of the run's path plus one sample, in s."""
    return 2e-3 * bed.drawn_rtt_ms(bed.GEO_MS, int(run.summary["provenance"]["seed"])) + 0.1


def opened(run: bp.Run) -> float:
    times, values = st.series(run, "cwnd_segments")
    return float(values[np.searchsorted(times, two_trips_s(run))]) / RECEIVER_PACKETS


def early_packets(run: bp.Run) -> float:
    times, rates = st.series(run, "goodput_mbit_s")
    return float(rates[times <= two_trips_s(run)].sum()) * 0.1e6 / 8 / bed.MSS_BYTES


def overestimate(run: bp.Run) -> float:
    """Percent by which the controller's mean bandwidth estimate exceeds the delivered rate."""
    times, estimates = st.snapshot(run, "bandwidth_segments_per_s")
    delivered = st.goodputs(run)[0] * 1e6 / 8 / bed.MSS_BYTES
    return 100.0 * (float(estimates[times > 10.0].mean()) / delivered - 1.0)


def kept(run: bp.Run) -> float:
    return float(np.median([after / before for _, before, after in st.cuts(run, timeouts=False)]))


def between_cuts(run: bp.Run) -> float:
    times = [time for time, _, _ in st.cuts(run, timeouts=False) if time > 20.0]
    return float(np.diff(times).mean()) if len(times) > 1 else math.nan


def resent(run: bp.Run) -> float:
    flow = run.summary["flows"][0]
    losses = flow["losses"]
    return flow["retransmitted_packets"] / max(losses["queue"] + losses["error"] + losses["outage"], 1)


def early_growth(run: bp.Run) -> float:
    """Growth in the first half of the last span (over 5 s) without a reduction, divided by that of the second half."""
    times, windows = st.series(run, "cwnd_segments")
    edges = [*(time for time, _, _ in st.cuts(run)), float(times[-1])]
    begin, end = next(pair for pair in reversed(list(pairwise(edges))) if pair[1] - pair[0] > 5.0)
    start = float(times[times > begin + 2.5][0])  # more than two round trips later, the recovery is over
    end = float(times[times < end][-1]) if end < times[-1] else end
    low, middle, high = (float(np.interp(t, times, windows)) for t in (start, (start + end) / 2, end))
    return (middle - low) / max(high - middle, 1e-9)


def over(measure: Callable[[bp.Run], float], ours: Sequence[bp.Run], base: Sequence[bp.Run]) -> bp.Estimate:
    return st.sampled([measure(one) / measure(other) for one, other in zip(ours, base, strict=True)])


def claims_of_all(runs: st.Runs) -> list[st.Claim]:
    def lost(name: str, measure: Callable[[bp.Run], float]) -> list[float]:
        return [measure(run) for run in runs.of("loss", name)]

    def probed(name: str, measure: Callable[[bp.Run], float]) -> list[float]:
        return [measure(run) for run in runs.of("probe", name)]

    above = {name: [overestimate(run) for run in runs.of("reverse", name)] for name in ("jersey", "nj")}
    bdp = {seed: bed.bdp_packets(10.0, bed.drawn_rtt_ms(bed.GEO_MS, seed)) for seed in runs.effort.seeds}
    in_all = st.sampled(lost("jersey", lambda run: float(len(st.cuts(run)))))
    return [
        st.claim(
            "window of Westwood after the loss that ends slow start, divided by the path's BDP (B RTTmin)",
            bp.estimate([st.cuts(runs["start", "Westwood", seed])[0][2] / path for seed, path in bdp.items()]),
            st.equals(1.0, "BDP", 3, within=0.05),
            note=(
                "Section 2 says “an effective end-to-end bandwidth estimation”. By Westwood's own paper, the window "
                "after a loss is the estimated bandwidth B multiplied by RTTmin"
            ),
        ),
        st.claim(
            "share of the window that Veno keeps at a loss with an empty queue",
            st.sampled(lost("Veno", lambda run: 100 * kept(run))),
            st.equals(80.0, check=True),
        ),
        st.claim(
            "time between losses of Veno divided by NewReno's (Veno “grows more conservatively” in congestion)",
            over(between_cuts, runs.of("steady", "Veno"), runs.of("steady", "NewReno")),
            st.above("", 2, than=1.0),
        ),
        st.claim(
            "window reductions of Jersey, except timeouts, in 120 s of link errors without a router's warning",
            st.sampled(lost("jersey", lambda run: float(len(st.cuts(run, timeouts=False))))),
            st.equals(0.0, "", within=0.5, check=True),
            note=f"If timeouts are included, Jersey's window has {in_all.text(1)} reductions",
        ),
        st.claim(
            "NJ's bandwidth estimate compared with its throughput, with traffic on the return path (“immune”)",
            bp.estimate(above["nj"]),
            st.equals(0.0),
        ),
        st.claim(
            "error of NJ's bandwidth estimate minus that of Jersey's, with traffic on the return path",
            st.paired(above["nj"], above["jersey"]),
            st.below("points"),
            note=f"Jersey's estimate is {bp.estimate(above['jersey']).text(1)} % above the throughput, and NJ's "
            f"{bp.estimate(above['nj']).text(1)} %",
        ),
        st.claim(
            "window of Peach after 2 round trips divided by the receive window (Sudden Start)",
            bp.estimate(probed("Peach", opened)),
            st.equals(1.0, "", 3, within=0.05, check=True),
            note="The receive window is 714 packets, the number of packets that fill the path",
        ),
        st.claim(
            "data that Cherry delivers in the first 2 round trips compared with Peach (Cherry's probes carry new data)",
            bp.relative_change(probed("Cherry", early_packets), probed("Peach", early_packets)),
            st.above(),
            letter="i",
        ),
        st.claim(
            "throughput of Hybla at 300 ms divided by NewReno's at 25 ms, PER 0.1 %",
            over(lambda run: st.goodputs(run)[0], runs.of("rate", "Hybla"), runs.of("rate", "NewReno")),
            st.equals(1.0, "", 3, within=0.05),
            letter="j",
            note=(
                "The paper says “the same instantaneous transmission rate with a comparatively fast reference "
                "connection”. If the window grew by one segment per round trip, this ratio would be "
                f"{25.0 / 300.0:.3f}"
            ),
        ),
        *(
            st.claim(
                f"growth of {name}'s window in the first half of an epoch divided by that in the second half",
                bp.estimate([early_growth(run) for run in runs.of("growth", name)]),
                st.above("", 2, than=1.0),
                letter=place,
            )
            for place, name in (("k", "BIC"), ("l", "CUBIC"))
        ),
        st.claim(
            "duration of CUBIC's epoch at 300 ms divided by that at 75 ms, same path capacity",
            over(between_cuts, runs.of("epoch", "CUBIC", 300.0), runs.of("epoch", "CUBIC", 75.0)),
            st.below("", 3, than=4.0),
            letter="m",
            note=(
                "The text says that CUBIC grows with elapsed time, but gives no ratio. NewReno's epoch would be four "
                "times as long, because it grows by one segment per round trip"
            ),
        ),
    ]


@st.reads(
    id="A-27",
    place="section 2",
    what="the related algorithms",
    says="Section 2 describes Westwood, Veno, Jersey, NJ, Peach, Peach+, Hybla, Cherry, BIC, CUBIC, LogWestwood+ and "
    "LIAD",
    plan=plan_related,
)
def read_related(runs: st.Runs) -> st.Finding:
    claims = claims_of_all(runs)
    real = [claim for claim in claims if not claim.check]
    return st.found(
        "This row measures one property of each algorithm that section 2 describes. "
        f"{sum(claim.verdict == 'holds' for claim in real)} of {len(real)} properties that could fail hold"
        + "".join(
            f". One property does not hold: {c.what} is {c.cells()[2]}, but the paper implies {c.cells()[1]}"
            for c in real
            if c.verdict == "fails"
        ),
        *claims,
        st.Sheet(
            "probing variants over GEO",
            (
                "variant",
                "window after 2 RTT / receive window",
                "data in these 2 RTT, packets",
                "retransmissions per packet lost",
            ),
            [
                [
                    name,
                    bp.estimate([opened(run) for run in runs.of("probe", name)]).text(3),
                    bp.estimate([early_packets(run) for run in runs.of("probe", name)]).text(0),
                    bp.estimate([resent(run) for run in runs.of("loss", name)]).text(3),
                ]
                for name in PROBING
            ],
        ),
        "In Peach+, “NIL segments repair losses”. The dummy segments of our Peach already repeat unacknowledged "
        "data, so our Peach+ is the same code, and has no claim.",
        "A-06 and A-08 measure the increase of LogWestwood+ and LIAD with alpha = 2.",
        "The study of CSMA networks [24] proposes no transport protocol, so there is nothing to measure.",
        "LIAD's own paper was not available to us, so LIAD* is A-LIAD with alpha = 2.",
    )


MATRIX = ("newreno", "cubic", "bic", "stcp", "hstcp", "hybla", "westwood", "westwood-plus", "log-westwood-plus", "liad")
MATRIX_MORE = ("veno", "jersey", "nj", "peach", "peach-plus", "cherry", "a-liad-paper")
OF_ROUTERS = {"low-priority probes": "priority in every router", "congestion-warning marks": "marks by every router"}


@st.reads(
    id="A-28",
    place="section 2",
    what="judgements of the related algorithms",
    says="Veno has no significant effect compared with the standard algorithms. Jersey, NJ and the Peach family need "
    "support in all routers",
    plan=lambda effort: {
        (per, name, seed): lossy(name, per, seed, effort)
        for per, name, seed in product((1e-4, 1e-3, 1e-2), ("Veno", "NewReno"), effort.seeds)
    },
)
def read_judgements(runs: st.Runs) -> st.Finding:
    gain = {
        per: bp.relative_change(
            [st.goodputs(run)[0] for run in runs.of(per, "Veno")],
            [st.goodputs(run)[0] for run in runs.of(per, "NewReno")],
        )
        for per in (1e-4, 1e-3, 1e-2)
    }
    known = {str(one["name"]): one for one in bp.controllers()}
    rows = []
    for name in (*MATRIX, *MATRIX_MORE):
        requires = str(known[name]["requires"]).split(", ")
        routers = [OF_ROUTERS[signal] for signal in requires if signal in OF_ROUTERS]
        rows.append([name, "; ".join(routers) or "nothing", ", ".join(requires)])
    return st.found(
        f"Over GEO, Veno's throughput compared with NewReno's changes by {gain[1e-3].mean:+.0f} % at PER 0.1 %, and "
        f"by {gain[1e-2].mean:+.0f} % at PER 1 %. Veno keeps 0.8 of the window at random losses instead of 0.5. By "
        "the square-root law (sqrt((2 - b)/(2 b))), the gain is 73 %, although both controllers leave nine tenths of "
        "the link unused. Jersey and NJ cannot run without marks by routers, and Peach and Cherry cannot run without "
        "priorities",
        st.claim(
            "throughput of Veno compared with NewReno, GEO, PER 0.1 % (“no significant effect”)",
            gain[1e-3],
            st.equals(0.0, within=10.0),
            note=(
                "The text cites [17] for this, and names no network. We read “no significant effect” as less than a "
                "tenth"
            ),
        ),
        st.Sheet(
            "Veno's throughput compared with NewReno's over GEO",
            ("PER", "change of throughput"),
            [[f"{100 * per:g} %", st.change_text(one)] for per, one in gain.items()],
        ),
        st.Sheet(
            "signals that each controller requires from the network",
            ("controller", "routers", "signals"),
            rows,
        ),
        refusal(),
    )


def refusal() -> str:
    try:
        bp.run(single("jersey", 1, "jersey", duration_s=1.0))
    except bp.ScenarioError as problem:
        return f"If no router marks packets, Jersey is refused: {str(problem).splitlines()[0]}"
    raise AssertionError("Jersey ran without marks")
