# SPDX-License-Identifier: MIT OR Apache-2.0
"""Find forbidden phrases and long sentences in the text that users and contributors read.

Texts are Markdown pages, string literals (messages, headings, help) of Rust, Python and TypeScript, documentation
comments of Rust and TypeScript, and docstrings of Python. Tests, generated files and data are left out.

    python tools/prose.py             # forbidden phrases, one per line
    python tools/prose.py --long 30   # and sentences of more than 30 words
"""

from __future__ import annotations

import argparse
import ast
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parent.parent

#: Forbidden phrases, and their replacements.
FORBIDDEN = {
    r"\bso many\b": "the number of …, N",
    r"\bso long as\b": "while, if",
    r"\banew\b": "again",
    r"\bbesides\b": "also, in addition to, except",
    r"\bwhoever\b": "a user who, a flow that",
    r"\bwho(?:se)? does? not\b": "name the subject",
    r"\bshall\b": "must, will",
    r"\bbut for\b": "except",
    r"\b(?:is|are) to be had\b": "is available",
    r"\bto the letter\b": "literally, exactly as printed",
    r"\bcomes? whole\b": "arrives complete",
    r"\bgives? way\b": "yields, is replaced",
    r"\bstands? in for\b": "replaces",
    r"(?<!there )\b(?:is|was) no (?!(?:longer|more|other|such)\b)(?!\w+ (?:than|to|of|in|at|for|on)\b)\w+": "is not a",
    r"\bis no longer one\b": "is not a … any more",
    r"\bcome what may\b": "always",
    r"\bit is told\b": "a message says",
    r"\b(?:is|are) told (?:so|of)\b": "a message says",
    r"\bby the book\b": "as the RFC says",
    r"\bas ever\b": "as before",
    r"\bhitherto\b": "so far",
    r"\bthereof\b": "of it",
    r"\bof its own accord\b": "by itself",
}
_FORBIDDEN = [(re.compile(pattern, re.IGNORECASE), better) for pattern, better in FORBIDDEN.items()]


class Text(NamedTuple):
    """A piece of text and its place."""

    file: Path
    line: int
    text: str


def _markdown(file: Path) -> Iterator[Text]:
    fenced = False
    start, lines = 1, list[str]()
    for number, line in enumerate([*file.read_text("utf-8").splitlines(), ""], 1):
        fence = line.lstrip().startswith("```")
        fenced ^= fence
        if fence or fenced or not line.strip() or re.match(r"\s*([-*|#>]|\d+\.)", line):
            if lines:
                yield Text(file, start, " ".join(lines))
            lines = []
            if not fence and not fenced and line.strip():
                start, lines = number, [re.sub(r"^\s*([-*#>]+|\d+\.)\s*", "", line)]
        else:
            start = start if lines else number
            lines.append(line.strip())


_DOC = re.compile(r"^\s*//[/!] ?(.*)$")
_RUST_STRING = re.compile(r'"((?:[^"\\]|\\.)*)"', re.DOTALL)


def _comments(file: Path, text: str) -> Iterator[Text]:
    start, lines = 1, list[str]()
    for number, line in enumerate([*text.splitlines(), ""], 1):
        found = _DOC.match(line)
        if found and found.group(1).strip():
            start = start if lines else number
            lines.append(found.group(1).strip())
        elif lines:
            yield Text(file, start, " ".join(lines))
            lines = []


def _rust(file: Path) -> Iterator[Text]:
    text = file.read_text("utf-8").split("#[cfg(test)]\nmod tests {")[0]
    yield from _comments(file, text)
    bare = re.sub(r"//.*", lambda match: " " * len(match.group()), text)
    for found in _RUST_STRING.finditer(bare):
        words = re.sub(r"\\\n\s*", "", found.group(1))
        if " " in words:
            yield Text(file, text.count("\n", 0, found.start()) + 1, words)


def _python(file: Path) -> Iterator[Text]:
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and " " in node.value:
            yield Text(file, node.lineno, " ".join(node.value.split()))


def _typescript(file: Path) -> Iterator[Text]:
    text = file.read_text("utf-8")
    for block in re.finditer(r"/\*\*(.*?)\*/", text, re.DOTALL):
        words = " ".join(line.strip(" *") for line in block.group(1).splitlines())
        yield Text(file, text.count("\n", 0, block.start()) + 1, words)
    bare = re.sub(r"/\*.*?\*/|//[^\n]*", lambda match: re.sub(r"[^\n]", " ", match.group()), text, flags=re.DOTALL)
    for found in re.finditer(r"\"([^\"\n]*)\"|'([^'\n]*)'|`([^`]*)`", bare):
        words = next(group for group in found.groups() if group is not None)
        if " " in words:
            yield Text(file, text.count("\n", 0, found.start()) + 1, words)


def texts() -> Iterator[Text]:
    """Yield all texts that are checked, file by file."""
    pages = [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("vectors/**/*.md"), *ROOT.glob("data/*.md")]
    for file in sorted(pages):
        yield from _markdown(file)
    for file in sorted(ROOT.glob("crates/*/src/**/*.rs")):
        if "tests" not in file.parts and file.name != "tests.rs":
            yield from _rust(file)
    for folder in ("python", "papers/bentpipe_papers", "tools"):
        for file in sorted((ROOT / folder).rglob("*.py")):
            if file != Path(__file__):
                yield from _python(file)
    for file in sorted((ROOT / "web").glob("src/**/*.ts")):
        yield from _typescript(file)


def found_in(text: str) -> list[str]:
    """Return the forbidden phrases in a text."""
    return [match.group() for pattern, _ in _FORBIDDEN for match in pattern.finditer(text)]


def forbidden() -> list[str]:
    """Return every forbidden phrase, with its place and its replacement."""
    found = []
    for file, line, text in texts():
        place = f"{file.relative_to(ROOT)}:{line}"
        for pattern, better in _FORBIDDEN:
            found += [f"{place}: {match.group()!r} (write: {better})" for match in pattern.finditer(text)]
    return found


def long_sentences(words: int) -> list[str]:
    """Return every sentence with more words than this, with its place and length."""
    found = []
    for file, line, text in texts():
        plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", re.sub(r"`[^`]*`", "CODE", text))
        for sentence in re.split(r"(?<=[.!?:;])\s+|\|", plain):
            count = len(sentence.split())
            if count > words:
                found.append(f"{file.relative_to(ROOT)}:{line}: {count} words: {sentence[:90]}")
    return found


def main() -> int:
    """Print the results. Return 1 if a phrase is forbidden."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--long", type=int, metavar="N", help="also list the sentences of more than N words")
    chosen = parser.parse_args()
    phrases = forbidden()
    long = long_sentences(chosen.long) if chosen.long else []
    sys.stdout.write("".join(f"{line}\n" for line in phrases + long))
    sys.stdout.write(f"{len(phrases)} forbidden phrases" + (f", {len(long)} long sentences\n" if chosen.long else "\n"))
    return int(bool(phrases))


if __name__ == "__main__":
    sys.exit(main())
