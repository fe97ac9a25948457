// SPDX-License-Identifier: MIT OR Apache-2.0
import { element } from "../dom";

/** Shows a list of sentences and, below the list, the text of a file. */
export function showText(title: string, sentences: readonly string[], file?: string): void {
  open(title, [
    element("ul", {}, ...sentences.map((sentence) => element("li", {}, sentence))),
    file ? element("pre", {}, file) : null,
  ]);
}

/** Shows a window in front of the page. Escape closes it. */
export function open(title: string, content: readonly (HTMLElement | null)[]): HTMLDialogElement {
  const dialog = element("dialog", { "aria-label": title });
  const close = element(
    "button",
    { type: "button", class: "icon", "aria-label": "Close (Escape)", click: () => dialog.close() },
    "×",
  );
  dialog.append(element("header", {}, element("h2", {}, title), close), ...content.filter((child) => child !== null));
  dialog.addEventListener("close", () => dialog.remove());
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog) dialog.close();
  });
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}
