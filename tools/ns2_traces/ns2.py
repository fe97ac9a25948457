# SPDX-License-Identifier: MIT OR Apache-2.0
"""ns-2 itself: finds the program and its version, and makes single runs, which are kept so that none is repeated."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
#: Output of earlier runs, by their inputs.
KEPT = ROOT / "target" / "ns2-traces"
#: Package that made the stored traces. ns-2 itself does not print its version.
PACKAGE = "ns2 2.35+dfsg-5 amd64"
APT = "apt-get install ns2"


class Ns2Error(Exception):
    """ns-2 is missing, or a run went wrong."""


def program() -> str:
    """The path of `ns`.

    Raises:
        Ns2Error: It is not installed.
    """
    found = shutil.which("ns")
    if found is None:
        raise Ns2Error(f"the traces need ns-2's program `ns`, which is not on the PATH; on Debian: {APT}")
    return found


def installed() -> str:
    """Returns name, version and architecture of the package from Debian's tools; "unknown" on other systems."""
    query = shutil.which("dpkg-query")
    if query is None:
        return "unknown"
    command = [query, "-W", "-f", "${Package} ${Version} ${Architecture}", "ns2"]
    answer = subprocess.run(command, capture_output=True, text=True, check=False)
    return answer.stdout.strip() if answer.returncode == 0 else "unknown"


def sha256(path: Path) -> str:
    """Digest of a file."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def run(script: str, arguments: list[str], *, keep: bool = True) -> list[str]:
    """Runs a Tcl script of this folder, whose first argument is the file that it writes, and returns that file's lines.

    The same script with the same arguments on the same package is not run again.

    Raises:
        Ns2Error: ns-2 is missing, ended with an error, or printed no data.
    """
    path = HERE / script
    identity = "\0".join([sha256(path), installed(), *arguments])
    kept = KEPT / f"{hashlib.sha256(identity.encode()).hexdigest()[:32]}.txt"
    if keep and kept.exists():
        return kept.read_text(encoding="utf-8").splitlines()
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "out"
        command = [program(), str(path), str(out), *arguments]
        nice = shutil.which("nice")
        if nice is not None:
            command = [nice, "-n", "5", *command]
        result = subprocess.run(command, capture_output=True, text=True, check=False)
        text = out.read_text(encoding="utf-8") if out.exists() else ""
    if result.returncode != 0 or not text:
        told = (result.stderr or result.stdout).strip().splitlines()[-3:]
        what = " ".join(arguments)[:200]
        raise Ns2Error(f"{script} {what}: ended with {result.returncode} and {len(text)} bytes of data: {told}")
    if keep:
        KEPT.mkdir(parents=True, exist_ok=True)
        unfinished = kept.with_suffix(f".{os.getpid()}")
        unfinished.write_text(text, encoding="utf-8")
        unfinished.rename(kept)
    return text.splitlines()
