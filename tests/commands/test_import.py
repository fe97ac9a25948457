# SPDX-License-Identifier: MIT OR Apache-2.0
"""Measurements of other tools become path traces. The samples have the real formats; rows are worked by hand."""

from __future__ import annotations

import gzip
import inspect
import io
import json
import os
import re
import socket
import struct
import subprocess
import sys
from pathlib import Path

import pytest

import bentpipe as bp
import needs
from bentpipe.cli.commands import commands_of, parser
from project import Command


def made(cli: Command, folder: Path, content: str | bytes, *options: object) -> tuple[list[str], dict[str, object]]:
    """The rows of the path trace without its comments, and what the command says as JSON."""
    source, out = folder / "source", folder / "path.csv"
    source.write_bytes(content.encode() if isinstance(content, str) else content)
    done = cli("import", source, "--out", out, "--json", "--force", *options)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    said: dict[str, object] = json.loads(done.stdout)
    lines = out.read_text().splitlines()
    comments = [line.removeprefix("# ") for line in lines if line.startswith("#")]
    assert comments[0].startswith(f"bentpipe {bp.__version__}: path imported from ")
    assert comments[1:] == said["notes"]
    return [line for line in lines if not line.startswith("#")], said


LINUX = """\
PING 1.1.1.1 (1.1.1.1) 56(84) bytes of data.
[1700182800.040000] 64 bytes from 1.1.1.1: icmp_seq=1 ttl=63 time=40.0 ms
[1700182800.260000] 64 bytes from 1.1.1.1: icmp_seq=2 ttl=63 time=60.0 ms
[1700182800.600000] no answer yet for icmp_seq=3
[1700182800.900000] 64 bytes from 1.1.1.1: icmp_seq=5 ttl=63 time=100 ms
[1700182800.910000] 64 bytes from 1.1.1.1: icmp_seq=4 ttl=63 time=310 ms
[1700182800.911000] 64 bytes from 1.1.1.1: icmp_seq=4 ttl=63 time=311 ms (DUP!)
[1700182801.030000] 64 bytes from 1.1.1.1: icmp_seq=6 ttl=63 time=30.0 ms

--- 1.1.1.1 ping statistics ---
6 packets transmitted, 5 received, +1 duplicates, 16.6667% packet loss, time 1003ms
rtt min/avg/max/mdev = 30.000/108.000/310.000/103.034 ms
"""


def test_ping_of_linux_with_times(cli: Command, tmp_path: Path) -> None:
    # Replies arrive after their round trip: the probes were sent at 0, 0.2, 0.6, 0.8 and 1.0 s, and the lost one, half
    # way between its neighbours, at 0.4 s. A lost probe is an outage until the next one.
    rows, said = made(cli, tmp_path, LINUX)
    assert rows == [
        "time_s,delay_ms,loss_ratio",
        "0,20,0",
        "0.2,30,0",
        "0.4,30,1",
        "0.6,155,0",
        "0.8,50,0",
        "1,15,0",
        "1.2,15,0",
    ]
    assert said["source"] == "ping (Linux)"
    assert (said["duration_s"], said["samples"]) == (1.2, 6)
    assert (said["outages"], said["outage_s"], said["longest_outage_s"]) == (1, 0.2, 0.2)
    assert said["rtt_ms"]["p50"] == 60  # type: ignore[index]
    assert said["rate_mbit_s"] is None
    notes = "\n".join(said["notes"])  # type: ignore[arg-type]
    for words in ("5 probes answered, 1 lost", "half of the round trip", "not measured: the capacity"):
        assert words in notes


def test_ping_of_linux_without_times(cli: Command, tmp_path: Path) -> None:
    text = "".join(line.split("] ")[-1] + "\n" for line in LINUX.splitlines())
    # The statistics: 1003 ms for the 5 intervals of 6 probes, 0.2006 s. The third probe is sent at 0.4012 s.
    rows, said = made(cli, tmp_path, text)
    assert [row.split(",")[0] for row in rows[1:]] == ["0", "0.2", "0.4", "0.6", "0.8", "1", "1.2"]
    assert "0.2006 s between probes (1003 ms for 6 probes" in str(said["notes"])
    rows, _ = made(cli, tmp_path, text, "--interval", "2 s")
    assert [row.split(",")[0] for row in rows[1:]] == ["0", "2", "4", "6", "8", "10", "12"]
    text = (
        "64 bytes from 1.1.1.1: icmp_seq=1 ttl=63 time=40.0 ms\n64 bytes from 1.1.1.1: icmp_seq=4 ttl=63 time=50 ms\n"
    )
    rows, said = made(cli, tmp_path, text)
    assert rows[1:] == ["0,20,0", "1,20,1", "3,25,0", "4,25,0"]
    assert "1 s between probes (the default of ping" in str(said["notes"])


def test_ping_sequence_numbers_start_again(cli: Command, tmp_path: Path) -> None:
    # ICMP has 16 bits for them.
    lines = [f"64 bytes from 1.1.1.1: icmp_seq={seq % 65536} ttl=63 time=40.0 ms\n" for seq in (65534, 65535, 65537)]
    rows, _ = made(cli, tmp_path, "".join(lines))
    assert rows[1:] == ["0,20,0", "2,20,1", "3,20,0", "4,20,0"]


def test_ping_that_is_interrupted_has_lost_no_last_probe(cli: Command, tmp_path: Path) -> None:
    head = "PING ::1(::1) 56 data bytes\n"
    reply = "64 bytes from ::1: icmp_seq={} ttl=64 time=4.00 ms\n"
    end = "\n--- ::1 ping statistics ---\n{} packets transmitted, 2 packets received, 33.3% packet loss\n"
    _, said = made(cli, tmp_path, head + reply.format(0) + reply.format(1) + end.format(3))
    assert (said["samples"], said["outages"]) == (2, 0)
    # Several unanswered probes are an outage.
    rows, said = made(cli, tmp_path, head + reply.format(0) + reply.format(1) + end.format(6))
    assert (said["samples"], said["outages"], said["outage_s"]) == (6, 1, 4)
    assert rows[1:] == ["0,2,0", "2,2,1", "6,2,1"]


