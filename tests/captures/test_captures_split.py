# SPDX-License-Identifier: MIT OR Apache-2.0
"""Captures of flows that proxies split. In tshark each part is a connection of its own. The connections are compared
with the numbers of the run, and with numbers computed by hand."""

from __future__ import annotations

import json
import subprocess
from collections import Counter, defaultdict
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from test_captures import records, validate

import bentpipe as bp
from bent_pipes import bent_pipe
from sharks import column, shark, sound, tshark

MSS = 1448
SIZE = 2_000_000
#: One percent of the packets is lost between the proxies, and none elsewhere. Another flow is not split.
LOSSY = """
name = "split"
duration = "20 s"
[network.dumbbell]
rate = "10 Mbit/s"
rtt = "100 ms"
queue = "2 BDP"
loss = { per = 0.02 }
reverse = { rate = "10 Mbit/s", queue = "1 BDP", loss = { per = 0.0 } }
[[flows]]
name = "file"
controller = "cubic"
size = "2 MB"
access = { rate = "100 Mbit/s", delay = "10 ms" }
tcp = TCP
[[flows]]
name = "beside"
kind = "cbr"
rate = "1.2 Mbit/s"
packet = "1500 B"
stop = "5 s"
[[peps]]
at = ["left", "right"]
buffer = "1 MB"
controller = "hybla"
[record]
snap = "65535 B"
"""
#: The name of the file for both ends of each part.
ENDS = {
    (1, "sender"): "file.sender",
    (1, "receiver"): "file-part-1.receiver",
    (2, "sender"): "file-part-2.sender",
    (2, "receiver"): "file-part-2.receiver",
    (3, "sender"): "file-part-3.sender",
    (3, "receiver"): "file.receiver",
}
AGAIN = "tcp.analysis.retransmission || tcp.analysis.out_of_order"
#: Filter for the packets that are sent and counted: data and the FIN.
DATA = "(tcp.len > 0 || tcp.flags.fin == 1)"
#: Initial sequence numbers of the parts.
INITIAL = 100_000_000


def lossy(folder: Path, tcp: str = '{ preset = "linux" }', **captured: list[str]) -> bp.Run:
    return bp.run(LOSSY.replace("TCP", tcp), out=folder, **captured)


def file_of(run: bp.Run, part: int, end: str) -> Path:
    return next(file for file in run.captures if file.name == f"{ENDS[part, end]}.pcapng")


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> bp.Run:
    return lossy(tmp_path_factory.mktemp("split") / "r", pcap=["file"], qlog=["file"])


def test_each_end_of_each_part_has_a_file_and_each_sender_a_log(run: bp.Run) -> None:
    logs = ["file.sqlog", "file-part-2.sqlog", "file-part-3.sqlog"]
    assert {file.name for file in run.captures} == {f"{name}.pcapng" for name in ENDS.values()} | set(logs)


@tshark
def test_a_file_says_where_it_was_captured(run: bp.Run) -> None:
    said = {
        (part, end): subprocess.run(["capinfos", file_of(run, part, end)], capture_output=True, text=True, check=True)
        for part, end in ENDS
    }
    names = {key: done.stdout.partition("Name = ")[2].splitlines()[0] for key, done in said.items()}
    assert names == {
        (1, "sender"): "file sender",
        (1, "receiver"): "file part 1 receiver",
        (2, "sender"): "file part 2 sender",
        (2, "receiver"): "file part 2 receiver",
        (3, "sender"): "file part 3 sender",
        (3, "receiver"): "file receiver",
    }
    described = 'the proxy at "right" on behalf of 10.128.0.1, receiver of "file part 2"'
    assert described in said[2, "receiver"].stdout


@tshark
@pytest.mark.parametrize("part", [1, 2, 3])
def test_retransmissions_and_losses_of_a_part_are_those_of_the_run(run: bp.Run, part: int) -> None:
    sender, receiver = file_of(run, part, "sender"), file_of(run, part, "receiver")
    summary = run.summary["parts"][part - 1]
    assert (summary["retransmitted_packets"] > 10) == (part == 2)
    assert len(shark(sender, AGAIN)) == summary["retransmitted_packets"]
    assert len(shark(sender, DATA)) == summary["sent_packets"]
    assert len(shark(receiver, DATA)) == summary["delivered_packets"]
    assert summary["sent_packets"] - summary["delivered_packets"] == sum(summary["losses"].values())


