# SPDX-License-Identifier: MIT OR Apache-2.0
"""Paths carried out of Bentpipe and into it: what is expected is worked by hand, or is the sky's and real tools'."""

from __future__ import annotations

import math
import subprocess
from pathlib import Path

import pytest

import bentpipe as bp
import needs
from project import ROOT, Command

# 12 Mbit/s are a packet of 1500 bytes every millisecond.
STEPPED = """
name = "stepped"
duration = "3 s"
[network.dumbbell]
rate_steps = [{ at = "0 s", rate = "12 Mbit/s" }, { at = "1 s", rate = "24 Mbit/s" }, { at = "2 s", rate = "6 Mbit/s" }]
delay_steps = [["0 s", "20 ms"], ["1.5 s", "30.25 ms"]]
queue = "100 packets"
loss = { per = 0.01, spans = [["0.5 s", "0.6 s"]] }
[[flows]]
controller = "cubic"
"""

IDEAL = """
duration = "1 s"
network.dumbbell = { rate = "unlimited", rtt = "9 ms", loss = { per = 0.1 } }
flows = [{ controller = "reno" }]
"""


def body(text: str) -> str:
    """A CSV without where it comes from."""
    return "".join(line for line in text.splitlines(keepends=True) if not line.startswith("#"))


def written(text: str, out: Path, **asked: str) -> dict[str, str]:
    made = bp.export(text, out, **asked)  # type: ignore[arg-type]
    return {file.name: file.read_text() for file in made.files}


def imported(folder: Path, duration: str, flow: str = 'controller = "cubic"', more: str = "") -> str:
    return f"""
duration = "{duration}"
[network.dumbbell]
path_trace = "{folder}/forward.csv"
reverse = {{ path_trace = "{folder}/return.csv" }}
{more}
[[flows]]
{flow}
"""


def test_steps_are_what_the_scenario_says() -> None:
    rows = bp.path_trace(STEPPED, step="250 ms").arrow.to_pylist()
    assert [row["time_s"] for row in rows] == [0.25 * at for at in range(12)]
    assert [row["rate_mbit_s"] for row in rows] == [12.0] * 4 + [24.0] * 4 + [6.0] * 4
    assert [row["delay_ms"] for row in rows] == [20.0] * 6 + [30.25] * 6
    assert [row["loss_ratio"] for row in rows] == [pytest.approx(0.01)] * 12
    # The span of 100 ms is all in the third step of 250.
    assert [row["outage_ratio"] for row in rows] == [0, 0, pytest.approx(0.4), *[0] * 9]
    back = bp.path_trace(STEPPED, direction="return", step="1 s")
    assert (back["loss_ratio"], back["outage_ratio"]) == ([0, 0, 0], [0, 0, 0])


def test_hosts_links_and_hops_count() -> None:
    text = """
duration = "1 s"
[network.chain]
links = [{ rate = "9 Mbit/s", delay = "5 ms", loss = { per = 0.1 } }, { rate = "8 Mbit/s", delay = "7 ms" }]
[[flows]]
name = "far"
controller = "reno"
from = "0"
to = "2"
access = { rate = "10 Mbit/s", delay = "1 ms", loss = { per = 0.5 } }
"""
    # 1 + 5 + 7 + 1 ms; passes 0.5 x 0.9 x 0.5.
    for direction in ("forward", "return"):
        (row,) = bp.path_trace(text, flow="far", direction=direction, step="1 s").arrow.to_pylist()
        assert row["rate_mbit_s"] == 8.0
        assert row["delay_ms"] == 14.0
        assert row["loss_ratio"] == pytest.approx(1 - 0.225)


def test_delays_over_satellites_are_those_of_the_sky() -> None:
    file = ROOT / "scenarios" / "iridium-berkeley-boston.toml"
    # Routes of a run are computed anew every so often; the sky's at each of these steps.
    ours = bp.path_trace(file, flow="hybla-im 7", duration="300 s", step="10 s")
    sky = bp.path("Berkeley", "Boston", constellation=file, duration="300 s", step="10 s")
    assert len(set(sky["via"])) > 2
    for at, delay, wanted in zip(ours["time_s"], ours["delay_ms"], sky["one_way_delay_ms"], strict=False):
        assert delay == pytest.approx(wanted + 2, abs=1e-3), at  # 1 ms at each host
    hops = sky["links"][0]
    assert ours["rate_mbit_s"][0] == 1.5
    assert ours["loss_ratio"][0] == pytest.approx(1 - (1 - 1e-4) ** (hops - 2))


