# SPDX-License-Identifier: MIT OR Apache-2.0
"""Run a scenario on the simulator and on the emulator with this machine's TCP: `bentpipe agree`."""

from __future__ import annotations

import contextlib
import copy
import statistics
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import tomli_w

from bentpipe import _core
from bentpipe.base import arguments
from bentpipe.base import progress as _progress
from bentpipe.base.errors import BentpipeError, ScenarioError
from bentpipe.base.files import refuse_foreign
from bentpipe.results.split import lost_on_links
from bentpipe.results.summaries import given
from bentpipe.runs import bulk, kernel
from bentpipe.runs.emulate import Emulation
from bentpipe.runs.folders import Folders
from bentpipe.runs.hints import Change, changes_of
from bentpipe.runs.run import Run
from bentpipe.scenario import catalogue
from bentpipe.scenario.bench import Bench
from bentpipe.validation._agreement import (
    EMULATOR,
    PLATFORMS,
    SIMULATOR,
    WITHIN,
    Agreement,
    Result,
    Row,
    median,
)
from bentpipe.validation._linux import TWINS
from bentpipe.validation._recorded import Twin

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from bentpipe.results.summary_types import FlowSummary
    from bentpipe.scenario.classes import Scenario

#: Names of the files that are written beside run folders.
_WRITTEN = ["*-agree.png", "*-agree.svg", "*-agree.pdf", "*.csv"]

#: The kernel's largest buffer of a socket, in bytes. Half of a receiver's buffer is the window (`tcp_adv_win_scale`),
#: so the window is enough for 450 Mbit/s over 600 ms.
_BUFFER_B = 64 << 20
#: Bytes of the headers: IP 20, TCP 20, timestamps 12.
_HEADER_B = 52
_ETHERNET_MTU_B = 1500
#: Number of packets without data that a sender sends at the beginning of a connection: SYN and ACK.
_OPENING_PACKETS = 2
#: Parameters of the kernel at every site, by their paths below /proc/sys.
_PARAMETERS = {
    "net/ipv4/tcp_rmem": f"4096 131072 {_BUFFER_B}",
    "net/ipv4/tcp_wmem": f"4096 16384 {_BUFFER_B}",
    "net/ipv4/tcp_no_metrics_save": "1",
}
#: The kernel's parameter for each value of `tcp.ecn`.
_ECN = {False: "2", "classic": "1"}
#: Parameters of the catalogue whose default differs in the kernel (bpf/include/window.h).
_KERNEL_DEFAULTS: dict[str, object] = {"growth_limit": 10**9}
#: Interval of the series.
_INTERVAL = "100 ms"
#: A limit other than the congestion window is reported if it applied for more than this share of the time.
_LIMITED = 0.01


def check(controllers: Sequence[str], platforms: Sequence[str], loaded: Sequence[str] = ()) -> None:
    """Check the names of controllers and platforms.

    Raises:
        ArgumentError: If a name is unknown, the kernel lacks a controller, or this process cannot load controllers.
    """
    for name in platforms:
        if name not in PLATFORMS:
            raise arguments.known("platform", name, PLATFORMS)
    for name in controllers:
        if name not in TWINS:
            raise arguments.known("controller of Linux", name, TWINS)
    if not (controllers or loaded) or not platforms:
        raise arguments.refuse("give at least one controller and one platform")
    if EMULATOR in platforms:
        bulk.require_controllers(controllers)
        if loaded:
            kernel.require()
    known = _loadable()
    for name in loaded:
        if kernel.kernel_name(name) not in known:
            raise arguments.known("controller for the kernel", name, known)
        if kernel.kernel_name(name) in controllers:
            raise arguments.refuse(f"{name} is given twice, as a controller of the kernel and as one to load")


def _loadable() -> dict[str, Twin]:
    """Return the controllers of the catalogue that `bentpipe-kernel` can load, by their names in the kernel."""
    built = None if kernel.program() is None else {name for name, _ in kernel.built_in()}
    found = {}
    for entry in catalogue.controllers():
        name = kernel.kernel_name(entry["name"])
        if built is None or name in built:
            own = {parameter["name"]: parameter["default"] for parameter in entry["parameters"]}
            settings = {key: value for key, value in _KERNEL_DEFAULTS.items() if key in own}
            if own.get("slow_start") == '"hystart++"':
                settings["slow_start"] = "classic"
            found[name] = Twin(entry["name"], settings)
    return found


