# SPDX-License-Identifier: MIT OR Apache-2.0
"""`bentpipe quic serve` and `get`: with each other, and with other implementations, over the loopback interface."""

from __future__ import annotations

import json
import random
import socket
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from project import ROOT, Command
from quic_peers import (
    CLOSES,
    CODE,
    STALLS,
    Certificate,
    certificate,
    delayed,
    our_server,
    their_client,
    their_server,
)
from waiting import HANG_S, heed_interrupts, interrupted, until

SCHEMA = json.loads((ROOT / "tests" / "support" / "qlog.schema.json").read_text())
MIB = 1 << 20
SIZES = (1, 10)
CONTROLLERS = ("cubic", "bbr1")


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with files of 1 MiB and 10 MiB, and a file beside it."""
    folder = tmp_path_factory.mktemp("outer") / "served"
    folder.mkdir()
    draw = random.Random(7)  # noqa: S311 - content, not secrets
    for size in SIZES:
        (folder / f"{size}MiB").write_bytes(draw.randbytes(size * MIB))
    (folder / "small").write_text("small")
    (folder.parent / "secret").write_text("secret")
    (folder / "link").symlink_to(folder.parent / "secret")
    return folder


@pytest.fixture(scope="module")
def identity(tmp_path_factory: pytest.TempPathFactory) -> Certificate:
    return certificate(tmp_path_factory.mktemp("certificate"))


def connections(text: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(text)["connections"]
    return found


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("controller", CONTROLLERS)
def test_aioquic_fetches_from_our_server(root: Path, identity: Certificate, size: int, controller: str) -> None:
    of_files = ("--cert", str(identity.file), "--key", str(identity.key))
    with our_server(root, "--once", "--controller", controller, *of_files) as server:
        got = their_client(server.port, f"/{size}MiB", identity.file)
        report = server.connection()
        assert server.process.wait(HANG_S) == 0
    assert got == (root / f"{size}MiB").read_bytes()
    assert (report["bytes"], report["controller"], report["error"]) == (size * MIB, controller, None)
    assert report["requests"][0]["path"] == f"/{size}MiB"
    assert report["sent_packets"] >= size * MIB / report["datagram_bytes"]


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("controller", CONTROLLERS)
def test_our_client_fetches_from_aioquic(
    cli: Command, tmp_path: Path, root: Path, identity: Certificate, size: int, controller: str
) -> None:
    with their_server(root, identity) as port:
        url = f"https://localhost:{port}/{size}MiB".replace("localhost", "127.0.0.1")
        done = cli("quic", "get", url, "--ca", identity.file, "--controller", controller, "--out", "got", "--json")
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "got").read_bytes() == (root / f"{size}MiB").read_bytes()
    (report,) = connections(done.stdout)
    assert (report["bytes"], report["error"], report["requests"][0]["bytes"]) == (size * MIB, None, size * MIB)
    assert report["handshake_s"] < report["duration_s"]


def test_both_ends_are_ours(cli: Command, tmp_path: Path, root: Path) -> None:
    """Several files over one connection, checked with the certificate that the server made."""
    with our_server(root, "--once", "--write-cert", str(tmp_path / "made.pem")) as server:
        urls = [server.url("10MiB"), server.url("1MiB"), server.url("small")]
        done = cli("quic", "get", *urls, "--ca", tmp_path / "made.pem", "--out", "got/", "--json")
        theirs = server.connection()
    assert done.returncode == 0, done.stderr
    for name in ("10MiB", "1MiB", "small"):
        assert (tmp_path / "got" / name).read_bytes() == (root / name).read_bytes()
    (ours,) = connections(done.stdout)
    assert ours["bytes"] == theirs["bytes"] == 11 * MIB + 5
    assert sorted(one["path"] for one in theirs["requests"]) == ["/10MiB", "/1MiB", "/small"]


def test_ipv6(cli: Command, root: Path) -> None:
    with our_server(root, "--once", listen="[::1]:0") as server:
        done = cli("quic", "get", server.url("small", host="[::1]"), "--insecure", "--json")
    assert done.returncode == 0, done.stderr
    assert connections(done.stdout)[0]["bytes"] == 5


def test_later_connections_resume(cli: Command, tmp_path: Path, root: Path) -> None:
    """0-RTT from the session of the first connection."""
    with our_server(root, "--controller", "cubic{careful_resume=true}") as server:
        urls = [server.url("10MiB"), server.url("small")]
        done = cli("quic", "get", *urls, "--insecure", "--resume", "--out", "got/", "--json")
        theirs = [server.connection(), server.connection()]
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "got/small").read_text() == "small"
    assert [one["zero_rtt"] for one in connections(done.stdout)] == [False, True]
    assert [one["zero_rtt"] for one in theirs] == [False, True]
    assert theirs[0]["saved_path"] is None


def test_a_second_connection_starts_from_the_saved_window(cli: Command, tmp_path: Path) -> None:
    """Careful Resume (RFC 9959), with numbers of sections 3.1 and 3.3.

    Reno has no early end of slow start. The transfer is so small that not even a relay that never runs loses a
    datagram: no window exceeds the receive buffers of Linux.
    """
    served, logs = tmp_path / "served", tmp_path / "logs"
    served.mkdir()
    (served / "400kB").write_bytes(bytes(400_000))
    delay_s, datagram = 0.15, 1200
    words = ("--controller", "reno{careful_resume=true}", "--qlog", str(logs))
    reports = list[dict[str, Any]]()
    with our_server(served, *words) as server, delayed(server.port, delay_s) as port:
        for _ in range(2):
            done = cli("quic", "get", f"https://127.0.0.1:{port}/400kB", "--insecure", "--json")
            assert done.returncode == 0, done.stderr
            assert connections(done.stdout)[0]["bytes"] == 400_000
            reports.append(server.connection())
    first, second = (events(logs / f"server-{number}.sqlog") for number in (1, 2))
    assert reports[0]["saved_path"] is None
    assert not any("careful resume" in phase for phase, _ in first)
    saved = reports[1]["saved_path"]
    # "if [the measured CWND] is less than four times the initial window (IW), it is not saved": RFC 9959, section 3.1.
    assert 4 * 10 * datagram <= saved["cwnd_bytes"] <= max(window for _, window in first)
    assert saved["rtt_ms"] >= reports[0]["min_rtt_ms"] >= 2e3 * delay_s
    # The jump to half of it: RFC 9959, section 3.3.
    jump = next(window for phase, window in second if phase == "careful resume: unvalidated")
    assert jump == pytest.approx(saved["cwnd_bytes"] / 2, abs=2)
    # Slow start would at most have doubled the initial window by then.
    assert jump > max(window for phase, window in second[: second.index(("careful resume: unvalidated", jump))])


def events(file: Path) -> list[tuple[str, float]]:
    """The windows of a log in their order, each with the phase of the controller."""
    phase, found = "", list[tuple[str, float]]()
    for part in file.read_bytes().split(b"\x1e")[2:]:
        event = json.loads(part)
        if event["name"] == "quic:congestion_state_updated":
            phase = event["data"]["new"]
        elif "congestion_window" in event["data"]:
            found.append((phase, event["data"]["congestion_window"]))
    return found


def test_content_on_standard_output(root: Path) -> None:
    with our_server(root, "--once") as server:
        words = ["quic", "get", server.url("1MiB"), "--insecure", "--out", "-"]
        done = subprocess.run([sys.executable, "-m", "bentpipe", *words], capture_output=True, check=True)
    assert done.stdout == (root / "1MiB").read_bytes()
    assert b"1 file, 1.05 MB" in done.stderr


@pytest.mark.parametrize(
    ("path", "code", "said"),
    [
        ("missing", 404, "no such file"),
        ("../secret", 403, "outside of the served folder"),
        ("%2e%2e/secret", 403, "outside of the served folder"),
        ("link", 403, "outside of the served folder"),
        ("", 404, "no such file"),
    ],
)
def test_no_file_outside_is_served(cli: Command, tmp_path: Path, root: Path, path: str, code: int, said: str) -> None:
    with our_server(root, "--once") as server:
        done = cli("quic", "get", server.url(path), "--insecure", "--out", "got")
        report = server.connection()
    assert done.returncode == 1
    assert done.stderr.startswith("error[request-refused]: https://localhost:")
    assert f"code {code}" in done.stderr
    assert said in done.stderr
    assert list(tmp_path.iterdir()) == []
    assert (report["bytes"], report["requests"][0]["reset"]) == (0, code)


def test_the_port_is_taken(cli: Command, root: Path) -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as other:
        other.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{other.getsockname()[1]}"
        done = cli("quic", "serve", root, "--listen", address)
    assert done.returncode == 1
    assert done.stderr.startswith(f"error[address-unusable]: cannot listen on {address}")
    assert "--listen" in done.stderr


def test_nothing_listens(cli: Command) -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as other:
        other.bind(("127.0.0.1", 0))
        port = other.getsockname()[1]
    done = cli("quic", "get", f"https://127.0.0.1:{port}/a", "--insecure")
    assert done.returncode == 1
    assert done.stderr.startswith(f"error[address-unusable]: cannot reach 127.0.0.1:{port}: nothing listens there")


def test_timeout_and_ecn(cli: Command) -> None:
    """A server that never answers. The packets of the client carry ECT(0)."""
    marks = list[int]()
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as silent:
        silent.setsockopt(socket.IPPROTO_IP, socket.IP_RECVTOS, 1)
        silent.bind(("127.0.0.1", 0))

        def listen() -> None:
            _, ancillary, _, _ = silent.recvmsg(2048, 64)
            marks.extend(data[0] & 3 for _, kind, data in ancillary if kind == socket.IP_TOS)

        thread = threading.Thread(target=listen)
        thread.start()
        url = f"https://127.0.0.1:{silent.getsockname()[1]}/a"
        done = cli("quic", "get", url, "--insecure", "--timeout", "300 ms")
        thread.join()
    assert done.returncode == 1
    assert "error[connection-failed]" in done.stderr
    assert "no packet arrived until the timeout" in done.stderr
    assert marks == [0b10]


def test_another_application_protocol(cli: Command, root: Path, identity: Certificate) -> None:
    with their_server(root, identity, alpn="h3") as port:
        done = cli("quic", "get", f"https://127.0.0.1:{port}/small", "--ca", identity.file)
    assert done.returncode == 1
    assert "error[connection-failed]" in done.stderr
    assert "application protocol hq-interop" in done.stderr
    with our_server(root, "--once", "--cert", str(identity.file), "--key", str(identity.key)) as server:
        with pytest.raises(ConnectionError):
            their_client(server.port, "/small", identity.file, alpn="h3")
        _, errors = server.process.communicate(timeout=HANG_S)
    assert server.process.returncode == 1
    assert "application protocol hq-interop" in errors


@pytest.mark.parametrize(
    ("name", "days", "ca", "said"),
    [
        ("localhost", -1, "own", "has expired"),
        ("localhost", 1, "other", "no certificate of --ca has issued"),
        ("example.org", 1, "own", "is for another name"),
    ],
)
def test_certificates_that_are_not_accepted(
    cli: Command, tmp_path: Path, root: Path, identity: Certificate, name: str, days: int, ca: str, said: str
) -> None:
    shown = certificate(tmp_path / "shown", name=name, days=days)
    trusted = shown if ca == "own" else identity
    with our_server(root, "--cert", str(shown.file), "--key", str(shown.key)) as server:
        refused = cli("quic", "get", server.url("small"), "--ca", trusted.file)
        accepted = cli("quic", "get", server.url("small"), "--insecure")
    assert refused.returncode == 1
    assert "error[certificate-refused]" in refused.stderr
    assert said in refused.stderr
    assert "--insecure" in refused.stderr
    assert accepted.returncode == 0, accepted.stderr


def test_the_server_closes_the_connection(cli: Command, root: Path, identity: Certificate) -> None:
    with their_server(root, identity) as port:
        done = cli("quic", "get", f"https://127.0.0.1:{port}{CLOSES}", "--ca", identity.file)
    assert done.returncode == 1
    assert "error[connection-failed]" in done.stderr
    assert f"code {CODE}" in done.stderr or "no more" in done.stderr


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("serve", ".", "--controller", "ledbat"), "signal-missing", "one-way delay"),
        (("serve", ".", "--controller", "qubic"), "controller-unknown", "cubic"),
        (("serve", ".", "--controller", "cubic over tcp"), "argument-value", "always QUIC"),
        (("serve", ".", "--listen", "localhost"), "argument-value", "127.0.0.1:4433"),
        (("serve", "nowhere"), "argument-value", "name an existing folder"),
        (("serve", ".", "--cert", "a.pem"), "argument-value", "--key"),
        (("serve", ".", "--cert", "a.pem", "--key", "a.key"), "argument-value", "a.pem"),
        (("get", "http://localhost/a", "--insecure"), "argument-value", "https://"),
        (("get", "https://localhost/a", "--ca", "a.pem"), "argument-value", "a.pem"),
        (("get", "https://localhost/a"), "usage", "--ca --insecure"),
        (("get", "https://localhost/a", "--insecure", "--out", "-", "--json"), "argument-value", "standard output"),
        (("get", "https://a/b", "https://c/b", "--insecure", "--out", "d"), "argument-value", "one by one"),
    ],
)
def test_wrong_arguments(cli: Command, words: tuple[str, ...], code: str, said: str) -> None:
    done = cli("quic", *words)
    assert done.returncode == 2, done.stderr
    assert done.stderr.startswith(f"error[{code}]")
    assert said in done.stderr


def test_ctrl_c_ends_the_server(root: Path, identity: Certificate) -> None:
    """The connection was reported before; the signal ends the process with exit code 130."""
    of_files = ("--cert", str(identity.file), "--key", str(identity.key))
    with our_server(root, *of_files) as server:
        words = ["quic", "get", server.url("small"), "--ca", str(identity.file)]
        subprocess.run([sys.executable, "-m", "bentpipe", *words], check=True, capture_output=True)
        assert server.connection()["bytes"] == 5
        interrupted(server.process)


def test_ctrl_c_keeps_finished_files_only(tmp_path: Path, root: Path, identity: Certificate) -> None:
    """Two requests on a connection whose server answers the second by half. The client would wait for the timeout."""
    out = tmp_path / "got"
    with their_server(root, identity) as port:
        urls = [f"https://127.0.0.1:{port}/{name}" for name in ("small", f"1MiB{STALLS}")]
        words = ["quic", "get", *urls, "--ca", str(identity.file), "--out", f"{out}/"]
        client = subprocess.Popen(
            [sys.executable, "-m", "bentpipe", *words],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            preexec_fn=heed_interrupts,
        )
        until(lambda: (out / "small").exists() and any(part.stat().st_size for part in out.glob("*.part")), client)
        interrupted(client)
    assert [file.name for file in out.iterdir()] == ["small"]
    assert (out / "small").read_text() == "small"


def test_ctrl_c_ends_a_client_without_a_connection(tmp_path: Path) -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as silent:
        silent.bind(("127.0.0.1", 0))
        url = f"https://127.0.0.1:{silent.getsockname()[1]}/a"
        client = subprocess.Popen(
            [sys.executable, "-m", "bentpipe", "quic", "get", url, "--insecure", "--out", str(tmp_path / "a")],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            preexec_fn=heed_interrupts,
        )
        silent.settimeout(HANG_S)
        silent.recv(2048)
        interrupted(client)
    assert list(tmp_path.iterdir()) == []


def test_qlog(cli: Command, tmp_path: Path, root: Path) -> None:
    with our_server(root, "--once", "--qlog", str(tmp_path / "logs")) as server:
        done = cli("quic", "get", server.url("1MiB"), "--insecure", "--qlog", "logs", "--json")
        report = server.connection()
        assert server.process.wait(HANG_S) == 0
    assert done.returncode == 0, done.stderr
    logs = {}
    for side in ("server", "client"):
        parts = (tmp_path / "logs" / f"{side}-1.sqlog").read_bytes().split(b"\x1e")
        top, *logs[side] = [json.loads(part) for part in parts[1:]]
        assert top["trace"]["vantage_point"]["type"] == side
        for event in logs[side]:
            for name, value in (("Event", event), (event["name"], event["data"])):
                jsonschema.Draft202012Validator({**SCHEMA, "$ref": f"#/$defs/{name}"}).validate(value)
        times = [event["time"] for event in logs[side]]
        assert times == sorted(times)
    data: dict[str, list[dict[str, Any]]] = {}
    for event in logs["server"]:
        data.setdefault(event["name"], []).append(event["data"])
    assert sum(one["raw"]["length"] for one in data["quic:packet_sent"]) > MIB
    assert len(data.get("quic:packet_lost", ())) == report["lost_packets"]
    metrics: dict[str, float] = {}
    for one in data["quic:recovery_metrics_updated"]:
        metrics |= one
    assert metrics["congestion_window"] == report["cwnd_bytes"]
    assert metrics["smoothed_rtt"] == report["rtt_ms"]
