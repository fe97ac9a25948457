# SPDX-License-Identifier: MIT OR Apache-2.0
"""The path changes of a scenario, as a controller in the kernel learns them (`bpf/include/hints.h`).

A controller in Python collects the announcements of a simulated run, so the kernel gets what a simulated controller
would get: the same times, with the same announcement and the same error.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import tomli_w

from bentpipe.base.errors import ScenarioError
from bentpipe.runs import make
from bentpipe.scenario.bench import Bench
from bentpipe.scenario.controller import Controller, register

if TYPE_CHECKING:
    import os

    from bentpipe._core import AckEvent, Control, PathEvent, StartEvent

#: Name of the controller that collects announcements.
_LISTENER = "path-listener"
#: `enum hint_kind` of bpf/include/hints.h.
_KINDS = {"handover": 0, "reroute": 1, "rate change": 2, "outage": 3}


@dataclass(frozen=True)
class Change:
    """A hint. Times count from the start of the scenario; 0 is unknown.

    Attributes:
        announced_ns: Time of the announcement.
        at_ns: Time of the change; 0 for the hint at the start.
        lasts_ns: Duration of the change.
        kind: Kind of the change, as in `PathEvent`.
        base_rtt_ns: Propagation delay of the round trip after the change.
        distance_m: Great-circle distance between the endpoints.
    """

    announced_ns: int
    at_ns: int
    lasts_ns: int
    kind: str
    base_rtt_ns: int
    distance_m: int

    def __str__(self) -> str:
        """Return the hint in words."""
        rtt = f"round trip {self.base_rtt_ns / 1e6:.1f} ms"
        if self.at_ns == 0:
            return f"{self.announced_ns / 1e9:.3f} s: {rtt}"
        return f"{self.announced_ns / 1e9:.3f} s: {self.kind} at {self.at_ns / 1e9:.3f} s, {rtt}"

    def on_clock(self, zero_ns: int) -> dict[str, object]:
        """Return the members of `struct hint`. The scenario starts at `zero_ns` of the monotonic clock."""
        return {
            "base_rtt_ns": self.base_rtt_ns,
            "boundary_ns": zero_ns + self.at_ns if self.at_ns else 0,
            "lasts_ns": self.lasts_ns,
            "announced_ns": zero_ns + self.announced_ns,
            "distance_m": self.distance_m,
            "kind": _KINDS[self.kind],
        }


def _ns(seconds: float | None) -> int:
    return 0 if seconds is None else round(seconds * 1e9)


def changes_of(
    scenario: str | os.PathLike[str], *, flow: str | None = None, duration: str | None = None
) -> list[Change]:
    """Return the hint at the start, and the changes of a flow's path in the order of their announcements.

    Args:
        scenario: A file, or TOML text.
        flow: Name of the flow, by default the first flow.
        duration: Replaces the scenario's duration.

    Raises:
        ScenarioError: If the scenario cannot be used, or has no flow of this name.
    """
    bench = Bench(scenario, duration=duration)
    named = {str(table["name"]): table for table in reversed(bench.flows)}
    wanted = flow or str(bench.flows[0]["name"])
    if wanted not in named:
        raise ScenarioError("scenario-value", f'{bench.origin}: no flow is called "{wanted}" (flows: {", ".join(named)})')
    found: list[Change] = []

    class Listener(Controller):
        """Sends one segment per round trip and collects announcements."""

        signals = ("propagation delay from the geometry", "distance between the endpoints", "path-change announcements")

        def on_start(self, event: StartEvent, control: Control) -> None:
            control.cwnd = 1.0
            distance_m = round((event.distance_km or 0.0) * 1e3)
            found.append(Change(_ns(event.now_s), 0, 0, "handover", _ns(event.propagation_rtt_s), distance_m))

        def on_ack(self, event: AckEvent, control: Control) -> None:
            """The window stays."""

        def on_path(self, event: PathEvent, control: Control) -> None:
            distance_m = round((event.distance_km or 0.0) * 1e3)
            change = Change(
                _ns(event.now_s),
                _ns(event.at_s),
                _ns(event.lasts_s),
                event.kind,
                _ns(event.propagation_rtt_s),
                distance_m or found[0].distance_m,
            )
            found.append(change)

    register(_LISTENER)(Listener)
    keys = ("name", "from", "to")
    table = {key: named[wanted][key] for key in keys} | {"controller": _LISTENER}
    make.run(tomli_w.dumps({**bench.document, "flows": [table]}), duration=duration)
    return found
