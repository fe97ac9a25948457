# SPDX-License-Identifier: MIT OR Apache-2.0
"""A beam: branches of a star share a carrier from the hub, and a carrier to the hub. Shares are computed by hand."""

from __future__ import annotations

from typing import Any

import pytest

import bentpipe as bp
from project import ROOT

SCENARIO = ROOT / "scenarios" / "geo-beam.toml"
UP = bp.Carrier(name="up", rate="2 Mbit/s", superframe="40 ms", latency="560 ms")


def beam(branches: list[dict[str, Any]], rate: str = "10 Mbit/s", turns: str | None = None, **more: Any) -> bp.Star:
    """Return a star with branches "0", "1", … on one carrier from the hub, with these keys for each branch."""
    made = []
    for number, own in enumerate(branches):
        forward = {"carrier": "down"} | {key: own.pop(key) for key in ("weight", "priority") if key in own}
        made.append(bp.Branch(site=str(number), delay="275 ms", queue="unlimited", forward=forward, **own))
    return bp.Star(branches=made, forward_carriers=[bp.ForwardCarrier(name="down", rate=rate, turns=turns)], **more)


def load(number: int, mbit_s: float, *, up: bool = False) -> bp.Flow:
    """Return a flow of datagrams of 500 bytes from the hub to a branch, or back."""
    ends = (str(number), "hub") if up else ("hub", str(number))
    return bp.Flow(kind="cbr", rate=f"{mbit_s} Mbit/s", packet="500 B", from_=ends[0], to=ends[1])


def goodput(network: bp.Star, flows: list[bp.Flow]) -> list[float]:
    scenario = bp.Scenario(duration="60 s", warm_up="20 s", network=network, flows=flows)
    return [flow["goodput_mbit_s"] for flow in bp.run(scenario).summary["flows"]]


def test_shares_are_max_min_fair() -> None:
    """10 Mbit/s are shared by 1, 3 and 20: a flow that asks for less than a third gets all of it, and the third flow
    gets the rest (Bertsekas and Gallager 1992, section 6.5.2)."""
    got = goodput(beam([{}, {}, {}]), [load(0, 1.0), load(1, 3.0), load(2, 20.0)])
    assert got == pytest.approx([1.0, 3.0, 6.0], abs=0.005)


def test_a_slow_branch_takes_of_the_time_of_all() -> None:
    """Turns are fair in bytes: x/10 + x/10 + x/2 = 1, so each gets x = 10/7 Mbit/s. The slow one uses 5/7 of time."""
    slow = {"rate": "2 Mbit/s"}
    got = goodput(beam([{}, {}, slow]), [load(number, 10.0) for number in range(3)])
    assert got == pytest.approx([10 / 7] * 3, abs=0.005)
    # If the slow one asks for less, it uses 0.5/2 of the time, and the others share 3/4 of it.
    got = goodput(beam([{}, {}, slow]), [load(0, 10.0), load(1, 10.0), load(2, 0.5)])
    assert got == pytest.approx([3.75, 3.75, 0.5], abs=0.005)


def test_by_time_a_slow_branch_pays_for_itself() -> None:
    """n branches always send. By time, a branch gets r/n, and the sum is the arithmetic mean of the rates. By bytes,
    each branch gets 1/(sum of 1/r), and the sum is the harmonic mean (the anomaly of IEEE 802.11b: Heusse, Rousseau,
    Berger-Sabbatel and Duda, INFOCOM 2003)."""
    rates = [10.0, 10.0, 2.0]
    flows = [load(number, 10.0) for number in range(3)]
    keys = [{"rate": f"{rate:g} Mbit/s"} for rate in rates]
    by_time = goodput(beam([dict(one) for one in keys], turns="time"), flows)
    assert by_time == pytest.approx([rate / 3 for rate in rates], abs=0.01)
    by_bytes = goodput(beam([dict(one) for one in keys], turns="bytes"), flows)
    assert by_bytes == pytest.approx([1 / sum(1 / rate for rate in rates)] * 3, abs=0.01)
    # Unused time goes to the others: 0.5 at 2 Mbit/s use a quarter of the time, and 3/8 of the time are 3.75 at 10.
    got = goodput(beam([dict(one) for one in keys], turns="time"), [load(0, 10.0), load(1, 10.0), load(2, 0.5)])
    assert got == pytest.approx([3.75, 3.75, 0.5], abs=0.01)
    # Weights divide the time: 4/5 at 2 Mbit/s, and 1/5 at 10 Mbit/s.
    weighted = beam([{}, {"rate": "2 Mbit/s", "weight": 4}], turns="time")
    assert goodput(weighted, [load(0, 10.0), load(1, 10.0)]) == pytest.approx([2.0, 1.6], abs=0.01)


