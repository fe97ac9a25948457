# SPDX-License-Identifier: MIT OR Apache-2.0
"""The path changes of a scenario as hints for a controller in the kernel (`bpf/include/hints.h`).

A controller in Python collects the announcements of a simulated run. The kernel therefore gets the same announcements,
at the same times and with the same errors, as a simulated controller.
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
        time_ns: Time of the hint.
        base_rtt_ns: Propagation delay of the round trip at this time.
        at_ns: Time of the newest known change; 0 without a change.
        announced_ns: Time at which the change was announced.
        lasts_ns: Duration of the change.
        kind: Kind of the change, as in `PathEvent`.
        distance_m: Great-circle distance between the endpoints.
    """

    time_ns: int
    base_rtt_ns: int
    at_ns: int = 0
    announced_ns: int = 0
    lasts_ns: int = 0
    kind: str = "handover"
    distance_m: int = 0

    def __str__(self) -> str:
        """Return the hint in words."""
        now = f"{self.time_ns / 1e9:.3f} s: round trip {self.base_rtt_ns / 1e6:.1f} ms"
        return f"{now}, {self.kind} at {self.at_ns / 1e9:.3f} s" if self.at_ns > self.time_ns else now

    def on_clock(self, zero_ns: int) -> dict[str, int]:
        """Return the members of `struct hint`. The scenario starts at `zero_ns` of the monotonic clock."""
        return {
            "base_rtt_ns": self.base_rtt_ns,
            "boundary_ns": zero_ns + self.at_ns if self.at_ns else 0,
            "lasts_ns": self.lasts_ns,
            "announced_ns": zero_ns + self.announced_ns if self.at_ns else 0,
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
        raise ScenarioError(
            "scenario-value", f'{bench.origin}: no flow is called "{wanted}" (flows: {", ".join(named)})'
        )
    found: list[Change] = []

    class Listener(Controller):
        """Sends one segment per round trip and collects announcements."""

        signals = ("propagation delay from the geometry", "distance between the endpoints", "path-change announcements")

        def on_start(self, event: StartEvent, control: Control) -> None:
            control.cwnd = 1.0
            distance_m = round((event.distance_km or 0.0) * 1e3)
            found.append(Change(_ns(event.now_s), _ns(event.propagation_rtt_s), distance_m=distance_m))

        def on_ack(self, event: AckEvent, control: Control) -> None:
            """The window stays."""

        def on_path(self, event: PathEvent, control: Control) -> None:  # noqa: ARG002 - the window stays
            last, now_ns, at_ns = found[-1], _ns(event.now_s), _ns(event.at_s)
            # The flow hears of a change twice: when it is announced, and when it happens.
            is_ahead, was_ahead = at_ns > now_ns, last.at_ns > last.time_ns
            change = Change(
                time_ns=now_ns,
                base_rtt_ns=last.base_rtt_ns if is_ahead else _ns(event.propagation_rtt_s),
                at_ns=at_ns,
                announced_ns=last.announced_ns if was_ahead and not is_ahead else now_ns,
                lasts_ns=_ns(event.lasts_s),
                kind=event.kind,
                distance_m=last.distance_m,
            )
            found.append(change)

    register(_LISTENER)(Listener)
    keys = ("name", "from", "to")
    table = {key: named[wanted][key] for key in keys} | {"controller": _LISTENER}
    make.run(tomli_w.dumps({**bench.document, "flows": [table]}), duration=duration)
    return found
