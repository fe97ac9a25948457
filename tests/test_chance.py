# SPDX-License-Identifier: MIT OR Apache-2.0
"""What a run draws, as it is told beforehand, against runs with two seeds."""

from __future__ import annotations

import json
import re
from pathlib import Path
from random import Random
from typing import Any

import pytest

import bentpipe as bp
from bentpipe import _core
from bentpipe._errors import BentpipeError
from bentpipe._variants import Bench
from conftest import ROOT
from fuzz.draw import TRACES, Draw, accepted

HOP = 'frequency = "20 GHz", eirp = "52 dBW", g_over_t = "16 dB/K", elevation = "30 deg", latitude = "45 deg"'
RAIN = 'rain = { rate_001 = "60 mm/h", height = "3 km", start = "12 dB" }'
#: The rung whose threshold is 1 dB below this carrier in clear sky has no margin left: a frame in some 10^5 is lost.
EDGE = f'bandwidth = "3 MHz", margin = "0 dB", down = {{ {HOP} }}'
LEO = """
[network.constellation]
preset = "iridium"
isl = { rate = "20 Mbit/s" }
"""
SATELLITES = 'from = "London"\nto = "Madrid"'
DRIVE = (
    'speed = "20 m/s", margin = "5 dB", good = { lasts = "20 m", rice_factor = "10 dB" }, '
    'bad = { lasts = "20 m", mean = "-10 dB", deviation = "3 dB" }'
)
TRANSFERS = 'kind = "transfers"\ncontroller = "reno"\nsize = "20 kB"\n'
REGULAR = 'arrivals = { law = "regular", rate = 5.0 }\n'
TRACE = "time_s,loss_ratio\n0,0\n1,0.1\n"


def dumbbell(keys: str, flow: str = 'controller = "cubic"', duration: str = "6 s", rate: str = "") -> str:
    """A scenario over one link."""
    rate = rate or 'rate = "5 Mbit/s"'
    return (
        f'duration = "{duration}"\n[network.dumbbell]\n{rate}\nrtt = "40 ms"\nqueue = "20 packets"\n{keys}\n'
        f"[[flows]]\n{flow}\n"
    ).replace('queue = "20 packets"\n', "" if "queue = {" in keys else 'queue = "20 packets"\n')


def table(keys: str, under: str) -> str:
    """A scenario whose network is written out."""
    return f'duration = "20 s"\n{keys}\n[[flows]]\ncontroller = "cubic"\n{under}\n'


