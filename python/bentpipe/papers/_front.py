# SPDX-License-Identifier: MIT OR Apache-2.0
"""The front page's share of a report: `python -m bentpipe.papers._front report README.md docs/img/papers.png`."""

from __future__ import annotations

import json
import sys
from collections import Counter
from pathlib import Path
from typing import Any

from bentpipe import plots
from bentpipe._page import line, write
from bentpipe.papers._book import checks
from bentpipe.papers._claims import Verdict
from bentpipe.papers._shelf import papers
from bentpipe.papers.across.scoreboard import drawn


def block(board: dict[str, Any]) -> str:
    """Seeds, claims, and how many rows of each paper have which verdict, from a ``scoreboard.json``."""
    effort = f"{len(board['seeds'])} seeds" + (", a first look (`--quick`)" if board["quick"] else "")
    lines = [line(["paper", "rows", *Verdict]), line(["---", *["---:"] * (len(Verdict) + 1)])]
    whole: Counter[str] = Counter()
    for paper in papers():
        counts = Counter(row["verdict"] for row in board["rows"] if row["paper"] == paper.name)
        whole += counts
        lines.append(line([paper.short or paper.title, *_cells(counts)]))
    lines.append(line([f"**{cell}**" for cell in ("all", *_cells(whole))]))
    told = checks([(row["verdict"], [claim["check"] for claim in row["claims"]]) for row in board["rows"]])
    return "\n".join([f"With {effort}; {told}:", "", *lines]) + "\n"


def _cells(counts: Counter[str]) -> list[str]:
    return [str(counts.total()), *(str(counts[verdict]) for verdict in Verdict)]


def main(report: Path, page: Path, picture: Path) -> None:
    """Write the block of `page` and the picture from what a reproduction of all papers left in `report`."""
    board = json.loads((report / "scoreboard.json").read_text(encoding="utf-8"))
    shelf = [paper for paper in papers() if paper.name != "across"]
    verdicts: dict[str, list[Verdict]] = {paper.name: [] for paper in shelf}
    claims: dict[str, list[Verdict]] = {paper.name: [] for paper in shelf}
    for row in board["rows"]:
        if row["paper"] in verdicts:
            verdicts[row["paper"]].append(Verdict(row["verdict"]))
            claims[row["paper"]] += [Verdict(claim["verdict"]) for claim in row["claims"]]
    write(page, block(board))
    plots.save(drawn(shelf, verdicts, claims), picture, "png")


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
