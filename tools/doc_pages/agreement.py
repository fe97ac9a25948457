# SPDX-License-Identifier: MIT OR Apache-2.0
"""Writes docs/emulator-agreement.md and docs/kernel-agreement.md: `python -m doc_pages.agreement PAGE 5 1`.

`make emulator-agree` and `make kernel-agree` call it. The numbers are the runs with each controller, and the
comparisons at a time. The script runs `bentpipe agree` on the scenarios of the page, keeps the numbers in ``out/``, and
writes the tables into the page, with pictures. A scenario is not run again if it has numbers of the same build, kernel
and number of runs. A comparison with a degraded run is repeated once. The script needs root.
"""

from __future__ import annotations

import hashlib
import json
import platform
import shutil
import subprocess
import sys
import tomllib
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, TypedDict

import numpy as np

from bentpipe import _core, plots
from bentpipe.base import markdown
from bentpipe.cli.console import said
from bentpipe.plots import column
from bentpipe.runs.run import load

if TYPE_CHECKING:
    from collections.abc import Iterable

ROOT = Path(__file__).resolve().parent.parent.parent
_BPF = ROOT / "bpf"
_SCENARIOS = ROOT / "scenarios" / "agreement"
#: Number of attempts at a comparison in which a run is degraded.
_ATTEMPTS = 2
#: Largest deviation in the picture with a line for each controller, in percent.
_SHOWN = 40.0
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
_JITTER = "With a random delay as large as the lateness (log-normal, median 10 µs, σ = 1.5), "
_SAMPLES = (
    "While a loss is repaired, the kernel has no sample of the round trip, and the simulator has. The windows agree. "
    "In the intervals in which both platforms have a sample, the median deviates by 0.3 %."
)
_SPACING = (
    "Hybla-IM compares with the smallest spacing of acknowledgements of 10 s. Late packets arrive in pairs, and one "
    "pair makes this spacing almost zero. Hybla-IM then grows as Hybla. "
    + _JITTER
    + "the simulator does the same: its median round trip is 1102.8 ms over GEO, 1003.4 ms over GEO with losses, "
    "42.1 ms over LEO, and 98.3 ms on the trace."
)
_BACKLOG = (
    "Vegas keeps one to three segments in the queue, 0.6 to 1.8 ms at 20 Mbit/s, so it takes lateness for a queue. "
    + _JITTER
    + "the simulator's goodput with vegas, vegas_w and vegas_w_paper is 17.2, 17.8 and 17.8 Mbit/s."
)
_PAIRS = (
    "Westwood's filter (2001) multiplies the rate of an acknowledgement by the interval after it, so one pair of "
    "acknowledgements some microseconds apart counts for a millisecond. The estimate is far too large, and losses do "
    "not reduce the window. In the simulator, a delivery's acknowledgements have the same time and count as one. "
    + _JITTER
    + "the simulator has 51.3 Mbit/s and 117.9 ms with westwood, and 51.6 Mbit/s and 121.6 ms with vegas_w."
)
_LATE_VEGAS = _JITTER + "the simulator has 3.34 Mbit/s and 26.7 ms."
_LATE_HYBLA = _JITTER + "the simulator's median round trip is 95.9 ms, and its goodput is 51.7 Mbit/s."
_LATE_BBR3 = _JITTER + "the simulator's median round trip is 23.6 ms over LEO, and 56.4 ms on the trace."
_LATE_LEOCC = _JITTER + "the simulator's median round trip is 22.0 ms over LEO, and 37.2 ms on the trace."
_MODES = (
    "In its competitive mode, Copa fills the queue, and the queue keeps Copa in this mode. Small shifts decide how "
    "long the mode lasts. If the flow starts 0 to 333 ms later, the simulator's median round trip over LEO is 15.5 "
    "to 38.3 ms. With a random delay as large as the lateness, it is 114 to 320 ms over Iridium (40 seeds). On the "
    "trace, it is 28 to 56 ms, and the goodput is 29.1 to 45.8 Mbit/s (24 seeds)."
)
_FEW_LOSSES = (
    "Few losses decide the run. With the seeds 1 to 5, the simulator's median round trip is 658 to 911 ms (GEO, PER "
    "1e-4), and its goodput is 3.01 to 4.43 Mbit/s (PER 1e-3)."
)
_START = (
    "The losses of slow start set the window for the run. If the flow starts 33 or 70 ms later, the simulator's median "
    "round trip is 77.8 or 74.4 ms instead of 83.4 ms."
)
#: Reasons for deviations above the bound, by the file of the scenario and the controller. A deviation without a reason
#: is a defect, and the command fails.
EXPLAINED = {
    ("fq-codel-ecn", "bbr"): _LATE_SAMPLES,
    ("leo-hold", "bbr"): _LATE_SAMPLES,
    ("leo-lose", "bbr"): _LATE_SAMPLES,
    ("trace", "reno"): _SLOW_START,
    ("trace", "bbr"): _LATE_SAMPLES,
    **{(name, "bbr3"): _LATE_BBR3 for name in ("leo-lose", "trace")},
    **{(name, "copa"): _MODES for name in ("leo-lose", "iridium", "trace")},
    **{(name, "leocc"): _LATE_LEOCC for name in ("leo-lose", "trace")},
    ("geo", "h_tcp"): _SAMPLES,
    **{(name, "hybla_im"): _SPACING for name in ("geo", "geo-losses", "leo-lose", "trace")},
    ("trace", "hybla"): _LATE_HYBLA,
    **{("codel-ecn", controller): _BACKLOG for controller in ("vegas", "vegas_w", "vegas_w_paper")},
    **{("trace", controller): _PAIRS for controller in ("westwood", "vegas_w", "vegas_w_paper")},
    ("trace", "vegas"): _LATE_VEGAS,
    ("geo-losses", "cubic"): _FEW_LOSSES,
    ("hybic/many-losses", "cubic"): _FEW_LOSSES,
    ("trace", "a_liad_safe"): _START,
}


