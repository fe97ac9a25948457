# SPDX-License-Identifier: MIT OR Apache-2.0
"""The TCP of the studies where a paper names none: the minimal TCP, so that only the rules of the controller decide."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import bentpipe as bp

BARE = bp.Tcp(preset="bentpipe-0.1")


def runnable() -> dict[str, bool]:
    """The controllers that can run in every study, each with whether it replaces another.

    Controllers that need ECN are left out, because no path marks packets.
    """
    return {entry["name"]: entry["stand_in"] for entry in bp.controllers() if "ECN marks" not in entry["requires"]}


#: The modules that ns-2.35's TCP-Linux ships, by the names in papers of 2008 to 2015: Linux 2.6.22, as `bentpipe
#: validate ns2` has them beside `data/ns2`. Its Westwood is Westwood+, its CUBIC keeps 0.8 and has no HyStart,
#: its STCP adds a fiftieth. For a comparison with ns-2 also choose the preset `ns2-linux`.
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
    """A reading of the TCP of a paper's bed: `BARE`, a preset, or more.

    Args:
        tcp: The TCP that is read. Its own keys come before all other keys.
        sizes: Payload and header of the paper's packets in bytes.
        ours: The choice of the study for `BARE`; another TCP stays as it is.
        asked: Keys by name; None leaves a key out.
    """
    payload, header = sizes
    chosen = ours if ours is not None and tcp.preset == BARE.preset else bp.Tcp()
    wanted: dict[str, Any] = {"mss": f"{payload} B", "header": f"{header} B"}
    wanted |= chosen.to_document() | {key: value for key, value in asked.items() if value is not None}
    return replace(tcp, **{key: value for key, value in wanted.items() if getattr(tcp, key) is None})