@tshark
@pytest.mark.parametrize(("part", "end"), ENDS)
def test_tshark_complains_of_what_was_lost_and_of_nothing_else(run: bp.Run, part: int, end: str) -> None:
    file = file_of(run, part, end)
    assert sound(file, "tcp", "ip")
    fields = ("ip.src", "tcp.srcport", "ip.dst", "tcp.dstport", "tcp.flags.str", "tcp.seq_raw", "tcp.seq", "tcp.len")
    rows = shark(file, "tcp", *fields)
    # The proxies are transparent: addresses and ports are those of the hosts on both sides of a proxy.
    ways = {tuple(row[:4]) for row in rows}
    there = ("10.0.0.1", "49152", "10.128.0.1", "9")
    assert ways == {there, there[2:] + there[:2]}
    # The SYN of each part and its answer scale the windows: hosts have 6 MB, as Linux, and proxies have 1 MB.
    shifts = shark(file, "tcp.flags.syn == 1", "tcp.options.wscale.shift")
    assert shifts == {1: [["7"], ["4"]], 2: [["4"], ["4"]], 3: [["4"], ["7"]]}[part]
    assert [int(row[5]) for row in rows if "S" in row[4]] == [INITIAL * (part - 1)] * 2
    # Every byte is present once.
    whole = {(int(seq), int(length)) for *_, seq, length in rows if int(length)}
    assert sum(length for _, length in whole) == SIZE
    assert max(seq + length for seq, length in whole) == SIZE + 1
    # A proxy's window becomes full, because its hosts are faster than the satellite. Losses occur only between the
    # proxies.
    known = ["window_update", "window_full", "zero_window"] if part < 3 else []
    if part == 2:
        known += ["retransmission", "fast_retransmission", "out_of_order", "duplicate_ack"]
        known += ["lost_segment"] if end == "receiver" else []
    complaints = "".join(f" && !tcp.analysis.{name}" for name in known)
    assert shark(file, f"tcp.analysis.flags{complaints}") == []


#: The delay is 10 ms to the proxy and 50 ms after it. Rates are unlimited, so packets that are sent together arrive
#: together. The proxy holds 100 segments, and the receiver accepts 20 segments at a time.
def chain(folder: Path, *, setup: str = "none", size: str = f"{2000 * MSS} B", **pep: object) -> bp.Run:
    links = [bp.Link(rate="unlimited", delay=delay) for delay in ("10 ms", "50 ms")]
    tcp = bp.Tcp(setup=setup, receive_window=f"{20 * MSS} B")
    flow = bp.Flow(name="file", controller="reno", size=size, tcp=tcp)
    peps = [bp.Pep(at=["1"], buffer=f"{100 * MSS} B", **pep)]
    record = bp.Record(snap="65535 B")
    scenario = bp.Scenario(duration="20 s", network=bp.Chain(links=links), flows=[flow], peps=peps, record=record)
    return bp.run(scenario, out=folder, pcap=["file"], qlog=["file"])