def test_ping_of_macos_and_busybox(cli: Command, tmp_path: Path) -> None:
    text = """\
PING 8.8.8.8 (8.8.8.8): 56 data bytes
64 bytes from 8.8.8.8: icmp_seq=0 ttl=117 time=12.500 ms
Request timeout for icmp_seq 1
Request timeout for icmp_seq 2
64 bytes from 8.8.8.8: icmp_seq=3 ttl=117 time=13.000 ms
92 bytes from 10.0.0.1: Destination Host Unreachable
64 bytes from 8.8.8.8: icmp_seq=4 ttl=117 time=13.000 ms
"""
    rows, said = made(cli, tmp_path, text)
    assert rows[1:] == ["0,6.25,0", "1,6.25,1", "3,6.5,0", "5,6.5,0"]
    assert said["source"] == "ping"
    rows, _ = made(cli, tmp_path, text.replace("icmp_seq=", "seq="))
    assert rows[1:] == ["0,6.25,0", "1,6.25,1", "3,6.5,0", "5,6.5,0"]
    timed = "22:24:00.012500 64 bytes from 8.8.8.8: icmp_seq=0 ttl=117 time=12.500 ms\n"
    timed += "22:24:05.013000 64 bytes from 8.8.8.8: icmp_seq=1 ttl=117 time=13.000 ms\n"
    rows, _ = made(cli, tmp_path, timed)
    assert rows[1:] == ["0,6.25", "5,6.5", "10,6.5"]


WINDOWS = """\

Pinging 8.8.8.8 with 32 bytes of data:
Reply from 8.8.8.8: bytes=32 time=12ms TTL=117
Request timed out.
Reply from 8.8.8.8: bytes=32 time<1ms TTL=117
Reply from 192.168.1.7: Destination host unreachable.
Reply from 8.8.8.8: bytes=32 time=14ms TTL=117

Ping statistics for 8.8.8.8:
    Packets: Sent = 5, Received = 4, Lost = 1 (20% loss),
Approximate round trip times in milli-seconds:
    Minimum = 0ms, Maximum = 14ms, Average = 8ms
"""
GERMAN = """\

Ping wird ausgeführt für 8.8.8.8 mit 32 Bytes Daten:
Antwort von 8.8.8.8: Bytes=32 Zeit=12ms TTL=117
Zeitüberschreitung der Anforderung.
Antwort von 8.8.8.8: Bytes=32 Zeit<1ms TTL=117
Antwort von 192.168.1.7: Zielhost nicht erreichbar.
Antwort von 8.8.8.8: Bytes=32 Zeit=14ms TTL=117

Ping-Statistik für 8.8.8.8:
    Pakete: Gesendet = 5, Empfangen = 4, Verloren = 1
"""


@pytest.mark.parametrize("text", [WINDOWS.encode(), GERMAN.encode("utf-16"), GERMAN.encode("cp1252")])
def test_ping_of_windows(cli: Command, tmp_path: Path, text: bytes) -> None:
    # A second between probes; four until a timeout.
    rows, said = made(cli, tmp_path, text)
    assert rows[1:] == ["0,6,0", "1,6,1", "5,0.5,0", "6,0.5,1", "7,7,0", "8,7,0"]
    assert said["source"] == "ping (Windows)"


def trip(seq: int, sent_s: float, rtt_ms: float | None, lost: str = "false") -> dict[str, object]:
    """A round trip as irtt writes it."""
    send = {"wall": 1707277440772833721 + round(sent_s * 1e9), "monotonic": 22211105 + round(sent_s * 1e9)}
    delay = {} if rtt_ms is None else {"receive": -10470921269, "rtt": round(rtt_ms * 1e6), "send": 10488213200}
    client = {"receive": {}, "send": send}
    stamps = {"client": client, "server": {"receive": {}, "send": {}}}
    return {"seqno": seq, "lost": lost, "timestamps": stamps, "delay": delay, "ipdv": {}}


def irtt(*trips: dict[str, object]) -> str:
    return json.dumps({"version": {"irtt": "0.9.1", "protocol": 1, "json_format": 1}, "round_trips": trips})


def test_irtt(cli: Command, tmp_path: Path) -> None:
    text = irtt(trip(0, 0, 17.29197), trip(1, 0.5, None, "true_down"), trip(2, 1.0, None, "true"), trip(3, 1.5, 16.0))
    rows, said = made(cli, tmp_path, text)
    assert rows == ["time_s,delay_ms,loss_ratio", "0,8.645985,0", "0.5,8.645985,1", "1.5,8,0", "2,8,0"]
    assert "2 probes answered, 2 lost (0 up, 1 down)" in str(said["notes"])


def test_losses_within_a_step_are_shared_by_both_directions(cli: Command, tmp_path: Path) -> None:
    # 36 % of the probes are lost; each direction loses 20 %: 1 - 0.8 x 0.8.
    probes = [trip(at, at * 0.001, None if at % 25 < 9 else 20.0) for at in range(100)]
    rows, _ = made(cli, tmp_path, irtt(*probes))
    assert rows[1] == "0,10,0.2"


def interval(at: float, mbit_s: float, rtt_us: int = 0, **more: object) -> dict[str, object]:
    """An interval as iperf3 writes it."""
    total = {"start": at, "end": at + 1, "seconds": 1, "bytes": round(mbit_s * 125e3), "bits_per_second": mbit_s * 1e6}
    total |= {"retransmits": 0, "omitted": False, "sender": True} | more
    return {"streams": [total | {"socket": 5, "rtt": rtt_us, "rttvar": 100, "snd_cwnd": 14080}], "sum": total}


def iperf3(*intervals: dict[str, object], **more: object) -> str:
    return json.dumps({"start": {"version": "iperf 3.12"}, "intervals": intervals, "end": {}} | more)


