# SPDX-License-Identifier: MIT OR Apache-2.0
"""Compute the combinations of values to run: the complete grid, or a sample by a design."""

from __future__ import annotations

import itertools
import math
from typing import TYPE_CHECKING

from bentpipe._sweep._schema import MOST_RUNS
from bentpipe.base.errors import ScenarioError
from bentpipe.base.extras import needs

if TYPE_CHECKING:
    from bentpipe._sweep._axes import Axis
    from bentpipe._sweep._document import Document
    from bentpipe.base.shares import Floats


def size(document: Document) -> int:
    """Return the number of points of a document.

    Raises:
        ScenarioError: If points and seeds give more runs than the limit.
    """
    sample, axes = document.sample, document.axes
    if sample.design == "grid":
        count = math.prod(len(axis.levels or ()) for axis in axes)
        how = " x ".join(str(len(axis.levels or ())) for axis in axes)
    else:
        count = sample.points * (len(axes) + 2 if sample.design == "saltelli" else 1)
        how = f'points of a "{sample.design}" design'
    runs = count * document.seeds.at_least
    if runs > MOST_RUNS:
        raise ScenarioError(
            "scenario-value",
            f"{document.origin}: the sweep has {count:,} points ({how}) with {document.seeds.at_least} seeds each, so "
            f"{runs:,} runs; the limit of a sweep is {MOST_RUNS:,} runs (use fewer values, or a sample: [sample])",
        )
    return count


def points(document: Document) -> list[tuple[object, ...]]:
    """Return the points: a value for each axis. In a grid, the last axis changes fastest."""
    size(document)
    if document.sample.design == "grid":
        return list(itertools.product(*(axis.levels or () for axis in document.axes)))
    return [
        tuple(value(axis, share) for axis, share in zip(document.axes, row, strict=True))
        for row in shares(document).tolist()
    ]


def value(axis: Axis, share: float) -> object:
    """Return the value of an axis for a number from 0 to 1. All levels of an axis have intervals of equal width."""
    if axis.levels is not None:
        return axis.levels[min(int(share * len(axis.levels)), len(axis.levels) - 1)]
    assert axis.span is not None  # noqa: S101 - one of the two is there
    return axis.span.at(share)


def shares(document: Document) -> Floats:
    """Return the sample in the unit cube: one row per point, drawn with the sample's seed."""
    import numpy as np

    sample, count = document.sample, len(document.axes)
    chance = np.random.Generator(np.random.PCG64(sample.seed))
    if sample.design == "random":
        return chance.random((sample.points, count))
    needs("scipy", "sweep", f'the design "{sample.design}"')
    from scipy.stats import qmc

    if sample.design == "latin-hypercube":
        found = qmc.LatinHypercube(count, rng=chance).random(sample.points)
    elif sample.design == "sobol":
        found = qmc.Sobol(count, rng=chance).random(sample.points)
    else:
        needs("SALib", "sweep", 'the design "saltelli"')
        from SALib.sample import sobol as saltelli

        found = saltelli.sample(problem(count), sample.points, calc_second_order=False, seed=sample.seed)
    return np.asarray(found, dtype=np.float64)


def problem(count: int) -> dict[str, object]:
    """Return the problem in the form of SALib: independent axes in the unit cube."""
    return {"num_vars": count, "names": [f"x{at}" for at in range(count)], "bounds": [[0.0, 1.0]] * count}
