# SPDX-License-Identifier: MIT OR Apache-2.0
"""Ramps of loss and delay, and schedules by the time of day, on links of every kind. Values are computed by hand."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

import bentpipe as bp
from bentpipe import _core

#: 4 Mbit/s at 6 h and 20 at 10 h: each hour adds 4 Mbit/s. Each hour also adds 0.01 to the loss, and 1 ms of delay.
RATES = 'rate_by_hour = { clock = "UTC", start = "7 h", rates = [["6 h", "4 Mbit/s"], ["10 h", "20 Mbit/s"]] }'
LOSSES = 'loss_by_hour = { clock = "UTC", start = "7 h", losses = [["6 h", 0.01], ["10 h", 0.05]] }'
DELAYS = 'delay_by_hour = { clock = "UTC", start = "7 h", delays = [["6 h", "1 ms"], ["10 h", "5 ms"]] }'
#: The place of the varied link, and how often a path crosses such links.
PLACES = {
    "dumbbell": ('[network.dumbbell]\ndelay = "20 ms"\n{link}\n', "", 1),
    "chain": ('[network.chain]\nlinks = 2\nlink = {{ delay = "10 ms", {link} }}\n', "", 2),
    "star": (
        '[network.star]\nbranches = [{{ site = "0", delay = "10 ms", {link} }}, '
        '{{ site = "1", delay = "10 ms", {link} }}]\n',
        'from = "0"\nto = "1"\n',
        2,
    ),
    "hosts": ('[network.dumbbell]\nrate = "1 Gbit/s"\ndelay = "20 ms"\n', "access = {{ {link} }}\n", 2),
}


def scenario(place: str, said: list[str], duration: str, flow: str = 'controller = "cubic"') -> str:
    """Return a scenario of a path over links with these keys."""
    network, ends, _ = PLACES[place]
    link = ("\n" if place == "dumbbell" else ", ").join(said)
    return f'duration = "{duration}"\n{network.format(link=link)}\n[[flows]]\n{ends.format(link=link)}\n{flow}\n'


@pytest.mark.parametrize("place", PLACES)
def test_every_plain_link_follows_the_day(place: str) -> None:
    """From 7 h on for five hours, the rate is linear until 10 h, then falls to the 4 Mbit/s of 6 h 20 hours later."""
    table = bp.path_trace(scenario(place, [RATES, LOSSES, DELAYS], "5 h"), step="10 min")
    times = PLACES[place][2]
    assert len(table["time_s"]) == 30
    for time, rate, loss, delay in zip(
        table["time_s"], table["rate_mbit_s"], table["loss_ratio"], table["delay_ms"], strict=True
    ):
        begin, middle, end = ((7 + (time + s) / 3600) for s in (0, 300, 600))
        up = [min(hour, 10) - 6 - 4 * max(hour - 10, 0) / 20 for hour in (begin, middle, end)]
        # Within ten minutes the rate is linear, so its mean is the mean of its ends.
        assert rate == pytest.approx(4 + 4 * (up[0] + up[2]) / 2, rel=1e-4)
        assert loss == pytest.approx(1 - (1 - 0.01 - 0.01 * up[1]) ** times, rel=1e-3)
        assert delay == pytest.approx(20 + times * (1 + up[0]), abs=1e-5)


def test_the_way_back_loses_nothing_by_the_hour() -> None:
    """On a dumbbell, the return direction has the same delay and no loss."""
    text = scenario("dumbbell", [RATES, LOSSES, DELAYS], "10 min")
    back = bp.path_trace(text, step="10 min", direction="return")
    assert list(back["loss_ratio"]) == [0.0]
    assert list(back["delay_ms"]) == pytest.approx([22.0])
    own = f"[network.dumbbell.reverse]\n{LOSSES.replace('0.01', '0.03')}\n"
    text = text.replace("[[flows]]", own + "[[flows]]")
    # The loss rises from 0.03 at 6 h to 0.05 at 10 h: 0.035 at 7 h, and 0.03583 ten minutes later.
    back = bp.path_trace(text, step="10 min", direction="return")
    assert list(back["loss_ratio"]) == pytest.approx([0.035 + 0.005 / 12], rel=1e-6)


FLOOD = 'kind = "cbr"\nrate = "12 Mbit/s"\npacket = "1500 B"'


@pytest.mark.parametrize("place", PLACES)
def test_a_ramp_of_loss_is_felt(place: str) -> None:
    """The loss rises from 0 at 2 s to 0.4 at 10 s, and is then 0. The flow sends 1000 packets a second."""
    steps = '{ at = "2 s", per = 0.0, ramp_to = 0.4 }, { at = "10 s", per = 0.0 }'
    text = scenario(place, ['rate = "100 Mbit/s"', f"loss = {{ steps = [{steps}] }}"], "12 s", FLOOD)
    flow = bp.run(text).summary["flows"][0]
    times = PLACES[place][2]
    # Mean of 1 - (1 - p)^n for p from 0 to 0.4: 0.2 for one link, and 1 - (1 - 0.6^3) / (3 x 0.4) for two links.
    mean = 0.2 if times == 1 else 1 - (1 - 0.6**3) / 1.2
    assert flow["losses"]["error"] == pytest.approx(8000 * mean, abs=5 * math.sqrt(8000 * mean * (1 - mean)))


@pytest.mark.parametrize("place", PLACES)
def test_a_ramp_of_delay_is_felt(place: str) -> None:
    """The delay rises from 0 at 2 s to 80 ms at 10 s, then is 0. The mean is 40 ms over 8 s, and 26.67 over 12 s."""
    steps = '{ at = "2 s", delay = "0 s", ramp_to = "80 ms" }, { at = "10 s", delay = "0 s" }'
    times = PLACES[place][2]
    link = ['rate = "1 Gbit/s"', "reorder = true"]
    delays = [
        bp.run(scenario(place, link + more, "12 s", FLOOD)).summary["flows"][0]["one_way_delay_ms"]
        for more in ([], [f"extra_delay = [{steps}]"])
    ]
    mean = delays[1]["mean"] - delays[0]["mean"]
    assert mean == pytest.approx(times * 40 * 8 / 12, rel=0.005)
    # When the second link has its largest delay, a packet was on the first link earlier, when its delay was smaller.
    gap_s = {"dumbbell": 0.0, "hosts": 0.020}.get(place, 0.010)
    first = 10 * ((10.02 - gap_s) / 1.01 - 2) if times == 2 else 0.0
    assert delays[1]["max"] - delays[0]["max"] == pytest.approx(80 + first, abs=0.05)


def test_satellite_links_have_ramps_too() -> None:
    """The uplink has 3 ms more in the middle of a ramp to 6 ms, and half of a loss of 0.2."""
    loss = 'loss = { steps = [{ at = "0 s", per = 0.0, ramp_to = 0.2 }, { at = "20 s", per = 0.2 }] }'
    extra = 'extra_delay = [{ at = "0 s", delay = "0 s", ramp_to = "6 ms" }, { at = "20 s", delay = "6 ms" }]'
    head = 'duration = "20 s"\n[network.constellation]\npreset = "geo"\nuser_link = { rate = "50 Mbit/s" }\n'
    tail = '[[flows]]\nfrom = "Berkeley"\nto = "Boston"\ncontroller = "reno"\n'
    plain = bp.path_trace(head + tail, step="2 s")
    more = bp.path_trace(head + f"uplink = {{ {loss}, {extra} }}\n" + tail, step="2 s")
    assert list(more["loss_ratio"]) == pytest.approx([0.02 * step + 0.01 for step in range(10)], abs=1e-9)
    longer = [b - a for a, b in zip(plain["delay_ms"], more["delay_ms"], strict=True)]
    assert longer == pytest.approx([0.6 * step for step in range(10)], abs=1e-5)


def test_a_path_over_starlink_has_ramps_of_loss() -> None:
    steps = '[{ at = "0 s", per = 0.5, ramp_to = 0.9 }, { at = "10 s", per = 0.0 }]'
    text = f"""
