# SPDX-License-Identifier: MIT OR Apache-2.0
"""Coverage-guided fuzzing: AFL++ over the readers in Rust, Atheris over the readers of run folders in Python.

`make fuzz-coverage` runs each target for twenty minutes on one core (`ARGUMENTS="--minutes 1 --target tables"`). The
first cases come from the random fuzzer (`tests/long/fuzz`) and from `corpus/`, which has an archive for each target:
the smallest set of files that reaches all code that was ever reached. At the end, the new set is written. If a case
crashes or hangs, the exit code is 1, and its file stays under `target/afl`.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from random import Random

ROOT = Path(__file__).resolve().parents[2]
HERE = Path(__file__).resolve().parent
CORPUS = HERE / "corpus"
WORK = ROOT / "target" / "afl"
#: Programs of `tests/long/afl`.
NATIVE = ("scenarios", "elements", "tables")
#: Files of a run folder that Python reads (`fuzz.readings`).
FOLDERS = ("summary", "resolved", "table")
#: If a case takes longer than this, it hangs. The slowest case of the random fuzzer takes 0.2 s.
HANGS_MS = 5000
#: If a case is longer than this, it is not archived.
LONGEST = 8_000


def seeds(target: str) -> Iterator[bytes]:
    """Yield the first cases: files that the random fuzzer changes, and scenarios that it draws."""
    from fuzz import readings
    from fuzz.draw import Draw

    sources = {source.name: source for source in readings.READINGS if isinstance(source, readings.Changed)}
    if target == "scenarios":
        yield from sources["scenario"].files()
        yield from (Draw(Random(number)).text().encode() for number in range(200))  # noqa: S311 - cases, not secrets
    elif target == "elements":
        # The first byte selects the format, as in the program.
        for number, name in enumerate(("tle", "tle", "omm-json", "omm-csv", "omm-xml", "omm-kvn")):
            yield from (bytes([number]) + case for case in sources[name].files())
    elif target == "tables":
        yield from (b"\x02" + case for case in sources["deliveries"].files())
        yield from (b"\x03" + case for case in sources["delays"].files())
        yield from (bytes([4 * way]) + PATH for way in range(3))
        yield from (bytes([4 * way + 1]) + LAW for way in range(3))
    else:
        yield from sources[target].files()


PATH = b'time_s,rate_mbit_s,delay_ms,loss_ratio\n0,10,20,0\n# a comment\n"1.5",unlimited,30.5,0.01\n9,0,30,1\n'
LAW = b"value,probability\n1000,0\n2000 0.5\n1e4,1\n"


def kept(target: str) -> list[bytes]:
    """Return the corpus of a target: cases of earlier runs that reached code which no other case reached."""
    archive = CORPUS / f"{target}.zip"
    if not archive.exists():
        return []
    with zipfile.ZipFile(archive) as opened:
        return [opened.read(name) for name in opened.namelist()]


def unpacked(target: str, folder: Path) -> None:
    """Write seeds and the stored corpus into an empty folder."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for case in [*seeds(target), *kept(target)]:
        (folder / hashlib.sha256(case).hexdigest()[:16]).write_bytes(case)


