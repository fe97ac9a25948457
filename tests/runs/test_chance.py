# SPDX-License-Identifier: MIT OR Apache-2.0
"""The announced random draws of a scenario, compared with runs with two seeds."""

from __future__ import annotations

import json
import re
from pathlib import Path
from random import Random
from typing import Any

import pytest

import bentpipe as bp
from bentpipe import _core
from bentpipe.base.errors import BentpipeError
from bentpipe.scenario.bench import Bench
from fuzz.draw import TRACES, Draw, accepted
from project import ROOT

HOP = 'frequency = "20 GHz", eirp = "52 dBW", g_over_t = "16 dB/K", elevation = "30 deg", latitude = "45 deg"'
RAIN = 'rain = { rate_001 = "60 mm/h", height = "3 km", start = "12 dB" }'
#: The carrier's level in clear sky equals the threshold of its MODCOD, where one frame in 10^5 is lost.
EDGE = f'bandwidth = "3 MHz", margin = "0 dB", down = {{ {HOP.replace("52 dBW", "49.695 dBW")} }}'
LEO = """
[network.constellation]
preset = "iridium"
"""
SATELLITES = 'from = "London"\nto = "Madrid"'
WIDE = 'uplink = { rate = "20 Mbit/s" }\n'
MOVING = 'frequency = "20 GHz", eirp = "20 dBW", g_over_t = "6 dB/K"'
DRIVE = (
    'speed = "20 m/s", margin = "5 dB", good = { lasts = "20 m", rice_factor = "10 dB" }, '
    'bad = { lasts = "20 m", mean = "-10 dB", deviation = "3 dB" }'
)
TRANSFERS = 'kind = "transfers"\ncontroller = "reno"\nsize = "20 kB"\n'
REGULAR = 'arrivals = { law = "regular", rate = 5.0 }\n'
TRACE = "time_s,loss_ratio\n0,0\n1,0.1\n"


def dumbbell(keys: str, flow: str = 'controller = "cubic"', duration: str = "6 s", rate: str = "") -> str:
    """Return a scenario with one link."""
    rate = rate or 'rate = "5 Mbit/s"'
    return (
        f'duration = "{duration}"\n[network.dumbbell]\n{rate}\nrtt = "40 ms"\nqueue = "20 packets"\n{keys}\n'
        f"[[flows]]\n{flow}\n"
    ).replace('queue = "20 packets"\n', "" if "queue = {" in keys else 'queue = "20 packets"\n')


def table(keys: str, under: str, duration: str = "20 s") -> str:
    """Return a scenario with these tables of the network."""
    return f'duration = "{duration}"\n{keys}\n[[flows]]\ncontroller = "cubic"\n{under}\n'


