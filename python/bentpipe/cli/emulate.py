# SPDX-License-Identifier: MIT OR Apache-2.0
"""Run real programs over a scenario, in real time.

Each site of the scenario's flows becomes a network namespace with an address and a name. The program after -- (by
default a shell) runs at one site, helpers run at others, and their packets cross the links of the scenario. The exit
code is that of the program. At the end everything is removed.

  bentpipe emulate scenarios/starlink-good.toml --with 'server=python3 -m http.server 8000' -- curl -O http://server:8000/file
"""

from __future__ import annotations

import contextlib
import os
import pwd
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

from bentpipe._start import EXIT_INTERRUPTED
from bentpipe.base import arguments
from bentpipe.cli import options, tables
from bentpipe.cli.console import note, say, say_json, table
from bentpipe.results.notes import finding_lines
from bentpipe.results.summaries import given
from bentpipe.runs.emulate import Emulation, Interrupts, Program
from bentpipe.show.totals import flow_rows, total_lines
from bentpipe.show.viewer import show
from bentpipe.show.viewer.server import Live

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bentpipe.runs.run import Run

#: Beginning of the name of an abstract socket (unix(7)), which exists as long as the process of an emulation.
_MARK = "bentpipe-emulate-"
#: Beginning of the name of a second socket, which has the time at which the clock of an emulation started.
_CLOCK = "bentpipe-clock-"
_LOOK_S = 0.02
#: Longest duration of --continue. No path over a preset network of satellites lasts longer.
_LONGEST = "24 h"
_SHOWN = 40
#: The largest process ID of Linux (proc(5), /proc/sys/kernel/pid_max).
_MOST_PID = 1 << 22


def add(parser: options.Parser) -> None:
    """Add the options."""
    options.scenario(parser, nargs="?")
    parser.set_defaults(program=[])
    parser.usage = "bentpipe emulate [OPTIONS] FILE [-- PROGRAM ...]"
    parser.add_argument(
        "--at",
        metavar="SITE",
        help="site of the program (default: the receiver of the first flow; if this site has a helper, the first site "
        "without a helper)",
    )
    parser.add_argument(
        "--with",
        dest="helpers",
        action="append",
        default=[],
        metavar="SITE=COMMAND",
        help="start a helper program at a site, and wait until the helper has opened a port (repeatable)",
    )
    parser.add_argument(
        "--flows",
        action="store_true",
        help="also simulate the flows of the scenario; they share the links with the program",
    )
    parser.add_argument(
        "--pcap", action="store_true", help="capture the packets at both ends, into the folder captures of --out"
    )
    parser.add_argument(
        "--user", metavar="NAME", help="user that runs the programs (default with sudo: the user who called sudo)"
    )
    options.out(parser, "run folder to write")
    options.json(parser, "the summary, after the standard output of the program,")
    options.seed(parser)
    options.duration(parser)
    parser.add_argument(
        "--continue",
        dest="goes_on",
        action="store_true",
        help=f"let packets pass until the program ends, even if the scenario ends earlier (at most {_LONGEST})",
    )
    options.force(parser)
    parser.add_argument(
        "--view",
        action="store_true",
        help="serve the view of the run on this machine, from the start of the run until Ctrl-C",
    )
    parser.add_argument("--list", action="store_true", help="list the emulations that run on this machine")
    parser.add_argument(
        "--stop", type=options.whole(1, _MOST_PID), metavar="PID", help="end the emulation of this process"
    )


