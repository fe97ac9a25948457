# SPDX-License-Identifier: MIT OR Apache-2.0
"""What the functions of `_core` that return JSON answer: the catalogues, link budgets, constellations, paths.

Units are at the end of each key. `tests/test_answers.py` compares the keys with those of the build.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NotRequired, TypedDict

if TYPE_CHECKING:
    from bentpipe._json import Document, Json


class ControllerParameter(TypedDict):
    """A parameter of a controller; default and bounds are text, as in TOML."""

    name: str
    unit: str
    default: str
    bounds: str
    source: str
    why: str


class ControllerEntry(TypedDict):
    """A controller of the catalogue."""

    name: str
    summary: str
    equations: str
    parameters: list[ControllerParameter]
    sources: list[str]
    limits: str
    stand_in: bool
    draws: bool
    papers: list[str]
    requires: str
    uses: str


class TcpSetting(TypedDict):
    """A setting of a preset of TCP; one that is fixed cannot be changed in a scenario."""

    key: str
    value: str
    source: str | None
    fixed: bool


class TcpPreset(TypedDict):
    """A preset of TCP."""

    name: str
    about: str
    settings: list[TcpSetting]


class ShellEntry(TypedDict):
    """A shell of a constellation of the catalogue."""

    name: str
    satellites: int
    planes: int
    per_plane: int
    altitude_km: float
    inclination_deg: float
    period_s: float


class Visibility(TypedDict):
    """From where a satellite is in view: one of the two."""

    min_elevation_deg: NotRequired[float]
    max_slant_range_km: NotRequired[float]


class ConstellationEntry(Visibility):
    """A constellation of the catalogue."""

    name: str
    satellites: int
    shells: list[ShellEntry]
    isl: bool
    route_step_s: float
    description: str
    source: str


class Shell(TypedDict):
    """A shell of a constellation, with what a site sees at most; `pass_s` is None where a satellite stays in view."""

    name: str
    satellites: int
    planes: int
    altitude_km: float
    inclination_deg: float
    period_s: float
    slant_range_km: float
    range_rate_km_s: float
    doppler_ppm: float
    pass_s: float | None


class SkyFacts(Visibility):
    """What is known of a constellation; `start` is its date in UTC, of a catalogue of element sets."""

    name: str
    satellites: int
    shells: list[Shell]
    start: str | None
    notes: list[str]
    links: str
    gateways: int
    pops: int
    route_step_s: float


class ModelParameter(TypedDict):
    """A parameter of a model."""

    name: str
    unit: str
    default: list[float]
    bounds: str
    about: str


class ModelEntry(TypedDict):
    """A model of the catalogue."""

    name: str
    about: str
    source: str
    parameters: list[ModelParameter]


class Panel(TypedDict):
    """A panel of the picture of a model; `x`, `y` and `by` are columns of its table."""

    title: str
    x: str
    y: list[str]
    y_label: str
    by: str | None
    x_scale: str
    y_scale: str
    bars: bool


class ModelAnswer(TypedDict):
    """What a model answers beside its table; `labels` are those of the columns."""

    parameters: dict[str, float | list[float]]
    facts: dict[str, float]
    notes: list[str]
    labels: dict[str, str]
    panels: list[Panel]


class BudgetHop(TypedDict):
    """What the weather does not change of a hop."""

    name: str
    frequency_ghz: float
    elevation_deg: float
    range_km: float
    eirp_dbw: float
    g_over_t_db_k: float
    losses_db: float
    c_over_i_db: float | None


class HopState(TypedDict):
    """A hop in some weather."""

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


class BudgetState(TypedDict):
    """A link in some weather: in an outage `modcod` and `above_threshold_db` are None, otherwise `missing_db` is.

    `availability_percent` is of the budgets of files: None in clear sky.
    """

    hops: list[HopState]
    es_n0_db: float
    modcod: str | None
    above_threshold_db: float | None
    rate_mbit_s: float
    missing_db: float | None
    availability_percent: NotRequired[float | None]


class LinkBudget(TypedDict):
    """A link budget, line by line."""

    ladder: str
    source: str
    bandwidth_mhz: float
    symbols_mbaud: float
    margin_db: float
    boltzmann_dbw_k_hz: float
    hops: list[BudgetHop]
    states: list[BudgetState]


class StandingBudget(LinkBudget):
    """The budget of a link of a scenario at a moment of its run."""

    link: str
    at_s: float
    frames_lost: bool


#: A key that is a reserved word of Python cannot be written in a class.
_From = TypedDict("_From", {"from": str})


class PathFacts(_From):
    """What is known of a flow's path over the whole run; `link` is the narrowest."""

    flow: str
    flows: int
    to: str
    duration_s: float
    step_s: float
    unlimited: bool
    sometimes_unlimited: bool
    never: bool
    link: str | None
    queue_packets: int | None
    no_path_s: float
    all_lost_s: float
    no_rate_s: float
    left_out: list[str]


class PresetSource(TypedDict):
    """Where numbers of a network preset are from."""

    keys: str
    source: str


class Probe(TypedDict):
    """How a published number is measured: a part of a scenario."""

    duration: str
    flows: list[Document]
    peps: NotRequired[list[Document]]


_Is = TypedDict("_Is", {"is": str})


class Alternative(_Is):
    """What another assumption is, by its name: a value of its key, or keys of the probe."""

    value: NotRequired[Json]
    probe: NotRequired[Document]


class Assumed(TypedDict):
    """An assumption of a network preset; `key` is empty where it is one of the measurement."""

    key: str
    why: str
    other: list[Alternative]


class Measured(Probe):
    """A published number, and how it is measured here."""

    quantity: str
    unit: str
    least: NotRequired[float]
    most: NotRequired[float]
    says: str
    source: str
    date: str
    read: str
    claim: NotRequired[bool]


class NetworkPreset(TypedDict):
    """A network by name, with all of its file."""

    name: str
    about: str
    state: str
    network: Document
    sources: list[PresetSource]
    assumed: list[Assumed]
    measured: list[Measured]
    text: str
