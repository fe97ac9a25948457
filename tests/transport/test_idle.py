# SPDX-License-Identifier: MIT OR Apache-2.0
"""Slow start after idle time, in every kind of application and in proxies: bursts after a pause.

RFC 5681, section 4.1: at most RW = min(IW, cwnd), which is 10 segments (RFC 6928). Linux halves the window for each
timeout in the pause, down to the same value. `bentpipe validate linux` compares Linux's traces
(`data/oracles/events.toml`, kind "idle").
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

import bentpipe as bp

if TYPE_CHECKING:
    from pathlib import Path

INITIAL_WINDOW = 10
#: This time is shorter than the round trip, and longer than a window of data needs to leave the host.
AT_ONCE_S = 0.1

REQUESTS = {
    "kind": "requests",
    "users": 1,
    "think": "1 s",
    "request": bp.Request(answer="2 MB", count=2, think="20 s"),
}
#: A player with a buffer for 4 s of film requests a segment every 8 s.
VIDEO = {
    "kind": "video",
    "users": 1,
    "think": "1 s",
    "video": bp.Video(ladder=["2 Mbit/s"], segment="8 s", length="48 s", buffer="9 s", startup="1 s"),
}


def bursts(run: bp.Run, pause_s: float, link: int = 0) -> list[int]:
    """Return the number of data packets in each burst on a link that follows a pause of at least `pause_s`."""
    rows = run.packets.to_pandas()
    sent = rows[(rows["kind"] == "data") & (rows["link"] == link) & (rows["event"] != "deliver")]
    times = np.sort(sent["time_s"].to_numpy())
    begins = np.flatnonzero(np.diff(times) > pause_s) + 1
    return [int(np.searchsorted(times, times[at] + AT_ONCE_S) - at) for at in begins]


def scenario(application: dict[str, object], tcp: bp.Tcp, controller: str = "reno") -> bp.Scenario:
    return bp.Scenario(
        name="pause",
        duration="70 s",
        network=bp.Dumbbell(rate="20 Mbit/s", rtt="600 ms", queue="1 BDP"),
        flows=[bp.Flow(controller=controller, tcp=tcp, **application)],
        record=bp.Record(packets=True),
    )


@pytest.mark.parametrize("preset", ["linux", "rfc"])
@pytest.mark.parametrize("application", [REQUESTS, VIDEO], ids=["requests", "video"])
def test_an_application_starts_again_with_the_initial_window(application: dict[str, object], preset: str) -> None:
    found = bursts(bp.run(scenario(application, bp.Tcp(preset=preset))), 3)
    assert found
    assert max(found) <= INITIAL_WINDOW
    kept = bp.Tcp(preset=preset, slow_start_after_idle="keep")
    assert max(bursts(bp.run(scenario(application, kept)), 3)) > 4 * INITIAL_WINDOW


@pytest.mark.parametrize("controller", ["cubic", "h-tcp", "vegas", "bic-linux", "westwood-plus", "hybla"])
def test_every_window_rule_starts_again(controller: str) -> None:
    found = bursts(bp.run(scenario(REQUESTS, bp.Tcp(preset="linux"), controller)), 3)
    assert found
    assert max(found) <= INITIAL_WINDOW


def test_a_model_of_the_path_keeps_its_window() -> None:
    """Linux exempts controllers with `cong_control`: its BBR sent 85 segments in the first round trip of 100 ms."""
    run = bp.run(scenario(REQUESTS, bp.Tcp(preset="linux"), "bbr1"))
    rows = run.packets.to_pandas()
    sent = rows[(rows["kind"] == "data") & (rows["link"] == 0) & (rows["event"] != "deliver")]["time_s"].to_numpy()
    at = int(np.flatnonzero(np.diff(np.sort(sent)) > 3)[0]) + 1
    assert np.searchsorted(np.sort(sent), np.sort(sent)[at] + 0.6) - at > 4 * INITIAL_WINDOW


def test_a_proxy_starts_again_too() -> None:
    """The connection over the satellite belongs to the proxy, which has its own TCP."""
    before = scenario(REQUESTS, bp.Tcp(preset="linux"))
    found = {}
    for rule in ("linux", "keep"):
        pep = bp.Pep(
            at=["left"],
            buffer="8 MB",
            controller="reno",
            tcp=bp.Tcp(preset="linux", slow_start_after_idle=rule),
        )
        flow = bp.Flow(
            controller="reno",
            tcp=bp.Tcp(preset="linux"),
            access=bp.AccessLink(rate="1 Gbit/s", delay="5 ms"),
            **REQUESTS,
        )
        run = bp.run(
            bp.Scenario(
                name="proxy",
                duration="70 s",
                network=before.network,
                flows=[flow],
                peps=[pep],
                record=before.record,
            )
        )
        found[rule] = max(bursts(run, 3))
    assert found["linux"] <= INITIAL_WINDOW < found["keep"]


def test_rfc7661_keeps_the_window_over_a_pause() -> None:
    """20 s are less than five minutes (section 4.4.3), so the second answer begins with the whole window."""
    tcp = bp.Tcp(preset="rfc", slow_start_after_idle="rfc7661")
    assert max(bursts(bp.run(scenario(REQUESTS, tcp)), 3)) > 4 * INITIAL_WINDOW


@pytest.mark.parametrize("application", ["requests", "video"])
def test_a_window_that_was_not_used_is_an_event_of_the_folder(application: str, tmp_path: Path) -> None:
    """RFC 5681: the restart window is 10 segments, in every kind of application."""
    of = {"requests": REQUESTS, "video": VIDEO}[application]
    bp.run(scenario(of, bp.Tcp(preset="rfc")), out=tmp_path / "run")
    events = bp.load(tmp_path / "run").events.to_pandas()
    unused = events[events["event"] == "unused"]
    assert len(unused) > 0
    assert (unused["after"] == INITIAL_WINDOW).all()
    assert (unused["before"] > INITIAL_WINDOW).all()


def test_rfc7661_halves_after_five_minutes() -> None:
    """Section 4.4.3: cwnd = max(cwnd / 2, IW) after five minutes without validation, and the event says so."""
    request = bp.Request(answer="2 MB", count=2, think="400 s")
    run = bp.run(
        bp.Scenario(
            name="long pause",
            duration="420 s",
            network=bp.Dumbbell(rate="20 Mbit/s", rtt="600 ms", queue="1 BDP"),
            flows=[
                bp.Flow(
                    controller="reno",
                    kind="requests",
                    users=1,
                    think="1 s",
                    request=request,
                    tcp=bp.Tcp(preset="rfc", slow_start_after_idle="rfc7661"),
                )
            ],
        )
    )
    events = run.events.to_pandas()
    unused = events[events["event"] == "unused"]
    assert len(unused) == 1
    before, after = unused.iloc[0][["before", "after"]]
    assert before > 4 * INITIAL_WINDOW
    assert after == int(before) // 2
