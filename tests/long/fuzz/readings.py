# SPDX-License-Identifier: MIT OR Apache-2.0
"""Fuzz readers: scenarios, element sets, matrices, trace files and run folders are either read or refused.

A refusal has a known code and names the file. A scenario that is read must stay equal if it is written and read again.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from random import Random

import bentpipe as bp
from bentpipe import _core
from bentpipe.base.tables import TABLES
from bentpipe.runs.make import job
from earlier import without_digests
from fuzz.change import changed
from fuzz.draw import CITIES, TRACES, Draw, schema
from project import ROOT

#: Largest length of a message. (Of a file with many faults, twenty are printed.)
LONGEST_MESSAGE = 20_000


class BrokenPromiseError(AssertionError):
    """A promise does not hold."""


@cache
def codes() -> frozenset[str]:
    """Return every code that an error can have."""
    return frozenset(code for code, _ in _core.codes())


def refused(error: bp.BentpipeError, place: Path) -> str:
    """Return the class of a refusal, which must have a known code and a message that names the file.

    Raises:
        BrokenPromiseError: If it does not.
    """
    if error.code not in codes():
        raise BrokenPromiseError(f"a code that is in no list: {error.code}")
    if place.name not in error.message:
        raise BrokenPromiseError(f"{error.code} does not name {place.name}: {error.message}")
    if len(error.message) > LONGEST_MESSAGE:
        raise BrokenPromiseError(f"{error.code} has a message of {len(error.message)} characters")
    return f"refused: {error.code}"


class Target:
    """Makes cases by chance, and judges them."""

    #: Name of its folder of seeds.
    name = ""
    #: How often the target is chosen.
    weight: float = 1

    def make(self, chance: Random) -> bytes:
        """A case."""
        raise NotImplementedError

    def judge(self, case: bytes, place: Path) -> str:
        """Return the class of the outcome, or raise an error if the promise is broken. It may write into `place`."""
        raise NotImplementedError


class Changed(Target):
    """Files of a kind, with random changes."""

    #: Name of the file that contains the case.
    file = ""
    #: Words of the format.
    words: tuple[bytes, ...] = ()

    def files(self) -> list[bytes]:
        """Return files that can be read."""
        raise NotImplementedError

    def make(self, chance: Random) -> bytes:
        files = self.kept()
        return changed(chance, chance.choice(files), self.words, files)

    def kept(self) -> list[bytes]:
        if not hasattr(self, "_kept"):
            self._kept = self.files()
        return self._kept

    def judge(self, case: bytes, place: Path) -> str:
        file = place / self.file
        file.write_bytes(case)
        try:
            self.read(file)
        except bp.BentpipeError as error:
            return refused(error, file)
        return "read"

    def read(self, file: Path) -> None:
        """Read the file as a user would."""
        raise NotImplementedError


def _words() -> tuple[bytes, ...]:
    """Return keys and words of the scenario format, controllers, and units."""
    found: set[str] = set(CITIES)

    def walk(value: object) -> None:
        if isinstance(value, dict):
            found.update(value.get("properties", ()))
            found.update(word for word in value.get("enum", ()) if isinstance(word, str))
            found.update(map(str, value.get("examples", ())))
            for one in value.values():
                walk(one)
        elif isinstance(value, list):
            for one in value:
                walk(one)

    walk(schema())
    return tuple(sorted(word.encode() for word in found))


class Scenarios(Changed):
    """Scenario files: from the repository, and drawn ones."""

    name, file, weight = "scenario", "case.toml", 8

    def __init__(self) -> None:
        self.words = _words()

    def files(self) -> list[bytes]:
        return [file.read_bytes() for file in sorted((ROOT / "scenarios").glob("*.toml"))]

    def make(self, chance: Random) -> bytes:
        files = self.kept()
        text = Draw(chance).text().encode() if chance.random() < 0.5 else chance.choice(files)
        return changed(chance, text, self.words, files)

    def read(self, file: Path) -> None:
        text = _core.facts(job(file)).resolved
        # Names of files in the resolved scenario are relative to the current folder.
        again = _core.facts(_core.Job(text, "case.toml")).resolved
        if again != text:
            raise BrokenPromiseError("what is written out is read as something else")


class Elements(Changed):
    """Element sets that are read as a constellation."""

    def read(self, file: Path) -> None:
        bp.constellation(file)


class Tle(Elements):
    """Two-line element sets. Most of them get correct checksums."""

    name, file, weight = "tle", "case.tle", 2

    def files(self) -> list[bytes]:
        lines = (ROOT / "data" / "oneweb_2022-09-14.tle").read_bytes().splitlines(keepends=True)
        vallado = (ROOT / "crates" / "orbit" / "tests" / "data" / "SGP4-VER.TLE").read_bytes().splitlines()
        whole = [b"".join(lines[:3]), b"".join(lines[3:12])]
        sets = [line[:69] for line in vallado if line[:2] in (b"1 ", b"2 ")]
        return whole + [b"\n".join(pair) + b"\n" for pair in zip(sets[::2], sets[1::2], strict=True)]

    def make(self, chance: Random) -> bytes:
        case = super().make(chance)
        if chance.random() < 0.2:
            return case
        return b"\n".join(self.summed(line) for line in case.split(b"\n"))

    @staticmethod
    def summed(line: bytes) -> bytes:
        if len(line.rstrip()) != 69:
            return line
        total = sum(byte - 48 if 48 <= byte <= 57 else byte == 45 for byte in line[:68])
        return line[:68] + str(total % 10).encode()


OMM = b"""[{"OBJECT_NAME":"ONEWEB-0012","OBJECT_ID":"2019-010A","EPOCH":"2022-09-14T14:00:01.000224",
"MEAN_MOTION":13.16,"ECCENTRICITY":0.0001833,"INCLINATION":87.91,"RA_OF_ASC_NODE":137.75,"ARG_OF_PERICENTER":91.04,"MEAN_ANOMALY":269.1,
"EPHEMERIS_TYPE":0,"CLASSIFICATION_TYPE":"U","NORAD_CAT_ID":44057,"ELEMENT_SET_NO":999,"REV_AT_EPOCH":17422,
"BSTAR":-2.1e-5,"MEAN_MOTION_DOT":0,"MEAN_MOTION_DDOT":0}]
"""


class OmmJson(Elements):
    """Mean-elements messages as JSON."""

    name, file = "omm-json", "case.json"

    def files(self) -> list[bytes]:
        return [OMM, OMM.replace(b"}]", b"},") + OMM[1:].replace(b"44057", b"44058").replace(b"0012", b"0013")]


class OmmCsv(Elements):
    """Mean-elements messages as CSV."""

    name, file = "omm-csv", "case.csv"

    def files(self) -> list[bytes]:
        import json

        one = json.loads(OMM)[0]
        row = ",".join(str(value) for value in one.values())
        head = ",".join(one)
        return [f"{head}\n{row}\n".encode(), f"{head}\r\n{row}\r\n{row.replace('44057', '44058')}\r\n".encode()]


class OmmXml(Elements):
    """Mean-elements messages as XML."""

    name, file = "omm-xml", "case.xml"

    def files(self) -> list[bytes]:
        import json

        fields = "".join(f"<{key}>{value}</{key}>" for key, value in json.loads(OMM)[0].items())
        omm = f"<omm><body><segment>{fields}</segment></body></omm>"
        return [f"<?xml version='1.0'?><ndm>{omm}</ndm>".encode(), f"<ndm>{omm}{omm}</ndm>".encode()]


class OmmKvn(Elements):
    """Mean-elements messages in key-value notation."""

    name, file = "omm-kvn", "case.kvn"

    def files(self) -> list[bytes]:
        import json

        fields = "\n".join(f"{key} = {value}" for key, value in json.loads(OMM)[0].items())
        one = f"CCSDS_OMM_VERS = 2.0\n{fields}\n"
        return [one.encode(), f"{one}\nCOMMENT two\n{one}".encode()]


class Matrix(Changed):
    """Traffic matrices."""

    name, file = "matrix", "case.csv"
    words = tuple(word.encode() for word in ("from", "to", "count", "start", "size", "s0", "hub", "1 s", "2 MB"))

    def files(self) -> list[bytes]:
        return [b"from,to,count,start,size\ns0,s1,2,1 s,1 MB\ns1,hub,,,\n", b'from,to\n"s0",s1\n# why\nhub,s0\n']

    def read(self, file: Path) -> None:
        (file.parent / "matrix.toml").write_text(
            'duration = "3 s"\nnetwork.star.branches = [{ site = "s0", rate = "1 Mbit/s", delay = "1 ms" }, '
            '{ site = "s1", rate = "1 Mbit/s", delay = "1 ms" }]\n'
            f'traffic = [{{ matrix = "file", file = "{file.name}", controller = "reno" }}]\n'
        )
        _core.facts(job(file.parent / "matrix.toml"))


class Recording(Changed):
    """A file with a link's deliveries or delays, which a flow uses for ten milliseconds."""

    key, rest = "", ""

    def files(self) -> list[bytes]:
        lines = (ROOT / "data" / TRACES[self.key]).read_bytes().splitlines(keepends=True)
        return [b"".join(lines[:40]), b"1\n2\n2\n4\n", b"12\n", b"0\n0\n7\n"]

    def read(self, file: Path) -> None:
        text = f'duration = "10 ms"\nnetwork.dumbbell = {{ {self.key} = "{file.name}", {self.rest} }}\n'
        (file.parent / "recording.toml").write_text(text + 'flows = [{ controller = "reno" }]\n')
        bp.run(file.parent / "recording.toml")


