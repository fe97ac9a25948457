# SPDX-License-Identifier: MIT OR Apache-2.0
"""The cases of vectors/ for the controllers of bpf/: tables of integers, and the runner that compares them.

bpf/native/runner.c describes the columns and the tolerances.
"""

from __future__ import annotations

import math
import re
import subprocess
import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from project import ROOT

BPF = ROOT / "bpf"
#: Bytes of a segment on a kernel (vectors/profiles.toml), and of a case that does not give a size.
MSS = int(tomllib.loads((ROOT / "vectors/profiles.toml").read_text())["segments"]["mss"])
CASE_MSS = 1_000_000
#: The largest segment that TCP can agree on, for cases in which a number of segments depends on their bytes.
MAX_MSS = 65_535

Value = bool | int | float | str
Step = dict[str, dict[str, Value]]

#: Values of the catalogue that differ from the default in BPF (bpf/include/window.h), scaled.
CATALOGUE_DEFAULTS = {"growth_limit": 1}
#: Controllers that keep no fraction of a segment: they call the kernel's own functions.
WHOLE: set[str] = set()
EVENTS = ["start", "ack", "loss", "timeout", "spurious", "recovered", "idle", "path", "nothing"]
#: Events that no callback of tcp_congestion_ops reports: the controller keeps its state.
SILENT = {"sent", "limited"}
#: Events that a kernel does not have, and why.
UNKNOWN_EVENTS = {
    "mss": "Linux keeps the number of segments when their size changes",
    "persistent_congestion": "only QUIC detects persistent congestion",
    "timer": "a controller in BPF has no timer",
}
KINDS = {"": 0, "handover": 0, "reroute": 1, "rate": 2, "outage": 3}
COLUMNS = re.findall(r"^\s+COLUMN\((\w+)\)", (BPF / "native/runner.c").read_text(), re.MULTILINE)


@dataclass(frozen=True)
class Parameter:
    """A parameter of a controller, as bpf/include/parameters.h describes the tag."""

    variable: str
    name: str
    scale: float
    words: tuple[str, ...]

    def scaled(self, value: Value) -> int | None:
        """Return the integer for a value of a case; None if the controller does not have this choice."""
        if self.words:
            return self.words.index(str(value)) if value in self.words else None
        if isinstance(value, str):
            number, unit = value.split()
            return round(float(number) * {"s": 1, "ms": 1e-3, "us": 1e-6, "ns": 1e-9}[unit] * self.scale)
        return round(value * self.scale)


@dataclass(frozen=True)
class Case:
    """A case of a file, and why it cannot apply to a controller in BPF (empty if it can)."""

    name: str
    table: str
    arguments: tuple[str, ...]
    obstacle: str


def controllers() -> list[str]:
    """Return the names of the controllers, as the kernel knows them."""
    return sorted(path.name.removesuffix(".bpf.c") for path in BPF.glob("*.bpf.c"))


def build(name: str, folder: Path, *options: str) -> Path:
    """Compile a controller and the runner with the host's compiler. Undefined behaviour stops the program."""
    source, program = BPF / f"{name}.bpf.c", folder / name
    command = ["cc", "-O1", "-Wall", "-Werror", "-fsanitize=undefined", "-fsanitize-undefined-trap-on-error"]
    command += [f"-I{BPF}", "-DBENTPIPE_NATIVE", f"-DCONTROLLER={name}", *options]
    if name in WHOLE:
        command.append("-DCONTROLLER_WHOLE")
    subprocess.run([*command, BPF / "native/runner.c", "-x", "c", source, "-o", program], check=True)
    return program


def parameters(program: Path) -> dict[str, Parameter]:
    """Return the parameters of a controller, by their name in Bentpipe's catalogue."""
    out = subprocess.run([program, "--parameters"], capture_output=True, text=True, check=True).stdout
    found = {}
    for line in out.splitlines():
        variable, _default, kind, name, *rest = line.split()
        words = tuple(rest) if kind == "choice" else ()
        found[name] = Parameter(variable, name, float(rest[0]) if kind == "parameter" else 1, words)
    return found


