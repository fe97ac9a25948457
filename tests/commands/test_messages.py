# SPDX-License-Identifier: MIT OR Apache-2.0
"""What a user reads when a scenario, a file or an output is wrong: the place, plain words, all of it at once."""

from __future__ import annotations

import json
import os
import random
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pyarrow.parquet as pq
import pytest

import bentpipe as bp
from earlier import without_digests
from project import SMALL, Command

#: Line 4 is the network, line 5 the flow.
NETWORK, FLOW = SMALL.splitlines()[3:5]
ORBIT = """
duration = "2 s"
[network.constellation]
catalogue = "sats.tle"
user_link = { rate = "1 Mbit/s" }
[[flows]]
from = "Berkeley"
to = "Boston"
controller = "reno"
"""


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (SMALL.replace('"reno"', '"CUBIC"'), ["5: flows[0].controller: ", "did you mean `cubic`?"]),
        (SMALL.replace('"reno"', '{ name = "cubic", Beta = 0.7 }'), ["5: flows[0].controller.Beta: ", "`beta`"]),
        (SMALL.replace('"reno"', '{ name = "cubic", beta = 1e-300 }'), ["5: flows[0].controller.beta: ", " 1e-300;"]),
        (SMALL.replace("reno", "jersey"), ["5: flows[0].controller: ", "congestion-warning"]),
        (SMALL.replace('rate = "5 Mbit/s"', 'trace = "no.trace"'), ["4: network.dumbbell.trace: ", "no such file"]),
        (SMALL.replace('rate = "5 Mbit/s"', 'trace = "/"'), ["4: network.dumbbell.trace: ", "it is a folder"]),
        (SMALL.replace('rate = "5 Mbit/s"', 'trace = "/dev/zero"'), ["trace: ", "it is a device, not a file"]),
        (SMALL.replace('rate = "5 Mbit/s"', 'trace = "bad.trace"'), ["4: network.dumbbell.trace: ", "line 2"]),
        (ORBIT, ["4: network.constellation.catalogue: ", "no such file"]),
        (ORBIT.replace("sats.tle", "/dev/zero"), ["constellation.catalogue: ", "it is a device"]),
        (ORBIT.replace("sats.tle", "pipe"), ["constellation.catalogue: ", "it is a pipe"]),
        (ORBIT.replace("sats.tle", "vast"), ["constellation.catalogue: ", "more than 256 MB"]),
        (SMALL.replace("reno", 'reno", from = "LEFT'), ["5: flows[0].from: ", 'did you mean "left"?']),
    ],
)
def test_the_place_and_the_reason(cli: Command, tmp_path: Path, text: str, says: list[str]) -> None:
    (tmp_path / "bad.toml").write_text(text)
    (tmp_path / "bad.trace").write_text("1\nx\n")
    os.mkfifo(tmp_path / "pipe")
    with (tmp_path / "vast").open("wb") as vast:
        vast.truncate(10**9)  # no byte of it is on the disk
    done = cli("run", "bad.toml")
    assert (done.returncode, done.stdout) == (2, "")
    assert "Traceback" not in done.stderr
    for word in ("bad.toml:", *says):
        assert word in done.stderr
    assert not re.search(r"0\.0000000", done.stderr)
    assert "os error" not in done.stderr


