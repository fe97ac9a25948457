# SPDX-License-Identifier: MIT OR Apache-2.0
"""Pages: nothing in a name is markup, columns of numbers stand on the right, long names fit."""

from __future__ import annotations

import re
import shutil
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import pytest

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
        "name": ["reno", "2", "3"],
        "reading": ["2 (twice)", "1 (main)", "3 (third)"],
        "nothing": ["", "–", ""],
    }
    table = Table(list(columns), list(zip(*columns.values(), strict=True)))
    assert table.kinds == ["number", "number", "short", "short", "short"]
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
