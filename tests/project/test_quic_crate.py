# SPDX-License-Identifier: MIT OR Apache-2.0
"""The crate of controllers for QUIC libraries from a user's view: packages, and a project with nothing else."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tarfile
import tomllib
from pathlib import Path

from project import ROOT
from waiting import HANG_S

#: `bentpipe-quic` and the crates of this repository that it needs.
CRATES = ["units", "saved-derive", "saved", "random", "control", "quic"]

MAIN = """
use bentpipe_quic::{Library, Refused, Setup};

fn main() -> Result<(), Refused> {
    let setup = Setup::new("bbr1", &[])?;
    setup.noq()?;
    println!("degraded: {}", setup.degraded(Library::Noq)?);
    println!("{}", Setup::new("dctcp", &[])?.noq().unwrap_err());
    Ok(())
}
"""


def cargo(*arguments: str | Path, cwd: Path, target: Path) -> str:
    """Run a command, which must succeed, and return its standard output."""
    ran = subprocess.run(
        ["cargo", *arguments, "--offline"],
        cwd=cwd,
        env={**os.environ, "CARGO_TARGET_DIR": str(target)},
        capture_output=True,
        text=True,
        timeout=HANG_S,
    )
    assert ran.returncode == 0, ran.stderr
    return ran.stdout


def test_the_packages_are_all_that_a_project_needs(tmp_path: Path) -> None:
    packages = [argument for crate in CRATES for argument in ("-p", f"bentpipe-{crate}")]
    cargo("package", *packages, "--no-verify", "--allow-dirty", "--exclude-lockfile", cwd=ROOT, target=tmp_path)
    patches = []
    for crate in CRATES:
        (package,) = (tmp_path / "package").glob(f"bentpipe-{crate}-[0-9]*.crate")
        with tarfile.open(package) as archive:
            archive.extractall(tmp_path / "unpacked", filter="data")
        place = tmp_path / "unpacked" / package.stem
        about = tomllib.loads((place / "Cargo.toml").read_text())["package"]
        assert about["license"] == "MIT OR Apache-2.0"
        patches.append(f'bentpipe-{crate} = {{ path = "{place}" }}')
    assert (place / "README.md").is_file()

    project = tmp_path / "project"
    (project / "src").mkdir(parents=True)
    (project / "src" / "main.rs").write_text(MAIN)
    # The lock file selects the versions of this repository's tests, which are on this machine.
    shutil.copy(ROOT / "Cargo.lock", project)
    version = about["version"]
    manifest = ['[package]\nname = "stranger"\nedition = "2024"', "[dependencies]", f'bentpipe-quic = "{version}"']
    (project / "Cargo.toml").write_text("\n".join([*manifest, "[patch.crates-io]", *patches]) + "\n")
    said = cargo("run", "-q", cwd=project, target=tmp_path / "built")
    assert said.splitlines() == [
        "degraded: none",
        'controller "dctcp" needs ECN marks, which noq does not provide (choose another controller)',
    ]


def test_documentation_and_code_name_the_same_library_versions() -> None:
    pinned = tomllib.loads((ROOT / "Cargo.toml").read_text())["workspace"]["dependencies"]
    library = (ROOT / "crates/quic/src/library.rs").read_text()
    for crate in ("noq-proto", "quinn-proto", "s2n-quic-core"):
        (said,) = re.findall(rf"/// {crate} (\d+\.\d+)", library)
        assert pinned[crate]["version"].lstrip("=").startswith(said)


def test_the_dependencies_of_the_readme_are_those_of_the_workspace() -> None:
    text = (ROOT / "crates" / "quic" / "README.md").read_text()
    (block,) = re.findall(r"```toml\n(.*?)```", text, re.DOTALL)
    named = tomllib.loads(block)["dependencies"]
    ours = tomllib.loads((ROOT / "Cargo.toml").read_text())["workspace"]["dependencies"]
    assert (ROOT / "crates" / Path(named.pop("bentpipe-quic")["path"]).name / "Cargo.toml").is_file()
    for name, asked in named.items():
        assert asked["version"] == ours[name]["version"]
        assert set(asked["features"]) <= set(ours[name]["features"])
