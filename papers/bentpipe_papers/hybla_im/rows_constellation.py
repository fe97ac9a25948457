# SPDX-License-Identifier: MIT OR Apache-2.0
"""Table 2 and figure 3: the constellation, measured in the simulator (H-17)."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np

import bentpipe as bp
from bentpipe import plots
from bentpipe import study as st
from bentpipe_papers.hybla_im import pictures

#: Equatorial radius (WGS84), the reference of orbital altitudes.
EARTH_KM = 6378.137
#: Square of the ellipsoid's eccentricity (WGS84).
ECCENTRICITY_2 = 0.00669437999014
SITES = ("Berkeley", "Boston")
MOMENTS_S = range(0, 6027, 300)


def plane_normals(sky: bp.Sky) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    """Unit normals of the planes at the start, oriented by the direction of motion."""
    positions = np.column_stack([plots.column(sky.satellites().arrow, f"{axis}_km") for axis in "xyz"])
    per_plane = sky.facts["shells"][0]["satellites"] // sky.facts["shells"][0]["planes"]
    first, second = positions[::per_plane], positions[1::per_plane]
    normal = np.cross(first, second)
    return np.asarray(normal / np.linalg.norm(normal, axis=1, keepdims=True), dtype=np.float64)


def between_nodes(normals: np.ndarray[tuple[int, ...], np.dtype[np.float64]]) -> list[float]:
    """Angles between the ascending nodes of neighbouring planes, in degrees."""
    nodes = np.degrees(np.arctan2(normals[:, 0], -normals[:, 1]))
    return [float((b - a) % 360.0) for a, b in itertools.pairwise(nodes)]


def links_of(sky: bp.Sky) -> tuple[int, float, float]:
    """Largest number of links of a satellite, highest latitude of a link between planes, lowest ground elevation."""
    most, highest, lowest = 0, 0.0, 90.0
    sites = bp.sites()
    spots = dict(zip(sites["name"], zip(sites["latitude_deg"], sites["longitude_deg"], strict=True), strict=True))
    for moment in MOMENTS_S:
        satellites, links = sky.satellites(f"{moment} s"), sky.links(f"{moment} s", list(SITES))
        where = satellites.arrow.to_pylist()
        latitude, planes = satellites["latitude_deg"], [name.split("/")[0] for name in satellites["name"]]
        degree = [0] * len(planes)
        for a, b, length in zip(links["a"], links["b"], links["length_km"], strict=True):
            if b >= len(planes):
                latitude_deg, longitude_deg = spots[SITES[b - len(planes)]]
                lowest = min(lowest, elevation_deg(where[a], latitude_deg, longitude_deg, length))
                continue
            degree[a] += 1
            degree[b] += 1
            if planes[a] != planes[b]:
                highest = max(highest, abs(latitude[a]), abs(latitude[b]))
        most = max(most, *degree)
    return most, highest, lowest


def site_km(latitude_deg: float, longitude_deg: float) -> tuple[float, float, float]:
    """Earth-fixed position of a site on the ellipsoid (WGS84)."""
    phi, turn = math.radians(latitude_deg), math.radians(longitude_deg)
    across = EARTH_KM / math.sqrt(1.0 - ECCENTRICITY_2 * math.sin(phi) ** 2)
    ring = across * math.cos(phi)
    return ring * math.cos(turn), ring * math.sin(turn), across * (1.0 - ECCENTRICITY_2) * math.sin(phi)


def elevation_deg(satellite: dict[str, Any], latitude_deg: float, longitude_deg: float, slant_km: float) -> float:
    """Elevation of a satellite over the horizon of a site, from their distance."""
    phi, turn = math.radians(latitude_deg), math.radians(longitude_deg)
    up = (math.cos(phi) * math.cos(turn), math.cos(phi) * math.sin(turn), math.sin(phi))
    ring, east = math.hypot(satellite["x_km"], satellite["y_km"]), math.radians(satellite["longitude_deg"])
    spot = (ring * math.cos(east), ring * math.sin(east), satellite["z_km"])
    above = sum((a - b) * c for a, b, c in zip(spot, site_km(latitude_deg, longitude_deg), up, strict=True))
    return math.degrees(math.asin(above / slant_km))


def exact(what: str, paper: float, measured: float, unit: str, tolerance: float) -> st.Claim:
    return st.claim(what, bp.fixed(measured), st.equals(paper, unit, within=tolerance, check=True))


@st.reads(
    id="H-17",
    place="Figure 3, Table 2, section 4",
    what="topology and constellation",
    says="Iridium with 6 planes 31.6° apart and a slit of 22°, four links per satellite, ns-2.34 with STK 8.1.1",
)
def read(_: st.Runs) -> st.Finding:
    sky = bp.constellation("iridium")
    normals = plane_normals(sky)
    spacing = between_nodes(normals)
    most, highest, lowest = links_of(sky)
    radius = np.linalg.norm(
        np.column_stack([plots.column(sky.satellites().arrow, f"{axis}_km") for axis in "xyz"]), axis=1
    )
    inclination = float(np.degrees(np.arccos(normals[:, 2])).mean())
    seam = 180.0 - sum(spacing)
    facts = sky.facts["shells"][0]
    rows = [
        ["orbital height", "780 km", f"{radius.mean() - EARTH_KM:.1f} km above the equatorial radius"],
        ["planes, satellites of each", "6, 11", f"{facts['planes']}, {facts['satellites'] // facts['planes']}"],
        ["inclination", "86.4°", f"{inclination:.2f}°"],
        ["between planes", "31.6°", ", ".join(f"{angle:.1f}°" for angle in spacing)],
        ["slit interval", "22°", f"180° - 5 · 31.6° = {seam:.1f}°"],
        [
            "minimum elevation",
            "8.2°",
            f"{lowest:.1f}° is the lowest elevation of a link in a revolution (one sample every {MOMENTS_S.step} s)",
        ],
        ["inter-satellite links of each satellite", "4", f"at most {most} (3 at the slit, 2 beyond the threshold)"],
        [
            "inter-satellite links",
            "25 Mbit/s",
            "25 Mbit/s; in the plane and to both neighbouring planes, none across the slit",
        ],
        ["up- and downlink", "1.5 Mbit/s", "1.5 Mbit/s"],
        ["latitude threshold", "60°", f"links between planes up to {highest:.1f}°"],
        ["ground stations", "Berkeley (37.9, -122.3), Boston (42.3, -71.1)", "the same"],
        ["terminals", "30 at each, 10 Mbit/s", "30 flows, access links of 10 Mbit/s and 1 ms"],
    ]
    figure, words = pictures.topology_map()
    return st.found(
        f"The constellation has the paper's values in every printed digit. Planes {spacing[0]:.1f}° apart leave a "
        f"slit of {seam:.1f}° between the first plane and the last, which is 180° - 5 · 31.6°",
        exact("orbital height", 780.0, float(radius.mean()) - EARTH_KM, "km", 0.5),
        exact("inclination", 86.4, inclination, "°", 0.05),
        exact("spacing of neighbouring planes", 31.6, sum(spacing) / len(spacing), "°", 0.05),
        exact("slit between the first plane and the last", 22.0, seam, "°", 0.5),
        exact("largest number of inter-satellite links of a satellite", 4.0, float(most), "", 0.0),
        st.Sheet("Table 2 and section 4", ("parameter", "paper", "here"), rows),
        st.Picture(f"Figure 3. {words}", figure),
    )
