# SPDX-License-Identifier: MIT OR Apache-2.0
"""Every example in the documentation runs and gives the output below it, and the reference is generated from the code.

A block of ``text`` directly below an example is the terminal's output (stdout and stderr). ``…`` means any words, or
any lines if it is alone on a line. Blank lines and rules do not count. A number may differ by 1 %, or by one in its
last printed digit. Sines and exponentials can differ between machines in the last bit, and a run amplifies this
difference.

If the simulation was changed on purpose, `pytest tests/project/test_docs.py -n 0 --accept` writes the current numbers
into the pages. Words stay unchanged: if a sentence contradicts the numbers, its author must change it.
"""

from __future__ import annotations

import contextlib
import difflib
import io
import itertools
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
import tomli_w

import bentpipe as bp
from bentpipe import cli
from bentpipe._sweep._document import read
from bentpipe._sweep._plan import Plan
from bentpipe._which._cases import read as ranged
from doc_pages import reference
from project import ROOT
from waiting import HANG_S

PAGES = [ROOT / "README.md", *sorted((ROOT / "docs" / "guide").glob("*.md"))]
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$(?:\n+```text\n(.*?)^```$)?", re.MULTILINE | re.DOTALL)
# A block that begins like this is a file next to the other examples of its page.
PROGRESS = re.compile(r"[a-z ]+: (\d+ of \d+|not counted yet), \d[\d.]* (s|min|h)$")
FILE = re.compile(r"# ([\w-]+\.(?:py|toml))\n")
# Examples that take long run only once, in the test of another file.
ELSEWHERE = {
    "bentpipe emulate scenarios/starlink-good.toml --with 'server=python3 -m http.server 8000' -- curl -O http://server:8000/file\n": "commands/test_emulate.py",  # noqa: E501 - as it is typed
    "bentpipe emulate scenarios/starlink-good.toml --with 'server=iperf3 -s' -- iperf3 -c server -R -t 5 -C bbr\n"
    "bentpipe emulate scenarios/starlink-good.toml --continue --with 'server=python3 -m http.server 8000' -- chromium --headless --no-sandbox --dump-dom http://server:8000/\n"  # noqa: E501, ISC - as it is typed
    "bentpipe emulate scenarios/starlink-good.toml --with 'server=bentpipe quic serve --listen 0.0.0.0:4433' -- bentpipe quic get --insecure --controller bbr3 https://server:4433/file\n": "commands/test_emulate.py",  # noqa: E501 - as it is typed
    "bentpipe agree scenarios/agreement/geo.toml --runs 1 --picture geo.png\n": "commands/test_agree.py",
    "bentpipe compare scenarios/geo-clean.toml --controllers all --seeds 1 --quick\n": "commands/test_cli.py",
    "bentpipe validate --quick\n": "studies/test_validate.py",
    "tshark -t r -r runs/bulk/captures/bulk.sender.pcapng -c 6\n": "captures/test_captures.py",
    "tshark -t e -o tcp.relative_sequence_numbers:FALSE -r runs/split/captures/page-part-2.sender.pcapng -c 5\n": "captures/test_captures.py",  # noqa: E501 - as it is typed
    "tshark -r runs/links/captures/links.pcapng -Y ip.id==9 -T fields -e frame.time_epoch -e frame.interface_name\n": "captures/test_captures.py",  # noqa: E501 - as it is typed
}
# Pages whose examples need no output or assertion, because another test compares their numbers.
HELD = {"README.md": "commands/test_cli.py", "papers.md": "studies/test_reproduce.py"}
# Pages whose examples load programs into the kernel: another test runs them where that is possible.
KERNEL = "kernel.md"  # commands/test_kernel.py
EXAMPLES = [
    pytest.param(page, language, text, shown, id=f"{page.name}-{number}-{language}")
    for page in PAGES
    for number, (language, text, shown) in enumerate(BLOCK.findall(page.read_text(encoding="utf-8")))
    # The documentation tests of the crate compile and run Rust examples.
    if "make " not in text and language != "rust" and text not in ELSEWHERE and page.name != KERNEL
]
NUMBER = re.compile(r"(?<![\w.])-?\d+(?:\.\d+)?(?:e[+-]?\d+)?(?![\w.]*\w)")


