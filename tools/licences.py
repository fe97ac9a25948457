#!/usr/bin/env python3
# SPDX-License-Identifier: MIT OR Apache-2.0
"""Licences of third-party packages: audits them against one list, and writes their texts for the wheel.

    tools/licences.py            audit; exit code 1 if a licence is not allowed or not recorded
    tools/licences.py --write    record what the lock files name now, and write the notices again (for maintainers)

`requirements/licences.toml` contains the allowed licences, and licences of packages whose metadata state none.
`requirements/licences.csv` records the licence of every package in `Cargo.lock`, `requirements/dev.txt` and
`web/package-lock.json`, so the audit needs only these files and the sources of the crates. If a package is installed,
its own metadata must agree with the record. The wheel contains `LICENSES-THIRD-PARTY.txt`.
"""

from __future__ import annotations

import csv
import io
import json
import re
import subprocess
import sys
import tomllib
from importlib import metadata
from pathlib import Path
from typing import Any, NamedTuple

from license_expression import ExpressionError, get_spdx_licensing

SPDX = get_spdx_licensing()
ROOT = Path(__file__).resolve().parent.parent
RULES = ROOT / "requirements" / "licences.toml"
RECORD = ROOT / "requirements" / "licences.csv"
NOTICES = ROOT / "LICENSES-THIRD-PARTY.txt"
#: Target platform of the wheel.
TARGET = "x86_64-unknown-linux-gnu"
#: Names of files with a licence, or with notices that must accompany a package.
_TEXTS = re.compile(r"(LICEN[CS]E|COPYING|COPYRIGHT|NOTICE|UNLICENSE)([._-].*)?", re.IGNORECASE)


class Package(NamedTuple):
    """A package that a lock file names."""

    kind: str
    name: str
    version: str


class Fault(NamedTuple):
    """A package with a fault, and the reason."""

    package: Package
    why: str

    def __str__(self) -> str:
        return f"{self.package.kind} {self.package.name} {self.package.version}: {self.why}"


def rules() -> dict[str, Any]:
    """Returns the allowed licences, and the licences that are stated by hand."""
    return tomllib.loads(RULES.read_text())


def allowed(expression: str, licences: set[str]) -> bool:
    """Whether an SPDX expression can be met with some licences. A slash is an `OR` of old Cargo manifests."""
    try:
        parsed = SPDX.parse(expression.replace("/", " OR "), validate=True, strict=True)
    except (ExpressionError, IndexError) as error:  # an IndexError of "()"
        raise ValueError(f"no SPDX expression: {expression!r}: {error}") from error
    if parsed is None:
        raise ValueError("no SPDX expression: it is empty")
    met = {
        one: SPDX.TRUE if one.render() in licences else SPDX.FALSE
        for one in SPDX.license_symbols(parsed, unique=True, decompose=False)
    }
    return bool(parsed.subs(met).simplify() == SPDX.TRUE)


def locked() -> list[Package]:
    """Returns every third-party package that a lock file names."""
    crates = tomllib.loads((ROOT / "Cargo.lock").read_text())["package"]
    found = [Package("crate", one["name"], one["version"]) for one in crates if "source" in one]
    wheels = re.findall(r"^([\w.-]+)==([^ \\;]+)", (ROOT / "requirements" / "dev.txt").read_text(), re.MULTILINE)
    found += [Package("python", name, version) for name, version in wheels]
    modules = json.loads((ROOT / "web" / "package-lock.json").read_text())["packages"]
    found += [Package("npm", key.rpartition("node_modules/")[2], one["version"]) for key, one in modules.items() if key]
    return sorted(set(found))


def recorded(text: str) -> dict[Package, str]:
    """Reads the record: the licence of each package."""
    rows = csv.DictReader(io.StringIO(text))
    return {Package(row["kind"], row["name"], row["version"]): row["licence"] for row in rows}


def audit(packages: list[Package], record: dict[Package, str], stated: dict[Package, str]) -> list[Fault]:
    """Returns the faults in the licences of packages.

    Args:
        packages: The packages that the lock files name.
        record: The licences that were reviewed.
        stated: The licences in the metadata on this machine.
    """
    licences, faults = set(rules()["allowed"]), []
    for package in packages:
        licence = record.get(package)
        if licence is None:
            faults.append(
                Fault(package, "no licence is recorded (tools/licences.py --write, and look at what it adds)")
            )
        elif not allowed(licence, licences):
            faults.append(Fault(package, f"{licence} is not allowed (remove the package; requirements/licences.toml)"))
        elif stated.get(package, licence) != licence:
            faults.append(Fault(package, f"its metadata say {stated[package]}, the record says {licence}"))
    faults += [Fault(package, "is recorded and no longer locked") for package in sorted(set(record) - set(packages))]
    return faults


def cargo(*arguments: str) -> Any:
    """Returns cargo's answer about the packages. Cargo fetches sources that no build on this machine needed so far."""
    command = ["cargo", "metadata", "--locked", "--format-version", "1", *arguments]
    return json.loads(subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout)


