# SPDX-License-Identifier: MIT OR Apache-2.0
"""The types of the document of a scene (docs/scene.md)."""

from __future__ import annotations

from typing import TYPE_CHECKING, NotRequired, TypedDict

if TYPE_CHECKING:
    from collections.abc import Sequence


class Ref(TypedDict):
    """A part of a buffer: its type, the offset in bytes, and the count of numbers."""

    buffer: str
    type: str
    offset: int
    count: int


class Level(TypedDict):
    """A level of a curve: the range of samples in each bucket, and the start of each bucket."""

    count: int
    time: Ref
    low: Ref
    high: Ref


class Curve(TypedDict):
    """A series of a flow or a link. A value of a stepped series holds over the interval that ends at its time."""

    of: dict[str, int]
    quantity: str
    unit: str
    step: bool
    levels: list[Level]


class Losses(TypedDict):
    """The moments at which a flow noticed losses of one true cause."""

    flow: int
    cause: str
    count: int
    time: Ref


class Phases(TypedDict):
    """The phases of the controller of a flow: `name` has indices into `names`."""

    flow: int
    names: list[str]
    count: int
    time: Ref
    name: Ref


class Events(TypedDict):
    """Cuts, timeouts, starts and ends of a flow: `kind` and `reason` have indices into `kinds` and `reasons`."""

    flow: int
    kinds: list[str]
    reasons: list[str]
    count: int
    time: Ref
    kind: Ref
    reason: Ref
    before: Ref
    after: Ref


class Node(TypedDict):
    """A node; degrees on the ground, `x` and `y` from 0 to 1 in the drawing of a plain network."""

    id: int
    name: str
    kind: str
    shell: NotRequired[int]
    latitude_deg: NotRequired[float]
    longitude_deg: NotRequired[float]
    altitude_km: NotRequired[float]
    x: NotRequired[float]
    y: NotRequired[float]


class Shell(TypedDict):
    """A shell of a constellation."""

    name: str
    count: int


#: Keys that are reserved words of Python cannot be written in a class.
_Ends = TypedDict("_Ends", {"from": int, "to": int})
_Sites = TypedDict("_Sites", {"from": int | None, "to": int | None})


class Link(_Ends):
    """A link between two nodes."""

    id: int
    name: str
    kind: str
    always: bool


class Positions(TypedDict):
    """Positions and velocities of satellites at equidistant moments, six numbers each."""

    start_s: float
    step_s: float
    knots: int
    satellites: list[int]
    data: Ref


class Fact(TypedDict):
    """A number of a flow."""

    name: str
    value: float
    unit: str


class Flow(_Sites):
    """A flow, or a part of one."""

    id: int
    name: str
    controller: str
    start_s: float
    end_s: float
    completed: bool
    color_index: int
    facts: list[Fact]


class Ways(TypedDict):
    """The paths between two sites, each valid from its time; the nodes of a path begin at `node_start`."""

    time: Ref
    count: int
    node_start: Ref
    nodes: Ref
    rtt_ms: Ref


class Path(Ways):
    """The paths of a flow."""

    flow: int


class Finding(TypedDict):
    """A finding of a run."""

    kind: str
    text: str
    since_s: float
    flow: int


class RunPart(TypedDict):
    """A run of a scene."""

    name: str
    folder: str | None
    scenario: str
    seed: int
    duration_s: float
    warmup_s: float
    epoch_utc: str | None
    constellation: str | None
    findings: list[Finding]
    nodes: list[Node]
    shells: list[Shell]
    links: list[Link]
    positions: Positions | None
    flows: list[Flow]
    paths: list[Path]
    curves: list[Curve]
    losses: list[Losses]
    phases: list[Phases]
    events: list[Events]


class ColumnPart(TypedDict):
    """A column of a table; `digits` after the point of its numbers, if they are fixed."""

    name: str
    unit: str
    align: str
    digits: NotRequired[int]


class TablePart(TypedDict):
    """A table of a scene: each row has the run that it opens, or the commands that make its run."""

    title: str
    columns: list[ColumnPart]
    rows: Sequence[Sequence[object]]
    open: list[str | None]
    make: list[str | None]


class PicturePart(TypedDict):
    """A picture of a scene."""

    name: str
    src: str
    alt: str


class Document(TypedDict):
    """A scene; `live` is the address of the buffers of a run in progress."""

    format: int
    title: str
    kind: str
    build: str
    notes: list[str]
    runs: list[RunPart]
    tables: list[TablePart]
    pictures: list[PicturePart]
    live: NotRequired[str]
