// SPDX-License-Identifier: MIT OR Apache-2.0
// All plots, one below the other, over the same time range.
import { element, rem } from "../dom";
import type { Run } from "../scene/model";
import type { Key, State, Store } from "../store";
import { absence } from "../words";
import { bottleneck, panels } from "./layout";
import { Plot } from "./plot";
import { Strip } from "./strip";

/** Keys of the state that decide which curves exist. */
const SETTING: readonly Key[] = ["run", "overlaid", "flows", "picked", "loaded"];
/** Keys of the state that decide how the curves are drawn. */
const DRAWING: readonly Key[] = ["from", "to", "theme"];

export class Curves {
  private plots: Plot[] = [];
  private readonly strip: Strip;
  private readonly empty = element("p", { class: "empty" });
  private signature = "";
  /** The run of the plots. While a run is in progress, it is replaced by its later state. */
  private drawn: Run | null = null;
  private way = -1;

  constructor(
    private readonly root: HTMLElement,
    private readonly store: Store,
    private readonly runs: readonly Run[],
  ) {
    this.strip = new Strip(store);
    root.append(this.strip.root);
    new ResizeObserver(() => this.draw()).observe(root);
    store.listen((state, changed) => {
      // After a change of the path, the flow may have another bottleneck.
      const way = runs[state.run].paths.get(state.flows[0])?.number(state.time) ?? -1;
      if (SETTING.some((key) => changed.has(key)) || way !== this.way) this.set(state);
      else if (DRAWING.some((key) => changed.has(key))) this.draw();
      if (changed.has("time")) this.moment(state);
    });
  }

  legend(): ReturnType<Plot["legendValues"]> {
    return this.plots.flatMap((plot) => plot.legendValues());
  }

  private set(state: Readonly<State>): void {
    const run = this.runs[state.run];
    this.way = run.paths.get(state.flows[0])?.number(state.time) ?? -1;
    const line = state.picked?.kind === "line" ? (run.lineOf.get(state.picked.key) ?? null) : null;
    const { picked } = state;
    const node = picked?.kind === "node" && run.place.has(picked.id) ? { run, id: picked.id } : null;
    const wanted = panels(this.runs, state, { line, node }, (of) => bottleneck(of, state.flows[0], state.time));
    const signature = JSON.stringify([
      state.run,
      node?.id,
      wanted.map(({ title, series }) => [title, series.map(({ label }) => label)]),
    ]);
    if (signature !== this.signature || run !== this.drawn) {
      this.signature = signature;
      this.drawn = run;
      for (const plot of this.plots) plot.destroy();
      const marks = state.flows.flatMap((flow) => run.changes(flow) ?? []);
      this.plots = wanted.map(
        (panel, at) =>
          new Plot(panel, this.store, marks, run.file.duration_s, at === wanted.length - 1, (of, flow, time) => {
            const { file, flow: flows } = this.runs[of];
            const known = flow === null ? undefined : flows.get(flow);
            return known ? absence(known, time, file.duration_s) : null;
          }),
      );
      this.root.append(...this.plots.map((plot) => plot.root));
      this.empty.textContent = "No curves of the chosen flows were recorded.";
      if (this.plots.length === 0) this.root.append(this.empty);
      else this.empty.remove();
    }
    this.draw();
    this.moment(state);
  }

  private draw(): void {
    const { state } = this.store;
    const width = Math.floor(this.root.clientWidth - rem(1.5));
    if (width < 50 || this.plots.length === 0) return;
    this.strip.draw(state, this.runs[state.run], width);
    // Plots share the available height. If they would be too low to read, they get a minimum height, and the list
    // scrolls.
    const heads = this.strip.root.offsetHeight + this.plots.reduce((sum, plot) => sum + plot.head, 0);
    const room = this.root.clientHeight - heads - rem(2.4);
    const height = Math.max(rem(4), Math.floor(room / this.plots.length));
    for (const plot of this.plots) plot.draw(state, width, Math.min(height, rem(18)));
    this.moment(state);
  }

  private moment(state: Readonly<State>): void {
    this.strip.moment(state.time);
    for (const plot of this.plots) plot.moment(state.time);
  }
}