def test_by_time_rain_over_one_is_nothing_to_the_others() -> None:
    """From 5 s on, one branch has a tenth of its rate. It gets a tenth of its share, and the other keeps its share."""
    rain = {"rate_steps": [{"at": "0 s", "rate": "10 Mbit/s"}, {"at": "5 s", "rate": "1 Mbit/s"}]}
    got = goodput(beam([rain, {}], turns="time"), [load(0, 10.0), load(1, 10.0)])
    assert got == pytest.approx([0.5, 5.0], abs=0.01)


def budget(es_n0_db: float) -> dict[str, Any]:
    """Return a budget of 1 Msymbol/s with this Es/N0, to about 0.1 dB. The losses are free space (213.48 dB over the
    38173 km of a geostationary satellite at 35 degrees, at 29.5 GHz) and gases (0.4 dB), with Boltzmann's -228.60
    dBW/K/Hz."""
    hop = {"frequency": "29.5 GHz", "g_over_t": "10 dB/K", "elevation": "35 deg"}
    eirp_dbw = es_n0_db + 213.48 + 0.4 - 10.0 - 228.60 + 60.0
    return {"bandwidth": "1.2 MHz", "modcods": "dvb-s2", "down": hop | {"eirp": f"{eirp_dbw:.2f} dBW"}}


def test_rain_over_one_terminal_is_nothing_to_the_others_on_its_carrier() -> None:
    """Each has half of the time, which is 1 Mbit/s at 2 Mbit/s. At half the rate one gets 0.5, the other keeps 1."""
    terminal = {"dama": {"carrier": "up", "vbdc": "unlimited"}}
    loads = [load(0, 3.0, up=True), load(1, 3.0, up=True)]
    clear = goodput(beam([dict(terminal), dict(terminal)], carriers=[UP]), loads)
    assert clear == pytest.approx([1.0, 1.0], abs=0.002)
    steps = [{"at": "0 s", "rate": "2 Mbit/s"}, {"at": "5 s", "rate": "1 Mbit/s"}]
    rainy = {"dama": {"carrier": "up", "vbdc": "unlimited", "rate_steps": steps}}
    assert goodput(beam([rainy, dict(terminal)], carriers=[UP]), loads) == pytest.approx([0.5, 1.0], abs=0.002)
    # With proportional sharing, each gets the same part of its request. Both ask for the whole carrier. One needs all
    # of the time, and the other twice as much: each gets a third of 2 Mbit/s, so both pay for the rain.
    shared = bp.Carrier(name="up", rate="2 Mbit/s", superframe="40 ms", latency="560 ms", sharing="proportional")
    rainy = {"dama": {"carrier": "up", "vbdc": "unlimited", "rate_steps": steps}}
    got = goodput(beam([rainy, dict(terminal)], carriers=[shared]), loads)
    assert got == pytest.approx([2 / 3, 2 / 3], abs=0.002)


def test_a_budget_of_the_way_up_is_the_terminals_own() -> None:
    """8PSK 3/5 needs 5.5 dB, and the next MODCOD 6.42 dB. 8PSK 3/5 carries 1.779991 bit per symbol (EN 302 307-1, table
    13). With a margin of 1 dB it is used at 7 dB, and half of the time gives half of 1.779991 Mbit/s. The downlink has
    another MODCOD."""
    terminal = {"dama": {"carrier": "up", "vbdc": "unlimited"}}
    faded = {"dama": {"carrier": "up", "vbdc": "unlimited", "budget": budget(7.0)}}
    carrier = bp.Carrier(name="up", rate="4.453027 Mbit/s", superframe="40 ms", latency="560 ms")
    network = beam([faded | {"budget": budget(30.0)}, dict(terminal)], carriers=[carrier])
    flows = [load(0, 6.0, up=True), load(1, 6.0, up=True), load(0, 10.0)]
    run = bp.run(bp.Scenario(duration="60 s", warm_up="20 s", network=network, flows=flows))
    got = [flow["goodput_mbit_s"] for flow in run.summary["flows"]]
    assert got == pytest.approx([1.779991 / 2, 4.453027 / 2, 4.453027], abs=0.003)
    # Both terminals have sent all the time.
    (busy,) = (one["utilisation"] for one in run.summary["transmitters"] if one["name"] == "return carrier up")
    assert busy == pytest.approx(1.0, abs=0.002)
    rows = {row["name"]: row["modcod"] for row in run.weather.arrow.to_pylist()}
    assert rows == {"0 > hub": "8PSK 3/5", "hub > 0": "32APSK 9/10"}
    told = {one["link"]: one["states"][1] for one in bp.link_budgets(bp.Scenario(network=network, flows=flows))}
    assert {name: state["modcod"] for name, state in told.items()} == rows
    assert told["0 > hub"]["rate_mbit_s"] == pytest.approx(1.779991, abs=1e-6)


