# SPDX-License-Identifier: MIT OR Apache-2.0
"""How far SGP4 is off, by the age of the elements: the numbers of `crates/orbit/src/accuracy.rs`.

The folder has a file of two-line elements for each day. The numbers were computed with `satellite-data/data/` of
SPEAR-Research-Lab/Horizon-Predicting-Starlink-Performance (commit a8ea5e0: Starlink, 20 September 2025 to 21 May 2026).
SGP4 propagates a set to the epoch of a later set of the same satellite. The position is compared with the position of
the later set at this time. SGP4 is Rhodes's `sgp4` (2.27), and not Bentpipe's. Install it in a separate environment.

    python tests/oracles/errors_of_elements.py FOLDER
"""

from __future__ import annotations

import bisect
import importlib
import math
import random
import statistics
import sys
from pathlib import Path

AGES_DAYS = (1.0, 2.0, 4.0, 7.0, 12.0, 20.0, 30.0)
BANDS_KM = ((330.0, 450.0), (450.0, 515.0), (515.0, 600.0))
MU_KM3_S2 = 398_600.8
RADIUS_KM = 6378.135
ATMOSPHERE_KM = 121.92
SATELLITES = 6000
SETS = 8


def axis_km(motion_rad_min: float) -> float:
    """Return the semi-major axis for a mean motion, by Kepler's third law."""
    return float((MU_KM3_S2 / (motion_rad_min / 60) ** 2) ** (1 / 3))


def histories(folder: Path) -> dict[str, list[tuple[str, str]]]:
    """Return all element sets of every Starlink satellite, by catalogue number."""
    found: dict[str, dict[str, tuple[str, str]]] = {}
    for file in sorted(folder.glob("*.tle")):
        lines = file.read_text("utf-8", errors="replace").splitlines()
        for name, first, second in zip(lines, lines[1:], lines[2:], strict=False):
            if first.startswith("1 ") and second.startswith("2 ") and name.startswith("STARLINK"):
                found.setdefault(first[2:7], {})[first[18:32]] = (first, second)
    return {number: list(sets.values()) for number, sets in found.items()}


def main(folder: Path) -> None:
    """Prints first quartile, median and 90th percentile of the errors by altitude and age."""
    satrec = importlib.import_module("sgp4.api").Satrec
    chance = random.Random(1)  # noqa: S311
    known = sorted(histories(folder).items())
    errors: dict[tuple[int, float], list[float]] = {}
    for _, texts in chance.sample(known, min(SATELLITES, len(known))):
        sets = [satrec.twoline2rv(*text) for text in texts]
        sets.sort(key=lambda one: one.jdsatepoch + one.jdsatepochF)
        days = [one.jdsatepoch + one.jdsatepochF for one in sets]
        if len(sets) < 3:
            continue
        for at in chance.choices(range(len(sets)), k=SETS):
            axis = axis_km(sets[at].no_kozai)
            for age in AGES_DAYS:
                wanted = days[at] + age * math.exp(chance.uniform(-0.1, 0.1))
                after = bisect.bisect_left(days, wanted)
                near = (index for index in (after - 1, after) if 0 <= index < len(days))
                later = min(near, key=lambda index: abs(days[index] - wanted))
                if abs(days[later] - days[at] - age) > 0.15 * age:
                    continue
                moment = (sets[later].jdsatepoch, sets[later].jdsatepochF)
                (bad, there, _), (worse, here, speed) = sets[later].sgp4(*moment), sets[at].sgp4(*moment)
                radius = math.hypot(*here)
                if bad or worse or radius < RADIUS_KM + ATMOSPHERE_KM:
                    continue
                if 1 / (2 / radius - math.hypot(*speed) ** 2 / MU_KM3_S2) > 1.05 * axis:
                    continue
                for band, (low, high) in enumerate(BANDS_KM):
                    if low <= axis - RADIUS_KM < high:
                        errors.setdefault((band, age), []).append(math.dist(there, here))
    for (band, age), found in sorted(errors.items()):
        parts = statistics.quantiles(found, n=20)
        low, high = BANDS_KM[band]
        row = f"{low:.0f} to {high:.0f} km, {age:4.0f} d: 25 % {parts[4]:7.1f} km, median {parts[9]:7.1f} km"
        sys.stdout.write(f"{row}, 90 % {parts[17]:8.1f} km ({len(found)} pairs)\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