def test_the_combined_csv_in_full(tmp_path: Path) -> None:
    files = written(STEPPED, tmp_path / "out", format="csv")
    assert body(files["forward.csv"]) == (
        "time_s,rate_mbit_s,delay_ms,loss_ratio\n"
        "0,12,20,0.01\n0.5,12,20,1\n0.6,12,20,0.01\n1,24,20,0.01\n1.5,24,30.25,0.01\n2,6,30.25,0.01\n3,6,30.25,0.01\n"
    )
    assert body(files["return.csv"]).splitlines()[1:] == [
        "0,12,20,0",
        "1,24,20,0",
        "1.5,24,30.25,0",
        "2,6,30.25,0",
        "3,6,30.25,0",
    ]
    one = tmp_path / "one.csv"
    made = bp.export(STEPPED, one, format="csv", direction="return")
    assert made.files == (one,)
    assert one.read_text() == files["return.csv"]


def test_what_is_read_back_goes_out_the_same(tmp_path: Path) -> None:
    scenario = ROOT / "scenarios" / "iridium-berkeley-boston.toml"
    for number, (source, duration) in enumerate(((STEPPED, "3 s"), (scenario, "30 s"))):
        first, second = tmp_path / f"{number}a", tmp_path / f"{number}b"
        bp.export(source, first, format="csv", duration=duration)
        bp.export(imported(first, duration), second, format="csv")
        for way in ("forward.csv", "return.csv"):
            assert body((first / way).read_text()) == body((second / way).read_text()), way


def numbers(run: bp.Run) -> tuple[float, float]:
    flow = run.summary["flows"][0]
    return flow["goodput_mbit_s"], flow["rtt_ms"]["mean"]


def test_a_trace_that_never_changes_is_the_plain_link(tmp_path: Path) -> None:
    head = 'duration = "20 s"\nnetwork.dumbbell = { '
    tail = ', queue = "60 packets" }\nflows = [{ controller = "cubic" }]\n'
    plain = bp.run(
        f'{head}rate = "20 Mbit/s", rtt = "50 ms", loss = {{ per = 1e-3 }}, reverse = {{ queue = "60 packets" }}{tail}'
    )
    (tmp_path / "p.csv").write_text("time_s,rate_mbit_s,delay_ms,loss_ratio\n0,20,25,0.001\n9,20,25,0.001\n")
    (tmp_path / "q.csv").write_text("time_s,delay_ms,rate_mbit_s\n0,25,20\n")
    traced = bp.run(f'{head}path_trace = "{tmp_path}/p.csv", reverse = {{ path_trace = "{tmp_path}/q.csv" }}{tail}')
    assert traced.summary["flows"] == plain.summary["flows"]
    assert traced.flows.arrow.equals(plain.flows.arrow)


SATELLITES = """
duration = "40 s"
[network.constellation]
preset = "iridium"
isl = { rate = "25 Mbit/s", queue = "100 packets" }
user_link = { rate = "5 Mbit/s", queue = "100 packets" }
[[flows]]
from = "Berkeley"
to = "Boston"
controller = "cubic"
"""


def test_a_run_over_the_trace_is_like_the_run_over_satellites(tmp_path: Path) -> None:
    """All links of a path become one: the path sends each packet again, for 2.4 ms on the last and 0.48 on others."""
    bp.export(SATELLITES, tmp_path / "out", format="csv")
    original = bp.run(SATELLITES)
    traced = bp.run(imported(tmp_path / "out", "40 s", more='queue = "100 packets"'))
    (goodput, rtt_ms), (ours, our_rtt_ms) = numbers(original), numbers(traced)
    assert ours == pytest.approx(goodput, rel=0.01)
    hops = original.paths["links"][0]
    serial_ms = 2.4 + 0.48 * (hops - 2) + 0.2  # and ACKs, on the way back
    assert 0 < rtt_ms - our_rtt_ms < 2 * serial_ms
    # Second by second, once slow start is over.
    series = [
        [sum(run.flows["goodput_mbit_s"][at : at + 10]) / 10 for at in range(50, 390, 10)] for run in (original, traced)
    ]
    for there, here in zip(*series, strict=True):
        assert here == pytest.approx(there, abs=0.25)


