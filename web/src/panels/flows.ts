// SPDX-License-Identifier: MIT OR Apache-2.0
// The list of flows. It shows whether the curves of each flow are drawn, and the current paths.
import { element, say } from "../dom";
import { flowColour, theme } from "../palette";
import type { Flow } from "../scene/format";
import type { Run } from "../scene/model";
import type { State, Store } from "../store";
import { absence, number, route, seconds } from "../words";

type Row = {
  flow: Flow;
  root: HTMLElement;
  box: HTMLInputElement;
  swatch: HTMLElement;
  way: HTMLElement;
  rate: HTMLElement;
  phase: HTMLElement;
  /** Number of the written path, or why there is no path. */
  shown: number | string;
};

export class FlowList {
  private rows: Row[] = [];
  /** Index of the run of the rows. */
  private at = -1;
  private readonly list = element("ul", { class: "flows", "aria-label": "Flows" });

  constructor(
    root: HTMLElement,
    private readonly store: Store,
    private readonly runs: readonly Run[],
  ) {
    root.append(this.list);
    store.listen((state, changed) => {
      if (changed.has("run")) this.fill(runs[state.run], state.run);
      if (changed.has("flows") || changed.has("run") || changed.has("theme")) this.mark(state);
      if (["time", "run", "flows", "loaded"].some((key) => changed.has(key as keyof State))) this.moment(state);
    });
  }

  private fill(run: Run, at: number): void {
    const { flows } = run.file;
    const grown = at === this.at;
    this.at = at;
    // The flows of a run in progress stay the same, or are more.
    if (grown && flows.length >= this.rows.length && this.rows.every(({ flow }, at) => isSame(flow, flows[at]))) {
      for (const [at, row] of this.rows.entries()) [row.flow, row.shown] = [flows[at], Number.NaN];
      const more = flows.slice(this.rows.length).map((flow) => this.row(run, flow));
      this.rows.push(...more);
      this.list.append(...more.map(({ root }) => root));
      return;
    }
    this.rows = run.file.flows.map((flow) => this.row(run, flow));
    this.list.replaceChildren(...this.rows.map(({ root }) => root));
  }

  private row(run: Run, flow: Flow): Row {
    const box = element("input", {
      type: "checkbox",
      "aria-label": `Curves of ${flow.name}`,
      change: () => this.toggle(flow.id),
    });
    const swatch = element("i", { class: "flow-colour", "aria-hidden": "true" });
    const way = element("span", { class: "way" });
    const rate = element("b");
    const phase = element("span", { class: "quiet" });
    const choose = () => this.store.set({ flows: [flow.id], picked: { kind: "flow", id: flow.id } });
    const name = element(
      "button",
      { type: "button", class: "flow-name", click: choose, title: "Follow only this flow" },
      element("b", {}, flow.name),
      flow.controller !== flow.name ? element("span", { class: "quiet" }, ` ${flow.controller}`) : null,
      element("span", { class: "quiet" }, ` ${run.node(flow.from).name} → ${run.node(flow.to).name}`),
    );
    const root = element(
      "li",
      {},
      box,
      swatch,
      element("div", {}, name, way),
      element("p", { class: "rate" }, rate, phase),
    );
    return { flow, root, box, swatch, way, rate, phase, shown: Number.NaN };
  }

  private toggle(id: number): void {
    const { flows } = this.store.state;
    const chosen = flows.includes(id) ? flows.filter((other) => other !== id) : [...flows, id];
    if (chosen.length > 0) this.store.set({ flows: chosen });
    else this.mark(this.store.state);
  }

  private mark({ flows }: Readonly<State>): void {
    const { dark } = theme();
    for (const { flow, root, box, swatch } of this.rows) {
      box.checked = flows.includes(flow.id);
      root.classList.toggle("chosen", box.checked);
      swatch.style.backgroundColor = flowColour(flow.color_index, dark);
    }
  }

  private moment({ run: at, time, flows }: Readonly<State>): void {
    const run = this.runs[at];
    for (const row of this.rows) {
      const id = row.flow.id;
      const path = run.paths.get(id);
      const gone = absence(row.flow, time, run.file.duration_s);
      const number_ = gone ?? path?.number(time) ?? -1;
      row.root.classList.toggle("gone", gone !== null);
      if (number_ !== row.shown) {
        row.shown = number_;
        const { now } = path?.at(time) ?? { now: null };
        const names = [...(now?.nodes ?? [])].map((node) => run.node(node).name);
        const rtt = now?.rtt_ms ? `, ${number(now.rtt_ms)} ms` : "";
        const since = now && now.since_s > 0 ? ` since ${seconds(now.since_s, run.file.duration_s)} s` : "";
        say(row.way, gone ?? (path ? `${route(names)}${rtt}${since}` : ""));
        row.way.title = gone ?? names.join(" → ");
      }
      // Only flows with drawn curves have a rate here, because the curves of other flows would have to be fetched.
      const rate = flows.includes(id) && !gone ? run.curveOfFlow(id, "delivery_rate") : null;
      say(row.rate, rate ? `${number(rate.at(time))} ${rate.unit}` : "");
      say(row.phase, flows.includes(id) ? (run.phases(id)?.at(time) ?? "") : "");
    }
  }
}

function isSame(one: Flow, other: Flow): boolean {
  return (["id", "name", "controller", "from", "to"] as const).every((key) => one[key] === other[key]);
}
