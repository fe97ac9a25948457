# SPDX-License-Identifier: MIT OR Apache-2.0
"""The open choices of the beds can be set: TCP, starts of flows, rates of links, places of packet errors."""

from __future__ import annotations

import math

import pytest

import bentpipe as bp
from bentpipe_papers.a_liad import bed as a_liad
from bentpipe_papers.hybla_im import bed as hybla_im
from bentpipe_papers.transport import BARE, TCP_LINUX, on_bed
from bentpipe_papers.vegas_w import bed as vegas_w

SIZES = (1000, 40)
OURS = bp.Tcp(initial_window=4, recovery="sack")


def test_our_choices_are_for_the_bare_machine_alone() -> None:
    packets = {"mss": "1000 B", "header": "40 B"}
    assert on_bed(BARE, SIZES, OURS) == bp.Tcp(preset=BARE.preset, initial_window=4, recovery="sack", **packets)
    ns2 = bp.Tcp(preset="ns2-sack1", receive_window="unlimited")
    assert on_bed(ns2, SIZES, OURS) == bp.Tcp(preset="ns2-sack1", receive_window="unlimited", **packets)


def test_what_is_asked_for_stands_before_choices_and_what_is_read_before_that() -> None:
    assert on_bed(BARE, SIZES, OURS, initial_window=2, recovery=None).initial_window == 2
    assert on_bed(bp.Tcp(preset="linux", mss="1448 B"), SIZES, initial_window=2).mss == "1448 B"


@pytest.mark.parametrize("preset", ["ns2-sack1", "ns2-linux", "linux"])
def test_presets_are_readings_of_every_bed(preset: str) -> None:
    tcp = bp.Tcp(preset=preset)
    planned = (
        a_liad.single("A-LIAD", 1, duration_s=2.0, tcp=tcp),
        hybla_im.scenario(hybla_im.T2, 1e-3, "hybla", 1, name="x", duration="1 s", tcp=tcp),
        vegas_w.start_up("x", "vegas", 1, tcp=tcp),
    )
    for scenario in planned:
        for flow in bp.run(scenario).summary["flows"]:
            assert flow["tcp"].startswith(preset)


@pytest.mark.parametrize("controller", TCP_LINUX.values(), ids=TCP_LINUX)
def test_every_module_of_tcp_linux_runs(controller: str | dict[str, object]) -> None:
    run = bp.run(a_liad.single("x", 1, controller, duration_s=5.0, tcp=bp.Tcp(preset="ns2-linux")))
    assert run.summary["flows"][0]["goodput_mbit_s"] > 0.0


@pytest.mark.parametrize("within_s", [0.0, 0.1, 5.0])
def test_a_group_starts_within_what_is_asked_for(within_s: float) -> None:
    six = [(str(number), "reno") for number in range(6)]
    flows = a_liad.crowd(six, 1, within_s=within_s).flows
    starts = [float((flow.start or "0 s").removesuffix(" s")) for flow in flows]
    assert len(set(starts)) == (6 if within_s else 1)
    assert all(0.0 <= start <= within_s for start in starts)


def test_a_handshake_delays_a_start_by_its_round_trip() -> None:
    plain, shaken = (
        vegas_w.full_at(
            bp.run(
                vegas_w.start_up(
                    "x", vegas_w.CONTROLLERS["Vegas-W, repaired"], 1, tcp=BARE, access_mbit_s=16.0, setup=setup
                )
            )
        )
        for setup in (None, "handshake")
    )
    # A SYN is 40 bytes of 1000 on the wire: less than a sample of 27 ms.
    assert shaken - plain == pytest.approx(vegas_w.RTT_MS / 1e3, abs=0.027)


def test_the_hosts_links_have_the_rate_asked_for() -> None:
    # 95 to 105 % of it.
    rates = [float(str(vegas_w.access(seed, 20.0).rate).removesuffix(" Mbit/s")) for seed in range(20)]
    assert 19.0 <= min(rates) < 19.5 < 20.5 < max(rates) <= 21.0


@pytest.mark.parametrize(("where", "links"), [("uplink", 1), ("downlink", 1), ("isl", 2)])
def test_packets_break_as_often_as_there_are_links_that_break_them(where: hybla_im.Errors, links: int) -> None:
    # Seed 0 begins with three satellites, two links between them: Berkeley > 3/5 > 3/6 > 4/5 > Boston.
    per = 1e-2
    assert [way.count(" > ") for way in hybla_im.ways(0, 2.0)] == [4]
    scenario = hybla_im.scenario(hybla_im.T2, per, "reno", 0, name="x", duration="2 s", flows=30, errors_on=where)
    flows = bp.run(scenario).summary["flows"]
    sent, broken = (sum(flow["sent_packets"] for flow in flows), sum(flow["losses"]["error"] for flow in flows))
    share = 1.0 - (1.0 - per) ** links
    assert abs(broken / sent - share) < 4.0 * math.sqrt(share / sent)