def agree(
    scenario: str | os.PathLike[str] | Scenario,
    controllers: Sequence[str] = ("cubic", "bbr", "reno"),
    *,
    loaded: Sequence[str] = (),
    platforms: Sequence[str] = PLATFORMS,
    runs: int = 5,
    within: float = WITHIN,
    duration: str | None = None,
    out: str | os.PathLike[str] | None = None,
    threads: int | None = None,
    progress: Callable[[int, int], None] | bool | None = None,
    force: bool = False,
    costly: bool = False,
) -> Agreement:
    """Run a scenario with each of several controllers of Linux on the simulator and on the emulator.

    The emulator runs programs that transfer data over the TCP of this machine's kernel, in real time. The simulator
    runs the controllers of the catalogue that correspond to those of the kernel, with the settings of Linux.

    Args:
        scenario: A file, TOML text, or a `Scenario`. Its flows are bulk transfers over TCP.
        controllers: Names of the controllers in the kernel.
        loaded: Names of further controllers, of Bentpipe. Each is loaded into the kernel while its emulated runs last,
            and gets hints on the path of the first flow.
        platforms: ``"sim"``, ``"emulator"`` or both.
        runs: Number of runs with each controller on each platform, with the seeds from 1.
        within: The largest deviation that agrees, in percent.
        duration: Replaces the scenario's duration, for example ``"10 s"``.
        out: Folder for the run folders ``<controller>-<platform>-s<seed>``. Existing simulated runs are not repeated.
        threads: Number of simulated runs at a time, by default one per processor.
        progress: Function that is called with (done, all) when runs finish. True shows the progress on stderr.
        force: Write into `out` even if it has other files.
        costly: Make a run even if it needs more memory or disk than is free.

    Raises:
        ArgumentError: If an argument cannot be used, or the kernel lacks a controller.
        ScenarioError: If the scenario cannot be used: a flow is not a bulk transfer over TCP, has an access link, or
            needs ECN that the kernel cannot give.
        RunError: If the system refuses namespaces or devices.
    """
    check(controllers, platforms, loaded)
    to_load = [kernel.kernel_name(name) for name in loaded]
    twins = {name: TWINS[name] for name in controllers}
    if to_load:
        known = _loadable()
        twins |= {name: known[name] for name in to_load}
    controllers = list(twins)
    case = _Case(Bench(scenario, duration=arguments.quantity("duration", duration, "10 s")), twins, frozenset(to_load))
    place = arguments.place("out", out)
    refuse_foreign(place, _WRITTEN, force=force)
    seeds = arguments.seeds(runs)
    asked = [(name, seed) for name in controllers for seed in seeds]

    def folder(name: str, platform: str, seed: int) -> Path | None:
        return None if place is None else place / f"{name}-{platform}-s{seed}"

    results: dict[tuple[str, str, int], Result] = {}
    failed: dict[tuple[str, str, int], BentpipeError] = {}
    with _progress.shown(progress, "runs") as update:
        total = len(asked) * len(platforms)
        kept: Folders[tuple[str, int]] = Folders(
            threads=threads, progress=None if update is None else lambda done, _: update(done, total)
        )
        if SIMULATOR in platforms:
            kept.make(
                {
                    (name, seed): (case.job(name, seed, where, force=force, costly=costly), where)
                    for name, seed in asked
                    for where in [folder(name, SIMULATOR, seed)]
                }
            )
        for (name, seed), run in kept.results.items():
            if isinstance(run, Run):
                results[name, SIMULATOR, seed] = case.simulated(name, seed, run)
            else:
                failed[name, SIMULATOR, seed] = run
        for name, seed in asked if EMULATOR in platforms else ():
            try:
                results[name, EMULATOR, seed] = case.emulated(name, seed, folder(name, EMULATOR, seed), force=force)
            except BentpipeError as error:
                failed[name, EMULATOR, seed] = error
            if update is not None:
                update(len(results) + len(failed), total)
    if not results:
        raise next(iter(failed.values()))
    rows = tuple(_rows(controllers, platforms, results))
    return Agreement(
        name=str(case.bench.document["name"]),
        within=within,
        rows=rows,
        failed=failed,
        assumptions=tuple(case.assumptions(controllers, platforms, list(results.values()))),
        resumed=kept.resumed,
    )


def _rows(
    controllers: Sequence[str], platforms: Sequence[str], results: dict[tuple[str, str, int], Result]
) -> Iterator[Row]:
    for name in controllers:
        by_platform = {
            platform: tuple(one for (of, where, _), one in results.items() if (of, where) == (name, platform))
            for platform in PLATFORMS
        }
        for platform in PLATFORMS:
            if platform in platforms and by_platform[platform]:
                beside = by_platform[SIMULATOR] if platform == EMULATOR else ()
                yield Row(name, platform, by_platform[platform], beside)