@dataclass(frozen=True)
class Section:
    """A table of a page.

    Attributes:
        title: Heading; empty for the only section of a page.
        scenarios: Names of the scenarios, below ``scenarios/agreement`` and without the ending.
        choices: Options of `bentpipe agree` that choose controllers. Comparisons with different choices may run at a
            time.
    """

    title: str
    scenarios: tuple[str, ...]
    choices: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class Page:
    """A page that compares the simulator with the emulator.

    Attributes:
        name: Name of the page and of its folder below ``out``.
        command: Command that writes the page.
        sections: The tables. The pictures show the first.
        by_controller: Whether the rows of the picture of deviations are controllers, and not scenarios.
        has_windows: Whether a second picture shows the windows of each controller.
    """

    name: str
    command: str
    sections: tuple[Section, ...]
    by_controller: bool = False
    has_windows: bool = False

    @property
    def folder(self) -> Path:
        """The folder of the kept numbers."""
        return ROOT / "out" / self.name


def _chosen(option: str, *names: str) -> tuple[tuple[str, ...], ...]:
    """Return a choice for each name."""
    return tuple((option, name) for name in names)


_OF_LINUX = _chosen("--controllers", "cubic", "bbr", "reno")
_OF_PAPERS = _chosen(
    "--load", "hybic", "hybla_im", "a_liad_paper", "a_liad_safe", "vegas_w", "vegas_w_paper", "geo_reno"
)
_OTHERS = _chosen("--load", "hybla", "vegas", "westwood", "h_tcp", "illinois", "bic", "copa", "bbr3", "leocc")
#: Scenarios without a signal that a controller needs, by the controller's name, and the signal.
_LACKING = {"geo_reno": (("geo", "geo-losses", "codel-ecn", "trace"), "a distance between the endpoints")}
_EVERY = tuple(sorted(path.stem for path in _SCENARIOS.glob("*.toml")))
PAGES = {
    page.name: page
    for page in (
        Page("emulator-agreement", "make emulator-agree", (Section("", _EVERY, ((),)),)),
        Page(
            "kernel-agreement",
            "make kernel-agree",
            (
                Section(
                    "Each controller",
                    ("geo", "geo-losses", "leo-lose", "iridium", "codel-ecn", "trace"),
                    (*_OF_PAPERS, *_OTHERS, *_OF_LINUX),
                ),
                Section(
                    "HYBIC: losses, several flows, queue management",
                    tuple(f"hybic/{name}" for name in ("losses", "many-losses", "five", "five-codel", "five-fq-codel")),
                    (*_chosen("--load", "hybic", "hybla"), *_chosen("--controllers", "cubic")),
                ),
            ),
            by_controller=True,
            has_windows=True,
        ),
    )
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


def _measured(page: Page, scenario: str, choice: tuple[str, ...], runs: int) -> Answer:
    """Return the numbers of a comparison, from an earlier call if they are of this build and kernel."""
    file = _SCENARIOS / f"{scenario}.toml"
    made_of = {
        "build": _core.build(),
        "kernel": platform.release(),
        "runs": runs,
        "scenario": tomllib.loads(file.read_text(encoding="utf-8")),
    }
    if choice[:1] == ("--load",):
        made_of["controller"] = _digest(choice[1])
    kept = page.folder / f"{'-'.join([scenario.replace('/', '-'), *choice[1:]])}.json"
    if kept.exists():
        before = json.loads(kept.read_text(encoding="utf-8"))
        if before["of"] == made_of:
            found: Answer = before["answer"]
            return found
    kept.parent.mkdir(parents=True, exist_ok=True)
    folder = kept.with_suffix("")
    words = ["agree", str(file), *choice, "--runs", str(runs), "--json", "--picture", str(kept.with_suffix(".png"))]
    for _ in range(_ATTEMPTS):
        print(f"{kept.stem}:", file=sys.stderr)
        # Simulated runs of this build are not repeated.
        for emulated_run in folder.glob("*-emulator-*"):
            shutil.rmtree(emulated_run)
        command = [sys.executable, "-m", "bentpipe", *words, *(["--out", str(folder)] if page.has_windows else [])]
        done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)
        if done.returncode not in (0, 1) or not done.stdout:
            sys.exit(done.returncode or 1)
        answer: Answer = json.loads(done.stdout)
        if answer["failed"]:
            sys.exit(1)  # the command has printed the errors
        if not any(row["degraded_runs"] for row in answer["rows"]):
            break
    kept.write_text(json.dumps({"of": made_of, "answer": answer}, indent=1) + "\n", encoding="utf-8")
    return answer


