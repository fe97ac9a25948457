# SPDX-License-Identifier: MIT OR Apache-2.0
"""`bentpipe validate`: its laws compared with printed numbers, its rule, its quick set, and its page."""

from __future__ import annotations

import json
import math
import re
import shlex
from pathlib import Path
from typing import Any

import pytest

from bentpipe import Estimate, validation
from bentpipe.base import markdown
from bentpipe.validation import Agreement, Expect, Fact, Row, _chance, _laws, _links, _start, _validate
from project import ROOT, Command

BEGIN = markdown.begin("bentpipe validate --markdown")

# ---- laws --------------------------------------------------------------------------------------------------------


def test_tables_of_rfc_3649_and_rfc_9438() -> None:
    # RFC 3649, sections 3 and 5: Standard TCP has 12 38 120 379 1200, and HSTCP 12 38 263 1795 12279.
    losses = (1e-2, 1e-3, 1e-4, 1e-5, 1e-6)
    assert [round(_laws.hstcp(p)) for p in losses] == [12, 38, 263, 1795, 12280]
    # RFC 9438, table 1 (RTT 0.1 s) and table 2 (0.01 s), C = 0.4.
    assert [round(_laws.cubic(p, 0.1)) for p in losses] == [12, 38, 187, 1054, 5926]
    assert [round(_laws.cubic(p, 0.01)) for p in losses] == [12, 38, 120, 379, 1200]


def test_laws_of_papers() -> None:
    assert _laws.reno(1e-4) == pytest.approx(122.47, abs=0.01)
    assert _laws.stcp_recovery_rounds() == pytest.approx(13.42, abs=0.005)
    assert [_laws.htcp_growth(d) for d in (1, 2, 5, 11)] == [1, 11.25, 45, 126]
    # The window is sqrt(1.5/1e-4) = 122.47 segments over 25 ms.
    assert _laws.hybla_rate(1e-4) == pytest.approx(4899, abs=1)
    # From W_max = 1000 a loss reduces by 125; two rounds of 32, then 61, 30.5, ... to within a hundredth: 16 rounds.
    p, mean = _laws.bic(1000)
    assert p == pytest.approx(6.39e-5, rel=1e-3)
    assert mean == pytest.approx(978.8, abs=0.1)


def test_independent_losses_have_the_published_mean() -> None:
    # Ott, Kemperman and Mathis 1996: 1.3098/sqrt(p) over time.
    assert _laws.aimd_independent(1.0) == pytest.approx(1.3098, abs=1e-4)
    played = _chance.mean_window(_chance.Aimd(), 1e-4, 0.1, 122, 80)
    assert played == pytest.approx(_laws.aimd_independent(1e-4), rel=0.02)


def test_growth_and_cuts_of_stcp_balance() -> None:
    # In whatever order losses occur, the ratio is 0.01/ln(1/0.875) = 0.0749 over p.
    played = _chance.mean_window(_chance.Stcp(), 1e-4, 0.1, 800, 13)
    assert played == pytest.approx(0.0749 / 1e-4, rel=0.03)


def test_a_slow_start_doubles_what_the_path_and_its_queue_hold() -> None:
    # 1000 packets/s, 0.5 s and a queue of 500 overflow at 1000. 1000 more ACKs arrive until the loss is known.
    assert _start.exit_window(_start.classic, 1000, 0.5, 500) == pytest.approx(2000, rel=0.01)
    # A train of ACKs that are 1 ms apart lasts half of 0.5 s: 250 ACKs of a round that began with 320.
    assert _start.exit_window(_start.HystartTrain(), 1000, 0.5, 5000) == pytest.approx(320 + 250, rel=0.01)


def test_rapid_start_triples_up_to_4_ms_or_a_tenth_of_queue() -> None:
    # draft-kazuho-ccwg-rapid-start-02, section 3.2: min(100 + 4, 110) ms. At 0.21 s, the sample of 100 ms is too old.
    long = _start.Rapid()
    seen = [(0.1, 0.1), (0.11, 0.2), (0.21, 0.104), (0.32, 0.105), (0.43, 0.103)]
    assert [long(_start.Progress(now=now, rtt=rtt)) for now, rtt in seen] == [2, 2, 2, 1, 2]
    # The bound is min(20 + 4, 22) ms.
    short = _start.Rapid()
    assert [short(_start.Progress(now=now, rtt=rtt)) for now, rtt in [(0.1, 0.02), (0.2, 0.0219), (0.3, 0.0221)]] == [
        2,
        2,
        1,
    ]


