# SPDX-License-Identifier: MIT OR Apache-2.0
"""Self-contained HTML pages: style and pictures are inside the file, it opens without a network."""

from __future__ import annotations

import html
import io
import math
from typing import TYPE_CHECKING

from bentpipe import _core
from bentpipe.base.files import write_text
from bentpipe.results import split, visits
from bentpipe.results.summaries import given
from bentpipe.runs.run import finding_lines
from bentpipe.scenario import catalogue, presets

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from matplotlib.figure import Figure

    from bentpipe.results.summary_types import BreakSummary, FlowSummary
    from bentpipe.runs.run import Run

_CSS = """
:root { color-scheme: light; --ink: #1c2330; --soft: #5b6577; --line: #d9dee7; --paper: #ffffff; }
body { margin: 0 auto; max-width: 76rem; padding: 1.5rem; color: var(--ink); background: var(--paper);
  font: 16px/1.5 system-ui, sans-serif; }
h1 { font-size: 1.7rem; line-height: 1.2; } h2 { font-size: 1.25rem; margin-top: 2.2rem; }
p.lead, figcaption, footer { color: var(--soft); }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-size: 0.92rem; }
th, td { border-bottom: 1px solid var(--line); padding: 0.3rem 0.7rem; text-align: left; vertical-align: top; }
th { border-bottom: 2px solid var(--ink); }
td.id { white-space: nowrap; } td.long { min-width: 10rem; }
td.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
td.number.wraps { white-space: normal; min-width: 7rem; }
figure { margin: 1rem 0; } figure svg { max-width: 100%; height: auto; }
pre { background: #f5f7fa; padding: 0.8rem; overflow-x: auto; font-size: 0.85rem; }
.reproduced { color: #1a6d3a; font-weight: 600; } .direction-only { color: #8a5a00; font-weight: 600; }
.not-reproduced { color: #a3261d; font-weight: 600; } .inconsistent-in-the-paper { color: #6b3fa0; font-weight: 600; }
.reproduced-in-a-reading { color: #0b6a8a; font-weight: 600; }
.undecided, .no-claim { color: var(--soft); font-weight: 600; }
p.caption { font-weight: 600; margin: 1.2rem 0 0.2rem; } a { color: #0b57a4; }
"""

#: Verdicts of studies, as classes of the style above.
_COLOURED = (
    *("reproduced", "reproduced-in-a-reading", "direction-only", "undecided", "not-reproduced"),
    *("inconsistent-in-the-paper", "no-claim"),
)
#: A cell with more than this does not become a narrow column.
_LONG_TEXT = 60
#: A cell that begins with a digit and is longer than this is a sentence.
_LONGEST_NUMBER = 32
#: A number with more words than fit in this may be broken into lines, so that wide tables fit.
_WRAPS = 18
#: Of more flows than this a page has the first.
_ROWS = 500
#: So many of the transmitters that links share are named.
_SHARED = 5
#: Of more links than this the busiest are shown.
_MANY_LINKS = 4
#: Of more links with a budget than this those that carried least are told of.
_BUDGETS = 4


