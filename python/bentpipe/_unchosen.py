# SPDX-License-Identifier: MIT OR Apache-2.0
"""Queues that a scenario leaves to its shape of network."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator


def _limit(queue: Any) -> str:
    return str(queue["limit"]) if isinstance(queue, dict) else str(queue)


def _bare(link: Any) -> bool:
    return (
        not isinstance(link, dict)
        or "queue" not in link
        or (isinstance(link["queue"], dict) and "limit" not in link["queue"])
    )


def _of_dumbbell(written: dict[str, Any], resolved: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    if _bare(written):
        yield "bottleneck", resolved["queue"]


def _of_chain(written: dict[str, Any], resolved: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    links = written.get("links")
    bare = [_bare(link) for link in links] if isinstance(links, list) else [_bare(written.get("link"))]
    if any(bare):
        yield f"{'every' if all(bare) else sum(bare)} link", resolved["links"][bare.index(True)]["queue"]


def _of_star(written: dict[str, Any], resolved: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    yield from (
        (f"branch {branch['site']}", branch["queue"])
        for own, branch in zip(written.get("branches") or [], resolved["branches"], strict=False)
        if _bare(own)
    )


def _of_constellation(written: dict[str, Any], resolved: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    kinds: dict[str, list[str]] = {}
    for kind, also in (("isl", ""), ("uplink", "user_link"), ("downlink", "user_link"), ("feeder", "")):
        table = resolved.get(kind)
        used = kind != "feeder" or resolved.get("gateways")
        if used and isinstance(table, dict) and _bare(written.get(kind)) and _bare(written.get(also)):
            kinds.setdefault(_limit(table["queue"]), []).append(kind)
    yield from ((", ".join(names), limit) for limit, names in kinds.items())


def _of_starlink(written: dict[str, Any], resolved: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    chosen = written.get("queue") or {}
    yield from ((way, resolved["queue"][way]) for way in ("up", "down") if way not in chosen)


#: Of each shape of network: the queues that a scenario leaves out, as (where, what it is).
_UNCHOSEN = {
    "dumbbell": _of_dumbbell,
    "chain": _of_chain,
    "star": _of_star,
    "constellation": _of_constellation,
    "starlink": _of_starlink,
}


def said(written: dict[str, Any], resolved: dict[str, Any]) -> str:
    """The queues that a network leaves to its shape, with what they are; empty if it chooses all."""
    ((shape, table),) = [(key, table) for key, table in written.items() if key in _UNCHOSEN]
    return "; ".join(f"{where} {_limit(queue)}" for where, queue in _UNCHOSEN[shape](table, resolved[shape]))
