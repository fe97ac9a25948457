# SPDX-License-Identifier: MIT OR Apache-2.0
"""Run ns-2's own agents on the networks of the A-LIAD and Vegas-W papers. Make a table with a line per flow and run.

The networks are those of papers/bentpipe_papers/{a_liad,vegas_w}/bed.py, seed by seed. A test compares them.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass, field
from typing import Any

import ns2
import numpy as np
import pyarrow as pa

#: The first seeds of `bentpipe reproduce`, and fewer seeds for the longest runs.
SEEDS, FEW = tuple(range(1, 11)), tuple(range(1, 6))
#: Receiver's window in segments: no limit. It is also the initial ssthresh.
WINDOW = 100_000
#: Start of a run in ns-2's time.
ORIGIN_S = 1.0
A_LIAD, VEGAS_W = "A-LIAD", "Vegas-W"
#: Modules of TCP-Linux that section 4 of A-LIAD names. Hybla and ns-2's own agents are also measured.
MODULES = tuple(f"linux-{name}" for name in ("cubic", "bic", "scalable", "highspeed", "westwood", "reno"))
BESIDE = ("linux-naive_reno", "sack1", "newreno")
#: A Hybla run that collapses (README) takes minutes, so there is only one seed, which does not collapse.
HYBLA, ONE = "linux-hybla", 1
#: The agents that Vegas-W is compared with, and `packetSize_` for 1000 bytes on the wire (Vegas adds no header).
AGENTS = {"vegas": 1000, "newreno": 960, "sack1": 960}
RTT_MS, LEG_MS, RATE_MBIT_S = 540.0, 120.0, 15.0
#: Times until which A-LIAD's figure 5 is measured, and spans of Vegas-W's figure 3 and 5, in s.
UNTIL_S = (5, 10, 15, 20, 30)
SPANS_S = ((0, 20), (20, 80), (80, 150), (150, 160), (160, 200))
ROUTE_S, ON_ROUTE_S = (50.0, 100.0), (50, 100)

_FLOATS = (
    *("access_mbit_s", "buffer_packets", "start_s", "goodput_mbit_s"),
    *(f"used_{time}_s" for time in UNTIL_S),
    *("left_slow_start_s", "left_slow_start_window", "first_drop_s", "first_drop_window", "largest_window"),
    *("mean_window_15_30_s", "lost_in_slow_start", "cuts_within_5_rtt", "full_s"),
    *(f"mbit_s_{start}_{stop}_s" for start, stop in (*SPANS_S, ON_ROUTE_S)),
    *("window_leaving", "window_returning"),
)
TABLE = pa.schema(
    [
        *((name, pa.string()) for name in ("paper", "case", "agent")),
        *(("seed", pa.int32()), ("flow", pa.int8()), ("flow_agent", pa.string()), ("flows", pa.int8())),
        *((name, pa.float64()) for name in ("rate_mbit_s", "rtt_ms", "per", "seconds", "from_s")),
        ("packet_bytes", pa.int32()),
        *((name, pa.float64()) for name in _FLOATS),
        *((name, pa.int64()) for name in ("segments_sent", "retransmissions", "timeouts", "cuts")),
        *((name, pa.int64()) for name in ("drops_queue", "broken_packets")),
    ]
)


def spread(seed: int, index: int = 0) -> float:
    """Return a number from 0 to 1, as in A-LIAD's bed."""
    return (seed * 0.6180339887 + index * 0.7548776662) % 1.0


def drawn_rtt_ms(rtt_ms: float, seed: int) -> float:
    """Return a round trip within 2 % of the nominal one, as in A-LIAD's bed."""
    return round(rtt_ms * (1.0 + 0.02 * (2.0 * spread(seed) - 1.0)), 3)


def shift_s(seed: int) -> float:
    """Returns the delay of the events on Vegas-W's path for a seed, as in its bed."""
    return round(seed * 0.6180339887 % 1 * RTT_MS / 1e3, 4)


def isl_delay_ms(seed: int) -> float:
    """Return the one-way delay between Vegas-W's gateways, as in its bed."""
    return round(RTT_MS / 2.0 - 2.0 * LEG_MS + seed * 0.7548776662 % 1, 4)


