# SPDX-License-Identifier: MIT OR Apache-2.0
"""The tables that a league writes. The same suite, controllers and build give the same bytes."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from bentpipe.base.tables import Table
from bentpipe.results.metrics import BY_KEY

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import pyarrow as pa

    from bentpipe._league._league import League
    from bentpipe.base.stats import Estimate


def _table(rows: Sequence[Mapping[str, object]], kinds: Mapping[str, pa.DataType]) -> Table:
    import pyarrow as pa

    return Table(pa.Table.from_pylist(rows, schema=pa.schema(list(kinds.items()))))


def _mean(one: Estimate) -> float | None:
    return None if math.isnan(one.mean) else one.mean


def _width(one: Estimate) -> float | None:
    return None if math.isnan(one.mean) or math.isinf(one.half_width) else one.half_width


def runs(result: League) -> Table:
    """Return the table with one row per run of the suite."""
    import pyarrow as pa

    rows = [
        {
            "scenario": line.arena,
            "controller": line.controllers[0],
            "seed": line.seed,
            **line.numbers,
            "timeouts": None if line.error else line.timeouts,
            "findings": " ".join(line.findings),
            "degraded": "; ".join(line.degraded),
            "error": line.error,
        }
        for line in result.lines
        if len(line.controllers) == 1
    ]
    text = dict.fromkeys(("findings", "degraded", "error"), pa.string())
    kinds = {"scenario": pa.string(), "controller": pa.string(), "seed": pa.int64()}
    return _table(rows, kinds | dict.fromkeys(BY_KEY, pa.float64()) | {"timeouts": pa.int64()} | text)


def ranks(result: League) -> Table:
    """Return the table with one row per aim and controller."""
    import pyarrow as pa

    rows = []
    for aim in sorted(result.aims):
        for one in result.standings(aim):
            row: dict[str, object] = {"aim": aim, "controller": one.controller, "scenarios": one.scenarios}
            for kind, rank in (("rank", one.rank), ("rank_elsewhere", one.rank_elsewhere)):
                if rank is not None:
                    row |= {kind: rank.place, f"{kind}_low": rank.low, f"{kind}_high": rank.high}
            row |= {
                "score_percent": _mean(one.score),
                "score_half_width": _width(one.score),
                "score_half_width_elsewhere": _width(one.elsewhere),
                "worst_scenario": one.worst and one.worst[0],
                "worst_percent": one.worst and one.worst[1],
                "troubles": "; ".join(f"{what} in {count}" for what, count in one.troubles.items()),
            }
            rows.append(row)
    places = [f"rank{where}{end}" for where in ("", "_elsewhere") for end in ("", "_low", "_high")]
    numbers = ("score_percent", "score_half_width", "score_half_width_elsewhere")
    kinds = {"aim": pa.string(), "controller": pa.string(), "scenarios": pa.int64()}
    kinds |= dict.fromkeys(places, pa.int64()) | dict.fromkeys(numbers, pa.float64())
    return _table(rows, kinds | {"worst_scenario": pa.string(), "worst_percent": pa.float64(), "troubles": pa.string()})


def pairs(result: League) -> Table:
    """Return the table with one row per bed and ordered pair. The two shares of a pair have a sum of 100 %."""
    import pyarrow as pa

    rows = []
    for bed in result.beds:
        for one in bed.controllers:
            for other in bed.controllers:
                share = bed.share(one, other)
                errors = [line.error for line in bed.pairing(one, other).lines if line.error]
                rows.append(
                    {
                        "bed": bed.arena.name,
                        "controller": one,
                        "against": other,
                        "share_percent": None if math.isnan(share.mean) else 100.0 * share.mean,
                        "share_half_width": None if _width(share) is None else 100.0 * share.half_width,
                        **{key: _mean(bed.number(one, other, key)) for key in NUMBERS},
                        "error": errors[0] if errors else None,
                    }
                )
    kinds = dict.fromkeys(("bed", "controller", "against"), pa.string())
    kinds |= dict.fromkeys(("share_percent", "share_half_width", *NUMBERS), pa.float64())
    return _table(rows, kinds | {"error": pa.string()})


#: Numbers of two competing flows that the table lists.
NUMBERS = ("goodput_mbit_s", "queueing_p95_ms", "loss_percent", "jain_index")
