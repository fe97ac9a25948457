# SPDX-License-Identifier: MIT OR Apache-2.0
"""Print the completion of commands, options and files."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

import shtab

from bentpipe.cli.commands import parser
from bentpipe.cli.console import say

if TYPE_CHECKING:
    from collections.abc import Iterator

_SHELLS = ("bash", "zsh")
_HOW = """write the output to the file that your shell reads:
  bash: bentpipe completion bash > ~/.local/share/bash-completion/completions/bentpipe
  zsh:  bentpipe completion zsh > ~/.zfunc/_bentpipe    (with ~/.zfunc in $fpath, before compinit)"""


def add(command: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    command.epilog = _HOW
    command.formatter_class = argparse.RawDescriptionHelpFormatter
    command.add_argument("shell", choices=_SHELLS)


def run(chosen: argparse.Namespace) -> int:
    """Print it."""
    whole = parser(whole=True)
    for action in _actions(whole):
        if action.type is Path or {"FILE", "DIR"}.intersection(str(action.metavar).split("|")):
            action.complete = shtab.FILE  # type: ignore[attr-defined]
    say(shtab.complete(whole, shell=chosen.shell))
    return 0


def _actions(command: argparse.ArgumentParser) -> Iterator[argparse.Action]:
    """Every option and argument, also of commands."""
    for action in command._actions:
        if isinstance(action, argparse._SubParsersAction):
            for one in action.choices.values():
                yield from _actions(one)
        else:
            yield action
