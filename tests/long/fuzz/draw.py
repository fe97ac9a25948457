# SPDX-License-Identifier: MIT OR Apache-2.0
"""Draw random scenarios from the format's schema, so that a new key is tried without a change here.

This file contains what is not in the schema: names of objects, and bounds that keep a run short. The schema contains
the keys that exclude or need each other.
"""

from __future__ import annotations

import json
import math
import re
from functools import cache
from random import Random
from typing import Any

import tomli_w

from bentpipe import _core
from bentpipe.base.errors import BentpipeError
from fuzz import applications

#: Keys that are never drawn: a second form of a place, keys for catalogues only, missing files, and keys for long runs.
LEFT_OUT = {
    "Dumbbell": {"path_trace", "trace_end"},
    "Link": {"path_trace", "trace_end"},
    "MovingLink": {"path_trace", "trace_end"},
    "UserLink": {"path_trace", "trace_end"},
    "IslTable": {"path_trace", "trace_end", "budget", "rate_by_elevation", "loss_by_elevation", "delay_by_elevation"},
    "AccessLink": {"path_trace", "trace_end"},
    "Constellation": {"catalogue", "start", "oldest", "unusable", "shells", "gateways", "pops"},
    "Flow": {"from", "to", "stagger", *applications.KEYS},
    "Traffic": {"from", "to", "stagger", "file", "flows", "top", "sites", "pairs", *applications.KEYS},
    "Starlink": {"preset"},
    "Dama": {"carrier"},
    "Branch": {"count", "path_trace", "trace_end", "forward"},
    "Star": {"carriers", "forward_carriers"},
}
#: Bounds that keep a run short if the format's bounds are wide: quantities in base units, or numbers.
NARROW: dict[tuple[str, str], tuple[float, float]] = {
    ("Flow", "count"): (1, 4),
    ("Traffic", "count"): (1, 2),
    ("Flow", "packet"): (40, 65535),
    ("Walker", "planes"): (1, 8),
    ("Walker", "per_plane"): (1, 10),
    ("Walker", "altitude"): (4e5, 4e7),
    ("Constellation", "min_elevation"): (-5, 30),
    ("Constellation", "gso_exclusion"): (0, 30),
    ("Constellation", "offset"): (0, 1e5),
    ("IslTable", "shift"): (-3, 3),
    ("Tcp", "initial_window"): (1, 2000),
    ("Policer", "burst"): (65536, 1e6),
    # With these MTUs some flows are refused, and some probes of QUIC are too large.
    **{(table, "mtu"): (1300, 9000) for table in ("Dumbbell", "Link", "Branch", "AccessLink")},
    **{(table, "mtu"): (1300, 9000) for table in ("MovingLink", "UserLink", "IslTable")},
    ("Loss", "per"): (1e-5, 0.3),
    ("Loss", "ber"): (1e-9, 1e-4),
    ("LossStep", "per"): (0, 0.3),
    ("LossState", "lasts"): (1e-3, 10),
    ("Arq", "repeats"): (1, 8),
    ("Arq", "delay"): (1e-4, 0.3),
    ("Netem", "p13"): (1e-4, 0.3),
    ("Netem", "p31"): (0.05, 0.5),
    ("Netem", "p32"): (0.05, 0.5),
    ("Netem", "p23"): (0.05, 1),
    ("Netem", "p14"): (1e-4, 0.3),
    ("DelayStep", "delay"): (0, 0.3),
    ("DelayStep", "ramp_to"): (0, 0.3),
    ("LossStep", "ramp_to"): (0, 0.3),
    ("AccessLink", "delay"): (1e-5, 0.5),
    ("Dama", "superframe"): (5e-3, 0.5),
    ("Carrier", "superframe"): (5e-3, 0.5),
    ("Carrier", "latency"): (1e-3, 1),
    ("Dama", "latency"): (0, 1),
    ("Dama", "cra"): (2e4, 1e6),
    ("Dama", "rbdc"): (2e4, 1e6),
    ("Dama", "vbdc"): (2e4, 1e6),
    ("Dama", "fca"): (0.05, 1),
    ("Jitter", "uniform"): (1e-5, 0.1),
    ("NormalJitter", "mean"): (1e-5, 0.1),
    ("NormalJitter", "deviation"): (1e-5, 0.1),
    ("LogNormalJitter", "median"): (1e-5, 0.1),
    ("LogNormalJitter", "sigma"): (0, 1.5),
    ("Dumbbell", "rtt"): (1e-4, 2),
    ("Dumbbell", "delay"): (1e-5, 1),
    ("Link", "delay"): (1e-5, 1),
    ("Branch", "delay"): (1e-5, 1),
    ("Tcp", "min_rto"): (1e-3, 2),
    ("Tcp", "max_rto"): (1, 8),
    ("Tcp", "initial_rto"): (0.1, 4),
}
#: Ratios in decibels of a land-mobile channel.
DRIVE = {"margin": (-20, 60), "rice_factor": (-20, 30), "mean": (-60, 20), "deviation": (0, 20)}
UNITS = {
    "time span": [("s", 1.0), ("ms", 1e-3), ("us", 1e-6), ("min", 60.0)],
    "data rate": [("bit/s", 1.0), ("kbit/s", 1e3), ("Mbit/s", 1e6)],
    "amount of data": [("B", 1.0), ("kB", 1e3), ("KiB", 1024.0)],
    "distance": [("m", 1.0), ("km", 1e3)],
    "altitude": [("m", 1.0), ("km", 1e3)],
    "angle": [("deg", 1.0)],
}
#: Factors from the units in the schema's bounds to base units.
FACTORS = {unit: factor for units in UNITS.values() for unit, factor in units}
FACTORS |= {"ns": 1e-9, "h": 3600.0, "d": 86400.0, "MB": 1e6, "GB": 1e9}
PRESETS = ("iridium", "iridium-next", "oneweb", "o3b", "geo", "telesat")
CITIES = ("Berkeley", "Boston", "London", "Madrid", "Tokyo", "Singapore", "Nairobi", "Sydney")
#: Trace files, which are next to the scenario.
TRACES = {"trace": "leocc-30s.deliveries", "delay_trace": "leocc-30s.delays"}


