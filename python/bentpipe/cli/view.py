# SPDX-License-Identifier: MIT OR Apache-2.0
"""Show runs in the browser: globe, network, curves and events over time.

The server listens only on this machine, until Ctrl-C. Several run folders are shown in one view. The output of compare,
sweep, league, which and reproduce is a table whose rows open their runs.
"""

from __future__ import annotations

from pathlib import Path

from bentpipe import _core
from bentpipe.base import arguments
from bentpipe.cli import options
from bentpipe.cli.console import note, say
from bentpipe.cli.folders import view
from bentpipe.cli.pictures import check_picture
from bentpipe.show.viewer import page, show


def add(parser: options.Parser) -> None:
    """Add the options."""
    parser.add_argument(
        "folders", nargs="+", type=Path, metavar="DIR", help="run folder, or the folder --out of a command"
    )
    parser.add_argument(
        "--export",
        type=options.file,
        metavar="FILE",
        help="write one HTML file that needs neither server nor network (at most 20 MB)",
    )
    parser.add_argument("--full", action="store_true", help="with --export: write all details, without a limit of size")
    parser.add_argument(
        "--png", metavar="TIME", help='draw the view at this time as a PNG file, for example "12.5 s" (needs Chromium)'
    )
    parser.add_argument(
        "--out", type=options.file, metavar="FILE", help="with --png: picture to write (default DIR/view.png)"
    )
    parser.add_argument("--port", type=int, default=0, metavar="N", help="port of the server (default: a free port)")
    parser.add_argument("--no-browser", action="store_true", help="print the address without opening a browser")


def run(chosen: options.Chosen) -> int:
    """Serve the view, or write or draw it."""
    port = arguments.whole("--port", chosen.port, 0, 65_535)
    time_s = None if chosen.png is None else _core.nanos(chosen.png) / 1e9
    if chosen.out is not None and time_s is None:
        raise arguments.refuse("--out names the picture of --png, but --png is missing (add --png TIME)")
    if chosen.full and chosen.export is None:
        raise arguments.refuse("--full applies to --export, but --export is missing (add --export FILE)")
    if chosen.export is not None:
        _check_page(chosen.export)
    found = view(chosen.folders)
    if chosen.export is not None:
        for line in page.export(found.alone, chosen.export, full=chosen.full):
            note(line)
    if time_s is not None:
        target = chosen.out or chosen.folders[0] / "view.png"
        if target.suffix.lower() != ".png":
            raise arguments.refuse(f"--out {target}: the picture is a PNG file, so its name must end in .png")
        check_picture(target)
        show.picture(found, time_s, target)
        note(f"picture: {target}")
    if chosen.export is None and time_s is None:
        show.serve(found, port, browser=not chosen.no_browser, tell=_tell)
    return 0


def _tell(address: str) -> None:
    say(address)
    note("Ctrl-C ends the server. From another machine: ssh -L PORT:127.0.0.1:PORT, with the PORT of the address")


def _check_page(target: Path) -> None:
    """Refuse to replace a file that is not a page."""
    if target.suffix.lower() not in (".html", ".htm"):
        raise arguments.refuse(f"--export {target}: the page is an HTML file, so its name must end in .html")
    if target.is_file():
        with target.open("rb") as there:
            start = there.read(15).lower()
        if start and not start.startswith(b"<!doctype html"):
            raise arguments.refuse(
                f"--export {target}: a file with this name exists, and it is not an HTML page (choose another name)"
            )