@tshark
def test_round_trips_and_windows_of_each_part_by_hand(tmp_path: Path) -> None:
    """The round trips are 20 and 100 ms."""
    run = chain(tmp_path / "r", setup="handshake")
    folder = tmp_path / "r" / "captures"
    first, proxy = folder / "file.sender.pcapng", folder / "file-part-1.receiver.pcapng"
    second = folder / "file-part-2.sender.pcapng"
    for file, rtt_s in ((first, 0.02), (second, 0.1)):
        assert sound(file, "tcp", "ip")
        answers = column(file, "tcp.analysis.ack_rtt && tcp.srcport == 9", "tcp.analysis.ack_rtt")
        assert answers[0] == pytest.approx(rtt_s, abs=1e-9)
        assert min(answers) == pytest.approx(rtt_s, abs=1e-9)
        assert len(answers) > 500
    # The receiver's window is constant. The proxy's window is the free space of its buffer, which is full at times.
    answers = "tcp.srcport == 9 && tcp.flags.syn == 0"
    assert set(column(second, answers, "tcp.window_size")) == {20 * MSS}
    told = column(proxy, answers, "tcp.window_size")
    # The window in the SYN-ACK is limited by its field. When the next window is sent, the buffer contains one segment.
    assert (max(told), min(told)) == (99 * MSS, 0)
    assert all(window % MSS == 0 for window in told)
    # The data in flight never exceed the announced window, and a full window causes no loss.
    for file, most in ((first, 100 * MSS), (second, 20 * MSS)):
        assert max(column(file, "tcp.len > 0", "tcp.analysis.bytes_in_flight")) <= most
        assert shark(file, AGAIN) == []
    assert shark(first, "tcp.analysis.zero_window")
    assert shark(second, "tcp.analysis.zero_window") == []
    # SYN and SYN-ACK of a part come before those of the next part: the proxy answers at once, and then opens its part.
    syns = [float(row[0]) for file in (first, second) for row in shark(file, "tcp.flags.syn == 1", "frame.time_epoch")]
    assert syns == pytest.approx([0.0, 0.02, 0.01, 0.11], abs=1e-9)
    assert run.summary["parts"][0]["retransmitted_packets"] == 0


@tshark
def test_probes_of_a_closed_window_look_like_linux_s(tmp_path: Path) -> None:
    """The proxy has room for two segments and sends at 10 kbit/s. Its window is closed for most of the 1.2 s that a
    segment takes. Probes are sent after timeouts of at least 200 ms, and they are answered.
    """
    links = [bp.Link(rate=rate, delay="10 ms") for rate in ("10 Mbit/s", "10 kbit/s")]
    flow = bp.Flow(name="file", controller="reno", tcp=bp.Tcp(preset="linux"))
    peps = [bp.Pep(at=["1"], buffer="4 kB")]
    record = bp.Record(snap="65535 B", packets=True)
    scenario = bp.Scenario(duration="10 s", network=bp.Chain(links=links), flows=[flow], peps=peps, record=record)
    run = bp.run(scenario, out=tmp_path / "r", pcap=["file"])
    sender = tmp_path / "r" / "captures" / "file.sender.pcapng"
    assert sound(sender, "tcp", "ip")
    rows = shark(sender, "tcp.analysis.keep_alive", "frame.time_epoch", "tcp.len", "ip.src")
    assert {tuple(row[1:]) for row in rows} == {("0", "10.0.0.1")}
    packets = run.packets.to_pandas()
    probes = packets[(packets["kind"] == "window probe") & (packets["flow"] == 0)]
    assert len(rows) == (probes["event"] == "deliver").sum() > 5
    times = [float(row[0]) for row in rows]
    assert all(later - sooner > 0.2 for sooner, later in pairwise(times))
    # The propagation takes 20 ms, and 52 bytes take their time at 10 Mbit/s in each direction.
    answers = column(sender, "tcp.analysis.zero_window", "frame.time_epoch")
    for at in times:
        assert min(abs(answer - at - 0.02 - 2 * 52 * 8 / 10e6) for answer in answers) < 1e-8


