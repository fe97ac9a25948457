# SPDX-License-Identifier: MIT OR Apache-2.0
"""The viewer's server: one page and its data, for a browser on this machine.

The server listens on 127.0.0.1. The path of the printed address contains a secret. The server refuses requests without
the secret, and requests that use another host name (another site in the same browser, a name that resolves to
127.0.0.1). No part of a path is used in the file system: a table lists all content.

The server uses Python's `http.server`, and answers only GET and HEAD. At most four opened runs of a table are kept.
"""

from __future__ import annotations

import base64
import re
import secrets
import threading
from collections import OrderedDict
from dataclasses import dataclass
from functools import cached_property
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, TypeVar
from urllib.parse import urlsplit

from bentpipe.base import arguments
from bentpipe.base.errors import BentpipeError
from bentpipe.show.viewer import page
from bentpipe.show.viewer.scene import Trim, of_runs

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from bentpipe.runs.run import Run
    from bentpipe.show.viewer.scene import Scene

_Thing = TypeVar("_Thing")

HOST = "127.0.0.1"
#: Host names that browsers on this machine, or behind a tunnel, use.
_NAMES = {"127.0.0.1", "localhost", "[::1]"}
_RANGE = re.compile(r"bytes=(\d{1,18})-(\d{0,18})")
#: Largest number of pictures of a result on a page.
PICTURES = {".png": "image/png", ".svg": "image/svg+xml"}
#: Number of recently opened runs of a table that are kept.
_MOST_OPEN = 4
#: Number of scenes of a run in progress that are kept. A page requests all buffers of a scene at once.
_MOST_MOMENTS = 16


@dataclass(frozen=True)
class Picture:
    """A picture of a result: its name, the suffix of its file, and the function that reads it."""

    name: str
    suffix: str
    read: Callable[[], bytes]


class Shown:
    """A scene to serve, made at the first request.

    Args:
        make: Function that makes the scene without the given parts.
        pictures: The pictures, by position.
        runs: The functions that read the runs of the rows, by number.
    """

    def __init__(
        self,
        make: Callable[[Trim], Scene],
        pictures: Sequence[Picture] = (),
        runs: Sequence[Callable[[], Run]] = (),
    ) -> None:
        self._make = make
        self.pictures = pictures
        self._runs = runs
        self._open: OrderedDict[int, Shown] = OrderedDict()
        # Simultaneous requests share one result.
        self._lock = threading.Lock()

    @cached_property
    def scene(self) -> Scene:
        """The complete scene."""
        return self._make(Trim())

    def alone(self, trim: Trim) -> Scene:
        """Return the scene for a file.

        The scene contains the pictures. Instead of links, the rows of its tables have the commands that show their
        runs.
        """
        scene = self._make(trim)
        for one, picture in zip(scene.document["pictures"], self.pictures, strict=True):
            one["src"] = f"data:{PICTURES[picture.suffix]};base64,{base64.b64encode(picture.read()).decode()}"
        for table in scene.document["tables"]:
            table["open"] = [None] * len(table["open"])
        return scene

    @cached_property
    def _document(self) -> bytes:
        return page.document(self.scene)

    def warm(self) -> None:
        """Read the data that a page requests first, while the browser starts."""
        self.answer("scene.json")
        for run in self.scene.document["runs"]:
            for curve in run["curves"]:
                # Losses are drawn as marks; the page does not request their curve.
                if curve["of"] == {"flow": 0} and curve["quantity"] != "losses":
                    self.answer(f"buffers/{curve['levels'][0]['low']['buffer']}.bin")

    def answer(self, path: str) -> tuple[str, bytes] | None:
        """Return the type and the bytes of the content at a path; None for an unknown path."""
        name = path or "index.html"
        if name in page.FILES:
            return page.FILES[name], page.file(name)
        room, _, rest = path.partition("/")
        if room == "run":
            number, slash, inner = rest.partition("/")
            read = _numbered(self._runs, number) if slash else None
            return None if read is None else self._below(int(number), read).answer(inner)
        if room == "pictures":
            number, _, ending = rest.partition(".")
            picture = _numbered(self.pictures, number)
            if picture is None or picture.suffix != f".{ending}":
                return None
            return PICTURES[picture.suffix], picture.read()
        with self._lock:
            if path == "scene.json":
                return "application/json", self._document
            if room == "buffers" and rest.endswith(".bin") and rest[:-4] in self.scene.buffers:
                return "application/octet-stream", self.scene.buffers[rest[:-4]].made()
        return None

    def _below(self, number: int, read: Callable[[], Run]) -> Shown:
        """Return the scene of the run that a row opens."""
        with self._lock:
            if number not in self._open:
                self._open[number] = Shown(lambda trim: of_runs([read()], trim))
            self._open.move_to_end(number)
            while len(self._open) > _MOST_OPEN:
                self._open.popitem(last=False)
            return self._open[number]


