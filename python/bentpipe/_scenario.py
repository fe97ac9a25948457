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
from bentpipe._arguments import refuse

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


# What a link says of loss, and its key in the table `loss`.
LOSS_KEYS = {
    "per": "per",
    "ber": "ber",
    "bursts": "bursts",
    "loss_chain": "chain",
    "netem": "netem",
    "land_mobile": "land_mobile",
    "two_state": "two_state",
    "loss_steps": "steps",
    "lost_packets": "packets",
    "lost_period": "period",
    "lost_spans": "spans",
}


def _document(value: object) -> Any:
    """Dataclasses to plain tables; None vanishes, a trailing underscore too."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        pairs = ((f.name.rstrip("_"), getattr(value, f.name)) for f in dataclasses.fields(value))
        table = {name: _document(item) for name, item in pairs if item is not None}
        if isinstance(value, Link):
            loss = {key: table.pop(name) for name, key in LOSS_KEYS.items() if name in table}
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
        rate_steps: Instead of `rate`: ``[{"at": "0 s", "rate": "50 Mbit/s"}, {"at": "15 s", "rate": "20 Mbit/s"}]``;
            with ``"ramp_to"`` the rate moves until the next step.
        trace: Instead of `rate`: a mahimahi trace of deliveries, a file relative to the scenario's.
        budget: Instead of `rate`: a link budget as a file has it, ``{"bandwidth": "36 MHz", "down": {...}}``.
        rate_by_elevation: Instead of `rate`, between a satellite and the ground: ``[("25 deg", "50 Mbit/s"), ...]``.
        rate_by_range: Instead of `rate`, of moving links: ``[("550 km", "150 Mbit/s"), ("1100 km", "50 Mbit/s")]``.
        rate_by_hour: Instead of `rate`, ``{"clock": "local", "rates": [["6 h", "9 Mbit/s"], ["20 h", "6 Mbit/s"]]}``;
            beside `rate_by_elevation` or `rate_by_range` the lower one holds. In plain networks, and of hosts, the
            clock is ``"UTC"``, and ``"start"`` the time of day when the run begins.
        loss_by_elevation: Between a satellite and the ground, on top: ``[("25 deg", 0.02), ("40 deg", 0.0)]``.
        loss_by_range: Of moving links, on top: ``[("600 km", 0.0), ("1100 km", 0.02)]``.
        loss_by_hour: On top, ``{"clock": "local", "losses": [["6 h", 0.0], ["20 h", 0.01]]}``.
        delay_by_elevation: Between a satellite and the ground, on top: ``[("25 deg", "8 ms"), ("60 deg", "2 ms")]``.
        delay_by_range: Of moving links, on top: ``[("600 km", "0 ms"), ("1100 km", "4 ms")]``.
        delay_by_hour: On top, ``{"clock": "local", "delays": [["6 h", "0 ms"], ["20 h", "5 ms"]]}``.
        delay: One way, for example ``"10 ms"``; not for moving links, whose delay comes from the geometry.
        delay_steps: Instead of `delay`: times and one-way delays, ``[("0 s", "30 ms"), ("15 s", "50 ms")]``.
        delay_trace: Instead of `delay` (of satellites and hosts on top of their own): a file of one-way delays, one in
            milliseconds for each 10 ms.
        path_trace: CSV file of rate, delay and loss over time (`bentpipe.export`); other fields say what it does not.
        trace_end: What follows where a trace ends: ``"wrap"``, ``"hold"`` or ``"stop"``.
        queue: ``"50 packets"``, ``"75 kB"``, ``"100 ms"``, ``"1 BDP"`` or ``"unlimited"``, which are drop-tail; or a
            discipline with its settings as a file has them, ``{"discipline": "codel", "interval": "600 ms"}``.
        per: Packet error rate, 0 to 1.
        ber: Bit error rate, 0 to 1; the packet error rate follows from the packet's size.
        bursts: Gilbert-Elliott loss, ``{"to_bad": 0.033, "to_good": 0.84, "loss": 0.14, "bin": "100 ms"}``.
        loss_chain: States that last, each with a loss:
            ``{"states": [{"lasts": "20 s"}, {"lasts": "1 s", "loss": 0.3}]}``.
        netem: netem's ``loss state`` with probabilities,
            ``{"p13": 0.01, "p31": 0.25, "p32": 0.1, "p23": 0.5, "p14": 0.001}``.
        land_mobile: A vehicle's way through light and shadow (Lutz),
            ``{"speed": "50 km/h", "margin": "6 dB", "good": {"lasts": "200 m", "rice_factor": "10 dB"},
            "bad": {"lasts": "50 m", "mean": "-9 dB", "deviation": "5 dB"}}``.
        two_state: A vehicle's way through the two states of ITU-R P.681,
            ``{"speed": "50 km/h", "margin": "6 dB", "surroundings": "urban-45"}``.
        loss_steps: Loss over time on top, ``[{"at": "20 s", "per": 1e-2}, {"at": "40 s", "per": 0.0}]``; with
            ``"ramp_to"`` it moves until the next step.
        lost_packets: Numbers, from 1, of the data packets that are lost when they come to the link, before its queue.
        lost_period: The list begins again after so many data packets.
        lost_spans: Times from and until which every packet that comes is lost, ``[("20 s", "22 s")]``.
        arq: The link repeats what arrives broken, ``{"repeats": 3, "delay": "20 ms"}``: losses become delay.
        extra_delay: Delay on top over time, ``[{"at": "20 s", "delay": "5 ms"}, {"at": "40 s", "delay": "0 s"}]``; with
            ``"ramp_to"`` it moves until the next step.
        jitter: Random delay of each packet by itself, ``{"uniform": "5 ms"}``; ``normal`` and ``log_normal`` are tables
            of their own, ``{"log_normal": {"median": "10 ms", "sigma": 0.5}}``.
        reorder: Packets may overtake each other when the delay shrinks, or by their jitter.
        warn_above: Data is marked with a congestion warning while the mean queue is above so many packets.
        dama: Demand assignment, of plain links and of uplinks,
            ``{"superframe": "40 ms", "latency": "560 ms", "vbdc": "unlimited"}``; its ``random_access``
            is ``{"scheme": "crdsa", "load": 0.3, "burst": "500 B"}``. On a `Branch`
            ``{"carrier": "up", "vbdc": "unlimited"}``, with a `Carrier` of that name.
        grants: Or fixed times at which what is ready leaves, ``{"period": "4 ms"}``.
        acks: Acknowledgements that wait are thinned, or compressed, ``{"thinning": "filter"}``.
    """

    rate: str | None = None
    rate_steps: Sequence[Mapping[str, str]] | None = None
    trace: str | None = None
    budget: Mapping[str, Any] | None = None
    rate_by_elevation: Sequence[tuple[str, str]] | None = None
    rate_by_range: Sequence[tuple[str, str]] | None = None
    rate_by_hour: Mapping[str, Any] | None = None
    loss_by_elevation: Sequence[tuple[str, float]] | None = None
    loss_by_range: Sequence[tuple[str, float]] | None = None
    loss_by_hour: Mapping[str, Any] | None = None
    delay_by_elevation: Sequence[tuple[str, str]] | None = None
    delay_by_range: Sequence[tuple[str, str]] | None = None
    delay_by_hour: Mapping[str, Any] | None = None
    delay: str | None = None
    delay_steps: Sequence[tuple[str, str]] | None = None
    delay_trace: str | None = None
    path_trace: str | None = None
    trace_end: str | None = None
    queue: str | Mapping[str, Any] | None = None
    per: float | None = None
    ber: float | None = None
    bursts: Mapping[str, Any] | None = None
    loss_chain: Mapping[str, Any] | None = None
    netem: Mapping[str, float] | None = None
    land_mobile: Mapping[str, Any] | None = None
    two_state: Mapping[str, Any] | None = None
    loss_steps: Sequence[Mapping[str, Any]] | None = None
    lost_packets: Sequence[int] | None = None
    lost_period: int | None = None
    lost_spans: Sequence[tuple[str, str]] | None = None
    arq: Mapping[str, Any] | None = None
    extra_delay: Sequence[Mapping[str, str]] | None = None
    jitter: Mapping[str, Any] | None = None
    reorder: bool | None = None
    warn_above: float | None = None
    dama: Mapping[str, Any] | None = None
    grants: Mapping[str, Any] | None = None
    acks: Mapping[str, Any] | None = None


