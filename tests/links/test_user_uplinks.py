# SPDX-License-Identifier: MIT OR Apache-2.0
"""How a site comes to send to its satellite: grants, thinned acknowledgements, demand assignment; worked by hand."""

from __future__ import annotations

import tomllib

import pytest

import bentpipe as bp


def geo(uplink: bp.UserLink, downlink: bp.MovingLink | None = None) -> bp.Constellation:
    """A terminal in Madrid, a server behind a gateway in Rome, geostationary satellites: only the terminal goes up."""
    return bp.Constellation(
        preset="geo",
        uplink=uplink,
        gateways=[bp.Gateway(name="Rome", pop="Rome")],
        pops=[bp.Place(name="Rome")],
        sites=[bp.Site(name="Server", latitude="41.9 deg", longitude="12.5 deg", fibre=True)],
        downlink=downlink,
    )


def echo(uplink: bp.UserLink) -> dict[str, float]:
    """Round trips of 280 pings from the terminal, ms, each a millisecond further in a period of 20 ms or 40."""
    flow = bp.Flow(kind="ping", interval="1001 ms", from_="Madrid", to="Server", stop="280 s")
    run = bp.run(bp.Scenario(duration="290 s", network=geo(uplink), flows=[flow]))
    return dict(run.summary["flows"][0]["rtt_ms"])


def test_grants_make_the_terminal_wait_for_half_a_period() -> None:
    """Who comes at any time waits for anything up to a period, each as likely: 10 ms in the mean, 20 at most."""
    without = echo(bp.UserLink(rate="100 Mbit/s"))
    waits = echo(bp.UserLink(rate="100 Mbit/s", grants={"period": "20 ms"}))
    # They wait 0 to 19 ms, or 1 to 20.
    assert waits["mean"] - without["mean"] == pytest.approx(10.0, abs=0.6)
    assert 0.0 <= waits["min"] - without["min"] <= 1.0
    assert 19.0 <= waits["max"] - without["max"] <= 20.0


def test_an_idle_terminal_waits_for_its_grant() -> None:
    """As on a plain link: the rest of the superframe and the latency, 560 to 600 ms, each as likely."""
    without = echo(bp.UserLink(rate="2 Mbit/s"))
    asked = {"superframe": "40 ms", "latency": "560 ms", "vbdc": "unlimited"}
    waits = echo(bp.UserLink(rate="2 Mbit/s", dama=asked))
    assert 560.0 <= waits["min"] - without["min"] <= 561.0
    assert 599.0 <= waits["max"] - without["max"] <= 600.0
    assert waits["mean"] - without["mean"] == pytest.approx(580.0, abs=1.0)
    # What is assigned for good waits for its slot alone.
    assert echo(bp.UserLink(rate="2 Mbit/s", dama=asked | {"cra": "2 Mbit/s"}))["max"] - without["max"] < 1.0


@pytest.mark.parametrize("shared", [None, bp.SharedLinks(uplink="satellite")], ids=["own", "shared"])
def test_acknowledgements_on_a_narrow_uplink(shared: bp.SharedLinks | None) -> None:
    """64 kbit/s carry 64,000 / (8 x 52) = 154 ACKs a second. Each stands for two segments of 1448 bytes: 3.56 Mbit/s.
    Compressed to 8 bytes they would do for 23: the 10 Mbit/s of the way down, 1448 of 1500 bytes, then bound it."""
    rates = []
    for acks in (None, {"compressed": "8 B"}):
        uplink = bp.UserLink(rate="64 kbit/s", queue="unlimited", acks=acks)
        network = geo(uplink, downlink=bp.MovingLink(rate="10 Mbit/s", queue="unlimited"))
        network.shared = shared
        flow = bp.Flow(controller="cubic", from_="Server", to="Madrid")
        tcp = bp.Tcp(preset="rfc", receive_window="4 MB")
        scenario = bp.Scenario(duration="120 s", warm_up="60 s", network=network, flows=[flow], tcp=tcp)
        rates.append(bp.run(scenario).summary["flows"][0]["goodput_mbit_s"])
    assert rates[0] == pytest.approx(154 * 2 * 1448 * 8e-6, rel=0.02)
    assert rates[1] == pytest.approx(10 * 1448 / 1500, rel=0.02)


