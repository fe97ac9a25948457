# SPDX-License-Identifier: MIT OR Apache-2.0
"""The series of a flow begin and end with the flow, also in pictures and in the viewer."""

from __future__ import annotations

import math

import numpy as np
import pyarrow.compute as pc
import pytest

import bentpipe as bp
from bentpipe import plots
from bentpipe.base.tables import Table
from bentpipe.show.pictures.overview import overview
from bentpipe.show.pictures.windows import windows
from bentpipe.show.viewer import scene as _scene
from viewed import curve, values

#: A transfer of about 0.4 s, a pause of 4 s, a transfer that does not finish, and a stream that stops.
TEXT = """
duration = "10 s"
network.dumbbell = { rate = "10 Mbit/s", rtt = "50 ms" }
[[flows]]
name = "first"
controller = "cubic"
size = "200 kB"
[[flows]]
name = "second"
controller = "cubic"
start = "5.05 s"
size = "100 MB"
stop = "8.02 s"
[[flows]]
name = "stream"
kind = "cbr"
rate = "1 Mbit/s"
start = "7 s"
stop = "7.5 s"
"""


@pytest.fixture(scope="module")
def run() -> bp.Run:
    return bp.run(TEXT)


def times(run: bp.Run, flow: int, table: Table | None = None) -> list[float]:
    rows = (run.flows if table is None else table).arrow
    return [float(one) for one in rows.filter(pc.equal(rows.column("flow"), flow)).column("time_s").to_pylist()]


def test_rows_begin_and_end_with_the_flow(run: bp.Run) -> None:
    done = run.summary["flows"][0]["completed_at_s"]
    assert done is not None
    first, second, stream = (times(run, flow) for flow in range(3))
    assert (first[0], first[-1]) == (pytest.approx(0.1), pytest.approx(math.ceil(done * 10) / 10))
    # The last packets arrive within the sample after the stop. They are acknowledged within the next sample.
    assert second[0] == pytest.approx(5.1)
    assert 8.1 - 1e-9 <= second[-1] <= 8.4
    assert stream[0] == pytest.approx(7.1)
    assert 7.5 - 1e-9 <= stream[-1] <= 7.8
    assert max(times(run, 0, run.snapshots)) == first[-1]
    for flow in run.summary["flows"]:
        rows = [row for row in run.flows.arrow.to_pylist() if row["flow"] == flow["flow"]]
        assert sum(row["sent_packets"] for row in rows) == flow["sent_packets"]
        assert sum(row["lost_queue"] for row in rows) == flow["losses"]["queue"]


def test_means_are_over_active_flows_and_gaps_are_gaps(run: bp.Run) -> None:
    moments, mean = plots.over_time(run.flows, "cwnd_segments", "mean")
    assert np.allclose(np.diff(moments), 0.1)
    assert np.isnan(mean[(moments > 1.0) & (moments < 5.05)]).all()
    assert np.isfinite(mean[moments > 5.1]).all()
    alone = {row["time_s"]: row["cwnd_segments"] for row in run.flows.arrow.to_pylist() if row["flow"] == 1}
    six = float(moments[np.argmin(abs(moments - 6.0))])
    assert mean[np.argmin(abs(moments - 6.0))] == alone[six]
    assert (plots.over_time(run.flows, "goodput_mbit_s")[1][(moments > 1.0) & (moments < 5.05)] == 0.0).all()
    # If there are many flows, their mean is drawn.
    many = bp.run(TEXT.replace('size = "200 kB"', 'size = "200 kB"\ncount = 9'))
    axes = overview(many).axes
    (line,) = (one for one in axes[1].get_lines() if str(one.get_label()).startswith("mean of"))
    assert np.isnan(np.asarray(line.get_ydata(), float)).any()
    windows([("many", many)])
    plots.links(many, 2)


def test_the_viewer_has_no_window_of_a_flow_that_has_ended(run: bp.Run) -> None:
    scene = _scene.of_runs([run])
    made = scene.document["runs"][0]
    rows = {(row["flow"], row["time_s"]): row["cwnd_segments"] for row in run.flows.arrow.to_pylist()}
    for flow in (0, 1):
        finest = curve(made, {"flow": flow}, "cwnd")["levels"][0]
        at, low = (values(scene, finest[part]) for part in ("time", "low"))
        expected = [rows.get((flow, moment), math.nan) for moment in at.tolist()]
        assert np.allclose(low, expected, rtol=1e-6, equal_nan=True)
        assert np.isnan(low).any()