@dataclass(frozen=True)
class _Case:
    """A scenario whose flows both platforms can run."""

    bench: Bench
    twins: Mapping[str, Twin]
    loaded: frozenset[str] = frozenset()
    flows: tuple[bulk.Flow, ...] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "flows", tuple(self._flows()))

    def _flows(self) -> Iterator[bulk.Flow]:
        """Yield the flows. A table of the scenario with a count gives several flows."""
        if self.bench.document.get("peps"):
            raise self._refuse(
                "the scenario has proxies (peps), but the emulator cannot split the connections of "
                "real programs (remove the table peps)"
            )
        for table in self.bench.flows:
            name = table["name"]
            if table["kind"] != "tcp" or table.get("transport", "tcp") != "tcp":
                kind = table["kind"] if table["kind"] != "tcp" else table["transport"]
                raise self._refuse(
                    f'flow "{name}" is of kind "{kind}": only bulk transfers over TCP (kind = "tcp") run on both '
                    "platforms (remove the flow)"
                )
            if "access" in table:
                raise self._refuse(
                    f'flow "{name}" has its own access link, which the packets of real programs do not cross '
                    "(remove flows.access)"
                )
            start_s, stagger_s = (_core.nanos(table[key]) / 1e9 for key in ("start", "stagger"))
            for place in range(table["count"]):
                yield bulk.Flow(
                    sender=table["from"],
                    receiver=table["to"],
                    start_s=start_s + place * stagger_s,
                    stop_s=stop
                    if "stop" in table and (stop := _core.nanos(table["stop"]) / 1e9) < self._end_s
                    else None,
                    size=_bytes(table["size"]) if "size" in table else None,
                )

    def _refuse(self, why: str) -> ScenarioError:
        return ScenarioError("scenario-value", f"{self.bench.origin}: {why}")

    @property
    def ecn(self) -> bool | str:
        """The value of `tcp.ecn`, which must be equal for all flows."""
        values: set[bool | str] = {table["tcp"]["ecn"] for table in self.bench.flows}
        if len(values) > 1 or not values <= _ECN.keys():
            said = ", ".join(str(value).lower() for value in values)
            raise self._refuse(
                f'tcp.ecn is {said}: the kernel has one setting for all flows of a site (write false or "classic" for '
                "all flows)"
            )
        return next(iter(values))

    def _parameters(self, controller: str) -> dict[str, str]:
        """Return the kernel's parameters at every site, by their paths below /proc/sys."""
        return {**_PARAMETERS, "net/ipv4/tcp_ecn": "1" if self.twins[controller].ecn else _ECN[self.ecn]}

    def variant(self, controller: str) -> str:
        """Return the scenario as TOML, with a controller and the settings of Linux, and without a warm-up."""
        twin = self.twins[controller]
        document = copy.copy(self.bench.document)
        document |= {"warm_up": "0 s", "record": {**document["record"], "interval": _INTERVAL}}
        tcp = {
            "preset": "linux",
            # Linux uses segmentation offload on every interface.
            "tso": True,
            "mss": f"{self._mtu() - _HEADER_B} B",
            "receive_window": {"at_most": f"{_BUFFER_B // 2} B", "autotuned": True},
            "ecn": twin.ecn or self.ecn,
        }
        control = {"name": twin.name, **twin.settings}
        document["flows"] = [{**table, "controller": control, "tcp": tcp} for table in self.bench.flows]
        return tomli_w.dumps(document)

    def _mtu(self) -> int:
        """Return the smallest MTU of the network, at most that of the emulator's interfaces."""
        return min([_ETHERNET_MTU_B, *_mtus(self.bench.document["network"])])

    def job(self, controller: str, seed: int, out: Path | None, *, force: bool, costly: bool) -> _core.Job:
        """Return the job of a simulated run."""
        origin = f"{Path(self.bench.origin).name} with {controller}"
        folder = None if out is None else str(out)
        return _core.Job(
            self.variant(controller),
            origin,
            seed=seed,
            duration=self.bench.duration,
            out=folder,
            force=force,
            costly=costly,
        )

    def simulated(self, controller: str, seed: int, run: Run) -> Result:
        """Return the numbers of a simulated run."""
        flows = run.summary["flows"][: len(self.flows)]
        return Result(
            controller=controller,
            platform=SIMULATOR,
            seed=seed,
            run=run,
            flows=tuple(flow["flow"] for flow in flows),
            goodput_mbit_s=self._together(
                [flow["goodput_mbit_s"] for flow in flows], [flow["completed_at_s"] for flow in flows]
            ),
            rtt_p50_ms=_round_trip(run, flows),
            degraded=tuple(run.provenance["degraded"]),
        )

    def emulated(self, controller: str, seed: int, out: Path | None, *, force: bool) -> Result:
        """Make an emulated run in real time, and return its numbers."""
        emulation = Emulation(self.variant(controller), seed=seed, duration=self.bench.duration, out=out, force=force)
        with emulation, contextlib.ExitStack() as stack:
            look = None
            if controller in self.loaded:
                helper, _ = kernel.load(controller)
                look = _Hints(stack.enter_context(helper), self.variant(controller), self.bench.duration).look
            outcome = bulk.run(emulation, self.flows, controller, self._parameters(controller), look)
        run, transfers = outcome.run, outcome.transfers
        by_port = {flow["name"].rpartition(":")[2]: flow for flow in run.summary["flows"] if flow["kind"] == "tcp"}
        found = [by_port.get(str(one.port)) for one in transfers]
        flows = [flow for flow in found if flow is not None]
        goodputs = [
            0.0 if summary is None else self._goodput(flow, one, summary)
            for flow, one, summary in zip(self.flows, transfers, found, strict=True)
        ]
        dropped = f"{outcome.dropped} packets were dropped before the path, in the queue of an interface of a site"
        idle = max((one.sent["idle"] for one in transfers), default=0.0)
        lacking = f"a program had no data ready for {100 * idle:.0f} % of its time"
        idled = f"{lacking}, because the program did not get a processor"
        return Result(
            controller=controller,
            platform=EMULATOR,
            seed=seed,
            run=run,
            flows=tuple(flow["flow"] for flow in flows),
            goodput_mbit_s=self._together(goodputs, [one.received["completed_s"] for one in transfers]),
            rtt_p50_ms=_round_trip(run, flows) if len(flows) == len(transfers) else None,
            degraded=(
                *run.provenance["degraded"],
                *([dropped] if outcome.dropped else []),
                *([idled] if idle > _LIMITED else []),
            ),
            limits=tuple(line for one in transfers for line in _limits(one)),
            mss=min((one.sent["mss"] for one in transfers), default=None),
        )

    def _goodput(self, flow: bulk.Flow, transfer: bulk.Transfer, summary: FlowSummary) -> float | None:
        """Return the goodput of a flow: received data divided by the flow's time.

        The time of a complete flow ends when the flow was complete. The time of a stopped flow ends at the stop or, if
        data arrived later, when its last data arrived. The time of any other flow ends at the end of the scenario.
        """
        got = transfer.received
        stopped = None if flow.stop_s is None else max(flow.stop_s, got["last_s"])
        end_s = got["completed_s"] or stopped or self._end_s
        arrived = got["received"]
        if got["completed_s"] is None:
            # The program reads data only in order, but the simulator also counts data after a gap. Retransmissions in
            # excess of the losses are duplicates.
            duplicates = max(0, summary["retransmitted_packets"] - lost_on_links(summary))
            segments = summary["delivered_packets"] - _OPENING_PACKETS - duplicates
            arrived = max(arrived, segments * transfer.sent["mss"])
        return arrived * 8e-6 / (end_s - flow.start_s) if end_s > flow.start_s else None

    def _together(self, goodputs: Sequence[float | None], completed: Sequence[float | None]) -> float | None:
        """Return the goodput of all flows together, computed from the goodput of each flow over its own time."""
        ends = [
            done or (self._end_s if flow.stop_s is None else flow.stop_s)
            for flow, done in zip(self.flows, completed, strict=True)
        ]
        known = [
            goodput * (end - flow.start_s)
            for goodput, end, flow in zip(goodputs, ends, self.flows, strict=True)
            if goodput is not None
        ]
        length_s = max(ends) - min(flow.start_s for flow in self.flows)
        return sum(known) / length_s if len(known) == len(self.flows) and length_s > 0.0 else None

    @property
    def _end_s(self) -> float:
        """The end of the scenario in seconds."""
        return self.bench.facts.duration_ns / 1e9

    def assumptions(
        self, controllers: Sequence[str], platforms: Sequence[str], results: Sequence[Result]
    ) -> Iterator[str]:
        """Yield sentences on the settings that are equal on both platforms, and on the settings that differ."""
        if SIMULATOR in platforms:
            twins = ", ".join(f"{name} is {self.twins[name].name}" for name in controllers)
            yield (
                f"simulator: TCP preset linux (Linux 6.1), segmentation offload, MSS {self._mtu() - _HEADER_B} B, "
                f"receive window up to {_BUFFER_B // 2 >> 20} MiB; {twins}"
            )
        emulated = [one for one in results if one.platform == EMULATOR]
        for one in emulated[:1]:
            facts = given(one.run.provenance.get("emulator"))
            settings = self._parameters(one.controller).items()
            said = ", ".join(f"{name.rpartition('/')[2]} = {value}" for name, value in settings)
            yield (
                f"emulator: Linux {facts['kernel']}, {facts['processors']} processors, {facts['scheduling']} "
                f"scheduling; MSS {one.mss} B, {said}; {_host(controllers)}"
            )
        presets = {table["tcp"].get("preset") for table in self.bench.flows}
        if presets != {"linux"}:
            named = ", ".join(sorted(f"{preset}" for preset in presets))
            yield f"the scenario's own TCP settings (preset {named}) are not used, except tcp.ecn"
        if _core.nanos(self.bench.document["warm_up"]):
            yield "the scenario's warm_up is not used: the numbers include the complete run"
        if len(self.flows) > 1:
            yield f"the goodput is the sum over all {len(self.flows)} flows, and round trips are medians over the flows"


