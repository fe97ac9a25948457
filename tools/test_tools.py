#!/usr/bin/env python3
# SPDX-License-Identifier: MIT OR Apache-2.0
"""Installs and fetches what tests need beyond `make setup`: tests/support/needs.toml (`make test-tools`).

An entry whose proof succeeds is not installed again. Debian's packages are installed by apt-get, as root. Kernels and
Node's packages are fetched into the working tree. Exit code 2: something is missing that cannot be installed here. The
script needs only Python's standard library.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LOG = ROOT / "target" / "test-tools.log"
sys.path.insert(0, str(ROOT / "tools" / "linux_traces"))
import machine  # noqa: E402
import newer  # noqa: E402

NEEDS = tomllib.loads((ROOT / "tests" / "support" / "needs.toml").read_text())
#: Number of lines of the log that are shown when a command fails.
TAIL = 20


class NotInstalledError(Exception):
    """Something cannot be installed here. The text contains the fix."""


def kernel() -> None:
    """Build Debian's kernel 6.1 and the guests that run in it."""
    for program in (machine.CASES, machine.OPENINGS, machine.QUEUES, machine.EVENTS):
        machine.build(program)


def newer_kernel() -> None:
    """Build Debian's kernel 7.2, the module sch_dualpi2, and the guests that run in it."""
    for program in (machine.QUEUES, machine.ACCURATE, machine.EVENTS):
        newer.build(program)


def node_packages() -> None:
    """Installs the packages of the viewer's page from its lock file."""
    call("npm", "--prefix", "web", "ci", "--no-audit", "--no-fund", "--ignore-scripts")


FETCH = {"kernel": kernel, "newer_kernel": newer_kernel, "node_packages": node_packages}


def missing(kind: str) -> list[str]:
    """Returns the missing entries that have a key `kind` ("packages" or "fetch")."""

    def there(proof: str) -> bool:
        return subprocess.run(["sh", "-c", proof], cwd=ROOT, capture_output=True, check=False).returncode == 0

    return [name for name, entry in NEEDS.items() if kind in entry and not there(entry["proof"])]


def call(*command: str) -> None:
    """Runs a command. Its output goes to the log."""
    LOG.parent.mkdir(exist_ok=True)
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    with LOG.open("a") as log:
        done = subprocess.run(command, cwd=ROOT, env=environment, stdout=log, stderr=log, check=False)
    if done.returncode:
        tail = "\n".join(LOG.read_text().splitlines()[-TAIL:])
        raise NotInstalledError(f"`{' '.join(command)}` failed; the end of {LOG.relative_to(ROOT)}:\n{tail}")


def is_debian() -> bool:
    release = Path("/etc/os-release")
    text = release.read_text() if release.is_file() else ""
    return any(line.startswith(("ID=", "ID_LIKE=")) and "debian" in line for line in text.splitlines())


def install(names: list[str]) -> None:
    """Installs the Debian packages of these entries."""
    packages = [package for name in names for package in NEEDS[name]["packages"]]
    if os.geteuid() != 0 or not is_debian():
        raise NotInstalledError(
            f"not installed: {', '.join(names)}; `make test-tools` installs them as root on Debian\n"
            f"fix: apt-get install {' '.join(packages)}, or the packages of another distribution with the same commands"
        )
    say(f"installing {' '.join(packages)}")
    call("apt-get", "update")
    call("apt-get", "install", "--yes", "--no-install-recommends", *packages)


def say(what: str) -> None:
    print(f"test-tools: {what}", file=sys.stderr, flush=True)


def main() -> int:
    begun = time.monotonic()
    LOG.unlink(missing_ok=True)
    try:
        if names := missing("packages"):
            install(names)
        for name in missing("fetch"):
            say(f"fetching {name}")
            FETCH[NEEDS[name]["fetch"]]()
    except (NotInstalledError, machine.TraceError) as problem:
        print(f"error: {problem}", file=sys.stderr)
        return 2
    if left := [name for name in missing("proof") if "may_be_absent" not in NEEDS[name]]:
        print(f"error: still missing after the installation: {', '.join(left)}; see {LOG}", file=sys.stderr)
        return 2
    say(f"everything is there ({time.monotonic() - begun:.0f} s)")
    return 0


if __name__ == "__main__":
    sys.exit(main())
