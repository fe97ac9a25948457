# SPDX-License-Identifier: MIT OR Apache-2.0
"""Transfer 100 MB over QUIC: every controller, and every setting that changes what is sent.

    python tests/long/quic_transfers.py

The receiver compares every byte with what was sent, and a wrong byte ends the run with an error. Over the path, each
overshoot of slow start leaves thousands of gaps at the receiver. A transfer may be too slow for the run. Then its
connection must be open at the end of the run. A closed connection fails the check.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any

import bentpipe as bp

#: Settings that change packets, acknowledgements, or streams.
SETTINGS: tuple[dict[str, Any], ...] = (
    {"controllers": "library"},
    {"keys": "null"},
    {"stream_size": "100 kB"},
    {"ack_frequency": 1},
    {"ack_frequency": 10},
    {"zero_rtt": True},
    {"pacing": False},
    {"datagram": "1452 B"},
    {"receive_window": "4 MB", "stream_window": "1 MB"},
)
#: Controllers with which each setting is tried.
SETTINGS_FOR = ("reno", "cubic")
SIZE_MB = 100


def cases() -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield each controller with the default settings, and two controllers with each other setting."""
    for entry in bp.controllers():
        yield str(entry["name"]), {}
    for name in SETTINGS_FOR:
        yield from ((name, settings) for settings in SETTINGS)


def scenario(controller: str, settings: dict[str, Any]) -> bp.Scenario:
    return bp.Scenario(
        duration="300 s",
        network=bp.Dumbbell(rate="100 Mbit/s", rtt="600 ms"),
        flows=[bp.Flow(transport="quic", controller=controller, size=f"{SIZE_MB} MB", quic=bp.Quic(**settings))],
        record=bp.Record(events=False),
    )


def outcome(controller: str, settings: dict[str, Any]) -> tuple[str, bool]:
    """Return the result of a transfer in words, and whether it is acceptable."""
    try:
        flow = bp.run(scenario(controller, settings)).summary["flows"][0]
    except bp.ScenarioError as error:
        return f"refused: {error}", True
    if (closed := flow["quic"]["closed"]) is not None:
        return f"closed: {closed}", False
    done = flow["completed_at_s"]
    return ("not complete after 300 s", True) if done is None else (f"complete after {done:.1f} s", True)


def main() -> int:
    failed = 0
    for controller, settings in cases():
        words, is_fine = outcome(controller, settings)
        failed += not is_fine
        sys.stdout.write(f"{controller:20} {settings or 'defaults'}: {words}\n")
        sys.stdout.flush()
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
