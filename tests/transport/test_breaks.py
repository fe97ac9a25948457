# SPDX-License-Identifier: MIT OR Apache-2.0
"""Proxies that lose their state: acknowledged data that are lost, and the consequences, with numbers by hand."""

from __future__ import annotations

from pathlib import Path

import pytest

import bentpipe as bp
from bent_pipes import bent_pipe

MSS = 1448
BUFFER = 100 * MSS
WINDOW = 20 * MSS


def broken(size: int | None = 2000 * MSS, duration: str = "20 s", **pep: object) -> bp.Run:
    """Proxy after 10 ms, receiver 50 ms after it, and no rates. The receiver takes 20 segments, and the proxy holds
    100.

    Packets that are sent together arrive together. The first 10 segments reach the proxy at 10 ms, and are acknowledged
    at 110 ms. From then on 20 segments leave every 100 ms, at 110, 210, ... ms, and arrive 50 ms later. Then the proxy
    has room for 20 more segments, and gets them 20 ms later. So the proxy is full except for 20 of each 100 ms.
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
    """At 5.05 s the buffer is full, because the second link is slower. The last 20 segments left at 5.01 s and arrive
    at 5.06 s. The other 80 were acknowledged and are lost. The host learns of the reset 10 ms later, and connects again
    after a second, at 6.06 s. The receiver gets the first byte 10 + 50 ms later.
    """
    one = the_break(broken(resets=["5.05 s"]))
    assert (one["name"], one["at"], one["cause"], one["time_s"]) == ("reno", "1", "reset", 5.05)
    assert (one["held_bytes"], one["lost_bytes"]) == (BUFFER, BUFFER - WINDOW)
    assert one["again_s"] == pytest.approx(6.06, abs=1e-9)
    assert one["silent_s"] == pytest.approx(6.12 - 5.05, abs=1e-9)


def test_every_byte_is_delivered_once_or_counted_as_lost() -> None:
    """Until 5.06 s, 10 + 50 x 20 segments arrive, and 990 of 2,000 are left. They leave the proxy at 6.07 s (10
    segments) and then 20 at a time until 10.97 s, and arrive 50 ms later. Without a reset, 2,000 segments take until
    10.06 s.
    """
    whole = broken()
    assert "breaks" not in whole.summary
    assert whole.summary["flows"][0]["completed_at_s"] == pytest.approx(10.06, abs=1e-9)
    flow = broken(resets=["5.05 s"]).summary["flows"][0]
    assert flow["completed_at_s"] == pytest.approx(11.02, abs=1e-9)
    assert flow["goodput_mbit_s"] * flow["completed_at_s"] * 1e6 / 8 == pytest.approx(2000 * MSS)


def test_an_application_may_give_up() -> None:
    """1,010 segments arrive in total. 80 more segments were acknowledged to the host but are lost."""
    run = broken(resets=["5.05 s"], retry="off")
    one, flow = the_break(run), run.summary["flows"][0]
    assert (one["lost_bytes"], one["again_s"], one["silent_s"]) == (BUFFER - WINDOW, None, None)
    assert flow["completed_at_s"] is None
    assert flow["goodput_mbit_s"] * 20e6 / 8 == pytest.approx(1010 * MSS)
    assert run.summary["proxies"][0]["held_at_end_bytes"] == 0


def test_what_was_acknowledged_to_a_host_that_is_done_is_lost_too() -> None:
    """The proxy soon has all 100 segments. At 0.25 s, 10 + 2 x 20 of them have arrived or are in flight. The host has
    all ACKs by then, but still learns of the reset. The other segments are sent again.
    """
    run = broken(size=100 * MSS, resets=["0.25 s"])
    one = the_break(run)
    assert one["lost_bytes"] == 50 * MSS
    # The first 10 segments arrive at 1.26 + 0.06 s, and 20 more segments 100 and 200 ms later.
    assert run.summary["flows"][0]["completed_at_s"] == pytest.approx(1.52, abs=1e-9)


def test_a_break_on_the_break_and_one_of_nothing() -> None:
    """There is no connection before the start and after the end, nor while the host waits. After two resets the host
    connects twice. The wait has the configured length.
    """
    run = broken(resets=["5.05 s", "5.5 s", "8 s", "19 s"], retry="2 s")
    times = [(one["time_s"], round(one["again_s"], 9)) for one in run.summary["breaks"]]
    assert times == [(5.05, 7.06), (8.0, 10.01)]
    assert run.summary["flows"][0]["completed_at_s"] is not None
    flow = run.summary["flows"][0]
    assert flow["goodput_mbit_s"] * flow["completed_at_s"] * 1e6 / 8 == pytest.approx(2000 * MSS)


def test_behind_two_proxies() -> None:
    """The delays are 10, 20 and 50 ms. Every 100 ms (also at 5.03 s) 20 segments leave the second proxy. The first
    proxy learns of the space at 5.05 s, and has space itself 40 ms later; the host fills it at 5.11 s. At 5.12 s both
    hold 100 segments, and the receiver has 20 of the segments in the second proxy.

    If the first proxy resets, its own 100 segments are lost, and the second proxy continues with its segments. If the
    second proxy resets, all undelivered segments in both are lost, and the host learns of it 30 ms later.
    """
    links = [bp.Link(rate="unlimited", delay=delay) for delay in ("10 ms", "20 ms", "50 ms")]
    flow = bp.Flow(controller="reno", size=f"{2000 * MSS} B", tcp=bp.Tcp(receive_window=f"{WINDOW} B"))
    both = bp.Pep(at=["1", "2"], buffer=f"{BUFFER} B", resets=["5.12 s"])
    one = the_break(bp.run(bp.Scenario(duration="20 s", network=bp.Chain(links=links), flows=[flow], peps=[both])))
    # Both reset at the same time, so no segment of either is delivered.
    assert (one["at"], one["held_bytes"], one["lost_bytes"]) == ("1", 2 * BUFFER, 180 * MSS)
    for at, other, lost, told_s in (("1", "2", 100, 0.01), ("2", "1", 180, 0.03)):
        peps = [bp.Pep(at=[at], buffer=f"{BUFFER} B", resets=["5.12 s"]), bp.Pep(at=[other], buffer=f"{BUFFER} B")]
        run = bp.run(bp.Scenario(duration="20 s", network=bp.Chain(links=links), flows=[flow], peps=peps))
        one, done = the_break(run), run.summary["flows"][0]
        assert (one["at"], one["held_bytes"], one["lost_bytes"]) == (at, BUFFER, lost * MSS)
        assert one["again_s"] == pytest.approx(5.12 + told_s + 1, abs=1e-9)
        assert done["goodput_mbit_s"] * done["completed_at_s"] * 1e6 / 8 == pytest.approx(2000 * MSS)


@pytest.mark.parametrize("setup", ["none", "handshake", "fast-open", "ns-2", "ns-2-linux"])
def test_however_connections_begin(setup: str) -> None:
    """With losses everywhere and four resets, every byte arrives, and a second run has the same numbers."""
    links = [
        bp.Link(rate="20 Mbit/s", delay=delay, loss=bp.Loss(per=0.02), queue="20 packets")
        for delay in ("3 ms", "20 ms", "5 ms")
    ]
    flow = bp.Flow(controller="cubic", size="3000001 B", tcp=bp.Tcp(setup=setup))
    peps = [bp.Pep(at=["1", "2"], buffer="90 kB", resets=["0.7 s", "2 s", "3.3 s", "5 s"], retry="100 ms")]
    scenario = bp.Scenario(duration="600 s", network=bp.Chain(links=links), flows=[flow], peps=peps)
    run, same = bp.run(scenario), bp.run(scenario)
    done = run.summary["flows"][0]
    assert done["goodput_mbit_s"] * done["completed_at_s"] * 1e6 / 8 == pytest.approx(3000001)
    assert len(run.summary["breaks"]) >= 2
    assert run.summary == same.summary


GATEWAYS = ("Villenave", "Lepe")


def ways(run: bp.Run, start: str, end: str) -> list[tuple[float, str]]:
    """Return start and path of each path between two places, from the table of paths."""
    table = run.paths
    rows = zip(*(table[key] for key in ("time_s", "from", "to", "via")), strict=True)
    said: list[tuple[float, str]] = []
    for time_s, first, last, via in rows:
        if (first, last) == (start, end) and (not said or said[-1][1] != via):
            said.append((time_s, via))
    return said


def gateway_of(via: str) -> str:
    return next(name for name in GATEWAYS if f" > {name} > " in f" > {via} > ")


@pytest.fixture(scope="module")
def whole() -> bp.Run:
    return bp.run(bent_pipe(None))


@pytest.mark.parametrize("direction", [("server", "Madrid"), ("Madrid", "server")])
def test_a_handover_to_another_gateway_breaks_and_one_of_satellites_does_not(
    whole: bp.Run, direction: tuple[str, str]
) -> None:
    """Resets occur when the path of a flow without a proxy passes another gateway. At most a buffer is lost. The first
    byte arrives a second after the reset, plus the delays to the host and to the receiver.
    """
    over = ways(whole, *direction)
    gateways = [(at, gateway_of(via)) for at, via in over]
    moments = [at for (at, one), (_, before) in zip(gateways[1:], gateways, strict=False) if one != before]
    assert len(over) - 1 > len(moments) >= 3
    scenario = bent_pipe([bp.Pep(at=["gateway"], buffer="500 kB")], from_=direction[0], to=direction[1])
    run = bp.run(scenario)
    breaks = run.summary["breaks"]
    assert [one["time_s"] for one in breaks] == moments
    for one in breaks:
        assert (one["at"], one["cause"]) == ("gateway", "handover")
        # From the server, the dish's link is after the proxy. From Madrid, it is before the proxy, and all data of the
        # proxy are on the fibre.
        assert (one["lost_bytes"] > 0) == (direction[0] == "server")
        assert one["lost_bytes"] <= one["held_bytes"] <= 500_000
        assert 1.0 < one["silent_s"] < 1.1


def test_gateways_hand_over_after_the_first_hour() -> None:
    """Two hours under a medium orbit are computed in several parts. Resets occur when the path of a flow without a
    proxy, which is computed in the same way, passes another gateway.
    """

    def run(peps: list[bp.Pep] | None) -> bp.Run:
        scenario = bp.Scenario(
            duration="2 h",
            network=bp.Constellation(
                preset="o3b",
                isl=False,
                access=bp.Access(policy="highest-elevation"),
                downlink=bp.MovingLink(rate="100 kbit/s", queue="20 packets"),
                pops=[bp.Place(name="PoP", latitude="-12 deg", longitude="-77 deg")],
                gateways=[
                    bp.Gateway(name="Villenave", latitude="0 deg", longitude="-120 deg", pop="PoP"),
                    bp.Gateway(name="Lepe", latitude="0 deg", longitude="-30 deg", pop="PoP"),
                ],
                sites=[
                    bp.Site(name="ship", latitude="0 deg", longitude="-75 deg", home="PoP"),
                    bp.Site(name="server", latitude="-12 deg", longitude="-77 deg", fibre=True),
                ],
            ),
            flows=[bp.Flow(from_="server", to="ship", controller="cubic")],
            peps=peps,
            record=bp.Record(interval="10 s", events=False),
        )
        return bp.run(scenario)

    gateways = [(at, gateway_of(via)) for at, via in ways(run(None), "server", "ship")]
    moments = [at for (at, one), (_, before) in zip(gateways[1:], gateways, strict=False) if one != before]
    assert len([at for at in moments if at > 3600]) >= 2
    breaks = run([bp.Pep(at=["gateway"], buffer="100 kB")]).summary["breaks"]
    assert [one["time_s"] for one in breaks] == moments


def test_users_behind_a_gateway_ask_again() -> None:
    """Connections are reset when a transfer's would be, and every answer arrives in the end."""
    peps = [bp.Pep(at=["gateway"], buffer="500 kB")]
    moments = [one["time_s"] for one in bp.run(bent_pipe(peps)).summary["breaks"]]
    users = {"kind": "requests", "users": 20, "request": {"answer": "100 kB"}, "think": "1 s", "stop": "140 s"}
    run = bp.run(bent_pipe(peps, **users))
    assert [one["time_s"] for one in run.summary["breaks"]] == moments
    felt = run.summary["flows"][0]["visits"]
    assert felt["unfinished"] == 0
    assert felt["retried"] > 0
    # A moving state resets nothing. Data that are sent in the meantime are sent again.
    moves = [bp.Pep(at=["gateway"], buffer="500 kB", on_handover="move", move_time="200 ms")]
    run = bp.run(bent_pipe(moves, **users))
    assert "breaks" not in run.summary
    assert (run.summary["flows"][0]["visits"]["unfinished"], run.summary["flows"][0]["visits"]["retried"]) == (0, 0)


