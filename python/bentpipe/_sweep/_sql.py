# SPDX-License-Identifier: MIT OR Apache-2.0
"""SQL queries on a sweep, with DuckDB."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bentpipe.base.arguments import refuse
from bentpipe.base.extras import needs
from bentpipe.base.tables import Table

if TYPE_CHECKING:
    from bentpipe._sweep._result import Sweep

#: Settings that forbid access to files, addresses, extensions and Python variables, and that cannot be changed later.
_CLOSED: dict[str, str | bool | int | float | list[str]] = {
    "enable_external_access": "false",
    "autoinstall_known_extensions": "false",
    "autoload_known_extensions": "false",
    "python_enable_replacements": "false",
    "lock_configuration": "true",
}


def check(query: str) -> None:
    """Check that a query is a single statement that DuckDB can parse, and that it writes, loads and sets nothing.

    `ask` also checks the columns.

    Raises:
        ArgumentError: If the query is not SQL, has several statements, or is not a ``select``.
    """
    needs("duckdb", "sql", "a query in SQL")
    import duckdb

    try:
        with duckdb.connect() as base:
            kinds = [statement.type for statement in base.extract_statements(query)]
    except duckdb.Error as problem:
        raise refuse(f"DuckDB refuses the query: {problem}") from None
    if len(kinds) != 1:
        raise refuse(f"a query must be one statement of SQL, not {len(kinds)}")
    if kinds[0] is not duckdb.StatementType.SELECT:
        # DuckDB converts a pivot without listed columns to several statements.
        names = {"LOAD": "install or load", "MULTI": "a pivot without its values (in (…))"}
        kind = names.get(kinds[0].name, kinds[0].name.lower().replace("_", " "))
        told = "it must not write or load (write for example: select * from points)"
        raise refuse(f"a query must be a select, not {kind}: {told}")


def ask(found: Sweep, query: str) -> Table:
    """Run a query on the tables of a sweep, without access to files, the network and extensions.

    Raises:
        ArgumentError: As for `check`, and if DuckDB refuses the query.
    """
    check(query)
    import duckdb

    with duckdb.connect(config=_CLOSED) as base:
        for name in ("runs", "flows", "points"):
            base.register(name, getattr(found, name).arrow)
        try:
            answer = base.sql(query)
            if answer is None:
                raise refuse("the SQL query is empty (write for example: select * from points)")
            return Table(answer.to_arrow_table())
        except duckdb.Error as problem:
            columns = ", ".join(found.runs.columns[: len(found.axes) + 3])
            raise refuse(
                f"DuckDB refuses the query: {problem} (tables are runs, flows, points; runs has the columns "
                f"{columns}, …)"
            ) from None
