# SPDX-License-Identifier: MIT OR Apache-2.0
"""Traces of a real Linux kernel in virtual time: `python tools/linux_traces` (`make linux-traces`).

For every controller of Debian's kernel, the script runs the cases of data/oracles/cases.toml. Then it runs the openings
of connections, the queue disciplines of data/oracles/disciplines.toml and the events of data/oracles/events.toml, with
one QEMU at a time, and writes data/linux. It does not repeat runs in data/linux (unless --again) or with a log in
target/oracles/linux, so it can be interrupted at any time. All events of a kind are measured in one boot. DualPI2,
AccECN and events also run on a newer kernel of Debian (180 MB by apt). DualPI2 is compiled from its source, which needs
make, binutils and xz-utils. See data/linux/README.md.
"""

from __future__ import annotations

import argparse
import sys
import time
import tomllib
from dataclasses import replace
from pathlib import Path
from typing import Any

import disciplines
import events
import machine
import newer
import openings
import tables
import tomli_w
from machine import ROOT, TraceError

CASES = ROOT / "data" / "oracles" / "cases.toml"
DATA = ROOT / "data" / "linux"
EPISODES, TOTALS, INDEX = "episodes.parquet", "totals.parquet", "index.toml"
OPENINGS = "openings.parquet"
DISCIPLINES = disciplines.TABLE
ACCURATE, ACCURATE_CASES = "accurate.parquet", ROOT / "data" / "oracles" / "accurate.toml"
#: Controllers that are measured first, because they are used most.
FIRST = "reno", "cubic", "bbr", "hybla", "htcp", "vegas", "westwood", "bic", "illinois", "highspeed", "scalable", "veno"


def cases() -> list[dict[str, Any]]:
    """Returns the cases, core cases first."""
    found: list[dict[str, Any]] = tomllib.loads(CASES.read_text())["case"]
    return sorted(found, key=lambda case: int(case["order"]))


def all_openings() -> list[dict[str, Any]]:
    """Returns the openings, in the order of the file."""
    found: list[dict[str, Any]] = tomllib.loads(CASES.read_text())["opening"]
    return found


def accurate_cases() -> list[dict[str, Any]]:
    """Returns the connections with AccECN, in the order of the file."""
    found: list[dict[str, Any]] = tomllib.loads(ACCURATE_CASES.read_text())["case"]
    return found


def ordered(controllers: tuple[str, ...]) -> list[str]:
    return [name for name in FIRST if name in controllers] + [name for name in controllers if name not in FIRST]


def wanted(case: dict[str, Any], controllers: list[str]) -> list[str]:
    """Returns the controllers of a case."""
    return [name for name in controllers if name in case.get("controllers", controllers)]


def write(case: str, traces: list[tables.Trace], order: list[str]) -> None:
    """Writes runs of one case into the tables."""
    both = [entry["name"] for entry in cases()] + order
    rows = [row for trace in traces for row in trace.rows]
    episodes = [row for trace in traces for row in trace.episodes]
    totals = [row for trace in traces for row in trace.totals]
    runs = {row[:2] for row in totals}
    tables.merge(DATA / f"{case}.parquet", rows, tables.ROWS, ["controller"], order)
    tables.merge(DATA / EPISODES, episodes, tables.EPISODES, ["case", "controller"], both, runs)
    tables.merge(DATA / TOTALS, totals, tables.TOTALS, ["case", "controller"], both)


def write_index(made: machine.Machine, opener: machine.Machine, failed: dict[tuple[str, str], str]) -> None:
    """Writes the index: the origin of the files, their digests, and the missing runs."""
    opened = tables.present(DATA / OPENINGS, ["case"])
    controllers = ordered(made.controllers)
    there = tables.present(DATA / TOTALS, ["case", "controller"])
    begun = {case for case, _ in there}
    absent = [
        {"case": case["name"], "controller": name, "why": failed.get((case["name"], name), "not measured yet")}
        for case in cases()
        for name in wanted(case, controllers)
        if (case["name"], name) not in there
    ]
    images = replace(made, kernel=made.kernel.relative_to(made.kernel.parent), initrd=Path("initrd"))
    command = images.command("WORDS", Path("LOG"), Path("CONSOLE"))
    said_of_newer = newer_index()
    index = {
        "kernel": {"package": machine.PACKAGE, "version": machine.VERSION, "sha256": machine.SHA256},
        "made_with": {
            "qemu": machine.version(machine.QEMU[0]),
            "gcc": machine.version(machine.COMPILE[0]),
            "initrd_sha256": machine.digest(made.initrd.read_bytes()),
            "guest_c_sha256": machine.digest(machine.SOURCE.read_bytes()),
            "command": " ".join(command),
            "words": {case["name"]: said(case) for case in cases() if case["name"] in begun},
        },
        "openings": {
            "initrd_sha256": machine.digest(opener.initrd.read_bytes()),
            "words": {case["name"]: opening_words(case) for case in all_openings() if (case["name"],) in opened},
            "absent": [case["name"] for case in all_openings() if (case["name"],) not in opened],
        },
        "disciplines": {
            "initrd_sha256": machine.digest(machine.build(machine.QUEUES).initrd.read_bytes()),
            "instructions_sha256": instructions_of(DISCIPLINES),
        },
        **({"newer": said_of_newer} if said_of_newer else {}),
        "events": events_index(),
        "controllers": controllers,
        "files": {path.name: machine.digest(path.read_bytes()) for path in sorted(DATA.glob("*.parquet"))},
        "absent": absent,
    }
    (DATA / INDEX).write_text("# SPDX-License-Identifier: MIT OR Apache-2.0\n" + tomli_w.dumps(index))


