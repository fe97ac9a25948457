# SPDX-License-Identifier: MIT OR Apache-2.0
"""The public namespace is flat, sorted and complete, and contains nothing else."""

from __future__ import annotations

import dataclasses
import inspect
import json
import re
import tomllib
from collections.abc import Iterator
from types import ModuleType

import jsonschema
import pytest

import bentpipe as bp
from bentpipe import _core
from bentpipe.scenario.class_names import NAMES


def test_all_is_sorted_and_whole() -> None:
    assert sorted(bp.__all__) == bp.__all__
    public = {name for name, found in vars(bp).items() if name[0] != "_" and not isinstance(found, ModuleType)}
    assert public <= set(bp.__all__)
    assert set(dir(bp)) == {*bp.__all__, "plots", "study", "validation"}


@pytest.mark.parametrize("name", [name for name in bp.__all__ if name != "__version__"])
def test_everything_public_is_documented(name: str) -> None:
    assert (inspect.getdoc(getattr(bp, name)) or "").strip()


DOCUMENTED = [getattr(bp, name) for name in NAMES]


@pytest.mark.parametrize("cls", DOCUMENTED, ids=lambda cls: cls.__name__)
def test_help_says_what_every_key_is(cls: type) -> None:
    text = inspect.getdoc(cls) or ""
    _, _, keys = text.partition("\nAttributes:\n")
    for field in dataclasses.fields(cls):
        assert re.search(rf"^    {field.name}: \S.{{3,}}", keys, re.MULTILINE), f"{cls.__name__}.{field.name}\n{text}"
    assert all(len(line) <= 120 for line in text.splitlines())


def test_help_has_the_words_of_the_schema() -> None:
    schema = json.loads(_core.scenario_schema())["$defs"]
    words = " ".join((inspect.getdoc(bp.Flow) or "").split())
    for key, about in schema["Flow"]["properties"].items():
        assert " ".join(about["description"].split()) in words, key
    assert "From 1 to 100000." in words, "bounds too"


def test_version_is_that_of_the_build() -> None:
    assert bp.__version__ == _core.version()


def test_errors_carry_code_and_exit_code() -> None:
    assert issubclass(bp.ScenarioError, bp.BentpipeError)
    assert issubclass(bp.RunError, bp.BentpipeError)
    error = bp.ScenarioError("unit-syntax", "what")
    assert (error.code, error.message, error.exit_code) == ("unit-syntax", "what", 2)
    assert str(error) == "error[unit-syntax]: what"
    assert bp.RunError("folder-damaged", "what").exit_code == 1
    assert bp.RunError("folder-not-a-run", "what").exit_code == 2


