# SPDX-License-Identifier: MIT OR Apache-2.0
"""Load Python files of users: controllers (`--plugin FILE`) and studies (`bentpipe reproduce FILE`).

A file can import the modules in its folder, like a script.
"""

from __future__ import annotations

import importlib.machinery
import importlib.util
import sys
import traceback
from pathlib import Path
from typing import TYPE_CHECKING

from bentpipe.base.errors import BentpipeError, ScenarioError
from bentpipe.base.files import read_bytes

if TYPE_CHECKING:
    from types import ModuleType


def execute(file: Path, kind: str) -> ModuleType:
    """Load the module of a file. Messages call the file `kind`.

    Raises:
        ScenarioError: If the file cannot be read, or raises an error.
    """
    read_bytes(file, kind, "plugin-failed")
    _find_beside(file.resolve().parent)
    name = f"bentpipe_{kind}_{file.stem}"
    loader = importlib.machinery.SourceFileLoader(name, str(file))
    spec = importlib.util.spec_from_loader(name, loader)
    assert spec is not None  # noqa: S101 - there is a loader
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        loader.exec_module(module)
    except BentpipeError as error:
        raise ScenarioError(error.code, f"the {kind} {place_of(error, file) or file}: {error.message}") from None
    except (Exception, SystemExit) as problem:
        raise ScenarioError("plugin-failed", f"the {kind} {file} raised {_told(problem, file)}") from None
    return module


def place_of(problem: BaseException, file: str | Path) -> str:
    """Return the place of an exception in the folder of a user's file, as ``file:line``; empty if it is not there."""
    folder = Path(file).resolve().parent
    frames = traceback.extract_tb(problem.__traceback__)
    own = [
        frame for frame in frames if Path(frame.filename).is_file() and Path(frame.filename).resolve().parent == folder
    ]
    return f"{own[-1].filename}:{own[-1].lineno}" if own else ""


#: The folders of files that were executed.
_folders: list[str] = []


def _find_beside(folder: Path) -> None:
    """Let imports search a folder: after the installed modules, and before the folders of earlier files.

    Modules that were imported from such folders are read again, because they may have changed or belong to another
    folder.
    """
    for name, module in list(sys.modules.items()):
        home = str(Path(getattr(module, "__file__", None) or "/").parent)
        if home in _folders and (folder / f"{name}.py").exists():
            del sys.modules[name]
    for known in _folders:
        if known in sys.path:
            sys.path.remove(known)
    _folders[:] = [str(folder), *(known for known in _folders if known != str(folder))]
    sys.path.extend(_folders)


def _told(problem: BaseException, file: Path) -> str:
    """Return the text of the exception, with its place in the file."""
    *where, what = (line.rstrip() for line in traceback.format_exception_only(problem))
    house = Path(__file__).parent.parent
    frames = [f for f in traceback.extract_tb(problem.__traceback__) if house not in Path(f.filename).parents]
    own = next((i for i, frame in enumerate(frames) if Path(frame.filename) == file), len(frames))
    steps = [line.rstrip() for line in traceback.format_list(frames[own:])]
    return "\n".join([what, *steps, *where])