@pytest.fixture
def workplace(tmp_path: Path) -> Path:
    """Make a folder that an example can use like the repository."""
    for folder in ("scenarios", "data"):
        (tmp_path / folder).symlink_to(ROOT / folder)
    return tmp_path


@pytest.mark.parametrize(("page", "language", "text", "shown"), EXAMPLES)
def test_example(
    page: Path,
    language: str,
    text: str,
    shown: str,
    workplace: Path,
    monkeypatch: pytest.MonkeyPatch,
    request: pytest.FixtureRequest,
) -> None:
    def compare(said: str) -> None:
        if request.config.getoption("--accept"):
            example = f"```{language}\n{text}```"
            before, after = page.read_text(encoding="utf-8").split(example)
            page.write_text(before + example + after.replace(shown, renewed(said, shown), 1), encoding="utf-8")
        else:
            agrees(said, shown)

    for _, other, _ in BLOCK.findall(page.read_text(encoding="utf-8")):
        if name := FILE.match(other):
            (workplace / name[1]).write_text(other)
    monkeypatch.chdir(workplace)
    monkeypatch.syspath_prepend(workplace)
    if language == "toml":
        (workplace / "example.toml").write_text(text)
        if "[axes]" in text:
            assert Plan(read("example.toml")).values
        elif "[budget]" in text:
            assert bp.link_budget("example.toml")["states"]
        elif len(ranged("example.toml").cases) > 1:
            bp.run(tomli_w.dumps(ranged("example.toml").middle), duration="1 s")
        else:
            bp.run("example.toml", duration="1 s")
    elif ". .venv/bin/activate" in text:
        said = by_hand(text, workplace)
        if shown:
            compare(said)
    elif language == "python":
        namespace = {"__name__": "__main__"}
        terminal = io.StringIO()
        with contextlib.redirect_stdout(terminal), contextlib.redirect_stderr(terminal):
            exec(compile(text, page.name, "exec"), namespace)  # noqa: S102 - the guide's own code
        assert shown or "assert " in text or FILE.match(text) or page.name in HELD, "what shows that it works?"
        compare(terminal.getvalue())
    else:
        assert language == "sh", f"an example in {language} has no way to run"
        terminal = io.StringIO()
        with contextlib.redirect_stdout(terminal), contextlib.redirect_stderr(terminal):
            for line in text.splitlines():
                program, *words = shlex.split(line, comments=True)
                assert program == "bentpipe"
                assert cli.entry(words) == 0, terminal.getvalue()
                for option, value in itertools.pairwise(words):
                    assert option not in ("--out", "--czml", "--markdown") or Path(value).exists(), value
        assert shown or page.name in HELD, "what shows that it works?"
        compare(terminal.getvalue())