@dataclass(frozen=True)
class Run:
    """One run. `agent` is the agent under test."""

    paper: str
    case: str
    agent: str
    seed: int
    seconds: float
    rate_mbit_s: float
    rtt_ms: float
    links: tuple[tuple[float, float, float], ...]
    agents: tuple[str, ...]
    starts_s: tuple[float, ...] = (0.0,)
    per: float = 0.0
    from_s: float = 0.0
    access_mbit_s: float | None = None
    every_s: float = 1.0
    arrivals_s: float = 0.0
    script: dict[str, str] = field(default_factory=dict)

    @property
    def bottleneck(self) -> int:
        """Index of the bottleneck link."""
        return 1 if self.paper == A_LIAD else 0

    @property
    def buffer_packets(self) -> float:
        """Queue limit of the bottleneck in packets."""
        return self.links[self.bottleneck][2]

    def packet_bytes(self, agent: str) -> int:
        """Returns the size of a full packet on the wire, in bytes."""
        if self.paper == VEGAS_W:
            return 1000
        return 1050 if agent.startswith("linux-") else 1040

    def arguments(self) -> list[str]:
        """Return the arguments for paper.tcl. ns-2's seed is higher by one, because its seed 0 uses the clock."""
        flows = [
            f"{agent} {start} {AGENTS[agent] if self.paper == VEGAS_W else 0} {WINDOW}"
            for agent, start in zip(self.agents, self.starts_s, strict=True)
        ]
        given: dict[str, object] = {
            "links": " ".join(str(value) for link in self.links for value in link),
            "access": "",
            "bottleneck": self.bottleneck,
            "broken": 2 if self.paper == A_LIAD else 0,
            "per": self.per,
            "per_back": 0,
            "seed": self.seed + 1,
            "flows": " ".join(flows),
            "cbr": "",
            "route": "",
            "seconds": self.seconds,
            "every_s": self.every_s,
            "arrivals_s": self.arrivals_s,
            **self.script,
        }
        return [str(word) for pair in given.items() for word in pair]


def a_liad(case: str, agent: str, seed: int, *, rate: float = 10.0, rtt: float = 600.0, **more: Any) -> Run:
    """Return a run of A-LIAD's network: source, R1-R2, satellite link. The satellite link has errors, for data only."""
    buffer = more.pop("buffer", int(rate * 1e3 * rtt / (8 * 1040)))
    links = ((100, 1, 0), (rate, 5, buffer), (100, round(rtt / 2 - 6, 6), 0))
    more.setdefault("agents", (agent,))
    return Run(A_LIAD, case, agent, seed, rate_mbit_s=rate, rtt_ms=rtt, links=links, **more)


def crowd(case: str, agent: str, agents: tuple[str, ...], seed: int, **more: Any) -> Run:
    """Return a run of several flows that start within 0.1 s."""
    starts = tuple(round(0.1 * spread(seed, index), 6) for index in range(len(agents)))
    return a_liad(case, agent, seed, agents=agents, starts_s=starts, **more)


def vegas_w(case: str, agent: str, seed: int, access: float, **more: Any) -> Run:
    """Return a run of Vegas-W's network: hosts, gateways with the bottleneck between them, hosts."""
    link = (RATE_MBIT_S, isl_delay_ms(seed), 200)
    share = 0.95 + seed * 0.5698402910 % 1 * 0.1
    script = {"access": f"{access * share:.4f} {LEG_MS:g}", "per_back": "1e-06"}
    shift, low = shift_s(seed), isl_delay_ms(seed)
    if case == "cross traffic":
        seconds, arrivals = 200.0, 30.0
        script["cbr"] = f"6 1000 {80.0 + shift:.4f} {150.0 + shift:.4f}"
    else:
        seconds, arrivals = 150.0, 0.0
        leave, back = (moment + shift for moment in ROUTE_S)
        long = round(low + RTT_MS * 1.2, 4)
        script["route"] = f"{leave:.4f} {long} 20 {back:.4f} {low} 15"
    return Run(
        *(VEGAS_W, case, agent, seed, seconds, RATE_MBIT_S, RTT_MS, (link,), (agent,)),
        per=1e-6,
        access_mbit_s=access,
        every_s=RTT_MS / 20e3,
        arrivals_s=arrivals,
        script=script,
        **more,
    )


