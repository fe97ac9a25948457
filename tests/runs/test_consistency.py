# SPDX-License-Identifier: MIT OR Apache-2.0
"""No two numbers of a summary contradict each other. Numbers that were not measured are missing, with a finding."""

from __future__ import annotations

import copy
import csv
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

import bentpipe as bp
from fuzz.numbers import Books, Numbers
from fuzz.readings import BrokenPromiseError
from fuzz.swarm import campaign
from project import Command

STEADY = 'dumbbell = { rate = "10 Mbit/s", rtt = "50 ms" }'
GEO = 'dumbbell = { rate = "10 Mbit/s", rtt = "600 ms" }'


def run_of(top: str, network: str = STEADY, flows: str = '{ controller = "cubic" }') -> bp.Run:
    """Return a run of a scenario that has only a few lines."""
    return bp.run(f"{top}\nnetwork.{network}\nflows = [{flows}]\n")


def kinds(run: bp.Run) -> list[str]:
    return [finding["kind"] for finding in run.findings]


def test_two_hundred_scenarios() -> None:
    result = campaign([Numbers()], seed=1, cases=200)
    assert not result.failures, result.failures[0]
    ran = sum(count for outcome, count in result.outcomes["numbers"].items() if outcome.startswith("run"))
    assert ran > 0.5 * result.cases()


#: Changes that make one number wrong. The check must find each of them.
WRONG: list[Callable[[Any], None]] = [
    lambda told: told["flows"][0].update(goodput_mbit_s=told["flows"][0]["goodput_mbit_s"] * 1.001),
    lambda told: told["flows"][0].update(goodput_mbit_s=None),
    lambda told: told["flows"][0].update(throughput_mbit_s=11.0),
    lambda told: told["flows"][1].update(goodput_mbit_s=0.0, throughput_mbit_s=0.0),
    lambda told: told["flows"][0].update(sent_packets=told["flows"][0]["sent_packets"] + 1),
    lambda told: told["flows"][0].update(cuts=told["flows"][0]["cuts"] + 1),
    lambda told: told["flows"][0].update(timeouts=told["flows"][0]["timeouts"] + 1),
    lambda told: told["flows"][0].update(losses_detected=told["flows"][0]["losses_detected"] + 1),
    lambda told: told["flows"][0]["losses"].update(queue=told["flows"][0]["losses"]["queue"] + 1),
    lambda told: told["flows"][0].update(app_limited_share=1.5),
    lambda told: told["flows"][0]["rtt_ms"].update(min=49.0),
    lambda told: told["flows"][0]["rtt_ms"].update(p95=told["flows"][0]["rtt_ms"]["p50"] - 1),
    lambda told: told["flows"][0].update(queueing_delay_ms=None),
    lambda told: told["flows"][1].update(completed_at_s=None),
    lambda told: told["flows"][1].update(completed_at_s=0.2),
    lambda told: told["totals"].update(delivered_mbit_s=told["totals"]["delivered_mbit_s"] * 1.001),
    lambda told: told["totals"].update(loss_ratio=0.5),
    lambda told: told["totals"].update(jain_index=1.0),
    lambda told: told["totals"].update(delivered_packets=0),
    lambda told: told["links"][0].update(utilisation=1.01),
    lambda told: told["links"][0].update(dropped_queue=0),
    lambda told: told["bottleneck"].update(utilisation=0.0),
    lambda told: told["findings"][0].update(since_s=99.0),
]


@pytest.fixture(scope="module")
def two_flows() -> bp.Run:
    """Run a flow that lasts all the time, and a flow that ends within the warm-up."""
    flows = '{ controller = "cubic" }, { controller = "reno", size = "100 kB" }'
    record = 'record = { interval = "100 ms", events = true, packets = true }'
    return run_of(
        f'duration = "8 s"\nwarm_up = "2 s"\n{record}', STEADY.replace(" }", ', queue = "20 packets" }'), flows
    )


def test_the_books_of_a_run_hold(two_flows: bp.Run) -> None:
    Books(two_flows).check()
    first, second = two_flows.summary["flows"]
    assert first["cuts"] > 0
    assert first["losses"]["queue"] > 0
    assert (second["goodput_mbit_s"], second["throughput_mbit_s"], second["sent_packets"]) == (None, None, 0)
    assert kinds(two_flows) == ["nothing-measured"]
    # If one flow was measured, fairness is not known.
    assert two_flows.summary["totals"]["jain_index"] is None


