# SPDX-License-Identifier: MIT OR Apache-2.0
"""A QUIC server and a QUIC client of another implementation (aioquic), certificates, and our server as a process."""

from __future__ import annotations

import asyncio
import datetime
import ipaddress
import json
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from aioquic.asyncio import QuicConnectionProtocol, connect
from aioquic.asyncio.server import serve
from aioquic.quic.configuration import QuicConfiguration
from aioquic.quic.events import QuicEvent, StreamDataReceived
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from waiting import HANG_S, heed_interrupts

ALPN = "hq-interop"
#: Code with which aioquic's server closes connections that request `CLOSES`.
CODE = 7
CLOSES = "/closes"
#: The server of another implementation sends half of a file whose path ends with `STALLS`, and then nothing.
STALLS = "?stalls"


@dataclass(frozen=True)
class Certificate:
    """A self-signed certificate and its key (PEM)."""

    file: Path
    key: Path


def certificate(folder: Path, *, name: str = "localhost", days: int = 1) -> Certificate:
    """Write a certificate for a name and 127.0.0.1. It is valid until `days` days from now."""
    folder.mkdir(exist_ok=True)
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, f"{name} {days}")])
    now = datetime.datetime.now(datetime.UTC)
    names: list[x509.GeneralName] = [x509.DNSName(name)]
    if name == "localhost":
        names.append(x509.IPAddress(ipaddress.ip_address("127.0.0.1")))
    made = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(subject)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=10))
        .not_valid_after(now + datetime.timedelta(days=days))
        .add_extension(x509.SubjectAlternativeName(names), critical=False)
        .sign(key, hashes.SHA256())
    )
    found = Certificate(folder / f"{name}{days}.pem", folder / f"{name}{days}.key")
    found.file.write_bytes(made.public_bytes(serialization.Encoding.PEM))
    found.key.write_bytes(
        key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    )
    return found


@contextmanager
def their_server(root: Path, identity: Certificate, alpn: str = ALPN) -> Iterator[int]:
    """Run a server of aioquic for the files of a folder, in a thread, and yield its port."""

    class Files(QuicConnectionProtocol):
        def quic_event_received(self, event: QuicEvent) -> None:
            if not isinstance(event, StreamDataReceived) or not event.end_stream:
                return
            path = event.data.decode().removeprefix("GET ").strip()
            if path == CLOSES:
                self.close(error_code=CODE, reason_phrase="no more")
            else:
                content = (root / path.removesuffix(STALLS)[1:]).read_bytes()
                stalls = path.endswith(STALLS)
                sent = content[: len(content) // 2] if stalls else content
                self._quic.send_stream_data(event.stream_id, sent, end_stream=not stalls)
            self.transmit()

    async def listen(ready: threading.Event, ports: list[int], end: asyncio.Event) -> None:
        configuration = QuicConfiguration(is_client=False, alpn_protocols=[alpn])
        configuration.load_cert_chain(identity.file, identity.key)
        server = await serve("127.0.0.1", 0, configuration=configuration, create_protocol=Files)
        assert server._transport is not None
        ports.append(server._transport.get_extra_info("sockname")[1])
        ready.set()
        await end.wait()
        server.close()

    loop, end, ready, ports = asyncio.new_event_loop(), asyncio.Event(), threading.Event(), list[int]()
    thread = threading.Thread(target=loop.run_until_complete, args=(listen(ready, ports, end),))
    thread.start()
    try:
        assert ready.wait(HANG_S)
        yield ports[0]
    finally:
        loop.call_soon_threadsafe(end.set)
        thread.join()
        loop.close()


def their_client(port: int, path: str, ca: Path, alpn: str = ALPN) -> bytes:
    """Fetch a file with aioquic's client, which checks the certificate."""

    async def fetch() -> bytes:
        configuration = QuicConfiguration(is_client=True, alpn_protocols=[alpn], server_name="localhost")
        configuration.load_verify_locations(str(ca))
        async with connect("127.0.0.1", port, configuration=configuration) as client:
            reader, writer = await client.create_stream()
            writer.write(f"GET {path}\r\n".encode())
            writer.write_eof()
            return await reader.read()

    return asyncio.run(fetch())


@contextmanager
def delayed(port: int, delay_s: float) -> Iterator[int]:
    """A port of 127.0.0.1 from which datagrams reach `port` after `delay_s`, as do the answers; in a thread.

    Datagrams keep their order. None is lost as long as the kernel holds those that have not been read.
    """

    async def pass_on(receiver: socket.socket, send: Callable[[bytes, tuple[str, int]], object]) -> None:
        """Passes each datagram of `receiver` and its sender to `send`."""
        waiting: asyncio.Queue[tuple[float, bytes, tuple[str, int]]] = asyncio.Queue()

        async def receive() -> None:
            while True:
                datagram, sender = await loop.sock_recvfrom(receiver, 1 << 16)
                waiting.put_nowait((loop.time() + delay_s, datagram, sender))

        async def send_on() -> None:
            while True:
                due, datagram, sender = await waiting.get()
                await asyncio.sleep(due - loop.time())
                send(datagram, sender)

        await asyncio.gather(receive(), send_on())

    def made(address: tuple[str, int]) -> socket.socket:
        """A socket at an address of its own, connected to `address` unless its port is 0."""
        udp = sockets.enter_context(socket.socket(socket.AF_INET, socket.SOCK_DGRAM))
        udp.setblocking(False)
        udp.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 22)
        udp.bind(("127.0.0.1", 0))
        if address[1]:
            udp.connect(address)
        return udp

    def forward(datagram: bytes, client: tuple[str, int]) -> None:
        if client not in servers:
            servers[client] = made(("127.0.0.1", port))
            answers = pass_on(servers[client], lambda answer, _: front.sendto(answer, client))
            tasks.append(loop.create_task(answers))
        servers[client].send(datagram)

    async def run() -> None:
        tasks.append(loop.create_task(pass_on(front, forward)))
        await end.wait()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    loop, end = asyncio.new_event_loop(), asyncio.Event()
    servers, tasks = dict[tuple[str, int], socket.socket](), list[asyncio.Task[None]]()
    with ExitStack() as sockets:
        front = made(("127.0.0.1", 0))
        thread = threading.Thread(target=loop.run_until_complete, args=(run(),))
        thread.start()
        try:
            yield front.getsockname()[1]
        finally:
            loop.call_soon_threadsafe(end.set)
            thread.join()
            loop.close()


@dataclass
class Server:
    """A server of Bentpipe in a separate process."""

    process: subprocess.Popen[str]
    port: int

    def url(self, path: str, host: str = "localhost") -> str:
        return f"https://{host}:{self.port}/{path}"

    def connection(self) -> dict[str, Any]:
        """Return the report of the next connection that ends."""
        assert self.process.stdout is not None
        found: dict[str, Any] = json.loads(self.process.stdout.readline())
        return found


@contextmanager
def our_server(root: Path, *more: str, listen: str = "127.0.0.1:0") -> Iterator[Server]:
    """Start `bentpipe quic serve --json`, and yield it when it listens."""
    words: Sequence[str] = ("quic", "serve", str(root), "--listen", listen, "--json", *more)
    with subprocess.Popen(
        [sys.executable, "-m", "bentpipe", *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=heed_interrupts,
    ) as process:
        try:
            assert process.stdout is not None
            line = process.stdout.readline()
            assert line, process.communicate()
            yield Server(process, int(json.loads(line)["listening"].rpartition(":")[2]))
        finally:
            process.kill()
