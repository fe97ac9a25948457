// SPDX-License-Identifier: MIT OR Apache-2.0
// Reads the scene and sets up the page. If the scene cannot be shown, the page explains the reason.
//
// The page is static. It is built into `python/bentpipe/show/viewer/page` as three files (800 kB). These files are
// committed, so users of Bentpipe do not need Node. A test builds the files again and compares bytes. The page reads
// one `scene.json` and buffers of numbers. It requests nothing from other places: a strict content security policy
// prevents this, also in an exported file.
//
// - `scene/` reads and checks the scene. `store.ts` contains the state of the page.
// - `earth/` draws the globe (three.js) and the flat map (canvas). `plain.ts` draws networks without satellites as SVG.
// - `curves/` draws the plots. `panels/` contains lists, facts and controls. Panels insert text only as text.
import "uplot/dist/uPlot.min.css";
import "./style.css";
import * as address from "./address";
import { Curves } from "./curves/curves";
import { byId, element, say } from "./dom";
import { hook } from "./hook";
import { bindings, help, listen, ofEveryPage } from "./keyboard";
import { Facts } from "./panels/facts";
import { FlowList } from "./panels/flows";
import { Header } from "./panels/header";
import { tablePage } from "./panels/table";
import { Tabs } from "./panels/tabs";
import { TimeBar } from "./panels/timebar";
import { loaded, type Scene } from "./scene/load";
import { SceneError } from "./scene/problem";
import { Stage } from "./stage";
import { type State, Store } from "./store";

/** Number of flows that are shown at the start: the first flows of the scene. */
const AT_FIRST = 3;
const ARRIVALS_MS = 60;
/** Interval between requests for the state of a run in progress, in ms. */
const LIVE_MS = 1000;
/** Key of the stored choice of light or dark colours. A sandboxed frame cannot store it. */
const THEME = "bentpipe-theme";

function starting({ file, runs }: Scene): State {
  const choice = address.read(location.hash);
  const run = choice.run !== undefined && choice.run < runs.length ? choice.run : 0;
  const flows = runs[run]?.file.flows.map(({ id }) => id) ?? [];
  const chosen = choice.flows?.filter((id) => flows.includes(id)) ?? [];
  return {
    // The page follows a run in progress.
    time: choice.time ?? (file.live === undefined ? 0 : (runs[run]?.file.duration_s ?? 0)),
    playing: false,
    speed: 1,
    run,
    overlaid: choice.run === undefined ? [...runs.keys()].slice(0, AT_FIRST) : [run],
    flows: chosen.length > 0 ? chosen : flows.length <= AT_FIRST && runs.length === 1 ? flows : flows.slice(0, 1),
    picked: choice.picked ?? null,
    projection: choice.map ? "map" : "globe",
    tint: "utilisation",
    hiddenShells: [],
    mesh: choice.mesh ?? null,
    from: 0,
    to: runs[run]?.file.duration_s ?? 1,
    stops: "all",
    theme: remembered(),
    shot: choice.shot ?? false,
    loaded: 0,
  };
}

function remembered(): State["theme"] {
  try {
    const kept = localStorage.getItem(THEME);
    return kept === "light" || kept === "dark" ? kept : "auto";
  } catch {
    return "auto";
  }
}

function guarded(write: () => void): void {
  try {
    write();
  } catch {
    // A sandboxed frame cannot store anything.
  }
}

function begin(scene: Scene): void {
  const { file, runs } = scene;
  document.title = `${file.title} · Bentpipe`;
  const store = new Store(starting(scene), () => runs[store.state.run]?.file.duration_s ?? 0);
  const root = document.documentElement;
  root.classList.toggle("shot", store.state.shot);
  // The listener for colours and size of the page is called first, because other listeners measure the page.
  store.listen((state, changed) => {
    if (changed.has("shot")) root.classList.toggle("shot", state.shot);
    if (changed.has("theme")) root.dataset.theme = state.theme;
    if (changed.has("theme") && state.theme !== "auto") guarded(() => localStorage.setItem(THEME, state.theme));
  });
  const header = new Header(byId("header"), file, runs, store, () => help(keys));
  let keys = ofEveryPage(header);
  root.dataset.page = runs.length > 0 ? "runs" : "table";
  if (runs.length === 0) tablePage(byId("table"), file);
  if (runs.length > 0) {
    const stage = new Stage(byId("stage"), store, runs);
    new FlowList(byId("side"), store, runs);
    new Facts(byId("side"), store, runs);
    const curves = new Curves(byId("curves"), store, runs);
    const tabs = new Tabs(byId("tabs"));
    store.listen((state, changed) => {
      const { positions, file } = runs[state.run];
      if (changed.has("run")) tabs.name(positions ? "Map" : "Network", file.flows.length);
    });
    const bar = new TimeBar(byId("time"), store, runs);
    keys = bindings({ store, runs, stage, bar, header });
    Object.defineProperty(window, "bentpipe", { value: hook(file, store, runs, stage, curves) });
    follow(store, runs);
  }
  listen(keys);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => store.refresh());
  // Hundreds of buffers arrive one after the other. All buffers that arrive before the next drawing are drawn together.
  let told = true;
  const attend = () => {
    scene.buffers.arrived = () => {
      if (told) setTimeout(tell, ARRIVALS_MS);
      told = false;
    };
    scene.buffers.failed = explain;
  };
  const tell = () => {
    told = true;
    store.set({ loaded: store.state.loaded + 1 });
  };
  attend();
  keepAddress(store);
  // The page is ready after all listeners have been called and have requested missing buffers.
  store.listen(() => ready(() => (told && scene.buffers.pending === 0) || !byId("problem").hidden));
  store.refresh();
  if (file.live !== undefined) grow(scene, store, attend);
}