class Deliveries(Recording):
    """Mahimahi's traces."""

    name, file, key, rest = "deliveries", "case.up", "trace", 'rtt = "2 ms"'


class Delays(Recording):
    """Recorded delays."""

    name, file, key, rest = "delays", "case.delays", "delay_trace", 'rate = "10 Mbit/s"'


#: A run whose folder has rows in every table.
RUN = """
name = "read again"
duration = "300 ms"
network.chain = { links = 2, link = { rate = "2 Mbit/s", delay = "5 ms", queue = "4 packets" } }
flows = [{ controller = "cubic" }, { kind = "ping", interval = "50 ms" }]
record = { packets = true, interval = "50 ms" }
"""


class OfAFolder(Changed):
    """A file of a run folder whose other files are undamaged."""

    run = RUN

    def base(self, place: Path) -> Path:
        """Return an undamaged folder, which is made once in each place."""
        folder = place / f"run of {self.name}"
        if not folder.exists():
            bp.run(self.run, out=folder)
            # With the digests, every case would be refused, and no reader would read one.
            without_digests(folder)
        return folder

    def files(self) -> list[bytes]:
        import tempfile

        with tempfile.TemporaryDirectory() as place:
            return [(self.base(Path(place)) / self.file).read_bytes()]

    def judge(self, case: bytes, place: Path) -> str:
        folder = self.base(place)
        file = folder / self.file
        whole = file.read_bytes()
        file.write_bytes(case)
        try:
            self.read(folder)
        except bp.BentpipeError as error:
            return refused(error, folder)
        finally:
            file.write_bytes(whole)
        return "read"

    def read(self, file: Path) -> None:
        run = bp.load(file)
        run.numbers()
        run.busiest_links()
        assert isinstance(run.name, str)
        _ = run.findings, run.warnings, repr(run)


