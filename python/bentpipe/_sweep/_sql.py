# SPDX-License-Identifier: MIT OR Apache-2.0
"""Questions to a sweep in SQL, answered by DuckDB."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bentpipe.base.arguments import refuse
from bentpipe.base.extras import needs
from bentpipe.base.tables import Table

if TYPE_CHECKING:
    from bentpipe._sweep._result import Sweep


def check(query: str) -> None:
    """Whether a query can be read; columns are looked at where they are there.

    Raises:
        ArgumentError: If it is no SQL, or more than one statement.
    """
    needs("duckdb", "sql", "a question in SQL")
    import duckdb

    try:
        with duckdb.connect() as base:
            count = len(base.extract_statements(query))
    except duckdb.Error as problem:
        raise refuse(f"DuckDB refuses the query: {problem}") from None
    if count != 1:
        raise refuse(f"a question is one statement of SQL, not {count}")


def ask(found: Sweep, query: str) -> Table:
    """The answer to one query."""
    needs("duckdb", "sql", "a question in SQL")
    import duckdb

    with duckdb.connect() as base:
        for name in ("runs", "flows", "points"):
            base.register(name, getattr(found, name).arrow)
        try:
            answer = base.sql(query)
            if answer is None:
                raise refuse("the SQL asks for nothing (write for example: select * from points)")
            return Table(answer.to_arrow_table())
        except duckdb.Error as problem:
            columns = ", ".join(found.runs.columns[: len(found.axes) + 3])
            raise refuse(
                f"DuckDB refuses the query: {problem} (tables are runs, flows, points; runs has the columns "
                f"{columns}, …)"
            ) from None