def instructions_of(table: str) -> dict[str, str]:
    """Returns digests of the guest's instructions, for the disciplines in a table."""
    there = tables.present(DATA / table, ["case"])
    return {
        case["name"]: machine.digest(disciplines.instructions(case).encode())
        for case in disciplines.cases()
        if (case["name"],) in there
    }


def events_index() -> dict[str, Any]:
    """Returns the origin of the events: programs, and the guest's instructions in each boot in the tables."""
    there = tables.present(DATA / events.TOTALS_FILE, ["kernel", "case", "controller"])
    return {
        "initrd_sha256": machine.digest(machine.build(machine.EVENTS).initrd.read_bytes()),
        "newer_made_by": newer.identity(machine.EVENTS),
        "instructions_sha256": {
            f"{kernel} {kind}": machine.digest(events.instructions(kernel, kind).encode())
            for kernel, kind in events.boots()
            if {(kernel, case["name"], controller) for case, controller in events.runs(kernel, kind)} <= there
        },
    }


def events_there() -> set[tuple[str, str]]:
    """Returns the boots (kernel and kind of events) that data/linux has with the current instructions."""
    if not (DATA / INDEX).is_file():
        return set()
    was, is_now = tomllib.loads((DATA / INDEX).read_text()).get("events", {}), events_index()
    same = {
        kernel
        for kernel, program in zip(events.KERNELS, ("initrd_sha256", "newer_made_by"), strict=True)
        if was.get(program) == is_now[program]
    }
    told = was.get("instructions_sha256", {})
    return {
        (kernel, kind)
        for kernel, kind in events.boots()
        if kernel in same and told.get(f"{kernel} {kind}") == is_now["instructions_sha256"].get(f"{kernel} {kind}", "")
    }


def newer_index() -> dict[str, Any]:
    """Returns the origin of the newer kernel's files; unchanged if this host has not run that kernel."""
    if not newer.MODULE.is_file():
        found: dict[str, Any] = tomllib.loads((DATA / INDEX).read_text()).get("newer", {})
        return found
    accurate = tables.present(DATA / ACCURATE, ["case"])
    return {
        "version": newer.VERSION,
        "packages": {name: digest for name, (_, digest) in newer.PACKAGES.items()},
        "module_sha256": machine.digest(newer.MODULE.read_bytes()),
        "made_by": newer.identity(machine.QUEUES),
        "instructions_sha256": instructions_of(disciplines.NEWER_TABLE),
        "accurate": {
            "made_by": newer.identity(machine.ACCURATE),
            "words": {case["name"]: opening_words(case) for case in accurate_cases() if (case["name"],) in accurate},
        },
    }


def refuse_a_mixture(made: machine.Machine, only: list[str] | None) -> None:
    """Refuses to mix runs: existing files must have the same kernel, guest program, compiler and cases."""
    if not (DATA / INDEX).is_file():
        return
    is_now = machine.digest(made.initrd.read_bytes())
    index = tomllib.loads((DATA / INDEX).read_text())["made_with"]
    was = index["initrd_sha256"]
    if was != is_now:
        raise TraceError(
            f"{DATA} was made with the initrd of sha256 {was}, here it is {is_now} (other guest.c, kernel or compiler)"
            f"\nfix: remove {DATA}/*.parquet and {DATA / INDEX} to measure everything again"
        )
    changed = [case["name"] for case in cases() if index["words"].get(case["name"]) not in {None, said(case)}]
    if changed and only:
        raise TraceError(
            f"{', '.join(changed)} in {CASES} is not what was measured; --controller would mix both"
            "\nfix: leave --controller out"
        )


