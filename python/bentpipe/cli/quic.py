# SPDX-License-Identifier: MIT OR Apache-2.0
"""Serve or fetch files over real QUIC, with a controller of Bentpipe.

Both commands use HTTP/0.9 over QUIC version 1 (application protocol hq-interop) through UDP sockets of this machine.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, TypedDict

from bentpipe import _core
from bentpipe.base import arguments
from bentpipe.cli import options
from bentpipe.cli.console import note, output, plural, rough_size, rough_time, said, say, say_json
from bentpipe.scenario.choice import Choice

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


class Connection(TypedDict):
    """The printed keys of a connection's report. `crates/quic-socket/src/report.rs` explains all keys."""

    peer: str
    controller: str
    degraded: str | None
    handshake_s: float | None
    duration_s: float
    zero_rtt: bool
    saved_path: dict[str, float] | None
    bytes: int
    requests: list[dict[str, str | float | None]]
    rtt_ms: float | None
    cwnd_bytes: int | None
    sent_packets: int
    lost_packets: int
    error: str | None


#: The name of standard output on the command line.
_STDOUT = "-"


def add(parser: options.Parser) -> None:
    """Add the two subcommands."""
    actions = parser.add_subparsers(dest="what", metavar="serve|get", required=True, parser_class=type(parser))
    serve = actions.add_parser("serve", help="serve the files of a folder")
    serve.description = "Serve the files of a folder over QUIC until Ctrl-C. The first line of output is the address."
    serve.add_argument(
        "root",
        nargs="?",
        type=Path,
        default=Path(),
        metavar="DIR",
        help="folder to serve (default: the current folder)",
    )
    serve.add_argument(
        "--listen",
        default="127.0.0.1:4433",
        metavar="ADDRESS",
        help="address and port, for example [::1]:4433 for IPv6; port 0 means a free port (default 127.0.0.1:4433)",
    )
    serve.add_argument(
        "--cert",
        type=Path,
        metavar="FILE",
        help="PEM file of certificates, the server's certificate first (needs --key)",
    )
    serve.add_argument("--key", type=Path, metavar="FILE", help="PEM file of the private key (needs --cert)")
    serve.add_argument(
        "--write-cert",
        type=options.file,
        metavar="FILE",
        help="write the generated certificate to FILE, for the option --ca of bentpipe quic get",
    )
    serve.add_argument("--once", action="store_true", help="end after the first connection")
    _shared(serve, "a line for each connection")
    get = actions.add_parser("get", help="fetch files")
    get.description = "Fetch files over QUIC. Files of one server share a connection."
    get.add_argument("urls", nargs="+", metavar="URL", help="https://HOST:PORT/PATH")
    get.add_argument(
        "--out",
        metavar="FILE|DIR",
        help="file for the content, or a folder for several URLs; - means standard output (default: only count the "
        "bytes)",
    )
    trust = get.add_mutually_exclusive_group(required=True)
    trust.add_argument(
        "--ca",
        type=Path,
        metavar="FILE",
        help="PEM file of trusted certificates: certificates of authorities, or the certificate of the server",
    )
    trust.add_argument("--insecure", action="store_true", help="accept every certificate")
    get.add_argument(
        "--resume",
        action="store_true",
        help="open one connection for each URL; the later connections to a server resume the session and send the "
        "request in 0-RTT",
    )
    get.add_argument(
        "--timeout",
        type=options.time_span,
        default="30 s",
        metavar="TIME",
        help='give up when no packet arrives for this time (default "30 s")',
    )
    _shared(get, "the connections")


def _shared(parser: options.Parser, what: str) -> None:
    parser.add_argument(
        "--controller",
        default="cubic",
        metavar="NAME",
        help="controller; parameters are in braces: 'bbr1', 'cubic{beta=0.8}' (default cubic)",
    )
    parser.add_argument("--qlog", type=options.folder, metavar="DIR", help="write a qlog file for each connection")
    options.json(parser, what)


def run(chosen: options.Chosen) -> int:
    """Run the subcommand: serve files, or fetch files."""
    return _serve(chosen) if chosen.what == "serve" else _get(chosen)


def _controller(text: str) -> dict[str, object]:
    choice = Choice.of(text)
    if choice.transport is not None:
        raise arguments.refuse(f'--controller "{text}": the transport is always QUIC (leave out "over …")')
    return {"name": choice.name, "parameters": list(choice.parameters), "label": choice.key}


