# SPDX-License-Identifier: MIT OR Apache-2.0
"""Find ns-2 and its version, and make single runs. Runs are stored, so that no run is repeated."""

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
    """ns-2 is missing, or a run failed."""


def program() -> str:
    """Return the path of `ns`.

    Raises:
        Ns2Error: If ns-2 is not installed.
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
    """Run a Tcl script of this folder and return the lines of its output file, which is the script's first argument.

    A script with the same arguments and package is not run again.

    Raises:
        Ns2Error: If ns-2 is missing, ended with an error, or printed no data.
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