def pack(target: str, cases: Iterable[bytes]) -> None:
    """Write the corpus of a target. The same cases give the same bytes."""
    CORPUS.mkdir(exist_ok=True)
    named = {hashlib.sha256(case).hexdigest()[:16]: case for case in cases if len(case) <= LONGEST}
    with zipfile.ZipFile(CORPUS / f"{target}.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        for name, case in sorted(named.items()):
            archive.writestr(zipfile.ZipInfo(name), case, zipfile.ZIP_DEFLATED)


def afl(*arguments: str, quiet: bool = False) -> None:
    """Run a program of AFL++ or `cargo`. They are installed and built once, under `target/afl`."""
    tools = WORK / "tools"
    environment = os.environ | {
        "PATH": f"{tools / 'bin'}:{os.environ['PATH']}",
        "XDG_DATA_HOME": str(tools / "data"),
        "CARGO_TARGET_DIR": str(WORK),
        "AFL_SKIP_CPUFREQ": "1",
        "AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES": "1",
        "AFL_NO_UI": "1",
        "AFL_NO_AFFINITY": "1",
    }
    if not (tools / "bin" / "cargo-afl").exists():
        install = ["cargo", "install", "cargo-afl", "--version", "0.18.2", "--locked", "--root", str(tools)]
        subprocess.run(install, check=True)
        subprocess.run(["cargo", "afl", "config", "--build", "--force"], env=environment, check=True)
    if arguments[0] != "cargo":
        arguments = (str(next((tools / "data").glob(f"**/bin/{arguments[0]}"))), *arguments[1:])
    subprocess.run(arguments, env=environment, check=True, cwd=ROOT, stdout=subprocess.DEVNULL if quiet else None)


def native(target: str, minutes: float) -> list[Path]:
    """Fuzz a program. Return the files that made it crash or hang."""
    program, cases = str(WORK / "fuzz" / target), WORK / "cases" / target
    unpacked(target, cases / "seeds")
    shutil.rmtree(cases / "found", ignore_errors=True)
    given = ["-i", str(cases / "seeds"), "-o", str(cases / "found"), "-t", str(HANGS_MS)]
    afl("cargo", "afl", "fuzz", *given, "-V", str(int(minutes * 60)), program)
    found = cases / "found" / "default"
    pack(target, (file.read_bytes() for file in least(program, found / "queue", cases / "traces")))
    return [file for kind in ("crashes", "hangs") for file in sorted((found / kind).glob("id*"))]


def least(program: str, queue: Path, traces: Path) -> list[Path]:
    """Return cases that together reach the same code as the whole queue. Short cases are preferred.

    AFL++ can also minimise corpora. But one of its scripts finds no coverage of programs in persistent mode, and the
    other one needs an hour for 2,500 cases.
    """
    shutil.rmtree(traces, ignore_errors=True)
    afl("afl-showmap", "-q", "-t", str(HANGS_MS), "-i", str(queue), "-o", str(traces), "--", program, quiet=True)
    reached: set[str] = set()
    kept = []
    for file in sorted(queue.glob("id*"), key=lambda file: (file.stat().st_size, file.name)):
        # A line contains an edge, and how often it was taken.
        edges = {line.partition(":")[0] for line in (traces / file.name).read_text().split()}
        if not edges <= reached:
            reached |= edges
            kept.append(file)
    return kept


def main(arguments: list[str] | None = None) -> int:
    """Fuzz the targets one after another."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--minutes", type=float, default=20.0, help="how long each target is fuzzed (20)")
    parser.add_argument("--target", choices=[*NATIVE, *FOLDERS], action="append", help="this one; may be repeated")
    asked = parser.parse_args(arguments)
    targets = asked.target or [*NATIVE, *FOLDERS]
    if any(target in NATIVE for target in targets):
        afl("cargo", "afl", "build", "--profile", "fuzz", "-p", "bentpipe-afl")
    broken: list[Path] = []
    for target in targets:
        broken += native(target, asked.minutes) if target in NATIVE else folders(target, asked.minutes)
    for file in broken:
        sys.stdout.write(f"broke a promise: {file}\n")
    return 1 if broken else 0


def folders(target: str, minutes: float) -> list[Path]:
    """Fuzz a reader of run folders. Return the files that broke a promise."""
    cases = WORK / "cases" / target
    unpacked(target, cases / "found")
    shutil.rmtree(cases / "broken", ignore_errors=True)
    (cases / "broken").mkdir(parents=True)
    if not (WORK / "python" / "atheris").exists():
        install = [sys.executable, "-m", "pip", "install", "-q", "--target", str(WORK / "python"), "atheris==3.0.0"]
        subprocess.run(install, check=True)
    path = os.pathsep.join([str(WORK / "python"), os.environ.get("PYTHONPATH", "")])
    limits = [
        f"-max_total_time={int(minutes * 60)}",
        f"-timeout={HANGS_MS // 1000}",
        "-rss_limit_mb=4096",
        "-max_len=20000",
    ]
    command = [sys.executable, str(HERE / "fuzz_folders.py"), target, str(cases / "found"), *limits]
    ended = subprocess.run(
        [*command, f"-artifact_prefix={cases / 'broken'}/", "-print_final_stats=1"],
        env=os.environ | {"PYTHONPATH": path},
        check=False,
    )
    pack(target, (file.read_bytes() for file in sorted((cases / "found").iterdir())))
    broken = sorted((cases / "broken").iterdir())
    if ended.returncode and not broken:
        raise SystemExit(f"{target}: Atheris ended with {ended.returncode}")
    return broken


if __name__ == "__main__":
    sys.exit(main())