def _digest(name: str) -> str:
    """Return the SHA-256 digest of a controller's source."""
    files = [_BPF / f"{name}.bpf.c", *sorted((_BPF / "include").glob("*.h"))]
    return hashlib.sha256(b"".join(file.read_bytes() for file in files)).hexdigest()


def _measured_section(page: Page, section: Section, runs: int, at_a_time: int) -> dict[str, Answer]:
    """Return the numbers of a section, by scenario. Comparisons of one choice run one after another."""

    def of(choice: tuple[str, ...]) -> dict[str, Answer]:
        possible = [scenario for scenario in section.scenarios if not _lacks(choice, scenario)]
        return {scenario: _measured(page, scenario, choice, runs) for scenario in possible}

    with ThreadPoolExecutor(at_a_time) as pool:
        by_choice = list(pool.map(of, section.choices))
    return {
        scenario: _joined([answers[scenario] for answers in by_choice if scenario in answers])
        for scenario in section.scenarios
    }


def _lacks(choice: tuple[str, ...], scenario: str) -> bool:
    """Return whether a controller cannot run in a scenario."""
    return any(scenario in _LACKING[name][0] for name in choice[1:] if name in _LACKING)


def _joined(answers: list[Answer]) -> Answer:
    """Return the rows and assumptions of several comparisons of one scenario."""
    return {
        **answers[0],
        "rows": [row for answer in answers for row in answer["rows"]],
        "assumptions": list(dict.fromkeys(line for answer in answers for line in answer["assumptions"])),
    }