def run(chosen: options.Chosen) -> int:
    """Emulate; the exit code is that of the command."""
    if chosen.list:
        return _list()
    if chosen.stop is not None:
        return _stop(chosen.stop)
    if chosen.file is None:
        raise arguments.refuse("no scenario is given (write bentpipe emulate FILE.toml -- COMMAND)")
    if chosen.goes_on and chosen.duration is not None:
        raise arguments.refuse("--continue and --duration exclude each other (leave out one of them)")
    become_root()
    helpers = [_helper(text) for text in chosen.helpers]
    words = chosen.program or [os.environ.get("SHELL", "/bin/sh")]
    user = user_of(chosen.user)
    # Loads what the last lines of the output need: the user of the programs may not be able to read the installation.
    tables.draw(["number"], [["0"]], "")
    if chosen.view:
        show.load()
    home = {} if user is None else environment_of(user[0])
    file = options.scenario_of(chosen.file, chosen)
    emulation = Emulation(
        file,
        seed=chosen.seed,
        duration=_LONGEST if chosen.goes_on else chosen.duration,
        out=chosen.out,
        flows=chosen.flows,
        pcap=chosen.pcap,
        force=chosen.force,
        live=chosen.view,
        user=user,
    )
    with contextlib.ExitStack() as served:
        made, status = _run(emulation, helpers, words, home, chosen, served)
        _tell(made, chosen)
        if chosen.view:
            note("the view shows the finished run until Ctrl-C")
            with contextlib.suppress(KeyboardInterrupt):
                signal.pause()
    return status if status >= 0 else 128 - status


def _run(
    emulation: Emulation,
    helpers: Sequence[tuple[str, list[str]]],
    words: Sequence[str],
    home: dict[str, str],
    chosen: options.Chosen,
    served: contextlib.ExitStack,
) -> tuple[Run, int]:
    """Run the programs.

    Return the run and the exit status of the program. A view is served until the end of `served`.
    """
    with emulation, _marked(f"{_MARK}{os.getpid()}"), contextlib.ExitStack() as clock:
        at = chosen.at or _free(emulation, [place for place, _ in helpers])
        emulation.site(at)
        for site in emulation.sites:
            note(f"site {site.name}: {site.ipv4}, {site.ipv6}")
        for place, helper in helpers:
            emulation.await_port(emulation.start(place, helper, environment=home, is_helper=True))
        emulation.begin()
        clock.enter_context(_marked(f"{_CLOCK}{os.getpid()}-{time.monotonic_ns()}"))
        live = Live(emulation.so_far)
        if chosen.view:
            note(f"view: {served.enter_context(show.background(live))}")
        try:
            status = _wait(emulation, emulation.start(at, words, environment=home), is_shell=not chosen.program)
        except KeyboardInterrupt:  # SIGTERM, which --stop sends
            status = EXIT_INTERRUPTED
        made = emulation.finish()
        live.finish(made)
    return made, status


def _free(emulation: Emulation, taken: Sequence[str]) -> str:
    """Return the first site without a helper; the first site if every site has a helper."""
    numbers = {emulation.site(name) for name in taken}
    free = (site.name for number, site in enumerate(emulation.sites) if number not in numbers)
    return next(free, emulation.sites[0].name)


def _wait(emulation: Emulation, program: Program, *, is_shell: bool) -> int:
    """Wait for the program, and return its exit status. A shell handles Ctrl-C itself."""
    is_told = False
    with Interrupts(program) as interrupts:
        while (status := program.poll()) is None:
            if not is_shell:
                interrupts.look()
            if emulation.has_ended and not is_told:
                is_told = True
                note(
                    "the scenario is over: no packets pass any more (with --continue, packets pass until the program "
                    "ends)"
                )
            time.sleep(_LOOK_S)
    return status


def _tell(made: Run, chosen: options.Chosen) -> None:
    """Print the results."""
    if chosen.json:
        say_json(made.summary)
    for warning in made.warnings:
        note(f"warning: {warning}")
    for line in finding_lines([made]):
        note(f"finding: {line}")
    facts = given(made.provenance.get("emulator"))
    head, rows = flow_rows(made, _SHOWN)
    if rows:
        table(head, rows, title=f"{made.name} (emulated)")
    for line in total_lines(made):
        say(line)
    say(
        f"lateness of {facts['packets']} packets: median {facts['lateness_p50_us']:.1f} us, 99 % within "
        f"{facts['lateness_p99_us']:.1f} us, {facts['late_packets']} later than 1 ms ({facts['scheduling']} scheduling)"
    )
    if made.folder is not None:
        note(f"run folder: {made.folder}")