def test_iperf3(cli: Command, tmp_path: Path) -> None:
    omitted = interval(0, 500, 9000, omitted=True)
    text = iperf3(omitted, interval(0, 40, 50_000), interval(1, 0, 50_000), interval(2, 20, 70_000))
    rows, said = made(cli, tmp_path, text)
    # An interval without a byte is an outage: a rate of 0 would keep its packets.
    assert rows == ["time_s,rate_mbit_s,delay_ms,loss_ratio", "0,40,25,0", "1,40,25,1", "2,20,35,0", "3,20,35,0"]
    assert said["rate_mbit_s"] == {"least": 20, "mean": 100 / 3, "most": 40}
    assert "sender's socket" in str(said["notes"])


def test_delays_of_one_measurement_and_rates_of_another(cli: Command, tmp_path: Path) -> None:
    (tmp_path / "iperf.json").write_text(iperf3(interval(0, 40), interval(1, 0), interval(2, 20), interval(3, 30)))
    trips = irtt(
        trip(0, 0, 50.0), trip(1, 0.5, None, "true"), trip(2, 1.0, 60.0), trip(3, 1.5, 60.0), trip(4, 2.0, 70.0)
    )
    rows, said = made(cli, tmp_path, trips, "--rate-from", "iperf.json")
    # The probe at 0.5 s is lost. From 1 s to 2 s, no byte arrived. The log of the probes ends at 2.5 s.
    assert rows[0] == "time_s,rate_mbit_s,delay_ms,loss_ratio"
    assert rows[1:] == ["0,40,25,0", "0.5,40,25,1", "1,40,30,1", "2,20,35,0", "2.5,20,35,0"]
    notes = str(said["notes"])
    assert "both measurements begin at the same moment; the rate is that of iperf.json" in notes
    assert "not measured: the capacity" not in notes
    assert "not measured: the delay" not in notes
    (tmp_path / "ping.log").write_text(trips)
    refused = cli("import", "iperf.json", "--rate-from", "ping.log", "--out", "x.csv")
    assert refused.returncode == 2
    assert "cannot import ping.log: it contains no rate" in refused.stderr
    both = cli("import", "ping.log", "--rate-from", "iperf.json", "--rate", "5 Mbit/s", "--out", "x.csv")
    assert both.returncode == 2


def test_iperf3_without_round_trips_udp_and_both_directions(cli: Command, tmp_path: Path) -> None:
    received = interval(0, 9, sender=False, lost_percent=25.0, jitter_ms=0.1)
    rows, said = made(cli, tmp_path, iperf3(received))
    assert rows == ["time_s,rate_mbit_s,loss_ratio", "0,9,0.25", "1,9,0.25"]
    assert 'rtt = "50 ms" }  # rtt: not measured' in str(said["scenario"])
    both = interval(0, 5) | {"sum_bidir_reverse": interval(0, 80, sender=False)["sum"]}
    assert made(cli, tmp_path, iperf3(both))[0][1] == "0,5"
    assert made(cli, tmp_path, iperf3(both), "--direction", "down")[0][1] == "0,80"


def test_iperf3_as_a_stream(cli: Command, tmp_path: Path) -> None:
    events = [{"event": "start", "data": {"version": "iperf 3.17"}}]
    events += [{"event": "interval", "data": interval(at, 10 + at, 40_000)} for at in range(2)]
    rows, _ = made(
        cli, tmp_path, "".join(f"{json.dumps(event)}\n" for event in [*events, {"event": "end", "data": {}}])
    )
    assert rows[1:] == ["0,10,20", "1,11,20", "2,11,20"]


def test_lens(cli: Command, tmp_path: Path) -> None:
    # The rows of the README of LENS, at steps of 5 ms: of irtt the time of sending is known, -1 is a lost probe.
    text = """\
timestamp,rtt,uplink,downlink
1705744800616897349,0,0,-1
1705744800626565141,120.126123,72.439368,47.68675
1705744800636737402,109.976237,62.295097,47.681199
1705744800666731717,-1,0,0
1705744800676416449,97.297734,49.362602,47.935125
"""
    rows, said = made(cli, tmp_path, text, "--step", "5 ms")
    # Sent at 0, 9.7, 19.8, 49.8 and 59.5 ms.
    assert [row.split(",")[0] for row in rows[1:]] == ["0", "0.005", "0.015", "0.045", "0.055", "0.07"]
    assert [row.split(",")[2] for row in rows[1:]] == ["1", "0", "0", "1", "0", "0"]
    assert [float(row.split(",")[1]) for row in rows[2:4]] == pytest.approx([120.126123 / 2, 109.976237 / 2], abs=1e-6)
    assert said["source"] == "LENS, irtt"
    # Of ping the reply's time is known, and lost probes have no row.
    text = "timestamp,rtt\n" + "".join(f"{1705744800 + at / 10 + 0.09:.6f},90.0\n" for at in (0, 1, 2, 3, 9, 10))
    rows, said = made(cli, tmp_path, text)
    assert rows[1:] == ["0,45,0", "0.4,45,1", "0.9,45,0", "1.1,45,0"]
    assert "a silence of more than 0.3 s is an outage (1 here;" in str(said["notes"])
    rows, _ = made(cli, tmp_path, text, "--gap", "1 s")
    assert rows[1:] == ["0,45", "1.1,45"]


def test_wetlinks(cli: Command, tmp_path: Path) -> None:
    head = "site_name,timestamp_start,timestamp_end,"
    pings = head + "target,ip_protocol,packet_loss,packets_send,ping_avg,ping_worst,ping_best,ping_stddev\n"
    row = "utwente,2023-09-28 12:{}:00,2023-09-28 12:{}:09,{},IPv4,{},10,{},70.1,30.2,5.5\n"
    pings += row.format("00", "00", "1.1.1.1", 0.0, 40.0) + row.format("00", "00", "8.8.8.8", 0.0, 99.0)
    pings += row.format("03", "03", "1.1.1.1", 19.0, 50.0) + row.format("06", "06", "1.1.1.1", 100.0, "")
    rows, said = made(cli, tmp_path, pings)
    # 1 - 0.9 x 0.9 = 19 %.
    assert rows[1:] == ["0,20,0", "180,25,0.1", "360,25,1", "540,25,1"]
    assert "1 rows of 1 other series" in str(said["notes"])
    rates = head + "server,ip_protocol,transport_protocol,download,upload\n"
    rates += "uos,2023-09-28T12:00:00+00:00,2023-09-28T12:00:01+00:00,a,IPv4,TCP,150000000.0,12000000.0\n"
    rates += "uos,2023-09-28T12:00:01+00:00,2023-09-28T12:00:02+00:00,a,IPv4,TCP,90000000.0,\n"
    assert made(cli, tmp_path, rates)[0][1:] == ["0,150", "1,90", "2,90"]
    assert made(cli, tmp_path, rates, "--direction", "up")[0][1:] == ["0,12", "1,12"]
    # A cleaned table of pandas has its index in front.
    index = "\n".join(f"{'' if at == 0 else at},{line}" for at, line in enumerate(rates.splitlines()))
    assert made(cli, tmp_path, index)[0][1:] == ["0,150", "1,90", "2,90"]


