// SPDX-License-Identifier: MIT OR Apache-2.0
// The stage shows the network of a run as a globe or as a flat map. A network without satellites is shown as a drawing.
import { element, say } from "./dom";
import { FlatMap } from "./earth/flatmap";
import { Frame } from "./earth/frame";
import { geodetic } from "./earth/geodesy";
import { Globe } from "./earth/globe";
import type { Projected, View } from "./earth/view";
import { Labels } from "./labels";
import { Legend } from "./panels/legend";
import { under } from "./picking";
import { Plain } from "./plain";
import type { Run } from "./scene/model";
import type { Way } from "./scene/path";
import type { Key, Picked, State, Store } from "./store";

const DRAWING: readonly Key[] = [
  "time",
  "run",
  "flows",
  "picked",
  "projection",
  "tint",
  "hiddenShells",
  "mesh",
  "theme",
  "loaded",
];

export class Stage {
  /** Number of drawn frames, for tests and the benchmark. */
  frames = 0;
  private readonly views: Partial<Record<State["projection"], View>> = {};
  private view: View | null = null;
  private frame: Frame | null = null;
  private plain: Plain | null = null;
  private readonly labels = new Labels();
  private readonly tip = element("div", { class: "tip", role: "status" });
  private readonly ring = element("div", { class: "ring", "aria-hidden": "true" });
  private asked = false;
  private named = "";
  /** The run to which the view was turned. */
  private turnedTo = -1;

  constructor(
    private readonly root: HTMLElement,
    private readonly store: Store,
    private readonly runs: readonly Run[],
  ) {
    root.append(this.labels.root, this.ring, this.tip);
    new Legend(root, store, runs);
    new ResizeObserver(() => this.resize()).observe(root);
    store.listen((state, changed) => {
      if (changed.has("run") || changed.has("projection")) this.set(state);
      if (DRAWING.some((key) => changed.has(key))) this.draw();
    });
  }

  /** The paths of the flows in the last drawn frame. */
  get ways(): ReadonlyMap<number, { now: Way | null }> {
    return this.frame?.ways ?? this.plain?.ways ?? new Map();
  }

  /** Number of drawn links that no path uses now. */
  get meshed(): number {
    return this.frame?.lines.length ?? 0;
  }

  turn(right: number, up: number): void {
    this.view?.turn(right, up);
  }

  zoom(factor: number): void {
    this.view?.zoom(factor);
  }

  focus(): void {
    (this.view?.canvas ?? this.root).focus();
  }

  private set(state: Readonly<State>): void {
    const run = this.runs[state.run];
    const before = this.view;
    this.plain?.root.remove();
    this.view = this.plain = null;
    this.root.classList.toggle("flat", !run.positions);
    this.labels.write([]);
    if (!run.positions) {
      before?.canvas.remove();
      this.frame = null;
      this.plain = new Plain(run, this.store);
      this.root.prepend(this.plain.root);
      this.plain.resize();
      return;
    }
    if (this.frame?.run !== run) this.frame = new Frame(run);
    const known = this.views[state.projection];
    this.view = known ?? this.made(state.projection, run);
    this.views[state.projection] = this.view;
    if (this.view !== before) {
      before?.canvas.remove();
      this.root.prepend(this.view.canvas);
    }
    this.view.show(this.frame as Frame);
    this.resize();
    // A run in progress grows, and the view of it stays.
    if (this.turnedTo !== state.run || !known) this.centre(run);
    this.turnedTo = state.run;
    this.named = "";
  }

  /** Writes names on the stage: the ends of flows, the selection, and satellites that do not move over the ground. */
  private name({ picked, hiddenShells }: Readonly<State>): void {
    const { run } = this.frame as Frame;
    const ids = new Set(picked?.kind === "node" && run.place.has(picked.id) ? [picked.id] : []);
    for (const { from, to } of run.file.flows) ids.add(from).add(to);
    if (run.still) {
      for (const id of run.positions?.satellites ?? [])
        if (!hiddenShells.includes(run.node(id).shell ?? 0)) ids.add(id);
    }
    const names = [...ids].map((id) => ({ place: run.place.get(id)!, name: run.called(id) }));
    const signature = JSON.stringify(names);
    if (signature === this.named) return;
    this.named = signature;
    this.labels.write(names);
  }

