# SPDX-License-Identifier: MIT OR Apache-2.0
"""Losses with a memory, links with ARQ, and causes of losses, observed in complete runs."""

from __future__ import annotations

from typing import Any

import bentpipe as bp
from bentpipe.show.totals import total_lines


def sent(network: Any, duration: str = "200 s", rate: str = "1.2 Mbit/s") -> bp.FlowSummary:
    """Send a flow of 100 packets a second over a network."""
    flow = bp.Flow(kind="cbr", rate=rate, packet="1500 B")
    run = bp.run(bp.Scenario(duration=duration, network=network, flows=[flow]))
    return run.summary["flows"][0]


def test_netem_loses_its_share() -> None:
    # pi1 = 1, pi3 = 0.02 / 0.2, pi2 = pi3 0.3 / 0.5, pi4 = 0.01 (Salsano and others 2012): 0.11 of 1.17 are lost. The
    # run has 20,000 packets, and losses occur in groups of about five: sigma is 0.0045.
    netem = {"p13": 0.02, "p31": 0.2, "p32": 0.3, "p23": 0.5, "p14": 0.01}
    flow = sent(bp.Dumbbell(rate="10 Mbit/s", rtt="50 ms", loss=bp.Loss(netem=netem)))
    assert abs(flow["losses"]["error"] / flow["sent_packets"] - 0.11 / 1.17) < 0.02
    assert flow["losses"]["queue"] == flow["losses"]["outage"] == 0


def test_what_a_link_repeats_is_late_instead_of_lost() -> None:
    # Packets are 10 ms apart, and repetitions 4 ms, so no packet waits for another. 0.8 are in time (25 ms, plus 1.2 ms
    # of transmission), 0.16 are 4 ms late, and 0.2^3 = 0.008 are lost. The mean lateness of packets that arrive is
    # 4 ms (0.16 + 2 * 0.032) / 0.992.
    network = bp.Dumbbell(rate="10 Mbit/s", rtt="50 ms", loss=bp.Loss(per=0.2), arq={"repeats": 2, "delay": "4 ms"})
    flow = sent(network)
    assert abs(flow["losses"]["error"] / flow["sent_packets"] - 0.008) < 0.0032
    delay = flow["one_way_delay_ms"]
    assert abs(delay["mean"] - (26.2 + 4 * 0.224 / 0.992)) < 0.07
    assert abs(delay["p50"] - 26.2) < 0.3
    assert abs(delay["max"] - 34.2) < 0.3


def test_each_outage_is_counted_once() -> None:
    handover = bp.Handover(outage="300 ms", during="lose")
    # The flow sends more than the user's link carries, so its queue of 50 packets is lost with the link.
    slow = bp.UserLink(rate="100 kbit/s")
    satellites = bp.Constellation(preset="iridium", handover=handover, in_flight="drop", user_link=slow)
    flow = bp.Flow(kind="cbr", rate="120 kbit/s", packet="1500 B", from_="Berkeley", to="Boston")
    run = bp.run(bp.Scenario(duration="900 s", network=satellites, flows=[flow]))
    lost = run.summary["flows"][0]
    assert lost["outages"]["switch"] > 0
    assert sum(lost["outages"].values()) == lost["losses"]["outage"]
    assert lost["outages"]["link_gone"] >= 50
    assert lost["losses"]["queue"] > 0
    assert any(f"{lost['outages']['switch']} while a link switched over" in line for line in total_lines(run))
    listed = sent(bp.Dumbbell(rate="10 Mbit/s", rtt="50 ms", loss=bp.Loss(spans=[("1 s", "2 s")])), duration="5 s")
    assert listed["outages"] == {"switch": 0, "link_gone": 0, "no_path": 0, "listed": listed["losses"]["outage"]}
    assert listed["losses"]["outage"] == 100
    assert "outages" not in sent(bp.Dumbbell(rate="10 Mbit/s", rtt="50 ms"), duration="5 s")
