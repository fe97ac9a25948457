# SPDX-License-Identifier: MIT OR Apache-2.0
"""Complete commands, options, and the values of options in a shell.

The shell code of `bentpipe completion` calls `bentpipe` with the environment variable ``_ARGCOMPLETE`` and the command
line so far. This module is imported only in this case.
"""

from __future__ import annotations

import json
import os
import re
import tomllib
from collections.abc import Callable, Mapping
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO, TypeAlias

from argcomplete.finders import CompletionFinder

from bentpipe import _core
from bentpipe._sweep._base import numbers
from bentpipe._which._defaults import AIMS
from bentpipe.cli.commands import COMMANDS, PROGRAM, commands_of, load, subcommands_of
from bentpipe.results.metrics import BY_KEY
from bentpipe.scenario.catalogue import sites
from bentpipe.scenario.choice import TRANSPORTS
from bentpipe.scenario.key_labels import forms, keys_of, part_at

if TYPE_CHECKING:
    import argparse

#: Possible words, each with its meaning, for the beginning of a word and for the arguments before the word.
Completer: TypeAlias = Callable[[str, "argparse.Namespace"], Mapping[str, str]]
#: Words of a shell after which a new command begins.
_BETWEEN = ("&&", "||", "|", ";", "&")


def answer(
    top: argparse.ArgumentParser,
    *,
    output_stream: TextIO | None = None,
    exit_method: Callable[[int], object] = os._exit,
) -> None:
    """Print the possible words at the cursor to the shell, and end the process."""
    _Finder()(
        top,
        always_complete_options=False,
        exit_method=exit_method,
        output_stream=output_stream,
        validator=lambda word, begun: word.casefold().startswith(begun.casefold()),
    )


class _Finder(CompletionFinder):
    """A finder that adds the options of the command, with their completers, before it reads the command line."""

    def _get_completions(
        self, comp_words: list[str], cword_prefix: str, cword_prequote: str, last_wordbreak_pos: int | None
    ) -> list[str]:
        # zsh passes the complete line, with other commands before ours.
        after = max((place + 1 for place, word in enumerate(comp_words) if word in _BETWEEN), default=0)
        words = comp_words[after:]
        while words[1:] and Path(words[0]).name != PROGRAM:
            words = words[1:]
        if self._parser is not None and words[1:] and words[1] in COMMANDS:
            self._prepare(commands_of(self._parser)[words[1]], words[1])
        get: Callable[..., list[str]] = super()._get_completions
        return get(words, cword_prefix, cword_prequote, last_wordbreak_pos)

    def _prepare(self, command: argparse.ArgumentParser, name: str) -> None:
        load(command, name)
        # A command without positional arguments offers its options at once, other commands after a minus sign.
        self.always_complete_options = not command._get_positional_actions()
        for one in subcommands_of(command).values() or [command]:
            for action in one._actions:
                action.type = None  # a check of a value could create files
                complete = completer_of(name, action) or _nothing
                action.completer = _adapted(complete)  # type: ignore[attr-defined]


def _adapted(complete: Completer) -> Callable[..., Mapping[str, str]]:
    return lambda prefix, parsed_args, **_: complete(prefix, parsed_args)


def _nothing(_: str, _before: argparse.Namespace) -> dict[str, str]:
    return {}


def completer_of(command: str, action: argparse.Action) -> Completer | None:
    """Return the completer of the value of an option or argument (choices, names or files); None for free text."""
    if action.choices is not None:
        return _named(partial(_words, *map(str, action.choices)))
    return _VALUES.get(f"{command} {action.dest}") or _VALUES.get(action.dest) or _files_of(action)


def _files_of(action: argparse.Action) -> Completer | None:
    kinds = set(str(action.metavar).split("|"))
    if "FILE" in kinds:
        # Files to read are scenarios, sweeps and link budgets.
        return partial(_paths, end="" if action.option_strings else ".toml")
    return partial(_paths, end="/") if kinds & {"DIR", "FOLDER"} else None


