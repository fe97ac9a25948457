# SPDX-License-Identifier: MIT OR Apache-2.0
"""Names that people gave, as a terminal and a picture may show them."""

from __future__ import annotations

import unicodedata

#: Characters that turn the direction of the text around them: what is read is not what stands there.
_TURNING = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")

#: Characters of a name that a picture shows at most: a legend with it fits into half a picture.
_PLOTTED = 48


def printable(text: str, *, lines: bool = False) -> str:
    """The text with control characters written out (an escape becomes four letters): none of them reaches a terminal.

    So are bytes that are not UTF-8, which Python keeps in the names of files as lone surrogates.

    Args:
        text: What people wrote.
        lines: Line ends and tabs stay.
    """
    if text.isascii() and text.isprintable():
        return text
    return "".join(_written_out(one) if _controls(one) and not (lines and one in "\n\t") else one for one in text)


def is_text(name: str) -> bool:
    """Whether a name is text that UTF-8 can write."""
    try:
        name.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def _controls(one: str) -> bool:
    return unicodedata.category(one) in ("Cc", "Cs") or one in _TURNING


def _written_out(one: str) -> str:
    if 0xDC80 <= ord(one) <= 0xDCFF:  # how Python keeps a byte that is not UTF-8
        return f"\\x{ord(one) - 0xDC00:02x}"
    return f"\\x{ord(one):02x}" if ord(one) < 0x100 else f"\\u{ord(one):04x}"


def titled(name: str) -> str:
    """A name as a part of a picture's title, which has more room than a label."""
    return plotted(name, 2 * _PLOTTED)


def plotted(name: str, most: int = _PLOTTED) -> str:
    """A name as a label of a picture.

    matplotlib leaves out of a legend what begins with an underscore, and draws an empty picture where labels leave no
    room: of a long name the middle is left out.
    """
    shown = printable(name)
    if len(shown) > most:
        end = (most - 1) // 2
        shown = f"{shown[: most - 1 - end]}…{shown[-end:]}"
    return f" {shown}" if shown.startswith("_") else shown
