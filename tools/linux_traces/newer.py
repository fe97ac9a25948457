# SPDX-License-Identifier: MIT OR Apache-2.0
"""A newer kernel, for what Linux 6.1 does not have: DualPI2, which Debian does not build, and AccECN.

The kernel is Debian's 7.2 of trixie-backports. `sch_dualpi2.c` comes unchanged from Debian's source package of the same
version. The kernel's own build system compiles it with the host's gcc. apt fetches everything with a separate list of
sources, so the host may have another release. All packages are unpacked below target/oracles/linux, and nothing is
installed.
"""

from __future__ import annotations

import lzma
import subprocess
from functools import cache
from typing import TYPE_CHECKING

import machine
from machine import CACHE, TraceError

if TYPE_CHECKING:
    from pathlib import Path

FOLDER = CACHE / "newer"
TREE = FOLDER / "tree"
RELEASE = "7.2.12+deb13-cloud-amd64"
VERSION = "7.2.12-1~bpo13+1"
#: Debian's packages, with versions and SHA-256: the kernel, its modules, what is needed to build a module, and its
#: source.
PACKAGES = {
    f"linux-binary-{RELEASE}": (VERSION, "aa6720823145e351d3c817c95fe58d89995a2bcba4978ad2418c36a1c272f795"),
    f"linux-modules-{RELEASE}": (VERSION, "2f15b42b88ae56836b5fb3ac74c6cb795047891a5a25e5e69dedf8805b54017d"),
    f"linux-headers-{RELEASE}": (VERSION, "13bb1c14fd4b527c71710179a86120c57466c7879112ec4dcb8af89e4b72c5ee"),
    "linux-headers-7.2.12+deb13-common": (VERSION, "8456354805802dd3f44839693e5eb966fc75ac1ef5af4a7ffb0b368245580ce5"),
    "linux-kbuild-7.2.12+deb13": (VERSION, "7b8867533c2fb100dacded82c2d2b4fc548841980f691b807d2d0b7d418f7356"),
    "linux-source-7.2": (VERSION, "73ca6c22599ba411ab3179642d33501ca2c90174e13c3c8d86e996ea1cbf2a8f"),
    # The programs of linux-kbuild are linked with this C library. An older host has an older one.
    "libc6": ("2.41-12+deb13u5", "b59b0625cd1a791375d40dab23a4d5d3d0641e3d0a773501becdc3725b7f99cf"),
    "libelf1t64": ("0.192-4", "94497b7e17b6f574a0605b380d454e20d3f01a9c63b70c2a2263f679d30053e1"),
}
SUITES = "trixie", "trixie-backports"
KEYS = "/usr/share/keyrings/debian-archive-keyring.gpg"
#: Commands that are required in addition to those of every trace.
COMMANDS = {"make": "make", "ld": "binutils", "xz": "xz-utils"}
HEADERS = TREE / "usr" / "src"
KBUILD = TREE / "usr" / "lib" / "linux-kbuild-7.2.12+deb13"
#: Programs of linux-kbuild that need the newer C library.
WRAPPED = "scripts/mod/modpost.real-lsb-64", "tools/objtool/objtool.real-x86"
SOURCE = "linux-source-7.2/net/sched/sch_dualpi2.c"
MODULE = FOLDER / "sch_dualpi2" / "sch_dualpi2.ko"
MODULES = {
    machine.QUEUES: ("tun", "sch_tbf"),
    machine.ACCURATE: ("tun", "tcp_dctcp"),
    machine.EVENTS: ("tun", "tcp_bbr", "tcp_htcp", "tcp_hybla", "tcp_vegas"),
}
#: The kernel was configured for gcc 14. Older versions do not know one switch. BTF is not needed, as pahole is missing.
OLDER_GCC = "CONFIG_CC_HAS_MIN_FUNCTION_ALIGNMENT=", "CONFIG_DEBUG_INFO_BTF_MODULES="


def apt(*words: str) -> subprocess.CompletedProcess[str]:
    """Runs apt-get with separate sources, lists and cache."""
    place = FOLDER / "apt"
    for folder in ("lists/partial", "archives/partial"):
        (place / folder).mkdir(parents=True, exist_ok=True)
    sources = place / "sources.list"
    sources.write_text(
        "".join(f"deb [signed-by={KEYS}] http://deb.debian.org/debian {suite} main\n" for suite in SUITES)
    )
    settings = {
        "Dir::Etc::sourcelist": sources,
        "Dir::Etc::sourceparts": "-",
        "Dir::State::lists": place / "lists",
        "Dir::State::status": "/dev/null",
        "Dir::Cache": place,
        "APT::Architecture": "amd64",
    }
    order = ["apt-get", *(f"-o{key}={value}" for key, value in settings.items()), *words]
    return subprocess.run(order, cwd=FOLDER, capture_output=True, text=True, check=False)