@tshark
def test_at_links_packets_of_all_parts_are_counted_as_by_the_links(tmp_path: Path) -> None:
    """The capture also contains a flow that is not split. If no flow is named, it contains all packets."""
    run = lossy(tmp_path / "r", pcap_links=["*"])
    (links,) = run.captures
    assert sound(links, "ip")
    seen = Counter(row[0] for row in shark(links, "frame", "frame.interface_name"))
    counted: dict[str, Counter[str]] = defaultdict(Counter)
    table = run.links
    for column_name in ("delivered_packets", "dropped_error"):
        for name, count in zip(table["name"], table[column_name], strict=True):
            counted[name][column_name] += int(count)
    assert counted.keys() == {"left > right", "right > left"}
    for name, counts in counted.items():
        assert seen[f"{name}: received"] == counts["delivered_packets"], name
        assert seen[f"{name}: sent"] == counts["delivered_packets"] + counts["dropped_error"], name
    assert counted["left > right"]["dropped_error"] > 10
    # Links of hosts have no rows in the table of links, and lose nothing in this scenario.
    first, _, last = run.summary["parts"]
    for link, packets in (("file sender up", first["sent_packets"]), ("file receiver down", last["delivered_packets"])):
        data = shark(links, DATA + f' && frame.interface_name matches "^{link}: "', "frame.interface_name")
        assert Counter(row[0] for row in data) == {f"{link}: sent": packets, f"{link}: received": packets}
    # Each link carries the packets of one part. The sequence numbers show the part.
    for link, part in (("file sender up", 1), ("left > right", 2), ("file receiver down", 3)):
        rows = shark(links, f'frame.interface_name == "{link}: sent" && tcp', "tcp.seq_raw", "tcp.len")
        assert min(int(number) for number, _ in rows) == INITIAL * (part - 1)
        assert max(int(number) + int(length) for number, length in rows) == INITIAL * (part - 1) + SIZE + 1


@tshark
@pytest.mark.parametrize("tcp", ['{ setup = "fast-open" }', '{ preset = "ns2-linux" }', "{}"])
def test_however_a_connection_begins(tcp: str, tmp_path: Path) -> None:
    run = lossy(tmp_path / "r", tcp, pcap=["file"])
    for part, end in ENDS:
        file = file_of(run, part, end)
        assert sound(file, "tcp", "ip")
        whole = {(int(seq), int(length)) for seq, length in shark(file, "tcp.len > 0", "tcp.seq_raw", "tcp.len")}
        assert sum(length for _, length in whole) == SIZE
        # With Fast Open, the SYN carries data.
        first = 0 if "fast-open" in tcp else 1
        assert min(number for number, _ in whole) == INITIAL * (part - 1) + first


@tshark
def test_headers_of_each_part_over_ipv6_with_marks_that_are_counted(tmp_path: Path) -> None:
    """AccECN (RFC 9768): the receiver of each part counts only the marks of packets that it received itself."""
    tcp = '{ preset = "linux", ecn = "accurate", mss = "1428 B", header = "72 B" }'
    text = LOSSY.replace("TCP", tcp).replace("per = 0.02", "per = 0.002")
    text = text.replace('queue = "2 BDP"', 'queue = { limit = "60 packets", discipline = "codel" }')
    run = bp.run(text + "ipv6 = true\n", out=tmp_path / "r", pcap=["file"])
    for part, end in ENDS:
        file = file_of(run, part, end)
        assert sound(file, "tcp")
        fields = (
            "ipv6.src",
            "ipv6.dst",
            "tcp.len",
            "frame.len",
            "tcp.options.timestamp.tsval",
            "tcp.options.sack.count",
        )
        rows = shark(file, "frame", *fields)
        assert {tuple(row[:2]) for row in rows if row[2] != "0"} == {("2001:db8::1", "2001:db8:0:1::1")}
        assert {row[3] for row in rows if row[2] == "1428"} == {"1500"}
        assert all(row[4] for row in rows)
        assert any(row[5] for row in rows) == (part == 2)
    for part in (1, 2, 3):
        summary = run.summary["parts"][part - 1]
        assert (summary["marked_packets"] > 0) == (part == 2)
        marks = 5
        fields = ("tcp.srcport", "ipv6.tclass.ecn", "tcp.flags")
        receiver = file_of(run, part, "receiver")
        for port, ecn, flags in shark(receiver, "tcp.flags.syn == 0 && frame.number > 3", *fields):
            if port == "9":
                assert (int(flags, 16) >> 6) & 7 == marks % 8
            else:
                marks += ecn == "3"
        assert marks - 5 == summary["marked_packets"]


@pytest.fixture(scope="module")
def broken(tmp_path_factory: pytest.TempPathFactory) -> bp.Run:
    return chain(tmp_path_factory.mktemp("broken") / "r", resets=["5.05 s"])