def test_all_faults_at_once(cli: Command, tmp_path: Path) -> None:
    # Wrongly written.
    (tmp_path / "bad.toml").write_text("""
durration = "2 s"
network.dumbbell = { rate = 5, rtt = "40 parsec", queu = "1 BDP" }
flows = [{ controller = "reno", count = 0 }, { controller = "reno", start = "-1 s" }]
""")
    done = cli("run", "bad.toml")
    assert done.returncode == 2
    lines = done.stderr.splitlines()
    for line, key in (
        (2, "durration"),
        (3, "network.dumbbell.rate"),
        (3, "network.dumbbell.rtt"),
        (3, "network.dumbbell.queu"),
        (4, "flows[0].count"),
        (4, "flows[1].start"),
    ):
        assert len([one for one in lines if f"bad.toml:{line}: {key}: " in one]) == 1, done.stderr
    assert lines[0].startswith("error[")
    # Rightly written, and contradictory.
    (tmp_path / "bad.toml").write_text("""
duration = "2 s"
warm_up = "3 s"
network.dumbbell = { rate = "5 Mbit/s", rtt = "40 ms" }
record.packets = { from = "2 s", to = "1 s" }
[[flows]]
controller = { name = "cubic", beta = 7.0, betta = 1 }
from = "lefft"
[[flows]]
controller = "renno"
start = "9 s"
""")
    done = cli("run", "bad.toml")
    for line, key in (
        (3, "warm_up"),
        (5, "record.packets"),
        (7, "flows[0].controller.beta"),
        (7, "flows[0].controller.betta"),
        (8, "flows[0].from"),
        (10, "flows[1].controller"),
        (11, "flows[1].start"),
    ):
        assert f"bad.toml:{line}: {key}: " in done.stderr, done.stderr


def test_many_faults_are_counted(cli: Command, tmp_path: Path) -> None:
    flows = ", ".join(['{ controller = "renno" }'] * 100)
    (tmp_path / "bad.toml").write_text(SMALL.replace(FLOW, f"flows = [{flows}]"))
    done = cli("run", "bad.toml")
    assert done.stderr.splitlines()[-1] == "and 80 more"


def test_a_duration_is_answered_in_its_own_unit(cli: Command, small: Path) -> None:
    done = cli("run", small, "--duration", "31 d")
    assert done.returncode == 2
    assert 'duration: "31 d" is too large' in done.stderr
    assert "30 d" in done.stderr
    assert "744" not in done.stderr


def test_another_duration_is_checked_where_the_flows_are_written(cli: Command, tmp_path: Path) -> None:
    (tmp_path / "late.toml").write_text(SMALL.replace('"reno"', '"reno", start = "1 s"'))
    done = cli("run", "late.toml", "--duration", "500 ms")
    assert done.returncode == 2
    assert "late.toml:5: flows[0].start: the flow starts at 1 s" in done.stderr


