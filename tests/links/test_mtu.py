# SPDX-License-Identifier: MIT OR Apache-2.0
"""Links with an MTU: what QUIC's path MTU discovery finds, and what is told of packets that are too large."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

import bentpipe as bp

if TYPE_CHECKING:
    from pathlib import Path

    from bentpipe.results.summary_types import FlowSummary
    from project import Command

#: Headers of IPv4 and UDP.
HEADERS = 28
#: RFC 8899, section 5.1.2: a size is given up after this many lost probes.
MAX_PROBES = 3
#: noq-proto's `MtuDiscoveryConfig::minimum_change`: a binary search ends when its next step would be smaller. The steps
#: are half of the interval in which the answer lies.
LEAST_STEP = 20


def line(**keys: Any) -> bp.Dumbbell:
    """10 Mbit/s and 40 ms; the queue holds all that a transfer of 5 MB can send."""
    return bp.Dumbbell(**{"rate": "10 Mbit/s", "rtt": "40 ms", "queue": "9000 packets", **keys})


def hop(mtu: str | None = None) -> bp.Link:
    return bp.Link(rate="10 Mbit/s", delay="5 ms", mtu=mtu)


def quic(**keys: Any) -> bp.Flow:
    return bp.Flow(controller="cubic", transport="quic", size="5 MB", quic=bp.Quic(**keys))


def found_size(flow: FlowSummary) -> int:
    """The datagram size at the end."""
    assert flow["quic"] is not None
    assert flow["quic"]["closed"] is None
    return flow["quic"]["datagram_bytes"]


def run(network: Any, *flows: bp.Flow, duration: str = "20 s", **keys: Any) -> bp.Run:
    return bp.run(bp.Scenario(name="sizes", duration=duration, network=network, flows=list(flows)), **keys)


@pytest.mark.parametrize("controllers", ["bentpipe", "library"])
@pytest.mark.parametrize("mtu", [1228, 1300, 1400, 1479, 1480])
def test_discovery_finds_the_mtu_of_the_path(mtu: int, controllers: str) -> None:
    """The largest size that passes, to what the search may leave; and what was lost on the way are probes alone."""
    found = run(line(mtu=f"{mtu} B"), quic(controllers=controllers))
    flow, link = found.summary["flows"][0], found.summary["links"][0]
    fits = min(mtu - HEADERS, 1452)
    assert max(1200, fits - 2 * LEAST_STEP) <= found_size(flow) <= fits
    assert flow["completed_at_s"] is not None
    lost = flow["losses"]
    probes = lost.get("too_large", 0)
    assert probes == link["dropped_too_large"]
    assert probes % MAX_PROBES == 0
    assert (probes > 0) is (fits < 1452)
    assert lost["queue"] == lost["error"] == lost["outage"] == 0
    # RFC 9000, section 14.4: a lost probe is not a sign of congestion.
    assert flow["cuts"] == flow["timeouts"] == 0


def test_a_path_of_several_links_has_the_smallest_mtu() -> None:
    links = [hop(f"{mtu} B") for mtu in (1500, 1350, 9000)]
    found = run(bp.Chain(links=links), quic(largest_datagram="8000 B"))
    flow = found.summary["flows"][0]
    assert 1350 - HEADERS - 2 * LEAST_STEP <= found_size(flow) <= 1350 - HEADERS
    wide = run(bp.Chain(links=[links[2]]), quic(largest_datagram="8000 B")).summary["flows"][0]
    assert 8000 - 2 * LEAST_STEP <= found_size(wide) <= 8000
    assert "too_large" not in wide["losses"]


def test_without_probes_that_are_too_large_nothing_is_lost_or_told() -> None:
    found = run(line(mtu="1400 B"), quic(largest_datagram="1372 B"))
    plain = run(line(), quic(largest_datagram="1372 B"))
    assert found.summary["links"][0]["dropped_too_large"] == 0
    assert found.summary["flows"] == plain.summary["flows"]
    assert not found.findings


def test_what_is_too_large_is_told_everywhere(tmp_path: Path) -> None:
    """The same number in the summary, in the tables, and in the totals; and the folder runs again as it is."""
    record = bp.Record(packets=True, interval="100 ms")
    scenario = bp.Scenario(name="told", duration="10 s", network=line(mtu="1400 B"), record=record, flows=[quic()])
    found = bp.run(scenario, out=tmp_path / "r")
    (flow,), totals, links = found.summary["flows"], found.summary["totals"], found.summary["links"]
    number = flow["losses"]["too_large"]
    assert number > 0
    assert links[0]["dropped_too_large"] == number
    assert totals["loss_ratio_too_large"] == number / flow["sent_packets"]
    assert sum(found.flows["lost_too_large"]) == number
    everywhere = sum(link["dropped_too_large"] or 0 for link in links)
    assert sum(found.links["dropped_too_large"]) == everywhere
    assert found.packets["event"].count("drop: too large") == everywhere
    sizes = [
        size for size, event in zip(found.packets["bytes"], found.packets["event"], strict=True) if "large" in event
    ]
    assert min(sizes) > 1400
    (finding,) = found.findings
    assert (finding["kind"], finding["magnitude"]) == ("too-large", number)
    assert f"{number} data packets of the flow exceeded the MTU of a link and were dropped" in finding["text"]
    assert '"left > right" carries packets of at most 1400 B' in finding["text"]
    assert 'largest_datagram = "1372 B"' in finding["text"]
    again = bp.run(tmp_path / "r" / "scenario.toml")
    assert again.summary == found.summary


def test_tcp_whose_segments_fit_does_not_notice_the_mtu() -> None:
    flow = bp.Flow(controller="cubic", tcp=bp.Tcp(mss="1348 B", recovery="rack", setup="handshake"))
    found, plain = (run(one, flow, duration="5 s") for one in (line(mtu="1400 B", queue="1 BDP"), line(queue="1 BDP")))
    assert found.summary["flows"] == plain.summary["flows"]
    assert found.summary["links"][0]["dropped_too_large"] == 0


def test_links_without_an_mtu_say_nothing_of_it() -> None:
    found = run(line(), quic())
    assert found_size(found.summary["flows"][0]) == 1452
    assert "mtu" not in found.scenario
    assert "too_large" not in str(found.summary)


def test_segments_that_a_proxy_makes_too_large_are_told() -> None:
    """The flow's own segments fit; the two proxies' larger ones do not pass the link between them."""
    scenario = bp.Scenario(
        name="split",
        duration="5 s",
        network=bp.Chain(links=[hop(), hop("1400 B"), hop()]),
        flows=[bp.Flow(controller="cubic", from_="0", to="3", tcp=bp.Tcp(mss="1000 B"))],
        peps=[bp.Pep(at=["1", "2"], buffer="1 MB", tcp=bp.Tcp(mss="1448 B"))],
    )
    told = {finding["kind"]: finding["text"] for finding in bp.run(scenario).findings}
    assert '"1 > 2" carries packets of at most 1400 B' in told["too-large"]
    assert "write a larger `mtu`, or smaller packets" in told["too-large"]


def test_the_command_refuses_segments_that_cannot_pass(cli: Command, tmp_path: Path) -> None:
    text = 'duration = "1 s"\nnetwork.dumbbell = { rate = "9 Mbit/s", rtt = "9 ms", mtu = "1400 B" }\n[[flows]]\n'
    (tmp_path / "a.toml").write_text(text + 'controller = "reno"\n')
    refused = cli("run", tmp_path / "a.toml")
    assert refused.returncode == 2
    assert 'write tcp.mss = "1348 B", or mtu = "1500 B" or more' in refused.stderr
    # The key as it is printed.
    (tmp_path / "a.toml").write_text(text + 'controller = "reno"\ntcp.mss = "1348 B"\n')
    assert cli("run", tmp_path / "a.toml").returncode == 0
