# SPDX-License-Identifier: MIT OR Apache-2.0
"""`bentpipe validate bbr3`: the tests in the appendix of the BBR draft, their names and page; a wrong BBR fails."""

from __future__ import annotations

import json
import math
import re
from typing import TYPE_CHECKING

import pytest

import bentpipe as bp
from bentpipe.base import markdown
from bentpipe.validation import Agreement, _bbr3, _bbr3_bed, _validate
from bentpipe.validation._bbr3_bed import DRAIN, LEO, Path, Seen, scenario
from project import ROOT, Command

if TYPE_CHECKING:
    from collections.abc import Mapping

#: Sections of the appendix of draft-ietf-ccwg-bbr-06.
SECTIONS = range(1, 23)


def test_every_section_has_a_number() -> None:
    tested = {int(fact.source.removeprefix("A.").split(":")[0]) for fact in _bbr3.facts()}
    assert tested == set(SECTIONS)
    quick = {int(fact.source.removeprefix("A.").split(":")[0]) for fact in _bbr3.facts() if fact.quick}
    assert quick == tested


def test_the_quick_set_passes(cli: Command) -> None:
    done = cli("validate", "bbr3", "--quick", "--json")
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert told["passed"] is True
    assert told["rule"] == _bbr3.RULE
    assert {row["verdict"] for row in told["rows"]} <= {"within", "explained"}
    # The appendix and the pseudo-code differ about A.4. In the quick set, this is the only difference.
    assert {row["subject"] for row in told["rows"] if row["verdict"] == "explained"} == {"drain-time"}


def test_names_are_tests(cli: Command) -> None:
    done = cli("validate", "bbr3", "sub-packet", "drain-inflight", "--quick")
    assert done.returncode == 0, done.stderr
    assert "sub-packet" in done.stdout
    assert "DrainPacingGain" in done.stdout
    assert "startup-plateau" not in done.stdout
    wrong = cli("validate", "bbr3", "sub-paket")
    assert wrong.returncode == 2
    assert "did you mean 'sub-packet'?" in wrong.stderr


def test_theory_keeps_the_controller(cli: Command) -> None:
    done = cli("validate", "theory", "bbr3", "--quick", "--json")
    assert done.returncode == 0, done.stderr
    assert {row["subject"] for row in json.loads(done.stdout)["rows"]} == {"bbr3"}


def _measured(subject: str, fact: str, monkeypatch: pytest.MonkeyPatch, parameters: Mapping[str, object]) -> Agreement:
    """Return the verdict on a BBR with other parameters."""
    made = _bbr3_bed.bp.Flow

    def changed(**keys: object) -> bp.Flow:
        controller = keys.pop("controller")
        assert isinstance(controller, dict)
        return made(controller={**controller, **parameters}, **keys)  # type: ignore[arg-type]

    monkeypatch.setattr(_bbr3_bed.bp, "Flow", changed)
    (one,) = (row for row in _bbr3.facts() if row.subject == subject and row.what.startswith(fact))
    run = bp.run(one.scenes(1)[0])
    mean = one.measure([run])
    return _validate.Row(fact=one, here=one.here() if one.here else None, measured=bp.Estimate(mean, 0.0, 1)).verdict


@pytest.mark.parametrize(
    ("subject", "fact", "parameters"),
    [
        ("drain-inflight", f"pacing gain in DRAIN, {LEO}", {"drain_pacing_gain": 0.35}),
        ("bandwidth-down", "factor of bw_shortterm in a round trip with a loss", {"beta": 0.9}),
        ("down-time", "seconds in PROBE_DOWN", {"probe_wait": "500 ms"}),
        ("probe-rtt", f"cwnd divided by the BDP in PROBE_RTT, {LEO}", {"probe_rtt_cwnd_gain": 0.75}),
        ("probe-rtt", f"seconds in PROBE_RTT, {LEO}", {"probe_rtt_duration": "500 ms"}),
        ("startup-loss", "full_bw_count at the end", {"loss_threshold": 0.5}),
        ("up-loss", "full_bw_count at the end", {"loss_threshold": 0.5}),
        ("cruise-aggregation", "cwnd minus 2 BDP", {"cwnd_gain": 3.0}),
    ],
)
def test_another_bbr_is_outside(
    subject: str, fact: str, parameters: Mapping[str, object], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert _measured(subject, fact, monkeypatch, parameters) is Agreement.OUTSIDE


def test_what_never_comes_is_outside() -> None:
    """If a run ends before BBR does anything, every row that waits for an event fails, and the command continues."""
    short = bp.run(scenario(LEO, 0.02, 1))
    verdicts = {
        (fact.subject, fact.what): _validate.Row(
            fact=fact, here=None, measured=bp.Estimate(fact.measure([short]), 0.0, 1)
        ).verdict
        for fact in _bbr3.facts()
    }
    passed = {subject for (subject, _), verdict in verdicts.items() if verdict is not Agreement.OUTSIDE}
    # Counts of events that must not happen are zero.
    assert passed <= {"up-plateau", "application-limited", "probe-rtt-idle"}


def test_a_change_comes_with_its_state() -> None:
    """The run with the change is identical until the change."""
    at = _bbr3_bed.when(scenario(LEO, 1, 1), DRAIN)
    seen = Seen(bp.run(scenario(LEO, 1, 1, rates=[(at, 20)])))
    assert seen.first(DRAIN) == at
    assert 0.3 < at < 1
    # The time of a state that never occurs is the end of the run.
    assert _bbr3_bed.when(scenario(LEO, 0.2, 1), DRAIN) == 0.2


def test_numbers_of_a_run_by_hand() -> None:
    path = Path(12, 100)
    # 12 Mbit/s are 1000 packets of 1500 bytes a second. A packet takes 1 ms, and has 1448 bytes of payload.
    assert path.rtt_s == pytest.approx(0.101)
    assert path.payload_mbit == pytest.approx(11.584)
    seen = Seen(bp.run(scenario(path, 2, 1)))
    assert seen.before("cwnd_segments", 0.05) == 10
    assert math.isnan(seen.before("cwnd_segments", 0.0))
    assert math.isnan(seen.at("cwnd_segments", 5.0))
    assert seen.reaches("min_rtt_ms", lambda values: values < 1) == math.inf
    # The handshake is not counted. ACKs of the first ten packets arrive after one round trip.
    assert seen.rounds(0.01, 0.15) == 1
    assert seen.spans(DRAIN)[0][0] == seen.first(DRAIN) < seen.follows(seen.first(DRAIN))[0]


def test_the_page_has_every_row() -> None:
    page = (ROOT / "docs" / "bbr3-tests.md").read_text()
    block = page[page.index(markdown.begin("bentpipe validate bbr3 --markdown docs/bbr3-tests.md")) :]
    written = {tuple(cells[2:4]) for line in block.splitlines() if len(cells := re.split(r" ?\| ?", line)) > 6}
    missing = {(fact.what, fact.source) for fact in _bbr3.facts()} - written
    assert not missing, "run `bentpipe validate bbr3 --markdown docs/bbr3-tests.md`"