@pytest.mark.parametrize("number", range(len(WRONG)))
def test_one_wrong_number_is_found(two_flows: bp.Run, number: int) -> None:
    books = Books(two_flows)
    books.summary = copy.deepcopy(two_flows.summary)
    WRONG[number](books.summary)
    with pytest.raises(BrokenPromiseError):
        books.check()


@pytest.mark.parametrize(
    ("top", "network", "flow", "kind", "words"),
    [
        (
            'warm_up = "8 s"',
            STEADY,
            '{ controller = "cubic", size = "500 kB" }',
            "nothing-measured",
            "completed at 1.101 s",
        ),
        ('warm_up = "8 s"', STEADY, '{ controller = "cubic", stop = "5 s" }', "nothing-measured", "a later `stop`"),
        ('warm_up = "9.99 s"', STEADY, '{ controller = "cubic" }', "too-short", "10.0 ms, which is 0.2 round trips"),
        ('warm_up = "9.9 s"', GEO, '{ kind = "cbr", rate = "1 Mbit/s", packet = "1500 B" }', "too-short", "`warm_up`"),
        ('duration = "500 ms"', GEO, '{ controller = "cubic" }', "too-short", "a longer `duration`"),
        ('duration = "100 ms"', GEO, '{ controller = "cubic" }', "too-short", "which is 0.2 round trips of 601.1 ms"),
        ("", GEO, '{ controller = "cubic", start = "9.9 s" }', "too-short", "an earlier `start`"),
        (
            "",
            STEADY.replace("10 Mbit/s", "1 bit/s"),
            '{ controller = "cubic" }',
            "too-short",
            "11584.0 s for one packet at 1 bit/s",
        ),
        ("", STEADY.replace("50 ms", "50 min"), '{ controller = "cubic" }', "too-short", "round trips of 3000.0 s"),
        (
            "",
            STEADY,
            '{ controller = "cubic", access = { rate = "1 bit/s" } }',
            "too-short",
            "a higher rate of that link",
        ),
        (
            "",
            STEADY,
            '{ controller = "cubic", start = "9 s", count = 3, stagger = "700 ms" }',
            "never-started",
            "10.400 s",
        ),
    ],
)
def test_what_was_not_measured_is_not_known(
    top: str, network: str, flow: str, kind: str, words: str, tmp_path: Path, cli: Command
) -> None:
    top = top if "duration" in top else f'duration = "10 s"\n{top}'
    run = run_of(top, network, flow)
    last = run.summary["flows"][-1]
    assert (last["goodput_mbit_s"], last["throughput_mbit_s"], last["delivery_ratio"]) == (None, None, None)
    finding = run.findings[-1]
    assert (finding["kind"], finding["flow"]) == (kind, last["flow"])
    assert words in finding["text"]
    assert "(write " in finding["text"]
    if len(run.summary["flows"]) == 1:
        totals = run.summary["totals"]
        assert (totals["delivered_mbit_s"], totals["sent_mbit_s"], totals["jain_index"]) == (None, None, None)
    # The file, the printed table and its CSV also show that the numbers are not known.
    file = tmp_path / "x.toml"
    file.write_text(f"{top}\nnetwork.{network}\nflows = [{flow}]\n")
    done = cli("run", file, "--out", tmp_path / "out", "--tables", tmp_path / "csv")
    assert done.returncode == 0, done.stderr
    assert f"finding: {kind}: " in done.stderr
    told = json.loads((tmp_path / "out/summary.json").read_text())
    assert told["flows"][-1]["goodput_mbit_s"] is None
    assert bp.load(tmp_path / "out").summary == told


def test_a_flow_that_is_seen_whole_is_known_however_short() -> None:
    # One packet takes a round trip and its transmission time, which is less than ten round trips.
    run = run_of('duration = "10 s"\nwarm_up = "1 s"', GEO, '{ controller = "reno", size = "1 kB", start = "2 s" }')
    (flow,) = run.summary["flows"]
    assert flow["completed_at_s"] is not None
    active_s = flow["completed_at_s"] - 2
    assert flow["goodput_mbit_s"] == pytest.approx(8e-3 / active_s)
    assert not run.findings