def test_a_handover_loses_no_grant() -> None:
    """What waits for a grant on a link that goes away is forwarded, and asked for anew at the next satellite."""
    asked = {"superframe": "40 ms", "latency": "60 ms", "cra": "64 kbit/s", "vbdc": "unlimited"}
    uplink = bp.UserLink(rate="1 Mbit/s", queue="unlimited", dama=asked)
    network = bp.Constellation(preset="iridium", uplink=uplink, in_flight="forward")
    flow = bp.Flow(kind="cbr", rate="200 kbit/s", packet="500 B", from_="Berkeley", to="Boston", stop="890 s")
    run = bp.run(bp.Scenario(duration="900 s", network=network, flows=[flow]))
    ways = [row["via"].split(" > ") for row in run.paths.arrow.to_pylist() if row["from"] == "Berkeley" and row["via"]]
    assert len({way[1] for way in ways}) > 1
    found = run.summary["flows"][0]
    # 200 kbit/s for 890 s, in packets of 4,000 bits.
    assert found["sent_packets"] == 44_500
    assert found["delivered_packets"] == 44_500


@pytest.mark.parametrize(
    ("keys", "message"),
    [
        (
            'downlink.acks = { thinning = "filter" }',
            "unknown key `acks` in `network.constellation.downlink` (this key exists only for links from sites: write "
            "it in uplink or user_link; known keys: ",
        ),
        (
            'uplink.rate_by_elevation = [["10 deg", "1 Mbit/s"], ["60 deg", "2 Mbit/s"]]\n'
            'uplink.dama = { superframe = "40 ms", latency = "560 ms", vbdc = "unlimited" }',
            "uplink.dama: demand assignment needs a rate that is known when",
        ),
        (
            'shared.uplink = "satellite"\nuplink.dama = { superframe = "40 ms", latency = "560 ms", cra = "1 Mbit/s" }',
            "uplink.dama: each uplink with demand assignment has its own carrier, so an uplink cannot also share "
            "a transmitter",
        ),
        (
            'user_link.dama = { carrier = "up", cra = "1 Mbit/s" }',
            "user_link.dama.carrier: only branches of a star can share carriers",
        ),
        (
            'uplink.grants = { period = "4 ms" }\n'
            'uplink.dama = { superframe = "40 ms", latency = "560 ms", cra = "1 Mbit/s" }',
            "uplink.grants: `dama` (grants on demand) and `grants` (grants at fixed times) contradict each other",
        ),
        (
            'uplink.acks = { thinning = "filter" }\nuplink.queue = { discipline = "codel", limit = "1 MB" }',
            "uplink.acks: only a drop-tail queue can thin or compress acknowledgements",
        ),
    ],
)
def test_what_no_uplink_can_be(keys: str, message: str) -> None:
    flow = 'controller = "reno"\nfrom = "Madrid"\nto = "Rome"\n'
    text = f'[network.constellation]\npreset = "geo"\n{keys}\n[[flows]]\n{flow}'
    with pytest.raises(bp.ScenarioError) as error:
        bp.run(text)
    assert message in str(error.value)


def test_what_both_ways_say_is_of_the_way_up() -> None:
    """`user_link` is both ways, and how a terminal comes to send is of the way up; `uplink` goes before it."""
    text = """
    [network.constellation]
    preset = "geo"
    user_link = { rate = "2 Mbit/s", grants = { period = "4 ms" }, acks = { thinning = "filter" } }
    uplink.grants = { period = "8 ms" }
    [[flows]]
    controller = "reno"
    from = "Madrid"
    to = "Rome"
    """
    resolved = bp.run(text, duration="1 s").scenario
    found = tomllib.loads(resolved)["network"]["constellation"]
    assert found["uplink"]["grants"]["period"] == "8 ms"
    assert found["uplink"]["acks"] == {"thinning": "filter"}
    assert not {"dama", "grants", "acks"} & set(found["downlink"])
