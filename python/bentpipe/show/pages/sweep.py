# SPDX-License-Identifier: MIT OR Apache-2.0
"""The page of a sweep: pictures, and a table that can be sorted and filtered, in one file without a network."""

from __future__ import annotations

import html
import json
from pathlib import Path
from typing import TYPE_CHECKING

from bentpipe.results.metrics import BY_KEY
from bentpipe.show.pages.run import Page

if TYPE_CHECKING:
    from bentpipe._sweep._result import Sweep

#: Of more points than this a page has the first: the tables have all.
_ROWS = 20_000
#: Rows that stand on the page at once; the others come as it is sorted and filtered.
_AT_ONCE = 200
_CAPTIONS = {
    "lines": "Mean over the seeds with its interval",
    "heat": "Mean over the seeds",
    "multiples": "Mean over the seeds",
    "dots": "Every point over each axis by itself",
    "pareto": "Goodput against the 95th percentile of the queueing delay, or of the times of visits",
}
_STYLE = """<style>
.live th { cursor: pointer; white-space: nowrap; position: sticky; top: 0; background: var(--paper); }
.live th[data-way="1"]::after { content: " \\25B4"; } .live th[data-way="-1"]::after { content: " \\25BE"; }
.live th.number { text-align: right; }
.live input { width: 100%; min-width: 4rem; box-sizing: border-box; border: 1px solid var(--line); }
.live input { font: inherit; font-size: 0.85rem; font-weight: normal; padding: 0.1rem 0.3rem; }
.live td { font-variant-numeric: tabular-nums; } .live .half { color: var(--soft); }
.tall { overflow: auto; max-height: 40rem; }
</style>"""
#: Cells are [what it sorts by, what is shown]. A filter is text that the cell holds, or a bound: <5, >=0.1, =3.
_SCRIPT = """<script>
(function () {
  "use strict";
  const fits = (cell, wish) => {
    const bound = /^(<=|>=|<|>|=)\\s*(-?[0-9.]+(?:e[+-]?[0-9]+)?)$/i.exec(wish);
    if (!bound) return String(cell[1]).toLowerCase().includes(wish.toLowerCase());
    const a = cell[0], b = Number(bound[2]);
    if (typeof a !== "number") return false;
    return { "<": a < b, ">": a > b, "<=": a <= b, ">=": a >= b, "=": a === b }[bound[1]];
  };
  const before = (a, b) => {
    if (a === null || b === null) return (a === null) - (b === null);
    return typeof a === "number" && typeof b === "number" ? a - b : String(a).localeCompare(String(b));
  };
  const arranged = (rows, wishes, column, way) => {
    const kept = rows.filter(row => wishes.every((wish, at) => !wish || fits(row[at], wish)));
    if (column < 0) return kept;
    return kept.slice().sort((x, y) => {
      const a = x[column][0], b = y[column][0];
      return a === null || b === null ? before(a, b) : way * before(a, b);
    });
  };
  if (typeof document === "undefined") { module.exports = { fits, before, arranged }; return; }
  for (const table of document.querySelectorAll("table.live")) {
    const rows = JSON.parse(table.querySelector("script").textContent);
    const heads = [...table.querySelectorAll("tr.names th")], wishes = [...table.querySelectorAll("input")];
    const body = table.querySelector("tbody"), count = table.parentNode.previousElementSibling;
    let column = -1, way = 1;
    const draw = () => {
      const found = arranged(rows, wishes.map(one => one.value.trim()), column, way);
      body.replaceChildren(...found.slice(0, AT_ONCE).map(row => {
        const line = document.createElement("tr");
        row.forEach((cell, at) => {
          const box = document.createElement("td");
          box.textContent = cell[1];
          if (heads[at].classList.contains("number")) box.className = "number";
          line.append(box);
        });
        return line;
      }));
      const shown = Math.min(found.length, AT_ONCE);
      const rest = shown < found.length ? `, the first ${shown} shown` : "";
      count.textContent = `${found.length} of ${rows.length} points${rest}`;
    };
    heads.forEach((head, at) => head.classList.toggle("number", rows.some(row => typeof row[at][0] === "number")));
    heads.forEach((head, at) => head.addEventListener("click", () => {
      way = column === at ? -way : 1; column = at;
      heads.forEach((one, its) => one.dataset.way = its === at ? way : "");
      draw();
    }));
    wishes.forEach(one => one.addEventListener("input", draw));
    draw();
  }
})();
</script>""".replace("AT_ONCE", str(_AT_ONCE))


def write(found: Sweep, file: Path) -> Path:
    """Write the page."""
    axes = ", ".join(axis["key"] for axis in found.about["axes"])
    runs = len(found.runs)
    lead = f"{len(found.points)} points over {axes}; {runs} runs, the same seeds at every point."
    page = Page(f"Sweep {Path(found.about['origin']).stem}", lead)
    page.block(_STYLE)
    page.bullets(found.notes)
    for name, figure in found.plots().items():
        page.figure(figure, _CAPTIONS[name])
    page.heading("Points")
    page.text(
        "A click on a heading sorts, a second one turns the order. Below it: text that a cell has to hold, or a bound "
        "(<5, >=0.1, =3)."
    )
    page.block(_table(found))
    if found.failed:
        page.heading("Runs that failed")
        page.table(
            ["point", "seed", "error"],
            [
                [str(point), str(seed), error]
                for point, seed, error in zip(found.runs["point"], found.runs["seed"], found.runs["error"], strict=True)
                if error is not None
            ][:_AT_ONCE],
        )
    page.heading("Where this comes from")
    page.text(f"{found.about['build']}; design: {found.about['design']}.")
    page.code(json.dumps(found.about["document"], indent=2, ensure_ascii=False), "The sweep, its base included")
    page.block(_SCRIPT)
    return page.write(file)


def _table(found: Sweep) -> str:
    points, shown = found.points, found.shown
    columns = [*found.axes, "seeds"]
    heads = [*columns, *(BY_KEY[one].heading if one in BY_KEY else one for one in shown)]
    plain = {name: points[name] for name in columns}
    rows = []
    for number, point in enumerate(points["point"][:_ROWS]):
        row = [[plain[name][number], _said(plain[name][number])] for name in columns]
        for one in shown:
            estimate = found.estimate(point, one)
            known = estimate.mean == estimate.mean
            digits = BY_KEY[one].digits if one in BY_KEY else 3
            row.append([estimate.mean if known else None, estimate.text(digits)])
        rows.append(row)
    names = "".join(f"<th>{html.escape(head)}</th>" for head in heads)
    wishes = "".join(f'<th><input aria-label="filter {html.escape(head)}"></th>' for head in heads)
    data = json.dumps(rows, ensure_ascii=False).replace("</", "<\\/")
    return (
        f'<p class="caption"></p><div class="tall"><table class="live"><thead><tr class="names">{names}</tr>'
        f'<tr>{wishes}</tr></thead><tbody></tbody><script type="application/json">{data}</script></table></div>'
    )


def _said(value: object) -> str:
    return f"{value:.6g}" if isinstance(value, float) else str(value)
