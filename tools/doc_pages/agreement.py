# SPDX-License-Identifier: MIT OR Apache-2.0
"""Writes docs/emulator-agreement.md: `python -m doc_pages.agreement docs/emulator-agreement.md 5`.

`make emulator-agree` calls it. The number is that of runs with each controller. The script runs `bentpipe agree` with
the default controllers on each scenario of ``scenarios/agreement``, keeps the numbers and pictures in
``out/emulator-agreement``, and writes the table into the page, with a picture of all deviations. A scenario is not run
again if it has numbers of the same build, kernel and number of runs. The script needs root.
"""

from __future__ import annotations

import json
import platform
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import TypedDict

from bentpipe import _core, plots
from bentpipe.base import markdown
from bentpipe.cli.console import said

ROOT = Path(__file__).resolve().parent.parent.parent
SCENARIOS = sorted((ROOT / "scenarios" / "agreement").glob("*.toml"))
_OUT = ROOT / "out" / "emulator-agreement"
_COMMAND = "make emulator-agree"
_PICTURE = "img/emulator-agreement.png"
_HEAD = [
    "scenario",
    "controller",
    "goodput: simulator, Mbit/s",
    "emulator",
    "deviation, %",
    "RTT: simulator, ms",
    "emulator",
    "deviation, %",
    "lateness p99, µs",
    "verdict",
]
_LATE_SAMPLES = (
    "BBR keeps the largest of its bandwidth samples. Lateness makes some samples too large, so BBR sends slightly "
    "faster than the link, and a queue stands. With a random delay as large as the lateness "
    "(`jitter = { log_normal = { median = '10 us', sigma = 1.5 } }`: 99 % within 328 µs), the simulator's median round "
    "trip is 28.6 ms with handovers that hold packets, 27.9 ms with handovers that lose packets, and 98.7 ms with "
    "FQ-CoDel. With CUBIC and Reno, this delay changes the medians over the two paths with handovers by less than 1 %."
)
_SLOW_START = (
    "The losses of slow start set the window, and Reno then adds one segment per round trip, so a difference lasts for "
    "the 30 s of the run. Small shifts change these losses: if the flow starts 33 ms later, the simulator's median "
    "round trip is 88.2 ms instead of 98.4 ms. With a random delay as large as the lateness, it is 93.7 ms."
)
#: Reasons for deviations above the bound, by the file of the scenario and the controller. A deviation without a reason
#: is a defect, and the command fails.
EXPLAINED = {
    ("fq-codel-ecn", "bbr"): _LATE_SAMPLES,
    ("leo-hold", "bbr"): _LATE_SAMPLES,
    ("leo-lose", "bbr"): _LATE_SAMPLES,
    ("trace", "reno"): _SLOW_START,
}


class Run(TypedDict):
    """A run of a row."""

    idle_processors: float | None


class Row(TypedDict):
    """A row of `bentpipe agree --json`."""

    controller: str
    platform: str
    goodput_mbit_s: float | None
    rtt_p50_ms: float | None
    goodput_deviation_percent: float | None
    rtt_deviation_percent: float | None
    is_within: bool | None
    lateness_p99_us: float | None
    degraded_runs: int
    runs: list[Run]


class Answer(TypedDict):
    """The answer of `bentpipe agree --json`."""

    scenario: str
    within_percent: float
    rows: list[Row]
    assumptions: list[str]
    failed: list[object]