@cache
def schema() -> dict[str, Any]:
    """The format's schema."""
    return dict(json.loads(_core.scenario_schema()))


def excluded(key: dict[str, Any]) -> set[str]:
    """Return the keys that a key excludes."""
    return {other for rule in key.get("x-excludes", ()) for other in rule["keys"]}


@cache
def controllers() -> list[dict[str, Any]]:
    """The catalogue."""
    return list(json.loads(_core.controllers()))


#: The place in the message of a refused scenario.
KEY = re.compile(r"case\.toml(?::\d+)?: ([^ :]+): ")


#: Largest CPU time for the visits of a scenario, in s by the cost model.
CPU_S = 0.5


def accepted(document: dict[str, Any]) -> str:
    """Return the document as TOML. A few tries remove keys that are refused. Visits take `CPU_S` at most."""
    for _ in range(12):
        text = tomli_w.dumps(document)
        try:
            job = _core.Job(text, "case.toml")
            _core.facts(job)
            loaded = [flow for flow in document.get("flows", ()) if isinstance(flow.get("load"), float)]
            if loaded and json.loads(_core.cost(job, measured=False))["cpu_s"] > CPU_S:
                # With answers of a few bytes, a fast path would have millions of visits a second.
                for flow in loaded:
                    flow["load"] /= 10.0
                continue
        except BentpipeError as error:
            found = KEY.search(error.message)
            if found is None or not _without(document, found.group(1)):
                break
        else:
            break
    return text


def _without(document: dict[str, Any], key: str) -> bool:
    """Remove a key from a document. Return whether it was there."""
    if key.startswith("peps") and ".tcp" not in key:
        # All other keys of a proxy are required: without one of them, the next try would be refused.
        return document.pop("peps", None) is not None
    steps = [int(step[1:-1]) if step[0] == "[" else step for step in re.findall(r"\[\d+\]|[^.\[\]]+", key)]
    place: Any = document
    for step in steps[:-1]:
        inside = step in place if isinstance(place, dict) else isinstance(step, int) and isinstance(place, list)
        if not inside:
            return False
        place = place[step]
    if not isinstance(place, dict) or steps[-1] not in place:
        return False
    del place[steps[-1]]
    return True