def test_shadow_and_light() -> None:
    # The total power is finite. Almost without a direct path, the power is exponential with a mean of 1/c.
    assert _links.rice_below(10.0, 6.0) == pytest.approx(1.0, abs=1e-6)
    assert _links.rice_below(1e-3, 500.0) == pytest.approx(1 - math.exp(-0.5), abs=1e-3)
    # A constant level leaves Rayleigh's law: 1 - exp(-0.1).
    assert _links.shadow_below(0.0, 1e-9, 0.1) == pytest.approx(1 - math.exp(-0.1), abs=1e-9)


def test_states_by_hand() -> None:
    # The states are entered 1 : 0.8 : 0.28 times (the last one 0.2 + 0.8 * 0.1), for 20, 0.4 and 2 s.
    shares = _links.time_shares((20.0, 0.4, 2.0), ((0.0, 0.8, 0.2), (0.9, 0.0, 0.1), (1.0, 0.0, 0.0)))
    assert shares == pytest.approx([part / 20.88 for part in (20.0, 0.32, 0.56)])


# ---- the rule ----------------------------------------------------------------------------------------------------


def made(theory: Expect, here: Expect | None, mean: float, *, exact: bool = True) -> Row:
    fact = Fact(
        subject="reno",
        what="something",
        source="RFC 0",
        theory=theory,
        scenes=lambda _: [],
        measure=lambda _: mean,
        why="because",
        exact=exact,
    )
    return Row(fact=fact, here=here, measured=Estimate(mean, 1.0, 4))


@pytest.mark.parametrize(
    ("theory", "here", "mean", "verdict"),
    [
        (Expect.number(100), None, 109, Agreement.WITHIN),
        (Expect.number(100), None, 111, Agreement.OUTSIDE),
        (Expect.number(100), Expect.number(120), 109, Agreement.WITHIN),
        (Expect.number(100), Expect.number(120), 125, Agreement.EXPLAINED),
        # The value is near the printed law, but not near the value for the simulated conditions.
        (Expect.number(100), Expect.number(120), 100, Agreement.OUTSIDE),
        (Expect(1, 3), None, 3.0, Agreement.WITHIN),
        (Expect(1, 3), None, 3.1, Agreement.OUTSIDE),
        (Expect.at_least(0.95), None, 0.94, Agreement.OUTSIDE),
        (Expect.at_most(1.0), None, 0.2, Agreement.WITHIN),
        (Expect.number(1), None, math.nan, Agreement.OUTSIDE),
        (Expect(0, 10), None, math.inf, Agreement.OUTSIDE),
    ],
)
def test_verdicts(theory: Expect, here: Expect | None, mean: float, verdict: Agreement) -> None:
    row = made(theory, here, mean)
    assert row.verdict is verdict
    assert row.fails is (verdict is Agreement.OUTSIDE)
    assert not made(theory, here, mean, exact=False).fails
    json.dumps(row.record(), allow_nan=False)