FULL = bp.Scenario(
    name="everything the builder knows",
    duration="3 s",
    seed=2,
    warm_up="1 s",
    network=bp.Network(
        announce="1 s",
        announce_error="100 ms",
        dumbbell=bp.Dumbbell(
            rate="10 Mbit/s",
            rtt="50 ms",
            queue="75 kB",
            loss=bp.Loss(per=1e-3),
            warn_above=20.0,
            reverse=bp.Link(
                rate="5 Mbit/s",
                queue={
                    "discipline": "fq-codel",
                    "limit": "100 ms",
                    "interval": "200 ms",
                    "flows": 16,
                    "quantum": "300 B",
                },
                loss=bp.Loss(ber=1e-9),
            ),
        ),
    ),
    tcp=bp.Tcp(
        mss="1000 B",
        header="40 B",
        initial_window=4,
        recovery="newreno",
        min_rto="1 s",
        receive_window="4 MB",
        saved_path={"cwnd": "1 MB", "rtt": "50 ms"},
    ),
    flows=[
        bp.Flow(
            name="a",
            count=2,
            controller={"name": "cubic", "slow_start": "classic"},
            access=bp.AccessLink(rate="100 Mbit/s", delay="1 ms"),
            start="1 s",
            stagger="100 ms",
            size="1 MB",
            trickle={"rate": "500 kbit/s", "lasts": "1 s"},
            tcp=bp.Tcp(delayed_ack=True),
        ),
        bp.Flow(
            kind="cbr",
            rate="1 Mbit/s",
            packet="500 B",
            stop="2 s",
            on="1 s",
            off={"law": "exponential", "mean": "500 ms"},
        ),
        bp.Flow(
            kind="call",
            profile="video-call",
            playout="80 ms",
            there={"interval": "40 ms", "rate": "1 Mbit/s", "key_every": 250, "key_ratio": 4.0},
            back={"frame": "500 B", "payload": "400 B", "header": "48 B"},
        ),
    ],
    peps=[
        bp.Pep(
            at=["left"],
            buffer="1 MB",
            controller="hybla",
            tcp=bp.Tcp(preset="linux", initial_window=40, delayed_ack={"every": 4, "at_most": "10 ms"}),
            flows=["a*"],
        )
    ],
    record=bp.Record(interval="200 ms", events=True, packets={"from": "0 s", "to": "1 s"}),
)
RATES = [{"at": "0 s", "rate": "3 Gbit/s", "ramp_to": "2 Gbit/s"}, {"at": "1 s", "rate": "2 Gbit/s"}]
GRANTS = {"period": "4 ms", "long_period": "8 ms", "long_share": 0.08}
JITTER = {"normal": {"mean": "10 ms", "deviation": "3 ms"}}
ACKS = {"thinning": "decimate", "keep": 2, "compressed": "8 B"}
DAMA = {
    "superframe": "40 ms",
    "latency": "560 ms",
    "cra": "16 kbit/s",
    "rbdc": "256 kbit/s",
    "vbdc": "1 Mbit/s",
    "fca": 0.5,
}
OTHERS = [
    bp.Scenario(
        name="orbit",
        network=bp.Constellation(
            preset="iridium",
            isl=bp.Isl(rate="25 Mbit/s", queue="50 packets", loss=bp.Loss(per=1e-4)),
            user_link=bp.UserLink(rate="1 Mbit/s"),
        ),
        flows=[bp.Flow(from_="Berkeley", to="Boston", controller="hybla")],
    ),
    bp.Scenario(
        name="gateways",
        network=bp.Constellation(
            shells=[
                bp.Shell(
                    name="low", walker=bp.Walker(planes=40, per_plane=20, altitude="550 km", inclination="53 deg")
                ),
                bp.Shell(walker=bp.Walker(planes=10, per_plane=10, inclination="80 deg", mean_motion=14.0)),
            ],
            isl=bp.Isl(rate="1 Gbit/s", pattern="nearest", terminals=3, inter_shell=True),
            user_link=bp.UserLink(rate="10 Mbit/s"),
            feeder=bp.MovingLink(rate="1 Gbit/s"),
            access=bp.Access(policy="highest-elevation", slot="15 s", phase="2 s", hysteresis="5 deg"),
            handover=bp.Handover(outage="100 ms", during="lose"),
            gso_exclusion="18 deg",
            shared=bp.SharedLinks(
                uplink="satellite", downlink="beam", turns="time", downlink_total="2 Gbit/s", feeder_total_steps=RATES
            ),
            beams=[bp.Beam(cell="bay", weight=4, priority=2)],
            pops=[bp.Place(name="Madrid")],
            gateways=[
                bp.Gateway(
                    name="Gateway",
                    latitude="41 deg",
                    longitude="0 deg",
                    pop="Madrid",
                    min_elevation="5 deg",
                    gso_exclusion="4 deg",
                    mask=[[0, 30]],
                )
            ],
            sites=[
                bp.Site(name="Berkeley", home="Madrid", mask=[[0, 25], [90, 40.5]], cell="bay", weight=3, priority=1),
                bp.Site(name="Server", latitude="48 deg", longitude="2 deg", fibre=True),
            ],
            route_times="events",
            fibre_factor=1.4,
        ),
        flows=[bp.Flow(from_="Server", to="Berkeley", controller="cubic")],
    ),
    bp.Scenario(
        name="chain",
        network=bp.Chain(
            links=3, link=bp.Link(rate="1 Mbit/s", delay="1 ms", queue={"discipline": "codel"}, grants=GRANTS)
        ),
        flows=[bp.Flow(controller="reno")],
    ),
    bp.Scenario(
        name="star",
        network=bp.Star(
            branches=[
                bp.Branch(site=s, rate="1 Mbit/s", delay="1 ms", dama=DAMA, acks=ACKS, jitter=JITTER)
                for s in ("a", "b")
            ]
            + [
                bp.Branch(site="c", rate="1 Mbit/s", delay="1 ms", dama={"carrier": "up", "vbdc": "1 Mbit/s"}),
                bp.Branch(site="d", delay="1 ms", forward={"carrier": "down", "weight": 2, "priority": 1}),
            ],
            forward_carriers=[bp.ForwardCarrier(name="down", rate="2 Mbit/s")],
            carriers=[
                bp.Carrier(name="up", rate="2 Mbit/s", superframe="40 ms", latency="560 ms", sharing="proportional")
            ],
        ),
        flows=[bp.Flow(from_="a", to="b", controller="reno")],
    ),
]


