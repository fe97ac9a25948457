# SPDX-License-Identifier: MIT OR Apache-2.0
"""The controllers of bpf/, built with the host's compiler, give the answers of vectors/."""

from __future__ import annotations

from pathlib import Path

import pytest

import kernel_vectors
import needs

pytestmark = needs.mark("cc")

NAMES = kernel_vectors.controllers()
MAX_WINDOW = "a window is at most 2^21 segments (window.h)"
ONE_RECOVERY = "Linux begins a recovery only for data sent after the last one (vegas.h)"
BY_DETECTION = "no callback has the time at which a lost segment was sent (starquic.bpf.c)"

#: Cases that a controller in BPF cannot pass, and why. Cases with an event or a choice that it does not have are found
#: by kernel_vectors.expand.
NOT_APPLICABLE = {
    ("hybla", "an unset threshold at rho = 22: the first ACK adds 2^22 - 1 = 4194303"): MAX_WINDOW,
    ("hybla", "Hoe: median of two trains of a round"): "several trains are weighted by their length (hoe.h)",
    (
        "hybla_im",
        "below a higher threshold an ACK adds 2^rho_new - 1: equations 6 and 10 bound no exponent",
    ): MAX_WINDOW,
    ("geo_reno", "gain bounded below: one city"): "a distance of 0 is not known (geo_reno.bpf.c)",
    ("vegas", "one cut for what was sent before it"): ONE_RECOVERY,
    ("vegas", "timeout: half, then slow start from 2, every other round, during the repair too"): ONE_RECOVERY,
    ("starquic", "judged by sending: within 1 s of the announced time, both ends included"): BY_DETECTION,
    ("starquic", "sent too early, found within: congestion by sending"): BY_DETECTION,
    ("starquic", "an outage counts from its beginning to its end"): BY_DETECTION,
    (
        "vegas_w_paper",
        "congestion sets W = B RTTmin, even upwards",
    ): "Linux sets a larger window at the end of the repair, not at the loss",
    (
        "a_liad_paper",
        "a loss in slow start on an empty queue: W_max is what probing would have aimed at",
    ): "in Linux, the RTT samples of a burst grow, so RTTmax is not RTTmin",
}

#: Parameters with which LeoCC is BBRv1: no queue is seen, and the window of PROBE_RTT is four segments.
AS_BBR1: dict[str, kernel_vectors.Value] = {
    "min_rtt_window": "10 s",
    "probe_rtt_gain": 0,
    "min_rtt_fluctuation": "10 s",
}
#: Cases of BBRv1 that LeoCC cannot pass, and why.
NOT_LEOCC = {
    "probe RTT on a path longer than 200 ms waits for the round; before the pipe is full startup follows": (
        "LeoCC enters PROBE_RTT from the cruise alone"
    ),
    "Linux: the target is whole and even, and two more while probing up, which ends with what leaves next": (
        "LeoCC has no even_window"
    ),
}

