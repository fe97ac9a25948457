# SPDX-License-Identifier: MIT OR Apache-2.0
"""Read logs of ping: iputils of Linux with and without -D and -O, BusyBox, macOS and BSD, Windows.

Sources: iputils, `ping/ping_common.c` (`print_timestamp` prints the time of arrival of the reply; "no answer yet";
sequence numbers restart after 65535, `MAX_DUP_CHK`); the sample log of LENS (clarkzjw/LENS, README). Numbers are found
by ``icmp_seq`` and ``ms``, so translated logs can be read too.
"""

from __future__ import annotations

import re
import statistics
from itertools import pairwise

from bentpipe._import import windows
from bentpipe._import.measured import HALVED, NO_RATE, QUEUED, Asked, Measured, answered, probe, text_of
from bentpipe.base.files import Unfit

#: A line with a sequence number. If it has a time, it is a reply.
_NUMBERED = re.compile(
    r"^(?:\[(?P<unix>\d+\.\d+)\] |(?P<clock>\d\d:\d\d:\d\d\.\d+) )?.*?\b(?:icmp_)?seq[= ](?P<seq>\d+)\b"
    r"(?:.*?[=<](?P<rtt>\d+(?:[.,]\d+)?) ?ms\b)?"
)
_SENT = re.compile(r"^(?P<sent>\d{1,18}) packets transmitted.*?(?:time (?P<ms>\d+) ?ms)?$")
#: Number of sequence numbers, which have 16 bits.
_WRAP = 65_536
#: Largest number of probes in a log: 28 hours at 10 ms.
_MOST = 10_000_000
#: ping(8), option -i.
_USUAL_S = 1.0


def matches(head: bytes) -> bool:
    """Return whether a file begins like a log of ping."""
    lines = text_of(head).splitlines()[:200]
    return any(_NUMBERED.match(line) or windows.REPLY.search(line) or re.match(r"\s*PING ", line) for line in lines)


def read(data: bytes, asked: Asked) -> Measured:
    """Read the round trips and the lost probes of a log."""
    lines = text_of(data).splitlines()
    numbered = any(_NUMBERED.match(line) for line in lines)
    measured = _numbered(lines, asked) if numbered else windows.read(lines, asked)
    if all(sample.rtt_ms is None for sample in measured.samples):
        raise Unfit("the log has no reply with a time (a line such as: 64 bytes from …: icmp_seq=1 ttl=64 time=35 ms)")
    measured.notes[:0] = [*answered(measured.samples), HALVED, QUEUED, NO_RATE]
    return measured


def _numbered(lines: list[str], asked: Asked) -> Measured:
    """Read a log with sequence numbers."""
    rtts: dict[int, float | None] = {}
    sent_s: dict[int, float] = {}
    base: int | None = None
    sent: int | None = None
    took_ms: str | None = None
    before: int | None = None
    turns = 0
    for number, line in enumerate(lines, 1):
        if line.startswith("PING "):
            if rtts:
                raise Unfit(f"line {number}: a second log begins here (split the file, and import each part)")
            # iputils ("56(84) bytes of data") counts from 1; macOS, BSD and BusyBox ("56 data bytes") count from 0.
            base = 0 if "data bytes" in line else 1
        elif found := _SENT.match(line):
            sent, took_ms = int(found["sent"]), found["ms"]
        elif found := _NUMBERED.match(line):
            if int(found["seq"]) >= _WRAP:
                raise Unfit(f"line {number}: the sequence number {found['seq'][:20]} has more than 16 bits")
            seq = int(found["seq"]) + turns * _WRAP
            if before is not None and seq < before - _WRAP // 2:
                turns, seq = turns + 1, seq + _WRAP
            before = seq
            if found["rtt"] is None:
                if "bytes from" in line:
                    raise Unfit(f"line {number}: the reply has no time (ping needs a payload of 16 bytes: -s 16)")
                rtts.setdefault(seq, None)
            elif rtts.get(seq) is None:  # otherwise the reply is a duplicate
                rtts[seq] = rtt_ms = float(found["rtt"].replace(",", "."))
                arrived_s = _arrival(found["unix"], found["clock"])
                if arrived_s is not None:
                    sent_s[seq] = arrived_s - rtt_ms / 1e3
    first, last = min(rtts) if base is None else min(base, *rtts), max(rtts)
    if sent is not None and base is not None:
        last = max(last, base + sent - 1)
    if last > first and rtts.get(last) is None and rtts.get(last - 1) is not None:
        last -= 1  # the log ended while the probe was under way
    if last - first >= _MOST:
        raise Unfit(f"the log counts {last - first + 1} probes, and {_MOST} is the limit (split it)")
    seqs = range(first, last + 1)
    notes, interval_s = [], None
    if len(sent_s) < 2:
        interval_s, why = _interval(asked, sent, took_ms)
        notes.append(f"assumed: {interval_s:g} s between probes ({why})")
        times = {seq: (seq - first) * interval_s for seq in seqs}
    else:
        times = _between(seqs, sent_s)
    source = "ping (Linux)" if base == 1 or sent_s else "ping"
    return Measured(source, [probe(times[seq], rtts.get(seq)) for seq in seqs], notes)


def _arrival(unix: str | None, clock: str | None) -> float | None:
    """Return the time in seconds that ``ping -D`` or ``ping --apple-time`` prints; None if there is no time."""
    if unix is not None:
        return float(unix)
    if clock is None:
        return None
    hours, minutes, seconds = clock.split(":")
    return 3600.0 * int(hours) + 60.0 * int(minutes) + float(seconds)


def _interval(asked: Asked, sent: int | None, took_ms: str | None) -> tuple[float, str]:
    """Return the interval in seconds between the probes of a log without times, and the source of this number."""
    if asked.interval_s is not None:
        return asked.interval_s, "--interval"
    if sent is not None and took_ms is not None and sent > 1:
        return int(took_ms) / 1e3 / (sent - 1), f"{took_ms} ms for {sent} probes, from the statistics of the log"
    return _USUAL_S, "the default of ping; --interval TIME sets another interval, and ping -D prints times"


def _between(seqs: range, sent_s: dict[int, float]) -> dict[int, float]:
    """Return the time of each probe. Unknown times are interpolated, or extrapolated with the median interval."""
    known = sorted(sent_s.items())
    interval_s = statistics.median((then - at) / (later - seq) for (seq, at), (later, then) in pairwise(known))
    times = dict(known)
    for (seq, at), (later, then) in pairwise(known):
        times |= {one: at + (then - at) * (one - seq) / (later - seq) for one in range(seq + 1, later)}
    (first, begin), (last, end) = known[0], known[-1]
    times |= {one: begin - (first - one) * interval_s for one in seqs if one < first}
    times |= {one: end + (one - last) * interval_s for one in seqs if one > last}
    return times
