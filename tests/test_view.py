# SPDX-License-Identifier: MIT OR Apache-2.0
"""The viewer without a browser: scenes against the run's tables, who the server answers, how large a page is."""

from __future__ import annotations

import base64
import gzip
import http.client
import json
import random
import re
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import bentpipe as bp
from bentpipe._view import _columns, _levels, _page, _picture, _scene, _show
from bentpipe._view._buffers import TYPES, Buffer
from bentpipe._view._server import Server
from conftest import ROOT, Command

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


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("runs") / "orbit"
    bp.run(ORBIT, out=place)
    return place


@pytest.fixture
def page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A page of no size: the real one is built from `web/`."""
    place = tmp_path / "page"
    place.mkdir()
    for name, text in {"index.html": PAGE, "viewer.js": "1;", "viewer.css": "p{}"}.items():
        (place / name).write_text(text)
    monkeypatch.setattr(_page, "PAGE", place)
    for kept in (_page.file, _page.policy):
        kept.cache_clear()
    yield
    for kept in (_page.file, _page.policy):
        kept.cache_clear()


def values(scene: _scene.Scene, ref: dict[str, Any]) -> np.ndarray:
    """What a reference points at, as a page reads it."""
    held = scene.buffers[ref["buffer"]].made()
    assert ref["offset"] % 8 == 0
    return np.frombuffer(held, TYPES[ref["type"]], ref["count"], ref["offset"])


def curve(run: dict[str, Any], of: dict[str, int], quantity: str) -> dict[str, Any]:
    return next(one for one in run["curves"] if one["of"] == of and one["quantity"] == quantity)


# ---- what a scene holds --------------------------------------------------------------------------------------------


def test_window_and_rtt_at_a_hundred_moments_are_those_of_the_table(folder: Path) -> None:
    run = bp.load(folder)
    scene = _scene.of_runs([run])
    made = scene.document["runs"][0]
    rows = run.flows.to_pandas().set_index(["flow", "time_s"])
    times = np.random.default_rng(1).choice(sorted(set(run.flows["time_s"])), 100)
    columns = {
        "cwnd": "cwnd_segments", "rtt": "rtt_ms", "propagation_rtt": "propagation_rtt_ms", "queue": "queueing_delay_ms",
        "delivery_rate": "goodput_mbit_s", "in_flight": "in_flight_segments", "ssthresh": "ssthresh_segments",
    }  # fmt: skip
    for flow in (0, 1):
        for quantity, column in columns.items():
            finest = curve(made, {"flow": flow}, quantity)["levels"][0]
            at, low, high = (values(scene, finest[part]) for part in ("time", "low", "high"))
            assert np.array_equal(low, high, equal_nan=True)
            for moment in times:
                told, there = low[np.searchsorted(at, moment)], rows.loc[(flow, moment), column]
                assert told == pytest.approx(there, rel=1e-6, nan_ok=True), (flow, quantity, moment)
    assert {one["quantity"] for one in made["curves"] if one["of"] == {"flow": 2}}.isdisjoint({"cwnd", "ssthresh"})


def test_the_way_at_a_hundred_moments_is_that_of_the_table(folder: Path) -> None:
    run = bp.load(folder)
    scene = _scene.of_runs([run])
    made = scene.document["runs"][0]
    names = {node["id"]: node["name"] for node in made["nodes"]}
    for flow, way in ((0, ("London", "New York")), (1, ("New York", "London"))):
        path = next(one for one in made["paths"] if one["flow"] == flow)
        starts, ends, nodes = (values(scene, path[part]) for part in ("time", "node_start", "nodes"))
        assert path["count"] == len(starts) == len(ends) - 1
        rows = [row for row in run.paths.arrow.to_pylist() if (row["from"], row["to"]) == way]
        for moment in np.linspace(0.0, 100.0, 100):
            place = int(np.searchsorted(starts, moment, side="right")) - 1
            told = " > ".join(names[node] for node in nodes[ends[place] : ends[place + 1]])
            assert told == [row["via"] for row in rows if row["time_s"] <= moment][-1]
        for start, rtt in zip(starts, values(scene, path["rtt_ms"]), strict=True):
            there = next(row["propagation_rtt_ms"] for row in rows if row["time_s"] == start)
            assert rtt == pytest.approx(there, rel=1e-6)
    assert len(starts) > 2, "the way changed meanwhile"


def test_satellites_stand_where_the_sky_has_them(folder: Path) -> None:
    """Against the constellation itself at moments between two of those that are kept: within a kilometre."""
    run = bp.load(folder)
    scene = _scene.of_runs([run])
    positions = scene.document["runs"][0]["positions"]
    states = values(scene, positions["data"]).reshape(positions["knots"], len(positions["satellites"]), 6)
    sky, h = bp.constellation("starlink-550"), positions["step_s"]
    for moment in (0.0, 7.0, 33.0, 50.0, 99.0):
        knot = min(int(moment / h), positions["knots"] - 2)
        s = moment / h - knot
        (p0, v0), (p1, v1) = (np.split(states[at].astype(float), 2, axis=1) for at in (knot, knot + 1))
        told = (
            (1 + 2 * s) * (1 - s) ** 2 * p0
            + s * (1 - s) ** 2 * h * v0
            + s * s * (3 - 2 * s) * p1
            - s * s * (1 - s) * h * v1
        )
        nodes = sky._look(f"{moment} s", [])[0].to_pandas()
        real = nodes[nodes.kind == "satellite"][["x_km", "y_km", "z_km"]].to_numpy()
        assert np.linalg.norm(told - real, axis=1).max() < 1.0


def test_events_say_why_a_window_was_cut_over_a_handover(folder: Path) -> None:
    run = bp.load(folder)
    made = _scene.of_runs([run]).document["runs"][0]
    events = [event for event in made["events"] if event["flow"] == 0]
    assert [event["time_s"] for event in events] == sorted(event["time_s"] for event in events)
    changed = {row["time_s"] for row in run.paths.arrow.to_pylist() if row["changed"] and row["time_s"] > 0}
    assert {event["time_s"] for event in events if event["kind"] in ("handover", "path")} == changed
    cuts = [row for row in run.events.arrow.to_pylist() if row["event"] == "cut" and row["flow"] == 0]
    told = [event for event in events if event["kind"] == "cut"]
    assert [event["time_s"] for event in told] == [row["time_s"] for row in cuts]
    near = [event["text"] for event in told if "after a handover" in event["text"]]
    assert near
    for text in near:
        assert re.search(r"window \d+ → \d+ segments, for .+, 0\.\d{3} s after a handover", text)
    of = {loss["cause"]: loss for loss in made["losses"] if loss["flow"] == 0}
    rows = [row for row in run.events.arrow.to_pylist() if row["event"] == "loss" and row["flow"] == 0]
    assert {cause: loss["count"] for cause, loss in of.items()} == {
        cause: sum(row["cause"] == cause for row in rows) for cause in {row["cause"] for row in rows}
    }


def test_a_level_holds_the_least_and_the_most_of_its_buckets() -> None:
    """By hand, bucket by bucket; what is not known is left out, and a bucket of it alone is not known."""
    samples = (np.sin(np.arange(9_001)) * np.arange(9_001)).astype("<f4")
    samples[100:200] = np.nan
    buffer = Buffer("b")
    times = _levels.Times(buffer, np.arange(9_001) * 0.1)
    levels = _levels.levels(buffer, times, lambda: samples)
    assert [level["count"] for level in levels] == [9_001, 2_251, 563]
    scene = _scene.Scene({}, {"b": buffer})
    for number, level in enumerate(levels):
        at, low, high = (values(scene, level[part]) for part in ("time", "low", "high"))
        for bucket in (0, 1, 7, 8, 30, len(low) - 1):
            inside = samples[bucket * 4**number : (bucket + 1) * 4**number]
            known = inside[np.isfinite(inside)]
            assert at[bucket] == pytest.approx(bucket * 4**number * 0.1)
            if known.size:
                assert (low[bucket], high[bucket]) == (known.min(), known.max())
            else:
                assert np.isnan(low[bucket])
                assert np.isnan(high[bucket])


def test_links_that_rest_are_at_nought(folder: Path) -> None:
    run = bp.load(folder)
    scene = _scene.of_runs([run])
    made = scene.document["runs"][0]
    links = {link["id"]: link for link in made["links"]}
    rows = run.links.to_pandas()
    every = np.unique(rows.time_s)
    for link in list(dict.fromkeys(rows.link))[:6]:
        assert links[link]["name"] == rows[rows.link == link].name.iloc[0]
        levels = curve(made, {"link": int(link)}, "utilisation")["levels"][0]
        at, told = values(scene, levels["time"]), values(scene, levels["low"])
        own = rows[rows.link == link].set_index("time_s").utilisation
        for moment in every[::17]:
            place = int(np.searchsorted(at, moment, side="right")) - 1
            held = told[place] if place >= 0 else 0.0
            assert held == pytest.approx(own.get(moment, 0.0), rel=1e-6), (link, moment)


def test_plain_networks_have_a_drawing_and_no_globe(tmp_path: Path) -> None:
    bp.run(CHAIN, out=tmp_path / "chain")
    made = _scene.of_runs([bp.load(tmp_path / "chain")]).document["runs"][0]
    assert made["positions"] is None
    assert [(node["name"], node["kind"]) for node in made["nodes"]] == [("0", "site"), ("1", "router"), ("2", "site")]
    assert [node["x"] for node in made["nodes"]] == sorted(node["x"] for node in made["nodes"])
    assert {(link["from"], link["to"]) for link in made["links"]} == {(0, 1), (1, 0), (1, 2), (2, 1)}


def test_an_older_folder_opens_and_says_what_it_lacks(folder: Path, tmp_path: Path) -> None:
    old = shutil.copytree(folder, tmp_path / "old")
    for name in ("nodes", "link_ends", "positions"):
        (old / f"{name}.parquet").unlink()
    scene = _scene.of_runs([bp.load(old)])
    assert scene.document["runs"][0]["positions"] is None
    assert any("no tables of nodes and positions" in note for note in scene.document["notes"])
    path = scene.document["runs"][0]["paths"][0]
    assert path["count"] > 1
    assert values(scene, path["nodes"]).size


def test_names_are_told_apart_by_links() -> None:
    """Two satellites of one name, and a name that holds what stands between names."""
    from bentpipe._view._places import Places

    places = Places.__new__(Places)
    names = ["A > B", "OBJECT", "OBJECT", "C"]
    places._nodes = [{"node": number, "name": name, "kind": "site"} for number, name in enumerate(names)]
    places._numbers = {"A > B": [0], "OBJECT": [1, 2], "C": [3]}
    places._linked = {(0, 2), (2, 3), (3, 1)}
    places._run = bp.run(CHAIN, duration="10 ms")
    assert places.way("A > B > OBJECT > C") == (0, 2, 3)
    assert places.way("") == ()
    with pytest.raises(bp.RunError, match="table of nodes lacks"):
        places.way("A > B > somewhere > C")


def test_a_run_without_a_folder_has_a_scene_too() -> None:
    run = bp.run(ORBIT, duration="4 s")
    made = _scene.of_runs([run]).document["runs"][0]
    assert made["folder"] is None
    assert made["positions"]["knots"] == 2


def test_a_catalogue_dates_the_run() -> None:
    run = bp.run(ROOT / "scenarios" / "starlink-catalogue.toml", duration="1 s")
    made = _scene.of_runs([run]).document["runs"][0]
    assert made["epoch_utc"].startswith("2022-09-14T"), "the day of its element sets"
    assert len(made["positions"]["satellites"]) == sum(node["kind"] == "satellite" for node in made["nodes"])


def test_runs_without_series_say_so(tmp_path: Path) -> None:
    bp.run(CHAIN + 'record = { interval = "off" }\n', out=tmp_path / "quiet")
    scene = _scene.of_runs([bp.load(tmp_path / "quiet")])
    assert any("no series were recorded" in note for note in scene.document["notes"])
    assert scene.document["runs"][0]["curves"] == []
    assert not list((tmp_path / "quiet").glob("[np]o*.parquet")), "nothing is recorded of nodes and positions"


def test_columns_are_read_as_arrow_holds_them() -> None:
    table = pa.table(
        {
            "float": pa.chunked_array([pa.array([1.0, None, 3.0])[1:], pa.array([4.0])]),
            "short": pa.array([None, 2.5, None, 1.5][1:], pa.float32()),
            "count": pa.array([7, None, 9], pa.uint32()),
            "nothing": pa.array([None, None, None], pa.float64()),
            "word": pa.chunked_array([pa.array(["b", None]).dictionary_encode(), pa.array(["a"]).dictionary_encode()]),
            "text": ["x", "y", "x"],
        }
    )
    for name in ("float", "short", "nothing"):
        expected = np.array([np.nan if one is None else one for one in table[name].to_pylist()])
        assert np.array_equal(_columns.numbers(table, name), expected, equal_nan=True)
    assert _columns.numbers(table, "count").tolist() == [7, -1, 9]
    for name in ("word", "text"):
        known, codes = _columns.words(table, name)
        assert [None if code < 0 else known[code] for code in codes] == table[name].to_pylist()


def test_the_tables_of_a_week_are_bounded() -> None:
    """28 bytes for each of at most a million positions; a week of 66 satellites has 2,017 moments."""
    text = """
