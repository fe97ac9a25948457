#!/usr/bin/env python3
# SPDX-License-Identifier: MIT OR Apache-2.0
"""Measures the cost of routes of constellations over time, next to published and measured costs of other tools.

    benches/constellations.py [--survey target/optimised/survey_bench] [--catalogue FILE]
                              [--bentpipe target/optimised/scenario_bench] [--runs 3] [--save FILE.json]

Routes are computed from every node to every site. The other tools are not run here. Hypatia's figure for Starlink's
shell is the time of its state generation (2,000 steps, one core, 14 s per step). The figures for 75 x 75 satellites are
published with LEOCraft (ATC 2025, figure 18: 100 sites, 200 steps of 1 s, one thread; Hypatia with 50 ping runs).

The second table is for packets: Hypatia's scalability experiment at three rates, including the layout. Hypatia's
figures were measured with its own modules on ns-3.31, with other pairs of the same kind, over the first 5, 5 and 1 s.
"""

import argparse
import os
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from programs import BenchError, Result, answer, cpu_s, ended, median, rss_mb, run, save, spread

ROOT = Path(__file__).resolve().parent.parent
KEYS = {"what", "satellites", "sites", "steps", "entries", "changes", "cpu_s", "wall_s", "peak_rss_mb"}


@dataclass(frozen=True)
class Survey:
    """One survey: constellation, number of sites, duration, step, number of threads, and targets."""

    what: str
    sites: int
    duration_s: int
    step_ms: int
    threads: int
    below_s: float
    below_mb: float | None
    others: str


def surveys(catalogue: Path) -> list[Survey]:
    """Return the surveys, the smallest first."""
    threads = min(2, os.cpu_count() or 1)
    return [
        Survey("hypatia-starlink-550", 100, 200, 100, 1, 10, 300, "Hypatia: about 8 core-hours"),
        Survey("75x75", 100, 200, 1000, 1, 20, None, "Hypatia 34.5 h, LEOCraft 38 min"),
        Survey(str(catalogue), 1000, 3600, 1000, threads, 600, None, "-"),
    ]


def measure(survey: Survey, program: str) -> Result:
    """Runs one survey."""
    numbers = (survey.sites, survey.duration_s, survey.step_ms, survey.threads)
    return answer([program, survey.what, *map(str, numbers)], KEYS)


def row(survey: Survey, results: list[Result]) -> str:
    """Return a line of the table."""
    one = results[0]
    wall_s = median(results, lambda r: r["wall_s"])
    verdict = f"{'met' if wall_s < survey.below_s else 'MISSED'}: below {survey.below_s:g} s"
    if survey.below_mb is not None:
        rss = median(results, lambda r: r["peak_rss_mb"])
        verdict += f"; {'met' if rss < survey.below_mb else 'MISSED'}: below {survey.below_mb:g} MB"
    updates = one["steps"] * one["sites"] * (one["satellites"] + one["sites"])
    return (
        f"| {Path(survey.what).name} | {one['satellites']} | {one['sites']} | {one['steps']} | {survey.threads} "
        f"| {spread(results, lambda r: r['wall_s'])} | {spread(results, lambda r: r['cpu_s'])} "
        f"| {median(results, lambda r: 1e9 * r['cpu_s'] / updates):.3g} "
        f"| {100 * one['changes'] / one['entries'] / (one['steps'] - 1) * 1000 / survey.step_ms:.2g} "
        f"| {one['peak_rss_mb']} | {12e-6 * (one['entries'] + one['changes']):.3g} | {verdict} | {survey.others} |"
    )


@dataclass(frozen=True)
class Packets:
    """Hypatia's experiment at one rate: simulated seconds, and Hypatia's CPU time per simulated second."""

    rate: str
    duration_s: int
    hypatia_cpu_s: float | None