@dataclass(kw_only=True)
class Isl(Link):
    """Links between satellites.

    Attributes:
        intra_plane: To the two neighbours in the plane.
        inter_plane: To one satellite of each neighbouring plane.
        max_range: No link longer than this, for example ``"5000 km"``.
        pattern: ``"grid"`` or ``"nearest"``.
        terminals: Of ``"nearest"``: links of a satellite at most.
        pairs: These links and no others, satellites numbered from 0: ``[[0, 1], [1, 2]]``.
        shift: Of ``"grid"``: slot j is linked with slot j + shift of the next plane; without it with the nearest in
            the mean.
        inter_shell: Also to the nearest free satellite of another shell.
    """

    pattern: str | None = None
    terminals: int | None = None
    pairs: Sequence[Sequence[int]] | None = None
    shift: int | None = None
    inter_shell: bool | None = None
    intra_plane: bool | None = None
    inter_plane: bool | None = None
    max_range: str | None = None


@dataclass(kw_only=True)
class Walker:
    """A shell of orbits in evenly spaced planes; without `spacing` a delta, with it a star.

    With `mean_motion` (revolutions per day), `eccentricity` and `epoch` it is propagated by SGP4 as mean elements;
    otherwise orbits are circles.
    """

    planes: int
    per_plane: int
    altitude: str
    inclination: str
    spacing: str | None = None
    first_node: str | None = None
    phase: str | None = None
    alternate_half_slot: bool | None = None
    mean_motion: float | None = None
    eccentricity: float | None = None
    epoch: str | None = None


