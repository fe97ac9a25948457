# SPDX-License-Identifier: MIT OR Apache-2.0
"""Read files of bounded size that a user names, and write files completely or not at all."""

from __future__ import annotations

import errno
import os
import stat
import tempfile
import time
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from bentpipe.base.errors import RunError, ScenarioError

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

#: Largest size in bytes of a file that a person writes: a scenario, a plugin, a study (`units::input::SCENARIO`).
MOST = 16_000_000
#: Largest length in bytes of a file's name on Linux (`NAME_MAX`).
_LONGEST_NAME = 255
#: If a partial file was not changed for this time, in seconds, no process is writing it.
_STILL_WRITTEN_S = 60.0


class Unfit(ValueError):  # noqa: N818 - a reason, which the caller turns into an error
    """The reason why a file or a value cannot be used. The caller adds the place to the message."""


class Unreadable(Unfit):
    """The reason for a file that this user has no permission to read."""


def regular(file: Path, most: int | None = None) -> None:
    """Refuse everything that is not a regular file: reading a pipe would wait, and a device has no end.

    Args:
        file: The name. A link is followed.
        most: Largest size in bytes; None for no bound.

    Raises:
        Unfit: If the file is not regular, cannot be read, or is too large.
    """
    try:
        about = file.stat()
        mode = about.st_mode
        if not stat.S_ISREG(mode):
            what = "a folder" if stat.S_ISDIR(mode) else "a pipe" if stat.S_ISFIFO(mode) else "a device"
            raise Unfit(f"it is {what}, not a file")
        if not os.access(file, os.R_OK):
            raise PermissionError(errno.EACCES, "")
    except OSError as problem:
        raise _unread(problem) from None
    except ValueError as problem:
        raise problem if isinstance(problem, Unfit) else Unfit("its name contains a NUL character") from None
    if most is not None and about.st_size > most:
        raise _large(most)


def content(file: Path, most: int = MOST) -> bytes:
    """Return the content of a regular file of bounded size.

    Raises:
        Unfit: If the file is not regular, is too large, or cannot be read.
    """
    regular(file, most)
    try:
        with file.open("rb") as opened:
            held = opened.read(most + 1)
    except OSError as problem:
        raise _unread(problem) from None
    if len(held) > most:
        raise _large(most)
    return held


def _unread(problem: OSError) -> Unfit:
    return (Unreadable if isinstance(problem, PermissionError) else Unfit)(plain(problem))


def _large(most: int) -> Unfit:
    return Unfit(f"it is larger than {most / 1e6:g} MB, the limit for such a file")


def read_bytes(file: Path, kind: str, code: str, most: int = MOST) -> bytes:
    """Return the content of a regular file of bounded size that a user named.

    Raises:
        ScenarioError: If `content` refuses the file. The error has the code `code`, and its message calls the file
            `kind`.
    """
    try:
        return content(file, most)
    except Unfit as problem:
        raise ScenarioError(code, f"cannot read the {kind} {file}: {problem}") from None


def read_text(file: Path, kind: str, code: str = "scenario-unreadable") -> str:
    """Return the text of a regular file of bounded size that a user named."""
    try:
        return read_bytes(file, kind, code).decode("utf-8")
    except UnicodeDecodeError:
        raise ScenarioError(code, f"cannot read the {kind} {file}: it is not UTF-8 text") from None


def plain(problem: OSError) -> str:
    """Return the system's message, or a clearer message for a common error."""
    words = {
        errno.ENOENT: "there is no such file",
        errno.EACCES: "its permissions do not allow it",
        errno.EISDIR: "it is a folder, not a file",
        errno.ENOTDIR: "a part of its path is a file, not a folder",
        errno.ENAMETOOLONG: "its name is too long (choose a shorter one)",
    }
    return words.get(problem.errno or 0) or problem.strerror or str(problem)


@contextmanager
def whole(file: Path) -> Iterator[Path]:
    """Yield a temporary file, which replaces `file` when it is complete. A device is written directly.

    Raises:
        RunError: If the file cannot be written. No temporary file remains then.
    """
    target = Path(os.path.realpath(file))  # a link stays a link
    partial = target.with_name(f".{target.name}.{os.getpid()}.partial")
    if target.exists() and not target.is_file():
        partial = target
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        _forget_the_dead(target)
        if partial != target:
            # The file is left from a killed process with the same process number, or it is a link of another user.
            partial.unlink(missing_ok=True)
            os.close(os.open(partial, os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o666))
        yield partial
        if partial != target:
            os.replace(partial, target)  # noqa: PTH105 - atomic on every system
    except OSError as problem:
        _forget(partial, target)
        raise write_error(file, problem) from None
    except BaseException:
        _forget(partial, target)
        raise


def _forget_the_dead(target: Path) -> None:
    """Remove the partial files of killed processes.

    On a shared disk the process may run on another machine, so recently changed files are kept.
    """
    before, after = f".{target.name}.", ".partial"
    for entry in os.scandir(target.parent):
        number = entry.name.removeprefix(before).removesuffix(after)
        if entry.name != f"{before}{number}{after}" or not number.isdecimal() or _is_alive(int(number)):
            continue
        with suppress(OSError):  # another process may have removed it
            if time.time() - entry.stat().st_mtime > _STILL_WRITTEN_S:
                Path(entry.path).unlink()