PACKETS = [Packets("10 Mbit/s", 200, 6.7), Packets("100 Mbit/s", 20, 61), Packets("1 Gbit/s", 5, None)]
FLOWS = 100
SATELLITES = 1156


def scenario_at(rate: str, folder: Path) -> Path:
    """Writes the experiment with another rate on every link."""
    text = (ROOT / "scenarios" / "hypatia-scalability.toml").read_text(encoding="utf-8")
    preset = 'preset = "hypatia-kuiper-630"'
    if text.count(preset) != 1:
        raise BenchError("the scenario of Hypatia's experiment is not what it was")
    links = f'{preset}\nisl = {{ rate = "{rate}" }}\nuser_link = {{ rate = "{rate}" }}'
    file = folder / f"{rate.split('/', maxsplit=1)[0].replace(' ', '-')}.toml"
    file.write_text(text.replace(preset, links), encoding="utf-8")
    return file


def packet_row(packets: Packets, results: list[Result]) -> str:
    """Return a line of the second table."""
    per_second = median(results, cpu_s) / packets.duration_s
    beside = "-" if packets.hypatia_cpu_s is None else f"{packets.hypatia_cpu_s / per_second:.3g}"
    verdict = "met" if per_second < 1 else "slower than real time"
    mb = median(results, rss_mb)
    return (
        f"| {packets.rate} | {packets.duration_s} | {spread(results, cpu_s)} | {per_second:.3g} ({verdict}) "
        f"| {median(results, lambda r: r['goodput_mbit_s']):.4g} | {packets.hypatia_cpu_s or '-'} | {beside} "
        f"| {mb:.3g} | {1e3 * mb / FLOWS:.3g} | {1e3 * mb / SATELLITES:.3g} |"
    )


def measure_packets(program: str, runs: int) -> list[Result]:
    """Runs the experiment at every rate and prints the second table."""
    print(
        "\n| rate | simulated s | CPU s (least / median / largest) | CPU s per simulated s | goodput, Mbit/s "
        "| Hypatia's CPU s per s | times its speed | peak MB | kB per flow | kB per satellite |\n"
        "|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|"
    )
    results: list[Result] = []
    with tempfile.TemporaryDirectory() as folder:
        for packets in PACKETS:
            file = scenario_at(packets.rate, Path(folder))
            print(f"packets at {packets.rate}", file=sys.stderr)
            duration = ["--duration", f"{packets.duration_s} s"]
            experiment = {"rate": packets.rate, "hypatia_cpu_s": packets.hypatia_cpu_s}
            rows = [{**run([program, str(file), *duration]), **experiment} for _ in range(runs)]
            print(packet_row(packets, rows), flush=True)
            results += rows
    return results


def main() -> int:
    """Measures and prints."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--survey", default="target/optimised/survey_bench")
    parser.add_argument("--bentpipe", default="target/optimised/scenario_bench")
    parser.add_argument("--catalogue", type=Path, default=ROOT / "data" / "starlink_2022-09-14.tle")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--save", type=Path)
    chosen = parser.parse_args()
    print(
        "| constellation | satellites | sites | steps | threads | wall s (least / median / largest) | CPU s "
        "| ns per entry and step | entries changed per second, % | peak MB | stored at 12 B a change, MB "
        "| target | others |\n"
        "|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---|---|"
    )
    all_runs: list[Result] = []
    for survey in surveys(chosen.catalogue):
        # The long survey runs only once. It takes minutes, and its noise is small compared with its duration.
        runs = 1 if survey.duration_s > 1000 else chosen.runs
        results = []
        for number in range(runs):
            print(f"{survey.what}: run {number + 1} of {runs}", file=sys.stderr)
            results.append(measure(survey, chosen.survey))
        all_runs += results
        print(row(survey, results), flush=True)
    all_runs += measure_packets(chosen.bentpipe, chosen.runs)
    if chosen.save:
        save(chosen.save, all_runs)
    return 0


if __name__ == "__main__":
    sys.exit(ended(main))