def micro(step: dict[str, Value], key: str) -> int:
    """Return a time in us or an amount in millionths; -1 if it is not given."""
    return round(float(step[key]) * (1000 if key.endswith("_ms") else 1_000_000)) if key in step else -1


def whole(step: dict[str, Value], key: str, default: int = -1) -> int:
    return int(step.get(key, default))


def row(
    kind: str, step: dict[str, Value], expect: dict[str, Value], bytes_scale: float, mss: int = MSS
) -> dict[str, int]:
    """Return the columns of one step."""
    rate = step.get("rate", {})
    assert isinstance(rate, dict)
    return {
        "event": EVENTS.index("nothing" if kind in SILENT else kind),
        "at_us": micro(step, "at_ms"),
        "segments": whole(step, "segments", 1),
        "rtt_us": micro(step, "rtt_ms"),
        "srtt_us": micro(step, "srtt_ms"),
        "limited": whole(step, "limited", 1),
        "recovery": whole(step, "recovery", 0),
        "round_start": whole(step, "round_start", 0),
        "duplicate": whole(step, "duplicate", 0),
        "app_limited": whole(step, "app_limited", int(not step.get("limited", True))),
        "in_flight_segments": math.ceil(float(step.get("in_flight_segments", -1))),
        "delivered_segments": whole(step, "delivered_segments"),
        "lost_segments": whole(step, "lost_segments"),
        "rate_segments": whole(rate, "delivered_segments"),
        "rate_interval_us": micro(rate, "interval_ms"),
        "rate_prior_segments": whole(rate, "prior_delivered_segments"),
        "rate_in_flight": whole(step if kind == "loss" else rate, "tx_in_flight_segments"),
        "rate_lost": whole(rate, "lost_segments"),
        "rate_app_limited": whole(rate, "app_limited"),
        "ranges": whole(step, "ranges", 1),
        "episode": whole(step, "episode", 1),
        "new_episode": whole(step, "new_episode", 1),
        "ecn": whole(step, "ecn", 0),
        "consecutive": whole(step, "consecutive", 1),
        "happens_us": micro(step, "happens_ms"),
        "lasts_us": micro(step, "lasts_ms"),
        "kind": KINDS.get(str(step.get("kind", "")), 0),
        "propagation_us": micro(step, "propagation_ms"),
        "distance_m": round(float(step["distance_km"]) * 1000) if "distance_km" in step else -1,
        "seed": whole(step, "seed", 0),
        "mss": mss,
        "roundings": 1,
        "cwnd_u": micro(expect, "cwnd_segments"),
        "ssthresh_u": micro(expect, "ssthresh_segments"),
        "ssthresh_unset": whole(expect, "ssthresh_unset", 0),
        "pacing_bit_s": round(float(expect["pacing_mbit_s"]) * bytes_scale * 1e6) if "pacing_mbit_s" in expect else -1,
        "pacing_unset": whole(expect, "pacing_unset", 0),
        "link_error": ["congestion", "link error"].index(str(expect["verdict"])) if "verdict" in expect else -1,
    }


@dataclass
class Burst:
    """The newest burst of a case: its number, sending time and RTT in the case; and the number of the next packet."""

    next_tx: int = 0
    number: int = 0
    sent_ms: float = 0
    rtt_ms: Value = 0


def acks(step: dict[str, Value], burst: Burst) -> list[dict[str, Value]]:
    """Return each ACK of a step that repeats. The RTT sample of a kernel is the time since the packet was sent."""
    singles: list[dict[str, Value]] = []
    if float(step.get("min_rtt_ms", math.inf)) < float(step.get("rtt_ms", 0)):
        # An earlier ACK had the smallest RTT.
        singles.append({"at_ms": step["at_ms"], "rtt_ms": step["min_rtt_ms"], "segments": 0, "limited": False})
    for repeated in range(int(step.get("repeat", 1))):
        at_ms = float(step["at_ms"]) + repeated * float(step.get("every_ms", 0))
        single = {**step, "at_ms": at_ms}
        newest = int(step.get("tx", burst.next_tx + int(step.get("segments", 1)) - 1))
        if newest >= burst.next_tx + int(step.get("segments", 1)):
            single["duplicate"] = True  # the packets before it are missing
        else:
            burst.next_tx = max(burst.next_tx, newest + 1)
        number = int(step.get("burst", 0))
        if "rtt_ms" in step:
            sent_ms = at_ms - float(step["rtt_ms"])
            if "sent_at_ms" in step:
                every_ms = float(step.get("sent_every_ms", step.get("every_ms", 0)))
                sent_ms = float(step["sent_at_ms"]) + repeated * every_ms
            elif number and number == burst.number and step["rtt_ms"] == burst.rtt_ms:
                sent_ms = burst.sent_ms
            burst.number, burst.sent_ms, burst.rtt_ms = number, sent_ms, step["rtt_ms"]
            single |= {"rtt_ms": at_ms - sent_ms, "srtt_ms": step.get("srtt_ms", step["rtt_ms"])}
        singles.append(single)
    return singles


