# SPDX-License-Identifier: MIT OR Apache-2.0
"""Random application flows: rules that are not in the schema, and sizes that keep a run short."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from fuzz.draw import Draw

KINDS = ("transfers", "web", "video", "requests")
#: Keys of a flow that are drawn only here.
KEYS = ("users", "think", "arrivals", "load", "page", "video", "request", "tls", "size")


def application(draw: Draw, kind: str) -> dict[str, Any]:
    """Return the keys of a flow of this kind for its visits and their starts."""
    own: dict[str, dict[str, Any]] = {
        "transfers": {"size": _size(draw)},
        "web": {"page": _page(draw)},
        "video": {"video": _video(draw)},
        "requests": {"request": {"answer": _size(draw), "count": draw.chance.randint(1, 5), "think": _time(draw)}},
    }
    begin = draw.chance.choice(("users", "arrivals", "load"))
    if begin == "users":
        found: dict[str, Any] = {"users": draw.chance.randint(1, 12), "think": _time(draw)}
    elif begin == "load" and kind != "video":
        found = {"load": draw.between(0.05, 1.5)}
    else:
        found = {"arrivals": _arrivals(draw)}
    if draw.perhaps(0.2):
        found["tls"] = True
    return own[kind] | found


def _size(draw: Draw) -> Any:
    size = draw.written("amount of data", draw.between(1, 2e5))
    return draw.chance.choice(
        (
            size,
            {"law": "exponential", "mean": size},
            {"law": "log-normal", "median": size, "sigma": draw.chance.uniform(0, 2)},
            {"law": "pareto", "mean": size, "shape": draw.chance.uniform(1.05, 3), "most": "10 MB"},
            {"law": "points", "points": [["100 B", 0.3], ["20 kB", 0.9], ["200 kB", 1]], "between": "log-linear"},
            {"law": draw.chance.choice(("web-search", "internet-mix"))},
        )
    )


def _time(draw: Draw) -> Any:
    time = draw.span(1e-3, draw.length / 2 + 2e-3)
    return draw.chance.choice((time, {"law": "exponential", "mean": time}))


def _arrivals(draw: Draw) -> dict[str, Any]:
    rate = draw.between(0.5, 30) / draw.length
    law = draw.chance.choice(("poisson", "regular", "on-off"))
    found: dict[str, Any] = {"law": law, "rate": rate}
    return found | ({"on": _time(draw), "off": _time(draw)} if law == "on-off" else {})


def _page(draw: Draw) -> Any:
    protocol = draw.chance.choice(("http1", "http2", "http2-interleaved"))
    drawn = {"objects": draw.chance.randint(0, 30), "size": _size(draw), "stages": draw.chance.randint(1, 4)}
    listed = [{"name": "a", "size": "3 kB"}, {"name": "b", "size": "20 kB", "after": ["a"], "think": "5 ms"}]
    return draw.chance.choice(("median-2024", drawn | {"protocol": protocol}, {"objects": listed}))


def _video(draw: Draw) -> dict[str, Any]:
    found: dict[str, Any] = {"length": draw.span(1, 30), "segment": draw.span(0.2, 4)}
    if draw.perhaps(0.5):
        found["choice"] = draw.chance.choice(("buffer", "rate"))
    if draw.perhaps(0.5):
        found["ladder"] = ["100 kbit/s", "400 kbit/s", "2 Mbit/s"]
    return found
