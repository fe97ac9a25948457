# SPDX-License-Identifier: MIT OR Apache-2.0
"""Completion in the shells, the offered words, and man pages."""

from __future__ import annotations

import os
import pty
import re
import select
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from argcomplete.finders import CompletionFinder

import needs
from bentpipe.cli import completers
from bentpipe.cli.commands import COMMANDS, commands_of, parser, subcommands_of
from bentpipe.cli.completers import completer_of
from project import SMALL, Command
from waiting import HANG_S

#: Characters at which bash splits words.
BREAKS = " \t\n\"'><=;|&(:"
#: Placeholders of values that are free text.
FREE = {
    "N",
    "TIME",
    "NAME",
    "LINK",
    "QUERY",
    "ADDRESS",
    "LIST",
    "PERCENT",
    "TEXT",
    "ANGLE",
    "RATE",
    "WxH",
    "SETTINGS",
    "URL",
    "SITE",
    "SITE=COMMAND",
    "PID",
}


@pytest.fixture
def offered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., list[str]]:
    """Return a function for the words offered at the end of a line, in a folder with scenario, plugin, note and run."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "small.toml").write_text(SMALL.replace("{ controller", '{ name = "page", controller'))
    for name in ("own.py", "note.txt"):
        (tmp_path / name).touch()
    (tmp_path / "run-1").mkdir()
    # This method would use file descriptor 9, which another part of this process uses.
    monkeypatch.setattr(CompletionFinder, "_init_debug_stream", lambda _: None)

    def ask(line: str, shell: str = "fish") -> list[str]:
        answer = tmp_path / ".answer"
        variables = {
            "_ARGCOMPLETE": "1",
            "_ARGCOMPLETE_SHELL": shell,
            "_ARGCOMPLETE_IFS": "\n",
            "_ARGCOMPLETE_COMP_WORDBREAKS": BREAKS if shell == "bash" else "",
            "_ARGCOMPLETE_SUPPRESS_SPACE": "1",
            "COMP_LINE": line,
            "COMP_POINT": str(len(line)),
        }
        for name, value in variables.items():
            monkeypatch.setenv(name, value)
        with answer.open("w") as stream, pytest.raises(SystemExit) as left:
            completers.answer(parser(), output_stream=stream, exit_method=sys.exit)
        assert left.value.code == 0
        return answer.read_text().split("\n")

    return ask


@pytest.mark.parametrize(
    ("line", "some"),
    [
        ("bentpipe comp", "compare completion"),
        ("bentpipe compare small.toml --con", "--controllers"),
        ("bentpipe compare --controllers cubic,hybla-i", "cubic,hybla-im cubic,hybla-im-literal"),
        ("bentpipe compare --controllers cubic{beta=0.8,c=0.4},hybla-l", "cubic{beta=0.8,c=0.4},hybla-linux"),
        ("bentpipe compare --controllers reno,cubic{beta=0.8,slow", "reno,cubic{beta=0.8,slow_start="),
        ("bentpipe compare --controllers al", "all"),
        ("bentpipe compare --controllers=reno,westwood-p", "--controllers=reno,westwood-plus"),
        ("bentpipe compare small.toml --for page", "page-load"),
        ("bentpipe which small.toml --for friend", "friendliness"),
        ("bentpipe which small.toml --slow-starts classic,hys", "classic,hystart++ classic,hystart"),
        ("bentpipe compare small.toml --flows p", "page"),
        ("bentpipe run small.toml --pcap ", "page"),
        ("bentpipe presets geo", "geo-ka-residential"),
        ("bentpipe sweep x.toml --of goodp", "goodput_mbit_s"),
        ("bentpipe sensitivity run-1 --of loss_p", "loss_percent"),
        ("bentpipe constellations iri", "iridium iridium-next"),
        ("bentpipe constellations sma", "small.toml"),
        ("bentpipe passes London --constellation tele", "telesat"),
        ("bentpipe passes lond", "London Londrina"),
        ("bentpipe path London Berk", "Berkeley"),
        ("bentpipe path --pair Berkeley:Bost", "Berkeley:Boston"),
        ("bentpipe path --pair Bost", "Boston:"),
        ("bentpipe bottlenecks small.toml --sites Tokyo Del", "Delhi"),
        ("bentpipe controllers hybla-l", "hybla-linux"),
        ("bentpipe evaluate hybla-l", "hybla-linux"),
        ("bentpipe evaluate cubic --criterion bufferb", "bufferbloat"),
        ("bentpipe model hybla-w", "hybla-window"),
        ("bentpipe model hybla-window --set rtt0", "rtt0_ms="),
        ("bentpipe reproduce hyb", "hybla-im hybic"),
        ("bentpipe reproduce ow", "own.py"),
        ("bentpipe reproduce hybic Y-01 Y-0", "Y-09"),
        ("bentpipe validate linu", "linux"),
        ("bentpipe run sm", "small.toml"),
        ("bentpipe run ./r", "./run-1/"),
        ("bentpipe run small.toml --plugin o", "own.py"),
        ("bentpipe run small.toml --out r", "run-1/"),
        ("bentpipe path --pairs no", "note.txt"),
        ("bentpipe export small.toml --format net", "netem"),
        ("bentpipe completion f", "fish"),
        ("bentpipe league ", "--controllers"),
        ("cd run-1 && bentpipe presets onew", "oneweb"),
        ("/usr/bin/bentpipe presets onew", "oneweb"),
    ],
)
def test_offered(offered: Callable[..., list[str]], line: str, some: str) -> None:
    found = offered(line)
    assert set(some.split()) <= set(found), found
    assert len(found) < 30


@pytest.mark.parametrize(
    ("line", "absent"),
    [
        ("bentpipe run ", "note.txt"),  # not a scenario
        ("bentpipe run small.toml --out ", "small.toml"),
        ("bentpipe run ", "--out"),  # options only after a minus sign
        ("bentpipe which small.toml --slow-starts classic,", "classic,classic"),
        ("bentpipe compare --controllers cubic,", "cubic,all"),
        ("bentpipe run small.toml --seed ", "small.toml"),
    ],
)
def test_not_offered(offered: Callable[..., list[str]], line: str, absent: str) -> None:
    assert absent not in offered(line)


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("flows.contr", ["flows.controller.", "flows.controller="]),
        ("flows[0].sta", ["flows[0].start="]),
        ("flows.down.sta", ["flows.down.start="]),
        ("network.pre", ["network.preset="]),
        ("network.preset=onew", ["network.preset=oneweb"]),
        ("flows.controller=hybla-l", ["flows.controller=hybla-linux"]),
        ("tcp.preset=lin", ["tcp.preset=linux"]),
        ("tcp.ecn=", ["tcp.ecn=true", "tcp.ecn=false"]),
        ("network.dumbbell.queue.disc", ["network.dumbbell.queue.discipline="]),
        ("network.nothing.here", []),
    ],
)
def test_keys_and_values_of_scenarios(line: str, found: list[str]) -> None:
    """Test the completer of `--set KEY=VALUE` for commands that run scenarios."""
    words = [word for word in completers.assignment(line, None) if word.startswith(line)]
    assert set(found) <= set(words)
    assert bool(found) == bool(words)


def test_the_only_table_is_opened() -> None:
    words = list(completers.assignment("network.dumbb", None))
    assert "network.dumbbell.rate=" in words
    assert all(word.startswith("network.dumbbell.") for word in words)


def test_bash_gets_the_part_after_its_word_break(offered: Callable[..., list[str]]) -> None:
    assert offered("bentpipe path --pair London:Berk", "bash") == ["Berkeley"]
    assert offered("bentpipe compare --controllers cubic{beta=0.8},hybla-l", "bash") == [r"0.8\},hybla-linux"]
    assert r"New\ York" in offered("bentpipe passes New", "bash")


def test_every_value_is_completed_or_free_text() -> None:
    for name, command in commands_of(parser(whole=True)).items():
        parts = [command, *subcommands_of(command).values()]
        for action in (action for part in parts for action in part._actions):
            if action.nargs != 0 and completer_of(name, action) is None:
                assert action.metavar in FREE or action.dest == "what", f"{name}: {action.dest}"


def test_a_check_of_a_value_does_not_run(offered: Callable[..., list[str]]) -> None:
    """While a line is completed, the folder of --out is not checked, and a wrong value has no effect."""
    assert offered("bentpipe compare small.toml --seeds x --out small.toml/new --contr") == ["--controllers"]


def code_of(shell: str) -> str:
    bentpipe = Path(sys.executable).with_name("bentpipe")
    return subprocess.run([bentpipe, "completion", shell], check=True, capture_output=True, text=True).stdout


def surroundings(home: Path, **more: str) -> dict[str, str]:
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    return {**os.environ, "PATH": path, "HOME": str(home), "TERM": "dumb", "PS1": "$ ", **more}


def typed(shell: list[str], set_up: str, line: str, home: Path) -> str:
    """Return the command line that a shell has after Tab. An `echo` in front of the line prints it."""
    process, terminal = pty.fork()
    if process == 0:
        os.chdir(home)
        os.execvpe(shell[0], shell, surroundings(home))  # noqa: S606 - the shell itself
    shown = ""

    def wait(pattern: str) -> str:
        nonlocal shown
        end = time.monotonic() + HANG_S
        while not (found := re.search(pattern, shown)):
            assert time.monotonic() < end, shown
            if select.select([terminal], [], [], 1.0)[0]:
                shown += os.read(terminal, 4096).decode(errors="replace")
        return found[1]

    try:
        os.write(terminal, f"{set_up}; echo re''ady\n".encode())
        wait(r"[\r\n](ready)[\r\n]")
        os.write(terminal, f"{line}\t\x01echo done: \r".encode())
        return wait(r"[\r\n]done: ([^\r\n]*)[\r\n]").strip()
    finally:
        os.kill(process, 9)
        os.waitpid(process, 0)
        os.close(terminal)


LINES = {
    "bentpipe pres": "bentpipe presets",
    "bentpipe compare x.toml --controllers cubic,hybla-l": "bentpipe compare x.toml --controllers cubic,hybla-linux",
    "bentpipe path --pair London:Berk": "bentpipe path --pair London:Berkeley",
    "bentpipe run --out ru": "bentpipe run --out run-1/",
}


@pytest.mark.parametrize("line", LINES)
def test_bash_completes(tmp_path: Path, line: str) -> None:
    (tmp_path / "run-1").mkdir()
    (tmp_path / "code").write_text(code_of("bash"))
    assert typed(["bash", "--norc", "--noprofile", "-i"], "source ./code", line, tmp_path) == LINES[line]


@needs.mark("zsh")
@pytest.mark.parametrize("line", LINES)
def test_zsh_completes(tmp_path: Path, line: str) -> None:
    (tmp_path / "run-1").mkdir()
    (tmp_path / "functions").mkdir()
    (tmp_path / "functions" / "_bentpipe").write_text(code_of("zsh"))
    set_up = "bindkey -e; fpath=($PWD/functions $fpath); autoload -Uz compinit; compinit -u -D"
    assert typed(["zsh", "-f", "-i"], set_up, line, tmp_path) == LINES[line]


@needs.mark("fish")
@pytest.mark.parametrize("line", LINES)
def test_fish_completes(tmp_path: Path, line: str) -> None:
    (tmp_path / "run-1").mkdir()
    place = tmp_path / ".config" / "fish" / "completions" / "bentpipe.fish"
    place.parent.mkdir(parents=True)
    place.write_text(code_of("fish"))
    done = subprocess.run(
        ["fish", "-c", 'complete -C "$argv[1]"', line],
        cwd=tmp_path,
        env=surroundings(tmp_path, XDG_CONFIG_HOME=str(tmp_path / ".config")),
        capture_output=True,
        text=True,
        check=True,
        timeout=HANG_S,
    )
    words = [word.partition("\t")[0] for word in done.stdout.splitlines()]
    assert words == [LINES[line].rpartition(" ")[2]]


def test_other_commands_do_not_load_the_package_of_the_completion() -> None:
    code = (
        "import sys, contextlib\nfrom bentpipe.cli import entry\n"
        "with contextlib.suppress(SystemExit):\n    entry(['--help'])\n"
        "sys.exit(any(name.startswith('argcomplete') or name == 'bentpipe.cli.completers' for name in sys.modules))"
    )
    subprocess.run([sys.executable, "-c", code], check=True, capture_output=True)


def test_man_pages(cli: Command, tmp_path: Path) -> None:
    done = cli("completion", "man", "--out", "man1")
    assert done.returncode == 0, done.stderr
    pages = {page.name for page in (tmp_path / "man1").iterdir()}
    parts = {f"bentpipe-quic-{name}.1" for name in ("serve", "get")}
    parts |= {f"bentpipe-kernel-{name}.1" for name in ("list", "load", "unload", "trace", "hints")}
    assert pages == {"bentpipe.1", *(f"bentpipe-{name}.1" for name in COMMANDS), *parts}
    page = (tmp_path / "man1" / "bentpipe-compare.1").read_text()
    assert r"\fB\-\-controllers\fR \fIA,B,C\fR" in page
    assert r"\(aqcubic{beta=0.8},bbr3\(aq" in page
    index = (tmp_path / "man1" / "bentpipe.1").read_text().replace(r"\-", "-")
    assert [name for name in COMMANDS if f".BR bentpipe-{name} (1)" not in index] == []


@needs.mark("mandoc")
def test_mandoc_has_no_objection(cli: Command, tmp_path: Path) -> None:
    assert cli("completion", "man", "--out", "man1").returncode == 0
    pages = sorted((tmp_path / "man1").iterdir())
    told = subprocess.run(["mandoc", "-T", "lint", "-W", "warning", *pages], capture_output=True, text=True).stdout
    # The pages have a version instead of a date.
    assert not [line for line in told.splitlines() if "missing date" not in line]
    shown = subprocess.run(
        ["mandoc", "-T", "utf8", tmp_path / "man1" / "bentpipe-compare.1"], check=True, capture_output=True, text=True
    ).stdout
    assert "'cubic{beta=0.8},bbr3'" in shown


@pytest.mark.parametrize("arguments", [["man"], ["bash", "--out", "man1"]])
def test_man_needs_a_folder(cli: Command, arguments: list[str]) -> None:
    done = cli("completion", *arguments)
    assert done.returncode == 2
    assert "bentpipe completion man --out DIR" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ("compar", 'there is no command "compar" (did you mean compare? commands are run, plot, '),
        ("constelation", "(did you mean constellations? "),
        ("zzzzzz", 'there is no command "zzzzzz" (commands are run, '),
        ("compare x.toml --controler cubic", 'there is no option "--controler" (did you mean --controllers?)'),
        ("compare x.toml --controler=cubic", 'there is no option "--controler" (did you mean --controllers?)'),
        ("run x.toml --zzzzzz", 'there is no option "--zzzzzz"\n'),
        ("compare x.toml --controllers reno --for godput", '"godput" is not a choice (did you mean goodput? '),
    ],
)
def test_wrong_words_get_the_nearest(cli: Command, arguments: str, says: str) -> None:
    done = cli(*arguments.split())
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("error[usage]: ")
    assert says in done.stderr


def test_a_negative_place_and_an_abbreviated_option_still_work(cli: Command) -> None:
    done = cli("path", "-33.9,18.4", "London", "--constel", "iridium", "--dur", "1 min")
    assert done.returncode == 0, done.stderr
