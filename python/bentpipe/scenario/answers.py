# SPDX-License-Identifier: MIT OR Apache-2.0
# Written by `make docs` from a JSON Schema; do not edit.
# ruff: noqa: D205, F401, RUF100, TC001
"""The objects of a JSON Schema: `Answers` is the complete schema, and the other classes are parts of it."""

from __future__ import annotations

from typing import Annotated, Literal, NotRequired, TypeAlias, TypedDict

from msgspec import Meta

from bentpipe.base.json import Document, Json

Int64: TypeAlias = Annotated[int, Meta(ge=-(2**63), le=2**63 - 1)]


class Answers(TypedDict):
    """Types of the JSON that functions of `_core` return. Each field has the name of a function."""

    controllers: list[ControllerEntry]

    tcp_presets: list[TcpPreset]

    network_presets: list[NetworkPreset]

    constellations: list[ConstellationEntry]

    describe: SkyFacts

    models: list[ModelEntry]

    model: ModelAnswer

    path_series: PathFacts

    link_budget: LinkBudget

    link_budgets: list[StandingBudget]


class ControllerEntry(TypedDict):
    """A controller of the catalogue."""

    name: str

    summary: str

    equations: str

    parameters: list[ControllerParameter]

    sources: list[str]

    limits: str

    stand_in: bool
    """Whether the entry is a substitute for a controller whose paper was not available."""

    draws: bool
    """Whether the controller draws random numbers."""

    papers: list[str]

    requires: str
    """Signals that the controller needs with its default parameters."""

    uses: str
    """Signals that the controller uses with its default parameters."""


class ControllerParameter(TypedDict):
    """A parameter of a controller. Default and bounds are text, as in TOML."""

    name: str

    unit: str

    default: str

    bounds: str

    source: str

    why: str


class TcpPreset(TypedDict):
    """A TCP preset."""

    name: str

    about: str

    settings: list[TcpSetting]


class TcpSetting(TypedDict):
    """A setting of a TCP preset."""

    key: str

    value: str
    """Value in TOML syntax."""

    source: str | None
    """Source of the value; `null` if the preset does not set it."""

    fixed: bool
    """Whether a scenario cannot change the setting."""


class NetworkPreset(TypedDict):
    """A built-in network with its whole file."""

    name: str

    about: str

    state: str
    """A sentence that compares the network with measurements; `make presets` writes it."""

    ends: PresetEnds
    """The two sites that every preset has."""

    network: Document
    """The fragment of a scenario."""

    sources: list[PresetSource]

    assumed: list[Assumed]

    measured: list[Measured]

    text: str
    """The text of the file."""


class PresetEnds(TypedDict):
    """The names that a preset gives to its terminal and its server. Flows may also call these sites `terminal` and
    `server`.
    """

    terminal: str
    """Site of the user."""

    server: str
    """Site in the Internet."""


class PresetSource(TypedDict):
    """A source of numbers of a network preset."""

    keys: str

    source: str


class Assumed(TypedDict):
    """An assumption of a network preset."""

    key: str
    """Key of the network; empty for an assumption about the measurement."""

    why: str

    other: list[Alternative]


#: Name of the assumption.
_KeywordsOfAlternative = TypedDict("_KeywordsOfAlternative", {"is": str})


class Alternative(_KeywordsOfAlternative):
    """A different assumption: another value of the key, or other keys of the scenario that measures the number."""

    value: NotRequired[Json]
    """Value that replaces the assumed value."""

    probe: NotRequired[Document]
    """Keys that replace keys of the measuring scenario."""


class Measured(TypedDict):
    """A published number, and the part of a scenario that measures the same quantity in Bentpipe."""

    quantity: str

    unit: str

    least: float | None
    """Lower limit of the published number; `null` if it has none."""

    most: float | None
    """Upper limit of the published number; `null` if it has none."""

    says: str

    source: str

    date: str

    read: str
    """The number of the run that is compared."""

    claim: bool
    """Whether the number is an operator's claim that nobody measured."""

    duration: str

    flows: list[Document]

    peps: list[Document]


class ConstellationEntry(TypedDict):
    """A constellation of the catalogue."""

    name: str

    satellites: Int64

    shells: list[ShellEntry]

    min_elevation_deg: NotRequired[float]

    max_slant_range_km: NotRequired[float]

    isl: bool

    route_step_s: float

    description: str

    source: str


class ShellEntry(TypedDict):
    """A shell of a constellation of the catalogue."""

    name: str

    satellites: Int64

    planes: Int64

    per_plane: Int64

    altitude_km: float

    inclination_deg: float

    period_s: float


