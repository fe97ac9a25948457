# SPDX-License-Identifier: MIT OR Apache-2.0
"""Pages: nothing in a name is markup, columns of numbers stand on the right, long names fit."""

from __future__ import annotations

import itertools
import re
import shutil
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from matplotlib.image import imread

import bentpipe as bp
import needs
from bentpipe.show.pages.page import Cell, Table, render
from bentpipe.show.viewer.picture import BROWSERS
from bentpipe.study import Claim, Effort, Finding, Row, Runs, Setting, Sheet, Study, reproduce, write
from waiting import HANG_S

EVIL, LONG = "<script>alert(1)</script>", "n" * 200


class Scripts(HTMLParser):
    """The scripts of a page, and the attributes that run something."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[str] = []
        self._inside = False
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._inside = tag == "script"
        self.found += [key for key, _ in attrs if key.startswith("on")]

    def handle_data(self, data: str) -> None:
        self.found += [data] * self._inside

    def handle_endtag(self, tag: str) -> None:
        self._inside = False


def evil_finding(_: Runs) -> Finding:
    claim = Claim(what=EVIL, measured=bp.fixed(1.0), sign=1, note=LONG, headline=EVIL)
    return Finding(why=EVIL, claims=[claim], sheets=[Sheet(EVIL, [EVIL], [[EVIL, LONG]])], notes=[EVIL, LONG])


def evil_run() -> bp.Run:
    flows = [bp.Flow(controller="reno", name=name) for name in (EVIL, LONG, "a\" onload='alert(2)'")]
    network = bp.Dumbbell(rate="5 Mbit/s", rtt="40 ms")
    return bp.run(bp.Scenario(name=EVIL, duration="1 s", network=network, flows=flows))


def pages(folder: Path) -> list[Path]:
    """A page of each kind with names that are markup, and with long ones."""
    run = evil_run()
    pages = [run.report(folder / "run.html"), folder / "notebook.html", folder / "compared.html"]
    pages[1].write_text(run._repr_html_())
    pages[2].write_text(bp.compare(run.scenario, ["reno"], seeds=1)._repr_html_())
    settings = [Setting(EVIL, LONG, EVIL)]
    rows = [Row(id="E-1", place=EVIL, what=EVIL, says=LONG, read=evil_finding)]
    study = Study(name="evil", title=EVIL, about=EVIL, chosen=settings, given=settings, rows=rows, changed=[EVIL])
    made = reproduce([(study, study.rows)], Effort((1, 2)), out=folder / "study")
    suite = folder / "suite"
    suite.mkdir()
    (suite / "one.toml").write_text(f"# Asks: {EVIL} {LONG}?\n{run.scenario}")
    bp.league(suite, "reno,cubic", seeds=2, out=folder / "league", aim="goodput")
    return [*pages, write(made, folder / "study", [study]), *sorted((folder / "league").rglob("*.html"))]


@pytest.mark.filterwarnings("ignore:constrained_layout not applied")
def test_a_name_is_no_markup_and_a_long_one_fits(tmp_path: Path) -> None:
    found = pages(tmp_path)
    for page in found:
        assert [one for one in Scripts(page.read_text()).found if "alert" in one or one.startswith("on")] == [], page
    shown = {page.name for page in found if "&lt;script&gt;alert(1)&lt;/script&gt;" in page.read_text()}
    assert shown == {"run.html", "notebook.html", "compared.html", "evil.html", "scenarios.html", "one.html"}
    needs.require("chromium")
    from playwright import sync_api

    browser = next(filter(None, map(shutil.which, BROWSERS)))
    with sync_api.sync_playwright() as tool:
        said: list[str] = []
        opened = tool.chromium.launch(executable_path=browser, args=["--no-sandbox"], timeout=1000 * HANG_S)
        for width in (400, 1400):
            seen = opened.new_page(viewport={"width": width, "height": 900})
            seen.on("dialog", lambda dialog: (said.append(dialog.message), dialog.dismiss()))
            seen.on("console", lambda line: said.append(line.text))
            for page in found:
                seen.goto(page.as_uri())
                assert seen.evaluate("document.documentElement.scrollWidth") <= width, page
            assert said == []
        opened.close()


def test_a_column_of_numbers_stands_on_the_right() -> None:
    columns = {
        "goodput": ["3.1 ± 0.2 Mbit/s", "–", ""],
        "change": ["+12 %", "−3 %", "-3 %"],
        "of how many": ["0 of 5", "> 120 s, 0 of 5 done", "<0.1 %"],
        "flows": ["30 flows from Berkeley to Boston", "2 flows", "3"],
        "sections": ["9743 5.1.1; 5166 2.1.1", "5.1.1", "2"],
        "queue": ["50 packets on every link", "50 packets", "–"],
        "day": ["2026-11-27", "–", "2026-11-28"],
        "name": ["reno", "2", "3"],
        "reading": ["2 (twice)", "1 (main)", "3 (third)"],
        "nothing": ["", "–", ""],
    }
    table = Table(list(columns), list(zip(*columns.values(), strict=True)))
    right = [name for name, kind in zip(columns, table.kinds, strict=True) if "number" in kind]
    assert right == ["goodput", "change", "of how many"]
    page = render("notebook.html", title="t", lines=[], numbers=table, png="")
    body = ElementTree.fromstring(page).find("div/table")  # noqa: S314 - ours
    assert body is not None
    for line in body.iter("tr"):
        assert [cell.get("class") for cell in line] == table.kinds


def test_cells_lead_sort_and_warn() -> None:
    rows = [[Cell("a", link="a.html"), Cell("9 in b", 9.0), Cell("1 failed", is_bad=True)]]
    table = Table(["who", "worst", "trouble"], rows, sorts=True)
    assert table.kinds == ["short name", "number", "short"]
    page = render("notebook.html", title="t", lines=[], numbers=table, png="")
    assert '<a href="a.html">a</a>' in page
    assert re.search(r'data-by="9.0">9 in b<', page)
    assert '<td class="short bad">1 failed</td>' in page


def test_a_table_of_uneven_rows_is_set() -> None:
    table = Table(["a"], [["x", "1"], [], ["y"]])
    assert table.kinds == ["short", "number"]
    assert "<td" in render("notebook.html", title="t", lines=[], numbers=table, png="")


def test_a_table_in_a_notebook_is_aligned_by_column() -> None:
    run = bp.run(bp.Scenario(name="one", duration="1 s", network=bp.Dumbbell(rate="5 Mbit/s", rtt="40 ms"),
                             flows=[bp.Flow(controller="reno")]))  # fmt: skip
    root = ElementTree.fromstring(f"<div>{run.events._repr_html_()}</div>")  # noqa: S314 - ours
    columns = run.events.columns
    for line in root.iter("tr"):
        styles = dict(zip(columns, (cell.get("style") for cell in line), strict=True))
        assert styles["time_s"] == "text-align:right"
        assert styles["event"] == styles["cause"] == "text-align:left"


REPORTED = """
name = "report"
duration = "4 s"
network.dumbbell = { rate = "5 Mbit/s", rtt = "40 ms", queue = "10 packets" }
[[flows]]
name = "object"
controller = "cubic"
size = "200 kB"
count = 2
"""


def tiles_of(page: str) -> dict[str, str]:
    """The key figures of a page: labels and numbers with units."""
    found = re.findall(r"<div><dt>(.*?)</dt><dd><b>(.*?)</b>(.*?)</dd>", page)
    return {label: value + unit for label, value, unit in found}


def test_the_round_trip_of_a_split_flow_is_that_of_its_slowest_part(tmp_path: Path) -> None:
    run = bp.run("scenarios/geo-pep.toml", duration="10 s")
    page = run.report(tmp_path / "report.html").read_text()
    # The satellite link has a round trip of 550 ms, and each access link has 25 ms.
    assert float(tiles_of(page)["p95 RTT"].removesuffix(" ms")) > 550.0
    assert "slowest part of split flows" in page


def test_a_report_begins_with_its_key_figures(tmp_path: Path) -> None:
    run = bp.run(REPORTED)
    page = run.report(tmp_path / "report.html").read_text()
    tiles = tiles_of(page)
    assert list(tiles) == ["median completion", "loss", "p95 RTT", "p95 queueing delay", "utilisation"]
    times = sorted(flow["completed_at_s"] - flow["start_s"] for flow in run.summary["flows"])
    assert tiles["median completion"] == f"{times[0]:.2f} s"
    assert f"p95 {times[1]:.2f} s, 2 of 2 done" in page
    assert tiles["utilisation"] == f"{100 * run.summary['bottleneck']['utilisation']:.1f} %"
    assert page.index('class="tiles"') < page.index("<svg") < page.index("<h2>Flows") < page.index("<h2>Totals")
    # Without an end the main number is goodput; what did not finish is counted.
    endless = bp.run(REPORTED.replace('size = "200 kB"', ""))
    tiles = tiles_of(endless.report(tmp_path / "endless.html").read_text())
    assert tiles["goodput"] == f"{endless.summary['totals']['delivered_mbit_s']:.3f} Mbit/s"
    late = bp.run(REPORTED.replace('"200 kB"', '"100 MB"'))
    assert tiles_of(late.report(tmp_path / "late.html").read_text())["transfers done"] == "0 of 2"


def test_pictures_of_a_report_stack_on_a_phone_and_enlarge(tmp_path: Path) -> None:
    page = bp.run(REPORTED.replace('size = "200 kB"', "")).report(tmp_path / "report.html")
    needs.require("chromium")
    from playwright import sync_api

    browser = next(filter(None, map(shutil.which, BROWSERS)))
    with sync_api.sync_playwright() as tool:
        opened = tool.chromium.launch(executable_path=browser, args=["--no-sandbox"], timeout=1000 * HANG_S)
        seen = opened.new_page(viewport={"width": 390, "height": 844})
        seen.goto(page.as_uri())
        panels = [one.bounding_box() for one in seen.locator(".panel").all()]
        assert len(panels) == 4
        assert all(box["width"] > 350 for box in panels)
        assert all(one["y"] + one["height"] <= other["y"] for one, other in itertools.pairwise(panels))
        assert not seen.locator(".whole").is_visible()
        # Curves are drawn in a panel, and not only its legend.
        seen.locator(".panel").first.screenshot(path=tmp_path / "panel.png")
        drawn = imread(tmp_path / "panel.png")[..., :3]
        blue = np.abs(drawn - np.array([0x56, 0xB4, 0xE9]) / 255).max(axis=2) < 0.15
        dark = np.abs(drawn - np.array([0x00, 0x72, 0xB2]) / 255).max(axis=2) < 0.15
        assert (blue | dark).sum() > 400
        seen.locator(".panel").first.click()
        large = seen.locator("dialog.large svg").bounding_box()
        assert large["width"] > 500
        seen.keyboard.press("Escape")
        sync_api.expect(seen.locator("dialog")).to_have_count(0)
        assert seen.evaluate("document.activeElement.parentNode.className") == "picture panel"
        assert seen.evaluate("document.documentElement.scrollWidth") == 390
        seen.set_viewport_size({"width": 1600, "height": 1000})
        assert seen.locator(".whole").bounding_box()["width"] > 1000
        assert not any(one.is_visible() for one in seen.locator(".panel").all())
        opened.close()


def contrast(one: str, other: str) -> float:
    """The contrast ratio of two colours "#rrggbb": WCAG 2.2, definitions of contrast ratio and relative luminance."""

    def luminance(colour: str) -> float:
        parts = [int(colour[at : at + 2], 16) / 255.0 for at in (1, 3, 5)]
        linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    lighter, darker = sorted((luminance(one), luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def test_texts_can_be_read_in_both_themes(tmp_path: Path) -> None:
    page = bp.run(REPORTED).report(tmp_path / "report.html").read_text()
    light, dark = re.findall(r":root \{([^}]*)\}", page)
    assert page.index("prefers-color-scheme: dark") < page.index(dark)
    for theme in (light, light + dark):
        colours = dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6})", theme))
        # 4.5 is level AA of WCAG 2.2 for texts.
        for name in ("ink", "soft", "link", "bad", "good", "depends", "against"):
            assert contrast(colours[name], colours["paper"]) >= 4.5, (name, colours[name])
        assert contrast(colours["ink"], colours["code"]) >= 4.5
