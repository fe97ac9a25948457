# SPDX-License-Identifier: MIT OR Apache-2.0
"""`bentpipe completion`: what a shell needs to complete commands, options and files."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from bentpipe.cli.console import say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bentpipe.cli.console import Commands

_SHELLS = ("bash", "zsh")
_HOW = """put what it prints where your shell looks for it:
  bash: bentpipe completion bash > ~/.local/share/bash-completion/completions/bentpipe
  zsh:  bentpipe completion zsh > ~/.zfunc/_bentpipe    (with ~/.zfunc in $fpath, before compinit)"""


def register(commands: Commands) -> None:
    """Add the command of this module."""
    command = commands.add_parser(
        "completion",
        help="completion for your shell",
        description="Print the completion of commands, options and files.",
        epilog=_HOW,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    command.add_argument("shell", choices=_SHELLS)
    command.set_defaults(run=_print)


def _print(chosen: argparse.Namespace) -> int:
    import shtab

    from bentpipe.cli import parser

    whole = parser()
    for action in _actions(whole):
        if action.type is Path or action.metavar in ("FILE", "DIR"):
            action.complete = shtab.FILE  # type: ignore[attr-defined]
    say(shtab.complete(whole, shell=chosen.shell))
    return 0


def _actions(parser: argparse.ArgumentParser) -> Iterator[argparse.Action]:
    """Every option and argument, of commands too."""
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for command in action.choices.values():
                yield from _actions(command)
        else:
            yield action