@pytest.mark.parametrize(
    ("text", "columns", "wanted"),
    [
        # A log of Starlink without a header: rate, round trip.
        ("26.507841,43.2\n31.5,41\n", ("rate,rtt", "--interval", "100 ms"), ["0,26.507841,21.6", "0.1,31.5,20.5"]),
        ("t;x;ms\n0,5;a;20,5\n1,5;b;21,5\n", ("time,-,delay",), ["0,20.5", "1,21.5"]),
        ("0 20000\n1000 1000\n", ("time=ms,rtt=us",), ["0,10", "1,0.5"]),
        ("2026-11-27 22:24:00,1e6\n2026-11-27T22:24:01Z,2e6\n", ("time=date,rate=B/s",), ["0,8", "1,16"]),
        ("0,5\n1,50\n", ("time,loss=%",), ["0,0.05", "1,0.5"]),
        ("0,5\n1,50\n", ("time,loss",), ["0,0.05", "1,0.5"]),
        ("0,0.05\n1,0.5\n", ("time,loss=ratio",), ["0,0.05", "1,0.5"]),
        ("0,30,200\n1,31,150\n", ("time,up,down",), ["0,200", "1,150"]),
        ("0,9\n1,0.1\n2,8\n", ("time,rate=bit/s",), ["0,0.000009,0", "1,0.000009,1", "2,0.000008,0"]),
        ("# a comment\n0,20\n1,-1\n2,\n3,20\n", ("time,delay",), ["0,20,0", "1,20,1", "3,20,0"]),
        ('\ufeff"0","20"\r\n"1","21"\r\n', ("time,delay",), ["0,20", "1,21"]),
    ],
)
def test_other_tables(cli: Command, tmp_path: Path, text: str, columns: tuple[str, ...], wanted: list[str]) -> None:
    rows, _ = made(cli, tmp_path, text, "--columns", *columns)
    assert rows[1:-1] == wanted


@pytest.mark.parametrize(
    ("text", "options", "wanted", "notes"),
    [
        (
            "time_s,rtt_ms,jitter,rate_mbit_s\n0,50,1,10\n1,52,1,20\n",
            (),
            ["0,10,25", "1,20,26"],
            ["read: line 1 names the columns time_s, rtt_ms, rate_mbit_s", "ignored: the columns jitter"],
        ),
        (
            "Time;Packet Loss [%];Throughput (kbps)\n2026-11-27 22:24:00;5;2000\n2026-11-27 22:24:01;50;1000\n",
            (),
            ["0,2,0.05", "1,1,0.5"],
            [
                "read: line 1 names the columns Time, Packet Loss [%], Throughput (kbps)",
                "assumed: Time is in date, because the header states no unit",
            ],
        ),
        ("rtt,host\n0.02,a\n0.04,b\n", ("--interval", "1 s"), ["0,0.01", "1,0.02"], ["assumed: rtt is in ms"]),
        (
            "timestamp_ms,delay_us,one_way_delay_ms\n0,5000,7\n1000,6000,7\n",
            (),
            ["0,5", "1,6"],
            ["ignored: the columns one_way_delay_ms"],
        ),
        (
            "time_s,rtt_ms,rate_mbit_s\n0,50,10\n1,52,20\n",
            ("--columns", "time,rtt"),
            ["0,25", "1,26"],
            ["ignored: the columns rate_mbit_s"],
        ),
        ("host,rate\n7,10\n8,20\n", ("--columns", "-,rate", "--interval", "1 s"), ["0,10", "1,20"], []),
        ("host,rate\n7,10\n8,20\n", ("--columns=-,rate", "--interval", "1 s"), ["0,10", "1,20"], []),
    ],
)
def test_a_header_names_the_columns(
    cli: Command, tmp_path: Path, text: str, options: tuple[str, ...], wanted: list[str], notes: list[str]
) -> None:
    rows, said = made(cli, tmp_path, text, *options)
    assert rows[1:-1] == wanted
    assert isinstance(said["notes"], list)
    assert [note for note in notes if not any(str(line).startswith(note) for line in said["notes"])] == []


def test_the_file_is_cut_and_lowered(cli: Command, tmp_path: Path) -> None:
    text = "".join(f"{at},{rtt}\n" for at, rtt in enumerate([50, 40, 90, 60, 100, 70]))
    usual = ("--columns", "time,rtt")
    # From 1.5 s on the value of 1 s holds, until the next one at 2 s.
    rows, _ = made(cli, tmp_path, text, *usual, "--offset", "1.5 s", "--duration", "2 s")
    assert rows[1:] == ["0,20", "0.5,45", "1.5,30", "2,30"]
    # The smallest from 1 s before until 1 s after.
    rows, _ = made(cli, tmp_path, text, *usual, "--floor", "2 s")
    assert rows[1:] == ["0,20", "3,30", "5,35", "6,35"]
    rows, said = made(cli, tmp_path, text, *usual, "--step", "2 s", "--rate", "20 Mbit/s")
    assert rows == ["time_s,rate_mbit_s,delay_ms", "0,20,22.5", "2,20,37.5", "4,20,42.5", "6,20,42.5"]
    assert "not measured" not in str(said["notes"])
    assert "rate =" not in str(said["scenario"])


