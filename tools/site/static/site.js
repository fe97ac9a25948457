// SPDX-License-Identifier: MIT OR Apache-2.0
/** What scrolls sideways can be reached by keyboard, and landmarks and headings of the theme have names and levels. */
window.addEventListener("load", () => {
  for (const box of document.querySelectorAll("pre, .table-wrapper")) {
    if (box.scrollWidth > box.clientWidth) {
      box.tabIndex = 0;
    }
  }
  for (const heading of document.querySelectorAll(".sidebar-tree .caption[role=heading]")) {
    heading.setAttribute("aria-level", "2");
  }
  document.querySelector(".sidebar-drawer")?.setAttribute("aria-label", "All pages");
  document.querySelector(".toc-drawer")?.setAttribute("aria-label", "On this page");
});
