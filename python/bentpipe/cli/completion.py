# SPDX-License-Identifier: MIT OR Apache-2.0
"""Print the code with which your shell completes commands, options and their values, or write man pages.

Completed values are names (of controllers, presets, numbers, aims, studies, rows, cities, ...), files and folders.
"""

from __future__ import annotations

from bentpipe.base.errors import ScenarioError
from bentpipe.base.files import write_text
from bentpipe.cli import man, options
from bentpipe.cli.commands import PROGRAM, parser
from bentpipe.cli.console import note, say

_SHELLS = ("bash", "zsh", "fish")
_HOW = """write the output to the file that your shell reads:
  bentpipe completion bash > ~/.local/share/bash-completion/completions/bentpipe
  bentpipe completion zsh > ~/.zfunc/_bentpipe
  bentpipe completion fish > ~/.config/fish/completions/bentpipe.fish

zsh needs ~/.zfunc in $fpath before compinit.

man pages, one for each command:
  bentpipe completion man --out ~/.local/share/man/man1
  man bentpipe-compare"""


def add(command: options.Parser) -> None:
    """Add the arguments."""
    command.epilog = _HOW
    command.add_argument(
        "what", choices=(*_SHELLS, "man"), help="shell whose completion code is printed; 'man' writes man pages instead"
    )
    options.out(command, "folder for the man pages")


def run(chosen: options.Chosen) -> int:
    """Print the code, or write the pages."""
    if (chosen.what == "man") != (chosen.out is not None):
        fix = "write bentpipe completion man --out DIR"
        raise ScenarioError("usage", f"man pages need --out, and --out is only for man pages ({fix})")
    if chosen.what == "man":
        chosen.out.mkdir(parents=True, exist_ok=True)
        pages = man.pages(parser(whole=True))
        for name, text in pages.items():
            write_text(chosen.out / f"{name}.1", text)
        note(f"man pages: {len(pages)} in {chosen.out}")
        return 0
    from argcomplete.shell_integration import shellcode  # a completion imports the rest of this module

    # bash: no files where an option has a value of another kind.
    say(shellcode([PROGRAM], shell=chosen.what, complete_arguments=["-o", "nospace"]).strip())
    return 0
