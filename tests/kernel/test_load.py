# SPDX-License-Identifier: MIT OR Apache-2.0
"""The controllers of bpf/ compile for the kernel, and the running kernel's verifier accepts them."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

import kernel_vectors
import needs

NAMES = kernel_vectors.controllers()
AVAILABLE = Path("/proc/sys/net/ipv4/tcp_available_congestion_control")


def compiled(name: str, folder: Path) -> Path:
    """Compile a controller as bpftool 7.1 can load it: it does not know the section .struct_ops.link."""
    program = folder / f"{name}.o"
    command = ["clang", "-O2", "-g", "-target", "bpf", "-mcpu=v3", "-Wall", "-Werror", f"-I{kernel_vectors.BPF}"]
    command += [
        '-DSTRUCT_OPS_SECTION=".struct_ops"',
        "-c",
        str(kernel_vectors.BPF / f"{name}.bpf.c"),
        "-o",
        str(program),
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return program


@pytest.mark.parametrize("name", NAMES)
def test_the_kernel_knows_the_name(name: str) -> None:
    text = (kernel_vectors.BPF / f"{name}.bpf.c").read_text()
    assert len(name) <= 15, "the kernel's name has at most 15 characters"
    assert re.search(rf"_OPS\({name}\);|\.name = \"{name}\",", text)


@needs.mark("bpf")
@pytest.mark.parametrize("name", NAMES)
def test_parameters_have_tags(name: str, tmp_path: Path) -> None:
    """Each constant in .rodata that a loader may set has a BTF declaration tag with its name."""
    program = compiled(name, tmp_path)
    btf = subprocess.run(["bpftool", "btf", "dump", "file", program], capture_output=True, text=True, check=True).stdout
    tags = re.findall(r"DECL_TAG '(\w+) ([\w-]+)", btf)
    assert "pacing" in {tag for _, tag in tags}
    assert {kind for kind, _ in tags} <= {"parameter", "flag", "choice"}
    assert len(tags) == len({tag for _, tag in tags})


@needs.mark("bpf")
@needs.mark("bpf-loading")
@pytest.mark.parametrize("name", NAMES)
def test_the_verifier_accepts_it(name: str, tmp_path: Path) -> None:
    if name in AVAILABLE.read_text().split():
        pytest.skip(needs.reason("bpf-loading", f"{name} is loaded already"))
    program = compiled(name, tmp_path)
    done = subprocess.run(["bpftool", "struct_ops", "register", program], capture_output=True, text=True, check=False)
    try:
        assert done.returncode == 0, done.stderr[-4000:]
        assert name in AVAILABLE.read_text().split()
    finally:
        subprocess.run(["bpftool", "struct_ops", "unregister", "name", name], capture_output=True, check=False)