@tshark
def test_a_proxy_that_starts_anew_by_hand(broken: bp.Run) -> None:
    """As in test_breaks: at 5.05 s the proxy holds 100 segments, 20 of them in flight, so 1,010 of 2,000 arrive. The
    host learns of the reset at 5.06 s. It connects again at 6.06 s from another port, with the other 990 segments.
    """
    folder = broken.captures[0].parent
    sender, receiver = (folder / f"file.{end}.pcapng" for end in ("sender", "receiver"))
    proxy, next_proxy = folder / "file-part-1.receiver.pcapng", folder / "file-part-2.sender.pcapng"
    for file in (sender, receiver, proxy, next_proxy):
        assert sound(file, "tcp", "ip")
        # The simulated reset sends no packet with the RST flag.
        assert shark(file, "tcp.flags.reset == 1") == []
    brought: dict[str, set[tuple[int, int]]] = defaultdict(set)
    for port, number, length in shark(receiver, "tcp.len > 0", "tcp.srcport", "tcp.seq_raw", "tcp.len"):
        brought[port].add((int(number), int(length)))
    assert {port: sum(length for _, length in data) for port, data in brought.items()} == {
        "49152": 1010 * MSS,
        "49153": 990 * MSS,
    }
    assert {min(number for number, _ in data) for data in brought.values()} == {INITIAL + 1}
    begun = {
        file: min(column(file, "tcp.srcport == 49153", "frame.time_epoch"))
        for file in (sender, proxy, next_proxy, receiver)
    }
    assert list(begun.values()) == pytest.approx([6.06, 6.07, 6.07, 6.12], abs=1e-9)
    # Between the reset and the new connection, the proxy sends nothing, although last packets of the host still arrive.
    quiet = "frame.time_epoch > 5.05 && frame.time_epoch < 6.07"
    assert shark(next_proxy, f"{quiet} && tcp.srcport == 49152") == []
    assert shark(proxy, f"{quiet} && tcp.srcport == 9") == []
    assert shark(sender, "frame.time_epoch > 5.06 && frame.time_epoch < 6.06 && tcp.srcport == 49152") == []
    assert broken.summary["breaks"][0]["again_s"] == pytest.approx(begun[sender], abs=1e-9)


def test_a_log_tells_connections_apart(broken: bp.Run) -> None:
    """At 5.05 s the receiver has 1,010 segments or will get them, and the proxy has ACKs for 990. The proxy has
    acknowledged all segments that it received, 1,090. The host gets the last of these ACKs at 5.04 s.
    """
    logs = {file.name: records(file) for file in broken.captures if file.suffix == ".sqlog"}
    known = {"file.sqlog": (1090, 990), "file-part-2.sqlog": (990, 990)}
    assert logs.keys() == known.keys()
    for name, (top, *events) in logs.items():
        validate("QlogFileSeq", top)
        assert "group_id" in top["description"]
        groups: dict[str, list[dict[str, Any]]] = defaultdict(list)
        for event in events:
            groups[event["group_id"]].append(event)
        for event in events[::20]:
            validate("Event", event)
            validate(event["name"], event["data"])
        assert list(groups) == ["1", "2"]
        assert [group[0]["name"] for group in groups.values()] == ["quic:recovery_parameters_set"] * 2
        assert groups["2"][0]["time"] == 6060.0
        for group, segments in zip(groups.values(), known[name], strict=True):
            sent = [event["data"] for event in group if event["name"] == "quic:packet_sent"]
            assert [packet["header"]["packet_number"] for packet in sent] == list(range(len(sent)))
            got = [event["data"] for event in group if event["name"] == "quic:packet_received"]
            acked = {
                number
                for packet in got
                for frame in packet.get("frames", ())
                for low, high in frame["acked_ranges"]
                for number in range(low, high + 1)
            }
            assert sum(sent[number]["raw"]["payload_length"] for number in acked) == segments * MSS