def test_a_run_over_the_trace_is_like_the_run_over_steps(tmp_path: Path) -> None:
    """The same times of the same events: the one link is one link."""
    text = STEPPED.replace('loss = { per = 0.01, spans = [["0.5 s", "0.6 s"]] }', "")
    bp.export(text, tmp_path / "out", format="csv")
    original, traced = bp.run(text), bp.run(imported(tmp_path / "out", "3 s", more='queue = "100 packets"'))
    assert traced.flows.arrow.equals(original.flows.arrow)


def test_it_holds_or_wraps(tmp_path: Path) -> None:
    (tmp_path / "p.csv").write_text("time_s,rate_mbit_s,delay_ms\n0,10,20\n1,2,20\n2,2,20\n")
    text = f"""
duration = "60 s"
network.dumbbell = {{ path_trace = "{tmp_path}/p.csv", trace_end = "END", queue = "40 packets" }}
flows = [{{ kind = "cbr", rate = "12 Mbit/s" }}]
"""
    rates = {end: bp.run(text.replace("END", end)).summary["totals"]["delivered_mbit_s"] for end in ("hold", "wrap")}
    # One second of 10 Mbit/s and 59 of 2, or 30 of each; the queue holds 0.5 % of it at most.
    assert rates["hold"] == pytest.approx((10 + 59 * 2) / 60, rel=0.005)
    assert rates["wrap"] == pytest.approx(6, rel=0.005)
    again = bp.path_trace(text.replace("END", "wrap"), step="1 s")["rate_mbit_s"]
    assert again == [10.0, 2.0] * 30


def test_loss_over_time_is_drawn_by_the_seed(tmp_path: Path) -> None:
    (tmp_path / "loss.csv").write_text("time_s,loss_ratio\n0,0\n10,0.1\n20,0\n")
    text = f"""
duration = "30 s"
network.dumbbell = {{ rate = "12 Mbit/s", rtt = "20 ms", path_trace = "{tmp_path}/loss.csv" }}
flows = [{{ kind = "cbr", rate = "6 Mbit/s", packet = "1500 B" }}]
record.interval = "10 s"
"""
    first, same, other = bp.run(text), bp.run(text), bp.run(text, seed=2)
    assert first.links.arrow.equals(same.links.arrow)
    lost = [run.links["dropped_error"][::2] for run in (first, other)]
    assert lost[0] != lost[1]
    for before, meanwhile, after in lost:
        # 5000 packets of 1500 bytes in 10 s; five standard deviations of a binomial.
        # A loss is counted when the packet would have come: up to 10 ms, 5 packets, later.
        assert before == 0
        assert after <= 5
        assert abs(meanwhile - 500) < 5 * math.sqrt(5000 * 0.1 * 0.9)


def test_deliveries_of_mahimahi_are_the_packets_of_the_rate(tmp_path: Path) -> None:
    files = written(STEPPED, tmp_path / "out", format="mahimahi")
    # 12 Mbit/s: one a ms; 24: two; 6: one every other ms.
    wanted = [*range(1, 1001), *(ms for ms in range(1001, 2001) for _ in "ab"), *range(2002, 3001, 2)]
    assert [int(line) for line in files["down"].splitlines()] == wanted
    # No path from 500 to 600 ms: nothing leaves then.
    assert [int(line) for line in files["up"].splitlines()] == [ms for ms in wanted if not 500 < ms <= 600]
    command = files["run.sh"].splitlines()[-1]
    # Delays: 1.5 s of 20 ms and 1.5 s of 30.25; there without the 100 ms.
    assert command == (
        'exec mm-delay 25 mm-loss uplink 0.01 mm-link "$here/up" "$here/down" --uplink-queue=droptail '
        '--uplink-queue-args=packets=100 --downlink-queue=droptail --downlink-queue-args=packets=100 -- "$@"'
    )
    said = files["run.sh"]
    words = (
        "delay is 20.000 to 30.250 ms (mean 25.302); mm-delay has 25 ms in both directions, so the error is up to "
        "5.250 ms"
    )
    assert words in said
    assert "for 0.100 s the flow has no path, or all packets are lost" in said