def runs() -> list[Run]:
    """Returns all runs, in the order of the table."""
    every = [*itertools.product(MODULES, SEEDS), *itertools.product(BESIDE, FEW), (HYBLA, ONE)]
    fine: dict[str, Any] = {"seconds": 30.0, "every_s": 0.01, "arrivals_s": 30.0}
    small: dict[str, Any] = {"buffer": 50}
    found = [
        a_liad(case, agent, seed, rtt=drawn_rtt_ms(600.0, seed), **fine, **buffer)
        for case, buffer in (("start-up", {}), ("start-up, 50 packets", small))
        for agent, seed in every
    ]
    found += [
        a_liad("errors", agent, seed, per=per, seconds=320.0, from_s=20.0)
        for per in (1e-3, 1e-2)
        for agent, seed in every
    ]
    found += [
        a_liad("errors", agent, seed, rtt=drawn_rtt_ms(600.0, seed), seconds=320.0, from_s=20.0)
        for agent, seed in itertools.product(MODULES, FEW)
    ]
    found += [
        crowd("friendliness", agent, ("linux-reno",) * 5 + (agent,), seed, rtt=25.0, seconds=300.0)
        for agent, seed in itertools.product((*MODULES, HYBLA), SEEDS)
    ]
    found += [
        vegas_w("cross traffic", agent, seed, access)
        for access, agent, seed in itertools.product((100.0, 22.0, 16.0), AGENTS, SEEDS)
    ]
    found += [
        vegas_w("new route", agent, seed, access)
        for access, agent, seed in itertools.product((100.0, 22.0), AGENTS, SEEDS)
    ]
    found += [
        crowd("six flows", agent, (agent,) * 6, seed, per=per, rate=50.0, rtt=100.0, seconds=120.0, from_s=20.0)
        for per, agent, seed in itertools.product((0.0, 1e-3, 1e-2), MODULES, FEW[:3])
    ]
    return found


@dataclass(frozen=True)
class Output:
    """Output of ns-2 for a run. Times are in s from the start, and windows of the first flow in segments."""

    run: Run
    #: Time at which each data packet first reached the receiver of the first flow.
    arrived: np.ndarray
    #: Times at which the flow's ssthresh_ changed.
    changes: list[float]
    times: np.ndarray
    windows: np.ndarray
    drops: np.ndarray
    #: In-order bytes at the receivers: a row for each sample, and a column for each flow.
    bytes_in_order: np.ndarray
    ends: list[list[int]]

    def window_at(self, time: float) -> float:
        """Returns the last sample of the window before a time."""
        return float(self.windows[np.searchsorted(self.times, time) - 1])

    def mbit_s(self, start: float, stop: float) -> float:
        """Return the mean rate of the first flow's in-order data, including headers."""
        low, high = (np.interp(time, self.times, self.bytes_in_order[:, 0]) for time in (start, stop))
        return float(high - low) * 8e-6 / (stop - start)

    @property
    def left(self) -> float:
        """Time at which slow start ended, when ssthresh_ first changed; NaN if it never changed."""
        return self.changes[0] if self.changes else np.nan


def read(run: Run, *, keep: bool = True) -> Output:
    """Makes the run, or reads its stored output."""
    arrived: dict[int, float] = {}
    changes, samples, ends = [], [], []
    for line in ns2.run("paper.tcl", run.arguments(), keep=keep):
        words = line.split()
        if words[0] == "s":
            samples.append([float(word) for word in words[1:]])
        elif words[0] == "r":
            # Packet 0 is the SYN. The node of a flow has no TCP packets of other flows.
            if words[4] == "tcp" and words[10] != "0":
                arrived.setdefault(int(words[10]), float(words[1]) - ORIGIN_S)
        elif words[0] == "e":
            ends.append([int(word) for word in words[1:]])
        elif words[5] == "ssthresh_" and float(words[0]) >= ORIGIN_S:
            changes.append(float(words[0]) - ORIGIN_S)
    table = np.array(samples)
    times = np.sort(np.fromiter(arrived.values(), float, len(arrived)))
    return Output(run, times, changes, table[:, 0], table[:, 1], table[:, 2], table[:, 3:], ends)


