# SPDX-License-Identifier: MIT OR Apache-2.0
"""Writes the page of all commands and options from the parser of the command line."""

from __future__ import annotations

import argparse
import inspect
from typing import TYPE_CHECKING

from bentpipe.cli.commands import COMMANDS, parser
from bentpipe.cli.man import described

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


def commands(note: str, table: Callable[..., str]) -> str:
    """Return the page of every command: its purpose, its arguments and its options.

    Args:
        note: First line of a generated page.
        table: Function that makes a Markdown table from a head and rows.
    """
    index = [(f"[`bentpipe {name}`](#bentpipe-{name})", text) for name, text in COMMANDS.items()]
    parts = [note.strip(), "# Commands", table(("command", "what it does"), index)]
    for name, command in _parsers(parser(whole=True)):
        text = inspect.cleandoc(command.description or "")
        parts += [f"## bentpipe {name}", text]
        rows = [_row(action) for action in command._actions if action.help != argparse.SUPPRESS]
        parts.append(table(("argument or option", "meaning"), [row for row in rows if row[0] != "`-h`, `--help`"]))
    return "\n\n".join(part for part in parts if part) + "\n"


def _parsers(top: argparse.ArgumentParser) -> Iterator[tuple[str, argparse.ArgumentParser]]:
    """Yields the parsers of commands with their names. Parsers of subcommands follow their command."""
    for action in top._actions:
        if isinstance(action, argparse._SubParsersAction):
            for command in action.choices.values():
                yield command.prog.removeprefix("bentpipe "), command
                yield from _parsers(command)


def _row(action: argparse.Action) -> tuple[str, str]:
    """Returns an argument or an option with its value, and its meaning."""
    options, value, meaning = described(action)
    names = ", ".join(f"`{option}`" for option in options)
    return " ".join(part for part in (names, f"`{value}`" if value else "") if part), meaning