def test_mahimahi_replayed_here_carries_the_same(tmp_path: Path) -> None:
    """Packets of 1500 bytes over the trace arrive as over the link, but one."""
    text = """
duration = "2 s"
[network.dumbbell]
LINK
queue = "20 packets"
[[flows]]
kind = "cbr"
rate = "60 Mbit/s"
packet = "1500 B"
[record]
packets = { from = "0 s", to = "2 s" }
"""
    steps = 'rate_steps = [{ at = "0 s", rate = "7 Mbit/s" }, { at = "0.7 s", rate = "31 Mbit/s" }]\nrtt = "10 ms"'
    original = text.replace("LINK", steps)
    bp.export(original, tmp_path / "out", format="mahimahi")
    replay = text.replace("LINK", f'trace = "{tmp_path}/out/up"\nrtt = "10 ms"')

    def arrived(run: bp.Run) -> list[int]:
        events = zip(run.packets["time_s"], run.packets["event"], strict=True)
        times = sorted(time for time, event in events if event == "deliver")
        return [sum(time <= ms / 1e3 + 1e-9 for time in times) for ms in range(20, 2000, 7)]

    for there, here in zip(arrived(bp.run(original)), arrived(bp.run(replay)), strict=True):
        assert abs(there - here) <= 1


def test_leoreplayer_has_a_delay_for_each_step(tmp_path: Path) -> None:
    files = written(STEPPED, tmp_path / "out", format="leoreplayer")
    assert files["delays"] == "20\n" * 150 + "30\n" * 150
    assert files["down"] == written(STEPPED, tmp_path / "m", format="mahimahi")["down"]
    assert 'exec mm-delay 10 "$here/delays" mm-loss uplink 0.01 mm-link "$here/up" "$here/down"' in files["run.sh"]
    assert "rounding changes their mean by up to 0.250 ms" in files["run.sh"]
    # Read back by what Bentpipe has for LeoReplayer's recordings.
    out = tmp_path / "out"
    text = f'duration = "3 s"\nnetwork.dumbbell = {{ trace = "{out}/down", delay_trace = "{out}/delays" }}\n'
    rows = bp.path_trace(text + 'flows = [{ controller = "reno" }]\n', step="500 ms")
    assert rows["delay_ms"] == [20.0] * 3 + [30.0] * 3
    assert rows["rate_mbit_s"] == pytest.approx([12] * 2 + [24] * 2 + [6] * 2, rel=0.01)


def test_netem_in_full(tmp_path: Path) -> None:
    text = written(STEPPED, tmp_path / "out", format="netem", direction="forward")["forward.sh"]
    steps = [line for line in text.splitlines() if line.startswith("at ") and ";" in line]
    # The queue's 100 packets, and 12 Mbit/s for 20 ms are 20 packets more.
    assert steps == [
        "at 0; path limit 120 delay 20ms rate 12000000bit loss 1%",
        "at 500; path limit 120 delay 20ms rate 12000000bit loss 100%",
        "at 600; path limit 120 delay 20ms rate 12000000bit loss 1%",
        "at 1000; path limit 140 delay 20ms rate 24000000bit loss 1%",
        "at 1500; path limit 161 delay 30.25ms rate 24000000bit loss 1%",
        "at 2000; path limit 116 delay 30.25ms rate 6000000bit loss 1%",
    ]
    assert text.splitlines()[-1] == "at 3000"


def test_tc_itself_reads_the_lines_for_netem(tmp_path: Path) -> None:
    """In a namespace of its own. Where the kernel has no netem the words are still read, and said to be right."""
    needs.require("tc", "namespaces")
    made = bp.export(SATELLITES, tmp_path / "out", format="netem", duration="2 s")
    for script in made.files:
        assert subprocess.run(["/bin/sh", "-n", script], check=False).returncode == 0

    def taken(line: str) -> bool:
        command = f"ip link set lo up; tc qdisc replace dev lo root netem {line}"
        done = subprocess.run(["unshare", "-n", "sh", "-c", command], check=False, capture_output=True, text=True)
        return done.returncode == 0 or done.stderr.strip() == "Error: Specified qdisc kind is unknown."

    lines = [
        line.partition("; path ")[2]
        for file in made.files
        for line in file.read_text().splitlines()
        if "; path" in line
    ]
    assert len(lines) > 30
    assert all(taken(line) for line in lines)
    assert not taken(lines[0].replace("delay", "dellay"))
    assert not taken("limit 9 delay 1ms loss 101%")