class _Hints:
    """Writes the changes of a path into a loaded controller, on the clock of an emulation."""

    def __init__(self, helper: kernel.Helper, scenario: str, duration: str | None) -> None:
        self._helper = helper
        self._waiting: list[Change] = []
        if self._write(Change(0, 0), 0):
            self._waiting = changes_of(scenario, duration=duration)
            # A controller may read hints before the clock starts.
            self._write(self._waiting[0], time.monotonic_ns())

    def _write(self, change: Change, zero_ns: int) -> bool:
        """Write a hint, and return whether the controller reads hints."""
        self._helper.tell(change.on_clock(zero_ns))
        return self._helper.answer()["maps"] != 0

    def look(self, zero_ns: int) -> None:
        """Write the hints that are due. The clock of the scenario started at `zero_ns` of the monotonic clock."""
        while self._waiting and zero_ns + self._waiting[0].time_ns <= time.monotonic_ns():
            self._write(self._waiting.pop(0), zero_ns)


def _host(controllers: Sequence[str]) -> str:
    """Return further settings of this machine that affect its TCP, in words."""
    qdisc = _read("/proc/sys/net/core/default_qdisc")
    paced = "so only BBR, and loaded controllers with the parameter pacing, are paced (by TCP itself)"
    pacing = "which paces every flow" if qdisc == "fq" else paced
    said = [f"segmentation offload on, default_qdisc = {qdisc}, {pacing}"]
    said.append(f"tcp_timestamps = {_read('/proc/sys/net/ipv4/tcp_timestamps')}")
    if "cubic" in controllers:
        said.append(f"HyStart {'off' if _read('/sys/module/tcp_cubic/parameters/hystart') == '0' else 'on'}")
    return ", ".join(said)


