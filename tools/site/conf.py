# SPDX-License-Identifier: MIT OR Apache-2.0
"""The website: README, guide, reference and results from the repository, with a search and the Python API.

Sphinx reads the repository itself, so that links between pages are the same as in a checkout. The order of the pages is
the order of the tables in ``docs/guide/README.md``. Other pages are listed below.

    sphinx-build -W -c tools/site . target/site
"""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import bentpipe
from bentpipe.scenario.class_names import NAMES

if TYPE_CHECKING:
    from sphinx.application import Sphinx

ROOT = Path(__file__).parents[2]
GUIDE = "docs/guide/README"

project = "Bentpipe"
author = "The Bentpipe authors"
version = release = bentpipe.__version__
html_title = f"Bentpipe {version}"
html_theme = "furo"
html_theme_options = {"navigation_with_keys": True}
html_show_sphinx = False
html_show_copyright = False
html_copy_source = False
html_show_sourcelink = False
templates_path: list[str] = []
html_static_path = ["static"]
html_css_files = ["site.css"]
html_js_files = ["site.js"]

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon", "sphinx_copybutton"]
root_doc = "README"
include_patterns = [
    "*.md",
    "docs/**.md",
    "crates/quic/README.md",
    "bpf/README.md",
    *(f"{place}README.md" for place in ("benches/**/", "benches/", "data/**/", "data/", "vectors/")),
]
exclude_patterns = ["target", "node_modules", "web", "report", "out", "runs"]
source_suffix = {".md": "markdown"}
myst_heading_anchors = 6
myst_enable_extensions = ["attrs_inline"]
# Names in docstrings are written as `code`.
default_role = "code"
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_typehints_format = "short"
napoleon_google_docstring = True
napoleon_numpy_docstring = False
napoleon_use_ivar = False
napoleon_attr_annotations = True
copybutton_exclude = ".linenos, .gp, .go"
# Quotes in text such as "0 s" must stay straight.
smartquotes = False


def _pages(folder: str, name: str = "*.md") -> list[str]:
    """Return the pages of a folder of the repository, in order."""
    return sorted(file.relative_to(ROOT).with_suffix("").as_posix() for file in (ROOT / folder).glob(name))


#: Pages that are not in a table of the guide, by heading. The other pages of docs/ are under the last heading.
SECTIONS = {
    "Reference": [*_pages("docs/reference"), "GLOSSARY"],
    "Results": [
        "docs/papers",
        *_pages("docs/papers"),
        "docs/gallery",
        "docs/league",
        "docs/starlink",
        "docs/presets",
    ],
    "Validation": [
        "docs/validation",
        "docs/linux-comparison",
        "docs/emulator-agreement",
        "docs/kernel-agreement",
        "docs/quic",
        "crates/quic/README",
        "bpf/README",
        "docs/ns3-comparison",
        "docs/bbr3-tests",
        "docs/robustness",
        *_pages("benches", "**/README.md"),
        "vectors/README",
        *_pages("data", "**/README.md"),
    ],
    "Project": ["CONTRIBUTING", "DESIGN", "CHANGELOG"],
}

_LINK = re.compile(r"\]\(([\w./-]+)\.md(?:#[\w-]*)?\)")


def _jobs() -> dict[str, list[str]]:
    """Returns the pages of the guide under the headings of its index. Each page is at its first place only."""
    text = (ROOT / f"{GUIDE}.md").read_text("utf-8")
    seen, found = set[str](), dict[str, list[str]]()
    for section in re.split(r"^## ", text, flags=re.MULTILINE)[1:]:
        heading, _, body = section.partition("\n")
        for link in _LINK.findall(body):
            page = (ROOT / "docs" / "guide" / link).resolve().relative_to(ROOT).as_posix()
            if page.startswith("docs/guide/") and page not in seen:
                seen.add(page)
                found.setdefault(heading.strip(), []).append(page)
    return found


def _contents(_: Sphinx, name: str, source: list[str]) -> None:
    """Adds the contents to the first page."""
    if name != root_doc:
        return
    trees = {"Guide": [GUIDE], **_jobs(), **SECTIONS}
    listed = {page for pages in trees.values() for page in pages}
    trees["Project"] = [*trees["Project"], *(page for page in _pages("docs") if page not in listed)]
    for heading, pages in trees.items():
        known = [page for page in pages if (ROOT / f"{page}.md").is_file()]
        lines = "\n".join(f"/{page}" for page in known)
        source[0] += f"\n\n```{{toctree}}\n:hidden:\n:caption: {heading}\n\n{lines}\n```\n"


def _skips(app: Sphinx, _kind: str, name: str, _object: object, skip: bool, _options: object) -> bool:
    """Skips classes of scenarios, which have a separate page."""
    return skip or (app.env.docname == "docs/reference/python" and name in NAMES)


def _first_page(app: Sphinx, failure: Exception | None) -> None:
    """Copy the first page so that the address of the folder shows it."""
    if failure is None:
        shutil.copy(Path(app.outdir) / f"{root_doc}.html", Path(app.outdir) / "index.html")


def setup(app: Sphinx) -> None:
    """Connects these functions."""
    app.connect("source-read", _contents)
    app.connect("autodoc-skip-member", _skips)
    app.connect("build-finished", _first_page)