/** Shows the later states of a run in progress. When the run is finished, the page is loaded again. */
function grow(scene: Scene, store: Store, attend: () => void): void {
  const sign = element("span", { class: "live", role: "status" }, "live");
  byId("header").querySelector("h1")?.after(sign);
  const step = async () => {
    let later: Scene;
    try {
      later = await loaded(scene.buffers);
    } catch {
      say(sign, "the run does not answer any more");
      return;
    }
    if (later.file.live === undefined) {
      guarded(() => history.replaceState(null, "", address.written(store.state)));
      location.reload();
      return;
    }
    scene.buffers.arrived = scene.buffers.failed = () => {};
    scene.buffers = later.buffers;
    attend();
    Object.assign(scene.file, later.file);
    const { time, from, to, flows, run } = store.state;
    const [before, now] = [scene.runs[run].file, later.runs[run].file];
    scene.runs.splice(0, scene.runs.length, ...later.runs);
    const known = new Set(before.flows.map(({ id }) => id));
    const fresh = now.flows.map(({ id }) => id).filter((id) => !known.has(id));
    store.set({
      time: time >= before.duration_s ? now.duration_s : time,
      to: from === 0 && to === before.duration_s ? now.duration_s : to,
      flows: [...flows, ...fresh.slice(0, Math.max(0, AT_FIRST - flows.length))],
    });
    store.refresh();
    setTimeout(step, LIVE_MS);
  };
  setTimeout(step, LIVE_MS);
}

/** Applies consequences of a change: another run has its own flows and duration, and the curves follow the current time. */
function follow(store: Store, runs: Scene["runs"]): void {
  let run = store.state.run;
  store.listen((state, changed) => {
    if (changed.has("run") && state.run !== run) {
      const [before, now] = [runs[run].file, runs[state.run].file];
      run = state.run;
      const flows = state.flows.filter((id) => runs[run].flow.has(id));
      const whole = state.from === 0 && state.to === before.duration_s;
      store.set({
        flows: flows.length > 0 ? flows : now.flows.slice(0, 1).map(({ id }) => id),
        ...(whole || state.to > now.duration_s ? { from: 0, to: now.duration_s } : {}),
        picked: state.picked?.kind === "flow" ? state.picked : null,
        hiddenShells: [],
      });
    }
    const length = state.to - state.from;
    if (changed.has("time") && (state.time > state.to || state.time < state.from)) {
      // While playing, the curves move by one page. After a step or a jump, the current time is in the middle of the
      // curves.
      const wanted = state.playing ? state.time : state.time - length / 2;
      const from = Math.max(0, Math.min(wanted, runs[state.run].file.duration_s - length));
      store.set({ from, to: from + length });
    }
  });
}

/** Writes the time and the selection into the address while the page does not play. Also follows changes of the address. */
function keepAddress(store: Store): void {
  let written = "";
  let timer = 0;
  store.listen(() => {
    clearTimeout(timer);
    timer = window.setTimeout(() => {
      const hash = address.written(store.state);
      if (hash === written || store.state.playing) return;
      written = hash;
      guarded(() => history.replaceState(null, "", hash));
    }, 250);
  });
  addEventListener("hashchange", () => {
    const { time, run, flows, picked, map, mesh, shot } = address.read(location.hash);
    const change: Partial<State> = { picked: picked ?? null, projection: map ? "map" : "globe", mesh: mesh ?? null };
    change.shot = shot ?? false;
    if (time !== undefined) change.time = time;
    if (run !== undefined) change.run = run;
    if (flows !== undefined) change.flows = flows;
    store.set(change);
  });
}

function ready(done: () => boolean): void {
  requestAnimationFrame(() => {
    document.documentElement.dataset.ready = done() ? "1" : "0";
  });
}

function explain(error: unknown): void {
  const words =
    error instanceof SceneError ? error.message : `the viewer has an error: ${(error as Error)?.message ?? error}`;
  const hint = "Run `bentpipe view` again. If the message stays, the run folder may be damaged.";
  byId("problem").replaceChildren(
    element("h2", {}, "The scene cannot be shown"),
    element("p", {}, `What is wrong: ${words}.`),
    element("p", { class: "quiet" }, hint),
  );
  byId("problem").hidden = false;
  document.documentElement.dataset.ready = "1";
}

// A buffer that arrives later may also be damaged. This error occurs only when the buffer is drawn.
addEventListener("error", ({ error }) => {
  // Browsers also report events without an error object, for example if a layout needed two passes.
  if (error) explain(error);
});
loaded().then(begin).catch(explain);