def test_an_exact_row_outside_makes_the_command_fail(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    from bentpipe import cli as _cli

    bad = validation.Validation({"Traps": [made(Expect.number(1), None, 2)]})
    monkeypatch.setattr(validation, "validate", lambda *_args, **_more: bad)
    page = tmp_path / "table.md"
    assert _cli.entry(["validate", "--markdown", str(page)]) == 1
    assert "outside: reno" in capsys.readouterr().err
    assert "because" in page.read_text()
    monkeypatch.setattr(validation, "validate", lambda *_args, **_more: validation.Validation({}))
    assert _cli.entry(["validate"]) == 0


def test_many_that_agree_are_one_line() -> None:
    rows = [made(Expect.at_most(1.1), None, 1 + number / 100) for number in range(8)]
    lines = _validate.printed([*rows, made(Expect.at_most(1.1), None, 2.0)])
    assert [(line[0], line[4]) for line in lines] == [("8 controllers", "1 to 1.07"), ("reno", "2 ± 1")]


# ---- the command -------------------------------------------------------------------------------------------------


# The command of the guide.
QUICK = "bentpipe validate --quick"


def test_quick_set_passes_and_writes(cli: Command, tmp_path: Path) -> None:
    done = cli(*shlex.split(QUICK)[1:], "--json", "--markdown", "out/table.md")
    assert done.returncode == 0, done.stderr
    told: dict[str, Any] = json.loads(done.stdout)
    assert told["passed"] is True
    subjects = {row["subject"] for row in told["rows"]}
    assert subjects >= {"reno", "hstcp", "stcp", "cubic", "vegas", "veno", "loss", "budget", "queue", "return-link"}
    assert all(row["verdict"] in ("within", "explained") for row in told["rows"])
    page = (tmp_path / "out" / "table.md").read_text()
    assert f"{QUICK} --markdown out/table.md" in page
    assert page.count("| within") + page.count("| explained") == len(told["rows"])
    assert "| 0.8 ± 0 |" in page
    assert [file.name for file in (tmp_path / "out").iterdir()] == ["table.md"]


def test_the_table_is_printed_with_its_rule(cli: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = {"Cuts and growth": [made(Expect.number(0.8), None, 0.8)], "Traps": []}
    monkeypatch.setattr(validation, "validate", lambda *_args, **_more: validation.Validation(rows))
    done = cli("validate", "reno")
    assert done.returncode == 0, done.stderr
    heading, *lines = [line.strip() for line in done.stdout.splitlines() if line.strip()]
    assert heading == "Cuts and growth"
    assert re.split(r"  +", lines[2])[:4] == ["reno", "something", "RFC 0", "0.8"]
    assert lines[-1] == validation.RULE


def test_names_filter_and_are_checked(cli: Command) -> None:
    done = cli("validate", "veno", "--quick", "--json")
    assert done.returncode == 0, done.stderr
    (row,) = json.loads(done.stdout)["rows"]
    assert (row["subject"], row["fact"]) == ("veno", "window kept at a random loss, queue empty")
    wrong = cli("validate", "renno", "--quick")
    assert wrong.returncode == 2
    assert wrong.stderr.startswith("error[controller-unknown]: ")
    assert "reno" in wrong.stderr


@pytest.mark.parametrize("moment", ["validate", "markdown"])
def test_ctrl_c_leaves_nothing_half_written(
    moment: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    from bentpipe import cli as _cli

    def stop(*_args: object, **_more: object) -> str:
        raise KeyboardInterrupt

    page = tmp_path / "table.md"
    page.write_text("before")
    if moment == "validate":
        monkeypatch.setattr(validation, "validate", stop)
    else:
        monkeypatch.setattr(validation, "validate", lambda *_args, **_more: validation.Validation({}))
        monkeypatch.setattr(markdown, "replaced", stop)
    assert _cli.entry(["validate", "--markdown", str(page)]) == 130
    assert "error[interrupted]" in capsys.readouterr().err
    assert [file.name for file in tmp_path.iterdir()] == ["table.md"]
    assert page.read_text() == "before"


# ---- the page ----------------------------------------------------------------------------------------------------


def test_the_generated_block_is_replaced_and_nothing_else() -> None:
    page = f"head\n{BEGIN}\nold\n{markdown.END}\ntail\n"
    assert markdown.replaced(page, "new\n") == f"head\n{BEGIN}\n\nnew\n\n{markdown.END}\ntail\n"
    assert markdown.replaced("no marks", "new\n") == "new\n"


def test_the_page_has_every_row() -> None:
    """The test does not check that the numbers are current. This takes minutes, and is the purpose of the command."""
    page = (ROOT / "docs" / "validation.md").read_text()
    block = page[page.index(BEGIN) : page.index(markdown.END)]
    written = {tuple(cells[2:4]) for line in block.splitlines() if len(cells := re.split(r" ?\| ?", line)) > 6}
    wanted = {(fact.what, fact.source) for rows in _validate.facts().values() for fact in rows}
    missing = wanted - written
    assert not missing, "run `bentpipe validate --markdown docs/validation.md`"
