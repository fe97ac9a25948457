# SPDX-License-Identifier: MIT OR Apache-2.0
"""Policers and middleboxes that clear the ECN field: passing packets, reports, and reactions of senders."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import pytest

import bentpipe as bp
from policers_by_the_book import SETTINGS, VECTORS, Profile, text
from shared_skies import below
from sharks import shark, sound, tshark

if TYPE_CHECKING:
    from pathlib import Path

WIDE = {"rate": "100 Mbit/s", "rtt": "20 ms"}


def line(**keys: Any) -> bp.Dumbbell:
    """Return a bottleneck of 10 Mbit/s and 40 ms, with these keys."""
    return bp.Dumbbell(**({"rate": "10 Mbit/s", "rtt": "40 ms"} | keys))


def stream(rate: str, packet: str = "1250 B", **keys: Any) -> bp.Flow:
    return bp.Flow(kind="cbr", rate=rate, packet=packet, **keys)


def run(network: Any, *flows: bp.Flow, duration: str = "20 s", **keys: Any) -> bp.Run:
    return bp.run(bp.Scenario(name="boxes", duration=duration, network=network, flows=list(flows)), **keys)


@pytest.mark.parametrize("name", SETTINGS)
def test_vectors_are_those_of_the_books(name: str) -> None:
    assert (VECTORS / f"{name}.csv").read_text() == text(name)


def test_every_file_has_its_book() -> None:
    assert {file.stem for file in VECTORS.glob("*.csv")} == set(SETTINGS)


@pytest.mark.parametrize(("rate_mbit_s", "burst_kb"), [(5.0, 150.0), (1.0, 1.25), (12.5, 40.0)])
def test_a_source_that_always_sends_takes_burst_and_rate(rate_mbit_s: float, burst_kb: float) -> None:
    """With a packet of 1250 bytes every 0.5 ms, burst + rate t bytes pass by time t, to a packet, and never more."""
    network = line(**WIDE, policer=bp.Policer(rate=f"{rate_mbit_s} Mbit/s", burst=f"{burst_kb} kB"))
    profile = Profile(round(rate_mbit_s * 1e6), round(burst_kb * 1000))
    for seconds in (1, 3):
        found = run(network, stream("20 Mbit/s"), duration=f"{seconds} s")
        flow, link = found.summary["flows"][0], found.summary["links"][0]
        count = flow["sent_packets"]
        assert count == 2000 * seconds
        passed = count - (link["dropped_policer"] or 0)
        profile.passed.clear()
        assert passed == sum(profile.passes(number * 500_000, 1250) for number in range(count))
        most = (1000 * burst_kb + rate_mbit_s * 1e6 / 8 * seconds) / 1250
        assert most - 2 <= passed <= most
        assert flow["losses"] == {"queue": 0, "error": 0, "outage": 0, "policer": link["dropped_policer"]}


def test_a_stream_within_its_profile_loses_nothing_and_waits_for_nothing() -> None:
    network = line(**WIDE, policer=bp.Policer(rate="8 Mbit/s", burst="1250 B"))
    found, plain = (run(one, stream("8 Mbit/s")) for one in (network, line(**WIDE)))
    assert found.summary["links"][0]["dropped_policer"] == 0
    assert found.summary["flows"] == plain.summary["flows"]
    assert not found.findings


def test_each_direction_has_its_own_box() -> None:
    """Pings of 1000 bytes have 800 kbit/s in each direction. A policer in one of the directions halves them."""
    ping = bp.Flow(kind="ping", interval="10 ms", packet="1000 B")
    policer = bp.Policer(rate="400 kbit/s", burst="2 kB")
    for network, there, back in (
        (line(policer=policer), True, False),
        (line(reverse=bp.Link(policer=policer)), False, True),
    ):
        links = run(network, ping).summary["links"]
        told = [link.get("dropped_policer") for link in links]
        assert [one is not None for one in told] == [there, back]
        assert sum(one or 0 for one in told) == pytest.approx(1000, abs=5)


def test_a_link_that_is_the_same_both_ways_has_two_buckets() -> None:
    """Streams of 8 Mbit/s in both directions get 5 Mbit/s each, and not half of 5."""
    policer = bp.Policer(rate="5 Mbit/s", burst="12.5 kB")
    network = bp.Chain(links=1, link=bp.Link(rate="100 Mbit/s", delay="5 ms", policer=policer))
    found = run(network, stream("8 Mbit/s", from_="0", to="1"), stream("8 Mbit/s", from_="1", to="0"))
    for flow in found.summary["flows"]:
        assert flow["goodput_mbit_s"] == pytest.approx(5, rel=0.01)


def test_what_is_policed_is_told_everywhere(tmp_path: Path) -> None:
    """Summary, tables and totals have the same number, and the folder runs again without changes."""
    network = line(queue="20 packets", policer=bp.Policer(rate="5 Mbit/s", burst="30 kB"))
    record = bp.Record(packets=True, interval="100 ms")
    scenario = bp.Scenario(
        name="told", duration="10 s", network=network, record=record, flows=[bp.Flow(controller="cubic")]
    )
    found = bp.run(scenario, out=tmp_path / "r")
    (flow,), totals, link = found.summary["flows"], found.summary["totals"], found.summary["links"][0]
    policed = flow["losses"]["policer"]
    assert policed > 50
    assert link["dropped_policer"] == policed
    assert totals["loss_ratio_policer"] == policed / flow["sent_packets"]
    assert sum(found.flows["lost_policer"]) == sum(found.links["dropped_policer"]) == policed
    assert found.packets["event"].count("drop: policer") == policed
    assert {cause for cause in found.events["cause"] if cause} == {"policer"}
    verdicts = flow["verdicts"]
    assert verdicts["congestion_as_congestion"] > 5
    assert verdicts["congestion_as_error"] == verdicts["error_as_congestion"] == verdicts["spurious"] == 0
    (finding,) = found.findings
    assert finding["kind"] == "policed"
    assert finding["magnitude"] == policed
    assert "The policer of left > right passes a rate of 5" in finding["text"]
    assert "a burst of 30000 B" in finding["text"]
    again = bp.run(tmp_path / "r" / "scenario.toml")
    assert again.summary == found.summary


def test_who_loses_little_to_a_policer_is_not_called_policed() -> None:
    """A queue of 20 packets before the same rate causes most drops, because the bucket is deep."""
    network = line(rate="5 Mbit/s", queue="20 packets", policer=bp.Policer(rate="5 Mbit/s", burst="1 MB"))
    found = run(network, bp.Flow(controller="cubic"))
    assert found.summary["flows"][0]["losses"]["queue"] > 10
    assert not found.findings


def test_links_without_boxes_say_nothing_of_them() -> None:
    plain = run(line(), bp.Flow(controller="cubic"))
    off = run(line(ecn_bleach=False, reverse=bp.Link(ecn_bleach=False)), bp.Flow(controller="cubic"))
    assert plain.scenario == off.scenario
    assert plain.summary == off.summary
    assert "policer" not in plain.scenario
    assert "bleach" not in plain.scenario
    assert "policer" not in str(plain.summary)
    assert "bleached" not in str(plain.summary)


@pytest.mark.parametrize(
    ("rate_mbit_s", "rtt_ms", "burst_kb"), [(2.0, 20, 15.0), (10.0, 20, 15.0), (2.0, 60, 60.0), (40.0, 60, 60.0)]
)
def test_bbr_finds_the_rate_of_a_policer(rate_mbit_s: float, rtt_ms: int, burst_kb: float) -> None:
    """Linux treats two throughputs as equal if they differ by at most 1/8 or 4 kbit/s (`bbr_lt_bw_ratio`,
    `bbr_lt_bw_diff`). The found rate must be that near. Delivered bytes are payload, 1448 of 1500 bytes."""
    policer = bp.Policer(rate=f"{rate_mbit_s} Mbit/s", burst=f"{burst_kb} kB")
    network = line(rate="200 Mbit/s", rtt=f"{rtt_ms} ms", queue="4 BDP", policer=policer)
    found = {}
    for on in (True, False):
        sender = {"name": "bbr1", "policer": on}
        record = bp.Record(interval="100 ms")
        flows = [bp.Flow(controller=sender, tcp=bp.Tcp(recovery="rack"))]
        made = bp.run(bp.Scenario(name="lt", duration="30 s", network=network, record=record, flows=flows))
        rows = zip(made.snapshots["name"], made.snapshots["value"], strict=True)
        seen = [value for name, value in rows if name == "policed_bandwidth_mbit_s"]
        found[on] = (seen, made.summary["flows"][0])
    payload = rate_mbit_s * 1448 / 1500
    (seen, with_it), (none, without) = found[True], found[False]
    assert not none
    assert len(seen) > 20
    assert all(abs(value - payload) <= max(payload / 8, 0.004) for value in seen), (min(seen), max(seen))
    # BBR also paces at the found rate, so fewer of its packets are lost.
    assert with_it["losses"]["policer"] < 0.9 * without["losses"]["policer"]


def test_bbr_misses_a_policer_that_takes_too_little() -> None:
    """Linux counts an interval only if lost over delivered is 50/256 or more (`bbr_lt_loss_thresh`). STARTUP ends after
    10 round trips. From then on, no 16 round trips (the longest interval) come near this ratio."""
    policer = bp.Policer(rate="40 Mbit/s", burst="15 kB")
    network = line(rate="200 Mbit/s", rtt="20 ms", queue="4 BDP", policer=policer)
    flows = [bp.Flow(controller={"name": "bbr1", "policer": True}, tcp=bp.Tcp(recovery="rack"))]
    record = bp.Record(interval="20 ms")
    made = bp.run(bp.Scenario(name="lt", duration="10 s", network=network, record=record, flows=flows))
    assert "policed_bandwidth_mbit_s" not in made.snapshots["name"]
    lost, sent = (list(made.flows[name]) for name in ("lost_policer", "sent_packets"))
    shares = [
        sum(lost[at : at + 16]) / (sum(sent[at : at + 16]) - sum(lost[at : at + 16])) for at in range(len(lost) - 16)
    ]
    assert max(shares[:4]) > 50 / 256 > max(shares[10:]) > 0.05


SENDERS: dict[str, Literal["dctcp", "accurate-l4s", "classic", "accurate"]] = {
    "dctcp": "dctcp",
    "prague": "accurate-l4s",
    "cubic": "classic",
    "reno": "accurate",
}


@pytest.mark.parametrize("controller", SENDERS)
def test_no_mark_comes_through_a_box_that_bleaches(controller: str) -> None:
    """Without the box, queues mark and drop nothing. With the box they drop, and no mark reaches a receiver."""
    discipline: dict[str, Any] = {
        "discipline": "dualpi2" if controller == "prague" else "codel",
        "limit": "400 packets",
    }
    sender = bp.Flow(controller=controller, tcp=bp.Tcp(recovery="rack", ecn=SENDERS[controller]))
    found = run(line(queue=discipline), sender)
    (flow,) = found.summary["flows"]
    assert flow["marked_packets"] > 20
    assert flow["ecn_cuts"] > 5
    assert flow["losses"]["queue"] == 0
    assert not found.provenance["degraded"]
    found = run(line(queue=discipline, ecn_bleach=True), sender)
    (flow,), link = found.summary["flows"], found.summary["links"][0]
    assert flow["marked_packets"] == flow["reported_marks"] == flow["ecn_cuts"] == 0
    assert flow["losses"]["queue"] > 5
    (said,) = found.provenance["degraded"]
    assert "clears the ECN field (`ecn_bleach`)" in said
    # New data are ECN-capable, and in some modes also retransmissions. ACKs take the other direction.
    first = flow["sent_packets"] - flow["retransmitted_packets"]
    assert first - 3 <= (link["bleached_packets"] or 0) <= flow["sent_packets"]
    assert sum(found.links["bleached_packets"]) == link["bleached_packets"]


def test_a_mark_from_before_is_lost() -> None:
    """The first of two links marks, and the second clears the marks. No receiver sees a mark; the queue stays long."""
    queue = {"discipline": "threshold", "limit": "300 packets", "mark_above": "20 packets"}
    sender = bp.Flow(controller="dctcp", tcp=bp.Tcp(recovery="rack", ecn="dctcp"), from_="0", to="2")
    queueing = []
    for bleach in (False, True):
        links = [
            bp.Link(rate="10 Mbit/s", delay="10 ms", queue=queue),
            bp.Link(rate="100 Mbit/s", delay="10 ms", ecn_bleach=bleach),
        ]
        (flow,) = run(bp.Chain(links=links), sender).summary["flows"]
        assert (flow["marked_packets"] == 0) is bleach
        assert flow["queueing_delay_ms"] is not None
        queueing.append(flow["queueing_delay_ms"]["p50"])
    # The queues hold 20 and nearly 300 packets of 1.2 ms.
    assert queueing[0] < 30
    assert queueing[1] > 150


@tshark
@pytest.mark.parametrize("ipv6", [False, True])
def test_captures_have_the_bits_as_they_are(tmp_path: Path, ipv6: bool) -> None:
    """ECT(0) is in the sender's capture, and not at the ends of the link or the receiver. Checksums are right."""
    scenario = bp.Scenario(
        name="bits",
        duration="2 s",
        network=line(ecn_bleach=True, queue={"discipline": "codel", "limit": "100 packets"}),
        record=bp.Record(ipv6=ipv6, snap="65535 B"),
        flows=[bp.Flow(name="bulk", controller="cubic", size="300 kB", tcp=bp.Tcp(recovery="rack", ecn="classic"))],
    )
    bp.run(scenario, out=tmp_path / "r", pcap=["bulk"], pcap_links=["*"])
    field = "ipv6.tclass.ecn" if ipv6 else "ip.dsfield.ecn"
    bits = {}
    captures = tmp_path / "r" / "captures"
    for name, file, shown in (
        ("host", "bulk.sender.pcapng", "tcp.len > 0"),
        ("sent", "links.pcapng", 'tcp.len > 0 && frame.interface_name == "left > right: sent"'),
        ("received", "links.pcapng", 'tcp.len > 0 && frame.interface_name == "left > right: received"'),
        ("receiver", "bulk.receiver.pcapng", "tcp.len > 0"),
    ):
        bits[name] = {row[0] for row in shark(captures / file, shown, field)}
        assert sound(captures / file, "tcp") if ipv6 else sound(captures / file, "ip", "tcp")
    # With classic ECN, retransmissions are Not-ECT (RFC 3168, section 6.1.5).
    assert "2" in bits.pop("host")
    assert bits == {"sent": {"0"}, "received": {"0"}, "receiver": {"0"}}