class Page:
    """An HTML page that grows from top to bottom."""

    def __init__(self, title: str, lead: str) -> None:
        self._title = title
        self._parts = [f"<h1>{html.escape(title)}</h1>", f'<p class="lead">{html.escape(lead)}</p>']

    def heading(self, text: str, *, anchor: str = "", link: str = "") -> None:
        """A heading; others can point at its anchor, and it can point elsewhere."""
        words = html.escape(text)
        inner = f'<a href="{html.escape(link)}">{words}</a>' if link else words
        self._parts.append(f'<h2 id="{html.escape(anchor)}">{inner}</h2>' if anchor else f"<h2>{inner}</h2>")

    def caption(self, text: str) -> None:
        """What the next table shows."""
        self._parts.append(f'<p class="caption">{html.escape(text)}</p>')

    def text(self, text: str) -> None:
        """A paragraph."""
        self._parts.append(f"<p>{html.escape(text)}</p>")

    def bullets(self, lines: Iterable[str]) -> None:
        """A list."""
        items = "".join(f"<li>{html.escape(line)}</li>" for line in lines)
        self._parts.append(f"<ul>{items}</ul>")

    def code(self, text: str, summary: str) -> None:
        """Preformatted text behind a summary that opens it."""
        body = f"<pre>{html.escape(text)}</pre>"
        self._parts.append(f"<details><summary>{html.escape(summary)}</summary>{body}</details>")

    def table(self, head: Sequence[str], rows: Iterable[Sequence[str]], *, link: str | None = None) -> None:
        """A table; a cell that reads as a number is set as one, a cell that is a verdict gets its colour.

        With `link` the first cell of each row points at the anchor of its name in that page; empty: in this one.
        """
        lines = [f"<tr>{''.join(f'<th>{html.escape(cell)}</th>' for cell in head)}</tr>"]
        for row in rows:
            cells = [_cell(cell) for cell in row]
            if link is not None:
                name = html.escape(row[0])
                cells[0] = f'<td class="id"><a href="{html.escape(link)}#{name}">{name}</a></td>'
            lines.append(f"<tr>{''.join(cells)}</tr>")
        self._parts.append(f'<div class="wide"><table>{"".join(lines)}</table></div>')

    def figure(self, figure: Figure, caption: str) -> None:
        """A picture, drawn into the page."""
        from bentpipe import plots

        buffer = io.StringIO()
        plots.save(figure, buffer, "svg")
        svg = buffer.getvalue()
        self.drawing(svg[svg.index("<svg") :], caption)

    def drawing(self, svg: str, caption: str) -> None:
        """A picture that is drawn already."""
        label = html.escape(caption)
        self._parts.append(f'<figure role="img" aria-label="{label}">{svg}<figcaption>{label}</figcaption></figure>')

    def block(self, markup: str) -> None:
        """A piece of HTML as it is."""
        self._parts.append(markup)

    def write(self, file: Path) -> Path:
        """Write the page and return its path.

        Raises:
            RunError: If the file cannot be written.
        """
        body = "\n".join(self._parts)
        page = (
            f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
            f'<meta name="viewport" content="width=device-width, initial-scale=1">'
            f"<title>{html.escape(self._title)}</title><style>{_CSS}</style></head>\n<body>\n{body}\n"
            f"<footer><p>Made by Bentpipe {html.escape(_core.version())}.</p></footer></body></html>\n"
        )
        write_text(file, page)
        return file


def _cell(text: str) -> str:
    name = text.lower().replace(" ", "-")
    if name in _COLOURED:
        return f'<td class="{name}">{html.escape(text)}</td>'
    numeric = len(text) <= _LONGEST_NUMBER and (text[:1].isdigit() or (text[:1] in "+-−" and text[1:2].isdigit()))
    if numeric:
        wraps = " wraps" if len(text) > _WRAPS else ""
        return f'<td class="number{wraps}">{html.escape(text)}</td>'
    long = ' class="long"' if len(text) > _LONG_TEXT else ""
    return f"<td{long}>{html.escape(text)}</td>"


def flow_rows(run: Run, at_most: int) -> tuple[list[str], list[list[str]]]:
    """The summary's numbers flow by flow: heading and rows, of the first so many; parts of a flow below it."""
    flows = run.summary["flows"]
    done = any(flow["completed_at_s"] is not None for flow in flows)
    head = [
        "flow",
        "controller",
        "goodput Mbit/s",
        "loss %",
        "retransmitted",
        "cuts",
        "RTOs",
        "RTT ms",
        "p95",
        "queue ms",
        *(["done after s"] if done else []),
    ]
    rows = []
    of = split.parts(run.summary)
    shown = [row for whole in flows[:at_most] for row in (whole, *_named(of.get(whole["flow"], [])))]
    for flow in shown:
        lost, sent = split.lost(flow), flow["sent_packets"]
        rtt, queueing = flow.get("rtt_ms"), flow.get("queueing_delay_ms")
        rows.append(
            [
                flow["name"],
                catalogue.label(str(flow.get("controller") or flow["kind"])),
                f"{flow['goodput_mbit_s']:.3f}",
                f"{100 * lost / sent:.2f}" if sent else "–",
                str(flow["retransmitted_packets"]),
                str(flow["cuts"]),
                str(flow["timeouts"]),
                _number(rtt and rtt["mean"]),
                _number(rtt and rtt["p95"]),
                _number(queueing and queueing["mean"]),
                *([_lasted(flow)] if done else []),
            ]
        )
    return head, rows


def _named(parts: Sequence[FlowSummary]) -> list[FlowSummary]:
    """The connections of a flow that proxies split, named by their ends."""
    return [{**part, "name": f"  part {at}: {part['from']} > {part['to']}"} for at, part in enumerate(parts, 1)]


def _lasted(flow: FlowSummary) -> str:
    end = flow["completed_at_s"]
    return "–" if end is None else f"{end - flow['start_s']:.2f}"