# An Ethernet frame with a VLAN, and IPv4: sent at 0 and 0.5 s, answered 80 and 60 ms later.
def echo(kind: int, seq: int, ends: tuple[str, str]) -> bytes:
    icmp = struct.pack("!BBHHH", kind, 0, 0, 7, seq) + bytes(56)
    addresses = b"".join(map(socket.inet_aton, ends))
    ip = struct.pack("!BBHHHBBH", 0x45, 0, 20 + len(icmp), seq, 0x4000, 64, 1, 0) + addresses
    return bytes(12) + b"\x81\x00\x00\x05\x08\x00" + ip + icmp


def pcap(frames: list[tuple[float, bytes]], order: str = "<", magic: int = 0xA1B23C4D) -> bytes:
    """A capture in the format of tcpdump, in nanoseconds, Ethernet."""
    parts = [struct.pack(f"{order}IHHiIII", magic, 2, 4, 0, 0, 65535, 1)]
    for at_s, frame in frames:
        parts.append(struct.pack(f"{order}IIII", int(at_s), round(at_s % 1 * 1e9), len(frame), len(frame)) + frame)
    return b"".join(parts)


def pcapng(frames: list[tuple[float, bytes]]) -> bytes:
    """The same in the format of Wireshark, with an interface in milliseconds, and one in units of 2^-20 s."""

    def block(kind: int, body: bytes) -> bytes:
        body += bytes(-len(body) % 4)
        return struct.pack("<II", kind, len(body) + 12) + body + struct.pack("<I", len(body) + 12)

    parts = [block(0x0A0D0D0A, struct.pack("<IHHq", 0x1A2B3C4D, 1, 0, -1))]
    parts += [block(1, struct.pack("<HHIHHB3xHH", 1, 0, 65535, 9, 1, units, 0, 0)) for units in (3, 0x80 | 20)]
    for number, (at_s, frame) in enumerate(frames):
        units = round(at_s * (1000, 2**20)[number % 2])
        head = struct.pack("<IIIII", number % 2, units >> 32, units & 0xFFFFFFFF, len(frame), len(frame))
        parts.append(block(6, head + frame))
    return b"".join(parts)


@pytest.mark.parametrize("write", [pcap, lambda frames: pcap(frames, ">"), pcapng], ids=["little", "big", "pcapng"])
def test_captured_echoes(cli: Command, tmp_path: Path, write: object) -> None:
    there, back = ("10.0.0.1", "10.0.0.2"), ("10.0.0.2", "10.0.0.1")
    frames = [
        (1000.0, echo(8, 1, there)),
        (1000.08, echo(0, 1, back)),
        (1000.5, echo(8, 2, there)),
        (1000.56, echo(0, 2, back)),
        (1001.5, echo(8, 3, there)),
    ]
    capture = write(frames)  # type: ignore[operator]
    # 84 bytes of IP in the first and the sixth step of 100 ms: 6.72 kbit/s. The last step is left out.
    rows, said = made(cli, tmp_path, capture)
    steps = [[float(cell) for cell in row.split(",")] for row in rows[1:3]]
    assert steps[0] == pytest.approx([0, 0.00672, 40], abs=1e-3)
    assert steps[1] == pytest.approx([0.5, 0.00672, 30], abs=1e-3)
    assert "2 round trips" in str(said["notes"])
    # A capture that was cut off ends with its last complete packet.
    assert made(cli, tmp_path, capture[:-9])[0][:3] == rows[:3]


BULK = """
duration = "4 s"
network.dumbbell = {{ rate = "20 Mbit/s", rtt = "60 ms", queue = "100 packets" }}
flows = [{{ name = "bulk", controller = "cubic", {} }}]
"""


@pytest.mark.parametrize("place", ["sender", "receiver"])
def test_captures_of_both_ends_say_the_round_trips_of_the_run(cli: Command, tmp_path: Path, place: str) -> None:
    run = bp.run(BULK.format('tcp.preset = "linux"'), out=tmp_path / "run", pcap=["bulk"])
    measured = run.summary["flows"][0]["rtt_ms"]
    rows, said = made(cli, tmp_path, (tmp_path / f"run/captures/bulk.{place}.pcapng").read_bytes())
    assert said["rtt_ms"]["p95"] == pytest.approx(measured["p95"], rel=0.02)  # type: ignore[index]
    assert min(float(row.split(",")[2]) for row in rows[1:]) == pytest.approx(30, abs=2)
    if place == "receiver":
        assert said["rate_mbit_s"]["most"] == pytest.approx(20, rel=0.02)  # type: ignore[index]
    else:
        assert "the sender's side" in str(said["notes"])


def test_captures_without_timestamps(cli: Command, tmp_path: Path) -> None:
    text = BULK.format('tcp = { preset = "linux", timestamps = false }')
    run = bp.run(text, out=tmp_path / "run", pcap=["bulk"])
    _, said = made(cli, tmp_path, (tmp_path / "run/captures/bulk.sender.pcapng").read_bytes())
    measured = run.summary["flows"][0]["rtt_ms"]
    assert said["rtt_ms"]["p95"] == pytest.approx(measured["p95"], rel=0.02)  # type: ignore[index]


def test_a_scenario_replays_what_was_measured(cli: Command, tmp_path: Path) -> None:
    # The round trips of a log: 80 ms, after 2 s 120 ms, no answer from 4 to 5 s.
    lines = ["PING 1.1.1.1 (1.1.1.1) 56(84) bytes of data."]
    for at in range(60):
        rtt = 80 if at < 20 else 120
        if not 40 <= at < 50:
            stamp = 1700182800 + at / 10 + rtt / 1000
            lines.append(f"[{stamp:.6f}] 64 bytes from 1.1.1.1: icmp_seq={at + 1} ttl=63 time={rtt} ms")
    (tmp_path / "log.txt").write_text("\n".join(lines))
    done = cli("import", "log.txt", "--out", "path.csv")
    assert done.returncode == 0, done.stderr
    assert "1 (1 s, longest 1 s)" in done.stdout
    scenario = done.stdout[done.stdout.index("duration =") :]
    assert scenario.splitlines()[0] == 'duration = "6 s"'
    ping = scenario.replace('controller = "cubic"', 'kind = "ping", interval = "100 ms"')
    (tmp_path / "replay.toml").write_text(ping)
    run = bp.run(tmp_path / "replay.toml")
    flow = run.summary["flows"][0]
    # 64 bytes take 5 us at 100 Mbit/s in each direction.
    assert flow["rtt_ms"]["min"] == pytest.approx(80, abs=0.05)
    assert flow["rtt_ms"]["max"] == pytest.approx(120, abs=0.05)
    (tmp_path / "cubic.toml").write_text(scenario)
    assert bp.run(tmp_path / "cubic.toml").summary["flows"][0]["rtt_ms"]["min"] == pytest.approx(80, abs=0.3)


