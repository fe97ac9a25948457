# SPDX-License-Identifier: MIT OR Apache-2.0
"""X-04: the verdicts on the claims of all papers on one page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from bentpipe import plots
from bentpipe import study as st


def papers(studies: Iterable[st.Study]) -> list[st.Study]:
    return [study for study in studies if study.name != "across"]


@st.reads(
    id="X-04",
    place="across the papers",
    what="the scoreboard: every claim with its verdict",
    says="This is a count over five papers",
    last=True,
)
def read(runs: st.Runs) -> st.Finding:
    shelf, said = papers(runs.studies), runs.outcomes
    found = {study.name: {row.id: said[row.id] for row in study.rows if row.id in said} for study in shelf}
    claims = {
        name: [claim.verdict for outcome in rows.values() for claim in outcome.claims] for name, rows in found.items()
    }
    missing = {study.name: [row.id for row in study.rows if row.id not in said] for study in shelf}
    every = Counter(verdict for of_paper in claims.values() for verdict in of_paper)
    each = ", ".join(f"{verdict} {every[verdict]}" for verdict in st.Verdict if every[verdict])
    absent = sum(map(len, missing.values()))
    tail = f". {absent} rows have no result yet with this effort and build" if absent else ""
    return st.found(
        f"This row counts {every.total()} claims of the papers{f' ({each})' if each else ''}{tail}",
        table(shelf, claims, missing),
        *(claims_sheet(study, st.claim_lines(found[study.name])) for study in shelf if found[study.name]),
        *([st.Picture("Claims of each paper by verdict", drawn(shelf, claims))] if said else []),
        *[
            f"{study.title} has no outcome yet for {', '.join(missing[study.name])} (run bentpipe reproduce "
            f"{study.name})"
            for study in shelf
            if missing[study.name]
        ],
    )


def table(
    shelf: Sequence[st.Study], claims: Mapping[str, Sequence[st.Verdict]], missing: Mapping[str, Sequence[str]]
) -> st.Sheet:
    names = [study.name for study in shelf]
    body = [[*(claims[name].count(verdict) for verdict in st.Verdict), len(claims[name]), len(missing[name])]
            for name in names]  # fmt: skip
    body.append([sum(column) for column in zip(*body, strict=True)])
    head = ["paper", *(str(verdict) for verdict in st.Verdict), "all", "rows not there"]
    return st.Sheet(
        "claims by verdict",
        head,
        [[name, *map(str, counts)] for name, counts in zip([*names, "all"], body, strict=True)],
    )


def claims_sheet(study: st.Study, printed: Sequence[Sequence[str]]) -> st.Sheet:
    head = ("claim", "what we measured", "paper", "ours", "verdict")
    return st.Sheet(f"{study.name}: {study.title}", head, [line[:5] for line in printed])


def drawn(shelf: Sequence[st.Study], claims: Mapping[str, Sequence[st.Verdict]]) -> st.Figure:
    figure, (axis,) = plots.new(1, 1, width=9.0, height=0.42 * len(shelf) + 0.9)
    left = [0] * len(shelf)
    for verdict in st.Verdict:
        widths = [claims[study.name].count(verdict) for study in shelf]
        drawn = axis.barh(range(len(shelf)), widths, left=left, color=st.VERDICT_COLOURS[verdict], label=str(verdict))
        axis.bar_label(
            drawn, labels=[str(width) if width else "" for width in widths], label_type="center", fontsize="small"
        )
        left = [a + b for a, b in zip(left, widths, strict=True)]
    axis.set_yticks(range(len(shelf)), [study.name for study in shelf])
    axis.invert_yaxis()
    axis.grid(visible=False, axis="y")
    axis.set(xlabel="claims", xlim=(0, None))
    figure.legend(*axis.get_legend_handles_labels(), loc="outside upper center", ncols=6, fontsize="small")
    return figure