def by_hand(text: str, workplace: Path) -> str:
    """Return the output if a reader types the example in a separate shell."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    script = text.replace(". .venv/bin/activate\n", "")
    command = ["bash", "-euo", "pipefail", "-c", script]
    done = subprocess.run(
        command,
        cwd=workplace,
        env={**os.environ, "PATH": path},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=HANG_S,
    )
    assert done.returncode == 0, done.stdout
    return done.stdout


def agrees(said: str, shown: str) -> None:
    """Compare the output of an example with the page."""
    # A slow machine prints progress, one line in 10 s.
    lines = [line.rstrip() for line in said.splitlines() if line.strip(" ─") and not PROGRESS.match(line)]
    at = 0
    anywhere = False
    for wanted in (line.rstrip() for line in shown.splitlines() if line.strip(" ─")):
        if wanted == "…":
            anywhere = True
            continue
        found = next((n for n, line in enumerate(lines[at:], at) if same(line, wanted)), None)
        assert found is not None, f"not said after line {at}: {wanted!r}\n{said}"
        assert anywhere or found == at, f"{wanted!r} stands below line {at}: {lines[at]!r}\n{said}"
        at, anywhere = found + 1, False
    assert anywhere or not shown or at == len(lines), f"said besides: {lines[at:]}"


def same(line: str, wanted: str) -> bool:
    """Whether a line equals the wanted line: words and positions exactly, numbers nearly."""
    match = matched(line, wanted)
    return match is not None and all(near(*pair) for pair in zip(match.groups(), NUMBER.findall(wanted), strict=True))


def matched(line: str, wanted: str) -> re.Match[str] | None:
    """Return the numbers of a line that has the words of the wanted line."""
    # A number with another width moves the columns next to it.
    parts = [
        r"\s+".join(re.escape(word) for word in re.split(r" +", part)) for part in NUMBER.sub("\0", wanted).split("\0")
    ]
    return re.fullmatch(rf"({NUMBER.pattern})".join(part.replace("…", ".*?") for part in parts), line)


def renewed(said: str, shown: str) -> str:
    """Return the text of the page with the numbers of the current output. Parts that are left out (…) stay so.

    The lines of both texts are aligned by their words. Lines that also agree in numbers are preferred. A part between
    two lines of dots becomes the lines of the output from the first to the last aligned line.
    """
    lines = [line.rstrip() for line in said.splitlines()]
    wanted = shown.splitlines()
    if "" not in wanted:
        lines = [line for line in lines if line]
    pairs = aligned(wanted, lines)
    parts = []
    for dots, group in itertools.groupby(range(len(wanted)), lambda number: wanted[number] == "…"):
        section = list(group)
        found = [pairs[number] for number in section if number in pairs]
        if dots or not found:
            parts += [wanted[number] for number in section]
            continue
        short = {pairs[number]: wanted[number] for number in section if number in pairs and "…" in wanted[number]}
        start = 0 if section[0] == 0 else found[0]
        end = len(lines) if section[-1] == len(wanted) - 1 else found[-1] + 1
        parts += [
            with_numbers(short[number], lines[number]) if number in short else lines[number]
            for number in range(start, end)
        ]
    return "".join(part + "\n" for part in parts).rstrip("\n") + "\n"


def aligned(wanted: list[str], lines: list[str]) -> dict[int, int]:
    """Return pairs of increasing line numbers with the most similar words; none for lines less than half similar."""

    def alike(one: str, other: str) -> float:
        if not one.strip(" ─") or not other.strip(" ─") or one == "…":
            return 0.0
        if same(other, one.rstrip()):
            return 1.01
        words = [NUMBER.sub("#", line).split() for line in (one, other)]
        ratio = difflib.SequenceMatcher(None, *words, autojunk=False).ratio()
        if "…" in one and ratio < 0.9:
            ratio = 0.9 * float(matched(other, one.rstrip()) is not None)
        return ratio if ratio > 0.5 else 0.0

    scores = [[alike(one, other) for other in lines] for one in wanted]
    best = [[0.0] * (len(lines) + 1) for _ in range(len(wanted) + 1)]
    for row in range(len(wanted) - 1, -1, -1):
        for column in range(len(lines) - 1, -1, -1):
            score = scores[row][column]
            both = best[row + 1][column + 1] + score if score else 0.0
            best[row][column] = max(best[row + 1][column], best[row][column + 1], both)
    pairs = {}
    row = column = 0
    while row < len(wanted) and column < len(lines):
        score = scores[row][column]
        if score and best[row][column] == best[row + 1][column + 1] + score:
            pairs[row] = column
            row, column = row + 1, column + 1
        elif best[row][column] == best[row + 1][column]:
            row += 1
        else:
            column += 1
    return pairs


def with_numbers(wanted: str, line: str) -> str:
    """Return the line of a page, which may leave out words, with the numbers of the output."""
    match = matched(line, wanted.rstrip())
    if match is None:
        return wanted
    numbers = iter(match.groups())
    return NUMBER.sub(lambda _: next(numbers), wanted)


def near(one: str, other: str) -> bool:
    digits = len(other.partition(".")[2])
    last = 1.001 * 10.0**-digits if digits else 0.0
    return abs(float(one) - float(other)) <= max(0.01 * abs(float(other)), last)


@pytest.mark.parametrize(
    ("said", "shown", "fits"),
    [
        ("a 1.00 b\n", "a 1.01 b\n", True),
        ("a 1.00 b\n", "a 1.02 b\n", False),
        ("a  b\nc\nd\n", "a b\n…\nd\n", True),
        ("a\nc\n", "a\n", False),
        ("a\nc\n", "c\n", False),
        ("a 3 of 7 b\n", "a … b\n", True),
        ("a 3 of 7 c\n", "a … b\n", False),
        ("reno 12 met\n", "reno 12 not met\n", False),
        ("shell 12/7\n", "shell 12/8\n", False),
    ],
)
def test_the_comparison_can_fail(said: str, shown: str, fits: bool) -> None:
    with contextlib.nullcontext() if fits else pytest.raises(AssertionError):
        agrees(said, shown)


def test_renewing_keeps_what_the_page_leaves_out() -> None:
    shown = "head\nreno   12.0 of 20 … end\n…\nthe last 3 words\nthe other 4 of them\n"
    said = "head\nreno   9.51 of 20 and so on 7 end\nmore\nthe last 5 words\nthe other 6 of these\n"
    assert renewed(said, shown) == "head\nreno   9.51 of 20 … end\n…\nthe last 5 words\nthe other 6 of these\n"
    assert renewed("at 1 s\nat 2 s\n", "…\nat 2 s\n") == "…\nat 2 s\n"
    assert renewed("a b c\nnew\nx y z\nend of it\n", "a b c\nold\nx y z\n…\n") == "a b c\nnew\nx y z\n…\n"


@pytest.mark.parametrize("text", ELSEWHERE)
def test_what_runs_elsewhere_runs_there(text: str) -> None:
    assert f'"{text.strip()}"' in (ROOT / "tests" / ELSEWHERE[text]).read_text()
    assert any(text in page.read_text(encoding="utf-8") for page in PAGES)


@pytest.mark.parametrize("name", sorted(reference.PAGES))
def test_reference_is_the_codes(name: str) -> None:
    committed = (ROOT / "docs" / "reference" / name).read_text()
    assert committed == reference.PAGES[name](), "run `make docs` and commit docs/reference"


def test_rust_in_the_guide_is_tested_by_its_crate() -> None:
    included = (ROOT / "crates" / "control" / "src" / "lib.rs").read_text()
    for page in PAGES:
        if any(language == "rust" for language, *_ in BLOCK.findall(page.read_text())):
            assert f'include_str!("../../../{page.relative_to(ROOT)}")' in included


def text_of(page: Path) -> str:
    """Return a page without its blocks of code."""
    return re.sub(r"^(```|~~~).*?^\1$", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)


def anchors(page: Path) -> set[str]:
    """Return the anchors of a page's headings, as GitHub makes them, and the anchors that the page defines."""
    headings = re.findall(r"^#+ (.*)$", text_of(page), re.MULTILINE)
    plain = (re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading) for heading in headings)
    made = {re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-") for heading in plain}
    return made | set(re.findall(r'<a id="([^"]*)">', text_of(page)))


@pytest.mark.parametrize(
    "page",
    sorted({*PAGES, *ROOT.glob("*.md"), *(ROOT / "docs").glob("**/*.md")}),
    ids=lambda page: str(page.relative_to(ROOT)),
)
def test_links_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)\s]+)\)", text_of(page)):
        if not target.startswith("http"):
            path, _, anchor = target.partition("#")
            there = (page.parent / path).resolve() if path else page
            assert there.exists(), target
            assert not anchor or there.suffix != ".md" or anchor in anchors(there), target


def test_glossary_is_in_alphabetical_order() -> None:
    _, *entries = (ROOT / "GLOSSARY.md").read_text(encoding="utf-8").strip().split("\n\n")
    terms = [entry.removeprefix("**").split("**")[0] for entry in entries]
    assert all(entry.startswith("**") for entry in entries), "an entry is a paragraph that begins with its term"
    # Only letters and digits count: "C/N" is between "Cell" and "CoDel".
    letters = [re.sub(r"[^a-z0-9]", "", term.lower()) for term in terms]
    assert [pair for pair in itertools.pairwise(letters) if pair[0] >= pair[1]] == []
    assert len(letters) > 100
