# SPDX-License-Identifier: MIT OR Apache-2.0
"""Parse JSON of a known type and check it in one step, with msgspec."""

from __future__ import annotations

import json
from typing import TypeVar

from bentpipe.base.files import Unfit

T = TypeVar("T")


def parsed(text: bytes | str, of: type[T], *, finite: bool = True) -> T:
    """Convert a JSON document to a type: typed dictionaries, dataclasses, named tuples, and their fields.

    Keys that the type does not have (a later version may add keys) are ignored.

    Args:
        text: The document.
        of: The type.
        finite: Whether numbers must be finite. Standard JSON has only finite numbers, but Python writes NaN and
            infinity.

    Raises:
        Unfit: If the document is not JSON in UTF-8, is nested too deeply, or has another type. The message has the
            reason and the place.
    """
    import msgspec

    try:
        return msgspec.json.decode(text, type=of) if finite else msgspec.convert(json.loads(text), of)
    except RecursionError:
        raise Unfit("it is nested too deeply") from None
    except ValueError as problem:
        raise Unfit(str(problem)) from None
