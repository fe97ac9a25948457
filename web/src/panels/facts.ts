// SPDX-License-Identifier: MIT OR Apache-2.0
// The facts of the selected node, link or flow.

import { access, flowAt } from "../curves/derived";
import { element, say } from "../dom";
import { geodetic } from "../earth/geodesy";
import type { Line, Run } from "../scene/model";
import type { State, Store } from "../store";
import { absence, degrees, number, route, seconds } from "../words";

type Fact = [name: string, value: string];

export class Facts {
  private readonly title = element("h2");
  private readonly list = element("dl");
  private readonly root: HTMLElement;
  private readonly cells: HTMLElement[] = [];
  private readonly close: HTMLElement;
  private names = "";

  constructor(
    root: HTMLElement,
    store: Store,
    private readonly runs: readonly Run[],
  ) {
    this.close = element(
      "button",
      { type: "button", class: "icon", "aria-label": "Close (Escape)", click: () => store.set({ picked: null }) },
      "×",
    );
    this.root = element(
      "section",
      { class: "facts", "aria-label": "Facts", tabindex: 0 },
      element("header", {}, this.title, this.close),
      this.list,
    );
    root.append(this.root);
    store.listen((state, changed) => {
      if (["picked", "flows", "run", "time", "loaded"].some((key) => changed.has(key as keyof State))) this.draw(state);
    });
  }

  private draw(state: Readonly<State>): void {
    const [title, facts] = this.about(this.runs[state.run], state) ?? ["", []];
    this.root.hidden = facts.length === 0;
    this.close.hidden = !state.picked;
    say(this.title, title);
    const names = JSON.stringify(facts.map(([name]) => name));
    if (names !== this.names) {
      this.names = names;
      this.cells.length = 0;
      this.list.replaceChildren(
        ...facts.flatMap(([name]) => {
          const cell = element("dd");
          this.cells.push(cell);
          return [element("dt", {}, name), cell];
        }),
      );
    }
    for (const [at, [, value]] of facts.entries()) say(this.cells[at], value);
  }

  private about(run: Run, { picked, flows, time }: Readonly<State>): [string, Fact[]] | null {
    if (picked?.kind === "node" && run.place.has(picked.id))
      return [run.node(picked.id).name, ofNode(run, picked.id, time, flows)];
    if (picked?.kind === "line") {
      const line = run.lineOf.get(picked.key);
      return line ? [`${run.node(line.a).name} – ${run.node(line.b).name}`, ofLine(run, line, time)] : null;
    }
    // A drawing of a network without satellites leaves room for the facts of the followed flow, even if the flow is not
    // selected.
    const flow = picked?.kind === "flow" ? picked.id : !picked && !run.positions ? flows[0] : undefined;
    if (flow !== undefined && run.flow.has(flow)) return [run.flow.get(flow)!.name, ofFlow(run, flow, time)];
    return null;
  }
}

function ofNode(run: Run, id: number, time: number, flows: readonly number[]): Fact[] {
  const node = run.node(id);
  const facts: Fact[] = [["Kind", node.kind]];
  if (typeof node.shell === "number") facts.push(["Shell", run.file.shells[node.shell]?.name ?? String(node.shell)]);
  const place = run.positions?.of(id, time);
  if (place && Number.isNaN(place[0])) facts.push(["Above", "no longer in orbit"]);
  else if (place) {
    const { latitude_deg, longitude_deg, altitude_km } = geodetic(place[0], place[1], place[2]);
    facts.push(["Above", degrees(latitude_deg, longitude_deg)], ["Altitude", `${altitude_km.toFixed(1)} km`]);
  } else if (typeof node.latitude_deg === "number" && typeof node.longitude_deg === "number") {
    facts.push(["At", degrees(node.latitude_deg, node.longitude_deg)]);
    if (node.altitude_km) facts.push(["Altitude", `${Math.round(node.altitude_km * 1000)} m`]);
  }
  const over = [...run.paths].filter(([, path]) => path.way(path.number(time))?.nodes.includes(id));
  facts.push([
    "Flows through this node",
    over
      .map(([flow]) => run.flow.get(flow)?.name)
      .slice(0, 6)
      .join(", ") || "none at the moment",
  ]);
  const flow = flowAt(run, id, flows);
  const seen = flow === null ? null : access(run, id, flow, time);
  if (seen) {
    facts.push(["Satellite in use", run.node(seen.satellite).name]);
    facts.push(["Elevation", `${seen.elevation_deg.toFixed(1)}°`]);
    facts.push(["Distance", `${number(seen.range_km)} km`]);
  }
  if (flow === null && !run.busy.has(id)) facts.push(["Curves", "none: no packets used the links of this node"]);
  return facts;
}

function ofLine(run: Run, line: Line, time: number): Fact[] {
  const facts: Fact[] = [
    ["Kind", { isl: "inter-satellite", ground: "to the ground", plain: "link" }[line.kind] ?? line.kind],
  ];
  for (const link of line.links) {
    const direction = `→ ${run.node(link.to).name}`;
    for (const quantity of ["utilisation", "queue"] as const) {
      const curve = run.curveOfLink(link.id, quantity);
      const value = curve?.at(time);
      if (value === null || value === undefined) continue;
      facts.push([direction, `${number(value)} ${curve?.unit}${quantity === "utilisation" ? " used" : ""}`]);
    }
  }
  if (facts.length === 1) facts.push(["Recorded", "nothing on this link"]);
  return facts;
}

function ofFlow(run: Run, id: number, time: number): Fact[] {
  const flow = run.flow.get(id)!;
  const duration = run.file.duration_s;
  const facts: Fact[] = [
    ["Controller", flow.controller],
    ["From – to", `${run.node(flow.from).name} → ${run.node(flow.to).name}`],
  ];
  const gone = absence(flow, time, duration);
  if (gone) facts.push(["State", gone]);
  const phase = run.phases(id)?.at(time);
  if (phase) facts.push(["Phase", phase]);
  const { now, before } = run.paths.get(id)?.at(time) ?? { now: null, before: null };
  if (now && !gone)
    facts.push([
      "Path now",
      route(
        [...now.nodes].map((node) => run.node(node).name),
        12,
      ),
    ]);
  if (before && now && !gone) {
    facts.push(
      ["Changed", `at ${seconds(now.since_s, duration)} s`],
      [
        "Path before",
        route(
          [...before.nodes].map((node) => run.node(node).name),
          12,
        ),
      ],
    );
    if (now.rtt_ms && before.rtt_ms) facts.push(["RTT change", `${number(before.rtt_ms)} → ${number(now.rtt_ms)} ms`]);
  }
  for (const { name, value, unit } of flow.facts) {
    facts.push([name, `${typeof value === "number" ? number(value) : (value ?? "–")}${unit ? ` ${unit}` : ""}`]);
  }
  return facts;
}