def test_both_directions_of_one_file_and_of_two(cli: Command, tmp_path: Path) -> None:
    """The rates of both directions are written by hand: 20 and 10 Mbit/s down, 2 and 1 Mbit/s up."""
    (tmp_path / "both.csv").write_text("time_s,rtt_ms,upload_mbit_s,download_mbit_s\n0,40,2,20\n1,40,1,10\n")
    done = cli("import", "both.csv", "--direction", "both", "--out", "path.csv", "--scenario", "both.toml")
    assert done.returncode == 0, done.stderr

    def rows(name: str) -> list[str]:
        return [line for line in (tmp_path / name).read_text().splitlines() if line[0] in "012"]

    wanted = {"path.csv": ["0,20,20", "1,10,20", "2,10,20"], "path-return.csv": ["0,2,20", "1,1,20", "2,1,20"]}
    assert {name: rows(name) for name in wanted} == wanted
    table = bp.path_trace(tmp_path / "both.toml", step="1 s", direction="return")
    assert table["rate_mbit_s"][:2] == [2.0, 1.0]
    assert bp.path_trace(tmp_path / "both.toml", step="1 s")["rate_mbit_s"][:2] == [20.0, 10.0]
    for name, column in (("down.csv", 20), ("up.csv", 2)):
        (tmp_path / name).write_text(f"time_s,rtt_ms,rate_mbit_s\n0,40,{column}\n1,40,{column // 2}\n")
    two = cli("import", "down.csv", "--reverse", "up.csv", "--out", "two.csv", "--json")
    assert two.returncode == 0, two.stderr
    assert json.loads(two.stdout)["reverse"]["rate_mbit_s"]["most"] == 2
    assert [rows(name) for name in ("two.csv", "two-return.csv")] == list(wanted.values())
    again = cli("import", "both.csv", "--direction", "both", "--reverse", "up.csv", "--out", "x.csv")
    assert (again.returncode, (tmp_path / "x.csv").exists()) == (2, False)


def test_a_standing_queue_in_a_capture_is_told(cli: Command, tmp_path: Path) -> None:
    """Of 100 echoes, 10 take 40 ms and 90 take 100 ms: the 5th percentile is 40 ms, the median 100 ms."""
    ends = ("10.0.0.1", "10.0.0.2")
    frames = []
    for seq in range(100):
        frames.append((seq / 10, echo(8, seq, ends)))
        frames.append((seq / 10 + (0.04 if seq % 10 == 0 else 0.1) - 0.001, echo(0, seq, ends[::-1])))
    _, said = made(cli, tmp_path, pcap(frames))
    (warning,) = [line for line in said["notes"] if line.startswith("warning: ")]  # type: ignore[attr-defined]
    assert "the median is 99 ms, the 5th percentile 39 ms" in warning
    assert "--floor '10 s'" in warning
    _, said = made(cli, tmp_path, pcap(frames), "--floor", "10 s")
    assert not any(str(line).startswith("warning: ") for line in said["notes"])  # type: ignore[attr-defined]


def test_a_scenario_is_written(cli: Command, tmp_path: Path) -> None:
    (tmp_path / "log.txt").write_text(LINUX)
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "shortcut").symlink_to("elsewhere")
    for scenario in ("replay.toml", "elsewhere/replay.toml", "shortcut/other.toml"):
        done = cli("import", "log.txt", "--out", "data/path.csv", "--scenario", scenario, "--rate", "20 Mbit/s")
        assert done.returncode == 0, done.stderr
        assert f"scenario: {scenario}\n" in done.stderr
        assert "network.dumbbell" not in done.stdout
        text = (tmp_path / scenario).read_text()
        assert text.startswith("# bentpipe ")
        ping = text.replace('controller = "cubic"', 'kind = "ping", interval = "100 ms"')
        (tmp_path / scenario).write_text(ping)
        run = bp.run(tmp_path / scenario)
        assert run.name == "Path of log.txt"
        assert run.scenario.count("duration =") == 1
        # The smallest round trip of the log is 30 ms; 64 bytes take 26 us at 20 Mbit/s in each direction.
        assert run.summary["flows"][0]["rtt_ms"]["min"] == pytest.approx(30, abs=0.1)
    (tmp_path / "mine.toml").write_text("mine")
    for scenario, words in (
        ("mine.toml", "cannot write mine.toml: this command did not write the existing file"),
        ("data/path.csv", "data/path.csv cannot be both the path trace and the scenario"),
    ):
        done = cli("import", "log.txt", "--out", "data/path.csv", "--scenario", scenario)
        assert (done.returncode, done.stdout) == (2, "")
        assert words in done.stderr
    assert (tmp_path / "mine.toml").read_text() == "mine"