#: Of each random source in the code: a scenario, and where it is told to draw. Every one differs between two seeds.
DRAWS = {
    "per": (dumbbell("loss = { per = 1e-2 }"), "network.dumbbell.loss"),
    "ber": (dumbbell("loss = { ber = 1e-6 }"), "network.dumbbell.loss"),
    "bursts": (dumbbell("loss = { bursts = { to_bad = 0.1, to_good = 0.5, loss = 0.5 } }"), "network.dumbbell.loss"),
    "bursts-that-only-move": (
        dumbbell("loss = { bursts = { to_bad = 0.1, to_good = 0.5, loss = 1.0 } }"),
        "network.dumbbell.loss",
    ),
    "chain": (
        dumbbell('loss = { chain = { states = [{ lasts = "1 s" }, { lasts = "200 ms", loss = 0.3 }] } }'),
        "network.dumbbell.loss",
    ),
    "netem": (dumbbell("loss = { netem = { p13 = 0.01, p31 = 0.5 } }"), "network.dumbbell.loss"),
    "land-mobile": (dumbbell(f"loss = {{ land_mobile = {{ {DRIVE} }} }}"), "network.dumbbell.loss"),
    "two-state": (
        dumbbell('loss = { two_state = { surroundings = "suburban", speed = "20 m/s", margin = "5 dB" } }'),
        "network.dumbbell.loss",
    ),
    "loss-steps": (dumbbell('loss = { steps = [{ at = "1 s", per = 0.05 }] }'), "network.dumbbell.loss.steps"),
    "loss-ramp": (
        dumbbell('loss = { steps = [{ at = "1 s", per = 0.0, ramp_to = 1.0 }, { at = "5 s", per = 0.0 }] }'),
        "network.dumbbell.loss.steps",
    ),
    "loss-by-hour": (
        dumbbell('loss_by_hour = { clock = "UTC", start = "6 h", losses = [["6 h", 0.02], ["20 h", 0.01]] }'),
        "network.dumbbell.loss_by_hour",
    ),
    "path-trace": (dumbbell('path_trace = "{trace}"'), "network.dumbbell.path_trace"),
    "jitter-uniform": (dumbbell('jitter = { uniform = "5 ms" }'), "network.dumbbell.jitter"),
    "jitter-normal": (
        dumbbell('jitter = { normal = { mean = "5 ms", deviation = "2 ms" } }'),
        "network.dumbbell.jitter",
    ),
    "jitter-log-normal": (
        dumbbell('jitter = { log_normal = { median = "5 ms", sigma = 0.5 } }'),
        "network.dumbbell.jitter",
    ),
    "red": (dumbbell('queue = { discipline = "red", limit = "60 packets" }'), "network.dumbbell.queue"),
    "pie": (dumbbell('queue = { discipline = "pie", limit = "60 packets" }'), "network.dumbbell.queue"),
    "grants": (
        dumbbell('grants = { period = "4 ms", long_period = "8 ms", long_share = 0.3 }'),
        "network.dumbbell.grants",
    ),
    "random-access": (
        dumbbell(
            'dama = { superframe = "40 ms", latency = "560 ms", vbdc = "unlimited", random_access = '
            '{ scheme = "slotted-aloha", load = 0.4, burst = "500 B" } }'
        ),
        "network.dumbbell.dama.random_access",
    ),
    "reverse": (dumbbell("reverse = { loss = { per = 0.05 } }"), "network.dumbbell.reverse.loss"),
    "arq": (dumbbell("loss = { per = 0.05 }\narq = { repeats = 3 }"), "network.dumbbell.loss"),
    "rain": (
        dumbbell("", rate=f'budget = {{ bandwidth = "3 MHz", down = {{ {HOP}, {RAIN} }} }}', duration="60 s"),
        "network.dumbbell.budget",
    ),
    "frame-errors": (dumbbell("", rate=f"budget = {{ {EDGE} }}"), "network.dumbbell.budget"),
    "access": (
        dumbbell("", 'controller = "cubic"\naccess = { rate = "3 Mbit/s", loss = { per = 1e-2 } }'),
        "flows[0].access.loss",
    ),
    "chain-link": (
        table(
            'network.chain.links = [{ rate = "5 Mbit/s", delay = "9 ms" }, { rate = "4 Mbit/s", delay = "9 ms", '
            'queue = "20 packets", loss = { per = 1e-2 } }]',
            "",
        ),
        "network.chain.links[1].loss",
    ),
    "branch": (
        table(
            'network.star.branches = [{ site = "a", rate = "5 Mbit/s", delay = "9 ms", jitter = { uniform = "3 ms" } '
            '}, { site = "b", rate = "5 Mbit/s", delay = "9 ms" }]',
            'from = "a"\nto = "b"',
        ),
        "network.star.branches[0].jitter",
    ),
    "branch-on-a-carrier": (
        table(
            '[network.star]\ncarriers = [{ name = "up", rate = "2 Mbit/s", superframe = "40 ms", latency = "280 ms" }]'
            '\nbranches = [{ site = "a", rate = "5 Mbit/s", delay = "9 ms", dama = { carrier = "up", vbdc = '
            f'"unlimited", budget = {{ bandwidth = "400 kHz", down = {{ {HOP}, {RAIN} }} }} }} }}, '
            '{ site = "b", rate = "5 Mbit/s", delay = "9 ms" }]',
            'from = "a"\nto = "b"',
        ),
        "network.star.branches[0].dama.budget",
    ),
    "starlink": (table('network.starlink = { preset = "starlink-good" }', ""), "network.starlink.preset"),
    "uplink": (
        table(f'{LEO}user_link = {{ rate = "5 Mbit/s", loss = {{ per = 1e-2 }} }}', SATELLITES),
        "network.constellation.uplink.loss",
    ),
    "loss-by-elevation": (
        table(f'{LEO}downlink = {{ loss_by_elevation = [["5 deg", 0.05], ["90 deg", 0.05]] }}', SATELLITES),
        "network.constellation.downlink.loss_by_elevation",
    ),
    "isl": (
        table(
            f"{LEO}".replace('rate = "20 Mbit/s"', 'rate = "20 Mbit/s", loss_by_range = [["1 km", 0.05]]'), SATELLITES
        ),
        "network.constellation.isl.loss_by_range",
    ),
    "satellite-in-rain": (
        table(
            f'{LEO}downlink = {{ budget = {{ bandwidth = "3 MHz", down = {{ frequency = "20 GHz", eirp = "20 dBW", '
            'g_over_t = "16 dB/K", rain = { rate_001 = "90 mm/h", height = "4 km", cell = "all" } } } }',
            SATELLITES,
        ),
        "network.constellation.downlink.budget",
    ),
    "announce-error": (
        table(
            '[network]\nannounce = "2 s"\nannounce_error = "1 s"\n[network.dumbbell]\nrate = "5 Mbit/s"\n'
            'delay_steps = [["0 s", "20 ms"], ["6 s", "60 ms"], ["12 s", "20 ms"]]',
            "",
        ).replace("cubic", "satcp"),
        "network.announce_error",
    ),
    "poisson": (
        dumbbell("", f'{TRANSFERS}arrivals = {{ law = "poisson", rate = 5.0 }}'),
        "flows[0].arrivals",
    ),
    "arrivals-on-and-off": (
        dumbbell("", f'{TRANSFERS}arrivals = {{ law = "on-off", rate = 5.0, on = "1 s", off = "1 s" }}'),
        "flows[0].arrivals",
    ),
    "think": (
        dumbbell("", f'{TRANSFERS}users = 3\nthink = {{ law = "exponential", mean = "500 ms" }}'),
        "flows[0].think",
    ),
    "sizes": (
        dumbbell(
            "",
            f"{TRANSFERS}{REGULAR}".replace(
                '"20 kB"', '{ law = "pareto", mean = "20 kB", shape = 1.5, most = "1 MB" }'
            ),
        ),
        "flows[0]",
    ),
    "pages": (
        dumbbell(
            "",
            f'kind = "web"\ncontroller = "reno"\n{REGULAR}page = {{ objects = 20, size = {{ law = "log-normal", '
            'mean = "10 kB", sigma = 1.0 }, stages = 2 }',
        ),
        "flows[0]",
    ),
    "films": (
        dumbbell(
            "",
            'kind = "video"\ncontroller = "reno"\nusers = 1\nthink = "100 ms"\nvideo = { length = '
            '{ law = "exponential", mean = "2 s" }, segment = "500 ms", startup = "500 ms", resume = "500 ms" }',
            duration="30 s",
        ),
        "flows[0]",
    ),
    "requests": (
        dumbbell(
            "",
            f'kind = "requests"\ncontroller = "reno"\n{REGULAR}request = {{ answer = {{ law = "exponential", '
            'mean = "20 kB" } }',
        ),
        "flows[0]",
    ),
    "stream": (
        dumbbell("", 'kind = "cbr"\nrate = "1 Mbit/s"\non = { law = "exponential", mean = "500 ms" }\noff = "500 ms"'),
        "flows[0].on",
    ),
}
#: Scenarios that ask for a draw whose outcome is certain: nothing is told, and two seeds are one run.
VOID = {
    "plain": dumbbell(""),
    "per": dumbbell("loss = { per = 0.0 }"),
    "ber": dumbbell("loss = { ber = 0.0 }"),
    "bursts": dumbbell("loss = { bursts = { to_bad = 0.0, to_good = 0.5, loss = 0.5 } }"),
    "bursts-without-loss": dumbbell("loss = { bursts = { to_bad = 0.2, to_good = 0.5, loss = 0.0 } }"),
    "chain": dumbbell('loss = { chain = { states = [{ lasts = "1 s" }, { lasts = "200 ms" }] } }'),
    "netem": dumbbell("loss = { netem = { p13 = 0.0, p31 = 0.5 } }"),
    "steps": dumbbell('loss = { steps = [{ at = "1 s", per = 1.0 }, { at = "2 s", per = 0.0 }] }'),
    "list": dumbbell("loss = { packets = [7, 30], period = 200 }"),
    "jitter": dumbbell('jitter = { uniform = "0 s" }'),
    "jitter-normal": dumbbell('jitter = { normal = { mean = "5 ms", deviation = "0 s" } }'),
    "jitter-log-normal": dumbbell('jitter = { log_normal = { median = "5 ms", sigma = 0.0 } }'),
    "grants": dumbbell('grants = { period = "4 ms" }'),
    "grants-alike": dumbbell('grants = { period = "4 ms", long_period = "4 ms", long_share = 0.3 }'),
    "random-access-alone": dumbbell(
        'dama = { superframe = "40 ms", latency = "560 ms", vbdc = "unlimited", random_access = '
        '{ scheme = "crdsa", load = 0.0, burst = "500 B", bursts = 5 } }'
    ),
    "by-hour": dumbbell('loss_by_hour = { clock = "UTC", start = "6 h", losses = [["6 h", 0.0], ["20 h", 0.0]] }'),
    "clear-sky": dumbbell("", rate=f'budget = {{ bandwidth = "3 MHz", down = {{ {HOP} }} }}'),
    "no-rain": dumbbell(
        "",
        rate=f'budget = {{ bandwidth = "3 MHz", down = {{ {HOP}, rain = {{ rate_001 = "0 mm/h", '
        'height = "3 km" } } }',
    ),
    "arq": dumbbell("arq = { repeats = 3 }"),
    "fq-codel": dumbbell('queue = { discipline = "fq-codel", limit = "60 packets" }'),
    "dualpi2": dumbbell('queue = { discipline = "dualpi2", limit = "60 packets" }'),
    "regular": dumbbell("", f"{TRANSFERS}{REGULAR}"),
    "pages": dumbbell("", f'kind = "web"\ncontroller = "reno"\n{REGULAR}page = {{ objects = 20, size = "10 kB" }}'),
    "stream": dumbbell("", 'kind = "cbr"\nrate = "1 Mbit/s"\non = "500 ms"\noff = "500 ms"'),
    "announced": table(
        '[network]\nannounce = "2 s"\n[network.dumbbell]\nrate = "5 Mbit/s"\n'
        'delay_steps = [["0 s", "20 ms"], ["6 s", "60 ms"]]',
        "",
    ).replace("cubic", "satcp"),
}


