# SPDX-License-Identifier: MIT OR Apache-2.0
"""Tune the settings of a controller with optuna's tree-structured Parzen estimator."""

from __future__ import annotations

import warnings
from dataclasses import replace
from typing import TYPE_CHECKING

from bentpipe._which._candidates import Candidate, changed, is_possible, settings
from bentpipe.scenario.choice import Choice

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import optuna

    from bentpipe._which._candidates import Setting
    from bentpipe.base.json import Json

#: Number of trials at a time. It does not depend on the number of threads, so results do not depend on it either.
_BATCH = 4
#: If a setting causes less than this fraction of the total gain, it keeps its default.
_LEAST = 0.1


def tune(
    start: Candidate, regret: Callable[[Sequence[Candidate]], Sequence[float | None]], *, trials: int, seed: int
) -> Candidate | None:
    """Return the best settings found for a controller; None if they are not better than the initial settings.

    Args:
        start: The controller after the race.
        regret: Function that returns the regrets of some candidates on the tuning seeds; None without a score.
        trials: Number of settings to try.
        seed: Seed of the sampler.
    """
    wanted = start.settings if start.settings is not None else settings(start.name)
    if start.choice is None or not wanted or not trials:
        return None
    found = _search(start, wanted, regret, trials, seed)
    (before,) = regret([start])
    (after,) = regret([found])
    if after is None or (before is not None and after >= before):
        return None
    return found if before is None else _pruned(start, found, before, after, regret)


def _search(
    start: Candidate,
    wanted: Sequence[Setting],
    regret: Callable[[Sequence[Candidate]], Sequence[float | None]],
    trials: int,
    seed: int,
) -> Candidate:
    import optuna

    optuna.logging.set_verbosity(optuna.logging.WARNING)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        sampler = optuna.samplers.TPESampler(seed=seed)
        study = optuna.create_study(sampler=sampler)
        study.enqueue_trial(_first(start, wanted))
        best: tuple[float, Candidate] | None = None
        while len(study.trials) < trials:
            asked = [study.ask() for _ in range(min(_BATCH, trials - len(study.trials)))]
            made = [_made(start, wanted, trial) for trial in asked]
            usable = [one for one in made if one.choice is not None and is_possible(one.choice)]
            values = dict(zip((one.key for one in usable), regret(usable), strict=True))
            for trial, one in zip(asked, made, strict=True):
                value = values.get(one.key)
                if value is None:
                    study.tell(trial, state=optuna.trial.TrialState.FAIL)
                    continue
                study.tell(trial, value)
                if best is None or value < best[0]:
                    best = value, one
    return start if best is None else best[1]


def _first(start: Candidate, wanted: Sequence[Setting]) -> dict[str, Json]:
    """Return the initial settings in the form of the sampler."""
    assert start.choice is not None  # noqa: S101 - checked before
    own = dict(start.choice.parameters)
    values = {one: own.get(one.name, one.default) for one in wanted}
    return {one.name: value if one.span is None else one.share(value) for one, value in values.items()}


def _made(start: Candidate, wanted: Sequence[Setting], trial: optuna.Trial) -> Candidate:
    assert start.choice is not None  # noqa: S101 - checked before
    values = {
        one.name: trial.suggest_categorical(one.name, one.values)
        if one.span is None
        else one.at(trial.suggest_float(one.name, 0.0, 1.0))
        for one in wanted
    }
    return _with(start, {**dict(start.choice.parameters), **values})


def _with(start: Candidate, values: dict[str, Json]) -> Candidate:
    """Return the controller with these settings, without settings that equal the catalogue's default."""
    made = Candidate(Choice(start.name, tuple(values.items())))
    return replace(start, choice=Choice(start.name, tuple(changed(made))))


def _pruned(
    start: Candidate,
    found: Candidate,
    before: float,
    after: float,
    regret: Callable[[Sequence[Candidate]], Sequence[float | None]],
) -> Candidate:
    """Return the settings without those that gain almost nothing, so that an answer is short."""
    assert start.choice is not None  # noqa: S101 - checked before
    assert found.choice is not None  # noqa: S101 - checked before
    most = after + _LEAST * (before - after)
    own = dict(start.choice.parameters)
    kept = dict(found.choice.parameters)
    for name in list(kept):
        without = {key: value for key, value in kept.items() if key != name}
        if name in own:
            without[name] = own[name]
        fewer = _with(start, without)
        if fewer.choice is None or fewer.key == found.key or not is_possible(fewer.choice):
            continue
        (value,) = regret([fewer])
        if value is not None and value <= most:
            kept = dict(fewer.choice.parameters)
    return _with(start, kept)
