# SPDX-License-Identifier: MIT OR Apache-2.0
"""The rule of verdicts, and the paper's arithmetic."""

from __future__ import annotations

import pytest

import bentpipe as bp
from bentpipe.papers import Claim, Verdict, hybla_im


def _claim(mean: float, half: float, paper: float | None = 6.0, sign: int = 1, contradiction: str = "") -> Claim:
    measured = bp.Estimate(mean, half, 5)
    return Claim(id="x", what="x", measured=measured, paper=paper, sign=sign, contradiction=contradiction)


@pytest.mark.parametrize(
    ("claim", "verdict"),
    [
        (_claim(5.0, 2.0), Verdict.REPRODUCED),  # 6 lies in 3..7, zero does not
        (_claim(7.5, 0.1), Verdict.REPRODUCED),  # outside 7.4..7.6, but within the tolerance of 2
        (_claim(20.0, 3.0), Verdict.DIRECTION_ONLY),  # right side, wrong size
        (_claim(3.0, 4.0), Verdict.NOT_REPRODUCED),  # 6 lies in -1..7, but so does zero: no effect shown
        (_claim(-5.0, 2.0), Verdict.NOT_REPRODUCED),  # wrong side
        (_claim(5.0, 2.0, paper=None), Verdict.DIRECTION_ONLY),
        (_claim(-5.0, 2.0, paper=None, sign=-1), Verdict.DIRECTION_ONLY),
        (_claim(-5.0, 2.0, paper=-6.0, sign=-1), Verdict.REPRODUCED),
        (_claim(5.0, 2.0, contradiction="12 and 26 cannot both hold"), Verdict.INCONSISTENT),
    ],
)
def test_verdicts_follow_from_the_numbers(claim: Claim, verdict: Verdict) -> None:
    assert claim.verdict == verdict


def test_the_papers_percentages_contradict_each_other_at_the_highest_error_rate() -> None:
    # 1.06 * 0.927 / 0.87 = 1.1294; times 0.76 / 0.68 = 1.2623. The paper prints 13 % and 17 %.
    assert hybla_im.implied_ratio(1e-3) == pytest.approx(12.94, abs=0.01)
    assert hybla_im.implied_ratio(1e-2) == pytest.approx(26.23, abs=0.01)
    assert hybla_im.contradiction(1e-4) == ""
    assert hybla_im.contradiction(1e-3) == ""
    assert "26.2" in hybla_im.contradiction(1e-2)


def test_bit_errors_would_lose_most_packets() -> None:
    # 1 - (1 - 1e-4)^8000 = 1 - exp(-0.80004) = 0.5507
    assert hybla_im.packet_error_rate(1e-4) == pytest.approx(0.5507, abs=1e-4)
    assert hybla_im.packet_error_rate(1e-3) == pytest.approx(1.0, abs=1e-3)


def test_reproduction_is_whole() -> None:
    result = hybla_im.reproduce(seeds=(1, 2), duration="15 s")
    for topology in hybla_im.TOPOLOGIES:
        claims = result.claims(topology)
        assert {"H-18", "H-19", "H-20", "H-21", "H-24"} <= {claim.id for claim in claims}
        assert all(len(claim.row()) == 6 for claim in claims)
        _, rows = hybla_im.variants_table(result, topology)
        assert len(rows) == len(hybla_im.PERS) * len(hybla_im.VARIANTS)
    flagged = [claim for claim in result.claims(hybla_im.PAPERS_OWN) if claim.verdict == Verdict.INCONSISTENT]
    assert [claim.paper for claim in flagged] == [17.0]
