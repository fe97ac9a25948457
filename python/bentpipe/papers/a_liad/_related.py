# SPDX-License-Identifier: MIT OR Apache-2.0
"""Section 2: one property of each related algorithm, and what the paper judges of them."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

import bentpipe as bp
from bentpipe.papers import _measure
from bentpipe.papers._claims import Claim
from bentpipe.papers._paper import Effort, Finding, Row, Sheet
from bentpipe.papers.a_liad import _net
from bentpipe.papers.a_liad._fairness import length
from bentpipe.papers.a_liad._losses import lossy
from bentpipe.papers.a_liad._net import scenario, single

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bentpipe.papers._paper import Key
    from bentpipe.papers._runs import Runs


_PROBING: Mapping[str, _net.Controller] = {
    name: {"name": controller, "rwnd": 721}
    for name, controller in (("Peach", "peach"), ("Peach+", "peach-plus"), ("Cherry", "cherry"))
}
_NEVER = 1e9


def _plan_27(effort: Effort) -> dict[Key, bp.Scenario]:
    runs: dict[Key, bp.Scenario] = {}
    for seed in effort.seeds:
        for name in ("Westwood", "A-LIAD", "CUBIC", "BIC", "NewReno"):
            runs["start", name, seed] = single(name, seed, interval="100 ms", events=True)
        fine: Any = {"per": 1e-3, "interval": "100 ms", "events": True, "duration_s": 120.0}
        runs["loss", "Veno", seed] = single("Veno", seed, **fine)
        for name in ("jersey", "nj"):
            runs["loss", name, seed] = single(name, seed, name, warn_above=_NEVER, **fine)
            runs["reverse", name, seed] = _with_reverse(name, seed)
        for name, controller in _PROBING.items():
            runs["probe", name, seed] = single(name, seed, controller, interval="100 ms", duration_s=10.0)
            runs["loss", name, seed] = single(name, seed, controller, **fine)
        for name in ("Veno", "NewReno"):
            runs["steady", name, seed] = single(name, seed, rtt_ms=100.0, events=True, duration_s=120.0)
        for name, rtt in (("Hybla", 300.0), ("NewReno", 25.0)):
            runs["rate", name, seed] = single(name, seed, rate_mbit_s=50.0, rtt_ms=rtt, per=1e-3, **length(effort))
        for rtt, rate in ((75.0, 40.0), (300.0, 10.0)):
            runs["epoch", "CUBIC", rtt, seed] = single(
                "CUBIC", seed, rtt_ms=rtt, rate_mbit_s=rate, duration_s=320.0, events=True
            )
    return runs


def _with_reverse(name: str, seed: int) -> bp.Scenario:
    back = bp.Flow(name="reverse", controller="newreno", from_="3", to="0", start=f"{_net.spread(seed):.3f} s")
    return scenario(
        [_net.flow(name, name), back],
        seed,
        rtt_ms=100.0,
        per=1e-4,
        duration_s=60.0,
        warm_up_s=10.0,
        warn_above=20.0,
        interval="1 s",
    )


def _overestimate(run: bp.Run) -> float:
    """Mean bandwidth that the controller estimates over what it delivers, less one, in percent."""
    times, estimates = _measure.snapshot(run, "bandwidth_segments_per_s")
    delivered = _measure.goodputs(run)[0] * 1e6 / 8 / _net.MSS_BYTES
    return 100.0 * (float(estimates[times > 10.0].mean()) / delivered - 1.0)


def _kept(run: bp.Run) -> float:
    return float(np.median([after / before for _, before, after in _measure.cuts(run, timeouts=False)]))


def _between_cuts(run: bp.Run) -> float:
    times = [time for time, _, _ in _measure.cuts(run, timeouts=False) if time > 20.0]
    return float(np.diff(times).mean()) if len(times) > 1 else math.nan


def _at(run: bp.Run, column: str, time_s: float) -> float:
    times, values = _measure.series(run, column)
    return float(values[np.searchsorted(times, time_s)])


def _read_27(runs: Runs) -> Finding:
    seeds = runs.effort.seeds
    bdp = {seed: _net.bdp_packets(10.0, _net.drawn_rtt_ms(_net.GEO_MS, seed)) for seed in seeds}
    rtt_s = {seed: 1e-3 * _net.drawn_rtt_ms(_net.GEO_MS, seed) for seed in seeds}
    cut = [_measure.cuts(runs["start", "Westwood", seed])[0][2] / bdp[seed] for seed in seeds]
    slower = [
        _between_cuts(runs["steady", "Veno", seed]) / _between_cuts(runs["steady", "NewReno", seed]) for seed in seeds
    ]
    opened = {
        name: [_at(runs["probe", name, seed], "cwnd_segments", 2 * rtt_s[seed] + 0.1) / 721 for seed in seeds]
        for name in _PROBING
    }
    early = {
        name: [_delivered(runs["probe", name, seed], 2 * rtt_s[seed] + 0.1) for seed in seeds] for name in _PROBING
    }
    again = {name: [_resent(runs["loss", name, seed]) for seed in seeds] for name in _PROBING}
    alike = [
        _measure.goodputs(runs["rate", "Hybla", seed])[0] / _measure.goodputs(runs["rate", "NewReno", seed])[0]
        for seed in seeds
    ]
    epoch = [
        _between_cuts(runs["epoch", "CUBIC", 300.0, seed]) / _between_cuts(runs["epoch", "CUBIC", 75.0, seed])
        for seed in seeds
    ]
    over = {name: [_overestimate(run) for run in runs.of("reverse", name)] for name in ("jersey", "nj")}
    in_all = [float(len(_measure.cuts(runs["loss", "jersey", seed]))) for seed in seeds]
    claims = [
        Claim(
            what="Westwood: window after the loss of slow start, of the path (B RTTmin)",
            measured=bp.estimate(cut),
            paper=1.0,
            unit="BDP",
            tolerance=0.05,
            digits=3,
        ),
        Claim(
            what="Veno: share of the window kept at a loss on an empty queue",
            measured=_measure.sampled([100 * _kept(runs["loss", "Veno", seed]) for seed in seeds]),
            paper=80.0,
            check=True,
        ),
        Claim(
            what="Veno grows more conservatively in congestion: time between losses over NewReno's",
            measured=_measure.sampled(slower),
            sign=1,
            neutral=1.0,
            unit="",
            digits=2,
        ),
        Claim(
            what="Jersey: reductions in 120 s of link errors without a router's warning, timeouts aside",
            measured=_measure.sampled(
                [float(len(_measure.cuts(runs["loss", "jersey", seed], timeouts=False))) for seed in seeds]
            ),
            paper=0.0,
            unit="",
            tolerance=0.5,
            check=True,
            note=f"with timeouts {_measure.sampled(in_all).text(1)}",
        ),
        Claim(
            what="NJ's estimate above its throughput, with traffic on the way back («immune» to it)",
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
        Claim(
            what="Peach: window after 2 round trips, of the receiver's (Sudden Start)",
            measured=bp.estimate(opened["Peach"]),
            paper=1.0,
            unit="",
            tolerance=0.05,
            digits=3,
            check=True,
            note="the receiver's window is set to the path's 721 packets",
        ),
        Claim(
            what="Peach+: retransmissions per packet lost against Peach (NIL segments repair losses)",
            measured=bp.relative_change(again["Peach+"], again["Peach"]),
            sign=-1,
            check=True,
            note="our Peach+ is our Peach, whose dummy segments repeat unacknowledged data already",
        ),
        Claim(
            what="Cherry: data of the first 2 round trips against Peach (its probes carry data not yet sent)",
            measured=bp.relative_change(early["Cherry"], early["Peach"]),
            sign=1,
        ),
        Claim(
            what="Hybla over 300 ms against NewReno over 25 ms, PER 0.1 %: throughput",
            measured=bp.estimate(alike),
            paper=1.0,
            unit="",
            tolerance=0.05,
            digits=3,
            note="«the same instantaneous transmission rate with a comparatively fast reference connection»; a window "
            f"that grows once per round trip would have {25.0 / 300.0:.3f}",
        ),
        *(
            Claim(
                what=f"{name}: growth of the epoch's first half over its second (fast when small, gentle near W_max)",
                measured=bp.estimate([_early_growth(runs["start", name, seed]) for seed in seeds]),
                sign=1,
                neutral=1.0,
                unit="",
                digits=2,
            )
            for name in ("BIC", "CUBIC")
        ),
        Claim(
            what="CUBIC grows with elapsed time: epoch at 300 ms over epoch at 75 ms, same path capacity",
            measured=_measure.sampled(epoch),
            paper=1.0,
            unit="",
            tolerance=0.05,
            digits=3,
            note="NewReno's would be four times as long: one segment per round trip",
        ),
    ]
    real = [claim for claim in claims if not claim.check]
    return Finding(
        why="one property of each algorithm that section 2 describes, measured in runs: of those that do not hold by "
        f"construction {sum(claim.verdict in ('reproduced', 'direction only') for claim in real)} of {len(real)} hold, "
        "in number or direction"
        + "".join(
            f"; not so: {c.what}: {c.cells()[2]}, paper {c.cells()[1]}" for c in real if c.verdict == "not reproduced"
        ),
        claims=claims,
        sheets=[
            Sheet(
                "probing variants over GEO",
                ("variant", "window after 2 RTT, of rwnd", "data by then, packets", "retransmissions per packet lost"),
                [
                    [
                        name,
                        bp.estimate(opened[name]).text(3),
                        bp.estimate(early[name]).text(0),
                        bp.estimate(again[name]).text(3),
                    ]
                    for name in _PROBING
                ],
            )
        ],
        notes=[
            "LogWestwood+ and LIAD: their increase with alpha = 2 is measured in A-06 and A-08.",
            "The study of CSMA networks [24] proposes no transport protocol: there is nothing to measure.",
            "LIAD's own paper was not available: LIAD* is A-LIAD with alpha = 2.",
        ],
    )


def _delivered(run: bp.Run, until_s: float) -> float:
    times, rates = _measure.series(run, "goodput_mbit_s")
    return float(rates[times <= until_s].sum()) * 0.1e6 / 8 / _net.MSS_BYTES


def _resent(run: bp.Run) -> float:
    flow = run.summary["flows"][0]
    return float(flow["retransmitted_packets"]) / float(max(sum(flow["losses"].values()), 1))


def _early_growth(run: bp.Run) -> float:
    """Growth in the first half of the last whole stretch of growth over that in its second half."""
    times, windows = _measure.series(run, "cwnd_segments")
    cuts = [time for time, _, _ in _measure.cuts(run)]
    end = float(times[-1])
    start = float(times[times > cuts[-1] + 2.5][0])  # two round trips and more: the recovery is over
    low, middle, high = (float(np.interp(t, times, windows)) for t in (start, (start + end) / 2, end))
    return (middle - low) / max(high - middle, 1e-9)


def _plan_28(effort: Effort) -> dict[Key, bp.Scenario]:
    return {
        (per, name, seed): lossy(name, per, seed, effort)
        for per in (1e-4, 1e-3, 1e-2)
        for name in ("Veno", "NewReno")
        for seed in effort.seeds
    }


_MATRIX = (
    "newreno",
    "cubic",
    "bic",
    "stcp",
    "hstcp",
    "hybla",
    "westwood",
    "westwood-plus",
    "log-westwood-plus",
    "liad",
)
_MATRIX_MORE = ("veno", "jersey", "nj", "peach", "peach-plus", "cherry", "a-liad-paper")
_OF_ROUTERS = {"low-priority probes": "priority in every router", "congestion-warning marks": "marks by every router"}


def _read_28(runs: Runs) -> Finding:
    gain = {
        per: bp.relative_change(
            [_measure.goodputs(run)[0] for run in runs.of(per, "Veno")],
            [_measure.goodputs(run)[0] for run in runs.of(per, "NewReno")],
        )
        for per in (1e-4, 1e-3, 1e-2)
    }
    known = {str(one["name"]): one for one in bp.controllers()}
    rows = []
    for name in (*_MATRIX, *_MATRIX_MORE):
        requires = str(known[name]["requires"]).split(", ")
        routers = [_OF_ROUTERS[signal] for signal in requires if signal in _OF_ROUTERS]
        rows.append([name, "; ".join(routers) or "nothing", ", ".join(requires)])
    return Finding(
        why=f"Veno delivers {gain[1e-3].mean:+.0f} % against NewReno at PER 0.1 % and {gain[1e-2].mean:+.0f} % at 1 "
        "% over GEO: keeping 0.8 instead of 0.5 at random losses gains 73 % by the square-root law (sqrt((2 - b)/(2 "
        "b))), though both leave nine tenths of the link unused; Jersey and NJ cannot run without marks, Peach and "
        "Cherry without priority",
        claims=[
            Claim(
                what="Veno against NewReno, GEO, PER 0.1 %: throughput («no significant effect»)",
                measured=gain[1e-3],
                paper=0.0,
                tolerance=10.0,
                note="a tenth would be called insignificant",
            )
        ],
        sheets=[
            Sheet(
                "Veno against NewReno over GEO",
                ("PER", "change of throughput"),
                [[f"{100 * per:g} %", _measure.change_text(one)] for per, one in gain.items()],
            ),
            Sheet(
                "what the network has to do (the controllers' own list of signals)",
                ("controller", "routers", "signals"),
                rows,
            ),
        ],
        notes=[_refusal()],
    )


def _refusal() -> str:
    """What is said to Jersey where no router marks."""
    try:
        bp.run(single("jersey", 1, "jersey", duration_s=1.0))
    except bp.ScenarioError as problem:
        return f"Jersey where no router marks: {str(problem).splitlines()[0]}"
    raise AssertionError("Jersey ran without marks")


ROWS = (
    Row(
        id="A-27",
        place="section 2",
        what="the related algorithms",
        says="Westwood, Veno, Jersey, NJ, Peach, Peach+, Hybla, Cherry, BIC, CUBIC, LogWestwood+, LIAD: a "
        "description each",
        plan=_plan_27,
        read=_read_27,
    ),
    Row(
        id="A-28",
        place="section 2",
        what="judgements of the related algorithms",
        says="Veno has no significant effect over the standard algorithms; Jersey, NJ and the Peach family need all "
        "routers",
        plan=_plan_28,
        read=_read_28,
    ),
)