duration = "10 s"
network.starlink = {{ preset = "starlink-good", loss = {{ up = {{ steps = {steps} }}, down = {{}} }} }}
[[flows]]
from = "dish"
to = "server"
kind = "cbr"
rate = "1 Mbit/s"
packet = "250 B"
"""
    flow = bp.run(text).summary["flows"][0]
    # The flow sends 500 packets a second for ten seconds. Some more are lost at the boundaries of Starlink's slots.
    assert flow["losses"]["error"] / 5000 == pytest.approx(0.7, abs=0.05)


@pytest.mark.parametrize(
    ("rate", "more", "said"),
    [
        (f'rate = "1 Mbit/s"\n{RATES}', "", "`rate` and `rate_by_hour` contradict each other (keep one of them)"),
        (RATES.replace("UTC", "local"), "", "rate_by_hour.clock: only links of satellites have a local time"),
        (RATES.replace('start = "7 h", ', ""), "", "rate_by_hour.start: the time of day is unknown, because"),
        (RATES.replace("4 M", "0 ").replace("20 M", "0 "), "", "rate_by_hour: all rates are zero"),
        ('rate = "1 Mbit/s"', LOSSES.replace("0.05", "5"), "loss_by_hour: entry 1: 5 is not a probability"),
        ('rate = "1 Mbit/s"', DELAYS.replace("10 h", "24 h"), "delay_by_hour: a time of day must be less than 24 h"),
        (
            'rate = "1 Mbit/s"',
            'loss = { steps = [{ at = "2 s", per = 0.0, ramp_to = 0.4 }] }',
            "loss.steps: entry 0 has `ramp_to`, but no later entry defines the end of the ramp (add an entry "
            'such as { at = "60 s", per = 0.01 }, or remove `ramp_to`)',
        ),
        (
            'rate = "1 Mbit/s"',
            'extra_delay = [{ at = "2 s", delay = "0 s", ramp_to = "2 h" }]',
            'extra_delay[0].ramp_to: "2 h" is too large',
        ),
    ],
)
def test_what_is_refused(rate: str, more: str, said: str) -> None:
    with pytest.raises(bp.ScenarioError) as refused:
        bp.run(scenario("dumbbell", [rate, more], "1 s"))
    assert said in str(refused.value)


def test_a_host_says_its_rate_once() -> None:
    with pytest.raises(bp.ScenarioError, match="`rate` and `rate_by_hour` contradict each other"):
        bp.run(scenario("hosts", ['rate = "1 Mbit/s"', RATES], "1 s"))


@pytest.mark.parametrize("place", PLACES)
def test_what_is_written_out_is_read_as_the_same(place: str) -> None:
    loss = 'loss = { per = 0.01, steps = [{ at = "2 s", per = 0.0, ramp_to = 0.4 }, { at = "10 s", per = 0.1 }] }'
    extra = 'extra_delay = [{ at = "2 s", delay = "0 s", ramp_to = "8 ms" }, { at = "10 s", delay = "1 ms" }]'
    text = scenario(place, [RATES, LOSSES, DELAYS, loss, extra], "1 s")
    once = _core.facts(_core.Job(text, "case.toml")).resolved
    assert _core.facts(_core.Job(once, "case.toml")).resolved == once
    assert once.count("ramp_to") >= 2


def test_a_byte_order_mark_is_no_part_of_a_column(tmp_path: Path) -> None:
    (tmp_path / "path.csv").write_text("\ufefftime_s,rate_mbit_s\n0,3\n5,6\n", encoding="utf-8")
    file = tmp_path / "case.toml"
    file.write_text(scenario("dumbbell", ['path_trace = "path.csv"'], "10 s"), encoding="utf-8")
    assert list(bp.path_trace(file, step="5 s")["rate_mbit_s"]) == [3.0, 6.0]


def test_losses_of_a_file_and_of_a_modem_are_independent(tmp_path: Path) -> None:
    """A budget loses frames when the modem changes its MODCOD, and a file loses a tenth of the packets."""
    (tmp_path / "loss.csv").write_text("time_s,loss_ratio\n0,0.1\n1,0.2\n", encoding="utf-8")
    budget = """
