# SPDX-License-Identifier: MIT OR Apache-2.0
"""Section 2: one property of each related algorithm, and what the paper judges of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import bentpipe as bp
from bentpipe.study import Claim, Effort, Finding, Row, Sheet, change_text, goodputs
from bentpipe_papers.a_liad import bed, related
from bentpipe_papers.a_liad.bed import scenario, single
from bentpipe_papers.a_liad.rows_fairness import length
from bentpipe_papers.a_liad.rows_losses import lossy

if TYPE_CHECKING:
    from bentpipe.study import Key, Runs


NEVER = 1e9


def plan_related(effort: Effort) -> dict[Key, bp.Scenario]:
    runs: dict[Key, bp.Scenario] = {}
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
        for name, controller in related.PROBING.items():
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


def read_related(runs: Runs) -> Finding:
    claims = related.claims_of_all(runs)
    real = [claim for claim in claims if not claim.check]
    return Finding(
        why="one property of each algorithm that section 2 describes, measured in runs: of those that do not hold by "
        f"construction {sum(claim.verdict == 'holds' for claim in real)} of {len(real)} hold, "
        "on the claimed side"
        + "".join(f"; not so: {c.what}: {c.cells()[2]}, paper {c.cells()[1]}" for c in real if c.verdict == "fails"),
        claims=claims,
        sheets=[
            Sheet(
                "probing variants over GEO",
                ("variant", "window after 2 RTT, of rwnd", "data by then, packets", "retransmissions per packet lost"),
                [
                    [
                        name,
                        bp.estimate(related.opened(runs, name)).text(3),
                        bp.estimate(related.early_packets(runs, name)).text(0),
                        bp.estimate(related.sent_again(runs, name)).text(3),
                    ]
                    for name in related.PROBING
                ],
            )
        ],
        notes=[
            "LogWestwood+ and LIAD: their increase with alpha = 2 is measured in A-06 and A-08.",
            "The study of CSMA networks [24] proposes no transport protocol: there is nothing to measure.",
            "LIAD's own paper was not available: LIAD* is A-LIAD with alpha = 2.",
        ],
    )


def plan_judgements(effort: Effort) -> dict[Key, bp.Scenario]:
    return {
        (per, name, seed): lossy(name, per, seed, effort)
        for per in (1e-4, 1e-3, 1e-2)
        for name in ("Veno", "NewReno")
        for seed in effort.seeds
    }


MATRIX = (
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
MATRIX_MORE = ("veno", "jersey", "nj", "peach", "peach-plus", "cherry", "a-liad-paper")
OF_ROUTERS = {"low-priority probes": "priority in every router", "congestion-warning marks": "marks by every router"}


def read_judgements(runs: Runs) -> Finding:
    gain = {
        per: bp.relative_change(
            [goodputs(run)[0] for run in runs.of(per, "Veno")],
            [goodputs(run)[0] for run in runs.of(per, "NewReno")],
        )
        for per in (1e-4, 1e-3, 1e-2)
    }
    known = {str(one["name"]): one for one in bp.controllers()}
    rows = []
    for name in (*MATRIX, *MATRIX_MORE):
        requires = str(known[name]["requires"]).split(", ")
        routers = [OF_ROUTERS[signal] for signal in requires if signal in OF_ROUTERS]
        rows.append([name, "; ".join(routers) or "nothing", ", ".join(requires)])
    return Finding(
        why=f"Veno delivers {gain[1e-3].mean:+.0f} % against NewReno at PER 0.1 % and {gain[1e-2].mean:+.0f} % at 1 "
        "% over GEO: keeping 0.8 instead of 0.5 at random losses gains 73 % by the square-root law (sqrt((2 - b)/(2 "
        "b))), though both leave nine tenths of the link unused; Jersey and NJ cannot run without marks, Peach and "
        "Cherry without priority",
        claims=[
            Claim(
                what="Veno against NewReno, GEO, PER 0.1 %: throughput (“no significant effect”)",
                measured=gain[1e-3],
                paper=0.0,
                tolerance=10.0,
                note="the text cites [17] and names no network; a tenth is our bound of “no significant effect”",
            )
        ],
        sheets=[
            Sheet(
                "Veno against NewReno over GEO",
                ("PER", "change of throughput"),
                [[f"{100 * per:g} %", change_text(one)] for per, one in gain.items()],
            ),
            Sheet(
                "what the network has to do (the controllers' own list of signals)",
                ("controller", "routers", "signals"),
                rows,
            ),
        ],
        notes=[refusal()],
    )


def refusal() -> str:
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
        plan=plan_related,
        read=read_related,
    ),
    Row(
        id="A-28",
        place="section 2",
        what="judgements of the related algorithms",
        says="Veno has no significant effect over the standard algorithms; Jersey, NJ and the Peach family need all "
        "routers",
        plan=plan_judgements,
        read=read_judgements,
    ),
)
