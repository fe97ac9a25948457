# SPDX-License-Identifier: MIT OR Apache-2.0
"""Scenarios built in Python: the same document as a TOML file, with completion in an editor.

Every quantity is text with its unit, as in the file. What is left at None is left out of the document and takes the
format's default (`bentpipe schema scenario`). Nothing is checked here: the document is checked where every scenario
is, when it is run or resolved.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import tomli_w

from bentpipe import _core

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


def _document(value: object) -> Any:
    """Dataclasses to plain tables; None vanishes, a trailing underscore too."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        pairs = ((f.name.rstrip("_"), getattr(value, f.name)) for f in dataclasses.fields(value))
        table = {name: _document(item) for name, item in pairs if item is not None}
        if isinstance(value, Link):
            loss = {name: table.pop(name) for name in ("per", "ber", "bursts") if name in table}
            if loss:
                table["loss"] = loss
        return table
    if isinstance(value, (list, tuple)):
        return [_document(item) for item in value]
    return value


@dataclass(kw_only=True)
class Link:
    """One direction of a link, or both where a table says so.

    Attributes:
        rate: For example ``"25 Mbit/s"``, or ``"unlimited"``.
        rate_steps: Instead of `rate`: ``[{"at": "0 s", "rate": "50 Mbit/s"}, {"at": "15 s", "rate": "20 Mbit/s"}]``.
        trace: Instead of `rate`: a mahimahi trace of deliveries, a file relative to the scenario's.
        delay: One way, for example ``"10 ms"``; not for moving links, whose delay comes from the geometry.
        delay_steps: Instead of `delay`: times and one-way delays, ``[("0 s", "30 ms"), ("15 s", "50 ms")]``.
        delay_trace: Instead of `delay`: a file of one-way delays, one in milliseconds for each 10 ms.
        queue: ``"50 packets"``, ``"75 kB"``, ``"100 ms"``, ``"1 BDP"`` or ``"unlimited"``.
        per: Packet error rate, 0 to 1.
        ber: Bit error rate, 0 to 1; the packet error rate follows from the packet's size.
        bursts: Gilbert-Elliott loss, ``{"to_bad": 0.033, "to_good": 0.84, "loss": 0.14, "bin": "100 ms"}``.
        reorder: Packets may overtake each other when the delay shrinks.
        warn_above: Data is marked with a congestion warning while the mean queue is above so many packets.
    """

    rate: str | None = None
    rate_steps: Sequence[Mapping[str, str]] | None = None
    trace: str | None = None
    delay: str | None = None
    delay_steps: Sequence[tuple[str, str]] | None = None
    delay_trace: str | None = None
    queue: str | None = None
    per: float | None = None
    ber: float | None = None
    bursts: Mapping[str, Any] | None = None
    reorder: bool | None = None
    warn_above: float | None = None


@dataclass(kw_only=True)
class Isl(Link):
    """Links between satellites.

    Attributes:
        intra_plane: To the two neighbours in the plane.
        inter_plane: To the nearest satellite of each neighbouring plane.
        max_range: No link longer than this, for example ``"5000 km"``.
    """

    intra_plane: bool | None = None
    inter_plane: bool | None = None
    max_range: str | None = None


@dataclass(kw_only=True)
class Walker:
    """A shell of circular orbits in evenly spaced planes; without `spacing` a delta, with it a star."""

    planes: int
    per_plane: int
    altitude: str
    inclination: str
    spacing: str | None = None
    phase: str | None = None
    alternate_half_slot: bool | None = None


@dataclass(kw_only=True)
class Place:
    """A place on the ground that flows may name besides the shipped cities."""

    name: str
    latitude: str
    longitude: str


@dataclass(kw_only=True)
class Constellation:
    """Satellites: a preset (`bentpipe.constellations`) with what is to be different, a shell, or two-line elements."""

    preset: str | None = None
    name: str | None = None
    walker: Walker | None = None
    tle: str | None = None
    start: str | None = None
    isl: Link | bool | None = None
    user_link: Link | None = None
    uplink: Link | None = None
    downlink: Link | None = None
    min_elevation: str | None = None
    isl_latitude_limit: str | None = None
    cross_seam: bool | None = None
    route_step: str | None = None
    offset: str | None = None
    in_flight: str | None = None
    sites: Sequence[Place] | None = None


@dataclass(kw_only=True)
class Dumbbell(Link):
    """Two routers and one bottleneck between the sites ``left`` and ``right``.

    Attributes:
        rtt: Base round trip of the bottleneck; instead of `delay`, which is one way.
        reverse: What is different from right to left.
    """

    rtt: str | None = None
    reverse: Link | None = None


@dataclass(kw_only=True)
class Chain:
    """Routers in a row: `links` equal links, or a list of different ones. Sites ``0``, ``1``, …."""

    links: int | Sequence[Link]
    link: Link | None = None