name = "week"
duration = "7 d"
record = { interval = "1 h", events = false }
[network.constellation]
preset = "iridium"
route_step = "1 h"
isl = { rate = "1 Mbit/s" }
user_link = { rate = "1 Mbit/s" }
[[flows]]
kind = "ping"
interval = "1 h"
from = "Berkeley"
to = "Boston"
"""
    cost = bp.estimate_cost(text)
    assert cost["rows"] < 1_500_000


def _spoilt(table: pa.Table, chance: random.Random) -> pa.Table:
    """A table that no run writes."""
    name = chance.choice(table.column_names)
    how = chance.choice(["fewer", "more", "none", "no column", "shuffled", "gaps", "values"])
    if how == "fewer":
        return table.slice(0, max(0, table.num_rows - chance.randint(1, 5)))
    if how == "more":
        return pa.concat_tables([table, table.slice(0, 3)])
    if how == "none":
        return table.slice(0, 0)
    if how == "no column":
        return table.drop_columns([name])
    if how == "shuffled":
        return table.take(chance.sample(range(table.num_rows), table.num_rows))
    place = table.column_names.index(name)
    kind = table.schema.field(place).type
    kind = kind.value_type if pa.types.is_dictionary(kind) else kind
    values = table.column(place).to_pylist()
    other = {"d": [np.nan, np.inf, -1.0], "f": [np.nan, 1e30], "u": [0, 5, 2**32 - 1], "b": [True], "s": ["", "x > y"]}
    for _ in range(min(5, len(values))):
        at = chance.randrange(len(values))
        values[at] = None if how == "gaps" else chance.choice(other[str(kind)[0]])
    return table.set_column(place, name, pa.array(values, kind))


def test_tables_that_no_run_writes_are_shown_or_refused(folder: Path, tmp_path: Path) -> None:
    chance = random.Random(11)  # noqa: S311 - the same in every run
    bad = shutil.copytree(folder, tmp_path / "bad")
    for case in range(60):
        name = chance.choice(["nodes", "link_ends", "positions", "flows", "links", "paths", "events"])
        pq.write_table(_spoilt(pq.read_table(folder / f"{name}.parquet"), chance), bad / f"{name}.parquet")
        try:
            scene = _scene.of_runs([bp.load(bad)])
            _page.document(scene)
            for buffer in scene.buffers.values():
                buffer.made()
        except bp.RunError as error:
            assert error.code == "folder-damaged", case  # noqa: PT017 - or it is shown
        shutil.copy(folder / f"{name}.parquet", bad)


def test_a_run_without_events_has_a_scene_too() -> None:
    made = _scene.of_runs([bp.run(CHAIN + "record = { events = false }\n")])
    assert made.document["runs"][0]["events"] == []
    assert any("record.events is off" in note for note in made.document["notes"])


# ---- who the server answers ----------------------------------------------------------------------------------------


@pytest.fixture
def server(folder: Path, page: None) -> Iterator[Server]:  # noqa: ARG001 - before anything is served
    with Server(_show.source([folder]).shown) as made:
        thread = threading.Thread(target=made.serve_forever, args=(0.02,))
        thread.start()
        yield made
        made.shutdown()
        thread.join()


Ask = Callable[..., tuple[int, dict[str, str], bytes]]


@pytest.fixture
def ask(server: Server) -> Ask:
    def call(path: str, method: str = "GET", **headers: str) -> tuple[int, dict[str, str], bytes]:
        connection = http.client.HTTPConnection("127.0.0.1", server.server_address[1], timeout=20)
        connection.putrequest(method, path, skip_host="Host" in headers)
        for key, value in headers.items():
            connection.putheader(key, value)
        connection.endheaders()
        answer = connection.getresponse()
        found = answer.status, dict(answer.getheaders()), answer.read()
        connection.close()
        return found

    return call


def test_the_server_gives_page_scene_and_buffers(server: Server, ask: Ask, folder: Path) -> None:
    at = urlsplit(server.address).path
    status, headers, body = ask(at)
    assert (status, body) == (200, PAGE.encode())
    assert headers["Content-Security-Policy"] == (
        "default-src 'none'; script-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
    )
    assert ask(f"{at}viewer.js")[2] == b"1;"
    document = json.loads(ask(f"{at}scene.json")[2])
    assert document == _scene.of_runs([bp.load(folder)]).document
    for level in document["runs"][0]["curves"][0]["levels"]:
        name = level["low"]["buffer"]
        status, headers, body = ask(f"{at}buffers/{name}.bin")
        assert (status, headers["Content-Type"]) == (200, "application/octet-stream")
        assert len(body) >= level["low"]["offset"] + 4 * level["low"]["count"]
        assert ask(f"{at}buffers/{name}.bin", Range="bytes=8-15")[::2] == (206, body[8:16])
        assert ask(f"{at}buffers/{name}.bin", Range=f"bytes={len(body)}-")[0] == 416
    status, headers, body = ask(f"{at}scene.json", "HEAD")
    assert (status, body) == (200, b"")
    assert int(headers["Content-Length"]) > 1000
    for path in ("", "scene.json", "nothing"):
        headers = ask(at + path)[1]
        assert headers["X-Content-Type-Options"] == "nosniff"
        assert headers["Cache-Control"] == "no-store"
        assert not any(name.lower().startswith("access-control") for name in headers)
        assert "Python" not in headers["Server"]


@pytest.mark.parametrize(
    "path",
    [
        "../../../etc/passwd",
        "%2e%2e/%2e%2e/etc/passwd",
        "..%2f..%2fetc%2fpasswd",
        "buffers/../../summary.json",
        "buffers/..%2fsummary.bin",
        "buffers//etc/passwd.bin",
        "summary.json",
        "flows.parquet",
        "run/0/",
        "run/-1/scene.json",
        "run/99999999999999/scene.json",
        "pictures/0.png",
        "pictures/../x.png",
        "\\..\\..\\x",
    ],
)
def test_nothing_else_can_be_had(server: Server, ask: Ask, path: str) -> None:
    assert ask(urlsplit(server.address).path + path)[0] == 404


def test_without_the_secret_there_is_nothing(server: Server, ask: Ask) -> None:
    token = server.token
    assert len(token) >= 40
    for path in (
        "/",
        "/scene.json",
        f"/{token[:-1]}x/scene.json",
        f"/{token}",
        f"/x/{token}/scene.json",
        f"/{token}%2f",
    ):
        status, _, body = ask(path)
        assert status == 404, path
        assert token.encode() not in body
    with Server(server.shown) as other:
        assert other.token != token


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:80", "127.0.0.1.evil.example", "localhost@evil.example", ""]
)
def test_other_names_of_this_machine_are_refused(server: Server, ask: Ask, host: str) -> None:
    """A site whose name was pointed at 127.0.0.1 would otherwise read what the browser can."""
    assert ask(urlsplit(server.address).path, Host=host)[0] == 403


@pytest.mark.parametrize("host", ["localhost", "localhost:8000", "127.0.0.1:1", "[::1]:9", "LOCALHOST"])
def test_a_tunnel_may_have_another_port(server: Server, ask: Ask, host: str) -> None:
    assert ask(urlsplit(server.address).path, Host=host)[0] == 200


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "OPTIONS", "PATCH", "TRACE", "CONNECT", "PROPFIND"])
def test_only_reading_is_answered(server: Server, ask: Ask, method: str) -> None:
    status, headers, _ = ask(urlsplit(server.address).path, method)
    assert (status, headers["Allow"]) == (405, "GET, HEAD")


def test_it_listens_on_this_machine_alone(server: Server) -> None:
    assert server.server_address[0] == "127.0.0.1"


def test_two_requests_without_host_or_with_two_are_refused(server: Server) -> None:
    path = urlsplit(server.address).path
    for hosts in ("", "Host: localhost\r\nHost: evil.example\r\n"):
        with socket.create_connection(server.server_address[:2], timeout=20) as line:
            line.sendall(f"GET {path} HTTP/1.1\r\n{hosts}Connection: close\r\n\r\n".encode())
            assert b" 403 " in line.recv(64)


# ---- the command ---------------------------------------------------------------------------------------------------


def test_ctrl_c_ends_it_within_a_second(folder: Path) -> None:
    command = [sys.executable, "-m", "bentpipe", "view", str(folder), "--no-browser"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as running:
        assert running.stdout is not None
        address = running.stdout.readline().strip()
        if not address:
            pytest.skip("the page is not built")
        assert re.fullmatch(r"http://127\.0\.0\.1:\d+/[\w-]{40,}/", address)
        # A connection that stays open does not hold it up.
        with socket.create_connection((urlsplit(address).hostname, urlsplit(address).port)):
            began = time.monotonic()
            running.send_signal(signal.SIGINT)
            assert running.wait(timeout=20) == 130
            assert time.monotonic() - began < 10  # a second on a quiet machine


@pytest.mark.usefixtures("page")
def test_a_port_that_is_taken_is_said(folder: Path, cli: Command) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        done = cli("view", folder, "--no-browser", "--port", port)
    assert done.returncode == 2
    assert f"error[argument-value]: cannot listen on port {port}" in done.stderr


def test_what_is_no_run_folder_is_refused_before_anything_is_served(folder: Path, cli: Command, tmp_path: Path) -> None:
    for place, code, status in ((tmp_path / "nowhere", "folder-not-a-run", 1), (tmp_path, "folder-not-a-run", 1)):
        done = cli("view", place)
        assert (done.returncode, f"error[{code}]" in done.stderr) == (status, True), done.stderr
    half = shutil.copytree(folder, tmp_path / "half")
    (half / "summary.json").unlink()
    assert "error[folder-cut-off]" in cli("view", half).stderr
    cut = shutil.copytree(folder, tmp_path / "cut")
    held = (cut / "positions.parquet").read_bytes()
    (cut / "positions.parquet").write_bytes(held[: len(held) // 2])
    assert "positions.parquet is missing or ends too early" in cli("view", cut).stderr
    table = pq.read_table(folder / "positions.parquet")
    pq.write_table(table.slice(0, table.num_rows - 1), cut / "positions.parquet")
    assert "error[folder-damaged]" in cli("view", cut).stderr
    pq.write_table(pa.table({"node": [1]}), cut / "positions.parquet")
    assert "it has no column time_s" in cli("view", cut).stderr


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--port", "70000"], "--port"),
        (["--full"], "--export is missing"),
        (["--out", "x.png"], "--png is missing"),
        (["--png", "soon"], "soon"),
        (["--export", "page.pdf"], "ends in .html"),
        (["--png", "1 s", "--out", "x.jpg"], "ends in .png"),
    ],
)
@pytest.mark.usefixtures("page")
def test_options_that_do_not_fit_are_refused(folder: Path, cli: Command, options: list[str], words: str) -> None:
    done = cli("view", folder, *options)
    assert done.returncode == 2
    assert words in done.stderr


@pytest.mark.usefixtures("page")
def test_a_picture_needs_a_browser_and_says_which(folder: Path, cli: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_picture, "BROWSERS", ())
    done = cli("view", folder, "--png", "1 s", "--out", "x.png")
    assert done.returncode == 1
    assert "apt-get install chromium" in done.stderr


def test_an_installation_without_the_page_says_so(folder: Path, cli: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_page, "PAGE", Path("/nowhere"))
    _page.file.cache_clear()
    _page.policy.cache_clear()
    done = cli("view", folder, "--no-browser")
    assert done.returncode == 1
    assert "make page" in done.stderr
    _page.file.cache_clear()


# ---- the exported page ---------------------------------------------------------------------------------------------


def held(page: str) -> tuple[dict[str, Any], dict[str, bytes]]:
    """Scene and buffers of a page, as its script reads them."""
    document = re.findall(r'<script type="application/json" id="scene">(.*?)</script>', page, re.DOTALL)
    buffers = re.findall(r'<script type="text/plain" id="buffer-([\w-]+)">(.*?)</script>', page, re.DOTALL)
    assert len(document) == 1
    return json.loads(document[0]), {name: gzip.decompress(base64.b64decode(text)) for name, text in buffers}


@pytest.mark.usefixtures("page")
def test_an_exported_page_holds_all_and_asks_for_nothing(folder: Path, cli: Command, tmp_path: Path) -> None:
    done = cli("view", folder, "--export", "page.html")
    assert done.returncode == 0, done.stderr
    text = (tmp_path / "page.html").read_text()
    document, buffers = held(text)
    scene = _scene.of_runs([bp.load(folder)])
    assert document == scene.document
    assert buffers == {name: buffer.made() for name, buffer in scene.buffers.items()}
    assert "viewer.js" not in text
    assert "viewer.css" not in text
    assert not re.search(r"""(src|href)\s*=\s*["']?https?:""", text)
    assert text.count("</script>") == len(buffers) + 2, "a name ends no script"
    assert "<img src=x" not in text
    again = cli("view", folder, "--export", "page.html")
    assert again.returncode == 0
    assert (tmp_path / "page.html").read_text() == text, "the same bytes"
    (tmp_path / "mine.html").write_text("my notes")
    assert cli("view", folder, "--export", "mine.html").returncode == 2
    assert (tmp_path / "mine.html").read_text() == "my notes"


