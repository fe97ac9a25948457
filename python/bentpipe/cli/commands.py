# SPDX-License-Identifier: MIT OR Apache-2.0
"""The table of commands, and the parser that imports the module of a command when the command is asked for.

The module of a command has three parts: a docstring, which is the description in the help; ``add(parser)``, which adds
the options; and ``run(chosen)``, which runs the command and returns the exit code.
"""

from __future__ import annotations

import argparse
import importlib
import inspect
import keyword
import re
import sys
import textwrap
from typing import TYPE_CHECKING, Any, NoReturn, TypeGuard

from bentpipe import _core
from bentpipe.base.names import wrapped

if TYPE_CHECKING:
    from collections.abc import Sequence

    from _typeshed import SupportsWrite

EXIT_USAGE = 2
PROGRAM = "bentpipe"
#: Values that begin with a minus sign: a number, or coordinates, alone or as the first of a pair ("-33.9,18.4",
#: "-33.9,18.4:London"); a list whose first column is skipped ("-,rate").
_NEGATIVE = re.compile(r"-(?:(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?\s*(?:,|$)|,)")
#: Name and one-line help, in the order of the help. `module_of` has the module.
COMMANDS = {
    "run": "run scenarios",
    "plot": "draw pictures of a run folder or a sweep",
    "report": "write an HTML page about a run folder",
    "compare": "compare controllers in the same scenarios",
    "which": "recommend a controller and its settings for a path",
    "sweep": "run one scenario with many values of its keys",
    "sensitivity": "compute which keys decide the result of a sweep",
    "league": "run every controller over a suite of scenarios, and every pair of controllers on shared bottlenecks",
    "path": "compute the paths between places over time",
    "passes": "compute when satellites rise and set over a place",
    "constellations": "list the constellation presets, or describe one constellation",
    "bottlenecks": "find flows that share a link, without a run",
    "export": "write the path of a flow over time, for replay in other tools",
    "import": "convert a measurement of another tool into a path that scenarios replay",
    "view": "show run folders, or the output folder of compare, sweep, league or which, in the browser",
    "link-budget": "compute link budgets: losses, noise, modulation and code, in clear sky and under rain",
    "model": "evaluate the formulas of papers, without a run",
    "presets": "list the network presets and their distance from measurements, or describe one preset",
    "schema": "print the JSON Schema of scenario, summary or sweep, or the list of errors",
    "controllers": "list the controllers, or describe one controller",
    "quic": "serve or fetch files over real QUIC, with any controller of the library",
    "emulate": "run real programs over the network of a scenario, in real time (Linux)",
    "agree": "compare the simulator with the emulator and the TCP of this machine (Linux)",
    "kernel": "load congestion controllers into the running Linux kernel, and trace connections",
    "doctor": "list the tools that this machine has, and the tools that are missing",
    "demo": "run a small study (does Hybla-IM beat Hybla over Iridium?), with report and picture",
    "reproduce": "repeat the measurements of papers, or of your own study, with a verdict on every figure and claim",
    "evaluate": "measure a controller by the criteria of RFC 9743",
    "validate": "compare the simulator with independent theory, a Linux kernel and ns-2",
    "completion": "print the completion code for your shell, or write man pages",
}


class _Help(argparse.HelpFormatter):
    """A formatter that keeps paragraphs, and breaks lines neither at a hyphen nor between a number and its unit."""

    def _split_lines(self, text: str, width: int) -> list[str]:
        return wrapped(" ".join(text.split()), width)

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        # A paragraph with indented lines is an example, so its lines are not wrapped again.
        return "\n\n".join(
            part if "\n  " in part else textwrap.indent("\n".join(self._split_lines(part, width)), indent)
            for part in inspect.cleandoc(text).split("\n\n")
        )


class _Parser(argparse.ArgumentParser):
    """A parser that prints an error with a line about help, and does not read a negative latitude as an option.

    The error for an unknown word of a list names the nearest word.
    """

    def __init__(self, **options: Any) -> None:
        super().__init__(formatter_class=_Help, **options)
        # By itself, argparse accepts only single numbers as values that begin with a minus sign.
        self._negative_number_matcher = _NEGATIVE

    def error(self, message: str) -> NoReturn:
        sys.stderr.write(f"error[usage]: {message}\n{self.prog} --help lists the options\n")
        sys.exit(EXIT_USAGE)

    def _check_value(self, action: argparse.Action, value: str) -> None:
        if action.choices is None or value in action.choices:
            return
        known = [str(one) for one in action.choices]
        if isinstance(action, _Commands):
            self.error(f'there is no command "{value}" ({_guess(value, known)}commands are {", ".join(known)})')
        hint = f"{_guess(value, known)}choices are {', '.join(known)}"
        raise argparse.ArgumentError(action, f'"{value}" is not a choice ({hint})')

    def _print_message(self, message: str, file: SupportsWrite[str] | None = None) -> None:
        # argparse's message does not name the file that cannot be written.
        if message:
            (file or sys.stderr).write(message)


