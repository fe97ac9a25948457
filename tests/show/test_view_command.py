# SPDX-License-Identifier: MIT OR Apache-2.0
"""`bentpipe view` without a browser: what it refuses, what it writes."""

from __future__ import annotations

import http.client
import re
import shutil
import socket
import subprocess
import sys
from pathlib import Path
from urllib.parse import urlsplit

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import bentpipe as bp
from bentpipe.show.viewer import page, picture
from bentpipe.show.viewer import scene as _scene
from bentpipe.show.viewer.buffers import TYPES
from earlier import without_digests
from project import Command
from viewed import CHAIN, held
from waiting import HANG_S, heed_interrupts, interrupted

#: The command line, whose server closes no connection that says nothing.
PATIENT = """
import sys
from bentpipe.cli import entry
from bentpipe.show.viewer import server
server._Handler.timeout = None
sys.exit(entry())
"""


def test_ctrl_c_ends_it_though_a_connection_stays_open(orbit: Path) -> None:
    command = [sys.executable, "-c", PATIENT, "view", str(orbit), "--no-browser"]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, preexec_fn=heed_interrupts
    ) as running:
        assert running.stdout is not None
        address = running.stdout.readline().strip()
        assert re.fullmatch(r"http://127\.0\.0\.1:\d+/[\w-]{40,}/", address)
        browser = http.client.HTTPConnection(urlsplit(address).netloc, timeout=HANG_S)
        browser.request("GET", urlsplit(address).path)
        answer = browser.getresponse()
        assert (answer.status, answer.will_close, bool(answer.read())) == (200, False, True)
        interrupted(running)
        browser.close()


@pytest.mark.usefixtures("page")
def test_a_port_that_is_taken_is_said(orbit: Path, cli: Command) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        done = cli("view", orbit, "--no-browser", "--port", port)
    assert done.returncode == 2
    assert f"error[argument-value]: cannot listen on port {port}" in done.stderr


def test_what_is_no_run_folder_is_refused_before_anything_is_served(orbit: Path, cli: Command, tmp_path: Path) -> None:
    for place, code, status in ((tmp_path / "nowhere", "folder-not-a-run", 2), (tmp_path, "folder-not-a-run", 2)):
        done = cli("view", place)
        assert (done.returncode, f"error[{code}]" in done.stderr) == (status, True), done.stderr
    half = shutil.copytree(orbit, tmp_path / "half")
    (half / "summary.json").unlink()
    assert "error[folder-cut-off]" in cli("view", half).stderr
    cut = shutil.copytree(orbit, tmp_path / "cut")
    held = (cut / "positions.parquet").read_bytes()
    (cut / "positions.parquet").write_bytes(held[: len(held) // 2])
    assert "positions.parquet is missing or ends too early" in cli("view", cut).stderr
    without_digests(cut)
    table = pq.read_table(orbit / "positions.parquet")
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
        (["--export", "page.pdf"], "must end in .html"),
        (["--png", "1 s", "--out", "x.jpg"], "must end in .png"),
    ],
)
@pytest.mark.usefixtures("page")
def test_options_that_do_not_fit_are_refused(orbit: Path, cli: Command, options: list[str], words: str) -> None:
    done = cli("view", orbit, *options)
    assert done.returncode == 2
    assert words in done.stderr


@pytest.mark.usefixtures("page")
def test_a_picture_needs_a_browser_and_says_which(orbit: Path, cli: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(picture, "BROWSERS", ())
    done = cli("view", orbit, "--png", "1 s", "--out", "x.png")
    assert done.returncode == 1
    assert "apt-get install chromium" in done.stderr


def test_an_installation_without_the_page_says_so(orbit: Path, cli: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page, "PAGE", Path("/nowhere"))
    page.file.cache_clear()
    page.policy.cache_clear()
    done = cli("view", orbit, "--no-browser")
    assert done.returncode == 1
    assert "make page" in done.stderr
    page.file.cache_clear()


@pytest.mark.usefixtures("page")
def test_an_exported_page_holds_all_and_asks_for_nothing(orbit: Path, cli: Command, tmp_path: Path) -> None:
    done = cli("view", orbit, "--export", "page.html")
    assert done.returncode == 0, done.stderr
    text = (tmp_path / "page.html").read_text()
    document, buffers = held(text)
    scene = _scene.of_runs([bp.load(orbit)])
    assert document == scene.document
    assert buffers == {name: buffer.made() for name, buffer in scene.buffers.items()}
    assert "viewer.js" not in text
    assert "viewer.css" not in text
    assert not re.search(r"""(src|href)\s*=\s*["']?https?:""", text)
    assert text.count("</script>") == len(buffers) + 2, "a name ends no script"
    assert "<img src=x" not in text
    again = cli("view", orbit, "--export", "page.html")
    assert again.returncode == 0
    assert (tmp_path / "page.html").read_text() == text, "the same bytes"
    (tmp_path / "mine.html").write_text("my notes")
    assert cli("view", orbit, "--export", "mine.html").returncode == 2
    assert (tmp_path / "mine.html").read_text() == "my notes"


@pytest.mark.usefixtures("page")
def test_a_page_keeps_its_bound_and_says_what_it_left_out() -> None:
    run = bp.run(CHAIN + 'record = { interval = "1 ms" }\n')

    def make(trim: _scene.Trim) -> _scene.Scene:
        return _scene.of_runs([run], trim)

    whole, _ = page.fitting(make, None)
    for share in (0.8, 0.3):
        most = int(share * len(whole.encode()))
        small, scene = page.fitting(make, most)
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
        page.fitting(make, 1_000)


@pytest.mark.usefixtures("page")
def test_a_notebook_has_the_page_in_a_frame_of_its_own(orbit: Path) -> None:
    shown = bp.load(orbit).view()
    markup = shown._repr_html_()
    assert markup.startswith("<iframe srcdoc=")
    assert 'sandbox="allow-scripts allow-downloads"' in markup
    assert "<script" not in markup
    assert len(shown.page) < 4_000_000
