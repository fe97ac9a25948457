# SPDX-License-Identifier: MIT OR Apache-2.0
"""Change files at random, and shrink files that broke a promise."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from random import Random

#: Texts that often break readers.
ODD = [
    *(b"0", b"-1", b"1e309", b"-0.0", b"nan", b"inf", b"9223372036854775807", b"18446744073709551616", b"1e-320"),
    *(b"4294967296", b"2592000001", b"0.1", b"1_0", b"", b"\0", b"\xff", b"\xc3\x28", b"\xe2\x80\xae", b"\xef\xbb\xbf"),
    *(b'"', b"'", b"\n", b"\r\n", b"\r", b"\t", b",", b"#", b"=", b"[", b"]", b"{", b"}", b"[[", b'"""', b"[]", b"{}"),
    *(b"null", b"true", b"1979-05-27T07:32:00Z", "Ω".encode(), b"../", b"/dev/zero", b"/dev/null", b"." * 300),
]
NUMBER = re.compile(rb"-?\d+(?:\.\d+)?")
WORD = re.compile(rb"[A-Za-z_]\w*")


def changed(chance: Random, data: bytes, words: Sequence[bytes], others: Sequence[bytes]) -> bytes:
    """Return `data` after one to six changes. `words` are from its format, and pieces come from the files `others`."""
    for _ in range(chance.choice((1, 1, 1, 2, 3, 6))):
        data = chance.choice(CHANGES)(chance, data, words, others)
    return data


def _span(chance: Random, data: bytes) -> tuple[int, int]:
    """Return the bounds of a piece, which is usually short."""
    begin = chance.randrange(len(data) + 1)
    return begin, min(len(data), begin + int(len(data) ** chance.random()))


def _flip(chance: Random, data: bytes, *_: object) -> bytes:
    if not data:
        return b"\0"
    at = chance.randrange(len(data))
    return data[:at] + bytes([data[at] ^ (1 << chance.randrange(8))]) + data[at + 1 :]


def _byte(chance: Random, data: bytes, *_: object) -> bytes:
    at = chance.randrange(len(data) + 1)
    return data[:at] + bytes([chance.choice((0, 1, 9, 10, 34, 127, 128, 255, chance.randrange(256)))]) + data[at + 1 :]


def _cut(chance: Random, data: bytes, *_: object) -> bytes:
    begin, end = _span(chance, data)
    return data[:begin] + data[end:]


def _cut_off(chance: Random, data: bytes, *_: object) -> bytes:
    return data[: chance.randrange(len(data) + 1)]


def _repeat(chance: Random, data: bytes, *_: object) -> bytes:
    begin, end = _span(chance, data)
    return data[:end] + data[begin:end] * chance.choice((1, 2, 30)) + data[end:] if len(data) < 50_000 else data


def _insert(chance: Random, data: bytes, words: Sequence[bytes], _: object) -> bytes:
    at = chance.randrange(len(data) + 1)
    return data[:at] + chance.choice((chance.choice(ODD), chance.choice(words or ODD))) + data[at:]


def _replace(pattern: re.Pattern[bytes], chance: Random, data: bytes, by: Callable[[bytes], bytes]) -> bytes:
    """Replace one of the matches of a pattern, near a random place."""
    found = pattern.search(data, chance.randrange(len(data) + 1)) or pattern.search(data)
    return data if found is None else data[: found.start()] + by(found.group()) + data[found.end() :]


def _number(chance: Random, data: bytes, *_: object) -> bytes:
    def other(number: bytes) -> bytes:
        digit = bytes([chance.choice(b"0123456789")])
        near = str(int(number.split(b".")[0]) + chance.choice((-1, 1))).encode() if len(number) < 15 else number
        return chance.choice((near, number + digit, digit * len(number), b"-" + number, chance.choice(ODD)))

    return _replace(NUMBER, chance, data, other)


def _word(chance: Random, data: bytes, words: Sequence[bytes], _: object) -> bytes:
    return _replace(WORD, chance, data, lambda _: chance.choice(words or ODD))


def _lines(chance: Random, data: bytes, *_: object) -> bytes:
    lines = data.split(b"\n")
    one, other = chance.randrange(len(lines)), chance.randrange(len(lines))
    doing = chance.randrange(3)
    if doing == 0:
        del lines[one]
    elif doing == 1:
        lines.insert(other, lines[one])
    else:
        lines[one], lines[other] = lines[other], lines[one]
    return b"\n".join(lines)


def _piece(chance: Random, data: bytes, _: object, others: Sequence[bytes]) -> bytes:
    """Insert a piece of another file."""
    other = chance.choice(others) if others else data
    begin, end = _span(chance, other)
    at, until = _span(chance, data)
    return data[:at] + other[begin:end] + data[chance.choice((at, until)) :]


CHANGES: list[Callable[..., bytes]] = [
    *(_flip, _byte, _cut, _cut_off, _repeat, _insert, _insert, _number, _number, _number, _word, _word, _lines, _piece)
]


def shrunk(data: bytes, fails: Callable[[bytes], bool], tries: int = 400) -> bytes:
    """Return a smaller input that still fails. Remove lines, then shorter and shorter pieces, for `tries` tries."""
    for cut in (re.compile(rb"[^\n]*\n|[^\n]+"), re.compile(rb"[^,\s]*[,\s]|[^,\s]+"), re.compile(rb".", re.DOTALL)):
        pieces = cut.findall(data)
        size = max(1, len(pieces) // 2)
        while pieces and size:
            at = 0
            while at < len(pieces):
                fewer = pieces[:at] + pieces[at + size :]
                tries -= 1
                if tries < 0:
                    return data
                if fails(b"".join(fewer)):
                    pieces, data = fewer, b"".join(fewer)
                else:
                    at += size
            size //= 2
    return data
