# SPDX-License-Identifier: MIT OR Apache-2.0
"""Captures at both ends of links, read by tshark and compared with the counts of the run for these links."""

from __future__ import annotations

import itertools
import subprocess
import sys
from decimal import Decimal
from pathlib import Path

import pytest

import bentpipe as bp
from project import Command
from sharks import LOSSY, shark, tshark
from waiting import HANG_S

#: The fields that identify a packet at the end of a link.
WHO = ("ip.src", "ip.id")
#: Satellites rise and set. If a link ends, the packets that propagate on it are lost.
MOVING = """
name = "moving"
duration = "200 s"
warm_up = "0 s"
[network.constellation]
preset = "iridium"
in_flight = "drop"
[[flows]]
name = "steady"
kind = "cbr"
rate = "400 kbit/s"
packet = "500 B"
from = "Berkeley"
to = "Boston"
stop = "195 s"
"""


def at(file: Path, end: str, *also: str) -> dict[tuple[str, ...], Decimal]:
    """Return the time of each packet at an interface. A host sends fewer than 65,536 packets, so IP IDs are unique."""
    rows = shark(file, f'frame.interface_name == "{end}"' + "".join(also), "frame.time_epoch", *WHO)
    when = {tuple(row[1:]): Decimal(row[0]) for row in rows}
    assert len(when) == len(rows) > 0
    return when


def counted(run: bp.Run, link: str, what: str) -> int:
    """Return a count of the table of links, summed over the whole run."""
    names, counts = run.links["name"], run.links[what]
    return sum(int(count) for name, count in zip(names, counts, strict=True) if name == link)


@tshark
def test_what_is_lost_on_a_link_left_one_end_and_did_not_reach_the_other(tmp_path: Path) -> None:
    run = bp.run(LOSSY, out=tmp_path / "r", pcap=["bulk"], pcap_links=["*"])
    assert [file.name for file in run.captures] == ["bulk.receiver.pcapng", "bulk.sender.pcapng", "links.pcapng"]
    links = tmp_path / "r" / "captures" / "links.pcapng"
    for link, host in (("left > right", "sender"), ("right > left", "receiver")):
        sent, received = at(links, f"{link}: sent"), at(links, f"{link}: received")
        assert received.keys() <= sent.keys()
        assert len(sent) - len(received) == counted(run, link, "dropped_error")
        # Packets that the queue dropped have left the host, but are not on the link.
        way = "ip.dst" if host == "receiver" else "ip.src"
        at_host = shark(links.with_name(f"bulk.{host}.pcapng"), f"{way} == 10.0.0.1")
        assert len(at_host) - len(sent) == counted(run, link, "dropped_queue")
    assert counted(run, "left > right", "dropped_error") > 0
    assert counted(run, "left > right", "dropped_queue") > 0


@tshark
def test_between_the_ends_lie_serialisation_and_propagation(tmp_path: Path) -> None:
    run = bp.run(LOSSY, out=tmp_path / "r", pcap=["bulk"], pcap_links=["left > right"])
    (flow,) = run.summary["flows"]
    links, sender = (tmp_path / "r" / "captures" / name for name in ("links.pcapng", "bulk.sender.pcapng"))
    data = " && tcp.len == 1448"
    sent, received = at(links, "left > right: sent", data), at(links, "left > right: received", data)
    # 1500 bytes at 10 Mbit/s take 1.2 ms, and the propagation delay is half of 100 ms.
    assert {received[packet] - sent[packet] for packet in received} == {Decimal("0.0512")}
    # A packet that waits is sent when the transmission of the packet before it ends.
    begun = sorted(sent.values())
    gaps = [later - sooner for sooner, later in itertools.pairwise(begun)]
    assert min(gaps) == Decimal("0.0012")
    assert gaps.count(Decimal("0.0012")) > 1000
    # For data that arrived, the queue is between the host and the start of the link.
    left = at(sender, "bulk sender", " && ip.src == 10.0.0.1")
    every = at(links, "left > right: sent", " && (tcp.len > 0 || tcp.flags.fin == 1)")
    arrived = at(links, "left > right: received", " && (tcp.len > 0 || tcp.flags.fin == 1)")
    waits = [float(every[packet] - left[packet]) * 1000 for packet in arrived]
    assert sum(waits) / len(waits) == pytest.approx(flow["queueing_delay_ms"]["mean"], rel=1e-3)


