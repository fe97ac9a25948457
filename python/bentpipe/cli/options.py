# SPDX-License-Identifier: MIT OR Apache-2.0
"""Options that several commands share. Each option has one meaning, one wording and one check.

When the command line is read, the command checks that files and folders can be written, before any work.
"""

from __future__ import annotations

import argparse
import re
import sys
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from bentpipe import _core
from bentpipe._import import capture
from bentpipe.base.arguments import SEEDS
from bentpipe.base.errors import ScenarioError
from bentpipe.base.extras import needs
from bentpipe.base.files import try_writing
from bentpipe.cli.console import note
from bentpipe.cli.pictures import check_picture
from bentpipe.scenario.bench import QUICK_S
from bentpipe.scenario.document import ScenarioText
from bentpipe.scenario.settings import Setting, with_settings

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    from bentpipe.scenario.bench import Bench

#: The types of a command's parser, and of the parsed options.
Parser: TypeAlias = argparse.ArgumentParser
Chosen: TypeAlias = argparse.Namespace
#: A parser, or a group of its options.
Options: TypeAlias = argparse._ActionsContainer

#: Endings of the names of tables.
_TABLES = (".csv", ".xlsx")
#: The size of a picture: width, height, and the unit if it is not a ratio.
_SIZE = re.compile(r"(\d+(?:\.\d+)?)\s*[x×:]\s*(\d+(?:\.\d+)?)\s*(in)?")
#: Width of a slide, and the largest width and height, in inches.
_SLIDE_IN, _MOST_IN = 40.0 / 3.0, 60.0
#: Largest number of seeds, and largest number of runs at a time.
_MOST = 10_000


def whole(least: int = 1, most: int = _MOST) -> Callable[[str], int]:
    """Return a reader of whole numbers within bounds."""

    def read(text: str) -> int:
        if not (text.isascii() and text.isdigit() and len(text) < 20 and least <= int(text) <= most):
            raise argparse.ArgumentTypeError(f'"{text}" is not a whole number from {least} to {most}')
        return int(text)

    return read


def scenario_file(text: str) -> str | ScenarioText:
    """Check the name of a scenario file. If the name is ``-``, read stdin."""
    if text == "-":
        return ScenarioText(sys.stdin.read(), "stdin")
    # A text with a line break would be read as a scenario.
    if "\n" in text:
        raise argparse.ArgumentTypeError("the name of the file contains a line break (rename the file)")
    file = Path(text)
    if file.suffix.lower() != ".toml":
        # The reader of scenarios reports what cannot be read.
        with suppress(OSError):
            if file.is_file() and capture.matches(_first_bytes(file)):
                raise argparse.ArgumentTypeError(
                    f"{text} is a capture, not a scenario (convert it: bentpipe import {text} --out path.csv "
                    "--scenario scenario.toml)"
                )
    return text


def _first_bytes(file: Path) -> bytes:
    """Return the first bytes of a file, by which formats are recognised."""
    with file.open("rb") as opened:
        return opened.read(4)


def scenario(options: Options, name: str = "file", **how: Any) -> None:
    """Add the argument FILE, a scenario, and ``--set KEY=VALUE``; `scenario_of` returns the scenario."""
    described = {"metavar": "FILE", "help": "scenario (TOML); - reads stdin", **how}
    options.add_argument(name, type=scenario_file, **described)
    settings(options)


def folders(files: Sequence[str | ScenarioText], out: Path | None) -> list[Path | None]:
    """Return the folder of each scenario: `out` for a single scenario, a folder in `out` for each of several.

    Raises:
        ScenarioError: If two scenarios have the same name.
    """
    if out is None or len(files) == 1:
        return [out] * len(files)
    stems = [Path(file).stem for file in files]
    twice = next((stem for stem in stems if stems.count(stem) > 1), None)
    if twice is not None:
        raise ScenarioError(
            "folder-unwritable", f'two scenario files are called "{twice}": run each with its own --out'
        )
    return [out / stem for stem in stems]


def settings(options: Options) -> None:
    """Add ``--set KEY=VALUE``."""
    options.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="KEY=VALUE",
        help="value that replaces the value of a key in the scenario file: 'network.dumbbell.rate=20 Mbit/s', "
        "'flows.controller=cubic{beta=0.8}' (repeatable)",
    )