def outcomes(text: str, origin: str = "case.toml") -> list[dict[str, Any]]:
    """The summaries of two runs with two seeds, without their seeds."""
    found = _core.lean_summaries([_core.Job(text, origin, seed=seed) for seed in (1, 2)], lambda: None)
    read = []
    for one in found:
        if isinstance(one, BentpipeError):
            raise one
        summary = json.loads(one)
        summary["provenance"].pop("seed")
        read.append(summary)
    return read


def differ(text: str, origin: str = "case.toml") -> bool:
    """Whether two seeds give two runs."""
    one, other = outcomes(text, origin)
    return one != other


def drawn(text: str, origin: str = "case.toml") -> list[_core.Chance]:
    """What is told beforehand."""
    return _core.chance(_core.Job(text, origin))


@pytest.mark.parametrize("name", DRAWS)
def test_every_source_is_told_and_draws(name: str, tmp_path: Path) -> None:
    text, place = DRAWS[name]
    (tmp_path / "trace.csv").write_text(TRACE)
    text = text.replace("{trace}", (tmp_path / "trace.csv").as_posix())
    found = drawn(text)
    assert place in {one.place for one in found}, found
    # It is a key of the resolved scenario.
    known: Any = Bench(text).document
    for step in re.findall(r"\[(\d+)\]|([^.\[\]]+)", place):
        known = known[int(step[0])] if step[0] else known[step[1]]
    kind = "traffic" if place.startswith("flows") and "access" not in place else "network"
    assert {one.kind for one in found} == {kind}
    assert differ(text)