def expand(case: dict[str, object], known: dict[str, Parameter], largest_mss: int = MSS) -> Case:
    """Return the table of a case for a controller with the parameters `known`."""
    obstacles: list[str] = []
    arguments = [f"{known[name].variable}={value}" for name, value in CATALOGUE_DEFAULTS.items() if name in known]
    settings = case.get("parameters", {})
    assert isinstance(settings, dict)
    for name, value in settings.items():
        scaled = known[name].scaled(value) if name in known else None
        if scaled is None:
            obstacles.append(f"{name} = {value} is not implemented")
        else:
            arguments.append(f"{known[name].variable}={scaled}")
    case_mss = case.get("mss", CASE_MSS)
    assert isinstance(case_mss, int)
    mss = min(case_mss, largest_mss) if largest_mss > MSS else MSS
    start = {"at_ms": 0, "segments": case.get("initial_window", 10), **case.get("start", {})}  # type: ignore[dict-item]
    rows = [row("start", start, {}, 1, mss) | {"roundings": int(case.get("roundings", 1))}]  # type: ignore[call-overload]
    steps = case["step"]
    assert isinstance(steps, list)
    burst = Burst()
    limit = "application"
    for step in steps:
        (kind,) = step.keys() - {"expect"}
        if kind == "limited":
            limit = step[kind]["by"]
        if kind in UNKNOWN_EVENTS:
            obstacles.append(UNKNOWN_EVENTS[kind])
            continue
        singles = acks(step[kind], burst) if kind == "ack" else [step[kind]]
        if kind == "idle":
            paused = limit == "application" and step[kind].get("idle_ms") != 0
            singles = [{**step[kind], "app_limited": paused}]
        rows += [row(kind, single, {}, 1) for single in singles[:-1]]
        rows.append(row(kind, singles[-1], step["expect"], mss / case_mss))
    lines = [",".join(COLUMNS)] + [",".join(str(cells[column]) for column in COLUMNS) for cells in rows]
    return Case(str(case["name"]), "\n".join(lines) + "\n", tuple(arguments), "; ".join(dict.fromkeys(obstacles)))


@cache
def file_of(name: str) -> list[dict[str, object]]:
    """Return the cases of the controller's file in vectors/."""
    found: list[dict[str, object]] = tomllib.loads((ROOT / "vectors" / f"{name.replace('_', '-')}.toml").read_text())[
        "case"
    ]
    return found


def cases(name: str, program: Path) -> list[Case]:
    """Return the cases of a controller, in the order of its file."""
    known = parameters(program)
    return [expand(case, known) for case in file_of(name)]


def bbr1_cases(program: Path, settings: dict[str, Value]) -> list[Case]:
    """Return the cases of BBRv1 for a controller that is BBRv1 with these parameters."""
    known = parameters(program)
    found = []
    for case in file_of("bbr1"):
        own = case.get("parameters", {})
        assert isinstance(own, dict)
        own = {key: value for key, value in own.items() if (key, value) != ("even_window", False)}
        found.append(expand({**case, "parameters": {**settings, **own}}, known, MAX_MSS))
    return found


def differences(program: Path, case: Case, *arguments: str) -> str:
    """Run a case and return the differences; empty if there is none."""
    command = [program, *case.arguments, *arguments]
    done = subprocess.run(command, input=case.table, capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1):
        return f"exit code {done.returncode}: {done.stderr}"
    return done.stdout