class Live(Shown):
    """A run in progress. Each request of the scene makes a new scene. The buffers of the last few scenes are kept.

    Args:
        take: Function that returns the run so far.
    """

    def __init__(self, take: Callable[[], Run]) -> None:
        super().__init__(lambda trim: of_runs([take()], trim))
        self._over: Shown | None = None
        self._moments = 0

    def finish(self, run: Run) -> None:
        """Serve the finished run from now on."""
        self._over = Shown(lambda trim: of_runs([run], trim))

    def answer(self, path: str) -> tuple[str, bytes] | None:
        """Return the type and the bytes of the content at a path; None for an unknown path."""
        room, _, rest = path.partition("/")
        if room == "live":
            number, _, inner = rest.partition("/")
            with self._lock:
                moment = self._open.get(int(number)) if number.isdecimal() and len(number) < 10 else None
            return None if moment is None else moment.answer(inner)
        if self._over is not None:
            return self._over.answer(path)
        if path != "scene.json":
            return super().answer(path) if path in {"", *page.FILES} else None
        moment = Shown(self._make)
        with self._lock:
            self._moments += 1
            moment.scene.document["live"] = f"live/{self._moments}/"
            self._open[self._moments] = moment
            while len(self._open) > _MOST_MOMENTS:
                self._open.popitem(last=False)
        return moment.answer(path)


def _numbered(things: Sequence[_Thing], number: str) -> _Thing | None:
    """Return the item whose index is the number in an address; None for any other number."""
    place = int(number) if number.isdecimal() and len(number) < 10 else len(things)
    return things[place] if place < len(things) else None


class Server(ThreadingHTTPServer):
    """A server of one scene, which runs until it is closed.

    Args:
        shown: The scene to serve.
        port: The port. For 0, the system selects a free port.
    """

    daemon_threads = True
    block_on_close = False
    #: If this were true, a second server could take the port of a running server.
    allow_reuse_port = False

    def __init__(self, shown: Shown, port: int = 0) -> None:
        self.shown = shown
        self.token = secrets.token_urlsafe()
        try:
            super().__init__((HOST, port), _Handler)
        except OSError as problem:
            raise arguments.refuse(
                f"cannot listen on port {port} of {HOST}: {problem.strerror or problem} (choose another port, or omit "
                "--port for a free one)"
            ) from None

    @property
    def address(self) -> str:
        """The address for browsers."""
        return f"http://{HOST}:{self.server_address[1]}/{self.token}/"

    def handle_error(self, request: object, client_address: object) -> None:
        """Ignore browsers that disconnect during an answer."""


class _Handler(BaseHTTPRequestHandler):
    server: Server
    protocol_version = "HTTP/1.1"
    server_version, sys_version = "bentpipe", ""
    #: Seconds after which an idle connection is closed.
    timeout = 30

    def do_GET(self) -> None:
        self._answer()

    def do_HEAD(self) -> None:
        self._answer()

    def __getattr__(self, name: str) -> Callable[[], None]:
        # All other methods.
        if name.startswith("do_"):
            return lambda: self._say(405, "only GET and HEAD", {"Allow": "GET, HEAD"})
        raise AttributeError(name)

    def _answer(self) -> None:
        refused = self._refused()
        if refused is not None:
            self._say(*refused)
            return
        path = urlsplit(self.path).path.partition(f"/{self.server.token}/")[2]
        try:
            found = self.server.shown.answer(path)
        except BentpipeError as error:
            self._say(500, str(error))
            return
        except OSError as problem:
            self._say(500, f"cannot read this content: {problem.strerror}")
            return
        if found is None:
            self._say(404, "not found")
            return
        kind, body = found
        part = _RANGE.fullmatch(self.headers.get("Range", ""))
        if part is None or kind != "application/octet-stream":
            self._send(200, kind, body)
            return
        first, last = int(part[1]), min(int(part[2] or len(body)), len(body) - 1)
        if first > last:
            self._say(416, "range not satisfiable", {"Content-Range": f"bytes */{len(body)}"})
            return
        self._send(206, kind, body[first : last + 1], {"Content-Range": f"bytes {first}-{last}/{len(body)}"})

    def _refused(self) -> tuple[int, str] | None:
        """Return the status code and the text of a refusal; None if the request is allowed."""
        host = self.headers.get("Host", "")
        name = re.sub(r":\d+$", "", host).lower()
        if name not in _NAMES or len(self.headers.get_all("Host", [])) != 1:
            # Another site's name that resolves to this machine (DNS rebinding).
            return 403, "this server answers only requests to localhost"
        given = self.path.encode("utf-8", "replace")
        wanted = f"/{self.server.token}/".encode()
        if not secrets.compare_digest(given[: len(wanted)], wanted):
            return 404, "not found: open the printed address, which contains a secret"
        return None

    def _say(self, code: int, words: str, more: dict[str, str] | None = None) -> None:
        self._send(code, "text/plain; charset=utf-8", words.encode(), more)

    def _send(self, code: int, kind: str, body: bytes, more: dict[str, str] | None = None) -> None:
        self.send_response(code)
        for key, value in {
            "Content-Type": kind,
            "Content-Length": str(len(body)),
            "Content-Security-Policy": page.policy() if kind.startswith("text/html") else "default-src 'none'",
            "X-Content-Type-Options": "nosniff",
            "Cross-Origin-Resource-Policy": "same-origin",
            "Cross-Origin-Opener-Policy": "same-origin",
            "Referrer-Policy": "no-referrer",
            "Cache-Control": "no-store",
            **(more or {}),
        }.items():
            self.send_header(key, value)
        if code == 405:  # the body of the request is not read
            self.close_connection = True
            self.send_header("Connection", "close")
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Print no log: the terminal belongs to the user."""
