# SPDX-License-Identifier: MIT OR Apache-2.0
"""Fuzz numbers: in random scenarios, numbers of a summary must not contradict each other or the tables.

The numbers of the summary are computed again from the tables `flows`, `parts`, `links`, `events`, `paths` and
`packets`. The warm-up and the run end with a sample, so sums over samples cover the measured time.
"""

from __future__ import annotations

import math
import tomllib
from pathlib import Path
from random import Random
from typing import Any, TypeAlias

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

import bentpipe as bp
from bentpipe.base.errors import BentpipeError
from bentpipe.base.tables import Table
from bentpipe.results.summary_types import CallWay
from fuzz.draw import Draw, accepted
from fuzz.readings import Target, refused
from fuzz.runs import amount, counts, demand, plans, seconds, written

Array: TypeAlias = NDArray[Any]

NS = 10**9
#: Relative tolerance of doubles that were added in another order.
CLOSE = 1e-9
#: Keys of a link that do not change its rate or its delay over time.
STEADY = {"rate", "rtt", "delay", "queue", "loss", "reverse", "mtu", "name"}
CAUSES = ("queue", "error", "outage", "policer", "too_large")
APPLICATIONS = {"transfers", "web", "video", "requests"}
#: Findings of a flow that explain why its rates are not known.
WHY_NULL = {"nothing-measured", "too-short", "never-started"}


class Numbers(Target):
    """Draws valid scenarios, and computes every number twice."""

    name, weight = "numbers", 1

    def make(self, chance: Random) -> bytes:
        return accepted(self.document(chance)).encode()

    def document(self, chance: Random) -> dict[str, Any]:
        """Draw a scenario whose warm-up and duration are whole numbers of samples."""
        document = Draw(chance).document()
        length_s = seconds(document["duration"])
        samples = chance.randint(1, 40)
        every = max(1000, round(length_s * NS / samples))
        warm_up = chance.choice((0, 0, chance.randrange(samples), samples - 1))
        document |= {"duration": f"{samples * every} ns", "warm_up": f"{warm_up * every} ns"}
        if chance.random() < 0.1:
            # The flow starts late, so the rest may be less than a round trip.
            document["flows"][0] |= {"start": f"{round(samples * every * chance.uniform(0.9, 0.999))} ns"}
            document["flows"][0].pop("stop", None)
        for flow in [*document["flows"], *document.get("traffic", [])]:
            if "load" in flow:
                flow["load"] *= 0.01  # otherwise there would be millions of small answers
        packets = length_s < 5.0 and chance.random() < 0.4
        document["record"] = {"interval": f"{every} ns", "events": True, "packets": packets}
        return document

    def judge(self, case: bytes, place: Path) -> str:
        file = written(case, place)
        try:
            run = bp.run(file)
        except BentpipeError as error:
            return refused(error, file)
        Books(run).check()
        kinds = sorted({str(finding["kind"]) for finding in run.findings})
        return ", ".join(["run", *kinds])


class Columns:
    """The columns of a table as arrays."""

    def __init__(self, table: Table) -> None:
        arrow = table.arrow
        self.of: dict[str, Array] = {}
        for name in arrow.column_names:
            column = arrow.column(name)
            words = pa.types.is_dictionary(column.type)
            self.of[name] = (column.cast(column.type.value_type) if words else column).to_numpy()

    def __getitem__(self, name: str) -> Array:
        return self.of[name]

    def where(self, rows: Array) -> Columns:
        """Some rows."""
        found = object.__new__(Columns)
        found.of = {name: values[rows] for name, values in self.of.items()}
        return found