def test_the_summary_says_how_busy_carriers_are() -> None:
    """0.5/2 of the time for a slow branch and 3/10 for another are 0.55. On the uplink, 0.6 of 2 Mbit/s are 0.3."""
    up = {"dama": {"carrier": "up", "vbdc": "unlimited"}}
    network = beam([{"rate": "2 Mbit/s"} | up, dict(up)], carriers=[UP])
    flows = [load(0, 0.5), load(1, 3.0), load(1, 0.6, up=True)]
    run = bp.run(bp.Scenario(duration="60 s", warm_up="20 s", network=network, flows=flows))
    down, back = run.summary["transmitters"]
    assert (down["name"], down["kind"], down["links"]) == ("forward carrier down", "carrier", 2)
    assert down["utilisation"] == pytest.approx(0.55, abs=0.001)
    assert (back["name"], back["kind"], back["links"]) == ("return carrier up", "carrier", 2)
    assert back["utilisation"] == pytest.approx(0.3, abs=0.001)


def test_weights_and_priorities() -> None:
    """Weights 1, 2, 5 share 8 Mbit/s. A branch with priority gets all that it asks for, the others halve the rest."""
    weighted = beam([{"weight": 1}, {"weight": 2}, {"weight": 5}], rate="8 Mbit/s")
    assert goodput(weighted, [load(number, 8.0) for number in range(3)]) == pytest.approx([1, 2, 5], abs=0.01)
    first = beam([{}, {"priority": 1}, {}])
    assert goodput(first, [load(0, 10.0), load(1, 6.0), load(2, 10.0)]) == pytest.approx([2, 6, 2], abs=0.01)


def test_carriers_are_apart() -> None:
    """Traffic on one carrier has no effect on branches of another carrier, or on a branch with its own link."""
    network = beam([{}, {}])
    network.forward_carriers = [*(network.forward_carriers or ()), bp.ForwardCarrier(name="other", rate="4 Mbit/s")]
    other = bp.Branch(site="2", delay="275 ms", queue="unlimited", forward={"carrier": "other"})
    own = bp.Branch(site="3", rate="1 Mbit/s", delay="275 ms", queue="unlimited")
    network.branches = [*network.branches, other, own]
    got = goodput(network, [load(number, 10.0) for number in range(4)])
    assert got == pytest.approx([5, 5, 4, 1], abs=0.01)


def test_alone_on_a_carrier_it_is_as_on_a_link_of_its_own() -> None:
    """The run is identical to the byte, because no other branch has a turn."""
    runs = []
    for own in ({"forward": {"carrier": "down"}}, {"rate": "10 Mbit/s"}):
        branches = [bp.Branch(site="a", delay="275 ms", queue="200 kB", **own)]
        carriers = [bp.ForwardCarrier(name="down", rate="10 Mbit/s")] if "forward" in own else None
        network = bp.Star(branches=branches, forward_carriers=carriers)
        flows = [bp.Flow(controller="cubic", from_="hub", to="a"), bp.Flow(kind="ping", from_="a", to="hub")]
        runs.append(bp.run(bp.Scenario(duration="30 s", network=network, flows=flows)))
    assert runs[0].summary["flows"] == runs[1].summary["flows"]


