# SPDX-License-Identifier: MIT OR Apache-2.0
"""Captures of flows, which tshark and capinfos read and which must agree with the run; logs must fit qlog's schema."""

from __future__ import annotations

import json
import re
import statistics
import subprocess
from pathlib import Path
from typing import Any

import jsonschema
import pytest

import bentpipe as bp
from project import ROOT, Command
from sharks import LOSSY, column, shark, sound, tshark

SCHEMA = json.loads((ROOT / "tests" / "support" / "qlog.schema.json").read_text())
#: The congestion window is so large that only the receiver's window limits the flow: 40 segments of 1448 bytes.
WINDOWED = """
name = "windowed"
duration = "5 s"
network.dumbbell = { rate = "100 Mbit/s", rtt = "100 ms" }
flows = [{ name = "bulk", controller = "reno", tcp = { setup = "handshake", receive_window = "57920 B" } }]
"""


def captured(text: str, folder: Path, *, snap: str | None = None, qlog: tuple[str, ...] = ()) -> bp.Run:
    """Make the run of a scenario with the packets of all its flows."""
    if snap is not None:
        text += f'record.snap = "{snap}"\n'
    names = [flow["name"] for flow in bp.run(text, duration="1 ms").summary["flows"]]
    return bp.run(text, out=folder, pcap=names, qlog=qlog)


@tshark
def test_a_capture_says_where_it_is_from(tmp_path: Path) -> None:
    run = captured(LOSSY, tmp_path / "r")
    assert [file.name for file in run.captures] == ["bulk.receiver.pcapng", "bulk.sender.pcapng"]
    info = subprocess.run(
        ["capinfos", "-M", *map(str, run.captures)], capture_output=True, text=True, check=True
    ).stdout
    assert info.count("nanoseconds (9)") >= 2
    assert info.count("Raw IP") >= 2
    assert "Name = bulk sender" in info
    assert "Name = bulk receiver" in info
    assert "Capture length = 80" in info
    assert 'run of "lossy", seed 1' in info


@tshark
@pytest.mark.parametrize(
    "tcp",
    [
        '{ preset = "linux" }',
        '{ preset = "rfc", ecn = true }',
        '{ preset = "ns2-sack1" }',
        '{ preset = "ns2-newreno" }',
        '{ preset = "ns2-linux" }',
        '{ setup = "fast-open" }',
        "{}",
    ],
)
def test_every_checksum_is_right_and_nothing_is_malformed(tcp: str, tmp_path: Path) -> None:
    run = captured(LOSSY.replace('{ preset = "linux" }', tcp), tmp_path / "r", snap="65535 B")
    for file in run.captures:
        assert sound(file, "tcp", "ip")


@tshark
@pytest.mark.parametrize(
    "tcp",
    [
        '{ preset = "linux" }',
        '{ preset = "rfc", ecn = true, mss = "1428 B", header = "72 B" }',
        '{ setup = "fast-open" }',
    ],
)
def test_every_checksum_is_right_over_ipv6(tcp: str, tmp_path: Path) -> None:
    run = captured(LOSSY.replace('{ preset = "linux" }', tcp) + "record.ipv6 = true\n", tmp_path / "r", snap="65535 B")
    (flow,) = run.summary["flows"]
    for file in run.captures:
        assert sound(file, "tcp")
        assert shark(file, "ip || !ipv6 || (tcp.flags.syn == 0 && !tcp.options.timestamp.tsval)") == []
    sender = tmp_path / "r" / "captures" / "bulk.sender.pcapng"
    ends = shark(sender, "tcp.len > 0", "ipv6.src", "ipv6.dst", "ipv6.flow")
    assert set(map(tuple, ends)) == {("2001:db8::1", "2001:db8:0:1::1", "0x000001")}
    again = shark(sender, "tcp.analysis.retransmission || tcp.analysis.out_of_order")
    assert len(again) == flow["retransmitted_packets"] > 20
    # IPv6's header has 20 bytes more than IPv4's, and the longest packets still have the length that the links carry.
    full = {row[0] for row in shark(sender, "tcp.len >= 1428", "frame.len")}
    assert full == ({"1500"} if "72 B" in tcp else {"1520"})


