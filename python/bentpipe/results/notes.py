# SPDX-License-Identifier: MIT OR Apache-2.0
"""Notes for readers of the numbers: findings, properties of the path, TCP presets."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from bentpipe.results.summary_types import Finding
    from bentpipe.runs.run import Run


#: A number with its unit. Advice that differs only in numbers is merged.
_NUMBER = re.compile(r"\d[\d.,]*(?: ?(?:[kMGT]?(?:bit/s|B)|[nmu]?s|min|h)\b)?")
#: Largest number of flows with the same kind and fix of findings that each have a line.
_FLOWS = 3


def path_lines(notes: Mapping[str, Sequence[str]]) -> list[str]:
    """Return the notes on the path of one scenario's runs. `notes` has `path_notes` of summaries by seed ("seed 5").

    A note that all runs have is listed once. If seeds differ (for example by rain), the notes of the first seed with
    other notes are listed.
    """
    alike = [line for line in next(iter(notes.values()), ()) if all(line in some for some in notes.values())]
    others = {seed: [line for line in some if line not in alike] for seed, some in notes.items()}
    others = {seed: some for seed, some in others.items() if some}
    if not others:
        return alike
    seed, told = next(iter(others.items()))
    return [*alike, *(f"{line} ({seed}; seeds with such notes: {len(others)} of {len(notes)})" for line in told)]


def handover_line(runs: Iterable[Run]) -> str:
    """Return a line with the fewest and most handovers of a flow's path in a run; empty without a constellation."""
    counts = [count for run in runs for flow in run.summary["flows"] if (count := flow.get("handovers")) is not None]
    if not counts:
        return ""
    least, most = min(counts), max(counts)
    return f"handovers of the path of a flow in a run: {least if least == most else f'{least} to {most}'}"


def finding_lines(runs: Sequence[Run]) -> list[str]:
    """Return the worst finding of each flow and kind, over the runs of one scenario and controller.

    A line has the kind, text and seed of the finding, and the number of runs. The fix of the worst finding also fixes
    the other findings. If many flows have findings with the same kind and fix, only the worst flow has a line.
    """
    worst: dict[tuple[int, str], tuple[Finding, int]] = {}
    count: dict[tuple[int, str], int] = {}
    for run in runs:
        for finding in run.findings:
            key: tuple[int, str] = finding["flow"], finding["kind"]
            count[key] = count.get(key, 0) + 1
            if key not in worst or badness(finding) > badness(worst[key][0]):
                worst[key] = finding, run.provenance["seed"]
    alike: dict[tuple[str, str], list[tuple[int, str]]] = {}
    for key in sorted(worst):
        alike.setdefault((key[1], _advice(worst[key][0]["text"])), []).append(key)
    lines = []
    for key, (finding, seed) in sorted(worst.items()):
        same = alike[key[1], _advice(finding["text"])]
        about = [f"seed {seed}"] if len(runs) > 1 else []
        if len(same) > _FLOWS:
            if key != max(same, key=lambda one: (badness(worst[one][0]), -one[0])):
                continue
            about.append(f"the worst of {len(same)} flows{f' in {len(runs)} runs' if len(runs) > 1 else ''}")
        elif len(runs) > 1:
            about.append(f"the worst of {count[key]} in {len(runs)} runs")
        notes = f" ({'; '.join(about)})" if about else ""
        lines.append(f"{finding['kind']}: {finding['text']}{notes}")
    return lines


def badness(finding: Finding) -> float:
    """Return the severity of a finding within its kind. For a flow measured too briefly, it is one round trip in s."""
    magnitude = finding["magnitude"]
    if finding["kind"] != "too-short":
        return magnitude
    return finding["lasted_s"] / magnitude if magnitude > 0.0 else math.inf


def by_advice(findings: Iterable[Finding]) -> dict[tuple[str, str], tuple[float, str]]:
    """Return the severity and text of the worst finding of a run, by kind and fix (without numbers)."""
    return _worst((one["kind"], one["text"], badness(one)) for one in findings)


def _worst(lines: Iterable[tuple[str, str, float]]) -> dict[tuple[str, str], tuple[float, str]]:
    found: dict[tuple[str, str], tuple[float, str]] = {}
    for kind, text, bad in lines:
        key = kind, _advice(text)
        if key not in found or bad > found[key][0]:
            found[key] = bad, text
    return found


def _advice(text: str) -> str:
    """Return the fix in a finding, without numbers; empty if the finding has no fix."""
    start = max(text.rfind("(write "), text.rfind(": write "))
    return _NUMBER.sub("#", text[start:]) if start >= 0 else ""


def without_advice(finding: Finding) -> Finding:
    """Return a finding without its fix, for a run of a scenario that the user did not write."""
    text = finding["text"]
    start, inside = text.rfind(" (write "), text.rfind(": write ")
    if start >= 0:
        return {**finding, "text": text[:start]}
    return {**finding, "text": f"{text[:inside]})"} if inside >= 0 else finding


def worst_lines(runs: Iterable[Iterable[tuple[str, str, float]]]) -> list[str]:
    """Return a line for each kind and fix of findings of many runs: the worst finding, and the number of runs.

    Args:
        runs: For each run its findings: kind, text and severity (`badness`).
    """
    worst: dict[tuple[str, str], tuple[float, str]] = {}
    count: dict[tuple[str, str], int] = {}
    whole = 0
    for lines in runs:
        whole += 1
        for key, (bad, text) in _worst(lines).items():
            count[key] = count.get(key, 0) + 1
            if key not in worst or bad > worst[key][0]:
                worst[key] = bad, text
    return [
        f"{key[0]}: {text} ({'the worst of ' if count[key] > 1 else ''}{count[key]} in {whole} runs)"
        for key, (_, text) in sorted(worst.items())
    ]


def kind_lines(runs: Sequence[Sequence[Finding]]) -> list[str]:
    """Return a line for each kind and fix of findings of many runs: the worst finding, and the number of runs."""
    return worst_lines([(one["kind"], one["text"], badness(one)) for one in findings] for findings in runs)


def tcp_lines(runs: Iterable[Run]) -> list[str]:
    """Return a line for each TCP preset of the runs."""
    said = (flow.get("tcp") for run in runs for flow in run.summary["flows"])
    return [f"TCP: {whose}" for whose in dict.fromkeys(said) if whose]
