# SPDX-License-Identifier: MIT OR Apache-2.0
"""The page of the viewer: for the server, or as one file that contains a scene.

An exported page contains its script and style. Their hashes are in the page's content security policy.
"""

from __future__ import annotations

import base64
import gzip
import html
import json
import re
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from bentpipe.base.errors import RunError
from bentpipe.base.files import write_text
from bentpipe.show.viewer.scene import Scene, Trim

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

#: The folder of the page, which is built from `web/`.
PAGE = Path(__file__).parent / "page"
#: The files of the page, each with its media type.
FILES = {
    "index.html": "text/html; charset=utf-8",
    "viewer.js": "text/javascript; charset=utf-8",
    "viewer.css": "text/css; charset=utf-8",
}
#: Largest exported page by default. Most mail servers accept a page of this size.
MOST_BYTES = 20_000_000
_POLICY = re.compile(r"""<meta\s+http-equiv="Content-Security-Policy"\s+content="([^"]*)"\s*/?>""", re.IGNORECASE)


@cache
def file(name: str) -> bytes:
    """Read a file of the page.

    Raises:
        RunError: If this installation does not have the page.
    """
    try:
        return (PAGE / name).read_bytes()
    except OSError:
        raise RunError(
            "output-unwritable",
            f"the viewer's page is missing ({PAGE / name}): build it (`make page`), or install bentpipe again",
        ) from None


@cache
def policy() -> str:
    """Return the Content-Security-Policy of the page. It also forbids that other pages show the page in a frame."""
    found = _POLICY.search(file("index.html").decode())
    own = html.unescape(found[1]) if found else "default-src 'self'"
    said = [part.strip() for part in own.split(";") if part.strip()]
    known = {part.split()[0] for part in said}
    # Browsers ignore frame-ancestors in the page itself, so only the header has it.
    said += [f"{one} 'none'" for one in ("frame-ancestors", "base-uri", "form-action") if one not in known]
    return "; ".join(said)


def document(scene: Scene) -> bytes:
    """Return a scene as JSON.

    Raises:
        RunError: If a number is NaN or infinite, as in a damaged summary.
    """
    try:
        return json.dumps(scene.document, separators=(",", ":"), ensure_ascii=False, allow_nan=False).encode()
    except ValueError as problem:
        raise RunError("folder-damaged", f"the run folder is damaged: {problem} (make the run again)") from None


def whole(scene: Scene) -> str:
    """Return the page with a scene, as one file that makes no requests."""
    page = file("index.html").decode()
    # A name may contain the text that ends a script, so "<" is escaped.
    data = document(scene).decode().replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")
    with ThreadPoolExecutor() as pool:
        packed = pool.map(lambda buffer: gzip.compress(buffer.made(), 6, mtime=0), scene.buffers.values())
        elements = [f'<script type="application/json" id="scene">{data}</script>'] + [
            f'<script type="text/plain" id="buffer-{name}">{base64.b64encode(held).decode()}</script>'
            for name, held in zip(scene.buffers, packed, strict=True)
        ]
    style, script = file("viewer.css").decode(), file("viewer.js").decode()
    elements.append(f'<script type="module">{script}</script>')
    for tag, inside in (
        ('<link rel="stylesheet" href="viewer.css">', f"<style>{style}</style>"),
        ('<script type="module" src="viewer.js"></script>', "\n".join(elements)),
    ):
        assert page.count(tag) == 1, tag  # noqa: S101 - the page is ours
        page = page.replace(tag, inside)
    return page


def fitting(make: Callable[[Trim], Scene], most: int | None = MOST_BYTES) -> tuple[str, Scene]:
    """Return the page and its scene: the complete scene, or the largest part of it that fits.

    Args:
        make: Function that returns the scene without the given parts.
        most: Largest size of the page in bytes; None for no bound.

    Raises:
        RunError: If even the smallest scene does not fit.
    """
    for trim in _trims():
        scene = make(trim)
        # The numbers of a run compress by at most a factor of 20, so this scene cannot fit. Base64 adds another third.
        if most is not None and scene.size / 20 > most:
            continue
        page = whole(scene)
        if most is None or len(page.encode()) <= most:
            return page, scene
    raise RunError(
        "output-unwritable",
        f"the page would be larger than {(most or 0) / 1e6:g} MB even without curves (--full writes it without a "
        "limit)",
    )


def _trims() -> Iterator[Trim]:
    """Yield the parts to leave out, first the smallest parts."""
    yield from (Trim(levels) for levels in range(8))
    yield Trim(8, links=True)
    yield Trim(8, links=True, losses=True)
    yield Trim(8, links=True, losses=True, positions=True)


def export(make: Callable[[Trim], Scene], target: Path, *, full: bool = False) -> list[str]:
    """Write the page with a scene, and return notes for its readers.

    Raises:
        RunError: If the page cannot be written, or would be larger than `MOST_BYTES`.
    """
    page, scene = fitting(make, None if full else MOST_BYTES)
    write_text(target, page)
    return [f"{target}: {len(page.encode()) / 1e6:.2f} MB", *scene.document["notes"]]
