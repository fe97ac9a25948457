# SPDX-License-Identifier: MIT OR Apache-2.0
"""Tables with links that a click sorts; without JavaScript they stand as they are."""

from __future__ import annotations

import html
import math
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from bentpipe.base.stats import Estimate

#: Up to so many characters stand on one line, more in a column that is not narrow.
_LONG = 24
STYLE = """<style>
body { max-width: 86rem; } p, li { max-width: 72rem; }
table.sorts th, table.sorts td { padding: 0.3rem 0.5rem; }
nav { margin: 0 0 1rem; } nav a, nav b { margin-right: 1rem; white-space: nowrap; }
table.sorts th { cursor: pointer; vertical-align: bottom; }
table.sorts th[aria-sort="ascending"]::after { content: " \\25B4"; }
table.sorts th[aria-sort="descending"]::after { content: " \\25BE"; }
table.sorts td.n { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
table.sorts td.name { white-space: nowrap; position: sticky; left: 0; background: var(--paper); }
td.long { min-width: 16rem; } td.short { white-space: nowrap; }
td.bad { color: #a3261d; } small { color: var(--soft); }
</style>"""
#: Sorts by `data-by` where a cell has it, else by its text; what has no number comes last.
SCRIPT = """<script>
(function () {
  "use strict";
  const value = cell => cell.dataset.by === undefined ? cell.textContent : Number(cell.dataset.by);
  const before = (a, b, way) => {
    if (Number.isNaN(a) || Number.isNaN(b)) return Number.isNaN(a) - Number.isNaN(b);
    return way * (typeof a === "number" && typeof b === "number" ? a - b : String(a).localeCompare(String(b)));
  };
  for (const table of document.querySelectorAll("table.sorts")) {
    const heads = [...table.tHead.rows[0].cells], body = table.tBodies[0];
    heads.forEach((head, at) => head.addEventListener("click", () => {
      const way = head.getAttribute("aria-sort") === "ascending" ? -1 : 1;
      heads.forEach(one => one.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", way > 0 ? "ascending" : "descending");
      const rows = [...body.rows];
      rows.sort((x, y) => before(value(x.cells[at]), value(y.cells[at]), way));
      body.append(...rows);
    }));
  }
})();
</script>"""


def link(target: str, text: str) -> str:
    """A link to another page of the site."""
    return f'<a href="{html.escape(target)}">{html.escape(text)}</a>'


def name(target: str, text: str) -> str:
    """A cell that leads to a page."""
    return f'<td class="name">{link(target, text)}</td>'


def text(said: str, *, bad: bool = False) -> str:
    """A cell with words."""
    classes = f"{'bad ' if bad else ''}{'long' if len(said) > _LONG else 'short'}"
    return f'<td class="{classes}">{html.escape(said)}</td>'


def number(by: float, said: str) -> str:
    """A cell with a number: what it sorts by, and what is shown."""
    return f'<td class="n" data-by="{"NaN" if math.isnan(by) else repr(by)}">{html.escape(said)}</td>'


def estimate(one: Estimate, digits: int) -> str:
    """A cell with a mean and its interval."""
    return number(one.mean, one.text(digits))


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table of cells; a click on a heading sorts it."""
    heads = "".join(f"<th>{html.escape(one)}</th>" for one in head)
    lines = "\n".join(f"<tr>{''.join(cells)}</tr>" for cells in rows)
    inner = f"<thead><tr>{heads}</tr></thead>\n<tbody>\n{lines}\n</tbody>"
    return f'<div class="wide"><table class="sorts">{inner}</table></div>'


def nav(links: Sequence[tuple[str, str]], here: str) -> str:
    """The pages that every page leads to; the one that is open stands in bold."""
    parts = [f"<b>{html.escape(said)}</b>" if said == here else link(target, said) for said, target in links]
    return f"<nav>{' '.join(parts)}</nav>"