def packages() -> list[Path]:
    """Returns the packages, and downloads them if necessary."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    wanted = {name: there for name, there in PACKAGES.items() if not list(FOLDER.glob(f"{name}_*.deb"))}
    if wanted:
        asked = [f"{name}={version}" for name, (version, _) in wanted.items()]
        said = apt("update").stderr + apt("download", *asked).stderr
        absent = [name for name in wanted if not list(FOLDER.glob(f"{name}_*.deb"))]
        if absent:
            raise TraceError(
                f"apt-get download of {', '.join(absent)} failed: {said.strip()}\n"
                f"fix: put them into {FOLDER} (versions and SHA-256: {__file__}); old ones are at "
                "https://snapshot.debian.org"
            )
    found = {name: next(FOLDER.glob(f"{name}_*.deb")) for name in PACKAGES}
    for name, (_, digest) in PACKAGES.items():
        if (is_now := machine.digest(found[name].read_bytes())) != digest:
            raise TraceError(
                f"{found[name]} has sha256 {is_now}; the traces need {digest}\nfix: remove that file, or put {name} "
                f"{PACKAGES[name][0]} from https://snapshot.debian.org there"
            )
    return list(found.values())


def unpack() -> None:
    """Unpacks all packages into one tree, and adapts the programs of linux-kbuild to this host."""
    if TREE.is_dir():
        return
    begun = TREE.with_suffix(".begun")
    for package in packages():
        subprocess.run(["dpkg-deb", "-x", package, begun], check=True)
    for name in WRAPPED:
        program = begun / KBUILD.relative_to(TREE) / name
        libraries = TREE / "usr" / "lib" / "x86_64-linux-gnu"
        real = program.rename(program.with_name(f"{program.name}.elf")).name
        run = f'exec {libraries}/ld-linux-x86-64.so.2 --library-path {libraries} "$(dirname "$0")/{real}" "$@"'
        program.write_text(f"#!/bin/sh\n{run}\n")
        program.chmod(0o755)
    begun.rename(TREE)


def dualpi2() -> Path:
    """Returns the module sch_dualpi2, and compiles it if necessary."""
    if MODULE.is_file():
        return MODULE
    folder = MODULE.parent
    folder.mkdir(exist_ok=True)
    archive = HEADERS / "linux-source-7.2.tar.xz"
    # The file occurs only once. tar can stop after it, and need not decompress the other gigabyte.
    order = ["tar", "-xJf", str(archive), "--occurrence=1", "--strip-components=3", "-C", str(folder), SOURCE]
    subprocess.run(order, check=True)
    (folder / "Makefile").write_text("obj-m := sch_dualpi2.o\n")
    places = f"O={HEADERS / f'linux-headers-{RELEASE}'}", f"M={folder}"
    common = str(HEADERS / "linux-headers-7.2.12+deb13-common")
    # The module contains no paths, so it has the same bytes wherever it is compiled.
    flags = f"KCFLAGS=-g0 -ffile-prefix-map={TREE}=tree"
    order = ["make", "-C", common, *places, "CC=gcc", flags, *OLDER_GCC, "modules"]
    done = subprocess.run(order, capture_output=True, text=True, check=False)
    if done.returncode:
        raise TraceError(f"sch_dualpi2 could not be compiled: {done.stderr.strip()}\nfix: look into {folder}")
    subprocess.run(["strip", "--strip-debug", MODULE], check=True)
    return MODULE


def identity(program: str) -> str:
    """Returns everything that a trace depends on, except its case. This does not need the kernel itself."""
    digests = [digest for _, digest in PACKAGES.values()]
    settings = (*digests, *OLDER_GCC, *machine.QEMU, machine.KERNEL)
    return machine.digest(machine.compiled(program) + " ".join(settings).encode())


@cache
def build(program: str) -> machine.Machine:
    """Build the newer kernel with one of the guest's programs and the modules that the program needs."""
    machine.require(machine.missing() + machine.not_installed(COMMANDS))
    unpack()
    tree = TREE / "usr" / "lib" / "modules" / RELEASE
    modules = {name: lzma.decompress(next(tree.rglob(f"{name}.ko.xz")).read_bytes()) for name in MODULES[program]}
    if program == machine.QUEUES:
        modules["sch_dualpi2"] = dualpi2().read_bytes()
    initrd = machine.make_initrd(program, FOLDER / program.replace("guest", "initrd"), modules)
    return machine.Machine(kernel=tree / "vmlinuz", initrd=initrd, controllers=())
