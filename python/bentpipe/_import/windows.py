# SPDX-License-Identifier: MIT OR Apache-2.0
"""Read logs of Windows ping in any language. The logs have neither sequence numbers nor times.

Source: Microsoft's reference of ping. By default, ping waits 4,000 ms for a reply (option -w).
"""

from __future__ import annotations

import re

from bentpipe._import.measured import Asked, Measured, Sample, probe

#: A reply: ``time=12ms``, ``Zeit<1ms``, ``temps=12 ms``.
REPLY = re.compile(r"[=<](?P<rtt>\d+)\s?ms\b")
#: Interval between probes in seconds, and time in seconds for which ping waits for a reply.
_USUAL_S, _WAIT_S = 1.0, 4.0


def read(lines: list[str], asked: Asked) -> Measured:
    """Read the round trips and the lost probes. Each line of the first paragraph is a probe."""
    interval_s = asked.interval_s or _USUAL_S
    samples: list[Sample] = []
    at_s, began = 0.0, False
    for line in lines:
        reply = REPLY.search(line)
        if not began and reply is None:
            began = line.rstrip().endswith(":")
            continue
        began = True
        if not line.strip():
            break
        samples.append(probe(at_s, None if reply is None else float(reply["rtt"])))
        # "Reply from 10.0.0.1: Destination host unreachable." is printed at once, "Request timed out." after the wait.
        timed_out = reply is None and ":" not in line and "failure" not in line
        at_s += max(interval_s, _WAIT_S) if timed_out else interval_s
    notes = [
        f"assumed: {interval_s:g} s between probes, {max(interval_s, _WAIT_S):g} s after a timeout (Windows prints no "
        "times; --interval TIME sets another interval)",
        "assumed: round trips are whole milliseconds, as Windows prints them",
    ]
    return Measured("ping (Windows)", samples, notes)
