# SPDX-License-Identifier: MIT OR Apache-2.0
"""Bentpipe: a laboratory for congestion control over satellite networks.

>>> import bentpipe as bp
>>> run = bp.run("scenario.toml")  # doctest: +SKIP
>>> run.flows.to_pandas()  # doctest: +SKIP
"""

from bentpipe import _start as _start  # isort: skip - Ctrl-C is handled before anything else is loaded

import typing as _typing

from bentpipe import _core
from bentpipe._core import AckEvent, Control, LossEvent, Moment, MssEvent, PathEvent, StartEvent, TimeoutEvent
from bentpipe._sky import Sky, constellation, path
from bentpipe.base.errors import ArgumentError, BatchError, BentpipeError, Fault, RunError, ScenarioError
from bentpipe.base.stats import Estimate, estimate, fixed, relative_change
from bentpipe.base.tables import Table
from bentpipe.runs.make import estimate_cost, run, run_many
from bentpipe.runs.run import Run, load
from bentpipe.scenario.catalogue import constellations, controllers, sites, tcp_presets
from bentpipe.scenario.class_names import NAMES as _SCENARIO_CLASSES
from bentpipe.scenario.controller import Controller, register

if _typing.TYPE_CHECKING:
    from bentpipe._bottlenecks import bottlenecks
    from bentpipe._compare import Comparison, compare
    from bentpipe._evaluate.evaluate import Answer, Evaluation, evaluate
    from bentpipe._export.export import Export, export, path_trace
    from bentpipe._import.import_path import Import, import_path
    from bentpipe._league._league import League, league
    from bentpipe._link_budget import link_budget, link_budgets
    from bentpipe._model import Model, model, models
    from bentpipe._sensitivity import Sensitivity, sensitivity
    from bentpipe._sweep._analysis import Share
    from bentpipe._sweep._result import Sweep, load_sweep
    from bentpipe._sweep._sweep import sweep
    from bentpipe._which._answer import Recommendation
    from bentpipe._which._which import which
    from bentpipe.results.summary_types import (
        Distribution,
        Finding,
        FlowSummary,
        LinkSummary,
        Provenance,
        Summary,
        Totals,
    )
    from bentpipe.runs.session import Session
    from bentpipe.scenario.classes import *  # noqa: F403 - its names are those of `__all__`
    from bentpipe.scenario.presets import presets

#: The module of each rarely used name. A module is loaded when its name is first used.
_LATER = dict.fromkeys(_SCENARIO_CLASSES, "scenario.classes") | {
    "bottlenecks": "_bottlenecks",
    "Comparison": "_compare",
    "compare": "_compare",
    "Answer": "_evaluate.evaluate",
    "Evaluation": "_evaluate.evaluate",
    "evaluate": "_evaluate.evaluate",
    "Export": "_export.export",
    "export": "_export.export",
    "path_trace": "_export.export",
    "presets": "scenario.presets",
    "Session": "runs.session",
    "Import": "_import.import_path",
    "import_path": "_import.import_path",
    "League": "_league._league",
    "league": "_league._league",
    "link_budget": "_link_budget",
    "link_budgets": "_link_budget",
    "Model": "_model",
    "model": "_model",
    "models": "_model",
    "Sensitivity": "_sensitivity",
    "Share": "_sweep._analysis",
    "sensitivity": "_sensitivity",
    **dict.fromkeys(
        ("Distribution", "Finding", "FlowSummary", "LinkSummary", "Provenance", "Summary", "Totals"),
        "results.summary_types",
    ),
    "Sweep": "_sweep._result",
    "load_sweep": "_sweep._result",
    "sweep": "_sweep._sweep",
    "Recommendation": "_which._answer",
    "which": "_which._which",
}


def __getattr__(name: str) -> object:
    if name not in _LATER:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    found: object = getattr(import_module(f"{__name__}.{_LATER[name]}"), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*__all__, *_PUBLIC_MODULES})


__version__: str = _core.version()

#: Modules with a public interface. The interface of every other module may change.
_PUBLIC_MODULES = ("plots", "study", "validation")

__all__ = [
    "AckEvent",
    "Answer",
    "ArgumentError",
    "BatchError",
    "BentpipeError",
    "Comparison",
    "Control",
    "Controller",
    "Distribution",
    "Estimate",
    "Evaluation",
    "Export",
    "Fault",
    "Finding",
    "FlowSummary",
    "Import",
    "League",
    "LinkSummary",
    "LossEvent",
    "Model",
    "Moment",
    "MssEvent",
    "PathEvent",
    "Provenance",
    "Recommendation",
    "Run",
    "RunError",
    "ScenarioError",
    "Sensitivity",
    "Session",
    "Share",
    "Sky",
    "StartEvent",
    "Summary",
    "Sweep",
    "Table",
    "TimeoutEvent",
    "Totals",
    "__version__",
    "bottlenecks",
    "compare",
    "constellation",
    "constellations",
    "controllers",
    "estimate",
    "estimate_cost",
    "evaluate",
    "export",
    "fixed",
    "import_path",
    "league",
    "link_budget",
    "link_budgets",
    "load",
    "load_sweep",
    "model",
    "models",
    "path",
    "path_trace",
    "presets",
    "register",
    "relative_change",
    "run",
    "run_many",
    "sensitivity",
    "sites",
    "sweep",
    "tcp_presets",
    "which",
]
__all__ += _SCENARIO_CLASSES
__all__.sort()
