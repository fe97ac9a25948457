# SPDX-License-Identifier: MIT OR Apache-2.0
"""Take a picture of the viewer at one moment, with a browser that runs without a window."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from bentpipe.base.errors import RunError
from bentpipe.base.files import whole

if TYPE_CHECKING:
    from collections.abc import Sequence

#: Names of the browser on different systems.
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
_SIZE = (1600, 1000)
#: Virtual time that the page gets for drawing, in ms; and the limit of wall-clock time, in s.
_BUDGET_MS, _PATIENCE_S = 10_000, 120


def browser() -> str:
    """Return the path of the browser.

    Raises:
        RunError: If no browser is installed.
    """
    found = next((place for name in BROWSERS if (place := shutil.which(name))), None)
    if found is None:
        raise RunError(
            "plugin-failed",
            "a picture of the viewer needs Chromium, which is not on the PATH (on Debian: apt-get install chromium; "
            "or open the viewer and save a picture there)",
        )
    return found


def take(page: str, time_s: float, target: Path) -> None:
    """Write the picture of an exported page at a moment, as PNG.

    Raises:
        RunError: If no browser is installed, the browser fails, or the file cannot be written.
    """
    program = browser()
    with tempfile.TemporaryDirectory(prefix="bentpipe-view-") as folder, whole(target) as place:
        file, shot = Path(folder) / "page.html", Path(folder) / "shot.png"
        file.write_text(page, encoding="utf-8")
        _run([
            program, "--headless=new", "--no-first-run", "--disable-extensions", "--hide-scrollbars",
            "--disable-dev-shm-usage", "--enable-unsafe-swiftshader", *_sandbox(),
            f"--user-data-dir={folder}/profile", f"--window-size={_SIZE[0]},{_SIZE[1]}",
            f"--virtual-time-budget={_BUDGET_MS}", f"--screenshot={shot}", f"{file.as_uri()}#t={time_s:g}&shot=1",
        ])  # fmt: skip
        if not shot.is_file():
            raise RunError("output-unwritable", f"{program} wrote no picture of the viewer")
        place.write_bytes(shot.read_bytes())


def _sandbox() -> list[str]:
    """Return options: no sandbox for root, where Chromium's sandbox does not start. The page is our own."""
    return ["--no-sandbox"] if os.geteuid() == 0 else []


def _run(command: Sequence[str]) -> None:
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=_PATIENCE_S, check=False)  # noqa: S603
    except subprocess.TimeoutExpired:
        raise RunError("output-unwritable", f"{command[0]} needed more than {_PATIENCE_S} s for a picture") from None
    except OSError as problem:
        raise RunError("output-unwritable", f"cannot start {command[0]}: {problem.strerror}") from None
    if done.returncode:
        said = (done.stderr.strip().splitlines() or ["no message"])[-1]
        raise RunError("output-unwritable", f"{command[0]} failed with {done.returncode}: {said}")