def _measured(file: Path, runs: int) -> Answer:
    """Return the numbers of a scenario, from an earlier call if they are of this build and kernel."""
    made_of = {
        "build": _core.build(),
        "kernel": platform.release(),
        "runs": runs,
        "scenario": tomllib.loads(file.read_text(encoding="utf-8")),
    }
    kept = _OUT / f"{file.stem}.json"
    if kept.exists():
        before = json.loads(kept.read_text(encoding="utf-8"))
        if before["of"] == made_of:
            found: Answer = before["answer"]
            return found
    kept.parent.mkdir(parents=True, exist_ok=True)
    picture = kept.with_suffix(".png")
    words = ["agree", str(file), "--runs", str(runs), "--json", "--picture", str(picture)]
    print(f"{file.stem}:", file=sys.stderr)
    done = subprocess.run([sys.executable, "-m", "bentpipe", *words], stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode not in (0, 1) or not done.stdout:
        sys.exit(done.returncode or 1)
    answer: Answer = json.loads(done.stdout)
    if answer["failed"]:
        sys.exit(1)  # the command has printed the errors
    kept.write_text(json.dumps({"of": made_of, "answer": answer}, indent=1) + "\n", encoding="utf-8")
    return answer


def emulated(answers: dict[str, Answer]) -> list[tuple[str, Row]]:
    """Returns the emulator's rows, each with the name of its scenario's file."""
    return [(name, row) for name, one in answers.items() for row in one["rows"] if row["platform"] == "emulator"]


def unexplained(answers: dict[str, Answer]) -> list[str]:
    """Returns the rows above the bound that have no reason."""
    every = emulated(answers)
    found = [(name, row["controller"]) for name, row in every if not row["is_within"]]
    return [", ".join(place) for place in found if place not in EXPLAINED]


def block(answers: dict[str, Answer], picture: str) -> str:
    """Return the table and the conditions of the measurement, as Markdown."""
    every = emulated(answers)
    within, open_ = sum(bool(row["is_within"]) for _, row in every), len(unexplained(answers))
    bound = next(iter(answers.values()))["within_percent"]
    reasons = list(
        dict.fromkeys(EXPLAINED.get((name, row["controller"]), "") for name, row in every if not row["is_within"])
    )
    reasons = [reason for reason in reasons if reason]
    rows = [_cells(name, answers[name], row, reasons) for name, row in every]
    lines = dict.fromkeys(line for answer in answers.values() for line in answer["assumptions"])
    runs = len(every[0][1]["runs"])
    idle = max(run["idle_processors"] or 0.0 for _, row in every for run in row["runs"])
    parts = [
        f"Written by `{_COMMAND} RUNS={runs}`: medians of {runs} runs. During each run, the processors were idle for "
        f"at most {100 * idle:.0f} % of the time.",
        f"**{within} of {len(rows)} rows are within {bound:g} %, {len(rows) - within - open_} are explained, "
        f"{open_} are open.**",
        markdown.table(_HEAD, rows, text_columns=2),
        "\n\n".join(f"[{number}] {reason}" for number, reason in enumerate(reasons, 1)),
        "\n".join(f"- {line}." for line in lines),
        f"![Deviation of goodput and round trip of each row]({picture})",
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def _cells(name: str, answer: Answer, row: Row, reasons: list[str]) -> list[str]:
    """Return a row of the table."""
    controller = row["controller"]
    base = next(one for one in answer["rows"] if one["platform"] == "sim" and one["controller"] == controller)
    reason = EXPLAINED.get((name, controller))
    verdict = "within" if row["is_within"] else "**above**"
    if reason in reasons and not row["is_within"]:
        verdict = f"explained [{reasons.index(reason) + 1}]"
    if row["degraded_runs"]:
        verdict += f", {row['degraded_runs']} of {len(row['runs'])} runs degraded"
    return [
        f"[{answer['scenario']}](../scenarios/agreement/{name}.toml)",
        controller,
        said(base["goodput_mbit_s"], ".3f"),
        said(row["goodput_mbit_s"], ".3f"),
        said(row["goodput_deviation_percent"], "+.1f"),
        said(base["rtt_p50_ms"], ".1f"),
        said(row["rtt_p50_ms"], ".1f"),
        said(row["rtt_deviation_percent"], "+.1f"),
        said(row["lateness_p99_us"], ".0f"),
        verdict,
    ]


@plots.styled
def _draw(answers: dict[str, Answer], target: Path) -> None:
    """Draw the deviations: goodput left, round trip right, a line per scenario, a colour per controller."""
    figure, axes = plots.new(1, 2, width=9.0, height=0.3 * len(answers) + 1.2, sharey=True)
    bound = next(iter(answers.values()))["within_percent"]
    places = {name: place for place, name in enumerate(answers)}
    every = emulated(answers)
    controllers = list(dict.fromkeys(row["controller"] for _, row in every))
    for number, controller in enumerate(controllers):
        rows = [(places[name] + 0.2 * (number - 1), row) for name, row in every if row["controller"] == controller]
        goodput = [(row["goodput_deviation_percent"], place) for place, row in rows]
        trip = [(row["rtt_deviation_percent"], place) for place, row in rows]
        for axis, points in zip(axes, (goodput, trip), strict=True):
            known = [(value, place) for value, place in points if value is not None]
            axis.plot(*zip(*known, strict=True), "o", markersize=4, label=controller)
    for axis, title in zip(axes, ("Goodput", "Median round trip"), strict=True):
        axis.axvspan(-bound, bound, color="#e8e8e8", linewidth=0, zorder=0)
        axis.set(title=title, xlabel="deviation of the emulator (%)")
    axes[0].set_yticks(range(len(answers)), [answer["scenario"] for answer in answers.values()])
    axes[0].invert_yaxis()
    plots.legend_of(figure, axes[0], "outside upper right", fontsize="small")
    target.parent.mkdir(parents=True, exist_ok=True)
    plots.save(figure, target, "png", 100)


def main() -> int:
    """Measure, and write the page. Return 1 if a deviation is neither small nor explained."""
    page, runs = Path(sys.argv[1]), int(sys.argv[2])
    answers = {file.stem: _measured(file, runs) for file in SCENARIOS}
    _draw(answers, page.parent / _PICTURE)
    markdown.write(page, block(answers, _PICTURE))
    open_ = unexplained(answers)
    for line in open_:
        print(f"above the bound, without a reason: {line}", file=sys.stderr)
    return 1 if open_ else 0


if __name__ == "__main__":
    sys.exit(main())
