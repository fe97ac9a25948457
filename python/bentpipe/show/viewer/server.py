# SPDX-License-Identifier: MIT OR Apache-2.0
"""The viewer's server: for this machine's own browser, one page and its data, and nothing else.

It listens on 127.0.0.1. Its path holds a secret that the printed address alone tells; who does not know it, or calls
this machine by another name (another site in the same browser, a name that was pointed at 127.0.0.1), gets nothing. No
part of a path is ever a place in the file system: what can be had stands in a table.

It is Python's `http.server`, and answers GET and HEAD only. Of a table at most four opened runs are kept.
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
#: Names by which this machine's own browser, or a tunnel's, calls it.
_NAMES = {"127.0.0.1", "localhost", "[::1]"}
_RANGE = re.compile(r"bytes=(\d{1,18})-(\d{0,18})")
#: Pictures of a result that a page shows.
PICTURES = {".png": "image/png", ".svg": "image/svg+xml"}
#: So many of the runs that rows of a table lead to are held, those that were looked at last.
_MOST_OPEN = 4


@dataclass(frozen=True)
class Picture:
    """A picture of a result: its name, how its file's name would end, and what reads it."""

    name: str
    suffix: str
    read: Callable[[], bytes]


class Shown:
    """A scene that is served, made when it is first asked for.

    Args:
        make: Makes the scene, without what a smaller one leaves out.
        pictures: What it shows, by their place.
        runs: What reads the runs that its rows lead to, by their number.
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
        # Threads that ask at once share what one of them makes.
        self._lock = threading.Lock()

    @cached_property
    def scene(self) -> Scene:
        """The scene."""
        return self._make(Trim())

    def alone(self, trim: Trim) -> Scene:
        """The scene for a file: pictures stand in it, and rows say how their runs are shown."""
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
        """Read what a page asks for first: its browser takes a while to start."""
        self.answer("scene.json")
        for run in self.scene.document["runs"]:
            for curve in run["curves"]:
                # Losses are drawn as marks, and their curve is not asked for.
                if curve["of"] == {"flow": 0} and curve["quantity"] != "losses":
                    self.answer(f"buffers/{curve['levels'][0]['low']['buffer']}.bin")

    def answer(self, path: str) -> tuple[str, bytes] | None:
        """Type and bytes of what stands at a path; None if nothing does."""
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
        """The run that a row leads to."""
        with self._lock:
            if number not in self._open:
                self._open[number] = Shown(lambda trim: of_runs([read()], trim))
            self._open.move_to_end(number)
            while len(self._open) > _MOST_OPEN:
                self._open.popitem(last=False)
            return self._open[number]


def _numbered(things: Sequence[_Thing], number: str) -> _Thing | None:
    """The thing of a number as it stands in an address; None if there is none."""
    place = int(number) if number.isdecimal() and len(number) < 10 else len(things)
    return things[place] if place < len(things) else None


class Server(ThreadingHTTPServer):
    """Serves one scene until it is closed.

    Args:
        shown: What it serves.
        port: Where; 0 for one that is free.
    """

    daemon_threads = True
    block_on_close = False
    #: Or a second server could take the port of one that still serves.
    allow_reuse_port = False

    def __init__(self, shown: Shown, port: int = 0) -> None:
        self.shown = shown
        self.token = secrets.token_urlsafe()
        try:
            super().__init__((HOST, port), _Handler)
        except OSError as problem:
            raise arguments.refuse(
                f"cannot listen on port {port} of {HOST}: {problem.strerror or problem} (choose another, or leave it "
                "out for a free one)"
            ) from None

    @property
    def address(self) -> str:
        """Where a browser finds it."""
        return f"http://{HOST}:{self.server_address[1]}/{self.token}/"

    def handle_error(self, request: object, client_address: object) -> None:
        """A browser that goes away in the midst of an answer is no fault."""


class _Handler(BaseHTTPRequestHandler):
    server: Server
    protocol_version = "HTTP/1.1"
    server_version, sys_version = "bentpipe", ""
    #: Seconds; a connection that says nothing is closed.
    timeout = 30

    def do_GET(self) -> None:
        self._answer()

    def do_HEAD(self) -> None:
        self._answer()

    def __getattr__(self, name: str) -> Callable[[], None]:
        # All other methods, whatever they are called.
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
            self._say(500, f"cannot read it: {problem.strerror}")
            return
        if found is None:
            self._say(404, "there is nothing here")
            return
        kind, body = found
        part = _RANGE.fullmatch(self.headers.get("Range", ""))
        if part is None or kind != "application/octet-stream":
            self._send(200, kind, body)
            return
        first, last = int(part[1]), min(int(part[2] or len(body)), len(body) - 1)
        if first > last:
            self._say(416, "no such part", {"Content-Range": f"bytes */{len(body)}"})
            return
        self._send(206, kind, body[first : last + 1], {"Content-Range": f"bytes {first}-{last}/{len(body)}"})

    def _refused(self) -> tuple[int, str] | None:
        """Why nothing is told, if nothing is."""
        host = self.headers.get("Host", "")
        name = re.sub(r":\d+$", "", host).lower()
        if name not in _NAMES or len(self.headers.get_all("Host", [])) != 1:
            # Another site's name that was pointed at this machine (DNS rebinding).
            return 403, "this server answers to localhost alone"
        given = self.path.encode("utf-8", "replace")
        wanted = f"/{self.server.token}/".encode()
        if not secrets.compare_digest(given[: len(wanted)], wanted):
            return 404, "there is nothing here: the address that was printed has a secret in it"
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
        if code == 405:  # a body that was sent with it is not read
            self.close_connection = True
            self.send_header("Connection", "close")
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Nothing: the terminal is the user's."""