def _is_alive(process: int) -> bool:
    """Return whether a process of this number exists, of this user or of another."""
    try:
        os.kill(process, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except OSError:
        return True
    return True


def _forget(partial: Path, target: Path) -> None:
    if partial != target:
        with suppress(OSError):  # the first error is reported
            partial.unlink()


@contextmanager
def current_folder_kept() -> Iterator[None]:
    """Restore the current folder at the end: user code may change it, and paths are relative to it."""
    try:
        before = os.open(".", os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    except OSError:  # the folder was removed, or this user has no permission
        yield
        return
    try:
        yield
    finally:
        with suppress(OSError):
            os.fchdir(before)
        os.close(before)


def write_text(file: Path, text: str) -> None:
    """Write a text file completely or not at all, and create its folder. A failure raises a `RunError`."""
    with whole(file) as place:
        place.write_text(text, encoding="utf-8")


#: The fix for a full disk or an exhausted quota.
FULL_FIX = " (free some space, or name a folder on another disk)"


def write_error(file: Path, problem: OSError) -> RunError:
    """Return the error for a file that cannot be written."""
    full = problem.errno in (errno.ENOSPC, errno.EDQUOT)
    fixes = {
        errno.EFBIG: " (raise the limit of `ulimit -f`)",
        errno.EACCES: " (chmod u+rwx on the folder, or choose another place)",
    }
    fix = FULL_FIX if full else fixes.get(problem.errno or 0, "")
    return RunError("disk-full" if full else "folder-unwritable", f"cannot write {file}: {plain(problem)}{fix}")


def refuse_long_name(target: Path, *, is_folder: bool = False) -> None:
    """Refuse a name that is too long. While a file or a folder is written, its name has an additional suffix.

    Raises:
        ScenarioError: If the name is too long. The message has the largest length in bytes.
    """
    name = target.name if is_folder else Path(os.path.realpath(target)).name
    most = _LONGEST_NAME - len("..partial" if is_folder else "..1234567.partial")  # process numbers have up to 7 digits
    if len(os.fsencode(name)) > most:
        raise ScenarioError(
            "folder-unwritable",
            f"cannot write {target}: the name has {len(os.fsencode(name))} bytes, the limit is {most} "
            "(choose a shorter one)",
        )


def try_writing(target: Path, *, is_folder: bool = False) -> Path:
    """Check that a file or a folder can be written, and return it. No test file remains. A device is not tested.

    Args:
        target: The file, or the folder into which files will be written. The folder and its parents may be missing.
        is_folder: Whether `target` is a folder.

    Raises:
        ScenarioError: If the folder's name is the name of an existing file, or the name is too long.
        RunError: If the file or the folder cannot be written.
    """
    refuse_long_name(target, is_folder=is_folder)
    try:
        exists, is_there = target.exists(), target.is_dir()
        if is_folder and exists and not is_there:
            raise ScenarioError("folder-occupied", f"cannot write into {target}: it is not a folder")
        if not is_folder and is_there:
            raise IsADirectoryError(errno.EISDIR, "")
        if not is_folder and exists and not target.is_file():
            return target
        place = (target if is_folder else Path(os.path.realpath(target)).parent).absolute()
        while not place.exists() and place != place.parent:
            place = place.parent
        with tempfile.TemporaryFile(dir=place):
            return target
    except OSError as problem:
        raise write_error(target, problem) from None


def refuse_foreign(folder: Path | None, ours: Collection[str], *, force: bool) -> None:
    """Refuse a folder with files that the command does not write.

    Args:
        folder: Where the command will write; None if it writes nothing.
        ours: Names that the command writes; ``*`` at the beginning matches any text. Run folders are allowed too.
        force: Accept a folder with other content.

    Raises:
        ScenarioError: If the folder has other content. The message has its names.
    """
    if folder is None or force:
        return
    try:
        names = sorted(entry.name for entry in os.scandir(folder) if not _is_ours(entry, ours))
    except FileNotFoundError:
        return
    except NotADirectoryError:
        raise ScenarioError("folder-occupied", f"cannot write into {folder}: it is not a folder") from None
    except OSError as problem:
        raise write_error(folder, problem) from None
    if names:
        more = f" and {len(names) - 5} more" if len(names) > 5 else ""
        raise ScenarioError(
            "folder-occupied",
            f"cannot write into {folder}: it holds {', '.join(names[:5])}{more}, which this command did not write "
            "(choose another folder; with --force, the command keeps these files and writes its own beside them)",
        )


def refuse_other_file(file: Path, ours: Sequence[bytes], *, force: bool) -> None:
    """Refuse to replace a file that no command wrote.

    Args:
        file: The file to write; an empty file may be replaced.
        ours: The first bytes of files that may be replaced.
        force: Replace any file.

    Raises:
        ScenarioError: If the existing file begins with other bytes.
        RunError: If the file cannot be read.
    """
    if force or not file.is_file():
        return
    try:
        with file.open("rb") as there:
            begins = there.read(max(map(len, ours)))
    except OSError as problem:
        raise write_error(file, problem) from None
    if begins and not begins.startswith(tuple(ours)):
        raise ScenarioError(
            "folder-occupied",
            f"cannot write {file}: this command did not write the existing file (choose another name; --force "
            "replaces it)",
        )


def _is_ours(entry: os.DirEntry[str], ours: Collection[str]) -> bool:
    name = entry.name
    if name.startswith(".") and name.endswith((".partial", ".before")):
        return True  # the file is left from a killed process
    if any(name.endswith(one[1:]) if one.startswith("*") else name == one for one in ours):
        return True
    return entry.is_dir() and (Path(entry.path) / "scenario.toml").is_file()