@tshark
def test_a_queue_that_manages_itself_marks_and_drops_before_the_link(tmp_path: Path) -> None:
    text = LOSSY.replace('preset = "linux"', 'preset = "linux", ecn = true').replace(
        'queue = "40 packets"', 'queue = { limit = "60 packets", discipline = "codel" }'
    )
    run = bp.run(text, out=tmp_path / "r", pcap_links=["left > right"])
    (flow,) = run.summary["flows"]
    links = tmp_path / "r" / "captures" / "links.pcapng"
    sent, received = at(links, "left > right: sent"), at(links, "left > right: received")
    assert len(sent) - len(received) == counted(run, "left > right", "dropped_error")
    data = " && tcp.len == 1448"
    sent, received = at(links, "left > right: sent", data), at(links, "left > right: received", data)
    assert {received[packet] - sent[packet] for packet in received} == {Decimal("0.0512")}
    marked = shark(links, 'ip.dsfield.ecn == 3 && frame.interface_name == "left > right: received"')
    assert len(marked) == flow["marked_packets"] > 0


@tshark
def test_links_come_and_go(tmp_path: Path) -> None:
    run = bp.run(MOVING, out=tmp_path / "r", pcap_links=["*"])
    (flow,) = run.summary["flows"]
    (links,) = run.captures
    rows = shark(links, "udp", "frame.interface_name", "ip.id")
    places = [tuple(row) for row in rows]
    assert len(set(places)) == len(places)
    names = {name.removesuffix(": sent") for name, _ in places if name.endswith(": sent")}
    lost = 0
    for name in names:
        sent = {number for end, number in places if end == f"{name}: sent"}
        received = {number for end, number in places if end == f"{name}: received"}
        assert received <= sent
        assert len(received) == counted(run, name, "delivered_packets"), name
        lost += len(sent - received)
    assert len(names) > 8
    # If a link ends, waiting packets are sent over another link, and propagating packets are lost.
    assert lost == flow["losses"]["outage"] > 0
    assert sum(name.startswith("Berkeley >") and end == "sent" for name, end in (p[0].split(": ") for p in places))
    info = subprocess.run(["capinfos", "-o", str(links)], capture_output=True, text=True, check=True).stdout
    assert "Strict time order:   True" in info


@tshark
def test_hosts_links_are_links_too(tmp_path: Path) -> None:
    text = LOSSY.replace('size = "2 MB"', 'size = "200 kB", access = { rate = "20 Mbit/s", delay = "1 ms" }')
    run = bp.run(text, out=tmp_path / "r", pcap_links=["bulk sender *"])
    (links,) = run.captures
    ends = {row[0] for row in shark(links, "tcp", "frame.interface_name")}
    assert ends == {f"bulk sender {way}: {what}" for way in ("up", "down") for what in ("sent", "received")}
    data = " && tcp.len == 1448"
    sent, received = at(links, "bulk sender up: sent", data), at(links, "bulk sender up: received", data)
    assert {received[packet] - sent[packet] for packet in sent} == {Decimal("0.0016")}


def test_flows_that_are_named_alone_show_at_links(cli: Command, tmp_path: Path) -> None:
    scenario = tmp_path / "s.toml"
    scenario.write_text(
        'duration = "1 s"\nnetwork.dumbbell = { rate = "5 Mbit/s", rtt = "40 ms" }\n'
        'flows = [{ name = "bulk", controller = "reno" }, { name = "cross", kind = "cbr", rate = "1 Mbit/s" }]\n'
        '[record]\npcap_links = ["left > right"]\n'
    )
    assert cli("run", scenario, "--out", "both").returncode == 0
    assert cli("run", scenario, "--out", "one", "--pcap", "cross").returncode == 0
    one, both = (tmp_path / name / "captures" for name in ("one", "both"))
    assert [file.name for file in both.iterdir()] == ["links.pcapng"]
    assert sorted(file.name for file in one.iterdir()) == [
        "cross.receiver.pcapng",
        "cross.sender.pcapng",
        "links.pcapng",
    ]
    assert (one / "links.pcapng").stat().st_size < (both / "links.pcapng").stat().st_size / 2


