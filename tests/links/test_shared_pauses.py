# SPDX-License-Identifier: MIT OR Apache-2.0
"""Links that share a transmitter and pause: outages at handovers, traces and steps with a rate of 0."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import bentpipe as bp
from shared_skies import below, goodput


def ring(start_s: int, during: str, scope: str | None) -> bp.Run:
    """Two sites on the equator are under a ring of satellites. The start decides which site changes its satellite.

    With a start of 160 s, site A changes after about 10 s. Site B stays with the old satellite all the time.
    """
    network = bp.Constellation(
        walker=bp.Walker(planes=1, per_plane=20, altitude="1200 km", inclination="0 deg"),
        offset=f"{start_s} s",
        isl=bp.Isl(rate="1 Gbit/s"),
        min_elevation="10 deg",
        access=bp.Access(policy="highest-elevation"),
        uplink=bp.UserLink(rate="1 Gbit/s", queue="200 packets"),
        downlink=bp.MovingLink(rate="5 Mbit/s", queue="200 packets"),
        route_step="1 s",
        sites=[
            bp.Site(name=name, latitude="0 deg", longitude=f"{east} deg")
            for name, east in [("A", 0), ("B", 4), ("hub", 2)]
        ],
        handover=bp.Handover(outage="200 ms", during=during),
        shared=bp.SharedLinks(downlink=scope) if scope else None,
    )
    flows = [bp.Flow(from_="hub", to=name, kind="cbr", rate="2 Mbit/s", packet="500 B", stop="19 s") for name in "AB"]
    return bp.run(
        bp.Scenario(name="ring", duration="20 s", network=network, flows=flows, record=bp.Record(packets=True))
    )


def test_what_is_held_at_a_handover_waits_for_its_turn_and_holds_up_nobody() -> None:
    run = ring(160, "hold", "satellite")
    held, other = run.summary["flows"]
    # The first packet of the outage waits for its whole duration. After the outage, 100 packets wait.
    assert 200 < held["one_way_delay_ms"]["max"] < 225
    assert held["queueing_delay_ms"]["max"] == pytest.approx(200, abs=10)
    # B waits at most for a full packet of the other site: 500 B at 5 Mbit/s.
    assert other["queueing_delay_ms"]["max"] < 2
    for flow in (held, other):
        assert flow["sent_packets"] == flow["delivered_packets"] == 9500
        assert sum(flow["losses"].values()) == 0
    # No packet overtakes another packet.
    packets = run.packets
    rows = zip(*(packets[name] for name in ("flow", "event", "sequence")), strict=True)
    arrived: dict[int, list[int]] = {0: [], 1: []}
    for flow, event, sequence in rows:
        if event == "deliver":
            arrived[flow].append(sequence)
    assert arrived == {0: sorted(arrived[0]), 1: sorted(arrived[1])}
    assert [len(one) for one in arrived.values()] == [9500, 9500]


def test_an_outage_is_the_same_with_a_transmitter_of_ones_own() -> None:
    """Packets wait for the end of the outage as with an own transmitter. Only then they share the new satellite."""
    alone, shared = (ring(160, "hold", scope).summary["flows"][0] for scope in (None, "satellite"))
    assert shared["one_way_delay_ms"]["max"] == pytest.approx(alone["one_way_delay_ms"]["max"], abs=2)


def test_outages_that_lose_are_as_they_were() -> None:
    held, other = ring(160, "lose", "satellite").summary["flows"]
    # 500 packets a second are lost for 200 ms, minus 10 ms: the new path is longer by this time.
    assert held["losses"]["outage"] == pytest.approx(95, abs=3)
    assert sum(other["losses"].values()) == 0


PAUSES = [{"at": f"{10 * k} ms", "rate": "10 Mbit/s"} for k in range(1000)]
PAUSES += [{"at": f"{10 * k + 5.3} ms", "rate": "0 bit/s"} for k in range(1000)]
PAUSES = [*sorted(PAUSES, key=lambda step: float(step["at"].split()[0])), {"at": "10 s", "rate": "10 Mbit/s"}]


@pytest.mark.parametrize(
    ("rates", "expected"),
    [
        # 4 s have 10 Mbit/s, and 4 s have 5. Lagos asks for 2: it gets them from the 10, and a third of the 5.
        ([{"at": "0 s", "rate": "10 Mbit/s"}, {"at": "6 s", "rate": "5 Mbit/s"}], (17 / 6, 17 / 6, 11 / 6)),
        # The mean rate is 5.3 Mbit/s. Pauses interrupt packets, but no packet is lost.
        (PAUSES, (5.3 / 3, 5.3 / 3, 5.3 / 3)),
    ],
    ids=["steps", "pauses"],
)
def test_a_transmitter_whose_rate_moves_shares_what_there_is(
    rates: list[dict[str, Any]], expected: tuple[float, ...]
) -> None:
    scenario = below((8, 8, 2), shared=bp.SharedLinks(downlink="satellite"))
    assert isinstance(scenario.network, bp.Constellation)
    scenario.network.downlink = bp.MovingLink(rate_steps=rates, queue="20 packets")
    assert goodput(scenario) == pytest.approx(expected, rel=0.02)


@pytest.mark.parametrize("burst", [1, 4])
def test_a_trace_of_deliveries_is_that_of_the_transmitter(tmp_path: Path, burst: int) -> None:
    """The trace has one packet per ms, or four packets every 4 ms: 12 Mbit/s, however many sites share it."""
    moments = [moment for moment in range(burst, 101, burst) for _ in range(burst)]
    trace = tmp_path / "deliveries.up"
    trace.write_text("".join(f"{moment}\n" for moment in moments))
    scenario = below((8, 8, 2), shared=bp.SharedLinks(downlink="satellite"))
    assert isinstance(scenario.network, bp.Constellation)
    scenario.network.downlink = bp.MovingLink(trace=str(trace), queue="20 packets")
    assert goodput(scenario) == pytest.approx((5, 5, 2), rel=0.015)


def managed(queue: dict[str, Any] | str) -> bp.Run:
    scenario = below((8, 8, 8), shared=bp.SharedLinks(downlink="satellite"))
    assert isinstance(scenario.network, bp.Constellation)
    scenario.network.downlink = bp.MovingLink(rate="10 Mbit/s", queue=queue)
    return bp.run(scenario)


def test_pie_measures_the_rate_that_a_terminal_gets() -> None:
    """RFC 8033, section 5.2: the delay is the queue length over the departure rate, here a third of the transmitter.

    With the whole rate of the transmitter, packets would wait three times the target.
    """
    queue = {"limit": "400 packets", "discipline": "pie", "target": "60 ms", "estimate": "rate"}
    waits = [flow["queueing_delay_ms"]["p50"] for flow in managed(queue).summary["flows"]]
    assert waits == pytest.approx([60] * 3, rel=0.25)


def test_a_queue_in_bdps_says_what_it_goes_by() -> None:
    notes = managed("1 BDP").summary["provenance"].get("path_notes", [])
    assert any("from the full rate of a transmitter" in note for note in notes), notes
    assert not any(
        "from the full rate of a transmitter" in note
        for note in managed("20 packets").summary["provenance"].get("path_notes", [])
    )