def emulated(answers: dict[str, Answer]) -> list[tuple[str, Row]]:
    """Returns the emulator's rows, each with the name of its scenario's file."""
    return [(name, row) for name, one in answers.items() for row in one["rows"] if row["platform"] == "emulator"]


def unexplained(answers: dict[str, Answer]) -> list[str]:
    """Returns the rows above the bound that have no reason."""
    every = emulated(answers)
    found = [(name, row["controller"]) for name, row in every if not row["is_within"]]
    return [", ".join(place) for place in found if place not in EXPLAINED]


def block(page: Page, measured: dict[str, dict[str, Answer]], pictures: list[str]) -> str:
    """Return the tables and the conditions of the measurement, as Markdown.

    Args:
        page: The page.
        measured: The numbers of each section, by its title.
        pictures: Lines with pictures.
    """
    answers = {name: answer for one in measured.values() for name, answer in one.items()}
    every = emulated(answers)
    within, open_ = sum(bool(row["is_within"]) for _, row in every), len(unexplained(answers))
    bound = next(iter(answers.values()))["within_percent"]
    reasons = list(
        dict.fromkeys(EXPLAINED.get((name, row["controller"]), "") for name, row in every if not row["is_within"])
    )
    reasons = [reason for reason in reasons if reason]
    lines = _merged(line for answer in answers.values() for line in answer["assumptions"])
    runs = len(every[0][1]["runs"])
    idle = max(run["idle_processors"] or 0.0 for _, row in every for run in row["runs"])
    parts = [
        f"Written by `{page.command} RUNS={runs}`: {'one run each' if runs == 1 else f'medians of {runs} runs'}. "
        f"During each run, the processors were idle for at most {100 * idle:.0f} % of the time.",
        f"**{within} of {len(every)} rows are within {bound:g} %, {len(every) - within - open_} are explained, "
        f"{open_} are open.**",
    ]
    for title, own in measured.items():
        rows = [_cells(name, own[name], row, reasons) for name, row in emulated(own)]
        parts += [f"### {title}" if title else "", markdown.table(_HEAD, rows, text_columns=2)]
    parts += [
        "\n\n".join(f"[{number}] {reason}" for number, reason in enumerate(reasons, 1)),
        "\n".join(f"- {line}." for line in [*lines, *_absent(measured)]),
        *pictures,
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def _merged(lines: Iterable[str]) -> list[str]:
    """Return each line once. Lines on the simulator that differ in the controllers are one line."""
    controllers: dict[str, dict[str, None]] = {}
    for line in lines:
        head, _, named = line.rpartition("; ") if line.startswith("simulator:") else (line, "", "")
        controllers.setdefault(head, {}).update(dict.fromkeys(named.split(", ") if named else []))
    return [f"{head}; {', '.join(named)}" if named else head for head, named in controllers.items()]


def _absent(measured: dict[str, dict[str, Answer]]) -> list[str]:
    """Return why rows are missing."""
    present = {row["controller"] for own in measured.values() for _, row in emulated(own)}
    return [
        f"{name} needs {what}, which the other scenarios do not have"
        for name, (_, what) in _LACKING.items()
        if name in present
    ]


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
def _draw_deviations(page: Page, answers: dict[str, Answer], target: Path) -> None:
    """Draw the deviations: goodput left, round trip right, a line per scenario or controller, colours for the other."""
    names = {name: answer["scenario"] for name, answer in answers.items()}
    points = [
        ((row["controller"], names[name]) if page.by_controller else (names[name], row["controller"]), row)
        for name, row in emulated(answers)
    ]
    lines, colours = (list(dict.fromkeys(keys[at] for keys, _ in points)) for at in (0, 1))
    figure, axes = plots.new(1, 2, width=9.0, height=0.3 * len(lines) + 1.2, sharey=True)
    bound = next(iter(answers.values()))["within_percent"]
    limit = _SHOWN if page.by_controller else float("inf")
    beyond = f"; beyond ±{limit:g} at the edge" if page.by_controller else ""
    for number, colour in enumerate(colours):
        shift = 0.6 * (number / max(1, len(colours) - 1) - 0.5)
        own = [(lines.index(keys[0]) + shift, row) for keys, row in points if keys[1] == colour]
        goodput = [(row["goodput_deviation_percent"], place) for place, row in own]
        trip = [(row["rtt_deviation_percent"], place) for place, row in own]
        for axis, pairs in zip(axes, (goodput, trip), strict=True):
            known = [(max(-limit, min(value, limit)), place) for value, place in pairs if value is not None]
            axis.plot(*zip(*known, strict=True), "o", markersize=4, label=colour)
    for axis, title in zip(axes, ("Goodput", "Median round trip"), strict=True):
        axis.axvspan(-bound, bound, color="#e8e8e8", linewidth=0, zorder=0)
        axis.set(title=title, xlabel=f"deviation of the emulator (%{beyond})")
    axes[0].set_yticks(range(len(lines)), lines)
    axes[0].invert_yaxis()
    plots.legend_of(figure, axes[0], "outside upper right", fontsize="small")
    target.parent.mkdir(parents=True, exist_ok=True)
    plots.save(figure, target, "png", 100)


@plots.styled
def _draw_windows(page: Page, section: Section, answers: dict[str, Answer], target: Path) -> None:
    """Draw the windows of both platforms: a row for each controller, a column for each scenario."""
    columns = len(section.scenarios)
    figure, axes = plots.new(len(section.choices), columns, width=2.1 * columns, height=1.15, sharex="col")
    for number, axis in enumerate(axes):
        choice, scenario = section.choices[number // columns], section.scenarios[number % columns]
        if number % columns == 0:
            axis.set_ylabel(choice[1], fontsize="small")
        axis.tick_params(labelsize="x-small")
        if _lacks(choice, scenario):
            axis.tick_params(bottom=False, left=False, labelleft=False)
            axis.grid(visible=False)
            axis.spines[:].set_visible(False)
            continue
        top = 0.0
        folder = page.folder / "-".join([scenario.replace("/", "-"), *choice[1:]])
        for kind, colour, width in (("emulator", "#8a8a8a", 2.2), ("sim", plots.COLOURS[1], 1.0)):
            table = load(folder / f"{choice[1]}-{kind}-s1").flows.arrow
            windows = column(table, "cwnd_segments")
            known = windows > 0
            label = {"emulator": "kernel, over the emulator", "sim": "simulator"}[kind]
            axis.plot(column(table, "time_s")[known], windows[known], color=colour, linewidth=width, label=label)
            # The window of a slow start that overshoots hides all else.
            top = max(top, 1.4 * float(np.quantile(windows[known], 0.95)))
        axis.set(ylim=(0, top), xlim=(0, None))
        if number < columns:
            axis.set_title(answers[scenario]["scenario"], fontsize="small")
    figure.supylabel("window (segments)", fontsize="small")
    figure.supxlabel("s", fontsize="small")
    plots.legend_of(figure, axes[0], "outside upper right", fontsize="small")
    plots.save(figure, target, "png", 100)


def main() -> int:
    """Measure, and write the page. Return 1 if a deviation is neither small nor explained."""
    target, runs, at_a_time = Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
    page = PAGES[target.stem]
    measured = {one.title: _measured_section(page, one, runs, at_a_time) for one in page.sections}
    first = page.sections[0]
    picture = f"img/{page.name}.png"
    _draw_deviations(page, measured[first.title], target.parent / picture)
    pictures = [f"![Deviation of goodput and round trip of each row]({picture})"]
    if page.has_windows:
        windows = f"img/{page.name}-windows.png"
        _draw_windows(page, first, measured[first.title], target.parent / windows)
        pictures.append(f"![Windows of each controller on both platforms, in each scenario]({windows})")
    markdown.write(target, block(page, measured, pictures))
    open_ = [line for one in measured.values() for line in unexplained(one)]
    for line in open_:
        print(f"above the bound, without a reason: {line}", file=sys.stderr)
    return 1 if open_ else 0


if __name__ == "__main__":
    sys.exit(main())