def left_out_line(run: Run, at_most: int) -> list[str]:
    """How many flows the table leaves out, and how all of them spread."""
    flows = run.summary["flows"]
    if len(flows) <= at_most:
        return []
    rates = sorted(flow["goodput_mbit_s"] for flow in flows)
    low, middle, high = (rates[round(share * (len(rates) - 1))] for share in (0.05, 0.5, 0.95))
    return [
        f"{len(flows) - at_most} more flows (--csv, or summary.json of --out, has all); goodput of a flow: "
        f"p5 {low:.3g}, median {middle:.3g}, p95 {high:.3g} Mbit/s"
    ]


def _outages(run: Run) -> list[str]:
    """What took the packets that were lost to outages."""
    outages = [one for flow in run.summary["flows"] if (one := flow.get("outages"))]
    lost = {
        "while a new link was not up": sum(one["switch"] for one in outages),
        "with a link that went away": sum(one["link_gone"] for one in outages),
        "where no path went on": sum(one["no_path"] for one in outages),
        "to a list": sum(one["listed"] for one in outages),
    }
    said = [f"{count} {how}" for how, count in lost.items() if count]
    return [f"lost to outages: {', '.join(said)}"] if said else []


def _breaks(run: Run) -> list[str]:
    """What proxies that lost their state broke."""
    by: dict[tuple[str, str, bool], list[BreakSummary]] = {}
    for broken in run.summary.get("breaks", []):
        by.setdefault((broken["at"], broken["cause"], "connections" in broken), []).append(broken)
    lines = []
    for (at, cause, of_applications), all_of in by.items():
        lost = sum(broken["lost_bytes"] for broken in all_of)
        if of_applications:
            count = sum(broken.get("connections") or 0 for broken in all_of)
            lines.append(
                f"proxy at {at}: {cause} broke {count} connection{'s' if count > 1 else ''} of applications, "
                f"{lost / 1e3:.0f} kB were acknowledged and lost"
            )
            continue
        silent = [broken["silent_s"] for broken in all_of if broken["silent_s"] is not None]
        line = (
            f"proxy at {at}: {cause} broke {len(all_of)} transfer{'s' if len(all_of) > 1 else ''}, "
            f"{lost / 1e3:.0f} kB were acknowledged and lost"
        )
        if silent:
            line += f", receivers heard nothing for {sum(silent):.2f} s in all"
        if len(silent) < len(all_of):
            line += f" ({len(all_of) - len(silent)} did not go on)"
        lines.append(line)
    return lines


def total_lines(run: Run) -> list[str]:
    """The totals in words."""
    from bentpipe.results.calls import call_lines

    totals = run.summary["totals"]
    lines = [
        *tcp_lines([run]),
        *preset_lines([run]),
        f"goodput {totals['goodput_mbit_s']:.3f} Mbit/s, "
        f"throughput {totals['throughput_mbit_s']:.3f} Mbit/s on the wire",
    ]
    if totals["loss_ratio"] is not None:
        causes = {
            "queue": totals["loss_ratio_queue"],
            "error": totals["loss_ratio_error"],
            "outage": totals["loss_ratio_outage"],
        }
        shares = (f"{why} {100 * given(ratio):.2f} %" for why, ratio in causes.items())
        lines.append(f"packet loss {100 * totals['loss_ratio']:.2f} % ({', '.join(shares)})")
        lines.extend(_outages(run))
    done = sorted(f["completed_at_s"] - f["start_s"] for f in run.summary["flows"] if f["completed_at_s"] is not None)
    if done:
        middle, late = (done[max(0, math.ceil(share * len(done)) - 1)] for share in (0.5, 0.95))
        lines.append(f"completion of the {len(done)} transfers that were done: median {middle:.2f} s, p95 {late:.2f} s")
    lines.extend(visits.lines(run))
    lines.extend(call_lines(run))
    # Of one flow it is 1 whatever happens.
    if totals.get("jain_index") is not None and sum(flow["kind"] == "tcp" for flow in run.summary["flows"]) > 1:
        lines.append(f"Jain's index {totals['jain_index']:.4f}")
    held: dict[str, tuple[int, int]] = {}
    for proxy in run.summary.get("proxies", []):
        most = (proxy["most_held_bytes"], proxy["buffer_bytes"])
        held[proxy["at"]] = max(most, held.get(proxy["at"], (0, 0)))
    for site, (peak, buffer) in held.items():
        lines.append(f"proxy at {site}: held {peak / 1e3:.0f} kB of a flow at most, of {buffer / 1e3:.0f} kB")
    lines.extend(_breaks(run))
    lines.extend(_bottleneck(run))
    lines.extend(_budget_lines(run))
    if len(run.summary["links"]) > _MANY_LINKS:
        busiest = (f"{link['name']} {100 * link['utilisation']:.0f} %" for link in run.busiest_links(5))
        lines.append(f"busiest of {len(run.summary['links'])} links: {', '.join(busiest)}")
    return lines


