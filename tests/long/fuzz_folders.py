# SPDX-License-Identifier: MIT OR Apache-2.0
"""A reader of run folders for Atheris: `fuzz_folders.py TARGET CORPUS OPTIONS` with a target of `fuzz.readings`."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from random import Random

import atheris

with atheris.instrument_imports(include=["bentpipe"]):
    import bentpipe  # noqa: F401
    from fuzz.change import changed
    from fuzz.readings import READINGS, Changed


def main() -> None:
    """Judge Atheris's cases until its limits end it."""
    target = next(target for target in READINGS if target.name == sys.argv[1] and isinstance(target, Changed))
    place = Path(tempfile.mkdtemp(prefix="bentpipe-atheris-"))

    def change(case: bytes, longest: int, seed: int) -> bytes:
        # Coverage alone does not produce valid JSON or Parquet, so half of the changes use words of the file's format.
        chance = Random(seed)  # noqa: S311 - cases, not secrets
        if chance.random() < 0.5:
            return bytes(atheris.Mutate(case, longest))
        return changed(chance, case, target.words, target.kept())[:longest]

    atheris.Setup([sys.argv[0], *sys.argv[2:]], lambda case: target.judge(case, place), custom_mutator=change)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