[network.dumbbell.budget]
bandwidth = "36 MHz"
down = { frequency = "20 GHz", eirp = "50 dBW", g_over_t = "15 dB/K", elevation = "35 deg" }
"""
    file = tmp_path / "case.toml"
    text = scenario("dumbbell", ['path_trace = "loss.csv"'], "2 s")
    file.write_text(text.replace("[[flows]]", budget + "[[flows]]"), encoding="utf-8")
    assert list(bp.path_trace(file, step="1 s")["loss_ratio"]) == pytest.approx([0.1, 0.2])


def test_more_than_a_carrier_has_is_not_assigned() -> None:
    dama = 'dama = { superframe = "40 ms", latency = "560 ms", cra = "20 Mbit/s" }'
    with pytest.raises(bp.ScenarioError) as refused:
        bp.run(scenario("dumbbell", ['rate = "10 Mbit/s"', dama], "1 s"))
    assert "dama.cra: a `cra` of 20 Mbit/s is more than the carrier's rate of 10 Mbit/s" in str(refused.value)


def test_a_carrier_that_is_shared_has_one_rate() -> None:
    star = """
[network.star]
branches = [{ site = "0", rate = "1 Mbit/s", delay = "1 ms", dama = { carrier = "up", vbdc = "unlimited" } }]
[[network.star.carriers]]
name = "up"
superframe = "40 ms"
latency = "560 ms"
rate_steps = [{ at = "0 s", rate = "1 Mbit/s" }]
[[flows]]
from = "0"
to = "hub"
controller = "reno"
"""
    with pytest.raises(bp.ScenarioError) as refused:
        bp.run(star)
    assert "all terminals of a carrier have the same constant rate: for rates over time, write" in str(refused.value)