class SkyFacts(TypedDict):
    """Properties of a constellation."""

    name: str

    satellites: Int64

    shells: list[Shell]

    start: str | None
    """For a catalogue of element sets, date of the start in UTC; otherwise `null`."""

    notes: list[str]

    links: str

    gateways: Int64

    pops: Int64

    route_step_s: float

    min_elevation_deg: NotRequired[float]

    max_slant_range_km: NotRequired[float]


class Shell(TypedDict):
    """A shell of a constellation, with extreme values as seen from a site."""

    name: str

    satellites: Int64

    planes: Int64

    altitude_km: float

    inclination_deg: float

    period_s: float

    slant_range_km: float

    range_rate_km_s: float

    doppler_ppm: float

    pass_s: float | None
    """Time for which a satellite that passes through the zenith is visible; `null` if it is always visible."""


class ModelEntry(TypedDict):
    """A model of the catalogue."""

    name: str

    about: str

    source: str

    parameters: list[ModelParameter]


class ModelParameter(TypedDict):
    """A parameter of a model."""

    name: str

    unit: str

    default: list[float]

    bounds: str

    about: str


class ModelAnswer(TypedDict):
    """The answer of a model, without its table."""

    parameters: dict[str, Numbers]

    facts: dict[str, float]
    """Single numbers. Each name ends in the unit."""

    notes: list[str]

    labels: dict[str, str]
    """The columns of the table."""

    panels: list[Panel]


#: A number, or a list of numbers.
Numbers: TypeAlias = float | list[float]


class Panel(TypedDict):
    """A panel of the picture of a model."""

    title: str

    x: str
    """Column on the horizontal axis."""

    y: list[str]
    """Columns on the vertical axis."""

    y_label: str

    by: str | None
    """Column whose values have separate curves; `null` if all rows form one curve."""

    x_scale: str
    """Scale of the horizontal axis: "log" or "linear"."""

    y_scale: str
    """Scale of the vertical axis: "log" or "linear"."""

    bars: bool
    """Whether values are drawn as bars instead of lines."""


_KeywordsOfPathFacts = TypedDict("_KeywordsOfPathFacts", {"from": str})


class PathFacts(_KeywordsOfPathFacts):
    """Facts about the path of a flow over the complete run."""

    flow: str

    flows: Int64

    to: str

    duration_s: float

    step_s: float

    unlimited: bool
    """Whether at all times no link has a rate."""

    sometimes_unlimited: bool
    """Whether at some time no link has a rate."""

    never: bool
    """Whether there is no path at any time."""

    link: str | None
    """The link with the smallest rate; `null` if no link has a rate."""

    queue_packets: Int64 | None
    """Limit of the queue of `link` in packets; `null` if the queue has no such limit."""

    no_path_s: float

    all_lost_s: float

    no_rate_s: float

    left_out: list[str]
    """Effects that the numbers do not include."""


class LinkBudget(TypedDict):
    """A link budget, line by line."""

    ladder: str

    source: str
    """Source of the thresholds."""

    bandwidth_mhz: float

    symbols_mbaud: float

    margin_db: float

    boltzmann_dbw_k_hz: float

    hops: list[BudgetHop]

    states: list[BudgetState]


class BudgetHop(TypedDict):
    """The part of a hop that does not depend on the weather."""

    name: str

    frequency_ghz: float

    elevation_deg: float

    range_km: float

    eirp_dbw: float

    g_over_t_db_k: float

    losses_db: float

    c_over_i_db: float | None
    """Ratio of the carrier to the interference; `null` without interference."""


class BudgetState(TypedDict):
    """A link in one state of the weather."""

    hops: list[HopState]

    es_n0_db: float

    modcod: str | None
    """Modulation and code; `null` in an outage."""

    above_threshold_db: float | None
    """Es/N0 minus the threshold of the modulation and code; `null` in an outage."""

    rate_mbit_s: float

    missing_db: float | None
    """In an outage, the lowest threshold with its margin minus Es/N0; otherwise `null`."""

    availability_percent: NotRequired[float | None]
    """Only for budgets of files: the availability in percent. `null` in clear sky."""


class HopState(TypedDict):
    """A hop in one state of the weather."""

    name: str

    free_space_db: float

    gas_db: float

    cloud_db: float

    rain_db: float

    scintillation_db: float

    atmosphere_db: float

    noise_rise_db: float

    c_n0_db_hz: float

    c_n_db: float

    c_ni_db: float


class StandingBudget(TypedDict):
    """The budget of a link of a scenario at a time of the run."""

    ladder: str

    source: str
    """Source of the thresholds."""

    bandwidth_mhz: float

    symbols_mbaud: float

    margin_db: float

    boltzmann_dbw_k_hz: float

    hops: list[BudgetHop]

    states: list[BudgetState]

    link: str

    at_s: float

    frames_lost: bool
    """Whether the link loses its frames, because Es/N0 is below the threshold of the modulation and code in use."""
