# SPDX-License-Identifier: MIT OR Apache-2.0
"""The machine: Debian's kernel, the guest program, and QEMU, whose clock counts instructions."""

from __future__ import annotations

import hashlib
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent.parent
#: Folder of everything that is built or downloaded; ignored by git.
CACHE = ROOT / "target" / "oracles" / "linux"
SOURCE = Path(__file__).with_name("guest.c")
QUEUES_SOURCE = Path(__file__).with_name("queues.c")
EVENTS_SOURCE = Path(__file__).with_name("events.c")

RELEASE = "6.1.0-56-cloud-amd64"
VERSION = "6.1.192-2"
PACKAGE = f"linux-image-{RELEASE}"
SHA256 = "e7d02b943971edcb8790e256c02cfab3bca6c3d37c1bf25392a57c71300615ee"

#: Required commands, and the Debian packages that contain them.
COMMANDS = {
    "qemu-system-x86_64": "qemu-system-x86",
    "gcc": "gcc",
    "dpkg-deb": "dpkg",
    "apt-get": "apt",
}
MODULES = "tun", "sch_fq"
#: Controllers that are in the kernel itself and are not modules.
BUILT_IN = "reno", "cubic"
COMPILE = "gcc", "-std=gnu11", "-O2", "-static", "-Wall", "-Wextra", "-Werror"
#: The guest's programs. The first one must keep the bytes that it had before there were openings. The third one is
#: queues.c, the fourth is for the newer kernel, and the last one is events.c.
CASES, OPENINGS, QUEUES, ACCURATE, EVENTS = "guest", "guest-openings", "guest-queues", "guest-accurate", "guest-events"
FLAGS: dict[str, tuple[str, ...]] = {
    CASES: (),
    OPENINGS: ("-DOPENINGS",),
    QUEUES: (),
    ACCURATE: ("-DOPENINGS", "-DACCURATE"),
    EVENTS: (),
}
SOURCES = {QUEUES: QUEUES_SOURCE, EVENTS: EVENTS_SOURCE}
#: Disciplines that are modules. fq_codel and the FIFOs are in the kernel itself.
QUEUE_MODULES = "tun", "sch_tbf", "sch_codel", "sch_prio", "sch_drr"

#: An instruction takes one nanosecond. The clock jumps over idle time.
QEMU = (
    *("qemu-system-x86_64", "-accel", "tcg,thread=single", "-icount", "shift=0,align=off,sleep=off"),
    *("-cpu", "qemu64", "-smp", "1", "-m", "1024", "-no-reboot", "-display", "none", "-nodefaults"),
    *("-rtc", "clock=vm,base=2026-01-01", "-device", "isa-debugcon,iobase=0xe9,chardev=log"),
    *("-device", "isa-debug-exit,iobase=0xf4,iosize=4"),
)
KERNEL = (
    "console=ttyS0 quiet panic=-1 tsc=reliable no_timer_check lpj=4000000 random.trust_cpu=off nokaslr "
    "cryptomgr.notests mitigations=off nohz=off cpuidle.off=1 hpet=disable ipv6.disable=1"
)
#: Bytes of a full data packet.
PACKET = 1500
#: The guest's names for some keys of the cases.
NUMBERS = {"records": "packets", "every": "every_ms", "syns": "lost_syns", "synacks": "lost_syn_acks"}
SWITCHES = {
    "super": "super_packets",
    "paced": "paced",
    "fastopen": "fast_open",
    "buffer": "default_buffers",
    "keep": "keep_window",
}


class TraceError(Exception):
    """An error that the user can fix. Its text contains the fix."""


def not_installed(commands: dict[str, str]) -> list[str]:
    """Returns the Debian packages of missing commands."""
    return [package for command, package in commands.items() if shutil.which(command) is None]


def missing() -> list[str]:
    """Returns the missing Debian packages that measurements need."""
    packages = not_installed(COMMANDS)
    if "gcc" not in packages:
        found = subprocess.run(["gcc", "-print-file-name=libc.a"], capture_output=True, text=True, check=False)
        packages += [] if Path(found.stdout.strip()).is_file() else ["libc6-dev"]
    return packages


def digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def kernel_package() -> Path:
    """Returns the Debian package of the kernel, and downloads it if necessary."""
    CACHE.mkdir(parents=True, exist_ok=True)
    found = sorted(CACHE.glob(f"{PACKAGE}_*.deb"))
    if not found:
        order = ["apt-get", "download", f"{PACKAGE}={VERSION}"]
        done = subprocess.run(order, cwd=CACHE, capture_output=True, text=True, check=False)
        found = sorted(CACHE.glob(f"{PACKAGE}_*.deb"))
        if not found:
            raise TraceError(
                f"`{' '.join(order)}` failed: {done.stderr.strip()}\n"
                f"fix: run `apt-get update`, or put that package (sha256 {SHA256}) into {CACHE}; old ones are at "
                f"https://snapshot.debian.org/binary/{PACKAGE}/"
            )
    if (is_now := digest(found[0].read_bytes())) != SHA256:
        raise TraceError(f"{found[0]} has sha256 {is_now}; the traces need {SHA256}\nfix: remove that file")
    return found[0]


def archive(files: dict[str, tuple[int, bytes]]) -> bytes:
    """Return a cpio archive (`newc`) of path: (mode, content). The same content gives the same bytes."""
    parts = []
    entries = [*files.items(), ("TRAILER!!!", (0, b""))]
    for number, (path, (mode, data)) in enumerate(entries, 1):
        name = path.encode() + b"\0"
        links = 2 if mode & 0o040000 else 1
        fields = number, mode, 0, 0, links, 0, len(data), 0, 0, 0, 0, len(name), 0
        head = b"070701" + b"".join(b"%08X" % field for field in fields) + name
        parts += [head, b"\0" * (-len(head) % 4), data, b"\0" * (-len(data) % 4)]
    return b"".join(parts)


@dataclass(frozen=True)
class Machine:
    """A kernel, and an initial file system whose /init is the guest program."""

    kernel: Path
    initrd: Path
    controllers: tuple[str, ...]

    def command(self, case_words: str, log: Path, console: Path) -> list[str]:
        """Returns the complete command line. `case_words` is the result of `words`."""
        return [
            *QEMU,
            *("-kernel", str(self.kernel), "-initrd", str(self.initrd)),
            *("-chardev", f"file,id=log,path={log}", "-serial", f"file:{console}"),
            *("-append", f"{KERNEL} -- {case_words}"),
        ]

    def place(self, case: dict[str, Any], controller: str) -> Path:
        """Returns the path of the log of a run, from everything that the run depends on."""
        return self.place_of(f"{case['name']}/{controller}", words(case, controller))

    def place_of(self, run: str, said: str) -> Path:
        """Returns the path of the log of a run with this name and these words."""
        depends = self.initrd.read_bytes() + " ".join((*QEMU, KERNEL, said)).encode()
        return CACHE / f"{run}-{digest(depends)[:12]}.log"

    def run(self, case: dict[str, Any], controller: str, log: Path) -> None:
        """Runs one case with one controller. `log` appears when it is complete."""
        self.boot(f"{case['name']}, {controller}", words(case, controller), log, 600 + 20 * float(case["seconds"]))

    def boot(self, what: str, said: str, log: Path, limit_s: float) -> None:
        """Runs the guest with these words. `log` appears when it is complete."""
        log.parent.mkdir(parents=True, exist_ok=True)
        begun, console = log.with_suffix(".begun"), log.with_suffix(".console")
        try:
            command = self.command(said, begun, console)
            done = subprocess.run(command, capture_output=True, text=True, timeout=limit_s, check=False)
        except subprocess.TimeoutExpired:
            raise TraceError(f"{what}: not done after {limit_s:.0f} s; see {console}") from None
        text = begun.read_text() if begun.is_file() else ""
        if not text.endswith("\nend\n"):
            last = text.rstrip().rpartition("\n")[2] or done.stderr.strip() or "nothing was logged"
            raise TraceError(f"{what}: the guest stopped early: {last}; see {console}")
        console.unlink(missing_ok=True)
        begun.rename(log)


