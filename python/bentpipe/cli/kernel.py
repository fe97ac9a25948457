# SPDX-License-Identifier: MIT OR Apache-2.0
"""Load congestion controllers of Bentpipe into the running Linux kernel, trace connections, and write hints.

A controller stays in the kernel while the command that loaded it runs. The kernel removes it even if the command is
killed. Loading changes no default: only connections that ask for the controller use it, as iperf3 -C does. All
subcommands except list need root.

  sudo bentpipe kernel load hybic -- iperf3 -C hybic -c server
"""

from __future__ import annotations

import contextlib
import json
import os
import pwd
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

import tomli_w

from bentpipe import _core
from bentpipe.base import arguments
from bentpipe.cli import options
from bentpipe.cli.console import note, plural, say, say_json, table
from bentpipe.cli.emulate import begun, environment_of, user_of
from bentpipe.results.notes import finding_lines
from bentpipe.results.summaries import given
from bentpipe.runs import kernel
from bentpipe.runs.hints import changes_of
from bentpipe.runs.run import load
from bentpipe.scenario import catalogue
from bentpipe.show.totals import flow_rows, total_lines

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from bentpipe.runs.run import Run

_SHOWN = 40
_LOOK_S = 0.1
#: Time from an interrupt until a program gets SIGTERM, in seconds.
_GRACE_S = 2.0


def add(parser: options.Parser) -> None:
    """Add the subcommands."""
    actions = parser.add_subparsers(
        dest="what", metavar="list|load|unload|trace|hints", required=True, parser_class=type(parser)
    )
    shown = actions.add_parser("list", help="list the controllers, and what this machine lacks")
    shown.description = "List the controllers, their names in the kernel, and whether they are loaded."
    shown.add_argument("name", nargs="?", metavar="NAME", help="describe the parameters of this controller")
    options.json(shown, "the list")
    loads = actions.add_parser("load", help="load a controller while a program runs, or until Ctrl-C")
    loads.description = (
        "Load a controller, and run the program after --. The exit code is that of the program. Without a program, the "
        "controller stays until Ctrl-C."
    )
    loads.add_argument("name", metavar="NAME|FILE", help="controller, or an object file of your own (.o)")
    _parameters(loads)
    _program(loads)
    unload = actions.add_parser("unload", help="remove a controller that another command has loaded")
    unload.description = "End the command that holds a controller. Existing connections keep the controller."
    unload.add_argument("name", metavar="NAME", help="controller")
    trace = actions.add_parser("trace", help="run a program, and trace the connections that use a controller")
    trace.description = (
        "Run the program after --. Until the program ends, trace every connection of this machine that uses the "
        "controller. The result is a run folder. If the controller is not in the kernel, the command loads it until "
        "the program ends."
    )
    trace.add_argument("name", metavar="NAME", help="controller of Bentpipe or of the kernel")
    _parameters(trace)
    _program(trace)
    options.out(trace, "run folder to write")
    trace.add_argument(
        "--interval",
        type=options.time_span,
        default="100 ms",
        metavar="TIME",
        help='interval of the rows (default "100 ms")',
    )
    options.json(trace, "the summary")
    options.force(trace)
    hints = actions.add_parser("hints", help="tell loaded controllers the path changes of a scenario in advance")
    hints.description = (
        "Compute the path of a flow of a scenario. While the clock of the scenario runs, write the round trip and the "
        "path changes into the loaded controllers. network.announce is the time from a hint to the change."
    )
    options.scenario(hints)
    hints.add_argument("--flow", metavar="NAME", help="flow whose path is announced (default: the first flow)")
    options.duration(hints)
    hints.add_argument(
        "--emulation",
        type=options.whole(),
        metavar="PID",
        help="use the clock of this emulation (bentpipe emulate --list; default: the clock starts now)",
    )
    options.json(hints, "every hint, one per line")


def _parameters(parser: options.Parser) -> None:
    parser.add_argument(
        "--set", action="append", default=[], metavar="KEY=VALUE", help="value of a parameter: beta=0.8 (repeatable)"
    )


def _program(parser: options.Parser) -> None:
    parser.set_defaults(program=[])
    parser.usage = f"{parser.prog} [OPTIONS] NAME [-- PROGRAM ...]"
    parser.add_argument(
        "--user", metavar="NAME", help="user that runs the program (default with sudo: the user who called sudo)"
    )


def run(chosen: options.Chosen) -> int:
    """Run the subcommand."""
    subcommands = {"list": _list, "load": _load, "unload": _unload, "trace": _trace, "hints": _hints}
    return subcommands[chosen.what](chosen)


def _list(chosen: options.Chosen) -> int:
    built = {} if kernel.program() is None else dict(kernel.built_in())
    # The catalogue's names have hyphens.
    names = {kernel.kernel_name(entry["name"]): entry["name"] for entry in catalogue.controllers()}
    if chosen.name is not None:
        return _describe(chosen, built)
    available, holders, lacking = kernel.available(), kernel.holders(), kernel.lacking()
    rows = [
        {
            "name": names.get(name, name),
            "kernel_name": name,
            "is_built": name in built,
            "is_loaded": name in available,
            "holder": holders[name].pid if name in holders else None,
        }
        for name in dict.fromkeys([*built, *available])
    ]
    if chosen.json:
        say_json({"controllers": rows, "lacking": lacking})
    table(
        ["controller", "name in the kernel", "state"],
        [[str(row["name"]), str(row["kernel_name"]), _state(row)] for row in rows],
    )
    for line in lacking:
        say(f"lacking: {line}")
    return 0