@pytest.mark.parametrize("warm_up", ["9.94 s", "9.7 s"])
def test_a_few_round_trips_are_known_and_told_of(warm_up: str) -> None:
    run = run_of(f'duration = "10 s"\nwarm_up = "{warm_up}"')
    (flow,) = run.summary["flows"]
    assert flow["goodput_mbit_s"] is not None
    assert 8 < flow["goodput_mbit_s"] <= 10
    assert kinds(run) == ["too-short"]
    assert "describe only the start or the end of the flow" in run.findings[0]["text"]


@pytest.mark.parametrize(
    ("loss", "warning"),
    [
        ("per = 1", "per = 1 is a probability, so 100 % of the packets are lost (for 1 % write per = 0.01)"),
        ("per = 0.5", "per = 0.5 is a probability, so 50 % of"),
        ("ber = 1.0", "ber = 1 is a probability, so 100 % of the packets of 1.5 kB are lost"),
        ("ber = 1e-4", "ber = 0.0001 is a probability, so 69.88 % of"),
    ],
)
def test_a_link_that_loses_most_is_warned_of(loss: str, warning: str) -> None:
    run = run_of('duration = "10 s"', STEADY.replace(" }", f", loss = {{ {loss} }} }}"))
    assert any(warning in one for one in run.warnings), run.warnings
    if "1" in loss.split(" = ")[1][:1] and "e" not in loss:
        assert kinds(run) == ["nothing-delivered"]
        assert "lost to link errors" in run.findings[0]["text"]
        assert run.summary["flows"][0]["goodput_mbit_s"] == 0.0
    small = run_of('duration = "2 s"', STEADY.replace(" }", ", loss = { per = 0.4 } }"))
    assert not any("is a probability" in one for one in small.warnings)


def test_what_the_default_queue_comes_to_is_told() -> None:
    run = run_of('duration = "5 s"', 'dumbbell = { rate = "10 Mbit/s", rtt = "1 ms" }')
    (warning,) = run.warnings
    assert "holds 1250 B (1 BDP = 10 Mbit/s x 1 ms), which is less than one packet of 1.5 kB" in warning
    assert 'write queue = "20 packets"' in warning


def test_comparisons_leave_out_what_is_not_known(tmp_path: Path, cli: Command) -> None:
    file = tmp_path / "x.toml"
    file.write_text(f'duration = "10 s"\nwarm_up = "9.99 s"\nnetwork.{STEADY}\nflows = [{{ controller = "reno" }}]\n')
    found = bp.compare(file, ["reno", "cubic"])
    assert "goodput_mbit_s" not in {metric.key for metric in found.metrics}
    done = cli(
        "compare", file, "--controllers", "reno,cubic", "--seeds", 1, "--for", "goodput", "--csv", tmp_path / "c.csv"
    )
    assert done.returncode == 0, done.stderr
    assert "no score: goodput is not known" in done.stdout
    assert "0.000" not in done.stdout
    assert done.stderr.count("finding: too-short") == 2
    with (tmp_path / "c.csv").open() as lines:
        assert all(row.get("goodput_mbit_s", "") == "" for row in csv.DictReader(lines))


def test_every_page_and_picture_of_a_run_without_rates_is_made(tmp_path: Path, cli: Command) -> None:
    file = tmp_path / "x.toml"
    file.write_text(f'duration = "10 s"\nwarm_up = "9.99 s"\nnetwork.{STEADY}\nflows = [{{ controller = "reno" }}]\n')
    assert cli("run", file, "--out", tmp_path / "run").returncode == 0
    for command in (("plot",), ("report",), ("view", "--export", tmp_path / "view.html")):
        done = cli(command[0], tmp_path / "run", *command[1:])
        assert done.returncode == 0, done.stderr
    axes = {"network.dumbbell.rate": ["5 Mbit/s", "10 Mbit/s"]}
    bp.sweep({"base": str(file), "axes": axes}, out=tmp_path / "sweep")
    found = pq.read_table(tmp_path / "sweep/runs.parquet").column("goodput_mbit_s")
    assert found.null_count == len(found) > 0
