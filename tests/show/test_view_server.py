# SPDX-License-Identifier: MIT OR Apache-2.0
"""The requests that the viewer's server answers, and the answers."""

from __future__ import annotations

import http.client
import json
import socket
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest

import bentpipe as bp
from bentpipe.cli.folders import view
from bentpipe.show.viewer import scene
from bentpipe.show.viewer.server import Server
from viewed import PAGE
from waiting import HANG_S


@pytest.fixture
def server(orbit: Path, page: None) -> Iterator[Server]:  # noqa: ARG001 - before anything is served
    with Server(view([orbit])) as made:
        thread = threading.Thread(target=made.serve_forever, args=(0.02,))
        thread.start()
        yield made
        made.shutdown()
        thread.join()


Ask = Callable[..., tuple[int, dict[str, str], bytes]]


@pytest.fixture
def ask(server: Server) -> Ask:
    def call(path: str, method: str = "GET", **headers: str) -> tuple[int, dict[str, str], bytes]:
        connection = http.client.HTTPConnection("127.0.0.1", server.server_address[1], timeout=HANG_S)
        connection.putrequest(method, path, skip_host="Host" in headers)
        for key, value in headers.items():
            connection.putheader(key, value)
        connection.endheaders()
        answer = connection.getresponse()
        found = answer.status, dict(answer.getheaders()), answer.read()
        connection.close()
        return found

    return call


def test_the_server_gives_page_scene_and_buffers(server: Server, ask: Ask, orbit: Path) -> None:
    at = urlsplit(server.address).path
    status, headers, body = ask(at)
    assert (status, body) == (200, PAGE.encode())
    assert headers["Content-Security-Policy"] == (
        "default-src 'none'; script-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
    )
    assert ask(f"{at}viewer.js")[2] == b"1;"
    document = json.loads(ask(f"{at}scene.json")[2])
    assert document == scene.of_runs([bp.load(orbit)]).document
    for level in document["runs"][0]["curves"][0]["levels"]:
        name = level["low"]["buffer"]
        status, headers, body = ask(f"{at}buffers/{name}.bin")
        assert (status, headers["Content-Type"]) == (200, "application/octet-stream")
        assert len(body) >= level["low"]["offset"] + 4 * level["low"]["count"]
        assert ask(f"{at}buffers/{name}.bin", Range="bytes=8-15")[::2] == (206, body[8:16])
        assert ask(f"{at}buffers/{name}.bin", Range=f"bytes={len(body)}-")[0] == 416
        assert ask(f"{at}buffers/{name}.bin", Range=f"bytes={5_000 * chr(57)}-")[0] == 200, "no number is as long"
    status, headers, body = ask(f"{at}scene.json", "HEAD")
    assert (status, body) == (200, b"")
    assert int(headers["Content-Length"]) > 1000
    for path in ("", "scene.json", "nothing"):
        headers = ask(at + path)[1]
        assert headers["X-Content-Type-Options"] == "nosniff"
        assert headers["Cache-Control"] == "no-store"
        assert not any(name.lower().startswith("access-control") for name in headers)
        assert "Python" not in headers["Server"]


@pytest.mark.parametrize(
    "path",
    [
        "../../../etc/passwd",
        "%2e%2e/%2e%2e/etc/passwd",
        "..%2f..%2fetc%2fpasswd",
        "buffers/../../summary.json",
        "buffers/..%2fsummary.bin",
        "buffers//etc/passwd.bin",
        "summary.json",
        "flows.parquet",
        "run/0/",
        "run/-1/scene.json",
        "run/99999999999999/scene.json",
        "pictures/0.png",
        "pictures/../x.png",
        "\\..\\..\\x",
    ],
)
def test_nothing_else_can_be_had(server: Server, ask: Ask, path: str) -> None:
    assert ask(urlsplit(server.address).path + path)[0] == 404


def test_without_the_secret_there_is_nothing(server: Server, ask: Ask) -> None:
    token = server.token
    assert len(token) >= 40
    for path in (
        "/",
        "/scene.json",
        f"/{token[:-1]}x/scene.json",
        f"/{token}",
        f"/x/{token}/scene.json",
        f"/{token}%2f",
    ):
        status, _, body = ask(path)
        assert status == 404, path
        assert token.encode() not in body
    with Server(server.shown) as other:
        assert other.token != token


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:80", "127.0.0.1.evil.example", "localhost@evil.example", ""]
)
def test_other_names_of_this_machine_are_refused(server: Server, ask: Ask, host: str) -> None:
    """Otherwise a site whose name resolves to 127.0.0.1 could read what the browser can read."""
    assert ask(urlsplit(server.address).path, Host=host)[0] == 403


@pytest.mark.parametrize("host", ["localhost", "localhost:8000", "127.0.0.1:1", "[::1]:9", "LOCALHOST"])
def test_a_tunnel_may_have_another_port(server: Server, ask: Ask, host: str) -> None:
    assert ask(urlsplit(server.address).path, Host=host)[0] == 200


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "OPTIONS", "PATCH", "TRACE", "CONNECT", "PROPFIND"])
def test_only_reading_is_answered(server: Server, ask: Ask, method: str) -> None:
    status, headers, _ = ask(urlsplit(server.address).path, method)
    assert (status, headers["Allow"]) == (405, "GET, HEAD")


def test_it_listens_on_this_machine_alone(server: Server) -> None:
    assert server.server_address[0] == "127.0.0.1"


def test_two_requests_without_host_or_with_two_are_refused(server: Server) -> None:
    path = urlsplit(server.address).path
    for hosts in ("", "Host: localhost\r\nHost: evil.example\r\n"):
        with socket.create_connection(server.server_address[:2], timeout=HANG_S) as line:
            line.sendall(f"GET {path} HTTP/1.1\r\n{hosts}Connection: close\r\n\r\n".encode())
            assert b" 403 " in line.recv(64)
