# SPDX-License-Identifier: MIT OR Apache-2.0
"""Choose controller and settings for a path."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from bentpipe import _core
from bentpipe._which._candidates import Candidate, candidates, over_values
from bentpipe._which._defaults import FRESH, TRIALS
from bentpipe._which._question import ask
from bentpipe.base import arguments
from bentpipe.base.errors import ScenarioError
from bentpipe.base.extras import needs
from bentpipe.base.files import refuse_foreign, whole, write_text
from bentpipe.runs.execute import opened
from bentpipe.runs.store import KEPT
from bentpipe.scenario.choice import Choice

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from bentpipe._which._answer import Recommendation
    from bentpipe._which._question import Question
    from bentpipe.scenario.classes import Scenario
    from bentpipe.scenario.settings import Setting

#: Names of the files that the command writes.
WRITTEN = [*KEPT, "which.toml", "ranking.csv", "cases.csv", "pareto.png"]


def which(
    scenario: str | os.PathLike[str] | Scenario,
    controllers: str | Sequence[str | Mapping[str, object]] = "all",
    *,
    aim: str | Mapping[str, float] = "balanced",
    slow_starts: str | Sequence[str] = "all",
    over: Sequence[str] = (),
    flows: str | Sequence[str] | None = None,
    trials: int = TRIALS,
    seeds: int = FRESH,
    seed: int = 1,
    jitter: str | None = None,
    duration: str | None = None,
    out: str | os.PathLike[str] | None = None,
    store: str | os.PathLike[str] | None = None,
    threads: int | None = None,
    progress: Callable[[int, int], None] | bool | None = None,
    force: bool = False,
    costly: bool = False,
) -> Recommendation:
    """Find the best controller and settings for a path.

    First, candidates race: candidates that are significantly worse than the leader are dropped, and the other
    candidates get more seeds. Then the best controllers are tuned, one candidate is chosen, and its gain is measured on
    seeds that no choice has used. Any number of the scenario may be a range (``rtt = ["25 ms", "40 ms"]``). With
    ranges, the candidate with the smallest regret over the ranges is chosen.

    Args:
        scenario: A file, TOML text, or a `Scenario`.
        controllers: As in `compare`; ``"all"`` is the catalogue. ``"cubic{beta=0.5..0.9}"`` tunes beta within these
            bounds.
        aim: An aim of `bentpipe compare --for`, "friendliness", or weights of logarithms, ``"goodput=2,delay=1"``, also
            as a table.
        slow_starts: "all", "own" (only the controller's own slow start), or names.
        over: Other keys of the scenario whose values are chosen too: ``"flows.tcp.initial_window=10,30"``. Every
            controller is tried with every combination of values. In contrast, a range in the scenario is a number that
            is not known.
        flows: Names (or patterns) of the flows whose controller is chosen. The default is all flows with a controller.
        trials: Number of settings to try for each of the best controllers. With 0, there is no tuning. Tuning needs the
            extra ``bentpipe[which]``.
        seeds: Number of seeds of the report.
        seed: Selects another set of seeds.
        jitter: Largest delay of the start of each flow, drawn by seed (see `compare`). If "friendliness" adds CUBIC
            flows, the default is the smallest round trip. With "off", nothing is drawn.
        duration: Replaces the scenario's duration, for example ``"10 s"``.
        out: Folder for the store of runs, so that finished runs are not repeated. Without a folder, nothing is written.
        store: File with the summaries of runs, by default in `out`. Several questions may share a file. Several
            machines may share a folder (``"folder/"``, or an address of fsspec such as ``"s3://bucket/folder"``).
        threads: Number of runs at a time, by default one per processor. Results do not depend on it.
        progress: Function that is called with (done, all) when runs finish. True shows the progress on stderr.
        force: Write into `out` even if it has other files. Files of the command are replaced; other files stay.
        costly: Make a run even if the estimate (`estimate_cost`) exceeds the free memory or disk.

    Raises:
        ScenarioError: If the scenario, a range, a candidate or an aim cannot be used. Then no run begins.
        BentpipeError: If the unchanged scenario does not run.
        KeyboardInterrupt: On Ctrl-C. Finished runs are in the store.
    """
    from bentpipe._which._rounds import Rounds
    from bentpipe._which._runs import Runs

    tried = arguments.whole("trials", trials, 0, 10_000)
    if tried:
        needs("optuna", "which", "tuning (trials above 0)")
    fresh = arguments.whole("seeds", seeds, 2, 10_000)
    first = arguments.whole("seed", seed, 1, 10_000)
    place = arguments.place("out", out)
    refuse_foreign(place, WRITTEN, force=force)
    named = [one.strip() for one in flows.split(",")] if isinstance(flows, str) else flows
    question = ask(scenario, aim, flows=named, jitter=jitter, duration=arguments.quantity("duration", duration, "10 s"))
    field = _field(question, candidates(controllers, slow_starts), over_values(arguments.names("over", over)))
    with opened(place, store, threads=threads, progress=progress, costly=costly) as batch:
        answer = Rounds(question, field, Runs(question, batch), first, tried).all(fresh)
        return replace(answer, store_notes=tuple(batch.archive.notes))


def _field(question: Question, some: Sequence[Candidate], over: Sequence[tuple[Setting, ...]]) -> list[Candidate]:
    """Return the scenario as written, and every candidate with every combination of values of other keys.

    If there are other keys, the controller of the scenario is a candidate, too.

    Raises:
        ScenarioError: If a value does not fit the scenario.
    """
    for values in over:
        bench = question.bench(0, values)
        try:
            _core.facts(bench.job())
        except ScenarioError as problem:
            said = " ".join(f"{setting.said}" for setting in values)
            raise ScenarioError(problem.code, f"--over {said}: {problem.message}") from None
    flows = question.benches[0].flows
    own = {choice.key: choice for choice in (Choice.of(flows[at]["controller"]) for at in sorted(question.targets))}
    # With other keys, the scenario's controller is a candidate like the others. If candidates are equal, it is the
    # first.
    written = Candidate(next(iter(own.values())) if len(own) == 1 else None)
    others = [one for one in some if one.key != written.key] if any(over) else some
    mine = next((one for one in some if one.key == written.key), written)
    some = [mine, *others] if any(over) else some
    return [Candidate(None), *(replace(one, over=values) for one in some for values in over)]


def write(answer: Recommendation, out: Path) -> list[Path]:
    """Write the files of the answer into a folder: scenario, tables, picture.

    Raises:
        RunError: If a file cannot be written.
    """
    from bentpipe import plots

    written = [out / "which.toml", out / "ranking.csv"]
    write_text(written[0], answer.scenario(out))
    answer.table().to_csv(written[1])
    if answer.cases:
        written.append(out / "cases.csv")
        answer.cases_table().to_csv(written[-1])
    written.append(out / "pareto.png")
    with whole(written[-1]) as place:
        plots.save(answer.plot(), place, "png")
    return written
