# SPDX-License-Identifier: MIT OR Apache-2.0
"""Write man pages in roff, from the parser of the command line."""

from __future__ import annotations

import argparse
import inspect
import re
from typing import TYPE_CHECKING

from bentpipe import _core
from bentpipe.cli.commands import COMMANDS, PROGRAM, commands_of, subcommands_of

if TYPE_CHECKING:
    from collections.abc import Iterator

_EXIT = {
    "0": "The command did everything.",
    "1": "Something failed or could not be written.",
    "2": "The command line or a file has a mistake.",
    "130": "Ctrl-C or SIGTERM stopped the command.",
}
#: Characters that roff replaces by typographic ones.
_PLAIN = {"\\": r"\e", "-": r"\-", "'": r"\(aq", "`": r"\(ga", "^": r"\(ha", "~": r"\(ti"}


def pages(top: argparse.ArgumentParser) -> dict[str, str]:
    """Return the page of the program and of each command, by name. `top` has the options of all commands."""
    found = {}
    for name, one in commands_of(top).items():
        parts = subcommands_of(one)
        about = {part: (parser.description or "").partition(".")[0] for part, parser in parts.items()}
        found[f"{PROGRAM}-{name}"] = _page(one, COMMANDS[name], about)
        found |= {f"{PROGRAM}-{name}-{part}": _page(parser, about[part]) for part, parser in parts.items()}
    return {PROGRAM: _page(top, "a laboratory for congestion control over satellite networks", COMMANDS), **found}


def described(action: argparse.Action) -> tuple[list[str], str, str]:
    """Return the names of an option, the name of its value, and its meaning. An argument has only a value."""
    shown = action.metavar if isinstance(action.metavar, str) else None
    choices = "|".join(map(str, action.choices)) if action.choices is not None and shown is None else None
    value = shown or choices or (action.dest.upper() if action.option_strings else action.dest)
    meaning = " ".join((action.help or "").split()).replace("%%", "%")
    return list(action.option_strings), "" if action.nargs == 0 else value, meaning


def _page(parser: argparse.ArgumentParser, about: str, commands: dict[str, str] | None = None) -> str:
    name = parser.prog.replace(" ", "-")
    usage = " ".join(parser.format_usage().removeprefix("usage: ").split())
    lines = [
        f'.TH {_text(name.upper())} 1 "" "bentpipe {_core.version()}" "Bentpipe"',
        *(".nh", ".ad l"),
        *(".SH NAME", rf"{_text(name)} \- {_text(about)}"),
        *(".SH SYNOPSIS", f".B {_text(parser.prog)}", _text(usage.removeprefix(parser.prog).strip())),
        ".SH DESCRIPTION",
    ]
    for number, paragraph in enumerate(re.split(r"\n\s*\n", inspect.cleandoc(parser.description or ""))):
        lines += [*([".PP"] if number else []), _text(" ".join(paragraph.split()))]
    if commands:
        lines.append(".SH COMMANDS")
        for command, what in commands.items():
            lines += [".TP", f".BR {_text(f'{name}-{command}')} (1)", _text(what)]
    lines += [".SH OPTIONS", *(line for action in parser._actions for line in _option(action))]
    if parser.epilog:
        lines += [".SH NOTES", ".nf", *map(_text, parser.epilog.splitlines()), ".fi"]
    lines.append(".SH EXIT STATUS")
    for code, meaning in _EXIT.items():
        lines += [".TP", f".B {code}", _text(meaning)]
    if name != PROGRAM:
        lines += [".SH SEE ALSO", f".BR {PROGRAM} (1)"]
    return "\n".join(lines) + "\n"


def _option(action: argparse.Action) -> Iterator[str]:
    if isinstance(action, argparse._SubParsersAction) or action.help == argparse.SUPPRESS:
        return
    names, value, meaning = described(action)
    told = ", ".join(rf"\fB{_text(name)}\fR" for name in names)
    yield ".TP"
    yield " ".join(part for part in (told, rf"\fI{_text(value)}\fR" if value else "") if part)
    yield _text(meaning) or r"\&"


def _text(text: str) -> str:
    """Escape text for roff, also at the beginning of a line."""
    plain = "".join(_PLAIN.get(sign, sign) for sign in text)
    return rf"\&{plain}" if plain.startswith(".") else plain