def test_policers_of_links_that_take_turns() -> None:
    """Three links share a transmitter and have a policer each, as has one of two links on a carrier. Counts add up."""
    policer = bp.Policer(rate="2 Mbit/s", burst="3 kB")
    scenario = below((8.0, 8.0, 8.0), up=False, shared=bp.SharedLinks(downlink="satellite"))
    assert isinstance(scenario.network, bp.Constellation)
    scenario.network.downlink = bp.MovingLink(rate="10 Mbit/s", queue="20 packets", policer=policer)
    found = bp.run(scenario)
    for flow in found.summary["flows"]:
        assert flow["goodput_mbit_s"] == pytest.approx(2.0, rel=0.02)
        assert flow["losses"]["policer"] > 100
    star = bp.Star(
        branches=[
            bp.Branch(site="a", delay="10 ms", forward={"carrier": "down"}, policer=policer),
            bp.Branch(site="b", delay="10 ms", forward={"carrier": "down"}),
        ],
        forward_carriers=[{"name": "down", "rate": "10 Mbit/s"}],
    )
    found = run(star, *(stream("8 Mbit/s", from_="hub", to=site) for site in "ab"))
    assert [flow["goodput_mbit_s"] for flow in found.summary["flows"]] == pytest.approx([2.0, 8.0], rel=0.02)