def scenario_of(
    file: str | ScenarioText, chosen: Chosen, *, is_checked: bool = True, over: Collection[str] = ()
) -> str | ScenarioText:
    """Return the scenario of a file with the values of ``--set``. Errors are those of `with_settings`."""
    if not chosen.set:
        return file
    return with_settings(file, [Setting.of(text) for text in chosen.set], is_checked=is_checked, over=over)


def time_span(text: str) -> str:
    """Check a time span."""
    if re.fullmatch(r"[\d.]+", text):
        raise argparse.ArgumentTypeError(f'"{text}" has no unit (write "{text} s")')
    try:
        _core.nanos(text)
    except ScenarioError as problem:
        raise argparse.ArgumentTypeError(problem.message) from None
    return text


def _named(text: str) -> str:
    if not text.strip():
        raise argparse.ArgumentTypeError("the name is empty")
    return text


def file(text: str) -> Path:
    """Check that a file can be written. Errors are those of `try_writing`."""
    return try_writing(Path(text))


def folder(text: str) -> Path:
    """Check that files can be written into a folder."""
    return try_writing(Path(text), is_folder=True)


def file_or_folder(text: str) -> Path:
    """Check that a file, or files in a folder, can be written."""
    return try_writing(Path(text), is_folder=Path(text).is_dir())


def picture_file(text: str) -> Path:
    """Check that a picture can be written. Errors are also those of `check_picture`."""
    check_picture(Path(text))
    return file(text)


def json(options: Options, what: str) -> None:
    """Add ``--json``."""
    options.add_argument("--json", action="store_true", help=f"print {what} as JSON instead of tables")


def table_file(text: str) -> Path:
    """Check that a table can be written. Its name must end in .csv or .xlsx, so that no other file is replaced."""
    target = Path(text)
    kind = target.suffix.lower()
    if kind not in _TABLES and not target.is_char_device() and not target.is_fifo():
        raise argparse.ArgumentTypeError(f"cannot write {text}: the name of a table must end in .csv or .xlsx")
    target = file(text)
    if kind == ".xlsx":
        needs("xlsxwriter", "xlsx", "writing Excel workbooks")
    return target


def is_workbook(target: Path) -> bool:
    """Return whether a name is the name of an Excel workbook."""
    return target.suffix.lower() == ".xlsx"


def tables(text: str) -> Path:
    """Check that tables can be written: into a folder, or into an Excel workbook if the name ends in .xlsx."""
    if is_workbook(Path(text)):
        return table_file(text)
    if Path(text).suffix.lower() == ".csv":
        raise argparse.ArgumentTypeError(
            f"cannot write {text}: several tables do not fit into one CSV file (name a folder, or a file that ends in "
            ".xlsx)"
        )
    return folder(text)


def csv(options: Options, what: str | None = None) -> None:
    """Add ``--csv FILE``.

    Without `what`, the first table that the command prints is written after the command has ended.
    """
    options.add_argument(
        "--csv",
        type=table_file,
        dest="printed" if what is None else "csv",
        metavar="FILE",
        help=f"also write {what or 'the printed table'} as CSV, or as an Excel workbook if FILE ends in .xlsx",
    )


def results(options: Options, what: str) -> None:
    """Add ``--json`` and ``--csv FILE`` to a command that prints one table."""
    json(options, what)
    csv(options)


def markdown(options: Options, what: str) -> None:
    """Add ``--markdown FILE``."""
    options.add_argument("--markdown", type=file, metavar="FILE", help=f"also write {what} as Markdown")


def picture(options: Options, what: str, *others: str) -> None:
    """Add ``--picture FILE``. `others` are former names of the option."""
    names = ("--picture", *others)
    options.add_argument(
        *names, type=picture_file, metavar="FILE", help=f"draw {what}; the name ends in .png, .svg or .pdf"
    )


def inches(text: str) -> tuple[float, float]:
    """Read the size of a picture. A ratio (``16x9``) is 13.33 inches wide, the width of a slide."""
    match = _SIZE.fullmatch(text.strip())
    width, height = (float(match[1]), float(match[2])) if match else (0.0, 0.0)
    if match and width > 0.0 and height > 0.0 and match[3] is None:
        width, height = _SLIDE_IN, _SLIDE_IN * height / width
    if not (1.0 <= width <= _MOST_IN and 1.0 <= height <= _MOST_IN):
        raise argparse.ArgumentTypeError(
            f'"{text}" is not the size of a picture: write a ratio, 16x9, or width and height from 1 to {_MOST_IN:g} '
            "inches, '8x4.5 in'"
        )
    return width, height


