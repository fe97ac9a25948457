# SPDX-License-Identifier: MIT OR Apache-2.0
"""Read nodes, links and satellites of a run from its folder."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, NotRequired, TypedDict

import numpy as np

from bentpipe.base.damage import damaged
from bentpipe.scenario.bench import network_of
from bentpipe.show.viewer.columns import numbers, words

if TYPE_CHECKING:
    from bentpipe.runs.run import Run
    from bentpipe.show.viewer.buffers import Buffer
    from bentpipe.show.viewer.format import Link, Node, Positions, Shell

#: First number of inter-satellite pairs of the grid. It is above the numbers of all links.
_GRID = 1 << 31
_STATE = ("x_km", "y_km", "z_km", "vx_km_s", "vy_km_s", "vz_km_s")


class _Node(TypedDict):
    """A row of the table of nodes. Nodes in space have no coordinates."""

    node: int
    name: str
    kind: str
    shell: str | None
    latitude_deg: float | None
    longitude_deg: float | None
    altitude_km: NotRequired[float | None]


class Places:
    """The places of a run: nodes, links and satellites.

    Attributes:
        notes: Notes for viewers, for example on data that an older folder lacks.
    """

    def __init__(self, run: Run) -> None:
        self._run = run
        self.notes: list[str] = []
        self._nodes: list[_Node] = run._some(
            "nodes", ["node", "name", "kind", "shell", "latitude_deg", "longitude_deg", "altitude_km"]
        ).to_pylist()
        ends = run._some("link_ends", ["link", "from_node", "to_node"])
        #: Number and two nodes of each link. Inter-satellite pairs of the grid have no number.
        self._ends: list[tuple[int | None, int, int]] = [tuple(row.values()) for row in ends.to_pylist()]
        self.in_space = "constellation" in network_of(run.scenario)
        if not self._nodes:
            self._guess()
        self._numbers: dict[str, list[int]] = {}
        for number, node in enumerate(self._nodes):
            self._numbers.setdefault(node["name"], []).append(number)
        self._linked = {(a, b) for link, a, b in self._ends if link is not None}
        if any(node != row["node"] for node, row in enumerate(self._nodes)) or any(
            a is None or b is None or max(a, b) >= len(self._nodes) for _, a, b in self._ends
        ):
            raise damaged(
                file_of(run, "nodes"), "nodes are not numbered consecutively, or a link ends at an unknown node"
            )

    def _guess(self) -> None:
        """Derive the nodes of a folder without these tables from the names of links and sites."""
        if self._run.links.columns:
            self.notes.append(
                "this run folder has no tables of nodes and positions (written by an earlier version, or without "
                "recording), so the globe is missing; make the run again to get the globe"
            )
        known: dict[str, int] = {}
        sites = [end for flow in self._run.summary["flows"] for end in (flow["from"], flow["to"])]
        links = [(link["link"], link["name"].split(" > ")) for link in self._run.summary["links"]]
        ways = words(self._run._some("paths", ["via"]), "via")[0] if len(self._run.paths) else []
        on_ways = (name for said in ways for name in said.split(" > ") if name)
        for name in [*sites, *(name for _, ends in links for name in ends), *on_ways]:
            known.setdefault(name, len(known))
        away = "satellite" if self.in_space else "router"
        self._nodes = [
            {"node": number, "name": name, "kind": "site" if name in sites else away, "shell": None,
             "latitude_deg": None, "longitude_deg": None, "altitude_km": None}
            for name, number in known.items()
        ]  # fmt: skip
        self._ends = [(link, known[ends[0]], known[ends[1]]) for link, ends in links if len(ends) == 2]

    def number(self, name: str) -> int | None:
        """Return the node of a site."""
        of = self._numbers.get(name, [])
        return next((node for node in of if self._nodes[node]["kind"] == "site"), of[0] if of else None)

    def way(self, said: str) -> tuple[int, ...]:
        """Return the nodes of a path from names joined by " > ". Links distinguish nodes of the same name."""
        found = self._rest(said, None) if said else ()
        if found is None:
            raise damaged(file_of(self._run, "paths"), f"{said!r} contains a node that the table of nodes lacks")
        return found

    def _rest(self, said: str, before: int | None) -> tuple[int, ...] | None:
        parts = said.split(" > ")
        for cut in range(1, len(parts) + 1):  # a name may contain the separator
            named = self._numbers.get(" > ".join(parts[:cut]), [])
            linked = [node for node in named if (before, node) in self._linked] if len(named) > 1 else named
            for node in linked or named:
                if cut == len(parts):
                    return (node,)
                rest = self._rest(" > ".join(parts[cut:]), node)
                if rest is not None:
                    return (node, *rest)
        return None

    def scene_nodes(self) -> list[Node]:
        """Return the nodes of a scene."""
        shells = {name: number for number, name in enumerate(self._shells)}
        drawn = {} if self.in_space else self._drawing()
        nodes: list[Node] = []
        for node in self._nodes:
            one: Node = {"id": node["node"], "name": node["name"], "kind": node["kind"]}
            if node["shell"] is not None:
                one["shell"] = shells[node["shell"]]
            if node["latitude_deg"] is not None and node["longitude_deg"] is not None:
                one["latitude_deg"], one["longitude_deg"] = node["latitude_deg"], node["longitude_deg"]
                one["altitude_km"] = node.get("altitude_km") or 0.0
            if node["node"] in drawn:
                one["x"], one["y"] = drawn[node["node"]]
            nodes.append(one)
        return nodes

    @cached_property
    def _shells(self) -> list[str]:
        return list(dict.fromkeys(node["shell"] for node in self._nodes if node["shell"] is not None))

    def scene_shells(self) -> list[Shell]:
        """Return the shells, with the number of satellites of each shell."""
        of = [node["shell"] for node in self._nodes]
        return [{"name": name, "count": of.count(name)} for name in self._shells]

    def scene_links(self) -> list[Link]:
        """Return the links of a scene."""
        kinds = [node["kind"] for node in self._nodes]
        links: list[Link] = []
        for place, (link, a, b) in enumerate(self._ends):
            space = (kinds[a] == "satellite") + (kinds[b] == "satellite")
            kind = "plain" if not self.in_space else ("ground", "ground", "isl")[space]
            name = f"{self._nodes[a]['name']} > {self._nodes[b]['name']}"
            number = _GRID + place if link is None else link
            always = link is None or not self.in_space
            links.append({"id": number, "name": name, "from": a, "to": b, "kind": kind, "always": always})
        return links

    def _drawing(self) -> dict[int, tuple[float, float]]:
        """Return positions of the nodes of a plain network: the longest path as a row, branches around their hub."""
        beside: dict[int, set[int]] = {node["node"]: set() for node in self._nodes}
        for _, a, b in self._ends:
            beside[a].add(b)
            beside[b].add(a)
        hub = max(beside, key=lambda node: len(beside[node]), default=None)
        if hub is not None and len(beside[hub]) > 2:
            around = sorted(beside[hub])
            turns = {node: 2.0 * np.pi * place / len(around) for place, node in enumerate(around)}
            at = {node: (0.5 - 0.45 * float(np.cos(t)), 0.5 - 0.45 * float(np.sin(t))) for node, t in turns.items()}
            return {hub: (0.5, 0.5), **at}
        order: list[int] = []
        ends = [node for node in beside if len(beside[node]) < 2]
        for start in [*ends, *beside]:
            step: int | None = start
            while step is not None and step not in order:
                order.append(step)
                step = next((node for node in sorted(beside[step]) if node not in order), None)
        last = max(len(order) - 1, 1)
        return {node: (0.05 + 0.9 * place / last, 0.5) for place, node in enumerate(order)}

    def positions(self, buffer: Buffer, *, kept: bool = True) -> Positions | None:
        """Return the satellites' positions at some moments. The page interpolates between them."""
        if not self.in_space or not any(node["kind"] == "satellite" for node in self._nodes):
            return None
        frame = self._run._some("positions", ["time_s", "node"])
        if not frame.num_rows or not kept:
            if kept and self._run.nodes.columns:
                self.notes.append(
                    "positions were not recorded: there would be too many for this number of satellites and this "
                    "duration"
                )
            return None
        times, nodes = numbers(frame, "time_s"), numbers(frame, "node")
        satellites = nodes[: int(np.searchsorted(times, times[0], side="right"))]
        knots, rest = divmod(times.size, satellites.size)
        every = times[:: satellites.size]
        even = every.size == knots > 1 and np.allclose(
            every, np.linspace(every[0], every[-1], knots), rtol=0.0, atol=1e-6
        )
        if rest or not even or not np.array_equal(nodes.reshape(knots, -1), np.tile(satellites, (knots, 1))):
            raise damaged(file_of(self._run, "positions"), "some moments lack rows of satellites")
        if satellites.size < sum(node["kind"] == "satellite" for node in self._nodes):
            self.notes.append(
                "only satellites on paths are shown: there are too many positions of all satellites in a run of this "
                "duration"
            )
        return {
            "start_s": float(every[0]),
            "step_s": float(every[-1] - every[0]) / (knots - 1),
            "knots": knots,
            "satellites": satellites.tolist(),
            "data": buffer.add("f32", 6 * times.size, self._states),
        }

    def _states(self) -> np.ndarray:
        table = self._run._some("positions", _STATE)
        return np.column_stack([numbers(table, name).astype("<f4") for name in _STATE])


def file_of(run: Run, name: str) -> Path:
    """Return the file of a table, for messages."""
    return (run.folder or Path()) / f"{name}.parquet"