@pytest.mark.parametrize(
    ("network", "link", "words"),
    [
        (
            '{ dumbbell = { rate = "5 Mbit/s", rtt = "40 ms" } }',
            "left > wrong",
            ("s.toml:4: record.pcap_links", 'no link is called "left > wrong"', '"left > right", "right > left"', "*"),
        ),
        ('{ constellation = { preset = "iridium" } }', "Berkeley > Bostn", ('no link is called "Berkeley > Bostn"',)),
        ('{ constellation = { preset = "iridium" } }', "Berkeley", ('no link is called "Berkeley"',)),
    ],
)
def test_a_link_that_is_not_there_is_refused(
    network: str, link: str, words: tuple[str, ...], cli: Command, tmp_path: Path
) -> None:
    ends = ', from = "Berkeley", to = "Boston"' if "iridium" in network else ""
    (tmp_path / "s.toml").write_text(
        f'duration = "1 s"\nnetwork = {network}\nflows = [{{ controller = "reno"{ends} }}]\n'
        f'record.pcap_links = ["{link}"]\n'
    )
    done = cli("run", "s.toml", "--out", "r")
    assert done.returncode == 2
    assert [word for word in words if word not in done.stderr] == [], done.stderr
    assert sorted(file.name for file in tmp_path.iterdir()) == ["s.toml"]


def test_captures_are_the_same_on_any_number_of_threads(tmp_path: Path) -> None:
    text = LOSSY + 'record = { pcap = ["bulk"], pcap_links = ["*"], qlog = ["bulk"] }\n'
    texts = [text, text.replace('"cubic"', '"reno"'), text]
    folders = [tmp_path / name for name in ("first", "between", "second")]
    bp.run_many(texts, out=folders, threads=3)
    bp.run(text, out=tmp_path / "alone")
    names = sorted(file.name for file in (tmp_path / "alone" / "captures").iterdir())
    assert names == ["bulk.receiver.pcapng", "bulk.sender.pcapng", "bulk.sqlog", "links.pcapng"]
    for name in names:
        alone = (tmp_path / "alone" / "captures" / name).read_bytes()
        assert all((folder / "captures" / name).read_bytes() == alone for folder in (folders[0], folders[2])), name


def test_the_estimate_counts_captures(tmp_path: Path) -> None:
    text = LOSSY.replace('size = "2 MB", ', "").replace(", loss = { per = 1e-3 }", "")
    quiet = text + 'record = { interval = "off", events = false'
    chosen = {"pcap": ["bulk"], "pcap_links": ["*"], "qlog": ["bulk"]}
    for number, (kinds, snap) in enumerate(
        [(("pcap",), ""), (("pcap_links",), ""), (("qlog",), ""), (("pcap", "pcap_links"), ', snap = "65535 B"')]
    ):
        captures = {key: chosen[key] for key in kinds}
        scenario = f"{quiet}{snap} }}\n"
        said = bp.estimate_cost(scenario, out=tmp_path / f"r{number}", **captures)["disk_bytes"]
        run = bp.run(scenario, out=tmp_path / f"r{number}", **captures)
        taken = sum(file.stat().st_size for file in run.captures)
        assert 1 / 3 < said / taken < 3, (kinds, said, taken)


def test_a_disk_that_is_full_ends_the_run_and_leaves_nothing(tmp_path: Path) -> None:
    # The packets of ten days would take an hour and a terabyte. Here no file may be longer than 512 kB.
    text = LOSSY.replace('"6 s"', '"10 d"').replace('size = "2 MB", ', "")
    (tmp_path / "s.toml").write_text(text + 'record = { interval = "off", events = false }\n')
    bentpipe = Path(sys.executable).with_name("bentpipe")
    run = ["run", "s.toml", "--out", "r", "--pcap", "bulk", "--pcap-link", "*", "--costly"]
    command = ["bash", "-c", 'ulimit -f 512 && exec "$0" "$@"', str(bentpipe), *run]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=HANG_S, check=False)
    assert done.returncode != 0
    assert done.stderr.splitlines()[-1].startswith("error[folder-unwritable]: cannot write "), done.stderr
    assert ".pcapng: File too large" in done.stderr
    assert sorted(file.name for file in tmp_path.iterdir()) == ["s.toml"]