@dataclass(kw_only=True)
class Shell:
    """Satellites of one kind: a Walker shell, or a file of element sets."""

    name: str | None = None
    walker: Walker | None = None
    catalogue: str | None = None


@dataclass(kw_only=True)
class Place:
    """A place on the ground; without coordinates the city of this name."""

    name: str
    latitude: str | None = None
    longitude: str | None = None


@dataclass(kw_only=True)
class Site(Place):
    """A place that flows may name besides the shipped cities, or in their stead.

    Attributes:
        home: Its packets always pass this point of presence.
        fibre: It has no dish, but fibre to the points of presence.
        cell: Sites of one cell are served by one beam of one satellite at a time, chosen for all of them.
        weight: Its share of a transmitter, against the others of its priority.
        priority: Sites of a higher priority go first on a transmitter that they share.
        mask: The skyline around it, as pairs of azimuth and elevation in degrees; what stands below is hidden.
        mask_file: CSV file of that skyline, instead of `mask`.
        eirp: Power that its dish sends to the satellite, in place of that in the budget of the link up (``"50 dBW"``).
        g_over_t: G/T of its dish, in place of that in the budget of the link down (``"17 dB/K"``).
        rain: What of the budgets' `rain` is its own: `rate_001`, `height`, `probability`, `cell`.
    """

    home: str | None = None
    fibre: bool | None = None
    cell: str | None = None
    weight: int | None = None
    priority: int | None = None
    mask: Sequence[Sequence[float]] | None = None
    mask_file: str | None = None
    eirp: str | None = None
    g_over_t: str | None = None
    rain: Mapping[str, Any] | None = None


@dataclass(kw_only=True)
class Gateway(Place):
    """A ground station that relays.

    Attributes:
        pop: Point of presence that it is wired to.
        min_elevation: It uses satellites above this elevation; without it as sites.
        gso_exclusion: The angle that it keeps to the geostationary arc; without it as sites.
        mask: The skyline around it, as of a site; `mask_file`: a CSV file of it.
        eirp: Power that it sends to the satellite, in place of that in the feeder's budget.
        g_over_t: Its G/T, in place of that in the feeder's budget.
        rain: Its rain, as of a site.
    """

    pop: str | None = None
    min_elevation: str | None = None
    gso_exclusion: str | None = None
    mask: Sequence[Sequence[float]] | None = None
    mask_file: str | None = None
    eirp: str | None = None
    g_over_t: str | None = None
    rain: Mapping[str, Any] | None = None


@dataclass(kw_only=True)
class Access:
    """Which of the satellites in view a site uses.

    Attributes:
        policy: ``"lowest-delay"``, ``"highest-elevation"``, ``"nearest"`` or ``"longest-visible"``.
        slot: The choice is made anew only so often, or when the satellite sets.
        phase: A boundary of slots: after the start of the run, or over a catalogue by the clock of UTC.
        hysteresis: The satellite in use is kept if the best stands no more than this above it.
    """

    policy: str | None = None
    slot: str | None = None
    phase: str | None = None
    hysteresis: str | None = None


@dataclass(kw_only=True)
class Handover:
    """What a switch from one satellite to another costs: `outage`, `during` which packets ``"hold"`` or ``"lose"``."""

    outage: str | None = None
    during: str | None = None


