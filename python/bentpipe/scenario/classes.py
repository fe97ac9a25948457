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
Turns = Literal["bytes", "time"]
Unusable = Literal["refuse", "skip"]
WaitEstimate = Literal["timestamp", "rate"]


@dataclass(kw_only=True, slots=True, repr=False)
class Scenario(TomlDocument):
    """A scenario for Bentpipe: one network, its flows, what is recorded.

    Attributes:
        name: Title for people. Default "untitled".
        duration: How long the run lasts. Default "60 s". From 1 us to 30 d.
        seed: Root of all random streams. Default 1. At least 0.
        warm_up: Left out of means and counts at the start of the run. Default "0 s".
        network: The network: exactly one of constellation, dumbbell, chain, star, starlink.
        tcp: TCP settings of all flows.
        flows: The flows; at least one here or in `traffic`.
        traffic: Flows between many sites, written out one by one when the file is read.
        peps: Performance-enhancing proxies that split TCP connections (RFC 3135).
        record: What is recorded.
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
    """Exactly one of constellation, dumbbell, chain, star, starlink, or a preset that has it.

    Attributes:
        preset: A network by name (`bentpipe presets`). Other keys of the network take the place of its own: tables are
            merged key by key; lists, queues, losses, arq, jitter, dama, grants and budgets are taken whole; "off" takes
            away what the preset says there.
        constellation: Satellites.
        dumbbell: Two routers and a bottleneck between the sites "left" and "right".
        chain: Routers in a row: sites "0", "1", ….
        star: A hub and branches: the sites of the branches, and "hub".
        starlink: A path over Starlink between the sites "dish" and "server".
        announce: Flows are told of path changes so long before they happen. Default "0 s": when they happen. At most 1
            h.
        announce_error: The time that an announcement names is off by up to this, earlier or later, and the flow knows
            that bound. Default "0 s". At most 1 h.
        origin: In a resolved scenario the preset that the network came from.
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
        preset: A known constellation; the other keys change it.
        name: Name of a constellation that is no preset. Default "custom".
        catalogue: File of element sets (TLE, 3LE, OMM as JSON, CSV, XML or KVN), relative to the scenario's file. Of
            several sets of one object the one nearest to the start is used.
        start: Start of the run in UTC, RFC 3339, for a catalogue. Default: the newest epoch of the satellites that fly,
            at most 30 days after the median one.
        oldest: Sets of a catalogue whose epoch is farther from the start are left out. Default: none is. At most 3650
            d.
        unusable: Satellites of a catalogue that cannot be propagated: "refuse" the run or "skip" them. Default
            "refuse".
        objects: Which objects of a catalogue fly: "satellites" leaves out what names or fields declare not to be
            working satellites of the constellation (debris, rocket bodies, decayed, other owners'); "all" keeps every
            object. Default "satellites".
        shells: Several shells, instead of walker or catalogue.
        min_elevation: Sites above this elevation see a satellite. Default "25 deg" if there is no preset. From -5 deg
            to 90 deg.
        max_slant_range: Sites see satellites within this range, whatever their elevation (Hypatia's rule), instead of
            min_elevation.
        gso_exclusion: No site or gateway uses a satellite that it sees within this angle of the visible geostationary
            arc (the topocentric angle alpha of Rec. ITU-R S.1503). Default "0 deg": any. From 0 deg to 90 deg.
        access: Which of the satellites in view a site uses. Default: all, each path the one with the lowest delay.
        handover: What a switch from one satellite to another costs. Default: nothing.
        route_times: "steps": routes change at route steps; "events": also at the moments in between at which paths
            change, to a millisecond. Default "steps".
        gateways: Ground stations that relay, and lead to points of presence.
        pops: Where gateways meet the ground network.
        fibre_factor: Delay of fibre on the ground over that of light in vacuum along the great circle. Default 1.5.
            From 1.0 to 10.0.
        feeder: Between a satellite and a gateway, either way. Default: that of the preset, or else "10 Gbit/s" and "500
            packets".
        route_step: How often routes are computed anew. Default "10 s" if there is no preset. From 1 ms to 1 d.
        offset: The run begins this long after the epoch of the orbits: another moment, another sky. Default "0 s". From
            0 s to 365 d.
        in_flight: What happens to packets that wait for a link which goes away. Default "forward". One of "forward",
            "drop".
        isl_latitude_limit: Links between planes are off while either end is beyond this latitude. From 0 deg to 90 deg.
        cross_seam: Links across the seam of a Walker star. Default false.
        walker: A Walker shell.
        isl: Links between satellites, or false.
        user_link: Ground to satellite and back, if both are the same.
        uplink: Ground to satellite.
        downlink: Satellite to ground.
        shared: Links that share one transmitter, whose rate is that of the link. Default: each link has its own.
        beams: With what right beams share the total of their satellite. Default: all alike.
        sites: Places that flows may name besides the shipped list, or in its stead.
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
    """Satellites of one kind: walker or catalogue.

    Attributes:
        name: Name for people. Default: the constellation's and a number.
        walker: A Walker shell.
        catalogue: File of element sets, relative to the scenario's file.
    """

    name: str | None = None
    walker: Walker | Mapping[str, object] | None = None
    catalogue: str | None = None


@dataclass(kw_only=True, slots=True, repr=False)
class Walker(TomlTable):
    """A shell of satellites on circular orbits in evenly spaced planes.

    Attributes:
        planes: Orbital planes. From 1 to 1000.
        per_plane: Satellites in each plane. From 1 to 1000.
        altitude: Height above the equatorial radius. Not needed beside mean_motion, which says the same. At least 160
            km: lower circles are inside the atmosphere (the lowest that a satellite kept is 167.4 km, Tsubame in 2019).
            From 160 km to 100000 km.
        inclination: Inclination. From 0 deg to 180 deg.
        spacing: Angle between neighbouring ascending nodes: a Walker star. Without it: a delta, spread over 360
            degrees. From 0 deg to 360 deg.
        first_node: Longitude of the ascending node of the first plane at the start. Default "0 deg". From -360 deg to
            360 deg.
        phase: How far a plane runs ahead of the plane before it (Walker T/P/F: F * 360 / T). Default "0 deg". From -360
            deg to 360 deg.
        alternate_half_slot: Odd planes run half a slot ahead and `phase` is ignored. Default false.
        mean_motion: Revolutions per day, instead of altitude: the shell is propagated by SGP4 as mean elements.
            Default: circles. From 0.1 to 17.0.
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
        policy: Default "lowest-delay". One of "lowest-delay", "highest-elevation", "nearest", "longest-visible".
        slot: The choice is made anew only so often, or when the satellite sets. Default: at every route step. From 100
            ms to 1 d.
        phase: A boundary of slots: so long after the start of the run; of a catalogue, whose slots follow the clock of
            UTC, after 1970-01-01T00:00:00Z, that is the second of the minute if slots divide one. Default "0 s", of
            slots of 15 s over a catalogue "12 s": Starlink's :12, :27, :42 and :57. At most 1 d.
        hysteresis: At a boundary the satellite in use is kept if the best stands no more than this above it. Default "0
            deg". From 0 deg to 90 deg.
    """

    policy: Policy | None = None
    slot: str | None = None
    phase: str | None = None
    hysteresis: str | None = None


@dataclass(kw_only=True, slots=True, repr=False)
class Handover(TomlTable):
    """What a switch from one satellite to another costs.

    Attributes:
        outage: The new link carries nothing for so long. Default "0 s". At most 1 h.
        during: What happens to packets meanwhile: they wait ("hold") or are lost ("lose"). Default "hold".
    """

    outage: str | None = None
    during: During | None = None


@dataclass(kw_only=True, slots=True, repr=False)
class Gateway(TomlTable):
    """A ground station that relays.

    Attributes:
        name: Name.
        latitude: Geodetic latitude, north positive. Default: that of the city of this name. From -90 deg to 90 deg.
        longitude: Longitude, east positive. From -180 deg to 360 deg.
        altitude: Height over the ellipsoid, as of a site. From -500 m to 9 km.
        pop: Point of presence that it is wired to. Default: none, it only passes on from satellite to satellite.
        min_elevation: It uses satellites above this elevation. Default: as sites. From -5 deg to 90 deg.
        gso_exclusion: The angle that it keeps to the geostationary arc. Default: as sites. From 0 deg to 90 deg.
        mask: The skyline around it, as of a site.
        mask_file: File of that skyline, instead of `mask`; relative to the scenario's file.
        eirp: Power that it sends to the satellite, in place of `eirp` in the feeder's budget. From -100 dBW to 200 dBW.
        g_over_t: Its G/T, in place of `g_over_t` in the feeder's budget. From -100 dB/K to 100 dB/K.
        rain: Its rain, as of a site.
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
    """What of its rain is its own at one site or gateway.

    Where no budget of its links has rain, `rate_001` and `height` are needed.

    Attributes:
        rate_001: Rain rate exceeded for 0.01 % of an average year (ITU-R P.837). At most 300 mm/h.
        height: Height of the rain above the sea (ITU-R P.839). At most 10 km.
        probability: Share of the year in which it rains on the path. Default 0.05. From 0.001 to 0.5.
        cell: Places that name the same cell are in the same rain. Default: the budget's, or the place's own.
    """

    rate_001: str | None = None
    height: str | None = None
    probability: float | None = None
    cell: str | None = None


@dataclass(kw_only=True, slots=True, repr=False)
class Place(TomlTable):
    """A place on the ground.

    Attributes:
        name: Name.
        latitude: Geodetic latitude, north positive. Default: that of the city of this name. From -90 deg to 90 deg.
        longitude: Longitude, east positive. From -180 deg to 360 deg.
        altitude: Height over the ellipsoid, as of a site. From -500 m to 9 km.
    """

    name: str
    latitude: str | None = None
    longitude: str | None = None
    altitude: str | None = None


@dataclass(kw_only=True, slots=True, repr=False)
class MovingLink(TomlTable):
    """A link whose delay comes from the geometry.

    What it does not say is the preset's; without a preset it must say its rate, and its queue is "50 packets".

    Attributes:
        rate: Rate. Required if there is no preset. At least 1 bit/s.
        rate_steps: Rate over time, instead of rate, the same on every link of the kind: `[{ at = "0 s", rate = "50
            Mbit/s" }, { at = "15 s", rate = "20 Mbit/s" }]`.
        rate_by_elevation: Rate over the elevation of the satellite, instead of rate: `[["25 deg", "50 Mbit/s"], ["60
            deg", "150 Mbit/s"]]`. Linear in between, and beyond the ends as there.
        rate_by_range: Rate over the distance of the other end, instead of rate: `[["550 km", "150 Mbit/s"], ["1100 km",
            "50 Mbit/s"]]`.
        budget: Link budget, instead of rate, between a satellite and the ground: `down` of a downlink, `up` of an
            uplink, both of user_link and feeder. Elevation, distance and latitude are those of the sky; rain has a cell
            for each site or gateway, if none is named.
        rate_by_hour: Rate over the time of day; where the satellite's elevation or distance says a rate, too, the lower
            one holds.
        loss_by_elevation: Probability of loss over the elevation of the satellite, on top of `loss`: `[["25 deg",
            0.02], ["40 deg", 0.0]]`.
        loss_by_range: Probability of loss over the distance of the other end, on top of `loss`: `[["600 km", 0.0],
            ["1100 km", 0.02]]`.
        delay_by_elevation: Delay of one way over the elevation of the satellite, on top of the path's: `[["25 deg", "8
            ms"], ["60 deg", "2 ms"]]`.
        delay_by_range: Delay of one way over the distance of the other end, on top of the path's: `[["600 km", "0 ms"],
            ["1100 km", "4 ms"]]`.
        loss_by_hour: Probability of loss over the time of day, on top of `loss`.
        delay_by_hour: Delay of one way over the time of day, on top of the path's.
        trace: Mahimahi trace of deliveries, instead of rate: a file, relative to the scenario's.
        delay_trace: File of one-way delays on top of the link's own (LeoReplayer's), one in whole milliseconds for each
            10 ms; relative to the scenario's file.
        path_trace: Rate, delay and loss over time: a CSV file with the columns time_s and at least one of rate_mbit_s,
            delay_ms (one way) and loss_ratio, relative to the scenario's. Each row holds until the next. Its rate goes
            before `rate`, its delay is on top of the link's own, its loss on top of `loss`.
        trace_end: What follows where a trace ends: it begins again ("wrap"), its last value holds ("hold"), or the link
            carries nothing any more ("stop"). Default "wrap", of path_trace "hold"; deliveries cannot hold.
        queue: Queue in front of the link. What it is by default stands in the description of the table.
        loss: Loss on the way. Default: none.
        arq: What arrives broken is repeated by the link: losses become delay. Default: nothing is.
        policer: A token bucket before the queue that drops what is out of profile, and delays nothing. Default: none.
        ecn_bleach: A middlebox before the queue clears the ECN field of all packets: queues from here on drop where
            they would mark, and marks from before are lost. Default false.
        extra_delay: Delay on top over time: `[{ at = "20 s", delay = "5 ms" }, { at = "40 s", delay = "0 s" }]`.
            Default: none.
        jitter: Random delay on top, drawn for each packet by itself. Default: none.
        reorder: Packets may overtake each other when the delay shrinks, or by their jitter. Default false: a packet
            waits for the one before it.
        warn_above: Data is marked with a congestion warning (TCP-Jersey) while the mean queue is above so many packets.
            Default: never. From 0.0 to 1000000000.0.
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
    policer: Policer | Mapping[str, object] | None = None
    ecn_bleach: bool | None = None
    extra_delay: Sequence[DelayStep | Mapping[str, object]] | None = None
    jitter: Jitter | Mapping[str, object] | None = None
    reorder: bool | None = None
    warn_above: float | None = None


@dataclass(kw_only=True, slots=True, repr=False)
class RateStep(TomlTable):
    """From a time on, a rate.

    Attributes:
        at: When it begins.
        rate: Rate; zero pauses.
        ramp_to: Until the next one the rate moves linearly to this. Default: it stays.
    """

    at: str
    rate: str
    ramp_to: str | None = None


@dataclass(kw_only=True, slots=True, repr=False)
class Budget(TomlTable):
    """A link budget: from power over noise and the weather to modulation and code, and so to a rate, that of the data
    in DVB's baseband frames.

    Frames that cannot be decoded are lost with all packets in them.

    Attributes:
        bandwidth: Bandwidth of the carrier. From 1 kHz to 10 GHz.
        roll_off: Roll-off of its filter; its symbol rate is the bandwidth over one plus this. Default 0.2. From 0.0 to
            1.0.
        modcods: Modulations and codes of the modem. Default "dvb-s2x". One of "dvb-s2", "dvb-s2x".
        margin: Kept above the threshold of a modulation and code: implementation, estimation, scintillation. Default "1
            dB". From 0 dB to 20 dB.
        hysteresis: A higher rate is taken up only with so much more. Default "0.3 dB". From 0 dB to 20 dB.
        reaction: From a change of the weather to the change of modulation and code; what does not decode meanwhile is
            lost. Default "600 ms", on user links of a constellation "50 ms" (an assumption). At most 1 min.
        down: From the satellite to a station. Needed but on an uplink.
        up: From a station to the satellite, which is transparent and holds its power. Default: its noise does not
            count. On an uplink over a constellation, whose satellites pass data on, it is all there is.
    """

    bandwidth: str
    roll_off: float | None = None
    modcods: Ladder | None = None
    margin: str | None = None
    hysteresis: str | None = None
    reaction: str | None = None
    down: Hop | Mapping[str, object] | None = None
    up: Hop | Mapping[str, object] | None = None


@dataclass(kw_only=True, slots=True, repr=False)
class Hop(TomlTable):
    """One way between a station and a satellite.

    Attributes:
        frequency: Frequency; the recommendations on rain and scintillation end at 55 GHz. From 1 GHz to 55 GHz.
        eirp: Power of the carrier with the gain of the transmitting antenna. From -100 dBW to 200 dBW.
        g_over_t: Gain of the receiving antenna over its noise temperature, in clear sky. From -100 dB/K to 100 dB/K.
        satellite: Longitude of a geostationary satellite, east; with the station's it says elevation and distance. From
            -180 deg to 180 deg.
        latitude: Latitude of the station. Needed by `satellite` and `rain`. From -90 deg to 90 deg.
        longitude: Longitude of the station, east. Needed by `satellite`. From -180 deg to 180 deg.
        elevation: Elevation of the satellite at the station, instead of `satellite`; the recommendations begin at 5°.
            From 5 deg to 90 deg.
        range: Distance of the satellite. Default: of a geostationary one. From 100 km to 1000000 km.
        altitude: Height of the station above the sea. Default "0 m". At most 9 km.
        losses: Pointing, polarisation, feed. Default "0 dB". From 0 dB to 100 dB.
        c_over_i: Carrier over interference of other beams, other satellites and other carriers. It stays the same in
            rain. Default: none. From -20 dB to 100 dB.
        noise_temperature: Noise temperature of a receiving station in clear sky, to which the rain's own noise comes.
            Default: rain adds none. From 10 K to 10000 K.
        antenna: Diameter of the station's antenna. Default: nothing scintillates. From 0.05 m to 100 m.
        sky: The air at the station. Default: the standard atmosphere, no clouds.
        rain: Its rain. Default: none.
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
    """Weather of a station besides its rain.

    Attributes:
        temperature: Temperature. Default "288.15 K". From 200 K to 340 K.
        pressure: Pressure, that of the water vapour included. Default "1013.25 hPa". From 300 hPa to 1100 hPa.
        vapour: Water vapour. Default "7.5 g/m3". At most 50 g/m3.
        cloud: Liquid water of the clouds on a vertical path. Default "0 kg/m2". At most 10 kg/m2.
        wet_refractivity: Wet term of the radio refractivity (ITU-R P.453), which makes scintillation. Default 50. From
            0.0 to 300.0.
    """

    temperature: str | None = None
    pressure: str | None = None
    vapour: str | None = None
    cloud: str | None = None
    wet_refractivity: float | None = None


@dataclass(kw_only=True, slots=True, repr=False)
class Rain(TomlTable):
    """Rain of a station.

    Attributes:
        rate_001: Rain rate exceeded for 0.01 % of an average year (ITU-R P.837): "28 mm/h" in Frankfurt, "100 mm/h" in
            Singapore. At most 300 mm/h.
        height: Height of the rain above the sea, that of 0 °C and 360 m (ITU-R P.839): "3 km" in Central Europe, "5 km"
            in the tropics. At most 10 km.
        tilt: Tilt of the polarisation against the horizontal: "0 deg" horizontal, "90 deg" vertical, "45 deg" circular.
            Default "45 deg". From 0 deg to 90 deg.
        probability: Share of the year in which it rains on the path (ITU-R P.837, P.618). Only runs need it. Default
            0.05. From 0.001 to 0.5.
        start: Attenuation at the start of a run. Default: drawn, as at any time of the year. From 0.001 dB to 100 dB.
        cell: Hops that name the same cell are in the same rain. Default: the hop's own.
    """

    rate_001: str
    height: str
    tilt: str | None = None
    probability: float | None = None
    start: str | None = None
    cell: str | None = None


@dataclass(kw_only=True, slots=True, repr=False)
class ByHour(TomlTable):
    """A rate over the time of day.

    Attributes:
        clock: Whose time of day: that of "UTC", or "local" mean solar time of the place on the ground, four minutes
            later for each degree east. Of plain networks and links of hosts "UTC".
        start: Time of day in UTC when the run begins. Needed where no satellites have a date: with a Walker shell, in
            plain networks, on links of hosts. At most 1 d.
        rates: Times of day and rates: `[["6 h", "150 Mbit/s"], ["20 h", "60 Mbit/s"]]`. Linear in between, around
            midnight too.
    """

    clock: Clock
    start: str | None = None
    rates: Sequence[Sequence[str | float]]


@dataclass(kw_only=True, slots=True, repr=False)
class LossByHour(TomlTable):
    """A loss over the time of day.

    Attributes:
        clock: Whose time of day, as of a rate. One of "UTC", "local".
        start: Time of day in UTC when the run begins, as of a rate. At most 1 d.
        losses: Times of day and probabilities that a packet is lost: `[["6 h", 0.0], ["20 h", 0.01]]`. Linear in
            between, around midnight too.
    """

    clock: Clock
    start: str | None = None
    losses: Sequence[Sequence[str | float]]


@dataclass(kw_only=True, slots=True, repr=False)
class DelayByHour(TomlTable):
    """A delay over the time of day.

    Attributes:
        clock: Whose time of day, as of a rate. One of "UTC", "local".
        start: Time of day in UTC when the run begins, as of a rate. At most 1 d.
        delays: Times of day and delays of one way: `[["6 h", "0 ms"], ["20 h", "5 ms"]]`. Linear in between, around
            midnight too.
    """

    clock: Clock
    start: str | None = None
    delays: Sequence[Sequence[str | float]]


@dataclass(kw_only=True, slots=True, repr=False)
class Queue(TomlTable):
    """A queue with its discipline.

    Packets of a flow with ECN (`ecn` in its table `tcp`) are marked where a discipline says dropped; "drop-front",
    "priority" and "drr" mark what `mark_above` says, and nothing without it.

    Attributes:
        discipline: Who goes next, and what is dropped or marked: "codel", for example. One of "drop-tail", "codel",
            "fq-codel", "threshold", "red", "pie", "dualpi2", "drop-front", "priority", "drr".
        limit: How much may wait. Default: "1000 packets" of CoDel and PIE, "10240 packets" of FQ-CoDel, "250 ms" of
            DualPI2; of others what the link has without this key.
        target: CoDel, FQ-CoDel, PIE, DualPI2: a wait that may stand. Default "5 ms" of CoDel and FQ-CoDel, "15 ms" of
            PIE and of DualPI2's classic queue. From 1 us to 1 h.
        interval: CoDel, FQ-CoDel: packets are dropped once waits were above the target for so long; about a round trip
            (RFC 8289, section 4.3). Default "100 ms". From 1 us to 1 h.
        ce_threshold: CoDel, FQ-CoDel: what waited longer than this is marked when it leaves, besides what CoDel marks;
            what cannot be marked is left alone. Default: nothing is. From 0 s to 1 h.
        ce_threshold_of: Whom `ce_threshold` marks: "all" that can be marked, or "ect1", packets of L4S alone. Default
            "all".
        flows: FQ-CoDel: how many queues there may be; no two senders share one before there are more of them. Default
            1024. From 1 to 65536.
        quantum: FQ-CoDel, DRR: what a queue may send in its turn. Default "1514 B". From 64 B to 65535 B.
        mark_above: Threshold, priority, DRR: a packet that finds more than this waiting is marked, of its own class
            under priority, of its own sender under DRR. Drop-front: one that leaves with more than this behind it. As a
            time, all four: one that waited longer, when it leaves. Default "0.15 BDP" of threshold (DCTCP needs a
            seventh); the others mark nothing.
        min_threshold: RED: with a mean queue below this nothing is dropped. Packets, bytes, a time or BDP, as
            `max_threshold`. Default: a third of that, or "5 packets".
        max_threshold: RED: from this mean queue on everything is dropped, or, gentle, from twice as much on. Default:
            three times `min_threshold`.
        weight: RED: weight of a new sample in the mean queue. Default 0.002. From 1e-09 to 1.0.
        max_p: RED: probability of a drop at a mean queue of `max_threshold`. Default 0.1. From 1e-09 to 1.0.
        gentle: RED: from `max_threshold` to twice as much the probability grows to 1, instead of being 1 at once.
            Default true.
        update: PIE: so often the probability of a drop is reckoned. Default "15 ms". From 1 us to 1 min.
        burst: PIE: so long nothing is dropped after the queue was short. Default "150 ms". At most 1 h.
        alpha: PIE: by how much a second of wait above the target raises the probability in one step, before it is
            scaled. Default 0.125. From 1e-09 to 1000000.0.
        beta: PIE: by how much a wait that has grown by a second raises it. Default 1.25. From 1e-09 to 1000000.0.
        mark_below: PIE: from this probability on what could be marked is dropped too. Default 0.1. From 0.0 to 1.0.
        estimate: PIE: how the wait is known: "timestamp" of the packet that left last, or "rate", at which packets
            leave. Default "timestamp".
        rtt_max: DualPI2: the longest round trip expected; how fast probabilities move follows from it. Default "100
            ms". From 1 us to 1 h.
        coupling: DualPI2: L4S is marked with so many times the root of the probability with which others are dropped.
            Default 2. From 1.0 to 100.0.
        ramp_from: DualPI2: what of L4S waited longer than this may be marked for that alone. Default "800 us". At most
            1 h.
        ramp_range: DualPI2: after so much more it always is, in between with a share that grows. "0 s" is a step.
            Default "400 us". At most 1 h.
        scheduler: DualPI2: who goes next, "wrr" (by bytes in turn) or "time-shifted" (who waited longest; L4S counts
            for more). Default "wrr".
        classic_share: DualPI2, "wrr": share of the classic queue where both have packets. Default 0.0625. From 0.001 to
            0.999.
        time_shift: DualPI2, "time-shifted": for so much more a packet of L4S counts. Default "50 ms". At most 1 h.
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
    max_p: float | None = None
    gentle: bool | None = None
    update: str | None = None
    burst: str | None = None
    alpha: float | None = None
    beta: float | None = None
    mark_below: float | None = None
    estimate: WaitEstimate | None = None
    rtt_max: str | None = None
    coupling: float | None = None
    ramp_from: str | None = None
    ramp_range: str | None = None
    scheduler: SchedulerWord | None = None
    classic_share: float | None = None
    time_shift: str | None = None


@dataclass(kw_only=True, slots=True, repr=False)
class Loss(TomlTable):
    """Loss on the way, one of `per`, `ber`, `bursts`, `chain`, `netem`, `land_mobile` and `two_state`; loss over time
    on top, `steps`; and loss by a list, before the queue: `packets` and `spans`.

    Attributes:
        per: Probability that a packet is lost. From 0.0 to 1.0.
        ber: Probability that a bit is wrong; a packet with a wrong bit is lost. From 0.0 to 1.0.
        bursts: Losses come in bursts (Gilbert-Elliott).
        chain: States that last for a while, each with a loss of its own (a Markov chain in continuous time).
        netem: The four states of netem's `loss state`, which move with each packet.
        land_mobile: Stretches of clear view and of shadow on the way of a vehicle.
        two_state: GOOD and BAD stretches on the way of a vehicle, as ITU-R P.681 has them.
        steps: Loss over time, on top of the others: `[{ at = "20 s", per = 1e-2 }, { at = "40 s", per = 0.0 }]`; none
            before the first.
        packets: Which data packets are lost when they come to the link, before its queue: their numbers, rising, in the
            order in which they come, over all flows, repeated ones included; the first is 1. Packets without payload
            (ACKs, probes) neither count nor are lost. Their true cause is "error".
        period: The list `packets` begins again after so many data packets; at least its last number. Default: never. At
            least 1.
        spans: From the one time on and before the other every packet that comes to the link is lost, set-up and ACKs
            too: `[["20 s", "22 s"], ["40 s", "41 s"]]`. Their true cause is "outage".
    """

    per: float | None = None
    ber: float | None = None
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
    """A chain of a good state without loss and a bad one, which moves once every `bin`.

    Attributes:
        to_bad: Probability of a step from good to bad. From 0.0 to 1.0.
        to_good: Probability of a step from bad to good. From 0.0 to 1.0.
        loss: Probability that a packet is lost in the bad state. From 0.0 to 1.0.
        bin: Time between two steps. Default "100 ms". From 1 us to 1 h.
    """

    to_bad: float
    to_good: float
    loss: float
    bin: str | None = None


@dataclass(kw_only=True, slots=True, repr=False)
class LossChain(TomlTable):
    """A Markov chain in continuous time, the same in every run with the same seed, whatever traffic there is.

    It begins in its stationary state.

    Attributes:
        states: The states, 2 to 16. Every one must lead to every other, if by way of others.
    """

    states: Sequence[LossState | Mapping[str, object]]


@dataclass(kw_only=True, slots=True, repr=False)
class LossState(TomlTable):
    """A state of a chain of losses.

    Attributes:
        lasts: Mean of the time for which it lasts, exponentially distributed. From 1 us to 1000 h.
        loss: Probability that a packet is lost in it. Default 0. From 0.0 to 1.0.
        next: Probabilities of each state to be the next one, in the order of the states, 0.0 of itself. Default, with
            two states: the other one.
    """

    lasts: str
    loss: float | None = None
    next: Sequence[float] | None = None


@dataclass(kw_only=True, slots=True, repr=False)
class Netem(TomlTable):
    """netem's `loss state P13 P31 P32 P23 P14`, as probabilities and not in percent: state 1 receives, 3 loses in a
    burst, 2 receives within a burst, 4 loses a single packet.

    Attributes:
        p13: From reception into a burst of losses. From 0.0 to 1.0.
        p31: From a burst of losses back to reception. Default 1 - p13: single losses, independent of each other. From
            0.0 to 1.0.
        p32: From loss to reception within a burst. Default 0. From 0.0 to 1.0.
        p23: From reception to loss within a burst. Default 1. From 0.0 to 1.0.
        p14: From reception to a single loss. Default 0. From 0.0 to 1.0.
    """

    p13: float
    p31: float | None = None
    p32: float | None = None
    p23: float | None = None
    p14: float | None = None


@dataclass(kw_only=True, slots=True, repr=False)
class LandMobile(TomlTable):
    """A vehicle on its way through stretches with a clear view of the satellite and stretches in shadow (Lutz and
    others 1991).

    Powers are those over the direct path. Both directions of a link between the same two nodes meet the same stretches.

    Attributes:
        speed: How fast the vehicle drives. From 0.1 m/s to 1000 m/s.
        margin: So much more than is needed arrives over the direct path alone; what falls below is lost. From -20 dB to
            60 dB.
        good: Stretches with a clear view.
        bad: Stretches in shadow.
    """

    speed: str
    margin: str
    good: GoodStretch | Mapping[str, object]
    bad: BadStretch | Mapping[str, object]


@dataclass(kw_only=True, slots=True, repr=False)
class GoodStretch(TomlTable):
    """Stretches with a clear view of the satellite: the direct path and its echoes (Rice).

    Attributes:
        lasts: Mean length, exponentially distributed. From 0.01 m to 1000 km.
        rice_factor: Power of the direct path over that of its echoes: Lutz' c. From -20 dB to 30 dB.
    """

    lasts: str
    rice_factor: str


@dataclass(kw_only=True, slots=True, repr=False)
class BadStretch(TomlTable):
    """Stretches in shadow: echoes alone (Rayleigh), with a log-normal mean power that is drawn for each stretch.

    Attributes:
        lasts: Mean length, exponentially distributed. From 0.01 m to 1000 km.
        mean: Mean of the mean power: Lutz' mu. From -60 dB to 20 dB.
        deviation: Standard deviation of the mean power: Lutz' sigma. From 0 dB to 20 dB.
    """

    lasts: str
    mean: str
    deviation: str


@dataclass(kw_only=True, slots=True, repr=False)
class TwoState(TomlTable):
    """A vehicle on its way through the two states of ITU-R P.681 (section 6): GOOD and BAD stretches of log-normal
    length, in each Loo's distribution about a level that is drawn for it.

    Levels are those over an unobstructed path. Both directions of a link between the same two nodes meet the same
    stretches and levels.

    Attributes:
        speed: How fast the vehicle drives. From 0.1 m/s to 1000 m/s.
        margin: So much more than is needed arrives over an unobstructed path; what falls below is lost. From -20 dB to
            60 dB.
        surroundings: Both states as the tables of P.681 (1.5 to 3 GHz) have them, with the elevation of the satellite
            in degrees. Without it `good` and `bad` must be there; one that is there stands instead. One of "urban-20",
            "urban-30", "urban-45", "urban-60", "suburban-20", "suburban-30", "suburban-45", "suburban-60",
            "rural-wooded-20", "rural-wooded-30", "rural-wooded-45", "rural-wooded-60", "rural-wooded-70".
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
        log_mean: Mean of the natural logarithm of a stretch's length in metres: mu. From -7.0 to 14.0.
        log_deviation: Standard deviation of that logarithm: sigma. From 0.0 to 4.0.
        shortest: No stretch is shorter: dur_min. From 0.01 m to 1000 km.
        level: Mean, over the stretches, of the direct path's mean level M_A: mu_MA. From -60 dB to 20 dB.
        level_deviation: Standard deviation, over the stretches, of M_A: sigma_MA. From 0 dB to 20 dB.
        level_between: M_A is drawn between the levels below which it lies with these two probabilities: p_min and
            p_max. Default [0.0, 1.0].
        echoes: Mean power of the echoes, MP = h1 M_A + h2 dB: h1 and h2.
        direct: Standard deviation of the direct path's level within a stretch, Sigma_A = g1 M_A + g2 dB, 0 where that
            is negative: g1 and g2.
        correlation: Distance after which the level of the direct path is forgotten to 1/e: L_corr. From 0.1 m to 1000
            km.
    """

    log_mean: float
    log_deviation: float
    shortest: str
    level: str
    level_deviation: str
    level_between: Sequence[float] | None = None
    echoes: Sequence[float]
    direct: Sequence[float]
    correlation: str


@dataclass(kw_only=True, slots=True, repr=False)
class LossStep(TomlTable):
    """From a time on, a probability of loss.

    Attributes:
        at: When it begins.
        per: Probability that a packet is lost. From 0.0 to 1.0.
        ramp_to: Until the next one the probability moves linearly to this. Default: it stays. From 0.0 to 1.0.
    """

    at: str
    per: float
    ramp_to: float | None = None


@dataclass(kw_only=True, slots=True, repr=False)
class Arq(TomlTable):
    """Selective repeat on the link: a frame (a packet) that arrives broken is sent again, and what comes behind it
    waits, unless the link may `reorder`.

    Repetitions take the link's time; requests for them are never lost.

    Attributes:
        repeats: A frame is sent again so many times at most; then it is lost. From 1 to 64.
        delay: From one transmission of a frame to the next. Default: the link's propagation delay, there and back. From
            1 us to 1 min.
    """

    repeats: int
    delay: str | None = None


@dataclass(kw_only=True, slots=True, repr=False)
class Policer(TomlTable):
    """A policer of one rate (RFC 2697 with one bucket): a packet passes if the bucket holds its bytes, and takes them
    out; else it is dropped.

    The bucket is full when the run begins; nothing waits for it.

    Attributes:
        rate: Rate at which the bucket fills: what passes in the long run, in bytes of IP packets as the link's own
            rate. At least 1 bit/s.
        burst: What the bucket holds, and so what passes at once after silence: at least the largest packet of the
            flows. From 64 B to 1 GB.
    """

    rate: str
    burst: str


@dataclass(kw_only=True, slots=True, repr=False)
class DelayStep(TomlTable):
    """From a time on, a delay on top of that of the path.

    Attributes:
        at: When it begins.
        delay: Delay of one way. At most 1 h.
        ramp_to: Until the next one the delay moves linearly to this. Default: it stays. At most 1 h.
    """

    at: str
    delay: str
    ramp_to: str | None = None


@dataclass(kw_only=True, slots=True, repr=False)
class Jitter(TomlTable):
    """The distribution of a random delay: one of them.

    Attributes:
        uniform: Anything from zero to this, each as likely. At most 1 min.
        normal: Normal; what is below zero is drawn again.
        log_normal: Log-normal.
    """

    uniform: str | None = None
    normal: NormalJitter | Mapping[str, object] | None = None
    log_normal: LogNormalJitter | Mapping[str, object] | None = None


@dataclass(kw_only=True, slots=True, repr=False)
class NormalJitter(TomlTable):
    """A normal distribution that is cut off at zero: its own mean and deviation are those of what is not cut off.

    Attributes:
        mean: Mean before the cut. At most 1 min.
        deviation: Standard deviation before the cut. At most 1 min.
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
    """Links between satellites.

    What they do not say is the preset's; without a preset they must say their rate, and their queue is "50 packets".

    Attributes:
        rate: Rate. Required if there is no preset. At least 1 bit/s.
        rate_steps: Rate over time, instead of rate, the same on every link of the kind: `[{ at = "0 s", rate = "50
            Mbit/s" }, { at = "15 s", rate = "20 Mbit/s" }]`.
        rate_by_elevation: Rate over the elevation of the satellite, instead of rate: `[["25 deg", "50 Mbit/s"], ["60
            deg", "150 Mbit/s"]]`. Linear in between, and beyond the ends as there.
        rate_by_range: Rate over the distance of the other end, instead of rate: `[["550 km", "150 Mbit/s"], ["1100 km",
            "50 Mbit/s"]]`.
        budget: Link budget, instead of rate, between a satellite and the ground: `down` of a downlink, `up` of an
            uplink, both of user_link and feeder. Elevation, distance and latitude are those of the sky; rain has a cell
            for each site or gateway, if none is named.
        rate_by_hour: Rate over the time of day; where the satellite's elevation or distance says a rate, too, the lower
            one holds.
        loss_by_elevation: Probability of loss over the elevation of the satellite, on top of `loss`: `[["25 deg",
            0.02], ["40 deg", 0.0]]`.
        loss_by_range: Probability of loss over the distance of the other end, on top of `loss`: `[["600 km", 0.0],
            ["1100 km", 0.02]]`.
        delay_by_elevation: Delay of one way over the elevation of the satellite, on top of the path's: `[["25 deg", "8
            ms"], ["60 deg", "2 ms"]]`.
        delay_by_range: Delay of one way over the distance of the other end, on top of the path's: `[["600 km", "0 ms"],
            ["1100 km", "4 ms"]]`.
        loss_by_hour: Probability of loss over the time of day, on top of `loss`.
        delay_by_hour: Delay of one way over the time of day, on top of the path's.
        trace: Mahimahi trace of deliveries, instead of rate: a file, relative to the scenario's.
        delay_trace: File of one-way delays on top of the link's own (LeoReplayer's), one in whole milliseconds for each
            10 ms; relative to the scenario's file.
        path_trace: Rate, delay and loss over time: a CSV file with the columns time_s and at least one of rate_mbit_s,
            delay_ms (one way) and loss_ratio, relative to the scenario's. Each row holds until the next. Its rate goes
            before `rate`, its delay is on top of the link's own, its loss on top of `loss`.
        trace_end: What follows where a trace ends: it begins again ("wrap"), its last value holds ("hold"), or the link
            carries nothing any more ("stop"). Default "wrap", of path_trace "hold"; deliveries cannot hold.
        queue: Queue in front of the link. What it is by default stands in the description of the table.
        loss: Loss on the way. Default: none.
        arq: What arrives broken is repeated by the link: losses become delay. Default: nothing is.
        policer: A token bucket before the queue that drops what is out of profile, and delays nothing. Default: none.
        ecn_bleach: A middlebox before the queue clears the ECN field of all packets: queues from here on drop where
            they would mark, and marks from before are lost. Default false.
        extra_delay: Delay on top over time: `[{ at = "20 s", delay = "5 ms" }, { at = "40 s", delay = "0 s" }]`.
            Default: none.
        jitter: Random delay on top, drawn for each packet by itself. Default: none.
        reorder: Packets may overtake each other when the delay shrinks, or by their jitter. Default false: a packet
            waits for the one before it.
        warn_above: Data is marked with a congestion warning (TCP-Jersey) while the mean queue is above so many packets.
            Default: never. From 0.0 to 1000000000.0.
        pattern: "grid": neighbours in the plane and in the planes beside it; "nearest": the nearest pairs that have a
            terminal free. Default "grid".
        terminals: Nearest: terminals of a satellite. Default 4. From 1 to 16.
        pairs: These links and no others, as pairs of satellites numbered from 0, instead of a pattern.
        shift: Grid: satellite j of a plane is linked with satellite j + shift of the next. Default: with the nearest in
            the mean. From -1000 to 1000.
        inter_shell: Each satellite is also linked with the nearest free one of another shell. Default false.
        intra_plane: Grid: links to the two neighbours in the plane. Default true.
        inter_plane: Grid: links to one satellite of each neighbouring plane. Default true.
        max_range: No link longer than this. Default "unlimited".
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
    """A link between a site and its satellites; how the site comes to send is of the way up.

    What it does not say is the preset's; without a preset it must say its rate, and its queue is "50 packets".

    Attributes:
        rate: Rate. Required if there is no preset. At least 1 bit/s.
        rate_steps: Rate over time, instead of rate, the same on every link of the kind: `[{ at = "0 s", rate = "50
            Mbit/s" }, { at = "15 s", rate = "20 Mbit/s" }]`.
        rate_by_elevation: Rate over the elevation of the satellite, instead of rate: `[["25 deg", "50 Mbit/s"], ["60
            deg", "150 Mbit/s"]]`. Linear in between, and beyond the ends as there.
        rate_by_range: Rate over the distance of the other end, instead of rate: `[["550 km", "150 Mbit/s"], ["1100 km",
            "50 Mbit/s"]]`.
        budget: Link budget, instead of rate, between a satellite and the ground: `down` of a downlink, `up` of an
            uplink, both of user_link and feeder. Elevation, distance and latitude are those of the sky; rain has a cell
            for each site or gateway, if none is named.
        rate_by_hour: Rate over the time of day; where the satellite's elevation or distance says a rate, too, the lower
            one holds.
        loss_by_elevation: Probability of loss over the elevation of the satellite, on top of `loss`: `[["25 deg",
            0.02], ["40 deg", 0.0]]`.
        loss_by_range: Probability of loss over the distance of the other end, on top of `loss`: `[["600 km", 0.0],
            ["1100 km", 0.02]]`.
        delay_by_elevation: Delay of one way over the elevation of the satellite, on top of the path's: `[["25 deg", "8
            ms"], ["60 deg", "2 ms"]]`.
        delay_by_range: Delay of one way over the distance of the other end, on top of the path's: `[["600 km", "0 ms"],
            ["1100 km", "4 ms"]]`.
        loss_by_hour: Probability of loss over the time of day, on top of `loss`.
        delay_by_hour: Delay of one way over the time of day, on top of the path's.
        trace: Mahimahi trace of deliveries, instead of rate: a file, relative to the scenario's.
        delay_trace: File of one-way delays on top of the link's own (LeoReplayer's), one in whole milliseconds for each
            10 ms; relative to the scenario's file.
        path_trace: Rate, delay and loss over time: a CSV file with the columns time_s and at least one of rate_mbit_s,
            delay_ms (one way) and loss_ratio, relative to the scenario's. Each row holds until the next. Its rate goes
            before `rate`, its delay is on top of the link's own, its loss on top of `loss`.
        trace_end: What follows where a trace ends: it begins again ("wrap"), its last value holds ("hold"), or the link
            carries nothing any more ("stop"). Default "wrap", of path_trace "hold"; deliveries cannot hold.
        queue: Queue in front of the link. What it is by default stands in the description of the table.
        loss: Loss on the way. Default: none.
        arq: What arrives broken is repeated by the link: losses become delay. Default: nothing is.
        policer: A token bucket before the queue that drops what is out of profile, and delays nothing. Default: none.
        ecn_bleach: A middlebox before the queue clears the ECN field of all packets: queues from here on drop where
            they would mark, and marks from before are lost. Default false.
        extra_delay: Delay on top over time: `[{ at = "20 s", delay = "5 ms" }, { at = "40 s", delay = "0 s" }]`.
            Default: none.
        jitter: Random delay on top, drawn for each packet by itself. Default: none.
        reorder: Packets may overtake each other when the delay shrinks, or by their jitter. Default false: a packet
            waits for the one before it.
        warn_above: Data is marked with a congestion warning (TCP-Jersey) while the mean queue is above so many packets.
            Default: never. From 0.0 to 1000000000.0.
        dama: Demand assignment as in DVB-RCS2: the terminal asks for capacity and sends in what it is granted. Needs a
            rate; one that changes holds for whole superframes. One way: of a dumbbell from left to right (`reverse` has
            its own), of a chain to the higher number, of a branch to the hub, of a site to its satellite (where each
            satellite is asked anew).
        grants: Moments of a shared medium at which all that is ready leaves: the uplink of Starlink. One way, as
            `dama`, and instead of it.
        acks: Acknowledgements that wait are thinned, or are compressed on the wire (RFC 3449, section 5). Of a
            drop-tail queue. One way, as `dama`.
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

    At the start of each superframe the terminal asks; what it is granted lies at the beginning of a superframe. At
    least one of cra, rbdc, vbdc and fca; capacity is handed out in this order.

    Attributes:
        carrier: Name of a carrier of `network.star.carriers` that the terminal shares with others, of a branch.
            Superframe, latency and rate are the carrier's then; the branch's own rate is that of the way back. Default:
            a carrier of its own.
        rate: What it sends at in its slots of a carrier that it shares, at most the carrier's rate: its own modulation
            and code. For the same bytes it needs more of the carrier's time. Only with `carrier`. Default: the
            carrier's rate. At least 1 bit/s.
        rate_steps: The same over time, instead of rate: `[{ at = "0 s", rate = "2 Mbit/s" }, { at = "60 s", rate = "500
            kbit/s" }]`.
        budget: Link budget of the way up, instead of rate.
        superframe: Length of a superframe. Needed without `carrier`. From 5 ms to 10 s.
        latency: From a request to its grant, rounded up to whole superframes: a round trip of the satellite and the
            reckoning. Needed without `carrier`. At most 10 s.
        cra: Constant rate assignment: capacity without asking. Default: none. At least 1 bit/s.
        rbdc: Rate-based dynamic capacity: the terminal asks for the rate of what came during the last superframe, up to
            this. Default: it does not ask. At least 1 bit/s.
        vbdc: Volume-based dynamic capacity: the terminal asks for the bytes that wait, and is given them up to this
            rate. Default: it does not ask. At least 1 bit/s.
        fca: Free capacity assignment: the share of what nobody asked for that the terminal is given. Default 0. From
            0.0 to 1.0.
        random_access: While nothing is granted the terminal sends without asking, in slots that others use as well. Not
            with cra or fca, which always grant something. Default: it waits for its grant.
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
    fca: float | None = None
    random_access: RandomAccess | Mapping[str, object] | None = None


@dataclass(kw_only=True, slots=True, repr=False)
class RandomAccess(TomlTable):
    """Random access.

    Each superframe has slots for it; a burst is lost where another is sent in its slot. What is not received is sent
    again after the latency and a back-off, or in what is granted by then.

    Attributes:
        scheme: "slotted-aloha": a burst is sent once. "crdsa": it is sent several times, and where one of them is
            received the others are taken out of their slots, so that more are (successive interference cancellation).
        replicas: CRDSA: so many times a burst is sent in a superframe. Default 2. From 2 to 8.
        slots: Slots of a superframe. Default 64. From 1 to 10000.
        load: Bursts that all other terminals offer in a slot, in the mean: G of the closed form S = G exp(-G). From 0.0
            to 10.0.
        burst: Bytes of a burst. From 1 B to 65535 B.
        bursts: The most bursts that the terminal sends in a superframe. Default 1. From 1 to 1000.
        back_off: After a burst that was not received the terminal waits for up to so many superframes more, uniformly.
            Default 8. From 0 to 10000.
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
    """Moments at which all that has been sent at the link's rate leaves; the first at the start of the run.

    Attributes:
        period: From one to the next. From 100 us to 10 s.
        long_period: From one to the next, of a share of them. Default: all are one period apart. From 100 us to 10 s.
        long_share: That share, drawn anew each time. From 0.0 to 1.0.
    """

    period: str
    long_period: str | None = None
    long_share: float | None = None


@dataclass(kw_only=True, slots=True, repr=False)
class Acks(TomlTable):
    """What a narrow link does with TCP's pure acknowledgements.

    At least one of thinning and compressed.

    Attributes:
        thinning: Which of those that wait go: "filter" takes an older one out where a newer one of the same connection
            says all that it says, and keeps two (cake's `ack-filter`); "filter-aggressive" keeps one; "decimate" takes
            out the oldest of a connection where more than `keep` wait, whatever it says. Default: none.
        keep: Decimate: so many acknowledgements of a connection may wait. Default 1. From 1 to 100000.
        compressed: Bytes of an acknowledgement on this link with its headers compressed; one that is smaller stays as
            it is. Default: they are not compressed. From 1 B to 60 B.
    """

    thinning: ThinningWord | None = None
    keep: int | None = None
    compressed: str | None = None


@dataclass(kw_only=True, slots=True, repr=False)
class SharedLinks(TomlTable):
    """Links that share one transmitter and take turns, each direction for itself.

    Attributes:
        uplink: Sites to satellites: those of a "satellite", or of one of its beams, which serves the sites of a cell
            ("beam"). One of "beam", "satellite", "gateway".
        downlink: Satellites to sites, likewise. One of "beam", "satellite", "gateway".
        feeder: Between satellites and gateways, up and down: those of a "gateway", or of a "satellite". One of "beam",
            "satellite", "gateway".
        turns: What turns are charged with: "bytes", so that all who have enough to send get the same rate, or "time",
            so that all get the same time on the air, and one with a low rate takes nothing from others. Default
            "bytes".
        uplink_total: What all beams of a satellite get from sites together; each has the rate of the link besides.
            Default: no bound. At least 1 bit/s.
        uplink_total_steps: The same over time, instead of uplink_total: `[{ at = "0 s", rate = "90 Mbit/s" }, { at =
            "15 s", rate = "60 Mbit/s" }]`.
        downlink_total: What all beams of a satellite send together. At least 1 bit/s.
        downlink_total_steps: The same over time, instead of downlink_total, as of uplink_total_steps.
        feeder_total: What a gateway sends to all its satellites together, and what it gets from them; each link has its
            own rate besides. At least 1 bit/s.
        feeder_total_steps: The same over time, instead of feeder_total, as of uplink_total_steps.
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
    """The beam that serves the sites of a cell, where the beams of a satellite share a total.

    Attributes:
        cell: The cell, by the name that its sites have.
        weight: Its share of the satellite's total, against the others of its priority that have something to send.
            Default 1. From 1 to 100.
        priority: Beams of a higher priority go first. Default 0. From 0 to 7.
    """

    cell: str
    weight: int | None = None
    priority: int | None = None


@dataclass(kw_only=True, slots=True, repr=False)
class Site(TomlTable):
    """A place that flows may name.

    Attributes:
        name: Name.
        latitude: Geodetic latitude, north positive. Default: that of the city of this name. From -90 deg to 90 deg.
        longitude: Longitude, east positive. From -180 deg to 360 deg.
        altitude: Height over the WGS84 ellipsoid, which is that over the sea within 110 m. It counts for distances,
            elevations and what is in view, and in place of `altitude` in the budgets of its links. Default "0 m". From
            -500 m to 9 km.
        home: Its packets always pass this point of presence. Default: any.
        fibre: It has no dish, but fibre to the points of presence. Default false.
        cell: Sites of one cell are served by one beam of one satellite at a time, which `access` chooses for all of
            them: of the satellites that all see, by the site that is worst off. A place that several beams serve has
            several cells. Default: it has a beam of its own.
        weight: Its share of a transmitter, against the others of its priority that have something to send; of a beam of
            its own, its share of the satellite's total. Default 1. From 1 to 100.
        priority: Sites of a higher priority go first on a transmitter that they share. Default 0. From 0 to 7.
        mask: The skyline around it: pairs of azimuth (from north through east) and elevation in degrees, ordered by
            azimuth. Between them the elevation is linear in azimuth, around the circle; two pairs of one azimuth are
            the edge of a wall. Satellites below it are hidden, and those below `min_elevation`. Default: nothing is
            hidden.
        mask_file: File of that skyline, instead of `mask`: a CSV file of the columns azimuth_deg and elevation_deg,
            relative to the scenario's file.
        eirp: Power that its dish sends to the satellite, in place of `eirp` in the budget of the link up. From -100 dBW
            to 200 dBW.
        g_over_t: G/T of its dish, in place of `g_over_t` in the budget of the link down. From -100 dB/K to 100 dB/K.
        rain: Its rain: what is said here counts in place of the budgets' `rain`. Default: that of the budgets.
    """

    name: str
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
    """Two routers and the bottleneck between them.

    The delay is given once: rtt, delay, delay_steps, delay_trace or a column of path_trace; the rate too: rate,
    rate_steps, rate_by_hour, trace, budget or a column of path_trace. The queue is "1 BDP" by default; loss is from
    left to right.

    Attributes:
        rate: Rate. At least 1 bit/s.
        rate_steps: Rate over time, instead of rate: `[{ at = "0 s", rate = "50 Mbit/s" }, { at = "15 s", rate = "20
            Mbit/s" }]`.
        rate_by_hour: Rate over the time of day, instead of rate.
        trace: Mahimahi trace of deliveries, instead of rate: a file, relative to the scenario's.
        budget: Link budget, instead of rate: the rate follows the weather.
        rtt: Propagation delay there and back, half of it each way. At most 1 h.
        delay: Propagation delay of one way. At most 1 h.
        delay_steps: Propagation delay of one way over time, instead of delay: `[["0 s", "30 ms"], ["15 s", "50 ms"]]`.
        delay_trace: File of one-way delays, one in whole milliseconds for each 10 ms, instead of delay; relative to the
            scenario's file.
        path_trace: Rate, delay and loss over time: a CSV file with the columns time_s and at least one of rate_mbit_s,
            delay_ms (one way) and loss_ratio, relative to the scenario's. Each row holds until the next. A column
            stands instead of the keys of rate or delay; its loss comes on top of `loss`.
        trace_end: What follows where a trace ends: it begins again ("wrap"), its last value holds ("hold"), or the link
            carries nothing any more ("stop"). Default "wrap", of path_trace "hold"; deliveries cannot hold.
        loss_by_hour: Probability of loss over the time of day, on top of `loss`.
        delay_by_hour: Delay of one way over the time of day, on top of the path's.
        queue: Queue in front of the link. What it is by default stands in the description of the table.
        loss: Loss on the way. Default: none.
        arq: What arrives broken is repeated by the link: losses become delay. Default: nothing is.
        policer: A token bucket before the queue that drops what is out of profile, and delays nothing. Default: none.
        ecn_bleach: A middlebox before the queue clears the ECN field of all packets: queues from here on drop where
            they would mark, and marks from before are lost. Default false.
        extra_delay: Delay on top over time: `[{ at = "20 s", delay = "5 ms" }, { at = "40 s", delay = "0 s" }]`.
            Default: none.
        jitter: Random delay on top, drawn for each packet by itself. Default: none.
        reorder: Packets may overtake each other when the delay shrinks, or by their jitter. Default false: a packet
            waits for the one before it.
        warn_above: Data is marked with a congestion warning (TCP-Jersey) while the mean queue is above so many packets.
            Default: never. From 0.0 to 1000000000.0.
        dama: Demand assignment as in DVB-RCS2: the terminal asks for capacity and sends in what it is granted. Needs a
            rate; one that changes holds for whole superframes. One way: of a dumbbell from left to right (`reverse` has
            its own), of a chain to the higher number, of a branch to the hub, of a site to its satellite (where each
            satellite is asked anew).
        grants: Moments of a shared medium at which all that is ready leaves: the uplink of Starlink. One way, as
            `dama`, and instead of it.
        acks: Acknowledgements that wait are thinned, or are compressed on the wire (RFC 3449, section 5). Of a
            drop-tail queue. One way, as `dama`.
        reverse: What differs from right to left. Default: the same rate, delay, queue and repetitions (none with a
            `dama` of its own), no loss, no `policer`, `ecn_bleach`, `dama`, `grants` or `acks`. Where rate or delay
            come from path_trace, its loss comes too.
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

    Its queue is "unlimited" by default; on the way back of a dumbbell, which says only what differs, that of the way
    there.

    Attributes:
        rate: Rate. At least 1 bit/s.
        rate_steps: Rate over time, instead of rate: `[{ at = "0 s", rate = "50 Mbit/s" }, { at = "15 s", rate = "20
            Mbit/s" }]`.
        rate_by_hour: Rate over the time of day, instead of rate.
        trace: Mahimahi trace of deliveries, instead of rate: a file, relative to the scenario's.
        budget: Link budget, instead of rate: the rate follows the weather.
        delay: Propagation delay of one way. At most 1 h.
        delay_steps: Propagation delay of one way over time, instead of delay: `[["0 s", "30 ms"], ["15 s", "50 ms"]]`.
        delay_trace: File of one-way delays, one in whole milliseconds for each 10 ms, instead of delay; relative to the
            scenario's file.
        path_trace: Rate, delay and loss over time: a CSV file with the columns time_s and at least one of rate_mbit_s,
            delay_ms (one way) and loss_ratio, relative to the scenario's. Each row holds until the next. A column
            stands instead of the keys of rate or delay; its loss comes on top of `loss`.
        trace_end: What follows where a trace ends: it begins again ("wrap"), its last value holds ("hold"), or the link
            carries nothing any more ("stop"). Default "wrap", of path_trace "hold"; deliveries cannot hold.
        loss_by_hour: Probability of loss over the time of day, on top of `loss`.
        delay_by_hour: Delay of one way over the time of day, on top of the path's.
        queue: Queue in front of the link. What it is by default stands in the description of the table.
        loss: Loss on the way. Default: none.
        arq: What arrives broken is repeated by the link: losses become delay. Default: nothing is.
        policer: A token bucket before the queue that drops what is out of profile, and delays nothing. Default: none.
        ecn_bleach: A middlebox before the queue clears the ECN field of all packets: queues from here on drop where
            they would mark, and marks from before are lost. Default false.
        extra_delay: Delay on top over time: `[{ at = "20 s", delay = "5 ms" }, { at = "40 s", delay = "0 s" }]`.
            Default: none.
        jitter: Random delay on top, drawn for each packet by itself. Default: none.
        reorder: Packets may overtake each other when the delay shrinks, or by their jitter. Default false: a packet
            waits for the one before it.
        warn_above: Data is marked with a congestion warning (TCP-Jersey) while the mean queue is above so many packets.
            Default: never. From 0.0 to 1000000000.0.
        dama: Demand assignment as in DVB-RCS2: the terminal asks for capacity and sends in what it is granted. Needs a
            rate; one that changes holds for whole superframes. One way: of a dumbbell from left to right (`reverse` has
            its own), of a chain to the higher number, of a branch to the hub, of a site to its satellite (where each
            satellite is asked anew).
        grants: Moments of a shared medium at which all that is ready leaves: the uplink of Starlink. One way, as
            `dama`, and instead of it.
        acks: Acknowledgements that wait are thinned, or are compressed on the wire (RFC 3449, section 5). Of a
            drop-tail queue. One way, as `dama`.
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
        links: How many links, all like `link`; or the links themselves.
        link: One of the links, if `links` is a number.
    """

    links: int | Sequence[Link | Mapping[str, object]]
    link: Link | Mapping[str, object] | None = None


@dataclass(kw_only=True, slots=True, repr=False)
class Star(TomlTable):
    """A hub and branches.

    Attributes:
        branches: The branches.
        carriers: Carriers that branches share on their way to the hub. Default: each branch has its own.
        forward_carriers: Carriers on which the hub sends to branches that share them. Default: it sends to each branch
            at that branch's rate, whatever the others get.
    """

    branches: Sequence[Branch | Mapping[str, object]]
    carriers: Sequence[Carrier | Mapping[str, object]] | None = None
    forward_carriers: Sequence[ForwardCarrier | Mapping[str, object]] | None = None


@dataclass(kw_only=True, slots=True, repr=False)
class Branch(TomlTable):
    """A site and its link to the hub, the same in both directions.

    Its queue is "unlimited" by default.

    Attributes:
        site: Name of the site.
        forward: The carrier from the hub that it shares with others. Its own `rate` (or `rate_steps`, or `budget`) is
            then that at which the carrier sends to it in its turn, at most the carrier's, which it is if nothing is
            said. Default: it shares none.
        rate: Rate. At least 1 bit/s.
        rate_steps: Rate over time, instead of rate: `[{ at = "0 s", rate = "50 Mbit/s" }, { at = "15 s", rate = "20
            Mbit/s" }]`.
        rate_by_hour: Rate over the time of day, instead of rate.
        trace: Mahimahi trace of deliveries, instead of rate: a file, relative to the scenario's.
        budget: Link budget, instead of rate: the rate follows the weather.
        delay: Propagation delay of one way. At most 1 h.
        delay_steps: Propagation delay of one way over time, instead of delay: `[["0 s", "30 ms"], ["15 s", "50 ms"]]`.
        delay_trace: File of one-way delays, one in whole milliseconds for each 10 ms, instead of delay; relative to the
            scenario's file.
        path_trace: Rate, delay and loss over time: a CSV file with the columns time_s and at least one of rate_mbit_s,
            delay_ms (one way) and loss_ratio, relative to the scenario's. Each row holds until the next. A column
            stands instead of the keys of rate or delay; its loss comes on top of `loss`.
        trace_end: What follows where a trace ends: it begins again ("wrap"), its last value holds ("hold"), or the link
            carries nothing any more ("stop"). Default "wrap", of path_trace "hold"; deliveries cannot hold.
        loss_by_hour: Probability of loss over the time of day, on top of `loss`.
        delay_by_hour: Delay of one way over the time of day, on top of the path's.
        queue: Queue in front of the link. What it is by default stands in the description of the table.
        loss: Loss on the way. Default: none.
        arq: What arrives broken is repeated by the link: losses become delay. Default: nothing is.
        policer: A token bucket before the queue that drops what is out of profile, and delays nothing. Default: none.
        ecn_bleach: A middlebox before the queue clears the ECN field of all packets: queues from here on drop where
            they would mark, and marks from before are lost. Default false.
        extra_delay: Delay on top over time: `[{ at = "20 s", delay = "5 ms" }, { at = "40 s", delay = "0 s" }]`.
            Default: none.
        jitter: Random delay on top, drawn for each packet by itself. Default: none.
        reorder: Packets may overtake each other when the delay shrinks, or by their jitter. Default false: a packet
            waits for the one before it.
        warn_above: Data is marked with a congestion warning (TCP-Jersey) while the mean queue is above so many packets.
            Default: never. From 0.0 to 1000000000.0.
        dama: Demand assignment as in DVB-RCS2: the terminal asks for capacity and sends in what it is granted. Needs a
            rate; one that changes holds for whole superframes. One way: of a dumbbell from left to right (`reverse` has
            its own), of a chain to the higher number, of a branch to the hub, of a site to its satellite (where each
            satellite is asked anew).
        grants: Moments of a shared medium at which all that is ready leaves: the uplink of Starlink. One way, as
            `dama`, and instead of it.
        acks: Acknowledgements that wait are thinned, or are compressed on the wire (RFC 3449, section 5). Of a
            drop-tail queue. One way, as `dama`.
    """

    site: str
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
    """The right of a branch to a carrier from the hub that it shares with others.

    Attributes:
        carrier: Name of a carrier of `network.star.forward_carriers`.
        weight: Its share of the carrier, against the others of its priority that have something to send. Default 1.
            From 1 to 100.
        priority: Branches of a higher priority go first. Default 0. From 0 to 7.
    """

    carrier: str
    weight: int | None = None
    priority: int | None = None


@dataclass(kw_only=True, slots=True, repr=False)
class Carrier(TomlTable):
    """A carrier that branches of a star share on the way to the hub: their `dama` names it.

    Each superframe is handed out by category, cra, rbdc, vbdc, fca, of all terminals before the next.

    Attributes:
        name: Its name.
        rate: What it sends at where a terminal says nothing slower: with the highest modulation and code. At least 1
            bit/s.
        superframe: Length of a superframe. From 5 ms to 10 s.
        latency: From a request to its grant, rounded up to whole superframes: a round trip of the satellite and the
            reckoning. From 1 ns to 10 s.
        sharing: Who gets how much where more is asked for of rbdc, or of vbdc, than is left: "max-min" gives each as
            much time, but nobody more than it asks for; "proportional" gives each the same part of what it asks for.
            Default "max-min".
    """

    name: str
    rate: str
    superframe: str
    latency: str
    sharing: Sharing | None = None


@dataclass(kw_only=True, slots=True, repr=False)
class ForwardCarrier(TomlTable):
    """A carrier on which the hub sends to several branches, one packet after the other (TDM): their `forward` names it.

    Attributes:
        name: Its name.
        rate: What it sends at where a branch says nothing slower: with the highest modulation and code. At least 1
            bit/s.
        turns: What turns are charged with: "bytes", so that all who have enough to send get the same rate, or "time",
            so that all get the same time of the carrier, and one with a low rate takes nothing from others. Default
            "bytes".
    """

    name: str
    rate: str
    turns: Turns | None = None


@dataclass(kw_only=True, slots=True, repr=False)
class Starlink(TomlTable):
    """A path over Starlink: up from the site "dish" to the site "server", and down.

    Attributes:
        preset: "starlink-good", "starlink-far" or "starlink-isl".
        phase: Second of the minute at the start of the run: epochs begin at :12, :27, :42 and :57. Default "0 s". At
            most 1 min.
        rtt: Round-trip time of the terrestrial rest of the path. Default "0 s". At most 1 h.
        queue: Queues. Default: the preset's.
        loss: Loss between the boundaries, by chance. Default: the preset's.
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
        up: From the dish. Default: the preset's.
        down: To the dish. Default: the preset's.
    """

    up: str | Queue | Mapping[str, object] | None = None
    down: str | Queue | Mapping[str, object] | None = None


@dataclass(kw_only=True, slots=True, repr=False)
class StarlinkLoss(TomlTable):
    """Loss in the two directions at other times than around a boundary.

    Attributes:
        up: From the dish; `{}`: none. Default: the preset's.
        down: To the dish; `{}`: none. Default: the preset's.
    """

    up: Loss | Mapping[str, object] | None = None
    down: Loss | Mapping[str, object] | None = None


@dataclass(kw_only=True, slots=True, repr=False)
class Origin(TomlTable):
    """Written into a resolved scenario: the preset that its network came from.

    Nothing is taken from it.

    Attributes:
        preset: Name of the preset.
        own: Keys of the network that the scenario said itself. Default: none.
    """

    preset: str
    own: Sequence[str] | None = None


@dataclass(kw_only=True, slots=True, repr=False)
class Tcp(TomlTable):
    """Settings of TCP: a preset, and what differs from it.

    Attributes:
        preset: Whose TCP it is; the other keys take the place of its settings. One of a flow takes the place of the
            whole table `tcp` of the scenario. The defaults named below are those of "bentpipe-0.1". Default
            "bentpipe-0.1". One of "linux", "rfc", "ns2-sack1", "ns2-newreno", "ns2-linux", "bentpipe-0.1".
        mss: Payload of a full segment. Default "1448 B". From 64 B to 65000 B.
        header: Header of every packet. Default "52 B" (IP 20, TCP 20, timestamps 12). At most 500 B.
        initial_window: Initial window in segments. Default 10. From 1 to 100000.
        growth_limit: Most segments that one ACK counts in slow start, where the controller does not say (its own
            `growth_limit`). Default: the controller's, mostly 1 (RFC 5681, section 3.1). From 1 to 1000000000.
        recovery: How losses are found: reno (RFC 5681), newreno (RFC 6582), sack (RFC 6675), rack (RFC 8985). Default
            "sack". One of "reno", "newreno", "sack", "rack".
        prr: Proportional rate reduction (RFC 9937). Default true with recovery "rack", else false.
        repair: How much may leave while losses are repaired with SACK and without prr. "rfc6675": as much as the pipe
            leaves of the window, and what is lost is not in the pipe. "fall-floyd": it is until it is acknowledged, and
            its retransmission besides (K. Fall and S. Floyd, ACM CCR 26(3), 1996; ns-2's Sack1). "rate-halving": at
            most one segment per ACK, then slow start to the threshold (draft-mathis-tcp-ratehalving, 1999; Linux before
            PRR). Default "rfc6675".
        timeouts: How the retransmission timeout is reckoned, and what follows one. "rfc6298": each acknowledgement is a
            sample, and what was SACKed is not sent again. "ns-2": one segment at a time is timed, in ticks of `clock`
            (V. Jacobson, SIGCOMM 1988, appendix A); all is sent again, and the threshold is half of the window each
            time. "ns-2-linux": as "rfc6298", but each timeout in a row lowers the threshold. Default "rfc6298".
        limited_transmit: Limited transmit (RFC 3042). Default true.
        undo: Undo reductions that prove spurious. Default true.
        f_rto: F-RTO (RFC 5682), with SACK: what comes back after a timeout tells, too, whether the timeout was
            spurious. Default false.
        timestamps: Timestamps (RFC 7323). Without them an episode proves spurious by DSACK or F-RTO alone, a repeated
            segment gives no sample of the RTT, and old duplicates are not rejected by their age; headers are 12 bytes
            shorter and segments 12 bytes longer unless `header` or `mss` say otherwise. Both ends must have them.
            Default true.
        delayed_ack: Delayed acknowledgements; true is every 2 segments, at most 40 ms late; "linux" is what Linux 6.1
            does: each segment while the window grows, then every second one, and SACKs held together for 1 ms. Default
            false.
        ecn: Explicit congestion notification: "classic" (RFC 3168), "dctcp" (its echo, RFC 8257), "accurate" (marks are
            counted, RFC 9768); "l4s" and "accurate-l4s" are the last two of packets that carry ECT(1) (RFC 9331); true
            is "classic". A queue must mark. Default false.
        min_rto: Lower bound of the retransmission timeout. Default "200 ms". From 1 ms to 1 h.
        max_rto: Upper bound of the retransmission timeout. Default "1 min". From 1 ms to 1 h.
        initial_rto: Timeout before the first RTT sample. Default "1 s". From 1 ms to 1 h.
        clock: Granularity G of RFC 6298, (2.3): RTTVAR counts for at least so much in the timeout, but not for more
            than `min_rto`. Default "200 ms", as Linux. At most 1 h.
        dup_thresh: Duplicate ACKs that mean a loss. Default 3. From 1 to 1000.
        receive_window: The receiver's window: so much from the start, or a table for one that grows. Default
            "unlimited".
        setup: How the connection begins; the side that sends data opens. "none": it exists when the flow starts.
            "handshake": SYN, SYN-ACK, ACK, then data (RFC 9293). "fast-open": the SYN carries the first data (RFC
            7413). "ns-2": data answer the SYN-ACK, and there is no FIN (`Agent/TCP`). "ns-2-linux": the SYN is the
            first segment of the stream, and data leave with it (`Agent/TCP/Linux`). Default "none".
        syn_header: Header of SYN and SYN-ACK. Default "60 B" (IP 20, TCP 20, MSS 4, SACK permitted and timestamps 12,
            window scale 4). At most 500 B.
        after_lost_syn: When the SYN's timer has expired. "rfc": an initial window of one segment (RFC 5681), data begin
            with a timeout of 3 s (RFC 6298). "linux": one segment after two expirations that were no mistake, the
            timeout as measured. Default "rfc".
        fin_beyond_window: The last segment of a transfer, which carries FIN if the connection was set up, leaves when
            its turn comes, whatever the congestion window says (Linux). Default false.
        slow_start_after_idle: What becomes of the congestion window when it is not used. "rfc5681": after a pause
            longer than the timeout it is the initial window, or what it was if that is less (RFC 5681, section 4.1).
            "linux": it is halved for each timeout of the pause, down to the same, and falls towards what is used while
            the application sends less than it allows (`tcp_slow_start_after_idle`). "rfc7661": it is kept for five
            minutes, but does not grow unless half of it was carried of late or all of it is used, and a loss then
            halves what was used (RFC 7661). "keep": it stands. Controllers with a model of the path (BBR, Copa, Vivace)
            keep theirs. Default "keep".
        tso: Segmentation offload, as on Linux: new data leave the host in bursts of about a millisecond of the pacing
            rate, of two segments at least, and wait shortly for the window to hold one (`tcp_tso_autosize`,
            `tcp_tso_should_defer`). Default false: each segment leaves as soon as it may.
        one_cut_per_recovery: A loss of what was sent after the cut, a retransmission or not, cuts only when the
            recovery is over, if it is still missing then (Linux). Otherwise it cuts at once where RACK dates it
            (`recovery = "rack"`). Default false.
        sack_restarts_timer: A SACK of what was sent before the oldest outstanding segment last left restarts the
            retransmission timer (Linux). Otherwise only an acknowledgement that advances does. Default false.
        reordering_timer_slack: RACK's timer expires this long after the segment that it waits for is overdue (Linux: 2
            ms). Default "0 s". At most 1 s.
        tail_probe_by_oldest: When new data leave, a tail loss probe comes no later than the timeout would that counts
            from when the oldest outstanding segment left (Linux). Otherwise after two smoothed round trips, or with the
            timeout (RFC 8985). Default false.
        growth_when_reordered: Once a segment came late by more than `dup_thresh` others, what is acknowledged
            selectively widens the window, too (Linux). Otherwise only acknowledgements that advance do (RFC 5681).
            Default false.
        pacing_credit: Where sending is paced, a packet that leaves later than it might have shortens the wait after it,
            by half at most (Linux). Default false.
        saved_path: What an earlier connection over this path left (Careful Resume, RFC 9959). Default: nothing.
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
    """When an acknowledgement may wait.

    Attributes:
        every: Acknowledge at least every so many segments. From 1 to 1000.
        at_most: Hold an acknowledgement back at most so long. At most 10 s.
    """

    every: int
    at_most: str


@dataclass(kw_only=True, slots=True, repr=False)
class GrowingWindow(TomlTable):
    """A window that grows as Linux's does: 64 kB at the start, two segments more for each that comes.

    Attributes:
        at_most: Upper bound, half of the largest buffer. Default "3145728 B" (tcp_rmem of 6 MiB). From 4 kB to 1 GB.
        autotuned: The buffer, 128 KiB at the start, grows with what arrives per round trip; else it is that large from
            the start. Default false.
    """

    at_most: str | None = None
    autotuned: bool | None = None


@dataclass(kw_only=True, slots=True, repr=False)
class SavedPath(TomlTable):
    """A path remembered from an earlier connection.

    Attributes:
        cwnd: Bytes acknowledged in one round trip. At least 1 B.
        rtt: Smallest RTT. From 1 us to 1 h.
        age: How old this is. Default "0 s".
    """

    cwnd: str
    rtt: str
    age: str | None = None


@dataclass(kw_only=True, slots=True, repr=False)
class Flow(TomlTable):
    """Flows of one kind.

    Attributes:
        name: Name for tables. Default: the controller's name; the profile of a call; of others the kind.
        kind: "tcp", "cbr" (constant-bit-rate UDP), "ping" (echoes) or "call" (audio, video or a game, both ways); or an
            application, whose users at `to` fetch from servers at `from` over many connections: "transfers", "web",
            "video", "requests". Default "tcp".
        count: How many of them. Default 1. From 1 to 100000.
        from_: Site where the data comes from. Default: "left" of a dumbbell, the first of a chain, the "dish" of
            Starlink.
        to: Site where it goes. Default: "right" of a dumbbell, the last of a chain, the "server" of Starlink.
        start: When the first of them starts. Default "0 s".
        stagger: The next one starts so much later. Default "0 s".
        stop: When they stop sending; of an application no visit begins after it. Default: at the end.
        size: TCP: bytes to send. Default: without end. Transfers: bytes of each, or the law by which they are drawn.
        trickle: TCP: the application writes at a rate. Default: all its data is there from the start.
        rate: CBR: rate on the wire, while it is on. At least 1 bit/s.
        on: CBR: it sends for so long, then it is silent for `off`, and so on; a time, or a law with a mean. Default:
            always on.
        off: CBR: how long it is silent after each period of `on`.
        packet: CBR, ping: packet on the wire. Default "1000 B" (CBR), "84 B" (ping: 56 B of data, ICMP 8, IP 20, as on
            Linux). From 1 B to 65535 B.
        interval: Ping: one leaves every so often. Default "10 ms". From 1 us to 1 h.
        profile: Call: "voice" (G.711), "video-call" (720p) or "game" (a shooter: `from` plays, `to` serves). Default
            "voice".
        playout: Call: a frame is played so long after the fastest one so far would have been there; what is not whole
            by then is late. Default: the profile's. At most 10 s.
        there: Call: what goes from `from` to `to`. Default: the profile's.
        back: Call: what comes back. Default: the profile's.
        controller: TCP and applications: the controller's name, or a table of its name and parameters.
        access: Link of each host to its site, one of its own per flow and end. Default: none.
        urgent: Its packets, of both directions, go before all others where they wait in a queue of discipline
            "priority". Default false.
        distance: TCP and applications: great-circle distance between the ends, for controllers that go by it. Default:
            that of the sites of a constellation; not known in plain shapes. From 0 km to 20038 km.
        tcp: TCP and applications: settings of these flows. Connections of applications begin with a handshake.
        users: Applications: so many users, each of whom has one visit at a time and thinks before the next. From 1 to
            1000000.
        think: For how long a user thinks. Default: exponential with a mean of 30 s, which is ours.
        arrivals: Applications: instead of `users`, visits that begin come what may.
        load: Applications: instead of a rate of `arrivals` so many that, in the mean, they ask for this share of the
            smallest link rate on the way, headers of full segments counted; each of `count` and each of a matrix for
            this share of its own. Where all that share a link ask for more than 1 the backlog grows for ever. From
            1e-06 to 100.0.
        page: Web: the page, by its name or as a table. Default "median-2024".
        video: Video: the film and its player. Default: all defaults of the table.
        request: Requests: what is asked and answered.
        tls: Applications: TLS 1.3 on each connection, one round trip before the first request. Default false.
    """

    name: str | None = None
    kind: Kind | None = None
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
    users: int | None = None
    think: str | Times | Mapping[str, object] | None = None
    arrivals: Arrivals | Mapping[str, object] | None = None
    load: float | None = None
    page: PageName | Page | Mapping[str, object] | None = None
    video: Video | Mapping[str, object] | None = None
    request: Request | Mapping[str, object] | None = None
    tls: bool | Tls | Mapping[str, object] | None = None


@dataclass(kw_only=True, slots=True, repr=False)
class Sizes(TomlTable):
    """A size, or the law by which sizes are drawn.

    Attributes:
        law: "exponential", "log-normal", "pareto", "points", "file"; of sizes also a measured one: "web-search", for
            example. One of "exponential", "log-normal", "pareto", "points", "file", "web-search", "data-mining",
            "internet-mix".
        mean: Its mean. Of "log-normal" instead of `median`, of "pareto" instead of `least`. From 1 B to 1 TB.
        median: Half of what is drawn is below. From 1 B to 1 TB.
        sigma: Standard deviation of the natural logarithm. From 0.0 to 20.0.
        shape: The smaller, the heavier the tail; at 1 and below there is no mean without `most`. From 0.01 to 100.0.
        least: Nothing is below. From 1 B to 1 TB.
        most: Nothing is above. Default: without bound. From 1 B to 1 PB.
        points: Pairs of a value and the probability of it or less; both never fall, the last probability is 1.
        file: File of those pairs, relative to the scenario's: CSV, the values as bare numbers of bytes or seconds.
        between: How the curve goes between two points: straight over the value ("linear"), over its logarithm
            ("log-linear"), or with the share above as a power of the value ("power"). Default "linear".
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
    """An application that writes at a rate, for a while or always; what comes before and after is there at once.

    Attributes:
        rate: Rate at which it writes: a segment may leave when all of it is written. At least 1 bit/s.
        begins: Time from the start of the flow until the application writes at `rate`; before that it writes as much as
            TCP sends. Default "0 s". At most 30 d.
        lasts: Time from then until all the rest is there. Default: never, the application writes on. At most 30 d.
    """

    rate: str
    begins: str | None = None
    lasts: str | None = None


@dataclass(kw_only=True, slots=True, repr=False)
class DrawnPeriod(TomlTable):
    """A period of random length.

    Attributes:
        law: "exponential".
        mean: Its mean. From 1 us to 30 d.
    """

    law: Law
    mean: str


@dataclass(kw_only=True, slots=True, repr=False)
class Media(TomlTable):
    """One direction of a call: a frame every so often, in as many packets as it takes, all at once.

    Attributes:
        interval: A frame leaves every so often. Default: the profile's. From 100 us to 1 min.
        frame: Bytes of a frame; the mean, where key frames are larger. Default: the profile's. From 1 B to 10 MB.
        rate: Instead of `frame`: mean rate of the frames, without headers. At least 1 bit/s.
        payload: Bytes of a frame that a packet takes at most. Default "1200 B". From 1 B to 65000 B.
        header: Headers of a packet. Default: the profile's, "40 B" (RTP 12, UDP 8, IP 20) or "28 B" (without RTP). At
            most 500 B.
        key_every: Every so manyth frame is a key frame, the first one is; 1: all are alike. Default: the profile's.
            From 1 to 1000000.
        key_ratio: A key frame has so many times the bytes of the others. Default: the profile's. From 1.0 to 1000.0.
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
    """A host's link to its site, the same in both directions.

    Its queue is "unlimited" by default.

    Attributes:
        rate: Rate. Default "unlimited". At least 1 bit/s.
        rate_steps: Rate over time, instead of rate: `[{ at = "0 s", rate = "50 Mbit/s" }, { at = "15 s", rate = "20
            Mbit/s" }]`.
        rate_by_hour: Rate over the time of day, instead of rate.
        loss_by_hour: Probability of loss over the time of day, on top of `loss`.
        delay_by_hour: Delay of one way over the time of day, on top of the path's.
        delay: Propagation delay of one way. Default "0 s". At most 1 h.
        trace: Mahimahi trace of deliveries, instead of rate: a file, relative to the scenario's.
        delay_trace: File of one-way delays on top of the link's own (LeoReplayer's), one in whole milliseconds for each
            10 ms; relative to the scenario's file.
        path_trace: Rate, delay and loss over time: a CSV file with the columns time_s and at least one of rate_mbit_s,
            delay_ms (one way) and loss_ratio, relative to the scenario's. Each row holds until the next. Its rate goes
            before `rate`, its delay is on top of the link's own, its loss on top of `loss`.
        trace_end: What follows where a trace ends: it begins again ("wrap"), its last value holds ("hold"), or the link
            carries nothing any more ("stop"). Default "wrap", of path_trace "hold"; deliveries cannot hold.
        queue: Queue in front of the link. What it is by default stands in the description of the table.
        loss: Loss on the way. Default: none.
        arq: What arrives broken is repeated by the link: losses become delay. Default: nothing is.
        policer: A token bucket before the queue that drops what is out of profile, and delays nothing. Default: none.
        ecn_bleach: A middlebox before the queue clears the ECN field of all packets: queues from here on drop where
            they would mark, and marks from before are lost. Default false.
        extra_delay: Delay on top over time: `[{ at = "20 s", delay = "5 ms" }, { at = "40 s", delay = "0 s" }]`.
            Default: none.
        jitter: Random delay on top, drawn for each packet by itself. Default: none.
        reorder: Packets may overtake each other when the delay shrinks, or by their jitter. Default false: a packet
            waits for the one before it.
        warn_above: Data is marked with a congestion warning (TCP-Jersey) while the mean queue is above so many packets.
            Default: never. From 0.0 to 1000000000.0.
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
    policer: Policer | Mapping[str, object] | None = None
    ecn_bleach: bool | None = None
    extra_delay: Sequence[DelayStep | Mapping[str, object]] | None = None
    jitter: Jitter | Mapping[str, object] | None = None
    reorder: bool | None = None
    warn_above: float | None = None


@dataclass(kw_only=True, slots=True, repr=False)
class Times(TomlTable):
    """A time, or the law by which times are drawn.

    Attributes:
        law: "exponential", "log-normal", "pareto", "points", "file"; of sizes also a measured one: "web-search", for
            example.
        mean: Its mean. Of "log-normal" instead of `median`, of "pareto" instead of `least`. At most 30 d.
        median: Half of what is drawn is below. At most 30 d.
        sigma: Standard deviation of the natural logarithm. From 0.0 to 20.0.
        shape: The smaller, the heavier the tail; at 1 and below there is no mean without `most`. From 0.01 to 100.0.
        least: Nothing is below. At most 30 d.
        most: Nothing is above. Default: without bound. At most 30 d.
        points: Pairs of a value and the probability of it or less; both never fall, the last probability is 1.
        file: File of those pairs, relative to the scenario's: CSV, the values as bare numbers of bytes or seconds.
        between: How the curve goes between two points: straight over the value ("linear"), over its logarithm
            ("log-linear"), or with the share above as a power of the value ("power"). Default "linear".
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
    """When visits begin, come what may.

    Attributes:
        law: "poisson" (independently of each other), "regular" (all gaps alike), "on-off" (poisson for a while, then
            none).
        rate: Visits per second; of "on-off" while it is on. `load` says it instead. From 1e-09 to 1000000.0.
        on: For how long it is on.
        off: For how long it is off.
    """

    law: ArrivalLaw
    rate: float | None = None
    on: str | Times | Mapping[str, object] | None = None
    off: str | Times | Mapping[str, object] | None = None


@dataclass(kw_only=True, slots=True, repr=False)
class Page(TomlTable):
    """A web page.

    Without `objects` those of the page `preset`.

    Attributes:
        preset: The page with a name. Default "median-2024".
        objects: How many objects there are beside the document, or the law by which that is drawn; or each object by
            itself, with `after` the names of those that must have come before it is known.
        first: Bytes of the document, which comes first. Default: as `size`.
        size: Bytes of each other object.
        stages: They come in so many stages of equal numbers: each of a later stage waits for one of the stage before.
            Default 1. From 1 to 100.
        protocol: "http1": up to `connections` of them, one request at a time on each. "http2": one connection, all that
            is known is asked for at once, answers come in the order asked. "http2-interleaved": they take turns, a
            frame of 16 kB each. Default "http2".
        connections: How many connections at most. Default 6, as browsers open them. From 1 to 64.
        request: Bytes of each request. Default "400 B". From 1 B to 1 MB.
        wait: How long the server takes for each. Default "0 s". At most 1 h.
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
    """A number, or the law by which numbers are drawn; rounded, 1 at least.

    Attributes:
        law: "exponential", "log-normal", "pareto", "points", "file"; of sizes also a measured one: "web-search", for
            example.
        mean: Its mean. Of "log-normal" instead of `median`, of "pareto" instead of `least`. From 0.0 to 1000000.0.
        median: Half of what is drawn is below. From 0.0 to 1000000.0.
        sigma: Standard deviation of the natural logarithm. From 0.0 to 20.0.
        shape: The smaller, the heavier the tail; at 1 and below there is no mean without `most`. From 0.01 to 100.0.
        least: Nothing is below. From 0.0 to 1000000.0.
        most: Nothing is above. Default: without bound. From 0.0 to 1000000.0.
        points: Pairs of a value and the probability of it or less; both never fall, the last probability is 1.
        file: File of those pairs, relative to the scenario's: CSV, the values as bare numbers of bytes or seconds.
        between: How the curve goes between two points: straight over the value ("linear"), over its logarithm
            ("log-linear"), or with the share above as a power of the value ("power"). Default "linear".
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
        name: Its name.
        size: Its bytes. From 1 B to 1 TB.
        after: Names of those that must have come before it is known. Default: none.
        think: How long the browser then takes before it asks. Default "0 s". At most 1 h.
    """

    name: str
    size: str
    after: Sequence[str] | None = None
    think: str | None = None


@dataclass(kw_only=True, slots=True, repr=False)
class Video(TomlTable):
    """A film, as DASH and HLS stream it, and its player.

    Attributes:
        ladder: Rates at which each segment can be had, from the lowest to the highest. Default: the ten of Netflix
            until 2015, 235 kbit/s to 5.8 Mbit/s.
        segment: Length of a segment. Default "4 s". From 100 ms to 1 h.
        length: For how long it plays. Default "10 min", which is ours.
        startup: It begins to play with so much in the buffer. Default: two segments. At most 1 h.
        resume: After a stall it goes on with so much. Default: as `startup`. At most 1 h.
        buffer: The player asks for a segment when it fits into a buffer of so much. Default "240 s". From 100 ms to 2
            h.
        choice: How the player chooses the rate of the next segment: "buffer" by what is in the buffer (BBA-0 of Huang
            et al., SIGCOMM 2014), "rate" by the harmonic mean of the last throughputs. Default "buffer".
        reservoir: With so much in the buffer or less it takes the lowest rate. Default: 90/240 of `buffer`. At most 1
            h.
        cushion: From there to the highest rate. Default: 126/240 of `buffer`. At most 1 h.
        segments: The harmonic mean is of so many segments. Default 5. From 1 to 1000.
        safety: It takes the highest rate below this share of it. Default 0.9. From 0.01 to 10.0.
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
    safety: float | None = None


@dataclass(kw_only=True, slots=True, repr=False)
class Request(TomlTable):
    """Requests and answers in turn, on one connection.

    Attributes:
        size: Bytes of a request. Default "400 B".
        answer: Bytes of an answer.
        wait: How long the server takes. Default "0 s".
        count: How many requests a visit has. Default 1.
        think: For how long the user thinks between an answer and the next request of the visit. Default "0 s".
    """

    size: str | Sizes | Mapping[str, object] | None = None
    answer: str | Sizes | Mapping[str, object]
    wait: str | Times | Mapping[str, object] | None = None
    count: float | Counts | Mapping[str, object] | None = None
    think: str | Times | Mapping[str, object] | None = None


@dataclass(kw_only=True, slots=True, repr=False)
class Tls(TomlTable):
    """The bytes of a TLS handshake.

    Attributes:
        hello: The user's first flight. Default "517 B". From 1 B to 1 MB.
        answer: The server's flight with its certificates. Default "4 kB". From 1 B to 1 MB.
        wait: How long the server reckons. Default "0 s". At most 1 min.
    """

    hello: str | None = None
    answer: str | None = None
    wait: str | None = None


@dataclass(kw_only=True, slots=True, repr=False)
class Traffic(TomlTable):
    """Flows between many sites.

    Besides the keys here it takes those of a flow, for each of them, but for `from` and `to`; flows are named after
    their ends, with `name` in front if there is one.

    Attributes:
        matrix: Who sends to whom: "pairs" (those of `pairs`), "permutation" (the sites are paired off by chance, both
            send to each other), "gravity" (so many `flows`, drawn by the product of the populations), "file".
        pairs: The pairs, from and to: `[["Wuhan", "Madrid"], ["Tehran", "Madrid"]]`.
        sites: The sites of a permutation or of gravity.
        top: Instead of `sites`: so many of the largest cities of the list. From 2 to 1000.
        flows: Gravity: how many flows are drawn. From 1 to 100000.
        file: File, relative to the scenario's: CSV with the columns from, to, and if wanted count, start, size. A size
            is a quantity; of transfers also a measured law ("web-search") or the table of a law, with single quotes: "{
            law = 'exponential', mean = '10 kB' }".
        seed: Of the draw; the run's own seed does not change who sends to whom. Default 1. At least 0.
        name: Name for tables. Default: the controller's name; the profile of a call; of others the kind.
        kind: "tcp", "cbr" (constant-bit-rate UDP), "ping" (echoes) or "call" (audio, video or a game, both ways); or an
            application, whose users at `to` fetch from servers at `from` over many connections: "transfers", "web",
            "video", "requests". Default "tcp".
        count: How many of them. Default 1. From 1 to 100000.
        from_: Site where the data comes from. Default: "left" of a dumbbell, the first of a chain, the "dish" of
            Starlink.
        to: Site where it goes. Default: "right" of a dumbbell, the last of a chain, the "server" of Starlink.
        start: When the first of them starts. Default "0 s".
        stagger: The next one starts so much later. Default "0 s".
        stop: When they stop sending; of an application no visit begins after it. Default: at the end.
        size: TCP: bytes to send. Default: without end. Transfers: bytes of each, or the law by which they are drawn.
        trickle: TCP: the application writes at a rate. Default: all its data is there from the start.
        rate: CBR: rate on the wire, while it is on. At least 1 bit/s.
        on: CBR: it sends for so long, then it is silent for `off`, and so on; a time, or a law with a mean. Default:
            always on.
        off: CBR: how long it is silent after each period of `on`.
        packet: CBR, ping: packet on the wire. Default "1000 B" (CBR), "84 B" (ping: 56 B of data, ICMP 8, IP 20, as on
            Linux). From 1 B to 65535 B.
        interval: Ping: one leaves every so often. Default "10 ms". From 1 us to 1 h.
        profile: Call: "voice" (G.711), "video-call" (720p) or "game" (a shooter: `from` plays, `to` serves). Default
            "voice".
        playout: Call: a frame is played so long after the fastest one so far would have been there; what is not whole
            by then is late. Default: the profile's. At most 10 s.
        there: Call: what goes from `from` to `to`. Default: the profile's.
        back: Call: what comes back. Default: the profile's.
        controller: TCP and applications: the controller's name, or a table of its name and parameters.
        access: Link of each host to its site, one of its own per flow and end. Default: none.
        urgent: Its packets, of both directions, go before all others where they wait in a queue of discipline
            "priority". Default false.
        distance: TCP and applications: great-circle distance between the ends, for controllers that go by it. Default:
            that of the sites of a constellation; not known in plain shapes. From 0 km to 20038 km.
        tcp: TCP and applications: settings of these flows. Connections of applications begin with a handshake.
        users: Applications: so many users, each of whom has one visit at a time and thinks before the next. From 1 to
            1000000.
        think: For how long a user thinks. Default: exponential with a mean of 30 s, which is ours.
        arrivals: Applications: instead of `users`, visits that begin come what may.
        load: Applications: instead of a rate of `arrivals` so many that, in the mean, they ask for this share of the
            smallest link rate on the way, headers of full segments counted; each of `count` and each of a matrix for
            this share of its own. Where all that share a link ask for more than 1 the backlog grows for ever. From
            1e-06 to 100.0.
        page: Web: the page, by its name or as a table. Default "median-2024".
        video: Video: the film and its player. Default: all defaults of the table.
        request: Requests: what is asked and answered.
        tls: Applications: TLS 1.3 on each connection, one round trip before the first request. Default false.
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
    users: int | None = None
    think: str | Times | Mapping[str, object] | None = None
    arrivals: Arrivals | Mapping[str, object] | None = None
    load: float | None = None
    page: PageName | Page | Mapping[str, object] | None = None
    video: Video | Mapping[str, object] | None = None
    request: Request | Mapping[str, object] | None = None
    tls: bool | Tls | Mapping[str, object] | None = None


@dataclass(kw_only=True, slots=True, repr=False)
class Pep(TomlTable):
    """Performance-enhancing proxies (RFC 3135) at one site or two: a TCP connection that passes ends there and a new
    one begins, each with acknowledgements, retransmissions and a controller of its own.

    A proxy answers a SYN at once, and calls on.

    Attributes:
        at: The site, or the two at the ends of a hop: `["left", "right"]`. At an end of a flow it splits only a flow
            with access links. Over satellites it stands there, or at the "gateway": of a flow between a dish and a site
            on fibre the one that serves at the time.
        buffer: What a proxy holds of a flow at most: it came in and is not acknowledged by the next connection's
            receiver. From 64 B to 4 GB.
        controller: Controller of the connection that begins at the first proxy on a flow's way: of two, the one between
            them. Default: the flow's.
        tcp: TCP of the proxies, for what they send and for what they receive: a preset that is named here takes the
            place of all the flow's settings, else what is not said is the flow's. `receive_window` is what a proxy
            tells at most, by default what is free of its buffer; a connection's segments are the smaller of both ends'
            `mss`. Default: the flow's.
        flows: Names of the flows that are split; `*` stands for anything. Default: all TCP flows that pass.
        resets: When the proxies lose their state, in order: the connections through them end, and what they hold is
            lost.
        retry: How long an application waits whose connection a proxy broke, once its host was told, before it tries
            again: that of a transfer asks the receiver what has come and sends the rest, users of others ask again for
            what is not whole. "off": it gives up, which users do not. Default "1 s" (curl waits as long before its
            first `--retry`). From 0 s to 10 min.
        on_handover: What happens to a proxy at the "gateway" when the path hands over to another one: the one there
            knows nothing of the connections and they end ("reset"), or its state is moved ("move"). Default "reset".
        move_time: With "move": for so long after a handover no proxy is there, and what comes to it is lost. From 0 s
            to 1 min.
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
    """What is recorded.

    Attributes:
        interval: Interval of the samples of flows and links, or "off". Default "100 ms". At least 1 us.
        events: A row for each loss, cut, phase and path change. Default true.
        packets: A row for every packet: true, or a part of the run. Default false.
        pcap: Flows whose packets are captured at both hosts (pcapng), by their names, into `captures` of the run
            folder, and at both sides of the proxies that split them. A name that several flows share means all of them;
            one is "NAME 2". Default: none.
        qlog: TCP flows that write a qlog there, one for the sender of each part where proxies split them. Default:
            none.
        pcap_links: Links at whose ends packets are captured, by their names as in tables, into one file there, an
            interface for each end. `*` stands for anything: "*" are all links. The packets are those of the flows in
            `pcap`, or of all flows where it names none. Default: none.
        ipv6: Captured packets are of IPv6, not of IPv4. Default false.
        snap: Bytes kept of each captured packet. Default: its headers. From 80 B to 65535 B.
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
        from_: Where the part begins.
        to: Where the part ends.
    """

    from_: str
    to: str