def _serve(chosen: options.Chosen) -> int:
    if (chosen.cert is None) != (chosen.key is None):
        raise arguments.refuse("--cert and --key must be given together (or neither, for a generated certificate)")
    if chosen.cert is not None and chosen.write_cert is not None:
        raise arguments.refuse(
            "--write-cert writes the generated certificate, but with --cert no certificate is "
            "generated (omit one of the two options)"
        )
    _core.quic_serve(
        chosen.root,
        chosen.listen,
        _controller(chosen.controller),
        files=None if chosen.cert is None else (chosen.cert, chosen.key),
        write_cert=chosen.write_cert,
        qlog=chosen.qlog,
        once=chosen.once,
        listening=_listening,
        closed=_closed,
    )
    return 0


def _listening(address: str) -> None:
    """Print the address. Scripts wait for this line."""
    if output.is_json:
        _line({"listening": address})
    else:
        say(f"listening on {address}")
    sys.stdout.flush()


def _closed(report: str) -> None:
    connection: Connection = json.loads(report)
    if output.is_json:
        _line(connection)
    else:
        say(_told(connection))
    sys.stdout.flush()


def _line(document: Mapping[str, object]) -> None:
    sys.stdout.write(f"{json.dumps(document)}\n")


def _get(chosen: options.Chosen) -> int:
    if chosen.out == _STDOUT and chosen.json:
        raise arguments.refuse("--out - and --json both write to standard output (give --out FILE)")
    files = list(zip(chosen.urls, _targets(chosen.urls, chosen.out), strict=True))
    reports, failure = _core.quic_get(
        files,
        _controller(chosen.controller),
        ca=chosen.ca,
        resume=chosen.resume,
        timeout_ns=_core.nanos(chosen.timeout),
        qlog=chosen.qlog,
    )
    connections: list[Connection] = json.loads(reports)
    if chosen.json:
        say_json({"connections": connections})
    tell = note if chosen.out == _STDOUT else say
    for connection in connections:
        tell(_told(connection))
    if failure is not None:
        raise failure
    return 0


def _targets(urls: Sequence[str], out: str | None) -> list[Path | None]:
    """Return the file to write for each URL; None if the content is only counted."""
    if out is None or out == _STDOUT:
        return [None if out is None else Path(out)] * len(urls)
    if len(urls) == 1 and not out.endswith("/") and not Path(out).is_dir():
        return [options.file(out)]
    folder = options.folder(out)
    names = [url.partition("?")[0].partition("://")[2].partition("/")[2].rpartition("/")[2] for url in urls]
    for url, name in zip(urls, names, strict=True):
        if not name:
            raise arguments.refuse(f"{url} does not end in a file name (add the name of a file, or give --out FILE)")
        if names.count(name) > 1:
            raise arguments.refuse(f'two URLs would write the same file, "{name}" in {out} (fetch them one by one)')
    folder.mkdir(parents=True, exist_ok=True)
    return [folder / name for name in names]


def _told(connection: Connection) -> str:
    """Return a connection as a line of text."""
    files, size, took = len(connection["requests"]), connection["bytes"], connection["duration_s"]
    handshake, rtt, cwnd = connection["handshake_s"], connection["rtt_ms"], connection["cwnd_bytes"]
    saved = connection["saved_path"]
    parts = [
        f"{plural(files, 'file')}, {rough_size(size)} in {rough_time(took)}",
        f"{size * 8e-6 / took:.3g} Mbit/s" if took > 0.0 and size > 0 else "",
        "no handshake" if handshake is None else f"handshake {handshake * 1e3:.3g} ms",
        "0-RTT" if connection["zero_rtt"] else "",
        f"RTT {said(rtt, '.3g')} ms",
        f"lost {connection['lost_packets']:,} of {plural(connection['sent_packets'], 'packet')}",
        "" if cwnd is None else f"window {rough_size(cwnd)}",
        connection["controller"],
        f"without {connection['degraded']}" if connection["degraded"] else "",
        f"saved window {rough_size(saved['cwnd_bytes'])}" if saved else "",
        connection["error"] or "",
    ]
    return f"{connection['peer']}: {', '.join(part for part in parts if part)}"
