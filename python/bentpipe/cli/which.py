# SPDX-License-Identifier: MIT OR Apache-2.0
"""Find the best controller and settings for a scenario.

Any number of the scenario may be a range: rtt = ["25 ms", "40 ms"]. Finished runs are kept in DIR, and after
an interruption the same command continues.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import tomli_w

from bentpipe._which import _defaults, _which, _words
from bentpipe._which._cases import read
from bentpipe.cli import options
from bentpipe.cli.console import note, progress, say, say_json, say_wrapped, table
from bentpipe.results.metrics import BY_KEY
from bentpipe.scenario.bench import Bench

if TYPE_CHECKING:
    import os

    from bentpipe._which._answer import Recommendation
    from bentpipe.results.metrics import Metric

#: A longer name is printed below the table.
_NAME = 26
#: Columns of the table after the score, as many as fit.
_COLUMNS = {
    "goodput_mbit_s": "goodput Mbit/s",
    "others_goodput_mbit_s": "others' Mbit/s",
    "completion_median_s": "median completion s",
    "completion_p95_s": "p95 completion s",
    "visit_median_s": "median visit s",
    "visit_p95_s": "p95 visit s",
    "page_median_s": "median page s",
    "page_p95_s": "p95 page s",
    "stalled_percent": "stalled %",
    "film_mbit_s": "film Mbit/s",
    "call_missed_percent": "frames missed %",
    "visits_done_percent": "done %",
    "queueing_p95_ms": "p95 queue ms",
    "loss_percent": "loss %",
}
#: The columns that are shown only if the aim uses them.
_FELT = [key for key in _COLUMNS if key.startswith(("visit", "page", "stalled", "film", "call", "completion_p95"))]
#: The columns that are not shown if every chosen flow ends, unless the aim uses them.
_RATES = ("goodput_mbit_s", "others_goodput_mbit_s")
_SHOWN = 3


def add(parser: options.Parser) -> None:
    """Add the options."""
    options.scenario(parser)
    parser.add_argument(
        "--controllers",
        default="all",
        metavar="A,B,C",
        help="candidates; fixed and tuned parameters are in braces: 'cubic{beta=0.5..0.9},bbr3' (default: all)",
    )
    parser.add_argument(
        "--slow-starts",
        default="all",
        metavar="NAMES",
        help="slow starts to try with each controller; 'own' means only the controller's own slow start (default: all)",
    )
    parser.add_argument(
        "--for",
        dest="aim",
        default="balanced",
        metavar="AIM",
        help=f"{', '.join(_defaults.AIMS)}, or weights such as goodput=2,delay=1 (default: balanced)",
    )
    parser.add_argument(
        "--over",
        action="append",
        default=[],
        metavar="[NAME:]KEY=A,B",
        help="also choose the value of this key, for example flows.tcp.initial_window=10,30 (repeatable; NAME is the "
        "name in the output: 'initial window:flows.tcp.initial_window=10,30'). A range in the scenario file is "
        "different: it is a number that is not known",
    )
    parser.add_argument(
        "--flows", metavar="NAMES", help="choose the controller of only these flows, for example page,web*"
    )
    parser.add_argument(
        "--trials",
        type=options.whole(0),
        default=_defaults.TRIALS,
        metavar="N",
        help="number of settings to try for each of the best controllers; 0 turns tuning off (default "
        f"{_defaults.TRIALS})",
    )
    options.seeds(parser, _defaults.FRESH, what="number of fresh seeds for the report")
    parser.add_argument(
        "--seed",
        type=options.whole(),
        default=1,
        metavar="N",
        help="number that selects another set of seeds (default 1)",
    )
    parser.add_argument(
        "--jitter",
        metavar="TIME",
        help="delay the start of each flow by a random time of at most TIME, which depends on the seed (default: off; "
        "if a CUBIC flow measures the friendliness, the smallest round trip)",
    )
    options.out(parser, "folder for the answer and the store of runs (default out/NAME-which)")
    options.store(parser)
    options.results(parser, "the candidates in order")
    options.one_scenario(parser)


def run(chosen: options.Chosen) -> int:
    """Find, print and write the answer."""
    place = chosen.out or Path("out") / f"{Path(chosen.file).stem}-which"
    # Ranges are read and checked with the question.
    scenario = options.scenario_of(chosen.file, chosen, is_checked=False)
    with progress() as update:
        answer = _which.which(
            scenario,
            chosen.controllers,
            aim=chosen.aim,
            slow_starts=chosen.slow_starts,
            over=chosen.over,
            flows=chosen.flows,
            trials=chosen.trials,
            seeds=chosen.seeds,
            seed=chosen.seed,
            jitter=chosen.jitter,
            duration=options.duration_of(chosen, _middle(scenario)) if chosen.quick else chosen.duration,
            out=place,
            store=chosen.store,
            threads=chosen.threads,
            progress=update,
            force=chosen.force,
            costly=chosen.costly,
        )
    if chosen.json:
        recommended = None if answer.taken is None else answer.taken.key
        say_json({"recommended": recommended, "candidates": list(answer.table()), "notes": list(answer.notes)})
    _print(answer)
    for said in answer.notes:
        note(f"warning: {said}")
    for line in answer.findings:
        note(f"finding: {line}")
    for file in _which.write(answer, place):
        note(f"written: {file}")
    return 1 if _tell_failures(answer) else 0


def _middle(scenario: str | os.PathLike[str]) -> Bench:
    """Return the scenario with the middle of each range."""
    spread = read(scenario)
    return Bench.beside(tomli_w.dumps(spread.middle), spread.origin)


def _print(answer: Recommendation) -> None:
    for line in _words.above(answer):
        say_wrapped(line)
    say()
    _table(answer)
    for line in _words.below(answer):
        say_wrapped(line)


def _table(answer: Recommendation) -> None:
    its, digits = _words.unit(answer)
    shown = _shown(answer)
    behind = f"regret {its}".strip() if answer.cases else f"behind {its}".strip()
    head = ["rank", "candidate", behind, *(_COLUMNS[metric.key] for metric in shown)]
    rows, below = [], []
    for number, one in enumerate(answer.standings, 1):
        name = one.key
        if len(name) > _NAME:
            name = f"{one.candidate.name or 'as written'} [{number}]"
            below.append(f"[{number}] {one.key}")
        mark = " *" if one is answer.taken else ""
        values = [one.text(metric.key) for metric in shown]
        rows.append([str(one.rank or "–"), f"{name}{mark}", one.regret.text(digits), *values])
    over = f"mean over {answer.seeds} fresh seeds with 95 % interval, paired by seed; * marks the recommended candidate"
    if not answer.has_chance:
        over = "one run for each candidate, because every seed gives the same run; * marks the recommended candidate"
    table(head, rows, title=over, keys=2)
    for line in below:
        say_wrapped(line)


def _shown(answer: Recommendation) -> list[Metric]:
    """Return the columns: first the numbers of the aim, with the share of finished visits, then further numbers."""
    felt = [key for key, _ in answer.question.aim.terms if key in _FELT]
    first = [*felt, "visits_done_percent"] if felt and felt[0].startswith(("visit", "page")) else felt
    hidden = [*_FELT, *(_RATES if answer.question.ends else ())]
    if answer.question.ends:
        first = ["completion_median_s", *first]
    order = dict.fromkeys([*first, *(key for key in _COLUMNS if key not in hidden)])
    return [
        BY_KEY[key] for key in order if any(key in one.numbers or key in one.unfinished for one in answer.standings)
    ][:_SHOWN]


def _tell_failures(answer: Recommendation) -> int:
    """Print the candidates whose runs failed, with counts. A candidate of "all" that lacks a signal is only listed."""
    failed = [one for one in answer.beaten if one.error is not None and not _words.is_left_out(one)]
    for one in failed:
        assert one.error is not None  # noqa: S101 - checked in the line above
        note(f"error[{one.error.code}]: {one.candidate.key}: {one.error.message}")
    missing = dict.fromkeys(one.candidate.name for one in answer.beaten if _words.is_left_out(one))
    if missing:
        note(f"left out because the scenario lacks a signal: {', '.join(missing)}")
    return len(failed)