@pytest.mark.parametrize(
    ("content", "where", "words"),
    [
        (None, "path_trace", ["cannot read", "there is no such file"]),
        ("", "path_trace", ["the file is empty"]),
        ("time_s,rate_mbit_s,delay_ms\n0,1,5\n1,1,-5\n", "path_trace", ["line 3", '"-5"', "0 to 3600000"]),
        ("time_s,rate_mbit_s\n0,1\n", "path_trace", ["the column delay_ms is missing", "`delay`"]),
        ("time_s,delay_ms\n0,1\n", "path_trace", ["the column rate_mbit_s is missing", "`rate`"]),
        ("time;rate\n0;1\n", "path_trace", ["line 1", "separated by semicolons"]),
    ],
)
def test_a_bad_trace_says_file_line_and_key(
    cli: Command, tmp_path: Path, content: str | None, where: str, words: list[str]
) -> None:
    if content is not None:
        (tmp_path / "bad.csv").write_text(content)
    (tmp_path / "s.toml").write_text(
        '[network.dumbbell]\nqueue = "9 packets"\npath_trace = "bad.csv"\n[[flows]]\ncontroller = "reno"\n'
    )
    done = cli("run", "s.toml")
    assert done.returncode == 2
    assert f"s.toml:3: network.dumbbell.{where}: " in done.stderr
    for word in ("bad.csv", *words):
        assert word in done.stderr


def test_two_rates_contradict_each_other(cli: Command, tmp_path: Path) -> None:
    (tmp_path / "p.csv").write_text("time_s,rate_mbit_s,delay_ms\n0,1,5\n")
    (tmp_path / "s.toml").write_text(
        '[network.dumbbell]\nrate = "1 Mbit/s"\npath_trace = "p.csv"\n[[flows]]\ncontroller = "reno"\n'
    )
    done = cli("run", "s.toml")
    assert done.returncode == 2
    assert (
        "the column rate_mbit_s contradicts the key `rate` of the link (keep only the column or only the key)"
        in done.stderr
    )


def test_command_line(cli: Command, tmp_path: Path) -> None:
    (tmp_path / "s.toml").write_text(STEPPED)
    done = cli("export", "s.toml", "--format", "csv", "--out", "a")
    assert done.returncode == 0, done.stderr
    assert done.stdout == "a/forward.csv\na/return.csv\n"
    assert "flow cubic from left to right: rate 6 to 24 Mbit/s" in done.stderr
    assert cli("run", "s.toml", "--out", "r").returncode == 0
    of_run = cli("export", "r", "--format", "csv", "--direction", "forward", "--out", "b.csv")
    assert of_run.returncode == 0, of_run.stderr
    assert (tmp_path / "b.csv").read_text() == (tmp_path / "a" / "forward.csv").read_text()
    # Our own files are replaced, others are not.
    assert cli("export", "s.toml", "--format", "csv", "--out", "a").returncode == 0
    (tmp_path / "notes.csv").write_text("mine")
    refused = cli("export", "s.toml", "--format", "csv", "--direction", "forward", "--out", "notes.csv")
    assert (refused.returncode, (tmp_path / "notes.csv").read_text()) == (2, "mine")
    assert refused.stderr.startswith("error[folder-occupied]")
    forced = cli("export", "s.toml", "--format", "csv", "--direction", "forward", "--out", "notes.csv", "--force")
    assert forced.returncode == 0


@pytest.mark.parametrize(
    ("text", "asked", "words"),
    [
        (STEPPED, {"format": "pcap"}, ["'pcap'", "csv, netem, mahimahi, leoreplayer"]),
        (STEPPED, {"format": "csv", "direction": "up"}, ["'up'", '"return"']),
        (STEPPED, {"format": "mahimahi", "direction": "forward"}, ["both directions"]),
        (STEPPED, {"format": "csv", "flow": "bulk"}, ['unknown flow "bulk"', "flows are cubic"]),
        (STEPPED, {"format": "csv", "step": "10 us"}, ["10 us", "at least 1 ms"]),
        (STEPPED, {"format": "csv", "duration": "30 d", "step": "1 ms"}, ["2592000000 steps", "10000000"]),
        (STEPPED, {"format": "leoreplayer", "step": "1500 us"}, ["whole milliseconds"]),
        (
            IDEAL,
            {"format": "mahimahi", "duration": "1 s"},
            ["left to right", "no link has a rate"],
        ),
    ],
)
def test_what_cannot_be_exported_is_refused(tmp_path: Path, text: str, asked: dict[str, str], words: list[str]) -> None:
    with pytest.raises(bp.ScenarioError) as refused:
        bp.export(text, tmp_path / "out", **asked)  # type: ignore[arg-type]
    for word in words:
        assert word in refused.value.message
    assert not (tmp_path / "out").exists()


