# SPDX-License-Identifier: MIT OR Apache-2.0
"""Evaluations: the rule with numbers computed by hand, criteria with a known answer, and the command."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

import bentpipe as bp
from bentpipe._evaluate import criteria
from bentpipe._evaluate.criteria import CRITERIA, UNMEASURED, Criterion
from bentpipe._evaluate.evaluate import HEAD, Judgement, _answer, _Bed, judge
from project import Command

DEAF = '''
import bentpipe as bp


@bp.register("deaf")
class Deaf(bp.Controller):
    """A window of 300 segments, whatever happens."""

    def on_start(self, event, control):
        control.cwnd = 300.0
'''


def criterion(name: str) -> Criterion:
    return next(one for one in CRITERIA if one.name == name)


# More goodput is better, and the smallest slack is 5. Means are 100 for Reno and 60 for CUBIC, so the slack is a tenth
# of 60, and the limit is 54.
@pytest.mark.parametrize(
    ("ours", "judgement", "beyond"),
    [
        ((55.0, 57.0, 56.0), Judgement.MET, -2.0),
        ((40.0, 42.0, 41.0), Judgement.NOT_MET, 13.0),
        ((30.0, 90.0, 45.0), Judgement.OPEN, -1.0),
    ],
)
def test_the_rule(ours: tuple[float, ...], judgement: Judgement, beyond: float) -> None:
    reno, cubic = (99.0, 101.0, 100.0), (59.0, 61.0, 60.0)
    verdict = judge(criterion("beside Reno"), ours, (reno, cubic))
    assert (verdict.judgement, verdict.limit, verdict.slack) == (judgement, 54.0, 6.0)
    assert verdict.beyond.mean == pytest.approx(beyond)


def test_the_smallest_slack() -> None:
    """A tenth of a queueing delay of 10 ms is less than the smallest slack, 5 ms."""
    verdict = judge(criterion("bufferbloat"), (15.0, 15.0), ((10.0, 10.0), (9.0, 9.0)))
    assert (verdict.judgement, verdict.limit, verdict.slack) == (Judgement.MET, 15.0, 5.0)


def test_the_rule_where_the_rfc_has_a_bound() -> None:
    bounded = criterion("loss of all feedback")
    met = judge(bounded, (1.0, 1.0), ((0.0, 0.0), (0.0, 0.0)))
    assert (met.judgement, met.limit, met.slack) == (Judgement.MET, 1.0, 0.0)
    assert judge(bounded, (1.5, 1.5), ((9.0, 9.0), (9.0, 9.0))).judgement == Judgement.NOT_MET


@pytest.mark.parametrize(
    ("name", "ours", "limit", "slack", "why"),
    [
        ("beside Reno", (40.0, 41.0, 42.0), "≥ 54.0 %", "6.0 %", "13.0 ± 2.5 % below the limit"),
        ("bufferbloat", (77.0, 77.0, 77.0), "≤ 110.0 ms", "10.0 ms", ""),
        ("bufferbloat", (177.0, 177.0, 177.0), "≤ 110.0 ms", "10.0 ms", "67.0 ± 2.5 ms above the limit"),
        (
            "bufferbloat",
            (30.0, 190.0, 45.0),
            "≤ 110.0 ms",
            "10.0 ms",
            "21.7 ± 217.3 ms below the limit",
        ),
    ],
)
def test_an_answer_gives_its_limit_and_its_reason(
    name: str, ours: tuple[float, ...], limit: str, slack: str, why: str
) -> None:
    standard = {"reno": (99.0, 101.0, 100.0), "cubic": (59.0, 61.0, 60.0)}
    cells = dict(zip(HEAD, _answer(criterion(name), {"": ours, **standard}).cells(), strict=True))
    assert (cells["limit"], cells["slack"], cells["why"]) == (limit, slack, why)


def test_criteria_with_a_known_answer() -> None:
    found = bp.evaluate("reno", seeds=2, criteria=["loss of all feedback", "wired"], threads=1)
    silence, wired = found.answers
    # RFC 6298: the timeout doubles, so a timeout r sends packets at r (2^k - 1) seconds of the silence. For any r below
    # 5 s, two or three of them are between 5 and 30 s, which are 250 round trips.
    assert silence.measured.mean in (2 / 250, 3 / 250)
    # A full link carries 1460 bytes of payload per 1500 bytes: 97.3 %.
    assert 95.0 < wired.measured.mean < 97.4
    assert [answer.judgement for answer in found.answers] == ["met", "met"]
    assert wired.measured == wired.standard["reno"]


def test_a_controller_that_does_not_listen_is_told(
    cli: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plugin = tmp_path / "deaf.py"
    plugin.write_text(DEAF)
    # The example of the guide runs all criteria.
    told = ("high packet loss", "loss of all feedback", "starvation")
    monkeypatch.setattr(criteria, "CRITERIA", tuple(one for one in CRITERIA if one.name in told))
    done = cli("evaluate", "deaf", "--plugin", plugin, "--seeds", 3, "--out", "page", "--json")
    assert done.returncode == 0, done.stderr
    judged = {record["criterion"]: record["judgement"] for record in json.loads(done.stdout)}
    assert judged == dict.fromkeys(told, "not met")
    assert json.loads((tmp_path / "page" / "evaluation.json").read_text()) == json.loads(done.stdout)
    page = (tmp_path / "page" / "evaluation.html").read_text()
    assert all(name in page for name, _, _ in UNMEASURED)
    # The table, the page and the CSV file give the same limits and reasons.
    done = cli("evaluate", "deaf", "--plugin", plugin, "--seeds", 3, "--csv", "table.csv")
    rows = list(csv.DictReader((tmp_path / "table.csv").read_text().splitlines()))
    assert [row["criterion"] for row in rows] == [one.name for one in criteria.CRITERIA]
    for row in rows:
        assert row["why"].endswith(" the limit")
        for cell in (row["limit"], row["slack"], row["why"]):
            assert cell in page
            # The terminal may break a cell between words.
            assert set(cell.split()) <= set(done.stdout.split())


def test_a_path_that_lacks_a_signal_is_left_out_with_the_reason() -> None:
    found = bp.evaluate("jersey", seeds=2, criteria=["low orbit", "wired"], threads=1)
    assert [answer.name for answer in found.answers] == ["wired"]
    assert found.unmeasured[0][2] == (
        'controller "jersey" needs congestion-warning marks, but this network does not provide these signals'
    )


def test_findings_do_not_advise_to_change_the_scenarios_of_the_criteria() -> None:
    """50 flows over 2 Mbit/s give one line for each kind, without a key of a scenario that the user does not have."""
    found = bp.evaluate("vivace", seeds=2, criteria=["congestion collapse"])
    lines = [line for _, line in found.findings]
    assert any(line.startswith("nothing-delivered: ") for line in lines)
    assert len({line.partition(":")[0] for line in lines}) == len(lines)
    assert not any("write " in line or "`" in line for line in lines), lines
    # With two seeds there is no interval.
    assert all("±" not in cell or "± ?" in cell for cell in found.answers[0].cells())


def test_a_controller_that_needs_marks_has_them() -> None:
    some = ["bufferbloat", "low orbit", "beside Reno", "varying delay", "a worse path"]
    found = bp.evaluate("dctcp", seeds=2, criteria=some, threads=1)
    # RFC 8257: DCTCP keeps the queue at the threshold, 0.15 of 50 ms. Reno fills the queue of one second.
    numbers = {answer.name: answer for answer in found.answers}
    assert set(numbers) == set(some)
    assert numbers["bufferbloat"].measured.mean < 0.15 * 50.0 < 100 < numbers["bufferbloat"].standard["reno"].mean
    assert found.tcp == 'bentpipe-0.1; ecn = "dctcp" (Reno, CUBIC: bentpipe-0.1)'
    assert {record["tcp"] for record in found.records()} == {found.tcp}


def test_every_path_marks_once_ecn_is_on() -> None:
    with_ecn = _Bed.of("reno", bp.Tcp(ecn=True))
    for one in CRITERIA:
        # A missing signal of the path would be among the warnings of its run.
        warned = bp.run(with_ecn.scenario(one, "reno", 1)).warnings
        assert not [line for line in warned if "marks" in line], one.name


def test_whose_tcp_is_said_and_can_be_chosen(cli: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(criteria, "CRITERIA", tuple(one for one in CRITERIA if one.name in ("wired", "low orbit")))
    done = cli("evaluate", "cubic", "--seeds", 2, "--tcp", 'preset = "linux", mss = "1000 B"', "--out", "page")
    assert done.returncode == 0, done.stderr
    said = 'TCP: linux; mss = "1 kB"'
    assert said in done.stdout
    assert said in (tmp_path / "page" / "evaluation.html").read_text().replace("&quot;", '"').replace("&#34;", '"')
    assert "TCP: bentpipe-0.1\n" in cli("evaluate", "cubic", "--seeds", 2).stdout
    # A signal that is missing in all scenarios is reported once.
    done = cli("evaluate", "dctcp", "--tcp", "ecn = true")
    assert (done.returncode, done.stderr.count("needs ECN marks")) == (2, 1)
    assert "--tcp" in done.stderr
    assert "flows[0]" not in done.stderr
    for settings, message in (
        ("mss = ", "is not the inside of a TOML table"),
        ("ms = 3", "unknown key `ms` of the table tcp"),
        ('mss = "3 B"', '"3 B" is too small'),
    ):
        done = cli("evaluate", "cubic", "--tcp", settings)
        assert done.returncode == 2
        assert message in done.stderr


def test_what_cannot_be_evaluated_is_refused_before_any_run(cli: Command) -> None:
    done = cli("evaluate", "renno")
    assert done.returncode == 2
    assert done.stderr.count("did you mean `reno`?") == 1
    done = cli("evaluate", "reno{betta=0.8}")
    assert (done.returncode, done.stderr.count("error[parameter-unknown]")) == (2, 1)
    with pytest.raises(ValueError, match='unknown criterion "speed"'):
        bp.evaluate("reno", seeds=2, criteria=["speed"])