def test_logs_of_the_parts_are_of_their_senders(run: bp.Run) -> None:
    for part, name in ((1, "file.sqlog"), (2, "file-part-2.sqlog"), (3, "file-part-3.sqlog")):
        top, *events = records(next(file for file in run.captures if file.name == name))
        validate("QlogFileSeq", top)
        summary = run.summary["parts"][part - 1]
        assert top["title"] == ("file" if part == 1 else summary["name"])
        assert not any("group_id" in event for event in events)
        carrying = [event for event in events if event["name"] == "quic:packet_sent" and "frames" in event["data"]]
        assert len(carrying) == summary["sent_packets"]
        lost = [event for event in events if event["name"] == "quic:packet_lost"]
        assert len(lost) == summary["losses_detected"]
        assert (len(lost) > 10) == (part == 2)


@tshark
def test_a_handover_to_another_gateway(tmp_path: Path) -> None:
    """A transfer connects again when the proxy has lost its state. While a state moves to another gateway, no gateway
    uses or answers packets, although packets still arrive. The files of the gateway contain the packets of the serving
    gateway.
    """
    runs = {}
    for name, keys in (("reset", {}), ("move", {"on_handover": "move", "move_time": "200 ms"})):
        tcp = bp.Tcp(setup="handshake", receive_window=f"{2 * MSS} B")
        scenario = bent_pipe([bp.Pep(at=["gateway"], buffer="500 kB", **keys)], tcp=tcp)
        scenario.record = bp.Record(snap="65535 B")
        runs[name] = bp.run(scenario, duration="90 s", out=tmp_path / name, pcap=["cubic"])
    breaks = runs["reset"].summary["breaks"]
    assert len(breaks) > 0
    calls = "tcp.flags.syn == 1 && tcp.flags.ack == 0"
    for name, again in (("reset", [one["again_s"] for one in breaks]), ("move", [])):
        host, proxy = (tmp_path / name / "captures" / f"cubic{end}.sender.pcapng" for end in ("", "-part-2"))
        said = shark(host, calls, "frame.time_epoch", "tcp.srcport")
        assert [float(at) for at, _ in said] == pytest.approx([0.0, *again], abs=1e-6)
        ports = [str(49152 + number) for number in range(len(said))]
        assert [port for _, port in said] == ports
        # The proxy opens its connection when it gets one.
        assert [row[0] for row in shark(proxy, calls, "tcp.srcport")] == ports
        assert sound(proxy, "tcp", "ip")
    before, behind = (tmp_path / "move" / "captures" / f"cubic-part-{end}.pcapng" for end in ("1.receiver", "2.sender"))
    for moment in (one["time_s"] for one in breaks):
        away = f"frame.time_epoch >= {moment} && frame.time_epoch < {moment + 0.2}"
        assert shark(before, f"{away} && tcp.len > 0")
        assert shark(before, f"{away} && ip.src == 10.128.0.1") == []
        assert shark(behind, f"{away} && ip.src == 10.0.0.1") == []


@tshark
def test_each_transfer_of_an_application_has_a_connection_on_each_part(tmp_path: Path) -> None:
    text = LOSSY.replace("TCP", "{}").partition("[[flows]]")[0].replace('"20 s"', '"12 s"') + (
        '[[flows]]\nname = "file"\nkind = "transfers"\ncontroller = "cubic"\nstop = "6 s"\ntcp.preset = "linux"\n'
        'access = { rate = "100 Mbit/s", delay = "10 ms" }\n'
        'size = { law = "exponential", mean = "30 kB" }\narrivals = { law = "poisson", rate = 8 }\n'
        '[[peps]]\nat = ["left", "right"]\nbuffer = "1 MB"\n[record]\nsnap = "65535 B"\n'
    )
    run = bp.run(text, out=tmp_path / "r", pcap=["file"])
    assert {file.name for file in run.captures} == {f"{name}.pcapng" for name in ENDS.values()}
    visits = Counter(row["bytes"] for row in run.visits.arrow.to_pylist())
    assert run.summary["flows"][0]["visits"]["unfinished"] == 0
    assert visits.total() > 30
    for part, end in ENDS:
        file = file_of(run, part, end)
        assert sound(file, "tcp", "ip")
        # Sequence numbers of a part count from the start of this part. Users connect to every proxy from their own
        # ports.
        heard: dict[str, int] = defaultdict(int)
        for port, acknowledged in shark(
            file, "ip.src == 10.128.0.1 && tcp.flags.syn == 0", "tcp.srcport", "tcp.ack_raw"
        ):
            heard[port] = max(heard[port], int(acknowledged) - 1 - INITIAL * (part - 1))
        assert Counter(heard.values()) == visits
        if end == "sender":
            again = shark(file, f"({AGAIN}) && tcp.len > 0 && ip.src == 10.0.0.1")
            assert len(again) == run.summary["parts"][part - 1]["retransmitted_packets"]
            assert (len(again) > 5) == (part == 2)


