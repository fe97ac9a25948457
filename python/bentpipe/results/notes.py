# SPDX-License-Identifier: MIT OR Apache-2.0
"""What stands beside the numbers of runs: their findings, what the path was like, whose TCP ran."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from bentpipe.results.summary_types import Finding
    from bentpipe.runs.run import Run


def path_lines(notes: Mapping[str, Sequence[str]]) -> list[str]:
    """What runs of one scenario say of their path, for all controllers: `path_notes` of summaries, by seed ("seed 5").

    A note that all runs have is listed once. Where seeds differ (rain), the notes of the first that differs are listed.
    """
    alike = [line for line in next(iter(notes.values()), ()) if all(line in some for some in notes.values())]
    others = {seed: [line for line in some if line not in alike] for seed, some in notes.items()}
    others = {seed: some for seed, some in others.items() if some}
    if not others:
        return alike
    seed, told = next(iter(others.items()))
    return [*alike, *(f"{line} ({seed}; such notes in {len(others)} of {len(notes)})" for line in told)]


def finding_lines(runs: Sequence[Run]) -> list[str]:
    """The findings of runs of one scenario and controller: the worst of each flow and kind, and in how many runs.

    A line holds its finding's kind, text and seed.
    """
    worst: dict[tuple[int, str], tuple[Finding, int]] = {}
    count: dict[tuple[int, str], int] = {}
    for run in runs:
        for finding in run.findings:
            key: tuple[int, str] = finding["flow"], finding["kind"]
            count[key] = count.get(key, 0) + 1
            if key not in worst or finding["magnitude"] > worst[key][0]["magnitude"]:
                worst[key] = finding, run.provenance["seed"]
    lines = []
    for key, (finding, seed) in sorted(worst.items()):
        line = f"{finding['kind']}: {finding['text']}"
        if len(runs) > 1:
            line += f" (seed {seed}; the worst of {count[key]} in {len(runs)} runs)"
        lines.append(line)
    return lines


def kind_lines(runs: Sequence[Sequence[Finding]]) -> list[str]:
    """The findings of many runs, a line for each kind: the first message, and how many runs have that kind."""
    first: dict[str, str] = {}
    count: dict[str, int] = {}
    for findings in runs:
        for kind, text in {finding["kind"]: finding["text"] for finding in reversed(findings)}.items():
            first.setdefault(kind, text)
            count[kind] = count.get(kind, 0) + 1
    return [f"{kind}: {text} ({count[kind]} of {len(runs)} runs)" for kind, text in sorted(first.items())]


def tcp_lines(runs: Iterable[Run]) -> list[str]:
    """Whose TCP ran: one line for each that did."""
    said = (flow.get("tcp") for run in runs for flow in run.summary["flows"])
    return [f"TCP: {whose}" for whose in dict.fromkeys(said) if whose]
