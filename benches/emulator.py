# SPDX-License-Identifier: MIT OR Apache-2.0
"""Measure how exact and how fast the emulator is on this machine: delay, lateness, a path with steps, rates.

    sudo .venv/bin/python benches/emulator.py [--rounds 5]

Each number is the median of the rounds. The script needs root, iperf3 and ping, and an idle machine, because other
processes make packets late. A number outside its bound is marked, and the exit code is then 1.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, TypedDict

from bentpipe.runs.emulate import Emulation, Program

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

FLOW = """
[[flows]]
controller = "cubic"
from = "left"
to = "right"
"""
#: Round trips in ms whose measured value is compared.
ROUND_TRIPS_MS = (20, 60, 600)
#: Rates in Mbit/s that UDP fills.
RATES_MBIT_S = (1, 10, 100, 500)
#: One-way delays in ms of the path with steps, one per second.
STEPS_MS = (10, 16, 12, 19, 11, 15, 10, 18, 12, 14)
#: Probes within this time of a step, in s, are ignored: the start of the session's clock is known only to about 0.1 ms.
NEAR_STEP_S = 0.002
PROBES_PER_S = 1000

#: Sends numbered probes at 1,000 per second until the path with steps ends. Each carries the time of sending.
SENDER = f"""
import socket, struct, time
out = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
begun = time.clock_gettime_ns(time.CLOCK_REALTIME)
for number in range({(len(STEPS_MS) - 1) * PROBES_PER_S}):
    due = begun + number * {10**9 // PROBES_PER_S}
    while (left := due - time.clock_gettime_ns(time.CLOCK_REALTIME)) > 0:
        time.sleep(left / 1e9)
    out.sendto(struct.pack("q", time.clock_gettime_ns(time.CLOCK_REALTIME)), ("right", 9))
time.sleep(0.2)
"""
#: Writes the time of sending and the kernel's time of arrival (SO_TIMESTAMPNS) of each probe, in ns.
RECEIVER = """
import socket, struct, sys
SO_TIMESTAMPNS = 35
box = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
box.setsockopt(socket.SOL_SOCKET, SO_TIMESTAMPNS, 1)
box.bind(("0.0.0.0", 9))
with open(sys.argv[1], "w", buffering=1) as out:
    while True:
        data, extra, _, _ = box.recvmsg(64, 64)
        seconds, nanoseconds = struct.unpack("qq", extra[0][2][:16])
        out.write(f"{struct.unpack('q', data)[0]} {seconds * 10**9 + nanoseconds}\\n")
"""
#: Prints the lateness in us of a process with a real-time policy that sleeps until each of 3,000 times.
TIMER = """
import os, time
os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1))
due = time.monotonic_ns()
for _ in range(3000):
    due += 1_000_000
    time.sleep(max(due - time.monotonic_ns(), 0) / 1e9)
    print((time.monotonic_ns() - due) / 1e3)
"""
#: Prints the mean rate in Mbit/s at which a site's interface receives, from 2 s to 6 s after the start.
COUNTER = """
import time
def received():
    rows = [line.split() for line in open("/proc/net/dev") if ":" in line]
    return time.monotonic_ns(), sum(int(row[1]) for row in rows if row[0] != "lo:")