def test_a_wrong_name_is_refused_before_anything_runs(cli: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    class RunsError(Exception):
        pass

    def run_many(*_arguments: object, **_options: object) -> None:
        raise RunsError

    monkeypatch.setattr("bentpipe._core.run_many", run_many)
    with pytest.raises(RunsError):
        cli("validate", "--quick", "reno")
    done = cli("validate", "--quick", "nope", "reno")
    assert done.returncode == 2
    assert done.stderr.startswith("error[controller-unknown]: ")


@pytest.mark.parametrize("what", ["/dev/zero", "/", "pipe", "vast"])
@pytest.mark.parametrize(
    "command",
    [
        "run {}",
        "compare {} --controllers reno",
        "run small.toml --plugin {}",
        "bottlenecks {}",
        "path --pairs {} --constellation iridium",
    ],
)
def test_files_that_are_none(cli: Command, small: Path, tmp_path: Path, what: str, command: str) -> None:
    os.mkfifo(small.with_name("pipe"))
    with (tmp_path / "vast").open("wb") as vast:
        vast.truncate(10**9)
    done = cli(*command.format(what).split())
    assert (done.returncode, done.stdout) == (2, "")
    assert f"{what}: it " in done.stderr


def test_catalogues_that_are_no_files(cli: Command, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.tle")
    for what in ("pipe.tle", "none.tle"):
        done = cli("path", "London", "Paris", "--constellation", what)
        assert (done.returncode, done.stdout) == (2, "")
        assert f"cannot read the satellites of {what}: " in done.stderr


def test_a_folder_of_catalogues_is_named_as_a_folder(cli: Command, tmp_path: Path) -> None:
    (tmp_path / "sky").mkdir()
    done = cli("path", "London", "Paris", "--constellation", "sky")
    assert (done.returncode, done.stdout) == (2, "")
    assert '"sky" is a folder (name a file of orbital elements in this folder; its name ends in .tle' in done.stderr
    sky = 'network.constellation = { catalogue = "sky", user_link = { rate = "1 Mbit/s" } }'
    flow = '{ kind = "ping", from = "Rome", to = "Oslo" }'
    (tmp_path / "s.toml").write_text(f'duration = "1 s"\n{sky}\nflows = [{flow}]\n')
    done = cli("run", "s.toml")
    assert done.returncode == 2
    assert "cannot read the satellites of sky: it is a folder, not a file" in done.stderr


def test_only_a_trace_that_is_not_there_is_looked_for_elsewhere(tmp_path: Path) -> None:
    """The hint about the folder of the scenario would mislead where the file is there and cannot be read."""
    (tmp_path / "p.csv").write_bytes("time_s,rate_mbit_s\n0,1\n".encode("utf-16"))
    for name, said in (("p.csv", "it is UTF-16 text"), ("q.csv", "there is no such file")):
        with pytest.raises(bp.ScenarioError, match=said) as caught:
            bp.run(SMALL.replace('rate = "5 Mbit/s"', f'path_trace = "{tmp_path}/{name}"'))
        assert ("relative to the folder of the scenario" in caught.value.message) == (name == "q.csv")


# ---- damaged run folders -----------------------------------------------------------------------------------------


def damaged(folder: Path, name: str, change: object) -> None:
    file = folder / name
    if isinstance(change, bytes):
        held = bytearray(file.read_bytes())
        middle = len(held) // 2
        held[middle : middle + len(change)] = change
        file.write_bytes(held)
    else:
        summary = json.loads(file.read_text())
        summary["flows"][0]["goodput_mbit_s"] = change
        file.write_text(json.dumps(summary))


@pytest.mark.parametrize("command", ["plot", "report"])
@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("scenario.toml", b"\xff\xfe"),
        ("summary.json", "x"),
        ("summary.json", None),
        ("summary.json", True),
        ("flows.parquet", b"\x00" * 400),
        ("flows.parquet", b"\xff" * 100),
        ("links.parquet", b"\xff" * 100),
    ],
)
def test_a_damaged_folder(cli: Command, small: Path, tmp_path: Path, command: str, name: str, change: object) -> None:
    assert cli("run", small, "--out", "r").returncode == 0
    damaged(tmp_path / "r", name, change)
    done = cli(command, "r")
    assert "Traceback" not in done.stderr
    if name == "links.parquet" and done.returncode == 0:
        return  # its rows are not drawn
    assert done.returncode == 1
    assert done.stderr.startswith("error[folder-damaged]: the run folder is damaged: ")
    assert name in done.stderr
    assert "(make the run again)" in done.stderr


def test_flipped_bytes_end_in_an_error_of_ours(small: Path, tmp_path: Path) -> None:
    whole = bp.run(small, out=tmp_path / "r").folder
    assert whole is not None
    codes = set()
    chance = random.Random(1)  # noqa: S311 - damage, not secrets
    for file in sorted(whole.iterdir()):
        held = file.read_bytes()
        for _ in range(8):
            bad = bytearray(held)
            for _ in range(chance.choice((1, 4))):
                bad[chance.randrange(len(bad))] = chance.randrange(256)
            file.write_bytes(bad)
            try:
                run = bp.load(whole)
                for name in ("flows", "links", "paths", "events"):
                    len(getattr(run, name))
                run.plot()
            except bp.RunError as error:
                codes.add(error.code)
            file.write_bytes(held)
    assert codes == {"folder-damaged", "folder-cut-off"}