def size(options: Options) -> None:
    """Add ``--size``, ``--dpi`` and ``--title`` of a picture."""
    options.add_argument("--title", metavar="TEXT", help="title of the picture (default: what it shows)")
    options.add_argument(
        "--size",
        type=inches,
        metavar="WxH",
        help="size of the picture: a ratio, 16x9 (13.33 inches wide), or '8x4.5 in' (default: as needed)",
    )
    options.add_argument(
        "--dpi", type=whole(20, 1200), metavar="N", help="dots per inch of a PNG picture (default 130)"
    )


def pictures(options: Options, what: str) -> None:
    """Add ``--pictures DIR``."""
    options.add_argument("--pictures", type=folder, metavar="DIR", help=f"draw {what} into DIR as PNG files")


def seeds(options: Options, usual: int | str, *, least: int = 1, what: str = "seeds 1 to N") -> None:
    """Add ``--seeds N``. `usual` is the default number, or text that describes the default."""
    options.add_argument(
        "--seeds",
        type=whole(least),
        default=usual if isinstance(usual, int) else None,
        metavar="N",
        help=f"{what}{f', at least {least}' if least > 1 else ''} (default {usual})",
    )


def seed(options: Options, what: str = "seed that replaces the scenario's seed") -> None:
    """Add ``--seed N``."""
    options.add_argument("--seed", type=whole(0, SEEDS - 1), metavar="N", help=what)


def duration(options: Options, usual: str | None = None) -> None:
    """Add ``--duration TIME``. `usual` is the default of a command that has no scenario."""
    help_text = "duration that replaces the scenario's duration" if usual is None else "time span"
    example = 'for example "10 s"' if usual is None else f'default "{usual}"'
    options.add_argument("--duration", type=time_span, default=usual, metavar="TIME", help=f"{help_text} ({example})")


def out(options: Options, what: str, usual: str | None = None) -> None:
    """Add ``--out DIR``."""
    default, told = (None, "") if usual is None else (Path(usual), f" (default {usual})")
    options.add_argument("--out", type=folder, default=default, metavar="DIR", help=f"{what}{told}")


def threads(options: Options, usual: str = "number of processors") -> None:
    """Add ``--threads N``."""
    options.add_argument("--threads", type=whole(), metavar="N", help=f"number of runs at a time (default: {usual})")


def force(
    options: Options,
    what: str = "write into the folder --out even if it contains other files; only files that the command itself "
    "writes are replaced",
) -> None:
    """Add ``--force``. The default help is that of a command that writes into a folder."""
    options.add_argument("--force", action="store_true", help=what)


def costly(options: Options) -> None:
    """Add ``--costly``."""
    options.add_argument(
        "--costly", action="store_true", help="run even if the estimated memory or disk space is not available"
    )


def plugin(options: Options) -> None:
    """Add ``--plugin FILE``. The files are executed before the command."""
    options.add_argument(
        "--plugin",
        type=Path,
        action="append",
        default=[],
        metavar="FILE",
        help="Python file that registers your own controllers (repeatable)",
    )


def quick(options: Options, what: str) -> None:
    """Add ``--quick``."""
    options.add_argument("--quick", action="store_true", help=f"make a short first look: {what}")


def dry_run(options: Options) -> None:
    """Add ``--dry-run``."""
    options.add_argument("--dry-run", action="store_true", help="only print the number and the cost of the runs")


def store(options: Options) -> None:
    """Add ``--store FILE``."""
    options.add_argument(
        "--store",
        type=_named,
        metavar="FILE",
        help="file that stores the results of runs of several sweeps, or a folder that several machines share: DIR/, "
        "s3://… (default: a file in --out)",
    )


def writing(options: Options) -> None:
    """Add the options of every command that writes runs into a folder."""
    force(options)
    costly(options)
    plugin(options)


def one_scenario(options: Options) -> None:
    """Add the options of every command that runs a scenario."""
    duration(options)
    quick(options, f"the runs end {QUICK_S} s after the last flow has started and the warm-up is over")
    threads(options)
    writing(options)


def duration_of(chosen: Chosen, bench: Bench) -> str | None:
    """Return the chosen duration. If it is the duration of a first look, print it."""
    if not chosen.quick or chosen.duration is not None:
        return None if chosen.duration is None else str(chosen.duration)
    short = bench.quick()
    if short is None:
        return None
    note(f"quick: {short[1]} ({bench.origin})")
    for line in bench.quick_findings():
        note(f"finding: quick: {line}")
    return short[0]
