# SPDX-License-Identifier: MIT OR Apache-2.0
"""A map of a run's satellites and paths over time, with a slider and a button: HTML without network or library."""

from __future__ import annotations

import html
import json
from typing import TYPE_CHECKING

import numpy as np

from bentpipe import plots
from bentpipe.base.errors import BentpipeError
from bentpipe.base.tables import Table
from bentpipe.scenario.bench import sky_of
from bentpipe.show.pictures.overview import ways

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from bentpipe import _core
    from bentpipe.runs.run import Run

#: Largest number of moments, and of satellite positions in total. A large shell gets fewer moments, to keep the page
#: small.
_MOMENTS, _POSITIONS = 61, 40_000
#: Largest number of pairs of places whose paths are drawn.
_PAIRS = 3

_PAGE = """<div class="map"><canvas id="map" width="1100" height="550" style="width:100%;max-width:1100px"
 role="img" aria-label="Map of satellites and paths over time"></canvas>
<p><button id="map-play" type="button" aria-pressed="false">play</button> <label>time
 <input id="map-time" type="range" min="0" step="1" value="0" style="width:60%;vertical-align:middle"></label>
 <output id="map-said"></output></p><p id="map-ways"></p>
<noscript><p>The map needs JavaScript, which this page contains.</p></noscript></div>
<script type="application/json" id="map-data">DATA</script>
<script>
(function () {
  var d = JSON.parse(document.getElementById("map-data").textContent);
  var canvas = document.getElementById("map"), slider = document.getElementById("map-time");
  var c = canvas.getContext("2d"), w = canvas.width, h = canvas.height;
  function x(lon) { return (lon / 10 + 180) / 360 * w; }
  function y(lat) { return (90 - lat / 10) / 180 * h; }
  function line(points) {
    // A line across the edge of the map continues on the other side.
    c.beginPath();
    for (var i = 2; i < points.length; i += 2) {
      var a = points[i - 2], b = points[i], turn = Math.abs(b - a) > 1800 ? (a > b ? 3600 : -3600) : 0;
      c.moveTo(x(a), y(points[i - 1])); c.lineTo(x(b + turn), y(points[i + 1]));
      if (turn) { c.moveTo(x(a - turn), y(points[i - 1])); c.lineTo(x(b), y(points[i + 1])); }
    }
    c.stroke();
  }
  function land() {
    c.beginPath();
    d.coast.forEach(function (coast) {
      var last = coast.length - 2;
      c.moveTo(x(coast[0]), y(coast[1]));
      for (var i = 2; i <= last; i += 2) { c.lineTo(x(coast[i]), y(coast[i + 1])); }
      if (Math.abs(coast[last] - coast[0]) > 1800) {
        // Antarctica's coast goes from one edge of the map to the other. Its land ends at the lower edge.
        var edge = coast[last] > 0 ? w : 0;
        c.lineTo(edge, y(coast[last + 1])); c.lineTo(edge, h); c.lineTo(w - edge, h); c.lineTo(w - edge, y(coast[1]));
      }
      c.closePath();
    });
    // Seas within land are rings within rings.
    c.fill("evenodd");
  }
  function colour(name, light) {
    return getComputedStyle(canvas).getPropertyValue("--map-" + name).trim() || light;
  }
  function draw() {
    var m = d.moments[slider.value];
    c.fillStyle = colour("sea", "#ffffff"); c.fillRect(0, 0, w, h);
    c.fillStyle = colour("land", "#e4e7ec"); land();
    c.strokeStyle = colour("coast", "#9a9a9a"); c.lineWidth = 0.8; d.coast.forEach(line);
    c.fillStyle = colour("satellite", "#0072b2");
    for (var i = 0; i < m.at.length; i += 2) {
      c.fillRect(x(m.at[i]) - d.dot / 2, y(m.at[i + 1]) - d.dot / 2, d.dot, d.dot);
    }
    m.ways.forEach(function (way, n) { c.strokeStyle = d.colours[n]; c.lineWidth = 3; line(way.at); });
    c.fillStyle = colour("ink", "#000000"); c.font = "16px system-ui, sans-serif";
    d.places.forEach(function (p) {
      c.fillRect(x(p.at[0]) - 4, y(p.at[1]) - 4, 8, 8);
      c.fillText(p.name, x(p.at[0]) + 7, y(p.at[1]) + 18);
    });
    document.getElementById("map-said").textContent = m.time + " s";
    var said = m.ways.map(function (way) { return way.said; });
    document.getElementById("map-ways").textContent = said.join("; ") || "no path";
  }
  var button = document.getElementById("map-play"), timer = null, last = d.moments.length - 1;
  function stop() {
    clearInterval(timer); timer = null; button.textContent = "play"; button.setAttribute("aria-pressed", "false");
  }
  function step() {
    slider.value = Math.min(last, Number(slider.value) + 1); draw();
    if (Number(slider.value) === last) { stop(); }
  }
  button.onclick = function () {
    if (timer !== null) { stop(); return; }
    if (Number(slider.value) === last) { slider.value = 0; draw(); }
    timer = setInterval(step, 150); button.textContent = "pause"; button.setAttribute("aria-pressed", "true");
  };
  slider.max = last; slider.oninput = function () { stop(); draw(); }; draw();
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", draw);
})();
</script>"""


