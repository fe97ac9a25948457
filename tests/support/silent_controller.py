# SPDX-License-Identifier: MIT OR Apache-2.0
"""A controller that first finishes visits quickly and then stops, so that later visits do not finish."""

from __future__ import annotations

import bentpipe as bp

FALLS_SILENT = "falls-silent"


@bp.register(FALLS_SILENT)
class FallsSilent(bp.Controller):
    """Sends quickly for 2 s. Then its window is one segment, and its rate 100 bit/s."""

    signals = ("pacing",)

    def on_ack(self, event: bp.AckEvent, control: bp.Control) -> None:
        control.cwnd = 20 if event.now_s < 2 else 1
        control.pacing_bit_s = 1e7 if event.now_s < 2 else 100