@dataclass(kw_only=True)
class SharedLinks:
    """Links that share one transmitter, whose rate is that of the link, and take turns.

    Attributes:
        uplink: Those from sites to a ``"satellite"``, or to one of its beams (``"beam"``: the sites of a cell).
        downlink: Those from satellites to sites, likewise.
        feeder: Those of a ``"gateway"``, or of a ``"satellite"`` with gateways; up and down.
        turns: Turns are charged with ``"bytes"``, or with ``"time"`` on the air: then a link with a low rate takes
            nothing from others.
        uplink_total: What all beams of a satellite get from sites together.
        downlink_total: What they send together; each has the rate of the link besides.
        feeder_total: What a gateway sends to all its satellites together, and what it gets from them.
        uplink_total_steps: Instead of `uplink_total`, as a link's `rate_steps`; so are the other two.
        downlink_total_steps: Instead of `downlink_total`.
        feeder_total_steps: Instead of `feeder_total`.
    """

    uplink: str | None = None
    downlink: str | None = None
    feeder: str | None = None
    turns: str | None = None
    uplink_total: str | None = None
    uplink_total_steps: Sequence[Mapping[str, str]] | None = None
    downlink_total: str | None = None
    downlink_total_steps: Sequence[Mapping[str, str]] | None = None
    feeder_total: str | None = None
    feeder_total_steps: Sequence[Mapping[str, str]] | None = None


@dataclass(kw_only=True)
class Beam:
    """The beam that serves the sites of a cell: its `weight` and `priority` among the beams of a satellite's total."""

    cell: str
    weight: int | None = None
    priority: int | None = None


@dataclass(kw_only=True)
class Constellation:
    """Satellites: a preset (`bentpipe.constellations`) with what is different, a shell or several, or a catalogue.

    Attributes:
        preset: Name of a preset; the other fields change it.
        name: Name of a constellation that is no preset.
        walker: A Walker shell.
        catalogue: File of element sets (TLE, 3LE, OMM as JSON or CSV), relative to the scenario's file.
        shells: Several shells, instead of `walker` or `catalogue`.
        start: Start of the run for a catalogue, UTC; without it the newest epoch of the file.
        oldest: Sets whose epoch is farther from the start are left out.
        unusable: Satellites that cannot be followed: ``"refuse"`` or ``"skip"``.
        isl: Links between satellites, or False for none.
        user_link: Ground to satellite and back; `uplink` and `downlink` where these differ.
        uplink: Ground to satellite.
        downlink: Satellite to ground.
        feeder: Between a satellite and a gateway.
        min_elevation: Sites use satellites above it.
        max_slant_range: Sites use satellites within it, instead of `min_elevation`.
        gso_exclusion: Earth stations use no satellite that they see so near to the geostationary arc.
        access: Which of those a site uses.
        handover: What a switch from one satellite to another costs.
        shared: Links that share one transmitter, and what transmitters may send together.
        beams: With what right beams share the total of their satellite.
        isl_latitude_limit: Links between planes are off beyond this latitude.
        cross_seam: Links across the seam of a star.
        gateways: Ground stations that relay.
        pops: Where gateways meet the ground network.
        fibre_factor: Delay of fibre over that of light in vacuum.
        route_step: How often routes are computed anew.
        route_times: ``"steps"``, or ``"events"``: also when paths change in between.
        offset: The run begins so long after the epoch of the orbits.
        in_flight: What waits for a link that goes away: ``"forward"`` or ``"drop"``.
        sites: Places that flows may name besides the shipped cities.
    """

    preset: str | None = None
    name: str | None = None
    walker: Walker | None = None
    catalogue: str | None = None
    shells: Sequence[Shell] | None = None
    start: str | None = None
    oldest: str | None = None
    unusable: str | None = None
    isl: Link | bool | None = None
    user_link: Link | None = None
    uplink: Link | None = None
    downlink: Link | None = None
    feeder: Link | None = None
    min_elevation: str | None = None
    max_slant_range: str | None = None
    gso_exclusion: str | None = None
    access: Access | None = None
    handover: Handover | None = None
    shared: SharedLinks | None = None
    beams: Sequence[Beam] | None = None
    isl_latitude_limit: str | None = None
    cross_seam: bool | None = None
    gateways: Sequence[Gateway] | None = None
    pops: Sequence[Place] | None = None
    fibre_factor: float | None = None
    route_step: str | None = None
    route_times: str | None = None
    offset: str | None = None
    in_flight: str | None = None
    sites: Sequence[Site | Place] | None = None


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
    """A branch of a star: a link to the site of that name.

    Attributes:
        forward: The carrier from the hub that it shares with others, and its right there,
            ``{"carrier": "down", "weight": 2, "priority": 1}``, with a `ForwardCarrier` of that name. `rate` is then
            that of its turns, by default the carrier's.
    """

    site: str
    forward: Mapping[str, Any] | None = None