def block(run: Run) -> str:
    """Return the map as HTML: empty for a network without satellites, a sentence if the orbits are missing now."""
    try:
        sky = sky_of(run.scenario)
        if sky is None:
            return ""
        data = _data(run, sky)
    except BentpipeError as problem:
        return f"<p>The map cannot be drawn: {html.escape(problem.message)}</p>"
    # A name may contain the text that ends a script, so "<" is escaped.
    text = json.dumps(data, separators=(",", ":"), ensure_ascii=False).replace("<", "\\u003c")
    return _PAGE.replace("DATA", text)


def _data(run: Run, sky: _core.Sky) -> dict[str, object]:
    pairs = list(dict.fromkeys((flow["from"], flow["to"]) for flow in run.summary["flows"]))[:_PAIRS]
    sites = list(dict.fromkeys(place for pair in pairs for place in pair))
    count = max(2, min(_MOMENTS, _POSITIONS // max(1, json.loads(sky.describe())["satellites"])))
    times = np.linspace(0.0, run.provenance["duration_s"], count)
    known = ways(run)
    moments, places = [], []
    for time in times:
        nodes = Table(sky.look(f"{time:.6f} s", sites)[0]).arrow.to_pylist()
        at = {str(node["name"]): _tenths(node) for node in nodes}
        satellites = [number for node in nodes if node["kind"] == "satellite" for number in _tenths(node)]
        drawn = []
        for pair in pairs:
            way = _at(known.get(pair, []), float(time))
            if way:
                shown = [number for name in way for number in at.get(name, ())]
                drawn.append({"at": shown, "said": " > ".join(way)})
        moments.append({"time": f"{time:.1f}", "at": satellites, "ways": drawn})
        places = [{"name": site, "at": at[site]} for site in sites if site in at]
    return {
        "moments": moments,
        "places": places,
        "coast": _coast(),
        "colours": [plots.COLOURS[place] for place in (1, 2, 3)],
        "dot": 5 if count == _MOMENTS else 2,
    }


def _tenths(row: Mapping[str, float]) -> tuple[int, int]:
    """Return longitude and latitude in tenths of a degree (the map's resolution), east and north positive."""
    return round(10.0 * row["longitude_deg"]), round(10.0 * row["latitude_deg"])


def _at(rows: Sequence[tuple[float, list[str]]], time: float) -> list[str]:
    """Return the path at a moment: the path of the last row until then."""
    before = [way for when, way in rows if when <= time + 1e-6]
    return [name for name in before[-1] if name] if before else []


def _coast() -> list[list[int]]:
    shores: dict[int, list[int]] = {}
    for row in plots.coastline().arrow.to_pylist():
        shores.setdefault(row["line"], []).extend(_tenths(row))
    return list(shores.values())
