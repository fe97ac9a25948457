# SPDX-License-Identifier: MIT OR Apache-2.0
"""Proxies that lose their state: what was acknowledged and is lost, and what follows, against numbers worked by hand."""

from __future__ import annotations

import pytest

import bentpipe as bp

MSS = 1448
BUFFER = 100 * MSS
WINDOW = 20 * MSS


def broken(size: int | None = 2000 * MSS, duration: str = "20 s", **pep: object) -> bp.Run:
    """10 ms to the proxy, 50 ms behind it, no rates. The receiver takes 20 segments at a time, the proxy holds 100.

    What is sent at once arrives at once. The first 10 segments come to the proxy at 10 ms and are acknowledged at 110 ms;
    from then on 20 leave every 100 ms, at 110, 210, ... ms, and arrive 50 ms later. The proxy has room for 20 more then, and
    gets them 20 ms later: but for 20 of each 100 ms it is full.
    """
    links = [bp.Link(rate="unlimited", delay=delay) for delay in ("10 ms", "50 ms")]
    flow = bp.Flow(
        controller="reno",
        size=None if size is None else f"{size} B",
        tcp=bp.Tcp(receive_window=f"{WINDOW} B"),
    )
    peps = [bp.Pep(at=["1"], buffer=f"{BUFFER} B", **pep)]
    return bp.run(bp.Scenario(duration=duration, network=bp.Chain(links=links), flows=[flow], peps=peps))


def the_break(run: bp.Run) -> dict[str, object]:
    (one,) = run.summary["breaks"]
    return one


def test_what_the_proxy_held_is_lost() -> None:
    """At 5.05 s the buffer is full, as the link behind is slower. The last 20 segments left at 5.01 s and arrive at 5.06 s;
    the other 80 were acknowledged and are lost. The host is told 10 ms later and begins anew after a second, at 6.06 s;
    10 + 50 ms later the receiver hears of it.
    """
    one = the_break(broken(resets=["5.05 s"]))
    assert (one["name"], one["at"], one["cause"], one["time_s"]) == ("reno", "1", "reset", 5.05)
    assert (one["held_bytes"], one["lost_bytes"]) == (BUFFER, BUFFER - WINDOW)
    assert one["again_s"] == pytest.approx(6.06, abs=1e-9)
    assert one["silent_s"] == pytest.approx(6.12 - 5.05, abs=1e-9)


def test_every_byte_is_delivered_once_or_counted_as_lost() -> None:
    """Until 5.06 s 10 + 50 x 20 segments arrive; 990 of 2,000 are left. They leave the proxy at 6.07 s (10) and, 20 at a time,
    until 10.97 s, and arrive 50 ms later. Without a break 2,000 take until 10.06 s.
    """
    whole = broken()
    assert "breaks" not in whole.summary
    assert whole.summary["flows"][0]["completed_at_s"] == pytest.approx(10.06, abs=1e-9)
    flow = broken(resets=["5.05 s"]).summary["flows"][0]
    assert flow["completed_at_s"] == pytest.approx(11.02, abs=1e-9)
    assert flow["goodput_mbit_s"] * flow["completed_at_s"] * 1e6 / 8 == pytest.approx(2000 * MSS)


def test_an_application_may_give_up() -> None:
    """1,010 segments have arrived, and no more do: 80 that the host believes to be there never come."""
    run = broken(resets=["5.05 s"], retry="off")
    one, flow = the_break(run), run.summary["flows"][0]
    assert (one["lost_bytes"], one["again_s"], one["silent_s"]) == (BUFFER - WINDOW, None, None)
    assert flow["completed_at_s"] is None
    assert flow["goodput_mbit_s"] * 20e6 / 8 == pytest.approx(1010 * MSS)
    assert run.summary["proxies"][0]["held_at_end_bytes"] == 0


def test_what_was_acknowledged_to_a_host_that_is_done_is_lost_too() -> None:
    """100 segments are all taken by the proxy soon; of them 10 + 2 x 20 have arrived or are under way at 0.25 s. The host has
    all acknowledgements by then, and would not know. What is left comes later.
    """
    run = broken(size=100 * MSS, resets=["0.25 s"])
    one = the_break(run)
    assert one["lost_bytes"] == 50 * MSS
    # 1.26 + 0.06 s: the first 10; 20 more 100 and 200 ms later.
    assert run.summary["flows"][0]["completed_at_s"] == pytest.approx(1.52, abs=1e-9)