def test_the_parts_of_a_path_are_its_parts() -> None:
    """Both parts pass the gateway that the whole path passes at that time. The sum of their delays is its delay."""
    run = bp.run(bent_pipe([bp.Pep(at=["gateway"], buffer="500 kB")]))
    columns = ("time_s", "from", "to", "via", "one_way_delay_ms")
    rows = zip(*(run.paths[key] for key in columns), strict=True)
    known = {(start, end, at): (via, delay_ms) for at, start, end, via, delay_ms in rows}
    whole_ways = [key for key in known if "gateway" not in key]
    assert len(whole_ways) > 300
    for start, end, at in whole_ways:
        (via, delay_ms), first, second = (
            known[key] for key in ((start, end, at), (start, "gateway", at), ("gateway", end, at))
        )
        gateway = gateway_of(via)
        assert first[0].split(" > ")[-1] == second[0].split(" > ")[0] == gateway
        assert first[0] + second[0].removeprefix(gateway) == via
        assert first[1] + second[1] == pytest.approx(delay_ms, abs=1e-5)


def test_a_state_that_moves_loses_nothing() -> None:
    """Every byte of 300 MB arrives over two handovers. Data that reach the new gateway too early are sent again."""
    peps = [bp.Pep(at=["gateway"], buffer="500 kB", on_handover="move", move_time="200 ms")]
    run = bp.run(bent_pipe(peps, size="300 MB"))
    flow = run.summary["flows"][0]
    assert "breaks" not in run.summary
    assert flow["goodput_mbit_s"] * flow["completed_at_s"] * 1e6 / 8 == pytest.approx(300e6)
    assert flow["retransmitted_packets"] > 0