class _Command(_Parser):
    """The parser of a command. It reports an unknown option before argparse reports a missing required option."""

    def _parse_optional(self, arg_string: str) -> Any:
        found = super()._parse_optional(arg_string)
        # The result has the option, its name and its value. Newer versions of Python return a list.
        first = found[0] if isinstance(found, list) and found else found
        # The options of a subcommand are unknown here.
        if first is not None and first[0] is None and not subcommands_of(self):
            name = arg_string.partition("=")[0]
            near = _core.nearest(name.lstrip("-"), [option.lstrip("-") for option in self._option_string_actions])
            self.error(f'there is no option "{name}"{f" (did you mean --{near}?)" if near else ""}')
        return found

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Pass the words after ``--`` unchanged to a command that runs a program."""
        words = list(args or ())
        if self.get_default("program") is None or "--" not in words:
            return super().parse_known_args(words, namespace)
        at = words.index("--")
        parsed, unknown = super().parse_known_args(words[:at], namespace)
        parsed.program = words[at + 1 :]
        return parsed, unknown


class _Commands(argparse._SubParsersAction):  # type: ignore[type-arg]  # it takes none at run time
    """The action that adds the options of a command just before the command's arguments are read."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: str | Sequence[object] | None,
        option_string: str | None = None,
    ) -> None:
        name = str((values or [""])[0])
        if name in self.choices:
            load(self.choices[name], name)
            # The top parser would report an unknown argument, but the command's help lists the known arguments.
            parser.prog = self.choices[name].prog
        super().__call__(parser, namespace, values, option_string)


def module_of(name: str) -> str:
    """Return the name of a command's module. If the name is a keyword of Python, it ends with ``_``."""
    return name.replace("-", "_") + "_" * keyword.iskeyword(name)


def _guess(name: str, known: Sequence[str]) -> str:
    """Return the beginning of a hint: the known name that is nearest to a wrong name; empty without a near name."""
    near = _core.nearest(name, known)
    return f"did you mean {near}? " if near else ""


def load(command: argparse.ArgumentParser, name: str) -> None:
    """Add the options of a command, once."""
    if command.get_default("run") is not None:
        return
    module = importlib.import_module(f"bentpipe.cli.{module_of(name)}")
    command.description = module.__doc__
    module.add(command)
    for one in subcommands_of(command).values() or [command]:
        one.add_argument(
            "--quiet", action="store_true", help="print no progress and no notes on stderr, only errors and warnings"
        )
    command.set_defaults(run=module.run)


def parser(*, whole: bool = False) -> argparse.ArgumentParser:
    """Return the parser of the command line. With `whole`, it has the options of all commands."""
    top = _Parser(prog=PROGRAM, description="A laboratory for congestion control over satellite networks.")
    top.add_argument("--version", action="version", version=f"bentpipe {_core.version()}")
    commands = top.add_subparsers(
        dest="command", metavar="COMMAND", required=True, action=_Commands, parser_class=_Command
    )
    for name, text in COMMANDS.items():
        command = commands.add_parser(name, help=text)
        if whole:
            load(command, name)
    return top


def subcommands_of(command: argparse.ArgumentParser) -> dict[str, argparse.ArgumentParser]:
    """Return the parsers of a command's subcommands by name; empty if it has none."""
    return next((dict(action.choices) for action in command._actions if _has_parsers(action)), {})


def _has_parsers(action: argparse.Action) -> TypeGuard[argparse._SubParsersAction[argparse.ArgumentParser]]:
    return isinstance(action, argparse._SubParsersAction)


def commands_of(top: argparse.ArgumentParser) -> dict[str, argparse.ArgumentParser]:
    """Return the parsers of the commands by name."""
    return next(dict(action.choices) for action in top._actions if isinstance(action, _Commands))