class Draw:
    """Draws a scenario whose length and rates are so small that a run takes milliseconds."""

    def __init__(self, chance: Random) -> None:
        self.chance = chance
        self.rate = self.between(5e4, 5e7)
        self.length = min(self.between(0.05, 40.0), 8e7 / self.rate)
        self.sites: list[str] = []

    def text(self) -> str:
        """As TOML."""
        return tomli_w.dumps(self.document())

    def document(self) -> dict[str, Any]:
        """The whole."""
        network = self.network()
        document: dict[str, Any] = {
            "name": "drawn",
            "duration": f"{self.length:.4g} s",
            "seed": self.chance.randrange(1000),
            "network": network,
            "flows": [self.flow() for _ in range(self.chance.choice((1, 1, 2, 3, 6)))],
        }
        if self.perhaps(0.15) and len(self.sites) > 2:
            traffic = self.table("Traffic") | {"matrix": "pairs", "pairs": [self.pair() for _ in range(3)]}
            traffic = {key: one for key, one in traffic.items() if key not in ("seed", "controller")}
            kind = traffic.get("kind", "tcp")
            if kind in applications.KINDS:
                traffic |= applications.application(self, kind)
            tcp = kind not in ("cbr", "ping")
            document["traffic"] = [traffic | ({"controller": self.controller()} if tcp else {})]
        if self.perhaps(0.5):
            document["tcp"] = self.table("Tcp")
        if self.perhaps(0.15):
            document["peps"] = [self.pep(document["flows"])]
        if self.perhaps(0.2):
            document["warm_up"] = self.span(0, self.length * 0.6)
        document["record"] = self.record()
        return document

    def perhaps(self, share: float) -> bool:
        return self.chance.random() < share

    def between(self, low: float, high: float) -> float:
        """By its magnitude."""
        if low <= 0 or high <= 0:
            return self.chance.uniform(low, high)
        return min(high, max(low, math.exp(self.chance.uniform(math.log(low), math.log(high)))))

    def span(self, low: float, high: float) -> str:
        return self.written("time span", self.chance.uniform(low, high))

    def written(self, kind: str, base: float) -> str:
        unit, factor = self.chance.choice(UNITS[kind])
        digits = 3 if kind != "amount of data" else 9
        number = round(base) if kind == "amount of data" else base
        return f"{number / factor:.{digits}g} {unit}"

    # ---- rules that are not in the schema ----------------------------------------------------------------------

    def network(self) -> dict[str, Any]:
        shape = self.chance.choice(("dumbbell", "dumbbell", "chain", "star", "starlink", "constellation", "preset"))
        if shape == "preset":
            return self.preset()
        body = getattr(self, shape)()
        found = {shape: body}
        if self.perhaps(0.15):
            found["announce"] = self.span(0, self.length)
        return found

    def preset(self) -> dict[str, Any]:
        """Draw a network preset, which may have another rate."""
        one = self.chance.choice(list(json.loads(_core.network_presets())))
        ((shape, keys),) = one["network"].items()
        self.sites = {"dumbbell": ["left", "right"], "starlink": ["dish", "server"]}.get(shape, ["terminal", "server"])
        self.length = min(self.length, 2.0)  # the preset's rates can be high
        found: dict[str, Any] = {"preset": one["name"]}
        if self.perhaps(0.5) and shape != "starlink":
            own = {"rate": self.value({"format": "data rate"}, ("", "rate"))}
            found[shape] = own if "rate" in keys else {self.chance.choice(("uplink", "downlink", "user_link")): own}
        return found

    def dumbbell(self) -> dict[str, Any]:
        self.sites = ["left", "right"]
        return self.table("Dumbbell")

    def chain(self) -> dict[str, Any]:
        links = self.chance.randint(1, 4)
        self.sites = [str(number) for number in range(links + 1)]
        if self.perhaps(0.5):
            return {"links": links, "link": self.table("Link")}
        return {"links": [self.table("Link") for _ in range(links)]}

    def star(self) -> dict[str, Any]:
        self.sites = [f"s{number}" for number in range(self.chance.randint(2, 4))]
        star = {"branches": [self.table("Branch") | {"site": site} for site in self.sites]}
        # Some of the terminals share a carrier to the hub.
        carrier = self.table("Carrier") | {"name": "up"}
        for branch in star["branches"] if self.perhaps(0.5) else []:
            own = branch.get("dama", {})
            if self.perhaps(0.7) and "rate" in branch:
                branch["dama"] = {"carrier": "up", "vbdc": "unlimited"} | {
                    key: one for key, one in own.items() if key in ("cra", "rbdc", "vbdc", "fca")
                }
                branch["dama"] |= self.pace(carrier["rate"]) if self.perhaps(0.5) else {}
                branch.pop("arq", None)
                branch.pop("grants", None)
                star["carriers"] = [carrier]
        # Some terminals share a carrier from the hub, at its rate.
        forward = {"name": "down", "rate": self.value({"format": "data rate"}, ("", "rate"))}
        forward |= {"turns": "time"} if self.perhaps(0.3) else {}
        for branch in star["branches"] if self.perhaps(0.5) else []:
            if self.perhaps(0.7):
                for key in ("rate", "rate_steps", "trace", "budget", "warn_above"):
                    branch.pop(key, None)
                branch["forward"] = self.table("Forward") | {"carrier": "down"}
                star["forward_carriers"] = [forward]
        return star

    def pace(self, whole: str) -> dict[str, Any]:
        """Draw a terminal's rate on a carrier of this rate: a lower rate, a rate over time, or a budget."""
        bit_s = self.bound(whole) or 1.0
        slower = f"{max(1, round(bit_s * self.chance.uniform(0.2, 1)))} bit/s"
        way = self.chance.choice(("rate", "rate_steps", "budget"))
        if way == "rate":
            return {"rate": slower}
        if way == "rate_steps" or bit_s < 1e4:
            fade, end = sorted(self.chance.uniform(0.01, self.length) for _ in range(2))
            low = self.chance.choice((slower, "0 bit/s"))
            steps = ((0.0, whole), (fade, low), (end + 0.001, slower))
            return {"rate_steps": [{"at": f"{at:.6f} s", "rate": rate} for at, rate in steps]}
        # No MODCOD carries 5 bit/s per hertz.
        return {"budget": self.budget() | {"bandwidth": f"{bit_s / 5:.0f} Hz"}}

    def starlink(self) -> dict[str, Any]:
        self.sites = ["dish", "server"]
        self.length = min(self.length, 2.0)  # the rates can be high
        preset = self.chance.choice(("starlink-good", "starlink-far", "starlink-isl"))
        return {"preset": preset, **self.table("Starlink")}

    def constellation(self) -> dict[str, Any]:
        self.sites = self.chance.sample(CITIES, 3)
        found = self.table("Constellation")
        if self.perhaps(0.6):
            found |= {"preset": self.chance.choice(PRESETS)}
            found.pop("walker", None)
            # The rates of presets are high, so the user's link is limited.
            found["user_link"] = {"rate": self.value({"format": "data rate"}, ("", "rate"))}
            found.pop("uplink", None)
            found.pop("downlink", None)
        else:
            found.pop("preset", None)
            found["walker"] = self.table("Walker")
            found["user_link"] = self.table("UserLink") | {"rate": self.value({"format": "data rate"}, ("", "rate"))}
        found["route_step"] = self.written("time span", self.between(max(0.05, self.length / 20), 20))
        return found

    def flow(self) -> dict[str, Any]:
        found = self.table("Flow")
        if self.sites[0] not in ("left", "0", "dish") or self.perhaps(0.3):
            found["from"], found["to"] = self.pair()
        begin = self.chance.choice((0.0, self.chance.uniform(0, self.length / 2)))
        found["start"] = f"{begin:.6f} s"
        if "stop" in found:
            found["stop"] = self.span(begin + 1e-4, self.length)
        if found.get("kind") in applications.KINDS:
            found["controller"] = self.controller()
            found |= applications.application(self, found["kind"])
        elif found.get("kind", "tcp") == "cbr":
            found["rate"] = self.value({"format": "data rate"}, ("", "rate"))
            found["packet"] = self.written("amount of data", self.between(200, 9000))
            for one, other in (("on", "off"), ("off", "on")):
                if one in found:
                    found[one] = self.span(self.length / 500 + 1e-6, self.length)
                    found.setdefault(other, {"law": "exponential", "mean": self.span(self.length / 500, self.length)})
        elif found.get("kind") == "ping":
            found["interval"] = self.written("time span", self.between(self.length / 500 + 1e-6, self.length + 2e-6))
        elif found.get("kind") == "call":
            for way in ("there", "back"):
                if way in found:
                    found[way] = self.media()
        else:
            found["controller"] = self.controller()
        return found

    def media(self) -> dict[str, Any]:
        """Draw one direction of a call with at most some thousand packets."""
        found = self.table("Media")
        found["interval"] = self.written("time span", self.between(max(1e-4, self.length / 500), 60.0))
        found.pop("rate", None)
        found["frame"] = self.written("amount of data", self.between(1, 2e4))
        found["payload"] = self.written("amount of data", self.between(400, 65000))
        return found

    def pep(self, flows: list[dict[str, Any]]) -> dict[str, Any]:
        """Draw one or two proxies: at an end of a flow with access links, and perhaps at other places."""
        split = self.chance.choice(flows)
        if split.get("kind", "tcp") == "tcp" and "access" not in split:
            split["access"] = self.table("AccessLink") | {"delay": self.span(1e-4, 0.1)}
        at = self.chance.sample(self.sites, self.chance.choice((1, 2)))
        buffer = self.written("amount of data", self.between(1500, 1e7))
        pep = {"at": at, "buffer": buffer} | ({"controller": self.controller()} if self.perhaps(0.5) else {})
        if self.perhaps(0.4):
            moments = sorted({round(self.between(self.length / 1000, self.length), 6) for _ in range(3)})
            pep["resets"] = [f"{moment} s" for moment in moments]
            if self.perhaps(0.7):
                pep["retry"] = "off" if self.perhaps(0.2) else self.span(0, self.length / 5)
        if self.perhaps(0.4):
            pep["tcp"] = self.table("Tcp")
        return pep

    def pair(self) -> list[str]:
        return self.chance.sample(self.sites, 2)

    def controller(self) -> str | dict[str, Any]:
        one = self.chance.choice(controllers())
        if self.perhaps(0.5):
            return str(one["name"])
        chosen = [each for each in one["parameters"] if self.perhaps(0.3)]
        return {"name": one["name"]} | {each["name"]: self.parameter(each["bounds"]) for each in chosen}

    def parameter(self, bounds: str) -> Any:
        if bounds == "true or false":
            return self.perhaps(0.5)
        quantity = re.fullmatch(r'"([\d.]+) (\w+)" to "([\d.]+) (\w+)"', bounds)
        if quantity:
            low, low_unit, high, high_unit = quantity.groups()
            ends = float(low) * FACTORS[low_unit], float(high) * FACTORS[high_unit]
            return self.written("time span", self.edge(*ends))
        words = re.findall(r'"([^"]*)"', bounds)
        if words:
            return self.chance.choice(words)
        low, high = (float(word) for word in bounds.split(" to "))
        number = self.edge(low, high)
        return round(number) if self.perhaps(0.3) and low <= round(number) <= high else float(f"{number:.6g}")

    def edge(self, low: float, high: float) -> float:
        """Return one of the bounds at times."""
        if self.perhaps(0.1):
            return self.chance.choice((low, high))
        return self.between(low, high) if low > 0 else self.chance.choice((0.0, self.between(high * 1e-6, high)))

    def record(self) -> dict[str, Any]:
        if self.perhaps(0.2):
            return {"interval": "off", "events": self.perhaps(0.5)}
        interval = self.written("time span", self.between(self.length / 60 + 1e-6, self.length + 2e-6))
        # Each packet has a row on each link. A long run over a fast trace would have millions of rows.
        packets = self.length < 5.0 and self.perhaps(0.5)
        return {"interval": interval, "events": self.perhaps(0.7), "packets": packets}

    # ---- values from the schema ----------------------------------------------------------------------------------

    def table(self, name: str) -> dict[str, Any]:
        """Draw a table of the schema: its required keys, and some other keys."""
        of = schema()["$defs"][name]
        known = {key: one for key, one in of["properties"].items() if key not in LEFT_OUT.get(name, ())}
        chosen = self.fitting(of, known, [key for key in known if self.perhaps(0.2)])
        found = {key: self.value(known[key], (name, key)) for key in known if key in chosen}
        # Remove keys that belong only to other kinds of the table.
        for key in list(found):
            for decides, words in known[key].get("x-only", {}).items():
                if found.get(decides, known[decides].get("default")) not in words:
                    found.pop(key, None)
        return found

    def value(self, of: dict[str, Any], at: tuple[str, str]) -> Any:
        """Draw a value that the schema allows for a key."""
        name = of.get("$ref", "").rsplit("/", 1)[-1]
        if name == "Budget":
            return self.budget(moving=at[0] in ("MovingLink", "UserLink"))
        if name == "LandMobile":
            return self.land_mobile()
        if name == "TwoState":
            return self.two_state()
        if name == "ByHour":
            times = [f"{hour} h" for hour in sorted(self.chance.sample(range(24), 3))]
            rates = [[time, self.value({"type": "string", "format": "data rate"}, at)] for time in times]
            return {"clock": "UTC", "start": f"{self.chance.uniform(0, 24):.3f} h", "rates": rates}
        if name in ("LossByHour", "DelayByHour"):
            times = [f"{hour} h" for hour in sorted(self.chance.sample(range(24), 3))]
            key = "losses" if name == "LossByHour" else "delays"
            points = [[time, self.chance.uniform(0, 0.3) if key == "losses" else self.span(0, 0.3)] for time in times]
            return {"clock": "UTC", "start": f"{self.chance.uniform(0, 24):.3f} h", key: points}
        if name == "Grants":
            return self.grants()
        if name == "Acks":
            return self.acks()
        if name and name not in ("Queue", "Controller"):
            inner = schema()["$defs"][name]
            return self.table(name) if "properties" in inner else self.value({**of, **inner, "$ref": ""}, at)
        if name == "Queue":
            return self.table("QueueTable") if self.perhaps(0.3) else self.queue()
        choices = [one for one in of.get("anyOf", ()) if one.get("type") != "null"]
        if choices:
            return self.value({**of, "anyOf": (), **self.chance.choice(choices)}, at)
        if "enum" in of:
            return self.chance.choice(of["enum"])
        kinds = of["type"] if isinstance(of.get("type"), list) else [of.get("type", "string")]
        kind = next(kind for kind in kinds if kind != "null")
        if kind == "boolean":
            return self.perhaps(0.5)
        if kind == "array":
            return self.items(of["items"], at)
        if kind in ("integer", "number"):
            return self.number(of, at, whole=kind == "integer")
        return self.string(of, at)

    def fitting(self, of: dict[str, Any], known: dict[str, Any], wanted: list[str]) -> set[str]:
        """Return the keys that a table requires, as many wanted keys as possible, and the keys that these need."""

        def adds(key: str) -> bool:
            if any(key in excluded(known[one]) or one in excluded(known[key]) for one in chosen):
                return False
            chosen.add(key)
            return True

        def has_one(keys: list[str]) -> bool:
            there = self.chance.sample(keys, len(keys))
            return not chosen.isdisjoint(keys) or any(key in known and adds(key) for key in there)

        chosen = set(of.get("required", ())) & set(known)
        for key in self.chance.sample(wanted, len(wanted)):
            adds(key)
        for rule in of.get("x-needs", ()):
            has_one(rule["keys"])
        lacking = [
            key for key in sorted(chosen) if not all(has_one(rule["keys"]) for rule in known[key].get("x-needs", ()))
        ]
        return chosen - set(lacking)

    def number(self, of: dict[str, Any], at: tuple[str, str], *, whole: bool) -> float:
        low, high = NARROW.get(at, (of.get("minimum", 0), of.get("maximum", 1000)))
        number = self.between(max(low, 1e-4 if high <= 1 else low), min(high, 1e4))
        return round(number) if whole else self.chance.choice((low, float(f"{number:.5g}"), float(f"{number:.5g}")))

    def string(self, of: dict[str, Any], at: tuple[str, str]) -> str:
        kind = of.get("format", "")
        if at[1] in TRACES:
            return TRACES[at[1]]
        if kind.startswith("queue"):
            return self.queue()
        if kind.split(" or ")[0] not in UNITS:
            return self.chance.choice(("a", "b c", "ü > $x", "n"))
        if " or " in kind and at[1] != "rate" and self.perhaps(0.3):
            return "unlimited"
        kind = kind.split(" or ")[0]
        usual = {
            "time span": (1e-5, self.length / 2),
            "data rate": (self.rate / 30, self.rate),
            "amount of data": (64, 1e6),
            "distance": (1e5, 2e7),
            "altitude": (1, 5000),
            "angle": (0, 90),
        }[kind]
        least, most = (self.bound(of.get(key)) for key in ("x-min", "x-max"))
        low, high = NARROW.get(at, usual)
        if at not in NARROW and self.perhaps(0.03) and least is not None and kind != "data rate":
            return str(of["x-min"])
        low = max(low, least if least is not None else low)
        high = min(max(high, low), most if most is not None else max(high, low))
        return self.written(kind, self.between(min(low, high), high))

    @staticmethod
    def bound(text: str | None) -> float | None:
        if text is None:
            return None
        number, unit = text.split()
        return float(number) * FACTORS[unit]

    def queue(self) -> str:
        kinds = (
            f"{round(self.between(1, 500))} packets",
            f"{round(self.between(2000, 500000))} B",
            f"{self.between(1, 500):.3g} ms",
            f"{self.between(0.05, 4):.3g} BDP",
            "unlimited",
        )
        return self.chance.choices(kinds, (5, 2, 2, 3, 1))[0]

    def budget(self, *, moving: bool = False) -> dict[str, Any]:
        """Draw a narrow carrier between an outage and the highest MODCOD. For a moving satellite, omit the position."""
        hop: dict[str, Any] = {
            "frequency": f"{self.between(1, 55):.4g} GHz",
            "eirp": f"{self.chance.uniform(30, 60):.3g} dBW",
            "g_over_t": f"{self.chance.uniform(0, 20):.3g} dB/K",
            "elevation": f"{self.between(5, 90):.3g} deg",
            "latitude": f"{self.chance.uniform(-60, 60):.3g} deg",
        }
        if self.perhaps(0.7):
            hop["rain"] = {"rate_001": f"{self.between(5, 120):.3g} mm/h", "height": "4 km"}
            if self.perhaps(0.6):
                hop["rain"]["start"] = f"{self.between(0.1, 30):.3g} dB"
        both = {"bandwidth": f"{self.between(50, 3000):.4g} kHz", "down": hop}
        if moving:
            hop.pop("elevation")
            hop.pop("latitude")
            hop.get("rain", {}).pop("start", None)
            both["up"] = hop
        return both

    def acks(self) -> dict[str, Any]:
        """Thinned, compressed or both."""
        table: dict[str, Any] = {}
        if self.perhaps(0.7):
            table["thinning"] = self.chance.choice(["filter", "filter-aggressive", "decimate"])
            if table["thinning"] == "decimate" and self.perhaps(0.5):
                table["keep"] = self.chance.randint(1, 20)
        if not table or self.perhaps(0.4):
            table["compressed"] = f"{self.chance.randint(1, 60)} B"
        return table

    def grants(self) -> dict[str, Any]:
        """Draw grants with one or two periods."""
        long = {"long_period": self.span(1e-4, 0.1), "long_share": self.chance.random()}
        return {"period": self.span(1e-4, 0.1)} | (long if self.perhaps(0.5) else {})

    def items(self, of: dict[str, Any], at: tuple[str, str]) -> list[Any]:
        """Draw increasing steps and lists. The first step is at the start."""
        count = self.chance.randint(1, 4)
        if at[1] == "packets":
            return sorted({round(self.between(1, 300)) for _ in range(count)})
        if at[1] == "spans":
            ends = sorted(self.chance.uniform(0, self.length) for _ in range(2 * count))
            return [[f"{low:.6f} s", f"{high + 1e-5:.6f} s"] for low, high in zip(ends[::2], ends[1::2], strict=True)]
        if at[1] == "delay_steps":
            times = [0.0, *sorted(self.chance.uniform(0.001, self.length) for _ in range(count))]
            return [[f"{time:.6f} s", self.span(0, 0.3)] for time in times]
        if at[1] == "rate_steps":
            times = [0.0, *sorted(self.chance.uniform(0.001, self.length) for _ in range(count))]
            steps = [{**self.table("RateStep"), "at": f"{time:.6f} s"} for time in times]
            steps[-1].pop("ramp_to", None)  # the last state of a link has no end
            return steps
        if at[1] in ("steps", "extra_delay"):
            times = sorted(self.chance.uniform(0.0, self.length) for _ in range(count))
            kind = "LossStep" if at[1] == "steps" else "DelayStep"
            steps = [{**self.table(kind), "at": f"{1e-6 * number + time:.6f} s"} for number, time in enumerate(times)]
            steps[-1].pop("ramp_to", None)  # a ramp needs a next step
            return steps
        if at == ("LossChain", "states"):
            return self.states(count + 1)
        if at[1].startswith(("rate_by_", "loss_by_", "delay_by_")):
            high, unit = (90.0, "deg") if at[1].endswith("elevation") else (5000.0, "km")
            places = sorted(self.chance.uniform(0.0, high) for _ in range(count))
            drawn: list[Any] = [self.chance.uniform(0, 0.3) for _ in range(count)]
            if at[1].startswith("rate"):
                drawn = [self.value({"type": "string", "format": "data rate"}, at) for _ in range(count)]
            if at[1].startswith("delay"):
                drawn = [self.span(0, 0.3) for _ in range(count)]
            return [[f"{place:.4f} {unit}", value] for place, value in zip(places, drawn, strict=True)]
        if at == ("IslTable", "pairs"):
            return [self.chance.sample(range(8), 2) for _ in range(count)]
        if at == ("Constellation", "beams"):
            # Sites are drawn only in this cell.
            return [{"cell": "north", "weight": self.chance.randint(1, 9), "priority": self.chance.randint(0, 7)}]
        if at == ("Constellation", "sites"):
            # Walls are low, because high walls would hide the few satellites that are drawn.
            azimuths = sorted(round(self.chance.uniform(0, 360), 1) for _ in range(count))
            mask = [[one, round(self.chance.uniform(0, 30), 1)] for one in azimuths]
            right = {"cell": "north", "weight": self.chance.randint(1, 9), "priority": self.chance.randint(0, 7)}
            return [{"name": self.sites[0], "mask": mask} | (right if self.perhaps(0.5) else {})]
        return [self.value(of, at) for _ in range(count)]

    def land_mobile(self) -> dict[str, Any]:
        """Draw a land-mobile path through light and shadow."""
        decibels = {key: f"{self.chance.uniform(*ends):.3g} dB" for key, ends in DRIVE.items()}
        lengths = {key: f"{self.between(1, 1000):.3g} m" for key in ("good", "bad")}
        return {
            "speed": f"{self.between(0.1, 1000):.4g} m/s",
            "margin": decibels["margin"],
            "good": {"lasts": lengths["good"], "rice_factor": decibels["rice_factor"]},
            "bad": {"lasts": lengths["bad"], "mean": decibels["mean"], "deviation": decibels["deviation"]},
        }

    def two_state(self) -> dict[str, Any]:
        """Draw a path with the two states of P.681: a row of its tables, or own states."""
        words = schema()["$defs"]["Surroundings"]["enum"]
        found = {"speed": f"{self.between(0.1, 100):.4g} m/s", "margin": f"{self.chance.uniform(-20, 60):.3g} dB"}
        said = [key for key in ("good", "bad") if self.perhaps(0.4)]
        if len(said) < 2 or self.perhaps(0.3):
            found["surroundings"] = self.chance.choice(words)
        return found | {key: self.loo_state() for key in said}

    def loo_state(self) -> dict[str, Any]:
        """Draw a state. Some of its lengths must be long enough."""
        log_mean = self.chance.uniform(-2, 6)
        return {
            "log_mean": round(log_mean, 4),
            "log_deviation": round(self.chance.uniform(0, 3), 4),
            "shortest": f"{max(0.011, 0.9 * math.exp(log_mean)):.4g} m",
            "level": f"{self.chance.uniform(-60, 20):.4g} dB",
            "level_deviation": f"{self.chance.uniform(0, 20):.4g} dB",
            "level_between": [round(self.chance.uniform(0, 0.4), 3), round(self.chance.uniform(0.5, 1), 3)],
            "echoes": [round(self.chance.uniform(-2, 2), 3), round(self.chance.uniform(-40, 5), 3)],
            "direct": [round(self.chance.uniform(-1, 1), 3), round(self.chance.uniform(-1, 5), 3)],
            "correlation": f"{self.between(0.1, 100):.4g} m",
        }

    def states(self, count: int) -> list[dict[str, Any]]:
        """Draw the states of a chain. Each state may follow each other state."""
        found = []
        for number in range(count):
            weights = [0.0 if other == number else self.chance.uniform(0.01, 1) for other in range(count)]
            row = [round(weight / sum(weights), 6) for weight in weights]
            row[number - 1] += 1.0 - sum(row)
            found.append({**self.table("LossState"), "next": row})
        return found