@tshark
def test_marks_and_other_protocols_over_ipv6(tmp_path: Path) -> None:
    text = """
duration = "4 s"
network.dumbbell = { rate = "10 Mbit/s", rtt = "80 ms", queue = { limit = "80 packets", discipline = "codel" } }
flows = [
    { name = "cross", kind = "cbr", rate = "1 Mbit/s", packet = "500 B" },
    { name = "echo", kind = "ping", interval = "100 ms" },
    { name = "bulk", controller = "cubic", tcp = { preset = "linux", ecn = true } },
]
record.ipv6 = true
"""
    run = captured(text, tmp_path / "r", snap="65535 B")
    folder = tmp_path / "r" / "captures"
    cross, echo, bulk = run.summary["flows"]
    sent = shark(folder / "cross.sender.pcapng", "udp.checksum.status == 1", "ipv6.plen", "frame.len")
    assert len(sent) == cross["sent_packets"]
    assert set(map(tuple, sent)) == {("460", "500")}
    assert shark(folder / "echo.receiver.pcapng", "icmpv6.checksum.status != 1") == []
    asked = shark(folder / "echo.sender.pcapng", "icmpv6.type == 128 && frame.len == 84")
    assert len(asked) == echo["sent_packets"]
    answered = shark(folder / "echo.sender.pcapng", "icmpv6.type == 129")
    assert len(answered) == echo["delivered_packets"]
    marked = shark(folder / "bulk.receiver.pcapng", "ipv6.tclass.ecn == 3")
    assert len(marked) == bulk["marked_packets"] > 0
    assert shark(folder / "bulk.receiver.pcapng", "tcp.checksum.status != 1") == []


@tshark
def test_cross_traffic_and_echoes_are_udp_and_icmp(tmp_path: Path) -> None:
    text = """
duration = "2 s"
network.dumbbell = { rate = "10 Mbit/s", rtt = "80 ms" }
flows = [
    { name = "cross", kind = "cbr", rate = "1 Mbit/s", packet = "500 B" },
    { name = "echo", kind = "ping", interval = "100 ms" },
]
"""
    run = captured(text, tmp_path / "r", snap="65535 B")
    folder = tmp_path / "r" / "captures"
    cross, echo = run.summary["flows"]
    sent = shark(folder / "cross.sender.pcapng", "udp.checksum.status == 1", "ip.len", "udp.length")
    assert len(sent) == cross["sent_packets"]
    assert set(map(tuple, sent)) == {("500", "480")}
    assert len(shark(folder / "cross.receiver.pcapng", "udp")) == cross["delivered_packets"]
    answered = column(folder / "echo.sender.pcapng", "icmp.resptime", "icmp.resptime")
    assert len(answered) == echo["delivered_packets"]
    assert max(answered) == pytest.approx(echo["rtt_ms"]["max"], rel=1e-3)
    assert shark(folder / "echo.receiver.pcapng", "icmp.checksum.status != 1") == []


@tshark
def test_retransmissions_and_losses_are_those_of_the_run(tmp_path: Path) -> None:
    run = captured(LOSSY, tmp_path / "r")
    (flow,) = run.summary["flows"]
    sender, receiver = (tmp_path / "r" / "captures" / f"bulk.{end}.pcapng" for end in ("sender", "receiver"))
    again = shark(sender, "tcp.analysis.retransmission || tcp.analysis.out_of_order")
    assert len(again) == flow["retransmitted_packets"] > 20
    assert shark(sender, "tcp.analysis.fast_retransmission")
    # Data and the FIN are counted.
    data = "tcp.len > 0 || tcp.flags.fin == 1"
    assert len(shark(sender, data)) == flow["sent_packets"]
    assert len(shark(receiver, data)) == flow["delivered_packets"]
    assert flow["sent_packets"] - flow["delivered_packets"] == sum(flow["losses"].values())
    # Every byte is present once.
    whole = {(int(seq), int(length)) for seq, length in shark(receiver, "tcp.len > 0", "tcp.seq", "tcp.len")}
    assert sum(length for _, length in whole) == 2_000_000
    assert max(seq + length for seq, length in whole) == 2_000_001


@tshark
def test_round_trips_are_those_of_the_run(tmp_path: Path) -> None:
    run = captured(WINDOWED, tmp_path / "r")
    (flow,) = run.summary["flows"]
    sender = tmp_path / "r" / "captures" / "bulk.sender.pcapng"
    measured = [
        1000 * rtt for rtt in column(sender, "tcp.analysis.ack_rtt && tcp.dstport != 9", "tcp.analysis.ack_rtt")
    ]
    # The handshake is not counted.
    measured = measured[1:] if measured[0] < flow["rtt_ms"]["min"] else measured
    assert min(measured) == pytest.approx(flow["rtt_ms"]["min"], rel=1e-3)
    assert max(measured) == pytest.approx(flow["rtt_ms"]["max"], rel=1e-3)
    assert statistics.fmean(measured) == pytest.approx(flow["rtt_ms"]["mean"], rel=1e-2)