def said(case: dict[str, Any]) -> str:
    return machine.words(case, "NAME")


def opening_words(case: dict[str, Any]) -> str:
    return machine.words(case, case["controller"])


def openings_there(opener: machine.Machine) -> set[str] | None:
    """Returns the openings that data/linux has with the current words; None if another guest program made them."""
    if not (DATA / INDEX).is_file():
        return None
    was = tomllib.loads((DATA / INDEX).read_text()).get("openings", {"initrd_sha256": ""})
    if was["initrd_sha256"] != machine.digest(opener.initrd.read_bytes()):
        return None
    there = tables.present(DATA / OPENINGS, ["case"])
    names = {case["name"] for case in all_openings() if was["words"].get(case["name"]) == opening_words(case)}
    return {name for name in names if (name,) in there}


def accurate_there() -> set[str]:
    """Returns the connections with AccECN that data/linux has with the current words."""
    index = tomllib.loads((DATA / INDEX).read_text()) if (DATA / INDEX).is_file() else {}
    was = index.get("newer", {}).get("accurate", {"made_by": ""})
    if was["made_by"] != newer.identity(machine.ACCURATE):
        return set()
    return {case["name"] for case in accurate_cases() if was["words"].get(case["name"]) == opening_words(case)}


def measured() -> set[tuple[str, ...]]:
    """Returns each (case, controller) that data/linux has, for unchanged cases."""
    if not (DATA / INDEX).is_file():
        return set()
    was = tomllib.loads((DATA / INDEX).read_text())["made_with"]["words"]
    same = {case["name"] for case in cases() if was.get(case["name"]) == said(case)}
    return {key for key in tables.present(DATA / TOTALS, ["case", "controller"]) if key[0] in same}


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python tools/linux_traces", description=__doc__)
    parser.add_argument(
        "--case", action="append", metavar="NAME", help="only this case, opening, discipline or event (may be repeated)"
    )
    parser.add_argument("--controller", action="append", metavar="NAME", help="only this controller (may be repeated)")
    parser.add_argument("--again", action="store_true", help="also what data/linux has already")
    parser.add_argument("--list", action="store_true", help="print what there is and what is done, and run nothing")
    return parser.parse_args()


def chosen(kind: str, names: list[str] | None, known: list[str]) -> list[str]:
    for name in names or []:
        if name not in known:
            raise TraceError(f"{kind} {name!r} is not known; there are: {', '.join(known)}")
    return [name for name in known if not names or name in names]