def _helper(text: str) -> tuple[str, list[str]]:
    site, equals, command = text.partition("=")
    words = shlex.split(command)
    if not equals or not words:
        raise arguments.refuse(
            f"--with \"{text}\": write SITE=COMMAND, for example 'server=python3 -m http.server 8000'"
        )
    return site, words


def become_root() -> None:
    """If this process is not root, start it again in a user namespace in which it is root."""
    if os.geteuid() == 0:
        return
    unshare = shutil.which("unshare")
    if unshare is None or not os.access("/dev/net/tun", os.W_OK):
        raise arguments.refuse(
            "an emulation needs root, or a user namespace in which /dev/net/tun can be opened (use sudo, or allow "
            "everybody to write /dev/net/tun)"
        )
    as_root = [unshare, "--user", "--map-root-user"]
    tried = subprocess.run([*as_root, "true"], capture_output=True, check=False)  # noqa: S603 - no text from outside
    if tried.returncode != 0:
        raise arguments.refuse(
            "an emulation needs root, and the kernel refuses a user namespace instead (use sudo, or allow user "
            "namespaces: sysctl kernel.apparmor_restrict_unprivileged_userns=0 on Ubuntu, "
            "kernel.unprivileged_userns_clone=1 on Debian)"
        )
    os.execv(unshare, [*as_root, sys.executable, "-m", "bentpipe", *sys.argv[1:]])  # noqa: S606 - the same command again


def user_of(name: str | None) -> tuple[int, int] | None:
    """Return the user and the group of the programs; None for the user of this process."""
    if name is None:
        caller = os.environ.get("SUDO_UID"), os.environ.get("SUDO_GID")
        return (int(caller[0]), int(caller[1])) if caller[0] and caller[1] else None
    try:
        found = pwd.getpwnam(name)
    except KeyError:
        raise arguments.refuse(f'--user "{name}": this machine has no such user') from None
    return found.pw_uid, found.pw_gid


def environment_of(user: int) -> dict[str, str]:
    """Return the variables of programs that belong to this user."""
    try:
        found = pwd.getpwuid(user)
    except KeyError:  # a number without an account
        return {}
    return {"HOME": found.pw_dir, "USER": found.pw_name, "LOGNAME": found.pw_name}


@contextlib.contextmanager
def _marked(name: str) -> Iterator[None]:
    """Let other processes find this process by a name.

    The name exists until the end of the context or of the process.
    """
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as mark:
        mark.bind(f"\0{name}")
        yield


def _marks(beginning: str) -> set[str]:
    """Return the last parts of all names that `_marked` has given and that begin with `beginning`."""
    sockets = Path("/proc/net/unix").read_text().splitlines()
    return {line.rpartition(f"@{beginning}")[2] for line in sockets if f"@{beginning}" in line}


def _running() -> list[int]:
    return sorted(int(mark) for mark in _marks(_MARK))


def begun(pid: int) -> int:
    """Return the time on the monotonic clock, in nanoseconds, at which the clock of an emulation started.

    Raises:
        ArgumentError: If no emulation has this process ID, or its clock has not started.
    """
    for mark in _marks(_CLOCK):
        owner, _, start = mark.partition("-")
        if int(owner) == pid:
            return int(start)
    raise arguments.refuse(
        f"--emulation {pid}: no emulation with this process ID runs (bentpipe emulate --list shows them)"
    )


def _list() -> int:
    rows = []
    for pid in _running():
        with contextlib.suppress(OSError):
            words = (Path("/proc") / str(pid) / "cmdline").read_bytes().decode(errors="replace").split("\0")
            rows.append([str(pid), " ".join(words).strip()])
    if not rows:
        say("no emulation runs on this machine")
        return 0
    table(["PID", "command"], rows)
    return 0


def _stop(pid: int) -> int:
    if pid not in _running():
        raise arguments.refuse(
            f"--stop {pid}: no emulation has this process ID (bentpipe emulate --list shows the process IDs)"
        )
    os.kill(pid, signal.SIGTERM)
    return 0