@tshark
def test_windows_and_bytes_in_flight_are_those_of_the_run(tmp_path: Path) -> None:
    run = captured(WINDOWED, tmp_path / "r")
    sender = tmp_path / "r" / "captures" / "bulk.sender.pcapng"
    assert set(column(sender, "tcp.srcport == 9 && tcp.flags.syn == 0", "tcp.window_size")) == {57_920.0}
    assert max(column(sender, "tcp.len > 0", "tcp.analysis.bytes_in_flight")) == 57_920.0
    assert max(run.flows["in_flight_segments"]) == 40


@tshark
def test_a_large_window_is_scaled(tmp_path: Path) -> None:
    text = WINDOWED.replace("57920 B", "1448000 B")
    captured(text, tmp_path / "r")
    sender = tmp_path / "r" / "captures" / "bulk.sender.pcapng"
    # The smallest shift with which 1,448,000 fits into 16 bits is 5.
    assert shark(sender, "tcp.flags.syn == 1", "tcp.options.wscale.shift") == [["5"], ["5"]]
    assert set(column(sender, "tcp.srcport == 9 && tcp.flags.syn == 0", "tcp.window_size")) == {1_448_000.0}


@tshark
def test_the_handshake_agrees_on_what_linux_agrees_on(tmp_path: Path) -> None:
    captured(LOSSY, tmp_path / "r")
    file = tmp_path / "r" / "captures" / "bulk.sender.pcapng"
    fields = ("tcp.flags.str", "ip.len", "tcp.options.mss_val", "tcp.options.sack_perm", "tcp.options.wscale.shift")
    syn, answer = shark(file, "tcp.flags.syn == 1", *fields)
    # 60 bytes: IP 20, TCP 20, MSS 4, SACK permitted and timestamps 12, window scale 4. tcp_rmem[2] is 6 MB, so the
    # window scale is 7.
    assert syn[1:] == answer[1:] == ["60", "1460", "0402", "7"]
    assert "S" in syn[0]
    assert shark(file, "tcp.flags.syn == 0 && !tcp.options.timestamp.tsval") == []
    # The third packet echoes the timestamp of the second packet.
    (stamp,) = shark(file, "frame.number == 2", "tcp.options.timestamp.tsval")[0]
    assert shark(file, "frame.number == 3", "tcp.options.timestamp.tsecr", "tcp.len") == [[stamp, "0"]]
    blocks = shark(file, "tcp.options.sack.count", "tcp.options.sack.count")
    assert {int(row[0]) for row in blocks} <= {1, 2, 3}
    assert blocks


@tshark
def test_fast_open_brings_a_cookie_and_data(tmp_path: Path) -> None:
    captured(LOSSY.replace('preset = "linux"', 'preset = "linux", setup = "fast-open"'), tmp_path / "r")
    file = tmp_path / "r" / "captures" / "bulk.sender.pcapng"
    ((length, cookie, packet),) = shark(file, "frame.number == 1", "tcp.len", "tcp.options.tfo.cookie", "ip.len")
    # Linux leaves space for the longest headers: 1500 - 80.
    assert (int(length), len(cookie), int(packet)) == (1420, 16, 1420 + 72)


@tshark
def test_marks_are_seen_where_they_were_set(tmp_path: Path) -> None:
    text = LOSSY.replace('preset = "linux"', 'preset = "linux", ecn = true').replace(
        'queue = "40 packets"', 'queue = { limit = "80 packets", discipline = "codel" }'
    )
    run = captured(text, tmp_path / "r")
    (flow,) = run.summary["flows"]
    sender, receiver = (tmp_path / "r" / "captures" / f"bulk.{end}.pcapng" for end in ("sender", "receiver"))
    assert len(shark(receiver, "ip.dsfield.ecn == 3")) == flow["marked_packets"] > 0
    assert shark(sender, "ip.dsfield.ecn == 3") == []
    assert shark(sender, "tcp.flags.ece == 1 && tcp.srcport == 9 && tcp.flags.syn == 0")
    assert shark(sender, "tcp.flags.cwr == 1 && tcp.len > 0")
    assert shark(receiver, "ip.checksum.status != 1") == []


def records(file: Path) -> list[dict[str, Any]]:
    """Read records by RFC 7464: each begins with a record separator and ends with a line feed."""
    parts = file.read_bytes().split(b"\x1e")
    assert parts[0] == b""
    assert all(part.endswith(b"\n") for part in parts[1:])
    return [json.loads(part) for part in parts[1:]]