def test_a_break_on_the_break_and_one_of_nothing() -> None:
    """Before the start and after the end there is no connection, and while the host waits there is none, either. What breaks twice
    begins anew twice; the wait is the one that is asked for."""
    run = broken(resets=["5.05 s", "5.5 s", "8 s", "19 s"], retry="2 s")
    times = [(one["time_s"], round(one["again_s"], 9)) for one in run.summary["breaks"]]
    assert times == [(5.05, 7.06), (8.0, 10.01)]
    assert run.summary["flows"][0]["completed_at_s"] is not None
    flow = run.summary["flows"][0]
    assert flow["goodput_mbit_s"] * flow["completed_at_s"] * 1e6 / 8 == pytest.approx(2000 * MSS)


def test_behind_two_proxies() -> None:
    """10, 40 and 30 ms. What the proxy at "1" holds when the one at "2" loses its state is lost as well, and the host is told 50 ms
    later; where the first loses it, the second goes on with what it holds: nothing of that is lost.
    """
    links = [bp.Link(rate=rate, delay=delay) for rate, delay in (("1 Gbit/s", "10 ms"), ("50 Mbit/s", "40 ms"), ("5 Mbit/s", "30 ms"))]
    flow = bp.Flow(controller="reno", size="3 MB")
    lost = {}
    for at, other in (("1", "2"), ("2", "1")):
        peps = [bp.Pep(at=[at], buffer="200 kB", resets=["3 s"]), bp.Pep(at=[other], buffer="200 kB")]
        run = bp.run(bp.Scenario(duration="60 s", network=bp.Chain(links=links), flows=[flow], peps=peps))
        one = the_break(run)
        lost[at] = one["lost_bytes"]
        told_s = {"1": 0.01, "2": 0.05}[at]
        assert one["again_s"] == pytest.approx(3 + told_s + 1, abs=1e-9)
        done = run.summary["flows"][0]
        assert done["goodput_mbit_s"] * done["completed_at_s"] * 1e6 / 8 == pytest.approx(3e6)
    # Both buffers are full, of whole segments; the queue of 5 Mbit/s has taken a part of the second.
    assert lost["1"] <= 138 * MSS < lost["2"] <= 276 * MSS


@pytest.mark.parametrize("setup", ["none", "handshake", "fast-open", "ns-2", "ns-2-linux"])
def test_however_connections_begin(setup: str) -> None:
    """Losses everywhere, four breaks: every byte arrives, and the same numbers come again."""
    links = [
        bp.Link(rate="20 Mbit/s", delay=delay, per=0.02, queue="20 packets") for delay in ("3 ms", "20 ms", "5 ms")
    ]
    flow = bp.Flow(controller="cubic", size="3000001 B", tcp=bp.Tcp(setup=setup))
    peps = [bp.Pep(at=["1", "2"], buffer="90 kB", resets=["0.7 s", "2 s", "3.3 s", "5 s"], retry="100 ms")]
    scenario = bp.Scenario(duration="600 s", network=bp.Chain(links=links), flows=[flow], peps=peps)
    run, same = bp.run(scenario), bp.run(scenario)
    done = run.summary["flows"][0]
    assert done["goodput_mbit_s"] * done["completed_at_s"] * 1e6 / 8 == pytest.approx(3000001)
    assert len(run.summary["breaks"]) >= 2
    assert run.summary == same.summary


def bent_pipe(**pep: object) -> bp.Scenario:
    """A dish in Madrid, three gateways, a server in London."""
    return bp.Scenario(
        duration="300 s",
        network=bp.Constellation(
            preset="starlink",
            isl=False,
            access=bp.Access(policy="highest-elevation", slot="15 s", phase="12 s", hysteresis="5 deg"),
            pops=[bp.Place(name="Madrid PoP", latitude="40.4 deg", longitude="-3.7 deg")],
            gateways=[
                bp.Gateway(name="Villenave", latitude="44.8 deg", longitude="-0.6 deg", pop="Madrid PoP"),
                bp.Gateway(name="Lepe", latitude="37.3 deg", longitude="-7.2 deg", pop="Madrid PoP"),
            ],
            sites=[
                bp.Place(name="Madrid", home="Madrid PoP"),
                bp.Place(name="server", latitude="51.5 deg", longitude="-0.1 deg", fibre=True),
            ],
            downlink=bp.Link(rate="20 Mbit/s", queue="1 BDP"),
        ),
        flows=[bp.Flow(**{"from": "server", "to": "Madrid"}, controller="cubic", size="200 MB")],
        peps=[bp.Pep(at=["gateway"], buffer="500 kB", **pep)] if pep.pop("split", True) else None,
    )