@dataclass(kw_only=True)
class Branch(Link):
    """A branch of a star: a link to the site of that name."""

    site: str


@dataclass(kw_only=True)
class Star:
    """A hub (site ``hub``) and its branches."""

    branches: Sequence[Branch]


@dataclass(kw_only=True)
class Starlink:
    """A path over Starlink between the sites ``dish`` and ``server``; by default flows go up from the dish.

    Attributes:
        preset: ``"starlink-good"``, ``"starlink-far"`` or ``"starlink-isl"``.
        phase: Second of the minute at the start of the run; epochs begin at :12, :27, :42 and :57.
        rtt: Round-trip time of the terrestrial rest of the path.
        queue: ``{"up": "500 packets", "down": "50000 packets"}``, or one of them.
    """

    preset: str
    phase: str | None = None
    rtt: str | None = None
    queue: Mapping[str, str] | None = None


@dataclass(kw_only=True)
class Tcp:
    """Transport settings, of all flows or of one."""

    mss: str | None = None
    header: str | None = None
    initial_window: int | None = None
    recovery: str | None = None
    prr: bool | None = None
    limited_transmit: bool | None = None
    undo: bool | None = None
    delayed_ack: bool | Mapping[str, Any] | None = None
    min_rto: str | None = None
    max_rto: str | None = None
    initial_rto: str | None = None
    dup_thresh: int | None = None
    receive_window: str | None = None
    saved_path: Mapping[str, str] | None = None


@dataclass(kw_only=True)
class Flow:
    """Flows of one kind. `from_` is the document's ``from``, which Python keeps for itself."""

    controller: str | Mapping[str, Any] | None = None
    from_: str | None = None
    to: str | None = None
    name: str | None = None
    count: int | None = None
    access: Link | None = None
    distance: str | None = None
    start: str | None = None
    stagger: str | None = None
    stop: str | None = None
    size: str | None = None
    trickle: Mapping[str, str] | None = None
    kind: str | None = None
    rate: str | None = None
    packet: str | None = None
    interval: str | None = None
    tcp: Tcp | None = None


@dataclass(kw_only=True)
class Traffic(Flow):
    """Flows between many sites, written out one by one when the scenario is read; `from_` and `to` stay out.

    Attributes:
        matrix: ``"pairs"``, ``"permutation"``, ``"gravity"`` or ``"file"``.
        pairs: Of the matrix ``"pairs"``: (from, to).
        sites: Of a permutation or of gravity.
        top: Instead of `sites`: so many of the largest cities.
        flows: Gravity: how many flows are drawn.
        file: CSV with the columns from, to, and if wanted count, start, size.
        seed: Of the draw.
    """

    matrix: str
    pairs: Sequence[tuple[str, str]] | None = None
    sites: Sequence[str] | None = None
    top: int | None = None
    flows: int | None = None
    file: str | None = None
    seed: int | None = None


@dataclass(kw_only=True)
class Record:
    """What is recorded: interval of the series (or ``"off"``), events, packets."""

    interval: str | None = None
    events: bool | None = None
    packets: bool | Mapping[str, str] | None = None


@dataclass(kw_only=True)
class Scenario:
    """One experiment.

    Attributes:
        name: Title for people.
        network: One of `Constellation`, `Dumbbell`, `Chain`, `Star`, `Starlink`.
        flows: The flows, in order; at least one here or in `traffic`.
        traffic: Flows between many sites.
        duration: For example ``"100 s"``.
        seed: Root of all random streams.
        warm_up: Left out of the summary's means at the start of the run.
        tcp: Transport settings of all flows.
        record: What is recorded.
        announce: Flows are told of path changes so long before they happen, for example ``"1 s"``.
    """

    name: str
    network: Constellation | Dumbbell | Chain | Star | Starlink
    flows: Sequence[Flow] = ()
    traffic: Sequence[Traffic] = ()
    duration: str | None = None
    seed: int | None = None
    warm_up: str | None = None
    tcp: Tcp | None = None
    record: Record | None = field(default=None)
    announce: str | None = None

    def to_toml(self) -> str:
        """The document as TOML, as written here (defaults are not filled in)."""
        table = _document(self)
        if not self.traffic:
            del table["traffic"]
        table["network"] = {type(self.network).__name__.lower(): table["network"]}
        if (announce := table.pop("announce", None)) is not None:
            table["network"]["announce"] = announce
        return tomli_w.dumps(table)

    def resolved(self) -> str:
        """The document as it is run: checked, every default filled in.

        Raises:
            ScenarioError: If the document is refused.
        """
        return _core.resolve(_core.Job(self.to_toml(), f"scenario {self.name!r}"))
