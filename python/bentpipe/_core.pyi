# SPDX-License-Identifier: MIT OR Apache-2.0
"""The native extension. Private: users import `bentpipe`.

This stub is the reference: `tests/test_stub.py` compares it with the build.
"""

from collections.abc import Callable, Sequence
from typing import final

@final
class Table:
    """Columns in Arrow's memory, handed over by the Arrow PyCapsule interface without a copy."""

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...

@final
class Job:
    """One run to make: a scenario's text with what is to be different, and the folder to write (or None)."""

    def __new__(
        cls,
        toml: str,
        origin: str,
        *,
        out: str | None = None,
        seed: int | None = None,
        duration: str | None = None,
        controller: str | None = None,
    ) -> Job: ...

@final
class Result:
    """What came out of a run. `summary` is JSON, `scenario` the resolved TOML."""

    summary: str
    scenario: str
    flows: Table
    links: Table
    paths: Table
    events: Table
    snapshots: Table
    packets: Table

def check_folder(folder: str) -> None: ...
def codes() -> list[tuple[str, str]]: ...
def constellations() -> str: ...
def controllers(name: str | None = None) -> str: ...
def path(origin: str, destination: str, constellation: str, duration: str, step: str) -> Table: ...
def resolve(job: Job) -> str: ...
def run(job: Job) -> Result: ...
def run_many(jobs: Sequence[Job], threads: int, progress: Callable[[int, int], None] | None = None) -> list[Result]: ...
def satellites_at(constellation: str, at: str) -> tuple[Table, Table]: ...
def scenario_schema() -> str: ...
def sites() -> Table: ...
def summary_schema() -> str: ...
def version() -> str: ...
