# SPDX-License-Identifier: MIT OR Apache-2.0
"""Write constellations as CZML, the JSON format that Cesium and other globes display.

Source: https://github.com/AnalyticalGraphicsInc/czml-writer/wiki/CZML-Guide. A file has a document packet with the
clock, and then one packet for each object. Positions are Earth-fixed, in metres, over time. A link refers to the
positions of its ends, and has the times at which the viewer shows the link.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from itertools import pairwise
from typing import TYPE_CHECKING, TypedDict, TypeVar

from bentpipe import _core

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bentpipe._sky import Sky

    #: A packet of a document.
    Packet = dict[str, object]

T = TypeVar("T", bound=tuple[int, ...])

#: Start of constellations without element sets. Positions are Earth-fixed, so the date has no effect on the picture.
_EPOCH = "2000-01-01T12:00:00Z"
_SATELLITE, _SITE = [86, 180, 233, 255], [255, 255, 255, 255]
_LINK, _PATH = [86, 180, 233, 90], [213, 94, 0, 255]


class _Node(TypedDict):
    """A row of the nodes at a moment."""

    node: int
    name: str
    kind: str
    x_km: float
    y_km: float
    z_km: float


class _Link(TypedDict):
    """A row of the links at a moment."""

    a: int
    b: int


class _Clock:
    """Times of the run as dates."""

    def __init__(self, sky: Sky, end: float) -> None:
        self.end = end
        self.start = datetime.fromisoformat(str(sky.facts["start"] or _EPOCH)).astimezone(UTC)

    def at(self, seconds: float) -> str:
        return (self.start + timedelta(seconds=seconds)).isoformat(timespec="milliseconds").replace("+00:00", "Z")

    def interval(self, begin: float, end: float) -> str:
        return f"{self.at(begin)}/{self.at(end)}"


def packets(sky: Sky, *, duration: str, step: str, sites: Sequence[str], path: tuple[str, str] | None) -> list[Packet]:
    """Return the packets of a document."""
    places = list(dict.fromkeys([*(path or ()), *sites]))
    frames, times = _frames(sky, duration, step, places)
    clock = _Clock(sky, times[-1])
    document: Packet = {
        "id": "document",
        "version": "1.0",
        "name": sky.name,
        "clock": {
            "interval": clock.interval(0.0, clock.end),
            "currentTime": clock.at(0.0),
            "multiplier": 30,
            "range": "LOOP_STOP",
            "step": "SYSTEM_CLOCK_MULTIPLIER",
        },
    }
    rows = frames[0][0]
    things = [
        _moving(row, [frame[0][index] for frame in frames], times, clock)
        if row["kind"] == "satellite"
        else _standing(row)
        for index, row in enumerate(rows)
    ]
    linked = [{(link["a"], link["b"]) for link in frame[1]} for frame in frames]
    satellites = sum(row["kind"] == "satellite" for row in rows)
    between = [{link for link in links if link[1] < satellites} for links in linked]
    lines = [
        _line(f"link-{a}-{b}", f"{rows[a]['name']} – {rows[b]['name']}", [a, b], shown, clock, _LINK, 1)
        for (a, b), shown in _intervals(between, times).items()
    ]
    ways = _ways(sky, path, places, duration, step, times)
    lines += [
        _line(f"path-{number}", " > ".join(rows[node]["name"] for node in way), list(way), shown, clock, _PATH, 4)
        for number, (way, shown) in enumerate(ways.items())
    ]
    return [document, *things, *lines]


def _frames(
    sky: Sky, duration: str, step: str, places: list[str]
) -> tuple[list[tuple[list[_Node], list[_Link]]], list[float]]:
    """Return the nodes and links at each step."""
    times = _core.steps(duration, step)
    frames = []
    for time in times:
        nodes, links = sky._look(f"{time!r} s", places)
        frames.append((nodes.arrow.to_pylist(), links.arrow.select(["a", "b"]).to_pylist()))
    return frames, times


def _moving(row: _Node, rows: list[_Node], times: list[float], clock: _Clock) -> Packet:
    samples: list[float] = []
    for time, at in zip(times, rows, strict=True):
        samples += [time, *_metres(at)]
    return {
        "id": f"node-{row['node']}",
        "name": row["name"],
        "availability": clock.interval(0.0, clock.end),
        "position": {
            "epoch": clock.at(0.0),
            "referenceFrame": "FIXED",
            "interpolationAlgorithm": "LAGRANGE",
            "interpolationDegree": min(5, len(times) - 1) or 1,
            "cartesian": samples,
        },
        "point": {"pixelSize": 4, "color": {"rgba": _SATELLITE}},
    }


def _metres(row: _Node) -> list[float]:
    return [round(km * 1e3, 1) for km in (row["x_km"], row["y_km"], row["z_km"])]


def _standing(row: _Node) -> Packet:
    return {
        "id": f"node-{row['node']}",
        "name": row["name"],
        "position": {"cartesian": _metres(row)},
        "point": {"pixelSize": 8, "color": {"rgba": _SITE}},
        "label": {"text": row["name"], "font": "14px sans-serif", "pixelOffset": {"cartesian2": [0, -16]}},
    }


def _line(
    name: str,
    title: str,
    nodes: list[int],
    shown: list[tuple[float, float]],
    clock: _Clock,
    colour: list[int],
    width: int,
) -> Packet:
    return {
        "id": name,
        "name": title,
        "polyline": {
            "positions": {"references": [f"node-{node}#position" for node in nodes]},
            "arcType": "NONE",
            "width": width,
            "material": {"solidColor": {"color": {"rgba": colour}}},
            # A later entry of the list replaces an earlier one.
            "show": [
                {"interval": clock.interval(0.0, clock.end), "boolean": False},
                *({"interval": clock.interval(begin, end), "boolean": True} for begin, end in shown),
            ],
        },
    }


def _ways(
    sky: Sky, path: tuple[str, str] | None, places: list[str], duration: str, step: str, times: list[float]
) -> dict[tuple[int, ...], list[tuple[float, float]]]:
    """Return the routes of a path, each with its times."""
    if path is None:
        return {}
    nodes = sky.path(*path, duration=duration, step=step)["nodes"]
    # `Sky.path` numbers only the two sites of the pair. Here these two sites are the first of all sites.
    assert places[:2] == list(path)  # noqa: S101 - the caller puts them first
    return _intervals([{tuple(way)} if way else set() for way in nodes], times)


def _intervals(present: Sequence[set[T]], times: list[float]) -> dict[T, list[tuple[float, float]]]:
    """Compute the intervals in which each object exists. The objects at a time exist until the next time."""
    shown: dict[T, list[tuple[float, float]]] = {}
    for things, (begin, end) in zip(present, [*pairwise(times), (times[-1], times[-1])], strict=True):
        for thing in sorted(things):
            spans = shown.setdefault(thing, [])
            if spans and spans[-1][1] == begin:
                spans[-1] = (spans[-1][0], end)
            else:
                spans.append((begin, end))
    return {thing: [span for span in spans if span[0] < span[1]] or spans[:1] for thing, spans in shown.items()}