def test_python_can_do_what_the_command_can(cli: Command, tmp_path: Path) -> None:
    command = commands_of(parser(whole=True))["import"]
    options = {action.dest for action in command._actions} - {"help", "json", "quiet"}
    assert options == set(inspect.signature(bp.import_path).parameters)
    (tmp_path / "table.csv").write_text("0;25.5;1\n0.1;26.5;0\n0.4;;0\n0.5;27.5;0\n")
    words = ("--columns", "time,rtt=ms,-", "--offset", "100 ms", "--rate", "5 Mbit/s", "--step", "50 ms")
    done = cli("import", "table.csv", "--out", "path.csv", "--scenario", "scenario.toml", *words)
    assert done.returncode == 0, done.stderr
    made = bp.import_path(
        "table.csv",
        "other/path.csv",
        scenario="other/scenario.toml",
        columns=["time", "rtt=ms", "-"],
        offset="100 ms",
        rate="5 Mbit/s",
        step="50 ms",
    )
    for name in ("path.csv", "scenario.toml"):
        assert (tmp_path / "other" / name).read_bytes() == (tmp_path / name).read_bytes()
    # From 0.1 s on: 26.5 ms, a lost probe after 0.3 s, and 27.5 ms after 0.4 s.
    assert made.figures["rtt_ms"] == {"p5": pytest.approx(26.55), "p50": 27.0, "p95": pytest.approx(27.45)}
    assert (made.figures["samples"], made.figures["outages"]) == (3, 1)
    assert made.scenario_file == Path("other/scenario.toml")
    assert made.scenario_file.read_text() == f"{made.scenario}\n"
    again = bp.import_path(LINUX.encode(), "ping.csv")
    assert (again.source, again.scenario_file) == ("ping (Linux)", None)
    assert 'path_trace = "ping.csv"' in again.scenario


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"step": "100"}, 'step must be text with its unit, for example "100 ms", not \'100\' (write step="100 ms")'),
        ({"step": "100 mm"}, 'step: cannot read "100 mm" as a time span'),
        ({"step": None}, "step must be text with its unit"),
        ({"gap": "0 s"}, 'gap: "0 s" is not a time span above 0'),
        ({"rate": 5}, "rate must be text with its unit"),
        ({"rate": "5 ms"}, 'rate: "5 ms" is not a rate'),
        ({"format": "pong"}, "did you mean 'ping'"),
        ({"direction": "left"}, "there is no direction 'left'"),
    ],
)
def test_bad_arguments(tmp_path: Path, wrong: dict[str, object], words: str) -> None:
    with pytest.raises(bp.ArgumentError, match=re.escape(words)):
        bp.import_path(LINUX.encode(), tmp_path / "path.csv", **wrong)  # type: ignore[arg-type]
    assert not list(tmp_path.iterdir())


def test_standard_input(tmp_path: Path, cli: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(LINUX.encode())))
    done = cli("import", "-", "--out", "path.csv")
    assert done.returncode == 0, done.stderr
    assert "imported from data without a name (ping (Linux)), 1.2 s" in (tmp_path / "path.csv").read_text()
    assert "measured: 5 probes answered, 1 lost" in done.stderr


REFUSED = [
    (b"", (), "it is empty"),
    (b"what is this\n", (), 'line 1: "what,is,this": the format is not known'),
    (b"\x7fELF\x02\x01\x00\x00", (), "the format is not known (formats: pcap, irtt"),
    (gzip.compress(LINUX.encode()), (), "it is compressed (gunzip unpacks it)"),
    (b"time_s,delay_ms\n0,20\n", (), "it is a path trace already"),
    (b'{"a": 1}', (), "it is JSON, but not of irtt or iperf3"),
    (b"PING 1.1.1.1 (1.1.1.1) 56(84) bytes of data.\n", (), "the log has no reply with a time"),
    (f"{LINUX}{LINUX}".encode(), (), "line 13: a second log begins here (split the file"),
    (b"16 bytes from 1.1.1.1: icmp_seq=1 ttl=64\n", (), "line 1: the reply has no time (ping needs a payload"),
    (LINUX.encode(), ("--direction", "up"), "--direction has no effect on ping"),
    (irtt().encode(), (), "none of the 0 probes was answered"),
    (irtt(trip(0, 0, None, "true")).encode(), (), "none of the 1 probes was answered"),
    (b'{"version": {"irtt": "0.9"}, "round_trips": [{"seqno": "x"}]}', (), "`$.round_trips[0]`"),
    (irtt(trip(0, 0, 1)).encode()[:-40], (), "Input data was truncated"),
    (irtt(trip(0, 0, 1)).encode(), ("--interval", "1 s"), "--interval has no effect on irtt"),
    (iperf3(error="unable to connect to server").encode(), (), 'iperf3 reports "unable to connect to server"'),
    (iperf3(interval(0, 1)).encode(), ("--direction", "up"), "it has only one direction"),
    (b'{"event":"interval","data":{"sum":{"start":0}}}\n', (), "line 1: Object missing required field"),
    (b"timestamp,rtt\n1,5\n2,abc\n", (), 'line 3: rtt "abc" is not a number'),
    (b"timestamp,rtt\n1,5,6\n", (), "line 2: the row has 3 values, but the header names 2"),
    (b"timestamp,rtt\n", (), "it has no row with a round trip"),
    (b"site_name,timestamp_start,hop,ping_avg,packet_loss\nx,2023-01-01,1,5,0\n", (), "line 1: this is not the header"),
    (
        b"site_name,timestamp_start,ping_avg,packet_loss\nx,noon,5,0\n",
        (),
        'line 2: timestamp_start "noon" is not a time',
    ),
    (b"site_name,timestamp_start,ping_avg,packet_loss\nx,2023-01-01,5,120\n", (), "packet_loss 120 is not within"),
    (b"site_name,timestamp_start,ping_avg,packet_loss\n", ("--direction", "up"), "a table without the column upload"),
    (b"0,20\n1,20\n", (), "name them in their order"),
    (b"0,20\n", ("--columns", "time,speed"), '--columns: "speed" is not a column (columns are time, rtt'),
    (b"0,20\n", ("--columns", "time,rtt=parsec"), '"parsec" is not a unit of rtt (units are ms, s'),
    (b"0,20\n", ("--columns", "time"), "--columns: name rtt or delay, rate, or loss"),
    (b"0,20\n", ("--columns", "rtt,rtt"), "--columns: rtt is listed twice"),
    (b"0,20\n", ("--columns", "rtt"), "no column is the time: add --interval TIME"),
    (b"0,20\n0\n", ("--columns", "time,rtt"), "line 2: 1 values, and --columns names 2"),
    (b"0,20\n,20\n", ("--columns", "time,rtt"), "line 2: the time is missing"),
    (b"0,inf\n", ("--columns", "time,rtt"), 'line 1: rtt "inf" is not finite'),
    (b"0,-5\n", ("--columns", "time,rate"), "line 1: the rate -5 Mbit/s is negative"),
    (b"0,5\n", ("--columns", "time,loss=ratio"), "line 1: the loss 5 must be between 0 and 1 (for percent"),
    (b"0,120\n", ("--columns", "time,loss"), "line 1: the loss 120 % must be between 0 and 100 %"),
    (b"0,-1\n", ("--columns", "time,loss"), "line 1: the loss -1 % must be between 0 and 100 %"),
    (b"0,5,6\n", ("--columns", "time,rate,up"), "--columns: name rate, or up and down"),
    (b"0,5\n", ("--columns", "time,rate", "--direction", "up"), "--direction up: no column is up"),
    (b"0,20\n", ("--columns", "time,rtt", "--format", "ping"), "--columns has no effect with --format ping"),
    (b"0,20\n", ("--columns", "time,rtt", "--offset", "9 s"), "it lasts 1 s, and nothing is left from 9 s on"),
    (b"0,20\n9999999,20\n", ("--columns", "time,rtt"), "the limit of a path trace is 30 days"),
    (
        b"0,20\n5,9e9\n",
        ("--columns", "time,rtt"),
        "5 s after its start, the measurement has a round trip of 9e+09 ms (the limit is 2 h)",
    ),
    (b"0,5\n", ("--columns", "time,rate=MB/s", "--rate", "1 Mbit/s", "--offset", "2 s"), "nothing is left from 2 s"),
    (b"64 bytes from ::1: icmp_seq=65536 ttl=64 time=4 ms\n", (), "line 1: the sequence number 65536 has more than 16"),
    (LINUX.replace("6 packets", "66666666 packets").encode(), (), "the log counts 66666666 probes, and 10000000 is"),
    (pcap([]), (), "it has no IP packet"),
    (pcap([])[:20], (), "the header of the capture is cut off"),
    (pcap([])[:20] + struct.pack("<I", 147) + pcap([(0, bytes(60))])[24:], (), "the link type 147 is not known"),
]


