# SPDX-License-Identifier: MIT OR Apache-2.0
"""The networks of `data/oracles/cases.toml`, and files of recorded traces."""

from __future__ import annotations

import tomllib
from abc import ABC, abstractmethod
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

from bentpipe import ScenarioError

if TYPE_CHECKING:
    import pyarrow as pa
    from _typeshed import DataclassInstance

    from bentpipe.validation._windows import Trace


ListedT = TypeVar("ListedT", bound="DataclassInstance")


@dataclass(frozen=True, kw_only=True)
class Case:
    """A network, as in `cases.toml`, which explains the keys at its top."""

    name: str
    rate_mbit_s: float
    queue_packets: int
    seconds: float
    order: int
    rtt_ms: float | None = None
    rtt_steps: tuple[tuple[float, float], ...] = ()
    lost_packets: tuple[int, ...] = ()
    lost_period: int | None = None
    lost_spans: tuple[tuple[float, float], ...] = ()
    flows_start_s: tuple[float, ...] = (0.0,)
    mark_above_packets: int | None = None
    super_packets: bool = False
    paced: bool = False
    controllers: tuple[str, ...] = ()


def data_folder() -> Path:
    """Return the folder `data` of a checkout. A wheel has none."""
    return Path(__file__).resolve().parents[3] / "data"


def cases(data: Path) -> list[Case]:
    """Return the cases of a data folder, in the order of the file.

    Raises:
        ScenarioError: If the file does not exist, or has an unknown key.
    """
    return listed(data / "oracles" / "cases.toml", Case)


def listed(file: Path, kind: type[ListedT]) -> list[ListedT]:
    """Return the tables `case` of a file, each as a dataclass whose fields are the keys, in the order of the file.

    Raises:
        ScenarioError: If the file does not exist, or has an unknown key.
    """
    try:
        with file.open("rb") as text:
            tables = tomllib.load(text)["case"]
    except (OSError, tomllib.TOMLDecodeError, KeyError) as problem:
        raise missing(f"cannot read the networks in {file} ({problem})") from None
    known = {field.name for field in fields(kind)}
    for table in tables:
        if unknown := set(table) - known:
            raise missing(f"{file}: the case {table.get('name')!r} has unknown keys: {', '.join(sorted(unknown))}")
    return [kind(**{key: _frozen(value) for key, value in table.items()}) for table in tables]


def missing(what: str) -> ScenarioError:
    """Return the error for a trace, or a list of cases, that does not exist or cannot be used."""
    return ScenarioError(
        "traces-missing",
        f"{what}; the folder data of a checkout of Bentpipe contains them, but an installed wheel does not (name the "
        "folder with --data DIR)",
    )


def _frozen(value: Any) -> Any:
    return tuple(map(_frozen, value)) if isinstance(value, list) else value


def table(file: Path) -> pa.Table:
    """Read a Parquet file.

    Raises:
        ScenarioError: If the file cannot be read.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        return pq.read_table(file)
    except (OSError, pa.ArrowException) as problem:
        raise missing(f"cannot read the trace {file} ({problem})") from None


def where(rows: pa.Table, **wanted: object) -> pa.Table:
    """Return the rows whose columns have the values of `wanted`."""
    import pyarrow.compute as pc

    for name, value in wanted.items():
        rows = rows.filter(pc.equal(rows.column(name), value))
    return rows


class Traces(ABC):
    """The recorded traces of another implementation: a folder with one Parquet file per case.

    Args:
        data: The data folder.

    Raises:
        ScenarioError: If there are no traces.
    """

    #: Name of the folder in the data folder.
    folder: ClassVar[str]
    #: Name of the table that does not belong to a single case.
    beside: ClassVar[str]
    #: The column with the other implementation's names of controllers.
    controller: ClassVar[str]

    def __init__(self, data: Path) -> None:
        self._place = data / self.folder
        self._beside = table(self._place / self.beside)  # also refuses a folder without traces at once
        self._rows: dict[str, pa.Table] = {}

    def has(self, case: Case) -> bool:
        """Return whether the case was recorded."""
        return self._file(case).exists()

    def controllers(self, case: Case) -> list[str]:
        """Return the other implementation's names of the controllers that ran, sorted."""
        return sorted(set(self._of(case).column(self.controller).to_pylist()))

    @abstractmethod
    def trace(self, case: Case, controller: str, flow: int = 0) -> Trace:
        """Return the trace of one flow of one run. Times count from the start of the flow."""

    def samples(self, case: Case, controller: str, flow: int) -> pa.Table:
        """Return the samples of one flow of one run in the order of time."""
        return where(self._of(case), **{self.controller: controller}, flow=flow).sort_by("time_ms")

    def _of(self, case: Case) -> pa.Table:
        if case.name not in self._rows:
            self._rows[case.name] = table(self._file(case))
        return self._rows[case.name]

    def _file(self, case: Case) -> Path:
        return self._place / f"{case.name}.parquet"
