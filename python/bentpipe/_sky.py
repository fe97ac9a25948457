# SPDX-License-Identifier: MIT OR Apache-2.0
"""Compute satellites, links, paths, routes and passes of a constellation, without a run."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypedDict

import tomli_w

from bentpipe import _core, _czml
from bentpipe.base import arguments
from bentpipe.base.arguments import refuse
from bentpipe.base.errors import ScenarioError
from bentpipe.base.files import write_error, write_text
from bentpipe.base.tables import Table
from bentpipe.scenario.bench import UNNAMED

if TYPE_CHECKING:
    from collections.abc import Sequence

    import networkx as nx
    import pyarrow as pa

    from bentpipe.scenario.answers import SkyFacts
    from bentpipe.scenario.classes import Constellation, Network, Scenario


def constellation(what: str | Path | Constellation | Network | Scenario, **changes: Any) -> Sky:
    """Return the constellation of `what` as a `Sky`.

    Args:
        what: Name of a preset (`constellations`); a file of element sets (``.tle``, ``.txt``, ``.json``, ``.csv``,
            ``.xml``, ``.kvn``), whose satellites are linked as a grid over the planes found, with the minimum elevation
            and rates of starlink-550; a scenario (``.toml``, or built in Python); a `Constellation`; or a `Network`
            with a constellation.
        **changes: Fields of `Constellation` that replace those of `what`: ``start="2022-09-14T12:00:00Z"``,
            ``isl=Isl(shift=0)``, ``min_elevation="40 deg"``.

    Raises:
        ScenarioError: If the constellation is unknown or cannot be read, or a change is refused.
        RunError: If the orbit of a satellite cannot be computed and no satellite may be left out
            (``unusable="refuse"``).
    """
    return Sky(what, **changes)


class Sky:
    """A constellation without a run. `constellation` returns it.

    A time is text with its unit, and counts from `start` of the constellation (``"90 s"``). A place is a city
    (`sites`), a site of the scenario that the constellation was read from, or latitude and longitude as ``"37.9,
    -122.3"``. An altitude may follow: ``"37.9, -122.3, 50 m"``. Delays are propagation delays of light in vacuum,
    without queues. The delay of fibre is multiplied by the constellation's fibre factor.

    Attributes:
        name: Name of the constellation.
        notes: Notes on the satellites of a catalogue: which element sets were omitted, and how old the other sets are
            at the start. (The summary of a run lists satellites that decay later.)
        facts: Shells, links and minimum elevation; for each shell the slant range, range rate and length of a pass.
    """

    def __init__(self, what: str | Path | Constellation | Network | Scenario, **changes: Any) -> None:
        from bentpipe.scenario.classes import Constellation, Scenario

        own = Constellation(**changes).to_document()
        if isinstance(what, (str, os.PathLike)):
            arguments.path("a constellation", what)
            self._make(os.fspath(what), tomli_w.dumps(own))
            return
        document = what if isinstance(what, Scenario) else Scenario(network=what)
        network = document.to_document()["network"]
        preset = network.pop("preset", None)
        if preset is None and "constellation" not in network:
            raise ScenarioError(
                "scenario-value", f"{document.title()} has no constellation: its network is {', '.join(network)}"
            )
        network["constellation"] = own = {**network.get("constellation", {}), **own}
        if preset is None:
            self._make(own.pop("preset", ""), tomli_w.dumps(own))
        else:
            self._make(preset, tomli_w.dumps(network), network=True)

    def _make(self, what: str, changes: str, network: bool = False) -> None:
        self._core = _core.Sky(what, changes, network)
        self._again = what, changes, network
        self.facts: SkyFacts = json.loads(self._core.describe())
        self.name = self.facts["name"]
        if self.name == UNNAMED and what and not network and Path(what).is_file():
            self.name = Path(what).stem
        self.notes: list[str] = self.facts["notes"]

    def __getstate__(self) -> tuple[str, str, bool]:
        """Return the inputs to pickle. Unpickling computes the constellation again, and reads its file again."""
        what, changes, network = self._again
        return (str(Path(what).absolute()) if not network and Path(what).is_file() else what), changes, network

    def __setstate__(self, state: tuple[str, str, bool]) -> None:
        """Make the constellation again."""
        self._make(*state)

    def __repr__(self) -> str:
        """Return the name of the constellation and its number of satellites."""
        return f"<Sky of {self.name}: {self.facts['satellites']} satellites>"

    def _repr_html_(self) -> str:
        """Return the facts and a map at the start as HTML, for notebooks."""
        from bentpipe.show.pages import notebook

        return notebook.sky(self)

    def satellites(self, at: str = "0 s") -> Table:
        """Return the satellites at a moment.

        Columns: `node` (index), `kind`, `name`, `shell` (index into `facts["shells"]`; always 0 for a catalogue),
        geodetic `latitude_deg`, `longitude_deg`, `altitude_km` (WGS84), Earth-fixed `x_km`, `y_km`, `z_km`.
        """
        import pyarrow.compute as pc

        nodes = self._look(at)[0].arrow
        return Table(nodes.filter(pc.equal(nodes["kind"], "satellite")))

    def links(self, at: str = "0 s", sites: Sequence[str] = ()) -> Table:
        """Return the usable links at a moment: between satellites, to gateways, and to `sites`.

        Columns: `a`, `b` (indices of the nodes, the lower index first), `length_km` (for fibre the distance in vacuum
        with the same delay), `delay_ms` one way. Satellites have the lowest indices, then gateways, points of presence,
        and `sites` in their order.
        """
        return self._look(at, sites)[1]

    def _look(self, at: str, sites: Sequence[str] = ()) -> tuple[Table, Table]:
        nodes, links = self._core.look(at, list(sites))
        return Table(nodes), Table(links)

    def graph(self, at: str = "0 s", sites: Sequence[str] = ()) -> nx.Graph:
        """Return the constellation at a moment as a networkx graph (needs the extra ``bentpipe[networkx]``).

        The key of a satellite is its index; the key of a node on the ground is its name. If names are equal, a site
        keeps the name, a gateway gets the key ``"Paris (gateway)"``, and a point of presence gets ``"Paris (pop)"``.
        Further nodes are numbered: ``"Paris (gateway 2)"``. Nodes have the columns of `satellites` as attributes; edges
        have `length_km` and `delay_ms`.

        Raises:
            ImportError: If networkx is not installed.
        """
        try:
            import networkx
        except ImportError as missing:
            raise ImportError("a graph needs networkx (pip install 'bentpipe[networkx]')") from missing
        nodes, links = self._look(at, sites)
        graph = networkx.Graph(name=self.name, at=at)
        rows = nodes.arrow.to_pylist()
        keys = _keys(rows)
        for key, row in zip(keys, rows, strict=True):
            del row["node"]
            graph.add_node(key, **row)
        for row in links.arrow.to_pylist():
            a, b = row.pop("a"), row.pop("b")
            graph.add_edge(keys[a], keys[b], **row)
        return graph

    def path(self, origin: str, destination: str, *, duration: str = "1 h", step: str = "10 s") -> Table:
        """Return the path with the lowest delay between two places every `step`, with the columns of `paths`.

        Raises:
            ScenarioError: If a place is invalid, or if there is no path at any of these times (codes
                ``no-satellite-in-view`` and ``no-path``). The message has the reason, and the time at which a place
                without coverage is covered next.
        """
        table = self.paths([(origin, destination)], duration=duration, step=step)
        if not any(table["links"]):
            self._core.require_path(origin, destination, duration, step)
        return table

    def paths(self, pairs: Sequence[tuple[str, str]], *, duration: str = "1 h", step: str = "10 s") -> Table:
        """Return the paths with the lowest delay for pairs of places, pair by pair.

        Every pair has a row for each `step` from the start to the end of `duration`. Columns: `from`, `to`, `time_s`;
        `links` (number of hops), `one_way_delay_ms`, `propagation_rtt_ms` (both ways); `rtt_rate_us_s` (rate of change
        of the round trip); `uplink_ms`, `isl_ms`, `downlink_ms` (parts of the one-way delay); `via` (names of the
        nodes), `nodes` (indices of the nodes); and for each hop `hop_km` and `hop_doppler_ppm` (Doppler shift of the
        carrier, positive while the ends approach). Without a path, delays are null and lists are empty.

        Raises:
            ScenarioError: If a place is invalid, or the two places of a pair are equal.
        """
        return Table(self._core.paths(list(pairs), duration, step))

    def switches(self, origin: str, destination: str, *, duration: str = "1 h", step: str = "1 s") -> Table:
        """Return the times at which the path between two places changes, to a millisecond.

        The first row is the path at the start. Columns: those of `paths` except the pair, for the new path at the
        moment of the change; and `rtt_before_ms`, the round trip of the old path at that moment. A change that is
        reversed within one `step` is not found.
        """
        return Table(self._core.switches(origin, destination, duration, step))

    def shortest(self, origin: str, destination: str, *, at: str = "0 s", k: int = 1) -> Table:
        """Return the `k` paths with the lowest delay at a moment, without loops, the best first (Yen 1971).

        Columns: those of `paths` except the pair.
        """
        if k < 1:
            raise refuse(f"k = {k}: the number of paths must be at least 1")
        return Table(self._core.shortest(origin, destination, at, k))

    def passes(self, site: str, *, duration: str = "1 h") -> Table:
        """Return the times at which satellites rise and set over a place, to a millisecond, in order of rising.

        Columns: `satellite` (node), `name`, `rise_s` (null: in view at the start), `set_s` (null: in view at the end),
        `max_elevation_deg`, `culmination_s`.

        Raises:
            ScenarioError: If the place is invalid, or is connected by fibre and has no dish.
        """
        return Table(self._core.passes(site, duration))

    def routes(
        self, sites: Sequence[str], *, duration: str = "1 h", step: str = "10 s", threads: int | None = None
    ) -> Table:
        """Return the routes from every node to `sites`: all entries at the start, then the changes in each `step`.

        Columns: `time_s`, `node` (the node that has the packet), `site` (the destination, an index into `sites`),
        `next` (the next node; null: no path).

        Args:
            sites: Destinations.
            duration: Time span. A step exactly at the end of the time span is left out.
            step: Interval between two looks at the routes.
            threads: Number of threads, by default one per processor. Results do not depend on the number.

        Raises:
            ArgumentError: If `threads` is less than 1.
        """
        import pyarrow as pa

        parts: list[pa.Table] = []
        workers = _workers(threads)
        self._core.routes(list(sites), duration, step, workers, lambda part: parts.append(pa.table(part)))
        return Table(pa.concat_tables(parts))

    def write_routes(
        self,
        file: str | Path,
        sites: Sequence[str],
        *,
        duration: str = "1 h",
        step: str = "10 s",
        threads: int | None = None,
    ) -> Path:
        """Write the result of `routes` to a Parquet file, row group by row group, and return the file.

        The required memory does not grow with the duration. The metadata of the file contain the constellation and the
        sites.

        Raises:
            RunError: If the file cannot be written.
            ArgumentError: If `threads` is less than 1.
        """
        import pyarrow as pa
        import pyarrow.parquet as pq

        workers = _workers(threads)
        target = arguments.path("file", file)
        told = {"constellation": self.name, "sites": json.dumps(list(sites)), "duration": duration, "step": step}
        kinds = {"time_s": pa.float64(), "node": pa.uint32(), "site": pa.uint32(), "next": pa.uint32()}
        schema = pa.schema(list(kinds.items()), metadata=told)
        try:
            with pq.ParquetWriter(target, schema, compression="zstd") as writer:
                write = lambda part: writer.write_table(pa.table(part).cast(schema))  # noqa: E731
                self._core.routes(list(sites), duration, step, workers, write)
        except OSError as problem:
            raise write_error(target, problem) from None
        return target

    def czml(
        self,
        file: str | Path,
        *,
        duration: str = "1 h",
        step: str = "60 s",
        sites: Sequence[str] = (),
        path: tuple[str, str] | None = None,
    ) -> Path:
        """Write satellites, links and one path over time for Cesium and other globes (CZML), and return the file.

        Args:
            file: The file, usually with the suffix ``.czml``.
            duration: Time span.
            step: Interval between two samples. The viewer interpolates between samples.
            sites: Places to show.
            path: Two places. The path between them is shown.

        Raises:
            RunError: If the file cannot be written.
        """
        target = arguments.path("file", file)
        packets = _czml.packets(self, duration=duration, step=step, sites=sites, path=path)
        write_text(target, json.dumps(packets, separators=(",", ":"), allow_nan=False))
        return target


def path(
    origin: str, destination: str, *, constellation: str | Path | Sky, duration: str = "1 h", step: str = "10 s"
) -> Table:
    """Return the path with the lowest delay between two places over time: `Sky.path` of a `constellation`.

    Args:
        origin: A city (`sites`), or latitude and longitude as ``"37.9, -122.3"``.
        destination: A place in the same form.
        constellation: A preset (`constellations`), a file of element sets, a scenario, or a `Sky`.
        duration: Time span.
        step: Interval between two rows.

    Raises:
        ScenarioError: If a place or the constellation is unknown, no satellite is in view, or no path exists at any
            time.
    """
    sky = constellation if isinstance(constellation, Sky) else Sky(constellation)
    return sky.path(origin, destination, duration=duration, step=step)


class _Node(TypedDict):
    """The columns of the table of nodes that are read here."""

    node: int
    kind: str
    name: str


def _keys(rows: Sequence[_Node]) -> list[int | str]:
    """Return a unique key for each node of the graph."""
    sites = {row["name"] for row in rows if row["kind"] == "site"}
    keys: dict[int | str, None] = {}
    for row in rows:
        key: int | str = row["node"]
        if row["kind"] != "satellite":
            key = str(row["name"])
            if (row["kind"] != "site" and key in sites) or key in keys:
                key = f"{row['name']} ({row['kind']})"
            count = 2
            while key in keys:
                key, count = f"{row['name']} ({row['kind']} {count})", count + 1
        keys[key] = None
    return list(keys)


def _workers(threads: int | None) -> int:
    if threads is not None and threads < 1:
        raise refuse(f"threads = {threads}: must be at least 1 (omit threads for one per processor)")
    return arguments.threads(threads)