def test_rain_on_the_way_down_leaves_the_way_up() -> None:
    """The rate of a branch over time is the rate of its turns from the hub, here 1 Mbit/s: x/10 + x = 1 for both. On
    the carrier to the hub, which has 2 Mbit/s for both, it sends 1.5."""
    up = {"dama": {"carrier": "up", "vbdc": "unlimited"}}
    rain = {"rate_steps": [{"at": "0 s", "rate": "10 Mbit/s"}, {"at": "5 s", "rate": "1 Mbit/s"}]}
    network = beam([up | rain, dict(up)], carriers=[UP])
    flows = [load(0, 10.0), load(1, 10.0), load(0, 1.5, up=True), load(1, 0.5, up=True)]
    assert goodput(network, flows) == pytest.approx([10 / 11, 10 / 11, 1.5, 0.5], abs=0.01)


def test_a_branch_of_the_scenario_in_rain_costs_the_others() -> None:
    """20 households share 100 Mbit/s, and the last has a weight of 2: 100/21 with clear sky. While the first one has a
    tenth of the rate, x (18/100 + 1/10 + 2/100) = 1: 10/3 Mbit/s for all but the last, which gets twice that."""
    rows = bp.run(SCENARIO).flows.arrow.select(["time_s", "name", "goodput_mbit_s"]).to_pylist()

    def mean(number: int, begin: float, end: float) -> float:
        """Return the rate on the wire, where 1448 of 1500 bytes are payload."""
        found = [
            row["goodput_mbit_s"] for row in rows if row["name"] == f"down {number}" and begin < row["time_s"] <= end
        ]
        return sum(found) / len(found) * 1500 / 1448

    clear = [mean(number, 30, 60) for number in range(1, 21)]
    rain = [mean(number, 80, 110) for number in range(1, 21)]
    assert clear == pytest.approx([100 / 21] * 19 + [200 / 21], rel=0.03)
    assert rain == pytest.approx([10 / 3] * 19 + [20 / 3], rel=0.03)


@pytest.mark.parametrize(
    ("carriers", "keys", "message"),
    [
        (
            'forward_carriers = [{ name = "down", rate = "10 Mbit/s" }]',
            'forward = { carrier = "dwn" }',
            'branches[0].forward.carrier: unknown forward carrier "dwn" (did you mean "down"?)',
        ),
        (
            "",
            'forward = { carrier = "down" }',
            'unknown forward carrier "down" (write forward_carriers = [{ name = "down", rate = "100 Mbit/s" }] in '
            "`network.star`)",
        ),
        (
            'forward_carriers = [{ name = "down", rate = "10 Mbit/s" }, { name = "down", rate = "1 Mbit/s" }]',
            'forward = { carrier = "down" }',
            'forward_carriers[1].name: the carrier name "down" is used twice (give each carrier its own name)',
        ),
        (
            'forward_carriers = [{ name = "down", rate = "10 Mbit/s" }, { name = "idle", rate = "1 Mbit/s" }]',
            'forward = { carrier = "down" }',
            'forward_carriers[1]: the carrier "idle" has no branch (write forward = { carrier = "idle" } in a branch, '
            "or remove the carrier)",
        ),
        (
            'forward_carriers = [{ name = "down", rate = "10 Mbit/s" }]',
            'forward = { carrier = "down" }, rate = "20 Mbit/s"',
            "branches[0].rate: the branch's rate of 20 Mbit/s is above the rate of the carrier "
            '"down", which is 10 Mbit/s (write 10 Mbit/s or less, or a higher rate of the carrier)',
        ),
        (
            'forward_carriers = [{ name = "down", rate = "10 Mbit/s" }]',
            'forward = { carrier = "down" }, warn_above = 10',
            "branches[0].forward: a link that takes turns on a carrier sends no congestion warnings (remove "
            "`warn_above`, or `forward`)",
        ),
        (
            'forward_carriers = [{ name = "down", rate = "10 Mbit/s" }]',
            'forward = { carrier = "down" }, trace = "a.trace"',
            "branches[0].trace: a trace sets the times of delivery of a single link, but the branch shares the "
            'carrier "down" with other branches (write rate, rate_steps or budget instead, or remove `forward`)',
        ),
    ],
)
def test_what_no_beam_can_be(carriers: str, keys: str, message: str) -> None:
    text = (
        f'[network.star]\n{carriers}\nbranches = [\n{{ site = "a", delay = "275 ms", {keys} }}]\n[[flows]]\n'
        'controller = "reno"\nfrom = "hub"\nto = "a"\n'
    )
    with pytest.raises(bp.ScenarioError) as error:
        bp.run(text)
    assert message in str(error.value)
