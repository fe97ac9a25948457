# SPDX-License-Identifier: MIT OR Apache-2.0
"""Read CSV files of WetLinks, measurements of two Starlink dishes with weather (Laniewski et al., TMA 2024).

Source: sys-uos/WetLinks, the descriptions in `Raw_Data/*/*.txt`: ``net_ping`` (``ping_avg`` in ms, ``packet_loss`` in
%), ``net_iperf`` and its cleaned tables (``download``, ``upload`` in bit/s), ``starlink`` (``pop_ping_latency`` in ms,
``ping_drop`` in %), and the merged ``analysis_data``. Times are ISO 8601.
"""

from __future__ import annotations

from collections import Counter

from bentpipe._import.columns import moment
from bentpipe._import.measured import HALVED, QUEUED, Asked, Measured, Sample, number, rows, text_of
from bentpipe.base.files import Unfit

#: Columns of a round trip in ms, each with its column of the loss in %. The first pair that a table has is used.
_RTTS = (("ping_avg", "packet_loss"), ("ping_avg", "ping_packet_loss"), ("pop_ping_latency", "ping_drop"))
_RATES = {"down": "download", "up": "upload"}
#: The columns that distinguish the series of a table.
_SERIES = ("target", "server", "ip_protocol", "transport_protocol")


def matches(head: bytes) -> bool:
    """Return whether a file has a header of WetLinks."""
    return "site_name" in text_of(head).split("\n", 1)[0].strip().split(",")


def read(data: bytes, asked: Asked) -> Measured:
    """Read round trips, losses and rates of the series with the most rows."""
    lines = rows(text_of(data))
    _, head = next(lines, (0, []))
    time = next((name for name in ("timestamp_start", "timestamp") if name in head), None)
    rtt, loss = next(((rtt, loss) for rtt, loss in _RTTS if rtt in head and loss in head), (None, None))
    rate = _RATES[asked.direction or "down"]
    if time is None or "hop" in head or (rtt is None and rate not in head):
        raise Unfit(
            "line 1: this is not the header of a WetLinks table with round trips or rates (known tables: net_ping, "
            "net_iperf, starlink, analysis_data, and the cleaned tables)"
        )
    if asked.direction is not None and rate not in head:
        raise Unfit(f"--direction has no effect on a table without the column {rate} (omit it)")
    series: dict[tuple[str, ...], list[Sample]] = {}
    for line, cells in lines:
        if len(cells) != len(head):
            raise Unfit(f"line {line}: the row has {len(cells)} values, but the header names {len(head)}")
        row = dict(zip(head, cells, strict=True))
        lost = number(row[loss], line, loss) if loss else None
        rtt_ms = number(row[rtt], line, rtt) if rtt else None
        bit_s = number(row[rate], line, rate) if rate in row else None
        if rtt_ms is None and bit_s is None and lost is None:
            continue
        if lost is not None and not 0 <= lost <= 100:
            raise Unfit(f"line {line}: {loss} {lost:g} is not within 0 and 100 %")
        gone = 1.0 if rtt and rtt_ms is None and bit_s is None else (lost or 0.0) / 100
        sample = Sample(
            moment(row[time], line, time),
            rtt_ms if gone < 1 else None,
            None if bit_s is None else bit_s / 1e6,
            gone,
        )
        series.setdefault(tuple(row[name] for name in _SERIES if name in row), []).append(sample)
    if not series:
        raise Unfit("it has no row with a value")
    ((chosen, count),) = Counter({key: len(samples) for key, samples in series.items()}).most_common(1)
    notes = [f"measured: {count} rows of {' '.join(chosen) or 'the site'}"]
    if len(series) > 1:
        notes.append(f"left out: {sum(map(len, series.values())) - count} rows of {len(series) - 1} other series")
    notes += [HALVED, QUEUED] if rtt else ["not measured: the delay (give the link a delay or an rtt)"]
    if rate in head:
        notes.append(f"assumed: the capacity is the rate of the {rate}s (--direction chooses the other column)")
    else:
        notes.append("not measured: the capacity (give the link a rate, or import with --rate)")
    notes.append(
        "assumed: the values stay constant between measurements, which are minutes apart (--gap TIME turns "
        "silence into an outage)"
    )
    return Measured("WetLinks", series[chosen], notes)
