# SPDX-License-Identifier: MIT OR Apache-2.0
"""The export formats. Each function returns the text, and notes on its content and limits."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bentpipe import _core
from bentpipe._export.path_trace import MTU_BITS, Step, Trace
from bentpipe.base.errors import ScenarioError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_MS = 1_000_000
#: Largest number of lines of a mahimahi trace. 50 million lines are 600 Gbit.
_MOST_LINES = 50_000_000
#: The limit in netem for a queue without a limit.
_NO_LIMIT = 1_000_000


def _decimal(value: int, digits: int) -> str:
    """Write a whole number of units as a decimal with `digits` places, without trailing zeros."""
    whole, part = divmod(value, 10**digits)
    return f"{whole}.{part:0{digits}d}".rstrip("0").rstrip(".")


def _ratio(value: float) -> str:
    return f"{value:.12f}".rstrip("0").rstrip(".")


def _rate(step: Step) -> str:
    return "unlimited" if step.rate_bit_s is None else _decimal(step.rate_bit_s, 6)


def _provenance(trace: Trace) -> str:
    """Return a line on the origin of the numbers."""
    about = trace.about
    return (
        f"bentpipe {_core.version()}: the path of flow {about['flow']} {trace.ends}, {trace.way}, "
        f"{about['duration_s']:g} s in steps of {about['step_s']:g} s"
    )


def _of_the_path(trace: Trace) -> list[str]:
    """Return the notes that every format has."""
    about = trace.about
    low, mean, high = trace.delays_ms()
    numbers = f"delay {low:.3f} to {high:.3f} ms one way"
    if not trace.unlimited:
        slow, rate, fast = trace.rates_mbit_s()
        numbers = f"rate {slow:.6g} to {fast:.6g} Mbit/s (mean {rate:.6g}), {numbers} (mean {mean:.3f})"
    losses = trace.losses()
    numbers += f", loss {losses[0]:.3g} to {losses[2]:.3g}"
    for seconds, words in (
        (about["no_path_s"], "without a path"),
        (about["all_lost_s"], "in which all packets are lost"),
        (about["no_rate_s"], "at rate 0, in which packets wait"),
    ):
        if seconds > 0:
            numbers += f", {seconds:.3f} s {words}"
    notes = [f"{trace.way}: flow {about['flow']} {trace.ends}: {numbers}"]
    if about["flows"] > 1:
        notes.append(
            f"one of the {about['flows']} flows of the scenario; the rate is the rate of the link, and the load of the "
            "other flows is not subtracted"
        )
    return notes + [f"note: {words}" for words in about["left_out"]]


def csv(trace: Trace) -> tuple[str, list[str]]:
    """Return a CSV with rate, delay and loss: a row for each change, and a last row that repeats the final values."""
    lines = [f"# {_provenance(trace)}", "time_s,rate_mbit_s,delay_ms,loss_ratio"]
    before = None
    for step in trace.steps:
        values = f"{_rate(step)},{_decimal(step.delay_ns, 6)},{_ratio(step.lost)}"
        if values != before:
            lines.append(f"{_decimal(step.at_ns, 9)},{values}")
            before = values
    last = trace.steps[-1]
    # A replay keeps the values of the last row forever, so a pause in this row would never end.
    moving = next((step for step in reversed(trace.steps) if step.rate_bit_s), last)
    lines.append(f"{_decimal(trace.duration_ns, 9)},{_rate(moving)},{_decimal(last.delay_ns, 6)},{_ratio(last.lost)}")
    notes = _of_the_path(trace)
    if trace.outage_s() > 0:
        notes.append(
            "note: while there is no path, or all packets are lost, the loss is 1, and rate and delay keep their "
            "previous values"
        )
    return "\n".join(lines) + "\n", notes


_NETEM = """\
set -eu
DEV=${{1:?usage: sudo {name} DEV}}
start=$(date +%s%N)
at() {{ # milliseconds after the start
  left=$(($1 - ($(date +%s%N) - start) / 1000000))
  if [ "$left" -gt 0 ]; then sleep "$((left / 1000)).$(printf %03d $((left % 1000)))"; fi
}}
path() {{ tc qdisc replace dev "$DEV" root netem "$@"; }}
trap 'tc qdisc del dev "$DEV" root' EXIT
trap 'exit 130' INT TERM
"""


def netem(trace: Trace) -> tuple[str, list[str]]:
    """Return a script for tc-netem(8), which sets delay, rate and loss of packets that leave a device at each step."""
    name = f"{trace.way}.sh"
    lines = ["#!/bin/sh", f"# {_provenance(trace)}"]
    lines += [
        "# For packets that leave DEV; needs GNU date, tc and permission to use tc.",
        _NETEM.format(name=name).rstrip(),
    ]
    before, paused = None, 0.0
    for step, span in trace.spans():
        lost, rate = step.lost, ""
        if step.rate_bit_s == 0:
            # In netem, a rate of zero means no limit.
            lost, paused = 1.0, paused + span / 1e9
        elif step.rate_bit_s is not None:
            rate = f" rate {step.rate_bit_s}bit"
        line = f"limit {_limit(trace, step.rate_bit_s, step.delay_ns)} delay {_decimal(step.delay_ns, 6)}ms{rate}"
        line += f" loss {_ratio(100 * lost)}%"
        if line != before:
            lines += [f"at {step.at_ns // _MS}; path {line}"]
            before = line
    lines.append(f"at {-(-trace.duration_ns // _MS)}")
    steps = sum(line.startswith("at ") for line in lines) - 1
    notes = _of_the_path(trace)
    notes.append(
        f"{name}: {steps} steps of tc qdisc replace; netem drops lost packets before its queue; its limit is the queue "
        "plus the packets in flight, because netem counts both"
    )
    if trace.queue is None:
        notes.append(f"note: the queue has no limit; {name} uses a limit of {_NO_LIMIT} packets")
    if trace.step_ns < 50 * _MS:
        notes.append("note: tc needs a few ms per step, so steps of less than 50 ms are late")
    if paused > 0:
        notes.append(
            f"note: the link pauses for {paused:.3f} s and keeps the waiting packets; netem loses them (loss 100%)"
        )
    return "\n".join(lines) + "\n", notes


def _limit(trace: Trace, rate_bit_s: int | None, delay_ns: int) -> int:
    if trace.queue is None or rate_bit_s is None:
        return _NO_LIMIT
    return max(1, trace.queue) + -(-rate_bit_s * delay_ns // (MTU_BITS * 10**9))


def deliveries(trace: Trace) -> str:
    """Return a trace for mm-link(1). A line for each 1500 bytes has the millisecond by which they have been sent."""
    if trace.unlimited:
        raise ScenarioError(
            "scenario-value",
            f"cannot export the path {trace.ends}: no link has a rate, which a mahimahi trace needs (set the rate of "
            "a link)",
        )
    packet, passed, told = MTU_BITS * 10**9, 0, 0
    counts: list[tuple[int, int]] = []
    for at, bits in _milliseconds(trace):
        passed += bits
        if (due := passed // packet) > told:
            counts.append((at, due - told))
            told = due
        if told > _MOST_LINES:
            message = f"the trace would have more than {_MOST_LINES} packets (use a shorter duration)"
            raise ScenarioError("scenario-value", message)
    end = -(-trace.duration_ns // _MS)
    if not counts or counts[-1][0] < end:
        counts.append((end, 1))  # the last line is the period
    return "".join(f"{at}\n" * count for at, count in counts)


def _milliseconds(trace: Trace) -> Iterator[tuple[int, int]]:
    """Yield the amount of data until each full millisecond, in billionths of a bit."""
    for step, span in trace.spans():
        rate = round((step.rate_bit_s or 0) * (1 - step.outage))
        at, end = step.at_ns, step.at_ns + span
        while at < end:
            until = min((at // _MS + 1) * _MS, end)
            yield -(-until // _MS), rate * (until - at)
            at = until


def mahimahi(forward: Trace, back: Trace) -> tuple[dict[str, str], list[str]]:
    """Return the traces of both directions, and the command that replays them with a constant delay and loss."""
    notes = [*_of_the_path(forward), *_of_the_path(back)]
    delay = round((forward.delays_ms()[1] + back.delays_ms()[1]) / 2)
    for trace in (forward, back):
        low, mean, high = trace.delays_ms()
        if round(low, 6) != delay or round(high, 6) != delay:
            notes.append(
                f"note: {trace.way}: the delay is {low:.3f} to {high:.3f} ms (mean {mean:.3f}); mm-delay has {delay} "
                f"ms in both directions, so the error is up to {max(delay - low, high - delay):.3f} ms"
            )
    files = _mahimahi(forward, back, ["mm-delay", str(delay)], notes)
    return files, notes


def leoreplayer(forward: Trace, back: Trace) -> tuple[dict[str, str], list[str]]:
    """Return the traces, and a file with a delay for each step for LeoReplayer's mm-delay."""
    if forward.step_ns % _MS:
        raise ScenarioError("argument-value", "LeoReplayer's steps must be whole milliseconds (use another step)")
    notes = [*_of_the_path(forward), *_of_the_path(back)]
    both = [(there.delay_ns + other.delay_ns) / 2 / _MS for there, other in zip(forward.steps, back.steps, strict=True)]
    delays = [round(delay) for delay in both]
    uneven = max(abs(a.delay_ns - b.delay_ns) for a, b in zip(forward.steps, back.steps, strict=True)) / _MS
    off = max(abs(delay - held) for delay, held in zip(both, delays, strict=True))
    notes.append(
        "note: LeoReplayer delays packets of both directions by the same whole number of milliseconds: half of the sum "
        f"of the path's two delays, rounded. The path's delays in the two directions differ by up to {uneven:.3f} ms, "
        f"and rounding changes their mean by up to {off:.3f} ms"
    )
    notes.append(
        "note: LeoReplayer replays its files by one common clock only if mm-delay is the outermost shell, as in run.sh"
    )
    head = ["mm-delay", str(forward.step_ns // _MS), '"$here/delays"']
    files = _mahimahi(forward, back, head, notes)
    # Without a path the delay keeps its previous value, as in the other formats.
    return {"delays": "".join(f"{delay}\n" for delay in delays)} | files, notes


def _mahimahi(forward: Trace, back: Trace, head: Sequence[str], notes: list[str]) -> dict[str, str]:
    """Return traces and command, and add notes on the limits of mm-loss and mm-link."""
    command = list(head)
    for trace, link in ((forward, "uplink"), (back, "downlink")):
        low, mean, high = trace.losses()
        if mean > 0:
            command += ["mm-loss", link, _ratio(mean)]
        if high - low > 1e-9:
            notes.append(f"note: {trace.way}: the loss is {low:.3g} to {high:.3g}; mm-loss uses the mean, {mean:.3g}")
        if (outage := trace.outage_s()) > 0:
            notes.append(
                f"note: {trace.way}: for {outage:.3f} s the flow has no path, or all packets are lost; during this "
                "time mm-link delivers nothing, and packets wait"
            )
    command += ["mm-link", '"$here/up"', '"$here/down"']
    for trace, link in ((forward, "uplink"), (back, "downlink")):
        if trace.queue is not None:
            command += [f"--{link}-queue=droptail", f"--{link}-queue-args=packets={max(1, trace.queue)}"]
    notes.append(
        f"each line is one packet of 1500 bytes; the traces repeat after {-(-forward.duration_ns // _MS)} ms, and the "
        "last line of a period may be one additional packet"
    )
    text = ["#!/bin/sh", *(f"# {_provenance(trace)}" for trace in (forward, back))]
    text += [f"# {line}" for line in notes]
    text += ['here=$(dirname "$(realpath "$0")")', f'exec {" ".join(command)} -- "$@"']
    return {"up": deliveries(forward), "down": deliveries(back), "run.sh": "\n".join(text) + "\n"}
