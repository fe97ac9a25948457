#!/usr/bin/env python3
# SPDX-License-Identifier: MIT OR Apache-2.0
"""What the routes of whole constellations over time cost, beside the published and measured costs of other tools.

    benches/constellations.py [--survey target/release/examples/survey_bench] [--catalogue FILE]
                              [--runs 3] [--save FILE.json]

Routes are those from every node to every site. The other tools are not run here: Hypatia's figure for Starlink's shell
is its state generation (2,000 steps, one core, 14 s a step), those for 75 x 75 satellites are published with LEOCraft
(ATC 2025, figure 18: 100 sites, 200 steps of 1 s, one thread; Hypatia's with 50 ping runs).
"""

import argparse
import os
import sys
from dataclasses import dataclass
from pathlib import Path

from programs import Result, answer, ended, median, save, spread

ROOT = Path(__file__).resolve().parent.parent
KEYS = {"what", "satellites", "sites", "steps", "entries", "changes", "cpu_s", "wall_s", "peak_rss_mb"}


@dataclass(frozen=True)
class Survey:
    """One survey: what, from how many sites, how long, in which steps, on how many threads; its targets."""

    what: str
    sites: int
    duration_s: int
    step_ms: int
    threads: int
    below_s: float
    below_mb: float | None
    others: str


def surveys(catalogue: Path) -> list[Survey]:
    """The surveys, from the smallest."""
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
    """One line of the table."""
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


def main() -> int:
    """Measures and prints."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--survey", default="target/release/examples/survey_bench")
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
        # The long one once: it lasts minutes, and its noise is small against that.
        runs = 1 if survey.duration_s > 1000 else chosen.runs
        results = []
        for number in range(runs):
            print(f"{survey.what}: run {number + 1} of {runs}", file=sys.stderr)
            results.append(measure(survey, chosen.survey))
        all_runs += results
        print(row(survey, results), flush=True)
    if chosen.save:
        save(chosen.save, all_runs)
    return 0


if __name__ == "__main__":
    sys.exit(ended(main))