class Work:
    """The requested runs, and the failed ones."""

    def __init__(self, asked: argparse.Namespace) -> None:
        self.asked = asked
        self.made = machine.build()
        self.opener = machine.build(machine.OPENINGS)
        self.controllers = ordered(self.made.controllers)
        self.only = chosen("controller", asked.controller, self.controllers)
        self.failed: dict[tuple[str, str], str] = {}

    def log(self, by: machine.Machine, case: dict[str, Any], controller: str, *, done: bool) -> Path | None:
        """Returns the log of a run, and makes the run if necessary; None if nothing is to do or the run failed."""
        log, begun = by.place(case, controller), time.monotonic()
        if self.asked.list:
            print(case["name"], controller, "done" if done or log.is_file() else "to do")
        if self.asked.list or done:
            return None
        if self.asked.again or not log.is_file():
            try:
                by.run(case, controller, log)
            except TraceError as problem:
                print(f"failed: {problem}", file=sys.stderr, flush=True)
                self.failed[case["name"], controller] = str(problem).partition("; see")[0]
                return None
            print(f"{case['name']} {controller}: {time.monotonic() - begun:.0f} s", flush=True)
        return log

    def run_cases(self, pick: list[str]) -> None:
        """Runs the cases with these names."""
        there = set() if self.asked.again else measured()
        for case in cases():
            if case["name"] not in pick:
                continue
            names = [name for name in wanted(case, self.controllers) if name in self.only]
            logs = {name: self.log(self.made, case, name, done=(case["name"], name) in there) for name in names}
            traces = [tables.read(log, case["name"], name) for name, log in logs.items() if log]
            if traces:
                write(case["name"], traces, self.controllers)
                write_index(self.made, self.opener, self.failed)

    def run_openings(self, pick: list[str]) -> None:
        """Runs the openings with these names. Openings of another guest program are removed; all take some minutes."""
        there, rows = openings_there(self.opener), []
        if there is None and not self.asked.list:
            (DATA / OPENINGS).unlink(missing_ok=True)
        there = set() if self.asked.again or there is None else there
        for case in all_openings():
            if case["name"] not in pick or case["controller"] not in self.only:
                continue
            if log := self.log(self.opener, case, case["controller"], done=case["name"] in there):
                rows += openings.read(log, case)
        if rows:
            openings.write(DATA / OPENINGS, rows, [case["name"] for case in all_openings()])
            write_index(self.made, self.opener, self.failed)

    def run_accurate(self, pick: list[str]) -> None:
        """Runs the connections with AccECN with these names, on the newer kernel."""
        wanted = [case for case in accurate_cases() if case["name"] in pick]
        there, rows = set() if self.asked.again else accurate_there(), []
        for case in wanted:
            done = case["name"] in there
            if self.asked.list:
                print(case["name"], case["controller"], "done" if done else "to do")
            if self.asked.list or done:
                continue
            if log := self.log(newer.build(machine.ACCURATE), case, case["controller"], done=False):
                rows += openings.read(log, case)
        if rows:
            openings.write(DATA / ACCURATE, rows, [case["name"] for case in accurate_cases()], openings.ACCURATE)
            write_index(self.made, self.opener, self.failed)

    def run_disciplines(self, pick: list[str]) -> None:
        """Runs the queue disciplines with these names. All of them take a minute or two."""
        there = disciplines_there()
        for case in disciplines.cases():
            name = case["name"]
            if name not in pick:
                continue
            done = name in there and not self.asked.again
            if self.asked.list:
                print(name, "done" if done else "to do")
            if self.asked.list or done:
                continue
            log, begun = disciplines.place(case), time.monotonic()
            try:
                if self.asked.again or not log.is_file():
                    disciplines.run(case, log)
                disciplines.write(DATA, log, case)
            except TraceError as problem:
                print(f"failed: {problem}", file=sys.stderr, flush=True)
                self.failed[name, "discipline"] = str(problem)
                continue
            print(f"{name}: {time.monotonic() - begun:.0f} s", flush=True)
            write_index(self.made, self.opener, self.failed)

    def run_events(self, pick: list[str]) -> None:
        """Runs the boots that contain events with these names, on both kernels."""
        there = set() if self.asked.again else events_there()
        for kernel, kind in events.boots():
            if not {case["name"] for case, _ in events.runs(kernel, kind)} & set(pick):
                continue
            done = (kernel, kind) in there
            if self.asked.list:
                print(f"events: {kind}, Linux {kernel}", "done" if done else "to do")
            if self.asked.list or done:
                continue
            log, begun = events.place(kernel, kind), time.monotonic()
            try:
                if self.asked.again or not log.is_file():
                    events.run(kernel, kind, log)
            except TraceError as problem:
                print(f"failed: {problem}", file=sys.stderr, flush=True)
                self.failed[kind, kernel] = str(problem)
                continue
            print(f"events: {kind}, Linux {kernel}: {time.monotonic() - begun:.0f} s", flush=True)
            events.write(DATA, events.read(log, kernel, kind))
            write_index(self.made, self.opener, self.failed)


def disciplines_there() -> set[str]:
    """Returns the disciplines that data/linux has with the current instructions."""
    if not (DATA / INDEX).is_file():
        return set()
    index = tomllib.loads((DATA / INDEX).read_text())
    there = {**index.get("disciplines", {}).get("instructions_sha256", {})}
    if index.get("disciplines", {}).get("initrd_sha256") != machine.digest(
        machine.build(machine.QUEUES).initrd.read_bytes()
    ):
        there = {}
    if index.get("newer", {}).get("made_by") == newer.identity(machine.QUEUES):
        there |= index["newer"]["instructions_sha256"]
    said = {case["name"]: machine.digest(disciplines.instructions(case).encode()) for case in disciplines.cases()}
    return {name for name, digest in said.items() if there.get(name) == digest}


def main() -> None:
    asked = arguments()
    work = Work(asked)
    listed = cases(), all_openings(), disciplines.cases(), accurate_cases(), events.cases()
    names = [case["name"] for found in listed for case in found]
    pick = chosen("case", asked.case, names)
    if not asked.list:
        refuse_a_mixture(work.made, asked.controller)
    work.run_cases(pick)
    work.run_openings(pick)
    if not asked.controller:
        work.run_disciplines(pick)
        work.run_accurate(pick)
        work.run_events(pick)
    if work.failed:
        raise TraceError(f"{len(work.failed)} runs failed; they are listed in {DATA / INDEX}")


if __name__ == "__main__":
    try:
        main()
    except TraceError as problem:
        sys.exit(f"error: {problem}")