time.sleep(2)
begun_ns, first = received()
time.sleep(4)
ended_ns, last = received()
print((last - first) * 8e3 / (ended_ns - begun_ns))
"""


class Facts(TypedDict):
    """Facts on the emulator from a run (`provenance.emulator`)."""

    packets: int
    lateness_p50_us: float
    lateness_p99_us: float
    lateness_p999_us: float


class Result(TypedDict):
    """The output of programs at the sites, and the facts of the run."""

    output: str
    facts: Facts
    begun_ns: int


def dumbbell(network: str) -> str:
    """Return a scenario with this network between two sites."""
    return f'duration = "1 h"\n[network.dumbbell]\n{network}\n{FLOW}'


def emulated(
    scenario: str, command: Sequence[str], helper: Sequence[str] | None = None, *, at: str = "right"
) -> Result:
    """Run a command at a site, beside a helper at the other site.

    Args:
        scenario: TOML text.
        command: The program and its arguments.
        helper: A program that listens at the other site before the command starts.
        at: Name of the site of the command.
    """
    with tempfile.NamedTemporaryFile("r") as output, Emulation(scenario) as emulation:
        if helper is not None:
            emulation.await_port(emulation.start("left" if at == "right" else "right", helper, is_helper=True))
        begun_ns = time.clock_gettime_ns(time.CLOCK_REALTIME)
        emulation.begin()
        shell = ["sh", "-c", 'out=$1; shift; exec "$@" > "$out"', "sh", output.name, *command]
        ended(emulation.start(at, shell))
        facts: Facts = emulation.finish().provenance["emulator"]
        return Result(output=output.read(), facts=facts, begun_ns=begun_ns)


def ended(program: Program) -> None:
    """Wait until a program has ended."""
    while (status := program.poll()) is None:
        time.sleep(0.02)
    if status != 0:
        sys.exit(f"{' '.join(program.arguments[5:])}: exit status {status}")


def ping_ms(scenario: str) -> tuple[float, Facts]:
    """Return the mean round trip that ping measures, in ms, and the facts of the run.

    The mean has three decimals. The round trip of one packet has none from 100 ms.
    """
    result = emulated(scenario, ["ping", "-n", "-q", "-i", "0.01", "-c", "300", "left"])
    found = re.search(r"min/avg/max/mdev = [\d.]+/([\d.]+)/", result["output"])
    if found is None:
        sys.exit(f"ping printed no mean round trip: {result['output']}")
    return float(found[1]), result["facts"]


def timer_lateness_us() -> float:
    """Return the p99 lateness of a bare timer of this machine, in us, under the policy of the emulator.

    A process with SCHED_FIFO sleeps until 3,000 times that are 1 ms apart. No emulator can be less late than this timer
    without waiting actively.
    """
    done = subprocess.run([sys.executable, "-c", TIMER], capture_output=True, check=True, text=True)
    return quantile([float(line) for line in done.stdout.split()], 0.99)


def offset_ms() -> float:
    """Return the round trip over a path without delay, in ms: the part of the kernel, ping and the emulator."""
    return ping_ms(dumbbell('rate = "100 Gbit/s"\nrtt = "1 us"'))[0] - 1e-3


def step_errors_us() -> list[float]:
    """Return the errors of each probe's one-way delay on the path with steps, in us, minus the median error."""
    steps = [[f"{number} s", f"{delay} ms"] for number, delay in enumerate(STEPS_MS)]
    scenario = dumbbell(f'rate = "100 Gbit/s"\ndelay_steps = {json.dumps(steps)}')
    with tempfile.NamedTemporaryFile("r") as arrivals:
        receiver = [sys.executable, "-c", RECEIVER, arrivals.name]
        result = emulated(scenario, [sys.executable, "-c", SENDER], receiver, at="left")
        rows = [tuple(map(int, line.split())) for line in arrivals.read().splitlines()]
    errors = []
    for sent_ns, arrived_ns in rows:
        at_s = (sent_ns - result["begun_ns"]) / 1e9
        if NEAR_STEP_S < at_s % 1 < 1 - NEAR_STEP_S:
            errors.append((arrived_ns - sent_ns) / 1e3 - STEPS_MS[int(at_s)] * 1e3)
    return errors


def rate_mbit_s(rate: int) -> float:
    """Return the rate on the wire that UDP reaches when it sends at 1.2 times the link's rate, in Mbit/s.

    The kernel counts the bytes that arrive at the site's interface. Packets that the receiving program loses while it
    waits for a processor are counted. The queue grows during the first two seconds, so that it is never empty later.
    """
    scenario = dumbbell(f'rate = "{rate} Mbit/s"\nrtt = "20 ms"\nqueue = "100000 packets"')
    traffic = f"iperf3 -c left -R -u -b {1.2 * rate}M -l 1400 -t 8 > /dev/null & {sys.executable} -c '{COUNTER}'; wait"
    return float(emulated(scenario, ["sh", "-c", traffic], ["iperf3", "-s"])["output"])


