// SPDX-License-Identifier: MIT OR Apache-2.0
// All keyboard commands. The key `?` shows this list.
import { element } from "./dom";
import { isMeshed } from "./earth/frame";
import { open } from "./panels/dialogs";
import type { Header } from "./panels/header";
import { search } from "./panels/search";
import type { TimeBar } from "./panels/timebar";
import type { Run } from "./scene/model";
import type { Stage } from "./stage";
import type { Store, Tint } from "./store";

type Binding = { keys: string[]; does: string; press: (event: KeyboardEvent) => void };
type Parts = { store: Store; runs: readonly Run[]; stage: Stage; bar: TimeBar; header: Header };

export function bindings({ store, runs, stage, bar, header }: Parts): Binding[] {
  const run = () => runs[store.state.run];
  const jump = (share: number) => {
    const { from, to, time } = store.state;
    store.set({ time: time + share * (to - from) });
  };
  const zoom = (factor: number) => {
    const { from, to, time } = store.state;
    const length = Math.min((to - from) * factor, run().file.duration_s);
    const start = Math.min(Math.max(time - length / 2, 0), run().file.duration_s - length);
    store.set({ from: start, to: start + length });
  };
  const nextFlow = (by: number) => {
    const flows = run().file.flows;
    const at = flows.findIndex(({ id }) => id === store.state.flows[0]);
    const { id } = flows[(at + by + flows.length) % flows.length];
    store.set({ flows: [id], picked: { kind: "flow", id } });
  };
  const nextRun = () => {
    const at = (store.state.run + 1) % runs.length;
    store.set({ run: at, overlaid: store.state.overlaid.includes(at) ? store.state.overlaid : [at] });
  };
  const tints: Tint[] = ["utilisation", "queue", "none"];
  return [
    { keys: [" "], does: "play or pause", press: () => bar.toggle() },
    {
      keys: ["ArrowLeft", "ArrowRight"],
      does: "back or forward by a hundredth of the visible time range; with Shift by a tenth",
      press: ({ key, shiftKey }) => jump((key === "ArrowLeft" ? -1 : 1) * (shiftKey ? 0.1 : 0.01)),
    },
    { keys: ["p", "n"], does: "previous or next event", press: ({ key }) => bar.step(key === "n") },
    {
      keys: ["Home", "End"],
      does: "to the start or the end",
      press: ({ key }) => store.set({ time: key === "Home" ? 0 : Number.MAX_VALUE }),
    },
    { keys: ["-", "+"], does: "play slower or faster", press: ({ key }) => bar.faster(key === "-" ? -1 : 1) },
    {
      keys: ["i", "o", "0"],
      does: "curves: zoom in or out around the current time, or show everything",
      press: ({ key }) => zoom({ i: 0.5, o: 2 }[key] ?? Number.MAX_VALUE),
    },
    { keys: ["f", "F"], does: "next or previous flow", press: ({ key }) => nextFlow(key === "f" ? 1 : -1) },
    { keys: ["r"], does: "next run", press: nextRun },
    {
      keys: ["/"],
      does: "find a satellite, site, link or flow by its name, and select it",
      press: () => search(run(), store),
    },
    {
      keys: ["Escape"],
      does: "end picture mode, or clear the selection",
      press: () => (store.state.shot ? header.turnPicture() : store.set({ picked: null })),
    },
    { keys: ["h"], does: "picture mode: hide or show the controls", press: () => header.turnPicture() },
    {
      keys: ["g"],
      does: "globe or map",
      press: () => store.set({ projection: store.state.projection === "globe" ? "map" : "globe" }),
    },
    {
      keys: ["w", "s", "a", "d"],
      does: "turn the globe, move the map",
      press: ({ key }) => stage.turn({ a: -0.12, d: 0.12 }[key] ?? 0, { w: 0.1, s: -0.1 }[key] ?? 0),
    },
    {
      keys: ["x", "z"],
      does: "zoom the globe or the map in or out",
      press: ({ key }) => stage.zoom(key === "x" ? 1.15 : 1 / 1.15),
    },
    {
      keys: ["c"],
      does: "colour links by utilisation, by queue, or not at all",
      press: () => store.set({ tint: tints[(tints.indexOf(store.state.tint) + 1) % 3] }),
    },
    {
      keys: ["m"],
      does: "show or hide the links that no path uses",
      press: () => store.set({ mesh: !isMeshed(run(), store.state.mesh) }),
    },
    ...ofEveryPage(header),
  ];
}

/** Commands that also work on a page that has only a table. */
export function ofEveryPage(header: Header): Binding[] {
  return [{ keys: ["l"], does: "light or dark colours", press: () => header.turnLights() }];
}

const WRITTEN: Record<string, string> = { " ": "Space", ArrowLeft: "←", ArrowRight: "→", Escape: "Esc" };

export function help(all: readonly Binding[]): void {
  const rows = [...all, { keys: ["?"], does: "this list" }].map(({ keys, does }) =>
    element(
      "tr",
      {},
      element("td", {}, ...keys.flatMap((key) => [element("kbd", {}, WRITTEN[key] ?? key), " "])),
      element("td", {}, does),
    ),
  );
  const mouse = [
    "Drag over a plot to zoom in; all plots follow. A double click shows everything.",
    "Click in a plot to go to that moment. Ctrl and the wheel zoom, Shift and the wheel pan.",
    "Drag the globe to turn it; click a satellite, a link or a site for its facts.",
  ];
  open("Keys", [
    element("table", { class: "keys" }, ...rows),
    element("ul", { class: "quiet" }, ...mouse.map((line) => element("li", {}, line))),
  ]);
}

export function listen(all: readonly Binding[]): void {
  const byKey = new Map(all.flatMap((binding) => binding.keys.map((key) => [key, binding] as const)));
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
    const { target } = event;
    // Keys that an input field or a button uses are not commands.
    if (target instanceof HTMLSelectElement || (target instanceof HTMLInputElement && target.type === "search")) return;
    const control =
      target instanceof HTMLButtonElement || target instanceof HTMLInputElement || target instanceof HTMLAnchorElement;
    if (control && (event.key === " " || (target as HTMLInputElement).type === "range")) {
      if (event.key === " " || event.key.startsWith("Arrow") || event.key === "Home" || event.key === "End") return;
    }
    if (event.key === "?") help(all);
    else if (byKey.has(event.key)) byKey.get(event.key)?.press(event);
    else return;
    event.preventDefault();
  });
}