#: Name of the test that covers the catalogue.
CATALOGUE = "controllers"
#: For each random source in the code: a scenario, and the place that is announced as drawing. Two seeds always differ.
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
        dumbbell('loss = { two_state = { surroundings = "suburban-60", speed = "20 m/s", margin = "5 dB" } }'),
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
    "frame-errors": (dumbbell("", rate=f"budget = {{ {EDGE} }}", duration="300 s"), "network.dumbbell.budget"),
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
            f'{LEO}isl = {{ rate = "20 Mbit/s", loss_by_range = [["1 km", 0.05]] }}', 'from = "London"\nto = "Tokyo"'
        ),
        "network.constellation.isl.loss_by_range",
    ),
    "satellite-in-rain": (
        table(
            f'{LEO}{WIDE}downlink = {{ budget = {{ bandwidth = "1 MHz", down = {{ {MOVING}, rain = {{ rate_001 = '
            '"120 mm/h", height = "5 km", probability = 0.5 } } } }',
            SATELLITES,
        ),
        "network.constellation.downlink.budget",
    ),
    "satellite-with-a-late-modem": (
        table(
            f'{LEO}{WIDE}downlink = {{ budget = {{ bandwidth = "1 MHz", margin = "0 dB", reaction = "1 s", down = '
            f"{{ {MOVING} }} }} }}",
            SATELLITES,
            duration="300 s",
        ),
        "network.constellation.downlink.budget",
    ),
    "announce-error": (
        table(
            '[network]\nannounce = "2 s"\nannounce_error = "1 s"\n[network.constellation]\npreset = "starlink-550"\n'
            'access = { policy = "highest-elevation", slot = "15 s" }\nhandover = { outage = "100 ms" }\n'
            'route_step = "5 s"\nuser_link = { loss = { packets = [50], period = 300 } }',
            SATELLITES,
            duration="60 s",
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
    "quic": (
        dumbbell("", 'transport = "quic"\ncontroller = "reno"'),
        "flows[0].transport",
    ),
    "stream": (
        dumbbell("", 'kind = "cbr"\nrate = "1 Mbit/s"\non = { law = "exponential", mean = "500 ms" }\noff = "500 ms"'),
        "flows[0].on",
    ),
}
#: Scenarios with a draw whose outcome is certain. No draw is announced, and two seeds give the same run.
VOID = {
    "plain": dumbbell(""),
    "per": dumbbell("loss = { per = 0.0 }"),
    "ber": dumbbell("loss = { ber = 0.0 }"),
    "bursts": dumbbell("loss = { bursts = { to_bad = 0.0, to_good = 0.5, loss = 0.5 } }"),
    "bursts-without-loss": dumbbell("loss = { bursts = { to_bad = 0.2, to_good = 0.5, loss = 0.0 } }"),
    "chain": dumbbell('loss = { chain = { states = [{ lasts = "1 s" }, { lasts = "200 ms" }] } }'),
    "netem": dumbbell("loss = { netem = { p13 = 0.0, p31 = 0.5 } }"),
    "steps": dumbbell('loss = { steps = [{ at = "1 s", per = 1.0 }, { at = "2 s", per = 0.0 }] }'),
    "policer": dumbbell('policer = { rate = "3 Mbit/s", burst = "20 kB" }\necn_bleach = true'),
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


#: Every file that opens a random stream or sets a seed, with the cases above that show its draws.
STREAMS = {
    "control/src/bbr1/probe_bw.rs": CATALOGUE,
    "control/src/bbr3.rs": CATALOGUE,
    "control/src/vivace.rs": CATALOGUE,
    "control/src/vivace/flow.rs": CATALOGUE,
    "random/src/lib.rs": "the seeds themselves",
    "link/src/arq.rs": "arq",
    "link/src/chain/walk.rs": "bursts, chain, netem, land-mobile, two-state",
    "link/src/course.rs": "loss-steps, grants",
    "link/src/held.rs": "red, pie",
    "link/src/impairments.rs": "per, ber",
    "link/src/jitter.rs": "jitter-uniform, jitter-normal, jitter-log-normal",
    "link/src/random_access.rs": "random-access",
    "link/src/starlink.rs": "starlink",
    "radio/src/frames.rs": "frame-errors, satellite-with-a-late-modem",
    "radio/src/weather.rs": "rain, satellite-in-rain, branch-on-a-carrier",
    "scenario/src/traffic.rs": "pairs of a traffic matrix: its seed is a key of its own",
    "hosts/src/application/connection.rs": CATALOGUE,
    "hosts/src/application/visits.rs": "think, poisson, sizes",
    "hosts/src/on_off.rs": "stream",
    "hosts/src/quic.rs": "quic",
    "hosts/src/quic/draws.rs": "quic",
    "hosts/src/quic/library.rs": "quic",
    "plan/src/lay.rs": "grants, starlink, rain, frame-errors",
    "plan/src/notices.rs": "announce-error",
    "plan/src/vary.rs": "satellite-in-rain, satellite-with-a-late-modem",
    "sim/src/assembly.rs": "per, access",
    "traffic/src/arrivals.rs": "poisson, arrivals-on-and-off",
    "traffic/src/exchange.rs": "requests",
    "traffic/src/film.rs": "films",
    "traffic/src/model.rs": "sizes",
    "traffic/src/page.rs": "pages",
}


def outcomes(text: str, origin: str = "case.toml") -> list[dict[str, Any]]:
    """Return the summaries of two runs with two seeds, without the seeds."""
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
    """Whether two seeds give different runs."""
    one, other = outcomes(text, origin)
    return one != other


def drawn(text: str, origin: str = "case.toml") -> list[_core.Chance]:
    """Return the announced draws."""
    return _core.facts(_core.Job(text, origin)).chance


@pytest.mark.parametrize("name", DRAWS)
def test_every_source_is_told_and_draws(name: str, tmp_path: Path) -> None:
    text, place = DRAWS[name]
    (tmp_path / "trace.csv").write_text(TRACE)
    text = text.replace("{trace}", (tmp_path / "trace.csv").as_posix())
    found = drawn(text)
    assert place in {one.place for one in found}, found
    # The announced place is a key of the resolved scenario.
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


def test_a_path_trace_that_loses_all_or_nothing_draws_nothing(tmp_path: Path) -> None:
    (tmp_path / "trace.csv").write_text("time_s,loss_ratio\n0,0\n1,1\n2,0\n")
    text = DRAWS["path-trace"][0].replace("{trace}", (tmp_path / "trace.csv").as_posix())
    assert drawn(text) == []
    assert not differ(text)


# --- controllers ---

CROSS = 'controller = "bbr3"'

BEDS = (
    'duration = "12 s"\nnetwork.dumbbell = {{ rate = "4 Mbit/s", rtt = "40 ms" }}\nflows = [{{ controller = "{0}" }}]',
    # The network gives all signals that a network can give.
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
            if error.code != "signal-missing":
                raise
    assert any(found) == entry["draws"]


def test_a_proxy_has_a_controller_of_its_own() -> None:
    chain = 'duration = "12 s"\nnetwork.chain = { links = 2, link = { rate = "4 Mbit/s", delay = "20 ms" } }\n'
    text = (
        f'{chain}peps = [{{ at = ["1"], buffer = "1 MB", controller = "bbr1" }}]\nflows = [{{ controller = "reno" }}]'
    )
    assert [one.place for one in drawn(text)] == ["peps[0].controller"]
    assert differ(text)


def test_who_is_replaced_counts_for_nothing() -> None:
    bench = Bench(f"{dumbbell('', CROSS)}[[flows]]\n{CROSS}\n")
    assert not bench.has_chance(frozenset({0, 1}))
    assert bench.has_chance(frozenset({0}))
    assert bench.has_chance(frozenset())


# --- scenarios drawn from the schema ---

#: Number of drawn scenarios. More than half of them can be run.
CASES = 300


def test_what_differs_is_told_in_scenarios_that_are_drawn(tmp_path: Path) -> None:
    for trace in TRACES.values():
        (tmp_path / trace).symlink_to(ROOT / "data" / trace)
    origin = (tmp_path / "case.toml").as_posix()
    told: list[tuple[bool, int]] = []
    quiet = 0
    for number in range(CASES):
        text = accepted(Draw(Random(number)).document())  # noqa: S311 - scenarios, not secrets
        try:
            one, other = outcomes(text, origin)
        except BentpipeError:
            continue  # it cannot be run
        if drawn(text, origin):
            told.append((one != other, one["totals"]["delivered_packets"]))
        else:
            assert one == other, f"two seeds of case {number} differ, and nothing is told to draw:\n{text}"
            quiet += 1
    assert quiet >= 20
    # An announced draw may have no effect: it may not rain, or few packets may pass.
    busy = [differs for differs, delivered in told if delivered >= 20]
    assert len(busy) >= 50
    assert sum(busy) >= 0.75 * len(busy)


# --- where it is asked ---

#: Queues that draw, with no loss of a fixed probability.
MANAGED = """
name = "managed"
duration = "3 s"
[network.dumbbell]
rate = "5 Mbit/s"
rtt = "40 ms"
queue = { discipline = "red", limit = "60 packets" }
jitter = { uniform = "2 ms" }
[[flows]]
name = "first"
controller = "reno"
[[flows]]
name = "second"
controller = "reno"
"""


def test_which_does_not_deny_it() -> None:
    answer = bp.which(MANAGED, "reno,cubic", slow_starts="own", trials=0, seeds=3)
    assert answer.has_chance
    assert not [line for line in answer.lines() if "draws nothing at random" in line]


def test_a_league_makes_all_seeds_of_a_bed_that_draws(tmp_path: Path) -> None:
    (tmp_path / "competition").mkdir()
    (tmp_path / "alone.toml").write_text(MANAGED)
    (tmp_path / "competition" / "bed.toml").write_text(MANAGED)
    found = bp.league(tmp_path, "reno,cubic", seeds=6)
    (alone,) = found.scores
    assert [len(lines) for lines in alone.lines.values()] == [6, 6]
    assert found.made == 6 * 2 + 6 * 3, "each alone, and three pairs"
    assert not [note for note in found.notes if "draw nothing at random" in note]


def test_a_pair_has_all_rounds_where_one_of_both_draws(tmp_path: Path) -> None:
    (tmp_path / "competition").mkdir()
    plain = dumbbell("", duration="3 s")
    (tmp_path / "alone.toml").write_text(plain)
    (tmp_path / "competition" / "bed.toml").write_text(f'{plain}[[flows]]\ncontroller = "cubic"\n')
    found = bp.league(tmp_path, "reno,bbr1", seeds=4)
    # Alone, each controller has two runs: reno, and also bbr1, whose draws have no effect within 3 s.
    pairs = found.made - sum(2 if len(lines) == 1 else 4 for lines in found.scores[0].lines.values())
    assert pairs == 2 + 4 + 4, "reno with itself, reno with bbr1, bbr1 with itself"


def test_a_comparison_makes_all_seeds(tmp_path: Path) -> None:
    found = bp.compare(MANAGED, ["reno"], seeds=3, out=tmp_path / "out")
    assert len(found.runs["reno"]) == 3


def test_points_of_a_sweep_answer_each_for_itself() -> None:
    swept = bp.sweep(
        {
            "base": {
                "duration": "2 s",
                "network": {"dumbbell": {"rate": "5 Mbit/s", "rtt": "40 ms"}},
                "flows": [{"controller": "cubic"}],
            },
            "axes": {
                "network.dumbbell.queue": ["20 packets", {"discipline": "red", "limit": "60 packets"}],
                "network.dumbbell.jitter.uniform": ["1 ms", "0 s"],
            },
            "seeds": {"at_least": 4},
        }
    )
    assert swept.points["seeds"] == [4, 2, 4, 4]


def test_a_file_that_opens_a_random_stream_is_known() -> None:
    """A file with a new stream reports its draws in a method `draws`, which `Scenario::chance` calls."""
    opens = re.compile(r"\b(stream_seed\(|seed_from_u64\()")
    found = set()
    for file in sorted((ROOT / "crates").glob("*/src/**/*.rs")):
        if file.name in ("tests.rs", "rig.rs") or "tests" in file.parts:
            continue
        source = re.split(r"#\[cfg\(test\)\]\nmod tests \{", file.read_text())[0]
        if opens.search(re.sub(r"//.*", "", source)):
            found.add(file.relative_to(ROOT / "crates").as_posix())
    assert found == set(STREAMS), "say in STREAMS which case shows what the file draws"