def test_without_a_path_and_without_a_rate(tmp_path: Path) -> None:
    text = STEPPED.replace('["0.5 s", "0.6 s"]', '["0 s", "9 s"]')
    with pytest.raises(bp.ScenarioError, match="no path exists in the 3 s"):
        bp.export(text, tmp_path / "a", format="csv")
    files = written(IDEAL, tmp_path / "b", format="csv")
    assert body(files["forward.csv"]).splitlines()[1:] == ["0,unlimited,4.5,0.1", "1,unlimited,4.5,0.1"]


def test_a_run_folder_finds_its_trace_from_anywhere(cli: Command, tmp_path: Path) -> None:
    (tmp_path / "home" / "traces").mkdir(parents=True)
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "home" / "traces" / "path.csv").write_text("time_s,rate_mbit_s,delay_ms\n0,8,10\n1,4,30\n")
    (tmp_path / "home" / "traced.toml").write_text(
        'duration = "2 s"\n[network.dumbbell]\npath_trace = "traces/path.csv"\n[[flows]]\ncontroller = "reno"\n'
    )
    folder = tmp_path / "runs" / "far"
    done = cli("run", "home/traced.toml", "--out", "runs/far")
    assert done.returncode == 0, done.stderr
    wanted = bp.path_trace(tmp_path / "home" / "traced.toml", step="1 s")
    assert wanted["rate_mbit_s"] == [8.0, 4.0]
    done = cli("export", folder, "--format", "csv", "--out", "out", cwd=tmp_path / "elsewhere")
    assert done.returncode == 0, done.stderr
    assert body((tmp_path / "elsewhere" / "out" / "forward.csv").read_text()).splitlines()[1:3] == [
        "0,8,10,0",
        "1,4,30,0",
    ]
    assert bp.path_trace(folder, step="1 s").arrow.equals(wanted.arrow)
    assert bp.path_trace(bp.load(folder), step="1 s").arrow.equals(wanted.arrow)
    # It is a scenario like any other, and the same run: the folder is taken as it is.
    done = cli("run", folder / "scenario.toml", "--out", folder, cwd=tmp_path / "elsewhere")
    assert done.returncode == 0, done.stderr


def test_a_link_to_a_trace_stays_a_link(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "data" / "now").mkdir(parents=True)
    (tmp_path / "data" / "now" / "path.csv").write_text("time_s,rate_mbit_s,delay_ms\n0,8,10\n")
    (tmp_path / "work").mkdir()
    (tmp_path / "work" / "link.csv").symlink_to("../data/now/path.csv")
    monkeypatch.chdir(tmp_path / "work")
    text = 'duration = "1 s"\nnetwork.dumbbell.path_trace = "link.csv"\nflows = [{ controller = "reno" }]\n'
    run = bp.run(text, out="r")
    assert 'path_trace = "../link.csv"' in run.scenario
    assert bp.load("r").scenario == run.scenario


def test_names_with_line_breaks_stay_in_their_comments(tmp_path: Path) -> None:
    # Whoever runs a script that was made from somebody's scenario runs what we wrote, not what stands in a name.
    text = (
        'duration = "1 s"\nnetwork.star.branches = [{ site = "a\\ntouch b", rate = "1 Mbit/s", delay = "5 ms" }]\n'
        'flows = [{ name = "x\\ntouch c", controller = "reno", from = "a\\ntouch b", to = "hub" }]\n'
    )
    for kind in ("csv", "netem", "mahimahi", "leoreplayer"):
        for made in written(text, tmp_path / kind, format=kind).values():
            assert not any(line.startswith("touch") for line in made.splitlines()), kind


PLAIN = 'duration = "2 s"\n{network}\nflows = [{{ controller = "reno", {flow} }}]\n'
FAST = 'rate = "100 Mbit/s", delay = "1 ms"'
SHARED = """
[network.constellation]
preset = "iridium"
{} = {{ {} }}
[[flows]]
controller = "reno"
from = "Berkeley"
to = "Boston"
"""