def tcp_mbit_s() -> tuple[float, Facts]:
    """Return the goodput of a TCP connection that the link does not limit, in Mbit/s, and the facts of the run."""
    scenario = dumbbell('rate = "100 Gbit/s"\nrtt = "1 ms"\nqueue = "100000 packets"')
    result = emulated(scenario, ["iperf3", "-c", "left", "-R", "-t", "5", "-J"], ["iperf3", "-s"])
    return float(json.loads(result["output"])["end"]["sum_received"]["bits_per_second"]) / 1e6, result["facts"]


def quantile(values: Sequence[float], share: float) -> float:
    """Return the value below which this share of the values lies."""
    return sorted(values)[min(int(share * len(values)), len(values) - 1)]


class Report:
    """Prints a line for each number, and records whether all bounds are met."""

    def __init__(self, rounds: int) -> None:
        self.rounds = rounds
        self.all_met = True

    def line(self, what: str, measure: Callable[[], float], bound: str, is_met: Callable[[float], bool]) -> float:
        """Measure a number in each round, and print its median and range.

        Args:
            what: Words for the number.
            measure: Returns the number of one round.
            bound: The bound in words.
            is_met: Whether a number is within the bound.
        """
        values = [measure() for _ in range(self.rounds)]
        median = statistics.median(values)
        met = is_met(median)
        self.all_met = self.all_met and met
        mark = "" if not bound else f"  {bound}: {'met' if met else 'NOT MET'}"
        sys.stdout.write(f"{what:44} {median:9.3f}  ({min(values):.3f} to {max(values):.3f}){mark}\n")
        sys.stdout.flush()
        return median


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5)
    rounds = parser.parse_args().rounds
    if os.geteuid() != 0:
        sys.exit("the emulator needs root for a real-time policy (use sudo)")
    kernel = Path("/proc/sys/kernel/osrelease").read_text().strip()
    sys.stdout.write(f"kernel {kernel}, {os.cpu_count()} processors, load {os.getloadavg()[0]:.1f}, {rounds} rounds\n")
    report = Report(rounds)
    report.line("lateness of a bare timer: p99, us", timer_lateness_us, "", lambda _: True)
    offset = report.line("round trip of an empty path, ms", offset_ms, "", lambda _: True)
    lateness: list[Facts] = []

    def error_ms(rtt: int) -> float:
        measured, facts = ping_ms(dumbbell(f'rate = "1 Gbit/s"\nrtt = "{rtt} ms"'))
        lateness.append(facts)
        return measured - rtt - offset

    for rtt in ROUND_TRIPS_MS:
        report.line(
            f"round trip of {rtt} ms: error, ms", lambda rtt=rtt: error_ms(rtt), "within 0.2", lambda x: abs(x) <= 0.2
        )
    p99 = statistics.median(facts["lateness_p99_us"] for facts in lateness)
    report.line("lateness of these packets: p99, us", lambda: p99, "at most 150", lambda x: x <= 150)
    report.line(
        "probes over steps: p99 of the error, us",
        lambda: quantile([abs(error) for error in step_errors_us()], 0.99),
        "at most 150",
        lambda x: x <= 150,
    )
    for rate in RATES_MBIT_S:
        report.line(
            f"rate of {rate} Mbit/s: ratio",
            lambda rate=rate: rate_mbit_s(rate) / rate,
            "within 1 %",
            lambda x: abs(x - 1) <= 0.01,
        )
    report.line("TCP without a limit, Mbit/s", lambda: tcp_mbit_s()[0], "at least 1000", lambda x: x >= 1000)
    return 0 if report.all_met else 1


if __name__ == "__main__":
    sys.exit(main())
