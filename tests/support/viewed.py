# SPDX-License-Identifier: MIT OR Apache-2.0
"""Helpers for tests of the viewer: scenarios, a tiny page, and functions that read a scene as the page does."""

from __future__ import annotations

import base64
import gzip
import json
import re
from typing import Any

import numpy as np

from bentpipe.show.viewer import scene as _scene
from bentpipe.show.viewer.buffers import TYPES

ORBIT = """
name = "<b>over</b> Starlink"
duration = "100 s"
[network.constellation]
preset = "starlink-550"
isl = { rate = "1 Gbit/s", queue = "500 packets" }
user_link = { rate = "4 Mbit/s", queue = "40 packets" }
handover = { outage = "100 ms", during = "lose" }
[[flows]]
name = "one </script><img src=x>"
from = "London"
to = "New York"
controller = "cubic"
[[flows]]
name = "two"
from = "New York"
to = "London"
start = "3 s"
controller = "reno"
[[flows]]
name = "back"
kind = "ping"
interval = "200 ms"
from = "London"
to = "New York"
"""
CHAIN = """
name = "chain"
duration = "5 s"
network.chain.links = [
  { rate = "10 Mbit/s", delay = "5 ms", queue = "20 packets" },
  { rate = "5 Mbit/s", delay = "10 ms", queue = "20 packets" },
]
flows = [{ from = "0", to = "2", controller = "reno" }]
"""
PAGE = """<!doctype html><html><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'self'">
<link rel="stylesheet" href="viewer.css"></head><body><script type="module" src="viewer.js"></script></body></html>
"""


def values(scene: _scene.Scene, ref: dict[str, Any]) -> np.ndarray:
    """Return the numbers of a reference, as a page reads them."""
    held = scene.buffers[ref["buffer"]].made()
    assert ref["offset"] % 8 == 0
    return np.frombuffer(held, TYPES[ref["type"]], ref["count"], ref["offset"])


def curve(run: dict[str, Any], of: dict[str, int], quantity: str) -> dict[str, Any]:
    return next(one for one in run["curves"] if one["of"] == of and one["quantity"] == quantity)


def held(page: str) -> tuple[dict[str, Any], dict[str, bytes]]:
    """Return scene and buffers of a page, as its script reads them."""
    document = re.findall(r'<script type="application/json" id="scene">(.*?)</script>', page, re.DOTALL)
    buffers = re.findall(r'<script type="text/plain" id="buffer-([\w-]+)">(.*?)</script>', page, re.DOTALL)
    assert len(document) == 1
    return json.loads(document[0]), {name: gzip.decompress(base64.b64decode(text)) for name, text in buffers}
