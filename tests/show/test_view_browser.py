# SPDX-License-Identifier: MIT OR Apache-2.0
"""The viewer from a user's view: the real page in a real browser, from the server and from a file."""

from __future__ import annotations

import json
import math
import re
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from playwright import sync_api

import bentpipe as bp
import needs
from bentpipe.cli.folders import view
from bentpipe.show.viewer import page, picture, scene, show
from bentpipe.show.viewer.server import Server
from viewed import CHAIN
from waiting import HANG_S

BROWSER = next((place for name in picture.BROWSERS if (place := shutil.which(name))), None)
pytestmark = needs.mark("chromium")
HANG_MS = 1000 * HANG_S


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with sync_api.sync_playwright() as tool:
        options = ["--no-sandbox", "--enable-unsafe-swiftshader"]
        opened = tool.chromium.launch(executable_path=BROWSER, args=options, timeout=HANG_MS)
        yield opened
        opened.close()


class Seen:
    """A page, its requests, and its console messages."""

    def __init__(self, browser: Any, width: int = 1400, height: int = 900) -> None:
        self.page = browser.new_page(viewport={"width": width, "height": height})
        self.page.set_default_timeout(HANG_MS)
        self.asked: list[str] = []
        self.said: list[str] = []
        self.page.on("request", lambda request: self.asked.append(request.url))
        self.page.on("pageerror", lambda error: self.said.append(str(error)))
        self.page.on("console", lambda line: self.said.append(line.text) if line.type in ("error", "warning") else None)

    def open(self, address: str) -> None:
        self.page.goto(address)
        self.ready()

    def ready(self) -> None:
        # The test must not use eval, which the page's policy forbids.
        self.page.wait_for_selector("html[data-ready='1']", state="attached")


@pytest.fixture
def seen(browser: Any) -> Iterator[Seen]:
    one = Seen(browser)
    yield one
    one.page.close()


@pytest.fixture
def served(orbit: Path) -> Iterator[str]:
    with serving(orbit) as address:
        yield address


@contextmanager
def serving(folder: Path) -> Iterator[str]:
    """Serve a folder, and yield its address."""
    with Server(view([folder])) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.02,))
        thread.start()
        yield server.address
        server.shutdown()
        thread.join()


def test_it_opens_plays_and_asks_only_its_own_server(seen: Seen, served: str) -> None:
    seen.open(served)
    before = seen.page.evaluate("window.bentpipe.state().time_s")
    seen.page.evaluate("window.bentpipe.play()")
    seen.page.wait_for_function("before => window.bentpipe.state().time_s > before + 0.5", arg=before)
    seen.page.evaluate("window.bentpipe.pause()")
    assert [url for url in seen.asked if not url.startswith((served, "data:", "blob:"))] == []
    # Without a graphics card, Chromium prints how it draws.
    assert [line for line in seen.said if "GPU" not in line and "GL Driver" not in line] == []


def test_values_shown_at_a_hundred_moments_are_those_of_the_run(seen: Seen, served: str, orbit: Path) -> None:
    run = bp.load(orbit)
    rows = run.flows.to_pandas().set_index(["flow", "time_s"])
    ways = [row for row in run.paths.arrow.to_pylist() if row["from"] == "London"]
    seen.open(served)
    times = np.random.default_rng(2).choice(sorted(set(run.flows["time_s"])), 100).tolist()
    seen.page.evaluate("t => { window.bentpipe.at(t, 0); }", times[0])
    seen.ready()
    told = seen.page.evaluate("times => times.map(t => window.bentpipe.at(t, 0))", times)
    for moment, one in zip(times, told, strict=True):
        row = rows.loc[(0, moment)]
        assert one["cwnd"] == pytest.approx(row.cwnd_segments, rel=1e-5)
        assert one["propagation_rtt_ms"] == pytest.approx(row.propagation_rtt_ms, rel=1e-5)
        if np.isfinite(row.rtt_ms):
            assert one["rtt_ms"] == pytest.approx(row.rtt_ms, rel=1e-5)
        assert " > ".join(one["way"]) == [way["via"] for way in ways if way["time_s"] <= moment][-1]


