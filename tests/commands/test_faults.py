# SPDX-License-Identifier: MIT OR Apache-2.0
"""Errors as objects: what a program reads of them without taking a message apart."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest

import bentpipe as bp

HEAD = 'duration = "5 s"\n'
FLOW = '[[flows]]\ncontroller = "reno"\n'


def refused(text: str) -> bp.ScenarioError:
    """The error for a scenario."""
    with pytest.raises(bp.ScenarioError) as caught:
        bp.run(text)
    return caught.value


def only(text: str) -> bp.Fault:
    """The one fault of a scenario; its message is in that of the error."""
    error = refused(text)
    (fault,) = error.faults
    assert fault.message in error.message
    assert fault.code == error.code
    return fault


def dumbbell(keys: str, flow: str = FLOW) -> str:
    """A scenario whose network stands in line 3."""
    return f"{HEAD}[network.dumbbell]\n{keys}\n{flow}"


def test_of_an_unknown_key_the_nearest_comes_first() -> None:
    fault = only(dumbbell('rate = "1 Mbit/s"\nrtt = "9 ms"\nqueu = "9 packets"'))
    assert (fault.code, fault.line, fault.key) == ("scenario-unknown-key", 5, "network.dumbbell.queu")
    assert fault.value == "queu"
    assert fault.alternatives[0] == "queue"
    assert {"rate", "rtt", "loss"} < set(fault.alternatives)


def test_a_bare_number_has_its_unit_as_a_fix() -> None:
    fault = only(dumbbell('rate = 5\nrtt = "9 ms"'))
    assert (fault.code, fault.line, fault.key) == ("scenario-wrong-type", 3, "network.dumbbell.rate")
    assert (fault.value, fault.fix) == ("5", 'write rate = "5 Mbit/s"; units are bit/s, kbit/s, Mbit/s, Gbit/s, Tbit/s')
    assert fault.bound is not None
    assert fault.bound.startswith("a data rate")
    assert fault.message.endswith(f"({fault.fix})")


@pytest.mark.parametrize(
    ("keys", "value", "bound"),
    [
        ("loss = { per = 1.5 }", "1.5", "within 0 and 1"),
        ("loss = { per = -0.5 }", "-0.5", "within 0 and 1"),
        ('dama = { superframe = "2 h", latency = "9 ms", vbdc = "unlimited" }', '"2 h"', "within 5 ms and 10 s"),
    ],
)
def test_a_value_out_of_range_has_its_bound(keys: str, value: str, bound: str) -> None:
    fault = only(dumbbell(f'rate = "1 Mbit/s"\nrtt = "9 ms"\n{keys}'))
    assert (fault.code, fault.value, fault.bound) == ("scenario-value", value, bound)


def test_of_an_unknown_word_the_nearest_comes_first() -> None:
    fault = only(dumbbell('rate = "1 Mbit/s"\nrtt = "9 ms"\nqueue = { discipline = "coddel" }'))
    assert (fault.value, fault.alternatives[0]) == ('"coddel"', "codel")
    assert {"red", "pie", "fq-codel"} < set(fault.alternatives)


def test_a_quantity_that_cannot_be_read_says_what_belongs_there() -> None:
    fault = only(dumbbell('rate = "1 Mbps"\nrtt = "9 ms"'))
    assert (fault.code, fault.value) == ("unit-unknown", '"1 Mbps"')
    assert fault.bound == 'a data rate or "unlimited" with its unit'


def test_a_key_of_another_kind_has_a_fix() -> None:
    flow = '[[flows]]\nkind = "cbr"\nrate = "1 Mbit/s"\ncontroller = "reno"\n'
    fault = only(dumbbell('rate = "1 Mbit/s"\nrtt = "9 ms"', flow))
    assert fault.key == "flows[0].controller"
    assert fault.fix is not None
    assert fault.fix.startswith("remove `controller`")


def test_all_faults_come_in_the_order_of_lines(tmp_path: Path) -> None:
    file = tmp_path / "x.toml"
    file.write_text(dumbbell('rate = 5\nrtt = "9 ms"\nqueu = 3', '[[flows]]\ncontroler = "reno"\n'))
    with pytest.raises(bp.ScenarioError) as caught:
        bp.run(file)
    assert [fault.line for fault in caught.value.faults] == [3, 5, 7]
    assert {fault.file for fault in caught.value.faults} == {str(file)}
    assert caught.value.code == caught.value.faults[0].code


def test_an_error_survives_pickling() -> None:
    error = refused(dumbbell('rate = 5\nrtt = "9 ms"'))
    again = pickle.loads(pickle.dumps(error))  # noqa: S301 - our own
    assert (again.code, again.message, again.faults) == (error.code, error.message, error.faults)


def test_an_error_without_a_document_has_no_fault(tmp_path: Path) -> None:
    with pytest.raises(bp.BentpipeError) as caught:
        bp.load(tmp_path)
    assert caught.value.faults == ()


def test_faults_of_a_sweep_are_told_at_its_own_keys(tmp_path: Path) -> None:
    (tmp_path / "base.toml").write_text(dumbbell('rate = "1 Mbit/s"\nrtt = "9 ms"'))
    file = tmp_path / "sweep.toml"
    file.write_text('base = "base.toml"\n[axes]\n"network.dumbbell.rate" = ["5 Mbit/s", "7 Mpbs"]\n')
    with pytest.raises(bp.ScenarioError) as caught:
        bp.sweep(file)
    (fault,) = caught.value.faults
    assert (fault.line, fault.key) == (3, 'axes."network.dumbbell.rate"')