def _state(row: Mapping[str, object]) -> str:
    if row["holder"] is not None:
        return f"loaded by process {row['holder']}"
    if row["is_loaded"]:
        return "loaded by another program" if row["is_built"] else "part of the kernel"
    return "not loaded"


def _describe(chosen: options.Chosen, built: dict[str, list[dict[str, str]]]) -> int:
    name = kernel.kernel_name(chosen.name)
    if name not in built:
        raise arguments.known("controller for the kernel", chosen.name, built)
    if chosen.json:
        say_json({"kernel_name": name, "parameters": built[name]})
    table(["parameter", "default", "bounds"], [[one["name"], one["default"], one["bounds"]] for one in built[name]])
    return 0


def _load(chosen: options.Chosen) -> int:
    user = user_of(chosen.user)
    helper, name = kernel.load(chosen.name, chosen.set)
    with helper:
        note(f"{name} is loaded; no default is changed")
        if chosen.program:
            return _run(chosen.program, user)
        note(f"{name} stays loaded until Ctrl-C")
        with contextlib.suppress(KeyboardInterrupt):
            while not helper.has_ended:
                time.sleep(_LOOK_S)
    return 0


def _unload(chosen: options.Chosen) -> int:
    holder = kernel.unload(chosen.name)
    say(f"{kernel.kernel_name(chosen.name)} is removed; {holder} held it")
    return 0


def _run(words: Sequence[str], user: tuple[int, int] | None) -> int:
    """Run a program, and return its exit code. The program handles Ctrl-C."""
    groups = None
    environment = dict(os.environ)
    if user is not None:
        environment |= environment_of(user[0])
        with contextlib.suppress(KeyError):  # a number without an account
            groups = os.getgrouplist(pwd.getpwuid(user[0]).pw_name, user[1])
    try:
        process = subprocess.Popen(  # noqa: S603 - the program of the user
            words,
            env=environment,
            user=None if user is None else user[0],
            group=None if user is None else user[1],
            extra_groups=groups,
        )
    except OSError as problem:
        raise arguments.refuse(f'"{words[0]}" cannot be started: {problem.strerror}') from None
    with process:
        try:
            status = process.wait()
        except KeyboardInterrupt:
            try:
                status = process.wait(_GRACE_S)
            except subprocess.TimeoutExpired:
                process.terminate()
                status = process.wait()
    return status if status >= 0 else 128 - status


def _trace(chosen: options.Chosen) -> int:
    kernel.require()
    if not chosen.program:
        raise arguments.refuse(f"no program is given (write bentpipe kernel trace {chosen.name} -- PROGRAM ...)")
    user = user_of(chosen.user)
    name = kernel.kernel_name(chosen.name)
    with contextlib.ExitStack() as stack:
        if name not in kernel.available() or chosen.set:
            helper, name = kernel.load(chosen.name, chosen.set)
            stack.enter_context(helper)
            note(f"{name} is loaded; no default is changed")
        place = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        if user is not None:
            os.chown(place, *user)
        (place / "scenario.toml").write_text(_scenario(name))
        (place / "scenario.toml").chmod(0o644)
        out = Path(chosen.out or place / "run").absolute()
        words = ["--scenario", str(place / "scenario.toml"), "--interval", str(_core.nanos(chosen.interval))]
        words += ["--out", str(out), *(["--force"] if chosen.force else [])]
        words += [] if user is None else ["--user", f"{user[0]}:{user[1]}"]
        with kernel.Helper("trace", name, *words) as tracer:
            tracer.answer()
            status = _run(chosen.program, user)
            tracer.finish()
        _tell(load(out), chosen)
        if chosen.out is not None:
            note(f"run folder: {chosen.out}")
    return status


def _scenario(name: str) -> str:
    """Return the document of a trace. The network between the hosts is unknown."""
    return tomli_w.dumps({"name": f"{name} in the kernel", "network": {"unknown": {}}})


def _tell(made: Run, chosen: options.Chosen) -> None:
    facts = given(made.provenance.get("kernel"))
    if chosen.json:
        say_json(made.summary)
    for warning in made.warnings:
        note(f"warning: {warning}")
    for line in finding_lines([made]):
        note(f"finding: {line}")
    head, rows = flow_rows(made, _SHOWN)
    if rows:
        table(head, rows, title=f"{made.name} ({facts['kernel']})")
    else:
        note(
            f"no connection used {facts['controller']} (iperf3 -C {facts['controller']}, or the socket option "
            "TCP_CONGESTION)"
        )
    for line in total_lines(made):
        say(line)
    say(f"{plural(facts['reports'], 'report')} of the kernel, {facts['missed_reports']} missed")


def _hints(chosen: options.Chosen) -> int:
    kernel.require()
    zero_ns = time.monotonic_ns() if chosen.emulation is None else begun(chosen.emulation)
    note("computing the path")
    changes = changes_of(options.scenario_of(chosen.file, chosen), flow=chosen.flow, duration=chosen.duration)
    if chosen.emulation is None:
        zero_ns = time.monotonic_ns()
    note(f"the clock of the scenario runs; {plural(len(changes), 'hint')} until the end of the scenario")
    with kernel.Helper("hints") as helper:
        for change in changes:
            # A hint of the past still tells the round trip.
            with contextlib.suppress(ValueError):
                time.sleep((zero_ns + change.time_ns - time.monotonic_ns()) / 1e9)
            hint = change.on_clock(zero_ns)
            helper.tell(hint)
            count = helper.answer()["maps"]
            if chosen.json:
                sys.stdout.write(f"{json.dumps({'time_s': change.time_ns / 1e9, **hint, 'controllers': count})}\n")
            else:
                say(f"{change}; {count} controllers")
    return 0