# Prefixes of the International System, and the two units of time above the second that scenarios have.
SCALE = {"n": 1e-9, "u": 1e-6, "m": 1e-3, "": 1.0, "k": 1e3, "M": 1e6, "G": 1e9}
UNIT = re.compile(r"(-?[\d.]+) ([numkMG]?)(s|m|B|bit/s)")


def plain(value: object) -> object:
    """Convert a quantity to number and unit, so that "1000 B" equals "1 kB". Return other values unchanged."""
    if isinstance(value, str) and (found := UNIT.fullmatch(value)):
        return (f"{float(found[1]) * SCALE[found[2]]:.9g}", found[3])
    return value


def leaves(document: object, key: str = "") -> Iterator[tuple[str, object]]:
    """Yield every value of a document with its key."""
    if isinstance(document, dict):
        for name, value in document.items():
            yield from leaves(value, name)
    elif isinstance(document, list):
        for value in document:
            yield from leaves(value, key)
    else:
        # A controller without parameters may be written as its name.
        yield "name" if key == "controller" else key, plain(document)


# Values that the reader writes in another form: half of a round trip for each direction, a preset's own numbers, a
# switch that becomes a table of two numbers, and a number of links that becomes a list of tables.
REWORDED = {"rtt": ("50 ms",), "preset": ("iridium",), "delayed_ack": (True,), "links": (3,)}


@pytest.mark.parametrize("scenario", [FULL, *OTHERS], ids=lambda s: s.name)
def test_builder_writes_what_the_schema_and_the_reader_take(scenario: bp.Scenario) -> None:
    written = tomllib.loads(scenario.to_toml())
    jsonschema.validate(written, json.loads(_core.scenario_schema()))
    resolved = scenario.resolved()
    read = list(leaves(tomllib.loads(resolved)))
    missing = [leaf for leaf in leaves(written) if leaf not in read]
    assert all(value in map(plain, REWORDED.get(key, ())) for key, value in missing), missing
    # Nothing remains to be filled in: if the text is read again, the result is equal.
    assert _core.facts(_core.Job(resolved, "resolved")).resolved == resolved


def test_what_the_reader_puts_into_other_words() -> None:
    there = tomllib.loads(FULL.resolved())
    assert there["network"]["dumbbell"]["delay"] == there["network"]["dumbbell"]["reverse"]["delay"] == "25 ms"
    # Linux: an ACK for every second segment, after 40 ms at the latest.
    assert there["flows"][0]["tcp"]["delayed_ack"] == {"every": 2, "at_most": "40 ms"}
    orbit = tomllib.loads(OTHERS[0].resolved())["network"]["constellation"]
    # Iridium: six planes of eleven.
    assert [(shell["walker"]["planes"], shell["walker"]["per_plane"]) for shell in orbit["shells"]] == [(6, 11)]
    (chain,) = (one for one in OTHERS if one.name == "chain")
    links = tomllib.loads(chain.resolved())["network"]["chain"]["links"]
    assert [link["delay"] for link in links] == ["1 ms"] * 3


def test_every_run_fits_the_published_summary_schema() -> None:
    run = bp.run(FULL)
    jsonschema.validate(run.summary, json.loads(_core.summary_schema()))
    assert len(run.packets) > 0


def test_views_of_a_table_agree() -> None:
    run = bp.run(FULL)
    frame, polar = run.flows.to_pandas(), run.flows.to_polars()
    assert len(frame) == len(polar) == len(run.flows)
    assert list(frame.columns) == polar.columns == run.flows.columns
    assert frame["cwnd_segments"].tolist() == polar["cwnd_segments"].to_list() == run.flows["cwnd_segments"]
    field = run.flows.arrow.schema.field("cwnd_segments")
    assert field.metadata[b"unit"] == b"segments"
