# SPDX-License-Identifier: MIT OR Apache-2.0
# Written by `make docs` from the schema of scenarios; do not edit.
# ruff: noqa: D205, TC003
"""A class for each table of a scenario, with the keys of TOML. `None` leaves a key out.

A quantity is text with its unit, as in a file. A table may also be a mapping with the same keys. The classes check
nothing: a document is checked when it is run or resolved.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from bentpipe.scenario.document import TomlDocument, TomlTable

__all__ = [
    "Access",
    "AccessLink",
    "AckRule",
    "Acks",
    "Arq",
    "Arrivals",
    "BadStretch",
    "Beam",
    "Branch",
    "Budget",
    "Bursts",
    "ByHour",
    "Carrier",
    "Chain",
    "Constellation",
    "Counts",
    "Dama",
    "DelayByHour",
    "DelayStep",
    "DrawnPeriod",
    "Dumbbell",
    "Flow",
    "Forward",
    "ForwardCarrier",
    "Gateway",
    "GoodStretch",
    "Grants",
    "GrowingWindow",
    "Handover",
    "Hop",
    "Isl",
    "Jitter",
    "LandMobile",
    "Link",
    "LogNormalJitter",
    "LooState",
    "Loss",
    "LossByHour",
    "LossChain",
    "LossState",
    "LossStep",
    "Media",
    "MovingLink",
    "Netem",
    "Network",
    "NormalJitter",
    "Origin",
    "Page",
    "PageObject",
    "Part",
    "Pep",
    "Place",
    "Policer",
    "Queue",
    "Quic",
    "Rain",
    "RandomAccess",
    "RateStep",
    "Record",
    "Request",
    "SavedPath",
    "Scenario",
    "SharedLinks",
    "Shell",
    "Site",
    "Sizes",
    "Star",
    "Starlink",
    "StarlinkLoss",
    "StarlinkQueue",
    "StationRain",
    "Tcp",
    "Times",
    "Tls",
    "Traffic",
    "Trickle",
    "TwoState",
    "UserLink",
    "Video",
    "Walker",
    "Weather",
]

AccessWord = Literal["slotted-aloha", "crdsa"]
AfterIdle = Literal["keep", "rfc5681", "linux", "rfc7661"]
AfterLostSyn = Literal["rfc", "linux"]
ArrivalLaw = Literal["poisson", "regular", "on-off"]
AtHandover = Literal["reset", "move"]
Between = Literal["linear", "log-linear", "power"]
CeOf = Literal["all", "ect1"]
ChoiceWord = Literal["buffer", "rate"]
Clock = Literal["UTC", "local"]
ControllerSource = Literal["bentpipe", "library"]
Discipline = Literal[
    "drop-tail",
    "codel",
    "fq-codel",
    "threshold",
    "red",
    "pie",
    "dualpi2",
    "drop-front",
    "priority",
    "drr",
]
During = Literal["hold", "lose"]
Ecn2 = Literal["classic", "dctcp", "l4s", "accurate", "accurate-l4s"]
InFlight = Literal["forward", "drop"]
Keys = Literal["real", "null"]
Kind = Literal["tcp", "cbr", "ping", "transfers", "web", "video", "requests", "call"]
Ladder = Literal["dvb-s2", "dvb-s2x"]
Law = Literal["exponential"]
LikeLinux = Literal["linux"]
Matrix = Literal["pairs", "permutation", "gravity", "file"]
Objects = Literal["satellites", "all"]
PageName = Literal["median-2024"]
Pattern = Literal["grid", "nearest"]
PlainLaw = Literal["exponential", "log-normal", "pareto", "points", "file"]
Policy = Literal["lowest-delay", "highest-elevation", "nearest", "longest-visible"]
Preset = Literal["linux", "rfc", "ns2-sack1", "ns2-newreno", "ns2-linux", "bentpipe-0.1"]
Profile = Literal["voice", "video-call", "game"]
ProtocolWord = Literal["http1", "http2", "http2-interleaved"]
Recovery = Literal["reno", "newreno", "sack", "rack"]
Repair = Literal["rfc6675", "fall-floyd", "rate-halving"]
RouteTimes = Literal["steps", "events"]
SchedulerWord = Literal["wrr", "time-shifted"]
Scope = Literal["beam", "satellite", "gateway"]
Setup = Literal["none", "handshake", "fast-open", "ns-2", "ns-2-linux"]
Sharing = Literal["max-min", "proportional"]
SizeLaw = Literal["exponential", "log-normal", "pareto", "points", "file", "web-search", "data-mining", "internet-mix"]
Surroundings = Literal[
    "urban-20",
    "urban-30",
    "urban-45",
    "urban-60",
    "suburban-20",
    "suburban-30",
    "suburban-45",
    "suburban-60",
    "rural-wooded-20",
    "rural-wooded-30",
    "rural-wooded-45",
    "rural-wooded-60",
    "rural-wooded-70",
]
ThinningWord = Literal["filter", "filter-aggressive", "decimate"]
Timeouts = Literal["rfc6298", "ns-2", "ns-2-linux"]
TraceEnd = Literal["wrap", "hold", "stop"]
TransportProtocol = Literal["tcp", "quic"]
Turns = Literal["bytes", "time"]
Unusable = Literal["refuse", "skip"]
WaitEstimate = Literal["timestamp", "rate"]


@dataclass(kw_only=True, slots=True, repr=False)
class Scenario(TomlDocument):
    """A scenario for Bentpipe: one network, its flows, and what a run records.

    Attributes:
        name: Title. Default "untitled".
        duration: How long the run lasts. Default "60 s". From 1 us to 30 d.
        seed: Seed of all random streams. Default 1. At least 0.
        warm_up: Length of the first part of the run, which averages and counts leave out. Default "0 s".
        network: The network: exactly one of constellation, dumbbell, chain, star and starlink, or a preset.
        tcp: TCP settings of all flows.
        flows: The flows; at least one flow is needed, here or in `traffic`.
        traffic: Flows between many sites, expanded into single flows when the file is read.
        peps: Performance-enhancing proxies that split TCP connections (RFC 3135).
        record: What a run records.
    """

    name: str | None = None
    duration: str | None = None
    seed: int | None = None
    warm_up: str | None = None
    network: Network | Constellation | Dumbbell | Chain | Star | Starlink | Mapping[str, object]
    tcp: Tcp | Mapping[str, object] | None = None
    flows: Sequence[Flow | Mapping[str, object]] | None = None
    traffic: Sequence[Traffic | Mapping[str, object]] | None = None
    peps: Sequence[Pep | Mapping[str, object]] | None = None
    record: Record | Mapping[str, object] | None = None


@dataclass(kw_only=True, slots=True, repr=False)
class Network(TomlTable):
    """Exactly one of constellation, dumbbell, chain, star and starlink, or a preset that has one of them.

    Attributes:
        preset: A network by name (`bentpipe presets`). Every preset has the sites "terminal" and "server". Other keys
            of the network replace values of the preset. Tables are merged key by key. Lists, and the keys queue, loss,
            arq, jitter, dama, grants and budget, are replaced as a whole. The value "off" removes the preset's value.
        constellation: Satellites.
        dumbbell: Two routers and a bottleneck between the sites "left" and "right".
        chain: Routers in a row, with the sites "0", "1", ….
        star: A hub and branches. Each branch has a site. The hub is the site "hub".
        starlink: A path over Starlink between the sites "dish" and "server". By default, flows send to the dish.
        announce: Time from the notice that flows receive about a path change to the change itself. Default "0 s": flows
            receive the notice when the path changes. At most 1 h.
        announce_error: Largest error of the announced time, in either direction. Flows know this limit. Default "0 s".
            At most 1 h.
        origin: Only in a resolved scenario: the preset that the network comes from.
    """

    preset: str | None = None
    constellation: Constellation | Mapping[str, object] | None = None
    dumbbell: Dumbbell | Mapping[str, object] | None = None
    chain: Chain | Mapping[str, object] | None = None
    star: Star | Mapping[str, object] | None = None
    starlink: Starlink | Mapping[str, object] | None = None
    announce: str | None = None
    announce_error: str | None = None
    origin: Origin | Mapping[str, object] | None = None


@dataclass(kw_only=True, slots=True, repr=False)
class Constellation(TomlTable):
    """Satellites: a preset, a Walker shell, a catalogue, or several shells.

    Attributes:
        preset: A built-in constellation. Other keys replace its values.
        name: Name of a constellation without a preset. Default: the name of the file in `catalogue` without its
            extension, or "custom".
        catalogue: File of element sets (TLE, 3LE, OMM as JSON, CSV, XML or KVN). The file name is relative to the
            scenario's file. If an object has several element sets, the one whose epoch is nearest to the start is used.
        start: Start of the run in UTC (RFC 3339), for a catalogue. Default: the newest epoch of the satellites used,
            but at most 30 days after the median epoch.
        oldest: Largest time between the start of the run and the epoch of an element set. Element sets outside this
            limit are not used. Default: no limit. At most 3650 d.
        unusable: What to do with satellites of a catalogue that cannot be propagated: "refuse" the run, or "skip" them.
            Default "refuse".
        objects: Which objects of a catalogue are used. "satellites": without objects whose names or fields show that
            they are not working satellites of the constellation (debris, rocket bodies, decayed satellites, satellites
            of other owners). "all": every object. Default "satellites".
        shells: Several shells, instead of `walker` or `catalogue`.
        min_elevation: Smallest elevation at which sites use a satellite. Default "25 deg" without a preset. From -5 deg
            to 90 deg.
        max_slant_range: Sites use satellites within this range at any elevation (Hypatia's rule), instead of
            `min_elevation`.
        gso_exclusion: Sites and gateways do not use satellites within this angle of the visible geostationary arc (the
            topocentric angle alpha of Rec. ITU-R S.1503). Default "0 deg": no limit. From 0 deg to 90 deg.
        access: Which of the satellites in view a site uses. Default: each path uses the satellite with the lowest
            delay.
        handover: Effects of a handover from one satellite to another. Default: none.
        route_times: "steps": routes change at route steps. "events": routes also change between route steps when paths
            change, with a resolution of a millisecond. Default "steps".
        gateways: Ground stations that relay, and connect to points of presence.
        pops: Points of presence, where gateways connect to the terrestrial network.
        fibre_factor: Delay of terrestrial fibre, divided by the delay of light in vacuum along the great circle.
            Default 1.5. From 1.0 to 10.0.
        feeder: Link between a satellite and a gateway, in both directions. Default: the feeder link of the preset, or
            "10 Gbit/s" and "500 packets" without a preset.
        route_step: Interval between route computations. Default "10 s" without a preset. From 1 ms to 1 d.
        offset: Time from the epoch of the orbits to the start of the run. With another value, the satellites start at
            other positions. Default "0 s". From 0 s to 365 d.
        in_flight: What happens to packets that wait for a link when it goes down. Default "forward". One of "forward",
            "drop".
        isl_latitude_limit: Inter-satellite links between planes are off while either end is above this latitude, north
            or south. From 0 deg to 90 deg.
        cross_seam: Whether there are links across the seam of a Walker star: between its first and its last plane,
            which move in opposite directions. Default false.
        walker: A Walker shell.
        isl: Inter-satellite links, or false for none.
        user_link: Link between ground and satellite if both directions are equal.
        uplink: Link from ground to satellite.
        downlink: Link from satellite to ground.
        shared: Links that share one transmitter. They share the rate of the link. Default: each link has its own
            transmitter.
        beams: Weights and priorities of beams within the total of their satellite. Default: all beams are equal.
        sites: Places that flows may name, in addition to the built-in list. A place in this list replaces a built-in
            place with the same name.
    """

    preset: str | None = None
    name: str | None = None
    catalogue: str | None = None
    start: str | None = None
    oldest: str | None = None
    unusable: Unusable | None = None
    objects: Objects | None = None
    shells: Sequence[Shell | Mapping[str, object]] | None = None
    min_elevation: str | None = None
    max_slant_range: str | None = None
    gso_exclusion: str | None = None
    access: Access | Mapping[str, object] | None = None
    handover: Handover | Mapping[str, object] | None = None
    route_times: RouteTimes | None = None
    gateways: Sequence[Gateway | Mapping[str, object]] | None = None
    pops: Sequence[Place | Mapping[str, object]] | None = None
    fibre_factor: float | None = None
    feeder: MovingLink | Mapping[str, object] | None = None
    route_step: str | None = None
    offset: str | None = None
    in_flight: InFlight | None = None
    isl_latitude_limit: str | None = None
    cross_seam: bool | None = None
    walker: Walker | Mapping[str, object] | None = None
    isl: bool | Isl | Mapping[str, object] | None = None
    user_link: UserLink | Mapping[str, object] | None = None
    uplink: UserLink | Mapping[str, object] | None = None
    downlink: MovingLink | Mapping[str, object] | None = None
    shared: SharedLinks | Mapping[str, object] | None = None
    beams: Sequence[Beam | Mapping[str, object]] | None = None
    sites: Sequence[Site | Mapping[str, object]] | None = None


@dataclass(kw_only=True, slots=True, repr=False)
class Shell(TomlTable):
    """A shell of satellites: either `walker` or `catalogue`.

    Attributes:
        name: Name of the shell. Default: the name of the constellation and a number.
        walker: A Walker shell.
        catalogue: File of element sets. The file name is relative to the scenario's file.
    """

    name: str | None = None
    walker: Walker | Mapping[str, object] | None = None
    catalogue: str | None = None


@dataclass(kw_only=True, slots=True, repr=False)
class Walker(TomlTable):
    """A shell of satellites on circular orbits in evenly spaced planes.

    Attributes:
        planes: Number of orbital planes. From 1 to 1000.
        per_plane: Number of satellites in each plane. From 1 to 1000.
        altitude: Height above the equatorial radius. Required without mean_motion. Circular orbits below 160 km are
            inside the atmosphere (Tsubame kept 167.4 km in 2019, the lowest altitude so far). From 160 km to 100000 km.
        inclination: Inclination of the orbits. From 0 deg to 180 deg.
        spacing: Angle between neighbouring ascending nodes, for a Walker star. Default: a Walker delta over 360
            degrees. From 0 deg to 360 deg.
        first_node: Longitude of the ascending node of the first plane at the start. Default "0 deg". From -360 deg to
            360 deg.
        phase: Phase by which a plane is ahead of the plane before it (Walker T/P/F: F * 360 / T). Default "0 deg". From
            -360 deg to 360 deg.
        alternate_half_slot: If true, the satellites of odd planes are half a slot ahead. This key contradicts a `phase`
            other than zero. Default false.
        mean_motion: Revolutions per day, instead of `altitude`. SGP4 then propagates the shell as mean elements.
            Default: circular orbits. From 0.1 to 17.0.
        eccentricity: With mean_motion: eccentricity. Default 1e-7. From 0.0 to 0.9.
        epoch: With mean_motion: epoch of the elements and start of the run in UTC, RFC 3339. Default
            "2000-01-01T00:00:00Z".
    """

    planes: int
    per_plane: int
    altitude: str | None = None
    inclination: str
    spacing: str | None = None
    first_node: str | None = None
    phase: str | None = None
    alternate_half_slot: bool | None = None
    mean_motion: float | None = None
    eccentricity: float | None = None
    epoch: str | None = None


@dataclass(kw_only=True, slots=True, repr=False)
class Access(TomlTable):
    """Which of the satellites in view a site uses.

    Attributes:
        policy: How the site chooses a satellite. Default "lowest-delay". One of "lowest-delay", "highest-elevation",
            "nearest", "longest-visible".
        slot: Interval between choices. Between two choices, a site changes its satellite only if the satellite sets.
            Default: every route step. From 100 ms to 1 d.
        phase: Time from the start of the run to a slot boundary. For a catalogue, slots follow the UTC clock, and the
            time counts from 1970-01-01T00:00:00Z. If a minute is a multiple of the slot, the value is the second of the
            minute at which a slot begins. Default "0 s". For slots of 15 s with a catalogue, the default is "12 s",
            which gives Starlink's :12, :27, :42 and :57. At most 1 d.
        hysteresis: At a slot boundary, the site keeps its satellite unless another satellite is higher by more than
            this angle. Default "0 deg". From 0 deg to 90 deg.
    """

    policy: Policy | None = None
    slot: str | None = None
    phase: str | None = None
    hysteresis: str | None = None


@dataclass(kw_only=True, slots=True, repr=False)
class Handover(TomlTable):
    """Effects of a handover from one satellite to another.

    Attributes:
        outage: Time for which the new link carries nothing. Default "0 s". At most 1 h.
        during: What happens to packets in the outage: they wait ("hold") or are lost ("lose"). Default "hold".
    """

    outage: str | None = None
    during: During | None = None


@dataclass(kw_only=True, slots=True, repr=False)
class Gateway(TomlTable):
    """A ground station that relays.

    Attributes:
        name: Name of the gateway.
        latitude: Geodetic latitude, north positive. Default: the latitude of the city of this name. From -90 deg to 90
            deg.
        longitude: Longitude, east positive. From -180 deg to 360 deg.
        altitude: Height above the ellipsoid, as for a site. From -500 m to 9 km.
        pop: Point of presence to which the gateway is connected. Default: none. The gateway then only relays between
            satellites.
        min_elevation: Smallest elevation of the satellites that the gateway uses. Default: as for sites. From -5 deg to
            90 deg.
        gso_exclusion: Smallest angle between the satellites that the gateway uses and the geostationary arc. Default:
            as for sites. From 0 deg to 90 deg.
        mask: Obstacles around the gateway, as for a site.
        mask_file: File of obstacles, instead of `mask`. The file name is relative to the scenario's file.
        eirp: EIRP of the gateway towards the satellite, instead of `eirp` in the budget of the feeder link. From -100
            dBW to 200 dBW.
        g_over_t: G/T of the gateway, instead of `g_over_t` in the budget of the feeder link. From -100 dB/K to 100
            dB/K.
        rain: Rain at the gateway, as for a site.
    """

    name: str
    latitude: str | None = None
    longitude: str | None = None
    altitude: str | None = None
    pop: str | None = None
    min_elevation: str | None = None
    gso_exclusion: str | None = None
    mask: Sequence[Sequence[float]] | None = None
    mask_file: str | None = None
    eirp: str | None = None
    g_over_t: str | None = None
    rain: StationRain | Mapping[str, object] | None = None


@dataclass(kw_only=True, slots=True, repr=False)
class StationRain(TomlTable):
    """Rain at one site or gateway. `rate_001` and `height` are required, unless a budget of one of the site's links has
    rain.

    Attributes:
        rate_001: Rain rate that is exceeded for 0.01 % of an average year (ITU-R P.837). At most 300 mm/h.
        height: Rain height above sea level (ITU-R P.839). At most 10 km.
        probability: Fraction of the year in which it rains on the path. Default 0.05. From 0.001 to 0.5, or text in
            percent: "0.5 %".
        cell: Name of the rain cell. Places with the same cell are in the same rain. Default: the cell of the budget, or
            a separate cell for this place.
    """

    rate_001: str | None = None
    height: str | None = None
    probability: float | str | None = None
    cell: str | None = None


@dataclass(kw_only=True, slots=True, repr=False)
class Place(TomlTable):
    """A place on the ground.

    Attributes:
        name: Name of the place.
        latitude: Geodetic latitude, north positive. Default: the latitude of the city of this name. From -90 deg to 90
            deg.
        longitude: Longitude, east positive. From -180 deg to 360 deg.
        altitude: Height above the ellipsoid, as for a site. From -500 m to 9 km.
    """

    name: str
    latitude: str | None = None
    longitude: str | None = None
    altitude: str | None = None


@dataclass(kw_only=True, slots=True, repr=False)
class MovingLink(TomlTable):
    """A link whose delay follows from geometry.

    Keys that are missing have the values of the preset. Without a preset, a rate is required, and the default queue is
    "50 packets".

    Attributes:
        rate: Rate of the link. Required without a preset. At least 1 bit/s.
        rate_steps: Rate over time, instead of `rate`. It is the same on every link of this kind: `[{ at = "0 s", rate =
            "50 Mbit/s" }, { at = "15 s", rate = "20 Mbit/s" }]`.
        rate_by_elevation: Rate over the elevation of the satellite, instead of `rate`: `[["25 deg", "50 Mbit/s"], ["60
            deg", "150 Mbit/s"]]`. The rate is linear between points, and constant below the first and above the last
            point.
        rate_by_range: Rate over the distance of the other end, instead of `rate`: `[["550 km", "150 Mbit/s"], ["1100
            km", "50 Mbit/s"]]`.
        budget: Link budget between a satellite and the ground, instead of `rate`. It has the table `down` for a
            downlink, `up` for an uplink, and both for user_link and feeder. Elevation, distance and latitude follow
            from the satellite and the place. Each site or gateway has its own rain cell, unless the budget names a
            cell.
        rate_by_hour: Rate over the time of day. If elevation or distance also determine a rate, the lower rate applies.
        loss_by_elevation: Probability of loss over the elevation of the satellite, in addition to `loss`: `[["25 deg",
            0.02], ["40 deg", 0.0]]`.
        loss_by_range: Probability of loss over the distance of the other end, in addition to `loss`: `[["600 km", 0.0],
            ["1100 km", 0.02]]`.
        delay_by_elevation: Additional one-way delay over the elevation of the satellite: `[["25 deg", "8 ms"], ["60
            deg", "2 ms"]]`.
        delay_by_range: Additional one-way delay over the distance of the other end: `[["600 km", "0 ms"], ["1100 km",
            "4 ms"]]`.
        loss_by_hour: Probability of loss over the time of day, in addition to `loss`.
        delay_by_hour: Additional one-way delay over the time of day.
        trace: File with a Mahimahi trace of deliveries, instead of `rate`. The file name is relative to the scenario's
            file.
        delay_trace: File of one-way delays (as for LeoReplayer) in whole milliseconds, one for each 10 ms. They are
            added to the link's own delay. The file name is relative to the scenario's file.
        path_trace: CSV file with rate, delay and loss over time. The file name is relative to the scenario's file. The
            columns are time_s and at least one of rate_mbit_s, delay_ms (one way) and loss_ratio. Each row applies
            until the next row. The rate replaces `rate`, the delay is added to the link's own delay, and the loss is
            added to `loss`.
        trace_end: What follows the end of a trace: the trace starts again ("wrap"), its last value stays ("hold"), or
            the link stops carrying packets ("stop"). Default "wrap", but "hold" for path_trace. A trace of deliveries
            cannot have "hold".
        queue: Queue in front of the link. The description of this table contains the default.
        loss: Random or listed loss. Default: none.
        arq: The link retransmits packets that arrive with errors. Losses then become delay. Default: no retransmission.
        mtu: Maximum transmission unit: size of the largest IP packet that the link carries. The link drops larger
            packets before its queue. It does not fragment packets, and sends no ICMP messages. Default: unlimited. From
            68 B to 65535 B.
        policer: A token bucket before the queue. It drops packets above its rate and does not delay packets. Default:
            none.
        ecn_bleach: If true, a middlebox before the queue clears the ECN field of all packets. Queues after this point
            then drop packets instead of marking them, and earlier marks are lost. Default false.
        extra_delay: Additional delay over time: `[{ at = "20 s", delay = "5 ms" }, { at = "40 s", delay = "0 s" }]`.
            Default: none.
        jitter: Additional random delay, drawn independently for each packet. Default: none.
        reorder: If true, packets may overtake each other when the delay decreases, or because of their jitter. If
            false, a packet waits for the packet before it. Default false.
        warn_above: While the mean queue is longer than this number of packets, data packets get a congestion warning
            (TCP-Jersey). Default: never. From 0.0 to 1000000000.0.
    """

    rate: str | None = None
    rate_steps: Sequence[RateStep | Mapping[str, object]] | None = None
    rate_by_elevation: Sequence[Sequence[str | float]] | None = None
    rate_by_range: Sequence[Sequence[str | float]] | None = None
    budget: Budget | Mapping[str, object] | None = None
    rate_by_hour: ByHour | Mapping[str, object] | None = None
    loss_by_elevation: Sequence[Sequence[str | float]] | None = None
    loss_by_range: Sequence[Sequence[str | float]] | None = None
    delay_by_elevation: Sequence[Sequence[str | float]] | None = None
    delay_by_range: Sequence[Sequence[str | float]] | None = None
    loss_by_hour: LossByHour | Mapping[str, object] | None = None
    delay_by_hour: DelayByHour | Mapping[str, object] | None = None
    trace: str | None = None
    delay_trace: str | None = None
    path_trace: str | None = None
    trace_end: TraceEnd | None = None
    queue: str | Queue | Mapping[str, object] | None = None
    loss: Loss | Mapping[str, object] | None = None
    arq: Arq | Mapping[str, object] | None = None
    mtu: str | None = None
    policer: Policer | Mapping[str, object] | None = None
    ecn_bleach: bool | None = None
    extra_delay: Sequence[DelayStep | Mapping[str, object]] | None = None
    jitter: Jitter | Mapping[str, object] | None = None
    reorder: bool | None = None
    warn_above: float | None = None


@dataclass(kw_only=True, slots=True, repr=False)
class RateStep(TomlTable):
    """A rate from a time on.

    Attributes:
        at: Start of the step.
        rate: Rate. While the rate is zero, packets wait.
        ramp_to: The rate changes linearly to this value until the next step. Default: the rate stays constant.
    """

    at: str
    rate: str
    ramp_to: str | None = None


@dataclass(kw_only=True, slots=True, repr=False)
class Budget(TomlTable):
    """A link budget.

    Power, noise and weather determine the modulation and code, and with them the data rate in DVB baseband frames. If a
    frame cannot be decoded, all packets in the frame are lost.

    Attributes:
        bandwidth: Bandwidth of the carrier. From 1 kHz to 10 GHz.
        roll_off: Roll-off of the filter: the symbol rate is the bandwidth divided by (1 + roll_off). Default 0.2. From
            0.0 to 1.0, or text in percent: "0.5 %".
        modcods: Modulations and codes of the modem. Default "dvb-s2x". One of "dvb-s2", "dvb-s2x".
        margin: Margin above the threshold of a modulation and code. It covers losses of a real demodulator, errors of
            estimation, and scintillation. Default "1 dB". From 0 dB to 20 dB.
        hysteresis: Additional margin before the modem changes to a higher rate. Default "0.3 dB". From 0 dB to 20 dB.
        reaction: Time from a change of the weather to the change of modulation and code. Frames that cannot be decoded
            in this time are lost. Default "600 ms", and on user links of a constellation "50 ms" (an assumption). At
            most 1 min.
        down: Hop from the satellite to a station. Required, except on an uplink.
        up: Hop from a station to the satellite. The satellite is transparent, and its transmit power is constant.
            Default: the noise of this hop does not count. On an uplink of a constellation, this is the only hop,
            because the satellites decode the data and forward them.
    """

    bandwidth: str
    roll_off: float | str | None = None
    modcods: Ladder | None = None
    margin: str | None = None
    hysteresis: str | None = None
    reaction: str | None = None
    down: Hop | Mapping[str, object] | None = None
    up: Hop | Mapping[str, object] | None = None


@dataclass(kw_only=True, slots=True, repr=False)
class Hop(TomlTable):
    """The hop between a station and a satellite, in one direction.

    Attributes:
        frequency: Carrier frequency. The recommendations on rain and scintillation are valid up to 55 GHz. From 1 GHz
            to 55 GHz.
        eirp: EIRP: power of the carrier multiplied by the gain of the transmitting antenna. From -100 dBW to 200 dBW.
        g_over_t: G/T: gain of the receiving antenna divided by its noise temperature, in clear sky. From -100 dB/K to
            100 dB/K.
        satellite: Longitude of a geostationary satellite, east positive. Together with the station's place, it
            determines elevation and distance. From -180 deg to 180 deg.
        latitude: Latitude of the station. The keys `satellite` and `rain` need it. From -90 deg to 90 deg.
        longitude: Longitude of the station, east positive. The key `satellite` needs it. From -180 deg to 180 deg.
        elevation: Elevation of the satellite at the station, instead of `satellite`. The recommendations are valid from
            5° on. From 5 deg to 90 deg.
        range: Distance of the satellite. Default: the distance of a geostationary satellite. From 100 km to 1000000 km.
        altitude: Height of the station above sea level. Default "0 m". At most 9 km.
        losses: Losses by pointing, polarisation and feed. Default "0 dB". From 0 dB to 100 dB.
        c_over_i: C/I: carrier power divided by the interference from other beams, satellites and carriers. Rain does
            not change it. Default: no interference. From -20 dB to 100 dB.
        noise_temperature: Noise temperature of a receiving station in clear sky. The noise of rain is added to it.
            Default: rain adds no noise. From 10 K to 10000 K.
        antenna: Diameter of the station's antenna. Without this key, scintillation is not computed. From 0.05 m to 100
            m.
        sky: The atmosphere at the station. Default: the standard atmosphere without clouds.
        rain: Rain at the station. Default: none.
    """

    frequency: str
    eirp: str
    g_over_t: str
    satellite: str | None = None
    latitude: str | None = None
    longitude: str | None = None
    elevation: str | None = None
    range: str | None = None
    altitude: str | None = None
    losses: str | None = None
    c_over_i: str | None = None
    noise_temperature: str | None = None
    antenna: str | None = None
    sky: Weather | Mapping[str, object] | None = None
    rain: Rain | Mapping[str, object] | None = None


@dataclass(kw_only=True, slots=True, repr=False)
class Weather(TomlTable):
    """Weather of a station, except rain.

    Attributes:
        temperature: Air temperature. Default "288.15 K". From 200 K to 340 K.
        pressure: Air pressure, including the water vapour. Default "1013.25 hPa". From 300 hPa to 1100 hPa.
        vapour: Density of water vapour. Default "7.5 g/m3". At most 50 g/m3.
        cloud: Liquid water of the clouds on a vertical path. Default "0 kg/m2". At most 10 kg/m2.
        wet_refractivity: Wet term of the radio refractivity (ITU-R P.453), which causes scintillation. Default 50. From
            0.0 to 300.0.
    """

    temperature: str | None = None
    pressure: str | None = None
    vapour: str | None = None
    cloud: str | None = None
    wet_refractivity: float | None = None


@dataclass(kw_only=True, slots=True, repr=False)
class Rain(TomlTable):
    """Rain at a station.

    Attributes:
        rate_001: Rain rate that is exceeded for 0.01 % of an average year (ITU-R P.837), for example "28 mm/h" in
            Frankfurt or "100 mm/h" in Singapore. At most 300 mm/h.
        height: Rain height above sea level: the 0 °C height plus 360 m (ITU-R P.839), for example "3 km" in Central
            Europe or "5 km" in the tropics. At most 10 km.
        tilt: Tilt of the polarisation against the horizontal: "0 deg" for horizontal, "90 deg" for vertical, "45 deg"
            for circular. Default "45 deg". From 0 deg to 90 deg.
        probability: Fraction of the year in which it rains on the path (ITU-R P.837, P.618). Only runs use this key.
            Default 0.05. From 0.001 to 0.5, or text in percent: "0.5 %".
        start: Attenuation at the start of a run. Default: drawn from the distribution over the year. From 0.001 dB to
            100 dB.
        cell: Name of the rain cell. Hops with the same cell are in the same rain. Default: the hop has its own cell.
            Each of the branches that `count` creates has one cell for both directions at its site.
    """

    rate_001: str
    height: str
    tilt: str | None = None
    probability: float | str | None = None
    start: str | None = None
    cell: str | None = None


@dataclass(kw_only=True, slots=True, repr=False)
class ByHour(TomlTable):
    """Rate over the time of day.

    Attributes:
        clock: The clock: "UTC", or "local", which is the mean solar time of the place on the ground (four minutes later
            for each degree east). Plain networks and links of hosts accept only "UTC".
        start: Time of day in UTC at the start of the run. Required if satellites have no date (Walker shells), in plain
            networks, and on links of hosts. At most 1 d.
        rates: Times of day and rates: `[["6 h", "150 Mbit/s"], ["20 h", "60 Mbit/s"]]`. The rate is linear between
            points, also across midnight.
    """

    clock: Clock
    start: str | None = None
    rates: Sequence[Sequence[str | float]]


@dataclass(kw_only=True, slots=True, repr=False)
class LossByHour(TomlTable):
    """Loss probability over the time of day.

    Attributes:
        clock: The clock, as in `rate_by_hour`. One of "UTC", "local".
        start: Time of day in UTC at the start of the run, as in `rate_by_hour`. At most 1 d.
        losses: Times of day and loss probabilities: `[["6 h", 0.0], ["20 h", 0.01]]`. The probability is linear between
            points, also across midnight.
    """

    clock: Clock
    start: str | None = None
    losses: Sequence[Sequence[str | float]]


@dataclass(kw_only=True, slots=True, repr=False)
class DelayByHour(TomlTable):
    """Delay over the time of day.

    Attributes:
        clock: The clock, as in `rate_by_hour`. One of "UTC", "local".
        start: Time of day in UTC at the start of the run, as in `rate_by_hour`. At most 1 d.
        delays: Times of day and one-way delays: `[["6 h", "0 ms"], ["20 h", "5 ms"]]`. The delay is linear between
            points, also across midnight.
    """

    clock: Clock
    start: str | None = None
    delays: Sequence[Sequence[str | float]]


@dataclass(kw_only=True, slots=True, repr=False)
class Queue(TomlTable):
    """A queue with its discipline.

    Where the keys below describe drops, packets of flows with ECN (`ecn` in their table `tcp`) are marked instead. The
    disciplines "drop-front", "priority" and "drr" mark only by `mark_above`.

    Attributes:
        discipline: Which packet goes next, and which packets are dropped or marked; for example "codel". One of
            "drop-tail", "codel", "fq-codel", "threshold", "red", "pie", "dualpi2", "drop-front", "priority", "drr".
        limit: Largest amount that may wait. Default: "1000 packets" for CoDel and PIE, "10240 packets" for FQ-CoDel,
            "250 ms" for DualPI2, and the link's default queue for other disciplines.
        target: CoDel, FQ-CoDel, PIE, DualPI2: target of the waiting time. Default "5 ms" for CoDel and FQ-CoDel, "15
            ms" for PIE and for DualPI2's classic queue. From 1 us to 1 h.
        interval: CoDel, FQ-CoDel: time for which packets wait longer than the target before the queue drops packets. It
            is about one round-trip time (RFC 8289, section 4.3). Default "100 ms". From 1 us to 1 h.
        ce_threshold: CoDel, FQ-CoDel: packets that waited longer than this are marked when they leave, in addition to
            CoDel's marks. Packets without ECN are not affected. Default: no such marks. From 0 s to 1 h.
        ce_threshold_of: Packets that `ce_threshold` marks: "all" packets with ECN, or "ect1", only packets of L4S.
            Default "all".
        flows: FQ-CoDel: number of queues. If there are fewer senders than queues, each sender has its own queue.
            Default 1024. From 1 to 65536.
        quantum: FQ-CoDel, DRR: number of bytes that a queue may send in one turn. Default "1514 B". From 64 B to 65535
            B.
        mark_above: Threshold, priority, DRR: a packet is marked if more than this waits when it arrives. Priority
            counts packets of the same class, and DRR counts packets of the same sender. Drop-front: a packet is marked
            if more than this waits behind it when it leaves. If the value is a time, all four disciplines mark a packet
            when it leaves, if it waited longer than this time. Default "0.15 BDP" for threshold (DCTCP needs a
            seventh); no marks for the other disciplines.
        min_threshold: RED: no packets are dropped while the mean queue is below this value. The unit may be packets,
            bytes, a time or BDP. It must be the unit of `max_threshold`. Default: a third of `max_threshold`, or "5
            packets".
        max_threshold: RED: mean queue above which all packets are dropped. With `gentle`, all packets are dropped only
            above twice this value. Default: three times `min_threshold`.
        weight: RED: weight of a new sample in the mean queue. Default 0.002. From 1e-09 to 1.0.
        max_p: RED: drop probability when the mean queue equals `max_threshold`. Default 0.1. From 1e-09 to 1.0, or text
            in percent: "0.5 %".
        gentle: RED: if true, the drop probability rises gradually to 1 between `max_threshold` and twice
            `max_threshold`. If false, it jumps to 1 at `max_threshold`. Default true.
        update: PIE: interval between computations of the drop probability. Default "15 ms". From 1 us to 1 min.
        burst: PIE: time without drops after a period with a short queue. Default "150 ms". At most 1 h.
        alpha: PIE: increase of the drop probability in one step, before scaling, for each second of waiting time above
            the target. Default 0.125. From 1e-09 to 1000000.0.
        beta: PIE: increase of the drop probability in one step, before scaling, for each second by which the waiting
            time has grown. Default 1.25. From 1e-09 to 1000000.0.
        mark_below: PIE: from this drop probability on, packets with ECN are dropped instead of marked. Default 0.1.
            From 0.0 to 1.0, or text in percent: "0.5 %".
        estimate: PIE: how the waiting time is measured: from the "timestamp" of the packet that left last, or from the
            "rate" at which packets leave. Default "timestamp".
        rtt_max: DualPI2: longest expected round-trip time. It determines the gains. Default "100 ms". From 1 us to 1 h.
        coupling: DualPI2: coupling factor. L4S packets are marked with this factor times the square root of the drop
            probability of classic packets. Default 2. From 1.0 to 100.0.
        ramp_from: DualPI2: waiting time from which the ramp may mark L4S packets. Default "800 us". At most 1 h.
        ramp_range: DualPI2: length of the ramp, over which the mark probability grows from 0 to 1. "0 s" is a step.
            Default "400 us". At most 1 h.
        scheduler: DualPI2: which queue sends next. "wrr": both in turn, weighted by bytes. "time-shifted": the queue
            with the longest waiting time, where L4S gets the addition `time_shift`. Default "wrr".
        classic_share: DualPI2 with "wrr": fraction of the rate for the classic queue while both queues have packets.
            Default 0.0625. From 0.001 to 0.999, or text in percent: "0.5 %".
        time_shift: DualPI2 with "time-shifted": addition to the waiting time of L4S packets. Default "50 ms". At most 1
            h.
    """

    discipline: Discipline
    limit: str | None = None
    target: str | None = None
    interval: str | None = None
    ce_threshold: str | None = None
    ce_threshold_of: CeOf | None = None
    flows: int | None = None
    quantum: str | None = None
    mark_above: str | None = None
    min_threshold: str | None = None
    max_threshold: str | None = None
    weight: float | None = None
    max_p: float | str | None = None
    gentle: bool | None = None
    update: str | None = None
    burst: str | None = None
    alpha: float | None = None
    beta: float | None = None
    mark_below: float | str | None = None
    estimate: WaitEstimate | None = None
    rtt_max: str | None = None
    coupling: float | None = None
    ramp_from: str | None = None
    ramp_range: str | None = None
    scheduler: SchedulerWord | None = None
    classic_share: float | str | None = None
    time_shift: str | None = None


@dataclass(kw_only=True, slots=True, repr=False)
class Loss(TomlTable):
    """Random loss: one of `per`, `ber`, `bursts`, `chain`, `netem`, `land_mobile` and `two_state`. `steps` adds loss
    over time. `packets` and `spans` list losses before the queue.

    Attributes:
        per: Probability that a packet is lost. From 0.0 to 1.0, or text in percent: "0.5 %".
        ber: Probability that a bit is wrong. A packet with a wrong bit is lost. From 0.0 to 1.0, or text in percent:
            "0.5 %".
        bursts: Bursts of losses (Gilbert-Elliott model).
        chain: States with their own loss probabilities (a Markov chain in continuous time).
        netem: The four states of netem's `loss state`, which may change with each packet.
        land_mobile: Intervals of clear view and of shadow on the path of a vehicle.
        two_state: GOOD and BAD intervals on the path of a vehicle, as in ITU-R P.681.
        steps: Loss over time, in addition to the other losses: `[{ at = "20 s", per = 1e-2 }, { at = "40 s", per = 0.0
            }]`. Before the first step, this key causes no loss.
        packets: Numbers of the data packets that are lost, in rising order. Data packets of all flows are counted from
            1 in the order in which they reach the link, including retransmissions. The packets are lost before the
            queue of the link. Packets without payload (ACKs, probes) are neither counted nor lost. The recorded cause
            of these losses is "error".
        period: Number of data packets after which the list `packets` starts again. It must be at least the last number
            of the list. Default: never. At least 1.
        spans: Intervals in which every packet that reaches the link is lost, including handshake packets and ACKs:
            `[["20 s", "22 s"], ["40 s", "41 s"]]`. The end is not part of an interval. The recorded cause of these
            losses is "outage".
    """

    per: float | str | None = None
    ber: float | str | None = None
    bursts: Bursts | Mapping[str, object] | None = None
    chain: LossChain | Mapping[str, object] | None = None
    netem: Netem | Mapping[str, object] | None = None
    land_mobile: LandMobile | Mapping[str, object] | None = None
    two_state: TwoState | Mapping[str, object] | None = None
    steps: Sequence[LossStep | Mapping[str, object]] | None = None
    packets: Sequence[int] | None = None
    period: int | None = None
    spans: Sequence[Sequence[str]] | None = None


@dataclass(kw_only=True, slots=True, repr=False)
class Bursts(TomlTable):
    """A chain with a good state without loss and a bad state.

    It may change its state once in every `bin`.

    Attributes:
        to_bad: Probability of a change from good to bad. From 0.0 to 1.0, or text in percent: "0.5 %".
        to_good: Probability of a change from bad to good. From 0.0 to 1.0, or text in percent: "0.5 %".
        loss: Probability that a packet is lost in the bad state. From 0.0 to 1.0, or text in percent: "0.5 %".
        bin: Interval between two possible changes. Default "100 ms". From 1 us to 1 h.
    """

    to_bad: float | str
    to_good: float | str
    loss: float | str
    bin: str | None = None


@dataclass(kw_only=True, slots=True, repr=False)
class LossChain(TomlTable):
    """A Markov chain in continuous time.

    The chain does not depend on the traffic: its states are the same in every run with the same seed. The first state
    is drawn from the stationary distribution of the chain.

    Attributes:
        states: The states, 2 to 16. Every state must be reachable from every other state, directly or through other
            states.
    """

    states: Sequence[LossState | Mapping[str, object]]


@dataclass(kw_only=True, slots=True, repr=False)
class LossState(TomlTable):
    """A state of a chain of losses.

    Attributes:
        lasts: Mean time in the state, exponentially distributed. From 1 us to 1000 h.
        loss: Probability that a packet is lost in this state. Default 0. From 0.0 to 1.0, or text in percent: "0.5 %".
        next: For each state, in the order of the states, the probability that it is the next state. It is 0.0 for the
            state itself. Default with two states: the other state.
    """

    lasts: str
    loss: float | str | None = None
    next: Sequence[float | str] | None = None


@dataclass(kw_only=True, slots=True, repr=False)
class Netem(TomlTable):
    """The four states of `loss state P13 P31 P32 P23 P14` in netem, with probabilities instead of percentages.

    State 1 receives. State 3 loses packets in a burst. State 2 receives packets within a burst. State 4 loses a single
    packet.

    Attributes:
        p13: Probability of a step from reception into a burst of losses. From 0.0 to 1.0, or text in percent: "0.5 %".
        p31: Probability of a step from a burst back to reception. Default 1 - p13: single losses that are independent
            of each other. From 0.0 to 1.0, or text in percent: "0.5 %".
        p32: Probability of a step from loss to reception within a burst. Default 0. From 0.0 to 1.0, or text in
            percent: "0.5 %".
        p23: Probability of a step from reception to loss within a burst. Default 1. From 0.0 to 1.0, or text in
            percent: "0.5 %".
        p14: Probability of a step from reception to a single loss. Default 0. From 0.0 to 1.0, or text in percent: "0.5
            %".
    """

    p13: float | str
    p31: float | str | None = None
    p32: float | str | None = None
    p23: float | str | None = None
    p14: float | str | None = None


@dataclass(kw_only=True, slots=True, repr=False)
class LandMobile(TomlTable):
    """A vehicle on a path with intervals of clear view of the satellite and intervals of shadow (Lutz and others 1991).

    Powers are relative to the direct path. Both directions of a link between the same two nodes have the same
    intervals.

    Attributes:
        speed: Speed of the vehicle. From 0.1 m/s to 1000 m/s.
        margin: Margin of the direct path alone above the required power. A packet is lost while the power is below the
            required power. From -20 dB to 60 dB.
        good: Intervals with a clear view.
        bad: Intervals in shadow.
    """

    speed: str
    margin: str
    good: GoodStretch | Mapping[str, object]
    bad: BadStretch | Mapping[str, object]


@dataclass(kw_only=True, slots=True, repr=False)
class GoodStretch(TomlTable):
    """Intervals with a clear view of the satellite: the direct path and its echoes (Rice distribution).

    Attributes:
        lasts: Mean length of an interval, exponentially distributed. From 0.01 m to 1000 km.
        rice_factor: Power of the direct path divided by the power of its echoes: c in Lutz. From -20 dB to 30 dB.
    """

    lasts: str
    rice_factor: str


@dataclass(kw_only=True, slots=True, repr=False)
class BadStretch(TomlTable):
    """Intervals in shadow: only echoes (Rayleigh distribution).

    Their mean power is log-normal, and is drawn once for each interval.

    Attributes:
        lasts: Mean length of an interval, exponentially distributed. From 0.01 m to 1000 km.
        mean: Mean, over the intervals, of the mean power in dB: mu in Lutz. From -60 dB to 20 dB.
        deviation: Standard deviation, over the intervals, of the mean power in dB: sigma in Lutz. From 0 dB to 20 dB.
    """

    lasts: str
    mean: str
    deviation: str


@dataclass(kw_only=True, slots=True, repr=False)
class TwoState(TomlTable):
    """A vehicle that passes the two states of ITU-R P.681 (section 6): GOOD and BAD intervals of log-normal length.

    In each interval, the power has a Loo distribution around a level that is drawn for the interval. Levels are
    relative to an unobstructed path. Both directions of a link between the same two nodes have the same intervals and
    levels.

    Attributes:
        speed: Speed of the vehicle. From 0.1 m/s to 1000 m/s.
        margin: Margin of an unobstructed path above the required power. A packet is lost while the power is below the
            required power. From -20 dB to 60 dB.
        surroundings: Environment, and elevation of the satellite in degrees. The tables of P.681 (1.5 to 3 GHz) then
            define both states. Without this key, `good` and `bad` are required. With this key, `good` or `bad` replaces
            a state of the tables. One of "urban-20", "urban-30", "urban-45", "urban-60", "suburban-20", "suburban-30",
            "suburban-45", "suburban-60", "rural-wooded-20", "rural-wooded-30", "rural-wooded-45", "rural-wooded-60",
            "rural-wooded-70".
        good: The state with the better view.
        bad: The state behind obstacles.
    """

    speed: str
    margin: str
    surroundings: Surroundings | None = None
    good: LooState | Mapping[str, object] | None = None
    bad: LooState | Mapping[str, object] | None = None


@dataclass(kw_only=True, slots=True, repr=False)
class LooState(TomlTable):
    """A state of the channel of ITU-R P.681, with the symbols of the recommendation.

    Attributes:
        log_mean: Mean of the natural logarithm of an interval's length in metres: mu. From -7.0 to 14.0.
        log_deviation: Standard deviation of that logarithm: sigma. From 0.0 to 4.0.
        shortest: Shortest length of an interval: dur_min. From 0.01 m to 1000 km.
        level: Mean over the intervals of M_A, the mean level of the direct path: mu_MA. From -60 dB to 20 dB.
        level_deviation: Standard deviation of M_A over the intervals: sigma_MA. From 0 dB to 20 dB.
        level_between: M_A is drawn between its quantiles at these two probabilities: p_min and p_max. Default [0.0,
            1.0].
        echoes: Coefficients h1 and h2 of the mean power of the echoes, MP = h1 M_A + h2 dB.
        direct: Coefficients g1 and g2 of Sigma_A = g1 M_A + g2 dB, the standard deviation of the direct path's level
            within an interval. Negative values count as 0.
        correlation: Correlation distance of the direct path's level (to 1/e): L_corr. From 0.1 m to 1000 km.
    """

    log_mean: float
    log_deviation: float
    shortest: str
    level: str
    level_deviation: str
    level_between: Sequence[float | str] | None = None
    echoes: Sequence[float]
    direct: Sequence[float]
    correlation: str


@dataclass(kw_only=True, slots=True, repr=False)
class LossStep(TomlTable):
    """A probability of loss from a time on.

    Attributes:
        at: Start of the step.
        per: Probability that a packet is lost. From 0.0 to 1.0, or text in percent: "0.5 %".
        ramp_to: The probability changes linearly to this value until the next step. Default: the probability stays
            constant. From 0.0 to 1.0, or text in percent: "0.5 %".
    """

    at: str
    per: float | str
    ramp_to: float | str | None = None


@dataclass(kw_only=True, slots=True, repr=False)
class Arq(TomlTable):
    """Selective repeat on the link: a frame (a packet) that arrives with errors is sent again.

    Unless `reorder` is true for the link, later frames wait for this frame. Retransmissions take time on the link.
    Requests for retransmissions are never lost.

    Attributes:
        repeats: Largest number of retransmissions of a frame. After them, the frame is lost. From 1 to 64.
        delay: Time from one transmission of a frame to the next. Default: twice the link's propagation delay. From 1 us
            to 1 min.
    """

    repeats: int
    delay: str | None = None


@dataclass(kw_only=True, slots=True, repr=False)
class Policer(TomlTable):
    """A policer with one rate (RFC 2697 with one bucket).

    If the bucket contains enough bytes for a packet, the packet passes and its bytes are removed from the bucket.
    Otherwise, the packet is dropped. The bucket is full at the start of the run. No packet waits at the policer.

    Attributes:
        rate: Rate at which the bucket fills. In the long term, packets pass at most at this rate. Like the link's own
            rate, it counts the bytes of IP packets. At least 1 bit/s.
        burst: Size of the bucket: the number of bytes that pass at once after a pause. It must be at least the largest
            packet of the flows. From 64 B to 1 GB.
    """

    rate: str
    burst: str


@dataclass(kw_only=True, slots=True, repr=False)
class DelayStep(TomlTable):
    """An additional delay from a time on.

    Attributes:
        at: Start of the step.
        delay: One-way delay. At most 1 h.
        ramp_to: The delay changes linearly to this value until the next step. Default: the delay stays constant. At
            most 1 h.
    """

    at: str
    delay: str
    ramp_to: str | None = None


@dataclass(kw_only=True, slots=True, repr=False)
class Jitter(TomlTable):
    """The distribution of a random delay.

    Attributes:
        uniform: Uniform distribution between zero and this value. At most 1 min.
        normal: Normal distribution. Negative values are drawn again.
        log_normal: Log-normal distribution.
    """

    uniform: str | None = None
    normal: NormalJitter | Mapping[str, object] | None = None
    log_normal: LogNormalJitter | Mapping[str, object] | None = None


@dataclass(kw_only=True, slots=True, repr=False)
class NormalJitter(TomlTable):
    """A normal distribution without its negative values. `mean` and `deviation` describe the distribution before its
    negative values are removed.

    Attributes:
        mean: Mean, before negative values are removed. At most 1 min.
        deviation: Standard deviation, before negative values are removed. At most 1 min.
    """

    mean: str
    deviation: str


@dataclass(kw_only=True, slots=True, repr=False)
class LogNormalJitter(TomlTable):
    """A log-normal distribution.

    Attributes:
        median: Median. At most 1 min.
        sigma: Standard deviation of the natural logarithm. From 0.0 to 3.0.
    """

    median: str
    sigma: float


@dataclass(kw_only=True, slots=True, repr=False)
class Isl(TomlTable):
    """Inter-satellite links.

    Keys that are missing have the values of the preset. Without a preset, a rate is required, and the default queue is
    "50 packets".

    Attributes:
        rate: Rate of the link. Required without a preset. At least 1 bit/s.
        rate_steps: Rate over time, instead of `rate`. It is the same on every link of this kind: `[{ at = "0 s", rate =
            "50 Mbit/s" }, { at = "15 s", rate = "20 Mbit/s" }]`.
        rate_by_elevation: Rate over the elevation of the satellite, instead of `rate`: `[["25 deg", "50 Mbit/s"], ["60
            deg", "150 Mbit/s"]]`. The rate is linear between points, and constant below the first and above the last
            point.
        rate_by_range: Rate over the distance of the other end, instead of `rate`: `[["550 km", "150 Mbit/s"], ["1100
            km", "50 Mbit/s"]]`.
        budget: Link budget between a satellite and the ground, instead of `rate`. It has the table `down` for a
            downlink, `up` for an uplink, and both for user_link and feeder. Elevation, distance and latitude follow
            from the satellite and the place. Each site or gateway has its own rain cell, unless the budget names a
            cell.
        rate_by_hour: Rate over the time of day. If elevation or distance also determine a rate, the lower rate applies.
        loss_by_elevation: Probability of loss over the elevation of the satellite, in addition to `loss`: `[["25 deg",
            0.02], ["40 deg", 0.0]]`.
        loss_by_range: Probability of loss over the distance of the other end, in addition to `loss`: `[["600 km", 0.0],
            ["1100 km", 0.02]]`.
        delay_by_elevation: Additional one-way delay over the elevation of the satellite: `[["25 deg", "8 ms"], ["60
            deg", "2 ms"]]`.
        delay_by_range: Additional one-way delay over the distance of the other end: `[["600 km", "0 ms"], ["1100 km",
            "4 ms"]]`.
        loss_by_hour: Probability of loss over the time of day, in addition to `loss`.
        delay_by_hour: Additional one-way delay over the time of day.
        trace: File with a Mahimahi trace of deliveries, instead of `rate`. The file name is relative to the scenario's
            file.
        delay_trace: File of one-way delays (as for LeoReplayer) in whole milliseconds, one for each 10 ms. They are
            added to the link's own delay. The file name is relative to the scenario's file.
        path_trace: CSV file with rate, delay and loss over time. The file name is relative to the scenario's file. The
            columns are time_s and at least one of rate_mbit_s, delay_ms (one way) and loss_ratio. Each row applies
            until the next row. The rate replaces `rate`, the delay is added to the link's own delay, and the loss is
            added to `loss`.
        trace_end: What follows the end of a trace: the trace starts again ("wrap"), its last value stays ("hold"), or
            the link stops carrying packets ("stop"). Default "wrap", but "hold" for path_trace. A trace of deliveries
            cannot have "hold".
        queue: Queue in front of the link. The description of this table contains the default.
        loss: Random or listed loss. Default: none.
        arq: The link retransmits packets that arrive with errors. Losses then become delay. Default: no retransmission.
        mtu: Maximum transmission unit: size of the largest IP packet that the link carries. The link drops larger
            packets before its queue. It does not fragment packets, and sends no ICMP messages. Default: unlimited. From
            68 B to 65535 B.
        policer: A token bucket before the queue. It drops packets above its rate and does not delay packets. Default:
            none.
        ecn_bleach: If true, a middlebox before the queue clears the ECN field of all packets. Queues after this point
            then drop packets instead of marking them, and earlier marks are lost. Default false.
        extra_delay: Additional delay over time: `[{ at = "20 s", delay = "5 ms" }, { at = "40 s", delay = "0 s" }]`.
            Default: none.
        jitter: Additional random delay, drawn independently for each packet. Default: none.
        reorder: If true, packets may overtake each other when the delay decreases, or because of their jitter. If
            false, a packet waits for the packet before it. Default false.
        warn_above: While the mean queue is longer than this number of packets, data packets get a congestion warning
            (TCP-Jersey). Default: never. From 0.0 to 1000000000.0.
        pattern: "grid": links to neighbours in the same plane and in adjacent planes. "nearest": links between the
            nearest pairs of satellites with a free terminal. Default "grid".
        terminals: Nearest: number of terminals per satellite. Default 4. From 1 to 16.
        pairs: Only these links, as pairs of satellite numbers (counted from 0), instead of a pattern.
        shift: Grid: satellite j of a plane has a link to satellite j + shift of the next plane. Default: the shift with
            the smallest mean distance. From -1000 to 1000.
        inter_shell: If true, each satellite also has a link to the nearest free satellite of another shell. Default
            false.
        intra_plane: Grid: whether there are links to the two neighbours in the plane. Default true.
        inter_plane: Grid: whether there are links to one satellite of each neighbouring plane. Default true.
        max_range: Length of the longest link. Default "unlimited".
    """

    rate: str | None = None
    rate_steps: Sequence[RateStep | Mapping[str, object]] | None = None
    rate_by_elevation: Sequence[Sequence[str | float]] | None = None
    rate_by_range: Sequence[Sequence[str | float]] | None = None
    budget: Budget | Mapping[str, object] | None = None
    rate_by_hour: ByHour | Mapping[str, object] | None = None
    loss_by_elevation: Sequence[Sequence[str | float]] | None = None
    loss_by_range: Sequence[Sequence[str | float]] | None = None
    delay_by_elevation: Sequence[Sequence[str | float]] | None = None
    delay_by_range: Sequence[Sequence[str | float]] | None = None
    loss_by_hour: LossByHour | Mapping[str, object] | None = None
    delay_by_hour: DelayByHour | Mapping[str, object] | None = None
    trace: str | None = None
    delay_trace: str | None = None
    path_trace: str | None = None
    trace_end: TraceEnd | None = None
    queue: str | Queue | Mapping[str, object] | None = None
    loss: Loss | Mapping[str, object] | None = None
    arq: Arq | Mapping[str, object] | None = None
    mtu: str | None = None
    policer: Policer | Mapping[str, object] | None = None
    ecn_bleach: bool | None = None
    extra_delay: Sequence[DelayStep | Mapping[str, object]] | None = None
    jitter: Jitter | Mapping[str, object] | None = None
    reorder: bool | None = None
    warn_above: float | None = None
    pattern: Pattern | None = None
    terminals: int | None = None
    pairs: Sequence[Sequence[int]] | None = None
    shift: int | None = None
    inter_shell: bool | None = None
    intra_plane: bool | None = None
    inter_plane: bool | None = None
    max_range: str | None = None


@dataclass(kw_only=True, slots=True, repr=False)
class UserLink(TomlTable):
    """A link between a site and its satellites. `dama`, `grants` and `acks` apply to the uplink.

    Keys that are missing have the values of the preset. Without a preset, a rate is required, and the default queue is
    "50 packets".

    Attributes:
        rate: Rate of the link. Required without a preset. At least 1 bit/s.
        rate_steps: Rate over time, instead of `rate`. It is the same on every link of this kind: `[{ at = "0 s", rate =
            "50 Mbit/s" }, { at = "15 s", rate = "20 Mbit/s" }]`.
        rate_by_elevation: Rate over the elevation of the satellite, instead of `rate`: `[["25 deg", "50 Mbit/s"], ["60
            deg", "150 Mbit/s"]]`. The rate is linear between points, and constant below the first and above the last
            point.
        rate_by_range: Rate over the distance of the other end, instead of `rate`: `[["550 km", "150 Mbit/s"], ["1100
            km", "50 Mbit/s"]]`.
        budget: Link budget between a satellite and the ground, instead of `rate`. It has the table `down` for a
            downlink, `up` for an uplink, and both for user_link and feeder. Elevation, distance and latitude follow
            from the satellite and the place. Each site or gateway has its own rain cell, unless the budget names a
            cell.
        rate_by_hour: Rate over the time of day. If elevation or distance also determine a rate, the lower rate applies.
        loss_by_elevation: Probability of loss over the elevation of the satellite, in addition to `loss`: `[["25 deg",
            0.02], ["40 deg", 0.0]]`.
        loss_by_range: Probability of loss over the distance of the other end, in addition to `loss`: `[["600 km", 0.0],
            ["1100 km", 0.02]]`.
        delay_by_elevation: Additional one-way delay over the elevation of the satellite: `[["25 deg", "8 ms"], ["60
            deg", "2 ms"]]`.
        delay_by_range: Additional one-way delay over the distance of the other end: `[["600 km", "0 ms"], ["1100 km",
            "4 ms"]]`.
        loss_by_hour: Probability of loss over the time of day, in addition to `loss`.
        delay_by_hour: Additional one-way delay over the time of day.
        trace: File with a Mahimahi trace of deliveries, instead of `rate`. The file name is relative to the scenario's
            file.
        delay_trace: File of one-way delays (as for LeoReplayer) in whole milliseconds, one for each 10 ms. They are
            added to the link's own delay. The file name is relative to the scenario's file.
        path_trace: CSV file with rate, delay and loss over time. The file name is relative to the scenario's file. The
            columns are time_s and at least one of rate_mbit_s, delay_ms (one way) and loss_ratio. Each row applies
            until the next row. The rate replaces `rate`, the delay is added to the link's own delay, and the loss is
            added to `loss`.
        trace_end: What follows the end of a trace: the trace starts again ("wrap"), its last value stays ("hold"), or
            the link stops carrying packets ("stop"). Default "wrap", but "hold" for path_trace. A trace of deliveries
            cannot have "hold".
        queue: Queue in front of the link. The description of this table contains the default.
        loss: Random or listed loss. Default: none.
        arq: The link retransmits packets that arrive with errors. Losses then become delay. Default: no retransmission.
        mtu: Maximum transmission unit: size of the largest IP packet that the link carries. The link drops larger
            packets before its queue. It does not fragment packets, and sends no ICMP messages. Default: unlimited. From
            68 B to 65535 B.
        policer: A token bucket before the queue. It drops packets above its rate and does not delay packets. Default:
            none.
        ecn_bleach: If true, a middlebox before the queue clears the ECN field of all packets. Queues after this point
            then drop packets instead of marking them, and earlier marks are lost. Default false.
        extra_delay: Additional delay over time: `[{ at = "20 s", delay = "5 ms" }, { at = "40 s", delay = "0 s" }]`.
            Default: none.
        jitter: Additional random delay, drawn independently for each packet. Default: none.
        reorder: If true, packets may overtake each other when the delay decreases, or because of their jitter. If
            false, a packet waits for the packet before it. Default false.
        warn_above: While the mean queue is longer than this number of packets, data packets get a congestion warning
            (TCP-Jersey). Default: never. From 0.0 to 1000000000.0.
        dama: Demand assignment as in DVB-RCS2: the terminal requests capacity, and transmits only in granted slots. The
            link needs a rate. A rate that changes is constant within a superframe. The key applies to one direction:
            left to right in a dumbbell (`reverse` has its own key), lower to higher number in a chain, branch to hub in
            a star, and site to satellite in a constellation. After a handover, the terminal requests capacity again.
        grants: Fixed times of a shared medium at which all waiting packets are sent, as on Starlink's uplink. This key
            applies to the same direction as `dama`.
        acks: The link thins waiting acknowledgements, or compresses their headers (RFC 3449, section 5). The queue must
            be drop-tail. This key applies to the same direction as `dama`.
    """

    rate: str | None = None
    rate_steps: Sequence[RateStep | Mapping[str, object]] | None = None
    rate_by_elevation: Sequence[Sequence[str | float]] | None = None
    rate_by_range: Sequence[Sequence[str | float]] | None = None
    budget: Budget | Mapping[str, object] | None = None
    rate_by_hour: ByHour | Mapping[str, object] | None = None
    loss_by_elevation: Sequence[Sequence[str | float]] | None = None
    loss_by_range: Sequence[Sequence[str | float]] | None = None
    delay_by_elevation: Sequence[Sequence[str | float]] | None = None
    delay_by_range: Sequence[Sequence[str | float]] | None = None
    loss_by_hour: LossByHour | Mapping[str, object] | None = None
    delay_by_hour: DelayByHour | Mapping[str, object] | None = None
    trace: str | None = None
    delay_trace: str | None = None
    path_trace: str | None = None
    trace_end: TraceEnd | None = None
    queue: str | Queue | Mapping[str, object] | None = None
    loss: Loss | Mapping[str, object] | None = None
    arq: Arq | Mapping[str, object] | None = None
    mtu: str | None = None
    policer: Policer | Mapping[str, object] | None = None
    ecn_bleach: bool | None = None
    extra_delay: Sequence[DelayStep | Mapping[str, object]] | None = None
    jitter: Jitter | Mapping[str, object] | None = None
    reorder: bool | None = None
    warn_above: float | None = None
    dama: Dama | Mapping[str, object] | None = None
    grants: Grants | Mapping[str, object] | None = None
    acks: Acks | Mapping[str, object] | None = None


@dataclass(kw_only=True, slots=True, repr=False)
class Dama(TomlTable):
    """Demand assignment.

    The terminal sends a request at the start of each superframe. Its grant is at the start of a later superframe.
    Capacity is assigned in the order cra, rbdc, vbdc, fca.

    Attributes:
        carrier: For a branch: name of a carrier in `network.star.carriers` that the terminal shares with others.
            Superframe, latency and rate are then those of the carrier, and the branch's own rate applies only to the
            direction from the hub. Default: the terminal has its own carrier.
        rate: Rate in the terminal's slots of a shared carrier: the rate of its own modulation and code, at most the
            carrier's rate. At a lower rate, the terminal needs more time of the carrier for the same bytes. Only with
            `carrier`. Default: the carrier's rate. At least 1 bit/s.
        rate_steps: Rate in the terminal's slots over time, instead of `rate`: `[{ at = "0 s", rate = "2 Mbit/s" }, { at
            = "60 s", rate = "500 kbit/s" }]`.
        budget: Link budget of the uplink, instead of `rate`.
        superframe: Length of a superframe. Required without `carrier`. From 5 ms to 10 s.
        latency: Time from a request to its grant, rounded up to whole superframes. It consists of a round trip over the
            satellite and the computation. Required without `carrier`. At most 10 s.
        cra: Constant rate assignment: capacity without requests. Default: none. At least 1 bit/s.
        rbdc: Rate-based dynamic capacity: the terminal requests the rate at which data arrived in the last superframe,
            up to this rate. Default: no such requests. At least 1 bit/s.
        vbdc: Volume-based dynamic capacity: the terminal requests the bytes that wait. This rate limits the grants for
            these requests. Default: no such requests. At least 1 bit/s.
        fca: Free capacity assignment: the terminal's fraction of the capacity that no terminal requested. Default 0.
            From 0.0 to 1.0, or text in percent: "0.5 %".
        random_access: If the terminal has no grant, it transmits in slots that other terminals also use. This key
            excludes cra and fca, which always grant something. Default: the terminal waits for its grant.
    """

    carrier: str | None = None
    rate: str | None = None
    rate_steps: Sequence[RateStep | Mapping[str, object]] | None = None
    budget: Budget | Mapping[str, object] | None = None
    superframe: str | None = None
    latency: str | None = None
    cra: str | None = None
    rbdc: str | None = None
    vbdc: str | None = None
    fca: float | str | None = None
    random_access: RandomAccess | Mapping[str, object] | None = None


@dataclass(kw_only=True, slots=True, repr=False)
class RandomAccess(TomlTable):
    """Random access.

    Each superframe has slots for it. A burst is lost if another burst is sent in the same slot. A burst that was not
    received is sent again after the latency and a back-off, or in a grant if a grant comes first.

    Attributes:
        scheme: "slotted-aloha": a burst is sent once. "crdsa": a burst is sent several times. When one copy is
            received, the other copies are cancelled from their slots, so that more bursts are received (successive
            interference cancellation).
        replicas: CRDSA: number of copies of a burst in a superframe. Default 2. From 2 to 8.
        slots: Number of slots in a superframe. Default 64. From 1 to 10000.
        load: Mean number of bursts per slot from all other terminals: G in the formula S = G exp(-G). From 0.0 to 10.0.
        burst: Size of a burst in bytes. From 1 B to 65535 B.
        bursts: Largest number of bursts that the terminal sends in a superframe. Default 1. From 1 to 1000.
        back_off: Largest back-off in superframes after a burst that was not received. The back-off is uniformly
            distributed. Default 8. From 0 to 10000.
    """

    scheme: AccessWord
    replicas: int | None = None
    slots: int | None = None
    load: float
    burst: str
    bursts: int | None = None
    back_off: int | None = None


@dataclass(kw_only=True, slots=True, repr=False)
class Grants(TomlTable):
    """Times of grants.

    Packets that the link has sent at its rate wait for the next grant, and leave together at this time. The first grant
    is at the start of the run.

    Attributes:
        period: Interval before the next grant. From 100 us to 10 s.
        long_period: Interval before a grant, for the fraction `long_share` of the grants. Default: all intervals are
            `period`. From 100 us to 10 s.
        long_share: Fraction of grants that follow an interval of `long_period`. Each grant is drawn independently. From
            0.0 to 1.0, or text in percent: "0.5 %".
    """

    period: str
    long_period: str | None = None
    long_share: float | str | None = None


@dataclass(kw_only=True, slots=True, repr=False)
class Acks(TomlTable):
    """How a narrow link treats pure TCP acknowledgements.

    Attributes:
        thinning: Which of the waiting acknowledgements are dropped. "filter": an older acknowledgement is dropped if a
            newer acknowledgement of the same connection contains all of its information; two are kept (`ack-filter` of
            cake). "filter-aggressive": as "filter", but only one is kept. "decimate": if more than `keep`
            acknowledgements of a connection wait, the oldest is dropped, whatever its content. Default: none.
        keep: Decimate: number of acknowledgements of a connection that may wait. Default 1. From 1 to 100000.
        compressed: Size of an acknowledgement with compressed headers on this link. Smaller acknowledgements do not
            change. Default: no compression. From 1 B to 60 B.
    """

    thinning: ThinningWord | None = None
    keep: int | None = None
    compressed: str | None = None


@dataclass(kw_only=True, slots=True, repr=False)
class SharedLinks(TomlTable):
    """Links that share a transmitter and transmit in turns, separately in each direction.

    Attributes:
        uplink: Which links from sites to satellites share a transmitter. "satellite": all links to a satellite. "beam":
            the links of each beam, which serves the sites of a cell. One of "beam", "satellite", "gateway".
        downlink: Which links from satellites to sites share a transmitter, with the same words as `uplink`. One of
            "beam", "satellite", "gateway".
        feeder: Which links between satellites and gateways share a transmitter, in both directions: "gateway" or
            "satellite". One of "beam", "satellite", "gateway".
        turns: How turns are measured. "bytes": links with enough data get the same rate. "time": links with enough data
            get the same transmission time, so a link with a low rate does not slow down the other links. Default
            "bytes".
        uplink_total: Limit of the total rate of all beams from sites to a satellite. Each beam is also limited by the
            rate of its link. Default: no limit. At least 1 bit/s.
        uplink_total_steps: Limit of this total over time, instead of `uplink_total`: `[{ at = "0 s", rate = "90 Mbit/s"
            }, { at = "15 s", rate = "60 Mbit/s" }]`.
        downlink_total: Limit of the total rate of all beams from a satellite to sites. At least 1 bit/s.
        downlink_total_steps: Limit of this total over time, instead of `downlink_total`, in the form of
            `uplink_total_steps`.
        feeder_total: Limit of the total rate of all links of a gateway, in each direction. Each link is also limited by
            its own rate. At least 1 bit/s.
        feeder_total_steps: Limit of this total over time, instead of `feeder_total`, in the form of
            `uplink_total_steps`.
    """

    uplink: Scope | None = None
    downlink: Scope | None = None
    feeder: Scope | None = None
    turns: Turns | None = None
    uplink_total: str | None = None
    uplink_total_steps: Sequence[RateStep | Mapping[str, object]] | None = None
    downlink_total: str | None = None
    downlink_total_steps: Sequence[RateStep | Mapping[str, object]] | None = None
    feeder_total: str | None = None
    feeder_total_steps: Sequence[RateStep | Mapping[str, object]] | None = None


@dataclass(kw_only=True, slots=True, repr=False)
class Beam(TomlTable):
    """The beam that serves the sites of a cell, if the beams of a satellite share a total.

    Attributes:
        cell: Name of the cell in `sites`.
        weight: Weight of the beam in the satellite's total, among beams of the same priority that have data to send.
            Default 1. From 1 to 100.
        priority: Beams of a higher priority send first. Default 0. From 0 to 7.
    """

    cell: str
    weight: int | None = None
    priority: int | None = None


@dataclass(kw_only=True, slots=True, repr=False)
class Site(TomlTable):
    """A place that flows may name.

    Attributes:
        name: Name of the site.
        count: Number of equal sites at this place, called "NAME 1", "NAME 2" and so on. Default: one site, called NAME.
            From 1 to 10000.
        latitude: Geodetic latitude, north positive. Default: the latitude of the city of this name. From -90 deg to 90
            deg.
        longitude: Longitude, east positive. From -180 deg to 360 deg.
        altitude: Height above the WGS84 ellipsoid, which differs from the sea level by up to 110 m. It affects
            distances, elevations and visibility, and replaces `altitude` in the budgets of the site's links. Default "0
            m". From -500 m to 9 km.
        home: Point of presence that all packets of the site pass. Default: any point of presence.
        fibre: If true, the site has fibre to the points of presence instead of a dish. Default false.
        cell: Name of a cell. One beam of one satellite serves the sites of a cell at a time. `access` chooses the
            satellite for all of them: among the satellites that all these sites see, `access` takes the satellite whose
            worst value over the sites is best. If several beams serve a place, the place has several cells. Default:
            the site has its own beam.
        weight: Weight of the site at a shared transmitter, among sites of the same priority that have data to send. For
            a site with its own beam, this key is the weight in the satellite's total. Default 1. From 1 to 100.
        priority: At a shared transmitter, sites of a higher priority send first. Default 0. From 0 to 7.
        mask: Obstacles around the site: pairs of azimuth (from north through east) and elevation in degrees, ordered by
            azimuth. Between pairs, and across north, the elevation is linear in azimuth. Two pairs with the same
            azimuth are the edge of a wall. Satellites below the mask or below `min_elevation` are hidden. Default: no
            obstacles.
        mask_file: File of obstacles, instead of `mask`: CSV with the columns azimuth_deg and elevation_deg, relative to
            the scenario's file.
        eirp: EIRP of the site's dish, instead of `eirp` in the budget of the uplink. From -100 dBW to 200 dBW.
        g_over_t: G/T of the site's dish, instead of `g_over_t` in the budget of the downlink. From -100 dB/K to 100
            dB/K.
        rain: Rain at the site, instead of `rain` in the budgets. Default: `rain` of the budgets.
    """

    name: str
    count: int | None = None
    latitude: str | None = None
    longitude: str | None = None
    altitude: str | None = None
    home: str | None = None
    fibre: bool | None = None
    cell: str | None = None
    weight: int | None = None
    priority: int | None = None
    mask: Sequence[Sequence[float]] | None = None
    mask_file: str | None = None
    eirp: str | None = None
    g_over_t: str | None = None
    rain: StationRain | Mapping[str, object] | None = None


@dataclass(kw_only=True, slots=True, repr=False)
class Dumbbell(TomlTable):
    """Two routers and the bottleneck link between them.

    Exactly one key determines the delay: rtt, delay, delay_steps, delay_trace, or path_trace with a column of delays.
    Exactly one key determines the rate: rate, rate_steps, rate_by_hour, trace, budget, or path_trace with a column of
    rates. The default queue is "1 BDP". `loss` applies only to packets from left to right.

    Attributes:
        rate: Constant rate. At least 1 bit/s.
        rate_steps: Rate over time, instead of `rate`: `[{ at = "0 s", rate = "50 Mbit/s" }, { at = "15 s", rate = "20
            Mbit/s" }]`.
        rate_by_hour: Rate over the time of day, instead of `rate`.
        trace: File with a Mahimahi trace of deliveries, instead of `rate`. The file name is relative to the scenario's
            file.
        budget: Link budget, instead of `rate`: the rate follows the weather.
        rtt: Round-trip propagation delay. Each direction has half of it. At most 1 h.
        delay: One-way propagation delay. At most 1 h.
        delay_steps: One-way propagation delay over time, instead of `delay`: `[["0 s", "30 ms"], ["15 s", "50 ms"]]`.
        delay_trace: File of one-way delays in whole milliseconds, one for each 10 ms, instead of `delay`. The file name
            is relative to the scenario's file.
        path_trace: CSV file with rate, delay and loss over time. The file name is relative to the scenario's file. The
            columns are time_s and at least one of rate_mbit_s, delay_ms (one way) and loss_ratio. Each row applies
            until the next row. The rate and the delay replace the keys for rate and delay, and the loss is added to
            `loss`.
        trace_end: What follows the end of a trace: the trace starts again ("wrap"), its last value stays ("hold"), or
            the link stops carrying packets ("stop"). Default "wrap", but "hold" for path_trace. A trace of deliveries
            cannot have "hold".
        loss_by_hour: Probability of loss over the time of day, in addition to `loss`.
        delay_by_hour: Additional one-way delay over the time of day.
        queue: Queue in front of the link. The description of this table contains the default.
        loss: Random or listed loss. Default: none.
        arq: The link retransmits packets that arrive with errors. Losses then become delay. Default: no retransmission.
        mtu: Maximum transmission unit: size of the largest IP packet that the link carries. The link drops larger
            packets before its queue. It does not fragment packets, and sends no ICMP messages. Default: unlimited. From
            68 B to 65535 B.
        policer: A token bucket before the queue. It drops packets above its rate and does not delay packets. Default:
            none.
        ecn_bleach: If true, a middlebox before the queue clears the ECN field of all packets. Queues after this point
            then drop packets instead of marking them, and earlier marks are lost. Default false.
        extra_delay: Additional delay over time: `[{ at = "20 s", delay = "5 ms" }, { at = "40 s", delay = "0 s" }]`.
            Default: none.
        jitter: Additional random delay, drawn independently for each packet. Default: none.
        reorder: If true, packets may overtake each other when the delay decreases, or because of their jitter. If
            false, a packet waits for the packet before it. Default false.
        warn_above: While the mean queue is longer than this number of packets, data packets get a congestion warning
            (TCP-Jersey). Default: never. From 0.0 to 1000000000.0.
        dama: Demand assignment as in DVB-RCS2: the terminal requests capacity, and transmits only in granted slots. The
            link needs a rate. A rate that changes is constant within a superframe. The key applies to one direction:
            left to right in a dumbbell (`reverse` has its own key), lower to higher number in a chain, branch to hub in
            a star, and site to satellite in a constellation. After a handover, the terminal requests capacity again.
        grants: Fixed times of a shared medium at which all waiting packets are sent, as on Starlink's uplink. This key
            applies to the same direction as `dama`.
        acks: The link thins waiting acknowledgements, or compresses their headers (RFC 3449, section 5). The queue must
            be drop-tail. This key applies to the same direction as `dama`.
        reverse: The link from right to left. The rate, the delay, `queue`, `mtu` and `arq` are those of the other
            direction, unless this table sets them (`dama` also removes `arq`). `loss`, `policer`, `ecn_bleach`, `dama`,
            `grants` and `acks` are not copied. If the rate or the delay comes from path_trace, the loss of the trace
            also applies.
    """

    rate: str | None = None
    rate_steps: Sequence[RateStep | Mapping[str, object]] | None = None
    rate_by_hour: ByHour | Mapping[str, object] | None = None
    trace: str | None = None
    budget: Budget | Mapping[str, object] | None = None
    rtt: str | None = None
    delay: str | None = None
    delay_steps: Sequence[Sequence[str]] | None = None
    delay_trace: str | None = None
    path_trace: str | None = None
    trace_end: TraceEnd | None = None
    loss_by_hour: LossByHour | Mapping[str, object] | None = None
    delay_by_hour: DelayByHour | Mapping[str, object] | None = None
    queue: str | Queue | Mapping[str, object] | None = None
    loss: Loss | Mapping[str, object] | None = None
    arq: Arq | Mapping[str, object] | None = None
    mtu: str | None = None
    policer: Policer | Mapping[str, object] | None = None
    ecn_bleach: bool | None = None
    extra_delay: Sequence[DelayStep | Mapping[str, object]] | None = None
    jitter: Jitter | Mapping[str, object] | None = None
    reorder: bool | None = None
    warn_above: float | None = None
    dama: Dama | Mapping[str, object] | None = None
    grants: Grants | Mapping[str, object] | None = None
    acks: Acks | Mapping[str, object] | None = None
    reverse: Link | Mapping[str, object] | None = None


@dataclass(kw_only=True, slots=True, repr=False)
class Link(TomlTable):
    """A link with its delay, the same in both directions.

    The default queue is "unlimited". The table `reverse` of a dumbbell lists only differences, so its default queue is
    that of the link from left to right.

    Attributes:
        rate: Constant rate. At least 1 bit/s.
        rate_steps: Rate over time, instead of `rate`: `[{ at = "0 s", rate = "50 Mbit/s" }, { at = "15 s", rate = "20
            Mbit/s" }]`.
        rate_by_hour: Rate over the time of day, instead of `rate`.
        trace: File with a Mahimahi trace of deliveries, instead of `rate`. The file name is relative to the scenario's
            file.
        budget: Link budget, instead of `rate`: the rate follows the weather.
        delay: One-way propagation delay. At most 1 h.
        delay_steps: One-way propagation delay over time, instead of `delay`: `[["0 s", "30 ms"], ["15 s", "50 ms"]]`.
        delay_trace: File of one-way delays in whole milliseconds, one for each 10 ms, instead of `delay`. The file name
            is relative to the scenario's file.
        path_trace: CSV file with rate, delay and loss over time. The file name is relative to the scenario's file. The
            columns are time_s and at least one of rate_mbit_s, delay_ms (one way) and loss_ratio. Each row applies
            until the next row. The rate and the delay replace the keys for rate and delay, and the loss is added to
            `loss`.
        trace_end: What follows the end of a trace: the trace starts again ("wrap"), its last value stays ("hold"), or
            the link stops carrying packets ("stop"). Default "wrap", but "hold" for path_trace. A trace of deliveries
            cannot have "hold".
        loss_by_hour: Probability of loss over the time of day, in addition to `loss`.
        delay_by_hour: Additional one-way delay over the time of day.
        queue: Queue in front of the link. The description of this table contains the default.
        loss: Random or listed loss. Default: none.
        arq: The link retransmits packets that arrive with errors. Losses then become delay. Default: no retransmission.
        mtu: Maximum transmission unit: size of the largest IP packet that the link carries. The link drops larger
            packets before its queue. It does not fragment packets, and sends no ICMP messages. Default: unlimited. From
            68 B to 65535 B.
        policer: A token bucket before the queue. It drops packets above its rate and does not delay packets. Default:
            none.
        ecn_bleach: If true, a middlebox before the queue clears the ECN field of all packets. Queues after this point
            then drop packets instead of marking them, and earlier marks are lost. Default false.
        extra_delay: Additional delay over time: `[{ at = "20 s", delay = "5 ms" }, { at = "40 s", delay = "0 s" }]`.
            Default: none.
        jitter: Additional random delay, drawn independently for each packet. Default: none.
        reorder: If true, packets may overtake each other when the delay decreases, or because of their jitter. If
            false, a packet waits for the packet before it. Default false.
        warn_above: While the mean queue is longer than this number of packets, data packets get a congestion warning
            (TCP-Jersey). Default: never. From 0.0 to 1000000000.0.
        dama: Demand assignment as in DVB-RCS2: the terminal requests capacity, and transmits only in granted slots. The
            link needs a rate. A rate that changes is constant within a superframe. The key applies to one direction:
            left to right in a dumbbell (`reverse` has its own key), lower to higher number in a chain, branch to hub in
            a star, and site to satellite in a constellation. After a handover, the terminal requests capacity again.
        grants: Fixed times of a shared medium at which all waiting packets are sent, as on Starlink's uplink. This key
            applies to the same direction as `dama`.
        acks: The link thins waiting acknowledgements, or compresses their headers (RFC 3449, section 5). The queue must
            be drop-tail. This key applies to the same direction as `dama`.
    """

    rate: str | None = None
    rate_steps: Sequence[RateStep | Mapping[str, object]] | None = None
    rate_by_hour: ByHour | Mapping[str, object] | None = None
    trace: str | None = None
    budget: Budget | Mapping[str, object] | None = None
    delay: str | None = None
    delay_steps: Sequence[Sequence[str]] | None = None
    delay_trace: str | None = None
    path_trace: str | None = None
    trace_end: TraceEnd | None = None
    loss_by_hour: LossByHour | Mapping[str, object] | None = None
    delay_by_hour: DelayByHour | Mapping[str, object] | None = None
    queue: str | Queue | Mapping[str, object] | None = None
    loss: Loss | Mapping[str, object] | None = None
    arq: Arq | Mapping[str, object] | None = None
    mtu: str | None = None
    policer: Policer | Mapping[str, object] | None = None
    ecn_bleach: bool | None = None
    extra_delay: Sequence[DelayStep | Mapping[str, object]] | None = None
    jitter: Jitter | Mapping[str, object] | None = None
    reorder: bool | None = None
    warn_above: float | None = None
    dama: Dama | Mapping[str, object] | None = None
    grants: Grants | Mapping[str, object] | None = None
    acks: Acks | Mapping[str, object] | None = None


@dataclass(kw_only=True, slots=True, repr=False)
class Chain(TomlTable):
    """Routers in a row.

    Attributes:
        links: The number of links, which all have the settings of `link`; or a list of links.
        link: The link, if `links` is a number.
    """

    links: int | Sequence[Link | Mapping[str, object]]
    link: Link | Mapping[str, object] | None = None


@dataclass(kw_only=True, slots=True, repr=False)
class Star(TomlTable):
    """A hub and branches.

    Attributes:
        branches: The branches.
        carriers: Carriers that branches share towards the hub. Default: each branch has its own carrier.
        forward_carriers: Carriers that branches share from the hub. Default: the hub transmits to each branch
            independently, at the rate of the branch.
    """

    branches: Sequence[Branch | Mapping[str, object]]
    carriers: Sequence[Carrier | Mapping[str, object]] | None = None
    forward_carriers: Sequence[ForwardCarrier | Mapping[str, object]] | None = None


@dataclass(kw_only=True, slots=True, repr=False)
class Branch(TomlTable):
    """A site and its link to the hub, the same in both directions.

    The default queue is "unlimited".

    Attributes:
        site: Name of the site.
        count: Number of equal branches. Their sites are called "SITE 1", "SITE 2" and so on. Default: one branch, whose
            site is called SITE. Rain at the sites of equal branches is independent, unless the rain names a `cell`. The
            rain at the hub is the same for all of them. From 1 to 10000.
        forward: The carrier from the hub that the branch shares with others. In the turns of the branch, the carrier
            sends at the branch's own `rate` (or `rate_steps`, or `budget`), which is at most the rate of the carrier.
            Without such a key, the carrier sends at its own rate. Default: the branch shares no carrier.
        rate: Constant rate. At least 1 bit/s.
        rate_steps: Rate over time, instead of `rate`: `[{ at = "0 s", rate = "50 Mbit/s" }, { at = "15 s", rate = "20
            Mbit/s" }]`.
        rate_by_hour: Rate over the time of day, instead of `rate`.
        trace: File with a Mahimahi trace of deliveries, instead of `rate`. The file name is relative to the scenario's
            file.
        budget: Link budget, instead of `rate`: the rate follows the weather.
        delay: One-way propagation delay. At most 1 h.
        delay_steps: One-way propagation delay over time, instead of `delay`: `[["0 s", "30 ms"], ["15 s", "50 ms"]]`.
        delay_trace: File of one-way delays in whole milliseconds, one for each 10 ms, instead of `delay`. The file name
            is relative to the scenario's file.
        path_trace: CSV file with rate, delay and loss over time. The file name is relative to the scenario's file. The
            columns are time_s and at least one of rate_mbit_s, delay_ms (one way) and loss_ratio. Each row applies
            until the next row. The rate and the delay replace the keys for rate and delay, and the loss is added to
            `loss`.
        trace_end: What follows the end of a trace: the trace starts again ("wrap"), its last value stays ("hold"), or
            the link stops carrying packets ("stop"). Default "wrap", but "hold" for path_trace. A trace of deliveries
            cannot have "hold".
        loss_by_hour: Probability of loss over the time of day, in addition to `loss`.
        delay_by_hour: Additional one-way delay over the time of day.
        queue: Queue in front of the link. The description of this table contains the default.
        loss: Random or listed loss. Default: none.
        arq: The link retransmits packets that arrive with errors. Losses then become delay. Default: no retransmission.
        mtu: Maximum transmission unit: size of the largest IP packet that the link carries. The link drops larger
            packets before its queue. It does not fragment packets, and sends no ICMP messages. Default: unlimited. From
            68 B to 65535 B.
        policer: A token bucket before the queue. It drops packets above its rate and does not delay packets. Default:
            none.
        ecn_bleach: If true, a middlebox before the queue clears the ECN field of all packets. Queues after this point
            then drop packets instead of marking them, and earlier marks are lost. Default false.
        extra_delay: Additional delay over time: `[{ at = "20 s", delay = "5 ms" }, { at = "40 s", delay = "0 s" }]`.
            Default: none.
        jitter: Additional random delay, drawn independently for each packet. Default: none.
        reorder: If true, packets may overtake each other when the delay decreases, or because of their jitter. If
            false, a packet waits for the packet before it. Default false.
        warn_above: While the mean queue is longer than this number of packets, data packets get a congestion warning
            (TCP-Jersey). Default: never. From 0.0 to 1000000000.0.
        dama: Demand assignment as in DVB-RCS2: the terminal requests capacity, and transmits only in granted slots. The
            link needs a rate. A rate that changes is constant within a superframe. The key applies to one direction:
            left to right in a dumbbell (`reverse` has its own key), lower to higher number in a chain, branch to hub in
            a star, and site to satellite in a constellation. After a handover, the terminal requests capacity again.
        grants: Fixed times of a shared medium at which all waiting packets are sent, as on Starlink's uplink. This key
            applies to the same direction as `dama`.
        acks: The link thins waiting acknowledgements, or compresses their headers (RFC 3449, section 5). The queue must
            be drop-tail. This key applies to the same direction as `dama`.
    """

    site: str
    count: int | None = None
    forward: Forward | Mapping[str, object] | None = None
    rate: str | None = None
    rate_steps: Sequence[RateStep | Mapping[str, object]] | None = None
    rate_by_hour: ByHour | Mapping[str, object] | None = None
    trace: str | None = None
    budget: Budget | Mapping[str, object] | None = None
    delay: str | None = None
    delay_steps: Sequence[Sequence[str]] | None = None
    delay_trace: str | None = None
    path_trace: str | None = None
    trace_end: TraceEnd | None = None
    loss_by_hour: LossByHour | Mapping[str, object] | None = None
    delay_by_hour: DelayByHour | Mapping[str, object] | None = None
    queue: str | Queue | Mapping[str, object] | None = None
    loss: Loss | Mapping[str, object] | None = None
    arq: Arq | Mapping[str, object] | None = None
    mtu: str | None = None
    policer: Policer | Mapping[str, object] | None = None
    ecn_bleach: bool | None = None
    extra_delay: Sequence[DelayStep | Mapping[str, object]] | None = None
    jitter: Jitter | Mapping[str, object] | None = None
    reorder: bool | None = None
    warn_above: float | None = None
    dama: Dama | Mapping[str, object] | None = None
    grants: Grants | Mapping[str, object] | None = None
    acks: Acks | Mapping[str, object] | None = None


@dataclass(kw_only=True, slots=True, repr=False)
class Forward(TomlTable):
    """The carrier from the hub that a branch shares with others, and its weight and priority there.

    Attributes:
        carrier: Name of a carrier of `network.star.forward_carriers`.
        weight: Weight of the branch on the carrier, among branches of the same priority that have data to send. Default
            1. From 1 to 100.
        priority: Branches of a higher priority are served first. Default 0. From 0 to 7.
    """

    carrier: str
    weight: int | None = None
    priority: int | None = None


@dataclass(kw_only=True, slots=True, repr=False)
class Carrier(TomlTable):
    """A carrier that branches of a star share towards the hub.

    Their table `dama` names it. The capacity of each superframe is assigned by category (cra, rbdc, vbdc, fca). Each
    category is assigned for all terminals before the next category.

    Attributes:
        name: Name of the carrier.
        rate: Rate with the highest modulation and code, for terminals without a lower rate. At least 1 bit/s.
        superframe: Length of a superframe. From 5 ms to 10 s.
        latency: Time from a request to its grant, rounded up to whole superframes. It consists of a round trip over the
            satellite and the computation. From 1 ns to 10 s.
        sharing: How capacity is shared if more rbdc or vbdc is requested than is available. "max-min": each terminal
            gets the same time, but not more than it requests. "proportional": each terminal gets the same fraction of
            its request. Default "max-min".
    """

    name: str
    rate: str
    superframe: str
    latency: str
    sharing: Sharing | None = None


@dataclass(kw_only=True, slots=True, repr=False)
class ForwardCarrier(TomlTable):
    """A carrier on which the hub transmits to several branches, one packet after another (TDM).

    Branches name it in the table `forward`.

    Attributes:
        name: Name of the carrier.
        rate: Rate with the highest modulation and code, for branches without a lower rate. At least 1 bit/s.
        turns: How turns are measured. "bytes": branches with enough data get the same rate. "time": branches with
            enough data get the same time of the carrier, so a branch with a low rate does not slow down the other
            branches. Default "bytes".
    """

    name: str
    rate: str
    turns: Turns | None = None


@dataclass(kw_only=True, slots=True, repr=False)
class Starlink(TomlTable):
    """A path over Starlink: uplink from the site "dish" to the site "server", and downlink.

    Attributes:
        preset: "starlink-good", "starlink-far" or "starlink-isl".
        phase: Second of the minute at which the run starts. Epochs are the 15 s between two reconfigurations of
            Starlink. They start 12, 27, 42 and 57 s after the start of each minute. Default "0 s". At most 1 min.
        rtt: Round-trip time of the terrestrial part of the path. Default "0 s". At most 1 h.
        queue: Queues of both directions. Default: the queues of the preset.
        loss: Random loss, except at the boundaries of epochs. Default: the loss of the preset.
    """

    preset: str
    phase: str | None = None
    rtt: str | None = None
    queue: StarlinkQueue | Mapping[str, object] | None = None
    loss: StarlinkLoss | Mapping[str, object] | None = None


@dataclass(kw_only=True, slots=True, repr=False)
class StarlinkQueue(TomlTable):
    """Queues of the two directions.

    Attributes:
        up: Queue of the link from the dish. Default: the queue of the preset.
        down: Queue of the link to the dish. Default: the queue of the preset.
    """

    up: str | Queue | Mapping[str, object] | None = None
    down: str | Queue | Mapping[str, object] | None = None


@dataclass(kw_only=True, slots=True, repr=False)
class StarlinkLoss(TomlTable):
    """Random loss in the two directions, except at the boundaries of epochs.

    Attributes:
        up: Loss on the link from the dish; `{}` means no loss. Default: the loss of the preset.
        down: Loss on the link to the dish; `{}` means no loss. Default: the loss of the preset.
    """

    up: Loss | Mapping[str, object] | None = None
    down: Loss | Mapping[str, object] | None = None


@dataclass(kw_only=True, slots=True, repr=False)
class Origin(TomlTable):
    """The preset that the network of a resolved scenario comes from.

    It has no effect.

    Attributes:
        preset: Name of the preset.
        own: Keys of the network that the scenario itself sets. Default: none.
    """

    preset: str
    own: Sequence[str] | None = None


@dataclass(kw_only=True, slots=True, repr=False)
class Tcp(TomlTable):
    """TCP settings: a preset, and differences from it.

    Attributes:
        preset: The TCP implementation that determines the defaults of the other keys. If the table `tcp` of a flow
            names a preset, this table replaces the whole table `tcp` of the scenario. The descriptions of the other
            keys give the defaults of "bentpipe-0.1". Default "bentpipe-0.1". One of "linux", "rfc", "ns2-sack1",
            "ns2-newreno", "ns2-linux", "bentpipe-0.1".
        mss: Payload of a full segment. Default "1448 B". From 64 B to 65000 B.
        header: Header of every packet. Default "52 B" (IP 20, TCP 20, timestamps 12). At most 500 B.
        initial_window: Initial window in segments. Default 10. From 1 to 100000.
        growth_limit: Largest number of segments that slow start counts for one ACK. The parameter `growth_limit` of the
            controller, if it is set, replaces this key. Default: the value of the controller, usually 1 (RFC 5681,
            section 3.1). From 1 to 1000000000.
        recovery: How losses are detected: "reno" (RFC 5681), "newreno" (RFC 6582), "sack" (RFC 6675) or "rack" (RFC
            8985). Default "sack".
        prr: Whether the sender uses proportional rate reduction (RFC 9937). Default true with recovery "rack",
            otherwise false.
        repair: How much may be sent while losses are repaired with SACK and without prr. "rfc6675": the window minus
            the pipe, which is the data in flight without lost segments. "fall-floyd": the pipe counts a lost segment
            until it is acknowledged, in addition to its retransmission (K. Fall and S. Floyd, ACM CCR 26(3), 1996;
            ns-2's Sack1). "rate-halving": at most one segment per ACK, then slow start to the threshold
            (draft-mathis-tcp-ratehalving, 1999; Linux before PRR). Default "rfc6675".
        timeouts: How the retransmission timeout is computed, and what follows a timeout. "rfc6298": each
            acknowledgement is an RTT sample, and SACKed segments are not sent again. "ns-2": one segment at a time is
            timed, in ticks of `clock` (V. Jacobson, SIGCOMM 1988, appendix A); after a timeout, all segments are sent
            again, and the threshold is half of the window. "ns-2-linux": as "rfc6298", but each of several consecutive
            timeouts lowers the threshold. Default "rfc6298".
        limited_transmit: Limited transmit (RFC 3042). Default true.
        undo: Whether reductions of the window are undone if they turn out to be spurious. Default true.
        f_rto: Whether the sender uses F-RTO (RFC 5682) with SACK: ACKs after a timeout can then also show that the
            timeout was spurious. Default false.
        timestamps: Whether segments carry timestamps (RFC 7323). Both ends must use them. Without timestamps, only
            DSACK or F-RTO can show that a recovery was spurious. A retransmitted segment gives no RTT sample, and old
            duplicates are not rejected by age. Headers are 12 bytes shorter and segments 12 bytes longer, unless
            `header` or `mss` is set. Default true.
        delayed_ack: Delayed acknowledgements. true: every second segment is acknowledged, at most 40 ms late. "linux"
            (as Linux 6.1): every segment is acknowledged while the window grows, and later every second segment; SACKs
            are delayed by up to 1 ms and sent together. Default false.
        ecn: Explicit congestion notification: "classic" (RFC 3168), "dctcp" (echo of RFC 8257) or "accurate" (marks are
            counted, RFC 9768). "l4s" is the same as "dctcp", and "accurate-l4s" the same as "accurate", but packets
            carry ECT(1) (RFC 9331). true means "classic". ECN has an effect only if a queue on the path marks. Default
            false.
        min_rto: Lower bound of the retransmission timeout. Default "200 ms". From 1 ms to 1 h.
        max_rto: Upper bound of the retransmission timeout. Default "1 min". From 1 ms to 1 h.
        initial_rto: Timeout before the first RTT sample. Default "1 s". From 1 ms to 1 h.
        clock: Granularity G of RFC 6298, (2.3): lower bound of the term with RTTVAR in the timeout. G itself is at most
            `min_rto`. Default "200 ms", as Linux. At most 1 h.
        dup_thresh: Number of duplicate ACKs that indicate a loss. Default 3. From 1 to 1000.
        receive_window: The window of the receiver: its constant size, or a table for a window that grows. Default
            "unlimited".
        setup: How the connection starts. The side that sends data opens it. "none": the connection exists when the flow
            starts. "handshake": SYN, SYN-ACK, ACK, then data (RFC 9293). "fast-open": the SYN carries the first data
            (RFC 7413). "ns-2": data follow the SYN-ACK directly, and there is no FIN (`Agent/TCP`). "ns-2-linux": the
            SYN is the first segment of the stream, and data are sent together with it (`Agent/TCP/Linux`). Default
            "none".
        syn_header: Header of SYN and SYN-ACK. Default "60 B" (IP 20, TCP 20, MSS 4, SACK permitted and timestamps 12,
            window scale 4). At most 500 B.
        after_lost_syn: What follows when the timer of the SYN has expired. "rfc": the initial window is one segment
            (RFC 5681), and data start with a timeout of 3 s (RFC 6298). "linux": the initial window is one segment only
            after two expirations that were not spurious, and data start with the measured timeout. Default "rfc".
        fin_beyond_window: If true, the last segment of a transfer is sent directly after the segment before it, even if
            this segment exceeds the congestion window (Linux). The last segment contains the FIN if the connection has
            a handshake. Default false.
        slow_start_after_idle: How the congestion window changes while it is not used. "rfc5681": after a pause longer
            than the timeout, the window becomes the smaller of its old value and the initial window (RFC 5681, section
            4.1). "linux": the window is halved for each timeout of the pause, but not below the smaller of its old
            value and the initial window; while the application sends less than the window allows, the window decreases
            towards the used part (`tcp_slow_start_after_idle`). "rfc7661": the window is kept for five minutes. The
            window grows only if half of it was acknowledged recently or if all of it is used. After a loss, the window
            is half of its used part (RFC 7661). "keep": the window does not change. Controllers with a model of the
            path (BBR, Copa, Vivace) always keep their window. Default "keep".
        tso: If true, new data are sent in bursts of at least two segments, as with segmentation offload on Linux. A
            burst contains the data of about one millisecond at the pacing rate (`tcp_tso_autosize`). If an ACK that is
            expected within one millisecond would allow a larger burst, the sender waits for this ACK
            (`tcp_tso_should_defer`). If false, each segment is sent as soon as possible. Default false.
        one_cut_per_recovery: What happens if a segment that was sent after a cut, or a retransmission, is lost. true:
            this loss causes a cut only after the end of the recovery, and only if the segment is still missing (Linux).
            false: the sending times of RACK determine the next cut (`recovery = "rack"`). Default false.
        sack_restarts_timer: If true, a SACK restarts the retransmission timer if its segment was sent before the last
            transmission of the oldest outstanding segment (Linux). If false, only an acknowledgement that advances
            restarts the timer. Default false.
        reordering_timer_slack: Time from the moment at which a segment is overdue until the reordering timer of RACK
            expires (Linux: 2 ms). Default "0 s". At most 1 s.
        tail_probe_by_oldest: If true, a tail loss probe is due at the latest one timeout after the transmission of the
            oldest outstanding segment, when new data are sent (Linux). If false, the probe is due after two smoothed
            round-trip times or with the timeout (RFC 8985). Default false.
        growth_when_reordered: If true, after a segment arrived behind more than `dup_thresh` later segments, selective
            acknowledgements also increase the window (Linux). If false, only acknowledgements that advance increase the
            window (RFC 5681). Default false.
        pacing_credit: If true, a paced packet that is sent late shortens the wait after it, at most by half (Linux).
            Default false.
        saved_path: State that an earlier connection saved about this path (Careful Resume, RFC 9959). Default: none.
    """

    preset: Preset | None = None
    mss: str | None = None
    header: str | None = None
    initial_window: int | None = None
    growth_limit: int | None = None
    recovery: Recovery | None = None
    prr: bool | None = None
    repair: Repair | None = None
    timeouts: Timeouts | None = None
    limited_transmit: bool | None = None
    undo: bool | None = None
    f_rto: bool | None = None
    timestamps: bool | None = None
    delayed_ack: bool | LikeLinux | AckRule | Mapping[str, object] | None = None
    ecn: bool | Ecn2 | None = None
    min_rto: str | None = None
    max_rto: str | None = None
    initial_rto: str | None = None
    clock: str | None = None
    dup_thresh: int | None = None
    receive_window: str | GrowingWindow | Mapping[str, object] | None = None
    setup: Setup | None = None
    syn_header: str | None = None
    after_lost_syn: AfterLostSyn | None = None
    fin_beyond_window: bool | None = None
    slow_start_after_idle: AfterIdle | None = None
    tso: bool | None = None
    one_cut_per_recovery: bool | None = None
    sack_restarts_timer: bool | None = None
    reordering_timer_slack: str | None = None
    tail_probe_by_oldest: bool | None = None
    growth_when_reordered: bool | None = None
    pacing_credit: bool | None = None
    saved_path: SavedPath | Mapping[str, object] | None = None


@dataclass(kw_only=True, slots=True, repr=False)
class AckRule(TomlTable):
    """When the receiver may delay an acknowledgement.

    Attributes:
        every: Largest number of segments without an acknowledgement. From 1 to 1000.
        at_most: Longest delay of an acknowledgement. At most 10 s.
    """

    every: int
    at_most: str


@dataclass(kw_only=True, slots=True, repr=False)
class GrowingWindow(TomlTable):
    """A window that grows as in Linux: 64 kB at the start, and two more segments for each segment that arrives.

    Attributes:
        at_most: Largest window, which is half of the largest buffer. Default "3145728 B" (tcp_rmem of 6 MiB). From 4 kB
            to 1 GB.
        autotuned: If true, the buffer starts with 128 KiB and grows with the data that arrive in a round trip. If
            false, the buffer has its largest size from the start. Default false.
    """

    at_most: str | None = None
    autotuned: bool | None = None


@dataclass(kw_only=True, slots=True, repr=False)
class SavedPath(TomlTable):
    """State of a path that an earlier connection saved.

    Attributes:
        cwnd: Number of bytes that were acknowledged in one round trip. At least 1 B.
        rtt: Smallest round-trip time. From 1 us to 1 h.
        age: Age of this state. Default "0 s".
    """

    cwnd: str
    rtt: str
    age: str | None = None


@dataclass(kw_only=True, slots=True, repr=False)
class Flow(TomlTable):
    """Flows with the same settings.

    Attributes:
        name: Name of the flows in tables. Default: the name of the controller; for a call, its profile; for other
            flows, the kind.
        kind: "tcp" (one connection of TCP or QUIC, see `transport`), "cbr" (UDP at a constant bit rate), "ping"
            (echoes), "call" (audio, video or a game, in both directions), or an application. Applications are
            "transfers", "web", "video" and "requests": users at the site `to` fetch data from servers at the site
            `from` over many connections. Default "tcp".
        transport: Protocol of a flow of kind "tcp" or of an application: "tcp", or "quic" for connections of a real
            QUIC library. With QUIC, an application opens one connection instead of several TCP connections, and each
            request and its answer are one stream (not HTTP/3). Default "tcp".
        count: Number of flows. Default 1. From 1 to 100000.
        from_: Site of the sender of the data. `*` matches any text. With `*` in `from` or `to`, there is a flow for
            each pair of matching sites, called "NAME 1", "NAME 2" and so on. In a constellation, only the sites in
            `sites` match. In every network preset, the ends also have the names "terminal" and "server". Default:
            "server" with a preset or with Starlink, "left" in a dumbbell, the first site of a chain.
        to: Site of the receiver of the data. Default: "terminal" with a preset, "dish" with Starlink, "right" in a
            dumbbell, the last site of a chain.
        start: Start of the first flow. Default "0 s".
        stagger: Interval between the starts of two consecutive flows of the table, including flows that a `*` in `from`
            or `to` creates. Default "0 s".
        stop: Time at which the flows stop sending. An application starts no visits after this time. Default: the end of
            the run.
        size: TCP: number of bytes to send; by default, the transfer has no end. Transfers: number of bytes of each
            transfer, or the law from which it is drawn.
        trickle: TCP: the application writes at a limited rate. Default: all data are available from the start.
        rate: CBR: rate on the wire during on periods. At least 1 bit/s.
        on: CBR: length of on periods, in which the flow sends. The value is a time, or a law with a mean. Default:
            always on.
        off: CBR: length of off periods, in which the flow sends nothing.
        packet: CBR, ping: packet size on the wire. Default "1000 B" for CBR, and "84 B" for ping (56 B of data, ICMP 8,
            IP 20, as on Linux). From 1 B to 65535 B.
        interval: Ping: interval between packets. Default "10 ms". From 1 us to 1 h.
        profile: Call: "voice" (G.711), "video-call" (720p) or "game" (a shooter: `from` is the player, and `to` is the
            server). Default "voice".
        playout: Call: playout delay of a frame. The delay begins at the time when the frame would arrive with the
            smallest delay of all frames so far. A frame is late if it is incomplete at its playout time. Default: the
            value of the profile. At most 10 s.
        there: Call: frames from `from` to `to`. Default: the frames of the profile.
        back: Call: frames from `to` to `from`. Default: the frames of the profile.
        controller: TCP and applications: name of the controller, or a table with its name and parameters.
        access: Link between each host and its site. If this key is set, every flow has such a link at both ends.
            Default: the hosts are at the sites, without such links.
        urgent: If true, queues of discipline "priority" send the packets of these flows first, in both directions.
            Default false.
        distance: TCP and applications: great-circle distance between the ends, for controllers that use it. Default:
            the distance between the sites in a constellation; unknown in other networks. From 0 km to 20038 km.
        tcp: TCP and applications: TCP settings of these flows. Connections of applications start with a handshake.
        quic: QUIC: QUIC settings of these flows.
        users: Applications: number of users (closed loop). Each user has one visit at a time and thinks before the next
            visit. From 1 to 1000000.
        think: Think time of a user. Default: exponential with a mean of 30 s (our choice).
        arrivals: Applications: the times at which visits start, instead of `users` (open loop).
        load: Applications: load, instead of a rate in `arrivals`. The load is the mean traffic of the visits as a
            fraction of the smallest link rate on the path. Headers count as if all segments were full. The load
            determines the rate at which visits start. If the table creates several flows, each of them has this load.
            If the loads on a link add up to more than 1, the backlog of the link grows without bound. From 1e-06 to
            100.0, or text in percent: "0.5 %".
        page: Web: the page, as a name or as a table. Default "median-2024".
        video: Video: the video and its player. Default: the defaults of the table.
        request: Requests: the requests and answers.
        tls: Applications over TCP: TLS 1.3 on each connection, which takes one round trip before the first request.
            QUIC always contains TLS. Default false.
    """

    name: str | None = None
    kind: Kind | None = None
    transport: TransportProtocol | None = None
    count: int | None = None
    from_: str | None = None
    to: str | None = None
    start: str | None = None
    stagger: str | None = None
    stop: str | None = None
    size: str | Sizes | Mapping[str, object] | None = None
    trickle: Trickle | Mapping[str, object] | None = None
    rate: str | None = None
    on: str | DrawnPeriod | Mapping[str, object] | None = None
    off: str | DrawnPeriod | Mapping[str, object] | None = None
    packet: str | None = None
    interval: str | None = None
    profile: Profile | None = None
    playout: str | None = None
    there: Media | Mapping[str, object] | None = None
    back: Media | Mapping[str, object] | None = None
    controller: str | Mapping[str, object] | None = None
    access: AccessLink | Mapping[str, object] | None = None
    urgent: bool | None = None
    distance: str | None = None
    tcp: Tcp | Mapping[str, object] | None = None
    quic: Quic | Mapping[str, object] | None = None
    users: int | None = None
    think: str | Times | Mapping[str, object] | None = None
    arrivals: Arrivals | Mapping[str, object] | None = None
    load: float | str | None = None
    page: PageName | Page | Mapping[str, object] | None = None
    video: Video | Mapping[str, object] | None = None
    request: Request | Mapping[str, object] | None = None
    tls: bool | Tls | Mapping[str, object] | None = None


@dataclass(kw_only=True, slots=True, repr=False)
class Sizes(TomlTable):
    """A size, or the law from which sizes are drawn.

    Attributes:
        law: Name of the law. One of "exponential", "log-normal", "pareto", "points", "file", "web-search",
            "data-mining", "internet-mix".
        mean: Mean value. It can replace `median` of "log-normal" and `least` of "pareto". From 1 B to 1 TB.
        median: Median: half of the drawn values are below it. From 1 B to 1 TB.
        sigma: Standard deviation of the natural logarithm. From 0.0 to 20.0.
        shape: Shape of the tail: a smaller shape means a heavier tail. If the shape is 1 or less, the law has a mean
            only with `most`. From 0.01 to 100.0.
        least: Smallest value. From 1 B to 1 TB.
        most: Largest value. Default: no limit. From 1 B to 1 PB.
        points: Pairs of a value and the probability that a drawn value is at most this value. Values and probabilities
            must not decrease, and the last probability must be 1.
        file: CSV file with pairs as in `points`. The file name is relative to the scenario's file. The values are plain
            numbers of bytes or seconds.
        between: Interpolation between two points: the probability is linear in the value ("linear") or in its logarithm
            ("log-linear"), or the probability of larger values is a power of the value ("power"). Default "linear".
    """

    law: SizeLaw
    mean: str | None = None
    median: str | None = None
    sigma: float | None = None
    shape: float | None = None
    least: str | None = None
    most: str | None = None
    points: Sequence[Sequence[str | float]] | None = None
    file: str | None = None
    between: Between | None = None


@dataclass(kw_only=True, slots=True, repr=False)
class Trickle(TomlTable):
    """An application that writes at a limited rate, either for a period or always.

    Data before and after this period are available at once.

    Attributes:
        rate: Rate at which the application writes. A segment may be sent when it is completely written. At least 1
            bit/s.
        begins: Time from the start of the flow until the application writes at `rate`. Before this time, all data that
            TCP can send are available. Default "0 s". At most 30 d.
        lasts: Length of the period in which the application writes at `rate`. Afterwards, all remaining data are
            available. Default: until the end of the flow. At most 30 d.
    """

    rate: str
    begins: str | None = None
    lasts: str | None = None


@dataclass(kw_only=True, slots=True, repr=False)
class DrawnPeriod(TomlTable):
    """A period of random length.

    Attributes:
        law: Name of the law: "exponential".
        mean: Mean length. From 1 us to 30 d.
    """

    law: Law
    mean: str


@dataclass(kw_only=True, slots=True, repr=False)
class Media(TomlTable):
    """One direction of a call: one frame per interval.

    All packets of a frame leave at once.

    Attributes:
        interval: Interval between frames. Default: the value of the profile. From 100 us to 1 min.
        frame: Size of a frame. If key frames are larger, this is the mean size. Default: the value of the profile. From
            1 B to 10 MB.
        rate: Mean rate of the frames without headers, instead of `frame`. At least 1 bit/s.
        payload: Largest number of bytes of a frame in one packet. Default "1200 B". From 1 B to 65000 B.
        header: Length of the headers of a packet. Default: the value of the profile, which is "40 B" (RTP 12, UDP 8, IP
            20) or "28 B" (without RTP). At most 500 B.
        key_every: Every `key_every`-th frame is a key frame, starting with the first frame. With 1, all frames have the
            same size. Default: the value of the profile. From 1 to 1000000.
        key_ratio: Size of a key frame divided by the size of the other frames. Default: the value of the profile. From
            1.0 to 1000.0.
    """

    interval: str | None = None
    frame: str | None = None
    rate: str | None = None
    payload: str | None = None
    header: str | None = None
    key_every: int | None = None
    key_ratio: float | None = None


@dataclass(kw_only=True, slots=True, repr=False)
class AccessLink(TomlTable):
    """A link between a host and its site, the same in both directions.

    The default queue is "unlimited".

    Attributes:
        rate: Rate of the link. Default "unlimited". At least 1 bit/s.
        rate_steps: Rate over time, instead of `rate`: `[{ at = "0 s", rate = "50 Mbit/s" }, { at = "15 s", rate = "20
            Mbit/s" }]`.
        rate_by_hour: Rate over the time of day, instead of `rate`.
        loss_by_hour: Probability of loss over the time of day, in addition to `loss`.
        delay_by_hour: Additional one-way delay over the time of day.
        delay: One-way propagation delay. Default "0 s". At most 1 h.
        trace: File with a Mahimahi trace of deliveries, instead of `rate`. The file name is relative to the scenario's
            file.
        delay_trace: File of one-way delays (as for LeoReplayer) in whole milliseconds, one for each 10 ms. They are
            added to the link's own delay. The file name is relative to the scenario's file.
        path_trace: CSV file with rate, delay and loss over time. The file name is relative to the scenario's file. The
            columns are time_s and at least one of rate_mbit_s, delay_ms (one way) and loss_ratio. Each row applies
            until the next row. The rate replaces `rate`, the delay is added to the link's own delay, and the loss is
            added to `loss`.
        trace_end: What follows the end of a trace: the trace starts again ("wrap"), its last value stays ("hold"), or
            the link stops carrying packets ("stop"). Default "wrap", but "hold" for path_trace. A trace of deliveries
            cannot have "hold".
        queue: Queue in front of the link. The description of this table contains the default.
        loss: Random or listed loss. Default: none.
        arq: The link retransmits packets that arrive with errors. Losses then become delay. Default: no retransmission.
        mtu: Maximum transmission unit: size of the largest IP packet that the link carries. The link drops larger
            packets before its queue. It does not fragment packets, and sends no ICMP messages. Default: unlimited. From
            68 B to 65535 B.
        policer: A token bucket before the queue. It drops packets above its rate and does not delay packets. Default:
            none.
        ecn_bleach: If true, a middlebox before the queue clears the ECN field of all packets. Queues after this point
            then drop packets instead of marking them, and earlier marks are lost. Default false.
        extra_delay: Additional delay over time: `[{ at = "20 s", delay = "5 ms" }, { at = "40 s", delay = "0 s" }]`.
            Default: none.
        jitter: Additional random delay, drawn independently for each packet. Default: none.
        reorder: If true, packets may overtake each other when the delay decreases, or because of their jitter. If
            false, a packet waits for the packet before it. Default false.
        warn_above: While the mean queue is longer than this number of packets, data packets get a congestion warning
            (TCP-Jersey). Default: never. From 0.0 to 1000000000.0.
    """

    rate: str | None = None
    rate_steps: Sequence[RateStep | Mapping[str, object]] | None = None
    rate_by_hour: ByHour | Mapping[str, object] | None = None
    loss_by_hour: LossByHour | Mapping[str, object] | None = None
    delay_by_hour: DelayByHour | Mapping[str, object] | None = None
    delay: str | None = None
    trace: str | None = None
    delay_trace: str | None = None
    path_trace: str | None = None
    trace_end: TraceEnd | None = None
    queue: str | Queue | Mapping[str, object] | None = None
    loss: Loss | Mapping[str, object] | None = None
    arq: Arq | Mapping[str, object] | None = None
    mtu: str | None = None
    policer: Policer | Mapping[str, object] | None = None
    ecn_bleach: bool | None = None
    extra_delay: Sequence[DelayStep | Mapping[str, object]] | None = None
    jitter: Jitter | Mapping[str, object] | None = None
    reorder: bool | None = None
    warn_above: float | None = None


@dataclass(kw_only=True, slots=True, repr=False)
class Quic(TomlTable):
    """QUIC settings.

    Attributes:
        controllers: Source of the controllers' code. "bentpipe": every controller of the catalogue that a QUIC library
            can run. "library": the QUIC library's own "reno" and "cubic" (the library's "bbr3" is excluded, because its
            runs are not reproducible). Default "bentpipe".
        datagram: Largest UDP payload at the start. Default "1200 B" (RFC 9000, section 14.1). From 1200 B to 65000 B.
        largest_datagram: Largest UDP payload that path MTU discovery tries. If it equals `datagram`, there is no
            discovery. Default "1452 B". From 1200 B to 65000 B.
        initial_window: Initial window in datagrams. Default 10 (RFC 9002, section 7.2). From 1 to 100000.
        ack_frequency: When the receiver acknowledges: every N packets, or after the given delay (ACK frequency
            extension). Default: every second packet, at most 25 ms late (RFC 9000).
        initial_rtt: Round-trip time that the sender assumes before the first sample. If this value is smaller than the
            real round-trip time, packets of the handshake are sent again. Default "333 ms" (RFC 9002, section 6.2.2).
            From 1 ms to 1 min.
        receive_window: Flow control of the connection: largest number of bytes that the receiver accepts before its
            application reads them. Default "unlimited". At least 1 B.
        stream_window: Flow control of each stream. Default "unlimited". At least 1 B.
        send_window: Largest number of bytes that the sender stores until they are acknowledged. Default "unlimited". At
            least 1 B.
        stream_size: Number of bytes of each stream. A transfer uses several streams, one after another. A library
            closes a connection if a stream has too many gaps (noq: 1,024). A single long stream reaches this number
            after a large overshoot. "unlimited": all data are in one stream. Default "1 MB". At least 1 kB.
        ecn: If true, packets carry ECT(0), as the library sends them. Queues that support ECN then mark packets instead
            of dropping them. If false, the ECN field is cleared. Default true.
        zero_rtt: If true, the first packet carries data (0-RTT): the side that opens a connection has a session ticket
            of an earlier connection. In an application, every user has such a ticket for each connection. Default
            false.
        pacing: If true, the library spaces packets over a round trip when the controller has no pacing rate. Default
            true.
        keys: "real": TLS 1.3 encrypts all packets. "null": the handshake is real, and later packets are not encrypted.
            Times and sizes of all packets are the same, and the run is faster. Default "real".
        saved_path: State that an earlier connection saved about this path (Careful Resume, RFC 9959). Default: none.
    """

    controllers: ControllerSource | None = None
    datagram: str | None = None
    largest_datagram: str | None = None
    initial_window: int | None = None
    ack_frequency: AckRule | Mapping[str, object] | None = None
    initial_rtt: str | None = None
    receive_window: str | None = None
    stream_window: str | None = None
    send_window: str | None = None
    stream_size: str | None = None
    ecn: bool | None = None
    zero_rtt: bool | None = None
    pacing: bool | None = None
    keys: Keys | None = None
    saved_path: SavedPath | Mapping[str, object] | None = None


@dataclass(kw_only=True, slots=True, repr=False)
class Times(TomlTable):
    """A time, or the law from which times are drawn.

    Attributes:
        law: Name of the law. One of "exponential", "log-normal", "pareto", "points", "file".
        mean: Mean value. It can replace `median` of "log-normal" and `least` of "pareto". At most 30 d.
        median: Median: half of the drawn values are below it. At most 30 d.
        sigma: Standard deviation of the natural logarithm. From 0.0 to 20.0.
        shape: Shape of the tail: a smaller shape means a heavier tail. If the shape is 1 or less, the law has a mean
            only with `most`. From 0.01 to 100.0.
        least: Smallest value. At most 30 d.
        most: Largest value. Default: no limit. At most 30 d.
        points: Pairs of a value and the probability that a drawn value is at most this value. Values and probabilities
            must not decrease, and the last probability must be 1.
        file: CSV file with pairs as in `points`. The file name is relative to the scenario's file. The values are plain
            numbers of bytes or seconds.
        between: Interpolation between two points: the probability is linear in the value ("linear") or in its logarithm
            ("log-linear"), or the probability of larger values is a power of the value ("power"). Default "linear".
    """

    law: PlainLaw
    mean: str | None = None
    median: str | None = None
    sigma: float | None = None
    shape: float | None = None
    least: str | None = None
    most: str | None = None
    points: Sequence[Sequence[str | float]] | None = None
    file: str | None = None
    between: Between | None = None


@dataclass(kw_only=True, slots=True, repr=False)
class Arrivals(TomlTable):
    """When visits start.

    Visits start even if earlier visits are in progress (open loop).

    Attributes:
        law: "poisson" (independent arrivals), "regular" (equal intervals) or "on-off" (as "poisson" in on periods, no
            arrivals in off periods).
        rate: Visits per second. For "on-off", this is the rate in on periods. `load` can replace this key. From 1e-09
            to 1000000.0.
        on: Length of on periods.
        off: Length of off periods.
    """

    law: ArrivalLaw
    rate: float | None = None
    on: str | Times | Mapping[str, object] | None = None
    off: str | Times | Mapping[str, object] | None = None


@dataclass(kw_only=True, slots=True, repr=False)
class Page(TomlTable):
    """A web page.

    Without `objects`, the objects are those of the page `preset`.

    Attributes:
        preset: Built-in page. Default "median-2024".
        objects: Number of objects in addition to the document, or the law from which the number is drawn; or a list of
            single objects, with `after` for objects that depend on others.
        first: Size of the document, which is fetched first. Default: the value of `size`.
        size: Size of each other object.
        stages: Number of stages of equal size. Each object of a stage waits for an object of the stage before. Default
            1. From 1 to 100.
        protocol: "http1": up to `connections` connections with one request at a time on each. "http2": one connection;
            all known objects are requested at once and answered in the order of the requests. "http2-interleaved": as
            "http2", but answers alternate in frames of 16 kB. Default "http2".
        connections: Largest number of connections. Default 6, as in browsers. From 1 to 64.
        request: Size of each request. Default "400 B". From 1 B to 1 MB.
        wait: Time that the server needs for each answer. Default "0 s". At most 1 h.
    """

    preset: PageName | None = None
    objects: float | Counts | Sequence[PageObject | Mapping[str, object]] | Mapping[str, object] | None = None
    first: str | Sizes | Mapping[str, object] | None = None
    size: str | Sizes | Mapping[str, object] | None = None
    stages: int | None = None
    protocol: ProtocolWord | None = None
    connections: int | None = None
    request: str | None = None
    wait: str | None = None


@dataclass(kw_only=True, slots=True, repr=False)
class Counts(TomlTable):
    """A number, or the law from which numbers are drawn.

    Drawn numbers are rounded and at least 1.

    Attributes:
        law: Name of the law. One of "exponential", "log-normal", "pareto", "points", "file".
        mean: Mean value. It can replace `median` of "log-normal" and `least` of "pareto". From 0.0 to 1000000.0.
        median: Median: half of the drawn values are below it. From 0.0 to 1000000.0.
        sigma: Standard deviation of the natural logarithm. From 0.0 to 20.0.
        shape: Shape of the tail: a smaller shape means a heavier tail. If the shape is 1 or less, the law has a mean
            only with `most`. From 0.01 to 100.0.
        least: Smallest value. From 0.0 to 1000000.0.
        most: Largest value. Default: no limit. From 0.0 to 1000000.0.
        points: Pairs of a value and the probability that a drawn value is at most this value. Values and probabilities
            must not decrease, and the last probability must be 1.
        file: CSV file with pairs as in `points`. The file name is relative to the scenario's file. The values are plain
            numbers of bytes or seconds.
        between: Interpolation between two points: the probability is linear in the value ("linear") or in its logarithm
            ("log-linear"), or the probability of larger values is a power of the value ("power"). Default "linear".
    """

    law: PlainLaw
    mean: float | None = None
    median: float | None = None
    sigma: float | None = None
    shape: float | None = None
    least: float | None = None
    most: float | None = None
    points: Sequence[Sequence[str | float]] | None = None
    file: str | None = None
    between: Between | None = None


@dataclass(kw_only=True, slots=True, repr=False)
class PageObject(TomlTable):
    """An object of a page.

    Attributes:
        name: Name of the object.
        size: Size of the object. From 1 B to 1 TB.
        after: Names of the objects that must arrive before the browser knows this object. Default: none.
        think: Time between the moment at which the browser knows this object and its request. Default "0 s". At most 1
            h.
    """

    name: str
    size: str
    after: Sequence[str] | None = None
    think: str | None = None


@dataclass(kw_only=True, slots=True, repr=False)
class Video(TomlTable):
    """A video (DASH or HLS) and its player.

    Attributes:
        ladder: Rates in which each segment is available, from the lowest to the highest. Default: the ten rates of
            Netflix until 2015, 235 kbit/s to 5.8 Mbit/s.
        segment: Length of a segment. Default "4 s". From 100 ms to 1 h.
        length: Playing time of the video. Default "10 min" (our choice).
        startup: Playback starts when the buffer contains this playing time. Default: two segments. At most 1 h.
        resume: After a stall, playback continues when the buffer contains this playing time. Default: as `startup`. At
            most 1 h.
        buffer: Size of the buffer. The player requests a segment when the segment fits. Default "240 s". From 100 ms to
            2 h.
        choice: How the player chooses the rate of the next segment: "buffer": by the buffer level (BBA-0 of Huang et
            al., SIGCOMM 2014). "rate": by the harmonic mean of the last throughputs. Default "buffer".
        reservoir: Buffer level up to which the player chooses the lowest rate. Default: 90/240 of `buffer`. At most 1
            h.
        cushion: Range of buffer levels above `reservoir` in which the rate rises to the highest rate. Default: 126/240
            of `buffer`. At most 1 h.
        segments: Number of segments in the harmonic mean. Default 5. From 1 to 1000.
        safety: Factor for the harmonic mean: the player chooses the highest rate that is at most the product. Default
            0.9. From 0.01 to 10.0, or text in percent: "0.5 %".
    """

    ladder: Sequence[str] | None = None
    segment: str | None = None
    length: str | Times | Mapping[str, object] | None = None
    startup: str | None = None
    resume: str | None = None
    buffer: str | None = None
    choice: ChoiceWord | None = None
    reservoir: str | None = None
    cushion: str | None = None
    segments: int | None = None
    safety: float | str | None = None


@dataclass(kw_only=True, slots=True, repr=False)
class Request(TomlTable):
    """Alternating requests and answers on one connection.

    Attributes:
        size: Size of a request. Default "400 B".
        answer: Size of an answer.
        wait: Time that the server needs for an answer. Default "0 s".
        count: Number of requests in a visit. Default 1.
        think: Think time of the user between an answer and the next request of the visit. Default "0 s".
    """

    size: str | Sizes | Mapping[str, object] | None = None
    answer: str | Sizes | Mapping[str, object]
    wait: str | Times | Mapping[str, object] | None = None
    count: float | Counts | Mapping[str, object] | None = None
    think: str | Times | Mapping[str, object] | None = None


@dataclass(kw_only=True, slots=True, repr=False)
class Tls(TomlTable):
    """Sizes of the messages in a TLS handshake.

    Attributes:
        hello: Size of the client's first flight. Default "517 B". From 1 B to 1 MB.
        answer: Size of the server's flight with its certificates. Default "4 kB". From 1 B to 1 MB.
        wait: Time that the server needs for its computations. Default "0 s". At most 1 min.
    """

    hello: str | None = None
    answer: str | None = None
    wait: str | None = None


@dataclass(kw_only=True, slots=True, repr=False)
class Traffic(TomlTable):
    """Flows between many sites.

    The table also accepts all keys of a flow except `from` and `to`. These keys apply to each flow. The name of a flow
    consists of its two sites; if `name` is set, it comes first.

    Attributes:
        matrix: Which sites send to which sites: "pairs" (the pairs in the key `pairs`), "permutation" (random pairs of
            sites, which send to each other), "gravity" (`flows` random pairs; the probability of a pair is proportional
            to the product of the two populations) or "file".
        pairs: The pairs, from and to: `[["Wuhan", "Madrid"], ["Tehran", "Madrid"]]`.
        sites: The sites of a "permutation" or "gravity" matrix.
        top: Instead of `sites`: number of cities to use, the largest of the built-in list. From 2 to 1000.
        flows: Gravity: number of flows to draw. From 1 to 100000.
        file: CSV file with the columns from and to, and optionally count, start and size. The file name is relative to
            the scenario's file. A size is a quantity. For transfers, it may also be a measured law ("web-search") or
            the table of a law, with single quotes: "{ law = 'exponential', mean = '10 kB' }".
        seed: Seed of the random pairs. The seed of the run does not change the pairs. Default 1. At least 0.
        name: Name of the flows in tables. Default: the name of the controller; for a call, its profile; for other
            flows, the kind.
        kind: "tcp" (one connection of TCP or QUIC, see `transport`), "cbr" (UDP at a constant bit rate), "ping"
            (echoes), "call" (audio, video or a game, in both directions), or an application. Applications are
            "transfers", "web", "video" and "requests": users at the site `to` fetch data from servers at the site
            `from` over many connections. Default "tcp".
        transport: Protocol of a flow of kind "tcp" or of an application: "tcp", or "quic" for connections of a real
            QUIC library. With QUIC, an application opens one connection instead of several TCP connections, and each
            request and its answer are one stream (not HTTP/3). Default "tcp".
        count: Number of flows. Default 1. From 1 to 100000.
        from_: Site of the sender of the data. `*` matches any text. With `*` in `from` or `to`, there is a flow for
            each pair of matching sites, called "NAME 1", "NAME 2" and so on. In a constellation, only the sites in
            `sites` match. In every network preset, the ends also have the names "terminal" and "server". Default:
            "server" with a preset or with Starlink, "left" in a dumbbell, the first site of a chain.
        to: Site of the receiver of the data. Default: "terminal" with a preset, "dish" with Starlink, "right" in a
            dumbbell, the last site of a chain.
        start: Start of the first flow. Default "0 s".
        stagger: Interval between the starts of two consecutive flows of the table, including flows that a `*` in `from`
            or `to` creates. Default "0 s".
        stop: Time at which the flows stop sending. An application starts no visits after this time. Default: the end of
            the run.
        size: TCP: number of bytes to send; by default, the transfer has no end. Transfers: number of bytes of each
            transfer, or the law from which it is drawn.
        trickle: TCP: the application writes at a limited rate. Default: all data are available from the start.
        rate: CBR: rate on the wire during on periods. At least 1 bit/s.
        on: CBR: length of on periods, in which the flow sends. The value is a time, or a law with a mean. Default:
            always on.
        off: CBR: length of off periods, in which the flow sends nothing.
        packet: CBR, ping: packet size on the wire. Default "1000 B" for CBR, and "84 B" for ping (56 B of data, ICMP 8,
            IP 20, as on Linux). From 1 B to 65535 B.
        interval: Ping: interval between packets. Default "10 ms". From 1 us to 1 h.
        profile: Call: "voice" (G.711), "video-call" (720p) or "game" (a shooter: `from` is the player, and `to` is the
            server). Default "voice".
        playout: Call: playout delay of a frame. The delay begins at the time when the frame would arrive with the
            smallest delay of all frames so far. A frame is late if it is incomplete at its playout time. Default: the
            value of the profile. At most 10 s.
        there: Call: frames from `from` to `to`. Default: the frames of the profile.
        back: Call: frames from `to` to `from`. Default: the frames of the profile.
        controller: TCP and applications: name of the controller, or a table with its name and parameters.
        access: Link between each host and its site. If this key is set, every flow has such a link at both ends.
            Default: the hosts are at the sites, without such links.
        urgent: If true, queues of discipline "priority" send the packets of these flows first, in both directions.
            Default false.
        distance: TCP and applications: great-circle distance between the ends, for controllers that use it. Default:
            the distance between the sites in a constellation; unknown in other networks. From 0 km to 20038 km.
        tcp: TCP and applications: TCP settings of these flows. Connections of applications start with a handshake.
        quic: QUIC: QUIC settings of these flows.
        users: Applications: number of users (closed loop). Each user has one visit at a time and thinks before the next
            visit. From 1 to 1000000.
        think: Think time of a user. Default: exponential with a mean of 30 s (our choice).
        arrivals: Applications: the times at which visits start, instead of `users` (open loop).
        load: Applications: load, instead of a rate in `arrivals`. The load is the mean traffic of the visits as a
            fraction of the smallest link rate on the path. Headers count as if all segments were full. The load
            determines the rate at which visits start. If the table creates several flows, each of them has this load.
            If the loads on a link add up to more than 1, the backlog of the link grows without bound. From 1e-06 to
            100.0, or text in percent: "0.5 %".
        page: Web: the page, as a name or as a table. Default "median-2024".
        video: Video: the video and its player. Default: the defaults of the table.
        request: Requests: the requests and answers.
        tls: Applications over TCP: TLS 1.3 on each connection, which takes one round trip before the first request.
            QUIC always contains TLS. Default false.
    """

    matrix: Matrix
    pairs: Sequence[Sequence[str]] | None = None
    sites: Sequence[str] | None = None
    top: int | None = None
    flows: int | None = None
    file: str | None = None
    seed: int | None = None
    name: str | None = None
    kind: Kind | None = None
    transport: TransportProtocol | None = None
    count: int | None = None
    from_: str | None = None
    to: str | None = None
    start: str | None = None
    stagger: str | None = None
    stop: str | None = None
    size: str | Sizes | Mapping[str, object] | None = None
    trickle: Trickle | Mapping[str, object] | None = None
    rate: str | None = None
    on: str | DrawnPeriod | Mapping[str, object] | None = None
    off: str | DrawnPeriod | Mapping[str, object] | None = None
    packet: str | None = None
    interval: str | None = None
    profile: Profile | None = None
    playout: str | None = None
    there: Media | Mapping[str, object] | None = None
    back: Media | Mapping[str, object] | None = None
    controller: str | Mapping[str, object] | None = None
    access: AccessLink | Mapping[str, object] | None = None
    urgent: bool | None = None
    distance: str | None = None
    tcp: Tcp | Mapping[str, object] | None = None
    quic: Quic | Mapping[str, object] | None = None
    users: int | None = None
    think: str | Times | Mapping[str, object] | None = None
    arrivals: Arrivals | Mapping[str, object] | None = None
    load: float | str | None = None
    page: PageName | Page | Mapping[str, object] | None = None
    video: Video | Mapping[str, object] | None = None
    request: Request | Mapping[str, object] | None = None
    tls: bool | Tls | Mapping[str, object] | None = None


@dataclass(kw_only=True, slots=True, repr=False)
class Pep(TomlTable):
    """Performance-enhancing proxies (RFC 3135) at one or two sites.

    A TCP connection ends at a proxy, and the proxy opens another connection. Each connection has its own
    acknowledgements, retransmissions and controller. A proxy answers a SYN at once, and then opens the next connection.

    Attributes:
        at: The site of the proxy, or the two sites at the ends of a hop: `["left", "right"]`. `*` matches any text, as
            in `from` of flows: `["user *"]` is a proxy at each user's site. A flow passes one or two of these sites. A
            proxy at an end of a flow splits the flow only if it has access links. Over satellites, the place is a site
            or "gateway". For a flow between a dish and a site on fibre, "gateway" is the gateway that serves at the
            time.
        buffer: Largest buffer for a connection in a proxy. A byte is in the buffer from its arrival until the receiver
            of the next connection acknowledges it. A TCP flow has one connection. Each connection of an application has
            its own buffer. The total of these buffers has no limit. From 64 B to 4 GB.
        controller: Controller of the connection that starts at the first proxy on a flow's path. With two proxies, this
            is the connection between them. Default: the controller of the flow.
        tcp: TCP settings of the proxies, for sending and receiving. If `preset` is set here, no setting of the flow
            applies. Otherwise, keys that are not set here have the values of the flow. `receive_window` is the largest
            window that a proxy announces; by default, it is the free part of its buffer. A connection uses the smaller
            `mss` of its two ends. Default: the settings of the flow.
        flows: Names of the flows that are split. `*` matches any text. Default: all TCP flows on these paths.
        resets: Times at which the proxies lose their state, in order. The connections through them end, and data in
            their buffers are lost.
        retry: Time between the reset of a connection (when its host receives the reset) and the application's next
            attempt. A transfer asks the receiver which data have arrived, and sends the rest. Users of other
            applications request incomplete answers again. "off": a transfer gives up, but users still try again.
            Default "1 s" (as curl before its first `--retry`). From 0 s to 10 min.
        on_handover: What happens to a proxy at the "gateway" when the path changes to another gateway. "reset": the
            proxy at the new gateway does not know the connections, so they end. "move": the state moves to the new
            gateway. Default "reset".
        move_time: With "move": time after a handover for which the proxy is absent. Packets to it are lost. From 0 s to
            1 min.
    """

    at: Sequence[str]
    buffer: str
    controller: str | Mapping[str, object] | None = None
    tcp: Tcp | Mapping[str, object] | None = None
    flows: Sequence[str] | None = None
    resets: Sequence[str] | None = None
    retry: str | None = None
    on_handover: AtHandover | None = None
    move_time: str | None = None


@dataclass(kw_only=True, slots=True, repr=False)
class Record(TomlTable):
    """What a run records.

    Attributes:
        interval: Interval between samples of flows and links, or "off". Default "100 ms". At least 1 us.
        events: Whether a row is written for each loss, cut, phase change and path change. Default true.
        packets: Whether a row is written for every packet: true, false, or a table with a part of the run. Default
            false.
        pcap: Names of flows whose packets are captured (pcapng files in the folder `captures` of the run folder), at
            both hosts and at both sides of proxies that split the flow. If several flows share the name, all of them
            are captured; "NAME 2" means the second of them. Default: none.
        qlog: Names of TCP flows that write qlog files into the same folder. If proxies split the flow, there is one
            file for the sender of each part. Default: none.
        pcap_links: Names of links (as in tables) at whose ends packets are captured. All packets go into one file in
            the same folder, with one interface for each end. `*` matches any text, so "*" means every link. Only
            packets of the flows in `pcap` are captured. If `pcap` is empty, packets of all flows are captured. Default:
            none.
        ipv6: Whether captured packets have IPv6 headers instead of IPv4 headers. Default false.
        snap: Number of bytes that are kept of each captured packet. Default: only the headers are kept. From 80 B to
            65535 B.
    """

    interval: str | None = None
    events: bool | None = None
    packets: bool | Part | Mapping[str, object] | None = None
    pcap: Sequence[str] | None = None
    qlog: Sequence[str] | None = None
    pcap_links: Sequence[str] | None = None
    ipv6: bool | None = None
    snap: str | None = None


@dataclass(kw_only=True, slots=True, repr=False)
class Part(TomlTable):
    """A part of the run.

    Attributes:
        from_: Start of the part.
        to: End of the part.
    """

    from_: str
    to: str
