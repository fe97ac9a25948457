# SPDX-License-Identifier: MIT OR Apache-2.0
"""Unneeded modules are not loaded: help, or a run without a picture, does not wait for matplotlib."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

TELL = "import sys; print(*sorted({name.partition('.')[0] for name in sys.modules}))"
COMMAND = "import contextlib, io\nfrom bentpipe.cli import entry\n"


def loaded(code: str, place: Path) -> set[str]:
    """Return the packages outside of the standard library that a new interpreter has loaded after `code`."""

    def packages(text: str) -> set[str]:
        command = [sys.executable, "-c", f"{text}\n{TELL}"]
        return set(subprocess.run(command, cwd=place, check=True, capture_output=True, text=True).stdout.split())

    # An editable installation has additional loaders.
    return packages(code) - packages("") - sys.stdlib_module_names


@pytest.mark.parametrize(
    ("code", "most"),
    [
        ("import bentpipe", {"bentpipe", "tomli_w"}),
        (
            f"{COMMAND}with contextlib.redirect_stdout(io.StringIO()), contextlib.suppress(SystemExit):\n"
            "    entry(['--help'])",
            {"bentpipe", "tomli_w"},
        ),
        # Summaries as JSON need no table and no picture.
        (
            f"{COMMAND}with contextlib.redirect_stdout(io.StringIO()):\n"
            "    assert entry(['run', 'small.toml', '--json', '--out', 'folder']) == 0",
            {"bentpipe", "tomli_w"},
        ),
    ],
    ids=["import", "help", "run"],
)
def test_only_what_is_needed_is_loaded(code: str, most: set[str], small: Path) -> None:
    found = loaded(code, small.parent)
    assert "bentpipe" in found
    assert found <= most


def test_what_few_commands_need_is_loaded_when_it_is_asked_for() -> None:
    code = (
        "import sys, bentpipe as bp\n"
        "later = ('league', 'which', 'sweep', 'evaluate', 'export', 'model')\n"
        "early = [one for one in later if any(name.startswith(f'bentpipe._{one}') for name in sys.modules)]\n"
        "assert not early, early\n"
        "assert all(callable(getattr(bp, name)) for name in later)\n"
        "assert set(bp.__all__) <= set(dir(bp))\n"
        "assert not [name for name in bp.__all__ if not hasattr(bp, name)]\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_only_the_module_of_the_command_is_loaded() -> None:
    code = (
        f"import sys\n{COMMAND}with contextlib.redirect_stdout(io.StringIO()), contextlib.suppress(SystemExit):\n"
        "    entry(['run', '--help'])\n"
        "from bentpipe.cli.commands import COMMANDS\n"
        "names = {name.replace('-', '_') for name in COMMANDS}\n"
        "print(*(name for name in names if f'bentpipe.cli.{name}' in sys.modules))"
    )
    told = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert told.stdout.split() == ["run"]
