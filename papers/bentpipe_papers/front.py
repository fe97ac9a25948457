# SPDX-License-Identifier: MIT OR Apache-2.0
"""The front page's share of a report: `python -m bentpipe_papers.front report README.md docs/img/papers.png`."""

from __future__ import annotations

import json
import sys
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bentpipe import plots
from bentpipe.study import Verdict, checks, markdown_table, write_block
from bentpipe_papers.across.rows_scoreboard import drawn
from bentpipe_papers.studies import STUDIES

if TYPE_CHECKING:
    from collections.abc import Sequence


def block(board: dict[str, Any]) -> str:
    """Seeds, claims, and how many rows of each paper have which verdict, from a ``scoreboard.json``."""
    effort = board["effort"] + (", a first look (`--quick`)" if board["quick"] else "")
    lines: list[Sequence[str]] = []
    whole: Counter[str] = Counter()
    for study in STUDIES:
        counts = Counter(row["verdict"] for row in board["rows"] if row["study"] == study.name)
        whole += counts
        lines.append([study.short or study.title, *cells(counts)])
    lines.append([f"**{cell}**" for cell in ("all", *cells(whole))])
    told = checks([(row["verdict"], [claim["check"] for claim in row["claims"]]) for row in board["rows"]])
    table = markdown_table(["paper", "rows with a claim", *Verdict], lines, text_columns=1)
    heads = Counter(claim["verdict"] for row in board["rows"] for claim in row["claims"] if claim["headline"])
    each = ", ".join(f"{heads[verdict]} {verdict}" for verdict in Verdict if heads[verdict])
    first = f"Of {heads.total()} headline claims: {each}. " if heads else ""
    return f"{first}With {effort}; {told}:\n\n{table}\n"


def cells(counts: Counter[str]) -> list[str]:
    """How many rows make a claim, and how many have each verdict."""
    return [str(counts.total() - counts[Verdict.NO_CLAIM]), *(str(counts[verdict]) for verdict in Verdict)]


def main(report: Path, page: Path, picture: Path) -> None:
    """Write the block of `page` and the picture from what a reproduction of all papers left in `report`."""
    board = json.loads((report / "scoreboard.json").read_text(encoding="utf-8"))
    shelf = [study for study in STUDIES if study.name != "across"]
    verdicts: dict[str, list[Verdict]] = {study.name: [] for study in shelf}
    claims: dict[str, list[Verdict]] = {study.name: [] for study in shelf}
    for row in board["rows"]:
        if row["study"] in verdicts:
            verdicts[row["study"]].append(Verdict(row["verdict"]))
            claims[row["study"]] += [Verdict(claim["verdict"]) for claim in row["claims"]]
    write_block(page, block(board))
    plots.save(drawn(shelf, verdicts, claims), picture, "png")


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
