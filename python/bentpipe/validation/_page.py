# SPDX-License-Identifier: MIT OR Apache-2.0
"""The generated block of a page that people write the rest of."""

from __future__ import annotations

BEGIN = "<!-- begin: written by `bentpipe validate --markdown`; do not edit -->"
END = "<!-- end -->"


def replaced(page: str, block: str) -> str:
    """`page` with `block` between its marks; `block` alone if the page has none."""
    head, begin, rest = page.partition(BEGIN)
    _, end, tail = rest.partition(END)
    return f"{head}{BEGIN}\n\n{block}\n{END}{tail}" if begin and end else block
