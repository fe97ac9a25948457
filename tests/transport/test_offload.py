# SPDX-License-Identifier: MIT OR Apache-2.0
"""Segmentation offload, compared with packets of a real kernel: `super-packets` of data/linux/openings.parquet.

CUBIC runs over 20 Mbit/s and 100 ms. When slow start reaches 17.8 Mbit/s, a burst of 2^-10 s at the doubled rate has
three segments (3 x 1448 x 8 x 1024 / 2). From then until slow start ends, bursts of two become bursts of three on both
sides. The kernel cuts its data into pieces of 22 segments (half of the first window). So some of its bursts are a
segment shorter, or a single segment joins the next burst. Our data are one piece.
"""

from __future__ import annotations

import itertools
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest

import bentpipe as bp
from project import ROOT

OPENINGS = ROOT / "data" / "linux" / "openings.parquet"
#: The kernel needs up to 0.02 ms from a burst's first segment to its last one. ACKs are 0.6 ms apart.
TOGETHER_S = 0.1e-3
#: The receiver's window of the traces: six times the capacity of path and queue, in bytes.
WINDOW_B = 6 * (250_000 + 167 * 1500)
PAYLOAD_B = 1448
#: Number of data segments in the log.
LOGGED = 1094


@pytest.fixture(scope="module")
def kernel() -> list[dict[str, Any]]:
    return pq.read_table(OPENINGS, filters=[("case", "==", "super-packets")]).to_pylist()


def ours(*, tso: bool) -> pa.Table:
    run = bp.run(
        bp.Scenario(
            name="super-packets",
            duration="1.3 s",
            network=bp.Dumbbell(
                rate="20 Mbit/s",
                rtt="100 ms",
                queue="167 packets",
                reverse=bp.Link(rate="unlimited", queue="unlimited"),
            ),
            tcp=bp.Tcp(preset="linux", tso=tso, receive_window={"at_most": f"{WINDOW_B} B"}),
            flows=[bp.Flow(controller="cubic-linux")],
            record=bp.Record(packets=True),
        )
    )
    packets = pa.table(run.packets)
    return packets.filter(pc.not_equal(packets["event"], "deliver"))


def sent(packets: pa.Table, kind: str, key: str) -> list[Any]:
    values: list[Any] = packets.filter(pc.equal(packets["kind"], kind))[key].to_pylist()
    return values


def bursts(times_s: list[float]) -> list[int]:
    """Return the sizes of the bursts (segments that leave together) in the log."""
    sizes = [1]
    for before, after in itertools.pairwise(times_s[:LOGGED]):
        if after - before < TOGETHER_S:
            sizes[-1] += 1
        else:
            sizes.append(1)
    return sizes


def of_sender(kernel: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [row for row in kernel if row["sent_by"] == "sender" and row["payload"]]


def in_threes(sizes: list[int]) -> tuple[int, int]:
    """Return the first and the last burst with three or more segments after the initial window."""
    large = [at for at, size in enumerate(sizes) if size >= 3 and at > 0]
    return large[0], large[-1]


def test_bursts_are_as_large_as_the_kernels(kernel: list[dict[str, Any]]) -> None:
    theirs = bursts([row["sent_ns"] * 1e-9 for row in of_sender(kernel)])
    mine = bursts(sent(ours(tso=True), "data", "time_s"))
    (first, last), (my_first, my_last) = in_threes(theirs), in_threes(mine)
    # Bursts of three begin at the same segment, and all but two bursts are equal.
    assert theirs[:first] == mine[:my_first] == [10] + [2] * 166
    assert set(mine[my_first : my_last + 1]) == {3}
    assert set(theirs[first : last + 1]) == {2, 3, 4}
    assert my_last - last == 2
    assert set(theirs[last + 1 :]) == set(mine[my_last + 1 :]) == {1, 2}


def test_without_it_none_has_three() -> None:
    assert set(bursts(sent(ours(tso=False), "data", "time_s"))[1:]) == {1, 2}


def test_the_receiver_acknowledges_the_same(kernel: list[dict[str, Any]]) -> None:
    """The kernel also gets single packets, because TUN hands them over one by one."""
    rows = [row for row in kernel if row["sent_by"] == "receiver" and row["flags"] == "ACK"]
    theirs = [(row["acknowledged"] - 1) // PAYLOAD_B for row in rows]
    assert len(theirs) == 903
    assert sent(ours(tso=True), "ack", "sequence")[: len(theirs)] == theirs


def test_the_last_of_a_burst_has_psh(kernel: list[dict[str, Any]]) -> None:
    """crates/tcp/tests/tso.rs checks the same for our packets."""
    assert ["PSH" in row["flags"] for row in of_sender(kernel)[:340]] == [False, True] * 170