def window(case: dict[str, Any]) -> int:
    """Return the receiver's largest window in bytes. The default is six times the capacity of path and queue."""
    if "window_bytes" in case:
        return int(case["window_bytes"])
    rtt_ms = max(float(rtt) for _, rtt in case.get("rtt_steps") or [[0, case["rtt_ms"]]])
    return round(6 * (float(case["rate_mbit_s"]) * 1000 * rtt_ms / 8 + float(case["queue_packets"]) * PACKET))


def words(case: dict[str, Any], controller: str) -> str:
    """Return the case in the form that the guest program reads."""

    def joined(rows: list[list[float]]) -> str:
        return ",".join(f"{first:g}:{second:g}" for first, second in rows)

    said = {
        "controller": controller,
        "rate": f"{case['rate_mbit_s'] * 1_000_000:.0f}",
        "seconds": f"{case['seconds']:g}",
        "queue": case["queue_packets"],
        "window": window(case),
        "rtt": joined(case.get("rtt_steps") or [[0, case["rtt_ms"]]]),
        "starts": ",".join(f"{start:g}" for start in case.get("flows_start_s", [0])),
    }
    if "lost_packets" in case:
        said["lost"] = ",".join(map(str, case["lost_packets"]))
        said["period"] = case.get("lost_period", 0)
    if "lost_spans" in case:
        said["spans"] = joined(case["lost_spans"])
    if "mark_above_packets" in case:
        said["mark"] = case["mark_above_packets"]
    if "tcp_ecn" in case:
        said["ecn"] = ":".join(map(str, case["tcp_ecn"]))
    if "transfers" in case:
        said["send"] = ",".join(f"{at:g}:{size}" for at, size in case["transfers"])
    said |= {name: case[key] for name, key in NUMBERS.items() if key in case}
    said |= {name: 1 for name, key in SWITCHES.items() if case.get(key)}
    return " ".join(f"{name}={value}" for name, value in said.items())


def require(packages: list[str]) -> None:
    """Raises an error if one of these packages is missing."""
    if packages:
        raise TraceError(f"not installed: {', '.join(packages)}\nfix: apt-get install {' '.join(packages)}")


def compiled(program: str) -> bytes:
    """Compile and return one of the guest's programs."""
    CACHE.mkdir(parents=True, exist_ok=True)
    guest = CACHE / program
    subprocess.run([*COMPILE, *FLAGS[program], "-o", guest, SOURCES.get(program, SOURCE)], check=True)
    return guest.read_bytes()


def make_initrd(program: str, initrd: Path, modules: dict[str, bytes]) -> Path:
    """Builds the initial file system of a guest program, with these modules."""
    files = {"lib": (0o040755, b""), "init": (0o100755, compiled(program))}
    files |= {f"lib/{name}.ko": (0o100644, modules[name]) for name in sorted(modules)}
    image = archive(files)
    if not initrd.is_file() or initrd.read_bytes() != image:  # another run may be reading it
        initrd.write_bytes(image)
    return initrd


def build(program: str = CASES) -> Machine:
    """Downloads and builds everything that a run needs. `program` is one of the guest's programs."""
    require(missing())
    package, tree = kernel_package(), CACHE / "tree"
    if not tree.is_dir():
        subprocess.run(["dpkg-deb", "-x", package, tree], check=True)
    modules = tree / "lib" / "modules" / RELEASE / "kernel"
    tcp = {path.stem: path for path in modules.glob("net/ipv4/tcp_*.ko") if path.stem != "tcp_diag"}
    found = {name: next(modules.rglob(f"{name}.ko")) for name in (QUEUE_MODULES if program == QUEUES else MODULES)}
    found |= {} if program == QUEUES else tcp
    return Machine(
        kernel=tree / "boot" / f"vmlinuz-{RELEASE}",
        initrd=make_initrd(
            program, CACHE / program.replace("guest", "initrd"), {name: it.read_bytes() for name, it in found.items()}
        ),
        controllers=(*BUILT_IN, *sorted(name.removeprefix("tcp_") for name in tcp)),
    )


def version(command: str) -> str:
    """Returns the first line of a command's output for `--version`."""
    said = subprocess.run([command, "--version"], capture_output=True, text=True, check=True)
    return said.stdout.splitlines()[0]
