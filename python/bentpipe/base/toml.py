# SPDX-License-Identifier: MIT OR Apache-2.0
"""Write values as TOML on one line, for labels and messages."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

_BARE = re.compile(r"[A-Za-z0-9_-]+")


def inline(value: object) -> str:
    """Return a value as TOML. Tables in a table have dotted keys: ``{ rate = "1 Mbit/s", loss.per = 0.005 }``."""
    if isinstance(value, Mapping):
        return f"{{ {', '.join(f'{key} = {text}' for key, text in _pairs(value))} }}" if value else "{}"
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(map(inline, value))}]"
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    return str(value).lower() if isinstance(value, bool) else str(value)


def _pairs(table: Mapping[object, object]) -> Iterator[tuple[str, str]]:
    for name, value in table.items():
        key = str(name) if _BARE.fullmatch(str(name)) else json.dumps(str(name), ensure_ascii=False)
        if isinstance(value, Mapping) and value:
            yield from ((f"{key}.{below}", text) for below, text in _pairs(value))
        else:
            yield key, inline(value)