@pytest.mark.usefixtures("page")
def test_a_page_keeps_its_bound_and_says_what_it_left_out() -> None:
    run = bp.run(CHAIN + 'record = { interval = "1 ms" }\n')

    def make(trim: _scene.Trim) -> _scene.Scene:
        return _scene.of_runs([run], trim)

    whole, _ = _page.fitting(make, None)
    for share in (0.8, 0.3):
        most = int(share * len(whole.encode()))
        small, scene = _page.fitting(make, most)
        assert len(small.encode()) <= most
        assert any(note.startswith("left out to keep the page small") for note in scene.document["notes"])
        document, buffers = held(small)
        for one in document["runs"][0]["curves"]:
            assert one["levels"]
            for level in one["levels"]:
                for part in ("time", "low", "high"):
                    ref = level[part]
                    assert ref["offset"] + ref["count"] * TYPES[ref["type"]].itemsize <= len(buffers[ref["buffer"]])
    with pytest.raises(bp.RunError, match="--full"):
        _page.fitting(make, 1_000)


@pytest.mark.usefixtures("page")
def test_a_notebook_has_the_page_in_a_frame_of_its_own(folder: Path) -> None:
    shown = bp.load(folder).view()
    markup = shown._repr_html_()
    assert markup.startswith("<iframe srcdoc=")
    assert 'sandbox="allow-scripts allow-downloads"' in markup
    assert "<script" not in markup
    assert len(shown.page) < 4_000_000