@pytest.mark.parametrize("name", VOID)
def test_a_draw_without_effect_is_not_told(name: str) -> None:
    assert drawn(VOID[name]) == []
    assert not differ(VOID[name])


def test_a_path_trace_without_losses_draws_nothing(tmp_path: Path) -> None:
    (tmp_path / "trace.csv").write_text("time_s,delay_ms,loss_ratio\n0,5,0\n1,9,0\n")
    text = DRAWS["path-trace"][0].replace("{trace}", (tmp_path / "trace.csv").as_posix())
    assert drawn(text) == []
    assert not differ(text)


# --- controllers ---

BEDS = (
    'duration = "12 s"\nnetwork.dumbbell = {{ rate = "4 Mbit/s", rtt = "40 ms" }}\nflows = [{{ controller = "{0}" }}]',
    # With all signals that a network can give.
    'duration = "40 s"\nnetwork.announce = "1 s"\nnetwork.constellation = {{ preset = "iridium" }}\n'
    'flows = [{{ controller = "{0}", from = "London", to = "Madrid" }}]',
)


@pytest.mark.parametrize("entry", json.loads(_core.controllers()), ids=lambda entry: str(entry["name"]))
def test_the_catalogue_says_which_controllers_draw(entry: dict[str, Any]) -> None:
    found = []
    for bed in BEDS:
        text = bed.format(entry["name"])
        told = [("flows[0].controller", entry["name"], "controller")] if entry["draws"] else []
        assert [(one.place, one.what, one.kind) for one in drawn(text)] == told
        try:
            found.append(differ(text))
        except BentpipeError as error:
            assert error.code == "signal-missing"
    assert any(found) == entry["draws"]