#: Parameters, changed, that at least one case must notice: the tolerances do not accept a wrong controller. Parameters
#: that only the cases' `numbers` or an excluded case show (tau and jump of Vegas-W, theta of Illinois, c and
#: earlier of SaTCP, selective_acks of BBRv3, rtt_drop of LeoCC) are not here.
BROKEN = {
    "a_liad_paper": ("beta_max_q24=8556380", "delta_q16=127800", "rtt_max=1"),
    "a_liad_safe": ("ack_rule=0", "rtt_max=0", "beyond_w_max=1"),
    "bbr3": (
        "startup_pacing_gain_q16=183000",
        "drain_pacing_gain_q16=34000",
        "cwnd_gain_q16=133000",
        "pacing_margin_q16=5000",
        "loss_threshold_q24=420000",
        "beta_q24=11900000",
        "headroom_q24=2600000",
        "probe_rtt_interval_us=5200000",
        "probe_rtt_duration_us=201000",
        "probe_rtt_cwnd_gain_q16=33500",
        "offload_quanta_q16=200000",
    ),
    "bic": ("beta_q24=2140000", "s_max_q16=2140000", "low_window_q8=5120"),
    "copa": ("delta_q24=8200000", "mode_switching=0"),
    "geo_reno": ("gain_max_q16=1600000", "d_min_m=1020000"),
    "h_tcp": ("rtt_scaling=0", "bandwidth_switch=0"),
    "hybic": ("beta_q24=11980000", "a_q16=26740", "rtt0_us=102000", "gamma_q8=33400"),
    "hybla": ("rtt0_us=25500", "gamma_q8=8356", "initial_ssthresh=0"),
    "hybla_im": ("rtt0_us=25500", "rho_floor_q16=64000", "ratio_mode=0", "loss_verdict=1"),
    "illinois": ("alpha_max_q16=668000", "beta_max_q24=8556380"),
    "leocc": (
        "trigger=1",
        "lead_ms=150",
        "min_rtt_fluctuation_us=5000",
        "queue_gain_q24=17800000",
        "measurement_variance_q12=20000",
        "min_rtt_window_ms=19000",
        "up_gain_q24=21200000",
        "pacing_margin_q24=120000",
        "probe_rtt_duration_us=210000",
        "probe_rtt_gain_q24=9000000",
    ),
    "satcp": ("duration_us=2000000", "beta_q24=11980000"),
    "starquic": ("handover_window_us=900000", "handover_schedule=1", "beta_q24=11980000"),
    "vegas": ("alpha_q8=1024", "gamma_q8=1536", "kept_at_loss_q24=12834570", "doubling=1"),
    "vegas_w": ("loss_verdict=1",),
    "vegas_w_paper": ("loss_verdict=1", "bandwidth_memory=1"),
    "westwood": ("tau_us=450000",),
}


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The controllers, each with the runner."""
    folder = tmp_path_factory.mktemp("controllers")
    return {name: kernel_vectors.build(name, folder) for name in NAMES}


@pytest.mark.parametrize("name", NAMES)
def test_every_case(name: str, programs: dict[str, Path]) -> None:
    found = {}
    for case in kernel_vectors.cases(name, programs[name]):
        if not case.obstacle and (name, case.name) not in NOT_APPLICABLE:
            found[case.name] = kernel_vectors.differences(programs[name], case)
    assert not any(found.values()), "\n".join(f"{case}:\n{lines}" for case, lines in found.items() if lines)
    assert len(found) >= 5, "a file without cases proves nothing"


@pytest.mark.parametrize(("name", "case_name"), NOT_APPLICABLE)
def test_an_excluded_case_could_not_be_passed(name: str, case_name: str, programs: dict[str, Path]) -> None:
    (case,) = [case for case in kernel_vectors.cases(name, programs[name]) if case.name == case_name]
    assert not case.obstacle
    assert kernel_vectors.differences(programs[name], case), f"{name}: {case_name} passes: remove it from the table"


def test_leocc_has_the_machine_of_bbr1(programs: dict[str, Path]) -> None:
    """The file of LeoCC has no cases with losses, timeouts or pauses: those are BBRv1's."""
    cases = [case for case in kernel_vectors.bbr1_cases(programs["leocc"], AS_BBR1) if not case.obstacle]
    found = {case.name: kernel_vectors.differences(programs["leocc"], case) for case in cases}
    assert {name for name, lines in found.items() if lines} == NOT_LEOCC.keys(), found
    assert len(found) > 20


def test_every_controller_has_a_broken_twin() -> None:
    assert sorted(BROKEN) == NAMES


@pytest.mark.parametrize(("name", "change"), [(name, change) for name, changes in BROKEN.items() for change in changes])
def test_a_changed_parameter_is_noticed(name: str, change: str, programs: dict[str, Path]) -> None:
    program = programs[name]
    cases = [case for case in kernel_vectors.cases(name, program) if not case.obstacle]
    cases = [case for case in cases if (name, case.name) not in NOT_APPLICABLE]
    assert any(kernel_vectors.differences(program, case, change) for case in cases), f"{name} with {change} passes"