def test_the_page_alone_says_why_the_window_was_lost(seen: Seen, served: str) -> None:
    """The test steps from event to event over the first handover."""
    seen.open(f"{served}#t=14.9&flow=0")
    said = []
    for _ in range(8):
        before = seen.page.inner_text("#time")
        seen.page.get_by_role("button", name="Next event (n)").click()
        seen.page.wait_for_function("before => document.querySelector('#time').innerText !== before", arg=before)
        said.append(seen.page.inner_text("#time"))
    told = " ".join(said)
    assert re.search(r"(London|New York): starlink-550 \d+/\d+ → starlink-550 \d+/\d+", told), told
    assert re.search(r"window \d+ → \d+ segments, for .*, 0\.\d+ s after a handover", told), told


def test_a_window_that_was_not_used_is_told(seen: Seen, tmp_path: Path) -> None:
    """After a pause the window is the initial window (RFC 5681, section 4.1). It is not a cut and has its own mark."""
    request = bp.Request(answer="2 MB", count=2, think="8 s")
    tcp = bp.Tcp(preset="rfc")
    flow = bp.Flow(controller="reno", kind="requests", users=1, think="1 s", request=request, tcp=tcp)
    path = bp.Dumbbell(rate="20 Mbit/s", rtt="600 ms", queue="1 BDP")
    run = bp.run(bp.Scenario(name="pause", duration="30 s", network=path, flows=[flow]), out=tmp_path / "pause")
    events = run.events.to_pandas()
    first = float(events[events["event"] == "unused"]["time_s"].iloc[0])
    with serving(tmp_path / "pause") as address:
        seen.open(f"{address}#t={first - 0.01:.3f}&flow=0")
        seen.page.get_by_role("button", name="Next event (n)").click()
        seen.page.wait_for_function(
            "() => document.body.innerText.includes('segments: the flow did not use the window')"
        )
        assert re.search(r"window \d+ → 10 segments: the flow did not use the window", seen.page.inner_text("body"))
        assert "window not used" in seen.page.inner_text(".strip-key")


def test_names_stay_text_and_the_exported_page_asks_for_nothing(seen: Seen, orbit: Path, tmp_path: Path) -> None:
    target = tmp_path / "page.html"
    page.export(lambda trim: scene.of_runs([bp.load(orbit)], trim), target)
    seen.open(target.as_uri())
    assert [url for url in seen.asked if not url.startswith(("data:", "blob:"))] == [target.as_uri()]
    assert seen.page.locator("img[src='x']").count() == 0
    assert seen.page.get_by_text("one </script><img src=x>").count() > 0
    assert seen.page.get_by_text("<b>over</b> Starlink").count() > 0
    one = seen.page.evaluate("window.bentpipe.at(50, 0)")
    assert one["way"][0] == "London"
    assert [line for line in seen.said if "GPU" not in line and "GL Driver" not in line] == []


def test_a_notebook_frame_shows_the_page(seen: Seen, orbit: Path) -> None:
    seen.page.set_content(bp.load(orbit).view()._repr_html_())
    frame = seen.page.frames[1]
    frame.wait_for_selector("html[data-ready='1']", state="attached")
    assert frame.evaluate("window.bentpipe.at(50, 0).way")[0] == "London"


CONTROLS = "input, select, button:not(.flow-name), a"


def visible(seen: Seen) -> sync_api.Locator:
    return seen.page.locator(CONTROLS).filter(visible=True)


def test_a_picture_shows_no_controls(seen: Seen, served: str) -> None:
    seen.open(f"{served}#t=12")
    assert visible(seen).count() > 5
    seen.page.goto("about:blank")
    seen.open(f"{served}#t=12&shot=1")
    sync_api.expect(visible(seen)).to_have_count(0)
    assert seen.page.get_by_text("12.00 s").is_visible()


@pytest.mark.parametrize("width", [1400, 390])
def test_picture_mode_has_a_control_and_keys(browser: Any, served: str, width: int) -> None:
    seen = Seen(browser, width=width)
    try:
        seen.open(f"{served}#t=12")
        before = visible(seen).count()
        # The page is drawn again in a later frame, so the count is awaited.
        shows = sync_api.expect(visible(seen))
        seen.page.get_by_label("Picture mode").click()
        leave = seen.page.get_by_text("Show controls")
        # The way back fades, and then the picture has no controls.
        leave.wait_for(state="visible")
        leave.wait_for(state="hidden")
        shows.to_have_count(0)
        seen.page.wait_for_url(re.compile(r"[#&]shot=1"))
        seen.page.locator("h1").click()
        seen.page.wait_for_url(re.compile(r"^(?!.*shot=1)"))
        shows.to_have_count(before)
        for key in ("h", "Escape"):
            seen.page.keyboard.press("h")
            leave.wait_for(state="visible")
            seen.page.keyboard.press(key)
            shows.to_have_count(before)
        assert seen.said == []
    finally:
        seen.page.close()