@pytest.mark.parametrize(
    ("network", "flow"),
    [
        ("network.dumbbell = {{ {} }}", ""),
        ('network.dumbbell = {{ {}, queue = {{ limit = "100 packets", discipline = "fq-codel" }} }}', ""),
        (f"network.chain.links = [{{{{ {{}} }}}}, {{{{ {FAST} }}}}]", ""),
        (f'network.star.branches = [{{{{ site = "a", {{}} }}}}, {{{{ site = "b", {FAST} }}}}]', 'from = "a", to = "b"'),
    ],
)
def test_every_link_of_a_plain_network_takes_a_path_trace(tmp_path: Path, network: str, flow: str) -> None:
    (tmp_path / "p.csv").write_text("time_s,rate_mbit_s,delay_ms\n0,8,10\n1,4,10\n")
    text = PLAIN.format(network=network.format(f'path_trace = "{tmp_path}/p.csv"'), flow=flow)
    # 8 Mbit of the first second, 4 of the second, 1460 of 1500 bytes, less what slow start leaves.
    assert 4.5 < bp.run(text).summary["totals"]["delivered_mbit_s"] < 6 * 1460 / 1500


STARLINK = PLAIN.format(network='network.starlink = {{ preset = "starlink-good", {} }}', flow="")


@pytest.mark.parametrize(
    ("text", "place", "key"),
    [
        (
            PLAIN.format(network='network.dumbbell = { rate = "9 Mbit/s", rtt = "9 ms" }', flow="access = {{ {} }}"),
            "access",
            "delay_steps",
        ),
        (SHARED.replace("{}", "user_link", 1), "user_link", "delay_steps"),
        (SHARED.replace("{}", "uplink", 1), "uplink", "delay_steps"),
        (STARLINK, "network.starlink", "path_trace"),
        (STARLINK, "network.starlink", "trace"),
        (STARLINK, "network.starlink", "delay_steps"),
    ],
)
def test_other_links_say_where_a_path_trace_goes(text: str, place: str, key: str) -> None:
    with pytest.raises(bp.ScenarioError, match=f"unknown key `{key}`") as error:
        bp.run(text.replace("{{", "{").replace("}}", "}").replace("{}", f'{key} = "p.csv"'))
    assert place in error.value.message
    assert "the path as network.dumbbell, network.chain or network.star" in error.value.message


def test_tables_of_paths_are_read_back(tmp_path: Path, cli: Command) -> None:
    """What `path --csv` writes is the delay of the sky; of `path_trace` it is all. Both have quoted heads."""
    place = ("--constellation", "starlink-550", "--duration", "30 s", "--step", "10 s")
    assert cli("path", "London", "Paris", *place, "--csv", "sky.csv").returncode == 0
    sky = bp.constellation("starlink-550").paths([("London", "Paris")], duration="30 s", step="10 s")
    link = f'rate = "10 Mbit/s", path_trace = "{tmp_path}/sky.csv"'
    text = f'duration = "30 s"\nnetwork.dumbbell = {{ {link} }}\nflows = [{{ controller = "reno" }}]\n'
    assert bp.path_trace(text, step="10 s")["delay_ms"] == pytest.approx(sky["one_way_delay_ms"][:3], abs=1e-6)

    said = bp.path_trace(STEPPED, step="100 ms")
    said.to_csv(tmp_path / "said.csv")
    again = imported(tmp_path, "3 s").replace("forward.csv", "said.csv")
    again = again.replace(f'reverse = {{ path_trace = "{tmp_path}/return.csv" }}', "")
    rows = bp.path_trace(again, step="100 ms")
    for name in ("rate_mbit_s", "delay_ms"):
        assert rows[name] == said[name]
    # A loss of all is an outage, beside which no other loss is known.
    lost = [
        [1 - (1 - (loss or 0)) * (1 - out) for loss, out in zip(one["loss_ratio"], one["outage_ratio"], strict=True)]
        for one in (said, rows)
    ]
    assert lost[0] == pytest.approx(lost[1], abs=1e-9)


def test_two_pairs_of_one_table_are_named(tmp_path: Path, cli: Command) -> None:
    pairs = ("--pair", "London:Paris", "--pair", "Rome:Oslo", "--constellation", "starlink-550", "--duration", "10 s")
    assert cli("path", *pairs, "--csv", "two.csv").returncode == 0
    text = f'duration = "3 s"\nnetwork.dumbbell = {{ rate = "1 Mbit/s", path_trace = "{tmp_path}/two.csv" }}\n'
    with pytest.raises(
        bp.ScenarioError, match=r"from Rome to Oslo, but the rows above are for the path from London to Paris"
    ):
        bp.run(text + 'flows = [{ controller = "reno" }]\n')