@dataclass(kw_only=True)
class Carrier:
    """A carrier that branches of a star share on their way to the hub: their `dama` names it.

    Attributes:
        sharing: Who gets how much of what is short: ``"max-min"`` or ``"proportional"``.
    """

    name: str
    rate: str
    superframe: str
    latency: str
    sharing: str | None = None


@dataclass(kw_only=True)
class ForwardCarrier:
    """A carrier on which the hub of a star sends to several branches, one after the other: their `forward` names it."""

    name: str
    rate: str
    turns: str | None = None


@dataclass(kw_only=True)
class Star:
    """A hub (site ``hub``) and its branches."""

    branches: Sequence[Branch]
    carriers: Sequence[Carrier] | None = None
    forward_carriers: Sequence[ForwardCarrier] | None = None


@dataclass(kw_only=True)
class Starlink:
    """A path over Starlink between the sites ``dish`` and ``server``; by default flows go up from the dish.

    Attributes:
        preset: ``"starlink-good"``, ``"starlink-far"`` or ``"starlink-isl"``.
        phase: Second of the minute at the start of the run; epochs begin at :12, :27, :42 and :57.
        rtt: Round-trip time of the terrestrial rest of the path.
        queue: ``{"up": "500 packets", "down": "2000 packets"}``, or one of them; each as that of a `Link`.
        loss: Loss between the boundaries instead of the preset's, ``{"down": {"per": 1e-3}}``; ``{}`` for none.
    """

    preset: str
    phase: str | None = None
    rtt: str | None = None
    queue: Mapping[str, str | Mapping[str, Any]] | None = None
    loss: Mapping[str, Mapping[str, Any]] | None = None


@dataclass
class Preset:
    """A network by name (`presets`).

    Attributes:
        preset: ``"starlink-2024-eu"``, ``"oneweb"``, ``"geo-ka-residential"``, ``"o3b-mpower"``
            (unvalidated) or ``"iridium-certus"``.
        own: What differs from it, as a file has it: ``{"dumbbell": {"rate": "50 Mbit/s"}}``. Tables are merged key by
            key; lists, queues, losses, arq, jitter, dama, grants and budgets are taken whole; ``"off"`` takes away what
            the preset says under a key.
    """

    preset: str
    own: Mapping[str, Any] | None = None


def _own_of(network: Preset) -> dict[str, Any]:
    """Keys of a network that take the place of its preset's."""
    return {key: _document(one) for key, one in (network.own or {}).items()}


@dataclass(kw_only=True)
class Tcp:
    """Transport settings, of all flows or of one: a preset (`tcp_presets`), and what differs from it."""

    preset: str | None = None
    mss: str | None = None
    header: str | None = None
    initial_window: int | None = None
    growth_limit: int | None = None
    recovery: str | None = None
    prr: bool | None = None
    repair: str | None = None
    timeouts: str | None = None
    limited_transmit: bool | None = None
    undo: bool | None = None
    delayed_ack: bool | str | Mapping[str, Any] | None = None
    ecn: bool | str | None = None
    min_rto: str | None = None
    max_rto: str | None = None
    initial_rto: str | None = None
    clock: str | None = None
    dup_thresh: int | None = None
    receive_window: str | Mapping[str, Any] | None = None
    setup: str | None = None
    syn_header: str | None = None
    after_lost_syn: str | None = None
    fin_beyond_window: bool | None = None
    tso: bool | None = None
    one_cut_per_recovery: bool | None = None
    sack_restarts_timer: bool | None = None
    pacing_credit: bool | None = None
    saved_path: Mapping[str, str] | None = None