def test_captures_of_parts_change_nothing_else_and_are_the_same_twice(run: bp.Run, tmp_path: Path) -> None:
    again = lossy(tmp_path / "again", pcap=["file"], qlog=["file"])
    bare = lossy(tmp_path / "bare")
    assert [file.name for file in run.captures] == [file.name for file in again.captures]
    assert all(one.read_bytes() == two.read_bytes() for one, two in zip(run.captures, again.captures, strict=True))
    tables = sorted(file.name for file in (tmp_path / "bare").glob("*.parquet"))
    assert "parts.parquet" in tables
    for name in tables:
        assert (tmp_path / "bare" / name).read_bytes() == (tmp_path / "again" / name).read_bytes(), name
    said = [json.loads((tmp_path / name / "summary.json").read_text()) for name in ("bare", "again")]
    assert said[0]["parts"] == said[1]["parts"]
    assert bare.captures == []


def test_the_estimate_counts_files_of_all_parts(tmp_path: Path) -> None:
    text = LOSSY.replace("TCP", "{}").replace('size = "2 MB"\n', "").replace("per = 0.02", "per = 0.0")
    for kind in ("pcap", "qlog"):
        chosen = {kind: ["file"]}
        said = bp.estimate_cost(text, out=tmp_path / kind, **chosen)["disk_bytes"]
        said -= bp.estimate_cost(text, out=tmp_path / kind)["disk_bytes"]
        taken = sum(file.stat().st_size for file in bp.run(text, out=tmp_path / kind, **chosen).captures)
        assert 2 / 3 < said / taken < 3 / 2, (kind, said, taken)


def test_names_of_files_are_never_the_same(tmp_path: Path) -> None:
    """The name of one flow is the name that a part of the other flow would have."""
    link = '{ rate = "10 Mbit/s", delay = "1 ms" }'
    text = (
        f"duration = '100 ms'\nnetwork.chain.links = [{link}, {link}]\n"
        "flows = [{ name = 'a', controller = 'reno' }, { name = 'a part 2', controller = 'reno' }]\n"
        "peps = [{ at = ['1'], buffer = '1 MB' }]\n"
    )
    run = bp.run(text, out=tmp_path / "r", pcap=["a", "a part 2"])
    names = [file.name for file in run.captures]
    assert len(set(names)) == 8
    assert all(one < other for one, other in pairwise(names))


@tshark
def test_parts_agree_on_what_both_their_ends_know(tmp_path: Path) -> None:
    """Hosts have no timestamps and a small window. Proxies are Linux with large segments and a large buffer."""
    hosts = '{ setup = "handshake", header = "40 B", receive_window = "60 kB" }'
    own = 'controller = "hybla"\ntcp = { preset = "linux", mss = "8948 B" }'
    run = bp.run(LOSSY.replace("TCP", hosts).replace('controller = "hybla"', own), out=tmp_path / "r", pcap=["file"])
    for part, largest, stamped in ((1, 1448, False), (2, 8948, True), (3, 1448, False)):
        for end in ("sender", "receiver"):
            file = file_of(run, part, end)
            assert max(int(size) for size in column(file, "tcp.len > 0", "tcp.len")) == largest
            # RFC 7323, section 2.2: windows are scaled if both SYNs have the option. The window scale of the hosts is
            # 0.
            shifts = column(file, "tcp.flags.syn == 1 && tcp.options.wscale", "tcp.options.wscale.shift")
            assert len(shifts) == 2
            assert max(shifts) > 0
            unstamped = shark(file, "tcp && !tcp.options.timestamp")
            assert not unstamped if stamped else len(unstamped) == len(shark(file, "tcp"))
