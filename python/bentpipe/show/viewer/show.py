# SPDX-License-Identifier: MIT OR Apache-2.0
"""Serve, export or draw a view (`bentpipe view`, `Run.view`), or return it as a frame for a notebook.

A notebook gets the page instead of a server: the page also works with a remote kernel, and no process stays behind. The
command checks the data that it reads at the start. If these data are damaged, the command stops with an error, because
its user sees the terminal. Data that are read later are checked at that time, and the page reports damage.
"""

from __future__ import annotations

import html
import os
import threading
import webbrowser
from contextlib import contextmanager
from typing import TYPE_CHECKING

from bentpipe.base.errors import RunError
from bentpipe.show.viewer import page as _page
from bentpipe.show.viewer import picture as _picture
from bentpipe.show.viewer import scene as _scene
from bentpipe.show.viewer.server import Server

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from bentpipe.runs.run import Run
    from bentpipe.show.viewer.server import Shown

#: Limit of a page in a notebook. It is smaller than for exported pages, because notebooks store their output.
_NOTEBOOK_BYTES = 4_000_000


def serve(shown: Shown, port: int, *, browser: bool, tell: Callable[[str], None]) -> None:
    """Serve until Ctrl-C. `tell` is called with the address.

    Raises:
        ArgumentError: If the port cannot be used.
        KeyboardInterrupt: On Ctrl-C.
    """
    _page.policy()  # report a missing page before the server starts
    with Server(shown, port) as server:
        tell(server.address)
        threading.Thread(target=shown.warm, daemon=True).start()
        if browser and _has_screen():
            # Some browsers return only after they are closed.
            threading.Thread(target=webbrowser.open, args=(server.address,), daemon=True).start()
        server.serve_forever(poll_interval=0.1)


@contextmanager
def background(shown: Shown, port: int = 0) -> Iterator[str]:
    """Serve from another thread until the end of the context. The context gives the address.

    Raises:
        ArgumentError: If the port cannot be used.
    """
    with Server(shown, port) as server:
        threading.Thread(target=server.serve_forever, args=(0.1,), daemon=True).start()
        yield server.address
        server.shutdown()


def load() -> None:
    """Read all files that a server needs, before the process can no longer read the installation."""
    for name in _page.FILES:
        _page.file(name)
    _page.policy()


def _has_screen() -> bool:
    """Return whether a browser would open a window. A text browser would take over the terminal."""
    return any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER"))


def picture(shown: Shown, time_s: float, target: Path) -> None:
    """Draw the view at one moment as PNG.

    Raises:
        RunError: If no suitable browser is installed, or the file cannot be written.
    """
    _picture.browser()
    page, _ = _page.fitting(shown.alone)
    _picture.take(page, time_s, target)


class Frame:
    """The viewer's page in a frame for a notebook, which can also be written to a file."""

    def __init__(self, page: str, notes: Sequence[str], height: int) -> None:
        self.page, self.notes, self.height = page, list(notes), height

    def __repr__(self) -> str:
        """Return the size of the page."""
        return f"<the viewer's page, {len(self.page) / 1e6:.2f} MB>"

    def _repr_html_(self) -> str:
        # Without an origin, the page can access neither the notebook nor the notebook's server.
        return (
            f'<iframe srcdoc="{html.escape(self.page)}" sandbox="allow-scripts allow-downloads" '
            f'style="width:100%;height:{self.height}px;border:0"></iframe>'
        )


def frame(runs: Sequence[Run], height: int) -> Frame:
    """Return the viewer's page with these runs, in a frame for a notebook.

    Raises:
        RunError: If a table is damaged, or even the smallest page would be too large for a notebook.
    """
    try:
        page, scene = _page.fitting(lambda trim: _scene.of_runs(runs, trim), _NOTEBOOK_BYTES)
    except RunError as error:
        if "--full" not in error.message:
            raise
        raise RunError(
            error.code,
            f"the page would be larger than {_NOTEBOOK_BYTES / 1e6:g} MB, the limit for notebooks (write the run to a "
            "folder, then bentpipe view FOLDER)",
        ) from None
    return Frame(page, scene.document["notes"], height)