# ---- results of many runs ------------------------------------------------------------------------------------------


def test_runs_are_laid_over_each_other(folder: Path, tmp_path: Path) -> None:
    bp.run(CHAIN, out=tmp_path / "chain")
    scene = _scene.of_runs([bp.load(folder), bp.load(tmp_path / "chain")])
    assert [run["name"] for run in scene.document["runs"]] == ["orbit", "chain"]
    assert {name.split("-")[0] for name in scene.buffers} == {"r0", "r1"}
    with pytest.raises(bp.ArgumentError, match="view it alone"):
        _show.source([folder, tmp_path])


@pytest.mark.usefixtures("page")
def test_a_comparison_is_a_table_whose_rows_open(tmp_path: Path) -> None:
    out = tmp_path / "compared"
    bp.compare(CHAIN, ["reno", "cubic"], seeds=2, out=out)
    (out / "chain-compare.png").write_bytes(b"\x89PNG\r\n\x1a\n")
    outside = tmp_path / "secret.png"
    outside.write_bytes(b"\x89PNG secret")
    (out / "link.png").symlink_to(outside)
    shown = _show.source([out]).shown
    document = shown.scene.document
    assert document["kind"] == "comparison"
    names = [column["name"] for column in document["table"]["columns"]]
    assert names[:4] == ["run", "controllers", "seed", "goodput"]
    rows = {row[0]: row for row in document["table"]["rows"]}
    for name, row in rows.items():
        there = bp.load(out / name)
        assert row[2] == there.provenance["seed"]
        assert row[3] == pytest.approx(there.summary["totals"]["goodput_mbit_s"], abs=1e-3)
    assert document["table"]["open"] == [f"run/{number}/" for number in range(len(rows))]
    found = shown.answer("run/1/scene.json")
    assert found is not None
    assert json.loads(found[1])["runs"][0]["name"] == list(rows)[1]
    assert [picture["src"] for picture in document["pictures"]] == ["pictures/0.png"], "no link out of the folder"
    assert shown.answer("pictures/0.png") == ("image/png", b"\x89PNG\r\n\x1a\n")
    text, _ = _page.fitting(_show.source([out]).smaller)
    exported, _ = held(text)
    assert exported["table"]["open"] == [None] * len(rows)
    assert exported["pictures"][0]["src"].startswith("data:image/png;base64,")


