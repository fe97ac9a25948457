# SPDX-License-Identifier: MIT OR Apache-2.0
"""The TCP of the studies.

If a paper names none, the TCP is minimal, so that results depend only on the controller's rules.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import bentpipe as bp

BARE = bp.Tcp(preset="bentpipe-0.1")


def runnable() -> dict[str, bool]:
    """Return the controllers that can run in every study, each with whether it only replaces its paper's controller.

    Controllers that need ECN are left out, because no path of the studies marks packets.
    """
    return {entry["name"]: entry["stand_in"] for entry in bp.controllers() if "ECN marks" not in entry["requires"]}


#: The modules of ns-2.35's TCP-Linux (Linux 2.6.22), by their names in papers of 2008 to 2015; `bentpipe validate ns2`
#: compares them with `data/ns2`. The module Westwood is Westwood+, CUBIC keeps 0.8 of its window and has no HyStart,
#: and STCP adds a fiftieth of a segment per ACK. A comparison with ns-2 also needs the preset `ns2-linux`.
TCP_LINUX: dict[str, str | dict[str, Any]] = {
    "BIC": {"name": "bic-linux", "reading": "ns-2"},
    "CUBIC": {"name": "cubic-linux", "reading": "ns-2"},
    "HSTCP": "hstcp-linux",
    "H-TCP": "h-tcp",
    "Hybla": {"name": "hybla-linux", "reading": "ns-2"},
    "Illinois": "illinois",
    "NewReno": "newreno",
    "STCP": {"name": "stcp", "small_windows": "linux", "ai_cnt": 50.0},
    "Vegas": "vegas-linux",
    "Veno": "veno",
    "Westwood": {"name": "westwood-plus", "reading": "ns-2"},
    "YeAH": "yeah",
}


def on_bed(tcp: bp.Tcp, sizes: tuple[int, int], ours: bp.Tcp | None = None, **asked: Any) -> bp.Tcp:
    """Return the TCP of a paper's bed in a reading: `BARE`, a preset, or a preset with further keys.

    Args:
        tcp: The TCP of the reading. Its own keys override all other keys.
        sizes: Payload and header of the paper's packets, in bytes.
        ours: The study's choices, which are used with `BARE` only.
        asked: Further keys by name. None leaves a key out.
    """
    payload, header = sizes
    chosen = ours if ours is not None and tcp.preset == BARE.preset else bp.Tcp()
    wanted: dict[str, Any] = {"mss": f"{payload} B", "header": f"{header} B"}
    wanted |= chosen.to_document() | {key: value for key, value in asked.items() if value is not None}
    return replace(tcp, **{key: value for key, value in wanted.items() if getattr(tcp, key) is None})