def validate(name: str, value: object) -> None:
    jsonschema.Draft202012Validator({**SCHEMA, "$ref": f"#/$defs/{name}"}).validate(value)


def test_a_log_is_valid_and_its_numbers_are_the_runs(tmp_path: Path) -> None:
    # The table contains rows of the flow until the flow's end, after 2 s.
    run = bp.run(f'{LOSSY}record.interval = "50 ms"\n', out=tmp_path / "r", qlog=["bulk"])
    (flow,) = run.summary["flows"]
    assert [file.name for file in run.captures] == ["bulk.sqlog"]
    top, *events = records(run.captures[0])
    validate("QlogFileSeq", top)
    assert "The transport is TCP" in top["description"]
    assert top["trace"]["event_schemas"] == ["urn:ietf:params:qlog:events:quic-13"]
    for event in events:
        validate("Event", event)
        validate(event["name"], event["data"])
    times = [event["time"] for event in events]
    assert times == sorted(times)

    def named(name: str) -> list[dict[str, Any]]:
        return [event["data"] for event in events if event["name"] == f"quic:{name}"]

    # The sender sends the SYN, the answer to the SYN-ACK, data and the FIN.
    sent = named("packet_sent")
    assert [packet["header"]["packet_number"] for packet in sent] == list(range(len(sent)))
    carrying = [packet for packet in sent if "frames" in packet]
    assert len(carrying) == flow["sent_packets"] == len(sent) - 2
    assert sum(packet["raw"]["length"] for packet in sent) == pytest.approx(
        flow["throughput_mbit_s"] * 1e6 / 8 * flow["completed_at_s"], rel=1e-6
    )
    lost = [packet["header"]["packet_number"] for packet in named("packet_lost")]
    assert len(lost) == len(set(lost)) == flow["losses_detected"] > 20
    # Each acknowledged packet was sent and is acknowledged once. Together they contain all bytes.
    ranges = [r for packet in named("packet_received") for f in packet.get("frames", ()) for r in f["acked_ranges"]]
    acked = [number for first, last in ranges for number in range(first, last + 1)]
    assert len(acked) == len(set(acked))
    assert sum(sent[number]["raw"]["payload_length"] for number in acked) == 2_000_000
    # Each sample of the table equals the newest metrics before it.
    keys = ("time_s", "cwnd_segments", "in_flight_segments", "srtt_ms", "ssthresh_segments")
    samples = [dict(zip(keys, row, strict=True)) for row in zip(*(run.flows[key] for key in keys), strict=True)]
    metrics: dict[str, float] = {}
    left = [event for event in events if event["name"] == "quic:recovery_metrics_updated"]
    compared = 0
    for row in samples:
        while left and left[0]["time"] < row["time_s"] * 1000:
            metrics |= left.pop(0)["data"]
        if not metrics:
            continue
        compared += 1
        assert metrics["congestion_window"] == pytest.approx(row["cwnd_segments"] * 1448)
        assert metrics["bytes_in_flight"] == row["in_flight_segments"] * 1448
        assert metrics["smoothed_rtt"] == pytest.approx(row["srtt_ms"])
        assert metrics.get("ssthresh", 0) == pytest.approx((row["ssthresh_segments"] or 0) * 1448)
    assert compared > 30
    latest = [update["latest_rtt"] for update in named("recovery_metrics_updated") if "latest_rtt" in update]
    assert min(latest) == pytest.approx(flow["rtt_ms"]["min"], rel=1e-3)
    assert max(latest) == pytest.approx(flow["rtt_ms"]["max"], rel=1e-3)


def test_captures_change_nothing_else_and_are_the_same_twice(tmp_path: Path) -> None:
    text = LOSSY + "record.packets = true\n"
    for name in ("one", "two"):
        bp.run(text, out=tmp_path / name, pcap=["bulk"], qlog=["bulk"])
    bp.run(text, out=tmp_path / "without")
    first, second, without = (tmp_path / name for name in ("one", "two", "without"))
    files = sorted(file.name for file in (first / "captures").iterdir())
    assert files == ["bulk.receiver.pcapng", "bulk.sender.pcapng", "bulk.sqlog"]
    for name in files:
        assert (first / "captures" / name).read_bytes() == (second / "captures" / name).read_bytes()
    assert not (without / "captures").exists()
    for file in without.glob("*.parquet"):
        assert (first / file.name).read_bytes() == file.read_bytes(), file.name


