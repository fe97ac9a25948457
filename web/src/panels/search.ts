// SPDX-License-Identifier: MIT OR Apache-2.0
// Finds a satellite, site, link or flow by its name. With this, the keyboard can select everything that the pointer
// can.
import { element } from "../dom";
import type { Run } from "../scene/model";
import type { Picked, Store } from "../store";
import { open } from "./dialogs";

/** Largest number of hits that are listed. */
const MOST = 12;

type Hit = { name: string; kind: string; picked: Picked };

export function search(run: Run, store: Store): void {
  const input = element("input", {
    type: "search",
    "aria-label": "Name",
    placeholder: "satellite, site, link or flow",
    autocomplete: "off",
  });
  const list = element("ul", { class: "hits" });
  const dialog = open("Find", [input, list]);
  const choose = ({ picked }: Hit) => {
    store.set(picked.kind === "flow" ? { picked, flows: [picked.id] } : { picked });
    dialog.close();
  };
  const fill = () => {
    const hits = found(run, input.value, MOST);
    const item = (hit: Hit) =>
      element(
        "li",
        {},
        element(
          "button",
          { type: "button", click: () => choose(hit) },
          hit.name,
          element("small", { class: "quiet" }, ` ${hit.kind}`),
        ),
      );
    list.replaceChildren(...hits.map(item));
  };
  input.addEventListener("input", fill);
  input.addEventListener("keydown", (event) => {
    const [first] = found(run, input.value, 1);
    if (event.key === "Enter" && first) choose(first);
    if (event.key === "ArrowDown") list.querySelector("button")?.focus();
  });
  fill();
  input.focus();
}

/** Objects whose names contain all the words. Objects whose names begin with the words are first. */
export function found(run: Run, words: string, most: number): Hit[] {
  const asked = words.toLowerCase().split(/\s+/).filter(Boolean);
  const hits: (Hit & { rank: number })[] = [];
  const offer = (name: string, kind: string, picked: Picked) => {
    const low = name.toLowerCase();
    if (asked.every((word) => low.includes(word)))
      hits.push({ name, kind, picked, rank: asked.length > 0 && low.startsWith(asked[0]) ? 0 : 1 });
  };
  for (const { id, name } of run.file.flows) offer(name, "flow", { kind: "flow", id });
  for (const { id, name, kind } of run.file.nodes) if (kind !== "satellite") offer(name, kind, { kind: "node", id });
  for (const { id, name, kind } of run.file.nodes) if (kind === "satellite") offer(name, kind, { kind: "node", id });
  for (const { key, links } of run.lines) {
    offer(links.map(({ name }) => name).join(", "), "link", { kind: "line", key });
  }
  return hits.sort((one, other) => one.rank - other.rank).slice(0, most);
}
