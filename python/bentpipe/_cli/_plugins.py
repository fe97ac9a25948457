# SPDX-License-Identifier: MIT OR Apache-2.0
"""`--plugin FILE`: Python files that register controllers of the user's own."""

from __future__ import annotations

import importlib.machinery
import importlib.util
import sys
import traceback
from pathlib import Path
from typing import TYPE_CHECKING

from bentpipe._controller import REGISTERED
from bentpipe._errors import BentpipeError, ScenarioError

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable


def add_option(parser: argparse.ArgumentParser) -> None:
    """Add ``--plugin`` to a command."""
    parser.add_argument(
        "--plugin",
        type=Path,
        action="append",
        default=[],
        metavar="FILE",
        help="Python file that registers controllers of your own (may be given several times)",
    )


def load(files: Iterable[Path]) -> None:
    """Execute plugin files.

    Raises:
        ScenarioError: If a file cannot be read, fails, or registers nothing.
    """
    for file in files:
        before = dict(REGISTERED)
        _execute(file)
        if before == REGISTERED:
            hint = 'put @bentpipe.register("name") above the class'
            raise ScenarioError("plugin-failed", f"the plugin {file} registers no controller ({hint})")


def _execute(file: Path) -> None:
    try:
        file.read_bytes()
    except OSError as problem:
        raise ScenarioError("plugin-failed", f"cannot read the plugin {file}: {problem.strerror}") from None
    name = f"bentpipe_plugin_{file.stem}"
    loader = importlib.machinery.SourceFileLoader(name, str(file))
    spec = importlib.util.spec_from_loader(name, loader)
    assert spec is not None  # noqa: S101 - there is a loader
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        loader.exec_module(module)
    except BentpipeError as error:
        raise ScenarioError(error.code, f"the plugin {file}: {error.message}") from None
    except (Exception, SystemExit) as problem:
        raise ScenarioError("plugin-failed", f"the plugin {file} raised {_told(problem, file)}") from None


def _told(problem: BaseException, file: Path) -> str:
    """What was raised, and where in the file."""
    *where, what = (line.rstrip() for line in traceback.format_exception_only(problem))
    house = Path(__file__).parent.parent
    frames = [f for f in traceback.extract_tb(problem.__traceback__) if house not in Path(f.filename).parents]
    own = next((i for i, frame in enumerate(frames) if Path(frame.filename) == file), len(frames))
    steps = [line.rstrip() for line in traceback.format_list(frames[own:])]
    return "\n".join([what, *steps, *where])
