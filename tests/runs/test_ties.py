# SPDX-License-Identifier: MIT OR Apache-2.0
"""Events at the same time are ordered by priority and source. This order must not favour any flow.

The oracle is symmetry. Eight equal flows over eight equal branches start together, so their packets reach the shared
link at the same times. The rank of a link decides every tie, and ranks follow the order of the branches. If a low rank
were an advantage, the first four flows would get more than half.
"""

from __future__ import annotations

from statistics import mean, stdev

import pytest

import bentpipe as bp

FLOWS = 8
#: Quantile of Student's distribution for 20 values: a 95 % interval of their mean.
STUDENT_95 = 2.093


def equal_flows(controller: str, seed: int) -> list[float]:
    """Returns the goodput in Mbit/s of each of the flows; the seed sets round trip and queue of the shared link."""
    branches = [
        f'{{ site = "server", rate = "20 Mbit/s", delay = "{5 + 3 * seed} ms", queue = "{40 + 5 * seed} packets" }}',
        *(
            f'{{ site = "user {number}", rate = "100 Mbit/s", delay = "5 ms", queue = "1000 packets" }}'
            for number in range(FLOWS)
        ),
    ]
    flows = [f'{{ from = "user {number}", to = "server", controller = "{controller}" }}' for number in range(FLOWS)]
    run = bp.run(
        f'name = "Equal flows"\nduration = "60 s"\nwarm_up = "10 s"\n'
        f"network.star = {{ branches = [{', '.join(branches)}] }}\nflows = [{', '.join(flows)}]\n",
        seed=seed,
    )
    return [flow["goodput_mbit_s"] for flow in run.summary["flows"]]


@pytest.mark.parametrize("controller", ["reno", "cubic", "hybla"])
def test_equal_flows_share_equally_whatever_their_numbers(controller: str) -> None:
    shares = []
    for seed in range(1, 21):
        goodput = equal_flows(controller, seed)
        shares.append(sum(goodput[: FLOWS // 2]) / sum(goodput))
        fairness = sum(goodput) ** 2 / (FLOWS * sum(each**2 for each in goodput))
        assert fairness > 0.9, (seed, goodput)
    half_width = STUDENT_95 * stdev(shares) / len(shares) ** 0.5
    assert abs(mean(shares) - 0.5) <= half_width, (mean(shares), half_width)
    assert half_width < 0.02
