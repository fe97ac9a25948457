# SPDX-License-Identifier: MIT OR Apache-2.0
"""The results of a run in progress."""

from __future__ import annotations

import json
import threading
from typing import TYPE_CHECKING

from bentpipe.base.errors import RunError
from bentpipe.base.tables import TABLES, Table
from bentpipe.runs.run import Run

if TYPE_CHECKING:
    from collections.abc import Callable

    import pyarrow as pa

    from bentpipe import _core

#: If a table has more parts than this, the parts are copied into one part.
_MOST_PARTS = 32


class Present:
    """The rows that a run in progress has passed so far.

    Args:
        places: The tables of nodes and satellites. They do not change during the run.
    """

    def __init__(self, places: _core.Result) -> None:
        self._places = _tables(places)
        self._tables = dict(self._places)
        self._run: Run | None = None
        self._lock = threading.Lock()

    def after(self, step: Callable[[], _core.Result | None]) -> Run:
        """Add the rows that `step` returns, and return the results. If it returns None, the results stay the same.

        Raises:
            RunError: If the run ended before the first rows.
        """
        with self._lock:
            made = step()
            if made is not None:
                self._add(made)
            if self._run is None:
                raise RunError("run-failed", "the run ended before it had results")
            return self._run

    def _add(self, made: _core.Result) -> None:
        fresh = _tables(made)
        # The links of a constellation are listed with their first packets, before the pairs of its grid.
        ends = [fresh.pop("link_ends"), self._places["link_ends"]]
        for name, rows in fresh.items():
            if rows.num_rows:
                self._tables[name] = _joined([self._tables[name], rows])
        self._tables["link_ends"] = _joined(ends)
        tables = {name: Table(table) for name, table in self._tables.items()}
        self._run = Run(made.scenario, json.loads(made.summary), tables.__getitem__)


def _tables(made: _core.Result) -> dict[str, pa.Table]:
    """Return all tables of a result. A table that the result lacks is empty."""
    import pyarrow as pa

    parts = {name: getattr(made, name) for name in TABLES}
    return {name: pa.table({}) if part is None else Table(part).arrow for name, part in parts.items()}


def _joined(parts: list[pa.Table]) -> pa.Table:
    """Join parts of a table. The parts are copied only if there are many."""
    import pyarrow as pa

    found = pa.concat_tables([part for part in parts if part.num_columns])
    many = found.num_columns and found.column(0).num_chunks > _MOST_PARTS
    return found.unify_dictionaries().combine_chunks() if many else found