def _paths(begun: str, _: argparse.Namespace, *, end: str = "") -> dict[str, str]:
    """Return folders, and files whose names end in `end`."""
    head, slash, tail = begun.rpartition("/")
    found = {}
    try:
        with os.scandir(os.path.expanduser(head + slash) or ".") as entries:  # noqa: PTH111 - `~user/` stays as typed
            for entry in sorted(entries, key=lambda entry: entry.name):
                if entry.name.startswith(tail) and (tail or not entry.name.startswith(".")):
                    name = f"{head}{slash}{entry.name}{'/' if entry.is_dir() else ''}"
                    if name.endswith((end, "/")):
                        found[name] = ""
    except OSError:
        return {}
    return found


def _named(names: Callable[[], Mapping[str, str]], *, end: str | None = None) -> Completer:
    """Return a completer of one name or, with `end`, of a file whose name ends in `end`."""

    def complete(begun: str, before: argparse.Namespace) -> dict[str, str]:
        return {**names(), **({} if end is None else _paths(begun, before, end=end))}

    return complete


def _listed(names: Callable[[argparse.Namespace], Mapping[str, str]]) -> Completer:
    """Return a completer of names with commas between them."""

    def complete(begun: str, before: argparse.Namespace) -> dict[str, str]:
        head, comma, _ = begun.rpartition(",")
        given = head.split(",")
        return {head + comma + name: about for name, about in names(before).items() if name not in given}

    return complete


def _words(*words: str) -> dict[str, str]:
    return dict.fromkeys(words, "")


@cache
def _entries() -> dict[str, dict[str, Any]]:
    return {entry["name"]: entry for entry in json.loads(_core.controllers())}


def _controllers() -> dict[str, str]:
    return {name: entry["summary"] for name, entry in _entries().items()}


def _of_linux() -> dict[str, str]:
    """Return the controllers of Linux that have a twin."""
    from bentpipe.validation._linux import TWINS  # imported here, because it imports numpy

    return {name: f"here {twin.name}" for name, twin in TWINS.items()}


def _choices(begun: str, _: argparse.Namespace) -> dict[str, str]:
    """Return controllers, with commas between them, and inside braces the parameters of the controller."""
    # A comma inside braces separates parameters.
    start = max((at + 1 for at, sign in enumerate(begun) if sign == "," and _outside(begun[:at])), default=0)
    head, last = begun[:start], begun[start:]
    name, brace, inside = last.partition("{")
    if brace:
        entry = _entries().get(name, {"parameters": []})
        given = head + name + brace + inside[: inside.rfind(",") + 1]
        return {f"{given}{one['name']}=": f"{one['why']} ({one['bounds']})" for one in entry["parameters"]}
    every = {} if head else {"all": "every controller"}
    return {head + one: about for one, about in {**_controllers(), **every}.items()}


def _outside(text: str) -> bool:
    """Return whether the end of a text is outside braces."""
    return text.count("{") == text.count("}")


def _slow_starts(_: argparse.Namespace) -> dict[str, str]:
    bounds = next(one["bounds"] for one in _entries()["cubic"]["parameters"] if one["name"] == "slow_start")
    return _words(*re.findall(r'"([^"]+)"', bounds), "own", "all")


def _presets() -> dict[str, str]:
    return {entry["name"]: entry["about"] for entry in json.loads(_core.network_presets())}


def _constellations() -> dict[str, str]:
    return {entry["name"]: entry["description"] for entry in json.loads(_core.constellations())}


@cache
def _models() -> dict[str, dict[str, Any]]:
    return {entry["name"]: entry for entry in json.loads(_core.models())}


def _parameters(_: str, before: argparse.Namespace) -> dict[str, str]:
    """Return the parameters of the chosen model."""
    entry = _models().get(before.name, {"parameters": []})
    return {f"{one['name']}=": f"{one['about']} ({one['bounds']})" for one in entry["parameters"]}


def _cities() -> dict[str, str]:
    return _words(*sites()["name"])


def _pair(begun: str, _: argparse.Namespace) -> dict[str, str]:
    """Return pairs of cities, with a colon between the two cities."""
    origin, colon, _rest = begun.partition(":")
    return {f"{origin}:{city}" if colon else f"{city}:": "" for city in _cities()}


def _numbers() -> dict[str, str]:
    return {name: BY_KEY[name].heading if name in BY_KEY else "" for name in numbers()}