def _budget_lines(run: Run) -> list[str]:
    """What the weather left of the links with a budget: of all, or of many those that had least to send with."""
    links = [(link["name"], budget) for link in run.summary["links"] if (budget := link.get("budget"))]
    worst = sorted(links, key=lambda link: -(link[1]["outage_s"] + link[1]["frames_lost_s"]))
    shown = links if len(links) <= _BUDGETS else worst[:_BUDGETS]
    lines = []
    for name, budget in shown:
        lines.append(
            f"budget of {name}: {budget['mean_mbit_s']:.3f} Mbit/s in the mean, below the ladder for "
            f"{budget['outage_s']:.1f} s, frames lost for {budget['frames_lost_s']:.1f} s"
        )
    if len(links) > len(shown):
        lines.append(f"{len(links) - len(shown)} more links have a budget: these lost the most time")
    return lines


def _bottleneck(run: Run) -> list[str]:
    """What was fullest, a link or a transmitter that several share; and how full the fullest of those were."""
    link, transmitters = run.summary.get("bottleneck"), run.summary.get("transmitters", [])
    # Of equals first what served longest.
    shared = sorted(transmitters, key=lambda one: (-one["utilisation"], -one["served_s"]))
    fullest = [(f"{one['name']} ({one['kind']})", one["utilisation"]) for one in shared[:1]]
    is_link = link is not None and all(link["utilisation"] > utilisation for _, utilisation in fullest)
    if link is not None and is_link:
        fullest = [(link["name"], link["utilisation"])]
    lines = [f"bottleneck {name}: utilisation {100 * utilisation:.1f} %" for name, utilisation in fullest]
    if len(shared) > 1 or (shared and is_link):
        measured_s = run.provenance["duration_s"] - run.provenance["warm_up_s"]
        said = [
            f"{one['name']} {100 * one['utilisation']:.0f} %"
            + ("" if one["served_s"] > 0.999 * measured_s else f" of the {one['served_s']:.0f} s in which it served")
            for one in shared[:_SHARED]
        ]
        number = "" if len(shared) <= _SHARED else f", the fullest of {len(shared)}"
        lines.append(f"shared transmitters{number}: {', '.join(said)}")
    return lines


def preset_lines(runs: Iterable[Run]) -> list[str]:
    """The presets that networks come from, and how far each is validated."""
    return presets.lines(run.provenance.get("preset") for run in runs)


def tcp_lines(runs: Iterable[Run]) -> list[str]:
    """Whose TCP ran: one line for each that did."""
    said = (flow.get("tcp") for run in runs for flow in run.summary["flows"])
    return [f"TCP: {whose}" for whose in dict.fromkeys(said) if whose]


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:.1f}"


def write_run(run: Run, file: Path) -> Path:
    """The page about one run."""
    from bentpipe import plots
    from bentpipe.show.pictures import moving_map, overview
    from bentpipe.show.pictures import visits as visits_picture

    provenance = run.summary["provenance"]
    lead = (
        f"seed {provenance['seed']}, {provenance['duration_s']:g} s of virtual time, "
        f"Bentpipe {provenance.get('build', provenance['bentpipe_version'])}"
    )
    page = Page(run.name, lead)
    for heading, lines in (("Degraded", provenance.get("degraded")), ("The path", provenance.get("path_notes"))):
        if lines:
            page.heading(heading)
            page.bullets(lines)
    if run.findings:
        page.heading("Findings")
        page.bullets(finding_lines([run]))
    page.bullets(total_lines(run))
    page.figure(overview.overview(run), "Goodput, congestion windows, round-trip times and losses over time")
    if len(run.summary["links"]) > _MANY_LINKS and len(run.links) > 0:
        page.figure(plots.links(run, 30), "Utilisation of the busiest links over time")
    if visits.flows_of(run):
        page.figure(visits_picture.figure([("", run)]), "What the users of applications felt")
    if moving := moving_map.block(run):
        page.heading("Satellites and paths over time")
        page.block(moving)
    page.heading("Flows")
    page.table(*flow_rows(run, _ROWS))
    page.bullets(left_out_line(run, _ROWS))
    page.code(run.scenario, "The resolved scenario")
    return page.write(file)
