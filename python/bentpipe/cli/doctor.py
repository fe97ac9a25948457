# SPDX-License-Identifier: MIT OR Apache-2.0
"""Print which tools and packages this machine has, which are missing, and how to install them."""

from __future__ import annotations

import importlib.metadata
import os
import platform
import shutil
import subprocess
import sys

from bentpipe import _core
from bentpipe.cli import options
from bentpipe.cli.console import say, say_json, table

# Tool, command that prints its version, purpose, installation.
_TOOLS = (
    ("rustc", ("rustc", "--version"), "building the native module", "https://rustup.rs, or: apt-get install rustup"),
    ("cargo", ("cargo", "--version"), "building the native module", "comes with rustc"),
    ("cc", ("cc", "--version"), "building the native module", "apt-get install gcc libc6-dev"),
    ("make", ("make", "--version"), "the list of commands", "apt-get install make"),
    ("ns-3", ("pkg-config", "--modversion", "ns3-core"), "comparing speed (make bench)", "apt-get install libns3-dev"),
)
# Package, purpose, installation.
_PACKAGES = (
    ("pyarrow", "tables", "pip install pyarrow"),
    ("matplotlib", "pictures", "pip install matplotlib"),
    ("jinja2", "reports and other HTML pages", "pip install jinja2"),
    ("msgspec", "run folders and stores, checked as they are read", "pip install msgspec"),
    ("rich", "the command line", "pip install rich"),
    ("argcomplete", "completion in your shell", "pip install argcomplete"),
    ("tomli-w", "scenarios built in Python", "pip install tomli-w"),
    ("pandas", "Table.to_pandas (optional)", "pip install 'bentpipe[pandas]'"),
    ("polars", "Table.to_polars (optional)", "pip install 'bentpipe[polars]'"),
)


def add(parser: options.Parser) -> None:
    """Add the options."""
    options.results(parser, "the versions")


def run(chosen: options.Chosen) -> int:
    """Print the table."""
    say(f"bentpipe {_core.version()}, Python {platform.python_version()} ({sys.executable})")
    checks = "checks its own assertions" if _core.checks_itself() else "built without assertions, for speed"
    say(f"build {_core.build()}: {checks}")
    say(
        f"fingerprint {_core.fingerprint()}: identifies the code that computes results; it is the same on every machine"
    )
    say(f"{platform.system()} {platform.release()}, {platform.machine()}, {os.cpu_count()} processors")
    found = [(name, _ask(command), use, remedy) for name, command, use, remedy in _TOOLS]
    found += [(name, _package(name), use, remedy) for name, use, remedy in _PACKAGES]
    rows = [[name, version or "missing", use, "" if version else remedy] for name, version, use, remedy in found]
    table(["tool or package", "version", "needed for", "to install"], rows)
    if chosen.json:
        say_json(
            {
                "bentpipe": _core.version(),
                "build": _core.build(),
                "fingerprint": _core.fingerprint(),
                "python": platform.python_version(),
                "system": f"{platform.system()} {platform.release()}, {platform.machine()}",
                "processors": os.cpu_count(),
                "tools": {name: version for name, version, _, _ in found},
            }
        )
    return 0


def _ask(command: tuple[str, ...]) -> str | None:
    if shutil.which(command[0]) is None:
        return None
    try:
        answer = subprocess.run(command, capture_output=True, text=True, check=True, timeout=10)  # noqa: S603 - from the list above
    except (subprocess.SubprocessError, OSError):
        return None
    return answer.stdout.splitlines()[0] if answer.stdout else None


def _package(name: str) -> str | None:
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return None