def _aims() -> dict[str, str]:
    return _words(*AIMS)


def _criteria() -> dict[str, str]:
    from bentpipe._evaluate.criteria import CRITERIA

    return {one.name: one.what for one in CRITERIA}


def _studies() -> dict[str, str]:
    from bentpipe.study import studies

    return {**{one.name: one.title for one in studies()}, "all": "every installed study"}


def _rows(_: str, before: argparse.Namespace) -> dict[str, str]:
    """Return the rows of the chosen study."""
    from bentpipe.study import studies

    name = before.study
    return {row.id: row.what for one in studies() if name in (one.name, "all") for row in one.rows}


def _flows(before: argparse.Namespace) -> dict[str, str]:
    """Return the names of the flows of the scenario."""
    files = getattr(before, "files", None) or [getattr(before, "file", None) or before.source]
    try:
        document = tomllib.loads(Path(files[0]).expanduser().read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return {flow["name"]: "" for flow in document.get("flows", ()) if "name" in flow}


def assignment(begun: str, before: object) -> dict[str, str]:
    """Return keys of the scenario or, after the equals sign, the values of the key if they have names."""
    key, equals, _ = begun.partition("=")
    if equals:
        return {f"{key}={value}": about for value, about in _values_at(key).items()}
    path, dot, _ = key.rpartition(".")
    found = {}
    for name, child in keys_of(part_at(path)).items():
        about = next((part["description"] for part in forms(child) if "description" in part), "")
        is_table = bool(keys_of(child))
        if is_table:
            found[f"{path}{dot}{name}."] = about
        if not is_table or any(
            {"string", "number", "integer", "boolean"}.intersection(_types(p)) for p in forms(child)
        ):
            found[f"{path}{dot}{name}="] = about
    fitting = [name for name in found if name.startswith(begun)]
    # A shell would write a space after the only possible word.
    return assignment(fitting[0], before) if len(fitting) == 1 and fitting[0].endswith(".") else found


def _types(part: dict[str, Any]) -> list[str]:
    types = part.get("type", ())
    return [types] if isinstance(types, str) else list(types)


def _values_at(key: str) -> dict[str, str]:
    if key == "network.preset":
        return _presets()
    if key.rpartition(".")[2] == "controller":
        return _controllers()
    parts = list(forms(part_at(key)))
    named = [value for part in parts for value in part.get("enum", ()) if isinstance(value, str)]
    return _words(*named, *(("true", "false") if any("boolean" in _types(part) for part in parts) else ()))


#: Completers of values, by the name of the option or argument in the code, or by command and name.
_VALUES: dict[str, Completer] = {
    "agree controllers": _listed(lambda _: _of_linux()),
    "agree load": _listed(lambda _: _controllers()),
    "agree platforms": _listed(lambda _: _words("sim", "emulator")),
    "aim": _listed(lambda _: _aims()),
    "constellation": _named(_constellations, end=""),
    "constellations name": _named(_constellations, end=""),
    "controller": _named(_controllers),
    "controllers": _choices,
    "controllers name": _named(_controllers),
    "criterion": _named(_criteria),
    "destination": _named(_cities),
    "flow": lambda _, before: _flows(before),
    "flows": _listed(_flows),
    "model name": _named(lambda: {name: entry["about"] for name, entry in _models().items()}),
    "model set": _parameters,
    "of": _listed(lambda _: _numbers()),
    "origin": _named(_cities),
    "over": assignment,
    "pair": _pair,
    "pcap": lambda _, before: _flows(before),
    "plugin": partial(_paths, end=".py"),
    "presets name": _named(_presets),
    "quic qlog": partial(_paths, end="/"),
    "qlog": lambda _, before: _flows(before),
    "rows": _rows,
    "sensitivity of": _named(_numbers),
    "set": assignment,
    "site": _named(_cities),
    "sites": _named(lambda: {"top": "the largest cities", **_cities()}),
    "slow_starts": _listed(_slow_starts),
    "transport": _listed(lambda _: _words(*TRANSPORTS)),
    "study": _named(_studies, end=".py"),
    "validate words": _named(lambda: {**_words("theory", "bbr3", "linux", "ns2"), **_controllers()}),
}