@pytest.mark.parametrize("keep", [True, False])
def test_a_sweep_is_a_table_whose_rows_open_what_was_kept(tmp_path: Path, keep: bool) -> None:
    document = {
        "base": bp.Scenario(
            name="swept", duration="2 s", network=bp.Dumbbell(rate="5 Mbit/s", rtt="40 ms"),
            flows=[bp.Flow(controller="reno")],
        ),
        "axes": {"network.dumbbell.rtt": ["20 ms", "40 ms"]},
    }  # fmt: skip
    out = tmp_path / "sweep"
    count = len(bp.sweep(document, out=out, keep_runs=keep).runs)
    moved = out.rename(tmp_path / "moved")
    made = _show.source([moved]).shown
    table = made.scene.document["table"]
    assert made.scene.document["kind"] == "sweep"
    assert len(table["rows"]) == count
    assert table["open"] == ([f"run/{row}/" for row in range(count)] if keep else [None] * count)
    if keep:
        found = made.answer("run/1/scene.json")
        assert found is not None
        assert json.loads(found[1])["runs"][0]["duration_s"] == 2.0
    else:
        assert any("rows cannot be opened" in note for note in made.scene.document["notes"])


def test_the_same_run_gives_the_same_tables(folder: Path, tmp_path: Path) -> None:
    bp.run(ORBIT, out=tmp_path / "again")
    for name in ("nodes", "link_ends", "positions"):
        assert (tmp_path / "again" / f"{name}.parquet").read_bytes() == (folder / f"{name}.parquet").read_bytes()
    assert (folder / "positions.parquet").stat().st_size < 80_000