class SummaryOfARun(OfAFolder):
    """Its summary."""

    name, file, weight = "summary", "summary.json", 2


class ScenarioOfARun(OfAFolder):
    """Its scenario."""

    name, file = "resolved", "scenario.toml"


class TableOfARun(OfAFolder):
    """One of the tables of the run folder."""

    name, file, weight = "table", "flows.parquet", 3

    def read(self, file: Path) -> None:
        run = bp.load(file)
        for name in TABLES:
            table = run._tables(name)
            table.to_csv()


class Report(OfAFolder):
    """The page about a run from a folder with one changed file. It takes a third of a second."""

    weight = 0.01

    def read(self, file: Path) -> None:
        bp.load(file).report(file / "report.html")


class ReportOfSummary(Report):
    """Its summary."""

    name, file = "report-summary", "summary.json"


class ReportOfScenario(Report):
    """The scenario of the run folder, which has satellites, so the page has a map."""

    name, file = "report-scenario", "scenario.toml"
    run = """
name = "satellites"
duration = "2 s"
network.constellation.preset = "o3b"
flows = [{ controller = "reno", from = "London", to = "Madrid" }]
"""


READINGS: list[Target] = [
    *(Scenarios(), Tle(), OmmJson(), OmmCsv(), OmmXml(), OmmKvn(), Matrix(), Deliveries(), Delays()),
    *(SummaryOfARun(), ScenarioOfARun(), TableOfARun(), ReportOfSummary(), ReportOfScenario()),
]