@dataclass(kw_only=True)
class Flow:
    """Flows of one kind. `from_` is the document's ``from``, which Python keeps for itself.

    A `kind` of ``"transfers"``, ``"web"``, ``"video"`` or ``"requests"`` is an application: users at `to` fetch from
    servers at `from_` over many connections. It says when sessions begin by one of `users`, `arrivals` and `load`.
    """

    controller: str | Mapping[str, Any] | None = None
    from_: str | None = None
    to: str | None = None
    name: str | None = None
    count: int | None = None
    access: Link | None = None
    distance: str | None = None
    urgent: bool | None = None
    start: str | None = None
    stagger: str | None = None
    stop: str | None = None
    size: str | Mapping[str, Any] | None = None
    trickle: Mapping[str, str] | None = None
    kind: str | None = None
    rate: str | None = None
    packet: str | None = None
    on: str | Mapping[str, str] | None = None
    off: str | Mapping[str, str] | None = None
    interval: str | None = None
    profile: str | None = None
    playout: str | None = None
    there: Mapping[str, Any] | None = None
    back: Mapping[str, Any] | None = None
    tcp: Tcp | None = None
    users: int | None = None
    think: str | Mapping[str, Any] | None = None
    arrivals: Mapping[str, Any] | None = None
    load: float | None = None
    page: str | Mapping[str, Any] | None = None
    video: Mapping[str, Any] | None = None
    request: Mapping[str, Any] | None = None
    tls: bool | Mapping[str, str] | None = None


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
class Pep:
    """Performance-enhancing proxies at one site or two, which split the TCP connections that pass.

    At the moments ``resets`` they lose their state, and so does one at the ``"gateway"`` when the path hands over to
    another.
    """

    at: Sequence[str]
    buffer: str
    controller: str | Mapping[str, Any] | None = None
    tcp: Tcp | None = None
    flows: Sequence[str] | None = None
    resets: Sequence[str] | None = None
    retry: str | None = None
    on_handover: str | None = None
    move_time: str | None = None


@dataclass(kw_only=True)
class Record:
    """What is recorded: interval of the series (or ``"off"``), events, packets; what is captured, by name."""

    interval: str | None = None
    events: bool | None = None
    packets: bool | Mapping[str, str] | None = None
    pcap: Sequence[str] | None = None
    pcap_links: Sequence[str] | None = None
    ipv6: bool | None = None
    qlog: Sequence[str] | None = None
    snap: str | None = None


@dataclass(kw_only=True)
class Scenario:
    """One experiment.

    Attributes:
        name: Title for people; "untitled" if none is given.
        network: One of `Constellation`, `Dumbbell`, `Chain`, `Star`, `Starlink`, or a `Preset`.
        flows: The flows, in order; at least one here or in `traffic`.
        traffic: Flows between many sites.
        duration: For example ``"100 s"``.
        seed: Root of all random streams.
        warm_up: Left out of the summary's means at the start of the run.
        tcp: Transport settings of all flows.
        peps: Proxies that split connections (RFC 3135).
        record: What is recorded.
        announce: Flows are told of path changes so long before they happen, for example ``"1 s"``.
        announce_error: The time that an announcement names is off by up to this.
    """

    name: str = "untitled"
    network: Constellation | Dumbbell | Chain | Star | Starlink | Preset
    flows: Sequence[Flow] = ()
    traffic: Sequence[Traffic] = ()
    duration: str | None = None
    seed: int | None = None
    warm_up: str | None = None
    tcp: Tcp | None = None
    peps: Sequence[Pep] | None = None
    record: Record | None = field(default=None)
    announce: str | None = None
    announce_error: str | None = None

    def to_toml(self) -> str:
        """The document as TOML, as written here (defaults are not filled in)."""
        if not isinstance(self.network, (Constellation, Dumbbell, Chain, Star, Starlink, Preset)):
            kinds = "Constellation, Dumbbell, Chain, Star, Starlink or Preset"
            raise refuse(f"the network of a scenario is a bentpipe.{kinds}, not {self.network!r}")
        table = _document(self)
        if not self.traffic:
            table.pop("traffic", None)
        if isinstance(self.network, Preset):
            table["network"] = {"preset": self.network.preset, **_own_of(self.network)}
        else:
            table["network"] = {type(self.network).__name__.lower(): table["network"]}
        for key in ("announce", "announce_error"):
            if (value := table.pop(key, None)) is not None:
                table["network"][key] = value
        try:
            return tomli_w.dumps(table)
        except TypeError as problem:
            raise refuse(f"scenario {self.name!r} holds what no document can say: {problem}") from None

    def resolved(self) -> str:
        """The document as it is run: checked, every default filled in.

        Raises:
            ScenarioError: If the document is refused.
        """
        return _core.facts(_core.Job(self.to_toml(), f"scenario {self.name!r}")).resolved