def test_a_site_that_is_picked_has_curves_of_the_satellite_that_it_uses(seen: Seen, served: str, orbit: Path) -> None:
    """The range is the length of the link in the constellation. The elevation follows from the law of cosines."""
    run = bp.load(orbit)
    nodes = {node["name"]: node["node"] for node in run.nodes.arrow.to_pylist()}
    via = next(row["via"] for row in run.paths.arrow.to_pylist() if row["time_s"] == 40 and row["from"] == "London")
    sky = bp.constellation("starlink-550")
    satellite = next(row for row in sky.satellites("40 s").arrow.to_pylist() if row["name"] == via.split(" > ")[1])
    links = sky.links("40 s", ["London"]).arrow.to_pylist()
    london = max(row["b"] for row in links)
    range_km = next(row["length_km"] for row in links if (row["a"], row["b"]) == (satellite["node"], london))
    # From the Earth's centre. At London the ellipsoid is 6,365.1 km from it, and the vertical differs by 0.19 degrees.
    height_km, ground_km = math.hypot(*(satellite[axis] for axis in ("x_km", "y_km", "z_km"))), 6365.1
    sine = (height_km**2 - ground_km**2 - range_km**2) / (2.0 * ground_km * range_km)
    seen.open(f"{served}#t=40&flow=0&node={nodes['London']}")
    legend = {line["panel"]: line["value"] for line in seen.page.evaluate("window.bentpipe.state().legend")}
    assert legend["elevation"] == pytest.approx(math.degrees(math.asin(sine)), abs=0.2)
    assert legend["range"] == pytest.approx(range_km, abs=1.0)
    assert legend["node-flows"] == 3
    assert "Satellite in use" in seen.page.inner_text("#side")
    # A satellite without packets has no curves, and the page says so.
    idle = next(node for name, node in nodes.items() if name.startswith("starlink") and node not in busy(run))
    seen.page.goto("about:blank")
    seen.open(f"{served}#t=40&flow=0&node={idle}")
    assert "none: no packets used the links of this node" in seen.page.inner_text("#side")


def busy(run: bp.Run) -> set[int]:
    """Return the nodes with a link that carried a packet."""
    links = set(run.links["link"])
    ends = [row for row in run.link_ends.arrow.to_pylist() if row["link"] in links]
    return {row[end] for row in ends for end in ("from_node", "to_node")}


def test_rows_of_a_result_lead_to_runs_or_say_what_makes_them(seen: Seen, tmp_path: Path) -> None:
    bp.compare(CHAIN, "reno,cubic", seeds=2, out=tmp_path / "all", duration="500 ms")
    (tmp_path / "league.json").write_text("{}")
    (tmp_path / "ranks.csv").write_text("aim,controller\nbalanced,<img src=x>\n")
    (tmp_path / "competition.csv").write_text("bed,controller,against\n")
    (tmp_path / "runs.csv").write_text("scenario,controller,goodput_mbit_s\nshort,<img src=x>,1.5\n")
    for folder in (tmp_path / "all", tmp_path):
        with serving(folder) as address:
            seen.open(address)
            row = seen.page.locator("tr.leads").first
            row.locator("a, button").click()
            if folder != tmp_path:
                seen.page.wait_for_function("() => window.bentpipe !== undefined")
                seen.ready()
                seen.page.get_by_text("back to the table").click()
                seen.page.wait_for_selector("table")
            else:
                assert "bentpipe compare suite/short.toml --controllers '<img src=x>'" in seen.page.inner_text("dialog")
    assert seen.page.locator("img[src='x']").count() == 0
    assert [line for line in seen.said if "GPU" not in line and "GL Driver" not in line] == []


