# SPDX-License-Identifier: MIT OR Apache-2.0
"""Make names and lines of text fit terminals and pictures."""

from __future__ import annotations

import re
import textwrap
import unicodedata

#: Characters that change the direction of the text around them, so that a reader would see another text.
_TURNING = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")

#: The space between a number and its unit.
_UNIT = re.compile(r"(?<=\d) (?=[A-Za-zµ%°])")
#: Largest length of a name in a picture. A legend of this width fits into half of the picture.
_PLOTTED = 48


def printable(text: str, *, lines: bool = False) -> str:
    """Return the text with escape sequences in place of control characters, so that a terminal receives none.

    Bytes that are not UTF-8 are also replaced by escape sequences. In names of files, Python represents them as lone
    surrogates.

    Args:
        text: Any text.
        lines: Whether line ends and tabs are kept.
    """
    if text.isascii() and text.isprintable():
        return text
    return "".join(_written_out(one) if _controls(one) and not (lines and one in "\n\t") else one for one in text)


def wrapped(line: str, width: int) -> list[str]:
    """Return a line in parts with the indent of the line. Words, and numbers with their units, stay whole.

    Args:
        line: Text without line ends.
        width: Largest length of a part in characters. A longer word has a part of its own.
    """
    indent = line[: len(line) - len(line.lstrip(" "))]
    parts = textwrap.wrap(
        _UNIT.sub("\0", line), width, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False
    )
    return [part.replace("\0", " ") for part in parts]


def is_text(name: str) -> bool:
    """Return whether UTF-8 can represent a name."""
    try:
        name.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def _controls(one: str) -> bool:
    return unicodedata.category(one) in ("Cc", "Cs") or one in _TURNING


def _written_out(one: str) -> str:
    if 0xDC80 <= ord(one) <= 0xDCFF:  # Python's representation of a byte that is not UTF-8
        return f"\\x{ord(one) - 0xDC00:02x}"
    return f"\\x{ord(one):02x}" if ord(one) < 0x100 else f"\\u{ord(one):04x}"


def titled(name: str) -> str:
    """Return a name for the title of a picture, which has more space than a label."""
    return plotted(name, 2 * _PLOTTED)


def plotted(name: str, most: int = _PLOTTED) -> str:
    """Return a name for a label of a picture. The middle of a long name is omitted.

    matplotlib omits a name that begins with an underscore from the legend, and draws nothing if labels leave no space.
    """
    shown = printable(name)
    if len(shown) > most:
        end = (most - 1) // 2
        shown = f"{shown[: most - 1 - end]}…{shown[-end:]}"
    return f" {shown}" if shown.startswith("_") else shown