def test_a_proxy_has_a_controller_of_its_own() -> None:
    chain = 'duration = "12 s"\nnetwork.chain = { links = 2, link = { rate = "4 Mbit/s", delay = "20 ms" } }\n'
    text = f'{chain}peps = [{{ at = ["1"], buffer = "1 MB", controller = "bbr1" }}]\nflows = [{{ controller = "reno" }}]'
    assert [one.place for one in drawn(text)] == ["peps[0].controller"]
    assert differ(text)


def test_who_is_replaced_counts_for_nothing() -> None:
    text = 'network.dumbbell = { rate = "4 Mbit/s", rtt = "40 ms" }\nflows = [{ name = "a", controller = "bbr3" }, { name = "b", controller = "bbr3" }]'
    bench = Bench(text)
    assert not bench.has_chance(frozenset({0, 1}))
    assert bench.has_chance(frozenset({0}))
    assert bench.has_chance(frozenset())


# --- scenarios drawn from the schema ---


def test_what_differs_is_told_in_scenarios_that_are_drawn(tmp_path: Path) -> None:
    for trace in TRACES.values():
        (tmp_path / trace).symlink_to(ROOT / "data" / trace)
    origin = (tmp_path / "case.toml").as_posix()
    told = seen = quiet = 0
    for number in range(CASES):
        text = accepted(Draw(Random(number)).document())
        try:
            found = [one for one in drawn(text, origin)]
            differs = differ(text, origin)
        except BentpipeError:
            continue
        assert found or not differs, f"case {number} draws, and nobody told:\n{text}"
        told += bool(found)
        seen += differs
        quiet += not found
    print(told, seen, quiet)


CASES = 300