def test_a_picture_is_drawn(orbit: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from matplotlib.image import imread

    monkeypatch.setattr(picture, "_PATIENCE_S", HANG_S)
    target = tmp_path / "view.png"
    show.picture(view([orbit]), 12.0, target)
    drawn = imread(target)
    assert drawn.shape[:2] == (1000, 1600)
    assert len(np.unique((drawn[..., :3] * 255).astype(np.uint8).reshape(-1, 3), axis=0)) > 100


GEO = """
name = "geo"
duration = "2 s"
network.constellation.preset = "geo"
flows = [{ from = "London", to = "Madrid", controller = "cubic" }]
"""


def test_links_can_be_hidden_while_the_path_and_the_names_of_its_hops_stay(seen: Seen, served: str) -> None:
    seen.open(f"{served}#t=40&flow=0")
    assert seen.page.inner_text(".constellation") == "starlink-550 1584 satellites"
    # 72 planes have 22 satellites. Each satellite has a link to the next in its plane, and one to the next plane.
    assert seen.page.evaluate("window.bentpipe.mesh()") == 2 * 72 * 22
    seen.page.get_by_label("All links").uncheck()
    seen.page.wait_for_function("() => window.bentpipe.mesh() === 0")
    path = seen.page.evaluate("window.bentpipe.state().paths[0]")
    assert len(path["nodes"]) > 3
    corner = seen.page.locator("#stage").bounding_box()
    for node, name in list(zip(path["nodes"], path["names"], strict=True))[1:-1]:
        place = seen.page.evaluate("node => window.bentpipe.where(node)", node)
        seen.page.mouse.move(corner["x"] + place["x"], corner["y"] + place["y"])
        seen.page.wait_for_selector(".tip.shown")
        assert seen.page.inner_text(".tip") == name
    seen.page.mouse.click(corner["x"] + place["x"], corner["y"] + place["y"])
    seen.page.wait_for_function("() => window.bentpipe.state().picked !== null")
    assert seen.page.evaluate("window.bentpipe.state().picked") == {"kind": "node", "id": node}
    labels = "name => [...document.querySelectorAll('.labels span')].some(one => one.textContent === name)"
    seen.page.wait_for_function(labels, arg=name)
    seen.page.keyboard.press("m")
    seen.page.wait_for_function("() => window.bentpipe.mesh() > 0")
    assert seen.page.get_by_label("All links").is_checked()


def test_geostationary_satellites_have_their_names_and_no_list_of_shells(seen: Seen, tmp_path: Path) -> None:
    bp.run(GEO, out=tmp_path / "geo")
    with serving(tmp_path / "geo") as address:
        seen.open(f"{address}#t=1&view=map")
        seen.page.wait_for_selector(".labels span")
        assert seen.page.inner_text(".constellation") == "geo 9 satellites"
        names = [shell["name"] for shell in bp.constellation("geo").facts["shells"]]
        assert len(names) == 9
        assert set(seen.page.locator(".labels span").all_text_contents()) == {"London", "Madrid", *names}
        sync_api.expect(seen.page.locator(".shells")).to_be_hidden()
        sync_api.expect(seen.page.get_by_text("All links")).to_be_hidden()


def test_utilisation_is_in_percent_everywhere(seen: Seen, served: str, orbit: Path) -> None:
    run = bp.load(orbit)
    seen.open(f"{served}#t=40&flow=0")
    told = {line["series"]: line["value"] for line in seen.page.evaluate("window.bentpipe.state().legend")}
    shares = {row["name"]: row["utilisation"] for row in run.links.arrow.to_pylist() if row["time_s"] == 40.0}
    name = next(name for name in told if name in shares)
    seen.page.wait_for_selector("section[aria-label='Utilisation of the link in %']")
    legend = seen.page.evaluate("window.bentpipe.state().legend")
    told = {line["series"]: line["value"] for line in legend if line["panel"] == "link-utilisation"}
    assert told[name] == pytest.approx(100 * shares[name], rel=1e-5)


def test_a_finished_flow_has_no_values_after_its_end(seen: Seen, tmp_path: Path) -> None:
    flows = [bp.Flow(name="short", controller="cubic", size="500 kB"), bp.Flow(name="long", controller="reno")]
    path = bp.Dumbbell(rate="20 Mbit/s", rtt="40 ms")
    run = bp.run(bp.Scenario(name="ends", duration="6 s", network=path, flows=flows), out=tmp_path / "ends")
    done = f"finished at {run.summary['flows'][0]['completed_at_s']:.3f} s"
    with serving(tmp_path / "ends") as address:
        seen.open(f"{address}#t=4&flow=0,1")
        short, long = seen.page.locator("section[aria-label='Window in segments'] [data-quantity=cwnd] b").all()
        seen.page.wait_for_function("done => document.querySelector('#curves').innerText.includes(done)", arg=done)
        assert short.inner_text() == done
        assert float(long.inner_text()) > 1
        told = {(line["quantity"], line["flow"]): line["value"] for line in legend(seen)}
        assert {value for (_, flow), value in told.items() if flow == 0} == {None}
        assert seen.page.locator(".flows .way").first.inner_text() == done
        seen.page.evaluate("window.bentpipe.seek(0.1)")
        seen.page.wait_for_function("() => !document.querySelector('#side').innerText.includes('finished')")
        assert {(line["quantity"], line["flow"]): line["value"] for line in legend(seen)}["cwnd", 0] > 1


def legend(seen: Seen) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = seen.page.evaluate("window.bentpipe.state().legend")
    return found


RANKING = """rank,candidate,changed,round,seeds,regret,completion_median_s,queueing_p95_ms,loss_percent,left_because
1,"bic{probe_start=9.48,beta=0.0676,slow_start=hystart}","probe_start = 9.48",fresh seeds,20,4,2.3,18.6478,0.1,
,reno,,race,16,4,3.576,55.97,5.21,"not separated from the leaders, but the race did not continue with this candidate"
"""


def test_rows_of_a_wide_table_are_one_line_high_and_fit(seen: Seen, tmp_path: Path) -> None:
    (tmp_path / "ranking.csv").write_text(RANKING)
    (tmp_path / "which.toml").write_text("# made by bentpipe which; reno\n")
    with serving(tmp_path) as address:
        seen.page.set_viewport_size({"width": 1600, "height": 1000})
        seen.open(address)
        over = "() => { const table = document.querySelector('#table'); return table.scrollWidth - table.clientWidth; }"
        assert seen.page.evaluate(over) == 0
        rows = seen.page.locator("#table tbody tr")
        assert rows.count() == 2
        assert all(row.bounding_box()["height"] < 45 for row in rows.all())
        cells = [cell.inner_text() for cell in rows.nth(0).locator("td, th").all()]
        heads = [head.split()[0] for head in seen.page.locator("#table thead th").all_inner_texts()]
        assert "changed" not in heads
        assert "2.30" in cells, "as printed: two digits"
        assert "18.6" in cells
        reason = "not separated from the leaders, but the race did not continue with this candidate"
        assert rows.nth(1).locator("td").last.get_attribute("title") == reason
        rows.nth(1).locator("button").click()
        assert reason in seen.page.inner_text("dialog")


@pytest.fixture
def phone(browser: Any) -> Iterator[Seen]:
    one = Seen(browser, width=390, height=844)
    yield one
    one.page.close()


PANELS = {"map": "#stage", "flows": "#side", "curves": "#curves"}


def test_a_phone_shows_map_flows_and_curves_behind_tabs(phone: Seen, served: str) -> None:
    phone.open(f"{served}#t=40&flow=0")
    page = phone.page
    tabs = page.get_by_role("tab")
    assert tabs.all_inner_texts() == ["Map", "Flows (3)", "Curves"]

    def is_chosen(name: str) -> None:
        # The page is drawn again in a later frame, so its state is awaited.
        sync_api.expect(page.locator(f"#tab-{name}")).to_have_attribute("aria-selected", "true")
        sync_api.expect(page.locator(PANELS[name])).to_be_visible()
        open_panels = [name for name, panel in PANELS.items() if page.locator(panel).is_visible()]
        assert open_panels == [name]
        selected = page.locator("[role=tab][aria-selected=true]")
        assert selected.count() == 1
        panel = page.locator(PANELS[name])
        assert panel.get_attribute("role") == "tabpanel"
        assert panel.get_attribute("aria-labelledby") == selected.get_attribute("id")
        assert selected.get_attribute("aria-controls") == panel.get_attribute("id")
        assert page.evaluate("document.documentElement.scrollWidth") <= 390

    is_chosen("map")
    tabs.nth(1).click()
    is_chosen("flows")
    time_s = page.evaluate("window.bentpipe.state().time_s")
    page.keyboard.press("ArrowRight")
    is_chosen("curves")
    assert page.evaluate("document.activeElement.id") == "tab-curves"
    page.wait_for_function("() => document.querySelectorAll('#curves canvas').length > 4")
    page.keyboard.press("ArrowRight")
    is_chosen("map")
    page.keyboard.press("End")
    is_chosen("curves")
    assert page.evaluate("window.bentpipe.state().time_s") == time_s, "arrows in tabs do not move the time"
    # Each flow is shown completely, in one list that scrolls.
    tabs.nth(1).click()
    assert all(row.bounding_box()["height"] > 30 for row in page.locator(".flows li").all())
    assert page.locator(".flows").evaluate("list => list.scrollHeight - list.clientHeight") == 0
    page.set_viewport_size({"width": 1400, "height": 900})
    page.wait_for_function("() => !document.querySelector('#curves').hasAttribute('role')")
    sync_api.expect(tabs.first).to_be_hidden()
    for panel in PANELS.values():
        sync_api.expect(page.locator(panel)).to_be_visible()


def test_a_long_title_is_readable_on_a_phone_beside_its_buttons(phone: Seen, tmp_path: Path) -> None:
    title = "Downloads of 1 MB and 100 MB over GEO, eleven transfers"
    bp.run(CHAIN.replace('"chain"', f'"{title}"'), out=tmp_path / "run")
    with serving(tmp_path / "run") as address:
        phone.open(address)
        page = phone.page
        assert page.inner_text("h1") == title
        cut = page.locator("h1").evaluate("h => [h.scrollWidth - h.clientWidth, h.scrollHeight - h.clientHeight]")
        assert cut == [0, 0]
        shown = [one.bounding_box() for one in page.locator("#header button").all() if one.is_visible()]
        assert len(shown) == 3
        assert len({box["y"] for box in shown}) == 1
        controls = [one.bounding_box() for one in page.locator("#time :is(button, select)").all()]
        assert len({round(box["y"] + box["height"] / 2) for box in controls}) == 1


DUMBBELL = """
name = "in progress"
duration = "600 s"
network.dumbbell = { rate = "20 Mbit/s", rtt = "60 ms", queue = "1 BDP" }
flows = [{ controller = "cubic", from = "left", to = "right" }]
"""


@needs.mark("emulator")
def test_a_run_in_progress_grows_until_it_is_the_finished_run(seen: Seen, tmp_path: Path) -> None:
    scenario, out, done = tmp_path / "path.toml", tmp_path / "run", tmp_path / "done"
    scenario.write_text(DUMBBELL)
    (tmp_path / "file").write_bytes(bytes(3_000_000))
    server = f"left={sys.executable} -m http.server 8000 --bind 0.0.0.0 --directory {tmp_path}"
    fetch = "import urllib.request; urllib.request.urlopen('http://left:8000/file').read()"
    program = f'{sys.executable} -c "{fetch}"; while [ ! -e {done} ]; do sleep 0.1; done; exit 3'
    words = ["emulate", scenario, "--out", out, "--view", "--with", server, "--", "sh", "-c", program]
    command = [sys.executable, "-m", "bentpipe", *map(str, words)]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    try:
        assert process.stderr is not None
        address = next(line.removeprefix("view: ").strip() for line in process.stderr if line.startswith("view: "))
        seen.open(address)
        assert seen.page.inner_text(".live") == "live"
        there = "window.bentpipe.scene.runs[0].flows.some(({ name }) => name.startsWith('tcp 10.77.0.2:8000 > '))"
        seen.page.wait_for_function(f"() => {there}")
        rows = "window.bentpipe.scene.runs[0].curves.find(({ of }) => 'link' in of).levels[0].count"
        before = seen.page.evaluate(rows)
        seen.page.wait_for_function(f"before => {rows} > before + 10", arg=before)
        state = seen.page.evaluate("window.bentpipe.state()")
        assert state["time_s"] == seen.page.evaluate("window.bentpipe.scene.runs[0].duration_s"), "it follows the run"
        assert "tcp " in seen.page.inner_text(".flows")
        seen.page.wait_for_function("() => window.bentpipe.state().legend.some(({ quantity }) => quantity === 'cwnd')")
        assert not out.exists()
        done.touch()
        # The page loads itself again at the end.
        seen.page.wait_for_selector(".live", state="detached")
        seen.page.wait_for_function("() => window.bentpipe !== undefined")
        seen.ready()
        shown = scene.of_runs([bp.load(out)])
        assert seen.page.evaluate("window.bentpipe.scene") == json.loads(json.dumps(shown.document))
        for name, buffer in shown.buffers.items():
            assert seen.page.request.get(f"{address}buffers/{name}.bin").body() == buffer.made()
        assert [line for line in seen.said if "GPU" not in line and "GL Driver" not in line] == []
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=HANG_S)
        assert process.returncode == 3
    finally:
        process.kill()
        process.wait()