class Books:
    """A run with its tables, and checks of its counts."""

    def __init__(self, run: bp.Run) -> None:
        self.run, self.summary = run, run.summary
        self.scenario = tomllib.loads(run.scenario)
        about = run.provenance
        self.end, self.warm_up = about["duration_s"], about["warm_up_s"]
        self.measured = self.end - self.warm_up
        self.every = seconds(self.scenario["record"]["interval"])
        self.flows, self.parts = Columns(run.flows), Columns(run.parts)
        self.links, self.events = Columns(run.links), Columns(run.events)
        self.of_split: dict[int, list[int]] = {}
        whole = len(self.summary["flows"])
        # The first part has the number of its flow. Other parts have the numbers after all flows, flow by flow.
        flow = -1
        for part in self.summary.get("parts", []):
            flow = part["flow"] if part["flow"] < whole else flow
            self.of_split.setdefault(flow, []).append(part["flow"])

    def check(self) -> None:
        """Raise an error for the first condition that does not hold."""
        for flow, asked in zip(self.summary["flows"], plans(self.scenario), strict=True):
            rows = self.flows.where(self.flows["flow"] == flow["flow"])
            split = flow["flow"] in self.of_split
            self.series(flow, rows, split=split)
            self.rates(flow, asked, rows)
            self.ratios(flow, split)
            self.distributions(flow, rows, split)
            self.call(flow)
            self.happened(flow)
            self.size(flow, asked, rows, split)
        for part in self.summary.get("parts", []):
            self.series(part, self.parts.where(self.parts["flow"] == part["flow"]), split=False)
        self.totals()
        self.of_links()
        self.round_trips()
        self.capacity()
        self.arrivals()
        for finding in self.summary["findings"]:
            since, until = finding["since_s"], finding["since_s"] + finding["lasted_s"]
            inside = since >= 0 and (until <= self.end * (1 + CLOSE) or finding["kind"] == "never-started")
            demand(inside, f"a finding outside of the run: {finding['kind']} from {since} to {until} of {self.end}")

    def after(self, rows: Columns) -> Columns:
        """Return the rows of the measured time."""
        return rows.where(rows["time_s"] > self.warm_up + self.every / 2)

    def series(self, flow: bp.FlowSummary, rows: Columns, *, split: bool) -> None:
        """Check that samples after the warm-up add up to the counts."""
        after = self.after(rows)
        said = {"sent_packets": flow["sent_packets"], "retransmitted_packets": flow["retransmitted_packets"]}
        said |= {f"lost_{cause}": int(flow["losses"].get(cause, 0)) for cause in CAUSES}
        for column, count in said.items():
            sampled = int(after[column].sum())
            demand(sampled == count, f"samples: {flow['name']}: {column} is {sampled}, the summary says {count}")
        if not split:  # what proxies send again counts, and not what they send
            demand(flow["retransmitted_packets"] <= flow["sent_packets"], f"sent again: {flow['name']}: more than sent")
            sent, again = after["sent_packets"], after["retransmitted_packets"]
            demand(bool((again <= sent).all()), f"sent again: {flow['name']}: more than sent in a sample")

    def active(self, flow: bp.FlowSummary) -> tuple[float, float]:
        """Return the range of the active time after the warm-up in s: stops are known, the last arrival is not."""
        begin = max(flow["start_s"], self.warm_up)
        done, stop = flow["completed_at_s"], flow["stop_s"]
        if done is not None:
            return (max(0.0, min(done, self.end) - begin),) * 2
        least = self.end if stop is None else min(stop, self.end)
        return max(0.0, least - begin), max(0.0, self.end - begin)

    def rates(self, flow: bp.FlowSummary, asked: dict[str, Any], rows: Columns) -> None:
        """Check that rate times active time equals the sum of samples, and that a rate is `null` only if it must be."""
        after, name = self.after(rows), flow["name"]
        least, most = self.active(flow)
        findings = [one for one in self.summary["findings"] if one["flow"] == flow["flow"]]
        why = [one for one in findings if one["kind"] in WHY_NULL]
        for key in ("goodput_mbit_s", "throughput_mbit_s"):
            mbit_s: float | None = flow[key]  # type: ignore[literal-required]
            mbit = float(after[key].sum()) * self.every
            if mbit_s is None:
                demand(bool(why), f"null: {name}: {key} is null, and no finding says why")
                continue
            demand(math.isfinite(mbit_s) and mbit_s >= 0, f"{name}: {key} is {mbit_s}")
            low, high = mbit_s * least * (1 - CLOSE) - CLOSE, mbit_s * most * (1 + CLOSE) + CLOSE
            demand(low <= mbit <= high, f"rate: {name}: {key} {mbit_s} for {least} to {most} s, of samples {mbit} Mbit")
        known = flow["goodput_mbit_s"] is not None
        demand(known == (flow["throughput_mbit_s"] is not None), f"null: {name}: one rate of two is known")
        demand(most > 0 or not known, f"null: {name}: a rate without active time")
        if why:
            # Below one round trip the rate is not known. Above it is known, unless one packet of the warm-up decides
            # it.
            cut_off = flow["start_s"] < self.warm_up and "(this includes " in why[0]["text"] and not known
            expected = why[0]["magnitude"] >= 1 and not cut_off
            demand(known == expected, f"null: {name}: {flow['goodput_mbit_s']}, {why[0]['text']}")
            demand(len(why) == 1, f"findings: {name}: {[one['kind'] for one in why]}")
        begun = flow["start_s"] >= self.warm_up
        whole = begun and (flow["completed_at_s"] is not None or (flow["stop_s"] or self.end) < self.end)
        propagation = rows["propagation_rtt_ms"]
        there = propagation[~np.isnan(propagation)]
        if there.size and not whole:
            short = most < float(there.min()) / 1e3 * (1 - CLOSE)
            demand(not (short and known), f"null: {name}: known from {most} s of a round trip of {there.min()} ms")
        # Delivered data were sent before.
        sent, delivered = np.cumsum(rows["throughput_mbit_s"]), np.cumsum(rows["goodput_mbit_s"])
        shared = flow["kind"] in APPLICATIONS and self.summary.get("breaks")
        if not shared:
            holds = bool((delivered <= sent * (1 + CLOSE) + CLOSE).all())
            demand(holds, f"delivered before it was sent: {name} ({asked.get('kind', 'tcp')})")

    def ratios(self, flow: bp.FlowSummary, split: bool) -> None:
        """Check that shares are between 0 and 1, and equal the shares of the counts."""
        name, share, ratio = flow["name"], flow["app_limited_share"], flow["delivery_ratio"]
        demand(share is None or 0 <= share <= 1, f"share: {name}: app_limited_share {share}")
        demand(
            flow["goodput_mbit_s"] is not None or (share is None and ratio is None), f"null: {name}: a share is known"
        )
        if self.warm_up == 0 and not split:
            counts(flow)
        demand(ratio is None or (ratio <= 1 and not split), f"delivery_ratio: {name}: {ratio}")
        if ratio is not None:
            close = math.isclose(ratio, flow["delivered_packets"] / flow["sent_packets"], rel_tol=CLOSE)
            demand(close, f"delivery_ratio: {name}: {ratio}")
        outages = flow.get("outages")
        if outages is not None or flow["losses"]["outage"]:
            total = 0 if outages is None else sum(int(count) for count in outages.values())  # type: ignore[call-overload]
            demand(total == flow["losses"]["outage"], f"outages: {name}: {total} of {flow['losses']['outage']}")
        lost = flow.get("loss_ratio")
        demand(lost is None or (split and -CLOSE <= lost <= 1 + CLOSE), f"loss_ratio: {name}: {lost}")
        demand(flow["ecn_cuts"] <= flow["cuts"], f"cuts: {name}: more for marks than in all")

    def distributions(self, flow: bp.FlowSummary, rows: Columns, split: bool) -> None:
        """Check that percentiles increase, and exist if there are samples."""
        after, name = self.after(rows), flow["name"]
        for key in ("rtt_ms", "queueing_delay_ms", "one_way_delay_ms", "delay_variation_ms"):
            one: dict[str, float] | None = flow[key]  # type: ignore[literal-required]
            if key in rows.of and flow["kind"] not in APPLICATIONS | {"call"}:
                sampled = bool((~np.isnan(after[key])).any())
                demand(
                    sampled == (one is not None),
                    f"null: {name}: {key} is {one}, samples {'have' if sampled else 'lack'} it",
                )
            if one is None:
                continue
            rising = [one[of] for of in ("min", "p5", "p50", "p95", "p99", "max")]
            demand(rising == sorted(rising) and one["samples"] > 0, f"distribution: {name}: {key} {one}")
            inside = rising[0] * (1 - CLOSE) <= one["mean"] <= rising[-1] * (1 + CLOSE)
            demand(inside, f"distribution: {name}: mean of {key} {one}")
        way = flow["one_way_delay_ms"]
        if way is not None and not split and flow["kind"] in ("tcp", "cbr"):
            demand(
                way["samples"] == flow["delivered_packets"],
                f"samples: {name}: {way['samples']} delays of {flow['delivered_packets']} packets",
            )

    def call(self, flow: bp.FlowSummary) -> None:
        """Check that frames that were due were sent, and that missed frames were due."""
        call = flow.get("call")
        if call is None:
            return
        for way in ("there", "back"):
            one: CallWay = call[way]  # type: ignore[literal-required]
            name, sent = f"{flow['name']} {way}", one["sent_packets"]
            missed = one["late_frames"] + one["lost_frames"]
            demand(missed <= one["frames"], f"frames: {name}: {missed} of {one['frames']} missed")
            demand((one["missed_ratio"] is None) == (one["frames"] == 0), f"null: {name}: {one['missed_ratio']}")
            if self.warm_up == 0 or flow["start_s"] >= self.warm_up:
                # A frame has at least one packet.
                demand(one["frames"] <= sent, f"frames: {name}: {one['frames']} of {sent} packets")
            delay, variation = one["one_way_delay_ms"], one["delay_variation_ms"]
            demand((delay is None) == (variation is None), f"null: {name}: delay and variation")
            if delay is None or variation is None:
                continue
            rising = [variation[of] for of in ("min", "p5", "p50", "p95", "p99", "max")]  # type: ignore[literal-required]
            demand(rising == sorted(rising) and rising[0] == 0, f"distribution: {name}: variation {variation}")
            exact = math.isclose(variation["mean"], delay["mean"] - delay["min"], abs_tol=1e-6)
            demand(exact, f"distribution: {name}: mean variation {variation['mean']}")
            # At most 5 % of the samples are below the 5th percentile, which is exact to a microsecond.
            demand(variation["mean"] >= 0.95 * (variation["p5"] - 1e-3), f"variation: {name}: {variation}")

    def happened(self, flow: bp.FlowSummary) -> None:
        """Check that the table of events has as many events as the summary counts."""
        if flow["kind"] in APPLICATIONS:
            return  # the table does not contain the events of an application's connections
        numbers = self.of_split.get(flow["flow"], [flow["flow"]])
        mine = np.isin(np.nan_to_num(self.events["flow"].astype(float), nan=-1), numbers)
        times, words = self.events["time_s"][mine], self.events["event"][mine]
        counts = {"cut": flow["cuts"], "timeout": flow["timeouts"], "loss": flow["losses_detected"]}
        counts |= {"spurious": flow["spurious_undone"], "mark": flow["ecn_cuts"]}
        for word, count in counts.items():
            of_word = times[words == word]
            # An event at the end of the warm-up may be on either side.
            least, most = int((of_word > self.warm_up).sum()), int((of_word >= self.warm_up).sum())
            demand(least <= count <= most, f"events: {flow['name']}: {most} {word}, the summary says {count}")
        done = times[words == "complete"]
        at = flow["completed_at_s"]
        if len(numbers) == 1:
            demand(len(done) == (at is not None), f"events: {flow['name']}: complete {len(done)} times, at {at}")
            demand(
                at is None or math.isclose(at, done[0], rel_tol=CLOSE),
                f"events: {flow['name']}: complete at {done} and {at}",
            )

    def size(self, flow: bp.FlowSummary, asked: dict[str, Any], rows: Columns, split: bool) -> None:
        """Check that a complete transfer has delivered its bytes once."""
        at = flow["completed_at_s"]
        demand(at is None or flow["start_s"] <= at <= self.end, f"complete outside of the run: {flow['name']}: {at}")
        if asked.get("kind", "tcp") != "tcp" or "size" not in asked:
            return
        delivered = float(rows["goodput_mbit_s"].sum()) * self.every * 1e6 / 8
        size = amount(asked["size"])
        demand(delivered <= size * (1 + CLOSE) + 0.01, f"too much delivered: {flow['name']}: {delivered} B of {size}")
        if at is not None:
            demand(delivered >= size * (1 - CLOSE) - 0.01, f"complete with {delivered} B of {size}: {flow['name']}")
            demand(split or at > flow["start_s"], f"complete at once: {flow['name']}")

    def totals(self) -> None:
        """Check the totals of all flows."""
        flows, totals = self.summary["flows"], self.summary["totals"]
        for key in ("sent_packets", "delivered_packets"):
            added = sum(int(flow[key]) for flow in flows)  # type: ignore[literal-required]
            demand(totals[key] == added, f"total of {key}: {totals[key]}, of flows {added}")  # type: ignore[literal-required]
        after = self.after(self.flows)
        known = any(flow["goodput_mbit_s"] is not None for flow in flows)
        known &= all(flow["goodput_mbit_s"] is not None or not flow["delivered_packets"] for flow in flows)
        for key, column in (("delivered_mbit_s", "goodput_mbit_s"), ("sent_mbit_s", "throughput_mbit_s")):
            mbit_s: float | None = totals[key]  # type: ignore[literal-required]
            demand((mbit_s is not None) == known, f"null: total of {key}: {mbit_s}")
            mean = float(after[column].sum()) * self.every / self.measured
            demand(
                mbit_s is None or math.isclose(mbit_s, mean, rel_tol=1e-6, abs_tol=CLOSE),
                f"total of {key}: {mbit_s}, {mean}",
            )
        ratio = totals["loss_ratio"]
        lost_in_all = sum(int(flow["losses"].get(cause, 0)) for flow in flows for cause in CAUSES)
        is_share = 0 < totals["sent_packets"] >= lost_in_all and (lost_in_all or totals["delivered_packets"]) > 0
        demand((ratio is not None) == is_share or bool(self.of_split), f"null: total of loss_ratio: {ratio}")
        if ratio is not None:
            demand(-CLOSE <= ratio <= 1 + CLOSE, f"loss_ratio: {ratio}")
            parts = [totals.get(f"loss_ratio_{cause}") or 0.0 for cause in CAUSES]
            demand(
                math.isclose(math.fsum(parts), ratio, rel_tol=CLOSE, abs_tol=1e-12), f"loss ratios: {parts}, {ratio}"
            )
            if not self.of_split:
                for cause, part in zip(CAUSES, parts, strict=True):
                    lost = sum(int(flow["losses"].get(cause, 0)) for flow in flows)
                    demand(
                        math.isclose(part * totals["sent_packets"], lost, rel_tol=CLOSE, abs_tol=1e-6),
                        f"loss ratio: {cause}",
                    )
        shares = np.array(
            [one for flow in flows if flow["kind"] == "tcp" and (one := flow["goodput_mbit_s"]) is not None]
        )
        alone = shares.size < 2 <= sum(flow["kind"] == "tcp" for flow in flows)
        squares = 0.0 if alone else float((shares**2).sum())
        jain = totals["jain_index"]
        demand((jain is None) == (squares == 0), f"null: jain_index: {jain}")
        if jain is not None:
            demand(
                math.isclose(jain, shares.sum() ** 2 / (shares.size * squares), rel_tol=CLOSE), f"jain_index: {jain}"
            )
            demand(1 / shares.size - CLOSE <= jain <= 1 + CLOSE, f"jain_index: {jain}")

    def of_links(self) -> None:
        """Check that utilisation is at most 1, and that the samples of links add up."""
        best = self.summary["bottleneck"]
        after = self.after(self.links)
        for link in self.summary["links"]:
            used, name = link["utilisation"], link["name"]
            demand(0 <= used <= 1 + CLOSE, f"utilisation: {name}: {used}")
            waited = link["mean_queue_ms"]
            demand(waited is None or 0 <= waited <= self.end * 1e3, f"mean_queue_ms: {name}: {waited} in {self.end} s")
            demand(best is not None and best["utilisation"] >= used, f"bottleneck: {name}: {used}")
            rows = after.where(after["link"] == link["link"])
            mean = float(rows["utilisation"].sum()) * self.every / self.measured
            demand(
                math.isclose(mean, used, rel_tol=1e-6, abs_tol=1e-6), f"utilisation: {name}: {used}, of samples {mean}"
            )
            for key in ("delivered_packets", *(f"dropped_{cause}" for cause in CAUSES)):
                count = int(link.get(key) or 0)  # type: ignore[call-overload]
                demand(
                    int(rows[key].sum()) == count,
                    f"samples: {name}: {key} {int(rows[key].sum())}, the summary says {count}",
                )
        for one in self.summary.get("transmitters", []):
            demand(0 <= one["utilisation"] <= 1 + CLOSE, f"utilisation: {one['name']}: {one['utilisation']}")

    def round_trips(self) -> None:
        """Check that no round trip is shorter than the propagation delay."""
        if {"constellation", "starlink"} & self.scenario["network"].keys() or "delay_" in self.run.scenario:
            return
        paths = Columns(self.run.paths)
        for flow in self.summary["flows"]:
            ways = [(flow["from"], flow["to"]), (flow["to"], flow["from"])]
            delays = [paths["one_way_delay_ms"][(paths["from"] == a) & (paths["to"] == b)] for a, b in ways]
            rtt = flow["rtt_ms"]
            if rtt is None or flow["flow"] in self.of_split or not all(one.size for one in delays):
                continue
            base = sum(float(np.nanmin(one)) for one in delays)
            demand(rtt["min"] >= base * (1 - CLOSE), f"faster than its path: {flow['name']}: {rtt['min']} of {base} ms")

    def capacity(self) -> None:
        """Check that a dumbbell with constant rate and delay delivers at most what the link sends, plus a packet."""
        table = self.scenario["network"].get("dumbbell", {})
        if not {key for key in table if key != "reverse"} <= STEADY or "rate" not in table:
            return
        if not table.get("reverse", {}).keys() <= STEADY or self.of_split:
            return
        mbit_s = rate(table["rate"])
        there = [flow for flow in self.summary["flows"] if flow["from"] == "left" and flow["kind"] in ("tcp", "cbr")]
        most = 65_535 * 8e-6
        mbit = 0.0
        for flow in there:
            if (goodput := flow["goodput_mbit_s"]) is not None:
                mbit += goodput * self.active(flow)[0]
                if flow["stop_s"] is None:
                    carried = mbit_s * self.active(flow)[1] + most
                    demand(
                        goodput * self.active(flow)[0] <= carried * (1 + CLOSE),
                        f"above the link's rate: {flow['name']}",
                    )
        demand(
            mbit <= (mbit_s * self.measured + most) * (1 + CLOSE),
            f"above the link's rate: {mbit} Mbit in {self.measured} s",
        )

    def arrivals(self) -> None:
        """Check that the single packets that arrive after the warm-up are counted in the summary."""
        if len(self.run.packets) == 0:
            return
        packets = Columns(self.run.packets)
        ends = np.isnan(packets["link"].astype(float))
        late, most = packets["time_s"] > self.warm_up, packets["time_s"] >= self.warm_up
        arrived = ends & (packets["event"] == "deliver")
        for flow in self.summary["flows"]:
            if flow["kind"] not in ("tcp", "cbr") or flow["flow"] in self.of_split or self.summary.get("breaks"):
                continue
            mine = arrived & (packets["flow"] == flow["flow"])
            data, syn = mine & (packets["kind"] == "data"), mine & (packets["kind"] == "syn")
            low, high = int((data & late).sum()), int(((data | syn) & most).sum())
            said = flow["delivered_packets"]
            demand(low <= said <= high, f"arrivals: {flow['name']}: {low} to {high} packets, the summary says {said}")


def rate(text: str) -> float:
    """Convert a rate in a resolved scenario to Mbit/s."""
    number, unit = text.split()
    return float(number) * {"bit/s": 1e-6, "kbit/s": 1e-3, "Mbit/s": 1.0, "Gbit/s": 1e3, "Tbit/s": 1e6}[unit]