  /** Position of a node in pixels of the stage; `null` if it is not visible. For tests. */
  where(id: number): { x: number; y: number } | null {
    const place = this.frame?.run.place.get(id);
    if (!this.view || place === undefined) return null;
    const at: Projected = { x: 0, y: 0, hidden: false };
    this.view.project(place, at);
    return at.hidden ? null : { x: at.x, y: at.y };
  }

  private made(projection: State["projection"], run: Run): View {
    const label = `${projection === "globe" ? "Globe" : "Map"} with ${run.positions?.satellites.length} satellites`;
    let view: View;
    try {
      view = projection === "globe" ? new Globe(label, () => this.ask()) : new FlatMap(label, () => this.ask());
    } catch {
      // Without WebGL, only the map is available.
      this.store.set({ projection: "map" });
      view = this.views.map ?? new FlatMap(label, () => this.ask());
      this.views.map = view;
    }
    let down = { x: 0, y: 0 };
    view.canvas.addEventListener("pointerdown", (event) => {
      down = { x: event.clientX, y: event.clientY };
    });
    view.canvas.addEventListener("click", (event) => {
      if (Math.hypot(event.clientX - down.x, event.clientY - down.y) > 4) return;
      this.store.set({ picked: this.at(event) });
    });
    view.canvas.addEventListener("pointermove", (event) => this.hover(event));
    view.canvas.addEventListener("pointerleave", () => this.tip.classList.remove("shown"));
    return view;
  }

  private at(event: MouseEvent): Picked | null {
    if (!this.view || !this.frame) return null;
    return under(this.view, this.frame, this.store.state.flows, event.offsetX, event.offsetY);
  }

  private hover(event: PointerEvent): void {
    if (event.buttons !== 0) return;
    const found = this.at(event);
    this.tip.classList.toggle("shown", found !== null);
    if (!found || !this.frame) return;
    const { run } = this.frame;
    if (found.kind === "node") say(this.tip, run.called(found.id));
    if (found.kind === "line") {
      const line = run.lineOf.get(found.key)!;
      say(this.tip, `${run.called(line.a)} – ${run.called(line.b)}`);
    }
    const left = Math.min(event.offsetX + 14, this.root.clientWidth - this.tip.offsetWidth - 8);
    this.tip.style.transform = `translate(${left}px, ${Math.max(event.offsetY - 34, 4)}px)`;
  }

  /** Turns the view to the midpoint between the ends of the first flow. */
  private centre(run: Run): void {
    const frame = this.frame as Frame;
    frame.update(this.store.state);
    const flow = run.flow.get(this.store.state.flows[0]);
    const ends = flow ? [flow.from, flow.to] : [];
    const middle = [0, 1, 2].map((axis) => ends.reduce((sum, id) => sum + frame.xyz[run.place.get(id)! * 3 + axis], 0));
    let highest = 0;
    for (const place of frame.satellites) {
      const [x, y, z] = frame.xyz.subarray(place * 3, place * 3 + 3);
      if (!Number.isNaN(x)) highest = Math.max(highest, Math.hypot(x, y, z) - 6371);
    }
    const { latitude_deg, longitude_deg } =
      Math.hypot(...middle) > 100 ? geodetic(middle[0], middle[1], middle[2]) : { latitude_deg: 25, longitude_deg: 0 };
    this.view?.lookAt(latitude_deg, longitude_deg, highest);
  }

  private resize(): void {
    const { clientWidth, clientHeight } = this.root;
    if (clientWidth < 10 || clientHeight < 10) return;
    this.view?.resize(clientWidth, clientHeight);
    this.plain?.resize();
    this.draw();
  }

  /** Requests a drawing with the next frame, because the camera moved. */
  private ask(): void {
    if (this.asked) return;
    this.asked = true;
    requestAnimationFrame(() => {
      this.asked = false;
      this.draw();
    });
  }

  private draw(): void {
    const { state } = this.store;
    this.frames++;
    if (this.plain) {
      this.plain.draw(state);
      this.ring.hidden = true;
      return;
    }
    if (!this.view || !this.frame) return;
    this.frame.update(state);
    this.view.draw(state);
    this.name(state);
    this.labels.draw(this.view);
    const at: Projected = { x: 0, y: 0, hidden: false };
    const { picked } = state;
    this.ring.hidden = picked?.kind !== "node";
    if (picked?.kind === "node" && this.frame.run.place.has(picked.id)) {
      this.view.project(this.frame.run.place.get(picked.id)!, at);
      this.ring.hidden = at.hidden;
      this.ring.style.transform = `translate(${at.x.toFixed(1)}px, ${at.y.toFixed(1)}px)`;
    }
  }
}