def _read(file: str) -> str:
    try:
        return Path(file).read_text().strip()
    except OSError:
        return "unknown"


def _limits(transfer: bulk.Transfer) -> Iterator[str]:
    sent = transfer.sent
    for share, what in (
        (sent["window_limited"], "the receiver's window (tcp_rmem)"),
        (sent["buffer_limited"], "the sender's buffer (tcp_wmem)"),
    ):
        if share > _LIMITED:
            yield f"{what} limited a flow for {100 * share:.0f} % of its time"


def _round_trip(run: Run, flows: Sequence[FlowSummary]) -> float | None:
    """Return the median over time of the round trip; with several flows, the median of the flows' medians.

    Each interval of the series counts once. The summary has the median over acknowledgements, but their number per
    segment differs: Linux acknowledges up to 64 kB at once if segments arrive together (GRO).
    """
    import pyarrow.compute as pc

    series = run.flows.arrow
    medians: list[float | None] = []
    for flow in flows:
        own = pc.drop_null(series.filter(pc.equal(series["flow"], flow["flow"]))["rtt_ms"])
        medians.append(statistics.median(own.to_pylist()) if len(own) else None)
    return median(medians)


def _mtus(table: object) -> Iterator[int]:
    """Yield the values of all keys `mtu` of a network, in bytes."""
    if isinstance(table, dict):
        for key, value in table.items():
            yield from [_bytes(str(value))] if key == "mtu" else _mtus(value)
    elif isinstance(table, list):
        for value in table:
            yield from _mtus(value)


def _bytes(text: str) -> int:
    """Convert a size of a resolved scenario to bytes."""
    found = _core.quantity(text)
    if found is None or "B" not in found.units:
        raise ValueError(f'"{text}" is not a size of a resolved scenario')
    return round(float(found.number) * found.units[found.unit] / found.units["B"])
