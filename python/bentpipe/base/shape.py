# SPDX-License-Identifier: MIT OR Apache-2.0
"""JSON of a known type: read and checked in one step, by msgspec."""

from __future__ import annotations

import json
from typing import TypeVar

from bentpipe.base.files import Unfit

T = TypeVar("T")


def parsed(text: bytes | str, of: type[T], *, finite: bool = True) -> T:
    """A document of JSON as a type: typed dictionaries, dataclasses, named tuples, and what they hold.

    Keys that the type does not have, as a later version may add, are left out.

    Args:
        text: The document.
        of: The type.
        finite: Whether numbers must be finite. JSON has no others, but what Python writes may hold NaN and infinity.

    Raises:
        Unfit: If it is not JSON in UTF-8, nests too deeply, or is not of the type: what is wrong, and where.
    """
    import msgspec

    try:
        return msgspec.json.decode(text, type=of) if finite else msgspec.convert(json.loads(text), of)
    except RecursionError:
        raise Unfit("it nests too deeply") from None
    except ValueError as problem:
        raise Unfit(str(problem)) from None