def _of_crates(*arguments: str) -> dict[Package, str]:
    # Packages that only features need are also locked.
    crates = [one for one in cargo("--all-features", *arguments)["packages"] if one["source"]]
    return {Package("crate", one["name"], one["version"]): one["license"] for one in crates}


def _of_wheels(by_hand: dict[str, str]) -> dict[Package, str]:
    found = {}
    for package in (one for one in locked() if one.kind == "python"):
        try:
            about = metadata.metadata(package.name)
        except metadata.PackageNotFoundError:
            continue
        # Another version is installed for another Python; it has the same licence.
        said = about.get("License-Expression") or by_hand.get(package.name)
        if said is not None:
            found[package] = said
    return found


def _of_modules() -> dict[Package, str]:
    modules = json.loads((ROOT / "web" / "package-lock.json").read_text())["packages"]
    named = {key.rpartition("node_modules/")[2]: one for key, one in modules.items() if key}
    return {Package("npm", name, one["version"]): one["license"] for name, one in named.items()}


def stated(*arguments: str) -> dict[Package, str]:
    """Returns the licences in the metadata on this machine."""
    return {**_of_crates(*arguments), **_of_wheels(rules()["python"]), **_of_modules()}


def write_record() -> None:
    """Record the licences of all locked packages. Packages that are not on this machine keep their lines."""
    before = recorded(RECORD.read_text()) if RECORD.exists() else {}
    now = stated()
    by_hand = rules()["python"]
    lines = ["kind,name,version,licence"]
    for package in locked():
        licence = now.get(package) or before.get(package) or by_hand.get(package.name)
        if licence is None:
            raise SystemExit(f"{package.kind} {package.name}: its metadata name no licence (state it in {RULES.name})")
        lines.append(f"{package.kind},{package.name},{package.version},{licence}")
    RECORD.write_text("\n".join(lines) + "\n")


def linked() -> list[dict[str, Any]]:
    """Return the third-party crates that are linked into the extension module, by name."""
    found = cargo("--filter-platform", TARGET)
    nodes = {node["id"]: node for node in found["resolve"]["nodes"]}
    by_id = {one["id"]: one for one in found["packages"]}
    todo = [one["id"] for one in found["packages"] if one["name"] == "bentpipe-python"]
    seen = set(todo)
    while todo:
        # Dependencies that are needed only for building or testing, and procedural macros, are not in the wheel.
        for dependency in nodes[todo.pop()]["deps"]:
            normal = any(kind["kind"] is None for kind in dependency["dep_kinds"])
            macro = any("proc-macro" in target["kind"] for target in by_id[dependency["pkg"]]["targets"])
            if normal and not macro and dependency["pkg"] not in seen:
                seen.add(dependency["pkg"])
                todo.append(dependency["pkg"])
    return sorted((by_id[one] for one in seen if by_id[one]["source"]), key=lambda one: (one["name"], one["version"]))


def _texts(crate: dict[str, Any]) -> list[str]:
    """Returns the texts that must accompany a crate: if it offers a choice with MIT, the texts of MIT."""
    folder = Path(crate["manifest_path"]).parent
    files = sorted(file for file in folder.iterdir() if file.is_file() and _TEXTS.fullmatch(file.name))
    notices = [file for file in files if re.match("NOTICE|COPYRIGHT", file.name, re.IGNORECASE)]
    mit = [file for file in files if "MIT" in file.name.upper()]
    if " AND " not in crate["license"] and mit:
        files = mit + notices
    files += [folder / name for name in rules()["notices"].get(crate["name"], [])]
    return [
        "\n".join(line.rstrip() for line in file.read_text(errors="replace").strip().splitlines()) for file in files
    ]


def notices() -> str:
    """Returns the licences of all third-party code in the wheel, each text once."""
    users: dict[str, list[str]] = {}
    without = []
    for crate in linked():
        name = f"{crate['name']} {crate['version']} ({crate['license']})"
        texts = _texts(crate)
        if not texts:
            without.append(name)
        for text in texts:
            users.setdefault(text, []).append(name)
    for name, file in rules()["data"].items():
        users.setdefault((ROOT / file).read_text().strip(), []).append(name)
    parts = [rules()["head"].strip()]
    if without:
        parts.append(
            "These crates come without a text; they are used under the Apache License 2.0 (LICENSE-APACHE):\n"
            + "\n".join(without)
        )
    parts += ["\n".join(names) + "\n\n" + text for text, names in users.items()]
    return ("\n\n" + "-" * 80 + "\n\n").join(parts) + "\n"


def main() -> int:
    """Audit, or write the record and the notices."""
    if sys.argv[1:] == ["--write"]:
        write_record()
        NOTICES.write_text(notices())
        return 0
    faults = audit(locked(), recorded(RECORD.read_text()), stated("--filter-platform", TARGET))
    for fault in faults:
        sys.stderr.write(f"error: {fault}\n")
    if not faults and notices() != NOTICES.read_text():
        sys.stderr.write(f"error: {NOTICES.name} is not what the crates of the wheel say (tools/licences.py --write)\n")
        return 1
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