def test_terminal_and_gateway_and_a_broken_transfer_that_ends() -> None:
    """A proxy is also at the terminal, so there are three connections. All 300 MB arrive despite the resets."""
    peps = [bp.Pep(at=["Madrid", "gateway"], buffer="500 kB", controller="hybla")]
    run = bp.run(bent_pipe(peps, access=bp.AccessLink(rate="1 Gbit/s", delay="2 ms"), size="300 MB"))
    ends = [(part["from"], part["to"]) for part in run.summary["parts"]]
    assert ends == [("server", "gateway"), ("gateway", "Madrid"), ("Madrid", "Madrid")]
    flow = run.summary["flows"][0]
    assert len(run.summary["breaks"]) >= 2
    assert flow["goodput_mbit_s"] * flow["completed_at_s"] * 1e6 / 8 == pytest.approx(300e6)


def refusal(text: str, folder: Path) -> str:
    """Return the reason why a scenario is refused."""
    file = folder / "a.toml"
    file.write_text(text)
    with pytest.raises(bp.BentpipeError) as refused:
        bp.run(file)
    return str(refused.value)


CHAIN = "[{ rate = '1 Gbit/s', delay = '1 ms' }, { rate = '1 Gbit/s', delay = '1 ms' }]"


@pytest.mark.parametrize(
    ("pep", "said"),
    [
        (
            "resets = ['2 s', '2 s']",
            "peps[0].resets: the times are not in order (list each time once, the earliest first)",
        ),
        ("resets = ['2']", "peps[0].resets[0]"),
        ("retry = '2 s'", "peps[0].retry: this key has no effect: no proxy loses its state"),
        ("resets = ['2 s'], retry = '-1 s'", "peps[0].retry"),
        ("on_handover = 'reset'", "peps[0].on_handover: this key has no effect: no proxy is at the gateway"),
        ("on_handover = 'stay'", "choices: reset, move"),
        ("move_time = '1 s'", "peps[0].move_time"),
    ],
)
def test_bad_input(pep: str, said: str, tmp_path: Path) -> None:
    peps = f"peps = [{{ at = ['1'], buffer = '1 MB', {pep} }}]"
    text = f"network.chain.links = {CHAIN}\nflows = [{{ controller = 'reno' }}]\n{peps}"
    assert said in refusal(text, tmp_path)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (
            ("at = ['gateway']", "at = ['Lepe']"),
            '"Lepe" is a gateway that only some paths pass. A proxy must be at a site',
        ),
        (("at = ['gateway']", "at = ['Madrid PoP']"), '"Madrid PoP" is a point of presence'),
        ((", fibre = true", ""), "a gateway is only on paths between a site with a dish and a site with fibre"),
        (
            ("on_handover = 'move', move_time = '1 s'", "on_handover = 'move'"),
            "peps[0].move_time: `on_handover`",
        ),
    ],
)
def test_bad_places(change: tuple[str, str], said: str, tmp_path: Path) -> None:
    text = (
        "duration = '10 s'\n"
        "flows = [{ from = 'server', to = 'Madrid', controller = 'reno' }]\n"
        "peps = [{ at = ['gateway'], buffer = '1 MB', on_handover = 'move', move_time = '1 s' }]\n"
        "[network.constellation]\npreset = 'starlink'\nisl = false\n"
        "pops = [{ name = 'Madrid PoP', latitude = '40.4 deg', longitude = '-3.7 deg' }]\n"
        "gateways = [{ name = 'Lepe', latitude = '37.3 deg', longitude = '-7.2 deg', pop = 'Madrid PoP' }]\n"
        "sites = [{ name = 'Madrid' }, { name = 'server', latitude = '51.5 deg', longitude = '-0.1 deg', "
        "fibre = true }]\n"
    )
    assert change[0] in text
    assert said in refusal(text.replace(*change), tmp_path)


def test_users_who_give_up_are_refused(tmp_path: Path) -> None:
    """Without a retry, these users would never begin another visit."""
    pep = "peps = [{ at = ['1'], buffer = '1 MB', resets = ['2 s'], retry = 'off' }]"
    users = "kind = 'transfers', users = 1, size = '1 MB', think = '1 s', controller = 'reno'"
    web = f"network.chain.links = {CHAIN}\nflows = [{{ {users} }}]\n{pep}"
    assert "peps[0].retry: " in refusal(web, tmp_path)
    assert "would never begin another visit after a reset" in refusal(web, tmp_path)