def of_start(out: Output) -> dict[str, float]:
    """Return the measures of A-LIAD's start-up, as in rows_start_up.py and rows_slow_start.py."""
    run = out.run
    size = run.packet_bytes(run.agent)
    found: dict[str, float] = {}
    for time in UNTIL_S:
        bits = 8 * size * np.searchsorted(out.arrived, time, side="right")
        found[f"used_{time}_s"] = 100.0 * float(bits) / (run.rate_mbit_s * 1e6 * time)
    dropped = np.flatnonzero(out.drops > 0)
    if dropped.size:
        found["first_drop_s"] = float(out.times[dropped[0]])
        found["first_drop_window"] = float(out.windows[dropped[0]])
    found["largest_window"] = float(out.windows.max())
    found["mean_window_15_30_s"] = float(out.windows[out.times > 15.0].mean())
    if out.changes:
        # The longest round trip includes a full queue.
        longest_s = run.rtt_ms / 1e3 + 8e-6 * size * (run.buffer_packets + 1) / run.rate_mbit_s
        found["left_slow_start_s"] = out.left
        found["left_slow_start_window"] = out.window_at(out.left)
        found["lost_in_slow_start"] = float(out.drops[np.searchsorted(out.times, out.left + 0.6, side="right") - 1])
        found["cuts_within_5_rtt"] = float(sum(time <= out.left + 5 * longest_s for time in out.changes))
    return found


def of_vegas_w(out: Output) -> dict[str, float]:
    """Return the measures of Vegas-W's runs, as in its bed.py."""
    run, found = out.run, {}
    if run.case == "new route":
        leave, back = (moment + shift_s(run.seed) for moment in ROUTE_S)
        found = {"window_leaving": out.window_at(leave), "window_returning": out.window_at(back)}
        found["mbit_s_50_100_s"] = out.mbit_s(*ROUTE_S)
        return found
    for start, stop in SPANS_S:
        found[f"mbit_s_{start}_{stop}_s"] = out.mbit_s(start, stop)
    if out.changes:
        found["left_slow_start_s"] = out.left
        found["left_slow_start_window"] = float(out.windows[out.times < out.left].max())
    # A complete round trip with 97 % of the rate, in steps of a twentieth of a round trip, within 30 s.
    ends = np.arange(20, int(run.arrivals_s / run.every_s) + 1) * run.every_s
    packets = np.searchsorted(out.arrived, ends, side="right") - np.searchsorted(
        out.arrived, ends - RTT_MS / 1e3, side="right"
    )
    full = ends[(packets * 8e-3 * run.packet_bytes(run.agent) / RTT_MS >= 0.97 * run.rate_mbit_s) & (ends > 0.541)]
    if full.size:
        found["full_s"] = float(full[0])
    return found


def rows(run: Run, *, keep: bool = True) -> list[dict[str, object]]:
    """Returns the lines of a run. The line of the first flow has its measurements."""
    out = read(run, keep=keep)
    own: dict[str, float] = {}
    if run.case.startswith("start-up"):
        own = of_start(out)
    elif run.paper == VEGAS_W:
        own = of_vegas_w(out)
    names = ("paper", "case", "agent", "seed", "rate_mbit_s", "rtt_ms", "per", "seconds", "from_s", "access_mbit_s")
    shared = {name: getattr(run, name) for name in (*names, "buffer_packets")}
    begun = np.searchsorted(out.times, run.from_s)
    lines: list[dict[str, object]] = []
    for flow, end in enumerate(out.ends):
        number, in_order, sent, again, timeouts, cuts, drops, broken = end
        agent, size = run.agents[flow], run.packet_bytes(run.agents[flow])
        payload = AGENTS[agent] if run.paper == VEGAS_W else 1000
        counted = in_order - (out.bytes_in_order[begun, flow] if run.from_s else 0)
        lines.append(
            shared
            | {
                "flow": number,
                "flow_agent": agent,
                "flows": len(run.agents),
                "packet_bytes": size,
                "start_s": run.starts_s[flow],
                "goodput_mbit_s": float(counted) * payload / size * 8e-6 / (run.seconds - run.from_s),
                "segments_sent": sent,
                "retransmissions": again,
                "timeouts": timeouts,
                "cuts": cuts,
                "drops_queue": drops,
                "broken_packets": broken,
            }
            | (own if flow == 0 else {})
        )
    return lines


def measure(*, keep: bool = True) -> pa.Table:
    """Makes every run."""
    lines = [line for run in runs() for line in rows(run, keep=keep)]
    return pa.Table.from_pylist(lines, schema=TABLE)