@pytest.mark.parametrize(("content", "options", "words"), REFUSED, ids=[words[:40] for *_, words in REFUSED])
def test_bad_input(cli: Command, tmp_path: Path, content: bytes, options: tuple[str, ...], words: str) -> None:
    (tmp_path / "source.bin").write_bytes(content)
    done = cli("import", "source.bin", "--out", "path.csv", *options)
    assert done.returncode == 2
    assert done.stderr.startswith("error[scenario-unreadable]: cannot import source.bin: ")
    assert words in done.stderr
    assert (done.stdout, [file.name for file in tmp_path.iterdir()]) == ("", ["source.bin"])


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--step", "100"), 'argument --step: cannot read "100" as a time span: the unit is missing'),
        (("--step", "0 s"), 'argument --step: "0 s" is not a time span above 0'),
        (("--rate", "5 ms"), 'argument --rate: "5 ms" is not a rate such as "100 Mbit/s"'),
        (("--rate", "0 Mbit/s"), "argument --rate"),
        (("--format", "tcpdump"), 'argument --format: "tcpdump" is not a choice'),
    ],
)
def test_bad_options(cli: Command, options: tuple[str, ...], words: str) -> None:
    done = cli("import", "log.txt", "--out", "path.csv", *options)
    assert (done.returncode, done.stdout) == (2, "")
    assert words in done.stderr


def test_files_of_others_are_not_replaced(cli: Command, tmp_path: Path) -> None:
    (tmp_path / "log.txt").write_text(LINUX)
    for name in ("log.txt", "notes.csv"):
        (tmp_path / "notes.csv").write_text("mine")
        done = cli("import", "log.txt", "--out", name)
        assert done.returncode == 2
        assert f"cannot write {name}: this command did not write the existing file" in done.stderr
    assert (tmp_path / "log.txt").read_text() == LINUX
    for options in ((), (), ("--force",)):
        assert cli("import", "log.txt", "--out", "path.csv", *options).returncode == 0
    done = cli("import", "nothing.txt", "--out", "path.csv")
    assert done.returncode == 2
    assert "cannot import nothing.txt: there is no such file" in done.stderr


@needs.mark("measuring")
def test_what_the_tools_write_here(cli: Command, tmp_path: Path) -> None:
    def port(kind: socket.SocketKind) -> str:
        with socket.socket(type=kind) as free:
            free.bind(("127.0.0.1", 0))
            return str(free.getsockname()[1])

    def measure(*command: str) -> bytes:
        return subprocess.run(command, check=True, capture_output=True, env=os.environ | {"LC_ALL": "C"}).stdout

    _, said = made(cli, tmp_path, measure("ping", "-D", "-c", "3", "-i", "0.2", "127.0.0.1"))
    assert (said["source"], said["samples"], said["outages"]) == ("ping (Linux)", 3, 0)
    at = port(socket.SOCK_STREAM)
    with subprocess.Popen(["iperf3", "-s", "-1", "-p", at, "--forceflush"], stdout=subprocess.PIPE) as server:
        assert server.stdout is not None
        while b"listening" not in server.stdout.readline():
            pass
        text = measure("iperf3", "-c", "127.0.0.1", "-p", at, "-t", "1", "-i", "0.5", "-b", "50M", "-J")
    _, said = made(cli, tmp_path, text)
    assert said["source"] == "iperf3"
    assert said["rate_mbit_s"] is not None
    assert said["rtt_ms"] is not None
    at = port(socket.SOCK_DGRAM)
    with subprocess.Popen(["irtt", "server", "-b", f"127.0.0.1:{at}"], stdout=subprocess.PIPE) as server:
        assert server.stdout is not None
        try:
            while b"start" not in server.stdout.readline():
                pass
            measure(
                "irtt", "client", "-i", "100ms", "-d", "500ms", "-q", "-o", str(tmp_path / "r.json"), f"127.0.0.1:{at}"
            )
        finally:
            server.terminate()
    _, said = made(cli, tmp_path, (tmp_path / "r.json").read_bytes())
    assert (said["source"], said["samples"], said["outages"]) == ("irtt", 5, 0)