def test_a_policer_before_assigned_capacity_and_thinned_acknowledgements() -> None:
    """Grants are requested only for packets that passed the policer. ACKs are counted before they are thinned."""
    dama = {"superframe": "40 ms", "latency": "240 ms", "vbdc": "unlimited"}
    policer = bp.Policer(rate="500 kbit/s", burst="3 kB")
    network = line(reverse=bp.Link(rate="2 Mbit/s", queue="200 packets", dama=dama, policer=policer))
    found = run(network, stream("1 Mbit/s", "500 B", from_="right", to="left"))
    assert found.summary["flows"][0]["goodput_mbit_s"] == pytest.approx(0.5, rel=0.03)
    acks = line(reverse=bp.Link(rate="50 kbit/s", queue="50 packets", acks={"thinning": "filter"}, policer=policer))
    links = run(acks, bp.Flow(controller="cubic")).summary["links"]
    assert links[1]["thinned_acks"] > 100
    assert links[1]["dropped_policer"] == 0


def test_exports_say_what_they_leave_out(tmp_path: Path) -> None:
    scenario = bp.Scenario(
        name="out",
        duration="2 s",
        network=line(policer=bp.Policer(rate="5 Mbit/s", burst="30 kB"), reverse=bp.Link(ecn_bleach=True)),
        flows=[bp.Flow(controller="cubic")],
    )
    for form in ("csv", "netem", "mahimahi", "leoreplayer"):
        notes = "\n".join(bp.export(scenario, tmp_path / form, format=form).notes)
        assert "policers are left out" in notes, form
        assert "clearing of the ECN field is left out" in notes, form


def test_load_and_cost_go_by_the_policer() -> None:
    """20 transfers of 50 kB a second (8 Mbit/s plus headers) use a link of 10 Mbit/s that a policer limits to 5."""
    flow = bp.Flow(
        name="many", kind="transfers", controller="cubic", size="50 kB", arrivals={"law": "regular", "rate": 20.0}
    )
    policed = line(policer=bp.Policer(rate="5 Mbit/s", burst="30 kB"))
    notes = [" ".join(run(network, flow, duration="5 s").warnings) for network in (line(), policed)]
    assert "which carries 5 Mbit/s" in notes[1]
    assert "which carries" not in notes[0]
    costs = [
        bp.estimate_cost(bp.Scenario(duration="60 s", network=network, flows=[bp.Flow(controller="cubic")]))
        for network in (line(), policed)
    ]
    assert costs[1]["packets"] == pytest.approx(costs[0]["packets"] / 2, rel=0.05)