def test_names_mean_one_flow_or_all_that_share_them(cli: Command, tmp_path: Path) -> None:
    scenario = tmp_path / "s.toml"
    scenario.write_text(
        'duration = "1 s"\nnetwork.dumbbell = { rate = "5 Mbit/s", rtt = "40 ms" }\n'
        'flows = [{ name = "Web/A", controller = "reno", count = 3 },\n'
        '    { name = "cross", kind = "cbr", rate = "1 Mbit/s" }]\n'
        '[record]\nqlog = ["web/a 2"]\n'
    )
    done = cli("run", scenario, "--out", "r", "--pcap", "web/a 3", "--pcap", "CROSS")
    assert done.returncode == 0, done.stderr
    captures = tmp_path / "r" / "captures"
    assert sorted(file.name for file in captures.iterdir()) == [
        "Web-A-2.sqlog",
        "Web-A-3.receiver.pcapng",
        "Web-A-3.sender.pcapng",
        "cross.receiver.pcapng",
        "cross.sender.pcapng",
    ]
    # A repeated run replaces its own files. Files that others added to the captures remain.
    assert cli("run", scenario, "--out", "r", "--pcap", "web/a 3", "--pcap", "CROSS").returncode == 0
    (captures / "notes.txt").write_text("mine")
    refused = cli("run", scenario, "--out", "r", "--pcap", "web/a 3", "--pcap", "CROSS")
    assert (refused.returncode, "captures" in refused.stderr) == (2, True)
    assert cli("run", scenario, "--out", "r", "--force", "--qlog", "web/a").returncode == 0
    assert (captures / "notes.txt").read_text() == "mine"
    assert {file.name for file in captures.glob("*.sqlog")} == {f"Web-A-{k}.sqlog" for k in (1, 2, 3)}


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--out", "r", "--pcap", "blk"), ('pcap: no flow is called "blk"', 'did you mean "bulk"?', "cross")),
        (("--out", "r", "--qlog", "cross"), ('qlog: the flow "cross" is of kind cbr', "name a tcp flow")),
        (("--pcap", "bulk"), ("--pcap writes into the run folder", "add --out")),
    ],
)
def test_what_cannot_be_captured_is_refused(
    options: tuple[str, ...], words: tuple[str, ...], cli: Command, tmp_path: Path
) -> None:
    scenario = tmp_path / "s.toml"
    scenario.write_text(
        'network.dumbbell = { rate = "5 Mbit/s", rtt = "40 ms" }\n'
        'flows = [{ name = "bulk", controller = "reno" }, { name = "cross", kind = "cbr", rate = "1 Mbit/s" }]\n'
    )
    done = cli("run", scenario, *options)
    assert done.returncode == 2
    assert [word for word in words if word not in done.stderr] == [], done.stderr
    assert not (tmp_path / "r").exists()


def test_a_scenario_that_names_no_flow_of_its_own_is_refused_with_its_line() -> None:
    text = LOSSY + 'record.pcap = ["bulk", "blok"]\n'
    with pytest.raises(bp.ScenarioError, match=r'<text>:6: record\.pcap\[1\]: no flow is called "blok"'):
        bp.run(text)
    with pytest.raises(bp.ScenarioError, match=r"pcap must be a list of names, not one"):
        bp.run(LOSSY, out="never", pcap="bulk")
    with pytest.raises(bp.ScenarioError, match=r"qlog writes into the run folder"):
        bp.run(LOSSY, qlog=["bulk"])


@tshark
def test_the_guide_shows_what_tshark_prints(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    page = (ROOT / "docs" / "guide" / "captures.md").read_text()
    commands = (
        "tshark -t r -r runs/bulk/captures/bulk.sender.pcapng -c 6",
        "tshark -r runs/links/captures/links.pcapng -Y ip.id==9 -T fields -e frame.time_epoch -e frame.interface_name",
        "tshark -t e -o tcp.relative_sequence_numbers:FALSE -r runs/split/captures/page-part-2.sender.pcapng -c 5",
    )
    monkeypatch.chdir(tmp_path)
    for example in re.findall(r"```python\n(.*?)```", page, re.DOTALL):
        exec(compile(example, "captures.md", "exec"), {})  # noqa: S102 - the guide's own code
    capsys.readouterr()
    dumbbell = ROOT / "scenarios" / "dumbbell.toml"
    bp.run(dumbbell, duration="2 s", out="runs/links", pcap_links=["left > right"])
    for command in commands:
        (shown,) = re.findall(rf"```sh\n{re.escape(command)}\n```\n+```text\n(.*?)```", page, re.DOTALL)
        said = subprocess.run(command.split(), capture_output=True, text=True, check=True).stdout
        assert said.split() == shown.split()