def parts(value: object, place: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """The places of everything in a summary; of a list its first."""
    if place:
        yield place
    inner = value.items() if isinstance(value, dict) else enumerate(value[:1]) if isinstance(value, list) else ()
    for key, one in inner:
        yield from parts(one, (*place, key))


def test_a_summary_without_one_of_its_keys_or_with_another_type_is_refused(small: Path, tmp_path: Path) -> None:
    whole = bp.run(small, out=tmp_path / "r")
    file = tmp_path / "r" / "summary.json"
    places = list(parts(whole.summary))
    assert {("totals", "loss_ratio_queue"), ("flows", 0, "rtt_ms", "p95"), ("bottleneck",)} <= set(places)
    # No key may stand for any value: NaN and 1e999 are none of JSON's, and what follows a number is no list.
    for bad in (None, [[]], float("nan"), "1e999"):
        for place in places:
            summary = json.loads(json.dumps(whole.summary))
            at = summary
            for key in place[:-1]:
                at = at[key]
            if bad is None and isinstance(place[-1], int):
                continue  # a shorter list
            if bad is None and place == ("provenance", "identity"):
                continue  # there is none where nobody can tell what a controller in Python does
            if bad is None:
                del at[place[-1]]
            else:
                at[place[-1]] = bad
            file.write_text(json.dumps(summary).replace('"1e999"', "1e999"))
            with pytest.raises(bp.RunError) as error:
                bp.load(tmp_path / "r")
            assert error.value.code == "folder-damaged", (place, bad)
            assert "summary.json" in error.value.message


def test_what_nests_deeply_is_refused(small: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def loads(_text: str) -> None:
        pytest.fail("Python's reader of TOML takes minutes for such a text")

    monkeypatch.setattr("tomllib.loads", loads)
    assert bp.run(small, out=tmp_path / "r")
    without_digests(tmp_path / "r")
    for deep in (".".join("a" * 50_000) + " = 1", "x = " + "[" * 50_000, "[" + ".".join("a" * 50_000) + "]"):
        (tmp_path / "r" / "scenario.toml").write_text(deep + "\n")
        with pytest.raises(bp.RunError, match=r"scenario\.toml.*nested too deeply"):
            bp.load(tmp_path / "r")
        with pytest.raises(bp.ScenarioError, match="nested too deeply"):
            bp.run(deep + "\n")
        with pytest.raises(bp.ScenarioError, match="nested too deeply"):
            bp.sweep(deep + "\n")


def test_an_older_folder_is_read_without_the_names_of_flows(small: Path, tmp_path: Path) -> None:
    made = bp.run(small, out=tmp_path / "r")
    assert set(made.flows["name"]) == {flow["name"] for flow in made.summary["flows"]} == {"reno"}
    file = without_digests(tmp_path / "r") / "flows.parquet"
    for column, fine in (("name", True), ("phase", False)):
        file.write_bytes(b"")
        pq.write_table(made.flows.arrow.drop_columns([column]), file)
        if fine:
            assert "name" not in bp.load(tmp_path / "r").flows.columns
            assert bp.load(tmp_path / "r").report(tmp_path / "report.html").exists()
        else:
            with pytest.raises(bp.RunError, match="it has no column phase"):
                _ = bp.load(tmp_path / "r").flows


# ---- output ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("command", ["run {}", "--help", "controllers", "run {} --json", "schema scenario"])
def test_full_output(small: Path, command: str) -> None:
    words = [sys.executable, "-m", "bentpipe", *command.format(small).split()]
    with open("/dev/full", "w") as full:  # noqa: PTH123 - a device
        done = subprocess.run(words, stdout=full, stderr=subprocess.PIPE, text=True)
    assert done.returncode == 1, done.stderr
    assert "error[output-unwritable]: cannot write the output: No space left on device" in done.stderr
    assert "Traceback" not in done.stderr
    assert "Exception ignored" not in done.stderr


def test_closed_output(small: Path) -> None:
    command = f"{sys.executable} -m bentpipe run {small} >&-"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")


def test_a_poor_encoding(small: Path) -> None:
    environment = {**os.environ, "PYTHONIOENCODING": "ascii"}
    words = [sys.executable, "-m", "bentpipe", "compare", str(small), "--controllers", "reno", "--seeds", "2"]
    done = subprocess.run(words, capture_output=True, text=True, env=environment, cwd=small.parent)
    assert done.returncode == 0, done.stderr


def test_names_do_not_steer_the_terminal(cli: Command, tmp_path: Path) -> None:
    (tmp_path / "x.toml").write_text(SMALL.replace('"small"', '"a\\u001b[31mb"'))
    done = cli("run", "x.toml")
    assert done.returncode == 0, done.stderr
    assert "\x1b" not in done.stdout
    assert "a\\x1b[31mb" in done.stdout


def test_many_flows_are_not_all_printed(cli: Command, tmp_path: Path) -> None:
    (tmp_path / "x.toml").write_text(SMALL.replace('"reno"', '"reno", count = 150'))
    done = cli("run", "x.toml", "--duration", "100 ms")
    assert "110 more flows" in done.stdout
    assert len(done.stdout.splitlines()) < 120


def test_what_runs_can_be_compared_and_swept(cli: Command, tmp_path: Path) -> None:
    # TOML 1.1 has line breaks and a last comma in inline tables; Python's own reader knows TOML 1.0.
    text = SMALL.replace('{ rate = "5 Mbit/s", rtt', '{\n  rate = "5 Mbit/s",\n  rtt').replace(
        '"40 ms" }', '"40 ms",\n}'
    )
    (tmp_path / "new.toml").write_text(text)
    assert cli("run", "new.toml").returncode == 0
    done = cli("compare", "new.toml", "--controllers", "reno", "--seeds", 1)
    assert done.returncode == 0, done.stderr
    (tmp_path / "sweep.toml").write_text(
        'base = "new.toml"\n[seeds]\nat_least = 2\n[axes]\n"network.dumbbell.rate" = [\n"5 Mbit/s", # \n"6 Mbit/s"]\n'
    )
    done = cli("sweep", "sweep.toml", "--dry-run")
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    "change",
    [
        ('"reno"', '"{}"'),
        ("flows =", "{} = 1\nflows ="),
        ("controller =", "{} = 1, controller ="),
        ('"reno"', '{{ name = "cubic", {} = 1 }}'),
        ('"reno"', '"reno", from = "{}"'),
        ('"5 Mbit/s"', '"{}"'),
        ('"5 Mbit/s"', '["{}"]'),
        ("duration", 'record = {{ pcap = ["{}"] }}\nduration'),
        ("network.dumbbell", 'network.preset = "{}"\nnetwork.dumbbell'),
    ],
)
@pytest.mark.parametrize("piece", ["A", "a b "])
def test_words_of_megabytes_are_refused_shortly(change: tuple[str, str], piece: str) -> None:
    """Eight million characters: what grows with their square, or with a hundred times their number, would not end."""
    if " " in piece and not change[1].strip().startswith('"'):
        piece = "ab"
    old, new = change
    text = SMALL.replace(old, new.format(piece * (8_000_000 // len(piece))), 1)
    with pytest.raises(bp.ScenarioError) as caught:
        bp.run(text)
    assert len(str(caught.value)) < 10_000


def test_a_name_with_a_line_break_is_no_scenario(cli: Command) -> None:
    done = cli("run", "no\nfile.toml")
    assert (done.returncode, "the name of the file contains a line break" in done.stderr) == (2, True)


def test_an_empty_store_is_refused(cli: Command) -> None:
    done = cli("sweep", "sweep.toml", "--store", "")
    assert (done.returncode, "argument --store: the name is empty" in done.stderr) == (2, True)


def test_a_headerless_path_trace_is_named_as_such(tmp_path: Path) -> None:
    (tmp_path / "p.csv").write_text("0,10,20\n1,10,20\n")
    with pytest.raises(bp.ScenarioError, match=r"line 1: \"0,10,20\" is a row of values instead of a header"):
        bp.run(SMALL.replace('rate = "5 Mbit/s", rtt = "40 ms"', f'path_trace = "{tmp_path}/p.csv"'))


@pytest.mark.parametrize("ends", ["\n", "\r\n", "\r"])
def test_every_csv_may_have_quotes_and_any_line_ends(tmp_path: Path, ends: str) -> None:
    """RFC 4180; the byte order mark is that of spreadsheets."""

    def written(name: str, *rows: str) -> Path:
        (tmp_path / name).write_bytes(("\ufeff" + ends.join(rows) + ends).encode())
        return tmp_path / name

    trace = written("p.csv", '"time_s","rate_mbit_s","delay_ms"', '"0","10","20"')
    link = SMALL.replace('rate = "5 Mbit/s", rtt = "40 ms"', f'path_trace = "{trace}"')
    rows = bp.path_trace(link, step="1 s")
    assert (rows["rate_mbit_s"], rows["delay_ms"]) == ([10, 10], [20, 20])

    law = written("law.csv", '"bytes","share"', '"1000","0.5"', '2000,"1"')
    size = f'kind = "transfers", load = 0.5, size = {{ law = "file", file = "{law}" }}, controller'
    assert "transfers" in bp.run(SMALL.replace("controller", size)).scenario

    matrix = written("m.csv", '"from","to"', '"Rome","Oslo"')
    traffic = (
        f'duration = "1 s"\nnetwork.constellation.preset = "iridium"\n[[traffic]]\nmatrix = "file"\nfile = "{matrix}"\n'
    )
    assert bp.run(traffic + 'controller = "reno"\n').summary["flows"][0]["name"] == "Rome > Oslo"


def test_a_trace_that_ends_in_an_outage_is_told_how_to_end(tmp_path: Path) -> None:
    (tmp_path / "p.csv").write_text("time_s,rate_mbit_s,delay_ms\n0,10,20\n1,0,30\n")
    text = SMALL.replace('rate = "5 Mbit/s", rtt = "40 ms"', f'path_trace = "{tmp_path}/p.csv", END')
    with pytest.raises(bp.ScenarioError, match=r'the last rate is 0.*trace_end = "stop"'):
        bp.run(text.replace(", END", ""))
    run = bp.run(text.replace("END", 'trace_end = "stop"'))
    assert run.summary["totals"]["delivered_mbit_s"] > 0


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("passes", "-33.9,18.4"), "-33.9,18.4 under iridium"),
        (("path", "-18,178.4", "-13.8,-172"), "-18,178.4 to -13.8,-172 over"),
        (("path", "--pair", "-33.9,18.4:London"), "-33.9,18.4 to London over"),
        (("path", "--pair=-33.9,18.4,50 m:-.5,7"), "-33.9,18.4,50 m to -.5,7 over"),
        (("constellations", "--pair", "-33.9,18.4:London", "--out", "m.png"), "picture: m.png"),
    ],
)
def test_a_place_south_of_the_equator_is_no_option(cli: Command, words: tuple[str, ...], said: str) -> None:
    command, *more = words
    sky = ["iridium"] if command == "constellations" else ["--constellation", "iridium", "--duration", "30 min"]
    done = cli(command, *sky, *more)
    assert done.returncode == 0, done.stderr
    assert said in done.stdout + done.stderr


def test_what_takes_long_or_much_is_announced(small: Path, cli: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bentpipe.cli.run._MUCH_BYTES", 1e3)
    monkeypatch.setattr("bentpipe.cli.run._SHOWN_BYTES", 1e3)
    done = cli("run", small, "--out", "r")
    assert re.search(
        r"^about .* of CPU time and .* of disk space, accurate to a factor of three", done.stderr, re.MULTILINE
    )
    assert "on the disk" not in cli("run", small).stderr
    monkeypatch.setattr("bentpipe.cli.run._MUCH_CPU_S", 0.0)
    assert re.search(r"^about .* of CPU time, accurate to", cli("run", small).stderr, re.MULTILINE)


@pytest.mark.parametrize("number", ["٣", "0", "-1", "1.5", "1_000", ""])
def test_a_number_of_threads_is_written_in_digits(small: Path, cli: Command, number: str) -> None:
    done = cli("run", small, f"--threads={number}")
    assert (done.returncode, f'"{number}" is not a whole number from 1 to 10000' in done.stderr) == (2, True)
